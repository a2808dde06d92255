// Copyright 2026 The svm authors. All rights reserved.
// Use of this source code is governed by the MIT
// license that can be found in the LICENSE file.

// Dense linear algebra: what the other chapters need of it.
//
// Part I is a course in five sections: matrices; vectors, with the three loops that do the
// arithmetic; the Cholesky factor, which solves Ax = b; the eigenvalues of a symmetric matrix; the
// singular values of any matrix. Part II has loops that run on several cores, and sparse vectors.
// The chapter needs no word of machine learning. A first reader may begin with another chapter and
// come back.
//
//	symbol    meaning                                            Go
//	A         symmetric, n × n; only its lower half is read      a
//	U, L      upper triangular, uᵢᵢ > 0, A = UᵀU; L = Uᵀ         triangle: t[i][j-i] is uᵢⱼ
//	c, s      cosine and sine of a rotation                      c, s
//	v, H      vector, ‖v‖² = 2, and matrix of a reflection       x
//	T         tridiagonal, T = QᵀAQ, Q orthogonal              d, e: its diagonal, its subdiagonal
//	σ         the shift of a QL sweep                            sigma
//	X = PSVᵀ  any m × n matrix, m ≥ n, and its factors           x, u, s, v
//	W         XV, whose columns become orthogonal                the first m entries of each row
//	ε         2⁻⁵², the distance from 1 to the next float64      machineEps
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
	machineEps = 0x1p-52 // ε

	// A number of this size counts as zero beside 1. Its square times ε is still a normal number.
	negligible = 0x1p-480

	// How many rows' products are added to a triangle in one pass; a multiple of 4.
	panelRows = 32

	// SymEigen may take so many QL sweeps for each eigenvalue, on average. SVD may take so many
	// sweeps, and one more for each row.
	sweepBudget = 60
)

// Part I. Matrices, factors, eigenvalues
//
// # Matrices
//
// A matrix is one slice of numbers, row after row. A row is a view into the slice, so code that
// goes by rows needs no copies and no index arithmetic, and reads memory in order. Operands of the
// wrong size are mistakes of the program, not of its data: exported functions panic, and most say
// which sizes they met. The small loops inside, axpy for example, trust their callers. A number
// that is not finite may come from data, so it is reported with its place.

// A Matrix is dense and row-major: entry (i, j) is Data[i*Cols+j].
type Matrix struct {
	Rows, Cols int
	Data       []float64
}

// NewMatrix returns the rows × cols matrix of zeros.
func NewMatrix(rows, cols int) *Matrix {
	// The number of bytes must not overflow.
	demand(rows >= 0 && cols >= 0 && (cols == 0 || rows <= math.MaxInt/8/cols),
		"svm: NewMatrix: %d×%d", rows, cols)
	return &Matrix{Rows: rows, Cols: cols, Data: make([]float64, rows*cols)}
}

// MatrixFromRows returns a matrix with copies of the given rows. It panics unless they all have the
// same length.
func MatrixFromRows(rows [][]float64) *Matrix {
	m := &Matrix{Rows: len(rows), Data: []float64{}}
	for i, r := range rows {
		m.Cols = len(rows[0])
		demand(len(r) == m.Cols, "svm: MatrixFromRows: row %d has length %d, row 0 has length %d",
			i, len(r), m.Cols)
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
	// A slice expression is checked against the capacity, which may be larger than the length.
	return slices.Clip(m.Data)[i*m.Cols : (i+1)*m.Cols : (i+1)*m.Cols]
}

// setCol sets the first len(x) entries of column j of m to x.
func (m *Matrix) setCol(j int, x []float64) {
	for i, v := range x {
		m.Data[i*m.Cols+j] = v
	}
}

// T returns the transpose of m, as a copy.
func (m *Matrix) T() *Matrix {
	t := NewMatrix(m.Cols, m.Rows)
	for i := range m.Rows {
		t.setCol(i, m.Row(i))
	}
	return t
}

// scaled returns the product D m D, where D is the diagonal matrix with the entries of d.
func (m *Matrix) scaled(d []float64) *Matrix {
	// Entry (i, j) is multiplied by dᵢ and by dⱼ.
	s := NewMatrix(m.Rows, m.Cols)
	for i, v := range d {
		axpy(s.Row(i), v, times(m.Row(i), d))
	}
	return s
}

// Mul returns the product m b, in m.Rows·m.Cols·b.Cols multiply-adds.
func (m *Matrix) Mul(b *Matrix) *Matrix {
	// Row i of the product is a sum of rows of b.
	p := NewMatrix(m.Rows, b.Cols)
	for i := range m.Rows {
		b.MulVecT(p.Row(i), m.Row(i))
	}
	return p
}

// MulVec sets dst = m x. The vectors dst and x must not overlap.
func (m *Matrix) MulVec(dst, x []float64) {
	demand(len(x) == m.Cols && len(dst) == m.Rows,
		"svm: MulVec: %d×%d matrix, x of length %d, dst of length %d",
		m.Rows, m.Cols, len(x), len(dst))
	for i := range dst {
		dst[i] = Dot(m.Row(i), x)
	}
}

// MulVecT sets dst = mᵀ x. The vectors dst and x must not overlap.
func (m *Matrix) MulVecT(dst, x []float64) {
	demand(len(x) == m.Rows && len(dst) == m.Cols,
		"svm: MulVecT: %d×%d matrix, x of length %d, dst of length %d",
		m.Rows, m.Cols, len(x), len(dst))
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

// demand panics with the message unless ok is true.
func demand(ok bool, format string, args ...any) {
	if !ok {
		panic(fmt.Sprintf(format, args...))
	}
}

// unless returns an error with the message if ok is false.
func unless(ok bool, format string, args ...any) error {
	if ok {
		return nil
	}
	return fmt.Errorf(format, args...)
}

// checkSize returns an error unless the parameter called name is finite and not negative.
func checkSize[T int | float64](name string, v T) error {
	return cmp.Or(unless(finite(float64(v)), "svm: %s is %v: %w", name, v, ErrNotFinite),
		unless(v >= 0, "svm: %s %v is negative", name, v))
}

// lowerHalf returns a copy of m with zeros above the diagonal. The error, if any, names the first
// entry of the copy that is not finite. It panics unless m is square.
func (m *Matrix) lowerHalf(caller string) (*Matrix, error) {
	demand(m.Rows == m.Cols && len(m.Data) == m.Rows*m.Cols,
		"svm: %s: %d×%d matrix is not square or has %d entries",
		caller, m.Rows, m.Cols, len(m.Data))
	l := NewMatrix(m.Rows, m.Cols)
	// What is not copied is not looked at: the other half may hold anything.
	for i := range m.Rows {
		copy(l.Row(i)[:i+1], m.Row(i))
	}
	return l, l.finite(caller)
}

// finite returns an error that names the first entry of m that is not finite, or nil. It panics
// unless Data has the length that Rows and Cols promise.
func (m *Matrix) finite(caller string) error {
	demand(m.Rows >= 0 && m.Cols >= 0 && len(m.Data) == m.Rows*m.Cols,
		"svm: %s: %d×%d matrix with %d entries", caller, m.Rows, m.Cols, len(m.Data))
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

// fault returns an error if v has not n entries, if one is NaN, or if one is infinite and infinite
// entries are not allowed; or nil.
func fault(name string, v []float64, n int, infinite bool) error {
	if len(v) != n {
		return fmt.Errorf("svm: %s has %d entries, want %d", name, len(v), n)
	}
	// A bound may be infinite, which means that nothing is bounded. Nothing may be NaN.
	bad := func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) && !infinite }
	if i := slices.IndexFunc(v, bad); i >= 0 {
		return fmt.Errorf("svm: %s[%d] is %v: %w", name, i, v[i], ErrNotFinite)
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

// axpy adds a·x to dst. Of a longer x only the first len(dst) entries count.
func axpy(dst []float64, a float64, x []float64) {
	x = x[:len(dst)] // no bounds check in the loop
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
	y = y[:len(x)] // as in axpy
	for i, u := range x {
		v := y[i]
		x[i], y[i] = c*u+s*v, c*v-s*u
	}
}

// addExact returns d + ab, rounded, and lost plus what rounding takes: the error of the product and
// the error of the sum. Unless something over- or underflows, each error is a float64 itself, so
// that simple arithmetic finds it:
//
//	error of p = fl(ab)       FMA(a, b, −p)                     [one rounding, of an exact result]
//	error of s = fl(d + p)    (d − (s − t)) + (p − t), t = s − d                    [Knuth]
func addExact(d, lost, a, b float64) (float64, float64) {
	p := float64(a * b) // the conversion rounds; else the compiler may fuse p with a later addition
	s := d + p
	t := s - d // what arrived of p; s − t is what is left of d
	return s, lost + ((d - (s - t)) + (p - t) + math.FMA(a, b, -p))
}

// axpyExact adds a·x to dst + lost, with about twice the digits of dst: lost collects what rounding
// takes from dst.
func axpyExact(dst, lost []float64, a float64, x []float64) {
	x, lost = x[:len(dst)], lost[:len(dst)]
	for i, v := range x {
		dst[i], lost[i] = addExact(dst[i], lost[i], a, v)
	}
}

// dotExact returns from + x·y, computed with twice the digits of a float64.
func dotExact(from float64, x, y []float64) float64 {
	lost := 0.0
	for i, v := range x {
		from, lost = addExact(from, lost, v, y[i])
	}
	return from + lost
}

// divide divides x by a. (Multiplying by 1/a would be faster and would round twice.)
func divide(x []float64, a float64) {
	for i := range x {
		x[i] /= a
	}
}

// norm2 returns ‖x‖².
func norm2(x []float64) float64 { return Dot(x, x) }

// norm returns ‖x‖. A power of two brings the largest entry near 1 first: no digit that counts
// changes, and no square overflows.
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
		if a := math.Abs(v); a > big || a != a { // no later number is greater than NaN
			big = a
		}
	}
	return big
}

// toUnit multiplies x by the power of two, from 2⁻¹⁰⁰⁰ to 2¹⁰⁰⁰, that brings max|xᵢ| into [1, 2) or
// nearest to it, and returns that power.
func toUnit(x []float64) float64 {
	// The bounds keep scale and 1/scale among the normal numbers, even where x is zero or infinite.
	scale := math.Ldexp(1, max(-1000, min(-math.Ilogb(largest(x)), 1000)))
	divide(x, 1/scale) // exact, unless an entry underflows
	return scale
}

// finite reports whether v is neither infinite nor NaN.
func finite(v float64) bool { return math.Abs(v) <= math.MaxFloat64 }

// nonFinite returns the index of the first entry of x that is infinite or NaN, or -1.
func nonFinite(x []float64) int {
	// Such an entry makes ‖x‖² infinite or NaN, and one inner product is quicker than many tests.
	// (Squares of large finite entries may overflow as well, so then the tests decide.)
	if finite(norm2(x)) {
		return -1
	}
	return slices.IndexFunc(x, func(v float64) bool { return !finite(v) })
}

// build returns f(0), …, f(n−1).
func build[T any](n int, f func(i int) T) []T {
	v := make([]T, n)
	for i := range v {
		v[i] = f(i)
	}
	return v
}

// constant returns the vector of n entries v.
func constant(n int, v float64) []float64 { return slices.Repeat([]float64{v}, n) }

// upTo returns 0, 1, …, n−1.
func upTo[T int | int32](n int) []T { return build(n, func(i int) T { return T(i) }) }

// times returns the vector of the products vⱼwⱼ.
func times(v, w []float64) []float64 {
	return build(len(v), func(j int) float64 { return v[j] * w[j] })
}

// support returns the indices of the entries that are not zero.
func support(v []float64) []int {
	return slices.DeleteFunc(upTo[int](len(v)), func(i int) bool { return v[i] == 0 })
}

// pick returns the entries of v with the given indices, or nil if v is nil.
func pick[T any, I int | int32](v []T, index []I) []T {
	if v == nil {
		return nil
	}
	return build(len(index), func(k int) T { return v[index[k]] })
}

// permute sets v[k] to the old v[at[k]] for k < len(at), and does nothing if v is nil.
func permute[T any](v []T, at []int) { copy(v, pick(v, at)) }

// # Cholesky: A = UᵀU
//
// Row i of A = UᵀU reads aᵢⱼ = Σ_{p≤i} uₚᵢuₚⱼ for j ≥ i, because uₚᵢ = 0 for p > i. Its last term
// is uᵢᵢuᵢⱼ. Call it rᵢⱼ. So U follows row by row from A and the rows above:
//
//	rᵢⱼ = aᵢⱼ − Σ_{p<i} uₚᵢuₚⱼ                   [the other terms to the left]                (L1)
//	uᵢᵢ = √rᵢᵢ,  uᵢⱼ = rᵢⱼ/uᵢᵢ                   [rᵢᵢ = uᵢᵢ², then rᵢⱼ = uᵢᵢuᵢⱼ]              (L2)
//
// If the pivots before it are positive, the pivot rᵢᵢ is the least value of xᵀAx over the x with xᵢ
// = 1 and xⱼ = 0 for j > i: for such x, xᵀAx = rᵢᵢ + Σ_{p<i} (Ux)ₚ², and some x₀ … xᵢ₋₁ make the
// sum vanish [back substitution]. So if A is positive definite, every pivot is positive.
// Conversely, if every pivot is positive, then U is invertible and xᵀAx = ‖Ux‖² > 0 for x ≠ 0. The
// algorithm is a test as well.
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
	if k := u.upper().factor(); k >= 0 {
		return nil, fmt.Errorf("svm: Cholesky: pivot %d is %v: %w",
			k, u.At(k, k), ErrNotPositiveDefinite)
	}
	return u.T(), nil
}

// A triangle is an upper triangular n × n matrix by rows: t[i] holds the entries i, i+1, …, n−1 of
// row i. The first rows of a triangle, [U B] with B to the right of U, are a triangle, too.
type triangle [][]float64

// upper returns the upper half of m, as a view.
func (m *Matrix) upper() triangle {
	return build(m.Rows, func(i int) []float64 { return m.Row(i)[i:] })
}

// factor replaces the upper half of A by U, where A = UᵀU, and returns −1. If a pivot is not a
// positive finite number, it stops at the first and returns its index k; t[k][0] is then that
// pivot, and the rows before k are those of U.
//
// With one axpy for each p in (L1), every multiply-add loads two numbers and stores one, and every
// row brings all rows above it through the cache. Therefore addGram takes the terms of many rows p
// from many rows i at a time. Before row i, let b be the largest power of two that divides i. Then
// the terms of the rows i−b ≤ p < i are taken from the rows i, …, i+b−1. So row 13 loses the terms
// of rows 0 to 7 when i = 8, and those of rows 8 to 11 when i = 12, as if the triangle were cut in
// two, its halves in two again, and so on. For b < 4 that does not pay: row i loses the last terms,
// those of the rows p from the last multiple of 4 on, here of row 12, by axpys.
func (t triangle) factor() int {
	const small = 4 // a power of two, and what addGram takes at a time
	for i, row := range t {
		// Each entry (j, k), i ≤ j < i+b, gains −Σ uₚⱼuₚₖ over the b rows p above row i.
		if b := i & -i; b >= small {
			above := build(b, func(p int) []float64 { return t[i-b+p][b-p:] })
			t[i:min(i+b, len(t))].addGram(constant(b, -1), above)
		}
		for p := i / small * small; p < i; p++ {
			axpy(row, -t[p][i-p], t[p][i-p:]) // (L1)
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

// addGram adds the upper half of Σₖ wₖ rowₖᵀrowₖ to the first entries of the rows of t. A panel of
// rows stays in the cache while one pass over t adds its products. The inner loop adds four rows to
// two rows of t: six loads and two stores make eight multiply-adds.
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
	// The rows above row k only lose an entry. Row k loses its first entry, and is the first x.
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

// # Eigenvalues of a symmetric matrix
//
// No formula gives the eigenvalues of a large matrix, but orthogonal changes of coordinates keep
// them: if A = QTQᵀ and Q is orthogonal, then A and T have the same eigenvalues, and Q times an
// eigenvector of T is an eigenvector of A. So A is made simpler, in two stages. First, n − 2
// reflections make A tridiagonal: only the diagonal and its two neighbors are left. Then rotations
// make the tridiagonal matrix diagonal, which takes a sweep or two for each eigenvalue. The product
// of all reflections and rotations has the eigenvectors. Orthogonal matrices keep lengths, so
// rounding errors do not grow.
//
// We want a reflection that maps a vector x to a multiple of the last axis e, and leaves all
// coordinates alone that x does not have. Let xₗ be the last entry of x, g = −sgn(xₗ)‖x‖ (this sign
// avoids cancellation in xₗ − g), and v = (x − g·e)/√h, with the h that makes ‖v‖² = 2. Then
//
//	h = g(g − xₗ)                                     [2h = ‖x − g·e‖² = ‖x‖² − 2g xₗ + g²]
//	H = I − vvᵀ is symmetric, orthogonal, Hx = g·e    [vᵀx = (g² − g xₗ)/√h = √h]             (L4)
//	HAH = A − vqᵀ − qvᵀ,  q = p − ½(vᵀp) v,  p = Av   [multiply out, halve (vᵀp) vvᵀ]         (L5)
//
// Taking for x the part of row i left of the diagonal, for i = n−1, …, 2, leaves T = QᵀAQ, where Q
// is the product of the H in this order. (For i = 1 there is nothing to do.)
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
// A sweep need not form T − σI. If no off-diagonal entry of T is 0 (at such an entry T falls into
// blocks), the last column of R gives the others, up to signs, because RᵀTR is tridiagonal. So σ
// enters only the first rotation, of the last two rows m−1 and m: its (c, s) is (dₘ − σ, eₘ₋₁),
// normalized. Each rotation makes an entry f = s·eᵢ outside the band. The next rotation, one row
// higher, removes f: its (c, s) is (g, f), normalized, where g is the entry beside f. On the 2×2
// block with diagonal dᵢ, dᵢ₊₁ and off-diagonal b a rotation does this:
//
//	q = s(dᵢ − dᵢ₊₁) + 2cb:  dᵢ₊₁ ← dᵢ₊₁ + sq,  dᵢ ← dᵢ − sq,  b ← cq − b   [s² + c² = 1]     (L7)

// SymEigen returns the eigenvalues of the symmetric a in ascending order, and the matrix v whose
// columns are the corresponding orthonormal eigenvectors: a = v diag(values) vᵀ up to a small
// multiple of ε‖a‖. A small eigenvalue has no more digits than that leaves. It reads only the lower
// half of a, diagonal included, and panics if that half holds an infinity or a NaN. The cost is 3n³
// to 6n³ multiply-adds: 4n³/3 to find T and Q, the rest to rotate the rows of Qᵀ.
func SymEigen(a *Matrix) (values []float64, v *Matrix) {
	z, err := a.lowerHalf("SymEigen")
	demand(err == nil, "%v", err)
	// Squares would over- or underflow, so the largest entry is brought near 1, by a power of two:
	// that changes no digit. (Entries that underflow beside the largest do not matter.)
	scale := toUnit(z.Data)
	d, e := tridiagonalize(z)

	// QL sweeps turn d, the diagonal of T, into the eigenvalues. Their rotations apply to the rows
	// of z, too: Qᵀ becomes the transpose of v.
	for l, sweeps := 0, 0; l < len(d); {
		// Rows l … m are the first block that no negligible e[i] splits. To take such an e[i] for 0
		// changes A by no more than rounding has done.
		m := l
		for m < len(d)-1 && math.Abs(e[m]) >
			machineEps*(math.Abs(d[m])+math.Abs(d[m+1]))+negligible {
			m++
		}
		if m == l {
			l++ // d[l] is an eigenvalue
			continue
		}
		sweeps++
		demand(sweeps <= sweepBudget*len(d), "svm: SymEigen: no convergence")

		// One sweep, from the bottom of the block to its top. First the shift (L6), which makes
		// e[l] small: after a sweep or two d[l] is an eigenvalue, and row l+1 begins the block.
		gamma := (d[l+1] - d[l]) / (2 * e[l])
		sigma := d[l] - e[l]/(gamma+math.Copysign(math.Sqrt(gamma*gamma+1), gamma))
		g := d[m] - sigma
		c, s, p := 1.0, 1.0, 0.0 // p is the sq that dᵢ₊₁ has yet to lose
		for i := m - 1; i >= l; i-- {
			// The rotation that removes f, the entry outside the band. Before the first rotation
			// there is none, but c = s = 1 makes (g, f) the pair that begins a sweep.
			f, b := s*e[i], c*e[i]
			r := math.Sqrt(f*f + g*g)
			e[i+1] = r
			if c, s = g/r, f/r; r < negligible {
				c, s = 1, 0 // there is nothing to rotate away: the block splits here
			}
			rotate(z.Row(i+1), z.Row(i), c, s)
			// Its effect on the 2×2 block of rows i and i+1.
			d[i+1] -= p
			q := s*(d[i]-d[i+1]) + 2*c*b // (L7)
			p = s * q
			d[i+1] += p
			g = c*q - b
		}
		// The sweep has passed the top.
		d[l] -= p
		e[l], e[m] = g, 0
	}

	// The rows of z are eigenvectors.
	values, v = make([]float64, len(d)), NewMatrix(len(d), len(d))
	order := upTo[int](len(d))
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(d[i], d[j]) })
	for j, k := range order {
		values[j] = d[k] / scale
		v.setCol(j, z.Row(k))
	}
	return values, v
}

// tridiagonalize reduces the symmetric matrix whose lower half is z to T = QᵀAQ, replaces z by Qᵀ,
// and returns the diagonal of T and its subdiagonal, e[i] = T[i+1][i].
func tridiagonalize(z *Matrix) (d, e []float64) {
	n := z.Rows
	d, e = make([]float64, n), make([]float64, n)
	// From the last row up, so that what is done already lies outside of the block that is left.
	for i := n - 1; i > 0; i-- {
		// The reflection (L4) of row i. If all but its last entry are 0 already, v = 0 and H = I.
		x, l := z.Row(i)[:i], i-1
		e[l] = x[l]
		rest := norm2(x[:l])
		if rest < negligible*negligible {
			clear(x)
			continue
		}
		e[l] = -math.Copysign(math.Sqrt(rest+x[l]*x[l]), x[l]) // g
		x[l] -= e[l]
		divide(x, math.Sqrt(-e[l]*x[l])) // x is v from here on

		// The leading i × i block A becomes HAH (L5). Row j of its lower half is column j of its
		// upper half, too, so one pass over the half yields p = Av, and a second pass updates it.
		p := make([]float64, i)
		for j := range p {
			zj := z.Row(j)[:j+1]
			p[j] = Dot(zj, x[:j+1])
			axpy(p[:j], x[j], zj[:j])
		}
		axpy(p, -Dot(p, x)/2, x) // p is q from here on
		for j := range p {
			axpy(z.Row(j)[:j+1], -x[j], p[:j+1])
			axpy(z.Row(j)[:j+1], -p[j], x[:j+1])
		}
	}

	// Row i of z has the v of the H for i. Multiply the H together, the last first: before step i
	// the leading i × i block of z is the product so far, and to its right there are zeros.
	for i := range n {
		zi := z.Row(i)
		d[i] = zi[i]
		for j := range i {
			zj := z.Row(j)[:i]
			axpy(zj, -Dot(zj, zi[:i]), zi[:i])
		}
		clear(zi)
		zi[i] = 1
	}
	return d, e
}

// # Singular values
//
// The eigenvalues of XᵀX are the squares of the singular values of X, but to form XᵀX loses half of
// the digits. Jacobi's method in its one-sided form diagonalizes XᵀX without forming it: make the
// columns of W = XV orthogonal by rotating pairs of them. With α = ‖wₚ‖², β = ‖w_q‖², γ = wₚ·w_q,
//
//	(c wₚ − s w_q)·(s wₚ + c w_q) = cs(α − β) + (c² − s²)γ = 0    [so that the pair is orthogonal]
//	t² + 2ζt − 1 = 0,  t = s/c, ζ = (β − α)/(2γ)                   [divide by −c²γ]
//	t = 1/(ζ + sgn(ζ)√(1 + ζ²))                                [the root nearer to 0]         (L8)
//
// Each rotation lowers Σ_{p<q} (wₚ·w_q)² by γ²: the other entries of WᵀW in rows p and q are
// rotated in pairs, which keeps their squares' sum. When the cosines of all pairs are rounding
// errors, X = WVᵀ = PSVᵀ with sⱼ = ‖wⱼ‖ and pⱼ = wⱼ/sⱼ; where sⱼ = 0, any pⱼ orthogonal to the
// others will do. The program keeps rows [wⱼ | vⱼ], so that one loop rotates both.
//
// What lectures read off the factors: the rank of X is the number of sⱼ > 0 [P and V do not change
// it]; the columns of P with sⱼ > 0 span the range of X, and those of V with sⱼ = 0 its null space
// [X = Σ sⱼpⱼvⱼᵀ]. In the full decomposition P and V are square. If m ≥ n, the thin one has V
// already, and the full P is that of X with m − n columns of zeros appended; likewise, with rows,
// if m < n.

// SVD returns the thin singular value decomposition x = u diag(s) vᵀ of an m × n matrix: with k =
// min(m, n), u is m × k and v is n × k with orthonormal columns (even where s vanishes), and s ≥ 0
// descends. Errors are a small multiple of ε‖x‖; a small singular value has more digits if x = BD,
// D diagonal and B far from singular (DB if m < n). Singular values of about 2⁻⁴⁸⁰ times the
// largest entry or less may be returned as 0. SVD panics if x holds an infinity or a NaN. The cost
// is some ten sweeps of up to k²(m + n)/2 rotated pairs of entries, and twice as many sweeps or
// more where rows (columns if m < n) of x differ by a hundred powers of ten. Jacobi's method is
// accurate, not quick.
func SVD(x *Matrix) (u *Matrix, s []float64, v *Matrix) {
	err := x.finite("SVD")
	demand(err == nil, "%v", err)
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
		demand(sweep < sweepBudget+n, "svm: SVD: no convergence")
		// Before every sweep ‖vⱼ‖, which grows where c is rounded to 1, is made 1 again, and the
		// norms are computed afresh: no rounding error accumulates.
		rotated = false
		for j, r := range rows {
			divide(r, math.Sqrt(norm2(r[m:])))
			norms[j] = norm2(r[:m])
		}
		for p := range rows {
			// The longest of the rest goes first: then fewer sweeps are needed, and the last, which
			// rotates nothing, leaves the rows in order.
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

	// Row by row, divide wⱼ by its length. A row that counts as zero has no direction: it gets one
	// that is orthogonal to those before. (All after it count as zero, too.)
	s = make([]float64, n)
	for j, row := range rows {
		if norms[j] < negligible*negligible {
			copy(row, orthogonal(rows[:j], m))
		} else {
			length := math.Sqrt(norms[j])
			s[j] = length / scale
			divide(row[:m], length)
		}
	}
	// Row j has column j of u, and then column j of v.
	uv := MatrixFromRows(rows).T().Data
	return &Matrix{m, n, uv[: m*n : m*n]}, s, &Matrix{n, n, uv[m*n:]}
}

// orthogonal returns a unit vector of m entries, orthogonal to the first m entries of the rows,
// which are fewer than m orthonormal vectors: the axis farthest from their span, minus its
// projection. The squared lengths of the projections of all m axes sum to the dimension of the
// span, at most m − 1, so the difference is at least 1/√m long. What rounding leaves of the
// projection is therefore small, and a second pass removes it.
func orthogonal(rows [][]float64, m int) []float64 {
	// The projection of axis i has the squared length Σᵣ rᵢ².
	x, length2 := make([]float64, m), make([]float64, m)
	for _, r := range rows {
		axpy(length2, 1, times(r[:m], r))
	}
	x[slices.Index(length2, slices.Min(length2))] = 1
	for _, r := range slices.Concat(rows, rows) {
		axpy(x, -Dot(x, r[:m]), r)
	}
	divide(x, norm(x))
	return x
}

// Part II. What the solvers need
//
// # Loops on several cores
//
// The rows of a kernel matrix, the predictions for many points, the folds of a cross-validation:
// such loops have bodies that do not need each other. They are handed out one index at a time, to
// whoever is free, because some bodies take longer than others. Each body writes only to places of
// its own. So the result does not depend on the number of goroutines, nor on who takes which index:
// the same program gives the same bits on one core and on many.
//
// To start a goroutine and wake a core for it takes ten microseconds or more, which is as long as
// the shortest loops of solvers. So a solver has a team, whose members stay awake between loops for
// a while: they read, again and again, where the next loop would be. That costs nothing but their
// time.

// A team shares loops among goroutines. The caller of do is one of them, the others are members.
type team struct {
	workers int                  // with the caller; 0, or more than GOMAXPROCS, means GOMAXPROCS
	spins   int                  // how often a member looks for the next loop before it leaves
	members atomic.Int64         // how many there are at present
	present atomic.Pointer[loop] // the loop of the last do
}

// A loop calls f(0), …, f(n−1), each once, and closes over when the last call has returned.
type loop struct {
	f      func(i int)
	n      int64
	taken  atomic.Int64        // how many indices have been taken
	done   atomic.Int64        // how many of their calls are known to have returned
	raised atomic.Pointer[any] // what f panicked with, if it did
	over   chan struct{}
}

// parallel is do for a team that has no other loop.
func parallel(workers, n int, f func(i int)) { (&team{workers: workers}).do(n, f) }

// do calls f(0), …, f(n−1), each once, on at most n goroutines of the team. Alone, the caller makes
// the calls in ascending order. When do returns, all calls have returned. If f panics, no further
// indices are taken, and do panics with the same value.
func (t *team) do(n int, f func(i int)) {
	workers := min(cmp.Or(t.workers, n), n, runtime.GOMAXPROCS(0))
	if workers <= 1 {
		for i := range n {
			f(i)
		}
		return
	}
	// Members who are awake find the loop; for those who have left there are new ones. A member who
	// is about to leave still counts: then the others do more.
	l := &loop{f: f, n: int64(n), over: make(chan struct{})}
	t.present.Store(l)
	for t.members.Load() < int64(workers-1) {
		t.members.Add(1)
		go func() {
			defer t.members.Add(-1)
			// Work for l and for later loops, until there has been none for a while.
			var mine *loop
			for spin := 0; spin <= t.spins; spin++ {
				if next := t.present.Load(); next != mine {
					mine, spin = next, 0
					mine.work()
				}
			}
		}()
	}
	l.work() // the caller's share
	for spin := 0; spin < t.spins && l.done.Load() < l.n; spin++ {
		// The last calls of the others will end soon, or else the caller sleeps.
	}
	<-l.over
	if r := l.raised.Load(); r != nil { // of several panics, the last
		panic(*r)
	}
}

// work takes indices until none is left. A counter hands them out, which costs some nanoseconds for
// each. A member who comes late finds that all are taken.
func (l *loop) work() {
	calls, ended := int64(0), false
	defer func() {
		// If f panicked or ended the goroutine, take all indices, so that no other finds one.
		if r := recover(); !ended {
			l.raised.Store(&r)
			calls += 1 + max(0, l.n-l.taken.Swap(l.n))
		}
		if calls > 0 && l.done.Add(calls) == l.n {
			close(l.over)
		}
	}()
	for i := l.taken.Add(1); i <= l.n; i = l.taken.Add(1) {
		l.f(int(i - 1))
		calls++
	}
	ended = true
}

// # Sparse vectors
//
// A vector with few non-zeros is stored as a list of them, and the inner product of two such lists
// is one pass through both. A product of a vector and a matrix of such rows costs as many
// multiply-adds as the matrix has entries that are not 0.

// A Sparse is a vector given by its non-zeros: coordinate Index[k] ≥ 0 is Value[k], and all others
// are 0. The indices ascend strictly: all products rely on that, and training checks it. A Sparse
// has no dimension: any two have an inner product.
type Sparse struct {
	Index []int32
	Value []float64
}

// NewSparse returns the non-zeros of x.
func NewSparse(x []float64) Sparse { return Sparse{upTo[int32](len(x)), x}.nonZeros() }

// nonZeros returns a copy of x without the entries that are 0.
func (x Sparse) nonZeros() Sparse {
	at := support(x.Value)
	return Sparse{pick(x.Index, at), pick(x.Value, at)}
}

// Dot returns x·z, in one pass through both.
func (x Sparse) Dot(z Sparse) (sum float64) {
	// Before entry i of x, entry j of z is the first that may have the same index.
	j := 0
	for i, f := range x.Index {
		for j < len(z.Index) && z.Index[j] < f {
			j++
		}
		if j < len(z.Index) && z.Index[j] == f {
			sum += x.Value[i] * z.Value[j]
		}
	}
	return sum
}

// DotDense returns x·w, where coordinates beyond the end of w count as 0. It costs the non-zeros of
// x.
func (x Sparse) DotDense(w []float64) (sum float64) {
	for i, f := range x.Index {
		if int(f) < len(w) {
			sum += x.Value[i] * w[f]
		}
	}
	return sum
}

// addTo adds a·x to a vector of which dst has the coordinates from, from+1, ….
func (x *Sparse) addTo(dst []float64, a float64, from int) {
	// Indices ascend: skip those before from, and stop behind those of dst.
	index, value := x.Index, x.Value
	if from > 0 { // else there is nothing to skip
		k, _ := slices.BinarySearch(index, int32(from))
		index, value = index[k:], value[k:]
	}
	value = value[:len(index)] // so that the compiler knows that value[k] exists
	for k, f := range index {
		j := int(f) - from
		if j >= len(dst) {
			return
		}
		dst[j] += a * value[k]
	}
}

// addExactTo is addTo with twice the digits: lost collects what rounding takes from dst.
func (x Sparse) addExactTo(dst, lost []float64, a float64, from int) {
	for k, f := range x.Index {
		if j := int(f) - from; 0 <= j && j < len(dst) {
			dst[j], lost[j] = addExact(dst[j], lost[j], a, x.Value[k])
		}
	}
}

// A sparseMatrix is a matrix of sparse rows, cols coordinates each.
type sparseMatrix struct {
	cols int
	rows []Sparse
}

// mulVecT returns Mᵀx.
func (m *sparseMatrix) mulVecT(x []float64) []float64 {
	// The sum of the rows of M, xᵢ times row i.
	sum := make([]float64, m.cols)
	for i, a := range x {
		m.rows[i].addTo(sum, a, 0)
	}
	return sum
}

// # Exercises
//
// The solutions are tests, TestExercises in svm_test.go. Don't peek.
//
//  1. Are eigenvalues and singular values related (Harmeling)? Compute both for the matrix X with
//     rows (3, 0) and (4, 5), from XᵀX and from XXᵀ, by hand.
//  2. What are the rank, the range and the null space of the matrix with rows (1, 2, 3) and
//     (2, 4, 6)? Where are they in its [SVD]?
//  3. Are positive definite matrices symmetric (Harmeling)? Find an A with xᵀAx = ‖x‖² that is not.
//     What does [Cholesky] make of A, and what should be passed in place of A?
