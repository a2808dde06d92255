// Copyright 2026 The svm authors. All rights reserved.
// Use of this source code is governed by the MIT
// license that can be found in the LICENSE file.

// The proofs: for what the other files claim, tests that fail if it is false.
//
// Every statement of the lectures has a tag (README.md, the ledger). The test that verifies a statement has its tag in
// its name or its comment. So do the tests of the lemmas of the essays, tagged L, G and S. In this order:
//
//	Assertions and helpers                 check, equal, about, refused, …
//	Linear algebra                         L1–L8
//	Kernels and feature maps               D1–D19, F1, F2
//	Quadratic programs                     C1–C5, B2–B5, B9–B11, L9, L10
//	The Gram matrix, row by row            G1–G4, D11
//	SMO                                    E1, E2, S4–S12, B7
//	Benchmarks                             of whole runs, with -bench; those of single routines stand beside their tests
//	Stochastic gradients                   E3–E7, F3–F5
//	The primal                             A1–A12
//	Machines and their certificates        B1–B3, B5–B8, D20, and mistakes of users
//	Many classes, and the choice of C      F6, F7
//	Scaling, and files                     F6: what is written reads back; errors come with line and column
//	LIBSVM's own programs                  A1, B3, F6: where they are installed, they read the files written here
//	The exact oracle                       the dual of a small problem, in rational numbers
//	Every solver, on every condition       B2–B5, B7, B10, B11, E1, E2: against the oracle, and against each other
//	The design of the package              which file may name what; the tags; the ledger
//	The tour                               what go test -run Tour -v shows
//	The figures of README.md               drawn anew, and compared
//	The exercises of README.md             solved, except for two that break the package
//	Where lectures slip                    two readings, and a property that only one of them has
//	The snippets of README.md              each is part of an example
//
// # What is a proof here
//
// A polynomial identity is checked in integers at every point of a sufficiently fine grid. By the lemma at kernelGrid
// this proves it over the reals. A small quadratic program is solved by trying all active sets in exact arithmetic; the
// lemmas at the exact oracle say why nothing else need be tried.
//
// A solution, whichever solver found it, is judged by conditions that suffice for optimality: feasibility, KKT, duality
// gap. The tests compute these from the data, and share no code with the solver beyond sums such as Dot. How many
// points a machine classifies correctly proves nothing.
//
// Fast code is compared with slow and obvious code: rows with Eval, SMO with textbookSMO, each part of SMO with a run
// without it, sparse with dense, two workers with one (to the bit), running averages with sums. Derivatives are
// compared with differences, which for a parabola are exact (slope). A bound is tested on many random instances, and
// where it is tight. A statement that does not hold in general has a counterexample.
//
// # Tolerances
//
// Data are integers where possible: sums of small ones are exact in any order and need no tolerance. Elsewhere a
// tolerance is some ε times the size of the data (laEps), or the tolerance given to the solver times the condition of
// the problem. No test asks for the last digit, which another processor may round differently, and no test is timed.
//
// Random data come from fixed seeds; the fuzz targets look further. A test that needs an event to occur, such as
// shrinking in a run, checks that it did occur; if not, it fails and says that the test is void.
//
// # Where to begin
//
// TestD5Polynomial, for an identity; TestE1TwoVariableIdentity, for one step of SMO; TestB3Duality, for a certificate;
// TestB5SolversAgainstOracle, for all solvers at once; TestErrata, for where lectures slip. Then change a sign in the
// package, and see which tests fail.

package svm

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"
	"unicode/utf8"
)

// Assertions and helpers.
//
// An assertion is given a name for the value it checks. If f(2) is 4, equal(t, f(x), 3, "f(%v)", x) reports "f(2) = 4,
// want 3". A name such as "f(%v) == g(%v)", or with <=, has one for the wanted value, too: "f(2) = 4, want g(2) = 3".

// check reports a claim that is false, with the message that is given.
func check(t testing.TB, claim bool, format string, args ...any) {
	t.Helper()
	if !claim {
		t.Errorf(format, args...)
	}
}

// equal checks that got is want.
func equal[T any](t testing.TB, got, want T, what string, args ...any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		differ(t, got, want, "", fmt.Sprintf(what, args...))
	}
}

// about checks that got is want, up to tol.
func about(t testing.TB, got, want, tol float64, what string, args ...any) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		differ(t, got, want, "", fmt.Sprintf(what, args...))
	}
}

// agree checks that got is want, up to tol times the larger of |want| and 1.
func agree(t testing.TB, got, want, tol float64, what string, args ...any) {
	t.Helper()
	if !mdNear(got, want, tol) {
		differ(t, got, want, "", fmt.Sprintf(what, args...))
	}
}

// aboutAll and agreeAll check that got is want, entry by entry, as about and agree do.
func aboutAll(t testing.TB, got, want []float64, tol float64, what string, args ...any) {
	t.Helper()
	if !slices.EqualFunc(got, want, func(g, w float64) bool { return math.Abs(g-w) <= tol }) {
		differ(t, got, want, "", fmt.Sprintf(what, args...))
	}
}

func agreeAll(t testing.TB, got, want []float64, tol float64, what string, args ...any) {
	t.Helper()
	if !slices.EqualFunc(got, want, func(g, w float64) bool { return mdNear(g, w, tol) }) {
		differ(t, got, want, "", fmt.Sprintf(what, args...))
	}
}

// atMost checks that got is no greater than limit.
func atMost(t testing.TB, got, limit float64, what string, args ...any) {
	t.Helper()
	if !(got <= limit) {
		differ(t, got, limit, "at most ", fmt.Sprintf(what, args...))
	}
}

// differ reports that the value named what is got, not want, or not in the given relation to it.
func differ(t testing.TB, got, want any, relation, what string) {
	t.Helper()
	for _, sign := range []string{" == ", " <= "} {
		if name, label, ok := strings.Cut(what, sign); ok {
			what, relation = name, relation+label+" = "
		}
	}
	t.Errorf("%s = %v, want %s%v", what, got, relation, want)
}

// must returns the value of a call that cannot fail here, and panics if it does.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// refused checks that err is an error of the package, contains the text says, and wraps is unless that is nil.
func refused(t testing.TB, err, is error, says, what string, args ...any) {
	t.Helper()
	if err == nil || !strings.HasPrefix(err.Error(), "svm: ") || !strings.Contains(err.Error(), says) ||
		is != nil && !errors.Is(err, is) {
		t.Errorf("%s: error %v, want one that says %q and wraps %v", fmt.Sprintf(what, args...), err, says, is)
	}
}

// errOf returns the error of a call.
func errOf[T any](_ T, err error) error { return err }

// errOf2 returns the error of a call with two other results.
func errOf2[T, U any](_ T, _ U, err error) error { return err }

// panics returns what f panics with, as text, or "" if it does not panic.
func panics(f func()) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = fmt.Sprint(r)
		}
	}()
	f()
	return ""
}

// fewer returns n, or few with -short, as under the race detector, which makes arithmetic ten times as slow or more.
func fewer(n, few int) int {
	if testing.Short() {
		return few
	}
	return n
}

// build returns f(0), …, f(n−1).
func build[T any](n int, f func(i int) T) []T {
	ys := make([]T, n)
	for i := range ys {
		ys[i] = f(i)
	}
	return ys
}

// mapped returns f of every x.
func mapped[X, Y any](xs []X, f func(X) Y) []Y {
	return build(len(xs), func(i int) Y { return f(xs[i]) })
}

// labelled returns the points and the labels that f makes for 0, …, n−1.
func labelled[X, Y any](n int, f func(i int) (X, Y)) (xs []X, ys []Y) {
	for i := range n {
		x, y := f(i)
		xs, ys = append(xs, x), append(ys, y)
	}
	return xs, ys
}

// where returns the indices of the xs that are wanted.
func where[X any](xs []X, wanted func(x X) bool) (at []int) {
	for i, x := range xs {
		if wanted(x) {
			at = append(at, i)
		}
	}
	return at
}

// minus returns x − z.
func minus(x, z []float64) []float64 {
	return build(len(x), func(j int) float64 { return x[j] - z[j] })
}

// slope returns the central difference of f in the number at: its derivative there, exactly for a parabola.
func slope(f func() float64, at *float64, step float64) float64 {
	old := *at
	*at = old + step
	up := f()
	*at = old - step
	down := f()
	*at = old
	return (up - down) / (2 * step)
}

// mdNear reports whether got is want to within tol of the larger of |want| and 1.
func mdNear(got, want, tol float64) bool {
	return got == want || math.Abs(got-want) <= tol*max(1, math.Abs(want))
}

// moved returns the points, each moved by the same vector.
func moved(xs [][]float64, by ...float64) [][]float64 {
	return mapped(xs, func(x []float64) []float64 { return build(len(x), func(f int) float64 { return x[f] + by[f] }) })
}

// textOf returns a file of the package, with lines that end in \n, also where git has made that \r\n.
func textOf(name string) string {
	return strings.ReplaceAll(string(must(os.ReadFile(name))), "\r\n", "\n")
}

// bytesOf returns a function whose calls return the bytes one after the other, and then zeros.
func bytesOf(data []byte) func() int {
	return func() (b int) {
		if len(data) > 0 {
			b, data = int(data[0]), data[1:]
		}
		return b
	}
}

// allocated returns how many bytes f allocates, those that are freed again included.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// Linear algebra.

// laRandom returns an m × n matrix of standard normal entries.
func laRandom(seed uint64, m, n int) *Matrix {
	return qpMatrix(rand.New(rand.NewPCG(seed, 1)), m, n)
}

// laIntegers returns an m × n matrix of integers in [−size, size].
func laIntegers(seed uint64, m, n, size int) *Matrix {
	rng := rand.New(rand.NewPCG(seed, 2))
	return laFill(m, n, func(i, j int) float64 { return float64(rng.IntN(2*size+1) - size) })
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
	a := NewMatrix(len(d), len(d))
	for i, v := range d {
		a.Set(i, i, v)
	}
	return a
}

// laOne returns the n × n identity.
func laOne(n int) *Matrix { return laDiag(slices.Repeat([]float64{1}, n)...) }

// laScaled returns c·a.
func laScaled(c float64, a *Matrix) *Matrix {
	return laFill(a.Rows, a.Cols, func(i, j int) float64 { return c * a.At(i, j) })
}

// laMul is the definition of the matrix product, for comparison with Mul.
func laMul(a, b *Matrix) *Matrix {
	return laFill(a.Rows, b.Cols, func(i, j int) (sum float64) {
		for k := range a.Cols {
			sum += a.At(i, k) * b.At(k, j)
		}
		return sum
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
	worst := largest(build(len(a.Data), func(i int) float64 { return a.Data[i] - b.Data[i] }))
	if math.IsNaN(worst) {
		return math.Inf(1)
	}
	return worst
}

// laMax returns the largest |aᵢⱼ|.
func laMax(a *Matrix) float64 { return laDiff(a, NewMatrix(a.Rows, a.Cols)) }

// laTrace returns Σ aᵢᵢ.
func laTrace(a *Matrix) float64 {
	return total(build(a.Rows, func(i int) float64 { return a.At(i, i) }))
}

// laOrtho returns the largest entry of |vᵀv − I|.
func laOrtho(v *Matrix) float64 { return laDiff(laMul(v.T(), v), laOne(v.Cols)) }

// laUpper returns the factor stored in t as a matrix; laTriangle returns the upper half of a matrix as a triangle.
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

// laFactor returns the Cholesky factor of a, which is positive definite.
func laFactor(a *Matrix) triangle {
	t := laTriangle(a)
	if i := t.factor(); i >= 0 {
		panic(fmt.Sprintf("not positive definite: pivot %d", i))
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

// laEps bounds the rounding errors of an algorithm that touches each of n entries of a row a few times. Every test of
// linear algebra that is not exact uses it, times the size of the data. Errors of correct code were seen to stay below
// a tenth of it, and a wrong formula exceeds it by ten orders of magnitude.
func laEps(n int) float64 { return 10 * machineEps * float64(n+1) }

// Dot is Σ xᵢyᵢ; MulVec, MulVecT and Mul are m x, mᵀx and m b. On small integers floating-point sums are exact.
func TestLinalgProducts(t *testing.T) {
	for n := range 14 {
		x, y := laIntegers(1, 1, n, 100), laIntegers(2, 1, n, 100)
		equal(t, Dot(x.Data, y.Data), laMul(x, y.T()).At(0, 0), "Dot of length %d", n)
		equal(t, norm2(x.Data), laMul(x, x.T()).At(0, 0), "norm2 of length %d", n)
		for m := range 10 {
			a, b := laIntegers(3, m, n, 100), laIntegers(4, n, 5, 100)
			equal(t, a.Mul(b), laMul(a, b), "%d×%d Mul %d×5", m, n, n)
			ax, by := laIntegers(5, m, 1, 9), laIntegers(6, n, 1, 9) // dst is overwritten, whatever it holds
			a.MulVec(ax.Data, x.Data)
			equal(t, ax, laMul(a, x.T()), "%d×%d MulVec", m, n)
			z := laIntegers(7, m, 1, 100)
			a.MulVecT(by.Data, z.Data)
			equal(t, by, laMul(a.T(), z), "%d×%d MulVecT", m, n)
			equal(t, a.T(), laFill(n, m, func(i, j int) float64 { return a.At(j, i) }), "%d×%d T", m, n)
		}
	}
}

// A matrix copies the rows that it is made from. Row is a view of a row, and appending to it changes no other row.
func TestLinalgMatrix(t *testing.T) {
	rows := [][]float64{{1, 2, 3}, {4, 5, 6}}
	m := MatrixFromRows(rows)
	rows[0][0] = 99 // the rows were copied
	equal(t, m, &Matrix{2, 3, []float64{1, 2, 3, 4, 5, 6}}, "MatrixFromRows")
	m.Set(1, 0, -4)
	m.Row(1)[2] = -6 // a view
	equal(t, m.At(1, 0)+m.At(1, 2), -10, "sum of entries (1, 0) and (1, 2)")
	_ = append(m.Row(0), 7)
	equal(t, m.At(1, 0), -4, "entry (1, 0) after appending to row 0")
	equal(t, MatrixFromRows(nil), NewMatrix(0, 0), "MatrixFromRows(nil)")
	row := []float64{1, 2}
	MatrixFromRows([][]float64{row}).Set(0, 0, 9)
	equal(t, row, []float64{1, 2}, "row after Set in the matrix made from it")
}

// axpy4 is four axpys, and axpy is dst + a·x. Where the compiler fuses multiplications with additions the two may
// round differently, by an ulp per term; on integers neither rounds. Entries beyond len(dst) are not touched.
func TestLinalgAxpy4(t *testing.T) {
	for n := range 19 {
		reals, a := laRandom(1, 5, n+2), laRandom(2, 1, 4).Data
		for _, test := range []struct {
			x   *Matrix
			a   []float64
			tol float64
		}{{reals, a, laEps(4) * laMax(reals) * norm(a)}, {laIntegers(1, 5, n+2, 50), []float64{2, -3, 5, -7}, 0}} {
			x, a := test.x, test.a
			one, want, four := slices.Clone(x.Row(0)), slices.Clone(x.Row(0)), slices.Clone(x.Row(0))
			for k, ak := range a {
				axpy(one[:n], ak, x.Row(k+1))
				for i := range n {
					want[i] += ak * x.At(k+1, i)
				}
			}
			axpy4(four[:n], a[0], x.Row(1), a[1], x.Row(2), a[2], x.Row(3), a[3], x.Row(4))
			aboutAll(t, one, want, test.tol, "n = %d: dst after four axpys", n)
			aboutAll(t, four, want, test.tol, "n = %d: dst after axpy4", n)
		}
	}
}

// Wrong shapes, and entries that are not finite, panic with a text that names the function and what is wrong.
func TestLinalgPanics(t *testing.T) {
	m, bad, three := NewMatrix(2, 3), &Matrix{Rows: 2, Cols: 2, Data: make([]float64, 3)}, make([]float64, 3)
	two, nan := three[:2], MatrixFromRows([][]float64{{1, 0}, {math.NaN(), 1}})
	for _, test := range []struct {
		name, want string
		f          func()
	}{
		{"NewMatrix", "svm: NewMatrix: -1×2", func() { NewMatrix(-1, 2) }},
		{"more numbers than an int counts", "svm: NewMatrix: ", func() { NewMatrix(math.MaxInt/2, 4) }},
		{"ragged rows", "svm: MatrixFromRows: row 1 has length 2, row 0 has length 3", func() { qpRows(three, two) }},
		{"row", "out of range", func() { m.Row(2) }},
		{"column", "out of range", func() { m.At(0, 3) }},
		{"set", "out of range", func() { m.Set(0, -1, 0) }},
		{"Dot", "svm: Dot: vectors of lengths 2 and 3", func() { Dot(two, three) }},
		{"Dot", "svm: Dot: vectors of lengths 3 and 2", func() { Dot(three, two) }},
		{"NovikoffBound", "svm: Dot: vectors of lengths 2 and 3", func() { NovikoffBound(Hyperplane{two, 1}, [][]float64{three}, []float64{1}) }},
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
		{"a column too long", "svm: NewMatrix: ", func() { NewMatrix(math.MaxInt/4, 1) }},
		{"CheckPSD", "svm: CheckPSD: 2×3 matrix is not square", func() { CheckPSD(m) }},
		{"CheckPSD data", "svm: CheckPSD: 2×2 matrix with 3 entries", func() { CheckPSD(bad) }},
		{"SVD data", "svm: SVD: 2×2 matrix with 3 entries", func() { SVD(bad) }},
		{"SVD NaN", "svm: SVD: entry (1, 0) is NaN: value is not finite", func() { SVD(nan) }},
		{"QP", "svm: QP: Lo has 1 entries, want 2", func() { QP{C: two, Lo: two[:1]}.Value(two) }},
		{"PrimalQP", "svm: PrimalQP: 2 points and 3 labels", func() { PrimalQP([][]float64{two, two}, three, 1) }},
		{"DualQP", "svm: DualQP: 3×2 Gram matrix and 2 labels", func() { DualQP(NewMatrix(3, 2), two, 1) }},
		{"DualQP", "svm: DualQP: 2×3 Gram matrix and 2 labels", func() { DualQP(m, two, 1) }},
		{"Margins", "svm: 2 points, but 3 labels", func() { new(Model[[]float64]).Margins([][]float64{two, two}, three) }},
		{"Margin", "svm: 2 points, but 3 labels", func() { Hyperplane{W: two}.Margin([][]float64{two, two}, three) }},
		{"Canonical", "svm: 2 points, but 3 labels", func() { Hyperplane{W: two}.Canonical([][]float64{two, two}, three) }},
		{"At", "svm: 2 points, but 3 labels", func() { SoftMargin(1).At(Hyperplane{W: two}, [][]float64{two, two}, three) }},
		{"Gradient", "svm: 2 points, but 3 labels", func() { SoftMargin(1).Gradient(Hyperplane{W: two}, [][]float64{two, two}, three) }},
		{"Lagrangian", "svm: no points", func() { Lagrangian(Hyperplane{W: two}, nil, two, nil, nil, two, 1) }},
		{"SGD.Objective", "svm: 3 points, but 2 labels", func() { SGD{}.Objective(Hyperplane{W: two}, [][]float64{two, two, two}, two) }},
		{"NovikoffBound", "svm: 2 points, but 3 labels", func() { NovikoffBound(Hyperplane{W: two}, [][]float64{two, two}, three) }},
		{"SVD Inf", "svm: SVD: entry (0, 1) is -Inf: value is not finite", func() { SVD(qpRows([]float64{0, math.Inf(-1)})) }},
	} {
		got := panics(test.f)
		check(t, strings.Contains(got, test.want), "%s panics with %q, want %q", test.name, got, test.want)
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
		before := fmt.Sprint(a)
		equal(t, must(Cholesky(a)), want, "n = %d: Cholesky(LLᵀ)", n)
		check(t, fmt.Sprint(a) == before, "n = %d: Cholesky changed its argument", n)
	}
}

// L2: A is positive definite if and only if every pivot is positive. The pivots are quotients of leading principal
// minors, so the index reported is that of the first minor that is not positive, for all 3 × 3 matrices with entries in
// −2 … 2. (Where that minor is 0 the pivot is a rounding error and its sign proves nothing.)
func TestL2CholeskyPivots(t *testing.T) {
	counts := [4]int{}
	kernelGrid(kernelRange(6, 4, -2), func(v []int64) {
		a, b, c, d, e, f := v[0], v[1], v[2], v[3], v[4], v[5] // A = [a b d; b c e; d e f]
		minors := []int64{a, a*c - b*b, a*(c*f-e*e) - b*(b*f-e*d) + d*(b*e-c*d)}
		want := slices.IndexFunc(minors, func(d int64) bool { return d <= 0 })
		if want > 0 && minors[want] == 0 {
			return
		}
		x := kernelFloats(v)
		_, err := Cholesky(qpRows([]float64{x[0], 9, 9}, []float64{x[1], x[2], 9}, x[3:])) // the upper half is not read
		if want < 0 {
			equal(t, err, nil, "Cholesky(%v): error", v)
		} else {
			refused(t, err, ErrNotPositiveDefinite, fmt.Sprintf("pivot %d is", want), "Cholesky(%v)", v)
		}
		counts[want+1]++
	})
	check(t, !slices.Contains(counts[:], 0), "cases by outcome: %v, want some of each", counts)
}

// L2: an infinite or NaN entry makes a pivot of its row fail: factor reports that row, and Cholesky names the entry.
func TestL2CholeskyNotFinite(t *testing.T) {
	const n = 6
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for i := range n {
			for j := range i + 1 {
				a := laPositive(1, n)
				a.Set(i, j, bad)
				refused(t, errOf(Cholesky(a)), ErrNotFinite, fmt.Sprintf("svm: Cholesky: entry (%d, %d) is %v: ", i, j, bad), "Cholesky")
				equal(t, laTriangle(a.T()).factor(), i, "%v at (%d, %d): factor() of it", bad, i, j)
			}
		}
	}
}

// L1, L2: working in panels, and on several rows at once, changes no bit: terms are subtracted in the same order. Where
// the compiler fuses some multiplications with additions, but not all, results may differ by rounding.
func TestL1CholeskyBits(t *testing.T) {
	one, fused := []float64{1 + machineEps}, []float64{-1 - 2*machineEps} // (1 + ε)² = 1 + 2ε + ε² is rounded to 1 + 2ε
	axpy4(fused, 0, one, one[0], one, 0, one, 0, one)
	for _, n := range []int{1, 2, 7, panelRows + 1, panelRows + 2, 3*panelRows + 5} {
		a := laPositive(5, n)
		want := laTriangle(laScaled(1, a))
		for i, row := range want {
			for p, u := range want[:i] {
				for j := range row {
					row[j] -= u[i-p] * u[i-p+j]
				}
			}
			row[0] = math.Sqrt(row[0])
			divide(row[1:], row[0])
		}
		got := laFactor(a)
		if fused[0] != 0 {
			atMost(t, laDiff(laUpper(got), laUpper(want)), laEps(n)*laMax(a), "n = %d: difference of factors", n)
			continue
		}
		equal(t, got, want, "n = %d: factor", n)
	}
}

// L1: UᵀU = A up to rounding, and solve, solveT and solveU solve Ax = b, Uᵀx = b and Ux = b, which is multiplied out.
func TestL1Solve(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, 7, panelRows, 3*panelRows + 5} {
		a, b := laPositive(3, n), laRandom(4, n, 1)
		tr := laFactor(a)
		u := laUpper(tr)
		tol := laEps(n) * laMax(a)
		atMost(t, laDiff(laMul(u.T(), u), a), tol, "n = %d: ‖UᵀU − A‖", n)
		tol *= 1 + laMax(b) // A ≥ n, so the solutions are no larger than b
		for _, test := range []struct {
			name  string
			m     *Matrix
			solve func([]float64)
		}{{"solve", a, tr.solve}, {"solveT", u.T(), tr.solveT}, {"solveU", u, tr.solveU}} {
			x := laScaled(1, b)
			test.solve(x.Data)
			atMost(t, laDiff(laMul(test.m, x), b), tol, "n = %d: residual of %s", n, test.name)
		}
	}
}

// L3: deleting column k of U and rotating rows i and i+1, for i = k … n−2, gives the Cholesky factor of A without row
// and column k: the one that factoring that matrix gives, also after many deletions.
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
	compare := func(name string, got triangle, a *Matrix) {
		t.Helper()
		tol := laEps(a.Rows) * math.Sqrt(laMax(a)) * 10 // entries of U are at most √max aᵢᵢ, the condition of A is about 5
		atMost(t, laDiff(laUpper(got), laUpper(laFactor(a))), tol, "%s: difference from the factor of the smaller matrix", name)
	}
	for _, n := range []int{1, 2, 3, 4, 5, 9, 40} {
		a := laPositive(5, n)
		for k := range n {
			compare(fmt.Sprintf("n = %d, drop(%d)", n, k), laFactor(a).drop(k), remove(a, k))
		}
		rng, tr := rand.New(rand.NewPCG(6, uint64(n))), laFactor(a)
		for m := n; m > 0; m-- {
			k := rng.IntN(m)
			tr, a = tr.drop(k), remove(a, k)
			compare(fmt.Sprintf("n = %d, dropped to %d", n, m-1), tr, a)
		}
	}
}

// L4: H = I − vvᵀ/h is symmetric, orthogonal, and Hx = g·eₗ. L5: HAH = A − vwᵀ − wvᵀ. With x = (2, 4, 4), ‖x‖ = 6, hence
// g = −6, v = (2, 4, 10), h = 60 and H in thirtieths, by hand.
func TestL5Reflection(t *testing.T) {
	v, h := []float64{2, 4, 10}, 60.0
	hh := laFill(3, 3, func(i, j int) float64 { return laOne(3).At(i, j) - v[i]*v[j]/h })
	hx := laMul(hh, MatrixFromRows([][]float64{{2}, {4}, {4}}))
	atMost(t, laDiff(hx, MatrixFromRows([][]float64{{0}, {0}, {-6}})), laEps(3)*6, "‖Hx − (0, 0, −6)‖")
	atMost(t, laOrtho(hh), laEps(3), "‖HᵀH − I‖")
	a := laSym(7, 3, 9)
	want, got := laMul(laMul(hh, a), hh), laScaled(1, a)
	conjugate(got, v, h, make([]float64, 3))
	for i := range 3 {
		for j := range i + 1 {
			about(t, got.At(i, j), want.At(i, j), laEps(3)*laMax(a), "(HAH)[%d][%d]", i, j)
		}
	}
	// The last step of the reduction of a matrix whose last row begins with x makes exactly this reflection.
	b := laFill(4, 4, func(i, j int) float64 {
		if i < 3 && j < 3 {
			return a.At(i, j)
		}
		return []float64{2, 4, 4, 1}[min(i, j)]
	})
	_, e := tridiagonalise(b)
	equal(t, e[2], -6, "T[3][2]")
}

// L5, repeated: T = QᵀAQ with Q orthogonal and T tridiagonal.
func TestL5Tridiagonal(t *testing.T) {
	for name, a := range map[string]*Matrix{
		"empty": NewMatrix(0, 0), "1×1": laDiag(-3), "2×2": laSym(1, 2, 5), "dense": laSym(2, 17, 9),
		"zero": NewMatrix(5, 5), "diagonal": laDiag(3, 1, 2, 0),
		"tridiagonal": laTridiagonal([]float64{1, 2, 3, 4}, []float64{5, 6, 7}),
		"arrow": laFill(6, 6, func(i, j int) float64 {
			if i == j || max(i, j) == 5 {
				return float64(1 + i + j)
			}
			return 0
		}),
	} {
		z := laScaled(1, a)
		d, e := tridiagonalise(z)
		atMost(t, laOrtho(z.T()), laEps(a.Rows), "%s: ‖QᵀQ − I‖", name)
		atMost(t, laDiff(laMul(laMul(z, a), z.T()), laTridiagonal(d, e)), laEps(a.Rows)*laMax(a), "%s: ‖QᵀAQ − T‖", name)
	}
}

// L6: σ is the eigenvalue of the top 2×2 block nearest to d₀. L7: the sweep of rotations gives T' = LQ + σI = QᵀTQ,
// where T − σI = QL, without ever forming L. The test forms Q by orthonormalising the columns of T − σI, from the last
// to the first. Q is unique up to the signs of its columns, T' up to those of its off-diagonal entries.
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
		z := laOne(n)
		sweepQL(d, e, z, 0, n-1)
		got := laTridiagonal(d, e)
		tol := 100 * laEps(n) * laMax(T) // the sweep is stable, the explicit L of a nearly singular T − σI less so
		atMost(t, laDiff(laMul(laMul(z, T), z.T()), got), tol, "n = %d: ‖QᵀTQ − T'‖", n)
		for i, w := range want.Data {
			v := got.Data[i]
			if i%(n+1) != 0 { // off the diagonal
				v, w = math.Abs(v), math.Abs(w)
			}
			about(t, v, w, tol, "n = %d: T'[%d][%d], up to the sign of off-diagonals,", n, i/n, i%n)
		}
	}
}

// L7: a sweep ends early where f and g vanish together, for then (g, f) has no direction. For these matrices σ is 0 to
// all digits, and g is exactly 0 after the first rotation; f² is 0 for the first of them and subnormal for the second,
// and f is negligible for the third.
func TestL7SweepEarly(t *testing.T) {
	for _, test := range []struct{ d, e, want []float64 }{
		{[]float64{0, 0, 1, 7}, []float64{1e-144, 1e-144, 0, 0}, []float64{0, 0, 1, 7}},
		{[]float64{0, 0, 1, 7}, []float64{1e-144, 1e-17, 0, 0}, []float64{0, 0, 1, 7}},
		{[]float64{0, 1, 4, 7}, []float64{4e-145, 2, 0, 0}, []float64{0, 0, 5, 7}}, // 1, 2, 2, 4 is singular with trace 5
	} {
		d, e, z := slices.Clone(test.d), slices.Clone(test.e), laOne(4)
		sweepQL(d, e, z, 0, 2)
		tol := laEps(4) * 7
		atMost(t, laOrtho(z.T()), tol, "T = %v, %v: ‖QᵀQ − I‖", test.d, test.e)
		check(t, laDiff(laTridiagonal(d, e), laDiag(test.want...)) <= tol,
			"T = %v, %v: sweep gives %v, %v, want diagonal %v", test.d, test.e, d, e, test.want)
		atMost(t, laDiff(laMul(laMul(z, laTridiagonal(test.d, test.e)), z.T()), laDiag(test.want...)), tol,
			"T = %v, %v: ‖QᵀTQ − diag(%v)‖", test.d, test.e, test.want)
	}
}

// laInertia counts the eigenvalues of the integer matrix a below x, without rounding: it is the number of negative
// pivots of a − x·I [Sylvester's law of inertia]. ok is false where a pivot is 0.
func laInertia(a *Matrix, x float64) (below int, ok bool) {
	n := a.Rows
	r := make([][]*big.Rat, n)
	for i := range r {
		r[i] = ratsOf(a.Row(i))
		r[i][i].Sub(r[i][i], ratOf(x))
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

// L6, L7: the j-th eigenvalue lies within laEps·‖A‖ of the j-th value returned: proved in exact arithmetic, by counting
// the eigenvalues below either end of that interval.
func TestL6EigenvaluesExact(t *testing.T) {
	for seed := range uint64(12) {
		n := 1 + int(seed)%7
		a := laSym(seed, n, 1+int(seed)*int(seed))
		values, _ := SymEigen(a)
		delta := laEps(n) * (1 + laMax(a))
		for j, v := range values {
			lo, ok1 := laInertia(a, v-delta)
			hi, ok2 := laInertia(a, v+delta)
			check(t, ok1 && ok2 && lo <= j && hi >= j+1,
				"%v: %d eigenvalues below values[%d] − δ and %d below values[%d] + δ (%v, δ = %g)", a, lo, j, hi, j, v, delta)
		}
	}
}

// laSymmetric is the table of symmetric matrices; values, where they are known in closed form, are ascending.
func laSymmetric() []laCase {
	const n = 12
	hilbert := laFill(n, n, func(i, j int) float64 { return 1 / float64(1+i+j) })
	graded := laFill(n, n, func(i, j int) float64 { return math.Pow(10, -float64(i+j)) * laSym(3, n, 4).At(i, j) })
	path := slices.Repeat([]float64{2}, n) // second differences
	pathValues := build(n, func(i int) float64 { return 2 - 2*math.Cos(float64(i+1)*math.Pi/(n+1)) })
	ones := laFill(n, n, func(i, j int) float64 { return 1 })
	pair := MatrixFromRows([][]float64{{2, 1}, {1, 2}})
	wilkinson := build(21, func(i int) float64 { return math.Abs(float64(i - 10)) })
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
		{"a block falls apart with c = −1", laTridiagonal(make([]float64, 4), []float64{0x1p-7, 0x1p-477, 0x1p-1}),
			[]float64{-0.5, -0x1p-7, 0x1p-7, 0.5}},
		{"largest float64", laDiag(math.MaxFloat64, -math.MaxFloat64), []float64{-math.MaxFloat64, math.MaxFloat64}},
		{"huge", laScaled(1e300, pair), []float64{1e300, 3e300}},
		{"tiny", laScaled(1e-300, pair), []float64{1e-300, 3e-300}},
		{"subnormal", laScaled(1e-318, pair), []float64{1e-318, 3e-318}},
		{"smallest", laDiag(5e-324, 0), []float64{0, 5e-324}},
		{"huge and tiny", laDiag(1e300, 1e-300), []float64{0, 1e300}},
		{"tiny beside 1", laFill(3, 3, func(i, j int) float64 { return []float64{1, 1e-90, 1e-180, 1e-270, 0}[i+j] }),
			[]float64{0, 0, 1}},
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

// L7: A = V diag(values) Vᵀ, V orthogonal, values ascending.
func TestL7SymEigen(t *testing.T) {
	for _, test := range laSymmetric() {
		n, a := test.a.Rows, test.a
		before := slices.Clone(a.Data)
		values, v := SymEigen(a)
		check(t, slices.Equal(a.Data, before), "%s: SymEigen changed its argument", test.name)
		check(t, slices.IsSorted(values) && len(values) == n, "%s: values = %v, want %d ascending numbers", test.name, values, n)
		atMost(t, laOrtho(v), laEps(n), "%s: ‖VᵀV − I‖", test.name)
		// Compare V·values with A·V/scale after division by scale, so that neither overflows nor vanishes.
		scale := max(laMax(a), 5e-324)
		unit := laFill(n, n, func(i, j int) float64 { return a.At(i, j) / scale })
		vl := laFill(n, n, func(i, j int) float64 { return v.At(i, j) * (values[j] / scale) })
		tol := laEps(n) + 10*5e-324/scale // subnormal values are integers times 5e-324
		atMost(t, laDiff(laMul(unit, v), vl), tol, "%s: ‖AV − V diag(values)‖/max|A|", test.name)
		for j, want := range test.values {
			about(t, values[j]/scale, want/scale, tol, "%s: values[%d]/max|A|", test.name, j)
		}
	}
}

// L7, L8: scaling by a power of two is exact, so it passes through SymEigen and SVD without changing a bit; the upper
// half of a symmetric matrix is not read.
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
		equal(t, values2, times(values, constant(9, c)), "SymEigen(2^%d A)", k)
		equal(t, s2, times(s, constant(6, c)), "s of SVD(2^%d X)", k)
		equal(t, laDiff(v, v2)+laDiff(u, u2)+laDiff(w, w2), 0, "change of the vectors under scaling by 2^%d", k)
	}
}

// largest is NaN if any entry is.
func TestLargest(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, test := range []struct {
		x    []float64
		want float64
	}{{nil, 0}, {[]float64{1, -3, 2}, 3}, {[]float64{nan, 1}, nan}, {[]float64{1, nan, 2}, nan}, {[]float64{-inf, 1}, inf}} {
		equal(t, fmt.Sprint(largest(test.x)), fmt.Sprint(test.want), "largest(%v)", test.x) // as text, NaN is equal to itself
	}
}

// L7, L8: the iteration budgets are finite, and running out of them is reported.
func TestLinalgBudget(t *testing.T) {
	d, e := []float64{1, 2, 3}, []float64{1, 1, 0}
	equal(t, implicitQL(d, e, laOne(3), 1), false, "implicitQL with a budget of one sweep for three eigenvalues")
	equal(t, implicitQL(d, e, laOne(3), sweepBudget), true, "implicitQL with a budget of %d sweeps", sweepBudget)
	_, ok := orthogonalise([][]float64{{1, math.NaN()}, {math.NaN(), 1}}, 2)
	equal(t, ok, false, "orthogonalise of NaNs, after %d sweeps", sweepBudget)
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
		about(t, c*c+s*s, 1, tol, "seed %d: c² + s²", seed)
		atMost(t, math.Abs(s), c, "seed %d: |s| <= c", seed)
		z := (beta - alpha) / (2 * gamma)
		about(t, s*s+2*z*s*c-c*c, 0, tol*(1+math.Abs(z)), "seed %d: c²(t² + 2ζt − 1) at t = %v", seed, s/c)
		rotate(x, y, c, -s)
		about(t, Dot(x, y), 0, tol*math.Sqrt(alpha*beta), "seed %d: inner product after rotation", seed)
		about(t, norm2(x)+norm2(y), alpha+beta, tol*(alpha+beta), "seed %d: sum of squared lengths after rotation", seed)
	}
	for _, v := range [][3]float64{{1, 4, 0}, {1, 4, machineEps}, {1, 0, 0}, {0x1p-970, 1, 0x1p-500}} { // α, β, γ
		c, s := jacobi(v[0], v[1], v[2], machineEps)
		check(t, c == 1 && s == 0, "jacobi(%v) = %v, %v, want no rotation", v, c, s)
	}
}

// laRectangular is the table of matrices for SVD; values are the singular values, descending.
func laRectangular() []laCase {
	const n = 9
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
		{"ones, rank 1", laFill(n, n, func(i, j int) float64 { return 1 }), append([]float64{n}, make([]float64, n-1)...)},
		{"rank 3", laMul(laIntegers(3, 14, 3, 4), laIntegers(4, 3, n, 4)), nil},
		{"equal columns", laFill(6, 4, func(i, j int) float64 { return float64(i*i) - 5 }), nil},
		{"zero columns", laFill(6, 4, func(i, j int) float64 { return float64(j%2) * math.Cos(float64(i*j)) }), nil},
		{"nearly equal values", MatrixFromRows([][]float64{{1, 1, -1}, {-1, 1, 0}, {1, 0, 1}}), []float64{math.Sqrt(3), math.Sqrt(3), 1}},
		{"shear", MatrixFromRows([][]float64{{1, 1}, {0, 1}}), []float64{(math.Sqrt(5) + 1) / 2, (math.Sqrt(5) - 1) / 2}},
		{"nearly equal columns", MatrixFromRows([][]float64{{1, 1}, {0, 1e-12}, {1e-12, 0}}), []float64{math.Sqrt2, 1e-12}},
		{"huge", laScaled(1e300, laRandom(5, 7, 4)), nil},
		{"tiny", laScaled(1e-300, laRandom(6, 7, 4)), nil},
		{"huge and tiny", laDiag(1e300, 1e-300), []float64{1e300, 0}},
		{"random", laRandom(7, 50, 50), nil},
	}
	for _, test := range laSymmetric() { // of a symmetric matrix: the absolute eigenvalues
		test.name += ", symmetric"
		test.values = mapped(test.values, math.Abs)
		slices.Sort(test.values)
		slices.Reverse(test.values)
		cases = append(cases, test)
	}
	return cases
}

// L8, D15: X = U diag(s) Vᵀ with s descending and not negative, U and V with orthonormal columns, whatever the rank.
// And Σ sⱼ² = Σ xᵢⱼ² and ‖vⱼ‖ = 1 hold to a few ulps, whatever the size: with every rotation the rounding of its cosine
// lengthens the rows, and this is divided out.
func TestL8SVD(t *testing.T) {
	for _, test := range laRectangular() {
		x, k := test.a, min(test.a.Rows, test.a.Cols)
		before := slices.Clone(x.Data)
		u, s, v := SVD(x)
		check(t, slices.Equal(x.Data, before), "%s: SVD changed its argument", test.name)
		shapes := []int{u.Rows, u.Cols, len(s), v.Rows, v.Cols}
		equal(t, shapes, []int{x.Rows, k, k, x.Cols, k}, "%s: rows and columns of U, length of s, those of V", test.name)
		for j := range s {
			check(t, s[j] >= 0 && (j == 0 || s[j] <= s[j-1]), "%s: s = %v, want descending and not negative", test.name, s)
		}
		tol := laEps(max(x.Rows, x.Cols))
		atMost(t, max(laOrtho(u), laOrtho(v)), tol, "%s: ‖UᵀU − I‖, ‖VᵀV − I‖", test.name)
		scale := max(laMax(x), 5e-324)
		us := laFill(u.Rows, k, func(i, j int) float64 { return u.At(i, j) * (s[j] / scale) })
		unit := laFill(x.Rows, x.Cols, func(i, j int) float64 { return x.At(i, j) / scale })
		tol += 10 * 5e-324 / scale
		atMost(t, laDiff(laMul(us, v.T()), unit), tol, "%s: ‖USVᵀ − X‖/max|X|", test.name)
		for j, want := range test.values {
			about(t, s[j]/scale, want/scale, tol, "%s: s[%d]/max|X|", test.name, j)
		}
		if scale > 1e-300 {
			want := norm2(unit.Data)
			about(t, norm2(mapped(s, func(v float64) float64 { return v / scale })), want, 30*machineEps*want, "%s: Σsⱼ²", test.name)
		}
		for j := range v.Cols {
			about(t, norm2(v.T().Row(j)), 1, 10*machineEps, "%s: ‖v_%d‖²", test.name, j)
		}
	}
}

// L8: where rows differ in scale, many sweeps are needed. Where half of the columns are 0, half of U is made from
// coordinate axes, one after the other, and this must lose no digit.
func TestL8Rows(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	n := fewer(220, 100)
	steps := laFill(n, n, func(i, j int) float64 { return math.Ldexp(rng.NormFloat64(), -8*(i*61/n)) })
	u, s, v := SVD(steps)
	atMost(t, max(laOrtho(u), laOrtho(v)), laEps(n), "rows in steps of 2⁻⁸: ‖UᵀU − I‖, ‖VᵀV − I‖")
	us := laFill(n, n, func(i, j int) float64 { return u.At(i, j) * s[j] })
	atMost(t, laDiff(us.Mul(v.T()), steps), laEps(n)*laMax(steps), "rows in steps of 2⁻⁸: ‖USVᵀ − X‖")

	half := laFill(100, 100, func(i, j int) float64 { return rng.Float64() * float64(min(1, j/50)) })
	u, _, _ = SVD(half)
	atMost(t, laOrtho(u), 30*machineEps, "half of the columns 0: ‖UᵀU − I‖")
}

// L8: small singular values of badly scaled columns have all their digits: X = HD, H with orthogonal columns of length
// 2, D diagonal, has the singular values 2dⱼ, to relative accuracy, down to 2⁻⁴⁸⁰.
func TestL8SVDRelative(t *testing.T) {
	h := MatrixFromRows([][]float64{{1, 1, 1, 1}, {1, -1, 1, -1}, {1, 1, -1, -1}, {1, -1, -1, 1}})
	d := []float64{1e-60, 1, 1e-120, 1e-20}
	x := laFill(4, 4, func(i, j int) float64 { return h.At(i, j) * d[j] })
	_, s, _ := SVD(x)
	for j, want := range []float64{2, 2e-20, 2e-60, 2e-120} {
		about(t, s[j], want, laEps(4)*want, "s[%d]", j)
	}
}

// parallel and a team call f once for every index, and no more of these at once than there are workers. After a panic in
// f no more indices are handed out; it is raised again in the caller when all calls have returned. No goroutine outlives
// its loop or team.
func TestLoops(t *testing.T) {
	before := runtime.NumGoroutine()
	for workers := -1; workers <= 8; workers++ {
		team := newTeam(workers)
		check(t, workers <= 0 || team.members == min(workers, runtime.GOMAXPROCS(0))-1, "%d workers: %d members", workers, team.members)
		for name, do := range map[string]func(n int, f func(i int)){
			"parallel": func(n int, f func(i int)) { parallel(workers, n, f) },
			"team":     team.do,
		} {
			run := func(n int) {
				calls := make([]atomic.Int32, n)
				var running, most atomic.Int32
				do(n, func(i int) {
					if r := running.Add(1); r > most.Load() {
						most.Store(r)
					}
					runtime.Gosched()
					calls[i].Add(1)
					running.Add(-1)
				})
				for i := range calls {
					equal(t, calls[i].Load(), 1, "%s, %d workers, %d indices: calls with %d", name, workers, n, i)
				}
				check(t, workers <= 0 || int(most.Load()) <= workers, "%s, %d workers: %d calls at once", name, workers, most.Load())
			}
			for loop := range 2000 {
				if run(loop % 9); loop%100 == 99 {
					run(100)
					time.Sleep(time.Millisecond) // members fall asleep
				}
			}
			var running, calls atomic.Int32
			got := panics(func() {
				do(1e9, func(i int) {
					running.Add(1)
					defer running.Add(-1)
					calls.Add(1)
					if i == 10 {
						panic("at ten")
					}
				})
			})
			equal(t, got, "at ten", "%s, %d workers: panic", name, workers)
			check(t, running.Load() == 0 && calls.Load() >= 11 && calls.Load() < 1e9,
				"%s, %d workers: %d of %d calls are running, want 0 of at least 11", name, workers, running.Load(), calls.Load())
			run(100)
		}
		team.stop()
	}
	left(t, before)
}

// If f calls runtime.Goexit on another goroutine, as t.Fatal does, the caller panics: it neither hangs nor returns.
func TestLinalgParallelGoexit(t *testing.T) {
	team := newTeam(2)
	defer team.stop()
	loops := map[string]func(n int, f func(i int)){
		"parallel": func(n int, f func(i int)) { parallel(2, n, f) },
		"team":     team.do,
	}
	if team.members == 0 {
		delete(loops, "team") // there is one processor
	}
	for name, do := range loops {
		met := make(chan bool)
		got := panics(func() {
			do(2, func(int) {
				stack := make([]byte, 1<<14)
				if bytes.Contains(stack[:runtime.Stack(stack, false)], []byte("testing.tRunner(")) {
					<-met
					return
				}
				close(met)
				runtime.Goexit()
			})
		})
		check(t, strings.Contains(got, "Goexit"), "%s: panic %q", name, got)
	}
}

// As many calls run at once as there are workers, or processors if 0: three that wait for each other all return.
func TestParallelWorkers(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	n := runtime.GOMAXPROCS(0) // 3, except in WebAssembly, which has one processor
	team := newTeam(0)
	defer team.stop()
	for _, run := range []func(n int, f func(i int)){
		func(n int, f func(i int)) { parallel(0, n, f) },
		func(n int, f func(i int)) { parallel(3, n, f) },
		team.do,
	} {
		for range 3 { // loop after loop
			var met sync.WaitGroup
			met.Add(n)
			run(n, func(int) { met.Done(); met.Wait() })
		}
	}
	equal(t, runtime.GOMAXPROCS(0), n, "GOMAXPROCS after newTeam")
	alone := newTeam(1)
	alone.members = 1 // one that never comes
	for range 3 {
		alone.do(2, func(int) {})
		equal(t, alone.gate.Load(), 0, "the gate after do, by which nobody may enter")
	}
}

// left checks that no more goroutines are left than before, after giving them up to a second to end.
func left(t *testing.T, before int) {
	t.Helper()
	for wait := 0; wait < 1000 && runtime.NumGoroutine() > before; wait++ {
		time.Sleep(time.Millisecond)
	}
	check(t, runtime.NumGoroutine() <= before, "%d goroutines are left, %d before", runtime.NumGoroutine(), before)
}

// axpyExact: sum and what it has lost by rounding make the exact sum, also where the terms cancel to the last digit.
func TestAxpyExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(47, 48))
	for round := range 50 {
		sum, lost, want := make([]float64, 3), make([]float64, 3), ratsOf(make([]float64, 3))
		add := func(a float64, x []float64) {
			axpyExact(sum, lost, a, x)
			for i, v := range x {
				want[i].Add(want[i], new(big.Rat).Mul(ratOf(a), ratOf(v)))
			}
		}
		for range 20 {
			a, x := math.Ldexp(rng.NormFloat64(), rng.IntN(40)), normal(rng, 3)
			add(a, x)
			add(math.Nextafter(-a, 0), x)
		}
		for i, w := range want {
			exact := ratFloat(w)
			tol := machineEps * (math.Abs(exact) + 40*40*machineEps*0x1p43) // 40 roundings of what 40 terms below 2⁴³ lose
			about(t, sum[i]+lost[i], exact, tol, "round %d: sum %d", round, i)
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
		u := laFactor(laPositive(1, n))
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

func BenchmarkSpectrum(b *testing.B) {
	for _, n := range []int{10, 100, 300} {
		a, x := laPositive(1, n), laRandom(1, n, n)
		for name, f := range map[string]func(){"SymEigen": func() { SymEigen(a) }, "SVD": func() { SVD(x) }} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				for b.Loop() {
					f()
				}
			})
		}
	}
}

// Kernels and feature maps.

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
	return slices.Repeat([][]int64{build(p+1, func(j int) int64 { return first + int64(j) })}, n)
}

// kernelFloats returns v as float64s, kernelIntPow xⁿ.
func kernelFloats(v []int64) []float64 {
	return mapped(v, func(x int64) float64 { return float64(x) })
}

// kernelDot returns x·z.
func kernelDot(x, z []int64) (sum int64) {
	for i := range x {
		sum += x[i] * z[i]
	}
	return sum
}

func kernelIntPow(x int64, n int) int64 {
	y := int64(1)
	for range n {
		y *= x
	}
	return y
}

func kernelRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 20)) }

// matVec returns a x.
func matVec(a *Matrix, x []float64) []float64 {
	ax := make([]float64, a.Rows)
	a.MulVec(ax, x)
	return ax
}

// quadratic returns zᵀKz.
func quadratic(k *Matrix, z []float64) float64 { return Dot(z, matVec(k, z)) }

// normal returns a vector of d standard normal numbers.
func normal(rng *rand.Rand, d int) []float64 {
	return build(d, func(int) float64 { return rng.NormFloat64() })
}

func kernelVectors(rng *rand.Rand, n, d int) [][]float64 {
	return build(n, func(int) []float64 { return normal(rng, d) })
}

// kernelIntegers returns vectors of integers in [−3, 3]: sums of products of them are exact in float64.
func kernelIntegers(rng *rand.Rand, n, d int) [][]float64 {
	return build(n, func(int) []float64 { return build(d, func(int) float64 { return float64(rng.IntN(7) - 3) }) })
}

func kernelString(rng *rand.Rand, length, alphabet int) string {
	return string(build(length, func(int) byte { return byte(rng.IntN(alphabet)) })) // from NUL on
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
	return int(total(kernelFloats(e)))
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
	equal(t, Quadratic([]float64{2, 3}), []float64{4, 6, 9}, "ψ(2, 3)")
	w, b := []float64{1, 3, 1}, -3.0
	value := func(x1, x2 float64) float64 { return Dot(w, Quadratic([]float64{x1, x2})) + b }
	// The plane, in u = x₁ + x₂ and v = x₁ − x₂: 5u² − v² = 12, a hyperbola. Both sides have degree 2 in x₁ and in x₂.
	kernelGrid(kernelRange(2, 2, -1), func(x []int64) {
		u, v := x[0]+x[1], x[0]-x[1]
		equal(t, 4*value(float64(x[0]), float64(x[1])), float64(5*u*u-v*v-12), "4(w·ψ(%v) + b)", x)
	})
	for v := -10.0; v <= 10; v += 0.25 { // each line v = const meets the two curves once each, at ±u
		u := math.Sqrt((12 + v*v) / 5)
		for _, branch := range []float64{1, -1} {
			at := func(u float64) float64 { return value((u+v)/2, (u-v)/2) }
			about(t, at(branch*u), 0, 8*machineEps*(12+v*v), "w·ψ + b on the curve at u = %v, v = %v", branch*u, v)
			in, out := at(branch*u*0.99), at(branch*u*1.01)
			check(t, in < 0 && out > 0, "w·ψ + b = %v between the curves, %v beyond: want < 0, > 0", in, out)
		}
	}
}

// D2: φ(x) = (x₁, x₂, x₁² + x₂²) separates a disc from its surroundings.
func TestD2Disc(t *testing.T) {
	// Disc of centre (p, q), radius r: |x − (p, q)|² − r² = w·φ(x) + b, w = (−2p, −2q, 1), b = p² + q² − r²: degree 2.
	kernelGrid(kernelRange(5, 2, -1), func(v []int64) {
		x1, x2, p, q, r := v[0], v[1], v[2], v[3], v[4]
		w, b := kernelFloats([]int64{-2 * p, -2 * q, 1}), float64(p*p+q*q-r*r)
		want := float64((x1-p)*(x1-p) + (x2-q)*(x2-q) - r*r)
		equal(t, Dot(w, Paraboloid(kernelFloats(v[:2])))+b, want, "w·φ(x) + b at %v", v)
	})
	// No line does it: the centre is the mean of four surrounding points, so no affine function is positive at all four
	// and negative at the centre. The plane of the unit circle is.
	center, around := []float64{0, 0}, [][]float64{{2, 0}, {-2, 0}, {0, 2}, {0, -2}}
	mean := make([]float64, 2)
	for _, x := range around {
		axpy(mean, 0.25, x)
		check(t, Paraboloid(x)[2] > 1, "φ(%v) is not above the plane of the unit circle", x)
	}
	equal(t, mean, center, "mean of the four")
	check(t, Paraboloid(center)[2] < 1, "φ(%v) is not below the plane of the unit circle", center)
}

// D3: φ(x) = (x₁², √2 x₁x₂, x₂²) ⇒ φ(x)·φ(z) = (x·z)².
func TestD3SquareMap(t *testing.T) {
	phi := Polynomial{Degree: 2}.FeatureMap(2)
	// The squares of the coordinates' factors, 1, 2, 1, make the identity one of integers.
	kernelGrid(kernelRange(4, 2, -1), func(v []int64) {
		x1, x2, z1, z2 := v[0], v[1], v[2], v[3]
		want := kernelIntPow(x1*z1+x2*z2, 2)
		equal(t, 1*(x1*x1)*(z1*z1)+2*(x1*x2)*(z1*z2)+1*(x2*x2)*(z2*z2), want, "Σ factor² monomial(x) monomial(z) at %v", v)
		x := kernelFloats(v[:2])
		equal(t, phi(x), []float64{x[0] * x[0], math.Sqrt2 * x[0] * x[1], x[1] * x[1]}, "φ(%v)", x)
		equal(t, Polynomial{Degree: 2}.Eval(x, kernelFloats(v[2:])), float64(want), "k(%v)", v)
	})
}

// xorPoints returns the exclusive or.
func xorPoints() (xs [][]float64, ys []float64) {
	return [][]float64{{-1, -1}, {-1, 1}, {1, -1}, {1, 1}}, []float64{-1, 1, 1, -1}
}

// D4: φ(x) = (x₁², √2 x₁x₂, x₂², √2 x₁, √2 x₂, 1) ⇒ (1 + x·z)²; it makes XOR linearly separable
// (look at coordinates √2x₁ and √2x₁x₂).
func TestD4XOR(t *testing.T) {
	k := Polynomial{Degree: 2, Coef: 1}
	phi := k.FeatureMap(2)
	kernelGrid(kernelRange(4, 2, -1), func(v []int64) {
		x1, x2, z1, z2 := v[0], v[1], v[2], v[3]
		want := kernelIntPow(1+x1*z1+x2*z2, 2)
		got := (x1*x1)*(z1*z1) + 2*(x1*x2)*(z1*z2) + (x2*x2)*(z2*z2) + 2*x1*z1 + 2*x2*z2 + 1
		equal(t, got, want, "Σ factor² monomial(x) monomial(z) at %v", v)
		x, r := kernelFloats(v[:2]), math.Sqrt2
		equal(t, phi(x), []float64{x[0] * x[0], r * x[0] * x[1], x[1] * x[1], r * x[0], r * x[1], 1}, "φ(%v)", x)
		equal(t, k.Eval(x, kernelFloats(v[2:])), float64(want), "k(%v)", v)
	})
	var sum, sumX1, sumX2 float64
	xs, ys := xorPoints()
	for i, x := range xs {
		y := ys[i]
		sum, sumX1, sumX2 = sum+y, sumX1+y*x[0], sumX2+y*x[1]
		equal(t, math.Abs(phi(x)[3]), math.Sqrt2, "|√2x₁| of %v", x)
		equal(t, phi(x)[1], -y*math.Sqrt2, "√2x₁x₂ of %v", x)
	}
	// No line separates XOR: Σ yᵢ(w·xᵢ + b) = w·Σyᵢxᵢ + bΣyᵢ = 0 for every w and b, so not all four terms are positive.
	check(t, sum == 0 && sumX1 == 0 && sumX2 == 0, "Σyᵢ = %v, Σyᵢxᵢ = (%v, %v), want 0", sum, sumX1, sumX2)
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
			all, top := Polynomial{p, 2, 3}.FeatureMap(d)(x), Polynomial{p, 2, 0}.FeatureMap(d)(x)
			equal(t, len(all), choose(d+p, p), "d = %d, p = %d, c > 0: coordinates == C(d+p, p)", d, p)
			equal(t, len(top), choose(d+p-1, p), "d = %d, p = %d, c = 0: coordinates == C(d+p−1, p)", d, p)
		}
	}
	rng := kernelRand(5)
	for _, k := range []Polynomial{{}, {1, 0, 2}, {4, 0.3, 0.7}, {7, 0.5, 1}} {
		for d := 1; d <= 5; d++ {
			x, z := normal(rng, d), normal(rng, d)
			phi := k.FeatureMap(d)
			px, pz := phi(x), phi(z)
			// ‖φ(x)‖‖φ(z)‖, which bounds Σ |φⱼ(x)φⱼ(z)|, is the scale of the rounding.
			scale := math.Sqrt(k.Eval(x, x) * k.Eval(z, z))
			about(t, Dot(px, pz), k.Eval(x, z), 100*machineEps*scale, "%+v: φ(x)·φ(z) == k(x, z)", k)
		}
	}
	phi := Polynomial{Degree: 2, Coef: 1}.FeatureMap(200)
	inputs := [][]float64{constant(200, 1), constant(200, 2)}
	want := mapped(inputs, phi)
	parallel(8, 400, func(i int) {
		check(t, slices.Equal(phi(inputs[i%2]), want[i%2]), "φ(%v …) beside other calls", inputs[i%2][0])
	})
}

func testD5Identity(t *testing.T, d, p int) {
	exponents := kernelExponents(d, 0, p)
	weight := mapped(exponents, func(e []int64) int64 { return kernelMultinomial(p, e) })
	// With M_e = p!/(e!(p−|e|)!), Σ M_e c^(p−|e|) γ^|e| xᵉzᵉ = (c + γ x·z)ᵖ. Degree p in each of xᵢ, zᵢ, c, γ.
	kernelGrid(kernelRange(2*d+2, p, 0), func(v []int64) {
		x, z, c, gamma := v[:d], v[d:2*d], v[2*d], v[2*d+1]
		got, want := int64(0), kernelIntPow(c+gamma*kernelDot(x, z), p)
		for j, e := range exponents {
			n := kernelDegree(e)
			got += weight[j] * kernelIntPow(c, p-n) * kernelIntPow(gamma, n) * kernelMonomial(x, e) * kernelMonomial(z, e)
		}
		equal(t, got, want, "Σ at %v == (c + γ x·z)ᵖ", v)
		if c > 0 && gamma > 0 { // 0 would mean 1
			k := Polynomial{p, float64(gamma), float64(c)}
			equal(t, k.Eval(kernelFloats(x), kernelFloats(z)), float64(want), "%+v.Eval at %v", k, v)
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
					about(t, math.Copysign(got*got, got*float64(m)), square, 8*machineEps*square,
						"c = %d, γ = %d: squared coordinate %v of φ(%v), < 0 if it has not the monomial's sign", c, gamma, e, x)
				}
			})
		}
	}
}

// D6: the all-products map [1, xᵢ, xᵢxⱼ, xᵢxⱼxₖ] (1 + d + d² + d³ coordinates) ⇒ 1 + x·z + (x·z)² + (x·z)³: time d
// instead of d³.
func TestD6AllProducts(t *testing.T) {
	for d := 1; d <= 3; d++ {
		// Degree 3 in each variable; small integers are exact in float64, so this proves the identity of the code itself.
		kernelGrid(kernelRange(2*d, 3, -1), func(v []int64) {
			x, z := kernelFloats(v[:d]), kernelFloats(v[d:])
			s := kernelDot(v[:d], v[d:])
			want := float64(1 + s + s*s + s*s*s)
			equal(t, Dot(AllProducts{}.FeatureMap(x), AllProducts{}.FeatureMap(z)), want, "φ(x)·φ(z) at %v", v)
			equal(t, AllProducts{}.Eval(x, z), want, "k(x, z) at %v", v)
		})
	}
	x := []float64{2, 3}
	want := []float64{1, 2, 3, 4, 6, 6, 9, 8, 12, 12, 18, 12, 18, 18, 27}
	equal(t, (AllProducts{}).FeatureMap(x), want, "φ(%v)", x)
	for d := range 8 {
		equal(t, len(AllProducts{}.FeatureMap(make([]float64, d))), 1+d+d*d+d*d*d, "d = %d: coordinates", d)
	}
	long, s := constant(100_000, 0x1p-8), 100_000*0x1p-16 // with 10¹⁵ features
	equal(t, (AllProducts{}).Eval(long, long), 1+s*(1+s*(1+s)), "1 + s + s² + s³")
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
				x, z := normal(rng, d), normal(rng, d)
				r := 0.0
				for i := range x {
					r = math.Hypot(r, x[i]-z[i])
				}
				got, want := test.k.Eval(x, z), test.of(r)
				// One ulp in each of d steps to r makes 2d in r², and 2d times |exponent| in the exponential.
				tol := 4 + 2*float64(d)*math.Abs(math.Log(want))
				about(t, got, want, tol*machineEps*want, "γ = %s, σ = %v: k at distance %v", test.name, sigma, r)
				about(t, test.k.Of(Dot(x, z), norm2(x), norm2(z)), got, 8*float64(d)*test.k.Gamma*machineEps*(1+norm2(x)+norm2(z)),
					"γ = %s: Of == Eval", test.name)
				check(t, 0 < got && got <= 1 && test.k.Eval(x, x) == 1 && test.k.Of(norm2(x), norm2(x), norm2(x)) == 1,
					"γ = %s: k(x, z) = %v, k(x, x) = %v, want in (0, 1] and 1", test.name, got, test.k.Eval(x, x))
			}
		}
		// Entries of rows are at most 1, even where rounding makes ‖x − z‖² negative.
		for i := range 300 {
			a := float64(i) / 100
			xs := [][]float64{{a, 0.4, 0.8, 1}, {math.Nextafter(a, 9), 0.4, 0.8, 1}, {0, 0, 0, 0}}
			for _, v := range rowOf(GramOf(Kernel[[]float64](Gaussian(sigma)), xs).Open(), 1, 0, 3) {
				check(t, 0 < v && v <= 1, "σ = %v, row of points near %v: k = %v, want in (0, 1]", sigma, a, v)
			}
		}
		// With the constant factor 1/(σ√(2π)) it is the normal density: its integral is 1. The trapezoidal rule of step
		// σ/4 is exact to e^(−2π²·16) there, and beyond 9σ there is less than 1e-18.
		density := Scale(1/(sigma*math.Sqrt(2*math.Pi)), Kernel[[]float64](Gaussian(sigma)))
		integral := 0.0
		for i := -36; i <= 36; i++ {
			integral += density.Eval([]float64{sigma * float64(i) / 4}, []float64{0}) * sigma / 4
		}
		about(t, integral, 1, 100*machineEps, "σ = %v: the integral of the density", sigma)
	}
	equal(t, (RBF{}).Eval([]float64{1}, []float64{2}), math.Exp(-1), "RBF{}.Eval at distance 1 == e^−1")
	// Far from the origin, where ‖x‖² + ‖z‖² − 2x·z has lost every digit.
	far := (RBF{0.5}).Eval([]float64{1e8, -1e8}, []float64{1e8 + 1, -1e8})
	equal(t, far, math.Exp(-0.5), "RBF{0.5}.Eval of points near 1e8 at distance 1")
	// 1e200 makes γ underflow to 0, which would mean 1.
	for _, sigma := range []float64{0, math.Inf(1), math.NaN(), 1e200, 1e-200} {
		check(t, panics(func() { Gaussian(sigma) }) != "" && panics(func() { GaussianSquare(sigma) }) != "",
			"Gaussian(%v) and GaussianSquare of it do not both panic", sigma)
	}
	for name, f := range map[string]func(float64) RBF{"Gaussian": Gaussian, "GaussianSquare": GaussianSquare, "GaussianInverse": GaussianInverse} {
		check(t, strings.Contains(panics(func() { f(-1) }), "width -1"), "%s(-1) does not panic", name)
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

// D8: Gaussian = e^{−γ‖x‖²} e^{−γ‖z‖²} e^{2γx·z}; the Taylor series of the last factor is an explicit map,
// infinite-dimensional; truncated at degree p its error is bounded, and falls, as the theory says.
func TestD8Taylor(t *testing.T) {
	// Values are sums of at most a few hundred products, of which the absolute values have a sum of at most 1.
	const noise = 64
	rng := kernelRand(8)
	equal(t, RBF{10}.FeatureMap(1, 2)([]float64{1e308}), make([]float64, 3), "φ of a point far away")
	for pair := range 300 {
		d := 1 + pair%3
		k := RBF{Gamma: []float64{0, 0.1, 0.7, 2}[pair%4]}
		gamma := cmp.Or(k.Gamma, 1)
		x, z := normal(rng, d), normal(rng, d)
		xz, xx, zz := Dot(x, z), norm2(x), norm2(z)
		u := 2 * gamma * xz
		factors := math.Exp(-gamma*xx) * math.Exp(-gamma*zz)
		product := factors * math.Exp(u)
		tol := noise * machineEps * (1 + gamma*(xx+zz)) * product
		about(t, k.Eval(x, z), product, tol, "γ = %v: k(%v, %v) == the product of factors", gamma, x, z)
		last := math.Inf(1)
		for p := range 16 {
			phi := k.FeatureMap(d, p)
			px, pz := phi(x), phi(z)
			got, tail, bound := k.Eval(x, z)-Dot(px, pz), factors*kernelTail(u, p), k.TruncationBound(p, xz, xx, zz)
			about(t, got, tail, noise*machineEps, "γ = %v, p = %d, 2γx·z = %v: error == the rest of the series", gamma, p, u)
			// For the rounding of exponents up to γ(‖x‖² + ‖z‖²) + 16 log|u| in the bound.
			const slack = 1 + 0x1p-40
			// If u > 0 the first term left out is e^−u of the bound, and the others add to it. If u < 0 it is the
			// bound, and the second takes |u|/(p+2) of it away, at most.
			least := bound * math.Exp(-u)
			if u < 0 {
				least = bound * (1 + u/float64(p+2))
			}
			check(t, least <= math.Abs(tail)*slack && math.Abs(tail) <= bound*slack,
				"γ = %v, p = %d, 2γx·z = %v: error %v, bound %v, want an error of at least %v", gamma, p, u, tail, bound, least)
			check(t, u <= 0 && float64(p) < math.Abs(u) || math.Abs(tail) <= last,
				"γ = %v, 2γx·z = %v: error rises from %v to %v at p = %d", gamma, u, last, math.Abs(tail), p)
			last = math.Abs(tail)
			// The bound is largest for points of the same length and direction.
			r2 := max(xx, zz)
			atMost(t, bound, k.TruncationBound(p, r2, r2, r2)*slack, "γ = %v, p = %d: bound <= the ball's", gamma, p)
		}
	}
	// Infinite-dimensional: n points far apart have a Gram matrix of rank n, for every n.
	for _, n := range []int{1, 10, 100} {
		xs := build(n, func(i int) []float64 { return []float64{10 * float64(i)} })
		least, _ := CheckPSD(GramMatrix(RBF{1}, xs))
		check(t, least > 0.99, "n = %d: least eigenvalue %v, want rank n", n, least)
	}
	// Nearly tight: as u → 0 the first omitted term is nearly all of the error.
	k, x, z := RBF{1}, []float64{0.05}, []float64{0.1}
	phi := k.FeatureMap(1, 1)
	got, bound := k.Eval(x, z)-phi(x)[0]*phi(z)[0]-phi(x)[1]*phi(z)[1], k.TruncationBound(1, 0.005, 0.0025, 0.01)
	check(t, got <= bound && got >= 0.99*bound, "error %v, bound %v: want between 99 %% and all of it", got, bound)
	// In the ball of radius R: (2γR²)ᵖ⁺¹/(p+1)!, here 6³/3!.
	about(t, (RBF{3}).TruncationBound(2, 1, 1, 1), 36, 32*machineEps*36, "bound in the unit ball, γ = 3, degree 2")
	about(t, (RBF{1}).TruncationBound(3, 1e16, 1e16, 1e16), 2e64/3, 1e-12*2e64, "bound of equal points far out")
	equal(t, (RBF{1e300}).TruncationBound(2, 1e10, 1e10, 1e10), math.Inf(1), "bound that overflows")
	equal(t, (RBF{1e300}).TruncationBound(2, 1e10, 1e10, 2e10), 0, "bound that underflows")
	about(t, (RBF{3e-308}).TruncationBound(2, 1e308, 1e308, 1e308), 36, 1e-10, "bound of squares whose sum overflows")
	equal(t, panics(func() { RBF{1e308}.FeatureMap(1, 1) }), "svm: RBF has no feature map with Gamma 1e+308", "2γ overflows")
	// Far out, and at the highest degree: 2γ‖x‖² = 81, and the bound is e^−81 81¹⁷¹/171! < 1e-17.
	for _, gamma := range []float64{1e-6, 0.5, 1e6} {
		far := (RBF{gamma}).FeatureMap(1, 170)([]float64{9 / math.Sqrt(2*gamma)})
		equal(t, len(far), 171, "γ = %v: coordinates", gamma)
		about(t, norm2(far), 1, 1000*machineEps, "γ = %v: ‖φ(x)‖²", gamma) // exponents of 81
	}
	// 1e200 has monomials that overflow, times an exponential that underflows.
	equal(t, (RBF{1}).FeatureMap(2, 3)([]float64{1e200, -1e200}), make([]float64, 10), "φ of a point far out")
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
		equal(t, (Linear{}).Eval(x, z), sum, "Linear.Eval(%v, %v)", x, z)
		want := 0.0
		if sum != 0 {
			want = sum / sumX / sumZ
		}
		got := Cosine{}.Eval(x, z)
		about(t, got, want, (8+float64(d))*machineEps, "Cosine.Eval(%v, %v)", x, z)
		check(t, 0 <= got && got <= 1, "Cosine.Eval(%v, %v) = %v, want it in [0, 1]", x, z, got)
		for _, size := range []float64{1, 3, 1.1e-150, 0.9e150} { // whose fourth powers over- and underflow
			x, z := times(x, constant(len(x), size)), times(x, constant(len(x), 3*size))
			same := (Cosine{}).Eval(x, z)
			check(t, sumX == 0 || 1-4*machineEps <= same && same <= 1, "Cosine.Eval(%v, %v) = %v, want 1", x, z, same)
			equal(t, (Cosine{}).Eval(x, times(x, constant(len(x), -1))), -(Cosine{}).Eval(x, x), "Cosine.Eval(x, -x)")
		}
		equal(t, (Cosine{}).Eval(x, times(z, constant(len(z), 8))), got, "Cosine.Eval(x, 8z) == Cosine.Eval(x, z)") // 8 does not round
	}
	// An inner product that no kernel has is not made to look like one; one that rounding took beyond 1 is.
	for xz, want := range map[float64]float64{1.5: 1.5, -1.5: -1.5, 1 + machineEps: 1} {
		equal(t, (Cosine{}).Of(xz, 1, 1), want, "Cosine.Of(%v, 1, 1)", xz)
	}
	for _, n := range []int{100, 1000, 10000} {
		equal(t, (Cosine{}).Eval(constant(n, 999983), constant(n, 3*999983)), 1, "the cosine of two parallel vectors of %d counts", n)
	}
	check(t, math.IsNaN((Cosine{}).Of(1, -1, 1)), "a negative square has the cosine %v, want NaN", (Cosine{}).Of(1, -1, 1))
	for _, z := range [][]float64{{0, 0}, {1, 2}} {
		equal(t, (Cosine{}).Eval([]float64{0, 0}, z), 0, "Cosine.Eval(0, %v)", z)
		// A square that is subnormal has too few digits, one that overflows none.
		for _, k := range []Kernel[[]float64]{Cosine{}, Normalize(Kernel[[]float64](Linear{}))} {
			equal(t, k.Eval([]float64{1e-161, 1e-161}, z), 0, "%T of a short vector and %v", k, z)
			if z[0] != 0 {
				huge, other := k.Eval([]float64{1e154, 1e154}, z), k.Eval(z, []float64{1e154, 1e154})
				check(t, math.IsNaN(huge) && math.IsNaN(other), "%T of a huge vector and %v = %v, %v, want NaN", k, z, huge, other)
			}
		}
	}

	// Terms:                the cat dog sat fish
	corpus := [][]float64{{2, 1, 0, 1, 0}, {1, 0, 3, 1, 0}, {1, 0, 0, 0, 0}}
	weight := TFIDF(corpus)
	want := []float64{0, math.Log(3), 3 * math.Log(3), 2 * math.Log(1.5), 0}
	equal(t, weight([]float64{5, 1, 3, 2, 7}), want, "tf–idf")
	k := Pullback(Kernel[[]float64](Cosine{}), weight)
	equal(t, k.Eval([]float64{1, 1, 0, 0, 0}, []float64{1, 0, 1, 0, 0}), 0, "documents that share only a word of all documents")
	l3, l15 := math.Log(3), math.Log(1.5)
	cosine := l15 * l15 / math.Sqrt((l3*l3+l15*l15)*(9*l3*l3+l15*l15))
	about(t, k.Eval(corpus[0], corpus[1]), cosine, 8*machineEps, "weighted cosine of documents 0 and 1")
	check(t, panics(func() { weight([]float64{1}) }) != "", "tf–idf of a document of the wrong length does not panic")
	doc := Sparse{[]int32{1, 4}, []float64{2, 3}}
	check(t, &TFIDFSparse([]Sparse{doc, {}})(doc).Index[0] == &doc.Index[0], "TFIDFSparse: the result does not share the Index")
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
	sum := 0.0
	for _, s := range slices.Sorted(maps.Keys(cx)) {
		sum += math.Pow(w, float64(len(s))) * cx[s] * cz[s]
	}
	return sum
}

// D10: string kernel Σₛ wₛ #ₛ(x) #ₛ(z) over *all* substrings s, in time O(|x| + |z|) (suffix automaton or tree), equal
// to the quadratic brute force.
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
			about(t, got, want, tol*machineEps*want, "Substring{%v}.Eval(%q, %q)", decay, p.x, p.z)
			about(t, back, want, tol*machineEps*want, "Substring{%v}.Eval(%q, %q)", decay, p.z, p.x)
		}
	}
	equal(t, (Substring{}).Eval("ab", "ab"), 3, "Substring{}.Eval(ab, ab)") // a, b, ab
	// A weight of 10 overflows on 400 common bytes, and must not turn into 0·∞ or ∞ − ∞ on fewer.
	long := strings.Repeat("a", 400)
	equal(t, (Substring{10}).Eval(long, long), math.Inf(1), "Substring{10}.Eval(a⁴⁰⁰, a⁴⁰⁰)")
	equal(t, (Substring{10}).Eval(long, "aa"), 400*2*10+399*100, "Substring{10}.Eval(a⁴⁰⁰, aa)")
	got, least := (Substring{0x1p-10}).Eval(long, long), 160000*0x1p-10
	check(t, got > least && got < least*1.01, "Substring{2⁻¹⁰}.Eval(a⁴⁰⁰, a⁴⁰⁰) = %v, want a little more than %v", got, least)
	const n = 200_000 // too many for quadratic time
	long = strings.Repeat("a", n)
	equal(t, (Substring{}).Eval(long, long), float64(n)*(n+1)*(2*n+1)/6, "Substring{}.Eval(aⁿ, aⁿ) == Σₗ (n − l + 1)²")

	before, fibonacci := "a", "ab"
	for len(fibonacci) < 2000 {
		before, fibonacci = fibonacci, fibonacci+before
	}
	for _, x := range []string{
		"a", "ab", strings.Repeat("a", 2000), strings.Repeat("ab", 1000), strings.Repeat("abb", 700),
		"a" + strings.Repeat("b", 1999), "a" + strings.Repeat("b", 1000) + "c", fibonacci,
		kernelString(rng, 3000, 2), kernelString(rng, 3000, 256),
	} {
		a, n := newAutomaton(x, 1), len(x)
		// edges[0] is no edge: the index 0 ends lists. Time is proportional to states and edges.
		check(t, len(a.states) <= 2*n && len(a.edges) <= 3*n+1,
			"%.10q…: %d states and %d edges for %d bytes, want at most 2 and 3 times as many", x, len(a.states), len(a.edges)-1, n)
		// Every occurrence of every substring is counted once: n(n+1)/2 of them.
		occurrences := 0.0
		for _, s := range a.states[1:] {
			occurrences += s.occ * float64(s.length-a.states[s.link].length)
		}
		equal(t, occurrences, float64(n)*float64(n+1)/2, "%.10q…: occurrences of substrings", x)
	}
}

// D11, D13: the Gram matrix of a kernel that has another kernel for its inner product is what Eval gives, to the last
// digit, but takes only one value of the other kernel for each pair of points.
func TestD11GramMatrix(t *testing.T) {
	words := []string{"", "ab", "abab", "ba", "bb", "abba"}
	inner := Substring{}.Eval
	cosine := Normalize(Kernel[string](Substring{}))
	for _, k := range []Kernel[string]{
		cosine, Normalize(cosine), Over(RBF{0.1}, inner), Over(Polynomial{Degree: 2, Coef: 1}, cosine.Eval),
		Scale(3, cosine), Sum(cosine, Substring{}, cosine), Product(Substring{}, Sum(cosine, Scale(0.1, cosine))),
		Pullback(cosine, strings.ToUpper), Normalize(Pullback(Sum(cosine, Substring{}), strings.ToUpper)),
	} {
		m := GramMatrix(k, words)
		for i, x := range words {
			for j, z := range words {
				equal(t, m.At(i, j), k.Eval(words[min(i, j)], words[max(i, j)]), "%T of %q and %q", k, x, z)
			}
		}
	}
	// Six words have 21 pairs and six images, whatever the kernel is made of.
	var calls, images atomic.Int64
	counted := Over(Cosine{}, func(x, z string) float64 { calls.Add(1); return inner(x, z) })
	upper := func(s string) string { images.Add(1); return strings.ToUpper(s) }
	for _, k := range []Kernel[string]{counted, Scale(2, counted), Pullback(counted, upper), Scale(2, Pullback(counted, upper))} {
		for name, f := range map[string]func(){
			"GramMatrix":  func() { GramMatrix(k, words) },
			"KernelRidge": func() { must(KernelRidge(words, make([]float64, 6), k, 1)) },
		} {
			calls.Store(0)
			images.Store(0)
			f()
			equal(t, calls.Load(), 21, "%s, %T: values of the inner product", name, k)
			check(t, images.Load() == 0 || images.Load() == 6, "%s, %T: %d images of six words", name, k, images.Load())
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
	metric := func(x, z []float64) float64 { return Dot(x, matVec(a, z)) } // xᵀLᵀLz
	move := func(x []float64) []float64 { return matVec(l, x) }
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
			x, z := normal(rng, d), normal(rng, d)
			z[rng.IntN(d)] = 0
			for _, test := range []struct {
				name      string
				got, want float64
				xx, zz    float64
			}{
				{"metric", Over(k, metric).Eval(x, z), k.Eval(move(x), move(z)), metric(x, x), metric(z, z)},
				{"sparse", Over(k, sparseDot).Eval(bag(x), bag(z)), k.Eval(x, z), norm2(x), norm2(z)},
				{"kernel", Over(k, poly.Eval).Eval(x, z), k.Eval(phi(x), phi(z)), poly.Eval(x, x), poly.Eval(z, z)},
			} {
				// |dk/d(x·z)| ≤ 3(1 + s)² for all of these, s = ‖x‖‖z‖ ≤ (xx + zz)/2, and inner products are off by
				// rounding errors of xx + zz.
				s := 1 + test.xx + test.zz
				about(t, test.got, test.want, 100*machineEps*s*s*s, "%T over %s", k, test.name)
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
			x, z, y := normal(rng, 3), normal(rng, 3), normal(rng, 3)
			got, want := Distance(test.k, x, z), squares(test.phi(x), test.phi(z))
			scale := test.k.Eval(x, x) + test.k.Eval(z, z)
			about(t, got*got, want, 100*machineEps*scale, "%s: Distance² == ‖φ(x) − φ(z)‖²", test.name)
			// The triangle inequality, in feature space.
			atMost(t, got, (Distance(test.k, x, y)+Distance(test.k, y, z))*(1+0x1p-40), "%s: Distance(x, z)", test.name)
			equal(t, Distance(test.k, x, x), 0, "%s: Distance(x, x)", test.name)
		}
		for i := range 300 { // neighbours: k(x, x) + k(z, z) − 2k(x, z) may be rounded below 0
			a := float64(i) / 100
			d := Distance(test.k, []float64{a, 0, 0}, []float64{math.Nextafter(a, 9), 0, 0})
			check(t, d >= 0 && d < 1e-5, "%s: Distance of neighbours %v = %v", test.name, a, d) // k is below 10⁴, and √(10⁴ε) 10⁻⁶
		}
	}
	// Strings "ab" and "b" have the features a, b, ab: (1, 1, 1) and (0, 1, 0).
	equal(t, Distance(Kernel[string](Substring{}), "ab", "b"), math.Sqrt2, "Distance(ab, b)")
}

// kernelPSD reports whether k is positive semidefinite, up to a rounding error of its trace.
func kernelPSD(k *Matrix) bool {
	least, _ := CheckPSD(k)
	return least >= -0x1p-46*laTrace(k)
}

// gramPSD checks that a Gram matrix is positive semidefinite.
func gramPSD(t *testing.T, k *Matrix, name string) {
	t.Helper()
	check(t, kernelPSD(k), "%s: the Gram matrix %v has a negative eigenvalue", name, k)
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
	scale := func(c float64, x []float64) []float64 { return times(x, constant(len(x), c)) }
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
				px, pz := test.phi(x), test.phi(z)
				about(t, test.k.Eval(x, z), Dot(px, pz), 100*machineEps*norm(px)*norm(pz), "%s: k(x, z) == φ(x)·φ(z)", test.name)
			}
		}
		xs = append(xs, xs[0]) // a singular matrix, too
		gramPSD(t, GramMatrix(test.k, xs), test.name)
	}
	words := []string{"", "a", "kernel", "kernels", "colonel", "kern\x00el", "lenrek"}
	text := Normalize(Kernel[string](Substring{0.7}))
	m := GramMatrix(text, words)
	gramPSD(t, m, "normalised substrings")
	for i := range words {
		want := 1.0
		if words[i] == "" {
			want = 0
		}
		about(t, m.At(i, i), want, 4*machineEps, "normalised k(%q, itself)", words[i])
	}
	for _, c := range []float64{-1, math.NaN(), math.Inf(1)} {
		check(t, panics(func() { Scale(c, lin) }) != "", "Scale(%v, k) does not panic", c)
	}
	// A combination keeps a list of its own.
	list := []Kernel[vectors]{lin, lin}
	sum := Sum(list...)
	list[0] = rbf
	equal(t, sum.Eval([]float64{2}, []float64{3}), 12, "2x·z after the caller's slice changed")
}

// kernelAll has all the kernels of vectors.
func kernelAll() map[string]Kernel[[]float64] {
	f := func(x []float64) []float64 { return slices.Concat(x, times(x, x), mapped(x, math.Sin)) }
	image := Pullback(RBF{0.3}, f)
	return map[string]Kernel[[]float64]{
		"linear": Linear{}, "polynomial": Polynomial{Gamma: 0.5, Coef: 1}, "gaussian": RBF{0.2}, "cosine": Cosine{},
		"products": AllProducts{}, "sum": Sum[[]float64](Linear{}, RBF{}), "over": Over(RBF{0.1}, Polynomial{Degree: 2}.Eval),
		"image": image, "scaled image": Scale(3, image), "sum with an image": Sum(image, Linear{}),
		"normalised image": Normalize(image), "image of an image": Pullback(image, slices.Clone[[]float64]),
		"image, polynomial": Pullback(Polynomial{Degree: 3, Coef: 0.1}, f),
	}
}

// D14: Gram matrices are symmetric; K = ΦΦᵀ ⇒ zᵀKz = Σₖ(Σᵢ zᵢφₖ(xᵢ))² ≥ 0. Mercer: valid ⇔ every Gram matrix is PSD. A
// similarity that is not (sigmoid): a witness z with zᵀKz < 0. And GramMatrix has the values of Eval, to the bit, also
// with a Pullback deep in the kernel, where GramOf expands distances.
func TestD14Mercer(t *testing.T) {
	// Two points, two features: degree 2 in each z and each feature. Float64 is exact on small integers.
	kernelGrid(kernelRange(6, 2, -1), func(v []int64) {
		z, phi := v[:2], [][]float64{kernelFloats(v[2:4]), kernelFloats(v[4:])}
		want := 0.0
		for i := range 2 {
			s := float64(z[0])*phi[0][i] + float64(z[1])*phi[1][i]
			want += s * s
		}
		equal(t, quadratic(GramMatrix(Linear{}, phi), kernelFloats(z)), want, "zᵀKz at %v == Σₖ(Σᵢ zᵢφₖ)²", v)
	})
	rng := kernelRand(14)
	xs := kernelIntegers(rng, 20, 5)
	phi, k := MatrixFromRows(xs), GramMatrix(Linear{}, xs)
	for range 50 {
		z := kernelIntegers(rng, 1, 20)[0]
		equal(t, quadratic(k, z), norm2(matVec(phi.T(), z)), "zᵀKz == ‖Φᵀz‖²")
	}
	for name, k := range kernelAll() {
		xs := kernelVectors(rng, 25, 3)
		m := GramMatrix(k, xs)
		gramPSD(t, m, name)
		for i, x := range xs {
			for j, z := range xs {
				equal(t, m.At(i, j), m.At(j, i), "%s: K(%d, %d) == exchanged", name, i, j)
				equal(t, m.At(i, j), k.Eval(xs[min(i, j)], xs[max(i, j)]), "%s: K(%d, %d) == k", name, i, j)
				about(t, k.Eval(x, z), k.Eval(z, x), 16*machineEps*(m.At(i, i)+m.At(j, j)), "%s: k(%v, %v) == exchanged", name, x, z)
			}
		}
		expanded := name != "image" || !slices.Equal(rowOf(GramOf(k, xs).Open(), 0, 0, len(xs)), m.Row(0))
		check(t, expanded, "%s: GramOf has the same bits: the test is void", name)
	}
	// tanh(1)tanh(4) < tanh(2)²: a determinant below 0.
	sigmoid := GramMatrix(Sigmoid{}, [][]float64{{1}, {2}})
	least, z := CheckPSD(sigmoid)
	got := quadratic(sigmoid, z)
	check(t, got < -0.01, "sigmoid: zᵀKz = %v, want it negative", got)
	about(t, got, least, 16*machineEps, "sigmoid: zᵀKz == the least eigenvalue")
	about(t, norm2(z), 1, 16*machineEps, "sigmoid: ‖z‖²")
}

// D14: CheckPSD returns the least eigenvalue of the symmetric part of K, and a witness z for which zᵀKz is that.
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
		{"largest float64", [][]float64{{math.MaxFloat64}}, math.MaxFloat64},
	} {
		m := MatrixFromRows(test.rows)
		got, z := CheckPSD(m)
		const tol = 40 * machineEps // a few roundings of entries up to 5
		about(t, got, test.want, tol, "CheckPSD(%s)", test.name)
		about(t, quadratic(m, z), got, tol, "CheckPSD(%s): zᵀKz == its eigenvalue", test.name)
	}
	least, z := CheckPSD(NewMatrix(0, 0))
	check(t, least == 0 && z == nil, "CheckPSD of an empty matrix = %v, %v, want 0, nil", least, z)
}

// D14, D15, D19: K = VΛVᵀ ⇒ K = ZᵀZ with Z = Λ^½Vᵀ: features read off a Gram matrix. X = USVᵀ ⇒ XXᵀ = US²Uᵀ, XᵀX = VS²Vᵀ.
func TestD15GramFeatures(t *testing.T) {
	rng := kernelRand(15)
	for _, test := range []struct{ n, d int }{{1, 1}, {2, 1}, {8, 3}, {5, 5}, {6, 10}} {
		xs := kernelVectors(rng, test.n, test.d)
		x := MatrixFromRows(xs)
		k := GramMatrix(Linear{}, xs)
		z := must(GramFeatures(k))
		tol := 16 * float64(test.n+test.d) * machineEps * norm2(x.Data) // rounding of the decompositions, times the trace
		atMost(t, laDiff(z.T().Mul(z), k), tol, "n = %d, d = %d: ‖ZᵀZ − K‖", test.n, test.d)
		equal(t, z.Rows, min(test.n, test.d), "n = %d, d = %d: features == the rank", test.n, test.d)
		// ZZᵀ = Λ: the features are uncorrelated, the largest first.
		zz := z.Mul(z.T())
		lambda := build(zz.Rows, func(i int) float64 { return zz.At(i, i) })
		atMost(t, laDiff(zz, laDiag(lambda...)), tol, "n = %d, d = %d: entries of ZZᵀ off its diagonal", test.n, test.d)
		check(t, slices.IsSortedFunc(lambda, func(a, b float64) int { return cmp.Compare(b, a) }),
			"n = %d, d = %d: ‖rows of Z‖² = %v, want them descending", test.n, test.d, lambda)
		u, s, v := SVD(x)
		square := func(q *Matrix) *Matrix { // q diag(s²) qᵀ
			return laFill(q.Rows, q.Cols, func(i, j int) float64 { return q.At(i, j) * s[j] * s[j] }).Mul(q.T())
		}
		atMost(t, laDiff(square(u), x.Mul(x.T())), tol, "n = %d, d = %d: ‖US²Uᵀ − XXᵀ‖", test.n, test.d)
		atMost(t, laDiff(square(v), x.T().Mul(x)), tol, "n = %d, d = %d: ‖VS²Vᵀ − XᵀX‖", test.n, test.d)
		aboutAll(t, lambda, times(s, s), tol, "n = %d, d = %d: eigenvalues of K == squared singular values", test.n, test.d)
	}
	for _, test := range []struct {
		name string
		k    [][]float64
		want error
	}{
		{"indefinite", [][]float64{{1, 2}, {2, 1}}, ErrNotPositiveDefinite},
		{"negative", [][]float64{{-1}}, ErrNotPositiveDefinite},
		{"slightly indefinite", [][]float64{{1, 0}, {0, -1e-12}}, ErrNotPositiveDefinite},
		{"NaN", [][]float64{{1, math.NaN()}, {0, 1}}, ErrNotFinite},
		{"infinite", [][]float64{{math.Inf(1)}}, ErrNotFinite},
		{"an infinite eigenvalue", [][]float64{{1e308, 1e308}, {1e308, 1e308}}, ErrNotFinite},
	} {
		refused(t, errOf(GramFeatures(MatrixFromRows(test.k))), test.want, "", "GramFeatures(%s)", test.name)
	}
	equal(t, must(GramFeatures(NewMatrix(3, 3))), NewMatrix(0, 3), "GramFeatures(0)")
	equal(t, must(GramFeatures(laDiag(1, 20*machineEps))).Rows, 2, "features of diag(1, 20ε): rounding errors are below 18ε")
	equal(t, must(GramFeatures(laDiag(1, 16*machineEps))).Rows, 1, "features of diag(1, 16ε)")
	refused(t, errOf(GramFeatures(laDiag(1, -20*machineEps))), ErrNotPositiveDefinite, "", "GramFeatures(diag(1, −20ε))")
	lower := must(GramFeatures(qpRows([]float64{2, 99}, []float64{1, 2})))
	atMost(t, laDiff(lower.T().Mul(lower), qpRows([]float64{2, 1}, []float64{1, 2})), 1e-14, "GramFeatures of the lower triangle")
}

// D16: empirical kernel map φₙ(x) = (k(x₁,x), …, k(xₙ,x)): φₙ(x)ᵀφₙ(z) ≠ k(x,z), but φₙ(x)ᵀK⁻¹φₙ(z) = k(x,z) on the data.
func TestD16EmpiricalMap(t *testing.T) {
	// x₁ = (1, 0), x₂ = (1, 1): K = [1 1; 1 2], φₙ(x₁)·φₙ(x₂) = (1, 1)·(1, 2) = 3, and k(x₁, x₂) = 1.
	xs := [][]float64{{1, 0}, {1, 1}}
	phi := EmpiricalMap(Linear{}, xs)
	equal(t, mapped(xs, phi), [][]float64{{1, 1}, {1, 2}}, "φₙ of x₁, x₂")
	equal(t, Dot(phi(xs[0]), phi(xs[1])), 3, "φₙ(x₁)·φₙ(x₂)")
	equal(t, Linear{}.Eval(xs[0], xs[1]), 1, "k(x₁, x₂)")
	rng := kernelRand(16)
	for _, k := range []Kernel[[]float64]{RBF{1}, Polynomial{Coef: 1, Degree: 4}, Sum[[]float64](Linear{}, RBF{1})} {
		xs := kernelVectors(rng, 8, 3)
		m := GramMatrix(k, xs)
		u, phi := laFactor(m), EmpiricalMap(k, xs)
		whiten := func(x []float64) []float64 { // U⁻ᵀφₙ(x); K⁻¹ = U⁻¹U⁻ᵀ
			y := phi(x)
			u.solveT(y)
			return y
		}
		values, _ := SymEigen(m)
		condition := values[7] / values[0]
		for i, x := range xs {
			for j, z := range xs {
				got, want := Dot(whiten(x), whiten(z)), k.Eval(x, z)
				about(t, got, want, 16*math.Sqrt(condition)*machineEps*values[7], "%T: φₙᵀK⁻¹φₙ(%d, %d)", k, i, j)
			}
		}
	}
}

// D16: EmpiricalMap, and functions that are fitted to points, keep their own lists of them.
func TestEmpiricalMapCopies(t *testing.T) {
	type vectors = [][]float64
	type function = func(x []float64) float64
	for name, fit := range map[string]func(xs vectors) function{
		"KernelRidge":        func(xs vectors) function { return must(KernelRidge(xs, []float64{1, 2}, Linear{}, 1)).Eval },
		"KernelLeastSquares": func(xs vectors) function { return must(KernelLeastSquares(xs, []float64{1, 2}, Linear{}, 0.1, 3)).Eval },
		"Project": func(xs vectors) function {
			return must(Func[[]float64]{Linear{}, xs[:1], []float64{1}}.Project(xs)).Eval
		},
		"EmpiricalMap": func(xs vectors) function {
			phi := EmpiricalMap(Linear{}, xs)
			return func(x []float64) float64 { return norm2(phi(x)) }
		},
	} {
		xs := vectors{{1}, {2}}
		f := fit(xs)
		before := f([]float64{1})
		xs[0], xs[1] = []float64{99}, []float64{98}
		equal(t, f([]float64{1}), before, "%s: f(1)", name)
	}
}

// D16, D17: kernel PCA map K^{−½}φₙ: a feature map for k on the data (pseudo-inverse where K is singular).
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
		phi := must(KernelPCAMap(test.k, test.xs))
		k, root := GramMatrix(test.k, test.xs), MatrixFromRows(mapped(test.xs, phi))
		n, size := len(test.xs), laTrace(k)
		// Eigenvalues count as 0 below (n+16) rounding errors of the largest.
		atMost(t, laDiff(root.Mul(root.T()), k), 32*float64(n+16)*machineEps*size, "%s: |φ(xᵢ)·φ(xⱼ) − Kᵢⱼ|", test.name)
		// φ(xᵢ) = K^{−½}Keᵢ is column i of the symmetric root. An eigenvalue of rounding size ε has a root of 2⁻²⁶.
		atMost(t, laDiff(root, root.T()), 0x1p-26*math.Sqrt(size), "%s: ‖K^½ − its transpose‖, its rows φ(xᵢ)", test.name)
		if test.singular {
			continue
		}
		// Elsewhere φ(x)·φ(z) = φₙ(x)ᵀK⁻¹φₙ(z), here by Cholesky, and ‖φ(x)‖² ≤ k(x, x): a projection.
		upper, empirical := laFactor(k), EmpiricalMap(test.k, test.xs)
		values, _ := SymEigen(k)
		condition := values[n-1] / values[0]
		for range 10 {
			x, z := normal(rng, 3), normal(rng, 3)
			solved := empirical(z)
			upper.solve(solved)
			got, want := Dot(phi(x), phi(z)), Dot(empirical(x), solved)
			scale := math.Sqrt(test.k.Eval(x, x)*test.k.Eval(z, z)) + size
			about(t, got, want, 16*condition*machineEps*scale, "%s: φ(x)·φ(z) == φₙᵀK⁻¹φₙ", test.name)
			atMost(t, norm2(phi(x)), test.k.Eval(x, x)+16*condition*machineEps*scale, "%s: ‖φ(x)‖² <= k(x, x)", test.name)
		}
	}
	refused(t, errOf(KernelPCAMap(Sigmoid{}, [][]float64{{1}, {2}})), ErrNotPositiveDefinite, "", "KernelPCAMap(sigmoid)")
}

// D18: every method of a Func checks that it has a kernel, and one coefficient for each point, no more and no fewer.
func TestFuncWhole(t *testing.T) {
	xs := [][]float64{{1, 2}, {3, 4}}
	for _, c := range []struct {
		k    Kernel[[]float64]
		n    int // coefficients
		want string
	}{
		{Linear{}, 1, "svm: Func: 2 points and 1 coefficients"},
		{Linear{}, 3, "svm: Func: 2 points and 3 coefficients"},
		{RBF{}, 0, "svm: Func: 2 points and 0 coefficients"},
		{RBF{}, 3, "svm: Func: 2 points and 3 coefficients"},
		{nil, 2, "svm: the kernel is nil"},
	} {
		f := Func[[]float64]{c.k, xs, make([]float64, c.n)}
		m, one := &Model[[]float64]{Func: f}, Func[[]float64]{RBF{}, xs[:1], []float64{1}}
		for name, use := range map[string]func(){"Eval": func() { f.Eval(xs[0]) }, "Inner": func() { f.Inner(f) },
			"Inner, of another": func() { one.Inner(f) }, "Inner with another": func() { f.Inner(one) }, "Predict": func() { m.Predict(xs[0]) },
			"Add": func() { f.Add(one) }, "Add to another": func() { one.Add(f) }, "Scale": func() { f.Scale(2) },
			"DecisionAll": func() { m.DecisionAll(xs) }, "DecisionAll of nothing": func() { m.DecisionAll(nil) }} {
			equal(t, panics(use), c.want, "%T, %d coefficients: %s", c.k, c.n, name)
		}
		sparse := Func[Sparse]{OnSparse(Linear{}), sparseOf(xs, 1), f.Coef}
		if c.k == (Linear{}) {
			equal(t, panics(func() { sparse.Eval(Sparse{}) }), c.want, "of sparse points")
			equal(t, panics(func() { Explicit(m) }), c.want, "Explicit")
		}
	}
	equal(t, Func[[]float64]{}.Eval(xs[0]), 0, "of no points, without a kernel")
}

// D18: RKHS: f = Σ aᵢk(·,xᵢ), ⟨f,g⟩ = Σᵢⱼ aᵢbⱼk(xᵢ,zⱼ): symmetric, bilinear, ⟨f,f⟩ ≥ 0; reproducing ⟨k(·,x), g⟩ = g(x)
// and ⟨k(·,x), k(·,z)⟩ = k(x,z); Cauchy–Schwarz for k and for ⟨·,·⟩; ⟨·,·⟩ is itself a PD kernel.
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
			for name, v := range map[string][2]float64{
				"definition":         {f.Inner(g), double},
				"symmetric":          {f.Inner(g), g.Inner(f)},
				"additive":           {f.Add(g).Inner(h), f.Inner(h) + g.Inner(h)},
				"homogeneous":        {f.Scale(c).Inner(g), c * f.Inner(g)},
				"sum of values":      {f.Add(g).Eval(x), f.Eval(x) + g.Eval(x)},
				"multiple of values": {f.Scale(c).Eval(x), c * f.Eval(x)},
				"reproducing":        {section(x).Inner(g), g.Eval(x)},
				"reproducing, right": {g.Inner(section(x)), g.Eval(x)},
				"sections":           {section(x).Inner(section(z)), k.Eval(x, z)},
				"zero":               {function{}.Add(f).Inner(g), f.Inner(g)},
				"zero plus f at x":   {function{}.Add(f).Eval(x), f.Eval(x)},
				"f plus zero at x":   {f.Add(function{}).Eval(x), f.Eval(x)},
				"zero value":         {function{}.Inner(f) + f.Inner(function{}) + function{}.Eval(x) + function{}.Norm(), 0},
				// The same function, written with a point and its opposite coefficient more.
				"well defined": {f.Add(section(x)).Add(section(x).Scale(-1)).Inner(g), f.Inner(g)},
			} {
				equal(t, v[0], v[1], "%T: %s", k, name)
			}
			ff, gg, fg := f.Inner(f), g.Inner(g), f.Inner(g)
			check(t, ff >= 0 && fg*fg <= ff*gg && f.Norm() == math.Sqrt(ff),
				"%T: ⟨f,f⟩ = %v, ⟨g,g⟩ = %v, ⟨f,g⟩ = %v, ‖f‖ = %v", k, ff, gg, fg, f.Norm())
			cf, xz := f.Scale(c), k.Eval(x, z)
			equal(t, cf.Inner(f)*cf.Inner(f), cf.Inner(cf)*ff, "%T: ⟨cf,f⟩² at c = %v == ⟨cf,cf⟩⟨f,f⟩", k, c)
			atMost(t, xz*xz, k.Eval(x, x)*k.Eval(z, z), "%T: k(x,z)² <= k(x,x)k(z,z)", k)
		}
		gramPSD(t, GramMatrix(KernelFunc[function](function.Inner), family), fmt.Sprintf("%T, functions", k))
	}
	// Not parallel: strict. k(·,1) and k(·,2) for the Gaussian.
	f, g := function{RBF{1}, [][]float64{{1}}, []float64{1}}, function{RBF{1}, [][]float64{{2}}, []float64{1}}
	fg, most := f.Inner(g), f.Inner(f)*g.Inner(g)
	check(t, fg*fg < most, "⟨f,g⟩² = %v, want < %v", fg*fg, most)
	for i := range 300 { // where rounding makes ⟨f, f⟩ negative the norm is 0
		a := float64(i) / 100
		f := function{Polynomial{Degree: 2, Coef: 1}, [][]float64{{a}, {math.Nextafter(a, 9)}}, []float64{1, -1}}
		check(t, f.Norm() == math.Sqrt(max(0, f.Inner(f))), "‖f‖ = %v, ⟨f, f⟩ = %v", f.Norm(), f.Inner(f))
	}
}

// D19: representer theorem: a minimiser of F(⟨w,φ(x₁)⟩, …) + R(‖w‖) lies in the span of the φ(xᵢ); a component
// orthogonal to it changes no output and only lengthens w.
func TestD19Representer(t *testing.T) {
	rng := kernelRand(19)
	for _, test := range []struct {
		name string
		k    Kernel[[]float64]
		n    int
	}{
		{"gaussian", RBF{1}, 6}, {"polynomial", Polynomial{Degree: 4, Coef: 1}, 6}, {"linear, singular", Linear{}, 6},
		{"no points", RBF{1}, 0},
	} {
		xs := kernelVectors(rng, test.n, 2)
		w := Func[[]float64]{test.k, kernelVectors(rng, 9, 2), normal(rng, 9)}
		inside := must(w.Project(xs))
		outside := w.Add(inside.Scale(-1))
		// Coefficients are of the size ‖w‖/√λ for the least eigenvalue λ that counts.
		size := max(1+w.Inner(w)+norm2(inside.Coef), largest(squaresOf(test.k, xs))*norm2(inside.Coef))
		tol := 200 * machineEps * size
		aboutAll(t, mapped(xs, inside.Eval), mapped(xs, w.Eval), tol, "%s: outputs of the part in the span", test.name)
		about(t, inside.Inner(outside), 0, tol, "%s: the parts of w have inner product", test.name)
		about(t, inside.Inner(inside)+outside.Inner(outside), w.Inner(w), tol, "%s: ‖w₁‖² + ‖w₂‖² == ‖w‖²", test.name)
		check(t, inside.Norm() < w.Norm() || test.name == "linear, singular", // where the span is everything
			"%s: ‖w₁‖ = %v, want less than ‖w‖ = %v", test.name, inside.Norm(), w.Norm())
		if test.n == 0 {
			continue
		}
		// F a squared loss, R = λ‖w‖²: the minimiser has no part outside, and is better than any w that has.
		targets := normal(rng, test.n)
		best := must(KernelRidge(xs, targets, test.k, 0.5))
		objective := func(f Func[[]float64]) float64 { return squares(mapped(xs, f.Eval), targets) + 0.5*f.Inner(f) }
		at := objective(best)
		for _, step := range []float64{1e-2, 1, -1} {
			about(t, objective(best.Add(outside.Scale(step))), at+0.5*step*step*outside.Inner(outside), 1000*machineEps*(size+at),
				"%s: objective with %v times the outside part", test.name, step)
			got := objective(best.Add(w.Scale(step)))
			check(t, got > at, "%s: objective falls from %v to %v with a step %v", test.name, at, got, step)
		}
	}
	nan, sigmoid := Func[[]float64]{Linear{}, [][]float64{{1}}, []float64{math.NaN()}}, Func[[]float64]{Kernel: Sigmoid{}}
	refused(t, errOf(nan.Project([][]float64{{1}})), ErrNotFinite, "", "Project of NaN")
	faint := Func[[]float64]{Scale(1e-310, Kernel[[]float64](RBF{})), [][]float64{{0}, {1}}, []float64{1, 1}}
	refused(t, errOf(faint.Project(faint.Points)), ErrNotFinite, "coefficient 0", "Project where 1/eigenvalue overflows")
	refused(t, errOf(sigmoid.Project([][]float64{{1}, {2}})), ErrNotPositiveDefinite, "", "Project with a sigmoid")
}

// squares returns Σ(outputᵢ − targetᵢ)².
func squares(outputs, targets []float64) float64 { return norm2(minus(outputs, targets)) }

// F1: without λ (or with 10⁻³⁰⁰), n points in n − 1 dimensions have a singular K, and n − 1 points in n dimensions a
// singular ΦᵀΦ. Rounding may leave pivots that look regular. With n points in n dimensions K is regular.
func TestF1Singular(t *testing.T) {
	for _, n := range []int{3, 6, 11, 31} {
		for seed := range uint64(100) {
			rng := rand.New(rand.NewPCG(seed, uint64(n)))
			points := func(n, d int) [][]float64 { return build(n, func(int) []float64 { return normal(rng, d) }) }
			where := fmt.Sprintf("n = %d, seed %d", n, seed)
			refused(t, errOf(KernelRidge(points(n, n-1), normal(rng, n), Linear{}, 0)), ErrNotPositiveDefinite, "", "%s: KernelRidge", where)
			refused(t, errOf(Ridge(points(n-1, n), normal(rng, n-1), 1e-300)), ErrNotPositiveDefinite, "", "%s: Ridge", where)
			must(KernelRidge(points(n, n), normal(rng, n), Linear{}, 0))
		}
	}
}

// Inverse iteration finds the least eigenvalue of the matrix with its diagonal scaled to 1, or a little more than that.
func TestLeastEigenvalue(t *testing.T) {
	for n := range 30 {
		a := laPositive(uint64(n), n+1)
		diag := build(n+1, func(i int) float64 { return a.At(i, i) })
		unit := laFill(n+1, n+1, func(i, j int) float64 { return a.At(i, j) / math.Sqrt(diag[i]*diag[j]) })
		values, _ := SymEigen(unit)
		got := laFactor(a).least(diag)
		check(t, values[0]*(1-laEps(n+1)) <= got && got < 3*values[0], "n = %d: least = %v, want %v or a little more", n+1, got, values[0])
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
		xs, targets := kernelVectors(rng, test.n, 3), normal(rng, test.n)
		rows := mapped(xs, test.phi)
		phi := MatrixFromRows(rows)
		size := norm2(phi.Data)
		w := must(Ridge(rows, targets, test.lambda))
		f := must(KernelRidge(xs, targets, test.k, test.lambda))
		tol := 16 * machineEps * (1 + size/test.lambda) // the condition number
		aboutAll(t, matVec(phi.T(), f.Coef), w, tol*(1+norm(w)), "%s: Φᵀa == w", test.name)
		for _, x := range kernelVectors(rng, 5, 3) {
			px := test.phi(x)
			about(t, f.Eval(x), Dot(w, px), tol*(1+norm(w))*(1+norm(px)), "%s: f(x) == w·φ(x)", test.name)
		}
		// w is the minimum: the objective ‖Φw − t‖² + λ‖w‖² is a parabola along each axis, so its central difference
		// there is its derivative, and at ±h it exceeds the minimum by h² times ‖column‖² + λ.
		objective := func() float64 { return squares(matVec(phi, w), targets) + test.lambda*norm2(w) }
		for j := range w {
			about(t, slope(objective, &w[j], 1), 0, tol*(1+size+test.lambda)*(1+norm2(w)+norm2(targets)),
				"%s: derivative along w[%d]", test.name, j)
		}
		// (K + λI)a = t, entry by entry, and so f(xᵢ) = tᵢ − λaᵢ.
		want := slices.Clone(targets)
		axpy(want, -test.lambda, f.Coef)
		aboutAll(t, mapped(xs, f.Eval), want, 16*machineEps*(size+test.lambda)*(1+norm(f.Coef)), "%s: f(xᵢ) == t − λa", test.name)
	}
	// By hand: Φ = (1, 2)ᵀ, t = (1, 3), λ = 1: w = 7/6, a = [2 2; 2 5]⁻¹(1, 3) = (−1/6, 4/6).
	f := must(KernelRidge([][]float64{{1}, {2}}, []float64{1, 3}, Linear{}, 1))
	aboutAll(t, f.Coef, []float64{-1. / 6, 4. / 6}, 4*machineEps, "KernelRidge")
}

// F1: data without a solution, or without a unique or finite one, are refused.
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
		{"lambda NaN", [][]float64{{1}}, []float64{1}, nan, ErrNotFinite, "lambda is"},
		{"lambda +Inf", [][]float64{{1}}, []float64{1}, inf, ErrNotFinite, "lambda is"},
		{"lambda -Inf", [][]float64{{1}}, []float64{1}, -inf, ErrNotFinite, "lambda is"},
		{"lengths", [][]float64{{1}}, []float64{1, 2}, 1, nil, "2 targets"},
		{"ragged", [][]float64{{1}, {1, 2}}, []float64{1, 2}, 1, nil, "point 1"},
		{"NaN point", [][]float64{{1}, {nan}}, []float64{1, 2}, 1, ErrNotFinite, "point 1"},
		{"NaN target", [][]float64{{1}}, []float64{nan}, 1, ErrNotFinite, "target 0"},
		{"infinite target", [][]float64{{1}, {2}}, []float64{1, inf}, 1, ErrNotFinite, "target 1"},
		{"overflow", [][]float64{{1e200}, {1}}, []float64{1, 2}, 1, ErrNotFinite, "entry (0, 0)"},
		{"overflow with lambda", [][]float64{{1e154}}, []float64{1}, 1.75e308, ErrNotFinite, "entry (0, 0)"},
		{"huge solution", [][]float64{{1e-155}}, []float64{1e300}, 0, ErrNotFinite, "coefficient 0"},
		{"zero", [][]float64{{0}}, []float64{1}, 0, ErrNotPositiveDefinite, "row 0"},
		{"zeros", [][]float64{{0, 0}, {0, 0}}, []float64{1, 2}, 0, ErrNotPositiveDefinite, "row 0"},
	} {
		_, kernelErr := KernelRidge(test.xs, test.t, Linear{}, test.lambda)
		_, primalErr := Ridge(test.xs, test.t, test.lambda)
		refused(t, kernelErr, test.want, test.text, "KernelRidge, %s", test.name)
		refused(t, primalErr, test.want, test.text, "Ridge, %s", test.name)
	}
	// Singular with rounding errors in the pivots: three points on a line through the origin, in three directions.
	for _, step := range []float64{0.1, 0.3, 0.7} {
		xs := [][]float64{{step, 3 * step}, {0.9 * step, 2.7 * step}, {1 / step, 1.1}, {0.37, 0.11}}
		k, targets := Kernel[[]float64](Linear{}), []float64{1, 2, 3, 4}
		refused(t, errOf(KernelRidge(xs, targets, k, 0)), ErrNotPositiveDefinite, "", "KernelRidge, singular K, step %v", step)
		must(KernelRidge(xs, targets, k, 1e-6))
	}
	// What is singular does not depend on the units of the data or, in the primal, on those of each feature. Powers of
	// two for units change no rounding.
	for _, u := range [][2]float64{{0x1p-60, 0x1p-60}, {0x1p60, 0x1p60}, {0x1p-60, 0x1p60}} {
		regular := [][]float64{{3 * u[0], u[1]}, {u[0], 2 * u[1]}} // (3 1; 1 2): w = (1, 2) for t = (5, 5)
		aboutAll(t, times(must(Ridge(regular, []float64{5, 5}, 0)), u[:]), []float64{1, 2}, 1e-14, "units %v: w", u)
		singular := [][]float64{{u[0], u[1]}, {u[0], u[1]}, {3 * u[0], (3 + 0x1p-22) * u[1]}}
		refused(t, errOf(Ridge(singular, []float64{1, 2, 3}, 0)), ErrNotPositiveDefinite, "eigenvalue", "Ridge, units %v", u)
		singular[2][1] = (3 + 0x1p-18) * u[1] // the least eigenvalue is near 10⁻¹³, well above rounding
		check(t, errOf(Ridge(singular, []float64{1, 2, 3}, 0)) == nil, "Ridge, units %v, nearly singular: refused", u)
		if u[0] == u[1] {
			f := must(KernelRidge(regular, []float64{5, 5}, Linear{}, 0))
			about(t, f.Eval(regular[0]), 5, 1e-13, "units %v: f(x₀)", u)
		}
	}
	equal(t, must(KernelRidge(nil, nil, RBF{}, 1)).Eval([]float64{1}), 0, "KernelRidge of no points at 1")
	for name, err := range map[string]error{
		"KernelRidge":        errOf(KernelRidge([]int{1}, []float64{1}, nil, 1)),
		"KernelLeastSquares": errOf(KernelLeastSquares([]int{1}, []float64{1}, nil, 1, 1)),
		"KernelPCAMap":       errOf(KernelPCAMap(nil, []int{1})),
		"OnSparse":           errOf(KernelRidge([]Sparse{{}}, []float64{1}, OnSparse(nil), 1)),
	} {
		refused(t, err, nil, "the kernel is nil", "%s", name)
	}
	check(t, panics(func() { GramMatrix(nil, []int{1}) }) == "svm: the kernel is nil", "GramMatrix without a kernel")
	refused(t, errOf(KernelPCAMap(RBF{}, [][]float64{{1}, {1, 2}})), nil, "point 1 has 2 features", "KernelPCAMap, ragged")
	two := Precomputed{NewMatrix(2, 2)}
	for name, k := range map[string]Kernel[int]{
		"Precomputed": two, "Sum": Sum[int](two), "Product": Product[int](two, two), "Scale": Scale[int](3, two),
		"Normalize": Normalize[int](two),
	} {
		refused(t, errOf(KernelRidge([]int{0, 7}, []float64{1, 2}, k, 1)), nil, "point 1 is row 7 of a 2×2 matrix", "KernelRidge, %s", name)
		refused(t, errOf(Func[int]{k, []int{0}, []float64{1}}.Project([]int{2})), nil, "point 0 is row 2", "Project, %s", name)
	}
	refused(t, errOf(Func[int]{nil, []int{1}, []float64{1}}.Project([]int{1})), nil, "the kernel is nil", "Project, no kernel")
	nothing := must(Func[int]{}.Project([]int{1, 2}))
	equal(t, nothing.Eval(5), 0, "the projection of the function 0")
	equal(t, len(must(Ridge(nil, nil, 1))), 0, "length of Ridge of no points")
	// Interpolation, λ = 0, of strings.
	words := []string{"a", "ab", "ba"}
	g := must(KernelRidge(words, []float64{1, 2, 3}, Kernel[string](Substring{}), 0))
	aboutAll(t, mapped(words, g.Eval), []float64{1, 2, 3}, 1000*machineEps, "f of %v", words)
	bad := Kernel[int](Precomputed{laDiag(nan)})
	refused(t, errOf(KernelLeastSquares([]int{0}, []float64{1}, bad, 1, 1)), ErrNotFinite, "", "KernelLeastSquares, K is NaN")
}

// F2: gradient descent on least squares in w, and the same run kernelised: aᵢ ← aᵢ + (γ/n)(tᵢ − Σⱼ aⱼKᵢⱼ). Storage n
// instead of dim φ.
func TestF2GradientDescent(t *testing.T) {
	rng := kernelRand(22)
	const n, d, rate = 12, 3, 0.02
	k := Polynomial{Degree: 2, Coef: 1}
	xs, targets := kernelVectors(rng, n, d), normal(rng, n)
	rows := mapped(xs, k.FeatureMap(d))
	phi := MatrixFromRows(rows)
	objective := func(w []float64) float64 { return squares(matVec(phi, w), targets) / (2 * n) }
	var last, lastA []float64 // w and a of the step before
	for steps := range 40 {
		w := must(LeastSquares(rows, targets, rate, steps))
		f := must(KernelLeastSquares(xs, targets, k, rate, steps))
		equal(t, len(f.Coef), n, "coefficients")
		// η·(largest eigenvalue)/n is below 2, so rounding errors of the steps do not grow.
		aboutAll(t, matVec(phi.T(), f.Coef), w, 100*float64(1+steps)*machineEps, "after %d steps Φᵀa == w", steps)
		if steps == 0 {
			equal(t, w, make([]float64, phi.Cols), "w after 0 steps")
			last, lastA = w, f.Coef
			continue
		}
		for j := range w {
			// The step itself: −rate times the derivative of the objective, by central differences, exact for a parabola.
			derivative := slope(func() float64 { return objective(last) }, &last[j], 1)
			about(t, w[j]-last[j], -rate*derivative, 1000*machineEps, "change of w[%d] in step %d", j, steps)
		}
		for i := range lastA {
			sum := Dot(lastA, mapped(xs, func(x []float64) float64 { return k.Eval(xs[i], x) }))
			about(t, f.Coef[i], lastA[i]+rate/n*(targets[i]-sum), 1000*machineEps, "step %d: a[%d]", steps, i)
		}
		before, after := objective(last), objective(w)
		check(t, after < before, "step %d: the objective rises from %v to %v", steps, before, after)
		last, lastA = w, f.Coef
	}

	// It converges to F1 with λ = 0 where ΦᵀΦ is regular: geometrically, by 1 − ημ/n a step, μ the least eigenvalue.
	xs, targets = [][]float64{{1, 0}, {0, 2}, {1, 1}}, []float64{1, 2, 3}
	w := must(LeastSquares(xs, targets, 0.5, 400))
	want := must(Ridge(xs, targets, 0))
	aboutAll(t, w, want, 100*machineEps, "w after 400 steps == the least-squares solution")
	for _, c := range []struct {
		rate  float64
		steps int
		is    error
		says  string
	}{
		{100, 400, ErrNotConverged, ""}, {-1, 1, nil, "rate -1 is negative"}, {1, -1, nil, "steps -1 is negative"},
		{math.NaN(), 0, ErrNotFinite, "rate is"}, {math.Inf(1), 0, ErrNotFinite, "rate is"}, {math.Inf(-1), 0, ErrNotFinite, "rate is"},
	} {
		refused(t, errOf(LeastSquares(xs, targets, c.rate, c.steps)), c.is, c.says, "LeastSquares, %+v", c)
		refused(t, errOf(KernelLeastSquares(xs, targets, Linear{}, c.rate, c.steps)), c.is, c.says, "KernelLeastSquares, %+v", c)
	}
	equal(t, len(must(LeastSquares(nil, nil, 1, 3))), 0, "length of LeastSquares of no points")
}

// ScaleGamma is 1/(d · variance of all entries), or 1 if that is 0 or not a finite number.
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
		{"offset of one digit", [][]float64{{1e16}, {1e16 + 2}}, 1},    // whose mean is no float64
		{"constant", [][]float64{{0.1, 0.1, 0.1}, {0.1, 0.1, 0.1}}, 1}, // whose mean is not 0.1
		{"none", nil, 1},
		{"no features", [][]float64{{}, {}}, 1},
		{"overflow", [][]float64{{1e200}, {-1e200}}, 1}, // γ would be 0
		{"underflow", [][]float64{{1e-160}, {-1e-160}}, 1},
		{"NaN", [][]float64{{math.NaN()}, {1}}, 1},
	} {
		equal(t, ScaleGamma(test.xs), test.want, "ScaleGamma(%s)", test.name)
	}
	// The average of γ‖x − z‖² over all pairs is at most 2.
	xs := kernelVectors(kernelRand(23), 30, 4)
	gamma, sum := ScaleGamma(xs), 0.0
	for _, x := range xs {
		for _, z := range xs {
			sum -= math.Log(RBF{gamma}.Eval(x, z))
		}
	}
	check(t, sum/900 <= 2 && sum/900 > 1.5, "average of γ‖x − z‖² = %v, want at most 2 and nearly", sum/900)
}

// D5, D7, D14: kernels have the values that their formulas say, with the documented defaults; k(x, ·)(z) = k(x, z), bit
// for bit; and feature maps of impossible or excessive size are refused.
func TestKernelValues(t *testing.T) {
	for name, k := range kernelAll() {
		rng := kernelRand(24)
		for range 20 {
			v := kernelVectors(rng, 2, 7)
			equal(t, section(k, v[0])(v[1]), k.Eval(v[0], v[1]), "%s: section(x)(z) == k(x, z)", name)
			if dot, ok := k.(DotKernel); ok {
				got, want := dot.Of(Dot(v[0], v[1]), norm2(v[0]), norm2(v[1])), k.Eval(v[0], v[1])
				about(t, got, want, 200*machineEps*(1+math.Abs(want)), "%s: Of == Eval", name)
			}
		}
	}
	x, z := []float64{1, 2}, []float64{3, 0.5}
	for name, v := range map[string][2]float64{
		"Polynomial{}": {Polynomial{}.Eval(x, z), 64},
		"Polynomial{Degree: 1, Gamma: 2, Coef: −1}": {Polynomial{1, 2, -1}.Eval(x, z), 7},
		"Polynomial{Degree: 5}":                     {Polynomial{Degree: 5}.Eval(x, z), 1024},
		"Polynomial{Degree: 10, Coef: −6}":          {Polynomial{Degree: 10, Coef: -6}.Eval(x, z), 1024},
		"Sigmoid{}":                                 {Sigmoid{}.Eval(x, z), math.Tanh(4)},
		"Sigmoid{0.5, −1}":                          {Sigmoid{0.5, -1}.Eval(x, z), math.Tanh(1)},
		"RBF{2}":                                    {RBF{2}.Eval(x, z), math.Exp(-12.5)},
		"RBF{}.Of":                                  {RBF{}.Of(0, 1, 0), math.Exp(-1)},
		"RBF{2}.Of":                                 {RBF{2}.Of(4, 5, 9.25), math.Exp(-12.5)},
		"RBF.Of below 0":                            {RBF{2}.Of(1.0000001, 1, 1), 1},
		"Precomputed":                               {Precomputed{MatrixFromRows([][]float64{{1, 2}, {3, 4}})}.Eval(1, 0), 3},
		"KernelFunc":                                {KernelFunc[int](func(i, j int) float64 { return float64(i * j) }).Eval(6, 7), 42},
	} {
		equal(t, v[0], v[1], "%s", name)
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
		"none, for ever":      func() { Polynomial{Degree: math.MaxInt}.FeatureMap(0) },
		"far too many":        func() { RBF{1}.FeatureMap(math.MaxInt, 1) },
		"just too large":      func() { checkCoordinates(2895, 2) },
		"too large by one":    func() { checkCoordinates(1<<22, 1) },
		"degree too large":    func() { checkCoordinates(1, 1<<22) },
		"too large":           func() { Polynomial{Degree: 6, Coef: 1}.FeatureMap(1000) },
		"too deep":            func() { RBF{1}.FeatureMap(1, math.MaxInt) },
		"wrong length":        func() { Polynomial{}.FeatureMap(2)([]float64{1}) },
		"ragged corpus":       func() { TFIDF([][]float64{{1}, {1, 2}}) },
		"in another routine":  func() { GramMatrix(Linear{}, [][]float64{x, z, z[:1]}) },
	} {
		check(t, strings.HasPrefix(panics(f), "svm: "), "%s: panic %q, want svm: …", name, panics(f))
	}
	text := panics(func() { Polynomial{Degree: 1000, Coef: 1}.FeatureMap(2) })
	equal(t, text, "svm: FeatureMap: a coordinate of degree 996 has the weight +Inf, want ≥ 0 and finite", "weights overflow")
	phi := Polynomial{Degree: 2, Coef: 1e-200}.FeatureMap(2)(x[:2]) // without 1e-400
	equal(t, len(phi), 5, "coordinates when the weight of one underflows")
	k := Precomputed{NewMatrix(2, 2)}
	for _, at := range [][2]int{{0, 2}, {2, 0}, {0, -1}, {1, -1}} {
		check(t, panics(func() { k.Eval(at[0], at[1]) }) != "", "Precomputed.Eval%v does not panic", at)
	}
}

// Quadratic programs.

// A qpSide is a constraint row·x ≤ side, or = side.
type qpSide struct {
	row  []float64
	side float64
	eq   bool
}

// qpSides lists the constraints on n unknowns in the order Ineq, Eq, Lower, Upper of their multipliers.
func qpSides(q QP, n int) (list []qpSide) {
	for i, b := range q.B {
		list = append(list, qpSide{q.A.Row(i), b, false})
	}
	for i, b := range q.Beq {
		list = append(list, qpSide{q.Aeq.Row(i), b, true})
	}
	for _, bounds := range []struct {
		v    []float64
		sign float64
	}{{q.Lo, -1}, {q.Hi, 1}} {
		for j := range n {
			c := qpSide{make([]float64, n), math.Inf(1), false}
			c.row[j] = bounds.sign
			if bounds.v != nil {
				c.side = bounds.sign * bounds.v[j]
			}
			list = append(list, c)
		}
	}
	return list
}

// qpJudge returns the worst violation of the conditions (B5) by s, computed from the solution alone: stationarity, primal
// feasibility, signs, complementary slackness (each product), the objective, and the gap f − dual value.
func qpJudge(q QP, s *QPSolution) float64 {
	g, linear := make([]float64, len(s.X)), 0.0
	if q.Q != nil {
		g = matVec(q.Q, s.X)
	}
	square := Dot(g, s.X)
	if q.C != nil {
		linear = Dot(q.C, s.X)
		axpy(g, 1, q.C)
	}
	wrong, gap := []float64{linear + square/2 - s.Objective}, linear+square
	z := slices.Concat(s.Ineq, s.Eq, s.Lower, s.Upper)
	for i, c := range qpSides(q, len(s.X)) {
		slack := c.side - Dot(c.row, s.X)
		if c.eq {
			wrong = append(wrong, slack)
		} else {
			wrong = append(wrong, min(slack, 0), min(z[i], 0))
		}
		if z[i] != 0 { // 0 times an infinite side is 0 here
			wrong = append(wrong, slack*z[i])
			gap += c.side * z[i]
			axpy(g, z[i], c.row)
		}
	}
	return largest(slices.Concat(wrong, g, []float64{gap}))
}

func qpRows(rows ...[]float64) *Matrix { return MatrixFromRows(rows) }

// qpMatrix returns a matrix of standard normal numbers.
func qpMatrix(rng *rand.Rand, rows, cols int) *Matrix {
	return &Matrix{rows, cols, normal(rng, rows*cols)}
}

// qpGaussian returns a Gaussian Gram matrix of random points in the plane, the points, and labels of a noisy circle.
func qpGaussian(rng *rand.Rand, n int) (k *Matrix, xs [][]float64, ys []float64) {
	xs, ys = signed(rng, n, 2, func(x []float64) float64 { return norm2(x) - 1.2 + 0.3*rng.NormFloat64() })
	k = laFill(n, n, func(i, j int) float64 { return math.Exp(-(norm2(xs[i]) + norm2(xs[j]) - 2*Dot(xs[i], xs[j])) / 2) })
	return k, xs, ys
}

const qpTol = 1e-9 // the default of QPOptions.Tol, for data of size about 1

// inUnits is q, of which no part is absent, for the unknowns in units of their own: x = units·x′.
func inUnits(q QP, units []float64) QP {
	inverse := mapped(units, func(u float64) float64 { return 1 / u })
	columns := func(m *Matrix) *Matrix {
		return laFill(m.Rows, m.Cols, func(i, j int) float64 { return m.At(i, j) * units[j] })
	}
	return QP{Q: columns(columns(q.Q).T()), C: times(q.C, units), A: columns(q.A), B: slices.Clone(q.B),
		Aeq: columns(q.Aeq), Beq: slices.Clone(q.Beq), Lo: times(q.Lo, inverse), Hi: times(q.Hi, inverse)}
}

// qpSolved applies one of SolveQP's methods alone to q, and returns whether that solves it, and in how many iterations.
func qpSolved(q QP, method func(p *program, limit int, visit func(x, z []float64) bool) int) (done bool, steps int) {
	q = q.present()
	p := q.program()
	steps = method(p, 200, func(x, z []float64) bool {
		done = q.certify(q.restore(p, x, z)).worst() <= 1e-9
		return done
	})
	return done, steps
}

// qpBoxes returns programs whose inequalities are bounds: duals of SVMs, and convex functions of any rank on boxes with
// fixed, half open and free unknowns and up to n/4 equations.
func qpBoxes(rng *rand.Rand) (list []QP) {
	for _, c := range []float64{0.1, 1, 10, 100} {
		k, _, ys := qpGaussian(rng, 20+rng.IntN(60))
		list = append(list, DualQP(k, ys, c))
	}
	for range 4 {
		n := 4 + rng.IntN(20)
		root := qpMatrix(rng, n, 1+rng.IntN(n))
		x := normal(rng, n)
		q := QP{Q: root.Mul(root.T()), C: normal(rng, n), Aeq: qpMatrix(rng, rng.IntN(1+n/4), n)}
		q.Beq, q.Lo, q.Hi = matVec(q.Aeq, x), slices.Clone(x), slices.Clone(x)
		for j := range n {
			if rng.IntN(8) > 0 {
				q.Lo[j] -= rng.Float64()
				q.Hi[j] += rng.Float64()
			}
		}
		list = append(list, q)
		q = QP{Q: root.Mul(root.T()), C: q.C, Aeq: q.Aeq, Beq: q.Beq, Lo: slices.Clone(q.Lo), Hi: slices.Clone(q.Hi)}
		for j := range n { // with the unit matrix added these have a solution all the same
			q.Q.Set(j, j, q.Q.At(j, j)+1)
			if rng.IntN(3) == 0 {
				q.Lo[j] = math.Inf(-1)
			}
			if rng.IntN(3) == 0 {
				q.Hi[j] = math.Inf(1)
			}
		}
		list = append(list, q)
	}
	return list
}

// Quadratic programs: by hand, and at random against all active sets.

// C1: the general program, any part absent, with all multipliers returned. Each row was solved by hand.
func TestC1HandSolved(t *testing.T) {
	inf := math.Inf(1)
	for _, test := range []struct {
		name string
		q    QP
		want QPSolution // of what is absent, 0
	}{
		{"nothing", QP{}, QPSolution{}},
		{"no constraint", QP{Q: laOne(2), C: []float64{-1, 2}}, QPSolution{X: []float64{1, -2}}},
		{"upper bound", QP{Q: laOne(2), C: []float64{-3, 0}, Hi: []float64{1, inf}},
			QPSolution{X: []float64{1, 0}, Upper: []float64{2, 0}}},
		{"lower bound", QP{Q: laOne(2), C: []float64{3, 0}, Lo: []float64{-1, -inf}},
			QPSolution{X: []float64{-1, 0}, Lower: []float64{2, 0}}},
		{"one equation", QP{Q: laOne(2), Aeq: qpRows([]float64{1, 1}), Beq: []float64{2}},
			QPSolution{X: []float64{1, 1}, Eq: []float64{-1}}},
		{"one inequality", QP{Q: laOne(2), C: []float64{-2, -2}, A: qpRows([]float64{1, 1}), B: []float64{2}},
			QPSolution{X: []float64{1, 1}, Ineq: []float64{1}}},
		{"an absent row", QP{Q: laOne(2), C: []float64{-2, -2}, A: qpRows([]float64{1, 1}), B: []float64{inf}},
			QPSolution{X: []float64{2, 2}}},
		{"fixed", QP{Q: qpRows([]float64{2, 1}, []float64{1, 2}), C: []float64{-3, 0},
			Lo: []float64{-inf, 1}, Hi: []float64{inf, 1}},
			QPSolution{X: []float64{1, 1}, Lower: []float64{0, 3}}},
		{"linear", QP{C: []float64{-1, -2}, A: qpRows([]float64{1, 1}, []float64{0, 1}), B: []float64{4, 3}, Lo: []float64{0, 0}},
			QPSolution{X: []float64{1, 3}, Ineq: []float64{1, 1}}},
		// the textbook example: min (x₁−1)² + (x₂−2.5)² (Nocedal and Wright, 16.4), solution (1.4, 1.7), multiplier 0.8
		// of the first row
		{"five rows", QP{Q: qpRows([]float64{2, 0}, []float64{0, 2}), C: []float64{-2, -5},
			A: qpRows([]float64{-1, 2}, []float64{1, 2}, []float64{1, -2}), B: []float64{2, 6, 2}, Lo: []float64{0, 0}},
			QPSolution{X: []float64{1.4, 1.7}, Ineq: []float64{0.8, 0, 0}}},
	} {
		s, want := must(SolveQP(test.q, QPOptions{})), test.want
		atMost(t, qpJudge(test.q, s), qpTol, "%s: worst violation of B5", test.name)
		for part, v := range map[string][2][]float64{
			"X": {s.X, want.X}, "Ineq": {s.Ineq, want.Ineq}, "Eq": {s.Eq, want.Eq}, "Lower": {s.Lower, want.Lower}, "Upper": {s.Upper, want.Upper},
		} {
			if v[1] == nil {
				v[1] = make([]float64, len(v[0]))
			}
			// The Hessian is at least 1: residuals of 1e-9 move x by a few 1e-9.
			aboutAll(t, v[0], v[1], 1e-8, "%s: %s", test.name, part)
		}
	}
}

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
	ab, cd := new(big.Int).Mul(big.NewInt(a), big.NewInt(b)), new(big.Int).Mul(big.NewInt(c), big.NewInt(d))
	quo := ab.Quo(ab.Sub(ab, cd), big.NewInt(e))
	if !quo.IsInt64() {
		panic("too large")
	}
	return quo.Int64()
}

// qpGauss solves the integer system m, the last column the right-hand side, by fraction-free Gauss–Jordan elimination:
// x = num/den with den > 0, free unknowns 0. It reports whether the system is consistent.
func qpGauss(m [][]int64) (num []int64, den int64, ok bool) {
	cols, rank := 0, 0
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
			return nil, 0, false
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
	return num, sign * den, true
}

// solve tries every independent set of inequalities with the equations: with W their rows, it solves
//
//	Qx + Wᵀλ = −c, Wx = b_W
//
// exactly, and accepts x when it is feasible and the λ of inequalities are ≥ 0. That is enough: at a point of a minimal
// face of the solutions, the active constraints include an independent set W that carries the multipliers, and the
// unknowns that Q and W leave open are open to every constraint.
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
	num, den, ok = qpGauss(m)
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
	n, inf := rng.IntN(7), math.Inf(1)
	small := func() int64 { return rng.Int64N(3) * (rng.Int64N(3) - 1) }
	row := func() []int64 { return build(n, func(int) int64 { return small() }) }
	p := &qpInt{n: n, c: row(), q: build(n, func(int) []int64 { return make([]int64, n) })}
	for range rng.IntN(n + 1) { // Q has this rank at most
		r := row()
		for i := range n {
			for j := range n {
				p.q[i][j] += r[i] * r[j]
			}
		}
	}
	x, feasible := row(), rng.IntN(2) == 0
	add := func(slack int64) { // in half of the programs x is feasible, and some constraints hold with equality
		r, side := row(), slack
		for j := range r {
			side += r[j] * x[j]
		}
		if !feasible {
			side = small()
		}
		p.rows, p.b = append(p.rows, r), append(p.b, side)
	}
	p.eq = rng.IntN(3)
	for range p.eq {
		add(0)
	}
	for range rng.IntN(5) {
		add(rng.Int64N(3))
	}
	if k := len(p.rows); k > 1 && rng.IntN(3) == 0 { // a dependent row: the last is the sum of two others, or nearly
		i, j, last := rng.IntN(k), rng.IntN(k), k-1
		for t := range n {
			p.rows[last][t] = p.rows[i][t] + p.rows[j][t]
		}
		p.b[last] = p.b[i] + p.b[j]
		if last >= p.eq {
			p.b[last] += rng.Int64N(3) - 1
		}
	}
	dense := len(p.rows)
	lo, hi := constant(n, -inf), constant(n, inf)
	bound := func(j int, sign int64, side []float64) {
		r := make([]int64, n)
		r[j] = sign
		p.rows, p.b = append(p.rows, r), append(p.b, sign*int64(side[j]))
	}
	for j := range n {
		kind := rng.IntN(6)
		if kind == 1 || kind == 2 || kind == 4 {
			lo[j] = -float64(rng.IntN(3))
			bound(j, -1, lo)
		}
		if kind == 2 || kind == 3 {
			hi[j] = float64(rng.IntN(3))
		}
		if kind == 4 && rng.IntN(2) == 0 { // fixed
			hi[j] = lo[j]
		}
		if hi[j] < inf {
			bound(j, 1, hi)
		}
	}
	matrix := func(rows [][]int64) *Matrix {
		return laFill(len(rows), n, func(i, j int) float64 { return float64(rows[i][j]) })
	}
	return p, QP{Q: matrix(p.q), C: kernelFloats(p.c), Aeq: matrix(p.rows[:p.eq]), Beq: kernelFloats(p.b[:p.eq]),
		A: matrix(p.rows[p.eq:dense]), B: kernelFloats(p.b[p.eq:dense]), Lo: lo, Hi: hi}
}

// C1, C5: on random programs of up to six unknowns, with dependent, redundant and conflicting rows, fixed unknowns,
// infinite bounds, singular or no Q: the verdict and the objective are those of the enumeration of all active sets in
// exact arithmetic, the solution satisfies B5, and every certificate proves what it claims.
func TestC1C5RandomPrograms(t *testing.T) {
	trials := fewer(10000, 1000)
	count := map[error]int{}
	rng := rand.New(rand.NewPCG(1, 2))
	for trial := range trials {
		p, q := qpRandom(rng)
		num, den, ok := p.solve()
		var want error
		if !ok {
			zeros := make([]int64, p.n)
			f := &qpInt{p.n, p.eq, slices.Repeat([][]int64{zeros}, p.n), zeros, p.rows, p.b}
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
			equal(t, qpRefuted(q, err), "", "trial %d: SolveQP(%+v): what is wrong with its proof", trial, p)
			continue
		}
		for j, x := range s.X { // bounds hold exactly
			check(t, q.Lo[j] <= x && x <= q.Hi[j], "trial %d: SolveQP(%+v): x[%d] = %v is out of its bounds", trial, p, j, x)
		}
		v := p.value(num, den)
		scale := 1 + math.Abs(v) // with entries ≤ 2 and |x| of the size of the objective, complementary products scale with it
		about(t, s.Objective, v, 1e-9*scale, "trial %d: SolveQP(%+v): objective", trial, p)
		// The judge looks at products of residuals with multipliers of a few units.
		atMost(t, qpJudge(q, s), 5e-9*scale, "trial %d: SolveQP(%+v): worst violation of B5", trial, p)
	}
	for _, err := range []error{nil, ErrInfeasible, ErrUnbounded} {
		check(t, count[err] >= trials/20, "%d of %d programs have verdict %v: the test tests little", count[err], trials, err)
	}
}

// C1: the parts of a program may be of any sizes. In one unknown, with two rows, the solution is known: the clamped
// minimum of the parabola. In several unknowns, with more rows than unknowns, scaling Q scales the objective.
func TestC1Units(t *testing.T) {
	sizes := []float64{1e-8, 1e-4, 1e-2, 1, 1e2, 1e4, 1e8}
	for _, curve := range sizes {
		for _, slope := range append([]float64{0}, sizes...) {
			for _, row := range sizes[1:6] {
				for _, x := range sizes[1:6] {
					q := QP{Q: qpRows([]float64{curve}), C: []float64{slope}, A: qpRows([]float64{-row}, []float64{row}),
						B: []float64{3 * row * x, -row * x}} // −3x ≤ the unknown ≤ −x
					want := max(-3*x, min(-x, -slope/curve))
					scale := max(1, curve*x*x, slope*x, curve*x, slope, row*x)
					s, err := SolveQP(q, QPOptions{Tol: 1e-9 * scale})
					check(t, err == nil, "curvature %v, slope %v, rows %v, x %v: %v", curve, slope, row, x, err)
					about(t, s.Objective, q.Value([]float64{want}), 1e-8*scale,
						"curvature %v, slope %v, rows %v, x %v: objective", curve, slope, row, x)
				}
			}
		}
	}
	rng := rand.New(rand.NewPCG(41, 42))
	for range 200 {
		n := 1 + rng.IntN(6)
		root, x := qpMatrix(rng, n, n), normal(rng, n)
		q := QP{Q: root.T().Mul(root), A: qpMatrix(rng, 8, n)}
		q.B = mapped(matVec(q.A, x), func(b float64) float64 { return b + rng.Float64() })
		want := must(SolveQP(q, QPOptions{}))
		for _, unit := range []float64{1e-6, 1e3, 1e9} {
			scaled := q
			scaled.Q = laScaled(unit, q.Q)
			got := must(SolveQP(scaled, QPOptions{Tol: 1e-9 * max(1, unit)}))
			about(t, got.Objective/unit, want.Objective, 1e-8*max(1, 1/unit)*(1+want.Objective), "Q times %v: objective", unit)
		}
	}
	// A hard margin of 1e-4 beside points of size 1: the multipliers are near 1e7, and residuals grow before they fall.
	points, sides := [][]float64{{1, 1e-4}, {0, -1e-4}, {-1, 1e-4}, {2, -1e-4 - 1}, {3, 1e-4 + 1}}, []float64{1, -1, 1, -1, 1}
	narrow := must(SolveQP(PrimalQP(points, sides, math.Inf(1)), QPOptions{Tol: 1e-7})) // some roundings of the objective
	agree(t, narrow.Objective, 5e7, 1e-9, "objective of a narrow hard margin")

	must(SolveQP(QP{A: &Matrix{Rows: 1}, B: []float64{1}}, QPOptions{})) // a row without entries, 0 ≤ 1
}

// C1: malformed programs and options are refused with an error that names the fault.
func TestQPErrors(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	one, two := laOne(1), laOne(2)
	for _, test := range []struct {
		name string
		q    QP
		is   error
		has  string
	}{
		{"Q not square", QP{Q: qpRows([]float64{1, 2})}, nil, "Q is absent or not a matrix of 2×2"},
		{"Q short", QP{Q: &Matrix{1, 1, nil}}, nil, "not a matrix of 1×1"},
		{"Q not symmetric", QP{Q: qpRows([]float64{1, 2}, []float64{3, 9})}, nil, "Q[1][0] is 3"},
		{"Q not symmetric", QP{Q: qpRows([]float64{1, 3}, []float64{2, 9})}, nil, "Q[1][0] is 2"},
		{"C long", QP{Q: one, C: []float64{1, 2}}, nil, "not a matrix of 2×2"},
		{"A without B", QP{C: []float64{1}, A: one}, nil, "A is absent or not a matrix of 0×1"},
		{"B without A", QP{C: []float64{1}, B: []float64{1}}, nil, "A is absent or not a matrix of 1×1"},
		{"Aeq wide", QP{C: []float64{1}, Aeq: two, Beq: []float64{1, 1}}, nil, "C has 1"},
		{"Lo short", QP{C: []float64{1, 1}, Lo: []float64{1}}, nil, "Lo has 1"},
		{"Hi long", QP{C: []float64{1}, Hi: []float64{1, 1}}, nil, "C has 1"},
		{"NaN in Q", QP{Q: qpRows([]float64{nan})}, ErrNotFinite, "Q: entry (0, 0)"},
		{"Inf in A", QP{A: qpRows([]float64{0, inf}), B: []float64{1}}, ErrNotFinite, "A: entry (0, 1)"},
		{"NaN in C", QP{C: []float64{0, nan}}, ErrNotFinite, "C[1]"},
		{"-Inf in C", QP{C: []float64{-inf}}, ErrNotFinite, "C[0] is -Inf"},
		{"NaN in B", QP{A: one, B: []float64{nan}}, ErrNotFinite, "B[0]"},
		{"Inf in Beq", QP{Aeq: one, Beq: []float64{inf}}, ErrNotFinite, "Beq[0]"},
		{"NaN in Lo", QP{Lo: []float64{nan}}, ErrNotFinite, "Lo[0]"},
		{"NaN in Hi", QP{Hi: []float64{nan}}, ErrNotFinite, "Hi[0]"},
	} {
		s, err := SolveQP(test.q, QPOptions{})
		refused(t, err, test.is, test.has, "%s: SolveQP", test.name)
		check(t, s == nil, "%s: SolveQP returns %v", test.name, s)
	}
	for has, o := range map[string]QPOptions{
		"Tol -1": {Tol: -1}, "Tol NaN": {Tol: nan}, "Tol +Inf": {Tol: inf}, "MaxIter -1": {MaxIter: -1},
	} {
		refused(t, errOf(SolveQP(QP{}, o)), nil, has, "SolveQP with %+v", o)
	}
}

// Quadratic programs: duality, derivatives, the programs of machines.

// B1, B3: weak duality: dual value ≤ primal value for every feasible pair; the difference is the slack in the constraints
// and ½(x−u)ᵀQ(x−u). Exact in integers.
func TestB3WeakDuality(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	whole := func(k int, least, most int64) []float64 {
		return build(k, func(int) float64 { return float64(least + rng.Int64N(most-least+1)) })
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
		q.Beq = matVec(q.Aeq, x)
		lower, upper := whole(n, 0, 2), whole(n, 0, 2)
		for j := range n {
			if rng.IntN(2) == 0 { // stationarity leaves one of the two
				lower[j] = 0
			} else {
				upper[j] = 0
			}
			q.Lo[j], q.Hi[j] = x[j]-float64(rng.IntN(2)), x[j]+float64(rng.IntN(2))
			if lower[j]+upper[j] > 0 {
				u[j] = x[j] // u is near the bounds that have multipliers, so they get them
			}
			slack += lower[j]*(x[j]-q.Lo[j]) + upper[j]*(q.Hi[j]-x[j])
		}
		q.C = build(n, func(j int) float64 { // what makes these multipliers stationary
			return lower[j] - upper[j] - Dot(q.Q.Row(j), u) - Dot(q.A.T().Row(j), s.Ineq) - Dot(q.Aeq.T().Row(j), s.Eq)
		})
		s = q.certify(u, slices.Concat(s.Ineq, s.Eq, lower, upper))
		equal(t, s.DualResidual, 0, "dual residual")
		aboutAll(t, slices.Concat(s.Lower, s.Upper), slices.Concat(lower, upper), 0, "multipliers of the bounds")
		equal(t, q.Value(x)-s.DualObjective, slack+(QP{Q: q.Q}).Value(minus(x, u)), "primal − dual value")
		s.X = x
		l := q.Lagrangian(x, s)
		check(t, s.DualObjective <= l && l <= q.Value(x), "L = %v outside [%v, %v]", l, s.DualObjective, q.Value(x))
	}
}

// B4: θ_P is f where x is feasible, +∞ elsewhere: there L grows without bound with a violated constraint's multiplier.
func TestB4Theta(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	inside := 0
	for range 500 {
		_, q := qpRandom(rng)
		x := build(len(q.C), func(int) float64 { return float64(rng.IntN(3) - 1) })
		l := func(z []float64) float64 {
			m := &QPSolution{}
			m.Ineq, m.Eq, m.Lower, m.Upper = q.split(z)
			return q.Lagrangian(x, m)
		}
		k, eq := len(q.B)+len(q.Beq)+2*len(x), len(q.B)+len(q.Beq)
		best := l(make([]float64, k)) // without multipliers L = f
		for i := range k {
			for _, v := range []float64{1, 1e12, -1e12} {
				z := make([]float64, k)
				if z[i] = v; v > 0 || len(q.B) <= i && i < eq {
					best = max(best, l(z))
				}
			}
		}
		if theta := q.Theta(x); math.IsInf(theta, 1) {
			check(t, best >= 1e11, "θ_P(%v) = %v, but L stays below %v", x, theta, best)
		} else {
			inside++
			check(t, theta == q.Value(x) && best == theta, "θ_P(%v) = %v, f = %v, largest L found = %v", x, theta, q.Value(x), best)
		}
	}
	check(t, inside >= 50, "%d of 500 points are feasible: the test tests little", inside)
	q, m := QP{Aeq: laOne(1), Beq: []float64{2}}, &QPSolution{Eq: []float64{3}, Lower: []float64{0}, Upper: []float64{0}}
	equal(t, q.Lagrangian([]float64{0}, m), -6, "3(x − 2) at 0")
	equal(t, q.Lagrangian([]float64{4}, m), 6, "3(x − 2) at 4")
	equal(t, q.Theta([]float64{2 - 0x1p-50}), math.Inf(1), "θ_P just off x = 2")
	equal(t, QP{Lo: []float64{0}}.Theta([]float64{-0x1p-60}), math.Inf(1), "θ_P just below x ≥ 0")
	absent := QP{C: []float64{1}, Lo: []float64{math.Inf(-1)}, Hi: []float64{3}}
	got := absent.Lagrangian([]float64{2}, &QPSolution{Lower: []float64{5}, Upper: []float64{7}})
	equal(t, got, 2-7, "the Lagrangian with a multiplier of an absent bound")
}

// B5, C1: the report of SolveQP is true: each residual is what an independent computation says.
func TestB5Residuals(t *testing.T) {
	k, _, ys := qpGaussian(rand.New(rand.NewPCG(9, 10)), 60)
	q := DualQP(k, ys, 10)
	s := must(SolveQP(q, QPOptions{}))
	atMost(t, qpJudge(q, s), qpTol, "worst violation of B5")
	other := slices.Index(ys, -ys[0])                        // moving X[0] and X[other] alike keeps yᵀx = 0
	spoiled := func(first, second, eq float64) *QPSolution { // these are added to X[0], X[other] and Eq[0]
		x := slices.Clone(s.X)
		x[0] += first
		x[other] += second
		return q.certify(x, slices.Concat(nil, []float64{s.Eq[0] + eq}, s.Lower, s.Upper))
	}
	equation, below, above, price := spoiled(1, 0, 0), spoiled(-30, -30, 0), spoiled(30, 30, 0), spoiled(0, 0, 1)
	for name, v := range map[string][2]float64{
		"equation":    {equation.PrimalResidual, max(1, equation.X[0]-10)},
		"lower bound": {below.PrimalResidual, -min(below.X[0], below.X[other])},
		"upper bound": {above.PrimalResidual, max(above.X[0], above.X[other]) - 10},
		"gap":         {price.Gap, math.Abs(price.Objective - price.DualObjective)},
	} {
		about(t, v[0], v[1], 1e-8*v[1], "%s: residual", name)
		check(t, v[1] >= 1e-3, "%s: a residual of %v shows nothing", name, v[1])
	}
	// The dual residual is what no bound takes up: at x = 0 it is c, but for the entry whose lower bound is there.
	q = must(QP{Q: laOne(3), C: []float64{-1, 2, 5}, Lo: []float64{math.Inf(-1), math.Inf(-1), 0}}.complete())
	s = q.certify(make([]float64, 3), make([]float64, 6))
	equal(t, s.DualResidual, 2, "dual residual at 0")
	equal(t, s.Lower, []float64{0, 0, 5}, "multipliers of the lower bounds at 0")
}

// B9: min ½xᵀQx + cᵀx s.t. Ax = b is one linear system. SolveQP solves it directly, without iterations, and agrees with
// the central path alone, which leads to the same point if bounds are added that never bind.
func TestB9Equations(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for trial := range 100 {
		n := 1 + rng.IntN(8)
		m := rng.IntN(n + 1)
		g := qpMatrix(rng, n, n)
		q := QP{Q: g.T().Mul(g), C: normal(rng, n), Aeq: qpMatrix(rng, m, n), Beq: normal(rng, m)}
		for i := range n {
			q.Q.Set(i, i, q.Q.At(i, i)+0.1) // keeps the solution, and so the rounding of the gap, small
		}
		direct := must(SolveQP(q, QPOptions{}))
		equal(t, direct.Iterations, 0, "trial %d: iterations", trial)
		atMost(t, qpJudge(q, direct), 10*qpTol, "trial %d: worst violation of B5", trial)
		q.Lo = constant(n, -10-2*largest(direct.X))
		q = must(q.complete())
		path := newPath(q.program())
		path.start()
		for steps := 0; path.measure() > 1e-9 || path.mu > 1e-9; steps++ {
			if !path.step() || steps == 50 {
				t.Fatalf("trial %d: no end of the central path after %d steps", trial, steps)
			}
		}
		x, _ := q.restore(path.program, path.x, path.z)
		about(t, q.Value(x), direct.Objective, 1e-8*(1+math.Abs(direct.Objective)), "trial %d: objective by the path", trial)
	}
}

// A5, A6, B1, B2, B10, C2, C3: the primal (d + n + 1 unknowns, 2n constraints) and the dual (n unknowns) give the same
// plane. The multipliers of the primal are the α of the dual: w = Σαᵢyᵢxᵢ, Σαᵢyᵢ = 0, C − αᵢ − μᵢ = 0.
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
		hard := math.IsInf(test.c, 1)
		xs, ys := labelled(test.n, func(i int) ([]float64, float64) {
			x, y := normal(rng, test.d), float64(2*(i%2)-1)
			x[0] += y
			if hard {
				x[0] = y * (0.1 + math.Abs(x[0]))
			}
			return x, y
		})
		x := MatrixFromRows(xs)
		k := x.Mul(x.T())
		pq, dq := PrimalQP(xs, ys, test.c), DualQP(k, ys, test.c)
		n, m := pq.Size()
		equal(t, []int{n, m}, []int{test.unknowns, test.primal}, "%s: size of the primal", test.name)
		n, m = dq.Size()
		equal(t, []int{n, m}, []int{test.n, test.dual}, "%s: size of the dual", test.name)
		primal, dual := must(SolveQP(pq, QPOptions{})), must(SolveQP(dq, QPOptions{}))
		beta := must(InteriorPoint(oracleSVC(k, ys, test.c, nil), QPOptions{}))
		// For w a gap of 1e-9 guarantees no more than √(2·1e-9) = 4.5e-5 [f is 1-strongly convex], but the finish is exact.
		const tol = 1e-6
		about(t, primal.Objective+dual.Objective, 0, 1e-8, "%s: primal − dual objective", test.name)
		about(t, Dot(dual.X, ys), 0, qpTol, "%s: Σαy", test.name)
		aboutAll(t, primal.Ineq, dual.X, tol, "%s: multipliers of the primal == α", test.name)
		aboutAll(t, beta.X, times(dual.X, ys), tol, "%s: β == αy", test.name)
		if !hard {
			mu := mapped(dual.X, func(a float64) float64 { return test.c - a })
			aboutAll(t, primal.Lower[test.d+1:], mu, tol, "%s: μ == C − α", test.name)
		}
		w, b := matVec(x.T(), times(dual.X, ys)), primal.X[test.d]
		aboutAll(t, primal.X[:test.d], w, tol, "%s: w == Σαyx", test.name)
		aboutAll(t, []float64{dual.Eq[0], beta.Eq[0]}, []float64{b, b}, tol, "%s: multipliers of the equations == b", test.name)
	}
	// Which is smaller: the dual, unless the margin is hard and n > d + 1.
	for n := 1; n <= 6; n++ {
		for d := range 6 {
			xs, ys := slices.Repeat([][]float64{make([]float64, d)}, n), constant(n, 1)
			dual, _ := DualQP(NewMatrix(n, n), ys, 1).Size()
			soft, _ := PrimalQP(xs, ys, 1).Size()
			hard, _ := PrimalQP(xs, ys, math.Inf(1)).Size()
			check(t, dual < soft && (hard < dual) == (n > d+1), "n = %d, d = %d: unknowns %d, %d, %d", n, d, dual, soft, hard)
		}
	}
	unknowns, constraints := QP{Lo: []float64{1}, Hi: []float64{1}}.Size()
	equal(t, []int{unknowns, constraints}, []int{1, 2}, "Size of a program with equal bounds")
}

// C2, C3: two points at ±2 on a line: the hard margin has w = ½, b = 0, α = ⅛; with C = 0.1 the soft one has α = 0.1,
// w = 0.4, and any |b| ≤ 0.2, for both points are at the bound.
func TestC2C3TwoPoints(t *testing.T) {
	xs, ys := [][]float64{{2}, {-2}}, []float64{1, -1}
	k := qpRows([]float64{4, -4}, []float64{-4, 4})
	for _, test := range []struct{ c, w, slack, alpha float64 }{{math.Inf(1), 0.5, 0, 0.125}, {0.1, 0.4, 0.2, 0.1}} {
		primal := must(SolveQP(PrimalQP(xs, ys, test.c), QPOptions{})).X
		b := primal[1]
		want := []float64{test.w, min(max(b, -test.slack), test.slack), test.slack - b, test.slack + b}[:len(primal)]
		// The curvature is at least 1: residuals of 1e-9 move these by a few 1e-9.
		aboutAll(t, primal, want, 1e-8, "C = %v: primal", test.c)
		aboutAll(t, must(SolveQP(DualQP(k, ys, test.c), QPOptions{})).X, constant(2, test.alpha), 1e-8, "C = %v: dual", test.c)
	}
}

// B11: the objective lies below its chords, by exactly ½t(1−t)(x−z)ᵀQ(x−z); Jensen's inequality for more points; and a
// local minimum is global: moving from x towards a better z descends from the first step. Exact in integers.
func TestB11Convexity(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	for range 300 {
		_, q := qpRandom(rng)
		n := len(q.C)
		xs, w := kernelIntegers(rng, 4, n), []float64{0.125, 0.25, 0.125, 0.5}
		mean, average := make([]float64, n), 0.0
		for i, x := range xs {
			divide(x, 1./8) // multiples of 8: their averages are integers
			axpy(mean, w[i], x)
			average += w[i] * q.Value(x)
		}
		jensen := q.Jensen(xs, w)
		equal(t, jensen, average-q.Value(mean), "Jensen")
		x, z := xs[0], xs[1]
		if q.Value(x) < q.Value(z) {
			x, z = z, x
		}
		d := minus(z, x)
		half := slices.Clone(x)
		axpy(half, 0.5, d)
		chord := (q.Value(x) + q.Value(z)) / 2
		equal(t, chord-q.Value(half), (QP{Q: q.Q}).Value(d)/4, "chord − f in the middle")
		check(t, jensen >= 0 && chord >= q.Value(half), "f is %v below the mean, %v below the chord", jensen, chord-q.Value(half))
		atMost(t, Dot(q.Gradient(x), d), q.Value(z)-q.Value(x), "slope towards a point not higher <= how much higher that is")
	}
	// The linear terms have mean 0, so they do not count, and large ones do not drown the rest.
	q := QP{Q: laDiag(1), C: []float64{0x1p70}, Lo: []float64{0}}
	equal(t, q.Jensen([][]float64{{0}, {1}}, []float64{0.5, 0.5}), 0.125, "½ (½ ¼ + ½ ¼) below a steep slope")
}

// C4: f, ∇f = Qx + c, Jacobian [A; Aeq], Hessian Q: by differences, exact for quadratics, unrounded on integers.
func TestC4Derivatives(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 18))
	for range 300 {
		_, q := qpRandom(rng)
		n := len(q.C)
		x := build(n, func(int) float64 { return float64(rng.IntN(9) - 4) })
		side := func(i int) float64 { // the left-hand side of constraint i
			if i < len(q.B) {
				return Dot(q.A.Row(i), x)
			}
			return Dot(q.Aeq.Row(i-len(q.B)), x)
		}
		gradient, jacobian, hessian := q.Gradient(x), q.Jacobian(), q.Hessian()
		sizes := []int{len(gradient), jacobian.Rows, jacobian.Cols, hessian.Rows, hessian.Cols}
		equal(t, sizes, []int{n, len(q.B) + len(q.Beq), n, n, n}, "sizes of the gradient, the Jacobian and the Hessian")
		for j, g := range gradient {
			equal(t, g, slope(func() float64 { return q.Value(x) }, &x[j], 1), "Gradient(%v)[%d]", x, j)
			for i := range jacobian.Rows {
				equal(t, jacobian.At(i, j), slope(func() float64 { return side(i) }, &x[j], 1), "Jacobian(%d, %d)", i, j)
			}
			for i := range n {
				equal(t, hessian.At(i, j), slope(func() float64 { return q.Gradient(x)[i] }, &x[j], 1), "Hessian(%d, %d)", i, j)
			}
		}
	}
	q := QP{C: []float64{1, 2}} // all other parts are absent
	equal(t, q.Value([]float64{3, 4}), 11, "f without Q")
	equal(t, q.Gradient([]float64{3, 4}), q.C, "∇f without Q")
	equal(t, q.Hessian(), NewMatrix(2, 2), "Hessian without Q")
	equal(t, q.Jacobian(), &Matrix{0, 2, nil}, "Jacobian without A and Aeq")
	one, two := []float64{1}, []float64{1, 2}
	for _, q := range []QP{{C: two, Lo: one}, {C: two, Beq: one}, {C: []float64{math.NaN(), 1}}} {
		for name, use := range map[string]func(){"Value": func() { q.Value(two) }, "Gradient": func() { q.Gradient(two) },
			"Hessian": func() { q.Hessian() }, "Jacobian": func() { q.Jacobian() }, "Size": func() { q.Size() },
			"Theta": func() { q.Theta(two) }, "Jensen": func() { q.Jensen([][]float64{two}, one) }} {
			check(t, strings.HasPrefix(panics(use), "svm: QP: "), "%s of %+v: panic %q", name, q, panics(use))
		}
	}
}

// B2, B7: the signed dual: its gradient by differences (exact for a quadratic, up to rounding), its objective by double
// sums, and its optimality: up ≤ low at the solution of the interior point, with b between.
func TestB2Dual(t *testing.T) {
	rng := rand.New(rand.NewPCG(27, 28))
	k, _, ys := qpGaussian(rng, 25)
	d := oracleSVC(k, ys, 2, nil)
	d.P, d.Sum = normal(rng, 25), 0.5
	const rounding = 1e-12 // of sums of 25² terms of size about 1
	beta := normal(rng, 25)
	beta[3] = 0
	objective := 0.0
	for i, bi := range beta {
		objective += d.P[i] * bi
		for j, bj := range beta {
			objective -= bi * k.At(i, j) * bj / 2
		}
	}
	about(t, d.Objective(beta), objective, rounding, "Objective")
	gradient := build(25, func(i int) float64 { return slope(func() float64 { return d.Objective(beta) }, &beta[i], 0.5) })
	aboutAll(t, d.Gradient(beta), gradient, rounding, "Gradient")
	box, sum := d.Infeasibility(beta)
	wantBox, wantSum := 0.0, -0.5
	for i, b := range beta {
		wantBox, wantSum = max(wantBox, b-d.Hi[i], d.Lo[i]-b), wantSum+b
	}
	check(t, box == wantBox && box > 0, "out of the box by %v, want %v > 0", box, wantBox)
	about(t, sum, math.Abs(wantSum), rounding/100, "Infeasibility: |Σβ − s|") // 25 terms
	s := must(InteriorPoint(d, QPOptions{}))
	box, sum = d.Infeasibility(s.X)
	atMost(t, max(box, sum), qpTol, "infeasibility of the solution")
	up, low := d.Bias(s.X, d.Gradient(s.X))
	b := s.Eq[0]
	check(t, up <= low+1e-8 && b >= up-1e-8 && b <= low+1e-8, "up = %v, low = %v, b = %v, want up ≤ b ≤ low", up, low, b)
	about(t, d.Objective(s.X), -s.Objective, qpTol, "Objective of the solution")
	up, low = d.Bias(make([]float64, 25), d.P) // β = 0 with gradient p, far from optimal
	check(t, up >= low, "at 0: up = %v < low = %v", up, low)
	for name, use := range map[string]func(){"Gradient": func() { d.Gradient(beta[:24]) }, "Bias": func() { d.Bias(beta[:24], beta) },
		"Bias, g": func() { d.Bias(beta, beta[:24]) }, "Infeasibility": func() { d.Infeasibility(beta[:24]) }} {
		equal(t, panics(use), "svm: Dual: 24 numbers for 25 variables", "%s", name)
	}
	one, two := []float64{0}, []float64{0, 0}
	for _, d := range []Dual{{P: one, Lo: two, Hi: one}, {P: one, Lo: one, Hi: two}} {
		check(t, panics(func() { d.Bias(one, one) }) != "", "Bias: no panic for %+v", d)
		check(t, panics(func() { d.Infeasibility(one) }) != "", "Infeasibility: no panic for %+v", d)
	}
	same := Dual{K: laDiag(1, 2), P: two, Lo: two, Hi: two}
	check(t, must(same.QP()).Q == same.K.(*Matrix), "QP computes a matrix anew")
}

// B2: malformed and infeasible duals are refused with an error that names the fault.
func TestDualErrors(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	k := laOne(2)
	good := Dual{k, []float64{1, 1}, []float64{0, 0}, []float64{1, 1}, 1}
	equal(t, good.check(), nil, "check of a good dual")
	for _, test := range []struct {
		name string
		d    Dual
		is   error
		has  string
	}{
		{"no K", Dual{}, nil, "K is absent"},
		{"K not square", Dual{NewMatrix(2, 3), good.P, good.Lo, good.Hi, 1}, nil, "not a square matrix"},
		{"K nil", Dual{K: (*Matrix)(nil)}, nil, "not a square matrix"},
		{"P short", Dual{k, []float64{1}, good.Lo, good.Hi, 1}, nil, "P has 1"},
		{"Lo long", Dual{k, good.P, []float64{0, 0, 0}, good.Hi, 1}, nil, "Lo has 3"},
		{"Hi absent", Dual{k, good.P, good.Lo, nil, 1}, nil, "Hi has 0"},
		{"infinite P", Dual{k, []float64{1, inf}, good.Lo, good.Hi, 1}, ErrNotFinite, "P[1]"},
		{"P is -Inf", Dual{k, []float64{1, -inf}, good.Lo, good.Hi, 1}, ErrNotFinite, "P[1] is -Inf"},
		{"NaN Lo", Dual{k, good.P, []float64{nan, 0}, good.Hi, 1}, ErrNotFinite, "Lo[0]"},
		{"NaN Sum", Dual{k, good.P, good.Lo, good.Hi, nan}, ErrNotFinite, "Sum is NaN"},
		{"Lo above Hi", Dual{k, good.P, []float64{0, 2}, good.Hi, 1}, ErrInfeasible, "point 1"},
		{"no number is +Inf", Dual{k, good.P, []float64{0, inf}, []float64{1, inf}, 1}, ErrInfeasible, "point 1"},
		{"no number is -Inf", Dual{k, good.P, []float64{0, -inf}, []float64{1, -inf}, 1}, ErrInfeasible, "point 1"},
		{"Sum too large", Dual{k, good.P, good.Lo, good.Hi, 2.5}, ErrInfeasible, "sum 2.5"},
		{"Sum too small", Dual{k, good.P, good.Lo, good.Hi, -0.5}, ErrInfeasible, "[0, 2]"},
	} {
		refused(t, errOf(InteriorPoint(test.d, QPOptions{})), test.is, test.has, "%s: InteriorPoint", test.name)
	}
	// 0.1 ten times is less than 1 by rounding, and no error.
	full := Dual{NewMatrix(10, 10), constant(10, 1), make([]float64, 10), constant(10, 0.1), 1}
	aboutAll(t, must(InteriorPoint(full, QPOptions{})).X, full.Hi, 1e-12, "InteriorPoint of a full box")
	aboutAll(t, must(SMO(full, SMOOptions{})).Beta, full.Hi, 1e-12, "SMO of a full box")
}

// Quadratic programs: no solution.

// qpRefuted returns what is wrong with the certificate that err has for its verdict on q, or "" if it is valid.
func qpRefuted(q QP, err error) string {
	const tol = 1e-8 // certificates have largest entry 1, data entries at most a few units
	var infeasible *InfeasibleError
	var unbounded *UnboundedError
	switch {
	case errors.As(err, &infeasible):
		z := slices.Concat(infeasible.Ineq, infeasible.Eq, infeasible.Lower, infeasible.Upper)
		g, side := make([]float64, len(q.C)), 0.0
		for i, c := range qpSides(q, len(q.C)) {
			if z[i] < 0 && !c.eq {
				return "negative multiplier"
			}
			if z[i] != 0 {
				axpy(g, z[i], c.row)
				side += z[i] * c.side
			}
		}
		if !(side < -tol) || largest(g) > tol*-side || largest(z) != 1 {
			return fmt.Sprintf("Farkas: combination %v, side %v", g, side)
		}
	case errors.As(err, &unbounded):
		x, d, qd := unbounded.Point, unbounded.Ray, matVec(q.Q, unbounded.Ray)
		if !(Dot(q.C, d) < -tol) || largest(qd) > tol || largest(d) != 1 {
			return fmt.Sprintf("ray: slope %v, Qd = %v", Dot(q.C, d), qd)
		}
		for i, c := range qpSides(q, len(q.C)) {
			slope, excess := Dot(c.row, d), Dot(c.row, x)-c.side
			if c.eq {
				slope, excess = math.Abs(slope), math.Abs(excess)
			}
			if slope > tol && !math.IsInf(c.side, 1) || excess > tol {
				return fmt.Sprintf("constraint %d: exceeded by %v at the point, by %v along the ray", i, excess, slope)
			}
		}
	default:
		return "no certificate"
	}
	return ""
}

// C5: non-convex programs are recognised, with a direction of negative curvature; semidefinite ones are not called so.
func TestC5NotConvex(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for trial := range 200 {
		n := 1 + rng.IntN(8)
		q := NewMatrix(n, n)
		for range rng.IntN(n + 1) {
			v := normal(rng, n)
			for i := range n {
				axpy(q.Row(i), v[i], v)
			}
		}
		must(SolveQP(QP{Q: q, Lo: constant(n, 0), Hi: constant(n, 1)}, QPOptions{})) // a Gram matrix
		v := normal(rng, n)
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
			got := quadratic(q, e.Direction)
			check(t, got < 0 && errors.Is(err, ErrNotConvex), "trial %d: dᵀQd = %v, SolveQP = %v", trial, got, err)
			about(t, e.Curvature, got, 1e-9*math.Abs(got), "trial %d: Curvature == dᵀQd", trial) // a few roundings of Q's entries
			equal(t, largest(e.Direction), 1, "trial %d: largest entry of d", trial)
		}
	}
	// The second pivot is 0: the tiny T has underflowed. That is no negative curvature.
	must(SolveQP(QP{Q: &Matrix{2, 2, constant(4, 1e-320)}, C: []float64{-1, -1}, Lo: constant(2, 0), Hi: constant(2, 1)}, QPOptions{}))
}

// C5: a negative curvature is recognised however small it is beside others, and a small positive one is not refused;
// nor does it matter in which units the unknowns are.
func TestC5NotConvexUnits(t *testing.T) {
	for e := range 12 {
		big := math.Pow(10, float64(2*e+1))
		for _, small := range []float64{-0.1, 0.1} {
			q := QP{Q: qpRows([]float64{big, 0}, []float64{0, small}), Lo: constant(2, -1), Hi: constant(2, 1)}
			_, err := SolveQP(q, QPOptions{})
			check(t, errors.Is(err, ErrNotConvex) == (small < 0), "curvatures %v and %v: %v", big, small, err)
		}
		_, err := SolveQP(QP{Q: qpRows([]float64{0, big}, []float64{big, 0})}, QPOptions{}) // λ = −big, along (1, −1)
		var bent *NotConvexError
		check(t, errors.As(err, &bent), "a saddle of %v: %v", big, err)
		about(t, bent.Curvature, -2*big, 1e-12*big, "curvature of a saddle of %v", big)
		for _, corner := range []float64{8, 9} { // 1·8 − 3² < 0; with 9 it is a singular Gram matrix
			unit := math.Pow(2, float64(3*e))
			_, err = SolveQP(QP{Q: qpRows([]float64{unit * unit, 3 * unit}, []float64{3 * unit, corner})}, QPOptions{})
			check(t, errors.Is(err, ErrNotConvex) == (corner < 9), "curvature %v, units of %v: %v", corner, unit, err)
		}
	}
}

// C5: constraints that contradict each other are recognised, with a valid proof.
func TestC5Contradictions(t *testing.T) {
	inf := math.Inf(1)
	for name, q := range map[string]QP{
		"lo > hi":             {Lo: []float64{1}, Hi: []float64{0}},
		"lo > hi, of three":   {Lo: []float64{1, -1, -2}, Hi: []float64{0, 3, 3}},
		"lo = +Inf":           {Lo: []float64{inf}, Hi: []float64{inf}},
		"hi = -Inf":           {Lo: []float64{-inf}, Hi: []float64{-inf}},
		"b = -Inf":            {A: qpRows([]float64{1}), B: []float64{-inf}},
		"fixed against a row": {A: qpRows([]float64{1}), B: []float64{1}, Lo: []float64{2}, Hi: []float64{2}},
		"far apart":           {A: qpRows([]float64{1e6}, []float64{-1e-3}), B: []float64{1, -1}},
		"two rows that might prove it by rounding": {A: qpRows([]float64{2, 1}), B: []float64{0},
			Aeq: qpRows([]float64{2, 1}), Beq: []float64{0}, Lo: []float64{-1, -1}, Hi: []float64{-1, -1}},
		"0 <= -2e6 among rows in other units": {A: qpRows([]float64{-1e-6}, []float64{0}, []float64{0}, []float64{1000}),
			B: []float64{0, -2e6, 3e-6, -1000}, Hi: []float64{2}},
		"hulls that meet": PrimalQP([][]float64{{1, 2, -2}, {1, 1, -1}, {-1, 2, 2}, {-2, 0, 1}, {2, 2, 1}, {1, -2, -2},
			{1, 0, 0}, {-2, 1, 1}, {2, 0, 0}, {-2, 0, 2}, {-1, 1, 0}}, []float64{-1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1}, inf),
	} {
		_, err := SolveQP(q, QPOptions{})
		var e *InfeasibleError
		check(t, errors.As(err, &e) && errors.Is(err, ErrInfeasible), "%s: SolveQP = %v, want an InfeasibleError", name, err)
		equal(t, qpRefuted(q.present(), err), "", "%s: what is wrong with the proof", name)
	}
	// A point that fails by 1 is feasible for a tolerance of 1, but no part of a proof.
	q := QP{C: []float64{2}, Aeq: qpRows([]float64{0}), Beq: []float64{1}, Hi: []float64{2}}
	_, err := SolveQP(q, QPOptions{Tol: 1})
	equal(t, qpRefuted(q.present(), err), "", "a generous tolerance: %v: what is wrong with the proof", err)
	// Two rows that differ by rounding can hold together. Beyond 10⁷ Gᵀz and hᵀz may be nothing but rounding.
	for at, q := range map[string]QP{
		"(2.7e10, 1.1e10)": {Aeq: qpRows([]float64{-0.2, 0.5}, []float64{-0.26666666666666666, 0.6666666666666666}),
			Beq: []float64{0, 1e-7}, Lo: []float64{1e7, 1e4}},
		"(1.7e8, 3.4e9)": {Aeq: qpRows([]float64{-2, 0.1}, []float64{-3.6, 0.1800000000000001}),
			Beq: []float64{0, 3.06872215117995e-07}, Lo: []float64{240, 663}},
	} {
		_, err := SolveQP(q, QPOptions{})
		check(t, !errors.Is(err, ErrInfeasible), "nearly dependent rows: SolveQP = %v, and there is a point near %s", err, at)
	}
}

// C5: an unstable system that weak controls u cannot keep in |x| ≤ 10: xₜ₊₁ = Axₜ + Buₜ. The multipliers that prove it
// decay with time, so of Gᵀz only rounding is left in late columns, where the multiplier of a bound can cancel it.
func TestC5LongHorizon(t *testing.T) {
	const horizon, width = 60, 3 // two states and a control for each time
	for _, seed := range []uint64{8, 9, 10}[:fewer(3, 1)] {
		rng := rand.New(rand.NewPCG(seed, 97))
		a, b, start := &Matrix{2, 2, normal(rng, 4)}, normal(rng, 2), normal(rng, 2)
		n := horizon * width
		q := QP{Q: laOne(n), Aeq: NewMatrix(2*horizon, n), Beq: make([]float64, 2*horizon), Lo: constant(n, -10), Hi: constant(n, 10)}
		for now := range horizon {
			x := now * width
			for i := range 2 {
				row := q.Aeq.Row(2*now + i)
				row[x+i], row[x+2] = 1, -b[i]
				for j := range 2 {
					if now == 0 {
						q.Beq[i] += 5 * a.At(i, j) * start[j]
					} else {
						row[x-width+j] = -1.2 * a.At(i, j)
					}
				}
			}
			q.Lo[x+2], q.Hi[x+2] = -1, 1
		}
		_, err := SolveQP(q, QPOptions{})
		equal(t, qpRefuted(q.present(), err), "", "seed %d: %v: what is wrong with the proof", seed, err)
	}
}

// C1, C5: a slope that is small beside c, along the one direction d ≥ 0 with Qd = 0. Q = BᵀB, B of small integers with
// nearly parallel columns, and f(x) = ½‖B(x − u)‖² with or without a slope of −1 along a d that has entry 1.
func TestC5GentleSlope(t *testing.T) {
	found, seeds := 0, fewer(200, 20)
	for seed := range uint64(seeds) {
		rng := rand.New(rand.NewPCG(seed, 9))
		n := 4 + rng.IntN(30)
		along := build(n-1, func(int) float64 { return float64(rng.IntN(21) - 10) })
		b := laFill(n-1, n, func(i, j int) float64 { return along[i] + float64(rng.IntN(3)-1) })
		d := append(build(n-1, func(int) float64 { return float64(rng.IntN(3)) }), 1)
		for i := range n - 1 {
			b.Set(i, n-1, -Dot(b.Row(i)[:n-1], d[:n-1]))
		}
		q := QP{Q: b.T().Mul(b), Lo: make([]float64, n)}
		u := build(n, func(int) float64 { return float64(rng.IntN(5)) })
		q.C = times(matVec(q.Q, u), constant(n, -1))
		want := q.Value(u)
		about(t, must(SolveQP(q, QPOptions{})).Objective, want, 1e-9*(1-want), "seed %d: objective without a slope", seed)
		q.C[slices.Index(d, 1)]--
		_, err := SolveQP(q, QPOptions{})
		check(t, errors.Is(err, ErrUnbounded) || errors.Is(err, ErrNotConverged), "seed %d: slope −1: %v", seed, err)
		if errors.Is(err, ErrUnbounded) {
			found++
		}
	}
	check(t, 20*found >= 19*seeds, "%d of %d slopes are found", found, seeds)
}

// C5: where sides are large beside the tolerance, phase one continues until its multipliers are tiny. That products
// with these vanish proves nothing: a program with a feasible point must not be called infeasible.
func TestC5LargeSides(t *testing.T) {
	for _, test := range []struct {
		q QP
		x []float64 // a feasible point
	}{
		{QP{C: []float64{0.0625, -0.0234375}, A: qpRows([]float64{0.009765625, 0}), B: []float64{-41807.34375},
			Aeq: qpRows([]float64{-.5, 0}, []float64{-.5, .140625}), Beq: []float64{2140536, -6998712}}, []float64{-4281072, -64990208}},
		{QP{C: []float64{0.00146484375, 98304}, A: qpRows([]float64{-0.000732421875, -81920}, []float64{0.00048828125, 0}),
			B: []float64{494121, -280089}}, []float64{-573622272, -0.903167724609375}}, // unbounded
		// All terms of one column of Gᵀz are small beside those of the other columns.
		{QP{C: []float64{1, 1}, A: qpRows([]float64{0, -320}, []float64{224, -4.263256414560601e-14}),
			B:   []float64{3.9111314374656e+14, 0.45562732219696045},
			Aeq: qpRows([]float64{-1.048576e+07, -4.6566128730773926e-09}, []float64{32, 0}),
			Beq: []float64{-13197.9296875, 0.05764579772949219}}, []float64{0.0018014311790466309, -1.222228574208e+12}},
		{QP{C: []float64{3e-5, -2.7e8}, A: qpRows([]float64{-0.375, 0}, []float64{9.313225746154785e-10, 24576}),
			B: []float64{1.2768804864e+10, -69.532470703125}, Lo: []float64{-3.4050146304e+10, -0.0015389323234558105}},
			[]float64{-3.4050146304e+10, -0.0015389323234558105}},
	} {
		equal(t, test.q.Theta(test.x), test.q.Value(test.x), "θ of %v, which is feasible", test.x)
		for _, tol := range []float64{1e-9, 1e-6, 1e-3} {
			_, err := SolveQP(test.q, QPOptions{Tol: tol})
			check(t, !errors.Is(err, ErrInfeasible), "%v is feasible: %v", test.x, err)
		}
	}
}

// C5: sides that contradict each other by a billionth of their size or less, but more than the tolerance, are refuted.
func TestC5SmallContradictions(t *testing.T) {
	for _, side := range []float64{1e4, 1e6, 1e8, 1e10} {
		for _, share := range []float64{1e-7, 1e-9, 1e-11} {
			q := QP{C: []float64{1}, A: qpRows([]float64{1}, []float64{-1}), B: []float64{side, -side - share*side}}
			var proof *InfeasibleError
			_, err := SolveQP(q, QPOptions{})
			if !errors.As(err, &proof) {
				t.Errorf("x ≤ %v, x ≥ that and %v of it: %v, want a proof of infeasibility", side, share, err)
				continue
			}
			equal(t, proof.Ineq[0], proof.Ineq[1], "x ≤ %v, x ≥ that and %v of it: multipliers", side, share)
			check(t, Dot(q.B, proof.Ineq) < 0, "x ≤ %v, x ≥ that and %v of it: bᵀz is not negative", side, share)
		}
	}
	for _, c := range []struct {
		a, b  []float64
		proof bool
	}{
		{[]float64{1, -1}, []float64{1e8, -1e8 - 0.1}, true},
		{[]float64{1, -1}, []float64{10, -10 - 1.5e-9}, false},                            // a point between is within tolerance
		{[]float64{1, -1}, []float64{1e8, math.Nextafter(-1e8, -math.MaxFloat64)}, false}, // what bᵀz is may be rounding
		{[]float64{1, -1 + 1e-14}, []float64{0, -1}, true},                                // what Aᵀz is may be rounding
		{[]float64{1, -1 + 1e-10}, []float64{0, -1}, false},
	} {
		q := QP{C: []float64{1}, A: MatrixFromRows([][]float64{c.a}).T(), B: c.b}.present()
		err := q.farkas([]float64{0}, []float64{1, 1, 0, 0}, []float64{1}, 1e-9)
		equal(t, err != nil, c.proof, "a = %v, b = %v: (1, 1) is a proof", c.a, c.b)
	}
}

// C5: with Q = vvᵀ of rank 1 and one bound, f falls forever if and only if it falls along v's normal, away from the
// bound. Far out on such a way all residuals vanish in rounding, for numbers as small as these.
func TestC5RankOne(t *testing.T) {
	counts := map[bool]int{}
	kernelGrid(slices.Concat(kernelRange(2, fewer(12, 3), 0), kernelRange(2, 4, -1)), func(k []int64) {
		v, c := kernelFloats(k[:2]), kernelFloats(k[2:])
		q := QP{Q: MatrixFromRows([][]float64{v}).T().Mul(MatrixFromRows([][]float64{v})), C: c,
			Lo: []float64{2, math.Inf(-1)}}
		slope := c[0]*v[1] - c[1]*v[0] // of f along (v₁, −v₀)
		unbounded := slope < 0 && v[1] >= 0 || slope > 0 && v[1] <= 0
		if v[0] == 0 && v[1] == 0 {
			unbounded = c[0] < 0 || c[1] != 0
		}
		_, err := SolveQP(q, QPOptions{})
		check(t, errors.Is(err, ErrUnbounded) == unbounded && (err == nil) == !unbounded, "v = %v, c = %v: %v", v, c, err)
		counts[unbounded]++
	})
	check(t, min(counts[true], counts[false]) > fewer(500, 50), "unbounded or not: %v, want many of both", counts)
}

// C5: what is unbounded is so in any units.
func TestC5Units(t *testing.T) {
	inf := math.Inf(1)
	for e := range 7 {
		unit := math.Pow(10, float64(-e))
		for name, q := range map[string]QP{
			"quadratic": {Q: &Matrix{2, 2, constant(4, unit)}, C: []float64{3 * unit, -3 * unit}, Hi: []float64{-1, inf}},
			"linear": {C: []float64{-3, 2, 1, 1}, Aeq: qpRows([]float64{-unit, -unit, -unit, 0}), Beq: []float64{0},
				Hi: []float64{inf, inf, 2, 2}},
		} {
			_, err := SolveQP(q, QPOptions{})
			check(t, errors.Is(err, ErrUnbounded), "%s in units of %v: SolveQP = %v, want an UnboundedError", name, unit, err)
			equal(t, qpRefuted(q.present(), err), "", "%s in units of %v: what is wrong with the proof", name, unit)
		}
	}
	q := QP{Q: qpRows([]float64{1e-8, 0}, []float64{0, 1}), C: []float64{-1, 1}, A: qpRows([]float64{-1e6, 1}), B: []float64{0}}
	_, err := SolveQP(q, QPOptions{})
	check(t, !errors.Is(err, ErrUnbounded), "Q = diag(1e-8, 1): SolveQP = %v", err)
	q = QP{C: []float64{-1, 0}, Aeq: qpRows([]float64{1, -1e-7}), Beq: []float64{0}, A: qpRows([]float64{0, -1}), B: []float64{0}}
	_, err = SolveQP(q, QPOptions{})
	check(t, errors.Is(err, ErrUnbounded), "along (1e-7, 1): SolveQP = %v, want an UnboundedError", err)
	equal(t, qpRefuted(q.present(), err), "", "along (1e-7, 1): what is wrong with the proof")
	// The verdict is the same if every unknown has a unit of its own: powers of two change no digit.
	rng := rand.New(rand.NewPCG(43, 44))
	verdict := func(q QP) (verdict error) {
		_, err := SolveQP(q, QPOptions{Tol: 1e-6})
		for _, verdict = range []error{ErrInfeasible, ErrUnbounded, ErrNotConvex, ErrNotConverged} {
			if errors.Is(err, verdict) {
				return verdict
			}
		}
		return nil
	}
	unbounded, trials := 0, fewer(2000, 200)
	for trial := range trials {
		_, q := qpRandom(rng)
		q = q.present()
		units := build(len(q.C), func(int) float64 { return math.Exp2(float64(rng.IntN(21) - 10)) })
		scaled := inUnits(q, units)
		want, got := verdict(q), verdict(scaled)
		check(t, got == want, "trial %d: SolveQP(%+v) in units %v = %v, want %v", trial, q, units, got, want)
		var e *UnboundedError
		if _, err := SolveQP(scaled, QPOptions{}); errors.As(err, &e) {
			unbounded++
			for j, d := range e.Ray { // bounds hold exactly, not up to rounding
				check(t, (d >= 0 || math.IsInf(scaled.Lo[j], -1)) && (d <= 0 || math.IsInf(scaled.Hi[j], 1)),
					"trial %d: ray %v leaves [%v, %v]", trial, d, scaled.Lo[j], scaled.Hi[j])
			}
		}
	}
	check(t, unbounded > trials/20, "%d of %d programs are unbounded: the test tests little", unbounded, trials)
}

// C1, C5: a guess of the active set may have rows that cannot hold together. They get multipliers of 10¹⁰ or more,
// whose rounding hides all residuals: these must neither enter a solution nor let an unbounded program pass for solved.
func TestQPContradiction(t *testing.T) {
	inf := math.Inf(1)
	q := QP{Q: qpRows([]float64{1, 2, 0}, []float64{2, 4, 0}, []float64{0, 0, 0}), C: []float64{0, -1, -2},
		Aeq: qpRows([]float64{0, 0, -1}, []float64{2, 0, 0}), Beq: []float64{2, 2}, A: qpRows([]float64{2, 0, 1}), B: []float64{2},
		Lo: []float64{-2, -inf, -2}, Hi: []float64{1, 2, 0}}
	atMost(t, qpJudge(q, must(SolveQP(q, QPOptions{}))), qpTol, "worst violation of B5")
	q = QP{C: []float64{-1, 0, -2, 0}, Aeq: qpRows([]float64{2, 2, 0, -2}), Beq: []float64{-2},
		A: qpRows([]float64{4, 4, 0, -4}), B: []float64{-4}, Lo: []float64{-inf, 0, 0, 0}, Hi: []float64{inf, 0, 0, inf}}
	refused(t, errOf(SolveQP(q, QPOptions{})), ErrUnbounded, "", "SolveQP of a program with a ray")
}

// C1: five equations and their sum, whose side is off by less than the tolerance. SolveQP either refutes them or
// returns a point within the tolerance, for it lets such equations yield by a share of the tolerance. If it did not,
// two in five runs would end without either.
func TestQPNearlyConsistent(t *testing.T) {
	const n, m = 10, 5
	missed := 0
	for seed := range uint64(fewer(30, 3)) {
		for _, c := range []struct{ tol, off float64 }{{1e-3, 1e-8}, {1e-3, 1e-7}, {1e-6, 1e-9}, {1e-6, 1e-8}, {1e-9, 1e-12}, {1e-9, 1e-11}} {
			rng := rand.New(rand.NewPCG(seed, 5))
			a, b := qpMatrix(rng, m+1, n), make([]float64, m+1)
			a.MulVec(b, build(n, func(int) float64 { return rng.Float64() })) // at a point of the box
			a.MulVecT(a.Row(m), []float64{1, 1, 1, 1, 1, 0})
			b[m] = total(b[:m]) + c.off
			q := QP{C: build(n, func(int) float64 { return rng.Float64() }), Aeq: a, Beq: b, Lo: constant(n, 0)}
			if _, err := SolveQP(q, QPOptions{Tol: c.tol}); err != nil && !errors.Is(err, ErrInfeasible) {
				missed++
			}
		}
	}
	check(t, missed <= 1, "%d programs are neither solved nor refuted", missed)
}

// C5: five equations and combinations of them, with a side that is off by more than the tolerance, are refuted.
func TestC5InconsistentEquations(t *testing.T) {
	const n, m = 12, 5
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 6))
		a, b := qpMatrix(rng, m+1, n), make([]float64, m+1)
		a.MulVec(b, build(n, func(int) float64 { return rng.Float64() }))
		z := append(normal(rng, m), 0)
		a.MulVecT(a.Row(m), z)
		b[m] = Dot(b, z) + 1e-7
		_, err := SolveQP(QP{Q: laOne(n), C: normal(rng, n), Aeq: a, Beq: b, Lo: constant(n, 0)}, QPOptions{})
		var proof *InfeasibleError
		if !errors.As(err, &proof) {
			t.Errorf("seed %d: %v, want a proof of infeasibility", seed, err)
			continue
		}
		g := make([]float64, n)
		a.MulVecT(g, proof.Eq)
		axpy(g, -1, proof.Lower)
		atMost(t, largest(g), 1e-14, "seed %d: Gᵀz, of multipliers up to 1", seed)
		atMost(t, Dot(b, proof.Eq), -1e-8, "seed %d: hᵀz", seed) // 1e-7 over the largest entry of z
	}
}

// C1: with too few iterations the best point is returned with its residuals, and ErrNotConverged.
func TestQPNotConverged(t *testing.T) {
	rng, refusals := rand.New(rand.NewPCG(25, 26)), 0
	for range fewer(5, 1) {
		_, xs, ys := qpGaussian(rng, 80)
		q := PrimalQP(xs, ys, 1000)
		for limit := 1; ; limit++ {
			s, err := SolveQP(q, QPOptions{MaxIter: limit})
			if err == nil {
				break
			}
			refusals++
			if !errors.Is(err, ErrNotConverged) || s == nil || s.Iterations > limit || s.worst() <= 1e-9 {
				t.Fatalf("MaxIter %d: SolveQP = %+v, %v", limit, s, err)
			}
			firm := q.present().solve(QPOptions{1e-9, limit}, 0)
			atMost(t, s.worst(), firm.worst(), "MaxIter %d: what is missing, and without rows that yield", limit)
		}
	}
	check(t, refusals > 0, "all are solved in one iteration: the test tests nothing")
}

// Quadratic programs: the path.

// C4, (L9), (L10): a Newton step solves its linear system, whatever the mixture of soft, firm and dependent rows.
func TestC4NewtonSystem(t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 20))
	for trial := range 200 {
		n, m := 1+rng.IntN(6), rng.IntN(6)
		root := qpMatrix(rng, n, n)
		divide(root.Data, math.Pow(10, 3*rng.Float64())) // a firm row must not drown a curvature of 10⁻⁶
		k := &saddle{a: root.T().Mul(root)}
		for range m {
			k.g = append(k.g, form{row: normal(rng, n)})
		}
		k.g = append(k.g, form{sign: -1}, form{sign: 1})
		for range k.g {
			k.d = append(k.d, math.Pow(10, 16*rng.Float64()-8))
		}
		if m > 2 {
			copy(k.g[1].row, k.g[0].row) // dependent rows, not both with d = 0
			k.d[2] = 0
		}
		r1, r2 := normal(rng, n), normal(rng, m+2)
		x, z := make([]float64, n), make([]float64, m+2)
		if !k.factor() {
			t.Fatalf("trial %d: factor failed", trial)
		}
		k.solve(r1, r2, x, z, 0)
		first, size := matVec(k.a, x), 1+largest(x)*largest(k.a.Data)+largest(z)*float64(m+2)
		for i := range z {
			row := make([]float64, n)
			k.g[i].add(row, 1)
			axpy(first, z[i], row)
			about(t, Dot(row, x)-k.d[i]*z[i], r2[i], 1e-8*(size+k.d[i]*math.Abs(z[i])), "trial %d: row %d of G", trial, i)
		}
		aboutAll(t, first, r1, 1e-8*size, "trial %d: rows of A", trial)
	}
}

// C4: a step of length a takes the linear residuals r_d and r_p to 1 − a of what they were, up to rounding.
func TestC4NewtonStep(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	both := 0
	for trial := range 100 {
		n, m := 4, 5
		root := qpMatrix(rng, n, n)
		q := QP{C: normal(rng, n), A: qpMatrix(rng, m, n), B: normal(rng, m), Lo: constant(n, -1), Hi: constant(n, 1)}
		if trial%2 == 0 {
			q.Q = root.T().Mul(root)
		}
		at := newPath(q.present().program())
		at.start()
		at.measure()
		rd, rp := slices.Clone(at.rd), slices.Clone(at.rp)
		check(t, at.step(), "trial %d: no step", trial)
		at.measure()
		dual, primal := Dot(rd, at.rd)/norm2(rd), Dot(rp, at.rp)/norm2(rp)
		axpy(at.rd, -dual, rd)
		axpy(at.rp, -primal, rp)
		tol := 1e-9*(1+largest(rd)+largest(rp)+largest(at.z)+largest(at.x)) + exact*at.mu
		if min(largest(rd), largest(rp)) > 1e-3 { // otherwise a ratio is one of rounding errors
			both++
			atMost(t, max(largest(at.rd), largest(at.rp)), tol, "trial %d: part of the residuals not parallel to those before", trial)
			about(t, dual, primal, 1e-6, "trial %d: the share of r_d that is left == that of r_p", trial)
			check(t, dual >= 0 && dual < 1, "trial %d: the share left is %v, want it in [0, 1)", trial, dual)
		}
	}
	check(t, both > 50, "%d of 100 programs have residuals to shrink: the test tests little", both)
}

// (L10): of many rows with large weights, all but 3n become soft if the rows determine x, so C stays small. If they
// leave x free, or nearly so, the larger ω would drown A, and all stay firm. Either way x is found, also on the path.
func TestQPManyFirmRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 42))
	const n, m = 8, 300
	direction := normal(rng, n)
	along := func(angle float64) []float64 {
		row := times(normal(rng, n), constant(n, angle))
		axpy(row, 1+rng.Float64(), direction)
		return row
	}
	general := func() []float64 { return normal(rng, n) }
	mixed := func() []float64 { return append([]float64{1e6 * rng.Float64()}, normal(rng, n-1)...) }
	for _, c := range []struct {
		name    string
		row     func() []float64
		m       int
		d, near float64 // d of the rows, within a factor of 100; d of a bound on every unknown, or 0 for no bounds
		firm    int
	}{
		{"in general position", general, m, 1e-9, 0, 3 * n},
		{"at small angles", func() []float64 { return along(0.01) }, m, 1e-9, 0, 3 * n},
		{"at tiny angles", func() []float64 { return along(1e-6) }, m, 1e-9, 0, m},
		{"parallel", func() []float64 { return along(0) }, m, 1e-9, 0, m},
		{"one too many", general, 3*n + 1, 1e-9, 0, 3 * n},
		{"beside bounds", general, m, 1e-9, 1e-12, 3 * n},
		{"few, beside bounds", general, 3 * n, 1e-9, 1e-12, 3 * n},
		{"in mixed units", mixed, m, 1e-9, 0, 3 * n},
		{"with lesser weights", general, m, 1e-4, 0, 3 * n},
		{"with small weights", general, m, 1, 0, 0},
	} {
		k := &saddle{a: laOne(n)}
		for range c.m {
			k.g, k.d = append(k.g, form{row: c.row()}), append(k.d, c.d*math.Pow(10, -2*rng.Float64()))
		}
		for j := range n {
			if c.near > 0 {
				k.g, k.d = append(k.g, form{j: j, sign: 1}), append(k.d, c.near)
			}
		}
		want, r1, r2, all := normal(rng, n), make([]float64, n), make([]float64, len(k.g)), len(k.g)
		k.subtract(r1, r2, times(want, constant(n, -1)), constant(all, -1/float64(all))) // with multipliers 1/all
		check(t, k.factor(), "rows %s: no factor", c.name)
		equal(t, len(k.t)-n, c.firm, "rows %s: order of C", c.name)
		x, z, e1, e2 := slices.Clone(r1), slices.Clone(r2), slices.Clone(r1), slices.Clone(r2)
		rounding := 1e-11 / c.d * largest(r1) * largest(r2) // times the weights
		k.apply(x, z)
		k.subtract(e1, e2, x, z)
		atMost(t, largest(e1), rounding, "rows %s: residual of the first solution", c.name)
		x = make([]float64, n)
		k.solve(r1, r2, x, make([]float64, all), 0)
		aboutAll(t, x, want, 1e-9, "rows %s: x", c.name)
	}
	q := QP{C: constant(n, 0), A: qpMatrix(rng, m, n), B: make([]float64, m)}
	q.A.MulVecT(q.C, constant(m, -1.0/m)) // all rows are active at 0
	at := newPath(q.present().program())
	at.start()
	for missing := 1.0; missing > 1e-8; missing = at.measure() + at.mu {
		at.measure()
		check(t, at.step(), "no step at μ = %v", at.mu)
		atMost(t, float64(len(at.newton.firm)), 3*n, "firm rows at μ = %v", at.mu)
	}
}

// addGram adds GᵀWG, four rows in a pass, to the leading part of a longer triangle: exactly, on integers.
func TestQPAddGram(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 34))
	for m := range 2*panelRows + 3 {
		n, more := 1+rng.IntN(9), rng.IntN(3)
		rows, w := make([][]float64, m), make([]float64, m)
		got, want := newTriangle(n+more), newTriangle(n+more)
		for k := range rows {
			rows[k], w[k] = make([]float64, n), float64(rng.IntN(7)-3)
			for j := range rows[k] {
				rows[k][j] = float64(max(0, rng.IntN(9)-4))
			}
			for i, x := range rows[k] {
				for j, y := range rows[k][i:] {
					want[i][j] += w[k] * x * y
				}
			}
		}
		got.addGram(w, rows)
		equal(t, got, want, "addGram of %d rows", m)
	}
}

// (L9): corrections of a solution end when the residual is only rounding, not when it underflows. Each one allocates.
func TestQPCorrectionsEnd(t *testing.T) {
	q := QP{C: []float64{-2}, Lo: []float64{1}, Hi: []float64{2}}
	atMost(t, testing.AllocsPerRun(5, func() { must(SolveQP(q, QPOptions{})) }), 1000, "allocations of a program in one unknown")
}

// Quadratic programs: the finish.

// C1: the finish finds the active set of a box from any guess.
func TestQPFinish(t *testing.T) {
	rng := rand.New(rand.NewPCG(35, 36))
	for range 100 {
		n := 6
		p := &program{saddle: saddle{a: laOne(n), d: make([]float64, 2*n)}, c: normal(rng, n), h: constant(2*n, 0.5)}
		want := make([]float64, n)
		for j := range n {
			p.g = append(p.g, form{j: j, sign: -1}, form{j: j, sign: 1})
			want[j] = min(max(-p.c[j], -0.5), 0.5)
		}
		active, x, z, last := make([]bool, 2*n), make([]float64, n), make([]float64, 2*n), []float64(nil)
		for j := range n {
			active[2*j+rng.IntN(2)] = rng.IntN(2) == 0
		}
		visit := func(x, _ []float64) bool {
			last = slices.Clone(x)
			return slices.EqualFunc(x, want, func(v, w float64) bool { return math.Abs(v-w) <= 1e-14 }) // a few roundings
		}
		_, solved := p.finish(active, x, z, math.Inf(1), visit)
		check(t, solved, "finish = %v, want %v", last, want)
	}
}

// C1: in a round of the finish all violated constraints become active. Of the active ones with negative multipliers the
// most negative leave: at most a tenth as many as there are unknowns if many enter, and three times as many as in the
// round before if few do. The finish ends at a limit on its work, or after some rounds without fewer wrong constraints.
func TestQPFinishRounds(t *testing.T) {
	const n = 60
	rng := rand.New(rand.NewPCG(37, 38))
	c := build(n, func(j int) float64 { return -1 - float64((7*j)%n) }) // without 0 ≤ x the minimum would be at 1 … n, in some order
	p := &program{saddle: saddle{a: laOne(n), d: make([]float64, n)}, c: c, h: constant(n, 0)}
	for j := range n {
		p.g = append(p.g, form{j: j, sign: -1})
	}
	none := func(_, _ []float64) bool { return false }
	active := build(n, func(int) bool { return true })
	each := float64(2 * n * n) // products with Q and G
	work, done := p.finish(active, make([]float64, n), make([]float64, n), 1, none)
	equal(t, done, false, "a finish that is not accepted")
	equal(t, work, each, "work of a round with nothing left")
	for j, a := range active {
		equal(t, a, c[j] > -float64(n)+20, "bound %d, multiplier %v, is active", j, c[j])
	}
	half := build(n, func(j int) bool { return c[j] < -n/2 })
	mixed := *p
	mixed.c = build(n, func(j int) float64 { return c[j] + n/2 }) // half of the solution is at the bound: it is not active
	mixed.finish(half, make([]float64, n), make([]float64, n), 1, none)
	for j, a := range half {
		equal(t, a, mixed.c[j] > 0 || mixed.c[j] < 0 && mixed.c[j] > -float64(n)/2+6, "bound %d, gradient %v, is active", j, mixed.c[j])
	}
	work, done = p.finish(active, make([]float64, n), make([]float64, n), math.Inf(1), func(x, _ []float64) bool { return x[0] == -c[0] })
	want := (21*21*21+42*42*42+n*n*n)/6.0 + 3*each // from there
	equal(t, done, true, "solved")
	about(t, work, want, 1e-9*want, "work") // sums of sixths
	shuffled := build(n, func(int) bool { return rng.IntN(2) == 0 })
	visits := 0
	never := func(_, _ []float64) bool { visits++; return false }
	p.finish(shuffled, make([]float64, n), make([]float64, n), math.Inf(1), never)
	equal(t, visits, rounds, "visits of a solution that is never accepted")

	slope := &program{saddle: saddle{a: NewMatrix(1, 1), g: []form{{j: 0, sign: -1}}, d: []float64{0}}, c: []float64{-1}, h: []float64{0}}
	visits = 0
	slope.finish([]bool{false}, []float64{0}, []float64{0}, math.Inf(1), never)
	equal(t, visits, 0, "visits on the way to infinity")
}

// C1: chains of unknowns, each of which leaves its bound a round after its predecessor: as long as chains come to their
// ends, the finish goes on, for as many rounds as the longest has links. In the solution each chain falls linearly.
func TestQPFinishChains(t *testing.T) {
	const chains, step = 10, 5
	n := step * chains * (chains + 1) / 2
	p := &program{saddle: saddle{a: NewMatrix(n, n), d: make([]float64, n)}, c: make([]float64, n), h: make([]float64, n)}
	want := make([]float64, 0, n)
	for length := step; length <= step*chains; length += step {
		p.c[len(want)] = -1
		for j := range length {
			at := len(want)
			p.a.Set(at, at, 2)
			if j > 0 {
				p.a.Set(at, at-1, -1)
				p.a.Set(at-1, at, -1)
			}
			want = append(want, 1-float64(j+1)/float64(length+1))
			p.g = append(p.g, form{j: at, sign: -1})
		}
	}
	active := build(n, func(int) bool { return true })
	_, done := p.finish(active, make([]float64, n), make([]float64, n), math.Inf(1), func(x, _ []float64) bool {
		return slices.EqualFunc(x, want, func(v, w float64) bool { return math.Abs(v-w) <= 1e-13 })
	})
	equal(t, done, true, "solved")
}

// C1: dependent rows that meet in a point: the finish must not make their multipliers so large that residuals vanish in
// rounding. Multipliers of ∓2/3, of the equations alone, will do.
func TestQPFinishPrices(t *testing.T) {
	inf := math.Inf(1)
	q := QP{C: []float64{2, 0, 0}, Aeq: qpRows([]float64{1, 0, -2}, []float64{-2, 0, -2}), Beq: []float64{-3, 0},
		A: qpRows([]float64{1, -1, 0}, []float64{1, 2, 1}, []float64{0, 0, -2}, []float64{1, 0, -4}), B: []float64{-1, 2, -2, -4},
		Lo: []float64{-inf, -inf, 0}, Hi: []float64{inf, 2, inf}}
	s := must(SolveQP(q, QPOptions{}))
	atMost(t, largest(slices.Concat(s.Ineq, s.Eq)), 100, "largest multiplier")
	atMost(t, qpJudge(q, s), 2e-9, "residuals")
}

// C5: a row of zeros is a contradiction, with a proof, if its side fails by more than the tolerance.
func TestC5ZeroRows(t *testing.T) {
	for _, test := range []struct {
		side float64
		eq   bool
		want error
	}{
		{-2, false, ErrInfeasible}, {-1e-6, false, ErrInfeasible}, {-1e-12, false, nil}, {0, false, nil}, {3, false, nil},
		{-2, true, ErrInfeasible}, {2, true, ErrInfeasible}, {1e-6, true, ErrInfeasible}, {0, true, nil},
	} {
		q := QP{C: []float64{-2, 1}, Lo: []float64{0, 0}, Hi: []float64{3, 1}}
		if test.eq {
			q.Aeq, q.Beq = NewMatrix(1, 2), []float64{test.side}
		} else {
			q.A, q.B = NewMatrix(2, 2), []float64{1, test.side}
		}
		_, err := SolveQP(q, QPOptions{})
		check(t, errors.Is(err, test.want), "%+v: error %v", test, err)
		if test.want != nil {
			equal(t, qpRefuted(q, err), "", "%+v: what is wrong with the proof", test)
		}
	}
}

// A constraint is guessed to be active if Δs/s < Δz/z after a step. Before the first step none is.
func TestQPGuess(t *testing.T) {
	rng := rand.New(rand.NewPCG(45, 46))
	for range 20 {
		at := newPath(QP{Q: NewMatrix(5, 5), C: normal(rng, 5), A: qpMatrix(rng, 8, 5), B: normal(rng, 8)}.present().program())
		at.start()
		for i, active := range at.guess() {
			equal(t, active, false, "guess for s = %v, z = %v", at.s[i], at.z[i])
		}
		at.measure()
		at.step()
		for i, active := range at.guess() {
			s, ds, z, dz := at.s[i], at.ds[i], at.z[i], at.dz[i]
			equal(t, active, ds/s < dz/z, "guess for s = %v, Δs = %v, z = %v, Δz = %v", s, ds, z, dz)
		}
	}
}

// After a step or two on the path of an SVM's dual most constraints show if they are active; the finish does the rest.
func TestQPEarlyFinish(t *testing.T) {
	iterations := 0
	for seed := range uint64(3) {
		k, _, ys := qpGaussian(rand.New(rand.NewPCG(43, seed)), 400)
		done, steps := qpSolved(DualQP(k, ys, 10), (*program).follow)
		check(t, done, "seed %d: not solved", seed)
		iterations += steps
	}
	check(t, iterations <= 26, "%d iterations for three programs, want about 23", iterations) // 43 without a finish
}

// (5): of all multipliers of a point, shorten finds the shortest: three equal rows x ≤ 0 share the slope 1 of −x.
func TestQPShorten(t *testing.T) {
	q := QP{C: []float64{-1}, A: &Matrix{4, 1, constant(4, 1)}, B: []float64{0, 0, 0, 5}}.present()
	p := q.program()
	var s *QPSolution
	p.shorten(100, []float64{0}, []float64{1e6, 0, 0, 0}, func(x, z []float64) bool {
		s = q.certify(q.restore(p, x, z))
		return s.worst() < 1e-12
	})
	aboutAll(t, s.Ineq, []float64{1. / 3, 1. / 3, 1. / 3, 0}, 1e-9, "Ineq") // the sum is 1 to 1e-12, the shares less exactly
}

// C1: linear programs with a vertex where more rows meet than there are unknowns, many of them dependent. Multipliers
// of 10⁴ suffice; those on the path grow until the gap, their product with slacks of rounding size, exceeds the
// tolerance. Some of these programs are solved by shorten only.
func TestQPDependentRows(t *testing.T) {
	const n, m = 30, 60
	rng := rand.New(rand.NewPCG(0, 5))
	for trial := range fewer(20, 4) {
		q := QP{C: make([]float64, n), A: NewMatrix(m, n), B: make([]float64, m), Lo: constant(n, 0)}
		x := make([]float64, n)
		for j := range x {
			x[j] = float64(rng.IntN(3))
			q.C[j] = float64(rng.IntN(3)) * max(0, 1-x[j])
		}
		for i := range m {
			row := q.A.Row(i)
			for range 3 {
				row[rng.IntN(n)] += math.Exp2(float64(rng.IntN(9)-4)) * float64(2*rng.IntN(2)-1)
			}
			if i > 1 && rng.IntN(3) == 0 {
				copy(row, q.A.Row(i-1))
				axpy(row, -2, q.A.Row(i-2))
			}
			q.B[i] = Dot(row, x)
			axpy(q.C, -1e4*float64(rng.IntN(3)), row)
		}
		want := Dot(q.C, x)
		about(t, must(SolveQP(q, QPOptions{})).Objective, want, 1e-9*(1+math.Abs(want)), "trial %d: objective", trial)
	}
}

// C1: programs whose multipliers are far larger than their data: a system xₜ₊₁ = ρxₜ + uₜ that grows, and has to be held
// by |u| ≤ 1; chains xₜ₊₁ ≥ ρxₜ; and the hard margin of points far from the origin, with w = 1/m for a margin of m. The
// path has to raise μ before it can lower it, and its steps have to be exact beside 1 when μ is large.
func TestQPLargeMultipliers(t *testing.T) {
	inf := math.Inf(1)
	held := func(steps int, growth, start float64) QP {
		n := 2 * steps
		q := QP{Q: NewMatrix(n, n), Aeq: NewMatrix(steps, n), Beq: make([]float64, steps), Lo: constant(n, -inf), Hi: constant(n, inf)}
		for k := range steps {
			u, x := 2*k, 2*k+1
			q.Q.Set(u, u, 0.01)
			q.Q.Set(x, x, 1)
			q.Lo[u], q.Hi[u] = -1, 1
			q.Aeq.Set(k, x, 1)
			q.Aeq.Set(k, u, -1)
			if k > 0 {
				q.Aeq.Set(k, x-2, -growth)
			}
		}
		q.Beq[0] = growth * start
		return q
	}
	chain := func(n int, growth float64) QP {
		q := QP{Q: laOne(n), A: NewMatrix(n-1, n), B: make([]float64, n-1), Lo: constant(n, -inf)}
		q.Lo[0] = 1
		for i := range n - 1 {
			q.A.Set(i, i, growth)
			q.A.Set(i, i+1, -1)
		}
		return q
	}
	margin := func(m float64) QP {
		return PrimalQP([][]float64{{100 + m}, {100 - m}, {101}, {99}}, []float64{1, -1, 1, -1}, inf)
	}
	type row struct {
		name string
		q    QP
		want float64 // the objective; 0: judged by its certificate alone
	}
	var rows []row
	for _, steps := range []int{20, 40, 50, 60} {
		rows = append(rows, row{fmt.Sprintf("held for %d steps", steps), held(steps, 1.1, 9.9), 0})
	}
	for _, b := range []float64{20, 29, 30, 50, 60, 100} {
		rows = append(rows, row{fmt.Sprintf("two steps from %v", b), QP{Q: laDiag(1, 1, 1, 0),
			Aeq: qpRows([]float64{1, 0, 0, 0}, []float64{-10, 1, 0, 0}, []float64{0, -10, 1, -1}), Beq: []float64{b, 0, 0},
			Lo: []float64{-inf, -inf, -inf, -1}, Hi: []float64{inf, inf, inf, 1}}, (b*b + 100*b*b + (100*b-1)*(100*b-1)) / 2})
	}
	for _, n := range []int{20, 38, 45} {
		rows = append(rows, row{fmt.Sprintf("chain of %d", n), chain(n, 1.2), (math.Pow(1.44, float64(n)) - 1) / 0.88})
	}
	for _, m := range []float64{0.02, 0.01, 0.005, 0.001} {
		rows = append(rows, row{fmt.Sprintf("margin %v", m), margin(m), 1 / (2 * m * m)})
	}
	for growth, steps := range map[float64]int{1.5: 30, 2: 18, 4: 10, 64: 4} { // too far away to be held: it ends at 100
		start := 1/(growth-1) + 100*math.Pow(growth, -float64(steps))
		rows = append(rows, row{fmt.Sprintf("lost in %d steps", steps), held(steps, growth, start), 0})
	}
	for _, c := range rows {
		size := max(1000, c.want)
		s := must(SolveQP(c.q, QPOptions{Tol: 1e-11 * size}))
		atMost(t, qpJudge(c.q, s), 1e-10*size, "%s: residuals", c.name)
		if c.want > 0 {
			about(t, s.Objective, c.want, 1e-9*size, "%s: objective", c.name)
		}
	}
}

// C1: rows that are proportional but for rounding, such as one row in two units, allow multipliers of any size, whose
// residual is small by rounding alone. Small ones are found instead, whose residual is small in exact arithmetic.
func TestQPProportionalRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(83, 84))
	hundredths := func() float64 { return float64(rng.IntN(300)+10) * float64(2*rng.IntN(2)-1) / 100 }
	long := 0
	for trial := range 300 {
		m, n := 2+rng.IntN(3), 2+rng.IntN(3)
		u, v := build(m, func(int) float64 { return hundredths() }), build(n, func(int) float64 { return hundredths() })
		v[n-1] *= 1e-6
		a := laFill(m, n, func(i, j int) float64 { return u[i] * v[j] })
		at := rng.IntN(n - 1)
		q := QP{C: constant(n, 1), Aeq: a, Beq: build(m, func(i int) float64 { return a.At(i, at) }), Lo: constant(n, 0)}
		if trial%2 > 0 { // as pairs of inequalities
			q.A, q.B, q.Aeq, q.Beq = NewMatrix(2*m, n), slices.Concat(q.Beq, q.Beq), nil, nil
			for i := range m {
				axpy(q.A.Row(i), 1, a.Row(i))
				axpy(q.A.Row(m+i), -1, a.Row(i))
				q.B[m+i] *= -1
			}
		}
		s, err := SolveQP(q, QPOptions{})
		z, worst := slices.Concat(s.Ineq, s.Eq), 0.0
		for j := range n {
			sum := big.NewFloat(q.C[j] - s.Lower[j]).SetPrec(300)
			for i, c := range qpSides(q, n)[:len(z)] {
				sum.Add(sum, new(big.Float).SetPrec(300).Mul(big.NewFloat(c.row[j]), big.NewFloat(z[i])))
			}
			r, _ := sum.Float64()
			worst = max(worst, math.Abs(r))
		}
		if err != nil || worst > 2e-9 {
			long++
		}
	}
	check(t, long <= 3, "%d of 300 programs are not solved, or have multipliers so large that their residual is hidden", long)
}

// C1: two rows with an angle ε between them, as equations or as inequalities: N in (L10) is known to ε² or so, and its
// regularisation has to stay below that.
func TestQPNearlyParallelRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(73, 74))
	for i := range 400 {
		n, angle := 2+rng.IntN(6), math.Pow(10, -1-float64(i%5))
		rows, b := NewMatrix(2, n), make([]float64, 2)
		x, c := make([]float64, n), make([]float64, n)
		for j := range n {
			rows.Set(0, j, rng.NormFloat64())
			rows.Set(1, j, rows.At(0, j)+angle*rng.NormFloat64())
			x[j], c[j] = rng.Float64(), rng.NormFloat64()
		}
		rows.MulVec(b, x)
		q := QP{C: c, A: rows, B: b, Lo: constant(n, 0), Hi: constant(n, 2)}
		if i%2 == 0 {
			q = QP{C: c, Aeq: rows, Beq: b, Lo: q.Lo, Hi: q.Hi}
		}
		if i%4 < 2 {
			q.Q = laOne(n)
		}
		// Twice the tolerance, for sums in another order.
		atMost(t, qpJudge(q, must(SolveQP(q, QPOptions{}))), 2e-9, "program %d, angle %v: residuals", i, angle)
	}
}

// Quadratic programs: before the path.

// (4), C1: the solution x¹ of a proximal step fails (1) by ε(x⁰ − x¹) alone, and f there is lower by ε‖x¹ − x⁰‖² or more.
// The objective of (4) is that of the program and ½ε‖x − x⁰‖², up to a constant.
func TestQPProximalStep(t *testing.T) {
	rng := rand.New(rand.NewPCG(47, 48))
	for trial := range 20 {
		for i, q := range qpBoxes(rng) {
			n := len(q.C)
			feasible := q
			feasible.Q, feasible.C = laOne(n), normal(rng, n)
			x0 := must(SolveQP(feasible, QPOptions{})).X
			for _, eps := range []float64{1e-3, 1, 30} {
				where := fmt.Sprintf("trial %d, program %d, ε = %v", trial, i, eps)
				near := q
				near.Q, near.C = laScaled(1, q.Q), slices.Clone(q.C)
				for j := range n {
					near.Q.Set(j, j, q.Q.At(j, j)+eps)
				}
				axpy(near.C, -eps, x0)
				s := must(SolveQP(near, QPOptions{}))
				step, g := minus(x0, s.X), matVec(q.Q, s.X)
				for j := range n {
					g[j] += q.C[j] - s.Lower[j] + s.Upper[j]
					for k, eq := range s.Eq {
						g[j] += eq * q.Aeq.At(k, j)
					}
					about(t, g[j], eps*step[j], 2e-9, "%s: gradient of the Lagrangian at %d", where, j) // the residual, and rounding
				}
				p, of := q.present().program(), q.present().program()
				p.setProximal(of, eps, x0)
				for j, v := range s.X {
					gp, gof := Dot(p.a.Row(j), s.X)+p.c[j], Dot(of.a.Row(j), s.X)+of.c[j]
					about(t, gof-gp, eps*(v-x0[j]), 1e-12*(1+math.Abs(gof)+eps*math.Abs(v)), "%s: gradient of (4) at %d", where, j)
				}
				before, after := quadratic(q.Q, x0)/2+Dot(q.C, x0), quadratic(q.Q, s.X)/2+Dot(q.C, s.X)
				atMost(t, after, before-eps*norm2(step)+1e-8*(1+math.Abs(before)), "%s: f", where)
			}
		}
	}
}

// C1, (4): proximal points and the path find the same solution, and for the dual of an SVM proximal points suffice.
func TestQPApproachAgainstPath(t *testing.T) {
	rng := rand.New(rand.NewPCG(49, 50))
	visits := 0
	approach := func(p *program, _ int, visit func(x, z []float64) bool) int {
		visits = 0
		if !p.approach(func(x, z []float64) bool { visits++; return visit(x, z) }) {
			return 1
		}
		return 0
	}
	alone, boxes, inDuals := 0, 0, 0
	for range 20 {
		for i, q := range qpBoxes(rng) {
			s, least := must(SolveQP(q, QPOptions{})), math.Inf(1)
			q = q.present()
			p := q.program()
			p.follow(200, func(x, z []float64) bool {
				other := q.certify(q.restore(p, x, z))
				least = other.Objective
				return other.worst() <= 1e-9
			})
			about(t, s.Objective, least, 1e-8*(1+math.Abs(least)), "program %d: objective == that by the path", i)
			done, left := qpSolved(q, approach)
			check(t, done == (left == 0) && (!done || s.Iterations == 0),
				"program %d: solved by proximal points %v, certificate %v, SolveQP took %d iterations", i, left == 0, done, s.Iterations)
			if i < 4 {
				check(t, done, "program %d: proximal points alone do not solve an SVM's dual", i)
				inDuals += visits
				continue
			}
			boxes++
			if done {
				alone++
			}
		}
	}
	check(t, alone >= boxes*3/4, "proximal points solve %d of %d other programs", alone, boxes)
	for _, n := range []int{100, 200, 300} { // Q is singular to rounding
		k, _, ys := qpGaussian(rand.New(rand.NewPCG(29, 30)), n)
		done, left := qpSolved(DualQP(k, ys, 10), approach)
		check(t, done && left == 0, "the dual of %d points: not solved by proximal points", n)
	}
	atMost(t, float64(inDuals), 100, "visits in 80 duals: the first finish mostly solves them, and comes when little is missing")
}

// (4): proximal points end even without a solution, or if none is accepted. Without inequalities they do nothing.
func TestQPApproachEnds(t *testing.T) {
	const n = 100
	for _, test := range []struct {
		name string
		q    QP
	}{
		{"equations", QP{Q: laOne(2), Aeq: qpRows([]float64{1, 1}), Beq: []float64{1}}},
		{"unbounded", QP{Q: qpRows([]float64{1, 0}, []float64{0, 0}), C: []float64{1, -1}, Lo: []float64{0, 0}}},
		{"unbounded, curved coordinates",
			QP{Q: laTridiagonal(constant(2, 1), []float64{-1}), C: constant(2, -1), Lo: constant(2, 0)}},
		{"infeasible", QP{Q: laOne(4), Aeq: qpRows(constant(4, 1)), Beq: []float64{-1}, Lo: constant(4, 0)}},
		{"no point is accepted", QP{Q: laOne(n), Aeq: &Matrix{1, n, constant(n, 1)}, Beq: []float64{n / 2}, Lo: constant(n, 0)}},
		{"no point is accepted, rows", QP{Q: laOne(n), C: constant(n, -2), A: laOne(n), B: constant(n, 1)}},
	} {
		p, visits := test.q.present().program(), 0
		accepted := p.approach(func(_, _ []float64) bool { visits++; return false })
		equal(t, accepted, false, "%s: accepted", test.name)
		size := float64(len(p.c))
		atMost(t, float64(visits), 1+4*p.effort()/(size*size), "%s: visits", test.name) // each after a product with Q, or more
		if test.name == "equations" {
			equal(t, visits, 0, "%s: visits", test.name)
		}
	}
}

// (4): unknowns that occur nowhere, or only in c, or with a curvature of rounding size, do no harm to proximal points.
func TestQPApproachFlat(t *testing.T) {
	k, _, ys := qpGaussian(rand.New(rand.NewPCG(51, 52)), 40)
	for _, test := range []struct{ lo, hi, c, curvature, want float64 }{
		{0, 1, 0, 0, 0},
		{-1, 1, 0, 0, 0},
		{-1, 1, 1e-3, 0, -1},
		{-1, 1, -1e-3, -1e-16, 1},
		{-1, 1, -1e-3, 1e-16, 1},
	} {
		q := DualQP(k, ys, 1).present()
		q.Lo[7], q.Hi[7], q.C[7] = test.lo, test.hi, test.c
		for j := range q.C {
			q.Q.Set(7, j, 0)
			q.Q.Set(j, 7, 0)
		}
		q.Q.Set(7, 7, test.curvature)
		q.Aeq.Set(0, 7, 0)
		done, p := false, q.program()
		p.approach(func(x, z []float64) bool {
			s := q.certify(q.restore(p, x, z))
			done = s.worst() <= 1e-9 && s.X[7] == test.want
			return done
		})
		check(t, done, "%+v: not solved", test)
	}
}

// Quadratic programs: units, remote bounds, collections of hard ones.

// C1: the caller's data are not written to, and the same input gives the same bits. In other units of the unknowns and
// of the rows the program has the same solution, up to the tolerance.
func TestQPUnits(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 24))
	for range 100 {
		_, q := qpRandom(rng)
		c := QP{laScaled(1, q.Q), slices.Clone(q.C), laScaled(1, q.A), slices.Clone(q.B),
			laScaled(1, q.Aeq), slices.Clone(q.Beq), slices.Clone(q.Lo), slices.Clone(q.Hi)}
		s, err := SolveQP(q, QPOptions{})
		equal(t, q, c, "data after SolveQP")
		again, _ := SolveQP(c, QPOptions{})
		equal(t, again, s, "SolveQP of the same data")
		if err != nil {
			continue
		}
		unit := func(int) float64 { return math.Exp2(float64(rng.IntN(21) - 10)) }
		c = inUnits(q, build(len(q.C), unit))
		for i := range c.B {
			f := unit(i)
			c.B[i] /= f
			divide(c.A.Row(i), f)
		}
		for i := range c.Beq {
			f := unit(i)
			c.Beq[i] /= f
			divide(c.Aeq.Row(i), f)
		}
		got := must(SolveQP(c, QPOptions{})).Objective
		about(t, got, s.Objective, 1e-8*(1+math.Abs(s.Objective)), "objective in other units") // a gap of 1e-9, in either
	}
}

// C1: the solver's own units do not depend on the caller's: a program with bounds becomes the same program, to the last
// bit, when its unknowns are measured in other units, and its objective in smaller ones.
func TestQPOwnUnits(t *testing.T) {
	rng := rand.New(rand.NewPCG(25, 26))
	for range 20 {
		const n = 5
		root := qpMatrix(rng, n, n)
		q := QP{Q: root.Mul(root.T()), C: normal(rng, n), Lo: normal(rng, n)}
		ones := constant(n, 1)
		axpy(q.Lo, -100, ones)
		q.Hi = slices.Clone(q.Lo)
		axpy(q.Hi, 300, ones)
		want := q.present().program()
		for _, x := range []float64{0x1p-20, 1, 0x1p20} {
			for _, f := range []float64{1, 0x1p8, 0x1p20} { // whose roots are powers of 4, as units are
				c := inUnits(q.present(), constant(n, x))
				divide(c.C, 1/f)
				divide(c.Q.Data, 1/f)
				got := c.program()
				if !slices.Equal(got.a.Data, want.a.Data) || !slices.Equal(got.c, want.c) || !slices.Equal(got.h, want.h) {
					t.Errorf("unknowns times %v, objective times %v: c = %v, h = %v, want %v, %v", 1/x, f, got.c, got.h, want.c, want.h)
				}
			}
		}
	}
}

// C1: Q, or the points of an SVM, may give one unknown a unit very different from those of the others: rows of G that
// are nearly parallel in one unit are orthogonal in another.
func TestQPUnitsOfUnknowns(t *testing.T) {
	two := MatrixFromRows([][]float64{{1, 1}, {1, -1}})
	for e := -14; e <= 14; e += 2 {
		v := math.Pow(10, float64(e))
		for name, q := range map[string]QP{
			"equations":    {Q: laDiag(v, 0), Aeq: two, Beq: []float64{1, 1}},
			"inequalities": {Q: laDiag(v, 0), A: laScaled(-1, two), B: []float64{-1, -1}},
		} {
			s := must(SolveQP(q, QPOptions{Tol: 1e-9 * max(1, v)}))
			about(t, s.X[0], 1, 1e-9, "%s, curvature %v: x", name, v)
			about(t, s.X[1], 0, 1e-9, "%s, curvature %v: y", name, v)
		}
	}
	for e := -8; e <= 4; e++ { // points u(1, 2), u(3, −1), u(−2, 1), u(−1, −3): w = (0.6, 0.2)/u
		u := math.Pow(10, float64(e))
		xs := laScaled(u, MatrixFromRows([][]float64{{1, 2}, {3, -1}, {-2, 1}, {-1, -3}}))
		q := PrimalQP([][]float64{xs.Row(0), xs.Row(1), xs.Row(2), xs.Row(3)}, []float64{1, 1, -1, -1}, math.Inf(1))
		s := must(SolveQP(q, QPOptions{Tol: 1e-9 * max(1, 1/u/u)}))
		aboutAll(t, s.X, []float64{0.6 / u, 0.2 / u, 0}, 1e-6*(1+1/u), "hard margin in units of %v: x", u)
	}
}

// E2: a plane between small integer points is found, or proved not to exist, in any units of these.
func TestQPUnitsOfPoints(t *testing.T) {
	for u, tol := range map[float64]float64{1e-6: 1e-1, 1: 1e-9, 1e6: 1e-9} { // objectives to 1e14, whose ulp is 2⁻⁷, 1e2 and 1e-10
		rng, counts := rand.New(rand.NewPCG(1, 2)), map[bool]int{}
		for range fewer(1500, 150) {
			n := 2 + rng.IntN(6)
			ys := []float64{1, -1}
			xs := build(n, func(i int) []float64 {
				x := []float64{float64(rng.IntN(7)-3) * u, float64(rng.IntN(7)-3) * u}
				if y := float64(2*rng.IntN(2) - 1); i > 1 {
					ys = append(ys, y)
				}
				return x
			})
			m, err := Train(xs, ys, Linear{}, Options{C: math.Inf(1)})
			s, qerr := SolveQP(PrimalQP(xs, ys, math.Inf(1)), QPOptions{Tol: tol})
			separable := err == nil
			if separable && qerr == nil {
				about(t, s.Objective, m.KKT.Dual, 1e-6*m.KKT.Dual+tol, "%v %v: objective", xs, ys)
			} else {
				check(t, errors.Is(err, ErrNotSeparable) && errors.Is(qerr, ErrInfeasible), "%v %v: %v, %v", xs, ys, err, qerr)
			}
			counts[separable]++
		}
		check(t, min(counts[true], counts[false]) > fewer(400, 40), "units of %v: separable or not: %v, want many of both", u, counts)
	}
}

// C1: unknowns in very different units: once bounds have fixed the others, x₃ has a small coefficient in the equation.
// The one feasible point is the solution, and its multipliers are large.
func TestQPSmallRows(t *testing.T) {
	k := &Matrix{4, 4, []float64{0, 0, 0, 0, 0, 1280, 0, -262144, 0, 0, 2.415919104e9, 6.7108864e7, 0, -262144, 6.7108864e7, 1.50994944e8}}
	d := Dual{k, []float64{-1, 0, -1, -2}, []float64{-3, -4, math.Inf(-1), -3}, []float64{-2, -3, 4, 1}, 0}
	for _, tol := range []float64{1e-3, 1e-6} {
		s := must(InteriorPoint(d, QPOptions{Tol: tol}))
		for j, x := range s.X {
			about(t, x, d.Hi[j], machineEps*math.Abs(d.Hi[j]), "tolerance %v: x%d", tol, j)
		}
	}
}

// C1: sizes from 10⁻³⁰⁰ to 10³⁰⁰, and a minimum that is far away, change neither verdict nor solution.
func TestQPSizes(t *testing.T) {
	round := qpRows([]float64{2, 1}, []float64{1, 3})
	for _, test := range []struct {
		name string
		q    QP
		want []float64
	}{
		{"large c", QP{Q: round, C: []float64{0x5p50, 0x5p50}}, []float64{-0x2p50, -0x1p50}},
		{"large objective", QP{Q: qpRows([]float64{0x1p900}), C: []float64{0x1p900}}, []float64{-1}},
		{"small objective", QP{Q: qpRows([]float64{0x1p-900}), C: []float64{0x1p-900}, Hi: []float64{-1}}, []float64{-1}},
		{"flat row", QP{C: []float64{-1, 0}, A: qpRows([]float64{0x1p-33, 1}), B: []float64{1}, Lo: []float64{0, 0}},
			[]float64{0x1p33, 0}},
		{"flat rows", QP{C: []float64{-1, 0}, A: qpRows([]float64{0x1p-36, 1}, []float64{0, -1}), B: []float64{1, 0}},
			[]float64{0x1p36, 0}},
	} {
		aboutAll(t, must(SolveQP(test.q, QPOptions{})).X, test.want, 4*machineEps*largest(test.want), "%s: X", test.name)
	}
	refused(t, errOf(SolveQP(QP{Q: qpRows([]float64{-0x1p-1074})}, QPOptions{})), ErrNotConvex, "", "the least curvature")
	for name, q := range map[string]QP{ // too hard, but solvable: finite numbers are wanted, and no verdict
		"a large row":        {C: constant(2, 1), A: qpRows([]float64{0x1p1000, -0x1p1000}, []float64{-1, -1}), B: constant(2, 1)},
		"x + y = 1, y = 2³³": {Aeq: qpRows([]float64{1, 1}, []float64{1, 1 + 0x1p-33}), Beq: []float64{1, 2}},
	} {
		s, err := SolveQP(q, QPOptions{})
		check(t, s != nil && nonFinite(s.X) < 0, "%s: SolveQP = %+v, %v, want numbers", name, s, err)
	}
	s, err := SolveQP(QP{Q: qpRows([]float64{40}), C: []float64{-5e294}}, QPOptions{}) // whose objective overflows
	check(t, errors.Is(err, ErrNotConverged) && s != nil, "SolveQP = %+v, %v, want %v", s, err, ErrNotConverged)
}

// C1: bounds as remote as 10⁹, which never bind, do not mislead the start of the path: they about double the number of
// iterations. If the start did not regard how remote they are, SolveQP would fail.
func TestQPRemoteBounds(t *testing.T) {
	rng := rand.New(rand.NewPCG(35, 37))
	iterations, without := 0, 0
	for trial := range 20 {
		n, m := 8, 60
		root := qpMatrix(rng, n, n)
		q := QP{Q: root.T().Mul(root), C: normal(rng, n), A: qpMatrix(rng, m, n), Lo: constant(n, 0)}
		q.B = build(m, func(i int) float64 { return total(q.A.Row(i)) + rng.Float64() }) // x = 1 is feasible
		open := must(SolveQP(q, QPOptions{}))
		q.Hi = constant(n, 1e9)
		remote := must(SolveQP(q, QPOptions{}))
		agree(t, remote.Objective, open.Objective, 1e-8, "trial %d: objective with remote bounds", trial)
		iterations, without = iterations+remote.Iterations, without+open.Iterations
	}
	check(t, 2*iterations <= 5*without, "%d iterations with remote bounds, %d without", iterations, without)
}

// C1: a bound that stands for infinity, as 10²⁰ does in many files, does not affect the units; an active one is met.
func TestQPBoundsForInfinity(t *testing.T) {
	for _, b := range []float64{1e10, 1e20, 1e100, 1e160, math.MaxFloat64} {
		for name, q := range map[string]QP{
			"linear":    {C: []float64{1, 2}},
			"quadratic": {C: []float64{-1, 2}, Q: laOne(2)}, // least at (1, −1), too
		} {
			q.Aeq, q.Beq = MatrixFromRows([][]float64{{1, 1}}), []float64{1}
			q.Lo, q.Hi = constant(2, 0), constant(2, b)
			s := must(SolveQP(q, QPOptions{}))
			aboutAll(t, s.X, []float64{1, 0}, 1e-9, "%s, x ≤ %v: x", name, b)
			atMost(t, float64(s.Iterations), 10, "%s, x ≤ %v: iterations", name, b)
		}
	}
	for _, b := range []float64{1e3, 1e6, 1e9} {
		s := must(SolveQP(QP{C: []float64{1, -1}, Lo: constant(2, 1), Hi: []float64{b, b}}, QPOptions{}))
		aboutAll(t, s.X, []float64{1, b}, 1e-9*b, "x ≤ %v, active: x", b)
	}
}

// The unit of x is near the median of the sizes that count: those up to the first leap in their order, or all if there
// is an equation or violated inequality of that size. In these units no side of an inequality exceeds 10¹².
func TestQPLeap(t *testing.T) {
	const far = 1e13
	for _, c := range []struct {
		name  string
		curve float64 // Q, for c = 1; beside a Q of 0 its size is 0
		eq    int
		h     []float64
		want  float64 // up to a factor of 2
	}{
		{"for infinity", 0, 0, []float64{1, far, far, math.MaxFloat64}, 1},
		{"beside c", 1, 0, []float64{far, far}, 1},
		{"behind one side", 0, 0, []float64{1000, far, far, far}, 1000},
		{"just a leap", 0, 0, []float64{1, 2e6, 2e6}, 1},
		{"not quite a leap", 0, 0, []float64{1, 5e5, 5e5}, 5e5},
		{"no leap from so little", 0, 0, []float64{1e-8, 1000, 1000}, 1000},
		{"in small steps", 0, 0, []float64{1, 1e4, 1e8, 1e8, 1e8}, 1e8},
		{"no smaller side", 0, 0, []float64{far, far}, far},
		{"equations", 0, 2, []float64{far, far, 1}, far},
		{"broken by 0", 0, 0, []float64{-far, -far, 1}, far},
	} {
		p := &program{saddle: saddle{a: qpRows([]float64{c.curve})}, c: []float64{1}, h: c.h, eq: c.eq,
			unit: []float64{1}, scale: constant(len(c.h), 1)}
		p.chooseUnits()
		about(t, math.Log2(p.unit[0]/c.want), 0, 1, "%s: unit", c.name)
		atMost(t, slices.Max(p.h[c.eq:]), 1e12, "%s: the largest side", c.name)
	}
}

// C1: fixed unknowns are equations: two bounds that meet leave no interior, and a path between them would not converge.
func TestQPFixed(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for trial := range 20 {
		n, m := 50, 15
		q := QP{C: normal(rng, n), A: qpMatrix(rng, m, n), Lo: constant(n, -1), Hi: constant(n, 1)}
		if root := qpMatrix(rng, n/2, n); trial%2 == 0 {
			q.Q = root.T().Mul(root)
		}
		x := normal(rng, n)
		for j := range x {
			if x[j] = max(-1, min(x[j], 1)); j%2 == 0 {
				x[j] *= 1e3
				q.Lo[j], q.Hi[j] = x[j], x[j]
			}
		}
		q.B = build(m, func(i int) float64 { return Dot(q.A.Row(i), x) + rng.Float64()*float64(rng.IntN(2)) })
		s := must(SolveQP(q, QPOptions{Tol: 1e-6})) // objectives are of the order of 10⁷
		// Rounding of 10⁷, and products with multipliers of 10³.
		atMost(t, qpJudge(q, s), 1e-4, "trial %d: worst violation of B5", trial)
	}
}

// C1: a Q that is symmetric but for rounding of its largest entry, 10⁻¹² of it, is symmetric; others are not.
func TestQPSymmetric(t *testing.T) {
	for _, big := range []float64{1, 1e-100, 1e100} {
		for off, ok := range map[float64]bool{0: true, machineEps: true, 0.9e-12: true, 1.1e-12: false, 0.1: false} {
			q := QP{Q: laScaled(big, qpRows([]float64{1, off}, []float64{0, 1})), C: []float64{-big, 0}}
			_, err := q.complete()
			check(t, (err == nil) == ok, "entries %v, %v apart: %v", big, off, err)
			if ok && big == 1 {
				s := must(SolveQP(q, QPOptions{}))
				aboutAll(t, s.X, []float64{1, 0}, 1e-9, "%v apart: x", off)
			}
		}
	}
}

// C1: of the sequences whose differences of order k are not negative, the one nearest to data. These rows have singular
// values down to (π/n)ᵏ, so with a regularised factor it takes many small corrections to find their multipliers.
func TestQPSmoothing(t *testing.T) {
	for k, n := range map[int]int{2: 120, 4: 200, 6: 80, 10: 40} {
		data := func(i int) float64 { return math.Sqrt(float64(i)/float64(n)) + 0.1*math.Sin(float64(i*i)) }
		q := QP{Q: laOne(n), C: times(build(n, data), constant(n, -1)), A: NewMatrix(n-k, n), B: make([]float64, n-k)}
		for i := range n - k {
			row := q.A.Row(i)[i:]
			row[0] = -1
			for range k { // differences of differences
				for j := k; j > 0; j-- {
					row[j] = row[j-1] - row[j]
				}
				row[0] *= -1
			}
		}
		s := must(SolveQP(q, QPOptions{}))
		atMost(t, qpJudge(q, s), 2e-9, "differences of order %d of %d numbers: residuals", k, n)
		atMost(t, float64(s.Iterations), 35, "differences of order %d of %d numbers: iterations", k, n)
	}
}

// C1: programs as in test collections: weights from 1 to n on overlapping triples (CVXQP), no interior (every equation
// as two inequalities), nearly equal rows with multipliers of 10⁵, many dense cuts in few unknowns; a program whose
// path without a finish would cycle; and one whose finish meets a direction to infinity.
func TestQPCollections(t *testing.T) {
	rng, inf := rand.New(rand.NewPCG(39, 40)), math.Inf(1)
	triples := func(n, rows int) QP {
		q := QP{Q: NewMatrix(n, n), Aeq: NewMatrix(rows, n), Beq: make([]float64, rows), Lo: constant(n, 0.1), Hi: constant(n, 10)}
		for i := 1; i <= n; i++ {
			at := []int{i - 1, (2*i - 1) % n, (3*i - 1) % n}
			for _, a := range at {
				for _, b := range at {
					q.Q.Row(a)[b] += float64(i)
				}
			}
		}
		for i := 1; i <= rows; i++ {
			row := q.Aeq.Row(i - 1)
			row[i-1]++
			row[(4*i-1)%n] += 2
			row[(5*i-1)%n] += 3
			for j, v := range row {
				q.Beq[i-1] += v * []float64{0.1, 10, 1, 5}[j%4] // the feasible point
			}
		}
		return q
	}
	pairs, sign := triples(40, 20), func(i int) float64 { return float64(1 - 2*(i%2)) }
	pairs.A = laFill(40, 40, func(i, j int) float64 { return sign(i) * pairs.Aeq.At(i/2, j) })
	pairs.B = build(40, func(i int) float64 { return sign(i) * pairs.Beq[i/2] })
	pairs.Aeq, pairs.Beq = nil, nil
	nearly := QP{Q: laOne(20), C: normal(rng, 20), A: qpMatrix(rng, 20, 20), B: constant(20, 0),
		Lo: constant(20, -100), Hi: constant(20, 100)}
	divide(nearly.C, 0.01)
	for i := 1; i < 20; i += 2 {
		divide(nearly.A.Row(i), 1e5)
		axpy(nearly.A.Row(i), 1, nearly.A.Row(i-1))
	}
	grid := func(i int) float64 { return float64(i) / 299 }
	cuts := QP{Q: laDiag(build(20, func(j int) float64 { return 1 / float64(j+1) })...), // Σtʲxⱼ ≥ tan t on a grid of [0, 1]
		A: laFill(300, 20, func(i, j int) float64 { return -math.Pow(grid(i), float64(j)) }),
		B: build(300, func(i int) float64 { return -math.Tan(grid(i)) })}
	circle := QP{
		Q: MatrixFromRows([][]float64{{4, 0, -2, 0, 0, -4}, {0, 1, 1, 1, 0, 1}, {-2, 1, 4, -3, -2, 2},
			{0, 1, -3, 9, 4, 3}, {0, 0, -2, 4, 4, 4}, {-4, 1, 2, 3, 4, 10}}), C: []float64{4: -1, 5: 0},
		Aeq: qpRows([]float64{0, 0, -1, -2, -2, 1}, []float64{-2, 0, 0, 0, -2, 1}), Beq: []float64{2, 0},
		A: qpRows([]float64{-2, 0, -2, 2, 0, 1}), B: []float64{-6},
		Lo: []float64{-inf, -1, -inf, -inf, -2, -2}, Hi: []float64{inf, inf, 1, inf, 0, inf}}
	remote := QP{
		Q: MatrixFromRows([][]float64{{4, 0, 0, 4, -2, 2}, {0, 5, -1, 1, 0, -2}, {0, -1, 2, -2, 0, 4},
			{4, 1, -2, 6, -2, -2}, {-2, 0, 0, -2, 1, -1}, {2, -2, 4, -2, -1, 9}}), C: []float64{0, -1, -1, 2, 0, 0},
		Lo: []float64{-2, -inf, -1, -1, -inf, -inf}, Hi: []float64{inf, 1, 0, inf, inf, inf}}
	for name, q := range map[string]QP{
		"triples": triples(60, 15), "more equations": triples(40, 30), "no interior": pairs, "nearly equal": nearly,
		"cuts": cuts, "circle": circle, "far away": remote,
	} { // the judge sums in another order, and looks at single products
		atMost(t, qpJudge(q, must(SolveQP(q, QPOptions{}))), 2*qpTol, "%s: worst violation of B5", name)
	}
}

// FuzzSolveQP builds a program from bytes: SolveQP ends without a panic, what it calls solved is, and a direction of
// negative curvature is one. The proofs of infeasible and unbounded programs have the right signs: numbers from 10⁻³⁰⁰
// to 10³⁰⁰ leave the test no tolerance for more.
func FuzzSolveQP(f *testing.F) {
	f.Add([]byte{2, 1, 1, 3, 0x81, 2, 5, 4, 3, 9, 8, 200, 100, 50, 7, 7, 7})
	f.Add([]byte{3, 0, 2, 0xff, 0x80, 0x7f, 0, 0, 1, 1, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		next := bytesOf(data)
		number := func() float64 { // a digit and an exponent, sometimes extreme
			b := next()
			v := float64(b%16 - 8)
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
		n, m, e := next()%6, next()%5, next()%4
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
		var infeasible *InfeasibleError
		var unbounded *UnboundedError
		var bent *NotConvexError
		switch {
		case err == nil:
			// Products scale with the size of the solution, the judge's own rounding with that and the data.
			size := max(1, largest(slices.Concat(s.X, s.Ineq, s.Eq, s.Lower, s.Upper)))
			data := max(1, largest(slices.Concat(q.Q.Data, q.C, q.A.Data, q.Aeq.Data, q.B, q.Beq)))
			atMost(t, qpJudge(q, s), 2e-6*size+1e-13*data*size*size, "%+v is solved by %+v: worst violation of B5", q, s)
		case errors.As(err, &bent):
			check(t, (QP{Q: q.Q}).Value(bent.Direction) < 0, "direction %v of %+v has no negative curvature", bent.Direction, q.Q)
		case errors.As(err, &infeasible):
			z := slices.Concat(infeasible.Ineq, infeasible.Lower, infeasible.Upper)
			check(t, slices.Min(append(z, 0)) >= 0, "negative multiplier in %v", z)
		case errors.As(err, &unbounded):
			check(t, Dot(q.C, unbounded.Ray) < 0, "ray %v does not descend", unbounded.Ray)
			for j, d := range unbounded.Ray {
				lo, hi := q.Lo[j], q.Hi[j]
				check(t, (d >= 0 || math.IsInf(lo, -1)) && (d <= 0 || math.IsInf(hi, 1)), "ray %v leaves [%v, %v]", d, lo, hi)
			}
		default:
			check(t, !errors.Is(err, ErrNotConverged) || s != nil, "not converged, and no best point")
		}
	})
}

func BenchmarkQP(b *testing.B) {
	for _, n := range []int{100, 200, 500, 1000} {
		k, _, ys := qpGaussian(rand.New(rand.NewPCG(29, 30)), n)
		q := DualQP(k, ys, 10)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				must(SolveQP(q, QPOptions{}))
			}
		})
	}
}

// The Gram matrix, row by row.

// gramData has point sets for every layout of columns: whole columns, columns of few non-zeros, both, none at all.
func gramData() map[string][][]float64 {
	rng := rand.New(rand.NewPCG(1, 2))
	random := func(n, d int, share, offset float64) [][]float64 {
		return build(n, func(int) []float64 {
			return build(d, func(int) float64 {
				if rng.Float64() < share {
					return offset + rng.NormFloat64()
				}
				return 0
			})
		})
	}
	few := random(70, 6, 0.1, 0)
	mixed := build(70, func(i int) []float64 { return append(normal(rng, 3), few[i]...) })
	chunks := random(2*rowChunk+9, 3, 0.1, 0)
	chunks[rowChunk], chunks[2*rowChunk] = []float64{1, 2, 3}, []float64{-3, 2, 1} // the first of their chunks
	return map[string][][]float64{
		"chunks": chunks, "dense": random(60, 7, 1, 0), "sparse": random(60, 40, 0.1, 0), "mixed": mixed,
		"long":   random(rowChunk+77, 3, 0.5, 0),
		"offset": random(50, 4, 1, 1e6), "few words": random(50, 40, 0.04, 0),
		"scaled":    moved(few, -1, -1, -1, -1, -1, -1),
		"one point": random(1, 3, 1, 0), "no features": random(5, 0, 1, 0),
		"zeros": random(6, 3, 0, 0), "none": nil,
	}
}

// twice is a feature map: x ↦ (x, x).
func twice(x []float64) []float64 { return slices.Concat(x, x) }

// D11, D13: a row computed by columns (G1) is the row that Eval gives, for every layout, kernel, order of points and
// part of the row; so are the values of points that have no row. The tolerance is the rounding of sums of d products,
// and for the Gaussian that of the expanded distance.
func TestG1Rows(t *testing.T) {
	kernels := map[string]Kernel[[]float64]{
		"linear": Linear{}, "polynomial": Polynomial{Degree: 3, Gamma: 0.3, Coef: 1}, "Gaussian": RBF{0.4},
		"sigmoid": Sigmoid{0.1, -0.2}, "cosine": Cosine{},
		"sum":  Sum[[]float64](RBF{0.4}, Scale(0.5, Product[[]float64](Cosine{}, RBF{2}))),
		"over": Over(Polynomial{Degree: 2, Gamma: 0.1, Coef: 1}, Cosine{}.Eval), "pullback": Pullback(Cosine{}, twice),
		"normalised": Normalize(Sum[[]float64](Polynomial{Degree: 2, Coef: 1}, Cosine{})),
		"nested":     Scale(2, Pullback(Normalize(Pullback(Sum[[]float64](AllProducts{}, Cosine{}), twice)), twice)),
	}
	for data, xs := range gramData() {
		n := len(xs)
		firstHalfReversed := build(n/2, func(i int) int { return n/2 - 1 - i })
		others := mapped(xs[n/2:min(n, n/2+3)], func(x []float64) []float64 { return times(x, constant(len(x), 0.5)) })
		for name, k := range kernels {
			near := func(got float64, x, z []float64, format string, args ...any) {
				t.Helper()
				scale := 1.0
				if name == "linear" || name == "polynomial" {
					scale += math.Abs(k.Eval(x, x)) + math.Abs(k.Eval(z, z))
				}
				if name == "Gaussian" || name == "sum" {
					scale += 0.4 * (norm2(x) + norm2(z)) / (1 + norm2(x)/1e9) // moved, not the raw norms
				}
				about(t, got, k.Eval(x, z), 1e-14*scale*float64(len(z)+1), data+", "+name+", "+format, args...)
			}
			rows := GramOf(k, xs).Open()
			_, slow := rows.(*evalRows[[]float64])
			check(t, !slow || n == 0, "%s, %s: rows are computed value by value", data, name)
			for round, at := range [][]int{nil, rand.New(rand.NewPCG(3, 4)).Perm(n), firstHalfReversed} {
				xs = slices.Concat(pick(xs, at), xs[len(at):])
				rows.Permute(at)
				diag := diagOf(rows, n)
				for i := 0; i < n; i += 1 + n/13 {
					from := (i * 7) % n
					for j, got := range rowOf(rows, i, from, n) {
						near(got, xs[i], xs[from+j], "round %d: K[%d][%d]", round, i, from+j)
					}
					agree(t, diag[i], k.Eval(xs[i], xs[i]), 1e-13, "%s, %s: Diag[%d]", data, name, i)
				}
				for o, x := range others {
					values := make([]float64, n)
					rows.(valuer).values(values, x)
					for j := 0; j < n; j += 1 + n/13 {
						near(values[j], x, xs[j], "round %d: value of point %d with %d", round, j, o)
					}
				}
			}
		}
	}
}

// G1: images may be what Train would refuse as points: kernel values are then what Eval makes of them.
func TestPullbackOddImages(t *testing.T) {
	xs, ys := []float64{-2, -1, 1, 2}, []float64{-1, -1, 1, 1}
	refused(t, errOf(Train(xs[1:], ys[1:], Pullback(Sigmoid{}, func(x float64) []float64 {
		return []float64{x, []float64{0, math.Inf(1)}[int(x)/2]}
	}), Options{})), ErrNotFinite, "", "an infinite coordinate")
	below := Pullback(OnSparse(Linear{}), func(x float64) Sparse { return Sparse{[]int32{-3}, []float64{x}} })
	m := must(Train(xs, ys, below, Options{}))
	equal(t, m.Coef, must(Train(xs, ys, KernelFunc[float64](func(x, z float64) float64 { return x * z }), Options{})).Coef, "index −3")
}

// Permute changes the order of the rows, but not of the caller's points, whatever their type.
func TestPermuteCopies(t *testing.T) {
	numbers, words := []int{0, 1, 2}, []string{"a", "b", "c"}
	GramOf(Precomputed{NewMatrix(3, 3)}, numbers).Open().Permute([]int{2, 0, 1})
	GramOf(Normalize(Substring{}), words).Open().Permute([]int{2, 0, 1})
	equal(t, numbers, []int{0, 1, 2}, "numbers of rows")
	equal(t, words, []string{"a", "b", "c"}, "words")
}

// The plane of Sparse points has at most 2²⁴ coordinates, plus 64 for every non-zero.
func TestWidth(t *testing.T) {
	const most = 1<<24 + 64*2
	for d, want := range map[int]bool{most: true, most + 1: false} {
		got, ok := width([]Sparse{{[]int32{0, int32(d - 1)}, []float64{1, 1}}})
		equal(t, got, int64(d), "width of two non-zeros")
		equal(t, ok, want, "two non-zeros have a plane of %d coordinates", d)
	}
}

// A kernel that embeds one of the package has its methods, exported or not, but is another kernel, defined by its Eval.
type (
	embeddingRBF       struct{ RBF }
	embeddingLinear    struct{ Linear }
	embeddingEval      struct{ RBF } // with another Eval, but the same Of
	embeddingSubstring struct{ Substring }
)

func (k embeddingRBF) Eval(x, z []float64) float64      { return 2 * k.RBF.Eval(x, z) }
func (k embeddingRBF) Of(xz, xx, zz float64) float64    { return 2 * k.RBF.Of(xz, xx, zz) }
func (k embeddingLinear) Eval(x, z []float64) float64   { return 1 + Dot(x, z) }
func (k embeddingLinear) Of(xz, xx, zz float64) float64 { return 1 + xz }
func (k embeddingEval) Eval(x, z []float64) float64     { return k.RBF.Eval(x, z) + 10*x[0]*z[0] }
func (k embeddingSubstring) Eval(x, z string) float64   { return k.Substring.Eval(x, z) / 2 }

// A1, D20: a kernel that embeds another, which its Eval may or may not agree with, gives the machine that its Eval
// defines, and all ways to compute decisions agree.
func TestG1Embedding(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 18))
	xs, ys := labelled(20, func(i int) ([]float64, float64) { return normal(rng, 3), float64(i%2*2 - 1) })
	clear(xs[0]) // where embeddingEval agrees with the Of that it has
	for _, k := range []Kernel[[]float64]{embeddingRBF{RBF{0.5}}, embeddingLinear{}, embeddingEval{RBF{0.5}}, &RBF{0.5}} {
		rows := GramOf(k, xs).Open()
		for i, x := range xs {
			aboutAll(t, rowOf(rows, i, 0, len(xs)), mapped(xs, func(z []float64) float64 { return k.Eval(x, z) }), 1e-13, "%T: row %d", k, i)
		}
		m := must(Train(xs, ys, k, Options{}))
		about(t, Verify(m, xs, ys, Options{}).Violation, m.KKT.Violation, 1e-12, "%T: violation", k)
		aboutAll(t, m.DecisionAll(xs), mapped(xs, m.Decision), 1e-12, "%T: decisions of all, and alone", k)
	}
	words := []string{"abab", "ba", "bab"}
	half := embeddingSubstring{}
	k := GramMatrix(half, words)
	for i, x := range words {
		equal(t, k.Row(i), mapped(words, func(z string) float64 { return half.Eval(x, z) }), "substrings: row %d", i)
	}
}

// A pointer to a kernel of the package is that kernel. A kernel that embeds a Gaussian is evaluated from differences
// where some points are so far from the origin that its Of has few digits left.
func TestG1Pointers(t *testing.T) {
	rng := rand.New(rand.NewPCG(18, 19))
	xs, ys := labelled(80, func(i int) ([]float64, float64) {
		x := normal(rng, 2)
		if i%10 >= 5 {
			x[0] += 1e7
		}
		return x, float64(2*rng.IntN(2) - 1)
	})
	sparse := newRecipe(Kernel[[]float64](Linear{}), xs).vectors()
	for _, c := range []struct{ value, pointer DotKernel }{
		{Linear{}, &Linear{}}, {RBF{1}, &RBF{1}}, {Sigmoid{1e-15, 1}, &Sigmoid{1e-15, 1}}, {Cosine{}, &Cosine{}},
		{Polynomial{Degree: 2, Gamma: 1e-14, Coef: 1}, &Polynomial{Degree: 2, Gamma: 1e-14, Coef: 1}},
	} {
		var files [4]strings.Builder
		for i, k := range []DotKernel{c.value, c.pointer} {
			m, err := Train(xs, ys, k.(Kernel[[]float64]), Options{MaxIter: 1000})
			sm, serr := Train(sparse, ys, OnSparse(k), Options{MaxIter: 1000})
			check(t, hasSolution(err) && hasSolution(serr), "%T: %v, %v", k, err, serr)
			err, serr = WriteModel(&files[i], m), WriteModel(&files[2+i], sm)
			check(t, (err == nil) == (c.value != Cosine{}) && (serr == nil) == (err == nil), "%T: file: %v, %v", k, err, serr)
		}
		equal(t, files[1].String(), files[0].String(), "%T: file", c.pointer)
		equal(t, files[3].String(), files[2].String(), "%T: file of sparse points", c.pointer)
	}
	far := struct{ RBF }{RBF{1}}
	m := must(Train(xs, ys, far, Options{}))
	about(t, Verify(m, xs, ys, Options{}).Violation, m.KKT.Violation, 1e-12, "embedded: violation")
	refused(t, errOf(Train(xs, ys, &Polynomial{Degree: -1}, Options{})), nil, "degree -1", "a pointer")
	refused(t, errOf(Train(xs, ys, (*RBF)(nil), Options{})), errNoKernel, "", "a nil pointer")
	refused(t, errOf(Train(xs, ys, (*AllProducts)(nil), Options{})), errNoKernel, "", "a nil pointer to AllProducts")
	refused(t, errOf(Train([]string{"a", "b"}, ys[:2], (*Substring)(nil), Options{})), errNoKernel, "", "a nil pointer to Substring")
	refused(t, errOf(Train([]int{0, 1}, ys[:2], (*Precomputed)(nil), Options{})), errNoKernel, "", "a nil pointer to Precomputed")
	refused(t, errOf(Train([]int{0, 5}, ys[:2], &Precomputed{NewMatrix(2, 2)}, Options{})), nil, "point 1 is row 5 of a 2×2 matrix", "a pointer to Precomputed")
}

// The norms computed by columns are those of the points, whether columns are whole, or of few non-zeros, or of features
// with far larger indices than the others.
func TestG1Norms(t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 20))
	xs := build(4000, func(int) Sparse {
		var x Sparse
		for f := range int32(60) {
			if rng.IntN(60) < 10+int(f) {
				x.Index, x.Value = append(x.Index, f), append(x.Value, rng.NormFloat64())
			}
		}
		if rng.IntN(9) == 0 {
			x.Index, x.Value = append(x.Index, math.MaxInt32-int32(rng.IntN(3))), append(x.Value, 1)
		}
		return x
	})
	c := newRecipe(OnSparse(Polynomial{}), xs).columns(false)
	check(t, len(c.dense) > 3 && len(c.sparse) > 3 && len(c.place.high) == 3,
		"%d columns, %d of few", len(c.dense), len(c.sparse))
	agreeAll(t, c.norms, mapped(xs, func(x Sparse) float64 { return norm2(x.Value) }), 1e-14, "norms")
}

// rowOf returns K[i][from], …, K[i][n−1].
func rowOf(rows Rows, i, from, n int) []float64 {
	row := make([]float64, n-from)
	rows.Row(row, i, from)
	return row
}

// diagOf returns the diagonal of K.
func diagOf(rows Rows, n int) []float64 {
	diag := make([]float64, n)
	rows.Diag(diag)
	return diag
}

// sparseOf returns xs without zeros, every index multiplied by stride.
func sparseOf(xs [][]float64, stride int32) []Sparse {
	return mapped(xs, func(x []float64) Sparse {
		z := NewSparse(x)
		for k := range z.Index {
			z.Index[k] *= stride
		}
		return z
	})
}

// G1: where only distances matter a column is moved: by the number that most of its entries are equal to, or by its
// mean if that is far from 0. The cost of a row counts the non-zeros left. If the entries that vote on that number are
// not typical, nothing is moved.
func TestG1Moved(t *testing.T) {
	const n = 50 * voters
	rng := rand.New(rand.NewPCG(21, 22))
	mostly := func(share, c float64) []float64 {
		return build(n, func(int) float64 {
			if rng.Float64() < share {
				return c
			}
			return rng.NormFloat64()
		})
	}
	with := func(v []float64, i int, x float64) []float64 { v[i] = x; return v }
	for _, c := range []struct {
		name   string
		column []float64
		origin float64
		cost   float64 // of what is left
	}{
		{"four fifths are −1", mostly(0.8, -1), -1, 0.2}, {"all but one", with(constant(n, 3), 77, 4), 3, 1 / float64(n)},
		{"all are 0.1", constant(n, 0.1), 0.1, 0}, {"all but few, and remote", mostly(0.95, 1<<20), 1 << 20, 0.05},
		{"three quarters are 1", mostly(0.75, 1), 1, 0.25}, {"half are 0", mostly(0.5, 0), 0, 0.5},
		{"none is twice", mostly(0, 0), 0, 1}, {"remote", build(n, func(i int) float64 { return 1000 + float64(i%7) }), 1003, 1},
		{"the voters alone are −8", build(n, func(i int) float64 {
			if i%50 == 0 {
				return -8
			}
			return rng.NormFloat64()
		}), 0, 1},
		{"one is infinite", with(mostly(0.9, 1), 5, math.Inf(1)), 0, 1}, {"one is NaN", with(mostly(0.9, 1), 5, math.NaN()), 0, 1},
	} {
		xs := mapped(c.column, func(v float64) []float64 { return []float64{v} })
		cols := newRecipe(Kernel[[]float64](Linear{}), xs).columns(true)
		about(t, cols.dense[0].origin, c.origin, 1e-2, "%s: origin", c.name) // the mean of "remote" is not quite 1003
		about(t, cols.Cost()-8, c.cost, 0.1, "%s: cost", c.name)
		for i, v := range cols.dense[0].v {
			check(t, v == c.column[i]-cols.dense[0].origin || v != v, "%s: entry %d is %v, was %v", c.name, i, v, c.column[i])
		}
		equal(t, newRecipe(Kernel[[]float64](Polynomial{}), xs).columns(false).dense[0].v[1:5], c.column[1:5], "%s: polynomial", c.name)
	}
	for n := 1; n < 3*voters; n++ { // whether all entries vote, or some
		cols := newRecipe(Kernel[[]float64](Linear{}), slices.Repeat([][]float64{{7, 0.1, 1e6 / 3.}}, n)).columns(true)
		equal(t, cols.Cost(), 8, "cost of %d points that are one", n)
	}
}

// G1: zeros and ones that are scaled to −1 and 1 have the same rows, to the bit, for a Gaussian of twice the width, and
// again nothing is added up where a point had a zero.
func TestG1Scaled(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 24))
	const n = 300
	xs := build(n, func(int) []float64 { return build(40, func(f int) float64 { return float64(rng.IntN(8+f) / (7 + f)) }) })
	scaled := mapped(xs, func(x []float64) []float64 { return mapped(x, func(v float64) float64 { return 2*v - 1 }) })
	want, got := newRecipe(Kernel[[]float64](RBF{1. / 16}), xs).columns(false), newRecipe(Kernel[[]float64](RBF{1. / 64}), scaled).columns(false)
	for i, x := range xs {
		equal(t, rowOf(got, i, 0, n), rowOf(want, i, 0, n), "row %d", i)
		v := got.vector(got.xs[i])
		equal(t, len(where(v.dense, func(c float64) bool { return c != 0 })), int(total(x)), "numbers of point %d", i)
		got.pool.Put(v)
	}
	check(t, len(want.sparse) > 30 && len(got.dense) == 40 && got.Cost() < 8+5, "%d sparse columns, then %d dense ones; cost %v",
		len(want.sparse), len(got.dense), got.Cost())
}

// (G1): the rows of sparse points are those of the same points with their zeros, to the bit: for every layout, kernel
// and order, with indices small enough for a table and with indices that need a map. OnSparse.Eval is the kernel of the
// dense points (D11), within the rounding of sums in another order.
func TestG1Sparse(t *testing.T) {
	for data, xs := range gramData() {
		for _, k := range []DotKernel{Linear{}, Polynomial{Degree: 3, Gamma: 0.3, Coef: 1}, RBF{0.4}, Sigmoid{0.1, -0.2},
			Cosine{}, AllProducts{}} {
			dense, n := k.(Kernel[[]float64]), len(xs)
			for _, stride := range []int32{1, 50_000_000} {
				zs := sparseOf(xs, stride)
				order := rand.New(rand.NewPCG(3, 4)).Perm(n)
				want, got := GramOf(dense, xs).Open(), GramOf(OnSparse(k), zs).Open()
				_, slow := got.(*evalRows[Sparse])
				check(t, !slow || n == 0, "%s, %T: rows are computed value by value", data, k)
				want.Permute(order)
				got.Permute(order)
				equal(t, diagOf(got, n), diagOf(want, n), "%s, %T, stride %d: Diag", data, k, stride)
				for i := 0; i < n; i += 1 + n/13 {
					from := (i * 7) % n
					equal(t, rowOf(got, i, from, n), rowOf(want, i, from, n), "%s, %T, stride %d: row %d", data, k, stride, i)
					x, z := order[i], order[from]
					size := 1 + norm2(xs[x]) + norm2(xs[z])
					if _, ok := k.(RBF); ok {
						size = 1 // no products, so no cancellation far from 0
					}
					about(t, OnSparse(k).Eval(zs[x], zs[z]), dense.Eval(xs[x], xs[z]), 1e-14*size*size*size,
						"%s, %T: OnSparse.Eval(%v, %v)", data, k, zs[x], zs[z])
				}
			}
		}
	}
	// Far from 0 and near each other, the Gaussian of differences is exact: here e⁻¹⁰.
	x, z := Sparse{[]int32{0, 7}, []float64{1e9, 3}}, Sparse{[]int32{0, 8}, []float64{1e9 + 1, 0}}
	equal(t, OnSparse(RBF{1}).Eval(x, z), math.Exp(-10), "OnSparse(RBF).Eval far from 0")
}

// Products and distances of sparse vectors are those of dense ones: exactly, for small integers. Zeros are in every
// pattern, and vectors have different lengths.
func TestSparseProducts(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	for range 2000 {
		x, z := make([]float64, 8), make([]float64, 8)
		for f := range x {
			x[f], z[f] = float64(max(0, rng.IntN(9)-4)), float64(min(0, rng.IntN(9)-4))
		}
		sx, sz := NewSparse(x), NewSparse(z)
		equal(t, checkPoints([]Sparse{sx, sz}), nil, "checkPoints(%v, %v)", sx, sz)
		short := z[:rng.IntN(9)]
		for f := range x {
			equal(t, sx.DotDense(append(make([]float64, f), 1)), x[f], "coordinate %d of NewSparse(%v)", f, x)
		}
		wide := append(slices.Clone(short), make([]float64, 8-len(short))...)
		equal(t, sx.Dot(sz), Dot(x, z), "%v.Dot(%v)", sx, sz)
		equal(t, sx.DotDense(short), Dot(x, wide), "%v.DotDense(%v)", sx, short)
		equal(t, sx.distance2(sz), distance2(x, z), "%v.distance2(%v)", sx, sz)
	}
}

// documents returns n bags of the given number of words in the frequencies of Zipf's law, log(1 + count) of each, and
// labels: class +1 prefers words of even number.
func documents(seed uint64, n, vocabulary, words int) (xs []Sparse, ys []float64) {
	rng := rand.New(rand.NewPCG(seed, 33))
	zipf := rand.NewZipf(rng, 1.1, 8, uint64(vocabulary-1))
	return labelled(n, func(i int) (x Sparse, y float64) {
		count := map[int32]float64{}
		for range words {
			word := int32(zipf.Uint64())
			if rng.IntN(5) == 0 {
				word = word&^1 + int32(i%2)
			}
			count[word%int32(vocabulary)]++
		}
		x.Index = slices.Sorted(maps.Keys(count))
		x.Value = mapped(x.Index, func(word int32) float64 { return math.Log1p(count[word]) })
		return x, float64(1 - i%2*2)
	})
}

// wordsOf returns how many different words each document has, summed over the documents.
func wordsOf(xs []Sparse) int {
	return len(slices.Concat(mapped(xs, func(x Sparse) []int32 { return x.Index })...))
}

// Documents are trained on, and predicted, in memory proportional to their words: that of two sets of columns with 12
// bytes a word, of the features, of which there is one for six words here, and of the rows of so few documents. As
// dense points they would take 240 MB, and with a table of features 8 GB.
func TestG1SparseMemory(t *testing.T) {
	xs, ys := documents(1, 600, 50_000, 100)
	for i := range xs {
		xs[i].Index[len(xs[i].Index)-1] = math.MaxInt32 - int32(i) // words of no other document, for which no table has room
	}
	words := wordsOf(xs)
	for _, k := range []DotKernel{Linear{}, Cosine{}, RBF{0.01}} {
		n := allocated(func() { must(Train(xs, ys, OnSparse(k), Options{})).DecisionAll(xs) })
		// Twice what it takes: the race detector makes pools forget. As []float64 the points would be ten times as much.
		limit := uint64(200*words + 4000*len(xs) + 16*len(xs)*len(xs))
		check(t, n <= limit, "%T: %d bytes for %d words of %d documents, want at most %d", k, n, words, len(xs), limit)
	}
}

// Two clusters far apart defeat the expansion of ‖x − z‖² wherever the origin is put: there rows are computed from
// differences, and are those of Eval to the bit. The same holds for clusters less far apart where multipliers may be
// large, and for γ < 0, which is no kernel.
func TestG1Differences(t *testing.T) {
	far := build(10, func(i int) []float64 { return []float64{1e8*float64(i%2*2-1) + 0.1*float64(i), float64(i)} })
	near := build(10, func(i int) []float64 { return []float64{20*float64(i%2*2-1) + 0.1*float64(i), float64(i)} })
	for _, c := range []struct {
		k     RBF
		xs    [][]float64
		size  float64 // of the multipliers
		exact bool
	}{
		{RBF{1}, far, 1, true},
		{RBF{1}, near, 1e6, false}, // 4ε·481 = 4e-13, and 1e6 times that is allowed
		{RBF{1}, near, 1e10, true},
		{RBF{0.2}, near, 1e10, false}, // 9e-14 is always allowed
		{RBF{-1}, [][]float64{{0}, {1}, {2}}, 1, true},
		{RBF{1e305}, [][]float64{{7}, {7}, {7}}, 1, true}, // not NaN
	} {
		for _, k := range []Kernel[[]float64]{c.k, Pullback(Kernel[[]float64](c.k), slices.Clone[[]float64])} {
			rows, exact := newRecipe(k, c.xs).within(1e-6, c.size).open(), true
			for i, x := range c.xs {
				want := mapped(c.xs, func(z []float64) float64 { return c.k.Eval(x, z) })
				exact = exact && slices.Equal(rowOf(rows, i, 0, len(c.xs)), want)
			}
			equal(t, exact, c.exact, "%T %+v, multipliers of size %v: rows are Eval to the bit", k, c.k, c.size)
		}
	}
	for _, weight := range []float64{1, 1e3} { // in a search multipliers add up to at most C Σ weights: 1e7, 1e10
		gram, k := NewMatrix(10, 10), RBF{1}
		labels, fold := build(10, func(i int) int { return i / 2 % 2 }), build(10, func(i int) int { return i % 5 })
		must(sweep(near, labels, Kernel[[]float64](k), []float64{1e6}, Options{Weights: constant(10, weight)}, fold, gram))
		equal(t, slices.Equal(gram.Data, GramMatrix(k, near).Data), weight > 1, "weights of %v: the matrix is Eval to the bit", weight)
	}
	for gamma, want := range map[float64]bool{1e4: false, 1.3e4: true} { // γ‖x‖²
		_, byEval := GramOf(RBF{gamma}, [][]float64{{-1}, {1}}).Open().(*evalRows[[]float64])
		equal(t, byEval, want, "γ‖x‖² = %v: rows by Eval", gamma)
	}
}

// The expansion of ‖x − z‖² may cost no more than what the certificate admits, the rounding of kernel values, even
// where α is 10⁹: here points are in three clusters, with near neighbours. With a relative error of 1e-11 in a row,
// violations that Verify finds would be up to five thousand times as large as the certificate says.
func TestG1Certificates(t *testing.T) {
	o := Options{C: math.Inf(1), Tol: 1e-6}
	trained := 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 1))
		gamma := math.Exp(7*rng.Float64() - 1)
		xs, ys := labelled(10+rng.IntN(50), func(int) ([]float64, float64) {
			return []float64{10*float64(rng.IntN(3)) + 0.3*rng.NormFloat64()}, float64(1 - 2*rng.IntN(2))
		})
		if m, err := Train(xs, ys, RBF{gamma}, o); err == nil {
			v := Verify(m, xs, ys, o)
			atMost(t, v.Violation, 3*(o.Tol+m.KKT.Rounding+v.Rounding), "seed %d: violation", seed)
			trained++
		}
	}
	check(t, trained > 100, "%d machines, want many", trained)
}

// (G2), (G3): the exponential of a row is e^y with a relative error of at most (2|y| + 3)ε over the whole range of
// normal numbers, and to the least subnormal number below it.
func TestG2Exponential(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	ys := []float64{0, -1e-300, -1e-17, -1e-8, -0.5, -1, -706, -707, -708, -709, -720, -744, -745, -746,
		-1e5, -1e300, math.Inf(-1)}
	for e := -20.0; e < 9.55; e += 0.001 {
		ys = append(ys, -math.Exp2(e+0.001*rng.Float64()))
	}
	for _, y := range ys {
		got := []float64{0} // the inner product of 0 with a point of squared norm −y
		RBF{1}.row(got, []float64{-y}, 0)
		want := math.Exp(y)
		tol := 0.0
		if want > 0 {
			tol = (2*math.Abs(y)+3)*machineEps*want + math.SmallestNonzeroFloat64
		}
		about(t, got[0], want, tol, "e^%v", y)
	}
	got := []float64{math.NaN()}
	RBF{1}.row(got, []float64{1}, 1)
	check(t, math.IsNaN(got[0]), "row of NaN = %v, want NaN", got[0])
}

// Where ‖x‖² overflows or is NaN, decisions are still those of Eval: far from every point a Gaussian is 0, not NaN.
func TestDecisionsFarAway(t *testing.T) {
	inf := math.Inf(1)
	near := [][]float64{{1, 2, 0}, {0, -1, 3}, {2, 0, 0}}
	far := [][]float64{{1e200, 0, 0}, {inf, 1, 0}, {0, -inf, 0}, {-1e200, 1e200, 1e200}, {math.NaN(), 0, 0}, {1, 2, 0}}
	for _, k := range []DotKernel{RBF{0.5}, Polynomial{Degree: 2, Coef: 1}, Sigmoid{Gamma: 1}} {
		dense := Func[[]float64]{k.(Kernel[[]float64]), near, []float64{1, -2, 0.5}}
		thin := Func[Sparse]{OnSparse(k), sparseOf(near, 1), dense.Coef}
		got, gotThin := decisions(dense, far, 1), decisions(thin, sparseOf(far, 1), 1)
		for i, x := range far {
			want, wantThin := dense.Eval(x), thin.Eval(NewSparse(x))
			equal(t, fmt.Sprint(got[i], gotThin[i]), fmt.Sprint(want, wantThin), "%T at %v: decisions == Eval", k, x) // NaN is NaN
			_, gauss := k.(RBF)
			check(t, !gauss || i >= 4 || got[i] == 0, "a Gaussian at %v is %v, want 0", x, got[i])
		}
	}
}

// decisions is f = Σ Coefᵢ k(Pointsᵢ, ·) on every point, and the linear kernel's shortcut is w.
func TestDecisions(t *testing.T) {
	for data, xs := range gramData() {
		rng := rand.New(rand.NewPCG(7, 8))
		for _, k := range []Kernel[[]float64]{Linear{}, RBF{0.4}, Sum[[]float64](Linear{}, Scale(2, Kernel[[]float64](RBF{0.4}))),
			KernelFunc[[]float64](func(x, z []float64) float64 { return 1 + Dot(x, z) }), Over(RBF{0.4}, Dot),
			Normalize(Sum[[]float64](Linear{}, AllProducts{})), Pullback(RBF{0.2}, func(x []float64) []float64 { return slices.Concat(x, x) })} {
			points := build((len(xs)+1)/2, func(i int) []float64 { return xs[2*i] })
			f := Func[[]float64]{k, points, normal(rng, len(points))}
			size := 1 + Dot(mapped(f.Coef, math.Abs), squaresOf(k, points))
			some := xs[:min(len(xs), 100)] // more says no more
			want := mapped(some, func(x []float64) float64 {
				return Dot(f.Coef, mapped(points, func(z []float64) float64 { return k.Eval(z, x) }))
			})
			aboutAll(t, decisions(f, some, 3), want, 1e-12*size, "%s, %T: decisions", data, k)
		}
	}
	same := Func[any]{KernelFunc[any](func(x, z any) float64 { return float64(len(fmt.Sprint(x, z))) }), []any{nil, 12}, []float64{1, 10}}
	equal(t, decisions(same, []any{nil, 1}, 1), []float64{same.Eval(nil), same.Eval(1)}, "decisions on nil and 1")
	slab := []float64{1, 2, 3, 4, 5, 6} // beyond the end of a point that is too short there is more memory
	ragged := Func[[]float64]{Linear{}, [][]float64{slab[:3], slab[3:5]}, []float64{1, 1}}
	for name, f := range map[string]func(){
		"Eval":      func() { ragged.Eval([]float64{1, 1, 1}) },
		"decisions": func() { decisions(ragged, [][]float64{{1, 1, 1}}, 1) },
	} {
		check(t, panics(f) != "", "%s of points of different lengths does not panic", name)
	}
	m := must(Train([][]float64{{-1}, {1}}, []float64{-1, 1}, Linear{}, Options{}))
	for _, x := range [][]float64{{}, {1, 1}} {
		check(t, panics(func() { m.Predict(x) }) != "", "Predict(%v) by a model of one feature does not panic", x)
		check(t, panics(func() { m.PredictAll([][]float64{x}) }) != "", "PredictAll(%v) by a model of one feature does not panic", x)
	}
	equal(t, m.PredictAll([][]float64{{math.NaN()}}), []float64{m.Predict([]float64{math.NaN()})}, "PredictAll of NaN == Predict")
	train, news := [][]float64{{0, 1}, {1, 0}, {3, 1}, {4, 5}}, [][]float64{{1, 1}, {2, 3}}
	vectors := must(Train(train, []float64{-1, -1, 1, 1}, RBF{0.1}, mdTight(1)))
	rows := must(Train(upTo[int](4), []float64{-1, -1, 1, 1}, Precomputed{GramMatrix(RBF{0.1}, train)}, mdTight(1)))
	rows.Kernel = Precomputed{qpRows(mapped(news, func(x []float64) []float64 {
		return mapped(train, func(z []float64) float64 { return RBF{0.1}.Eval(x, z) })
	})...)}
	aboutAll(t, []float64{rows.Decision(0), rows.Decision(1)}, vectors.DecisionAll(news), mdTol, "by the rows of new points: Decision")
	aboutAll(t, rows.DecisionAll([]int{0, 1}), vectors.DecisionAll(news), mdTol, "by the rows of new points: DecisionAll")
}

// (G4), B7, B8: the linear machine of points far from the origin is that of the same points near it, moved. The
// coordinates are multiples of 2⁻¹⁰, so that sums with the offsets are exact, and all sets of points are the same but
// for the origin. What is left is the rounding of a decision value.
func TestG4Centred(t *testing.T) {
	xs, ys := mdClouds(12, 80, 3, 2)
	near := grid(xs)
	for _, c := range []float64{1, 100} {
		o := Options{C: c, Tol: 1e-9}
		want := must(Train(near, ys, Linear{}, o))
		h := must(Explicit(want))
		for _, offset := range []float64{1 << 4, 1 << 24, 1 << 30, -1 << 40} {
			name := fmt.Sprintf("C = %v, offset %v", c, offset)
			far := moved(near, offset, 0, -2*offset)
			// That of w·x, and that of the terms of w, which the points' distances from the mean, less than 8, multiply.
			rounding := machineEps * math.Abs(offset) * (100*math.Sqrt(norm2(h.W)) + 8*total(want.Alpha))
			var seen DualSolution
			o.Observe = func(s *DualSolution) bool { seen = *s; return true }
			sparse, dense := must(Train(sparseOf(far, 1), ys, OnSparse(Linear{}), o)), must(Train(far, ys, Linear{}, o))
			equal(t, seen.Iterations, dense.KKT.Iterations, "%s: steps, as seen last", name)
			for _, b := range [][2]float64{{seen.B, dense.B}, {seen.BLo, dense.BLo}, {seen.BHi, dense.BHi}} {
				// Σβ is 0 only to rounding, and w·m has ‖m‖² times it.
				about(t, b[0], b[1], 1e-8+rounding+5*machineEps*offset*offset*total(want.Alpha), "%s: b or its interval, as seen last", name)
			}
			equal(t, sparse.Alpha, dense.Alpha, "%s: α of sparse points == α of dense points", name)
			equal(t, sparse.B, dense.B, "%s: b of sparse points == b of dense points", name)
			agreeAll(t, dense.Alpha, want.Alpha, 1e-6*c, "%s: α", name) // a violation of 1e-9, amplified
			atMost(t, dense.KKT.Gap, 1e-5*want.KKT.Dual, "%s: gap", name)
			aboutAll(t, mapped(far, dense.Decision), mapped(near, want.Decision), 1e-5+rounding, "%s: f", name)
			about(t, dense.BHi-dense.BLo, want.BHi-want.BLo, 2e-6+rounding, "%s: width of the interval of b", name)
			check(t, dense.B >= dense.BLo-rounding && dense.B <= dense.BHi+rounding,
				"%s: b = %v, want it in [%v, %v]", name, dense.B, dense.BLo, dense.BHi)
			// The report is of centred points. What the model says of the given ones differs by the reported rounding.
			excess := 0.0
			for i, x := range far {
				residual := 1 - ys[i]*dense.Decision(x)
				if a := dense.Alpha[i]; a > 0 && a < c {
					residual = math.Abs(residual)
				} else if a == c {
					residual = -residual
				}
				excess = max(excess, residual)
			}
			atMost(t, excess, dense.KKT.Violation+4*dense.KKT.Rounding, "%s: violation by f", name)
			atMost(t, dense.KKT.Rounding, want.KKT.Rounding+rounding, "%s: rounding", name)
		}
	}
	// B7, where the interval of b is wide: b is the mean over the free support vectors.
	far := moved(near, 1<<16, 0, -1<<16)
	for _, steps := range []int{10, 20, 30} {
		m, _ := Train(far, ys, Linear{}, Options{C: 0.5, MaxIter: steps})
		h, sum, free := must(Explicit(m)), 0.0, 0.0
		for i, a := range m.Alpha {
			if 0 < a && a < 0.5 {
				sum += ys[i] - Dot(h.W, far[i])
				free++
			}
		}
		check(t, free > 0 && m.BHi-m.BLo > 1e-3, "%d steps: %v free, b in [%v, %v]: the test is void", steps, free, m.BLo, m.BHi)
		about(t, m.B, sum/free, 1e-7, "b after %d steps", steps) // w·x is near 10⁵
	}
}

// Decision and DecisionAll agree far from the origin, and where the plane is wider than points have numbers.
func TestG4Sparse(t *testing.T) {
	rng := rand.New(rand.NewPCG(63, 64))
	xs, ys := labelled(40, func(i int) (Sparse, float64) {
		y := float64(1 - 2*(i%2))
		return Sparse{[]int32{5, 1000000 + int32(i%3)}, []float64{1<<30 + y + float64(rng.IntN(1024))/1024, 1}}, y
	})
	m := must(Train(xs, ys, OnSparse(Linear{}), Options{}))
	aboutAll(t, mapped(xs, m.Decision), m.DecisionAll(xs), 1e-5, "decisions == by DecisionAll") // w·x is near 10⁹
}

// SMO.

// randomDual is a soft-margin problem on n noisy points in the plane.
func randomDual(rng *rand.Rand, n int, k Kernel[[]float64], c float64) Dual {
	xs, ys := labelled(n, func(i int) ([]float64, float64) {
		x := normal(rng, 2)
		if i == 0 || i > 1 && x[0]+x[1]*x[1]+0.3*rng.NormFloat64() > 0.5 {
			return x, 1
		}
		return x, -1
	})
	return oracleSVC(GramOf(k, xs), ys, c, nil)
}

// signed returns n normal points in d dimensions, labelled by the sign of f.
func signed(rng *rand.Rand, n, d int, f func(x []float64) float64) (xs [][]float64, ys []float64) {
	return labelled(n, func(int) ([]float64, float64) {
		x := normal(rng, d)
		return x, sign(f(x))
	})
}

// stepped returns a solver of d that has made the given number of steps, and nothing else.
func stepped(d Dual, o SMOOptions, steps int) *solver {
	s := must(newSolver(d, o))
	for range steps {
		s.step()
	}
	return s
}

// noted returns a solver of d after the given steps, and then so many moves of so many steps each, which it has noted.
func noted(d Dual, steps, moves, each int) *solver {
	s := must(newSolver(d, SMOOptions{Tol: 1e-300, MaxIter: steps, noNewton: true, noSpan: true, noShrink: true}))
	s.run(256, nil)
	s.setOut()
	for range moves {
		for range each {
			s.step()
		}
		s.note()
		s.setOut()
	}
	return s
}

// inBox checks that β is in the box of d, exactly, and that Σβ is 0, up to tol.
func inBox(t *testing.T, d Dual, beta []float64, tol float64, what string, args ...any) {
	t.Helper()
	what = fmt.Sprintf(what, args...)
	for i, b := range beta {
		check(t, d.Lo[i] <= b && b <= d.Hi[i], "%s: β[%d] = %v, want it in [%v, %v]", what, i, b, d.Lo[i], d.Hi[i])
	}
	about(t, total(beta), 0, tol, "%s: Σβ", what)
}

// SMO: steps.

// E1: the two-variable subproblem has a closed form; every step keeps Σβ = 0 and the box, and never lowers the dual.
// And the run that SMOSteps shows is the run of SMO.
func TestE1Steps(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for trial := range 20 {
		d := randomDual(rng, 60, RBF{2}, math.Exp2(float64(trial%8)))
		var last *DualSolution
		before := math.Inf(-1)
		for s := range SMOSteps(d, SMOOptions{Tol: 1e-5}) {
			value := d.Objective(s.Beta)
			fall, rounding := before-value, 1e-12*(1+norm1(s.Beta)) // of a sum of β(p + g)/2, |g| of a few units
			check(t, fall <= rounding, "trial %d, step %d: the dual fell by %v", trial, s.Iterations, fall)
			about(t, s.Objective, value, rounding, "trial %d, step %d: Objective == D(β)", trial, s.Iterations)
			inBox(t, d, s.Beta, 1e-11, "trial %d, step %d", trial, s.Iterations)
			before, last = value, s
		}
		s := must(SMO(d, SMOOptions{Tol: 1e-5}))
		s.grad, s.drift, s.noise, s.at = nil, 0, 0, nil // which SMOSteps does not give
		equal(t, s, last, "trial %d: SMO == the last of SMOSteps", trial)
	}
	// Variables that tidy moves to a bound after the last step are seen there: K = aaᵀ.
	a := []float64{1, 0, -2, -3, 1, -2, -3, -2, 0, 3, 2}
	tidied := Dual{laFill(11, 11, func(i, j int) float64 { return a[i] * a[j] }), []float64{0, 0, 1, 0, 1, 1, 1, -1, -1, -1, -1},
		[]float64{-1, -2, -1, -1, 0, 0, 0, -2, -1, 0, -2}, []float64{0, -2, 0, 1, 1, 2, 2, -2, 0, 2, -1}, -7}
	var beta []float64
	for s := range SMOSteps(tidied, SMOOptions{}) {
		beta = slices.Clone(s.Beta)
	}
	equal(t, beta, must(SMO(tidied, SMOOptions{})).Beta, "the last β of SMOSteps")
	// An observer who ends the run sees the point where it ends, and so does the loop over SMOSteps.
	for end := range 3 {
		looks, steps := 0, 0
		for range SMOSteps(tidied, SMOOptions{Observe: func(*DualSolution) bool { looks++; return looks <= end }}) {
			steps++
		}
		equal(t, []int{looks, steps}, []int{end + 1, end + 1}, "looks and steps of a run that ends with look %d", end)
	}
	// Two variables set aside, whose gradient bounds b, return after the last step.
	for _, c := range []struct {
		k, p, lo, hi []float64
		sum          float64
	}{
		{[]float64{0, 0, 0, 0, 4, -4, 0, -4, 4}, []float64{-2, 3, 1}, []float64{-2, -2, 0}, []float64{0, 0, 2}, -2},
		{[]float64{0, 0, 0, 0, 1, 2, 0, 2, 4}, []float64{-3, 1, 2}, []float64{-2, 0, -3}, []float64{3, 2, 0}, 0},
	} {
		d := Dual{&Matrix{3, 3, c.k}, c.p, c.lo, c.hi, c.sum}
		o := SMOOptions{Start: []float64{-0.5, -1, -0.5}}
		want, got := must(SMO(d, o)), DualSolution{}
		for s := range SMOSteps(d, o) {
			got = *s
		}
		equal(t, []float64{got.B, got.BLo, got.BHi}, []float64{want.B, want.BLo, want.BHi}, "%v: the last of SMOSteps", c.k)
		up, low := d.Bias(want.Beta, d.Gradient(want.Beta))
		check(t, up <= got.B && got.B <= low, "%v: B = %v, want it in [%v, %v]", c.k, got.B, up, low)
	}
}

// E1, (S4), (S5): of all pairs that violate (E2), a step moves that of the steepest riser i and the most promising j.
func TestS5Partner(t *testing.T) {
	d := randomDual(rand.New(rand.NewPCG(67, 68)), 100, RBF{1}, 10)
	k := GramMatrix(RBF{1}, d.K.(recipe[[]float64]).xs)
	d.K = k
	before, steps := make([]float64, 100), 0
	for s := range SMOSteps(d, SMOOptions{noNewton: true, noSpan: true, noShrink: true}) {
		g := gradient(d, before)
		moved := build(100, func(i int) float64 { return s.Beta[i] - before[i] })
		i, j := slices.Index(moved, slices.Max(moved)), slices.Index(moved, slices.Min(moved))
		steepest, promise := math.Inf(-1), make([]float64, 100)
		for l, b := range before {
			if b < d.Hi[l] {
				steepest = max(steepest, g[l])
			}
			if b > d.Lo[l] && g[l] < g[i] {
				promise[l] = (g[i] - g[l]) * (g[i] - g[l]) / (k.At(i, i) + k.At(l, l) - 2*k.At(i, l))
			}
		}
		if moved[i] > 0 { // not so at the start
			about(t, g[i], steepest, 1e-12, "step %d: g of the variable that rises", s.Iterations)
			about(t, promise[j], slices.Max(promise), 1e-9*promise[j], "step %d: promise of the variable that falls", s.Iterations)
			steps++
		}
		copy(before, s.Beta)
	}
	check(t, steps > 100, "%d steps, want many", steps)
}

// E1: two points with one image move to their bounds at once, in whatever units.
func TestE1OneImage(t *testing.T) {
	for _, c := range []struct {
		xs [][]float64
		k  Kernel[[]float64]
		c  float64
	}{
		{[][]float64{{1e10}, {1e10}, {-1e10}, {-1e10}}, Linear{}, 1},
		{[][]float64{{1000}, {1000}, {-1000}, {-1000}}, Polynomial{Degree: 2}, 100},
		{[][]float64{{1}, {1}, {2}, {2}}, RBF{}, 1e30},
	} {
		m := must(Train(c.xs, []float64{1, -1, 1, -1}, c.k, Options{C: c.c}))
		equal(t, m.Alpha, constant(4, c.c), "%v: α", c.xs)
		check(t, m.KKT.Gap == 0 && m.KKT.Iterations <= 4, "%v:\n%v", c.xs, m.KKT)
	}
}

// E1: a polynomial of high degree maps points at distances from 0.01 to 100 to images at distances from 1 to 10¹². The
// small curvatures of near points are not rounding: if they are raised to a share of those of far points, runs take
// tens of thousands of steps. And β is 10⁻¹⁷ for far points, where what rounding has left of Σβ moves g by 10¹³: if
// such a β takes it up, one run in 25 does not converge.
func TestE1FarApart(t *testing.T) {
	missed := 0
	for seed := range uint64(150) {
		rng := rand.New(rand.NewPCG(seed, 91))
		xs, ys := labelled(40, func(int) ([]float64, float64) {
			x := normal(rng, 3)
			y := sign(x[0] + x[1] + 0.3*rng.NormFloat64())
			divide(x, math.Pow(10, 2-4*rng.Float64()))
			return x, y
		})
		m, err := Train(xs, ys, Polynomial{Degree: 6, Coef: 1}, Options{MaxIter: 5000})
		check(t, m.KKT.Iterations < 5000, "seed %d: %d steps", seed, m.KKT.Iterations)
		atMost(t, m.KKT.Violation, max(1e-3, m.KKT.Rounding), "seed %d: violation", seed)
		if err != nil {
			missed++ // rounding may be far above the tolerance
		}
	}
	check(t, missed <= 3, "%d of 150 runs do not converge", missed)
}

// E1: however many steps have moved β, Σβ is off by a few roundings of the largest β at most, and the solver knows by
// how much, up to the rounding of the moves.
func TestE1Sum(t *testing.T) {
	rng := rand.New(rand.NewPCG(75, 76))
	for trial := range 20 {
		n, c := 50+rng.IntN(100), math.Pow(10, 6*rng.Float64()-2)
		scale := func(x []float64) []float64 { return []float64{x[0], 1e6 * x[1]} } // where many steps see rounding alone
		d := randomDual(rng, n, []Kernel[[]float64]{Linear{}, RBF{1}, Pullback(Linear{}, scale)}[trial%3], c)
		start := make([]float64, n)
		for range 3 * n { // a sum of 0 but for rounding
			if i, j := rng.IntN(n), rng.IntN(n); d.P[i] > d.P[j] {
				share := 0.1 * c * rng.Float64()
				start[i] = min(start[i]+share, c)
				start[j] = max(start[j]-share, -c)
			}
		}
		s := must(newSolver(d, SMOOptions{Tol: 1e-9, Start: start, noNewton: trial%2 == 0, noSpan: trial%4 < 2}))
		way, last := 0.0, slices.Clone(s.beta)
		look := func(*DualSolution) bool {
			exact := new(big.Float).SetPrec(200)
			for i, b := range s.beta {
				exact.Add(exact, big.NewFloat(b))
				way += math.Abs(b - last[i])
			}
			copy(last, s.beta)
			sum, _ := exact.Float64()
			about(t, s.excess, sum, machineEps*(way+math.Abs(sum)), "trial %d, step %d: excess", trial, s.steps)
			atMost(t, math.Abs(sum), 20*machineEps*largest(last), "trial %d, step %d: Σβ", trial, s.steps)
			return s.steps < 3000
		}
		err := s.run(1, look)
		look(nil)
		check(t, err == nil || errors.Is(err, ErrNotConverged), "trial %d: %v", trial, err)
	}
}

// E2: with any part of SMO left out the optimum is the same. The objectives of two points that satisfy (E2) within tol
// differ by at most tol·Σ(hi − lo).
func TestE2PartsAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	const tol = 1e-6
	parts := map[string]SMOOptions{
		"all": {}, "no Newton": {noNewton: true}, "no phases": {noNewton: true, noSpan: true}, "no shrinking": {noShrink: true},
		"plain":             {noNewton: true, noSpan: true, noShrink: true},
		"cache of two rows": {CacheBytes: 1}, "cache of ten rows": {CacheBytes: 10 * 8 * 300}, "three workers": {Workers: 3},
	}
	for trial := range fewer(30, 12) {
		c, n := math.Exp2(float64(trial%12)-4), 40+10*trial
		d := randomDual(rng, n, []Kernel[[]float64]{Linear{}, RBF{1}, Polynomial{Degree: 2, Coef: 1}}[trial%3], c)
		least, most := math.Inf(1), math.Inf(-1)
		for name, o := range parts {
			o.Tol = tol
			s := must(SMO(d, o))
			least, most = min(least, s.Objective), max(most, s.Objective)
			atMost(t, s.Violation, tol, "trial %d, %s: violation", trial, name)
			inBox(t, d, s.Beta, 1e-12*c*float64(n), "trial %d, %s", trial, name) // rounding of n numbers up to C
		}
		atMost(t, most-least, tol*c*float64(n), "trial %d: difference of objectives", trial)
	}
}

// The solver remembers what a step has shown of a matrix that is not positive semidefinite: a curvature below −10⁻⁹ of
// the largest Kᵢᵢ, and the largest |Kᵢⱼ| above 2√(KᵢᵢKⱼⱼ), which is 8 here.
func TestE1Inspect(t *testing.T) {
	s := must(newSolver(Dual{laDiag(2, 8), constant(2, 0), constant(2, -1), constant(2, 1), 0}, SMOOptions{}))
	for _, c := range []struct {
		kij, curvature float64
		beyond         float64
		indefinite     bool
	}{{7, 1, 0, false}, {-7, -7e-9, 0, false}, {-9, 0, 9, false}, {8.5, -9e-9, 9, true}, {10, 1, 10, true}} {
		s.inspect(0, 1, c.kij, c.curvature)
		equal(t, s.beyond, c.beyond, "largest entry that is too large, after %v", c.kij)
		equal(t, s.indefinite, c.indefinite, "indefinite, after a curvature of %v", c.curvature)
	}
}

// E1: what rounding has left of Σβ is taken up by the second variable of a step if g hardly changes, or if it is no
// more than rounding of that variable: not by a small variable of a far point. All sums are exact.
func TestE1Excess(t *testing.T) {
	const excess, step = 0x1p-51, 0x1p-10
	for _, c := range []struct {
		ki, kj float64 // K of the small variables
		t      float64
		takes  bool // the second of them takes the excess
	}{
		{1, 1, 0x1p-60, true}, {0x1p60, 0x1p60, 0x1p-60, false},
		{1, 0x1p36, 0x1p-60, true}, {1, 0x1p39, 0x1p-60, false}, // g changes by 2⁻¹⁵ or 2⁻¹², a tenth of the tolerance is 10⁻⁴
		{0x1p60, 0x1p60, 0x1p-2, true}, {0x1p60, 0x1p60, 0x1p-5, false}, // 16 roundings of t are 2⁻⁵⁰ or 2⁻⁵³
	} {
		d := Dual{laDiag(1, 1, c.ki, c.kj), constant(4, 0), constant(4, -1), constant(4, 1), 0}
		s := must(newSolver(d, SMOOptions{Start: []float64{0.5, excess - 0.5, 0, 0}}))
		equal(t, s.excess, excess, "%+v: Σβ before", c)
		s.exchange(2, 3, c.t)
		want, then := []float64{0.5, excess - 0.5, c.t, -c.t}, []float64{0.5 + step - excess, excess - 0.5 - step, c.t, -c.t}
		if c.takes {
			want[3], then[3], then[0] = -c.t-excess, -c.t-excess, 0.5+step
		}
		equal(t, s.beta, want, "%+v: β after a small step", c)
		if c.t < step {
			atMost(t, s.drift, 1e-3, "%+v: drift", c) // 2⁻⁵² of each move, times K
		}
		s.exchange(0, 1, step)
		equal(t, s.beta, then, "%+v: β after a step", c)
		equal(t, s.excess, 0, "%+v: Σβ", c)
	}
}

// K counts as symmetric if Kᵢⱼ and Kⱼᵢ differ by at most 10⁻⁵ of their size, or of the diagonal.
func TestE1Asymmetry(t *testing.T) {
	for _, c := range []struct {
		diag, one, other float64
		ok               bool
	}{
		{0, -1e8, -1e8 * (1 + 1e-7), true}, {0, -1e8, -1e8 * (1 + 1e-4), false}, // −‖x − z‖² in single precision, or not
		{1e8, 1, 1 + 1e-4, true}, {1, 0, 2e-5, false},
	} {
		d := oracleSVC(qpRows([]float64{c.diag, c.one}, []float64{c.other, c.diag}), []float64{1, -1}, 1, nil)
		_, err := SMO(d, SMOOptions{})
		equal(t, err == nil, c.ok, "diagonal %v, %v and %v: symmetric", c.diag, c.one, c.other)
	}
}

// SMO: where runs begin, and how they end.

// A start whose sum is off by more than rounding is mended, any other is kept; bounds may be near the largest float64.
func TestStartingPoint(t *testing.T) {
	big := 1e308
	for _, c := range []struct {
		lo, hi, start, want []float64
		sum                 float64
	}{
		{[]float64{big, 0, 0}, []float64{big, big, 0}, nil, []float64{big, 0.7 * big, 0}, 1.7 * big},
		{[]float64{0, 0}, []float64{1, 1}, []float64{0.5, 0.5 + 3*machineEps}, []float64{0.5, 0.5}, 1},
		{[]float64{0, 0}, []float64{1, 1}, []float64{0.25, 0.25}, []float64{0.75, 0.25}, 1},
		{[]float64{0, 0, 0}, []float64{0.1, 0.2, 1}, nil, []float64{0.1, 0.2, 0}, 0.1 + 0.2},
		{[]float64{-1, 0, -1}, []float64{0, 1, 0}, []float64{-1, 0.6, -1}, []float64{0, 1, -1}, 0},
		{constant(3, math.Inf(-1)), constant(3, math.Inf(1)), []float64{big, big, -big}, make([]float64, 3), 0},
		{make([]float64, 2), constant(2, 1.5*big), []float64{big, big}, []float64{1, 0}, 1},
	} {
		d := Dual{NewMatrix(len(c.lo), len(c.lo)), make([]float64, len(c.lo)), c.lo, c.hi, c.sum}
		got := must(startingPoint(d, c.start))
		aboutAll(t, got, c.want, 8*machineEps*largest(c.want), "start at %v", c.start)
		check(t, !off(d, got), "start at %v: sum %v, want %v", c.start, total(got), c.sum)
	}
}

// If the dual overflows at the given start, a run begins at 0. With negative curvature it, too, ends with a point.
func TestStartThatOverflows(t *testing.T) {
	d := Dual{K: &Matrix{2, 2, []float64{-1, 0, 0, -1}}, P: []float64{1, -1}, Lo: []float64{-1e200, -1e200},
		Hi: []float64{1e200, 1e200}}
	s, err := SMO(d, SMOOptions{Start: []float64{1e200, -1e200}, Tol: 1e190})
	check(t, s != nil && !math.IsInf(s.Objective, 0) && (err == nil || errors.Is(err, ErrIndefinite)), "%+v, %v", s, err)

	// What has been arranged for the given start is not arranged again: points of weight 0 have their places already.
	rng := rand.New(rand.NewPCG(69, 70))
	xs, ys := labelled(30, func(i int) ([]float64, float64) {
		y := float64(i%2*2 - 1)
		return []float64{1e-144 * (rng.NormFloat64() + 9*y), 1e-144 * rng.NormFloat64()}, y
	})
	o := Options{C: 1e298, Weights: build(30, func(i int) float64 { return float64(i % 3) })}
	want := must(Train(xs, ys, Linear{}, o))
	o.Start = constant(30, o.C)
	got := must(Train(xs, ys, Linear{}, o))
	equal(t, got.Alpha, want.Alpha, "α from a start that overflows")

	// If the dual overflows on the way, and pᵀβ alone does not, K is indefinite, even if no pair has shown that.
	for _, seed := range []uint64{16, 51, 71, 74, 80} {
		rng := rand.New(rand.NewPCG(seed, 80))
		xs, ys := signed(rng, 60, 5, func(x []float64) float64 { return x[0] + 0.2*rng.NormFloat64() })
		refused(t, errOf(Train(xs, ys, Sigmoid{1, 1}, Options{C: math.Inf(1)})), ErrIndefinite, "overflows", "seed %d", seed)
	}
}

// E2: a start so large that p is lost in the rounding of Kβ is ignored: the run is that from 0, to the bit.
func TestE2FarStart(t *testing.T) {
	d := oracleSVC(GramMatrix(Kernel[[]float64](Linear{}), [][]float64{{-1}, {0.25}, {2}}), []float64{-1, 1, 1}, math.Inf(1), nil)
	want := must(SMO(d, SMOOptions{}))
	for _, size := range []float64{1e14, 1e20, 1e300} {
		got := must(SMO(d, SMOOptions{Start: []float64{-2 * size, size, size}}))
		equal(t, got.Beta, want.Beta, "β from %v", size)
		equal(t, got.Iterations, want.Iterations, "steps from %v", size)
	}
}

// (E2): a run never aims at more than its tolerance, however small that is. A short run goes on below it, to 1e-6.
func TestE2Aim(t *testing.T) {
	for _, tol := range []float64{1e-12, 1e-9, fineTol, 1e-3} {
		s := must(newSolver(randomDual(rand.New(rand.NewPCG(3, 5)), 30, RBF{1}, 1), SMOOptions{Tol: tol}))
		check(t, s.run(256, nil) == nil, "tolerance %v: no end", tol)
		check(t, s.grace > 0, "tolerance %v: no grace, the test is void", tol)
		equal(t, s.tol, min(tol, fineTol), "what a run with tolerance %v aims at, in the end", tol)
	}
	for seed := range uint64(20) {
		s := must(SMO(randomDual(rand.New(rand.NewPCG(seed, 5)), 30, RBF{1}, 0.01), SMOOptions{noNewton: true}))
		atMost(t, s.Violation, fineTol, "seed %d: violation", seed)
	}
}

// (E2), B3: for tolerances below 1e-6 the gap, relative to the objective, is at most the tolerance, too: many
// violations that are small may add up to more. A run that lacks the steps for this has converged all the same.
func TestE2Gap(t *testing.T) {
	wide := 0
	for seed := range uint64(fewer(20, 6)) {
		d := randomDual(rand.New(rand.NewPCG(seed, 6)), 150, RBF{3}, 3000)
		for _, tol := range []float64{1e-7, 1e-9} {
			o := SMOOptions{Tol: tol, noNewton: true}
			s := must(newSolver(d, o))
			for !s.satisfied() {
				s.step()
			}
			if s.gap() <= tol*s.objective {
				continue
			}
			wide++
			check(t, s.run(256, nil) == nil, "seed %d, tolerance %v: no end", seed, tol)
			atMost(t, s.gap(), tol*s.objective, "seed %d, tolerance %v: gap", seed, tol)
			o.MaxIter = s.steps - 1
			sol, err := SMO(d, o)
			check(t, err == nil && sol.Violation <= tol, "seed %d, tolerance %v: a step less: %v", seed, tol, err)
		}
	}
	check(t, wide > fewer(10, 2), "%d gaps were wide: the test is void", wide)
}

// (E2): the tolerance is enough where rounding allows no less: with g near 10⁹ to 10¹³ no violation reaches 1e-6.
func TestE2Coarse(t *testing.T) {
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 4))
		n := 2 + rng.IntN(4)
		d, xs := Dual{P: make([]float64, n), Lo: make([]float64, n), Hi: constant(n, 1), Sum: 1}, make([][]float64, n)
		base := math.Pow(10, 9+4*rng.Float64())
		for i := range xs {
			xs[i], d.P[i] = []float64{rng.NormFloat64()}, base+rng.NormFloat64()
		}
		d.K = GramMatrix(Kernel[[]float64](RBF{1}), xs)
		s, err := SMO(d, SMOOptions{noNewton: true})
		check(t, err == nil || s != nil && s.Violation > 1e-3, "seed %d: %v", seed, err)
	}
}

// By default a run may take ten million steps, or 100 for every point if that is more.
func TestE2MostSteps(t *testing.T) {
	for n, want := range map[int]int{1: 10_000_000, 100_000: 10_000_000, 100_001: 10_000_100, 1_000_000: 100_000_000} {
		var o SMOOptions
		check(t, o.complete(n) == nil, "%d points: refused", n)
		equal(t, o.MaxIter, want, "MaxIter for %d points", n)
	}
	var o SMOOptions
	check(t, o.complete(1) == nil && o.CacheBytes == 200<<20 && o.Tol == 1e-3, "defaults: %+v", o)
}

// (E2): if a budget of steps suffices, greater ones do, although runs go on below the tolerance.
func TestE2Budget(t *testing.T) {
	for seed := range uint64(fewer(9, 1)) {
		rng := rand.New(rand.NewPCG(seed, 4))
		d := randomDual(rng, 40+rng.IntN(100), RBF{1}, 10)
		enough := 0
		for budget := 100; budget < 1200; budget += 5 {
			if _, err := SMO(d, SMOOptions{MaxIter: budget, noNewton: true}); err == nil {
				enough = cmp.Or(enough, budget)
			} else if enough > 0 {
				t.Errorf("seed %d: %d steps suffice, but %v", seed, enough, err)
			}
		}
		check(t, enough > 0, "seed %d: no budget suffices: the test is void", seed)
	}
}

// What ends a run, and what is returned then. An observer may end it, too: TestObserve.
func TestSMOEnds(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	d := randomDual(rng, 300, RBF{1}, 100)
	s, err := SMO(d, SMOOptions{Tol: 1e-9, MaxIter: 10})
	refused(t, err, ErrNotConverged, "after 10 steps", "ended by the budget")
	check(t, s != nil && s.Iterations == 10, "ended by the budget: %v, want the solution after 10 steps", s)
	for _, plain := range []bool{false, true} { // a tolerance that rounding does not let it reach
		s, err := SMO(d, SMOOptions{Tol: 1e-300, noNewton: plain})
		check(t, (err == nil || errors.Is(err, ErrNotConverged)) && s.Violation <= 1e-9 && s.Iterations < 5_000_000,
			"Tol 1e-300: %v, violation %v after %d steps", err, s.Violation, s.Iterations)
	}
	done := must(SMO(d, SMOOptions{Tol: 1e-6}))
	again := must(SMO(d, SMOOptions{Tol: 1e-5, Start: done.Beta}))
	equal(t, again.Iterations, 0, "warm start at the optimum: steps")
	about(t, again.Objective, done.Objective, 1e-9*done.Objective, "warm start at the optimum: objective")
	far := build(300, func(int) float64 { return 1e6 * rng.NormFloat64() })
	again = must(SMO(d, SMOOptions{Tol: 1e-6, Start: far}))
	about(t, again.Objective, done.Objective, 1e-6*done.Objective, "warm start far outside: objective")
}

// B7: what tidy adds to a β to move it to a bound is added to Σβ, and the gradient is right but for the drift. All sums
// are exact: 2⁻³⁰ counts as a bound, 0, beside 2²⁰, of which sixteen roundings are 2⁻²⁸.
func TestB7Tidy(t *testing.T) {
	d := Dual{laDiag(0x1p-20, 1, 0x1p-20, 1), []float64{1, 1, -1, -1}, []float64{0, 0, -0x1p21, -1}, []float64{0x1p21, 1, 0, 0}, 0}
	s := must(newSolver(d, SMOOptions{Start: []float64{0x1p20, 0x1p-30, -0x1p20 - 0x1p-30, 0}}))
	equal(t, []float64{s.excess, s.beta[1]}, []float64{0, 0x1p-30}, "Σβ and β₁ before")
	s.tidy()
	equal(t, s.beta, []float64{0x1p20, 0, -0x1p20 - 0x1p-30, 0}, "β")
	equal(t, s.excess, -0x1p-30, "Σβ")
	aboutAll(t, build(4, s.gradient), d.Gradient(s.beta), s.drift, "g")
}

// B7: tidy moves no β whose row would change gradients by more than a tenth of the tolerance: 2⁻³⁰ times 2²⁰ is 2⁻¹⁰.
func TestB7TidyLarge(t *testing.T) {
	for tol, want := range map[float64]float64{0x1p-8: 0x1p-30, 0x1p-6: 0} {
		d := Dual{laDiag(1, 0x1p20, 1, 1), []float64{0x1p20, 0, -0x1p20, 0}, []float64{0, 0, -0x1p21, -1}, []float64{0x1p21, 1, 0, 0}, 0}
		s := must(newSolver(d, SMOOptions{Tol: tol, Start: []float64{0x1p20, 0x1p-30, -0x1p20 - 0x1p-30, 0}}))
		check(t, s.drift < 0x1p-15, "drift %v: the test is void", s.drift)
		s.tidy()
		equal(t, s.beta[1], want, "β₁ with tolerance %v", tol)
		atMost(t, s.drift, tol/10, "drift with tolerance %v", tol)
		s = must(newSolver(d, s.o))
		s.drift = tol / 10
		s.tidy()
		equal(t, s.beta[1], 0x1p-30, "β₁ with tolerance %v where gradients have drifted", tol)
	}
}

// However a run ends, an observer has seen the solution that SMO returns: also if K turns out not to be a kernel.
func TestObserverSeesTheEnd(t *testing.T) {
	rng := rand.New(rand.NewPCG(91, 92))
	ended := 0
	for trial := range 300 {
		d := randomDual(rng, 2+trial%6, RBF{1}, 10)
		k := GramMatrix(RBF{1}, d.K.(recipe[[]float64]).xs)
		for i := range k.Rows {
			for j := range i { // below the diagonal
				k.Set(i, j, k.At(i, j)+normal(rng, 1)[0])
			}
		}
		d.K = k
		var seen [3]float64
		sol, err := SMO(d, SMOOptions{Observe: func(s *DualSolution) bool {
			seen = [...]float64{s.B, s.Violation, float64(s.Iterations)}
			return true
		}})
		check(t, sol != nil, "trial %d: %v", trial, err)
		equal(t, seen, [...]float64{sol.B, sol.Violation, float64(sol.Iterations)}, "trial %d: what the observer saw", trial)
		if errors.Is(err, ErrIndefinite) {
			ended++
		}
	}
	check(t, ended > 200, "%d of 300 runs find that K is no kernel: the test is void", ended)
}

// B2: variables without room stay where they are, but count in Σβ and Kβ: a dual with a fixed variable and a sum of 2.
func TestSMOFixed(t *testing.T) {
	k := MatrixFromRows([][]float64{{2, 1, 0}, {1, 2, 1}, {0, 1, 2}})
	d := Dual{K: k, P: []float64{1, 5, 1}, Lo: []float64{0, 1, 0}, Hi: []float64{9, 1, 9}, Sum: 2}
	s := must(SMO(d, SMOOptions{Tol: 1e-12}))
	// β₁ = 1 is fixed, so β₀ + β₂ = 1: by symmetry both ½. Then Kβ = (2, 3, 2), b = g₀ = 1 − 2, pᵀβ − ½βᵀKβ = 6 − ½·5.
	aboutAll(t, s.Beta, []float64{0.5, 1, 0.5}, 1e-12, "β")
	about(t, s.B, -1, 1e-12, "b")
	about(t, s.Objective, 3.5, 1e-12, "objective")
}

// Matrices that are not positive semidefinite, and values that are not finite, end in an error that says so.
func TestSMORejects(t *testing.T) {
	inf, nan, big := math.Inf(1), math.NaN(), math.MaxFloat64
	dual := func(bound float64, rows ...[]float64) Dual { // of labels 1, −1, 1
		return oracleSVC(MatrixFromRows(rows), []float64{1, -1, 1}, bound, nil)
	}
	indefinite := [][]float64{{1, 0, 3}, {0, 1, 3}, {3, 3, 1}}
	e3 := []float64{0, 0, 1}
	one := dual(1, []float64{1, 0, 0}, []float64{0, 1, 0}, e3)
	unreachable := one
	unreachable.Sum = 5
	for _, c := range []struct {
		name string
		d    Dual
		o    SMOOptions
		want error
		says string
	}{
		{"NaN in K", dual(1, []float64{1, nan, 0}, []float64{nan, 1, 0}, e3), SMOOptions{}, ErrNotFinite, "kernel of points"},
		{"indefinite K", dual(1, indefinite...), SMOOptions{}, ErrIndefinite, ""},
		{"indefinite K, no box", dual(inf, indefinite...), SMOOptions{}, ErrIndefinite, ""},
		{"indefinite K, a box of all numbers", dual(big, indefinite...), SMOOptions{}, ErrIndefinite, ""},
		{"negative K_ii", dual(1, []float64{-1, 0, 0}, []float64{0, 1, 0}, e3), SMOOptions{}, ErrIndefinite, ""},
		{"asymmetric K", dual(1, []float64{1, 0.5, 0}, []float64{-0.5, 1, 0}, e3), SMOOptions{}, ErrIndefinite, "which comes first"},
		{"a start without an objective", Dual{laDiag(-1e300, -1e300), []float64{1, 1}, constant(2, 1e10), constant(2, 3e10), 4e10},
			SMOOptions{}, ErrNotFinite, "overflows"},
		{"sum out of reach", unreachable, SMOOptions{}, ErrInfeasible, ""},
		{"NaN in start", one, SMOOptions{Start: []float64{0, nan, 0}}, ErrNotFinite, "Start[1] is NaN"},
		{"start of another length", one, SMOOptions{Start: make([]float64, 2)}, nil, "Start has 2 entries, want 3"},
		{"negative tolerance", one, SMOOptions{Tol: -1}, nil, "Tol -1"},
		{"NaN tolerance", one, SMOOptions{Tol: nan}, nil, "Tol NaN"},
		{"negative budget", one, SMOOptions{MaxIter: -1}, nil, "MaxIter -1"},
		{"negative memory", one, SMOOptions{CacheBytes: -1}, nil, "CacheBytes -1"},
		{"negative workers", one, SMOOptions{Workers: -1}, nil, "Workers -1"},
	} {
		s, err := SMO(c.d, c.o)
		refused(t, err, c.want, c.says, "%s", c.name)
		equal(t, s != nil, errors.Is(err, ErrIndefinite), "%s: a solution comes with %v", c.name, err)
		for s := range SMOSteps(c.d, c.o) {
			check(t, s.Violation >= 0 && !math.IsNaN(s.Objective),
				"%s: step %d has violation %v, objective %v", c.name, s.Iterations, s.Violation, s.Objective)
		}
	}
	// In a K that was centred in single precision, small entries, too, have rounding of the size of the largest.
	_, err := SMO(dual(1, []float64{1e-6, 4e-8, 0}, []float64{-4e-8, 1e-6, 0}, e3), SMOOptions{})
	check(t, err == nil, "single precision: %v", err)
}

// SMO: shrinking, S6 and S7.

// E2, (S7): what unshrinking restores is p − Kβ.
func TestS7Unshrink(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	d := randomDual(rng, 900, RBF{1}, 1000)
	s := must(newSolver(d, SMOOptions{Tol: 1e-4, noNewton: true}))
	deepest := 0
	s.run(1, func(*DualSolution) bool { deepest = max(deepest, len(s.levels)); return deepest < 2 || s.steps%50 != 0 })
	check(t, len(s.levels) >= 2, "%d levels of shrinking, want at least 2", len(s.levels))
	s.unshrink()
	rows := d.K.Open()
	for k, i := range s.at {
		want := d.P[i] - Dot(rowOf(rows, i, 0, 900), s.beta)
		about(t, s.gradient(k), want, 1e-10, "g[%d]", i) // a few hundred terms up to 30
	}
}

// (S7): a kernel value that only unshrinking needs, and that is NaN, ends the run.
func TestS7NotFinite(t *testing.T) {
	d := randomDual(rand.New(rand.NewPCG(15, 16)), 300, RBF{1}, 1000)
	xs := d.K.(recipe[[]float64]).xs
	k := GramMatrix(RBF{1}, xs)
	d.K = k
	s := must(newSolver(d, SMOOptions{noNewton: true, CacheBytes: 1})) // which keeps no row from before shrinking
	moved := func() int {
		return slices.IndexFunc(s.at[:s.m], func(i int) bool { return len(s.levels) > 0 && s.beta[i] != s.levels[0].beta[i] })
	}
	s.run(1, func(*DualSolution) bool { return moved() < 0 })
	i, aside := s.at[moved()], s.at[s.m]
	k.Set(i, aside, math.NaN())
	k.Set(aside, i, math.NaN())
	refused(t, s.run(256, nil), ErrNotFinite, "", "NaN between an active point and one set aside")
	// Values that only the gradient of variables set aside needs, after an observer has ended the run.
	late := false
	d.K = GramOf(Kernel[[]float64](KernelFunc[[]float64](func(x, z []float64) float64 {
		if late {
			return math.NaN()
		}
		return RBF{1}.Eval(x, z)
	})), xs)
	sol, err := SMO(d, SMOOptions{noNewton: true, CacheBytes: 1, Observe: func(sol *DualSolution) bool {
		late = sol.Iterations >= 900
		return !late
	}})
	refused(t, err, ErrNotFinite, "", "NaN after a run that was ended")
	check(t, late && sol == nil, "the run ends by itself, or a point comes beside the error")
}

// (S7) costs a row for every variable that has moved, and has the rounding of as many rows.
func TestS7Rounding(t *testing.T) {
	s := stepped(randomDual(rand.New(rand.NewPCG(65, 66)), 100, RBF{1}, 10), SMOOptions{}, 30)
	drift, work, moved := s.drift, s.work, len(where(s.beta, func(b float64) bool { return b != 0 }))
	s.subtractRows(0, 100, make([]float64, 100), rounded)
	about(t, (s.drift-drift)/s.noise(), 1, 1e-3, "drift, beside the rounding of as many rows")
	equal(t, s.work-work, float64(100*moved)*(s.cache.cost+2), "work for %d that have moved", moved)
}

// SMO: Newton's phases, S8.

// (S8): after a Newton phase that met no bound, all free variables have the same g, and the gradient is p − Kβ.
func TestS8Newton(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 18))
	for trial := range 10 {
		d := randomDual(rng, 200, RBF{0.5}, 10)
		s := must(newSolver(d, SMOOptions{Tol: 1e-12, MaxIter: 300 + 100*trial, noNewton: true}))
		s.run(256, nil)
		before := s.objective
		s.newton()
		check(t, s.objective >= before, "trial %d: the dual fell from %v to %v", trial, before, s.objective)
		free := mapped(s.free(), s.gradient)
		// The ridge, 1e-11, times multipliers up to 10, and its square root for what it hides.
		atMost(t, slices.Max(free)-slices.Min(free), 1e-8, "trial %d: spread of g on the free variables", trial)
		g := build(s.n, s.gradient)
		s.refresh()
		aboutAll(t, g, build(s.n, s.gradient), 1e-11, "trial %d: g", trial)
	}
}

// (S8) where bounds are met on the way: what newtonStep returns stays in the box, keeps the sum, and leaves the same g
// to all variables that are still inside. Deleting another row of the factor would not do that.
func TestS8Bounds(t *testing.T) {
	rng := rand.New(rand.NewPCG(63, 64))
	met := 0
	for trial := range 20 {
		d := randomDual(rng, 60, RBF{2}, 4)
		s := must(newSolver(d, SMOOptions{Tol: 1e-12, MaxIter: 10 + trial, noNewton: true, noShrink: true}))
		s.run(256, nil)
		f := s.free()
		step := s.newtonStep(f)
		lo, hi := math.Inf(1), math.Inf(-1)
		for a, k := range f {
			g := s.up[k] - Dot(pick(s.cache.row(k, s.m), f), step)
			i := s.at[k]
			v := s.beta[i] + step[a]
			check(t, v >= d.Lo[i]-1e-15 && v <= d.Hi[i]+1e-15, "trial %d: β[%d] would be %v, outside the box", trial, i, v)
			if v > d.Lo[i]+1e-9 && v < d.Hi[i]-1e-9 {
				lo, hi = min(lo, g), max(hi, g)
			} else {
				met++
			}
		}
		atMost(t, hi-lo, 1e-8, "trial %d: spread of g on the variables inside", trial) // as in TestS8Newton
		about(t, total(step), 0, 1e-14, "trial %d: Σδ", trial)                         // sixty numbers up to 1
		// What Σδ is off by is taken from the variable with most room.
		moved := make([]float64, len(f))
		moved[0] = 1e-6 // far less than the room that others have
		room := build(len(f), func(a int) float64 {
			i := s.at[f[a]]
			v := s.beta[i] + moved[a]
			return min(d.Hi[i]-v, v-d.Lo[i])
		})
		best, excess := s.settle(f, moved)
		equal(t, excess, 1e-6, "trial %d: excess", trial)
		about(t, total(moved), 0, 1e-20, "trial %d: Σδ after settle", trial)
		equal(t, best, slices.Index(room, slices.Max(room)), "trial %d: the variable with most room", trial)
	}
	check(t, met >= 10, "%d bounds met, want many", met)
}

// (S8): a piece ends at the top of its parabola, here at δ = (1, −1), or at its full length.
func TestS8Top(t *testing.T) {
	d := Dual{laOne(2), []float64{1, -1}, constant(2, -10), constant(2, 10), 0}
	for _, c := range []float64{0.5, 1, 1.2, 3} {
		s := must(newSolver(d, SMOOptions{}))
		w := newWalk(s, s.free())
		copy(w.g, d.P)
		for a, p := range d.P {
			w.u[a], w.ku[a], w.v[a], w.kv[a] = c*p, c*p, 1, 1
		}
		equal(t, w.climb([]int{0, 1}), []int{0, 1}, "u = (%v, −%v): those left", c, c)
		for a, p := range d.P {
			about(t, w.moved[a], min(c, 1)*p, 1e-15, "u = (%v, −%v): δ[%d]", c, c, a)
			about(t, w.g[a], (1-min(c, 1))*p, 1e-15, "u = (%v, −%v): g[%d]", c, c, a)
		}
	}
}

// (S8), the bent path: it stays in the box and keeps the sum; g, Ku and Kv are the products with K; a piece that meets
// no bound ends at the top of its parabola; D rises, and by no less than up to the first bound; and the factor for
// those that are left, rotated or new, is that of their matrix.
func TestS8Bent(t *testing.T) {
	rng := rand.New(rand.NewPCG(65, 66))
	stops, rotated, fresh := 0, 0, 0
	for trial := range 40 {
		n := 12 + trial // variables, all free, with bounds on both sides
		d := randomDual(rng, n, RBF{2}, 1)
		d.P = build(n, func(int) float64 { return float64(1+trial%4) * rng.NormFloat64() / 2 })
		d.Lo, d.Hi, d.Sum = constant(n, -1), constant(n, 1), 0
		s := must(newSolver(d, SMOOptions{}))
		f := s.free()
		w, in := newWalk(s, f), upTo[int](len(f))
		w.centre()
		k := laFill(len(f), len(f), func(a, b int) float64 { return s.cache.row(f[a], s.m)[f[b]] - w.less[a] - w.less[b] })
		start := build(len(f), func(a int) float64 { return s.up[f[a]] })
		copy(w.g, start)
		copy(w.ridge, constant(len(f), 1e-9))
		product := func(x []float64) []float64 { return matVec(k, x) }
		rise := func(x []float64) float64 { return Dot(start, x) - Dot(x, product(x))/2 }
		for factor := w.factor(in); len(in) > 1; {
			w.aim(factor, in)
			w.piece(in)
			first := slices.Clone(w.moved)
			w.follow(f, w.step, first)
			before := slices.Clone(w.moved)
			left := w.climb(in)
			for a, k := range f {
				i := s.at[k]
				v := s.beta[i] + w.moved[a]
				check(t, v >= d.Lo[i]-1e-14 && v <= d.Hi[i]+1e-14, "trial %d: β[%d] would be %v, outside the box", trial, i, v)
				if !slices.Contains(left, a) {
					check(t, w.u[a] == 0 && w.v[a] == 0, "trial %d: variable %d has stopped, but u, v = %v, %v", trial, i, w.u[a], w.v[a])
				}
			}
			about(t, total(w.moved), 0, 1e-13, "trial %d: Σδ", trial)
			ku, kv, km := product(w.u), product(w.v), product(w.moved)
			for _, a := range left {
				about(t, w.g[a], start[a]-km[a], 1e-10, "trial %d: g", trial)
				about(t, w.ku[a], ku[a], 1e-10*(1+norm(w.u)), "trial %d: Ku", trial)
				about(t, w.kv[a], kv[a], 1e-10*(1+norm(w.v)), "trial %d: Kv", trial)
			}
			check(t, rise(w.moved) >= rise(before) && rise(w.moved) >= rise(first)-1e-12, "trial %d: D rises by %v to the first bound, and %v",
				trial, rise(first)-rise(before), rise(w.moved)-rise(before))
			if len(left) == len(in) {
				about(t, Dot(w.g, w.step), 0, 1e-7, "trial %d: slope at the top", trial)
				break
			}
			stops += len(in) - len(left)
			if 6*(len(in)-len(left)) > len(left)+12 {
				fresh++
			} else {
				rotated++
			}
			factor = w.drop(factor, in, left)
			want := newTriangle(len(left))
			for i, a := range left {
				copy(want[i], pick(k.Row(a), left[i:]))
				want[i][0] += w.ridge[a]
			}
			equal(t, want.factor(), -1, "trial %d: the matrix of those left has a factor", trial)
			for i := range want {
				aboutAll(t, factor[i], want[i], 1e-8, "trial %d: row %d of the factor", trial, i)
			}
			in = left
		}
	}
	check(t, stops >= 40 && fresh >= 5 && rotated >= 5, "%d stops, %d new factors, %d rotated ones: want some of each", stops, fresh, rotated)
}

// (S8): the factor of a part of the free variables has their ridge and their origin, in whatever order they are.
func TestS8Part(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	for trial := range 20 {
		n := 12
		xs := build(n, func(i int) []float64 {
			return mapped(normal(rng, 5), func(v float64) float64 { return v * float64(i+1) })
		})
		k := GramMatrix(Linear{}, xs)
		start := build(n, func(i int) float64 { return float64(1 - i%2*2) })
		s := must(newSolver(Dual{k, make([]float64, n), constant(n, -9), constant(n, 9), 0}, SMOOptions{Start: start}))
		s.ridge = mostRidge // large enough to be seen
		f := s.free()
		w := newWalk(s, f)
		w.centre()
		w.start()
		in := slices.Sorted(slices.Values(rng.Perm(n)[:2+trial%9]))
		want := laFill(len(in), len(in), func(a, b int) float64 { // f is 0, 1, …: all are free
			c := k.At(in[a], in[b]) - k.At(in[a], w.r) - k.At(in[b], w.r) + 2*k.At(w.r, w.r) // c of (S8) is K_rr here
			if a == b {
				c += mostRidge * (k.At(in[a], in[a]) - 2*k.At(in[a], w.r) + 2*k.At(w.r, w.r))
			}
			return c
		})
		u := laUpper(w.factor(in))
		about(t, laDiff(laMul(u.T(), u), want), 0, laEps(n)*laMax(want), "trial %d: UᵀU − K_FF − ρ", trial)
	}
}

// S8: a phase takes at most three times as many variables as the last one left free, plus twenty, and none if memory
// does not suffice for all and steps gain more. The optimum is the same.
func TestS8Parts(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 73))
	xs, ys := labelled(300, func(i int) ([]float64, float64) { return normal(rng, 10), float64(2*rng.IntN(2) - 1) })
	fewer, none := 0, 0
	for _, k := range []Kernel[[]float64]{Linear{}, RBF{1}} { // of rank 10 and 300
		d := oracleSVC(GramOf(k, xs), ys, 1000, nil)
		want := must(SMO(d, SMOOptions{}))
		s := must(newSolver(d, SMOOptions{CacheBytes: 200 << 20}))
		equal(t, s.most, int(math.Sqrt(25<<20/4)), "%v: variables in a phase", k)
		equal(t, must(newSolver(d, SMOOptions{CacheBytes: 1})).most, 1024, "%v: with little memory", k)
		s.most, s.quota = 60, 20
		for trial := range 40 {
			for range 20 {
				s.step()
			}
			free := len(s.free())
			if s.price = 1; free > s.most {
				check(t, s.phase() == nil && math.IsInf(s.newtonCost(), 1), "%v: a phase without memory for it", k)
				none++
			} else {
				equal(t, len(s.phase()), min(free, s.quota), "%v: variables in a phase that gains less than steps", k)
			}
			s.price = 0.5
			part := len(s.phase())
			if trial > 0 {
				equal(t, part, min(free, s.most, s.quota), "%v: variables in a phase", k)
			}
			s.newton()
			left := len(s.free()) - (free - part)
			equal(t, s.quota, 3*left+20, "%v: variables in the next phase, after one of %d that left %d free", k, part, left)
			atMost(t, float64(len(s.tri)), 60*61/2, "%v: values of a factor", k)
			if part < min(free, s.most) {
				fewer++
			}
		}
		must(0, s.run(256, nil))
		about(t, s.objective, want.Objective, 1e-6*want.Objective, "%v: dual", k)
	}
	check(t, fewer > 2 && none > 2, "%d phases of fewer variables than there is memory for, %d without memory", fewer, none)
	// Regression with ε = 0 starts with all variables free, and ends with eleven: if phases took all free variables, it
	// would take tens of thousands of steps.
	xs, ys = labelled(1000, func(int) ([]float64, float64) {
		x := normal(rng, 10)
		return x, total(x) + rng.NormFloat64()
	})
	fit := must(SMO(Dual{GramOf(Linear{}, xs), ys, constant(1000, -1e4), constant(1000, 1e4), 0}, SMOOptions{MaxIter: 5000}))
	atMost(t, float64(fit.Iterations), 5000, "steps of a regression")
}

// S8: if K_FF has no factor, the ridge grows until it has one, or up to a limit.
func TestS8Ridge(t *testing.T) {
	for _, c := range []struct {
		name      string
		diag, off float64 // K
		ridge     float64 // of the next phase
	}{
		{"one point twice", 1e6, 1e6, leastRidge},
		{"two points", 1e6, 0, leastRidge},
		{"rounded in six digits", 1, 1 + 2e-6, 1e-5}, // (1 + ρ)² exceeds the square of that
		{"no factor", 1, 2, mostRidge},
	} {
		k := MatrixFromRows([][]float64{{c.diag, c.off}, {c.off, c.diag}})
		s := must(newSolver(Dual{k, []float64{1, -1}, constant(2, -1e12), constant(2, 1e12), 0}, SMOOptions{}))
		equal(t, s.newtonStep(s.free()) == nil, c.off == 2, "%s: no step", c.name)
		agree(t, s.ridge, c.ridge, 1e-9, "%s: the next ridge", c.name)
	}
	// Values of a kernel of low rank in single precision, or with five decimals: with the ridge that is right for
	// double precision this takes millions of steps.
	for name, round := range map[string]func(v float64) float64{
		"single precision": func(v float64) float64 { return float64(float32(v)) },
		"five decimals":    func(v float64) float64 { return math.Round(v*1e5) / 1e5 },
	} {
		rng := rand.New(rand.NewPCG(5, 71))
		xs, ys := signed(rng, 200, 5, func(x []float64) float64 { return total(x) + 0.5*rng.NormFloat64() })
		k := KernelFunc[[]float64](func(x, z []float64) float64 { return round(Dot(x, z)) })
		for _, c := range []float64{100, 1e4} {
			m, err := Train(xs, ys, k, Options{C: c})
			check(t, (err == nil || errors.Is(err, ErrIndefinite)) && m.KKT.Iterations < 5000 && m.KKT.Violation <= 1e-3,
				"%s, C = %v: %d steps, violation %v, %v", name, c, m.KKT.Iterations, m.KKT.Violation, err)
		}
	}
	// Features in units of 10⁴, and C = 1000: with one ridge this takes hundreds of thousands of steps.
	for seed := range uint64(4) {
		rng := rand.New(rand.NewPCG(seed, 71))
		xs, ys := labelled(500, func(i int) ([]float64, float64) {
			return []float64{1e4 * rng.NormFloat64(), 1e4 * rng.NormFloat64()}, float64(2*rng.IntN(2) - 1)
		})
		m := must(Train(xs, ys, Linear{}, Options{C: 1000}))
		check(t, m.KKT.Iterations < 10_000, "seed %d: %d steps", seed, m.KKT.Iterations)
	}
}

// S8: if the images of all free variables are 0, there is a factor, too: K_FF is c alone, a share of the largest Kᵢᵢ.
func TestS8AllZero(t *testing.T) {
	d := Dual{laDiag(0, 0, 0, 4), []float64{1, 2, -3, 0}, []float64{-1, -1, -1, 0}, []float64{1, 1, 1, 1}, 0}
	s := must(newSolver(d, SMOOptions{}))
	f := s.free()
	equal(t, f, []int{0, 1, 2}, "free")
	w := newWalk(s, f)
	w.centre()
	equal(t, w.less, constant(3, -2*leastOffset), "less: half of c = leastOffset · 4, and less than 0")
	check(t, w.start() != nil, "no factor")
	equal(t, must(SMO(d, SMOOptions{})).Objective, 5, "the optimum, of pᵀβ = β₀ + 2β₁ − 3β₂ with Σβ = 0 at β = (0, 1, −1)")
}

// S8: the null space of K_FF is found also if a diagonal entry is 0; if not, this street of width 1e-6 takes tens of
// millions of steps. With α near 1e12 kernel values have a rounding of 1e-3; smaller tolerances may be missed.
func TestS8ZeroOnDiagonal(t *testing.T) {
	xs, ys := [][]float64{{0, 0}, {2, 0}, {1, 1e-6}}, []float64{1, 1, -1}
	for _, tol := range []float64{0.1, 1e-6, 1e-9} {
		m, err := Train(xs, ys, Linear{}, Options{C: math.Inf(1), Tol: tol, MaxIter: 100_000})
		about(t, 1/m.Norm(), 0.5e-6, 1e-9, "tolerance %v: width", tol)
		kept := Verify(m, xs, ys, Options{C: math.Inf(1)}).Violation <= tol
		check(t, err == nil && kept || tol < 0.1 && errors.Is(err, ErrNotConverged), "tolerance %v: kept: %v, %v", tol, kept, err)
	}
	// If one point more touches a street than it has dimensions, with another origin u and v of (S8) would be long in
	// the null space, and δ would drown in them: then this takes a million steps.
	separable := 0
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 79))
		xs, ys := signed(rng, 60, 10, func(x []float64) float64 { return x[0] + 2*x[1] + 3*x[2] + 0.5*rng.NormFloat64() })
		m, err := Train(xs, ys, Linear{}, Options{C: math.Inf(1), Tol: 1e-8})
		if !errors.Is(err, ErrNotSeparable) {
			separable++
			check(t, err == nil && m.KKT.Iterations < 2000, "seed %d: %d steps, %v", seed, m.KKT.Iterations, err)
		}
	}
	check(t, separable > 10, "%d of 60 sets are separable", separable)
}

// (S8) has its origin beside one of the images, so −‖x − z‖²/2 will do for x·z, from which it differs by nothing that
// counts where Σδ = 0: the machine is the same, and found as soon. With the origin at 0 it takes millions of steps.
func TestS8Origin(t *testing.T) {
	rng := rand.New(rand.NewPCG(83, 84))
	xs, ys := signed(rng, 150, 5, func(x []float64) float64 { return total(x) + 0.5*rng.NormFloat64() })
	want := must(SMO(oracleSVC(GramOf(Kernel[[]float64](Linear{}), xs), ys, 1e4, nil), SMOOptions{Tol: 1e-6}))
	for _, c := range []struct {
		name string
		k    func(x, z []float64) float64 // x·z, up to terms that cancel where Σδ = 0
	}{
		{"x·z", Dot},
		{"x·z + 1e4", func(x, z []float64) float64 { return Dot(x, z) + 1e4 }},
		{"−‖x − z‖²/2", func(x, z []float64) float64 { return Dot(x, z) - norm2(x)/2 - norm2(z)/2 }},
	} {
		d := oracleSVC(GramOf(Kernel[[]float64](KernelFunc[[]float64](c.k)), xs), ys, 1e4, nil)
		got := must(SMO(d, SMOOptions{Tol: 1e-6, MaxIter: 5000}))
		about(t, got.Objective, want.Objective, 1e-8*want.Objective, "%s: dual", c.name) // a violation of 1e-6 times Σ|β|

		s := must(newSolver(d, SMOOptions{MaxIter: 100, noNewton: true}))
		s.run(256, nil)
		w := newWalk(s, s.free())
		w.centre()
		points := pick(xs, pick(s.at, w.f))
		r := slices.MinFunc(points, func(x, z []float64) int { return cmp.Compare(c.k(x, x), c.k(z, z)) })
		far := slices.Max(mapped(points, func(x []float64) float64 { return squares(x, r) }))
		offset := max(c.k(r, r), leastOffset*far)
		for a, x := range points {
			for b, z := range points {
				about(t, c.k(x, z)-w.less[a]-w.less[b], Dot(minus(x, r), minus(z, r))+offset, 1e-11*max(1, offset), "%s: K_FF at %d, %d", c.name, a, b)
			}
		}
	}
}

// S8: a path along x ends where it began if rounding has taken a variable past its bound; and no variable takes up what
// rounding has left of Σδ if none has room for it.
func TestS8Rounding(t *testing.T) {
	s := must(newSolver(Dual{laOne(2), []float64{0, 0}, []float64{-1, -1}, []float64{1, 1}, 0}, SMOOptions{}))
	moved := []float64{1 + machineEps, 0}
	theta, block := s.follow([]int{0, 1}, []float64{1, 1}, moved)
	equal(t, theta, 0, "θ")
	equal(t, block, 0, "who stops")
	equal(t, moved, []float64{1, 0}, "δ")
	for _, c := range []struct{ d, want []float64 }{
		{[]float64{0.5, -0.25}, []float64{0.5, -0.5}}, // the second has room, ¾
		{[]float64{0.9375, -0.75}, []float64{0.9375, -0.9375}},
		{[]float64{0.9375, 0.96875}, []float64{0.9375, 0.96875}}, // neither has
	} {
		d := slices.Clone(c.d)
		_, excess := s.settle([]int{0, 1}, d)
		equal(t, d, c.want, "%v settled", c.d)
		equal(t, excess, total(c.d)-total(c.want), "excess of %v", c.d)
	}
}

// S8: phases that gain more for their cost than steps do come sooner. If phases and steps always had the same share of
// the work, steps would set more variables free here than phases take to bounds: that took 34 thousand steps and more.
func TestS8Price(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 71))
	xs, ys := labelled(1000, func(i int) ([]float64, float64) { return normal(rng, 100), float64(2*rng.IntN(2) - 1) })
	m := must(Train(xs, ys, Linear{}, Options{C: 100}))
	check(t, m.KKT.Iterations < 15_000, "%d steps", m.KKT.Iterations)
	s := stepped(oracleSVC(GramOf(Linear{}, xs[:200]), ys[:200], 100, nil), SMOOptions{}, 40)
	for _, c := range []struct{ gained, price, want float64 }{
		{1e9, 1, 1}, {1e9, 4, 2}, {1e9, 0.25, 0.5}, // by the steps, far more than by any phase
		{0, 1, 0.5}, {0, 4, 2}, {0, leastPrice, leastPrice},
	} {
		s.step() // so that there is something to gain
		s.price, s.base, s.mark = c.price, s.objective-c.gained, s.spent()-1
		s.newton()
		equal(t, s.price, c.want, "after steps that gained %v, with the price %v: the next price", c.gained, c.price)
	}
}

// S8: a run that ends in steps is polished where that is cheap: what is left of the violation is then rounding.
func TestS8Polish(t *testing.T) {
	rng := rand.New(rand.NewPCG(67, 68))
	polished := 0
	for range 8 {
		xs, ys := signed(rng, 1000, 8, func(x []float64) float64 { return x[0] + x[1]*x[1] - 0.5 })
		violation, before := 0.0, 0.0
		for sol := range SMOSteps(oracleSVC(GramOf(Kernel[[]float64](RBF{0.05}), xs), ys, 10, nil), SMOOptions{}) {
			violation, before = sol.Violation, violation
		}
		if before <= 1e-3 && violation <= 1e-10 {
			polished++
		}
	}
	check(t, polished >= 2, "%d of 8 runs are polished, want some", polished)
}

// S8: a run is polished if one more phase costs less than a quarter of the work so far.
func TestS8PolishPays(t *testing.T) {
	d := randomDual(rand.New(rand.NewPCG(63, 64)), 100, RBF{1}, 10)
	for work, want := range map[float64]bool{4.1: true, 3.9: false} { // in units of what the phase costs
		s := stepped(d, SMOOptions{}, 30)
		s.work += work*s.newtonCost() - s.spent()
		equal(t, s.polishPays(), want, "after the work of %v phases: one more pays", work)
	}
}

// SMO: no hyperplane, S9.

// (S9): a hard margin that does not exist is recognised, and the multipliers prove it: they are those of two convex
// combinations, one of each class, that are the same point.
func TestS9NotSeparable(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 24))
	cloud, sides := labelled(60, func(i int) ([]float64, float64) { return normal(rng, 2), float64(i%2*2 - 1) })
	for _, c := range []struct {
		name string
		xs   [][]float64
		ys   []float64
	}{
		{"XOR", [][]float64{{0, 0}, {1, 1}, {0, 1}, {1, 0}}, []float64{1, 1, -1, -1}},
		{"one point, both labels", [][]float64{{1, 2}, {1, 2}}, []float64{1, -1}},
		{"origin, both labels", [][]float64{{0, 0}, {0, 0}}, []float64{1, -1}},
		{"between", [][]float64{{0, 0}, {2, 2}, {1, 1}}, []float64{1, 1, -1}},
		{"cloud", cloud, sides},
		{"far away", [][]float64{{1e6, 0}, {1e6 + 1, 1}, {1e6, 1}, {1e6 + 1, 0}}, []float64{1, 1, -1, -1}},
	} {
		d := oracleSVC(GramOf(Linear{}, c.xs), c.ys, math.Inf(1), nil)
		for name, o := range map[string]SMOOptions{"SMO": {}, "small cache": {CacheBytes: 1}, "no shrinking": {noShrink: true}} {
			name = c.name + ", " + name
			_, err := SMO(d, o)
			refused(t, err, ErrNotSeparable, "", "%s", name)
			var e *NotSeparableError
			if !errors.As(err, &e) {
				t.Errorf("%s: %T, want a *NotSeparableError", name, err)
				continue
			}
			apart, sums, size := make([]float64, 2), map[float64]float64{}, 0.0
			for i, l := range e.Lambda {
				check(t, l >= 0, "%s: λ[%d] = %v, want it ≥ 0", name, i, l)
				axpy(apart, l*c.ys[i], c.xs[i])
				sums[c.ys[i]] += l
				size = max(size, math.Sqrt(norm2(c.xs[i])))
			}
			about(t, sums[-1], 1, 1e-9, "%s: Σλ over class −1", name)
			about(t, sums[1], 1, 1e-9, "%s: Σλ over class +1", name)
			atMost(t, math.Sqrt(norm2(apart)), 2*hullTol*size, "%s: distance of the points of the hulls", name)
		}
	}
	// With one variable fixed at a value other than 0, β is no direction, even if the rest of it is.
	inf, fixed := math.Inf(1), 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 25))
		n := 3 + rng.IntN(4)
		xs := build(n, func(int) []float64 { return []float64{float64(rng.IntN(5)) / 2} })
		p := build(n, func(int) float64 { return float64(rng.IntN(4)) / 2 })
		d := Dual{GramOf(Linear{}, xs), p, make([]float64, n), constant(n, inf), 0}
		d.Lo[0], d.Hi[0] = -1, -1
		want := must(InteriorPoint(d, QPOptions{}))
		got := must(SMO(d, SMOOptions{Tol: 1e-9}))
		about(t, got.Objective, -want.Objective, 1e-6, "seed %d: objective with a fixed variable", seed)
		if got.Iterations > 0 {
			fixed++
		}
	}
	check(t, fixed > 100, "%d of 300 runs took a step: the test sees little", fixed)
	var e *NotSeparableError
	near := errOf(Train([][]float64{{0, 0}, {10, 0}, {5, 4e-7}}, []float64{-1, -1, 1}, Linear{}, Options{C: math.Inf(1)}))
	if check(t, errors.As(near, &e), "hulls that nearly meet: %v", near); e != nil {
		about(t, e.Distance, 4e-7, 1e-7, "distance of hulls that nearly meet")
	}
}

// (S9): a dual that grows along points at the origin is no sign of an indefinite kernel, though ‖Σβφ‖² < 0 by rounding.
func TestS9Origin(t *testing.T) {
	inf, grows := math.Inf(1), 0
	for seed := range uint64(2000) {
		rng := rand.New(rand.NewPCG(seed, 26))
		n := 3 + rng.IntN(4)
		scale := math.Pow(10, float64(rng.IntN(9)-4))
		d := Dual{nil, make([]float64, n), constant(n, -inf), constant(n, inf), 0}
		xs := build(n, func(int) []float64 { return make([]float64, 1) })
		for i := range xs {
			d.P[i] = math.Round(1000*rng.NormFloat64()) / 1000
			if i >= 2 {
				xs[i][0] = scale * float64(rng.IntN(9)-4)
			}
			if i >= 2 && rng.IntN(3) > 0 {
				d.Lo[i], d.Hi[i] = -float64(rng.IntN(2)), float64(rng.IntN(2))
			}
		}
		d.K = GramOf(Linear{}, xs)
		_, err := SMO(d, SMOOptions{Tol: 1e-6})
		check(t, err == nil || errors.Is(err, ErrNotSeparable), "seed %d: %v", seed, err)
		if err != nil {
			grows++
		}
	}
	check(t, grows > 1000, "%d of 2000 grow", grows)
}

// (S9): a margin is found however narrow it is beside the longest point: neither the test for hulls that meet nor the
// least curvature may scale with that point.
func TestS9NarrowMargins(t *testing.T) {
	for e := range 13 {
		far := math.Pow(10, float64(e))
		for _, c := range []struct {
			xs    [][]float64
			ys    []float64
			alpha []float64
		}{
			{[][]float64{{-1}, {1}, {far}}, []float64{-1, 1, 1}, []float64{0.5, 0.5, 0}},
			{[][]float64{{-1, 0}, {1, 0}, {1, far}, {-1, far}}, []float64{-1, 1, 1, -1}, []float64{0.5, 0.5, 0, 0}},
			{[][]float64{{-1}, {0}, {1 / far}, {1}}, []float64{-1, -1, 1, 1}, []float64{0, 2 * far * far, 2 * far * far, 0}},
		} {
			if e == 0 {
				c.alpha = must(Train(c.xs, c.ys, Linear{}, Options{C: math.Inf(1), Tol: 1e-9})).Alpha // there are several
			}
			m := must(Train(c.xs, c.ys, Linear{}, Options{C: math.Inf(1)}))
			agreeAll(t, m.Alpha, c.alpha, 1e-9, "%v: α", c.xs)
			s := must(newSolver(oracleSVC(GramOf(Linear{}, c.xs), c.ys, math.Inf(1), nil), SMOOptions{}))
			s.step() // to hulls that do not meet
			check(t, s.checkHulls() == nil, "%v: %v after a step", c.xs, s.checkHulls())
		}
	}
	// With a sum other than 0, β is no direction: here the second point takes all of the sum.
	s := must(SMO(Dual{NewMatrix(2, 2), []float64{1, 2}, make([]float64, 2), constant(2, math.Inf(1)), 1e20}, SMOOptions{}))
	equal(t, s.Beta, []float64{0, 1e20}, "β of sum 1e20")
}

// (S9): even from a start so small that Kβ is lost beside p, hulls that do not meet are not taken to meet.
func TestS9TinyStart(t *testing.T) {
	for _, half := range []float64{1, 1e-3, 1e-8, 1e-9} {
		xs, ys, o := [][]float64{{1 - half}, {1 + half}}, []float64{-1, 1}, Options{C: math.Inf(1)}
		want := must(Train(xs, ys, Linear{}, o))
		for _, start := range []float64{5e-324, 1e-17, 1e-11, 1} {
			o.Start = constant(2, start)
			agreeAll(t, must(Train(xs, ys, Linear{}, o)).Alpha, want.Alpha, 1e-6, "points 1 ± %v, start %v: α", half, start)
		}
	}
}

// (S9): of duals with infinite bounds and any sum, SMO finds that they grow for ever exactly where InteriorPoint does.
func TestS9GrowingDuals(t *testing.T) {
	inf, growing := math.Inf(1), 0
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 26))
		n := 2 + rng.IntN(8)
		x := laFill(n, 1+rng.IntN(n), func(i, j int) float64 { return float64(rng.IntN(5) - 2) })
		d := Dual{x.Mul(x.T()), make([]float64, n), make([]float64, n), constant(n, inf), float64(rng.IntN(3))}
		for i := range n {
			d.P[i] = float64(rng.IntN(5) - 2)
			switch rng.IntN(5) {
			case 0:
				d.Hi[i] = 1
			case 1, 2:
				d.Lo[i] = -inf
			case 3:
				d.Lo[i] = float64(rng.IntN(3) - 1)
				d.Hi[i] = d.Lo[i] // without room
			}
		}
		want, unbounded := InteriorPoint(d, QPOptions{})
		got, err := SMO(d, SMOOptions{Tol: 1e-6, MaxIter: 300_000})
		if errors.Is(unbounded, ErrInfeasible) {
			check(t, errors.Is(err, ErrInfeasible), "seed %d: %v, want ErrInfeasible", seed, err)
			continue
		}
		check(t, (unbounded == nil) == (err == nil), "seed %d: %v, want as by the interior point: %v", seed, err, unbounded)
		if err == nil && unbounded == nil {
			agree(t, got.Objective, -want.Objective, 1e-7, "seed %d: objective", seed)
			check(t, got.BLo <= got.B && got.B <= got.BHi, "seed %d: b = %v of [%v, %v]", seed, got.B, got.BLo, got.BHi)
		} else {
			growing++
			check(t, errors.Is(err, ErrNotSeparable) && errors.Is(unbounded, ErrUnbounded), "seed %d: %v and %v", seed, err, unbounded)
		}
	}
	check(t, growing > 50, "%d of 400 duals grow for ever: the test sees little", growing)
}

// SMO: warm starts, S10.

// (S10): β + u(β − β′) comes with its gradient, and is the solution itself as long as the free set stays the same, as
// for two points here, with β = ±C for C ≤ 2/‖x − z‖² = ½. A run from there has the same optimum as any other.
func TestS10Ahead(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 42))
	for round := range 60 {
		n := 5 + rng.IntN(40)
		c := math.Exp(3 * rng.NormFloat64())
		d := randomDual(rng, n, RBF{0.5}, c)
		d.K = GramMatrix(RBF{0.5}, d.K.(recipe[[]float64]).xs)
		widen := func(factor float64) Dual { return oracleSVC(d.K, d.P, factor*c, nil) }
		first, second := must(SMO(d, SMOOptions{})), must(SMO(widen(2), SMOOptions{}))
		for u, from := range map[float64]*DualSolution{1: second.ahead(first, 1, d.P), 5: second.ahead(first, 5, d.P),
			0.5: second.ahead(nil, 0.5, d.P)} {
			agreeAll(t, from.grad, gradient(d, from.Beta), 1e-12*(1+norm1(from.Beta)), "round %d, u = %v: gradient", round, u)
			want := must(SMO(widen(2+u), SMOOptions{Tol: 1e-7}))
			got := must(SMO(widen(2+u), SMOOptions{Tol: 1e-7, from: from}))
			agree(t, got.Objective, want.Objective, 1e-9*float64(n), "round %d, u = %v: optimum from there", round, u)
			agreeAll(t, got.grad, gradient(d, got.Beta), 1e-11*(1+norm1(got.Beta)), "round %d, u = %v: gradient in the end", round, u)
		}
	}
	pair := oracleSVC(GramOf(Linear{}, [][]float64{{-1}, {1}}), []float64{-1, 1}, 0.1, nil)
	first := must(SMO(pair, SMOOptions{}))
	a := first.ahead(nil, 3, pair.P)
	agreeAll(t, a.Beta, []float64{-0.4, 0.4}, 1e-15, "ahead by 3: β")
	agreeAll(t, a.grad, []float64{-0.2, 0.2}, 1e-15, "ahead by 3: gradient")
	a.drift = 1
	check(t, must(newSolver(pair, SMOOptions{from: a})).stale(),
		"the rounding in a gradient that a run begins with is forgotten")
	a.drift = machineEps
	s := must(newSolver(pair, SMOOptions{from: a}))
	equal(t, s.drift, machineEps+s.noise(), "the rounding in that gradient, and in what the box adds to it")
	for _, u := range []float64{math.Inf(1), math.NaN()} {
		check(t, first.ahead(first, u, pair.P) == nil, "ahead by %v is a solution, want nil", u)
	}
}

// (S10): the drift of a guess covers the errors in both gradients; there is no guess if its gradient or β overflows.
func TestS10Drift(t *testing.T) {
	at := []int{0}
	solution := func(beta, grad, drift float64) *DualSolution {
		return &DualSolution{Beta: []float64{beta}, grad: []float64{grad}, drift: drift, at: at}
	}
	for _, kappa := range []float64{0.25, 1, 4} {
		for _, err := range [][2]float64{{0.5, 0}, {0, 0.5}, {0.5, -0.5}, {-0.5, 0.25}} { // of β = 2 and 1, g = 3 − β
			a := solution(2, 1+err[0], math.Abs(err[0])).ahead(solution(1, 2+err[1], math.Abs(err[1])), kappa, nil)
			equal(t, a.Beta[0], 2+kappa, "β, κ = %v", kappa)
			about(t, a.grad[0], 3-a.Beta[0], a.drift, "g with errors %v, κ = %v", err, kappa)
		}
	}
	check(t, solution(2, 1e308, 0).ahead(solution(1, -1e308, 0), 1, nil) == nil, "a guess whose gradient is infinite")
	check(t, solution(1e308, 1, 0).ahead(solution(-1e308, 1, 0), 1, nil) == nil, "a guess whose β is infinite")
}

// S10: a run that goes on with the rows of the run before ends like one with a cache of its own, and computes fewer
// rows; a run for other variables does not use them.
func TestKeptRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(43, 44))
	for round := range 30 {
		n := 40 + rng.IntN(200)
		d := randomDual(rng, n, RBF{0.5}, 10)
		some := build(n, func(i int) float64 { return float64(i % 5) }) // every fifth has no room
		box := func(c float64, weights []float64) Dual { return oracleSVC(d.K, d.P, c, weights) }
		first := must(maximise(box(10, some), SMOOptions{}))
		check(t, first.cache != nil && len(first.at) == n-(n+4)/5,
			"round %d: rows %v in the order %v", round, first.cache, first.at)
		size := first.cache.slots
		for name, c := range map[string]Dual{"the same variables": box(30, some), "all variables": box(30, nil)} {
			bare := *first
			bare.cache = nil
			want := must(maximise(c, SMOOptions{Tol: 1e-7, from: bare.ahead(nil, 2, d.P)}))
			got := must(maximise(c, SMOOptions{Tol: 1e-7, from: first.ahead(nil, 2, d.P)}))
			agree(t, got.Objective, want.Objective, 1e-9*float64(n), "round %d, %s: optimum", round, name)
			agreeAll(t, pick(got.grad, got.at), pick(c.Gradient(got.Beta), got.at), 1e-11*(1+norm1(got.Beta)),
				"round %d, %s: gradient", round, name)
			check(t, (got.ahead(first, 1, d.P) != nil) == (len(got.at) == len(first.at)), "round %d, %s: ahead of both", round, name)
			again := got.cache == first.cache
			check(t, again == (name == "the same variables"), "round %d, %s: the rows are used is %v", round, name, again)
			if again {
				check(t, len(size) > 0 && got.cache.work < want.cache.work,
					"round %d: rows cost %v, without kept ones %v", round, got.cache.work, want.cache.work)
			}
		}
		first.forget()
		check(t, first.cache == nil, "round %d: rows that are forgotten", round)
	}
}

// SMO: spans, S11 and S12.

// (S11), (S12): where a phase in the span of the last moves ends, no combination of them with Σδ = 0 raises D: the rates
// of change Mᵀg are a multiple of Mᵀ1, M without the variables at a bound. Its Kδ is right, and δ stays in the box.
func TestS11Span(t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 23))
	met, before := 0, 0
	for trial := range 60 {
		d := randomDual(rng, 120, RBF{1}, math.Exp2(float64(trial%10)))
		s := noted(d, 20+2*trial, 3+trial%9, 10)
		s.moves.mark = math.Inf(-1) // no limit on the work
		f, p := s.free(), &s.moves.span
		rounding := trial%5 == 0 // enough to be seen, in the sum of a move, for the variable with most room
		if rounding {
			excess := 1e-5 * largest(s.moves.d[0])
			s.moves.d[0][f[0]] += excess
			axpy(s.moves.q[0], excess, s.cache.row(f[0], s.m))
		}
		if !s.spanStep(f) { // only where there is nothing left to gain, but for rounding
			check(t, s.maxUp-s.minLow <= 1e-12, "trial %d: no phase", trial)
			continue
		}
		delta := make([]float64, s.m)
		scatter(delta, f, p.moved)
		out := make([]bool, s.m)
		for k := range out {
			b := s.beta[s.at[k]] + delta[k]
			check(t, b >= d.Lo[s.at[k]]-1e-13*d.Hi[0] && b <= d.Hi[s.at[k]]+1e-13, "trial %d: β[%d] would be %v", trial, k, b)
			out[k] = s.up[k] != s.low[k]
		}
		for _, o := range p.left {
			if out[o.k] {
				before++
			} else {
				met++
			}
			out[o.k] = true
		}
		about(t, total(delta), 0, 1e-13*norm1(delta), "trial %d: Σδ", trial) // rounding of 120 terms
		g := build(s.m, func(k int) float64 { return s.gradient(k) - Dot(s.cache.row(k, s.m), delta) })
		aboutAll(t, s.kd, build(s.m, func(k int) float64 { return s.gradient(k) - g[k] }), 1e-9, "trial %d: Kδ", trial) // of β up to 512, many times
		var rate, sum spanVector
		for l := range p.n {
			for k, v := range s.moves.d[l] {
				if !out[k] {
					rate[l] += v * g[k]
					sum[l] += v
				}
			}
		}
		lambda := Dot(rate[:], sum[:]) / max(norm2(sum[:]), 1e-300)
		for l := range p.n {
			if p.a[l][l] > spanLeast*s.moves.a[l][l] && !rounding {
				// The ridge, relative to p.a, times the weights of the last direction, and what Kδ allows.
				tol := 1e-8*(1+math.Abs(lambda*sum[l])) + 10*spanRidge*p.a[l][l]*largest(p.taken[:])
				about(t, rate[l], lambda*sum[l], tol, "trial %d: rate of change along move %d", trial, l)
			}
		}
	}
	check(t, met >= 10 && before >= 50, "%d variables met a bound and %d were at one, want many", met, before)
}

// (S11) for random A, r and σ: a move of which next to nothing is left, so that its r is rounding, takes no part; and
// two moves may be one and the same.
func TestS11Direction(t *testing.T) {
	rng := rand.New(rand.NewPCG(20, 23))
	for trial := range 30 {
		p := &span{n: 3 + trial%6}
		var whole [spanMoves]spanVector
		q := build(spanMoves, func(int) []float64 { return normal(rng, 20) })
		for i := range spanMoves {
			for j := range spanMoves {
				whole[i][j] = Dot(q[i], q[j]) // those from p.n on do not count
			}
			p.r[i], p.sigma[i] = rng.NormFloat64(), rng.NormFloat64()
		}
		p.a = whole
		if trial%3 == 0 {
			p.sigma = spanVector{}
		}
		want := p.a // as the other moves see it
		gone := trial % p.n
		for i := range p.n {
			p.a[gone][i] *= 1e-7
			p.a[i][gone] *= 1e-7
		}
		c := p.direction(&whole)
		equal(t, c[gone], 0, "trial %d: weight of a move that is not there", trial)
		about(t, Dot(c[:p.n], p.sigma[:p.n]), 0, 1e-9, "trial %d: σᵀc", trial)
		var rest spanVector // r − Ac, a multiple of σ
		for i := range p.n {
			rest[i] = p.r[i] - Dot(want[i][:p.n], c[:p.n])
		}
		rest[gone], p.sigma[gone] = 0, 0
		axpy(rest[:p.n], -Dot(rest[:p.n], p.sigma[:p.n])/max(norm2(p.sigma[:p.n]), 1e-300), p.sigma[:p.n])
		about(t, norm(rest[:p.n]), 0, 1e-7, "trial %d: r − Ac − λσ", trial)
	}
	p := &span{n: 2, a: [spanMoves]spanVector{{4, 4}, {4, 4}}, r: spanVector{2, 2}}
	c := p.direction(&p.a)
	about(t, c[0]+c[1], 0.5, 1e-9, "a move twice: sum of the weights")
	p = &span{n: 3, a: [spanMoves]spanVector{{1, 0, 0}, {0, 1, 2}, {0, 2, 1}}, r: spanVector{1, 1, 1}}
	equal(t, p.direction(&p.a), spanVector{}, "A indefinite: weights")
	p.a[0][1] = math.NaN()
	equal(t, p.direction(&p.a), spanVector{}, "A not a number: weights")
}

// (S11): spans save steps, most where K is nearly singular on the free variables. The gradient that they keep is p − Kβ
// up to the drift, which includes the rounding of the moves, times their weights.
func TestS11Steps(t *testing.T) {
	for _, c := range []struct {
		c, gamma, share float64 // of the steps without, or of the budget if that is less; the last row is for the drift
	}{{100, 1, 0.8}, {1e3, 1, 0.4}, {1e4, 0.3, 0.6}, {1e6, 0.1, 1}} {
		with, without := 0, 0
		for seed := range uint64(fewer(3, 1)) {
			d := randomDual(rand.New(rand.NewPCG(seed, 3)), 400, RBF{c.gamma}, c.c)
			o := SMOOptions{Tol: 1e-5, noNewton: true, noSpan: true, MaxIter: 60_000}
			plain, err := SMO(d, o)
			check(t, err == nil || c.c > 100, "C = %v, without: %v", c.c, err)
			o.noSpan = false
			s := must(newSolver(d, o))
			err = s.run(256, nil)
			check(t, err == nil || c.c > 1e3, "C = %v: %v", c.c, err)
			with, without = with+s.steps, without+plain.Iterations
			s.unshrink()
			g, drift := build(s.n, s.gradient), s.drift
			s.refresh()
			aboutAll(t, g, build(s.n, s.gradient), drift, "C = %v: g", c.c)
		}
		atMost(t, float64(with), c.share*float64(without), "C = %v: steps", c.c)
	}
}

// (S11): a phase is given up, and the moves are forgotten, if too many variables are at a bound for its budget. With no
// budget left it changes nothing.
func TestS11Budget(t *testing.T) {
	given, still := 0, 0
	for trial := range 30 {
		s := noted(randomDual(rand.New(rand.NewPCG(uint64(trial), 24)), 120, RBF{1}, 100), 10*trial, 1, 5)
		check(t, !s.spanStep(s.free()), "trial %d: a phase", trial)
		if s.moves.count > 0 {
			still++
			equal(t, norm1(s.moves.span.moved), 0, "trial %d: δ", trial)
		} else {
			given++
		}
	}
	check(t, given >= 2 && still >= 2, "%d phases given up and %d without time, want some of both", given, still)
	// The budget of a phase is a quarter of the work since the last look, not of all work before.
	dear := 0
	for trial := range 100 {
		s := noted(randomDual(rand.New(rand.NewPCG(uint64(trial), 24)), 120, RBF{1}, 0.5), 5+trial, spanMoves, 2)
		before := s.spent()
		s.step()
		s.note()
		since, cost := s.spent()-before, s.boundCost()
		if cost > since/4 && cost < s.spent()/4 {
			dear++
			check(t, !s.spanStep(s.free()), "trial %d: a phase that has to look at bounds for %v after work of %v", trial, cost, since)
		}
	}
	check(t, dear >= 2, "%d phases would be too dear, want some", dear)
}

// SMO: rounding.

// B2, B7: what a run returns is true of its β, in exact arithmetic and for the given matrix, however large β is or was,
// so that steps change β and the gradient by different roundings. Σβ is right and the budget is kept. There is an error
// exactly if the violation exceeds the tolerance, though rounding may have hidden that it does not. The last that
// SMOSteps shows is what SMO returns.
func TestReportsAreExact(t *testing.T) {
	for seed := range uint64(1500) {
		rng := rand.New(rand.NewPCG(seed, 49))
		n := 2 + rng.IntN(14)
		xs, ys := labelled(n, func(i int) ([]float64, float64) { return normal(rng, 1+n/2), float64(i%2*2 - 1) })
		k := GramMatrix(Scale(math.Pow(10, float64(rng.IntN(7)-3)), []Kernel[[]float64]{Linear{}, RBF{1}}[seed%2]), xs)
		c := math.Pow(10, float64(rng.IntN(10)))
		d := oracleSVC(k, ys, c, build(n, func(int) float64 { return rng.Float64() }))
		o := SMOOptions{Tol: math.Pow(10, float64(-1-rng.IntN(7))), MaxIter: 1 + rng.IntN(2000)}
		if seed%3 == 0 {
			o.Start = build(n, func(int) float64 { return c * rng.NormFloat64() })
		}
		s, err := SMO(d, o)
		check(t, s != nil && (err == nil || errors.Is(err, ErrNotConverged)), "%d: %v", seed, err)
		exact := func(x float64) *big.Float { return new(big.Float).SetPrec(200).SetFloat64(x) }
		g, objective, size := make([]float64, n), exact(0), norm1(s.Beta)
		for i, b := range s.Beta {
			gi := exact(d.P[i])
			for j, v := range k.Row(i) {
				gi.Sub(gi, new(big.Float).Mul(exact(v), exact(s.Beta[j])))
			}
			g[i], _ = gi.Float64()
			objective.Add(objective, gi.Add(gi, exact(d.P[i])).Mul(gi, exact(b/2)))
		}
		up, low := d.Bias(s.Beta, g)
		about(t, s.Violation, max(0, up-low), 0.2*o.Tol+4*machineEps*(math.Abs(up)+math.Abs(low)), "%d: violation", seed)
		want, _ := objective.Float64()
		agree(t, s.Objective, want, 0.1*o.Tol*size+1e-12, "%d: objective", seed)
		inBox(t, d, s.Beta, float64(n)*machineEps*size, "%d", seed)
		check(t, (err == nil) == (s.Violation <= o.Tol) && s.Iterations <= o.MaxIter,
			"%d: violation %v, want %v, after %d of %d steps: %v",
			seed, s.Violation, o.Tol, s.Iterations, o.MaxIter, err)
		var last []float64
		for seen := range SMOSteps(d, o) {
			last = append(slices.Clone(seen.Beta), seen.Violation, seen.Objective)
		}
		equal(t, last, append(slices.Clone(s.Beta), s.Violation, s.Objective), "%d: the last step", seed)
	}
}

// A gradient in which rounding may have accumulated is computed afresh before a run is called finished.
func TestRefresh(t *testing.T) {
	d := randomDual(rand.New(rand.NewPCG(65, 66)), 80, RBF{1}, 1)
	s := must(newSolver(d, SMOOptions{noShrink: true}))
	s.run(256, nil)
	want := s.gradient(3)
	s.up[3], s.low[3] = s.up[3]+1e-4, s.low[3]+1e-4
	s.drift, s.polished = 1, true
	check(t, !s.finished(), "finished with a gradient in which rounding has accumulated")
	about(t, s.gradient(3), want, 1e-12, "g[3] computed afresh")

	s = must(newSolver(randomDual(rand.New(rand.NewPCG(67, 68)), 60, RBF{1}, 1e9), SMOOptions{MaxIter: 500}))
	s.run(256, nil)
	s.refresh()
	for k, i := range s.at {
		g := ratOf(s.d.P[i])
		for l, v := range rowOf(s.cache.rows, k, 0, s.n) { // a float64 matrix, whatever it is the rounding of
			g.Sub(g, new(big.Rat).Mul(ratOf(v), ratOf(s.beta[s.at[l]])))
		}
		exact := ratFloat(g)
		about(t, s.gradient(k), exact, 4*machineEps*(1+math.Abs(exact)), "g[%d] computed afresh", i)
	}
}

// The reported rounding of K = −‖x − z‖² is that of its largest entries, and not 0, as the diagonal would make it.
func TestRoundingOffDiagonal(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	xs, ys := labelled(100, func(int) ([]float64, float64) {
		x := normal(rng, 5)
		divide(x, 1e-5)
		return x, float64(1 - 2*rng.IntN(2))
	})
	k := KernelFunc[[]float64](func(x, z []float64) float64 { return 2*Dot(x, z) - norm2(x) - norm2(z) })
	m := must(Train(xs, ys, k, Options{Tol: 0.1}))
	v := Verify(m, xs, ys, Options{})
	// Steps may not have met the largest entry, of pairs some four times as far apart as most.
	check(t, m.KKT.Rounding > v.Rounding/4, "rounding %v, and Verify finds %v", m.KKT.Rounding, v.Rounding)
}

// B7: far from the origin b is too coarse to place the plane, and Rounding reports that, for the exact f of the model.
func TestRoundingOfBias(t *testing.T) {
	for k := range 50 {
		xs, ys := [][]float64{{1e8}, {1e8 + float64(k+1)/7}}, []float64{-1, 1}
		m := must(Train(xs, ys, Linear{}, Options{C: 1000}))
		for i, x := range xs {
			f := ratOf(m.B)
			for j, c := range m.Coef {
				f.Add(f, new(big.Rat).Mul(ratOf(c), new(big.Rat).Mul(ratOf(m.Points[j][0]), ratOf(x[0]))))
			}
			if m.KKT.Free == 2 {
				about(t, ratFloat(f), ys[i], m.KKT.Violation+m.KKT.Rounding, "points %v: f at point %d", xs, i)
			}
		}
	}
}

// What a run reports is true of its β up to the rounding of kernel values, ε Σ α|k|, even where that exceeds the
// tolerance, as with features in large units or a large C; a gradient that only steps keep up to date would be far more
// wrong. Such a run ends long before its budget, by [ErrNotConverged] if need be, but never by ErrIndefinite. The same
// holds if an observer ends it. How large that rounding may be is reported, too.
func TestRoundingIsReported(t *testing.T) {
	for _, c := range []struct {
		name     string
		scale, c float64
		k        Kernel[[]float64]
		steps    int
	}{
		{"cubic", 1, 1e8, Polynomial{Coef: 1}, 10_000}, {"cubic in tens", 10, 1e3, Polynomial{Coef: 1}, 10_000},
		{"cubic in tens, dear", 10, 1e5, Polynomial{Coef: 1}, 100_000},
		{"cubic in hundreds", 100, 1, Polynomial{Coef: 1}, 1_000_000}, {"line in thousands", 1000, 1e5, Linear{}, 200_000},
		{"line in thousands, dear", 1000, 1e6, Linear{}, 600_000}, {"line", 1, 1e12, Linear{}, 600_000},
		{"Gaussian", 1, 1e6, RBF{1}, 10_000}, {"wide Gaussian", 1, 1e10, RBF{0.01}, 10_000},
	} {
		for seed := range uint64(8) {
			rng := rand.New(rand.NewPCG(seed/2, 9))
			n, d := 30+rng.IntN(40), 1+rng.IntN(5)
			xs, ys := labelled(n, func(i int) ([]float64, float64) {
				return build(d, func(int) float64 { return c.scale * rng.NormFloat64() }), float64(i%2*2 - 1)
			})
			o := Options{C: c.c, MaxIter: c.steps}
			if seed%2 == 1 {
				o.Observe = func(s *DualSolution) bool { return s.Violation > 1e-2 }
			}
			m, err := Train(xs, ys, c.k, o)
			check(t, m != nil && (err == nil || errors.Is(err, ErrNotConverged)), "%s, %d: %v", c.name, seed, err)
			noise := 0.0
			for _, x := range xs {
				sizes := mapped(xs, func(z []float64) float64 { return math.Abs(c.k.Eval(x, z)) })
				noise = max(noise, machineEps*Dot(m.Alpha, sizes))
			}
			truth := Verify(m, xs, ys, o)
			// Two sums, two gradients each; and what steps have left in g since it was fresh, far below the tenth of Tol
			// that would make them compute it again.
			tol := 4*noise + 1e-10
			agree(t, m.KKT.Violation, truth.Violation, tol, "%s, %d: violation", c.name, seed)
			agree(t, truth.Rounding, noise, 1e-9*noise, "%s, %d: rounding", c.name, seed)
			check(t, noise <= m.KKT.Rounding && m.KKT.Rounding <= 100*noise+1e-15,
				"%s, %d: rounding %v, want %v or some more", c.name, seed, m.KKT.Rounding, noise)
			check(t, err != nil || m.KKT.Violation <= 1e-3, "%s, %d: violation %v and no error", c.name, seed, m.KKT.Violation)
			check(t, m.KKT.Iterations < c.steps, "%s, %d: %d steps", c.name, seed, m.KKT.Iterations)
			most := max(1e-3, 250*m.KKT.Rounding) // mostly it is less than the rounding, and with drowned gradients far more
			check(t, seed%2 == 1 || m.KKT.Violation <= most, "%s, %d: violation %v, want %v", c.name, seed, m.KKT.Violation, most)
		}
	}
}

// A run whose violation is within the rounding of kernel values ends before its budget, and its error says so: else this
// one would take millions of steps in vain. The error of a run that is just stopped does not mention rounding.
func TestWithinRounding(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 72))
	xs, ys := labelled(30, func(i int) ([]float64, float64) {
		return []float64{1e6 * float64(rng.IntN(3)), 1e6 * float64(rng.IntN(3))}, float64(2*rng.IntN(2) - 1)
	})
	m, err := Train(xs, ys, Linear{}, Options{C: 1e6})
	refused(t, err, ErrNotConverged, "rounding of kernel values may", "C = 1e6")
	check(t, m.KKT.Iterations < stallSteps+1000, "%d steps", m.KKT.Iterations)
	// One point so far out that no β of it is fine enough: every few steps its gradient leaps by 10¹² and comes back.
	far, labels := [][]float64{{5}, {-6.4}, {-1.9}, {12.9}, {8.5}, {1}, {16.2}, {9872}}, []float64{1, -1, 1, -1, 1, -1, -1, 1}
	m, err = Train(far, labels, Polynomial{Degree: 4}, Options{})
	refused(t, err, ErrNotConverged, "rounding of kernel values may", "a point far out")
	check(t, m.KKT.Iterations < 2*stallSteps, "a point far out: %d steps", m.KKT.Iterations)
	d := randomDual(rng, 60, RBF{2}, 10)
	_, err = SMO(d, SMOOptions{MaxIter: 3})
	check(t, err != nil && !strings.Contains(err.Error(), "rounding"), "stopped after 3 steps: %v", err)
	s := must(newSolver(d, SMOOptions{Start: constant(60, 1)}))
	check(t, s.base == s.objective && s.base != 0, "the base of a start is %v, its objective %v", s.base, s.objective)
}

// A gradient is stale if rounding can be seen in it, in the objective or in Σβ, and drowned if rounding is ten times the
// violation. A fresh one is neither; soon after a rescue none is drowned, lest all work go into rescues.
func TestStale(t *testing.T) {
	s := stepped(randomDual(rand.New(rand.NewPCG(67, 68)), 60, RBF{1}, 10), SMOOptions{}, 30)
	s.tol = fineTol // what the run aims at has no say
	size, v, trust := norm1(s.beta), s.violation(), s.spent()
	check(t, size > 4 && v > 1e-3, "‖β‖₁ = %v, violation %v: the test is void", size, v)
	for _, c := range []struct {
		since               int // steps, with a fresh gradient before
		drift, blur, excess float64
		trust               float64
		stale, drowned      bool
	}{
		{0, 11 * v, size, 0.1, trust, false, false},
		{1, 0.9e-4, 0, 0, trust, false, false}, {1, 1.1e-4, 0, 0, trust, true, false},
		{1, 0, 0.9e-4 * size, 0, trust, false, false}, {1, 0, 1.1e-4 * size, 0, trust, true, false},
		{1, 0, 0, 0.1, trust, true, false},
		{1, 9 * v, 0, 0, trust, true, false}, {1, 11 * v, 0, 0, trust, true, true}, {1, 11 * v, 0, 0, trust + 1, true, false},
	} {
		s.fresh, s.drift, s.blur, s.trust = s.steps-c.since, c.drift, c.blur, c.trust
		s.beta[0] += c.excess
		equal(t, []bool{s.stale(), s.drowned()}, []bool{c.stale, c.drowned}, "%+v: stale, drowned", c)
		s.beta[0] -= c.excess
	}
	before := s.spent()
	s.rescue()
	equal(t, s.fresh, s.steps, "steps when the gradient was computed")
	equal(t, s.trust, s.spent()+exactCost*(s.spent()-before), "work before the next rescue, after one from %v to %v", before, s.spent())
}

// A run that reaches the tolerance again and again, but never with a fresh gradient, gives up unless there is progress:
// a lower violation or a higher objective.
func TestVainGradients(t *testing.T) {
	d := randomDual(rand.New(rand.NewPCG(45, 46)), 100, RBF{0.5}, 1)
	s := must(newSolver(d, SMOOptions{}))
	for k, want := range []int{0, 1, 2} {
		s.sure.note(s, 0)
		equal(t, s.sure.vain, want, "vain gradients after %d", k+1)
	}
	s.step()
	s.sure.note(s, 0)
	equal(t, s.sure.vain, 0, "vain gradients after a step")
	// Within noise a rise of the dual is no progress.
	for noise, vain := range map[float64]int{math.Inf(1): 1, 0: 0} {
		p := progress{violation: s.violation(), objective: s.objective - 1}
		p.note(s, noise)
		equal(t, p.vain, vain, "vain looks at a violation within %v", noise)
		p = progress{violation: s.violation() / 2, objective: s.objective - 1}
		p.note(s, min(noise, 0.75*s.violation()))
		equal(t, p.vain, vain, "vain looks, the least violation within %v and not the last", noise)
		p = progress{violation: 2 * s.violation(), objective: s.objective, vain: 3}
		p.note(s, noise)
		equal(t, p.vain, 0, "vain looks as the violation is lower")
	}
	s.steps = 1
	s.sure.vain = vainLimit + 1
	err := s.run(256, nil)
	check(t, errors.Is(err, ErrNotConverged) && s.steps == 1,
		"%v after %d steps and %d vain gradients", err, s.steps, s.sure.vain)
}

// Before a run that stalls gives up, it makes all variables active, and goes on without shrinking.
func TestStall(t *testing.T) {
	d := randomDual(rand.New(rand.NewPCG(15, 16)), 300, RBF{1}, 1000)
	s := must(newSolver(d, SMOOptions{noNewton: true}))
	s.run(1, func(*DualSolution) bool { return s.m == s.n })
	check(t, s.m < s.n, "nobody is set aside: the test is void")
	s.seen.vain = stallSteps/300 + 1
	err := s.run(1, func(*DualSolution) bool { return s.stalled() || s.m == s.n })
	check(t, err == nil, "%v, with %d of %d variables active after %d steps", err, s.m, s.n, s.steps)

	// Hulls that nearly touch, near the end of a run with a small tolerance: the violation leaps down, rises again in a
	// Newton phase, and then falls slowly, while the dual rises by less than its own rounding. That is no stall.
	for tol, xs := range map[float64][][]float64{
		1e-9: {{-2, 1, 2}, {0, 2, 1}, {1, 2, 0}, {-2, -2, 0}},
		1e-7: {{1, 2, -2, 2, 0}, {-3, -1, 0, -1, 2}, {3, 2, 0, 1, 1}, {3, 2, 2, 3, -3}, {-3, -2, 2, -1, -2},
			{-1, -1, -3, -3, -1}, {1, -2, 0, 2, 3}, {-3, 2, 1, 1, 2}},
	} {
		ys := build(len(xs), func(i int) float64 { return float64(1 - i%2*2) })
		for _, bound := range []float64{math.Inf(1), 1e4} {
			m := must(Train(xs, ys, Linear{}, Options{C: bound, Tol: tol}))
			atMost(t, m.KKT.Violation, tol, "%d points, C = %v: violation", len(ys), bound)
		}
	}
}

// A run that gives up goes back to the best point if that has a smaller gap than the present one, or the same gap and a
// larger objective. If a fresh gradient shows that the tolerance is reached, it does not give up.
func TestGiveUp(t *testing.T) {
	d := randomDual(rand.New(rand.NewPCG(61, 62)), 40, RBF{1}, 10)
	for _, c := range []struct {
		least, higher float64 // the gap of the best point, beside the present one, and by how much its objective is higher
		back          bool
	}{{0.5, -1, true}, {2, 1, false}, {1, 1, true}, {1, -1, false}, {1, 0, false}} {
		s := stepped(d, SMOOptions{Tol: 1e-12}, 20)
		s.best, s.least, s.sure.objective = make([]float64, 40), c.least*s.gap(), s.objective+c.higher
		refused(t, s.giveUp(), ErrNotConverged, "", "a run that is not at its end")
		equal(t, norm1(s.beta) == 0, c.back, "back to %v times the gap, an objective higher by %v", c.least, c.higher)
	}
	s := must(newSolver(d, SMOOptions{Tol: 1e-6}))
	must(0, s.run(256, nil))
	s.drift, s.maxUp = 1, s.maxUp+1
	must(0, s.giveUp())
}

// A run that gives up returns the point of least gap among those with a fresh gradient, wherever rounding has led it.
func TestBestPoint(t *testing.T) {
	given := 0
	for seed := range uint64(fewer(20, 5)) {
		xs, ys := labelled(30, func(i int) ([]float64, float64) {
			rng := rand.New(rand.NewPCG(seed, uint64(i)))
			return build(3, func(int) float64 { return 1e4 * rng.NormFloat64() }), float64(i%2*2 - 1)
		})
		d := oracleSVC(GramMatrix(Kernel[[]float64](Polynomial{Degree: 2, Coef: 1}), xs), ys, 1, nil)
		s := must(newSolver(d, SMOOptions{MaxIter: 20_000}))
		gap := func() (sum, size float64) { // C Σξ − Σβ(g − b), with ξ = (y(g − b))₊ [½βᵀKβ + C Σξ − D, Kβ = y − g]
			b := (s.maxUp + s.minLow) / 2
			for i, g := range s.gradients() {
				sum += math.Max(0, ys[i]*(g-b)) - s.beta[i]*(g-b)
				size += math.Abs(g-b) + math.Abs(s.beta[i]*(g-b))
			}
			return sum, size
		}
		least := math.Inf(1)
		err := s.run(0, func(*DualSolution) bool { // at every turn, so that none is missed
			if s.fresh == s.steps && s.steps > 0 {
				now, _ := gap()
				least = min(least, now)
			}
			return true
		})
		if err == nil {
			continue
		}
		given++
		got, size := gap()
		about(t, s.gap(), got, 100*machineEps*size, "seed %d: gap", seed)
		atMost(t, got-least, 100*machineEps*size, "seed %d: more than the least gap", seed)
	}
	check(t, given >= fewer(10, 3), "%d runs give up, want most", given)

	// A hard margin has no finite gap before its end. There the largest objective counts.
	given = 0
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed/2, 90))
		xs, ys := labelled([]int{10, 30}[seed%2], func(i int) ([]float64, float64) {
			x := normal(rng, 3)
			y := sign(x[0])
			return []float64{x[0] + 1e-3*y, 3e6 * x[1], 30 * x[2]}, y
		})
		if ys[0] == ys[1] {
			xs[0][0], ys[0] = -xs[0][0], -ys[0]
		}
		d := oracleSVC(GramMatrix([]Kernel[[]float64]{Linear{}, RBF{1e-13}}[seed%2], xs), ys, math.Inf(1), nil)
		s, most := must(newSolver(d, SMOOptions{MaxIter: 20_000})), math.Inf(-1)
		err := s.run(0, func(*DualSolution) bool {
			if s.fresh == s.steps && s.steps > 0 {
				most = max(most, s.objective)
			}
			return true
		})
		if errors.Is(err, ErrNotConverged) && math.IsInf(s.gap(), 1) {
			given++
			atMost(t, most-s.objective, 1e-12*most, "seed %d: lost of the objective", seed)
		}
	}
	check(t, given >= 10, "%d of 200 hard margins give up, want some", given)
}

// A linear machine whose features differ in scale by 10⁶: in the end E2 sees only rounding of β times kernel values of
// 10¹². In all but a few runs the best point found has a small gap.
func TestBestPointScales(t *testing.T) {
	given, far := 0, 0
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 9))
		xs, ys := labelled(40, func(i int) ([]float64, float64) {
			return []float64{rng.NormFloat64(), 30 * rng.NormFloat64(), 1e6 * rng.NormFloat64()}, float64(1 - i%2*2)
		})
		m, err := Train(xs, ys, Linear{}, Options{C: 100})
		if err != nil {
			given++
		}
		if m.KKT.Gap > 0.2*m.KKT.Dual {
			far++
		}
		atMost(t, m.KKT.Gap, 10*m.KKT.Dual, "seed %d: gap", seed)
	}
	check(t, given >= 30 && far <= 3, "of 60 runs %d gave up, want most, and %d ended with a large gap", given, far)
}

// SMO: the cache, and workers.

// The cache returns the rows of K, whatever the order of requests, and never takes more memory than it may.
func TestRowCache(t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 20))
	for trial := range 40 {
		n := 2 + rng.IntN(30+2*slabRows*(trial%2))
		k := laFill(n, n, func(i, j int) float64 { return float64(100*i + j) })
		bytes := rng.IntN(8*n*n + 1)
		c := newRowCache(k.Open(), n, bytes)
		at, m := build(n, func(i int) int { return i }), n
		for range 300 {
			switch op := rng.IntN(20); {
			case op == 0 && m > 2:
				p := rng.Perm(m)
				m -= rng.IntN(m - 1)
				c.permute(p, m)
				permute(at, p, make([]int, len(p)))
			case op == 1:
				if m = n; c.stride < m {
					c.cut(m)
				}
			case op == 2:
				f := rng.Perm(m)[:rng.IntN(m+1)]
				d, sum, want := normal(rng, len(f)), make([]float64, m), make([]float64, m)
				c.batches(f, m, func(first int, rows [][]float64) {
					for b, row := range rows {
						equal(t, row, pick(k.Row(at[f[first+b]]), at[:m]), "trial %d: row %d of a batch", trial, f[first+b])
						axpy(want, d[first+b], row)
					}
				})
				c.addRows(sum, d, f)
				aboutAll(t, sum, want, 100*machineEps*largest(k.Data), "trial %d: sum of %d rows", trial, len(f))
			default:
				i, j := rng.IntN(m), rng.IntN(m)
				ri, rj := c.row(i, m), c.row(j, m)
				equal(t, ri, pick(k.Row(at[i]), at[:m]), "trial %d: row %d of the cache, after row %d", trial, i, j)
				equal(t, rj, pick(k.Row(at[j]), at[:m]), "trial %d: row %d of the cache", trial, j)
			}
			most := max(2, bytes/8/n) // rows, and one more in slabRows: TestRowCacheCapacity
			check(t, len(c.slabs)*c.slab <= (most+(most-1)/slabRows)*n,
				"trial %d: %d slabs of %d values for %d bytes", trial, len(c.slabs), c.slab, bytes)
		}
		c.release() // for the next trial, whose rows are others
	}
}

// The cache takes more memory when computing rows again has cost as much as that does: cheap rows that are used once
// take one slab, however many they are; rows that are used again and again all have a place in the end, at no more than
// twice the cost of the memory. Dear rows have a place at once.
func TestRowCacheBuys(t *testing.T) {
	n := 8 * slabRows
	for cost, slabs := range map[float64]int{1: 1, touchCost: 1, 4 * touchCost: 8} { // for rows used once
		cache := newRowCache(NewMatrix(n, n).Open(), n, 8*n*n)
		cache.cost = cost
		for i := range n {
			cache.row(i, n)
		}
		equal(t, len(cache.slabs), slabs, "cost %v: slabs for rows used once", cost)
		once := cache.work
		for i := 0; len(cache.slabs) < 8; i++ {
			if i == 1<<20 {
				t.Fatalf("cost %v: %d slabs after %d misses", cost, len(cache.slabs), i)
			}
			cache.row(i%n, n)
		}
		bought := float64(8-slabs) * float64(cache.slab)
		least, row := (touchCost-cost/4)*bought, cost*float64(n)
		again := cache.work - once
		check(t, again >= least && again <= max(least+8*row, 7*slabRows*row),
			"cost %v: rows computed again for %v, want %v", cost, again, least)
	}
}

// The cache has room for all rows if memory allows it, for two in any case, else for what it allows or up to 1/32 more.
func TestRowCacheCapacity(t *testing.T) {
	rows := NewMatrix(1, 1).Open()
	for n := range 300 {
		for most := range 300 {
			got, want := newRowCache(rows, n, most*8*n).capacity(), min(n, max(2, most))
			if got < want || got > min(n, want+(want-1)/slabRows) {
				t.Fatalf("%d rows for %d points: room for %d", most, n, got)
			}
		}
	}
	zero := make([]float64, 800)
	d := Dual{K: NewMatrix(800, 800), P: zero, Lo: zero, Hi: constant(800, 1)}
	s := must(newSolver(d, SMOOptions{CacheBytes: 800 * 8 * 256}))
	equal(t, s.cache.capacity(), 224, "rows in the memory of 256: seven eighths")
}

// The bits of a model do not depend on how many workers arrange the points, compute rows, reorder them when variables
// are set aside, and share the work on Newton's systems, even if not all of their rows fit into the cache.
func TestWorkersModel(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 18))
	xs, ys := signed(rng, 1200, 120, func(x []float64) float64 { return x[0] + x[1]*x[2] })
	k, cache := RBF{1. / 120}, 4<<20
	check(t, blocks(len(xs)) > 1, "the points are too few to be shared")
	s, moved := must(newSolver(oracleSVC(GramOf(k, xs), ys, 1, nil), SMOOptions{CacheBytes: cache})), 0
	s.run(1, func(*DualSolution) bool {
		if len(s.levels) > 0 {
			moved = len(s.cache.slots) * len(xs)
		}
		return true
	})
	check(t, float64(len(xs))*s.cache.cost >= parallelCost, "the rows are too short to be shared")
	check(t, moved >= parallelCost, "%d values are reordered, too few to be shared", moved)
	want := must(Train(xs, ys, k, Options{CacheBytes: cache, Workers: 1}))
	check(t, want.KKT.Free*want.KKT.Free >= parallelCost, "Newton's systems are too small to be shared:\n%v", want.KKT)
	for _, workers := range []int{2, 5}[:fewer(2, 1)] {
		got := must(Train(xs, ys, k, Options{CacheBytes: cache, Workers: workers}))
		check(t, reflect.DeepEqual(got, want), "%d workers: another model than one", workers)
	}
}

// Benchmarks.
//
// The data are random, but resemble real data in what costs time.

// oneHot has 14 categories a point spread over 123 binary features, as census records do.
func oneHot(n int) (xs [][]float64, ys []float64) {
	rng := rand.New(rand.NewPCG(27, uint64(n)))
	sizes := []int{5, 8, 5, 16, 7, 7, 14, 6, 5, 2, 2, 2, 5, 39}
	weight := normal(rng, 123)
	return labelled(n, func(int) ([]float64, float64) {
		x, first, score := make([]float64, 123), 0, -1.0
		for _, size := range sizes {
			f := first + int(float64(size)*math.Pow(rng.Float64(), 2)) // some values are common
			x[f] = 1
			score += 0.6 * weight[f]
			first += size
		}
		return x, sign(score + rng.NormFloat64())
	})
}

// blobs has 20 clusters of dense points.
func blobs(n, dim int) (xs [][]float64, ys []float64) {
	rng := rand.New(rand.NewPCG(28, uint64(n)))
	centres := kernelVectors(rng, 20, dim)
	return labelled(n, func(int) ([]float64, float64) {
		c := rng.IntN(len(centres))
		x := normal(rng, dim)
		for f, v := range centres[c] {
			x[f] = v + 0.7*x[f]
		}
		return x, float64(c%2*2 - 1)
	})
}

func perValue(b *testing.B, values int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(values), "ns/value")
}

// BenchmarkRow measures (G1) with and without the exponential, and rows computed value by value.
func BenchmarkRow(b *testing.B) {
	hot, _ := oneHot(20000)
	dense, _ := blobs(5000, 50)
	for _, c := range []struct {
		name string
		k    Kernel[[]float64]
		xs   [][]float64
	}{
		{"Gaussian one-hot", RBF{0.05}, hot}, {"linear one-hot", Linear{}, hot},
		{"Gaussian dense", RBF{0.02}, dense}, {"linear dense", Linear{}, dense},
		{"by value one-hot", KernelFunc[[]float64](RBF{0.05}.Eval), hot},
		{"by value dense", KernelFunc[[]float64](RBF{0.02}.Eval), dense},
	} {
		rows := GramOf(c.k, c.xs).Open()
		dst := make([]float64, len(c.xs))
		b.Run(c.name, func(b *testing.B) {
			i := 0
			for b.Loop() {
				rows.Row(dst, i, 0)
				i = (i + 17) % len(dst)
			}
			perValue(b, len(dst))
		})
	}
}

// BenchmarkExponential measures (G3) alone, and math.Exp in its place.
func BenchmarkExponential(b *testing.B) {
	src := build(1000, func(i int) float64 { return float64(i*7919%1000) / 100 })
	dst, zz := make([]float64, 1000), constant(1000, 14)
	for name, k := range map[string]rowKernel{"row": RBF{0.1}, "math.Exp": entrywise{RBF{0.1}}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				copy(dst, src)
				k.row(dst, zz, 14)
			}
			perValue(b, len(dst))
		})
	}
}

// BenchmarkSMO measures training, whole and with one part left out.
func BenchmarkSMO(b *testing.B) {
	hot, hotY := oneHot(4000)
	dense, denseY := blobs(4000, 16)
	for _, c := range []struct {
		name string
		k    Kernel[[]float64]
		xs   [][]float64
		ys   []float64
		c    float64
	}{
		{"Gaussian one-hot C=1", RBF{0.05}, hot, hotY, 1}, {"linear one-hot C=1", Linear{}, hot, hotY, 1},
		{"Gaussian dense C=10", RBF{0.1}, dense, denseY, 10},
	} {
		d := oracleSVC(GramOf(c.k, c.xs), c.ys, c.c, nil)
		for _, part := range []struct {
			name string
			o    SMOOptions
		}{
			{"all", SMOOptions{Workers: 1}}, {"2 workers", SMOOptions{Workers: 2}},
			{"no Newton", SMOOptions{Workers: 1, noNewton: true}}, {"no span", SMOOptions{Workers: 1, noSpan: true}},
			{"no shrinking", SMOOptions{Workers: 1, noShrink: true}},
		} {
			b.Run(c.name+"/"+part.name, func(b *testing.B) {
				steps := 0
				for b.Loop() {
					steps += must(SMO(d, part.o)).Iterations
				}
				b.ReportMetric(float64(steps)/float64(b.N), "steps/op")
			})
		}
	}
}

// BenchmarkDecisions measures prediction by rows against prediction point by point.
func BenchmarkDecisions(b *testing.B) {
	xs, _ := oneHot(4000)
	f := Func[[]float64]{Kernel: RBF{0.05}, Points: xs[:2000], Coef: make([]float64, 2000)}
	b.Run("decisions", func(b *testing.B) {
		for b.Loop() {
			decisions(f, xs[2000:], 1)
		}
		perValue(b, 2000*2000)
	})
	b.Run("Eval", func(b *testing.B) {
		for b.Loop() {
			for _, x := range xs[2000:2100] {
				f.Eval(x)
			}
		}
		perValue(b, 100*2000)
	})
}

// BenchmarkClassifier measures machines for every pair of classes, and the prediction of one point by all of them.
func BenchmarkClassifier(b *testing.B) {
	for _, classes := range []int{3, 10, 26} {
		xs, labels := mdClasses(9, 100*classes, classes, 1)
		o := Options{C: 10, Workers: 1}
		c := must(TrainClassifier(xs, labels, RBF{1}, o))
		b.Run(fmt.Sprintf("train/%d", classes), func(b *testing.B) {
			for b.Loop() {
				TrainClassifier(xs, labels, RBF{1}, o)
			}
		})
		b.Run(fmt.Sprintf("predict/%d", classes), func(b *testing.B) {
			for b.Loop() {
				c.Predict(xs[0])
			}
			perValue(b, len(c.points))
		})
	}
}

// BenchmarkSparse measures documents: reading, training and predicting, and the bytes that each of these allocates.
func BenchmarkSparse(b *testing.B) {
	xs, ys := documents(1, 20_000, 50_000, 130)
	words := wordsOf(xs)
	file := libPoints(xs, ys)
	run := func(name string, f func()) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				f()
			}
			b.ReportMetric(float64(allocated(f))/float64(words), "B/word")
		})
	}
	run("read", func() {
		_, _, err := ReadSparse(strings.NewReader(file))
		must(0, err)
	})
	run("Pegasos", func() { must(PegasosSparse(xs, ys, SGD{Steps: 1_000_000})) })
	for k, c := range map[DotKernel]float64{Linear{}: 0.1, Cosine{}: 1, RBF{0.01}: 1} {
		train := func() *Model[Sparse] { return must(Train(xs, ys, OnSparse(k), Options{C: c, CacheBytes: 50 << 20})) }
		m := train()
		run(fmt.Sprintf("Train %T", k), func() { train() })
		run(fmt.Sprintf("DecisionAll %T", k), func() { m.DecisionAll(xs) })
		b.Logf("%T: %d support vectors, %d steps", k, len(m.Points), m.KKT.Iterations)
	}
}

// BenchmarkGridSearch measures the search against independent runs of CrossValidate:
// go test -run xxx -bench GridSearch -data a9a -benchtime 1x.
func BenchmarkGridSearch(b *testing.B) {
	xs, ys := growthPoints(b, 5000)
	xs, ys = xs[:min(len(xs), 5000)], ys[:min(len(xs), 5000)]
	kernels := []Kernel[[]float64]{RBF{0x1p-9}, RBF{0x1p-7}, RBF{0x1p-5}, RBF{0x1p-3}}
	cs := []float64{0x1p-5, 0x1p-4, 0x1p-3, 0.25, 0.5, 1, 2, 4, 8, 16, 32}
	b.Run("GridSearch", func(b *testing.B) {
		for b.Loop() {
			must(GridSearch(xs, ys, kernels, cs, Options{}, 5, nil))
		}
	})
	b.Run("CrossValidate", func(b *testing.B) {
		for b.Loop() {
			for _, k := range kernels {
				for _, c := range cs {
					must(CrossValidate(xs, ys, k, Options{C: c}, 5, nil))
				}
			}
		}
	})
}

var growthData = flag.String("data", "", "a LIBSVM file with labels +1 and -1 for benchmarks")

// growthPoints returns the points of that file, or n generated ones.
func growthPoints(b *testing.B, n int) (xs [][]float64, ys []float64) {
	if *growthData == "" {
		return oneHot(n)
	}
	file, err := os.Open(*growthData)
	if err != nil {
		b.Fatal(err)
	}
	xs, ys, err = ReadLIBSVM(file)
	if err != nil || len(xs) < 2000 {
		b.Fatalf("%s: %d points, want 2000 or more; %v", *growthData, len(xs), err)
	}
	return xs, ys
}

// BenchmarkGrowth measures how time and memory grow with the number of points: go test -run xxx -bench Growth -data a9a.
func BenchmarkGrowth(b *testing.B) {
	xs, ys := growthPoints(b, 32000)
	for n := 2000; n <= len(xs); n *= 2 {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			steps, support := 0, 0
			for b.Loop() {
				m := must(Train(xs[:n], ys[:n], RBF{0.05}, Options{Workers: 1}))
				steps, support = steps+m.KKT.Iterations, len(m.Points)
			}
			b.ReportMetric(float64(steps)/float64(b.N), "steps/op")
			perValue(b, support*n)
		})
	}
}

// Stochastic gradients.

// pegData returns n labelled points of d Gaussian features, about half of them zero, with overlapping classes.
func pegData(n, d int, seed uint64) (xs [][]float64, ys []float64) {
	rng := rand.New(rand.NewPCG(seed, 77))
	return labelled(n, func(int) ([]float64, float64) {
		x, y := make([]float64, d), sign(rng.Float64()-0.4)
		for j := range x {
			if rng.IntN(2) == 0 {
				x[j] = rng.NormFloat64() + 0.7*y
			}
		}
		return x, y
	})
}

// pegIntegers is pegData with coordinates in −2 … 2: every θ and every margin of a run is an integer, computed exactly.
func pegIntegers(n, d int, seed uint64) (xs [][]float64, ys []float64) {
	xs, ys = pegData(n, d, seed)
	round := func(v float64) float64 { return math.Round(max(-2, min(2, v))) }
	return mapped(xs, func(x []float64) []float64 { return mapped(x, round) }), ys
}

func pegRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, seed)) }

// pegExtend returns (x, 1).
func pegExtend(x []float64) []float64 { return append(slices.Clone(x), 1) }

// pegLargest is the scale of rounding errors: the largest |entry|, at least 1.
func pegLargest(rows ...[]float64) float64 { return max(1, largest(slices.Concat(rows...))) }

// vectorOf returns (w, b).
func vectorOf(h Hyperplane) []float64 { return append(slices.Clone(h.W), h.B) }

// pegRadius2 returns R², the largest ‖(x, 1)‖².
func pegRadius2(xs [][]float64) float64 {
	return slices.Max(mapped(xs, func(x []float64) float64 { return norm2(x) + 1 }))
}

// pegDraws draws one of n points for each step.
func pegDraws(rng *rand.Rand, n int) func() []int { return func() []int { return []int{rng.IntN(n)} } }

// pegIterates runs E3 as it is written on points zs = (x, 1), every W_t = (w, b) formed and kept: W_1 … W_T, and W_{T+1}.
// draw returns the points of a step. With free the bias instead moves by 1/√t. Nothing in it is shared with the package.
func pegIterates(zs [][]float64, ys []float64, lambda float64, steps int, free bool, draw func() []int) [][]float64 {
	d := len(zs[0])
	theta, b := make([]float64, d), 0.0
	var all [][]float64
	for t := 1.0; ; t++ {
		w := build(d, func(j int) float64 { return theta[j] / (2 * lambda * t) })
		if free {
			w[d-1] = b
		}
		if all = append(all, w); len(all) > steps {
			return all
		}
		points := draw()
		share := 1 / float64(len(points))
		for _, i := range points {
			f := 0.0
			for j, v := range zs[i] {
				f += w[j] * v
			}
			if ys[i]*f < 1 {
				for j, v := range zs[i] {
					theta[j] += ys[i] * v * share
				}
				b += ys[i] / math.Sqrt(t) * share
			}
		}
	}
}

func pegMean(rows [][]float64) []float64 {
	return build(len(rows[0]), func(j int) float64 {
		return tourMean(mapped(rows, func(row []float64) float64 { return row[j] }))
	})
}

// pegRecorder is a theta that writes down what is added when.
type pegRecorder struct {
	theta
	log [][2]int // step, point
}

func (r *pegRecorder) add(i int, t float64) {
	r.log = append(r.log, [2]int{int(t), i})
	r.theta.add(i, t)
}

// pegOnce is a theta whose point is added in one step only.
type pegOnce float64

func (once pegOnce) margin(_ int, t float64) float64 { return math.Abs(t-float64(once)) * 1e9 }
func (once pegOnce) add(int, float64)                {}

// pegRun makes the run of E3 or E4 that s stands for.
func pegRun(s theta, n int, o SGD) (log [][2]int, coef []float64) {
	o = must(o.filled(n))
	r := &pegRecorder{theta: s}
	coef = must(o.stochastic(r, n))
	return r.log, coef
}

// pegOptimum minimises λ‖W‖² + (1/n) Σ max(0, 1 − yᵢ⟨W, zᵢ⟩). In units of 2λ this is the soft margin with C = 1/(2λn) and
// without a bias, hence without equality constraint: a QP in α, whose gap certifies the optimum, and W = Σ αᵢyᵢzᵢ.
func pegOptimum(zs [][]float64, ys []float64, lambda float64) (w []float64, value float64) {
	q := DualQP(GramMatrix(Linear{}, zs), ys, 1/(2*lambda*float64(len(zs))))
	q.Aeq, q.Beq = nil, nil
	s := must(SolveQP(q, QPOptions{}))
	beta := build(len(zs), func(i int) float64 { return s.X[i] * ys[i] })
	return matVec(MatrixFromRows(zs).T(), beta), -2 * lambda * s.Objective
}

// E3, E6: θ₁ = 0; W_t = θ_t/(2λt); draw i; if yᵢ⟨W_t, (xᵢ, 1)⟩ < 1 then θ_{t+1} = θ_t + yᵢ(xᵢ, 1) else θ_{t+1} = θ_t;
// return the average of W_1 … W_T. (And the unregularised b, and the average without W_1 … W_Burn.)
func TestE3Pegasos(t *testing.T) {
	tests := []struct { // with odd values of λ, so that no margin is 1 but for rounding
		name        string
		n, d, steps int
		lambda      float64
		seed        uint64
	}{
		{name: "one step", n: 3, d: 2, steps: 1, lambda: 0.1017, seed: 1},
		{name: "two steps", n: 3, d: 2, steps: 2, lambda: 0.1017, seed: 2},
		{name: "one point", n: 1, d: 3, steps: 50, lambda: 1.017, seed: 3},
		{name: "no features", n: 5, d: 0, steps: 300, lambda: 0.3017, seed: 4},
		{name: "small λ", n: 40, d: 5, steps: 3000, lambda: 1.017e-4, seed: 5},
		{name: "large λ", n: 40, d: 5, steps: 3000, lambda: 10.17, seed: 6},
		{name: "more features", n: 30, d: 60, steps: 2000, lambda: 0.01017, seed: 7},
	}
	for _, tt := range tests {
		for _, free := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, free %v", tt.name, free), func(t *testing.T) {
				xs, ys := pegData(tt.n, tt.d, tt.seed)
				all := pegIterates(mapped(xs, pegExtend), ys, tt.lambda, tt.steps, free, pegDraws(pegRand(tt.seed), tt.n))
				for _, burn := range []int{0, tt.steps / 2, tt.steps - 1} {
					o := SGD{Lambda: tt.lambda, Steps: tt.steps, Burn: burn, Rand: pegRand(tt.seed), FreeBias: free}
					// A mean of numbers of that size, some hundred roundings, from a difference of sums over all steps.
					tol := 1e-13 * pegLargest(all...) * float64(tt.steps) / float64(tt.steps-burn)
					aboutAll(t, vectorOf(must(Pegasos(xs, ys, o))), pegMean(all[burn:tt.steps]), tol, "Burn %d: Pegasos", burn)
				}
			})
		}
	}
}

// pegExact makes the run of E3 or E7 on integers, in integers: the margin test yᵢ⟨W_t, zᵢ⟩ < 1 is unit·yᵢ⟨θ_t, zᵢ⟩ < t,
// where W_t = unit·θ_t/t. It returns the additions (step, point), the exact mean of the W_t, and in how many tests
// there was a tie.
func pegExact(xs [][]float64, ys []float64, unit, steps int, draw func() []int) (log [][2]int, mean []*big.Rat, ties int) {
	d := len(xs[0]) + 1
	theta := make([]int, d)
	mean = ratsOf(make([]float64, d))
	for t := 1; t <= steps; t++ {
		for j, v := range theta {
			mean[j].Add(mean[j], big.NewRat(int64(unit*v), int64(t*steps)))
		}
		next := slices.Clone(theta)
		for _, i := range draw() {
			margin := 0
			for j, v := range pegExtend(xs[i]) {
				margin += unit * int(ys[i]*v) * theta[j]
			}
			if margin == t {
				ties++
			}
			if margin < t {
				log = append(log, [2]int{t, i})
				for j, v := range pegExtend(xs[i]) {
					next[j] += int(ys[i] * v)
				}
			}
		}
		theta = next
	}
	return log, mean, ties
}

// E3, exactly: on integers margin tests end as in exact arithmetic, also ties; the average is the exact one, rounded.
func TestE3PegasosExact(t *testing.T) {
	const n, d, steps, lambda = 9, 2, 250, 0.125 // 1/(2λ) = 4
	all := 0
	for seed := range uint64(8) {
		xs, ys := pegIntegers(n, d, seed)
		s := newLinear(xs, ys)
		log, coef := pegRun(s, n, SGD{Lambda: lambda, Steps: steps, Rand: pegRand(seed)})
		want, mean, ties := pegExact(xs, ys, 4, steps, pegDraws(pegRand(seed), n))
		all += ties
		equal(t, log, want, "seed %d: additions (step, point)", seed)
		average := vectorOf(must(s.plane(coef)))
		aboutAll(t, average, mapped(mean, ratFloat), 1e-13, "seed %d: average", seed) // of numbers below 10 and 250 roundings
	}
	check(t, all > 0, "no step had yᵢ⟨W_t, zᵢ⟩ = 1: the test does not see whether < is <")
}

// E3: a run takes one IntN(n) a step from its generator, as documented, and nothing else.
func TestE3Draws(t *testing.T) {
	xs, ys := pegData(7, 2, 1)
	labels := mapped(ys, func(y float64) int { return int(y+1) / 2 })
	for _, steps := range []int{1, 63, 64, 65, 130} {
		for name, run := range map[string]func(o SGD) error{
			"Pegasos":       func(o SGD) error { return errOf(Pegasos(xs, ys, o)) },
			"PegasosSparse": func(o SGD) error { return errOf(PegasosSparse(mapped(xs, NewSparse), ys, o)) },
			"KernelPegasos": func(o SGD) error { return errOf(KernelPegasos(xs, ys, RBF{}, o)) },
			"TrainSoftmax":  func(o SGD) error { return errOf(TrainSoftmax(xs, labels, 2, o)) },
		} {
			used, want := pegRand(3), pegRand(3)
			check(t, run(SGD{Steps: steps, Rand: used}) == nil, "%s fails", name)
			for range steps {
				want.IntN(len(xs))
			}
			equal(t, used.Uint64(), want.Uint64(), "%s, %d steps: the next number", name, steps)
		}
	}
}

// E3: the constant feature regularises b. Data moved by c have another minimiser; with a free b they have the same one,
// moved along: w as before and b − w·c.
func TestE3FreeBias(t *testing.T) {
	// Points ±1 on a line, and λ = 1/8: w = 1, b = 0, since λw² + max(0, 1 − w) is least at 1, where it is 1/8.
	xs, ys := [][]float64{{1}, {-1}}, []float64{1, -1}
	for _, shift := range []float64{0, 5} {
		zs := moved(xs, shift)
		o := SGD{Lambda: 0.125, Steps: 400000, FreeBias: true}
		h := must(Pegasos(zs, ys, o))
		want := Hyperplane{[]float64{1}, -shift}
		got, best := o.Objective(h, zs, ys), o.Objective(want, zs, ys)
		check(t, best == 0.125 && got >= best-1e-12 && got <= best*1.02, // rounding; 1/√T is 0.0016
			"shift %v: Objective(%v) = %v, want about %v, that of %v", shift, h, got, best, want)
		o.FreeBias = false
		_, optimum := pegOptimum(mapped(zs, pegExtend), ys, o.Lambda)
		check(t, (math.Abs(optimum-0.125) < 1e-8) == (shift == 0),
			"shift %v: optimum with b in the norm = %v, want 0.125 only without shift", shift, optimum)
	}
	// B of (8) relies on |b_t| ≤ 2 + R²/2λ, which holds also where moved data pull b away.
	most := 0.0
	for seed := range uint64(20) {
		xs, ys := pegData(15, 2, seed)
		zs := mapped(moved(xs, float64(seed%5), 0), pegExtend)
		for _, lambda := range []float64{0.01, 0.1, 1} {
			r2 := slices.Max(mapped(zs, norm2)) - 1
			for step, w := range pegIterates(zs, ys, lambda, 2000, true, pegDraws(pegRand(seed), len(zs))) {
				share := math.Abs(w[2]) / (2 + r2/(2*lambda))
				check(t, share <= 1, "seed %d, λ = %v: b_%d = %v, R² = %v", seed, lambda, step+1, w[2], r2)
				most = max(most, share)
			}
		}
	}
	check(t, most > 0.2, "|b_t| is at most %.2f of its bound: the test sees little", most)
}

// E4: KernelPegasos is E3 in the coordinates α_t = β_t/(2λt), θ_t = Σ βᵢψ(xᵢ). Given the same draws and an explicit
// map, the two runs agree step for step. The constant feature of E3 is the constant in k + 1.
func TestE4KernelPegasos(t *testing.T) {
	one := KernelFunc[[]float64](func(_, _ []float64) float64 { return 1 })
	cubic := Polynomial{Degree: 3, Gamma: 0.5, Coef: 1}
	tests := []struct {
		name string
		k    Kernel[[]float64]
		psi  func(x []float64) []float64
		data func(n, d int, seed uint64) ([][]float64, []float64)
	}{
		{"linear, integers", Linear{}, func(x []float64) []float64 { return x }, pegIntegers},
		{"(x·z)², integers", Polynomial{Degree: 2}, func(x []float64) []float64 {
			return []float64{x[0] * x[0], x[0] * x[1], x[1] * x[0], x[1] * x[1]}
		}, pegIntegers},
		{"(1 + x·z/2)³", cubic, cubic.FeatureMap(2), pegData},
	}
	const n, steps = 25, 1500
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			xs, ys := tt.data(n, 2, 11)
			o := func() SGD { return SGD{Lambda: 1. / 32, Steps: steps, Rand: pegRand(5)} }
			features := mapped(xs, tt.psi)
			linear := newLinear(features, ys)
			k := Sum(tt.k, one)

			wantLog, wantCoef := pegRun(linear, n, o())
			gotLog, gotCoef := pegRun(newKernelised(xs, ys, k), n, o())
			equal(t, gotLog, wantLog, "additions (step, point) with the kernel == with the map")
			equal(t, gotCoef, wantCoef, "coefficients with the kernel == with the map")
			h := must(Pegasos(features, ys, o()))
			f := must(KernelPegasos(xs, ys, k, o()))

			tol := 1e-12 * pegLargest(h.W) * pegLargest(features...) * n // n terms of that size, with a rounding each
			about(t, total(f.Coef), h.B, tol, "Σβ == the bias")
			aboutAll(t, mapped(xs, f.Eval), mapped(features, h.Decision), tol, "f at the points")

			// With k itself it is the run on ψ(x) without the constant feature.
			w := pegMean(pegIterates(features, ys, 1./32, steps, false, pegDraws(pegRand(5), n))[:steps])
			f = must(KernelPegasos(xs, ys, tt.k, o()))
			aboutAll(t, mapped(xs, f.Eval), matVec(MatrixFromRows(features), w), tol, "without bias: f at the points")
		})
	}
}

// E4: how many rows of the Gram matrix are kept changes nothing, and points need not be vectors.
func TestE4KernelPegasosRows(t *testing.T) {
	xs, ys := pegData(40, 3, 21)
	o := func() SGD { return SGD{Lambda: 0.01, Steps: 2000, Rand: pegRand(1)} }
	k := RBF{Gamma: 0.5}
	wantLog, _ := pegRun(newKernelised(xs, ys, k), len(xs), o())
	for _, rows := range []int{0, 1, 7} {
		s := newKernelised(xs, ys, k)
		s.room = rows*len(xs) + rows/2
		gotLog, _ := pegRun(s, len(xs), o())
		equal(t, gotLog, wantLog, "with room for %d rows: additions", rows)
		check(t, s.room >= 0 && s.room < len(xs), "with room for %d rows: room left %d, want it used up and no more", rows, s.room)
	}
	words := []string{"aab", "abb", "xyx", "yxx"}
	f := must(KernelPegasos(words, []float64{1, 1, -1, -1}, Substring{}, SGD{}))
	check(t, f.Eval("ab") > 0 && f.Eval("xy") < 0,
		"on strings: f(ab) = %v, f(xy) = %v, want opposite signs", f.Eval("ab"), f.Eval("xy"))
	const n = 3000
	s := newKernelised(build(n, func(i int) []float64 { return []float64{float64(i)} }), constant(n, 1), Kernel[[]float64](Linear{}))
	for i := range n {
		s.add(i, 0)
	}
	equal(t, len(where(s.rows, func(row []float64) bool { return row != nil })), 64<<20/8/n, "rows kept in 64 MB")
}

// E5: the averages of E3 and E4 need no O(d) or O(n) work per step: an update at step s contributes (H_T − H_s)/(2λT),
// where H are the harmonic numbers.
func TestE5Average(t *testing.T) {
	// One addition, at step s: its weight is (1/2λT) Σ_{t=s+1}^T 1/t = (H_T − H_s)/(2λT). Without the first T₀ iterates
	// it is Σ_{t>max(s, T₀)} 1/t over 2λ(T − T₀).
	const most, lambda = 30, 0.25
	for last := 1; last <= most; last++ {
		for s := 1; s <= last; s++ {
			for burn := range last {
				sum := new(big.Rat)
				for t := max(s, burn) + 1; t <= last; t++ {
					sum.Add(sum, big.NewRat(1, int64(t)))
				}
				want, _ := sum.Mul(sum, big.NewRat(2, int64(last-burn))).Float64() // 1/2λ = 2
				o := SGD{Lambda: lambda, Steps: last, Burn: burn, Rand: pegRand(1)}
				coef := must(o.stochastic(pegOnce(s), 1))
				about(t, coef[0], want, 2e-14, "weight of step %d of %d, after %d", s, last, burn) // 30 roundings of numbers below 8
				check(t, s < last || coef[0] == 0, "the last addition of %d has weight %v, want 0", last, coef[0])
			}
		}
	}
	// A whole run: the mean of β_t/(2λt), with every β_t written down.
	xs, ys := pegData(12, 2, 3)
	const steps = 700
	s := newKernelised(xs, ys, RBF{})
	log, coef := pegRun(s, len(xs), SGD{Lambda: 0.01, Steps: steps, Rand: pegRand(9)})
	count, want := make([]float64, len(xs)), make([]float64, len(xs))
	for step := 1; step <= steps; step++ {
		axpy(want, 1/(2*0.01*float64(step)*steps), count)
		if len(log) > 0 && log[0][0] == step {
			count[log[0][1]]++
			log = log[1:]
		}
	}
	aboutAll(t, coef, want, 1e-12*pegLargest(want), "averages") // 700 roundings
	// At O(n) or O(d) a step this would take 10¹² operations.
	const many = 1 << 20
	coef = must(SGD{Lambda: 1, Steps: many, Rand: pegRand(1)}.stochastic(pegOnce(1), many))
	check(t, total(coef) > 0, "no step has added a point")
	two := []Sparse{{[]int32{many}, []float64{1}}, {[]int32{0}, []float64{1}}}
	h := must(PegasosSparse(two, []float64{1, -1}, SGD{Lambda: 1, Steps: many}))
	check(t, h.W[many] > 0 && h.W[0] < 0, "w = %v, %v at the two features, want opposite signs", h.W[many], h.W[0])
}

// A pegProblem has a known minimum of λ‖W‖² + (1/n) Σ hinge, at w.
type pegProblem struct {
	xs      [][]float64
	ys      []float64
	lambda  float64
	w       []float64
	optimum float64
}

func pegProblems() map[string]pegProblem {
	problems := make(map[string]pegProblem)
	// Without features W = b, and F(b) = λb² + p max(0, 1 − b) + q max(0, 1 + b) with p + q = 1, p ≥ q the shares of the
	// labels: F' = 2λb − p + q on (−1, 1), so b* = min(1, (p − q)/2λ).
	for _, lambda := range []float64{0.02, 0.4} {
		xs := slices.Repeat([][]float64{{}}, 10)
		ys := build(10, func(i int) float64 { return sign(6.5 - float64(i)) }) // p = 0.7
		b := min(1, 0.4/(2*lambda))
		optimum := lambda*b*b + 0.7*(1-b) + 0.3*(1+b)
		problems[fmt.Sprintf("bias only, λ = %v", lambda)] = pegProblem{xs, ys, lambda, []float64{b}, optimum}
	}
	for seed, lambda := range []float64{0.03, 0.3} {
		xs, ys := pegData(30, 2, uint64(40+seed))
		w, optimum := pegOptimum(mapped(xs, pegExtend), ys, lambda)
		problems[fmt.Sprintf("plane, λ = %v", lambda)] = pegProblem{xs, ys, lambda, w, optimum}
	}
	return problems
}

// E3, E6: in the (λ/2)‖w‖² scaling E[objective of the average] − optimum ≤ G²(1 + ln T)/(2λT), G a bound on the
// subgradient norms (2R suffices, R the largest ‖(xᵢ, 1)‖); the observed error stays under it and falls at that rate.
func TestE6Bound(t *testing.T) {
	const seeds, short, long = 60, 250.0, 4000.0
	for name, p := range pegProblems() {
		t.Run(name, func(t *testing.T) {
			r := math.Sqrt(pegRadius2(p.xs))
			excess := func(steps, burn int) float64 {
				mean := 0.0
				for seed := range uint64(seeds) {
					o := SGD{Lambda: p.lambda, Steps: steps, Burn: burn, Rand: pegRand(seed)}
					h := must(Pegasos(p.xs, p.ys, o))
					mean += (o.Objective(h, p.xs, p.ys) - p.optimum) / seeds
				}
				// (λ/2)‖w‖² with λ′ = 2λ is λ‖w‖².
				g, mu, T, T0 := 2*r, 2*p.lambda, float64(steps), float64(burn)
				want := g * g * (1 + math.Log(T/max(1, T0))) / (2 * mu * (T - T0))
				got := SGD{Lambda: p.lambda, Steps: steps, Burn: burn}.Bound(p.xs)
				about(t, got, want, 1e-12*want, "Bound at T = %d, T₀ = %d", steps, burn) // rounding
				// The certified optimum may be too high by 1e-9.
				check(t, mean >= -1e-9 && mean <= want,
					"mean excess, T = %d, T₀ = %d = %v, want in [0, %v]", steps, burn, mean, want)
				return mean
			}
			// The factor 3 allows for a mean of 60 seeds in place of the expectation.
			rate := short * (1 + math.Log(long)) / (long * (1 + math.Log(short)))
			atMost(t, excess(long, 0), 3*rate*excess(short, 0)+1e-9,
				"mean excess after %v steps <= that after %v, and falling,", long, short)
			atMost(t, excess(long, long/2), 3*short/long*excess(short, short/2)+1e-9,
				"burnt: mean excess after %v steps <= that after %v, and falling,", long, short)
		})
	}
}

// E6, the lemma behind (7): E‖W_t − W*‖² ≤ G²/(μ²t).
func TestE6Distance(t *testing.T) {
	const seeds, steps = 100, 400
	for name, p := range pegProblems() {
		r2, mu := pegRadius2(p.xs), 2*p.lambda
		mean := make([]float64, steps)
		for seed := range uint64(seeds) {
			draw := pegDraws(pegRand(seed), len(p.xs))
			for k, w := range pegIterates(mapped(p.xs, pegExtend), p.ys, p.lambda, steps, false, draw)[:steps] {
				axpy(w, -1, p.w)
				mean[k] += norm2(w) / seeds
			}
		}
		for k, got := range mean {
			atMost(t, got, 4*r2/(mu*mu*float64(k+1)), "%s: mean ‖W_t − W*‖² at t = %d", name, k+1)
		}
	}
}

// E6, its proof: for every run and every U (5) holds,
//
//	Σ_t Fᵢ(W_t) − Fᵢ(U) ≤ (μ/2)(D₁ − (T+1) D_{T+1}) + (G²/2μ)(H_{T+1} − 1),
//
// and so do ‖W_t‖ ≤ (t−1)R/(μt) and ‖g_t‖ < 2R. With a free b, and a U whose w is no longer than R/μ, the sum is at
// most T times (8), which is R²(1 + ln T)/λ + (½B² + 1)√T.
func TestE6Regret(t *testing.T) {
	const steps = 300
	for name, p := range pegProblems() {
		for _, free := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, free %v", name, free), func(t *testing.T) {
				d, mu := len(p.xs[0]), 2*p.lambda
				for seed := range uint64(20) {
					rng := pegRand(seed)
					var draws []int
					all := pegIterates(mapped(p.xs, pegExtend), p.ys, p.lambda, steps, free, func() []int {
						draws = append(draws, rng.IntN(len(p.xs)))
						return draws[len(draws)-1:]
					})
					loss := func(w []float64, i int) float64 {
						norm := norm2(w)
						if free {
							norm -= w[d] * w[d]
						}
						return p.lambda*norm + max(0, 1-p.ys[i]*Dot(w, pegExtend(p.xs[i])))
					}
					u := slices.Clone(p.w)
					if seed%2 == 1 && !free {
						axpy(u, 1, normal(rng, len(u)))
					}
					r2, regret, harmonic, farthest := pegRadius2(p.xs), 0.0, 1/float64(steps+1), 0.0
					if free {
						r2-- // R is the largest ‖x‖
					}
					for k, i := range draws {
						w := all[k]
						regret += loss(w, i) - loss(u, i)
						harmonic += 1 / float64(k+1)
						farthest = max(farthest, math.Abs(w[d]-u[d]))
						norm, most := math.Sqrt(norm2(w)), float64(k)*math.Sqrt(r2)/(mu*float64(k+1))
						check(t, free || norm <= most*(1+1e-12), "‖W_%d‖ = %v, want at most %v", k+1, norm, most) // rounding
						z := pegExtend(p.xs[i])
						g := times(w, constant(d+1, mu))
						if p.ys[i]*Dot(w, z) < 1 {
							axpy(g, -p.ys[i], z) // (1)
						}
						check(t, free || norm2(g) < 4*r2, "‖g_%d‖² = %v, want less than (2R)² = %v", k+1, norm2(g), 4*r2)
					}
					want := mu/2*(distance2(all[0], u)-(steps+1)*distance2(all[steps], u)) + 4*r2/(2*mu)*(harmonic-1)
					if free {
						farthest = max(farthest, math.Abs(all[steps][d]-u[d]))
						want = r2*(1+math.Log(steps))/p.lambda + (farthest*farthest/2+1)*math.Sqrt(steps)
					}
					check(t, regret <= want+1e-9*(1+math.Abs(want)), "seed %d: regret = %v, want at most %v", seed, regret, want) // rounding
				}
			})
		}
	}
	equal(t, SGD{FreeBias: true}.Bound([][]float64{{1}}), math.Inf(1), "Bound with a free bias")
	equal(t, SGD{Steps: 10, Burn: 20}.Bound([][]float64{{1}}), math.Inf(1), "Bound of no steps")
}

// E7: BatchSubgradient is subgradient descent on the objective of E3, all points in every step.
func TestE7Batch(t *testing.T) {
	xs, ys := pegData(15, 4, 8)
	all := build(len(xs), func(i int) int { return i })
	for _, free := range []bool{false, true} {
		const steps, lambda = 400, 0.02017
		iterates := pegIterates(mapped(xs, pegExtend), ys, lambda, steps, free, func() []int { return all })
		for _, burn := range []int{0, 150} {
			got := must(BatchSubgradient(xs, ys, SGD{Lambda: lambda, Steps: steps, Burn: burn, FreeBias: free}))
			aboutAll(t, vectorOf(got), pegMean(iterates[burn:steps]), 1e-12*pegLargest(iterates...), // rounding
				"free %v, Burn %d: BatchSubgradient", free, burn)
		}
		// With one point the batch is the draw.
		o := SGD{Steps: 50, FreeBias: free}
		equal(t, must(BatchSubgradient(xs[:1], ys[:1], o)), must(Pegasos(xs[:1], ys[:1], o)),
			"free %v: BatchSubgradient on one point == Pegasos", free)
	}
	// Exactly, on integers: with n = 8 and λ = 1/16, W_t = θ_t/(t/8), and θ_t is an eighth of the sum of the additions.
	ties := 0
	for seed := range uint64(20) {
		const n, d, steps = 8, 2, 60
		xs, ys := pegIntegers(n, d, seed)
		r := &pegRecorder{theta: newLinear(xs, ys)}
		must(SGD{Lambda: 1. / 16, Steps: steps}.batch(r, n))
		want, _, some := pegExact(xs, ys, 1, steps, func() []int { return all[:n] })
		ties += some
		equal(t, r.log, want, "seed %d: additions (step, point)", seed)
	}
	check(t, ties > 0, "no step had yᵢ⟨W_t, zᵢ⟩ = 1: the test does not see whether < is <")
	// The bound holds without an expectation, at every T, and the error falls at its rate.
	for name, p := range pegProblems() {
		first := 0.0
		for steps := 10; steps <= 20000; steps = steps*5 + 1 {
			o := SGD{Lambda: p.lambda, Steps: steps}
			h := must(BatchSubgradient(p.xs, p.ys, o))
			excess := o.Objective(h, p.xs, p.ys) - p.optimum
			check(t, excess >= -1e-9 && excess <= o.Bound(p.xs),
				"%s: excess after %d steps = %v, want in [0, %v]", name, steps, excess, o.Bound(p.xs))
			if steps == 10 {
				first = excess
			}
			atMost(t, excess, first*10*(1+math.Log(float64(steps)))/float64(steps)+1e-9,
				"%s: excess after %d steps <= that after 10, falling like ln T/T,", name, steps)
		}
	}
}

// pegSeparable returns points that the unit vector (u, u₀) separates with the given margin,
// yᵢ⟨(u, u₀), (xᵢ, 1)⟩ ≥ margin.
func pegSeparable(n, d int, margin float64, rng *rand.Rand) (xs [][]float64, ys []float64, h Hyperplane) {
	u := normal(rng, d+1)
	divide(u, math.Sqrt(norm2(u)))
	for len(xs) < n {
		x := build(d, func(int) float64 { return 4*rng.Float64() - 2 })
		if v := Dot(u, pegExtend(x)); math.Abs(v) >= margin {
			xs, ys = append(xs, x), append(ys, sign(v))
		}
	}
	return xs, ys, Hyperplane{u[:d], u[d]}
}

// pegAffine is ⟨(x, 1), (z, 1)⟩.
var pegAffine = KernelFunc[[]float64](func(x, z []float64) float64 { return Dot(x, z) + 1 })

// F3: the perceptron makes identical runs in the primal and, with mistake counts αᵢ and w = Σ αᵢyᵢxᵢ, in the dual. It
// makes at most (R/margin)² mistakes.
func TestF3Perceptron(t *testing.T) {
	bounded, seeds := 0, fewer(300, 30)
	for seed := range uint64(seeds) {
		rng := pegRand(seed)
		xs, ys, plane := pegSeparable(2+rng.IntN(30), 1+rng.IntN(5), 0.02+0.2*rng.Float64(), rng)
		if seed%3 == 0 { // many margins that are 0
			for i, x := range xs {
				xs[i] = mapped(x, math.Round)
			}
		}
		bound := NovikoffBound(plane, xs, ys) // +Inf if rounding took the margin away
		h, alpha, err := Perceptron(xs, ys, 200000)
		if math.IsInf(bound, 1) {
			continue
		}
		bounded++
		must(alpha, err)
		atMost(t, total(alpha), bound, "seed %d: number of mistakes", seed)

		// The textbook's loop, in w.
		w, want := make([]float64, len(xs[0])+1), make([]float64, len(xs))
		for wrong := true; wrong; {
			wrong = false
			for i, x := range xs {
				if ys[i]*Dot(w, pegExtend(x)) <= 0 {
					axpy(w, ys[i], pegExtend(x))
					want[i]++
					wrong = true
				}
			}
		}
		equal(t, alpha, want, "seed %d: mistakes", seed)
		tol := 1e-12 * (1 + total(alpha)) * pegLargest(xs...) // a rounding for each addition
		aboutAll(t, vectorOf(h), w, tol, "seed %d: plane", seed)
		f, dual, err := KernelPerceptron(xs, ys, pegAffine, 200000)
		check(t, err == nil && slices.Equal(dual, alpha),
			"seed %d: mistakes of the dual run %v, want %v; error %v", seed, dual, alpha, err)
		for i, x := range xs {
			about(t, f.Eval(x), Dot(h.W, x)+h.B, 5*tol*pegLargest(x), "seed %d: f(x%d)", seed, i)
		}
	}
	check(t, 3*bounded >= 2*seeds, "%d of %d sets have a margin, want two thirds", bounded, seeds)
}

// F3: Novikoff's bound is tight. If the yᵢzᵢ are orthogonal and of equal length, each is one mistake, and (R/γ)² = n.
// Here the zᵢ are the rows of Hadamard matrices, which begin with 1.
func TestF3NovikoffTight(t *testing.T) {
	rows := [][]float64{{1}}
	for range 5 {
		n := len(rows)
		h := Hyperplane{W: make([]float64, n-1)}
		xs, ys := make([][]float64, n), make([]float64, n)
		for i, z := range rows {
			xs[i], ys[i] = z[1:], sign(float64(i%3)-1)
			axpy(h.W, ys[i], xs[i])
		}
		h.B = total(ys)
		got, alpha, err := Perceptron(xs, ys, 3)
		mistakes, bound := total(alpha), NovikoffBound(h, xs, ys)
		check(t, err == nil && mistakes == float64(n) && bound == mistakes, // small integers
			"n = %d: %v mistakes, bound %v, error %v, want %d and %d", n, mistakes, bound, err, n, n)
		equal(t, got, h, "n = %d: plane", n)
		var next [][]float64
		for _, z := range rows {
			next = append(next, slices.Concat(z, z), slices.Concat(z, mapped(z, func(v float64) float64 { return -v })))
		}
		rows = next
	}
	errs := NovikoffBound(Hyperplane{[]float64{1}, 0}, [][]float64{{1}, {-1}}, []float64{1, 1})
	equal(t, errs, math.Inf(1), "NovikoffBound of a plane that errs")
	for _, size := range []float64{1e-200, 1, 1e200} { // the same plane
		got := NovikoffBound(Hyperplane{[]float64{3 * size}, 4 * size}, [][]float64{{1}, {-2}}, []float64{1, -1})
		agree(t, got, 31.25, 1e-14, "NovikoffBound of a plane of size %v", size) // R² = 5, γ = min(7, 2)/5
	}
	for _, w := range []float64{0, 1} {
		got := NovikoffBound(Hyperplane{[]float64{w}, 0}, [][]float64{{0}, {1}}, []float64{1, 1})
		equal(t, got, math.Inf(1), "NovikoffBound of w = %v, which is 0 at 0", w)
	}
}

// F3: the kernel perceptron solves XOR.
func TestF3XOR(t *testing.T) {
	xs, ys := xorPoints()
	k := Polynomial{Degree: 2, Coef: 1}
	f, alpha, err := KernelPerceptron(xs, ys, k, 10)
	must(f, err)
	for i, x := range xs {
		check(t, ys[i]*f.Eval(x) > 0, "f(%v) = %v, want the sign of %v", x, f.Eval(x), ys[i])
	}
	psi := mapped(xs, k.FeatureMap(2)) // D4
	w := make([]float64, len(psi[0]))
	for i, z := range psi {
		axpy(w, alpha[i]*ys[i], z)
	}
	aboutAll(t, mapped(xs, f.Eval), matVec(MatrixFromRows(psi), w), 1e-12, "f == w·ψ at the points") // rounding of √2
	// No plane does, and the plain perceptron says so.
	refused(t, errOf2(Perceptron(xs, ys, 50)), ErrNotConverged, "", "Perceptron on XOR")
}

// F3: a run that ends with mistakes returns the plane that went longest without one.
func TestF3Pocket(t *testing.T) {
	for seed := range uint64(40) {
		xs, ys := pegIntegers(20, 2, seed)
		xs, ys = append(xs, xs[0]), append(ys, -ys[0]) // never separable
		epochs := 1 + int(seed)%5
		h, alpha, err := Perceptron(xs, ys, epochs)
		refused(t, err, ErrNotConverged, "", "seed %d", seed)
		w := make([]float64, 3)
		want, right, longest := slices.Clone(w), 0, 0
		for step := range epochs * len(xs) {
			i := step % len(xs)
			z := pegExtend(xs[i])
			if ys[i]*Dot(w, z) <= 0 {
				w = slices.Clone(w)
				axpy(w, ys[i], z)
				right = 0
			} else if right++; right > longest {
				want, longest = w, right
			}
		}
		equal(t, vectorOf(h), want, "seed %d: plane right %d times in a row", seed, longest) // integers
		f, dual, err := KernelPerceptron(xs, ys, pegAffine, epochs)
		check(t, errors.Is(err, ErrNotConverged) && slices.Equal(dual, alpha),
			"seed %d: dual run %v, error %v, want %v and %v", seed, dual, err, alpha, ErrNotConverged)
		equal(t, f.Eval(xs[1]), Dot(h.W, xs[1])+h.B, "seed %d: f", seed)
	}
	one := [][]float64{{1}}
	h, alpha, err := Perceptron(one, []float64{1}, 1) // its only step is a mistake: no plane was ever right
	refused(t, err, ErrNotConverged, "", "one epoch")
	equal(t, h, Hyperplane{[]float64{0}, 0}, "plane after one epoch")
	equal(t, alpha, []float64{0}, "mistakes of that plane")
	_, alpha, err = Perceptron(one, []float64{1}, 2) // the second has no mistake
	check(t, err == nil && alpha[0] == 1, "two epochs: mistakes %v, error %v, want one", alpha, err)
}

// F3: 0 epochs mean 1000.
func TestF3Epochs(t *testing.T) {
	xs, ys := [][]float64{{10}, {11}}, []float64{1, -1} // 445 mistakes
	_, alpha, err := Perceptron(xs, ys, 0)
	check(t, err == nil && total(alpha) == 445, "mistakes %v, error %v", alpha, err)
	refused(t, errOf2(Perceptron([][]float64{{1}, {1}}, ys, 0)), ErrNotConverged, "after 1000 epochs", "a point of both classes")
}

// pegSoftmax returns a random model and a random point.
func pegSoftmax(classes, d int, rng *rand.Rand) (Softmax, []float64) {
	return Softmax{&Matrix{classes, d, normal(rng, classes*d)}, normal(rng, classes)}, normal(rng, d)
}

// F4: multiclass linear models predict argmaxₖ wₖ·x; for two classes this is sign((w₁ − w₂)·x).
func TestF4Argmax(t *testing.T) {
	for seed := range uint64(100) {
		rng := pegRand(seed)
		m, x := pegSoftmax(2+int(seed%4), 3, rng)
		got, best := m.Predict(x), math.Inf(-1)
		for k := range m.B {
			score := m.B[k]
			for j, v := range x {
				score += m.W.At(k, j) * v
			}
			best = max(best, score)
			about(t, m.Scores(x)[k], score, 1e-13, "Scores[%d]", k) // four roundings
			v := Dot(m.Between(got, k).W, x) + m.Between(got, k).B
			check(t, v >= 0, "Predict = %d, but class %d is %v better", got, k, -v)
		}
		about(t, m.Scores(x)[got], best, 1e-13, "score of Predict == the largest")
		two := Softmax{MatrixFromRows([][]float64{m.W.Row(0), m.W.Row(1)}), m.B[:2]}
		h := two.Between(0, 1)
		equal(t, two.Predict(x) == 0, Dot(h.W, x)+h.B >= 0, "two classes: Predict is 0")
	}
	tied := Softmax{NewMatrix(3, 1), []float64{1, 2, 2}}
	equal(t, tied.Predict([]float64{5}), 1, "Predict with a tie of 1 and 2")
	equal(t, tied.Predict([]float64{math.NaN()}), 0, "Predict of a point that is not a number")
	nan, inf := math.NaN(), math.Inf(1)
	for want, scores := range [][]float64{{nan, nan}, {nan, -inf}, {1, nan, 3, nan, 3}} {
		equal(t, argmax(scores), want, "argmax %v", scores)
	}
	near := Softmax{NewMatrix(2, 1), []float64{0, 1e-17}}
	equal(t, near.Predict([]float64{5}), 1, "Predict of scores whose probabilities round to the same")
	one := must(TrainSoftmax([][]float64{{1}, {2}}, []int{0, 0}, 1, SGD{}))
	equal(t, one.Predict([]float64{3}), 0, "class of one class")
}

// F5: softmax; multiclass logistic loss ln(1 + Σ_{k≠y} e^{(w_k − w_y)·x}); for two classes the binary logistic loss;
// log₂ of it bounds 0/1; its gradient (p − e_y)xᵀ by finite differences.
func TestF5Loss(t *testing.T) {
	const tol = 1e-13 // a few roundings of numbers near 1
	for seed := range uint64(100) {
		rng := pegRand(seed)
		m, x := pegSoftmax(2+int(seed%4), 3, rng)
		y := rng.IntN(len(m.B))
		p, s := m.Probabilities(x), m.Scores(x)
		sum, all := 1.0, 0.0
		for k := range s {
			all += math.Exp(s[k])
			if k != y {
				h := m.Between(k, y)
				sum += math.Exp(Dot(h.W, x) + h.B)
			}
		}
		loss := m.Loss(x, y)
		about(t, loss, math.Log(sum), tol, "Loss == ln(1 + Σ …)")
		about(t, -math.Log(p[y]), math.Log(sum), tol, "−ln p_y == ln(1 + Σ …)")
		aboutAll(t, p, mapped(s, func(v float64) float64 { return math.Exp(v) / all }), tol, "p")
		check(t, s[y] == slices.Max(s) || loss/math.Ln2 >= 1, "log₂ loss of a mistake = %v, want at least 1", loss/math.Ln2)
		if two := (Softmax{MatrixFromRows([][]float64{m.W.Row(0), m.W.Row(1)}), m.B[:2]}); y < 2 {
			h := two.Between(y, 1-y)
			about(t, two.Loss(x, y), math.Log(1+math.Exp(-(Dot(h.W, x)+h.B))), tol, "loss with two classes == the logistic loss")
		}

		// Central differences: the error is h²/6 times a third derivative below 8‖(x, 1)‖³, and rounding 1e-16/h.
		const h = 1e-5
		g := m.Gradient(x, y)
		at := func() float64 { return m.Loss(x, y) }
		for k := range m.B {
			about(t, g.B[k], slope(at, &m.B[k], h), 1e-8, "∂Loss/∂b[%d]", k)
			for j := range x {
				about(t, g.W.At(k, j), slope(at, &m.W.Row(k)[j], h), 1e-8, "∂Loss/∂w[%d][%d]", k, j)
			}
		}
	}
	huge := Softmax{MatrixFromRows([][]float64{{1e300}, {-1e300}, {1e300}}), make([]float64, 3)}
	equal(t, huge.Probabilities([]float64{1}), []float64{0.5, 0, 0.5}, "Probabilities of scores 1e300, −1e300, 1e300")
	equal(t, huge.Loss([]float64{1}, 1), 2e300, "Loss at −1e300 below 1e300")
	// Only differences of scores count, and a small loss is precise, too. With two classes it is the logistic loss.
	for _, z := range []float64{-800, -40, -1, 0, 1, 30, 40, 700} {
		for _, at := range []float64{0, 0x1p40} {
			m := Softmax{NewMatrix(2, 0), []float64{at + z, at}}
			agree(t, m.Loss(nil, 0)/LogisticLoss(z), 1, 1e-14, "loss for scores %v and %v", at+z, at)
		}
	}
}

// F5: SGD is the run of E3 with the additions (e_y − p)(x, 1)ᵀ. Here every W_t is formed.
func TestF5SGD(t *testing.T) {
	const n, d, classes, steps, lambda = 12, 3, 3, 500, 0.05
	xs, _ := pegData(n, d, 4)
	labels := build(n, func(i int) int { return i * i % classes })
	for _, o := range []SGD{{}, {FreeBias: true}, {Burn: 200}, {Burn: 200, FreeBias: true}} {
		o.Lambda, o.Steps, o.Rand = lambda, steps, pegRand(3)
		got := must(TrainSoftmax(xs, labels, classes, o))
		rng := pegRand(3)
		theta, w := NewMatrix(classes, d+1), NewMatrix(classes, d+1)
		b, mean, scale := make([]float64, classes), make([]float64, classes*(d+1)), 1.0
		for step := 1; step <= steps; step++ {
			s := float64(step)
			for j, v := range theta.Data {
				w.Data[j] = v / (2 * lambda * s)
			}
			for k := range b {
				if o.FreeBias {
					w.Set(k, d, b[k])
				}
			}
			if step > o.Burn {
				axpy(mean, 1/float64(steps-o.Burn), w.Data)
			}
			scale = max(scale, pegLargest(w.Data))
			i := rng.IntN(n)
			x := pegExtend(xs[i])
			for k := range b {
				odds := 0.0 // 1/p_k
				for j := range b {
					odds += math.Exp(Dot(w.Row(j), x) - Dot(w.Row(k), x))
				}
				g := -1 / odds
				if labels[i] == k {
					g++
				}
				axpy(theta.Row(k), g, x)
				b[k] += g / math.Sqrt(s)
			}
		}
		for k := range b {
			row := append(slices.Clone(got.W.Row(k)), got.B[k])
			want := mean[k*(d+1) : (k+1)*(d+1)]
			aboutAll(t, row, want, 1e-11*scale, "Burn %d, FreeBias %v: class %d", o.Burn, o.FreeBias, k) // 500 roundings, passed on by exp
		}
	}
}

// F5, with the bound of E6: the gradient (p − e_y)(x, 1)ᵀ is no longer than √2 R, so G = 2√2 R.
func TestF5Convergence(t *testing.T) {
	const n, d, classes, lambda, steps, seeds = 20, 2, 3, 0.05, 2000, 20
	xs, _ := pegData(n, d, 6)
	labels := build(n, func(i int) int { return i % classes })
	for i := range xs {
		xs[i][i%d] += float64(i%classes) - 1
	}
	r2 := pegRadius2(xs)
	objective := func(m Softmax) float64 {
		v := lambda * (norm2(m.W.Data) + norm2(m.B))
		for i, x := range xs {
			v += m.Loss(x, labels[i]) / n
		}
		return v
	}
	// The optimum by gradient descent: F is 2λ-strongly convex, with a gradient of Lipschitz constant at most 2λ + R².
	best := Softmax{NewMatrix(classes, d), make([]float64, classes)}
	rate := 1 / (2*lambda + r2)
	for range 5000 {
		w, b := make([]float64, classes*d), make([]float64, classes)
		axpy(w, 2*lambda, best.W.Data)
		axpy(b, 2*lambda, best.B)
		for i, x := range xs {
			g := best.Gradient(x, labels[i])
			axpy(w, 1./n, g.W.Data)
			axpy(b, 1./n, g.B)
		}
		axpy(best.W.Data, -rate, w)
		axpy(best.B, -rate, b)
	}
	mean := 0.0
	for seed := range uint64(seeds) {
		m := must(TrainSoftmax(xs, labels, classes, SGD{Lambda: lambda, Steps: steps, Rand: pegRand(seed)}))
		mean += (objective(m) - objective(best)) / seeds
	}
	bound := 8 * r2 * (1 + math.Log(steps)) / (2 * 2 * lambda * steps)
	check(t, mean >= 0 && mean <= bound, "mean excess = %v, want in [0, %v]", mean, bound)
}

// F5: deterministic and randomised prediction.
func TestF5Sample(t *testing.T) {
	m := Softmax{NewMatrix(4, 1), []float64{math.Log(0.5), math.Log(0.3), -1e9, math.Log(0.2)}}
	want := []float64{0.5, 0.3, 0, 0.2}
	x := []float64{2}
	const draws = 20000
	count, rng := make([]float64, 4), pegRand(1)
	for range draws {
		count[m.Sample(x, rng)]++
	}
	chi2 := 0.0
	for k, p := range want {
		if p > 0 {
			chi2 += (count[k] - draws*p) * (count[k] - draws*p) / (draws * p)
		} else if count[k] > 0 {
			t.Errorf("class %d, of probability 0, was drawn %v times", k, count[k])
		}
	}
	check(t, chi2 <= 13.8, // χ² with 2 degrees of freedom is above −2 ln 0.001 = 13.8 once in a thousand seeds
		"frequencies %v of %v: χ² = %v, want at most 13.8", count, want, chi2)
	equal(t, m.Predict(x), 0, "Predict == the likeliest")
	// The largest number below 1 belongs to the last class that has a probability, however the sum of all is rounded.
	for classes := 1; classes < 100; classes++ {
		m := Softmax{NewMatrix(classes+1, 1), append(make([]float64, classes), -1e9)}
		equal(t, m.Sample(x, rand.New(pegBits(math.MaxUint64))), classes-1,
			"Sample of %d equal classes at the end of the unit interval", classes)
	}
	equal(t, Softmax{NewMatrix(2, 1), make([]float64, 2)}.Sample(x, rand.New(pegBits(1<<52))), 1, "Sample of two equal classes at ½")
	a, b := pegRand(1), pegRand(1)
	Softmax{NewMatrix(3, 1), make([]float64, 3)}.Sample(x[:1], a)
	b.Float64()
	equal(t, a.Uint64(), b.Uint64(), "what follows the one draw of Sample")
}

// pegBits is a source of randomness that always has these bits.
type pegBits uint64

func (b pegBits) Uint64() uint64 { return uint64(b) }

// Every program of this chapter refuses data and options that make no sense, and says which.
func TestPegasosInvalid(t *testing.T) {
	xs, ys := [][]float64{{1, 2}, {3, 4}, {-1, 0}}, []float64{1, -1, 1}
	nan, inf := math.NaN(), math.Inf(1)
	tests := []struct {
		name string
		xs   [][]float64
		ys   []float64
		o    SGD
		is   error
		text string
	}{
		{"no points", nil, nil, SGD{}, nil, "no points"},
		{"labels missing", xs, ys[:2], SGD{}, nil, "3 points, but 2 labels"},
		{"ragged", [][]float64{{1, 2}, {3}, {1, 2}}, ys, SGD{}, nil, "point 1 has 1"},
		{"NaN", [][]float64{{1, 2}, {3, 4}, {5, nan}}, ys, SGD{}, ErrNotFinite, "1 of point 2 is NaN"},
		{"Inf", [][]float64{{-inf, 2}, {3, 4}, {5, 6}}, ys, SGD{}, ErrNotFinite, "0 of point 0 is -Inf"},
		{"label 0", xs, []float64{1, 0, -1}, SGD{}, nil, "label 0 of point 1: want +1 or -1"},
		{"label NaN", xs, []float64{1, 1, nan}, SGD{}, ErrNotFinite, "label NaN of point 2"},
		{"Lambda negative", xs, ys, SGD{Lambda: -1}, nil, "Lambda -1"},
		{"Lambda NaN", xs, ys, SGD{Lambda: nan}, ErrNotFinite, "Lambda is NaN"},
		{"Lambda Inf", xs, ys, SGD{Lambda: inf}, ErrNotFinite, "Lambda is +Inf"},
		{"Lambda denormal", xs, ys, SGD{Lambda: 5e-324}, ErrNotFinite, ""},
		{"Steps negative", xs, ys, SGD{Steps: -1}, nil, "Steps -1"},
		{"Burn negative", xs, ys, SGD{Burn: -1}, nil, "Burn is -1"},
		{"Burn all", xs, ys, SGD{Burn: 7, Steps: 7}, nil, "Burn is 7: want 0 to 6"},
		{"overflow", [][]float64{{1e200, 2}, {3, 4}, {1e200, 6}}, ys, SGD{Steps: 500}, ErrNotFinite, "point"},
	}
	for _, tt := range tests {
		check := func(name string, err error) {
			t.Helper()
			refused(t, err, tt.is, tt.text, "%s: %s", tt.name, name)
		}
		free := tt.o
		free.FreeBias = true
		check("Pegasos", errOf(Pegasos(tt.xs, tt.ys, tt.o)))
		h, err := Pegasos(tt.xs, tt.ys, free)
		check("Pegasos with a free bias", err)
		equal(t, h, Hyperplane{}, "%s: what Pegasos returns beside the error", tt.name)
		check("BatchSubgradient", errOf(BatchSubgradient(tt.xs, tt.ys, tt.o)))
		check("KernelPegasos", errOf(KernelPegasos(tt.xs, tt.ys, Linear{}, tt.o)))
		if tt.o == (SGD{}) {
			check("Perceptron", errOf2(Perceptron(tt.xs, tt.ys, 10)))
			check("KernelPerceptron", errOf2(KernelPerceptron(tt.xs, tt.ys, Linear{}, 10)))
		}
		if !strings.Contains(tt.name, "label") {
			check("TrainSoftmax", errOf(TrainSoftmax(tt.xs, make([]int, len(tt.ys)), 3, tt.o)))
		}
	}

	bad := Precomputed{MatrixFromRows([][]float64{{1, nan}, {nan, 1}})}
	refused(t, errOf(KernelPegasos([]int{0, 1}, ys[:2], bad, SGD{})), ErrNotFinite, "point", "KernelPegasos with a kernel that is NaN")
	refused(t, errOf2(KernelPerceptron([]int{0, 1}, ys[:2], bad, 5)), ErrNotFinite, "point 1", "KernelPerceptron with a kernel that is NaN")
	refused(t, errOf(KernelPegasos(xs, ys, nil, SGD{})), nil, "kernel is nil", "KernelPegasos without kernel")
	refused(t, errOf(KernelPegasos(xs, ys, Linear{}, SGD{FreeBias: true})), nil, "FreeBias", "KernelPegasos with a free bias")
	refused(t, errOf2(Perceptron(xs, ys, -1)), nil, "epochs -1 is negative", "Perceptron with -1 epochs")
	refused(t, errOf(TrainSoftmax(xs, []int{0, 1, 3}, 3, SGD{})), nil, "label 3 of point 2: want 0 to 2", "TrainSoftmax with label 3 of 3")
	refused(t, errOf(TrainSoftmax(xs, []int{0, -1, 2}, 3, SGD{})), nil, "label -1 of point 1", "TrainSoftmax with label −1")
	refused(t, errOf(TrainSoftmax(xs, []int{0, 0, 0}, 0, SGD{})), nil, "0 classes", "TrainSoftmax with no classes")
	for seed := range uint64(5) {
		o := SGD{Lambda: 5e-324, Steps: 2, FreeBias: true, Rand: pegRand(seed)}
		refused(t, errOf(TrainSoftmax([][]float64{{1, 0}, {0, 1}}, []int{0, 1}, 2, o)), ErrNotFinite, "",
			"TrainSoftmax with a denormal Lambda")
	}
}

// E3, E6: the zero value runs, is what its documentation says, gives the same bits every time, and leaves the data alone.
func TestPegasosDefaults(t *testing.T) {
	xs, ys := pegData(50, 3, 12)
	labels := make([]int, len(xs))
	before := fmt.Sprint(xs, ys)
	explicit := func() SGD { return SGD{Lambda: 0.01, Steps: 15000, Rand: rand.New(rand.NewPCG(1, 2))} }
	k := RBF{}

	zero := must(Pegasos(xs, ys, SGD{}))
	equal(t, zero, must(Pegasos(xs, ys, explicit())), "Pegasos(SGD{})")
	f := must(KernelPegasos(xs, ys, k, SGD{}))
	check(t, len(f.Coef) > 0, "KernelPegasos(SGD{}) = 0")
	equal(t, f, must(KernelPegasos(xs, ys, k, explicit())), "KernelPegasos(SGD{})")
	equal(t, must(TrainSoftmax(xs, labels, 2, SGD{})), must(TrainSoftmax(xs, labels, 2, explicit())), "TrainSoftmax(SGD{})")
	equal(t, must(BatchSubgradient(xs, ys, SGD{})), must(BatchSubgradient(xs, ys, SGD{Lambda: 0.01, Steps: 1000})),
		"BatchSubgradient(SGD{})")
	equal(t, (SGD{}).Objective(zero, xs, ys), explicit().Objective(zero, xs, ys), "Objective with SGD{}")
	equal(t, (SGD{}).Bound(xs), explicit().Bound(xs), "Bound with SGD{}")
	equal(t, (SGD{}).steps(10), 10000, "Steps for 10 points")
	for _, n := range []int{math.MaxInt / 300, math.MaxInt/300 + 1, math.MaxInt / 4, math.MaxInt} { // 300·(MaxInt/4) wraps to MaxInt − 299
		equal(t, (SGD{}).steps(n), math.MaxInt/300*300, "Steps for %d points", n)
	}
	check(t, fmt.Sprint(xs, ys) == before, "the data were changed")
}

// E3: PegasosSparse makes the run of Pegasos. Its plane is the same to the bit, up to the last non-zero feature.
func TestE3PegasosSparse(t *testing.T) {
	xs, ys := pegData(60, 5, 13)
	for i, x := range xs {
		x[i%5], x[4] = 0, 0
	}
	for _, o := range []SGD{{}, {Steps: 5000, Burn: 2500, Lambda: 0.3}, {FreeBias: true}} {
		want := must(Pegasos(xs, ys, o))
		equal(t, want.W[4], 0, "%+v: w₅", o)
		want.W = want.W[:4]
		equal(t, must(PegasosSparse(sparseOf(xs, 1), ys, o)), want, "%+v: PegasosSparse", o)
	}
	none := must(PegasosSparse([]Sparse{{}, {}}, []float64{1, 1}, SGD{}))
	check(t, len(none.W) == 0 && none.B > 0, "PegasosSparse of points without non-zeros = %v, want a positive bias", none)
}

// BenchmarkPegasos measures steps of E3 on points with 14 non-zeros among 123 features, some with the wrong label.
func BenchmarkPegasos(b *testing.B) {
	xs, ys := oneHot(30000)
	o := SGD{Steps: 3_000_000}
	for b.Loop() {
		must(Pegasos(xs, ys, o))
	}
	b.ReportMetric(float64(o.Steps), "steps/op")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(o.Steps), "ns/step")
}

// The primal.

// mdTight makes a run of Train exact but for rounding, so that statements about the optimum can be checked to mdTol.
func mdTight(c float64) Options { return Options{C: c, Tol: 1e-10} }

// mdTol bounds the error of f, b and the objectives of data of size about 1 after a run with mdTight: a violation of
// 1e-10, amplified by sums over at most some hundred points.
const mdTol = 1e-7

// mdClouds returns n points in d dimensions, alternately of label +1 and −1, in two clouds of standard deviation 1. The
// centres lie along (1, 1, …), at the given distance apart.
func mdClouds(seed uint64, n, d int, apart float64) (xs [][]float64, ys []float64) {
	rng := rand.New(rand.NewPCG(seed, 7))
	return labelled(n, func(i int) ([]float64, float64) {
		y := float64(1 - 2*(i%2))
		return build(d, func(int) float64 { return rng.NormFloat64() + y*apart/2/math.Sqrt(float64(d)) }), y
	})
}

// mdClasses returns n points in the plane, in clouds around points of a circle, one for each of the classes.
func mdClasses(seed uint64, n, classes int, radius float64) (xs [][]float64, labels []string) {
	rng := rand.New(rand.NewPCG(seed, 8))
	return labelled(n, func(i int) ([]float64, string) {
		sin, cos := math.Sincos(2 * math.Pi * float64(i%classes) / float64(classes))
		return []float64{radius*cos + rng.NormFloat64(), radius*sin + rng.NormFloat64()}, string(rune('a' + i%classes))
	})
}

// grid rounds coordinates to multiples of 2⁻¹⁰, so that moved moves them exactly, even by 2⁴⁰.
func grid(xs [][]float64) [][]float64 {
	return mapped(xs, func(x []float64) []float64 {
		return mapped(x, func(v float64) float64 { return math.Round(v*1024) / 1024 })
	})
}

// trainers are the two functions that train classifiers of vectors.
func trainers[L cmp.Ordered]() map[string]func([][]float64, []L, Kernel[[]float64], Options) (*Classifier[[]float64, L], error) {
	return map[string]func([][]float64, []L, Kernel[[]float64], Options) (*Classifier[[]float64, L], error){
		"one-vs-one": TrainClassifier[[]float64, L], "one-vs-rest": TrainOneVsRest[[]float64, L],
	}
}

func mdPlane(rng *rand.Rand, d int) Hyperplane {
	return Hyperplane{normal(rng, d), rng.NormFloat64()}
}

// A1: "Hyperplane {x : w·x + b = 0}; decision w·x + b; label by sign, with sgn(0) = +1."
func TestA1LabelBySign(t *testing.T) {
	h := Hyperplane{[]float64{2, -1}, 3}
	for _, c := range []struct {
		x               []float64
		decision, label float64
	}{
		{[]float64{0, 0}, 3, 1},
		{[]float64{0, 3}, 0, 1},
		{[]float64{-1, 1}, 0, 1},
		{[]float64{0, 4}, -1, -1},
		{[]float64{-2, 0}, -1, -1},
		{[]float64{1, 1}, 4, 1},
	} {
		equal(t, h.Decision(c.x), c.decision, "Decision(%v)", c.x)
		equal(t, h.Predict(c.x), c.label, "Predict(%v)", c.x)
	}
	equal(t, sign(math.Copysign(0, -1)), 1, "sign(-0)")
	equal(t, sign(math.NaN()), 1, "sign(NaN)")
	m := &Model[float64]{Func: Func[float64]{Kernel: KernelFunc[float64](func(x, z float64) float64 { return x * z })}}
	for b, want := range map[float64]float64{-1: -1, 0: 1, 1: 1, math.NaN(): 1} {
		m.B = b
		equal(t, m.Predict(1), want, "Predict of a model where f = %v", b)
	}
}

// A2: "Distance of x to the plane |w·x + b|/‖w‖, from the projection x − ((w·x + b)/‖w‖²) w, which lies on the
// plane."
func TestA2DistanceAndProjection(t *testing.T) {
	// Exact: ‖(3, 4)‖ = 5 and ‖(2, 3, 6)‖ = 7, so that every distance is a quotient of small integers.
	for _, c := range []struct {
		h        Hyperplane
		x        []float64
		distance float64
		foot     []float64
	}{
		{Hyperplane{[]float64{3, 4}, -25}, []float64{6, 8}, 5, []float64{3, 4}},
		{Hyperplane{[]float64{3, 4}, -25}, []float64{0, 0}, 5, []float64{3, 4}},
		{Hyperplane{[]float64{3, 4}, 25}, []float64{1, 7}, 56.0 / 5, []float64{1 - 3*56.0/25, 7 - 4*56.0/25}},
		{Hyperplane{[]float64{2, 3, 6}, -49}, []float64{4, 6, 12}, 7, []float64{2, 3, 6}},
		{Hyperplane{[]float64{3e200, 4e200}, -25e200}, []float64{6, 8}, 5, []float64{3, 4}}, // whose squares overflow
		{Hyperplane{[]float64{3e-200, 4e-200}, -25e-200}, []float64{6, 8}, 5, []float64{3, 4}},
	} {
		equal(t, c.h.Distance(c.x), c.distance, "%v.Distance(%v)", c.h, c.x)
		agreeAll(t, c.h.Project(c.x), c.foot, 1e-15, "%v.Project(%v)", c.h, c.x) // one rounding a coordinate
	}
	rng := rand.New(rand.NewPCG(2, 2))
	const rounding = 1e-13 // sums of five products of numbers up to about 5
	for range 200 {
		h, x := mdPlane(rng, 5), normal(rng, 5)
		distance, before := h.Distance(x), slices.Clone(x)
		p := h.Project(x)
		equal(t, x, before, "x after Project")
		about(t, h.Decision(p), 0, rounding, "decision at the projection of %v on %v", x, h)
		agree(t, distance, math.Sqrt(distance2(x, p)), rounding, "%v.Distance(%v) == ‖x − x′‖", h, x)
		u := h.Project(normal(rng, 5)) // any other point of the plane is farther away
		check(t, distance2(x, u) >= distance2(x, p)-rounding, "%v is nearer to %v than its projection on %v", u, x, h)
	}
	for b, want := range map[float64]float64{0: 0, 2: math.Inf(1)} {
		equal(t, (Hyperplane{[]float64{0, 0}, b}).Distance([]float64{1, 2}), want, "distance to {x : %v = 0}", b)
	}
	check(t, panics(func() { Hyperplane{[]float64{0}, 1}.Project([]float64{1}) }) != "", "Project on w = 0 did not panic")
}

// A3: "Functional margin yᵢ(w·xᵢ + b); geometric margin = functional/‖w‖; both as functions of a data set (their
// minimum)."
func TestA3Margins(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	xs, ys := mdClouds(3, 20, 3, 4)
	for range 20 {
		h := mdPlane(rng, 3)
		wantF, wantG := math.Inf(1), math.Inf(1)
		for i, x := range xs {
			f := ys[i] * (h.W[0]*x[0] + h.W[1]*x[1] + h.W[2]*x[2] + h.B)
			agree(t, h.FunctionalMargin(x, ys[i]), f, 1e-14, "FunctionalMargin(%v, %v)", x, ys[i])
			g := f / math.Sqrt(h.W[0]*h.W[0]+h.W[1]*h.W[1]+h.W[2]*h.W[2])
			agree(t, h.GeometricMargin(x, ys[i]), g, 1e-14, "GeometricMargin(%v, %v)", x, ys[i])
			wantF, wantG = min(wantF, f), min(wantG, g)
		}
		f, g := h.Margin(xs, ys)
		agree(t, f, wantF, 1e-14, "functional margin")
		agree(t, g, wantG, 1e-14, "geometric margin")
	}
	h := Hyperplane{[]float64{3, 4}, -2} // separates these; the point of class −1 is the nearest
	f, g := h.Margin([][]float64{{4, 3}, {2, 2}, {-1, 0}}, []float64{1, 1, -1})
	equal(t, []float64{f, g}, []float64{5, 1}, "margins of a plane that separates")
	f, g = h.Margin(nil, nil)
	equal(t, []float64{f, g}, constant(2, math.Inf(1)), "margins of no points")
}

// A4: "(cw, cb), c > 0, is the same classifier with the same geometric margin. Any separating plane can be made
// canonical (least functional margin = 1), and its margin is then 1/‖w‖."
func TestA4Canonical(t *testing.T) {
	xs, ys := mdClouds(4, 20, 2, 9)
	h := Hyperplane{[]float64{1, 1}, 0.1}
	functional, geometric := h.Margin(xs, ys)
	check(t, functional > 0, "the plane must separate the data; margin %v", functional)
	for _, c := range []float64{0.01, 0.5, 3, 1e6} {
		s := h.Scale(c)
		f, g := s.Margin(xs, ys)
		agree(t, f, c*functional, 1e-13, "functional margin of %v times the plane", c)
		agree(t, g, geometric, 1e-13, "geometric margin of %v times the plane", c)
		equal(t, mapped(xs, s.Predict), mapped(xs, h.Predict), "%v times the plane: labels", c)
		canonical := must(s.Canonical(xs, ys))
		f, g = canonical.Margin(xs, ys)
		agree(t, f, 1, 1e-14, "functional margin of the canonical plane")
		agree(t, g, 1/math.Sqrt(norm2(canonical.W)), 1e-14, "geometric margin of the canonical plane == 1/‖w‖")
	}
	for _, p := range []Hyperplane{h.Scale(-1), {h.W, -Dot(h.W, xs[0])}} { // the other way round, and through a point
		refused(t, errOf(p.Canonical(xs, ys)), nil, "functional margin", "Canonical of %v, which does not separate", p)
	}
	equal(t, Hyperplane{[]float64{1, 2}, 3}.Scale(-2), Hyperplane{[]float64{-2, -4}, -6}, "Scale(-2)")
	refused(t, errOf(h.Canonical(nil, nil)), nil, "functional margin", "Canonical for no data")
	refused(t, errOf(h.Scale(1e-310).Canonical(xs, ys)), nil, "no multiple", "Canonical by a factor that overflows")
	refused(t, errOf(Hyperplane{[]float64{1e300}, 0}.Canonical([][]float64{{1e-310}, {-1e-310}}, []float64{1, -1})),
		ErrNotFinite, "functional margin", "Canonical that overflows")
}

// A5: "Hard margin: min ½‖w‖² s.t. yᵢ(w·xᵢ + b) ≥ 1. Replacing the 1 by m > 0 scales (w, b) by m and leaves the
// plane."
func TestA5HardMargin(t *testing.T) {
	o := mdTight(math.Inf(1))
	for seed := range uint64(5) {
		xs, ys := mdClouds(50+seed, 16, 2, 9)
		h := must(Explicit(must(Train(xs, ys, Linear{}, o))))
		for _, m := range []float64{1, 0.25, 3} {
			q := PrimalQP(xs, ys, math.Inf(1))
			q.B = constant(len(xs), -m) // −yᵢ(w·xᵢ + b) ≤ −m
			x := must(SolveQP(q, QPOptions{Tol: 1e-12})).X
			agreeAll(t, vectorOf(h.Scale(m)), x, mdTol, "seed %d: %v times the plane == the solution for that margin", seed, m)
		}
	}
}

// A6: "As C → ∞ on separable data it becomes the hard margin." Precisely: if C is at least the largest αᵢ of the hard
// margin, the solution of the hard margin is also that of the soft one; if C is less, it is not even feasible.
func TestA6SoftMarginLimit(t *testing.T) {
	xs, ys := mdClouds(6, 30, 2, 7)
	o := mdTight(math.Inf(1))
	hard := must(Train(xs, ys, Linear{}, o))
	top := slices.Max(hard.Alpha)
	norm, slack := 0.0, math.Inf(1)
	for _, c := range []float64{0.01, 0.1, 0.5, 1.01, 10, 1000} {
		o.C = c * top
		soft := must(Train(xs, ys, Linear{}, o))
		difference := soft.DecisionAll(xs)
		axpy(difference, -1, mapped(xs, hard.Decision))
		away := largest(difference)
		check(t, (away <= mdTol) == (c > 1), "C = %v max α: f differs from the hard margin's by %v", c, away)
		// As C grows ‖w‖ grows and Σξ falls [the minimisers for C and C′ are each no worse than the other at their own
		// C; add].
		check(t, soft.Norm() >= norm-mdTol && total(soft.Slacks(xs, ys)) <= slack+mdTol,
			"C = %v max α: ‖w‖ = %v after %v, Σξ = %v after %v", c, soft.Norm(), norm, total(soft.Slacks(xs, ys)), slack)
		norm, slack = soft.Norm(), total(soft.Slacks(xs, ys))
	}
}

// A7: "At the optimum ξᵢ = max(0, 1 − yᵢ f(xᵢ)): the soft-margin SVM is L2-regularised hinge loss."
func TestA7HingeLoss(t *testing.T) {
	xs, ys := mdClouds(7, 40, 3, 1)
	o := mdTight(0.7)
	m := must(Train(xs, ys, Linear{}, o))
	h := must(Explicit(m))
	// By B1 and B5 (C − α)ξ = 0 and, where α > 0, ξ = 1 − y f. That is the hinge loss:
	for i, xi := range m.Slacks(xs, ys) {
		z := ys[i] * h.Decision(xs[i])
		want := 0.0
		if m.Alpha[i] == o.C {
			want = 1 - z
		}
		check(t, math.Abs(xi-want) <= mdTol && z >= 1-want-mdTol,
			"slack of point %d = %v, want %v; margin %v, α %v", i, xi, want, z, m.Alpha[i])
	}
	// So the objectives have the same value there. That no plane has less is in TestA8Parametrisations.
	agree(t, SoftMargin(o.C).At(h, xs, ys), m.KKT.Primal, mdTol, "½‖w‖² + C Σ hinge == the primal objective")
	// The hard margin is C = ∞. No slack costs nothing there, too.
	hard := SoftMargin(math.Inf(1))
	equal(t, hard.At(Hyperplane{[]float64{2}, 0}, [][]float64{{1}, {-0.5}}, []float64{1, -1}), 2, "½‖w‖² with a hard margin")
	equal(t, hard.At(Hyperplane{[]float64{2}, 0}, [][]float64{{1}, {-0.4}}, []float64{1, -1}), math.Inf(1), "the same in the street")
}

// A8: "The three parametrisations describe one family: C Σ hinge + ½‖w‖²; λ‖w‖² + (1/n) Σ hinge, with C = 1/(2λn); Σ
// hinge + (λ/2)‖w‖², with C = 1/λ. And Pegasos' (λ/2)‖w‖² + (1/n) Σ hinge, with C = 1/(λn). Same minimiser,
// objectives proportional."
func TestA8Parametrisations(t *testing.T) {
	xs, ys := mdClouds(8, 30, 2, 1)
	n, rng := len(xs), rand.New(rand.NewPCG(8, 8))
	hinges := func(h Hyperplane) (sum float64) {
		for i, x := range xs {
			sum += math.Max(0, 1-ys[i]*(h.W[0]*x[0]+h.W[1]*x[1]+h.B))
		}
		return sum
	}
	for _, lambda := range []float64{0.003, 0.2, 4} {
		for _, p := range []struct {
			name  string
			o     Objective
			value func(w2, hinges float64) float64 // from the statement
			c     float64
			back  func(c float64) float64
		}{
			{"λ‖w‖² + mean", MeanHinge(lambda, n), func(w2, s float64) float64 { return lambda*w2 + s/float64(n) },
				1 / (2 * lambda * float64(n)), func(c float64) float64 { return MeanHinge(c, n).C() }},
			{"λ/2‖w‖² + sum", SumHinge(lambda), func(w2, s float64) float64 { return lambda/2*w2 + s },
				1 / lambda, func(c float64) float64 { return SumHinge(c).C() }},
			{"λ/2‖w‖² + mean", PegasosHinge(lambda, n), func(w2, s float64) float64 { return lambda/2*w2 + s/float64(n) },
				1 / (lambda * float64(n)), func(c float64) float64 { return PegasosHinge(c, n).C() }},
			{"½‖w‖² + C sum", SoftMargin(lambda), func(w2, s float64) float64 { return w2/2 + lambda*s },
				lambda, func(c float64) float64 { return SoftMargin(c).C() }},
		} {
			agree(t, p.o.C(), p.c, 1e-15, "%s, λ = %v: C", p.name, lambda)
			agree(t, p.back(p.o.C()), lambda, 1e-15, "%s, λ = %v: back from C", p.name, lambda)
			soft := SoftMargin(p.c)
			h0 := mdPlane(rng, 2)
			ratio := p.o.At(h0, xs, ys) / soft.At(h0, xs, ys)
			for range 20 {
				h := mdPlane(rng, 2)
				got, w2 := p.o.At(h, xs, ys), h.W[0]*h.W[0]+h.W[1]*h.W[1]
				agree(t, got, p.value(w2, hinges(h)), 1e-13, "%s, λ = %v: At(%v)", p.name, lambda, h)
				agree(t, got, ratio*soft.At(h, xs, ys), 1e-13,
					"%s, λ = %v: At(%v) == %v times the soft margin's", p.name, lambda, h, ratio)
			}
			o := mdTight(p.c)
			h := must(Explicit(must(Train(xs, ys, Linear{}, o))))
			for k := range 60 { // the same minimiser
				d := mdPlane(rng, 2).Scale(math.Pow(10, -float64(k%5)))
				q := Hyperplane{[]float64{h.W[0] + d.W[0], h.W[1] + d.W[1]}, h.B + d.B}
				got, least := p.o.At(q, xs, ys), p.o.At(h, xs, ys)
				check(t, got >= least-mdTol*least,
					"%s, λ = %v: %v at %v, less than %v at the SVM for C = %v", p.name, lambda, got, q, least, p.c)
			}
		}
	}
}

// A9: "ξ = 0 outside or on the margin; 0 < ξ < 1 inside it, on the right side; ξ > 1 misclassified."
func TestA9SlackClasses(t *testing.T) {
	h := Hyperplane{[]float64{1}, 0}
	for _, c := range []struct {
		x, y float64
		want SlackClass
	}{
		{2, 1, SlackNone}, {1, 1, SlackNone}, {0.5, 1, SlackInside}, {0, 1, SlackOnPlane},
		{-0.5, 1, SlackMistaken}, {-3, 1, SlackMistaken},
		{-2, -1, SlackNone}, {-1, -1, SlackNone}, {-0.5, -1, SlackInside}, {0, -1, SlackOnPlane}, {0.5, -1, SlackMistaken},
	} {
		equal(t, ClassifySlack(HingeLoss(h.FunctionalMargin([]float64{c.x}, c.y))), c.want, "x = %v, y = %v", c.x, c.y)
	}
	for xi, want := range map[float64]SlackClass{
		math.SmallestNonzeroFloat64: SlackInside, math.Nextafter(1, 0): SlackInside, math.Nextafter(1, 2): SlackMistaken, math.NaN(): SlackMistaken,
	} {
		equal(t, ClassifySlack(xi), want, "slack %v", xi)
	}
	xs, ys := mdClouds(9, 60, 2, 1)
	m := must(Train(xs, ys, RBF{0.3}, Options{}))
	seen := map[SlackClass]bool{}
	for i, xi := range m.Slacks(xs, ys) {
		class := ClassifySlack(xi)
		seen[class] = true
		f := m.Decision(xs[i])
		check(t, (sign(f) != ys[i]) == (class == SlackMistaken),
			"slack %v of point %d: %v; decision %v for label %v", xi, i, class, f, ys[i])
		check(t, (ys[i]*f >= 1) == (class == SlackNone) || math.Abs(ys[i]*f-1) < 1e-12, // rounding, of sums in another order
			"slack %v of point %d: %v; decision %v for label %v", xi, i, class, f, ys[i])
	}
	equal(t, SlackClass(99).String(), "SlackClass(99)", "a class that is none")
	for _, c := range []SlackClass{SlackNone, SlackInside, SlackMistaken} {
		check(t, seen[c], "no point %v: the test is void", c)
	}
}

// A10: "Losses of z = y f(x): 0/1, perceptron max(0, −z), hinge max(0, 1 − z), logistic log(1 + e^−z). Hinge and
// log₂-logistic bound 0/1 from above."
func TestA10Losses(t *testing.T) {
	for z := -40.0; z <= 40; z += 1.0 / 16 {
		zeroOne, hinge, log2 := ZeroOneLoss(z), HingeLoss(z), LogisticLoss(z)/math.Ln2
		want := 0.0
		if z <= 0 {
			want = 1
		}
		equal(t, zeroOne, want, "ZeroOneLoss(%v)", z)
		check(t, hinge >= zeroOne && log2 >= zeroOne,
			"z = %v: hinge %v and log₂-logistic %v, want at least %v", z, hinge, log2, zeroOne)
		equal(t, PerceptronLoss(z), (math.Abs(z)-z)/2, "PerceptronLoss(%v)", z)
		equal(t, hinge, (math.Abs(1-z)+1-z)/2, "HingeLoss(%v)", z)
		agree(t, LogisticLoss(z), math.Log(1+math.Exp(-z)), 1e-15, "LogisticLoss(%v)", z)
	}
	equal(t, LogisticLoss(0)/math.Ln2, 1, "log₂-logistic loss at 0, where it touches the zero-one loss,")
	// Where e^−z overflows or 1 + e^−z is 1:
	for z, want := range map[float64]float64{-1e300: 1e300, 1e300: 0, -800: 800, 40: math.Exp(-40)} {
		about(t, LogisticLoss(z), want, 1e-15*want, "LogisticLoss(%v)", z)
	}
}

// A11: "Hinge (sub)gradient in (w, b): 0 where y f > 1, −y(x, 1) where y f < 1; the full-batch gradient 2λw + (1/n)
// Σ∇ℓ, checked by finite differences away from the kink."
func TestA11Gradient(t *testing.T) {
	one := [][]float64{{2, 3}}
	for _, c := range []struct {
		b, y float64
		want []float64
	}{
		{3, 1, []float64{0, 0, 0}},
		{1, 1, []float64{0, 0, 0}}, // at the kink, one of the subgradients
		{0.5, 1, []float64{-2, -3, -1}},
		{-7, 1, []float64{-2, -3, -1}},
		{0.5, -1, []float64{2, 3, 1}},
		{-3, -1, []float64{0, 0, 0}},
	} {
		g := Objective{0, 1}.Gradient(Hyperplane{[]float64{0, 0}, c.b}, one, []float64{c.y})
		equal(t, vectorOf(g), c.want, "hinge gradient at f = %v, y = %v", c.b, c.y)
	}
	xs, ys := mdClouds(11, 20, 3, 1)
	rng := rand.New(rand.NewPCG(11, 11))
	const step = 1.0 / 1024
	smooth := 0
	for range 50 {
		h := mdPlane(rng, 3)
		kink := false
		for i, x := range xs { // a difference step moves y f by at most step·‖(x, 1)‖∞
			kink = kink || math.Abs(1-h.FunctionalMargin(x, ys[i])) <= step*(1+math.Sqrt(norm2(x)))
		}
		if kink {
			continue
		}
		smooth++
		const lambda = 0.3
		o := MeanHinge(lambda, len(xs))
		g := o.Gradient(h, xs, ys)
		// Between kinks the objective is quadratic, so that central differences have no error but rounding.
		at := func() float64 { return o.At(h, xs, ys) }
		for f := range h.W {
			about(t, g.W[f], slope(at, &h.W[f], step), 1e-10, "gradient of %v at %v, coordinate %d", o, h, f)
		}
		about(t, g.B, slope(at, &h.B, step), 1e-10, "gradient of %v at %v, in b", o, h)
	}
	check(t, smooth >= 25, "%d of 50 planes are away from every kink, want half of them", smooth)
}

// A12: "The logistic link Pr[y | x] = 1/(1 + exp(−y f(x))) orders points as the margin does."
func TestA12LogisticLink(t *testing.T) {
	xs, ys := mdClouds(12, 50, 2, 1)
	z := must(Train(xs, ys, RBF{1}, Options{})).Margins(xs, ys)
	for i := range z {
		for j := range z {
			p, q := LogisticLink(z[i]), LogisticLink(z[j])
			check(t, z[i] >= z[j] || p < q || p == q && z[j]-z[i] < 1e-13, // links of margins nearer than that may round to one number
				"margins %v, %v but probabilities %v, %v", z[i], z[j], p, q)
		}
		p, q := LogisticLink(z[i]), LogisticLink(-z[i])
		agree(t, p+q, 1, 1e-15, "z = %v: links of y and of −y, summed,", z[i])
		agree(t, -math.Log(p), LogisticLoss(z[i]), 1e-14, "z = %v: −log of the link == LogisticLoss", z[i])
	}
	for _, z := range []float64{-40, -100, -700} {
		agree(t, LogisticLink(z)*math.Exp(-z), 1, 1e-14, "LogisticLink(%v)/e^z", z)
	}
	for z, want := range map[float64]float64{0: 0.5, 1000: 1, -1000: 0, math.Inf(1): 1, math.Inf(-1): 0} {
		equal(t, LogisticLink(z), want, "LogisticLink(%v)", z)
	}
}

// Machines and their certificates.

// An mdProblem is a kind of random data with a kernel and a C, for statements about any solution.
type mdProblem struct {
	name  string
	k     Kernel[[]float64]
	apart float64
	c     float64
}

var mdProblems = []mdProblem{
	{"linear, overlapping", Linear{}, 1, 0.5},
	{"linear, separable", Linear{}, 9, math.Inf(1)},
	{"Gaussian", RBF{0.5}, 1, 10},
	{"Gaussian, hard", RBF{2}, 1, math.Inf(1)},
	{"quadratic", Polynomial{Degree: 2, Gamma: 0.5, Coef: 1}, 1, 1},
}

// train draws n points and trains on them.
func (p mdProblem) train(seed uint64, n int, tol float64) (xs [][]float64, ys []float64, o Options, m *Model[[]float64]) {
	xs, ys = mdClouds(seed, n, 2, p.apart)
	o = Options{C: p.c, Tol: tol}
	return xs, ys, o, must(Train(xs, ys, p.k, o))
}

// mdFeasible returns a random β between 0 and cᵢyᵢ (cᵢ ≤ 3 where there is no bound) with Σβ = 0.
func mdFeasible(rng *rand.Rand, ys []float64, c float64) []float64 {
	beta := make([]float64, len(ys))
	var sum [2]float64 // of the two labels
	for i, y := range ys {
		beta[i] = min(c, 3) * rng.Float64() * y
		sum[int(y+1)/2] += math.Abs(beta[i])
	}
	for i, y := range ys {
		beta[i] *= min(sum[0], sum[1]) / sum[int(y+1)/2]
	}
	return beta
}

// Machines: duality and the certificate.

// B1: "Lagrangian of the hard- and the soft-margin problem; its stationarity: w = Σ αᵢyᵢxᵢ, Σ αᵢyᵢ = 0, and C − αᵢ − μᵢ
// = 0." The derivatives, by finite differences, are the residuals of these equations, and zero at the solution.
func TestB1Lagrangian(t *testing.T) {
	const step = 1.0 / 64 // L is quadratic: central differences are exact, but for rounding
	derivatives := func(h Hyperplane, xi, alpha, mu []float64, xs [][]float64, ys []float64, c float64) (d []float64) {
		l := func() float64 { return Lagrangian(h, xi, alpha, mu, xs, ys, c) }
		for f := range h.W {
			d = append(d, slope(l, &h.W[f], step))
		}
		d = append(d, slope(l, &h.B, step))
		for i := range xi {
			d = append(d, slope(l, &xi[i], step))
		}
		return d
	}
	rng := rand.New(rand.NewPCG(101, 1))
	for _, c := range []float64{2, math.Inf(1)} {
		xs, ys := mdClouds(21, 12, 2, 9)
		if !math.IsInf(c, 1) {
			xs, ys = mdClouds(21, 12, 2, 1)
		}
		h, alpha := mdPlane(rng, 2), normal(rng, 12)
		var xi, mu []float64
		want := append(slices.Clone(h.W), 0)
		for i, x := range xs {
			axpy(want[:2], -alpha[i]*ys[i], x)
			want[2] -= alpha[i] * ys[i]
		}
		if !math.IsInf(c, 1) {
			xi, mu = normal(rng, 12), normal(rng, 12)
			for i := range xi {
				want = append(want, c-alpha[i]-mu[i])
			}
		}
		agreeAll(t, derivatives(h, xi, alpha, mu, xs, ys, c), want, 1e-11, "C = %v: gradient of the Lagrangian", c)

		m := must(Train(xs, ys, Linear{}, mdTight(c)))
		h = must(Explicit(m))
		if xi != nil {
			xi = m.Slacks(xs, ys)
			mu = mapped(m.Alpha, func(a float64) float64 { return c - a })
		}
		atMost(t, largest(derivatives(h, xi, m.Alpha, mu, xs, ys, c)), mdTol, "C = %v: gradient of the Lagrangian at the solution", c)
		// There its value is that of the problem: the terms with multipliers are zero (B5).
		agree(t, Lagrangian(h, xi, m.Alpha, mu, xs, ys, c), m.KKT.Primal, mdTol, "C = %v: Lagrangian at the solution", c)
		none := make([]float64, len(xs))
		equal(t, Lagrangian(h, none, m.Alpha, none, xs, ys, math.Inf(1)), Lagrangian(h, nil, m.Alpha, nil, xs, ys, c), "no slack, C = ∞")
	}
	two, one := []float64{1, 2}, []float64{1}
	for _, v := range [][3][]float64{{one, two, two}, {one, one, two}, {nil, two, one}, {two, nil, two}, {two, two, nil}, {nil, nil, two}, {nil, one, nil}} {
		text := panics(func() { Lagrangian(Hyperplane{one, 0}, v[0], v[1], v[2], [][]float64{one, one}, two, 1) })
		check(t, strings.HasPrefix(text, "svm: "), "Lagrangian of ξ, α, μ = %v: panic %q", v, text)
	}
	for _, n := range []int{0, 2} { // ξ and μ, neither nil
		text := panics(func() {
			Lagrangian(Hyperplane{one, 0}, make([]float64, n), one, make([]float64, n), [][]float64{one}, one, 1)
		})
		check(t, strings.HasPrefix(text, "svm: "), "Lagrangian of %d ξ and μ for a point: panic %q", n, text)
	}
}

// B1: the w of Explicit is Σ αᵢyᵢxᵢ, and its plane decides as the model does.
func TestB1Explicit(t *testing.T) {
	xs, ys := mdClouds(46, 40, 4, 2)
	m := must(Train(xs, ys, Linear{}, Options{}))
	h := must(Explicit(m))
	beta := build(len(xs), func(i int) float64 { return m.Alpha[i] * ys[i] })
	agreeAll(t, h.W, matVec(MatrixFromRows(xs).T(), beta), 1e-13, "w of Explicit")
	equal(t, h.B, m.B, "b of Explicit")
	agree(t, math.Sqrt(norm2(h.W)), m.Norm(), 1e-12, "‖w‖")
	agreeAll(t, mapped(xs, h.Decision), mapped(xs, m.Decision), 1e-12, "decisions")
	equal(t, mapped(xs, h.Predict), mapped(xs, m.Predict), "predictions")
	refused(t, errOf(Explicit(must(Train(xs, ys, RBF{}, Options{})))), nil, "svm.RBF", "Explicit of a Gaussian model")
	refused(t, errOf(Explicit(&Model[[]float64]{Func: Func[[]float64]{Kernel: Linear{}}})), nil, "",
		"Explicit of a model without points")
	huge := &Model[[]float64]{Func: Func[[]float64]{Linear{}, [][]float64{{1e200, 1}}, []float64{1e200}}}
	refused(t, errOf(Explicit(huge)), nil, "w finite", "Explicit where w overflows")
	x, index := []float64{0, 1}, []int32{0, 1}
	sparse := &Model[Sparse]{Func: Func[Sparse]{OnSparse(Linear{}), []Sparse{{index, huge.Points[0]}}, huge.Coef}}
	for name, got := range map[string]float64{
		"Decision":    huge.Decision(x),
		"DecisionAll": huge.DecisionAll([][]float64{x})[0],
		"sparse":      sparse.Decision(Sparse{index, x}),
		"sparse, all": sparse.DecisionAll([]Sparse{{index, x}})[0],
	} {
		equal(t, got, 1e200, "%s where w overflows", name)
	}
}

// B1: far from the origin, too, a linear machine decides by Σ αᵢyᵢ xᵢ·x + b, computed exactly. So does the machine that
// is read back from a file, where the support vectors are in another order.
func TestB1FarFromOrigin(t *testing.T) {
	for _, offset := range []float64{0, 1e3, 1e6, 1e7} {
		rng := rand.New(rand.NewPCG(1, 2))
		xs, ys := labelled(200, func(i int) ([]float64, float64) {
			y := float64(i%2*2 - 1)
			return []float64{offset + y + rng.NormFloat64(), offset + rng.NormFloat64()}, y
		})
		m := must(Train(xs, ys, Linear{}, Options{C: 100}))
		again := must(ReadModel(strings.NewReader(libText(WriteModel, m))))
		sparse := must(ReadSparseModel(strings.NewReader(libText(WriteModel, m))))
		tol := 1e-14 * (1 + offset) * m.Norm() // rounding of w·x
		for _, x := range xs[:20] {
			f := ratOf(m.B)
			for i, p := range m.Points {
				f.Add(f, new(big.Rat).Mul(ratOf(m.Coef[i]), ratDot(ratsOf(p), ratsOf(x))))
			}
			want := ratFloat(f)
			about(t, m.Decision(x), want, tol, "offset %v: f(%v), exactly", offset, x)
			about(t, again.Decision(x), want, tol, "offset %v: f(%v), read back", offset, x)
			z := Sparse{[]int32{0, 1}, x}
			about(t, sparse.Decision(z), want, tol, "offset %v: f(%v), read back as sparse", offset, x)
			about(t, sparse.DecisionAll([]Sparse{z})[0], want, tol, "offset %v: f(%v), read back as sparse, all", offset, x)
		}
	}
}

// B2: "Dual: max Σαᵢ − ½ Σᵢⱼ αᵢαⱼyᵢyⱼKᵢⱼ s.t. Σαᵢyᵢ = 0 and 0 ≤ αᵢ (hard) or 0 ≤ αᵢ ≤ C (soft)": the dual value is the
// least value of the Lagrangian in w, b and ξ, and Train reports it.
func TestB2LeastLagrangian(t *testing.T) {
	rng := rand.New(rand.NewPCG(102, 2))
	dual := func(alpha, ys []float64, k *Matrix) float64 {
		v := 0.0
		for i := range ys {
			v += alpha[i]
			for j := range ys {
				v -= alpha[i] * alpha[j] * ys[i] * ys[j] * k.At(i, j) / 2
			}
		}
		return v
	}
	for _, p := range mdProblems {
		xs, ys, _, m := p.train(22, 24, 1e-10)
		k := oracleGram(p.k, xs)
		best := dual(m.Alpha, ys, k)
		agree(t, m.KKT.Dual, best, mdTol, "%s: KKT.Dual", p.name)
		sum := 0.0
		for i, a := range m.Alpha {
			sum += a * ys[i]
			check(t, a >= 0 && a <= p.c, "%s: α of point %d = %v, want it in [0, %v]", p.name, i, a, p.c)
		}
		about(t, sum, 0, 1e-12*slices.Max(m.Alpha)*24, "%s: Σαy", p.name)
		for range 100 {
			beta := mdFeasible(rng, ys, p.c)
			alpha, mu, xi := make([]float64, len(ys)), make([]float64, len(ys)), make([]float64, len(ys))
			h := Hyperplane{make([]float64, 2), 0}
			for i, b := range beta {
				alpha[i] = b * ys[i]
				mu[i] = p.c - alpha[i]
				xi[i] = 3 * rng.NormFloat64()
				axpy(h.W, b, xs[i])
			}
			v := dual(alpha, ys, k)
			atMost(t, v, best+mdTol*max(1, best), "%s: dual value of a feasible α", p.name)
			if _, linear := p.k.(Linear); !linear {
				continue
			}
			if math.IsInf(p.c, 1) {
				xi, mu = nil, nil
			}
			h.B = rng.NormFloat64() // b and ξ make no difference: their factors are zero
			agree(t, Lagrangian(h, xi, alpha, mu, xs, ys, p.c), v, 1e-11, "%s: least Lagrangian == the dual value", p.name)
			h.W[0] += rng.NormFloat64() // and no other w makes it less
			l := Lagrangian(h, xi, alpha, mu, xs, ys, p.c)
			check(t, l >= v-1e-11*max(1, math.Abs(v)), "%s: Lagrangian %v, less than the dual value %v", p.name, l, v)
		}
	}
}

// B3: "Weak duality: dual value ≤ primal value for every feasible pair. Strong duality: equal at the optimum. The
// difference is the duality gap, a certificate of how far any answer can be from optimal."
func TestB3Duality(t *testing.T) {
	rng := rand.New(rand.NewPCG(103, 3))
	for _, p := range mdProblems {
		xs, ys, _, m := p.train(23, 24, 1e-10)
		equal(t, m.KKT.Gap, m.KKT.Primal-m.KKT.Dual, "%s: gap", p.name)
		about(t, m.KKT.Gap, 0, mdTol*max(1, m.KKT.Primal), "%s: gap at the optimum", p.name)
		best := m.KKT.Primal
		k := oracleGram(p.k, xs)
		d := oracleSVC(k, ys, p.c, nil)
		for range 100 {
			beta := mdFeasible(rng, ys, p.c)
			kbeta := matVec(k, beta)
			a := answer{d, beta, gradient(d, beta), 2 * rng.NormFloat64(), 0}
			r := a.certify()
			check(t, r.Dual <= best+mdTol && r.Primal >= best-mdTol*max(1, best) && r.Gap >= 0,
				"%s: feasible pair with values %v and %v, want the optimum %v between them", p.name, r.Dual, r.Primal, best)
			if math.IsInf(p.c, 1) {
				continue
			}
			products := 0.0 // Σ (C − α)ξ + α(y f − 1 + ξ)
			for i := range ys {
				z := ys[i] * (kbeta[i] + a.b)
				xi := math.Max(0, 1-z)
				products += (p.c-beta[i]*ys[i])*xi + beta[i]*ys[i]*(z-1+xi)
			}
			agree(t, r.Gap, products, 1e-11, "%s: gap == the sum of the products", p.name)
		}
	}
}

// B3, far from the optimum: however short the run, the optimum is between the dual and the primal value.
func TestB3CertificateOfShortRuns(t *testing.T) {
	for _, p := range mdProblems {
		xs, ys, _, m := p.train(24, 60, 1e-10)
		best := m.KKT.Dual
		for _, short := range []Options{{Tol: 1}, {Tol: 0.1}, {}, {MaxIter: 1}, {MaxIter: 5}, {MaxIter: 25}} {
			short.C = p.c
			m, err := Train(xs, ys, p.k, short)
			done := m.KKT.Violation <= cmp.Or(short.Tol, 1e-3)
			check(t, done && err == nil || !done && errors.Is(err, ErrNotConverged),
				"%s, %+v: violation %v, error %v", p.name, short, m.KKT.Violation, err)
			slop := mdTol * max(1, best)
			check(t, m.KKT.Dual <= best+slop && m.KKT.Primal >= best-slop,
				"%s, %+v: values %v and %v, want the optimum %v between them", p.name, short, m.KKT.Dual, m.KKT.Primal, best)
		}
	}
}

// B3, B5: "KKT (stationarity, primal feasibility, dual feasibility, complementary slackness) are necessary and
// sufficient here; each has its own residual in the report." Necessary: at the solution every residual is zero, see
// TestB7ToysByTrain. A change of the model shows in the residuals of the conditions that it breaks, and in no others.
func TestB5EachResidual(t *testing.T) {
	xs, ys := mdClouds(25, 30, 2, 9)
	hard := Options{C: math.Inf(1), Tol: 1e-10}
	zs, us := mdClouds(25, 30, 2, 1)
	soft := Options{C: 0.5, Tol: 1e-10}
	first := func(m *Model[[]float64], ok func(alpha float64) bool) int { return slices.IndexFunc(m.Alpha, ok) }
	free := func(a float64) bool { return a > 0 && a < soft.C }
	zero := func(a float64) bool { return a == 0 }
	bound := func(a float64) bool { return a == soft.C }
	// set gives point i another α, and the function the coefficient that belongs to it.
	set := func(m *Model[[]float64], xs [][]float64, ys []float64, i int, alpha float64) {
		m.Points, m.Coef = append(m.Points, xs[i]), append(m.Coef, (alpha-m.Alpha[i])*ys[i])
		m.Alpha[i] = alpha
	}
	stretch := func(m *Model[[]float64], c float64) {
		m.Func, m.B, m.Alpha = m.Func.Scale(c), c*m.B, times(m.Alpha, constant(len(m.Alpha), c))
	}
	type report struct{ stationarity, primal, dual, slackness, violation bool }
	for _, c := range []struct {
		name   string
		hard   bool
		change func(m *Model[[]float64])
		want   report
	}{
		{"nothing, soft", false, func(m *Model[[]float64]) {}, report{}},
		{"nothing, hard", true, func(m *Model[[]float64]) {}, report{}},
		{"b, soft", false, func(m *Model[[]float64]) { m.B += 0.1 }, report{slackness: true, violation: true}},
		{"b, hard", true, func(m *Model[[]float64]) { m.B += 0.1 }, report{primal: true, slackness: true, violation: true}},
		{"the function alone", false, func(m *Model[[]float64]) { m.Coef[0] += 0.1 }, report{stationarity: true}},
		{"one α and the function", false, func(m *Model[[]float64]) { set(m, zs, us, first(m, free), soft.C/3) },
			report{stationarity: true, slackness: true, violation: true}},
		{"α < 0", false, func(m *Model[[]float64]) { set(m, zs, us, first(m, zero), -0.1) },
			report{stationarity: true, dual: true, slackness: true, violation: true}},
		{"α > C", false, func(m *Model[[]float64]) { set(m, zs, us, first(m, bound), soft.C+0.1) },
			report{stationarity: true, dual: true, slackness: true, violation: true}},
		{"w and b twice as long", true, func(m *Model[[]float64]) { stretch(m, 2) }, report{slackness: true, violation: true}},
		{"w and b half as long", true, func(m *Model[[]float64]) { stretch(m, 0.5) },
			report{primal: true, slackness: true, violation: true}},
	} {
		px, py, o := zs, us, soft
		if c.hard {
			px, py, o = xs, ys, hard
		}
		m := must(Train(px, py, Linear{}, o))
		c.change(m)
		k := Verify(m, px, py, o)
		const seen = 1e-3 // every change is a hundred times this
		got := report{k.Stationarity > seen, k.PrimalFeasibility > seen, k.DualFeasibility > seen,
			k.Slackness > seen, k.Violation > seen}
		check(t, got == c.want, "%s: residuals %+v, want %+v in\n%v", c.name, got, c.want, k)
		broken := got.stationarity || got.primal || got.dual || got.slackness
		check(t, broken || math.Abs(k.Gap) <= mdTol, "%s: no residual but a gap of %v: KKT must be sufficient", c.name, k.Gap)
	}
	// The doubled plane is feasible at four times the optimum, but Primal is that of the canonical plane, the optimum.
	m := must(Train(xs, ys, Linear{}, hard))
	best := m.KKT.Primal
	stretch(m, 2)
	agree(t, Verify(m, xs, ys, hard).Primal, best, mdTol, "primal of the doubled plane == of the canonical one")
	m.B = -1e6
	k := Verify(m, xs, ys, hard)
	equal(t, k.Primal, math.Inf(1), "primal of a plane that does not separate")
	equal(t, k.Gap, math.Inf(1), "gap of a plane that does not separate")
}

// B5: each residual is by how much its condition fails. Two points at ±1 have α = ½ each, w = 1, b = 0, and gradient 0.
func TestB5ResidualValues(t *testing.T) {
	xs, ys := [][]float64{{-1}, {1}}, []float64{-1, 1}
	for _, c := range []struct {
		name        string
		c, alpha, b float64 // α of the second point
		want        []float64
	}{
		// Margins ¾ and 1¼, and (C − α)ξ = 1½·¼ is more than α|y f − 1 + ξ| = ½·¼.
		{"b, soft", 2, 0.5, 0.25, []float64{0, 0, 0, 0.375, 0.25}},
		// Here 1 − y f = ¼ is no slack, and α|y f − 1| = ½·¼.
		{"b, hard", math.Inf(1), 0.5, 0.25, []float64{0, 0.25, 0, 0.125, 0.25}},
		// w = 3, so g = (2, −2), margins 3: α|y f − 1| = 2½·2.
		{"α > C", 2, 2.5, 0, []float64{2, 0, 0.5, 5, 4}},
		// w = ¼, so g = (−¾, ¾), margins ¼: (C − α)ξ = 2¼·¾, and both g lie on the far side of b.
		{"α < 0", 2, -0.25, 0, []float64{0.75, 0, 0.25, 1.6875, 1.5}},
	} {
		o := Options{C: c.c, Tol: 1e-12}
		m := must(Train(xs, ys, Linear{}, o))
		m.Alpha[1], m.Coef[1], m.B = c.alpha, c.alpha, c.b
		k := Verify(m, xs, ys, o)
		got := []float64{k.Stationarity, k.PrimalFeasibility, k.DualFeasibility, k.Slackness, k.Violation}
		aboutAll(t, got, c.want, 1e-12, "%s: stationarity, primal, dual feasibility, slackness, violation", c.name)
		free := 1 // the first α, ½, is free; of the second only ½ is
		if c.alpha == 0.5 {
			free = 2
		}
		equal(t, k.Free, free, "%s: number of free α", c.name)
	}
	for _, change := range []float64{0.25, -0.25} { // f at the first point, 0, stays as it was
		m := must(Train([][]float64{{0}, {1}}, ys, Linear{}, Options{C: 10, Tol: 1e-12}))
		m.Coef[1] += change
		k := Verify(m, [][]float64{{0}, {1}}, ys, Options{C: 10})
		about(t, k.Stationarity, 0.25, 1e-12, "stationarity, a coefficient changed by %v", change)
	}
}

// B5: whatever the scales of the points and of C, Verify confirms what Train certifies. Boxes far wider than the
// multipliers do not swallow them, and unscaled points do not make a kernel look indefinite.
func TestB5Scales(t *testing.T) {
	rng := rand.New(rand.NewPCG(61, 62))
	for _, k := range []Kernel[[]float64]{Linear{}, RBF{1}, Polynomial{Degree: 2, Coef: 1}} {
		for scale := -4.0; scale <= 6; scale += 2 {
			for c := -6.0; c <= 300; c += 1 + max(0, 20*math.Floor(c/20)) {
				xs, ys := labelled(12, func(i int) ([]float64, float64) {
					y, size := float64(i%2*2-1), math.Pow(10, scale)
					return []float64{size * (2*y + rng.Float64()), size * rng.NormFloat64()}, y
				})
				o := Options{C: math.Pow(10, c), MaxIter: 20_000}
				m, err := Train(xs, ys, k, o)
				if err != nil {
					refused(t, err, ErrNotConverged, "", "%T, scale 1e%v, C = 1e%v", k, scale, c)
					continue
				}
				v := Verify(m, xs, ys, o)
				tol := 1e-3 + 100*machineEps*Dot(m.Alpha, squaresOf(k, xs)) // Kβ is known to within ε of the sum of its terms
				check(t, v.Violation <= 2*tol && v.Gap <= tol*(12*o.C+norm1(m.Alpha)) && len(m.Points) >= 2,
					"%T, scale 1e%v, C = 1e%v: %d support vectors, certified\n%vverified\n%v", k, scale, c, len(m.Points), m.KKT, v)
			}
		}
	}
	grid, ys := labelled(400, func(i int) ([]float64, float64) { // unscaled
		return []float64{1000 * float64(i%17) / 17, 1000 * float64(i%23) / 23}, float64(i%2*2 - 1)
	})
	for _, k := range []Kernel[[]float64]{Linear{}, Polynomial{Degree: 3, Coef: 1}} {
		for c := 1.0; c <= 1e10; c *= 10 {
			if _, err := Train(grid, ys, k, Options{C: c, MaxIter: 5000}); err != nil {
				refused(t, err, ErrNotConverged, "", "Train on unscaled points with %T, C = %v", k, c)
			}
		}
	}
}

// B6: "αᵢ = 0 ⇒ y f ≥ 1; 0 < αᵢ < C ⇒ y f = 1; αᵢ = C ⇒ y f ≤ 1."
func TestB6Cases(t *testing.T) {
	for _, p := range mdProblems {
		for _, tol := range []float64{1e-10, 1e-3} {
			xs, ys, _, m := p.train(26, 40, tol)
			slop := tol + 1e-11*slices.Max(m.Alpha)*40 // and what rounding does to f
			var count [3]int
			for i, z := range m.Margins(xs, ys) {
				switch a := m.Alpha[i]; {
				case a == 0:
					count[0]++
					check(t, z >= 1-slop, "%s: α = 0 but y f = %v", p.name, z)
				case a < p.c:
					count[1]++
					check(t, math.Abs(z-1) <= slop, "%s: 0 < α = %v < C but y f = %v", p.name, a, z)
				default:
					count[2]++
					check(t, z <= 1+slop, "%s: α = C but y f = %v", p.name, z)
				}
			}
			check(t, count[0] != 0 && count[1] != 0 && (count[2] != 0 || math.IsInf(p.c, 1)),
				"%s: %v points of each case: the test is void", p.name, count)
			check(t, m.KKT.Free == count[1] && m.KKT.Bound == count[2] && len(m.Points) == count[1]+count[2],
				"%s: %d free, %d bound, %d support vectors, want %v", p.name, m.KKT.Free, m.KKT.Bound, len(m.Points), count)
		}
	}
}

// B6 in terms of the gradient, at any feasible β and any b: the violation is the greatest of 0, gᵢ − gⱼ, gᵢ − b and b −
// gⱼ over all i that may rise and j that may fall. It is 0 only if every case holds.
func TestB6Violation(t *testing.T) {
	rng := rand.New(rand.NewPCG(106, 6))
	for _, p := range mdProblems {
		xs, ys := mdClouds(126, 12, 2, p.apart)
		d := oracleSVC(oracleGram(p.k, xs), ys, p.c, nil)
		for range 50 {
			beta := mdFeasible(rng, ys, p.c)
			for i := range beta {
				if rng.IntN(2) == 0 {
					beta[i] = []float64{0, min(p.c, 3)}[rng.IntN(2)] * ys[i]
				}
			}
			g := gradient(d, beta)
			b, want := 3*rng.NormFloat64(), 0.0
			for i := range g {
				for j := range g {
					rises := beta[i] < 0 || beta[i] < p.c && ys[i] > 0
					falls := beta[j] > 0 || beta[j] > -p.c && ys[j] < 0
					if rises {
						want = max(want, g[i]-b)
					}
					if falls {
						want = max(want, b-g[j])
					}
					if rises && falls {
						want = max(want, g[i]-g[j])
					}
				}
			}
			agree(t, answer{d, beta, g, b, 0}.certify().Violation, want, 1e-13, "%s: violation at β = %v, b = %v", p.name, beta, b)
		}
	}
}

// Verify, which computes everything from the points, finds what Train reports from the solver's gradient.
func TestVerifyAgreesWithTrain(t *testing.T) {
	for _, p := range mdProblems {
		xs, ys := mdClouds(31, 80, 2, p.apart)
		o := Options{C: p.c}
		if !math.IsInf(p.c, 1) {
			o.Weights = build(80, func(i int) float64 { return float64(i % 4) }) // a quarter dropped
		}
		m := must(Train(xs, ys, p.k, o))
		got, want := Verify(m, xs, ys, o), m.KKT
		slop := 1e-12 * 80 * max(1, Dot(m.Alpha, m.Alpha)) // rounding in sums of products with α
		a, b := reflect.ValueOf(got), reflect.ValueOf(want)
		for f := range a.NumField() {
			v, w := a.Field(f), b.Field(f)
			check(t, v.CanInt() && v.Int() == w.Int() || v.CanFloat() && mdNear(v.Float(), w.Float(), slop),
				"%s: Verify finds %s %v, Train %v", p.name, a.Type().Field(f).Name, v, w)
		}
	}
}

// Where two classes overlap, terms of 10¹¹ may cancel to ‖w‖² < 0 by rounding, which is no fault of the kernel.
func TestVerifyNothingLeft(t *testing.T) {
	xs, ys := [][]float64{{3}, {2}, {-2}}, []float64{-1, 1, -1}
	alpha := []float64{80000.00000000001, 100000, 19999.999999999985}
	m := &Model[[]float64]{Func: Func[[]float64]{Linear{}, xs, times(alpha, ys)}, B: -1, BLo: -1, BHi: -1, Alpha: alpha}
	atMost(t, Verify(m, xs, ys, Options{C: 1e5}).Stationarity, 1e-9, "stationarity")
}

// B5: a model whose values are NaN is not certified.
func TestVerifyNaN(t *testing.T) {
	xs, ys := [][]float64{{0}, {1}, {3}}, []float64{-1, 1, 1}
	m := must(Train(xs, ys, Linear{}, Options{}))
	m.Kernel = KernelFunc[[]float64](func(x, z []float64) float64 { return math.NaN() })
	k := Verify(m, xs, ys, Options{})
	got := []float64{k.Primal, -k.Dual, k.Gap, k.Stationarity, k.Slackness, k.Violation, k.Rounding}
	equal(t, got, constant(7, math.Inf(1)), "Primal, −Dual, Gap, Stationarity, Slackness, Violation, Rounding with a kernel of NaN")
}

// Verify panics on what Train refuses. In a hard margin α = 0 has the dual value 0 and the primal value +∞.
func TestVerifyRefuses(t *testing.T) {
	xs, ys := [][]float64{{-1}, {1}}, []float64{-1, 1}
	m := must(Train(xs, ys, Linear{}, Options{}))
	for text, call := range map[string]func(){
		"label 2 of point 1":    func() { Verify(m, xs, []float64{-1, 2}, Options{}) },
		"label 0 of point 1":    func() { Verify(m, xs, []float64{-1, 0}, Options{}) },
		"C -1":                  func() { Verify(m, xs, ys, Options{C: -1}) },
		"1 points":              func() { Verify(m, xs[:1], ys[:1], Options{}) },
		"2 points, but 1 label": func() { Verify(m, xs, ys[:1], Options{}) },
		"weight has label -1":   func() { Verify(m, xs, []float64{1, 1}, Options{}) },
		"3 points":              func() { Verify(m, append(xs, xs[0]), append(ys, -1), Options{}) },
	} {
		got := panics(call)
		check(t, strings.HasPrefix(got, "svm: ") && strings.Contains(got, text), "Verify panics with %q, want %q", got, text)
	}
	for name, o := range map[string]Options{
		"MaxIter": {MaxIter: -1}, "CacheBytes": {CacheBytes: -1}, "Workers": {Workers: -1}, "Tol": {Tol: -1},
	} {
		equal(t, panics(func() { Verify(m, xs, ys, o) }), "svm: "+name+" -1 is negative", "Verify with %s −1: panic", name)
		refused(t, errOf(Train(xs, ys, Linear{}, o)), nil, name+" -1 is negative", "Train")
		refused(t, errOf(TrainClassifier(xs, ys, Linear{}, o)), nil, name+" -1 is negative", "TrainClassifier") // which divides the workers
	}
	m = &Model[[]float64]{Func: Func[[]float64]{Kernel: Linear{}}, Alpha: []float64{0, 0}}
	k := Verify(m, xs, ys, Options{C: math.Inf(1)})
	equal(t, []float64{k.Dual, k.Primal}, []float64{0, math.Inf(1)}, "dual and primal of α = 0")
	for _, start := range [][]float64{{1}, {1, math.NaN()}} {
		check(t, panics(func() { Verify(m, xs, ys, Options{Start: start}) }) != "", "Verify accepts the start %v", start)
	}
}

// A report is a table, with a row about rounding only if there is some.
func TestKKTString(t *testing.T) {
	k := KKT{Primal: 2.5, Dual: 2.25, Gap: 0.25, Stationarity: 1e-16, PrimalFeasibility: 0, DualFeasibility: 0.125, Slackness: 3e-4,
		Violation: math.Inf(1), Free: 3, Bound: 14, Iterations: 159}
	want := `primal objective               2.5
dual objective                2.25
duality gap                   0.25  primal - dual
stationarity                 1e-16  w = sum alpha y x, sum alpha y = 0
primal feasibility               0  y f >= 1 - xi
dual feasibility             0.125  0 <= alpha <= C
slackness                   0.0003  alpha (y f - 1 + xi) = 0, (C - alpha) xi = 0
violation                     +Inf  of the optimality conditions
support vectors                 17  3 free, 14 at the bound
iterations                     159
`
	equal(t, k.String(), want, "String()")
	k.Rounding = 0.25
	i := strings.Index(want, "support")
	want = want[:i] + "rounding                      0.25  of kernel values, in each g: scale the features\n" + want[i:]
	equal(t, k.String(), want, "String() with rounding to speak of")
}

// Machines: the bias, and who matters.

// B7: "b = average of yᵢ − Σⱼ αⱼyⱼKᵢⱼ over the free support vectors (0 < α < C). With none free, KKT leaves an
// interval of b: report it, use its midpoint."
func TestB7Bias(t *testing.T) {
	for _, p := range mdProblems {
		xs, ys, o, m := p.train(27, 40, 0)
		sum, free := 0.0, 0.0
		for i, a := range m.Alpha {
			if a > 0 && a < p.c {
				sum += ys[i]
				free++
				for j, x := range xs {
					sum -= m.Alpha[j] * ys[j] * p.k.Eval(x, xs[i])
				}
			}
		}
		check(t, free > 0, "%s: no free support vector: the test is void", p.name)
		agree(t, m.B, sum/free, 1e-11*max(1, slices.Max(m.Alpha)), "%s: b == the average", p.name)
		check(t, m.B >= m.BLo-1e-12 && m.B <= m.BHi+1e-12 && m.BHi-m.BLo <= cmp.Or(o.Tol, 1e-3),
			"%s: b = %v in [%v, %v], want it inside and the interval within the tolerance", p.name, m.B, m.BLo, m.BHi)
	}
	// The mean of equal gradients may be rounded, but stays in the interval.
	for _, g := range []float64{0.1, -0.1} {
		s := must(SMO(Dual{NewMatrix(3, 3), constant(3, g), constant(3, -1), constant(3, 1), 0}, SMOOptions{}))
		equal(t, []float64{s.BLo, s.B, s.BHi}, constant(3, g), "BLo, b and BHi where all gradients are %v", g)
	}
	half := must(SMO(Dual{NewMatrix(1, 1), []float64{2}, []float64{0}, []float64{1}, 1}, SMOOptions{})) // β = 1 may only fall
	equal(t, []float64{half.BLo, half.B, half.BHi}, []float64{math.Inf(-1), 2, 2}, "BLo, b and BHi on a half-line")
	// With C this small every α of the smaller class is at its bound, and if the classes are of equal size, every α.
	xs, ys := mdClouds(27, 40, 2, 3)
	o := Options{C: 1e-3, Tol: 1e-9}
	m := must(Train(xs, ys, Linear{}, o))
	check(t, m.KKT.Free == 0 && m.KKT.Bound == 40 && m.B == m.BLo+(m.BHi-m.BLo)/2 && m.BHi-m.BLo >= 0.1,
		"b = %v in [%v, %v], %d free, %d bound, want the midpoint and none free", m.B, m.BLo, m.BHi, m.KKT.Free, m.KKT.Bound)
	for b, ok := range map[float64]bool{m.BLo: true, m.BHi: true, m.B: true, m.BLo - 0.01: false, m.BHi + 0.01: false} {
		m.B = b
		k := Verify(m, xs, ys, o)
		check(t, (k.Violation < 1e-8 && math.Abs(k.Gap) < 1e-8) == ok,
			"b = %v of [%v, %v]: violation %v, gap %v; optimal: want %v", b, m.BLo, m.BHi, k.Violation, k.Gap, ok)
	}
}

// B7: at every step b is the mean of g over the free variables, clipped to the interval; with none free, the midpoint.
func TestB7Underway(t *testing.T) {
	seen := map[int]int{}
	for trial := range 100 {
		rng := rand.New(rand.NewPCG(77, uint64(trial)))
		d := randomDual(rng, 8, RBF{1}, 1)
		for i := range d.Lo { // with equal bounds one variable alone is never free
			c := 0.2 + rng.Float64()
			d.Lo[i], d.Hi[i] = c*d.Lo[i], c*d.Hi[i]
		}
		for s := range SMOSteps(d, SMOOptions{Tol: 1e-9}) {
			g, sum, free := d.Gradient(s.Beta), 0.0, 0
			for i, b := range s.Beta {
				if d.Lo[i] < b && b < d.Hi[i] {
					sum += g[i]
					free++
				}
			}
			want := (s.BLo + s.BHi) / 2
			if free > 0 {
				want = min(max(sum/float64(free), s.BLo), s.BHi)
			}
			about(t, s.B, want, 1e-13, "trial %d, step %d, %d free: b", trial, s.Iterations, free)
			seen[min(free, 2)]++
		}
	}
	check(t, seen[0] > 20 && seen[1] > 20 && seen[2] > 20, "points with 0, 1 and more free variables: %v", seen)
}

// B7: a multiplier that rounding of Σβ leaves next to its bound does not count as free. If it did, b would be its
// gradient, at one end of the interval that KKT allow.
func TestB7Rounding(t *testing.T) {
	rng := rand.New(rand.NewPCG(61, 62))
	intervals := 0
	for trial := range 4000 {
		n, c := 3+rng.IntN(8), []float64{0.1, 0.25, 0.3}[rng.IntN(3)]
		xs := build(n, func(int) []float64 { return []float64{float64(rng.IntN(7) - 3), float64(rng.IntN(7) - 3)} })
		ys := build(n, func(i int) float64 { return float64(2*rng.IntN(2) - 1) })
		ys[0], ys[1] = 1, -1
		var start []float64
		if trial%2 > 0 {
			start = build(n, func(int) float64 { return c * rng.Float64() })
		}
		m := must(Train(xs, ys, Linear{}, Options{C: c, Start: start}))
		for _, a := range m.Alpha {
			check(t, a == 0 || a == c || 5e-16*c < a && a < c*(1-5e-16), "trial %d: α = %v, C = %v", trial, m.Alpha, c)
		}
		if m.KKT.Free == 0 && m.BLo < m.BHi {
			intervals++
			about(t, m.B, (m.BLo+m.BHi)/2, 1e-12, "trial %d: b, in the middle", trial)
		}
	}
	check(t, intervals > 100, "%d intervals of b, want many", intervals)

	xs := [][]float64{{3, -1}, {2, -2}, {0, 2}, {-3, 3}, {-1, -3}, {0, -2}, {3, 0}, {2, 1}, {-1, -1}, {0, 3}}
	m := must(Train(xs, []float64{1, -1, 1, -1, 1, -1, -1, -1, 1, -1}, Linear{}, Options{C: 0.1}))
	about(t, m.B, -0.65, 1e-12, "b in the middle of [−0.7, −0.6]")
	xs = [][]float64{{2, -1}, {-2, 3}, {-1, 3}, {-2, 0}, {3, -3}}
	ys := []float64{1, -1, -1, 1, -1}
	m = must(Train(xs, ys, Linear{}, Options{C: 0.25, Start: must(Train(xs, ys, Linear{}, Options{C: 0.025})).Alpha}))
	about(t, m.B, -0.625, 1e-12, "b in the middle of [−0.75, −0.5]")
}

// B7: at the end of a run multipliers are put to their bounds only if too little is left to matter: a tiny one may
// decide the class of a remote point. So the certificate is true of the α that are returned.
func TestB7TinyMultipliers(t *testing.T) {
	inf := math.Inf(1)
	rng := rand.New(rand.NewPCG(81, 82))
	type row struct {
		xs [][]float64
		ys []float64
		c  float64
	}
	rows := []row{
		{[][]float64{{2000, 0}, {0, 0}, {0, 0}, {4000, 300000}}, []float64{-1, 1, -1, 1}, 1e6},
		{[][]float64{{1e7}, {-1e7}, {-1e7}, {-4e7}}, []float64{-1, 1, -1, 1}, 1},
		{[][]float64{{.003, 0, 0}, {0, 1e4, 0}, {0, 0, .0003}}, []float64{-1, 1, 1}, inf},
		{[][]float64{{0, 0}, {0.01, 0}, {0, 1.2e6}}, []float64{1, -1, -1}, 1e6},
	}
	for range fewer(700, 70) {
		n, d := 3+rng.IntN(8), 1+rng.IntN(3)
		unit := build(d, func(int) float64 { return math.Pow(10, float64(rng.IntN(6))) })
		xs := build(n, func(int) []float64 {
			return build(d, func(f int) float64 { return unit[f] * float64(rng.IntN(7)-3) })
		})
		ys := build(n, func(int) float64 { return float64(2*rng.IntN(2) - 1) })
		ys[0], ys[1] = 1, -1
		rows = append(rows, row{xs, ys, []float64{1e2, 1e4, 1e5, 1e6, 1e7}[rng.IntN(5)]})
	}
	done := 0
	for i, r := range rows {
		m, err := Train(r.xs, r.ys, Linear{}, Options{C: r.c})
		check(t, err == nil || i >= 4, "set %d: %v", i, err)
		if err != nil {
			continue
		}
		done++
		v := Verify(m, r.xs, r.ys, Options{C: r.c})
		atMost(t, v.Violation, 1.1e-3+2*v.Rounding, "set %d: violation, by Train %v", i, m.KKT.Violation)
	}
	check(t, done > fewer(500, 50), "%d of %d runs ended well, want most", done, len(rows))
}

// B8: "Only support vectors matter: dropping every other point, or retraining on the support vectors alone, leaves f
// unchanged."
func TestB8OnlySupportVectors(t *testing.T) {
	for _, p := range mdProblems {
		xs, ys, o, m := p.train(28, 60, 1e-10)
		check(t, len(m.Points) > 0 && len(m.Points) < 60,
			"%s: %d of 60 points are support vectors: the test is void", p.name, len(m.Points))
		dropped := o
		dropped.Weights = mapped(m.Alpha, func(a float64) float64 { return math.Ceil(min(a, 1)) }) // 1 where α > 0
		labels := pick(ys, where(m.Alpha, func(a float64) bool { return a > 0 }))
		alone := must(Train(m.Points, labels, p.k, o))
		without := must(Train(xs, ys, p.k, dropped))
		for i, x := range xs {
			f, sum := m.Decision(x), m.B+Dot(times(m.Alpha, ys), mapped(xs, func(z []float64) float64 { return p.k.Eval(z, x) }))
			agree(t, f, sum, 1e-13*max(1, total(m.Alpha)), "%s: f of point %d, by the support vectors == by all points", p.name, i)
			const tol = 1e-6 // f is determined less sharply than the objective
			agree(t, alone.Decision(x), f, tol, "%s: f of point %d, trained on the support vectors alone,", p.name, i)
			agree(t, without.Decision(x), f, tol, "%s: f of point %d, trained without the others,", p.name, i)
		}
	}
	// If no α is free, points with α = 0 still bound b. Without them w is the same, but f need not be: here w = 0.2, and
	// the point 3 wants 3w + b ≥ 1.
	all := must(Train([][]float64{{-1}, {1}, {3}}, []float64{-1, 1, 1}, Linear{}, Options{C: 0.1}))
	two := must(Train([][]float64{{-1}, {1}}, []float64{-1, 1}, Linear{}, Options{C: 0.1}))
	agreeAll(t, append(all.Alpha, all.BLo, all.BHi, all.B), []float64{0.1, 0.1, 0, 0.4, 0.8, 0.6}, 1e-12,
		"α and b of three points, none free")
	agreeAll(t, append(two.Alpha, two.BLo, two.BHi, two.B), []float64{0.1, 0.1, -0.8, 0.8, 0}, 1e-12,
		"α and b of the support vectors alone")
}

// Machines: kernels, decisions, invariances.

// D20: "The kernel trick: SVM on φ(x) with the linear kernel ≡ SVM on x with k."
func TestD20KernelTrick(t *testing.T) {
	for _, p := range []struct {
		k   Kernel[[]float64]
		phi func(x []float64) []float64
		c   float64
	}{
		{Polynomial{Degree: 2, Gamma: 1, Coef: 1}, Polynomial{Degree: 2, Gamma: 1, Coef: 1}.FeatureMap(3), 0.2},
		{Polynomial{Degree: 3, Gamma: 0.5, Coef: 2}, Polynomial{Degree: 3, Gamma: 0.5, Coef: 2}.FeatureMap(3), 0.01},
		{RBF{0.05}, RBF{0.05}.FeatureMap(3, 12), 2}, // the truncated series' error is less than rounding
	} {
		xs, ys := mdClouds(120, 50, 3, 1)
		o := mdTight(p.c)
		a, b := must(Train(xs, ys, p.k, o)), must(Train(mapped(xs, p.phi), ys, Linear{}, o))
		agree(t, a.KKT.Primal, b.KKT.Primal, mdTol, "%v: objective with the kernel == with features", p.k)
		agree(t, a.Norm(), b.Norm(), mdTol, "%v: ‖w‖ with the kernel == with features", p.k)
		others, _ := mdClouds(121, 50, 3, 1)
		agreeAll(t, mapped(others, a.Decision), mapped(mapped(others, p.phi), b.Decision), 1e-6, "%v: f with the kernel == with features", p.k)
	}
}

// D20: points are centred before training only if the kernel allows it; else the machine would be that of other points.
func TestD20FarPoints(t *testing.T) {
	xs, ys := mdClouds(122, 40, 2, 1)
	xs = moved(xs, 3, 3)
	for _, k := range []Kernel[[]float64]{Linear{}, RBF{0.5}, Polynomial{Degree: 2, Gamma: 0.1, Coef: 1}, Polynomial{}, Cosine{},
		AllProducts{}, Sum[[]float64](Linear{}, Cosine{}), Scale[[]float64](2, Polynomial{Degree: 2})} {
		m := must(Train(xs, ys, k, Options{C: 0.01, Tol: 1e-6}))
		v, size := Verify(m, xs, ys, Options{C: 0.01}), m.KKT.Primal+total(m.Alpha)*largest(GramMatrix(k, xs).Data)*0.01
		atMost(t, v.Violation, 2e-6, "%v: violation", k)
		about(t, v.Gap, m.KKT.Gap, 1e-10*size, "%v: gap by Verify == by Train", k)
		f := func(x []float64) float64 {
			return m.B + Dot(times(m.Alpha, ys), mapped(xs, func(z []float64) float64 { return k.Eval(z, x) }))
		}
		agreeAll(t, m.DecisionAll(xs), mapped(xs, f), 1e-9, "%v: decisions == sums", k)
	}
}

// Changes of the problem that do not change its solution, or change it in a known way.
func TestInvariances(t *testing.T) {
	xs, ys := mdClouds(40, 50, 2, 1)
	k, o := RBF{0.4}, mdTight(3)
	m := must(Train(xs, ys, k, o))
	others, _ := mdClouds(41, 30, 2, 1)

	same := func(name string, f func(x []float64) float64) {
		t.Helper()
		agreeAll(t, mapped(others, f), mapped(others, m.Decision), 1e-6, "%s: f", name)
	}
	perm := rand.New(rand.NewPCG(40, 40)).Perm(len(xs))
	same("points in another order", must(Train(pick(xs, perm), pick(ys, perm), k, o)).Decision)

	flipped := mapped(ys, func(y float64) float64 { return -y })
	other := must(Train(xs, flipped, k, o))
	same("labels exchanged", func(x []float64) float64 { return -other.Decision(x) })

	// f stays the same: α takes the factor 1/8, and so does C.
	small := o
	small.C = o.C / 8
	same("8k and C/8", must(Train(xs, ys, Scale[[]float64](8, k), small)).Decision)

	move := func(x []float64) []float64 { return []float64{0.6*x[0] - 0.8*x[1] + 100, 0.8*x[0] + 0.6*x[1] - 7} }
	rigid := must(Train(mapped(xs, move), ys, k, o))
	same("points turned and moved", func(x []float64) float64 { return rigid.Decision(move(x)) })

	double := o
	double.Weights = build(len(xs), func(i int) float64 { return float64(1 + i%2) })
	var twice [][]float64
	var labels []float64
	for i, x := range xs {
		for range 1 + i%2 {
			twice, labels = append(twice, x), append(labels, ys[i])
		}
	}
	a, b := must(Train(xs, ys, k, double)), must(Train(twice, labels, k, o))
	agreeAll(t, mapped(others, a.Decision), mapped(others, b.Decision), 1e-6, "weight 2: f == with points twice")
	agree(t, a.KKT.Primal, b.KKT.Primal, mdTol, "weight 2: objective == with points twice")
}

// The bounds of rounding are finite where kernel values are, even if products of kernel values overflow.
func TestLongPoints(t *testing.T) {
	for _, size := range []float64{1e77, 1e100, 1e153} {
		for _, c := range []float64{1, math.Inf(1)} {
			xs, ys := [][]float64{{-2 * size}, {6 * size}, {-7 * size}}, []float64{-1, 1, -1}
			m := must(Train(xs, ys, Linear{}, Options{C: c}))
			agree(t, m.Decision([]float64{2 * size}), 0, 1e-14, "points near %v: decision in the middle", size)
			check(t, m.KKT.Violation <= 1e-14 && m.KKT.Rounding <= 1e-14, "points near %v:\n%v", size, m.KKT)
		}
	}
}

// PredictAll gives the signs of DecisionAll, which is empty for no points, and b without support vectors. That it
// agrees with Decision is in TestDecisions and TestD20FarPoints.
func TestDecisionAll(t *testing.T) {
	xs, ys := mdClouds(45, 300, 5, 1)
	for _, k := range []Kernel[[]float64]{Linear{}, RBF{0.3}, Polynomial{Degree: 3, Gamma: 1, Coef: 1}, Cosine{},
		KernelFunc[[]float64](RBF{0.3}.Eval)} {
		m := must(Train(xs, ys, k, Options{}))
		equal(t, m.PredictAll(xs), mapped(m.DecisionAll(xs), sign), "%T: PredictAll == the signs of DecisionAll", k)
		equal(t, len(m.DecisionAll(nil)), 0, "%T: length of DecisionAll(nil)", k)
		// With α = 0 no condition is violated by more than 2.
		m = must(Train(xs, ys, k, Options{Tol: 2}))
		equal(t, len(m.Points), 0, "%T: support vectors at Tol 2", k)
		equal(t, m.DecisionAll(xs), constant(len(xs), m.B), "%T: decisions without support vectors", k)
	}
}

// The error of rows may be a tenth of that of the gradient.
func TestRowTol(t *testing.T) {
	for tol, want := range map[float64]float64{0: 1e-4, 1e-9: 1e-10, 1: 0.1} {
		about(t, Options{Tol: tol}.rowTol()/want, 1, 1e-15, "tolerance of rows, for %v", tol)
	}
}

// Sparse points give the machine of the same points with their zeros, to the bit, and the same predictions.
func TestTrainSparse(t *testing.T) {
	xs, ys := mdClouds(47, 120, 6, 1)
	for i, x := range xs {
		for f := range x {
			if (i+f)%3 > 0 {
				x[f] = 0
			}
		}
	}
	zs := sparseOf(xs, 1)
	for _, k := range []DotKernel{Linear{}, Polynomial{Degree: 3, Gamma: 0.3, Coef: 1}, RBF{0.3}, Cosine{}} {
		want := must(Train(xs, ys, k.(Kernel[[]float64]), Options{C: 3}))
		got := must(Train(zs, ys, OnSparse(k), Options{C: 3}))
		check(t, slices.Equal(got.Alpha, want.Alpha) && got.B == want.B && got.KKT == want.KKT,
			"%T: alpha %v, b %v,\nwant %v, %v", k, got.Alpha, got.B, want.Alpha, want.B)
		agreeAll(t, got.DecisionAll(zs), want.DecisionAll(xs), 1e-12, "%T: decisions", k)
		v := Verify(got, zs, ys, Options{C: 3})
		check(t, v.Violation <= 1.001e-3 && v.Stationarity <= 1e-10, "%T: Verify reports\n%v", k, v)
		// A feature that no training point has is orthogonal to all of them, whatever its index.
		for _, word := range []int32{6, 1 << 20, math.MaxInt32} {
			x := Sparse{append(slices.Clone(zs[0].Index), word), append(slices.Clone(zs[0].Value), 2)}
			agree(t, got.DecisionAll([]Sparse{x})[0], got.Decision(x), 1e-12, "%T: decision with word %d", k, word)
		}
		for i := range 4 {
			labels := build(len(ys), func(j int) float64 { return ys[j] + float64(j%3*(i%2)) })
			c := must(TrainClassifier(xs, labels, k.(Kernel[[]float64]), Options{}))
			s := must(TrainClassifier(zs, labels, OnSparse(k), Options{}))
			equal(t, s.PredictAll(zs), c.PredictAll(xs), "%T: classes", k)
		}
	}
	g := must(Explicit(must(Train(zs, ys, OnSparse(Linear{}), Options{}))))
	equal(t, g, must(Explicit(must(Train(xs, ys, Linear{}, Options{})))), "Explicit")
	// Too many features for a plane: decisions go by kernel values, and agree.
	far := sparseOf(xs, 350_000_000)
	m := must(Train(far, ys, OnSparse(Linear{}), Options{}))
	refused(t, errOf(Explicit(m)), nil, "", "Explicit of 2³⁰ features")
	few := must(Train(xs, ys, Linear{}, Options{}))
	agreeAll(t, m.DecisionAll(far), few.DecisionAll(xs), 1e-12, "decisions of 2³⁰ features == of few")
}

// Malformed sparse points are errors that say which point, and why.
func TestSparseErrors(t *testing.T) {
	good := Sparse{[]int32{0, 3}, []float64{1, 2}}
	for _, c := range []struct {
		name string
		x    Sparse
		is   error
		text string
	}{
		{"falling indices", Sparse{[]int32{3, 1}, []float64{1, 2}}, nil, "index 1 of point 1 follows 3"},
		{"index twice", Sparse{[]int32{3, 3}, []float64{1, 2}}, nil, "index 3 of point 1 follows 3"},
		{"negative index", Sparse{[]int32{-1, 3}, []float64{1, 2}}, nil, "index -1 of point 1"},
		{"fewer values", Sparse{[]int32{1, 3}, []float64{1}}, nil, "point 1 has 2 indices and 1 values"},
		{"more values", Sparse{[]int32{1}, []float64{1, 2}}, nil, "point 1 has 1 indices and 2 values"},
		{"NaN", Sparse{[]int32{2}, []float64{math.NaN()}}, ErrNotFinite, "feature 2 of point 1 is NaN"},
		{"infinity", Sparse{[]int32{2}, []float64{math.Inf(-1)}}, ErrNotFinite, "feature 2 of point 1 is -Inf"},
	} {
		xs, ys := []Sparse{good, c.x}, []float64{1, -1}
		for name, err := range map[string]error{
			"Train":           errOf(Train(xs, ys, OnSparse(Linear{}), Options{})),
			"TrainClassifier": errOf(TrainClassifier(xs, ys, OnSparse(Linear{}), Options{})),
			"PegasosSparse":   errOf(PegasosSparse(xs, ys, SGD{})),
			"KernelPegasos":   errOf(KernelPegasos(xs, ys, OnSparse(Linear{}), SGD{})),
			"WriteSparse":     WriteSparse(io.Discard, xs, ys),
		} {
			refused(t, err, c.is, c.text, "%s: %s", c.name, name)
		}
		model := &Model[Sparse]{Func: Func[Sparse]{OnSparse(Linear{}), xs, ys}}
		check(t, WriteModel(io.Discard, model) != nil, "%s: WriteModel writes it", c.name)
	}
	refused(t, errOf(PegasosSparse([]Sparse{good, {[]int32{math.MaxInt32}, []float64{1}}}, []float64{1, -1}, SGD{})), nil, "2147483648", "PegasosSparse with index 2³¹−1")
}

// A precomputed matrix that has no row for some point is an error that says for which.
func TestPrecomputedErrors(t *testing.T) {
	for _, c := range []struct {
		k    *Matrix
		xs   []int
		want string
	}{
		{nil, []int{0, 1}, "the kernel's matrix is nil"},
		{NewMatrix(2, 2), []int{0, 5}, "point 1 is row 5 of a 2×2 matrix"},
		{NewMatrix(2, 2), []int{-1, 0}, "point 0 is row -1 of a 2×2 matrix"},
		{NewMatrix(2, 3), []int{0, 1}, "point 0 is row 0 of a 2×3 matrix"},
		{&Matrix{2, 2, []float64{1, 0}}, []int{0, 1}, "the kernel's 2×2 matrix has 2 entries"},
	} {
		refused(t, errOf(Train(c.xs, []float64{1, -1}, Precomputed{c.k}, Options{})), nil, c.want, "Train(%v)", c.xs)
		refused(t, errOf(TrainClassifier(c.xs, []string{"a", "b"}, Precomputed{c.k}, Options{})), nil, c.want,
			"TrainClassifier(%v)", c.xs)
	}
}

// B5: a kernel that is not positive semidefinite gives an error, or a model whose certificate is true.
func TestIndefiniteKernels(t *testing.T) {
	xs, ys := mdClouds(47, 40, 2, 1)
	for _, k := range []Kernel[[]float64]{Sigmoid{Gamma: 1, Coef: -1}, Sigmoid{Gamma: 0.1, Coef: 1}, Sigmoid{Gamma: 5, Coef: -3},
		KernelFunc[[]float64](func(x, z []float64) float64 { return -Dot(x, z) }), RBF{-0.5}} {
		for _, c := range []float64{0.1, 10, 1000} {
			m, err := Train(xs, ys, k, Options{C: c, MaxIter: 100_000})
			honest := errors.Is(err, ErrIndefinite) || errors.Is(err, ErrNotConverged) ||
				err == nil && m.KKT.Violation <= 1e-3 && !math.IsInf(m.KKT.Stationarity, 1)
			check(t, honest, "%+v, C = %v: error %v, model %+v, want ErrIndefinite, or a certificate", k, c, err, m)
		}
	}
	// Here ‖w‖² = −2, which no w has, though every condition on the signs of g is satisfied.
	minus := KernelFunc[int](func(i, j int) float64 {
		if i == j {
			return -1
		}
		return 0
	})
	m := &Model[int]{Func: Func[int]{minus, []int{0, 1}, []float64{1, -1}}, Alpha: []float64{1, 1}}
	k := Verify(m, []int{0, 1}, []float64{1, -1}, Options{})
	equal(t, k.Stationarity, math.Inf(1), "‖w‖² < 0: stationarity")
	equal(t, k.Violation, 0, "‖w‖² < 0: violation")
	// But ‖w‖² = 0 may come out below 0 by rounding.
	d := Dual{P: []float64{1, -1}, Lo: []float64{0, -1}, Hi: []float64{1, 0}}
	for _, size := range []float64{1, 1e6} { // Kβ = size·(1, 1 + below), β = (1, −1)
		for below, want := range map[float64]float64{1e-15: 0, 1e-9: math.Inf(1)} {
			a := answer{d, []float64{1, -1}, []float64{1 - size, -1 - size*(1+below)}, 0, 0}
			equal(t, a.certify().Stationarity, want, "‖w‖² = -%v·%v: stationarity", size, below)
		}
	}
	// One feature, which cannot tell the classes apart: w is 0 but for rounding.
	for seed := range uint64(20) {
		rng, one := rand.New(rand.NewPCG(seed, 0)), RBF{0.25}.FeatureMap(2, 0)
		flat, signs := labelled(50, func(int) ([]float64, float64) {
			x := []float64{2*rng.Float64() - 1, 2*rng.Float64() - 1}
			return one(x), sign(x[1] - x[0]*x[0] + 0.2)
		})
		must(Train(flat, signs, Linear{}, Options{Tol: 1e-9}))
	}
	refused(t, errOf(Train([]int{0, 1}, []float64{1, -1}, minus, Options{})), ErrIndefinite, "", "Train with k(x, x) = -1")
	// A constant added to k may make its diagonal negative. It changes nothing else, because Σβ = 0.
	for name, k := range map[string]Kernel[[]float64]{"x·z": Linear{}, "e^−‖x − z‖²": RBF{}, "1 − √(1 + ‖x − z‖²)": KernelFunc[[]float64](
		func(x, z []float64) float64 { return 1 - math.Sqrt(1+distance2(x, z)) })} {
		m := must(Train(xs, ys, k, Options{Tol: 1e-9}))
		less := Sum(k, KernelFunc[[]float64](func(x, z []float64) float64 { return -2 }))
		n, err := Train(xs, ys, less, Options{Tol: 1e-9})
		refused(t, err, ErrIndefinite, "", "%s − 2", name)
		about(t, n.KKT.Dual, m.KKT.Dual, 1e-6, "%s − 2: dual", name)
		aboutAll(t, n.DecisionAll(xs), m.DecisionAll(xs), 1e-6, "%s − 2: decisions", name)
	}
}

// Machines: options, and what a user may do wrong.

// The run begins at Start, made feasible. At the solution nothing is left to do; from elsewhere the run ends at the
// same solution. The dual values of two solutions within tol differ by at most tol·ΣCᵢ.
func TestStart(t *testing.T) {
	xs, ys := mdClouds(48, 80, 3, 1)
	o := Options{C: 2, Tol: 1e-6}
	want := must(Train(xs, ys, RBF{0.5}, o))
	for name, start := range map[string][]float64{
		"the solution": want.Alpha, "zeros": make([]float64, 80), "all too large": constant(80, 1e9), "negative": constant(80, -3),
		"one class": slices.Repeat([]float64{1, 0}, 40), "one point": append(make([]float64, 79), 5),
		"denormal": constant(80, 5e-324), "enormous": constant(80, math.MaxFloat64),
	} {
		o.Start = slices.Clone(start)
		got := must(Train(xs, ys, RBF{0.5}, o))
		v := Verify(got, xs, ys, o)
		agree(t, got.KKT.Dual, want.KKT.Dual, 160*1e-6, "start at %s: dual", name)
		check(t, v.Violation <= 1.01e-6 && v.DualFeasibility == 0, "start at %s: Verify reports\n%v", name, v)
		check(t, name != "the solution" || got.KKT.Iterations <= 2,
			"start at %s: %d steps, want hardly any", name, got.KKT.Iterations)
		check(t, slices.Equal(o.Start, start), "start at %s was changed", name)
	}
	// From here the gradient, 1 − 1.8e308 + 1.8e308, would seem to be 0, and the run to be at its end.
	drowned := Options{C: math.Inf(1), Start: []float64{0, math.MaxFloat64}}
	refused(t, errOf(Train([][]float64{{}, {}}, []float64{1, -1}, RBF{}, drowned)), ErrNotSeparable, "", "a start in which the gradient drowns")
	// Here Σβ drowns in the rounding of a large β, which the run makes small.
	line, sides := [][]float64{{0, 0}, {1, 1}, {2, 0}, {3, 1}}, []float64{-1, -1, 1, 1}
	for _, start := range [][]float64{{1e16, 1, 1, 1}, {1e10 / 3, 0.1, 1e10 / 7, 0.3}, {1e9 / 3, 0.7, 0.1, 1e9 / 7}} {
		m := must(Train(line, sides, Linear{}, Options{C: math.Inf(1), Start: start}))
		check(t, math.Abs(m.KKT.Gap) <= 1e-3 && m.KKT.Stationarity <= 1e-14, "start at %v:\n%v", start, m.KKT)
	}
	// Here a start is made feasible in steps that round, and yet no multiplier ends next to its bound.
	three, signs := [][]float64{{-2}, {2}, {1}}, []float64{-1, 1, -1}
	for _, start := range [][]float64{nil, {1, 0.6, 1}, {0.7, 0.1, 0.3}, {0, 0.9, 0.3}} {
		m := must(Train(three, signs, Linear{}, Options{Tol: 1e-6, Start: start}))
		equal(t, m.Alpha, []float64{0, 1, 1}, "start at %v: α", start)
		aboutAll(t, []float64{m.BLo, m.B, m.BHi}, []float64{-2, -1.5, -1}, 1e-14, "start at %v: b and its interval", start)
	}
	hard := Options{C: math.Inf(1), Start: constant(80, 1)}
	refused(t, errOf(Train(xs, ys, Linear{}, hard)), ErrNotSeparable, "", "hard margin with a start")
}

// Observe sees a dual that never falls, at least every 256 iterations, and may stop the run.
func TestObserve(t *testing.T) {
	xs, ys := mdClouds(49, 200, 2, 0.5)
	o := Options{C: 1e6, Tol: 1e-6}
	var seen []int
	last := math.Inf(-1)
	o.Observe = func(s *DualSolution) bool {
		seen = append(seen, s.Iterations)
		check(t, s.Objective >= last-1e-9*math.Abs(last), "the dual fell from %v to %v", last, s.Objective)
		last = s.Objective
		return true
	}
	m := must(Train(xs, ys, RBF{1}, o))
	for i, n := range append(seen, m.KKT.Iterations) {
		before := 0
		if i > 0 {
			before = seen[i-1]
		}
		check(t, n-before <= 256 && n >= before, "observed at iteration %d after %d, want it at least every 256", n, before)
	}
	// It is called sooner where rows are long: an Eval counts as 200 multiply-adds, and a step has two rows.
	values, before, most := 0, 0, 0
	dear := KernelFunc[[]float64](func(x, z []float64) float64 { values++; return RBF{1}.Eval(x, z) })
	ps, signs := mdClouds(49, 1000, 2, 0.5)
	must(Train(ps, signs, dear, Options{Workers: 1, Observe: func(*DualSolution) bool {
		most, before = max(most, values-before), values
		return true
	}}))
	check(t, most <= showCost/200+2*len(ps), "%d kernel values from one look to the next, want at most %d", most, showCost/200+2*len(ps))
	o.Observe = func(*DualSolution) bool { return true } // called by one run at a time
	must(TrainClassifier(xs, ys, RBF{1}, o))
	must(GridSearch(xs, ys, []Kernel[[]float64]{RBF{1}, RBF{2}}, []float64{1, 2}, o, 2, nil))
	for _, stopAt := range []int{0, 1, 2} {
		calls := 0
		o.Observe = func(*DualSolution) bool { calls++; return calls <= stopAt }
		m, err := Train(xs, ys, RBF{1}, o)
		refused(t, err, ErrNotConverged, "observer", "stopped in call %d", stopAt)
		equal(t, calls, stopAt+1, "calls when stopped in call %d", stopAt)
		o.Observe = nil
		k := Verify(m, xs, ys, o)
		check(t, m.KKT.Violation > o.Tol && mdNear(k.Violation, m.KKT.Violation, 1e-9) && mdNear(k.Gap, m.KKT.Gap, 1e-9) &&
			k.Gap >= 0,
			"stopped in call %d: certificate\n%vVerify\n%v", stopAt, m.KKT, k)
	}
}

// Data, kernels and options that make no sense are errors that say what and where. There is no model beside them.
func TestTrainErrors(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	xs, ys := [][]float64{{0, 1}, {2, 3}, {4, 5}, {6, 8}}, []float64{-1, -1, 1, 1}
	twice := pick(xs, []int{0, 1, 1, 3}) // a point with both labels
	broken := KernelFunc[[]float64](func(x, z []float64) float64 {
		if x[0]*z[0] == 8 { // points 1 and 2
			return nan
		}
		return Dot(x, z)
	})
	for _, c := range []struct {
		name string
		xs   [][]float64
		ys   []float64
		k    Kernel[[]float64]
		o    Options
		is   error
		text string
	}{
		{"no points", nil, nil, Linear{}, Options{}, nil, "no points"},
		{"lengths", xs, ys[:3], Linear{}, Options{}, nil, "4 points, but 3 labels"},
		{"no kernel", xs, ys, nil, Options{}, nil, "kernel is nil"},
		{"no polynomial", xs, ys, Polynomial{Degree: -1}, Options{}, nil, "a polynomial of degree -1"},
		{"no function", xs, ys, KernelFunc[[]float64](nil), Options{}, nil, "kernel is nil"},
		{"no summand", xs, ys, Sum[[]float64](Linear{}, nil), Options{}, nil, "kernel is nil"},
		{"no factor", xs, ys, Scale(2, Product[[]float64](nil)), Options{}, nil, "kernel is nil"},
		{"a factor that is no polynomial", xs, ys, Scale[[]float64](2, Polynomial{Degree: -2}), Options{}, nil, "a polynomial of degree -2"},
		{"nothing to normalize", xs, ys, Normalize[[]float64](nil), Options{}, nil, "kernel is nil"},
		{"nothing over", xs, ys, Over(nil, Dot), Options{}, nil, "kernel is nil"},
		{"over nothing", xs, ys, Over[[]float64](RBF{}, nil), Options{}, nil, "kernel is nil"},
		{"no polynomial over", xs, ys, Over(Polynomial{Degree: -3}, Dot), Options{}, nil, "a polynomial of degree -3"},
		{"nothing to pull back", xs, ys, Pullback(nil, Quadratic), Options{}, nil, "kernel is nil"},
		{"no function to pull back by", xs, ys, Pullback[[]float64](Linear{}, (func(x []float64) []float64)(nil)), Options{}, nil, "function of the kernel is nil"},
		{"one class", xs, []float64{1, 1, 1, 1}, Linear{}, Options{}, ErrOneClass, "label -1"},
		{"the other class", xs[:1], []float64{-1}, Linear{}, Options{}, ErrOneClass, "label +1"},
		{"label 0", xs, []float64{-1, 0, 1, 1}, Linear{}, Options{}, nil, "label 0 of point 1: want +1 or -1"},
		{"label NaN", xs, []float64{-1, 1, 1, nan}, Linear{}, Options{}, ErrNotFinite, "label NaN of point 3"},
		{"ragged", [][]float64{{0, 1}, {2, 3}, {4}, {6, 8}}, ys, Linear{}, Options{}, nil, "point 2 has 1"},
		{"point NaN", [][]float64{{0, 1}, {2, nan}, {4, 5}, {6, 8}}, ys, Linear{}, Options{}, ErrNotFinite, "1 of point 1 is NaN"},
		{"point Inf", [][]float64{{0, 1}, {2, 3}, {4, 5}, {-inf, 8}}, ys, RBF{}, Options{}, ErrNotFinite, "0 of point 3 is -Inf"},
		{"C NaN", xs, ys, Linear{}, Options{C: nan}, ErrNotFinite, "C is NaN"},
		{"C < 0", xs, ys, Linear{}, Options{C: -1}, nil, "C -1"},
		{"C -Inf", xs, ys, Linear{}, Options{C: -inf}, nil, "C -Inf"},
		{"Tol NaN", xs, ys, Linear{}, Options{Tol: nan}, ErrNotFinite, "Tol is NaN"},
		{"Tol Inf", xs, ys, Linear{}, Options{Tol: inf}, ErrNotFinite, "Tol is +Inf"},
		{"Tol < 0", xs, ys, Linear{}, Options{Tol: -1e-3}, nil, "Tol -0.001"},
		{"weights' length", xs, ys, Linear{}, Options{Weights: []float64{1, 1}}, nil, "4 points, but 2 weights"},
		{"start's length", xs, ys, Linear{}, Options{Start: []float64{1, 1}}, nil, "4 points, but a start with 2 multipliers"},
		{"start NaN", xs, ys, Linear{}, Options{Start: []float64{1, 1, nan, 1}}, ErrNotFinite, "start of point 2 is NaN"},
		{"start Inf", xs, ys, Linear{}, Options{Start: []float64{1, inf, 1, 1}}, ErrNotFinite, "start of point 1 is +Inf"},
		{"weight NaN", xs, ys, Linear{}, Options{Weights: []float64{1, 1, nan, 1}}, ErrNotFinite, "weight NaN of point 2"},
		{"weight Inf", xs, ys, Linear{}, Options{Weights: []float64{1, 1, inf, 1}}, ErrNotFinite, "weight +Inf of point 2"},
		{"weight < 0", xs, ys, Linear{}, Options{Weights: []float64{1, -2, 1, 1}}, nil, "weight -2 of point 1"},
		{"weight times C", xs, ys, Linear{}, Options{C: 1e300, Weights: []float64{1, 1, 1, 1e10}}, ErrNotFinite, "point 3"},
		{"weights remove a class", xs, ys, Linear{}, Options{Weights: []float64{1, 1, 0, 0}}, ErrOneClass, "label +1"},
		{"weights remove everything", xs, ys, Linear{}, Options{Weights: make([]float64, 4)}, ErrOneClass, "label"},
		{"kernel NaN", xs, ys, broken, Options{}, ErrNotFinite, "points 2 and 1"},
		{"kernel overflow", [][]float64{{1e200}, {-1e200}}, []float64{1, -1}, Linear{}, Options{}, ErrNotFinite, "point 0"},
		{"w overflow", [][]float64{{1e154}, {1e154}}, []float64{1, -1}, Linear{}, Options{C: 1e300}, ErrNotFinite, "w·x"},
		{"kernel parameter NaN", xs, ys, RBF{nan}, Options{}, ErrNotFinite, "point 0"},
		{"both labels, hard", twice, ys, Linear{}, Options{C: inf}, ErrNotSeparable, "hulls"},
		{"both labels, hard, Gaussian", twice, ys, RBF{}, Options{C: inf}, ErrNotSeparable, "hulls"},
		{"hulls cross", [][]float64{{0, 0}, {2, 2}, {0, 2}, {2, 0}}, ys, Linear{}, Options{C: inf}, ErrNotSeparable, "hulls"},
	} {
		m, err := Train(c.xs, c.ys, c.k, c.o)
		refused(t, err, c.is, c.text, "%s: Train", c.name)
		check(t, m == nil, "%s: Train = %v, want no model", c.name, m)
	}
}

// Nothing modifies the caller's slices.
func TestTrainModifiesNothing(t *testing.T) {
	xs, ys := mdClouds(48, 40, 3, 1)
	labels := mapped(ys, func(y float64) int { return int(y) })
	o := Options{C: 2, Weights: build(len(ys), func(i int) float64 { return float64(i % 3) })}
	before := fmt.Sprint(xs, ys, labels, o.Weights)
	m := must(Train(xs, ys, RBF{}, o))
	Verify(m, xs, ys, o)
	m.Slacks(xs, ys)
	must(TrainClassifier(xs, labels, RBF{}, o))
	must(CrossValidate(xs, labels, RBF{}, o, 4, nil))
	must(Standardise(xs)).Apply(xs)
	check(t, fmt.Sprint(xs, ys, labels, o.Weights) == before, "the caller's slices have changed")

	h := Hyperplane{append(make([]float64, 0, 9), 3, 4, 5), 1} // with room behind, which append would write to
	bags, points := mapped(xs, NewSparse), xs[:len(xs):len(xs)]
	f := Func[[]float64]{RBF{}, points, ys}
	z := []float64{1, 2, 0}
	kept := func() string { return fmt.Sprint(xs, ys, labels, h.W[:4], bags, f, z) }
	before = kept()
	for name, call := range map[string]func(){
		"Project":         func() { h.Project(z) },
		"Distance":        func() { h.Distance(z) },
		"Margin":          func() { h.Margin(xs, ys) },
		"NovikoffBound":   func() { NovikoffBound(h, xs, ys) },
		"TFIDF":           func() { TFIDF(xs)(z) },
		"TFIDFSparse":     func() { TFIDFSparse(bags)(bags[1]) },
		"Quadratic":       func() { Quadratic(z[:2]) },
		"FeatureMap":      func() { Polynomial{Coef: 1}.FeatureMap(3)(z) },
		"AllProducts":     func() { AllProducts{}.FeatureMap(z) },
		"Func.Eval":       func() { f.Eval(z) },
		"Func.Inner":      func() { f.Inner(f) },
		"Func.Project":    func() { must(f.Project(points[:5])) },
		"KernelRidge":     func() { must(KernelRidge(xs, ys, RBF{}, 1)) },
		"KernelPCAMap":    func() { must(KernelPCAMap(RBF{}, xs))(z) },
		"Pegasos":         func() { must(Pegasos(xs, ys, SGD{Steps: 9})) },
		"KernelPegasos":   func() { must(KernelPegasos(xs, ys, RBF{}, SGD{Steps: 9})) },
		"ScaleGamma":      func() { ScaleGamma(xs) },
		"TrainOneVsRest":  func() { must(TrainOneVsRest(xs, labels, RBF{}, Options{})) },
		"GridSearch":      func() { must(GridSearch(xs, labels, []Kernel[[]float64]{RBF{}}, []float64{1}, Options{}, 3, nil)) },
		"WriteLIBSVM":     func() { WriteLIBSVM(io.Discard, xs, ys) },
		"DecisionAll":     func() { m.DecisionAll(xs) },
		"Func.Add, Scale": func() { f.Add(f).Scale(2) },
		"Hyperplane":      func() { h.Scale(2); h.Canonical(xs, ys) },
	} {
		call()
		check(t, kept() == before, "%s has changed its arguments", name)
	}
}

// "Same input, same bits", whatever the number of workers.
func TestDeterminism(t *testing.T) {
	xs, ys := mdClouds(51, 150, 4, 1)
	zs, labels := mdClasses(51, 150, 4, 2)
	train := func(workers int) (*Model[[]float64], *Classifier[[]float64, string], float64) {
		o, k := Options{C: 10, Workers: workers}, RBF{0.5}
		return must(Train(xs, ys, k, o)), must(TrainClassifier(zs, labels, k, o)), must(CrossValidate(zs, labels, k, o, 5, nil))
	}
	m, c, a := train(1)
	for _, workers := range []int{2, 7} {
		n, d, b := train(workers)
		c.decider, d.decider = nil, nil // functions are never equal
		equal(t, n, m, "Train with %d workers", workers)
		equal(t, d, c, "TrainClassifier with %d workers", workers)
		equal(t, b, a, "CrossValidate with %d workers", workers)
	}
}

// The costs that the manual counts are as it says.
func TestCountedCosts(t *testing.T) {
	var calls atomic.Int64
	k := KernelFunc[[]float64](func(x, z []float64) float64 { calls.Add(1); return RBF{1}.Eval(x, z) })
	upper := Pullback(Substring{}, func(s string) string { calls.Add(1); return strings.ToUpper(s) })
	xs, ys := mdClouds(31, 60, 2, 3)
	m := must(Train(xs, ys, k, Options{}))
	nsv := len(m.Points)
	check(t, nsv < 60, "all points are support vectors: the test is void")
	c := must(TrainClassifier([][]float64{{0}, {1}, {3}}, []int{1, 2, 3}, k, Options{}))
	words := must(TrainClassifier([]string{"a", "b", "c"}, []int{1, 2, 3}, upper, Options{}))
	d := Dual{K: GramOf(k, xs), P: ys}
	two := make([]float64, 60)
	two[3], two[50] = 1, -1
	for _, c := range []struct {
		name string
		want int
		use  func()
	}{
		{"Func.Eval", nsv, func() { m.Eval(xs[0]) }},
		{"Model.Decision", nsv, func() { m.Decision(xs[0]) }},
		{"Verify", 2 * 60 * nsv, func() { Verify(m, xs, ys, Options{}) }},
		{"Classifier.Predict", 3, func() { c.Predict([]float64{2}) }},
		{"Classifier.Decisions", 3, func() { c.Decisions([]float64{2}) }},
		{"Dual.Gradient", 2 * 60, func() { d.Gradient(two) }},
		{"Dual.Objective", 2 * 60, func() { d.Objective(two) }},
		{"KernelPegasos", 60 * 60, func() { must(KernelPegasos(xs, ys, k, SGD{Lambda: 1, Steps: 20000})) }},
		{"an inner product under Over", 3, func() { Over(RBF{}, k.Eval).Eval(xs[0], xs[1]) }},
		{"f of a Pullback in DecisionAll", 2 + 3, func() {
			decisions(Func[string]{upper, []string{"a", "b"}, []float64{1, -1}}, []string{"ab", "aab", "b"}, 0)
		}},
		{"f of a Pullback in PredictAll", 3 + 4, func() { words.PredictAll([]string{"ab", "ac", "b", "ccc"}) }},
	} {
		calls.Store(0)
		c.use()
		equal(t, int(calls.Load()), c.want, "%s: evaluations", c.name)
	}
}

// Simultaneous runs on the same data, and simultaneous predictions of one model, do not disturb each other.
func TestConcurrency(t *testing.T) {
	xs, labels := mdClasses(52, 60, 3, 2)
	_, ys := mdClouds(52, 60, 2, 1)
	zs, k := sparseOf(xs, 3), RBF{1}
	train := func() *Classifier[[]float64, string] { return must(TrainClassifier(xs, labels, k, Options{})) }
	c, classes := train(), train().PredictAll(xs) // c has yet to prepare itself, when it first predicts
	m := must(Train(xs, ys, k, Options{C: 5}))
	sparse := must(Train(zs, ys, OnSparse(k), Options{C: 5}))
	f := m.DecisionAll(xs)
	parallel(6, 6, func(i int) {
		equal(t, c.PredictAll(xs), classes, "PredictAll beside others")
		equal(t, mapped(xs, c.Predict), classes, "Predict beside others")
		equal(t, m.DecisionAll(xs), f, "DecisionAll beside others")
		o := Options{C: 5, Workers: 1 + i}
		equal(t, must(Train(xs, ys, k, o)), m, "Train beside others")
		equal(t, must(Train(zs, ys, OnSparse(k), o)), sparse, "Train of sparse points beside others")
	})
}

// Traps in which other programs have been caught, but for those with a test of their own. For these see
// TestG1Differences (cancellation in ‖x‖² + ‖z‖² − 2x·z), TestB7Bias (b when no α is free), TestF7CrossValidate (a
// class missing in a fold), TestF6Ties, TestTrainErrors (labels 0 and 1), TestDeterminism, TestTrainModifiesNothing;
// and for files TestReadLIBSVM and TestReadLIBSVMErrors (CRLF, tabs, no last newline, labels only, exponents and
// hexadecimals, commas for points, indices from 0). Each model is verified from scratch.
func TestKnownTraps(t *testing.T) {
	xs, ys := mdClouds(60, 60, 2, 1)
	twice := slices.Concat(xs, xs)
	flipped := mapped(ys, func(y float64) float64 { return -y })
	scaled := mapped(xs, func(x []float64) []float64 { return []float64{x[0] * 1e5, x[1] * 1e-5} })
	heavy := mapped(ys, func(y float64) float64 { return 1 + 99*max(0, y) })
	for _, c := range []struct {
		name string // and what goes wrong elsewhere
		xs   [][]float64
		ys   []float64
		k    Kernel[[]float64]
		o    Options
	}{
		{"every point twice, with opposite labels: the best plane is w = 0", twice, slices.Concat(ys, flipped), RBF{1}, Options{}},
		{"every point twice: rows of K are equal and a curvature is 0, by which steps divide", twice, slices.Concat(ys, ys), Linear{}, Options{C: 10}},
		{"all points the same: no pair has any curvature", slices.Repeat([][]float64{{1, 2}}, 60), ys, RBF{1}, Options{}},
		{"all α at the bound: b is an average of nothing", xs, ys, Linear{}, Options{C: 1e-6}},
		{"C = 1e-6: α is far below an absolute tolerance", xs, ys, RBF{1}, Options{C: 1e-6}},
		{"C = 1e6: α differ by twelve orders of magnitude from those of 1e-6", xs, ys, RBF{1}, Options{C: 1e6}},
		{"C = 1e6, linear, not separable: millions of steps", xs, ys, Linear{}, Options{C: 1e6}},
		{"a tolerance of 1e-9, at which rows in float32 stall", xs, ys, RBF{0.01}, Options{C: 1e3, Tol: 1e-9}},
		{"far from the origin: w·x and b cancel", moved(xs, 1e4, -1e4), ys, Linear{}, Options{Tol: 1e-2}},
		{"features of unlike scales: ten orders of magnitude between the eigenvalues", scaled, ys, Linear{}, Options{}},
		{"the first label is −1: the sign of f is reversed", xs, flipped, RBF{1}, Options{}},
		{"weights: they go to the other class", xs, ys, Linear{}, Options{C: 0.1, Weights: heavy}},
		{"one point against many", xs[:31], append([]float64{1}, constant(30, -1)...), RBF{1}, Options{}},
		{"two points", xs[:2], ys[:2], RBF{1}, Options{}},
		{"no features", make([][]float64, 60), ys, Linear{}, Options{}},
		{"denormal features: their squares are 0", [][]float64{{5e-324}, {-5e-324}}, []float64{1, -1}, Linear{}, Options{}},
		{"large features: their squares overflow, not their distances times γ", [][]float64{{1e150}, {-1e150}}, []float64{1, -1}, RBF{1e-301}, Options{}},
	} {
		m := must(Train(c.xs, c.ys, c.k, c.o))
		v := Verify(m, c.xs, c.ys, c.o)
		scale := 1 + Dot(mapped(m.Coef, math.Abs), squaresOf(c.k, m.Points)) // of the terms of f, whose rounding Violation contains
		tol := cmp.Or(c.o.Tol, 1e-3) + 1e-13*scale
		check(t, v.Violation <= tol && v.DualFeasibility <= 0 && v.Gap >= -1e-9*(1+math.Abs(v.Primal)),
			"%s: want a violation of at most %v, got\n%v", c.name, tol, v)
		equal(t, must(Train(c.xs, c.ys, c.k, c.o)), m, "%s: the second run with the same options", c.name)
	}
}

// A panic of a kernel or an observer reaches the caller's goroutine, and no other goroutine is left behind.
func TestPanicsPassThrough(t *testing.T) {
	xs, labels := mdClasses(61, 80, 3, 1)
	ys := build(len(xs), func(i int) float64 { return float64(1 - i%2*2) })
	bad := KernelFunc[[]float64](func(x, z []float64) float64 {
		if x[0] == xs[70][0] || z[0] == xs[70][0] {
			panic("boom")
		}
		return Dot(x, z)
	})
	observe := Options{Workers: 3, C: 100, Observe: func(*DualSolution) bool { panic("boom") }}
	m := must(Train(xs[:60], ys[:60], Linear{}, Options{}))
	m.Kernel = bad
	before := runtime.NumGoroutine()
	for name, f := range map[string]func(){
		"Train, kernel":            func() { Train(xs, ys, bad, Options{Workers: 3}) },
		"Train, observer":          func() { Train(xs, ys, RBF{1}, observe) },
		"TrainClassifier, kernel":  func() { TrainClassifier(xs, labels, bad, Options{Workers: 3}) },
		"TrainClassifier observer": func() { TrainClassifier(xs, labels, RBF{1}, observe) },
		"CrossValidate, kernel":    func() { CrossValidate(xs, labels, bad, Options{Workers: 3}, 4, nil) },
		"CrossValidate, observer":  func() { CrossValidate(xs, labels, RBF{1}, observe, 4, nil) },
		"GridSearch, kernel":       func() { GridSearch(xs, labels, []Kernel[[]float64]{bad}, []float64{1, 10}, Options{}, 4, nil) },
		"KernelPegasos":            func() { KernelPegasos(xs, ys, bad, SGD{}) },
		"KernelPerceptron":         func() { KernelPerceptron(xs, ys, bad, 10) },
		"KernelRidge":              func() { KernelRidge(xs, ys, bad, 1) },
		"GramMatrix":               func() { GramMatrix(bad, xs) },
		"DecisionAll":              func() { m.DecisionAll(xs) },
		"Verify":                   func() { Verify(m, xs[:60], ys[:60], Options{Workers: 3}); m.Decision(xs[70]) },
	} {
		got := panics(f)
		check(t, strings.Contains(got, "boom"), "%s: panic %q, want the kernel's own", name, got)
	}
	left(t, before)
}

// A classifier without machines panics and says so, be it the zero value or what remains of one in JSON.
func TestZeroClassifier(t *testing.T) {
	type classifier = Classifier[[]float64, float64]
	c, decoded := must(TrainClassifier([][]float64{{0}, {1}}, []float64{1, 2}, RBF{}, Options{})), new(classifier)
	must(0, json.Unmarshal(must(json.Marshal(c)), decoded))
	for name, c := range map[string]*classifier{"zero": {}, "from JSON": decoded, "zero, widened": WidenClassifier(new(classifier), 2)} {
		for _, f := range []func(){func() { c.Predict([]float64{0}) }, func() { c.PredictAll(nil) }, func() { c.Decisions([]float64{0}) }} {
			equal(t, panics(f), "svm: Classifier: neither trained nor read by ReadClassifier", "%s", name)
		}
	}
}

// hostile decodes bytes, followed by zeros, into data and a kernel: few points of few coordinates, ordinary numbers,
// 1e300, denormals, −0 and, rarely, NaN and infinities; indefinite kernels, and some that are NaN, asymmetric or panic
// somewhere.
func hostile(data []byte) (xs [][]float64, ys []float64, k Kernel[[]float64], o Options) {
	next := bytesOf(data)
	value := func() float64 {
		b := next()
		if b >= 250 {
			return []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, -math.MaxFloat64, 1}[b-250]
		}
		return []float64{0, 1, -1, 2, 0.5, -3, 1, math.Copysign(0, -1),
			5e-324, 1e300, -1e300, 1e-300, 1e154, -1e8, 1e8 + 1, 1e-8}[b%16]
	}
	n, d := next()%12, next()%4
	k = []Kernel[[]float64]{Linear{}, RBF{}, Polynomial{}, Cosine{}, Sigmoid{Coef: -1}, AllProducts{},
		RBF{1e300}, RBF{-1}, RBF{5e-324},
		Polynomial{Degree: 7, Gamma: -1, Coef: -2}, Polynomial{Degree: 2, Gamma: 1e300}, Sum[[]float64](RBF{}, Linear{}),
		KernelFunc[[]float64](func(x, z []float64) float64 { return Dot(x, z) / Dot(z, x) }),
		KernelFunc[[]float64](func(x, z []float64) float64 { return norm2(x) - 2*norm2(z) }),
		KernelFunc[[]float64](func(x, z []float64) float64 { return math.Inf(1) }),
		KernelFunc[[]float64](func(x, z []float64) float64 {
			if len(x) > 0 && x[0] == 2 {
				panic("boom")
			}
			return Dot(x, z)
		}),
	}[next()%16]
	o = Options{MaxIter: 3000, C: []float64{0, 1, 1e-3, 1e6, math.Inf(1), 5e-324, 1e300, 100, math.NaN(), -1}[next()%10],
		Tol: []float64{0, 1e-6, 1e300, 5e-324}[next()%4]}
	values := func(n int) []float64 { return build(n, func(int) float64 { return value() }) }
	switch next() % 5 {
	case 0:
		o.Weights = mapped(values(n), math.Abs)
	case 1:
		o.Start = values(n)
	}
	for i := range n {
		xs, ys = append(xs, values(d+next()%65/64)), append(ys, float64(1-i%2*2))
		if b := next(); b > 128 {
			ys[i] = float64(1 - b%2*2)
		}
	}
	return xs, ys, k, o
}

// boom runs f and recovers the panics of hostile kernels, but no others.
func boom(t *testing.T, f func()) {
	defer func() {
		if r := recover(); r != nil && !strings.Contains(fmt.Sprint(r), "boom") {
			panic(r)
		}
	}()
	f()
}

// whole checks that an error is one of the package's, or, without an error, that all numbers are finite.
func whole(t *testing.T, name string, err error, numbers ...float64) {
	t.Helper()
	check(t, err == nil || strings.HasPrefix(err.Error(), "svm: "), "%s: error %q", name, err)
	check(t, err != nil || nonFinite(numbers) < 0, "%s: %v, and there is no error", name, numbers)
}

// Whatever the points, the labels, the kernel and the options, Train ends with an error, or with a feasible point of
// finite numbers and a true certificate. The data stay as they were, and sparse points make no difference.
func FuzzTrain(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{6, 2, 1, 1, 0, 4, 0, 1, 2, 0, 3, 4, 1, 1, 1, 0, 5, 6, 2, 0, 3, 1, 2, 0, 4, 4, 1, 1})
	f.Add([]byte{11, 1, 0, 4, 1, 4, 0, 9, 0, 10, 0, 8, 0, 8, 0, 7, 0, 0, 0, 253, 0, 254, 0, 11, 0, 12})
	f.Add([]byte{4, 3, 15, 0, 0, 1, 0, 3, 3, 3, 0, 1, 1, 1, 0, 9, 9, 9, 0, 0, 0, 0, 0, 3, 1, 2})
	f.Add([]byte("201\"080\xfd"))                 // a start in which the gradient drowns
	f.Add([]byte("21&8280,010"))                  // one whose objective overflows
	f.Add([]byte("8018280009090."))               // one where ‖w‖² does
	f.Add([]byte("9712700100000//0001000020009")) // one ‖x‖² does
	f.Add([]byte("7718000100000//00000009"))      // the last digits of K decide whether the objective does
	f.Add([]byte("2108000,00,"))                  // w overflows
	f.Add([]byte("a kernel, some points, and whatever these letters may mean"))
	f.Fuzz(func(t *testing.T, data []byte) {
		xs, ys, k, o := hostile(data)
		before := fmt.Sprint(xs, ys, o.Weights, o.Start)
		var m *Model[[]float64]
		var err error
		boom(t, func() {
			m, err = Train(xs, ys, k, o)
			whole(t, "Train", err)
			check(t, m != nil || err != nil, "Train: neither a model nor an error")
			if m == nil {
				return
			}
			check(t, hasSolution(err) || err == nil, "Train: a model with the error %v", err)
			whole(t, "Train", nil, append(slices.Concat(m.Alpha, m.Coef), m.B)...)
			for i, a := range m.Alpha {
				check(t, a >= 0 && a <= o.price(i), "alpha[%d] = %v, want 0 to %v", i, a, o.price(i))
			}
			if err == nil {
				whole(t, "certificate", nil, m.KKT.Dual, m.KKT.Stationarity, m.KKT.DualFeasibility)
				worst := max(m.KKT.DualFeasibility, m.KKT.Stationarity)
				check(t, worst <= 1e-9*(1+norm1(m.Alpha)), "converged, but infeasible:\n%v", m.KKT)
			}
			check(t, len(m.DecisionAll(xs)) == len(xs), "DecisionAll returns another number of decisions")
		})
		equal(t, fmt.Sprint(xs, ys, o.Weights, o.Start), before, "the data after Train")
		dot, ok := k.(DotKernel)
		if !ok || checkPoints(xs) != nil {
			return
		}
		s, err2 := Train(sparseOf(xs, 1), ys, OnSparse(dot), o)
		if m == nil && s == nil {
			return
		}
		lo, hi, _ := o.boxes(ys)
		_, slow := newRecipe(k, xs).within(o.rowTol(), total(hi)-total(lo)).open().(*evalRows[[]float64])
		if slow || slices.ContainsFunc(xs, func(x []float64) bool { return !finite(norm2(x)) }) {
			return // there are values by Eval, which adds up the coordinates of a dense point in another order
		}
		check(t, m != nil && s != nil && (err == nil) == (err2 == nil), "sparse: %v, %v, dense: %v, %v", s, err2, m, err)
		if m != nil && s != nil {
			equal(t, s.Alpha, m.Alpha, "sparse: alpha")
		}
	})
}

// The same for every other function that takes points from the caller.
func FuzzEntries(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{6, 2, 1, 1, 0, 4, 0, 1, 2, 0, 3, 4, 1, 1, 1, 0, 5, 6, 2, 0, 3, 1, 2, 0, 4, 4, 1, 1})
	f.Add([]byte{11, 1, 0, 1, 1, 4, 0, 9, 0, 10, 0, 8, 0, 8, 0, 7, 0, 0, 0, 253, 0, 254, 0, 11, 0, 12})
	f.Add([]byte("21000000008"))                // a scale that is 1/5e-324
	f.Add([]byte("81-808000000000100000000.0")) // a warm start where the dual of an indefinite matrix overflows
	f.Add([]byte("a kernel, some points, and whatever these letters may mean"))
	f.Fuzz(func(t *testing.T, data []byte) {
		xs, ys, k, o := hostile(data)
		before := fmt.Sprint(xs, ys)
		o.Start = nil
		labels, ints, texts := make([]string, len(xs)), make([]int, len(xs)), make([]string, len(xs))
		for i, y := range ys {
			ints[i] = i % 3
			labels[i] = strings.Repeat("a", ints[i])
			texts[i] = fmt.Sprint(xs[i], y)[:min(len(xs[i]), 2)]
		}
		sgd := SGD{Steps: 50, Lambda: o.C, Burn: len(xs), FreeBias: len(xs)%2 > 0}
		plane := func(name string, h Hyperplane, err error) { whole(t, name, err, append(h.W, h.B)...) }
		for _, call := range []func(){
			func() { h, err := Pegasos(xs, ys, sgd); plane("Pegasos", h, err) },
			func() { h, err := BatchSubgradient(xs, ys, sgd); plane("BatchSubgradient", h, err) },
			func() { h, err := PegasosSparse(sparseOf(xs, 7), ys, sgd); plane("PegasosSparse", h, err) },
			func() { f, err := KernelPegasos(xs, ys, k, SGD{Steps: 50}); whole(t, "KernelPegasos", err, f.Coef...) },
			func() {
				h, alpha, err := Perceptron(xs, ys, 10)
				plane("Perceptron", h, err)
				whole(t, "Perceptron", nil, alpha...)
			},
			func() { _, alpha, err := KernelPerceptron(xs, ys, k, 10); whole(t, "KernelPerceptron", err, alpha...) },
			func() {
				m, err := TrainSoftmax(xs, ints, 3, sgd)
				if err == nil {
					whole(t, "TrainSoftmax", err, append(m.B, m.W.Data...)...)
				}
			},
			func() { f, err := KernelRidge(xs, ys, k, o.C); whole(t, "KernelRidge", err, f.Coef...) },
			func() { w, err := Ridge(xs, ys, o.C); whole(t, "Ridge", err, w...) },
			func() { w, err := LeastSquares(xs, ys, o.C, 20); whole(t, "LeastSquares", err, w...) },
			func() {
				f, err := KernelLeastSquares(xs, ys, k, o.C, 20)
				whole(t, "KernelLeastSquares", err, f.Coef...)
			},
			func() { a, err := CrossValidate(xs, labels, k, o, 3, nil); whole(t, "CrossValidate", err, a) },
			func() {
				c, err := GridSearch(xs, labels, []Kernel[[]float64]{k, RBF{}}, []float64{o.C, 1, 1, 10}, o, 2, nil)
				whole(t, "GridSearch", err)
				if err == nil {
					whole(t, "GridSearch", nil, append(slices.Concat(c.Table...), c.Accuracy)...)
				}
			},
			func() {
				c, err := TrainOneVsRest(xs, labels, k, o)
				whole(t, "TrainOneVsRest", err)
				if c != nil {
					c.PredictAll(xs)
				}
			},
			func() { s, err := MinMax(xs); whole(t, "MinMax", err, append(s.Factor, s.Shift...)...) },
			func() { s, err := Standardise(xs); whole(t, "Standardise", err, append(s.Factor, s.Shift...)...) },
			func() { g := ScaleGamma(xs); check(t, g > 0 && g <= math.MaxFloat64, "ScaleGamma = %v", g) },
			func() {
				m, err := Train(texts, ys, Normalize(Substring{Decay: 0.5}), Options{C: o.C, MaxIter: 1000})
				whole(t, "Train on strings", err)
				if err == nil {
					whole(t, "Train on strings", nil, m.DecisionAll(append(texts, "", "aa"))...)
				}
			},
			func() { whole(t, "WriteLIBSVM", WriteLIBSVM(io.Discard, xs, ys)) },
			func() { whole(t, "WriteSparse", WriteSparse(io.Discard, sparseOf(xs, 3), ys)) },
			func() {
				if checkPoints(xs) == nil { // else it panics, and says so
					GramMatrix(k, xs)
				}
			},
		} {
			boom(t, call)
		}
		equal(t, fmt.Sprint(xs, ys), before, "the data afterwards")
	})
}

// Many classes, and the choice of C.

// F6: "Multiclass SVM: one-vs-one and one-vs-rest, ties broken the same way every time."
func TestF6OneVsOne(t *testing.T) {
	xs, labels := mdClasses(60, 120, 5, 2)
	o := Options{C: 2}
	o.Weights = build(len(xs), func(i int) float64 { return 0.5 + float64(i%3) })
	c := must(TrainClassifier(xs, labels, RBF{0.5}, o))
	equal(t, c.Labels, []string{"a", "b", "c", "d", "e"}, "Labels")
	// Every machine is Train's, on the points of its two classes with their weights, +1 for the greater label.
	models := c.Models()
	next := 0
	for a := range c.Labels {
		for b := a + 1; b < len(c.Labels); b++ {
			y := map[string]float64{c.Labels[a]: -1, c.Labels[b]: 1}
			at, po := where(labels, func(l string) bool { return y[l] != 0 }), o
			px, py := pick(xs, at), mapped(pick(labels, at), func(l string) float64 { return y[l] })
			po.Weights = pick(o.Weights, at)
			check(t, reflect.DeepEqual(models[next], must(Train(px, py, RBF{0.5}, po))),
				"machine %d is not that of %s and %s", next, c.Labels[a], c.Labels[b])
			next++
		}
	}
	check(t, next == len(models), "%d machines, want %d", len(models), next)
	// Votes, counted by the models' own decisions.
	others, _ := mdClasses(61, 300, 5, 2)
	all := c.PredictAll(others)
	for i, x := range others {
		aboutAll(t, c.Decisions(x), mapped(models, func(m *Model[[]float64]) float64 { return m.Decision(x) }), 1e-12,
			"Decisions(%v)", x)
		votes := make([]int, 5)
		next := 0
		for a := range votes {
			for b := a + 1; b < 5; b++ {
				if models[next].Predict(x) > 0 {
					votes[b]++
				} else {
					votes[a]++
				}
				next++
			}
		}
		want := c.Labels[slices.Index(votes, slices.Max(votes))]
		equal(t, c.Predict(x), want, "Predict(%v) == by votes %v", x, votes)
		equal(t, all[i], want, "PredictAll of %v == by votes %v", x, votes)
	}
	check(t, len(c.points) <= len(xs), "%d support vectors for %d points: some are listed twice", len(c.points), len(xs))
}

// F6: one-vs-rest trains each class against all others, and predicts the one of the greatest value.
func TestF6OneVsRest(t *testing.T) {
	xs, labels := mdClasses(62, 120, 4, 2)
	c := must(TrainOneVsRest(xs, labels, RBF{0.5}, Options{}))
	models := c.Models()
	equal(t, len(models), 4, "machines for 4 classes")
	for l, m := range models {
		ys := mapped(labels, func(label string) float64 { return map[bool]float64{true: 1, false: -1}[label == c.Labels[l]] })
		check(t, reflect.DeepEqual(m, must(Train(xs, ys, RBF{0.5}, Options{}))),
			"machine %d is not that of %s against the others", l, c.Labels[l])
	}
	for _, x := range xs {
		f := mapped(models, func(m *Model[[]float64]) float64 { return m.Decision(x) })
		equal(t, c.Predict(x), c.Labels[slices.Index(f, slices.Max(f))], "Predict(%v) == by values %v", x, f)
	}
}

// Linear machines predict by planes what they would by kernel values. Points far from the origin are classified as the
// same points near it: by classifiers, in cross-validation, and in a search, by a centred Gram matrix (G4).
func TestF6Planes(t *testing.T) {
	xs, labels := mdClasses(62, 150, 3, 2)
	near := grid(xs)
	far := moved(near, 1<<30, -1<<30)
	for name, train := range trainers[string]() {
		c, d := must(train(near, labels, Linear{}, Options{})), must(train(far, labels, Linear{}, Options{}))
		check(t, c.planes() != nil && d.planes() != nil, "%s: no planes", name)
		slow := must(train(near, labels, KernelFunc[[]float64](Dot), Options{}))
		check(t, slow.planes() == nil, "%s: planes of an opaque kernel", name)
		equal(t, c.PredictAll(near), slow.PredictAll(near), "%s: classes by planes == by kernel values", name)
		equal(t, d.PredictAll(far), c.PredictAll(near), "%s: classes far from the origin == near it", name)
	}
	want := must(CrossValidate(near, labels, Linear{}, Options{}, 5, nil))
	equal(t, must(CrossValidate(far, labels, Linear{}, Options{}, 5, nil)), want,
		"cross-validation far from the origin == near it")
	kernels, cs := []Kernel[[]float64]{Linear{}}, []float64{0.1, 1}
	a := must(GridSearch(near, labels, kernels, cs, Options{}, 5, nil))
	b := must(GridSearch(far, labels, kernels, cs, Options{}, 5, nil))
	equal(t, b.Table, a.Table, "search far from the origin == near it")
	check(t, slices.Contains(a.Table[0], want), "search finds %v, without %v", a.Table, want)
}

// Far from the origin kernel values are too coarse: planes decide, even where they are longer than the support vectors.
func TestF6PlanesFar(t *testing.T) {
	rng := rand.New(rand.NewPCG(65, 66))
	xs, labels := labelled(300, func(i int) ([]float64, int) {
		return []float64{float64(i%10%4)*8 + rng.Float64(), float64(i%10/4)*8 + rng.Float64()}, i % 10
	})
	near := grid(xs)
	far := moved(near, 1<<30, -1<<30)
	c, d := must(TrainClassifier(near, labels, Linear{}, Options{})), must(TrainClassifier(far, labels, Linear{}, Options{}))
	check(t, c.planes() == nil && d.planes() != nil, "planes near %v, far %v", c.planes() != nil, d.planes() != nil)
	equal(t, c.PredictAll(near), labels, "near the origin")
	equal(t, d.PredictAll(far), labels, "far from it")
}

// F6: ties go to the smallest label. These machines have no support vectors: their values are their biases.
func TestF6Ties(t *testing.T) {
	constant := func(machines []machine[[]float64], b ...float64) *Classifier[[]float64, string] {
		c := &Classifier[[]float64, string]{Labels: []string{"a", "b", "c", "d"}, kernel: Linear{}, machines: machines}
		for t := range machines {
			machines[t].model = &Model[[]float64]{B: b[t]}
		}
		c.decider = sync.OnceValues(c.prepare)
		return c
	}
	pairs, rests := pairs[[]float64], rests[[]float64]
	for _, c := range []struct {
		name string
		c    *Classifier[[]float64, string]
		want string
	}{
		// ab, ac, ad, bc, bd, cd
		{"a wins", constant(pairs(4), -1, -1, -1, -1, -1, -1), "a"},
		{"d wins", constant(pairs(4), 1, 1, 1, 1, 1, 1), "d"},
		{"0 is for the greater label", constant(pairs(4), 0, 0, 0, 0, 0, 0), "d"},
		{"a, b, c twice each", constant(pairs(4), 1, -1, -1, 1, -1, -1), "a"},
		{"b, c, d twice each", constant(pairs(4), 1, 1, 1, -1, 1, -1), "b"},
		{"c beats a, but d has more", constant(pairs(4), -1, 1, 1, 1, 1, 1), "d"},
		{"NaN is for the greater label", constant(pairs(4), math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN()), "d"},
		{"rest: greatest", constant(rests(4), -3, -1, -2, -4), "b"},
		{"rest: equal", constant(rests(4), -3, -1, -2, -1), "b"},
		{"rest: all equal", constant(rests(4), 0, 0, 0, 0), "a"},
		{"rest: NaN is less than any number", constant(rests(4), math.NaN(), -5, math.Inf(-1), -7), "b"},
		{"rest: not a number", constant(rests(4), math.NaN(), math.NaN(), math.NaN(), math.NaN()), "a"},
	} {
		x := []float64{1}
		equal(t, c.c.Predict(x), c.want, "%s: Predict", c.name)
		equal(t, c.c.PredictAll([][]float64{x}), []string{c.want}, "%s: PredictAll", c.name)
	}
}

// F6: with the labels −1 and +1 both kinds of classifier decide as Train's model does.
func TestF6TwoClasses(t *testing.T) {
	xs, ys := mdClouds(63, 80, 2, 1)
	m := must(Train(xs, ys, RBF{1}, Options{}))
	c := must(TrainClassifier(xs, ys, RBF{1}, Options{}))
	check(t, reflect.DeepEqual(c.Models(), []*Model[[]float64]{m}), "the machine of two classes is not Train's")
	tight := must(TrainOneVsRest(xs, ys, RBF{1}, mdTight(1)))
	exact := must(Train(xs, ys, RBF{1}, mdTight(1)))
	for _, x := range xs {
		equal(t, c.Predict(x), m.Predict(x), "Predict(%v) == by Train's model", x)
		f := exact.Decision(x)
		check(t, math.Abs(f) <= 1e-6 || tight.Predict(x) == sign(f),
			"one-vs-rest: Predict(%v) = %v, Train's model has value %v", x, tight.Predict(x), f)
	}
}

// F6: a class whose points have weight 0 does not count: both kinds of classifier are those of the other classes.
func TestF6ClassWithoutWeight(t *testing.T) {
	xs, labels := mdClasses(75, 60, 4, 1.5)
	kept := where(labels, func(l string) bool { return l != labels[0] })
	w := make([]float64, 60)
	for _, i := range kept {
		w[i] = float64(1 + i%3)
	}
	for name, train := range trainers[string]() {
		got := must(train(xs, labels, RBF{0.5}, Options{Weights: w, Tol: 1e-6}))
		want := must(train(pick(xs, kept), pick(labels, kept), RBF{0.5}, Options{Weights: pick(w, kept), Tol: 1e-6}))
		equal(t, got.Labels, want.Labels, "%s: labels", name)
		multipliers := len(xs)
		if name == "one-vs-one" {
			multipliers = len(want.Models()[0].Alpha)
		}
		equal(t, len(got.Models()[0].Alpha), multipliers, "%s: multipliers of the first machine", name)
		for _, x := range xs {
			agreeAll(t, got.Decisions(x), want.Decisions(x), 1e-4, "%s: decisions at %v", name, x)
		}
	}
}

// Both kinds of classifier refuse problems that make no sense, and say which classes or points are at fault.
func TestClassifierErrors(t *testing.T) {
	nan := math.NaN()
	xs := [][]float64{{0}, {1}, {2}, {3}, {4}, {5}}
	for _, c := range []struct {
		name   string
		xs     [][]float64
		labels []float64
		o      Options
		is     error
		text   string
	}{
		{"no points", nil, nil, Options{}, nil, "no points"},
		{"lengths", xs, []float64{1, 2}, Options{}, nil, "6 points, but 2 labels"},
		{"one class", xs, []float64{7, 7, 7, 7, 7, 7}, Options{}, ErrOneClass, "label 7"},
		{"label NaN", xs, []float64{1, 2, 3, 1, nan, 3}, Options{}, ErrNotFinite, "label of point 4 is NaN"},
		{"ragged", [][]float64{{0}, {1, 2}}, []float64{1, 2}, Options{}, nil, "point 1"},
		{"weights", xs, []float64{1, 1, 2, 2, 3, 3}, Options{Weights: []float64{0, 0, 1, 1, 0, 0}}, ErrOneClass, "label 2"},
		{"no weight", xs, []float64{1, 1, 2, 2, 3, 3}, Options{Weights: make([]float64, 6)}, ErrOneClass, "every point has weight 0"},
		{"hulls", xs, []float64{1, 2, 1, 2, 3, 3}, Options{C: math.Inf(1)}, ErrNotSeparable, "(among the points of classes 1 and 2)"},
		{"C", xs, []float64{1, 2, 1, 2, 3, 3}, Options{C: -3}, nil, "C -3"},
		{"start", xs, []float64{1, 2, 1, 2, 3, 3}, Options{Start: make([]float64, 6)}, nil, "Start is for Train"},
	} {
		for kind, train := range trainers[float64]() {
			text := c.text
			if kind == "one-vs-rest" && strings.HasPrefix(text, "(") {
				text = "against the others)"
			}
			got, err := train(c.xs, c.labels, Linear{}, c.o)
			refused(t, err, c.is, text, "%s: %s", kind, c.name)
			check(t, got == nil, "%s: %s: %v, want no classifier", kind, c.name, got)
		}
	}
	// Where every machine has a model there is a classifier, beside the error. The observer is never called by two
	// goroutines at once; when it returns false, all runs end.
	zs, labels := mdClasses(64, 90, 3, 1)
	calls, inside := 0, false
	o := Options{C: 100, Tol: 1e-9, Workers: 3, Observe: func(*DualSolution) bool {
		check(t, !inside, "two calls of Observe at once")
		inside = true
		calls++
		inside = false
		return false
	}}
	c, err := TrainClassifier(zs, labels, RBF{3}, o)
	check(t, errors.Is(err, ErrNotConverged) && c != nil && len(c.Models()) == 3 && calls == 1,
		"stopped: %v, %v after %d calls, want a classifier of 3 machines, ErrNotConverged, 1 call", c, err, calls)
	calls = 0
	accuracy, err := CrossValidate(zs, labels, RBF{3}, o, 3, nil)
	check(t, errors.Is(err, ErrNotConverged) && math.IsNaN(accuracy) && calls == 1,
		"stopped folds: %v, %v after %d calls, want NaN, ErrNotConverged, 1 call", accuracy, err, calls)
	predicted, err := CrossPredict(zs, labels, RBF{3}, o, 3, nil)
	check(t, errors.Is(err, ErrNotConverged) && predicted == nil, "stopped folds: %v, %v, want no predictions", predicted, err)
	calls = 0
	best, err := GridSearch(zs, labels, []Kernel[[]float64]{RBF{3}, RBF{1}, Linear{}}, []float64{1, 100}, o, 3, nil)
	check(t, errors.Is(err, ErrNotConverged) && best == nil && calls == 1,
		"stopped search: %v, %v after %d calls, want no choice, ErrNotConverged, 1 call", best, err, calls)
	evals := 0
	counted := KernelFunc[[]float64](func(x, z []float64) float64 { evals++; return RBF{1}.Eval(x, z) })
	o.Workers = 1
	GridSearch(zs, labels, []Kernel[[]float64]{RBF{3}, counted}, []float64{1}, o, 3, nil)
	equal(t, evals, 0, "kernel values of a search that was stopped")
	dropped := Options{Weights: []float64{1, 1, 0}}
	err = errOf(TrainClassifier([][]float64{{0}, {1}, {2}}, []float64{1, 2, math.NaN()}, Linear{}, dropped))
	refused(t, err, ErrNotFinite, "label of point 2 is NaN", "a label NaN of weight 0")
}

// F7: "Choosing C (and γ) by k-fold cross-validation, stratified, reproducible."
func TestF7Folds(t *testing.T) {
	for _, c := range []struct {
		sizes []int // of the classes
		folds int
	}{
		{[]int{10, 10}, 5}, {[]int{7, 3, 12}, 4}, {[]int{1, 9}, 3}, {[]int{2, 2, 2}, 6}, {[]int{5, 1, 1, 1}, 2}, {[]int{3, 4}, 7},
	} {
		var labels []int
		for l, n := range c.sizes {
			labels = append(labels, slices.Repeat([]int{l}, n)...)
		}
		rand.New(rand.NewPCG(1, 70)).Shuffle(len(labels), func(i, j int) { labels[i], labels[j] = labels[j], labels[i] })
		fold := deal(labels, c.folds, rand.New(rand.NewPCG(2, 70)))
		equal(t, deal(labels, c.folds, rand.New(rand.NewPCG(2, 70))), fold, "%v: folds by the same generator", c)
		equal(t, deal(labels, c.folds, nil), deal(labels, c.folds, nil), "%v: folds without a generator", c)
		sizes, shares := make([]int, c.folds), build(len(c.sizes), func(int) []int { return make([]int, c.folds) })
		for i, f := range fold {
			sizes[f]++
			shares[labels[i]][f]++
		}
		for _, s := range append(shares, sizes) {
			check(t, slices.Max(s)-slices.Min(s) <= 1, "%v: shares %v of the folds differ by more than one", c, s)
		}
		for l, s := range shares {
			check(t, c.sizes[l] == 1 || slices.Max(s) < c.sizes[l], "%v: all of class %d is in one fold", c, l)
		}
	}
	labels := make([]int, 100)
	check(t, !slices.Equal(deal(labels, 5, rand.New(rand.NewPCG(1, 1))), deal(labels, 5, rand.New(rand.NewPCG(1, 2)))),
		"another generator gave the same folds")
}

// F7: the accuracy is the share of points that are predicted rightly by classifiers trained on the other folds.
func TestF7CrossValidate(t *testing.T) {
	xs, labels := mdClasses(71, 90, 3, 1.5)
	o := Options{C: 3}
	o.Weights = build(len(xs), func(i int) float64 { return 1 + float64(i%2) })
	for _, folds := range []int{2, 5, 90} {
		got := must(CrossValidate(xs, labels, RBF{1}, o, folds, rand.New(rand.NewPCG(3, 71))))
		predicted := must(CrossPredict(xs, labels, RBF{1}, o, folds, rand.New(rand.NewPCG(3, 71))))
		fold := deal(labels, folds, rand.New(rand.NewPCG(3, 71)))
		right := 0
		for f := range folds {
			in, out, po := where(fold, func(g int) bool { return g != f }), where(fold, func(g int) bool { return g == f }), o
			po.Weights = pick(o.Weights, in)
			c := must(TrainClassifier(pick(xs, in), pick(labels, in), RBF{1}, po))
			right += tourHits(c.PredictAll(pick(xs, out)), pick(labels, out))
			equal(t, pick(predicted, out), c.PredictAll(pick(xs, out)), "%d folds: predictions of fold %d", folds, f)
		}
		equal(t, got, float64(right)/90, "%d folds: accuracy", folds)
	}
	// A class of one point is never there to be predicted: five of six right, with two classes or with three.
	line := [][]float64{{0}, {0.1}, {0.2}, {5}, {5.1}, {9}}
	for _, labels := range [][]string{{"a", "a", "a", "a", "a", "b"}, {"a", "a", "a", "b", "b", "c"}} {
		equal(t, must(CrossValidate(line, labels, Linear{}, Options{C: 100}, 6, nil)), 5.0/6, "labels %v: accuracy", labels)
	}
	for _, c := range []struct {
		name   string
		labels []string
		folds  int
		o      Options
		is     error
		text   string
	}{
		{"one fold", labels, 1, Options{}, nil, "1 folds"},
		{"more folds than points", labels, 91, Options{}, nil, "91 folds of 90 points"},
		{"no folds", labels, 0, Options{}, nil, "0 folds"},
		{"one class", slices.Repeat([]string{"a"}, 90), 5, Options{}, ErrOneClass, "label a"},
		{"labels", labels[:80], 5, Options{}, nil, "90 points, but 80 labels"},
		{"hard margin", labels, 5, Options{C: math.Inf(1)}, ErrNotSeparable, "without fold 0"},
	} {
		a, err := CrossValidate(xs, c.labels, Linear{}, c.o, c.folds, nil)
		refused(t, err, c.is, c.text, "%s", c.name)
		equal(t, a, 0, "%s: accuracy", c.name)
		predicted, err := CrossPredict(xs, c.labels, Linear{}, c.o, c.folds, nil)
		refused(t, err, c.is, c.text, "%s: predictions", c.name)
		equal(t, predicted, nil, "%s: predictions", c.name)
	}
	a, err := CrossValidate(xs, labels, RBF{1}, Options{MaxIter: 20}, 5, nil)
	check(t, errors.Is(err, ErrNotConverged) && a >= 0.4,
		"short runs: accuracy %v, error %v, want an accuracy and ErrNotConverged", a, err)
}

// F7: it is an error if no point outside a fold has a positive weight, but none if only one class has.
func TestF7FoldsWithoutWeight(t *testing.T) {
	xs, labels := mdClasses(76, 12, 2, 1.5)
	for _, c := range []struct {
		weights []float64
		text    string // of an error
	}{
		{[]float64{1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, "every point has weight 0"},
		{[]float64{1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0}, ""},
	} {
		errs := 0
		for seed := range uint64(20) {
			accuracy, err := CrossValidate(xs, labels, RBF{0.5}, Options{Weights: c.weights}, 2, rand.New(rand.NewPCG(seed, 1)))
			if err != nil {
				errs++
				refused(t, err, ErrOneClass, c.text, "seed %d", seed)
			}
			check(t, 0 <= accuracy && accuracy <= 1, "seed %d: accuracy %v", seed, accuracy)
		}
		check(t, (errs > 0) == (c.text != ""), "%v: %d errors", c.weights, errs)
	}
}

// F7: the table is that of CrossValidate on the same folds. Of equals the smallest C is chosen, then the first kernel.
func TestF7GridSearch(t *testing.T) {
	xs, labels := mdClasses(72, 60, 3, 1.5)
	kernels := []Kernel[[]float64]{RBF{0.01}, RBF{0.3}, RBF{30}}
	cs := []float64{10, 0.1, 1}
	got := must(GridSearch(xs, labels, kernels, cs, Options{}, 4, rand.New(rand.NewPCG(5, 72))))
	best := Choice[[]float64]{Accuracy: -1}
	for i, k := range kernels {
		for j, c := range cs {
			a, err := CrossValidate(xs, labels, k, Options{C: c}, 4, rand.New(rand.NewPCG(5, 72)))
			check(t, err == nil && a == got.Table[i][j], "Table[%d][%d] = %v, CrossValidate = %v, %v", i, j, got.Table[i][j], a, err)
			if a > best.Accuracy || a == best.Accuracy && c < best.C {
				best = Choice[[]float64]{k, c, a, got.Table, i}
			}
		}
	}
	equal(t, *got, best, "the choice")
	equal(t, must(GridSearch(xs, labels, kernels, cs, Options{C: math.NaN()}, 4, rand.New(rand.NewPCG(5, 72)))), got, "with another o.C")
	o := Options{C: 0.1, Weights: build(60, func(i int) float64 { return float64(i%7) / 3 })}
	weighted := must(GridSearch(xs, labels, kernels[1:2], []float64{0.1}, o, 4, rand.New(rand.NewPCG(5, 72)))).Accuracy
	equal(t, weighted, must(CrossValidate(xs, labels, kernels[1], o, 4, rand.New(rand.NewPCG(5, 72)))), "accuracy with weights")
	check(t, weighted != got.Table[1][1], "weights that change nothing")
	// Far apart everything is right, and the tie goes to the smallest C, then to the first kernel.
	xs, labels = mdClasses(73, 30, 3, 40)
	kernels = []Kernel[[]float64]{RBF{1e-3}, Linear{}}
	got = must(GridSearch(xs, labels, kernels, []float64{100, 1, 10}, Options{}, 3, nil))
	check(t, got.Accuracy == 1 && got.C == 1 && got.Kernel == kernels[0],
		"tie: %+v, want accuracy 1 with C = 1 and the first kernel", got)
	// The first kernel needs C = 10⁶ for that, the second C = 1, which is smaller.
	faint := []Kernel[[]float64]{Scale[[]float64](1e-6, Linear{}), Linear{}}
	got = must(GridSearch(xs, labels, faint, []float64{1e6, 1}, Options{}, 3, nil))
	check(t, got.Accuracy == 1 && got.C == 1 && got.Kernel == faint[1],
		"tie of two kernels: %+v, want accuracy 1 with C = 1 and the second kernel", got)
	equal(t, must(GridSearch(xs, labels, kernels, []float64{0}, Options{}, 3, nil)).C, 1, "C chosen of 0, which means 1")
	// Of two points of different classes each is predicted by a classifier that knows the other class alone. Where every
	// accuracy is 0 there is a choice, too.
	nothing := must(GridSearch([][]float64{{0}, {1}}, []string{"a", "b"}, kernels, []float64{3, 2}, Options{}, 2, nil))
	equal(t, nothing, &Choice[[]float64]{kernels[0], 2, 0, [][]float64{{0, 0}, {0, 0}}, 0}, "the choice where nothing is right")
	for _, c := range []struct {
		kernels []Kernel[[]float64]
		cs      []float64
		folds   int
		text    string
	}{
		{nil, cs, 3, "0 kernels"}, {kernels, nil, 3, "0 values of C"},
		{kernels, []float64{-1}, 3, "C -1"}, {kernels, cs, 1, "1 folds"},
		{append(kernels, nil), cs, 3, "kernel is nil"},
	} {
		o := Options{Observe: func(*DualSolution) bool { t.Errorf("%s: GridSearch trains", c.text); return false }}
		got, err := GridSearch(xs, labels, c.kernels, c.cs, o, c.folds, nil)
		refused(t, err, nil, c.text, "GridSearch")
		check(t, got == nil, "GridSearch = %v beside the error %v", got, err)
	}
	short, err := GridSearch(xs, labels, kernels, cs, Options{MaxIter: 1}, 3, nil)
	check(t, short != nil && errors.Is(err, ErrNotConverged),
		"short runs: %v, %v, want a choice and ErrNotConverged", short, err)
	alone := mapped(kernels, func(k Kernel[[]float64]) error {
		return errOf(GridSearch(xs, labels, []Kernel[[]float64]{k}, cs, Options{MaxIter: 1}, 3, nil))
	})
	check(t, err.Error() == alone[0].Error() && err.Error() != alone[1].Error(), "error %v, want %v and not %v", err, alone[0], alone[1])
}

// F7: a search that the observer ends has chosen among the accuracies known by then; the others are NaN. So it is where
// runs without enough steps have had errors before.
func TestF7GridSearchStopped(t *testing.T) {
	xs, ys := mdClasses(65, 30, 3, 2)
	kernels, cs := []Kernel[[]float64]{RBF{1}, Linear{}}, []float64{10, 0.1, 1}
	for _, steps := range []int{1e6, 3} {
		calls, end := 0, math.MaxInt
		o := Options{MaxIter: steps, Workers: 1, Observe: func(*DualSolution) bool { calls++; return calls < end }}
		all, err := GridSearch(xs, ys, kernels, cs, o, 2, nil)
		check(t, (err == nil) == (steps > 3), "MaxIter %d: %v", steps, err)
		known := make([]int, calls) // cells, by the call that ends the search: not the last, which comes when all is done
		for end = 1; end < len(known); end++ {
			calls = 0
			got, err := GridSearch(xs, ys, kernels, cs, o, 2, nil)
			check(t, errors.Is(err, ErrNotConverged) && calls == end, "ended by call %d: %v after %d calls", end, err, calls)
			want := &Choice[[]float64]{Accuracy: -1}
			for i := range kernels {
				for _, j := range []int{1, 2, 0} { // C = 0.1, 1, 10
					switch {
					case got == nil || math.IsNaN(got.Table[i][j]):
						continue
					case got.Table[i][j] > want.Accuracy || got.Table[i][j] == want.Accuracy && cs[j] < want.C:
						want = &Choice[[]float64]{kernels[i], cs[j], got.Table[i][j], nil, i}
					}
					known[end]++
					equal(t, got.Table[i][j], all.Table[i][j], "ended by call %d: Table[%d][%d]", end, i, j)
				}
			}
			if got != nil {
				got.Table = nil
				equal(t, got, want, "ended by call %d: the choice", end)
			}
			check(t, (got == nil) == (known[end] == 0), "ended by call %d: %v with %d accuracies", end, got, known[end])
			check(t, known[end] >= known[end-1], "ended by call %d: %d accuracies, by the call before %d", end, known[end], known[end-1])
		}
		equal(t, slices.Compact(known[1:]), []int{0, 1, 2, 3, 4, 5}, "the numbers of accuracies that are known")
	}
}

// F7: the first error is that of the search, even if a run that begins where another was stopped has time to finish.
func TestF7FirstError(t *testing.T) {
	xs, ys := mdClouds(5, 30, 2, 1)
	saved := 0
	for steps := 1; steps < 40; steps++ {
		o := Options{C: 1, MaxIter: steps}
		_, trails, first := trainMachines(xs, ys, RBF{}, o, pairs, nil, true)
		o.C = 1 + 1e-9
		if _, _, second := trainMachines(xs, ys, RBF{}, o, pairs, trails, false); first != nil && second == nil {
			saved++
		}
		_, err := trainEach(xs, ys, RBF{}, []float64{1, o.C}, o)
		check(t, (err == nil) == (first == nil) || errors.Is(err, ErrNotConverged), "%d steps: %v, at first %v", steps, err, first)
		check(t, first == nil || errors.Is(err, ErrNotConverged), "%d steps: %v, want %v", steps, err, first)
	}
	check(t, saved > 0, "no second run ends well after a first that does not: the test is void")
}

// F7: if the Gram matrix of a kernel fits into the cache, half of it is computed, once. If it does not, there is none.
func TestF7GridSearchMemory(t *testing.T) {
	const n = 40
	xs, ys := labelled(n, func(i int) (float64, float64) { return float64(i), float64(i%2*2 - 1) })
	var calls atomic.Int64
	k := KernelFunc[float64](func(x, z float64) float64 { calls.Add(1); return min(x, z) })
	search := func(bytes int) int64 {
		calls.Store(0)
		must(GridSearch(xs, ys, []Kernel[float64]{k, k}, []float64{1, 2}, Options{CacheBytes: bytes, MaxIter: 1e6}, 4, nil))
		return calls.Load()
	}
	equal(t, search(8*n*n), n*(n+1), "kernel values of two kernels with room for the Gram matrix")
	check(t, search(8*n*n-1) > 2*n*n, "the Gram matrix is made where it does not fit")
	for _, c := range []struct {
		bytes, matrices, n int
		want               bool
	}{{2400, 3, 10, true}, {2399, 3, 10, false}, {0, 1, 5120, true}, {0, 1, 5121, false}, {0, 4, 2560, true}} {
		equal(t, Options{CacheBytes: c.bytes}.holds(c.matrices, c.n), c.want, "room for %+v", c)
	}
}

// Of several errors one that comes without a model counts most, then the first.
func TestWorst(t *testing.T) {
	fatal := errors.New("no model")
	check(t, worst([]error{nil, ErrNotConverged, fatal, ErrIndefinite}) == fatal, "worst prefers an error with a model")
	check(t, worst([]error{nil, ErrNotConverged, ErrIndefinite}) == ErrNotConverged, "worst is not the first")
}

// F7: the search gives the same bits for any number of workers, and without room for the Gram matrix.
func TestF7GridSearchWorkers(t *testing.T) {
	xs, labels := mdClasses(74, 90, 3, 1.5)
	kernels, cs := []Kernel[[]float64]{RBF{0.1}, Linear{}}, []float64{100, 0.1, 1, 1}
	search := func(o Options) *Choice[[]float64] { return must(GridSearch(xs, labels, kernels, cs, o, 5, nil)) }
	want := search(Options{Workers: 1, Tol: 1e-6})
	for _, o := range []Options{{Workers: 2}, {Workers: 5}, {CacheBytes: 90*90*8 - 1}, {CacheBytes: 90 * 90 * 8}} {
		o.Tol = 1e-6
		equal(t, search(o), want, "%+v: GridSearch", o)
	}
}

// F7: a trail extrapolates the last two solutions. From β = 0 at C = 0 and 2 at C = 1, by 2 a unit, it leads to 6 at C
// = 3; from 2 at C = 1 and 10 at C = 3, by 4 a unit, to 14 at C = 4.
func TestTrails(t *testing.T) {
	first, second := &DualSolution{Beta: []float64{2}, grad: []float64{1}}, &DualSolution{Beta: []float64{10}, grad: []float64{5}}
	p := []float64{0}
	check(t, trail{}.ahead(1, p) == nil, "the beginning leads somewhere")
	one := trail{}.onward(first, 1)
	two := one.onward(second, 3)
	equal(t, one, trail{first, nil, 1, 0}, "trail after one solution")
	equal(t, two, trail{second, first, 3, 1}, "trail after two")
	equal(t, one.ahead(3, p), &DualSolution{Beta: []float64{6}, grad: []float64{3}}, "from one solution on")
	equal(t, two.ahead(4, p), &DualSolution{Beta: []float64{14}, grad: []float64{7}}, "from two solutions on")

	d := randomDual(rand.New(rand.NewPCG(51, 52)), 60, RBF{1}, 1)
	kept := must(maximise(d, SMOOptions{}))
	check(t, kept.cache != nil, "no rows are kept")
	_, _, err := train(d.K.(recipe[[]float64]), d.P, Options{C: math.Inf(1)}, trail{kept, nil, 1, 0})
	check(t, err == nil && kept.cache == nil, "after a run from nowhere: %v, rows are kept: %v", err, kept.cache != nil)
}

// Scaling, and files.

// MinMax takes every feature to [0, 1], Standardise to mean 0 and variance 1; both take a constant feature to 0.
func TestScaler(t *testing.T) {
	xs := [][]float64{{1, 5, -2}, {3, 5, 2}, {2, 5, 0}}
	m := must(MinMax(xs))
	equal(t, m.Apply(xs), [][]float64{{0, 0, 0}, {1, 0, 1}, {0.5, 0, 0.5}}, "MinMax")
	equal(t, m.Apply([][]float64{{5, 77, -4}}), [][]float64{{2, 0, -0.5}}, "MinMax elsewhere")
	text := panics(func() { m.Apply([][]float64{{1, 2, 3}, {1, 2}}) })
	check(t, strings.Contains(text, "point 1 has 2"), "Apply to a point of another size: panic %q", text)
	big, _ := mdClouds(80, 100, 4, 3)
	for i := range big { // an offset that would swallow the variance if squares were subtracted, and a constant
		big[i][0] += 1e8
		big[i][3] = 0.1
	}
	for _, size := range []float64{1e-300, 1e-200, 1e-161, 1e160, 1e300} {
		for _, xs := range [][][]float64{{{size}, {3 * size}}, {{-size}, {size}}} {
			aboutAll(t, slices.Concat(must(Standardise(xs)).Apply(xs)...), []float64{-1, 1}, 1e-15, "Standardise(%v)", xs)
		}
	}
	scaled := must(Standardise(big)).Apply(big)
	for f, variance := range []float64{1, 1, 1, 0} {
		column := mapped(scaled, func(x []float64) float64 { return x[f] })
		about(t, tourMean(column), 0, 1e-7, "Standardise: mean of coordinate %d", f) // 1e8 has 8 digits left
		about(t, norm2(column)/100, variance, 1e-7, "Standardise: mean square of coordinate %d", f)
	}
	for _, c := range []struct {
		xs   [][]float64
		is   error
		text string
	}{
		{nil, nil, "no points"},
		{[][]float64{{1}, {1, 2}}, nil, "point 1 has 2"},
		{[][]float64{{1}, {math.NaN()}}, ErrNotFinite, "0 of point 1 is NaN"},
		{[][]float64{{-1e308}, {1e308}}, ErrNotFinite, "spread"},
	} {
		refused(t, errOf(MinMax(c.xs)), c.is, c.text, "MinMax(%v)", c.xs)
		refused(t, errOf(Standardise(c.xs)), c.is, c.text, "Standardise(%v)", c.xs)
	}
	tiny := [][]float64{{0, 0}, {0x1p-1023, 0x1p-1024}}
	equal(t, must(MinMax(tiny)).Apply(tiny), [][]float64{{0, 0}, {1, 0}}, "MinMax of 2⁻¹⁰²³ and 2⁻¹⁰²⁴")
}

// libWrite returns what write writes, which must not fail.
func libWrite(write func(w io.Writer) error) string {
	var b bytes.Buffer
	must(0, write(&b))
	return b.String()
}

// libText returns the file of a model or a classifier.
func libText[M any](write func(w io.Writer, m M) error, m M) string {
	return libWrite(func(w io.Writer) error { return write(w, m) })
}

// libPoints returns the file of points and their labels.
func libPoints[X []float64 | Sparse](xs []X, labels []float64) string {
	return libWrite(func(w io.Writer) error { return writePoints(w, xs, labels) })
}

// unwritten checks that write fails as refused says, before it has written anything.
func unwritten(t testing.TB, write func(w io.Writer) error, is error, says, what string, args ...any) {
	t.Helper()
	var b bytes.Buffer
	refused(t, write(&b), is, says, what, args...)
	check(t, b.Len() == 0, "%s: wrote %q, want nothing", fmt.Sprintf(what, args...), b.String())
}

// refusedAt checks what refused does, and that err is a *ParseError at this line and column.
func refusedAt(t testing.TB, err error, line, column int, is error, says, what string, args ...any) {
	t.Helper()
	refused(t, err, is, says, what, args...)
	var p *ParseError
	place := fmt.Sprintf("svm: line %d, column %d: ", line, column)
	check(t, errors.As(err, &p) && p.Line == line && p.Column == column && strings.HasPrefix(p.Error(), place),
		"%s: error %v, want %s…", fmt.Sprintf(what, args...), err, place)
}

// What ReadLIBSVM accepts, however the bytes arrive.
func TestReadLIBSVM(t *testing.T) {
	long := "1 " + strings.Repeat(" ", 200_000) + "1:5 2:6"
	for _, c := range []struct {
		name, in string
		xs       [][]float64
		labels   []float64
	}{
		{"empty", "", [][]float64{}, nil},
		{"blank lines only", "\n \t\r\n\n", [][]float64{}, nil},
		{"one point", "1 1:2 3:4\n", [][]float64{{2, 0, 4}}, []float64{1}},
		{"no final newline", "1 1:2\n-1 1:3", [][]float64{{2}, {3}}, []float64{1, -1}},
		{"CRLF", "1 1:2\r\n-1 1:3\r\n", [][]float64{{2}, {3}}, []float64{1, -1}},
		{"CR at the end of the file", "1 1:2\r", [][]float64{{2}}, []float64{1}},
		{"tabs and blanks", "\t 1\t1:2 \t 2:3\t\n", [][]float64{{2, 3}}, []float64{1}},
		{"blank line between", "1 1:2\n\n-1 1:3\n", [][]float64{{2}, {3}}, []float64{1, -1}},
		{"plus signs", "+1 +1:+2\n", [][]float64{{2}}, []float64{1}},
		{"any label", "2.5 1:1\n0 1:1\n-3e2 1:1\n", [][]float64{{1}, {1}, {1}}, []float64{2.5, 0, -300}},
		{"exponents", "1 1:1e3 2:-2.5E-2 3:.5 4:5.\n", [][]float64{{1000, -0.025, 0.5, 5}}, []float64{1}},
		{"hexadecimal floats", "0x1p1 1:0x1.8p-1\n", [][]float64{{0.75}}, []float64{2}},
		{"below the least float64", "1 1:1e-400 2:5e-324\n", [][]float64{{0, 5e-324}}, []float64{1}},
		{"labels only", "1\n-1\n", [][]float64{{}, {}}, []float64{1, -1}},
		{"a label only is the origin", "1\n-1 2:3\n", [][]float64{{0, 0}, {0, 3}}, []float64{1, -1}},
		{"a written zero counts", "1 1:1 4:0\n", [][]float64{{1, 0, 0, 0}}, []float64{1}},
		{"narrow after wide", "1 3:1\n1 1:2\n", [][]float64{{0, 0, 1}, {2, 0, 0}}, []float64{1, 1}},
		{"leading zeros", "01 01:02\n", [][]float64{{2}}, []float64{1}},
		{"comment lines", "# made by hand\n  # and more\n1 1:2\n#", [][]float64{{2}}, []float64{1}},
		{"comment at the end", "1 1:2 # 3:4\n-1 1:3# x\n", [][]float64{{2}, {3}}, []float64{1, -1}},
		{"qid", "1 qid:7 1:2\n2 qid:8\n", [][]float64{{2}, {0}}, []float64{1, 2}},
		{"a line longer than any buffer", long, [][]float64{{5, 6}}, []float64{1}},
	} {
		// All at once, one byte at a time, and the last bytes together with io.EOF.
		for _, r := range []io.Reader{strings.NewReader(c.in), iotest.OneByteReader(strings.NewReader(c.in)),
			iotest.DataErrReader(strings.NewReader(c.in))} {
			xs, labels, err := ReadLIBSVM(r)
			for _, x := range xs { // rows are views of one slab, but appending to one must not write into the next
				_ = append(x, 9)
			}
			equal(t, err, nil, "%s: error of ReadLIBSVM(%.40q)", c.name, c.in)
			equal(t, xs, c.xs, "%s: points of ReadLIBSVM(%.40q)", c.name, c.in)
			equal(t, labels, c.labels, "%s: labels of ReadLIBSVM(%.40q)", c.name, c.in)
		}
	}
	xs, _, err := ReadLIBSVM(strings.NewReader("1 5:1\n1 2:1\n"))
	at := func(x []float64) uintptr { return reflect.ValueOf(x).Pointer() }
	check(t, err == nil && at(xs[1]) == at(xs[0])+5*8, "the points do not share one array")
}

// What ReadLIBSVM refuses: its errors tell the line and the column, and are short.
func TestReadLIBSVMErrors(t *testing.T) {
	long := "1 1:2 " + strings.Repeat(" ", 200_000) + "x"
	for _, c := range []struct {
		name, in     string
		line, column int
		kind         error
		text         string
	}{
		{"label", "spam 1:1\n", 1, 1, ErrSyntax, `"spam"`},
		{"no label", "1 1:1\n  1:1 2:2\n", 2, 3, ErrSyntax, `"1:1"`},
		{"several labels", "1,2 1:1\n", 1, 1, ErrSyntax, `"1,2"`},
		{"no colon", "1 1:1 2\n", 1, 7, ErrSyntax, "index:value"},
		{"comma in a value", "1 1:1 2:0,5\n", 1, 9, ErrSyntax, `"0,5"`},
		{"comma in a label", "1 1:1\n0,5 1:1\n", 2, 1, ErrSyntax, `"0,5"`},
		{"two colons", "1 1:2:3\n", 1, 5, ErrSyntax, `"2:3"`},
		{"no value", "1 1:\n", 1, 5, ErrSyntax, `""`},
		{"blank before the value", "1 1: 2\n", 1, 5, ErrSyntax, `""`},
		{"no index", "1 :2\n", 1, 3, ErrSyntax, `""`},
		{"index a word", "1 a:2\n", 1, 3, ErrSyntax, `"a"`},
		{"index a fraction", "1 1.5:2\n", 1, 3, ErrSyntax, `"1.5"`},
		{"value a word", "1 1:1 2:two\n", 1, 9, ErrSyntax, `"two"`},
		{"carriage returns alone", "1 1:1\r-1 1:2\r", 1, 7, ErrSyntax, `"-1"`},
		{"underscore", "1 1:1_0\n", 1, 5, ErrSyntax, `"1_0"`},
		{"byte order mark", "\ufeff1 1:1\n", 1, 1, ErrSyntax, `"\ufeff1"`},
		{"zero byte", "1 1:1\x00\n", 1, 5, ErrSyntax, `"1\x00"`},
		{"NaN label", "nan 1:1\n", 1, 1, ErrNotFinite, "nan"},
		{"NaN", "1 1:1 2:NaN\n", 1, 9, ErrNotFinite, "NaN"},
		{"infinity", "1 1:-inf\n", 1, 5, ErrNotFinite, "-inf"},
		{"overflow", "1 1:1e309\n", 1, 5, ErrNotFinite, "1e309"},
		{"0-based", "1 1:1\n1 0:1 1:1\n", 2, 3, ErrIndex, "1-based"},
		{"negative index", "1 -1:1\n", 1, 3, ErrIndex, "1-based"},
		{"falling indices", "1 2:1 1:1\n", 1, 7, ErrIndex, "index 1 after index 2"},
		{"index twice", "1 1:1 2:1 2:1\n", 1, 11, ErrIndex, "index 2 after index 2"},
		{"index 2³¹", "1 2147483648:1\n", 1, 3, ErrIndex, "too large"},
		{"index 10³⁰", "1 1000000000000000000000000000000:1\n", 1, 3, ErrIndex, "too large"},
		{"index −10³⁰", "1 -1000000000000000000000000000000:1\n", 1, 3, ErrIndex, "1-based"},
		{"absurd index", "1 1:1\n1 2:1 2000000000:1\n1 5:1\n", 2, 7, ErrTooSparse, "index 2000000000: 3 rows"},
		{"qid a word", "1 qid:a 1:1\n", 1, 7, ErrSyntax, `"a"`},
		{"qid late", "1 1:1 qid:3\n", 1, 7, ErrSyntax, `"qid"`},
		{"qid twice", "1 qid:3 qid:3\n", 1, 9, ErrSyntax, `"qid"`},
		{"after comments and blank lines", "# a\n\n1 1:1 # b\n1 x\n", 4, 3, ErrSyntax, `"x"`},
		{"after CRLF", "1 1:1\r\n1 x\r\n", 2, 3, ErrSyntax, `"x"`},
		{"far to the right", long, 1, len(long), ErrSyntax, `"x"`},
		{"a megabyte of garbage is not repeated", strings.Repeat("z", 1<<20), 1, 1, ErrSyntax, `zzz" is not`},
	} {
		xs, labels, err := ReadLIBSVM(strings.NewReader(c.in))
		refusedAt(t, err, c.line, c.column, c.kind, c.text, "%s: ReadLIBSVM(%.40q)", c.name, c.in)
		check(t, len(fmt.Sprint(err)) <= 200, "%s: ReadLIBSVM(%.40q): error %v, want a short one", c.name, c.in, err)
		check(t, xs == nil && labels == nil, "%s: ReadLIBSVM(%.40q) returned points with its error", c.name, c.in)
	}
}

// An error of the reader ends the reading, and the line that it cuts is not taken for a complete one.
func TestReadLIBSVMReaderFails(t *testing.T) {
	late := iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader("1 1:12\n")))
	cut := io.MultiReader(strings.NewReader("1 1:1\n1 1:1"), iotest.ErrReader(io.ErrUnexpectedEOF))
	xs, _, err := ReadLIBSVM(late)
	refused(t, err, iotest.ErrTimeout, "line 1", "ReadLIBSVM of a late reader")
	check(t, xs == nil, "ReadLIBSVM of a late reader = %v, want no points", xs)
	xs, _, err = ReadLIBSVM(cut)
	refused(t, err, io.ErrUnexpectedEOF, "line 2", "ReadLIBSVM of a file cut short")
	check(t, xs == nil, "ReadLIBSVM of a file cut short = %v, want no points", xs)
	cut = io.MultiReader(strings.NewReader(libHeader+"0.75 1:1\n-0.5 2:"), iotest.ErrReader(iotest.ErrTimeout))
	refused(t, errOf(ReadModel(cut)), iotest.ErrTimeout, "line 11", "ReadModel of a file cut short")
	fails := iotest.ErrReader(iotest.ErrTimeout)
	refused(t, errOf2(ReadPrecomputed(fails)), iotest.ErrTimeout, "line 1", "ReadPrecomputed of a reader that fails")
	refused(t, errOf(ReadModel(fails)), iotest.ErrTimeout, "line 1", "ReadModel of a reader that fails")
	refused(t, errOf(ReadClassifier(fails)), iotest.ErrTimeout, "line 1", "ReadClassifier of a reader that fails")
	full := io.MultiReader(strings.NewReader("1 1:1"), iotest.ErrReader(bufio.ErrBufferFull)) // of a buffer that is not ours
	refused(t, errOf2(ReadLIBSVM(full)), bufio.ErrBufferFull, "line 1", "ReadLIBSVM of a reader with a full buffer")
}

// A line may be shorter than the reader's buffer, as long, longer, or a multiple of it; the next line is still read.
func TestReadLIBSVMLongLines(t *testing.T) {
	size := newScanner(nil).r.Size()
	for _, length := range []int{size - 1, size, size + 1, 2*size - 1, 2 * size, 2*size + 1, 5 * size} { // with the newline
		for name, fill := range map[string]string{"blanks": " ", "a comment": "#"} {
			line := "1 1:2" + strings.Repeat(fill, length-len("1 1:2\n")) + "\n"
			xs, labels, err := ReadLIBSVM(strings.NewReader(line + "-1 1:3\n" + line))
			check(t, err == nil, "%s, %d bytes: %v", name, length, err)
			equal(t, xs, [][]float64{{2}, {3}, {2}}, "%s, %d bytes: points", name, length)
			equal(t, labels, []float64{1, -1, 1}, "%s, %d bytes: labels", name, length)
		}
	}
}

// Dense rows have at most 2²⁰ entries, and 32 more for each byte of the file.
func TestReadLIBSVMProportion(t *testing.T) {
	const bytes = 20_000 // of 1000 lines
	limit := (32*bytes + 1<<20) / 1000
	for d, want := range map[int]error{limit: nil, limit + 1: ErrTooSparse} {
		line := fmt.Sprintf("1 %d:1", d)
		in := strings.Repeat(line+strings.Repeat(" ", bytes/1000-1-len(line))+"\n", 1000)
		xs, _, err := ReadLIBSVM(strings.NewReader(in))
		check(t, errors.Is(err, want) && (err != nil || len(xs[999]) == d),
			"ReadLIBSVM(1000 lines %q) = %d rows, %v, want %v", line, len(xs), err, want)
	}
	for _, in := range []string{"1 2000000000:1\n", strings.Repeat("1 2147483647:1\n", 100)} {
		var err error
		n := allocated(func() { _, _, err = ReadLIBSVM(strings.NewReader(in)) })
		refused(t, err, ErrTooSparse, "", "ReadLIBSVM(%.20q)", in)
		check(t, n <= 1<<20, "ReadLIBSVM of %d bytes %.20q allocated %d", len(in), in, n)
	}
	for d, want := range map[int]bool{1<<20 + 32*12: true, 1<<20 + 32*12 + 1: false} {
		_, _, err := ReadLIBSVM(strings.NewReader(fmt.Sprintf("1 %d:1\n", d))) // twelve bytes
		equal(t, err == nil, want, "no error for one point of %d coordinates", d)
	}
}

// ReadSparse reads what ReadLIBSVM reads, without the zeros, and files too sparse for it. Both read what WriteSparse
// writes.
func TestReadSparse(t *testing.T) {
	in := "1 1:2 3:4 # x\r\n\n-1 qid:3\n0x1p1 2:1e-400 5:-0x1p-2\n"
	want := []Sparse{{[]int32{0, 2}, []float64{2, 4}}, {[]int32{}, []float64{}}, {[]int32{1, 4}, []float64{0, -0.25}}}
	xs, labels, err := ReadSparse(strings.NewReader(in))
	equal(t, err, nil, "error of ReadSparse(%q)", in)
	equal(t, xs, want, "points of ReadSparse(%q)", in)
	equal(t, labels, []float64{1, -1, 2}, "labels of ReadSparse(%q)", in)
	text := libWrite(func(w io.Writer) error { return WriteSparse(w, xs, labels) })
	equal(t, text, "1 1:2 3:4\n-1\n2 5:-0.25\n", "WriteSparse")
	dense, labels, err := ReadLIBSVM(strings.NewReader(text))
	equal(t, err, nil, "error of ReadLIBSVM(%q)", text)
	equal(t, dense, [][]float64{{2, 0, 4, 0, 0}, {0, 0, 0, 0, 0}, {0, 0, 0, 0, -0.25}}, "points of ReadLIBSVM(%q)", text)
	equal(t, labels, []float64{1, -1, 2}, "labels of ReadLIBSVM(%q)", text)
	_, _ = append(xs[0].Value, 9), append(xs[0].Index, 9)
	equal(t, xs, want, "points after appending to the first")

	huge := strings.Repeat("1 2147483647:1\n", 1000)
	n := allocated(func() { xs, _, err = ReadSparse(strings.NewReader(huge)) })
	check(t, err == nil && len(xs) == 1000 && n <= 1<<18,
		"ReadSparse of 1000 large indices: %d points, %v, %d bytes allocated", len(xs), err, n)
	refused(t, errOf2(ReadLIBSVM(strings.NewReader(huge))), ErrTooSparse, "ReadSparse", "ReadLIBSVM of 1000 large indices")
	xs, labels, err = ReadSparse(strings.NewReader("1 1:1\n1 2:1 2:1\n"))
	refusedAt(t, err, 2, 7, ErrIndex, "", "ReadSparse of an index twice")
	check(t, xs == nil && labels == nil, "ReadSparse of an index twice returned points with its error")
	unwritten(t, func(w io.Writer) error { return WriteSparse(w, want, []float64{1}) }, nil, "3 points and 1 labels",
		"WriteSparse")
	unwritten(t, func(w io.Writer) error { return WriteSparse(w, want[:1], []float64{math.NaN()}) }, ErrNotFinite, "label",
		"WriteSparse")
	last := []Sparse{{[]int32{0}, []float64{1}}, {[]int32{math.MaxInt32}, []float64{1}}} // LIBSVM's 2³¹
	signs := []float64{1, -1}
	unwritten(t, func(w io.Writer) error { return WriteSparse(w, last, signs) }, ErrUnsupported, "coordinate 2147483647", "WriteSparse")
	m := &Model[Sparse]{Func: Func[Sparse]{OnSparse(RBF{1}), last, signs}}
	unwritten(t, func(w io.Writer) error { return WriteModel(w, m) }, ErrUnsupported, "coordinate 2147483647", "WriteModel")
}

// ReadLIBSVM(WriteLIBSVM(x)) = x, bit for bit where x is not −0, and the same number of columns.
func TestLIBSVMRoundTrip(t *testing.T) {
	for _, c := range []struct {
		name   string
		xs     [][]float64
		labels []float64
		text   string
	}{
		{"no points", [][]float64{}, nil, ""},
		{"no columns", [][]float64{{}, {}}, []float64{1, -1}, "1\n-1\n"},
		{"zeros left out", [][]float64{{0, 2, 0, 4}, {0, 0, 0, 1}}, []float64{1, -1}, "1 2:2 4:4\n-1 4:1\n"},
		{"a last column of zeros", [][]float64{{1, 0, 0}, {0, 2, 0}}, []float64{1, -1}, "1 1:1 3:0\n-1 2:2\n"},
		{"all zero", [][]float64{{0, 0}, {0, 0}}, []float64{1, -1}, "1 2:0\n-1\n"},
		{"shortest", [][]float64{{0.1, 1.0 / 3, 1e100, 1 << 20}}, []float64{0.5},
			"0.5 1:0.1 2:0.3333333333333333 3:1e+100 4:1.048576e+06\n"},
		{"extremes", [][]float64{{math.MaxFloat64, 5e-324, -math.MaxFloat64}}, []float64{-5e-324},
			"-5e-324 1:1.7976931348623157e+308 2:5e-324 3:-1.7976931348623157e+308\n"},
		{"minus zero", [][]float64{{math.Copysign(0, -1), 1}}, []float64{1}, "1 2:1\n"},
	} {
		text := libWrite(func(w io.Writer) error { return WriteLIBSVM(w, c.xs, c.labels) })
		equal(t, text, c.text, "%s: WriteLIBSVM(%v)", c.name, c.xs)
		readBack(t, text, c.xs, c.labels)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		d := rng.IntN(8)
		xs, labels := labelled(rng.IntN(8), func(int) ([]float64, float64) {
			return build(d, func(int) float64 { return anyFloat(rng) * float64(rng.IntN(2)) }), anyFloat(rng)
		})
		readBack(t, libPoints(xs, labels), xs, labels)
	}
}

// readBack checks that ReadLIBSVM reads these points and labels from a text.
func readBack(t *testing.T, text string, xs [][]float64, labels []float64) {
	t.Helper()
	got, ls, err := ReadLIBSVM(strings.NewReader(text))
	check(t, err == nil && slices.EqualFunc(got, xs, slices.Equal) && slices.Equal(ls, labels),
		"ReadLIBSVM(%q) = %v, %v, %v, want %v, %v", text, got, ls, err, xs, labels)
}

// anyFloat returns a finite float64, every bit pattern as likely as any other.
func anyFloat(rng *rand.Rand) float64 {
	for {
		if v := math.Float64frombits(rng.Uint64()); finite(v) {
			return v
		}
	}
}

// Points that cannot be read again are not written. An error of the writer is returned.
func TestWriteLIBSVMErrors(t *testing.T) {
	for _, c := range []struct {
		name   string
		xs     [][]float64
		labels []float64
		kind   error
		text   string
	}{
		{"labels missing", [][]float64{{1}, {2}}, []float64{1}, nil, "2 points and 1 labels"},
		{"ragged", [][]float64{{1}, {2, 3}}, []float64{1, 1}, nil, "point 1 has 2"},
		{"NaN", [][]float64{{1, 2}, {3, math.NaN()}}, []float64{1, 1}, ErrNotFinite, "feature 1 of point 1"},
		{"infinite", [][]float64{{math.Inf(-1)}}, []float64{1}, ErrNotFinite, "feature 0 of point 0 is -Inf"},
		{"label", [][]float64{{1}, {2}}, []float64{1, math.Inf(1)}, ErrNotFinite, "label +Inf of point 1"},
		{"first label", [][]float64{{1}}, []float64{math.NaN()}, ErrNotFinite, "label NaN of point 0"},
	} {
		unwritten(t, func(w io.Writer) error { return WriteLIBSVM(w, c.xs, c.labels) }, c.kind, c.text, "%s: WriteLIBSVM", c.name)
	}
	xs, one := [][]float64{make([]float64, 10)}, []float64{1}
	equal(t, WriteLIBSVM(fullDisk{}, xs, one), io.ErrShortWrite, "WriteLIBSVM to a full disk")
	m := &Model[[]float64]{Func: Func[[]float64]{Linear{}, xs, one}}
	equal(t, WriteModel(fullDisk{}, m), io.ErrShortWrite, "WriteModel to a full disk")
}

type fullDisk struct{}

func (fullDisk) Write(p []byte) (int, error) { return 0, io.ErrShortWrite }

// Widen and WidenClassifier append zeros to copies of the points.
func TestWiden(t *testing.T) {
	slab := []float64{1, 2, 3}
	xs := [][]float64{slab[:1], slab[:2], slab}
	equal(t, Widen(xs, 2), [][]float64{{1, 0}, {1, 2}, {1, 2, 3}}, "Widen(%v, 2)", xs)
	equal(t, xs, [][]float64{{1}, {1, 2}, {1, 2, 3}}, "the caller's points after Widen")
	c := must(ReadClassifier(strings.NewReader(libTwo)))
	w := WidenClassifier(c, 3)
	wide, narrow := [][]float64{{1, 0, 0}, {0, 2, 0}}, [][]float64{{1, 0}, {0, 2}}
	equal(t, w.points, wide, "points of WidenClassifier(c, 3)")
	equal(t, w.machines[0].model.Points, wide, "points of the machine of WidenClassifier(c, 3)")
	equal(t, c.points, narrow, "points of c after WidenClassifier(c, 3)")
	equal(t, c.machines[0].model.Points, narrow, "points of the machine of c after WidenClassifier(c, 3)")
	equal(t, mapped(wide, w.Predict), mapped(narrow, c.Predict), "labels of WidenClassifier(c, 3)")
}

// A file of a precomputed kernel has every row and every column, the rows in any order.
func TestReadPrecomputed(t *testing.T) {
	k, labels, err := ReadPrecomputed(strings.NewReader("-1 0:2 1:3 2:0\n+1 0:1 1:5 2:3 # row 1\n"))
	equal(t, err, nil, "error of ReadPrecomputed")
	equal(t, k, MatrixFromRows([][]float64{{5, 3}, {3, 0}}), "matrix of ReadPrecomputed")
	equal(t, labels, []float64{1, -1}, "labels of ReadPrecomputed")
	for _, c := range []struct {
		name, in     string
		line, column int
		kind         error
	}{
		{"no row number", "1 1:1\n", 1, 3, ErrSyntax},
		{"label alone", "1\n", 1, 2, ErrSyntax},
		{"label", "x 0:1 1:1\n", 1, 1, ErrSyntax},
		{"row a word", "1 0:a 1:1\n", 1, 5, ErrIndex},
		{"row 0", "1 0:0 1:1\n", 1, 5, ErrIndex},
		{"row −1", "1 0:-1 1:1\n", 1, 5, ErrIndex},
		{"value", "1 0:1 1:x\n", 1, 9, ErrSyntax},
		{"entry left out", "1 0:1 1:1 2:1\n1 0:2 2:1\n", 2, 10, ErrIndex},
		{"entries moved", "1 0:1 1:1 2:1\n1 0:2 2:1 3:1\n", 2, 14, ErrIndex},
		{"first entry left out", "1 0:1 2:1\n", 1, 10, ErrIndex},
		{"row longer", "1 0:1 1:1 2:1\n1 0:2 1:1 2:1 3:1\n", 2, 18, ErrIndex},
		{"row shorter", "1 0:1 1:1 2:1\n1 0:2 1:1\n", 2, 10, ErrIndex},
		{"row twice", "1 0:1 1:1 2:1\n1 0:1 1:1 2:1\n", 2, 5, ErrIndex},
		{"row too large", "1 0:1 1:1 2:1\n1 0:3 1:1 2:1\n", 2, 14, ErrIndex},
		{"absurd row", "1 0:1 1:1 2:1\n1 0:2000000000 1:1 2:1\n", 2, 23, ErrIndex},
		{"row of 10³⁰", "1 0:1000000000000000000000000000000 1:1\n", 1, 5, ErrIndex},
		{"fewer rows than columns", "1 0:1 1:1 2:1\n", 2, 1, ErrIndex},
	} {
		_, _, err := ReadPrecomputed(strings.NewReader(c.in))
		refusedAt(t, err, c.line, c.column, c.kind, "", "%s: ReadPrecomputed(%q)", c.name, c.in)
	}
	refused(t, errOf2(ReadPrecomputed(strings.NewReader("1 0:3 1:1 2:1\n"))), ErrIndex, "columns 1 … n, n at least 3", "row 3 of two columns")
}

// libModel returns a model with n points of d coordinates, a third of them zero.
func libModel(rng *rand.Rand, k Kernel[[]float64], n, d int) *Model[[]float64] {
	points, coef := labelled(n, func(int) ([]float64, float64) {
		return build(d, func(int) float64 { return rng.NormFloat64() * float64(min(1, rng.IntN(3))) }), rng.NormFloat64()
	})
	return &Model[[]float64]{Func: Func[[]float64]{k, points, coef}, B: rng.NormFloat64()}
}

var libKernels = []Kernel[[]float64]{
	Linear{},
	Polynomial{Degree: 2, Gamma: 0.7, Coef: 1.0 / 3},
	Polynomial{}, // defaults: degree 3, gamma 1
	RBF{Gamma: 1e-3},
	RBF{},
	Sigmoid{Gamma: 0.1, Coef: -0.25},
	Sigmoid{Gamma: -0.1, Coef: 0.25},
	Sigmoid{},
}

// unknownKKT is the report of a model that has been read: nothing is known, so no residual may look like an optimum.
var unknownKKT = KKT{math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(1), math.Inf(1), math.Inf(1), math.Inf(1), math.Inf(1), 0, 0, 0, 0}

// ReadModel(WriteModel(m)) is m, to the bit: the kernel with its defaults spelled out, b, and the points with their
// coefficients, those of class −1 first.
func TestModelRoundTrip(t *testing.T) {
	spelled := map[Kernel[[]float64]]Kernel[[]float64]{Polynomial{}: Polynomial{3, 1, 0}, RBF{}: RBF{1}, Sigmoid{}: Sigmoid{1, 0}}
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range 20 * len(libKernels) {
		k := libKernels[i%len(libKernels)]
		m := libModel(rng, k, 2+rng.IntN(8), rng.IntN(6))
		got := must(ReadModel(strings.NewReader(libText(WriteModel, m))))
		if s, ok := spelled[k]; ok {
			k = s
		}
		want := &Model[[]float64]{Func: Func[[]float64]{Kernel: k}, B: m.B, BLo: m.B, BHi: m.B, KKT: unknownKKT}
		for _, sign := range []float64{-1, 1} {
			for v, c := range m.Coef {
				if c*sign > 0 {
					want.Points, want.Coef, want.Alpha = append(want.Points, m.Points[v]), append(want.Coef, c), append(want.Alpha, c*sign)
				}
			}
		}
		equal(t, got, want, "ReadModel(WriteModel)")
	}
}

// A model of sparse points is written as that of the same points with their zeros, byte by byte, and read back.
func TestSparseModelRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for i := range 5 * len(libKernels) {
		k := libKernels[i%len(libKernels)]
		m := libModel(rng, k, 2+rng.IntN(8), 1+rng.IntN(5))
		m.Points[0][len(m.Points[0])-1] = 1 // without it only the dense points would have their width in the file
		s := &Model[Sparse]{Func: Func[Sparse]{OnSparse(k.(DotKernel)), sparseOf(m.Points, 1), m.Coef}, B: m.B}
		text := libText(WriteModel, m)
		equal(t, libText(WriteModel, s), text, "%T: WriteModel of sparse points", k)
		want, got := must(ReadModel(strings.NewReader(text))), must(ReadSparseModel(strings.NewReader(text)))
		equal(t, got.Coef, want.Coef, "%T: coefficients of ReadSparseModel", k)
		equal(t, got.Alpha, want.Alpha, "%T: α of ReadSparseModel", k)
		equal(t, got.B, want.B, "%T: b of ReadSparseModel", k)
		for v, x := range sparseOf(want.Points, 1) {
			z := got.Points[v]
			check(t, slices.Equal(z.Index, x.Index) && slices.Equal(z.Value, x.Value),
				"%T: support vector %d is %v, want %v", k, v, z, x)
		}
		c := must(ReadSparseClassifier(strings.NewReader(text)))
		equal(t, libText(WriteClassifier, c), text, "%T: WriteClassifier(ReadSparseClassifier)", k)
	}
	far := must(ReadSparseModel(strings.NewReader(libHeader + "1 2147483647:1\n-1 5:1\n")))
	equal(t, far.Points[0].Index, []int32{math.MaxInt32 - 1}, "ReadSparseModel of a large index")
}

// A model without support vectors, where f = b, is written and read back.
func TestConstantModel(t *testing.T) {
	xs := [][]float64{{1, 2}, {0, 0}}
	for _, b := range []float64{2, 0, -2} {
		m := &Model[[]float64]{B: b, Func: Func[[]float64]{Kernel: Linear{}}}
		text := libText(WriteModel, m)
		got := must(ReadModel(strings.NewReader(text)))
		check(t, got.B == b && len(got.Points) == 0 && got.Decision(xs[0]) == b, "written and read, f = %v is %+v", b, got)
		if lines, ok := libPredict(t, libPoints(xs, []float64{1, 1}), text); ok {
			equal(t, fmt.Sprint(m.Predict(xs[0])), lines[0][0], "f = %v: Predict == svm-predict", b)
		}
	}
}

// A model file, with the header of every kernel. The support vectors of class −1 come first.
func TestWriteModelText(t *testing.T) {
	m := &Model[[]float64]{B: 0.25, Func: Func[[]float64]{
		Kernel: Polynomial{Gamma: 0.5, Coef: 1},
		Points: [][]float64{{1, 0, 0}, {0, 1, 0}, {2, 1, 0}, {7, 7, 7}},
		Coef:   []float64{1.5, -2, 0.5, 0}, // the last point has no part in f
	}}
	want := "svm_type c_svc\nkernel_type polynomial\ndegree 3\ngamma 0.5\ncoef0 1\nnr_class 2\ntotal_sv 3\nrho 0.25\n" +
		"label -1 1\nnr_sv 1 2\nSV\n2 2:1 3:0\n-1.5 1:1\n-0.5 1:2 2:1\n"
	equal(t, libText(WriteModel, m), want, "WriteModel")
	for k, want := range map[Kernel[[]float64]]string{
		Linear{}:             "kernel_type linear\n",
		Polynomial{1, 0, -2}: "kernel_type polynomial\ndegree 1\ngamma 1\ncoef0 -2\n",
		RBF{0.1}:             "kernel_type rbf\ngamma 0.1\n",
		Sigmoid{}:            "kernel_type sigmoid\ngamma 1\ncoef0 0\n",
	} {
		m.Kernel = k
		header, _, _ := strings.Cut(libText(WriteModel, m), "nr_class")
		equal(t, header, "svm_type c_svc\n"+want, "WriteModel with %T%+v", k, k)
	}
}

// What LIBSVM cannot read is not written.
func TestWriteModelErrors(t *testing.T) {
	two31 := int64(1) << 31 // negative as an int of 32 bits, which is not supported either
	for _, c := range []struct {
		name  string
		spoil func(m *Model[[]float64])
		kind  error
		text  string
	}{
		{"no kernel", func(m *Model[[]float64]) { m.Kernel = nil }, ErrUnsupported, "no kernel"},
		{"cosine", func(m *Model[[]float64]) { m.Kernel = Cosine{} }, ErrUnsupported, "Cosine"},
		{"gamma", func(m *Model[[]float64]) { m.Kernel = RBF{math.NaN()} }, ErrNotFinite, "kernel"},
		{"coef0", func(m *Model[[]float64]) { m.Kernel = Sigmoid{1, math.Inf(1)} }, ErrNotFinite, "kernel"},
		{"degree", func(m *Model[[]float64]) { m.Kernel = Polynomial{Degree: -1} }, ErrUnsupported, "Degree:-1"},
		{"huge degree", func(m *Model[[]float64]) { m.Kernel = Polynomial{Degree: int(two31)} }, ErrUnsupported, "Degree"},
		{"negative gamma", func(m *Model[[]float64]) { m.Kernel = RBF{-1} }, ErrUnsupported, "RBF{Gamma:-1}"},
		{"bias", func(m *Model[[]float64]) { m.B = math.NaN() }, ErrNotFinite, "bias"},
		{"coefficient", func(m *Model[[]float64]) { m.Coef[1] = math.Inf(1) }, ErrNotFinite, "coefficient"},
		{"NaN coefficient", func(m *Model[[]float64]) { m.Coef[1] = math.NaN() }, ErrNotFinite, "coefficient"},
		{"point", func(m *Model[[]float64]) { m.Points[1][1] = math.NaN() }, ErrNotFinite, "feature 1 of point"},
		{"ragged", func(m *Model[[]float64]) { m.Points[2] = []float64{1} }, nil, "features"},
		{"coefficients missing", func(m *Model[[]float64]) { m.Coef = m.Coef[:2] }, nil, "3 points and 2 coefficients"},
	} {
		m := libModel(rand.New(rand.NewPCG(1, 1)), RBF{}, 3, 2)
		c.spoil(m)
		unwritten(t, func(w io.Writer) error { return WriteModel(w, m) }, c.kind, c.text, "%s: WriteModel", c.name)
	}
}

// A model file of two support vectors, and its header.
const (
	libHeader = "svm_type c_svc\nkernel_type rbf\ngamma 0.5\nnr_class 2\ntotal_sv 2\nrho 0.25\nlabel 1 -1\nnr_sv 1 1\nSV\n"
	libTwo    = libHeader + "0.75 1:1\n-0.5 2:2\n"
)

// In a file f = Σ coef k(xᵥ, ·) − rho is positive for its first label, here for the larger label.
func TestReadModelSigns(t *testing.T) {
	for _, c := range []struct {
		name, old, new string
		sign           float64
	}{
		{"+1 first", "", "", 1},
		{"-1 first", "label 1 -1", "label -1 1", -1},
		{"labels 1 and 2", "label 1 -1", "label 1 2", -1},
		{"labels 1 and 0", "label 1 -1", "label 1 0", 1},
		{"probabilities", "label 1 -1", "label 1 -1\nprobA -1.5\nprobB nan", 1},
		{"CRLF", "\n", "\r\n", 1},
		{"lines in another order", "svm_type c_svc\nkernel_type rbf\n", "kernel_type rbf\nsvm_type c_svc\n", 1},
	} {
		text := strings.ReplaceAll(libTwo, c.old, c.new)
		m := must(ReadModel(strings.NewReader(text)))
		b := -0.25 * c.sign
		want := &Model[[]float64]{B: b, BLo: b, BHi: b, KKT: unknownKKT, Alpha: []float64{0.75, 0.5}, Func: Func[[]float64]{
			Kernel: RBF{0.5}, Points: [][]float64{{1, 0}, {0, 2}}, Coef: []float64{0.75 * c.sign, -0.5 * c.sign}}}
		equal(t, m, want, "%s: ReadModel", c.name)
		m = must(ReadModel(strings.NewReader(strings.Replace(text, "rho 0.25", "rho 0", 1))))
		equal(t, math.Float64bits(m.B), 0, "%s, with rho 0: bits of b, which is not −0", c.name)
	}
}

// What ReadModel refuses, at which line and column, and without allocating what a file only announces.
func TestReadModelErrors(t *testing.T) {
	for _, c := range []struct {
		name, old, new string
		line, column   int
		kind           error
		text           string
	}{
		{"empty", libTwo, "# nothing\n\n", 3, 1, io.ErrUnexpectedEOF, "SV"},
		{"regression", "c_svc", "epsilon_svr", 1, 10, ErrUnsupported, `"epsilon_svr"`},
		{"nu", "c_svc", "nu_svc", 1, 10, ErrUnsupported, `"nu_svc"`},
		{"one class", "c_svc", "one_class", 1, 10, ErrUnsupported, `"one_class"`},
		{"precomputed", "rbf", "precomputed", 2, 13, ErrUnsupported, `"precomputed"`},
		{"no svm_type", "svm_type c_svc\n", "", 8, 1, ErrSyntax, "svm_type"},
		{"no kernel_type", "kernel_type rbf\n", "", 8, 1, ErrSyntax, "kernel_type"},
		{"no gamma", "gamma 0.5\n", "", 8, 1, ErrSyntax, "gamma"},
		{"no degree", "kernel_type rbf\n", "kernel_type polynomial\ncoef0 0\n", 10, 1, ErrSyntax, "degree"},
		{"no coef0", "kernel_type rbf", "kernel_type sigmoid", 9, 1, ErrSyntax, "coef0"},
		{"degree 0", "kernel_type rbf\n", "kernel_type polynomial\ncoef0 0\ndegree 0\n", 4, 8, ErrUnsupported, "degree 0"},
		{"degree negative", "kernel_type rbf\n", "kernel_type polynomial\ncoef0 0\ndegree -1\n", 4, 8, ErrSyntax, "degree -1"},
		{"degree a fraction", "kernel_type rbf\n", "kernel_type polynomial\ncoef0 0\ndegree 1.5\n", 4, 8, ErrSyntax, "degree 1.5"},
		{"gamma 0", "gamma 0.5", "gamma 0", 3, 7, ErrUnsupported, "gamma 0"},
		{"gamma a word", "gamma 0.5", "gamma auto", 3, 7, ErrSyntax, `"auto"`},
		{"gamma negative", "gamma 0.5", "gamma -1", 3, 7, ErrUnsupported, "gamma -1"},
		{"gamma NaN", "gamma 0.5", "gamma nan", 3, 7, ErrNotFinite, "nan"},
		{"gamma empty", "gamma 0.5", "gamma", 3, 6, ErrSyntax, "gamma has 0 numbers, want 1"},
		{"two gammas", "gamma 0.5", "gamma 0.5 0.5", 3, 7, ErrSyntax, "gamma has 2 numbers, want 1"},
		{"gamma twice", "gamma 0.5", "gamma 0.5\ngamma 0.5", 4, 1, ErrSyntax, "gamma"},
		{"unknown line", "gamma 0.5", "gamma 0.5\nspam 1", 4, 1, ErrSyntax, `"spam"`},
		{"rho infinite", "rho 0.25", "rho -inf", 6, 5, ErrNotFinite, "-inf"},
		{"two rhos", "rho 0.25", "rho 0.25 1", 6, 5, ErrSyntax, "rho has 2"},
		{"no rho", "rho 0.25\n", "", 8, 1, ErrSyntax, "rho"},
		{"no label", "label 1 -1\n", "", 8, 1, ErrSyntax, "label"},
		{"a label twice", "label 1 -1", "label 1 1", 7, 7, ErrSyntax, "twice"},
		{"three labels", "label 1 -1", "label 1 -1 0", 7, 7, ErrSyntax, "label has 3 numbers, want 2"},
		{"no nr_class", "nr_class 2\n", "", 8, 1, ErrSyntax, "nr_class"},
		{"one class only", "nr_class 2", "nr_class 1", 4, 10, ErrUnsupported, "one class"},
		{"no class", "nr_class 2", "nr_class 0", 4, 10, ErrSyntax, "nr_class 0"},
		{"densities", "svm_type c_svc", "prob_density_marks 1 2\nsvm_type one_class", 2, 10, ErrUnsupported, `"one_class"`},
		{"absurdly many classes", "nr_class 2", "nr_class 2000000000", 7, 7, ErrSyntax, "label has 2 numbers, want 2000000000"},
		{"even more classes", "nr_class 2", "nr_class 1e300", 4, 10, ErrSyntax, "1e+300"},
		{"no nr_sv", "nr_sv 1 1\n", "", 8, 1, ErrSyntax, "nr_sv"},
		{"counts", "nr_sv 1 1", "nr_sv 2 1", 8, 7, ErrSyntax, "add up to 3"},
		{"negative count", "nr_sv 1 1", "nr_sv 3 -1", 8, 7, ErrSyntax, "nr_sv -1"},
		{"no total_sv", "total_sv 2\n", "", 8, 1, ErrSyntax, "total_sv"},
		{"absurdly many vectors", "total_sv 2", "total_sv 2000000000", 8, 7, ErrSyntax, "2000000000"},
		{"announced consistently", "total_sv 2\nrho 0.25\nlabel 1 -1\nnr_sv 1 1",
			"total_sv 2000000000\nrho 0.25\nlabel 1 -1\nnr_sv 1 1999999999", 12, 1, io.ErrUnexpectedEOF, "2 support vectors"},
		{"no SV", "SV\n", "", 9, 1, ErrSyntax, `"0.75"`},
		{"one vector more", "SV\n", "SV\n1 1:1\n", 12, 1, ErrSyntax, "total_sv is 2"},
		{"coefficient a word", "SV\n0.75", "SV\nx", 10, 1, ErrSyntax, `"x"`},
		{"coefficient infinite", "SV\n0.75", "SV\ninf", 10, 1, ErrNotFinite, "inf"},
		{"no coefficient", "SV\n0.75 ", "SV\n", 10, 1, ErrSyntax, `"1:1"`},
		{"coefficient of three classes", "0.75 1:1", "0.75 0.5 1:1", 10, 6, ErrSyntax, `"0.5"`},
		{"index 0", "2:2", "0:2", 11, 6, ErrIndex, "1-based"},
		{"absurd index", "2:2", "2000000000:2", 11, 6, ErrTooSparse, "2000000000"},
	} {
		in := strings.Replace(libTwo, c.old, c.new, 1)
		check(t, in != libTwo, "%s: no %q in the model", c.name, c.old)
		var err error
		n := allocated(func() { _, err = ReadModel(strings.NewReader(in)) })
		refusedAt(t, err, c.line, c.column, c.kind, c.text, "%s: ReadModel", c.name)
		check(t, n <= 1<<20, "%s: ReadModel of %d bytes allocated %d", c.name, len(in), n)
	}
	// Cut anywhere before its last line, a model is not read as a smaller one.
	for i := range strings.Index(libTwo, "-0.5 2:2") {
		refused(t, errOf(ReadModel(strings.NewReader(libTwo[:i]))), nil, "",
			"ReadModel of a model that ends in %q", libTwo[max(0, i-20):i])
	}
}

// Three classes, whose order in the file is not that of their labels: f of every machine, by hand.
func TestReadClassifierF6(t *testing.T) {
	const in = "svm_type c_svc\nkernel_type linear\nnr_class 3\ntotal_sv 4\nrho 0.5 0.25 -2\nlabel 5 9 2\nnr_sv 1 2 1\nSV\n" +
		"1 2 1:1\n-3 4 2:1\n0 5 1:2\n-6 -7 1:1 2:1\n"
	c := must(ReadClassifier(strings.NewReader(in)))
	equal(t, c.Labels, []float64{2, 5, 9}, "labels")
	// By hand, for x = (u, v): f(5, 9) = u − 3v − ½, f(5, 2) = 2u − 6(u + v) − ¼, f(9, 2) = 4v + 10u − 7(u + v) + 2,
	// each positive for the first; ours are positive for the larger label.
	byHand := func(x []float64) []float64 {
		u, v := x[0], x[1]
		return []float64{2*u - 6*(u+v) - 0.25, 4*v + 10*u - 7*(u+v) + 2, -(u - 3*v - 0.5)} // (2, 5), (2, 9), (5, 9)
	}
	for i, m := range c.machines {
		equal(t, m.model.Points, pick(c.points, m.at), "points of machine %d == points[at]", i)
	}
	refused(t, errOf(ReadModel(strings.NewReader(in))), ErrUnsupported, "ReadClassifier", "ReadModel of three classes")
	// Written and read again: the same machines, support vectors in ascending order of class.
	text := libText(WriteClassifier, c)
	want := "svm_type c_svc\nkernel_type linear\nnr_class 3\ntotal_sv 4\nrho -0.25 2 0.5\nlabel 2 5 9\nnr_sv 1 1 2\nSV\n" +
		"6 7 1:1 2:1\n-2 1 1:1\n-4 -3 2:1\n-5 0 1:2\n"
	equal(t, text, want, "WriteClassifier")
	again := must(ReadClassifier(strings.NewReader(text)))
	for _, x := range [][]float64{{1, 0}, {0, 1}, {-2, 3}, {0, 0}} {
		equal(t, libDecisions(c, x), byHand(x), "f of labels (2, 5), (2, 9), (5, 9) at %v", x)
		equal(t, libDecisions(again, x), byHand(x), "written and read again: f at %v", x)
	}
}

// libDecisions returns what each machine says of x.
func libDecisions(c *Classifier[[]float64, float64], x []float64) []float64 {
	return mapped(c.machines, func(m machine[[]float64]) float64 { return m.model.Decision(x) })
}

// Classifiers that LIBSVM does not have are not written.
func TestWriteClassifierErrors(t *testing.T) {
	const good = "svm_type c_svc\nkernel_type linear\nnr_class 3\ntotal_sv 3\nrho 0 0 0\nlabel 1 2 3\nnr_sv 1 1 1\nSV\n" +
		"1 1 1:1\n-1 1 1:2\n-1 -1 1:3\n"
	type classifier = Classifier[[]float64, float64]
	for _, c := range []struct {
		name  string
		spoil func(c *classifier)
		kind  error
		text  string
	}{
		{"fraction", func(c *classifier) { c.Labels[1] = 2.5 }, ErrUnsupported, ""},
		{"beyond an int", func(c *classifier) { c.Labels[2] = 1 << 31 }, ErrUnsupported, ""},
		{"infinite", func(c *classifier) { c.Labels[2] = math.Inf(1) }, ErrUnsupported, ""},
		{"one-vs-rest", func(c *classifier) { c.machines[0].neg = -1 }, ErrUnsupported, ""},
		{"two classes in one point", func(c *classifier) { c.machines[0].model.Coef[0] *= -1 }, ErrUnsupported, ""},
		{"coefficient", func(c *classifier) { c.machines[0].model.Coef[0] = math.Inf(-1) }, ErrNotFinite, ""},
		{"the last coefficient", func(c *classifier) { c.machines[2].model.Coef[1] = math.Inf(1) }, ErrNotFinite, "of support vector 2"},
		{"bias", func(c *classifier) { c.machines[2].model.B = math.NaN() }, ErrNotFinite, ""},
	} {
		cl := must(ReadClassifier(strings.NewReader(good)))
		c.spoil(cl)
		unwritten(t, func(w io.Writer) error { return WriteClassifier(w, cl) }, c.kind, c.text, "%s: WriteClassifier", c.name)
	}
}

// The largest degree and the largest labels are written and read, and one more is refused.
func TestModelFileLimits(t *testing.T) {
	var b bytes.Buffer
	m := &Model[[]float64]{Func: Func[[]float64]{Polynomial{math.MaxInt32, 1, 0}, [][]float64{{1}, {-1}}, []float64{1, -1}}}
	must(0, WriteModel(&b, m))
	equal(t, must(ReadModel(&b)).Kernel, m.Kernel, "kernel")
	b.Reset()
	c := must(TrainClassifier([][]float64{{-1}, {1}}, []float64{-math.MaxInt32, math.MaxInt32}, Linear{}, Options{}))
	must(0, WriteClassifier(&b, c))
	check(t, strings.Contains(b.String(), "\nlabel -2147483647 2147483647\n"), "file %q: want whole labels, as LIBSVM reads", &b)
	equal(t, must(ReadClassifier(&b)).Labels, c.Labels, "labels")
	c.Labels[1]++
	refused(t, WriteClassifier(&b, c), ErrUnsupported, "2.147483648e+09", "WriteClassifier with label 2³¹")
	// A support vector that speaks for one class in one machine and for another in the next.
	for _, two := range []struct{ coef, classes string }{{"1 -1", "1 and 3"}, {"-1 1", "2 and 1"}} {
		bad := must(ReadClassifier(strings.NewReader("svm_type c_svc\nkernel_type linear\nnr_class 3\ntotal_sv 1\nrho 0 0 0\n" +
			"label 1 2 3\nnr_sv 1 0 0\nSV\n" + two.coef + " 1:1\n")))
		refused(t, WriteClassifier(&b, bad), ErrUnsupported, "support vector 0 has the signs of two classes, "+two.classes,
			"WriteClassifier, coefficients %s", two.coef)
	}
}

// Whatever the bytes, ReadLIBSVM returns an error at a place in the file, or points that can be written and read again.
// It allocates memory in proportion to the bytes.
func FuzzReadLIBSVM(f *testing.F) {
	for _, in := range []string{
		"", "1 1:2 3:4\n-1 2:0.5\n", "1\r\n-1 qid:3 1:1e-400 # c\r\n", "0x1p-2 1:0x.8p1",
		"1 2000000000:1", "1 0:1 1:1", "1 2:1 2:1",
		"1 1:nan", "1 1:1e999", "+1 +1:-0", "1,2 1:1", "1 1:0,5", "1 1000000:0\n", "\ufeff1 1:1", "1 1048576:1\n1 1:1",
	} {
		f.Add([]byte(in))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		var xs [][]float64
		var labels []float64
		var err error
		n := allocated(func() { xs, labels, err = ReadLIBSVM(bytes.NewReader(in)) })
		// Eight bytes for each dense entry; a line of two bytes costs a label, a row and an end, doubled as slices grow.
		limit := uint64(8*freeCells + 1<<20 + (8*cellsPerByte+200)*len(in))
		check(t, n <= limit, "ReadLIBSVM of %d bytes allocated %d, want at most %d", len(in), n, limit)
		if err != nil {
			lines := bytes.SplitAfter(in, []byte("\n"))
			var p *ParseError
			check(t, errors.As(err, &p) && 1 <= p.Line && p.Line <= len(lines) && 1 <= p.Column && p.Column <= len(lines[p.Line-1])+1,
				"ReadLIBSVM = %v, want a *ParseError in the file", err)
			return
		}
		text := libPoints(xs, labels) // which panics unless there are as many labels as points
		if _, _, err := ReadLIBSVM(strings.NewReader(text)); errors.Is(err, ErrTooSparse) && len(xs)*len(xs[0]) > freeCells {
			return // comments and zeros made the first file large enough
		}
		readBack(t, text, xs, labels)
	})
}

// Whatever the bytes, the readers return an error, or a model that is written, read and written again to the same text.
func FuzzReadModel(f *testing.F) {
	three := "svm_type c_svc\nkernel_type polynomial\ndegree 2\ngamma 1\ncoef0 -1\nnr_class 3\ntotal_sv 3\n" +
		"rho 1 2 3\nlabel 3 1 2\nnr_sv 1 1 1\nSV\n1 1 1:1\n-1 1 2:1\n-1 -1 3:1\n"
	for _, in := range []string{
		"", libHeader, libHeader + "0.75 1:1\n-0.5 2:2\n", three, strings.Replace(three, "total_sv 3", "total_sv 2000000000", 1),
		strings.Replace(three, "nr_class 3", "nr_class 2000000000", 1), strings.Replace(three, "polynomial", "sigmoid", 1),
	} {
		f.Add([]byte(in))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		var c *Classifier[[]float64, float64]
		var err error
		n := allocated(func() { c, err = ReadClassifier(bytes.NewReader(in)) })
		limit := uint64(8*freeCells + 1<<20 + (8*cellsPerByte+400)*len(in))
		check(t, n <= limit, "ReadClassifier of %d bytes allocated %d, want at most %d", len(in), n, limit)
		m, err2 := ReadModel(bytes.NewReader(in))
		check(t, (err2 == nil) == (err == nil && len(c.Labels) == 2), "ReadClassifier = %v, ReadModel = %v", err, err2)
		if err2 == nil {
			rewrite(t, m, WriteModel, ReadModel)
		}
		if err == nil {
			rewrite(t, c, WriteClassifier, ReadClassifier)
		}
	})
}

// rewrite writes m, reads it, and checks that what was read is written the same.
func rewrite[M any](t *testing.T, m M, write func(io.Writer, M) error, read func(io.Reader) (M, error)) {
	t.Helper()
	if errors.Is(write(io.Discard, m), ErrUnsupported) {
		return // labels that are not integers, coefficients with the signs of another class
	}
	text := libText(write, m)
	again, err := read(strings.NewReader(text))
	if errors.Is(err, ErrTooSparse) {
		return
	}
	check(t, err == nil, "read again: %v\n%s", err, text)
	if err == nil {
		equal(t, libText(write, again), text, "written again")
	}
}

// LIBSVM's own programs.

// libProgram runs one of LIBSVM's programs, and reports false, with a message, when it is not installed.
func libProgram(t *testing.T, name string, args ...string) (ok bool) {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		t.Log("libsvm-tools not found: comparison not run")
		return false
	}
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s", name, args, err, out)
	}
	return true
}

// libFile writes a file for LIBSVM's programs and returns its name.
func libFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	must(0, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// libTrain returns the model that svm-train makes of a data file.
func libTrain(t *testing.T, data string, flags ...string) (model string, ok bool) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "model")
	if !libProgram(t, "svm-train", slices.Concat(flags, []string{"-q", libFile(t, data), out})...) {
		return "", false
	}
	return string(must(os.ReadFile(out))), true
}

// libPredict returns the lines that svm-predict prints, as fields, for a data file and a model.
func libPredict(t *testing.T, data, model string, flags ...string) (lines [][]string, ok bool) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out")
	if !libProgram(t, "svm-predict", slices.Concat(flags, []string{libFile(t, data), libFile(t, model), out})...) {
		return nil, false
	}
	for line := range strings.Lines(string(must(os.ReadFile(out)))) {
		lines = append(lines, strings.Fields(line))
	}
	return lines, true
}

// A libSet is a problem for svm-train.
type libSet struct {
	name   string
	xs     [][]float64
	labels []float64
}

// number reads a number.
func number(s string) float64 { return must(strconv.ParseFloat(s, 64)) }

// libSets returns problems of 60 points around a centre for each label; the labels first appear in the order given.
func libSets() []libSet {
	rng := rand.New(rand.NewPCG(5, 6))
	set := func(name string, d int, scale, fill float64, labels ...float64) libSet {
		xs, ys := labelled(60, func(i int) ([]float64, float64) {
			class := i % len(labels)
			x := make([]float64, d)
			for j := range x {
				if rng.Float64() < fill {
					x[j] = scale * (rng.NormFloat64() + 1.2*float64((class*(j+1))%3))
				}
			}
			return x, labels[class]
		})
		return libSet{name, xs, ys}
	}
	return []libSet{
		set("+1 first", 3, 1, 1, 1, -1),
		set("-1 first", 3, 1, 1, -1, 1),
		set("labels 0 and 1", 10, 1, 1, 0, 1),
		set("labels 2 and 1", 5, 1, 1, 2, 1),
		set("sparse", 60, 1, 0.1, -1, 1),
		set("huge", 4, 1e9, 1, 1, -1),
		set("tiny", 4, 1e-9, 1, -1, 1),
		set("one column", 1, 1, 1, 1, -1),
		set("three classes", 3, 1, 1, 7, -2, 3),
		set("four classes, sparse", 40, 1, 0.2, 2, 1, 4, 3),
	}
}

// gamma returns a γ for which γ x·z is about 1.
func (s libSet) gamma() float64 { return float64(len(s.xs)) / norm2(slices.Concat(s.xs...)) }

// libFlags returns flags of svm-train for each kernel and points of which γ x·z is about 1.
func libFlags(gamma float64) map[string][]string {
	g := fmt.Sprint(gamma)
	return map[string][]string{
		"linear":     {"-t", "0", "-c", g},
		"polynomial": {"-t", "1", "-d", "3", "-g", g, "-r", "0.5"},
		"rbf":        {"-t", "2", "-g", g, "-c", "10"},
		"sigmoid":    {"-t", "3", "-g", g, "-r", "-0.5"},
	}
}

// Models that svm-train makes are read here: Predict agrees with svm-predict at every point, unless votes tie; and if
// the model is written once more, there too. Of two-class models svm-predict shows f itself, its sign and its bias, by
// its probabilities, 1/(1 + e^(A·f + B)), where f > 0 for the first label.
func TestSVMTrainModels(t *testing.T) {
	for _, s := range libSets() {
		data := libPoints(s.xs, s.labels)
		two := len(slices.Compact(slices.Sorted(slices.Values(s.labels)))) == 2
		for kernel, flags := range libFlags(s.gamma()) {
			name := s.name + ", " + kernel
			if two {
				flags = append(flags, "-b", "1")
			}
			text, ok := libTrain(t, data, flags...)
			if !ok {
				return
			}
			c := WidenClassifier(must(ReadClassifier(strings.NewReader(text))), len(s.xs[0]))
			theirs, _ := libPredict(t, data, text)
			written, _ := libPredict(t, data, libText(WriteClassifier, c))
			for i, x := range s.xs {
				got := fmt.Sprint(c.Predict(x))
				equal(t, got, written[i][0], "%s, written again: class of point %d == svm-predict", name, i)
				check(t, got == theirs[i][0] || votesTie(c, x),
					"%s: point %d is of class %s, svm-predict: %s", name, i, got, theirs[i][0])
			}
			checkPairs(t, name, c, text, s.xs[:20])
			if two {
				comparePlatt(t, name, s.xs, data, text)
			}
		}
	}
}

// checkPairs compares the decision of every pair of classes with the formula of the format, evaluated from the text with
// maps for the points and math.Pow for powers.
func checkPairs(t *testing.T, name string, c *Classifier[[]float64, float64], text string, xs [][]float64) {
	t.Helper()
	header, body, _ := strings.Cut(text, "SV\n")
	kernel, h := "", map[string][]float64{"degree": {0}, "gamma": {0}, "coef0": {0}}
	for line := range strings.Lines(header) {
		switch f := strings.Fields(line); f[0] {
		case "svm_type":
		case "kernel_type":
			kernel = f[1]
		default:
			h[f[0]] = mapped(f[1:], number)
		}
	}
	labels, k := h["label"], len(h["label"])
	var class []int // of each support vector
	for i, n := range h["nr_sv"] {
		class = append(class, slices.Repeat([]int{i}, int(n))...)
	}
	coef, points := [][]float64{}, []map[int]float64{}
	for line := range strings.Lines(body) {
		f := strings.Fields(line)
		p := map[int]float64{}
		for _, v := range f[k-1:] {
			index, value, _ := strings.Cut(v, ":")
			p[int(number(index))] = number(value)
		}
		coef, points = append(coef, mapped(f[:k-1], number)), append(points, p)
	}
	eval := func(p map[int]float64, x []float64) float64 {
		dot, dist := 0.0, 0.0
		for j, v := range x {
			dot += v * p[j+1]
			dist += (v - p[j+1]) * (v - p[j+1])
		}
		switch u := h["gamma"][0]*dot + h["coef0"][0]; kernel {
		case "linear":
			return dot
		case "polynomial":
			return math.Pow(u, h["degree"][0])
		case "sigmoid":
			return math.Tanh(u)
		}
		return math.Exp(-h["gamma"][0] * dist)
	}
	for _, x := range xs {
		pair := 0
		for i := range k {
			for j := i + 1; j < k; j++ {
				f, size := -h["rho"][pair], math.Abs(h["rho"][pair])
				for v, p := range points {
					a := 0.0
					switch class[v] {
					case i:
						a = coef[v][j-1] * eval(p, x)
					case j:
						a = coef[v][i] * eval(p, x)
					}
					f += a
					size += math.Abs(a)
				}
				pair++
				at := slices.IndexFunc(c.machines, func(m machine[[]float64]) bool {
					return c.Labels[m.neg] == min(labels[i], labels[j]) && c.Labels[m.pos] == max(labels[i], labels[j])
				})
				f *= sign(labels[i] - labels[j]) // the file's is positive for i, ours for the larger label
				// Sums in another order; the powers and exponentials are good to some units in the last place.
				about(t, c.machines[at].model.Decision(x), f, 1e-13*size, "%s: f of labels %v, %v", name, labels[i], labels[j])
			}
		}
	}
}

// votesTie reports whether two labels have the most votes.
func votesTie(c *Classifier[[]float64, float64], x []float64) bool {
	votes := make([]int, len(c.Labels))
	for i, f := range libDecisions(c, x) {
		if f >= 0 {
			votes[c.machines[i].pos]++
		} else {
			votes[c.machines[i].neg]++
		}
	}
	slices.Sort(votes)
	return votes[len(votes)-1] == votes[len(votes)-2]
}

// comparePlatt compares svm-predict's probability of the larger label with the logistic function of Decision, to the six
// digits that it prints.
func comparePlatt(t *testing.T, name string, xs [][]float64, data, model string) {
	t.Helper()
	var a, b float64
	for line := range strings.Lines(model) {
		fmt.Sscanf(line, "probA %g", &a)
		fmt.Sscanf(line, "probB %g", &b)
	}
	m := must(ReadModel(strings.NewReader(model)))
	m.Points = Widen(m.Points, len(xs[0]))
	lines, _ := libPredict(t, data, model, "-b", "1") // the first line is: labels u v
	a *= sign(number(lines[0][1]) - number(lines[0][2]))
	spread := 0.0
	for i, x := range xs {
		f := m.Decision(x)
		about(t, 1/(1+math.Exp(a*f+b)), number(lines[i+1][1]), 1e-6,
			"%s: probability of label %s for point %d == svm-predict", name, lines[0][1], i)
		spread = max(spread, math.Abs(a*f))
	}
	check(t, spread >= 0.01, "%s: the probabilities hardly depend on f, |A·f| ≤ %v", name, spread)
}

// A model of svm-train of a kind that this package does not have is ErrUnsupported, with the name of the kind.
func TestSVMTrainUnsupported(t *testing.T) {
	xs, labels := [][]float64{{0.5, 1}, {1, 2}, {2, 1}, {-0.5, 0.3}, {-1, -1}, {-2, -1}}, []float64{1, 1, 1, -1, -1, -1}
	plain, alone := libPoints(xs, labels), libPoints(xs[:3], labels[:3])
	matrix := "1 0:1 1:2 2:1\n-1 0:2 1:1 2:2\n"
	for _, c := range []struct{ data, flags, text string }{
		{plain, "-s 1", `svm_type "nu_svc"`},
		{plain, "-s 1 -b 1", `svm_type "nu_svc"`},
		{plain, "-s 2", `svm_type "one_class"`},
		{plain, "-s 3", `svm_type "epsilon_svr"`},
		{plain, "-s 3 -b 1", `svm_type "epsilon_svr"`},
		{plain, "-s 4", `svm_type "nu_svr"`},
		{plain, "-t 1 -d 0", "degree 0"},
		{matrix, "-t 4", `kernel_type "precomputed"`},
		{alone, "-t 0", "model of one class"},
	} {
		model, ok := libTrain(t, c.data, strings.Fields(c.flags)...)
		if !ok {
			return
		}
		m, err := ReadModel(strings.NewReader(model))
		refused(t, err, ErrUnsupported, c.text, "svm-train %s: ReadModel", c.flags)
		check(t, m == nil, "svm-train %s: ReadModel = %v, want no model", c.flags, m)
	}
}

// A libProblem is a problem for both svm-train and Train.
type libProblem struct {
	xs     [][]float64
	ys     []float64
	kernel Kernel[[]float64]
	o      Options
	flags  []string
}

// libShort returns a number from 2ˡᵒ up to 2ʰⁱ that survives being written and read: some builds of svm-train read
// parameters in single precision, and write eight digits of a support vector.
func libShort(rng *rand.Rand, lo, hi int) float64 {
	return math.Ldexp(float64(8+rng.IntN(8))/8, lo+rng.IntN(hi-lo))
}

// libRandom returns a problem of 5 to 200 points in up to 10 dimensions, or for the sigmoid of fewer points in more. A
// sixth of the points repeat another, whatever its label, and a class may have one point only. C is from 10⁻³ to nearly
// 10⁴; every other problem has weights of the classes.
func libRandom(rng *rand.Rand, kernel int) (p libProblem) {
	n, d := 5+rng.IntN(196), 1+rng.IntN(10)
	if kernel == 3 { // of more points than dimensions the sigmoid is hardly ever a kernel
		n, d = 5+rng.IntN(26), 30+rng.IntN(10)
	}
	share, apart := []float64{0.5, 0.2, 0.05}[rng.IntN(3)], 2*rng.Float64()/math.Sqrt(float64(d))
	for i := range n {
		y := 1.0
		if i == 1 || i > 1 && rng.Float64() > share {
			y = -1
		}
		x := make([]float64, d)
		for f := range x {
			if rng.IntN(5) > 0 {
				x[f] = math.Round(8*(rng.NormFloat64()+y*apart)) / 8
			}
		}
		if i > 1 && rng.IntN(6) == 0 {
			x = p.xs[rng.IntN(i)]
		}
		p.xs, p.ys = append(p.xs, x), append(p.ys, y)
	}
	degree, gamma, coef := 2+rng.IntN(2), libShort(rng, -6, -2), float64(rng.IntN(9))/8
	switch kernel {
	case 0:
		p.kernel = Linear{}
	case 1:
		p.kernel = Polynomial{degree, gamma, coef}
	case 2:
		p.kernel = RBF{gamma}
	case 3:
		gamma, coef = gamma/32, 0
		p.kernel = Sigmoid{gamma, coef}
	}
	p.o.C = libShort(rng, -10, 13)
	p.flags = strings.Fields(fmt.Sprintf("-t %d -d %d -g %v -r %v -c %v", kernel, degree, gamma, coef, p.o.C))
	if rng.IntN(2) == 0 {
		weight := map[float64]float64{-1: libShort(rng, -2, 3), 1: libShort(rng, -2, 3)}
		p.flags = append(p.flags, "-w-1", fmt.Sprint(weight[-1]), "-w1", fmt.Sprint(weight[1]))
		p.o.Weights = mapped(p.ys, func(y float64) float64 { return weight[y] })
	}
	return p
}

// dual returns the dual objective of a model that was read, less what it gains by not being feasible. Its coefficients
// have been added up in many steps and rounded to sixteen digits: they may sum to s ≠ 0, and exceed Cᵢ by eᵢ. But
//
//	Σα − ½βᵀKβ ≤ ½‖w‖² + Σ αᵢ(1 − yᵢf(xᵢ)) + bs ≤ ½‖w‖² + Σ Cᵢξᵢ + Σ eᵢξᵢ + bs
//
// for any plane f [½‖w − Σβⱼφ(xⱼ)‖² ≥ 0; αᵢ ≤ Cᵢ + eᵢ and 1 − yᵢf(xᵢ) ≤ ξᵢ]. The last two terms, for the plane given,
// bound that gain. Ten million steps and a rounding leave no more than 1e-9 of Σα and C.
func (p libProblem) dual(t *testing.T, m, plane *Model[[]float64]) float64 {
	t.Helper()
	v, s, sum := -m.Inner(m.Func)/2, 0.0, 0.0
	for i, x := range m.Points {
		alpha, y := math.Abs(m.Coef[i]), sign(m.Coef[i])
		c := p.o.price(slices.Index(p.ys, y))
		atMost(t, alpha, c*(1+1e-9), "flags %q: coefficient <= C", p.flags)
		v += alpha - max(0, alpha-c)*HingeLoss(y*plane.Decision(x))
		s += m.Coef[i]
		sum += alpha
	}
	about(t, s, 0, 1e-9*sum, "flags %q: sum of the coefficients", p.flags)
	return v - plane.B*s
}

// B3: "The difference is the duality gap, a certificate of how far any answer can be from optimal". On random problems
// no model of svm-train has an objective above our certificate, computed from the files in double precision. And no
// objective of ours is below that of svm-train by more than 1e-6 of it: with tolerance ε and b in the middle of what
// (E2) leaves,
//
//	D* − D ≤ Σ (gᵢ − b)(βᵢ* − βᵢ) ≤ ½ε Σ(αᵢ* + αᵢ) ≤ 2ε D*    to first order
//
// [D is concave and Σβ = Σβ*; gᵢ − b ≤ ½ε where βᵢ may rise, ≥ −½ε where it may fall; so βᵀKβ = Σβ(y − g) ≤ (1 + ½ε)Σα,
// and Σα ≤ 2D]. For svm-train this is 2e-3, unless it gives up or is led astray by its single-precision rows, which is
// rare. Train goes on to ε = 1e-6 where that takes no time, as on problems of this size.
func TestSVMTrainObjectivesB3(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 200))
	lost := 0
	for i := range 200 {
		p := libRandom(rng, i%4)
		for i%4 == 3 && !kernelPSD(GramMatrix(p.kernel, p.xs)) {
			p = libRandom(rng, 3)
		}
		data := libPoints(p.xs, p.ys)
		model, ok := libTrain(t, data, p.flags...)
		if !ok {
			return
		}
		m := must(Train(p.xs, p.ys, p.kernel, p.o))
		theirs, ours := p.read(model), p.read(libText(WriteModel, m))
		their, our := p.dual(t, theirs, ours), p.dual(t, ours, ours)
		rounding := roundingTol * our
		atMost(t, their-our, 1e-6*our,
			"problem %d, %T%+v, flags %q: objective of svm-train less ours", i, p.kernel, p.kernel, p.flags)
		atMost(t, their, m.KKT.Primal+rounding, "problem %d, flags %q: objective of svm-train <= our certificate", i, p.flags)
		if our-their > 2e-3*our {
			lost++
		}
		p.compareLabels(t, m, max(m.KKT.Primal-their, rounding), data, model)
	}
	check(t, lost <= 10, "%d of 200 objectives of svm-train are low by more than its tolerance explains", lost)
}

// compareLabels runs svm-predict on the data of p. Its labels differ from those of m only where |f| is less than
// svm-train's tolerance plus what the gap between the two leaves open, by the square that the inequality of dual drops,
//
//	½‖w − w′‖² ≤ gap,    |f(x) − f′(x)| ≤ ‖w − w′‖ √k(x, x) + |b − b′|,
//
// where b and b′ are known as precisely as w·φ(xᵢ) for free support vectors.
func (p libProblem) compareLabels(t *testing.T, m *Model[[]float64], gap float64, data, model string) {
	t.Helper()
	near := 1e-3 + 2*math.Sqrt(2*gap*slices.Max(squaresOf(p.kernel, p.xs)))
	lines, _ := libPredict(t, data, model)
	for i, x := range p.xs {
		f := m.Decision(x)
		check(t, lines[i][0] == fmt.Sprint(sign(f)) || math.Abs(f) <= near,
			"%T%+v, flags %q: f(point %d) = %v, svm-predict: %s, want |f| ≤ %v", p.kernel, p.kernel, p.flags, i, f, lines[i][0], near)
	}
}

// read returns the model in a file, with the kernel and the dimension that the problem has.
func (p libProblem) read(text string) *Model[[]float64] {
	m := must(ReadModel(strings.NewReader(text)))
	m.Kernel, m.Points = p.kernel, Widen(m.Points, len(p.xs[0]))
	return m
}

// svm-predict reads the models written here, whatever their coefficients, and predicts the same label for every point.
func TestSVMPredictReads(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, k := range libKernels {
		for _, scale := range []float64{1, 1e-150, 1e100} {
			m := libModel(rng, k, 12, 6)
			for v, x := range m.Points { // extreme magnitudes of the first column cancel those of the test points
				x[0] *= scale
				m.Coef[v] = float64(1-v%2*2) * (1 + rng.Float64())
			}
			test := libModel(rng, k, 40, 6).Points
			for _, x := range test {
				x[0] /= scale
				if _, ok := k.(RBF); ok && scale > 1 {
					x[0] *= scale * scale // distances, not products
				}
			}
			lines, ok := libPredict(t, libPoints(test, make([]float64, len(test))), libText(WriteModel, m))
			if !ok {
				return
			}
			for p, x := range test {
				equal(t, fmt.Sprint(m.Predict(x)), lines[p][0],
					"%T%+v, scale %g: label of point %d, f = %v == svm-predict", k, k, scale, p, m.Decision(x))
			}
		}
	}
}

// Classifiers trained here predict the same labels here, with svm-predict, and after they are read back.
func TestSVMPredictTrained(t *testing.T) {
	for _, s := range libSets() {
		gamma := s.gamma()
		for _, k := range []DotKernel{Linear{}, Polynomial{Degree: 2, Gamma: gamma, Coef: 1}, RBF{gamma}, Sigmoid{gamma / 4, -0.5}} {
			o := Options{C: 1}
			if k == (Linear{}) {
				o.C = gamma
			}
			predictTrained(t, s.name, s.xs, s.labels, k.(Kernel[[]float64]), o, ReadClassifier)
			for _, stride := range []int32{1, 30_000_000} {
				predictTrained(t, s.name+", sparse", sparseOf(s.xs, stride), s.labels, OnSparse(k), o, ReadSparseClassifier)
			}
		}
	}
	predictTrained(t, "large labels", [][]float64{{0}, {1}, {5}, {6}}, []float64{-2e6, -2e6, 1e6, 3e6}, RBF{}, Options{},
		ReadClassifier)
	xs, ys := documents(3, 100, 1<<20, 50)
	for _, k := range []DotKernel{Linear{}, RBF{0.02}} {
		predictTrained(t, "documents", xs, ys, OnSparse(k), Options{}, ReadSparseClassifier)
	}
}

// predictTrained trains a classifier, and compares its labels with those of svm-predict and of what is read back.
func predictTrained[X []float64 | Sparse](t *testing.T, name string, xs []X, labels []float64, k Kernel[X], o Options,
	read func(io.Reader) (*Classifier[X, float64], error)) {
	t.Helper()
	c, err := TrainClassifier(xs, labels, k, o)
	if err != nil && !errors.Is(err, ErrIndefinite) && !errors.Is(err, ErrNotConverged) { // Sigmoid is no kernel
		t.Fatalf("%s, %+v: TrainClassifier = %v", name, k, err)
	}
	text := libText(WriteClassifier, c)
	again := must(read(strings.NewReader(text)))
	lines, ok := libPredict(t, libPoints(xs, labels), text)
	for p, x := range xs {
		want := c.Predict(x)
		equal(t, again.Predict(x), want, "%s, %+v, read back: class of point %d", name, k, p)
		if ok {
			equal(t, lines[p][0], strconv.FormatFloat(want, 'f', -1, 64), "%s, %+v, svm-predict: class of point %d", name, k, p)
		}
	}
	if slices.Equal(c.Labels, []float64{-1, 1}) {
		equal(t, libText(WriteModel, c.machines[0].model), text, "%s, %+v: WriteModel == WriteClassifier", name, k)
	}
}

// A1: "label by sign, with sgn(0) = +1", and svm-predict agrees on the plane, f = 0, exactly. F6: "ties broken the same
// way every time", and as svm-predict does: one vote for each of three classes.
func TestSVMPredictTiesA1F6(t *testing.T) {
	m := &Model[[]float64]{B: -1, Func: Func[[]float64]{Linear{}, [][]float64{{1, 0}, {0, 1}}, []float64{1, -1}}}
	xs := [][]float64{{1, 0}, {3, 2}, {0, 0}, {2, 0}}
	lines, ok := libPredict(t, libPoints(xs, make([]float64, 4)), libText(WriteModel, m))
	if !ok {
		return
	}
	for i, want := range []string{"1", "1", "-1", "1"} {
		equal(t, fmt.Sprint(m.Predict(xs[i])), want, "Predict(%v)", xs[i])
		equal(t, lines[i][0], want, "svm-predict for %v", xs[i])
	}

	// f(x) = rho alone at x = 0: each of the labels 8, 5, 6 gets one vote.
	c := must(ReadClassifier(strings.NewReader("svm_type c_svc\nkernel_type linear\nnr_class 3\ntotal_sv 3\nrho -1 1 -1\n" +
		"label 8 5 6\nnr_sv 1 1 1\nSV\n" +
		"1 1 1:1\n-1 1 2:1\n-1 -1 3:1\n")))
	zero := [][]float64{{0, 0, 0}}
	lines, _ = libPredict(t, libPoints(zero, []float64{0}), libText(WriteClassifier, c))
	equal(t, c.Predict(zero[0]), 5, "one vote for each of 5, 6, 8: Predict")
	equal(t, lines[0][0], "5", "one vote for each of 5, 6, 8: svm-predict")
}

// The exact oracle.
//
// The signed dual (B2)
//
//	D(β) = pᵀβ − ½βᵀKβ  →  max     subject to   lo ≤ β ≤ hi,  Σβ = s,     K positive semidefinite,
//
// is solved in rational arithmetic by trying every active set: each βᵢ is at lo, at hi, or free. With the free ones
// F and the others B known, what KKT (B5) leaves is linear:
//
//	K_FF β_F + b·1 = p_F − K_FB β_B,     1ᵀβ_F = s − 1ᵀβ_B.                                          (X1)
//
// Where the solution is within the box, and gᵢ = pᵢ − (Kβ)ᵢ satisfies gᵢ ≤ b at lo, gᵢ ≥ b at hi, it is optimal.
//
// Lemma 1. Singular systems (X1) may be skipped if no variable is unbounded on both sides. Take an optimal β with the
// fewest free variables, and (d, e) ≠ 0 with K_FF d + e·1 = 0, 1ᵀd = 0. Then dᵀK_FF d = 0, hence Kd = 0 [K is PSD],
// hence e = 0, d ≠ 0. Moving along d changes neither Kβ nor Σβ, and D by t·pᵀd = t·gᵀd = t·b·1ᵀd = 0: all points of the
// line within the box are optimal. The line leaves the box [d has entries of both signs, and each variable has a finite
// bound]. At that point one variable fewer is free: a contradiction.
//
// Lemma 2. The values D* and g, and the interval of b, do not depend on which optimal β was found. [D is
// concave: ½(β + β′) is optimal too, so ‖β − β′‖_K = 0 and Kβ = Kβ′; the b are the multipliers of Σβ = s, and optimal
// points and multipliers of a convex program are the product of two sets.]
//
// Lemma 3. If there is no optimum, a feasible program is unbounded [Frank and Wolfe 1956], and there is a ray d:
//
//	Kd = 0,  Σd = 0,  pᵀd > 0,  dᵢ ≤ 0 where hiᵢ < ∞,  dᵢ ≥ 0 where loᵢ > −∞,                         (X2)
//
// even one whose support S is minimal, so that (K_·S; 1ᵀ) d_S = 0 has no other solution but its multiples
// [every ray is a sum of such ones with no signs opposed; one of them has pᵀd > 0].
//
// An optimum and a ray exclude each other, each is verified exactly, and the search always finds one of them. So its
// order is free, and it may begin with a guess made in floating point.

// exactAnswer is what exactDual found: an optimum, or a ray (X2), or that no feasible β has Σβ = s.
type exactAnswer struct {
	beta       []*big.Rat // optimal
	grad       []*big.Rat // p − Kβ
	objective  *big.Rat
	bLo, bHi   *big.Rat // the interval of b; nil is infinite
	ray        []*big.Rat
	infeasible bool
}

// The states of a variable in an active set.
const (
	exactAtLo = iota
	exactAtHi
	exactFree
)

// exactDual solves d, whose K is a PSD *Matrix, exactly. It tries the active set at which textbookSMO ends, which is
// usually the right one, then all 2ⁿ supports of rays and all 3ⁿ active sets: n has to be small.
func exactDual(d Dual) *exactAnswer {
	n := len(d.P)
	if d.Sum < total(d.Lo) || d.Sum > total(d.Hi) {
		return &exactAnswer{infeasible: true}
	}
	guess, states := make([]int64, n), make([][]int64, n)
	for i, v := range textbookSMO(d, 1e-9, 100).Beta {
		switch v {
		case d.Lo[i]:
			guess[i] = exactAtLo
		case d.Hi[i]:
			guess[i] = exactAtHi
		default:
			guess[i] = exactFree
		}
		wide := d.Lo[i] < d.Hi[i] // else β is fixed, and counts as at lo
		for s, allowed := range [3]bool{!math.IsInf(d.Lo[i], 0), wide && !math.IsInf(d.Hi[i], 0), wide} {
			if allowed {
				states[i] = append(states[i], int64(s))
			}
		}
	}
	a := exactTry(d, guess)
	if a != nil {
		return a
	}
	if ray := exactRay(d); ray != nil {
		return &exactAnswer{ray: ray}
	}
	kernelGrid(states, func(state []int64) {
		if a == nil {
			a = exactTry(d, state)
		}
	})
	if a == nil {
		panic("exactDual: neither an optimum nor a ray")
	}
	return a
}

// exactTry solves (X1) for the active set and returns its solution if it is optimal, else nil.
func exactTry(d Dual, state []int64) *exactAnswer {
	k, n := d.K.(*Matrix), len(d.P)
	beta, free := make([]*big.Rat, n), []int(nil)
	for i, s := range state {
		beta[i] = new(big.Rat)
		switch s {
		case exactAtLo:
			beta[i].SetFloat64(d.Lo[i])
		case exactAtHi:
			beta[i].SetFloat64(d.Hi[i])
		case exactFree:
			free = append(free, i)
		}
	}
	sum, grad := ratSum(beta), exactGrad(d, beta)
	if len(free) == 0 && sum.Cmp(ratOf(d.Sum)) != 0 {
		return nil
	}
	if m := len(free); m > 0 {
		rows := make([][]*big.Rat, m+1) // (X1), the right side last; β_F = 0 so far, so grad_F is p_F − K_FB β_B
		for r, i := range free {
			for _, j := range free {
				rows[r] = append(rows[r], ratOf(k.At(i, j)))
			}
			rows[r] = append(rows[r], ratOf(1), grad[i])
			rows[m] = append(rows[m], ratOf(1))
		}
		rows[m] = append(rows[m], ratOf(0), sum.Sub(ratOf(d.Sum), sum))
		if pivots := ratReduce(rows); len(pivots) < m+1 || pivots[m] > m {
			return nil // singular: Lemma 1
		}
		for r, i := range free {
			beta[i] = rows[r][m+1]
		}
		grad = exactGrad(d, beta)
	}
	for i, v := range beta {
		if below, above := exactRoom(d, i, v); below < 0 || above < 0 {
			return nil
		}
	}
	a := &exactAnswer{beta: beta, grad: grad, objective: exactValue(d, beta)}
	a.bLo, a.bHi = exactInterval(d, beta, grad)
	if a.bLo != nil && a.bHi != nil && a.bLo.Cmp(a.bHi) > 0 {
		return nil
	}
	return a
}

// exactInterval returns max g over the βᵢ that may rise and min g over those that may fall (E2), nil over none.
func exactInterval(d Dual, beta, g []*big.Rat) (up, low *big.Rat) {
	for i, v := range beta {
		below, above := exactRoom(d, i, v)
		if above > 0 && (up == nil || g[i].Cmp(up) > 0) {
			up = g[i]
		}
		if below > 0 && (low == nil || g[i].Cmp(low) < 0) {
			low = g[i]
		}
	}
	return up, low
}

// exactRoom returns the signs of βᵢ − loᵢ and hiᵢ − βᵢ.
func exactRoom(d Dual, i int, v *big.Rat) (below, above int) {
	below, above = 1, 1
	if !math.IsInf(d.Lo[i], 0) {
		below = v.Cmp(ratOf(d.Lo[i]))
	}
	if !math.IsInf(d.Hi[i], 0) {
		above = ratOf(d.Hi[i]).Cmp(v)
	}
	return below, above
}

// exactRay returns a ray (X2) of minimal support, or nil if there is none.
func exactRay(d Dual) []*big.Rat {
	k, n := d.K.(*Matrix), len(d.P)
	for set := 1; set < 1<<n; set++ {
		support := where(upTo[int](n), func(i int) bool { return set>>i&1 != 0 })
		rows := make([][]*big.Rat, n+1)
		for _, j := range support {
			for i := range n {
				rows[i] = append(rows[i], ratOf(k.At(i, j)))
			}
			rows[n] = append(rows[n], ratOf(1))
		}
		m := len(support)
		if pivots := ratReduce(rows); len(pivots) != m-1 || m > 1 && pivots[m-2] != m-2 {
			continue // not one-dimensional, or zero at the last of S
		}
		ray := ratsOf(make([]float64, n))
		ray[support[m-1]].SetInt64(1)
		for r, j := range support[:m-1] {
			ray[j].Neg(rows[r][m-1])
		}
		if ratDot(ratsOf(d.P), ray).Sign() < 0 {
			for _, v := range ray {
				v.Neg(v)
			}
		}
		if exactIsRay(d, ray) {
			return ray
		}
	}
	return nil
}

// exactIsRay checks (X2).
func exactIsRay(d Dual, ray []*big.Rat) bool {
	k := d.K.(*Matrix)
	for i, v := range ray {
		if ratDot(ratsOf(k.Row(i)), ray).Sign() != 0 ||
			v.Sign() > 0 && !math.IsInf(d.Hi[i], 1) || v.Sign() < 0 && !math.IsInf(d.Lo[i], -1) {
			return false
		}
	}
	return ratSum(ray).Sign() == 0 && ratDot(ratsOf(d.P), ray).Sign() > 0
}

// exactGrad returns g = p − Kβ.
func exactGrad(d Dual, beta []*big.Rat) []*big.Rat {
	k, g := d.K.(*Matrix), ratsOf(d.P)
	for i := range g {
		g[i].Sub(g[i], ratDot(ratsOf(k.Row(i)), beta))
	}
	return g
}

// exactValue returns D(β) = ½(p + g)ᵀβ.
func exactValue(d Dual, beta []*big.Rat) *big.Rat {
	v := ratDot(ratsOf(d.P), beta)
	v.Add(v, ratDot(exactGrad(d, beta), beta))
	return v.Mul(v, big.NewRat(1, 2))
}

// ratReduce brings the rows to reduced echelon form by Gauss–Jordan elimination and returns the pivots' columns.
func ratReduce(rows [][]*big.Rat) (pivots []int) {
	t := new(big.Rat)
	for c := 0; c < len(rows[0]) && len(pivots) < len(rows); c++ {
		p := len(pivots)
		q := p
		for q < len(rows) && rows[q][c].Sign() == 0 {
			q++
		}
		if q == len(rows) {
			continue
		}
		rows[p], rows[q] = rows[q], rows[p]
		inverse := new(big.Rat).Inv(rows[p][c])
		rows[p] = mapped(rows[p], func(v *big.Rat) *big.Rat { return new(big.Rat).Mul(v, inverse) })
		for r := range rows {
			if f := rows[r][c]; r != p && f.Sign() != 0 {
				for j := c; j < len(rows[r]); j++ {
					rows[r][j] = new(big.Rat).Sub(rows[r][j], t.Mul(f, rows[p][j]))
				}
			}
		}
		pivots = append(pivots, c)
	}
	return pivots
}

// ratOf returns the rational number that x is, exactly.
func ratOf(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

func ratsOf(xs []float64) []*big.Rat { return mapped(xs, ratOf) }

func ratFloat(r *big.Rat) float64 {
	f, _ := r.Float64()
	return f
}

func ratSum(x []*big.Rat) *big.Rat {
	s := new(big.Rat)
	for _, v := range x {
		s.Add(s, v)
	}
	return s
}

func ratDot(x, y []*big.Rat) *big.Rat {
	s, t := new(big.Rat), new(big.Rat)
	for i := range x {
		s.Add(s, t.Mul(x[i], y[i]))
	}
	return s
}

// Every solver, on every condition.

// textbookSMO is SMO as in textbooks: all of K in memory, the pair that violates KKT most, the closed form (E1), and
// nothing else. It is the oracle for everything that makes SMO fast. A step takes O(n). It stops when max_up g −
// min_low g ≤ tol (E2), after maxIter steps, or, with Objective +Inf, where D is unbounded along a pair.
//
// Invariant: lo ≤ β ≤ hi, Σβ = s, g = p − Kβ. A step moves t ≥ 0 from βⱼ to βᵢ, which changes D by
//
//	φ(t) = t(gᵢ − gⱼ) − ½t²η,   η = K_ii + K_jj − 2K_ij ≥ 0,
//
// largest at t = (gᵢ − gⱼ)/η, or at the end of the box before that; φ is concave, φ(0) = 0, φ′(0) > 0: D rises.
func textbookSMO(d Dual, tol float64, maxIter int) *DualSolution {
	k, n := d.K.(*Matrix), len(d.P)
	s := &DualSolution{Beta: make([]float64, n)}
	rest := d.Sum
	for i := range s.Beta { // the feasible point nearest to zero, then the missing sum, first come first served
		s.Beta[i] = math.Max(d.Lo[i], math.Min(0, d.Hi[i]))
		rest -= s.Beta[i]
	}
	for i, v := range s.Beta {
		s.Beta[i] = math.Max(d.Lo[i], math.Min(v+rest, d.Hi[i]))
		rest -= s.Beta[i] - v
	}
	g := gradient(d, s.Beta)
	for ; ; s.Iterations++ {
		i, j := -1, -1
		s.BLo, s.BHi = math.Inf(-1), math.Inf(1)
		for m, v := range s.Beta {
			if v < d.Hi[m] && g[m] > s.BLo {
				i, s.BLo = m, g[m]
			}
			if v > d.Lo[m] && g[m] < s.BHi {
				j, s.BHi = m, g[m]
			}
		}
		s.Violation = math.Max(0, s.BLo-s.BHi)
		if s.Violation <= tol || s.Iterations == maxIter {
			break
		}
		roomI, roomJ := d.Hi[i]-s.Beta[i], s.Beta[j]-d.Lo[j]
		t := math.Min(roomI, roomJ)
		if eta := k.At(i, i) + k.At(j, j) - 2*k.At(i, j); eta > 0 {
			t = math.Min(t, (g[i]-g[j])/eta)
		}
		if math.IsInf(t, 1) {
			s.Objective = t
			return s
		}
		s.Beta[i], s.Beta[j] = s.Beta[i]+t, s.Beta[j]-t
		if t == roomI {
			s.Beta[i] = d.Hi[i]
		}
		if t == roomJ {
			s.Beta[j] = d.Lo[j]
		}
		axpy(g, -t, k.Row(i))
		axpy(g, t, k.Row(j))
	}
	if s.B = (s.BLo + s.BHi) / 2; math.IsInf(s.BLo, 0) || math.IsInf(s.BHi, 0) {
		s.B = max(s.BLo, min(0, s.BHi))
	}
	s.BLo, s.BHi = min(s.BLo, s.BHi), max(s.BLo, s.BHi)
	s.Objective = (Dot(d.P, s.Beta) + Dot(g, s.Beta)) / 2
	return s
}

// oracleToy is a problem whose answer is known in closed form.
type oracleToy struct {
	name string
	oracleData
	kernel   Kernel[[]float64]
	c        float64
	weights  []float64
	alpha    []float64 // nil where K leaves a choice
	bLo, bHi float64   // the b that KKT allow
	value    float64   // of the dual and of the primal; +Inf: the hulls meet
}

type oracleData struct {
	xs [][]float64
	ys []float64
}

// Points that are in several problems, and a kernel.
var (
	oracleQuadratic = Polynomial{Degree: 2, Coef: 1}

	oracleTwo       = oracleData{[][]float64{{2, 0}, {0, 0}}, []float64{1, -1}}
	oracleUnit      = oracleData{[][]float64{{0}, {1}}, []float64{1, -1}}
	oracleThreshold = oracleData{[][]float64{{-2}, {-1}, {1}, {3}}, []float64{-1, -1, 1, 1}}
	oracleBetween   = oracleData{[][]float64{{-1}, {0}, {1}}, []float64{1, -1, 1}}
	oracleSquare    = oracleData{[][]float64{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}}, []float64{1, 1, -1, -1}}
	oracleXOR       = oracleData{[][]float64{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}}, []float64{1, -1, -1, 1}}
	oraclePlace     = oracleData{[][]float64{{3}, {3}}, []float64{1, -1}}
	oracleDropped   = oracleData{[][]float64{{2, 0}, {0, 0}, {0, 0}}, []float64{1, -1, 1}}
)

// Two points at distance Δ, one of each class: D(α) = 2α − ½α²Δ², so α = min(C, 2/Δ²), w = α(x₊ − x₋), and b is
// what makes f = ±1 there, or, at α = C, what keeps f(x₊) ≤ 1 and f(x₋) ≥ −1. Several rows are this
// problem in disguise. In the others symmetry leaves one unknown.
var oracleToys = []oracleToy{
	{"two points", oracleTwo, Linear{}, 10, nil, []float64{0.5, 0.5}, -1, -1, 0.5},
	{"two points, hard", oracleTwo, Linear{}, math.Inf(1), nil, []float64{0.5, 0.5}, -1, -1, 0.5},
	{"two points, C just reached", oracleTwo, Linear{}, 0.5, nil, []float64{0.5, 0.5}, -1, -1, 0.5},
	{"two points, both bound", oracleTwo, Linear{}, 0.25, nil, []float64{0.25, 0.25}, -1, 0, 0.375},          // w = (½, 0)
	{"two points, one free", oracleTwo, Linear{}, 1, []float64{1, 0.25}, []float64{0.25, 0.25}, 0, 0, 0.375}, // f(x₊) = 1
	{"two points of the plane, hard", oracleData{[][]float64{{1, 2}, {4, 6}}, []float64{-1, 1}}, Linear{}, math.Inf(1), nil,
		[]float64{0.08, 0.08}, -1.88, -1.88, 0.08}, // Δ = (3, 4), the middle is (2.5, 4)
	{"two points, Gaussian, hard", oracleData{[][]float64{{0, 0}, {1, 1}}, []float64{1, -1}}, RBF{Gamma: 0.5}, math.Inf(1), nil,
		[]float64{1 / (1 - math.Exp(-1)), 1 / (1 - math.Exp(-1))}, 0, 0, 1 / (1 - math.Exp(-1))},
	{"two points, Gaussian", oracleUnit, RBF{Gamma: math.Ln2}, 10, nil, []float64{2, 2}, 0, 0, 2}, // Δ² = 2 − 2·½ = 1
	{"two points, Gaussian, bound", oracleUnit, RBF{Gamma: math.Ln2}, 1, nil, []float64{1, 1}, -0.5, 0.5, 1.5},
	{"threshold", oracleThreshold, Linear{}, 10, nil, []float64{0, 0.5, 0.5, 0}, 0, 0, 0.5},
	{"threshold, hard", oracleThreshold, Linear{}, math.Inf(1), nil, []float64{0, 0.5, 0.5, 0}, 0, 0, 0.5},
	{"threshold, all bound", oracleData{[][]float64{{-2}, {-1}, {1}, {2}}, []float64{-1, -1, 1, 1}}, Linear{}, 0.0625, nil,
		[]float64{0.0625, 0.0625, 0.0625, 0.0625}, -0.25, 0.25, 0.1796875}, // w = ⅜; f(±2) = ±¾ + b, D = ¼ − ½w²
	{"collinear", oracleData{[][]float64{{0}, {1}, {3}}, []float64{1, 1, -1}}, Linear{}, 10, nil,
		[]float64{0, 0.5, 0.5}, 2, 2, 0.5},
	{"collinear, inseparable", oracleBetween, Linear{}, 1, nil, []float64{0.5, 1, 0.5}, 1, 1, 2}, // w = 0, f = 1, one ξ = 2
	{"collinear, inseparable, hard", oracleBetween, Linear{}, math.Inf(1), nil, nil, 0, 0, math.Inf(1)},
	{"triangle, hard", oracleData{[][]float64{{0, 1}, {0, -1}, {-2, 0}}, []float64{1, 1, -1}}, Linear{}, math.Inf(1), nil,
		[]float64{0.25, 0.25, 0.5}, 1, 1, 0.5}, // the nearest points of the hulls are (0, 0) and (−2, 0)
	{"square", oracleSquare, Linear{}, 10, nil, nil, 0, 0, 0.5}, // w = (1, 0)
	{"square, hard", oracleSquare, Linear{}, math.Inf(1), nil, nil, 0, 0, 0.5},
	{"XOR", oracleXOR, oracleQuadratic, 10, nil, []float64{0.125, 0.125, 0.125, 0.125}, 0, 0, 0.25}, // (Ky)ᵢ = (9 − 1)yᵢ
	{"XOR, hard", oracleXOR, oracleQuadratic, math.Inf(1), nil, []float64{0.125, 0.125, 0.125, 0.125}, 0, 0, 0.25},
	{"XOR, all bound", oracleXOR, oracleQuadratic, 0.0625, nil,
		[]float64{0.0625, 0.0625, 0.0625, 0.0625}, -0.5, 0.5, 0.1875}, // f = ±½ + b
	{"XOR, linear", oracleXOR, Linear{}, 1, nil, []float64{1, 1, 1, 1}, -1, 1, 4}, // w = 0
	{"XOR, linear, hard", oracleXOR, Linear{}, math.Inf(1), nil, nil, 0, 0, math.Inf(1)},
	{"one place, both labels", oraclePlace, Linear{}, 1, nil, []float64{1, 1}, -1, 1, 2}, // w = 0, ξ₁ + ξ₂ = 2
	{"one place, both labels, weights", oraclePlace, Linear{}, 1, []float64{2, 1},
		[]float64{1, 1}, 1, 1, 2}, // the light one has all the slack
	{"one place, both labels, hard", oraclePlace, Linear{}, math.Inf(1), nil, nil, 0, 0, math.Inf(1)},
	{"a copy", oracleData{[][]float64{{2}, {2}, {0}}, []float64{1, 1, -1}}, Linear{}, 10, nil,
		nil, -1, -1, 0.5},
	{"a dropped point", oracleDropped, Linear{}, 10, []float64{1, 1, 0}, []float64{0.5, 0.5, 0}, -1, -1, 0.5},
	{"a dropped point, hard", oracleDropped, Linear{}, math.Inf(1), []float64{1, 1, 0}, []float64{0.5, 0.5, 0}, -1, -1, 0.5},
	{"weights", oracleBetween, Linear{}, 1, []float64{1, 4, 1}, []float64{1, 2, 1}, -1, -1, 4}, // now the positive ones pay
	{"weights, hard", oracleTwo, Linear{}, math.Inf(1), []float64{2, 3}, []float64{0.5, 0.5}, -1, -1, 0.5},
}

// squaresOf returns k(x, x) of every point.
func squaresOf[X any](k Kernel[X], xs []X) []float64 {
	return mapped(xs, func(x X) float64 { return k.Eval(x, x) })
}

// oracleGram returns K, from Eval alone.
func oracleGram(k Kernel[[]float64], xs [][]float64) *Matrix {
	return laFill(len(xs), len(xs), func(i, j int) float64 { return k.Eval(xs[i], xs[j]) })
}

// gradient returns p − Kβ.
func gradient(d Dual, beta []float64) []float64 {
	return build(len(beta), func(i int) float64 { return d.P[i] - Dot(d.K.(*Matrix).Row(i), beta) })
}

// oracleSVC returns the signed dual of classification (B2): p = y, s = 0, βᵢ between 0 and C·weightᵢ·yᵢ. A weight of 0
// drops the point, from the hard margin too.
func oracleSVC(k Gram, ys []float64, c float64, weights []float64) Dual {
	d := Dual{K: k, P: ys, Lo: make([]float64, len(ys)), Hi: make([]float64, len(ys))}
	for i, y := range ys {
		bound := c
		if weights != nil && weights[i] == 0 {
			bound = 0
		} else if weights != nil {
			bound = c * weights[i]
		}
		if y > 0 {
			d.Hi[i] = bound
		} else {
			d.Lo[i] = -bound
		}
	}
	return d
}

func (p oracleToy) dual() Dual { return oracleSVC(oracleGram(p.kernel, p.xs), p.ys, p.c, p.weights) }

// B2: the closed forms of the table are those of the exact oracle: two independent ways to the same numbers. A
// Gaussian's ½ is a rounded number, so that they agree to a few units of rounding.
func TestB2OracleToys(t *testing.T) {
	const near = 1e-14
	for _, p := range oracleToys {
		a := exactDual(p.dual())
		if math.IsInf(p.value, 1) {
			check(t, a.ray != nil, "%s: exactDual found an optimum of value %v, want a ray", p.name, a.objective)
			continue
		}
		if a.beta == nil || a.bLo == nil || a.bHi == nil {
			t.Errorf("%s: exactDual found no optimum, or a half-line of b: want value %v", p.name, p.value)
			continue
		}
		about(t, ratFloat(a.objective), p.value, near, "%s: optimal value", p.name)
		about(t, ratFloat(a.bLo), p.bLo, near, "%s: least b", p.name)
		about(t, ratFloat(a.bHi), p.bHi, near, "%s: greatest b", p.name)
		for i, alpha := range p.alpha {
			about(t, ratFloat(a.beta[i]), alpha*p.ys[i], near, "%s: β[%d]", p.name, i)
		}
	}
}

// oracleClasses are sources of small problems with integer kernel matrices, so that the oracle's numbers are exact for
// the very matrix the solvers see. All have their share of degenerate cases: several points in one place.
var oracleClasses = []struct {
	name string
	make func(rng *rand.Rand) Dual
}{
	{"line", oracleSmall(1, 3, Linear{}, oracleC)},
	{"grid", oracleSmall(2, 2, Linear{}, oracleC)},
	{"three places", oracleSmall(1, 1, Linear{}, oracleC)},
	{"space", oracleSmall(5, 1, Linear{}, oracleC)},
	{"quadratic", oracleSmall(2, 2, oracleQuadratic, oracleC)},
	{"hard, line", oracleSmall(1, 4, Linear{}, oracleHard)},
	{"hard, grid", oracleSmall(2, 3, Linear{}, oracleHard)},
	{"hard, space", oracleSmall(4, 2, Linear{}, oracleHard)},
	{"hard, quadratic", oracleSmall(2, 2, oracleQuadratic, oracleHard)},
	{"zero matrix", oracleSmall(1, 0, Linear{}, oracleC)},
	{"weights", func(rng *rand.Rand) Dual {
		d := oracleSmall(2, 2, Linear{}, oracleC)(rng)
		for i := range d.P {
			w := []float64{0, 0.25, 1, 1, 8}[rng.IntN(5)]
			d.Lo[i], d.Hi[i] = w*d.Lo[i], w*d.Hi[i]
		}
		return d
	}},
	// Any p, any box, any sum: regression and one-class problems are of this kind.
	{"general", func(rng *rand.Rand) Dual {
		d := oracleSmall(1+rng.IntN(4), 2, Linear{}, oracleHard)(rng)
		lo, hi := 0, 0
		for i := range d.P {
			l, h := rng.IntN(3), rng.IntN(3)
			d.P[i], d.Lo[i], d.Hi[i] = float64(rng.IntN(7)-3), float64(-l), float64(h)
			lo, hi = lo-l, hi+h
		}
		d.Sum = float64(lo + rng.IntN(hi-lo+1)) // every feasible sum, the extreme ones included
		return d
	}},
	{"general, half open", func(rng *rand.Rand) Dual {
		d := oracleSmall(rng.IntN(4), 2, Linear{}, oracleHard)(rng)
		for i := range d.P {
			d.P[i] = float64(rng.IntN(7) - 3)
		}
		d.Sum = float64(rng.IntN(5) - 2)
		if rng.IntN(2) == 0 { // as in one-class problems
			d.Sum = math.Abs(d.Sum)
			for i := range d.P {
				d.Lo[i], d.Hi[i] = 0, math.Inf(1)
			}
		}
		return d
	}},
}

// oracleC returns a C, tiny to huge, all of them powers of two or integers.
func oracleC(rng *rand.Rand) float64 {
	return []float64{1.0 / 1024, 0.125, 0.5, 1, 1, 3, 16, 1000, 1e6}[rng.IntN(9)]
}

// oracleHard returns the C of the hard margin.
func oracleHard(*rand.Rand) float64 { return math.Inf(1) }

// oraclePoints returns two to six points with integer coordinates from −size to size, and labels of both kinds.
func oraclePoints(rng *rand.Rand, dim, size int) (xs [][]float64, ys []float64) {
	n := 2 + rng.IntN(5)
	xs, ys = labelled(n, func(int) ([]float64, float64) {
		return build(dim, func(int) float64 { return float64(rng.IntN(2*size+1) - size) }), float64(2*rng.IntN(2) - 1)
	})
	ys[0], ys[n-1] = 1, -1
	return xs, ys
}

// oracleSmall returns a source of the duals of SVMs on such points, with a C from c.
func oracleSmall(dim, size int, k Kernel[[]float64], c func(*rand.Rand) float64) func(rng *rand.Rand) Dual {
	return func(rng *rand.Rand) Dual {
		bound := c(rng)
		xs, ys := oraclePoints(rng, dim, size)
		return oracleSVC(oracleGram(k, xs), ys, bound, nil)
	}
}

// oracleEach calls f for the toys and for count random problems of each class.
func oracleEach(count int, f func(name string, d Dual)) {
	for _, p := range oracleToys {
		f(p.name, p.dual())
	}
	for _, class := range oracleClasses {
		rng := rand.New(rand.NewPCG(2, 3))
		for range count {
			d := class.make(rng)
			name := fmt.Sprintf("%s, K = %v, P = %v, Lo = %v, Hi = %v, Sum = %v",
				class.name, d.K.(*Matrix).Data, d.P, d.Lo, d.Hi, d.Sum)
			f(name, d)
		}
	}
}

// An oracleSolver solves a dual to a tolerance on the KKT conditions.
type oracleSolver struct {
	name  string
	box   bool // its β obeys the box to the last bit, and its Violation and interval of b are those of E2
	fast  bool // it converges, or names an unbounded dual, without a million steps
	solve func(d Dual, tol float64) (*DualSolution, error)
}

// run is solve, but returns a panic as an error, so that the problem that causes it is named.
func (s oracleSolver) run(d Dual, tol float64) (sol *DualSolution, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	return s.solve(d, tol)
}

func oracleSMO(name string, o SMOOptions) oracleSolver {
	return oracleSolver{name, true, !o.noNewton && o.CacheBytes == 0, func(d Dual, tol float64) (*DualSolution, error) {
		o.Tol = tol
		return SMO(d, o)
	}}
}

// oracleSteps is the limit of steps for solvers that are not fast.
const oracleSteps = 40_000

var oracleSolvers = []oracleSolver{
	oracleSMO("SMO", SMOOptions{}),
	oracleSMO("SMO without Newton", SMOOptions{noNewton: true, MaxIter: oracleSteps}),
	oracleSMO("SMO with nothing but shrinking", SMOOptions{noNewton: true, noSpan: true, MaxIter: oracleSteps}),
	oracleSMO("SMO without shrinking", SMOOptions{noShrink: true}),
	oracleSMO("SMO without any of them", SMOOptions{noNewton: true, noSpan: true, noShrink: true, MaxIter: oracleSteps}),
	oracleSMO("SMO with two rows of cache", SMOOptions{CacheBytes: 1, MaxIter: oracleSteps}),
	oracleSMO("SMO with three workers", SMOOptions{Workers: 3}),
	{"textbook SMO", true, false, func(d Dual, tol float64) (*DualSolution, error) {
		return textbookSMO(d, tol, oracleSteps), nil
	}},
	{"interior point", false, true, func(d Dual, tol float64) (*DualSolution, error) {
		x, err := InteriorPoint(d, QPOptions{Tol: tol})
		if err != nil {
			return nil, err
		}
		return &DualSolution{Beta: x.X, B: x.Eq[0], BLo: x.Eq[0], BHi: x.Eq[0], Objective: -x.Objective}, nil
	}},
}

// An oracleCase is an answer on trial. All sums over points are taken afresh.
type oracleCase struct {
	d   Dual
	sol *DualSolution
	tol float64 // the violation of KKT at which the solver was told to stop
	box bool    // see oracleSolver

	g     []float64 // p − Kβ
	size  float64   // Σ|βᵢ|
	width float64   // Σ(hiᵢ − loᵢ), the finite ones
	noise float64   // what rounding may do to a gᵢ: n units of the largest term
}

func newOracleCase(d Dual, sol *DualSolution, tol float64, box bool) *oracleCase {
	c := &oracleCase{d: d, sol: sol, tol: tol, box: box, g: gradient(d, sol.Beta), size: norm1(sol.Beta)}
	for i := range sol.Beta {
		if w := d.Hi[i] - d.Lo[i]; !math.IsInf(w, 1) {
			c.width += w
		}
	}
	c.noise = float64(len(d.P)+8) * 0x1p-51 * (largest(d.P) + largest(d.K.(*Matrix).Data)*c.size)
	return c
}

// interval returns max g over the βᵢ that may rise, and min g over those that may fall (E2).
func (c *oracleCase) interval() (up, low float64) {
	up, low = math.Inf(-1), math.Inf(1)
	for i, v := range c.sol.Beta {
		if v < c.d.Hi[i] {
			up = max(up, c.g[i])
		}
		if v > c.d.Lo[i] {
			low = min(low, c.g[i])
		}
	}
	return up, low
}

// value returns D(β) = ½(p + g)ᵀβ.
func (c *oracleCase) value() float64 { return (Dot(c.d.P, c.sol.Beta) + Dot(c.g, c.sol.Beta)) / 2 }

// primal returns the least upper bound of D that weak duality (B3) gives at (β, b). D is below its tangent at β, which
// on the box, with b for the price of Σβ = s, is at most
//
//	P(β, b) = ½βᵀKβ + bs + Σᵢ max{(gᵢ − b)v : loᵢ ≤ v ≤ hiᵢ}.
//
// For classification the sum is that of the Cᵢξᵢ: P is the objective of the plane, ½‖w‖² + Σ Cᵢξᵢ (A6). Where a side
// is infinite and gᵢ − b points to it, P is infinite; such a term is left out here, and unbounded returns the worst.
func (c *oracleCase) primal() float64 {
	v := c.d.Sum*c.sol.B + (Dot(c.d.P, c.sol.Beta)-Dot(c.g, c.sol.Beta))/2
	for i, g := range c.g {
		side := c.d.Hi[i]
		if g < c.sol.B {
			side = c.d.Lo[i]
		}
		if !math.IsInf(side, 0) {
			v += (g - c.sol.B) * side
		}
	}
	return v
}

func (c *oracleCase) unbounded() (worst float64) {
	for i, g := range c.g {
		if e := g - c.sol.B; e > 0 && math.IsInf(c.d.Hi[i], 1) || e < 0 && math.IsInf(c.d.Lo[i], -1) {
			worst = max(worst, math.Abs(e))
		}
	}
	return worst
}

// leeway is what D may gain if β is off the box or the sum by tol: tol·|g| or tol·|b|, neither more than 2⁵¹ tol·noise.
func (c *oracleCase) leeway() float64 {
	if c.box {
		return 0
	}
	return c.tol * c.noise * 0x1p51
}

// complaints gathers what is wrong with an answer.
type complaints []string

func (w *complaints) atMost(condition string, got, want float64) {
	if !(got <= want) {
		*w = append(*w, fmt.Sprintf("%s: off by %.3g, want at most %.3g", condition, got, want))
	}
}

// feasible reports what is wrong with β as a point of the dual.
func (c *oracleCase) feasible() (wrong complaints) {
	outside, sum := 0.0, new(big.Rat)
	for i, v := range c.sol.Beta {
		outside = max(outside, c.d.Lo[i]-v, v-c.d.Hi[i])
		sum.Add(sum, ratOf(v))
	}
	excess := math.Abs(ratFloat(sum.Sub(sum, ratOf(c.d.Sum))))
	// A step rounds two values, a Newton phase all of them; a value a few units from the end of its box is moved there.
	rounding := float64(64*len(c.g)+4*c.sol.Iterations) * 0x1p-53 * (c.size + c.width + math.Abs(c.d.Sum))
	allowed := c.tol
	if c.box {
		allowed = 0
	}
	wrong.atMost("lo ≤ β ≤ hi", outside, allowed)
	wrong.atMost("Σβ = s", excess, rounding+allowed)
	return wrong
}

// step reports what is wrong with the answer as that of a step (E1) from a β with D(β) = before.
func (c *oracleCase) step(before float64) complaints {
	wrong := c.feasible()
	wrong.atMost("E1, D falls", before-c.value(), 2*c.noise*(1+c.size))
	return wrong
}

// check reports what is wrong with the answer: KKT (B5, B6), duality (B3), and what the solver says of itself (E2).
func (c *oracleCase) check() (wrong complaints) {
	wrong = c.feasible()
	up, low := c.interval()
	if u, l := c.d.Bias(c.sol.Beta, c.g); u != up || l != low {
		wrong = append(wrong, fmt.Sprintf("Dual.Bias = %v, %v, want %v, %v", u, l, up, low))
	}
	for i, g := range c.d.Gradient(c.sol.Beta) {
		wrong.atMost("Dual.Gradient", math.Abs(g-c.g[i]), c.noise)
	}
	if c.box {
		wrong.atMost("B6, gᵢ ≤ b where βᵢ may rise", up-c.sol.B, c.tol+c.noise)
		wrong.atMost("B6, gᵢ ≥ b where βᵢ may fall", c.sol.B-low, c.tol+c.noise)
		wrong.atMost("E2, Violation = max_up g − min_low g", math.Abs(c.sol.Violation-max(0, up-low)), c.tol/8+c.noise)
		wrong.atMost("E2, Violation ≤ tol", c.sol.Violation, c.tol)
	} else {
		wrong.atMost("B6, gᵢ ≤ b where βᵢ has no upper bound, gᵢ ≥ b where no lower one", c.unbounded(), c.tol+c.noise)
	}
	// P − D = Σ(gᵢ−b)⁺(hiᵢ−βᵢ) + (gᵢ−b)⁻(βᵢ−loᵢ) where the sides are finite: one factor, or the product, is within tol.
	value, gap := c.value(), c.primal()-c.value()
	reach := c.size + c.width
	wrong.atMost("B3, weak duality P ≥ D", -gap, c.noise*reach+c.leeway()+c.unbounded()*c.size)
	wrong.atMost("B3, strong duality P = D", gap, c.tol*(1+c.width+c.size)+c.noise*reach)
	wrong.atMost("Objective = D(β)", math.Abs(c.sol.Objective-value), // each step adds to it, and rounds
		4*c.noise*(1+c.size)+float64(c.sol.Iterations)*0x1p-52*math.Abs(value))
	return wrong
}

// against reports where the answer differs from the exact one.
func (c *oracleCase) against(want *exactAnswer) (wrong complaints) {
	size := c.size + norm1(mapped(want.beta, ratFloat))
	// D(β) ≤ D* ≤ P(β, b): what the infinite sides may add to P is their excess times what β* has there.
	best := ratFloat(want.objective)
	wrong.atMost("D(β) ≤ D*", c.value()-best, c.noise*size+c.leeway())
	wrong.atMost("D* ≤ P(β, b)", best-c.primal(), (c.noise+c.unbounded())*size)
	// The error of b is tol times a factor of a linear system, whose determinant is at most a few thousand here. For an
	// interior point it is of order √tol, since two factors of that size have a product within tol.
	slack := 1e4 * (c.tol + c.noise)
	if !c.box {
		slack = 4 * math.Sqrt(c.tol+c.noise)
	}
	bLo, bHi := math.Inf(-1), math.Inf(1)
	if want.bLo != nil {
		bLo = ratFloat(want.bLo)
	}
	if want.bHi != nil {
		bHi = ratFloat(want.bHi)
	}
	if math.IsNaN(c.sol.B) || math.IsInf(c.sol.B, 0) {
		wrong = append(wrong, fmt.Sprintf("B = %v, want a number", c.sol.B))
	}
	wrong.atMost("B7, b ≥ bLo", bLo-c.sol.B, slack)
	wrong.atMost("B7, b ≤ bHi", c.sol.B-bHi, slack)
	// Many steps may leave a variable a hair's breadth off its bound. It counts as free, and narrows the interval.
	hair := false
	for i, v := range c.sol.Beta {
		room := min(v-c.d.Lo[i], c.d.Hi[i]-v)
		hair = hair || 0 < room && room < 1e-9*(1+math.Abs(v))
	}
	if c.box && !hair {
		wrong.atMost("B7, BLo", oracleDistance(c.sol.BLo, bLo), slack)
		wrong.atMost("B7, BHi", oracleDistance(c.sol.BHi, bHi), slack)
	}
	return wrong
}

// oracleDistance is |x − y|, and 0 for equal infinities.
func oracleDistance(x, y float64) float64 {
	if x == y {
		return 0
	}
	return math.Abs(x - y)
}

// oracleTol is a tolerance far below what answers differ by, and above what rounding hides.
func oracleTol(d Dual, want *exactAnswer, box bool) float64 {
	if want.beta == nil {
		return 1e-10
	}
	size := norm1(mapped(want.beta, ratFloat))
	tol := max(1e-10, float64(len(d.P))*0x1p-46*largest(d.K.(*Matrix).Data)*size)
	if !box { // the interior-point method applies it to the gap, too, a difference of sums of βᵢKᵢⱼβⱼ
		tol = max(tol, 1e-10*math.Abs(ratFloat(want.objective)), 0x1p-52*largest(d.K.(*Matrix).Data)*size*size)
	}
	return tol
}

// B5: every solver, on every small problem, satisfies every condition and agrees with the exact answer. B2: the dual
// has the stated form. B3, B5, B6, B7, E2: see check and against. C5: a hard margin that does not exist is an unbounded
// dual, and named.
func TestB5SolversAgainstOracle(t *testing.T) {
	const count = 100
	failed := map[string]int{}
	huge := func(d Dual) bool { // steps of the size of 1 would take long
		for i := range d.P {
			if w := d.Hi[i] - d.Lo[i]; w > 1000 && !math.IsInf(w, 1) {
				return true
			}
		}
		return false
	}
	oracleEach(count, func(name string, d Dual) {
		want := exactDual(d)
		for _, s := range oracleSolvers {
			if !s.fast && (want.ray != nil || huge(d)) || failed[s.name] >= 5 {
				continue
			}
			if want.ray != nil && d.Sum != 0 && s.box {
				continue // there are no hulls to meet, and SMO would run out of steps
			}
			tol := oracleTol(d, want, s.box)
			sol, err := s.run(d, tol)
			var wrong []string
			switch {
			case want.ray != nil:
				wrong = oracleUnbounded(d, err)
			case err != nil:
				wrong = []string{err.Error()}
			default:
				c := newOracleCase(d, sol, tol, s.box)
				wrong = append(c.check(), c.against(want)...)
			}
			failed[s.name] += len(wrong)
			check(t, len(wrong) == 0, "%s: %s: %q", s.name, name, wrong)
		}
	})
}

// oracleUnbounded reports how err fails to name an unbounded dual. A *NotSeparableError has to carry a proof: λ ≥ 0, Σλ
// = 1 over each class, and the point Σλᵢφ(xᵢ) of one class is that of the other, so that the hulls meet. Then λy is a
// ray, along which D rises: pᵀ(λy) > 0.
func oracleUnbounded(d Dual, err error) (wrong complaints) {
	var proof *NotSeparableError
	if errors.Is(err, ErrUnbounded) {
		return nil
	}
	if !errors.Is(err, ErrNotSeparable) || !errors.As(err, &proof) {
		return complaints{fmt.Sprintf("err = %v, want one that wraps ErrUnbounded, or a NotSeparableError", err)}
	}
	ray := slices.Clone(proof.Lambda)
	for i, v := range proof.Lambda {
		wrong.atMost("λ ≥ 0", -v, 0)
		if d.Lo[i] == d.Hi[i] {
			wrong.atMost("λ = 0 for a dropped point", v, 0)
		} else if d.Lo[i] < 0 {
			ray[i] = -v
		}
	}
	const rounding = 1e-9 // far above that of sums of a few numbers below 1
	wrong.atMost("Σλy = 0", math.Abs(total(ray)), rounding)
	wrong.atMost("Σλ = 2", math.Abs(total(proof.Lambda)-2), rounding)
	wrong.atMost("pᵀ(λy) > 0", rounding-Dot(d.P, ray), 0)
	// The hulls of such small integer points meet or are more than 1e-3 apart, and Kλ is exact but for rounding.
	wrong.atMost("‖Σλᵢyᵢφ(xᵢ)‖² = 0", quadratic(d.K.(*Matrix), ray), 1e-8)
	return wrong
}

// E1: the two-variable subproblem has a closed form. Moving t from βⱼ to βᵢ changes D by
//
//	φ(t) = t(gᵢ − gⱼ) − ½t²(K_ii + K_jj − 2K_ij).
//
// A proof for three variables. (The third, which does not move, stands for any number of others: they enter D and g by
// sums, linear in each.) Both sides are polynomials of degree at most 2 in t and in each β, and at most 1 in each p and
// each K. Doubled, they are integers, and agree on a grid of 3 and of 2 values for these: so they are equal
// (kernelGrid).
func TestE1TwoVariableIdentity(t *testing.T) {
	twiceD := func(k, p, b []int64) int64 { // k is K_00, K_11, K_22, K_01, K_02, K_12
		v := -2 * (k[3]*b[0]*b[1] + k[4]*b[0]*b[2] + k[5]*b[1]*b[2])
		for i := range b {
			v += 2*p[i]*b[i] - k[i]*b[i]*b[i]
		}
		return v
	}
	kernelGrid(slices.Concat(kernelRange(4, 2, -1), kernelRange(9, 1, 0)), func(v []int64) {
		step, b, p, k := v[0], v[1:4], v[4:7], v[7:13]
		g0 := p[0] - k[0]*b[0] - k[3]*b[1] - k[4]*b[2]
		g1 := p[1] - k[3]*b[0] - k[1]*b[1] - k[5]*b[2]
		want := 2*step*(g0-g1) - step*step*(k[0]+k[1]-2*k[3])
		moved := []int64{b[0] + step, b[1] - step, b[2]}
		if got := twiceD(k, p, moved) - twiceD(k, p, b); got != want {
			t.Fatalf("K = %v, p = %v, β = %v, t = %d: 2D rises by %d, want %d", k, p, b, step, got, want)
		}
	})
}

// E1: every step keeps Σβ = 0 and the box, and never lowers the dual: so does every step of every run here. Without
// Newton steps each has the closed form: two variables move, by opposite amounts, to where φ′(t) = gᵢ − gⱼ is zero, or,
// if that is outside, to the end of the box, where it has not yet fallen to zero.
func TestE1StepsOfSMO(t *testing.T) {
	oracleEach(50, func(name string, d Dual) {
		for _, o := range []SMOOptions{
			{Tol: 1e-6, MaxIter: 500},
			{Tol: 1e-6, MaxIter: 100, noNewton: true, noSpan: true, noShrink: true},
		} {
			before := math.Inf(-1)
			var last []float64
			for sol := range SMOSteps(d, o) {
				c := newOracleCase(d, sol, o.Tol, true)
				if wrong := c.step(before); wrong != nil {
					t.Fatalf("%s: step %d: %v", name, sol.Iterations, wrong)
				}
				before = c.value()
				if last != nil && o.noNewton && sol.Violation > o.Tol {
					if w := oraclePairStep(c, last); w != "" {
						t.Fatalf("%s: step %d from %v to %v: %s", name, sol.Iterations, last, sol.Beta, w)
					}
				}
				last = slices.Clone(sol.Beta)
			}
		}
	})
}

// oraclePairStep tells how the step from last to c differs from the closed form, or nothing if it does not.
func oraclePairStep(c *oracleCase, last []float64) string {
	k, i, j, moved := c.d.K.(*Matrix), -1, -1, 0
	for m, v := range c.sol.Beta {
		if v != last[m] {
			moved++
		}
		if v > last[m] {
			i = m
		}
		if v < last[m] {
			j = m
		}
	}
	if moved != 2 || i < 0 || j < 0 {
		return "not two variables, one up, one down"
	}
	slope := c.g[i] - c.g[j]
	if eta := k.At(i, i) + k.At(j, j) - 2*k.At(i, j); eta == 0 && slope > c.noise {
		slope = 0 // φ is linear: any end of the box is right, if it is one
	} else if slope < -c.noise {
		return fmt.Sprintf("too far: φ′ = %g", slope)
	}
	if slope > c.noise && c.sol.Beta[i] < c.d.Hi[i] && c.sol.Beta[j] > c.d.Lo[j] {
		return fmt.Sprintf("too short: φ′ = %g, and there is room", slope)
	}
	return ""
}

// E2: the stopping quantity V = max_up g − min_low g is zero, or less, at a feasible β if and only if β is optimal; and
//
//	D* − D(β) ≤ V·½‖β* − β‖₁   [D is concave: D* − D(β) ≤ gᵀ(β* − β); what rises has gᵢ ≤ max_up, what falls gᵢ ≥ min_low]
//
// Both are checked in exact arithmetic at every feasible point of a grid over the box, and at the optimum itself.
func TestE2StoppingQuantity(t *testing.T) {
	optimal, others := 0, 0
	oracleEach(10, func(name string, d Dual) {
		want := exactDual(d)
		if want.beta == nil {
			return
		}
		half := big.NewRat(1, 2)
		oracleGrid(d, want.beta, func(beta []*big.Rat) {
			up, low := exactInterval(d, beta, exactGrad(d, beta))
			var v *big.Rat // V = up − low, or nil for −∞
			distance, t1 := new(big.Rat), new(big.Rat)
			for i := range beta {
				distance.Add(distance, t1.Abs(t1.Sub(want.beta[i], beta[i])))
			}
			if up != nil && low != nil {
				v = new(big.Rat).Sub(up, low)
			}
			loss := new(big.Rat).Sub(want.objective, exactValue(d, beta))
			check(t, loss.Sign() >= 0, "%s: β = %v: D* − D(β) = %v, want ≥ 0", name, beta, loss)
			check(t, (v == nil || v.Sign() <= 0) == (loss.Sign() == 0),
				"%s: β = %v: V = %v, but D* − D(β) = %v", name, beta, v, loss)
			if loss.Sign() == 0 {
				optimal++
				return
			}
			others++
			bound := t1.Mul(t1.Mul(v, half), distance)
			check(t, loss.Cmp(bound) <= 0,
				"%s: β = %v: D* − D(β) = %v, want at most V·½‖β* − β‖₁ = %v", name, beta, loss, bound)
		})
	})
	check(t, optimal >= 100 && others >= 1000, "%d optimal and %d other points, want at least 100 and 1000", optimal, others)
}

// oracleGrid calls f for β* and for the feasible β of a grid: every βᵢ but the last is β*ᵢ, an end of its box, or β*ᵢ ±
// 1 where there is no such end; the last takes what is missing in Σβ = s.
func oracleGrid(d Dual, best []*big.Rat, f func(beta []*big.Rat)) {
	n := len(best)
	values := make([][]*big.Rat, n)
	for i, v := range best {
		values[i] = []*big.Rat{v}
		for _, end := range []float64{d.Lo[i], d.Hi[i]} {
			if math.IsInf(end, 0) {
				values[i] = append(values[i], new(big.Rat).Add(v, ratOf(math.Copysign(1, end))))
			} else {
				values[i] = append(values[i], ratOf(end))
			}
		}
	}
	kernelGrid(kernelRange(n-1, 2, 0), func(at []int64) {
		beta, last := make([]*big.Rat, n), ratOf(d.Sum)
		for i, k := range at {
			beta[i] = values[i][k]
			last.Sub(last, beta[i])
		}
		beta[n-1] = last
		if below, above := exactRoom(d, n-1, last); below >= 0 && above >= 0 {
			f(beta)
		}
	})
}

// A6, B7: Train finds the closed forms of the table: α where K leaves no choice, the interval of b and its midpoint,
// both objectives, the numbers of free and bounded α; no residual is left (B5). Where the hulls meet it finds a proof
// of it.
func TestB7ToysByTrain(t *testing.T) {
	const tol, near = 1e-10, 1e-8 // these problems are well conditioned: answers are within a few tol
	for _, p := range oracleToys {
		t.Run(p.name, func(t *testing.T) {
			d, o := p.dual(), Options{C: p.c, Weights: p.weights, Tol: tol}
			m, err := Train(p.xs, p.ys, p.kernel, o)
			if math.IsInf(p.value, 1) {
				equal(t, oracleUnbounded(d, err), nil, "what is wrong with the error")
				return
			}
			must(m, err)
			free, bound, width := 0, 0, 0.0 // width is the sum of the finite Cᵢ
			for i := range p.xs {
				c := d.Hi[i] - d.Lo[i]
				if !math.IsInf(c, 1) {
					width += c
				}
				if p.alpha != nil {
					about(t, m.Alpha[i], p.alpha[i], near, "α[%d]", i)
					if p.alpha[i] == c && c > 0 {
						bound++
					} else if p.alpha[i] > 0 {
						free++
					}
				}
			}
			check(t, p.alpha == nil || m.KKT.Free == free && m.KKT.Bound == bound,
				"%d free and %d bounded, want %d and %d", m.KKT.Free, m.KKT.Bound, free, bound)
			about(t, m.BLo, p.bLo, near, "BLo")
			about(t, m.BHi, p.bHi, near, "BHi")
			about(t, m.B, (p.bLo+p.bHi)/2, near, "B == the middle of the interval")
			for _, k := range []KKT{m.KKT, Verify(m, p.xs, p.ys, o)} {
				about(t, k.Dual, p.value, near, "B3, dual value")
				about(t, k.Primal, p.value, near*(1+width), "B3, primal value")
				worst := max(k.Stationarity, k.PrimalFeasibility, k.DualFeasibility, k.Slackness, k.Violation)
				atMost(t, worst, near, "B5, the worst residual")
			}
		})
	}
}

// B1, B10: the primal program, in w, b and ξ, has the value of the dual; its multipliers α are the dual's variables,
// 0 ≤ αᵢ ≤ Cᵢ with Cᵢ − αᵢ − μᵢ = 0; w = Σ αᵢyᵢxᵢ, Σ αᵢyᵢ = 0; ξᵢ = max(0, 1 − yᵢ(w·xᵢ + b)) (A7); and b is one of
// those that KKT allow in the dual. The hard margin has a primal solution if and only if the dual is bounded.
func TestB10PrimalAgainstOracle(t *testing.T) {
	for _, p := range oracleToys {
		if p.kernel == (Linear{}) {
			oraclePrimal(t, p)
		}
	}
	rng := rand.New(rand.NewPCG(5, 8))
	for i := range 200 {
		p := oracleToy{kernel: Linear{}, c: oracleC(rng)}
		if i%3 == 0 {
			p.c = math.Inf(1)
		}
		p.xs, p.ys = oraclePoints(rng, 1+rng.IntN(3), 3)
		p.name = fmt.Sprintf("xs = %v, ys = %v, C = %v", p.xs, p.ys, p.c)
		oraclePrimal(t, p)
	}
}

// oraclePrimal solves the primal of p and compares it with the exact dual.
func oraclePrimal(t *testing.T, p oracleToy) {
	d, n, dim := p.dual(), len(p.xs), len(p.xs[0])
	want, q := exactDual(d), PrimalQP(p.xs, p.ys, p.c)
	price := q.C[dim+1:] // of the ξᵢ; a hard margin has none
	for i := range p.xs {
		bound := d.Hi[i] - d.Lo[i]
		if bound == 0 { // dropped: 0 ≤ 0
			clear(q.A.Row(i))
			q.B[i] = 0
		}
		if len(price) > 0 {
			price[i] = bound
		}
	}
	tol := oracleTol(d, want, false)
	sol, err := SolveQP(q, QPOptions{Tol: tol})
	if want.ray != nil {
		refused(t, err, ErrInfeasible, "", "%s: the primal", p.name)
		return
	}
	must(sol, err)
	var wrong complaints
	scale := 1 + math.Abs(ratFloat(want.objective))
	near := 4 * math.Sqrt(tol) * scale // w and b where products of multipliers and slacks are within tol
	wrong.atMost("value of the primal = value of the dual", math.Abs(sol.Objective-ratFloat(want.objective)), 4*tol*scale)
	w, sum := slices.Clone(sol.X[:dim]), 0.0
	for i, alpha := range sol.Ineq {
		if d.Lo[i] == d.Hi[i] {
			continue // the multiplier of 0 ≤ 0 is anything
		}
		wrong.atMost("B1, αᵢ ≥ 0", -alpha, 0)
		axpy(w, -alpha*p.ys[i], p.xs[i])
		sum += alpha * p.ys[i]
		f := Dot(sol.X[:dim], p.xs[i]) + sol.X[dim]
		if len(price) > 0 {
			c, xi, mu := price[i], sol.X[dim+1+i], sol.Lower[dim+1+i]
			wrong.atMost("B1, μᵢ ≥ 0", -mu, 0)
			wrong.atMost("B1, C − αᵢ − μᵢ = 0", math.Abs(c-alpha-mu), tol)
			wrong.atMost("A7, Cᵢξᵢ = Cᵢ·hinge", c*math.Abs(xi-max(0, 1-p.ys[i]*f)), 4*tol*scale+near*c/(1+c))
		}
	}
	wrong.atMost("B1, w = Σ αᵢyᵢxᵢ", largest(w), tol*float64(n)*4)
	wrong.atMost("B1, Σ αᵢyᵢ = 0", math.Abs(sum), tol)
	if want.bLo != nil {
		wrong.atMost("B7, b ≥ bLo", ratFloat(want.bLo)-sol.X[dim], near)
	}
	if want.bHi != nil {
		wrong.atMost("B7, b ≤ bHi", sol.X[dim]-ratFloat(want.bHi), near)
	}
	check(t, len(wrong) == 0, "%s: primal: %q", p.name, wrong)
}

// B4: θ_P(w) = max over multipliers of the Lagrangian is the objective where (w, b, ξ) is feasible, +∞ elsewhere. The
// numbers are dyadic, and nothing is rounded. At feasible points no multipliers give more than zero multipliers; at
// others the multiplier t of the worst violation adds t times that violation, for any t.
func TestB4PrimalAsMaximum(t *testing.T) {
	rng := rand.New(rand.NewPCG(34, 55))
	const c = 0.5
	feasible, infeasible := 0, 0
	for range 500 {
		xs, ys := oraclePoints(rng, 2, 2)
		n := len(xs)
		h := Hyperplane{[]float64{float64(rng.IntN(5) - 2), float64(rng.IntN(5) - 2)}, float64(rng.IntN(5) - 2)}
		xi, alpha, mu, zero := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
		objective, worst, at := Dot(h.W, h.W)/2, 0.0, 0
		for i := range xs {
			xi[i] = float64(rng.IntN(6) - rng.IntN(2))
			objective += c * xi[i]
			if short := max(1-xi[i]-ys[i]*h.Decision(xs[i]), -xi[i]); short > worst {
				worst, at = short, i
			}
			alpha[i], mu[i] = float64(rng.IntN(4)), float64(rng.IntN(4))
		}
		equal(t, Lagrangian(h, xi, zero, zero, xs, ys, c), objective, "L at zero multipliers == the objective")
		if worst == 0 {
			feasible++
			atMost(t, Lagrangian(h, xi, alpha, mu, xs, ys, c), objective,
				"%v, ξ = %v feasible: L at α = %v, μ = %v <= the objective", h, xi, alpha, mu)
			continue
		}
		infeasible++
		for _, size := range []float64{1, 1024, 1 << 20} {
			alpha, mu := make([]float64, n), make([]float64, n)
			if mu[at] = size; -xi[at] < worst {
				alpha[at], mu[at] = size, 0
			}
			equal(t, Lagrangian(h, xi, alpha, mu, xs, ys, c), objective+size*worst,
				"%v, ξ = %v violated by %v: L at a multiplier of %v", h, xi, worst, size)
		}
	}
	check(t, feasible >= 50 && infeasible >= 50, "%d feasible and %d infeasible points, want at least 50 of each",
		feasible, infeasible)
}

// B11: the soft-margin objective F is convex: it lies below its chords, F(Σλᵢuᵢ) ≤ Σλᵢ F(uᵢ) (Jensen), and a local
// minimum is global: if F(u) > F(v), then t of the way from u to v, however small t, F has fallen by t(F(u) − F(v)) at
// least. Dyadic numbers make ≤ exact. The 0/1 loss lies above some of its chords: it is not convex.
func TestB11SoftMargin(t *testing.T) {
	rng := rand.New(rand.NewPCG(89, 144))
	f := SoftMargin(0.5)
	mix := func(weights []float64, planes []Hyperplane) Hyperplane {
		m := Hyperplane{W: make([]float64, 2)}
		for i, h := range planes {
			axpy(m.W, weights[i], h.W)
			m.B += weights[i] * h.B
		}
		return m
	}
	zeroOneAbove := false
	for range 300 {
		xs, ys := oraclePoints(rng, 2, 2)
		planes, weights, rest := make([]Hyperplane, 4), make([]float64, 4), 8
		jensen := 0.0
		for i := range planes {
			planes[i] = Hyperplane{[]float64{float64(rng.IntN(9) - 4), float64(rng.IntN(9) - 4)}, float64(rng.IntN(9) - 4)}
			part := rng.IntN(rest + 1)
			if i == len(planes)-1 {
				part = rest
			}
			rest -= part
			weights[i] = float64(part) / 8
			jensen += weights[i] * f.At(planes[i], xs, ys)
		}
		atMost(t, f.At(mix(weights, planes), xs, ys), jensen, "F(Σλᵢuᵢ) <= Σλᵢ F(uᵢ)")
		u, v := planes[0], planes[1]
		fu, fv := f.At(u, xs, ys), f.At(v, xs, ys)
		for _, step := range []float64{0x1p-10, 0.25, 0.5, 0.75} {
			between := mix([]float64{1 - step, step}, []Hyperplane{u, v})
			atMost(t, f.At(between, xs, ys), fu-step*(fu-fv), "F at %v of the way from %v to %v", step, u, v)
			for i, x := range xs {
				z, zu, zv := ys[i]*between.Decision(x), ys[i]*u.Decision(x), ys[i]*v.Decision(x)
				zeroOneAbove = zeroOneAbove || ZeroOneLoss(z) > (1-step)*ZeroOneLoss(zu)+step*ZeroOneLoss(zv)
			}
		}
	}
	check(t, zeroOneAbove, "no chord of the 0/1 loss found that it is not below")
}

// B3 across solvers: no dual value of any of them is above a primal value of any other. The problems are random, with
// some points twice, and so large that rows are cached, variables shrunk and Newton steps taken. K is from Eval for the
// textbook and the interior point, from the points for SMO.
func TestB3SolversAgainstEachOther(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 21))
	for _, k := range []Kernel[[]float64]{Linear{}, RBF{Gamma: 0.5}, Polynomial{Degree: 3, Coef: 1}} {
		for _, c := range []float64{0.01, 1, 100, 1e4} {
			n := 40 + rng.IntN(41)
			if _, ok := k.(RBF); ok && c == 100 {
				n = 200
			}
			xs, ys := mdClouds(rng.Uint64(), n, 3, 2)
			for i := 9; i < n; i += 10 {
				xs[i] = xs[i-3]
			}
			d := oracleSVC(oracleGram(k, xs), ys, c, nil)
			g := d
			g.K = GramOf(k, xs)
			name := fmt.Sprintf("%T, n = %d, C = %v", k, n, c)
			least, most := math.Inf(1), math.Inf(-1) // of the primal values, of the dual values
			for _, s := range oracleSolvers {
				tol, problem := 1e-6, g
				if !s.box {
					tol = max(tol, 1e-9*c*float64(n)) // objectives are of that size
				}
				if s.name == "textbook SMO" || !s.box {
					problem = d
				}
				sol, err := s.run(problem, tol)
				if err != nil && (s.fast || !errors.Is(err, ErrNotConverged)) {
					t.Errorf("%s: %s: %v", name, s.name, err)
					continue
				}
				trial := newOracleCase(d, sol, tol, s.box)
				least, most = min(least, trial.primal()), max(most, trial.value())
				wrong := trial.check()
				if !s.fast && sol.Violation > tol {
					wrong = trial.feasible() // out of steps; it still has bounds
				}
				check(t, len(wrong) == 0, "%s: %s: %q", name, s.name, wrong)
			}
			atMost(t, most, least+1e-6*(1+math.Abs(most)), "%s: greatest dual value <= the least primal value", name)
		}
	}
}

// FuzzSMO decodes small problems from bytes: points on a grid or any symmetric matrix at all, boxes finite, infinite or
// empty, weights. SMO always ends, with β in the box, Σβ kept and D never lower than before. If the matrix is one of
// inner products, it finds the optimum, or proves that there is none.
func FuzzSMO(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte("two points of a line, or so"))
	f.Add([]byte{4, 0, 7, 1, 1, 1, 2, 255, 254, 0, 1, 128, 64, 3, 9, 200, 13, 77, 31, 2})
	f.Add([]byte{3, 2, 3, 255, 0, 255, 0, 255, 0, 255, 0, 255, 0, 255, 0, 255, 0, 255})
	f.Add([]byte{5, 3, 0, 17, 34, 51, 68, 85, 102, 119, 136, 153, 170, 187, 204, 221, 238, 255})
	f.Add([]byte("A27022000\x000\x00a")) // overflows
	f.Add([]byte("9272020^0"))           // and so does the oracle, one step before
	f.Fuzz(func(t *testing.T, data []byte) {
		d, psd := oracleDecode(data)
		o := SMOOptions{Tol: 1e-7, MaxIter: 20000}
		before, overflows := math.Inf(-1), false
		for sol := range SMOSteps(d, o) {
			trial := newOracleCase(d, sol, o.Tol, true)
			if overflows = !finite(sol.Objective) || !finite(trial.value()); overflows {
				break // the last points of a dual that runs away along negative curvature
			}
			if wrong := trial.step(before); wrong != nil {
				t.Fatalf("step %d: %v", sol.Iterations, wrong)
			}
			before = trial.value()
		}
		sol, err := SMO(d, o)
		if err != nil && !errors.Is(err, ErrNotConverged) && !errors.Is(err, ErrIndefinite) && !errors.Is(err, ErrNotSeparable) {
			t.Fatal(err)
		}
		if overflows && !errors.Is(err, ErrIndefinite) {
			t.Fatalf("the dual overflows, but the error is %v", err)
		}
		if !psd {
			return
		}
		var wrong complaints
		if want := exactDual(d); want.ray != nil {
			wrong = oracleUnbounded(d, err)
		} else if err != nil {
			t.Fatalf("%v, and there is an optimum: %v", err, want.beta)
		} else {
			trial := newOracleCase(d, sol, o.Tol, true)
			wrong = append(trial.check(), trial.against(want)...)
		}
		check(t, len(wrong) == 0, "%q", wrong)
	})
}

// oracleDecode decodes a problem from bytes, followed by zeros, and tells whether K is a matrix of inner products.
func oracleDecode(data []byte) (d Dual, psd bool) {
	next := bytesOf(data)
	n, kind := 1+next()%6, next()%4
	c := []float64{0.125, 1, 16, math.Inf(1)}[next()%4]
	xs, ys, weights := make([][]float64, n), make([]float64, n), make([]float64, n)
	for i := range xs {
		b := next()
		xs[i] = []float64{float64(b%5 - 2), float64(b/5%5 - 2)}
		ys[i], weights[i] = float64(b/25%2*2-1), []float64{1, 1, 2, 0}[b/50%4]
	}
	k := oracleGram(Linear{}, xs)
	switch kind {
	case 1:
		k = oracleGram(oracleQuadratic, xs)
	case 2, 3:
		for i := range n {
			for j := range i + 1 {
				v := float64(int8(next())) / float64(5-kind)
				k.Set(i, j, v)
				k.Set(j, i, v)
			}
		}
	}
	return oracleSVC(k, ys, c, weights), kind < 2
}

// The design of the package.

// structureChapters lists the package's files and what each may name of the others: nothing, everything, or only the
// declarations listed, with their fields and methods.
var structureChapters = map[string]map[string][]string{
	"linalg.go": {},
	"kernel.go": {"linalg.go": structureAll},
	"qp.go":     {"linalg.go": structureAll, "kernel.go": structureGram},
	"smo.go": {"linalg.go": structureAll, "kernel.go": structureGram,
		"qp.go": {"Dual", "ErrInfeasible", "ErrUnbounded", "ErrNotConvex"}},
	"pegasos.go": {"linalg.go": structureAll, "kernel.go": structureAll},
	"svm.go": {"linalg.go": structureAll, "kernel.go": structureAll, "qp.go": structureAll,
		"smo.go": structureAll, "pegasos.go": structureAll},
}

var (
	structureAll  = []string{"*"}
	structureGram = []string{"Gram", "Rows", "Matrix", "permute"} // Matrix: its methods as a Gram
)

// structureTags are the statements of the lectures, by letter and number.
var structureTags = func() (tags []string) {
	for letter, count := range map[string]int{"A": 12, "B": 11, "C": 5, "D": 20, "E": 7, "F": 7} {
		for i := range count {
			tags = append(tags, letter+strconv.Itoa(i+1))
		}
	}
	return tags
}()

// structureSource is the package, parsed.
type structureSource struct {
	fset  *token.FileSet
	text  map[string]string
	files map[string]*ast.File
}

// structureParse reads the Go files of this folder.
func structureParse() *structureSource {
	text := map[string]string{}
	for _, name := range must(filepath.Glob("*.go")) {
		text[name] = textOf(name)
	}
	return structureOf(text)
}

// structureOf parses files, given by name.
func structureOf(text map[string]string) *structureSource {
	s := &structureSource{token.NewFileSet(), text, map[string]*ast.File{}}
	for name := range text {
		s.files[name] = must(parser.ParseFile(s.fset, name, text[name], parser.ParseComments))
	}
	return s
}

// isTest reports whether a file holds tests.
func isTest(name string) bool { return strings.HasSuffix(name, "_test.go") }

// structureNoImports imports empty packages: the type checker makes do without what the standard library declares.
type structureNoImports struct{}

func (structureNoImports) Import(p string) (*types.Package, error) {
	pkg := types.NewPackage(p, filepath.Base(p))
	pkg.MarkComplete()
	return pkg, nil
}

// check checks the types of all files but the tests.
func (s *structureSource) check() (*types.Package, *types.Info) {
	var files []*ast.File
	for name, f := range s.files {
		if !isTest(name) {
			files = append(files, f)
		}
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: structureNoImports{}, Error: func(error) {}}
	pkg, _ := config.Check("svm", s.fset, files, info)
	return pkg, info
}

// A structureArrow says that a file uses a name of another file. A field or method goes by the name of its type: a file
// that may name the type may use it.
type structureArrow struct{ from, to, name string }

// arrows returns all arrows between the files.
func (s *structureSource) arrows() map[structureArrow]bool {
	pkg, info := s.check()
	owner := s.members()
	used := map[structureArrow]bool{}
	for ident, object := range info.Uses {
		from, to := s.fset.Position(ident.Pos()).Filename, s.fset.Position(object.Pos()).Filename
		if object.Pkg() != pkg || from == to || to == "" {
			continue
		}
		name := object.Name()
		if t, ok := owner[object.Pos()]; ok {
			name = t
		} else if object.Parent() != pkg.Scope() {
			name = "?" + name
		}
		used[structureArrow{from, to, name}] = true
	}
	return used
}

// members returns the type to which each method and field, by the position of its name, belongs. A method belongs to
// its own file, also where that is not the file of its type.
func (s *structureSource) members() map[token.Pos]string {
	owner := map[token.Pos]string{}
	for _, f := range s.files {
		for n := range ast.Preorder(f) {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Recv != nil {
					owner[n.Name.Pos()] = structureReceiver(n)
				}
			case *ast.TypeSpec:
				for part := range ast.Preorder(n.Type) {
					if field, ok := part.(*ast.Field); ok {
						for _, name := range field.Names {
							owner[name.Pos()] = n.Name.Name
						}
						if len(field.Names) == 0 { // embedded: it has the name, and the place, of its type
							owner[field.Type.Pos()] = n.Name.Name
						}
					}
				}
			}
		}
	}
	return owner
}

// structureReceiver returns the name of a method's type: the first name in *Model[X], say.
func structureReceiver(d *ast.FuncDecl) string {
	for n := range ast.Preorder(d.Recv.List[0].Type) {
		if ident, ok := n.(*ast.Ident); ok {
			return ident.Name
		}
	}
	return ""
}

// forbidden lists the arrows that the design does not have.
func (s *structureSource) forbidden() (wrong []string) {
	for a := range s.arrows() {
		allowed := structureChapters[a.from][a.to]
		if !slices.Contains(allowed, "*") && !slices.Contains(allowed, a.name) {
			wrong = append(wrong, fmt.Sprintf("%s uses %s of %s", a.from, a.name, a.to))
		}
	}
	slices.Sort(wrong)
	return wrong
}

// The arrows of the design hold: linalg.go names nothing of anyone, smo.go nothing of pegasos.go, and so on; solvers
// see matrices and indices, never points.
func TestStructureArrows(t *testing.T) {
	s := structureParse()
	equal(t, s.forbidden(), nil, "forbidden arrows")
	// Finding nothing means something only if there is something to find.
	arrows := s.arrows()
	for _, want := range []structureArrow{
		{"kernel.go", "linalg.go", "Matrix"}, {"qp.go", "linalg.go", "Matrix"}, {"smo.go", "kernel.go", "Rows"},
		{"smo.go", "qp.go", "Dual"}, {"pegasos.go", "kernel.go", "Kernel"}, {"svm.go", "smo.go", "DualSolution"},
	} {
		check(t, arrows[want], "%s does not use %s of %s, or the search for uses is broken", want.from, want.name, want.to)
	}
}

// The search finds names, methods and fields behind locals of the same name and behind inferred types.
func TestStructureArrowsAreSeen(t *testing.T) {
	s := structureOf(map[string]string{
		"pegasos.go": "package svm\ntype P struct{ X int }\nfunc (P) M() int { return 0 }\nfunc F() P { return P{} }\nfunc G() {}",
		"svm.go":     "package svm\nvar V = F()",
		"smo.go":     "package svm\nimport \"math\"\nfunc a() { G := math.Inf; _ = G }\nfunc b() { _ = V.X; _ = V.M() }",
		"linalg.go":  "package svm\nfunc c() { G() }",
	})
	want := []string{"linalg.go uses G of pegasos.go", "smo.go uses P of pegasos.go", "smo.go uses V of svm.go"}
	equal(t, s.forbidden(), want, "forbidden arrows")
}

// The standard library is all that is imported, by tests too, and the module requires nothing.
func TestStructureImports(t *testing.T) {
	s := structureParse()
	for name, f := range s.files {
		for _, i := range f.Imports {
			p := must(strconv.Unquote(i.Path.Value))
			own := p == "example.com/svm" && name == "example_test.go" // of the package under test, seen from outside
			if first, _, _ := strings.Cut(p, "/"); strings.Contains(first, ".") && !own {
				t.Errorf("%s imports %s, want the standard library only", name, p)
			}
		}
	}
	check(t, !strings.Contains(textOf("go.mod"), "require"), "go.mod requires something")
}

// There are ten files, go.mod and README.md among them, and the licence. Other Go files, or folders that are not hidden,
// do not belong here; data that somebody downloads, or what an editor keeps, does no harm.
func TestStructureFiles(t *testing.T) {
	want := []string{"go.mod", "README.md", "svm_test.go", "example_test.go", "LICENSE", "testdata"}
	want = slices.AppendSeq(want, maps.Keys(structureChapters))
	for _, e := range must(os.ReadDir(".")) {
		name := e.Name()
		if i := slices.Index(want, name); i >= 0 {
			want = slices.Delete(want, i, i+1)
		} else if name[0] != '.' && (e.IsDir() || strings.HasSuffix(name, ".go")) {
			t.Errorf("%s is not one of the ten files", name)
		}
	}
	check(t, len(want) == 0, "%v are missing", want)
}

// A file is a chapter: licence line, then an essay of 40 to 120 lines, which touches the package clause in svm.go only.
// What it exports is documented.
func TestStructureChapters(t *testing.T) {
	const licence = "// Copyright 2026 The svm authors. All rights reserved.\n" +
		"// Use of this source code is governed by the MIT\n// license that can be found in the LICENSE file.\n\n"
	s := structureParse()
	for name, f := range s.files {
		check(t, strings.HasPrefix(s.text[name], licence), "%s does not begin with the licence line", name)
		if _, ok := structureChapters[name]; !ok {
			continue
		}
		essay := 0
		for _, c := range f.Comments {
			if c.End() < f.Package {
				essay += strings.Count(c.Text(), "\n")
			}
		}
		essay -= strings.Count(licence, "\n") - 1
		check(t, 40 <= essay && essay <= 120, "%s: essay of %d lines, want 40 to 120", name, essay)
		equal(t, f.Doc != nil, name == "svm.go", "%s: comment touches the package clause", name)
		equal(t, structureUndocumented(f), nil, "%s: exported names without a comment", name)
	}
}

// The plan at the top of this file lists its parts in their order, with every tag in the names of their tests, and only
// tags cited there; the tests that it names exist. The plan of example_test.go has the first and last example of every
// group.
func TestStructurePlan(t *testing.T) {
	text := structureParse().text
	plan, rest, _ := strings.Cut(text["svm_test.go"], "package svm\n")
	rows := regexp.MustCompile(`(?m)^//\t(.+?)  +(.*)`).FindAllStringSubmatch(plan, -1)
	check(t, len(rows) > 20, "a plan of %d parts", len(rows))
	for i, row := range rows {
		_, part, found := strings.Cut(rest, "\n// "+row[1]+".\n")
		check(t, found, "%s: no such part, or not in its place", row[1])
		if rest = part; i+1 < len(rows) {
			part, _, _ = strings.Cut(part, "\n// "+rows[i+1][1]+".\n")
		}
		planned, named, cited := map[string]bool{}, map[string]bool{}, map[string]bool{}
		structureTagsIn(row[2], planned)
		structureTagsIn(part, cited)
		for _, name := range regexp.MustCompile(`(?m)^func Test\w*`).FindAllString(part, -1) {
			structureTagsIn(regexp.MustCompile(`[A-F]\d+`).ReplaceAllString(name, " $0 "), named)
		}
		for tag := range named {
			check(t, planned[tag], "%s: has a test of %s, which the plan has not", row[1], tag)
		}
		for tag := range planned {
			check(t, named[tag] || cited[tag], "%s: has no test of %s, which the plan has", row[1], tag)
		}
	}
	for _, name := range regexp.MustCompile(`\bTest\w+`).FindAllString(plan, -1) {
		check(t, strings.Contains(text["svm_test.go"], "\nfunc "+name+"("), "%s does not exist", name)
	}
	plan, rest, _ = strings.Cut(text["example_test.go"], "package svm_test\n")
	examples := regexp.MustCompile(`(?m)^func Example_?(\w+)`).FindAllStringSubmatch(rest, -1)
	at := 0
	for _, row := range regexp.MustCompile(`(?m)^//\t(\w+)(?: …|,) (\w+)`).FindAllStringSubmatch(plan, -1) {
		first := slices.IndexFunc(examples, func(e []string) bool { return e[1] == row[1] })
		last := slices.IndexFunc(examples, func(e []string) bool { return e[1] == row[2] })
		check(t, first == at && last >= first, "examples %s … %s are numbers %d … %d, want the first to be %d", row[1], row[2], first, last, at)
		at = last + 1
	}
	equal(t, at, len(examples), "examples in the plan")
}

// structureUndocumented lists the exported functions, methods, types, variables and constants without a comment.
func structureUndocumented(f *ast.File) (names []string) {
	look := func(name *ast.Ident, comments ...*ast.CommentGroup) {
		if name.IsExported() && cmp.Or(comments...) == nil {
			names = append(names, name.Name)
		}
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			ofError := d.Name.Name == "Error" || d.Name.Name == "Unwrap" // everybody knows what these do
			if !ofError && (d.Recv == nil || ast.IsExported(structureReceiver(d))) {
				look(d.Name, d.Doc)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					look(spec.Name, d.Doc, spec.Doc)
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						look(name, d.Doc, spec.Doc, spec.Comment)
					}
				}
			}
		}
	}
	return names
}

var structureTag = regexp.MustCompile(`\b([A-F])(\d+)(?:[–-]([A-F])?(\d+))?\b`)

// structureTagsIn adds to set the tags that a text cites: A1, or D3–D6, or D3–6.
func structureTagsIn(text string, set map[string]bool) {
	for _, m := range structureTag.FindAllStringSubmatch(text, -1) {
		from, _ := strconv.Atoi(m[2])
		to := from
		if m[4] != "" && (m[3] == "" || m[3] == m[1]) {
			to, _ = strconv.Atoi(m[4])
		}
		for i := from; i <= min(to, from+20); i++ {
			set[m[1]+strconv.Itoa(i)] = true
		}
	}
}

// Every statement of the lectures is cited by the code that uses it and by a test that verifies it, in the name of the
// test, its comment or a comment within.
func TestStructureTags(t *testing.T) {
	s := structureParse()
	code, tests := map[string]bool{}, map[string]bool{}
	inName := regexp.MustCompile(`[A-F]\d+`)
	for name, f := range s.files {
		if !isTest(name) {
			for _, c := range f.Comments {
				structureTagsIn(c.Text(), code)
			}
			continue
		}
		for _, test := range structureTests(f) {
			for _, tag := range inName.FindAllString(test.Name.Name, -1) {
				tests[tag] = true
			}
			structureTagsIn(test.Doc.Text(), tests)
			for _, c := range f.Comments {
				if test.Pos() <= c.Pos() && c.End() <= test.End() {
					structureTagsIn(c.Text(), tests)
				}
			}
		}
	}
	for _, tag := range structureTags {
		check(t, code[tag], "%s is cited by no code", tag)
		check(t, tests[tag], "%s is verified by no test", tag)
	}
}

// structureTests returns the functions of a file that go test runs.
func structureTests(f *ast.File) (tests []*ast.FuncDecl) {
	name := regexp.MustCompile(`^(Test|Fuzz|Example|Benchmark)([A-Z_]\w*)?$`)
	for _, d := range f.Decls {
		if d, ok := d.(*ast.FuncDecl); ok && name.MatchString(d.Name.Name) {
			tests = append(tests, d)
		}
	}
	return tests
}

// The ledger of README.md has a row for every statement, and the tests, files and symbols it names exist.
func TestStructureLedger(t *testing.T) {
	readme := textOf("README.md")
	s := structureParse()
	tests, symbols, says := map[string]bool{}, s.symbols(), map[string]string{}
	for name, f := range s.files {
		for _, test := range structureTests(f) {
			tests[test.Name.Name] = isTest(name)
			says[test.Name.Name] = test.Name.Name + " " + test.Doc.Text()
		}
	}
	row := regexp.MustCompile(`(?m)^\| *\**([A-F]\d+)\** *\|(.*)$`)
	word := regexp.MustCompile(`\b(Test|Fuzz|Example)[A-Z_]\w*`)
	code := regexp.MustCompile("`([A-Za-z][\\w.]*)`")
	rows := map[string]int{}
	for _, m := range row.FindAllStringSubmatch(readme, -1) {
		tag, rest := m[1], m[2]
		rows[tag]++
		verified := word.FindAllString(rest, -1)
		check(t, len(verified) != 0, "README.md: %s names no test", tag)
		for _, name := range verified {
			check(t, tests[name], "README.md: %s names %s, which is no test", tag, name)
			tagged := regexp.MustCompile(tag + `(\D|$)`).MatchString(says[name])
			check(t, tagged, "README.md: %s names %s, which has no such tag", tag, name)
		}
		for _, m := range code.FindAllStringSubmatch(rest, -1) {
			name := m[1]
			check(t, s.files[name] != nil || tests[name] || symbols[name],
				"README.md: %s names %s, which does not exist", tag, name)
		}
	}
	for _, tag := range structureTags {
		check(t, rows[tag] == 1, "README.md: %d rows for %s, want 1", rows[tag], tag)
		delete(rows, tag)
	}
	check(t, len(rows) == 0, "README.md: rows %v are for no statement", rows)
}

// symbols returns the names that the package declares: F, T, and T.M for a method or field.
func (s *structureSource) symbols() map[string]bool {
	symbols := map[string]bool{}
	pkg, _ := s.check()
	for _, name := range pkg.Scope().Names() {
		symbols[name] = true
	}
	for pos, owner := range s.members() {
		file := s.text[s.fset.Position(pos).Filename]
		name := structureWord.FindString(file[s.fset.Position(pos).Offset:])
		symbols[owner+"."+name] = true
	}
	return symbols
}

var structureWord = regexp.MustCompile(`^\w+`)

// What comments name in [brackets], as go doc does, exists: [Matrix], [Model.Decision], [math/rand/v2.Rand]. A bracket
// that holds a number, a formula or a reason is none of these.
func TestStructureLinks(t *testing.T) {
	s := structureParse()
	symbols := s.symbols()
	link := regexp.MustCompile(`\[\*?([A-Z]\w*(?:\.[A-Z]\w*)?)\]`)
	tag := regexp.MustCompile(`^[A-Z]\d*$`)
	links := 0
	for name, f := range s.files {
		if isTest(name) {
			continue
		}
		for _, c := range f.Comments {
			for _, m := range link.FindAllStringSubmatch(c.Text(), -1) {
				if links++; !symbols[m[1]] && !tag.MatchString(m[1]) {
					t.Errorf("%s: comment names [%s], which does not exist", name, m[1])
				}
			}
		}
	}
	check(t, links >= 10, "%d links found, want at least 10, or the search is broken", links)
}

// The tour.

// TestTour is an hour of demonstrations: go test -run Tour -v . shows the package at work on the examples of the
// lectures, in a terminal of 100 columns, and checks every number that it shows.
func TestTour(t *testing.T) {
	v := &tour{t: t, out: io.Discard}
	if testing.Verbose() {
		v.out = os.Stdout
	}
	v.say("What is claimed below is checked by the test that prints it.")
	for _, section := range []struct {
		title string
		show  func(v *tour)
	}{
		{"Exclusive or, by hand and by machine (D4)", tourXOR},
		{"A plane in three dimensions, two curves in the plane (D1)", tourConic},
		{"A disc in a ring (D2)", tourDisc},
		{"The widest street, by four solvers (A5, B2, B10, E1, E3)", tourFourSolvers},
		{"No street at all (A5, C5)", tourHulls},
		{"What C does (A6)", tourC},
		{"Reading the slack (A9)", tourSlack},
		{"Free and bounded support vectors (B6, B7)", tourBias},
		{"The certificate (B5)", tourKKT},
		{"Ten steps of SMO (E1, E2)", tourSteps},
		{"The duality gap closes (B3)", tourGap},
		{"Stochastic gradients stay under their bound (E3, E6)", tourPegasos},
		{"A kernel is a feature map (D3, D4, D5, D6, D20)", tourFeatures},
		{"The Gaussian is one, too (D8)", tourTaylor},
		{"Two languages (D10)", tourLanguages},
		{"Three classes (F4, F6)", tourClasses},
		{"Choosing C and γ (F7)", tourChoice},
		{"What γ does", tourGamma},
	} {
		v.gap()
		v.printf("%s\n%s\n\n", section.title, strings.Repeat("─", utf8.RuneCountInString(section.title)))
		section.show(v)
	}
	pictures := strings.Split(textOf("README.md"), "```text\n")[1:]
	check(t, len(pictures) > 0, "README.md shows no page of the tour")
	for _, text := range pictures {
		picture, _, _ := strings.Cut(text, "```")
		check(t, strings.Contains(v.shown.String(), picture), "README.md shows what the tour does not:\n%s", picture)
	}
}

// A tour shows and checks.
type tour struct {
	t     *testing.T
	out   io.Writer
	shown strings.Builder
}

// printf shows some lines, which must fit on the terminal.
func (v *tour) printf(format string, args ...any) {
	v.t.Helper()
	text := fmt.Sprintf(format, args...)
	for line := range strings.Lines(text) {
		n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n"))
		check(v.t, n <= 100, "line of %d columns: %q", n, line)
	}
	io.WriteString(v.out, text)
	v.shown.WriteString(text)
}

// gap leaves a line blank, unless that has just been done.
func (v *tour) gap() {
	if !strings.HasSuffix(v.shown.String(), "\n\n") {
		v.printf("\n")
	}
}

// say shows a paragraph, with a blank line before and after it.
func (v *tour) say(format string, args ...any) {
	var lines []string
	for _, word := range strings.Fields(fmt.Sprintf(format, args...)) {
		last := len(lines) - 1
		if last >= 0 && utf8.RuneCountInString(lines[last])+utf8.RuneCountInString(word) < 92 {
			lines[last] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	v.gap()
	v.printf("%s\n\n", strings.Join(lines, "\n"))
}

// near checks a number of the text, up to an absolute tolerance.
func (v *tour) near(what string, got, want, tol float64) {
	v.t.Helper()
	about(v.t, got, want, tol, "%s", what)
}

// nearAll checks several numbers, one by one.
func (v *tour) nearAll(what string, got, want []float64, tol float64) {
	v.t.Helper()
	aboutAll(v.t, got, want, tol, "%s", what)
}

// check checks a claim of the text.
func (v *tour) check(claim string, ok bool) {
	v.t.Helper()
	check(v.t, ok, "false: %s", claim)
}

// tourZero returns v, or 0 in place of what rounding has left of it.
func tourZero(v float64) float64 {
	if math.Abs(v) < 1e-7 {
		return 0
	}
	return v
}

// tourTol is a tolerance of training at which every digit shown is right.
const tourTol = 1e-9

// A tourPicture is a part of the plane, drawn in characters.
type tourPicture struct {
	x0, x1, y0, y1 float64
	cells          [][]rune // rows from the top
}

func newTourPicture(width, height int, x0, x1, y0, y1 float64) *tourPicture {
	p := &tourPicture{x0, x1, y0, y1, make([][]rune, height)}
	for r := range p.cells {
		p.cells[r] = []rune(strings.Repeat(" ", width))
	}
	return p
}

// at returns the point that is r cells below the top and c cells from the left edge.
func (p *tourPicture) at(r, c float64) []float64 {
	height, width := float64(len(p.cells)), float64(len(p.cells[0]))
	return []float64{p.x0 + c/width*(p.x1-p.x0), p.y1 - r/height*(p.y1-p.y0)}
}

// contour marks the cells through which the curve f = level passes: those whose corners are on both sides of it.
func (p *tourPicture) contour(f func(x []float64) float64, level float64, mark rune) {
	corner := func(r, c int) bool { return f(p.at(float64(r), float64(c))) >= level }
	for r, row := range p.cells {
		nw, sw := corner(r, 0), corner(r+1, 0)
		for c := range row {
			ne, se := corner(r, c+1), corner(r+1, c+1)
			if nw != sw || nw != ne || nw != se {
				row[c] = mark
			}
			nw, sw = ne, se
		}
	}
}

// points marks the points inside the picture, each by its own mark.
func (p *tourPicture) points(xs [][]float64, mark func(i int) rune) {
	height, width := float64(len(p.cells)), float64(len(p.cells[0]))
	for i, x := range xs {
		c, r := math.Floor((x[0]-p.x0)/(p.x1-p.x0)*width), math.Floor((p.y1-x[1])/(p.y1-p.y0)*height)
		if 0 <= c && c < width && 0 <= r && r < height {
			p.cells[int(r)][int(c)] = mark(i)
		}
	}
}

// machine draws a model: the boundary, the margins, the points, the support vectors in capitals.
func (p *tourPicture) machine(m *Model[[]float64], xs [][]float64, ys []float64) *tourPicture {
	p.contour(m.Decision, -1, '·')
	p.contour(m.Decision, 1, '·')
	p.contour(m.Decision, 0, '█')
	p.points(xs, func(i int) rune { return []rune("ox")[int(1+ys[i])/2] })
	p.points(m.Points, func(i int) rune { return []rune("OX")[int(1+sign(m.Coef[i]))/2] })
	return p
}

const tourLegend = "█ boundary, f = 0   · margins, f = ±1   o x points of class −1, +1   O X support vectors\n"

// pictures shows pictures side by side, each in a frame with a title.
func (v *tour) pictures(titles []string, ps ...*tourPicture) {
	var top, bottom []string
	for i, p := range ps {
		width := len(p.cells[0])
		dashes := strings.Repeat("─", width-2-utf8.RuneCountInString(titles[i]))
		top = append(top, "┌ "+titles[i]+" "+dashes+"┐")
		bottom = append(bottom, "└"+strings.Repeat("─", width)+"┘")
	}
	v.printf("%s\n", strings.Join(top, " "))
	for r := range ps[0].cells {
		var rows []string
		for _, p := range ps {
			rows = append(rows, "│"+string(p.cells[r])+"│")
		}
		v.printf("%s\n", strings.Join(rows, " "))
	}
	v.printf("%s\n", strings.Join(bottom, " "))
}

// tourClouds returns n points around (−1, −1) and (1, 1) in turn, with the given deviation.
func tourClouds(n int, deviation float64, seed uint64) (xs [][]float64, ys []float64) {
	rng := rand.New(rand.NewPCG(seed, 0))
	return labelled(n, func(i int) ([]float64, float64) {
		y := float64(2*(i%2) - 1)
		return []float64{y + deviation*rng.NormFloat64(), y + deviation*rng.NormFloat64()}, y
	})
}

func tourXOR(v *tour) {
	xs, ys := xorPoints()
	k := Polynomial{Degree: 2, Coef: 1}
	v.say("The kernel (1 + x·z)² has the features (x₁², √2 x₁x₂, x₂², √2 x₁, √2 x₂, 1). One of them, √2·x₁x₂, tells the " +
		"classes apart:")
	phi, gram := k.FeatureMap(2), GramMatrix(k, xs)
	v.printf("     x         y     √2 x₁   √2 x₁x₂     its row of K\n")
	for i, x := range xs {
		p := phi(x)
		v.printf("  (%2v, %2v)   %2v    %6.3f    %6.3f      %v\n", x[0], x[1], ys[i], p[3], p[1], gram.Row(i))
		v.near("√2 x₁x₂", p[1], -math.Sqrt2*ys[i], 1e-15)
	}
	v.nearAll("K", gram.Data, []float64{9, 1, 1, 1, 1, 9, 1, 1, 1, 1, 9, 1, 1, 1, 1, 9}, 0)
	m := must(Train(xs, ys, k, Options{C: math.Inf(1)}))
	v.say("By hand: the α are equal by symmetry, and Σα − ½ Σ αᵢαⱼyᵢyⱼKᵢⱼ = 4α − ½ (4·9 + 4·1 − 8·1) α² = 4α − 16α² is " +
		"greatest at α = 1/8. Then w = Σ αᵢyᵢφ(xᵢ) is −1/√2 in the feature √2·x₁x₂ and 0 in the others, b = 0, " +
		"f(x) = −x₁x₂, and the street is 2/‖w‖ = 2√2 wide.")
	v.say("By machine: α = %v, b = %v, f(2, 3) = %v, street %.6f.", m.Alpha, m.B, m.Decision([]float64{2, 3}), 2/m.Norm())
	v.nearAll("α", m.Alpha, constant(4, 1.0/8), 1e-15)
	v.near("f(2, 3)", m.Decision([]float64{2, 3}), -6, 1e-14)
	v.near("street", 2/m.Norm(), 2*math.Sqrt2, 1e-14)

	// The two features as a plane, with f = −z₂/√2 there.
	images := mapped(xs, func(x []float64) []float64 { return []float64{phi(x)[3], phi(x)[1]} })
	linear := must(Train(images, ys, Linear{}, Options{C: math.Inf(1)}))
	v.near("f in the plane of two features", linear.Decision([]float64{5, 1}), -1/math.Sqrt2, 1e-14)
	v.pictures([]string{"x₁ and x₂", "the features √2 x₁ and √2 x₁x₂"},
		newTourPicture(47, 15, -2, 2, -2, 2).machine(m, xs, ys),
		newTourPicture(47, 15, -2.2, 2.2, -2.2, 2.2).machine(linear, images, ys))
	v.printf(tourLegend)
}

func tourConic(v *tour) {
	h := Hyperplane{W: []float64{1, 3, 1}, B: -3}
	f := func(x []float64) float64 { return h.Decision(Quadratic(x)) }
	v.say("Send x to ψ(x) = (x₁², x₁x₂, x₂²) and take the plane w = (1, 3, 1), b = −3 there. In the plane of x it is the " +
		"hyperbola x₁² + 3x₁x₂ + x₂² = 3, two curves. Left, where w·ψ(x) + b = 0 with its signs; right, what is learned, " +
		"with the kernel ψ(x)·ψ(z), from a thousand points labelled by these signs.")
	rng := rand.New(rand.NewPCG(1, 0))
	xs, ys := labelled(1000, func(int) ([]float64, float64) {
		x := []float64{6*rng.Float64() - 3, 6*rng.Float64() - 3}
		return x, sign(f(x))
	})
	m := must(Train(xs, ys, Pullback(Linear{}, Quadratic), Options{C: math.Inf(1), Tol: tourTol}))
	left := newTourPicture(47, 21, -3, 3, -3, 3)
	left.contour(f, 0, '█')
	left.points([][]float64{{0, 0}, {2, 2}, {-2, -2}}, func(i int) rune { return []rune("−++")[i] })
	right := newTourPicture(47, 21, -3, 3, -3, 3).machine(m, nil, nil)
	v.pictures([]string{"w·ψ(x) + b = 0", "learned: hard margin"}, left, right)
	v.printf(tourLegend)
	w := tourWeights(m, Quadratic)
	axpy(w, -3/m.B-1, w) // scaled to b = −3
	v.say("Learned, scaled to b = −3: w = (%.2f, %.2f, %.2f), right on %d of %d points.",
		w[0], w[1], w[2], tourRight(m, xs, ys), len(xs))
	v.check("all points are classified rightly", tourRight(m, xs, ys) == len(xs))
	v.nearAll("w", w, h.W, 0.1)
	v.nearAll("f at 0, (2, 2) and (−2, −2)", mapped([][]float64{{0, 0}, {2, 2}, {-2, -2}}, f), []float64{-3, 17, 17}, 0)
}

// tourWeights returns w = Σ αᵢyᵢφ(xᵢ).
func tourWeights(m *Model[[]float64], phi func(x []float64) []float64) []float64 {
	w := phi(m.Points[0])
	axpy(w, -1, w)
	for i, x := range m.Points {
		axpy(w, m.Coef[i], phi(x))
	}
	return w
}

// tourRight counts the points that m classifies rightly.
func tourRight(m *Model[[]float64], xs [][]float64, ys []float64) int {
	return tourHits(mapped(xs, m.Predict), ys)
}

// tourHits counts the predictions that agree with the labels.
func tourHits[L comparable](predictions, labels []L) (hits int) {
	for i, label := range labels {
		if predictions[i] == label {
			hits++
		}
	}
	return hits
}

func tourDisc(v *tour) {
	rng := rand.New(rand.NewPCG(4, 0))
	xs, ys := labelled(80, func(i int) ([]float64, float64) {
		r, y := math.Sqrt(rng.Float64()), 1.0
		if i%2 == 1 {
			r, y = 1.5+0.6*rng.Float64(), -1
		}
		sin, cos := math.Sincos(2 * math.Pi * rng.Float64())
		return []float64{r * cos, r * sin}, y
	})
	v.say("No line separates a disc from its surroundings, but on the paraboloid (x₁, x₂, x₁² + x₂²) a plane does: " +
		"w₁x₁ + w₂x₂ + w₃(x₁² + x₂²) + b = 0 is a circle.")
	line := must(Train(xs, ys, Linear{}, Options{C: 1}))
	m := must(Train(xs, ys, Pullback(Linear{}, Paraboloid), Options{C: math.Inf(1), Tol: tourTol}))
	w := tourWeights(m, Paraboloid)
	x, y := -w[0]/(2*w[2]), -w[1]/(2*w[2])
	radius := math.Sqrt(x*x + y*y - m.B/w[2])
	v.pictures([]string{"a plane on the paraboloid"}, newTourPicture(56, 25, -2.3, 2.3, -2.3, 2.3).machine(m, xs, ys))
	v.printf(tourLegend)
	v.say("The line of the linear kernel, C = 1: %d of %d points right. The circle: %d right, its centre at a distance "+
		"of %.2f from the disc's, radius %.2f.",
		tourRight(line, xs, ys), len(xs), tourRight(m, xs, ys), math.Hypot(x, y), radius)
	v.check("no line does it", tourRight(line, xs, ys) < 70)
	v.check("the circle does", tourRight(m, xs, ys) == len(xs))
	v.near("centre", math.Hypot(x, y), 0, 0.2)
	v.check("the radius is between the disc's and the ring's", 1 < radius && radius < 1.5)
}

func tourFourSolvers(v *tour) {
	xs := [][]float64{{-1, 0}, {-2, 1}, {-2, -1}, {-3, 0}, {1, 1}, {1, -1}, {4, 1}, {4, -1}}
	ys := []float64{-1, -1, -1, -1, 1, 1, 1, 1}
	n := len(xs)
	v.say("Eight points. By hand: the street is bounded by the lines x₁ = −1 and x₁ = 1, so w = (1, 0), b = 0, and the " +
		"three points on the lines carry it: w = ¼ (1, 1) + ¼ (1, −1) − ½ (−1, 0).")
	m := must(Train(xs, ys, Linear{}, Options{C: math.Inf(1), Tol: tourTol}))
	v.pictures([]string{"hard margin"}, newTourPicture(64, 15, -4, 5, -2, 2).machine(m, xs, ys))

	p := must(SolveQP(PrimalQP(xs, ys, math.Inf(1)), QPOptions{}))
	d := must(SolveQP(DualQP(GramMatrix(Linear{}, xs), ys, math.Inf(1)), QPOptions{}))
	fromDual := Hyperplane{make([]float64, 2), d.Eq[0]} // b is the multiplier of Σαy = 0
	for i, x := range xs {
		axpy(fromDual.W, d.X[i]*ys[i], x)
	}
	o := SGD{Lambda: 1 / (2 * float64(n) * 1), Steps: 1e6} // C = 1 is more than every α: the hard margin
	average := must(Pegasos(xs, ys, o))
	v.gap()
	v.printf("%-28s %9s %9s %9s   %s\n", "", "w₁", "w₂", "b", "½‖w‖²")
	for _, row := range []struct {
		name      string
		plane     Hyperplane
		tol       float64
		objective float64
	}{
		{"primal QP, 3 unknowns", Hyperplane{p.X[:2], p.X[2]}, 1e-8, p.Objective},
		{"dual QP, 8 unknowns", fromDual, 1e-8, -d.Objective},
		{"SMO", must(Explicit(m)), 1e-8, m.KKT.Primal},
		{"Pegasos, C = 1, 10⁶ steps", average, math.Sqrt(o.Bound(xs) / o.Lambda), norm2(average.W) / 2},
	} {
		w := row.plane.W
		v.printf("%-28s %9.5f %9.5f %9.5f   %.5f\n",
			row.name, tourZero(w[0]), tourZero(w[1]), tourZero(row.plane.B), row.objective)
		v.near(row.name, math.Sqrt((w[0]-1)*(w[0]-1)+w[1]*w[1]+row.plane.B*row.plane.B), 0, row.tol)
		v.near(row.name, row.objective, 0.5, max(1e-8, 1.5*row.tol))
	}
	v.say("Pegasos' objective λ‖(w, b)‖² + (1/n) Σ hinge, with λ = 1/(2Cn), is %.6f; the least possible is λ = %.6f, and "+
		"the theory promises to miss it by no more than %.6f.", o.Objective(average, xs, ys), o.Lambda, o.Bound(xs))
	v.check("Pegasos is within its bound", o.Objective(average, xs, ys)-o.Lambda <= o.Bound(xs))
	alpha := []float64{0.5, 0, 0, 0, 0.25, 0.25, 0, 0}
	v.nearAll("α by SMO", m.Alpha, alpha, 1e-8)
	v.nearAll("α by the dual QP", d.X, alpha, 1e-7)
	v.nearAll("α as multipliers of the primal", p.Ineq, alpha, 1e-7)
}

func tourHulls(v *tour) {
	xs := [][]float64{{-1, -1}, {-1, 1}, {1, -1}, {1, 1}, {3, 2}}
	ys := []float64{-1, 1, 1, -1, -1}
	_, err := Train(xs, ys, Linear{}, Options{C: math.Inf(1)})
	var proof *NotSeparableError
	if !errors.As(err, &proof) {
		v.t.Fatalf("error %v, want one with a proof", err)
	}
	v.say("The exclusive or, and a point besides, with the linear kernel and C = ∞. There is no separating plane, the " +
		"dual grows forever, and what it grows along is the proof: weights λ ≥ 0, of sum 1 in each class, with one and " +
		"the same mean.")
	v.printf("     x         y         λ\n")
	sum, mean := make([]float64, 2), [2][]float64{{0, 0}, {0, 0}}
	for i, x := range xs {
		class := int(1+ys[i]) / 2
		v.printf("  (%2v, %2v)   %2v   %7.4f\n", x[0], x[1], ys[i], proof.Lambda[i])
		v.check("λ ≥ 0", proof.Lambda[i] >= 0)
		sum[class] += proof.Lambda[i]
		axpy(mean[class], proof.Lambda[i], x)
	}
	v.say("The mean of class −1 is (%.4f, %.4f), that of class +1 (%.4f, %.4f). A plane with one class on each side "+
		"would have this point on both sides.",
		tourZero(mean[0][0]), tourZero(mean[0][1]), tourZero(mean[1][0]), tourZero(mean[1][1]))
	v.nearAll("Σλ", sum, []float64{1, 1}, 1e-9)
	v.nearAll("the means", mean[0], mean[1], 1e-6)
}

func tourC(v *tour) {
	xs, ys := tourClouds(60, 0.75, 9)
	v.say("Sixty points of two clouds that overlap. The larger C, the dearer the slack: Σξ falls, ‖w‖ grows, the street " +
		"gets narrower, and fewer points are inside it.")
	v.printf("        C    street 2/‖w‖         Σ slack    support vectors: on the margin, inside    wrong side\n")
	lastNorm, lastSlack := 0.0, math.Inf(1)
	models := map[float64]*Model[[]float64]{}
	for _, c := range []float64{0.001, 0.01, 0.1, 1, 10, 100} {
		m := must(Train(xs, ys, Linear{}, Options{C: c, Tol: tourTol}))
		slack := total(m.Slacks(xs, ys))
		wrong := len(xs) - tourRight(m, xs, ys)
		v.printf("%9v %15.4f %15.4f %30d %9d %12d\n", c, 2/m.Norm(), slack, m.KKT.Free, m.KKT.Bound, wrong)
		v.check("‖w‖ grows with C, and the slack falls", m.Norm() >= lastNorm && slack <= lastSlack)
		lastNorm, lastSlack, models[c] = m.Norm(), slack, m
	}
	v.gap()
	v.pictures([]string{"C = 0.01", "C = 100"}, newTourPicture(47, 19, -3.2, 3.2, -3.2, 3.2).machine(models[0.01], xs, ys),
		newTourPicture(47, 19, -3.2, 3.2, -3.2, 3.2).machine(models[100], xs, ys))
	v.printf(tourLegend)
}

// tourLine returns eight points on a line for which, with C = 1, w = ½, b = 0 and all numbers are simple: the free
// points ±2 contribute 4·⅜ to w, the four at the bound −1.
func tourLine() (xs [][]float64, ys []float64) {
	return [][]float64{{-4}, {-2}, {0}, {0.5}, {1}, {1.5}, {2}, {4}}, []float64{-1, -1, 1, -1, 1, -1, 1, 1}
}

func tourSlack(v *tour) {
	xs, ys := tourLine()
	m := must(Train(xs, ys, Linear{}, Options{C: 1, Tol: tourTol}))
	v.say("Points on a line, f(x) = ½x: the street goes from −2 to 2. ξ = max(0, 1 − y f(x)) says where a point is, and α " +
		"what it contributes: nothing, something, or all it may.")
	v.printf("      x     y     y f        ξ        α\n")
	slack := []float64{0, 0, 1, 1.25, 0.5, 1.75, 0, 0}
	alpha := []float64{0, 0.375, 1, 1, 1, 1, 0.375, 0}
	classes := []SlackClass{SlackNone, SlackNone, SlackOnPlane, SlackMistaken, SlackInside, SlackMistaken, SlackNone, SlackNone}
	for i, x := range xs {
		z := ys[i] * m.Decision(x)
		xi := math.Round(HingeLoss(z)/tourTol) * tourTol
		v.printf("  %5v  %4v   %5.2f   %6.3f   %6.3f   %v\n", x[0], ys[i], tourZero(z), xi, m.Alpha[i], ClassifySlack(xi))
		v.near("ξ", xi, slack[i], 2*tourTol)
		v.check("the slack tells the place", ClassifySlack(xi) == classes[i])
		v.near("α", m.Alpha[i], alpha[i], tourTol)
	}
}

func tourBias(v *tour) {
	xs, ys := tourLine()
	m := must(Train(xs, ys, Linear{}, Options{C: 1, Tol: tourTol}))
	v.say("A free support vector, 0 < α < C, is exactly on its margin, so that y − Σ αⱼyⱼk(xⱼ, x) is b. At a bound it is " +
		"not, and an average that includes such points is wrong. The same points:")
	v.printf("      x     y       α                       y − Σ αⱼyⱼk(xⱼ, x)\n")
	for i, x := range xs {
		b := ys[i] - m.Eval(x)
		status := "no support vector"
		switch {
		case m.Alpha[i] == 1:
			status = "at the bound"
		case m.Alpha[i] > 0:
			status = "free"
			v.near("b by a free support vector", b, m.B, tourTol)
		}
		v.printf("  %5v  %4v   %6.3f   %-18s  %5.2f\n", x[0], ys[i], m.Alpha[i], status, tourZero(b))
	}
	free := tourMeanB(m, xs, ys, func(alpha float64) bool { return 0 < alpha && alpha < 1 })
	all := tourMeanB(m, xs, ys, func(alpha float64) bool { return 0 < alpha })
	v.say("The mean over the free ones is %.3f, and b = %.3f. The mean over all support vectors would be %.3f.",
		tourZero(free), tourZero(m.B), all)
	v.near("b", m.B, 0, tourTol)
	v.near("the mean over all", all, -0.25, tourTol)

	two := must(Train([][]float64{{-1}, {1}}, []float64{-1, 1}, Linear{}, Options{C: 0.25}))
	v.say("There need not be a free one. With two points −1 and +1 and C = ¼ both are at the bound, w = ½, and all b "+
		"between %v and %v are optimal, because both points stay inside the street; b is the middle, %v.",
		two.BLo, two.BHi, two.B)
	v.check("the interval of b is [−½, ½]", two.BLo == -0.5 && two.BHi == 0.5 && two.B == 0)
}

func tourMean(vs []float64) float64 { return total(vs) / float64(len(vs)) }

// tourMeanB returns the mean of y − Σ αⱼyⱼk(xⱼ, x) over the points of which α is as wanted.
func tourMeanB(m *Model[[]float64], xs [][]float64, ys []float64, wanted func(alpha float64) bool) float64 {
	return tourMean(mapped(where(m.Alpha, wanted), func(i int) float64 { return ys[i] - m.Eval(xs[i]) }))
}

func tourKKT(v *tour) {
	xs, ys := tourClouds(60, 0.75, 9)
	o := Options{C: 1, Tol: 1e-6}
	m := must(Train(xs, ys, RBF{Gamma: 0.5}, o))
	v.say("Every model carries its proof. Primal and dual bound the optimum from above and below; each residual is one " +
		"of the Karush–Kuhn–Tucker conditions, and zero at the optimum. Sixty points again, Gaussian kernel, C = 1:")
	for line := range strings.Lines(m.KKT.String()) {
		v.printf("  %s", line)
	}
	shifted := *m
	shifted.B += 0.1
	k, off := Verify(m, xs, ys, o), Verify(&shifted, xs, ys, o)
	v.say("Verify computes it afresh, from the kernel alone: gap %.0e. With 0.1 added to b it is %.3f.", k.Gap, off.Gap)
	v.near("the gap by Verify", k.Gap, m.KKT.Gap, 1e-12)
	v.check("the optimum is certified to 1e-5", 0 <= k.Gap+1e-12 && k.Gap < 1e-5 && k.Violation <= 1e-6)
	v.check("a shifted model is not", off.Gap > 0.01)
}

func tourSteps(v *tour) {
	xs := [][]float64{{0, 4}, {0, 0}, {0, 2}, {4, 0}, {3, 1}, {2, 2}}
	ys := []float64{-1, -1, 1, -1, 1, 1}
	v.say("Six points, k(x, z) = x·z, C = 1. In signed multipliers β = αy the gradient is gᵢ = yᵢ − w·xᵢ with w = Σβx. A " +
		"step takes the i of greatest g that may rise and the j of greatest (gᵢ − gⱼ)²/‖xᵢ − xⱼ‖² that may fall, and " +
		"moves t = (gᵢ − gⱼ)/‖xᵢ − xⱼ‖² from j to i, or as far as the box lets it, between 0 and y. Done on paper, then " +
		"by machine:")
	v.printf("%45s", "")
	for _, x := range xs {
		v.printf(" %6s", fmt.Sprintf("%v,%v", x[0], x[1]))
	}
	v.printf("\nstep  i  j  gᵢ − gⱼ  ‖xᵢ−xⱼ‖²       t           β₀     β₁     β₂     β₃     β₄     β₅       dual\n")
	hand := &tourHand{d: oracleSVC(GramMatrix(Linear{}, xs), ys, 1, nil), beta: make([]float64, len(xs))}
	last := 0.0
	for s := range SMOSteps(hand.d, SMOOptions{Tol: tourTol}) {
		if s.Iterations == hand.steps || s.Iterations > 10 {
			continue
		}
		hand.step()
		v.printf("%4d  %d  %d  %7s  %8v  %6s       ",
			s.Iterations, hand.i, hand.j, tourFraction(hand.slope), hand.eta, tourFraction(hand.t))
		sum := 0.0
		for i, beta := range s.Beta {
			v.printf(" %6s", tourFraction(beta))
			v.near(fmt.Sprintf("step %d, β", s.Iterations), beta, hand.beta[i], 1e-12)
			v.check("β stays in its box", hand.d.Lo[i] <= beta && beta <= hand.d.Hi[i])
			sum += beta
		}
		v.printf(" %10s\n", tourFraction(s.Objective))
		v.near("Σβ", sum, 0, 1e-12)
		v.check("the dual rises", s.Objective > last)
		last = s.Objective
	}
	v.check("there are ten steps to see", hand.steps == 10)
	best := must(SMO(hand.d, SMOOptions{Tol: tourTol}))
	v.say("After %d steps no pair has anything to gain: the greatest g that may rise is the least that may fall, and is "+
		"b = %s. The dual is %s.", best.Iterations, tourFraction(best.B), tourFraction(best.Objective))
	v.check("the dual ends above all steps", best.Objective >= last)
}

// tourFraction writes a number as on paper, if its denominator is small.
func tourFraction(v float64) string {
	for den := range int64(64) {
		num := math.Round(v * float64(den+1))
		if r := big.NewRat(int64(num), den+1); math.Abs(ratFloat(r)-v) < 1e-9 {
			return r.RatString()
		}
	}
	return fmt.Sprintf("%.4f", v)
}

// A tourHand does SMO as one does it on paper.
type tourHand struct {
	d           Dual
	beta        []float64
	steps, i, j int
	slope       float64 // gᵢ − gⱼ
	eta, t      float64 // ‖xᵢ − xⱼ‖² and the step
}

func (h *tourHand) step() {
	g, k := gradient(h.d, h.beta), h.d.K.(*Matrix)
	eta := func(j int) float64 { return k.At(h.i, h.i) + k.At(j, j) - 2*k.At(h.i, j) }
	gain := func(j int) float64 { return (g[h.i] - g[j]) * (g[h.i] - g[j]) / eta(j) }
	h.i, h.j = -1, -1
	for i := range g {
		if h.beta[i] < h.d.Hi[i] && (h.i < 0 || g[i] > g[h.i]) {
			h.i = i
		}
	}
	for j := range g {
		if h.beta[j] > h.d.Lo[j] && g[j] < g[h.i] && (h.j < 0 || gain(j) > gain(h.j)) {
			h.j = j
		}
	}
	h.slope, h.eta = g[h.i]-g[h.j], eta(h.j)
	h.t = min(h.slope/h.eta, h.d.Hi[h.i]-h.beta[h.i], h.beta[h.j]-h.d.Lo[h.j])
	h.beta[h.i] += h.t
	h.beta[h.j] -= h.t
	h.steps++
}

func tourGap(v *tour) {
	xs, ys := tourClouds(100, 0.9, 3)
	c := 10.0
	v.say("Any multipliers give a lower bound on the optimum, any plane an upper one. A hundred points, Gaussian kernel, "+
		"C = %v; the bars are the logarithm of the gap, from 10⁻⁶ up:", c)
	d := oracleSVC(GramMatrix(RBF{Gamma: 0.5}, xs), ys, c, nil)
	best := must(SMO(d, SMOOptions{Tol: tourTol}))
	v.printf("   step        dual      primal        gap\n")
	next, shown, lastDual := 0, -1, math.Inf(-1)
	row := func(step int, dual, primal float64) {
		bar := strings.Repeat("█", int(math.Round(5*(6+math.Log10(max(1e-6, primal-dual))))))
		line := fmt.Sprintf("%7d  %10.4f  %10.4f   %8.1e  %s", step, dual, primal, max(0, primal-dual), bar)
		v.printf("%s\n", strings.TrimRight(line, " "))
		shown, next = step, max(1, 2*step)
	}
	step, primal := 0, 0.0
	for s := range SMOSteps(d, SMOOptions{Tol: 1e-6}) {
		step, primal = s.Iterations, newOracleCase(d, s, 0, true).primal()
		v.check("the dual never falls", s.Objective >= lastDual-1e-9)
		v.check("dual ≤ optimum ≤ primal", s.Objective <= best.Objective+1e-9 && primal >= best.Objective-1e-9)
		lastDual = s.Objective
		if step >= next && step != shown {
			row(step, s.Objective, primal)
		}
	}
	if step != shown {
		row(step, lastDual, primal)
	}
	v.say("The optimum is %.4f. The dual rises with every step; the primal, of the plane that belongs to it, does as it "+
		"likes.", best.Objective)
	v.near("the gap at the end", primal-lastDual, 0, 1e-3)
}

func tourPegasos(v *tour) {
	xs, ys := tourClouds(200, 0.9, 5)
	lambda := 0.01
	v.say("Two hundred points, λ = %v. The optimum of λ‖(w, b)‖² + (1/n) Σ hinge is known from its dual, a QP. Ten runs "+
		"for each number of steps T: how far above the optimum their averages are, and R²(1 + ln T)/(λT), which bounds "+
		"the mean:", lambda)
	_, best := pegOptimum(mapped(xs, pegExtend), ys, lambda)
	v.printf("        T     mean of ten           worst          bound\n")
	first, last := 0.0, 0.0
	for _, steps := range []int{100, 1000, 10000, 100000} {
		o := SGD{Lambda: lambda, Steps: steps}
		mean, worst := 0.0, 0.0
		for seed := range uint64(10) {
			o.Rand = rand.New(rand.NewPCG(seed, 7))
			above := o.Objective(must(Pegasos(xs, ys, o)), xs, ys) - best
			v.check("nothing is better than the optimum", above > -1e-9)
			mean, worst = mean+above/10, max(worst, above)
		}
		v.printf("%9d %15.6f %15.6f %14.6f\n", steps, mean, worst, o.Bound(xs))
		v.check("the mean is under the bound", mean <= o.Bound(xs))
		if first == 0 {
			first = mean
		}
		last = mean
	}
	v.say("The optimum is %.6f. A thousand times the steps, and the average is %.0f times closer to it.", best, first/last)
	v.check("a thousand times the steps, a hundred times closer", first/last > 100)
}

// tourParabola returns fifty points in [−1, 1]² labelled by the side of a parabola, and fifty others.
func tourParabola() (xs [][]float64, ys []float64, others [][]float64) {
	rng := rand.New(rand.NewPCG(1, 0))
	for range 50 {
		x := []float64{2*rng.Float64() - 1, 2*rng.Float64() - 1}
		xs, ys = append(xs, x), append(ys, sign(x[1]-x[0]*x[0]+0.2))
		others = append(others, []float64{2*rng.Float64() - 1, 2*rng.Float64() - 1})
	}
	return xs, ys, others
}

// tourDiffer trains on x with k and on φ(x) with the inner product. It returns the number of features and the greatest
// difference of the two decisions on other points.
func tourDiffer(k Kernel[[]float64], phi func(x []float64) []float64) (features int, worst float64) {
	xs, ys, others := tourParabola()
	o := Options{C: 1, Tol: tourTol}
	m := must(Train(xs, ys, k, o))
	images := mapped(xs, phi)
	explicit := must(Train(images, ys, Linear{}, o))
	for _, x := range others {
		worst = max(worst, math.Abs(m.Decision(x)-explicit.Decision(phi(x))))
	}
	return len(images[0]), worst
}

func tourFeatures(v *tour) {
	v.say("Train on φ(x) with the inner product, or on x with the kernel: it is the same machine. Fifty points in [−1, " +
		"1]², and the greatest difference of the two decisions on fifty others:")
	v.printf("%-26s %9s %13s\n", "kernel", "features", "difference")
	for _, row := range []struct {
		name string
		k    Kernel[[]float64]
		phi  func(x []float64) []float64
	}{
		{"(x·z)²", Polynomial{Degree: 2}, Polynomial{Degree: 2}.FeatureMap(2)},
		{"(1 + x·z)²", Polynomial{Degree: 2, Coef: 1}, Polynomial{Degree: 2, Coef: 1}.FeatureMap(2)},
		{"(1 + x·z)⁵", Polynomial{Degree: 5, Coef: 1}, Polynomial{Degree: 5, Coef: 1}.FeatureMap(2)},
		{"1 + x·z + (x·z)² + (x·z)³", AllProducts{}, AllProducts{}.FeatureMap},
	} {
		features, worst := tourDiffer(row.k, row.phi)
		v.printf("%-26s %9d %13.0e\n", row.name, features, worst)
		v.near(row.name, worst, 0, 1e-6)
	}
}

// tourTruncation returns the worst |k(x, z) − φ(x)·φ(z)| for pairs of the points.
func tourTruncation(k RBF, phi func(x []float64) []float64, points [][]float64) float64 {
	return laDiff(oracleGram(k, points), oracleGram(Linear{}, mapped(points, phi)))
}

func tourTaylor(v *tour) {
	k := RBF{Gamma: 0.25}
	_, _, points := tourParabola()
	v.say("The Gaussian exp(−¼‖x − z‖²) has infinitely many features. Its Taylor series, cut off after degree p; as " +
		"2γ|x·z| ≤ 1 for these points, it misses k by 1/(p + 1)! at most:")
	v.printf("%-26s %9s %13s %17s %11s\n", "degree p", "features", "difference", "worst error of k", "1/(p + 1)!")
	bound := 1.0
	for degree := range 14 {
		bound /= float64(degree + 1)
		phi := k.FeatureMap(2, degree)
		wrong := tourTruncation(k, phi, points)
		v.check("the error is under its bound", wrong <= bound)
		v.near("the bound", k.TruncationBound(degree, 2, 2, 2), bound, 1e-15)
		if degree%3 == 1 {
			features, worst := tourDiffer(k, phi)
			v.printf("%-26d %9d %13.0e %17.0e %11.0e\n", degree, features, worst, wrong, bound)
			v.check("the machines agree in the end", degree < 13 || worst < 1e-6)
		}
	}
}

func tourLanguages(v *tour) {
	words := [2]string{
		"though height weather thunder which shoulder night youth breath whistle should knight thing worthy " +
			"wash length flight bring growth world",
		"bello ragazza mezzo piazza gatto cavallo finestra tavola giallo fratello notte cielo strada amico " +
			"bottiglia cappello zucchero pesce farina lettera",
	}
	languages := []string{"English", "Italian"}
	var xs, labels []string
	for l, list := range words {
		for _, w := range strings.Fields(list) {
			xs, labels = append(xs, w), append(labels, languages[l])
		}
	}
	k := Normalize(Substring{Decay: 0.7})
	v.say("Forty words, no features. The kernel counts common substrings, Σₛ δ^|s| #ₛ(x) #ₛ(z), normalised to k(x, x) = 1:")
	show := []string{"weather", "whether", "fratello", "sorella"}
	header := fmt.Sprintf("%12s", "")
	for _, z := range show {
		header += fmt.Sprintf(" %9s", z)
	}
	v.printf("%s\n", header)
	for _, x := range show {
		row := fmt.Sprintf("%12s", x)
		for _, z := range show {
			row += fmt.Sprintf(" %9.3f", k.Eval(x, z))
		}
		v.printf("%s\n", row)
	}
	v.check("related words are nearer", k.Eval("weather", "whether") > k.Eval("weather", "sorella"))
	c := must(TrainClassifier(xs, labels, k, Options{C: 10}))
	v.say("Words it has not seen, f and what it says:")
	m := c.Models()[0] // f ≥ 0 speaks for Italian
	for l, list := range []string{"daughter whether white lightning", "sorella bellezza cavaliere acqua"} {
		for _, w := range strings.Fields(list) {
			v.printf("%12s  %+.2f  %s\n", w, m.Decision(w), c.Predict(w))
			v.check(w+" is "+languages[l], c.Predict(w) == languages[l])
		}
	}
	accuracy := must(CrossValidate(xs, labels, k, Options{C: 10}, 10, nil))
	v.say("Ten-fold cross-validation: %.0f%% of the words right.", 100*accuracy)
	v.check("the accuracy is above 80 %", accuracy > 0.8)
}

func tourClasses(v *tour) {
	rng := rand.New(rand.NewPCG(6, 0))
	xs, labels := labelled(90, func(i int) ([]float64, int) {
		sin, cos := math.Sincos(2*math.Pi*float64(i%3)/3 + math.Pi/2)
		return []float64{1.5*cos + 0.55*rng.NormFloat64(), 1.5*sin + 0.55*rng.NormFloat64()}, i % 3
	})
	ovo := must(TrainClassifier(xs, labels, Linear{}, Options{}))
	ovr := must(TrainOneVsRest(xs, labels, Linear{}, Options{}))
	softmax := must(TrainSoftmax(xs, labels, 3, SGD{Lambda: 0.001}))
	v.say("Three clouds A, B, C. One machine for each pair, and a vote; one for each class against the rest, and the " +
		"greatest decision wins; logistic regression, argmaxₖ wₖ·x + bₖ. The regions they make:")
	predict := []func(x []float64) int{ovo.Predict, ovr.Predict, softmax.Predict}
	names := []string{"one against one", "one against the rest", "softmax"}
	var pictures []*tourPicture
	for _, f := range predict {
		p := newTourPicture(30, 17, -3, 3, -3, 3)
		for r, row := range p.cells {
			for c := range row {
				row[c] = []rune("· :")[f(p.at(float64(r)+0.5, float64(c)+0.5))]
			}
		}
		p.points(xs, func(i int) rune { return []rune("ABC")[labels[i]] })
		pictures = append(pictures, p)
	}
	v.pictures(names, pictures...)
	v.gap()
	for t, f := range predict {
		right := tourHits(mapped(xs, f), labels)
		v.printf("%-22s %d of %d right\n", names[t], right, len(xs))
		v.check(names[t]+" has 80 of 90 right", right >= 80)
	}
	h := softmax.Between(0, 1)
	x := []float64{0.3, -0.2}
	s := softmax.Scores(x)
	v.near("(w₀ − w₁)·x", h.Decision(x), s[0]-s[1], 1e-12)
}

func tourChoice(v *tour) {
	rng := rand.New(rand.NewPCG(10, 0))
	xs, labels := labelled(120, func(i int) ([]float64, int) {
		sin, cos := math.Sincos(math.Pi * rng.Float64())
		x := []float64{cos + 0.3*rng.NormFloat64(), sin + 0.3*rng.NormFloat64()}
		if i%2 == 1 {
			x = []float64{1 - x[0], 0.5 - x[1]}
		}
		return x, i % 2
	})
	gammas, cs := []float64{0.01, 0.1, 1, 10, 100}, []float64{0.01, 0.1, 1, 10, 100, 1000}
	kernels := mapped(gammas, func(gamma float64) Kernel[[]float64] { return RBF{Gamma: gamma} })
	best := must(GridSearch(xs, labels, kernels, cs, Options{}, 5, nil))
	v.say("Two half-moons with noise. The share of right predictions in five-fold cross-validation, with the same folds " +
		"everywhere; * is the best, and of equals the one with the smallest C:")
	header := "       γ   C ="
	for _, c := range cs {
		header += fmt.Sprintf("%7v  ", c)
	}
	v.printf("%s\n", strings.TrimRight(header, " "))
	for i, row := range best.Table {
		line := fmt.Sprintf("%8v      ", gammas[i])
		for j, accuracy := range row {
			mark := " "
			if kernels[i] == best.Kernel && cs[j] == best.C {
				mark = "*"
			}
			line += fmt.Sprintf("%7.3f%s ", accuracy, mark)
			v.check("nothing beats the choice", accuracy <= best.Accuracy)
		}
		v.printf("%s\n", strings.TrimRight(line, " "))
	}
	v.check("the choice is good", best.Accuracy > 0.85)
	v.check("it is inside the table", best.Kernel == kernels[2] && best.C == 1)
	v.say("Good values lie on a ridge from narrow Gaussians with a small C to wide ones with a large C: each makes up " +
		"for the other.")
}

func tourGamma(v *tour) {
	xs, ys := tourClouds(50, 0.9, 12)
	v.say("Wide Gaussians (small γ) make lines, narrow ones learn the points by heart.")
	var pictures []*tourPicture
	var titles []string
	right := []int{}
	for _, gamma := range []float64{0.05, 1, 20} {
		m := must(Train(xs, ys, RBF{Gamma: gamma}, Options{C: 10}))
		pictures = append(pictures, newTourPicture(30, 17, -3.5, 3.5, -3.5, 3.5).machine(m, xs, ys))
		titles = append(titles, fmt.Sprintf("γ = %v, %d vectors", gamma, len(m.Points)))
		right = append(right, tourRight(m, xs, ys))
	}
	v.pictures(titles, pictures...)
	v.printf(tourLegend)
	v.say("Right on the training points: %d, %d and %d of %d.", right[0], right[1], right[2], len(xs))
	v.check("narrower is better on the training points", slices.IsSorted(right))
	v.check("the narrowest knows them all", right[2] == len(xs))
}

// The figures of README.md.

// TestFigures draws the figures of README.md from what the package computes today, and compares them with
// testdata/*.svg: the text has to be the same, the numbers nearly so. After a change, go test -run Figures -update
// writes the files anew.
func TestFigures(t *testing.T) {
	for _, row := range [][2]string{{"M1.0,2", "M1.2,2"}, {"M1", "L1"}, {"M1,2", "M1"}, {"M1Z", "M1"}, {"M-1", "M1"}} {
		check(t, figureDiffer(row[0], row[1], figureTol) != "" && figureDiffer(row[1], row[0], figureTol) != "",
			"the difference of %q and %q is not seen", row[0], row[1])
	}
	readme := textOf("README.md")
	files := must(filepath.Glob("testdata/*.svg"))
	for _, figure := range []struct {
		name string
		draw func(v *tour) *drawing
		tol  float64
	}{
		{"street", figureStreet, figureTol},
		{"kernels", figureKernels, figureTol},
		{"c", figureC, figureTol},
		{"gamma", figureGamma, figureTol},
		{"gap", figureGap, 102}, // a power of ten: a processor that fuses x·y + z, and so rounds once, takes other steps
		{"losses", figureLosses, figureTol},
		{"taylor", figureTaylor, 1}, // some errors are near rounding
	} {
		file := "testdata/" + figure.name + ".svg"
		t.Run(figure.name, func(t *testing.T) {
			got := figure.draw(&tour{t: t, out: io.Discard}).String() + "</svg>\n"
			if err := xml.Unmarshal([]byte(got), new(struct{})); err != nil || regexp.MustCompile("NaN|Inf").MatchString(got) {
				t.Fatalf("%s is no drawing: error %v", file, err)
			}
			if *update {
				must(0, os.WriteFile(file, []byte(got), 0o666))
			}
			wrong := figureDiffer(got, textOf(file), figure.tol)
			check(t, wrong == "", "%s is not what is drawn: %s; go test -run Figures -update writes it anew", file, wrong)
			check(t, strings.Contains(readme, "]("+file+")"), "README.md does not show %s", file)
		})
		files = slices.DeleteFunc(files, func(f string) bool { return filepath.ToSlash(f) == file })
	}
	check(t, len(files) == 0, "nothing draws %q", files)
}

var update = flag.Bool("update", false, "write the figures that TestFigures draws to testdata")

// figureTol is how far numbers may be apart, in pixels: one unit of the last digit, as v ± ε may be rounded either way.
const figureTol = 0.11

// figureDiffer says where two drawings differ by more than tol in a number, or at all in anything else.
func figureDiffer(got, want string, tol float64) string {
	numbers := regexp.MustCompile(`-?\d+(\.\d+)?`)
	gots, wants := numbers.FindAllStringIndex(got, -1), numbers.FindAllStringIndex(want, -1)
	from, at := 0, 0 // the text between the last number and this one
	for i := range min(len(gots), len(wants)) {
		g, w := gots[i], wants[i]
		if a, b := got[from:g[0]], want[at:w[0]]; a != b {
			return fmt.Sprintf("byte %d, %.40q for %.40q", at, a, b)
		}
		a, b := number(got[g[0]:g[1]]), number(want[w[0]:w[1]])
		if !(math.Abs(a-b) <= tol) {
			return fmt.Sprintf("byte %d, %v for %v", w[0], a, b)
		}
		from, at = g[1], w[1]
	}
	if a, b := got[from:], want[at:]; a != b {
		return fmt.Sprintf("byte %d, %.40q for %.40q", at, a, b)
	}
	return ""
}

// The figures: pens and axes.

// A drawing is an SVG file in the making. Its classes are colours and pens. A card behind everything and a second set
// of colours make it readable on light and dark pages.
type drawing struct{ strings.Builder }

const drawingStyle = `
text{font:13px "Helvetica Neue",Helvetica,Arial,"Liberation Sans",sans-serif;fill:currentColor}
tspan{font:italic 15px Georgia,"Times New Roman","Liberation Serif",serif}
.middle{text-anchor:middle}.end{text-anchor:end}
path{fill:none;stroke:currentColor;stroke-width:1;stroke-linejoin:round}
.bold{stroke-width:2}.dash{stroke-dasharray:4 3}
.area{fill:currentColor;fill-rule:evenodd}
.dot{fill:currentColor;stroke:none}.hole{stroke-width:1.5}
`

// drawingColours have a name, a value on light pages and one on dark pages. Blue, orange and green are told apart by
// the colour-blind (Okabe and Ito, 2008).
var drawingColours = [][3]string{
	{"card", "#ffffff", "#161b22"}, {"ink", "#1f2328", "#e6edf3"},
	{"grey", "#646c75", "#9aa4ae"}, {"faint", "#d8dee4", "#363d46"},
	{"blue", "#0072b2", "#5db7ec"}, {"orange", "#d55e00", "#f08c42"}, {"green", "#00855f", "#3fc79a"},
	{"blue1", "#e8f2fa", "#12283a"}, {"blue2", "#cde3f4", "#173a56"},
	{"orange1", "#fdf1e7", "#36230f"}, {"orange2", "#fadfc9", "#553216"},
}

// newDrawing returns a card of the given size, with its style.
func newDrawing(width, height int) *drawing {
	d := &drawing{}
	fmt.Fprintf(d, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%[1]d" height="%d"><style>%s`,
		width, height, drawingStyle)
	for i, open := range []string{"", "@media(prefers-color-scheme:dark){"} {
		d.WriteString(open)
		for _, c := range drawingColours {
			fmt.Fprintf(d, ".%s{color:%s}", c[0], c[1+i])
		}
		fmt.Fprintf(d, ".area{stroke:%s}.hole{fill:%s}\n", drawingColours[1][1+i], drawingColours[0][1+i])
	}
	fmt.Fprintf(d, "}</style>\n<rect class=\"card\" width=\"%d\" height=\"%d\" rx=\"8\" fill=\"currentColor\"/>\n",
		width, height)
	return d
}

// text writes at a point, with _x_ in italics. The class has a colour, and middle or end unless the text starts at the
// point.
func (d *drawing) text(class string, x, y float64, text string) {
	text = regexp.MustCompile(`_([^_]+)_`).ReplaceAllString(text, "<tspan>$1</tspan>")
	fmt.Fprintf(d, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">%s</text>\n", class, x, y, text)
}

func (d *drawing) path(class, path string) {
	fmt.Fprintf(d, "<path class=\"%s\" d=\"%s\"/>\n", class, path)
}

// A plot is a rectangle of a drawing that shows the part [x0, x1] × [y0, y1] of the plane.
type plot struct {
	*drawing
	left, top, width, height float64
	x0, x1, y0, y1           float64
}

// at returns where in the drawing a point is.
func (p *plot) at(x, y float64) (px, py float64) {
	return p.left + (x-p.x0)/(p.x1-p.x0)*p.width, p.top + (p.y1-y)/(p.y1-p.y0)*p.height
}

// label writes at a point moved by (dx, dy) pixels.
func (p *plot) label(class string, x, y, dx, dy float64, text string) {
	px, py := p.at(x, y)
	p.text(class, px+dx, py+dy, text)
}

// axes draws the lower and the left edge with ticks, and names them.
func (p *plot) axes(xs, ys map[float64]string, xName, yName string) {
	for _, x := range slices.Sorted(maps.Keys(xs)) {
		px, py := p.at(x, p.y0)
		p.path("faint", fmt.Sprintf("M%.1f,%.1fV%.1f", px, py, p.top))
		p.text("grey middle", px, py+18, xs[x])
	}
	for _, y := range slices.Sorted(maps.Keys(ys)) {
		px, py := p.at(p.x0, y)
		p.path("faint", fmt.Sprintf("M%.1f,%.1fh%.1f", px, py, p.width))
		p.text("grey end", px-7, py+4.5, ys[y])
	}
	p.path("grey", fmt.Sprintf("M%.1f,%.1fv%.1fh%.1f", p.left, p.top, p.height, p.width))
	p.text("ink end", p.left+p.width, p.top+p.height+38, xName)
	p.text("ink", p.left, p.top-10, yName)
}

// clipped draws what is inside the plot.
func (p *plot) clipped(draw func()) {
	fmt.Fprintf(p, `<svg x="%.1f" y="%.1f" width="%.1f" height="%.1f" viewBox="%.1[1]f %.1[2]f %.1[3]f %.1[4]f">`,
		p.left, p.top, p.width, p.height)
	draw()
	p.WriteString("</svg>\n")
}

// graph returns n + 1 points of the graph of f, from the left edge to the right.
func (p *plot) graph(n int, f func(x float64) float64) [][]float64 {
	return build(n+1, func(i int) []float64 {
		x := p.x0 + (p.x1-p.x0)*float64(i)/float64(n)
		return []float64{x, f(x)}
	})
}

// curve joins points by lines.
func (p *plot) curve(class string, points ...[]float64) {
	var path strings.Builder
	for i, point := range points {
		px, py := p.at(point[0], point[1])
		fmt.Fprintf(&path, "%c%.1f,%.1f", "ML"[min(i, 1)], px, py)
	}
	p.path(class, path.String())
}

// What dots may look like: paths that begin and end at the point.
const (
	dotDisc   = "m-3.5,0a3.5,3.5 0 1 0 7,0a3.5,3.5 0 1 0 -7,0z"
	dotSquare = "m-3.2,-3.2h6.4v6.4h-6.4z"
	dotRing   = "m-6.5,0a6.5,6.5 0 1 0 13,0a6.5,6.5 0 1 0 -13,0z"
)

// dots draws a dot at each point.
func (p *plot) dots(class, dot string, points ...[]float64) {
	var path strings.Builder
	for _, x := range points {
		px, py := p.at(x[0], x[1])
		fmt.Fprintf(&path, "M%.1f,%.1f%s", px, py, dot)
	}
	p.path(class, path.String())
}

// contour returns the boundary of {f ≥ level} as closed curves, to stroke or to fill, by marching squares: the corners
// of cells of three pixels are inside or outside, and the curve crosses each edge between the two at the zero of a
// linear function. A little beyond the plot everything counts as outside, so that every curve closes.
func (p *plot) contour(f func(x []float64) float64, level float64) string {
	const cell = 3
	type node struct{ c, r int }
	type edge struct{ in, out node }
	columns, rows := int(p.width/cell)+6, int(p.height/cell)+6
	value := map[node]float64{}
	for n := range columns * rows {
		c, r := n%columns, n/columns
		x, y := p.x0+float64(c-2)*cell/p.width*(p.x1-p.x0), p.y1-float64(r-2)*cell/p.height*(p.y1-p.y0)
		value[node{c, r}] = f([]float64{x, y}) - level
		if c == 0 || r == 0 || c == columns-1 || r == rows-1 {
			value[node{c, r}] = math.Inf(-1)
		}
	}
	var all []edge
	next := map[edge]edge{}
	for n := range columns * (rows - 1) {
		c, r := n%columns, n/columns
		corner := [4]node{{c, r}, {c + 1, r}, {c + 1, r + 1}, {c, r + 1}} // clockwise
		for k := range corner {
			e := edge{corner[k], corner[(k+1)%4]}
			if c+1 == columns || value[e.in] < 0 || value[e.out] >= 0 {
				continue
			}
			for value[corner[(k+1)%4]] < 0 { // as far as it is outside
				k++
			}
			next[e] = edge{corner[(k+1)%4], corner[k%4]}
			all = append(all, e)
		}
	}
	var path strings.Builder
	for _, e := range all {
		pen := "M"
		for ; next[e] != (edge{}); pen = "L" {
			t := cell * value[e.in] / (value[e.in] - value[e.out])
			x, y := float64(cell*(e.in.c-2))+t*float64(e.out.c-e.in.c), float64(cell*(e.in.r-2))+t*float64(e.out.r-e.in.r)
			fmt.Fprintf(&path, "%s%.1f,%.1f", pen, p.left+x, p.top+y)
			n := next[e]
			delete(next, e)
			e = n
		}
		if pen == "L" {
			path.WriteString("Z")
		}
	}
	return path.String()
}

// The figures: all of them.

// machine draws a model: the regions with the boundary and the margins, the points, rings around the support vectors.
func (p *plot) machine(m *Model[[]float64], xs [][]float64, ys []float64) {
	var class [2][][]float64
	for i, x := range xs {
		k := int(1+ys[i]) / 2
		class[k] = append(class[k], x)
	}
	p.clipped(func() {
		fmt.Fprintf(p, `<rect class="orange2" x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="currentColor"/>`+"\n",
			p.left, p.top, p.width, p.height)
		p.path("area dash orange1", p.contour(m.Decision, -1))
		p.path("area bold blue1", p.contour(m.Decision, 0))
		p.path("area dash blue2", p.contour(m.Decision, 1))
		p.dots("dot orange", dotSquare, class[0]...)
		p.dots("dot blue", dotDisc, class[1]...)
		p.dots("ink", dotRing, m.Points...)
	})
}

// arrow draws a line with a head.
func (p *plot) arrow(class string, from, to []float64) {
	p.curve(class, from, to)
	x0, y0 := p.at(from[0], from[1])
	x1, y1 := p.at(to[0], to[1])
	dx, dy := 5*(x1-x0)/math.Hypot(x1-x0, y1-y0), 5*(y1-y0)/math.Hypot(x1-x0, y1-y0)
	p.path(class, fmt.Sprintf("M%.1f,%.1fL%.1f,%.1fL%.1f,%.1f", x1-2*dx-dy, y1-2*dy+dx, x1, y1, x1-2*dx+dy, y1-2*dy-dx))
}

// figureStreet shows a soft margin, all its parts named (A6, A9, B6): five points carry the plane, two with slack.
func figureStreet(v *tour) *drawing {
	xs := [][]float64{
		{-1.6, 1}, {-1.33, 0.1}, {0.35, -0.25}, {-2.2, 0.3}, {-2.7, -0.6},
		{-1.9, -0.9}, {-2.4, 1.1}, {-3.1, 0.5}, {-1.8, -0.1}, {-1.5, -1.3},
		{1.3, 0}, {0.1, 0.75}, {2.3, -0.2}, {1.9, 0.9}, {2.8, 0.6},
		{1.75, -0.6}, {2.5, -1.1}, {3.1, -0.4}, {1.35, 1.2}, {2.2, 1.3},
	}
	ys := slices.Concat(constant(10, -1), constant(10, 1))
	c := 0.4
	m := must(Train(xs, ys, Linear{}, Options{C: c, Tol: tourTol}))
	h := must(Explicit(m))
	p := &plot{newDrawing(840, 420), 24, 24, 792, 372, -3.6, 3.6, -1.69, 1.69}
	p.machine(m, xs, ys)
	across := func(x []float64, length float64) []float64 { // from x along w
		return []float64{x[0] + length*h.W[0]/m.Norm(), x[1] + length*h.W[1]/m.Norm()}
	}
	for value, name := range []string{"_f_ = −1", "_f_ = 0", "_f_ = 1"} {
		p.label("ink", (float64(value-1)-h.B-1.5*h.W[1])/h.W[0], 1.5, 8, 0, name)
	}
	from := []float64{(-1 - h.B + 1.5*h.W[1]) / h.W[0], -1.5}
	to, middle := across(from, 2/m.Norm()), across(from, 1.5/m.Norm())
	p.arrow("ink", from, to)
	p.arrow("ink", to, from)
	p.label("ink", middle[0], middle[1], 6, 18, "2/‖_w_‖")
	for i, xi := range m.Slacks(xs, ys) {
		switch {
		case xi > 1e-6:
			v.near("α where there is slack", m.Alpha[i], c, 1e-6)
			p.curve("ink", xs[i], across(xs[i], ys[i]*xi/m.Norm()))
			p.label("ink", xs[i][0], xs[i][1], 9, 18, fmt.Sprintf("_α_ = _C_, _ξ_ = %.2f", xi))
		case m.Alpha[i] > 0:
			p.label("ink", xs[i][0], xs[i][1], 9, 18, fmt.Sprintf("_α_ = %.2f _C_", m.Alpha[i]/c))
		case i == 3 || i == 12:
			p.label("ink", xs[i][0], xs[i][1], 7, 16, "_α_ = 0")
		}
	}
	return p.drawing
}

// A figurePanel is a machine with its data, for one of several pictures side by side.
type figurePanel struct {
	m             *Model[[]float64]
	xs            [][]float64
	ys            []float64
	size          float64 // of the part of the plane, [−size, size]²
	title, remark string
}

// figureRow draws three panels, each under its title and over its remark.
func figureRow(panels [3]figurePanel) *drawing {
	d := newDrawing(840, 320)
	for i, f := range panels {
		p := &plot{d, 24 + 272*float64(i), 38, 248, 248, -f.size, f.size, -f.size, f.size}
		p.machine(f.m, f.xs, f.ys)
		p.text("ink middle", p.left+124, 26, f.title)
		p.text("grey middle", p.left+124, 306, f.remark)
	}
	return d
}

// figureKernels shows two half-moons with noise, which no line separates (D20).
func figureKernels(v *tour) *drawing {
	rng := rand.New(rand.NewPCG(11, 0))
	xs, ys := labelled(70, func(i int) ([]float64, float64) {
		y := float64(2*(i%2) - 1)
		sin, cos := math.Sincos(math.Pi * rng.Float64())
		return []float64{-1.1*y*(cos-0.5) + 0.17*rng.NormFloat64(), -1.3*y*(sin-0.25) + 0.17*rng.NormFloat64()}, y
	})
	kernels := []Kernel[[]float64]{Linear{}, Polynomial{Degree: 3, Coef: 1}, RBF{Gamma: 1}}
	names := []string{"linear, _x_·_z_", "polynomial, (1 + _x_·_z_)³", "Gaussian, exp(−‖_x_ − _z_‖²)"}
	var panels [3]figurePanel
	for i, k := range kernels {
		m := must(Train(xs, ys, k, Options{C: 10, Tol: tourTol}))
		wrong := len(xs) - tourRight(m, xs, ys)
		v.check("no line separates the moons, the others do", wrong > 0 == (i == 0))
		remark := fmt.Sprintf("%d support vectors, %d on the wrong side", len(m.Points), wrong)
		panels[i] = figurePanel{m, xs, ys, 1.8, names[i], remark}
	}
	return figureRow(panels)
}

// figureC shows two clouds that overlap, and what the price of slack does (A6).
func figureC(v *tour) *drawing {
	xs, ys := tourClouds(60, 0.85, 1)
	var panels [3]figurePanel
	last := math.Inf(1)
	for i, c := range []float64{0.01, 0.1, 10} {
		m := must(Train(xs, ys, Linear{}, Options{C: c, Tol: tourTol}))
		street := 2 / m.Norm()
		v.check("the street narrows", street < last)
		last = street
		remark := fmt.Sprintf("street 2/‖_w_‖ = %.2f, %d support vectors", street, len(m.Points))
		panels[i] = figurePanel{m, xs, ys, 3.2, fmt.Sprintf("_C_ = %v", c), remark}
	}
	return figureRow(panels)
}

// figureGamma shows what the width of the Gaussian does (D7).
func figureGamma(v *tour) *drawing {
	xs, ys := tourClouds(50, 0.9, 12)
	var panels [3]figurePanel
	last := len(xs)
	for i, gamma := range []float64{0.05, 1, 10} {
		m := must(Train(xs, ys, RBF{Gamma: gamma}, Options{C: 10, Tol: tourTol}))
		wrong := len(xs) - tourRight(m, xs, ys)
		v.check("narrower is better on the training points", wrong <= last)
		last = wrong
		remark := fmt.Sprintf("%d support vectors, %d on the wrong side", len(m.Points), wrong)
		panels[i] = figurePanel{m, xs, ys, 3.2, fmt.Sprintf("_γ_ = %v", gamma), remark}
	}
	return figureRow(panels)
}

// figureGap shows how fast three solvers certify one machine (B3), for two hundred points and a cubic kernel: SMO with
// and without Newton steps by its own dual, Pegasos on the features (D20), which has no dual, by the optimal one.
func figureGap(v *tour) *drawing {
	const c = 10
	xs, ys := tourClouds(200, 0.9, 3)
	k := Polynomial{Degree: 3, Coef: 1}
	dual := oracleSVC(GramMatrix(k, xs), ys, c, nil)
	best := must(SMO(dual, SMOOptions{Tol: tourTol})).Objective
	p := &plot{newDrawing(840, 380), 64, 52, 676, 270, 0, 6, -8, 4.5}
	p.axes(figurePowers(0, 6, 1), figurePowers(-8, 4, 2), "steps", "distance from the optimum / optimum")
	for _, row := range []struct {
		class, at, name string
		dx              float64
		o               SMOOptions
	}{
		{"orange", "", "SMO", 10, SMOOptions{Tol: 1e-8, noNewton: true, noSpan: true}},
		{"blue", " end", "SMO with Newton steps", -10, SMOOptions{Tol: 1e-8}},
	} {
		curve := figureDescent(v, dual, best, row.o)
		p.curve("bold "+row.class, curve...)
		p.label(row.class+row.at, curve[len(curve)-1][0], -7, row.dx, 4, row.name)
	}
	xs = mapped(xs, k.FeatureMap(2))
	var curve [][]float64
	for e := range 49 {
		o := SGD{Lambda: 1 / (2 * c * float64(len(xs))), Steps: int(math.Pow(10, float64(e)/8)), FreeBias: true}
		primal := o.Objective(must(Pegasos(xs, ys, o)), xs, ys) / (2 * o.Lambda)
		v.check("no plane is better than the best", primal > best*(1-1e-9))
		curve = append(curve, []float64{math.Log10(float64(o.Steps)), math.Log10((primal - best) / best)})
	}
	p.curve("bold green", curve...)
	p.label("green", 6, curve[len(curve)-1][1], 8, 4, "Pegasos")
	return p.drawing
}

// figureDescent runs SMO. It returns, as logarithms, after how many steps the gap of the dual and the best plane yet is
// below each eighth of a power of ten of the optimum, down to 10⁻⁸. It looks whenever the steps are 2% more.
func figureDescent(v *tour, d Dual, best float64, o SMOOptions) (curve [][]float64) {
	next, level, primal := 1.0, 0.0, math.Inf(1)
	for s := range SMOSteps(d, o) {
		steps := float64(s.Iterations)
		if steps < next && s.Violation > o.Tol {
			continue
		}
		next = 1.02 * steps
		primal = min(primal, newOracleCase(d, s, 0, true).primal())
		v.check("dual ≤ optimum ≤ primal", s.Objective <= best*(1+1e-9) && primal >= best*(1-1e-9))
		gap := 8 * math.Log10(max(1e-9, (primal-s.Objective)/best))
		if len(curve) == 0 {
			level = math.Ceil(gap)
		}
		for ; gap <= level && level >= -64; level-- {
			curve = append(curve, []float64{math.Log10(steps), level / 8})
		}
	}
	v.check("the gap closes", level < -64)
	return curve
}

// figurePowers returns the labels of the powers of ten from 10^from to 10^to.
func figurePowers(from, to, step int) map[float64]string {
	raised := strings.NewReplacer(
		"-", "⁻", "0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹")
	ticks := map[float64]string{}
	for e := from; e <= to; e += step {
		ticks[float64(e)] = "10" + raised.Replace(strconv.Itoa(e))
	}
	return ticks
}

// figureLosses shows the losses of A10.
func figureLosses(v *tour) *drawing {
	p := &plot{newDrawing(840, 360), 48, 44, 744, 258, -2.2, 2.2, 0, 3.3}
	p.axes(map[float64]string{-2: "−2", -1: "−1", 0: "0", 1: "1", 2: "2"},
		map[float64]string{0: "0", 1: "1", 2: "2", 3: "3"}, "_z_ = _y_ _f_(_x_)", "loss")
	draw := func(class string, loss func(z float64) float64) {
		p.clipped(func() { p.curve("bold "+class, p.graph(88, loss)...) })
	}
	draw("green", func(z float64) float64 { return LogisticLoss(z) / math.Ln2 })
	draw("orange", PerceptronLoss)
	draw("blue", HingeLoss)
	const above = 1e-9
	p.curve("bold ink", []float64{-2.2, ZeroOneLoss(-2.2)}, []float64{0, ZeroOneLoss(0)})
	p.curve("bold ink", []float64{above, ZeroOneLoss(above)}, []float64{2.2, ZeroOneLoss(2.2)})
	p.dots("dot ink", dotDisc, []float64{0, ZeroOneLoss(0)})
	p.dots("hole ink", dotDisc, []float64{above, ZeroOneLoss(above)})
	p.label("blue", -1, HingeLoss(-1), 12, -4, "hinge, max(0, 1 − _z_)")
	p.label("orange end", -0.6, PerceptronLoss(-0.6), -12, 8, "perceptron, max(0, −_z_)")
	p.label("green", 0.9, LogisticLoss(0.9)/math.Ln2, 8, -12, "logistic, log₂(1 + _e_⁻ᶻ)")
	p.label("ink", 0, 1, 12, -6, "0/1")
	return p.drawing
}

// figureTaylor shows the truncated feature maps of D8.
func figureTaylor(v *tour) *drawing {
	d := newDrawing(840, 380)
	figureSeries(&plot{d, 48, 52, 336, 270, -1, 3.5, 0, 1.1})
	figureTruncation(v, &plot{d, 464, 52, 352, 270, 0, 24, -15, 3})
	return d
}

// figureSeries draws z ↦ φ(x)·φ(z) for feature maps cut off after some degrees, and the Gaussian that they approach.
func figureSeries(p *plot) {
	p.axes(map[float64]string{-1: "−1", 0: "0", 1: "1", 2: "2", 3: "3"}, map[float64]string{0: "0", 0.5: "0.5", 1: "1"},
		"_x_", "_φ_(_x_)·_φ_(1.5) up to degree _p_")
	k, z := RBF{Gamma: 1}, []float64{1.5}
	for _, degree := range []int{0, 2, 4, 6, 10} {
		phi := k.FeatureMap(1, degree)
		points := p.graph(90, func(x float64) float64 { return Dot(phi([]float64{x}), phi(z)) })
		top := slices.MaxFunc(points, func(a, b []float64) int { return cmp.Compare(a[1], b[1]) })
		p.curve("blue", points...)
		p.label("blue middle", top[0], top[1], 0, -5, strconv.Itoa(degree))
	}
	p.curve("bold ink", p.graph(90, func(x float64) float64 { return k.Eval([]float64{x}, z) })...)
	p.label("ink", 2, k.Eval([]float64{2}, z), 10, 0, "Gaussian")
}

// figureTruncation draws the worst error of the truncated map and its bound, by degree.
func figureTruncation(v *tour, p *plot) {
	p.axes(map[float64]string{0: "0", 6: "6", 12: "12", 18: "18", 24: "24"}, figurePowers(-15, 0, 5),
		"degree _p_", "worst error for ‖_x_‖, ‖_z_‖ ≤ _R_, and bound")
	points := build(21, func(i int) []float64 { return []float64{float64(i)/10 - 1} })
	for _, row := range []struct {
		class string
		u     float64 // 2γR², with R = 1
		label int     // the degree beside which it stands
	}{{"blue", 0.5, 10}, {"green", 2, 16}, {"orange", 8, 22}} {
		k := RBF{Gamma: row.u / 2}
		var bounds, errors [][]float64
		for degree := range 25 {
			worst := tourTruncation(k, k.FeatureMap(1, degree), points)
			bound := k.TruncationBound(degree, 1, 1, 1)
			v.check("the error is under its bound", worst <= bound+1e-15)
			bounds = append(bounds, []float64{float64(degree), math.Log10(bound)})
			if worst > 4e-15 { // less is rounding
				errors = append(errors, []float64{float64(degree), math.Log10(worst)})
			}
		}
		p.clipped(func() { p.curve(row.class, bounds...) })
		p.dots("dot "+row.class, dotDisc, errors...)
		p.label(row.class+" end", errors[row.label][0], errors[row.label][1], -8, 10, fmt.Sprintf("2_γR_² = %v", row.u))
	}
	p.label("orange middle", 12, math.Log10(RBF{Gamma: 4}.TruncationBound(12, 1, 1, 1)), 0, 17, "bound")
}

// The exercises of README.md.

// TestExercises checks that README.md has three exercises for each chapter, each about an Example or a test that
// exists, and works them, but for A (3) and E (2), which break the package.
func TestExercises(t *testing.T) {
	s := structureParse()
	paragraphs := strings.Split(textOf("README.md"), "\nExercises. ")[1:]
	check(t, len(paragraphs) == 6, "README.md has exercises for %d chapters, want 6", len(paragraphs))
	for i, text := range paragraphs {
		text, _, _ = strings.Cut(text, "\n\n")
		exercises := regexp.MustCompile(`(?m)(^|\s)\([123]\)\s`).Split(text, -1)[1:]
		check(t, len(exercises) == 3, "README.md has %d exercises for %c, want 3", len(exercises), 'A'+i)
		for _, text := range exercises {
			name := regexp.MustCompile(`(Example|Test)\w+`).FindString(text)
			check(t, name != "" && strings.Contains(s.text["svm_test.go"]+s.text["example_test.go"], "\nfunc "+name+"("),
				"README.md: the exercise has no Example and no test, %q: %s", name, text)
		}
	}
	for name, work := range map[string]func(v *tour){
		"A (1)": exerciseA1, "A (2)": exerciseA2,
		"B (1)": exerciseB1, "B (2)": exerciseB2, "B (3)": exerciseB3,
		"C (1)": exerciseC1, "C (2)": exerciseC2, "C (3)": exerciseC3,
		"D (1)": exerciseD1, "D (2)": exerciseD2, "D (3)": exerciseD3,
		"E (1)": exerciseE1, "E (3)": exerciseE3,
		"F (1)": exerciseF1, "F (2)": exerciseF2, "F (3)": exerciseF3,
	} {
		t.Run(name, func(t *testing.T) { work(&tour{t: t, out: io.Discard}) })
	}
}

// exerciseStreet returns the points of ExampleTrain_hardMargin.
func exerciseStreet() (xs [][]float64, ys []float64) {
	xs = [][]float64{{1, 0}, {0, 1}, {0, -1}, {-1, 0}, {3, 1}, {3, -1}, {6, 1}, {6, -1}}
	return xs, []float64{-1, -1, -1, -1, 1, 1, 1, 1}
}

// With (2, 0) the street lies between x₁ = 2 and x₁ = 3, and (1, 0) is behind the new point.
func exerciseA1(v *tour) {
	xs, ys := exerciseStreet()
	m := must(Train(append(xs, []float64{2, 0}), append(ys, -1), Linear{}, Options{C: math.Inf(1), Tol: tourTol}))
	h := must(Explicit(m))
	v.nearAll("w, b", append(h.W, h.B), []float64{2, 0, -5}, 1e-7)
	v.check("(1, 0) is no support vector", m.Alpha[0] == 0)
}

// w = Σ αyx is 4α from the points at ±2, which have α, and −C from those inside. On the margin 2w = 1, so that α = (½ +
// C)/4, which is less than C if C > 1/6. For C from 1/12 to 1/6 the points at ±2 have α = C as well, and w = 3C. Below
// that those at ±4 hold w at ¼ for a while.
func exerciseA2(v *tour) {
	xs, ys := tourLine()
	for _, c := range []float64{0.1, 0.2, 1} {
		m := must(Train(xs, ys, Linear{}, Options{C: c, Tol: tourTol}))
		alpha := min(c, (0.5+c)/4)
		v.near("α at −2", m.Alpha[1], alpha, 1e-7)
		v.near("α at 2", m.Alpha[6], alpha, 1e-7)
		v.near("w", must(Explicit(m)).W[0], 4*alpha-c, 1e-7)
	}
}

// Verify's w is Σαyφ(x), so another α is another plane: by 0.1·K₀ᵢ yᵢy₀ the margins become 1.9, 1.1, 0.9 and 0.9. Then
// ½‖w‖² = ½(0.5 + 0.2 + 0.01·9) = 0.395; the slack costs another 0.2, and the dual is 0.6 − 0.395. Stationarity fails
// twice: Σαy = 0 by 0.1, and the decisions of the model differ from those of this w by 0.9. The point stays feasible: ξ
// is what the plane needs, and 0.225 < C.
func exerciseB1(v *tour) {
	xs, ys := xorPoints()
	m := must(Train(xs, ys, Polynomial{Degree: 2, Coef: 1}, Options{}))
	m.Alpha[0] += 0.1
	k := Verify(m, xs, ys, Options{})
	v.near("the gap", k.Gap, 0.595-0.205, 1e-12)
	v.near("stationarity", k.Stationarity, 0.9, 1e-12)
	v.near("slackness, α(yf − 1 + ξ)", k.Slackness, 0.225*0.9, 1e-12)
	v.check("the point is feasible", k.PrimalFeasibility == 0 && k.DualFeasibility == 0)
}

// By symmetry w = 2α and b = 0. If w < 1 both points have slack, so α = C: ½(2C)² + 2C(1 − 2C) = 2C − 2C². Else α = ½.
func exerciseB2(v *tour) {
	for _, c := range []float64{0.25, 0.49, 0.51, 2} {
		m := must(Train([][]float64{{-1}, {1}}, []float64{-1, 1}, Linear{}, Options{C: c, Tol: tourTol}))
		a := min(c, 0.5)
		v.near("α", m.Alpha[0], a, 1e-7)
		v.near("the value", m.KKT.Primal, 2*a-2*a*a, 1e-7)
		v.check("α is free from C = ½ on", (m.KKT.Free == 2) == (c > 0.5))
	}
}

// Points that change places with the other class when turned about the origin: those at the bound err in pairs.
func exerciseB3(v *tour) {
	xs, ys := [][]float64{{-3}, {-1}, {0.5}, {-0.5}, {1}, {3}}, []float64{-1, -1, -1, 1, 1, 1}
	m := must(Train(xs, ys, Linear{}, Options{C: 1, Tol: tourTol}))
	v.check("some are at the bound", m.KKT.Bound > 0)
	v.near("b", m.B, 0, 1e-7)
	v.near("the wrong average", tourMeanB(m, xs, ys, func(alpha float64) bool { return 0 < alpha }), 0, 1e-7)
}

// The multiplier is the rate: 1.25 + 1.5·0.1 = 1.4. As x₁ stays at its bound, x₂ = 1.6, and the rest is ½·0.1².
func exerciseC1(v *tour) {
	q := QP{Q: laDiag(1, 1), A: qpRows([]float64{-1, -1}), B: []float64{-2.1}, Hi: []float64{0.5, math.Inf(1)}}
	s := must(SolveQP(q, QPOptions{}))
	v.near("the objective", s.Objective, 1.25+1.5*0.1+0.1*0.1/2, 1e-8)
}

// The multiplier of yᵢf(xᵢ) ≥ 1 is αᵢ (B1). In the plane the primal has three unknowns, the dual 10⁵.
func exerciseC2(v *tour) {
	xs, ys := exerciseStreet()
	p := must(SolveQP(PrimalQP(xs, ys, math.Inf(1)), QPOptions{}))
	d := must(SolveQP(DualQP(GramMatrix(Linear{}, xs), ys, math.Inf(1)), QPOptions{}))
	v.nearAll("α", p.Ineq, d.X, 1e-7)
	v.check("three unknowns, and one for each point", len(p.X) == 3 && len(d.X) == len(xs))
}

// The sum of the three is 0 ≤ −1.
func exerciseC3(v *tour) {
	q := QP{C: []float64{0, 0}, A: qpRows([]float64{-1, 0}, []float64{1, 1}, []float64{0, -1}), B: []float64{0, 1, -2}}
	_, err := SolveQP(q, QPOptions{})
	var proof *InfeasibleError
	if !errors.As(err, &proof) {
		v.t.Fatalf("error %v, want one with a proof", err)
	}
	for _, u := range proof.Ineq {
		v.near("the multipliers, in units of the first", u/proof.Ineq[0], 1, 1e-6)
	}
}

// With an odd power and no constant f − b is odd, so f(x) + f(−x) = 2b for both pairs ±x. It would have to be negative
// for one and positive for the other: one point at least is wrong.
func exerciseD1(v *tour) {
	xs, ys := xorPoints()
	v.check("the square solves it", tourRight(must(Train(xs, ys, Polynomial{Degree: 2}, Options{C: 10})), xs, ys) == 4)
	m := must(Train(xs, ys, Polynomial{Degree: 3}, Options{C: 10}))
	v.check("the cube does not", tourRight(m, xs, ys) <= 2)
	for _, x := range [][]float64{{1, 2}, {-3, 0.5}} {
		v.near("f(x) − b + f(−x) − b", m.Decision(x)+m.Decision([]float64{-x[0], -x[1]})-2*m.B, 0, 1e-9)
	}
}

// min(x, z) is the inner product ∫ [t ≤ x][t ≤ z] dt; max has the witness x = 1, z = 2, as 1·2 − 2·2 < 0.
func exerciseD2(v *tour) {
	xs := []float64{1, 2, 2.5, 4, 7}
	least, _ := CheckPSD(GramMatrix(KernelFunc[float64](func(x, z float64) float64 { return min(x, z) }), xs))
	v.check("min is a kernel", least > 0)
	least, _ = CheckPSD(GramMatrix(KernelFunc[float64](func(x, z float64) float64 { return max(x, z) }), xs[:2]))
	v.near("max is none: least eigenvalue", least, (3-math.Sqrt(17))/2, 1e-12)
}

// Count the substrings of z once, then look up those of x: it is the brute force over all pairs.
func exerciseD3(v *tour) {
	three := KernelFunc[string](func(x, z string) (sum float64) {
		count := map[string]float64{}
		for i := 3; i <= len(z); i++ {
			count[z[i-3:i]]++
		}
		for i := 3; i <= len(x); i++ {
			sum += count[x[i-3:i]]
		}
		return sum
	})
	rng := kernelRand(1)
	for range 100 {
		x, z, want := kernelString(rng, rng.IntN(30), 2), kernelString(rng, rng.IntN(30), 2), 0.0
		for i := range x {
			for j := range z {
				if i+3 <= len(x) && j+3 <= len(z) && x[i:i+3] == z[j:j+3] {
					want++
				}
			}
		}
		v.near("k("+x+", "+z+")", three(x, z), want, 0)
	}
	xs := []string{"though", "thunder", "height", "weather", "ragazza", "mezzo", "piazza", "fratello"}
	labels := []string{"e", "e", "e", "e", "i", "i", "i", "i"}
	c := must(TrainClassifier(xs, labels, Normalize[string](three), Options{C: 10}))
	v.check("it knows these words", slices.Equal(c.PredictAll(xs), labels))
}

// Step 1 takes the points 0 and 3, the first of those that tie. Then 2 wants to rise with slope ⅔, and 0 and 3 are
// equally ready to fall. The gain (⅔)²/2η is greater for 3, where η = 1, than for 0, where it is 4, although β is back
// at 0 long before the gain is reached. In the other order the first step takes 0 and 2, which gives the optimum.
func exerciseE1(v *tour) {
	d := oracleSVC(GramMatrix(Linear{}, [][]float64{{0}, {2}, {3}}), []float64{-1, 1, 1}, 1, nil)
	s := must(SMO(d, SMOOptions{Tol: 1e-9}))
	v.check("one step", s.Iterations == 1)
	v.near("β", s.Beta[1], 0.5, 1e-12)
}

// The slope is −1 for the error and, but for the logarithm, for the bound. By symmetry the best b is 0, so that leaving
// it out of the norm changes little.
func exerciseE3(v *tour) {
	xs, ys := [][]float64{{-2, 0}, {-1, 1}, {1, -1}, {2, 0}}, []float64{-1, -1, 1, 1}
	best := must(Train(xs, ys, Linear{}, Options{C: 1 / (2 * 0.1 * 4), Tol: tourTol})).KKT.Primal * 2 * 0.1
	for _, free := range []bool{false, true} {
		var above []float64
		for _, steps := range []int{1e2, 1e5} {
			o := SGD{Lambda: 0.1, Steps: steps, FreeBias: free}
			above = append(above, o.Objective(must(Pegasos(xs, ys, o)), xs, ys)-best)
		}
		v.near("slope", math.Log10(above[1]/above[0])/3, -1, 0.15)
	}
}

// w = Σxt/(Σx² + λ) = 10/6. With a constant, (XᵀX + I)(w, b) = Xᵀt is 6w + 3b = 10, 3w + 3b = 6: w = 4/3, b = 2/3.
func exerciseF1(v *tour) {
	for k, want := range map[Kernel[[]float64]]float64{Linear{}: 5, Polynomial{Degree: 1, Coef: 1}: 14.0 / 3} {
		f := must(KernelRidge([][]float64{{1}, {2}}, []float64{2, 4}, k, 1))
		v.near("f(3)", f.Eval([]float64{3}), want, 1e-12)
	}
}

// The counts change with the order, the bound always holds, and for the exclusive or the run ends with its budget.
func exerciseF2(v *tour) {
	xs, ys := [][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}}, []float64{-1, -1, -1, 1}
	counts := map[float64]bool{}
	rng := kernelRand(1)
	for range 20 {
		rng.Shuffle(4, func(i, j int) { xs[i], xs[j], ys[i], ys[j] = xs[j], xs[i], ys[j], ys[i] })
		h, mistakes, err := Perceptron(xs, ys, 0)
		counts[total(mistakes)] = true
		v.check("the bound holds", err == nil && total(mistakes) <= NovikoffBound(h, xs, ys))
	}
	v.check("the order matters", len(counts) > 1)
	xs, ys = xorPoints()
	_, _, err := Perceptron(xs, ys, 0)
	v.check("no line, no end", errors.Is(err, ErrNotConverged))
}

// What is chosen by the training points, a narrow Gaussian, is right on all of them and on fewer of the others.
func exerciseF3(v *tour) {
	file := must(os.Open("testdata/iris"))
	defer file.Close()
	xs, labels, err := ReadLIBSVM(file)
	must(xs, err)
	var x [2][][]float64 // for training and for testing, as in the Example
	var y [2][]float64
	for k, i := range rand.New(rand.NewPCG(1, 2)).Perm(len(xs)) {
		part := k / 100
		x[part], y[part] = append(x[part], xs[i]), append(y[part], labels[i])
	}
	scaler := must(Standardise(x[0]))
	right := func(k Kernel[[]float64], c float64) (right [2]int) {
		m := must(TrainClassifier(scaler.Apply(x[0]), y[0], k, Options{C: c, Tol: 1e-6}))
		for part := range 2 {
			right[part] = tourHits(m.PredictAll(scaler.Apply(x[part])), y[part])
		}
		return right
	}
	chosen, greedy := right(RBF{Gamma: 0.01}, 10), right(RBF{Gamma: 1}, 1)
	v.check("all training points", greedy[0] == 100 && chosen[0] < 100)
	v.check("fewer of the others", greedy[1] < chosen[1])
}

// Where lectures slip.

// TestErrata shows for each convention on which lectures differ or slip, such as b (B7), that it matters: what this
// package does has the property claimed, and the other reading has not.
func TestErrata(t *testing.T) {
	for name, show := range map[string]func(v *tour){
		"sign of b":                       errataSign,
		"C, λ, 1/λ and 1/(2λn)":           errataLambda,
		"factor 2 in the square loss":     errataSquare,
		"1/n in the mean loss":            errataMean,
		"b averaged over bounded vectors": errataBounded,
		"hinge without its 1":             errataHinge,
		"σ against γ":                     errataWidth,
		"regularised bias in SGD":         errataBias,
	} {
		t.Run(name, func(t *testing.T) { show(&tour{t: t, out: io.Discard}) })
	}
}

// errataData returns points that are not centred, so that b matters, and are not separable.
func errataData() (xs [][]float64, ys []float64) {
	xs, ys = tourClouds(40, 1, 1)
	return moved(xs, 3, 0), ys
}

// f(x) = w·x + b. A book that writes w·x − b, LIBSVM's rho among them, has the opposite b.
func errataSign(v *tour) {
	xs, ys := errataData()
	m := must(Train(xs, ys, Linear{}, Options{Tol: tourTol}))
	h := must(Explicit(m))
	opposite := Hyperplane{h.W, -h.B}
	v.nearAll("w·x + b", mapped(xs, h.Decision), m.DecisionAll(xs), 1e-12)
	v.check("the plane with −b is no classifier of these points", tourHits(mapped(xs, opposite.Predict), ys) <= 2*len(xs)/3)
	v.check("that with b is", tourRight(m, xs, ys) >= len(xs)-len(xs)/5)
}

// λ‖w‖² + (1/n) Σ hinge is the soft margin with C = 1/(2λn), neither with 1/λ nor with 1/(λn) nor with λ.
func errataLambda(v *tour) {
	xs, ys := errataData()
	lambda := 0.05
	o := MeanHinge(lambda, len(xs))
	best := math.Inf(1)
	values := map[float64]float64{}
	for _, c := range []float64{o.C(), 1 / lambda, 1 / (lambda * float64(len(xs))), lambda} {
		values[c] = o.At(must(Explicit(must(Train(xs, ys, Linear{}, Options{C: c, Tol: tourTol})))), xs, ys)
		best = min(best, values[c])
	}
	for c, value := range values {
		if c == o.C() {
			v.near("the objective with C = 1/(2λn)", value, best, 1e-9)
		} else {
			v.check(fmt.Sprintf("C = %v is worse", c), value > best+1e-5)
		}
	}
}

// Ridge minimises ‖Φw − t‖² + λ‖w‖², which is ½‖Φw − t‖² + ½λ‖w‖² doubled. With ½ before one of the two only it is
// another problem: λ counts twice or half.
func errataSquare(v *tour) {
	phi, t := [][]float64{{1}, {2}}, []float64{2, 4}
	lambda := 5.0
	w := func(lambda float64) float64 { return must(Ridge(phi, t, lambda))[0] }
	slope := func(loss, norm, w float64) (g float64) { // of loss·‖Φw − t‖² + norm·λ‖w‖²
		for i, x := range phi {
			g += 2 * loss * (x[0]*w - t[i]) * x[0]
		}
		return g + 2*norm*lambda*w
	}
	v.near("w", w(lambda), 10.0/(5+lambda), 1e-12)
	v.near("slope of the whole", slope(1, 1, w(lambda)), 0, 1e-12)
	v.near("slope of half of it", slope(0.5, 0.5, w(lambda)), 0, 1e-12)
	v.check("with ½ before the loss alone the slope is not 0", slope(0.5, 1, w(lambda)) > 1)
	v.near("there it is 2λ", slope(0.5, 1, w(2*lambda)), 0, 1e-12)
	v.near("and with ½ before the norm alone λ/2", slope(1, 0.5, w(lambda/2)), 0, 1e-12)
}

// LeastSquares descends on the mean of the squares: on their sum, the same rate is n times as long a step, and
// diverges. In (1/n) Σ loss + λ‖w‖², λ is n times as strong as in Σ loss + λ‖w‖².
func errataMean(v *tour) {
	phi, target := labelled(20, func(i int) ([]float64, float64) {
		x := float64(i%5) / 2
		return []float64{x}, 3 * x
	})
	w := must(LeastSquares(phi, target, 0.5, 200))
	v.near("w with 1/n", w[0], 3, 1e-9)
	far, err := LeastSquares(phi, target, 0.5*float64(len(phi)), 200)
	v.check("without 1/n the descent diverges", err != nil || math.Abs(far[0]) > 1e6)
	n := float64(len(phi))
	v.check("λ and nλ are two problems", math.Abs(must(Ridge(phi, target, 1))[0]-must(Ridge(phi, target, n))[0]) > 0.1)
}

// b is the mean over the free support vectors, 0 < α < C. Those at the bound are off their margin by their slack.
func errataBounded(v *tour) {
	xs, ys := tourLine()
	m := must(Train(xs, ys, Linear{}, Options{Tol: tourTol}))
	shifted := *m
	shifted.B = tourMeanB(m, xs, ys, func(alpha float64) bool { return 0 < alpha })
	v.near("b", m.B, 0, tourTol)
	v.near("the mean over all support vectors", shifted.B, -0.25, tourTol)
	v.check("which is not optimal", Verify(&shifted, xs, ys, Options{}).Gap > 0.1)
}

// The hinge is max(0, 1 − z). Without its 1 it is the perceptron's loss, and w = 0 is optimal whatever the regulariser.
func errataHinge(v *tour) {
	xs, ys := tourLine()
	objective := func(loss func(z float64) float64, w float64) float64 {
		sum := w * w / 2
		for i, x := range xs {
			sum += loss(ys[i] * w * x[0])
		}
		return sum
	}
	v.check("w = ½ is better than w = 0 for the hinge", objective(HingeLoss, 0.5) < objective(HingeLoss, 0))
	for _, w := range []float64{-1, -0.1, 0.1, 0.5, 1} {
		v.check("without its 1, w = 0 is best", objective(PerceptronLoss, w) > objective(PerceptronLoss, 0))
	}
}

// γ is the factor of ‖x − z‖², which is 1/(2σ²), 1/σ² or 1/σ in different books, and never σ.
func errataWidth(v *tour) {
	x, z := []float64{0}, []float64{1}
	for _, row := range []struct {
		name string
		k    RBF
		want float64
	}{
		{"exp(−‖x−z‖²/(2σ²))", Gaussian(4), math.Exp(-1.0 / 32)},
		{"exp(−‖x−z‖²/σ²)", GaussianSquare(4), math.Exp(-1.0 / 16)},
		{"exp(−‖x−z‖²/σ)", GaussianInverse(4), math.Exp(-1.0 / 4)},
		{"exp(−γ‖x−z‖²)", RBF{Gamma: 4}, math.Exp(-4.0)},
	} {
		v.near(row.name, row.k.Eval(x, z), row.want, 1e-15)
	}
}

// The constant feature of E3 puts b into the norm, which changes the optimum of data that are not centred. With
// FreeBias the optimum is that of Train.
func errataBias(v *tour) {
	xs, ys := errataData()
	xs = moved(xs, 7, 0)
	lambda := 0.05
	best := MeanHinge(lambda, len(xs)).At(must(Explicit(must(
		Train(xs, ys, Linear{}, Options{C: MeanHinge(lambda, len(xs)).C(), Tol: tourTol})))), xs, ys)
	o := SGD{Lambda: lambda, Steps: 1e6}
	regularised := MeanHinge(lambda, len(xs)).At(must(Pegasos(xs, ys, o)), xs, ys)
	o.FreeBias = true
	free := MeanHinge(lambda, len(xs)).At(must(Pegasos(xs, ys, o)), xs, ys)
	v.check("the free bias is nearer to the optimum", free-best < (regularised-best)/3)
	v.check("the regularised one is not there", regularised > 1.2*best)
}

// The snippets of README.md.

// TestReadme holds README.md to its word: every Go snippet is, line by line, part of one Example of example_test.go,
// which go test runs, and every Example that it names exists. In a snippet "// …" stands for any number of lines.
func TestReadme(t *testing.T) {
	readme := textOf("README.md")
	file := textOf("example_test.go")
	examples := mapped(strings.Split(file, "\nfunc Example")[1:], func(text string) string {
		body, _, _ := strings.Cut(text, "\n}\n")
		return strings.Join(readmeLines(body), "")
	})
	snippets := strings.Split(readme, "```go\n")[1:]
	for _, text := range snippets {
		snippet, _, _ := strings.Cut(text, "```")
		if _, body, ok := strings.Cut(snippet, "func main() {\n"); ok {
			snippet, _, _ = strings.Cut(body, "\n}\n")
		}
		lines := mapped(readmeLines(snippet), regexp.QuoteMeta)
		pattern := strings.ReplaceAll(strings.Join(lines, ""), "// …\n", "(.*\n)*")
		check(t, slices.ContainsFunc(examples, regexp.MustCompile("(?m)^"+pattern).MatchString),
			"README.md: no Example has the lines\n%s", snippet)
	}
	names := regexp.MustCompile(`\bExample\w+`).FindAllString(readme, -1)
	for _, name := range names {
		check(t, strings.Contains(string(file), "\nfunc "+name+"() {"), "README.md names %s, which does not exist", name)
	}
	check(t, len(snippets) >= 10 && len(names) >= 30,
		"README.md: %d snippets and %d names of Examples found: the search is broken", len(snippets), len(names))
}

// readmeLines returns the lines of a text that are not blank, without indentation, each with its end.
func readmeLines(text string) (lines []string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line+"\n")
		}
	}
	return lines
}
