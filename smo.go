// Copyright 2026 The svm authors. All rights reserved.
// Use of this source code is governed by the MIT
// license that can be found in the LICENSE file.

// Sequential minimal optimization.
//
// The problem is the signed dual of qp.go, for a K so large that it cannot be stored: one row of K
// takes n kernel values, O(n · features) time.
//
// Part I is the algorithm as lectures teach it: [SMOSteps], one screen, complete. It moves two
// variables at a time, needs two rows of K for each step, and visits all n variables twice. Part
// II, [SMO], reaches the same point in a fraction of the time. Its sections have one idea each:
// rows that are kept, variables that are set aside, Newton steps on the free variables, and what
// rounding does. A first reader may stop after Part I.
//
//	symbol   meaning                                                Go
//	D        the dual objective                                     Objective
//	g        p − Kβ, the gradient of D                              g; in Part II up and low
//	i, j, t  a step: βᵢ rises by t, βⱼ falls by t                   i, j, t
//	η        Kᵢᵢ + Kⱼⱼ − 2Kᵢⱼ, the curvature of D along a step      curvature
//	F        the free variables, lo < β < hi                        f
//	m        the number of active variables (see Shrinking)         solver.m
//
// References. Platt (1998): the pair. Keerthi et al. (2001): the stopping rule (E2). Fan, Chen and
// Lin (JMLR 2005): the choice of j (S1), by far the most useful paper. Joachims (1999): shrinking.
// Scheinberg (JMLR 2006): factors like (S5).

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
// with its top at t = (gᵢ − gⱼ)/η. The box may end the move sooner:
//
//	t = min((gᵢ − gⱼ)/η, hiᵢ − βᵢ, βⱼ − loⱼ)                                            (E1)
//
// A parabola rises as far as its top. So no step lowers D.
//
// When to stop. Call "up" the variables that may rise (β < hi), and "low" those that may fall (β >
// lo). At a maximum no move gains anything:
//
//	max over up of gᵢ  ≤  min over low of gⱼ                                            (E2)
//
// The converse holds as well. Take any b between the two sides. Then gᵢ ≤ b where β may only rise,
// gᵢ ≥ b where β may only fall, and gᵢ = b where both. These are the KKT conditions (B6), and they
// suffice because D is concave. In floating point the two sides need not meet exactly. The amount
// by which they miss is the violation, a residual of the KKT conditions. The run stops when it is
// at most Tol.
//
// Which two. The variable i of up with the largest g promises the steepest rise. Given i, the best
// partner is not the j with the smallest g, but the j for which the top of the parabola is highest:
//
//	D at the top − D(β) = (gᵢ − gⱼ)²/2η             [t = (gᵢ − gⱼ)/η]                   (S1)
//
// This needs row i of K, which the step needs anyway.
//
// Why the run ends, unless D is unbounded. By (S1) the chosen pair has (gᵢ − gⱼ)²/η ≥ Tol²/η′,
// where η′ is the largest η: the worst pair of (E2) has that much.
//
//	a step to the top gains (gᵢ − gⱼ)²/2η ≥ Tol²/2η′, so there are finitely many of them
//	every step has gᵢ − gⱼ ≥ c for some c > 0, and gains at least tc/2  [t is not past the top]
//	so Σt is finite, and g converges                                     [D is bounded]
//
// Suppose that steps to a bound went on for ever. Of the variables that move infinitely often let a
// have the greatest limit of g. In the end a only rises: when a falls, some i is c above it. So a
// stays in up, whoever rises has the same limit as a, and whoever falls has one at least c lower.
// Nobody does both. But then each step takes a variable to a bound that it never leaves again, and
// there are finitely many variables.

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
	CacheBytes int     // memory for rows of K (at least two) and factors; 0 means 200 MB
	Workers    int     // goroutines that compute rows; 0 means GOMAXPROCS

	// Observe is called every 256 steps or sooner, with what is valid until it returns; false ends
	// the run.
	Observe func(*DualSolution) bool

	// Start is where to begin, made feasible first. A nil one, or one with too much rounding for
	// Tol, means at 0.
	Start []float64

	noNewton, noShrink bool // leave an idea of Part II out, to see what it is worth
}

// A DualSolution is a feasible point of a [Dual]. Let g = P − Kβ, max_up g its maximum where β <
// Hi, min_low g its minimum where β > Lo. For an observer of SMO, both leave out the variables that
// shrinking has set aside.
type DualSolution struct {
	Beta []float64

	// B is the mean gradient of the free variables; with none, the middle of [BLo, BHi], or its
	// finite end, or 0. BLo and BHi are max_up g and min_low g, in ascending order: the KKT
	// conditions allow these b, within Violation.
	B, BLo, BHi float64

	Objective  float64 // Pᵀβ − ½βᵀKβ
	Violation  float64 // max(0, max_up g − min_low g), E2
	Iterations int

	grad     []float64 // p − Kβ at the end of a run, 0 for variables without room
	rounding float64   // how much rounding may be in it
}

// SMOSteps is sequential minimal optimization and nothing else. It yields the starting point, and
// the point after every step, until the violation (E2) is at most o.Tol. The solution is valid
// during the yield; breaking the loop ends the run. A step costs two rows of K and O(n); nothing is
// kept. If d or o are invalid, nothing is yielded: [SMO] has the error.
func SMOSteps(d Dual, o SMOOptions) iter.Seq[*DualSolution] {
	return func(yield func(*DualSolution) bool) {
		n := len(d.P)
		beta, err := o.begin(d)
		if err != nil {
			return
		}
		g, rows, gained := d.Gradient(beta), d.K.Open(), 0.0
		diag, ki, kj := make([]float64, n), make([]float64, n), make([]float64, n)
		rows.Diag(diag)
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
			if sol.Iterations = steps; steps == 0 {
				gained = sol.Objective
			}
			sol.Objective = gained
			if !finite(gained) || !finite(norm1(g)) {
				return // kernel values overflow, or D grows without bound
			}
			if !yield(sol) || sol.Violation <= o.Tol || steps == o.MaxIter {
				return
			}

			// The partner j that promises most (S1). Some j has gⱼ < gᵢ, for the violation is
			// positive.
			rows.Row(ki, i, 0)
			j, best := -1, 0.0
			for k := range n {
				if gap := maxUp - g[k]; beta[k] > d.Lo[k] && gap > 0 {
					if gain := gap * gap / curvatureOf(diag[i], diag[k], ki[k]); gain > best {
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
			eta := curvatureOf(diag[i], diag[j], ki[j])
			roomI, roomJ := d.Hi[i]-beta[i], beta[j]-d.Lo[j]
			t := min((g[i]-g[j])/eta, roomI, roomJ)
			gained += t * (g[i] - g[j] - t*(diag[i]+diag[j]-2*ki[j])/2)
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

// curvatureOf returns η of two points from kii, kjj and kij, but at least a tiny share of kii. Two
// points with the same image have η = 0, and rounding may make η negative: less than the share is
// rounding [η ≥ (√Kᵢᵢ − √Kⱼⱼ)² cancels only where Kⱼⱼ is about as large as Kᵢᵢ]. The step then goes
// to the box, where it belongs, or far towards the box. D still rises, as t is not past the top.
func curvatureOf(kii, kjj, kij float64) float64 {
	return max(kii+kjj-2*kij, curvatureTol*math.Abs(kii), math.SmallestNonzeroFloat64)
}

// begin checks d and o, replaces zeros in o by what they mean, and returns the starting point.
func (o *SMOOptions) begin(d Dual) ([]float64, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	if !(o.Tol >= 0 && o.MaxIter >= 0 && o.CacheBytes >= 0 && o.Workers >= 0) {
		return nil, fmt.Errorf("svm: SMOOptions: Tol %v, MaxIter %d, CacheBytes %d, Workers %d: "+
			"want no negative number", o.Tol, o.MaxIter, o.CacheBytes, o.Workers)
	}
	o.Tol = cmp.Or(o.Tol, 1e-3)
	o.MaxIter = cmp.Or(o.MaxIter, max(10_000_000, 100*len(d.P)))
	o.CacheBytes = cmp.Or(o.CacheBytes, 200<<20)
	return startingPoint(d, o.Start)
}

// startingPoint makes start, or 0, feasible: it moves it into the box, and then one variable after
// another until the sum is right. Each variable that moves may cost a row, so it moves few.
func startingPoint(d Dual, start []float64) ([]float64, error) {
	beta := make([]float64, len(d.P))
	if start != nil {
		if err := fault("Start", start, len(beta), false); err != nil {
			return nil, err
		}
	}
	// Into the box.
	copy(beta, start)
	for i, b := range beta {
		beta[i] = snap(b, snapTol*math.Abs(b), d.Lo[i], d.Hi[i])
	}
	if !off(d, beta) {
		return beta, nil
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
	if start != nil && off(d, beta) {
		return startingPoint(d, nil) // start is so large that its sum was not known well enough
	}
	return beta, nil
}

// off reports whether Σβ overflows, or differs from s by more than the rounding of a sum, as it may
// when β has been much larger.
func off(d Dual, beta []float64) bool {
	excess := math.Abs(total(beta) - d.Sum)
	return !finite(excess) || excess > rounding(beta)
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

// pointOf returns the solution β, whose gradient is g, with b and the objective that belong to it.
func pointOf(d Dual, beta, g []float64, maxUp, minLow float64) *DualSolution {
	sol := &DualSolution{Beta: beta, Violation: max(0, maxUp-minLow),
		BLo: min(maxUp, minLow), BHi: max(maxUp, minLow)}
	sum, count := 0.0, 0.0 // of the gradients of free variables
	for i, b := range beta {
		sol.Objective += b * (d.P[i] + g[i]) / 2 // pᵀβ − ½βᵀKβ, where Kβ = p − g
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
// The cost of Part I is rows and passes. Each section here saves some of it. The figures say how
// many times as long the package's benchmarks take without the idea.
//
//	the pair of second order           1.0 to 1.8    fewer steps
//	a gradient stored twice            1.2 to 1.5    passes without branches
//	variables that are set aside       0.9 to 2.2    shorter rows and passes
//	rows that are kept                 2 to 20       fewer rows
//	Newton on the free variables       2 to 34       far fewer steps
//	Newton in the span of moves        1.0 to 1.4    fewer steps where most variables are free
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
// it may not be even that; perhaps only the gap shows it.
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

	// A run has reached the limit of rounding when this many steps, or this many fresh gradients in
	// a row, have shown no progress.
	stallSteps = 200_000
	vainLimit  = 10

	// A curvature below this share of Kᵢᵢ is rounding, and is raised to it.
	curvatureTol = 1e-12

	// A curvature below minus this share of the largest diagonal entry is not rounding: K is not
	// positive semidefinite.
	indefiniteTol = 1e-9

	// If Kᵢⱼ and Kⱼᵢ differ by more than this share of them and of the largest diagonal entry, K is
	// not symmetric. Single precision is good enough, even for a centered matrix, all of whose
	// entries have the errors of the largest ones.
	asymmetryTol = 1e-5

	// Hulls nearer than this share of Σ λᵢ‖φ(xᵢ)‖, λ = |β|/ω, meet: the squared distance is a
	// difference of sums of K, known no better than that. So do hulls nearer than the rounding of
	// the longest φ(xᵢ).
	hullTol = 1e-7

	// A variable nearer to a bound than this share of its value, before the step or after it, is at
	// the bound.
	snapTol = 16 * machineEps

	// The ridge is leastRidge of the diagonal, little more than rounding. For want of a factor it
	// grows, up to mostRidge.
	leastRidge = 1e-14
	mostRidge  = 1e-3

	// The c of (S5) is at least this share of the largest Kₖₖ − 2Kₖᵣ + Kᵣᵣ.
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

	// An observer is called after so many steps, or after this many multiply-adds, some 10 ms, if
	// the steps take longer.
	showEvery = 256
	showCost  = 1 << 25

	// A row is shared among workers, block by block, if it takes this many multiply-adds, some 20
	// µs. Which values a block has must not depend on the workers, because no result may.
	parallelCost = 1 << 16
	blockSize    = 1 << 11
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
	rows   *rowCache
	seen   seen
	aside  []level // what shrinking has set aside, outermost first
	newton phases
	moves  moves
	hulls  hulls
	record record
	list   []int // memory for free
	steps  int
	work   float64 // multiply-adds spent outside the cache
}

// The gradient is stored twice: as up, with −∞ where β may not rise, and as low, with +∞ where
// β may not fall. Subtracting finite numbers leaves infinities as they are, and they are never the
// maximum or minimum of (E2). So the loops need not test for bounds.
type gradient struct {
	up, low       []float64 // in the present order
	i             int       // argmax up, over the active variables
	maxUp, minLow float64   // the two sides of (E2), over the active variables
	objective     float64
	drift, blur   float64 // how much rounding may have gathered in g and in the objective
	fresh         int     // the number of steps when g was last computed from nothing but β
}

// What a run has seen a run has seen of K beside its rows.
type seen struct {
	kMax       float64 // largest |Kᵢᵢ|, or 1 if that is 0
	indefinite bool    // negative curvature has been met
	asymmetric bool
	i, j       int // where
}

// SMO maximizes the dual d by moving two variables at a time (E1), until no pair violates the KKT
// conditions by more than o.Tol (E2). A step costs O(n) and up to two rows of K, those that are not
// kept from before; a run takes at least one row for every support vector. Memory: the points by
// columns, the rows that pay, a factor, and some 150 bytes a point. No bit of the result depends on
// the workers.
//
// A run that o.MaxIter, o.Observe or rounding ends returns its present point, or the one of least
// gap among those whose gradient it has computed afresh, with an error that wraps
// [ErrNotConverged]; the point is feasible. If K is seen to be indefinite or asymmetric, the point
// comes with [ErrIndefinite], which says what it is worth. This need not be seen, and then the
// point may not be the best: [CheckPSD] tells if K is positive semidefinite. Other errors come
// without a point: [ErrInfeasible], [ErrNotFinite], and [ErrNotSeparable] where an infinite box
// lets the dual grow without bound.
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
	s.bringBack()
	if s.rows.bad.j >= 0 {
		return nil, s.failure()
	}
	sol := s.solution()
	if !errors.Is(err, errObserver) {
		s.show(sol) // so that an observer has seen the end
	}
	return sol, err
}

// newSolver checks d and o and goes to the start.
func newSolver(d Dual, o SMOOptions) (*solver, error) {
	beta, err := o.begin(d)
	if err != nil {
		return nil, err
	}
	n := len(beta)
	s := &solver{d: d, o: o, beta: beta, diag: make([]float64, n),
		gradient: gradient{up: make([]float64, n), low: make([]float64, n)}, record: newRecord()}

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
	rows := d.K.Open()
	if len(fixed) > 0 {
		rows.Permute(s.at)
	}
	// An eighth of the memory is for a factor, the rest for rows.
	s.rows = newRowCache(rows, s.n, o.CacheBytes-o.CacheBytes/8, o.Workers)
	if err := s.readDiagonal(); err != nil {
		return nil, err
	}
	s.refresh()

	// A start where the objective overflows, or where rounding alone may exceed Tol, is worse than
	// 0.
	if o.Start != nil && s.rows.bad.j < 0 && (s.failure() != nil || s.noise() > o.Tol) {
		s.beta, _ = startingPoint(d, nil)
		s.refresh()
	}
	s.setOrigin()
	s.newton = s.newPhases()
	return s, s.failure()
}

// readDiagonal reads the diagonal of K.
func (s *solver) readDiagonal() error {
	s.rows.rows.Diag(s.diag)
	if k := nonFinite(s.diag); k >= 0 {
		return fmt.Errorf("svm: kernel of point %d with itself is %v: %w",
			s.at[k], s.diag[k], ErrNotFinite)
	}
	s.seen = seen{kMax: cmp.Or(largest(s.diag), 1)}
	for _, v := range s.diag {
		s.seen.indefinite = s.seen.indefinite || v < 0
	}
	return nil
}

var errObserver = errors.New("ended by the observer")

// hasSolution reports whether a solution comes with err, which may be nil.
func hasSolution(err error) bool {
	return err == nil || errors.Is(err, ErrNotConverged) || errors.Is(err, ErrIndefinite)
}

// run takes steps until all variables satisfy (E2). At every turn g, i and both sides of (E2) are
// those of β, for the active variables.
func (s *solver) run() error {
	showAt, lookAt := 0, 0 // the numbers of steps at which to show the solution, and to look around
	showWork := 0.0        // the work at which to show it in any case
	for {
		if err := s.failure(); err != nil {
			return err
		}
		if s.steps >= showAt || s.spent() >= showWork && s.steps > showAt-showEvery {
			showAt, showWork = s.steps+showEvery, s.spent()+showCost
			if s.o.Observe != nil && !s.show(s.solution()) {
				return fmt.Errorf("svm: %w after %d steps: %w",
					errObserver, s.steps, ErrNotConverged)
			}
		}
		satisfied := s.violation() <= s.o.Tol
		switch {
		// (E2) holds for the active variables. Before the run ends, it must hold for all, for a
		// gradient that is known well enough, of a matrix that is known well enough.
		case satisfied && s.m < s.n:
			s.unshrink()
		case satisfied && s.blunt():
			s.sharpen()
		case satisfied && s.stale():
			s.renew()
		case satisfied && s.polishPays():
			s.newton.polished = true
			s.phase()
		case satisfied && s.seen.indefinite:
			return fmt.Errorf("svm: %w", ErrIndefinite)
		case satisfied:
			return nil

		// It does not. The run may be at the limit of its rows, of rounding, or of the caller's
		// patience.
		case s.record.stalled(s.n) && s.m < s.n:
			// Progress may need the variables that are set aside.
			s.unshrink()
			s.o.noShrink, s.record.vain = true, 0
		case s.steps >= s.o.MaxIter || s.record.stalled(s.n) || s.record.stale > vainLimit:
			if err := s.giveUp(); err != nil {
				return err
			}

		// Neither is the case. There is a step to take, or something better.
		case s.phasePays():
			s.phase()
		case s.steps >= lookAt:
			lookAt = s.steps + min(s.n, shrinkEvery)
			s.record.note(s.violation(), s.objective, s.noise())
			switch err := s.checkHulls(); {
			case s.blunt() || err != nil && s.canSharpen():
				s.sharpen()
			case err != nil:
				return err
			default:
				s.shrink()
				s.step()
			}
		case s.steps >= s.moves.due:
			s.jump()
		default:
			s.step()
		}
	}
}

// show calls the observer, and returns what the observer does.
func (s *solver) show(sol *DualSolution) bool { return s.o.Observe == nil || s.o.Observe(sol) }

// spent is the work of the whole run so far.
func (s *solver) spent() float64 { return s.work + s.rows.work }

// rise adds gain to the objective.
func (g *gradient) rise(gain float64) {
	g.objective += gain
	g.blur += machineEps * (math.Abs(gain) + math.Abs(g.objective))
}

// violation is the stopping quantity, which is compared with the tolerance (E2).
func (g *gradient) violation() float64 { return max(0, g.maxUp-g.minLow) }

// middle is the middle of (E2). Phases subtract it from g: they need differences, which a large b
// would drown.
func (g *gradient) middle() float64 { return g.maxUp/2 + g.minLow/2 }

// of returns gₖ, which is in up or in low or in both.
func (g *gradient) of(k int) float64 {
	if u := g.up[k]; !math.IsInf(u, -1) {
		return u
	}
	return g.low[k]
}

// scan finds i and the two sides of (E2) among the first m variables.
func (g *gradient) scan(m int) {
	g.i, g.maxUp, g.minLow = -1, math.Inf(-1), math.Inf(1)
	for k, u := range g.up[:m] {
		if u > g.maxUp {
			g.i, g.maxUp = k, u
		}
		if l := g.low[k]; l < g.minLow {
			g.minLow = l
		}
	}
}

// open makes v the gradient of variable k: in up if it may rise, in low if it may fall.
func (s *solver) open(k int, v float64) {
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
	s.list = s.list[:0]
	for k := range s.m {
		if s.up[k] == s.low[k] {
			s.list = append(s.list, k)
		}
	}
	return s.list
}

// failure returns an error if a kernel value or the objective is not finite, or if the last step
// has seen that the matrix is not symmetric.
func (s *solver) failure() error {
	switch {
	case s.rows.bad.j >= 0:
		i, j := s.at[s.rows.bad.i], s.at[s.rows.bad.j]
		return fmt.Errorf("svm: kernel of points %d and %d is not a finite number: %w",
			i, j, ErrNotFinite)
	case s.seen.asymmetric:
		i, j := s.at[s.seen.i], s.at[s.seen.j]
		return fmt.Errorf("svm: kernel of points %d and %d depends on which comes first: %w",
			i, j, ErrIndefinite)
	case finite(s.objective):
		return nil
	case s.steps > 0 && (s.seen.indefinite ||
		math.IsInf(s.objective, 1) && finite(Dot(s.d.P, s.beta))):
		// D is +∞ and pᵀβ is not: so βᵀKβ < 0.
		return fmt.Errorf("svm: the dual grows along negative curvature until it overflows: %w",
			ErrIndefinite)
	default:
		return fmt.Errorf("svm: the dual objective overflows: %w", ErrNotFinite)
	}
}

// # A step
//
// One pass over row i finds the partner, one pass over row j updates the gradient and finds the
// next i and both sides of (E2).

// step moves the pair (i, j) of (S1) by (E1).
func (s *solver) step() {
	// Which two. The parabola along the pair, by (S1).
	i := s.i
	ki := s.rows.get(i, s.m)
	j := s.partner(ki)
	kij := ki[j]
	slope, curvature := s.maxUp-s.low[j], s.diag[i]+s.diag[j]-2*kij
	if curvature < -s.seen.kMax*(indefiniteTol+4*s.rows.rough) {
		s.seen.indefinite = true
	}

	// How far.
	p, q := s.at[i], s.at[j]
	room := min(s.d.Hi[p]-s.beta[p], s.beta[q]-s.d.Lo[q])
	t := min(room, slope/max(curvature, s.leastCurvature(i))) // (E1)
	if s.diag[i] == kij && s.diag[j] == kij && !math.IsInf(room, 1) {
		t = room // two points with one image: along their line D has no top
	}
	s.rise(t * (slope - t*curvature/2))
	s.exchange(i, j, t)
	s.drift += machineEps * math.Abs(s.maxUp)

	// The gradient after the step. Row j, which it needs, tells whether K is symmetric.
	kj := s.rows.get(j, s.m)
	s.update(ki, kj, t)
	if math.Abs(kij-kj[i]) > asymmetryTol*(s.seen.kMax+math.Abs(kij)) {
		s.seen.asymmetric, s.seen.i, s.seen.j = true, i, j
	}
	s.steps++
	s.newton.since++
	s.work += stepCost * float64(s.m)
}

// partner returns the j that promises the largest rise (S1) among those that violate with i, from
// row i. Promises are quotients, but are compared by products: a division costs more than all the
// rest, and only a new best takes one.
func (s *solver) partner(ki []float64) int {
	low, diag := s.low[:len(ki)], s.diag[:len(ki)]
	top, kii, floor := s.maxUp, s.diag[s.i], s.leastCurvature(s.i)
	best, promise := -1, 0.0
	for j, k := range ki {
		// The square of gᵢ − gⱼ if that is positive. Else v is not positive, and never the best.
		v := top - low[j]
		v *= math.Abs(v)
		c := kii + diag[j] - 2*k
		if c < floor {
			c = floor
		}
		if v > promise*c {
			best, promise = j, v/c
		}
	}
	if best < 0 {
		return slices.Index(low, s.minLow) // all squares underflow
	}
	return best
}

// update subtracts t(Kᵢ − Kⱼ) from the gradient and in the same pass finds the next i and the two
// sides of (E2).
func (s *solver) update(ki, kj []float64, t float64) {
	up, low, kj := s.up[:len(ki)], s.low[:len(ki)], kj[:len(ki)]
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
	s.i, s.maxUp, s.minLow = i, maxUp, minLow
}

// exchange moves βᵢ up and βⱼ down by t. The smaller of the two goes first, as its last digit is
// finer; the other moves by just as much as it did, so that Σβ stays what it is.
func (s *solver) exchange(i, j int, t float64) {
	if math.Abs(s.beta[s.at[j]]) < math.Abs(s.beta[s.at[i]]) {
		i, j, t = j, i, -t
	}
	s.move(j, -s.move(i, t, t), -t)
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

// leastCurvature is the floor to which curvatures along i are raised. For polynomials of high
// degree the diagonal spans many decades, but a share of 0 would be no floor.
func (s *solver) leastCurvature(i int) float64 {
	return curvatureTol * max(math.Abs(s.diag[i]), 1e-40*s.seen.kMax)
}

// rowSize bounds the entries of row k of a kernel matrix [Kₖⱼ² ≤ KₖₖKⱼⱼ].
func (s *solver) rowSize(k int) float64 {
	return math.Sqrt(math.Abs(s.diag[k])) * math.Sqrt(s.seen.kMax)
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
	if s.o.noShrink {
		return
	}
	// The new order: from the front those that stay, from the back those that go.
	at, m, end := make([]int, s.m), 0, s.m
	for k := range at {
		if s.up[k] < s.minLow && s.low[k] > s.maxUp {
			end--
			at[end] = k
		} else {
			at[m] = k
			m++
		}
	}
	if float64(s.m-m) < shrinkShare*float64(s.m) {
		return // too few to be worth it
	}
	// Everything that is stored in the present order takes the new one.
	s.aside = append(s.aside, level{s.m, slices.Clone(s.beta)})
	permute(s.at, at)
	for _, v := range [][]float64{s.up, s.low, s.diag} {
		permute(v, at)
	}
	s.rows.permute(at, m)
	s.m, s.moves.count = m, -1
	s.scan(s.m)
}

// permute sets v[k] to the old v[at[k]] for k < len(at).
func permute[T any](v []T, at []int) { copy(v, pick(v, at)) }

// unshrink makes all variables active, and brings their gradient up to date, level by level (S3).
func (s *solver) unshrink() {
	s.moves.count = -1
	for len(s.aside) > 0 {
		l := s.aside[len(s.aside)-1]
		s.aside = s.aside[:len(s.aside)-1]
		// The variables m … l.m−1 have the gradient at l.beta.
		s.subtractRows(s.m, l.m, l.beta, func(sum, _ []float64, c float64, row []float64) {
			axpy(sum, c, row)
		})
		s.m = l.m
	}
	s.scan(s.m)
}

// subtractRows subtracts K(β − before) from the gradient of the variables from … to−1 (S3). The
// function add adds c times a row to sum; it may collect in lost what rounding takes from sum.
func (s *solver) subtractRows(from, to int, before []float64,
	add func(sum, lost []float64, c float64, row []float64)) {
	// β − before in the present order, and how many of its entries are not 0.
	moved, rows := make([]float64, len(s.at)), 0.0
	for k, i := range s.at {
		if moved[k] = s.beta[i] - before[i]; moved[k] != 0 {
			rows++
			s.drift += machineEps * math.Abs(moved[k]) * s.rowSize(k)
		}
	}
	if rows == 0 {
		return
	}
	// Block by block: what is computed of a row is used at once, and not kept.
	parallel(s.o.Workers, (to-from+blockSize-1)/blockSize, func(b int) {
		lo := from + b*blockSize
		hi := min(lo+blockSize, to)
		memory, sum, lost := make([]float64, hi-lo), make([]float64, hi-lo), make([]float64, hi-lo)
		for k, c := range moved {
			if c != 0 {
				add(sum, lost, c, s.rows.peek(k, lo, memory))
			}
		}
		for _, g := range [][]float64{s.up[lo:hi], s.low[lo:hi]} {
			axpy(g, -1, sum)
			axpy(g, -1, lost)
		}
	})
	s.work += rows * float64(to-from) * (s.rows.cost + 2)
}

// # Rows that are kept
//
// Rows used last are likely to be used again. But memory is not free: touching a value for the
// first time costs about touchCost multiply-adds in a virtual machine, while a row that does not
// fit is computed again whenever it is needed again, and how often that will be is unknown. So
// memory is bought, slab by slab, when rows that had to go have cost as much as it does: the total
// is then at most twice what is best in hindsight, and a run that needs each row once keeps to one
// slab. One row in four is expected to be needed again, and is counted in advance.

const (
	touchCost = 16
	slabRows  = 32
)

// A rowCache keeps the rows of K that were used last. Its slabs are cut into slots of stride
// values.
type rowCache struct {
	rows    Rows
	workers int
	rough   float64 // what rows report of their rounding
	sharp   bool    // rows are by Eval, because faster ones were too rough
	cost    float64 // of a value, in multiply-adds
	work    float64 // spent on rows, in multiply-adds
	regret  float64 // the part of work, since the last slab, that more memory would have saved

	slabs        [][]float64
	limit        int // the most slabs
	slab, stride int // the lengths of a slab and of a slot
	slot         []int
	slots        []cacheSlot
	clock        int

	bad badValue
}

// Instead of a slot: the row is not there yet, or no longer.
const absent, evicted = -1, -2

// A cacheSlot has the first size values of the row of its owner, which was asked for last at the
// time used.
type cacheSlot struct{ owner, size, used int }

// A badValue is a pair whose kernel value is not finite, the first in a fixed order that has been
// met.
type badValue struct {
	sync.Mutex
	i, j int // j is −1 if there is none
}

// newRowCache makes a cache for the first n points. It may take the given number of bytes, at least
// two rows and at most all.
func newRowCache(rows Rows, n, bytes, workers int) *rowCache {
	// Slabs of slabRows rows, or of all rows if they are fewer.
	c := &rowCache{rows: rows, workers: workers, rough: factsOf(rows).rough, cost: factsOf(rows).cost,
		slot: make([]int, n), bad: badValue{j: -1}}
	capacity := min(n, max(2, bytes/8/max(n, 1)))
	c.limit = (capacity + slabRows - 1) / slabRows
	c.slab = (capacity + c.limit - 1) / max(1, c.limit) * n
	c.cut(n)
	return c
}

// cut empties the cache and sets the length of its slots.
func (c *rowCache) cut(stride int) {
	c.stride, c.slots = max(1, stride), c.slots[:0]
	for k := range c.slot {
		c.slot[k] = absent
	}
}

// capacity is the number of rows that fit.
func (c *rowCache) capacity() int { return min(len(c.slot), c.slab/c.stride*c.limit) }

// at returns the memory of slot s when slots are stride values long.
func (c *rowCache) at(s, stride int) []float64 {
	each := c.slab / stride
	return c.slabs[s/each][s%each*stride:][:stride]
}

// has reports whether the first m values of row k are there. Rows of variables without room never
// are.
func (c *rowCache) has(k, m int) bool {
	return k < len(c.slot) && c.slot[k] >= 0 && c.slots[c.slot[k]].size >= m
}

// get returns the first m values of row k. They stay in place until the cache has been asked for as
// many other rows as it holds, which is at least one.
func (c *rowCache) get(k, m int) []float64 {
	if m > c.stride {
		c.cut(m) // variables that were set aside are back
	}
	s := c.slot[k]
	if s == evicted {
		c.regret += c.cost * float64(m)
	}
	// Find a slot for the row, if it has none.
	switch {
	case s >= 0:
	case len(c.slots) < len(c.slabs)*(c.slab/c.stride) || c.buy():
		s = len(c.slots)
		c.slots = append(c.slots, cacheSlot{owner: k})
	default:
		// In place of the row that has not been used for longest.
		s = 0
		for t := range c.slots {
			if c.slots[t].used < c.slots[s].used {
				s = t
			}
		}
		c.slot[c.slots[s].owner] = evicted
		c.slots[s] = cacheSlot{owner: k}
	}
	// Compute the row, unless enough of it is there.
	c.slot[k] = s
	c.clock++
	c.slots[s].used = c.clock
	v := c.at(s, c.stride)[:m]
	if c.slots[s].size < m {
		c.slots[s].size = m
		c.work += float64(m) * c.cost
		c.computeRow(v, k)
	}
	return v
}

// buy adds a slab, if that is allowed and pays.
func (c *rowCache) buy() bool {
	if len(c.slabs) == c.limit ||
		len(c.slabs) > 0 && c.regret < (touchCost-c.cost/4)*float64(c.slab) {
		return false
	}
	c.slabs, c.regret = append(c.slabs, make([]float64, c.slab)), 0
	return true
}

// computeRow sets v to the first values of row k, block by block on several cores if that pays.
func (c *rowCache) computeRow(v []float64, k int) {
	if float64(len(v))*c.cost < parallelCost {
		c.compute(v, k, 0)
		return
	}
	parallel(c.workers, (len(v)+blockSize-1)/blockSize, func(b int) {
		from := b * blockSize
		c.compute(v[from:min(from+blockSize, len(v))], k, from)
	})
}

// add adds Σ d[a] K_f[a] to dst, the first values of a sum of rows, four rows in a pass where the
// cache can hold four.
func (c *rowCache) add(dst, d []float64, f []int) {
	m := len(dst)
	for ; len(f) >= 4 && c.capacity() >= 4; d, f = d[4:], f[4:] {
		// The four rows stay in place: the cache holds four at least.
		a0, a1, a2, a3 := c.get(f[0], m), c.get(f[1], m), c.get(f[2], m), c.get(f[3], m)
		axpy4(dst, d[0], a0, d[1], a1, d[2], a2, d[3], a3)
	}
	for a, k := range f {
		axpy(dst, d[a], c.get(k, m))
	}
}

// peek returns len(memory) values of row k, from … on, without changing the cache: those that are
// there, or else computed into memory.
func (c *rowCache) peek(k, from int, memory []float64) []float64 {
	if to := from + len(memory); c.has(k, to) {
		return c.at(c.slot[k], c.stride)[from:to]
	}
	c.compute(memory, k, from)
	return memory
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

// permute reorders the first len(at) points, of which only the first m are needed from now on. If
// the rows of these would not all fit, slots are cut down to m values, which makes room for more.
func (c *rowCache) permute(at []int, m int) {
	c.rows.Permute(at)
	if len(at) > c.stride {
		c.cut(len(at)) // variables that were set aside are back, and no row has all of them
	}
	stride, tmp := c.stride, make([]float64, len(at))
	if c.capacity() < m {
		stride = m
	}
	// In ascending order of slots no slot moves up, so none is overwritten before it has moved.
	for s := range c.slots {
		o := &c.slots[s]
		if v := c.at(s, c.stride); o.size < len(at) {
			o.size = 0 // too short to be reordered
		} else {
			// The first values in the new order, those that fit, and what follows them.
			for k, i := range at {
				tmp[k] = v[i]
			}
			o.size = min(o.size, stride)
			copy(c.at(s, stride)[:o.size], tmp)
			if o.size > len(at) {
				copy(c.at(s, stride)[len(at):o.size], v[len(at):o.size])
			}
		}
	}
	c.stride = stride
	// The owners have new places, too.
	permute(c.slot, at)
	for k, s := range c.slot {
		if s >= 0 {
			c.slots[s].owner = k
		}
	}
}

// sharpen replaces the rows by others, whose points are in the caller's order, and puts these in
// the order at.
func (c *rowCache) sharpen(rows Rows, at []int) {
	rows.Permute(at)
	c.rows, c.rough, c.sharp, c.cost = rows, factsOf(rows).rough, true, factsOf(rows).cost
	c.cut(c.stride)
}

// # Newton on the free variables
//
// While the others stay at bounds, the optimum over F is one linear system, the KKT system of B9:
//
//	K_FF δ + λ1 = g_F,  1ᵀδ = 0                  [the gradient after the move is λ on all of F]
//	δ = u − λv,  λ = 1ᵀu/1ᵀv                    [u = K_FF⁻¹g_F, v = K_FF⁻¹1]                  (S5)
//
// SMO solves it two unknowns at a time; the worse K_FF is conditioned, the more steps that takes:
// millions for a linear kernel and a large C. A Cholesky factor of K_FF takes |F|³/6 multiply-adds
// once. Three changes make (S5) robust. None changes what it solves.
//
//   - A ridge, a diagonal matrix ρ, is added to K_FF, so that a singular K_FF, as of linear
//     kernels, has a factor, too. In the null space δ is then long and runs to a bound.
//   - The origin is moved. Adding aₖ + aₗ to the entries Kₖₗ changes λ alone [1ᵀδ = 0]. So K_FF
//     stands for Kₖₗ − Kₖᵣ − Kᵣₗ + Kᵣᵣ + c, where r has the least Kᵣᵣ: inner products as seen from
//     a point at the distance √c from the image of r, at right angles to all images. Then K need
//     be positive semidefinite only where Σδ = 0, as −‖x − z‖² is.
//   - The middle of (E2) is taken for b and subtracted from g_F, because a large b would drown δ.
//
// When δ leaves the box, only a share θ of it is taken, up to the first bound. No row is needed to
// know the gradient there, for K_FFδ = g_F − λ1 − ρδ by (S5):
//
//	g_F − θK_FFδ = (1 − θ)g_F + θ(λ1 + ρδ)                                              (S6)
//
// The variable at the bound leaves F and the factor, by rotations (L3), |F|² each, and the system
// is solved again, until a whole step fits. This is a phase. D
// rises along every piece [g_Fᵀδ = δᵀ(K_FF + ρ)δ ≥ δᵀK_FFδ, and θ ≤ 1].
//
// When is a phase due? When the steps since the last one have cost "price" times what it will: a
// price of 1 at worst doubles the work. If a phase has raised the dual by more for its cost than
// the steps before it, the price is halved, down to leastPrice: else steps may set variables free
// faster than phases take them to bounds. If by less, the price goes back towards 1 by a factor of
// two. If the dual would not rise, the phase is discarded, and the price doubles. The quota is
// three times as many variables as the last phase left free, and newtonAfter more: most of the
// others would meet bounds.

// Phases are what a run remembers of its phases.
type phases struct {
	since    int     // steps since the last
	mark     float64 // spent() at its end
	base     float64 // the objective at its end
	price    float64 // the steps before the next cost this many times what it will
	quota    int     // the most variables that the next takes
	most     int     // the most variables for which there is memory for a factor
	ridge    float64 // ρ, as a share of the diagonal
	polished bool    // the last phase has been taken
	tri      []float64
}

// newPhases returns the start. At 0 many variables are free that will not stay so.
func (s *solver) newPhases() phases {
	p := phases{base: s.objective, price: 1, quota: s.n, ridge: leastRidge,
		most: int(math.Sqrt(float64(max(leastFactor, s.o.CacheBytes/8)) / 4))} // 4r² bytes for r
	if s.o.Start == nil && len(s.free()) > newtonAfter {
		p.price, p.quota = 0.5, newtonAfter
	}
	return p
}

// phaseCost lists the free variables that a phase would take, and estimates its cost: the factor,
// the rows, a solve for every twelfth variable and one more. There is none while steps gain more
// and the factor of all of K_FF has no room in memory.
func (s *solver) phaseCost() (f []int, others int, cost float64) {
	all := s.free()
	p := &s.newton
	// Two variables make a step. Too many have no factor.
	if s.o.noNewton || len(all) < 2 || p.price >= 1 && len(all) > p.most {
		return nil, 0, math.Inf(1)
	}
	f = all[:min(len(all), p.most, p.quota)]
	// The rows that are not kept. If not all fit, a row has been given up when it is needed again.
	r, m, rows := float64(len(f)), float64(s.m), 0.0
	for _, k := range f {
		if !s.rows.has(k, s.m) {
			rows += m * s.rows.cost
		}
	}
	if len(f) > s.rows.capacity() {
		rows = 2 * r * m * s.rows.cost
	}
	return f, len(all) - len(f), r*r*r/2 + 4*r*r + 2*r*m + rows
}

// phasePays reports, every newtonAfter steps, whether a phase is due.
func (s *solver) phasePays() bool {
	p := &s.newton
	// Estimating the cost is itself a pass over the variables.
	if p.since == 0 || p.since%newtonAfter != 0 {
		return false
	}
	_, _, cost := s.phaseCost()
	return s.spent()-p.mark >= p.price*cost
}

// polishPays reports whether steps since the last phase are worth one more, the last.
func (s *solver) polishPays() bool {
	if s.newton.polished || s.newton.since == 0 || s.steps >= s.o.MaxIter {
		return false
	}
	_, _, cost := s.phaseCost()
	return cost < polishShare*s.spent()
}

// phase moves β as (S5) and (S6) say, if the dual then rises. It adapts price and quota for the
// next.
func (s *solver) phase() {
	// The displacement, and whether D rises by it.
	p := &s.newton
	f, others, _ := s.phaseCost()
	before, work := s.objective, s.spent()
	moved := s.displacement(f)
	switch {
	case moved == nil || !s.accept(f, moved):
		p.price *= 2
	// Gain over cost of the phase, and of the steps before it, compared by products.
	case (s.objective-before)*(work-p.mark) > (before-p.base)*(s.spent()-work):
		p.price = max(p.price/2, leastPrice)
	default:
		p.price = max(min(1, 2*p.price), p.price/2) // nearer to 1
	}
	// For the next: of these variables so many are still free.
	p.quota = 3*(len(s.free())-others) + newtonAfter
	p.since, p.mark, p.base = 0, s.spent(), s.objective
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
		g[a] -= s.middle()
	}
	for len(in) > 1 {
		// δ of (S5), for the variables in. Its sum is 0 again, in spite of the rounding of large u
		// and v.
		r := float64(len(in))
		u, v := pick(g, in), constant(len(in), 1)
		factor.solve(u)
		factor.solve(v)
		lambda := total(u) / total(v)
		axpy(u, -lambda, v)
		axpy(u, -total(u)/r, constant(len(u), 1))
		s.work += 4 * r * r

		// The share θ of δ that stays in the box, and the variable that ends it.
		theta, stop, room := 1.0, -1, 0.0
		for b, a := range in {
			all := s.room(f[a], u[b])
			if t := (all - moved[a]) / u[b]; t < theta {
				theta, stop, room = max(t, 0), b, all
			}
		}
		// The gradient there. The variable that ends the piece is put exactly on its bound.
		for b, a := range in {
			moved[a] += theta * u[b]
			g[a] += theta * (lambda + ridge[a]*u[b] - g[a]) // (S6)
		}
		if stop < 0 {
			break
		}
		moved[in[stop]] = room
		factor = factor.drop(stop)
		in = slices.Delete(in, stop, stop+1)
		s.work += r * r
	}
	return moved
}

// factor returns the factor of K_FF + ρ, with the origin moved, and ρ. The ridge grows until there
// is a factor; at mostRidge it may be nil.
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
	c := max(s.diag[r], leastOffset*cmp.Or(far, s.seen.kMax))
	axpy(less, -0.5, constant(len(f), c))

	ridge, size := make([]float64, len(f)), len(f)*(len(f)+1)/2
	p.tri = sized(p.tri, size)
	for {
		// The upper half of K_FF + ρ, row by row, and its factor in the same memory.
		u := cutTriangle(len(f), p.tri)
		for a, k := range f {
			row := s.rows.get(k, s.m)
			for b, l := range f[a:] {
				u[a][b] = row[l] - (less[a] + less[a+b])
			}
			ridge[a] = p.ridge * u[a][0]
			u[a][0] += ridge[a]
		}
		n := float64(len(f))
		s.work += 2*n*n + n*n*n/6
		if u.factor() < 0 {
			return u, ridge
		}
		if p.ridge == mostRidge {
			return nil, nil
		}
		p.ridge = min(10*p.ridge, mostRidge)
	}
}

// accept moves the variables f by d if the dual then rises [by dᵀ(g − ½Kd)]. The sum of d, which is
// rounding, is first subtracted from the entry for the variable with most room, if it fits there.
func (s *solver) accept(f []int, d []float64) bool {
	// The variable with most room takes the rounding of Σd.
	best, room := 0, 0.0
	for a, k := range f {
		i := s.at[k]
		v := s.beta[i] + d[a]
		if x := min(s.d.Hi[i]-v, v-s.d.Lo[i]); x > room {
			best, room = a, x
		}
	}
	if excess := total(d); math.Abs(excess) < room {
		d[best] -= excess
	}
	kd := make([]float64, s.m)
	s.rows.add(kd, d, f)
	s.work += float64(len(f)) * float64(s.m)
	return s.take(f, d, kd)
}

// take moves the variables f by d if the dual then rises. Over the active variables, kd is Kd.
func (s *solver) take(f []int, d, kd []float64) bool {
	gain := 0.0
	for a, k := range f {
		gain += d[a] * (s.up[k] - kd[k]/2)
	}
	if !(gain > 0) {
		return false
	}
	// Take it. Infinities in up and low stay infinite.
	s.steps++
	s.rise(gain)
	for a, k := range f {
		s.move(k, d[a], d[a])
	}
	axpy(s.up[:s.m], -1, kd)
	axpy(s.low[:s.m], -1, kd)
	s.scan(s.m)
	return true
}

// # Newton in the span of the last moves
//
// Where |F| is large a factor is dear. But some products with K come for nothing: between two
// points of the run, a move μ apart, g has changed by −Kμ (S3). Note a move now and then. Let the
// last ones be the columns of M, and Q = KM. Put δ = Mc into (S5) and multiply by Mᵀ. The
// multiplier λ drops out, because every move keeps the sum. There are then as many unknowns as
// moves:
//
//	Ac = r,   A = MᵀQ,  r = Mᵀg                          [the top of D over the span]      (S7)
//
// Where D curves little a run is slow, and successive moves go in similar directions. The span sees
// how far these lead, for the work of a few steps. It helps where most variables are free: a third
// to a half of the steps go.

const (
	// A span has spanMoves moves. Each takes 1/spanShare of a sweep, which is a step for every free
	// variable, or spanAfter steps if that is more. A factor is dear when a phase costs more than
	// dearSweeps sweeps.
	spanMoves  = 8
	spanShare  = 16
	spanAfter  = 100
	dearSweeps = 4

	// The diagonal of A is raised by this share, so that two moves in one direction leave A
	// regular.
	spanRidge = 1e-10
)

// Moves are the last moves of a run, over the active variables in the present order.
type moves struct {
	due     int                  // the number of steps at which to jump next
	count   int                  // how many there were, or −1 if no start of the next is known
	beta, g []float64            // where the next one starts
	d, q    [spanMoves][]float64 // the columns of M and Q
}

// jump notes the move since the last call, and leaps from there.
func (s *solver) jump() {
	v, f := &s.moves, s.free()
	v.due = s.steps + max(spanAfter, len(f)/spanShare)
	_, _, cost := s.phaseCost()
	if len(f) < 2 || cost < dearSweeps*stepCost*float64(len(f))*float64(s.m) {
		v.count = -1
		return
	}
	if v.count >= 0 {
		// The move, in the place of the oldest, and K times the move.
		l := v.count % spanMoves
		v.d[l], v.q[l] = sized(v.d[l], s.m), sized(v.q[l], s.m)
		for k, i := range s.at[:s.m] {
			v.d[l][k], v.q[l][k] = s.beta[i]-v.beta[k], v.g[k]-s.of(k) // (S3)
		}
		v.count++
		s.leap(f)
	}
	// The next move starts here.
	v.count, v.beta, v.g = max(v.count, 0), sized(v.beta, s.m), sized(v.g, s.m)
	for k, i := range s.at[:s.m] {
		v.beta[k], v.g[k] = s.beta[i], s.of(k)
	}
}

// leap goes to the maximum over the span (S7), or as far as the box allows.
func (s *solver) leap(f []int) {
	// A move of a variable that is now at a bound leads out of the box: the series begins anew.
	v := &s.moves
	n := min(v.count, spanMoves)
	for k := range s.m {
		for _, d := range v.d[:n] {
			if s.up[k] != s.low[k] && d[k] != 0 {
				v.count = 0
				return
			}
		}
	}

	// A, its factor, and c.
	a, c := newTriangle(n), make([]float64, n)
	for i, row := range a {
		for j := range row {
			row[j] = Dot(v.d[i], v.q[i+j])
		}
		row[0] *= 1 + spanRidge
		for _, k := range f {
			c[i] += v.d[i][k] * (s.up[k] - s.middle())
		}
	}
	if a.factor() >= 0 {
		return // rounding, or K is indefinite
	}
	a.solve(c)

	// δ, Kδ, and the share of them that stays in the box.
	step, kd := make([]float64, s.m), make([]float64, s.m)
	for l := range n {
		axpy(step, c[l], v.d[l])
		axpy(kd, c[l], v.q[l])
	}
	d, theta := pick(step, f), 1.0
	for b, k := range f {
		if room := s.room(k, d[b]); d[b] != 0 {
			theta = min(theta, max(0, room/d[b]))
		}
	}
	for _, x := range [][]float64{d, kd} {
		for k := range x {
			x[k] *= theta
		}
	}
	s.work += float64((n*n/2 + 3*n) * s.m)
	s.take(f, d, kd)
}

// room returns how far variable k is from the bound in the direction of d.
func (s *solver) room(k int, d float64) float64 {
	i := s.at[k]
	if d < 0 {
		return s.d.Lo[i] - s.beta[i]
	}
	return s.d.Hi[i] - s.beta[i]
}

// sized returns a slice of n numbers, in the memory of x if they fit there.
func sized(x []float64, n int) []float64 { return slices.Grow(x[:0], n)[:n] }

// # No hyperplane
//
// With infinite bounds, p = y and s = 0 (the hard margin), let ω = Σ⁺β be the sum of the positive
// βᵢ. Then Σβφ/ω is the difference of two points, one in the convex hull of each class, and
//
//	‖Σβφ‖/ω = √(βᵀKβ)/ω ≥ distance of the hulls = 2 · the largest margin                (S8)
//
// Suppose that the hulls meet. Then (E2) fails by at least 2 at every β: for any w some positive
// point lies no higher than some negative one. So the steps do not end, and D grows without bound.
// As D = 2ω − ½‖Σβφ‖², so does ω ≥ D/2, and once D ≥ 0 the left side of (S8) is at most 2/√ω. It
// falls to 0, and β/ω is the proof. Newton gets there at once, as its steps in the null space then
// have no bound. The test is the same for other p, if also pᵀβ > 0. Where s ≠ 0, or a variable
// without room is not 0, the displacement since the start takes the place of β.

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

// Hulls are where checkHulls begins: both nil if all Lo or all Hi are finite.
type hulls struct {
	origin []float64 // the β from which it measures
	pull   []float64 // the gradient there; both in the caller's order
}

// setOrigin sets the point from which checkHulls measures β, if the box lets the dual grow without
// bound: 0, or the start if 0 has another sum or is not feasible for the variables without room.
func (s *solver) setOrigin() {
	infinite := func(x float64) bool { return math.IsInf(x, 0) }
	if !slices.ContainsFunc(s.d.Lo, infinite) || !slices.ContainsFunc(s.d.Hi, infinite) {
		return
	}
	// At 0 the gradient is p.
	s.hulls = hulls{make([]float64, len(s.beta)), s.d.P}
	if s.d.Sum != 0 || slices.ContainsFunc(s.at[s.n:], func(i int) bool { return s.beta[i] != 0 }) {
		s.hulls = hulls{slices.Clone(s.beta), s.solution().grad}
	}
}

// checkHulls recognizes a dual that grows without bound. Let d be β − origin. If no bound is ahead
// along d, or only for a negligible part of it, d is a ray; scaled to Σ⁺d = 1 it is a pair of
// points, one of each hull, at distance √(dᵀKd)/Σ⁺d by (S8). If they coincide, dᵀKd = 0, and along
// d the dual rises by pᵀd > 0 without end.
func (s *solver) checkHulls() error {
	h := s.hulls
	if h.origin == nil {
		return nil
	}
	// Sums over d: Σ⁺d, Σ|d|‖φ‖, dᵀKd, pᵀd, the part that a bound is ahead of. The rounding in dᵀKd
	// is about ε times lost.
	var positive, size, quad, linear, ahead, lost float64
	e := &NotSeparableError{Lambda: make([]float64, len(s.beta))}
	for k, i := range s.at {
		d := s.beta[i] - h.origin[i]
		if d == 0 {
			continue
		}
		if k < s.m {
			// The gradient of the others is out of date. It is brought up to date below.
			g := s.of(k)
			quad += d * (h.pull[i] - g) // (S3)
			lost += math.Abs(d) * (math.Abs(h.pull[i]) + math.Abs(g))
		}
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
	// The squared distance of the two points, and what may be rounding in it.
	distance2, size2 := quad/positive/positive, size/positive*size/positive
	near2 := max(hullTol*hullTol*size2, machineEps*machineEps*s.seen.kMax)
	if !(linear > 0 && ahead <= hullTol*positive &&
		distance2+machineEps*(lost/positive)/positive <= near2) {
		return nil
	}
	// So it seems. With the gradient of all variables it must still be so.
	if s.m < s.n {
		s.unshrink()
		return s.checkHulls()
	}
	// A square that is negative by more than rounding is no distance [Σ|d| is 2·positive].
	if distance2+2*s.drift/positive < -indefiniteTol*size2 {
		return fmt.Errorf("svm: %w", ErrIndefinite)
	}
	divide(e.Lambda, positive)
	e.Distance = math.Sqrt(max(0, distance2))
	return e
}

// # Rounding
//
// Kernel values are rounded before the solver sees them, by columns more than by Eval. The noise of
// g is what that may do:
//
//	noise = ρ Σⱼ |βⱼ| √(Kⱼⱼ max Kᵢᵢ)              [an entry may be off by ρ√(KᵢᵢKⱼⱼ)]         (S9)
//
// For features in large units and a large C this exceeds any tolerance. It is a property of the
// data, and is reported. Where rows by Eval are better, the run goes on with these once the noise
// is as large as the violation and the tolerance: then rough rows have no more to say.
//
// An example: features near 10⁴ and the linear kernel make K of the order of 10⁸. Each kernel value
// is then off by 10⁻⁸ or so. With |β| = 10³ for a hundred support vectors, g may be off by 10⁻³,
// the usual tolerance. No solver can do better with these kernel values; scaled features cure it.
//
// But for the matrix as it is given, g must be right. So the solver keeps an estimate of the
// rounding that has gathered in g, its drift. Before a run ends or a point is returned, g is
// computed afresh from nothing but β, with compensated sums, if the drift is above a tenth of the
// tolerance. When many steps or fresh gradients show no progress, the run goes back to the point of
// least gap among those with a fresh g, ends, and says so.

// A record is how far a run has come.
type record struct {
	violation, objective float64   // the least and the largest so far
	vain                 int       // how many looks in a row found neither a lower nor a higher one
	best                 []float64 // β of least gap by a fresh gradient
	gap                  float64   // the gap there
	stale                int       // how many fresh gradients in a row have not lowered the gap
}

func newRecord() record {
	return record{violation: math.Inf(1), objective: math.Inf(-1), gap: math.Inf(1)}
}

// note takes a look. Once the least violation is within the noise, only the violation counts. (The
// violation of the moment may be far above the least: steps along a bound take it up and down.)
func (r *record) note(violation, objective, noise float64) {
	lower, higher := violation < 0.9*r.violation, objective > r.objective && r.violation > noise
	r.vain++
	if lower || higher {
		r.violation, r.objective = min(r.violation, violation), max(r.objective, objective)
		r.vain = 0
	}
}

// stalled reports whether there has been no progress for more than stallSteps steps.
func (r *record) stalled(n int) bool { return r.vain*min(n, shrinkEvery) > stallSteps }

// noise returns (S9).
func (s *solver) noise() (noise float64) {
	for k, i := range s.at {
		noise += s.rows.rough * s.rowSize(k) * math.Abs(s.beta[i])
	}
	return noise
}

// canSharpen reports whether Eval has better rows than these.
func (s *solver) canSharpen() bool {
	_, ok := s.d.K.(exactGram)
	return ok && s.rows.rough > 2*machineEps && !s.rows.sharp
}

// blunt reports whether, moreover, these rows have no more to say.
func (s *solver) blunt() bool {
	return s.canSharpen() && 2*s.noise() > max(s.o.Tol, s.violation())
}

// sharpen goes on with rows by Eval. What has been seen of the matrix and of the progress was that
// of another one.
func (s *solver) sharpen() {
	// All rows are replaced, the diagonal is read again, and g is computed from β.
	s.unshrink()
	s.rows.sharpen(s.d.K.(exactGram).exact(), s.at)
	if s.readDiagonal() == nil {
		s.newton.polished, s.record = false, newRecord()
		s.refresh()
	}
}

// stale reports whether Σβ is off, or rounding is visible: in the gradient beside the tolerance, in
// the objective beside what a violation of the tolerance may be worth [D* − D ≤ gᵀ(β* − β) ≤
// violation · Σ(β* − β)⁺].
func (s *solver) stale() bool {
	visible := s.o.Tol / 10 // less does no harm where differences are compared with Tol
	return s.steps > s.fresh &&
		(s.drift > visible || s.blur > visible*norm1(s.beta) || off(s.d, s.beta))
}

// refresh computes the gradient and the objective from nothing but β. For the matrix as it is given
// they are accurate to about the rounding of the results themselves.
func (s *solver) refresh() {
	for k, i := range s.at {
		s.up[k], s.low[k] = s.d.P[i], s.d.P[i]
	}
	// (S3) with β° = 0 and g° = p. Up to here both arrays hold all of g.
	s.subtractRows(0, len(s.at), make([]float64, len(s.at)), axpyExact)
	s.objective, s.drift, s.blur, s.fresh, s.moves.count = 0, 0, 0, s.steps, -1
	for k, i := range s.at {
		s.rise(s.beta[i] * (s.d.P[i] + s.up[k]) / 2)
		s.drift = max(s.drift, 2*machineEps*(math.Abs(s.d.P[i])+math.Abs(s.up[k])))
		s.open(k, s.up[k])
	}
	s.scan(s.m)
}

// renew mends Σβ, computes the gradient afresh, and notes whether the gap has fallen since the last
// fresh one. All variables have to be active.
func (s *solver) renew() {
	// Σβ is mended as a start is.
	if off(s.d, s.beta) {
		s.beta, _ = startingPoint(s.d, s.beta)
	}
	s.refresh()
	// Is the gap lower than at every fresh gradient before?
	s.record.stale++
	if gap := s.gap(); gap < s.record.gap {
		s.record.best, s.record.gap, s.record.stale = slices.Clone(s.beta), gap, 0
	}
}

// gap returns the duality gap with the middle of (E2) for b: (gᵢ − b)(hiᵢ − βᵢ) for every gᵢ > b,
// (gᵢ − b)(loᵢ − βᵢ) for every gᵢ < b [the multipliers |gᵢ − b| of the bounds, times how far β is
// from them]. All variables have to be active.
func (s *solver) gap() (sum float64) {
	b := s.middle()
	for k, i := range s.at[:s.n] {
		// Infinities have the sign that counts for nothing.
		if up := s.up[k] - b; up > 0 {
			sum += up * (s.d.Hi[i] - s.beta[i])
		}
		if low := b - s.low[k]; low > 0 {
			sum += low * (s.beta[i] - s.d.Lo[i])
		}
	}
	return sum
}

// bringBack makes all variables active, with a gradient that is not stale.
func (s *solver) bringBack() {
	if s.unshrink(); s.stale() {
		s.renew()
	}
}

// giveUp goes back to the best point that had a fresh gradient, if rounding has led away from it.
// The error says how far that is from the optimum. It is nil if only rounding had hidden that (E2)
// holds, or if there are better rows to go on with.
func (s *solver) giveUp() error {
	// Better rows may help, if there is time for them.
	s.bringBack()
	if s.steps < s.o.MaxIter && s.canSharpen() {
		s.sharpen()
		return nil
	}
	// The best point is the one of least gap. There (E2) may hold.
	if s.record.best != nil && s.gap() > s.record.gap {
		copy(s.beta, s.record.best)
		s.refresh()
	}
	if s.violation() <= s.o.Tol {
		return nil
	}
	// Say how far it is, and whether the data are to blame.
	cause := ""
	if noise := s.noise(); noise > s.o.Tol {
		cause = fmt.Sprintf(" (rounding of kernel values may make %.2g of it)", noise)
	}
	return fmt.Errorf("svm: KKT violation %.3g after %d steps, want %.3g%s: %w",
		s.violation(), s.steps, s.o.Tol, cause, ErrNotConverged)
}
