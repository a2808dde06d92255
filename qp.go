// Copyright 2026 The svm authors. All rights reserved.
// Use of this source code is governed by the MIT
// license that can be found in the LICENSE file.

// Convex quadratic programs: a primal-dual interior-point method with an active-set finish.
//
// The problem (C1) is
//
//	minimise f(x) = ½xᵀQx + cᵀx  subject to  Ax ≤ b,  Aeq x = beq,  lo ≤ x ≤ hi,
//
// Q positive semidefinite, any part absent. Stack the rows of A and Aeq, and a row −eⱼᵀ or eⱼᵀ for every finite bound,
// in one matrix G, and give each inequality a slack:
//
//	symbol        meaning                                                    Go
//	g, h; G       one constraint gᵀx ≤ h or = h; all of them, equations first  constraint; program.g
//	x, z, s       unknowns; multipliers, ≥ 0 for inequalities; slacks h − Gx   path.x, z, s
//	Δ             a step                                                     path.dx, dz, ds
//	μ             sᵀz / number of inequalities                               path.mu
//	τ             s/z: how soft a constraint is in a step; 0 for an equation  kkt.tau
//	r_d, r_p, r_c what (1) lacks: −c − Qx − Gᵀz, h − Gx − s, μ − s∘z          path.rd, rp; rc
//	ρ             regularisation, added to Q and to every τ                  ridge
//	σ, w          weight of a firm row in M, of any constraint               sigma, kkt.weight
//	U, V, W       M = UᵀU, V = U⁻ᵀG_firmᵀ, S = WᵀW                           kkt.t: [U V] on top of W
//	α             the length of a step                                       ap (x and s), ad (z)
//
// # Optimality
//
// The Lagrangian (B1) is L(x, z) = f(x) + zᵀ(Gx − h). At a given x, its maximum over the multipliers is
//
//	θ_P(x) = f(x) if x is feasible, and +∞ if not                                              (B4)
//
// [a term zᵢ(Gx − h)ᵢ is at most 0 where the row holds; where it fails, zᵢ → ±∞ makes it as large as we like],
// so the program is min over x of max over z. For any feasible x, and any z ≥ 0 and u with Qu + c + Gᵀz = 0,
//
//	f(x) ≥ L(x, z) ≥ L(u, z) = −½uᵀQu − hᵀz                                                     (B3)
//
// [zᵀ(Gx − h) ≤ 0; u minimises the convex L(·, z), whose gradient at u is 0; substitute c = −Qu − Gᵀz]. With u = x
// the two ends differ by the gap xᵀQx + cᵀx + hᵀz = sᵀz. So these suffice for optimality, and by linear
// programming duality on the linearised program they are also necessary (B5):
//
//	Qx + c + Gᵀz = 0,  Gx + s = h,  s ≥ 0,  z ≥ 0,  sᵢzᵢ = 0 for every inequality.              (1)
//
// Without inequalities (1) is one linear system (B9). With them, only sᵢzᵢ = 0 is hard.
//
// # The central path: predictor, corrector, step lengths
//
// Ask for sᵢzᵢ = μ instead, s and z positive. These are the optimality conditions of f − μ Σ log sᵢ, whose
// minimisers, the central path, lead to a solution as μ → 0. Newton's method linearises (s + Δs)(z + Δz) = μ:
//
//	QΔx + GᵀΔz = r_d,  GΔx + Δs = r_p,  sΔz + zΔs = r_c
//	QΔx + GᵀΔz = r_d,  GΔx − τΔz = r_p − r_c/z,  Δs = (r_c − sΔz)/z          (2)   [the third for Δs, into the second]
//
// The predictor solves (2) for μ = 0. With α ≤ 1 a share backoff of the way to the boundary of s, z ≥ 0, it would
// leave a mean product μ′. The corrector (Mehrotra) solves (2) again, with the same factors, for
//
//	r_c = μ(μ′/μ)³ − s∘z − Δs∘Δz                             (3)   [ΔsΔz of the predictor is what Newton dropped]
//
// and goes as far by the same rule. Primal and dual take the same α if Q ≠ 0 [r_d contains QΔx and falls by the factor
// 1 − α only then], each its own if Q = 0, even in (5), whose r_p contains z: more is won than lost. After a short step
// some sᵢzᵢ are far below their mean, and steps may circle; the next target is then at least μ/2, which lifts them.
//
// The start is (2) at x = z = s = 0, with τ = 1 + h² and no r_c: it minimises f(x) + ½ Σ (gᵢᵀx − hᵢ)²/(1 + hᵢ²), which puts
// x near the sides that are near and lets remote ones be. Then s = −τz [= h − Gx] and z are lifted until they are positive,
// and both once more, by half their average product over the average of the other: Mehrotra's remedy for starts with a
// product far below μ, from which his direction can only creep.
//
// # One Cholesky factorisation
//
// A constraint with large τ is soft: eliminating Δzᵢ = (gᵢᵀΔx − r₂ᵢ)/τᵢ adds gᵢgᵢᵀ/τᵢ to Q. An equation or an active row,
// τ → 0, would add an enormous matrix and drown Q. Such a row, τ < 1/(2σ), is firm: add only σgᵢ times its equation to the
// first of (2), and keep it. With w = σ for firm rows, 1/τ for the rest, r₁, r₂ on the right of (2), and v = (1 − στ)Δz_firm,
//
//	MΔx + G_firmᵀ v = r₁ + Gᵀ(w∘r₂),  G_firm Δx − τ/(1 − στ) v = r₂_firm,  M = Q + ρ + Gᵀ diag(w) G           (4)
//
// With M = UᵀU and V = U⁻ᵀG_firmᵀ the second line becomes −Sv = r₂_firm − VᵀU⁻ᵀ(right-hand side), S = VᵀV + τ/(1 − στ),
// so [U V] on top of W is one triangle, and (4) is solved by one pass down and one up. Bounds are always soft: they touch
// the diagonal alone. The cost is n³/6 + (rows)·n²/2 multiplications, and fn²/2 + f²n/2 + f³/6 for f firm rows; the dual
// of an SVM has one firm row and costs one factorisation of Q + diagonal.
//
// M and S are positive definite in exact arithmetic when ρ > 0 is added to every τ too. That also permits dependent
// rows, fixed unknowns (equations xⱼ = loⱼ) and a singular Q. Refinement on (2), which has no ρ, removes its effect: an
// error in the direction of an eigenvalue λ of Q or of the Schur complement shrinks by ρ/(λ + ρ) a round.
//
// # The finish
//
// The path tells early which constraints will be active. Divided by sz, the third equation of Newton's method says
// Δs/s + Δz/z = μ/sz − 1: towards the end this −1 is the slack's share if the constraint is active, and the
// multiplier's if not. So the guess is: active if Δs/s < Δz/z (Tapia), whatever the units.
//
// The active-set method goes on from there. Taking the active constraints as equations and forgetting the rest, (1) is
// one linear system in fewer unknowns (B9): an active bound fixes one, an active row keeps one multiplier. Move x to
// its solution. If a constraint blocks the way, stop there and make it active; if none does, release the one with the most
// negative multiplier; if there is none, this is the solution, exact to rounding where the path only converges.
//
// With f unknowns and rows left a round costs f³/6 and a few n², so (n/f)² rounds, at most n/16, cost about as much as the
// factorisation that they may save. So much is tried in every iteration, and at least a few rounds when the path has
// come ten times closer. The dual of an SVM, most of its unknowns at bounds, is often solved halfway down the path.
//
// # No solution, and no bound on the multipliers
//
// Let every row yield by its own multiplier: gᵀx ≤ h + z, and τ + 1 for τ in (2). This is the elastic program, always feasible,
//
//	minimise f(x) + ½‖t‖²  subject to  Gx − t ≤ h or = h by rows, the bounds on x;  z = t      (5)   [∂/∂t of its Lagrangian: t − z]
//
// Infeasible: take f = 0. If the minimum is positive, z, which is t on the rows, has Gᵀz = 0 and hᵀz = −‖t‖² < 0
// [where z ≠ 0, gᵀx − t = h, with t = 0 for a bound: multiply by z and add], so no x has Gx ≤ h [0 = zᵀGx ≤ hᵀz < 0]: Farkas.
//
// Unbounded: project −c on the cone of directions d with Qd = 0 that break no constraint. If d ≠ 0, then cᵀd = −‖d‖² < 0
// [−c − d is orthogonal to d], and f falls forever along d from any feasible point. By duality, a convex program that is
// neither is solvable (C5).
//
// Not convex: if the Cholesky factorisation of Q + tiny·I, come to U, meets a column u above a pivot that is not positive,
// then d = (−U⁻¹u, 1, 0, …) has dᵀQd < 0 [the pivot is dᵀ(Q + tiny·I)d].
//
// Solvable, but with dependent active rows, along which multipliers run away until residuals drown in their rounding: (5)
// in d, with f = (Qx + c)ᵀd, the active constraints at x and h = 0, has the shortest z, bounds aside, with Qx + c + Gᵀz = 0
// [by (B3) its dual is to maximise −½‖t‖², t = z].
//
// # What can go wrong
//
// Data in mixed units: rows and columns are scaled by powers of two, without rounding, until their largest entries are
// of the order of 1; then x, if most sides h are larger, and the objective. A degenerate vertex: the finish may circle, but
// its rounds are counted. Residuals are of the program as given, and a point counts as solved when they, as float64 has
// them, say so, whatever the method believes; otherwise the best point is returned with ErrNotConverged.
//
// References. Nocedal and Wright, Numerical Optimization, chapter 16: the place to start. Mehrotra, On the implementation of
// a primal-dual interior point method (1992). El-Bakry, Tapia and Zhang, A study of indicators for identifying zero
// variables in interior-point methods (1994). Friedlander and Orban, A primal-dual regularized interior-point method for
// convex quadratic programs (2012).

package svm

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
)

// What a program without a solution is found to be. From SolveQP each comes in an error with the proof.
var (
	ErrInfeasible = errors.New("no point satisfies the constraints")
	ErrUnbounded  = errors.New("the objective is unbounded below")
	ErrNotConvex  = errors.New("the objective is not convex")
)

// A QP is the convex quadratic program (C1)
//
//	minimise ½xᵀQx + cᵀx  subject to  Ax ≤ b,  Aeq x = beq,  lo ≤ x ≤ hi.
//
// A nil part is absent, and so is a constraint whose side is infinite: +Inf in B or Hi, −Inf in Lo. Q is symmetric.
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
	MaxIter int     // interior-point iterations; 0 means 200
}

// A QPSolution is a point with a multiplier for every constraint (B5): Ineq, Lower, Upper ≥ 0 and
//
//	Qx + c + AᵀIneq + AeqᵀEq − Lower + Upper = 0
//
// up to DualResidual.
type QPSolution struct {
	X, Ineq, Eq, Lower, Upper []float64

	Objective, DualObjective          float64
	PrimalResidual, DualResidual, Gap float64 // of the program as given, up to rounding: absolute, unscaled, largest entries
	Iterations                        int
}

// An InfeasibleError proves that no x satisfies the constraints (C5): Ineq, Lower, Upper ≥ 0,
//
//	AᵀIneq + AeqᵀEq − Lower + Upper = 0,  bᵀIneq + beqᵀEq − loᵀLower + hiᵀUpper < 0.
//
// If a side is one that no number satisfies, such as b = −∞, its multiplier is 1 and stands for the proof. It wraps ErrInfeasible.
type InfeasibleError struct{ Ineq, Eq, Lower, Upper []float64 }

func (e *InfeasibleError) Error() string { return "svm: " + ErrInfeasible.Error() }
func (e *InfeasibleError) Unwrap() error { return ErrInfeasible }

// An UnboundedError holds a feasible Point and a Ray d with Qd = 0 and cᵀd < 0 along which every point
// is feasible (C5). It wraps ErrUnbounded.
type UnboundedError struct{ Point, Ray []float64 }

func (e *UnboundedError) Error() string { return "svm: " + ErrUnbounded.Error() }
func (e *UnboundedError) Unwrap() error { return ErrUnbounded }

// A NotConvexError holds a direction d and Curvature = dᵀQd < 0 (C5). It wraps ErrNotConvex.
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
	ridge       = 1e-10 // ρ: below the curvature and softness that matter at the end of the path, above the rounding of M
	sigma       = 1e2   // weight of a firm row in M: holds down its range, costs two digits
	refinements = 6     // solutions with the factors of (4) that add up to one of (2), at most
	rounds      = 12    // of the finish, when the path has come ten times closer
	near        = 0.9   // share of the way to a solution of the finish from which on that is worth a look
	scalings    = 3     // of rows and columns, at most
	remote      = 1e8   // beyond this, the residuals of a point on its way to infinity may vanish in rounding
	patience    = 15    // iterations without 10% progress before giving up
	short       = 0.4   // after a step shorter than this the next one aims at half of μ
	backoff     = 0.995 // share of the way to the boundary
	asymmetric  = 1e-12 // relative difference of Q and Qᵀ that is rounding
	flat        = 1e-14 // n times this, relative to the data, is rounding
	certain     = 1e-9  // relative error allowed in a certificate
)

// SolveQP returns a solution: both residuals and the gap at most o.Tol. Otherwise the error is, or wraps, an
// *InfeasibleError, *UnboundedError or *NotConvexError with a proof; ErrNotFinite; a description of a mistake in the shapes
// or the symmetry of the data; or ErrNotConverged, and then the best point found is returned too.
// An iteration costs n³/6 + mn²/2 multiplications, m the number of rows of A and Aeq, and with many of them firm up to
// (n + m)³/6 + mn²/2; fewer than 30 iterations are typical.
func SolveQP(q QP, o QPOptions) (*QPSolution, error) {
	if !(o.Tol >= 0) || math.IsInf(o.Tol, 1) || o.MaxIter < 0 {
		return nil, fmt.Errorf("svm: QPOptions: Tol %v, MaxIter %d: want finite values, not negative", o.Tol, o.MaxIter)
	}
	o.Tol, o.MaxIter = cmp.Or(o.Tol, 1e-9), cmp.Or(o.MaxIter, 200)
	q, err := q.complete()
	if err == nil {
		err = cmp.Or(q.contradiction(), q.convex())
	}
	if err != nil {
		return nil, err
	}
	s := q.solve(o)
	point, solved := s.X, s.worst() <= o.Tol
	if !solved {
		if point, err = q.phaseOne(o); err != nil {
			return nil, err
		}
	}
	if point != nil && (!solved || largest(point) > remote) {
		if ray := q.ray(o); ray != nil {
			return nil, &UnboundedError{point, ray}
		}
	}
	if !solved {
		err = fmt.Errorf("svm: SolveQP: primal residual %.1e, dual residual %.1e, gap %.1e after %d iterations: %w",
			s.PrimalResidual, s.DualResidual, s.Gap, s.Iterations, ErrNotConverged)
	}
	return s, err
}

// complete returns q with every part present, or says what is wrong with it.
func (q QP) complete() (QP, error) {
	n, inf := max(len(q.C), len(q.Lo), len(q.Hi)), math.Inf(1)
	for _, m := range []*Matrix{q.Q, q.A, q.Aeq} {
		if m != nil {
			n = max(n, m.Cols)
		}
	}
	matrix := func(name string, p **Matrix, rows int, absent bool) error {
		if m := *p; m == nil && absent || m != nil && m.Rows == 0 && rows == 0 {
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
	return q, q.symmetric()
}

func (q QP) symmetric() error {
	slack := asymmetric * largest(q.Q.Data)
	for i := range q.C {
		for j, v := range q.Q.Row(i)[:i] {
			if w := q.Q.At(j, i); math.Abs(v-w) > slack {
				return fmt.Errorf("svm: QP: Q[%d][%d] is %v, Q[%d][%d] is %v: want a symmetric matrix", i, j, v, j, i, w)
			}
		}
	}
	return nil
}

// A constraint is gᵀx ≤ h, or gᵀx = h. Its g is a row of A or Aeq, or sign·eⱼ.
type constraint struct {
	row  []float64 // nil for a bound
	j    int
	sign float64
	h    float64
	eq   bool
	soft float64 // 1 if it yields, to h + z, as in (5), or 0

	at    int     // its place in the list of constraints of a QP
	scale float64 // what it has been multiplied by
}

// of returns gᵀx.
func (c *constraint) of(x []float64) float64 {
	if c.row == nil {
		return c.sign * x[c.j]
	}
	return Dot(c.row, x)
}

// add adds z·g to dst.
func (c *constraint) add(dst []float64, z float64) {
	if c.row == nil {
		dst[c.j] += z * c.sign
	} else if z != 0 {
		axpy(dst, z, c.row)
	}
}

// excess returns by how much x fails c.
func (c *constraint) excess(x []float64) float64 {
	e := c.of(x) - c.h
	if c.eq {
		return math.Abs(e)
	}
	return e
}

// constraints lists the rows of A, those of Aeq, and for every unknown its lower and its upper bound.
func (q QP) constraints() []constraint {
	list := make([]constraint, 0, len(q.B)+len(q.Beq)+2*len(q.C))
	for i, b := range q.B {
		list = append(list, constraint{row: q.A.Row(i), h: b})
	}
	for i, b := range q.Beq {
		list = append(list, constraint{row: q.Aeq.Row(i), h: b, eq: true})
	}
	for j := range q.C {
		list = append(list, constraint{j: j, sign: -1, h: -q.Lo[j]}, constraint{j: j, sign: 1, h: q.Hi[j]})
	}
	return list
}

// split divides the multipliers of constraints among the parts of q, and join undoes it.
func (q QP) split(z []float64) (ineq, eq, lower, upper []float64) {
	m, e := len(q.B), len(q.B)+len(q.Beq)
	for k := e; k < len(z); k += 2 {
		lower, upper = append(lower, z[k]), append(upper, z[k+1])
	}
	return z[:m:m], z[m:e:e], lower, upper
}

func join(ineq, eq, lower, upper []float64) []float64 {
	z := slices.Concat(ineq, eq)
	for j := range lower {
		z = append(z, lower[j], upper[j])
	}
	return z
}

// contradiction finds a side, or two bounds, that no number satisfies.
func (q QP) contradiction() error {
	list := q.constraints()
	z := make([]float64, len(list))
	for i, c := range list {
		cross := c.sign > 0 && -list[i-1].h > c.h
		if cross {
			z[i-1] = 1
		}
		if cross || math.IsInf(c.h, -1) {
			z[i] = 1
			return q.infeasible(z)
		}
	}
	return nil
}

func (q QP) infeasible(z []float64) error {
	ineq, eq, lower, upper := q.split(z)
	return &InfeasibleError{ineq, eq, lower, upper}
}

// rounding returns how large, relative to the data, an eigenvalue or a sum of products may be that is 0 but for rounding.
func (q QP) rounding() float64 { return flat * float64(len(q.C)+10) }

// convex returns a NotConvexError if Q has a negative eigenvalue beyond the rounding of its entries, about nε‖Q‖.
func (q QP) convex() error {
	n := len(q.C)
	shift := q.rounding() * largest(q.Q.Data)
	u, d, qd := newTriangle(n), make([]float64, n), make([]float64, n)
	for i := range n {
		copy(u[i], q.Q.Row(i)[i:])
		u[i][0] += shift
	}
	k := u.factor()
	if k < 0 {
		return nil
	}
	for i := range k { // the leading k×k part of U times d[:k] = −U[:k][k]
		d[i], u[i] = -u[i][k-i], u[i][:k-i]
	}
	u[:k].solveU(d[:k])
	d[k] = 1
	q.Q.MulVec(qd, d)
	if curvature := Dot(d, qd); curvature < 0 {
		return &NotConvexError{d, curvature}
	}
	return nil
}

// solve follows the path, then looks for shorter multipliers, until a point is as good as o.Tol. It returns the best point.
func (q QP) solve(o QPOptions) (best *QPSolution) {
	p := q.scale()
	var bx, bz []float64
	visit := func(x, z []float64) bool {
		if s := q.certify(q.restore(p, x, z)); best == nil || s.worst() < best.worst() {
			best, bx, bz = s, slices.Clone(x), slices.Clone(z)
		}
		return best.worst() <= o.Tol
	}
	iterations := p.follow(o.MaxIter, visit)
	if best.worst() > o.Tol && best.PrimalResidual <= o.Tol {
		p.shorten(o.MaxIter, bx, bz, visit)
	}
	best.Iterations = iterations
	return best
}

// certify computes the rest of a solution from x and the multipliers z of the rows alone (B5). The gradient g of the Lagrangian
// without bounds decides their multipliers: Lower = g₊ where a lower bound is at most max(1, |x|) away, Upper = g₋
// where an upper one is; what remains is the dual residual.
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
		c.add(g, z[i])
		if z[i] != 0 {
			s.Gap += c.h * z[i]
			s.DualObjective -= c.h * z[i]
		}
	}
	s.Gap, s.DualResidual = math.Abs(s.Gap), largest(g)
	s.Ineq, s.Eq, s.Lower, s.Upper = q.split(z)
	return s
}

// worst returns the largest of the residuals and the gap, +Inf if anything has overflowed.
func (s *QPSolution) worst() float64 {
	w := max(s.PrimalResidual, s.DualResidual, s.Gap)
	if allFinite([]float64{w, s.Objective, s.DualObjective}) >= 0 {
		return math.Inf(1)
	}
	return w
}

// A program is minimise ½xᵀQx + cᵀx subject to Gx + s = h, s = 0 for the first eq constraints, s ≥ 0 for the others.
// It may stand for a QP in other units: there x is unit·x, and z is scale·z.
type program struct {
	q    *Matrix
	c    []float64
	g    []constraint
	eq   int
	unit []float64
}

// scale returns q without absent constraints, a fixed unknown being an equation, in other units.
func (q QP) scale() *program {
	n := len(q.C)
	p := &program{q: &Matrix{n, n, slices.Clone(q.Q.Data)}, c: slices.Clone(q.C), unit: constant(n, 1)}
	var rest []constraint
	for i, c := range q.constraints() {
		c.at, c.scale = i, 1
		fixed := c.row == nil && q.Lo[c.j] == q.Hi[c.j]
		switch {
		case c.eq || fixed && c.sign > 0:
			p.g = append(p.g, c)
		case !math.IsInf(c.h, 1) && !fixed:
			rest = append(rest, c)
		}
	}
	p.eq, p.g = len(p.g), append(p.g, rest...)
	for range scalings {
		p.equilibrate()
	}
	p.chooseUnits()
	return p
}

// equilibrate multiplies rows and columns of [Q Gᵀ; G 0] by 1/√(largest entry), rounded to powers of two (Ruiz).
func (p *program) equilibrate() {
	col := make([]float64, len(p.c))
	for j := range col {
		col[j] = largest(p.q.Row(j))
	}
	for _, c := range p.g {
		for j, v := range c.row {
			col[j] = max(col[j], math.Abs(v))
		}
	}
	for j, v := range col {
		col[j] = root(v)
		p.unit[j] *= col[j]
		p.c[j] *= col[j]
	}
	for j, v := range col {
		copy(p.q.Row(j), times(v, p.q.Row(j), col))
	}
	for i := range p.g {
		c, e := &p.g[i], 0.0
		if c.row == nil {
			e = 1 / col[c.j]
		} else {
			e = root(largest(c.row))
			c.row = times(e, c.row, col)
		}
		c.scale *= e
		c.h *= e
	}
}

// chooseUnits scales x until half of the sides h ≠ 0 are below 1 or so, or without any until Qx is as large as c where x is 1,
// and then the objective until c is near 1.
func (p *program) chooseUnits() {
	var sizes []float64
	for _, c := range p.g {
		if c.h != 0 {
			sizes = append(sizes, math.Abs(c.h))
		}
	}
	big := largest(p.q.Data)
	if len(sizes) == 0 {
		sizes = append(sizes, largest(p.c)/cmp.Or(big, math.Inf(1)))
	}
	slices.Sort(sizes)
	unit := max(1, math.Pow(root(sizes[len(sizes)/2]), -2))
	kappa := math.Pow(root(cmp.Or(largest(p.c), unit*big)), 2)
	for i := range p.g {
		p.g[i].h /= unit
		p.g[i].scale /= kappa
	}
	divide(p.unit, 1/unit)
	divide(p.c, 1/kappa)
	divide(p.q.Data, 1/(unit*kappa))
}

// root returns the power of two nearest to 1/√v, at most 2²⁵⁰ or its inverse, so that no product of scales overflows, or 1 if v = 0.
func root(v float64) float64 {
	if v == 0 {
		return 1
	}
	return math.Exp2(-math.Round(math.Log2(min(max(v, 0x1p-500), 0x1p500)) / 2))
}

// restore returns a point of the scaled program in the units of q, within its bounds, and multipliers, of inequalities ≥ 0.
func (q QP) restore(p *program, x, z []float64) (point, prices []float64) {
	point, prices = times(1, x, p.unit), make([]float64, len(q.B)+len(q.Beq)+2*len(x))
	for j, v := range point {
		point[j] = min(max(v, q.Lo[j]), q.Hi[j])
	}
	for i, c := range p.g {
		prices[c.at] = z[i] * c.scale
		if i >= p.eq {
			prices[c.at] = max(0, prices[c.at])
		}
	}
	return point, prices
}

// residuals sets rd = −c − Qx − Gᵀz and rp = h − Gx.
func (p *program) residuals(rd, rp, x, z []float64) {
	for j, c := range p.c {
		rd[j] = -c
	}
	for i, c := range p.g {
		rp[i] = c.h
	}
	p.subtract(rd, rp, x, z)
}

// subtract takes Qx + Gᵀz from e1 and Gx, or of yielding constraints Gx − z, from e2.
func (p *program) subtract(e1, e2, x, z []float64) {
	for j := range e1 {
		e1[j] -= Dot(p.q.Row(j), x)
	}
	for i := range p.g {
		c := &p.g[i]
		c.add(e1, -z[i])
		e2[i] -= c.of(x) - c.soft*z[i]
	}
}

// A kkt is the system (2) of a program for given τ, with the factors of (4).
type kkt struct {
	*program
	tau    []float64
	ridge  float64
	weight []float64 // of each constraint in M: 1/τ or σ
	firm   []int
	t      triangle // [U V] on top of W
}

func newKKT(p *program) *kkt {
	return &kkt{program: p, tau: make([]float64, len(p.g)), weight: make([]float64, len(p.g))}
}

// factor computes the factors, with more regularisation if rounding makes M or S indefinite.
func (k *kkt) factor() bool {
	for k.ridge = ridge; k.ridge < 1; k.ridge *= 100 {
		if k.attempt() {
			return true
		}
	}
	return false
}

func (k *kkt) attempt() bool {
	n := len(k.c)
	diagonal := constant(n, k.ridge)
	var rows [][]float64
	var weights []float64
	k.firm = nil
	for i, c := range k.g {
		k.weight[i] = 1 / k.softness(i)
		if c.row == nil {
			diagonal[c.j] += k.weight[i]
			continue
		}
		if k.weight[i] > 2*sigma {
			k.weight[i] = sigma
			k.firm = append(k.firm, i)
		}
		rows, weights = append(rows, c.row), append(weights, k.weight[i])
	}
	k.t = newTriangle(n + len(k.firm))
	upper, lower, v := k.t[:n], k.t[n:], make([][]float64, n)
	for j, row := range upper {
		copy(row, k.q.Row(j)[j:])
		row[0] += diagonal[j]
		v[j] = row[n-j:]
		for a, i := range k.firm {
			v[j][a] = k.g[i].row[j]
		}
	}
	upper.addGram(weights, rows)
	if upper.factor() >= 0 {
		return false
	}
	for a, i := range k.firm {
		lower[a][0] = k.softness(i) * k.stretch(i)
	}
	lower.addGram(constant(n, 1), v)
	return lower.factor() < 0
}

// softness returns τ, regularised.
func (k *kkt) softness(i int) float64 { return k.tau[i] + k.g[i].soft + k.ridge }

// stretch returns Δz/v = 1/(1 − στ) for a firm row.
func (k *kkt) stretch(i int) float64 { return 1 / (1 - sigma*k.softness(i)) }

// apply replaces (r₁, r₂) in (x, z) by the solution of (4).
func (k *kkt) apply(x, z []float64) {
	n := len(x)
	b := append(x, pick(z, k.firm)...)
	for i := range k.g {
		k.g[i].add(b[:n], k.weight[i]*z[i])
	}
	k.t[:n].solveT(b)
	k.t[n:].solve(b[n:])
	for a := range k.firm {
		b[n+a] = -b[n+a]
	}
	k.t[:n].solveU(b)
	copy(x, b)
	for i := range k.g {
		z[i] = k.weight[i] * (k.g[i].of(x) - z[i])
	}
	for a, i := range k.firm {
		z[i] = b[n+a] * k.stretch(i)
	}
}

// refine adds corrections to (x, z) while they halve the residual.
func (k *kkt) refine(x, z []float64, residual func(e1, e2 []float64)) {
	last, e1, e2 := math.Inf(1), make([]float64, len(x)), make([]float64, len(z))
	for range refinements {
		residual(e1, e2)
		size := max(largest(e1), largest(e2))
		if !(size < last/2) || size == 0 {
			return
		}
		last = size
		k.apply(e1, e2)
		axpy(x, 1, e1)
		axpy(z, 1, e2)
	}
}

// solve sets (x, z) to the solution of (2).
func (k *kkt) solve(r1, r2, x, z []float64) {
	clear(x)
	clear(z)
	k.refine(x, z, func(e1, e2 []float64) {
		copy(e1, r1)
		copy(e2, r2)
		k.subtract(e1, e2, x, z)
		for i, tau := range k.tau {
			e2[i] += tau * z[i]
		}
	})
}

// A path is a point that follows the central path, with its residuals and its next step.
type path struct {
	*kkt
	x, z, s    []float64
	dx, dz, ds []float64
	rd, rp     []float64
	mu, last   float64 // the mean product, and the length of the last step
	linear     bool    // Q = 0
}

func newPath(p *program) *path {
	t := &path{kkt: newKKT(p), linear: largest(p.q.Data) == 0, last: 1}
	for _, v := range []*[]float64{&t.x, &t.dx, &t.rd} {
		*v = make([]float64, len(p.c))
	}
	for _, v := range []*[]float64{&t.z, &t.s, &t.dz, &t.ds, &t.rp} {
		*v = make([]float64, len(p.g))
	}
	return t
}

// follow visits the points of the path, and those of the finish, until visit is satisfied, there is no more progress,
// or limit iterations are done.
func (p *program) follow(limit int, visit func(x, z []float64) bool) (iterations int) {
	t := newPath(p)
	if len(p.g) == p.eq {
		_ = visit(t.x, t.z) || p.finish(t.guess(), 1, t.x, t.z, visit)
		return 0
	}
	t.start()
	least, next, stalled := math.Inf(1), 0.1, 0
	for ; iterations < limit && stalled < patience; iterations++ {
		err := t.measure()
		if visit(t.x, t.z) || math.IsNaN(err) {
			break
		}
		active := t.guess()
		tries := p.affordable(active)
		if err < next {
			next, tries = err/10, max(rounds, tries)
		}
		if p.finish(active, tries, slices.Clone(t.x), slices.Clone(t.z), visit) {
			break
		}
		stalled++
		if err < 0.9*least {
			least, stalled = err, 0
		}
		if !t.step() {
			break
		}
	}
	return iterations
}

// start solves (2) with τ = 1 + h², and lifts s = −τz and z twice.
func (t *path) start() {
	for i := t.eq; i < len(t.tau); i++ {
		t.tau[i] = 1 + t.g[i].h*t.g[i].h
	}
	t.factor()
	t.measure()
	t.solve(t.rd, t.rp, t.x, t.z)
	s, z := t.s[t.eq:], t.z[t.eq:]
	ones := constant(len(s), 1)
	for i := range s {
		s[i] = -z[i] * t.tau[t.eq+i]
	}
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

// measure computes r_d, r_p and μ, and returns the largest of their entries.
func (t *path) measure() float64 {
	t.residuals(t.rd, t.rp, t.x, t.z)
	axpy(t.rp, -1, t.s)
	t.mu = Dot(t.s, t.z) / float64(len(t.s)-t.eq)
	return max(largest(t.rd), largest(t.rp), t.mu)
}

// step moves along Mehrotra's direction.
func (t *path) step() bool {
	for i := t.eq; i < len(t.z); i++ {
		t.tau[i] = t.s[i] / t.z[i]
	}
	if !t.factor() {
		return false
	}
	clear(t.ds)
	clear(t.dz)
	ap, ad := t.direction(0)
	after := 0.0
	for i := t.eq; i < len(t.z); i++ {
		after += (t.s[i] + ap*t.ds[i]) * (t.z[i] + ad*t.dz[i])
	}
	after /= float64(len(t.z) - t.eq)
	target := t.mu * math.Pow(after/t.mu, 3)
	if t.last < short {
		target = max(target, t.mu/2)
	}
	ap, ad = t.direction(target)
	t.last = min(ap, ad)
	axpy(t.x, ap, t.dx)
	axpy(t.s, ap, t.ds)
	axpy(t.z, ad, t.dz)
	return true
}

// direction solves (2) for the target of all products and the ΔsΔz of the direction before, (3), and returns the lengths of the primal
// and the dual step.
func (t *path) direction(target float64) (ap, ad float64) {
	rc, r2 := make([]float64, len(t.z)), slices.Clone(t.rp)
	for i := t.eq; i < len(rc); i++ {
		rc[i] = target - t.s[i]*t.z[i] - t.ds[i]*t.dz[i]
		r2[i] -= rc[i] / t.z[i]
	}
	t.solve(t.rd, r2, t.dx, t.dz)
	for i := t.eq; i < len(rc); i++ {
		t.ds[i] = (rc[i] - t.s[i]*t.dz[i]) / t.z[i]
	}
	ap, ad = length(t.s[t.eq:], t.ds[t.eq:]), length(t.z[t.eq:], t.dz[t.eq:])
	if !t.linear {
		ap, ad = min(ap, ad), min(ap, ad)
	}
	return ap, ad
}

// length returns how far v may move along dv: at most 1, and short of the first entry to vanish.
func length(v, dv []float64) float64 {
	a := 1.0
	for i, d := range dv {
		if d < 0 {
			a = min(a, backoff*v[i]/-d)
		}
	}
	return a
}

// guess returns the constraints that the last step says will be active: equations, and those with Δs/s < Δz/z.
func (t *path) guess() []bool {
	active := make([]bool, len(t.z))
	for i := range active {
		active[i] = i < t.eq || t.ds[i]*t.z[i] < t.dz[i]*t.s[i]
	}
	return active
}

// affordable returns how many rounds of the finish cost no more than a factorisation.
func (p *program) affordable(active []bool) int {
	n := len(p.c)
	f := n
	for i, a := range active {
		if a && p.g[i].row == nil {
			f--
		} else if a {
			f++
		}
	}
	return min(n/16, n*n/max(1, f*f))
}

// finish is the active-set method from (x, z), to which it writes. It visits the solutions that little or nothing blocks.
func (p *program) finish(active []bool, rounds int, x, z []float64, visit func(x, z []float64) bool) bool {
	rd, slack, after := make([]float64, len(x)), make([]float64, len(z)), make([]float64, len(z))
	p.residuals(rd, slack, x, z)
	for range rounds {
		y := slices.Clone(x)
		if !p.polish(active, y, z) {
			return false
		}
		p.residuals(rd, after, y, z)
		share, change := p.block(active, slack, after)
		if share > near && visit(y, z) {
			return true
		}
		for _, v := range [][2][]float64{{x, y}, {slack, after}} {
			axpy(v[1], -1, v[0])
			axpy(v[0], share, v[1])
		}
		if share == 1 {
			change = p.release(active, z, rd)
		}
		if change < 0 {
			return false
		}
		active[change] = !active[change]
	}
	return false
}

// block returns which inactive constraint is met first on the way from one point to another, given the slacks at both, and
// after which share of the way: 1 if there is none.
func (p *program) block(active []bool, slack, after []float64) (share float64, which int) {
	share = 1
	for i := p.eq; i < len(slack); i++ {
		if s := max(0, slack[i]); !active[i] && after[i] < 0 && s/(s-after[i]) < share {
			share, which = s/(s-after[i]), i
		}
	}
	return share, which
}

// release returns which active inequality has the most negative multiplier, or −1, given the residual rd without those
// of bounds.
func (p *program) release(active []bool, z, rd []float64) (which int) {
	least, which := 0.0, -1
	for i := p.eq; i < len(z); i++ {
		c := p.g[i]
		if active[i] && c.row == nil {
			z[i] = c.sign * rd[c.j]
		}
		if active[i] && z[i] < least {
			least, which = z[i], i
		}
	}
	return which
}

// polish moves (x, z) to a solution of the program with the active constraints as equations, and no others: one linear
// system (B9), by refinement from (x, z): if there is more than one solution, near it.
func (p *program) polish(active []bool, x, z []float64) bool {
	var free, rows []int
	at, fixed := make([]float64, len(x)), make([]bool, len(x)) // at: active bounds, and 0 for free unknowns
	for i, c := range p.g {
		if active[i] && c.row != nil {
			rows = append(rows, i)
			continue
		}
		z[i] = 0
		if active[i] {
			fixed[c.j], x[c.j], at[c.j] = true, c.sign*c.h, c.sign*c.h
		}
	}
	for j, f := range fixed {
		if !f {
			free = append(free, j)
		}
	}
	sub := &program{q: NewMatrix(len(free), len(free)), g: pick(p.g, rows), eq: len(rows)}
	for k, j := range free {
		copy(sub.q.Row(k), pick(p.q.Row(j), free))
		sub.c = append(sub.c, p.c[j]+Dot(p.q.Row(j), at))
	}
	for k := range sub.g {
		c := &sub.g[k]
		c.h, c.row = c.h-c.of(at), pick(c.row, free)
	}
	k, xs, zs := newKKT(sub), pick(x, free), pick(z, rows)
	if !k.factor() {
		return false
	}
	k.refine(xs, zs, func(e1, e2 []float64) { sub.residuals(e1, e2, xs, zs) })
	scatter(x, free, xs)
	scatter(z, rows, zs)
	return true
}

// soften makes the rows of p yield, as in (5).
func (p *program) soften() {
	for i := range p.g {
		if p.g[i].row != nil {
			p.g[i].soft = 1
		}
	}
}

// shorten visits x with ever shorter multipliers of the constraints that are active there, by (5), and what the finish makes of them.
func (p *program) shorten(limit int, x, z []float64, visit func(x, z []float64) bool) {
	rd, slack, none := make([]float64, len(x)), make([]float64, len(z)), make([]float64, len(z))
	p.residuals(rd, slack, x, none)
	var index []int
	for i, s := range slack {
		if i < p.eq || s <= z[i] {
			index = append(index, i)
		}
	}
	local := &program{q: NewMatrix(len(x), len(x)), c: times(-1, rd, constant(len(x), 1)), g: pick(p.g, index), eq: p.eq}
	for i := range local.g {
		local.g[i].h = 0
	}
	local.soften()
	local.follow(limit, func(_, prices []float64) bool {
		z, active := slices.Clone(none), make([]bool, len(z))
		scatter(z, index, prices)
		for i := range active {
			active[i] = i < p.eq || z[i] > slack[i]
		}
		return visit(x, z) || p.finish(active, 4, slices.Clone(x), z, visit)
	})
}

// phaseOne returns a feasible point, or an InfeasibleError, or neither if it cannot tell.
func (q QP) phaseOne(o QPOptions) (point []float64, err error) {
	n := len(q.C)
	q.Q, q.C = NewMatrix(n, n), make([]float64, n)
	p := q.scale()
	p.soften()
	p.follow(o.MaxIter, func(x, z []float64) bool {
		x, z = q.restore(p, x, z)
		if s := q.certify(x, z); s.PrimalResidual <= o.Tol {
			point = x
		} else {
			err = q.farkas(s, z)
		}
		return point != nil || err != nil
	})
	return point, err
}

// farkas returns an InfeasibleError if z, the multipliers of s, proves it: hᵀz is negative beyond rounding, and Gᵀz, the dual
// residual g, is 0 but for rounding. Even that is small enough: as a feasible x would give −hᵀz ≤ −zᵀGx ≤ ‖g‖∞‖x‖₁, it would
// have to be much larger than s.X.
func (q QP) farkas(s *QPSolution, z []float64) error {
	hz, gz := 0.0, 0.0 // the sizes of the terms of hᵀz and Gᵀz, with 1 for a bound and for a row of zeros
	for i, c := range q.constraints() {
		if z[i] != 0 {
			hz += math.Abs(c.h * z[i])
			gz += cmp.Or(largest(c.row), 1) * math.Abs(z[i])
		}
	}
	v, g := s.DualObjective, s.DualResidual
	if v > certain*hz && g <= q.rounding()*gz && certain*v >= g*(1+largest(s.X)) {
		divide(z, largest(z))
		return q.infeasible(z)
	}
	return nil
}

// ray projects −c on the cone of directions that keep Qx and break no constraint, and scales that to largest entry 1. It
// returns nil if the projection is small beside c, or breaks a row by more than rounding: then a remote x may be a solution.
func (q QP) ray(o QPOptions) []float64 {
	n := len(q.C)
	cone := QP{Q: NewMatrix(n, n), C: slices.Clone(q.C), A: q.A, B: homogeneous(q.B), Lo: homogeneous(q.Lo), Hi: homogeneous(q.Hi),
		Aeq: &Matrix{n + q.Aeq.Rows, n, slices.Concat(q.Q.Data, q.Aeq.Data)}, Beq: make([]float64, n+q.Aeq.Rows)}
	for j := range n {
		cone.Q.Set(j, j, 1)
	}
	divide(cone.C, cmp.Or(largest(q.C), 1))
	d := cone.solve(QPOptions{certain / 1000, o.MaxIter}).X
	big := largest(d)
	if !(big > math.Sqrt(certain)) || !(Dot(cone.C, d) < 0) {
		return nil
	}
	divide(d, big)
	for _, c := range cone.constraints() {
		if c.excess(d) > q.rounding()*largest(c.row) {
			return nil
		}
	}
	return d
}

// homogeneous returns v with 0 for every finite entry.
func homogeneous(v []float64) []float64 {
	out := slices.Clone(v)
	for i, x := range v {
		if !math.IsInf(x, 0) {
			out[i] = 0
		}
	}
	return out
}

// present returns q with every part present. Like the functions of linear algebra, it panics on unequal sizes.
func (q QP) present() QP {
	q, err := q.complete()
	if err != nil {
		panic(err)
	}
	return q
}

// Value returns f(x) = ½xᵀQx + cᵀx (C4). The time is O(n²), as for the other methods of QP.
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
	for _, c := range q.constraints() {
		if !math.IsInf(c.h, 0) {
			constraints++
		}
	}
	return len(q.C), constraints
}

// Lagrangian returns L = f(x) + Ineqᵀ(Ax − b) + Eqᵀ(Aeq x − beq) + Lowerᵀ(lo − x) + Upperᵀ(x − hi), with the multipliers
// of m (B1). An absent constraint has no term.
func (q QP) Lagrangian(x []float64, m *QPSolution) float64 {
	q = q.present()
	l, z := q.Value(x), join(m.Ineq, m.Eq, m.Lower, m.Upper)
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
// [f(xᵢ) = f(x̄) + ∇f(x̄)ᵀ(xᵢ−x̄) + ½(xᵢ−x̄)ᵀQ(xᵢ−x̄); the linear terms have mean 0]. With two points it is the chord inequality.
// So a local minimum is global: from a higher x the chord to a lower z descends at once.
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
// With c = +Inf, the hard margin, there is no ξ: d + 1 unknowns and n constraints. Its Lagrangian has multipliers α (Ineq)
// of the rows and μ (Lower) of ξ ≥ 0, and is stationary (B1) where w = Σαᵢyᵢxᵢ, Σαᵢyᵢ = 0 and C − αᵢ − μᵢ = 0.
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
	q := QP{Q: NewMatrix(n, n), C: constant(n, -1), Aeq: MatrixFromRows([][]float64{ys}), Beq: []float64{0},
		Lo: make([]float64, n), Hi: constant(n, c)}
	for i := range n {
		for j, v := range k.Row(i) {
			q.Q.Row(i)[j] = ys[i] * v * ys[j]
		}
	}
	return q
}

// A Dual is the program that all machines of this package share (B2), in signed multipliers β:
//
//	maximise Pᵀβ − ½βᵀKβ  subject to  Lo ≤ β ≤ Hi,  Σβ = Sum.
//
// Its gradient is g = P − Kβ. With b the multiplier of the sum, β is optimal if and only if
//
//	gᵢ ≤ b where βᵢ < Hiᵢ (it may rise),  gᵢ ≥ b where βᵢ > Loᵢ (it may fall)                   (6)
//
// [∂/∂βᵢ of Pᵀβ − ½βᵀKβ − b(Σβ − Sum) is gᵢ − b: 0 between the bounds, ≥ 0 at Hi, ≤ 0 at Lo].
type Dual struct {
	K         Gram
	P, Lo, Hi []float64
	Sum       float64
}

// check finds mistakes in the shapes, numbers that are none, and bounds or a sum that no β satisfies.
func (d Dual) check() error {
	if d.K == nil {
		return errors.New("svm: Dual: K is absent")
	}
	n := d.K.Len()
	err := cmp.Or(fault("Dual: P", d.P, n, false), fault("Dual: Lo", d.Lo, n, true), fault("Dual: Hi", d.Hi, n, true),
		fault("Dual: Sum", []float64{d.Sum}, 1, false))
	if err != nil {
		return err
	}
	least, most := 0.0, 0.0
	for i, lo := range d.Lo {
		if lo > d.Hi[i] || math.IsInf(lo, 1) || math.IsInf(d.Hi[i], -1) {
			return fmt.Errorf("svm: Dual: bounds [%v, %v] of point %d: %w", lo, d.Hi[i], i, ErrInfeasible)
		}
		least += lo
		most += d.Hi[i]
	}
	rounding := float64(n) * machineEps // of sums of n numbers, relative to their sizes
	if d.Sum < least-rounding*norm1(d.Lo) || d.Sum > most+rounding*norm1(d.Hi) {
		return fmt.Errorf("svm: Dual: sum %v, want one in [%v, %v]: %w", d.Sum, least, most, ErrInfeasible)
	}
	return nil
}

// Gradient returns g = P − Kβ. The time is that of one row of K for each βᵢ ≠ 0.
func (d Dual) Gradient(beta []float64) []float64 {
	g, row, rows := slices.Clone(d.P), make([]float64, len(beta)), d.K.Open()
	for i, b := range beta {
		if b != 0 {
			rows.Row(row, i, 0)
			axpy(g, -b, row)
		}
	}
	return g
}

// Objective returns Pᵀβ − ½βᵀKβ = ½βᵀ(P + g). The time is that of Gradient.
func (d Dual) Objective(beta []float64) float64 {
	return (Dot(d.P, beta) + Dot(d.Gradient(beta), beta)) / 2
}

// Bias returns the ends of (6): up = max gᵢ over the β that may rise, low = min gᵢ over those that may fall. At an
// optimum up ≤ low and every b between is optimal; otherwise up − low > 0 is the worst violation (B5, E2).
func (d Dual) Bias(beta, g []float64) (up, low float64) {
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
	sum = -d.Sum
	for i, b := range beta {
		box = max(box, d.Lo[i]-b, b-d.Hi[i])
		sum += b
	}
	return box, math.Abs(sum)
}

// QP returns d as a QP: minimise ½βᵀKβ − Pᵀβ. It computes K, unless that is a Matrix.
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
	ones := constant(n, 1)
	return QP{Q: k, C: times(-1, d.P, ones), Aeq: &Matrix{1, n, ones}, Beq: []float64{d.Sum}, Lo: d.Lo, Hi: d.Hi}, nil
}

// InteriorPoint solves d by SolveQP, in time n³/6 an iteration: the slow, exact companion of SMO. X is β, and Eq[0] is b
// [Kβ − P + Eq − Lower + Upper = 0, so gᵢ = b where β is between its bounds].
func InteriorPoint(d Dual, o QPOptions) (*QPSolution, error) {
	q, err := d.QP()
	if err != nil {
		return nil, err
	}
	return SolveQP(q, o)
}
