// Copyright 2026 The svm authors. All rights reserved.
// Use of this source code is governed by the MIT
// license that can be found in the LICENSE file.

// Convex quadratic programs, by a primal-dual interior-point method with an active-set finish.
//
// The problem (C1) is
//
//	minimise f(x) = ½xᵀQx + cᵀx  subject to  Ax ≤ b,  Aeq x = beq,  lo ≤ x ≤ hi,
//
// Q positive semidefinite, any part absent. Stack the equations, the rows of A, and a row ±eⱼᵀ for every
// finite bound in one matrix G, and give each inequality a slack:
//
//	symbol      meaning                                                Go
//	G, h        all constraints, equations first                       program.g, at, sign, h
//	s           slack h − Gx: 0 for equations, ≥ 0 for the rest        path.s
//	z           multipliers: free for equations, ≥ 0 for the rest      path.z
//	μ           sᵀz / number of inequalities                           path.mu
//	τ           s/z: how soft a constraint is in a Newton step         kkt.tau
//	ρ, δ, σ     regularisation, and the weight of a firm row           rho, delta, sigma
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
// # The central path and Newton's method
//
// Ask for sᵢzᵢ = μ instead, s and z positive. These are the optimality conditions of f − μ Σ log sᵢ, whose
// minimisers, the central path, lead to a solution as μ → 0. One Newton step from (x, z, s), with the residuals
// r_d = Qx + c + Gᵀz, r_p = Gx + s − h and r_c = s∘z − μ, solves
//
//	QΔx + GᵀΔz = −r_d,  GΔx + Δs = −r_p,  sΔz + zΔs = −r_c.
//
// The last gives Δs = −(r_c + sΔz)/z; put it into the second:
//
//	QΔx + GᵀΔz = −r_d,  GΔx − τΔz = −r_p + r_c/z,  τ = s/z (τ = 0 for an equation).             (2)
//
// Mehrotra's predictor solves (2) for μ = 0; the longest step α that keeps s, z ≥ 0 would leave the mean product
// μ′. The corrector aims at μ(μ′/μ)³ and adds ΔsΔz of the predictor, the term that Newton's method dropped,
// to r_c. Both use one factorisation. Primal and dual take the same step if Q ≠ 0 [r_d contains QΔx,
// and falls by the factor 1 − α only then], different ones in a linear program.
//
// # One Cholesky factorisation
//
// A row with large τ is soft: eliminate Δzᵢ = (gᵢΔx − r₂ᵢ)/τᵢ, which adds gᵢᵀgᵢ/τᵢ to Q. A row with τ → 0, an
// equation or an active constraint, would add an enormous matrix and drown Q. Such a row is firm: add only
// σgᵢᵀ times its equation to the first line, and keep it. With v = (1 − στ)Δz,
//
//	M = Q + ρ + Σ_soft gᵢᵀgᵢ/τᵢ + σ Σ_firm gᵢᵀgᵢ
//	MΔx + G_firmᵀ v = r₁ + Σ_soft gᵢᵀr₂ᵢ/τᵢ + σ Σ_firm gᵢᵀr₂ᵢ,  G_firm Δx − τ/(1 − στ) v = r₂_firm.     (3)
//
// With M = UᵀU and V = G_firm U⁻¹ the second line is S v = V U⁻ᵀ(right-hand side) − r₂, S = VVᵀ + τ/(1 − στ). Bounds
// are always soft: they touch the diagonal alone. The cost is n³/6 + (rows)·n²/2 multiplications; the dual of an SVM
// has one firm row and costs one Cholesky factorisation of Q + diagonal.
//
// M and S are positive definite in exact arithmetic when ρ > 0 and δ, added to every τ, is positive. That also
// permits dependent rows and a singular Q; iterative refinement on (2), which has neither, removes their effect:
// an error in the direction of an eigenvalue λ of the Schur complement shrinks by δ/(λ + δ) a round.
//
// # The finish
//
// Near the solution the constraints with z > s are the active ones. Taking them as equations and forgetting the rest
// is a linear system (B9) in fewer unknowns: a bound fixes one, a row keeps one multiplier. Solve it with residuals
// accumulated in twice the working precision; drop active constraints with a negative multiplier, add violated ones,
// and repeat while the worst of these errors falls. It costs little when many unknowns are at bounds, ends the
// iteration early, and is exact to rounding where the path only converges.
//
// Multipliers need not be unique: with dependent active rows they can run away along Gᵀz = const, z ≥ 0, and an
// absolute residual drowns in their rounding. The least ones, min ½‖z‖² over that set, are the multipliers of
//
//	minimise gᵀd + ½‖(Gd)₊‖² (for equations ½‖Gd‖²),  g = Qx + c, G the active rows               (4)
//
// over the d that active bounds allow [its optimality is g + Gᵀz = 0 with z = (Gd)₊]. That is (2) with 1 added to the τ
// of every row: the field soft.
//
// # No solution
//
// Not convex: a Cholesky pivot of Q + tiny·I that is not positive gives d, dᵀQd < 0 [Uₖₖd = −uₖ, d_k = 1: the pivot is dᵀQd].
// Infeasible: minimise ½‖(Gx − h)₊‖² over the bounds, (2) with soft = 1 and f = 0, always solvable. If the minimum is
// positive, its z, (Gx − h)₊ in the rows, has Gᵀz = 0 and hᵀz = −‖(Gx − h)₊‖² < 0 [subtract zᵀ(Gx − h) from zᵀGx = 0; at
// bounds it is 0]; so no x has Gx ≤ h [0 = zᵀGx ≤ hᵀz < 0]: Farkas.
// Unbounded: project −c on the cone of directions d with Qd = 0 that break no constraint. If d ≠ 0, then cᵀd = −‖d‖² < 0
// [−c − d is orthogonal to d], and f falls forever along d from any feasible point. By duality there is no fourth case (C5).
//
// # What can go wrong
//
// Data in mixed units: rows and columns are scaled by powers of two, without rounding, until their largest entries are
// near 1 (Ruiz). Fixed unknowns (lo = hi) are taken out first. Residuals are always of the program as given. A point counts
// as solved when they say so, whatever the method believes; otherwise the best point is returned with ErrNotConverged.
//
// References. Nocedal and Wright, Numerical Optimization, chapter 16: the place to start. Mehrotra, On the implementation of
// a primal-dual interior point method (1992). Friedlander and Orban, A primal-dual regularized interior-point method
// for convex quadratic programs (2012). Hintermüller, Ito and Kunisch, The primal-dual active set strategy as a semismooth
// Newton method (2002), for the finish. Ruiz, A scaling algorithm to equilibrate both rows and columns norms (2001).

package svm

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// What a program without a solution is found to be. Each comes in an error with the proof.
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
	PrimalResidual, DualResidual, Gap float64 // of the program as given: absolute, unscaled, largest entries
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
	rho         = 1e-12 // added to Q: below the curvature that matters at the end of the path, above the rounding of M
	delta       = 1e-8  // added to τ: keeps S definite with dependent rows; refinement removes it
	sigma       = 1e2   // weight of a firm row in M: holds down its range, costs two digits
	refinements = 3     // solutions with the factors of (3) that add up to a Newton step
	precise     = 10    // corrections of the finish, at most
	rounds      = 10    // active sets tried by a finish, at most
	remote      = 1e8   // beyond this, the residuals of a point on its way to infinity may vanish in rounding
	runaway     = 1e3   // growth of a point in the finish that tells a wrong active set: its system has no solution
	patience    = 15    // iterations without 10% progress before giving up
	backoff     = 0.995 // share of the way to the boundary
	asymmetric  = 1e-12 // relative difference of Q and Qᵀ that is rounding
	certain     = 1e-9  // relative error allowed in a certificate
)

// SolveQP returns a solution: both residuals and the gap at most o.Tol. Otherwise the error is, or wraps, an
// *InfeasibleError, *UnboundedError or *NotConvexError with a proof; ErrNotFinite; a description of a mistake in the shapes
// or the symmetry of the data; or ErrNotConverged, and then the best point found is returned too.
// An iteration costs n³/6 + mn²/2 multiplications, m the number of rows of A and Aeq; 5 to 30 iterations are typical.
func SolveQP(q QP, o QPOptions) (*QPSolution, error) {
	if !(o.Tol >= 0) || math.IsInf(o.Tol, 1) || o.MaxIter < 0 {
		return nil, fmt.Errorf("svm: QPOptions: Tol %v, MaxIter %d: want finite values, not negative", o.Tol, o.MaxIter)
	}
	if o.Tol == 0 {
		o.Tol = 1e-9
	}
	if o.MaxIter == 0 {
		o.MaxIter = 200
	}
	q, err := q.complete()
	if err == nil {
		err = q.contradiction()
	}
	if err == nil {
		err = q.convex()
	}
	if err != nil {
		return nil, err
	}
	s := q.solve(o)
	if s.worst() <= o.Tol {
		if largest(s.X) > remote {
			if ray := q.ray(o); ray != nil {
				return nil, &UnboundedError{s.X, ray}
			}
		}
		return s, nil
	}
	point, err := q.phaseOne(o)
	if err != nil {
		return nil, err
	}
	if point != nil {
		if ray := q.ray(o); ray != nil {
			return nil, &UnboundedError{point, ray}
		}
	}
	return s, fmt.Errorf("svm: SolveQP: primal residual %.1e, dual residual %.1e, gap %.1e after %d iterations: %w",
		s.PrimalResidual, s.DualResidual, s.Gap, s.Iterations, ErrNotConverged)
}

// complete returns q with every part present, or says what is wrong with it.
func (q QP) complete() (QP, error) {
	n := max(len(q.C), len(q.Lo), len(q.Hi))
	for _, m := range []*Matrix{q.Q, q.A, q.Aeq} {
		if m != nil {
			n = max(n, m.Cols)
		}
	}
	for _, p := range []struct {
		name string
		m    **Matrix
		rows int
	}{{"Q", &q.Q, n}, {"A", &q.A, len(q.B)}, {"Aeq", &q.Aeq, len(q.Beq)}} {
		if *p.m == nil && (p.name == "Q" || p.rows == 0) || *p.m != nil && (*p.m).Rows == 0 && p.rows == 0 {
			*p.m = NewMatrix(p.rows, n)
		}
		if m := *p.m; m == nil || m.Rows != p.rows || m.Cols != n || len(m.Data) != p.rows*n {
			return q, fmt.Errorf("svm: QP: %s is absent or not a matrix of %d×%d", p.name, p.rows, n)
		} else if k := allFinite(m.Data); k >= 0 {
			return q, fmt.Errorf("svm: QP: %s[%d][%d] is %v: %w", p.name, k/n, k%n, m.Data[k], ErrNotFinite)
		}
	}
	inf := math.Inf(1)
	for _, p := range []struct {
		name    string
		v       *[]float64
		n       int
		missing float64
	}{{"C", &q.C, n, 0}, {"B", &q.B, len(q.B), inf}, {"Beq", &q.Beq, len(q.Beq), 0}, {"Lo", &q.Lo, n, -inf}, {"Hi", &q.Hi, n, inf}} {
		if *p.v == nil {
			*p.v = constant(p.n, p.missing)
		}
		if len(*p.v) != p.n {
			return q, fmt.Errorf("svm: QP: %s has %d entries, want %d", p.name, len(*p.v), p.n)
		}
		for i, v := range *p.v {
			if math.IsNaN(v) || math.IsInf(v, 0) && p.missing == 0 {
				return q, fmt.Errorf("svm: QP: %s[%d] is %v: %w", p.name, i, v, ErrNotFinite)
			}
		}
	}
	return q, q.symmetric()
}

func (q QP) symmetric() error {
	slack := asymmetric * largest(q.Q.Data)
	for i := range q.C {
		for j, v := range q.Q.Row(i)[:i] {
			if w := q.Q.Row(j)[i]; math.Abs(v-w) > slack {
				return fmt.Errorf("svm: QP: Q[%d][%d] is %v, Q[%d][%d] is %v: want a symmetric matrix", i, j, v, j, i, w)
			}
		}
	}
	return nil
}

func constant(n int, v float64) []float64 { return slices.Repeat([]float64{v}, n) }

// largest returns ‖x‖∞, or NaN.
func largest(x []float64) float64 {
	big := 0.0
	for _, v := range x {
		big = max(big, math.Abs(v))
	}
	return big
}

// contradiction finds a side, or two bounds, that no number satisfies.
func (q QP) contradiction() error {
	n := len(q.C)
	e := &InfeasibleError{make([]float64, len(q.B)), make([]float64, len(q.Beq)), make([]float64, n), make([]float64, n)}
	for i, b := range q.B {
		if math.IsInf(b, -1) {
			e.Ineq[i] = 1
			return e
		}
	}
	for j, lo := range q.Lo {
		if lo > q.Hi[j] || math.IsInf(lo, 1) || math.IsInf(q.Hi[j], -1) {
			e.Lower[j], e.Upper[j] = 1, 1
			return e
		}
	}
	return nil
}

// convex returns a NotConvexError if Q has a negative eigenvalue beyond the rounding of its entries, about nε‖Q‖.
func (q QP) convex() error {
	n := len(q.C)
	shift := 1e-14 * float64(n+10) * largest(q.Q.Data)
	if shift == 0 {
		return nil
	}
	u := newTriangle(n)
	for i := range n {
		copy(u[i], q.Q.Row(i)[i:])
		u[i][0] += shift
	}
	k := u.factor()
	if k < 0 {
		return nil
	}
	d := make([]float64, n)
	d[k] = 1
	for i := k - 1; i >= 0; i-- { // the leading k×k part of U times d[:k] = −U[:k][k]
		d[i] = -Dot(u[i][1:k-i+1], d[i+1:k+1]) / u[i][0]
	}
	qd := make([]float64, n)
	q.Q.MulVec(qd, d)
	if curvature := Dot(d, qd); curvature < 0 {
		return &NotConvexError{d, curvature}
	}
	return nil
}

// solve returns the best point that the interior-point method visits.
func (q QP) solve(o QPOptions) *QPSolution {
	r := q.reduce()
	var best *QPSolution
	iterations := r.follow(o.MaxIter, func(x, z []float64) bool {
		if s := r.restore(x, z); best == nil || s.worst() < best.worst() {
			best = s
		}
		return best.worst() <= o.Tol
	})
	best.Iterations = iterations
	return best
}

// certify computes, from X, Ineq and Eq alone, the multipliers of the bounds, the objectives and the residuals (B5).
// The gradient g of the Lagrangian without bounds decides the former: Lower = g₊ where there is a lower bound,
// Upper = g₋ where there is an upper one; what remains is the dual residual.
func (q QP) certify(s *QPSolution) {
	n := len(q.C)
	g := make([]float64, n)
	q.Q.MulVec(g, s.X)
	xqx := Dot(s.X, g)
	axpy(g, 1, q.C)
	s.Objective, s.DualObjective = xqx/2+Dot(q.C, s.X), -xqx/2
	s.PrimalResidual, s.DualResidual, s.Gap = 0, 0, 0
	for j, x := range s.X {
		s.Gap += x * g[j]
	}
	for i, z := range s.Ineq {
		s.PrimalResidual = max(s.PrimalResidual, Dot(q.A.Row(i), s.X)-q.B[i])
		axpy(g, z, q.A.Row(i))
	}
	for i, z := range s.Eq {
		s.PrimalResidual = max(s.PrimalResidual, math.Abs(Dot(q.Aeq.Row(i), s.X)-q.Beq[i]))
		axpy(g, z, q.Aeq.Row(i))
	}
	s.Lower, s.Upper = make([]float64, n), make([]float64, n)
	for j, x := range s.X {
		switch {
		case g[j] > 0 && !math.IsInf(q.Lo[j], -1):
			s.Lower[j] = g[j]
		case g[j] < 0 && !math.IsInf(q.Hi[j], 1):
			s.Upper[j] = -g[j]
		default:
			s.DualResidual = max(s.DualResidual, math.Abs(g[j]))
		}
		s.PrimalResidual = max(s.PrimalResidual, q.Lo[j]-x, x-q.Hi[j])
	}
	q.prices(s, func(v float64) {
		s.Gap += v
		s.DualObjective -= v
	})
	s.Gap = math.Abs(s.Gap)
}

// prices calls f with the terms of hᵀz = bᵀIneq + beqᵀEq − loᵀLower + hiᵀUpper. Infinite sides have multiplier 0.
func (q QP) prices(s *QPSolution, f func(v float64)) {
	for i, z := range s.Ineq {
		if z != 0 {
			f(q.B[i] * z)
		}
	}
	for i, z := range s.Eq {
		f(q.Beq[i] * z)
	}
	for j := range s.X {
		if s.Lower[j] != 0 {
			f(-q.Lo[j] * s.Lower[j])
		}
		if s.Upper[j] != 0 {
			f(q.Hi[j] * s.Upper[j])
		}
	}
}

// worst returns the largest of the residuals and the gap, +Inf if anything has overflowed.
func (s *QPSolution) worst() float64 {
	w := max(s.PrimalResidual, s.DualResidual, s.Gap)
	if overflow := 0 * (w + s.Objective + s.DualObjective); overflow != 0 { // 0·∞ and 0·NaN are NaN
		return math.Inf(1)
	}
	return w
}

// A program is minimise ½xᵀQx + cᵀx subject to Gx + s = h, s = 0 in the first eq rows, s ≥ 0 in the others. The last rows
// of G, one for each entry of at, are bounds: sign·x[at]. The other rows may be exceeded by soft·z.
type program struct {
	q    *Matrix
	c    []float64
	g    *Matrix
	eq   int
	at   []int
	sign []float64
	h    []float64
	soft float64
}

// mul sets dst = Gx.
func (p *program) mul(dst, x []float64) {
	m := p.g.Rows
	p.g.MulVec(dst[:m], x)
	for k, j := range p.at {
		dst[m+k] = p.sign[k] * x[j]
	}
}

// mulT sets dst = Gᵀz.
func (p *program) mulT(dst, z []float64) {
	m := p.g.Rows
	p.g.MulVecT(dst, z[:m])
	for k, j := range p.at {
		dst[j] += p.sign[k] * z[m+k]
	}
}

// softness returns what is added to τ in row i: nothing for a bound.
func (p *program) softness(i int) float64 {
	if i < p.g.Rows {
		return p.soft
	}
	return 0
}

// gradient sets dst = Qx + c + Gᵀz.
func (p *program) gradient(dst, x, z []float64) {
	p.mulT(dst, z)
	for i, v := range p.c {
		dst[i] += v + Dot(p.q.Row(i), x)
	}
}

// A reduction is a QP without its fixed unknowns and absent rows, scaled: x = d·(its x), z = e·(its z)/kappa.
type reduction struct {
	program
	user       QP
	cols, rows []int // the unknowns and the rows of A that remain
	d, e       []float64
	kappa      float64
}

// reduce takes unknowns with lo = hi out of q, and rows with b = +Inf, and scales the rest.
func (q QP) reduce() *reduction {
	r := &reduction{user: q}
	fixed := make([]float64, len(q.C))
	for j := range fixed {
		if q.Lo[j] == q.Hi[j] {
			fixed[j] = q.Lo[j]
		} else {
			r.cols = append(r.cols, j)
		}
	}
	var rows []int
	for i := range q.Beq {
		rows = append(rows, i)
	}
	for i, b := range q.B {
		if !math.IsInf(b, 1) {
			r.rows, rows = append(r.rows, i), append(rows, len(q.Beq)+i)
		}
	}
	whole := program{q: q.Q, c: q.C, g: &Matrix{len(q.Beq) + len(q.B), len(q.C), slices.Concat(q.Aeq.Data, q.A.Data)},
		h: slices.Concat(q.Beq, q.B)}
	r.program = *whole.restrict(r.cols, rows, fixed)
	r.eq = len(q.Beq)
	for k, j := range r.cols {
		if !math.IsInf(q.Lo[j], -1) {
			r.at, r.sign, r.h = append(r.at, k), append(r.sign, -1), append(r.h, -q.Lo[j])
		}
		if !math.IsInf(q.Hi[j], 1) {
			r.at, r.sign, r.h = append(r.at, k), append(r.sign, 1), append(r.h, q.Hi[j])
		}
	}
	r.equilibrate()
	return r
}

// equilibrate multiplies rows and columns of [Q Gᵀ; G 0] by 1/√(largest entry) until all of these are near 1, then the
// objective. All factors are powers of two, so nothing is rounded.
func (r *reduction) equilibrate() {
	n := len(r.cols)
	r.d, r.e = constant(n, 1), constant(len(r.h), 1)
	for pass, done := 0, false; pass < 20 && !done; pass++ {
		col, row := make([]float64, n), make([]float64, r.g.Rows)
		for i := range col {
			col[i] = largest(r.q.Row(i))
		}
		for i := range row {
			for j, v := range r.g.Row(i) {
				col[j] = max(col[j], math.Abs(v))
			}
			row[i] = rootScale(largest(r.g.Row(i)))
		}
		for i, v := range col {
			col[i] = rootScale(v)
		}
		done = !slices.ContainsFunc(slices.Concat(row, col), func(v float64) bool { return v != 1 })
		for i, v := range col {
			r.d[i] *= v
			r.c[i] *= v
			scaleRow(r.q.Row(i), v, col)
		}
		for i, v := range row {
			r.e[i] *= v
			r.h[i] *= v
			scaleRow(r.g.Row(i), v, col)
		}
	}
	for k, j := range r.at {
		i := r.g.Rows + k
		r.e[i] = 1 / r.d[j]
		r.h[i] *= r.e[i]
	}
	r.kappa = rootScale(max(largest(r.c), largest(r.q.Data)))
	r.kappa *= r.kappa
	for i := range r.c {
		r.c[i] *= r.kappa
		for j := range r.c {
			r.q.Data[i*n+j] *= r.kappa
		}
	}
}

// rootScale returns the power of two nearest to 1/√v, or 1 if v or its inverse is not a number to divide by.
func rootScale(v float64) float64 {
	if !(v > 0x1p-300 && v < 0x1p300) {
		return 1
	}
	return math.Exp2(-math.Round(math.Log2(v) / 2))
}

func scaleRow(row []float64, a float64, col []float64) {
	for j, v := range col {
		row[j] *= a * v
	}
}

// restore turns a point of the reduced program into one of the user's.
func (r *reduction) restore(x, z []float64) *QPSolution {
	q := r.user
	s := &QPSolution{X: slices.Clone(q.Lo), Ineq: make([]float64, len(q.B)), Eq: make([]float64, len(q.Beq))}
	for k, j := range r.cols {
		s.X[j] = min(max(x[k]*r.d[k], q.Lo[j]), q.Hi[j])
	}
	for i := range s.Eq {
		s.Eq[i] = z[i] * r.e[i] / r.kappa
	}
	for k, i := range r.rows {
		s.Ineq[i] = max(0, z[r.eq+k]*r.e[r.eq+k]/r.kappa)
	}
	q.certify(s)
	return s
}

// A kkt holds system (2), QΔx + GᵀΔz = r₁, GΔx − τΔz = r₂, and the factors of its regularised form (3).
type kkt struct {
	*program
	tau  []float64
	reg  []float64 // τ, for rows with δ
	firm []int
	u    triangle // M = UᵀU
	v    *Matrix  // G_firm U⁻¹
	s    triangle // the factor of S
	e1   []float64
	e2   []float64
	tmp1 []float64
	tmp2 []float64
}

func newKKT(p *program) *kkt {
	n, m := len(p.c), len(p.h)
	return &kkt{program: p, tau: make([]float64, m), reg: make([]float64, m), u: newTriangle(n),
		e1: make([]float64, n), tmp1: make([]float64, n), e2: make([]float64, m), tmp2: make([]float64, m)}
}

// factor factors M and S for the given τ, with more regularisation if rounding makes them indefinite.
func (k *kkt) factor() bool {
	for boost := 1.0; boost < 1e9; boost *= 100 {
		if k.factorM(boost) && k.factorS() {
			return true
		}
	}
	return false
}

func (k *kkt) factorM(boost float64) bool {
	m := k.g.Rows
	for i, row := range k.u {
		copy(row, k.q.Row(i)[i:])
		row[0] += rho * boost
	}
	k.firm = k.firm[:0]
	for i, tau := range k.tau {
		k.reg[i] = tau
		if i >= m {
			k.u[k.at[i-m]][0] += 1 / tau
			continue
		}
		k.reg[i] += delta * boost
		if k.isFirm(i) {
			k.firm = append(k.firm, i)
		}
		w, row := k.weight(i), k.g.Row(i)
		for j, v := range row {
			if v != 0 {
				axpy(k.u[j], w*v, row[j:])
			}
		}
	}
	return k.u.factor() < 0
}

// isFirm tells whether 1/τ, the weight of a row that is eliminated, would be too much for M.
func (k *kkt) isFirm(i int) bool { return i < k.g.Rows && k.reg[i]*sigma < 0.5 }

// weight returns the weight of row i of G in M.
func (k *kkt) weight(i int) float64 {
	if k.isFirm(i) {
		return sigma
	}
	return 1 / k.reg[i]
}

func (k *kkt) factorS() bool {
	k.v, k.s = NewMatrix(len(k.firm), len(k.c)), newTriangle(len(k.firm))
	for a, i := range k.firm {
		copy(k.v.Row(a), k.g.Row(i))
		k.u.solveT(k.v.Row(a))
	}
	for a, i := range k.firm {
		for b := range k.s[a] {
			k.s[a][b] = Dot(k.v.Row(a), k.v.Row(a+b))
		}
		k.s[a][0] += k.reg[i] / (1 - sigma*k.reg[i])
	}
	return k.s.factor() < 0
}

// apply replaces (r₁, r₂) in (x, z) by the solution of (3).
func (k *kkt) apply(x, z []float64) {
	gx, y := k.tmp2, make([]float64, len(k.firm))
	for i, v := range z {
		gx[i] = k.weight(i) * v
	}
	k.mulT(k.tmp1, gx)
	axpy(x, 1, k.tmp1)
	k.u.solveT(x)
	for a, i := range k.firm {
		y[a] = Dot(k.v.Row(a), x) - z[i]
	}
	k.s.solve(y)
	for a := range k.firm {
		axpy(x, -y[a], k.v.Row(a))
	}
	k.u.solveU(x)
	k.mul(gx, x)
	for i := range z {
		z[i] = (gx[i] - z[i]) / k.reg[i]
	}
	for a, i := range k.firm {
		z[i] = y[a] / (1 - sigma*k.reg[i])
	}
}

// refine adds corrections to (x, z) while they halve the residual, at most limit.
func (k *kkt) refine(x, z []float64, limit int, residual func(e1, e2 []float64)) {
	last := math.Inf(1)
	for range limit {
		residual(k.e1, k.e2)
		size := max(largest(k.e1), largest(k.e2))
		if !(size < last/2) || size == 0 {
			return
		}
		last = size
		k.apply(k.e1, k.e2)
		axpy(x, 1, k.e1)
		axpy(z, 1, k.e2)
	}
}

// solve sets (x, z) to the solution of (2).
func (k *kkt) solve(r1, r2, x, z []float64) {
	clear(x)
	clear(z)
	k.refine(x, z, refinements, func(e1, e2 []float64) {
		k.mulT(e1, z)
		for i := range x {
			e1[i] = r1[i] - e1[i] - Dot(k.q.Row(i), x)
		}
		k.mul(e2, x)
		for i := range z {
			e2[i] = r2[i] - e2[i] + k.tau[i]*z[i]
		}
	})
}

// A path is a point that follows the central path, with its residuals and its next step.
type path struct {
	*kkt
	x, z, s    []float64
	dx, dz, ds []float64
	rd, rp, rc []float64
	r1, r2     []float64
	mu         float64
	linear     bool
}

func newPath(p *program) *path {
	n, m := len(p.c), len(p.h)
	t := &path{kkt: newKKT(p), linear: p.soft == 0 && largest(p.q.Data) == 0}
	for _, v := range []*[]float64{&t.x, &t.dx, &t.rd, &t.r1} {
		*v = make([]float64, n)
	}
	for _, v := range []*[]float64{&t.z, &t.s, &t.dz, &t.ds, &t.rp, &t.rc, &t.r2} {
		*v = make([]float64, m)
	}
	return t
}

// follow visits the points of the path, and those of the finish, until visit is satisfied, there is no more progress,
// or limit iterations are done.
func (p *program) follow(limit int, visit func(x, z []float64) bool) (iterations int) {
	t := newPath(p)
	if len(p.h) == p.eq {
		_ = visit(t.x, t.z) || p.finish(t.x, t.z, t.s, visit)
		return 0
	}
	t.start()
	least, next, stalled := math.Inf(1), 0.1, 0
	for ; iterations < limit && stalled < patience; iterations++ {
		err := t.residuals()
		if visit(t.x, t.z) || math.IsNaN(err) {
			return iterations
		}
		if err < next {
			next = err / 4
			if p.finish(slices.Clone(t.x), slices.Clone(t.z), t.s, visit) {
				return iterations
			}
		}
		stalled++
		if err < 0.9*least {
			least, stalled = err, 0
		}
		if !t.step() {
			break
		}
	}
	if p.soft == 0 {
		p.leastMultipliers(limit, t, visit)
	}
	return iterations
}

// start solves (2) with τ = 1, which minimises f(x) + ½‖Gx − h‖² over the inequalities, and lifts s and z = −s to positive.
// Then both are lifted once more, by half of their average product over the average of the other: Mehrotra's remedy for
// starts with a product far below μ, from which his direction can only creep.
func (t *path) start() {
	for i := t.eq; i < len(t.tau); i++ {
		t.tau[i] = 1
	}
	t.factor()
	axpy(t.r1, -1, t.c)
	t.solve(t.r1, t.h, t.x, t.z)
	axpy(t.s[t.eq:], -1, t.z[t.eq:])
	for _, v := range [][]float64{t.s[t.eq:], t.z[t.eq:]} {
		if least := slices.Min(v); least <= 1e-8*largest(v) {
			for i := range v {
				v[i] += 1 - least
			}
		}
	}
	s, z := t.s[t.eq:], t.z[t.eq:]
	product, sumS, sumZ := Dot(s, z), total(s), total(z)
	for i := range s {
		s[i] += product / sumZ / 2
		z[i] += product / sumS / 2
	}
}

// residuals computes r_d, r_p and μ, and returns the largest of their entries.
func (t *path) residuals() float64 {
	t.gradient(t.rd, t.x, t.z)
	t.mul(t.rp, t.x)
	for i := range t.z {
		t.rp[i] += t.s[i] - t.h[i] - t.softness(i)*t.z[i]
	}
	t.mu = Dot(t.s, t.z) / float64(len(t.s)-t.eq)
	return max(largest(t.rd), largest(t.rp), t.mu)
}

// step moves along Mehrotra's direction.
func (t *path) step() bool {
	for i := range t.z {
		t.tau[i] = t.softness(i)
		if i >= t.eq {
			t.tau[i] += t.s[i] / t.z[i]
			t.rc[i] = t.s[i] * t.z[i]
		}
	}
	if !t.factor() {
		return false
	}
	t.direction()
	ap, ad := t.lengths()
	after := 0.0
	for i := t.eq; i < len(t.z); i++ {
		after += (t.s[i] + ap*t.ds[i]) * (t.z[i] + ad*t.dz[i])
	}
	after /= float64(len(t.z) - t.eq)
	target := t.mu * math.Pow(after/t.mu, 3)
	for i := t.eq; i < len(t.z); i++ {
		t.rc[i] += t.ds[i]*t.dz[i] - target
	}
	t.direction()
	ap, ad = t.lengths()
	axpy(t.x, ap, t.dx)
	axpy(t.s, ap, t.ds)
	axpy(t.z, ad, t.dz)
	return true
}

// direction solves (2) for the residuals r_d, r_p and r_c.
func (t *path) direction() {
	for i, v := range t.rd {
		t.r1[i] = -v
	}
	for i, v := range t.rp {
		t.r2[i] = -v
		if i >= t.eq {
			t.r2[i] += t.rc[i] / t.z[i]
		}
	}
	t.solve(t.r1, t.r2, t.dx, t.dz)
	for i := t.eq; i < len(t.z); i++ {
		t.ds[i] = -(t.rc[i] + t.s[i]*t.dz[i]) / t.z[i]
	}
}

// lengths returns the primal and the dual step: at most 1, and short of the first s or z to vanish.
func (t *path) lengths() (ap, ad float64) {
	longest := func(v, dv []float64) float64 {
		a := 1.0
		for i, d := range dv {
			if i >= t.eq && d < 0 {
				a = min(a, backoff*v[i]/-d)
			}
		}
		return a
	}
	ap, ad = longest(t.s, t.ds), longest(t.z, t.dz)
	if t.linear {
		return ap, ad
	}
	return min(ap, ad), min(ap, ad)
}

// finish guesses the active constraints, solves for them as equations, and mends the guess, visiting every answer.
// It writes to x and z.
func (p *program) finish(x, z, s []float64, visit func(x, z []float64) bool) bool {
	active := make([]bool, len(z))
	for i := range active {
		active[i] = i < p.eq || z[i] > s[i]
	}
	last, limit := math.Inf(1), runaway*(1+max(largest(x), largest(z)))
	for range rounds {
		if !p.activeSolve(active, x, z) || len(z) > p.eq && !(max(largest(x), largest(z)) < limit) {
			return false
		}
		if visit(x, z) {
			return true
		}
		worst := p.revise(active, x, z)
		if !(worst < last) || worst == 0 {
			return false
		}
		last = worst
	}
	return false
}

// activeSolve replaces (x, z) by the solution of the program with the active constraints as equations, and no others.
func (p *program) activeSolve(active []bool, x, z []float64) bool {
	m := p.g.Rows
	var free, rows []int
	fixed, at := make([]float64, len(x)), make([]bool, len(x))
	for k, j := range p.at {
		if active[m+k] {
			at[j], fixed[j] = true, p.sign[k]*p.h[m+k]
		}
	}
	for j, f := range at {
		if !f {
			free = append(free, j)
		}
	}
	for i := range m {
		if active[i] {
			rows = append(rows, i)
		}
	}
	xs, zs := pick(x, free), pick(z, rows)
	if !p.restrict(free, rows, fixed).direct(xs, zs) {
		return false
	}
	copy(x, fixed)
	clear(z)
	for k, j := range free {
		x[j] = xs[k]
	}
	for k, i := range rows {
		z[i] = zs[k]
	}
	return true
}

// restrict returns the program with only these rows, as equations, and only the free unknowns; fixed holds the others, and 0
// for the free ones.
func (p *program) restrict(free, rows []int, fixed []float64) *program {
	sub := &program{q: NewMatrix(len(free), len(free)), g: NewMatrix(len(rows), len(free)), eq: len(rows), soft: p.soft}
	part := func(dst, row []float64, v, sign float64) float64 {
		a := sum{v, 0}
		for j, f := range fixed {
			if f != 0 {
				a.add(sign*row[j], f)
			}
		}
		copy(dst, pick(row, free))
		return a.hi + a.lo
	}
	for k, j := range free {
		sub.c = append(sub.c, part(sub.q.Row(k), p.q.Row(j), p.c[j], 1))
	}
	for k, i := range rows {
		sub.h = append(sub.h, part(sub.g.Row(k), p.g.Row(i), p.h[i], -1))
	}
	return sub
}

// direct solves a program of equations (B9), by refinement from (x, z): if there is more than one solution, near it.
func (p *program) direct(x, z []float64) bool {
	k := newKKT(p)
	for i := range k.tau {
		k.tau[i] = p.soft
	}
	if !k.factor() {
		return false
	}
	k.refine(x, z, precise, func(e1, e2 []float64) { p.exact(x, z, e1, e2) })
	return true
}

// exact sets e1 = −(Qx + c + Gᵀz) and e2 = h − Gx + soft·z, rounded once.
func (p *program) exact(x, z, e1, e2 []float64) {
	a := make([]sum, len(x))
	for i := range a {
		a[i].add(-1, p.c[i])
		for j, v := range p.q.Row(i) {
			a[i].add(-v, x[j])
		}
	}
	for i := range e2 {
		b := sum{p.h[i], 0}
		b.add(p.soft, z[i])
		for j, v := range p.g.Row(i) {
			if v != 0 {
				b.add(-v, x[j])
				a[j].add(-v, z[i])
			}
		}
		e2[i] = b.hi + b.lo
	}
	for i := range a {
		e1[i] = a[i].hi + a[i].lo
	}
}

// A sum is hi + lo, about twice as precise as a float64.
type sum struct{ hi, lo float64 }

// add adds ab: the product and the sum leave their rounding errors (Dekker, Knuth) in lo.
func (s *sum) add(a, b float64) {
	p := a * b
	t := s.hi + p
	v := t - s.hi
	s.lo += (s.hi - (t - v)) + (p - v) + math.FMA(a, b, -p)
	s.hi = t
}

// revise drops active inequalities with negative multipliers, adds violated ones, and returns the worst of these errors.
func (p *program) revise(active []bool, x, z []float64) (worst float64) {
	m := p.g.Rows
	g, gx := make([]float64, len(x)), make([]float64, len(z))
	p.gradient(g, x, z)
	for k, j := range p.at {
		if active[m+k] {
			z[m+k] = -p.sign[k] * g[j]
		}
	}
	p.mul(gx, x)
	for i := p.eq; i < len(z); i++ {
		v := gx[i] - p.h[i]
		if active[i] {
			v = -z[i]
		}
		if v > 0 {
			active[i] = !active[i]
			worst = max(worst, v)
		}
	}
	return worst
}

// leastMultipliers visits t.x with the smallest multipliers of its active constraints, from (4).
func (p *program) leastMultipliers(limit int, t *path, visit func(x, z []float64) bool) {
	m, n := p.g.Rows, len(t.x)
	sub := &program{q: NewMatrix(n, n), c: make([]float64, n), g: &Matrix{Cols: n}, eq: p.eq, soft: 1}
	var rows []int
	for i := range p.h {
		switch {
		case i >= p.eq && t.z[i] <= t.s[i]:
		case i < m:
			rows = append(rows, i)
			sub.g.Rows, sub.g.Data = len(rows), append(sub.g.Data, p.g.Row(i)...)
		default:
			sub.at, sub.sign = append(sub.at, p.at[i-m]), append(sub.sign, p.sign[i-m])
		}
	}
	sub.h = make([]float64, len(rows)+len(sub.at))
	z := make([]float64, len(t.z))
	p.gradient(sub.c, t.x, z)
	sub.follow(limit, func(_, y []float64) bool {
		for k, i := range rows {
			z[i] = y[k]
		}
		return visit(t.x, z)
	})
}

// phaseOne returns a feasible point, or an InfeasibleError, or neither if it cannot tell.
func (q QP) phaseOne(o QPOptions) (point []float64, err error) {
	n := len(q.C)
	q.Q, q.C = NewMatrix(n, n), make([]float64, n)
	r := q.reduce()
	r.soft = 1
	r.follow(o.MaxIter, func(x, z []float64) bool {
		s := r.restore(x, z)
		if s.PrimalResidual <= o.Tol {
			point = s.X
		} else {
			err = q.farkas(s)
		}
		return point != nil || err != nil
	})
	return point, err
}

// farkas returns an InfeasibleError if the multipliers of s prove it beyond rounding. With g the dual residual and
// v = −hᵀz, a feasible x would give v ≤ −zᵀGx ≤ ‖g‖∞‖x‖₁: the proof counts if x had to be much larger than s.X.
func (q QP) farkas(s *QPSolution) error {
	terms := 0.0
	q.prices(s, func(v float64) { terms += math.Abs(v) })
	v := s.DualObjective
	if !(v > certain*terms && certain*v >= s.DualResidual*(1+largest(s.X))) {
		return nil
	}
	size := max(largest(s.Ineq), largest(s.Eq))
	for _, z := range [][]float64{s.Ineq, s.Eq, s.Lower, s.Upper} {
		for i := range z {
			z[i] /= size
		}
	}
	return &InfeasibleError{s.Ineq, s.Eq, s.Lower, s.Upper}
}

// ray projects −c on the cone of directions that keep Qx and break no constraint. It returns nil if there is nothing left
// beyond rounding, and otherwise the projection, scaled to largest entry 1.
func (q QP) ray(o QPOptions) []float64 {
	n, size := len(q.C), largest(q.C)
	cone := QP{Q: NewMatrix(n, n), C: make([]float64, n), A: q.A, B: homogeneous(q.B), Lo: homogeneous(q.Lo), Hi: homogeneous(q.Hi),
		Aeq: &Matrix{n + q.Aeq.Rows, n, slices.Concat(q.Q.Data, q.Aeq.Data)}, Beq: make([]float64, n+q.Aeq.Rows)}
	if size > 0 {
		axpy(cone.C, 1/size, q.C)
	}
	for j := range n {
		cone.Q.Set(j, j, 1)
	}
	d := cone.solve(QPOptions{Tol: certain / 1000, MaxIter: o.MaxIter}).X
	big := largest(d)
	if !(big > math.Sqrt(certain)) || !(Dot(cone.C, d) < 0) {
		return nil
	}
	for j := range d {
		d[j] /= big
	}
	bad := 0.0
	cone.excess(d, &QPSolution{}, func(eq bool, v float64, _ []float64, _ int) {
		if eq {
			v = math.Abs(v)
		}
		bad = max(bad, v)
	})
	if bad > certain*max(1, largest(cone.Aeq.Data), largest(q.A.Data)) {
		return nil
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
	qx := make([]float64, len(x))
	q.Q.MulVec(qx, x)
	return Dot(x, qx)/2 + Dot(q.C, x)
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
	for _, side := range [][]float64{q.B, q.Beq, q.Lo, q.Hi} {
		for _, v := range side {
			if !math.IsInf(v, 0) {
				constraints++
			}
		}
	}
	return len(q.C), constraints
}

// Lagrangian returns L = f(x) + Ineqᵀ(Ax − b) + Eqᵀ(Aeq x − beq) + Lowerᵀ(lo − x) + Upperᵀ(x − hi), with the multipliers
// of m (B1). An absent constraint has no term.
func (q QP) Lagrangian(x []float64, m *QPSolution) float64 {
	q = q.present()
	l := q.Value(x)
	q.excess(x, m, func(_ bool, v float64, z []float64, i int) {
		if !math.IsInf(v, 0) {
			l += v * z[i]
		}
	})
	return l
}

// Theta returns the largest value of the Lagrangian at x over all multipliers: f(x) if x is feasible, +Inf if not (B4).
func (q QP) Theta(x []float64) float64 {
	q = q.present()
	theta := q.Value(x)
	q.excess(x, &QPSolution{}, func(eq bool, v float64, _ []float64, _ int) {
		if v > 0 || eq && v != 0 {
			theta = math.Inf(1)
		}
	})
	return theta
}

// excess calls f with the excess over its side of every constraint, and with the place of its multiplier in m.
func (q QP) excess(x []float64, m *QPSolution, f func(eq bool, v float64, z []float64, i int)) {
	for i, b := range q.B {
		f(false, Dot(q.A.Row(i), x)-b, m.Ineq, i)
	}
	for i, b := range q.Beq {
		f(true, Dot(q.Aeq.Row(i), x)-b, m.Eq, i)
	}
	for j, v := range x {
		f(false, q.Lo[j]-v, m.Lower, j)
		f(false, v-q.Hi[j], m.Upper, j)
	}
}

// Jensen returns by how much f at the mean of the points lies below the mean of f, for weights wᵢ ≥ 0 of sum 1 (B11):
//
//	Σwᵢf(xᵢ) − f(x̄) = ½ Σ wᵢ(xᵢ−x̄)ᵀQ(xᵢ−x̄) ≥ 0,  x̄ = Σwᵢxᵢ
//
// [f(xᵢ) = f(x̄) + ∇f(x̄)ᵀ(xᵢ−x̄) + ½(xᵢ−x̄)ᵀQ(xᵢ−x̄); the linear terms have mean 0]. With two points it is the chord inequality.
// So a local minimum is global: from a higher x the chord to a lower z descends at once.
func (q QP) Jensen(xs [][]float64, w []float64) float64 {
	q = q.present()
	mean, d, qd := make([]float64, len(q.C)), make([]float64, len(q.C)), make([]float64, len(q.C))
	for i, x := range xs {
		axpy(mean, w[i], x)
	}
	gap := 0.0
	for i, x := range xs {
		copy(d, x)
		axpy(d, -1, mean)
		q.Q.MulVec(qd, d)
		gap += w[i] * Dot(d, qd) / 2
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
//	gᵢ ≤ b where βᵢ < Hiᵢ (it may rise),  gᵢ ≥ b where βᵢ > Loᵢ (it may fall)                   (5)
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
	for _, p := range []struct {
		name string
		v    []float64
	}{{"P", d.P}, {"Lo", d.Lo}, {"Hi", d.Hi}} {
		if len(p.v) != n {
			return fmt.Errorf("svm: Dual: %s has %d entries, K has %d", p.name, len(p.v), n)
		}
		for i, v := range p.v {
			if math.IsNaN(v) || p.name == "P" && math.IsInf(v, 0) {
				return fmt.Errorf("svm: Dual: %s[%d] is %v: %w", p.name, i, v, ErrNotFinite)
			}
		}
	}
	if math.IsNaN(d.Sum) || math.IsInf(d.Sum, 0) {
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
	if d.Sum < least || d.Sum > most {
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

// Bias returns the ends of (5): up = max gᵢ over the β that may rise, low = min gᵢ over those that may fall. At an
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
	q := QP{Q: k, C: make([]float64, n), Aeq: &Matrix{1, n, constant(n, 1)}, Beq: []float64{d.Sum}, Lo: d.Lo, Hi: d.Hi}
	axpy(q.C, -1, d.P)
	return q, nil
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
