// Copyright 2026 The svm authors. All rights reserved.
// Use of this source code is governed by the MIT
// license that can be found in the LICENSE file.

// Dense linear algebra: what the other chapters need of it.
//
// Part I is a course in four sections: matrices and the three loops that do the arithmetic; the
// Cholesky factor, which solves Ax = b; the eigenvalues of a symmetric matrix; the singular values
// of any matrix. Part II has what makes the solvers of qp.go and smo.go robust and fast: systems
// with constraints, and loops that run on several cores. No word of machine learning is needed
// here. A first reader may begin with another chapter and come back.
//
//	symbol    meaning                                            Go
//	A         symmetric, n × n; only its lower half is read      a
//	U, L      upper triangular, uᵢᵢ > 0, A = UᵀU; L = Uᵀ         triangle: t[i][j-i] is uᵢⱼ
//	c, s      cosine and sine of a rotation                      c, s
//	v, h, H   vector, ½‖v‖² and matrix of a reflection           x, h
//	T         tridiagonal, T = QᵀAQ, Q orthogonal              d, e: its diagonal, its subdiagonal
//	σ         the shift of a QL sweep                            sigma
//	X = PSVᵀ  any m × n matrix, m ≥ n, and its factors           x, u, s, v
//	W         XV, whose columns become orthogonal                the first m entries of each row
//	G, D      rows gᵀ and diagonal matrix of (L9)                saddle.g, d
//	w, δ      weights of the rows in (L10), regularization       saddle.weight, delta
//	ω         the largest weight of a row in (L10)               saddle.omega
//	ε         2⁻⁵²                                               machineEps
//
// All algorithms go by rows, because entries of a row lie side by side in memory: what a textbook
// does to columns is done here to the rows of the transpose.
//
// References. Parlett, The Symmetric Eigenvalue Problem (why QL converges: the best chapter there
// is). Wilkinson and Reinsch, Linear Algebra (tred2 and imtql2, the models here). Gill, Golub,
// Murray and Saunders, Methods for modifying matrix factorizations (1974). Demmel and Veselić,
// Jacobi's method is more accurate than QR (1992).

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

// Errors that any chapter may return, wrapped with the circumstances: which pivot, which entry, how
// far from converged.
var (
	ErrNotPositiveDefinite = errors.New("matrix is not positive definite")
	ErrNotFinite           = errors.New("value is not finite")
	ErrNotConverged        = errors.New("no convergence")
)

const (
	machineEps = 0x1p-52 // distance from 1 to the next float64

	// Counts as zero beside 1. Its square times ε is still a normal number.
	negligible = 0x1p-480

	// Rows whose products are added to a triangle in one pass; a multiple of 4.
	panelRows = 32

	// QL sweeps allowed per eigenvalue, on average; Jacobi sweeps, besides one for each row.
	sweepBudget = 60
)

// Part I. Matrices, factors, eigenvalues
//
// # Matrices
//
// A matrix is one slice of numbers, row after row. A row is a view into the slice, so code that
// goes by rows needs no copies and no index arithmetic, and reads memory in order. Operands of the
// wrong size are mistakes of the program, not of its data: the functions of this file panic, and
// say which sizes they met. A number that is not finite may come from data, so it is reported with
// its place.

// A Matrix is dense and row-major: entry (i, j) is Data[i*Cols+j].
type Matrix struct {
	Rows, Cols int
	Data       []float64
}

// NewMatrix returns the rows × cols matrix of zeros.
func NewMatrix(rows, cols int) *Matrix {
	// The number of bytes must not overflow.
	if rows < 0 || cols < 0 || cols > 0 && rows > math.MaxInt/8/cols {
		panic(fmt.Sprintf("svm: NewMatrix: %d×%d", rows, cols))
	}
	return &Matrix{Rows: rows, Cols: cols, Data: make([]float64, rows*cols)}
}

// MatrixFromRows returns a matrix with copies of the given rows. It panics unless they all have the
// same length.
func MatrixFromRows(rows [][]float64) *Matrix {
	m := &Matrix{Rows: len(rows), Data: []float64{}}
	for i, r := range rows {
		if m.Cols = len(rows[0]); len(r) != m.Cols {
			panic(fmt.Sprintf("svm: MatrixFromRows: row %d has length %d, row 0 has length %d",
				i, len(r), m.Cols))
		}
		m.Data = append(m.Data, r...)
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

// setCol sets column j of m to x/norm.
func (m *Matrix) setCol(j int, x []float64, norm float64) {
	for i, v := range x {
		m.Data[i*m.Cols+j] = v / norm
	}
}

// T returns the transpose of m, as a copy.
func (m *Matrix) T() *Matrix {
	t := NewMatrix(m.Cols, m.Rows)
	for i := range m.Rows {
		t.setCol(i, m.Row(i), 1)
	}
	return t
}

// scaled returns DmD, where D is the diagonal matrix with the entries of d.
func (m *Matrix) scaled(d []float64) *Matrix {
	s := &Matrix{m.Rows, m.Cols, slices.Clone(m.Data)}
	for i, a := range d {
		row := s.Row(i)
		for j, b := range d {
			row[j] = row[j] * b * a
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
		b.MulVecT(p.Row(i), m.Row(i)) // row i of the product is a sum of rows of b
	}
	return p
}

// MulVec sets dst = m x. The vectors dst and x must not overlap.
func (m *Matrix) MulVec(dst, x []float64) {
	m.fits("MulVec", m.Cols, len(x), m.Rows, len(dst))
	for i := range dst {
		dst[i] = Dot(m.Row(i), x)
	}
}

// MulVecT sets dst = mᵀ x. The vectors dst and x must not overlap.
func (m *Matrix) MulVecT(dst, x []float64) {
	m.fits("MulVecT", m.Rows, len(x), m.Cols, len(dst))
	// The sum of the rows of m, xᵢ times row i, four rows a pass.
	clear(dst)
	i := 0
	for ; i+4 <= len(x); i += 4 {
		axpy4(dst, x[i], m.Row(i), x[i+1], m.Row(i+1), x[i+2], m.Row(i+2), x[i+3], m.Row(i+3))
	}
	for ; i < len(x); i++ {
		axpy(dst, x[i], m.Row(i))
	}
}

// fits panics unless x and dst have the lengths that they need.
func (m *Matrix) fits(caller string, wantX, x, wantDst, dst int) {
	if x != wantX || dst != wantDst {
		panic(fmt.Sprintf("svm: %s: %d×%d matrix, x of length %d, dst of length %d",
			caller, m.Rows, m.Cols, x, dst))
	}
}

// whole panics unless Data has the length that Rows and Cols promise.
func (m *Matrix) whole(caller string) {
	if m.Rows < 0 || m.Cols < 0 || len(m.Data) != m.Rows*m.Cols {
		panic(fmt.Sprintf("svm: %s: %d×%d matrix with %d entries",
			caller, m.Rows, m.Cols, len(m.Data)))
	}
}

// lowerHalf returns a copy of m with zeros above the diagonal. The error, if any, names the first
// entry of the copy that is not finite. It panics unless m is square.
func (m *Matrix) lowerHalf(caller string) (*Matrix, error) {
	m.whole(caller)
	if m.Rows != m.Cols {
		panic(fmt.Sprintf("svm: %s: %d×%d matrix is not square", caller, m.Rows, m.Cols))
	}
	l := NewMatrix(m.Rows, m.Cols)
	// What is not copied is not looked at: the other half may hold anything.
	for i := range m.Rows {
		copy(l.Row(i)[:i+1], m.Row(i))
	}
	return l, l.finite(caller)
}

// finite returns an error that names the first entry of m that is not finite, or nil.
func (m *Matrix) finite(caller string) error {
	if k := nonFinite(m.Data); k >= 0 {
		return fmt.Errorf("svm: %s: entry (%d, %d) is %v: %w",
			caller, k/m.Cols, k%m.Cols, m.Data[k], ErrNotFinite)
	}
	return nil
}

// allFinite returns an error that names the first entry of v that is not finite, as what and its
// index, or nil.
func allFinite(what string, v []float64) error {
	if i := nonFinite(v); i >= 0 {
		return fmt.Errorf("svm: %s %d is %v: %w", what, i, v[i], ErrNotFinite)
	}
	return nil
}

// fault returns an error if the length of v is not n, or an entry is NaN, or infinite where
// infinite is false; or nil.
func fault(name string, v []float64, n int, infinite bool) error {
	if len(v) != n {
		return fmt.Errorf("svm: %s has %d entries, want %d", name, len(v), n)
	}
	// A bound may be infinite, which means that there is none. Nothing may be NaN.
	for i, x := range v {
		if math.IsNaN(x) || math.IsInf(x, 0) && !infinite {
			return fmt.Errorf("svm: %s[%d] is %v: %w", name, i, x, ErrNotFinite)
		}
	}
	return nil
}

// # Vectors
//
// Three loops over contiguous memory do nearly all arithmetic of the package: the inner product
// Dot, the sum axpy (y ← y + a·x) and the rotation of a pair of rows. Two things make such a loop
// fast. Operations that do not wait for each other run at the same time: Dot has four sums instead
// of one. And a number that is loaded once should be used often: axpy4 adds four rows while it has
// an entry of y at hand. The order of all sums is fixed, so the same input gives the same bits.

// Dot returns x·y. It panics unless x and y have the same length.
func Dot(x, y []float64) float64 {
	if len(x) != len(y) {
		panic(fmt.Sprintf("svm: Dot: vectors of lengths %d and %d", len(x), len(y)))
	}
	// Four sums, so that an addition need not wait for the one before. Both lengths are tested, so
	// that the compiler leaves out the bounds checks.
	var s0, s1, s2, s3 float64
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

// axpy adds a·x to dst.
func axpy(dst []float64, a float64, x []float64) {
	x = x[:len(dst)]
	// Four entries a turn: the loop's own counting is then a small part of the work.
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

// axpy4 adds a₀x₀, a₁x₁, a₂x₂ and a₃x₃ to dst, in this order. It is four calls of axpy in one pass:
// dst is loaded and stored once, not four times.
func axpy4(dst []float64, a0 float64, x0 []float64, a1 float64, x1 []float64,
	a2 float64, x2 []float64, a3 float64, x3 []float64) {
	n := len(dst)
	x0, x1, x2, x3 = x0[:n], x1[:n], x2[:n], x3[:n]
	// Go adds from left to right: the sum is that of four calls of axpy, to the last bit.
	for i, d := range dst {
		dst[i] = d + a0*x0[i] + a1*x1[i] + a2*x2[i] + a3*x3[i]
	}
}

// rotate replaces (x, y) by (c·x + s·y, c·y − s·x), as in (L3).
func rotate(x, y []float64, c, s float64) {
	y = y[:len(x)] // no bounds check in the loop
	for i, u := range x {
		v := y[i]
		x[i], y[i] = c*u+s*v, c*v-s*u
	}
}

// addExact returns d + ab, rounded, and what rounding loses, which is the error of the product plus
// the error of the sum. Each error is a float64 itself, so that simple arithmetic finds it:
//
//	error of p = fl(ab)       FMA(a, b, −p)                     [one rounding, of an exact result]
//	error of s = fl(d + p)    (d − (s − t)) + (p − t), t = s − d                    [Knuth]
func addExact(d, a, b float64) (sum, lost float64) {
	p := float64(a * b) // the conversion rounds; else the compiler may fuse p with a later addition
	sum = d + p
	t := sum - d // what arrived of p; sum − t is what is left of d
	return sum, (d - (sum - t)) + (p - t) + math.FMA(a, b, -p)
}

// axpyExact adds a·x to dst + lost, with about twice the digits of dst: lost collects what rounding
// takes from dst.
func axpyExact(dst, lost []float64, a float64, x []float64) {
	x, lost = x[:len(dst)], lost[:len(dst)]
	for i, v := range x {
		s, e := addExact(dst[i], a, v)
		dst[i], lost[i] = s, lost[i]+e
	}
}

// divide divides x by a. (Multiplying by 1/a would be faster and would round twice.)
func divide(x []float64, a float64) {
	for i := range x {
		x[i] /= a
	}
}

// times returns the vector of the products vⱼwⱼ.
func times(v, w []float64) []float64 {
	p := make([]float64, len(v))
	for j, x := range v {
		p[j] = x * w[j]
	}
	return p
}

// norm2 returns ‖x‖².
func norm2(x []float64) float64 { return Dot(x, x) }

// norm returns ‖x‖. A power of two brings the largest entry near 1 first: no digit changes, and no
// square overflows.
func norm(x []float64) float64 {
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

// largest returns ‖x‖∞, or NaN if an entry is NaN.
func largest(x []float64) (big float64) {
	for _, v := range x {
		big = max(big, math.Abs(v))
	}
	return big
}

// toUnit multiplies x by the power of two, from 2⁻¹⁰⁰⁰ to 2¹⁰⁰⁰, that brings max|xᵢ| into [1, 2) or
// nearest to it, and returns that power.
func toUnit(x []float64) float64 {
	// The bounds keep scale and 1/scale among the normal numbers, even where x is zero or infinite.
	scale := math.Ldexp(1, max(-1000, min(-math.Ilogb(largest(x)), 1000)))
	divide(x, 1/scale) // exact, like a multiplication by scale
	return scale
}

// finite reports whether v is neither infinite nor NaN.
func finite(v float64) bool { return math.Abs(v) <= math.MaxFloat64 }

// nonFinite returns the index of the first entry of x that is infinite or NaN, or -1.
func nonFinite(x []float64) int {
	for i, v := range x {
		if v-v != 0 { // Inf − Inf and NaN − NaN are NaN, and NaN ≠ 0
			return i
		}
	}
	return -1
}

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

// ascending returns the indices of x in ascending order of its entries.
func ascending(x []float64) []int {
	order := upTo[int](len(x))
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(x[i], x[j]) })
	return order
}

// # Cholesky: A = UᵀU
//
// Row i of A = UᵀU reads aᵢⱼ = Σ_{p≤i} uₚᵢuₚⱼ for j ≥ i, because uₚᵢ = 0 for p > i. Its last term
// is uᵢᵢuᵢⱼ. Call it rᵢⱼ. So U follows row by row from A and the rows above:
//
//	rᵢⱼ = aᵢⱼ − Σ_{p<i} uₚᵢuₚⱼ                   [the other terms to the left]                (L1)
//	uᵢᵢ = √rᵢᵢ,  uᵢⱼ = rᵢⱼ/uᵢᵢ                   [rᵢᵢ = uᵢᵢ², then rᵢⱼ = uᵢᵢuᵢⱼ]              (L2)
//
// The pivot rᵢᵢ is the least value of xᵀAx over the x with xᵢ = 1 and xⱼ = 0 for j > i: for such x,
// xᵀAx = rᵢᵢ + Σ_{p<i} (Ux)ₚ², and some x₀ … xᵢ₋₁ make the sum vanish [back substitution]. So if A
// is positive definite, every pivot is positive. Conversely, if every pivot is positive, then U is
// invertible and xᵀAx = ‖Ux‖² > 0 for x ≠ 0. The algorithm is a test as well.
//
// With U, a system Ax = b is two triangular systems, Uᵀy = b and Ux = y. The first gives y₀, then
// y₁, and so on: each equation has one unknown more than the equation above. The second gives the
// last xᵢ first. A new right-hand side costs n² multiply-adds, while the factor costs n³/6. No
// pivots need to be exchanged: Σ_{p≤i} uₚᵢ² = aᵢᵢ, so no entry of U is larger than the root of an
// entry of A, and rounding errors stay small beside A.

// Cholesky returns the lower triangular l with positive diagonal such that a = l lᵀ. It reads only
// the lower half of a, diagonal included. The error is ErrNotPositiveDefinite, wrapped with the
// first pivot (L1) that is not positive, or ErrNotFinite. The cost is n³/6 multiply-adds.
func Cholesky(a *Matrix) (l *Matrix, err error) {
	l, err = a.lowerHalf("Cholesky")
	if err != nil {
		return nil, err
	}
	u := l.T() // the upper half of A by rows, which factor turns into U
	t := u.upper()
	if k := t.factor(); k >= 0 {
		return nil, fmt.Errorf("svm: Cholesky: pivot %d is %v: %w",
			k, t[k][0], ErrNotPositiveDefinite)
	}
	return u.T(), nil
}

// A triangle is an upper triangular n × n matrix by rows: t[i] holds the entries i, i+1, …, n−1 of
// row i. The first rows of a triangle, [U B] with B to the right of U, are a triangle, too.
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

// factor replaces the upper half of A by U, where A = UᵀU, and returns −1. If a pivot is not a
// positive finite number, it stops at the first and returns its index k; t[k][0] is then that
// pivot, and the rows before k are those of U.
//
// The last loop is (L1) and (L2), row by row. With one axpy for each p in (L1), every multiply-add
// loads two numbers and stores one, and every row brings the whole triangle through the cache. So a
// larger triangle is cut in two. The upper part is factored first. Then addGram takes the terms of
// its rows from all rows of the lower part. The terms of (L1) still come in the order of p, so the
// result has the same bits.
func (t triangle) factor() int {
	// Eight rows are too few to be cut in two.
	if n := len(t); n > 8 {
		h := n / 8 * 4 // about half of the rows: a multiple of 4, as addGram takes four at a time
		if k := t[:h].factor(); k >= 0 {
			return k
		}
		// The rows p < h of U are done. Column by column they say what the lower part loses:
		// −Σ_{p<h} uₚᵢuₚⱼ from entry (i, j).
		above := make([][]float64, h)
		for p := range above {
			above[p] = t[p][h-p:]
		}
		t[h:].addGram(constant(h, -1), above)
		if k := t[h:].factor(); k >= 0 {
			return h + k
		}
		return -1
	}
	for i, row := range t {
		for p, above := range t[:i] {
			axpy(row, -above[i-p], above[i-p:]) // (L1)
		}
		// An infinity or a NaN in column j of A shows in the pivot rⱼⱼ: uᵢⱼ² is subtracted there.
		if pivot := row[0]; !(pivot > 0 && finite(pivot)) {
			return i
		}
		row[0] = math.Sqrt(row[0]) // (L2)
		divide(row[1:], row[0])
	}
	return -1
}

// addGram adds Σₖ wₖ rowₖᵀrowₖ to the leading block of t. A panel of rows stays in the cache while
// one pass over t adds their products. The inner loop adds four rows to two rows of t: six loads
// and two stores make eight multiply-adds.
func (t triangle) addGram(w []float64, rows [][]float64) {
	// Make the number of rows a multiple of 4: a row of weight 0 adds nothing.
	w, rows = slices.Clip(w), slices.Clip(rows) // so that append does not write to the caller's
	for len(rows)%4 != 0 {
		w, rows = append(w, 0), append(rows, rows[0])
	}
	for from := 0; from < len(rows); from += panelRows {
		n := min(len(t), len(rows[0]))
		for j := 0; j < n; j += 2 {
			for k := from; k < min(from+panelRows, len(rows)); k += 4 {
				// Row j gains Σ wₖxₖ[j]·xₖ, from column j on; row j+1 likewise, with b for a.
				x0, x1, x2, x3 := rows[k][j:], rows[k+1][j:], rows[k+2][j:], rows[k+3][j:]
				a0, a1, a2, a3 := w[k]*x0[0], w[k+1]*x1[0], w[k+2]*x2[0], w[k+3]*x3[0]
				y := t[j][:len(x0)]
				if j+1 == n { // row j is the last, without a partner
					axpy4(y, a0, x0, a1, x1, a2, x2, a3, x3)
					continue
				}
				b0, b1, b2, b3 := w[k]*x0[1], w[k+1]*x1[1], w[k+2]*x2[1], w[k+3]*x3[1]
				if a0 == 0 && a1 == 0 && a2 == 0 && a3 == 0 &&
					b0 == 0 && b1 == 0 && b2 == 0 && b3 == 0 {
					continue // sparse rows often have nothing to add
				}
				// Row j has one entry more, the first, which goes ahead of the others.
				// For the others, lengths that the compiler knows to be equal save bounds checks.
				y[0] = y[0] + a0*x0[0] + a1*x1[0] + a2*x2[0] + a3*x3[0]
				z := t[j+1][:len(x0)-1]
				y = y[1:][:len(z)]
				x0, x1, x2, x3 = x0[1:][:len(z)], x1[1:][:len(z)], x2[1:][:len(z)], x3[1:][:len(z)]
				for i, v := range z {
					u0, u1, u2, u3 := x0[i], x1[i], x2[i], x3[i]
					y[i] = y[i] + a0*u0 + a1*u1 + a2*u2 + a3*u3
					z[i] = v + b0*u0 + b1*u1 + b2*u2 + b3*u3
				}
			}
		}
	}
}

// solve replaces b by A⁻¹b, t being the factor U of A: UᵀUx = b is Uᵀy = b, then Ux = y. The cost
// is n² multiply-adds.
func (t triangle) solve(b []float64) {
	t.solveT(b)
	t.solveU(b)
}

// solveT replaces b by U⁻ᵀb, by axpys with the rows of U. If t is [U B], it replaces (b₁, b₂) by
// (U⁻ᵀb₁, b₂ − BᵀU⁻ᵀb₁).
func (t triangle) solveT(b []float64) {
	for i, row := range t {
		// Row i of U is column i of Uᵀ. Once yᵢ is known, its terms leave all later equations.
		b[i] /= row[0]
		axpy(b[i+1:], -b[i], row[1:])
	}
}

// solveU replaces b by U⁻¹b, by dots with the rows of U. If t is [U B], it replaces (b₁, b₂) by
// (U⁻¹(b₁ − Bb₂), b₂).
func (t triangle) solveU(b []float64) {
	// From the last equation up: the unknowns to the right of the diagonal are there already.
	for i := len(t) - 1; i >= 0; i-- {
		b[i] = (b[i] - Dot(t[i][1:], b[i+1:])) / t[i][0]
	}
}

// drop turns t, the factor of A, into the factor of A without its row and column k, and returns it.
// The cost is (n−k)²/2 rotated pairs of entries, not n³/6 multiply-adds for a new factor.
//
// Let M be U without column k. Then MᵀM is A without row and column k [the columns of M are those
// of U]. Below its diagonal M has only the entries u_{i+1,i+1}, i ≥ k. Let x and y be its rows i
// and i+1 from column i on. The rotation
//
//	(x, y) ← (c x + s y, c y − s x),  c = x₀/ρ, s = y₀/ρ, ρ = √(x₀² + y₀²)                    (L3)
//
// replaces (x₀, y₀) by (ρ, 0), and leaves MᵀM as it is [rotations are orthogonal]. After i = k,
// k+1, …, n−2 the last row of M is zero, and the others are the factor.
func (t triangle) drop(k int) triangle {
	// The rows above row k only lose an entry. Row k loses its first entry: it becomes x below.
	n := len(t)
	for i, row := range t[:k] {
		t[i] = slices.Delete(row, k-i, k-i+1)
	}
	for i := k; i < n-1; i++ {
		x, y := t[i][1:], t[i+1]      // both begin in column i, now that column k is gone
		rho := math.Hypot(x[0], y[0]) // ρ > 0: y₀ is a diagonal entry of the old factor
		c, s := x[0]/rho, y[0]/rho    // (L3)
		x[0] = rho
		rotate(x[1:], y[1:], c, s)
		t[i] = x
	}
	return t[:n-1]
}

// least estimates the least eigenvalue of D^−½AD^−½, D being the diagonal of A and t the factor of
// A, by inverse iteration: x ← D^½A⁻¹D^½x divides the part of x along each eigenvector by its
// eigenvalue, so the part with the least eigenvalue grows most. The estimate is never too low [no x
// grows by more than the inverse of that eigenvalue].
func (t triangle) least(diag []float64) float64 {
	// With the diagonal scaled to 1, an eigenvalue near 0 means that the variables are dependent,
	// and not that one of them has a small unit.
	root, x, size := make([]float64, len(t)), make([]float64, len(t)), 1.0
	for i, d := range diag {
		root[i], x[i] = math.Sqrt(d), math.Sin(float64(i+1)) // a part along every eigenvector
	}
	// Three steps find the size of the eigenvalue. Its digits do not matter.
	for range 3 {
		divide(x, norm(x))
		x = times(x, root)
		t.solve(x)
		x = times(x, root)
		size = norm(x)
	}
	return 1 / size
}

// # Eigenvalues of a symmetric matrix
//
// No formula gives the eigenvalues of a large matrix, but orthogonal changes of coordinates keep
// them: if A = QTQᵀ and Q is orthogonal, then A and T have the same eigenvalues, and Q times an
// eigenvector of T is an eigenvector of A. So A is made simpler, in two stages. First, n − 1
// reflections make A tridiagonal: only the diagonal and its two neighbors are left. Then rotations
// make the tridiagonal matrix diagonal, which takes a sweep or two for each eigenvalue. The product
// of all reflections and rotations has the eigenvectors. Orthogonal matrices keep lengths, so
// rounding errors do not grow.
//
// A reflection that maps a vector x to a multiple of the last axis e. Let xₗ be the last entry of
// x, g = −sgn(xₗ)‖x‖ (this sign avoids cancellation in xₗ − g), v = x − g·e and h = ½‖v‖². Then
//
//	h = g(g − xₗ)                                         [‖v‖² = ‖x‖² − 2g xₗ + g², ‖x‖² = g²]
//	H = I − vvᵀ/h is symmetric, orthogonal, and Hx = g·e  [vᵀx = g² − g xₗ = h]               (L4)
//	HAH = A − vqᵀ − qvᵀ,  q = p − (vᵀp/2h) v,  p = Av/h   [multiply out, halve vᵀp/h·vvᵀ]   (L5)
//
// Taking for x the part of row i left of the diagonal, for i = n−1, …, 1, leaves T = QᵀAQ, where Q
// is the product of the H in this order.
//
// A QL sweep. If T − σI = RL, with R orthogonal (the Q of QL) and L lower triangular, then LR + σI
// = RᵀTR: the matrix is still tridiagonal, with the same eigenvalues. If σ is close to one of them,
// the top off-diagonal entry e₀ of RᵀTR nearly vanishes. With Wilkinson's shift σ, the eigenvalue
// of the top 2×2 block nearest to d₀,
//
//	σ = d₀ − e₀/(γ + sgn(γ)√(γ² + 1)),  γ = (d₁ − d₀)/(2e₀)                                   (L6)
//
// the sweeps always converge, in the end quadratically or, for almost every T, cubically.
//
// A sweep need not form T − σI. The last column of R gives the others, up to signs, because RᵀTR is
// tridiagonal. So σ enters only the first rotation, of the last two rows m−1 and m: its (c, s) is
// (dₘ − σ, eₘ₋₁), normalized. Each rotation makes an entry f = s·eᵢ outside the band. The next
// rotation, one row higher, removes f: its (c, s) is (g, f), normalized, where g is the entry
// beside f. On the 2×2 block with diagonal dᵢ, dᵢ₊₁ and off-diagonal b a rotation does this:
//
//	q = s(dᵢ − dᵢ₊₁) + 2cb:  dᵢ₊₁ ← dᵢ₊₁ + sq,  dᵢ ← dᵢ − sq,  b ← cq − b   [s² + c² = 1]     (L7)

// SymEigen returns the eigenvalues of the symmetric a in ascending order, and the matrix v whose
// columns are the corresponding orthonormal eigenvectors: a = v diag(values) vᵀ up to a small
// multiple of ε‖a‖. A small eigenvalue has no more digits than that leaves. It reads only the lower
// half of a, diagonal included, and panics if that half holds an infinity or a NaN. The cost is 4n³
// to 6n³ multiply-adds: 4n³/3 to find T and Q, the rest to rotate the rows of Qᵀ.
func SymEigen(a *Matrix) (values []float64, v *Matrix) {
	z, err := a.lowerHalf("SymEigen")
	if err != nil {
		panic(err.Error())
	}
	// Squares would over- or underflow, so the largest entry is brought near 1, by a power of two:
	// that changes no digit. (Entries that underflow beside the largest do not matter.)
	scale := toUnit(z.Data)
	d, e := tridiagonalize(z)
	diagonalize(d, e, z)
	// Rows of z are eigenvectors, but for their length: rotations have left rounding errors in it.
	values, v = make([]float64, len(d)), NewMatrix(len(d), len(d))
	for j, k := range ascending(d) {
		values[j] = d[k] / scale
		v.setCol(j, z.Row(k), norm(z.Row(k)))
	}
	return values, v
}

// tridiagonalize reduces the symmetric matrix whose lower half is z to T = QᵀAQ, replaces z by Qᵀ,
// and returns the diagonal of T and its subdiagonal, e[i] = T[i+1][i].
func tridiagonalize(z *Matrix) (d, e []float64) {
	n := z.Rows
	// From the last row up, so that what is done already lies outside of the block that is left.
	d, e = make([]float64, n), make([]float64, n)
	h, room := make([]float64, n), make([]float64, n)
	for i := n - 1; i > 0; i-- {
		// The reflection (L4) of row i. If the row is tridiagonal already, H = I and h = 0.
		x, l := z.Row(i)[:i], i-1
		e[l] = x[l]
		rest := norm2(x[:l])
		if rest < negligible*negligible {
			continue
		}
		g := -math.Copysign(math.Sqrt(rest+x[l]*x[l]), x[l])
		h[i] = g * (g - x[l])
		e[l] = g
		x[l] -= g // x is v from here on

		// The leading i × i block A becomes HAH (L5). Row j of its lower half is column j of its
		// upper half, too, so one pass over the half yields Av, and a second pass updates it. The
		// entries of p are first those of Av, then those of q.
		p := room[:i]
		for j := range p {
			zj := z.Row(j)[:j+1]
			p[j] = Dot(zj, x[:j+1])
			axpy(p[:j], x[j], zj[:j])
		}
		half := Dot(p, x) / (2 * h[i])
		for j := range p {
			p[j] = (p[j] - half*x[j]) / h[i] // row j of the update needs q only up to here
			axpy(z.Row(j)[:j+1], -x[j], p[:j+1])
			axpy(z.Row(j)[:j+1], -p[j], x[:j+1])
		}
	}

	// Row i of z has the v of the H for i. Multiply the H together, the last first: at step i the
	// leading i × i block of z is orthogonal, and to its right there are zeros.
	for i := range n {
		zi := z.Row(i)
		d[i] = zi[i]
		for j := 0; h[i] != 0 && j < i; j++ {
			zj := z.Row(j)[:i]
			axpy(zj, -Dot(zj, zi[:i])/h[i], zi[:i])
		}
		clear(zi)
		zi[i] = 1
	}
	return d, e
}

// diagonalize turns d, the diagonal of T, into the eigenvalues by QL sweeps, and applies their
// rotations to the rows of z, too.
func diagonalize(d, e []float64, z *Matrix) {
	for l, sweeps := 0, 0; l < len(d); {
		// Rows l … m are the first block that no negligible e[i] splits.
		m := l
		// To take such an e[i] for 0 changes A by no more than rounding has done.
		for m < len(d)-1 && math.Abs(e[m]) >
			machineEps*(math.Abs(d[m])+math.Abs(d[m+1]))+negligible {
			m++
		}
		if m == l {
			l++ // d[l] is an eigenvalue
			continue
		}
		if sweeps++; sweeps > sweepBudget*len(d) {
			panic("svm: SymEigen: no convergence")
		}

		// One sweep, from the bottom of the block to its top. First the shift (L6).
		// It makes e[l] small, so that few sweeps later l, l+1, … fall off, one after the other.
		gamma := (d[l+1] - d[l]) / (2 * e[l])
		sigma := d[l] - e[l]/(gamma+math.Copysign(math.Sqrt(gamma*gamma+1), gamma))
		g := d[m] - sigma
		c, s, p := 1.0, 1.0, 0.0 // p is the sq that dᵢ₊₁ has yet to lose
		for i := m - 1; ; i-- {
			if i < l { // the sweep has passed the top
				d[l], e[l], e[m] = d[l]-p, g, 0
				break
			}
			// The rotation that removes f, the entry outside the band. Before the first rotation
			// there is none, but c = s = 1 makes (g, f) the pair that begins a sweep.
			f, b := s*e[i], c*e[i]
			r := math.Sqrt(f*f + g*g)
			e[i+1] = r
			if r < negligible { // there is nothing to rotate away: the block splits here
				d[i+1], e[i], e[m] = d[i+1]-p, b, 0
				break
			}
			c, s = g/r, f/r
			rotate(z.Row(i+1), z.Row(i), c, s)
			// Its effect on the 2×2 block of rows i and i+1.
			d[i+1] -= p
			q := s*(d[i]-d[i+1]) + 2*c*b // (L7)
			p = s * q
			d[i+1] += p
			g = c*q - b
		}
	}
}

// # Singular values
//
// The eigenvalues of XᵀX are the squares of the singular values of X, but to form XᵀX loses half of
// the digits. Jacobi's method in its one-sided form diagonalizes XᵀX without forming it: make the
// columns of W = XV orthogonal by rotating pairs of them. With α =
// ‖wₚ‖², β = ‖w_q‖² and γ = wₚ·w_q,
//
//	(c wₚ − s w_q)·(s wₚ + c w_q) = cs(α − β) + (c² − s²)γ = 0    [so that the pair is orthogonal]
//	t² + 2ζt − 1 = 0,  t = s/c, ζ = (β − α)/2γ                     [divide by −c²γ]
//	t = 1/(ζ + sgn(ζ)√(1 + ζ²))                                [the root nearer to 0]         (L8)
//
// Each rotation lowers Σ_{p<q} (wₚ·w_q)² by γ²: the other entries of WᵀW in rows p and q are
// rotated in pairs, which keeps their squares' sum. When the cosines of all pairs are rounding
// errors, X = (W S⁻¹) S Vᵀ with sⱼ = ‖wⱼ‖. The program keeps rows [wⱼ | vⱼ], so that one loop
// rotates both.

// SVD returns the thin singular value decomposition x = u diag(s) vᵀ of an m × n matrix: with k =
// min(m, n), u is m × k and v is n × k with orthonormal columns (even where s vanishes), and s ≥ 0
// descends. Errors are a small multiple of ε‖x‖; a small singular value has more digits if x = BD,
// D diagonal and B far from singular. Singular values of about 2⁻⁴⁸⁰ times the largest entry or
// less may be returned as 0. SVD panics when x holds an infinity or a NaN. The cost is some ten
// sweeps of up to k²(m + n)/2 rotated pairs of entries; sixty sweeps may be needed where the rows
// of x differ by a hundred powers of ten. Jacobi's method is accurate, not quick.
func SVD(x *Matrix) (u *Matrix, s []float64, v *Matrix) {
	x.whole("SVD")
	if err := x.finite("SVD"); err != nil {
		panic(err.Error())
	}
	if x.Rows < x.Cols {
		v, s, u = SVD(x.T())
		return u, s, v
	}
	// Rows [wⱼ | vⱼ], at first [xⱼ | eⱼ], where xⱼ is column j of X. The largest entry is brought
	// near 1, so that squares neither over- nor underflow.
	m, n := x.Rows, x.Cols
	w := x.T()
	scale := toUnit(w.Data)
	rows, norms := make([][]float64, n), make([]float64, n) // norms has the ‖wⱼ‖²
	for j := range rows {
		rows[j] = append(w.Row(j), make([]float64, n)...)
		rows[j][m+j] = 1
	}

	// Sweeps over all pairs, until a sweep finds nothing to rotate.
	tol := machineEps * math.Sqrt(float64(m)) // the rounding error of a cosine
	for sweep, rotated := 0, true; rotated; sweep++ {
		if sweep == sweepBudget+n {
			panic("svm: SVD: no convergence")
		}
		rotated = false
		for j, r := range rows {
			norms[j] = norm2(r[:m]) // afresh in every sweep: no rounding error accumulates
		}
		for p := range rows {
			// The longest of the rest goes first: then fewer sweeps are needed.
			longest := p + slices.Index(norms[p:], slices.Max(norms[p:]))
			rows[p], rows[longest] = rows[longest], rows[p]
			norms[p], norms[longest] = norms[longest], norms[p]
			for q := p + 1; q < n; q++ {
				gamma := Dot(rows[p][:m], rows[q][:m])
				if min(norms[p], norms[q]) < negligible*negligible ||
					math.Abs(gamma) <= tol*math.Sqrt(norms[p])*math.Sqrt(norms[q]) {
					continue // one row counts as zero, or the cosine is a rounding error
				}
				// The rotation that makes rows p and q orthogonal. Both norms change: the longer
				// row grows, and the shorter row shrinks.
				rotated = true
				zeta := (norms[q] - norms[p]) / (2 * gamma)
				t := 1 / (zeta + math.Copysign(math.Hypot(1, zeta), zeta)) // (L8)
				c := 1 / math.Sqrt(1+t*t)
				rotate(rows[p], rows[q], c, -c*t)
				norms[p], norms[q] = norm2(rows[p][:m]), norm2(rows[q][:m])
			}
		}
	}

	// Rows have grown where c was rounded to 1, so each is divided by ‖vⱼ‖.
	lengths, ones := make([]float64, n), make([]float64, n) // ‖wⱼ‖/‖vⱼ‖, and ‖vⱼ‖
	for k, row := range rows {
		ones[k] = norm(row[m:])
		lengths[k] = math.Sqrt(norms[k]) / ones[k]
	}

	// The longest column comes first. A column that counts as zero has no direction, so u gets one
	// that is orthogonal to all others.
	order := ascending(lengths)
	slices.Reverse(order)
	u, s, v = NewMatrix(m, n), make([]float64, n), NewMatrix(n, n)
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

// orthogonal returns a unit vector orthogonal to the columns of m, which are orthonormal or zero
// and do not span the space: the axis farthest from their span, minus its projection. The squared
// lengths of the projections of all axes sum to the dimension of the span, at most m.Rows − 1, so
// the difference is at least 1/√m.Rows long. What rounding leaves of the projection is therefore
// small, and a second pass removes it.
func (m *Matrix) orthogonal() []float64 {
	// Row i of m has the inner products of axis i with the columns of m.
	lengths := make([]float64, m.Rows) // of the projections, squared
	for i := range lengths {
		lengths[i] = norm2(m.Row(i))
	}
	x, projection, c := make([]float64, m.Rows), make([]float64, m.Rows), make([]float64, m.Cols)
	x[slices.Index(lengths, slices.Min(lengths))] = 1
	for range 2 {
		// x ← x − m mᵀx; columns that are still zero take no part.
		m.MulVecT(c, x)
		m.MulVec(projection, c)
		axpy(x, -1, projection)
	}
	divide(x, norm(x))
	return x
}

// Part II. What the solvers need
//
// # Saddle systems
//
// Let A be positive semidefinite, D ≥ 0 a diagonal matrix with entries d, and G a matrix with rows
// gᵀ. Newton's method for a program with constraints (C4) solves
//
//	Ax + Gᵀz = r₁,  Gx − Dz = r₂                                                              (L9)
//
// Soft rows. From a row gᵀx − dz = r with d > 0 follows z = (gᵀx − r)/d. This eliminates z, and
// adds ggᵀ/d to A. What is left is positive definite, a little larger than nothing, and has a
// Cholesky factor. But as d → 0 the matrix ggᵀ/d grows, and its rounding errors drown A.
//
// Firm rows. So a row with d < 1/(2ω) stays as it is, and the first equation receives ωg times the
// row [A may be singular, A + ωggᵀ less so]. Let F be the firm rows, w = ω for the firm rows and
// 1/d for the soft rows, and y = (1 − ωd)z for F [1 − ωd > ½]. Then, with N = A + Gᵀ diag(w) G,
//
//	Nx + Fᵀy = r₁ + Gᵀ(w∘r₂)                   [the eliminated z, and ωg times the firm rows]
//	Fx − d/(1 − ωd) y = r₂                     [the firm rows, in y]                         (L10)
//
// Let N = UᵀU, B = U⁻ᵀFᵀ and E = BᵀB + d/(1 − ωd) = CᵀC. Eliminate x: the second equation becomes
// −Ey = r₂ − BᵀU⁻ᵀ(right-hand side of the first). So [U B] on top of C is one triangle, and (L10)
// takes one pass down the triangle and one pass up. Rows ±eⱼ are always soft, because they change
// only the diagonal. With f firm rows the cost is n³/6 + (rows)·n²/2 + fn²/2 + f²n/2 + f³/6
// multiply-adds.
//
// Which ω? The solution is the same for every ω. A larger ω leaves fewer rows firm, so that the
// factor is smaller, but may cost digits: N has rounding errors of about ε times its diagonal,
// which grows with the weights. Where the soft rows leave x free in some direction, A has to
// decide, and the errors drown A. Where the soft rows determine x, the pivots of N grow with their
// weights, and nothing is lost. So if more than 3n inequalities are firm, as where many constraints
// meet in one point, an ω is tried first that leaves 3n of them firm. It is kept if every pivot of
// N retains half of its digits [a pivot is the least of some xᵀNx (L2), and has the rounding error
// of its diagonal entry].
//
// Regularization. Adding δ > 0 to the diagonals of A and D makes N and E positive definite, even if
// A is singular or rows with d = 0 are dependent. With M the matrix of (L9) and Z = diag(I, −I),
// the matrix factored is M + δZ. The solution is corrected by its residual in M. This leaves of an
// error e
//
//	e − (M + δZ)⁻¹Me = δ(ZM + δI)⁻¹e                          [M + δZ = Z(ZM + δI), Z² = I]
//
// Along an eigenvector of ZM with eigenvalue μ, e is multiplied by δ/(μ + δ): it shrinks unless μ =
// 0 [Re μ ≥ 0, for Re v*ZMv = v₁*Av₁ + v₂*Dv₂].

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
	firm   []int     // the rows F
	t      triangle  // [U B] on top of C
}

const (
	// δ is at first (order of M + 10) times this: no more than rounding does to A and D.
	saddleDelta = machineEps

	// The least ω: makes N large along the firm rows, and costs two digits.
	firmWeight = 1e2

	// With more firm inequalities per unknown a larger ω is tried; up to that, C is small.
	firmRows = 3

	// √ε: a larger ω is kept if every pivot of N is at least this share of its diagonal entry.
	pivotShare = 0x1p-26

	// A correction that leaves more than this share of the residual is the last.
	saddleSlow = 0.9
)

// factor computes the factors, with the least ω and then a larger δ if rounding makes N or E
// indefinite. It reports whether it succeeded.
func (k *saddle) factor() bool {
	// The ω that leaves firmRows inequalities firm for every unknown, if there are more. Equations
	// do not count: their weight is 1/δ, whatever they say.
	n, ones, yields := k.a.Rows, constant(k.a.Rows, 1), []float64(nil)
	for i, g := range k.g {
		if g.row != nil && k.d[i] > 0 {
			yields = append(yields, k.d[i])
		}
	}
	slices.Sort(yields)
	if k.omega = firmWeight; len(yields) > firmRows*n {
		k.omega = max(k.omega, 1/yields[firmRows*n]/2)
	}
	for k.delta = saddleDelta * float64(n+len(k.g)+10); k.delta < 1; {
		// Rows ±eⱼ go into the diagonal, all others into N as rows with weights.
		diagonal, rows, weights := constant(n, k.delta), [][]float64(nil), []float64(nil)
		k.weight, k.firm = make([]float64, len(k.g)), nil
		for i, g := range k.g {
			k.weight[i] = 1 / (k.d[i] + k.delta)
			if g.row == nil {
				diagonal[g.j] += k.weight[i]
				continue
			}
			if k.weight[i] > 2*k.omega {
				k.weight[i] = k.omega
				k.firm = append(k.firm, i)
			}
			rows, weights = append(rows, g.row), append(weights, k.weight[i])
		}

		// The top of the triangle is [N Fᵀ], which factor turns into [U B].
		k.t = newTriangle(n + len(k.firm))
		top, corner, b := k.t[:n], k.t[n:], make([][]float64, n)
		for j, row := range top {
			copy(row, k.a.Row(j)[j:])
			row[0] += diagonal[j]
			b[j] = row[n-j:]
			for c, i := range k.firm {
				b[j][c] = k.g[i].row[j]
			}
		}
		top.addGram(weights, rows)
		for j, row := range top {
			diagonal[j] = row[0]
		}
		ok := top.factor() < 0
		for j, row := range top { // the pivot is uⱼⱼ²
			ok = ok && (k.omega == firmWeight || row[0]*row[0] >= pivotShare*diagonal[j])
		}

		// The corner is E = BᵀB + d/(1 − ωd), where δ is part of d; factor turns it into C.
		if ok {
			for c, i := range k.firm {
				corner[c][0] = 1 / (1/(k.d[i]+k.delta) - k.omega)
			}
			corner.addGram(ones, b)
			if corner.factor() < 0 {
				return true
			}
		}
		if k.omega > firmWeight {
			k.omega = firmWeight
		} else {
			k.delta *= 100
		}
	}
	return false
}

// solve adds corrections to (x, z) until the residual of (L9) is at most enough, or ε² of what it
// was at first, or the last correction has left more than saddleSlow of it.
func (k *saddle) solve(r1, r2, x, z []float64, enough float64) {
	n := len(x)
	for last := math.Inf(1); ; {
		e1, e2 := slices.Clone(r1), slices.Clone(r2)
		k.subtract(e1, e2, x, z)
		size := max(largest(e1), largest(e2))
		// A NaN ends the loop, too: no comparison with it is true.
		if !(size < saddleSlow*last) || size <= enough {
			return
		}
		if math.IsInf(last, 1) {
			enough = max(enough, machineEps*machineEps*size)
		}
		last = size // of the residual before this correction

		// One correction, by (L10): down the triangle and up again. The second equation has −E.
		b := slices.Concat(e1, pick(e2, k.firm))
		for i := range k.g {
			k.g[i].add(b[:n], k.weight[i]*e2[i])
		}
		k.t.solveT(b)
		for c := range k.firm {
			b[n+c] = -b[n+c]
		}
		k.t.solveU(b)
		axpy(x, 1, b[:n])

		// The z of the soft rows, w(gᵀx − r₂), and that of the firm rows, y/(1 − ωd).
		for i := range k.g {
			e2[i] = k.weight[i] * (k.g[i].of(b[:n]) - e2[i])
		}
		for c, i := range k.firm {
			e2[i] = b[n+c] / (1 - k.omega*(k.d[i]+k.delta))
		}
		axpy(z, 1, e2)
	}
}

// subtract subtracts Ax + Gᵀz from e1 and Gx − Dz from e2. Zeros in x cost nothing in Ax.
func (k *saddle) subtract(e1, e2, x, z []float64) {
	for j, v := range x {
		if v != 0 {
			axpy(e1, -v, k.a.Row(j))
		}
	}
	// Each row of G is read once, for both equations.
	for i := range k.g {
		g := &k.g[i]
		g.add(e1, -z[i])
		e2[i] -= g.of(x) - k.d[i]*z[i]
	}
}

// # Loops on several cores
//
// The rows of a kernel matrix, the predictions for many points, the folds of a cross-validation:
// such loops have bodies that do not need each other. They are handed out one index at a time, to
// whoever is free, because some bodies take longer than others. Each body writes only to places of
// its own. So the result does not depend on the number of goroutines, nor on who takes which index:
// the same input gives the same bits on every machine.

// parallel calls f(0), …, f(n−1), each once, on min(workers, n) goroutines, where workers ≤ 0 means
// GOMAXPROCS. The calling goroutine is one of them; alone, it makes the calls in ascending order.
// Parallel returns when all calls have returned. If f panics, no further indices are taken, and the
// caller panics with the same value.
func parallel(workers, n int, f func(i int)) {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	workers = max(1, min(workers, n))
	// A counter hands out the indices. That costs some nanoseconds for each index.
	var taken atomic.Int64         // how many indices have been taken
	var raised atomic.Pointer[any] // what f panicked with, if it did
	var working sync.WaitGroup
	work := func() {
		defer working.Done()
		done := false
		defer func() {
			if !done {
				// f panicked; or it called runtime.Goexit, as testing.T.FailNow does, and recover
				// returns nil. Take all indices, so that no goroutine finds another.
				r := cmp.Or(recover(), any("svm: runtime.Goexit in a parallel loop"))
				raised.Store(&r)
				taken.Store(int64(n))
			}
		}()
		for i := taken.Add(1); i <= int64(n); i = taken.Add(1) {
			f(int(i - 1))
		}
		done = true
	}
	// The caller works, too. Wait makes what the others have written visible to it.
	working.Add(workers)
	for range workers - 1 {
		go work()
	}
	work()
	working.Wait()
	if r := raised.Load(); r != nil { // of several panics, the last
		panic(*r)
	}
}
