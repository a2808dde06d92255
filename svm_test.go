// Copyright 2026 The svm authors. All rights reserved.
// Use of this source code is governed by the MIT
// license that can be found in the LICENSE file.

package svm

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// laRandom returns an m × n matrix of standard normal entries.
func laRandom(seed uint64, m, n int) *Matrix {
	rng := rand.New(rand.NewPCG(seed, 1))
	a := NewMatrix(m, n)
	for i := range a.Data {
		a.Data[i] = rng.NormFloat64()
	}
	return a
}

// laIntegers returns an m × n matrix of integers in [−size, size].
func laIntegers(seed uint64, m, n, size int) *Matrix {
	rng := rand.New(rand.NewPCG(seed, 2))
	a := NewMatrix(m, n)
	for i := range a.Data {
		a.Data[i] = float64(rng.IntN(2*size+1) - size)
	}
	return a
}

// laFill returns the m × n matrix with entries f(i, j).
func laFill(m, n int, f func(i, j int) float64) *Matrix {
	a := NewMatrix(m, n)
	for i := range m {
		for j := range n {
			a.Set(i, j, f(i, j))
		}
	}
	return a
}

// laDiag returns the diagonal matrix of d.
func laDiag(d ...float64) *Matrix {
	return laFill(len(d), len(d), func(i, j int) float64 {
		if i == j {
			return d[i]
		}
		return 0
	})
}

// laScaled returns c·a.
func laScaled(c float64, a *Matrix) *Matrix {
	return laFill(a.Rows, a.Cols, func(i, j int) float64 { return c * a.At(i, j) })
}

// laMul is the definition of the matrix product, for comparison with Mul.
func laMul(a, b *Matrix) *Matrix {
	return laFill(a.Rows, b.Cols, func(i, j int) float64 {
		s := 0.0
		for k := range a.Cols {
			s += a.At(i, k) * b.At(k, j)
		}
		return s
	})
}

// laSym returns an n × n matrix B + Bᵀ with integer B.
func laSym(seed uint64, n, size int) *Matrix {
	b := laIntegers(seed, n, n, size)
	return laFill(n, n, func(i, j int) float64 { return b.At(i, j) + b.At(j, i) })
}

// laPositive returns the positive definite BBᵀ + n·I, whose condition number is about 5, whatever n is.
func laPositive(seed uint64, n int) *Matrix {
	b := laRandom(seed, n, n)
	a := laMul(b, b.T())
	for i := range n {
		a.Set(i, i, a.At(i, i)+float64(n))
	}
	return a
}

// laDiff returns maxᵢⱼ |aᵢⱼ − bᵢⱼ|, or +Inf where one is NaN or the shapes differ.
func laDiff(a, b *Matrix) float64 {
	if a.Rows != b.Rows || a.Cols != b.Cols {
		return math.Inf(1)
	}
	worst := 0.0
	for i, v := range a.Data {
		if d := math.Abs(v - b.Data[i]); !(d <= worst) {
			worst = d
		}
		if math.IsNaN(worst) {
			return math.Inf(1)
		}
	}
	return worst
}

// laMax returns the largest |aᵢⱼ|.
func laMax(a *Matrix) float64 { return laDiff(a, NewMatrix(a.Rows, a.Cols)) }

// laOrtho returns the largest entry of |vᵀv − I|.
func laOrtho(v *Matrix) float64 {
	one := make([]float64, v.Cols)
	for i := range one {
		one[i] = 1
	}
	return laDiff(laMul(v.T(), v), laDiag(one...))
}

// laUpper returns the factor stored in t as a matrix; laTriangle does the opposite.
func laUpper(t triangle) *Matrix {
	return laFill(len(t), len(t), func(i, j int) float64 {
		if j < i {
			return 0
		}
		return t[i][j-i]
	})
}

func laTriangle(a *Matrix) triangle {
	t := newTriangle(a.Rows)
	for i := range t {
		copy(t[i], a.Row(i)[i:])
	}
	return t
}

// laTridiagonal returns the symmetric tridiagonal matrix with diagonal d and subdiagonal e.
func laTridiagonal(d, e []float64) *Matrix {
	a := laDiag(d...)
	for i := range len(d) - 1 {
		a.Set(i, i+1, e[i])
		a.Set(i+1, i, e[i])
	}
	return a
}

// laEps bounds the rounding errors of an algorithm that touches each of n entries of a row a few times: every test of
// this file that is not exact uses it, times the size of the data. Errors of correct code were seen to stay below a
// tenth of it, and a wrong formula exceeds it by ten orders of magnitude.
func laEps(n int) float64 { return 10 * machineEps * float64(n+1) }

// laPanic returns what f panics with, as text.
func laPanic(f func()) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = fmt.Sprint(r)
		}
	}()
	f()
	return "no panic"
}

// Dot is Σ xᵢyᵢ, and m x, mᵀx and m b are made of it. On small integers floating-point sums are exact in any order.
func TestLinalgProducts(t *testing.T) {
	for n := range 14 {
		x, y := laIntegers(1, 1, n, 100), laIntegers(2, 1, n, 100)
		if got, want := Dot(x.Data, y.Data), laMul(x, y.T()).At(0, 0); got != want {
			t.Errorf("Dot of length %d = %v, want %v", n, got, want)
		}
		if got, want := norm2(x.Data), laMul(x, x.T()).At(0, 0); got != want {
			t.Errorf("norm2 of length %d = %v, want %v", n, got, want)
		}
		for m := range 10 {
			a, b := laIntegers(3, m, n, 100), laIntegers(4, n, 5, 100)
			if got := a.Mul(b); laDiff(got, laMul(a, b)) != 0 {
				t.Errorf("%d×%d Mul %d×5 = %v, want %v", m, n, n, got, laMul(a, b))
			}
			ax, by := laIntegers(5, m, 1, 9), laIntegers(6, n, 1, 9) // dst is overwritten, whatever it holds
			a.MulVec(ax.Data, x.Data)
			if want := laMul(a, x.T()); laDiff(ax, want) != 0 {
				t.Errorf("%d×%d MulVec = %v, want %v", m, n, ax.Data, want.Data)
			}
			z := laIntegers(7, m, 1, 100)
			a.MulVecT(by.Data, z.Data)
			if want := laMul(a.T(), z); laDiff(by, want) != 0 {
				t.Errorf("%d×%d MulVecT = %v, want %v", m, n, by.Data, want.Data)
			}
			for i := range m {
				for j := range n {
					if a.T().At(j, i) != a.At(i, j) {
						t.Errorf("T().At(%d, %d) = %v, want %v", j, i, a.T().At(j, i), a.At(i, j))
					}
				}
			}
		}
	}
}

func TestLinalgMatrix(t *testing.T) {
	rows := [][]float64{{1, 2, 3}, {4, 5, 6}}
	m := MatrixFromRows(rows)
	rows[0][0] = 99 // the rows were copied
	if want := []float64{1, 2, 3, 4, 5, 6}; m.Rows != 2 || m.Cols != 3 || !slices.Equal(m.Data, want) {
		t.Errorf("MatrixFromRows = %v, want 2×3 %v", m, want)
	}
	m.Set(1, 0, -4)
	m.Row(1)[2] = -6 // a view
	if got, want := m.At(1, 0)+m.At(1, 2), -10.0; got != want {
		t.Errorf("entries (1, 0) and (1, 2) sum to %v, want %v", got, want)
	}
	if got := append(m.Row(0), 7); m.At(1, 0) != -4 {
		t.Errorf("appending to row 0 gave %v and wrote to row 1", got)
	}
	if e := MatrixFromRows(nil); e.Rows != 0 || e.Cols != 0 {
		t.Errorf("MatrixFromRows(nil) = %v, want 0×0", e)
	}
}

// axpy4 is four axpys, and axpy is dst + a·x. Where the compiler fuses multiplications with additions the two may
// round differently, by an ulp per term; on integers neither rounds. Entries beyond len(dst) are not touched.
func TestLinalgAxpy4(t *testing.T) {
	for n := range 19 {
		for _, exact := range []bool{true, false} {
			x, a := laRandom(1, 5, n+2), laRandom(2, 1, 4).Data
			tol := laEps(4) * laMax(x) * math.Sqrt(norm2(a))
			if exact {
				x, a, tol = laIntegers(1, 5, n+2, 50), []float64{2, -3, 5, -7}, 0
			}
			one := append([]float64(nil), x.Row(0)...)
			want := append([]float64(nil), x.Row(0)...)
			for k, ak := range a {
				axpy(one[:n], ak, x.Row(k+1))
				for i := range n {
					want[i] += ak * x.At(k+1, i)
				}
			}
			four := x.Row(0)
			axpy4(four[:n], a[0], x.Row(1), a[1], x.Row(2), a[2], x.Row(3), a[3], x.Row(4))
			for i, w := range want {
				if !(math.Abs(one[i]-w) <= tol && math.Abs(four[i]-w) <= tol) {
					t.Errorf("n = %d, entry %d: axpy gives %v, axpy4 %v, want %v ± %g", n, i, one[i], four[i], w, tol)
				}
			}
		}
	}
}

func TestLinalgAllFinite(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, test := range []struct {
		x    []float64
		want int
	}{
		{nil, -1},
		{[]float64{0, -1, math.MaxFloat64, -math.MaxFloat64, 5e-324}, -1},
		{[]float64{nan}, 0},
		{[]float64{1, inf, nan}, 1},
		{[]float64{1, 2, -inf}, 2},
	} {
		if got := allFinite(test.x); got != test.want {
			t.Errorf("allFinite(%v) = %d, want %d", test.x, got, test.want)
		}
	}
}

func TestLinalgPanics(t *testing.T) {
	m, bad, three := NewMatrix(2, 3), &Matrix{Rows: 2, Cols: 2, Data: make([]float64, 3)}, make([]float64, 3)
	two, nan := three[:2], MatrixFromRows([][]float64{{1, 0}, {math.NaN(), 1}})
	for _, test := range []struct {
		name, want string
		f          func()
	}{
		{"NewMatrix", "svm: NewMatrix: -1×2", func() { NewMatrix(-1, 2) }},
		{"ragged rows", "svm: MatrixFromRows: row 1 has length 2, row 0 has length 3", func() { MatrixFromRows([][]float64{three, two}) }},
		{"row", "out of range", func() { m.Row(2) }},
		{"column", "out of range", func() { m.At(0, 3) }},
		{"set", "out of range", func() { m.Set(0, -1, 0) }},
		{"Dot", "svm: Dot: vectors of lengths 2 and 3", func() { Dot(two, three) }},
		{"Dot", "svm: Dot: vectors of lengths 3 and 2", func() { Dot(three, two) }},
		{"Mul", "svm: Mul: 2×3 times 2×3", func() { m.Mul(m) }},
		{"MulVec", "svm: MulVec: 2×3 matrix, x of length 2, dst of length 2", func() { m.MulVec(two, two) }},
		{"MulVec", "svm: MulVec: 2×3 matrix, x of length 3, dst of length 3", func() { m.MulVec(three, three) }},
		{"MulVecT", "svm: MulVecT: 2×3 matrix, x of length 3, dst of length 3", func() { m.MulVecT(three, three) }},
		{"MulVecT", "svm: MulVecT: 2×3 matrix, x of length 2, dst of length 2", func() { m.MulVecT(two, two) }},
		{"Cholesky", "svm: Cholesky: 2×3 matrix is not square", func() { Cholesky(m) }},
		{"Cholesky data", "svm: Cholesky: 2×2 matrix with 3 entries", func() { Cholesky(bad) }},
		{"SymEigen", "svm: SymEigen: 2×3 matrix is not square", func() { SymEigen(m) }},
		{"SymEigen data", "svm: SymEigen: 2×2 matrix with 3 entries", func() { SymEigen(bad) }},
		{"SymEigen NaN", "svm: SymEigen: entry (1, 0) is NaN: value is not finite", func() { SymEigen(nan) }},
		{"SVD data", "svm: SVD: 2×2 matrix with 3 entries", func() { SVD(bad) }},
		{"SVD NaN", "svm: SVD: entry (1, 0) is NaN: value is not finite", func() { SVD(nan) }},
		{"SVD Inf", "svm: SVD: entry (0, 1) is -Inf: value is not finite", func() { SVD(MatrixFromRows([][]float64{{0, math.Inf(-1)}})) }},
	} {
		if got := laPanic(test.f); !strings.Contains(got, test.want) {
			t.Errorf("%s panics with %q, want %q", test.name, got, test.want)
		}
	}
}

// L1, L2: rᵢⱼ = aᵢⱼ − Σ_{p<i} uₚᵢuₚⱼ, uᵢᵢ = √rᵢᵢ, uᵢⱼ = rᵢⱼ/uᵢᵢ. When L is an integer matrix every step for A = LLᵀ is
// exact, so Cholesky must return L itself; the sizes straddle the panels. The upper half of A is not read.
func TestL1CholeskyExact(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, 4, 5, 8, 9, panelRows - 1, panelRows, panelRows + 1, 2*panelRows + 3, 4*panelRows + 6} {
		b := laIntegers(uint64(n), n, n, 3)
		want := laFill(n, n, func(i, j int) float64 {
			switch {
			case i < j:
				return 0
			case i == j:
				return 1 + math.Abs(b.At(i, j))
			}
			return b.At(i, j)
		})
		a := laMul(want, want.T())
		for i := range n {
			for j := i + 1; j < n; j++ {
				a.Set(i, j, math.NaN())
			}
		}
		before := slices.Clone(a.Data)
		got, err := Cholesky(a)
		if err != nil || laDiff(got, want) != 0 {
			t.Errorf("n = %d: Cholesky(LLᵀ) = %v, %v, want %v", n, got, err, want)
		}
		for i, v := range a.Data {
			if v != before[i] && before[i] == before[i] {
				t.Fatalf("n = %d: Cholesky changed its argument", n)
			}
		}
	}
}

// L2: A is positive definite if and only if every pivot is positive. The pivots are quotients of leading principal
// minors, so the index reported is that of the first minor that is not positive, for all 3 × 3 matrices with entries in
// −2 … 2. (Where that minor is 0 the pivot is a rounding error and its sign proves nothing.)
func TestL2CholeskyPivots(t *testing.T) {
	counts := [4]int{}
	for code := range 15625 {
		var v [6]int // a00 a10 a11 a20 a21 a22
		for k := range v {
			v[k] = code%5 - 2
			code /= 5
		}
		minors := []int{v[0], v[0]*v[2] - v[1]*v[1], v[0]*(v[2]*v[5]-v[4]*v[4]) - v[1]*(v[1]*v[5]-v[4]*v[3]) + v[3]*(v[1]*v[4]-v[2]*v[3])}
		want := slices.IndexFunc(minors, func(d int) bool { return d <= 0 })
		if want >= 0 && minors[want] == 0 && want > 0 {
			continue
		}
		f := func(i int) float64 { return float64(v[i]) }
		a := MatrixFromRows([][]float64{{f(0), 9, 9}, {f(1), f(2), 9}, {f(3), f(4), f(5)}})
		_, err := Cholesky(a)
		switch {
		case want < 0 && err != nil:
			t.Fatalf("Cholesky(%v) = %v, want success", v, err)
		case want >= 0 && (!errors.Is(err, ErrNotPositiveDefinite) || !strings.Contains(err.Error(), fmt.Sprintf("pivot %d is", want))):
			t.Fatalf("Cholesky(%v) = %v, want ErrNotPositiveDefinite at pivot %d", v, err, want)
		}
		counts[want+1]++
	}
	if slices.Contains(counts[:], 0) {
		t.Errorf("cases by outcome: %v, want some of each", counts)
	}
}

// An entry that is infinite or NaN ends in a pivot: factor reports it wherever it stands, and Cholesky names it.
func TestL2CholeskyNotFinite(t *testing.T) {
	const n = 6
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for i := range n {
			for j := range i + 1 {
				a := laPositive(1, n)
				a.Set(i, j, bad)
				_, err := Cholesky(a)
				if want := fmt.Sprintf("svm: Cholesky: entry (%d, %d) is %v: ", i, j, bad); !errors.Is(err, ErrNotFinite) || !strings.HasPrefix(err.Error(), want) {
					t.Errorf("%v at (%d, %d): error %v, want %q…", bad, i, j, err, want)
				}
				if k := laTriangle(a.T()).factor(); k != i {
					t.Errorf("%v at (%d, %d): factor stops at %d, want %d", bad, i, j, k, i)
				}
			}
		}
	}
}

// UᵀU = A up to rounding; Uᵀy = b, then Ux = y, solve Ax = b: checked by multiplying out.
func TestL1Solve(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, 7, panelRows, 3*panelRows + 5} {
		a, b := laPositive(3, n), laRandom(4, n, 1)
		tr := laTriangle(a)
		if k := tr.factor(); k >= 0 {
			t.Fatalf("n = %d: factor = %d, want -1", n, k)
		}
		u := laUpper(tr)
		tol := laEps(n) * laMax(a)
		if d := laDiff(laMul(u.T(), u), a); !(d <= tol) {
			t.Errorf("n = %d: ‖UᵀU − A‖ = %g, want ≤ %g", n, d, tol)
		}
		tol *= 1 + laMax(b) // A ≥ n, so the solutions are no larger than b
		for _, test := range []struct {
			name  string
			m     *Matrix
			solve func([]float64)
		}{{"solve", a, tr.solve}, {"solveT", u.T(), tr.solveT}, {"solveU", u, tr.solveU}} {
			x := laScaled(1, b)
			test.solve(x.Data)
			if d := laDiff(laMul(test.m, x), b); !(d <= tol) {
				t.Errorf("n = %d: residual of %s = %g, want ≤ %g", n, test.name, d, tol)
			}
		}
	}
}

// L3: deleting column k of U and rotating the rows i and i+1, i = k … n−2, gives the Cholesky factor of A without row and
// column k. It has to be what factoring that matrix gives, also after many deletions.
func TestL3Drop(t *testing.T) {
	remove := func(a *Matrix, k int) *Matrix {
		skip := func(i int) int {
			if i < k {
				return i
			}
			return i + 1
		}
		return laFill(a.Rows-1, a.Cols-1, func(i, j int) float64 { return a.At(skip(i), skip(j)) })
	}
	check := func(name string, got triangle, a *Matrix) {
		t.Helper()
		want := laTriangle(a)
		want.factor()
		tol := laEps(a.Rows) * math.Sqrt(laMax(a)) * 10 // entries of U are at most √max aᵢᵢ, the condition of A is about 5
		if d := laDiff(laUpper(got), laUpper(want)); !(d <= tol) {
			t.Errorf("%s: differs by %g from the factor of the smaller matrix, want ≤ %g", name, d, tol)
		}
	}
	for _, n := range []int{1, 2, 3, 4, 5, 9, 40} {
		a := laPositive(5, n)
		for k := range n {
			tr := laTriangle(a)
			tr.factor()
			check(fmt.Sprintf("n = %d, drop(%d)", n, k), tr.drop(k), remove(a, k))
		}
		rng, tr := rand.New(rand.NewPCG(6, uint64(n))), laTriangle(a)
		tr.factor()
		for m := n; m > 0; m-- {
			k := rng.IntN(m)
			tr, a = tr.drop(k), remove(a, k)
			check(fmt.Sprintf("n = %d, dropped to %d", n, m-1), tr, a)
		}
	}
}

// L4: H = I − vvᵀ/h is symmetric, orthogonal, and Hx = g·eₗ. L5: HAH = A − vwᵀ − wvᵀ. With x = (2, 4, 4), ‖x‖ = 6, hence
// g = −6, v = (2, 4, 10), h = 60 and H in thirtieths, by hand.
func TestL5Reflection(t *testing.T) {
	v, h := []float64{2, 4, 10}, 60.0
	hh := laFill(3, 3, func(i, j int) float64 { return laDiag(1, 1, 1).At(i, j) - v[i]*v[j]/h })
	if got, want := laMul(hh, MatrixFromRows([][]float64{{2}, {4}, {4}})), MatrixFromRows([][]float64{{0}, {0}, {-6}}); laDiff(got, want) > laEps(3)*6 {
		t.Errorf("Hx = %v, want %v", got.Data, want.Data)
	}
	if d := laOrtho(hh); d > laEps(3) {
		t.Errorf("‖HᵀH − I‖ = %g, want 0", d)
	}
	a := laSym(7, 3, 9)
	want, got := laMul(laMul(hh, a), hh), laScaled(1, a)
	conjugate(got, v, h, make([]float64, 3))
	for i := range 3 {
		for j := range i + 1 {
			if d := math.Abs(got.At(i, j) - want.At(i, j)); d > laEps(3)*laMax(a) {
				t.Errorf("(HAH)[%d][%d] = %v, want %v", i, j, got.At(i, j), want.At(i, j))
			}
		}
	}
	// The last step of the reduction of a matrix whose last row begins with x makes exactly this reflection.
	b := laFill(4, 4, func(i, j int) float64 {
		if i < 3 && j < 3 {
			return a.At(i, j)
		}
		return []float64{2, 4, 4, 1}[min(i, j)]
	})
	if _, e := tridiagonalise(b); e[2] != -6 {
		t.Errorf("T[3][2] = %v, want -6", e[2])
	}
}

// L5, repeated: T = QᵀAQ with Q orthogonal and T tridiagonal.
func TestL5Tridiagonal(t *testing.T) {
	for name, a := range map[string]*Matrix{
		"empty": NewMatrix(0, 0), "1×1": laDiag(-3), "2×2": laSym(1, 2, 5), "dense": laSym(2, 17, 9),
		"zero": NewMatrix(5, 5), "diagonal": laDiag(3, 1, 2, 0), "tridiagonal": laTridiagonal([]float64{1, 2, 3, 4}, []float64{5, 6, 7}),
		"arrow": laFill(6, 6, func(i, j int) float64 {
			if i == j || max(i, j) == 5 {
				return float64(1 + i + j)
			}
			return 0
		}),
	} {
		z := laScaled(1, a)
		d, e := tridiagonalise(z)
		if o := laOrtho(z.T()); !(o <= laEps(a.Rows)) {
			t.Errorf("%s: ‖QᵀQ − I‖ = %g, want ≤ %g", name, o, laEps(a.Rows))
		}
		if diff, tol := laDiff(laMul(laMul(z, a), z.T()), laTridiagonal(d, e)), laEps(a.Rows)*laMax(a); !(diff <= tol) {
			t.Errorf("%s: ‖QᵀAQ − T‖ = %g, want ≤ %g", name, diff, tol)
		}
	}
}

// L6: σ is the eigenvalue of the top 2×2 block nearest to d₀. L7: the sweep of rotations gives LQ + σI from T − σI = QL,
// although it never forms L. The test forms it, by orthonormalising columns from the last to the first. Q is unique up
// to the signs of its columns, so T' is up to those of its off-diagonal.
func TestL7Sweep(t *testing.T) {
	for n := 2; n <= 9; n++ {
		d, e := laRandom(uint64(n), 1, n).Data, laRandom(uint64(n), 2, n).Row(1)
		T := laTridiagonal(d, e)
		half, det := (d[0]+d[1])/2, d[0]*d[1]-e[0]*e[0] // λ² − 2·half·λ + det = 0
		sigma := half + math.Sqrt(half*half-det)
		if other := 2*half - sigma; math.Abs(other-d[0]) < math.Abs(sigma-d[0]) {
			sigma = other
		}
		q := NewMatrix(n, n) // by rows
		for j := n - 1; j >= 0; j-- {
			x := slices.Clone(T.Row(j))
			x[j] -= sigma
			for range 2 {
				for k := j + 1; k < n; k++ {
					axpy(x, -Dot(x, q.Row(k)), q.Row(k))
				}
			}
			for i, v := range x {
				q.Set(j, i, v/math.Sqrt(norm2(x)))
			}
		}
		if n == 2 { // T − σI is singular: its first column is 0 after the projection, and q₀ whatever completes q₁
			q.Set(0, 0, q.At(1, 1))
			q.Set(0, 1, -q.At(1, 0))
		}
		want := laMul(laMul(q, T), q.T())
		z := laDiag(slices.Repeat([]float64{1}, n)...)
		sweepQL(d, e, z, 0, n-1)
		got := laTridiagonal(d, e)
		tol := 100 * laEps(n) * laMax(T) // the sweep is stable, the explicit L of a nearly singular T − σI less so
		if diff := laDiff(laMul(laMul(z, T), z.T()), got); !(diff <= tol) {
			t.Errorf("n = %d: ‖QᵀTQ − T'‖ = %g, want ≤ %g", n, diff, tol)
		}
		for i, w := range want.Data {
			if diff := math.Abs(math.Abs(w) - math.Abs(got.Data[i])); i%(n+1) == 0 && !(math.Abs(w-got.Data[i]) <= tol) || !(diff <= tol) {
				t.Errorf("n = %d: T'[%d][%d] = %v, want %v up to the sign of off-diagonals", n, i/n, i%n, got.Data[i], w)
			}
		}
	}
}

// A sweep ends early where f and g vanish together, for there is no direction (g, f) then. These matrices have σ = 0 to
// all digits, and their g is exactly 0 after the first rotation; f² is 0 in one, subnormal in the next, and in the last
// one f is negligible.
func TestL7SweepEarly(t *testing.T) {
	for _, test := range []struct{ d, e, want []float64 }{
		{[]float64{0, 0, 1, 7}, []float64{1e-144, 1e-144, 0, 0}, []float64{0, 0, 1, 7}},
		{[]float64{0, 0, 1, 7}, []float64{1e-144, 1e-17, 0, 0}, []float64{0, 0, 1, 7}},
		{[]float64{0, 1, 4, 7}, []float64{4e-145, 2, 0, 0}, []float64{0, 0, 5, 7}}, // 1, 2, 2, 4 is singular with trace 5
	} {
		d, e, z := slices.Clone(test.d), slices.Clone(test.e), laDiag(1, 1, 1, 1)
		sweepQL(d, e, z, 0, 2)
		tol := laEps(4) * 7
		if o := laOrtho(z.T()); !(o <= tol) {
			t.Errorf("T = %v, %v: Q orthogonal up to %g, want ≤ %g", test.d, test.e, o, tol)
		}
		if diff := laDiff(laTridiagonal(d, e), laDiag(test.want...)); !(diff <= tol) {
			t.Errorf("T = %v, %v: sweep gives %v, %v, want diagonal %v", test.d, test.e, d, e, test.want)
		}
		if diff := laDiff(laMul(laMul(z, laTridiagonal(test.d, test.e)), z.T()), laDiag(test.want...)); !(diff <= tol) {
			t.Errorf("T = %v, %v: QᵀTQ differs from diag(%v) by %g, want ≤ %g", test.d, test.e, test.want, diff, tol)
		}
	}
}

// laInertia counts the eigenvalues of the integer matrix a below x, without rounding: it is the number of negative
// pivots of a − x·I [Sylvester's law of inertia]. ok is false where a pivot is 0.
func laInertia(a *Matrix, x float64) (below int, ok bool) {
	n := a.Rows
	r := make([][]*big.Rat, n)
	for i := range r {
		r[i] = make([]*big.Rat, n)
		for j := range r[i] {
			r[i][j] = new(big.Rat).SetFloat64(a.At(i, j))
		}
		r[i][i].Sub(r[i][i], new(big.Rat).SetFloat64(x))
	}
	for k := range n {
		switch r[k][k].Sign() {
		case 0:
			return 0, false
		case -1:
			below++
		}
		for i := k + 1; i < n; i++ {
			f := new(big.Rat).Quo(r[i][k], r[k][k])
			for j := k + 1; j < n; j++ {
				r[i][j].Sub(r[i][j], new(big.Rat).Mul(f, r[k][j]))
			}
		}
	}
	return below, true
}

// The j-th eigenvalue lies within laEps·‖A‖ of the j-th value returned: proved in exact arithmetic, by counting the
// eigenvalues below either end of that interval.
func TestL6EigenvaluesExact(t *testing.T) {
	for seed := range uint64(12) {
		n := 1 + int(seed)%7
		a := laSym(seed, n, 1+int(seed)*int(seed))
		values, _ := SymEigen(a)
		delta := laEps(n) * (1 + laMax(a))
		for j, v := range values {
			lo, ok1 := laInertia(a, v-delta)
			hi, ok2 := laInertia(a, v+delta)
			if !ok1 || !ok2 || lo > j || hi < j+1 {
				t.Errorf("%v: %d eigenvalues below values[%d] − δ and %d below values[%d] + δ (%v, δ = %g)", a, lo, j, hi, j, v, delta)
			}
		}
	}
}

// laSymmetric is the table of symmetric matrices; values, where they are known in closed form, are ascending.
func laSymmetric() []laCase {
	const n = 12
	hilbert := laFill(n, n, func(i, j int) float64 { return 1 / float64(1+i+j) })
	graded := laFill(n, n, func(i, j int) float64 { return math.Pow(10, -float64(i+j)) * laSym(3, n, 4).At(i, j) })
	path, pathValues := make([]float64, n), make([]float64, n) // second differences: 2 − 2cos(kπ/(n+1))
	for i := range path {
		path[i], pathValues[i] = 2, 2-2*math.Cos(float64(i+1)*math.Pi/(n+1))
	}
	ones := laFill(n, n, func(i, j int) float64 { return 1 })
	pair := MatrixFromRows([][]float64{{2, 1}, {1, 2}})
	wilkinson := make([]float64, 21)
	for i := range wilkinson {
		wilkinson[i] = math.Abs(float64(i - 10))
	}
	return []laCase{
		{"empty", NewMatrix(0, 0), nil},
		{"1×1", laDiag(-7), []float64{-7}},
		{"2×2", pair, []float64{1, 3}},
		{"2×2, indefinite", MatrixFromRows([][]float64{{0, 1}, {1, 0}}), []float64{-1, 1}},
		{"zero", NewMatrix(4, 4), make([]float64, 4)},
		{"repeated", laDiag(3, 3, 3), []float64{3, 3, 3}},
		{"diagonal, unsorted", laDiag(2, -1, 5, 0), []float64{-1, 0, 2, 5}},
		{"ones: one eigenvalue n, the others 0", ones, append(make([]float64, n-1), n)},
		{"path", laTridiagonal(path, slices.Repeat([]float64{-1}, n-1)), pathValues},
		{"off-diagonal path", laTridiagonal(make([]float64, 3), []float64{1, 1}), []float64{-math.Sqrt2, 0, math.Sqrt2}},
		{"largest float64", laDiag(math.MaxFloat64, -math.MaxFloat64), []float64{-math.MaxFloat64, math.MaxFloat64}},
		{"huge", laScaled(1e300, pair), []float64{1e300, 3e300}},
		{"tiny", laScaled(1e-300, pair), []float64{1e-300, 3e-300}},
		{"subnormal", laScaled(1e-318, pair), []float64{1e-318, 3e-318}},
		{"smallest", laDiag(5e-324, 0), []float64{0, 5e-324}},
		{"huge and tiny", laDiag(1e300, 1e-300), []float64{0, 1e300}},
		{"tiny beside 1", laFill(3, 3, func(i, j int) float64 { return []float64{1, 1e-90, 1e-180, 1e-270, 0}[i+j] }), []float64{0, 0, 1}},
		{"1e-161 beside 1: squares are subnormal", laFill(5, 5, func(i, j int) float64 {
			if i+j == 0 {
				return 1
			}
			return 1e-161 * laSym(7, 5, 3).At(i, j)
		}), []float64{0, 0, 0, 0, 1}},
		{"Wilkinson's pairs", laTridiagonal(wilkinson, slices.Repeat([]float64{1}, 20)), nil},
		{"Hilbert", hilbert, nil},
		{"graded", graded, nil},
		{"graded, the other way", laFill(n, n, func(i, j int) float64 { return graded.At(n-1-i, n-1-j) }), nil},
		{"integers", laSym(4, 20, 9), nil},
		{"Gram, rank 3", laMul(laIntegers(5, n, 3, 5), laIntegers(5, n, 3, 5).T()), nil},
		{"random", laPositive(6, 60), nil},
	}
}

type laCase struct {
	name   string
	a      *Matrix
	values []float64 // nil: not known in closed form
}

// A = V diag(values) Vᵀ, V orthogonal, values ascending.
func TestL7SymEigen(t *testing.T) {
	for _, test := range laSymmetric() {
		n, a := test.a.Rows, test.a
		before := slices.Clone(a.Data)
		values, v := SymEigen(a)
		if !slices.Equal(a.Data, before) {
			t.Errorf("%s: SymEigen changed its argument", test.name)
		}
		if !slices.IsSorted(values) || len(values) != n {
			t.Errorf("%s: values = %v, want %d ascending numbers", test.name, values, n)
		}
		if o := laOrtho(v); !(o <= laEps(n)) {
			t.Errorf("%s: ‖VᵀV − I‖ = %g, want ≤ %g", test.name, o, laEps(n))
		}
		// Compare V·values with A·V/scale after division by scale, so that neither overflows nor vanishes.
		scale := max(laMax(a), 5e-324)
		unit := laFill(n, n, func(i, j int) float64 { return a.At(i, j) / scale })
		vl := laFill(n, n, func(i, j int) float64 { return v.At(i, j) * (values[j] / scale) })
		tol := laEps(n) + 10*5e-324/scale // subnormal values are integers times 5e-324
		if d := laDiff(laMul(unit, v), vl); !(d <= tol) {
			t.Errorf("%s: ‖AV − V diag(values)‖/max|A| = %g, want ≤ %g", test.name, d, tol)
		}
		for j, want := range test.values {
			if d := math.Abs(values[j]/scale - want/scale); !(d <= tol) {
				t.Errorf("%s: values[%d] = %v, want %v", test.name, j, values[j], want)
			}
		}
	}
}

// Scaling by a power of two is exact, so it passes through SymEigen and SVD without changing a bit; the upper half of a
// symmetric matrix is not read.
func TestLinalgScaling(t *testing.T) {
	for _, k := range []int{-900, -1, 1, 990} {
		c := math.Ldexp(1, k)
		a, x := laSym(1, 9, 5), laRandom(2, 9, 6)
		values, v := SymEigen(a)
		for i := range a.Rows {
			for j := i + 1; j < a.Cols; j++ {
				a.Set(i, j, math.NaN())
			}
		}
		values2, v2 := SymEigen(laScaled(c, a))
		u, s, w := SVD(x)
		u2, s2, w2 := SVD(laScaled(c, x))
		for i, l := range values {
			if values2[i] != c*l {
				t.Errorf("SymEigen(2^%d A): value %d is %v, want %v", k, i, values2[i], c*l)
			}
		}
		for i := range s {
			if s2[i] != c*s[i] {
				t.Errorf("SVD(2^%d X): s[%d] = %v, want %v", k, i, s2[i], c*s[i])
			}
		}
		if d := laDiff(v, v2) + laDiff(u, u2) + laDiff(w, w2); d != 0 {
			t.Errorf("scaling by 2^%d changes the vectors by %g, want 0", k, d)
		}
	}
}

// The iteration budgets are finite, and running out of them is reported.
func TestLinalgBudget(t *testing.T) {
	d, e := []float64{1, 2, 3}, []float64{1, 1, 0}
	if implicitQL(d, e, laDiag(1, 1, 1), 1) {
		t.Errorf("implicitQL with a budget of one sweep = true, want false: three eigenvalues need more")
	}
	if !implicitQL(d, e, laDiag(1, 1, 1), sweepBudget) {
		t.Errorf("implicitQL with a budget of %d sweeps = false, want true", sweepBudget)
	}
	if _, ok := orthogonalise([][]float64{{1, math.NaN()}, {math.NaN(), 1}}, 2); ok {
		t.Errorf("orthogonalise of NaNs = true, want false after %d sweeps", sweepBudget)
	}
}

// L8: t = s/c solves t² + 2ζt − 1 = 0, is the smaller root, and makes c·wₚ − s·w_q and s·wₚ + c·w_q orthogonal, which
// keeps the sum of their squared lengths: Σ(wₚ·w_q)² falls by γ² and nothing else changes.
func TestL8Jacobi(t *testing.T) {
	for seed := range uint64(50) {
		w := laRandom(seed, 2, 5)
		for i := range w.Row(1) {
			w.Row(1)[i] *= math.Pow(10, float64(seed%7)-3)
		}
		x, y := w.Row(0), w.Row(1)
		alpha, beta, gamma := norm2(x), norm2(y), Dot(x, y)
		c, s := jacobi(alpha, beta, gamma, machineEps)
		tol := laEps(5)
		if math.Abs(s) > c || math.Abs(c*c+s*s-1) > tol {
			t.Errorf("seed %d: c = %v, s = %v, want c² + s² = 1 and |s| ≤ c", seed, c, s)
		}
		if z := (beta - alpha) / (2 * gamma); math.Abs(s*s+2*z*s*c-c*c) > tol*(1+math.Abs(z)) {
			t.Errorf("seed %d: t² + 2ζt − 1 = %g at t = %v, want 0", seed, s*s+2*z*s*c-c*c, s/c)
		}
		rotate(x, y, c, -s)
		if got := Dot(x, y); math.Abs(got) > tol*math.Sqrt(alpha*beta) {
			t.Errorf("seed %d: inner product %g after rotation, want 0", seed, got)
		}
		if got, want := norm2(x)+norm2(y), alpha+beta; math.Abs(got-want) > tol*want {
			t.Errorf("seed %d: squared lengths sum to %v after rotation, want %v", seed, got, want)
		}
	}
	for _, test := range []struct{ alpha, beta, gamma float64 }{{1, 4, 0}, {1, 4, machineEps}, {1, 0, 0}, {0x1p-970, 1, 0x1p-500}} {
		if c, s := jacobi(test.alpha, test.beta, test.gamma, machineEps); c != 1 || s != 0 {
			t.Errorf("jacobi(%v) = %v, %v, want no rotation", test, c, s)
		}
	}
}

// laRectangular is the table of matrices for SVD; values are the singular values, descending.
func laRectangular() []laCase {
	n := 9
	cases := []laCase{
		{"0×3", NewMatrix(0, 3), nil},
		{"3×0", NewMatrix(3, 0), nil},
		{"1×1", laDiag(-7), []float64{7}},
		{"one column", MatrixFromRows([][]float64{{3}, {0}, {-4}}), []float64{5}},
		{"one row", MatrixFromRows([][]float64{{3, 0, -4}}), []float64{5}},
		{"diagonal, unsorted", laDiag(1, -5, 3), []float64{5, 3, 1}},
		{"tall", laRandom(1, 40, n), nil},
		{"wide", laRandom(2, n, 40), nil},
		{"zero, tall", NewMatrix(5, 3), []float64{0, 0, 0}},
		{"zero, wide", NewMatrix(2, 4), []float64{0, 0}},
		{"2×3", MatrixFromRows([][]float64{{1, 2, 2}, {-2, -1, 2}}), []float64{3, 3}},
		{"ones, rank 1", laFill(n, n, func(i, j int) float64 { return 1 }), append([]float64{float64(n)}, make([]float64, n-1)...)},
		{"rank 3", laMul(laIntegers(3, 14, 3, 4), laIntegers(4, 3, n, 4)), nil},
		{"equal columns", laFill(6, 4, func(i, j int) float64 { return float64(i*i) - 5 }), nil},
		{"zero columns", laFill(6, 4, func(i, j int) float64 { return float64(j%2) * math.Cos(float64(i*j)) }), nil},
		{"shear", MatrixFromRows([][]float64{{1, 1}, {0, 1}}), []float64{(math.Sqrt(5) + 1) / 2, (math.Sqrt(5) - 1) / 2}},
		{"nearly equal columns", MatrixFromRows([][]float64{{1, 1}, {0, 1e-12}, {1e-12, 0}}), []float64{math.Sqrt2, 1e-12}},
		{"huge", laScaled(1e300, laRandom(5, 7, 4)), nil},
		{"tiny", laScaled(1e-300, laRandom(6, 7, 4)), nil},
		{"huge and tiny", laDiag(1e300, 1e-300), []float64{1e300, 0}},
		{"random", laRandom(7, 50, 50), nil},
	}
	for _, test := range laSymmetric() { // of a symmetric matrix: the absolute eigenvalues
		test.name += ", symmetric"
		for i, v := range test.values {
			test.values[i] = math.Abs(v)
		}
		slices.Sort(test.values)
		slices.Reverse(test.values)
		cases = append(cases, test)
	}
	return cases
}

// X = U diag(s) Vᵀ with s descending and not negative, U and V with orthonormal columns, whatever the rank.
func TestL8SVD(t *testing.T) {
	for _, test := range laRectangular() {
		x, k := test.a, min(test.a.Rows, test.a.Cols)
		before := slices.Clone(x.Data)
		u, s, v := SVD(x)
		if !slices.Equal(x.Data, before) {
			t.Errorf("%s: SVD changed its argument", test.name)
		}
		if u.Rows != x.Rows || u.Cols != k || len(s) != k || v.Rows != x.Cols || v.Cols != k {
			t.Errorf("%s: shapes %d×%d, %d, %d×%d, want %d×%d, %d, %d×%d", test.name, u.Rows, u.Cols, len(s), v.Rows, v.Cols, x.Rows, k, k, x.Cols, k)
		}
		for j := range s {
			if !(s[j] >= 0) || j > 0 && s[j] > s[j-1] {
				t.Errorf("%s: s = %v, want descending and not negative", test.name, s)
			}
		}
		tol := laEps(max(x.Rows, x.Cols))
		if o := max(laOrtho(u), laOrtho(v)); !(o <= tol) {
			t.Errorf("%s: columns orthonormal up to %g, want ≤ %g", test.name, o, tol)
		}
		scale := max(laMax(x), 5e-324)
		us := laFill(u.Rows, k, func(i, j int) float64 { return u.At(i, j) * (s[j] / scale) })
		unit := laFill(x.Rows, x.Cols, func(i, j int) float64 { return x.At(i, j) / scale })
		tol += 10 * 5e-324 / scale
		if d := laDiff(laMul(us, v.T()), unit); !(d <= tol) {
			t.Errorf("%s: ‖USVᵀ − X‖/max|X| = %g, want ≤ %g", test.name, d, tol)
		}
		for j, want := range test.values {
			if d := math.Abs(s[j]/scale - want/scale); !(d <= tol) {
				t.Errorf("%s: s[%d] = %v, want %v", test.name, j, s[j], want)
			}
		}
	}
}

// Σ sⱼ² = Σ xᵢⱼ² and ‖vⱼ‖ = 1 hold to a few ulps, whatever the size: the lengthening of the rows by rounded cosines,
// which would grow with the number of rotations, is divided out.
func TestL8SVDLengths(t *testing.T) {
	for _, test := range laRectangular() {
		x := test.a
		_, s, v := SVD(x)
		scale := max(laMax(x), 5e-324)
		total, want := 0.0, 0.0
		for _, v := range s {
			total += v / scale * (v / scale)
		}
		for _, v := range x.Data {
			want += v / scale * (v / scale)
		}
		if scale > 1e-300 && !(math.Abs(total-want) <= 30*machineEps*want) {
			t.Errorf("%s: Σsⱼ² = %v, want %v, relative difference %g", test.name, total, want, total/want-1)
		}
		for j := range v.Cols {
			if l := norm2(v.T().Row(j)); math.Abs(l-1) > 10*machineEps {
				t.Errorf("%s: ‖v_%d‖² − 1 = %g, want 0", test.name, j, l-1)
			}
		}
	}
}

// Small singular values of badly scaled columns have all their digits: X = HD, H with orthogonal columns of length 2, D
// diagonal, has the singular values 2dⱼ, to relative accuracy, down to 2⁻⁴⁸⁰.
func TestL8SVDRelative(t *testing.T) {
	h := MatrixFromRows([][]float64{{1, 1, 1, 1}, {1, -1, 1, -1}, {1, 1, -1, -1}, {1, -1, -1, 1}})
	d := []float64{1e-60, 1, 1e-120, 1e-20}
	x := laFill(4, 4, func(i, j int) float64 { return h.At(i, j) * d[j] })
	_, s, _ := SVD(x)
	for j, want := range []float64{2, 2e-20, 2e-60, 2e-120} {
		if !(math.Abs(s[j]-want) <= laEps(4)*want) {
			t.Errorf("s[%d] = %v, want %v", j, s[j], want)
		}
	}
}

// parallel calls f once for every index, whatever the number of workers, and on no more workers than asked for.
func TestLinalgParallel(t *testing.T) {
	for workers := -1; workers <= 5; workers++ {
		for _, n := range []int{0, 1, 2, 3, 100} {
			calls := make([]atomic.Int32, n)
			var running, most atomic.Int32
			parallel(workers, n, func(i int) {
				if r := running.Add(1); r > most.Load() {
					most.Store(r)
				}
				calls[i].Add(1)
				running.Add(-1)
			})
			for i := range calls {
				if got := calls[i].Load(); got != 1 {
					t.Errorf("parallel(%d, %d): %d calls with %d, want 1", workers, n, got, i)
				}
			}
			if got := most.Load(); workers > 0 && int(got) > workers {
				t.Errorf("parallel(%d, %d): %d calls at once", workers, n, got)
			}
		}
	}
	var together sync.WaitGroup // three workers are there together, or this would never end
	together.Add(3)
	parallel(3, 3, func(int) {
		together.Done()
		together.Wait()
	})
}

// A panic in f is raised again in the caller, after all calls have returned, and ends the handing out of indices.
func TestLinalgParallelPanic(t *testing.T) {
	for workers := 1; workers <= 4; workers++ {
		var running, calls atomic.Int32
		got := laPanic(func() {
			parallel(workers, 1e9, func(i int) {
				running.Add(1)
				defer running.Add(-1)
				calls.Add(1)
				if i == 10 {
					panic("at ten")
				}
			})
		})
		if got != "at ten" || running.Load() != 0 || calls.Load() < 11 {
			t.Errorf("%d workers: panic %q with %d calls running after %d, want %q, 0, ≥ 11", workers, got, running.Load(), calls.Load(), "at ten")
		}
	}
}

// laPerMadd reports the time per multiply-add.
func laPerMadd(b *testing.B, madds float64) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/madds, "ns/madd")
}

func BenchmarkVectors(b *testing.B) {
	for _, n := range []int{10, 100, 1000} {
		x := laRandom(1, 5, n)
		for _, bench := range []struct {
			name  string
			madds int
			f     func()
		}{
			{"Dot", 1, func() { Dot(x.Row(0), x.Row(1)) }},
			{"Axpy", 1, func() { axpy(x.Row(0), 1e-9, x.Row(1)) }},
			{"Axpy4", 4, func() { axpy4(x.Row(0), 1e-9, x.Row(1), 1e-9, x.Row(2), 1e-9, x.Row(3), 1e-9, x.Row(4)) }},
			{"Rotate", 4, func() { rotate(x.Row(0), x.Row(1), 0.8, 0.6) }},
		} {
			b.Run(fmt.Sprintf("%s/%d", bench.name, n), func(b *testing.B) {
				for b.Loop() {
					bench.f()
				}
				laPerMadd(b, float64(bench.madds*n))
			})
		}
	}
}

func BenchmarkCholesky(b *testing.B) {
	for _, n := range []int{10, 30, 100, 300, 1000} {
		a := laPositive(1, n)
		t := newTriangle(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				for i := range t {
					copy(t[i], a.Row(i)[i:])
				}
				t.factor()
			}
			laPerMadd(b, math.Pow(float64(n), 3)/6)
		})
	}
}

func BenchmarkDrop(b *testing.B) {
	for _, n := range []int{100, 1000} {
		u := laTriangle(laPositive(1, n))
		u.factor()
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				t := newTriangle(n)
				for i := range t {
					copy(t[i], u[i])
				}
				t.drop(0)
			}
			laPerMadd(b, 2*float64(n)*float64(n)) // n²/2 rotated pairs, and the copy
		})
	}
}

func BenchmarkSymEigen(b *testing.B) {
	for _, n := range []int{10, 100, 300} {
		a := laPositive(1, n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				SymEigen(a)
			}
		})
	}
}

func BenchmarkSVD(b *testing.B) {
	for _, n := range []int{10, 100, 300} {
		x := laRandom(1, n, n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				SVD(x)
			}
		})
	}
}

// kernelGrid calls f at every point of the grid values[0] × values[1] × …, in exact integer arithmetic.
//
// Two polynomials in n variables, of degree at most p in each, that agree on a grid of p+1 values for each variable are
// equal. Proof: their difference, with all variables but the last fixed at grid values, has degree at most p in the last
// and p+1 zeros, so it is 0 as a polynomial in the last; so each of its coefficients, polynomials in the n−1 other
// variables, vanishes on the smaller grid, and is 0 by induction. A test that compares both sides of a polynomial
// identity at all the points of such a grid therefore proves it, over the reals.
func kernelGrid(values [][]int64, f func(v []int64)) {
	v := make([]int64, len(values))
	var descend func(i int)
	descend = func(i int) {
		if i == len(v) {
			f(v)
			return
		}
		for _, v[i] = range values[i] {
			descend(i + 1)
		}
	}
	descend(0)
}

// kernelRange returns n copies of first, first+1, …, first+p.
func kernelRange(n, p int, first int64) [][]int64 {
	values := make([][]int64, n)
	for i := range values {
		for j := range p + 1 {
			values[i] = append(values[i], first+int64(j))
		}
	}
	return values
}

func kernelFloats(v []int64) []float64 {
	x := make([]float64, len(v))
	for i := range v {
		x[i] = float64(v[i])
	}
	return x
}

func kernelIntPow(x int64, n int) int64 {
	y := int64(1)
	for range n {
		y *= x
	}
	return y
}

func kernelRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 20)) }

func kernelVectors(rng *rand.Rand, n, d int) [][]float64 {
	xs := make([][]float64, n)
	for i := range xs {
		xs[i] = make([]float64, d)
		for j := range xs[i] {
			xs[i][j] = rng.NormFloat64()
		}
	}
	return xs
}

// kernelIntegers returns vectors of integers in [−3, 3]: sums of products of them are exact in float64.
func kernelIntegers(rng *rand.Rand, n, d int) [][]float64 {
	xs := make([][]float64, n)
	for i := range xs {
		xs[i] = make([]float64, d)
		for j := range xs[i] {
			xs[i][j] = float64(rng.IntN(7) - 3)
		}
	}
	return xs
}

func kernelString(rng *rand.Rand, length, alphabet int) string {
	b := make([]byte, length)
	for i := range b {
		b[i] = byte(rng.IntN(alphabet)) // from NUL on
	}
	return string(b)
}

// kernelNear reports whether got and want agree to within tol rounding errors of the given scale.
func kernelNear(got, want, scale, tol float64) bool {
	return math.Abs(got-want) <= tol*0x1p-52*scale
}

func kernelPanics(f func()) (message string) {
	defer func() {
		if r := recover(); r != nil {
			message = fmt.Sprint(r)
		}
	}()
	f()
	return ""
}

// kernelExponents returns all e ≥ 0 with lo ≤ |e| ≤ hi in d variables, the highest degree first and then x₁ before x₂:
// by brute force over all of {0, …, hi}ᵈ and sorting.
func kernelExponents(d, lo, hi int) [][]int64 {
	var all [][]int64
	kernelGrid(kernelRange(d, hi, 0), func(e []int64) {
		if n := kernelDegree(e); lo <= n && n <= hi {
			all = append(all, slices.Clone(e))
		}
	})
	slices.SortFunc(all, func(a, b []int64) int {
		if c := cmp.Compare(kernelDegree(b), kernelDegree(a)); c != 0 {
			return c
		}
		return slices.Compare(b, a)
	})
	return all
}

func kernelDegree(e []int64) int {
	n := 0
	for _, v := range e {
		n += int(v)
	}
	return n
}

// kernelMultinomial returns p!/(e₁! … e_d! (p − |e|)!).
func kernelMultinomial(p int, e []int64) int64 {
	factorial := func(n int64) *big.Int { return new(big.Int).MulRange(1, n) }
	m := factorial(int64(p))
	for _, v := range e {
		m.Quo(m, factorial(v))
	}
	return m.Quo(m, factorial(int64(p-kernelDegree(e)))).Int64()
}

func kernelMonomial(x, e []int64) int64 {
	y := int64(1)
	for i, v := range e {
		y *= kernelIntPow(x[i], int(v))
	}
	return y
}

// D1: ψ(x) = (x₁², x₁x₂, x₂²) with w = (1, 3, 1), b = −3: a plane in R³ is a pair of curves in R².
func TestD1Conic(t *testing.T) {
	w, b := []float64{1, 3, 1}, -3.0
	value := func(x1, x2 float64) float64 { return Dot(w, Quadratic([]float64{x1, x2})) + b }
	// The plane, in u = x₁ + x₂ and v = x₁ − x₂: 5u² − v² = 12, a hyperbola. Both sides have degree 2 in x₁ and in x₂.
	kernelGrid(kernelRange(2, 2, -1), func(x []int64) {
		u, v := x[0]+x[1], x[0]-x[1]
		if got, want := 4*value(float64(x[0]), float64(x[1])), float64(5*u*u-v*v-12); got != want {
			t.Errorf("4(w·ψ(%v) + b) = %v, want %v", x, got, want)
		}
	})
	for v := -10.0; v <= 10; v += 0.25 { // each line v = const meets the two curves once each, at ±u
		u := math.Sqrt((12 + v*v) / 5)
		for _, branch := range []float64{1, -1} {
			at := func(u float64) float64 { return value((u+v)/2, (u-v)/2) }
			if got := at(branch * u); !kernelNear(got, 0, 12+v*v, 8) {
				t.Errorf("w·ψ + b = %v on the curve at u = %v, v = %v", got, branch*u, v)
			}
			if in, out := at(branch*u*0.99), at(branch*u*1.01); !(in < 0 && out > 0) {
				t.Errorf("w·ψ + b = %v between the curves, %v beyond: want < 0, > 0", in, out)
			}
		}
	}
}

// D2: φ(x) = (x₁, x₂, x₁² + x₂²) separates a disc from its surroundings.
func TestD2Disc(t *testing.T) {
	// Disc of centre (p, q), radius r: |x − (p, q)|² − r² is the plane w = (−2p, −2q, 1), b = p² + q² − r² over φ. Degree
	// 2 in each of the five variables.
	kernelGrid(kernelRange(5, 2, -1), func(v []int64) {
		x1, x2, p, q, r := v[0], v[1], v[2], v[3], v[4]
		w := kernelFloats([]int64{-2 * p, -2 * q, 1})
		got := Dot(w, Paraboloid(kernelFloats(v[:2]))) + float64(p*p+q*q-r*r)
		if want := float64((x1-p)*(x1-p) + (x2-q)*(x2-q) - r*r); got != want {
			t.Fatalf("w·φ(x) + b = %v at %v, want %v", got, v, want)
		}
	})
	// No line does it: the centre is the mean of four surrounding points, so a linear function is not above a value at
	// all four and below it at the centre. The plane is.
	center, around := []float64{0, 0}, [][]float64{{2, 0}, {-2, 0}, {0, 2}, {0, -2}}
	mean := make([]float64, 2)
	for _, x := range around {
		axpy(mean, 0.25, x)
		if Paraboloid(x)[2] <= 1 {
			t.Errorf("φ(%v) is not above the plane of the unit circle", x)
		}
	}
	if !slices.Equal(mean, center) || Paraboloid(center)[2] >= 1 {
		t.Errorf("the centre %v maps to %v, want below 1", center, Paraboloid(center))
	}
}

// D3: φ(x) = (x₁², √2 x₁x₂, x₂²) ⇒ φ(x)·φ(z) = (x·z)².
func TestD3SquareMap(t *testing.T) {
	phi := Polynomial{Degree: 2}.FeatureMap(2)
	// The squares of the coordinates' factors, 1, 2, 1, make the identity one of integers.
	kernelGrid(kernelRange(4, 2, -1), func(v []int64) {
		x1, x2, z1, z2 := v[0], v[1], v[2], v[3]
		s := x1*z1 + x2*z2
		if got := 1*(x1*x1)*(z1*z1) + 2*(x1*x2)*(z1*z2) + 1*(x2*x2)*(z2*z2); got != s*s {
			t.Errorf("Σ factor² monomial(x) monomial(z) = %d at %v, want %d", got, v, s*s)
		}
		x := kernelFloats(v[:2])
		if got, want := phi(x), []float64{x[0] * x[0], math.Sqrt2 * x[0] * x[1], x[1] * x[1]}; !slices.Equal(got, want) {
			t.Errorf("φ(%v) = %v, want %v", x, got, want)
		}
		if got := (Polynomial{Degree: 2}).Eval(x, kernelFloats(v[2:])); got != float64(s*s) {
			t.Errorf("k(%v) = %v, want %d", v, got, s*s)
		}
	})
}

// D4: φ(x) = (x₁², √2 x₁x₂, x₂², √2 x₁, √2 x₂, 1) ⇒ (1 + x·z)²; it makes XOR linearly separable (look at coordinates √2x₁ and
// √2x₁x₂).
func TestD4XOR(t *testing.T) {
	k := Polynomial{Degree: 2, Coef: 1}
	phi := k.FeatureMap(2)
	kernelGrid(kernelRange(4, 2, -1), func(v []int64) {
		x1, x2, z1, z2 := v[0], v[1], v[2], v[3]
		want := kernelIntPow(1+x1*z1+x2*z2, 2)
		got := (x1*x1)*(z1*z1) + 2*(x1*x2)*(z1*z2) + (x2*x2)*(z2*z2) + 2*x1*z1 + 2*x2*z2 + 1
		if got != want {
			t.Errorf("Σ factor² monomial(x) monomial(z) = %d at %v, want %d", got, v, want)
		}
		x, r := kernelFloats(v[:2]), math.Sqrt2
		if got, want := phi(x), []float64{x[0] * x[0], r * x[0] * x[1], x[1] * x[1], r * x[0], r * x[1], 1}; !slices.Equal(got, want) {
			t.Errorf("φ(%v) = %v, want %v", x, got, want)
		}
		if got := k.Eval(x, kernelFloats(v[2:])); got != float64(want) {
			t.Errorf("k(%v) = %v, want %d", v, got, want)
		}
	})
	var sum, sumX1, sumX2 float64
	for _, x := range [][]float64{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}} {
		y := -x[0] * x[1]
		sum, sumX1, sumX2 = sum+y, sumX1+y*x[0], sumX2+y*x[1]
		if got := phi(x); !(math.Abs(got[3]) == math.Sqrt2 && -y*got[1] == math.Sqrt2) {
			t.Errorf("coordinates √2x₁, √2x₁x₂ of %v are %v, %v: want ±√2, and %v·√2", x, got[3], got[1], -y)
		}
	}
	// No line separates XOR: Σ yᵢ(w·xᵢ + b) = w·Σyᵢxᵢ + bΣyᵢ = 0 for every w and b, so not all four terms are positive.
	if sum != 0 || sumX1 != 0 || sumX2 != 0 {
		t.Errorf("Σyᵢ = %v, Σyᵢxᵢ = (%v, %v), want 0", sum, sumX1, sumX2)
	}
}

// D5: polynomial kernel (c + γ x·z)^p in any dimension: its explicit map has C(d+p, p) coordinates (c > 0) or C(d+p−1, p)
// (c = 0, homogeneous).
func TestD5Polynomial(t *testing.T) {
	for _, test := range []struct{ d, p int }{{1, 1}, {1, 4}, {2, 2}, {2, 3}, {3, 2}, {3, 3}} {
		t.Run(fmt.Sprintf("identity/d=%d/p=%d", test.d, test.p), func(t *testing.T) { testD5Identity(t, test.d, test.p) })
	}
	// Pascal's triangle, not the product formula.
	choose := func(n, k int) int {
		row := make([]int, k+1)
		row[0] = 1
		for range n {
			for j := k; j > 0; j-- {
				row[j] += row[j-1]
			}
		}
		return row[k]
	}
	for d := 1; d <= 6; d++ {
		for p := 1; p <= 6; p++ {
			x := make([]float64, d)
			if got, want := len((Polynomial{p, 2, 3}).FeatureMap(d)(x)), choose(d+p, p); got != want {
				t.Errorf("d = %d, p = %d, c > 0: %d coordinates, want C(d+p, p) = %d", d, p, got, want)
			}
			if got, want := len((Polynomial{p, 2, 0}).FeatureMap(d)(x)), choose(d+p-1, p); got != want {
				t.Errorf("d = %d, p = %d, c = 0: %d coordinates, want C(d+p−1, p) = %d", d, p, got, want)
			}
		}
	}
	rng := kernelRand(5)
	for _, k := range []Polynomial{{}, {Degree: 1, Coef: 2}, {Degree: 4, Gamma: 0.3, Coef: 0.7}, {Degree: 7, Gamma: 0.5, Coef: 1}} {
		for d := 1; d <= 5; d++ {
			v := kernelVectors(rng, 2, d)
			x, z := v[0], v[1]
			phi := k.FeatureMap(d)
			px, pz := phi(x), phi(z)
			// All terms positive, this is the scale of the rounding: ‖φ(x)‖‖φ(z)‖.
			scale := math.Sqrt(k.Eval(x, x) * k.Eval(z, z))
			if got, want := Dot(px, pz), k.Eval(x, z); !kernelNear(got, want, scale, 100) {
				t.Errorf("%+v: φ(x)·φ(z) = %v, want k(x, z) = %v", k, got, want)
			}
		}
	}
}

func testD5Identity(t *testing.T, d, p int) {
	exponents := kernelExponents(d, 0, p)
	weight := make([]int64, len(exponents))
	for j, e := range exponents {
		weight[j] = kernelMultinomial(p, e)
	}
	// With the weights M_e = p!/(e!(p−|e|)!), Σ M_e c^(p−|e|) γ^|e| xᵉzᵉ = (c + γ x·z)ᵖ. Degree p in each of xᵢ, zᵢ, c, γ.
	kernelGrid(kernelRange(2*d+2, p, 0), func(v []int64) {
		x, z, c, gamma := v[:d], v[d:2*d], v[2*d], v[2*d+1]
		s := int64(0)
		for i := range x {
			s += x[i] * z[i]
		}
		got := int64(0)
		for j, e := range exponents {
			n := kernelDegree(e)
			got += weight[j] * kernelIntPow(c, p-n) * kernelIntPow(gamma, n) * kernelMonomial(x, e) * kernelMonomial(z, e)
		}
		if want := kernelIntPow(c+gamma*s, p); got != want {
			t.Fatalf("Σ at %v = %d, want (c + γ x·z)ᵖ = %d", v, got, want)
		}
		if c > 0 && gamma > 0 { // 0 would mean 1
			k := Polynomial{p, float64(gamma), float64(c)}
			if got, want := k.Eval(kernelFloats(x), kernelFloats(z)), kernelIntPow(c+gamma*s, p); got != float64(want) {
				t.Fatalf("%+v.Eval at %v = %v, want %d", k, v, got, want)
			}
		}
	})
	// And the map's coordinates are the roots of those weights times the monomials, in the documented order.
	for _, c := range []int64{0, 1, 3} {
		for _, gamma := range []int64{1, 2} {
			lo := 0
			if c == 0 {
				lo = p
			}
			exponents := kernelExponents(d, lo, p)
			phi := Polynomial{p, float64(gamma), float64(c)}.FeatureMap(d)
			kernelGrid(kernelRange(d, p, -1), func(x []int64) {
				for j, got := range phi(kernelFloats(x)) {
					e := exponents[j]
					n := kernelDegree(e)
					m := kernelMonomial(x, e)
					square := float64(kernelMultinomial(p, e) * kernelIntPow(c, p-n) * kernelIntPow(gamma, n) * m * m)
					if !kernelNear(got*got, square, square, 8) || got*float64(m) < 0 {
						t.Fatalf("c = %d, γ = %d: coordinate %v of φ(%v) = %v, want the root of %v with the sign of %d", c, gamma, e, x, got, square, m)
					}
				}
			})
		}
	}
}

// D6: the all-products map [1, xᵢ, xᵢxⱼ, xᵢxⱼxₖ] (1 + d + d² + d³ coordinates) ⇒ 1 + x·z + (x·z)² + (x·z)³: time d instead of d³.
func TestD6AllProducts(t *testing.T) {
	for d := 1; d <= 3; d++ {
		// Degree 3 in each variable; small integers are exact in float64, so this proves the identity of the code itself.
		kernelGrid(kernelRange(2*d, 3, -1), func(v []int64) {
			x, z := kernelFloats(v[:d]), kernelFloats(v[d:])
			s := int64(0)
			for i := range d {
				s += v[i] * v[d+i]
			}
			want := float64(1 + s + s*s + s*s*s)
			got, closed := Dot(AllProducts{}.FeatureMap(x), AllProducts{}.FeatureMap(z)), AllProducts{}.Eval(x, z)
			if got != want || closed != want {
				t.Fatalf("at %v: φ(x)·φ(z) = %v, k(x, z) = %v, want %v", v, got, closed, want)
			}
		})
	}
	x := []float64{2, 3}
	want := []float64{1, 2, 3, 4, 6, 6, 9, 8, 12, 12, 18, 12, 18, 18, 27}
	if got := (AllProducts{}).FeatureMap(x); !slices.Equal(got, want) {
		t.Errorf("φ(%v) = %v, want %v", x, got, want)
	}
	for d := range 8 {
		if got, want := len(AllProducts{}.FeatureMap(make([]float64, d))), 1+d+d*d+d*d*d; got != want {
			t.Errorf("d = %d: %d coordinates, want %d", d, got, want)
		}
	}
}

// D7: Gaussian kernel e^{−γ‖x−z‖²} and its other spellings: γ = 1/(2σ²), 1/σ², 1/σ, with or without a constant factor.
// k(x, x) = 1 ≥ k(x, z) > 0.
func TestD7Gaussian(t *testing.T) {
	rng := kernelRand(7)
	for _, sigma := range []float64{0.5, 1, 3} {
		for _, test := range []struct {
			name string
			k    RBF
			of   func(r float64) float64 // from r = ‖x − z‖
		}{
			{"1/(2σ²)", Gaussian(sigma), func(r float64) float64 { return math.Exp(-0.5 * (r / sigma) * (r / sigma)) }},
			{"1/σ²", GaussianSquare(sigma), func(r float64) float64 { return math.Exp(-(r / sigma) * (r / sigma)) }},
			{"1/σ", GaussianInverse(sigma), func(r float64) float64 { return math.Exp(-r * r / sigma) }},
		} {
			for range 20 {
				d := 1 + rng.IntN(9)
				v := kernelVectors(rng, 2, d)
				x, z := v[0], v[1]
				r := 0.0
				for i := range x {
					r = math.Hypot(r, x[i]-z[i])
				}
				got, want := test.k.Eval(x, z), test.of(r)
				// An error of an ulp or so in each of d terms of the exponent is a relative error |exponent|·d ulps.
				tol := 4 + float64(d)*math.Abs(math.Log(want))
				if !kernelNear(got, want, want, tol) {
					t.Errorf("γ = %s, σ = %v: k = %v at distance %v, want %v", test.name, sigma, got, r, want)
				}
				if of := test.k.Of(Dot(x, z), norm2(x), norm2(z)); !kernelNear(of, got, 1, 8*float64(d)*test.k.Gamma*(1+norm2(x)+norm2(z))) {
					t.Errorf("γ = %s: Of = %v, Eval = %v", test.name, of, got)
				}
				if !(0 < got && got <= 1) || test.k.Eval(x, x) != 1 || test.k.Of(norm2(x), norm2(x), norm2(x)) != 1 {
					t.Errorf("γ = %s: k(x, z) = %v, k(x, x) = %v, want in (0, 1] and 1", test.name, got, test.k.Eval(x, x))
				}
			}
		}
		// With the constant factor 1/(σ√(2π)) it is the normal density: its integral is 1. The trapezoidal rule of step
		// σ/4 is exact to e^(−2π²·16) there, and beyond 9σ there is less than 1e-18.
		density := Scale(1/(sigma*math.Sqrt(2*math.Pi)), Kernel[[]float64](Gaussian(sigma)))
		integral := 0.0
		for i := -36; i <= 36; i++ {
			integral += density.Eval([]float64{sigma * float64(i) / 4}, []float64{0}) * sigma / 4
		}
		if !kernelNear(integral, 1, 1, 100) {
			t.Errorf("σ = %v: the density integrates to %v, want 1", sigma, integral)
		}
	}
	if got, want := (RBF{}).Eval([]float64{1}, []float64{2}), math.Exp(-1); got != want {
		t.Errorf("RBF{}.Eval at distance 1 = %v, want e^−1 = %v", got, want)
	}
	// Far from the origin, where ‖x‖² + ‖z‖² − 2x·z has lost every digit.
	if got, want := (RBF{0.5}).Eval([]float64{1e8, -1e8}, []float64{1e8 + 1, -1e8}), math.Exp(-0.5); got != want {
		t.Errorf("RBF{0.5}.Eval of points near 1e8 at distance 1 = %v, want %v", got, want)
	}
	// 1e200 makes γ underflow to 0, which would mean 1.
	for _, sigma := range []float64{0, math.Inf(1), math.NaN(), 1e200, 1e-200} {
		if kernelPanics(func() { Gaussian(sigma) }) == "" || kernelPanics(func() { GaussianSquare(sigma) }) == "" {
			t.Errorf("Gaussian(%v) and GaussianSquare of it do not both panic", sigma)
		}
	}
	if kernelPanics(func() { GaussianInverse(-1) }) == "" {
		t.Error("GaussianInverse(-1) does not panic")
	}
}

// kernelTail returns Σ_{m>p} uᵐ/m!, from 300-bit numbers.
func kernelTail(u float64, p int) float64 {
	term, sum := big.NewFloat(1).SetPrec(300), new(big.Float).SetPrec(300)
	for m := 1; ; m++ {
		term.Mul(term, big.NewFloat(u))
		term.Quo(term, big.NewFloat(float64(m)))
		if m > p {
			sum.Add(sum, term)
		}
		if m > p && float64(m) > 2*math.Abs(u) && term.MantExp(nil) < sum.MantExp(nil)-80 { // from here on terms halve
			tail, _ := sum.Float64()
			return tail
		}
	}
}

// D8: Gaussian = e^{−γ‖x‖²} e^{−γ‖z‖²} e^{2γx·z}; the Taylor series of the last factor is an explicit map, infinite-dimensional;
// truncated at degree p its error is bounded, and falls, as the theory says.
func TestD8Taylor(t *testing.T) {
	// Values are at most 1 and come from sums of at most a few hundred products of numbers at most 1 in all.
	const noise = 64
	rng := kernelRand(8)
	for pair := range 300 {
		d := 1 + pair%3
		k := RBF{Gamma: []float64{0, 0.1, 0.7, 2}[pair%4]}
		gamma := cmp.Or(k.Gamma, 1)
		v := kernelVectors(rng, 2, d)
		x, z := v[0], v[1]
		xz, xx, zz := Dot(x, z), norm2(x), norm2(z)
		u := 2 * gamma * xz
		factors := math.Exp(-gamma*xx) * math.Exp(-gamma*zz)
		if got, want := k.Eval(x, z), factors*math.Exp(u); !kernelNear(got, want, want, noise*(1+gamma*(xx+zz))) {
			t.Errorf("γ = %v: k(%v, %v) = %v, want the product of factors %v", gamma, x, z, got, want)
		}
		last := math.Inf(1)
		for p := range 16 {
			phi := k.FeatureMap(d, p)
			px, pz := phi(x), phi(z)
			got, tail, bound := k.Eval(x, z)-Dot(px, pz), factors*kernelTail(u, p), k.TruncationBound(p, xz, xx, zz)
			if !kernelNear(got, tail, 1, noise) {
				t.Errorf("γ = %v, p = %d, 2γx·z = %v: error = %v, want the rest of the series %v", gamma, p, u, got, tail)
			}
			// Rounding of exponents up to γ(‖x‖² + ‖z‖²) + 16 log|u| in the bound.
			if slack := 1 + 0x1p-40; math.Abs(tail) > bound*slack || bound > slack*math.Abs(tail)*math.Exp(math.Abs(u))*(1+math.Abs(u)) && u > 0 {
				t.Errorf("γ = %v, p = %d, 2γx·z = %v: error %v, bound %v", gamma, p, u, tail, bound)
			}
			if (u > 0 || float64(p) >= math.Abs(u)) && math.Abs(tail) > last {
				t.Errorf("γ = %v, 2γx·z = %v: error rises from %v to %v at p = %d", gamma, u, last, math.Abs(tail), p)
			}
			last = math.Abs(tail)
			// The largest bound in a ball.
			if r2 := max(xx, zz); bound > k.TruncationBound(p, r2, r2, r2)*(1+0x1p-40) {
				t.Errorf("γ = %v, p = %d: bound %v exceeds the ball's %v", gamma, p, bound, k.TruncationBound(p, r2, r2, r2))
			}
		}
	}
	// Nearly tight: as u → 0 the first omitted term is nearly all of the error.
	k, x, z := RBF{1}, []float64{0.05}, []float64{0.1}
	phi := k.FeatureMap(1, 1)
	got, bound := k.Eval(x, z)-phi(x)[0]*phi(z)[0]-phi(x)[1]*phi(z)[1], k.TruncationBound(1, 0.005, 0.0025, 0.01)
	if !(got <= bound && got >= 0.99*bound) {
		t.Errorf("error %v, bound %v: want between 99 %% and all of it", got, bound)
	}
	// In the ball of radius R: (2γR²)ᵖ⁺¹/(p+1)!, here 6³/3!.
	if got := (RBF{3}).TruncationBound(2, 1, 1, 1); !kernelNear(got, 36, 36, 32) {
		t.Errorf("bound in the unit ball, γ = 3, degree 2: %v, want 36", got)
	}
	// Far out, and at the highest degree: 2γ‖x‖² = 81, and the bound is e^−81 81¹⁷¹/171! < 1e-17.
	for _, gamma := range []float64{1e-6, 0.5, 1e6} {
		far := (RBF{gamma}).FeatureMap(1, 170)([]float64{9 / math.Sqrt(2*gamma)})
		if got := norm2(far); len(far) != 171 || !kernelNear(got, 1, 1, 1000) { // exponents of 81
			t.Errorf("γ = %v: %d coordinates, ‖φ(x)‖² = %v, want 171 and 1", gamma, len(far), got)
		}
	}
	// 1e200 has monomials that overflow, times an exponential that underflows.
	for i, v := range (RBF{1}).FeatureMap(2, 3)([]float64{1e200, -1e200}) {
		if v != 0 {
			t.Errorf("coordinate %d of a point far out is %v, want 0", i, v)
		}
	}
}

// D9: linear; cosine x·z/(‖x‖‖z‖) on bags of words, in [0, 1] for non-negative counts; tf–idf weighting.
func TestD9Cosine(t *testing.T) {
	rng := kernelRand(9)
	for range 200 {
		d := 1 + rng.IntN(20)
		x, z := make([]float64, d), make([]float64, d)
		sum, sumX, sumZ := 0.0, 0.0, 0.0
		for i := range x {
			x[i], z[i] = float64(rng.IntN(4)), float64(rng.IntN(4))
			sum += x[i] * z[i]
			sumX = math.Hypot(sumX, x[i])
			sumZ = math.Hypot(sumZ, z[i])
		}
		if got := (Linear{}).Eval(x, z); got != sum {
			t.Errorf("Linear.Eval(%v, %v) = %v, want %v", x, z, got, sum)
		}
		want := 0.0
		if sum != 0 {
			want = sum / sumX / sumZ
		}
		got := Cosine{}.Eval(x, z)
		if !kernelNear(got, want, 1, 8+float64(d)) || !(0 <= got && got <= 1+0x1p-50) {
			t.Errorf("Cosine.Eval(%v, %v) = %v, want %v, in [0, 1]", x, z, got, want)
		}
		long := make([]float64, d)
		axpy(long, 8, z) // a power of 2: no rounding
		if scaled := (Cosine{}).Eval(x, long); scaled != got {
			t.Errorf("Cosine.Eval(x, 8z) = %v, want Cosine.Eval(x, z) = %v", scaled, got)
		}
	}
	for _, z := range [][]float64{{0, 0}, {1, 2}} {
		if got := (Cosine{}).Eval([]float64{0, 0}, z); got != 0 {
			t.Errorf("Cosine.Eval(0, %v) = %v, want 0", z, got)
		}
	}

	// Terms:                the cat dog sat fish
	corpus := [][]float64{{2, 1, 0, 1, 0}, {1, 0, 3, 1, 0}, {1, 0, 0, 0, 0}}
	weight := TFIDF(corpus)
	want := []float64{0, math.Log(3), 3 * math.Log(3), 2 * math.Log(1.5), 0}
	if got := weight([]float64{5, 1, 3, 2, 7}); !slices.Equal(got, want) {
		t.Errorf("tf–idf = %v, want %v", got, want)
	}
	k := Pullback(Kernel[[]float64](Cosine{}), weight)
	if got := k.Eval([]float64{1, 1, 0, 0, 0}, []float64{1, 0, 1, 0, 0}); got != 0 {
		t.Errorf("documents that share only a word of all documents: %v, want 0", got)
	}
	l3, l15 := math.Log(3), math.Log(1.5)
	if got, want := k.Eval(corpus[0], corpus[1]), l15*l15/math.Sqrt((l3*l3+l15*l15)*(9*l3*l3+l15*l15)); !kernelNear(got, want, want, 8) {
		t.Errorf("weighted cosine of documents 0 and 1 = %v, want %v", got, want)
	}
	if kernelPanics(func() { weight([]float64{1}) }) == "" {
		t.Error("tf–idf of a document of the wrong length does not panic")
	}
}

// kernelSubstrings is D10 by definition: all substrings of both strings, counted.
func kernelSubstrings(x, z string, w float64) float64 {
	count := func(s string) map[string]float64 {
		m := map[string]float64{}
		for i := range len(s) {
			for j := i + 1; j <= len(s); j++ {
				m[s[i:j]]++
			}
		}
		return m
	}
	cx, cz := count(x), count(z)
	keys := make([]string, 0, len(cx))
	for s := range cx {
		keys = append(keys, s)
	}
	slices.Sort(keys)
	sum := 0.0
	for _, s := range keys {
		sum += math.Pow(w, float64(len(s))) * cx[s] * cz[s]
	}
	return sum
}

// D10: string kernel Σₛ wₛ #ₛ(x) #ₛ(z) over *all* substrings s, in time O(|x| + |z|) (suffix automaton or tree), equal to the
// quadratic brute force.
func TestD10Substring(t *testing.T) {
	rng := kernelRand(10)
	type pair struct{ x, z string }
	pairs := []pair{
		{"", ""}, {"", "a"}, {"a", ""}, {"a", "a"}, {"a", "b"}, {"abab", "baba"}, {"aaaaaaa", "aaaa"}, {"abcbc", "bcbcbc"},
		{"\x00", "\x00\x00"}, {"a\x00b", "\x00ba\x00"}, {"\xff\xfe\xff", "\xff\xff\xfe\xff"}, {"äöü", "öüä"},
	}
	for _, alphabet := range []int{1, 2, 3, 4, 256} {
		for range 40 {
			pairs = append(pairs, pair{kernelString(rng, rng.IntN(40), alphabet), kernelString(rng, rng.IntN(40), alphabet)})
		}
	}
	for _, p := range pairs {
		for _, decay := range []float64{0, 0.5, 0.9, 2} { // 0 means 1
			k := Substring{decay}
			got, back, want := k.Eval(p.x, p.z), k.Eval(p.z, p.x), kernelSubstrings(p.x, p.z, cmp.Or(decay, 1))
			// Powers of 2 are exact; every term is positive, so rounding is relative to the result.
			tol := 0.0
			if decay == 0.9 {
				tol = 100
			}
			if !kernelNear(got, want, want, tol) || !kernelNear(back, want, want, tol) {
				t.Errorf("Substring{%v}.Eval(%q, %q) = %v, and exchanged %v, want %v", decay, p.x, p.z, got, back, want)
			}
		}
	}
	if got := (Substring{}).Eval("ab", "ab"); got != 3 { // a, b, ab
		t.Errorf("Substring{}.Eval(ab, ab) = %v, want 3", got)
	}
	// A weight of 10 overflows on 400 common bytes, and must not turn into 0·∞ or ∞ − ∞ on fewer.
	long := strings.Repeat("a", 400)
	if got := (Substring{10}).Eval(long, long); !math.IsInf(got, 1) {
		t.Errorf("Substring{10}.Eval(a⁴⁰⁰, a⁴⁰⁰) = %v, want +Inf", got)
	}
	if got := (Substring{10}).Eval(long, "aa"); got != 400*2*10+399*100 {
		t.Errorf("Substring{10}.Eval(a⁴⁰⁰, aa) = %v, want %v", got, 400*2*10+399*100)
	}
	if got, want := (Substring{0x1p-10}).Eval(long, long), 160000*0x1p-10; !(got > want && got < want*1.01) {
		t.Errorf("Substring{2⁻¹⁰}.Eval(a⁴⁰⁰, a⁴⁰⁰) = %v, want a little more than %v", got, want)
	}

	fibonacci := []string{"a", "ab"}
	for len(fibonacci[len(fibonacci)-1]) < 2000 {
		fibonacci = append(fibonacci, fibonacci[len(fibonacci)-1]+fibonacci[len(fibonacci)-2])
	}
	for _, x := range []string{
		"a", "ab", strings.Repeat("a", 2000), "a" + strings.Repeat("b", 1999), strings.Repeat("ab", 1000), strings.Repeat("abb", 700),
		"a" + strings.Repeat("b", 1000) + "c", fibonacci[len(fibonacci)-1], kernelString(rng, 3000, 2), kernelString(rng, 3000, 256),
	} {
		a, n := newAutomaton(x, 1), len(x)
		// The edges are one more, that of the list's end. Time is proportional to states and edges.
		if len(a.states) > 2*n || len(a.edges) > 3*n+1 {
			t.Errorf("%.10q…: %d states and %d edges for %d bytes, want at most 2 and 3 times as many", x, len(a.states), len(a.edges)-1, n)
		}
		// Every occurrence of every substring is counted once: n(n+1)/2 of them.
		occurrences := 0.0
		for _, s := range a.states[1:] {
			occurrences += s.occ * float64(s.length-a.states[s.link].length)
		}
		if want := float64(n) * float64(n+1) / 2; occurrences != want {
			t.Errorf("%.10q…: %v occurrences of substrings, want %v", x, occurrences, want)
		}
	}
}

// D11: any inner product may stand for x·z in a polynomial or Gaussian kernel (another metric, sparse vectors, another
// kernel).
func TestD11Over(t *testing.T) {
	rng := kernelRand(11)
	const d = 4
	l := MatrixFromRows(kernelVectors(rng, d, d))
	a := l.T().Mul(l)
	metric := func(x, z []float64) float64 { // xᵀLᵀLz
		az := make([]float64, d)
		a.MulVec(az, z)
		return Dot(x, az)
	}
	move := func(x []float64) []float64 {
		lx := make([]float64, d)
		l.MulVec(lx, x)
		return lx
	}
	type sparse map[int]float64
	sparseDot := func(x, z sparse) float64 {
		s := 0.0
		for i := range d { // in order: the same bits every time
			s += x[i] * z[i]
		}
		return s
	}
	bag := func(x []float64) sparse {
		s := sparse{}
		for i, v := range x {
			if v != 0 {
				s[i] = v
			}
		}
		return s
	}
	poly := Polynomial{Degree: 2, Coef: 1}
	phi := poly.FeatureMap(d)
	for _, k := range []interface {
		Kernel[[]float64]
		DotKernel
	}{Linear{}, Polynomial{Degree: 3, Gamma: 0.5, Coef: 1}, RBF{0.1}, Sigmoid{0.1, 0.2}, Cosine{}, AllProducts{}} {
		for range 20 {
			v := kernelVectors(rng, 2, d)
			x, z := v[0], v[1]
			z[rng.IntN(d)] = 0
			for _, test := range []struct {
				name        string
				got, want   float64
				xx, zz, abs float64
			}{
				{"metric", Over(k, metric).Eval(x, z), k.Eval(move(x), move(z)), metric(x, x), metric(z, z), 0},
				{"sparse", Over(k, sparseDot).Eval(bag(x), bag(z)), k.Eval(x, z), norm2(x), norm2(z), 0},
				{"kernel", Over(k, poly.Eval).Eval(x, z), k.Eval(phi(x), phi(z)), poly.Eval(x, x), poly.Eval(z, z), 0},
			} {
				// |dk/d(x·z)| ≤ 3(1 + s)² for all of these, s = ‖x‖‖z‖ ≤ (xx + zz)/2, and inner products are off by
				// rounding errors of xx + zz.
				s := 1 + test.xx + test.zz
				if !kernelNear(test.got, test.want, s*s*s, 100) {
					t.Errorf("%T over %s: %v, want %v", k, test.name, test.got, test.want)
				}
			}
		}
	}
}

// D12: ‖φ(x) − φ(z)‖² = k(x,x) + k(z,z) − 2k(x,z): distances without φ.
func TestD12Distance(t *testing.T) {
	rng := kernelRand(12)
	for _, test := range []struct {
		name string
		k    Kernel[[]float64]
		phi  func(x []float64) []float64
	}{
		{"linear", Linear{}, slices.Clone[[]float64]},
		{"polynomial", Polynomial{Degree: 3, Gamma: 2, Coef: 1}, Polynomial{Degree: 3, Gamma: 2, Coef: 1}.FeatureMap(3)},
		{"products", AllProducts{}, AllProducts{}.FeatureMap},
		{"gaussian", RBF{0.05}, RBF{0.05}.FeatureMap(3, 25)}, // (2γ·3·3²)²⁶/26! < 1e-15
	} {
		for range 20 {
			v := kernelVectors(rng, 3, 3)
			x, z, y := v[0], v[1], v[2]
			px, pz := test.phi(x), test.phi(z)
			axpy(px, -1, pz)
			got, want := Distance(test.k, x, z), math.Sqrt(norm2(px))
			scale := test.k.Eval(x, x) + test.k.Eval(z, z)
			if !kernelNear(got*got, want*want, scale, 100) {
				t.Errorf("%s: Distance² = %v, want ‖φ(x) − φ(z)‖² = %v", test.name, got*got, want*want)
			}
			// The triangle inequality, in feature space.
			if xy, yz := Distance(test.k, x, y), Distance(test.k, y, z); got > (xy+yz)*(1+0x1p-40) {
				t.Errorf("%s: Distance(x, z) = %v > %v + %v", test.name, got, xy, yz)
			}
			if got := Distance(test.k, x, x); got != 0 {
				t.Errorf("%s: Distance(x, x) = %v, want 0", test.name, got)
			}
		}
	}
	// Strings "ab" and "b" have the features a, b, ab: (1, 1, 1) and (0, 1, 0).
	if got := Distance(Kernel[string](Substring{}), "ab", "b"); got != math.Sqrt2 {
		t.Errorf("Distance(ab, b) = %v, want √2", got)
	}
}

// kernelPSD reports whether the least eigenvalue of k is not below a rounding error of the largest entry's.
func kernelPSD(k *Matrix) bool {
	least, _ := CheckPSD(k)
	size := 0.0
	for i := range k.Rows {
		size += k.At(i, i)
	}
	return least >= -0x1p-46*size
}

// D13: sums, products, positive multiples, pullbacks, normalisation of kernels are kernels.
func TestD13Closure(t *testing.T) {
	type vectors = []float64
	var (
		lin  Kernel[vectors] = Linear{}
		poly Kernel[vectors] = Polynomial{Degree: 2, Gamma: 0.5, Coef: 1}
		rbf  Kernel[vectors] = RBF{0.3}
	)
	phi := Polynomial{Degree: 2, Gamma: 0.5, Coef: 1}.FeatureMap(3)
	outer := func(x, y []float64) []float64 {
		var z []float64
		for _, u := range x {
			for _, v := range y {
				z = append(z, u*v)
			}
		}
		return z
	}
	scale := func(c float64, x []float64) []float64 {
		y := make([]float64, len(x))
		axpy(y, c, x)
		return y
	}
	swap := func(x []float64) []float64 { return []float64{x[1] * x[2], math.Sin(x[0]), 1} }
	rng := kernelRand(13)
	for _, test := range []struct {
		name string
		k    Kernel[vectors]
		phi  func(x []float64) []float64 // its feature map
	}{
		{"sum", Sum(lin, poly), func(x []float64) []float64 { return slices.Concat(x, phi(x)) }},
		{"sum of none", Sum[vectors](), func(x []float64) []float64 { return nil }},
		{"product", Product(lin, poly), func(x []float64) []float64 { return outer(x, phi(x)) }},
		{"product of none", Product[vectors](), func(x []float64) []float64 { return []float64{1} }},
		{"multiple", Scale(2.5, poly), func(x []float64) []float64 { return scale(math.Sqrt(2.5), phi(x)) }},
		{"zero", Scale(0, poly), func(x []float64) []float64 { return nil }},
		{"pullback", Pullback(poly, swap), func(x []float64) []float64 { return phi(swap(x)) }},
		{"normalised", Normalize(poly), func(x []float64) []float64 { return scale(1/math.Sqrt(norm2(phi(x))), phi(x)) }},
		{"nested", Sum(Scale(3, Product(lin, lin, poly)), Normalize(lin)), func(x []float64) []float64 {
			return slices.Concat(scale(math.Sqrt(3), outer(outer(x, x), phi(x))), scale(1/math.Sqrt(norm2(x)), x))
		}},
		{"with gaussian", Sum(Product(rbf, Normalize(poly)), Scale(0.5, rbf)), nil},
		{"gaussian normalised", Normalize(rbf), nil},
		{"gaussian over gaussian", Over(RBF{2}, rbf.Eval), nil},
	} {
		xs := kernelVectors(rng, 12, 3)
		if test.phi != nil {
			for range 30 {
				x, z := xs[rng.IntN(12)], xs[rng.IntN(12)]
				got, want, size := test.k.Eval(x, z), Dot(test.phi(x), test.phi(z)), math.Sqrt(norm2(test.phi(x))*norm2(test.phi(z)))
				if !kernelNear(got, want, size, 100) {
					t.Errorf("%s: k(x, z) = %v, want φ(x)·φ(z) = %v", test.name, got, want)
				}
			}
		}
		xs = append(xs, xs[0]) // a singular matrix, too
		if m := GramMatrix(test.k, xs); !kernelPSD(m) {
			least, _ := CheckPSD(m)
			t.Errorf("%s: a Gram matrix with eigenvalue %v", test.name, least)
		}
	}
	words := []string{"", "a", "kernel", "kernels", "colonel", "kern\x00el", "lenrek"}
	text := Normalize(Kernel[string](Substring{0.7}))
	m := GramMatrix(text, words)
	if !kernelPSD(m) {
		t.Error("normalised substrings: a Gram matrix that is not positive semidefinite")
	}
	for i := range words {
		want := 1.0
		if words[i] == "" {
			want = 0
		}
		if got := m.At(i, i); !kernelNear(got, want, 1, 4) {
			t.Errorf("normalised k(%q, itself) = %v, want %v", words[i], got, want)
		}
	}
	for _, c := range []float64{-1, math.NaN(), math.Inf(1)} {
		if kernelPanics(func() { Scale(c, lin) }) == "" {
			t.Errorf("Scale(%v, k) does not panic", c)
		}
	}
	// A combination keeps its own list.
	list := []Kernel[vectors]{lin, lin}
	sum := Sum(list...)
	list[0] = rbf
	if got := sum.Eval([]float64{2}, []float64{3}); got != 12 {
		t.Errorf("2x·z = %v after the caller's slice changed, want 12", got)
	}
}

// kernelAll has all the kernels of vectors.
func kernelAll() map[string]Kernel[[]float64] {
	return map[string]Kernel[[]float64]{
		"linear": Linear{}, "polynomial": Polynomial{Gamma: 0.5, Coef: 1}, "gaussian": RBF{0.2}, "cosine": Cosine{}, "products": AllProducts{},
		"sum":  Sum[[]float64](Linear{}, RBF{}),
		"over": Over(RBF{0.1}, Polynomial{Degree: 2}.Eval),
	}
}

// D14: Gram matrices are symmetric; K = ΦΦᵀ ⇒ zᵀKz = Σₖ(Σᵢ zᵢφₖ(xᵢ))² ≥ 0. Mercer: valid ⇔ every Gram matrix is PSD. A similarity
// that is not (sigmoid): a witness z with zᵀKz < 0.
func TestD14Mercer(t *testing.T) {
	// Two points, two features: degree 2 in each z and each feature. Float64 is exact on small integers.
	kernelGrid(kernelRange(6, 2, -1), func(v []int64) {
		z, phi := v[:2], [][]float64{kernelFloats(v[2:4]), kernelFloats(v[4:])}
		k := GramMatrix(Kernel[[]float64](Linear{}), phi)
		got, want := 0.0, 0.0
		for i := range 2 {
			for j := range 2 {
				got += float64(z[i]) * k.At(i, j) * float64(z[j])
			}
			s := float64(z[0])*phi[0][i] + float64(z[1])*phi[1][i]
			want += s * s
		}
		if got != want {
			t.Fatalf("zᵀKz = %v at %v, want Σₖ(Σᵢ zᵢφₖ)² = %v", got, v, want)
		}
	})
	rng := kernelRand(14)
	xs := kernelIntegers(rng, 20, 5)
	phi, k := MatrixFromRows(xs), GramMatrix(Kernel[[]float64](Linear{}), xs)
	for range 50 {
		z := kernelIntegers(rng, 1, 20)[0]
		kz, phiz := make([]float64, 20), make([]float64, 5)
		k.MulVec(kz, z)
		phi.MulVecT(phiz, z)
		if got, want := Dot(z, kz), norm2(phiz); got != want || got < 0 {
			t.Errorf("zᵀKz = %v, want ‖Φᵀz‖² = %v", got, want)
		}
	}
	for name, k := range kernelAll() {
		xs := kernelVectors(rng, 25, 3)
		m := GramMatrix(k, xs)
		if !kernelPSD(m) {
			least, _ := CheckPSD(m)
			t.Errorf("%s: a Gram matrix with eigenvalue %v", name, least)
		}
		for i, x := range xs {
			for j, z := range xs {
				if m.At(i, j) != m.At(j, i) || m.At(i, j) != k.Eval(xs[min(i, j)], xs[max(i, j)]) || !kernelNear(k.Eval(x, z), k.Eval(z, x), m.At(i, i)+m.At(j, j), 16) {
					t.Errorf("%s: K(%d, %d) = %v, k = %v, exchanged %v", name, i, j, m.At(i, j), k.Eval(x, z), k.Eval(z, x))
				}
			}
		}
	}
	// tanh(1)tanh(4) < tanh(2)²: a determinant below 0.
	sigmoid := GramMatrix(Kernel[[]float64](Sigmoid{}), [][]float64{{1}, {2}})
	least, z := CheckPSD(sigmoid)
	got := 0.0
	for i := range z {
		for j := range z {
			got += z[i] * sigmoid.At(i, j) * z[j]
		}
	}
	if !(got < -0.01) || !kernelNear(got, least, 1, 16) || !kernelNear(norm2(z), 1, 1, 16) {
		t.Errorf("sigmoid: zᵀKz = %v, eigenvalue %v, ‖z‖² = %v: want both equal and negative, and 1", got, least, norm2(z))
	}
}

func TestCheckPSD(t *testing.T) {
	for _, test := range []struct {
		name string
		rows [][]float64
		want float64
	}{
		{"one", [][]float64{{-3}}, -3},
		{"positive", [][]float64{{2, 1}, {1, 2}}, 1},
		{"indefinite", [][]float64{{0, 1}, {1, 0}}, -1},
		{"not symmetric", [][]float64{{1, 4}, {0, 1}}, -1}, // the symmetric part is [1 2; 2 1]
		{"antisymmetric", [][]float64{{0, 5}, {-5, 0}}, 0},
	} {
		m := MatrixFromRows(test.rows)
		got, z := CheckPSD(m)
		mz := make([]float64, m.Rows)
		m.MulVec(mz, z)
		if !kernelNear(got, test.want, 5, 8) || !kernelNear(Dot(z, mz), got, 5, 8) {
			t.Errorf("CheckPSD(%s) = %v, with zᵀKz = %v, want %v", test.name, got, Dot(z, mz), test.want)
		}
	}
	if least, z := CheckPSD(NewMatrix(0, 0)); least != 0 || z != nil {
		t.Errorf("CheckPSD of an empty matrix = %v, %v, want 0, nil", least, z)
	}
}

// kernelSame reports whether a and b agree to within tol rounding errors of the given scale.
func kernelSame(a, b *Matrix, scale, tol float64) bool {
	return a.Rows == b.Rows && a.Cols == b.Cols && slices.EqualFunc(a.Data, b.Data, func(x, y float64) bool { return kernelNear(x, y, scale, tol) })
}

// D15: K = VΛVᵀ ⇒ K = ZᵀZ with Z = Λ^½Vᵀ: features read off a Gram matrix. X = USVᵀ ⇒ XXᵀ = US²Uᵀ, XᵀX = VS²Vᵀ.
func TestD15GramFeatures(t *testing.T) {
	rng := kernelRand(15)
	for _, test := range []struct{ n, d int }{{1, 1}, {2, 1}, {8, 3}, {5, 5}, {6, 10}} {
		xs := kernelVectors(rng, test.n, test.d)
		x := MatrixFromRows(xs)
		k := GramMatrix(Kernel[[]float64](Linear{}), xs)
		z, err := GramFeatures(k)
		if err != nil {
			t.Fatal(err)
		}
		tol := 16 * float64(test.n+test.d) // rounding of the decompositions
		trace := norm2(x.Data)
		if !kernelSame(z.T().Mul(z), k, trace, tol) {
			t.Errorf("n = %d, d = %d: ZᵀZ differs from K", test.n, test.d)
		}
		if want := min(test.n, test.d); z.Rows != want {
			t.Errorf("n = %d, d = %d: %d features, want the rank %d", test.n, test.d, z.Rows, want)
		}
		// ZZᵀ = Λ: the features are uncorrelated, the largest first.
		zz := z.Mul(z.T())
		for i := range zz.Rows {
			for j := range zz.Cols {
				if i != j && !kernelNear(zz.At(i, j), 0, trace, tol) || j == i-1 && zz.At(i, i) > zz.At(j, j) {
					t.Errorf("ZZᵀ(%d, %d) = %v, diagonal %v", i, j, zz.At(i, j), zz.At(i, i))
				}
			}
		}
		u, s, v := SVD(x)
		square := func(q *Matrix) *Matrix { // q diag(s²) qᵀ
			scaled := NewMatrix(q.Rows, q.Cols)
			for i := range q.Rows {
				for j := range s {
					scaled.Set(i, j, q.At(i, j)*s[j]*s[j])
				}
			}
			return scaled.Mul(q.T())
		}
		if !kernelSame(square(u), x.Mul(x.T()), trace, tol) || !kernelSame(square(v), x.T().Mul(x), trace, tol) {
			t.Errorf("n = %d, d = %d: US²Uᵀ differs from XXᵀ or VS²Vᵀ from XᵀX", test.n, test.d)
		}
		for i := range z.Rows { // λ = s²
			if got := zz.At(i, i); !kernelNear(got, s[i]*s[i], trace, tol) {
				t.Errorf("eigenvalue %d of K is %v, want the squared singular value %v", i, got, s[i]*s[i])
			}
		}
	}
	for _, test := range []struct {
		name string
		k    [][]float64
		want error
	}{
		{"indefinite", [][]float64{{1, 2}, {2, 1}}, ErrNotPositiveDefinite},
		{"negative", [][]float64{{-1}}, ErrNotPositiveDefinite},
		{"NaN", [][]float64{{1, math.NaN()}, {0, 1}}, ErrNotFinite},
		{"infinite", [][]float64{{math.Inf(1)}}, ErrNotFinite},
	} {
		if _, err := GramFeatures(MatrixFromRows(test.k)); !errors.Is(err, test.want) {
			t.Errorf("GramFeatures(%s): error %v, want %v", test.name, err, test.want)
		}
	}
	if z, err := GramFeatures(NewMatrix(3, 3)); err != nil || z.Rows != 0 || z.Cols != 3 {
		t.Errorf("GramFeatures(0) = %v, %v, want 0 × 3", z, err)
	}
}

// D16: empirical kernel map φₙ(x) = (k(x₁,x), …, k(xₙ,x)): φₙ(x)ᵀφₙ(z) ≠ k(x,z), but φₙ(x)ᵀK⁻¹φₙ(z) = k(x,z) on the data.
func TestD16EmpiricalMap(t *testing.T) {
	// x₁ = (1, 0), x₂ = (1, 1): K = [1 1; 1 2], φₙ(x₁)·φₙ(x₂) = (1, 1)·(1, 2) = 3, and k(x₁, x₂) = 1.
	xs := [][]float64{{1, 0}, {1, 1}}
	phi := EmpiricalMap(Kernel[[]float64](Linear{}), xs)
	if a, b := phi(xs[0]), phi(xs[1]); !slices.Equal(a, []float64{1, 1}) || !slices.Equal(b, []float64{1, 2}) || Dot(a, b) == 1 {
		t.Errorf("φₙ = %v, %v, want [1 1], [1 2]", a, b)
	}
	rng := kernelRand(16)
	for _, k := range []Kernel[[]float64]{RBF{1}, Polynomial{Coef: 1, Degree: 4}, Sum[[]float64](Linear{}, RBF{1})} {
		xs := kernelVectors(rng, 8, 3)
		m := GramMatrix(k, xs)
		l, err := Cholesky(m)
		if err != nil {
			t.Fatal(err)
		}
		phi := EmpiricalMap(k, xs)
		whiten := func(b []float64) []float64 { // L⁻¹b; K⁻¹ = L⁻ᵀL⁻¹
			y := slices.Clone(b)
			for i := range y {
				y[i] = (y[i] - Dot(l.Row(i)[:i], y[:i])) / l.At(i, i)
			}
			return y
		}
		values, _ := SymEigen(m)
		condition := values[7] / values[0]
		for i, x := range xs {
			for j, z := range xs {
				got, want := Dot(whiten(phi(x)), whiten(phi(z))), k.Eval(x, z)
				if !kernelNear(got, want, values[7], 16*math.Sqrt(condition)) {
					t.Errorf("%T: φₙᵀK⁻¹φₙ(%d, %d) = %v, want %v", k, i, j, got, want)
				}
			}
		}
	}
}

// D17: kernel PCA map K^{−½}φₙ: a feature map for k on the data (pseudo-inverse where K is singular).
func TestD17KernelPCA(t *testing.T) {
	rng := kernelRand(17)
	distinct := kernelVectors(rng, 10, 3)
	for _, test := range []struct {
		name     string
		k        Kernel[[]float64]
		xs       [][]float64
		singular bool
	}{
		{"gaussian", RBF{1}, distinct, false},
		{"polynomial", Polynomial{Coef: 1}, distinct, false},
		{"linear, rank 3", Linear{}, distinct, true},
		{"equal points", RBF{1}, append(slices.Clone(distinct), distinct[:5]...), true},
		{"nearly singular", RBF{1e-3}, distinct, true},
		{"zero", Linear{}, [][]float64{{0}, {0}}, true},
	} {
		phi, err := KernelPCAMap(test.k, test.xs)
		if err != nil {
			t.Fatal(err)
		}
		n := len(test.xs)
		k := GramMatrix(test.k, test.xs)
		root := NewMatrix(n, n)
		size := 0.0
		for i, x := range test.xs {
			copy(root.Row(i), phi(x))
			size += k.At(i, i)
		}
		// Eigenvalues count as 0 below (n+16) rounding errors of the largest.
		if tol := 32 * float64(n+16); !kernelSame(root.Mul(root.T()), k, size, tol) {
			t.Errorf("%s: φ(xᵢ)·φ(xⱼ) differs from K", test.name)
		}
		// φ(xᵢ) = K^{−½}Keᵢ is column i of the symmetric root. Roots of rounding errors are of their own size.
		if !kernelSame(root, root.T(), math.Sqrt(size), 0x1p26) {
			t.Errorf("%s: the matrix of the φ(xᵢ), K^½, is not symmetric", test.name)
		}
		if test.singular {
			continue
		}
		// Elsewhere φ(x)·φ(z) = φₙ(x)ᵀK⁻¹φₙ(z), here by Cholesky, and ‖φ(x)‖² ≤ k(x, x): a projection.
		upper := newTriangle(n)
		upperGram(test.k, test.xs, func(i int) []float64 { return upper[i] })
		if upper.factor() >= 0 {
			t.Fatal("not positive definite")
		}
		empirical := EmpiricalMap(test.k, test.xs)
		values, _ := SymEigen(k)
		condition := values[n-1] / values[0]
		for range 10 {
			v := kernelVectors(rng, 2, 3)
			x, z := v[0], v[1]
			solved := empirical(z)
			upper.solve(solved)
			got, want := Dot(phi(x), phi(z)), Dot(empirical(x), solved)
			scale := math.Sqrt(test.k.Eval(x, x)*test.k.Eval(z, z)) + size
			if !kernelNear(got, want, scale, 16*condition) {
				t.Errorf("%s: φ(x)·φ(z) = %v, want φₙᵀK⁻¹φₙ = %v", test.name, got, want)
			}
			if got, limit := norm2(phi(x)), test.k.Eval(x, x); got > limit+0x1p-52*16*condition*scale {
				t.Errorf("%s: ‖φ(x)‖² = %v > k(x, x) = %v", test.name, got, limit)
			}
		}
	}
	if _, err := KernelPCAMap(Kernel[[]float64](Sigmoid{}), [][]float64{{1}, {2}}); !errors.Is(err, ErrNotPositiveDefinite) {
		t.Errorf("KernelPCAMap(sigmoid): error %v, want %v", err, ErrNotPositiveDefinite)
	}
}

// D18: RKHS: f = Σ aᵢk(·,xᵢ), ⟨f,g⟩ = Σᵢⱼ aᵢbⱼk(xᵢ,zⱼ): symmetric, bilinear, ⟨f,f⟩ ≥ 0; reproducing ⟨k(·,x), g⟩ = g(x) and
// ⟨k(·,x), k(·,z)⟩ = k(x,z); Cauchy–Schwarz for k and for ⟨·,·⟩; ⟨·,·⟩ is itself a PD kernel.
func TestD18RKHS(t *testing.T) {
	type function = Func[[]float64]
	rng := kernelRand(18)
	// On small integers all of this is exact.
	for _, k := range []Kernel[[]float64]{Linear{}, Polynomial{Degree: 2, Coef: 1}, AllProducts{}} {
		random := func() function {
			n := 1 + rng.IntN(5)
			return function{k, kernelIntegers(rng, n, 3), kernelIntegers(rng, 1, n)[0]}
		}
		section := func(x []float64) function { return function{k, [][]float64{x}, []float64{1}} }
		var family []function
		for range 30 {
			f, g, h, c := random(), random(), random(), float64(rng.IntN(9)-4)
			v := kernelIntegers(rng, 2, 3)
			x, z := v[0], v[1]
			family = append(family, f)
			double := 0.0
			for i, p := range f.Points {
				for j, q := range g.Points {
					double += f.Coef[i] * g.Coef[j] * k.Eval(p, q)
				}
			}
			for _, row := range []struct {
				name      string
				got, want float64
			}{
				{"definition", f.Inner(g), double},
				{"symmetric", f.Inner(g), g.Inner(f)},
				{"additive", f.Add(g).Inner(h), f.Inner(h) + g.Inner(h)},
				{"homogeneous", f.Scale(c).Inner(g), c * f.Inner(g)},
				{"sum of values", f.Add(g).Eval(x), f.Eval(x) + g.Eval(x)},
				{"multiple of values", f.Scale(c).Eval(x), c * f.Eval(x)},
				{"reproducing", section(x).Inner(g), g.Eval(x)},
				{"reproducing, right", g.Inner(section(x)), g.Eval(x)},
				{"sections", section(x).Inner(section(z)), k.Eval(x, z)},
				{"zero", function{}.Add(f).Inner(g), f.Inner(g)},
				{"zero plus f at x", function{}.Add(f).Eval(x), f.Eval(x)},
				{"f plus zero at x", f.Add(function{}).Eval(x), f.Eval(x)},
				{"zero value", function{}.Inner(f) + f.Inner(function{}) + function{}.Eval(x) + function{}.Norm(), 0},
				// The same function, written with a point and its opposite coefficient more.
				{"well defined", f.Add(section(x)).Add(section(x).Scale(-1)).Inner(g), f.Inner(g)},
			} {
				if row.got != row.want {
					t.Errorf("%T: %s: %v, want %v", k, row.name, row.got, row.want)
				}
			}
			ff, gg, fg := f.Inner(f), g.Inner(g), f.Inner(g)
			if ff < 0 || fg*fg > ff*gg || f.Norm() != math.Sqrt(ff) {
				t.Errorf("%T: ⟨f,f⟩ = %v, ⟨g,g⟩ = %v, ⟨f,g⟩ = %v, ‖f‖ = %v", k, ff, gg, fg, f.Norm())
			}
			if cf := f.Scale(c); cf.Inner(f)*cf.Inner(f) != cf.Inner(cf)*ff {
				t.Errorf("%T: Cauchy–Schwarz is not an equality for f and %vf", k, c)
			}
			if xz := k.Eval(x, z); xz*xz > k.Eval(x, x)*k.Eval(z, z) {
				t.Errorf("%T: k(x,z)² = %v > k(x,x)k(z,z) = %v", k, xz*xz, k.Eval(x, x)*k.Eval(z, z))
			}
		}
		if !kernelPSD(GramMatrix(KernelFunc[function](function.Inner), family)) {
			t.Errorf("%T: the Gram matrix of functions is not positive semidefinite", k)
		}
	}
	// Not parallel: strict. k(·,1) and k(·,2) for the Gaussian.
	f, g := function{RBF{1}, [][]float64{{1}}, []float64{1}}, function{RBF{1}, [][]float64{{2}}, []float64{1}}
	if fg := f.Inner(g); !(fg*fg < f.Inner(f)*g.Inner(g)) {
		t.Errorf("⟨f,g⟩² = %v, want < %v", fg*fg, f.Inner(f)*g.Inner(g))
	}
}

// D19: representer theorem: a minimiser of F(⟨w,φ(x₁)⟩, …) + R(‖w‖) lies in the span of the φ(xᵢ); a component orthogonal to it
// changes no output and only lengthens w.
func TestD19Representer(t *testing.T) {
	rng := kernelRand(19)
	for _, test := range []struct {
		name string
		k    Kernel[[]float64]
		n    int
	}{
		{"gaussian", RBF{1}, 6}, {"polynomial", Polynomial{Degree: 4, Coef: 1}, 6}, {"linear, singular", Linear{}, 6}, {"no points", RBF{1}, 0},
	} {
		xs := kernelVectors(rng, test.n, 2)
		w := Func[[]float64]{test.k, kernelVectors(rng, 9, 2), kernelVectors(rng, 1, 9)[0]}
		inside, err := w.Project(xs)
		if err != nil {
			t.Fatal(err)
		}
		outside := w.Add(inside.Scale(-1))
		// Coefficients are of the size ‖w‖/√λ for the least eigenvalue λ that counts.
		size := 1 + w.Inner(w) + norm2(inside.Coef)
		for _, x := range xs {
			size = max(size, test.k.Eval(x, x)*norm2(inside.Coef))
		}
		const tol = 200
		for i, x := range xs {
			if got, want := inside.Eval(x), w.Eval(x); !kernelNear(got, want, size, tol) {
				t.Errorf("%s: output %d changes from %v to %v", test.name, i, want, got)
			}
		}
		if got := inside.Inner(outside); !kernelNear(got, 0, size, tol) {
			t.Errorf("%s: the parts of w have inner product %v, want 0", test.name, got)
		}
		if got, want := inside.Inner(inside)+outside.Inner(outside), w.Inner(w); !kernelNear(got, want, size, tol) {
			t.Errorf("%s: ‖w₁‖² + ‖w₂‖² = %v, want ‖w‖² = %v", test.name, got, want)
		}
		if !(inside.Norm() < w.Norm()) && test.name != "linear, singular" { // where the span is everything
			t.Errorf("%s: ‖w₁‖ = %v, want less than ‖w‖ = %v", test.name, inside.Norm(), w.Norm())
		}
		if test.n == 0 {
			continue
		}
		// F a squared loss, R = λ‖w‖²: the minimiser has no part outside, and is better than any w that has.
		targets := kernelVectors(rng, 1, test.n)[0]
		best, err := KernelRidge(xs, targets, test.k, 0.5)
		if err != nil {
			t.Fatal(err)
		}
		objective := func(f Func[[]float64]) float64 {
			loss := 0.0
			for i, x := range xs {
				e := f.Eval(x) - targets[i]
				loss += e * e
			}
			return loss + 0.5*f.Inner(f)
		}
		at := objective(best)
		for _, step := range []float64{1e-2, 1, -1} {
			if got, want := objective(best.Add(outside.Scale(step))), at+0.5*step*step*outside.Inner(outside); !kernelNear(got, want, size+at, 1000) {
				t.Errorf("%s: objective with %v times the outside part = %v, want %v", test.name, step, got, want)
			}
			if got := objective(best.Add(w.Scale(step))); got <= at {
				t.Errorf("%s: objective falls from %v to %v with a step %v", test.name, at, got, step)
			}
		}
	}
	nan := Func[[]float64]{Linear{}, [][]float64{{1}}, []float64{math.NaN()}}
	if _, err := nan.Project([][]float64{{1}}); !errors.Is(err, ErrNotFinite) {
		t.Errorf("Project of NaN: error %v, want %v", err, ErrNotFinite)
	}
	if _, err := (Func[[]float64]{Kernel: Sigmoid{}}).Project([][]float64{{1}, {2}}); !errors.Is(err, ErrNotPositiveDefinite) {
		t.Errorf("Project with a sigmoid: error %v, want %v", err, ErrNotPositiveDefinite)
	}
}

// F1: regularised least squares w = (ΦᵀΦ + λI)⁻¹Φᵀt, and in kernel form a = (K + λI)⁻¹t; w = Φᵀa; the same predictions.
func TestF1Ridge(t *testing.T) {
	rng := kernelRand(21)
	for _, test := range []struct {
		name   string
		k      Kernel[[]float64]
		phi    func(x []float64) []float64
		n      int
		lambda float64
	}{
		{"linear, n > d", Linear{}, slices.Clone[[]float64], 20, 0.1},
		{"linear, n < d", Linear{}, slices.Clone[[]float64], 2, 2},
		{"quadratic", Polynomial{Degree: 2, Coef: 1}, Polynomial{Degree: 2, Coef: 1}.FeatureMap(3), 15, 1},
		{"products", AllProducts{}, AllProducts{}.FeatureMap, 10, 3},
		{"many points", Linear{}, slices.Clone[[]float64], 150, 5},
	} {
		xs, targets := kernelVectors(rng, test.n, 3), kernelVectors(rng, 1, test.n)[0]
		phi := make([][]float64, test.n)
		size := 0.0
		for i, x := range xs {
			phi[i] = test.phi(x)
			size += norm2(phi[i])
		}
		w, err := Ridge(phi, targets, test.lambda)
		if err != nil {
			t.Fatal(err)
		}
		f, err := KernelRidge(xs, targets, test.k, test.lambda)
		if err != nil {
			t.Fatal(err)
		}
		tol := 16 * (1 + size/test.lambda) // the condition number
		fromA := make([]float64, len(w))
		for i := range phi {
			axpy(fromA, f.Coef[i], phi[i])
		}
		for j := range w {
			if !kernelNear(fromA[j], w[j], 1+math.Sqrt(norm2(w)), tol) {
				t.Errorf("%s: (Φᵀa)[%d] = %v, want w = %v", test.name, j, fromA[j], w[j])
			}
		}
		for _, x := range kernelVectors(rng, 5, 3) {
			px := test.phi(x)
			if got, want := f.Eval(x), Dot(w, px); !kernelNear(got, want, (1+math.Sqrt(norm2(w)))*(1+math.Sqrt(norm2(px))), tol) {
				t.Errorf("%s: f(x) = %v, want w·φ(x) = %v", test.name, got, want)
			}
		}
		// w is the minimum: the objective ‖Φw − t‖² + λ‖w‖² is a parabola along each axis, so its central difference
		// there is its derivative, and at ±h it exceeds the minimum by h² times ‖column‖² + λ.
		objective := func(j int, h float64) float64 {
			v := slices.Clone(w)
			v[j] += h
			sum := test.lambda * norm2(v)
			for i := range phi {
				e := Dot(v, phi[i]) - targets[i]
				sum += e * e
			}
			return sum
		}
		for j := range w {
			if got := objective(j, 1) - objective(j, -1); !kernelNear(got, 0, (1+size+test.lambda)*(1+norm2(w)+norm2(targets)), tol) {
				t.Errorf("%s: derivative %v along w[%d], want 0", test.name, got, j)
			}
		}
		// (K + λI)a = t, entry by entry, and so f(xᵢ) = tᵢ − λaᵢ.
		for i, x := range xs {
			if got, want := f.Eval(x), targets[i]-test.lambda*f.Coef[i]; !kernelNear(got, want, (size+test.lambda)*(1+math.Sqrt(norm2(f.Coef))), 16) {
				t.Errorf("%s: f(x%d) = %v, want t − λa = %v", test.name, i, got, want)
			}
		}
	}
	// By hand: Φ = (1, 2)ᵀ, t = (1, 3), λ = 1: w = 7/6, a = [2 2; 2 5]⁻¹(1, 3) = (−1/6, 4/6).
	f, err := KernelRidge([][]float64{{1}, {2}}, []float64{1, 3}, Kernel[[]float64](Linear{}), 1)
	if err != nil || !kernelNear(f.Coef[0], -1./6, 1, 4) || !kernelNear(f.Coef[1], 4./6, 1, 4) {
		t.Errorf("KernelRidge = %v, %v, want [−1/6 4/6]", f.Coef, err)
	}
}

func TestRidgeErrors(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, test := range []struct {
		name   string
		xs     [][]float64
		t      []float64
		lambda float64
		want   error
		text   string
	}{
		{"lambda < 0", [][]float64{{1}}, []float64{1}, -1, nil, "lambda"},
		{"lambda NaN", [][]float64{{1}}, []float64{1}, nan, nil, "lambda"},
		{"lambda infinite", [][]float64{{1}}, []float64{1}, inf, nil, "lambda"},
		{"lengths", [][]float64{{1}}, []float64{1, 2}, 1, nil, "2 targets"},
		{"ragged", [][]float64{{1}, {1, 2}}, []float64{1, 2}, 1, nil, "point 1"},
		{"NaN point", [][]float64{{1}, {nan}}, []float64{1, 2}, 1, ErrNotFinite, "point 1"},
		{"NaN target", [][]float64{{1}}, []float64{nan}, 1, ErrNotFinite, "target 0"},
		{"infinite target", [][]float64{{1}, {2}}, []float64{1, inf}, 1, ErrNotFinite, "target 1"},
		{"overflow", [][]float64{{1e200}, {1}}, []float64{1, 2}, 1, ErrNotFinite, "entry (0, 0)"},
		{"huge solution", [][]float64{{1e-155}}, []float64{1e300}, 0, ErrNotFinite, "coefficient 0"},
		{"zero", [][]float64{{0}}, []float64{1}, 0, ErrNotPositiveDefinite, "row 0"},
	} {
		_, kernelErr := KernelRidge(test.xs, test.t, Kernel[[]float64](Linear{}), test.lambda)
		_, primalErr := Ridge(test.xs, test.t, test.lambda)
		for _, err := range []error{kernelErr, primalErr} {
			if err == nil || !strings.HasPrefix(err.Error(), "svm: ") || !strings.Contains(err.Error(), test.text) || test.want != nil && !errors.Is(err, test.want) {
				t.Errorf("%s: error %v, want %q and %v", test.name, err, test.text, test.want)
			}
		}
	}
	// Singular with rounding errors in the pivots: three points on a line through the origin, in three directions.
	for _, step := range []float64{0.1, 0.3, 0.7} {
		xs := [][]float64{{step, 3 * step}, {0.9 * step, 2.7 * step}, {1 / step, 1.1}, {0.37, 0.11}}
		if _, err := KernelRidge(xs, []float64{1, 2, 3, 4}, Kernel[[]float64](Linear{}), 0); !errors.Is(err, ErrNotPositiveDefinite) {
			t.Errorf("KernelRidge with a singular K, step %v: error %v, want %v", step, err, ErrNotPositiveDefinite)
		}
		if _, err := KernelRidge(xs, []float64{1, 2, 3, 4}, Kernel[[]float64](Linear{}), 1e-6); err != nil {
			t.Errorf("KernelRidge with λ = 1e-6, step %v: error %v", step, err)
		}
	}
	f, err := KernelRidge(nil, nil, Kernel[[]float64](RBF{}), 1)
	if err != nil || f.Eval([]float64{1}) != 0 {
		t.Errorf("KernelRidge of no points = %v, %v, want the function 0", f, err)
	}
	if w, err := Ridge(nil, nil, 1); err != nil || len(w) != 0 {
		t.Errorf("Ridge of no points = %v, %v, want none", w, err)
	}
	// Interpolation, λ = 0, of strings.
	words := []string{"a", "ab", "ba"}
	g, err := KernelRidge(words, []float64{1, 2, 3}, Kernel[string](Substring{}), 0)
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range words {
		if got, want := g.Eval(w), float64(i+1); !kernelNear(got, want, 1, 1000) {
			t.Errorf("f(%s) = %v, want %v", w, got, want)
		}
	}
	if _, err := KernelLeastSquares([]int{0}, []float64{1}, Kernel[int](Precomputed{MatrixFromRows([][]float64{{nan}})}), 1, 1); !errors.Is(err, ErrNotFinite) {
		t.Errorf("KernelLeastSquares with a kernel value NaN: error %v, want %v", err, ErrNotFinite)
	}
}

// F2: gradient descent on least squares in w, and the same run kernelised: aᵢ ← aᵢ + (γ/n)(tᵢ − Σⱼ aⱼKᵢⱼ). Storage n instead of
// dim φ.
func TestF2GradientDescent(t *testing.T) {
	rng := kernelRand(22)
	const n, d, rate = 12, 3, 0.02
	k := Polynomial{Degree: 2, Coef: 1}
	xs, targets := kernelVectors(rng, n, d), kernelVectors(rng, 1, n)[0]
	phi := make([][]float64, n)
	for i, x := range xs {
		phi[i] = k.FeatureMap(d)(x)
	}
	objective := func(w []float64) float64 {
		sum := 0.0
		for i := range phi {
			e := Dot(w, phi[i]) - targets[i]
			sum += e * e
		}
		return sum / (2 * n)
	}
	last := make([]float64, len(phi[0])) // w of the step before
	lastA := make([]float64, n)
	for steps := range 40 {
		w, err := LeastSquares(phi, targets, rate, steps)
		if err != nil {
			t.Fatal(err)
		}
		f, err := KernelLeastSquares(xs, targets, Kernel[[]float64](k), rate, steps)
		if err != nil {
			t.Fatal(err)
		}
		fromA := make([]float64, len(w))
		for i := range phi {
			axpy(fromA, f.Coef[i], phi[i])
		}
		if len(f.Coef) != n {
			t.Fatalf("%d coefficients, want %d", len(f.Coef), n)
		}
		for j := range w {
			// η·(largest eigenvalue)/n is below 2, so rounding errors of the steps do not grow.
			if !kernelNear(fromA[j], w[j], 1, 100*float64(1+steps)) {
				t.Fatalf("after %d steps (Φᵀa)[%d] = %v, want w = %v", steps, j, fromA[j], w[j])
			}
			if steps == 0 {
				continue
			}
			// The step itself: −rate times the derivative of the objective, by central differences, exact for a parabola.
			up, down := slices.Clone(last), slices.Clone(last)
			up[j]++
			down[j]--
			if got, want := w[j]-last[j], -rate*(objective(up)-objective(down))/2; !kernelNear(got, want, 1, 1000) {
				t.Fatalf("step %d changes w[%d] by %v, want %v", steps, j, got, want)
			}
		}
		for i := range lastA {
			if steps == 0 {
				break
			}
			sum := 0.0
			for j := range lastA {
				sum += lastA[j] * k.Eval(xs[i], xs[j])
			}
			if got, want := f.Coef[i], lastA[i]+rate/n*(targets[i]-sum); !kernelNear(got, want, 1, 1000) {
				t.Fatalf("step %d: a[%d] = %v, want %v", steps, i, got, want)
			}
		}
		if steps > 0 && objective(w) >= objective(last) {
			t.Errorf("step %d: the objective rises from %v to %v", steps, objective(last), objective(w))
		}
		last, lastA = w, f.Coef
	}

	// It converges to F1 with λ = 0 where ΦᵀΦ is not singular: geometrically, by 1 − η μ/n a step.
	xs, targets = [][]float64{{1, 0}, {0, 2}, {1, 1}}, []float64{1, 2, 3}
	w, err := LeastSquares(xs, targets, 0.5, 400)
	if err != nil {
		t.Fatal(err)
	}
	want, err := Ridge(xs, targets, 0)
	if err != nil {
		t.Fatal(err)
	}
	for j := range w {
		if !kernelNear(w[j], want[j], 1, 100) {
			t.Errorf("w = %v after 400 steps, want the least-squares solution %v", w, want)
		}
	}
	if _, err := LeastSquares(xs, targets, 100, 400); !errors.Is(err, ErrNotConverged) {
		t.Errorf("rate 100: error %v, want %v", err, ErrNotConverged)
	}
	if _, err := KernelLeastSquares(xs, targets, Kernel[[]float64](Linear{}), 100, 400); !errors.Is(err, ErrNotConverged) {
		t.Errorf("kernel, rate 100: error %v, want %v", err, ErrNotConverged)
	}
	if _, err := LeastSquares(xs, targets, -1, 1); err == nil || !strings.Contains(err.Error(), "rate") {
		t.Errorf("rate −1: error %v", err)
	}
	if w, err := LeastSquares(nil, nil, 1, 3); err != nil || len(w) != 0 {
		t.Errorf("LeastSquares of no points = %v, %v", w, err)
	}
}

func TestScaleGamma(t *testing.T) {
	for _, test := range []struct {
		name string
		xs   [][]float64
		want float64
	}{
		{"hand", [][]float64{{0, 2}, {2, 4}}, 0.25}, // entries 0 2 2 4: mean 2, variance 2; d = 2
		{"one feature", [][]float64{{-3}, {3}}, 1. / 9},
		{"offset", [][]float64{{1e8 - 3}, {1e8 + 3}}, 1. / 9},
		{"large offset", [][]float64{{1e16 - 6}, {1e16 + 6}}, 1. / 36}, // where sums of squares have lost it
		{"constant", [][]float64{{0.1, 0.1, 0.1}, {0.1, 0.1, 0.1}}, 1}, // whose mean is not 0.1
		{"none", nil, 1},
		{"no features", [][]float64{{}, {}}, 1},
		{"overflow", [][]float64{{1e200}, {-1e200}}, 1}, // γ would be 0
		{"underflow", [][]float64{{1e-160}, {-1e-160}}, 1},
		{"NaN", [][]float64{{math.NaN()}, {1}}, 1},
	} {
		if got := ScaleGamma(test.xs); got != test.want {
			t.Errorf("ScaleGamma(%s) = %v, want %v", test.name, got, test.want)
		}
	}
	// The average of γ‖x − z‖² over all pairs is at most 2.
	xs := kernelVectors(kernelRand(23), 30, 4)
	gamma, sum := ScaleGamma(xs), 0.0
	for _, x := range xs {
		for _, z := range xs {
			sum -= math.Log(RBF{gamma}.Eval(x, z))
		}
	}
	if got := sum / 900; !(got <= 2 && got > 1.5) {
		t.Errorf("average of γ‖x − z‖² = %v, want at most 2 and nearly", got)
	}
}

// Sections are the kernel itself: k(x, ·)(z) = k(x, z), bit for bit, and defaults are what they say.
func TestKernelValues(t *testing.T) {
	rng := kernelRand(24)
	for name, k := range kernelAll() {
		for range 20 {
			v := kernelVectors(rng, 2, 7)
			if got, want := section(k, v[0])(v[1]), k.Eval(v[0], v[1]); got != want {
				t.Errorf("%s: section(x)(z) = %v, want k(x, z) = %v", name, got, want)
			}
			if dot, ok := k.(DotKernel); ok {
				got, want := dot.Of(Dot(v[0], v[1]), norm2(v[0]), norm2(v[1])), k.Eval(v[0], v[1])
				if !kernelNear(got, want, 1+math.Abs(want), 200) {
					t.Errorf("%s: Of = %v, Eval = %v", name, got, want)
				}
			}
		}
	}
	x, z := []float64{1, 2}, []float64{3, 0.5}
	for _, test := range []struct {
		name      string
		got, want float64
	}{
		{"Polynomial{}", Polynomial{}.Eval(x, z), 64},
		{"Polynomial{Degree: 1, Gamma: 2, Coef: −1}", Polynomial{1, 2, -1}.Eval(x, z), 7},
		{"Polynomial{Degree: 5}", Polynomial{Degree: 5}.Eval(x, z), 1024},
		{"Polynomial{Degree: 10, Coef: −6}", Polynomial{Degree: 10, Coef: -6}.Eval(x, z), 1024},
		{"Sigmoid{}", Sigmoid{}.Eval(x, z), math.Tanh(4)},
		{"Sigmoid{0.5, −1}", Sigmoid{0.5, -1}.Eval(x, z), math.Tanh(1)},
		{"RBF{2}", RBF{2}.Eval(x, z), math.Exp(-12.5)},
		{"RBF{2}.Of", RBF{2}.Of(4, 5, 9.25), math.Exp(-12.5)},
		{"RBF.Of below 0", RBF{2}.Of(1.0000001, 1, 1), 1},
		{"Precomputed", Precomputed{MatrixFromRows([][]float64{{1, 2}, {3, 4}})}.Eval(1, 0), 3},
		{"KernelFunc", KernelFunc[int](func(i, j int) float64 { return float64(i * j) }).Eval(6, 7), 42},
	} {
		if test.got != test.want {
			t.Errorf("%s = %v, want %v", test.name, test.got, test.want)
		}
	}
	checkCoordinates(1<<22-1, 1)
	checkCoordinates(2894, 2) // 2895·2896/2 = 4191960 ≤ 2²² < 2896·2897/2: does not panic
	for name, f := range map[string]func(){
		"lengths":             func() { Linear{}.Eval(x, z[:1]) },
		"RBF lengths":         func() { RBF{}.Eval(x, z[:1]) },
		"RBF lengths, other":  func() { RBF{}.Eval(x[:1], z) },
		"negative degree":     func() { Polynomial{Degree: -1}.Eval(x, z) },
		"negative Coef":       func() { Polynomial{Coef: -1}.FeatureMap(2) },
		"negative Gamma":      func() { Polynomial{Gamma: -1, Coef: 1}.FeatureMap(2) },
		"RBF negative Gamma":  func() { RBF{-1}.FeatureMap(2, 2) },
		"NaN Gamma":           func() { RBF{math.NaN()}.FeatureMap(2, 2) },
		"negative map degree": func() { RBF{1}.FeatureMap(2, -1) },
		"degree too high":     func() { RBF{1}.FeatureMap(1, 171) },
		"factors overflow":    func() { Polynomial{Degree: 2000, Coef: 1}.FeatureMap(1) },
		"no dimension":        func() { RBF{1}.FeatureMap(0, 2) },
		"just too large":      func() { checkCoordinates(2895, 2) },
		"too large by one":    func() { checkCoordinates(1<<22, 1) },
		"too large":           func() { Polynomial{Degree: 6, Coef: 1}.FeatureMap(1000) },
		"too deep":            func() { RBF{1}.FeatureMap(1, math.MaxInt) },
		"wrong length":        func() { Polynomial{}.FeatureMap(2)([]float64{1}) },

		"ragged corpus":      func() { TFIDF([][]float64{{1}, {1, 2}}) },
		"in another routine": func() { GramMatrix(Kernel[[]float64](Linear{}), [][]float64{x, z, z[:1]}) },
	} {
		if got := kernelPanics(f); !strings.HasPrefix(got, "svm: ") {
			t.Errorf("%s: panic %q, want svm: …", name, got)
		}
	}
}

// qpJudge returns the worst violation of the conditions (B5) by s, computed from the solution alone: stationarity, primal
// feasibility, signs, complementary slackness (each product), and the gap f − dual value.
func qpJudge(q QP, s *QPSolution) float64 {
	worst := 0.0
	note := func(v float64) {
		if !(v <= worst) {
			worst = v
		}
	}
	g := make([]float64, len(s.X))
	f, gap := 0.0, 0.0
	for i := range s.X {
		if q.C != nil {
			g[i] = q.C[i]
			f += q.C[i] * s.X[i]
			gap += q.C[i] * s.X[i]
		}
		for j := range s.X {
			if q.Q != nil {
				v := q.Q.At(i, j) * s.X[j]
				g[i] += v
				f += v * s.X[i] / 2
				gap += v * s.X[i]
			}
		}
	}
	note(math.Abs(f - s.Objective))
	inequality := func(slack, side, z float64) {
		note(-slack)
		note(-z)
		if z != 0 {
			note(math.Abs(slack * z))
			gap += side * z
		}
	}
	for i, b := range q.B {
		slack := b
		for j, x := range s.X {
			slack -= q.A.At(i, j) * x
			g[j] += q.A.At(i, j) * s.Ineq[i]
		}
		inequality(slack, b, s.Ineq[i])
	}
	for i, b := range q.Beq {
		slack := b
		for j, x := range s.X {
			slack -= q.Aeq.At(i, j) * x
			g[j] += q.Aeq.At(i, j) * s.Eq[i]
		}
		note(math.Abs(slack))
		gap += b * s.Eq[i]
	}
	for j, x := range s.X {
		if q.Lo != nil {
			inequality(x-q.Lo[j], -q.Lo[j], s.Lower[j])
		}
		if q.Hi != nil {
			inequality(q.Hi[j]-x, q.Hi[j], s.Upper[j])
		}
		note(math.Abs(g[j] - s.Lower[j] + s.Upper[j]))
	}
	note(math.Abs(gap))
	return worst
}

func qpRows(rows ...[]float64) *Matrix { return MatrixFromRows(rows) }

func qpNear(x, y []float64, tol float64) bool {
	return slices.EqualFunc(x, y, func(a, b float64) bool { return math.Abs(a-b) <= tol })
}

// qpVector returns n numbers with the standard normal distribution.
func qpVector(rng *rand.Rand, n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = rng.NormFloat64()
	}
	return v
}

// qpGaussian returns a Gaussian Gram matrix of random points in the plane, the points, and labels of a noisy circle.
func qpGaussian(rng *rand.Rand, n int) (k *Matrix, xs [][]float64, ys []float64) {
	for range n {
		x := qpVector(rng, 2)
		xs, ys = append(xs, x), append(ys, math.Copysign(1, norm2(x)-1.2+0.3*rng.NormFloat64()))
	}
	k = NewMatrix(n, n)
	for i, x := range xs {
		for j, z := range xs {
			k.Set(i, j, math.Exp(-(norm2(x)+norm2(z)-2*Dot(x, z))/2))
		}
	}
	return k, xs, ys
}

const qpTol = 1e-9 // the default of QPOptions.Tol, for data of size about 1

// A qpInt is a program with small integer data.
type qpInt struct {
	n, eq int // the first eq of rows are equations; the rest, bounds included, are ≤
	q     [][]int64
	c     []int64
	rows  [][]int64
	b     []int64
}

// qpMulDiv returns (ab − cd)/e, which is a whole number by Bareiss's theorem.
func qpMulDiv(a, b, c, d, e int64) int64 {
	const small = 1 << 31
	if max(a, -a) < small && max(b, -b) < small && max(c, -c) < small && max(d, -d) < small {
		return (a*b - c*d) / e
	}
	h1, l1 := qpMul(a, b)
	h2, l2 := qpMul(c, d)
	lo, borrow := bits.Sub64(l1, l2, 0)
	hi, _ := bits.Sub64(h1, h2, borrow)
	neg := int64(hi) < 0
	if neg {
		lo, borrow = bits.Sub64(0, lo, 0)
		hi, _ = bits.Sub64(0, hi, borrow)
	}
	if e < 0 {
		neg, e = !neg, -e
	}
	quo, rem := bits.Div64(hi, lo, uint64(e))
	if rem != 0 || int64(quo) < 0 {
		panic("not a whole number")
	}
	if neg {
		return -int64(quo)
	}
	return int64(quo)
}

// qpMul returns the 128-bit product of a and b.
func qpMul(a, b int64) (hi, lo uint64) {
	hi, lo = bits.Mul64(uint64(a), uint64(b))
	return hi - uint64(a>>63)&uint64(b) - uint64(b>>63)&uint64(a), lo
}

// qpGauss solves the integer system m, the last column the right-hand side, by fraction-free Gauss–Jordan elimination:
// x = num/den with den > 0, free unknowns 0. It reports whether the system is consistent, and its rank.
func qpGauss(m [][]int64) (num []int64, den int64, rank int, ok bool) {
	cols := 0
	if len(m) > 0 {
		cols = len(m[0]) - 1
	}
	den = 1
	at := make([]int, 0, cols)
	for j := 0; j < cols && rank < len(m); j++ {
		p := rank
		for p < len(m) && m[p][j] == 0 {
			p++
		}
		if p == len(m) {
			continue
		}
		m[rank], m[p] = m[p], m[rank]
		pivot := m[rank]
		for i, row := range m {
			if i != rank {
				f := row[j]
				for k := range row {
					row[k] = qpMulDiv(pivot[j], row[k], f, pivot[k], den)
				}
			}
		}
		den = pivot[j]
		at = append(at, j)
		rank++
	}
	for _, row := range m[rank:] {
		if row[cols] != 0 {
			return nil, 0, rank, false
		}
	}
	num = make([]int64, cols)
	sign := int64(1)
	if den < 0 {
		sign = -1
	}
	for i, j := range at {
		num[j] = sign * m[i][cols]
	}
	return num, sign * den, rank, true
}

// solve tries every independent set of inequalities with the equations: with W their rows, it solves
//
//	Qx + Wᵀλ = −c, Wx = b_W
//
// exactly, and accepts x when it is feasible and the λ of inequalities are ≥ 0. That is enough: at a point of a minimal face
// of the solutions, the active constraints include an independent set W that carries the multipliers, and the unknowns that
// Q and W leave open are open to every constraint.
func (p *qpInt) solve() (num []int64, den int64, ok bool) {
	var w []int
	var search func(next int, basis [][]int64) bool
	search = func(next int, basis [][]int64) bool {
		if num, den, ok = p.try(w); ok {
			return true
		}
		for i := next; i < len(p.rows); i++ {
			if r := qpReduced(p.rows[i], basis); r != nil {
				w = append(w, i)
				if search(i+1, append(basis[:len(basis):len(basis)], r)) {
					return true
				}
				w = w[:len(w)-1]
			}
		}
		return false
	}
	var basis [][]int64
	for _, row := range p.rows[:p.eq] {
		if r := qpReduced(row, basis); r != nil {
			basis = append(basis, r)
		}
	}
	search(p.eq, basis)
	return
}

// qpReduced eliminates the leading entries of the basis from row. It returns nil if nothing is left.
func qpReduced(row []int64, basis [][]int64) []int64 {
	lead := func(r []int64) int { return slices.IndexFunc(r, func(v int64) bool { return v != 0 }) }
	row = slices.Clone(row)
	for _, b := range basis {
		j := lead(b)
		if f := row[j]; f != 0 {
			for k := range row {
				row[k] = row[k]*b[j] - f*b[k]
			}
		}
	}
	if lead(row) < 0 {
		return nil
	}
	return row
}

func (p *qpInt) try(w []int) (num []int64, den int64, ok bool) {
	k := p.eq + len(w)
	size := p.n + k
	m := make([][]int64, size)
	slab := make([]int64, size*(size+1))
	for i := range m {
		m[i], slab = slab[:size+1], slab[size+1:]
	}
	for i := range p.n {
		copy(m[i], p.q[i])
		m[i][size] = -p.c[i]
	}
	for a := range k {
		r := a
		if a >= p.eq {
			r = w[a-p.eq]
		}
		copy(m[p.n+a], p.rows[r])
		m[p.n+a][size] = p.b[r]
		for j, v := range p.rows[r] {
			m[j][p.n+a] = v
		}
	}
	num, den, _, ok = qpGauss(m)
	if !ok {
		return
	}
	for _, v := range num[min(p.n+p.eq, len(num)):] {
		if v < 0 {
			return nil, 0, false
		}
	}
	for i, row := range p.rows {
		s := -p.b[i] * den
		for j, v := range row {
			s += v * num[j]
		}
		if s > 0 || i < p.eq && s != 0 {
			return nil, 0, false
		}
	}
	return num[:min(p.n, len(num))], den, true
}

// value returns ½xᵀQx + cᵀx.
func (p *qpInt) value(num []int64, den int64) float64 {
	total := new(big.Rat)
	for i := range num {
		xi := big.NewRat(num[i], den)
		s := big.NewRat(2*p.c[i], 1)
		for j := range num {
			s.Add(s, new(big.Rat).Mul(big.NewRat(p.q[i][j], 1), big.NewRat(num[j], den)))
		}
		total.Add(total, s.Mul(s, xi))
	}
	f, _ := total.Float64()
	return f / 2
}

// qpRandom draws a program, as integers and as a QP.
func qpRandom(rng *rand.Rand) (*qpInt, QP) {
	n := rng.IntN(7)
	small := func() int64 {
		if rng.IntN(3) == 0 {
			return 0
		}
		return rng.Int64N(5) - 2
	}
	p := &qpInt{n: n, q: make([][]int64, n), c: make([]int64, n)}
	row := func() []int64 {
		r := make([]int64, n)
		for j := range r {
			r[j] = small()
		}
		return r
	}
	for i := range n {
		p.q[i] = make([]int64, n)
		if rng.IntN(4) != 0 {
			p.c[i] = small()
		}
	}
	for range rng.IntN(n + 1) { // Q has this rank at most
		r := row()
		for i := range n {
			for j := range n {
				p.q[i][j] += r[i] * r[j]
			}
		}
	}
	if rng.IntN(2) == 0 { // feasible by construction, with constraints that hold with equality
		x := row()
		rhs := func(r []int64, slack int64) int64 {
			for j := range r {
				slack += r[j] * x[j]
			}
			return slack
		}
		for range rng.IntN(3) {
			r := row()
			p.rows, p.b, p.eq = append(p.rows, r), append(p.b, rhs(r, 0)), p.eq+1
		}
		for range rng.IntN(5) {
			r := row()
			p.rows, p.b = append(p.rows, r), append(p.b, rhs(r, rng.Int64N(3)))
		}
	} else {
		for range rng.IntN(3) {
			p.rows, p.b, p.eq = append(p.rows, row()), append(p.b, small()), p.eq+1
		}
		for range rng.IntN(5) {
			p.rows, p.b = append(p.rows, row()), append(p.b, small())
		}
	}
	if k := len(p.rows); k > 1 && rng.IntN(3) == 0 { // a dependent row
		i, j := rng.IntN(k), rng.IntN(k)
		r := make([]int64, n)
		for t := range r {
			r[t] = p.rows[i][t] + p.rows[j][t]
		}
		if i < p.eq && j < p.eq {
			p.rows, p.b, p.eq = append([][]int64{r}, p.rows...), append([]int64{p.b[i] + p.b[j]}, p.b...), p.eq+1
		} else {
			p.rows, p.b = append(p.rows, r), append(p.b, p.b[i]+p.b[j]+rng.Int64N(3)-1)
		}
	}
	dense := len(p.rows)
	lo, hi := make([]float64, n), make([]float64, n)
	for j := range n {
		lo[j], hi[j] = math.Inf(-1), math.Inf(1)
		kind := rng.IntN(6)
		bound := func(sign, v int64) {
			r := make([]int64, n)
			r[j] = sign
			p.rows, p.b = append(p.rows, r), append(p.b, sign*v)
		}
		if kind == 1 || kind == 2 || kind == 4 {
			v := -rng.Int64N(3)
			lo[j] = float64(v)
			bound(-1, v)
		}
		if kind == 2 || kind == 3 {
			v := rng.Int64N(3)
			hi[j] = float64(v)
			bound(1, v)
		}
		if kind == 4 && rng.IntN(2) == 0 { // fixed
			hi[j] = lo[j]
			bound(1, int64(lo[j]))
		}
	}
	floats := func(rows [][]int64) *Matrix {
		m := NewMatrix(len(rows), n)
		for i, r := range rows {
			for j, v := range r {
				m.Set(i, j, float64(v))
			}
		}
		return m
	}
	vec := func(v []int64) []float64 {
		f := make([]float64, len(v))
		for i := range v {
			f[i] = float64(v[i])
		}
		return f
	}
	q := QP{Q: floats(p.q), C: vec(p.c), Aeq: floats(p.rows[:p.eq]), Beq: vec(p.b[:p.eq]),
		A: floats(p.rows[p.eq:dense]), B: vec(p.b[p.eq:dense]), Lo: lo, Hi: hi}
	return p, q
}

// C1: the general program, any part absent, with all multipliers returned. Each row was solved by hand.
func TestC1HandSolved(t *testing.T) {
	inf := math.Inf(1)
	id2 := qpRows([]float64{1, 0}, []float64{0, 1})
	for _, test := range []struct {
		name string
		q    QP
		want QPSolution
	}{
		{"nothing", QP{}, QPSolution{}},
		{"no constraint", QP{Q: id2, C: []float64{-1, 2}}, QPSolution{X: []float64{1, -2}, Lower: []float64{0, 0}, Upper: []float64{0, 0}}},
		{"upper bound", QP{Q: id2, C: []float64{-3, 0}, Hi: []float64{1, inf}},
			QPSolution{X: []float64{1, 0}, Lower: []float64{0, 0}, Upper: []float64{2, 0}}},
		{"lower bound", QP{Q: id2, C: []float64{3, 0}, Lo: []float64{-1, -inf}},
			QPSolution{X: []float64{-1, 0}, Lower: []float64{2, 0}, Upper: []float64{0, 0}}},
		{"one equation", QP{Q: id2, Aeq: qpRows([]float64{1, 1}), Beq: []float64{2}},
			QPSolution{X: []float64{1, 1}, Eq: []float64{-1}, Lower: []float64{0, 0}, Upper: []float64{0, 0}}},
		{"one inequality", QP{Q: id2, C: []float64{-2, -2}, A: qpRows([]float64{1, 1}), B: []float64{2}},
			QPSolution{X: []float64{1, 1}, Ineq: []float64{1}, Lower: []float64{0, 0}, Upper: []float64{0, 0}}},
		{"an absent row", QP{Q: id2, C: []float64{-2, -2}, A: qpRows([]float64{1, 1}), B: []float64{inf}},
			QPSolution{X: []float64{2, 2}, Ineq: []float64{0}, Lower: []float64{0, 0}, Upper: []float64{0, 0}}},
		{"fixed", QP{Q: qpRows([]float64{2, 1}, []float64{1, 2}), C: []float64{-3, 0}, Lo: []float64{-inf, 1}, Hi: []float64{inf, 1}},
			QPSolution{X: []float64{1, 1}, Lower: []float64{0, 3}, Upper: []float64{0, 0}}},
		{"linear", QP{C: []float64{-1, -2}, A: qpRows([]float64{1, 1}, []float64{0, 1}), B: []float64{4, 3}, Lo: []float64{0, 0}},
			QPSolution{X: []float64{1, 3}, Ineq: []float64{1, 1}, Lower: []float64{0, 0}, Upper: []float64{0, 0}}},
		// the textbook example: min (x₁−1)² + (x₂−2.5)² (Nocedal and Wright, 16.4), solution (1.4, 1.7), multiplier 0.8 of the first row
		{"five rows", QP{Q: qpRows([]float64{2, 0}, []float64{0, 2}), C: []float64{-2, -5},
			A: qpRows([]float64{-1, 2}, []float64{1, 2}, []float64{1, -2}), B: []float64{2, 6, 2}, Lo: []float64{0, 0}},
			QPSolution{X: []float64{1.4, 1.7}, Ineq: []float64{0.8, 0, 0}, Lower: []float64{0, 0}, Upper: []float64{0, 0}}},
	} {
		s, err := SolveQP(test.q, QPOptions{})
		if err != nil {
			t.Errorf("%s: SolveQP = %v", test.name, err)
			continue
		}
		if w := qpJudge(test.q, s); w > qpTol {
			t.Errorf("%s: worst violation of B5 is %v", test.name, w)
		}
		for i, p := range [][2][]float64{{s.X, test.want.X}, {s.Ineq, test.want.Ineq}, {s.Eq, test.want.Eq},
			{s.Lower, test.want.Lower}, {s.Upper, test.want.Upper}} {
			if !qpNear(p[0], p[1], 1e-8) { // the Hessian is at least 1: residuals of 1e-9 move x by a few 1e-9
				t.Errorf("%s: part %d = %v, want %v", test.name, i, p[0], p[1])
			}
		}
	}
}

// C1, C5: on random programs of up to six unknowns, with dependent, redundant and conflicting rows, fixed unknowns, infinite bounds,
// singular or no Q: the verdict and the objective are those of the enumeration of all active sets in exact arithmetic,
// the solution satisfies B5, and every certificate proves what it claims.
func TestC1C5RandomPrograms(t *testing.T) {
	trials := 10000
	if testing.Short() {
		trials = 1000
	}
	count := map[error]int{}
	rng := rand.New(rand.NewPCG(1, 2))
	for trial := range trials {
		p, q := qpRandom(rng)
		num, den, ok := p.solve()
		var want error
		if !ok {
			f := &qpInt{n: p.n, eq: p.eq, c: make([]int64, p.n), rows: p.rows, b: p.b}
			for range p.n {
				f.q = append(f.q, f.c)
			}
			want = ErrUnbounded
			if _, _, ok := f.solve(); !ok {
				want = ErrInfeasible
			}
		}
		count[want]++
		s, err := SolveQP(q, QPOptions{})
		if !errors.Is(err, want) {
			t.Errorf("trial %d: SolveQP(%+v) = %v, want %v", trial, p, err, want)
			continue
		}
		if want != nil {
			if bad := qpRefuted(q, err); bad != "" {
				t.Errorf("trial %d: SolveQP(%+v): %s", trial, p, bad)
			}
			continue
		}
		v := p.value(num, den)
		scale := 1 + math.Abs(v) // with entries ≤ 2 and |x| of the size of the objective, complementary products scale with it
		if math.Abs(v-s.Objective) > 1e-9*scale {
			t.Errorf("trial %d: SolveQP(%+v): objective %v, want %v", trial, p, s.Objective, v)
		}
		if w := qpJudge(q, s); w > 2e-9*scale {
			t.Errorf("trial %d: SolveQP(%+v): worst violation of B5 is %v", trial, p, w)
		}
	}
	for _, err := range []error{nil, ErrInfeasible, ErrUnbounded} {
		if count[err] < trials/20 {
			t.Errorf("%d of %d programs have verdict %v: the test tests little", count[err], trials, err)
		}
	}
}

// qpRefuted says what is wrong with the certificate of err, a verdict on q, if anything.
func qpRefuted(q QP, err error) string {
	const tol = 1e-8 // certificates have largest entry 1, data entries at most a few units
	var infeasible *InfeasibleError
	var unbounded *UnboundedError
	switch {
	case errors.As(err, &infeasible):
		e := infeasible
		for _, v := range slices.Concat(e.Ineq, e.Lower, e.Upper) {
			if v < 0 {
				return "negative multiplier"
			}
		}
		side := 0.0
		g := make([]float64, len(e.Lower))
		for j := range g {
			g[j] = e.Upper[j] - e.Lower[j]
			if e.Lower[j] != 0 {
				side -= q.Lo[j] * e.Lower[j]
			}
			if e.Upper[j] != 0 {
				side += q.Hi[j] * e.Upper[j]
			}
		}
		for i, z := range e.Ineq {
			axpy(g, z, q.A.Row(i))
			side += q.B[i] * z
		}
		for i, z := range e.Eq {
			axpy(g, z, q.Aeq.Row(i))
			side += q.Beq[i] * z
		}
		if !(side < -tol) || largest(g) > tol*-side {
			return fmt.Sprintf("Farkas: combination %v, side %v", g, side)
		}
	case errors.As(err, &unbounded):
		x, d := unbounded.Point, unbounded.Ray
		if !(Dot(q.C, d) < -tol) {
			return fmt.Sprintf("ray: slope %v", Dot(q.C, d))
		}
		for i := range d {
			if v := Dot(q.Q.Row(i), d); math.Abs(v) > tol {
				return fmt.Sprintf("ray: (Qd)[%d] = %v", i, v)
			}
			if !math.IsInf(q.Lo[i], -1) && d[i] < -tol || !math.IsInf(q.Hi[i], 1) && d[i] > tol {
				return fmt.Sprintf("ray: leaves the bounds of %d", i)
			}
		}
		for i := range q.B {
			if v := Dot(q.A.Row(i), d); v > tol {
				return fmt.Sprintf("ray: leaves row %d", i)
			}
		}
		for i := range q.Beq {
			if v := Dot(q.Aeq.Row(i), d); math.Abs(v) > tol {
				return fmt.Sprintf("ray: leaves equation %d", i)
			}
		}
		v := 0.0
		q.excess(x, &QPSolution{}, func(eq bool, e float64, _ []float64, _ int) {
			if eq {
				e = math.Abs(e)
			}
			v = max(v, e)
		})
		if v > tol {
			return fmt.Sprintf("the point is infeasible by %v", v)
		}
	default:
		return "no certificate"
	}
	return ""
}

// C5: non-convex programs are named, with a direction of negative curvature; positive semidefinite ones are not, however singular.
func TestC5NotConvex(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for trial := range 200 {
		n := 1 + rng.IntN(8)
		q := NewMatrix(n, n)
		for range rng.IntN(n + 1) {
			v := qpVector(rng, n)
			for i := range n {
				axpy(q.Row(i), v[i], v)
			}
		}
		if _, err := SolveQP(QP{Q: q, Lo: constant(n, 0), Hi: constant(n, 1)}, QPOptions{}); err != nil {
			t.Fatalf("trial %d: SolveQP of a Gram matrix = %v", trial, err)
		}
		v := qpVector(rng, n)
		for i := range n {
			axpy(q.Row(i), -v[i], v)
		}
		for i := range n { // restore exact symmetry
			for j := range i {
				q.Set(i, j, q.At(j, i))
			}
		}
		values, _ := SymEigen(q)
		_, err := SolveQP(QP{Q: q}, QPOptions{})
		var e *NotConvexError
		if want := values[0] < -1e-9*largest(q.Data); errors.As(err, &e) != want {
			t.Fatalf("trial %d: least eigenvalue %v, SolveQP = %v", trial, values[0], err)
		} else if want {
			got := 0.0
			for i, di := range e.Direction {
				got += di * Dot(q.Row(i), e.Direction)
			}
			if !(got < 0) || !errors.Is(err, ErrNotConvex) || math.Abs(got-e.Curvature) > 1e-9*math.Abs(got) {
				t.Errorf("trial %d: dᵀQd = %v, Curvature = %v", trial, got, e.Curvature)
			}
		}
	}
}

// C5: constraints that contradict themselves.
func TestC5Contradictions(t *testing.T) {
	inf := math.Inf(1)
	for _, test := range []struct {
		name string
		q    QP
	}{
		{"lo > hi", QP{Lo: []float64{1}, Hi: []float64{0}}},
		{"lo = +Inf", QP{Lo: []float64{inf}, Hi: []float64{inf}}},
		{"hi = -Inf", QP{Lo: []float64{-inf}, Hi: []float64{-inf}}},
		{"b = -Inf", QP{A: qpRows([]float64{1}), B: []float64{-inf}}},
		{"0 = 1", QP{Aeq: qpRows([]float64{0}), Beq: []float64{1}}},
		{"0 <= -1", QP{A: qpRows([]float64{0}), B: []float64{-1}}},
		{"fixed against a row", QP{A: qpRows([]float64{1}), B: []float64{1}, Lo: []float64{2}, Hi: []float64{2}}},
		{"far apart", QP{A: qpRows([]float64{1e6}, []float64{-1e-3}), B: []float64{1, -1}}},
	} {
		_, err := SolveQP(test.q, QPOptions{})
		var e *InfeasibleError
		if !errors.As(err, &e) || !errors.Is(err, ErrInfeasible) {
			t.Errorf("%s: SolveQP = %v, want an InfeasibleError", test.name, err)
		}
	}
}

// B3: weak duality: dual value ≤ primal value for every feasible pair; the difference is the slack in the constraints and
// ½(x−u)ᵀQ(x−u). Exact in integers.
func TestB3WeakDuality(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	whole := func(k int, least, most int64) []float64 {
		v := make([]float64, k)
		for i := range v {
			v[i] = float64(least + rng.Int64N(most-least+1))
		}
		return v
	}
	for range 500 {
		_, q := qpRandom(rng)
		n := len(q.C)
		x, u := whole(n, -3, 3), whole(n, -3, 3)
		s := &QPSolution{X: u, Ineq: whole(len(q.B), 0, 3), Eq: whole(len(q.Beq), -3, 3)}
		slack := 0.0
		for i, z := range s.Ineq {
			w := float64(rng.IntN(3))
			q.B[i] = Dot(q.A.Row(i), x) + w
			slack += z * w
		}
		for i := range s.Eq {
			q.Beq[i] = Dot(q.Aeq.Row(i), x)
		}
		lower, upper := whole(n, 0, 2), whole(n, 0, 2)
		for j := range n {
			if rng.IntN(2) == 0 { // stationarity leaves one of the two
				lower[j] = 0
			} else {
				upper[j] = 0
			}
			q.Lo[j], q.Hi[j] = x[j]-float64(rng.IntN(3)), x[j]+float64(rng.IntN(3))
			slack += lower[j]*(x[j]-q.Lo[j]) + upper[j]*(q.Hi[j]-x[j])
			q.C[j] = lower[j] - upper[j] - Dot(q.Q.Row(j), u)
			for i, z := range s.Ineq {
				q.C[j] -= z * q.A.At(i, j)
			}
			for i, z := range s.Eq {
				q.C[j] -= z * q.Aeq.At(i, j)
			}
		}
		q.certify(s)
		if s.DualResidual != 0 || !slices.Equal(s.Lower, lower) || !slices.Equal(s.Upper, upper) {
			t.Fatalf("certify: dual residual %v, bounds %v %v, want 0, %v %v", s.DualResidual, s.Lower, s.Upper, lower, upper)
		}
		diff := slices.Clone(x)
		axpy(diff, -1, u)
		if got, want := q.Value(x)-s.DualObjective, slack+(QP{Q: q.Q}).Value(diff); got != want || got < 0 {
			t.Fatalf("primal − dual = %v, want %v", got, want)
		}
		s.X = x // L(x, z) lies between
		if l := q.Lagrangian(x, s); l > q.Value(x) || l < s.DualObjective {
			t.Fatalf("L = %v outside [%v, %v]", l, s.DualObjective, q.Value(x))
		}
	}
}

// B4: θ_P is the objective where x is feasible, +∞ elsewhere: there the multiplier of a violated constraint lifts L without end.
func TestB4Theta(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	inside := 0
	for range 500 {
		_, q := qpRandom(rng)
		n := len(q.C)
		x := make([]float64, n)
		for j := range x {
			x[j] = float64(rng.IntN(3) - 1)
		}
		theta := q.Theta(x)
		best := math.Inf(-1)
		for try := range 200 {
			m := &QPSolution{}
			big := math.Pow(10, float64(rng.IntN(12)))
			for _, part := range []struct {
				z    *[]float64
				n    int
				free bool
			}{{&m.Ineq, len(q.B), false}, {&m.Eq, len(q.Beq), true}, {&m.Lower, n, false}, {&m.Upper, n, false}} {
				*part.z = make([]float64, part.n)
				for i := range *part.z {
					if try > 0 && rng.IntN(2) == 0 { // the first try has no multiplier: L = f
						(*part.z)[i] = big * rng.NormFloat64()
						if !part.free {
							(*part.z)[i] = math.Abs((*part.z)[i])
						}
					}
				}
			}
			best = max(best, q.Lagrangian(x, m))
		}
		if math.IsInf(theta, 1) {
			if best < 1e6 {
				t.Fatalf("θ_P(%v) = %v, but L stays below %v", x, theta, best)
			}
		} else if inside++; theta != q.Value(x) || best != theta { // L ≤ f, with equality at z = 0
			t.Fatalf("θ_P(%v) = %v, f = %v, largest L found = %v", x, theta, q.Value(x), best)
		}
	}
	if inside < 50 {
		t.Errorf("%d of 500 points are feasible: the test tests little", inside)
	}
}

// B5: the report of SolveQP is the truth: each residual is what an independent computation says.
func TestB5Residuals(t *testing.T) {
	k, _, ys := qpGaussian(rand.New(rand.NewPCG(9, 10)), 60)
	q := DualQP(k, ys, 10)
	s, err := SolveQP(q, QPOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if w := qpJudge(q, s); w > qpTol {
		t.Errorf("worst violation of B5 is %v", w)
	}
	other := slices.Index(ys, -ys[0]) // moving X[0] and X[other] alike keeps yᵀx = 0
	for _, spoil := range []struct {
		name      string
		spoil     func(s *QPSolution)
		got, want func(s *QPSolution) float64
	}{
		{"equation", func(s *QPSolution) { s.X[0]++ }, func(s *QPSolution) float64 { return s.PrimalResidual },
			func(s *QPSolution) float64 { return max(1, s.X[0]-10) }},
		{"lower bound", func(s *QPSolution) { s.X[0] -= 30; s.X[other] -= 30 }, func(s *QPSolution) float64 { return s.PrimalResidual },
			func(s *QPSolution) float64 { return -min(s.X[0], s.X[other]) }},
		{"upper bound", func(s *QPSolution) { s.X[0] += 30; s.X[other] += 30 }, func(s *QPSolution) float64 { return s.PrimalResidual },
			func(s *QPSolution) float64 { return max(s.X[0], s.X[other]) - 10 }},
		{"gap", func(s *QPSolution) { s.Eq[0]++ }, func(s *QPSolution) float64 { return s.Gap },
			func(s *QPSolution) float64 { return math.Abs(s.Objective - s.DualObjective) }},
	} {
		c := *s
		c.X, c.Eq = slices.Clone(s.X), slices.Clone(s.Eq)
		spoil.spoil(&c)
		q.certify(&c)
		if got, want := spoil.got(&c), spoil.want(&c); math.Abs(got-want) > 1e-8*want || want < 1e-3 {
			t.Errorf("%s: residual = %v, want %v", spoil.name, got, want)
		}
	}
}

// B9: min ½xᵀQx + cᵀx s.t. Ax = b is one linear system. The direct route solves it, without iterations, and agrees with the
// iterative one, which a constraint that never binds calls for.
func TestB9Equations(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for trial := range 100 {
		n := 1 + rng.IntN(8)
		m := rng.IntN(n + 1)
		g, a := NewMatrix(n, n), NewMatrix(m, n)
		copy(g.Data, qpVector(rng, n*n))
		copy(a.Data, qpVector(rng, m*n))
		q := QP{Q: g.T().Mul(g), C: qpVector(rng, n), Aeq: a, Beq: qpVector(rng, m)}
		for i := range n {
			q.Q.Set(i, i, q.Q.At(i, i)+0.1) // keeps the solution, and so the rounding of the gap, small
		}
		direct, err := SolveQP(q, QPOptions{})
		if err != nil || direct.Iterations != 0 {
			t.Fatalf("trial %d: SolveQP = %v after %d iterations, want none", trial, err, direct.Iterations)
		}
		if w := qpJudge(q, direct); w > 10*qpTol {
			t.Errorf("trial %d: worst violation of B5 is %v", trial, w)
		}
		q.Lo = constant(n, -10-2*largest(direct.X))
		iterative, err := SolveQP(q, QPOptions{})
		if err != nil || iterative.Iterations == 0 {
			t.Fatalf("trial %d: SolveQP = %v after %d iterations, want some", trial, err, iterative.Iterations)
		}
		if d := direct.Objective - iterative.Objective; math.Abs(d) > 1e-8*(1+math.Abs(direct.Objective)) {
			t.Errorf("trial %d: objectives differ by %v", trial, d)
		}
	}
}

// B1, B2, B10, C2, C3: the primal (d + n + 1 unknowns, 2n constraints) and the dual (n unknowns) give the same plane. The
// multipliers of the primal are the α of the dual: w = Σαᵢyᵢxᵢ, Σαᵢyᵢ = 0, C − αᵢ − μᵢ = 0.
func TestB10PrimalAndDual(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	for _, test := range []struct {
		name             string
		n, d             int
		c                float64
		unknowns, primal int // of the primal, and its constraints
		dual             int // constraints of the dual
	}{
		{"soft", 30, 3, 0.7, 3 + 1 + 30, 60, 61},
		{"hard", 20, 2, math.Inf(1), 2 + 1, 20, 21},
	} {
		var xs [][]float64
		var ys []float64
		for i := range test.n {
			x := qpVector(rng, test.d)
			y := float64(2*(i%2) - 1)
			x[0] += y
			if math.IsInf(test.c, 1) {
				x[0] = y * (0.1 + math.Abs(x[0]))
			}
			xs, ys = append(xs, x), append(ys, y)
		}
		x := MatrixFromRows(xs)
		k := x.Mul(x.T())
		pq, dq := PrimalQP(xs, ys, test.c), DualQP(k, ys, test.c)
		if n, m := pq.Size(); n != test.unknowns || m != test.primal {
			t.Errorf("%s: primal Size = %d, %d, want %d, %d", test.name, n, m, test.unknowns, test.primal)
		}
		if n, m := dq.Size(); n != test.n || m != test.dual {
			t.Errorf("%s: dual Size = %d, %d, want %d, %d", test.name, n, m, test.n, test.dual)
		}
		primal, err1 := SolveQP(pq, QPOptions{})
		dual, err2 := SolveQP(dq, QPOptions{})
		signed := Dual{K: k, P: ys, Lo: make([]float64, test.n), Hi: make([]float64, test.n)}
		for i, y := range ys {
			signed.Lo[i], signed.Hi[i] = min(0, y*test.c), max(0, y*test.c)
		}
		beta, err3 := InteriorPoint(signed, QPOptions{})
		if err := errors.Join(err1, err2, err3); err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		const tol = 1e-6 // √(1e-9): a gap of 1e-9 leaves w, where f is 1-strongly convex, uncertain by √(2·1e-9)
		if sum := primal.Objective + dual.Objective; math.Abs(sum) > 1e-8 {
			t.Errorf("%s: primal − dual objective = %v", test.name, sum)
		}
		w, b := make([]float64, test.d), primal.X[test.d]
		alphaY := 0.0
		for i, y := range ys {
			axpy(w, dual.X[i]*y, xs[i])
			alphaY += dual.X[i] * y
			if math.Abs(beta.X[i]-y*dual.X[i]) > tol || math.Abs(primal.Ineq[i]-dual.X[i]) > tol {
				t.Errorf("%s: α[%d] = %v (dual), %v (primal's multiplier), %v (signed)", test.name, i, dual.X[i], primal.Ineq[i], beta.X[i])
			}
			if !math.IsInf(test.c, 1) {
				if v := test.c - dual.X[i] - primal.Lower[test.d+1+i]; math.Abs(v) > tol {
					t.Errorf("%s: C − α − μ = %v at point %d", test.name, v, i)
				}
			}
		}
		if !qpNear(w, primal.X[:test.d], tol) || math.Abs(alphaY) > qpTol {
			t.Errorf("%s: w = %v (dual), %v (primal), Σαy = %v", test.name, w, primal.X[:test.d], alphaY)
		}
		if math.Abs(dual.Eq[0]-b) > tol || math.Abs(beta.Eq[0]-b) > tol {
			t.Errorf("%s: b = %v (dual), %v (signed), %v (primal)", test.name, dual.Eq[0], beta.Eq[0], b)
		}
	}
}

// C2, C3: two points at ±2 on a line: the hard margin has w = ½, b = 0, α = ⅛; with C = 0.1 the soft one has α = 0.1, w = 0.4.
func TestC2C3TwoPoints(t *testing.T) {
	xs, ys := [][]float64{{2}, {-2}}, []float64{1, -1}
	k := qpRows([]float64{4, -4}, []float64{-4, 4})
	for _, test := range []struct{ c, w, slack, alpha float64 }{{math.Inf(1), 0.5, 0, 0.125}, {0.1, 0.4, 0.2, 0.1}} {
		primal, err1 := SolveQP(PrimalQP(xs, ys, test.c), QPOptions{})
		dual, err2 := SolveQP(DualQP(k, ys, test.c), QPOptions{})
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		want := []float64{test.w, 0}
		if !math.IsInf(test.c, 1) {
			want = append(want, test.slack, test.slack)
		}
		want[1] = primal.X[1] // with C = 0.1 both points are at the bound: any |b| ≤ 0.2 will do
		if math.Abs(primal.X[1]) > test.slack+qpTol && test.slack > 0 || test.slack == 0 && math.Abs(primal.X[1]) > 1e-8 {
			t.Errorf("C = %v: b = %v", test.c, primal.X[1])
		}
		if test.slack > 0 {
			want[2], want[3] = test.slack-want[1], test.slack+want[1]
		}
		if !qpNear(primal.X, want, 1e-8) {
			t.Errorf("C = %v: primal = %v, want %v", test.c, primal.X, want)
		}
		if !qpNear(dual.X, constant(2, test.alpha), 1e-8) {
			t.Errorf("C = %v: dual = %v, want %v", test.c, dual.X, test.alpha)
		}
	}
}

// B11: the objective lies below its chords, by exactly ½t(1−t)(x−z)ᵀQ(x−z); Jensen's inequality for more points; and a
// local minimum is global: moving from x towards a better z descends from the first step. Exact in integers.
func TestB11Convexity(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	for range 300 {
		_, q := qpRandom(rng)
		n := len(q.C)
		xs, w := make([][]float64, 4), []float64{0.125, 0.25, 0.125, 0.5}
		mean, average := make([]float64, n), 0.0
		for i := range xs {
			xs[i] = make([]float64, n)
			for j := range xs[i] {
				xs[i][j] = float64(8 * (rng.IntN(7) - 3))
			}
			axpy(mean, w[i], xs[i])
			average += w[i] * q.Value(xs[i])
		}
		if got, want := q.Jensen(xs, w), average-q.Value(mean); got != want || got < 0 {
			t.Fatalf("Jensen = %v, want %v ≥ 0", got, want)
		}
		x, z := xs[0], xs[1]
		if q.Value(x) < q.Value(z) {
			x, z = z, x
		}
		d := slices.Clone(z)
		axpy(d, -1, x)
		half := slices.Clone(x)
		axpy(half, 0.5, d)
		chord := (q.Value(x) + q.Value(z)) / 2
		if got, want := chord-q.Value(half), (QP{Q: q.Q}).Value(d)/4; got != want || got < 0 {
			t.Fatalf("chord − f = %v, want %v ≥ 0", got, want)
		}
		if slope := Dot(q.Gradient(x), d); slope > q.Value(z)-q.Value(x) {
			t.Fatalf("slope %v towards a point %v lower", slope, q.Value(x)-q.Value(z))
		}
	}
}

// C4: f, ∇f = Qx + c, Jacobian [A; Aeq], Hessian Q. Central differences of a quadratic are exact; steps of 1 on integers do not round.
func TestC4Derivatives(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 18))
	for range 300 {
		_, q := qpRandom(rng)
		n := len(q.C)
		x, g := make([]float64, n), make([]float64, n)
		for j := range x {
			x[j] = float64(rng.IntN(9) - 4)
		}
		moved := func(j int, by float64) []float64 {
			y := slices.Clone(x)
			y[j] += by
			return y
		}
		constraints := func(x []float64) (v []float64) {
			for i := range q.B {
				v = append(v, Dot(q.A.Row(i), x)-q.B[i])
			}
			for i := range q.Beq {
				v = append(v, Dot(q.Aeq.Row(i), x)-q.Beq[i])
			}
			return v
		}
		jacobian, hessian := q.Jacobian(), q.Hessian()
		for j := range n {
			g[j] = (q.Value(moved(j, 1)) - q.Value(moved(j, -1))) / 2
			up, down := constraints(moved(j, 1)), constraints(moved(j, -1))
			for i := range up {
				if got, want := jacobian.At(i, j), (up[i]-down[i])/2; got != want {
					t.Fatalf("Jacobian(%d, %d) = %v, want %v", i, j, got, want)
				}
			}
			gu, gd := q.Gradient(moved(j, 1)), q.Gradient(moved(j, -1))
			for i := range n {
				if got, want := hessian.At(i, j), (gu[i]-gd[i])/2; got != want {
					t.Fatalf("Hessian(%d, %d) = %v, want %v", i, j, got, want)
				}
			}
		}
		if got := q.Gradient(x); !slices.Equal(got, g) {
			t.Fatalf("Gradient(%v) = %v, want %v", x, got, g)
		}
	}
}

// C4: a Newton step solves the system it is said to, whatever mixture of soft, firm and dependent rows.
func TestC4NewtonSystem(t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 20))
	for trial := range 200 {
		n, m := 1+rng.IntN(6), rng.IntN(6)
		g := NewMatrix(n, n)
		copy(g.Data, qpVector(rng, n*n))
		p := &program{q: g.T().Mul(g), c: make([]float64, n), g: NewMatrix(m, n), at: []int{0, 0}, sign: []float64{-1, 1}}
		copy(p.g.Data, qpVector(rng, m*n))
		p.h = make([]float64, m+2)
		k := newKKT(p)
		for i := range k.tau {
			k.tau[i] = math.Pow(10, 16*rng.Float64()-8)
		}
		if m > 2 {
			copy(p.g.Row(1), p.g.Row(0)) // dependent rows, not both with τ = 0
			k.tau[2] = 0
		}
		r1, r2 := qpVector(rng, n), qpVector(rng, m+2)
		x, z := make([]float64, n), make([]float64, m+2)
		if !k.factor() {
			t.Fatalf("trial %d: factor failed", trial)
		}
		k.solve(r1, r2, x, z)
		e1, size := slices.Clone(r1), 1+largest(x)*largest(p.q.Data)+largest(z)*float64(m+2)
		for j := range e1 {
			e1[j] -= Dot(p.q.Row(j), x)
		}
		for i := range z {
			row := make([]float64, n)
			if i < m {
				copy(row, p.g.Row(i))
			} else {
				row[0] = p.sign[i-m]
			}
			axpy(e1, -z[i], row)
			if e := r2[i] - Dot(row, x) + k.tau[i]*z[i]; math.Abs(e) > 1e-8*(size+k.tau[i]*math.Abs(z[i])) {
				t.Errorf("trial %d: row %d is off by %v", trial, i, e)
			}
		}
		if largest(e1) > 1e-8*size {
			t.Errorf("trial %d: stationarity is off by %v", trial, largest(e1))
		}
	}
}

// C4: a step of length α takes the linear residuals r_d and r_p to 1 − α of what they were, exactly as the Newton equations say. In
// a linear program the two may shrink differently, and somewhere do.
func TestC4NewtonStep(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	differ := 0
	for trial := range 100 {
		n, m := 4, 5
		root := NewMatrix(n, n)
		linear := trial%2 == 0
		if !linear {
			copy(root.Data, qpVector(rng, n*n))
		}
		q := QP{Q: root.T().Mul(root), C: qpVector(rng, n), A: NewMatrix(m, n), B: qpVector(rng, m), Lo: constant(n, -1), Hi: constant(n, 1)}
		copy(q.A.Data, qpVector(rng, n*m))
		r := q.present().reduce()
		at := newPath(&r.program)
		at.start()
		at.residuals()
		rd, rp := slices.Clone(at.rd), slices.Clone(at.rp)
		if !at.step() {
			t.Fatal("no step")
		}
		at.residuals()
		dual, primal := Dot(rd, at.rd)/norm2(rd), Dot(rp, at.rp)/norm2(rp)
		axpy(at.rd, -dual, rd)
		axpy(at.rp, -primal, rp)
		tol := 1e-9 * (1 + largest(rd) + largest(rp) + largest(at.z) + largest(at.x))
		both := min(largest(rd), largest(rp)) > 1e-3 // otherwise a ratio is one of rounding errors
		if both && (max(largest(at.rd), largest(at.rp)) > tol || !linear && math.Abs(dual-primal) > 1e-6) {
			t.Errorf("trial %d: r_d shrinks to %v, r_p to %v, up to %v, %v", trial, dual, primal, at.rd, at.rp)
		}
		if both && linear && math.Abs(dual-primal) > 0.01 {
			differ++
		}
	}
	if differ == 0 {
		t.Error("linear programs take one step length")
	}
}

// A soft program, min f(x) + ½‖z‖² with rows that may be exceeded by z, is the program with these excesses as unknowns.
func TestQPSoft(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 34))
	for trial := range 50 {
		n, m, eq := 3, 5, trial%3
		root, g := NewMatrix(n, n), NewMatrix(m, n)
		copy(root.Data, qpVector(rng, n*n))
		copy(g.Data, qpVector(rng, n*m))
		p := &program{q: root.T().Mul(root), c: qpVector(rng, n), g: g, eq: eq, h: qpVector(rng, m+2), at: []int{0, 1}, sign: []float64{1, -1}, soft: 1}
		var z []float64
		p.follow(100, func(_, y []float64) bool {
			z = slices.Clone(y[:m])
			return false
		})
		wide := QP{Q: NewMatrix(n+m, n+m), C: make([]float64, n+m), A: NewMatrix(m-eq, n+m), B: p.h[eq:m], Aeq: NewMatrix(eq, n+m), Beq: p.h[:eq],
			Lo: constant(n+m, math.Inf(-1)), Hi: constant(n+m, math.Inf(1))}
		wide.Hi[0], wide.Lo[1] = p.h[m], -p.h[m+1]
		for i := range n {
			copy(wide.Q.Row(i), p.q.Row(i))
			wide.C[i] = p.c[i]
		}
		for i := range m {
			wide.Q.Set(n+i, n+i, 1)
			row := wide.Aeq.Data
			if i < eq {
				row = wide.Aeq.Row(i)
			} else {
				row = wide.A.Row(i - eq)
			}
			copy(row, g.Row(i))
			row[n+i] = -1
		}
		s, err := SolveQP(wide, QPOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if !qpNear(z, s.X[n:], 1e-7) {
			t.Errorf("trial %d: z = %v, want %v", trial, z, s.X[n:])
		}
	}
}

// Of all multipliers of a solution, leastMultipliers finds the shortest: three equal rows x ≤ 0 share the slope 1 of −x.
func TestQPLeastMultipliers(t *testing.T) {
	p := &program{q: NewMatrix(1, 1), c: []float64{-1}, g: qpRows([]float64{1}, []float64{1}, []float64{1}, []float64{1}), h: []float64{0, 0, 0, 5}}
	at := newPath(p)
	copy(at.s, []float64{0, 0, 0, 5})
	copy(at.z, []float64{1e6, 1, 2, 0})
	var z []float64
	p.leastMultipliers(100, at, func(_, y []float64) bool {
		z = slices.Clone(y)
		return false
	})
	if want := []float64{1. / 3, 1. / 3, 1. / 3, 0}; !qpNear(z, want, 1e-9) {
		t.Errorf("z = %v, want %v", z, want)
	}
}

// The finish mends any guess of the active set of a box, when unknowns do not interact, in one round: the second is exact.
func TestQPFinish(t *testing.T) {
	rng := rand.New(rand.NewPCG(35, 36))
	for range 100 {
		n := 6
		p := &program{q: NewMatrix(n, n), c: qpVector(rng, n), g: NewMatrix(0, n)}
		want := make([]float64, n)
		for j := range n {
			p.q.Set(j, j, 1)
			p.at, p.sign, p.h = append(p.at, j, j), append(p.sign, -1, 1), append(p.h, 0.5, 0.5)
			want[j] = min(max(-p.c[j], -0.5), 0.5)
		}
		z, s := make([]float64, 2*n), constant(2*n, 0.5)
		for j := range n {
			z[2*j+rng.IntN(2)] = float64(rng.IntN(2))
		}
		visits := 0
		var last []float64
		p.finish(make([]float64, n), z, s, func(x, _ []float64) bool {
			visits++
			last = slices.Clone(x)
			return qpNear(x, want, 1e-14)
		})
		if !qpNear(last, want, 1e-14) || visits > 3 {
			t.Fatalf("finish = %v after %d visits, want %v", last, visits, want)
		}
	}
}

// An objective that overflows is not a solution.
func TestQPOverflow(t *testing.T) {
	s, err := SolveQP(QP{Q: qpRows([]float64{40}), C: []float64{-5e294}}, QPOptions{})
	if !errors.Is(err, ErrNotConverged) || s == nil {
		t.Errorf("SolveQP = %+v, %v, want %v", s, err, ErrNotConverged)
	}
}

// The sum of products keeps twice the precision: 1 + Σε² − 1 and cancelling products come out right to one rounding.
func TestQPSum(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	for range 200 {
		var s sum
		exact, size := new(big.Rat), 0.0
		for range 30 {
			a, b := rng.NormFloat64()*math.Exp2(float64(rng.IntN(80)-40)), rng.NormFloat64()
			for _, sign := range []float64{1, -1 - 0x1p-40} {
				s.add(sign*a, b)
				exact.Add(exact, new(big.Rat).Mul(new(big.Rat).SetFloat64(sign*a), new(big.Rat).SetFloat64(b)))
				size += math.Abs(a * b)
			}
		}
		want, _ := exact.Float64()
		if got := s.hi + s.lo; math.Abs(got-want) > 1e-16*math.Abs(want)*2+1e-29*size {
			t.Fatalf("sum = %v, want %v", got, want)
		}
	}
}

// The answer does not depend on units: scaling unknowns and rows by powers of two changes nothing else, to the last bit.
// The caller's data are not written to, and the same input gives the same bits.
func TestQPUnits(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 24))
	for range 100 {
		_, q := qpRandom(rng)
		c := QP{NewMatrix(len(q.C), len(q.C)), slices.Clone(q.C), NewMatrix(q.A.Rows, q.A.Cols), slices.Clone(q.B),
			NewMatrix(q.Aeq.Rows, q.Aeq.Cols), slices.Clone(q.Beq), slices.Clone(q.Lo), slices.Clone(q.Hi)}
		copy(c.Q.Data, q.Q.Data)
		copy(c.A.Data, q.A.Data)
		copy(c.Aeq.Data, q.Aeq.Data)
		s, err := SolveQP(q, QPOptions{})
		again, _ := SolveQP(c, QPOptions{})
		if !reflect.DeepEqual(s, again) || !reflect.DeepEqual(c, q) {
			t.Fatalf("SolveQP changed its input, or its answer from %v to %v", s, again)
		}
		if err != nil {
			continue
		}
		for j := range q.C {
			f := math.Exp2(float64(rng.IntN(21) - 10))
			c.C[j] *= f
			c.Lo[j] /= f
			c.Hi[j] /= f
			for i := range q.C {
				c.Q.Set(i, j, c.Q.At(i, j)*f)
				c.Q.Set(j, i, c.Q.At(j, i)*f)
			}
			for _, m := range []*Matrix{c.A, c.Aeq} {
				for i := range m.Rows {
					m.Set(i, j, m.At(i, j)*f)
				}
			}
		}
		got, err := SolveQP(c, QPOptions{})
		if err != nil || math.Abs(got.Objective-s.Objective) > 1e-8*(1+math.Abs(s.Objective)) {
			t.Fatalf("in other units: objective %v, error %v, want %v", got.Objective, err, s.Objective)
		}
	}
}

// With too few iterations the best point is returned with its residuals, and ErrNotConverged.
func TestQPNotConverged(t *testing.T) {
	k, _, ys := qpGaussian(rand.New(rand.NewPCG(25, 26)), 80)
	q := DualQP(k, ys, 1000)
	for limit := 1; ; limit++ {
		s, err := SolveQP(q, QPOptions{MaxIter: limit})
		if err == nil {
			if limit == 1 {
				t.Error("solved in one iteration: the test tests nothing")
			}
			break
		}
		if !errors.Is(err, ErrNotConverged) || s == nil || s.Iterations > limit || s.worst() <= 1e-9 {
			t.Fatalf("MaxIter %d: SolveQP = %+v, %v", limit, s, err)
		}
	}
}

func TestQPErrors(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	one, two := qpRows([]float64{1}), qpRows([]float64{1, 0}, []float64{0, 1})
	for _, test := range []struct {
		name string
		q    QP
		o    QPOptions
		is   error
		has  string
	}{
		{"Q not square", QP{Q: qpRows([]float64{1, 2})}, QPOptions{}, nil, "Q is absent or not a matrix of 2×2"},
		{"Q short", QP{Q: &Matrix{1, 1, nil}}, QPOptions{}, nil, "not a matrix of 1×1"},
		{"Q not symmetric", QP{Q: qpRows([]float64{1, 2}, []float64{3, 9})}, QPOptions{}, nil, "Q[1][0] is 3"},
		{"C long", QP{Q: one, C: []float64{1, 2}}, QPOptions{}, nil, "not a matrix of 2×2"},
		{"A without B", QP{C: []float64{1}, A: one}, QPOptions{}, nil, "A is absent or not a matrix of 0×1"},
		{"B without A", QP{C: []float64{1}, B: []float64{1}}, QPOptions{}, nil, "A is absent or not a matrix of 1×1"},
		{"Aeq wide", QP{C: []float64{1}, Aeq: two, Beq: []float64{1, 1}}, QPOptions{}, nil, "C has 1"},
		{"Lo short", QP{C: []float64{1, 1}, Lo: []float64{1}}, QPOptions{}, nil, "Lo has 1"},
		{"Hi long", QP{C: []float64{1}, Hi: []float64{1, 1}}, QPOptions{}, nil, "C has 1"},
		{"NaN in Q", QP{Q: qpRows([]float64{nan})}, QPOptions{}, ErrNotFinite, "Q[0][0]"},
		{"Inf in A", QP{A: qpRows([]float64{0, inf}), B: []float64{1}}, QPOptions{}, ErrNotFinite, "A[0][1]"},
		{"NaN in C", QP{C: []float64{0, nan}}, QPOptions{}, ErrNotFinite, "C[1]"},
		{"NaN in B", QP{A: one, B: []float64{nan}}, QPOptions{}, ErrNotFinite, "B[0]"},
		{"Inf in Beq", QP{Aeq: one, Beq: []float64{inf}}, QPOptions{}, ErrNotFinite, "Beq[0]"},
		{"NaN in Lo", QP{Lo: []float64{nan}}, QPOptions{}, ErrNotFinite, "Lo[0]"},
		{"NaN in Hi", QP{Hi: []float64{nan}}, QPOptions{}, ErrNotFinite, "Hi[0]"},
		{"negative Tol", QP{}, QPOptions{Tol: -1}, nil, "Tol -1"},
		{"NaN Tol", QP{}, QPOptions{Tol: nan}, nil, "Tol NaN"},
		{"negative MaxIter", QP{}, QPOptions{MaxIter: -1}, nil, "MaxIter -1"},
	} {
		s, err := SolveQP(test.q, test.o)
		if err == nil || s != nil || !strings.HasPrefix(err.Error(), "svm: ") || !strings.Contains(err.Error(), test.has) || test.is != nil && !errors.Is(err, test.is) {
			t.Errorf("%s: SolveQP = %v, %v, want an error with %q", test.name, s, err, test.has)
		}
	}
}

// B2: the signed dual: its gradient by differences (exact for a quadratic, up to rounding), its objective by double sums, and its
// optimality: up ≤ low at the solution of the interior point, with b between.
func TestB2Dual(t *testing.T) {
	rng := rand.New(rand.NewPCG(27, 28))
	k, _, ys := qpGaussian(rng, 25)
	d := Dual{K: k, P: qpVector(rng, 25), Lo: make([]float64, 25), Hi: make([]float64, 25), Sum: 0.5}
	for i, y := range ys {
		d.Lo[i], d.Hi[i] = min(0, 2*y), max(0, 2*y)
	}
	beta := qpVector(rng, 25)
	beta[3] = 0
	want := 0.0
	for i, bi := range beta {
		want += d.P[i] * bi
		for j, bj := range beta {
			want -= bi * k.At(i, j) * bj / 2
		}
	}
	if got := d.Objective(beta); math.Abs(got-want) > 1e-12 {
		t.Errorf("Objective = %v, want %v", got, want)
	}
	for i, g := range d.Gradient(beta) {
		up, down := slices.Clone(beta), slices.Clone(beta)
		up[i] += 0.5
		down[i] -= 0.5
		if diff := d.Objective(up) - d.Objective(down); math.Abs(diff-g) > 1e-12 {
			t.Errorf("Gradient[%d] = %v, want %v", i, g, diff)
		}
	}
	box, sum := d.Infeasibility(beta)
	wantBox, wantSum := 0.0, -0.5
	for i, b := range beta {
		wantBox, wantSum = max(wantBox, b-d.Hi[i], d.Lo[i]-b), wantSum+b
	}
	if box != wantBox || math.Abs(sum-math.Abs(wantSum)) > 1e-14 || box == 0 {
		t.Errorf("Infeasibility = %v, %v, want %v, %v", box, sum, wantBox, math.Abs(wantSum))
	}
	s, err := InteriorPoint(d, QPOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if box, sum := d.Infeasibility(s.X); box > qpTol || sum > qpTol {
		t.Errorf("the solution is out of its box by %v, its sum by %v", box, sum)
	}
	up, low := d.Bias(s.X, d.Gradient(s.X))
	if b := s.Eq[0]; up > low+1e-8 || b < up-1e-8 || b > low+1e-8 {
		t.Errorf("up = %v, low = %v, b = %v, want up ≤ b ≤ low", up, low, b)
	}
	if v := d.Objective(s.X); math.Abs(v+s.Objective) > 1e-9 {
		t.Errorf("Objective = %v, want %v", v, -s.Objective)
	}
	if up, low := d.Bias([]float64{2: 0, 24: 0}, d.P); up < low { // at β = 0 with gradient p, far from optimal
		t.Errorf("at 0: up = %v < low = %v", up, low)
	}
}

func TestDualErrors(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	k := qpRows([]float64{1, 0}, []float64{0, 1})
	good := Dual{k, []float64{1, 1}, []float64{0, 0}, []float64{1, 1}, 1}
	if err := good.check(); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		d    Dual
		is   error
		has  string
	}{
		{"no K", Dual{}, nil, "K is absent"},
		{"P short", Dual{k, []float64{1}, good.Lo, good.Hi, 1}, nil, "P has 1"},
		{"Lo long", Dual{k, good.P, []float64{0, 0, 0}, good.Hi, 1}, nil, "Lo has 3"},
		{"Hi absent", Dual{k, good.P, good.Lo, nil, 1}, nil, "Hi has 0"},
		{"infinite P", Dual{k, []float64{1, inf}, good.Lo, good.Hi, 1}, ErrNotFinite, "P[1]"},
		{"NaN Lo", Dual{k, good.P, []float64{nan, 0}, good.Hi, 1}, ErrNotFinite, "Lo[0]"},
		{"NaN Sum", Dual{k, good.P, good.Lo, good.Hi, nan}, ErrNotFinite, "Sum"},
		{"Lo above Hi", Dual{k, good.P, []float64{0, 2}, good.Hi, 1}, ErrInfeasible, "point 1"},
		{"Sum too large", Dual{k, good.P, good.Lo, good.Hi, 2.5}, ErrInfeasible, "sum 2.5"},
		{"Sum too small", Dual{k, good.P, good.Lo, good.Hi, -0.5}, ErrInfeasible, "[0, 2]"},
	} {
		_, err := InteriorPoint(test.d, QPOptions{})
		if err == nil || !strings.Contains(err.Error(), test.has) || test.is != nil && !errors.Is(err, test.is) {
			t.Errorf("%s: %v, want an error with %q", test.name, err, test.has)
		}
	}
}

// FuzzSolveQP builds a program from bytes: SolveQP ends without a panic, and what it calls solved, infeasible, unbounded or not
// convex is.
func FuzzSolveQP(f *testing.F) {
	f.Add([]byte{2, 1, 1, 3, 0x81, 2, 5, 4, 3, 9, 8, 200, 100, 50, 7, 7, 7})
	f.Add([]byte{3, 0, 2, 0xff, 0x80, 0x7f, 0, 0, 1, 1, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		next := func() byte {
			if len(data) == 0 {
				return 0
			}
			b := data[0]
			data = data[1:]
			return b
		}
		number := func() float64 { // a digit and an exponent, sometimes extreme
			b := next()
			v := float64(int(b%16) - 8)
			switch b >> 4 {
			case 0:
				return v * 1e8
			case 1:
				return v * 1e-8
			case 2:
				return v * math.Exp2(float64(next())*8-1024)
			}
			return v
		}
		n, m, e := int(next()%6), int(next()%5), int(next()%4)
		q := QP{Q: NewMatrix(n, n), C: make([]float64, n), A: NewMatrix(m, n), B: make([]float64, m), Aeq: NewMatrix(e, n),
			Beq: make([]float64, e), Lo: constant(n, math.Inf(-1)), Hi: constant(n, math.Inf(1))}
		for _, v := range [][]float64{q.C, q.A.Data, q.B, q.Aeq.Data, q.Beq} {
			for i := range v {
				v[i] = number()
			}
		}
		for i := range n {
			for j := range i + 1 {
				v := number()
				q.Q.Set(i, j, v)
				q.Q.Set(j, i, v)
			}
			q.Q.Set(i, i, q.Q.At(i, i)+float64(next()))
			if next()%2 == 0 {
				q.Lo[i] = number()
			}
			if next()%2 == 0 {
				q.Hi[i] = number()
			}
		}
		s, err := SolveQP(q, QPOptions{Tol: 1e-6})
		var e1 *InfeasibleError
		var e3 *NotConvexError
		switch {
		case err == nil:
			size, data := 1.0, 1.0 // products scale with the former, the judge's own rounding with all
			for _, v := range [][]float64{s.X, s.Ineq, s.Eq, s.Lower, s.Upper} {
				size = max(size, largest(v))
			}
			for _, v := range [][]float64{q.Q.Data, q.C, q.A.Data, q.Aeq.Data, q.B, q.Beq} {
				data = max(data, largest(v))
			}
			if w := qpJudge(q, s); !(w <= 2e-6*size+1e-13*data*size*size) {
				t.Fatalf("solved %+v with violation %v: %+v", q, w, s)
			}
		case errors.As(err, &e3):
			if !((QP{Q: q.Q}).Value(e3.Direction) < 0) {
				t.Fatalf("direction %v of %+v has no negative curvature", e3.Direction, q.Q)
			}
		case errors.As(err, &e1):
			if slices.Min(append(slices.Concat(e1.Ineq, e1.Lower, e1.Upper), 0)) < 0 {
				t.Fatalf("negative multiplier in %+v", e1)
			}
		case errors.Is(err, ErrNotConverged) && s == nil:
			t.Fatal("not converged, and no best point")
		}
	})
}

func BenchmarkQP(b *testing.B) {
	for _, n := range []int{100, 200, 500, 1000} {
		k, _, ys := qpGaussian(rand.New(rand.NewPCG(29, 30)), n)
		q := DualQP(k, ys, 10)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				if _, err := SolveQP(q, QPOptions{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// The Gram matrix, row by row.

// gramData are point sets of every layout that columns knows: whole columns, few non-zeros, both, none at all.
func gramData() map[string][][]float64 {
	rng := rand.New(rand.NewPCG(1, 2))
	random := func(n, d int, share, offset float64) [][]float64 {
		xs := make([][]float64, n)
		for i := range xs {
			xs[i] = make([]float64, d)
			for f := range xs[i] {
				if rng.Float64() < share {
					xs[i][f] = offset + rng.NormFloat64()
				}
			}
		}
		return xs
	}
	mixed := random(70, 9, 1, 0)
	for _, x := range mixed {
		for f := 3; f < 9; f++ {
			if rng.Float64() < 0.9 {
				x[f] = 0
			}
		}
	}
	return map[string][][]float64{
		"dense": random(60, 7, 1, 0), "sparse": random(60, 40, 0.1, 0), "mixed": mixed, "long": random(rowChunk+77, 3, 0.5, 0),
		"offset": random(50, 4, 1, 1e6), "one point": random(1, 3, 1, 0), "no features": random(5, 0, 1, 0),
		"zeros": random(6, 3, 0, 0), "none": nil,
	}
}

// A row by columns (G1) is the row that Eval gives, for every layout, kernel, order of points and part of the row. The
// tolerance is the rounding of sums of d products, and for the Gaussian that of the expanded distance.
func TestG1Rows(t *testing.T) {
	kernels := map[string]Kernel[[]float64]{
		"linear": Linear{}, "polynomial": Polynomial{Degree: 3, Gamma: 0.3, Coef: 1}, "Gaussian": RBF{0.4},
		"sigmoid": Sigmoid{0.1, -0.2}, "cosine": Cosine{}, "sum": Sum[[]float64](RBF{0.4}, Scale(0.5, Product[[]float64](Cosine{}, RBF{2}))),
	}
	for data, xs := range gramData() {
		for name, k := range kernels {
			rows := GramOf(k, xs).Open()
			if _, slow := rows.(*evalRows[[]float64]); slow && len(xs) > 0 {
				t.Errorf("%s, %s: rows are computed value by value", data, name)
			}
			n := len(xs)
			order := rand.New(rand.NewPCG(3, 4)).Perm(n)
			for round, at := range [][]int{nil, order, order[:n/2]} {
				if round == 2 { // the first half of the present order, reversed
					at = nil
					for i := range n / 2 {
						at = append(at, n/2-1-i)
					}
				}
				ys := slices.Clone(xs)
				for i, from := range at {
					ys[i] = xs[from]
				}
				xs = ys
				rows.Permute(at)
				diag := make([]float64, n)
				rows.Diag(diag)
				for i := 0; i < n; i += 1 + n/13 {
					from := (i * 7) % n
					row := make([]float64, n-from)
					rows.Row(row, i, from)
					for j, got := range row {
						z := xs[from+j]
						want, scale := k.Eval(xs[i], z), 1.0
						if name == "linear" || name == "polynomial" {
							scale += math.Abs(k.Eval(xs[i], xs[i])) + math.Abs(k.Eval(z, z))
						}
						if name == "Gaussian" || name == "sum" {
							scale += 0.4 * (norm2(xs[i]) + norm2(z)) / (1 + norm2(xs[i])/1e9) // moved, not the raw norms
						}
						if tol := 1e-14 * scale * float64(len(z)+1); math.Abs(got-want) > tol {
							t.Fatalf("%s, %s, round %d: K[%d][%d] = %v, want %v", data, name, round, i, from+j, got, want)
						}
					}
					if want := k.Eval(xs[i], xs[i]); math.Abs(diag[i]-want) > 1e-13*(1+math.Abs(want)) {
						t.Errorf("%s, %s: Diag[%d] = %v, want %v", data, name, i, diag[i], want)
					}
				}
			}
		}
	}
}

// Two clusters far apart defeat the expansion of ‖x − z‖² wherever the origin is put: there the rows come from
// differences and are those of Eval to the bit.
func TestG1Differences(t *testing.T) {
	var xs [][]float64
	for i := range 10 {
		xs = append(xs, []float64{1e8*float64(i%2*2-1) + 0.1*float64(i), float64(i)})
	}
	k := RBF{1}
	rows := GramOf(k, xs).Open()
	row := make([]float64, len(xs))
	for i, x := range xs {
		rows.Row(row, i, 0)
		for j, z := range xs {
			if want := k.Eval(x, z); row[j] != want {
				t.Errorf("K[%d][%d] = %v, want %v", i, j, row[j], want)
			}
		}
	}
}

// (G2), (G3): the exponential of a row is e^y within (2|y| + 3)ε relatively over the whole range, and
// to half a unit of the least denormal below it.
func TestG2Exponential(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	ys := []float64{0, -1e-300, -1e-17, -1e-8, -0.5, -1, -706, -707, -708, -709, -720, -744, -745, -746, -1e5, -1e300, math.Inf(-1)}
	for e := -20.0; e < 9.55; e += 0.001 {
		ys = append(ys, -math.Exp2(e+0.001*rng.Float64()))
	}
	for _, y := range ys {
		got := []float64{0} // the inner product of 0 with a point of squared norm −y
		RBF{1}.row(got, []float64{-y}, 0)
		want := math.Exp(y)
		if tol := (2*math.Abs(y) + 3) * machineEps * want; math.Abs(got[0]-want) > tol+math.SmallestNonzeroFloat64 && want > 0 {
			t.Errorf("e^%v = %v, want %v: off by %.3g, more than %.3g", y, got[0], want, got[0]-want, tol)
		}
		if want == 0 && got[0] != 0 {
			t.Errorf("e^%v = %v, want 0", y, got[0])
		}
	}
	got := []float64{math.NaN()}
	RBF{1}.row(got, []float64{1}, 1)
	if !math.IsNaN(got[0]) {
		t.Errorf("row of NaN = %v, want NaN", got[0])
	}
}

// decisions is Func.Eval on every point, and the linear kernel's shortcut is w.
func TestDecisions(t *testing.T) { // 100 points a set: more says no more
	rng := rand.New(rand.NewPCG(7, 8))
	for data, xs := range gramData() {
		for _, k := range []Kernel[[]float64]{Linear{}, RBF{0.4}, KernelFunc[[]float64](func(x, z []float64) float64 { return 1 + Dot(x, z) })} {
			f := Func[[]float64]{Kernel: k}
			size := 1.0
			for i := 0; i < len(xs); i += 2 {
				f.Points = append(f.Points, xs[i])
				f.Coef = append(f.Coef, rng.NormFloat64())
				size += math.Abs(f.Coef[len(f.Coef)-1]) * k.Eval(xs[i], xs[i])
			}
			for i, got := range decisions(f, xs[:min(len(xs), 100)], 3) {
				if want := f.Eval(xs[i]); math.Abs(got-want) > 1e-12*size {
					t.Errorf("%s, %T: decision of point %d = %v, want %v", data, k, i, got, want)
				}
			}
		}
	}
}

// SMO.

// randomDual is a soft-margin problem on n noisy points in the plane.
func randomDual(rng *rand.Rand, n int, k Kernel[[]float64], c float64) Dual {
	d := Dual{P: make([]float64, n), Lo: make([]float64, n), Hi: make([]float64, n)}
	xs := make([][]float64, n)
	for i := range n {
		xs[i] = []float64{rng.NormFloat64(), rng.NormFloat64()}
		if i == 0 || i > 1 && xs[i][0]+xs[i][1]*xs[i][1]+0.3*rng.NormFloat64() > 0.5 {
			d.P[i], d.Hi[i] = 1, c
		} else {
			d.P[i], d.Lo[i] = -1, -c
		}
	}
	d.K = GramOf(k, xs)
	return d
}

// Every part of SMO can be left out and the optimum is the same. The objectives of two points that
// satisfy (E2) within tol differ by at most tol·Σ(hi − lo).
func TestE2PartsAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	const tol = 1e-6
	parts := map[string]SMOOptions{
		"all": {}, "no Newton": {noNewton: true}, "no shrinking": {noShrink: true}, "plain": {noNewton: true, noShrink: true},
		"cache of two rows": {CacheBytes: 1}, "cache of ten rows": {CacheBytes: 10 * 8 * 300}, "three workers": {Workers: 3},
	}
	for trial := range 30 {
		c := math.Exp2(float64(trial%12) - 4)
		n := 40 + 10*trial
		kernels := []Kernel[[]float64]{Linear{}, RBF{1}, Polynomial{Degree: 2, Coef: 1}}
		d := randomDual(rng, n, kernels[trial%3], c)
		var objectives []float64
		for name, o := range parts {
			o.Tol = tol
			s, err := SMO(d, o)
			if err != nil {
				t.Fatalf("trial %d, %s: %v", trial, name, err)
			}
			objectives = append(objectives, s.Objective)
			if s.Violation > tol {
				t.Errorf("trial %d, %s: violation %v, want ≤ %v", trial, name, s.Violation, tol)
			}
			sum := 0.0
			for i, b := range s.Beta {
				if b < d.Lo[i] || b > d.Hi[i] {
					t.Errorf("trial %d, %s: β[%d] = %v outside [%v, %v]", trial, name, i, b, d.Lo[i], d.Hi[i])
				}
				sum += b
			}
			if math.Abs(sum) > 1e-12*c*float64(n) { // rounding of n numbers up to C
				t.Errorf("trial %d, %s: Σβ = %v, want 0", trial, name, sum)
			}
		}
		if spread := slices.Max(objectives) - slices.Min(objectives); spread > tol*c*float64(n) {
			t.Errorf("trial %d: objectives differ by %v, want ≤ %v", trial, spread, tol*c*float64(n))
		}
	}
}

// E1: "the two-variable subproblem has a closed form; every step keeps Σβ = 0 and the box, and never lowers the dual." And
// the observed run is the very run of SMO.
func TestE1Steps(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for trial := range 20 {
		d := randomDual(rng, 60, RBF{2}, math.Exp2(float64(trial%8)))
		var last *DualSolution
		before := math.Inf(-1)
		for s := range SMOSteps(d, SMOOptions{Tol: 1e-5}) {
			if s.Objective < before-1e-12*math.Abs(before) { // rounding of the running sum
				t.Errorf("trial %d, step %d: the dual fell from %v to %v", trial, s.Iterations, before, s.Objective)
			}
			sum := 0.0
			for i, b := range s.Beta {
				if b < d.Lo[i] || b > d.Hi[i] {
					t.Errorf("trial %d, step %d: β[%d] = %v outside the box", trial, s.Iterations, i, b)
				}
				sum += b
			}
			if math.Abs(sum) > 1e-11 {
				t.Errorf("trial %d, step %d: Σβ = %v", trial, s.Iterations, sum)
			}
			before, last = s.Objective, s
		}
		s, err := SMO(d, SMOOptions{Tol: 1e-5})
		if err != nil || !slices.Equal(s.Beta, last.Beta) || s.Objective != last.Objective || s.B != last.B || s.Iterations != last.Iterations {
			t.Errorf("trial %d: SMO and SMOSteps end in different points (%v)", trial, err)
		}
	}
}

// The bits of the result do not depend on how many workers compute rows.
func TestWorkersBits(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	n, dim := blockSize+100, 60
	xs, d := make([][]float64, n), Dual{P: make([]float64, n), Lo: make([]float64, n), Hi: make([]float64, n)}
	for i := range xs {
		xs[i] = make([]float64, dim)
		for f := range xs[i] {
			xs[i][f] = rng.NormFloat64()
		}
		if d.P[i] = 1; xs[i][0]+xs[i][1]*xs[i][2] < 0 {
			d.P[i] = -1
		}
		d.Lo[i], d.Hi[i] = min(0, d.P[i]), max(0, d.P[i])
	}
	d.K = GramOf(RBF{0.05}, xs)
	if float64(n)*d.K.Open().Cost() < parallelCost {
		t.Fatal("the rows are too short to be shared")
	}
	var want *DualSolution
	for _, workers := range []int{1, 2, 5} {
		got, err := SMO(d, SMOOptions{Workers: workers, Tol: 0.1})
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = got
		}
		if !slices.Equal(got.Beta, want.Beta) || got.B != want.B || got.Objective != want.Objective {
			t.Errorf("%d workers: another result than one", workers)
		}
	}
}

// (S7): what unshrinking restores is p − Kβ.
func TestS7Unshrink(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	d := randomDual(rng, 900, RBF{1}, 1000)
	s, err := newSolver(d, SMOOptions{Tol: 1e-4, noNewton: true})
	if err != nil {
		t.Fatal(err)
	}
	deepest := 0
	s.run(1, func(*DualSolution) bool { deepest = max(deepest, len(s.levels)); return deepest < 2 || s.steps%50 != 0 })
	if len(s.levels) < 2 {
		t.Fatalf("%d levels of shrinking, want at least 2", len(s.levels))
	}
	s.unshrink()
	got := make([]float64, len(s.at))
	for k, i := range s.at {
		got[i] = s.gradient(k)
	}
	rows := d.K.Open()
	row := make([]float64, len(got))
	for i := range got {
		rows.Row(row, i, 0)
		if want := d.P[i] - Dot(row, s.beta); math.Abs(got[i]-want) > 1e-10 { // a few hundred terms up to 30
			t.Errorf("g[%d] = %v, want %v", i, got[i], want)
		}
	}
}

// (S8): after a Newton phase that met no bound, g is one number on the free variables; and the gradient it keeps is
// p − Kβ.
func TestS8Newton(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 18))
	for trial := range 10 {
		d := randomDual(rng, 200, RBF{0.5}, 10)
		s, err := newSolver(d, SMOOptions{Tol: 1e-12, MaxIter: 300 + 100*trial, noNewton: true})
		if err != nil {
			t.Fatal(err)
		}
		s.run(256, nil)
		before := s.objective
		s.newton()
		if s.objective < before {
			t.Errorf("trial %d: the dual fell from %v to %v", trial, before, s.objective)
		}
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, k := range s.free() {
			lo, hi = min(lo, s.up[k]), max(hi, s.up[k])
		}
		if hi-lo > 1e-8 { // the ridge, 1e-11, times multipliers up to 10, and its square root for what it hides
			t.Errorf("trial %d: g on the free variables spreads over %v", trial, hi-lo)
		}
		g := slices.Clone(s.up)
		s.refresh()
		for k := range g {
			if !math.IsInf(g[k], -1) && math.Abs(g[k]-s.up[k]) > 1e-11 {
				t.Errorf("trial %d: g[%d] = %v, want %v", trial, k, g[k], s.up[k])
			}
		}
	}
}

// The cache holds what a map would, whatever is asked of it, and never more rows than it may.
func TestRowCache(t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 20))
	for trial := range 40 {
		n := 2 + rng.IntN(30)
		k := NewMatrix(n, n)
		for i := range n {
			for j := range n {
				k.Set(i, j, float64(100*i+j))
			}
		}
		bytes := rng.IntN(8*n*n + 1)
		c := newRowCache(k.Open(), n, bytes, 1)
		at := make([]int, n)
		for i := range at {
			at[i] = i
		}
		m := n
		for range 300 {
			switch op := rng.IntN(20); {
			case op == 0 && m > 2:
				p := rng.Perm(m)
				m -= rng.IntN(m - 1)
				c.permute(p, m)
				permute(at, p, make([]int, len(p)))
			case op == 1:
				m = n
				c.grow(m)
			default:
				i := rng.IntN(m)
				j := rng.IntN(m)
				ri, rj := c.row(i, m), c.row(j, m)
				for l := range m {
					if ri[l] != k.At(at[i], at[l]) || rj[l] != k.At(at[j], at[l]) {
						t.Fatalf("trial %d: rows %d and %d of the cache are wrong at %d", trial, i, j, l)
					}
				}
			}
			if held := len(c.slabs) * c.slab; held > max(2*n, bytes/8) {
				t.Fatalf("trial %d: %d values in a memory of %d bytes", trial, held, bytes)
			}
		}
	}
}

// What ends a run, and what comes with it.
func TestSMOEnds(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	d := randomDual(rng, 300, RBF{1}, 100)
	calls, seen := 0, 0
	s, err := SMO(d, SMOOptions{Tol: 1e-6, noNewton: true, Observe: func(s *DualSolution) bool {
		if s.Iterations-seen > 256 {
			t.Errorf("not observed between steps %d and %d", seen, s.Iterations)
		}
		calls, seen = calls+1, s.Iterations
		return calls < 4
	}})
	if !errors.Is(err, ErrNotConverged) || s == nil || calls != 4 || s.Violation == 0 {
		t.Errorf("ended by the observer: %v, %v, want a solution and ErrNotConverged", s, err)
	}
	s, err = SMO(d, SMOOptions{Tol: 1e-9, MaxIter: 10})
	if !errors.Is(err, ErrNotConverged) || s == nil || s.Iterations != 10 {
		t.Errorf("ended by the budget: %v, %v, want 10 steps and ErrNotConverged", s, err)
	}
	done, err := SMO(d, SMOOptions{Tol: 1e-6})
	if err != nil {
		t.Fatal(err)
	}
	again, err := SMO(d, SMOOptions{Tol: 1e-5, Start: done.Beta})
	if err != nil || again.Iterations != 0 || math.Abs(again.Objective-done.Objective) > 1e-9*done.Objective {
		t.Errorf("warm start at the optimum: %d steps, %v, want none", again.Iterations, err)
	}
	far := make([]float64, 300)
	for i := range far {
		far[i] = 1e6 * rng.NormFloat64()
	}
	again, err = SMO(d, SMOOptions{Tol: 1e-6, Start: far})
	if err != nil || math.Abs(again.Objective-done.Objective) > 1e-6*done.Objective {
		t.Errorf("warm start far outside: %v, want %v", again.Objective, done.Objective)
	}
}

// Hard margins that do not exist are recognised, and the multipliers prove it: they are convex combinations of
// either class with the same point.
func TestS9NotSeparable(t *testing.T) {
	square := func(pts ...float64) (xs [][]float64) {
		for i := 0; i < len(pts); i += 2 {
			xs = append(xs, pts[i:i+2])
		}
		return
	}
	rng := rand.New(rand.NewPCG(23, 24))
	cloud, cloudY := [][]float64{}, []float64{}
	for i := range 60 {
		cloud = append(cloud, []float64{rng.NormFloat64(), rng.NormFloat64()})
		cloudY = append(cloudY, float64(i%2*2-1))
	}
	for _, c := range []struct {
		name string
		xs   [][]float64
		ys   []float64
	}{
		{"XOR", square(0, 0, 1, 1, 0, 1, 1, 0), []float64{1, 1, -1, -1}},
		{"one point, both labels", square(1, 2, 1, 2), []float64{1, -1}},
		{"origin, both labels", square(0, 0, 0, 0), []float64{1, -1}},
		{"between", square(0, 0, 2, 2, 1, 1), []float64{1, 1, -1}},
		{"cloud", cloud, cloudY},
		{"far away", square(1e6, 0, 1e6+1, 1, 1e6, 1, 1e6+1, 0), []float64{1, 1, -1, -1}},
	} {
		inf := math.Inf(1)
		d := Dual{K: GramOf(Linear{}, c.xs), P: c.ys, Lo: make([]float64, len(c.ys)), Hi: make([]float64, len(c.ys))}
		for i, y := range c.ys {
			d.Lo[i], d.Hi[i] = -inf, 0
			if y > 0 {
				d.Lo[i], d.Hi[i] = 0, inf
			}
		}
		for name, o := range map[string]SMOOptions{"SMO": {}, "small cache": {CacheBytes: 1}, "no shrinking": {noShrink: true}} {
			_, err := SMO(d, o)
			var e *NotSeparableError
			if !errors.Is(err, ErrNotSeparable) || !errors.As(err, &e) {
				t.Errorf("%s, %s: %v, want ErrNotSeparable", c.name, name, err)
				continue
			}
			diff, sums, size := make([]float64, 2), [2]float64{}, 0.0
			for i, l := range e.Lambda {
				if l < 0 {
					t.Errorf("%s: λ[%d] = %v", c.name, i, l)
				}
				axpy(diff, l*c.ys[i], c.xs[i])
				sums[int(c.ys[i]+1)/2] += l
				size = max(size, math.Sqrt(norm2(c.xs[i])))
			}
			if math.Abs(sums[0]-1) > 1e-9 || math.Abs(sums[1]-1) > 1e-9 {
				t.Errorf("%s, %s: λ sums to %v over the classes, want 1, 1", c.name, name, sums)
			}
			if got := math.Sqrt(norm2(diff)); got > 2*hullTol*size {
				t.Errorf("%s, %s: the points of the hulls are %v apart, want 0 within %v", c.name, name, got, 2*hullTol*size)
			}
		}
	}
}

// Matrices that are no kernels, and values that are no numbers, end in an error that says so.
func TestSMORejects(t *testing.T) {
	one := []float64{1, -1, 1}
	lo, hi := []float64{0, -1, 0}, []float64{1, 0, 1}
	nan := MatrixFromRows([][]float64{{1, math.NaN(), 0}, {math.NaN(), 1, 0}, {0, 0, 1}})
	bad := MatrixFromRows([][]float64{{1, 0, 3}, {0, 1, 3}, {3, 3, 1}})
	for _, c := range []struct {
		name string
		d    Dual
		o    SMOOptions
		want error
	}{
		{"NaN in K", Dual{K: nan, P: one, Lo: lo, Hi: hi}, SMOOptions{}, ErrNotFinite},
		{"indefinite K", Dual{K: bad, P: one, Lo: lo, Hi: hi}, SMOOptions{}, ErrIndefinite},
		{"indefinite K, no box", Dual{K: bad, P: one, Lo: []float64{0, math.Inf(-1), 0}, Hi: []float64{math.Inf(1), 0, math.Inf(1)}}, SMOOptions{}, ErrIndefinite},
		{"sum out of reach", Dual{K: NewMatrix(3, 3), P: one, Lo: lo, Hi: hi, Sum: 5}, SMOOptions{}, ErrInfeasible},
		{"NaN in start", Dual{K: NewMatrix(3, 3), P: one, Lo: lo, Hi: hi}, SMOOptions{Start: []float64{0, math.NaN(), 0}}, ErrNotFinite},
		{"start of another length", Dual{K: NewMatrix(3, 3), P: one, Lo: lo, Hi: hi}, SMOOptions{Start: one[:2]}, nil},
		{"negative tolerance", Dual{K: NewMatrix(3, 3), P: one, Lo: lo, Hi: hi}, SMOOptions{Tol: -1}, nil},
		{"NaN tolerance", Dual{K: NewMatrix(3, 3), P: one, Lo: lo, Hi: hi}, SMOOptions{Tol: math.NaN()}, nil},
		{"negative budget", Dual{K: NewMatrix(3, 3), P: one, Lo: lo, Hi: hi}, SMOOptions{MaxIter: -1}, nil},
	} {
		s, err := SMO(c.d, c.o)
		if err == nil || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
		if s != nil && !errors.Is(err, ErrIndefinite) {
			t.Errorf("%s: a solution came with %v", c.name, err)
		}
		for s := range SMOSteps(c.d, c.o) {
			if !(s.Violation >= 0) || math.IsNaN(s.Objective) {
				t.Errorf("%s: step %d has violation %v, objective %v", c.name, s.Iterations, s.Violation, s.Objective)
			}
		}
	}
}

// Variables without room stay where they are and count: a general dual with fixed variables and a sum that is not 0.
func TestSMOFixed(t *testing.T) {
	k := MatrixFromRows([][]float64{{2, 1, 0}, {1, 2, 1}, {0, 1, 2}})
	// β₁ = 1 fixed, β₀ + β₂ = 1: by symmetry both ½; D = pᵀβ − ½βᵀKβ.
	s, err := SMO(Dual{K: k, P: []float64{1, 5, 1}, Lo: []float64{0, 1, 0}, Hi: []float64{9, 1, 9}, Sum: 2}, SMOOptions{Tol: 1e-12})
	if err != nil {
		t.Fatal(err)
	}
	beta := []float64{0.5, 1, 0.5}
	kb := make([]float64, 3)
	k.MulVec(kb, beta)
	want := 6 - Dot(beta, kb)/2
	for i, b := range s.Beta {
		if math.Abs(b-beta[i]) > 1e-12 {
			t.Errorf("β = %v, want %v", s.Beta, beta)
		}
	}
	if math.Abs(s.Objective-want) > 1e-12 || math.Abs(s.B-(1-kb[0])) > 1e-12 {
		t.Errorf("objective %v, b %v, want %v, %v", s.Objective, s.B, want, 1-kb[0])
	}
}
