// Copyright 2026 The svm authors. All rights reserved.
// Use of this source code is governed by the MIT
// license that can be found in the LICENSE file.

// Convex quadratic programs, and the programs of support vector machines.
//
// The general program (C1) is
//
//	minimize f(x) = ½xᵀQx + cᵀx  subject to  Ax ≤ b,  Aeq x = beq,  lo ≤ x ≤ hi,
//
// with Q positive semidefinite, and any part absent. Part I states it, states the machines'
// programs in this form, explains what multipliers prove, and derives the interior-point method:
// one linear system, one path to the solution, and nothing else. Part II has SolveQP, and what
// degenerate programs need: the test of a solution, units, the start of the path, active sets,
// which end the path early and often replace it, proofs that a program has no solution, and a fast
// path for linear machines. A first reader may stop before Part II.
//
// For the theory, the rows of A and Aeq, and a row −eⱼᵀ or eⱼᵀ for every finite bound, are stacked
// in one matrix G, with right-hand sides h:
//
//	symbol        meaning                                              Go
//	g, h; G       a constraint gᵀx ≤ h or gᵀx = h; all of them         constraint; saddle.g
//	x, z, s       unknowns; multipliers; slacks h − Gx                 path.x, z, s
//	Δ             a step                                               path.dx, dz, ds
//	r_d, r_p, r_c the residuals of (5)                                 path.rd, rp; rc
//	τ             s/z by entries: how soft a constraint is             tau
//	μ, ν          the mean product sᵢzᵢ; the target of a step for it   mu; target
//	a             the length of a step                                 a
//	w, ω, δ       weights of all rows, of firm rows; regularization    weight, firmWeight; delta
//	ε, x⁰         weight and center of the proximal term (7)           eps, x
//
// In the sections on machines w, b, ξ, α, β, μ, C and K are those of svm.go.
//
// References. Nocedal and Wright, Numerical Optimization, chapter 16: the place to start. Mehrotra
// (1992) has predictor and corrector; El-Bakry, Tapia and Zhang (1994) the guess of active sets;
// Portugal, Júdice and Vicente (1994) block pivoting; Rockafellar (1976) proximal points; Frank and
// Wolfe (1956) that a bounded program has a solution.

package svm

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Part I. Programs, multipliers, the interior-point method
//
// # The program
//
// The objective f is a parabola, or straight, along every line. It is convex because Q is positive
// semidefinite: for weights wᵢ ≥ 0 with sum 1 and the mean x̄ = Σwᵢxᵢ,
//
//	Σwᵢf(xᵢ) − f(x̄) = ½ Σ wᵢ(xᵢ−x̄)ᵀQ(xᵢ−x̄) ≥ 0             [Jensen; linear terms cancel]  (B11)
//
// With two points, f lies below its chord, so the points above the graph of f are a convex set. A
// local minimum is global: if f(u) < f(x), then f falls at once on the way from x to u. What a
// solver needs of the program (C4) are f, its gradient Qx + c, its Hessian Q, and the rows of
// [A; Aeq], which are the gradients of the constraints.

// A QP is the convex quadratic program (C1)
//
//	minimize ½xᵀQx + cᵀx  subject to  Ax ≤ b,  Aeq x = beq,  lo ≤ x ≤ hi.
//
// A nil part is absent, and so is a constraint with an infinite side: +Inf in B or Hi, −Inf in Lo.
// Q is symmetric.
type QP struct {
	Q      *Matrix
	C      []float64
	A      *Matrix
	B      []float64
	Aeq    *Matrix
	Beq    []float64
	Lo, Hi []float64
}

// present returns q with every part present. It panics where SolveQP reports wrong sizes, an
// asymmetric Q or a number that is not finite.
func (q QP) present() QP {
	q, err := q.complete()
	demand(err == nil, "%v", err)
	return q
}

// Value returns f(x) = ½xᵀQx + cᵀx (C4). As all exported methods of QP, it takes time O(n² + mn)
// for n unknowns and m rows of A and Aeq, and panics if SolveQP would report a mistake in the data.
func (q QP) Value(x []float64) float64 {
	return (Dot(x, q.Gradient(x)) + Dot(q.present().C, x)) / 2 // ½xᵀ(Qx + c) + ½cᵀx
}

// Gradient returns Qx + c, the gradient of f (C4).
func (q QP) Gradient(x []float64) []float64 {
	q = q.present()
	g := make([]float64, len(x))
	q.Q.MulVec(g, x)
	axpy(g, 1, q.C)
	return g
}

// A constraint is gᵀx ≤ h or, where eq is set, gᵀx = h. Its g is a row of A or Aeq or, where row is
// nil, sign·eⱼ, which makes it a bound. Among all multipliers of the program as given, its own has
// the index at, and the value scale·z if z is the multiplier in the units of this constraint: see
// "Units". A row yields to h + give·z in (8) alone; elsewhere give is 0.
type constraint struct {
	row         []float64
	j           int
	sign, h     float64
	eq          bool
	at          int
	scale, give float64
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
	} else {
		axpy(dst, z, c.row)
	}
}

// constraints lists the equations and then the inequalities, without absent ones. Equal bounds are
// two equations. Multipliers are numbered by the rows of A, those of Aeq, the lower bounds and the
// upper bounds.
func (q QP) constraints() []constraint {
	var all, list []constraint
	for i, b := range q.B {
		all = append(all, constraint{row: q.A.Row(i), h: b, at: len(all)})
	}
	for i, b := range q.Beq {
		all = append(all, constraint{row: q.Aeq.Row(i), h: b, eq: true, at: len(all)})
	}
	// A lower bound is −xⱼ ≤ −loⱼ: the sign turns it into an upper one.
	for k, bounds := range [][]float64{q.Lo, q.Hi} {
		sign := []float64{-1, 1}[k]
		for j, v := range bounds {
			all = append(all, constraint{j: j, sign: sign, h: sign * v, eq: q.Lo[j] == q.Hi[j],
				at: len(all)})
		}
	}
	for _, eq := range []bool{true, false} {
		for _, c := range all {
			if c.eq == eq && !math.IsInf(c.h, 1) {
				list = append(list, c)
			}
		}
	}
	return list
}

// # The programs of a machine
//
// The soft margin (A6) is a program in x = (w, b, ξ), with d + 1 + n unknowns and 2n constraints:
//
//	minimize ½‖w‖² + C Σξᵢ  subject to  −yᵢ(w·xᵢ + b) − ξᵢ ≤ −1,  ξᵢ ≥ 0                      (C3)
//
// With multipliers α of the rows and μ of ξ ≥ 0, its Lagrangian is stationary (B1) where w =
// Σαᵢyᵢxᵢ, Σαᵢyᵢ = 0 and C − αᵢ − μᵢ = 0. Putting these back gives the dual in α (B2), which has n
// unknowns and needs of the points only their Gram matrix K:
//
//	minimize ½αᵀ diag(y) K diag(y) α − Σαᵢ  subject to  yᵀα = 0,  0 ≤ α ≤ C                   (C2)
//
// For the hard margin, C = ∞, the primal has no ξ: d + 1 unknowns and n constraints; and the dual
// has no upper bounds. Both programs have the same plane (B10). "Primal if d < n, dual if d ≫ n"
// weighs the matrices: Q of the dual is n × n and dense, while Q of the primal is a diagonal. What
// a step of the path below takes, in multiply-adds:
//
//	primal, as it stands      (d+1+n)³/6 + n(d+1+n)²/2      [d + 1 + n unknowns, n rows]
//	primal, without ξ         n(d+1)²/2 + (d+1)³/6          [hard; soft: see Few features]
//	dual                      n³/6                          [n unknowns; y is a single row]
//
// For n = 1000 points that is 683, 0.06 and 167 million if d = 10, and 3337, 668 and 167 million if
// d = 1000. So the rule is right for the primal without ξ; as it stands, with ξ, the primal never
// costs less.

// PrimalQP returns the primal program (C3) of a linear SVM in x = (w, b, ξ). With c = +Inf, the
// hard margin, there is no ξ. The α are the multipliers Ineq, and μ those of ξ ≥ 0, in Lower.
func PrimalQP(xs [][]float64, ys []float64, c float64) QP {
	demand(len(xs) == len(ys), "svm: PrimalQP: %d points and %d labels", len(xs), len(ys))
	// The unknowns are w, then b, then one ξ for each point, unless the margin is hard.
	points := MatrixFromRows(xs)
	n, d := len(xs), points.Cols
	size := d + 1
	if !math.IsInf(c, 1) {
		size += n
	}
	q := QP{Q: NewMatrix(size, size), C: make([]float64, size), A: NewMatrix(n, size),
		B: constant(n, -1), Lo: constant(size, math.Inf(-1))}
	for j := range d { // ½‖w‖²: b and ξ are not squared
		q.Q.Set(j, j, 1)
	}
	// Row i is −yᵢ(xᵢ, 1), and −1 at ξᵢ, which has the price c and the bound 0.
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

// DualQP returns the dual program (C2) of an SVM with Gram matrix k, without the upper bound if
// c = +Inf, the hard margin. The multiplier of yᵀα = 0 is the bias b
// [yᵢ(Σⱼαⱼyⱼkᵢⱼ + Eq) = 1 where 0 < αᵢ < C].
func DualQP(k *Matrix, ys []float64, c float64) QP {
	n := len(ys)
	// K has a row and a column for each point.
	demand(k.Rows == n && k.Cols == n, "svm: DualQP: %d×%d Gram matrix and %d labels",
		k.Rows, k.Cols, n)
	return QP{Q: k.scaled(ys), C: constant(n, -1), Aeq: MatrixFromRows([][]float64{ys}),
		Beq: []float64{0}, Lo: make([]float64, n), Hi: constant(n, c)}
}

// A Dual is the program that all machines of this package share (B2), in signed multipliers β:
//
//	maximize Pᵀβ − ½βᵀKβ  subject to  Lo ≤ β ≤ Hi,  Σβ = Sum.
//
// P = y, βᵢ between 0 and Cyᵢ, and Sum = 0 give a classifier; other values regression, or a
// one-class machine (see the examples). The gradient is g = P − Kβ. A feasible β is optimal if and
// only if for some b, the multiplier of the sum,
//
//	gᵢ ≤ b where βᵢ < Hiᵢ (it may rise),  gᵢ ≥ b where βᵢ > Loᵢ (it may fall)              (B5)
//
// [∂/∂βᵢ of Pᵀβ − ½βᵀKβ − b(Σβ − Sum) is gᵢ − b: 0 between the bounds, ≥ 0 at Hi, ≤ 0 at Lo].
type Dual struct {
	K         Gram
	P, Lo, Hi []float64
	Sum       float64
}

// check finds mistakes in the shapes, NaNs and infinities out of place (not in K), and bounds or a
// sum that no β meets.
func (d Dual) check() error {
	m, ok := d.K.(*Matrix)
	if d.K == nil || ok && (m == nil || m.Rows != m.Cols || len(m.Data) != m.Rows*m.Cols) {
		return errors.New("svm: Dual: K is absent, or K is not a square matrix")
	}
	n := d.K.Len()
	err := cmp.Or(fault("Dual: P", d.P, n, false),
		fault("Dual: Lo", d.Lo, n, true), fault("Dual: Hi", d.Hi, n, true),
		unless(finite(d.Sum), "svm: Dual: Sum is %v: %w", d.Sum, ErrNotFinite))
	if err != nil {
		return err
	}
	// There has to be a number between the bounds of each variable.
	for i, lo := range d.Lo {
		if lo > d.Hi[i] || math.IsInf(lo, 1) || math.IsInf(d.Hi[i], -1) {
			return fmt.Errorf("svm: Dual: bounds [%v, %v] of point %d: %w",
				lo, d.Hi[i], i, ErrInfeasible)
		}
	}
	// Σβ can be anything between the sums of the bounds, up to the rounding of these sums.
	least, most := total(d.Lo), total(d.Hi)
	return unless(!(d.Sum < least-rounding(d.Lo) || d.Sum > most+rounding(d.Hi)),
		"svm: Dual: sum %v, want one in [%v, %v]: %w", d.Sum, least, most, ErrInfeasible)
}

// match panics unless each v has a number for each variable.
func (d Dual) match(vs ...[]float64) {
	for _, v := range vs {
		demand(len(v) == len(d.P), "svm: Dual: %d numbers for %d variables", len(v), len(d.P))
	}
}

// Gradient returns g = P − Kβ. It takes the time of one row of K for each βᵢ ≠ 0. As all methods of
// Dual that take β, it panics unless β has as many numbers as P.
func (d Dual) Gradient(beta []float64) []float64 {
	d.match(beta)
	// As K is symmetric, Kβ is also a sum of rows, and those with βᵢ = 0 are not needed.
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

// Bias returns the limits of b in (B5): up = max gᵢ where βᵢ may rise, low = min gᵢ where it may
// fall. At an optimum up ≤ low, and every b between them is optimal; otherwise up − low > 0 is the
// worst violation (E2).
func (d Dual) Bias(beta, g []float64) (up, low float64) {
	d.match(beta, g, d.Lo, d.Hi)
	// A β strictly between its bounds may move both ways, and limits b from both sides.
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
	// Both in one pass; a negative excess of a bound is room, and does not count.
	sum = -d.Sum
	for i, b := range beta {
		box = max(box, d.Lo[i]-b, b-d.Hi[i])
		sum += b
	}
	return box, math.Abs(sum)
}

// QP returns d as a QP: minimize ½βᵀKβ − Pᵀβ. It computes all of K, unless that is a *Matrix
// already. [SolveQP] is then the slow, exact companion of [SMO]: X of the solution is β, and Eq[0]
// is b [Kβ − P + Eq − Lower + Upper = 0, so gᵢ = b where βᵢ is between its bounds]. Where the
// bounds alone exclude Sum, the error is ErrInfeasible, without a proof.
func (d Dual) QP() (QP, error) {
	if err := d.check(); err != nil {
		return QP{}, err
	}
	n := len(d.P)
	// A matrix is there already; other Gram matrices are computed row by row.
	k, ok := d.K.(*Matrix)
	if !ok {
		k = NewMatrix(n, n)
		k.fillFrom(d.K.Open(), 1)
	}
	return QP{Q: k, C: times(d.P, constant(n, -1)), Lo: d.Lo, Hi: d.Hi,
		Aeq: &Matrix{1, n, constant(n, 1)}, Beq: []float64{d.Sum}}, nil
}

// # Multipliers and what they prove
//
// The Lagrangian (B1) is L(x, z) = f(x) + zᵀ(Gx − h). At a given x, its maximum over the
// multipliers, z ≥ 0 for inequalities, is
//
//	θ_P(x) = f(x) if x is feasible, and +∞ if not                                             (B4)
//
// [A term zᵢ(Gx − h)ᵢ is at most 0 if constraint i holds. If it fails, zᵢ → ±∞ makes the term as
// large as we like.] So the program is a minimum over x of a maximum over z. For any feasible x,
// any z with z ≥ 0 for inequalities, and any u with Qu + c + Gᵀz = 0,
//
//	f(x) ≥ L(x, z)                      [zᵀ(Gx − h) ≤ 0]
//	L(x, z) ≥ L(u, z)                   [u minimizes the convex L(·, z): its gradient at u is 0]
//	L(u, z) = −½uᵀQu − hᵀz              [substitute c = −Qu − Gᵀz]                            (B3)
//
// The least value of L(·, z) is called θ_D(z); without such a u it is −∞. The dual program is to
// maximize θ_D(z), with z ≥ 0 for inequalities. With u = x the two ends differ by the gap xᵀQx +
// cᵀx + hᵀz = sᵀz, where s = h − Gx. So the following conditions suffice for optimality:
//
//	Qx + c + Gᵀz = 0,  Gx + s = h
//	s = 0 for equations;  s ≥ 0, z ≥ 0, sᵢzᵢ = 0 for inequalities                        (B5), (1)
//
// By the duality of linear programs they are also necessary [an optimal x minimizes ∇f(x)ᵀx′ over
// the feasible x′].

// A QPSolution is a point with a multiplier for every constraint (B5): Ineq, Lower, Upper ≥ 0 and
//
//	Qx + c + AᵀIneq + AeqᵀEq − Lower + Upper = 0
//
// up to DualResidual. The residuals are largest |entries|, and Gap is the |gap|, of the program as
// given; they are computed with twice the digits of a float64.
type QPSolution struct {
	X, Ineq, Eq, Lower, Upper []float64

	Objective, DualObjective          float64
	PrimalResidual, DualResidual, Gap float64
	Iterations                        int // of the path in step 4 of Part II; often 0
}

// Lagrangian returns L = f(x) + Ineqᵀ(Ax − b) + Eqᵀ(Aeq x − beq) + Lowerᵀ(lo − x) + Upperᵀ(x − hi)
// (B1). The multipliers are those of m, all parts present, as SolveQP returns them. An absent
// constraint has no term.
func (q QP) Lagrangian(x []float64, m *QPSolution) float64 {
	q = q.present()
	// Multipliers in the order of the constraints, so that one loop has all the terms.
	l, z := q.Value(x), slices.Concat(m.Ineq, m.Eq, m.Lower, m.Upper)
	for _, c := range q.constraints() {
		l += z[c.at] * (c.of(x) - c.h)
	}
	return l
}

// Theta returns the largest value of the Lagrangian at x over all multipliers: f(x) if x is
// feasible, +Inf if not (B4).
func (q QP) Theta(x []float64) float64 {
	q = q.present()
	// One violated constraint is enough: its term has no largest value.
	for _, c := range q.constraints() {
		if gx := c.of(x); gx > c.h || c.eq && gx < c.h {
			return math.Inf(1)
		}
	}
	return q.Value(x)
}

// # One linear system
//
// Newton's method for conditions (1) solves systems with Q, the rows gᵀ of G and a diagonal τ ≥ 0,
//
//	Qx + Gᵀz = r₁,  Gx − τz = r₂                                                              (2)
//
// Without inequalities (B9), τ = 0, and the solution of the program is one such system.
//
// Soft rows. From a row gᵀx − τz = r with τ > 0 follows z = (gᵀx − r)/τ. This eliminates z, and
// adds ggᵀ/τ to Q. What is left is positive definite, and has a Cholesky factor. But as τ → 0 the
// matrix ggᵀ/τ grows, and its rounding errors drown Q.
//
// Firm rows. So a row with τ < 1/(2ω) stays as it is, and the first equation receives ωg times the
// row [Q may be singular, Q + ωggᵀ less so]. Let F be the firm rows, w = ω for the firm rows and
// 1/τ for the soft rows, and y = (1 − ωτ)z for F [1 − ωτ > ½]. Then, with N = Q + Gᵀ diag(w) G,
//
//	Nx + Fᵀy = r₁ + Gᵀ(w∘r₂)                   [the eliminated z, and ωg times the firm rows]
//	Fx − τ/(1 − ωτ) y = r₂                     [the firm rows, in y]                          (3)
//
// Let N = UᵀU, B = U⁻ᵀFᵀ and E = BᵀB + τ/(1 − ωτ) = CᵀC. Eliminate x: the second equation becomes
// −Ey = r₂ − BᵀU⁻ᵀ(right-hand side of the first). So [U B] on top of C is one triangle, and (3)
// takes one pass down the triangle and one pass up. Bounds, with rows ±eⱼ, are always soft, because
// they change only the diagonal. So are firm ones after the first 4n: only n can be independent.
// With k firm rows among m rows the cost is n³/6 + mn²/2 + kn²/2 + k²n/2 + k³/6 multiply-adds.
//
// Regularization. Adding δ > 0 to the diagonal of Q and to τ makes N and E positive definite, even
// if Q is singular or rows with τ = 0 are dependent. With M the matrix of (2) and Z = diag(I, −I),
// the matrix factored is M + δZ. The solution is corrected: its residual in M is a new right-hand
// side. A correction turns an error e into
//
//	e − (M + δZ)⁻¹Me = δ(ZM + δI)⁻¹e           [M + δZ = Z(ZM + δI), Z² = I]                  (4)
//
// Along an eigenvector of ZM with eigenvalue λ, e is multiplied by δ/(λ + δ): it shrinks unless
// λ = 0 [Re λ ≥ 0, for Re v*ZMv = v₁*Qv₁ + v₂*τv₂].

// A system is what the path asks of Q and G. A program of a special form may have a faster one.
type system interface {
	// subtract subtracts Qx + Gᵀz from e1, and Gx from e2.
	subtract(e1, e2, x, z []float64)

	// factor prepares solve for this τ. It reports whether that was possible.
	factor(tau []float64) bool

	// solve sets (x, z) to the solution of (2) for the τ of the last factor, with a residual of
	// enough or less if rounding allows.
	solve(x, z, tau, r1, r2 []float64, enough float64)
}

// A saddle is the system (2) for any Q and G, and its factors (3).
type saddle struct {
	q *Matrix
	g []constraint

	delta  float64
	weight []float64 // w
	firm   []int     // the rows F
	t      triangle  // [U B] on top of C
}

// ω: makes N large along the firm rows, and costs two digits.
const firmWeight = 1e2

// factor computes the factors of (3). At first δ is about what rounding does to numbers near 1. It
// grows if rounding makes N or E indefinite. Of its effect solve leaves little (4).
func (k *saddle) factor(tau []float64) bool {
	n := k.q.Rows
	for k.delta = machineEps * float64(n+len(k.g)+10); k.delta < 1; k.delta *= 100 {
		// Bounds go into the diagonal, all other rows into N with their weights.
		diagonal, rows, weights := constant(n, k.delta), [][]float64(nil), []float64(nil)
		k.weight, k.firm = make([]float64, len(k.g)), nil
		for i, g := range k.g {
			k.weight[i] = 1 / (tau[i] + k.delta)
			if g.row == nil {
				diagonal[g.j] += k.weight[i]
				continue
			}
			if k.weight[i] > 2*firmWeight && len(k.firm) < 4*n {
				k.weight[i] = firmWeight
				k.firm = append(k.firm, i)
			}
			rows, weights = append(rows, g.row), append(weights, k.weight[i])
		}

		// The top of the triangle is [N Fᵀ], which factor turns into [U B].
		k.t = NewMatrix(n+len(k.firm), n+len(k.firm)).upper()
		top, corner, b := k.t[:n], k.t[n:], make([][]float64, n)
		for j, row := range top {
			copy(row, k.q.Row(j)[j:])
			row[0] += diagonal[j]
			b[j] = row[n-j:]
			for c, i := range k.firm {
				b[j][c] = k.g[i].row[j]
			}
		}
		top.addGram(weights, rows)
		if top.factor() >= 0 {
			continue
		}

		// The corner is E = BᵀB + τ/(1 − ωτ), where δ is part of τ; factor turns it into C.
		for c, i := range k.firm {
			corner[c][0] = 1 / (1/(tau[i]+k.delta) - firmWeight)
		}
		corner.addGram(constant(n, 1), b)
		if corner.factor() < 0 {
			return true
		}
	}
	return false
}

// A correction that leaves more than this share of the residual is the last.
const slow = 0.9

// solve is as system says. It adds corrections until the residual is at most enough, or no
// correction helps.
func (k *saddle) solve(x, z, tau, r1, r2 []float64, enough float64) {
	// What is missing is at first the right-hand side itself, and later the residual, without δ.
	n, e1, e2 := len(r1), slices.Clone(r1), slices.Clone(r2)
	clear(x)
	clear(z)
	for last := math.Inf(1); ; {
		size := max(largest(e1), largest(e2))
		if !(size < slow*last) || size <= enough { // a NaN ends the loop, too
			return
		}
		last = size

		// The correction of x, by (3): down the triangle and up again.
		b := slices.Concat(e1, pick(e2, k.firm))
		for i := range k.g {
			k.g[i].add(b[:n], k.weight[i]*e2[i])
		}
		k.t.solveT(b)
		for c := range k.firm { // the second equation has −E
			b[n+c] = -b[n+c]
		}
		k.t.solveU(b)
		axpy(x, 1, b[:n])

		// That of z: w(gᵀx − r₂) for the soft rows, and y/(1 − ωτ) for the firm ones.
		for i := range k.g {
			e2[i] = k.weight[i] * (k.g[i].of(b[:n]) - e2[i])
		}
		for c, i := range k.firm {
			e2[i] = b[n+c] / (1 - firmWeight*(tau[i]+k.delta))
		}
		axpy(z, 1, e2)

		// What is missing now.
		copy(e1, r1)
		copy(e2, r2)
		k.subtract(e1, e2, x, z)
		for i, v := range z {
			e2[i] += tau[i] * v
		}
	}
}

// subtract is as system says. Zeros in x cost nothing in Qx.
func (k *saddle) subtract(e1, e2, x, z []float64) {
	for j, v := range x {
		if v != 0 {
			axpy(e1, -v, k.q.Row(j))
		}
	}
	for i := range k.g { // each row of G is read once, for both
		k.g[i].add(e1, -z[i])
		e2[i] -= k.g[i].of(x)
	}
}

// # The central path: predictor, corrector, step lengths
//
// With inequalities one has to find out which of each pair sᵢ, zᵢ is 0. Ask for sᵢzᵢ = ν > 0
// instead. That gives the optimality conditions of f − ν Σ log sᵢ with Gx + s = h, the sum over
// inequalities [z = ν/s]. If some feasible x has s > 0, and some u and z with Qu + c + Gᵀz = 0 have
// z > 0, both for inequalities, then there is a minimizer for every ν. The minimizers form the
// central path, which leads to a solution as ν → 0 [the gap is sᵀz]. Newton's method linearizes
// (s+Δs)(z+Δz) = ν. With the residuals
//
//	r_d = −c − Qx − Gᵀz,  r_p = h − Gx − s,  r_c = ν − s∘z            [∘: by entries]
//
// its step is
//
//	QΔx + GᵀΔz = r_d,  GΔx + Δs = r_p,  s∘Δz + z∘Δs = r_c                                     (5)
//	Δs = (r_c − s∘Δz)/z                              [from the third equation]
//	QΔx + GᵀΔz = r_d,  GΔx − τ∘Δz = r_p − r_c/z      [into the second, τ = s/z]
//
// The last line is the system (2): one factorization, with bounds on the diagonal alone. For
// equations s = τ = 0, and the term r_c/z is absent.
//
// The predictor solves (5) for ν = 0. A step of length a ≤ 1, at most a share backoff of the way to
// the boundary of s, z ≥ 0, would leave, with m inequalities, the mean product
//
//	μ′ = (1 − a)μ + a²ΔsᵀΔz/m                  [s∘Δz + z∘Δs = −s∘z in (s + aΔs)∘(z + aΔz)]
//
// If μ′ is small, the predictor was good, and the target may be ambitious. The corrector (Mehrotra)
// solves (5) again, with the same factors:
//
//	r_c = ν − s∘z − Δs∘Δz                            [ΔsΔz of the predictor: what Newton dropped]
//	ν = μ(μ′/μ)³                                                                              (6)
//
// Again the step goes at most the share backoff of the way to the boundary: one length a for x, s
// and z [else r_d, which contains both QΔx and GᵀΔz, would not shrink by the factor 1 − a].

// A program is minimize ½xᵀQx + cᵀx subject to Gx + s = h + give∘z, where s = 0 for the first eq
// constraints, the equations, and s ≥ 0 for the others.
type program struct {
	system
	q  *Matrix
	c  []float64
	g  []constraint
	eq int
}

// newProgram returns the program with the constraints g, equations first.
func newProgram(q *Matrix, c []float64, g []constraint) *program {
	p := &program{system: &saddle{q: q, g: g}, q: q, c: c, g: g}
	for p.eq < len(g) && g[p.eq].eq {
		p.eq++
	}
	return p
}

// residuals sets rd = −c − Qx − Gᵀz and rp = h + give∘z − Gx.
func (p *program) residuals(rd, rp, x, z []float64) {
	for j, c := range p.c {
		rd[j] = -c
	}
	for i := range p.g {
		rp[i] = p.g[i].h + p.g[i].give*z[i]
	}
	p.subtract(rd, rp, x, z)
}

// A path is a point (x, z, s) near the central path, with its residuals and its last step.
type path struct {
	*program
	x, z, s    []float64
	dx, dz, ds []float64
	rd, rp     []float64
	tau        []float64
}

// newPath returns a path that is still at 0, with the τ of equations.
func newPath(p *program) *path {
	// Three vectors have an entry for each unknown, and all others one for each constraint.
	vector := func(n int) []float64 { return make([]float64, n) }
	n, m := len(p.c), len(p.g)
	t := &path{program: p, x: vector(n), z: vector(m), s: vector(m), tau: vector(m),
		dx: vector(n), dz: vector(m), ds: vector(m), rd: vector(n), rp: vector(m)}
	for i, c := range p.g {
		t.tau[i] = c.give
	}
	return t
}

const (
	backoff = 0.995 // share of the way to the boundary

	// Newton steps may leave this share of min(1, μ) as residual in (2).
	exact = 1e-6

	// The path is given up after so many steps in which neither the residuals, nor the larger of
	// them and μ, have come down by a tenth.
	patience = 25
)

// follow takes steps along the path, from s > 0 and z > 0 for inequalities. It calls visit before
// each of them and after the last, and ends when visit returns true, progress ends, or limit steps
// are done.
func (t *path) follow(limit int, visit func() bool) (steps int) {
	rc, r2 := make([]float64, len(t.s)), make([]float64, len(t.s))
	inequalities := float64(max(1, len(t.s)-t.eq))
	least, broken, stalled := math.Inf(1), math.Inf(1), 0
	for ; ; steps++ {
		// Where we are.
		t.residuals(t.rd, t.rp, t.x, t.z)
		axpy(t.rp, -1, t.s)
		mu := Dot(t.s, t.z) / inequalities
		stalled++
		residual := max(largest(t.rd), largest(t.rp))
		missing := max(residual, mu)
		if missing < 0.9*least || residual < 0.9*broken {
			least, broken, stalled = min(least, missing), min(broken, residual), 0
		}
		if visit() || steps == limit || stalled == patience {
			return steps
		}

		// The factors of (2) with this τ serve the predictor and the corrector.
		for i := t.eq; i < len(t.s); i++ {
			t.tau[i] = t.g[i].give + t.s[i]/t.z[i]
		}
		if !t.factor(t.tau) {
			return steps
		}

		// First the predictor, with ν = 0 and no Δs∘Δz; and then the corrector (6).
		a, target := 0.0, 0.0
		clear(t.ds)
		for range 2 {
			// The right-hand side r_p − r_c/z.
			copy(r2, t.rp)
			for i := t.eq; i < len(rc); i++ {
				rc[i] = target - t.s[i]*t.z[i] - t.ds[i]*t.dz[i]
				r2[i] -= rc[i] / t.z[i]
			}
			t.solve(t.dx, t.dz, t.tau, t.rd, r2, exact*min(1, mu))
			// Back to Δs; and then at most to where the first entry of s or z vanishes, and not
			// quite.
			a = 1
			for i := t.eq; i < len(rc); i++ {
				t.ds[i] = (rc[i] - t.s[i]*t.dz[i]) / t.z[i]
				if t.ds[i] < 0 {
					a = min(a, backoff*t.s[i]/-t.ds[i])
				}
				if t.dz[i] < 0 {
					a = min(a, backoff*t.z[i]/-t.dz[i])
				}
			}
			// The mean product μ′ after such a step.
			after := (1-a)*mu + a*a*Dot(t.ds, t.dz)/inequalities
			target = mu * math.Pow(after/mu, 3)
		}
		axpy(t.x, a, t.dx)
		axpy(t.s, a, t.ds)
		axpy(t.z, a, t.dz)
	}
}

// Part II. What degenerate programs need
//
// The path solves most programs. Others have units that differ by ten powers of ten, dependent
// rows, no interior, no solution, or a solution without bound on the multipliers. SolveQP takes
// these steps. All but the first have sections below:
//
//	1. check the data; prove that f is not convex, or that single constraints fail
//	2. scale the program by units
//	3. proximal points, each by active sets
//	4. if no solution came up, the path, with active sets at each point
//	5. if the best point is feasible but its multipliers fail, shorter multipliers
//	6. if there is still no solution, a proof that the program is infeasible or unbounded
//
// Whatever step a point comes from, it is judged in the program as given, with twice the digits.

// What a program without a solution may be. SolveQP wraps each of these in an error that holds the
// proof.
var (
	ErrInfeasible = errors.New("no point satisfies the constraints")
	ErrUnbounded  = errors.New("the objective is unbounded below")
	ErrNotConvex  = errors.New("the objective is not convex")
)

// An InfeasibleError proves that no x satisfies the constraints (C5): Ineq, Lower, Upper ≥ 0, and
// up to rounding
//
//	AᵀIneq + AeqᵀEq − Lower + Upper = 0,  bᵀIneq + beqᵀEq − loᵀLower + hiᵀUpper < 0.
//
// Rounding leaves one case open: an x many powers of ten larger than all of b, beq, lo and hi,
// between nearly dependent rows. If a side admits no number at all, such as b = −∞, its multiplier
// is 1 and stands for the proof. The error wraps ErrInfeasible.
type InfeasibleError struct{ Ineq, Eq, Lower, Upper []float64 }

func (e *InfeasibleError) Error() string { return "svm: " + ErrInfeasible.Error() }
func (e *InfeasibleError) Unwrap() error { return ErrInfeasible }

// An UnboundedError holds a feasible Point and a Ray d with Qd = 0 and cᵀd < 0 along which every
// point is feasible, up to rounding (C5). The error wraps ErrUnbounded.
type UnboundedError struct{ Point, Ray []float64 }

func (e *UnboundedError) Error() string { return "svm: " + ErrUnbounded.Error() }
func (e *UnboundedError) Unwrap() error { return ErrUnbounded }

// A NotConvexError holds a Direction d, with largest entry ±1, and its Curvature dᵀQd < 0 (C5).
// Finding it takes as long as SymEigen. The error wraps ErrNotConvex.
type NotConvexError struct {
	Direction []float64
	Curvature float64
}

func (e *NotConvexError) Error() string {
	return fmt.Sprintf("svm: %v: curvature %.3g", ErrNotConvex, e.Curvature)
}
func (e *NotConvexError) Unwrap() error { return ErrNotConvex }

// QPOptions says when to stop.
type QPOptions struct {
	Tol     float64 // the largest residual and gap of a solution; 0 means 1e-9
	MaxIter int     // the most steps in each of up to four paths; 0 means 200
}

// SolveQP returns a solution: both residuals and the gap are at most o.Tol, in exact arithmetic but
// for about 2⁻¹⁰⁰ of their terms. If it finds none, the error is or wraps an *InfeasibleError,
// *UnboundedError or *NotConvexError with a proof; ErrNotFinite, where a number is not finite or
// the first point overflows; a description of a mistake in the options, shapes or symmetry; or
// ErrNotConverged, which comes with the best point found. A step of the path with n unknowns and m
// rows of A and Aeq costs n³/6 + mn²/2 multiply-adds, or up to (n + k)³/6 + mn²/2 if k rows are
// active. The active sets cost about as much again. Fewer than 30 steps are typical. Proximal
// points, limited to the work of a few steps, come first, and often suffice.
//
// The tolerance is absolute: where the terms of the objective add up to 10⁵ or more, rounding of x
// and the multipliers alone may exceed 1e-9. Then set a larger o.Tol, though one far below the
// entries of c, or see how good the point with ErrNotConverged is.
func SolveQP(q QP, o QPOptions) (*QPSolution, error) {
	q, wrong := q.complete()
	err := cmp.Or(checkSize("QPOptions: Tol", o.Tol), checkSize("QPOptions: MaxIter", o.MaxIter),
		wrong)
	o.Tol, o.MaxIter = cmp.Or(o.Tol, 1e-9), cmp.Or(o.MaxIter, 200)
	if err == nil {
		err = cmp.Or(q.contradiction(), q.convex())
	}
	if err != nil {
		return nil, err
	}

	// What the steps 3 to 5 visit is judged in q. The best point is kept in the units of p, too.
	p, unit := q.inUnits(0)
	var best *QPSolution
	var x, z []float64
	visit := func(u, v []float64) bool {
		s := q.certify(p, times(u, unit), v)
		if best == nil || s.worst() < best.worst() {
			best, x, z = s, slices.Clone(u), slices.Clone(v)
		}
		return s.worst() <= o.Tol
	}
	// Proximal points are cheap where they work, and limited where they do not.
	steps := 0
	if !p.approach(visit) {
		steps = p.search(o.MaxIter, visit)
	}
	if best.PrimalResidual <= o.Tol && best.worst() > o.Tol {
		p.shorten(o.MaxIter, x, z, visit)
	}
	best.Iterations = steps
	if best.worst() <= o.Tol {
		return best, nil
	}

	// No solution came up: is there a proof that there is none? A ray is one only with a feasible
	// point.
	point, err := q.phaseOne(o)
	if point != nil {
		err = q.ray(point, o.MaxIter)
	}
	if err != nil {
		return nil, err
	}
	if nonFinite(slices.Concat(best.X, best.Ineq, best.Eq, best.Lower, best.Upper)) >= 0 {
		return nil, fmt.Errorf("svm: SolveQP: the first point overflows: %w", ErrNotFinite)
	}
	return best, fmt.Errorf("svm: SolveQP: primal residual %.1e, dual residual %.1e, gap %.1e "+
		"after %d steps: %w", best.PrimalResidual, best.DualResidual, best.Gap, steps,
		ErrNotConverged)
}

const (
	asymmetric = 1e-12 // relative difference of Q and Qᵀ that passes for rounding
	flat       = 1e-14 // (n + 10) times this, relative to the data, is rounding
	certain    = 1e-9  // relative error allowed in a certificate
)

// complete returns q with every part present, or an error that says what is wrong with q.
func (q QP) complete() (QP, error) {
	// Any part tells the number of unknowns. Without rows, too few columns do no harm.
	none, inf := &Matrix{}, math.Inf(1)
	q.A, q.Aeq = cmp.Or(q.A, none), cmp.Or(q.Aeq, none)
	n := max(len(q.C), len(q.Lo), len(q.Hi), q.A.Cols, q.Aeq.Cols, cmp.Or(q.Q, none).Cols)
	if q.Q == nil {
		q.Q = NewMatrix(n, n)
	}
	matrix := func(name string, m *Matrix, rows int) error {
		if m.Rows != rows || rows > 0 && (m.Cols != n || m.Data == nil) || len(m.Data) != rows*n {
			return fmt.Errorf("svm: QP: %s is absent or not a matrix of %d×%d", name, rows, n)
		}
		return m.finite("QP: " + name)
	}
	vector := func(name string, v *[]float64, n int, missing float64) error {
		if *v == nil {
			*v = constant(n, missing)
		}
		return fault("QP: "+name, *v, n, missing != 0)
	}
	err := cmp.Or(
		matrix("Q", q.Q, n), vector("C", &q.C, n, 0),
		matrix("A", q.A, len(q.B)), vector("B", &q.B, len(q.B), inf),
		matrix("Aeq", q.Aeq, len(q.Beq)), vector("Beq", &q.Beq, len(q.Beq), 0),
		vector("Lo", &q.Lo, n, -inf), vector("Hi", &q.Hi, n, inf))
	if err != nil {
		return q, err
	}
	// Some loops read half of Q, others all of it: the halves must agree.
	slack := asymmetric * largest(q.Q.Data)
	for k, v := range q.Q.T().Data {
		if w := q.Q.Data[k]; math.Abs(v-w) > slack {
			return q, fmt.Errorf("svm: QP: Q[%d][%d] is %v, and %v in the transpose: "+
				"want a symmetric matrix", k/n, k%n, w, v)
		}
	}
	return q, nil
}

// split divides multipliers among the parts of q, as a proof has them. Its inverse is
// slices.Concat.
func (q QP) split(z []float64) *InfeasibleError {
	a, b, c := len(q.B), len(q.B)+len(q.Beq), len(q.B)+len(q.Beq)+len(q.Lo)
	return &InfeasibleError{z[:a:a], z[a:b:b], z[b:c:c], z[c:]}
}

// contradiction returns an InfeasibleError if a side is −∞ or if bounds cross.
func (q QP) contradiction() error {
	// The proof is a multiplier 1 of the constraint that fails alone, or of each crossed bound.
	z := make([]float64, len(q.B)+len(q.Beq)+2*len(q.C))
	for _, c := range q.constraints() {
		crossed := c.sign > 0 && c.h < q.Lo[c.j] // lo ≤ x ≤ hi < lo
		if crossed {
			z[c.at-len(q.Lo)] = 1
		}
		if crossed || math.IsInf(c.h, -1) {
			z[c.at] = 1
			return q.split(z)
		}
	}
	return nil
}

// convex returns a NotConvexError if Q has negative curvature beyond the rounding of its entries.
// Let ρ = (n + 10)·flat. The rounding of row i is taken to be ρ times its largest entry, whatever
// the units of the unknowns. So let T be the diagonal matrix of these entries, and S = T^−½QT^−½.
// If the Cholesky factorization of S + ρI meets a pivot that is not positive, then S has an
// eigenvalue λ ≤ −ρ [some y has yᵀ(S + ρI)y ≤ 0 (L2)]. With its eigenvector v, d = T^−½v has dᵀQd =
// λ‖v‖².
func (q QP) convex() error {
	n, unit := len(q.C), make([]float64, len(q.C)) // T^−½
	rho := flat * float64(n+10)
	for i := range n {
		unit[i] = 1 / math.Sqrt(cmp.Or(largest(q.Q.Row(i)), 1))
	}
	// The test is a Cholesky factorization, which stops at the first pivot that is not positive.
	u := q.Q.scaled(unit).upper()
	for _, row := range u {
		row[0] += rho
	}
	if u.factor() < 0 {
		return nil
	}
	// The proof: the eigenvector of the least eigenvalue, back in the units of Q. What seems to be
	// bent by rounding alone counts as flat.
	_, v := SymEigen(q.Q.scaled(unit))
	d, qd := times(v.T().Row(0), unit), make([]float64, n)
	divide(d, largest(d))
	q.Q.MulVec(qd, d)
	switch curvature := Dot(d, qd); {
	case !finite(curvature):
		return fmt.Errorf("svm: QP: a curvature of Q is %v: %w", curvature, ErrNotFinite)
	case curvature < 0:
		return &NotConvexError{d, curvature}
	}
	return nil
}

// # What counts as a solution
//
// All methods of this part work in other units, and call a function, visit, with every point that
// may be a solution, in those units. A solution is a point whose residuals (1) and gap, in the
// program as given, are at most Tol. Multipliers of bounds need no search: the gradient of the
// Lagrangian without bounds says what they are.
//
// Where rows are nearly dependent, large multipliers of opposite signs may cancel. Sums in float64
// then show whatever rounding makes of them, and a residual of 10⁻⁶ may look like 0. Therefore
// residuals are computed with twice the digits, and a point that only rounding makes a solution is
// none. The search goes on, because other points may have shorter multipliers; if no point is good
// enough, it looks for shorter ones on purpose (No solution …).

// worst returns the largest of the residuals and the gap, +Inf if anything has overflowed.
func (s *QPSolution) worst() float64 {
	// A NaN would be neither better nor worse than other numbers.
	w := max(s.PrimalResidual, s.DualResidual, s.Gap)
	if !finite(w + s.Objective) {
		return math.Inf(1)
	}
	return w
}

// certify judges the point x with the multipliers v of rows, those of the program p that inUnits
// made of q (B5). Bounds get theirs from the gradient g of the Lagrangian without bounds: Lower =
// g₊ where a lower bound is at most max(1, |x|) away, Upper = g₋ where an upper one is. (A remote
// bound gets none: the multiplier times the distance would be part of the gap.) What remains of g
// is the dual residual. The slice x, moved into its bounds, becomes part of the solution.
func (q QP) certify(p *program, x, v []float64) *QPSolution {
	// Rounding may take a point out of its bounds, and a multiplier below 0, by a digit.
	for j, lo := range q.Lo {
		x[j] = min(max(x[j], lo), q.Hi[j])
	}
	all := len(q.B) + len(q.Beq) + 2*len(x)
	z, h := make([]float64, all), make([]float64, all)
	m := q.split(z)
	s := &QPSolution{X: x, Ineq: m.Ineq, Eq: m.Eq, Lower: m.Lower, Upper: m.Upper}

	// The gradient of f, as the sum of two vectors; and f itself.
	slope, slopeLost := make([]float64, len(x)), make([]float64, len(x))
	for j, v := range x {
		if v != 0 {
			axpyExact(slope, slopeLost, v, q.Q.Row(j))
		}
	}
	curve := (Dot(x, slope) + Dot(x, slopeLost)) / 2
	axpyExact(slope, slopeLost, 1, q.C)

	// The rows come first. Their multipliers turn the gradient of f into g, as g + lost.
	g, lost, list := slices.Clone(slope), slices.Clone(slopeLost), q.constraints()
	for i, c := range list {
		h[c.at] = c.h
		if c.row != nil {
			z[c.at] = v[i] * p.g[i].scale
			excess := dotExact(-c.h, c.row, x)
			if c.eq {
				excess = math.Abs(excess)
			} else {
				z[c.at] = max(0, z[c.at])
			}
			s.PrimalResidual = max(s.PrimalResidual, excess)
			axpyExact(g, lost, z[c.at], c.row)
		}
	}
	// Then a bound takes what has its sign of entry j.
	for _, c := range list {
		if c.row == nil && c.h-c.of(x) <= max(1, math.Abs(x[c.j])) {
			z[c.at] = max(0, -c.sign*(g[c.j]+lost[c.j]))
			axpyExact(g[c.j:c.j+1], lost[c.j:c.j+1], c.sign, z[c.at:c.at+1])
		}
	}
	s.Objective, s.DualObjective = curve+Dot(q.C, x), -curve-Dot(h, z)
	s.Gap = math.Abs(dotExact(0, slices.Concat(x, x, h), slices.Concat(slope, slopeLost, z)))
	axpy(g, 1, lost)
	s.DualResidual = largest(g)
	return s
}

// # Units
//
// The unknowns may be grams and tons. Powers of two, which do not round, scale the rows and columns
// to largest entries near 1. For column j let v be the largest entry of A and Aeq, each row divided
// by the root of its largest entry (Ruiz), and q that of Q. The unit of xⱼ is min(1/v, √(κ/q)),
// with κ the median of q/v². The unit of the objective is free, and with this choice A and Aeq,
// which decide how accurate the solution is, decide for half of the unknowns. Then x as a whole is
// scaled, if most sides h are larger than 1, and the objective, so that c is near 1, or Q near
// steep.

const (
	steep = 32  // largest entry of Q, at most, beside 1 for c: some curvature helps, more does not
	leap  = 1e6 // a point so many times as far out as x is out of reach; so is a side of leap²
)

// inUnits returns q without absent constraints, in units chosen for it: a point x of the program is
// unit∘x in q. Its rows have this give.
func (q QP) inUnits(give float64) (p *program, unit []float64) {
	// The units of the unknowns: from the largest entries in the columns of the rows, and in Q. The
	// columns that have both count for κ. The ratio 0 comes first: if there is no other, κ is 1.
	g, n := q.constraints(), len(q.C)
	unit, curve, ratios := make([]float64, n), make([]float64, n), []float64{0}
	for _, c := range g {
		root := math.Sqrt(cmp.Or(largest(c.row), 1))
		for j, v := range c.row {
			unit[j] = max(unit[j], math.Abs(v)/root)
		}
	}
	for j, v := range unit {
		if curve[j] = largest(q.Q.Row(j)); curve[j] > 0 && v > 0 {
			ratios = append(ratios, curve[j]/v/v)
		}
	}
	kappa := near4(slices.Sorted(slices.Values(ratios))[len(ratios)/2])
	for j, v := range unit {
		unit[j] = math.Sqrt(1 / near4(max(curve[j]/kappa, v*v)))
	}

	// The scales of the rows; a bound has that of its unknown. How far out is x? About as far as
	// most sides are, or as |c|/|Q|, where f alone would have its minimum: whole is the median of
	// all of these. A side a leap away may be meant as none, as 1e20 is in other programs.
	hessian, c := q.Q.scaled(unit), times(q.C, unit)
	bend := largest(hessian.Data)
	sizes := []float64{largest(c) / cmp.Or(bend, math.Inf(1))}
	for i := range g {
		r := &g[i]
		if r.row == nil {
			r.scale = 1 / unit[r.j]
		} else {
			r.row, r.give = times(r.row, unit), give
			r.scale = 1 / near4(largest(r.row))
			divide(r.row, 1/r.scale)
		}
		if r.h *= r.scale; r.h != 0 && (r.eq || r.h < leap) {
			sizes = append(sizes, math.Abs(r.h))
		}
	}
	whole := max(1, near4(slices.Sorted(slices.Values(sizes))[len(sizes)/2]))

	// The unit of x as a whole, and that of the objective. A remote side of an inequality is cut,
	// or the start would be as far out. If such a side was meant, and is active, the result fails
	// in q, by which all points are judged.
	price := near4(max(largest(c), whole*bend/steep))
	for i := range g {
		g[i].scale *= price
		if g[i].h /= whole; !g[i].eq {
			g[i].h = min(g[i].h, leap*leap)
		}
	}
	divide(c, price)
	divide(hessian.Data, price/whole)
	divide(unit, 1/whole)
	return newProgram(hessian, c, g), unit
}

// near4 returns the power of four nearest to v ≥ 0 in ratio, or 1 for v = 0. It stays within
// 2^±500, so that no product of scales overflows.
func near4(v float64) float64 {
	// Half the binary logarithm is the logarithm to base 4.
	v = min(max(cmp.Or(v, 1), 0x1p-500), 0x1p500)
	return math.Exp2(2 * math.Round(math.Log2(v)/2))
}

// # The start
//
// Mehrotra's start is the solution of (2) for r₁ = −c and r₂ = h, here with τ = 1 + h² for
// inequalities. It minimizes
//
//	f(x) + ½ Σ (gᵢᵀx − hᵢ)²/(1 + hᵢ²)           [the sum over inequalities, subject to equations]
//
// So x comes near constraints with small h, and remote ones matter little. Then s = h − Gx. If an
// entry of s is not positive, all are raised, so that the least is 1; and likewise for z.

// search follows the path from this start, with the finish at each of its points, until visit
// returns true, progress ends, or limit steps are done. Without inequalities the start is the
// solution (B9).
//
// The guess which constraints are active in the solution comes from the last step. The third
// equation of (5), divided by sz, is Δs/s + Δz/z = ν/sz − 1, but for the small term of the
// corrector. That is near −1 towards the end [ν/μ → 0, while the products sz stay of the order of
// μ]. Where s vanishes and z does not, Δs/s is near −1; where z vanishes, Δz/z is. So the guess is:
// active if Δs/s < Δz/z (Tapia). It depends neither on units nor on whether s and z are those
// before or after the step [ΔsΔz cancels in Δs(z + aΔz) < Δz(s + aΔs)].
func (p *program) search(limit int, visit func(x, z []float64) bool) (steps int) {
	// With x = z = 0 the residuals are −c and h: the system solves for x and z themselves.
	t := newPath(p)
	for i, c := range p.g[p.eq:] {
		t.tau[p.eq+i] += 1 + c.h*c.h
	}
	t.factor(t.tau)
	t.residuals(t.rd, t.rp, t.x, t.z)
	t.solve(t.x, t.z, t.tau, t.rd, t.rp, 0)
	t.residuals(t.rd, t.s, t.x, t.z)
	clear(t.s[:p.eq])
	// The path needs s > 0 and z > 0.
	for _, v := range [][]float64{t.s[p.eq:], t.z[p.eq:]} {
		if least := slices.Min(append(v, 1)); least <= 0 {
			axpy(v, 1-least, constant(len(v), 1))
		}
	}

	return t.follow(limit, func() bool {
		// The point itself may be good enough, even where no active set can be guessed.
		if visit(t.x, t.z) {
			return true
		}
		// Before the first step Δs and Δz are 0, and only the equations are active.
		active := build(len(t.z), func(i int) bool {
			return i < t.eq || t.ds[i]*t.z[i] < t.dz[i]*t.s[i]
		})
		left := 1.0
		return p.finish(active, t.x, t.z, &left, visit)
	})
}

// # The finish: active sets
//
// With the active constraints as equations and no others, (1) is one linear system in fewer
// unknowns (B9). A constraint is wrong if it is inactive and violated, or active with a negative
// multiplier. If none is wrong, (1) is solved up to rounding, not only in the limit. Otherwise the
// wrong ones change sides (block pivoting). A round with k unknowns and rows left costs k³/6 and a
// few n². Were all with z < 0 to leave at once, most would return: so few leave, those with the
// most negative z. The finish gives up five rounds after the one with the fewest wrong constraints,
// or when x is on its way to infinity, where residuals vanish in rounding. When multipliers are on
// their way to infinity, active rows contradict each other. Then the multipliers only tell which
// rows should leave, and the next round starts from the first multipliers again.

// finish is the active-set method, from (x0, z0) and the set active, which it changes. It visits
// points that are nearly optimal, until visit returns true, which finish reports, or the method
// fails, or nothing is left of the work allowed. The unit of work is about a step of the path.
func (p *program) finish(active []bool, x0, z0 []float64, left *float64,
	visit func(x, z []float64) bool) bool {
	const (
		rounds   = 6    // before it gives up, counted from the one with the fewest wrong
		share    = 10   // of n unknowns, n/share + 1 constraints may leave in a round
		products = 80   // a unit of work is a factorization of order n and so many products Qx
		near     = 1e-6 // a point is visited if no slack or multiplier is this far below 0
		remote   = 1e8  // an x or z of this size is on its way to infinity
	)
	x, z, n := slices.Clone(x0), slices.Clone(z0), float64(len(x0))
	fewest := len(z) + 1
	rd, slack := make([]float64, len(x)), make([]float64, len(z))
	for round := 0; round < rounds && *left > 0; round++ {
		// The program with these active constraints, and no others.
		size := p.polish(active, x, z, rd, slack)
		*left -= (size*size*size/6 + n*(n+float64(len(z)))) / (n * n * (n/6 + products))
		if largest(x) > remote {
			break
		}

		// Active bounds get their multipliers, from rd. Then all multipliers and slacks are known.
		var enter, leave []int
		worst := 0.0
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
		if worst < near && visit(x, z) {
			return true
		}
		// Fewer wrong ones than ever before: the count of rounds starts again.
		if wrong := len(enter) + len(leave); wrong < fewest {
			fewest, round = wrong, 0
		}

		// The wrong ones change sides, but few may leave.
		slices.SortStableFunc(leave, func(i, j int) int { return cmp.Compare(z[i], z[j]) })
		for _, i := range slices.Concat(enter, leave[:min(len(leave), len(x)/share+1)]) {
			active[i] = !active[i]
		}
		if largest(z) > remote { // polish starts from these z
			copy(z, z0)
		}
	}
	return false
}

// polish moves (x, z) to a solution of the program with the active constraints as equations and no
// others, if there is one, and sets the residuals rd and rp of where it arrives. It solves one
// linear system (B9) for the change of (x, z): of many solutions it finds one nearby. Bounds get no
// multipliers here: rd shows them at fixed unknowns. The size of the system, which is returned, is
// its number of unknowns and rows.
func (p *program) polish(active []bool, x, z, rd, rp []float64) (size float64) {
	// Active bounds fix unknowns. Inactive constraints and, for now, bounds get the multiplier 0.
	var rows []int
	fixed := make([]bool, len(x))
	for i, g := range p.g {
		if active[i] && g.row != nil {
			rows = append(rows, i)
			continue
		}
		z[i] = 0
		if active[i] && !fixed[g.j] {
			fixed[g.j], x[g.j] = true, g.sign*g.h
		}
	}
	free := slices.DeleteFunc(upTo[int](len(x)), func(j int) bool { return fixed[j] })
	p.residuals(rd, rp, x, z)

	// The system in the free unknowns and active rows.
	sub := &saddle{q: NewMatrix(len(free), len(free)), g: make([]constraint, len(rows))}
	for k, j := range free {
		copy(sub.q.Row(k), pick(p.q.Row(j), free))
	}
	tau := make([]float64, len(rows))
	for k, i := range rows {
		sub.g[k].row, tau[k] = pick(p.g[i].row, free), p.g[i].give
	}
	sub.factor(tau) // fails only if numbers overflow: then no visit takes the result for a solution
	dx, dz := make([]float64, len(free)), make([]float64, len(rows))
	sub.solve(dx, dz, tau, pick(rd, free), pick(rp, rows), 0)

	// The change goes back to where it belongs, and the residuals are those of the new point.
	for k, j := range free {
		x[j] += dx[k]
	}
	for k, i := range rows {
		z[i] += dz[k]
	}
	p.residuals(rd, rp, x, z)
	return float64(len(free) + len(rows))
}

// # Before the path: proximal points
//
// The finish can succeed from a poor guess, such as all constraints that x = 0 violates or just
// meets, unless Q is nearly singular on the unknowns left: then the solution is far away, and
// violates the rest. A proximal term (Rockafellar) keeps it near:
//
//	minimize f(x) + ½ε‖x − x⁰‖²  subject to the constraints of (C1)                           (7)
//
// Q + εI has no eigenvalue below ε. The solution x¹ of (7) violates (1) by ε(x⁰ − x¹) in the
// gradient alone. If x⁰ is feasible,
//
//	f(x¹) ≤ f(x⁰) − ε‖x¹ − x⁰‖²       [by ½ε‖x¹ − x⁰‖² or more (7) rises to x⁰]
//
// So if each x¹ is the next x⁰, f is bounded below and ε above, then ε(x⁰ − x¹) tends to 0. The
// finish solves (7), from the last active set; if it cannot, ε rises thirtyfold. Then the finish
// tries the program itself, from the point and the active set reached. For the dual of an SVM all
// this costs a few factorizations of order k, the number of unknowns between their bounds; the path
// needs one of order n for a step.

// The first ε, as a share of the largest entry of Q, or of 1 if Q is 0.
const gentle = 1e-3

// approach is the proximal point method (7). Before each proximal program it tries the finish on
// the program itself. It reports whether visit returned true.
func (p *program) approach(visit func(x, z []float64) bool) bool {
	// The first guess of the active set.
	n := len(p.c)
	x, z, active := make([]float64, n), make([]float64, len(p.g)), make([]bool, len(p.g))
	for i, c := range p.g {
		active[i] = c.eq || c.h <= 0
	}

	// The program (7) has the same constraints, and an objective of its own. The largest entry says
	// what a small ε is.
	q := &Matrix{n, n, slices.Clone(p.q.Data)}
	prox := newProgram(q, make([]float64, n), p.g)

	// All of it may take as much work as four steps of the path.
	eps := gentle * cmp.Or(largest(q.Data), 1)
	for left := 4.0; left > 0; {
		// The program itself, from the last proximal point.
		if p.finish(slices.Clone(active), x, z, &left, visit) {
			return true
		}

		// The proximal program: x⁰ is the last x, and −εx⁰ the linear part of its term.
		for j, c := range p.c {
			q.Set(j, j, p.q.At(j, j)+eps)
			prox.c[j] = c - eps*x[j]
		}
		found := prox.finish(active, x, z, &left, func(y, u []float64) bool {
			x, z = y, u
			return true
		})
		if !found { // a larger ε makes an easier program
			eps *= 30
		}
	}
	return false
}

// # No solution, and no bound on the multipliers
//
// Let every row of A and Aeq yield by its multiplier: gᵀx ≤ h + z. That adds 1 to τ in (2), and
// solves
//
//	minimize f(x) + ½‖t‖²  subject to  gᵀx − t ≤ h or = h for these rows, and the bounds on x (8)
//
// [∂/∂t of its Lagrangian is t − z: z = t on these rows].
//
// Infeasible: take f = 0. If the minimum is 0, its x is feasible. If not, the multipliers z of (8),
// with z = t on the rows, have
//
//	Gᵀz = 0,  hᵀz = −‖t‖² < 0          [where z ≠ 0, gᵀx − t = h, with t = 0 for a bound: times z]
//	a feasible x would give 0 = zᵀGx ≤ hᵀz < 0: there is none                             (Farkas)
//
// Unbounded: let d be the projection of −c on the cone Qd = 0, gᵀd ≤ 0, or = 0 for equations. If d
// ≠ 0, then cᵀd = −‖d‖² < 0 [−c − d is orthogonal to d], and f falls forever along d from any
// feasible point. If d = 0, then −c = Qu + Gᵀz with z ≥ 0 for inequalities (Farkas). So f is
// bounded below on the feasible set, by (B3), and takes its least value there, unless the set is
// empty (Frank and Wolfe): a convex quadratic program is infeasible, unbounded or solvable (C5).
//
// Solvable, but with dependent active rows: their multipliers may grow until rounding in them
// drowns the residuals. Then keep x, take its active constraints with h = 0, and f = (Qx + c)ᵀd in
// the unknowns d. Of all z with Qx + c + Gᵀz = 0 this (8) has one whose part for rows is shortest
// [by (B3) its dual is to maximize −½‖t‖², t = z].

// phaseOne returns a feasible point or an InfeasibleError, by (8) with f = 0, or neither if it
// cannot tell.
//
// In a proof z, divided by its largest entry, v = −hᵀz must exceed the rounding of its terms. What
// rounding leaves of e = Gᵀz does no harm: a feasible y would have v ≤ −eᵀy ≤ ‖e‖∞‖y‖₁, and so be
// larger than x, in the units of the path, by a leap. The search then goes on for a better proof,
// until that is a leap of leaps, or progress ends.
func (q QP) phaseOne(o QPOptions) (point []float64, err error) {
	n := len(q.C)
	q.Q, q.C = NewMatrix(n, n), make([]float64, n)
	// Every row yields. A point of this path, or of the finish, may have either answer.
	p, unit := q.inUnits(1)
	best := 1.0
	p.search(o.MaxIter, func(x, z []float64) bool {
		s := q.certify(p, times(x, unit), z)
		if err == nil && s.PrimalResidual <= min(o.Tol, certain*max(1, largest(s.X))) {
			point = s.X
			return true
		}
		// First the division, lest small products vanish. The terms of v may cancel.
		z = slices.Concat(s.Ineq, s.Eq, s.Lower, s.Upper)
		divide(z, cmp.Or(largest(z), 1))
		v, terms, e := 0.0, 0.0, make([]float64, n)
		for _, c := range q.constraints() {
			c.add(e, z[c.at])
			v -= c.h * z[c.at]
			terms += math.Abs(c.h * z[c.at])
		}
		// How large a y would have to be, beside x, is asked in the units of the path.
		size, rest := 1+largest(x), largest(times(e, unit))
		if v > flat*float64(n+10)*terms && leap*rest*size <= best*v {
			best, err = leap*rest*size/v, q.split(z)
		}
		return best <= 1/leap // else there may be a better proof
	})
	return point, err
}

// ray projects −c, in the units of the path, on the cone of the d with Qd = 0 and gᵀd ≤ 0, or = 0
// for equations, and scales the result to largest entry ±1. It returns the UnboundedError with this
// ray from the point; or nil if the projection is 0, or if it leaves the cone by more than
// rounding, or f does not fall along it.
func (q QP) ray(point []float64, limit int) (err error) {
	// The program is min ½‖d‖² + cᵀd = ½‖d + c‖² − ½‖c‖², with all sides 0.
	p, unit := q.inUnits(0)
	n := len(unit)
	identity, g := NewMatrix(n, n), []constraint(nil)
	for j := range n {
		identity.Set(j, j, 1)
		g = append(g, constraint{row: p.q.Row(j), eq: true})
	}
	for _, c := range p.g {
		c.h = 0
		g = append(g, c)
	}
	divide(p.c, cmp.Or(largest(p.c), 1))
	cone := newProgram(identity, p.c, g)
	cone.search(limit, func(x, _ []float64) bool {
		// Rounding may break a side a little, but no bound: entries of d that a bound forbids
		// become 0. What is left may be nothing but rounding: divided by its largest entry, it
		// shows.
		d, worst := slices.Clone(x), 0.0
		for _, c := range g {
			if c.row == nil && (c.of(d) > 0 || c.eq) {
				d[c.j] = 0
			}
		}
		divide(d, largest(d))
		for _, c := range g {
			gd := c.of(d)
			worst = max(worst, gd)
			if c.eq {
				worst = max(worst, -gd)
			}
		}
		none := largest(x) <= certain                                         // the projection is 0
		if none || !(Dot(p.c, d) <= -certain) || worst > flat*float64(n+10) { // NaN if d was 0
			return none
		}
		// The units of q, and largest entry ±1.
		d = times(d, unit)
		divide(d, largest(d))
		err = &UnboundedError{point, d}
		return true
	})
	return err
}

// shorten visits x with multipliers of the constraints active there that tend to the shortest, (8).
func (p *program) shorten(limit int, x, z []float64, visit func(x, z []float64) bool) {
	// The gradient of f at x, and the constraints active there, those with s ≤ z. The others get a
	// side so far away that they hardly have multipliers.
	n, m := len(x), len(z)
	rd, slack := make([]float64, n), make([]float64, m)
	p.residuals(rd, slack, x, make([]float64, m))
	g := slices.Clone(p.g)
	for i := range g {
		g[i].h = 0
		if g[i].row != nil {
			g[i].give = 1
		}
		if i >= p.eq && slack[i] > z[i] {
			g[i].h = leap
		}
	}
	local := newProgram(NewMatrix(n, n), times(rd, constant(n, -1)), g)
	local.search(limit, func(_, prices []float64) bool { return visit(x, prices) })
}

// # Few features: the path of a linear machine
//
// If K = ΦΦᵀ, with d features for each of n ≫ d points, a step along the path of a [Dual] needs no
// matrix of order n. Let x be β. Then (2) has Q = ΦΦᵀ and G = (1ᵀ; −I; I): the sum, the lower and
// the upper bounds. With z = (z₀, z_l, z_h), the same parts of τ and r₂ = (r₀, r_l, r_h), and
// w = Φᵀx,
//
//	Φw + 1z₀ − z_l + z_h = r₁,  1ᵀx = r₀,  −x − τ_l∘z_l = r_l,  x − τ_h∘z_h = r_h
//	Φw + 1z₀ + x/θ = ρ                         [z_l and z_h from the last two]                 (9)
//	1/θ = 1/τ_l + 1/τ_h,  ρ = r₁ − r_l/τ_l + r_h/τ_h
//	x = θ∘(ρ − Φw − 1z₀)                                                                      (10)
//	w + ΦᵀΘΦw + ΦᵀΘ1z₀ = ΦᵀΘρ                  [Φᵀ times (10), Θ = diag(θ)]
//	1ᵀΘΦw + 1ᵀΘ1z₀ = 1ᵀΘρ − r₀                 [1ᵀ times (10), 1ᵀx = r₀]
//
// The last two lines are one system of order d + 1 for (w, z₀). The code gives Φ a last column of
// ones: then the matrix of this system is ΦᵀΘΦ, with 1 added to the first d diagonal entries. With
// c features a point that are not 0, a step costs nc²/2 + d³/6 and some passes over Φ, instead of
// n³/6 (Woodsend and Gondzio, 2011). So a step costs as little as one of the primal program without
// ξ, with d + 1 unknowns and n constraints (B10), and the path has the multipliers of the dual.

// thin is the system (2) of a Dual with few features.
type thin struct {
	phi   *sparseMatrix // Φ, with a last column of ones
	theta []float64
	t     triangle // the factor of the system of order d + 1
}

// bounds cuts a vector over the constraints into its parts for the sum, the lower bounds and the
// upper bounds.
func (k *thin) bounds(v []float64) (sum, lo, hi []float64) {
	n := len(k.theta)
	return v[:1], v[1 : n+1], v[n+1:]
}

// subtract is as system says.
func (k *thin) subtract(e1, e2, x, z []float64) {
	// w = Φᵀx. By the column of ones, the last entry of w is Σx, which belongs to the first
	// constraint.
	w := k.phi.mulVecT(x)
	last := len(w) - 1
	sum, lo, hi := k.bounds(e2)
	zSum, zLo, zHi := k.bounds(z)
	sum[0] -= w[last]
	// With z₀ as the last entry instead, one product is Φw + 1z₀.
	w[last] = zSum[0]
	// What is left of G are the bounds, −I and I.
	for i, v := range x {
		e1[i] -= k.phi.rows[i].DotDense(w)
		e1[i] += zLo[i] - zHi[i]
		lo[i] += v
		hi[i] -= v
	}
}

// factor is as system says.
func (k *thin) factor(tau []float64) bool {
	// θ of (9).
	_, lo, hi := k.bounds(tau)
	for i := range k.theta {
		k.theta[i] = 1 / (1/lo[i] + 1/hi[i])
	}
	// The matrix ΦᵀΘΦ: row i of Φ, with the one at its end, adds θᵢφᵢⱼφᵢₗ to entry (j, l), l ≥ j. A
	// row with c entries that are not 0 costs c²/2 multiply-adds. Along a row the columns ascend,
	// so only the upper half is met.
	t := NewMatrix(k.phi.cols, k.phi.cols).upper()
	for i, row := range k.phi.rows {
		index, value := row.Index, row.Value[:len(row.Index)]
		for a, j := range index {
			sums, v := t[j], k.theta[i]*value[a]
			for b := a; b < len(index); b++ {
				sums[index[b]-j] += v * value[b]
			}
		}
	}
	// And 1 more on the diagonal for each feature.
	for _, row := range t[:k.phi.cols-1] {
		row[0]++
	}
	k.t = t
	return t.factor() < 0
}

// solve is as system says, by (10). What rounding leaves of the residual is not looked at: the next
// step of the path has it.
func (k *thin) solve(x, z, tau, r1, r2 []float64, enough float64) {
	_, tLo, tHi := k.bounds(tau)
	rSum, rLo, rHi := k.bounds(r2)
	zSum, zLo, zHi := k.bounds(z)
	// θ∘ρ is what (10) begins with.
	for i, theta := range k.theta {
		x[i] = theta * (r1[i] - rLo[i]/tLo[i] + rHi[i]/tHi[i])
	}
	// The system for (w, z₀), whose last equation is that of the column of ones.
	w := k.phi.mulVecT(x)
	w[len(w)-1] -= rSum[0]
	k.t.solve(w)
	zSum[0] = w[len(w)-1]

	// Now subtract θ∘(Φw + 1z₀), and x is (10). The two equations above (9) give z_l and z_h.
	for i := range x {
		x[i] -= k.theta[i] * k.phi.rows[i].DotDense(w)
		zLo[i] = -(x[i] + rLo[i]) / tLo[i]
		zHi[i] = (x[i] - rHi[i]) / tHi[i]
	}
}

// nearOptimum follows the path of the dual of a classifier or a regression. K is ΦΦᵀ, Sum is 0, and
// the bounds are finite, lo ≤ 0 ≤ hi, lo < hi. It ends when what is missing to (E2) is at most tol
// at every point, when progress ends, or when observe returns false. It returns the best β on the
// way, in which each entry that is about to reach a bound is at that bound, but for one that
// balances the sum; or 0, if numbers overflow.
func (d Dual) nearOptimum(phi *sparseMatrix, tol float64,
	observe func(beta []float64, b, violation float64) bool) (beta []float64) {
	// The program: minimize ½xᵀQx − pᵀx, where the sum is an equation and the bounds have slack.
	n := len(d.P)
	k := &thin{phi: phi, theta: make([]float64, n)}
	p := &program{system: k, c: make([]float64, n), g: make([]constraint, 2*n+1), eq: 1}
	// With all β at their lower, or at their upper bounds, Σβ is floor or roof.
	floor, roof := total(d.Lo), total(d.Hi)
	for i, v := range d.P {
		p.c[i], p.g[1+i].h, p.g[1+n+i].h = -v, -d.Lo[i], d.Hi[i]
	}

	// The start: half of the bound for the class with less room, and for the other class the share
	// that makes the sum 0. There z_l + z_h = 1 at each point, and with the share a of the room
	// below x, both products s∘z are a(1 − a) times the room.
	t := newPath(p)
	_, sLo, sHi := k.bounds(t.s)
	_, zLo, zHi := k.bounds(t.z)
	up, down := min(1, -floor/roof)/2, min(1, -roof/floor)/2
	for i := range n {
		t.x[i] = up*d.Hi[i] + down*d.Lo[i]
		sLo[i], sHi[i] = t.x[i]-d.Lo[i], d.Hi[i]-t.x[i]
		room := d.Hi[i] - d.Lo[i]
		zLo[i], zHi[i] = sHi[i]/room, sLo[i]/room
	}

	// A point is at a bound if the slack, as a share of the room, is less than the multiplier. Then
	// the other multiplier is what is missing to (E2); for points between the bounds it is both.
	beta = make([]float64, n)
	least := math.Inf(1)
	t.follow(200, func() bool {
		// What is about to reach a bound is moved there. The point with the most room will take
		// what this does to the sum.
		missing := max(largest(t.rd), largest(t.rp))
		moved, widest := slices.Clone(t.x), 0
		for i := range n {
			room := d.Hi[i] - d.Lo[i]
			switch atLo, atHi := sLo[i] < zLo[i]*room, sHi[i] < zHi[i]*room; {
			case atLo:
				moved[i], missing = d.Lo[i], max(missing, zHi[i])
			case atHi:
				moved[i], missing = d.Hi[i], max(missing, zLo[i])
			default:
				missing = max(missing, zLo[i], zHi[i])
				if min(sLo[i], sHi[i]) > min(sLo[widest], sHi[widest]) {
					widest = i
				}
			}
		}
		if !(missing < least) {
			// Worse than before. If it is much worse, rounding is larger than what was missing.
			return !(missing < 10*least)
		}
		least, beta = missing, moved
		beta[widest] -= total(beta)
		return !observe(beta, t.z[0], missing) || missing <= tol // b is the multiplier of the sum
	})
	return beta
}

// # Exercises
//
// The solutions are tests, TestExercises in svm_test.go. Don't peek.
//
//  1. Let's implement the primal as well (Harmeling): write the hard margin for the points 1 (class
//     +1) and −1 (class −1) as the eight arguments of quadprog. What are x and the multipliers?
//  2. In ExampleSolveQP move the half-plane to x₁ + x₂ ≥ 2.1. Predict the new objective from the
//     multiplier, to first order. Then add the term of second order.
//  3. x₁ ≥ 0, x₁ + x₂ ≤ 1 and x₂ ≥ 2 contradict each other. Find multipliers that prove it. Let
//     [SolveQP] find them, too.
