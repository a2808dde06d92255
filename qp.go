// Copyright 2026 The svm authors. All rights reserved.
// Use of this source code is governed by the MIT
// license that can be found in the LICENSE file.

// Convex quadratic programs: active sets, guessed by proximal points or, where these fail, by an interior-point method.
//
// The problem (C1) is
//
//	minimise f(x) = ½xᵀQx + cᵀx  subject to  Ax ≤ b,  Aeq x = beq,  lo ≤ x ≤ hi,
//
// with Q positive semidefinite and any part absent. Stack the rows of A and Aeq, and a row −eⱼᵀ or eⱼᵀ for every finite
// bound, in one matrix G, with right-hand sides h, and give each inequality a slack:
//
//	symbol        meaning                                                      Go
//	g, h; G       one constraint gᵀx ≤ h or = h; all of them, equations first  constraint; program.g, h
//	x, z, s       unknowns; multipliers, ≥ 0 for inequalities; slacks h − Gx   path.x, z, s
//	Δ             a step                                                       path.dx, dz, ds
//	μ, ν          sᵀz / number of inequalities; the target of a step for sᵢzᵢ  path.mu; target
//	τ             s/z by entries: how soft a constraint is; 0 for an equation  path.soften
//	r_d, r_p, r_c residuals −c − Qx − Gᵀz, h − Gx − s, ν − s∘z (∘ by entries)  path.rd, rp; rc
//	a             the length of a step                                         a
//	ε, x⁰         weight and centre of the proximal term (4)                   eps, x
//
// # Optimality
//
// The Lagrangian (B1) is L(x, z) = f(x) + zᵀ(Gx − h). At a given x, its maximum over the multipliers is
//
//	θ_P(x) = f(x) if x is feasible, and +∞ if not                                              (B4)
//
// [a term zᵢ(Gx − h)ᵢ is at most 0 if constraint i holds; if it fails, zᵢ → ±∞ makes the term as large as we like]. So the
// problem is min over x of max over z. For any feasible x, any z with z ≥ 0 for inequalities, and u with Qu + c + Gᵀz = 0,
//
//	f(x) ≥ L(x, z) ≥ L(u, z) = −½uᵀQu − hᵀz                                                     (B3)
//
// [zᵀ(Gx − h) ≤ 0; u minimises the convex L(·, z), whose gradient at u is 0; substitute c = −Qu − Gᵀz]. With u = x the two
// ends differ by the gap xᵀQx + cᵀx + hᵀz = sᵀz. So the following conditions suffice for optimality. By linear programming
// duality they are also necessary (B5) [an optimal x minimises ∇f(x)ᵀx′ over the feasible x′]:
//
//	Qx + c + Gᵀz = 0,  Gx + s = h,  s = 0 for equations,  s ≥ 0, z ≥ 0, sᵢzᵢ = 0 for inequalities.   (1)
//
// Without inequalities (1) is one linear system (B9). With them, one has to find out which of each pair sᵢ, zᵢ is 0.
//
// # The central path: predictor, corrector, step lengths
//
// Ask for sᵢzᵢ = ν > 0 instead. These are the optimality conditions of f − ν Σ log sᵢ with Gx + s = h [z = ν/s]. If some
// feasible x has s > 0, and some z of (B3) is positive, for inequalities, there is a minimiser for every ν. They form the
// central path, which leads to a solution as ν → 0 [the gap is sᵀz]. Newton's method linearises (s + Δs)(z + Δz) = ν:
//
//	QΔx + GᵀΔz = r_d,  GΔx + Δs = r_p,  sΔz + zΔs = r_c
//	QΔx + GᵀΔz = r_d,  GΔx − τΔz = r_p − r_c/z,  Δs = (r_c − sΔz)/z          (2)   [the third for Δs, into the second]
//
// The first two equations of (2) are a saddle system (L9): one Cholesky factorisation, with bounds on the diagonal alone.
// The predictor solves (2) for ν = 0. A step of length a ≤ 1, at most a share backoff of the way to the boundary of
// s, z ≥ 0, would leave a mean product μ′. The corrector (Mehrotra) solves (2) again, with the same factors, for
//
//	r_c = ν − s∘z − Δs∘Δz,  ν = μ(μ′/μ)³                     (3)   [ΔsΔz of the predictor is what Newton dropped]
//
// and the same rule gives one length a for x, s and z [only then r_d, which contains QΔx, shrinks by the factor 1 − a].
//
// The start solves (2) at x = z = s = 0, with τ = 1 + h² and no r_c. It minimises f(x) + ½ Σ (gᵢᵀx − hᵢ)²/(1 + hᵢ²), the
// sum over inequalities, subject to the equations: x comes near constraints with small h, and remote ones matter little.
// Then s = −τz [= h − Gx] and z are each raised by a constant, if an entry is ≤ 0, and once more, by half their mean
// product over the mean of the other (Mehrotra): where a product is far below μ, his direction can only creep.
//
// # The finish: active sets
//
// The path shows early which constraints will be active. The third equation of Newton's method, divided by sz, is
// Δs/s + Δz/z = ν/sz − 1, which is near −1 towards the end [ν/μ → 0]. Where s vanishes and z does not, Δs/s is near −1;
// where z vanishes, Δz/z is. So the guess is: active if Δs/s < Δz/z (Tapia). It depends neither on units nor on whether s
// and z are those before or after the step [ΔsΔz cancels in Δs(z + aΔz) < Δz(s + aΔs)].
//
// With the active constraints as equations and no others, (1) is one linear system in fewer unknowns (B9). A constraint is
// wrong if it is inactive and violated, or active with a negative multiplier. If none is wrong, (1) is solved up to
// rounding, not only in the limit; else the wrong ones change sides (block pivoting). A round with k unknowns and rows
// left costs k³/6 and a few n². Were all with z < 0 to leave at once, most would return: so few leave, the most negative,
// and thrice as many every round while few enter. Five rounds after the one with the fewest wrong, the finish gives up.
//
// # Before the path: proximal points
//
// The finish can succeed from a poor guess, such as all that x = 0 violates or just meets, unless Q is nearly singular on
// the unknowns left: then the solution is far away, and violates the rest. A proximal term (Rockafellar) keeps it near:
//
//	minimise f(x) + ½ε‖x − x⁰‖²  subject to the constraints of (C1)                            (4)
//
// [Q + εI has no eigenvalue below ε]. Its solution x¹ violates (1) by ε(x⁰ − x¹) in the gradient alone. If x⁰ is feasible,
// f(x¹) ≤ f(x⁰) − ε‖x¹ − x⁰‖² [the objective of (4) has curvature ε or more: from x¹ to x⁰ it rises by ½ε‖x¹ − x⁰‖² at
// least]. So if each x¹ is the next x⁰, with f and ε bounded, ε(x⁰ − x¹) tends to 0. The finish solves (4), from the last
// active set. If it succeeds, ε falls to a third, and one round tries the program itself; if not, ε rises thirtyfold. For
// the dual of an SVM all this costs a few factorisations of order k; the path needs one of order n for every step.
//
// # No solution, and no bound on the multipliers
//
// Let every row of A and Aeq yield by its multiplier: gᵀx ≤ h + z. That replaces τ by τ + 1 in (2), and solves
//
//	minimise f(x) + ½‖t‖²  subject to  gᵀx − t ≤ h or = h for these rows, and the bounds on x  (5)
//
// [∂/∂t of its Lagrangian is t − z: z = t on these rows].
//
// Infeasible: take f = 0. If the minimum is positive, z, which is t on the rows, has Gᵀz = 0 and hᵀz = −‖t‖² < 0 [where
// z ≠ 0, gᵀx − t = h, with t = 0 for a bound: multiply by z and add]. So no x has Gx ≤ h [0 = zᵀGx ≤ hᵀz < 0]: Farkas.
//
// Unbounded: let d be the projection of −c on the cone Qd = 0, gᵀd ≤ 0, or = 0 for equations. If d ≠ 0, then
// cᵀd = −‖d‖² < 0 [−c − d is orthogonal to d], and f falls forever along d from any feasible point. If d = 0, then
// −c = Qu + Gᵀz with z ≥ 0 for inequalities (Farkas). So f is bounded by (B3), and takes its least value (Frank and
// Wolfe): a convex program is infeasible, unbounded or solvable (C5).
//
// Not convex: let S = T^−½QT^−½, T > 0 diagonal and tiny. If the Cholesky factorisation of S + I meets a pivot that is not
// positive, S has an eigenvalue λ ≤ −1 [L2: some y has yᵀSy ≤ −yᵀy]. With its unit eigenvector v, d = T^−½v has dᵀQd = λ.
//
// Solvable, but with dependent active rows: their multipliers may grow until rounding in them drowns the residuals. Then
// keep x, take its active constraints with h = 0, and f = (Qx + c)ᵀd in the unknowns d. Of all z with Qx + c + Gᵀz = 0
// this (5) has one whose part for rows is shortest [by (B3) its dual is to maximise −½‖t‖², t = z].
//
// # What can go wrong
//
// Mixed units: powers of two, which do not round, scale rows and columns to largest entries near 1, first those of G,
// which decide how accurate the solution is; then x as a whole, if most right-hand sides are larger, and the objective.
// Where x or z go to infinity, residuals vanish in rounding: the finish gives up, or, if active rows contradict each
// other, restores its first multipliers. A point is a solution only if its residuals in the program as given are small,
// and the dual one, with twice the digits, is not large. If there is none, the best point comes with ErrNotConverged.
//
// References. Nocedal and Wright, Numerical Optimization, chapter 16: the place to start. Mehrotra (1992) has predictor
// and corrector, El-Bakry, Tapia and Zhang (1994) the guess, Portugal, Júdice and Vicente (1994) block pivoting,
// Rockafellar (1976) proximal points, Frank and Wolfe (1956) that a bounded program has a solution.

package svm

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
)

// What a program without a solution may be. SolveQP wraps each of these in an error that holds the proof.
var (
	ErrInfeasible = errors.New("no point satisfies the constraints")
	ErrUnbounded  = errors.New("the objective is unbounded below")
	ErrNotConvex  = errors.New("the objective is not convex")
)

// A QP is the convex quadratic program (C1)
//
//	minimise ½xᵀQx + cᵀx  subject to  Ax ≤ b,  Aeq x = beq,  lo ≤ x ≤ hi.
//
// A nil part is absent, and so is a constraint with an infinite side: +Inf in B or Hi, −Inf in Lo. Q is symmetric.
type QP struct {
	Q      *Matrix
	C      []float64
	A      *Matrix
	B      []float64
	Aeq    *Matrix
	Beq    []float64
	Lo, Hi []float64
}

// QPOptions says when to stop.
type QPOptions struct {
	Tol     float64 // the largest residual and gap of a solution; 0 means 1e-9
	MaxIter int     // the most interior-point iterations in each of up to six runs; 0 means 200
}

// A QPSolution is a point with a multiplier for every constraint (B5): Ineq, Lower, Upper ≥ 0 and
//
//	Qx + c + AᵀIneq + AeqᵀEq − Lower + Upper = 0
//
// up to DualResidual.
type QPSolution struct {
	X, Ineq, Eq, Lower, Upper []float64

	Objective, DualObjective          float64
	PrimalResidual, DualResidual, Gap float64 // largest |entry|, and |gap|, for the program as given, up to rounding
	Iterations                        int     // of the interior-point run that led to X; 0 if none was needed
}

// An InfeasibleError proves that no x satisfies the constraints (C5): Ineq, Lower, Upper ≥ 0, and up to rounding
//
//	AᵀIneq + AeqᵀEq − Lower + Upper = 0,  bᵀIneq + beqᵀEq − loᵀLower + hiᵀUpper < 0.
//
// Rounding leaves one case open: an x many powers of ten larger than all of b, beq, lo and hi, between nearly dependent
// rows. If a side admits no number at all, such as b = −∞, its multiplier is 1 and stands for the proof. It wraps
// ErrInfeasible.
type InfeasibleError struct{ Ineq, Eq, Lower, Upper []float64 }

func (e *InfeasibleError) Error() string { return "svm: " + ErrInfeasible.Error() }
func (e *InfeasibleError) Unwrap() error { return ErrInfeasible }

// An UnboundedError holds a feasible Point and a Ray d with Qd = 0 and cᵀd < 0 along which every point is feasible, up
// to rounding (C5). It wraps ErrUnbounded.
type UnboundedError struct{ Point, Ray []float64 }

func (e *UnboundedError) Error() string { return "svm: " + ErrUnbounded.Error() }
func (e *UnboundedError) Unwrap() error { return ErrUnbounded }

// A NotConvexError holds a Direction d, with largest entry ±1, and its Curvature dᵀQd < 0 (C5). Finding it takes as long
// as SymEigen. It wraps ErrNotConvex.
type NotConvexError struct {
	Direction []float64
	Curvature float64
}

func (e *NotConvexError) Error() string {
	return fmt.Sprintf("svm: %v: curvature %.3g", ErrNotConvex, e.Curvature)
}
func (e *NotConvexError) Unwrap() error { return ErrNotConvex }

// The tolerances, for data scaled to largest entries near 1.
const (
	backoff    = 0.995 // share of the way to the boundary
	rounds     = 6     // of the finish before it gives up, counted from the one with the fewest wrong constraints so far
	share      = 10    // n/share + 1 constraints may leave, and thrice as many every round while at most 1/share of that enter
	products   = 80    // most work of a finish on the path besides a factorisation, in products of Q with a vector
	gentle     = 1e-3  // the first ε, as a share of the mean curvature
	steep      = 32    // largest entry of Q, at most, beside 1 for c: some curvature helps many programs, more helps none
	near       = 1e-6  // the finish visits a point if no slack or multiplier is this far below 0
	remote     = 1e8   // an x or z of this size is on its way to infinity, where residuals may vanish in rounding
	leap       = 1e6   // an h more than this many times the next smaller one, and 1, stands for infinity
	soft       = 0.03  // rows yield by soft·Tol·z; if they contradict by t·Tol, this adds about (soft·z² + t²/soft)·Tol to the gap
	patience   = 25    // iterations without 10% progress, in the residuals, or in the largest of them and μ, before giving up
	exact      = 1e-6  // residual left in (2), as a share of min(1, μ)
	asymmetric = 1e-12 // relative difference of Q and Qᵀ that passes for rounding
	flat       = 1e-14 // (n + 10) times this, relative to the data, is rounding
	certain    = 1e-9  // relative error allowed in a certificate
)

// SolveQP returns a solution: both residuals and the gap are at most o.Tol. If it finds none, the error is or wraps an
// *InfeasibleError, *UnboundedError or *NotConvexError with a proof; ErrNotFinite; a description of a mistake in the
// options, shapes or symmetry; or ErrNotConverged, which comes with the best point found. An iteration with n
// unknowns and m rows of A and Aeq costs n³/6 + mn²/2 multiplications, or up to (n + k)³/6 + mn² if k rows are active,
// where rows of A that determine x well count for at most 3n. The active sets cost about as much again. Fewer than 30
// iterations are typical. Proximal points, limited to the work of a few iterations, come first, and often suffice.
//
// The tolerance is absolute: where the terms of the objective add up to 10⁵ or more, rounding alone may exceed 1e-9.
// Then set a larger o.Tol, though one far below the entries of c, or see how good the point with ErrNotConverged is.
func SolveQP(q QP, o QPOptions) (*QPSolution, error) {
	if !(o.Tol >= 0) || math.IsInf(o.Tol, 1) || o.MaxIter < 0 {
		return nil, fmt.Errorf("svm: QPOptions: Tol %v, MaxIter %d: want finite values, not negative", o.Tol, o.MaxIter)
	}
	o.Tol, o.MaxIter = cmp.Or(o.Tol, 1e-9), cmp.Or(o.MaxIter, 200)
	q, err := q.complete()
	if err == nil {
		err = q.contradiction(o.Tol)
	}
	if err == nil {
		err = q.convex()
	}
	if err != nil {
		return nil, err
	}
	s := q.solve(o, 0)
	if s.worst() <= o.Tol {
		return s, nil
	}
	point, err := q.phaseOne(o)
	if err != nil {
		return nil, err
	}
	if point != nil {
		if ray := q.ray(o.MaxIter); ray != nil {
			return nil, &UnboundedError{point, ray}
		}
	}
	if t := q.solve(o, soft*o.Tol); t.worst() < s.worst() {
		s = t
	}
	if s.worst() <= o.Tol {
		return s, nil
	}
	return s, fmt.Errorf("svm: SolveQP: primal residual %.1e, dual residual %.1e, gap %.1e after %d iterations: %w",
		s.PrimalResidual, s.DualResidual, s.Gap, s.Iterations, ErrNotConverged)
}

// complete returns q with every part present, or an error that says what is wrong with q.
func (q QP) complete() (QP, error) {
	n, inf := max(len(q.C), len(q.Lo), len(q.Hi)), math.Inf(1)
	for _, m := range []*Matrix{q.Q, q.A, q.Aeq} {
		if m != nil {
			n = max(n, m.Cols)
		}
	}
	matrix := func(name string, p **Matrix, rows int, absent bool) error {
		if m := *p; m == nil && absent || m != nil && m.Rows == rows && rows*n == 0 {
			*p = NewMatrix(rows, n)
		} else if m == nil || m.Rows != rows || m.Cols != n || len(m.Data) != rows*n {
			return fmt.Errorf("svm: QP: %s is absent or not a matrix of %d×%d", name, rows, n)
		}
		return (*p).finite("QP: " + name)
	}
	vector := func(name string, v *[]float64, n int, missing float64) error {
		if *v == nil {
			*v = constant(n, missing)
		}
		return fault("QP: "+name, *v, n, missing != 0)
	}
	err := cmp.Or(
		matrix("Q", &q.Q, n, true), matrix("A", &q.A, len(q.B), len(q.B) == 0), matrix("Aeq", &q.Aeq, len(q.Beq), len(q.Beq) == 0),
		vector("C", &q.C, n, 0), vector("B", &q.B, len(q.B), inf), vector("Beq", &q.Beq, len(q.Beq), 0),
		vector("Lo", &q.Lo, n, -inf), vector("Hi", &q.Hi, n, inf))
	if err != nil {
		return q, err
	}
	slack := asymmetric * largest(q.Q.Data)
	for i := range n {
		for j, v := range q.Q.Row(i)[:i] {
			if w := q.Q.At(j, i); math.Abs(v-w) > slack {
				return q, fmt.Errorf("svm: QP: Q[%d][%d] is %v, Q[%d][%d] is %v: want a symmetric matrix", i, j, v, j, i, w)
			}
		}
	}
	return q, nil
}

// A constraint is gᵀx ≤ h, or gᵀx = h. Its g is a row of A or Aeq, or ±eⱼ.
type constraint struct {
	form
	h  float64
	eq bool
}

// excess returns by how much x violates c.
func (c *constraint) excess(x []float64) float64 {
	e := c.of(x) - c.h
	if c.eq {
		return math.Abs(e)
	}
	return e
}

// constraints lists the rows of A, those of Aeq, the lower bounds and the upper ones. Equal bounds are two equations.
func (q QP) constraints() []constraint {
	list := make([]constraint, 0, len(q.B)+len(q.Beq)+2*len(q.C))
	for i, b := range q.B {
		list = append(list, constraint{form{row: q.A.Row(i)}, b, false})
	}
	for i, b := range q.Beq {
		list = append(list, constraint{form{row: q.Aeq.Row(i)}, b, true})
	}
	for j, lo := range q.Lo {
		list = append(list, constraint{form{j: j, sign: -1}, -lo, lo == q.Hi[j]})
	}
	for j, hi := range q.Hi {
		list = append(list, constraint{form{j: j, sign: 1}, hi, hi == q.Lo[j]})
	}
	return list
}

// split divides multipliers, in the order of constraints, among the parts of q. Its inverse is slices.Concat.
func (q QP) split(z []float64) (ineq, eq, lower, upper []float64) {
	a, b, c := len(q.B), len(q.B)+len(q.Beq), len(q.B)+len(q.Beq)+len(q.Lo)
	return z[:a:a], z[a:b:b], z[b:c:c], z[c:]
}

// contradiction returns an InfeasibleError if a side is −∞, if bounds cross, or if a row of zeros is violated by more
// than tol.
func (q QP) contradiction(tol float64) error {
	list := q.constraints()
	z := make([]float64, len(list))
	for i, c := range list {
		if c.row != nil && largest(c.row) == 0 && c.excess(q.C) > tol { // q.C or any other point
			z[i] = math.Copysign(1, -c.h)
			return q.infeasible(z)
		}
		if crossed := c.sign > 0 && c.h < q.Lo[c.j]; crossed || math.IsInf(c.h, -1) {
			z[i] = 1
			if crossed {
				z[i-len(q.Lo)] = 1
			}
			return q.infeasible(z)
		}
	}
	return nil
}

// infeasible returns the InfeasibleError with these multipliers of constraints.
func (q QP) infeasible(z []float64) error {
	ineq, eq, lower, upper := q.split(z)
	return &InfeasibleError{ineq, eq, lower, upper}
}

// rounding returns how far from 0 rounding may take an eigenvalue or a sum of products, relative to the data.
func (q QP) rounding() float64 { return flat * float64(len(q.C)+10) }

// convex returns a NotConvexError if Q has negative curvature beyond the rounding of its entries. In row i this is taken
// to be rounding() times the largest entry of the row, whatever the units of the unknowns.
func (q QP) convex() error {
	n, unit := len(q.C), make([]float64, len(q.C)) // T^−½, up to a factor
	for i := range n {
		unit[i] = 1 / math.Sqrt(cmp.Or(largest(q.Q.Row(i)), 1))
	}
	u := q.Q.scaled(unit).upper()
	for _, row := range u {
		row[0] += q.rounding()
	}
	if u.factor() < 0 {
		return nil
	}
	_, v := SymEigen(q.Q.scaled(unit))
	d, qd := times(v.T().Row(0), unit), make([]float64, n)
	divide(d, largest(d))
	q.Q.MulVec(qd, d)
	if curvature := Dot(d, qd); curvature < 0 {
		return &NotConvexError{d, curvature}
	}
	return nil
}

// solve tries proximal points, follows the path, then looks for shorter multipliers. Each of these calls visit with
// every point that may be a solution. visit keeps the best, and returns true, which ends the search, once that meets
// o.Tol. If only rounding makes it do so, shorter multipliers may be better. With give > 0 the rows yield to h + give·z,
// as in (5): else rows that contradict each other by less than o.Tol have no solution, only multipliers without limit.
func (q QP) solve(o QPOptions, give float64) (best *QPSolution) {
	p := q.program()
	p.yield(give)
	var bx, bz []float64
	hidden := math.Inf(1)     // the dual residual of the best point, from reveal; +Inf if that was not called
	slack := math.Sqrt(o.Tol) // the largest such residual of a solution
	enough := slack           // one that ends the search
	visit := func(x, z []float64) bool {
		s, r := q.certify(q.restore(p, x, z)), math.Inf(1)
		if s.worst() <= o.Tol {
			if r = q.reveal(s); !(r <= slack) {
				s.DualResidual = r
			}
		}
		if best == nil || s.worst() < max(best.worst(), o.Tol) && (best.worst() > o.Tol || r < hidden) {
			best, bx, bz, hidden = s, slices.Clone(x), slices.Clone(z), r
		}
		return hidden <= enough
	}
	iterations := 0
	if !p.approach(visit) {
		iterations = p.follow(o.MaxIter, visit)
	}
	enough = o.Tol // from here on only a point that meets o.Tol in twice the digits ends the search
	if !(hidden <= enough) && best.PrimalResidual <= o.Tol {
		p.shorten(o.MaxIter, bx, bz, visit)
	}
	best.Iterations = iterations
	return best
}

// certify computes the rest of a solution from x and the multipliers z of the rows alone (B5). It overwrites those of
// the bounds, from the gradient g of the Lagrangian without bounds: Lower = g₊ where a lower bound is at most
// max(1, |x|) away, Upper = g₋ where an upper one is. What remains of g is the dual residual.
func (q QP) certify(x, z []float64) *QPSolution {
	s, g := &QPSolution{X: x}, make([]float64, len(x))
	q.Q.MulVec(g, x)
	curve := Dot(x, g) / 2
	axpy(g, 1, q.C)
	s.Objective, s.DualObjective = curve+Dot(q.C, x), -curve
	s.Gap = Dot(x, g)
	for i, c := range q.constraints() {
		s.PrimalResidual = max(s.PrimalResidual, c.excess(x))
		if c.row == nil {
			z[i] = 0
			if c.h-c.of(x) <= max(1, math.Abs(x[c.j])) {
				z[i] = max(0, -c.sign*g[c.j])
			}
		}
		if z[i] != 0 {
			c.add(g, z[i])
			s.Gap += c.h * z[i]
			s.DualObjective -= c.h * z[i]
		}
	}
	s.Gap, s.DualResidual = math.Abs(s.Gap), largest(g)
	s.Ineq, s.Eq, s.Lower, s.Upper = q.split(z)
	return s
}

// reveal computes the dual residual of s with twice as many digits: rounding may have hidden it.
func (q QP) reveal(s *QPSolution) float64 {
	g, lost := make([]float64, len(s.X)), make([]float64, len(s.X))
	add := func(m *Matrix, v []float64) { // adds mᵀv
		for i, a := range v {
			axpyExact(g, lost, a, m.Row(i))
		}
	}
	add(q.Q, s.X)
	add(q.A, s.Ineq)
	add(q.Aeq, s.Eq)
	add(MatrixFromRows([][]float64{q.C, s.Lower, s.Upper}), []float64{1, -1, 1})
	axpy(g, 1, lost)
	return largest(g)
}

// worst returns the largest of the residuals and the gap, +Inf if anything has overflowed.
func (s *QPSolution) worst() float64 {
	w := max(s.PrimalResidual, s.DualResidual, s.Gap)
	if nonFinite([]float64{w, s.Objective, s.DualObjective}) >= 0 {
		return math.Inf(1)
	}
	return w
}

// A program is a QP in other units: minimise ½xᵀQx + cᵀx subject to Gx + s = h, s = 0 for the first eq constraints,
// s ≥ 0 for the others. The saddle holds Q, G and d: constraint i yields to hᵢ + dᵢzᵢ, as in (5). In the QP, this x is
// unit·x, and constraint i is number at[i], with the multiplier scale[i]·z[i].
type program struct {
	saddle
	c, h        []float64
	eq          int
	unit, scale []float64
	at          []int
}

// program returns q without absent constraints, in other units.
func (q QP) program() *program {
	p := &program{saddle: saddle{a: q.Q}, c: q.C}
	for _, eq := range []bool{true, false} {
		for i, c := range q.constraints() {
			if c.eq == eq && !math.IsInf(c.h, 1) {
				p.g, p.h, p.at = append(p.g, c.form), append(p.h, c.h), append(p.at, i)
			}
		}
		if eq {
			p.eq = len(p.g)
		}
	}
	p.d = make([]float64, len(p.g))
	p.equilibrate()
	p.chooseUnits()
	return p
}

// equilibrate chooses units of x and of the rows of G, all powers of two, that bring largest entries near 1. For column
// j let v be the largest entry of A and Aeq, each row divided by the root of its largest entry (Ruiz), and q that of
// Q. The unit of xⱼ is min(1/v, √(κ/q)), with κ the median of q/v²: the unit of the objective is free, and with this
// choice A and Aeq decide for half of the unknowns.
func (p *program) equilibrate() {
	col, curve := make([]float64, len(p.c)), make([]float64, len(p.c))
	for _, g := range p.g {
		big := math.Sqrt(largest(g.row))
		for j, v := range g.row {
			if v != 0 {
				col[j] = max(col[j], math.Abs(v)/big)
			}
		}
	}
	kappa, weights := 1.0, []float64(nil)
	for j, v := range col {
		if curve[j] = largest(p.a.Row(j)); curve[j] > 0 && v > 0 {
			weights = append(weights, curve[j]/v/v)
		}
	}
	if len(weights) > 0 {
		kappa = median(weights)
	}
	for j, v := range col {
		col[j] = math.Sqrt(inverse(max(curve[j]/kappa, v*v)))
	}
	p.a, p.c, p.unit, p.scale = p.a.scaled(col), times(p.c, col), col, make([]float64, len(p.g))
	for i := range p.g {
		if g := &p.g[i]; g.row == nil {
			p.scale[i] = 1 / col[g.j]
		} else {
			g.row = times(g.row, col)
			p.scale[i] = normalise(g.row)
		}
		p.h[i] *= p.scale[i]
	}
}

// chooseUnits scales x so that the median of what tells its size, the sides h ≠ 0 and ‖c‖/‖Q‖, is about 1 or less, and
// then the objective, so that c is near 1 or, if this left Q above steep, Q near steep. Sides beyond a leap that x = 0
// satisfies do not count: they stand for infinity. Sides of inequalities are cut to leap², or the start would be as far
// out. If such a side were meant, and active, the result would fail in the original q, by which all points are judged.
func (p *program) chooseUnits() {
	big := largest(p.a.Data)
	sizes := []float64{largest(p.c) / cmp.Or(big, math.Inf(1))}
	firm := 1.0 // largest side, of 1 and those that x = 0 breaks
	for i, h := range p.h {
		if h != 0 {
			sizes = append(sizes, math.Abs(h))
		}
		if i < p.eq || h < 0 {
			firm = max(firm, math.Abs(h))
		}
	}
	slices.Sort(sizes)
	for i, size := range sizes[1:] {
		if last := sizes[i]; last > 0 && size > leap*max(firm, last) {
			sizes = sizes[:i+1]
			break
		}
	}
	unit := max(1, 1/inverse(median(sizes)))
	kappa := 1 / inverse(max(largest(p.c), unit*big/steep))
	divide(p.h, unit)
	for i := p.eq; i < len(p.h); i++ {
		p.h[i] = min(p.h[i], leap*leap)
	}
	divide(p.unit, 1/unit)
	divide(p.scale, 1/kappa)
	divide(p.c, kappa)
	divide(p.a.Data, kappa/unit)
}

// median sorts x and returns the entry in the middle, or the upper one of two.
func median(x []float64) float64 {
	slices.Sort(x)
	return x[len(x)/2]
}

// inverse returns the power of four nearest to 1/v, within 2^±500 so that no product of scales overflows, or 1 if v = 0.
func inverse(v float64) float64 {
	return math.Exp2(-2 * math.Round(math.Log2(min(max(cmp.Or(v, 1), 0x1p-500), 0x1p500))/2))
}

// normalise multiplies row by a power of two, which it returns, that brings its largest entry near 1.
func normalise(row []float64) float64 {
	scale := inverse(largest(row))
	divide(row, 1/scale)
	return scale
}

// restore returns a point of p in the units of q, moved into its bounds, and its multipliers, ≥ 0 for inequalities.
func (q QP) restore(p *program, x, z []float64) (point, prices []float64) {
	point, prices = times(x, p.unit), make([]float64, len(q.B)+len(q.Beq)+2*len(x))
	for j, v := range point {
		point[j] = min(max(v, q.Lo[j]), q.Hi[j])
	}
	for i, at := range p.at {
		prices[at] = z[i] * p.scale[i]
		if i >= p.eq {
			prices[at] = max(0, prices[at])
		}
	}
	return point, prices
}

// residuals sets rd = −c − Qx − Gᵀz and rp = h + dz − Gx.
func (p *program) residuals(rd, rp, x, z []float64) {
	for j, c := range p.c {
		rd[j] = -c
	}
	copy(rp, p.h)
	p.subtract(rd, rp, x, z)
}

// A path is a point (x, z, s) near the central path, with its residuals, its next step, and the system (2) for the step.
type path struct {
	*program
	newton     saddle
	x, z, s    []float64
	dx, dz, ds []float64
	rd, rp     []float64
	mu         float64 // the mean product
}

func newPath(p *program) *path {
	n, m := len(p.c), len(p.g)
	return &path{program: p, newton: saddle{a: p.a, g: p.g, d: make([]float64, m)},
		x: make([]float64, n), dx: make([]float64, n), rd: make([]float64, n),
		z: make([]float64, m), dz: make([]float64, m), rp: make([]float64, m), s: make([]float64, m), ds: make([]float64, m)}
}

// follow visits the points of the path, and those of the finish, until visit returns true, progress ends, or limit
// iterations are done.
func (p *program) follow(limit int, visit func(x, z []float64) bool) (iterations int) {
	t := newPath(p)
	t.start()
	for least, broken, stalled := math.Inf(1), math.Inf(1), 0; ; iterations++ {
		residual := t.measure()
		missing := max(residual, t.mu)
		if visit(t.x, t.z) {
			break
		}
		if _, done := p.finish(t.guess(), t.x, t.z, p.effort(), visit); done {
			break
		}
		stalled++
		if missing < 0.9*least || residual < 0.9*broken { // the residuals alone may fall: μ may have to rise first
			least, broken, stalled = min(least, missing), min(broken, residual), 0
		}
		if iterations == limit || stalled == patience || !t.step() {
			break
		}
	}
	return iterations
}

// start solves (2) with τ = 1 + h², and then raises s = −τz and z twice.
func (t *path) start() {
	s, z := t.s[t.eq:], t.z[t.eq:]
	for i, h := range t.h[t.eq:] {
		s[i], z[i] = 1+h*h, 1 // s/z = τ
	}
	t.soften()
	clear(z)
	t.residuals(t.rd, t.rp, t.x, t.z)
	t.newton.solve(t.rd, t.rp, t.x, t.z, 0)
	if len(s) == 0 {
		return // this is the solution (B9)
	}
	for i := range s {
		s[i] *= -z[i]
	}
	ones := constant(len(s), 1)
	for _, v := range [][]float64{s, z} {
		if least := slices.Min(v); least <= 0 {
			axpy(v, 1-least, ones)
		}
	}
	product := Dot(s, z) / 2
	ds, dz := product/total(z), product/total(s)
	axpy(s, ds, ones)
	axpy(z, dz, ones)
}

// soften factors the system (2), with τ = s/z. It reports success.
func (t *path) soften() bool {
	copy(t.newton.d, t.d)
	for i := t.eq; i < len(t.z); i++ {
		t.newton.d[i] += t.s[i] / t.z[i]
	}
	return t.newton.factor()
}

// measure computes r_d, r_p and μ, and returns the largest entry of the residuals.
func (t *path) measure() float64 {
	t.residuals(t.rd, t.rp, t.x, t.z)
	axpy(t.rp, -1, t.s)
	t.mu = Dot(t.s, t.z) / float64(len(t.s)-t.eq)
	return max(largest(t.rd), largest(t.rp))
}

// step moves along Mehrotra's direction. It reports whether (2) could be factored.
func (t *path) step() bool {
	if !t.soften() {
		return false
	}
	clear(t.ds)
	clear(t.dz)
	a, after := t.direction(0), 0.0
	for i := t.eq; i < len(t.z); i++ {
		after += (t.s[i] + a*t.ds[i]) * (t.z[i] + a*t.dz[i])
	}
	after /= float64(len(t.z) - t.eq)
	a = t.direction(t.mu * math.Pow(after/t.mu, 3))
	axpy(t.x, a, t.dx)
	axpy(t.s, a, t.ds)
	axpy(t.z, a, t.dz)
	return true
}

// direction solves (2) with the r_c of (3), where ν is target and ΔsΔz is that of the previous direction, and returns
// the length of the step.
func (t *path) direction(target float64) float64 {
	rc, r2 := make([]float64, len(t.z)), slices.Clone(t.rp)
	for i := t.eq; i < len(rc); i++ {
		rc[i] = target - t.s[i]*t.z[i] - t.ds[i]*t.dz[i]
		r2[i] -= rc[i] / t.z[i]
	}
	clear(t.dx)
	clear(t.dz)
	t.newton.solve(t.rd, r2, t.dx, t.dz, exact*min(1, t.mu))
	for i := t.eq; i < len(rc); i++ {
		t.ds[i] = (rc[i] - t.s[i]*t.dz[i]) / t.z[i]
	}
	return min(length(t.s[t.eq:], t.ds[t.eq:]), length(t.z[t.eq:], t.dz[t.eq:]))
}

// length returns how far v may move along dv: at most 1, and not quite to where its first entry vanishes.
func length(v, dv []float64) float64 {
	a := 1.0
	for i, d := range dv {
		if d < 0 {
			a = min(a, backoff*v[i]/-d)
		}
	}
	return a
}

// guess returns the constraints that should be active in the solution, by the last step: equations, and Δs/s < Δz/z.
func (t *path) guess() []bool {
	active := make([]bool, len(t.z))
	for i := range active {
		active[i] = i < t.eq || t.ds[i]*t.z[i] < t.dz[i]*t.s[i]
	}
	return active
}

// finish is the active-set method, from (x0, z0) and the set active, which it changes. It visits points that are nearly
// optimal, until visit returns true (done), the method fails, or its work, in multiplications, reaches the limit.
func (p *program) finish(active []bool, x0, z0 []float64, limit float64, visit func(x, z []float64) bool) (
	work float64, done bool) {
	x, z := slices.Clone(x0), slices.Clone(z0)
	rd, slack := make([]float64, len(x)), make([]float64, len(z))
	fewest, few := len(z)+1, len(x)/share+1
	p.residuals(rd, slack, x, z)
	for round := 0; round < rounds && work < limit; round++ {
		size, ok := p.polish(active, x, z, rd, slack)
		work += size*size*size/6 + float64(len(x)*(len(x)+len(z)))
		if !ok || largest(x) > remote {
			break
		}
		price := largest(z) // the largest multiplier of a row: bounds have none yet
		enter, leave, worst := p.wrong(active, z, rd, slack)
		if worst < near && visit(x, z) {
			return work, true
		}
		wrong := len(enter) + len(leave)
		if wrong < fewest {
			fewest, round = wrong, 0
		}
		if price > remote && wrong == 0 { // another round would be the same
			break
		}
		if share*len(enter) > few {
			few = len(x)/share + 1
		} else {
			few = min(3*few, len(z))
		}
		slices.SortStableFunc(leave, func(i, j int) int { return cmp.Compare(z[i], z[j]) })
		for _, i := range slices.Concat(enter, leave[:min(len(leave), few)]) {
			active[i] = !active[i]
		}
		if price > remote { // rows that contradict each other: z only tells which of them should leave
			copy(z, z0)
			p.residuals(rd, slack, x, z)
		}
	}
	return work, false
}

// polish moves (x, z), with its residuals rd and rp, to a solution of the program with the active constraints as
// equations and no others. It solves one linear system (B9) for the change of (x, z): of many solutions it finds one
// nearby. Bounds get no multipliers here: rd shows them at fixed unknowns. It returns the size of the system.
func (p *program) polish(active []bool, x, z, rd, rp []float64) (size float64, ok bool) {
	var free, rows []int
	fixed := make([]bool, len(x))
	dx, dz := make([]float64, len(x)), make([]float64, len(z))
	for i := range p.g {
		g := &p.g[i]
		if active[i] && g.row != nil {
			rows = append(rows, i)
			continue
		}
		dz[i], z[i] = -z[i], 0
		if active[i] && !fixed[g.j] {
			h := g.sign * p.h[i]
			fixed[g.j], dx[g.j], x[g.j] = true, h-x[g.j], h
		}
	}
	for j, f := range fixed {
		if !f {
			free = append(free, j)
		}
	}
	if size = float64(len(free) + len(rows)); size > float64(p.eq+3*len(x)) {
		return size, false // a guess that would cost more than the step
	}
	sub := p.restrict(free, rows)
	if !sub.factor() {
		return size, false
	}
	p.subtract(rd, rp, dx, dz) // x and z have moved by these
	dx, dz = make([]float64, len(free)), make([]float64, len(rows))
	sub.solve(pick(rd, free), pick(rp, rows), dx, dz, 0)
	for k, j := range free {
		x[j] += dx[k]
	}
	for k, i := range rows {
		z[i] += dz[k]
	}
	p.residuals(rd, rp, x, z)
	return size, true
}

// restrict returns the saddle of some of the unknowns and rows.
func (p *program) restrict(unknowns, rows []int) *saddle {
	sub := &saddle{a: NewMatrix(len(unknowns), len(unknowns)), g: make([]form, len(rows)), d: pick(p.d, rows)}
	for k, j := range unknowns {
		row, dst := p.a.Row(j), sub.a.Row(k)
		for l, i := range unknowns {
			dst[l] = row[i]
		}
	}
	for k, i := range rows {
		sub.g[k].row = pick(p.g[i].row, unknowns)
	}
	return sub
}

// wrong lists the constraints that are wrong after polish, those to enter the active set and those to leave it, and by
// how much the worst is wrong. It first gives active bounds their multipliers, from rd.
func (p *program) wrong(active []bool, z, rd, slack []float64) (enter, leave []int, worst float64) {
	for i := p.eq; i < len(z); i++ {
		if g := &p.g[i]; active[i] && g.row == nil {
			z[i], rd[g.j] = g.sign*rd[g.j], 0
		}
		if !active[i] && slack[i] < 0 {
			enter, worst = append(enter, i), max(worst, -slack[i])
		} else if active[i] && z[i] < 0 {
			leave, worst = append(leave, i), max(worst, -z[i])
		}
	}
	return enter, leave, worst
}

// effort returns a limit for the work of a finish on the path: about that of a step.
func (p *program) effort() float64 {
	n, rows := float64(len(p.c)), 0.0
	for _, g := range p.g {
		if g.row != nil {
			rows++
		}
	}
	return n * n * (n/6 + rows/2 + products)
}

// approach is the proximal point method (4). First, and after each proximal point, it tries the finish on the program
// itself. It reports whether visit returned true. Without inequalities it has nothing to do: the path starts solved.
func (p *program) approach(visit func(x, z []float64) bool) bool {
	if p.eq == len(p.g) {
		return false
	}
	n, q, mean := len(p.c), *p, 0.0 // q is (4)
	q.a, q.c = &Matrix{n, n, slices.Clone(p.a.Data)}, make([]float64, n)
	for j := range n {
		mean += p.a.At(j, j) / float64(n)
	}
	x, z, active := make([]float64, n), make([]float64, len(p.g)), make([]bool, len(p.g))
	for i, h := range p.h {
		active[i] = i < p.eq || h <= 0
	}
	eps, left := gentle*cmp.Or(mean, 1), 4*p.effort()
	for trial := left; left > 0; { // the limit of the next trial: one round after a proximal point, none after a failure
		work, ok := p.finish(slices.Clone(active), x, z, trial, visit)
		if ok {
			return true
		}
		left -= work
		p.setProximal(&q, eps, x)
		work, ok = q.finish(active, x, z, left, func(y, u []float64) bool {
			copy(x, y)
			copy(z, u)
			return true
		})
		left -= work
		if ok {
			eps, trial = eps/3, 1
		} else {
			eps, trial = eps*30, 0
		}
	}
	return false
}

// setProximal gives q the objective (4), with the weight eps and the centre x.
func (p *program) setProximal(q *program, eps float64, x []float64) {
	for j, c := range p.c {
		q.a.Set(j, j, p.a.At(j, j)+eps)
		q.c[j] = c - eps*x[j]
	}
}

// yield lets the rows of p yield to h + give·z, as in (5).
func (p *program) yield(give float64) {
	for i, g := range p.g {
		if g.row != nil {
			p.d[i] = give
		}
	}
}

// shorten visits x with ever shorter multipliers of the constraints active there, by (5). It overwrites z.
func (p *program) shorten(limit int, x, z []float64, visit func(x, z []float64) bool) {
	rd, slack := make([]float64, len(x)), make([]float64, len(z))
	p.residuals(rd, slack, x, make([]float64, len(z)))
	var index []int
	for i, s := range slack {
		if i < p.eq || s <= z[i] {
			index = append(index, i)
		}
	}
	zeros := make([]float64, len(index))
	local := &program{saddle: saddle{a: NewMatrix(len(x), len(x)), g: pick(p.g, index), d: slices.Clone(zeros)},
		c: times(rd, constant(len(x), -1)), h: zeros, eq: p.eq}
	local.yield(1)
	local.follow(limit, func(_, prices []float64) bool {
		clear(z)
		scatter(z, index, prices)
		return visit(x, z)
	})
}

// phaseOne returns a feasible point or an InfeasibleError, by (5) with f = 0, or neither if it cannot tell.
func (q QP) phaseOne(o QPOptions) (point []float64, err error) {
	n := len(q.C)
	q.Q, q.C = NewMatrix(n, n), make([]float64, n)
	p := q.program()
	p.yield(1)
	p.follow(o.MaxIter, func(x, z []float64) bool {
		x, z = q.restore(p, x, z)
		if s := q.certify(x, z); s.PrimalResidual <= min(o.Tol, certain*max(1, largest(x))) {
			point = x
		} else {
			if err = q.farkas(x, z, p.unit, o.Tol); err == nil {
				err = q.farkas(x, q.lean(z), p.unit, o.Tol)
			}
		}
		return point != nil || err != nil
	})
	return point, err
}

// farkas divides z by its largest entry and, if this z is a proof, returns an InfeasibleError. In the given units of x,
// g = Gᵀz must be 0 up to rounding, and small in each column beside its terms. And v = −hᵀz must exceed the rounding of
// hᵀz and of zᵀGx, and either a sure share of its terms or what points within tol of all sides can explain. The rest
// of g does no harm: a feasible y would have v ≤ −gᵀy ≤ ‖g‖∞‖y‖₁, and so be larger than x by a leap.
func (q QP) farkas(x, z, unit []float64, tol float64) error {
	divide(z, cmp.Or(largest(z), 1)) // first, lest small products vanish
	v, hz, gz := 0.0, 0.0, 0.0       // hz, gz: the sizes of the terms of hᵀz and Gᵀz
	left, terms := make([]float64, len(x)), make([]float64, len(x))
	for i, c := range q.constraints() {
		if z[i] == 0 {
			continue
		}
		v -= c.h * z[i]
		hz += math.Abs(c.h * z[i])
		gradient := make([]float64, len(x))
		c.add(gradient, z[i])
		axpy(left, 1, gradient)
		for j, g := range gradient {
			terms[j] += math.Abs(g)
		}
		gz += largest(times(gradient, unit))
	}
	size := 1.0
	for j, u := range unit {
		size = max(size, 1+math.Abs(x[j])/u)
		if math.Abs(left[j])*u > certain*terms[j]*u+machineEps*gz {
			return nil
		}
	}
	g, noise := largest(times(left, unit)), q.rounding()*gz
	if v > min(certain*hz, tol*norm1(z)) && v > q.rounding()*hz && v > noise*size && g <= noise && leap*g*size <= v {
		return q.infeasible(z)
	}
	return nil
}

// lean returns z with other multipliers of bounds: what is left of Gᵀz in a column, perhaps by rounding alone, goes to
// the multiplier of a bound, where there is one of the right sign.
func (q QP) lean(z []float64) []float64 {
	left, list, z := make([]float64, len(q.C)), q.constraints(), slices.Clone(z)
	for i, c := range list {
		c.add(left, z[i])
	}
	for i, c := range list {
		if c.row == nil && !math.IsInf(c.h, 1) && c.sign*left[c.j] < 0 {
			z[i] -= c.sign * left[c.j]
			left[c.j] = 0
		}
	}
	return z
}

// ray projects −c, in the units of the path, on the cone of the d with Qd = 0 and gᵀd ≤ 0, or = 0 for equations, and
// scales the result to largest entry 1. It returns nil if that is 0, or if it may be in the cone by rounding alone. The
// smaller −cᵀd is, the less d may be outside: a bounded program with a remote solution has a d that nearly lies inside.
func (q QP) ray(limit int) (ray []float64) {
	p, n := q.program(), len(q.C)
	cone := &program{saddle: saddle{a: NewMatrix(n, n)}, c: p.c, eq: n + p.eq} // ½‖d‖² + cᵀd = ½‖d + c‖² − ½‖c‖²
	for j := range n {
		cone.a.Set(j, j, 1)
		normalise(p.a.Row(j)) // its side is 0: a row of small entries counts as much as the others
		cone.g = append(cone.g, form{row: p.a.Row(j)})
	}
	cone.g = append(cone.g, p.g...)
	cone.d, cone.h = make([]float64, len(cone.g)), make([]float64, len(cone.g))
	divide(cone.c, cmp.Or(largest(cone.c), 1))
	cone.follow(limit, func(x, z []float64) bool {
		if largest(x) <= certain {
			return !slices.ContainsFunc(z[cone.eq:], func(z float64) bool { return z < -certain }) // then the projection is 0
		}
		d := slices.Clone(x)
		divide(d, largest(x))
		for i, g := range cone.g {
			if g.row == nil && (i < cone.eq || g.sign*d[g.j] > 0) {
				d[g.j] = 0 // no bound is broken, not even by rounding
			}
		}
		slope := -Dot(cone.c, d)
		if !(slope > 0) {
			return false
		}
		for i, g := range cone.g {
			c := constraint{g, 0, i < cone.eq}
			if c.excess(d) > q.rounding()*min(1, slope/math.Sqrt(certain)) {
				return false
			}
		}
		ray = times(d, p.unit)
		divide(ray, largest(ray))
		return true
	})
	return ray
}

// present returns q with every part present. It panics where SolveQP reports wrong sizes, an asymmetric Q or a NaN.
func (q QP) present() QP {
	q, err := q.complete()
	if err != nil {
		panic(err)
	}
	return q
}

// Value returns f(x) = ½xᵀQx + cᵀx (C4). It takes time O(n² + mn), m the number of rows of A and Aeq, as do the other
// methods of QP; Jensen takes O(n²) more for each point. They panic if SolveQP would report a mistake in the data.
func (q QP) Value(x []float64) float64 {
	q = q.present()
	return (Dot(x, q.Gradient(x)) + Dot(q.C, x)) / 2 // ½xᵀ(Qx + c) + ½cᵀx
}

// Gradient returns Qx + c, the gradient of f (C4).
func (q QP) Gradient(x []float64) []float64 {
	q = q.present()
	g := make([]float64, len(x))
	q.Q.MulVec(g, x)
	axpy(g, 1, q.C)
	return g
}

// Hessian returns Q (C4).
func (q QP) Hessian() *Matrix { return q.present().Q }

// Jacobian returns [A; Aeq], the derivative of the constraints (Ax − b, Aeq x − beq) (C4).
func (q QP) Jacobian() *Matrix {
	q = q.present()
	return &Matrix{q.A.Rows + q.Aeq.Rows, len(q.C), slices.Concat(q.A.Data, q.Aeq.Data)}
}

// Size returns the numbers of unknowns and of constraints: rows and finite bounds (B10).
func (q QP) Size() (unknowns, constraints int) {
	q = q.present()
	return len(q.C), len(q.program().g)
}

// Lagrangian returns L = f(x) + Ineqᵀ(Ax − b) + Eqᵀ(Aeq x − beq) + Lowerᵀ(lo − x) + Upperᵀ(x − hi) (B1). The multipliers
// are those of m, all parts present, as SolveQP returns them. An absent constraint has no term.
func (q QP) Lagrangian(x []float64, m *QPSolution) float64 {
	q = q.present()
	l, z := q.Value(x), slices.Concat(m.Ineq, m.Eq, m.Lower, m.Upper)
	for i, c := range q.constraints() {
		if !math.IsInf(c.h, 0) {
			l += z[i] * (c.of(x) - c.h)
		}
	}
	return l
}

// Theta returns the largest value of the Lagrangian at x over all multipliers: f(x) if x is feasible, +Inf if not (B4).
func (q QP) Theta(x []float64) float64 {
	q = q.present()
	for _, c := range q.constraints() {
		if c.excess(x) > 0 {
			return math.Inf(1)
		}
	}
	return q.Value(x)
}

// Jensen returns by how much f at the mean of the points lies below the mean of f, for weights wᵢ ≥ 0 of sum 1 (B11):
//
//	Σwᵢf(xᵢ) − f(x̄) = ½ Σ wᵢ(xᵢ−x̄)ᵀQ(xᵢ−x̄) ≥ 0,  x̄ = Σwᵢxᵢ
//
// [f(xᵢ) = f(x̄) + ∇f(x̄)ᵀ(xᵢ−x̄) + ½(xᵢ−x̄)ᵀQ(xᵢ−x̄); the linear terms have mean 0]. With two points, f lies below its
// chord. So a local minimum is global: if f(z) < f(x), f falls at once on the way from x to z.
func (q QP) Jensen(xs [][]float64, w []float64) float64 {
	q = q.present()
	mean, curve, gap := make([]float64, len(q.C)), QP{Q: q.Q}, 0.0
	for i, x := range xs {
		axpy(mean, w[i], x)
	}
	for i, x := range xs {
		d := slices.Clone(x)
		axpy(d, -1, mean)
		gap += w[i] * curve.Value(d)
	}
	return gap
}

// PrimalQP returns the primal program of a linear SVM (C3) in x = (w, b, ξ), d + 1 + n unknowns and 2n constraints:
//
//	minimise ½‖w‖² + C Σξᵢ  subject to  −yᵢ(w·xᵢ + b) − ξᵢ ≤ −1,  ξᵢ ≥ 0.
//
// With c = +Inf, the hard margin, there is no ξ: d + 1 unknowns and n constraints. The dual has n unknowns, fewer than
// the primal unless the margin is hard and n ≥ d + 1 (B10). The Lagrangian of the primal, with multipliers α (Ineq) of
// the rows and μ (Lower) of ξ ≥ 0, is stationary (B1) where w = Σαᵢyᵢxᵢ, Σαᵢyᵢ = 0 and C − αᵢ − μᵢ = 0.
func PrimalQP(xs [][]float64, ys []float64, c float64) QP {
	if len(xs) != len(ys) {
		panic(fmt.Sprintf("svm: PrimalQP: %d points and %d labels", len(xs), len(ys)))
	}
	points := MatrixFromRows(xs)
	n, d := len(xs), points.Cols
	size := d + 1
	if !math.IsInf(c, 1) {
		size += n
	}
	q := QP{Q: NewMatrix(size, size), C: make([]float64, size), A: NewMatrix(n, size), B: constant(n, -1),
		Lo: constant(size, math.Inf(-1))}
	for j := range d {
		q.Q.Set(j, j, 1)
	}
	for i := range n {
		row := q.A.Row(i)
		axpy(row[:d], -ys[i], points.Row(i))
		row[d] = -ys[i]
		if k := d + 1 + i; k < size {
			row[k], q.C[k], q.Lo[k] = -1, c, 0
		}
	}
	return q
}

// DualQP returns the dual program of an SVM with Gram matrix k (C2) in α, n unknowns,
//
//	minimise ½αᵀ diag(y) K diag(y) α − Σαᵢ  subject to  yᵀα = 0,  0 ≤ α ≤ C,
//
// without the upper bound if c = +Inf, the hard margin. The multiplier of yᵀα = 0 is the bias b
// [yᵢ(Σⱼαⱼyⱼkᵢⱼ + Eq) = 1 where 0 < αᵢ < C].
func DualQP(k *Matrix, ys []float64, c float64) QP {
	n := len(ys)
	if k.Rows != n || k.Cols != n {
		panic(fmt.Sprintf("svm: DualQP: %d×%d Gram matrix and %d labels", k.Rows, k.Cols, n))
	}
	return QP{Q: k.scaled(ys), C: constant(n, -1), Aeq: MatrixFromRows([][]float64{ys}), Beq: []float64{0},
		Lo: make([]float64, n), Hi: constant(n, c)}
}

// A Dual is the program that all machines of this package share (B2), in signed multipliers β:
//
//	maximise Pᵀβ − ½βᵀKβ  subject to  Lo ≤ β ≤ Hi,  Σβ = Sum.
//
// P = y, βᵢ between 0 and Cyᵢ, and Sum = 0 give a classifier; other values regression, or a one-class machine (see
// the examples). The gradient is g = P − Kβ. A feasible β is optimal if and only if for some b, the multiplier of the sum,
//
//	gᵢ ≤ b where βᵢ < Hiᵢ (it may rise),  gᵢ ≥ b where βᵢ > Loᵢ (it may fall)                   (6)
//
// [∂/∂βᵢ of Pᵀβ − ½βᵀKβ − b(Σβ − Sum) is gᵢ − b: 0 between the bounds, ≥ 0 at Hi, ≤ 0 at Lo].
type Dual struct {
	K         Gram
	P, Lo, Hi []float64
	Sum       float64
}

// check finds mistakes in the shapes, NaNs and infinities out of place (not in K), and bounds or a sum that no β meets.
func (d Dual) check() error {
	if d.K == nil {
		return errors.New("svm: Dual: K is absent")
	}
	if m, ok := d.K.(*Matrix); ok && (m == nil || m.Rows != m.Cols || len(m.Data) != m.Rows*m.Cols) {
		return errors.New("svm: Dual: K is not a square matrix")
	}
	n := d.K.Len()
	err := cmp.Or(fault("Dual: P", d.P, n, false), fault("Dual: Lo", d.Lo, n, true), fault("Dual: Hi", d.Hi, n, true))
	if err != nil {
		return err
	}
	if !finite(d.Sum) {
		return fmt.Errorf("svm: Dual: Sum is %v: %w", d.Sum, ErrNotFinite)
	}
	least, most := 0.0, 0.0
	for i, lo := range d.Lo {
		if lo > d.Hi[i] || math.IsInf(lo, 1) || math.IsInf(d.Hi[i], -1) {
			return fmt.Errorf("svm: Dual: bounds [%v, %v] of point %d: %w", lo, d.Hi[i], i, ErrInfeasible)
		}
		least += lo
		most += d.Hi[i]
	}
	if d.Sum < least-rounding(d.Lo) || d.Sum > most+rounding(d.Hi) {
		return fmt.Errorf("svm: Dual: sum %v, want one in [%v, %v]: %w", d.Sum, least, most, ErrInfeasible)
	}
	return nil
}

// match panics unless each v has a number for each variable.
func (d Dual) match(vs ...[]float64) {
	for _, v := range vs {
		if len(v) != len(d.P) {
			panic(fmt.Sprintf("svm: Dual: %d numbers for %d variables", len(v), len(d.P)))
		}
	}
}

// Gradient returns g = P − Kβ. It takes the time of one row of K for each βᵢ ≠ 0. As all methods of Dual that take β, it
// panics unless β has as many numbers as P.
func (d Dual) Gradient(beta []float64) []float64 {
	d.match(beta)
	g, row, rows := slices.Clone(d.P), make([]float64, len(beta)), d.K.Open()
	for i, b := range beta {
		if b != 0 {
			rows.Row(row, i, 0)
			axpy(g, -b, row)
		}
	}
	return g
}

// Objective returns Pᵀβ − ½βᵀKβ = ½βᵀ(P + g). It takes the time of Gradient.
func (d Dual) Objective(beta []float64) float64 {
	return (Dot(d.P, beta) + Dot(d.Gradient(beta), beta)) / 2
}

// Bias returns the limits of b in (6): up = max gᵢ where βᵢ may rise, low = min gᵢ where it may fall. At an optimum
// up ≤ low, and every b between them is optimal; otherwise up − low > 0 is the worst violation (B5, E2).
func (d Dual) Bias(beta, g []float64) (up, low float64) {
	d.match(beta, g, d.Lo, d.Hi)
	up, low = math.Inf(-1), math.Inf(1)
	for i, b := range beta {
		if b < d.Hi[i] {
			up = max(up, g[i])
		}
		if b > d.Lo[i] {
			low = min(low, g[i])
		}
	}
	return up, low
}

// Infeasibility returns how far β is out of its bounds at worst, and |Σβ − Sum|.
func (d Dual) Infeasibility(beta []float64) (box, sum float64) {
	d.match(beta, d.Lo, d.Hi)
	sum = -d.Sum
	for i, b := range beta {
		box = max(box, d.Lo[i]-b, b-d.Hi[i])
		sum += b
	}
	return box, math.Abs(sum)
}

// QP returns d as a QP: minimise ½βᵀKβ − Pᵀβ. It computes all of K, unless that is a *Matrix already.
func (d Dual) QP() (QP, error) {
	if err := d.check(); err != nil {
		return QP{}, err
	}
	n := len(d.P)
	k, ok := d.K.(*Matrix)
	if !ok {
		k = NewMatrix(n, n)
		rows := d.K.Open()
		for i := range n {
			rows.Row(k.Row(i), i, 0)
		}
	}
	return QP{Q: k, C: times(d.P, constant(n, -1)), Aeq: &Matrix{1, n, constant(n, 1)}, Beq: []float64{d.Sum},
		Lo: d.Lo, Hi: d.Hi}, nil
}

// InteriorPoint solves d by SolveQP, with all of K in memory: the slow, exact companion of SMO. X is β and Eq[0] is b
// [Kβ − P + Eq − Lower + Upper = 0, so gᵢ = b where βᵢ is between its bounds]. Errors are those of SolveQP: a dual that
// grows without bound is ErrUnbounded. Where the bounds alone exclude Sum, ErrInfeasible comes without a proof.
func InteriorPoint(d Dual, o QPOptions) (*QPSolution, error) {
	q, err := d.QP()
	if err != nil {
		return nil, err
	}
	return SolveQP(q, o)
}
