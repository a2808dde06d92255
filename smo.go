// Copyright 2026 The svm authors. All rights reserved.
// Use of this source code is governed by the MIT
// license that can be found in the LICENSE file.

// Sequential minimal optimization.
//
// The problem is the signed dual of qp.go, for a K so large that it cannot be stored: one row of K
// takes n kernel values, O(n · features) time.
//
// Part I is the algorithm as lectures teach it: [SMOSteps], one screen, complete. It moves two
// variables at a time. Each step needs two rows of K and a few passes over all n variables. Part
// II, [SMO], reaches a point as good, within Tol, in a fraction of the time. Its sections have one
// idea each: a path for few features, a step on several cores, variables that are set aside, rows
// that are kept, Newton steps on the free variables, proofs that no hyperplane exists, and what
// rounding does. A first reader may stop after Part I.
//
//	symbol   meaning                                                Go
//	D        the dual objective                                     Objective
//	g        p − Kβ, the gradient of D                              g; in Part II up and low
//	i, j, t  a step: βᵢ rises by t, βⱼ falls by t                   i, j, t
//	η        Kᵢᵢ + Kⱼⱼ − 2Kᵢⱼ, the curvature of D along a step      curvature
//	F        the free variables, lo < β < hi                        f
//	m        the number of variables that are not set aside         solver.m
//
// References. Platt (1998): the pair. Keerthi et al. (2001): the stopping rule (E2). Fan, Chen and
// Lin (JMLR 2005): the choice of j (S1), by far the most useful paper. Joachims (1999): shrinking.
// Scheinberg (JMLR 2006): factors like (S4).

package svm

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"sync"
)

// Part I. Two variables at a time
//
// The dual of qp.go, in signed variables,
//
//	maximize  D(β) = pᵀβ − ½βᵀKβ   subject to   lo ≤ β ≤ hi,  Σβ = s                    (B2)
//
// has a single equation. The smallest move that keeps the equation changes two variables: βᵢ rises
// by t, and βⱼ falls by t. Sequential minimal optimization makes nothing but such moves. It has to
// answer three questions: how far, when to stop, and which two.
//
// How far. Let g = p − Kβ be the gradient of D. Along the move D is a parabola in t,
//
//	D(β + t(eᵢ − eⱼ)) = D(β) + t(gᵢ − gⱼ) − ½t²η    [multiply out; K is symmetric]
//	η = Kᵢᵢ + Kⱼⱼ − 2Kᵢⱼ = ‖φ(xᵢ) − φ(xⱼ)‖² ≥ 0     [D12]
//
// with its top at t = (gᵢ − gⱼ)/η, or a line if η = 0, where the quotient counts as ∞. The box may
// end the move sooner:
//
//	t = min((gᵢ − gⱼ)/η, hiᵢ − βᵢ, βⱼ − loⱼ)                                            (E1)
//
// Both rise as far as that. So no step lowers D.
//
// When to stop. Call "up" the variables that may rise (β < hi), and "low" those that may fall (β >
// lo). At a maximum no move gains anything:
//
//	max over up of gᵢ  ≤  min over low of gⱼ                                            (E2)
//
// The converse holds as well. Take any b between the two sides. Then gᵢ ≤ b where β may only rise,
// gᵢ ≥ b where β may only fall, and gᵢ = b where both. These are the KKT conditions (B5), and they
// suffice because D is concave. In floating point the two sides need not meet exactly. The amount
// by which they miss is the violation, a residual of the KKT conditions. The run stops when it is
// at most Tol.
//
// Which two. The variable i of up with the largest g promises the steepest rise. Given i, the best
// partner, but for the box, is not the j with the smallest g. It is the j for which the top of the
// parabola is highest:
//
//	D at the top − D(β) = (gᵢ − gⱼ)²/2η             [t = (gᵢ − gⱼ)/η]                   (S1)
//
// This needs row i of K, which the step needs anyway.
//
// Why the run ends, in exact arithmetic, unless D is unbounded. Let η′ > 0 be at least every η. By
// (S1) the chosen pair has (gᵢ − gⱼ)²/η ≥ Tol²/η′, because the worst pair of (E2) has a difference
// above Tol.
//
//	a step to the top gains (gᵢ − gⱼ)²/2η ≥ Tol²/2η′, so there are finitely many of them
//	every step has gᵢ − gⱼ ≥ c for some c > 0, and gains at least tc/2  [t is not past the top]
//	so Σt is finite, and g converges                                     [D is bounded]
//
// There is such a c, because there are finitely many pairs: where η > 0 the first line has it, and
// where η = 0, of two points with one image, gᵢ − gⱼ = pᵢ − pⱼ never changes.
//
// Suppose that steps to a bound went on for ever. Of the variables that move infinitely often let a
// have the greatest limit of g. In the end a only rises: if a fell for ever, some i that rises with
// it, c above a, would have a greater limit. So a stays in up. Whoever rises for ever has the limit
// of a, and whoever falls for ever has one at least c lower: nobody does both. But then, from some
// step on, each step takes a variable to a bound that it never leaves again, and there are finitely
// many variables.

// A run by hand. Take exclusive or, the points (±1, ±1) with labels y, and k = (1 + x·z)² (D4).
// Then K has 9 on its diagonal and 1 elsewhere, p = y, and β lies between 0 and Cy. With C = 1,
// say,
//
//	start    β = 0, g = y: up are the two points of class +1, low those of class −1
//	         1 ≤ −1 is false by 2, the violation
//	step 1   i, j any pair of the two classes; η = 9 + 9 − 2 = 16, so t = (1 + 1)/16 = 1/8
//	         gᵢ = 1 − (9 − 1)/8 = 0 and gⱼ = 0; both are free now, up and low
//	         the other two: g is what it was, because 1 − 1 = 0; 1 ≤ −1 is still false by 2
//	step 2   the same with the other two: now g = 0 everywhere, and 0 ≤ 0
//	end      β = y/8, b = 0, D = ½βᵀ(p + g) = ½ · 4 · 1/8 = 1/4
//
// The decision is f(x) = Σ βᵢ(1 + xᵢ·x)² = x₁x₂, up to the sign that the labels give it.

// SMOOptions control [SMO] and [SMOSteps]. The zero value runs.
type SMOOptions struct {
	Tol        float64 // stop when the Violation is at most this (E2); 0 means 1e-3
	MaxIter    int     // the most steps; 0 means ten million, or 100 a point if that is more
	CacheBytes int     // for rows of K (at least four), an eighth for a factor; 0 means 200 MB
	Workers    int     // goroutines for rows and passes; 0 means GOMAXPROCS

	// Observe is called every 256 steps or sooner, with what is valid until it returns; false ends
	// the run. [SMOSteps] uses neither this nor the memory and the workers.
	Observe func(*DualSolution) bool

	// Start is where to begin, made feasible first. If it is nil, the run begins at 0, made
	// feasible; then SMO may leap to near the optimum of a linear machine. SMO begins at 0, made
	// feasible, if rounding alone may exceed Tol at Start, or the objective overflows.
	Start []float64
}

// A DualSolution is a feasible point of a [Dual]. Let g = P − Kβ, max_up g its maximum where β <
// Hi, min_low g its minimum where β > Lo. For an observer of SMO, both leave out the variables that
// are set aside; and on the path for few features B, BLo and BHi are one b, and Violation is what
// is missing to the optimum.
type DualSolution struct {
	Beta []float64

	// B is the mean gradient of the free variables; with none, the middle of [BLo, BHi], or its
	// finite end, or 0. BLo and BHi are max_up g and min_low g, in ascending order: the KKT
	// conditions allow these b, within Violation.
	B, BLo, BHi float64

	Objective  float64 // Pᵀβ − ½βᵀKβ
	Violation  float64 // max(0, max_up g − min_low g), E2
	Iterations int

	grad     []float64 // p − Kβ at this point, 0 for variables without room
	rounding float64   // how much rounding may be in it
}

// SMOSteps is sequential minimal optimization and nothing else. It yields the starting point, and
// the point after every step. It ends when the violation (E2) is at most o.Tol, after o.MaxIter
// steps, or where numbers over- or underflow: the last Violation tells. The solution is valid
// during the yield; breaking the loop ends the run. A step costs two rows of K and O(n); nothing is
// kept. If d or o are invalid, nothing is yielded: [SMO] has the error.
func SMOSteps(d Dual, o SMOOptions) iter.Seq[*DualSolution] {
	return func(yield func(*DualSolution) bool) {
		n := len(d.P)
		beta, err := o.begin(d)
		if err != nil {
			return
		}
		g, rows := d.Gradient(beta), d.K.Open()
		value := (Dot(d.P, beta) + Dot(g, beta)) / 2 // D; later gain by gain, lest it falls
		diag, ki, kj := make([]float64, n), make([]float64, n), make([]float64, n)
		rows.Diag(diag)
		kMax := largest(diag)
		for steps := 0; ; steps++ {
			// Both sides of (E2), and the variable i that attains the left one.
			i, maxUp, minLow := -1, math.Inf(-1), math.Inf(1)
			for k := range n {
				if beta[k] < d.Hi[k] && g[k] > maxUp {
					i, maxUp = k, g[k]
				}
				if beta[k] > d.Lo[k] {
					minLow = min(minLow, g[k])
				}
			}
			sol := pointOf(d, beta, g, maxUp, minLow)
			sol.Iterations, sol.Objective = steps, value
			if !finite(value) || !finite(norm1(g)) {
				return // kernel values overflow, or D grows without bound
			}
			if !yield(sol) || sol.Violation <= o.Tol || steps == o.MaxIter {
				return
			}

			// The partner j that promises most (S1). Some j has gⱼ < gᵢ, for the violation is
			// positive. Two points with the same image have η = 0, and rounding may make it
			// negative. So the least η that counts is a tiny share of Kᵢᵢ or, as Kᵢᵢ may be 0, a
			// far smaller share of the largest diagonal entry.
			rows.Row(ki, i, 0)
			j, best, floor := -1, 0.0, curvatureTol*max(math.Abs(diag[i]), 1e-40*kMax)
			for k := range n {
				if gap := maxUp - g[k]; beta[k] > d.Lo[k] && gap > 0 {
					eta := max(diag[i]+diag[k]-2*ki[k], floor)
					if gain := gap * gap / eta; gain > best {
						j, best = k, gain
					}
				}
			}
			if j < 0 {
				return // all squares underflow
			}

			// The step (E1). A variable that reaches its bound is put there exactly, so that the
			// comparisons above see it.
			rows.Row(kj, j, 0)
			curvature := diag[i] + diag[j] - 2*ki[j]
			roomI, roomJ := d.Hi[i]-beta[i], beta[j]-d.Lo[j]
			t := min((g[i]-g[j])/max(curvature, floor), roomI, roomJ)
			value += t * (g[i] - g[j] - t*curvature/2)
			beta[i], beta[j] = beta[i]+t, beta[j]-t
			if t == roomI {
				beta[i] = d.Hi[i]
			}
			if t == roomJ {
				beta[j] = d.Lo[j]
			}
			for k := range g {
				g[k] -= t * (ki[k] - kj[k]) // g = p − Kβ still holds
			}
		}
	}
}

// begin checks d and o, replaces zeros in o by their meaning but for Workers, and returns the
// start.
func (o *SMOOptions) begin(d Dual) ([]float64, error) {
	err := cmp.Or(d.check(), unless(o.Tol >= 0 && o.MaxIter >= 0 && o.CacheBytes >= 0 &&
		o.Workers >= 0, "svm: SMOOptions: Tol %v, MaxIter %d, CacheBytes %d, Workers %d: "+
		"want no negative number", o.Tol, o.MaxIter, o.CacheBytes, o.Workers))
	if err == nil && o.Start != nil {
		err = fault("Start", o.Start, len(d.P), false)
	}
	if err != nil {
		return nil, err
	}
	o.Tol = cmp.Or(o.Tol, 1e-3)
	o.MaxIter = cmp.Or(o.MaxIter, max(10_000_000, 100*len(d.P)))
	o.CacheBytes = cmp.Or(o.CacheBytes, 200<<20)
	return startingPoint(d, o.Start), nil
}

// startingPoint makes start, or 0, feasible: it moves it into the box, and then one variable after
// another until the sum is right. Each variable that moves may cost a row, so it moves few.
func startingPoint(d Dual, start []float64) []float64 {
	// Into the box.
	beta := make([]float64, len(d.P))
	copy(beta, start)
	for i, b := range beta {
		beta[i] = snap(b, snapTol*math.Abs(b), d.Lo[i], d.Hi[i])
	}
	// To the sum. What is left in the end is rounding: no variable should leave its bound for that.
	sum := total(beta)
	near := max(rounding(beta), float64(len(beta))*machineEps*math.Abs(d.Sum)) / 2
	for i, b := range beta {
		if math.Abs(d.Sum-sum) <= near {
			break
		}
		beta[i] = snap(b+(d.Sum-sum), near, d.Lo[i], d.Hi[i])
		sum += beta[i] - b
	}
	return beta
}

// snap returns v, or a bound if v is beyond it or within near of it.
func snap(v, near, lo, hi float64) float64 {
	switch {
	case v >= hi-near:
		return hi
	case v <= lo+near:
		return lo
	}
	return v
}

// pointOf returns the solution β, whose gradient is g, with the b that belongs to it.
func pointOf(d Dual, beta, g []float64, maxUp, minLow float64) *DualSolution {
	sol := &DualSolution{Beta: beta, Violation: max(0, maxUp-minLow),
		BLo: min(maxUp, minLow), BHi: max(maxUp, minLow)}
	sum, count := 0.0, 0.0 // of the gradients of free variables
	for i, b := range beta {
		if d.Lo[i] < b && b < d.Hi[i] {
			sum, count = sum+g[i], count+1
		}
	}
	// Without a free variable b is the middle of the interval, or its finite end, or 0.
	if count == 0 {
		for _, end := range []float64{sol.BLo, sol.BHi} {
			if !math.IsInf(end, 0) {
				sum, count = sum+end, count+1
			}
		}
	}
	sol.B = min(max(sum/max(1, count), sol.BLo), sol.BHi)
	return sol
}

// Part II. The same steps, fast
//
// The cost of Part I is rows and passes. Each idea here saves some of it. The figures say how
// many times as long the package's benchmarks take without the idea.
//
//	the pair of second order           1.0 to 1.8    fewer steps
//	a gradient stored twice            1.2 to 1.5    passes without branches
//	variables that are set aside       0.9 to 2.2    shorter rows and passes
//	rows that are kept                 2 to 20       fewer rows
//	Newton on the free variables       2 to 34       far fewer steps
//	a path for few features            1 to 100      hardly any steps, if the kernel is linear
//
// What remains is a loop that takes steps, looks now and then whether an idea pays, and ends when
// (E2) holds for all variables, by a gradient that is known well enough to say so.

// ErrNotSeparable reports a hard margin that does not exist: the convex hulls of the two classes
// meet, or come so near that rounding hides the difference. The error that wraps it is a
// *[NotSeparableError], which shows where.
var ErrNotSeparable = errors.New("the classes are not separable")

// ErrIndefinite reports a matrix that is not a kernel matrix: it has negative curvature, or is not
// symmetric. The solution that comes with it is stationary, perhaps not optimal. Where the matrix
// is not symmetric, or an infinite box lets the dual grow without bound along negative curvature,
// it may not be even that; perhaps only the duality gap of a model shows it.
//
// A negative Kᵢᵢ counts as negative curvature, too. But Σβ is fixed, so a constant added to all of
// K changes no solution: kernels such as −√(1 + ‖x − z‖²) or x·z − 1 have an optimum. To find it,
// add a constant that makes the diagonal ≥ 0.
var ErrIndefinite = errors.New("the kernel matrix is not positive semidefinite")

const (
	// Every shrinkEvery steps, or n if that is less, the run looks for progress and for variables
	// to set aside. It sets them aside if they are at least this share of the active ones.
	shrinkEvery = 1000
	shrinkShare = 0.2

	// A run has reached the limit of rounding when more than stallSteps steps have shown no
	// progress. A refresh at the end counts as freshSteps of them, so that steps and refreshes
	// cannot alternate for ever.
	stallSteps = 200_000
	freshSteps = 20_000

	// A curvature below this share of Kᵢᵢ is rounding, and is raised to it [η ≥ (√Kᵢᵢ − √Kⱼⱼ)², so
	// η is that small only if Kⱼⱼ is nearly Kᵢᵢ]. The step then goes to the box, where it belongs,
	// or far towards the box. D still rises, as t is not past the top.
	curvatureTol = 1e-12

	// A curvature below −(indefiniteTol + 4ρ) max |Kᵢᵢ| is not rounding, where ρ is the roughness
	// of rows: K is not positive semidefinite. The same share bounds a negative square in
	// checkHulls.
	indefiniteTol = 1e-9

	// If Kᵢⱼ and Kⱼᵢ differ by more than this share of them and of the largest diagonal entry, K is
	// not symmetric. Single precision is good enough, even for a centered matrix, all of whose
	// entries have the errors of the largest ones.
	asymmetryTol = 1e-5

	// Hulls nearer than this share of Σ|dᵢ|‖φ(xᵢ)‖/Σ⁺d meet, where d is the move since the start,
	// and d is a ray if bounds are ahead of at most this share of Σ⁺d: the squared distance is a
	// difference of sums of K, known no better than that. So do hulls nearer than the rounding of
	// the longest φ(xᵢ).
	hullTol = 1e-7

	// A variable nearer to a bound than this share of its value, before the step or after it, is at
	// the bound. If the rooms of a pair differ by no more than this share of the values, they are
	// equal.
	snapTol = 16 * machineEps

	// The ridge is leastRidge of the diagonal, little more than rounding. For want of a factor it
	// grows, up to mostRidge.
	leastRidge = 1e-14
	mostRidge  = 1e-3

	// The c of the moved origin is at least this share of the largest Kₖₖ − 2Kₖᵣ + Kᵣᵣ.
	leastOffset = 1e-10

	// A phase is considered every newtonAfter steps, and waits until the steps before it have cost
	// at least leastPrice times what it will. The last one polishes the result, if it costs less
	// than polishShare of the work so far.
	newtonAfter = 20
	leastPrice  = 0.25
	polishShare = 0.25

	// A factor may take an eighth of the memory, or this many bytes if that is more.
	leastFactor = 4 << 20

	// What a step costs for each active variable, in multiply-adds of a long row.
	stepCost = 8

	// The sum of more rows than this is computed without them if the kernel is linear.
	manyRows = 16

	// The path for few features takes about pathSteps steps. Each step costs passesCost
	// multiply-adds a point beside those for its features. Without the path SMO would compute about
	// the share smoShare of all of K.
	pathSteps  = 30
	passesCost = 150
	smoShare   = 0.35

	// An observer is called after so many steps.
	showEvery = 256

	// Loops over the active variables run block by block, on several cores if the loop takes
	// parallelCost multiply-adds, some 10 µs. Which variables a block has must not depend on the
	// workers, because no result may. A value of a row takes passCost beside its computation. A
	// member of the team that has looked teamSpins times for a loop, some 0.2 ms, leaves.
	parallelCost = 1 << 15
	blockSize    = 1 << 11
	passCost     = 4
	teamSpins    = 200_000
)

// A solver is a run of SMO. In its order of the variables the active ones come first, and those
// without room (lo = hi) last: they stay where they are.
type solver struct {
	d    Dual
	o    SMOOptions
	n, m int       // variables with room to move; those of them that are active
	at   []int     // present order → the caller's
	beta []float64 // in the caller's order
	diag []float64 // Kₖₖ, in the present order
	gradient
	record
	rows   *rowCache
	exact  exactGram // has better rows, by Eval, that are not in use yet; or is nil
	aside  []level   // what shrinking has set aside, outermost first
	newton phases
	start  *DualSolution // where checkHulls begins
}

// The gradient is stored twice: as up, with −∞ where β may not rise, and as low, with +∞ where
// β may not fall. Subtracting finite numbers leaves infinities as they are, and they are never the
// maximum or minimum of (E2). So the loops need not test for bounds.
type gradient struct {
	up, low       []float64 // in the present order
	i             int       // argmax up, over the active variables
	maxUp, minLow float64   // the two sides of (E2), over the active variables
	objective     float64
	drift         float64 // how much rounding may have gathered in g
	fresh         int     // the number of steps when g was last computed from nothing but β
	parts         []part  // memory for passes, one for each block
}

// A part is what a pass over a block of variables has found: the largest of some values, where it
// comes first, or −1, and the smallest of some others.
type part struct {
	at          int
	most, least float64
}

// A record is how far a run has come, as seen every so often, and what it has seen of K, by the
// rows that it uses. In exact arithmetic D rises with every step. A run in which neither D nor the
// violation has improved for very long sees only rounding.
type record struct {
	steps, improved int     // so far, and at the last progress
	lowest, highest float64 // violation and objective so far

	kMax       float64 // largest |Kᵢᵢ|, or 1 if that is 0
	indefinite bool    // negative curvature has been met
	fault      error   // a diagonal that is not finite, or asymmetry, or nil
}

// SMO maximizes the dual d by moving two variables at a time (E1), and now and then all free ones
// (S4), until no pair violates the KKT conditions by more than o.Tol (E2). A step costs O(n) and up
// to two rows of K, those that are not kept from before; a run takes at least one row for every
// support vector, but for linear machines with few features. Memory: the points by columns, the
// rows that pay, a factor, and some 150 bytes a point. No bit of the result depends on the workers.
//
// A run that o.MaxIter, o.Observe or rounding ends returns its present point, which is feasible,
// with an error that wraps [ErrNotConverged]. If otherwise K is seen to be indefinite or
// asymmetric, the point comes with [ErrIndefinite], which says what it is worth. This need not be
// seen, and then the point may not be the best: [CheckPSD] tells if K is positive semidefinite.
// Other errors come without a point: [ErrInfeasible], [ErrNotFinite], and [ErrNotSeparable] where
// an infinite box lets the dual grow without bound.
func SMO(d Dual, o SMOOptions) (*DualSolution, error) {
	s, err := newSolver(d, o)
	if err != nil {
		return nil, err
	}
	err = s.run()
	if !hasSolution(err) {
		return nil, err
	}
	// A run that has ended early may have variables set aside, or a gradient with visible rounding.
	if s.unshrink(); s.stale() {
		s.refresh()
	}
	if s.rows.bad.j >= 0 {
		return nil, s.failure()
	}
	sol := s.solution()
	if o.Observe != nil && !errors.Is(err, errObserver) {
		o.Observe(sol) // so that an observer has seen the end
	}
	return sol, err
}

var errObserver = errors.New("ended by the observer")

// hasSolution reports whether a solution comes with err, which may be nil.
func hasSolution(err error) bool {
	return err == nil || errors.Is(err, ErrNotConverged) || errors.Is(err, ErrIndefinite)
}

// newSolver checks d and o and goes to the start.
func newSolver(d Dual, o SMOOptions) (*solver, error) {
	beta, err := o.begin(d)
	if err != nil {
		return nil, err
	}
	n := len(beta)
	s := &solver{d: d, o: o, beta: beta, diag: make([]float64, n),
		gradient: gradient{up: make([]float64, n), low: make([]float64, n),
			parts: make([]part, n/blockSize+1)}}

	// The variables with room come first. Only they have rows that are kept.
	var fixed []int
	for i, lo := range d.Lo {
		if lo < d.Hi[i] {
			s.at = append(s.at, i)
		} else {
			fixed = append(fixed, i)
		}
	}
	s.n, s.m = len(s.at), len(s.at)
	s.at = append(s.at, fixed...)
	s.use(d.K.Open())
	if s.rows.rough > 2*machineEps {
		s.exact, _ = d.K.(exactGram)
	}
	// A start where the objective overflows, or where rounding alone may exceed Tol, is worse than
	// 0.
	if o.Start != nil && s.rows.bad.j < 0 && (s.failure() != nil || s.noise() > s.o.Tol) {
		s.beta = startingPoint(d, nil)
		s.refresh()
	}
	// From there the moves are measured that may prove that no hyperplane exists.
	s.start = s.solution()

	// A factor takes 4r² bytes for r variables. At 0 many variables may be free that will not stay
	// so: the first phase comes early and takes few.
	most := int(math.Sqrt(float64(max(leastFactor, s.o.CacheBytes/8)) / 4))
	s.newton = phases{base: s.objective, price: 1, quota: most, most: most, ridge: leastRidge}
	s.newton.phi, s.newton.wait = fewFeatures(d, o)
	if o.Start == nil && len(s.free()) > newtonAfter {
		s.newton.price, s.newton.quota = 0.5, newtonAfter
	}
	return s, s.failure()
}

// use goes on with the given rows, which are in the caller's order. What has been seen of the
// matrix and of the progress was that of other rows.
func (s *solver) use(rows Rows) {
	if !slices.IsSorted(s.at) {
		rows.Permute(s.at)
	}
	// A Gram of the caller's own counts as rounded once, and its price is a guess.
	known := facts{evalCost, machineEps}
	if r, ok := rows.(interface{ about() facts }); ok {
		known = r.about()
	}
	// An eighth of the memory is for a factor, the rest for rows of n values: at least four rows,
	// at most all. A slab has at most slabRows rows or slabValues values, whichever is more.
	n := max(1, s.n)
	most, least := (s.o.CacheBytes-s.o.CacheBytes/8)/8/n, max(slabRows, slabValues/n)
	capacity := min(n, max(4, most))
	limit := (capacity + least - 1) / least
	s.rows = &rowCache{rows: rows, facts: known, stride: n, limit: limit,
		slab: (capacity + limit - 1) / limit * n, kept: make([]keptRow, s.n),
		team: &team{workers: s.o.Workers, spins: teamSpins}, bad: badValue{j: -1}}
	// The diagonal, and what it says of K. Progress is counted anew, and so is the rounding in g.
	rows.Diag(s.diag)
	s.record = record{s.steps, s.steps, math.Inf(1), math.Inf(-1), cmp.Or(largest(s.diag), 1),
		slices.ContainsFunc(s.diag, func(v float64) bool { return v < 0 }), nil}
	if k := nonFinite(s.diag); k >= 0 {
		s.fault = fmt.Errorf("svm: kernel of point %d with itself is %v: %w",
			s.at[k], s.diag[k], ErrNotFinite)
	}
	s.refresh()
}

// run takes steps until all variables satisfy (E2). At every turn g, i and both sides of (E2) are
// those of β, for the active variables.
func (s *solver) run() error {
	showAt, lookAt := 0, 0 // the numbers of steps at which to show the solution, and to look around
	for {
		if err := s.failure(); err != nil {
			return err
		}
		if s.o.Observe != nil && s.steps >= showAt {
			showAt = s.steps + showEvery
			if !s.o.Observe(s.solution()) {
				return fmt.Errorf("svm: %w after %d steps: %w",
					errObserver, s.steps, ErrNotConverged)
			}
		}
		// The run would end where (E2) holds for the active variables, and at the limit of rounding
		// or of the caller's patience. A run is lost where g is known less well than the violation.
		satisfied := s.violation() <= s.o.Tol
		stalled := s.steps-s.improved > stallSteps
		lost := s.steps >= lookAt && s.steps > s.fresh && s.drift > s.violation()
		ending := satisfied || stalled || lost || s.steps >= s.o.MaxIter
		switch {
		// Before it does, look again: at all variables, by a matrix that is known well enough, with
		// a gradient that is.
		case ending && s.m < s.n:
			s.unshrink()
		case satisfied && s.blunt() || stalled && s.exact != nil:
			s.sharpen()
		case ending && s.stale():
			s.refresh()
			s.improved -= freshSteps

		// A last phase may do better for little.
		case (satisfied || stalled) && s.newton.since > 0 && s.steps < s.o.MaxIter &&
			s.phaseCost() <= polishShare*s.rows.work:
			s.polish(stalled)
		case satisfied && s.indefinite:
			return fmt.Errorf("svm: %w", ErrIndefinite)
		case satisfied:
			return nil
		case ending:
			cause := "" // the data may be to blame
			if noise := s.noise(); noise > s.o.Tol {
				cause = fmt.Sprintf(" (rounding of kernel values may make %.2g of it)", noise)
			}
			return fmt.Errorf("svm: KKT violation %.3g after %d steps, want %.3g%s: %w",
				s.violation(), s.steps, s.o.Tol, cause, ErrNotConverged)

		// There is a step to take, or something better.
		case s.newton.phi != nil && s.rows.work >= s.newton.wait:
			s.follow()
			showAt, lookAt = s.steps, s.steps
		case s.newton.since%newtonAfter == 0 &&
			s.phaseCost() <= (s.rows.work-s.newton.mark)/s.newton.price:
			s.phase()
		case s.steps >= lookAt:
			lookAt = s.steps + min(s.n, shrinkEvery)
			// Is the violation lower, by a tenth, or the objective higher, by more than rounding,
			// than ever before? Once the lowest violation is within the noise, only the violation
			// counts. (That of the moment may be far above the lowest: steps along a bound take it
			// up and down.)
			least := machineEps * math.Abs(s.objective) * float64(s.steps-s.improved)
			if s.violation() < 0.9*s.lowest ||
				s.objective-s.highest > least && s.lowest > s.noise() {
				s.lowest, s.highest = min(s.lowest, s.violation()), max(s.highest, s.objective)
				s.improved = s.steps
			}
			switch err := s.checkHulls(); {
			case s.blunt() || err != nil && s.exact != nil:
				s.sharpen()
			case err != nil:
				return err
			default:
				s.shrink()
			}
		default:
			s.step()
		}
	}
}

// violation is the stopping quantity, which is compared with the tolerance (E2).
func (g *gradient) violation() float64 { return max(0, g.maxUp-g.minLow) }

// of returns gₖ, which is in up or in low or in both.
func (g *gradient) of(k int) float64 {
	if u := g.up[k]; !math.IsInf(u, -1) {
		return u
	}
	return g.low[k]
}

// open makes v the gradient of variable k: in up if it may rise, in low if it may fall.
func (s *solver) open(k int, v float64) {
	// A variable that may go both ways is in both arrays.
	i := s.at[k]
	s.up[k], s.low[k] = math.Inf(-1), math.Inf(1)
	if s.beta[i] < s.d.Hi[i] {
		s.up[k] = v
	}
	if s.beta[i] > s.d.Lo[i] {
		s.low[k] = v
	}
}

// solution returns the present point.
func (s *solver) solution() *DualSolution {
	// β and g in the caller's order. The caller may keep them, so β is a copy.
	g := make([]float64, len(s.beta))
	for k, i := range s.at[:s.n] {
		g[i] = s.of(k)
	}
	// The gradients of variables that are set aside are those of another point, and variables
	// without room have none. So the objective is the one that has been kept up.
	sol := pointOf(s.d, slices.Clone(s.beta), g, s.maxUp, s.minLow)
	sol.Objective, sol.Iterations = s.objective, s.steps
	sol.grad, sol.rounding = g, s.drift+s.noise()
	return sol
}

// free lists the active variables strictly inside their box. The next call overwrites the list.
func (s *solver) free() []int {
	// Strictly inside its box a variable may go both ways: both arrays have its gradient.
	f := s.newton.list[:0]
	for k, u := range s.up[:s.m] {
		if u == s.low[k] {
			f = append(f, k)
		}
	}
	s.newton.list = f
	return f
}

// failure returns an error if a kernel value or the objective is not finite, or if the last step
// has seen that the matrix is not symmetric.
func (s *solver) failure() error {
	switch {
	case s.rows.bad.j >= 0:
		i, j := s.at[s.rows.bad.i], s.at[s.rows.bad.j]
		return fmt.Errorf("svm: kernel of points %d and %d is not a finite number: %w",
			i, j, ErrNotFinite)
	case s.fault != nil:
		return s.fault
	case finite(s.objective):
		return nil
	case s.steps > 0 && (s.indefinite ||
		math.IsInf(s.objective, 1) && finite(Dot(s.d.P, s.beta))):
		// D is +∞ and pᵀβ is not: so βᵀKβ < 0.
		return fmt.Errorf("svm: the dual grows along negative curvature until it overflows: %w",
			ErrIndefinite)
	default:
		return fmt.Errorf("svm: the dual objective overflows: %w", ErrNotFinite)
	}
}

// # A path for few features
//
// A linear kernel of n points with d ≪ n features has K = ΦΦᵀ, of rank d or less. Then the path of
// an interior point method needs no matrix of order n, only one of order d + 1 (the last section of
// qp.go), and comes near the optimum in some thirty steps, for most C. SMO goes on where the path
// ends. There every β is at its bound or near its value, so that often one phase of Newton's method
// (below), or none, is what is left. The result is checked as ever. The gradient there is g = p −
// Φ(Φᵀβ), two passes over Φ instead of a row for every support vector; and so is what (S3) below
// subtracts, if many variables have moved.
//
// When is the path due? Its work P hardly depends on the data. The work of SMO does, very much: it
// is small if there are few support vectors, and for large C, or features in large units, it may be
// a hundred times what is usual, W. So SMO begins, and has until it has done min(P, P²/W): at worst
// that doubles the work, and the cheaper the path is beside W, the sooner it is due.

// fewFeatures returns [Φ 1], with a column of ones, if K = ΦΦᵀ, the dual is one that nearOptimum
// takes, and the caller gives no start, or else nil; and the work after which the path is due.
func fewFeatures(d Dual, o SMOOptions) (phi *sparseMatrix, wait float64) {
	gram, ok := d.K.(interface {
		features() (*sparseMatrix, float64)
	})
	// A few hundred points are soon trained without.
	n := float64(len(d.P))
	if !ok || n < 1000 || d.Sum != 0 || o.Start != nil {
		return nil, 0
	}
	// The path needs finite boxes with room on one side of 0 or both.
	for i, lo := range d.Lo {
		if hi := d.Hi[i]; lo > 0 || hi < 0 || lo == hi || math.IsInf(hi-lo, 1) {
			return nil, 0
		}
	}
	phi, price := gram.features()
	if phi == nil {
		return nil, 0
	}
	// A step of the path: the factor and the matrix of order d + 1, passes over Φ and over vectors.
	order := float64(phi.cols)
	cost := order * order * order / 6
	for i := range d.P {
		c := float64(len(phi.rows[i].Index))
		cost += c*c/2 + 12*c + passesCost
	}
	work, usual := pathSteps*cost, smoShare*n*n*price // P and W
	return phi, min(work, work*work/usual)
}

// follow goes on from the end of the path, if that is a better point than the present one.
func (s *solver) follow() {
	p := &s.newton
	observe := func(beta []float64, b, violation float64) (goOn bool) {
		if s.o.Observe == nil {
			return true
		}
		// A feasible point, and its objective by w = Φᵀβ, without the column of ones.
		beta = startingPoint(s.d, beta)
		w := p.phi.mulVecT(beta)
		goOn = s.o.Observe(&DualSolution{Beta: beta, B: b, BLo: b, BHi: b, Violation: violation,
			Objective: Dot(s.d.P, beta) - norm2(w[:p.phi.cols-1])/2, Iterations: s.steps})
		if !goOn { // the run will ask again
			s.o.Observe = func(*DualSolution) bool { return false }
		}
		return goOn
	}
	s.unshrink()
	before, value := s.beta, s.objective
	s.beta = startingPoint(s.d, s.d.nearOptimum(p.phi, s.o.Tol/10, observe))
	if s.refresh(); s.failure() != nil || s.objective < value {
		s.beta = before
		s.refresh()
	}
	p.price, p.quota, p.mark, p.base, p.phi = 1, p.most, s.rows.work, s.objective, nil
}

// # A step
//
// One pass over row i finds the partner. One pass over row j updates the gradient and finds the
// next i and both sides of (E2). Where a row is not there yet, each block of it is computed just
// before the pass needs it. So several cores share the rows and the passes alike. The maxima of the
// blocks are compared in the order of the blocks, whoever has found them, and the first of equal
// ones counts.

// step moves the pair (i, j) of (S1) by (E1).
func (s *solver) step() {
	// Which two. Some j promises most. If all squares underflow, take the j with the smallest g.
	i, maxUp := s.i, s.maxUp
	kii, floor := s.diag[i], curvatureTol*max(math.Abs(s.diag[i]), 1e-40*s.kMax)
	ki := s.rows.pass(i, s.m, passCost, func(b, from, to int, row []float64) {
		s.parts[b] = partner(s.low[from:to], s.diag[from:to], row, maxUp, kii, floor)
	})
	j, _, _ := s.join()
	if j < 0 {
		j = slices.Index(s.low, s.minLow)
	}

	// How far. The slope and the curvature of D along the pair, and then (E1).
	kij := ki[j]
	slope, curvature := s.maxUp-s.low[j], kii+s.diag[j]-2*kij
	if curvature < -s.kMax*(indefiniteTol+4*s.rows.rough) {
		s.indefinite = true
	}
	p, q := s.at[i], s.at[j]
	rise, fall, top := s.d.Hi[p]-s.beta[p], s.beta[q]-s.d.Lo[q], slope/max(curvature, floor)
	room := min(rise, fall)
	if math.Abs(rise-fall) <= snapTol*(room+max(math.Abs(s.beta[p]), math.Abs(s.beta[q]))) {
		room = max(rise, fall) // they differ by rounding: both variables come to their bounds
	}
	if kii == kij && s.diag[j] == kij && !math.IsInf(room, 1) {
		top = room // two points with one image: along their line D has no top
	}
	t := min(room, top)
	s.objective += t * (slope - t*curvature/2)
	s.drift += machineEps * math.Abs(s.maxUp)

	// The smaller of the two goes first, as its last digit is finer. The other moves by just as
	// much as it did, so that Σβ stays what it is, up to the rounding of the larger.
	if math.Abs(s.beta[p]) <= math.Abs(s.beta[q]) {
		s.move(j, -s.move(i, t, t), -t)
	} else {
		s.move(i, -s.move(j, -t, -t), t)
	}

	// The gradient after the step. Row j, which it needs, tells whether K is symmetric.
	kj := s.rows.pass(j, s.m, passCost, func(b, from, to int, row []float64) {
		s.parts[b] = update(s.up[from:to], s.low[from:to], ki[from:to], row, t)
	})
	s.i, s.maxUp, s.minLow = s.join()
	if math.Abs(kij-kj[i]) > asymmetryTol*(s.kMax+math.Abs(kij)) {
		s.fault = fmt.Errorf("svm: kernel of points %d and %d depends on which comes "+
			"first: %w", p, q, ErrIndefinite)
	}
	s.steps++
	s.newton.since++
	s.rows.work += stepCost * float64(s.m)
}

// partner finds the j that promises the largest rise (S1) among those that violate with i, whose
// row ki is, and twice that rise. Promises are quotients, but are compared by products: a division
// costs more than all the rest, and only a new best takes one.
func partner(low, diag, ki []float64, maxUp, kii, floor float64) part {
	low, diag = low[:len(ki)], diag[:len(ki)]
	best, promise := -1, 0.0
	for j, k := range ki {
		// The square of gᵢ − gⱼ if that is positive. Else v is not positive, and never the best.
		v := maxUp - low[j]
		v *= math.Abs(v)
		c := kii + diag[j] - 2*k
		if c < floor {
			c = floor
		}
		if v > promise*c {
			best, promise = j, v/c
		}
	}
	return part{at: best, most: promise}
}

// update subtracts t(Kᵢ − Kⱼ) from the gradient of some variables, and in the same pass finds the
// next i and the two sides of (E2) among them.
func update(up, low, ki, kj []float64, t float64) part {
	up, low, kj = up[:len(ki)], low[:len(ki)], kj[:len(ki)]
	i, maxUp, minLow := -1, math.Inf(-1), math.Inf(1)
	for k, x := range ki {
		// g − t(Kᵢ − Kⱼ), where infinities stay infinite.
		d := t * (x - kj[k])
		u, l := up[k]-d, low[k]-d
		up[k], low[k] = u, l
		if u > maxUp {
			i, maxUp = k, u
		}
		if l < minLow {
			minLow = l
		}
	}
	return part{i, maxUp, minLow}
}

// join puts the parts of a pass over the active variables together, in the order of the blocks. The
// largest of some numbers does not depend on the order in which they are compared, and sums, which
// would depend on it, are not made. So the result has the same bits on one core and on many.
func (s *solver) join() (at int, most, least float64) {
	at, most, least = -1, math.Inf(-1), math.Inf(1)
	for b := 0; b*blockSize < s.m; b++ {
		// Of equal ones the first counts, whatever core has found it.
		p := s.parts[b]
		if p.at >= 0 && p.most > most {
			at, most = b*blockSize+p.at, p.most
		}
		least = min(least, p.least)
	}
	return at, most, least
}

// subtract subtracts v from the gradient of the active variables, and finds both sides of (E2). If
// v is 0 it only finds them, when the active variables or their bounds have changed.
func (s *solver) subtract(v []float64) {
	// An update of one row, v, without the other.
	none := make([]float64, min(s.m, blockSize))
	s.rows.team.byBlocks(s.m, passCost, func(b, from, to int) {
		s.parts[b] = update(s.up[from:to], s.low[from:to], v[from:to], none, 1)
	})
	s.i, s.maxUp, s.minLow = s.join()
}

// byBlocks calls f for every block of n variables, which are those from … to−1, on several cores if
// that pays for a loop with the given number of multiply-adds for each variable.
func (t *team) byBlocks(n int, cost float64, f func(b, from, to int)) {
	// To tell another core takes some µs. A short loop would only wait for it.
	blocks := (n + blockSize - 1) / blockSize
	if float64(n)*cost >= parallelCost {
		t.do(blocks, func(b int) { f(b, b*blockSize, min((b+1)*blockSize, n)) })
		return
	}
	for b := range blocks {
		f(b, b*blockSize, min((b+1)*blockSize, n))
	}
}

// move adds by to variable k, up to rounding and a bound nearby, and returns how far it has moved.
// The gradient will be updated as if it had moved by t; the difference is drift.
func (s *solver) move(k int, by, t float64) (moved float64) {
	i := s.at[k]
	// At a bound nearby it is put exactly there: half a digit off, it would count as free.
	g, old := s.of(k), s.beta[i]
	near := snapTol * max(math.Abs(old+by), math.Abs(old))
	s.beta[i] = snap(old+by, near, s.d.Lo[i], s.d.Hi[i])
	moved = s.beta[i] - old
	s.drift += s.rowSize(k) * (machineEps*math.Abs(t) + math.Abs(moved-t))
	s.open(k, g)
	return moved
}

// rowSize bounds the entries of row k of a kernel matrix [Kₖⱼ² ≤ KₖₖKⱼⱼ].
func (s *solver) rowSize(k int) float64 {
	return math.Sqrt(math.Abs(s.diag[k])) * math.Sqrt(s.kMax)
}

// # Variables that are set aside
//
// Most variables come to a bound early and stay there. One that can only rise is part of a
// violating pair only if its g exceeds min_low g, and one that can only fall only if its g is below
// max_up g:
//
//	set k aside when   upₖ < min_low g   and   lowₖ > max_up g                          (S2)
//
// If nine variables of ten are set aside, rows and passes are a tenth as long, and ten times as
// many rows fit in memory. But (S2) is a guess: g moves on. So when the active variables satisfy
// (E2), the gradient of the others is updated from its value g° at the point β° where they were set
// aside,
//
//	g = g° − K(β − β°)                                                 [g = p − Kβ]     (S3)
//
// and all are tested. Only the variables that have moved since then cost a row. A run that guesses
// badly pays for these rows again and again. It therefore sets variables aside only now and then,
// and only many at a time. With β° = 0 and g° = p, (S3) computes g from scratch.

// A level is one act of shrinking: m variables were active before it, and those set aside have
// their gradient at beta.
type level struct {
	m    int
	beta []float64
}

// shrink sets aside the active variables that no violating pair contains (S2), if they are many:
// reordering costs a pass over the data.
func (s *solver) shrink() {
	// The new order: first those that stay, then those that go.
	var at, gone []int
	for k := range s.m {
		if s.up[k] < s.minLow && s.low[k] > s.maxUp {
			gone = append(gone, k)
		} else {
			at = append(at, k)
		}
	}
	m := len(at)
	if at = append(at, gone...); float64(len(gone)) < shrinkShare*float64(s.m) {
		return // too few to be worth it
	}
	// Everything that is stored in the present order takes the new one.
	s.aside = append(s.aside, level{s.m, slices.Clone(s.beta)})
	permute(s.at, at)
	for _, v := range [][]float64{s.up, s.low, s.diag} {
		permute(v, at)
	}
	s.rows.permute(at, m)
	s.m = m
	s.subtract(make([]float64, s.m))
}

// unshrink makes all variables active, and brings their gradient up to date, level by level (S3).
func (s *solver) unshrink() {
	for len(s.aside) > 0 {
		l := s.aside[len(s.aside)-1]
		s.aside = s.aside[:len(s.aside)-1]
		// The variables m … l.m−1 have the gradient at l.beta.
		s.subtractRows(s.m, l.m, l.beta)
		s.m = l.m
	}
	s.subtract(make([]float64, s.m))
}

// subtractRows subtracts K(β − before) from the gradient of the variables from … to−1 (S3). The
// sums are compensated: what rounding takes from a sum is gathered beside it.
func (s *solver) subtractRows(from, to int, before []float64) {
	// β − before in the present order, and where it is not 0.
	moved := build(len(s.at), func(k int) float64 { return s.beta[s.at[k]] - before[s.at[k]] })
	which := support(moved)
	rows := float64(len(which))
	// A linear kernel has the sum of many rows at the price of a few.
	sum, lost := make([]float64, to-from), make([]float64, to-from)
	all, ok := s.rows.rows.(interface {
		product(dst, a []float64, from int) bool
	})
	if ok && rows > manyRows && all.product(sum, moved, from) {
		rows = manyRows
	} else {
		// Block by block: the values of rows that are there, and all others computed into memory.
		// These are used at once, and not kept.
		s.rows.team.byBlocks(to-from, rows*s.rows.cost, func(_, lo, hi int) {
			memory := make([]float64, hi-lo)
			for _, k := range which {
				row := memory
				if s.rows.has(k, from+hi) {
					row = s.rows.kept[k].values[from+lo : from+hi]
				} else {
					s.rows.compute(row, k, from+lo)
				}
				axpyExact(sum[lo:hi], lost[lo:hi], moved[k], row)
			}
		})
	}
	s.rows.work += rows * float64(to-from) * (s.rows.cost + 2)
	axpy(sum, 1, lost)
	axpy(s.up[from:to], -1, sum)
	axpy(s.low[from:to], -1, sum)
}

// # Rows that are kept
//
// Rows used last are likely to be used again. But memory is not free: touching a value for the
// first time costs about touchCost multiply-adds in a virtual machine, while a row that does not
// fit is computed again whenever it is needed again, and how often that will be is unknown. So
// memory is bought, slab by slab, when rows that had to go have cost as much as it does: the total
// is then at most about twice what is best in hindsight. One row in four is expected to be needed
// again, and is counted in advance: where a value costs more than 4·touchCost, memory is bought at
// once. Where values are cheap, a run that needs each row once keeps to one slab. A small slab
// stays in the nearest memory, and costs next to nothing.

const (
	touchCost  = 16
	slabRows   = 32
	slabValues = 1 << 14
)

// A rowCache keeps the rows of K that were used last. Its slabs are cut into slots of stride
// values, one for each row.
type rowCache struct {
	rows   Rows
	facts          // what rows report: the cost of a value, and the rounding
	team   *team   // computes them
	work   float64 // multiply-adds of the whole run so far, those for rows and all others
	regret float64 // the part of work, since the last slab, that more memory would have saved

	kept         []keptRow // of each variable with room, in the present order
	slabs        [][]float64
	limit        int   // the most slabs
	slab, stride int   // the lengths of a slab and of a slot
	owners       []int // whose rows have slots
	clock        int   // how many rows have been asked for
	bad          badValue
}

// A keptRow is what is there of a row.
type keptRow struct {
	values []float64 // the first of the row, in a slot; nil if the row has no slot
	used   int       // the time when the row was asked for last; 0 if it never was
}

// A badValue is a pair whose kernel value is not finite, the first in a fixed order that has been
// met.
type badValue struct {
	sync.Mutex
	i, j int // j is −1 if there is none
}

// has reports whether the first m values of row k are there. Rows of variables without room never
// are.
func (c *rowCache) has(k, m int) bool { return k < len(c.kept) && len(c.kept[k].values) >= m }

// get returns the first m values of row k. They stay in place until the cache has been asked for
// four other rows.
func (c *rowCache) get(k, m int) []float64 {
	return c.pass(k, m, 0, func(_, _, _ int, _ []float64) {})
}

// pass does the same, and calls f for every block of the row, from … to−1, as soon as it is there.
// For each value f takes the given number of multiply-adds.
func (c *rowCache) pass(k, m int, cost float64, f func(b, from, to int, row []float64)) []float64 {
	// Memory for the row.
	if m > c.stride {
		c.cut(m) // variables that were set aside are back
	}
	r := &c.kept[k]
	if r.values == nil {
		if r.used > 0 {
			c.regret += c.cost * float64(m) // it had to go
		}
		r.values = c.slot(k)
	}
	c.clock++
	r.used = c.clock

	// A short row that is there is one block, which needs no team.
	known := len(r.values) >= m
	if known && m <= blockSize {
		f(0, 0, m, r.values[:m])
		return r.values[:m]
	}
	if !known {
		r.values = r.values[:m]
		c.work += float64(m) * c.cost
		cost += c.cost
	}
	v := r.values[:m]
	c.team.byBlocks(m, cost, func(b, from, to int) {
		// The values of the block are still in the nearest memory of the core that uses them.
		if !known {
			c.compute(v[from:to], k, from)
		}
		f(b, from, to, v[from:to])
	})
	return v
}

// slot returns a slot for row k.
func (c *rowCache) slot(k int) []float64 {
	// If all slots are taken, more memory is bought, if that is allowed and pays.
	each := c.slab / c.stride
	if len(c.owners) == len(c.slabs)*each && len(c.slabs) < c.limit &&
		(len(c.slabs) == 0 || c.regret >= (touchCost-c.cost/4)*float64(c.slab)) {
		c.slabs, c.regret = append(c.slabs, make([]float64, c.slab)), 0
	}
	// The tail of a slab that is too short for a slot stays unused.
	if s := len(c.owners); s < len(c.slabs)*each {
		c.owners = append(c.owners, k)
		return c.slabs[s/each][s%each*c.stride:][:0:c.stride]
	}
	// Without a free slot the row not used for longest has to go.
	gone := slices.MinFunc(c.owners, func(k, l int) int {
		return cmp.Compare(c.kept[k].used, c.kept[l].used)
	})
	v := c.kept[gone].values[:0]
	c.kept[gone].values, c.owners[slices.Index(c.owners, gone)] = nil, k
	return v
}

// cut empties the cache and sets the length of its slots.
func (c *rowCache) cut(stride int) {
	clear(c.kept)
	c.stride, c.owners = stride, c.owners[:0]
}

// add adds Σ d[a] K_f[a] to dst, the first values of a sum of rows, four rows in a pass.
func (c *rowCache) add(dst, d []float64, f []int) {
	m := len(dst)
	for ; len(f) >= 4; d, f = d[4:], f[4:] {
		a0, a1, a2, a3 := c.get(f[0], m), c.get(f[1], m), c.get(f[2], m), c.get(f[3], m)
		axpy4(dst, d[0], a0, d[1], a1, d[2], a2, d[3], a3)
	}
	for a, k := range f {
		axpy(dst, d[a], c.get(k, m))
	}
}

// compute sets v to the values of row k from … on, and notes what is not finite, whichever worker
// finds it.
func (c *rowCache) compute(v []float64, k, from int) {
	c.rows.Row(v, k, from)
	if j := nonFinite(v); j >= 0 {
		c.bad.Lock()
		if j += from; c.bad.j < 0 || j < c.bad.j || j == c.bad.j && k < c.bad.i {
			c.bad.i, c.bad.j = k, j
		}
		c.bad.Unlock()
	}
}

// permute reorders the first len(at) points, of which only the first m are needed from now on.
func (c *rowCache) permute(at []int, m int) {
	c.rows.Permute(at)
	permute(c.kept, at)
	// If the rows of the first m points would not all fit, shorter slots make room for more.
	if c.slab/c.stride*c.limit < m {
		c.cut(m)
		return
	}
	// The first values take the new order, and those that follow them stay. Rows that are too short
	// lose their values.
	c.owners = c.owners[:0]
	first := make([]float64, len(at))
	for k, r := range c.kept {
		if r.values != nil {
			c.owners = append(c.owners, k)
		}
		if len(r.values) < len(at) {
			c.kept[k].values = r.values[:0]
			continue
		}
		for a, i := range at {
			first[a] = r.values[i]
		}
		copy(r.values, first)
	}
}

// # Newton on the free variables
//
// While the others stay at bounds, the optimum over F is one linear system, the KKT system of B9:
//
//	K_FF δ + λ1 = g_F,  1ᵀδ = 0                  [the gradient after the move is λ on all of F]
//	δ = u − λv,  λ = 1ᵀu/1ᵀv                    [u = K_FF⁻¹g_F, v = K_FF⁻¹1]                  (S4)
//
// SMO solves it two unknowns at a time; the worse K_FF is conditioned, the more steps that takes:
// millions for a linear kernel and a large C. A Cholesky factor of K_FF takes |F|³/6 multiply-adds
// once. Three changes make (S4) robust. Only the first changes what it solves, by very little.
//
//   - A ridge, a diagonal matrix R, is added to K_FF, so that a singular K_FF, as of linear
//     kernels, has a factor, too. If g has a part in the null space, δ is long there, and runs to
//     a bound if there is one.
//   - The origin is moved. Adding aₖ + aₗ to the entries Kₖₗ changes λ alone [1ᵀδ = 0]. So K_FF
//     stands for Kₖₗ − Kₖᵣ − Kᵣₗ + Kᵣᵣ + c, where r is the variable of F with the least Kᵣᵣ, and c
//     is Kᵣᵣ, or a little if that is almost 0: inner products as seen from a point at the distance
//     √c from the image of r, at right angles to all images. Then K need be positive semidefinite
//     only where Σδ = 0, as −‖x − z‖² is.
//   - The middle of (E2) is taken for b and subtracted from g_F, because a large b would drown δ.
//
// When δ leaves the box, only a share θ of it is taken, up to the first bound. No row is needed to
// know the gradient there, for K_FFδ = g_F − λ1 − Rδ by (S4) with the ridge; what the moved origin
// adds is constant on F, and part of λ:
//
//	g_F − θK_FFδ = (1 − θ)g_F + θ(λ1 + Rδ)                                              (S5)
//
// The variable at the bound leaves F, and the factor loses its row and column, by rotations (L3) in
// about |F|² multiply-adds. The system is solved again, until a whole step fits. All these pieces
// are a phase. D rises along every piece [g_Fᵀδ = δᵀ(K_FF + R)δ ≥ δᵀK_FFδ, and θ ≤ 1].
//
// When is a phase due? When the steps since the last phase have cost as much as the next will,
// times a factor called the price: a price of 1 at worst doubles the work. If a phase has raised
// the dual by more for its cost than the steps before it, the price is halved, but not below
// leastPrice: at a lower price steps may set variables free faster than phases take them to bounds.
// Otherwise it doubles, up to 1. If the dual would not rise, the phase is discarded. A phase takes
// at most a quota of variables, three times as many as the last phase left free, and newtonAfter
// more: most of the others would meet bounds.

// Phases are what a run remembers of its phases, and what it knows of the path.
type phases struct {
	since int     // steps since the last
	mark  float64 // the work at its end
	base  float64 // the objective at its end
	price float64 // the steps before the next cost this many times what it will
	quota int     // the most variables that the next takes, at most the following
	most  int     // the most variables for which there is memory for a factor
	ridge float64 // R, as a share of the diagonal after the move of the origin; it never falls
	list  []int   // the free variables when free was last called

	phi  *sparseMatrix // [Φ 1], if there is a path for few features that is not followed yet
	wait float64       // the work of the run after which it is due
}

// phaseCost estimates what a phase would cost for the first free variables, a quota of r: the
// factor, a solve for every twelfth variable and one more, and r rows, computed and added to two
// sums. The cost is infinite where no phase should be: with fewer than two variables, or, if the
// price is 1 or more, where a factor for all free variables has no room in memory.
func (s *solver) phaseCost() float64 {
	all, p := s.free(), &s.newton
	// Two variables make a step. Only phases that have paid before may take part of a set that is
	// too large for a factor.
	if len(all) < 2 || p.price >= 1 && len(all) > p.most {
		return math.Inf(1)
	}
	f := all[:min(len(all), p.quota)]
	// The rows that are not kept.
	r, m, rows := float64(len(f)), float64(s.m), 0.0
	for _, k := range f {
		if !s.rows.has(k, s.m) {
			rows += m * s.rows.cost
		}
	}
	return r*r*r/2 + 4*r*r + 2*r*m + rows
}

// phase moves β as (S4) and (S5) say, if the dual then rises, for those free variables whose cost
// phaseCost has just estimated. It adapts price and quota for the next.
func (s *solver) phase() {
	p := &s.newton
	f := p.list[:min(len(p.list), p.quota)]
	others := len(p.list) - len(f)
	before, work := s.objective, s.rows.work
	// Does the dual rise by the displacement d? [By dᵀ(g − ½Kd).] There may be none.
	d, kd, gain := s.displacement(f), make([]float64, s.m), 0.0
	s.rows.add(kd, d, f[:len(d)])
	for a, v := range d {
		gain += v * (s.up[f[a]] - kd[f[a]]/2)
	}
	s.rows.work += float64(len(d)) * float64(s.m)
	// Then take it.
	if gain > 0 {
		s.steps++
		s.objective += gain
		for a, k := range f {
			s.move(k, d[a], d[a])
		}
		s.subtract(kd)
	}

	// Gain over cost of the phase, and of the steps before it, compared by products.
	if (s.objective-before)*(work-p.mark) > (before-p.base)*(s.rows.work-work) {
		p.price = max(p.price/2, leastPrice)
	} else {
		p.price = min(2*p.price, 1)
	}
	// For the next: of these variables so many are still free.
	p.quota = min(p.most, 3*(len(s.free())-others)+newtonAfter)
	p.since, p.mark, p.base = 0, s.rows.work, s.objective
}

// polish is the last phase. At the limit of rounding it may do worse, as a fresh gradient shows:
// then it is taken back.
func (s *solver) polish(stalled bool) {
	before, violation := slices.Clone(s.beta), s.violation()
	s.phase()
	if !stalled {
		return
	}
	if s.refresh(); !(s.violation() <= violation) {
		s.beta = before
		s.refresh()
	}
}

// displacement returns how far the phase moves the variables f, or nil if even with the largest
// ridge there is no factor.
func (s *solver) displacement(f []int) []float64 {
	factor, ridge := s.factor(f)
	if factor == nil {
		return nil
	}
	// The displacement so far, the gradient there, and the variables that have met no bound.
	moved, g, in := make([]float64, len(f)), pick(s.up, f), upTo[int](len(f))
	for a := range g {
		g[a] -= s.maxUp/2 + s.minLow/2
	}
	for len(in) > 1 {
		// δ of (S4), for the variables in. Its sum is 0 again, in spite of the rounding of large u
		// and v.
		r := float64(len(in))
		u, v := pick(g, in), constant(len(in), 1)
		factor.solve(u)
		factor.solve(v)
		lambda := total(u) / total(v)
		axpy(u, -lambda, v)
		axpy(u, -total(u)/r, constant(len(u), 1))
		s.rows.work += 4 * r * r

		// The share θ of δ that stays in the box, and the variable that ends it.
		theta, stop, room := 1.0, -1, 0.0
		for b, a := range in {
			i := s.at[f[a]]
			all := s.d.Hi[i] - s.beta[i]
			if u[b] < 0 {
				all = s.d.Lo[i] - s.beta[i]
			}
			if t := (all - moved[a]) / u[b]; t < theta {
				theta, stop, room = max(t, 0), b, all
			}
		}
		// The gradient there. The variable that ends the piece is put exactly on its bound.
		for b, a := range in {
			moved[a] += theta * u[b]
			g[a] += theta * (lambda + ridge[a]*u[b] - g[a]) // (S5)
		}
		if stop < 0 {
			break
		}
		moved[in[stop]] = room
		factor = factor.drop(stop)
		in = slices.Delete(in, stop, stop+1)
	}
	return moved
}

// factor returns the factor of K_FF + R, with the origin moved, and R. While there is no factor the
// ridge grows, also for later phases; if there is none at mostRidge, factor returns nil.
func (s *solver) factor(f []int) (triangle, []float64) {
	// Entry kl becomes Kₖₗ − lessₖ − lessₗ. If c were almost 0, v would be so long that u drowns in
	// it.
	p := &s.newton
	r := slices.MinFunc(f, func(k, l int) int { return cmp.Compare(s.diag[k], s.diag[l]) })
	less, far := pick(s.rows.get(r, s.m), f), 0.0
	for a, k := range f {
		less[a] -= s.diag[r] / 2
		far = max(far, s.diag[k]-2*less[a])
	}
	c := max(s.diag[r], leastOffset*cmp.Or(far, s.kMax))
	axpy(less, -0.5, constant(len(f), c))

	ridge, memory := make([]float64, len(f)), make([]float64, len(f)*(len(f)+1)/2)
	for {
		// The upper half of K_FF + R, row by row, and its factor in the same memory.
		u, slab := make(triangle, len(f)), memory
		for a, k := range f {
			u[a], slab = slab[:len(f)-a:len(f)-a], slab[len(f)-a:]
			row := s.rows.get(k, s.m)
			for b, l := range f[a:] {
				u[a][b] = row[l] - (less[a] + less[a+b])
			}
			ridge[a] = p.ridge * u[a][0]
			u[a][0] += ridge[a]
		}
		n := float64(len(f))
		s.rows.work += n * n * n / 6
		if u.factor() < 0 {
			return u, ridge
		}
		if p.ridge == mostRidge {
			return nil, nil
		}
		p.ridge = min(10*p.ridge, mostRidge)
	}
}

// # No hyperplane
//
// Let p = y, s = 0 and 0 ≤ yᵢβᵢ < ∞ (the hard margin), and let ω = Σ⁺β be the sum of the positive
// βᵢ. Then Σβφ/ω is the difference of two points, one in the convex hull of each class, and
//
//	‖Σβφ‖/ω = √(βᵀKβ)/ω ≥ distance of the hulls = 2 · the largest margin                (S6)
//
// Suppose that the hulls meet. Then (E2) fails by at least 2 at every β: for any w some positive
// point lies no higher than some negative one. So the steps do not end, and D grows without bound
// [else they would, by Part I]. As D = 2ω − ½‖Σβφ‖², so does ω ≥ D/2, and once D ≥ 0 the left side
// of (S6) is at most 2/√ω. It falls to 0, and β/ω is the proof. Phases make ω large soon, as their
// steps in the null space of K are long where no bound is ahead. The test is the same for other p,
// if also pᵀβ > 0. Where the run does not start at 0, the displacement since the start takes the
// place of β.

// NotSeparableError carries the proof that no plane separates the classes: Lambda ≥ 0 with sum 1
// over each class, for which Σ yᵢ Lambdaᵢ φ(xᵢ) = 0 to within 1e-7 of Σ Lambdaᵢ ‖φ(xᵢ)‖ (or 2⁻⁵² of
// the longest φ(xᵢ), if that is more). The two convex combinations are then the same point, and it
// lies in both hulls. Lambda has an entry for every point with which the machine was trained, in
// order: for [TrainClassifier], the points of the two classes that the error names.
type NotSeparableError struct {
	Lambda   []float64
	Distance float64 // between the two; below about 10⁻⁸ of the longest φ(xᵢ) it is rounding (D12)
}

// Error says how near the hulls come.
func (e *NotSeparableError) Error() string {
	return fmt.Sprintf("svm: %v: the convex hulls come within %.2g", ErrNotSeparable, e.Distance)
}

// Unwrap returns ErrNotSeparable.
func (e *NotSeparableError) Unwrap() error { return ErrNotSeparable }

// checkHulls recognizes a dual that grows without bound. Let d be the move since the start. If no
// bound is ahead along d, or only for a negligible part of it, d is a ray; scaled to Σ⁺d = 1 it is
// a pair of points, one of each hull, at distance √(dᵀKd)/Σ⁺d by (S6). If they coincide, dᵀKd = 0,
// and along d the dual rises by pᵀd > 0 without end. The objective D° and the gradient g° at the
// start tell dᵀKd, whatever is set aside:
//
//	D(β° + d) = D° + g°ᵀd − ½dᵀKd                               [multiply out; g° = p − Kβ°]
func (s *solver) checkHulls() error {
	// Sums over d: Σ⁺d, Σ|d|‖φ‖, pᵀd, the part that a bound is ahead of, g°ᵀd and its rounding.
	var positive, size, linear, ahead, slope, lost float64
	e := &NotSeparableError{Lambda: make([]float64, len(s.beta))}
	for k, i := range s.at {
		d, g := s.beta[i]-s.start.Beta[i], s.start.grad[i]
		slope += d * g
		lost += machineEps * math.Abs(d*g)
		if d > 0 && !math.IsInf(s.d.Hi[i], 1) || d < 0 && !math.IsInf(s.d.Lo[i], -1) {
			ahead += math.Abs(d)
			continue
		}
		// No bound is ahead: this part of d belongs to the ray.
		positive += max(d, 0)
		size += math.Abs(d) * math.Sqrt(math.Abs(s.diag[k]))
		linear += s.d.P[i] * d
		e.Lambda[i] = math.Abs(d)
	}
	// The squared distance of the two points, and what may be rounding in it: as much as in g°ᵀd
	// for every gain that the objective has added up.
	quad := 2 * (slope - (s.objective - s.start.Objective)) // dᵀKd
	distance2, size2 := quad/positive/positive, size/positive*size/positive
	off2 := 2 * lost * float64(1+s.steps-s.fresh) / positive / positive
	near2 := max(hullTol*hullTol*size2, machineEps*machineEps*s.kMax)
	if !(linear > 0 && ahead <= hullTol*positive && distance2+off2 <= near2) {
		return nil
	}
	// A square that is negative by more than rounding is no distance.
	if distance2+off2 < -indefiniteTol*size2 {
		return fmt.Errorf("svm: %w", ErrIndefinite)
	}
	divide(e.Lambda, positive)
	e.Distance = math.Sqrt(max(0, distance2))
	return e
}

// # Rounding
//
// Kernel values are rounded before the solver sees them, values by columns more than those by Eval.
// The noise of g is what that may do:
//
//	noise = ρ Σⱼ |βⱼ| √(Kⱼⱼ max Kᵢᵢ)              [an entry may be off by ρ√(KᵢᵢKⱼⱼ)]         (S7)
//
// For features in large units and a large C this exceeds any tolerance. It is a property of the
// data, and is reported. Rows by columns are rougher than rows by Eval. So the run goes on with
// rows by Eval once twice the noise exceeds both the violation and the tolerance: then rough rows
// have no more to say.
//
// An example: features near 10⁴ and the linear kernel make K of the order of 10⁸. Each kernel value
// is then off by 10⁻⁸ or so. With |β| = 10³ for a hundred support vectors, g may be off by 10⁻³,
// the usual tolerance. No solver can do better with these kernel values; scaled features cure it.
//
// But for the matrix as it is given, g must be right. So the solver keeps an estimate of the
// rounding that has gathered in g, its drift. It grows most where a step is shorter than the last
// digit of a βᵢ: then g changes, and βᵢ does not. Before a run ends and returns its point, g is
// computed afresh from nothing but β, with compensated sums, if the drift is above a tenth of the
// tolerance; and also on the way, if it is above the violation: then steps follow rounding. When
// many steps show no progress, the run ends, and says so. A g computed afresh may show a larger
// violation than the steps did, so a last phase is taken, unless it makes that worse.

// noise returns (S7).
func (s *solver) noise() (noise float64) {
	for k, i := range s.at {
		noise += s.rows.rough * s.rowSize(k) * math.Abs(s.beta[i])
	}
	return noise
}

// blunt reports whether rows by Eval would be better, and those in use have no more to say.
func (s *solver) blunt() bool {
	return s.exact != nil && 2*s.noise() > max(s.o.Tol, s.violation())
}

// sharpen goes on with rows by Eval.
func (s *solver) sharpen() {
	s.unshrink()
	rows, work := s.exact.open(false), s.rows.work
	s.exact = nil
	s.use(rows)
	s.rows.work += work
}

// stale reports whether rounding is visible in the gradient. A tenth of the tolerance does no harm
// where differences are compared with the tolerance.
func (s *solver) stale() bool { return s.steps > s.fresh && s.drift > s.o.Tol/10 }

// refresh computes the gradient and the objective from nothing but β. For the matrix as it is given
// they are accurate to about the rounding of the results themselves. All variables have to be
// active.
func (s *solver) refresh() {
	for k, i := range s.at {
		s.up[k], s.low[k] = s.d.P[i], s.d.P[i]
	}
	// (S3) with β° = 0 and g° = p. Up to here both arrays hold all of g.
	s.subtractRows(0, len(s.at), make([]float64, len(s.at)))
	s.objective, s.drift, s.fresh = 0, 0, s.steps
	// Now D, the rounding of the results, and each gradient to the arrays where it belongs.
	for k, i := range s.at {
		s.objective += s.beta[i] * (s.d.P[i] + s.up[k]) / 2
		s.drift = max(s.drift, 2*machineEps*(math.Abs(s.d.P[i])+math.Abs(s.up[k])))
		s.open(k, s.up[k])
	}
	s.subtract(make([]float64, s.m))
}

// # Exercises
//
// The solutions are tests, TestExercises in svm_test.go. Don't peek.
//
//  1. Why two variables: what moves of a single one does Σβ = 0 allow? Work through
//     ExampleSMOSteps on paper. Then exchange its last two points: how many steps are there now?
//  2. At β = 0, what is g in the dual of a classifier, and what is the violation, whatever the
//     kernel?
//  3. Have every point twice in the data, and C/2 in place of C. What becomes of f?
