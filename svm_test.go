// Copyright 2026 The svm authors. All rights reserved.
// Use of this source code is governed by the MIT
// license that can be found in the LICENSE file.

package svm

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
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
