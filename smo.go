// Copyright 2026 The svm authors. All rights reserved.
// Use of this source code is governed by the MIT
// license that can be found in the LICENSE file.

// Sequential minimal optimisation.
//
// The problem is the signed dual of qp.go,
//
//	maximise D(β) = pᵀβ − ½βᵀKβ   subject to   loᵢ ≤ βᵢ ≤ hiᵢ,  Σβᵢ = s           (S1)
//
// for a K so large that it cannot be stored. One row of K takes n kernel values, O(n · features) time. A step changes
// two variables; it needs two rows, and everything else in it is O(n).
//
//	symbol   meaning                                                Go
//	g        p − Kβ, the gradient of D                              up, low (see below)
//	i, j, t  a step: βᵢ rises by t, βⱼ falls by t                   step
//	F        the free variables, lo < β < hi                        f
//	m        the number of active variables (see Shrinking)         solver.m
//
// When to stop. Let U be the set of variables that may rise (β < hi), and L the set of those that may fall (β > lo).
// Moving t > 0 from j ∈ L to i ∈ U keeps Σβ and changes D at the rate gᵢ − gⱼ. At an optimum no such rate is positive:
//
//	max_{i∈U} gᵢ ≤ min_{j∈L} gⱼ                                                   (E2)
//
// Conversely, if (E2) holds, any b between the two sides satisfies the KKT conditions: gᵢ ≤ b where β may only rise,
// gᵢ ≥ b where it may only fall, gᵢ = b on F [F lies in both sets]; the multipliers of the bounds are |gᵢ − b|. As D is
// concave, that suffices. The stopping quantity is the violation max_U g − min_L g, twice the KKT residual for the best
// b. So that the loops need not test for membership, g is stored twice: as up, with −∞ outside U, and as low, with +∞
// outside L. Subtracting finite numbers leaves infinities as they are, and they are never that maximum or minimum.
//
// How far. Along the pair D is a parabola in t:
//
//	D(β + t(eᵢ − eⱼ)) = D(β) + t(gᵢ − gⱼ) − ½t²η,   η = Kᵢᵢ + Kⱼⱼ − 2Kᵢⱼ          (S2)
//
// [η = ‖φ(xᵢ) − φ(xⱼ)‖² ≥ 0]. Its top is at t = (gᵢ − gⱼ)/η. Up to its top a parabola rises, so the step to the top,
// clipped to the box, never lowers D. It keeps Σβ and the box:
//
//	t = min((gᵢ − gⱼ)/η, hiᵢ − βᵢ, βⱼ − loⱼ)                                      (E1)
//	g ← g − t(K_·i − K_·j)                                                        (S3)
//
// Where η is negative, or no more than rounding, a small positive number replaces it, and t is large or goes to the
// box. D still rises [t ≤ (gᵢ − gⱼ)/η, clipped or not; if η ≤ 0 there is no top]. Two points with the same image,
// Kᵢᵢ = Kⱼⱼ = Kᵢⱼ, go to the box at once if it is finite [their parabola is a line; the small number may stop short].
//
// Which pair. i has the largest gradient in U; j promises the largest rise of the unclipped parabola:
//
//	i = argmax_U g                                                                (S4)
//	j = argmax {(gᵢ − gⱼ)²/ηᵢⱼ : j ∈ L, gⱼ < gᵢ}                                  (S5)
//
// [the top of (S2) is (gᵢ − gⱼ)²/2η above D(β)]. (S5) reads Kᵢ·, which the step needs; (S3), (S4), (E2) are one pass.
//
// With a tolerance above 0 these steps alone end, unless D is unbounded. By (S5), (gᵢ − gⱼ)²/η ≥ tol²/η_max, η_max the
// largest η [the worst pair has that much]. So a step that is not clipped gains at least tol²/2η_max; as η has a floor,
// every step has gᵢ − gⱼ ≥ c for some c > 0, and gains at least tc/2 [t is not past the top]. Suppose D is bounded and
// the steps never end. Then only finitely many are not clipped, Σt is finite, and g converges. Of the variables that
// move infinitely often let a have the greatest limit of g. In the end a only rises [when it falls, i is c above it],
// so it stays in U. So, by (S4), whoever rises has the same limit, and whoever falls one at least c lower: nobody does
// both. But then each clipped step takes a variable to a bound that it never leaves, and these are finitely many.
//
// Shrinking. Most variables come to a bound early and stay there. One that can only rise is part of a violating pair
// only if its g exceeds min_L g, and one that can only fall only if its g is below max_U g:
//
//	set k aside when   upₖ < min_L g   and   lowₖ > max_U g                       (S6)
//
// Rows, passes and (if memory is short) cache entries are then m values long. It is a guess: when the active variables
// satisfy (E2), the gradient of the others is updated from its value g° at the point β° where they were set aside,
//
//	g = g° − K(β − β°)                                                            (S7)
//
// and all are tested. Cached rows of full length serve again. Reordering costs a pass over the data, so it waits until
// a fifth of the active can go. (S7) has other uses. With β° = 0 and g° = p it computes g from scratch; with the end of
// another run for β°, g at the start of this one. Read backwards it gives K(β − β°) for nothing, in (S9) and (S11).
//
// Newton. While the others stay at bounds, the optimum over F is one linear system, the KKT system of qp.go's B9:
//
//	K_FF δ + λ1 = g_F,  1ᵀδ = 0     hence     δ = u − λv,  u = K_FF⁻¹g_F,  v = K_FF⁻¹1,  λ = 1ᵀu/1ᵀv     (S8)
//
// SMO solves it two unknowns at a time; the worse K_FF is conditioned, the more steps that takes: millions for a linear
// kernel and a large C. Factoring K_FF takes |F|³/6 once. A ridge, the diagonal matrix ρ, is added so that a singular
// K_FF, as of linear kernels, has a factor too; δ is then long in the null space and runs to a bound, as it should.
// Where K is known to few digits only, or is not positive semidefinite, there may still be no factor; then ρ grows.
//
// The origin is moved first. Adding numbers aₖ + aₗ to the entries Kₖₗ changes λ alone [1ᵀδ = 0]. So K_FF stands for
// Kₖₗ − Kₖᵣ − Kᵣₗ + Kᵣᵣ + c, where r has the least Kᵣᵣ: these are inner products as seen from a point at the distance
// √c from the image of r, at right angles to all images. (c is Kᵣᵣ, or a small number if that is larger.) Then K need
// be positive semidefinite only where Σδ = 0, as −‖x − z‖² is; and column r is c1, so if K_FF is regular, v = eᵣ/c and
// λ moves r alone. The middle of (E2) is taken for b and subtracted from g_F, because a large b would drown δ.
//
// The path bends at bounds (Bertsekas). A variable k that meets one stops: uₖ and vₖ become 0, and the others go on
// along u − λv, with λ from what is left of u and v. Each piece ends at a bound, where D stops rising, or at its full
// length. To find where, K_FF u and K_FF v are kept up: at first they are g_F − ρu and 1 − ρv, and when k stops they
// lose uₖ and vₖ times row k of K_FF. The last piece meets no bound, or is the last along which D rises, or stops r,
// after which nothing is left of v if K_FF is regular. Those that have stopped then leave F and the factor (by
// rotations, |F|² each, or anew), and all begins again, until a whole step fits: this is a phase. D rises along every
// piece, and along the first to its full length [g_Fᵀδ = δᵀ(K_FF + ρ)δ ≥ δᵀK_FFδ]. When a phase is due, and what does
// part of its work where a factor is dear (S11), is told below.
//
// No hyperplane. With infinite bounds, p = y and s = 0 (the hard margin), let ω = Σ⁺β be the sum of the positive βᵢ.
// Then Σβφ/ω is the difference of two points, one in the convex hull of each class, and
//
//	‖Σβφ‖/ω = √(βᵀKβ)/ω ≥ distance of the hulls = 2 · the largest margin          (S9)
//
// If the hulls meet, (E2) fails by at least 2 at every β [for any w some positive point lies no higher than some
// negative one], so the steps do not end, and D grows without bound. As D = 2ω − ½‖Σβφ‖², so does ω ≥ D/2, and once
// D ≥ 0 the left side of (S9) is at most 2/√ω: it falls to 0, and β/ω is the proof. Newton gets there at once, as its
// steps in the null space then have no bound. The test is the same for other p, if also pᵀβ > 0; where s ≠ 0, or a
// variable without room is not 0, the displacement since the start takes the place of β.
//
// Cost. A step takes O(m) and up to two rows; a run takes at least one row for every support vector, nSV·n kernel
// values. Memory: the points by columns, as much cache as pays, a factor, and some 150 bytes a point, with spans 370,
// and 8 more for each act of shrinking. No sum's order depends on the workers, and so no bit of the result does.
//
// What can go wrong. Kernel values are rounded before the solver sees them. That changes g by up to ε Σⱼ |βⱼ|
// √(KⱼⱼKᵢᵢ): with features in large units and a large C, by more than any tolerance. It is a property of the data, and
// is reported. But for the matrix as it is given, g must be right. So the solver keeps an estimate of the rounding in
// g, its drift. Before a run ends or a point is returned, g is computed afresh, with compensated sums, if the drift is
// above a tenth of the tolerance; in the midst of a run, if it is so far above the violation that steps may lead
// anywhere (this at most about doubles the work). When many steps or fresh gradients show no progress (within the
// rounding of kernel values, only a lower violation is progress), the run goes back to the point of least gap among
// those with a fresh g, ends, and says so; after MaxIter steps, too. (Σβ − s needs less care: a later step mends it.)
//
// References. Platt (1998): the pair; Keerthi et al. (2001): the stopping rule (E2); Fan, Chen and Lin (JMLR 2005):
// (S5), by far the most useful paper; Joachims (1999): shrinking; Scheinberg (JMLR 2006): factors like (S8); Bertsekas
// (1982): the bent path; Schölkopf (2000): kernels like −‖x − z‖²; Bertrand and Massias (AISTATS 2021): spans.

package svm

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"math"
	"reflect"
	"slices"
	"sync"
)

// ErrNotSeparable reports a hard margin that does not exist: the convex hulls of the two classes meet, or come so near
// that rounding hides the difference. The error that wraps it is a *[NotSeparableError], which shows where.
var ErrNotSeparable = errors.New("the classes are not separable")

// ErrIndefinite reports a matrix that is not a kernel matrix: it has negative curvature, or is not symmetric. The
// solution that comes with it is stationary, perhaps not optimal. Where the matrix is not symmetric, or an infinite box
// lets the dual grow without bound along negative curvature, it may not be even that; perhaps only the gap shows it.
//
// A negative Kᵢᵢ counts as negative curvature, too. But Σβ is fixed, so a constant added to all of K changes no solution:
// kernels such as −√(1 + ‖x − z‖²) or x·z − 1 have an optimum. To find it, add a constant that makes the diagonal ≥ 0.
var ErrIndefinite = errors.New("the kernel matrix is not positive semidefinite")

// NotSeparableError carries the proof that no plane separates the classes: Lambda ≥ 0 with sum 1 over each class, for
// which Σ yᵢ Lambdaᵢ φ(xᵢ) = 0 to within 1e-7 of Σ Lambdaᵢ ‖φ(xᵢ)‖ (or 2⁻⁵² of the longest φ(xᵢ), if that is more). The
// two convex combinations are then the same point, and it lies in both hulls. Lambda has an entry for every point with
// which the machine was trained, in order: for [TrainClassifier], the points of the two classes that the error names.
type NotSeparableError struct {
	Lambda   []float64
	Distance float64 // between the two convex combinations; below about 10⁻⁸ of the longest φ(xᵢ) it is rounding (D12)
}

// Error says how near the hulls come.
func (e *NotSeparableError) Error() string {
	return fmt.Sprintf("svm: %v: the convex hulls come within %.2g", ErrNotSeparable, e.Distance)
}

// Unwrap returns ErrNotSeparable.
func (e *NotSeparableError) Unwrap() error { return ErrNotSeparable }

// SMOOptions control [SMO]. The zero value runs.
type SMOOptions struct {
	Tol        float64                  // stop when the Violation is at most this (E2); 0 means 1e-3
	MaxIter    int                      // the most steps, a phase (S8) being one; 0 means ten million, or 100 a point if that is more
	CacheBytes int                      // memory, seven eighths of it for rows of K (at least two rows); 0 means 200 MB
	Workers    int                      // goroutines that compute rows; 0 means GOMAXPROCS
	Observe    func(*DualSolution) bool // called every 256 steps or sooner, with what is valid until it returns; false ends the run
	Start      []float64                // where to begin, made feasible first; nil, or one with too much rounding for Tol, means at 0

	// Like Start, but with a known gradient, so that only variables that the box moves cost a row. Those without room
	// have to be 0, and need no gradient.
	from *DualSolution

	many                       bool // this is one of several runs, which recycle the same memory
	noNewton, noSpan, noShrink bool // leave a part out, to test it against the rest; a run that stalls sets noShrink
}

// A DualSolution is a feasible point of a [Dual]. Let g = P − Kβ, max_up g its maximum where β < Hi, min_low g its
// minimum where β > Lo. For an observer, both leave out the variables that shrinking has set aside.
type DualSolution struct {
	Beta       []float64
	B          float64 // mean gradient of the free variables; with none, the middle of [BLo, BHi], or its finite end, or 0
	BLo, BHi   float64 // max_up g and min_low g, in ascending order: the KKT conditions allow these b, within Violation
	Objective  float64 // Pᵀβ − ½βᵀKβ
	Violation  float64 // max(0, max_up g − min_low g), E2
	Iterations int

	grad  []float64 // p − Kβ at the end of a run
	drift float64   // how much rounding its computation may have added
	noise float64   // how much the rounding of kernel values may have
	at    []int     // the variables with room to move (lo < hi); the others have no grad
	cache *rowCache // rows kept for the next run, of the variables in the order of at
}

// SMO maximises the dual d by moving two variables at a time, until no pair violates the KKT conditions by more than
// o.Tol (E2), and a little further where that takes almost no time. A step costs O(n) and up to two rows of K, those
// that are not in the cache.
//
// A run that o.MaxIter, o.Observe or rounding ends returns its present point, or the one of least gap among those whose
// gradient it has computed afresh, with an error that wraps [ErrNotConverged]; the point is feasible. If K is seen to
// be indefinite or asymmetric, the point comes with [ErrIndefinite], which says what it is worth. This need not be seen,
// and then the point may not be the best: [CheckPSD] tells if K is positive semidefinite. Other errors come without a
// point: [ErrInfeasible], [ErrNotFinite], and [ErrNotSeparable] where an infinite box lets the dual grow without bound.
func SMO(d Dual, o SMOOptions) (*DualSolution, error) {
	sol, err := maximise(d, o)
	sol.forget()
	return sol, err
}

// maximise is SMO, but its solution keeps the cache, for a run with the same matrix that begins from there. If there will
// be none, call forget.
func maximise(d Dual, o SMOOptions) (*DualSolution, error) {
	s, err := newSolver(d, o)
	if err != nil {
		return nil, err
	}
	err = s.run(256, o.Observe)
	if !hasSolution(err) {
		return nil, err
	}
	s.bringBack() // a run ended early may have set variables aside
	if s.cache.bad >= 0 {
		return nil, s.failure()
	}
	sol := s.solution(new(DualSolution))
	sol.grad, sol.drift, sol.noise, sol.at, sol.cache = s.gradients(), s.drift, s.noise(), s.at[:s.n], s.cache
	return sol, err
}

// forget gives up the rows and their memory.
func (s *DualSolution) forget() {
	if s != nil && s.cache != nil {
		s.cache.release()
		s.cache = nil
	}
}

// covers reports whether s has a gradient for exactly the variables at, in any order.
func (s *DualSolution) covers(at []int) bool {
	return slices.Equal(slices.Sorted(slices.Values(s.at)), slices.Sorted(slices.Values(at)))
}

// ahead extrapolates. If s and before solve the dual for C and C′, at β and β′, its guess for C + κ(C − C′) is
//
//	β″ = β + κ(β − β′)                                                            (S10)
//
// and the gradient likewise. Where bounds are multiples of C, β and g can be affine in C as long as F is the same and
// the other variables, B, stay at their bounds [K_FFβ_F + b1 = p_F − K_FBβ_B and Σβ = s, where β_B is a multiple of C].
// Then the three solutions lie on a line. A run begins at β″ even if F has changed, with that gradient and the rows kept
// by the run for C. A nil before stands for β′ = 0, the solution at C = 0 if s = 0. ahead returns nil if the guess is
// not finite, or if before had room for other variables.
func (s *DualSolution) ahead(before *DualSolution, kappa float64, p []float64) *DualSolution {
	if before == nil {
		before = &DualSolution{Beta: make([]float64, len(p)), grad: p, at: s.at}
	}
	a := &DualSolution{Beta: slices.Clone(s.Beta), grad: slices.Clone(s.grad), at: s.at, cache: s.cache}
	a.drift = s.drift + kappa*(s.drift+before.drift)
	for i := range a.Beta {
		a.Beta[i] += kappa * (s.Beta[i] - before.Beta[i])
		a.grad[i] += kappa * (s.grad[i] - before.grad[i])
	}
	if !before.covers(s.at) || nonFinite(a.Beta) >= 0 || nonFinite(a.grad) >= 0 {
		return nil
	}
	return a
}

// SMOSteps is the run of [SMO] seen after every step, the starting point first and the result last. The solution is
// valid during the yield and overwritten afterwards; breaking the loop ends the run. Observe, if there is one, is called
// after every yield. Where SMO would return an error without a solution the sequence just ends; call SMO for the error.
// Each yield costs O(n).
func SMOSteps(d Dual, o SMOOptions) iter.Seq[*DualSolution] {
	return func(yield func(*DualSolution) bool) {
		s, err := newSolver(d, o)
		if err == nil {
			s.run(1, func(sol *DualSolution) bool {
				return yield(sol) && (o.Observe == nil || o.Observe(sol))
			})
		}
	}
}

const (
	// Every shrinkEvery steps, or n if that is less, shrinking looks for active variables to set aside. It acts if this
	// share of them can go.
	shrinkEvery = 1000
	shrinkShare = 0.2

	// A run has reached the limit of rounding when this many steps, or this many fresh gradients in a row, have shown no
	// progress.
	stallSteps = 200_000
	vainLimit  = 10

	// Rounding drowns the violation when its estimate, a worst case, is this many times as large.
	drowning = 10

	// A compensated sum takes this many times as long as a plain one, but work counts it as a plain one.
	exactCost = 3

	// A curvature η below curvatureTol·Kᵢᵢ is rounding and is raised to that [η ≥ (√Kᵢᵢ − √Kⱼⱼ)²: it cancels only where
	// Kⱼⱼ is about as large as Kᵢᵢ]. A Kᵢᵢ below leastDiag times the largest diagonal entry counts as that much: for
	// polynomials of high degree the diagonal spans many decades, but a share of 0 would be no floor.
	curvatureTol = 1e-12
	leastDiag    = 1e-40

	// A curvature below minus this share of the largest diagonal entry is not rounding: K is not positive semidefinite.
	indefiniteTol = 1e-9

	// If Kᵢⱼ and Kⱼᵢ differ by more than this share of them and of the largest diagonal entry, K is not symmetric. Single
	// precision is good enough, even for a centred matrix, all of whose entries have the errors of the largest ones.
	asymmetryTol = 1e-5

	// Hulls nearer than this share of Σ λᵢ‖φ(xᵢ)‖, λ = |β|/ω, meet: the squared distance is a difference of sums of K,
	// known no better than that. So do hulls nearer than the rounding of the longest φ(xᵢ).
	hullTol = 1e-7

	// A variable nearer to a bound than this share of its value, before the step or after it, is at the bound.
	snapTol = 16 * machineEps

	// The ridge is leastRidge of the diagonal, little more than rounding. For want of a factor it grows, up to mostRidge.
	leastRidge = 1e-14
	mostRidge  = 1e-3

	// The c of (S8) is at least this share of the largest Kₖₖ − 2Kₖᵣ + Kᵣᵣ: if c were almost 0, v would be so long that u
	// would drown in it.
	leastOffset = 1e-10

	// A run that ends with steps is polished by one more phase if that costs less than this share of the work so far.
	polishShare = 0.25

	// A run that meets Tol goes on towards a violation of fineTol, for about graceCost multiply-adds, some 40 µs, or for
	// one step or phase. MaxIter must leave room for twice as many, because steps may first raise the violation.
	fineTol   = 1e-6
	graceCost = 1 << 17

	// If Tol is below fineTol and many small violations add up to a gap, it goes on for this share of the work so far.
	gapShare = 0.25

	// A factor may take an eighth of the memory, or this many bytes if that is more.
	leastFactor = 4 << 20

	newtonAfter = 20   // a phase is considered every so many steps
	leastPrice  = 0.25 // a phase waits until the steps before it have cost at least this share of its cost

	// A sweep is a step for every free variable. A factor is dear when its phase costs more than this many sweeps.
	dearSweeps = 4

	// A span has spanMoves moves. Each takes 1/spanShare of a sweep, or spanAfter steps if that is more. These steps cost
	// twenty times what the span does for a move.
	spanMoves = 8
	spanShare = 16
	spanAfter = 100

	// The diagonal of A, scaled to 1, is raised by this much, so that two moves in the same direction leave A regular.
	spanRidge = 1e-10

	// If less than this share of a move's μᵀKμ is left, what is left of the move is rounding.
	spanLeast = 1e-6

	// An observer is called after this many multiply-adds, some 10 ms, even if 256 steps take longer, so that it can end
	// the run. They take longer where rows are long and values come from Eval, whose cost is a guess.
	showCost = 1 << 25

	// The cache takes memory for this many rows at a time.
	slabRows = 32

	// Touching memory for the first time costs about this many multiply-adds a value in a virtual machine, and less
	// elsewhere.
	touchCost = 16

	// What a step costs for each active variable, in multiply-adds of a long row.
	stepCost = 8

	// A pass is shared among workers if it takes at least this many multiply-adds, some 10 µs: a few times what it takes
	// to open a loop to a team and to wait for its last member.
	parallelCost = 1 << 15

	// Passes go block by block, so that what they compute of a row is still in the first-level cache when it is read.
	blockSize = 1 << 11
)

// A solver is a run of SMO. In the present order of the variables the active ones come first.
type solver struct {
	d     Dual
	o     SMOOptions
	n, m  int       // variables with room to move; those of them that are active
	at    []int     // present order → the caller's
	beta  []float64 // in the caller's order
	up    []float64 // present order: gᵢ where βᵢ may rise, else −∞
	low   []float64 // present order: gᵢ where βᵢ may fall, else +∞
	diag  []float64 // present order
	cache *rowCache

	i             int     // argmax up, over the active variables
	maxUp, minLow float64 // the two sides of E2, over the active variables
	kMax          float64 // largest |Kᵢᵢ|
	beyond        float64 // largest |Kᵢⱼ| met that is too large for K to be positive semidefinite
	objective     float64
	drift         float64   // how much rounding may have gathered in g
	blur          float64   // and in the objective
	excess        float64   // Σβ − s: not 0, because of rounding, until a later step mends it
	fresh         int       // the number of steps when g was last computed from nothing but β
	seen, sure    progress  // by the gradient as it is, and by fresh ones
	trust         float64   // until the work reaches this, no gradient is rescued
	best          []float64 // β of least gap by a fresh gradient; if all gaps are infinite, of largest objective
	least         float64   // the gap at best
	steps         int
	indefinite    bool // negative curvature has been met
	asymmetric    bool

	// The step that is being taken.
	ki, kj                    cachedRow
	t                         float64
	parts                     []part
	partnerBlock, updateBlock func(b int) // the methods partnerIn and updateIn, made once, not allocated for every step

	levels   []level   // what shrinking set aside, outermost first
	origin   []float64 // the β from which checkHulls measures; nil if all Lo or all Hi are finite
	pull     []float64 // the gradient at origin; both in the caller's order
	polished bool      // the polishing Newton phase has been taken
	tidied   bool      // tidy has been called
	tol      float64   // the violation to reach
	grace    float64   // when the work reaches this, the caller's tolerance will do; 0 until aimLower sets it

	work  float64   // multiply-adds spent outside the cache
	mark  float64   // spent() at the end of the last Newton phase
	base  float64   // objective at the end of the last Newton phase
	since int       // steps since the last Newton phase
	price float64   // the steps before the next Newton phase cost this many times what it will
	quota int       // the most variables that the next phase takes
	most  int       // the most variables for which there is memory for a factor
	ridge float64   // ρ, as a share of the diagonal
	tri   []float64 // memory for the factor
	kd    []float64 // K times a displacement
	f     []int     // memory for free
	moves moves
}

// A level is one act of shrinking: m variables were active before it, and those set aside have their gradient at beta.
type level struct {
	m    int
	beta []float64
}

// newSolver checks d and o and goes to the start.
func newSolver(d Dual, o SMOOptions) (*solver, error) {
	n := len(d.P)
	if err := cmp.Or(d.check(), o.complete(n)); err != nil {
		return nil, err
	}
	s := &solver{d: d, o: o, up: make([]float64, n), low: make([]float64, n), diag: make([]float64, n),
		price: 1, ridge: leastRidge, tol: o.Tol, seen: noProgress, sure: noProgress, least: math.Inf(1)}
	s.most = int(math.Sqrt(float64(max(leastFactor, s.o.CacheBytes/8)) / 4)) // r² / 2 numbers of 8 bytes
	s.arrange()
	s.cache.rows.Diag(s.diag)
	if k := nonFinite(s.diag); k >= 0 {
		return nil, fmt.Errorf("svm: kernel of point %d with itself is %v: %w", s.at[k], s.diag[k], ErrNotFinite)
	}
	for _, v := range s.diag {
		s.kMax = max(s.kMax, math.Abs(v))
		s.indefinite = s.indefinite || v < 0
	}
	s.kMax = cmp.Or(s.kMax, 1)
	if err := s.goToStart(); err != nil {
		return nil, err
	}
	s.setOrigin()
	s.base = s.objective
	if s.quota = n; o.Start == nil && len(s.free()) > newtonAfter { // at 0 many are free that will not stay so
		s.quota, s.price = newtonAfter, 0.5
	}
	return s, s.failure()
}

// goToStart finds a feasible point and computes its gradient, by (S7) from that of o.from if there is one.
func (s *solver) goToStart() (err error) {
	if s.beta, err = startingPoint(s.d, s.o.Start); err != nil {
		return err
	}
	if from := s.o.from; from != nil {
		for k, i := range s.at {
			s.up[k], s.low[k] = from.grad[i], from.grad[i]
		}
		s.subtractRows(0, len(s.at), from.Beta, rounded)
		s.fresh = -1
		s.begin(from.drift + s.noise())
	} else {
		s.refresh()
	}
	if s.o.Start != nil && s.cache.bad < 0 && (s.failure() != nil || s.noise() > s.o.Tol) {
		s.beta, _ = startingPoint(s.d, nil) // there the objective overflows, or rounding alone may exceed Tol
		s.refresh()
	}
	return nil
}

// setOrigin sets the point from which checkHulls measures β, if the box lets the dual grow without bound: 0, or the
// start if 0 has another sum or is not feasible for the variables without room.
func (s *solver) setOrigin() {
	if !slices.ContainsFunc(s.d.Lo, infinite) || !slices.ContainsFunc(s.d.Hi, infinite) {
		return
	}
	s.origin, s.pull = make([]float64, len(s.beta)), s.d.P
	if s.d.Sum != 0 || slices.ContainsFunc(s.at[s.n:], func(i int) bool { return s.beta[i] != 0 }) {
		s.origin, s.pull = slices.Clone(s.beta), s.gradients()
	}
}

// complete checks the options for a problem with n variables, and replaces zeros by what they mean.
func (o *SMOOptions) complete(n int) error {
	if !(o.Tol >= 0 && o.MaxIter >= 0 && o.CacheBytes >= 0 && o.Workers >= 0) {
		return fmt.Errorf("svm: SMOOptions: Tol %v, MaxIter %d, CacheBytes %d, Workers %d: want no negative number",
			o.Tol, o.MaxIter, o.CacheBytes, o.Workers)
	}
	o.Tol = cmp.Or(o.Tol, 1e-3)
	o.MaxIter = cmp.Or(o.MaxIter, max(10_000_000, 100*n))
	o.CacheBytes = cmp.Or(o.CacheBytes, 200<<20)
	if o.from != nil {
		o.Start = o.from.Beta
	}
	return nil
}

// arrange puts the variables without room (lo = hi) last: they stay there and are never active. It makes the cache for
// the others, or takes over that of an earlier run together with its order.
func (s *solver) arrange() {
	room, fixed := make([]int, 0, len(s.d.Lo)), []int(nil)
	for i, lo := range s.d.Lo {
		if lo < s.d.Hi[i] {
			room = append(room, i)
		} else {
			fixed = append(fixed, i)
		}
	}
	s.n, s.m, s.at = len(room), len(room), append(room, fixed...)
	s.parts = make([]part, blocks(s.m)) // as many as there may be
	s.partnerBlock, s.updateBlock = s.partnerIn, s.updateIn
	if from := s.o.from; from != nil && !from.covers(s.at[:s.n]) {
		s.o.from = nil
	} else if from != nil && from.cache != nil {
		s.cache = from.cache
		s.cache.team, s.cache.work, s.cache.regret = new(team), 0, 0
		copy(s.at, from.at)
		return
	}
	rows := s.d.K.Open()
	if len(fixed) > 0 {
		rows.Permute(s.at)
	}
	s.cache = newRowCache(rows, s.n, s.o.CacheBytes-s.o.CacheBytes/8) // an eighth is for a factor
	s.cache.many = s.o.many
}

// startingPoint makes start, or 0, feasible: it moves it into the box, and then one variable after another until the sum
// is right. Each variable that moves may cost a row, so it moves few.
func startingPoint(d Dual, start []float64) ([]float64, error) {
	beta := make([]float64, len(d.P))
	if start != nil {
		if err := fault("Start", start, len(beta), false); err != nil {
			return nil, err
		}
	}
	copy(beta, start)
	for i, b := range beta {
		beta[i] = snap(b, snapTol*math.Abs(b), d.Lo[i], d.Hi[i])
	}
	if !off(d, beta) {
		return beta, nil
	}
	sum, near := total(beta), max(rounding(beta), float64(len(beta))*machineEps*math.Abs(d.Sum))/2
	for i, b := range beta {
		if math.Abs(d.Sum-sum) <= near {
			break // the rest is rounding: no variable should leave its bound for that
		}
		beta[i] = snap(b+(d.Sum-sum), near, d.Lo[i], d.Hi[i])
		sum += beta[i] - b
	}
	if start != nil && off(d, beta) {
		return startingPoint(d, nil) // start is so large that its sum was not known well enough to mend it
	}
	return beta, nil
}

// off reports whether Σβ overflows, or differs from s by more than the rounding of a sum, as it may when β has been
// much larger.
func off(d Dual, beta []float64) bool {
	excess := math.Abs(total(beta) - d.Sum)
	return !finite(excess) || excess > rounding(beta)
}

// run takes steps until all variables satisfy E2. It shows the solution to observe, if that is not nil, at the start, at
// least once in every so many steps, and at the end unless observe has stopped the run.
func (s *solver) run(every int, observe func(*DualSolution) bool) error {
	if float64(s.n)*s.cache.cost >= parallelCost {
		s.cache.team = newTeam(s.o.Workers)
		defer s.cache.team.stop()
	}
	var shown, last DualSolution
	stopped := false
	err := s.loop(every, func() bool {
		stopped = observe != nil && !observe(s.solution(&shown))
		return !stopped
	})
	if observe == nil || stopped || !hasSolution(err) {
		return err
	}
	s.bringBack()
	if s.cache.bad < 0 && !reflect.DeepEqual(s.solution(&last), &shown) {
		observe(&last)
	}
	return err
}

// hasSolution reports whether a solution comes with err, which may be nil.
func hasSolution(err error) bool {
	return err == nil || errors.Is(err, ErrNotConverged) || errors.Is(err, ErrIndefinite)
}

var errObserver = errors.New("ended by the observer")

// loop does the work of run. At every turn g, i and both sides of E2 are those of β, for the active variables. It calls
// show at the start and after every so many steps, or after work of showCost, and stops if show returns false.
func (s *solver) loop(every int, show func() bool) error {
	showAt, shrinkAt, due := 0, 0, 0.0 // the steps at which to show and to shrink, and the work at which to show
	for {
		if err := s.failure(); err != nil {
			return err
		}
		if s.steps >= showAt || s.spent() >= due && s.steps > showAt-every {
			showAt, due = s.steps+every, s.spent()+showCost
			if !show() {
				return fmt.Errorf("svm: %w after %d steps: %w", errObserver, s.steps, ErrNotConverged)
			}
		}
		switch {
		case s.satisfied():
			if s.finished() {
				if s.indefinite {
					return fmt.Errorf("svm: %w", ErrIndefinite)
				}
				return nil
			}
		case s.stalled() && s.m < s.n:
			s.unshrink()
			s.o.noShrink, s.seen = true, noProgress // progress may need the variables set aside
		case s.steps >= s.o.MaxIter || (s.stalled() || s.sure.vain > vainLimit) && s.violation() > s.o.Tol:
			if err := s.giveUp(); err != nil {
				return err
			}
		case s.drowned():
			s.rescue()
		case s.newtonPays():
			s.newton()
		case s.steps >= shrinkAt:
			shrinkAt = s.steps + min(s.n, shrinkEvery)
			if err := s.look(); err != nil {
				return err
			}
			s.step()
		case s.steps >= s.moves.due && !s.o.noSpan:
			s.span()
		default:
			s.step()
		}
	}
}

// look notes the progress of the run, checks whether the dual grows without bound, and shrinks.
func (s *solver) look() error {
	s.seen.note(s, s.noise())
	err := s.checkHulls()
	s.shrink()
	return err
}

// satisfied reports whether the active variables satisfy E2: within s.tol, at which the run aims, or within the caller's
// tolerance if the grace or MaxIter is used up.
func (s *solver) satisfied() bool {
	late := s.spent() >= s.grace || s.steps >= s.o.MaxIter
	return s.violation() <= s.tol || s.violation() <= s.o.Tol && late
}

// violation is the stopping quantity, which is compared with the tolerance (E2).
func (s *solver) violation() float64 { return max(0, s.maxUp-s.minLow) }

// middle is the middle of (E2). Newton's phases subtract it from g: they need differences, which a large b would drown.
func (s *solver) middle() float64 { return s.maxUp/2 + s.minLow/2 }

// step moves the pair (i, j) that (S4) and (S5) select, by (E1), and updates the gradient. It makes two passes over
// the active variables; each computes, block by block, what the cache lacks of the row that it reads.
func (s *solver) step() {
	i := s.i
	s.ki = s.cache.claim(i, s.m)
	j := s.partner()
	kij := s.ki.v[j]
	slope, curvature := s.maxUp-s.low[j], s.diag[i]+s.diag[j]-2*kij
	s.inspect(i, j, kij, curvature)
	p, q := s.at[i], s.at[j]
	room := min(s.d.Hi[p]-s.beta[p], s.beta[q]-s.d.Lo[q])
	s.t = min(room, slope/max(curvature, s.leastCurvature(i))) // (E1)
	if s.diag[i] == kij && s.diag[j] == kij && !math.IsInf(room, 1) {
		s.t = room // two points with one image
	}
	s.exchange(i, j, s.t)
	s.rise(s.t * (slope - s.t*curvature/2)) // (S2)
	s.drift += machineEps * math.Abs(s.maxUp)

	s.kj = s.cache.claim(j, s.m)
	s.update()
	s.asymmetric = math.Abs(kij-s.kj.v[i]) > asymmetryTol*(s.kMax+math.Abs(kij))
	s.steps++
	s.since++
	s.work += stepCost * float64(s.m)
}

// inspect notes signs in Kᵢⱼ that K is not positive semidefinite: a negative curvature, or an entry larger than
// √(KᵢᵢKⱼⱼ). The factor 2 allows for rounding.
func (s *solver) inspect(i, j int, kij, curvature float64) {
	s.indefinite = s.indefinite || curvature < -s.kMax*indefiniteTol
	if k := math.Abs(kij); k > 2*math.Sqrt(math.Abs(s.diag[i]))*math.Sqrt(math.Abs(s.diag[j])) {
		s.beyond = max(s.beyond, k)
	}
}

// A part is what a pass found in one block of variables.
type part struct {
	j, i          int     // the choices of partner and of update, or −1
	promise       float64 // of j: (gᵢ − gⱼ)²/ηᵢⱼ
	maxUp, minLow float64
}

// pass calls f for every block of active variables and returns the parts that f has filled. It uses several cores if the
// pass and the missing values of row r are enough work. Every value is computed on its own and parts are joined in
// order, so the result does not depend on which core did what.
func (s *solver) pass(r cachedRow, f func(b int)) []part {
	parts := s.parts[:blocks(s.m)]
	s.cache.share(float64(s.m-r.have)*s.cache.cost+float64(s.m)*stepCost/2, len(parts), f)
	return parts
}

// partner returns the j that promises the largest rise (S5) among those that violate with i. Promises are quotients, but
// are compared by products: a division costs more than all the rest, and only a new best takes one.
func (s *solver) partner() int {
	best := slices.MaxFunc(s.pass(s.ki, s.partnerBlock), func(a, b part) int { return cmp.Compare(a.promise, b.promise) })
	if best.j < 0 { // all squares underflow
		return slices.Index(s.low[:s.m], s.minLow)
	}
	return best.j
}

// partnerIn finds the best j in block b.
func (s *solver) partnerIn(b int) {
	from, to := s.cache.fill(s.ki, b)
	ki := s.ki.v[from:to]
	low, diag := s.low[from:to][:len(ki)], s.diag[from:to][:len(ki)]
	floor := s.leastCurvature(s.i)
	top, kii := s.maxUp, s.diag[s.i]
	best, promise := -1, 0.0
	for j, k := range ki {
		v := top - low[j]
		v *= math.Abs(v) // the square if v > 0; else not positive, and never the best
		c := kii + diag[j] - 2*k
		if c < floor {
			c = floor
		}
		if v > promise*c {
			best, promise = from+j, v/c
		}
	}
	s.parts[b].j, s.parts[b].promise = best, promise
}

// leastCurvature is the floor to which curvatures along i are raised.
func (s *solver) leastCurvature(i int) float64 {
	return curvatureTol * max(math.Abs(s.diag[i]), leastDiag*s.kMax)
}

// rowSize bounds the entries of row k of a kernel matrix [Kₖⱼ² ≤ KₖₖKⱼⱼ]; of other matrices, those that steps have met.
func (s *solver) rowSize(k int) float64 {
	return max(s.beyond, math.Sqrt(math.Abs(s.diag[k]))*math.Sqrt(s.kMax))
}

// update subtracts t(Kᵢ − Kⱼ) from the gradient (S3) and in the same pass finds the next i and the two sides of E2.
func (s *solver) update() {
	parts := s.pass(s.kj, s.updateBlock)
	s.i, s.maxUp, s.minLow = -1, math.Inf(-1), math.Inf(1)
	for _, p := range parts {
		if p.maxUp > s.maxUp {
			s.i, s.maxUp = p.i, p.maxUp
		}
		s.minLow = min(s.minLow, p.minLow)
	}
}

// updateIn updates block b.
func (s *solver) updateIn(b int) {
	from, to := s.cache.fill(s.kj, b)
	ki := s.ki.v[from:to]
	up, low, kj := s.up[from:to][:len(ki)], s.low[from:to][:len(ki)], s.kj.v[from:to][:len(ki)]
	t := s.t
	i, maxUp, minLow := -1, math.Inf(-1), math.Inf(1)
	for k, x := range ki {
		d := t * (x - kj[k])
		u, l := up[k]-d, low[k]-d
		up[k], low[k] = u, l
		if u > maxUp {
			i, maxUp = from+k, u
		}
		if l < minLow {
			minLow = l
		}
	}
	s.parts[b].i, s.parts[b].maxUp, s.parts[b].minLow = i, maxUp, minLow
}

// spent is the work of the whole run so far.
func (s *solver) spent() float64 { return s.work + s.cache.work }

// rise adds gain to the objective.
func (s *solver) rise(gain float64) {
	s.objective += gain
	s.blur += machineEps * (math.Abs(gain) + math.Abs(s.objective))
}

// exchange moves βᵢ up and βⱼ down by t: first the smaller in size, as its last digit is finer, then the other, by what
// makes Σβ = s. That is ∓t but for the rounding of t and of earlier steps, which may be far more than t if norms are
// decades apart. If g would show it, and it exceeds the rounding of the variable itself, it waits for a later step.
func (s *solver) exchange(i, j int, t float64) {
	if math.Abs(s.beta[s.at[j]]) < math.Abs(s.beta[s.at[i]]) {
		i, j, t = j, i, -t
	}
	s.move(i, t, t)
	by, near := -s.excess, snapTol*(math.Abs(s.beta[s.at[j]])+math.Abs(t))
	if slip := math.Abs(t + by); slip > near && slip*s.rowSize(j) > s.invisible() {
		by = -t
	}
	s.move(j, -t, by)
}

// move adds by to variable k, up to rounding and a bound nearby. The caller updates the gradients as if k had moved by
// exactly t, so the difference is drift.
func (s *solver) move(k int, t, by float64) {
	i := s.at[k]
	g, old := s.gradient(k), s.beta[i]
	s.beta[i] = snap(old+by, snapTol*max(math.Abs(old+by), math.Abs(old)), s.d.Lo[i], s.d.Hi[i])
	moved := s.beta[i] - old
	s.excess += moved
	s.drift += s.rowSize(k) * (machineEps*math.Abs(t) + math.Abs(moved-t))
	s.open(k, g)
}

// open makes g the gradient of variable k: in up if it may rise, in low if it may fall.
func (s *solver) open(k int, g float64) {
	i := s.at[k]
	s.up[k], s.low[k] = math.Inf(-1), math.Inf(1)
	if s.beta[i] < s.d.Hi[i] {
		s.up[k] = g
	}
	if s.beta[i] > s.d.Lo[i] {
		s.low[k] = g
	}
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

// gradient returns gₖ, which is in up or in low or in both.
func (s *solver) gradient(k int) float64 {
	if g := s.up[k]; !math.IsInf(g, -1) {
		return g
	}
	return s.low[k]
}

// gradients returns g in the caller's order, 0 for variables without room.
func (s *solver) gradients() []float64 {
	g := make([]float64, len(s.beta))
	for k, i := range s.at[:s.n] {
		g[i] = s.gradient(k)
	}
	return g
}

// scan finds i, max_U g and min_L g among the active variables.
func (s *solver) scan() {
	s.i, s.maxUp, s.minLow = -1, math.Inf(-1), math.Inf(1)
	for k, u := range s.up[:s.m] {
		if u > s.maxUp {
			s.i, s.maxUp = k, u
		}
		if l := s.low[k]; l < s.minLow {
			s.minLow = l
		}
	}
}

// finished reports whether a run whose active variables satisfy (E2) is at its end. If not, it does the first thing that
// is left to do: it makes all variables active, computes the gradient afresh, polishes, aims lower, or tidies up.
func (s *solver) finished() bool {
	switch {
	case s.m < s.n:
		s.unshrink()
	case s.stale():
		s.renew()
	case !s.polished && s.since > 0 && s.steps < s.o.MaxIter && s.polishPays():
		s.polished = true
		s.newton()
	case s.grace == 0 && s.steps > 0 && s.aimLower(): // the run goes on to the tolerance that this has set
	case !s.tidied:
		s.tidy()
	default:
		return true
	}
	return false
}

// aimLower sets a lower tolerance for a while: fineTol, or, if Tol is below that and many small violations add up to a
// gap above Tol of the objective, what brings the gap down to that. It reports whether MaxIter leaves room for this.
func (s *solver) aimLower() bool {
	tol, cost := min(s.tol, fineTol), float64(graceCost)
	excess := s.gap() / (s.o.Tol * math.Abs(s.objective))
	if aim := s.o.Tol / (2 * excess); s.o.Tol < fineTol && excess > 1 && aim > s.noise() {
		tol, cost = aim, max(cost, gapShare*s.spent())
	}
	if float64(s.o.MaxIter-s.steps)*stepCost*float64(s.m) <= 2*cost {
		return false
	}
	s.tol, s.grace = tol, s.spent()+cost
	return true
}

// polishPays reports whether one more phase is cheap beside the work so far.
func (s *solver) polishPays() bool { return s.newtonCost() < polishShare*s.spent() }

// tidy moves free variables to a bound that is near in comparison with the largest β. Such variables have only taken up
// rounding of Σβ, so their gradient need not be b. What this does to g is drift, and is kept below what makes g stale.
func (s *solver) tidy() {
	s.tidied = true
	near := snapTol * largest(s.beta)
	for _, k := range s.free() {
		i := s.at[k]
		by := snap(s.beta[i], near, s.d.Lo[i], s.d.Hi[i]) - s.beta[i]
		if s.drift+s.rowSize(k)*math.Abs(by) <= s.invisible() { // else its move would be visible in g
			s.move(k, 0, by)
		}
	}
	s.scan()
}

// failure returns an error if a kernel value or the objective is not finite, or if the last step has seen that the
// matrix is not symmetric.
func (s *solver) failure() error {
	switch {
	case s.cache.bad >= 0:
		i, j := s.at[s.cache.badRow], s.at[s.cache.bad]
		return fmt.Errorf("svm: kernel of points %d and %d is not a finite number: %w", i, j, ErrNotFinite)
	case s.asymmetric:
		i, j := s.at[s.ki.k], s.at[s.kj.k]
		return fmt.Errorf("svm: kernel of points %d and %d depends on which comes first: %w", i, j, ErrIndefinite)
	case finite(s.objective):
		return nil
	case s.steps > 0 && (s.indefinite || math.IsInf(s.objective, 1) && finite(Dot(s.d.P, s.beta))): // then βᵀKβ < 0
		return fmt.Errorf("svm: the dual grows along negative curvature until it overflows: %w", ErrIndefinite)
	default:
		return fmt.Errorf("svm: the dual objective overflows: %w", ErrNotFinite)
	}
}

// checkHulls recognises a dual that grows without bound. Let d be β − origin. If no bound is ahead along d, or only for
// a negligible part of it, d is a ray; scaled to Σ⁺d = 1 it is a pair of points, one of each hull, at distance
// √(dᵀKd)/Σ⁺d by (S9). If they coincide, dᵀKd = 0, and along d the dual rises by pᵀd > 0 without end.
func (s *solver) checkHulls() error {
	if s.origin == nil {
		return nil
	}
	var positive, size, quad, linear, ahead, lost float64 // the rounding in quad is about machineEps times lost
	e := &NotSeparableError{Lambda: make([]float64, len(s.beta))}
	for k, i := range s.at {
		d := s.beta[i] - s.origin[i]
		if d == 0 {
			continue
		}
		if k < s.m { // the gradient of the others is out of date
			g := s.gradient(k)
			quad += d * (s.pull[i] - g) // (S7)
			lost += math.Abs(d) * (math.Abs(s.pull[i]) + math.Abs(g))
		}
		if d > 0 && !math.IsInf(s.d.Hi[i], 1) || d < 0 && !math.IsInf(s.d.Lo[i], -1) {
			ahead += math.Abs(d)
			continue
		}
		positive += max(d, 0)
		size += math.Abs(d) * math.Sqrt(math.Abs(s.diag[k]))
		linear += s.d.P[i] * d
		e.Lambda[i] = math.Abs(d)
	}
	distance2, size2 := quad/positive/positive, size/positive*size/positive
	near2 := max(hullTol*hullTol*size2, machineEps*machineEps*s.kMax)
	if !(linear > 0 && ahead <= hullTol*positive && distance2+machineEps*(lost/positive)/positive <= near2) {
		return nil
	}
	if s.m < s.n {
		s.unshrink()
		return s.checkHulls()
	}
	if distance2+2*s.drift/positive < -indefiniteTol*size2 { // more than rounding [Σ|d| is 2·positive]
		return fmt.Errorf("svm: %w", ErrIndefinite)
	}
	divide(e.Lambda, positive)
	e.Distance = math.Sqrt(max(0, distance2))
	return e
}

// solution writes the present point into sol.
func (s *solver) solution(sol *DualSolution) *DualSolution {
	sol.Beta = append(sol.Beta[:0], s.beta...)
	sol.Objective, sol.Violation, sol.Iterations = s.objective, s.violation(), s.steps
	sol.BLo, sol.BHi = min(s.maxUp, s.minLow), max(s.maxUp, s.minLow)
	bs := pick(s.up, s.free())
	if len(bs) == 0 { // the middle of the interval, or its finite end, or 0
		bs = slices.DeleteFunc([]float64{s.maxUp, s.minLow}, infinite)
	}
	sol.B = min(max(total(bs)/max(1, float64(len(bs))), sol.BLo), sol.BHi)
	return sol
}

func infinite(x float64) bool { return math.IsInf(x, 0) }

// Shrinking.

// shrink sets aside the active variables that no violating pair contains (S6), if they are many.
func (s *solver) shrink() {
	if s.o.noShrink {
		return
	}
	at, m, end := make([]int, s.m), 0, s.m // from the front those that stay, from the back those that go
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
		return
	}
	s.levels = append(s.levels, level{s.m, slices.Clone(s.beta)})
	permute(s.at, at, make([]int, s.m))
	tmp := make([]float64, s.m)
	for _, v := range [][]float64{s.up, s.low, s.diag} {
		permute(v, at, tmp)
	}
	s.cache.permute(at, m)
	s.m = m
	s.moves.count = -1
	s.scan()
}

// unshrink makes all variables active, and brings their gradient up to date, level by level (S7).
func (s *solver) unshrink() {
	s.moves.count = -1
	for len(s.levels) > 0 {
		l := s.levels[len(s.levels)-1]
		s.levels = s.levels[:len(s.levels)-1]
		s.subtractRows(s.m, l.m, l.beta, rounded)
		s.m = l.m
	}
	if s.cache.stride < s.m {
		s.cache.cut(s.m)
	}
	s.scan()
}

// subtractRows subtracts K(β − before) from the gradient of the variables from … to−1 (S7). The function add adds c times
// a row to sum; it may collect in lost what rounding takes from sum.
func (s *solver) subtractRows(from, to int, before []float64, add func(sum, lost []float64, c float64, row []float64)) {
	moved, rows := make([]float64, len(s.at)), 0 // β − before in the present order, and how many of its entries are not 0
	for k, i := range s.at {
		if moved[k] = s.beta[i] - before[i]; moved[k] != 0 {
			rows++
			s.drift += machineEps * math.Abs(moved[k]) * s.rowSize(k)
		}
	}
	if rows == 0 {
		return
	}
	parallel(s.o.Workers, blocks(to-from), func(b int) {
		lo, hi := block(b, to-from)
		lo, hi = from+lo, from+hi
		memory, sum, lost := make([]float64, hi-lo), make([]float64, hi-lo), make([]float64, hi-lo)
		for k, c := range moved {
			if c != 0 {
				add(sum, lost, c, s.cache.peek(k, lo, memory))
			}
		}
		for _, g := range [][]float64{s.up[lo:hi], s.low[lo:hi]} {
			axpy(g, -1, sum)
			axpy(g, -1, lost)
		}
	})
	s.work += float64(rows) * float64(to-from) * (s.cache.cost + 2)
}

// rounded adds c times a row to sum in plain arithmetic.
func rounded(sum, _ []float64, c float64, row []float64) { axpy(sum, c, row) }

// Fresh gradients.

// refresh computes the gradient and the objective from nothing but β. For the matrix as it is given they are accurate to
// about the rounding of the results themselves.
func (s *solver) refresh() {
	for k, i := range s.at {
		s.up[k], s.low[k] = s.d.P[i], s.d.P[i]
	}
	s.subtractRows(0, len(s.at), make([]float64, len(s.at)), axpyExact)
	size := 0.0
	for k, i := range s.at {
		size = max(size, math.Abs(s.d.P[i])+math.Abs(s.up[k]))
	}
	s.fresh = s.steps
	s.begin(2 * machineEps * size)
}

// invisible is how much rounding does no harm in a gradient, whose differences are compared with the tolerance.
func (s *solver) invisible() float64 { return s.o.Tol / 10 }

// stale reports whether Σβ is off, or rounding is visible: in the gradient in comparison with the tolerance, in the
// objective with what a violation of the tolerance may be worth [D* − D ≤ gᵀ(β* − β) ≤ violation · Σ(β* − β)⁺].
func (s *solver) stale() bool {
	return s.steps > s.fresh && (s.drift > s.invisible() || s.blur > s.invisible()*norm1(s.beta) || off(s.d, s.beta))
}

// bringBack makes all variables active, with a gradient that is not stale.
func (s *solver) bringBack() {
	if s.unshrink(); s.stale() {
		s.renew()
	}
}

// renew mends Σβ, computes the gradient afresh, and notes whether there has been progress since the last fresh one. All
// variables have to be active.
func (s *solver) renew() {
	if off(s.d, s.beta) {
		s.beta, _ = startingPoint(s.d, s.beta)
	}
	s.refresh()
	if gap := s.gap(); gap < s.least || gap == s.least && s.objective > s.sure.objective {
		s.best, s.least = append(s.best[:0], s.beta...), gap
	}
	s.sure.note(s, 0)
}

// gap returns the duality gap with the middle of E2 for b: (gᵢ − b)(hiᵢ − βᵢ) for every gᵢ > b, (gᵢ − b)(loᵢ − βᵢ) for
// every gᵢ < b [the multipliers |gᵢ − b| of the bounds, times how far β is from them]. All variables have to be active.
func (s *solver) gap() (sum float64) {
	b := s.middle()
	for k, i := range s.at[:s.n] {
		if up := s.up[k] - b; up > 0 {
			sum += up * (s.d.Hi[i] - s.beta[i])
		}
		if low := b - s.low[k]; low > 0 {
			sum += low * (s.beta[i] - s.d.Lo[i])
		}
	}
	return sum
}

// drowned reports whether rounding drowns the violation. For a while after a rescue the gradient is trusted.
func (s *solver) drowned() bool {
	return s.steps > s.fresh && s.drift > drowning*s.violation() && s.spent() >= s.trust
}

// rescue computes the gradient afresh, and rules out another rescue until steps have taken as long as this one.
func (s *solver) rescue() {
	before := s.spent()
	s.unshrink()
	s.renew()
	s.trust = s.spent() + exactCost*(s.spent()-before)
}

// begin computes the objective, Σβ − s and the two sides of E2 from β and the gradient, which has the given drift. On
// entry both up and low hold the whole gradient; begin makes them infinite where a variable may not move.
func (s *solver) begin(drift float64) {
	s.objective, s.blur, s.drift, s.moves.count = 0, 0, drift, -1
	sum, lost := -s.d.Sum, 0.0
	for k, i := range s.at {
		var e float64
		sum, e = addExact(sum, 1, s.beta[i])
		lost += e
		s.rise(s.beta[i] * (s.d.P[i] + s.up[k]) / 2)
		s.open(k, s.up[k])
	}
	s.excess = sum + lost
	s.scan()
}

// noise bounds what rounding each kernel value once, before they are added up, does to the gradient: ε Σⱼ |βⱼ|√(KⱼⱼKᵢᵢ),
// with the largest Kᵢᵢ.
func (s *solver) noise() (noise float64) {
	for k, i := range s.at {
		noise += machineEps * s.rowSize(k) * math.Abs(s.beta[i])
	}
	return noise
}

// giveUp goes back to the best point that had a fresh gradient, if rounding has led away from it. The error says how far
// that is from the optimum; it is nil if only rounding had hidden that (E2) holds.
func (s *solver) giveUp() error {
	s.bringBack()
	if gap := s.gap(); s.best != nil && (gap > s.least || gap == s.least && s.objective < s.sure.objective) {
		copy(s.beta, s.best)
		s.refresh()
	}
	if s.violation() <= s.o.Tol {
		return nil
	}
	cause := ""
	if noise := s.noise(); noise > s.o.Tol {
		cause = fmt.Sprintf(" (rounding of kernel values may make %.2g of it)", noise)
	}
	return fmt.Errorf("svm: KKT violation %.3g after %d steps, want %.3g%s: %w",
		s.violation(), s.steps, s.o.Tol, cause, ErrNotConverged)
}

// A progress is how far a run has come: its least violation and largest objective, and how many looks in a row found
// neither the former lower by a tenth nor the latter higher. Once the least violation is within noise, only the violation
// counts. (The violation of the moment may be far above the least: steps along a bound take it up and down.)
type progress struct {
	violation, objective float64
	vain                 int
}

var noProgress = progress{violation: math.Inf(1), objective: math.Inf(-1)}

// note takes a look at s.
func (p *progress) note(s *solver, noise float64) {
	lower, higher := s.violation() < 0.9*p.violation, s.objective > p.objective && p.violation > noise
	p.vain++
	if lower || higher {
		p.violation, p.objective, p.vain = min(p.violation, s.violation()), max(p.objective, s.objective), 0
	}
}

// stalled reports whether there has been no progress for more than stallSteps steps.
func (s *solver) stalled() bool { return s.seen.vain*min(s.n, shrinkEvery) > stallSteps }

// Newton's method on the free variables (S8).
//
// A phase is due when the steps since the last one have cost price times what it will cost: a price of 1 at worst
// doubles the work. If a phase has raised the dual by more for its cost than the steps before it, the price is halved,
// down to leastPrice [else steps may set variables free faster than phases take them to bounds]. If by less, the price
// goes back towards 1 by a factor of two. If the dual would not rise, the phase is discarded, and the price doubles. The
// quota is three times as many variables as the last phase left free, and twenty more: most of the others would meet
// bounds, at |F|² each. If the factor of all of K_FF has no room in memory, there are phases only while the price is
// below 1. A last phase polishes the end of a run if that is cheap.

// free lists the active variables strictly inside their box. The list is valid until the first call after a move.
func (s *solver) free() []int {
	s.f = s.f[:0]
	for k := range s.m {
		if s.up[k] == s.low[k] {
			s.f = append(s.f, k)
		}
	}
	return s.f
}

// phase lists the free variables that a Newton phase takes: none if there is no memory for all and steps gain more.
func (s *solver) phase() []int {
	f := s.free()
	if s.price >= 1 && len(f) > s.most {
		return nil
	}
	return f[:min(len(f), s.most, s.quota)]
}

// newtonCost estimates the cost of a phase: the factor, the rows, a solve for every twelfth variable and one more.
func (s *solver) newtonCost() float64 {
	f := s.phase()
	if s.o.noNewton || len(f) < 2 {
		return math.Inf(1)
	}
	r, m, rows := float64(len(f)), float64(s.m), 0.0
	for _, k := range f {
		rows += s.rowCost(k)
	}
	if len(f) > s.cache.capacity() {
		rows = 2 * r * m * s.cache.cost // a row has left the cache when it is needed again
	}
	return r*r*r/2 + 4*r*r + 2*r*m + rows
}

// rowCost is the cost of row k for the active variables.
func (s *solver) rowCost(k int) float64 {
	if s.cache.has(k, s.m) {
		return 0
	}
	return float64(s.m) * s.cache.cost
}

// newtonPays reports, every newtonAfter steps, whether the steps since the last phase have cost price times another one.
func (s *solver) newtonPays() bool {
	return s.since > 0 && s.since%newtonAfter == 0 && s.spent()-s.mark >= s.price*s.newtonCost()
}

// newton takes a phase (S8), and moves β if the dual then rises. It adapts price and quota for the next.
func (s *solver) newton() {
	f := s.phase()
	before, work, others := s.objective, s.spent(), len(s.f)-len(f)
	d := s.newtonStep(f)
	switch {
	case d == nil || !s.accept(f, d):
		s.price *= 2
	case (s.objective-before)*(work-s.mark) > (before-s.base)*(s.spent()-work): // more for its cost than the steps
		s.price = max(s.price/2, leastPrice)
	default:
		s.price = max(min(1, 2*s.price), s.price/2) // nearer to 1
	}
	s.quota = 3*(len(s.free())-others) + newtonAfter
	s.since, s.mark, s.base = 0, s.spent(), s.objective
}

// zeros returns n zeros, in the memory of x if they fit there.
func zeros(x []float64, n int) []float64 {
	x = slices.Grow(x[:0], n)[:n]
	clear(x)
	return x
}

// settle subtracts the sum of d, which is rounding, from the entry of d for one variable: that one of f which then has
// most room. It returns the index of the entry and the amount, 0 if there is not room enough.
func (s *solver) settle(f []int, d []float64) (best int, excess float64) {
	room := 0.0
	for a, k := range f {
		i := s.at[k]
		v := s.beta[i] + d[a]
		if x := min(s.d.Hi[i]-v, v-s.d.Lo[i]); x > room {
			best, room = a, x
		}
	}
	if excess = total(d); math.Abs(excess) >= room {
		return best, 0
	}
	d[best] -= excess
	return best, excess
}

// accept moves the variables f by d if the dual then rises [by dᵀ(g − ½Kd)]. Over the active variables, Kd is in kd.
func (s *solver) accept(f []int, d []float64) bool {
	gain := 0.0
	for a, k := range f {
		gain += d[a] * (s.up[k] - s.kd[k]/2)
	}
	if !(gain > 0) {
		return false
	}
	s.steps++
	s.rise(gain)
	for a, k := range f {
		s.move(k, d[a], d[a])
	}
	axpy(s.up[:s.m], -1, s.kd)
	axpy(s.low[:s.m], -1, s.kd)
	s.scan()
	return true
}

// newtonStep goes along the bent path of the variables f, and again without those that have stopped, until a whole step
// fits. It returns the displacement, with K times it in kd, or nil if even with the largest ridge there is no factor.
func (s *solver) newtonStep(f []int) []float64 {
	w, in := newWalk(s, f), upTo[int](len(f)) // in: the indices in f of those that take part
	for a, k := range f {
		w.g[a] = s.up[k] - s.middle()
	}
	w.centre()
	factor := w.start()
	if factor == nil {
		return nil
	}
	for factor != nil && len(in) > 1 {
		w.aim(factor, in)
		left := w.climb(in)
		if len(left) == len(in) {
			break
		}
		factor, in = w.drop(factor, in, left), left
	}
	s.settle(f, w.moved)
	s.kd = zeros(s.kd, s.m)
	s.cache.addRows(s.kd, w.moved, f)
	s.work += float64(len(f)) * float64(s.m)
	return w.moved
}

// A walk is the path of a phase. Its vectors have an entry for each variable in f. Once a variable has stopped, its entry
// is 0 in u, v and step, and no longer kept up in g, ku, kv and kstep.
type walk struct {
	*solver      // its f, ridge and step are hidden by those below
	f            []int
	r            int       // the variable with the least Kᵣᵣ
	less         []float64 // after the origin is moved, entry kl of K_FF is Kₖₗ − lessₖ − lessₗ
	g, ridge     []float64 // the gradient, less b, and ρ
	u, v, ku, kv []float64 // u and v of (S8), and K_FF times them
	step, kstep  []float64 // the present piece, and K_FF times it
	moved        []float64 // the displacement so far
}

func newWalk(s *solver, f []int) *walk {
	room := NewMatrix(10, len(f))
	return &walk{solver: s, f: f, g: room.Row(0), ridge: room.Row(1), u: room.Row(2), v: room.Row(3), ku: room.Row(4),
		kv: room.Row(5), step: room.Row(6), kstep: room.Row(7), moved: room.Row(8), less: room.Row(9)}
}

// centre moves the origin to a distance √c from the image of r, the image nearest to the old one.
func (w *walk) centre() {
	w.r = slices.MinFunc(w.f, func(k, l int) int { return cmp.Compare(w.diag[k], w.diag[l]) })
	row, far := w.cache.row(w.r, w.m), 0.0
	for a, k := range w.f {
		w.less[a] = row[k] - w.diag[w.r]/2
		far = max(far, w.diag[k]-2*w.less[a])
	}
	c := max(w.diag[w.r], leastOffset*cmp.Or(far, w.kMax))
	axpy(w.less, -0.5, constant(len(w.f), c))
}

// start returns the factor of K_FF + ρ. The ridge grows until there is one; if there is none at mostRidge, it is nil.
func (w *walk) start() triangle {
	s := w.solver
	for {
		for a, k := range w.f {
			w.ridge[a] = s.ridge * (s.diag[k] - 2*w.less[a])
		}
		factor := w.factor(upTo[int](len(w.f)))
		if factor != nil || s.ridge == mostRidge {
			return factor
		}
		s.ridge = min(10*s.ridge, mostRidge)
	}
}

// aim computes u and v for the variables in, and K_FF times them, from the factor for these variables.
func (w *walk) aim(factor triangle, in []int) {
	u, v := pick(w.g, in), constant(len(in), 1)
	factor.solve(u)
	factor.solve(v)
	scatter(w.u, in, u)
	scatter(w.v, in, v)
	for _, a := range in {
		w.ku[a], w.kv[a] = w.g[a]-w.ridge[a]*w.u[a], 1-w.ridge[a]*w.v[a]
	}
	w.work += 4 * float64(len(in)) * float64(len(in))
}

// climb goes along the bent path of the variables in as far as D rises. It returns those that have not stopped.
func (w *walk) climb(in []int) (left []int) {
	left = slices.Clone(in)
	for len(left) > 1 {
		slope, curvature := w.piece(left)
		if !(slope > 0) {
			break
		}
		if over := curvature / slope; over > 1 { // beyond the top
			divide(w.step, over)
			divide(w.kstep, over)
		}
		theta, stop := w.follow(w.f, w.step, w.moved)
		axpy(w.g, -theta, w.kstep)
		if stop < 0 {
			break
		}
		a := slices.Index(left, stop)
		left = slices.Delete(left, a, a+1)
		row := w.cache.row(w.f[stop], w.m)
		for _, b := range left {
			k := row[w.f[b]] - (w.less[stop] + w.less[b])
			w.ku[b] -= w.u[stop] * k
			w.kv[b] -= w.v[stop] * k
		}
		w.u[stop], w.v[stop], w.step[stop] = 0, 0, 0
		if w.f[stop] == w.r { // nothing is left of v, if K_FF is regular
			break
		}
		w.work += 10 * float64(len(w.f))
	}
	return left
}

// piece computes δ for the variables left, K_FF times it, and how D changes along it: by slope·t − ½curvature·t².
func (w *walk) piece(left []int) (slope, curvature float64) {
	lambda := total(w.u) / total(w.v)
	for _, a := range left {
		w.step[a] = w.u[a] - lambda*w.v[a]
	}
	mean := total(w.step) / float64(len(left))
	for _, a := range left {
		w.step[a] -= mean // 1ᵀδ = 0 again, in spite of the rounding of large u and v
		w.kstep[a] = w.ku[a] - lambda*w.kv[a]
		slope += w.g[a] * w.step[a]
		curvature += w.kstep[a] * w.step[a]
	}
	return slope, curvature
}

// drop returns the factor for the variables left, from the one for in, or anew if that is cheaper.
func (w *walk) drop(factor triangle, in, left []int) triangle {
	r, stopped := float64(len(left)), float64(len(in)-len(left))
	if stopped > r/6+2 {
		return w.factor(left)
	}
	for i, a := range slices.Backward(in) {
		if _, stays := slices.BinarySearch(left, a); !stays {
			factor = factor.drop(i)
		}
	}
	w.work += stopped * r * r
	return factor
}

// follow adds to moved, the displacement of the variables f, as much of x as the box allows, at most all of x. It returns
// the share of x that this is, and the index of the variable now at a bound, or −1. A variable that has stopped has x = 0
// and does not count.
func (s *solver) follow(f []int, x, moved []float64) (theta float64, stop int) {
	theta, stop = 1, -1
	room := 0.0 // from β of stop to its bound
	for a, k := range f {
		i := s.at[k]
		bound := s.d.Hi[i]
		if x[a] < 0 {
			bound = s.d.Lo[i]
		}
		if t := (bound - s.beta[i] - moved[a]) / x[a]; t < theta {
			theta, stop, room = t, a, bound-s.beta[i]
		}
	}
	theta = max(theta, 0)
	axpy(moved, theta, x)
	if stop >= 0 {
		moved[stop] = room
	}
	return theta, stop
}

// factor returns the Cholesky factor of K_FF + ρ for the variables in.
func (w *walk) factor(in []int) triangle {
	f, less, r := pick(w.f, in), pick(w.less, in), len(in)
	w.tri = zeros(w.tri, r*(r+1)/2)
	u := cutTriangle(r, w.tri)
	w.cache.batches(f, w.m, func(first int, rows [][]float64) {
		w.cache.share(float64(len(rows)*r), len(rows), func(k int) {
			a := first + k
			for b, l := range f[a:] {
				u[a][b] = rows[k][l] - (less[a] + less[a+b])
			}
			u[a][0] += w.ridge[in[a]]
		})
	})
	w.work += 2*float64(r)*float64(r) + float64(r)*float64(r)*float64(r)/6
	if u.factorBy(w.cache.team) >= 0 {
		return nil
	}
	return u
}

// Newton's method in the span of the last moves.
//
// Where a factor is dear, some products with K still come for nothing: between two points of the run, a move μ apart, g
// has changed by −Kμ (S7). Note a move every 100 steps, or |F|/16 if that is more. Let the last eight moves be the
// columns of M, and Q = KM. Put δ = Mc into (S8) and multiply by Mᵀ. There are then as many unknowns as moves:
//
//	Ac + λσ = r,  σᵀc = 0,   where  A = MᵀQ,  r = Mᵀg,  σ = Mᵀ1                   (S11)
//
// with c = u − λv, u = A⁻¹r, v = A⁻¹σ, λ = σᵀu/σᵀv as in (S8). At first σ = 0, as every move keeps the sum, and c = u. A
// variable k that is at a bound, or meets one on the way, leaves: its row d of M becomes 0. Let q be row k of Q, and g
// the gradient at the point that has been reached [a share θ of δ makes r − θAc of r]. Then
//
//	M ← M − eₖdᵀ,  Q ← Q − Kₖdᵀ,  A ← A − qdᵀ − dqᵀ + Kₖₖddᵀ,  r ← r − gₖd,  σ ← σ − d     (S12)
//
// [KₖᵀM = qᵀ]. Q itself is not updated: q is its row k, minus Kₖₒdₒ for every variable o that left before, with row dₒ.
// Let τ = Σθc be how much of each move was taken, and Δ the whole displacement. With the original M and Q,
// KΔ = Qτ − Σ (dᵀτ − Δₖ)Kₖ, the sum over the variables k that have left [Mτ moves k by dᵀτ]. Where D curves little a
// run is slow, and successive moves go in similar directions: the span sees how far that leads. It finds the best of
// several directions at once, as conjugate gradients do, for the work of a few steps.

// moves are the last moves of a run, over the active variables in the present order, and K times them.
type moves struct {
	due     int                   // the number of steps at which span is called next
	count   int                   // how many moves there were, or −1 if no start of the next one is known
	beta, g []float64             // where the next move starts
	drift   float64               // in that g
	mark    float64               // the work up to there
	d, q    [spanMoves][]float64  // the columns of M and Q
	slip    spanVector            // the drift in q
	a       [spanMoves]spanVector // MᵀQ
	span    span
}

// A spanVector has a number for each move.
type spanVector [spanMoves]float64

// A span is the state of one spanStep: the moves of the variables that are still free. The next one reuses its memory.
type span struct {
	n           int                   // the number of moves
	a           [spanMoves]spanVector // (S11)
	r, sigma    spanVector
	d           [spanMoves][]float64 // the columns of M, of the free variables
	taken       spanVector           // τ, how much of each move was taken
	moved, step []float64            // the displacement of the free variables, and the next part of it
	left        []leaver
	rows        []int // the variables that leave at the start
}

// A leaver is a variable that has left.
type leaver struct {
	k     int        // its place in the present order
	d     spanVector // its row of M
	moved float64    // Δₖ
}

// span notes the move since the last call, and maximises the dual over the span of the moves noted. It does so only
// where a factor is dear.
func (s *solver) span() {
	f := s.free()
	v := &s.moves
	v.due = s.steps + max(spanAfter, len(f)/spanShare)
	if len(f) < 2 || s.newtonCost() < dearSweeps*stepCost*float64(len(f))*float64(s.m) {
		v.count = -1
		return
	}
	if s.note(); v.count > 0 && s.spanStep(f) && s.accept(f, v.span.moved) {
		for l, c := range v.span.taken {
			s.drift += math.Abs(c) * v.slip[l] // the rounding in kd
		}
	}
	s.setOut()
}

// setOut makes the present point the start of the next move.
func (s *solver) setOut() {
	v := &s.moves
	v.count = max(v.count, 0)
	v.beta, v.g = zeros(v.beta, s.m), zeros(v.g, s.m)
	for k, i := range s.at[:s.m] {
		v.beta[k], v.g[k] = s.beta[i], s.gradient(k)
	}
	v.drift, v.mark = s.drift, s.spent()
}

// note adds the move since setOut to the others, in place of the oldest if there are spanMoves.
func (s *solver) note() {
	v := &s.moves
	if v.count < 0 {
		return
	}
	l := v.count % spanMoves
	v.count++
	d, q := zeros(v.d[l], s.m), zeros(v.q[l], s.m)
	for k, i := range s.at[:s.m] {
		d[k], q[k] = s.beta[i]-v.beta[k], v.g[k]-s.gradient(k) // (S7)
	}
	v.d[l], v.q[l], v.slip[l] = d, q, s.drift-v.drift
	v.span.n = min(v.count, spanMoves)
	for j := range v.span.n {
		v.a[l][j] = Dot(d, v.q[j])
		v.a[j][l] = v.a[l][j]
	}
	s.work += float64(v.span.n * s.m)
}

// spanStep goes to the maximum over the span as newtonStep goes to that over the free variables f. Their displacement is
// then in moves.span.moved, and K times it in kd. It returns false if there is none. Its budget for variables that leave
// is a quarter of the work since setOut. If those now at a bound would need more, it forgets the moves.
func (s *solver) spanStep(f []int) bool {
	v, p := &s.moves, &s.moves.span
	budget := (s.spent()-v.mark)/4 - s.boundCost()
	if budget < 0 {
		v.count = 0
		return false
	}
	s.startSpan(f)
	for before := s.spent(); s.spent()-before < budget; {
		c := p.direction(&v.a)
		clear(p.step)
		for l := range p.n {
			axpy(p.step, c[l], p.d[l])
		}
		theta, stop := s.follow(f, p.step, p.moved)
		axpy(p.taken[:], theta, c[:])
		for l := range p.n {
			p.r[l] -= theta * Dot(p.a[l][:], c[:])
		}
		if stop < 0 {
			break
		}
		for l := range p.n {
			p.d[l][stop] = 0
		}
		s.leave(f, f[stop], p.moved[stop])
	}
	if p.taken == (spanVector{}) {
		return false
	}
	s.spanProduct(f)
	return true
}

// boundCost lists the variables now at a bound that the moves have moved, and returns what it costs to let them leave.
func (s *solver) boundCost() (cost float64) {
	v, p := &s.moves, &s.moves.span
	p.rows = p.rows[:0]
	for k := range s.m {
		if s.up[k] != s.low[k] && slices.ContainsFunc(v.d[:p.n], func(d []float64) bool { return d[k] != 0 }) {
			p.rows = append(p.rows, k)
			cost += s.rowCost(k) + float64(s.m)
		}
	}
	return cost
}

// startSpan sets up the system (S11) for all active variables and M for the free ones, f, and lets the variables that
// boundCost has listed leave.
func (s *solver) startSpan(f []int) {
	v, p := &s.moves, &s.moves.span
	p.a, p.left = v.a, p.left[:0]
	p.r, p.sigma, p.taken = spanVector{}, spanVector{}, spanVector{}
	p.moved, p.step = zeros(p.moved, len(f)), zeros(p.step, len(f))
	for l := range p.n {
		for k, d := range v.d[l] {
			p.r[l] += d * (s.gradient(k) - s.middle())
		}
		p.d[l] = zeros(p.d[l], len(f))
		for a, k := range f {
			p.d[l][a] = v.d[l][k]
		}
	}
	for _, k := range p.rows {
		s.leave(f, k, 0)
	}
}

// spanProduct sets kd to K times the displacement of the variables f: Qτ, minus multiples of the rows of those that have
// left, and of the one that settles Σβ.
func (s *solver) spanProduct(f []int) {
	v, p := &s.moves, &s.moves.span
	best, excess := s.settle(f, p.moved)
	rows, times := []int{f[best]}, []float64{-excess}
	for _, o := range p.left {
		rows, times = append(rows, o.k), append(times, o.moved-Dot(p.taken[:], o.d[:]))
	}
	s.kd = zeros(s.kd, s.m)
	for l := range p.n {
		axpy(s.kd, p.taken[l], v.q[l])
	}
	s.cache.addRows(s.kd, times, rows)
	s.work += float64((2*p.n + len(rows)) * s.m)
}

// leave takes variable k, whose displacement is moved, out of the system (S12).
func (s *solver) leave(f []int, k int, moved float64) {
	v, p := &s.moves, &s.moves.span
	row := s.cache.row(k, s.m)
	g := s.gradient(k) - s.middle()
	for a, j := range f {
		g -= p.moved[a] * row[j]
	}
	var d, q spanVector
	for l := range p.n {
		d[l], q[l] = v.d[l][k], v.q[l][k]
	}
	for _, o := range p.left {
		axpy(q[:], -row[o.k], o.d[:])
	}
	for i := range p.n {
		for j := range p.n {
			p.a[i][j] -= q[i]*d[j] + d[i]*q[j] - s.diag[k]*d[i]*d[j]
		}
		p.r[i] -= g * d[i]
		p.sigma[i] -= d[i]
	}
	p.left = append(p.left, leaver{k, d, moved})
	s.work += float64((p.n + 4) * len(f))
}

// direction returns c of (S11), computed with each move scaled to μᵀKμ = 1. A move of which almost nothing is left,
// beside whole, the A of all variables, takes no part. If A has no factor (rounding, or K is indefinite), c is 0.
func (p *span) direction(whole *[spanMoves]spanVector) (c spanVector) {
	var unit, v spanVector
	for i := range p.n {
		if p.a[i][i] > spanLeast*whole[i][i] {
			unit[i] = 1 / math.Sqrt(p.a[i][i])
		}
	}
	factor := newTriangle(spanMoves)
	for i, row := range factor {
		for j := range row {
			row[j] = unit[i] * p.a[i][i+j] * unit[i+j]
		}
		row[0] = 1 + spanRidge
	}
	if factor.factor() >= 0 {
		return c
	}
	for i := range p.n {
		c[i], v[i] = unit[i]*p.r[i], unit[i]*p.sigma[i]
	}
	sigma := v
	factor.solve(c[:])
	factor.solve(v[:])
	if z := Dot(sigma[:], v[:]); z > 0 { // not if σ = 0
		axpy(c[:], -Dot(sigma[:], c[:])/z, v[:])
	}
	for i := range c {
		c[i] *= unit[i]
	}
	return c
}

// The cache of rows.

// rowCache keeps the rows of K that were used last. Its memory is taken in slabs, when they pay, and cut into slots of
// stride values. Slot slot[k] holds the first size values of row k. The slots form a list from the most to the least
// recently used.
type rowCache struct {
	rows   Rows
	team   *team   // computes them
	cost   float64 // of a value, in multiply-adds
	work   float64 // spent on rows, in multiply-adds
	regret float64 // the part of work, since the last slab was bought, that more memory would have saved
	many   bool    // the memory serves other caches, too

	slabs  [][]float64
	slab   int // the length of each
	limit  int // the most slabs
	stride int
	slot   []int32 // point → slot, or absent or evicted
	slots  []cacheSlot
	newest int32 // head of the list, which is a ring: after the oldest comes the newest again

	lock        sync.Mutex
	badRow, bad int // a pair whose kernel value is not finite, or −1
}

const absent, evicted = -1, -2 // instead of a slot: the row is not there yet, or no longer

type cacheSlot struct {
	owner, size  int32
	newer, older int32
}

// newRowCache makes a cache for the first n points. It may take about the given number of bytes, at least two rows and at
// most all.
func newRowCache(rows Rows, n, bytes int) *rowCache {
	c := &rowCache{rows: rows, team: new(team), cost: rows.Cost(), slot: make([]int32, n), bad: -1}
	capacity := min(n, max(2, bytes/8/max(n, 1)))
	c.limit = (capacity + slabRows - 1) / slabRows
	c.slab = (capacity + c.limit - 1) / max(1, c.limit) * n
	c.cut(n)
	return c
}

// cut empties the cache and sets the length of its slots.
func (c *rowCache) cut(stride int) {
	c.stride = max(1, stride)
	for k := range c.slot {
		c.slot[k] = absent
	}
	c.slots, c.newest = c.slots[:0], 0
}

// capacity is the number of rows that fit.
func (c *rowCache) capacity() int { return min(len(c.slot), c.slab/c.stride*c.limit) }

// at returns the memory of slot s when slots are stride values long.
func (c *rowCache) at(s, stride int) []float64 {
	each := c.slab / stride
	return c.slabs[s/each][s%each*stride:][:stride]
}

// has reports whether the first m values of row k are there. Rows of variables without room never are.
func (c *rowCache) has(k, m int) bool {
	return k < len(c.slot) && c.slot[k] >= 0 && int(c.slots[c.slot[k]].size) >= m
}

// A cachedRow is row k of K for the active variables. Its first have values are already computed.
type cachedRow struct {
	k    int
	v    []float64
	have int
}

// claim returns row k with room for m values and marks them as computed: the caller has to fill what is missing. The row
// stays in place until the cache has been asked for as many other rows as it holds, which is at least one.
func (c *rowCache) claim(k, m int) cachedRow {
	s := c.slot[k]
	if s == evicted {
		c.regret += c.cost * float64(m)
	}
	switch {
	case s >= 0:
	case len(c.slots) < len(c.slabs)*(c.slab/c.stride) || c.buy():
		s = int32(len(c.slots))
		c.slots = append(c.slots, cacheSlot{newer: s, older: s}) // a ring of its own
	default:
		s = c.slots[c.newest].newer // the oldest
		c.slot[c.slots[s].owner] = evicted
	}
	o := &c.slots[s]
	if c.slot[k] < 0 {
		c.slot[k], o.owner, o.size = s, int32(k), 0
	}
	c.touch(s)
	r := cachedRow{k, c.at(int(s), c.stride)[:m], min(m, int(o.size))}
	o.size = max(o.size, int32(m))
	c.work += float64(m-r.have) * c.cost
	return r
}

// touch makes slot s the newest.
func (c *rowCache) touch(s int32) {
	if s == c.newest {
		return
	}
	link := func(newer, older int32) { c.slots[newer].older, c.slots[older].newer = older, newer }
	link(c.slots[s].newer, c.slots[s].older) // s leaves its ring
	link(c.slots[c.newest].newer, s)         // and comes between the oldest
	link(s, c.newest)                        // and the newest
	c.newest = s
}

// buy adds a slab for a row that is not there, if that is allowed and pays. Memory is paid for once; a row that does not
// fit is computed again whenever it is needed again, and how often that will be is unknown. So memory is bought when such
// rows have cost as much as it does: the total is then at most twice what is best in hindsight, and a run that needs
// each row once keeps to one slab. But one row in four is expected to be needed again, and is counted in advance. So a
// row that costs at least four times as much as its memory gets it at once, which adds at most a quarter to the cost of
// rows. Any row of one of many runs gets it at once, too, as their memory is there already.
func (c *rowCache) buy() bool {
	if len(c.slabs) == c.limit || !c.many && len(c.slabs) > 0 && c.regret < (touchCost-c.cost/4)*float64(c.slab) {
		return false
	}
	memory, _ := slabs.Get().(*[]float64)
	if memory == nil || cap(*memory) < c.slab {
		size := c.slab
		if c.many {
			size += size / 4 // for runs with some more points
		}
		memory = new([]float64)
		*memory = make([]float64, size)
	}
	c.slabs, c.regret = append(c.slabs, (*memory)[:c.slab]), 0
	c.slots = slices.Grow(c.slots, c.slab/c.stride)
	return true
}

// slabs has the memory of released caches, as *[]float64: the machines of a classifier, often hundreds of small ones,
// each begin with that of an earlier one.
var slabs sync.Pool

// release makes the memory of the cache available to others. The cache must not be used any more.
func (c *rowCache) release() {
	for i := range c.slabs {
		slabs.Put(&c.slabs[i])
	}
	c.slabs, c.slots = nil, nil
}

// blocks is the number of blocks of m values: as many as blockSize requires, but at least four, or what blocks of an
// eighth of blockSize allow if that is fewer. It must not depend on the workers, because no result may.
func blocks(m int) int { return max((m+blockSize-1)/blockSize, min(4, m/(blockSize/8)), 1) }

// block returns the range of block b of m values.
func block(b, m int) (from, to int) {
	n := blocks(m)
	size := (m + n - 1) / n
	return b * size, min((b+1)*size, m)
}

// fill computes what is missing of r in block b and returns the range of the block.
func (c *rowCache) fill(r cachedRow, b int) (from, to int) {
	from, to = block(b, len(r.v))
	if lo := max(from, r.have); lo < to {
		c.compute(r.v[lo:to], r.k, lo)
	}
	return from, to
}

// peek returns len(memory) values of row k, from … on, without changing the cache: those that are there, or else computed
// into memory.
func (c *rowCache) peek(k, from int, memory []float64) []float64 {
	if to := from + len(memory); c.has(k, to) {
		return c.at(int(c.slot[k]), c.stride)[from:to]
	}
	c.compute(memory, k, from)
	return memory
}

// compute sets v to the values of row k from … on. Of the values that are not finite it notes the first in a fixed order,
// whichever worker finds it.
func (c *rowCache) compute(v []float64, k, from int) {
	c.rows.Row(v, k, from)
	if j := nonFinite(v); j >= 0 {
		c.lock.Lock()
		if j += from; c.bad < 0 || j < c.bad || j == c.bad && k < c.badRow {
			c.badRow, c.bad = k, j
		}
		c.lock.Unlock()
	}
}

// row returns the first m values of row k.
func (c *rowCache) row(k, m int) []float64 {
	r := c.claim(k, m)
	if r.have < m {
		c.team.do(blocks(m), func(b int) { c.fill(r, b) })
	}
	return r.v
}

// share calls f(0) … f(n−1), on several cores if the cost, in multiply-adds, is high enough for that to pay.
func (c *rowCache) share(cost float64, n int, f func(i int)) {
	if cost >= parallelCost {
		c.team.do(n, f)
	} else {
		parallel(1, n, f)
	}
}

// batches calls use for the first m values of the rows f[first], f[first+1], …, as many rows at a time as can stay in
// place in the memory bought so far.
func (c *rowCache) batches(f []int, m int, use func(first int, rows [][]float64)) {
	most := max(1, len(c.slabs)*(c.slab/c.stride))
	for first := 0; first < len(f); first += most {
		rows := make([][]float64, min(most, len(f)-first))
		for k := range rows {
			rows[k] = c.row(f[first+k], m)
		}
		use(first, rows)
	}
}

// addRows adds Σ d[a] K_f[a] to dst, the first values of a sum of rows, four rows in a pass.
func (c *rowCache) addRows(dst, d []float64, f []int) {
	c.batches(f, len(dst), func(first int, rows [][]float64) {
		c.share(float64(len(rows)*len(dst)), blocks(len(dst)), func(b int) {
			from, to := block(b, len(dst))
			sum, c, left := dst[from:to], d[first:], rows
			for ; len(left) >= 4; c, left = c[4:], left[4:] {
				axpy4(sum, c[0], left[0][from:], c[1], left[1][from:], c[2], left[2][from:], c[3], left[3][from:])
			}
			for k, row := range left {
				axpy(sum, c[k], row[from:])
			}
		})
	})
}

// permute reorders the first len(at) points, of which only the first m are needed from now on. If the rows of these would
// not all fit, slots are cut down to m values, which makes room for more.
func (c *rowCache) permute(at []int, m int) {
	c.rows.Permute(at)
	stride := c.stride
	if c.capacity() < m {
		stride = m
	}
	lots := 1 + c.team.members // each with a memory of its own
	c.share(float64(len(c.slots)*len(at)), lots, func(b int) {
		tmp := make([]float64, len(at))
		for s := b; s < len(c.slots); s += lots {
			if o := &c.slots[s]; int(o.size) < len(at) {
				o.size = 0
			} else {
				permute(c.at(s, c.stride), at, tmp)
				o.size = min(o.size, int32(stride))
			}
		}
	})
	for s, o := range c.slots {
		copy(c.at(s, stride)[:o.size], c.at(s, c.stride))
	}
	c.stride = stride
	permute(c.slot, at, make([]int32, len(at)))
	for k, s := range c.slot {
		if s >= 0 {
			c.slots[s].owner = int32(k)
		}
	}
}

// permute sets v[k] to the old v[at[k]] for k < len(at), with the help of tmp.
func permute[T any](v []T, at []int, tmp []T) {
	for k, i := range at {
		tmp[k] = v[i]
	}
	copy(v, tmp[:len(at)])
}
