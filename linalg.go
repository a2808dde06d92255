// Copyright 2026 The svm authors. All rights reserved.
// Use of this source code is governed by the MIT
// license that can be found in the LICENSE file.

// Dense linear algebra: what the other chapters and their tests need.
//
// This file has inner products and sums of rows; the solution of Ax = b for a positive definite A, and after deleting a
// variable; eigenvalues of symmetric matrices; singular values of any; saddle point systems; loops on several cores.
// Three loops over contiguous memory do the arithmetic: Dot, axpy (axpy4 is four in one pass, subtractPair eight) and
// rotate. So every algorithm goes by rows: what a textbook does to columns is done here to the rows of the transpose.
//
//	symbol    meaning                                            Go
//	A         symmetric, n × n; Cholesky, SymEigen: lower half   a
//	U         upper triangular, uᵢᵢ > 0, A = UᵀU                 triangle: t[i][j-i] is uᵢⱼ
//	L         Uᵀ                                                 l
//	r         row of A minus multiples of the rows of U above    t[i], before (L2)
//	c, s      cosine and sine of a rotation                      c, s
//	v, h, H   vector, ½‖v‖² and matrix of a reflection           x, h
//	T         tridiagonal, T = QᵀAQ, Q orthogonal                d, e: its diagonal, its subdiagonal
//	σ         the shift of a QL sweep                            sigma
//	X = PSVᵀ  any m × n matrix, m ≥ n, and its factors           x, u, s, v
//	W         XV, whose columns become orthogonal                the first m entries of each row
//	G, D      rows gᵀ and diagonal matrix of (L9)                saddle.g, d
//	w, ω, δ   weights of the rows in (L10), regularisation       saddle.weight, omega, delta
//	ε         2⁻⁵²                                               machineEps
//
// # Cholesky
//
// Row i of A = UᵀU reads aᵢⱼ = Σ_{p≤i} uₚᵢuₚⱼ for j ≥ i [uₚᵢ = 0 for p > i]. Its last term is uᵢᵢuᵢⱼ = rᵢⱼ, where
//
//	rᵢⱼ = aᵢⱼ − Σ_{p<i} uₚᵢuₚⱼ                                   (L1)
//	uᵢᵢ = √rᵢᵢ,  uᵢⱼ = rᵢⱼ/uᵢᵢ                                   (L2)
//
// The pivot rᵢᵢ is the least value of xᵀAx over the x with xᵢ = 1 and xⱼ = 0 for j > i: for these, xᵀAx = rᵢᵢ +
// Σ_{p<i} (Ux)ₚ², and some x₀ … xᵢ₋₁ make the sum vanish [back substitution]. So if A is positive definite, every pivot
// is positive. Conversely, if every pivot is positive, U is invertible and xᵀAx = ‖Ux‖² > 0 for x ≠ 0. If aᵢⱼ is infinite
// or NaN, the pivot rⱼⱼ is not finite either [uᵢⱼ² is subtracted there].
//
// The cost is that of (L1): n³/6 multiply-adds. With one axpy for each p, every multiply-add would load two numbers and
// store one, and every row would bring the whole triangle through the cache. So factor subtracts four rows p from two
// rows i in one pass (six loads and two stores for eight multiply-adds), and panelRows rows p stay in the cache while
// all later rows take their terms. The terms of (L1) still come in the order of p: if products are rounded before they
// are added, no bit of the result changes.
//
// To solve Ax = b, solve Uᵀy = b by axpys with the rows of U, then Ux = y by dots with them: n² multiply-adds in all.
//
// # Deleting a variable
//
// Let M be U without column k. Then MᵀM is A without row and column k [the columns of M are those of U]. Below its
// diagonal M has only the entries u_{i+1,i+1}, i ≥ k. Let x and y be its rows i and i+1 from column i on. The rotation
//
//	(x, y) ← (c x + s y, c y − s x),  c = x₀/ρ, s = y₀/ρ, ρ = √(x₀² + y₀²)   (L3)
//
// replaces (x₀, y₀) by (ρ, 0) and leaves MᵀM as it is [rotations are orthogonal]. After i = k, k+1, …, n−2 the last row
// of M is zero, and the others are the factor [no other has a positive diagonal]. The cost is (n−k)²/2 rotated pairs of
// entries, not n³/6.
//
// # Symmetric eigenvalues
//
// First, A is made tridiagonal. Let x be a vector, xₗ its last entry, g = −sgn(xₗ)‖x‖, v = x − g·eₗ and h = ½‖v‖². Then
//
//	h = g(g − xₗ)                                                [‖v‖² = ‖x‖² − 2g xₗ + g², ‖x‖² = g²]
//	H = I − vvᵀ/h is symmetric, orthogonal, and Hx = g·eₗ        (L4)   [vᵀx = g² − g xₗ = h]
//	HAH = A − vqᵀ − qvᵀ,  q = p − (vᵀp/2h) v,  p = Av/h          (L5)   [multiply out: vᵀp/h times vvᵀ, a half to each]
//
// (the sign of g avoids cancellation in xₗ − g). Taking for x the part of row i left of the diagonal, for i = n−1, …, 1,
// leaves T = QᵀAQ, Q being the product of these H in this order. Then Qᵀ is built in the same memory, last H first.
//
// Second, QL sweeps make T diagonal. If T − σI = RL, with R orthogonal (the Q of QL) and L lower triangular, then
// LR + σI = RᵀTR: still tridiagonal, with the same eigenvalues. If σ is close to one of them, the top off-diagonal
// entry e₀ of RᵀTR nearly vanishes. With Wilkinson's σ, the eigenvalue of the top 2×2 block nearest to d₀,
//
//	σ = d₀ − e₀/(γ + sgn(γ)√(γ² + 1)),  γ = (d₁ − d₀)/(2e₀)                  (L6)
//
// the sweeps always converge, in the end quadratically or, for almost every T, cubically. The last column of R gives
// the others up to signs [RᵀTR is tridiagonal]. So σ enters only the first rotation, of rows m−1 and m, the last: its
// (c, s) is (dₘ − σ, eₘ₋₁), normalised. Each rotation makes an entry f = s·eᵢ outside the band. The next, a row higher,
// removes it: its (c, s) is (g, f), normalised, where g is the entry beside f. On the 2×2 block with diagonal dᵢ, dᵢ₊₁ and
// off-diagonal b, a rotation does this:
//
//	q = s(dᵢ − dᵢ₊₁) + 2cb:  dᵢ₊₁ ← dᵢ₊₁ + sq,  dᵢ ← dᵢ − sq,  b ← cq − b   (L7)   [s² + c² = 1]
//
// When |eᵢ| ≤ ε(|dᵢ| + |dᵢ₊₁|) it is taken for 0, and the two blocks that it joined are treated separately. The cost is
// 4n³ to 6n³ multiply-adds: 4n³/3 to find T and Q, the rest, four for each rotated pair, to rotate the rows of Qᵀ.
//
// # Singular values
//
// One-sided Jacobi: make the columns of W = XV orthogonal by rotating pairs. With α = ‖wₚ‖², β = ‖w_q‖², γ = wₚ·w_q,
//
//	(c wₚ − s w_q)·(s wₚ + c w_q) = cs(α − β) + (c² − s²)γ = 0
//	⇔  t² + 2ζt − 1 = 0,  t = s/c, ζ = (β − α)/2γ                            [divide by −c²γ]
//	⇐  t = 1/(ζ + sgn(ζ)√(1 + ζ²))                                           (L8)   [the smaller root: least change]
//
// Each rotation lowers Σ_{p<q} (wₚ·w_q)² by γ² [the other entries of WᵀW in rows p and q are rotated in pairs]. When the
// cosines of all pairs are rounding errors, X = (W S⁻¹) S Vᵀ with sⱼ = ‖wⱼ‖. The program keeps rows [wⱼ | vⱼ]: one loop
// rotates both. They grow where c is rounded to 1, so each is divided by ‖vⱼ‖ at the end. A sweep costs up to n²(m + n)/2
// rotated pairs of entries. Ten sweeps or so suffice, fewer when the longest column goes first, but sixty may be needed
// where the rows of X (not its columns) differ by a hundred powers of ten.
//
// # What can go wrong
//
// Squares over- and underflow: SymEigen and SVD first multiply by a power of two that brings the largest entry near 1.
// That is exact, but for entries that underflow beside the largest: scaling the input by 2ᵏ scales the result and changes
// no other bit, unless entries are beyond 2^±1000. Then columns of W that come out shorter than 2⁻⁴⁸⁰ are taken for 0. A
// result beyond the range of float64 comes out infinite. Errors are a small multiple of ε‖A‖. A small eigenvalue has no
// more digits than that leaves; a small singular value has more if X = BD, D diagonal and B far from singular: hence
// Jacobi's method. Iterations have a budget, and SymEigen and SVD panic if it does not suffice.
//
// References. Parlett, The Symmetric Eigenvalue Problem (why QL converges: the best chapter there is). Wilkinson and
// Reinsch, Linear Algebra (tred2 and imtql2, the models here). Gill, Golub, Murray and Saunders, Methods for modifying
// matrix factorizations (1974). Demmel and Veselić, Jacobi's method is more accurate than QR (1992). Leite, Saldanha and
// Tomei, The asymptotics of Wilkinson's shift: loss of cubic convergence (2010).

package svm

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// Errors that any chapter may return, wrapped with the circumstances: which pivot, which entry, how far from converged.
var (
	ErrNotPositiveDefinite = errors.New("matrix is not positive definite")
	ErrNotFinite           = errors.New("value is not finite")
	ErrNotConverged        = errors.New("no convergence")
)

const (
	machineEps  = 0x1p-52  // distance from 1 to the next float64
	negligible  = 0x1p-480 // counts as zero beside 1; its square times ε is still a normal number
	panelRows   = 32       // rows of U that are subtracted from all later rows together; a multiple of 4
	sweepBudget = 60       // QL sweeps allowed per eigenvalue, on average; Jacobi sweeps, besides one for each row
)

// A Matrix is dense and row-major: entry (i, j) is Data[i*Cols+j].
type Matrix struct {
	Rows, Cols int
	Data       []float64
}

// NewMatrix returns the rows × cols matrix of zeros.
func NewMatrix(rows, cols int) *Matrix {
	if rows < 0 || cols < 0 || cols > 0 && rows > math.MaxInt/8/cols {
		panic(fmt.Sprintf("svm: NewMatrix: %d×%d", rows, cols))
	}
	return &Matrix{Rows: rows, Cols: cols, Data: make([]float64, rows*cols)}
}

// MatrixFromRows returns a matrix with copies of the given rows. It panics unless they all have the same length.
func MatrixFromRows(rows [][]float64) *Matrix {
	if len(rows) == 0 {
		return NewMatrix(0, 0)
	}
	m := NewMatrix(len(rows), len(rows[0]))
	for i, r := range rows {
		if len(r) != m.Cols {
			panic(fmt.Sprintf("svm: MatrixFromRows: row %d has length %d, row 0 has length %d", i, len(r), m.Cols))
		}
		copy(m.Row(i), r)
	}
	return m
}

// At returns entry (i, j).
func (m *Matrix) At(i, j int) float64 { return m.Row(i)[j] }

// Set makes v the entry (i, j).
func (m *Matrix) Set(i, j int, v float64) { m.Row(i)[j] = v }

// Row returns row i as a view: writing to it writes to m.
func (m *Matrix) Row(i int) []float64 {
	return m.Data[i*m.Cols : (i+1)*m.Cols : (i+1)*m.Cols]
}

// T returns the transpose of m, as a copy.
func (m *Matrix) T() *Matrix {
	t := NewMatrix(m.Cols, m.Rows)
	for i := range m.Rows {
		for j, v := range m.Row(i) {
			t.Data[j*m.Rows+i] = v
		}
	}
	return t
}

// scaled returns DmD, where D is the diagonal matrix with the entries of d.
func (m *Matrix) scaled(d []float64) *Matrix {
	s := NewMatrix(m.Rows, m.Cols)
	for i, a := range d {
		row := s.Row(i)
		for j, v := range m.Row(i) {
			row[j] = v * d[j] * a
		}
	}
	return s
}

// Mul returns the product m b, in m.Rows·m.Cols·b.Cols multiply-adds.
func (m *Matrix) Mul(b *Matrix) *Matrix {
	if m.Cols != b.Rows {
		panic(fmt.Sprintf("svm: Mul: %d×%d times %d×%d", m.Rows, m.Cols, b.Rows, b.Cols))
	}
	p := NewMatrix(m.Rows, b.Cols)
	for i := range m.Rows {
		b.addRows(p.Row(i), m.Row(i))
	}
	return p
}

// MulVec sets dst = m x. The vectors dst and x must not overlap.
func (m *Matrix) MulVec(dst, x []float64) {
	if len(dst) != m.Rows || len(x) != m.Cols {
		panic(fmt.Sprintf("svm: MulVec: %d×%d matrix, x of length %d, dst of length %d", m.Rows, m.Cols, len(x), len(dst)))
	}
	for i := range dst {
		dst[i] = Dot(m.Row(i), x)
	}
}

// MulVecT sets dst = mᵀ x. The vectors dst and x must not overlap.
func (m *Matrix) MulVecT(dst, x []float64) {
	if len(dst) != m.Cols || len(x) != m.Rows {
		panic(fmt.Sprintf("svm: MulVecT: %d×%d matrix, x of length %d, dst of length %d", m.Rows, m.Cols, len(x), len(dst)))
	}
	clear(dst)
	m.addRows(dst, x)
}

// addRows adds Σᵢ cᵢ·(row i of m) to dst.
func (m *Matrix) addRows(dst, c []float64) {
	i := 0
	for ; i+4 <= len(c); i += 4 {
		axpy4(dst, c[i], m.Row(i), c[i+1], m.Row(i+1), c[i+2], m.Row(i+2), c[i+3], m.Row(i+3))
	}
	for ; i < len(c); i++ {
		axpy(dst, c[i], m.Row(i))
	}
}

// whole panics unless Data has the length that Rows and Cols promise.
func (m *Matrix) whole(caller string) {
	if m.Rows < 0 || m.Cols < 0 || len(m.Data) != m.Rows*m.Cols {
		panic(fmt.Sprintf("svm: %s: %d×%d matrix with %d entries", caller, m.Rows, m.Cols, len(m.Data)))
	}
}

// lowerHalf returns a copy of m with zeros above the diagonal. The error, if any, names the first entry of the copy that
// is not finite. lowerHalf panics unless m is square.
func (m *Matrix) lowerHalf(caller string) (*Matrix, error) {
	m.whole(caller)
	if m.Rows != m.Cols {
		panic(fmt.Sprintf("svm: %s: %d×%d matrix is not square", caller, m.Rows, m.Cols))
	}
	l := NewMatrix(m.Rows, m.Cols)
	for i := range m.Rows {
		copy(l.Row(i)[:i+1], m.Row(i))
	}
	return l, l.finite(caller)
}

// finite returns an error that names the first entry of m that is not finite, or nil.
func (m *Matrix) finite(caller string) error {
	if k := nonFinite(m.Data); k >= 0 {
		return fmt.Errorf("svm: %s: entry (%d, %d) is %v: %w", caller, k/m.Cols, k%m.Cols, m.Data[k], ErrNotFinite)
	}
	return nil
}

// allFinite returns an error that names the first entry of v that is not finite, as what and its index, or nil.
func allFinite(what string, v []float64) error {
	if i := nonFinite(v); i >= 0 {
		return fmt.Errorf("svm: %s %d is %v: %w", what, i, v[i], ErrNotFinite)
	}
	return nil
}

// fault returns an error if the length of v is not n, or an entry is NaN, or infinite where infinite is false; or nil.
func fault(name string, v []float64, n int, infinite bool) error {
	if len(v) != n {
		return fmt.Errorf("svm: %s has %d entries, want %d", name, len(v), n)
	}
	for i, x := range v {
		if math.IsNaN(x) || math.IsInf(x, 0) && !infinite {
			return fmt.Errorf("svm: %s[%d] is %v: %w", name, i, x, ErrNotFinite)
		}
	}
	return nil
}

// Dot returns x·y. It panics unless x and y have the same length.
func Dot(x, y []float64) float64 {
	if len(x) != len(y) {
		panic(fmt.Sprintf("svm: Dot: vectors of lengths %d and %d", len(x), len(y)))
	}
	var s0, s1, s2, s3 float64 // four sums, so that an addition need not wait for the one before
	for len(x) >= 4 && len(y) >= 4 {
		s0 += x[0] * y[0]
		s1 += x[1] * y[1]
		s2 += x[2] * y[2]
		s3 += x[3] * y[3]
		x, y = x[4:], y[4:]
	}
	for i, v := range x {
		s0 += v * y[i]
	}
	return (s0 + s1) + (s2 + s3)
}

// norm2 returns ‖x‖².
func norm2(x []float64) float64 { return Dot(x, x) }

// norm returns ‖x‖, even where squares over- or underflow.
func norm(x []float64) float64 {
	square := norm2(x)
	if 0x1p-900 < square && square < 0x1p900 {
		return math.Sqrt(square)
	}
	unit := slices.Clone(x)
	scale := toUnit(unit)
	return math.Sqrt(norm2(unit)) / scale
}

// norm1 returns ‖x‖₁.
func norm1(x []float64) (s float64) {
	for _, v := range x {
		s += math.Abs(v)
	}
	return s
}

// total returns the sum of x.
func total(x []float64) (s float64) {
	for _, v := range x {
		s += v
	}
	return s
}

// rounding returns a bound on the rounding error of the sum of x.
func rounding(x []float64) float64 { return float64(len(x)) * machineEps * norm1(x) }

// pick returns the entries of v with the given indices, or nil if v is nil.
func pick[T any](v []T, index []int) []T {
	if v == nil {
		return nil
	}
	p := make([]T, len(index))
	for k, i := range index {
		p[k] = v[i]
	}
	return p
}

// scatter undoes pick: x[index[k]] = v[k].
func scatter(x []float64, index []int, v []float64) {
	for k, i := range index {
		x[i] = v[k]
	}
}

// upTo returns 0, 1, …, n−1.
func upTo[T int | int32](n int) []T {
	all := make([]T, n)
	for i := range all {
		all[i] = T(i)
	}
	return all
}

// constant returns the vector of n entries v.
func constant(n int, v float64) []float64 { return slices.Repeat([]float64{v}, n) }

// times returns the vector of the products vⱼwⱼ.
func times(v, w []float64) []float64 {
	p := make([]float64, len(v))
	for j, x := range v {
		p[j] = x * w[j]
	}
	return p
}

// largest returns ‖x‖∞, or NaN if an entry is NaN.
func largest(x []float64) (big float64) {
	for _, v := range x {
		if a := math.Abs(v); a > big || a != a {
			big = a
		}
	}
	return big
}

// axpy adds a·x to dst.
func axpy(dst []float64, a float64, x []float64) {
	x = x[:len(dst)]
	for len(dst) >= 4 && len(x) >= 4 {
		dst[0] += a * x[0]
		dst[1] += a * x[1]
		dst[2] += a * x[2]
		dst[3] += a * x[3]
		dst, x = dst[4:], x[4:]
	}
	for i, v := range x {
		dst[i] += a * v
	}
}

// axpyExact adds a·x to dst + lost, with about twice the digits of dst: lost collects what rounding takes from it.
func axpyExact(dst, lost []float64, a float64, x []float64) {
	x, lost = x[:len(dst)], lost[:len(dst)]
	for i, v := range x {
		s, e := addExact(dst[i], a, v)
		dst[i], lost[i] = s, lost[i]+e
	}
}

// addExact returns d + ab, rounded, and what rounding loses: the errors of the product and of the sum, added. Each of
// these is a float64 itself [Dekker; Knuth].
func addExact(d, a, b float64) (sum, lost float64) {
	p := float64(a * b) // the conversion rounds; without it the compiler may fuse the product with a later addition
	sum = d + p
	t := sum - d
	return sum, (d - (sum - t)) + (p - t) + math.FMA(a, b, -p)
}

// axpy4 adds a₀x₀, a₁x₁, a₂x₂ and a₃x₃ to dst, in this order: it is four calls of axpy in one pass.
func axpy4(dst []float64, a0 float64, x0 []float64, a1 float64, x1 []float64,
	a2 float64, x2 []float64, a3 float64, x3 []float64) {
	n := len(dst)
	x0, x1, x2, x3 = x0[:n], x1[:n], x2[:n], x3[:n]
	for i, d := range dst {
		dst[i] = d + a0*x0[i] + a1*x1[i] + a2*x2[i] + a3*x3[i]
	}
}

// rotate replaces (x, y) by (c·x + s·y, c·y − s·x), as in (L3).
func rotate(x, y []float64, c, s float64) {
	y = y[:len(x)]
	for i, u := range x {
		v := y[i]
		x[i], y[i] = c*u+s*v, c*v-s*u
	}
}

// divide divides x by a. (Multiplying by 1/a would be faster and would round twice.)
func divide(x []float64, a float64) {
	for i := range x {
		x[i] /= a
	}
}

// finite reports whether v is neither infinite nor NaN. It does not test v − v == 0, as nonFinite does: where v is a
// product, the compiler may fuse it with the subtraction, and v − v is then the rounding error of v.
func finite(v float64) bool { return math.Abs(v) <= math.MaxFloat64 }

// nonFinite returns the index of the first entry v that is infinite or NaN (only for these is v − v not 0), or -1.
func nonFinite(x []float64) int {
	var s0, s1, s2, s3 float64
	i := 0
	for ; i+4 <= len(x); i += 4 {
		v := x[i : i+4 : i+4]
		s0 += v[0] - v[0]
		s1 += v[1] - v[1]
		s2 += v[2] - v[2]
		s3 += v[3] - v[3]
	}
	if s0+s1+s2+s3 != 0 {
		i = 0
	}
	for ; i < len(x); i++ {
		if x[i]-x[i] != 0 {
			return i
		}
	}
	return -1
}

// Cholesky returns the lower triangular l with positive diagonal such that a = l lᵀ. It reads only the lower half of a,
// diagonal included. The error is ErrNotPositiveDefinite, wrapped with the first pivot (L1) that is not positive, or
// ErrNotFinite. The cost is n³/6 multiply-adds.
func Cholesky(a *Matrix) (l *Matrix, err error) {
	l, err = a.lowerHalf("Cholesky")
	if err != nil {
		return nil, err
	}
	u := l.T()
	t := u.upper()
	if k := t.factor(); k >= 0 {
		return nil, fmt.Errorf("svm: Cholesky: pivot %d is %v: %w", k, t[k][0], ErrNotPositiveDefinite)
	}
	return u.T(), nil
}

// A triangle is an upper triangular n × n matrix by rows: t[i] holds the entries i, i+1, …, n−1 of row i.
type triangle [][]float64

// upper returns the upper half of m, as a view.
func (m *Matrix) upper() triangle {
	t := make(triangle, m.Rows)
	for i := range t {
		t[i] = m.Row(i)[i:]
	}
	return t
}

// newTriangle returns the n × n triangle of zeros.
func newTriangle(n int) triangle { return cutTriangle(n, make([]float64, n*(n+1)/2)) }

// cutTriangle returns the n × n triangle whose rows lie in slab, one after the other.
func cutTriangle(n int, slab []float64) triangle {
	t := make(triangle, n)
	for i := range t {
		t[i], slab = slab[:n-i:n-i], slab[n-i:]
	}
	return t
}

// factor replaces the upper half of A by U, where A = UᵀU, and returns −1. If a pivot is not a positive finite number, it
// stops at the first and returns its index k; t[k][0] is then that pivot, and the rows before k are those of U.
func (t triangle) factor() int { return t.factorBy(new(team)) }

// factorBy is factor with the work shared out to a team. No bit of the result depends on the team.
func (t triangle) factorBy(team *team) int {
	n := len(t)
	for from := 0; from < n; from += panelRows {
		to := min(from+panelRows, n)
		for i := from; i < to; i++ {
			t.subtract(i, from, i)
			pivot := t[i][0]
			if !(0 < pivot && pivot <= math.MaxFloat64) {
				return i
			}
			t[i][0] = math.Sqrt(pivot) // (L2)
			divide(t[i][1:], t[i][0])
		}
		team.do((n-to)/2, func(k int) { t.subtractPair(to+2*k, from, to) })
		if (n-to)%2 != 0 {
			t.subtract(n-1, from, to)
		}
	}
	return -1
}

// subtract subtracts from row i the terms of (L1) with from ≤ p < to.
func (t triangle) subtract(i, from, to int) {
	p, dst := from, t[i]
	for ; p+4 <= to; p += 4 {
		x0, x1, x2, x3 := t[p][i-p:], t[p+1][i-p-1:], t[p+2][i-p-2:], t[p+3][i-p-3:]
		axpy4(dst, -x0[0], x0, -x1[0], x1, -x2[0], x2, -x3[0], x3)
	}
	for ; p < to; p++ {
		x := t[p][i-p:]
		axpy(dst, -x[0], x)
	}
}

// subtractPair is subtract for the rows i and i+1 in one pass, if the number of terms is a multiple of 4.
func (t triangle) subtractPair(i, from, to int) {
	y, z := t[i], t[i+1]
	for p := from; p < to; p += 4 {
		x0, x1, x2, x3 := t[p][i-p:], t[p+1][i-p-1:], t[p+2][i-p-2:], t[p+3][i-p-3:]
		a0, a1, a2, a3 := -x0[0], -x1[0], -x2[0], -x3[0]
		b0, b1, b2, b3 := -x0[1], -x1[1], -x2[1], -x3[1]
		y[0] = y[0] + a0*x0[0] + a1*x1[0] + a2*x2[0] + a3*x3[0]
		n := len(z)
		x0, x1, x2, x3 = x0[1:][:n], x1[1:][:n], x2[1:][:n], x3[1:][:n]
		w := y[1:][:n]
		for j, v := range z {
			u0, u1, u2, u3 := x0[j], x1[j], x2[j], x3[j]
			w[j] = w[j] + a0*u0 + a1*u1 + a2*u2 + a3*u3
			z[j] = v + b0*u0 + b1*u1 + b2*u2 + b3*u3
		}
	}
}

// solve replaces b by A⁻¹b, t being the factor U of A.
func (t triangle) solve(b []float64) {
	t.solveT(b)
	t.solveU(b)
}

// solveT replaces b by U⁻ᵀb. If t is [U B], the top of a triangle, it replaces (b₁, b₂) by (U⁻ᵀb₁, b₂ − BᵀU⁻ᵀb₁).
func (t triangle) solveT(b []float64) {
	for i, row := range t {
		b[i] /= row[0]
		axpy(b[i+1:], -b[i], row[1:])
	}
}

// solveU replaces b by U⁻¹b. If t is [U B], it replaces (b₁, b₂) by (U⁻¹(b₁ − Bb₂), b₂).
func (t triangle) solveU(b []float64) {
	for i := len(t) - 1; i >= 0; i-- {
		b[i] = (b[i] - Dot(t[i][1:], b[i+1:])) / t[i][0]
	}
}

// least estimates the least eigenvalue of D^−½AD^−½, D being the diagonal of A and t the factor of A, by inverse
// iteration: x ← D^½A⁻¹D^½x divides the part of x along each eigenvector by its eigenvalue, so the part with the least
// eigenvalue grows most. The estimate is never too low [no x grows by more than the inverse of that eigenvalue].
func (t triangle) least(diag []float64) float64 {
	root, x, size := make([]float64, len(t)), make([]float64, len(t)), 1.0
	for i, d := range diag {
		root[i], x[i] = math.Sqrt(d), math.Sin(float64(i+1)) // a part along every eigenvector
	}
	for range 3 {
		divide(x, norm(x))
		x = times(x, root)
		t.solve(x)
		x = times(x, root)
		size = norm(x)
	}
	return 1 / size
}

// addGram adds Σₖ wₖ rowₖᵀrowₖ to the leading block of t. Each pass over t adds a panel of rows, four at a time.
func (t triangle) addGram(w []float64, rows [][]float64) {
	w, rows = slices.Clip(w), slices.Clip(rows) // so that append does not write to the caller's arrays
	for len(rows)%4 != 0 {
		w, rows = append(w, 0), append(rows, rows[0])
	}
	for from := 0; from < len(rows); from += panelRows {
		for j := range rows[0] {
			dst := t[j][:len(rows[0])-j]
			for k := from; k < min(from+panelRows, len(rows)); k += 4 {
				x0, x1, x2, x3 := rows[k][j:], rows[k+1][j:], rows[k+2][j:], rows[k+3][j:]
				if x0[0] != 0 || x1[0] != 0 || x2[0] != 0 || x3[0] != 0 {
					axpy4(dst, w[k]*x0[0], x0, w[k+1]*x1[0], x1, w[k+2]*x2[0], x2, w[k+3]*x3[0], x3)
				}
			}
		}
	}
}

// drop turns t, the factor of A, into the factor of A without its row and column k, and returns it. It costs (n−k)²/2
// rotated pairs of entries, and moves k(n−k) others.
func (t triangle) drop(k int) triangle {
	n := len(t)
	for i, row := range t[:k] {
		t[i] = slices.Delete(row, k-i, k-i+1)
	}
	for i := k; i < n-1; i++ {
		x, y := t[i][1:], t[i+1] // both begin in column i, now that column k is gone
		rho := math.Hypot(x[0], y[0])
		c, s := x[0]/rho, y[0]/rho // (L3); ρ > 0, for y[0] is a diagonal entry of the old factor
		x[0] = rho
		rotate(x[1:], y[1:], c, s)
		t[i] = x
	}
	return t[:n-1]
}

// SymEigen returns the eigenvalues of the symmetric a in ascending order, and the matrix v whose columns are the
// corresponding orthonormal eigenvectors: a = v diag(values) vᵀ up to a small multiple of ε‖a‖. It reads only the lower
// half of a, diagonal included. It panics if that half holds an infinity or a NaN. The cost is 4n³ to 6n³ multiply-adds.
func SymEigen(a *Matrix) (values []float64, v *Matrix) {
	z, err := a.lowerHalf("SymEigen")
	if err != nil {
		panic(err.Error())
	}
	n := z.Rows
	scale := toUnit(z.Data)
	d, e := tridiagonalise(z)
	if !implicitQL(d, e, z, sweepBudget*n) {
		panic("svm: SymEigen: no convergence")
	}
	values, v = make([]float64, n), NewMatrix(n, n)
	for j, k := range ascending(d) {
		values[j] = d[k] / scale
		v.setCol(j, z.Row(k), norm(z.Row(k)))
	}
	return values, v
}

// toUnit multiplies x by the power of two, from 2⁻¹⁰⁰⁰ to 2¹⁰⁰⁰, that brings max|xᵢ| into [1, 2) or nearest to it, and
// returns that power.
func toUnit(x []float64) float64 {
	big := largest(x)
	if big == 0 {
		return 1
	}
	scale := math.Ldexp(1, max(-1000, min(-math.Ilogb(big), 1000)))
	for i := range x {
		x[i] *= scale
	}
	return scale
}

// ascending returns the indices of x in ascending order of its entries.
func ascending(x []float64) []int {
	order := upTo[int](len(x))
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(x[i], x[j]) })
	return order
}

// setCol sets column j of m to x/norm.
func (m *Matrix) setCol(j int, x []float64, norm float64) {
	for i, v := range x {
		m.Data[i*m.Cols+j] = v / norm
	}
}

// tridiagonalise reduces the symmetric matrix whose lower half is z to T = QᵀAQ, replaces z by Qᵀ, and returns the
// diagonal of T and its subdiagonal, e[i] = T[i+1][i].
func tridiagonalise(z *Matrix) (d, e []float64) {
	n := z.Rows
	d, e = make([]float64, n), make([]float64, n)
	h, p := make([]float64, n), make([]float64, n)
	for i := n - 1; i > 0; i-- {
		x, l := z.Row(i)[:i], i-1
		e[l] = x[l]
		rest := norm2(x[:l])
		if rest < negligible*negligible {
			continue // H = I, h = 0
		}
		g := -math.Copysign(math.Sqrt(rest+x[l]*x[l]), x[l])
		h[i] = g * (g - x[l]) // (L4)
		e[l] = g
		x[l] -= g // x is v from here on
		conjugate(z, x, h[i], p[:i])
	}
	for i := range n { // the leading i × i block of z is orthogonal; to its right there are zeros
		zi := z.Row(i)
		d[i] = zi[i]
		if h[i] != 0 {
			for j := range i {
				zj := z.Row(j)[:i]
				axpy(zj, -Dot(zj, zi[:i])/h[i], zi[:i])
			}
		}
		clear(zi)
		zi[i] = 1
	}
	return d, e
}

// conjugate replaces A, the lower half of the leading block of z, by HAH (L5); v and h define H, p is scratch.
func conjugate(z *Matrix, v []float64, h float64, p []float64) {
	for j := range p { // p = Av: row j of the lower half is also column j of the upper
		zj := z.Row(j)[:j+1]
		p[j] = Dot(zj, v[:j+1])
		axpy(p[:j], v[j], zj[:j])
	}
	half := Dot(p, v) / (2 * h)
	for j := range p {
		p[j] = (p[j] - half*v[j]) / h // q
	}
	for j := range p {
		zj := z.Row(j)[:j+1]
		axpy(zj, -v[j], p[:j+1])
		axpy(zj, -p[j], v[:j+1])
	}
}

// implicitQL turns d, the diagonal of T, into the eigenvalues by QL sweeps, and applies their rotations to the rows of z
// too. It reports whether the budget of sweeps sufficed.
func implicitQL(d, e []float64, z *Matrix, budget int) bool {
	n := len(d)
	for l := range n {
		for {
			m := l // rows l … m are the first block that no negligible e[i] splits
			for m < n-1 && math.Abs(e[m]) > machineEps*(math.Abs(d[m])+math.Abs(d[m+1]))+negligible {
				m++
			}
			if m == l {
				break
			}
			if budget == 0 {
				return false
			}
			budget--
			sweepQL(d, e, z, l, m)
		}
	}
	return true
}

// sweepQL does one implicitly shifted QL sweep on the rows l … m of T.
func sweepQL(d, e []float64, z *Matrix, l, m int) {
	gamma := (d[l+1] - d[l]) / (2 * e[l])
	sigma := d[l] - e[l]/(gamma+math.Copysign(math.Sqrt(gamma*gamma+1), gamma)) // (L6)
	c, s, p := 1.0, 1.0, 0.0                                                    // p is the sq that dᵢ₊₁ has yet to lose
	g := d[m] - sigma
	for i := m - 1; i >= l; i-- {
		f, b := s*e[i], c*e[i]
		r := math.Sqrt(f*f + g*g)
		e[i+1] = r
		if r < negligible { // the block splits here
			d[i+1] -= p
			e[i], e[m] = b, 0
			return
		}
		c, s = g/r, f/r
		rotate(z.Row(i+1), z.Row(i), c, s)
		d[i+1] -= p // (L7)
		q := s*(d[i]-d[i+1]) + 2*c*b
		p = s * q
		d[i+1] += p
		g = c*q - b
	}
	d[l] -= p
	e[l] = g
	e[m] = 0
}

// SVD returns the thin singular value decomposition x = u diag(s) vᵀ of an m × n matrix: with k = min(m, n), u is m × k
// and v is n × k with orthonormal columns (even where s vanishes), and s ≥ 0 descends. Singular values of about 2⁻⁴⁸⁰
// times the largest entry or less may be returned as 0. It panics when x holds an infinity or a NaN. The cost is some ten
// sweeps of up to k²(m + n)/2 rotated pairs of entries: Jacobi's method is accurate, not quick.
func SVD(x *Matrix) (u *Matrix, s []float64, v *Matrix) {
	x.whole("SVD")
	if err := x.finite("SVD"); err != nil {
		panic(err.Error())
	}
	if x.Rows < x.Cols {
		v, s, u = SVD(x.T())
		return u, s, v
	}
	m, n := x.Rows, x.Cols
	w := x.T()
	scale := toUnit(w.Data)
	rows := make([][]float64, n) // [wⱼ | vⱼ], at first [xⱼ | eⱼ]
	for j := range rows {
		rows[j] = make([]float64, m+n)
		copy(rows[j], w.Row(j))
		rows[j][m+j] = 1
	}
	norms, ok := orthogonalise(rows, m)
	if !ok {
		panic("svm: SVD: no convergence")
	}
	u, s, v = NewMatrix(m, n), make([]float64, n), NewMatrix(n, n)
	lengths, ones := make([]float64, n), make([]float64, n) // ‖wⱼ‖/‖vⱼ‖, and ‖vⱼ‖, which is 1 but for rounding
	for k, row := range rows {
		ones[k] = norm(row[m:])
		lengths[k] = math.Sqrt(norms[k]) / ones[k]
	}
	order := ascending(lengths)
	slices.Reverse(order)
	for j, k := range order {
		if lengths[k] < negligible {
			u.setCol(j, u.orthogonal(), 1) // columns j, j+1, … are still zero
		} else {
			u.setCol(j, rows[k][:m], math.Sqrt(norms[k]))
			s[j] = lengths[k] / scale
		}
		v.setCol(j, rows[k][m:], ones[k])
	}
	return u, s, v
}

// orthogonalise does Jacobi sweeps over the rows until their first m entries are pairwise orthogonal, rotating and
// exchanging whole rows. It returns the squared norms of those entries, and whether the budget of sweeps sufficed.
func orthogonalise(rows [][]float64, m int) (norms []float64, ok bool) {
	norms = make([]float64, len(rows))
	tol := machineEps * math.Sqrt(float64(m)) // the rounding error of a cosine
	for sweep := 0; !ok && sweep < sweepBudget+len(rows); sweep++ {
		for j, r := range rows {
			norms[j] = norm2(r[:m])
		}
		ok = true
		for p := range rows {
			longest := p
			for q := p + 1; q < len(rows); q++ {
				if norms[q] > norms[longest] {
					longest = q
				}
			}
			rows[p], rows[longest] = rows[longest], rows[p]
			norms[p], norms[longest] = norms[longest], norms[p]
			for q := p + 1; q < len(rows); q++ {
				if c, s := jacobi(norms[p], norms[q], Dot(rows[p][:m], rows[q][:m]), tol); s != 0 {
					ok = false
					rotate(rows[p], rows[q], c, -s)
					norms[p], norms[q] = norm2(rows[p][:m]), norm2(rows[q][:m])
				}
			}
		}
	}
	return norms, ok
}

// jacobi returns the rotation (L8) for two vectors with squared norms alpha and beta and inner product gamma; s = 0 when
// their cosine is at most tol or one of them is negligible.
func jacobi(alpha, beta, gamma, tol float64) (c, s float64) {
	if min(alpha, beta) < negligible*negligible || math.Abs(gamma) <= tol*math.Sqrt(alpha)*math.Sqrt(beta) {
		return 1, 0
	}
	zeta := (beta - alpha) / (2 * gamma)
	t := 1 / (zeta + math.Copysign(math.Hypot(1, zeta), zeta))
	c = 1 / math.Sqrt(1+t*t)
	return c, c * t
}

// orthogonal returns a unit vector orthogonal to the columns of m, which are orthonormal or zero and do not span the
// space: the axis farthest from their span, minus its projection. The squared lengths of the projections of all axes sum
// to the dimension of the span, at most m.Rows − 1, so the difference is at least 1/√m.Rows long. What rounding leaves of
// the projection is therefore small, and a second pass removes it.
func (m *Matrix) orthogonal() []float64 {
	axis, least := 0, math.Inf(1)
	for i := range m.Rows {
		if projection := norm2(m.Row(i)); projection < least {
			axis, least = i, projection
		}
	}
	x, projection, c := make([]float64, m.Rows), make([]float64, m.Rows), make([]float64, m.Cols)
	x[axis] = 1
	for range 2 {
		m.MulVecT(c, x)
		m.MulVec(projection, c)
		axpy(x, -1, projection)
	}
	divide(x, norm(x))
	return x
}

// Saddle systems.
//
// Let A be positive semidefinite, D ≥ 0 a diagonal matrix with entries d, and G a matrix with rows gᵀ. The system is
//
//	Ax + Gᵀz = r₁,  Gx − Dz = r₂                                 (L9)
//
// A row gᵀx − dz = r with d ≥ 1/(2ω) is soft: z = (gᵀx − r)/d is eliminated, which adds ggᵀ/d to A. For smaller d that
// matrix would drown A. Such a row is firm: it stays, and ωg times it is added to the first equation [A may be singular,
// A + ωggᵀ less so]. Let F be the firm rows, w = ω for these and 1/d for the soft, y = (1 − ωd)z for F [1 − ωd > ½]. Then
//
//	Nx + Fᵀy = r₁ + Gᵀ(w∘r₂),  Fx − d/(1 − ωd) y = r₂,  N = A + Gᵀ diag(w) G  (L10)
//
// With N = UᵀU and B = U⁻ᵀFᵀ the second becomes −Ey = r₂ − BᵀU⁻ᵀ(right-hand side of the first), E = BᵀB + d/(1 − ωd) =
// CᵀC: [U B] on top of C is one triangle, and (L10) takes one pass down it and one up. Rows ±eⱼ are always soft [they
// change only the diagonal]. With f firm rows the cost is n³/6 + (rows)·n²/2 + fn²/2 + f²n/2 + f³/6 multiply-adds.
//
// The solution is the same for every ω. A larger ω leaves fewer rows firm, but may cost digits: N has rounding errors of
// about ε times its diagonal, which grows with the weights. Where the soft rows leave x free, these errors drown A; where
// soft rows are nearly parallel, the errors drown what tells them apart. But if the soft rows determine x, all of N grows
// with their weights, its pivots too, and nothing is lost. So if more than 3n inequalities are firm, an ω is tried first
// that leaves 3n of them firm, those with the largest weights. It is kept if every pivot of N retains half of its digits
// [a pivot is the least of some xᵀNx (L2), and has the rounding error of its diagonal entry].
//
// Adding δ > 0 to the diagonals of A and D makes N and E positive definite, even if A is singular or rows with d = 0 are
// dependent. With M the matrix of (L9) and Z = diag(I, −I), the matrix factored is M + δZ. Residuals are those of M, and
// correcting an error e by its residual leaves
//
//	e − (M + δZ)⁻¹Me = δ(ZM + δI)⁻¹e                             [M + δZ = Z(ZM + δI), Z² = I]
//
// Along an eigenvector of ZM with eigenvalue μ, e is multiplied by δ/(μ + δ): it shrinks unless μ = 0 [Re μ ≥ 0, for
// Re v*ZMv = v₁*Av₁ + v₂*Dv₂].

// A form is a linear form gᵀx, given by row = gᵀ or, where row is nil, equal to sign·xⱼ.
type form struct {
	row  []float64
	j    int
	sign float64
}

// of returns gᵀx.
func (g *form) of(x []float64) float64 {
	if g.row == nil {
		return g.sign * x[g.j]
	}
	return Dot(g.row, x)
}

// add adds z·g to dst.
func (g *form) add(dst []float64, z float64) {
	if g.row == nil {
		dst[g.j] += z * g.sign
	} else {
		axpy(dst, z, g.row)
	}
}

// A saddle is the matrix of (L9) and its factors (L10).
type saddle struct {
	a *Matrix
	g []form
	d []float64

	delta  float64
	omega  float64
	weight []float64 // w
	firm   []int
	t      triangle // [U B] on top of C
}

const (
	saddleDelta = machineEps // δ is at first (order of M + 10) times this: no more than rounding does to A and D
	saddleOmega = 1e2        // the least ω: makes N large along the firm rows, and costs two digits
	saddleFirm  = 3          // with more firm inequalities per unknown a larger ω is tried; up to that, C is small
	saddleShare = 0x1p-26    // √ε: a larger ω is kept if every pivot of N is at least this share of its diagonal entry
	saddleSlow  = 0.9        // a correction that leaves more than this share of the residual is the last
)

// subtract subtracts Ax + Gᵀz from e1 and Gx − Dz from e2. Zeros in x cost nothing in Ax.
func (k *saddle) subtract(e1, e2, x, z []float64) {
	for j, v := range x {
		if v != 0 {
			axpy(e1, -v, k.a.Row(j))
		}
	}
	for i := range k.g {
		g := &k.g[i]
		if z[i] != 0 {
			g.add(e1, -z[i])
		}
		e2[i] -= g.of(x) - k.d[i]*z[i]
	}
}

// factor computes the factors, with a larger δ if rounding makes N or E indefinite. It reports whether it succeeded.
func (k *saddle) factor() bool {
	k.weight = make([]float64, len(k.g))
	for k.delta = saddleDelta * float64(k.a.Rows+len(k.g)+10); k.delta < 1; k.delta *= 100 {
		if omega := k.loose(); omega > saddleOmega && k.attempt(omega, saddleShare) || k.attempt(saddleOmega, 0) {
			return true
		}
	}
	return false
}

// loose returns an ω that leaves saddleFirm inequalities firm for every unknown, or 0 if there are no more than that.
// Equations are not counted [their weight is 1/δ, whatever they say], except those that yield (d > 0).
func (k *saddle) loose() float64 {
	var weights []float64
	for i, g := range k.g {
		if g.row != nil && k.d[i] > 0 {
			weights = append(weights, 1/(k.d[i]+k.delta))
		}
	}
	if soft := len(weights) - saddleFirm*k.a.Rows; soft > 0 {
		slices.Sort(weights)
		return weights[soft-1] / 2
	}
	return 0
}

// attempt is factor with the present δ and the given ω. It reports whether N and E, as rounded, are positive definite,
// and whether every pivot of N is at least ratio times its diagonal entry.
func (k *saddle) attempt(omega, ratio float64) bool {
	n := k.a.Rows
	diagonal := constant(n, k.delta)
	var rows [][]float64
	var weights []float64
	k.omega, k.firm = omega, nil
	for i, g := range k.g {
		k.weight[i] = 1 / (k.d[i] + k.delta)
		if g.row == nil {
			diagonal[g.j] += k.weight[i]
			continue
		}
		if k.weight[i] > 2*omega {
			k.weight[i] = omega
			k.firm = append(k.firm, i)
		}
		rows, weights = append(rows, g.row), append(weights, k.weight[i])
	}
	k.t = newTriangle(n + len(k.firm))
	top := k.t[:n] // [N Fᵀ], which factor turns into [U B]
	for j, row := range top {
		copy(row, k.a.Row(j)[j:])
		row[0] += diagonal[j]
		for b, i := range k.firm {
			row[n-j+b] = k.g[i].row[j]
		}
	}
	top.addGram(weights, rows)
	for j, row := range top {
		diagonal[j] = row[0]
	}
	ok := top.factor() < 0
	for j, row := range top {
		ok = ok && row[0]*row[0] >= ratio*diagonal[j]
	}
	return ok && k.border()
}

// border computes C from B. It reports whether E, as rounded, is positive definite.
func (k *saddle) border() bool {
	n := k.a.Rows
	corner, b := k.t[n:], make([][]float64, n)
	for j := range b {
		b[j] = k.t[j][n-j:]
	}
	for a, i := range k.firm {
		corner[a][0] = (k.d[i] + k.delta) * k.stretch(i)
	}
	corner.addGram(constant(n, 1), b)
	return corner.factor() < 0
}

// stretch returns z/y for a firm row.
func (k *saddle) stretch(i int) float64 { return 1 / (1 - k.omega*(k.d[i]+k.delta)) }

// apply replaces the right-hand sides, r₁ in x and r₂ in z, by the solution x and z of (L10).
func (k *saddle) apply(x, z []float64) {
	n := len(x)
	b := slices.Concat(x, pick(z, k.firm))
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

// solve adds corrections to (x, z) until the residual of (L9) is at most enough, or ε² of what it was at first, or the
// last correction has left more than saddleSlow of it.
func (k *saddle) solve(r1, r2, x, z []float64, enough float64) {
	for last := math.Inf(1); ; {
		e1, e2 := slices.Clone(r1), slices.Clone(r2)
		k.subtract(e1, e2, x, z)
		size := max(largest(e1), largest(e2))
		if !(size < saddleSlow*last) || size <= enough {
			return
		}
		if math.IsInf(last, 1) {
			enough = max(enough, machineEps*machineEps*size)
		}
		last = size
		k.apply(e1, e2)
		axpy(x, 1, e1)
		axpy(z, 1, e2)
	}
}

// parallel calls f(0), …, f(n−1), each once, on min(workers, n) goroutines, where workers ≤ 0 means GOMAXPROCS. With one
// goroutine the calls are made inline, in ascending order. It returns when all calls have returned. If f panics, no
// further indices are taken, and the panic is raised again in the caller.
func parallel(workers, n int, f func(i int)) {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	workers = min(workers, n)
	if workers <= 1 {
		for i := range n {
			f(i)
		}
		return
	}
	l := &loop{f: f, n: int64(n)}
	var others sync.WaitGroup
	others.Add(workers - 1)
	for range workers - 1 {
		go func() {
			defer others.Done()
			l.help()
		}()
	}
	l.lead()
	others.Wait()
	if r := l.raised.Load(); r != nil {
		panic(*r)
	}
}

// A loop is the calls f(0), …, f(n−1), made by all goroutines that work on it. The leader takes indices from the front,
// the others from the back: in the next loop over the same data, most of what a processor needs is still in its cache.
type loop struct {
	f      func(i int)
	n      int64
	taken  atomic.Int64        // the number of indices taken, or more than n when none is left
	back   atomic.Int64        // how many of them were taken from the back
	raised atomic.Pointer[any] // what f panicked with, if it did
}

// lead works on the loop from the front.
func (l *loop) lead() {
	next := int64(-1)
	l.work(func() int64 { next++; return next })
}

// help works on the loop from the back.
func (l *loop) help() { l.work(func() int64 { return l.n - l.back.Add(1) }) }

// work calls f for the indices that next returns, until none is left. After a panic of f none is left, nor after a call
// of runtime.Goexit, such as testing.T.FailNow makes.
func (l *loop) work(next func() int64) {
	done := false
	defer func() {
		if !done {
			r := cmp.Or(recover(), any("svm: runtime.Goexit in a function called by many"))
			l.raised.Store(&r)
			l.taken.Store(l.n)
		}
	}()
	for l.taken.Add(1) <= l.n {
		l.f(int(next()))
	}
	done = true
}

// A team has goroutines, its members, that wait for short loops. Starting a goroutine and waking a processor takes ten
// microseconds or more, perhaps as long as a loop, so members spin for some tenths of a millisecond before they sleep.
//
// The gate holds the number of the open loop, or 0. A member adds 1 to inside and reads the gate again before it works;
// the leader sets the gate to 0 and waits until inside is 0. So f and n change only while no member works.
type team struct {
	loop
	gate   atomic.Int64
	inside atomic.Int64
	loops  int64 // loops so far

	members int
	asleep  atomic.Int64
	wake    chan bool // false ends a member
}

// teamSpins is how often a member reads the gate before it sleeps.
const teamSpins = 200_000

// newTeam starts a team of so many workers (counted as in parallel, but at most one for each processor). The caller is
// one of them, the leader; the members are the others. The caller must call stop in the end.
func newTeam(workers int) *team {
	procs := runtime.GOMAXPROCS(0)
	if workers <= 0 || workers > procs {
		workers = procs
	}
	t := &team{members: workers - 1, wake: make(chan bool, workers)}
	for range t.members {
		go t.serve()
	}
	return t
}

// do calls f(0), …, f(n−1) as parallel does. Only the leader may call it, and f may not.
func (t *team) do(n int, f func(i int)) {
	if t.members == 0 || n <= 1 {
		parallel(1, n, f)
		return
	}
	t.loops++
	t.f, t.n = f, int64(n)
	t.taken.Store(0)
	t.back.Store(0)
	t.raised.Store(nil)
	t.gate.Store(t.loops)
	for range min(t.asleep.Load(), int64(n-1)) {
		select {
		case t.wake <- true:
		default:
		}
	}
	t.lead()
	t.gate.Store(0)
	for t.inside.Load() != 0 {
		runtime.Gosched()
	}
	if r := t.raised.Load(); r != nil {
		panic(*r)
	}
}

// serve is what a member runs: it works on loop after loop, on each at most once.
func (t *team) serve() {
	last := int64(0)
	closed := func() bool { g := t.gate.Load(); return g == 0 || g == last }
	for {
		for spins := 0; closed() && spins < teamSpins; spins++ {
			if spins%256 == 255 {
				runtime.Gosched()
			}
		}
		if closed() {
			t.asleep.Add(1)
			// A leader that opens the gate from here on sees that a member is asleep.
			ok := !closed() || <-t.wake
			t.asleep.Add(-1)
			if !ok {
				return
			}
			continue
		}
		last = t.enter(last)
	}
}

// enter works on the open loop, unless there is none or it is number last, and returns the number of the last loop now.
func (t *team) enter(last int64) int64 {
	t.inside.Add(1)
	defer t.inside.Add(-1)
	if g := t.gate.Load(); g != 0 && g != last {
		t.help()
		return g
	}
	return last
}

// stop ends the members.
func (t *team) stop() {
	for range t.members {
		t.wake <- false
	}
}
