// Copyright 2026 The svm authors. All rights reserved.
// Use of this source code is governed by the MIT
// license that can be found in the LICENSE file.

// The proofs: for what the other files claim, tests that fail if it is false.
//
//	the ledger        TestLedger: every tag of the lectures and beyond, with its test
//	tables            programs × verdicts; kernels × identities; problems × solvers × conditions;
//	                  matrices × identities; bad input × entry points → error
//	fuzz targets      FuzzSolveQP, FuzzTrain, FuzzReadLIBSVM, FuzzReadModel
//	beside lectures   TestTour, TestFigures, TestSlips, TestExercises (solutions), TestReadme
//
// A solution, whichever solver found it, is judged by conditions that suffice for optimality, from
// the data alone. Fast code is compared with slow and obvious code. Polynomial identities are
// proved on a grid of integers (onGrid). Data are integers where possible, whose sums are exact;
// elsewhere a tolerance has its reason beside it, and no test asks for the last digit. Seeds are
// fixed. A test that needs an event to occur counts it, and fails as void if it does not (enough).

package svm

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"maps"
	"math"
	"math/bits"
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
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"
)

// # How a test speaks
//
// Every test is run by run or by T.Run, which give it a T: a testing.T that quotes the statement
// which does not hold, shows at most three instances, and turns a panic into a failure of one test.

// A T is the testing.T of one named test, and the statement that the test is to prove.
type T struct {
	*testing.T
	says   string // what an error begins with, or ""
	errors atomic.Int32
}

// run runs f as the subtest of t that has this name. If it fails, its first error quotes says.
func run(t *testing.T, name, says string, f func(t *T)) bool {
	return t.Run(name, func(sub *testing.T) {
		t := &T{T: sub, says: says}
		defer func() {
			if r := recover(); r != nil {
				t.Errorf("panic: %v%s", r, origin())
			}
		}()
		f(t)
	})
}

// Run runs f as a subtest, which quotes the same statement.
func (t *T) Run(name string, f func(t *T)) bool { return run(t.T, name, t.says, f) }

// Errorf reports the first three errors, each in at most 600 bytes, and only counts the others.
func (t *T) Errorf(format string, args ...any) {
	t.Helper()
	n := t.errors.Add(1)
	if n > 3 {
		t.Fail()
		return
	}
	text := fmt.Sprintf(format, args...)
	if len(text) > 600 {
		text = text[:600] + " …"
	}
	if n == 1 && t.says != "" {
		text = t.says + " does not hold:\n" + text
	}
	t.T.Error(text)
}

// origin returns where the present panic began: the innermost line of this package.
func origin() string {
	for skip := 3; ; skip++ {
		pc, file, line, ok := runtime.Caller(skip)
		if !ok || strings.Contains(runtime.FuncForPC(pc).Name(), "svm.") {
			return fmt.Sprintf("\n\tat %s:%d", filepath.Base(file), line)
		}
	}
}

// # The ledger

// A statement is a row of the ledger: what a lecture states, and a test that fails if it is false.
type statement struct {
	tag    string
	source string // lecture and section; "beyond" if no lecture of the five states it
	says   string
	how    string // proof, exact, closed form, both ways, differences, certificate, bound …
	test   func(t *T)
}

// TestLedger runs all statements, or with -run 'Ledger/B6' one of them; -v prints them: the table
// of contents of the companion, in the order A1 … A12, B1 …
func TestLedger(t *testing.T) {
	var page strings.Builder
	ledger := wholeLedger()
	slices.SortStableFunc(ledger, func(a, b statement) int {
		letters := cmp.Compare(a.tag[0], b.tag[0])
		return cmp.Or(letters, len(a.tag)-len(b.tag), strings.Compare(a.tag, b.tag))
	})
	for _, s := range ledger {
		ran := false
		holds := run(t, s.tag, fmt.Sprintf("%s (%s): %s", s.tag, s.source, s.says), func(t *T) {
			ran = true
			s.test(t)
		})
		if ran {
			verdict := map[bool]string{true: "holds", false: "FAILS"}[holds]
			fmt.Fprintf(&page, "%-5s%-65s%20s%10s\n", s.tag, s.source, s.how, verdict)
			for _, line := range wrapped(s.says, 95) {
				fmt.Fprintf(&page, "     %s\n", line)
			}
		}
	}
	if testing.Verbose() {
		fmt.Print("proof: on a grid that decides; exact, bound: on samples\n\n", page.String())
	}
}

func wholeLedger() []statement {
	return slices.Concat(statements1, statements2, statements4, statements6, statements8)
}

// wrapped breaks text into lines of at most width characters.
func wrapped(text string, width int) []string {
	line := regexp.MustCompile(fmt.Sprintf(`.{1,%d}( |$)`, width))
	lines := line.FindAllString(strings.Join(strings.Fields(text), " "), -1)
	return mapped(lines, strings.TrimSpace)
}

// # Assertions
//
// An assertion names what it checks: equal(t, f(x), 3, "f(%v)", x) reports "f(2) = 4, want 3".

// check reports a claim that is false, with the message that is given.
func check(t testing.TB, claim bool, format string, args ...any) {
	t.Helper()
	if !claim {
		t.Errorf(format, args...)
	}
}

// equal checks that got is want.
func equal[V any](t testing.TB, got, want V, what string, args ...any) {
	t.Helper()
	check(t, reflect.DeepEqual(got, want), what+" = %v, want %v", append(args, got, want)...)
}

// isNear reports whether got is want, up to tol times the larger of |want| and 1.
func isNear(got, want, tol float64) bool {
	return got == want || math.Abs(got-want) <= tol*max(1, math.Abs(want)) && !math.IsInf(want, 0)
}

// agree checks that got is near want.
func agree(t testing.TB, got, want, tol float64, what string, args ...any) {
	t.Helper()
	check(t, isNear(got, want, tol), what+" = %v, want %v ± %.2g", append(args, got, want, tol)...)
}

// agreeAll checks that got is near want, entry by entry.
func agreeAll(t testing.TB, got, want []float64, tol float64, what string, args ...any) {
	t.Helper()
	near := slices.EqualFunc(got, want, func(g, w float64) bool { return isNear(g, w, tol) })
	check(t, near, what+" = %v, want %v ± %.2g", append(args, got, want, tol)...)
}

// atMost checks that got is no greater than limit.
func atMost(t testing.TB, got, limit float64, what string, args ...any) {
	t.Helper()
	check(t, got <= limit, what+" = %v, want at most %v", append(args, got, limit)...)
}

// enough checks that what a test is about occurred at least want times: else it proves nothing.
func enough(t testing.TB, got, want int, what string) {
	t.Helper()
	check(t, got >= want, "void: %s only %d times, want at least %d", what, got, want)
}

// must returns the value of a call that cannot fail here: v := must(F(x))(t). An error ends t.
func must[V any](v V, err error) func(t testing.TB) V {
	return func(t testing.TB) V {
		t.Helper()
		if err != nil {
			t.Errorf("%v", err)
			t.FailNow()
		}
		return v
	}
}

// refused checks that err is one of the package, contains the text says, and wraps is, if not nil.
func refused(t testing.TB, err, is error, says, what string, args ...any) {
	t.Helper()
	ok := err != nil && strings.HasPrefix(err.Error(), "svm: ") &&
		strings.Contains(err.Error(), says) && (is == nil || errors.Is(err, is))
	check(t, ok, what+": error %v, want one that says %q, wraps %v", append(args, err, says, is)...)
}

// refuses checks that all errors say and wrap the same.
func refuses(t testing.TB, is error, says string, errs ...error) {
	t.Helper()
	for i, err := range errs {
		refused(t, err, is, says, "call %d", i)
	}
}

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

// throws checks that every call panics with an error of the package that contains the text says.
func throws(t testing.TB, says string, calls ...func()) {
	t.Helper()
	refuses(t, nil, says, mapped(calls, func(f func()) error { return errors.New(panics(f)) })...)
}

// # Small tools

type vec = []float64

var nan, inf = math.NaN(), math.Inf(1)

// fewer returns n, or few with -short, as under the race detector, which slows arithmetic tenfold.
func fewer(n, few int) int {
	if testing.Short() {
		return few
	}
	return n
}

// mapped returns f of every x.
func mapped[X, Y any](xs []X, f func(x X) Y) []Y {
	return build(len(xs), func(i int) Y { return f(xs[i]) })
}

// random returns a generator with the given seed.
func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

// integers returns n points of d integers from −most to most: sums of their products are exact.
func integers(rng *rand.Rand, n, d, most int) []vec {
	return build(n, func(int) vec {
		return build(d, func(int) float64 { return float64(rng.IntN(2*most+1) - most) })
	})
}

// normals returns n points of d normally distributed coordinates.
func normals(rng *rand.Rand, n, d int) []vec {
	return build(n, func(int) vec {
		return build(d, func(int) float64 { return rng.NormFloat64() })
	})
}

// signs returns n random labels, the first two of different classes.
func signs(rng *rand.Rand, n int) vec {
	ys := vec{-1, 1}
	for len(ys) < n {
		ys = append(ys, float64(2*rng.IntN(2)-1))
	}
	return ys[:n]
}

// matrix returns the matrix with the given rows, matrixOf the one with the entries f(i, j).
func matrix(rows ...vec) *Matrix { return MatrixFromRows(rows) }

func matrixOf(rows, cols int, f func(i, j int) float64) *Matrix {
	m := NewMatrix(rows, cols)
	for k := range m.Data {
		m.Data[k] = f(k/cols, k%cols)
	}
	return m
}

func diagonalOf(d ...float64) *Matrix {
	return matrixOf(len(d), len(d), func(i, j int) float64 { return d[i] * oneIf(i == j) })
}

// oneIf returns 1 if the claim is true, and 0 otherwise.
func oneIf(claim bool) float64 {
	if claim {
		return 1
	}
	return 0
}

// repeated returns v, …, v; minus x − z; combination x + cz; multipleOf cx, and over x/c.
func repeated(n int, v float64) vec    { return slices.Repeat(vec{v}, n) }
func minus(x, z vec) vec               { return combination(x, -1, z) }
func multipleOf(c float64, x vec) vec  { return byEntry(repeated(len(x), c), x) }
func scaled(c float64) func(x vec) vec { return func(x vec) vec { return multipleOf(c, x) } }

func over(x vec, c float64) vec { return mapped(x, func(v float64) float64 { return v / c }) }

func combination(x vec, c float64, z vec) vec {
	return build(len(x), func(j int) float64 { return x[j] + c*z[j] })
}

// byEntry returns the products xᵢzᵢ, weightedSum Σ cᵢxᵢ, imageUnder Kx, and quadraticForm xᵀKx.
func byEntry(x, z vec) vec { return build(len(x), func(i int) float64 { return x[i] * z[i] }) }

func imageUnder(k *Matrix, x vec) vec {
	return build(k.Rows, func(i int) float64 { return Dot(k.Row(i), x) })
}

func weightedSum(xs []vec, c vec) vec        { return imageUnder(matrix(xs...).T(), c) }
func quadraticForm(k *Matrix, x vec) float64 { return Dot(x, imageUnder(k, x)) }

// Numbers: Σxᵢ, Σxᵢ², Σ|xᵢ|, max |xᵢ|.
func sumOf(x vec) float64      { return Dot(x, repeated(len(x), 1)) }
func squareNorm(x vec) float64 { return Dot(x, x) }
func sizeOf(x vec) float64     { return sumOf(mapped(x, math.Abs)) }
func largestOf(x vec) float64  { return slices.Max(append(mapped(x, math.Abs), 0)) }

// slope returns the central difference of f in the number at: of a parabola, the derivative there.
func slope(f func() float64, at *float64, step float64) float64 {
	old := *at
	*at = old + step
	up := f()
	*at = old - step
	down := f()
	*at = old
	return (up - down) / (2 * step)
}

// The four points of exclusive or: no line separates the classes.
var xorPoints, xorLabels = []vec{{-1, -1}, {-1, 1}, {1, -1}, {1, 1}}, vec{-1, 1, 1, -1}

// # Machines: points and problems

// A run to tightTol is exact but for rounding. What holds at the optimum then holds to nearTol:
// sums over at most some hundred points amplify a violation, and f is less sharply determined.
const tightTol, nearTol = 1e-10, 1e-6

// classClouds returns n points of the plane in clouds of standard deviation 1 around as many points
// of a circle as there are classes. Point i is in class i mod classes: a (y = 1), b, … (y = −1).
func classClouds(seed uint64, n, classes int, radius float64) (xs []vec, ys vec, labels []string) {
	for i, x := range normals(random(seed), n, 2) {
		sin, cos := math.Sincos(2 * math.Pi * float64(i%classes) / float64(classes))
		xs = append(xs, vec{x[0] + radius*cos, x[1] + radius*sin})
		ys = append(ys, float64(1-2*min(i%classes, 1)))
		labels = append(labels, string(rune('a'+i%classes)))
	}
	return xs, ys, labels
}

// A task is a kernel and a price, with points for them and the model that Train finds.
type task struct {
	name      string
	k         Kernel[vec]
	radius, c float64
	xs        []vec
	ys        vec
	m         *Model[vec]
}

// eachTask solves every task for n points, and runs f on it.
func eachTask(t *T, n int, tol float64, f func(t *T, p task)) {
	for _, p := range []task{
		{name: "linear", k: Linear{}, radius: 0.5, c: 0.5},
		{name: "linear, hard", k: Linear{}, radius: 5, c: inf},
		{name: "Gaussian", k: RBF{0.5}, radius: 0.5, c: 10},
		{name: "Gaussian, hard", k: RBF{2}, radius: 0.5, c: inf},
		{name: "quadratic", k: Polynomial{Degree: 2, Gamma: 0.5, Coef: 1}, radius: 0.5, c: 1},
	} {
		t.Run(p.name, func(t *T) {
			p.xs, p.ys, _ = classClouds(uint64(n), n, 2, p.radius)
			p.m = must(Train(p.xs, p.ys, p.k, Options{C: p.c, Tol: tol}))(t)
			f(t, p)
		})
	}
}

// linearPlane returns the (w, b) that Train finds.
func linearPlane(t *T, xs []vec, ys vec, c float64) vec {
	m := must(Train(xs, ys, Linear{}, Options{C: c, Tol: tightTol}))(t)
	return coordinates(must(Explicit(m))(t))
}

// candidate returns a model with the given multipliers and b.
func candidate(k Kernel[vec], xs []vec, ys, alpha vec, b float64) *Model[vec] {
	return &Model[vec]{Func: Func[vec]{k, xs, byEntry(alpha, ys)}, B: b, Alpha: alpha}
}

func coordinates(h Hyperplane) vec        { return append(slices.Clone(h.W), h.B) }
func errorOf[V any](_ V, err error) error { return err }

// rowsAt returns xs[i] for every i of at, and indices the i < n with ok(i).
func rowsAt[X any](xs []X, at []int) []X { return mapped(at, func(i int) X { return xs[i] }) }

func indices(n int, ok func(i int) bool) []int {
	all := build(n, func(i int) int { return i })
	return slices.DeleteFunc(all, func(i int) bool { return !ok(i) })
}

// # A. Planes, margins, losses

// Planes with ‖w‖, and the decision at a point, whose nearest point of the plane is foot.
var planes = []struct {
	h                Hyperplane
	x                vec
	decision, length float64
	foot             vec
}{
	{Hyperplane{vec{3, 4}, -25}, vec{6, 8}, 25, 5, vec{3, 4}},
	{Hyperplane{vec{3, 4}, -25}, vec{0, 0}, -25, 5, vec{3, 4}},
	{Hyperplane{vec{3, 4}, -25}, vec{-1, 7}, 0, 5, vec{-1, 7}},
	{Hyperplane{vec{2, 3, 6}, -49}, vec{4, 6, 12}, 49, 7, vec{2, 3, 6}},
	{Hyperplane{vec{0x1p-700}, 1}, vec{0}, 1, 0x1p-700, vec{-0x1p700}}, // ‖w‖² is 0, or overflows
	{Hyperplane{vec{0x3p600, 0x4p600}, -0x19p600}, vec{6, 8}, 0x19p600, 0x5p600, vec{3, 4}},
	{Hyperplane{vec{0x3p-600, 0x4p-600}, -0x19p-600}, vec{6, 8}, 0x19p-600, 0x5p-600, vec{3, 4}},
}

var statements6 = []statement{
	{"A1", "CSCI 567 §1.1; Harmeling: decision functions", "A plane is {x : w·x + b = 0}; the " +
		"label of x is sgn(w·x + b), where sgn(0) = +1.", "closed form", func(t *T) {
		m := &Model[vec]{Func: Func[vec]{Kernel: Linear{}}, B: nan} // f is B
		equal(t, m.Predict(vec{1}), 1, "label where f is NaN")
		for i, label := range []float64{1, -1, 1, 1, 1, 1} {
			p := planes[i]
			m.B = p.decision
			got := vec{p.h.Decision(p.x), p.h.Predict(p.x), m.Predict(p.x)}
			equal(t, got, vec{p.decision, label, label}, "decision and labels by %v", p.h)
		}
	}},
	{"A2", "CSCI 567 §1.2; Kernels: maximum margin", "The point of the plane nearest to x is x − " +
		"((w·x + b)/‖w‖²) w, at distance |w·x + b|/‖w‖.", "closed form", func(t *T) {
		for _, p := range planes {
			equal(t, p.h.Distance(p.x), math.Abs(p.decision)/p.length, "distance to %v", p.h)
			agreeAll(t, p.h.Project(p.x), p.foot, 1e-15, "%v.Project(%v)", p.h, p.x)
		}
		for rng, n := random(2), 100; n > 0; n-- { // other points of the plane are farther
			v := normals(rng, 3, 5)
			h, x := Hyperplane{v[0], rng.NormFloat64()}, v[1]
			foot, other := minus(x, h.Project(x)), minus(x, h.Project(v[2]))
			agree(t, h.Decision(h.Project(x)), 0, 1e-13, "decision there") // rounding of 5 products
			atMost(t, Dot(foot, foot), Dot(other, other)+1e-13, "‖x − x′‖², beside another")
		}
		none := Hyperplane{vec{0, 0}, 2}
		equal(t, none.Distance(vec{1, 2}), inf, "distance if w = 0, b = 2")
		equal(t, none.Scale(0).Distance(vec{1, 2}), 0, "distance if w = 0, b = 0")
		check(t, panics(func() { none.Project(vec{1, 2}) }) != "", "w = 0 is a plane")
	}},
	{"A3", "CSCI 567 §1.3; Harmeling: geometrical margin", "The functional margin is " +
		"min yᵢ(w·xᵢ + b); divided by ‖w‖ it is the geometric margin.", "exact", func(t *T) {
		h, xs := Hyperplane{vec{3, 4}, -2}, []vec{{4, 3}, {2, 2}, {2, -1}, {0, 0}}
		for n, want := range []vec{{inf, inf}, {22, 4.4}, {12, 2.4}, {0, 0}, {-2, -0.4}} {
			f, g := h.Margin(xs[:n], vec{1, 1, -1, 1}[:n])
			equal(t, vec{f, g}, want, "margins of the first %d points", n)
		}
	}},
	{"A4", "CSCI 567 §1.3; Harmeling: canonical hyperplanes", "(cw, cb), c > 0, is the same " +
		"classifier; with min yᵢf(xᵢ) = 1 its geometric margin is 1/‖w‖.", "both ways", func(t *T) {
		xs, ys, _ := classClouds(4, 20, 2, 5)
		h := Hyperplane{vec{1, 0.1}, 0.1}
		functional, geometric := h.Margin(xs, ys)
		for _, c := range []float64{0.01, 1, 1e6} {
			s := h.Scale(c)
			canonical := must(s.Canonical(xs, ys))(t)
			f, g := s.Margin(xs, ys)
			one, width := canonical.Margin(xs, ys)
			want := vec{c * functional, geometric, 1, 1 / math.Sqrt(squareNorm(canonical.W))}
			agreeAll(t, vec{f, g, one, width}, want, 1e-13, "margins, canonical ones, c = %v", c)
			equal(t, mapped(xs, s.Predict), mapped(xs, h.Predict), "labels, c = %v", c)
		}
		for _, p := range []Hyperplane{h.Scale(-1), {h.W, -Dot(h.W, xs[0])}, h.Scale(1e-310)} {
			refused(t, errorOf(p.Canonical(xs, ys)), nil, "margin", "Canonical of %v", p)
		}
	}},
	{"A5", "CSCI 567 §1.4; COMP9417: support vector machines", "Hard margin: min ½‖w‖² s.t. " +
		"yᵢ(w·xᵢ + b) ≥ 1. With m > 0 for 1 the solution is m(w, b).", "both ways", func(t *T) {
		xs, ys, _ := classClouds(50, 16, 2, 5)
		h := linearPlane(t, xs, ys, inf)
		for _, m := range []float64{1, 0.25, 3} {
			q := PrimalQP(xs, ys, inf)
			q.B = repeated(16, -m) // −yᵢ(w·xᵢ + b) ≤ −m
			x := must(SolveQP(q, QPOptions{Tol: 1e-12}))(t).X
			agreeAll(t, x, multipleOf(m, h), nearTol, "(w, b) for the margin %v", m)
		}
	}},
	{"A6", "CSCI 567 §1.5; Cornwell: slack variables", "min ½‖w‖² + C Σξᵢ s.t. yᵢf(xᵢ) ≥ 1 − ξᵢ, " +
		"ξᵢ ≥ 0. If C ≥ all αᵢ of the hard margin, it is that.", "both ways", func(t *T) {
		xs, ys, _ := classClouds(6, 30, 2, 4)
		hard := must(Train(xs, ys, Linear{}, Options{C: inf, Tol: tightTol}))(t)
		for _, c := range []float64{0.01, 0.99, 1.01, 1000} {
			h := linearPlane(t, xs, ys, c*slices.Max(hard.Alpha))
			d := minus(h, linearPlane(t, xs, ys, inf))
			equal(t, Dot(d, d) <= nearTol*nearTol, c > 1, "C = %v max α: the same plane", c)
		}
	}},
	{"A6", "CSCI 567 §1.5, Why ℓ1 penalization?", "C Σξ gives back the hard margin, by a finite " +
		"C. C Σξ² never does: αᵢ = 2Cξᵢ, so every support vector has slack.", "closed form",
		func(t *T) {
			xs, ys := []vec{{1}, {-1}}, vec{1, -1}
			for _, c := range []float64{0.5, 1, 1000} { // at −1 and 1: w = 1, and α = ½ each
				q := PrimalQP(xs, ys, c)
				s := must(SolveQP(q, QPOptions{}))(t)
				agreeAll(t, append(s.X, s.Ineq...), vec{1, 0, 0, 0, 0.5, 0.5}, 1e-6, "C = %v", c)
				q.Q, q.C = diagonalOf(1, 0, 2*c, 2*c), make(vec, 4)
				s = must(SolveQP(q, QPOptions{}))(t)
				xi := 1 / (1 + 4*c) // the least ½(1 − ξ)² + 2Cξ²
				want := vec{1 - xi, 0, xi, xi, 2 * c * xi, 2 * c * xi}
				agreeAll(t, append(s.X, s.Ineq...), want, 1e-6, "C = %v, squares", c)
			}
		}},
	{"A7", "CSCI 567 §1.7; Cornwell: regularized loss", "At the optimum " +
		"ξᵢ = max(0, 1 − yᵢf(xᵢ)): the SVM is ½‖w‖² + C Σ hinge.", "both ways", func(t *T) {
		xs, ys, _ := classClouds(7, 40, 2, 0.5)
		m := must(Train(xs, ys, Linear{}, Options{C: 0.7, Tol: tightTol}))(t)
		// The program with unknowns w, b, ξ knows no hinge. Its ξ are the slacks.
		x := must(SolveQP(PrimalQP(xs, ys, 0.7), QPOptions{}))(t).X
		agreeAll(t, m.Slacks(xs, ys), x[3:], nearTol, "ξ")
		value := Objective{0.5, 0.7}.At(must(Explicit(m))(t), xs, ys)
		agree(t, value, m.KKT.Primal, nearTol, "objective")
		// The hard margin's objective, with a point on the margin or inside.
		for x, want := range map[float64]float64{-0.5: 2, -0.4: inf} {
			got := Objective{0.5, inf}.At(Hyperplane{vec{2}, 0}, []vec{{1}, {x}}, vec{1, -1})
			equal(t, got, want, "objective for C = ∞ with the point %v", x)
		}
	}},
	{"A8", "CSCI 567 §1.7; Cornwell: regularized loss", "½‖w‖² + C Σ hinge, λ‖w‖² + mean " +
		"hinge (C = 1/(2λn)), (λ/2)‖w‖² + Σ hinge (C = 1/λ), (λ/2)‖w‖² + mean " +
		"hinge (C = 1/(λn)) are proportional.", "exact", func(t *T) { // for integers
		const n = 16
		for rng, k := random(8), 50; k > 0; k-- {
			l, h := vec{0.5, 4}[k%2], Hyperplane{integers(rng, 1, 2, 4)[0], 1}
			xs, ys, w2, hinges := integers(rng, n, 2, 4), signs(rng, n), Dot(h.W, h.W), 0.0
			for i, x := range xs {
				hinges += max(0, 1-ys[i]*(Dot(h.W, x)+h.B))
			}
			for _, r := range []struct {
				o       Objective
				at, c   float64
				timesBy float64 // what makes it the soft margin's
			}{
				{Objective{0.5, l}, w2/2 + l*hinges, l, 1},
				{Objective{l, 1. / n}, l*w2 + hinges/n, 1 / (2 * l * n), 1 / (2 * l)},
				{Objective{l / 2, 1}, l/2*w2 + hinges, 1 / l, 1 / l},
				{Objective{l / 2, 1. / n}, l/2*w2 + hinges/n, 1 / (l * n), 1 / l},
			} {
				got := vec{r.o.At(h, xs, ys), r.o.C(), Objective{0.5, r.c}.At(h, xs, ys)}
				equal(t, got, vec{r.at, r.c, r.timesBy * r.at}, "%v at %v", r.o, h)
			}
		}
	}},
	{"A9", "CSCI 567 §1.6; Cornwell: slack variables", "ξ = 0: on the margin or outside; 0 < ξ < " +
		"1: inside; ξ = 1: on the plane; ξ > 1: mistaken.", "closed form", func(t *T) {
		m := &Model[vec]{Func: Func[vec]{Linear{}, []vec{{1}}, vec{1}}} // f(x) = x
		for z, want := range map[float64]string{2: "on the margin or outside",
			1: "on the margin or outside", math.Nextafter(1, 0): "inside the margin",
			0x1p-53: "inside the margin", 0: "on the plane", -0x1p-52: "misclassified",
			-3: "misclassified", nan: "misclassified"} {
			xi := m.Slacks([]vec{{z}, {-z}}, vec{1, -1})
			equal(t, mapped(xi, ClassifySlack), []string{want, want}, "class if y f = %v", z)
		}
	}},
	{"A10", "CSCI 567 §1.7, §4.5", "Hinge max(0, 1 − z) and log₂(1 + e^−z) are ≥ the 0/1 loss, 1 " +
		"if z ≤ 0. Perceptron loss: max(0, −z).", "bound", func(t *T) {
		for z := -40.0; z <= 40; z += 1.0 / 16 {
			zeroOne, hinge, logistic := ZeroOneLoss(z), HingeLoss(z), LogisticLoss(z)
			equal(t, vec{zeroOne, PerceptronLoss(z), hinge},
				vec{oneIf(z <= 0), (math.Abs(z) - z) / 2, (math.Abs(1-z) + 1 - z) / 2},
				"0/1, perceptron and hinge loss of %v", z)
			agree(t, logistic, math.Log(1+math.Exp(-z)), 1e-15, "logistic loss of %v", z)
			atMost(t, zeroOne, min(hinge, logistic/math.Ln2), "0/1 loss of %v", z)
		}
		// Where e^−z overflows, or 1 + e^−z is 1:
		for z, want := range map[float64]float64{-1e300: 1e300, -800: 800, 40: math.Exp(-40)} {
			agree(t, LogisticLoss(z)/want, 1, 1e-15, "LogisticLoss(%v)/%v", z, want)
		}
	}},
	{"A11", "Cornwell: gradient descent", "∇hinge: 0 if y f > 1, −y(x, 1) if y f < 1. ∇(λ‖w‖² + " +
		"mean hinge) = 2λ(w, 0) + (1/n) Σ ∇hinge.", "differences", func(t *T) {
		one := Objective{0, 1}.Gradient(Hyperplane{vec{0}, 1}, []vec{{5}}, vec{1})
		equal(t, sizeOf(coordinates(one)), 0, "∇hinge at the kink")
		// With integers and b = ¼ the differences cross no kink, and are exact.
		for rng, n := random(11), 50; n > 0; n-- {
			xs, ys := integers(rng, 16, 2, 3), signs(rng, 16)
			h, o := Hyperplane{integers(rng, 1, 2, 3)[0], 0.25}, Objective{0.25, 1. / 16}
			want := slopes(func() float64 { return o.At(h, xs, ys) }, &h.W[0], &h.W[1], &h.B)
			agreeAll(t, coordinates(o.Gradient(h, xs, ys)), want, 0, "gradient at %v", h)
		}
	}},
	{"A12", "CSCI 567 §1.2", "The link Pr[y | x] = 1/(1 + e^−z), z = y f(x), orders points as " +
		"the margin z does.", "both ways", func(t *T) {
		for z := -20.0; z <= 20; z += 1.0 / 8 {
			p := LogisticLink(z)
			check(t, p > LogisticLink(z-1.0/8), "the link does not rise before %v", z)
			agree(t, p+LogisticLink(-z), 1, 1e-15, "Pr[y | x] + Pr[−y | x] where z = %v", z)
			agree(t, -math.Log(p), LogisticLoss(z), 1e-14, "−ln Pr where z = %v", z)
		}
	}},

	// # B. Duality and optimality
	{"B1", "Harmeling: the dual of the soft margin", "The Lagrangian " +
		"L = ½‖w‖² + C Σξᵢ − Σ αᵢ(yᵢf(xᵢ) − 1 + ξᵢ) − Σ μᵢξᵢ is stationary where w = Σ αᵢyᵢxᵢ, " +
		"Σ αᵢyᵢ = 0 and C − αᵢ − μᵢ = 0.", "differences", func(t *T) {
		for rng, n := random(101), 20; n > 0; n-- {
			xs, ys, v := integers(rng, 2, 2, 4), signs(rng, 2), integers(rng, 4, 2, 3)
			h, alpha, xi, mu := Hyperplane{v[0], 2}, v[1], v[2], v[3]
			want := append(minus(h.W, weightedSum(xs, byEntry(alpha, ys))), -Dot(alpha, ys))
			hard := func() float64 { return Lagrangian(h, nil, alpha, nil, xs, ys, inf) }
			agreeAll(t, slopes(hard, &h.W[0], &h.W[1], &h.B), want, 0, "∇L, hard")
			want = append(want, minus(minus(vec{2, 2}, alpha), mu)...)
			soft := func() float64 { return Lagrangian(h, xi, alpha, mu, xs, ys, 2) }
			agreeAll(t, slopes(soft, &h.W[0], &h.W[1], &h.B, &xi[0], &xi[1]), want, 0, "∇L, soft")
			equal(t, Lagrangian(h, vec{0, 0}, alpha, vec{0, 0}, xs, ys, inf), hard(), "L, no slack")
		}
	}},
	{"B2", "CSCI 567 §2.2–2.3; Harmeling: deriving the dual", "If Σ αᵢyᵢ = 0, 0 ≤ αᵢ = C − μᵢ ≤ " +
		"C, the least L is Σαᵢ − ½ Σᵢⱼ αᵢαⱼyᵢyⱼKᵢⱼ = yᵀβ − ½βᵀKβ.", "exact", func(t *T) {
		// For Σ αᵢyᵢ = 0, μᵢ = C − αᵢ, and any b and ξ, L = dual(α) + ½‖w − Σ αᵢyᵢxᵢ‖², exactly.
		for rng, n := random(102), 100; n > 0; n-- {
			xs, ys := integers(rng, 6, 3, 4), vec{1, -1, 1, -1, 1, -1}
			xi := integers(rng, 1, 6, 5)[0]
			h, alpha := Hyperplane{integers(rng, 1, 3, 9)[0], 7}, randomAlpha(rng, 6, 4)
			signed := matrixOf(6, 6, func(i, j int) float64 {
				return ys[i] * ys[j] * Dot(xs[i], xs[j])
			})
			dual := sumOf(alpha) - quadraticForm(signed, alpha)/2
			beta, mu := byEntry(alpha, ys), minus(repeated(6, 4), alpha)
			d := minus(h.W, weightedSum(xs, beta))
			equal(t, Lagrangian(h, xi, alpha, mu, xs, ys, 4), dual+Dot(d, d)/2, "L at %v", alpha)
			k := Verify(candidate(Linear{}, xs, ys, alpha, 0), xs, ys, Options{C: 4})
			inBeta := Dot(ys, beta) - quadraticForm(gramBy(Linear{}, xs), beta)/2
			equal(t, vec{k.Dual, inBeta}, vec{dual, dual}, "value of the dual at α = %v", alpha)
		}
	}},
	{"B3", "Harmeling: primal and dual", "dual ≤ primal for feasible α and any plane, with " +
		"equality at the optimum.", "certificate", func(t *T) {
		eachTask(t, 24, tightTol, func(t *T, p task) {
			best, rng := p.m.KKT.Primal, random(103)
			slop := nearTol * max(1, best)
			equal(t, p.m.KKT.Gap, p.m.KKT.Primal-p.m.KKT.Dual, "the gap")
			agree(t, p.m.KKT.Gap, 0, slop, "the gap at the optimum")
			around := func(k KKT) {
				check(t, k.Dual <= best+slop && best <= k.Primal+slop, "optimum %v:\n%v", best, k)
			}
			for range 30 { // any feasible pair
				alpha, b := randomAlpha(rng, 24, p.c), 2*rng.NormFloat64()
				around(Verify(candidate(p.k, p.xs, p.ys, alpha, b), p.xs, p.ys, Options{C: p.c}))
			}
			for steps := 1; steps < 20; steps += 3 {
				m, err := Train(p.xs, p.ys, p.k, Options{C: p.c, MaxIter: steps})
				around(m.KKT)
				equal(t, errors.Is(err, ErrNotConverged), m.KKT.Violation > 1e-3, "an error")
			}
		})
	}},
	{"B5", "Harmeling: KKT conditions, theorem 11.2", "For convex f: stationarity, feasibility, " +
		"complementary slackness ⇔ optimality. Each has a residual.", "counterexample", func(t *T) {
		// One thing is broken at a time. The points ±1 have α = ½ each, w = 1 and b = 0.
		half, xs, ys := vec{0.5, 0.5}, []vec{{-1}, {1}}, vec{-1, 1}
		linear, nan := Linear{}, KernelFunc[vec](func(x, z vec) float64 { return math.NaN() })
		negative := KernelFunc[vec](func(x, z vec) float64 { return min(0, -x[0]*z[0]) }) // −1 or 0
		for _, r := range []struct {
			name  string
			k     Kernel[vec]
			c, b  float64
			alpha vec
			want  vec // the five residuals, the two values, the numbers of free and bounded α
		}{
			{"nothing, soft", linear, 2, 0, half, vec{0, 0, 0, 0, 0, 0.5, 0.5, 2, 0}},
			{"nothing, at the bound", linear, 0.5, 0, half, vec{0, 0, 0, 0, 0, 0.5, 0.5, 0, 2}},
			// Margins ¾ and 1¼: (C − α)ξ = 1½·¼ is more than α|z − 1 + ξ| = ½·¼.
			{"b, soft", linear, 2, 0.25, half, vec{0, 0, 0, 0.375, 0.25, 1, 0.5, 2, 0}},
			// There is no slack, and α|z − 1| = ½·¼. The canonical plane has ‖w‖² = 1/(¾)².
			{"b, hard", linear, inf, 0.25, half, vec{0, 0.25, 0, 0.125, 0.25, 8.0 / 9, 0.5, 2, 0}},
			{"b beyond the data, hard", linear, inf, 9, half, vec{0, 9, 0, 4.5, 9, inf, 0.5, 2, 0}},
			// w = 3, g = (2, −2), margins 3: α|z − 1| = 2½·2. Values 4½ and 3 − 4½.
			{"α > C", linear, 2, 0, vec{0.5, 2.5}, vec{2, 0, 0.5, 5, 4, 4.5, -1.5, 1, 1}},
			// w = ¼, g = (−¾, ¾), margins ¼: (C − α)ξ = 2¼·¾. Both g lie on the wrong side of b.
			{"α < 0", linear, 2, 0, vec{.5, -.25},
				vec{.75, 0, .25, 27. / 16, 1.5, 97. / 32, 7. / 32, 1, 0}},
			// The plane made canonical is optimal all the same.
			{"w, b doubled", linear, inf, 0, vec{1, 1}, vec{0, 0, 0, 1, 2, 0.5, 0, 2, 0}},
			{"w, b halved", linear, inf, 0, vec{.25, .25}, vec{0, .5, 0, .125, 1, .5, .375, 2, 0}},
			{"units of 2⁻¹⁰", Scale[vec](0x1p-20, linear), inf, 0, vec{0x1p19, 0x1p19},
				vec{0, 0, 0, 0, 0, 0x1p19, 0x1p19, 2, 0}},
			{"α = 0, hard", linear, inf, 0, vec{0, 0}, vec{0, 1, 0, 0, 2, inf, 0, 0, 0}},
			{"‖w‖² < 0", negative, 1, 0, vec{1, 1}, vec{inf, 0, 0, 0, 0, 3, 3, 0, 2}},
			{"a kernel of NaN", nan, 1, 0, half, vec{inf, inf, inf, inf, inf, inf, -inf, 0, 0}},
		} {
			k := Verify(candidate(r.k, xs, ys, r.alpha, r.b), xs, ys, Options{C: r.c})
			got := vec{k.Stationarity, k.PrimalFeasibility, k.DualFeasibility, k.Slackness,
				k.Violation, k.Primal, k.Dual, float64(k.Free), float64(k.Bound)}
			agreeAll(t, got, r.want, 1e-15, "%s: residuals", r.name)
			equal(t, k.Gap, k.Primal-k.Dual, "%s: gap", r.name)
			equal(t, k.Err != nil, r.name == "a kernel of NaN", "%s: Err", r.name)
			atMost(t, k.Rounding, 1e-15, "%s: rounding", r.name)
		}
		k := Verify(&Model[vec]{}, xs, ys, Options{}) // all is unknown, and it says why
		text := "nothing is certified: svm: 2 points, but a model trained on 0\n"
		equal(t, k.String(), text, "String()")
		for _, change := range []float64{0.25, -0.25} { // f at the first point, 0, stays as it was
			zs := []vec{{0}, {1}}
			m := candidate(linear, zs, ys, vec{2, 2}, -1)
			m.Coef[1] += change
			equal(t, Verify(m, zs, ys, Options{C: 2}).Stationarity, 0.25, "stationarity, another f")
		}
	}},
	{"B6", "Harmeling: support vectors; CSCI 567 §3.1", "αᵢ = 0 ⇒ yᵢf(xᵢ) ≥ 1; 0 < αᵢ < C ⇒ " +
		"yᵢf(xᵢ) = 1; αᵢ = C ⇒ yᵢf(xᵢ) ≤ 1.", "certificate", func(t *T) {
		eachTask(t, 40, 0, func(t *T, p task) {
			slop := 1e-3 + 1e-11*sumOf(p.m.Alpha) // Tol, and what rounding does to f
			free, bound := 0, 0
			for i, z := range byEntry(p.ys, p.m.DecisionAll(p.xs)) {
				a := p.m.Alpha[i]
				check(t, a == p.c || z >= 1-slop, "α = %v < C, but y f = %v < 1", a, z)
				check(t, a == 0 || z <= 1+slop, "α = %v > 0, but y f = %v > 1", a, z)
				free += int(oneIf(0 < a && a < p.c))
				bound += int(oneIf(a == p.c))
			}
			counts := []int{p.m.KKT.Free, p.m.KKT.Bound, len(p.m.Points)}
			equal(t, counts, []int{free, bound, free + bound}, "α free, bounded, > 0")
			atMost(t, p.m.KKT.Rounding, slop-1e-3, "Rounding")
			enough(t, min(free, 40-free-bound), 2, "free α and α = 0")
			equal(t, bound > 1, p.c < inf, "some α are C")
		})
	}},
	{"B7", "CSCI 567 §2.5; Harmeling: how to calculate w and b", "b: mean of yᵢ − Σⱼ αⱼyⱼKᵢⱼ " +
		"over the free αᵢ; if there is none, middle of the optimal b.", "closed form", func(t *T) {
		eachTask(t, 40, 0, func(t *T, p task) {
			g := minus(p.ys, imageUnder(gramBy(p.k, p.xs), byEntry(p.m.Alpha, p.ys)))
			m, slop := p.m, 1e-11*max(1, slices.Max(p.m.Alpha)) // rounding of products with α
			free := indices(40, func(i int) bool { return m.Alpha[i] > 0 && m.Alpha[i] < p.c })
			enough(t, len(free), 2, "free multipliers")
			agree(t, m.B, sumOf(rowsAt(g, free))/float64(len(free)), slop, "b")
			atMost(t, max(m.BLo-m.B, m.B-m.BHi, m.BHi-m.BLo-1e-3), slop, "off the interval")
		})
		// With C this small every α of two classes of equal size is at its bound.
		xs, ys, _ := classClouds(27, 40, 2, 1.5)
		m := must(Train(xs, ys, Linear{}, Options{C: 1e-3, Tol: 1e-9}))(t)
		equal(t, m.KKT.Bound, 40, "number of bounded α")
		agree(t, m.B, (m.BLo+m.BHi)/2, 1e-12, "b")
		for i, b := range []float64{m.BLo, m.BHi, m.BLo - 0.1, m.BHi + 0.1} {
			k := Verify(candidate(Linear{}, xs, ys, m.Alpha, b), xs, ys, Options{C: 1e-3})
			equal(t, k.Violation < 1e-8 && k.Gap < 1e-8, i < 2, "b = %v is optimal", b)
		}
	}},
	{"B8", "CSCI 567 §3.1; Harmeling: support vectors", "Only support vectors matter: without " +
		"all others f is the same (if some α is free). A hard margin of random points of Rᵈ " +
		"almost surely has at most d + 1, however many points there are.", "both ways", func(t *T) {
		eachTask(t, 60, tightTol, func(t *T, p task) {
			sv := indices(60, func(i int) bool { return p.m.Alpha[i] > 0 })
			enough(t, min(len(sv), 60-len(sv)), 2, "support vectors and others")
			o := Options{C: p.c, Tol: tightTol}
			alone := must(Train(rowsAt(p.xs, sv), rowsAt(p.ys, sv), p.k, o))(t)
			agreeAll(t, alone.DecisionAll(p.xs), p.m.DecisionAll(p.xs), nearTol, "f")
		})
		for _, n := range []int{50, 500, 5000} {
			xs, ys, _ := classClouds(8, n, 2, 12)
			m := must(Train(xs, ys, Linear{}, Options{C: inf, Tol: tightTol}))(t)
			atMost(t, float64(len(m.Points)), 3, "support vectors of %d points", n)
		}
		xs, ys, _ := classClouds(8, 6000, 2, 4) // most will be set aside for a while
		m := must(Train(xs, ys, RBF{1}, Options{Tol: 1e-6}))(t)
		atMost(t, Verify(m, xs, ys, Options{}).Violation, 1.1e-6, "violation of 6000 points")
		d := machineDual(GramOf(RBF{1}, xs), ys, 1, nil)
		again := must(SMO(d, SMOOptions{Tol: 1.1e-6, Start: byEntry(m.Alpha, ys)}))(t)
		equal(t, again.Iterations, 0, "steps from the solution")
	}},

	// # F. Many classes, the choice of C
	{"F6", "beyond", "A machine for each pair votes, or one for each class against the rest; " +
		"ties: least label.", "both ways", testManyClasses},
	{"F7", "Harmeling: hard margin vs soft margin", "k folds, stratified and reproducible, each " +
		"predicted by machines trained on the others.", "both ways", func(t *T) {
		labels := strings.Split("abbaabbaabab", "")
		for folds, want := range map[int]int{2: 3, 3: 2, 6: 1} { // of six points with another label
			equal(t, partners(labels, folds, 1), slices.Repeat([]int{want}, 12), "%d folds", folds)
		}
		odd := partners(labels[:9], 4, 1)
		equal(t, partners(labels[:9], 4, 1), odd, "partners by the same generator")
		check(t, !slices.Equal(odd, partners(labels[:9], 4, 2)), "always the same folds")
		// With as many folds as points every machine is trained on all others.
		for classes := 2; classes <= 4; classes++ {
			xs, ys, labels := classClouds(71, 24, classes, 1.5)
			o, right := Options{C: 3, Workers: classes - 1}, 0
			o.Weights = build(24, func(i int) float64 { return float64(1 + i%2) })
			all := must(CrossDecisions(xs, labels, RBF{1}, o, 24, nil))(t)
			got := must(CrossPredict(xs, labels, RBF{1}, o, 24, nil))(t)
			for i, x := range xs {
				in, rest := indices(24, func(j int) bool { return j != i }), o
				rest.Weights = rowsAt(o.Weights, in)
				c := must(TrainClassifier(rowsAt(xs, in), rowsAt(labels, in), RBF{1}, rest))(t)
				equal(t, all.Row(i), c.Decisions(x), "decisions of %d classes", classes)
				equal(t, got[i], c.Predict(x), "label of %d classes", classes)
				right += int(oneIf(got[i] == labels[i]))
			}
			share := must(CrossValidate(xs, labels, RBF{1}, o, 24, nil))(t)
			equal(t, share, float64(right)/24, "accuracy of 24 folds")
			labels[7] = "z"
			_, err := CrossDecisions(xs, labels, RBF{1}, o, 4, nil)
			refused(t, err, ErrOneClass, "without fold", "decisions of a class of one point")
			o.Observe = func(*DualSolution) bool { return false }
			none, err := CrossDecisions(xs, ys, RBF{1}, o, 4, nil)
			check(t, none == nil && errors.Is(err, ErrNotConverged), "stopped: %v, %v", none, err)
		}
		// A class of one point is never there to be predicted: five of six are right.
		line, some := []vec{{0}, {0.1}, {0.2}, {5}, {5.1}, {9}}, strings.Split("aaaaab", "")
		share := must(CrossValidate(line, some, Linear{}, Options{C: 100}, 6, nil))(t)
		equal(t, share, 5.0/6, "accuracy, labels %v", some)
	}},
}

// slopes returns derivatives of f by central differences, exact ones of parabolas of integers.
func slopes(f func() float64, at ...*float64) vec {
	return mapped(at, func(v *float64) float64 { return slope(f, v, 1.0/64) })
}

// randomAlpha returns feasible multipliers in quarters of C or of 4, some of them at a bound: equal
// ones for neighbors, which have different labels.
func randomAlpha(rng *rand.Rand, n int, c float64) vec {
	alpha := build(n, func(int) float64 { return min(4, c) * float64(rng.IntN(5)) / 4 })
	return build(n, func(i int) float64 { return alpha[i/2] })
}

// ways lists the machines of four classes as {negative, positive} class; −1 stands for the rest.
var ways = []struct {
	train    func([]vec, []string, Kernel[vec], Options) (*Classifier[vec, string], error)
	machines [][2]int
	tied     string // the label where all machines say −1 or NaN, or 0 between two
	says     string // what names the machine that has no hard margin
}{
	{TrainClassifier[vec, string], [][2]int{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}},
		"d", "classes a and b"},
	{TrainOneVsRest[vec, string], [][2]int{{-1, 0}, {-1, 1}, {-1, 2}, {-1, 3}}, "a", "(class a "},
}

func testManyClasses(t *T) {
	xs, _, labels := classClouds(60, 100, 5, 1.5) // the points of class e have no weight
	weights := build(100, func(i int) float64 { return float64((4 - i%5) * (1 + i%2)) })
	for _, way := range ways {
		for _, k := range []Kernel[vec]{RBF{0.5}, Linear{}} {
			c := must(way.train(xs, labels, k, Options{C: 2, Weights: weights, Tol: 1e-9}))(t)
			models := c.Models()
			equal(t, c.rows == nil, k == Kernel[vec](Linear{}), "decisions by planes")
			equal(t, c.Labels, []string{"a", "b", "c", "d"}, "Labels")
			for m, s := range way.machines { // each is that of Train, on the points of its classes
				isIn := func(i int) bool { return s[0] < 0 || i%5 == s[0] || i%5 == s[1] }
				at := indices(100, isIn)
				ys := mapped(at, func(i int) float64 { return 2*oneIf(i%5 == s[1]) - 1 })
				o := Options{C: 2, Weights: rowsAt(weights, at), Tol: 1e-9}
				alone := must(Train(rowsAt(xs, at), ys, k, o))(t) // rounded otherwise
				agreeAll(t, models[m].DecisionAll(xs), alone.DecisionAll(xs), 1e-7, "f of %v", s)
				atMost(t, models[m].KKT.Violation, 1e-9, "violation of machine %v", s)
			}
			for i, l := range c.PredictAll(xs) {
				f, score := c.Decisions(xs[i]), make(vec, 4)
				for m, s := range way.machines {
					agree(t, f[m], models[m].Decision(xs[i]), 1e-12, "decision of machine %v", s)
					if s[0] < 0 {
						score[s[1]] = f[m]
					} else {
						score[s[int(oneIf(f[m] >= 0))]]++
					}
				}
				want := c.Labels[slices.Index(score, slices.Max(score))]
				equal(t, []string{l, c.Predict(xs[i])}, []string{want, want}, "labels by %v", score)
			}
		}
		// A kernel of zeros: all machines against the rest say −1. At NaN it is NaN.
		nothing := KernelFunc[vec](func(x, z vec) float64 { return 0 * x[0] * z[0] })
		c := must(way.train(xs[:4], []string{"a", "b", "c", "d"}, nothing, Options{}))(t)
		ties := []string{way.tied, way.tied}
		equal(t, c.PredictAll([]vec{{1}, {nan}}), ties, "labels in ties, of NaN")
		err := errorOf(way.train(xs, labels, Linear{}, Options{C: inf}))
		refused(t, err, ErrNotSeparable, way.says, "a hard margin")
		calls, stop := 0, Options{}
		stop.Observe = func(*DualSolution) bool { calls++; return false }
		err = errorOf(way.train(xs, labels, RBF{}, stop))
		refused(t, err, ErrNotConverged, "observer", "ended at once")
		equal(t, calls, 1, "calls of an observer that ends all machines")
	}
}

// partners counts, for every point, the points of other labels in its fold. If all weight is on two
// points of different labels, it is an error if they share a fold: none is left for its machine.
func partners(labels []string, folds int, seed uint64) []int {
	n := len(labels)
	return build(n, func(p int) int {
		return len(indices(n, func(q int) bool {
			o := Options{Weights: make(vec, n)}
			o.Weights[p], o.Weights[q] = 1, 1
			_, err := CrossPredict(make([]vec, n), labels, Linear{}, o, folds, random(seed))
			return labels[p] != labels[q] && errors.Is(err, ErrOneClass)
		}))
	})
}

// A search is a table of independent cross-validations and a choice from it, also if it is stopped.
func testSearch(t *T) {
	xs, _, labels := classClouds(72, 60, 3, 1.5)
	kernels, cs := []Kernel[vec]{RBF{0.01}, RBF{0.3}, Linear{}}, vec{10, 0.1, 1, 0} // 0 means 1
	// Of equals the least C is chosen, then the first kernel.
	best := func(table [][]float64) Choice {
		cells := build(12, func(n int) Choice {
			return Choice{n / 4, cmp.Or(cs[n%4], 1), table[n/4][n%4], table}
		})
		return slices.MinFunc(cells, func(a, b Choice) int {
			return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.C, b.C)) // NaN is least
		})
	}
	cost := func(predicted, labels []string) (sum float64) { // a mistake at an a counts twice
		for i, l := range labels {
			sum -= oneIf(predicted[i] != l) * (1 + oneIf(l == "a"))
		}
		return sum
	}
	weights := build(60, func(i int) float64 { return float64(i%7) / 3 })
	for name, o := range map[string]Options{"plain": {C: nan}, "weights": {Weights: weights},
		"no memory": {CacheBytes: 60*60*8 - 1}, "three workers": {Workers: 3}} {
		got := must(GridSearch(xs, labels, kernels, cs, o, 4, random(5)))(t)
		costs := must(GridSearch(xs, labels, kernels, cs, o, 4, random(5), cost))(t)
		choices := []Choice{best(got.Table), best(costs.Table)}
		equal(t, []Choice{*got, *costs}, choices, "%s: the choices", name)
		for i, a := range slices.Concat(got.Table...) {
			o.C = cs[i%4]
			predicted := must(CrossPredict(xs, labels, kernels[i/4], o, 4, random(5)))(t)
			want := vec{Accuracy(predicted, labels), cost(predicted, labels)}
			equal(t, vec{a, costs.Table[i/4][i%4]}, want, "%s: scores of cell %d", name, i)
		}
	}
	// An observer stops the search at each of its calls: what is known by then is right.
	calls, end, tables := 0, 0, map[string]bool{}
	o := Options{Workers: 1, Observe: func(*DualSolution) bool { calls++; return calls != end }}
	all := must(GridSearch(xs[:30], labels[:30], kernels, cs, o, 2, nil))(t)
	for last := calls; end < last-1; {
		end, calls = end+1, 0
		got, err := GridSearch(xs[:30], labels[:30], kernels, cs, o, 2, nil)
		refused(t, err, ErrNotConverged, "", "ended by call %d", end)
		equal(t, calls, end, "number of calls")
		if got != nil {
			equal(t, fmt.Sprint(*got), fmt.Sprint(best(got.Table)), "the choice")
			tables[fmt.Sprint(got.Table)] = true
			for i, a := range slices.Concat(got.Table...) {
				check(t, math.IsNaN(a) || a == all.Table[i/4][i%4], "cell %d is %v", i, a)
			}
		}
	}
	enough(t, len(tables), 7, "another table")
	rare := append(slices.Repeat([]string{"a"}, 29), "z") // no machine without the fold of z
	for _, o := range []Options{{}, {CacheBytes: 1}} {
		got := must(GridSearch(xs[:30], rare, kernels, cs, o, 2, nil))(t)
		equal(t, got.Table[0][0], 29./30, "the score if one class has one point")
	}
}

// MinMax takes each coordinate to [0, 1], Standardize to mean 0, variance 1; constants become 0.
func TestScaler(t *testing.T) {
	for _, r := range []struct {
		fit      func([]vec) (Scaler, error)
		xs, want []vec
	}{
		{MinMax, []vec{{1, 5, 0, 0}, {3, 5, 0x1p-1023, 0x1p-1024}, {2, 5, 0, 0}},
			[]vec{{0, 0, 0, 0}, {1, 0, 1, 0}, {0.5, 0, 0, 0}}},
		{Standardize, []vec{{1}, {1}, {1}, {1}, {-4}}, []vec{{.5}, {.5}, {.5}, {.5}, {-2}}},
		{Standardize, []vec{{.1, 1e8, 1e-300, 1e-161, 1e160}, {.1, 1e8 + 2, 3e-300, 3e-161, 3e160}},
			[]vec{{0, -1, -1, -1, -1}, {0, 1, 1, 1, 1}}},
	} {
		for i, x := range must(r.fit(r.xs))(t).Apply(r.xs) {
			agreeAll(t, x, r.want[i], 1e-15, "point %d of %v", i, r.xs)
		}
	}
}

// # Quadratic programs: one judge of all answers
//
// The judge looks at the data of a program and at the answer, at nothing else. A solution has to
// satisfy B5, every other verdict needs its proof (C5). So no second solver is needed.

// A qpCase is a program, and what is known of its answer.
type qpCase struct {
	name string
	q    QP
	want error   // nil: a solution; or ErrInfeasible, …; or errAny
	x    vec     // the solution, if it is known, up to 1e-8
	tol  float64 // QPOptions.Tol; 0 means 1e-9
	wild bool    // numbers of any size: what rounding leaves in a certificate has no limit
}

// errAny stands for any verdict that has a proof.
var errAny = errors.New("a verdict with a proof")

// qpSides returns G and h of all constraints Gx ≤ h of q on n unknowns, or Gx = h for those in Eq.
// They are in the order Ineq, Eq, Lower, Upper; an absent bound has h = ∞.
func qpSides(q QP, n int) (g *Matrix, h vec) {
	none, eye := NewMatrix(0, n), diagonalOf(repeated(n, 1)...).Data
	a, eq, lo := cmp.Or(q.A, none), cmp.Or(q.Aeq, none), slices.Concat(q.Lo, repeated(n, -inf))[:n]
	hi := slices.Concat(q.Hi, repeated(n, inf))[:n]
	rows := slices.Concat(a.Data, eq.Data, multipleOf(-1, eye), eye)
	h = slices.Concat(q.B, q.Beq, multipleOf(-1, lo), hi)
	return &Matrix{len(h), n, rows}, h
}

// isEquation reports whether constraint i is an equation, and isBound whether it is a bound.
func isEquation(q QP, i int) bool { return i >= len(q.B) && !isBound(q, i) }
func isBound(q QP, i int) bool    { return i >= len(q.B)+len(q.Beq) }

// qpExcess returns by how much x breaks each constraint.
func qpExcess(q QP, x vec) vec {
	g, h := qpSides(q, len(x))
	return build(len(h), func(i int) float64 {
		excess := Dot(g.Row(i), x) - h[i]
		if isEquation(q, i) {
			return math.Abs(excess)
		}
		return excess
	})
}

// judge solves the program, judges the answer, and returns it, with the sentinel of its error.
func (c qpCase) judge(t testing.TB) (*QPSolution, error) {
	s, err := SolveQP(c.q, QPOptions{Tol: c.tol})
	c.tol = cmp.Or(c.tol, 1e-9)
	var proof *InfeasibleError
	var falls *UnboundedError
	var bent *NotConvexError
	switch {
	case err == nil:
		c.judgeSolution(t, s, c.tol)
		return s, nil
	case errors.As(err, &proof):
		z := slices.Concat(proof.Ineq, proof.Eq, proof.Lower, proof.Upper)
		agree(t, largestOf(z), 1, 0, "%s: the largest multiplier of the proof", c.name)
		c.judgeProof(t, z, len(proof.Lower))
	case errors.As(err, &falls):
		c.judgeRay(t, falls.Point, falls.Ray)
		agree(t, largestOf(falls.Ray), 1, 0, "%s: the largest entry of the ray", c.name)
	case errors.As(err, &bent):
		d := bent.Direction
		curvature := Dot(d, imageUnder(c.q.Q, d))
		check(t, curvature < 0 && largestOf(d) == 1, "%s: dᵀQd = %v for %v", c.name, curvature, d)
		agree(t, bent.Curvature/curvature, 1, 1e-9, "%s: Curvature over dᵀQd", c.name)
	case errors.Is(err, ErrNotFinite):
		check(t, s == nil, "%s: a solution with the error %v", c.name, err)
	default:
		c.judgeSolution(t, s, math.Inf(1))
		worst := max(s.PrimalResidual, s.DualResidual, s.Gap, s.Objective-s.Objective) // ∞ − ∞: NaN
		check(t, !(worst <= c.tol), "%s: not converged, but only %v is missing", c.name, worst)
	}
	for _, is := range []error{ErrInfeasible, ErrUnbounded, ErrNotConvex, ErrNotConverged,
		ErrNotFinite} {
		if errors.Is(err, is) {
			refused(t, err, is, is.Error(), "%s", c.name)
			return s, is
		}
	}
	return s, err
}

// sides returns G and h, with h = 0 where z = 0, as 0·∞ is 0 here. It checks that z has its sign.
func (c qpCase) sides(t testing.TB, z vec, n int) (g *Matrix, h vec) {
	g, h = qpSides(c.q, n)
	for i, v := range z {
		check(t, v >= 0 || isEquation(c.q, i), "%s: multiplier %d is %v", c.name, i, v)
		if v == 0 {
			h[i] = 0
		}
	}
	return g, h
}

// judgeSolution checks B5 up to tol, and the report up to the rounding of its sums.
func (c qpCase) judgeSolution(t testing.TB, s *QPSolution, tol float64) {
	n, z := len(s.X), slices.Concat(s.Ineq, s.Eq, s.Lower, s.Upper)
	g, h := c.sides(t, z, n)
	bent, price := cmp.Or(c.q.Q, NewMatrix(n, n)), slices.Concat(c.q.C, make(vec, n))[:n]
	// Sums of products or, with of = |·|, of their sizes, a share of which is rounding.
	sums := func(of func(v float64) float64) (gx, gradient vec, f, dual float64) {
		image := func(m *Matrix, x vec) vec {
			return imageUnder(&Matrix{m.Rows, m.Cols, mapped(m.Data, of)}, x)
		}
		x, z, c := mapped(s.X, of), mapped(z, of), mapped(price, of)
		qx := image(bent, x)
		gradient = combination(combination(c, 1, qx), 1, image(g.T(), z)) // of the Lagrangian
		half := Dot(x, qx) / 2
		return image(g, x), gradient, Dot(c, x) + half, -Dot(mapped(h, of), z) - half
	}
	_, gradient, f, dual := sums(func(v float64) float64 { return v })
	gx, sizes, fSize, dualSize := sums(math.Abs)

	excess := qpExcess(c.q, s.X)
	for i, e := range excess {
		check(t, e <= 0 || !isBound(c.q, i), "%s: beyond bound %d", c.name, i)
	}
	reported := vec{s.PrimalResidual, s.DualResidual, s.Gap, s.Objective, s.DualObjective}
	values := vec{slices.Max(append(excess, 0)), largestOf(gradient), math.Abs(f - dual), f, dual}
	sides := vec{largestOf(gx), largestOf(sizes), fSize - dualSize, fSize, -dualSize}
	for i, size := range sides {
		off := float64(n+len(z)+10) * 0x1p-52 * size
		check(t, !(math.Abs(reported[i]-values[i]) > off) && !(i < 3 && values[i] > tol+off),
			"%s: residuals, gap, values %v, want %v up to %v", c.name, reported, values, tol)
	}
}

// judgeProof checks z ≥ 0 for inequalities, Gᵀz = 0 and hᵀz < 0: then 0 = zᵀGx ≤ hᵀz < 0 for no x.
func (c qpCase) judgeProof(t testing.TB, z vec, n int) {
	g, h := c.sides(t, z, n)
	if i := slices.Index(h, -inf); i >= 0 && z[i] == 1 {
		return // no number is −∞ or less
	}
	v, gz := Dot(h, z), imageUnder(g.T(), z)
	check(t, v < 0, "%s: hᵀz = %v, want < 0", c.name, v)
	// A greater Gᵀz refutes no x of size 10⁹.
	check(t, c.wild || !(largestOf(gz) > -1e-9*v), "%s: Gᵀz = %v, hᵀz = %v", c.name, gz, v)
}

// judgeRay checks that x is feasible, and that f falls along d forever.
func (c qpCase) judgeRay(t testing.TB, x, d vec) {
	check(t, Dot(c.q.C, d) < 0, "%s: cᵀd = %v, want < 0", c.name, Dot(c.q.C, d))
	q, none := c.q, NewMatrix(0, len(d))
	eq, bent := cmp.Or(q.Aeq, none), cmp.Or(q.Q, none)
	q.Aeq = &Matrix{eq.Rows + bent.Rows, len(d), slices.Concat(eq.Data, bent.Data)} // Qd = 0
	q.Beq = slices.Concat(q.Beq, imageUnder(bent, x))
	g, h := qpSides(q, len(d))
	for i, e := range qpExcess(q, x) {
		if math.IsInf(h[i], 1) || c.wild && !isBound(q, i) {
			continue
		}
		slope, size := Dot(g.Row(i), d), largestOf(d)*largestOf(g.Row(i))
		slope = max(slope, -slope*oneIf(isEquation(q, i)))
		atMost(t, e, c.tol*max(1, largestOf(x)), "%s: excess %d", c.name, i)
		// Rounding is in units near 1. A bound is kept without rounding.
		atMost(t, slope, 1e-8*size*oneIf(!isBound(q, i)), "%s: slope %d along %v", c.name, i, d)
	}
}

// # Programs × verdicts

// A qpKind is a kind of random programs, each with a solution that is chosen first.
type qpKind struct {
	name              string
	steps             int     // the most Iterations in all, for any rounding of products
	n, ineq, eq, rank int     // unknowns, rows of A and Aeq, rank of Q
	lost              bool    // small integers; often c or the sides are drawn anew
	price, far        float64 // sizes of multipliers; of x, and 10⁻⁶ times inactive bounds
	units, off, none  float64 // units up to 2^±units; error of the last equation's side; no bound
	shape             float64 // how near each row is to a multiple of the row above, if it is not 0
	tol               float64
	want              error
}

// build draws a program: x, the constraints that are active there, their multipliers, some of them
// 0, and Q; and then the c that makes x stationary.
func (k qpKind) build(rng *rand.Rand) qpCase {
	number := rng.NormFloat64
	if k.lost {
		number = func() float64 { return float64(rng.IntN(3) * (rng.IntN(3) - 1)) }
	}
	n, price, far := k.n, max(1, k.price), max(1, k.far)
	unit := build(n, func(int) float64 {
		return math.Exp2(math.Round(k.units * (1 - 2*rng.Float64())))
	})
	numbers := func(n int) vec { return build(n, func(int) float64 { return number() }) }
	fill := func(rows int) *Matrix {
		return matrixOf(rows, n, func(_, j int) float64 { return number() * unit[j] })
	}
	root, x := fill(k.rank), build(n, func(j int) float64 { return far * number() / unit[j] })
	q := QP{Q: root.T().Mul(root), A: fill(k.ineq), Aeq: fill(k.eq)}
	q.Lo, q.Hi = make(vec, n), make(vec, n)
	for _, m := range []*Matrix{q.A, q.Aeq} {
		for i := n; i < len(m.Data) && k.shape != 0; i++ {
			m.Data[i] = k.shape*m.Data[i] - m.Data[i-n]/3
		}
	}
	q.B, q.Beq = imageUnder(q.A, x), imageUnder(q.Aeq, x)
	ineq := build(k.ineq, func(int) float64 { return price * max(0, number()) })
	eq, bound := multipleOf(price, numbers(k.eq)), make(vec, n)
	for i, z := range ineq {
		if z == 0 {
			q.B[i] += max(0, number())
		}
	}
	for j := range x {
		room, z := max(1, 1e6*k.far)*math.Abs(number())/unit[j], price*max(0, number())
		none := cmp.Or(k.none, inf)
		side := [][3]float64{ // from x to its bounds, and their multiplier
			{0, 0, z}, {0, room, -z}, {-none, 0, z}, {-room, room, 0}, {-none, none, 0},
		}[rng.IntN(5)]
		q.Lo[j], q.Hi[j], bound[j] = x[j]+side[0], x[j]+side[1], side[2]
	}
	gradient := imageUnder(q.Q, x) // of the Lagrangian, without c
	for j := range gradient {
		gradient[j] += bound[j] + Dot(q.A.T().Row(j), ineq) + Dot(q.Aeq.T().Row(j), eq)
	}
	if q.C = multipleOf(-1, gradient); k.lost && rng.IntN(2) == 0 {
		q.C = fill(1).Data
	}
	if k.lost && rng.IntN(2) == 0 {
		q.B, q.Beq = numbers(k.ineq), numbers(k.eq)
	}
	if k.off != 0 {
		q.Beq[k.eq-1] += k.off
	}
	return qpCase{q: q, want: k.want, tol: k.tol}
}

var qpKinds = []qpKind{
	{name: "flat directions", steps: 25, n: 12, ineq: 10, eq: 2, rank: 6},
	{name: "linear", steps: 480, n: 15, ineq: 10, eq: 2, none: 1e20},
	{name: "many rows", steps: 138, n: 8, ineq: 200, rank: 2},
	{name: "no freedom", steps: 1, n: 6, ineq: 3, eq: 6, rank: 3},
	{name: "large multipliers", steps: 26, n: 10, ineq: 10, eq: 2, rank: 3, price: 1e5, tol: 1e-6},
	{name: "own units", steps: 3, n: 8, ineq: 5, eq: 2, rank: 4, units: 12, tol: 1e-6},
	{name: "remote bounds", steps: 65, n: 12, ineq: 20, rank: 12, far: 1},
	{name: "far out", steps: 1, n: 30, ineq: 15, rank: 15, far: 1e3, tol: 1e-5},
	{name: "nearly parallel rows", steps: 3, n: 6, ineq: 3, eq: 2, rank: 2, shape: 1e-4, tol: 1e-8},
	{name: "few curvatures", steps: 415, n: 30, ineq: 20, eq: 5, rank: 3, units: 10, tol: 1e-6},
	{name: "contradiction", n: 12, eq: 6, rank: 6, shape: 1e-99, off: 1e-7, want: ErrInfeasible},
	{name: "small contradiction", steps: 264, n: 10, eq: 6, shape: 1e-99, off: 1e-8, tol: 1e-3,
		want: errAny},
	{name: "integers", steps: 1, n: 5, ineq: 4, eq: 1, rank: 2, lost: true, want: errAny},
	{name: "rank one", steps: 1, n: 2, rank: 1, lost: true, want: errAny},
	{name: "integers in units", steps: 1, n: 4, ineq: 3, eq: 1, rank: 2, lost: true, units: 10,
		tol: 1e-6, want: errAny},
}

// qpSingles returns programs with one solution or verdict each.
func qpSingles() []qpCase {
	zero, none, eye := vec{0, 0}, NewMatrix(1, 2), diagonalOf(1, 1)
	list := []qpCase{ // the ends of the range
		{q: QP{Q: eye, C: vec{0x5p50, -0x5p50}}, x: vec{-0x5p50, 0x5p50}},
		{q: QP{Q: diagonalOf(0x1p900), C: vec{0x1p900}}, x: vec{-1}},
		{q: QP{Q: diagonalOf(0x1p-900), C: vec{0x1p-900}, Hi: vec{-1}}, x: vec{-1}},
		{q: QP{C: vec{-1}, A: matrix(vec{0x1p-36}), B: vec{1}, Lo: vec{0}}, x: vec{0x1p36}},
		{q: QP{Q: diagonalOf(-0x1p-1074)}, want: ErrNotConvex},
		{q: QP{Q: diagonalOf(40), C: vec{-5e294}}, want: ErrNotConverged}, // f overflows
		{q: QP{C: vec{1, -1}, Lo: vec{1, 1}, Hi: vec{1e9, 1e9}}, x: vec{1, 1e9}},
		{q: QP{Q: eye, C: vec{-1, 2}, Lo: zero, Hi: vec{math.MaxFloat64, 1e9}}, x: vec{1, 0}},
		{q: QP{A: none, B: vec{-1e-12}, Lo: zero}},
		{q: QP{Q: diagonalOf(0.7, 0), C: vec{0.1, -1}, Lo: vec{-inf, -1e6}, Hi: vec{-1e6, 0}},
			want: ErrNotConverged}, // rounding is too large: no ray may be made of it
	}
	for _, q := range []QP{
		{Lo: vec{inf}, Hi: vec{inf}}, {Lo: vec{-inf}, Hi: vec{-inf}},
		{A: matrix(vec{1}), B: vec{-inf}}, {A: matrix(vec{1}), B: vec{1}, Lo: vec{2}, Hi: vec{2}},
		{A: matrix(vec{1e6}, vec{-1e-3}), B: vec{1, -1}}, {Lo: vec{1, -1, -2}, Hi: vec{0, 3, 3}},
		{A: matrix(vec{-1}, vec{-1}, vec{-2}, vec{0}), B: vec{-2.000001, -2, -2, -2}},
		{Aeq: none, Beq: vec{2}}, {Aeq: none, Beq: vec{-2}}, {A: none, B: vec{-1e-6}},
	} {
		list = append(list, qpCase{q: q, want: ErrInfeasible})
	}
	for e := range 12 { // convex, or nearly
		u := math.Exp2(float64(3 * e))
		gram := func(c float64) *Matrix { return matrix(vec{u * u, 3 * u}, vec{3 * u, c}) }
		for i, m := range []*Matrix{gram(8), matrix(vec{0, u}, vec{u, 0}), gram(9)} {
			want := []error{ErrNotConvex, ErrNotConvex, nil}[i]
			list = append(list, qpCase{q: QP{Q: m, Lo: vec{-1, -1}, Hi: vec{1, 1}}, want: want})
		}
	}
	return list
}

// longHorizon steers xₜ₊₁ = 1.1 xₜ + uₜ, |u| ≤ 1, from 9.9: the multipliers grow as 1.1ᵗ.
func longHorizon(steps int) qpCase {
	some := func(u, x float64) vec { return slices.Repeat(vec{u, x}, steps) }
	q := QP{Q: diagonalOf(some(0.01, 1)...), Lo: some(-1, -inf), Hi: some(1, inf),
		Beq: append(vec{1.1 * 9.9}, make(vec, steps-1)...)}
	q.Aeq = matrixOf(steps, 2*steps, func(k, j int) float64 {
		return map[int]float64{2 * k: -1, 2*k + 1: 1, 2*k - 1: -1.1}[j]
	})
	return qpCase{q: q, tol: 1e-8}
}

// TestPrograms judges every program, and compares the verdict, and x, with what is known of it.
func TestPrograms(t *testing.T) {
	for _, k := range qpKinds {
		rng := random(4)
		run(t, k.name, "", func(t *T) {
			qpJudgeAll(t, k.steps, build(40, func(int) qpCase { return k.build(rng) }))
		})
	}
	run(t, "one of each", "", func(t *T) { qpJudgeAll(t, 11, qpSingles()) })
	run(t, "horizons", "", func(t *T) { qpJudgeAll(t, 36, mapped([]int{40, 60}, longHorizon)) })
}

// qpJudgeAll judges the cases, some of which need the path if steps ≥ 30, and counts the verdicts.
func qpJudgeAll(t *T, steps int, cases []qpCase) map[error]int {
	count, sum := map[error]int{}, 0
	for i, c := range cases {
		c.name = fmt.Sprintf("program %d", i)
		s, err := c.judge(t)
		count[err]++
		if err != c.want && (c.want != errAny || err == ErrNotConverged) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		} else if err == nil {
			sum += s.Iterations
			if c.x != nil {
				agreeAll(t, s.X, c.x, 1e-8, "%s: x", c.name)
			}
		}
	}
	check(t, sum <= steps && (sum > 0 || steps < 30), "%d iterations in all, limit %d", sum, steps)
	return count
}

// FuzzSolveQP judges the answer to a program of random numbers: from 10⁻³⁰⁰ to 10³⁰⁰.
func FuzzSolveQP(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		rng := random(seed)
		number := func(int, int) float64 { // a digit and an exponent: products may overflow
			exponent := map[int]int{0: 27, 1: -27, 2: rng.IntN(2048) - 1024}[rng.IntN(16)]
			return math.Ldexp(float64(rng.IntN(16)-8), exponent)
		}
		n, m, e := rng.IntN(6), rng.IntN(5), rng.IntN(4)
		row := func(n int) vec { return matrixOf(1, n, number).Data }
		half, q := matrixOf(n, n, number), QP{C: row(n), A: matrixOf(m, n, number), B: row(m)}
		q.Aeq, q.Beq, q.Lo, q.Hi = matrixOf(e, n, number), row(e), row(n), row(n)
		q.Q = matrixOf(n, n, func(i, j int) float64 { return half.At(min(i, j), max(i, j)) })
		for i := range n { // most programs are convex, and some bounds absent
			q.Q.Set(i, i, 8+math.Abs(q.Q.At(i, i)))
			q.Lo[i], q.Hi[i] = vec{q.Lo[i], -inf}[rng.IntN(2)], vec{q.Hi[i], inf}[rng.IntN(2)]
		}
		qpCase{name: fmt.Sprintf("%+v", q), q: q, tol: 1e-6, wild: true}.judge(t)
	})
}

// How far β is off the box and the sum, and what bounds b. Every sum is exact.
func TestDual(t *testing.T) {
	d, beta := Dual{nil, vec{1, -2, 3}, vec{0, -1, -2}, vec{2, 1, 0}, 1}, vec{1, 0, -2}
	for _, c := range []struct{ beta, want vec }{
		{vec{1, 0, -1}, vec{0, 1, 5, 3}}, {vec{0, -1, -2}, vec{0, 4, 5, inf}},
		{vec{2, 1, 0}, vec{0, 2, -inf, 3}}, {vec{4, 1, -1.5}, vec{2, 2.5, 4, 3}},
		{vec{1, -4, 0}, vec{3, 4, 5, 3}},
	} {
		box, sum := d.Infeasibility(c.beta)
		up, low := d.Bias(c.beta, vec{3, 5, 4})
		equal(t, vec{box, sum, up, low}, c.want, "infeasibility and bias at %v", c.beta)
	}
	xor := Dual{GramOf(Linear{}, xorPoints), xorLabels, repeated(4, -1), repeated(4, 1), 0}
	equal(t, must(xor.QP())(t).Q, GramMatrix(Linear{}, xorPoints), "Q of points")
	throws(t, "svm: Dual: 2 numbers for 3 variables",
		func() { d.Gradient(beta[1:]) }, func() { d.Infeasibility(beta[1:]) },
		func() { d.Bias(beta[1:], beta) }, func() { d.Bias(beta, beta[1:]) })
}

func TestRefusedPrograms(t *testing.T) {
	one, two, ones, none := diagonalOf(1), diagonalOf(1, 1), vec{1, 1}, vec{0, 0}
	solve := func(q QP) error { return errorOf(SolveQP(q, QPOptions{})) }
	dual := func(k Gram, p, lo, hi vec, sum float64) error {
		q, err := Dual{k, p, lo, hi, sum}.QP()
		return cmp.Or(err, solve(q))
	}
	refuses(t, nil, "Tol -1", errorOf(SolveQP(QP{}, QPOptions{Tol: -1})))
	refuses(t, nil, "MaxIter -1", errorOf(SolveQP(QP{}, QPOptions{MaxIter: -1})))
	refuses(t, nil, "is absent or not a matrix of ", solve(QP{Q: matrix(vec{1, 2})}),
		solve(QP{Q: &Matrix{Rows: 1, Cols: 1}}), solve(QP{C: vec{1}, Beq: vec{1}}))
	refuses(t, nil, "Q[0][1] is ", solve(QP{Q: matrix(vec{1e100, 1.1e88}, vec{0, 1e100})}))
	refuses(t, nil, "A is absent", solve(QP{A: &Matrix{Rows: 1}, B: vec{1}}))
	refuses(t, nil, "Hi has 1", solve(QP{Lo: ones, Hi: vec{1}}))
	refuses(t, ErrNotFinite, "Q: entry (0, 0)", solve(QP{Q: matrix(vec{nan})}))
	refuses(t, ErrNotFinite, "B[0]", solve(QP{A: one, B: vec{nan}}))
	refuses(t, ErrNotFinite, "Beq[0]", solve(QP{Aeq: one, Beq: vec{inf}}))
	refuses(t, nil, "K is absent", dual(nil, nil, nil, nil, 0))
	refuses(t, nil, "K is not a square matrix", dual((*Matrix)(nil), nil, nil, nil, 0))
	refuses(t, ErrNotFinite, "P[1]", dual(two, vec{1, inf}, ones, ones, 2))
	refuses(t, ErrNotFinite, "Sum is NaN", dual(two, ones, ones, ones, nan))
	refuses(t, ErrInfeasible, "[2, 1] of point 1", dual(two, ones, vec{0, 2}, ones, 1))
	refuses(t, ErrInfeasible, "point 0", dual(two, ones, vec{inf, 1}, vec{inf, 1}, 1))
	refuses(t, ErrInfeasible, "point 1", dual(two, ones, vec{1, -inf}, vec{1, -inf}, 1))
	refuses(t, ErrInfeasible, ", want one in [0, 2]", dual(two, ones, none, ones, 2.5),
		dual(two, ones, none, ones, -0.5))
	throws(t, "Lo has 1", func() { QP{C: ones, Lo: vec{1}}.Value(ones) })
	throws(t, "1 points and 2", func() { PrimalQP([]vec{{1}}, ones, 1) })
	throws(t, "2×2 Gram matrix", func() { DualQP(two, vec{1}, 1) })
	zeros, tenth := make(vec, 10), repeated(10, 0.1) // ten times 0.1 is 1 up to rounding
	above := dual(NewMatrix(10, 10), zeros, zeros, tenth, 1)
	below := dual(NewMatrix(10, 10), zeros, multipleOf(-1, tenth), zeros, -1)
	nearly := solve(QP{Q: matrix(vec{1e100, 0.9e88}, vec{0, 1e100})})
	equal(t, []error{above, below, nearly}, make([]error, 3), "errors within rounding")
}

// # Duality and quadratic programs: statements of the ledger

// qpSmall draws a program with small integers for data: sums of their products are exact.
func qpSmall(rng *rand.Rand) QP {
	n := 1 + rng.IntN(4)
	return qpKind{n: n, ineq: rng.IntN(4), eq: rng.IntN(2), rank: n, lost: true}.build(rng).q
}

// lagrangianOf returns L(x, z), for multipliers in the order of qpSides.
func lagrangianOf(q QP, x, z vec) float64 {
	a, b, c := len(q.B), len(q.B)+len(q.Beq), len(z)-len(x)
	return q.Lagrangian(x, &QPSolution{Ineq: z[:a], Eq: z[a:b], Lower: z[b:c], Upper: z[c:]})
}

var statements4 = []statement{
	{"B4", "Harmeling, How to get an unconstrained problem", "θ_P(x) = max L(x, ·) over the " +
		"multipliers is f(x) where x is feasible, and +∞ elsewhere.", "exact", func(t *T) {
		rng, feasible := random(4), 0
		for range 300 {
			q := qpSmall(rng)
			x := integers(rng, 1, len(q.C), 1)[0]
			excess, f := qpExcess(q, x), q.Value(x)
			worst, z := max(0, slices.Max(excess)), make(vec, len(excess))
			equal(t, lagrangianOf(q, x, z), f, "L without multipliers")
			if worst == 0 {
				feasible++
				equal(t, q.Theta(x), f, "θ_P at a feasible point")
				some := build(len(z), func(int) float64 { return float64(rng.IntN(3)) })
				atMost(t, lagrangianOf(q, x, some), f, "L at a feasible point")
				continue
			}
			g, h := qpSides(q, len(x))
			at := slices.Index(excess, worst)
			equal(t, q.Theta(x), inf, "θ_P where a constraint fails by %v", worst)
			for _, size := range []float64{1, 0x1p20} { // as far as we like
				z[at] = math.Copysign(size, Dot(g.Row(at), x)-h[at])
				equal(t, lagrangianOf(q, x, z), f+size*worst, "L with one multiplier %v", size)
			}
		}
		enough(t, min(feasible, 300-feasible), 30, "feasible, or not")
		half := QP{C: vec{1}, Hi: vec{2}}
		equal(t, vec{lagrangianOf(half, vec{3}, vec{9, 5}), half.Theta(vec{1})}, vec{8, 1}, "no Lo")
	}},
	{"B9", "Harmeling, The method of Lagrange multiplier", "min ½xᵀQx + cᵀx s.t. Ax = b, Q ≥ 0, " +
		"is one linear system. Smooth f, g: ∇f = λ∇g if ∇g ≠ 0.", "both ways", func(t *T) {
		rng := random(4)
		for i := range 50 {
			n := 1 + i%8
			c := qpKind{n: n, eq: rng.IntN(n + 1), rank: n}.build(rng)
			c.q.Lo, c.q.Hi = nil, nil
			s, err := c.judge(t)
			check(t, err == nil && s.Iterations == 0, "program %d: %v, %+v", i, err, s)
		}
		// min x⁴ + 16y⁴ s.t. xy = 1: f ≥ 8(xy)² = 8, with equality where x² = 4y². Newton's
		// method for ∇f = λ∇g, g = 0 finds a step and λ by such a system, Q = ∇²(f − λg).
		x, y, lambda := 1.5, 1., 0.
		for range 10 {
			q := QP{Q: matrix(vec{12 * x * x, -lambda}, vec{-lambda, 192 * y * y}),
				C: vec{4 * x * x * x, 64 * y * y * y}, Aeq: matrix(vec{y, x}), Beq: vec{1 - x*y}}
			s := must(SolveQP(q, QPOptions{}))(t)
			x, y, lambda = x+s.X[0], y+s.X[1], -s.Eq[0]
		}
		agreeAll(t, vec{x, y, lambda}, vec{math.Sqrt2, math.Sqrt2 / 2, 16}, 1e-8, "x, y, λ")
	}},
	{"B10", "Harmeling, Two options; Solve the primal or the dual?", "Primal (d + n + 1 " +
		"unknowns, 2n constraints) and dual (n unknowns) give the same w = Σαᵢyᵢxᵢ, and the " +
		"primal's multipliers are α and μ = C − α. To store are d + n(d + 2) numbers and n² + n: " +
		"the primal's are fewer if d ≤ n − 2.", "both ways", func(t *T) {
		rng := random(4)
		stored := func(a, b *Matrix) int {
			all := slices.Concat(a.Data, b.Data)
			return len(indices(len(all), func(i int) bool { return all[i] != 0 }))
		}
		for i := range 20 {
			n, d, c := 2+rng.IntN(20), 1+rng.IntN(4), []float64{0.7, inf}[i%2]
			xs, ys := normals(rng, n, d), signs(rng, n)
			for i, x := range xs { // separable
				x[0] = ys[i] * (0.1 + math.Abs(x[0]))
			}
			pq, dq := PrimalQP(xs, ys, c), DualQP(GramMatrix(Kernel[vec](Linear{}), xs), ys, c)
			slack := n * int(oneIf(c < inf)) // there is none with the hard margin
			numbers := []int{stored(pq.Q, pq.A), stored(dq.Q, dq.Aeq)}
			equal(t, numbers, []int{d + n*(d+1) + slack, n*n + n}, "numbers of primal and dual")
			equal(t, numbers[0]+n-slack < numbers[1], d <= n-2, "the primal is smaller")
			primal, dual := must(SolveQP(pq, QPOptions{}))(t), must(SolveQP(dq, QPOptions{}))(t)
			w := weightedSum(xs, byEntry(dual.X, ys))
			agreeAll(t, primal.X[:d], w, 1e-4, "w") // a gap of 1e-9 bounds ½‖w − w*‖²
			agree(t, primal.Objective, -dual.Objective, 1e-8, "C = %v: objective", c)
			agree(t, dq.Value(primal.Ineq), dual.Objective, 1e-8, "C = %v: at its α", c)
			for i, mu := range primal.Lower[d+1:] {
				agree(t, mu, c-primal.Ineq[i], 1e-8, "C = %v: μ", c)
			}
		}
	}},
	{"B11", "Harmeling, Definition 11.1", "A convex f lies below its chords, and the set above " +
		"it is convex; Σwᵢf(xᵢ) ≥ f(Σwᵢxᵢ) if w ≥ 0, Σwᵢ = 1 (Jensen); a local minimum is " +
		"global: f falls at once towards any lower point.", "exact", func(t *T) {
		rng, w := random(4), vec{0.125, 0.25, 0.125, 0.5}
		for range 200 {
			q := qpSmall(rng)
			xs := mapped(integers(rng, 4, len(q.C), 4), scaled(8)) // means are integers
			mean, d := weightedSum(xs, w), minus(xs[1], xs[0])
			atMost(t, q.Value(mean), Dot(w, mapped(xs, q.Value)), "f at the mean")
			chord := (q.Value(xs[0])+q.Value(xs[1]))/2 - q.Value(combination(xs[0], 0.5, d))
			equal(t, chord, quadraticForm(q.Q, d)/8, "how far f is below the chord")
			atMost(t, Dot(q.Gradient(xs[0]), d), q.Value(xs[1])-q.Value(xs[0]), "slope to x₁")
		}
		q := QP{Q: diagonalOf(1, -1)} // not convex: −½x₁² is above its chords
		equal(t, q.Value(vec{0, 2})/2+q.Value(vec{0, -2})/2-q.Value(vec{0, 0}), -2, "bent")
	}},
	{"C1", "Harmeling, Implementing SVMs (separable case), (1)", "SolveQP solves min ½xᵀQx + cᵀx " +
		"s.t. Ax ≤ b, A_eq x = b_eq, lo ≤ x ≤ hi, any part absent, with all multipliers.",
		"certificate", func(t *T) {
			enough(t, verdicts(t)[nil], 100, "a solution")
		}},
	{"C2", "Harmeling, Implementing SVMs (separable case), (2), (3)", "Dual: Q = diag(y) K " +
		"diag(y), c = −1, A_eq = yᵀ, b_eq = 0, lo = 0, hi = ∞ or C (soft).", "exact", func(t *T) {
		for _, c := range []float64{0.1, inf} {
			got := DualQP(matrix(vec{1, 2, 3}, vec{2, 4, 5}, vec{3, 5, 6}), vec{1, -1, -1}, c)
			want := QP{Q: matrix(vec{1, -2, -3}, vec{-2, 4, 5}, vec{-3, 5, 6}),
				C: vec{-1, -1, -1}, Aeq: matrix(vec{1, -1, -1}), Beq: vec{0},
				Lo: vec{0, 0, 0}, Hi: vec{c, c, c}}
			equal(t, got, want, "DualQP with C = %v", c)
		}
	}},
	{"C3", "Harmeling, Implementing SVMs - summary; Part 2", "Primal in (w, b, ξ): " +
		"f = ½‖w‖² + C Σξᵢ, −yᵢ(w·xᵢ + b) − ξᵢ ≤ −1, ξ ≥ 0; hard: no ξ.", "exact", func(t *T) {
		xs, ys := []vec{{1, 2}, {3, 4}}, vec{1, -1}
		hard := QP{Q: diagonalOf(1, 1, 0), C: make(vec, 3), Lo: repeated(3, -inf),
			A: matrix(vec{-1, -2, -1}, vec{3, 4, 1}), B: vec{-1, -1}}
		soft := QP{Q: diagonalOf(1, 1, 0, 0, 0), C: vec{0, 0, 0, 0.5, 0.5},
			A: matrix(vec{-1, -2, -1, -1, 0}, vec{3, 4, 1, 0, -1}), B: vec{-1, -1},
			Lo: vec{-inf, -inf, -inf, 0, 0}}
		equal(t, PrimalQP(xs, ys, inf), hard, "the hard primal")
		equal(t, PrimalQP(xs, ys, 0.5), soft, "the soft primal")
	}},
	{"C4", "Harmeling, Implementing QPs (2)", "An interior-point method needs f, ∇f = Qx + c, " +
		"the constraints' Jacobian [A; A_eq], and the Hessian Q.", "differences", func(t *T) {
		rng := random(4)
		for range 100 { // central differences are exact for parabolas
			q := qpSmall(rng)
			x, m := integers(rng, 1, len(q.C), 4)[0], len(q.B)+len(q.Beq)
			equal(t, q.Value(x), quadraticForm(q.Q, x)/2+Dot(q.C, x), "f")
			jacobian := Matrix{m, len(x), slices.Concat(q.A.Data, q.Aeq.Data)}
			z := append(integers(rng, 1, m, 3)[0], make(vec, 2*len(x))...) // 0 for bounds
			at := build(len(x), func(j int) *float64 { return &x[j] })
			equal(t, q.Gradient(x), slopes(func() float64 { return q.Value(x) }, at...), "∇f")
			want := slopes(func() float64 { return lagrangianOf(q, x, z) }, at...)
			withZ := combination(q.Gradient(x), 1, imageUnder(jacobian.T(), z[:m]))
			equal(t, withZ, want, "∇f + [A; A_eq]ᵀz, and ∇L")
			for i := range x {
				want := slopes(func() float64 { return q.Gradient(x)[i] }, at...)
				equal(t, q.Q.Row(i), want, "row %d of the Hessian", i)
			}
		}
	}},
	{"C5", "beyond", "A program is solvable, infeasible, unbounded or not convex; a certificate " +
		"proves which.", "certificate", func(t *T) {
		count := verdicts(t)
		for _, v := range []error{nil, ErrInfeasible, ErrUnbounded, ErrNotConvex} {
			enough(t, count[v], 10, fmt.Sprint(v))
		}
	}},
}

// verdicts counts the verdicts on programs of small integers, any parts of which are absent.
func verdicts(t *T) map[error]int {
	rng := random(4)
	return qpJudgeAll(t, 20, build(640, func(i int) qpCase {
		c := qpKind{n: 1 + i%4, ineq: 1 + i%2, eq: i % 2, rank: i % 3, lost: true}.build(rng)
		if i%10 == 0 {
			c.q.Q.Set(0, 0, -1)
		}
		q, without := &c.q, rng.IntN(64)
		for part, drop := range []func(){func() { q.Q = nil }, func() { q.C = nil },
			func() { q.A, q.B = nil, nil }, func() { q.Aeq, q.Beq = nil, nil },
			func() { q.Lo = nil }, func() { q.Hi = nil }} {
			if without>>part&1 > 0 {
				drop()
			}
		}
		c.want = errAny
		return c
	}))
}

// # Kernels × identities

const kernelEps = 0x1p-52 // the relative size of a rounding error

// onGrid calls f at all points of {from, …, to}ⁿ. Two polynomials of degree at most p in each of
// n variables that agree on a grid of p+1 values per variable are equal. For fix all variables but
// one: the difference is a polynomial of degree p with p+1 zeros, so it is 0, and its coefficients
// are polynomials in the other variables that vanish on their grid. Sums of products of small
// integers are exact, so equality on such a grid is a proof for all real numbers.
func onGrid(n, from, to int, f func(v vec)) {
	v, values := make(vec, n), to-from+1
	for point := range int(math.Pow(float64(values), float64(n))) {
		for i := range v { // the digits of the point's number
			v[i] = float64(from + point%values)
			point /= values
		}
		f(v)
	}
}

// proveMap proves φ(x)·φ(z) = k(x, z) for all x and z of d coordinates, if each φⱼ(x)φⱼ(z) is an
// integer times powers of degree at most p. Its rounding error is removed by rounding to integers.
func proveMap(t *T, k Kernel[vec], phi func(x vec) vec, d, p int) {
	onGrid(2*d, -1, p-1, func(v vec) {
		x, z := v[:d], v[d:]
		px, pz, sum := phi(x), phi(z), 0.0
		for j := range px {
			whole := math.Round(px[j] * pz[j])
			agree(t, px[j]*pz[j], whole, 8*kernelEps, "coordinate %d of φ(%v)φ(%v)", j, x, z)
			sum += whole
		}
		equal(t, sum, k.Eval(x, z), "φ(x)·φ(z) at x = %v, z = %v", x, z)
	})
}

// A kernelRow is a kernel of vectors, and what its values are: a formula, or φ(x)·φ(z).
type kernelRow struct {
	name string
	k    Kernel[vec]
	want func(x, z vec) float64
}

// innerOf returns φ(x)·φ(z).
func innerOf(phi func(x vec) vec) func(x, z vec) float64 {
	return func(x, z vec) float64 { return Dot(phi(x), phi(z)) }
}

func gaussian(gamma float64) func(x, z vec) float64 {
	return func(x, z vec) float64 { return math.Exp(-gamma * squareNorm(minus(x, z))) }
}

// areKernels checks the values of kernels at all pairs of 13 points, their distances (D12), and
// that their Gram matrices are symmetric and have no eigenvalue below 0.
func areKernels(t *T, rows ...kernelRow) {
	rng := random(1)
	points := slices.Concat(normals(rng, 7, 5), integers(rng, 4, 5, 2), []vec{{1, 0, 0, 2, 0}})
	points = append(points, points[0])
	for _, r := range rows {
		for _, x := range points {
			for _, z := range points {
				k, xx, zz := r.want(x, z), r.want(x, x), r.want(z, z)
				f, d := Func[vec]{r.k, []vec{z, x}, vec{0, 1}}, Distance(r.k, x, z)
				got := vec{r.k.Eval(x, z), r.k.Eval(z, x), f.Eval(z), d * d}
				// Both sides are sums of a hundred products or so, bounded by xx and zz.
				off := largestOf(minus(got, vec{k, k, k, xx + zz - 2*k}))
				what := "%s at %v, %v: k, turned round, k(x, ·) at z, distance²: %v, off by"
				atMost(t, off, 200*kernelEps*(1+xx+zz), what, r.name, x, z, got)
			}
		}
		gram := GramMatrix(r.k, points)
		rounding := 64 * kernelEps * (1 + math.Sqrt(squareNorm(gram.Data)))
		equal(t, gram.T(), gram, "%s: Kᵀ", r.name)
		least, z := CheckPSD(gram)
		atMost(t, -least, rounding, "%s: minus λ₁", r.name)
		agree(t, quadraticForm(gram, z), least, rounding, "%s: zᵀKz", r.name)
		agree(t, squareNorm(z), 1, 64*kernelEps, "%s: ‖z‖²", r.name)
	}
}

// Single values that are known.
func TestFacts(t *testing.T) {
	tiny, x, zero := kernelEps, vec{1, 2}, vec{0, 0}
	cosine, normed := Cosine{}, Normalize[vec](Linear{})
	small, big := multipleOf(1.1e-150, x), multipleOf(0.9e150, x) // ‖x‖²‖z‖² under- or overflows
	least, huge := vec{1e-161, 1e-161}, vec{1e154, 1e154}         // ‖x‖² itself does
	lambda1 := func(rows ...vec) float64 { value, _ := CheckPSD(matrix(rows...)); return value }
	taylor := func(gamma float64, degree int, x ...float64) float64 {
		return squareNorm(RBF{gamma}.FeatureMap(len(x), degree)(x))
	}
	sum := Func[vec]{Linear{}, []vec{x, x, x}, vec{1e20, 1, -1e20}}
	near := Precomputed{matrix(vec{1, 1 + tiny}, vec{1 + tiny, 1})} // rounding made k(x, z) large
	w := must(Ridge([]vec{{1e-20, 1}, {1e-20, 1.001}}, vec{0, 1e-3}, 0))(t)
	for _, f := range []struct {
		name      string
		want, tol float64 // of each value
		got       vec
	}{
		{"‖x − z‖² < 0 by rounding", 1, 0, vec{RBF{2}.Of(1.0000001, 1, 1)}},
		{"far out", math.Exp(-0.5), tiny, vec{RBF{0.5}.Eval(vec{1e8, -1e8}, vec{1e8 + 1, -1e8})}},
		{"φ far out", 0, 0, vec{taylor(1, 3, 1e100, -1e100)}},
		// 2γ‖x‖² is 81. The rest is e^−81 81¹⁷¹/171! < 10⁻¹⁷, and exponents of 81 are rounded.
		{"degree 170", 1, 1e3 * tiny, vec{taylor(0.5, 170, 9), taylor(5e5, 170, 9e-3)}},
		{"(2γR²)ᵖ⁺¹/(p+1)!", 36, 1e-13, vec{RBF{3}.TruncationBound(2, 1, 1, 1)}},
		{"xx + zz = ∞", 36, 1e-10, vec{RBF{3e-308}.TruncationBound(2, 1e308, 1e308, 1e308)}},
		{"parallel vectors", 1, 4 * tiny, vec{cosine.Eval(small, small), cosine.Eval(big, big)}},
		{"cosine 1", 1, 0, vec{cosine.Of(1+tiny, 1, 1), cosine.Of(1.5, 1, 1),
			-cosine.Of(-1.5, 1, 1), cosine.Eval(vec{0x1p-511}, vec{0x1p-511})}},
		{"cosine of 0 or nearly", 0, 0, vec{cosine.Eval(zero, x), cosine.Eval(x, zero),
			cosine.Eval(least, x), normed.Eval(x, least)}},
		{"less than 0 by rounding", 0, 0, vec{Distance(near, 0, 1),
			Func[int]{near, []int{0, 1}, vec{1, -1}}.Norm()}},
		{"NaN for no cosine", 1, 0, mapped(vec{cosine.Eval(huge, huge), cosine.Of(1, -1, 1)},
			func(v float64) float64 { return oneIf(math.IsNaN(v)) })},
		{"1/(d·variance)", 0.25, 0, vec{ScaleGamma([]vec{{0, 2}, {2, 4}})}},
		{"no variance", 1, 0, vec{ScaleGamma(nil), ScaleGamma([]vec{{0.1}, {0.1}, {0.1}}),
			ScaleGamma([]vec{{1e200}, {-1e200}}), ScaleGamma([]vec{{1e-160}, {-1e-160}})}},
		{"λ₁", -3, 0, vec{lambda1(vec{-3}), lambda1(vec{-3, 1}, vec{-1, 2})}}, // of (K + Kᵀ)/2
		{"terms that cancel", 5, 0, vec{sum.Eval(x)}},
		{"unlike units, almost parallel", 1, 1e-8, vec{-1e-20 * w[0], w[1]}},
		{"nothing", 0, 0, vec{lambda1(), Func[vec]{}.Eval(x), Dot(must(Ridge(nil, nil, 1))(t),
			must(LeastSquares(nil, nil, 1, 3))(t)),
			must(KernelRidge(nil, nil, RBF{}, 1))(t).Eval(x)}},
	} {
		agreeAll(t, f.got, repeated(len(f.got), f.want), f.tol, "%s: values", f.name)
	}
	values := func(k DotKernel) []any { // of kernels whose parameters are zeros
		lines, _ := kernelLines(denseOf(k))
		return []any{k.Of(1, 2, 3), denseOf(k).Eval(x, vec{0.5, 1}), lines, fmt.Sprint(k)}
	}
	for k, full := range map[DotKernel]DotKernel{RBF{}: RBF{1}, Sigmoid{}: Sigmoid{1, 0},
		Polynomial{}: Polynomial{3, 1, 0}} {
		equal(t, values(k), values(full), "values, lines and text of %T{}", k)
	}
	equal(t, RBF{}.FeatureMap(2, 3)(x), RBF{1}.FeatureMap(2, 3)(x), "the features of RBF{}")
	equal(t, Polynomial{}.FeatureMap(2)(x), Polynomial{3, 1, 0}.FeatureMap(2)(x), "of Polynomial{}")
	equal(t, RBF{}.TruncationBound(2, 1, 1, 1), RBF{1}.TruncationBound(2, 1, 1, 1), "the bound")
}

// Fits that fail for one reason alone; what all functions refuse is in TestRefusals.
func TestRefusedFits(t *testing.T) {
	gram := func(rows ...vec) error { return errorOf(GramFeatures(matrix(rows...))) }
	fit := func(lambda float64, ts vec, xs ...vec) error { return errorOf(Ridge(xs, ts, lambda)) }
	dual := func(lambda float64, ts vec, xs ...vec) error {
		return errorOf(KernelRidge(xs, ts, Linear{}, lambda))
	}
	project := func(k Kernel[vec], a float64) error {
		return errorOf(Func[vec]{k, []vec{{0}, {1}}, vec{a, a}}.Project([]vec{{0}, {2}}))
	}
	xs, ts := []vec{{1, 0}, {0, 2}, {1, 1}}, vec{1, 2, 3}
	refuses(t, ErrNotFinite, "matrix entry (0, 1)", dual(1, vec{1, 1}, vec{1e150}, vec{1e160}))
	refuses(t, ErrNotFinite, "coefficient 0", fit(0, vec{1e300}, vec{1e-155}),
		dual(0, vec{1e300}, vec{1e-155}), project(Scale[vec](1e-310, RBF{}), 1))
	refuses(t, ErrNotPositiveDefinite, "singular at row 0", fit(0, vec{1, 2}, vec{0}, vec{0}),
		dual(0, vec{1, 2}, vec{0}, vec{0}))
	refuses(t, ErrNotPositiveDefinite, "has the eigenvalue",
		fit(0, vec{1, 2, 3}, vec{1e-18, 1e18}, vec{1e-18, 1e18}, vec{3e-18, 3.0000003e18}),
		dual(0, vec{1, 1, 1}, vec{1, 0, 0}, vec{1, 0x1p-25, 0}, vec{0, 0, 1})) // a pivot 2⁻⁵⁰
	refuses(t, ErrNotConverged, "rate 100 is too large", errorOf(LeastSquares(xs, ts, 100, 400)),
		errorOf(KernelLeastSquares(xs, ts, Linear{}, 100, 400)))
	refuses(t, ErrNotPositiveDefinite, "eigenvalue is -", gram(vec{1, 2}, vec{2, 1}),
		gram(vec{1, 0}, vec{0, -20 * kernelEps}), errorOf(KernelPCAMap(Sigmoid{}, []vec{{1}, {2}})))
	refuses(t, ErrNotFinite, "eigenvalue 1 is", gram(vec{1e308, 1e308}, vec{1e308, 1e308}))
	refuses(t, ErrNotFinite, "NaN", gram(vec{1, nan}, vec{0, 1}), project(Linear{}, nan))
}

// What a program can avoid panics.
func TestMisuse(t *testing.T) {
	x, z := vec{1, 2}, vec{3}
	one, bare := Func[vec]{RBF{}, []vec{x}, vec{1}}, Func[vec]{nil, []vec{x}, z}
	short, long := Func[vec]{RBF{}, []vec{x, x}, vec{1}}, Func[vec]{Linear{}, []vec{x}, vec{1, 2}}
	phi := func(p, d int, c, gamma float64) func() {
		return func() { Polynomial{p, gamma, c}.FeatureMap(d)(x) }
	}
	taylor := func(gamma float64, d, p int) func() { return func() { RBF{gamma}.FeatureMap(d, p) } }
	scale := func(c float64) func() { return func() { Scale[vec](c, Linear{}) } }
	h, zs, m, units := Hyperplane{z, 0}, []vec{z, z}, &Model[vec]{}, Scaler{x, x}
	throws(t, "svm: ", func() { h.Margin(zs, z) }, func() { Accuracy(z, x) },
		func() { Objective{}.At(h, zs, z) }, func() { Objective{}.Gradient(h, zs, z) },
		func() { m.Slacks(zs, z) }, func() { NovikoffBound(z, zs, z) },
		func() { SGD{}.Objective(h, zs, z) },
		func() { Lagrangian(h, nil, x, nil, zs, vec{1, 1, 1}, 1) }, // y
		func() { Lagrangian(h, nil, z, nil, zs, x, 1) },            // α
		func() { Lagrangian(h, z, x, x, zs, x, 1) },                // ξ
		func() { Lagrangian(h, x, x, z, zs, x, 1) })                // μ
	throws(t, " 1 ", func() { units.Apply([]vec{x, z}) },
		func() { (&Model[vec]{Func: one}).DecisionAll([]vec{z}) })
	throws(t, "svm: ", func() { Linear{}.Eval(x, z) }, func() { GramMatrix(Linear{}, []vec{x, z}) })
	throws(t, "SymEigen: entry (0, 0) is NaN", func() { CheckPSD(matrix(vec{nan})) })
	throws(t, "of lengths", func() { RBF{}.Eval(x, z) }, func() { RBF{}.Eval(z, x) })
	throws(t, "of a vector of length 2", phi(1, 1, 0, 1))
	throws(t, "Degree is negative", func() { Polynomial{Degree: -1}.Eval(x, x) })
	throws(t, "has the weight", phi(3, 2, -1, 0), phi(3, 2, 1, -1), phi(2000, 1, 1, 1))
	throws(t, "no feature map", taylor(-1, 2, 2), taylor(nan, 2, 2), taylor(inf, 1, 1),
		taylor(1, 1, 171), taylor(1, 2, -1), taylor(1, 0, 2))
	throws(t, "svm: FeatureMap: dimension", phi(3, 0, 1, 1), phi(-1, 2, 1, 1))
	throws(t, "times a kernel", scale(-1), scale(nan), scale(inf))
	throws(t, "is nil", func() { GramMatrix(nil, []int{1}) }, func() { bare.Eval(x) })
	throws(t, "matrix is not square", func() { CheckPSD(matrix(x)) })
	throws(t, " coefficients", func() { short.Eval(x) }, func() { short.Inner(one) },
		func() { one.Add(short) }, func() { (&Model[vec]{Func: short}).DecisionAll([]vec{x}) },
		func() { long.Eval(x) }, func() { one.Inner(long) }, func() { long.Add(one) },
		func() { long.Scale(2) })
	a, three, two := NewMatrix(2, 3), vec{0, 0, 0}, vec{0, 0}
	throws(t, fmt.Sprintf("NewMatrix: %d×1", math.MaxInt/4), func() { NewMatrix(math.MaxInt/4, 1) })
	throws(t, "row 1 has length 2, row 0 has", func() { matrix(three, two) })
	throws(t, "Dot: vectors of lengths 2 and 3", func() { Dot(two, three) })
	throws(t, "MulVecT: 2×3 matrix, x of length 3", func() { a.Mul(a) })
	throws(t, "MulVec: 2×3 matrix, x of length 2", func() { a.MulVec(two, two) })
	throws(t, "MulVecT: 2×3 matrix, x of length 2", func() { a.MulVecT(two, two) })
	throws(t, "SymEigen: 2×3 matrix is not square", func() { SymEigen(a) })
	check(t, panics(func() { matrix(three, three, three).At(3, 0) }) != "", "a row beyond the last")
	throws(t, "SVD: -1×-3 matrix with 3 entries", func() { SVD(&Matrix{-1, -3, three}) })
	throws(t, "SVD: entry (0, 1) is NaN", func() { SVD(matrix(vec{0, nan, 0}, three)) })
	throws(t, "SVD: entry (1, 2) is NaN", func() { SVD(matrix(three, vec{0, 0, nan})) })
}

// # The ledger of kernels

var statements2 = []statement{
	{"D1", "Cornwell, Kernels", "With ψ(x) = (x₁², x₁x₂, x₂²), w = (1, 3, 1), b = −3 the plane " +
		"w·ψ(x) + b = 0 is the hyperbola 5(x₁ + x₂)² − (x₁ − x₂)² = 12.", "proof", func(t *T) {
		onGrid(2, 0, 2, func(x vec) {
			u, v := x[0]+x[1], x[0]-x[1]
			equal(t, Quadratic(x), vec{x[0] * x[0], x[0] * x[1], x[1] * x[1]}, "ψ(%v)", x)
			equal(t, 4*(Dot(vec{1, 3, 1}, Quadratic(x))-3), 5*u*u-v*v-12, "4(w·ψ(%v) + b)", x)
		})
	}},
	{"D2", "Harmeling, From input space to feature space", "φ(x) = (x₁, x₂, x₁² + x₂²) separates " +
		"every disc from its surroundings by a plane; polar coordinates, discs about 0.",
		"proof, both ways", func(t *T) {
			onGrid(5, 0, 2, func(v vec) { // a disc of center (p, q) and radius r
				x1, x2, p, q, r := v[0], v[1], v[2], v[3], v[4]
				plane := Dot(vec{-2 * p, -2 * q, 1}, Paraboloid(v[:2])) + p*p + q*q - r*r
				equal(t, plane, (x1-p)*(x1-p)+(x2-q)*(x2-q)-r*r, "w·φ(x) + b at %v", v)
			})
			xs := mapped(normals(random(2), 60, 2), scaled(0.5))
			polar := func(x vec) vec { return vec{math.Hypot(x[0], x[1]), math.Atan2(x[1], x[0])} }
			ys := mapped(xs, func(x vec) float64 { return math.Copysign(1, polar(x)[0]-0.5) })
			m := must(Train(xs, ys, Pullback(Linear{}, polar), Options{C: inf}))(t)
			equal(t, m.PredictAll(xs), ys, "labels in polar coordinates")
		}},
	{"D3", "CSCI 567, The kernel trick; Harmeling", "φ(x) = (x₁², √2 x₁x₂, x₂²) has " +
		"φ(x)·φ(z) = (x·z)².", "proof", func(t *T) {
		k := Polynomial{Degree: 2}
		agreeAll(t, k.FeatureMap(2)(vec{2, 3}), vec{4, math.Sqrt2 * 6, 9}, 2*kernelEps, "φ(2, 3)")
		proveMap(t, k, k.FeatureMap(2), 2, 2)
	}},
	{"D4", "Cornwell, Popular Kernel Functions; COMP9417 §4", "φ(x) = (x₁², √2 x₁x₂, x₂², √2 x₁, " +
		"√2 x₂, 1) has φ(x)·φ(z) = (1 + x·z)²; √2 x₁x₂ = 0 separates XOR.", "proof", func(t *T) {
		k, r := Polynomial{Degree: 2, Coef: 1}, math.Sqrt2
		phi := k.FeatureMap(2)
		agreeAll(t, phi(vec{2, 3}), vec{4, r * 6, 9, r * 2, r * 3, 1}, 2*kernelEps, "φ(2, 3)")
		proveMap(t, k, phi, 2, 2)
		for i, x := range xorPoints {
			agree(t, phi(x)[1], -r*xorLabels[i], kernelEps, "√2 x₁x₂ at %v", x)
		}
	}},
	{"D5", "Harmeling, Common kernel functions; CSCI 567", "(c + γ x·z)ᵖ has a feature map of " +
		"C(d+p, p) coordinates if c > 0, of C(d+p−1, p) if c = 0. (d, p ≤ 3)", "proof", func(t *T) {
		k := Polynomial{5, 1, 0}
		areKernels(t, kernelRow{"φ in R⁵", k, innerOf(k.FeatureMap(5))})
		pascal := [][]int{{1, 1, 1}, {2, 3, 4}, {3, 6, 10}, {4, 10, 20}} // C(d+p, p), p = 1, 2, 3
		onGrid(3, 0, 2, func(v vec) {
			d, p, c := 1+int(v[0]), 1+int(v[1]), v[2]
			k := Polynomial{p, 2, c}
			phi, want := k.FeatureMap(d), pascal[d-1+int(math.Ceil(c/2))][p-1]
			equal(t, len(phi(make(vec, d))), want, "coordinates of %+v in R^%d", k, d)
			proveMap(t, k, phi, d, p)
		})
	}},
	{"D6", "Kernels, 1 + D + D² + D³", "[1, xᵢ, xᵢxⱼ, xᵢxⱼxₖ] has the inner product 1 + x·z + " +
		"(x·z)² + (x·z)³, d products instead of d³. (d ≤ 3)", "proof", func(t *T) {
		k, ones := cubic{}, repeated(1000, 1)
		equal(t, AllProducts(vec{3}), vec{1, 3, 9, 27}, "φ(3)")
		for d := 1; d <= 3; d++ {
			proveMap(t, k, AllProducts, d, 3)
		}
		equal(t, k.Eval(ones, ones), 1001001001, "features in R^1000, each of them 1")
	}},
	{"D7", "CSCI 567; Harmeling; Kernels", "exp(−γ‖x − z‖²), γ = 1/(2σ²), 1/σ² or 1/σ: k(x, x) = " +
		"1 ≥ k(x, z) > 0. In F1 ck with cλ gives the same f.", "both ways", func(t *T) {
		for _, gamma := range []float64{0, 1. / (2 * 3 * 3), 1. / (3 * 3), 1. / 3} { // 0 means 1
			areKernels(t, kernelRow{"Gaussian", RBF{gamma}, gaussian(cmp.Or(gamma, 1))})
		}
		xs, ts, k := normals(random(7), 12, 2), normals(random(8), 1, 12)[0], RBF{1. / (3 * 3)}
		f := must(KernelRidge(xs, ts, k, 0.6))(t) // K + λI is well conditioned
		g := must(KernelRidge(xs, ts, Scale[vec](1./3, k), 0.2))(t)
		agreeAll(t, mapped(xs, g.Eval), mapped(xs, f.Eval), 1e-12, "f with k/σ and λ/σ")
	}},
	{"D8", "Kernels, Claim; Harmeling", "exp(−γ‖x − z‖²) = e^(−γ‖x‖²) e^(−γ‖z‖²) e^u, u = 2γ " +
		"x·z; the last is a series, an infinite map. After degree p the error is ≤ the other two " +
		"times max(1, e^u)|u|ᵖ⁺¹/(p+1)!.", "bound", func(t *T) {
		rng, noise := random(8), 64*kernelEps // of sums of products, of size 1 at most in all
		for trial := range 18 {
			d, gamma := 1+trial%3, vec{0.1, 0.7, 2}[trial/3%3]
			k, x, z := RBF{gamma}, normals(rng, 1, d)[0], normals(rng, 1, d)[0]
			xz, xx, zz := Dot(x, z), squareNorm(x), squareNorm(z)
			size, u := math.Exp(-gamma*xx)*math.Exp(-gamma*zz), 2*gamma*xz
			agree(t, k.Eval(x, z), size*math.Exp(u), noise, "the product at %v, %v", x, z)
			term, partial := size, 0.0
			for p := range 12 {
				partial += term
				term *= u / float64(p+1)
				phi, bound := k.FeatureMap(d, p), k.TruncationBound(p, xz, xx, zz)
				agree(t, Dot(phi(x), phi(z)), partial, noise, "the terms up to degree %d", p)
				atMost(t, math.Abs(k.Eval(x, z)-partial), bound+noise, "degree %d: error", p)
				agree(t, bound, math.Abs(term)*math.Exp(max(0, u)), noise, "degree %d: bound", p)
			}
		}
	}},
	{"D9", "Harmeling, Common kernel functions (3)", "x·z/(‖x‖‖z‖) of word counts is in [0, 1], " +
		"whatever the lengths of texts; tf–idf ignores words of all texts.", "exact", func(t *T) {
		unit := func(x vec) vec { return over(x, math.Sqrt(squareNorm(x))) }
		areKernels(t, kernelRow{"x·z", Linear{}, Dot}, kernelRow{"cosine", Cosine{}, innerOf(unit)})
		rng, weight := random(9), TFIDF(mapped([]vec{{2, 1, 0}, {1, 0, 3}}, NewSparse))
		for range 100 {
			v := integers(rng, 2, 3, 2)
			x, z := mapped(v[0], math.Abs), mapped(v[1], math.Abs)
			cosine := Cosine{}.Eval(x, z)
			check(t, 0 <= cosine && cosine <= 1, "the cosine of %v and %v is %v", x, z, cosine)
			want := NewSparse(vec{0, x[1] * math.Ln2, x[2] * math.Ln2})
			equal(t, Distance(OnSparse(Linear{}), weight(NewSparse(x)), want), 0, "tf–idf of %v", x)
		}
	}},
	{"D10", "Harmeling, Common kernel functions (4)", "Σₛ wₛ #ₛ(x)#ₛ(z) over all substrings s, " +
		"with wₛ = δ^|s| for |s| ≥ 1, takes O(|x| + |z|) steps. All wₛ ≥ 0 make a kernel, also " +
		"one of the empty string, #(x) = |x| + 1.", "both ways", func(t *T) {
		// The definition: all pairs of equal substrings.
		byPairs := func(x, z string, decay float64) (sum float64) {
			for i := range len(x) {
				for j := range len(z) {
					weight := 1.0
					for l := 0; max(i+l-len(x), j+l-len(z)) < 0 && x[i+l] == z[j+l]; l++ {
						weight *= decay
						sum += weight
					}
				}
			}
			return sum
		}
		rng, x, z := random(10), "LKSDJFLJWELELVISKJNEROIUSGOGFKJ", "OREIUTKELVISGNKJNRGKJNREKJ"
		equal(t, Substring{}.Eval(x, z), 81, "k of the lecture's strings")
		all, few := strings.Repeat("a", 100_000), strings.Repeat("a", 400)
		equal(t, Substring{}.Eval(all, all), 1e5*(1e5+1)*(2e5+1)/6, "Σ l², l ≤ 10⁵")
		equal(t, Substring{10}.Eval(few, "aa"), 400*2*10+399*100, "k, where k(x, x) overflows")
		equal(t, Substring{10}.Eval(few, few), inf, "k(x, x)")
		empty := KernelFunc[string](func(x, z string) float64 {
			return float64((len(x) + 1) * (len(z) + 1))
		})
		mixed := Sum(Scale(3, empty), Substring{2}, Scale(5, Substring{0.5}))
		for trial := range 150 {
			want := 3*empty(x, z) + byPairs(x, z, 2) + 5*byPairs(x, z, 0.5)
			agree(t, mixed.Eval(x, z), want, 1e-12, "3, 2ˡ and 5/2ˡ for length l: k(%q, %q)", x, z)
			letter := func(int) byte { return byte(rng.IntN([]int{1, 2, 3, 4, 256}[trial%5])) }
			for _, decay := range []float64{0, 0.5, 0.9, 2} { // 0 means 1
				want := byPairs(x, z, cmp.Or(decay, 1))
				// Powers of 2 are exact. If not, there are at most 25 000 terms, all positive.
				tol := map[float64]float64{0.9: 25_000 * kernelEps * want}[decay]
				both := vec{Substring{decay}.Eval(x, z), Substring{decay}.Eval(z, x)}
				off := largestOf(minus(both, vec{want, want}))
				atMost(t, off, tol, "δ = %v: k(%q, %q), either way, off", decay, x, z)
			}
			x, z = string(build(rng.IntN(40), letter)), string(build(rng.IntN(40), letter))
		}
	}},
	{"D11", "Cornwell, Popular Kernel Functions; Harmeling", "Any inner product may stand for " +
		"x·z: another metric, sparse vectors, another kernel.", "both ways", func(t *T) {
		square, phi := Polynomial{2, 0.5, 1}, Polynomial{2, 0.5, 1}.FeatureMap(5)
		metric := func(x, z vec) float64 { return Dot(x, z) + 3*x[0]*z[0] }
		root := func(x vec) vec { return append(vec{2 * x[0]}, x[1:]...) }
		areKernels(t,
			kernelRow{"Gaussian of a kernel", Over(RBF{0.1}, square.Eval), func(x, z vec) float64 {
				return gaussian(0.1)(phi(x), phi(z))
			}},
			kernelRow{"a metric", Over(square, metric), innerOf(func(x vec) vec {
				return phi(root(x))
			})})
		rng, gauss := random(11), OnSparse(RBF{})
		for range 500 {
			v := integers(rng, 3, 9, 2)
			x, z, w := NewSparse(v[0]), NewSparse(v[1]), v[2][:rng.IntN(10)]
			long := append(slices.Clone(w), make(vec, 9-len(w))...)
			equal(t, x.Dot(z), Dot(v[0], v[1]), "%v.Dot(%v)", x, z)
			equal(t, x.DotDense(w), Dot(v[0], long), "%v.DotDense(%v)", x, w)
			equal(t, gauss.Eval(x, z), RBF{}.Eval(v[0], v[1]), "Gaussian of %v, %v", x, z)
			f := Func[Sparse]{OnSparse(Linear{}), []Sparse{x, z}, vec{2, -1}}
			equal(t, f.Eval(NewSparse(long)), 2*Dot(v[0], long)-Dot(v[1], long), "f(%v)", long)
		}
	}},
	{"D12", "Harmeling, Feature maps and inner products", "‖φ(x) − φ(z)‖² = k(x, x) + k(z, z) − " +
		"2k(x, z): distances without φ.", "both ways", func(t *T) {
		areKernels(t, kernelRow{"cubic", cubic{}, innerOf(AllProducts)})
		equal(t, Distance[string](Substring{}, "ab", "b"), math.Sqrt2, "of (1, 1, 1), (0, 1, 0)")
	}},
	{"D13", "beyond", "Sums, products, multiples c ≥ 0, pullbacks k(f(x), f(z)) and " +
		"k(x, z)/√(k(x, x)k(z, z)) of kernels are kernels.", "both ways", func(t *T) {
		square, phi := Polynomial{2, 0.5, 1}, Polynomial{2, 0.5, 1}.FeatureMap(5)
		bend := func(x vec) vec { return vec{x[1] * x[2], math.Sin(x[0]), 1, x[3], x[4]} }
		unit := func(x vec) vec { return over(phi(x), math.Sqrt(squareNorm(phi(x)))) }
		areKernels(t,
			kernelRow{"k₁ + k₂", Sum[vec](Linear{}, square), innerOf(func(x vec) vec {
				return slices.Concat(x, phi(x))
			})},
			kernelRow{"k₁k₂", Product[vec](Linear{}, square), func(x, z vec) float64 {
				return Dot(x, z) * math.Pow(1+Dot(x, z)/2, 2)
			}},
			kernelRow{"no sum", Sum[vec](), func(x, z vec) float64 { return 0 }},
			kernelRow{"no product", Product[vec](), func(x, z vec) float64 { return 1 }},
			kernelRow{"4k", Scale[vec](4, Linear{}), innerOf(scaled(2))},
			kernelRow{"0k", Scale[vec](0, square), innerOf(scaled(0))},
			kernelRow{"k(f(x), f(z))", Pullback[vec, vec](square, bend), innerOf(func(x vec) vec {
				return phi(bend(x))
			})},
			kernelRow{"normalized", Normalize[vec](square), innerOf(unit)})
	}},
	{"D14", "Kernels, Mercer; Harmeling 11.5", "zᵀKz = Σₖ(Σᵢ zᵢφₖ(xᵢ))² ≥ 0. tanh(x·z) is no " +
		"kernel: on the points 1 and 2 some z has zᵀKz < 0. For continuous k and f ∫∫ k(x, " +
		"z)f(x)f(z) dx dz is a limit of zᵀKz ≥ 0.", "both ways", func(t *T) {
		onGrid(6, -1, 1, func(v vec) { // two points of two features: degree 2 in each number
			z, first, second := v[:2], v[2:4], v[4:]
			sum := combination(multipleOf(z[0], first), z[1], second)
			k := GramMatrix(Linear{}, []vec{first, second})
			equal(t, quadraticForm(k, z), squareNorm(sum), "zᵀKz at %v", v)
		})
		k := GramMatrix(Sigmoid{}, []vec{{1}, {2}}) // tanh 1 · tanh 4 < (tanh 2)²
		_, z := CheckPSD(k)
		atMost(t, quadraticForm(k, z), -0.01, "zᵀKz")
		equal(t, k.At(0, 1), math.Tanh(2), "tanh(x·z)")
		equal(t, Sigmoid{0.5, -1}.Eval(vec{2}, vec{3}), math.Tanh(2), "tanh(½ x·z − 1)")
		// For min(x, z) it is ∫ (∫ₜ¹ f)² dt; for f = 1 − 2x the inner one is t² − t, and all 1/30.
		least := KernelFunc[float64](func(x, z float64) float64 { return min(x, z) })
		for _, n := range []float64{10, 40, 160} {
			xs := build(int(n), func(i int) float64 { return (float64(i) + 0.5) / n })
			f := mapped(xs, func(x float64) float64 { return (1 - 2*x) / n })
			agree(t, quadraticForm(GramMatrix(least, xs), f), 1./30, 1/(n*n), "zᵀKz, n = %v", n)
		}
	}},
	{"D15", "Harmeling 11.6 to 11.8; SVD: range and null space", "K = VΛVᵀ = ZᵀZ with Z = Λ^½Vᵀ: " +
		"its columns are features. X = USVᵀ, U and V square ⇒ XXᵀ = USSᵀUᵀ, XᵀX = VSᵀSVᵀ. The " +
		"rank is the number of σ > 0; their columns of U span the range, the other ones of V the " +
		"null space.", "both ways", func(t *T) {
		rng := random(15)
		for _, size := range [][3]int{{5, 3, 2}, {3, 5, 2}, {4, 4, 0}, {6, 6, 6}, {2, 8, 1}} {
			// m×n matrices of rank k. Zeros beyond make the thin decomposition the full one.
			m, n, k, most := size[0], size[1], size[2], max(size[0], size[1])
			part := func(some int) *Matrix { // some rows are not 0
				return matrixOf(most, k, func(i, _ int) float64 {
					return oneIf(i < some) * rng.NormFloat64()
				})
			}
			x := part(m).Mul(part(n).T())
			u, s, v := SVD(x)
			squares, gram := diagonalOf(byEntry(s, s)...), x.Mul(x.T())
			z := must(GramFeatures(gram))(t)
			tol := 256 * kernelEps * squareNorm(x.Data) // the trace
			agreeAll(t, z.T().Mul(z).Data, gram.Data, tol, "ZᵀZ, %v", size)
			full := diagonalOf(byEntry(s[:k], s[:k])...).Data
			agreeAll(t, z.Mul(z.T()).Data, full, tol, "ZZᵀ = Λ > 0, descending, %v", size)
			agreeAll(t, u.Mul(squares).Mul(u.T()).Data, gram.Data, tol, "US²Uᵀ, %v", size)
			agreeAll(t, v.Mul(squares).Mul(v.T()).Data, x.T().Mul(x).Data, tol, "VS²Vᵀ, %v", size)
			images, coimages, tol := x.Mul(v).T(), u.T().Mul(x), roundingOf(most)*(1+s[0])
			for j, sigma := range s { // ‖Xv‖ = ‖Xᵀu‖ = σ
				equal(t, sigma > tol, j < k, "%v: σ[%d] > 0", size, j)
				lengths := vec{norm(images.Row(j)), norm(coimages.Row(j))}
				agreeAll(t, lengths, vec{sigma, sigma}, tol, "%v: ‖Xv‖, ‖Xᵀu‖ of %d", size, j)
			}
		}
	}},
	{"D16", "Harmeling 11.9", "φₙ(x) = (k(x₁, x), …, k(xₙ, x)): φₙ(x)ᵀφₙ(z) is not k(x, z), but " +
		"φₙ(x)ᵀK⁻¹φₙ(z) is, if φ(x) is in the span of the φ(xᵢ).", "both ways", func(t *T) {
		pair := []vec{{1, 0}, {1, 1}}
		two := EmpiricalMap(Linear{}, pair)
		pair[0] = nil // the map has its own list
		equal(t, Dot(two(vec{1, 0}), two(vec{1, 1})), 3, "φₙ(x₁)·φₙ(x₂) where k(x₁, x₂) = 1")
		xs, k := integers(random(16), 6, 4, 3), RBF{0.1}
		phi := EmpiricalMap(k, xs)
		for i, x := range append(slices.Clone(xs), vec{0.5, 0, 0, 0}, vec{9, 9, 9, 9}) {
			solved := must(KernelRidge(xs, phi(x), k, 0))(t).Coef // K⁻¹φₙ(x); K is well conditioned
			for _, z := range xs {
				agree(t, Dot(phi(z), solved), k.Eval(z, x), 1e-13, "φₙ(%v)ᵀK⁻¹φₙ(%v)", z, x)
			}
			equal(t, isNear(Dot(phi(x), solved), 1, 1e-13), i < 6, "φₙ(x)ᵀK⁻¹φₙ(x) = 1 at %v", x)
		}
	}},
	{"D17", "Harmeling 11.10", "ψ(x) = K^(−½)φₙ(x) is a feature map for k on the data (by the " +
		"pseudo-inverse if K is singular); elsewhere ‖ψ(x)‖² ≤ k(x, x).", "both ways", func(t *T) {
		distinct, others := normals(random(17), 8, 3), normals(random(18), 20, 3)
		same, zero := slices.Concat(distinct, distinct[:5]), []vec{{0, 0, 0}, {0, 0, 0}}
		for i := range 9 {
			k := []Kernel[vec]{RBF{1}, RBF{1e-3}, Linear{}}[i%3] // two are singular
			xs := [][]vec{distinct, same, zero}[i/3]
			psi, gram := must(KernelPCAMap(k, xs))(t), GramMatrix(k, xs)
			rows, size := matrix(mapped(xs, psi)...), 1+squareNorm(gram.Data)
			tol := 1e3 * kernelEps * size // eigenvalues below (n + 16)·ε·λₙ count as 0
			agreeAll(t, rows.Mul(rows.T()).Data, gram.Data, tol, "%d: ψ(xᵢ)·ψ(xⱼ)", i)
			// ψ(xᵢ) is column i of the symmetric K^½. The root of a rounding error is 2⁻²⁶.
			agreeAll(t, rows.T().Data, rows.Data, 0x1p-26*size, "%d: K^½, transposed", i)
			for _, x := range others {
				atMost(t, squareNorm(psi(x)), k.Eval(x, x)+1e-4*size, "%d: ‖ψ(%v)‖²", i, x)
			}
		}
	}},
	{"D18", "Harmeling 11.13 to 11.15", "⟨f, g⟩ = Σᵢⱼ aᵢbⱼk(xᵢ, zⱼ) is symmetric, bilinear, a " +
		"kernel, ⟨f, f⟩ ≥ 0; ⟨k(x, ·), g⟩ = g(x); ⟨f, g⟩² ≤ ‖f‖²‖g‖²; f(x)² ≤ k(x, x)‖f‖²; k(x, " +
		"z)² ≤ k(x, x)k(z, z).", "exact", func(t *T) {
		// All numbers are small integers, so all is exact.
		rng, zero := random(18), Func[vec]{}
		for _, k := range []Kernel[vec]{Linear{}, Polynomial{Degree: 2, Coef: 1}, cubic{}} {
			family := build(20, func(int) Func[vec] {
				n := 1 + rng.IntN(5)
				return Func[vec]{k, integers(rng, n, 3, 3), integers(rng, 1, n, 3)[0]}
			})
			at := func(x vec) Func[vec] { return Func[vec]{k, []vec{x}, vec{1}} } // k(x, ·)
			for i, f := range family {
				g, h, c := family[(i+1)%20], family[(i+2)%20], float64(rng.IntN(9)-4)
				x, z := integers(rng, 1, 3, 3)[0], integers(rng, 1, 3, 3)[0]
				fg, ff, gg, fx, gx := f.Inner(g), f.Inner(f), g.Inner(g), f.Eval(x), g.Eval(x)
				more := f.Add(g.Scale(c))
				for name, s := range map[string][2]float64{
					"⟨g, f⟩":                  {g.Inner(f), fg},
					"⟨f + cg, h⟩":             {more.Inner(h), f.Inner(h) + c*g.Inner(h)},
					"(f + cg)(x)":             {f.Add(g.Scale(c)).Eval(x), fx + c*gx},
					"⟨k(x, ·), g⟩ = g(x)":     {at(x).Inner(g), gx},
					"⟨k(x, ·), k(z, ·)⟩":      {at(x).Inner(at(z)), k.Eval(x, z)},
					"⟨0 + f, g + 0⟩":          {zero.Add(f).Inner(g.Add(zero)), fg},
					"⟨0, f⟩ + ⟨f, 0⟩ + ‖0‖":   {zero.Inner(f) + f.Inner(zero) + zero.Norm(), 0},
					"‖f‖ = √⟨f, f⟩":           {f.Norm(), math.Sqrt(ff)},
					"⟨f, g⟩² above ‖f‖²‖g‖²":  {max(0, fg*fg-ff*gg), 0},
					"f(x)² above k(x, x)‖f‖²": {max(0, fx*fx-k.Eval(x, x)*ff), 0},
					"k(x, z)² above k(x, x)k(z, z)": {max(0, math.Pow(k.Eval(x, z), 2)-
						k.Eval(x, x)*k.Eval(z, z)), 0},
				} {
					equal(t, s[0], s[1], "%T: %s", k, name)
				}
			}
			gram := GramMatrix(KernelFunc[Func[vec]](Func[vec].Inner), family)
			least, _ := CheckPSD(gram)
			atMost(t, -least, 64*kernelEps*math.Sqrt(squareNorm(gram.Data)), "%T: minus λ₁", k)
		}
	}},
	{"D19", "Cornwell, The Representer Theorem", "The part of w orthogonal to all φ(xᵢ) changes " +
		"no f(xᵢ): a minimizer of F(f(xᵢ)) + R(‖w‖), R rising, has none.", "both ways", func(t *T) {
		// w is split into a part in the span of the points and a part orthogonal to the span.
		rng := random(19)
		for i, k := range []Kernel[vec]{RBF{1}, Polynomial{Degree: 4, Coef: 1}, Linear{}} {
			xs, ts := integers(rng, 6, 2, 2), signs(rng, 6)
			w := Func[vec]{k, normals(rng, 9, 2), normals(rng, 1, 9)[0]}
			inside := must(w.Project(xs))(t)
			outside := w.Add(inside.Scale(-1))
			tol := 1e4 * kernelEps * (1 + w.Inner(w) + squareNorm(inside.Coef)) // ‖w‖/√λ₁
			long := w.Inner(w) - inside.Inner(inside)
			agreeAll(t, mapped(xs, inside.Eval), mapped(xs, w.Eval), tol, "%T: f by w₁", k)
			agree(t, inside.Inner(outside), 0, tol, "%T: ⟨w₁, w₂⟩", k)
			agree(t, outside.Inner(outside), long, tol, "%T: ‖w₂‖² = ‖w‖² − ‖w₁‖²", k)
			equal(t, long > tol, i < 2, "%T: ‖w₂‖ > 0", k) // every linear f is in the span
			best := must(KernelRidge(xs, ts, k, 0.5))(t)
			value := func(f Func[vec]) float64 {
				return squareNorm(minus(mapped(xs, f.Eval), ts)) + 0.5*f.Inner(f)
			}
			for _, step := range []float64{0.01, 1, -1} {
				longer := value(best.Add(outside.Scale(step))) - value(best)
				agree(t, longer, 0.5*step*step*long, 1e3*tol, "%T: what %v·w₂ costs", k, step)
			}
		}
	}},
	{"D19", "Cornwell, The Representer Theorem, footnote", "With the hinge and a continuous R " +
		"that never falls, some minimizer is in the span.", "counterexample", func(t *T) {
		xs := []vec{{1, 0}, {-1, 0}} // of the classes +1 and −1
		flat := func(norm float64) float64 { return max(0, norm-2) }
		square := func(norm float64) float64 { return norm * norm / 8 }
		value := func(w Func[vec], r func(norm float64) float64) float64 {
			return r(w.Norm()) + max(0, 1-w.Eval(xs[0])) + max(0, 1+w.Eval(xs[1]))
		}
		onGrid(2, -10, 10, func(x vec) { // with 1e-9 for rounding
			w := Func[vec]{Linear{}, []vec{x}, vec{0.2}}
			in := must(w.Project(xs))(t)
			atMost(t, value(in, flat), value(w, flat)+1e-9, "with a flat R: the projection")
			worse := value(w, square) > value(in, square)+1e-9
			equal(t, worse, x[1] != 0, "%v/5 is worse than its projection", x)
		})
		outside := Func[vec]{Linear{}, []vec{{1, 1}}, vec{1}}
		equal(t, value(outside, flat), 0, "with a flat R: the least value, off the span")
	}},
	{"D20", "CSCI 567 §2.1; Harmeling; COMP9417 §4", "The kernel trick: the SVM on φ(x) with x·z " +
		"is the SVM on x with k.", "both ways", func(t *T) {
		xs, ys, k := normals(random(20), 40, 2), signs(random(21), 40), Polynomial{2, 1, 1}
		f, phi := solved(t, k, slices.Clone[vec], xs, ys, 0.2), k.FeatureMap(2)
		far := func(x vec) vec { return minus(phi(x), repeated(6, 1000)) } // Σβ = 0: f is the same
		for name, g := range map[string]func(x vec) float64{
			"φ(x)":          solved(t, Linear{}, phi, xs, ys, 0.2),
			"φ(x) far away": solved(t, Linear{}, far, xs, ys, 0.2),
			"sparse x":      solved(t, OnSparse(k), NewSparse, xs, ys, 0.2),
			"8k and C/8":    solved(t, Scale(8, k), slices.Clone[vec], xs, ys, 0.025),
		} {
			for _, x := range normals(random(22), 9, 2) {
				agree(t, g(x), f(x), 1e-5, "%s: f(%v)", name, x)
			}
		}
	}},
	{"D21", "Harmeling 11.11, 11.12", "min(x, z) = Σⱼ λⱼφⱼ(x)φⱼ(z) on [0, 1], λⱼ = 1/s², " +
		"φⱼ(x) = √2 sin sx, s = (j − ½)π; m terms leave at most 2/(π²m).", "bound", func(t *T) {
		onGrid(2, 0, 8, func(v vec) {
			x, z, left := v[0]/8, v[1]/8, min(v[0], v[1])/8
			for j := 1.0; j <= 200; j++ { // Σ_{j>m} 2λⱼ < ∫ 2/(π²u²) du from m on
				s := (j - 0.5) * math.Pi
				left -= 2 / (s * s) * math.Sin(s*x) * math.Sin(s*z)
				atMost(t, math.Abs(left), 2/(math.Pi*math.Pi*j), "what is left at %v, %v", x, z)
			}
		})
	}},
	{"F1", "CSCI 567, Regularized least squares", "w = (ΦᵀΦ + λI)⁻¹Φᵀt minimizes ‖Φw − t‖² + " +
		"λ‖w‖², and w = Φᵀa with a = (K + λI)⁻¹t.", "both ways", func(t *T) {
		// The objective is a parabola along each axis.
		rng, k := random(21), Polynomial{Degree: 2, Coef: 1}
		for _, n := range []int{1, 2, 5, 33, 70, 131} { // of 10 features
			const lambda = 0.5
			xs, ts := normals(rng, n, 3), normals(rng, 1, n)[0]
			rows := mapped(xs, k.FeatureMap(3))
			phi := matrix(rows...)
			w, f := must(Ridge(rows, ts, lambda))(t), must(KernelRidge(xs, ts, k, lambda))(t)
			size := squareNorm(phi.Data) + lambda
			tol := 64 * kernelEps * size / lambda * (1 + squareNorm(w)) // the condition number
			agreeAll(t, imageUnder(phi.T(), f.Coef), w, tol, "n = %d: Φᵀa", n)
			agreeAll(t, mapped(xs, f.Eval), imageUnder(phi, w), tol*size, "n = %d: f", n)
			agreeAll(t, combination(mapped(xs, f.Eval), lambda, f.Coef), ts, tol*size, "Ka + λa")
			objective := func() float64 {
				return squareNorm(minus(imageUnder(phi, w), ts)) + lambda*squareNorm(w)
			}
			for j := range w {
				agree(t, slope(objective, &w[j], 1), 0, tol*size, "n = %d: derivative %d", n, j)
			}
		}
	}},
	{"F2", "Kernels, General idea", "Gradient descent on ‖Φw − t‖²/(2n) is, for w = Φᵀa, aᵢ ← aᵢ " +
		"+ (η/n)(tᵢ − Σⱼ aⱼKᵢⱼ): n numbers, not dim φ. If K is regular and η < 2n/‖K‖, the limit " +
		"is K⁻¹t.", "both ways", func(t *T) {
		const n, rate, tol = 12, 0.02, 1e4 * kernelEps // η·μ < 2n, so rounding errors do not grow
		k, rng := Polynomial{Degree: 2, Coef: 1}, random(22)
		xs, ts := normals(rng, n, 3), normals(rng, 1, n)[0]
		rows := mapped(xs, k.FeatureMap(3))
		w, a := make(vec, len(rows[0])), make(vec, n)
		objective := func() float64 {
			return squareNorm(minus(imageUnder(matrix(rows...), w), ts)) / (2 * n)
		}
		for steps := range 30 {
			f := must(KernelLeastSquares(xs, ts, k, rate, steps))(t)
			agreeAll(t, must(LeastSquares(rows, ts, rate, steps))(t), w, tol, "w, %d steps", steps)
			agreeAll(t, f.Coef, a, tol, "a after %d steps", steps)
			agreeAll(t, weightedSum(rows, f.Coef), w, tol, "Φᵀa after %d steps", steps)
			gradient := build(len(w), func(j int) float64 { return slope(objective, &w[j], 1) })
			a = combination(a, rate/n, minus(ts, imageUnder(GramMatrix(k, xs), a)))
			w = combination(w, -rate, gradient)
		}
		xs, ts = []vec{{1, 0}, {0, 2}, {1, 1}}, vec{1, 2, 3} // ΦᵀΦ is regular: there is a limit
		limit := must(LeastSquares(xs, ts, 0.5, 400))(t)
		agreeAll(t, limit, must(Ridge(xs, ts, 0))(t), 100*kernelEps, "w after 400 steps")
		values, _ := SymEigen(GramMatrix(RBF{}, xs))
		f := must(KernelLeastSquares(xs, ts, RBF{}, 0.9*2*3/values[2], 400))(t)
		agreeAll(t, f.Coef, must(KernelRidge(xs, ts, RBF{}, 0))(t).Coef, 1e-12, "a, 400 steps")
	}},
}

// # Rows of kernel values
// Coordinates are integers and parameters powers of 2, so inner products are exact in any order.

const rowTol = 3e-14 // bounds the rounding of all else, relatively; exp(y) is off by 2|y|ε more

// rowKernels returns kernels of all kinds for points of type X: of turns a function of inner
// products into a kernel, and double maps x to 2x.
func rowKernels[X any](of func(k DotKernel) Kernel[X], double func(x X) X) map[string]Kernel[X] {
	line, quad, gauss, cos := of(Linear{}), of(Polynomial{2, 0.5, 1}), of(RBF{0.125}), of(Cosine{})
	return map[string]Kernel[X]{
		"Linear": line, "Polynomial": quad, "Polynomial{}": of(Polynomial{}), "Cosine": cos,
		"cubic": of(cubic{}), "Sigmoid": of(Sigmoid{0.125, -0.25}),
		"RBF": gauss, "RBF{}": of(RBF{}), "function": KernelFunc[X](line.Eval),
		"Over": Over(RBF{0.5}, line.Eval),
		"Sum":  Sum(quad, gauss, cos), "Product": Product(line, Scale(0.5, quad), gauss),
		"Sum()": Sum[X](), "Product()": Product[X](), "Pullback": Pullback(gauss, double),
		"nested": Scale(3, Normalize(Pullback(Sum(of(cubic{}), cos), double))),
	}
}

// A cubic is the kernel of AllProducts.
type cubic struct{}

func (k cubic) Eval(x, z vec) float64         { return k.Of(Dot(x, z), 0, 0) }
func (k cubic) Of(xz, xx, zz float64) float64 { return 1 + xz + xz*xz + xz*xz*xz }

// Kernels that embed another have its methods, but their own Eval says what they are.
type embeddingEval struct{ Linear }
type embeddingSubstring struct{ Substring }

func (k embeddingEval) Eval(x, z vec) float64         { return 3 * Dot(x, z) }
func (k embeddingSubstring) Eval(x, z string) float64 { return float64(len(x) * len(z)) }

func denseOf(k DotKernel) Kernel[vec] { return k.(Kernel[vec]) }
func twice(x Sparse) Sparse           { return Sparse{x.Index, multipleOf(2, x.Value)} }

// spread returns x without zeros but for one at the end, every index multiplied by stride.
func spread(stride int32) func(x vec) Sparse {
	return func(x vec) Sparse {
		z := NewSparse(x)
		index := mapped(z.Index, func(j int32) int32 { return j * stride })
		return Sparse{append(index, 2e9), append(z.Value, 0)}
	}
}

// layouts returns points whose columns have many numbers or few, all small sizes, and long rows.
func layouts() map[string][]vec {
	rng := random(1)
	some := func(n, d int, share, base float64) []vec { // base, but for a share that grows with j
		xs := integers(rng, n, d, 4)
		for _, x := range xs {
			for j := range x {
				x[j] = base + x[j]*math.Floor(rng.Float64()+min(1, share*float64(j+1)))
			}
		}
		return xs
	}
	chunks, few, minus0 := some(2048+700, 4, 0.12, 0), some(40, 3, 0, 0), math.Copysign(0, -1)
	chunks[2047], chunks[2048] = vec{-3, 2, 1, 1}, vec{1, 2, 3, 4}
	few[17], few[18] = vec{1, 2, 3}, vec{3, 2, 1}
	all := map[string][]vec{
		"chunks": chunks, "few": few, "far": some(53, 4, 1, 1<<22), "−1": some(70, 5, 0.1, -1),
		"mixed":    mapped(some(71, 6, 0.1, 0), func(x vec) vec { return append(x, minus0, 7) }),
		"clusters": slices.Concat(some(20, 3, 1, -1<<24), some(21, 3, 1, 1<<24)),
		"sparse":   some(60, 40, 0.004, 0), "zeros": some(6, 3, 0, 0), "equal": some(7, 5, 0, 3),
	}
	for d := range 10 {
		all[fmt.Sprint(9-d, " of ", d)] = some(9-d, d, 0.5, 0)
	}
	return all
}

// TestRows compares rows of all layouts and kernels with Eval.
func TestRows(t *testing.T) {
	dense, sparse := rowKernels(denseOf, scaled(2)), rowKernels(OnSparse, twice)
	for layout, xs := range layouts() {
		for name, k := range dense {
			checkRows(t, name+"/"+layout, k, xs, nil)
			for _, stride := range []int32{1, 30_000_000} {
				title := fmt.Sprint(name, "/", layout, ", sparse, stride ", stride)
				value := func(i, j int) float64 { return k.Eval(xs[i], xs[j]) }
				checkRows(t, title, sparse[name], mapped(xs, spread(stride)), value)
			}
		}
		checkRows(t, "another Eval/"+layout, embeddingEval{}, xs, nil)
		checkRows(t, "another Eval, pointer/"+layout, &embeddingEval{}, xs, nil)
	}
	all := Precomputed{GramMatrix(Linear{}, integers(random(3), 60, 3, 4))}
	for _, n := range []int{60, 50, 9, 5} {
		checkRows(t, fmt.Sprint("Precomputed/", n), all, random(4).Perm(60)[:n], nil)
	}
	words := Sum(Kernel[string](embeddingSubstring{}), Normalize(Substring{}), Substring{2})
	checkRows(t, "words", words, []string{"abab", "ba", "", "bab"}, nil)
	line := build(3500, func(i int) vec { return vec{float64(i)} }) // down to e^−747
	checkRows(t, "exponentials", RBF{0x1p-14}, line, nil)
	checkRows(t, "γ < 0", RBF{-1}, []vec{{0}, {1}, {2}}, nil)
	checkRows(t, "γ·2048/ln 2 = ∞", RBF{1e305}, []vec{{7}, {7}, {7}}, nil)
	// Far from 0, ‖x‖² + ‖z‖² − 2x·z is rough, and rows of an Over say how rough.
	far := mapped(normals(random(5), 40, 3), func(x vec) vec { return minus(x, repeated(3, 1e3)) })
	rows, got := GramOf(Over(RBF{0.5}, Dot), far).Open(), make(vec, 40)
	rows.Row(got, 0, 0)
	want := mapped(far, func(x vec) float64 { return RBF{0.5}.Eval(far[0], x) })
	atMost(t, largestOf(minus(got, want)), rows.(valuer).about().rough, "rounding of Over")
	atMost(t, GramOf(RBF{.5}, far).Open().(valuer).about().rough, 1e-14, "rounding of columns")
}

// checkRows compares rows, in three orders of the points, with eval(i, j), if nil with k(xᵢ, xⱼ).
func checkRows[X any](t *testing.T, name string, k Kernel[X], xs []X, eval func(i, j int) float64) {
	if eval == nil {
		eval = func(i, j int) float64 { return k.Eval(xs[i], xs[j]) }
	}
	run(t, name, "rows are those of Eval", func(t *T) {
		near := func(got float64, i, j int, what string) {
			want := eval(i, j)
			size := max(math.Abs(want), math.SmallestNonzeroFloat64)
			tol := (rowTol+2*kernelEps*math.Abs(math.Log(size)))*size + math.SmallestNonzeroFloat64
			if !(math.Abs(got-want) <= tol) {
				t.Errorf("%s: k(x[%d], x[%d]) = %v, want %v", what, i, j, got, want)
			}
		}
		n, before, rows := len(xs), slices.Clone(xs), GramOf(k, xs).Open()
		order := upTo[int](n)
		for _, at := range [][]int{nil, random(2).Perm(n), random(3).Perm(n / 2)} {
			rows.Permute(at)
			order = append(rowsAt(order, at), order[len(at):]...)
			diag := make(vec, n)
			rows.Diag(diag)
			for i := 0; i < n; i += 1 + n/5 {
				near(diag[i], order[i], order[i], "Diag")
				from := i * 7 % (n/4 + 1)
				row := repeated(n-from-i%3*(n-from)/3, nan)
				rows.Row(row, i, from)
				for j, got := range row {
					near(got, order[i], order[from+j], "Row")
				}
			}
		}
		equal(t, xs, before, "the caller's points")
		some := min(n, 75)
		for e, got := range GramMatrix(k, xs[:some]).Data {
			near(got, e/some, e%some, "GramMatrix")
		}
		points := xs[n/2 : min(n, n/2+50)]
		coef := build(len(points), func(j int) float64 { return float64(j%7 - 3) })
		f := Model[X]{B: 0.5, Func: Func[X]{k, points, coef}}
		for i, got := range f.DecisionAll(xs[:min(n, 35)]) {
			terms := build(len(points), func(j int) float64 { return coef[j] * eval(n/2+j, i) })
			want, size := 0.5+sumOf(terms), 0.5+sizeOf(terms)
			agree(t, got/size, want/size, rowTol, "DecisionAll[%d]/Σ|αk|", i)
			agree(t, f.Decision(xs[i])/size, want/size, rowTol, "Decision(xs[%d])/Σ|αk|", i)
		}
	})
}

// sectionsOf returns the machine with f = Σ k(xᵢ, ·).
func sectionsOf[X any](k Kernel[X], xs ...X) *Model[X] {
	return &Model[X]{Func: Func[X]{k, xs, repeated(len(xs), 1)}}
}

// At ‖x‖² = ∞ or NaN, and at features of no point, f is that of Eval. A linear f loses no digits.
func TestDecisions(t *testing.T) {
	near, big, x := []vec{{1, 2, 0}, {0, -1, 3}, {2, 0, 0}}, 1e200, vec{1, 8}
	far := []vec{{-big, big, big}, {big, 0, 0}, {inf, 1, 0}, {0, 0, -inf}, {nan, 0, 0}}
	thin, others := mapped(near, NewSparse), mapped(far, NewSparse)
	thin = append(thin, Sparse{[]int32{12}, vec{1}}) // twice the 6 numbers that there are
	at := []int32{3, 4, 1 << 20, math.MaxInt32}
	others = append(others, mapped(at, func(j int32) Sparse { return Sparse{[]int32{1, j}, x} })...)
	for _, k := range []DotKernel{RBF{}, Polynomial{2, 0, 1}, Sigmoid{}, Linear{}, Cosine{}} {
		f, g := sectionsOf(denseOf(k), near...), sectionsOf(OnSparse(k), thin...)
		got := fmt.Sprintf("%.9g", append(f.DecisionAll(far), g.DecisionAll(others)...))
		want := append(mapped(far, f.Decision), mapped(others, g.Decision)...)
		equal(t, got, fmt.Sprintf("%.9g", want), "%T", k) // as text: NaN is NaN
	}
	wide := []vec{{1 << 60, 2}, {1, 0}, {-1 << 60, 0}} // 2⁶⁰ + 1 is rounded to 2⁶⁰
	f := sectionsOf(Linear{}, wide...)
	g := sectionsOf(OnSparse(Linear{}), mapped(wide, NewSparse)...)
	got := vec{f.Decision(x), f.DecisionAll([]vec{x})[0], g.DecisionAll([]Sparse{NewSparse(x)})[0]}
	sums, rows := vec{0, 0}, GramOf(Linear{}, []vec{{1 << 60, 2, -1 << 60}, {1, 1, 1}}).Open()
	rows.(*columns).product(sums, vec{0, 1}, 0)
	equal(t, append(got, sums...), vec{17, 17, 17, 2, 3}, "f, K(0, 1), where large terms cancel")
	slab := vec{1, 2, 3, 4, 5, 6} // behind a point that is too short is more memory
	for _, k := range []Kernel[vec]{Linear{}, RBF{}} {
		f, x := sectionsOf(k, slab[:3], slab[3:5]), slab[:3]
		throws(t, "", func() { f.Decision(x) }, func() { f.DecisionAll([]vec{x}) })
	}
}

// TestCounts counts kernel values, and calls of a Pullback's function; the manual says how many.
func TestCounts(t *testing.T) {
	var calls atomic.Int64
	k := KernelFunc[vec](func(x, z vec) float64 { calls.Add(1); return RBF{}.Eval(x, z) })
	moved := Pullback[vec, vec](RBF{}, func(x vec) vec { calls.Add(1); return x[:1] })
	xs, ys, over := normals(random(8), 60, 2), signs(random(8), 60), Over(RBF{}, k.Eval)
	ks, room := []Kernel[vec]{k}, Options{CacheBytes: 60 * 60 * 8, Workers: 1}
	count := func(want int, use func()) {
		t.Helper()
		calls.Store(0)
		use()
		equal(t, int(calls.Load()), want, "evaluations")
	}
	count(60*61/2, func() { GramMatrix(k, xs) })
	count(60*61/2, func() { GridSearch(xs, ys, ks, vec{1}, room, 4, nil) })
	count(60*61/2+60, func() { GramMatrix(over, xs) })
	count(60+9*61, func() { sectionsOf(over, xs...).DecisionAll(xs[:9]) })
	count(60, func() { GramMatrix(moved, xs) })
	count(60+9, func() { sectionsOf(moved, xs...).DecisionAll(xs[:9]) })
}

// solved trains with k on the images of the points, and returns f. As P(w) − P(w*) ≥ ½‖w − w*‖²
// (B3), a small gap makes w unique, up to √(2·10⁻¹³P); and so is b, as some points have 0 < α < C.
func solved[X any](t *T, k Kernel[X], image func(x vec) X, xs []vec, ys vec,
	c float64) func(x vec) float64 {
	b, o := vec{}, Options{C: c, Tol: 1e-10}
	o.Observe = func(s *DualSolution) bool { b = vec{s.B, s.BLo, s.BHi}; return true }
	m := must(Train(mapped(xs, image), ys, k, o))(t)
	agreeAll(t, b, vec{m.B, m.BLo, m.BHi}, 1e-5, "the last b that is observed")
	atMost(t, m.KKT.Gap, 1e-13*m.KKT.Primal, "gap")
	enough(t, m.KKT.Free, 1, "0 < α < C")
	return func(x vec) float64 { return m.Decision(image(x)) }
}

// Neither workers nor processors change a bit of large problems.
func TestSameBits(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	xs, k := normals(random(11), fewer(1000, 400), 120), RBF{1. / 120}
	ys := mapped(xs, func(x vec) float64 { return math.Copysign(1, x[0]+x[1]*x[2]) })
	train := func(workers int) []any {
		m := must(Train(xs, ys, k, Options{Workers: workers, CacheBytes: 4 << 20}))(t)
		return []any{m, m.DecisionAll(xs[:100])}
	}
	want := train(0)
	runtime.GOMAXPROCS(4)
	for _, workers := range []int{1, 2, 16} {
		equal(t, train(workers), want, "%d workers", workers)
	}
}

// Panics of users' code reach the caller. A team makes each call once, and goes on after a panic.
func TestPanics(t *testing.T) {
	xs, ys, before := normals(random(12), 80, 2), signs(random(13), 80), runtime.NumGoroutine()
	bad := KernelFunc[vec](func(x, z vec) float64 {
		if x[0] == xs[70][0] {
			panic("boom")
		}
		return Dot(x, z)
	})
	o, watched := Options{Workers: 3}, Options{Observe: func(*DualSolution) bool { panic("boom") }}
	for i, f := range []func(){
		func() { Train(xs, ys, bad, o) }, func() { Train(xs, ys, RBF{}, watched) },
		func() { TrainClassifier(xs, ys, bad, o) }, func() { GramMatrix(bad, xs) },
		func() { CrossValidate(xs, ys, bad, o, 4, nil) },
		func() { GridSearch(xs, ys, []Kernel[vec]{RBF{}}, vec{1}, watched, 4, nil) },
		func() { sectionsOf(bad, xs...).DecisionAll(xs) },
	} {
		equal(t, panics(f), "boom", "panic of call %d", i)
	}
	var calls []int
	parallel(1, 100000, func(i int) { calls = append(calls, i) })
	check(t, len(calls) == 100000 && slices.IsSorted(calls), "one worker is not alone")
	for n, crew := 1, (&team{workers: 3, spins: 1000}); n < 300; n++ {
		calls := make([]atomic.Int32, n)
		crew.do(n, func(i int) { calls[i].Add(1) })
		for i := range calls {
			equal(t, calls[i].Load(), 1, "calls of %d in a loop of %d", i, n)
		}
		boom := func(i int) { demand(i != n/2, "boom") }
		equal(t, panics(func() { crew.do(n, boom) }), "boom", "panic in a loop of %d", n)
	}
	for wait := 0; wait < 1000 && runtime.NumGoroutine() > before; wait++ {
		time.Sleep(time.Millisecond)
	}
	atMost(t, float64(runtime.NumGoroutine()), float64(before), "goroutines")
}

// # Certificates
//
// Rows by columns are rougher than Eval. They say how rough, and KKT.Rounding counts it. So what
// Train certifies and what Verify computes by Eval may differ by both roundings, and by no more.

// certify trains, and compares the certificate with that of Verify. It returns the error of Train.
func certify[X any](t *T, xs []X, ys vec, k Kernel[X], o Options, what string) error {
	t.Helper()
	m, err := Train(xs, ys, k, o)
	check(t, !errors.Is(err, ErrIndefinite), "%s: %v", what, err)
	if m == nil {
		return err
	}
	v := Verify(m, xs, ys, o)
	equal(t, v.Iterations, m.KKT.Iterations, "%s: steps", what)
	r, size := m.KKT.Rounding+v.Rounding, sumOf(m.Alpha)
	if o.C < inf {
		size += o.C * float64(len(xs))
	}
	// Violation is a difference of gradients. ‖w‖² = βᵀ(y − g); slacks are off by as much as g, b.
	about := func(name string, got, want, tol float64) {
		t.Helper()
		check(t, math.Abs(got-want) <= tol, "%s: %s %.6g, by Verify %.6g, rounding %.2g, Tol %.0g",
			what, name, got, want, r, o.Tol)
	}
	about("violation", m.KKT.Violation, v.Violation, 2*r)
	about("dual", m.KKT.Dual, v.Dual, r*size+1e-12*math.Abs(v.Dual))
	about("gap", m.KKT.Gap, v.Gap, 2*r*size+1e-12*(math.Abs(v.Dual)+math.Abs(v.Primal)))
	about("slackness", m.KKT.Slackness, v.Slackness, 2*r*size)
	if err == nil {
		about("violation in excess of Tol", max(0, v.Violation-max(o.Tol, 1e-12)), 0, 2*r)
	}
	for i, f := range m.DecisionAll(xs) { // its tolerance is 1e-9, or 16 times the rounding of Eval
		about("decision in a batch", f, m.Decision(xs[i]), 1e-8+20*r)
	}
	right := errors.Is(err, ErrNotConverged) == (m.KKT.Violation > o.Tol)
	check(t, right, "%s: violation %v, Tol %v, error %v", what, m.KKT.Violation, o.Tol, err)
	return err
}

// pointsIn draws 60 points in two clouds. Labels that repeat in no order make α large.
func pointsIn(apart, wide float64) func(rng *rand.Rand) []vec {
	return func(rng *rand.Rand) []vec {
		return mapped(normals(rng, 60, 2), func(x vec) vec {
			return vec{apart*float64(rng.IntN(2)*2-1) + wide*x[0], wide * x[1]}
		})
	}
}

var hardToCertify = []struct {
	name   string
	k      Kernel[vec]
	o      Options
	points func(rng *rand.Rand) []vec
}{
	{"scaled", Scale[vec](1e10, RBF{1}), Options{C: 10, Tol: 1e-3}, pointsIn(60, 0.3)},
	{"weights", Linear{}, Options{C: 0.1, Tol: 1e-3, Weights: mod4(60)}, pointsIn(0.5, 1)},
	{"hard margin", RBF{2}, Options{C: inf, Tol: 1e-3, Weights: mod4(60)}, pointsIn(0.5, 1)},
	{"far away", Linear{}, Options{C: 1, Tol: 1e-9}, func(rng *rand.Rand) []vec {
		return mapped(normals(rng, 60, 2), func(x vec) vec { return vec{x[0] + 1e9, x[1] - 1e9} })
	}},
	// The dual rises to 2C, at once, or as soon as rounding has called for rows by Eval.
	{"one image", Polynomial{4, 1e4, 0}, Options{C: 150, Tol: 1e-3, MaxIter: 1000},
		func(rng *rand.Rand) []vec {
			x := normals(rng, 1, 22)[0]
			return []vec{x, multipleOf(-1, x)}
		}},
}

func mod4(n int) vec { return build(n, func(i int) float64 { return float64(i % 4) }) }

func TestCertificates(t *testing.T) {
	kernels := rowKernels(denseOf, scaled(2))
	delete(kernels, "Sigmoid")
	for name, k := range kernels { // sparse points have the same images
		run(t, name, "", func(t *T) {
			sparse, solved := rowKernels(OnSparse, twice)[name], 0
			for draw := range fewer(30, 10) {
				rng := random(uint64(draw))
				power := func(least, most int) float64 {
					return math.Pow(10, float64(least+rng.IntN(most-least+1)))
				}
				xs, ys := pointsIn(power(-3, 4), power(-4, 1))(rng)[:5+rng.IntN(40)], signs(rng, 45)
				o := Options{C: power(-6, 8), Tol: power(-12, -3), MaxIter: 20000}
				what, zs := fmt.Sprint(draw), mapped(xs, NewSparse)
				solved += int(oneIf(certify(t, xs, ys[:len(xs)], k, o, what) == nil))
				solved += int(oneIf(certify(t, zs, ys[:len(xs)], sparse, o, what+" sparse") == nil))
			}
			enough(t, solved, fewer(30, 10), "a problem was solved")
		})
	}
	for _, p := range hardToCertify {
		run(t, p.name, "", func(t *T) {
			for draw := range uint64(10) {
				rng := random(draw)
				xs, what := p.points(rng), fmt.Sprint("draw ", draw)
				equal(t, certify(t, xs, signs(rng, len(xs)), p.k, p.o, what), nil, "%s", what)
			}
		})
	}
	far := mapped(normals(random(3), 200, 2), scaled(20)) // rows by columns are not good enough
	m := must(Train(far, signs(random(4), 200), RBF{1}, Options{C: 1e3, Tol: 1e-10}))(t)
	atMost(t, m.KKT.Rounding, 1e-12, "rounding after rows by Eval")
	xs, ys := build(600, func(i int) vec { return vec{1e5 + float64(i%2)} }), signs(random(1), 600)
	m = must(Train(xs, ys, Linear{}, Options{C: 9}))(t) // k is exact, but sums are long
	agree(t, Verify(m, xs, ys, Options{C: 9}).Violation, m.KKT.Violation, 1e-7, "by Verify")
	atMost(t, m.KKT.Rounding, 1e-7, "rounding, but for what b takes")
}

// # The judge of duals
//
// An answer is a β with a b. No second solver is needed: exact sums of the data say whether D(β)
// and the bound P(β, b) of D* meet (B3). A dual without an optimum has a ray as its proof.

// plainSMO returns the last point of SMOSteps.
func plainSMO(d Dual, tol float64, maxIter int) (last *DualSolution) {
	for last = range SMOSteps(d, SMOOptions{Tol: tol, MaxIter: maxIter}) {
	}
	return last
}

// A dualTrial is an answer on trial. All of its numbers come from β and the data, not the solver.
type dualTrial struct {
	d   Dual
	s   *DualSolution
	tol float64 // the violation of KKT at which the solver was told to stop

	g              vec     // p − Kβ, exact and then rounded, as up, low and value
	up, low, value float64 // max_up g, min_low g, D(β)
	primal         float64 // the least upper bound of D that (β, b) give
	beyond         float64 // the worst gᵢ − b that points to an infinite side
	aside          float64 // |b − the mean g of free variables, or ½(up + low) if none is|
	reach          float64 // Σ|βᵢ| + Σ(hiᵢ − loᵢ), without infinite ones
	noise          float64 // what rounding may do to a gᵢ: n roundings of the largest term
}

// newDualTrial computes these numbers. For β in the box and any b, D is below its tangent at β, and
//
//	P(β, b) = ½βᵀKβ + bs + Σᵢ max{(gᵢ − b)v : loᵢ ≤ v ≤ hiᵢ} ≥ D*                         (B3)
//
// which for classification is ½‖w‖² + Σ Cᵢξᵢ (A6). Infinite terms are left out, and are in beyond.
func newDualTrial(d Dual, s *DualSolution, tol float64) *dualTrial {
	k, a := d.K.(*Matrix), &dualTrial{d: d, s: s, tol: tol, reach: sizeOf(s.Beta)}
	a.g = build(len(d.P), func(i int) float64 { return exactSum(d.P[i], -1, k.Row(i), s.Beta) })
	a.noise = float64(len(d.P)+8) * 0x1p-51 * (largestOf(d.P) + largestOf(k.Data)*a.reach)
	a.up, a.low = d.Bias(s.Beta, a.g)
	a.value = exactSum(0, .5, d.P, s.Beta) + exactSum(0, .5, a.g, s.Beta)
	a.primal = exactSum(d.Sum*s.B, 1, d.P, s.Beta) - a.value
	if middle := a.up/2 + a.low/2; !math.IsInf(middle, 0) && middle == middle {
		a.aside = math.Abs(s.B - middle)
	}
	var free vec
	for i, g := range a.g {
		if d.Lo[i] < s.Beta[i] && s.Beta[i] < d.Hi[i] {
			free = append(free, g)
			mean := min(max(sumOf(free)/float64(len(free)), s.BLo), s.BHi)
			a.aside = math.Abs(s.B - mean)
		}
		if w := d.Hi[i] - d.Lo[i]; !math.IsInf(w, 1) {
			a.reach += w
		}
		side := map[bool]float64{true: d.Lo[i], false: d.Hi[i]}[g < s.B]
		if !math.IsInf(side, 0) {
			a.primal += (g - s.B) * side
		} else {
			a.beyond = max(a.beyond, math.Abs(g-s.B))
		}
	}
	return a
}

// exactSum returns start + c·Σ xᵢzᵢ as if computed with twice the digits, and then rounded: lost
// adds up what the products and the sums lose (FMA; Knuth). For c a power of two, cxᵢ is exact.
func exactSum(start, c float64, x, z vec) float64 {
	sum, lost := start, 0.0
	for i, v := range x {
		product := float64(c * v * z[i])
		next := sum + product
		arrived := next - sum
		lost += math.FMA(c*v, z[i], -product) + (product - arrived) + (sum - (next - arrived))
		sum = next
	}
	return sum + lost
}

// apart is |x − y|, and 0 for equal infinities.
func apart(x, y float64) float64 {
	if x == y {
		return 0
	}
	return math.Abs(x - y)
}

// judge checks the conditions, each a number that must not exceed its limit. A run that has ended
// early satisfies them up to its Violation, which has to be true.
func (a *dualTrial) judge(t testing.TB, what string, args ...any) {
	t.Helper()
	s, size := a.s, sizeOf(a.s.Beta)
	outside, excess := a.d.Infeasibility(s.Beta)
	rounds := float64(len(a.g) + 32 + s.Iterations)             // a step rounds two βs
	rounding := rounds * 0x1p-52 * max(size, math.Abs(a.d.Sum)) // of Σβ
	most, visible := max(a.tol, s.Violation), a.tol/8+a.noise
	for _, c := range []struct {
		name       string
		got, limit float64
	}{
		{"lo ≤ β ≤ hi", outside, 0}, {"Σβ = s", excess, rounding},
		{"Objective = D(β)", apart(s.Objective, a.value), visible*size + a.noise},
		{"B6, gᵢ ≤ b where hi = ∞, gᵢ ≥ b where lo = −∞", a.beyond, most + a.noise},
		// P − D = Σ(gᵢ−b)⁺(hiᵢ−βᵢ) + (gᵢ−b)⁻(βᵢ−loᵢ): a factor of each is at most the violation.
		{"B3, P = D", a.primal - a.value, most*(1+a.reach) + a.noise*a.reach},
		// With BLo ≤ B ≤ BHi: gᵢ ≤ b + tol where βᵢ may rise, and gᵢ ≥ b − tol where it may fall.
		{"E2, Violation", apart(s.Violation, max(0, a.up-a.low)), visible},
		{"B7, BLo", apart(s.BLo, min(a.up, a.low)), visible},
		{"B7, BHi", apart(s.BHi, max(a.up, a.low)), visible},
		{"B7, B in [BLo, BHi]", max(s.BLo-s.B, s.B-s.BHi), 0},
		{"B7, b the mean of the free g, or in the middle", a.aside, visible},
	} {
		atMost(t, c.got, c.limit, "%s: %s: off by", fmt.Sprintf(what, args...), c.name)
	}
}

// judgeHulls checks that err has a proof that d is unbounded: λ ≥ 0 with sum 1 over each class, so
// that, with signs, λ is a ray: Kλ = 0, and D rises along it.
func judgeHulls(t testing.TB, d Dual, err error, what string) {
	t.Helper()
	var proof *NotSeparableError
	if !errors.Is(err, ErrNotSeparable) || !errors.As(err, &proof) {
		t.Errorf("%s: error %v, want a NotSeparableError", what, err)
		return
	}
	ray := build(len(d.P), func(i int) float64 { // down where there is no lower bound
		return proof.Lambda[i] * (1 - 2*oneIf(math.IsInf(d.Lo[i], -1)))
	})
	const few = 1e-9 // far above the rounding of a few numbers below 1
	q := must(d.QP())(t)
	qpCase{name: what, q: q, tol: few}.judgeRay(t, startingPoint(d, nil), ray)
	atMost(t, -slices.Min(proof.Lambda), 0, "%s: −λ", what)
	agreeAll(t, vec{sizeOf(ray), sumOf(ray)}, vec{2, 0}, few, "%s: Σλ, Σ±λ", what)
	agree(t, proof.Distance*proof.Distance, quadraticForm(q.Q, ray), 1e-8, "%s: Distance²", what)
}

// # Problems × solvers × conditions

// machineDual returns the dual of classification (B2): p = y, s = 0, βᵢ between 0 and C·wᵢ·yᵢ. A
// weight of 0 drops the point, from the hard margin too; no weights are weights of 1.
func machineDual(k Gram, ys vec, c float64, weights vec) Dual {
	d := Dual{K: k, P: ys, Lo: make(vec, len(ys)), Hi: make(vec, len(ys))}
	for i, y := range ys {
		bound := c
		if weights != nil && weights[i] == 0 {
			bound = 0
		} else if weights != nil {
			bound = c * weights[i]
		}
		d.Lo[i], d.Hi[i] = min(0, y*bound), max(0, y*bound)
	}
	return d
}

// gramBy returns K, from Eval alone.
func gramBy(k Kernel[vec], xs []vec) *Matrix {
	return matrixOf(len(xs), len(xs), func(i, j int) float64 { return k.Eval(xs[i], xs[j]) })
}

var quadratic, manyC = Polynomial{Degree: 2, Coef: 1}, vec{0x1p-10, .125, .5, 1, 1, 3, 16, 1e3, 1e6}

// smallDuals returns a source of machines on two to six points with integer coordinates up to most,
// which are often in the same place, with weights from ws and C from cs. Their K are exact.
func smallDuals(dim, most int, k Kernel[vec], ws vec, cs ...float64) func(rng *rand.Rand) Dual {
	return func(rng *rand.Rand) Dual {
		n := 2 + rng.IntN(5)
		k, ys := gramBy(k, integers(rng, n, dim, most)), signs(rng, n)
		weights := build(n, func(int) float64 { return ws[rng.IntN(len(ws))] })
		return machineDual(k, ys, cs[rng.IntN(len(cs))], weights)
	}
}

// clouds returns a source of machines on n points of classes that overlap, after a change of them.
func clouds(n int, k Kernel[vec], c float64, change func(xs []vec)) func(*rand.Rand) Dual {
	return func(rng *rand.Rand) Dual {
		xs, ys := normals(rng, n, 2), signs(rng, n)
		for i, x := range xs {
			x[0], x[1] = x[0]+ys[i]/2, x[1]*(1+ys[i]/4)
		}
		if change != nil {
			change(xs)
		}
		return machineDual(gramBy(k, xs), ys, c, nil)
	}
}

// inUnits multiplies the two features by a and b, and every point by one of 17 powers of ratio.
func inUnits(a, b, ratio float64) func(xs []vec) {
	return func(xs []vec) {
		for i, x := range xs {
			far := math.Pow(ratio, float64(i%17))
			x[0], x[1] = a*far*x[0], b*far*x[1]
		}
	}
}

// anyDual returns a source of duals of least to most variables with any p, any box, in part
// half-open, and any sum that it allows: those of regression and of one class are of this kind.
func anyDual(least, most int, k Kernel[vec], open bool) func(rng *rand.Rand) Dual {
	return func(rng *rand.Rand) Dual {
		n := least + rng.IntN(most-least+1)
		d := machineDual(gramBy(k, integers(rng, n, 1+rng.IntN(4), 2)), make(vec, n), 1, nil)
		corner := rng.IntN(4) == 0 // the only point
		for i := range d.P {
			at := float64(rng.IntN(5) - 2)
			d.P[i], d.Sum = float64(rng.IntN(7)-3), d.Sum+at
			d.Lo[i], d.Hi[i] = at-float64(rng.IntN(3)), at+float64(rng.IntN(3))
			if open && rng.IntN(2) == 0 {
				d.Lo[i], d.Hi[i] = at, inf
				if d.P[i] < 0 {
					d.Lo[i], d.Hi[i] = -inf, at
				}
			} else if corner {
				d.Lo[i] = at
			}
		}
		return d
	}
}

// A source makes count problems. Those of six variables or fewer are compared with exactDual.
type source struct {
	name   string
	count  int
	make   func(rng *rand.Rand) Dual
	closed vec // the interval of b and D* in closed form; D* = +Inf if the hulls meet
}

// toy returns the source of one problem whose answer is known.
func toy(name string, xs []vec, ys vec, k Kernel[vec], c float64, closed ...float64) source {
	d := machineDual(gramBy(k, xs), ys, c, nil)
	return source{name, 1, func(*rand.Rand) Dual { return d }, closed}
}

var (
	toyTwo, toyMiddle = []vec{{2, 0}, {0, 0}}, []vec{{-1}, {0}, {1}}
	toyLine, toySides = []vec{{-2}, {-1}, {1}, {2}}, vec{-1, -1, 1, 1}
)

// Two points at distance Δ, one of each class: D(α) = 2α − ½α²Δ², so α = min(C, 2/Δ²), and b makes
// f = ±1 there or, at α = C, keeps f(x₊) ≤ 1 and f(x₋) ≥ −1. So it is in several other toys.
var sources = []source{
	toy("two points", toyTwo, vec{1, -1}, Linear{}, inf, -1, -1, .5),
	toy("two points, bound", toyTwo, vec{1, -1}, Linear{}, .25, -1, 0, .375),
	toy("threshold, bound", toyLine, toySides, Linear{}, .0625, -.25, .25, .1796875),
	toy("between", toyMiddle, vec{1, -1, 1}, Linear{}, 1, 1, 1, 2), // w = 0, f = 1
	toy("between, hard", toyMiddle, vec{1, -1, 1}, Linear{}, inf, 0, 0, inf),
	toy("both to bounds", []vec{{.3, -1.6}, {.3, 1.8}, {0, -.2}, {-1.2, -.4}}, vec{1, 1, 1, -1},
		Linear{}, .1, .996, 1.004, .1926), // rounding must leave no variable free
	toy("XOR", xorPoints, xorLabels, quadratic, 10, 0, 0, .25),      // (Ky)ᵢ = (9 − 1)yᵢ
	toy("XOR, linear", xorPoints, xorLabels, Linear{}, 1, -1, 1, 4), // w = 0
	{"grid", 40, smallDuals(2, 2, Linear{}, vec{1}, manyC...), nil},
	{"weights", 40, smallDuals(2, 2, Linear{}, vec{0, .25, 1, 1, 8}, manyC...), nil},
	{"space", 40, smallDuals(5, 1, Linear{}, vec{1}, manyC...), nil},
	{"quadratic", 40, smallDuals(2, 2, quadratic, vec{1}, manyC...), nil},
	{"hard, line", 40, smallDuals(1, 4, Linear{}, vec{1}, inf), nil},
	{"hard, grid", 40, smallDuals(2, 3, Linear{}, vec{1}, inf), nil},
	{"hard, quadratic", 40, smallDuals(2, 2, quadratic, vec{1}, inf), nil},
	{"zero matrix", 10, smallDuals(1, 0, Linear{}, vec{1}, manyC...), nil},
	{"any box", 60, anyDual(2, 6, Linear{}, false), nil},
	{"half-open", 60, anyDual(2, 6, Linear{}, true), nil},
	{"large, any box", 4, anyDual(50, 60, RBF{.5}, false), nil},
	{"cloud", 2, clouds(60, RBF{1}, 1, nil), nil},
	{"cloud, C = 10⁻⁶", 1, clouds(60, RBF{1}, 1e-6, nil), nil},
	{"cloud, C = 10⁶", 1, clouds(60, RBF{1}, 1e6, nil), nil},
	{"cloud, linear, C = 10⁶", 1, clouds(60, Linear{}, 1e6, nil), nil},
	{"cloud, quadratic, C = 10⁴", 4, clouds(40, quadratic, 1e4, nil), nil},
	{"cloud, cubic", 1, clouds(100, Polynomial{Coef: 1}, 10, inUnits(.01, .01, 1.7783)), nil},
	{"wide Gaussian", 1, clouds(60, RBF{.01}, 1000, nil), nil},
	{"one point, many times", 1, clouds(60, RBF{1}, 1, inUnits(0, 0, 1)), nil},
	{"unlike features", 1, clouds(60, Linear{}, 1, inUnits(1e3, 1e-3, 1)), nil},
	{"tiny features", 1, clouds(60, Linear{}, 1, inUnits(1e-150, 1e-150, 1)), nil},
}

// A dualSolver may have a tolerance of its own. Without answer and error a problem is not for it.
type dualSolver struct {
	name  string
	tol   float64
	solve func(d Dual, tol float64) (*DualSolution, error)
}

func smoWith(name string, tol float64, o SMOOptions) dualSolver {
	return dualSolver{name, tol, func(d Dual, tol float64) (*DualSolution, error) {
		o.Tol = tol
		if o.Start != nil { // somewhere, and outside the box
			o.Start = build(len(d.P), func(i int) float64 {
				return float64(i%3-1) * min(3, 2*(d.Hi[i]-d.Lo[i]))
			})
		}
		return SMO(d, o)
	}}
}

var dualSolvers = []dualSolver{
	smoWith("SMO", 1e-3, SMOOptions{}), smoWith("SMO, tight", 0, SMOOptions{}),
	smoWith("SMO, four rows of cache", 0, SMOOptions{CacheBytes: 1}),
	smoWith("SMO, two workers", 0, SMOOptions{Workers: 2}),
	smoWith("SMO, from a start", 0, SMOOptions{Start: vec{}}),
	{"SMO, a few steps", 0, func(d Dual, tol float64) (*DualSolution, error) {
		s, err := SMO(d, SMOOptions{Tol: tol, MaxIter: 7})
		if errors.Is(err, ErrNotConverged) { // its report is to be true all the same
			err = nil
		}
		return s, err
	}},
	{"SMOSteps", 0, func(d Dual, tol float64) (*DualSolution, error) {
		s := plainSMO(d, tol, 3000)
		if s == nil || s.Violation > tol { // D grows without bound, or it takes too long
			return nil, nil
		}
		return s, nil
	}},
}

// tightFor is a tolerance far below what answers differ by, and above what rounding hides. Interior
// points apply theirs to the gap, too, a difference of sums of βᵢKᵢⱼβⱼ.
func tightFor(d Dual) (tol, interior float64) {
	large, size := largestOf(d.K.(*Matrix).Data), 0.0
	if s, err := SMO(d, SMOOptions{}); err == nil { // else there will be no answer
		size = sizeOf(s.Beta)
	}
	tol = max(1e-10, float64(len(d.P))*0x1p-46*large*size)
	return tol, max(tol, 1e-10*size, 0x1p-52*large*size*size)
}

// Every solver, on every problem, satisfies every condition, or proves that the dual is unbounded.
func TestProblems(t *testing.T) {
	solved := map[string]int{}
	for _, p := range sources {
		rng := random(7)
		run(t, p.name, "", func(t *T) {
			duals := build(p.count, func(int) Dual { return p.make(rng) })
			if s, err := SMO(duals[0], SMOOptions{Tol: 1e-12}); p.closed != nil && err == nil {
				agreeAll(t, vec{s.BLo, s.BHi, s.Objective}, p.closed, 1e-11, "b, b, D*")
			} else if p.closed != nil {
				equal(t, inf, p.closed[2], "D*")
			}
			solveAll(t, duals, solved)
		})
	}
	run(t, "enough", "", func(t *T) { // is left out if -run asks for one of the others
		equal(t, len(solved), len(dualSolvers)+1, "the number of solvers")
		for name, count := range solved {
			enough(t, count, 100, name+" finds an optimum")
		}
	})
}

// solveAll lets every solver solve the duals, and judges the answers, which it counts in solved.
func solveAll(t *T, duals []Dual, solved map[string]int) {
	describe := func(i int) string {
		if d := duals[i]; len(d.P) <= 6 {
			return fmt.Sprintf("K %v, P %v, box %v %v, Sum %v", d.K, d.P, d.Lo, d.Hi, d.Sum)
		}
		return fmt.Sprint("problem ", i)
	}
	for _, s := range dualSolvers {
		t.Run(s.name, func(t *T) {
			for i, d := range duals {
				tight, _ := tightFor(d)
				tol := cmp.Or(s.tol, tight)
				switch sol, err := s.solve(d, tol); {
				case err != nil:
					judgeHulls(t, d, err, describe(i))
				case sol != nil:
					a := newDualTrial(d, sol, tol)
					a.judge(t, "%s", describe(i))
					for j, g := range sol.grad { // SMOSteps has none
						off := math.Abs(g-a.g[j]) * oneIf(d.Lo[j] < d.Hi[j])
						atMost(t, off, sol.rounding, "%s: the error of g", describe(i))
					}
					done := sol.Violation <= tol
					check(t, done || sol.Iterations == 7, "%s: %+v", describe(i), sol)
					solved[s.name] += int(oneIf(done))
				}
			}
		})
	}
	t.Run("interior point", func(t *T) {
		for i, d := range duals {
			_, tol := tightFor(d)
			c := qpCase{name: describe(i), q: must(d.QP())(t), tol: tol}
			if _, err := c.judge(t); err == nil {
				solved["interior point"]++
			} else {
				equal(t, err, ErrUnbounded, "%s: the verdict", c.name)
			}
		}
	})
}

// # What each idea saves

// A countedGram counts the values of K that a run computes. It is its own Rows when it is open.
type countedGram struct {
	Gram
	Rows
	cost   float64
	values atomic.Int64
}

func (g *countedGram) Open() Rows {
	g.Rows = g.Gram.Open()
	return g
}

func (g *countedGram) about() facts { return facts{g.cost, kernelEps} }

func (g *countedGram) Row(dst []float64, i, from int) {
	g.values.Add(int64(len(dst)))
	g.Rows.Row(dst, i, from)
}

// allFree returns a source of duals with bounds ±c, so that at the start all variables are free.
func allFree(n int, k Kernel[vec], c float64) func(rng *rand.Rand) Dual {
	return func(rng *rand.Rand) Dual {
		return Dual{K: gramBy(k, normals(rng, n, 2)), P: normals(rng, 1, n)[0],
			Lo: slices.Repeat(vec{-c}, n), Hi: slices.Repeat(vec{c}, n)}
	}
}

// Kernels that differ from x·z by what changes no solution, as Σβ is fixed; x·z in five decimals.
var (
	shifted  = KernelFunc[vec](func(x, z vec) float64 { return Dot(x, z) + 1e4 })
	distance = KernelFunc[vec](func(x, z vec) float64 { return -squareNorm(minus(x, z)) / 2 })
	decimals = KernelFunc[vec](func(x, z vec) float64 { return math.Round(Dot(x, z)*1e5) / 1e5 })
)

var (
	usual, loose, tight   = SMOOptions{}, SMOOptions{Tol: .01}, SMOOptions{Tol: 1e-5}
	fourRows, sixty, many = SMOOptions{CacheBytes: 1}, SMOOptions{CacheBytes: 60 * 8 * 300},
		SMOOptions{CacheBytes: 1 << 20}
)

// Problems on which an idea matters: with it broken, a run takes more steps, or more rows of K, or
// ends worse. Bounds are little more than any processor needs. plainSMO takes over plain steps.
var ideas = []struct {
	name               string
	cost               float64 // of a value of K
	o                  SMOOptions
	steps, rows, plain int
	violation          float64
	make               func(rng *rand.Rand) Dual
}{
	{"Newton", 1, usual, 880, 220, 30000, 1e-9, clouds(200, Linear{}, 1e4, nil)},
	{"Newton, Gaussian", 1, tight, 2150, 1500, 30000, 1e-9, clouds(300, RBF{2}, 1e3, nil)},
	{"polish", 1, usual, 50, 80, 0, 1e-12, clouds(100, RBF{.05}, 1, nil)},
	{"origin: x·z + 10⁴", 1, usual, 920, 225, 30000, 1e-7, clouds(200, shifted, 1e4, nil)},
	{"origin: −‖x − z‖²/2", 1, usual, 1150, 225, 0, 1e-6, clouds(200, distance, 1e4, nil)},
	{"ridge", 1, usual, 2500, 600, 0, 1e-4, clouds(500, decimals, 1e3, nil)},
	{"patience", 1, fourRows, 450_000, 34_000, 0, 1e-3, clouds(500, decimals, 1e5, nil)},
	{"large units", 1, usual, 1000, 350, 0, 1e-3, clouds(200, Linear{}, 1e3, inUnits(1e4, 1e4, 1))},
	{"quota", 1, usual, 580, 600, 0, 1e-3, allFree(400, Linear{}, 1e4)},
	{"quota grows", 1, usual, 4100, 2600, 0, 1e-9, allFree(250, RBF{16}, 1e3)},
	{"far apart", 1, loose, 450, 56, 0, .01, // distances from 0.01 to 100
		clouds(60, Polynomial{6, 1, 1}, 1, inUnits(.01, .01, 1.7783))},
	{"many workers", 500, many, 700, 570, 0, 1e-3, clouds(700, RBF{1}, 10, nil)},
	{"each row once", 300, usual, 750, 240, 0, 1e-9, clouds(300, RBF{2}, 1e3, nil)},
	{"shrinking", 1, fourRows, 2000, 2800, 0, 1e-3, clouds(600, RBF{2}, 10, nil)},
	{"memory that pays", 30, usual, 790, 510, 0, 1e-9, clouds(600, RBF{2}, 10, nil)},
	{"little cache", 1, sixty, 550, 800, 0, 1e-9, clouds(300, RBF{2}, 10, nil)},
}

func TestIdeas(t *testing.T) {
	for _, c := range ideas {
		run(t, c.name, "", func(t *T) {
			d, tol := c.make(random(3)), cmp.Or(c.o.Tol, 1e-3)
			seen := &countedGram{Gram: d.K, cost: c.cost}
			s := must(SMO(Dual{seen, d.P, d.Lo, d.Hi, d.Sum}, c.o))(t)
			newDualTrial(d, s, tol).judge(t, "SMO")
			atMost(t, float64(s.Iterations), float64(c.steps), "steps")
			atMost(t, float64(seen.values.Load())/float64(len(d.P)), float64(c.rows), "rows")
			atMost(t, s.Violation, c.violation, "violation")
			plain := c.plain == 0 || plainSMO(d, tol, c.plain).Violation > tol
			check(t, plain, "void: plainSMO takes fewer than %d steps", c.plain)
		})
	}
}

// With few features SMO soon goes on at the end of a path, to the optimum of the Gram matrix.
func TestFewFeatures(t *testing.T) {
	xs, ys := twoClouds(2000, 0.9, 5) // and a feature that few have, and one far from 0
	for i := range xs {
		xs[i] = append(xs[i], float64(i%7/6), 10+xs[i][0]*xs[i][1])
	}
	gram, weights := GramMatrix(Linear{}, xs), combination(mod4(2000), 1, repeated(2000, 1))
	for c, most := range map[float64]float64{1e-4: 250, 1: 250, 1e4: 320} {
		run(t, fmt.Sprint("C = ", c), "", func(t *T) {
			must(Train(xs[:1000], ys[:1000], KernelFunc[vec](Dot), Options{C: c}))(t)
			calls, tol := 0, 1e-9*max(1, c) // the price, and so the rounding in g, is as large
			o := Options{C: c, Tol: tol, Weights: weights}
			m, d := must(Train(xs, ys, Linear{}, o))(t), machineDual(gram, ys, c, weights)
			other := must(SMO(d, SMOOptions{Tol: tol}))(t)
			agree(t, m.KKT.Dual, other.Objective, 1e-9, "the dual, and that of the matrix")
			v := Verify(m, xs, ys, o)
			atMost(t, v.Violation, tol+v.Rounding+m.KKT.Rounding, "Violation by Verify")
			atMost(t, float64(m.KKT.Iterations), most, "steps before the path and after it")
			o.Workers = 3
			equal(t, must(Train(xs, ys, Linear{}, o))(t).Alpha, m.Alpha, "α with three workers")
			o.Observe = func(s *DualSolution) bool {
				agree(t, s.Objective, d.Objective(s.Beta), 1e-6, "the objective shown")
				box, sum := d.Infeasibility(s.Beta)
				atMost(t, max(box, sum/c), 1e-9, "infeasibility of the point shown")
				calls++
				return calls < 5
			}
			refused(t, errorOf(Train(xs, ys, Linear{}, o)), ErrNotConverged, "observer", "Train")
			equal(t, calls, 5, "calls of an observer")
		})
	}
	tiny := must(Train(mapped(xs, scaled(1e-10)), ys, Linear{}, Options{C: 1e20}))(t).KKT
	check(t, tiny.Iterations < 500, "%d steps where the path gets lost", tiny.Iterations)
	wide := normals(random(5), 1000, 60) // so many features that the path comes late, but it comes
	ts := mapped(wide, func(x vec) float64 { return x[0] + .3*x[1]*x[2] })
	late := must(Train(wide, ys[:1000], Linear{}, Options{C: 1e4}))(t).KKT.Iterations
	slow := must(SMO(machineDual(gramBy(Linear{}, wide), ys[:1000], 1e4, nil), usual))(t).Iterations
	regress := must(Regress(wide, ts, Linear{}, .1, Options{C: 1e4}))(t).KKT.Iterations
	check(t, 100 < late && late < 750 && 2*late < slow && regress < 1100,
		"%d steps, %d slow, %d of a regression", late, slow, regress)
	// By (10), or as (2) for any Q and G: the same solution, the same products.
	phi := &sparseMatrix{5, mapped(xs[:9], func(x vec) Sparse { return NewSparse(append(x, 1)) })}
	found, g := [2]vec{}, []constraint{{row: repeated(9, 1)}}
	for _, sign := range []float64{-1, 1} {
		g = append(g, build(9, func(i int) constraint { return constraint{j: i, sign: sign} })...)
	}
	tau := append(vec{0}, mapped(integers(random(1), 1, 18, 9)[0], math.Exp)...)
	r := integers(random(2), 1, 28, 9)[0]
	for i, k := range []system{&thin{phi: phi, theta: make(vec, 9)},
		&saddle{q: gramBy(Linear{}, xs[:9]), g: g}} {
		z, e := make(vec, 28), slices.Clone(r)
		k.factor(tau)
		k.solve(z[:9], z[9:], tau, r[:9], r[9:], 0)
		k.subtract(e[:9], e[9:], r[:9], r[9:])
		found[i] = append(z, e...)
	}
	agreeAll(t, found[0], found[1], 1e-9, "x, z and the products")
}

// testSteps follows a run step by step. A step of two variables goes as far as (E1) says, and is
// mostly that of SMOSteps. Any other step is a Newton phase: most of them leave all free variables
// the same g, and in many of them several variables come to a bound.
func testSteps(t *T) {
	pairs, plain, phases, level, bounds := 0, 0, 0, 0, 0
	for trial := range 6 {
		k := []Kernel[vec]{RBF{2}, Linear{}}[trial%2]
		d := clouds(40+10*(trial%3), k, math.Pow(3, float64(trial)), nil)(random(uint64(trial)))
		last := newDualTrial(d, &DualSolution{Beta: make(vec, len(d.P))}, 0)
		for steps, err := 1, error(ErrNotConverged); err != nil; steps++ {
			s := (*DualSolution)(nil)
			s, err = SMO(d, SMOOptions{MaxIter: steps})
			a := newDualTrial(d, s, 1e-3)
			a.judge(t, "trial %d, step %d", trial, steps)
			atMost(t, last.value-a.value, a.noise*(1+a.reach), "step %d: D falls by", steps)
			beta, g, k := last.s.Beta, last.g, d.K.(*Matrix)
			by := minus(s.Beta, beta)
			moved := indices(len(by), func(i int) bool { return by[i] != 0 })
			free := indices(len(by), func(i int) bool {
				return d.Lo[i] < s.Beta[i] && s.Beta[i] < d.Hi[i]
			})
			if even := rowsAt(a.g, free); len(moved) == 2 {
				i, j := slices.Index(by, slices.Max(by)), slices.Index(by, slices.Min(by))
				top := (g[i] - g[j]) / (k.At(i, i) + k.At(j, j) - 2*k.At(i, j))
				want := min(top, d.Hi[i]-beta[i], beta[j]-d.Lo[j])
				agree(t, by[i], want, 1e-8, "E1, from %v", beta)
				pairs++
				for next := range SMOSteps(d, SMOOptions{Start: beta, MaxIter: 1}) {
					plain += int(oneIf(largestOf(minus(next.Beta, s.Beta)) <= 1e-8))
				}
			} else if phases++; slices.Max(even)-slices.Min(even) <= 1e-8 {
				level, bounds = level+1, bounds+max(0, len(moved)-len(free))
			}
			last = a
		}
	}
	// A step to a bound ends there exactly, although 10 − 9.9 is less than 0.1.
	for i, start := range []vec{{-10, 20}, {-20, 10}} { // to the upper bound of 0, the lower of 1
		d := Dual{diagonalOf(1e-6, 1e-6), vec{1, 0}, vec{-99, 0.1}, vec{0.1, 99}, sumOf(start)}
		for s := range SMOSteps(d, SMOOptions{Start: start}) {
			check(t, s.Iterations == 0 || s.Beta[i] == 0.1, "SMOSteps: β = %v at 0.1", s.Beta)
		}
	}
	enough(t, plain*10, max(pairs*9, 4000), "ten times: the step is that of SMOSteps")
	enough(t, level*10, max(phases*8, 200), "ten times: a phase leaves the free ones the same g")
	enough(t, bounds, level, "a variable comes to a bound in a phase")
}

func TestSMORefuses(t *testing.T) {
	big, o := math.MaxFloat64, SMOOptions{}
	dual := func(bound float64, rows ...vec) Dual {
		return machineDual(matrix(rows...), vec{1, -1, 1}[:len(rows)], bound, nil)
	}
	one := dual(1, vec{1, 0, 0}, vec{0, 1, 0}, vec{0, 0, 1})
	saddle, deep := []vec{{1, 0, 3}, {0, 1, 3}, {3, 3, 1}}, dual(1, vec{-1e300, 0}, vec{0, -1e300})
	deep.Lo, deep.Hi, deep.Sum = vec{1e10, 1e10}, vec{3e10, 3e10}, 4e10
	for _, c := range []struct {
		name string
		d    Dual
		o    SMOOptions
		is   error
		says string
	}{
		{"NaN in K", dual(1, vec{1, nan}, vec{nan, 1}), o, ErrNotFinite, "points"},
		{"NaN in front", dual(1, vec{1, 0}, vec{nan, 1}), o, ErrNotFinite, "points"},
		{"NaN on the diagonal", dual(1, vec{1, 0}, vec{0, nan}), o, ErrNotFinite, "point 1 "},
		{"indefinite", dual(1, saddle...), o, ErrIndefinite, ""},
		{"indefinite, no box", dual(inf, saddle...), o, ErrIndefinite, ""},
		{"indefinite, a huge box", dual(big, saddle...), o, ErrIndefinite, ""},
		{"negative Kᵢᵢ", dual(1, vec{-1, 0}, vec{0, 1}), o, ErrIndefinite, ""},
		{"asymmetric", dual(1, vec{1, .5}, vec{-.5, 1}), o, ErrIndefinite, "comes first"},
		{"slightly asymmetric", dual(1, vec{1, 0}, vec{2e-4, 1}), o, ErrIndefinite, "first"},
		{"no start has a value", deep, o, ErrNotFinite, "overflows"},
		{"NaN in Start", one, SMOOptions{Start: vec{0, nan, 0}}, ErrNotFinite, "Start[1] is NaN"},
	} {
		s, err := SMO(c.d, c.o)
		refused(t, err, c.is, c.says, "%s", c.name)
		equal(t, s != nil, errors.Is(err, ErrIndefinite), "a point comes with %v", err)
		for s := range SMOSteps(c.d, c.o) {
			check(t, s.Violation >= 0 && s.Objective == s.Objective, "SMOSteps yields %+v", s)
		}
	}
	// Rounding in single precision, of small entries or beside large ones, is not refused.
	must(SMO(dual(1, vec{1e-6, 4e-8}, vec{-4e-8, 1}), o))(t)
	must(SMO(dual(1, vec{0, -1e8}, vec{-1e8 - 10, 0}), o))(t)
	// Hulls that come nearer than 10⁻⁷ of ‖φ‖ meet, and the error says how near.
	near, proof := gramBy(Linear{}, []vec{{1e5}, {1e5 + 1./256}}), &NotSeparableError{}
	errors.As(errorOf(SMO(machineDual(near, vec{1, -1}, inf, nil), o)), &proof)
	agree(t, 256*proof.Distance, 1, 1e-6, "256·Distance for hulls at a distance of 1/256")
	o.Start = vec{1e300, -1e300} // D overflows there
	must(SMO(dual(big, vec{1, 0}, vec{0, 1}), o))(t)
}

// A run ended by an observer has a true report; one that sees only rounding ends soon, and well.
func TestSMOEnds(t *testing.T) {
	d := clouds(200, RBF{2}, 1e5, nil)(random(4))
	for _, most := range []int{1, 3, 1000} { // looks of the observer
		looks, last := []int{0}, vec(nil)
		observe := func(s *DualSolution) bool {
			looks, last = append(looks, s.Iterations), slices.Clone(s.Beta)
			return len(looks) <= most
		}
		s, err := SMO(d, SMOOptions{Tol: 1e-9, Observe: observe})
		equal(t, last, s.Beta, "the β seen last")
		for i, steps := range looks[1:] {
			check(t, steps-looks[i] == 256 || i == 0 || i == len(looks)-2, "looks at %v", looks)
		}
		newDualTrial(d, s, 1e-9).judge(t, "observed")
		if most < 1000 {
			refused(t, err, ErrNotConverged, "observer", "observed")
			equal(t, len(looks), most+1, "looks")
		} else {
			equal(t, err, nil, "the error, observed to the end")
			s = must(SMO(d, SMOOptions{Start: s.Beta}))(t)
			equal(t, s.Iterations, 0, "steps from the optimum")
		}
	}
	xor := machineDual(gramBy(RBF{}, xorPoints), xorLabels, 1, nil)
	equal(t, must(SMO(xor, SMOOptions{Tol: 2}))(t).Iterations, 0, "steps if the violation is Tol")
	s, _ := SMO(xor, SMOOptions{MaxIter: 1})
	for plain := range SMOSteps(xor, SMOOptions{MaxIter: 1}) { // of equals both take the first
		check(t, plain.Iterations == 0 || slices.Equal(plain.Beta, s.Beta), "another step")
	}
	s, err := SMO(d, SMOOptions{MaxIter: 10})
	refused(t, err, ErrNotConverged, "after 10 steps, want 0.001: no", "SMO") // not for rounding
	equal(t, s.Iterations, 10, "steps")
	for _, d := range []Dual{d, clouds(100, Linear{}, 100, inUnits(1e7, 1e6, 1))(random(0))} {
		s, err = SMO(d, SMOOptions{Tol: 1e-300, MaxIter: 400_000})
		refused(t, err, ErrNotConverged, "rounding of kernel values may", "SMO")
		atMost(t, float64(s.Iterations), 3500, "steps")
		a := newDualTrial(d, s, 0)
		a.judge(t, "SMO")
		atMost(t, s.Violation, a.noise/500, "the violation") // by the last phase
	}
}

// # Linear algebra: every identity on every family of matrices

// apartBy returns the largest |aᵢⱼ − bᵢⱼ|, or NaN if an entry is NaN.
func apartBy(a, b *Matrix) float64 { return largestOf(minus(a.Data, b.Data)) }

// skewOf returns how far the columns of v are from orthonormal.
func skewOf(v *Matrix) float64 { return apartBy(v.T().Mul(v), diagonalOf(repeated(v.Cols, 1)...)) }

// roundingOf bounds the rounding of a stable algorithm that changes each of n entries near 1 a few
// times. Right code stays ten times below, a wrong formula is far above.
func roundingOf(n int) float64 { return 10 * 0x1p-52 * float64(n+1) }

// A matrixFamily has a matrix, symmetric if square, and its ascending eigenvalues if known.
type matrixFamily struct {
	name   string
	a      *Matrix
	values vec
}

func matrixFamilies() []matrixFamily {
	const n = 12
	rng, b := random(3), matrix(integers(random(1), n, n, 9)...)
	graded := func(n int, ratio, all float64) *Matrix {
		return matrixOf(n, n, func(i, j int) float64 {
			return all * math.Pow(ratio, float64(i+j)) * (b.At(i, j) + b.At(j, i))
		})
	}
	faint := graded(5, 1, 1e-161) // squares underflow
	faint.Set(0, 0, 1)
	steps := matrixOf(100, 99, func(i, _ int) float64 { // needs many sweeps
		return math.Ldexp(rng.NormFloat64(), -8*(i*61/100))
	})
	return []matrixFamily{
		{"zero", NewMatrix(4, 4), make(vec, 4)},
		{"diagonal", diagonalOf(2, -1, 5, 2, 0), vec{-1, 0, 2, 2, 5}},
		{"ones", matrixOf(n, n, func(_, _ int) float64 { return 1 }), append(make(vec, n-1), n)},
		{"graded up", graded(n, 10, 1), nil}, {"integers", graded(n, 1, 1), nil},
		{"largest", diagonalOf(math.MaxFloat64, -1e308), vec{-1e308, math.MaxFloat64}},
		{"subnormal", matrix(vec{2e-318, 1e-318}, vec{1e-318, 2e-318}), vec{1e-318, 3e-318}},
		{"1e-161 beside 1", faint, vec{0, 0, 0, 0, 1}}, {"0×3", NewMatrix(0, 3), vec{}},
		{"wide", matrix(normals(rng, 9, 40)...), nil}, {"rows in steps of 2⁻⁸", steps, nil},
	}
}

// decomposes checks x = u diag(s) vᵀ with orthonormal columns of u and v: SymEigen has u = v and
// ascending s, SVD is thin and has descending s ≥ 0.
func (f matrixFamily) decomposes(t *T, symmetric bool) {
	x, want, before := f.a, slices.Clone(f.values), slices.Clone(f.a.Data)
	k, size := min(x.Rows, x.Cols), max(5e-324, largestOf(x.Data))
	u, s, v := SVD(x)
	down := func(a, b float64) int { return cmp.Compare(b, a) }
	ordered := slices.IsSortedFunc(append(s, 0), down)
	if symmetric {
		s, v = SymEigen(x)
		u, ordered = v, slices.IsSorted(s)
	} else { // of a symmetric matrix: the absolute eigenvalues
		want = mapped(want, math.Abs)
		slices.SortFunc(want, down)
	}
	equal(t, x.Data, before, "the matrix in the end")
	equal(t, []int{u.Rows, u.Cols, len(s), v.Rows, v.Cols}, []int{x.Rows, k, k, x.Cols, k}, "sizes")
	check(t, ordered, "s = %v is not in order", s)
	tol := roundingOf(max(x.Rows, x.Cols))
	atMost(t, max(skewOf(u), skewOf(v)), tol/8, "‖uᵀu − I‖, ‖vᵀv − I‖") // no ‖vⱼ‖ grows
	tol += 10 * 5e-324 / size                                           // if subnormal
	unit, y := over(s, size), &Matrix{x.Rows, x.Cols, over(f.a.Data, size)}
	atMost(t, apartBy(u.Mul(diagonalOf(unit...)).Mul(v.T()), y), tol, "‖u diag(s) vᵀ − x‖/‖x‖")
	if f.values != nil {
		agreeAll(t, unit, over(want, size), tol, "s/‖x‖")
	}
}

func TestLinalg(t *testing.T) {
	for _, f := range matrixFamilies() {
		if f.a.Rows == f.a.Cols {
			run(t, "SymEigen/"+f.name, "a = v diag(s) vᵀ", func(t *T) { f.decomposes(t, true) })
		}
		run(t, "SVD/"+f.name, "x = u diag(s) vᵀ", func(t *T) { f.decomposes(t, false) })
	}
	agree(t, dotExact(0x1p60, vec{1, 1}, vec{1, -0x1p60}), 1, 0, "2⁶⁰ + 1 − 2⁶⁰")
	run(t, "SVD/graded columns", "if x is orthogonal times diagonal, s has all digits", func(t *T) {
		h := matrix(vec{1, 1, 1, 1}, vec{1, -1, 1, -1}, vec{1, 1, -1, -1}, vec{1, -1, -1, 1})
		_, s, _ := SVD(h.Mul(diagonalOf(1e-60, 1, 1e-120, 1e-20)))
		ratios := vec{s[0] / 2, s[1] / 2e-20, s[2] / 2e-60, s[3] / 2e-120}
		agreeAll(t, ratios, repeated(4, 1), roundingOf(4), "s over (2, 2e-20, 2e-60, 2e-120)")
	})
	run(t, "Products", "every product is its definition", testProducts)
	run(t, "Cholesky", "a = l lᵀ if and only if a is positive definite", testCholesky)
}

func testProducts(t *T) {
	rng := random(4)
	integer := func(_, _ int) float64 { return float64(rng.IntN(199) - 99) }
	for m := range 10 {
		for n := range 14 {
			a, b := matrixOf(m, n, integer), matrixOf(n, 5, integer)
			x, y := repeated(n, 7), repeated(m, 7) // to be overwritten
			equal(t, a.T(), matrixOf(n, m, func(i, j int) float64 { return a.Data[j*n+i] }), "T")
			ab := matrixOf(m, 5, func(i, j int) float64 { return Dot(a.Row(i), b.T().Row(j)) })
			equal(t, a.Mul(b), ab, "%d×%d Mul %d×5", m, n, n)
			a.MulVec(y, b.T().Row(4))
			equal(t, y, ab.T().Row(4), "%d×%d MulVec", m, n)
			a.MulVecT(x, y)
			equal(t, x, a.T().Mul(&Matrix{m, 1, y}).Data, "%d×%d MulVecT", m, n)
		}
	}
	equal(t, MatrixFromRows(nil), NewMatrix(0, 0), "the matrix of no rows")
}

func testCholesky(t *T) {
	rng := random(5)
	for _, n := range []int{0, 1, 2, 3, 4, 5, 8, 9, 31, 32, 33, 35, 64, 67, 134} {
		l := matrixOf(n, n, func(i, j int) float64 {
			if i == j {
				return float64(1 + rng.IntN(3))
			}
			return float64((rng.IntN(7) - 3) * min(1, max(0, i-j)))
		})
		a := l.Mul(l.T())
		for i := range n {
			copy(a.Row(i)[i+1:], repeated(n, math.NaN())) // not to be read
		}
		equal(t, must(Cholesky(a))(t), l, "n = %d: Cholesky(l lᵀ)", n)
	}
	factor := func(rows ...vec) error { return errorOf(Cholesky(matrix(rows...))) }
	refused(t, factor(vec{1, 9}, vec{2, 4}), ErrNotPositiveDefinite, "pivot 1 is 0", "Cholesky")
	refused(t, factor(vec{1, nan}, vec{inf, 1}), ErrNotFinite, "entry (1, 0) is +Inf", "Cholesky")
}

// # Stochastic subgradients

// plainRun is a run as the lectures print it. It returns all W_t = θ_t/(2λt), t ≤ T. A step draws a
// point, or takes all, and adds push(i, W_t zᵢ) times zᵢ. A free bias takes steps 1/√t instead.
func plainRun(zs []vec, batch bool, o SGD, push func(i int, f float64) float64) (all []vec) {
	theta, bias, points := make(vec, len(zs[0])), 0.0, upTo[int](len(zs))
	for t := 1.0; t <= float64(o.Steps); t++ {
		unit := 2 * o.Lambda * t
		if o.FreeBias {
			theta[len(theta)-1] = bias * unit
		}
		all = append(all, over(theta, unit))
		if !batch {
			points = []int{o.Rand.IntN(len(zs))}
		}
		now := theta
		for _, i := range points {
			step := push(i, Dot(now, zs[i])/unit) / float64(len(points))
			bias += step / math.Sqrt(t)
			theta = combination(theta, step, zs[i])
		}
	}
	return all
}

// plusOne is ⟨(x, 1), (z, 1)⟩.
var plusOne = Sum[vec](Linear{}, KernelFunc[vec](func(_, _ vec) float64 { return 1 }))

// inThree returns classes 0, 1, 2, 0, …
func inThree(n int) []int { return build(n, func(i int) int { return i % 3 }) }

// sgdDoors make a run of the hinge, by one point a step or by all of them.
var sgdDoors = []func(xs []vec, ys vec, o SGD) (Hyperplane, error){Pegasos, pegasosByBatches}

func pegasosByBatches(xs []vec, ys vec, o SGD) (Hyperplane, error) {
	o.Batch = true
	return Pegasos(xs, ys, o)
}

// testAverages compares a run with the average of plainRun after Burn, and SGD{} with its manual.
func testAverages(t *T, at int) {
	ties, door := 0, sgdDoors[at]
	for _, p := range []struct {
		n, d, steps int
		lambda      float64 // odd, so that no margin is 1 but for rounding; or 1/16 and integers
	}{
		{3, 2, 1, 0.1017}, {3, 2, 2, 0.1017}, {1, 3, 64, 1.017}, {5, 0, 200, 0.3017},
		{20, 4, 1000, 1.017e-3}, {10, 30, 300, 10.17}, {8, 2, 400, 0.0625},
	} {
		xs, ys := normals(random(uint64(p.steps)), p.n, p.d), signs(random(1), p.n)
		if p.lambda == 0.0625 {
			xs = integers(random(9), p.n, p.d, 2)
		}
		push := func(i int, f float64) float64 {
			ties += int(oneIf(ys[i]*f == 1))
			return ys[i] * oneIf(ys[i]*f < 1)
		}
		for _, free := range []bool{false, true} {
			o := SGD{Lambda: p.lambda, Steps: p.steps, Rand: random(11), FreeBias: free}
			all := plainRun(mapped(xs, WithOne), at == 1, o, push)
			next, size := o.Rand.Uint64(), 1+largestOf(slices.Concat(all...))
			for _, o.Burn = range []int{0, p.steps / 3, p.steps - 1} {
				o.Rand = random(11)
				h, kept := must(door(xs, ys, o))(t), p.steps-o.Burn
				mean := weightedSum(all[o.Burn:], repeated(kept, 1/float64(kept)))
				// Some hundred roundings of numbers as large as any iterate; exp passes them on.
				tol := 1e-12 * size * float64(p.steps) / float64(kept)
				agreeAll(t, coordinates(h), mean, tol, "%v, free bias %v: the average", p, free)
				equal(t, o.Rand.Uint64(), next, "the random number after one draw a step")
			}
		}
	}
	enough(t, ties, 1, "on integers a margin was exactly 1")
	xs, ys, rng := normals(random(12), 50, 3), signs(random(1), 50), rand.New(rand.NewPCG(1, 2))
	usual := SGD{Lambda: 0.01, Steps: []int{15000, 1000}[at], Rand: rng}
	equal(t, must(door(xs, ys, SGD{}))(t), must(door(xs, ys, usual))(t), "SGD{}")
	large := errorOf(door([]vec{{1e200}, {3}, {1e200}}, vec{1, -1, 1}, SGD{}))
	refused(t, large, ErrNotFinite, "margin of point", "a run with large numbers")
}

// # The ledger: E1 to E7, F3 to F5, F7

// corners are eight points whose zᵢ = (x, 1) are orthogonal and √8 long, cornerYs their labels.
var corners, cornerYs = build(8, func(i int) vec {
	return build(7, func(j int) float64 { return 1 - 2*float64(bits.OnesCount(uint(i&(j+1)))%2) })
}), vec{1, 1, 1, 1, 1, -1, -1, -1}

// excessOf returns F(h) − F* at the corners, where the best W = a Σ yᵢzᵢ has all margins 8a.
func excessOf(t *T, h Hyperplane, o SGD) float64 {
	a := min(1./8, 1/(16*o.Lambda))
	f := Objective{o.Lambda, 1. / 8}.At(h, corners, cornerYs) + o.Lambda*h.B*h.B
	agree(t, o.Objective(h, corners, cornerYs), f, 1e-14, "Objective")
	plain, usual := SGD{}.Objective(h, corners, cornerYs), SGD{Lambda: 1. / 16}
	equal(t, plain, usual.Objective(h, corners, cornerYs), "Objective with λ = 1/2n")
	return f - (64*o.Lambda*a*a + 1 - 8*a)
}

var statements1 = []statement{
	{"E1", "beyond", "With g = p − Kβ the best step βᵢ += t, βⱼ −= t, gᵢ > gⱼ, has t = min((gᵢ − " +
		"gⱼ)/(Kᵢᵢ + Kⱼⱼ − 2Kᵢⱼ), what the box allows). It keeps Σβ and the box, and never lowers " +
		"D.", "closed form", testSteps},
	{"E2", "beyond", "Optimality: max g where βᵢ < hiᵢ, less min g where βᵢ > loᵢ, is ≤ 0. Up to " +
		"there D* − D(β) is at most ½Σ(hiᵢ − loᵢ) times as large.", "bound", func(t *T) {
		draw, optima := smallDuals(2, 2, Linear{}, vec{1}, 0.125, 0.5, 1, 3), 0
		for seed := range uint64(100) {
			d := draw(random(seed))
			best := must(SMO(d, SMOOptions{Tol: 1e-12}))(t).Objective
			width, last := sumOf(minus(d.Hi, d.Lo))/2, 0.0
			for s := range SMOSteps(d, SMOOptions{Tol: 1e-12}) {
				missing, rise := best-s.Objective, s.Objective-last
				outside, sum := d.Infeasibility(s.Beta)
				check(t, outside == 0 && sum <= 1e-13 && rise >= 0, "a step to %+v", s)
				last = s.Objective
				atMost(t, missing, s.Violation*width+1e-12, "D* − D(β) at %v", s.Beta) // rounding
				// By E1 a step raises D by its square over 2(Kᵢᵢ + Kⱼⱼ − 2Kᵢⱼ), if it has room.
				check(t, s.Violation < 1e-3 || missing > 1e-9, "a violation at D*: %v", s.Beta)
				optima += int(oneIf(s.Violation <= 1e-12))
			}
		}
		enough(t, optima, 60, "an optimum")
	}},
	{"E3", "Cornwell, A procedure for SGD on SVM", "θ₁ = 0; W_t = θ_t/(2λt); draw i; " +
		"θ_{t+1} = θ_t + yᵢ(xᵢ, 1) if yᵢ⟨W_t, (xᵢ, 1)⟩ < 1, else θ_t; return the average of " +
		"the W_t. ‖W‖ has b in it, or FreeBias.", "both ways", func(t *T) {
		testAverages(t, 0)
		// A free b moves with the points: for 5 ± 1 and λ = 1/8, w = 1 and b = −5 are best.
		o := SGD{Lambda: 0.125, Steps: 400000, FreeBias: true}
		xs, ys := []vec{{6, 0}, {4, 0}}, vec{1, -1} // the last 0 is no coordinate of a sparse plane
		h := must(Pegasos(xs, ys, o))(t)
		sparse := must(PegasosSparse(mapped(xs, NewSparse), ys, o))(t)
		agree(t, o.Objective(h, xs, ys), 0.125, 0.01, "λw² + max(0, 1 − w)") // 6/√T
		in := must(Pegasos(xs, ys, SGD{Lambda: 0.125, Steps: 400000}))(t)
		check(t, o.Objective(in, xs, ys) > 0.2, "a b in the norm is as good: %v", in)
		equal(t, sparse, Hyperplane{h.W[:1], h.B}, "on sparse points")
	}},
	{"E4", "Cornwell, SGD procedure for SVM with kernels", "α_t = β_t/(2λt); draw j; βⱼ += yⱼ if " +
		"yⱼ Σᵢ αᵢkᵢⱼ < 1; return the average of the α_t. With the same draws this is E3 with " +
		"ψ(xᵢ) for (xᵢ, 1): W_t = Σ αᵢψ(xᵢ).", "both ways", func(t *T) {
		const n, steps, lambda = 20, 600, 0.0417
		xs, ys := normals(random(4), n, 2), signs(random(5), n)
		k, rng := Polynomial{2, 1, 1}, random(6)
		o := SGD{Lambda: lambda, Steps: steps, Rand: random(6)}
		psi, gram := mapped(xs, k.FeatureMap(2)), GramMatrix(k, xs)
		beta, mean := make(vec, n), make(vec, n)
		hinge := func(i int, f float64) float64 { return ys[i] * oneIf(ys[i]*f < 1) }
		for s, w := range plainRun(psi, false, o, hinge) {
			alpha := over(beta, 2*lambda*float64(s+1))
			agreeAll(t, weightedSum(psi, alpha), w, 1e-11, "W_%d", s+1) // sums of 600 terms
			j := rng.IntN(n)
			beta[j] += ys[j] * oneIf(ys[j]*Dot(alpha, gram.Row(j)) < 1)
			mean = combination(mean, 1./steps, alpha)
		}
		o.Rand = random(6)
		calls := 0
		counted := KernelFunc[vec](func(x, z vec) float64 { calls++; return k.Eval(x, z) })
		f := must(KernelPegasos(xs, ys, counted, o))(t)
		atMost(t, float64(calls), n*n, "kernel values, as rows are kept,")
		agreeAll(t, mapped(xs, f.Eval), mapped(xs, Func[vec]{k, xs, mean}.Eval), 1e-10, "f")
		o.Batch = true // and E7 on ψ(x), with the constant feature, by k + 1
		h := must(Pegasos(psi, ys, o))(t)
		f = must(KernelPegasos(xs, ys, Sum(k, KernelFunc[vec](func(x, z vec) float64 { return 1 })),
			o))(t)
		agreeAll(t, mapped(xs, f.Eval), mapped(psi, h.Decision), 1e-10, "f of batches")
	}},
	{"E5", "beyond", "The averages need no O(d) or O(n) work a step: an addition at step s has " +
		"the weight (H_T − H_s)/(2λT), H_t = 1 + 1/2 + … + 1/t.", "closed form", func(t *T) {
		for code := range 160 {
			l, last, want := 1<<(code%4), 1+code/4, 0.0 // λ = 1/l, T, w
			// ‖z‖² = 2: after m additions the margin is ml/t, so s = 1, l + 1, 2l + 1, …
			for s := 1; s <= last; s += l {
				for step := s + 1; step <= last; step++ {
					want += float64(l) / float64(2*last*step)
				}
			}
			for _, door := range sgdDoors {
				h := must(door([]vec{{1}}, vec{1}, SGD{Lambda: 1 / float64(l), Steps: last}))(t)
				agreeAll(t, coordinates(h), vec{want, want}, 1e-13, "(w, b)") // 40 roundings
			}
		}
	}},
	{"E6", "beyond", "With (λ/2)‖w‖² the mean of F(average) − F* is at most G²(1 + ln T)/(2λT), " +
		"G = 2R, R the largest ‖(x, 1)‖, and falls so; without the first T/2 iterates, like 1/T.",
		"bound", func(t *T) {
			const seeds, r2 = 40, 8
			for code := range 4 {
				lambda, half := vec{0.02, 0.4}[code%2], vec{0, 0.5}[code/2] // half is burnt
				share := math.Inf(1)
				for _, steps := range []float64{250, 4000} {
					o := SGD{Lambda: lambda, Steps: int(steps), Burn: int(half * steps)}
					left, mu, mean := steps*(1-half), 2*lambda, 0.0 // λ‖w‖² = (μ/2)‖w‖²
					bound := 4 * r2 * (1 + math.Log(steps/max(1, half*steps))) / (2 * mu * left)
					agree(t, o.Bound(corners)/bound, 1, 1e-14, "Bound over its formula")
					for seed := range uint64(seeds) {
						o.Rand = random(seed)
						mean += excessOf(t, must(Pegasos(corners, cornerYs, o))(t), o) / seeds
					}
					// Means of 40 runs stand for expectations: hence 3. The rest is rounding.
					check(t, -1e-14 <= mean && mean <= min(1, 3*share)*bound+1e-14,
						"T = %v: mean excess %v, bound %v, share %v", steps, mean, bound, share)
					share = mean / bound
				}
			}
			equal(t, SGD{FreeBias: true}.Bound(corners), inf, "Bound with a free bias")
			filled := SGD{Lambda: 1. / 16, Steps: 10000}
			equal(t, SGD{}.Bound(corners), filled.Bound(corners), "Bound of SGD{}")
		}},
	{"E7", "Cornwell, Gradient descent for SVMs with slack variables", "Batch: all points in " +
		"every step, by their mean subgradient. The average meets the bound of E6.", "bound",
		func(t *T) {
			testAverages(t, 1)
			for steps := 10; steps <= 6400; steps *= 4 {
				for _, o := range []SGD{{Lambda: 0.02, Steps: steps}, {Lambda: 0.4, Steps: steps}} {
					excess := excessOf(t, must(pegasosByBatches(corners, cornerYs, o))(t), o)
					check(t, -1e-14 <= excess && excess <= o.Bound(corners), "%+v: %v", o, excess)
				}
			}
		}},
	{"F3", "COMP9417, Primal vs. dual algorithms; The kernel trick", "The perceptron, w += ηyᵢxᵢ " +
		"where yᵢw·xᵢ ≤ 0, ends with w = η Σ αᵢyᵢxᵢ, αᵢ the mistakes at i; dual runs have the " +
		"same α, also with a kernel. Σα ≤ (max ‖xᵢ‖/margin)² through 0.", "both ways", ledgerF3},
	{"F4", "CSCI 567 §4.2, §4.3", "A multiclass linear model predicts argmaxₖ wₖ·x; for two " +
		"classes this is the sign of (w₁ − w₂)·x.", "exact", func(t *T) {
		seen, two := make([]int, 3), Softmax{matrix(vec{6, -2}, vec{-3, -3})}
		for code := range 21 * 21 {
			x, y := float64(code%21-10), float64(code/21-10)
			scores := vec{6*x - 2*y, -3*x - 3*y, 6 * y}
			best := slices.Index(scores, slices.Max(scores)) // the first of equals
			equal(t, threeClasses.Scores(vec{x, y}), scores, "scores of (%v, %v)", x, y)
			equal(t, threeClasses.Predict(vec{x, y}), best, "class of (%v, %v)", x, y)
			equal(t, two.Predict(vec{x, y}) == 0, 9*x+y >= 0, "two classes at (%v, %v)", x, y)
			seen[best]++
		}
		enough(t, slices.Min(seen), 50, "a class was predicted")
		equal(t, two.Between(0, 1), Hyperplane{vec{9, 1}, 0}, "6(3/2, 1/6)")
	}},
	{"F5", "CSCI 567 §4.4 to §4.7", "p = softmax(Wx); the loss is −ln p_y = " +
		"ln(1 + Σ_{k≠y} e^{(w_k − w_y)·x}), for two classes the logistic one; over ln 2 it " +
		"bounds 0/1; its gradient is (p − e_y)xᵀ; k is drawn with p_k.", "differences", ledgerF5},
	{"F7", "Harmeling: hard margin vs soft margin", "C and the kernel are chosen by " +
		"cross-validation; of equals the least C, the first kernel.", "both ways", testSearch},
}

// threeClasses are w₁ = (1, −1/3), w₂ = (−1/2, −1/2), w₃ = (0, 1) of CSCI 567, times 6.
var threeClasses = Softmax{matrix(vec{6, -2}, vec{-3, -3}, vec{0, 6})}

// perceptronRun is the loop of the lecture with a step η: w, and the mistakes at each point.
func perceptronRun(zs []vec, ys vec, eta float64, epochs int) (w, alpha vec) {
	w, alpha = make(vec, len(zs[0])), make(vec, len(zs))
	for range epochs {
		for i, z := range zs {
			if ys[i]*Dot(w, z) <= 0 {
				w = combination(w, eta*ys[i], z)
				alpha[i]++
			}
		}
	}
	return w, alpha
}

func ledgerF3(t *T) {
	outcomes := make([]int, 2)
	for seed := range uint64(200) {
		rng := random(seed)
		n, d, epochs := 1+rng.IntN(12), 1+rng.IntN(4), 1+rng.IntN(4)*rng.IntN(30)
		xs, ys, u := integers(rng, n, d, 3), signs(rng, n), integers(rng, 1, d+1, 3)[0]
		for i, x := range xs {
			if f := Dot(u, WithOne(x)); seed%3 > 0 && f != 0 {
				ys[i] = math.Copysign(1, f) // separable, but for points on the plane
			}
		}
		for bias, zs := range [][]vec{xs, mapped(xs, WithOne)} {
			w, mistakes := perceptronRun(zs, ys, 0.25, epochs) // η scales w
			_, before := perceptronRun(zs, ys, 0.25, epochs-1)
			h, alpha, err := Perceptron(zs, ys, epochs)
			k := []Kernel[vec]{Linear{}, plusOne}[bias]
			f, dual, dualErr := KernelPerceptron(xs, ys, k, epochs)
			equal(t, coordinates(h), append(multipleOf(4, w), 0), "seed %d: (w, b)", seed)
			equal(t, weightedSum(zs, byEntry(alpha, ys)), h.W, "seed %d: Σ αᵢyᵢzᵢ", seed)
			equal(t, [2]vec{alpha, dual}, [2]vec{mistakes, mistakes}, "seed %d: α", seed)
			equal(t, f.Eval(xs[0]), h.Decision(zs[0]), "seed %d: f of the dual run", seed)
			if slices.Equal(before, mistakes) { // a pass without a mistake
				outcomes[1]++
				equal(t, cmp.Or(err, dualErr), nil, "seed %d: the errors", seed)
				atMost(t, sumOf(alpha), NovikoffBound(h.W, zs, ys)*(1+1e-14), "mistakes")
			} else {
				outcomes[0]++
				refused(t, err, ErrNotConverged, fmt.Sprintf("after %d epochs", epochs), "the run")
				refused(t, dualErr, ErrNotConverged, "no pass", "seed %d: the dual run", seed)
			}
		}
	}
	enough(t, slices.Min(outcomes), 40, "a run converged, or was stopped,")
	_, _, err := Perceptron([]vec{{1e200}, {-1}, {1e200}}, vec{1, 1, -1}, 0)
	refused(t, err, ErrNotFinite, "margin of point 2", "a run with large numbers")
	_, _, err = Perceptron([]vec{{0, 1.5e308}, {1, 1.5e308}}, vec{1, 1}, 1)
	refused(t, err, ErrNotFinite, "", "a run with large numbers")
	equal(t, NovikoffBound(vec{1}, []vec{{0}}, vec{1}), inf, "bound for a point on the plane")
	xs, ys := []vec{{1, 1}, {-2, 1}}, vec{1, -1}
	for _, size := range []float64{1e-200, 1, 1e200} { // R² = 5, γ = min(7, 2)/5
		w := vec{3 * size, 4 * size}
		agree(t, NovikoffBound(w, xs, ys), 31.25, 1e-14, "bound of %v", w)
		equal(t, NovikoffBound(w, xs, vec{-1, 1}), math.Inf(1), "bound of %v, which errs", w)
	}
}

func ledgerF5(t *T) {
	one := must(TrainSoftmax([]vec{{1}}, []int{0}, 1, SGD{Steps: 9}))(t)
	equal(t, one.Predict(vec{1}), 0, "one class")
	for seed := range uint64(40) {
		rng := random(seed)
		classes, x := 2+int(seed%4), normals(rng, 1, 3)[0]
		m := Softmax{matrix(normals(rng, classes, 3)...)}
		y, p, odds := rng.IntN(classes), m.Probabilities(x), 0.0
		loss, g := func() float64 { return m.Loss(x, y) }, m.Gradient(x, y)
		for k := range p {
			f := m.Between(k, y).Decision(x)
			odds += math.Exp(f)
			agree(t, math.Log(p[k]/p[y]), f, 1e-13, "ln p_k/p_y") // some roundings, near 1
			// Differences are off by h²/6 times a third derivative, and by rounding/h.
			for j := range x {
				agree(t, g.At(k, j), slope(loss, &m.W.Row(k)[j], 1e-5), 1e-8, "∂Loss/∂w[%d]", k)
			}
		}
		agreeAll(t, vec{sumOf(p), loss()}, vec{1, math.Log(odds)}, 1e-13, "Σp, loss")
		check(t, m.Predict(x) == y || loss() >= math.Ln2, "loss of a mistake = %v", loss())
	}
	for _, z := range []float64{-800, -40, -1, 0, 1, 30, 40, 700} { // only differences count
		loss := func(s ...float64) float64 { return Softmax{&Matrix{2, 1, s}}.Loss(vec{1}, 0) }
		losses := vec{loss(z, 0), loss(z+0x1p40, 0x1p40)}
		agreeAll(t, over(losses, LogisticLoss(z)), vec{1, 1}, 1e-14, "losses over that of %v", z)
		p := Softmax{&Matrix{2, 1, vec{z + 0x1p40, 0x1p40}}}.Probabilities(vec{1})
		agreeAll(t, p, vec{1 / (1 + math.Exp(-z)), 1 / (1 + math.Exp(z))}, 1e-14, "p at %v", z)
	}
	// The lecture's SGD: W = 0; draw i; W ← W − η(p − e_y)xᵀ.
	xs, rng, m := integers(random(1), 30, 2, 3), random(2), Softmax{NewMatrix(3, 2)}
	labels := mapped(xs, threeClasses.Predict)
	equal(t, radius2(xs), 18, "R²")
	for _, lambda := range []float64{0, 0.25} {
		o := SGD{Steps: 1000, Rate: 0.1, Rand: random(2), Lambda: lambda}
		trained := must(TrainSoftmax(xs, labels, 3, o))(t)
		clear(m.W.Data)
		rng = random(2)
		for range 1000 {
			i := rng.IntN(30)
			for k, g := range m.Gradient(xs[i], labels[i]).Data {
				m.W.Data[k] -= (g + 2*lambda*m.W.Data[k]) / 10 // with the gradient of λ‖W‖²
			}
		}
		agreeAll(t, trained.W.Data, m.W.Data, 1e-11, "λ = %v: W after 1000 steps", lambda)
		equal(t, o.Rand.Uint64(), rng.Uint64(), "the random number after one draw a step")
		o = SGD{Lambda: lambda, Steps: 10000, Rate: 1 / (18 + 2*lambda),
			Rand: rand.New(rand.NewPCG(1, 2))}
		w := must(TrainSoftmax(xs, labels, 3, SGD{Lambda: lambda}))(t)
		equal(t, w, must(TrainSoftmax(xs, labels, 3, o))(t), "SGD{Lambda: %v}", lambda)
	}
	zero := must(TrainSoftmax([]vec{{0}, {0}}, []int{0, 1}, 2, SGD{}))(t)
	equal(t, zero.W.Data, vec{0, 0}, "W if all points are 0")

	m = Softmax{&Matrix{4, 1, vec{math.Log(0.5), math.Log(0.3), -1e9, math.Log(0.2)}}}
	count, draws := make(vec, 4), 20000.0
	for range int(draws) {
		count[m.Sample(vec{1}, rng)]++
	}
	for k, p := range m.Probabilities(vec{1}) { // four standard deviations: once in 16,000
		atMost(t, math.Abs(count[k]-draws*p), 4*math.Sqrt(draws*p*(1-p)), "deviation of %d", k)
	}
}

// # Bad input × entry points → error
//
// A job has arguments for every entry point, one of each type. A mistake spoils part of a good job,
// and each entry point that takes the part refuses the job, with an error that names the place.

type job[X any] struct {
	Xs    []X
	Ys    vec // labels −1 and +1, or targets
	K     Kernel[X]
	O     Options
	Ints  []int // labels of TrainSoftmax, below Count
	Count int   // of classes, folds, steps or epochs
	Rate  float64
	SGD   SGD
	D     Dual
	SMO   SMOOptions
	W     io.Writer
	M     *Model[X]
}

type mistake[X any] struct {
	part, says string
	is         error
	spoil      func(j *job[X])
}

type entry struct {
	name, takes string // takes: the parts that f checks
	f           any
}

// state returns all arguments as text, without what was written.
func (j job[X]) state() string {
	j.W = nil
	return fmt.Sprintf("%+v%+v", j, *j.M)
}

// call calls f with the fields of j that have the types of its parameters.
func (j job[X]) call(f any) (results []any, err error) {
	fields, in := reflect.ValueOf(j), reflect.TypeOf(f)
	return outcome(f, build(in.NumIn(), func(i int) reflect.Value {
		for k := range fields.NumField() {
			if fields.Field(k).Type() == in.In(i) {
				return fields.Field(k)
			}
		}
		return reflect.Zero(in.In(i)) // a random generator
	}))
}

// outcome calls f and returns the error, the last result, and the others, or nil if all are empty.
func outcome(f any, args []reflect.Value) (results []any, err error) {
	out := reflect.ValueOf(f).Call(args)
	last, zero := len(out)-1, true
	for _, v := range out[:last] {
		results = append(results, v.Interface())
		zero = zero && (v.IsZero() || v.CanFloat() && math.IsNaN(v.Float()))
	}
	if zero {
		results = nil
	}
	err, _ = out[last].Interface().(error)
	return results, err
}

// written returns the text that write writes.
func written(write any, values ...any) (string, error) {
	var b strings.Builder
	_, err := outcome(write, mapped(append([]any{&b}, values...), reflect.ValueOf))
	return b.String(), err
}

// kernelEntries are for points of any type, and vectorEntries for vectors alone.
func kernelEntries[X any]() []entry {
	one := "points some count signs kernel options weights sides "
	several := "points some count classes kernel options weights values "
	return []entry{
		{"Train", one + "values hulls", Train[X]},
		{"Verify", one, func(xs []X, ys vec, k Kernel[X], o Options) error {
			m := &Model[X]{Func: Func[X]{k, xs, ys}, Alpha: make(vec, len(xs))}
			return Verify(m, xs, ys, o).Err
		}},
		{"TrainClassifier", several + "hulls", TrainClassifier[X, float64]},
		{"TrainOneVsRest", several + "hulls", TrainOneVsRest[X, float64]},
		{"CrossPredict", several + "folds", CrossPredict[X, float64]},
		{"CrossDecisions", several + "folds", CrossDecisions[X, float64]},
		{"Regress", "points some targets kernel options weights soft rate values", Regress[X]},
		{"OneClass", "points some kernel options weights soft nu values", OneClass[X]},
		{"CrossValidate", several + "folds", CrossValidate[X, float64]},
		{"GridSearch", several + "folds",
			func(xs []X, ys vec, k Kernel[X], o Options, folds int) (*Choice, error) {
				return GridSearch(xs, ys, []Kernel[X]{k, k}, vec{1, o.C}, o, folds, nil)
			}},
		{"KernelPegasos", "points some count signs kernel sgd values", KernelPegasos[X]},
		{"KernelPerceptron", "points some count signs kernel steps values", KernelPerceptron[X]},
		{"KernelRidge", "points targets kernel rate singular values", KernelRidge[X]},
		{"KernelLeastSquares", "points targets kernel rate steps values", KernelLeastSquares[X]},
		{"KernelPCAMap", "points kernel values", KernelPCAMap[X]},
		{"Func.Project", "points kernel values",
			func(xs []X, ys vec, k Kernel[X]) (Func[X], error) {
				return Func[X]{k, xs, ys}.Project(xs)
			}},
	}
}

var vectorEntries = []entry{
	{"Pegasos", "points some count signs sgd", Pegasos}, {"SMO", "smo", SMO},
	{"Pegasos by batches", "points some count signs sgd", pegasosByBatches},
	{"TrainSoftmax", "points some ints sgd softmax", TrainSoftmax},
	{"Perceptron", "points some count signs steps", Perceptron},
	{"Ridge", "points targets rate singular", Ridge}, {"MinMax", "points some spread", MinMax},
	{"LeastSquares", "points targets rate steps", LeastSquares},
	{"Standardize", "points some spread", Standardize},
	{"WriteLIBSVM", "points finite", WriteLIBSVM}, {"WriteModel", "coef exotic", WriteModel[vec]},
}

// refuseAll checks that every entry point accepts the good job, refuses every mistake in a part
// that it takes and then returns and writes nothing; and that it changes nothing of the caller's.
func refuseAll[X any](t *testing.T, good func() job[X], all []entry, mistakes []mistake[X]) {
	met := make(map[string]int)
	for _, e := range all {
		for _, m := range append(mistakes, mistake[X]{"", "nothing", nil, func(*job[X]) {}}) {
			if m.part != "" && !slices.Contains(strings.Fields(e.takes), m.part) {
				continue
			}
			met[m.says]++
			run(t, e.name+"/"+m.says, "", func(t *T) {
				j := good()
				m.spoil(&j)
				before := j.state()
				v, err := j.call(e.f)
				equal(t, j.state(), before, "the job afterwards")
				if m.part == "" {
					equal(t, err, nil, "error for a good job")
				} else {
					refused(t, err, m.is, m.says, "%s", e.name)
					check(t, v == nil && fmt.Sprint(j.W) == "", "%v%v comes with the error", v, j.W)
				}
			})
		}
	}
	for _, m := range mistakes {
		enough(t, met[m.says], 1, m.says+" is refused")
	}
}

func fourPoints() []vec { return []vec{{-2, -1}, {-1, -3}, {2, 1}, {1, 3}} }

// goodJob returns a job on two points of each class that every entry point accepts.
func goodJob[X any](xs []X, k Kernel[X]) job[X] {
	ys, weights, unit := vec{-1, -1, 1, 1}, vec{1, 1, 3, 1}, matrix(vec{1, 0}, vec{0, 1})
	return job[X]{Xs: xs, Ys: ys, K: k, O: Options{C: 2, Weights: weights}, Ints: []int{0, 0, 1, 3},
		Count: 4, Rate: 0.1, SGD: SGD{Steps: 20}, D: Dual{unit, vec{1, 1}, vec{0, 0}, vec{1, 1}, 1},
		W: new(strings.Builder), M: &Model[X]{Func: Func[X]{k, xs, ys}, Alpha: ys}}
}

// J is the job on vectors, and vectorMistakes are what may be wrong with it.
type J = job[vec]

var vectorMistakes = []mistake[vec]{
	{"some", "no points", nil, func(j *J) { j.Xs, j.Ys, j.Ints = nil, nil, nil }},
	{"points", "point 2 has 1 features, point 0 has 2", nil, func(j *J) { j.Xs[2] = vec{4} }},
	{"points", "0 of point 1 is NaN", ErrNotFinite, func(j *J) { j.Xs[1][0] = nan }},
	{"count", "4 points, but 3 labels", nil, func(j *J) { j.Ys = j.Ys[:3] }},
	{"targets", "4 points, but 3 targets", nil, func(j *J) { j.Ys = j.Ys[:3] }},
	{"targets", "target 3 is NaN", ErrNotFinite, func(j *J) { j.Ys[3] = nan }},
	{"signs", "label 0 of point 1: want +1 or -1", nil, func(j *J) { j.Ys[1] = 0 }},
	{"signs", "label 3 is NaN", ErrNotFinite, func(j *J) { j.Ys[3] = nan }},
	{"classes", "0 is NaN", ErrNotFinite, func(j *J) { j.Ys[0], j.O.Weights[0] = nan, 0 }},
	{"classes", "label 7 and 0 more have", ErrOneClass, func(j *J) { j.Ys = vec{7, 7, 7, 7} }},
	{"sides", "label +1", ErrOneClass, func(j *J) { j.Ys = vec{-1, -1, -1, -1} }},
	{"sides", "label -1", ErrOneClass, func(j *J) { j.O.Weights = vec{0, 0, 1, 1} }},
	{"weights", "4 points, but 2 weights", nil, func(j *J) { j.O.Weights = vec{1, 1} }},
	{"weights", "weight -2 of point 1 is negative", nil, func(j *J) { j.O.Weights[1] = -2 }},
	{"weights", "weight 3 of point 2", ErrNotFinite, func(j *J) { j.O.C = 1e308 }},
	{"weights", "every point has weight 0", ErrOneClass, func(j *J) { j.O.Weights = make(vec, 4) }},
	{"options", "C is NaN", ErrNotFinite, func(j *J) { j.O.C = nan }},
	{"options", "C -1 is negative", nil, func(j *J) { j.O.C = -1 }},
	{"options", "Tol -0.5 is negative", nil, func(j *J) { j.O.Tol = -0.5 }},
	{"options", "MaxIter -1 is negative", nil, func(j *J) { j.O.MaxIter = -1 }},
	{"options", "CacheBytes -1 is negative", nil, func(j *J) { j.O.CacheBytes = -1 }},
	{"options", "Workers -1 is negative", nil, func(j *J) { j.O.Workers = -1 }},
	{"folds", "1 folds of 4 points", nil, func(j *J) { j.Count = 1 }},
	{"folds", "5 folds of 4 points", nil, func(j *J) { j.Count = 5 }},
	{"hulls", "hulls", ErrNotSeparable, func(j *J) { j.Xs[2], j.O.C = j.Xs[1], inf }},
	{"values", "not finite", ErrNotFinite, func(j *J) { j.K = RBF{nan} }},
	{"singular", "entry (0, 0)", ErrNotFinite, func(j *J) { j.Xs[0][0] = 1e200 }},
	{"rate", " is NaN", ErrNotFinite, func(j *J) { j.Rate = nan }},
	{"rate", " -1 is negative", nil, func(j *J) { j.Rate = -1 }},
	{"steps", "s -1 is negative", nil, func(j *J) { j.Count = -1 }},
	{"sgd", "Lambda -1 is negative", nil, func(j *J) { j.SGD.Lambda = -1 }},
	{"sgd", "not finite", ErrNotFinite, func(j *J) { j.SGD.Lambda, j.SGD.Rate = 5e-324, 1e308 }},
	{"sgd", "Burn is -1: want 0 to 19", nil, func(j *J) { j.SGD.Burn = -1 }},
	{"sgd", "Burn is 20: want 0 to 19", nil, func(j *J) { j.SGD.Burn = 20 }},
	{"ints", "label 4 of point 2: want 0 to 3", nil, func(j *J) { j.Ints[2] = 4 }},
	{"ints", "0 classes", nil, func(j *J) { j.Count = 0 }},
	{"ints", "label -1 of point 1: want", nil, func(j *J) { j.Ints[1] = -1 }},
	{"softmax", "want at most 268435456", nil, func(j *J) { j.Count = 1<<27 + 1 }},
	{"softmax", "no Burn", nil, func(j *J) { j.SGD.Burn = 3 }},
	{"softmax", "no FreeBias", nil, func(j *J) { j.SGD.FreeBias = true }},
	{"softmax", "Rate -1 is negative", nil, func(j *J) { j.SGD.Rate = -1 }},
	{"softmax", "largest ‖x‖² is +Inf", ErrNotFinite, func(j *J) { j.Xs[2][0] = 1e200 }},
	{"spread", "feature 0", ErrNotFinite, func(j *J) { j.Xs = []vec{{-1e308}, {1e308}} }},
	{"finite", "label 0 is +Inf", ErrNotFinite, func(j *J) { j.Ys[0] = inf }},
	{"coef", "4 points and 3 coefficients", nil, func(j *J) { j.M.Coef = vec{1, 2, 3} }},
	{"coef", "0 is NaN", ErrNotFinite, func(j *J) { j.M.B = nan }},
	{"nu", "nu is 0: want more", nil, func(j *J) { j.Rate = 0 }},
	{"nu", "nu is NaN: want more", nil, func(j *J) { j.Rate = nan }},
	{"soft", "C is +Inf", ErrNotFinite, func(j *J) { j.O.C = inf }},
	{"smo", "Tol NaN", nil, func(j *J) { j.SMO.Tol = nan }},
	{"smo", "MaxIter -1", nil, func(j *J) { j.SMO.MaxIter = -1 }},
	{"smo", "Workers -1", nil, func(j *J) { j.SMO.Workers = -1 }},
	{"smo", "sum 2.5, want one in [0, 2]", ErrInfeasible, func(j *J) { j.D.Sum = 2.5 }},
	{"smo", "CacheBytes -1", nil, func(j *J) { j.SMO.CacheBytes = -1 }},
	{"smo", "Start has 1 entries, want 2", nil, func(j *J) { j.SMO.Start = vec{1} }},
}

func TestRefusals(t *testing.T) {
	mistakes := slices.Clone(vectorMistakes)
	cube, minus := Polynomial{Degree: -3}, KernelFunc[vec](func(x, z vec) float64 { return -1 })
	kernels := func(part, says string, is error, ks ...Kernel[vec]) {
		for _, k := range ks {
			spoil := func(j *J) { j.K, j.M.Kernel = k, k }
			mistakes = append(mistakes, mistake[vec]{part, says, is, spoil})
		}
	}
	kernels("kernel", "kernel is nil", nil, nil, KernelFunc[vec](nil), Sum[vec](RBF{}, nil),
		Over(nil, Dot), Over[vec](RBF{}, nil), Normalize[vec](nil), Pullback(nil, Quadratic),
		Pullback[vec, vec](RBF{}, nil))
	kernels("kernel", "degree -3", nil, cube, Scale[vec](2, cube), Over(cube, Dot))
	kernels("kernel", "RBF: Gamma -1 is negative", nil, RBF{-1}, Over[vec](RBF{-1}, Dot),
		Sum[vec](Linear{}, RBF{-1}))
	kernels("exotic", "kernel", ErrUnsupported, nil, Cosine{}, cube, RBF{-1}, minus)
	kernels("exotic", "kernel", ErrNotFinite, RBF{nan}, Sigmoid{1, inf}, Polynomial{0, -inf, 0})
	refuseAll(t, func() J { return goodJob(fourPoints(), Kernel[vec](Linear{})) },
		append(kernelEntries[vec](), vectorEntries...), mistakes)
}

// Sparse points that are no vectors, and row numbers without a row.
func TestRefusalsSparse(t *testing.T) {
	type J = job[Sparse]
	all := append(kernelEntries[Sparse](),
		entry{"Pegasos", "points some count signs sgd plane", PegasosSparse},
		entry{"WritePoints", "points finite", WritePoints[Sparse]},
		entry{"WriteModel", "points finite", WriteModel[Sparse]})
	good := func() J { return goodJob(mapped(fourPoints(), NewSparse), OnSparse(Linear{})) }
	refuseAll(t, good, all, []mistake[Sparse]{
		{"points", "index 0 of point 1", nil, func(j *J) { j.Xs[1].Index[1] = 0 }},
		{"points", "index -1 of point 2", nil, func(j *J) { j.Xs[2].Index[0] = -1 }},
		{"points", "3 has 2 indices and 1 values", nil, func(j *J) { j.Xs[3].Value = vec{1} }},
		{"points", "1 of point 3 is NaN", ErrNotFinite, func(j *J) { j.Xs[3].Value[1] = nan }},
		{"kernel", "degree -1", nil, func(j *J) { j.K = OnSparse(Polynomial{Degree: -1}) }},
		{"plane", "a plane of 2147483648", nil, func(j *J) { j.Xs[1].Index[1] = 1<<31 - 1 }},
	})
	k := matrix(vec{2, 1, 0, 0}, vec{1, 2, 0, 0}, vec{0, 0, 2, 1}, vec{0, 0, 1, 2})
	type R = job[int]
	rows := func() R { return goodJob([]int{0, 1, 2, 3}, Kernel[int](Precomputed{k})) }
	parts := Sum(Normalize[int](Precomputed{k}), Kernel[int](Precomputed{k}))
	refuseAll(t, rows, kernelEntries[int](), []mistake[int]{
		{"kernel", "point 1 is row 4 of a 4×4 matrix", nil, func(j *R) { j.Xs[1] = 4 }},
		{"kernel", "point 2 is row -1", nil, func(j *R) { j.K, j.Xs[2] = parts, -1 }},
		{"kernel", "not Rows × Cols", nil, func(j *R) { j.K = Precomputed{&Matrix{4, 4, nil}} }},
		{"kernel", "of a 4×5 matrix", nil, func(j *R) { j.K = Precomputed{NewMatrix(4, 5)} }}})
}

// Mistakes that only one function can meet.
func TestRefusalsAlone(t *testing.T) {
	xs, ys, k, o := []vec{{-1}, {1}}, vec{1, 2}, RBF{}, Options{}
	search := func(cs vec, score ...func(_, _ vec) float64) (*Choice, error) {
		ks := []Kernel[vec]{k}
		return GridSearch(fourPoints(), vec{1, 1, 2, 2}, ks, cs, o, 2, nil, score...)
	}
	noScore := func(_, _ vec) float64 { return nan }
	rest, line := must(TrainOneVsRest(xs, ys, k, o))(t), must(Regress(xs, ys, k, 0, o))(t)
	pair := must(TrainClassifier(xs, ys, k, o))(t)
	throws(t, "Calibrate", func() { pair.Probabilities(xs[0]) },
		func() { rest.Probabilities(xs[0]) })
	bad := must(TrainClassifier(xs, ys, k, o))(t)
	bad.Machines[0].Platt = &Platt{nan, 0}
	refuses(t, ErrNotFinite, "sigmoid", WriteClassifier(io.Discard, bad))
	for says, err := range map[string]error{
		"label 2 of point 1: want +1 or -1 (TrainClassifier takes": errorOf(Train(xs, ys, k, o)),
		"FreeBias":         errorOf(KernelPegasos(xs, ys, k, SGD{FreeBias: true})),
		"not supported":    WriteModel(io.Discard, line),
		"one-vs-rest":      WriteClassifier(io.Discard, rest),
		"0×0":              pair.Calibrate(nil, ys),
		"3×1":              pair.Calibrate(NewMatrix(3, 1), ys),
		"2×3":              pair.Calibrate(NewMatrix(2, 3), ys),
		"svm: no points":   pair.Calibrate(NewMatrix(2, 1), repeated(2, 7)),
		"each pair":        rest.Calibrate(NewMatrix(2, 2), ys),
		"1 kernels and 0":  errorOf(search(nil)),
		"C -1":             errorOf(search(vec{-1})),
		"every score":      errorOf(search(ys, noScore)),
		"no points":        errorOf(FitPlatt(nil, nil)),
		"1 points, but 2":  errorOf(FitPlatt(vec{1}, ys)),
		"4 points, but 2":  errorOf(FitPlatt(vec{1, 2, 3e-320, -2e-320}, vec{1, 1})),
		"0 of point 0":     errorOf(FitPlatt(ys, vec{0, 1})),
		"1 is NaN: value ": errorOf(FitPlatt(vec{1, nan}, vec{1, -1})),
		"-Inf: value is ":  errorOf(FitPlatt(vec{3e-320, -2e-320}, vec{1, -1})),
	} {
		refused(t, err, nil, says, "the call")
	}
	hint := fmt.Sprint(errorOf(Train(xs, vec{-1, 1}, k, Options{C: -1}))) // the labels are right
	check(t, !strings.Contains(hint, "TrainClassifier"), "the error is %s", hint)
	negated := KernelFunc[vec](func(x, z vec) float64 { return -Dot(x, z) })
	m, err := Train(xs, vec{-1, 1}, negated, o)
	refused(t, err, ErrIndefinite, "", "Train")
	check(t, m != nil, "no model beside the error")
	eight := build(8, func(i int) vec { return vec{float64(i), float64(i % 3)} })
	turns := mapped(eight, func(x vec) float64 { return 2*math.Mod(x[0], 2) - 1 })
	_, err = Train(eight, turns, Sigmoid{}, Options{C: inf}) // numbers overflow, but K is to blame
	refused(t, err, ErrIndefinite, "", "Train, of tanh")
	_, err = TrainClassifier(eight, append(turns, 2, 0)[2:], k, Options{C: 1e5, MaxIter: 1})
	refused(t, err, ErrNotConverged, "classes -1 and 0", "the first machine that ends early")
	best, _ := search(ys, noScore)
	m, err = Train(slices.Repeat([]vec{{1e154}}, 4), vec{-1, -1, 1, 1}, Linear{}, Options{C: 1e300})
	refused(t, err, ErrNotFinite, "w·x", "Train, if w overflows")
	check(t, m == nil && best == nil, "%v, %v beside the errors", m, best)
}

// Whatever the job, an entry point returns an error of the package or numbers, and changes nothing
// of the caller's. What Train returns without an error, Verify confirms.
func FuzzTrain(f *testing.F) {
	numbers := slices.Repeat(vec{0, 1, -1, 2, 0.5, -3, 1e-8, 1e8 + 1, 1e154, 1e300, 5e-324}, 9)
	numbers = append(numbers, nan, inf, -inf)
	kernels := []Kernel[vec]{Linear{}, RBF{}, Polynomial{7, -1, -2}, Cosine{}, Sigmoid{}, RBF{-1}}
	for n := range byte(200) {
		f.Add(uint64(n), n%12, n%5, n%6)
	}
	f.Fuzz(func(t *testing.T, seed uint64, n, d, kernel byte) {
		rng := random(seed)
		value := func(int) float64 { return numbers[rng.IntN(len(numbers))] }
		all := build(int(n%16)+4, func(int) vec { return build(int(d%8), value) })
		xs := all[:n%16] // the caller's slice goes on behind the points
		j := goodJob(xs, kernels[int(kernel)%len(kernels)])
		j.Ys, j.Rate, j.Ints = signs(rng, len(xs)), value(0), make([]int, len(xs))
		j.O = Options{C: numbers[rng.IntN(11)], MaxIter: 3000}
		j.O.Weights = [][]float64{nil, build(len(xs), value)}[rng.IntN(2)]
		before := fmt.Sprint(j.state(), all)
		for _, e := range append(kernelEntries[vec](), vectorEntries...) {
			values, err := j.call(e.f)
			check(t, err == nil || strings.HasPrefix(err.Error(), "svm: "), "%s: %v", e.name, err)
			text := fmt.Sprintf("%+v", values)
			check(t, err != nil || !strings.Contains(text, "NaN"), "%s: %s", e.name, text)
		}
		equal(t, fmt.Sprint(j.state(), all), before, "the job afterwards")
		if m, err := Train(j.Xs, j.Ys, j.K, j.O); err == nil {
			// Both certificates are right up to the rounding that they report.
			v, tol := Verify(m, j.Xs, j.Ys, j.O), 1e-3+10*m.KKT.Rounding
			// Where Train has moved the origin, sums of Verify may overflow.
			over := errors.Is(v.Err, ErrNotFinite)
			good := over || v.Violation <= tol+10*v.Rounding && v.DualFeasibility == 0
			check(t, good, "want %v\n%v%v", tol, v, m.KKT)
		}
	})
}

// # LIBSVM's files and programs

const (
	twoVectors = "svm_type c_svc\nkernel_type rbf\ngamma 0.5\nnr_class 2\ntotal_sv 2\nrho 0.25\n" +
		"label 1 -1\nnr_sv 1 1\nSV\n0.75 1:1\n-0.5 2:2\n"
	threeClass = "svm_type c_svc\nkernel_type linear\nnr_class 3\ntotal_sv 4\nrho 0.5 0.25 -2\n" +
		"label 5 9 2\nnr_sv 1 2 1\nSV\n1 2 1:1\n-3 4 2:1\n0 5 1:2\n-6 -7 1:1 2:1\n"
)

// badTexts are texts with a mistake, by the kind of the mistake, each after its line and column. An
// arrow shows what changes in twoVectors, and to what.
type badTexts map[error][]string

var badPoints = badTexts{
	ErrSyntax: {"1:1 spam 1:1", "2:3 1 1:1\n  1:1 2", "1:7 1 1:1 2", "1:9 1 1:1 2:0,5", "1:3 1 :2",
		"1:3 1 1.5:2", "1:5 1 1:1_0", "1:1 \ufeff1 1:1", "1:9 1 qid:3 qid:3",
		"4:3 # a\n\n1 1:1 # b\r\n1 x", "1:131075 1 " + strings.Repeat(" ", 1<<17) + "x"},
	ErrNotFinite: {"1:1 nan 1:1", "1:9 1 1:1 2:-inf", "1:1 " + strings.Repeat("9", 1<<20)},
	ErrIndex: {"2:3 1 1:1\n1 0:1 1:1", "1:3 1 -99999999999999999999:1", "1:7 1 2:1 1:1",
		"1:11 1 1:1 2:1 2:1", "1:3 1 2147483648:1", "1:3 1 99999999999999999999:1",
		"2:3 1 0:1 1:1\n1 0:1 1:1", "1:3 1 0:01 1:1", "1:7 1 0:1 0:1"},
	ErrTooSparse: {"2:7 1 1:1\n1 2:1 2000000000:1\n1 5:1\n", "1:3 1 1048993:1"},
}
var badModels = badTexts{
	io.ErrUnexpectedEOF: {"3:1 # nothing\n\n", "12:1 2\nrho 0.25\nlabel 1 -1\nnr_sv 1 1→" +
		"2000000000\nrho 0.25\nlabel 1 -1\nnr_sv 1 1999999999"},
	ErrUnsupported: {"1:10 c_svc→nu_svc", "2:13 rbf→precomputed", "3:7 0.5→0", "3:7 0.5→-1",
		"4:8 rbf→polynomial\ncoef0 0\ndegree 0"},
	ErrSyntax: {"8:1 svm_type c_svc\n→", "8:1 gamma 0.5\n→", "9:1 rbf→sigmoid", "3:7 0.5→0.5 0.5",
		"10:1 rbf→polynomial\ncoef0 0", "4:8 rbf→polynomial\ncoef0 0\ndegree -1", "3:6  0.5→",
		"4:8 rbf→polynomial\ncoef0 0\ndegree 1.5", "4:1 0.5→0.5\ngamma 0.5", "4:1 0.5→0.5\nspam",
		"6:5 0.25→0 1", "7:7 1 -1→1 1", "7:7 1 -1→1 -1 0", "4:10 class 2→class 0",
		"7:7 class 2→class 2000000000", "7:7 class 2→class 1", "4:10 class 2→class 1e300",
		"8:7 nr_sv 1 1→nr_sv 2 1", "8:7 nr_sv 1 1→nr_sv 3 -1", "9:1 SV\n→",
		"12:1 SV\n→SV\n1 1:1\n", "10:1 0.75 →", "10:6 0.75→0.75 0.5"},
	ErrNotFinite: {"6:5 0.25→-inf"}, ErrTooSparse: {"11:6 2:2→2000000000:2"},
}

// A fileFormat has what reads and what writes one kind of value, and texts that are refused.
type fileFormat struct {
	name        string
	bad         badTexts
	read, write any
}

var fileFormats = []fileFormat{
	{"LIBSVM", badPoints, ReadLIBSVM, WriteLIBSVM},
	{"Sparse", badPoints, readPoints[Sparse], WritePoints[Sparse]},
	{"Model", badModels, ReadModel, WriteModel[vec]},
	{"Classifier", badModels, readClassifier[vec], WriteClassifier[vec]},
	{"SparseClassifier", badModels, readClassifier[Sparse], WriteClassifier[Sparse]},
}

func readPoints[X vec | Sparse](r io.Reader) ([]X, []float64, error) { return ReadPoints[X](r, 0) }

func readClassifier[X vec | Sparse](r io.Reader) (*Classifier[X, float64], error) {
	return ReadClassifier[X](r, 0)
}

// fromText returns the classifier of points of n features that a text describes.
func fromText(t testing.TB, text string, n int) *Classifier[vec, float64] {
	return must(ReadClassifier[vec](strings.NewReader(text), n))(t)
}

// tried reads a text. An error has a place in the text, and a value is written so that it reads the
// same. The memory is in proportion to the text, beside the cells that dense points may take.
func (f fileFormat) tried(t testing.TB, r io.Reader, text string, cells int) (v []any, err error) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	v, err = outcome(f.read, []reflect.Value{reflect.ValueOf(r)})
	runtime.ReadMemStats(&after)
	limit := float64(1<<20 + 8*cells + 700*len(text))
	atMost(t, float64(after.TotalAlloc-before.TotalAlloc), limit, "bytes for %.99q", text)
	var p *ParseError
	if errors.As(err, &p) {
		line := strings.SplitAfter(text, "\n")[p.Line-1]
		check(t, 1 <= p.Column && p.Column <= len(line)+1, "%v is not in %.99q", err, text)
	}
	if err == nil && f.write != nil {
		first, err1 := written(f.write, v...)
		again, err2 := outcome(f.read, []reflect.Value{reflect.ValueOf(strings.NewReader(first))})
		// A vector of two classes has no text, and without comments a text may be too short.
		if !errors.Is(err1, ErrUnsupported) && !errors.Is(err2, ErrTooSparse) {
			second, err3 := written(f.write, again...)
			check(t, second == first && err3 == nil, "%q is read as %q, %v", first, second, err3)
		}
	}
	check(t, (v == nil) == (err != nil), "%v, %v for %.99q", v, err, text)
	return v, err
}

// A mistake is an error with its place, in few words. An error of the reader is no end of the file.
func TestFilesRefused(t *testing.T) {
	for _, f := range fileFormats {
		for is, rows := range f.bad {
			for _, row := range rows {
				place, text, _ := strings.Cut(row, " ")
				if old, new, ok := strings.Cut(text, "→"); ok {
					text = strings.Replace(twoVectors, old, new, 1)
				}
				_, err := f.tried(t, strings.NewReader(text), text, 0)
				place = "svm: line " + strings.Replace(place, ":", ", column ", 1) + ": "
				if is == ErrTooSparse && strings.HasPrefix(f.name, "Sparse") {
					equal(t, err, nil, "%s: error for %.60q", f.name, row)
				} else {
					refused(t, err, is, place, "%s of %.60q", f.name, row)
				}
				check(t, len(fmt.Sprint(err)) < 200, "a long error: %v", err)
			}
		}
		for n := range len(twoVectors) {
			text, fails := twoVectors[:n], iotest.ErrReader(bufio.ErrBufferFull) // not ours
			_, err := f.tried(t, io.MultiReader(strings.NewReader(text), fails), text, 0)
			line := fmt.Sprintf("svm: line %d: ", 1+strings.Count(text, "\n"))
			refused(t, err, bufio.ErrBufferFull, line, "%s: a failure at byte %d", f.name, n)
		}
	}
}

func FuzzReadLIBSVM(f *testing.F) { fuzzFiles(f, fileFormats[:2]) }
func FuzzReadModel(f *testing.F)  { fuzzFiles(f, fileFormats[2:]) }

func fuzzFiles(f *testing.F, formats []fileFormat) {
	for _, text := range []string{"0 1:0\r\n\n1 qid:3 1:-0 2:0x1p-9#", "1 1048992:1", "3 2:4\n-1",
		twoVectors, threeClass, strings.Replace(threeClass, "5 9", "0.5 2147483648", 1)} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, format := range formats {
			format.tried(t, strings.NewReader(text), text, 1<<20)
		}
	})
}

// Texts of points, each with what ReadLIBSVM makes of the text, however the bytes arrive.
func TestPointsRead(t *testing.T) {
	texts := map[string]string{
		"\n \t\r\n\n": "[] []", "1 1:2\r\n-1 1:3": "[[2] [3]] [1 -1]",
		"\t +01\t1:+2 \t 2:-3E2\t\r": "[[2 -300]] [1]", "0x1p1 1:0x1p-1 2:1e-400": "[[0.5 0]] [2]",
		"-1 0:1 1:5 2:3\n\n1\t0:2 1:3 # row 2": "[[5 3] [3 0]] [-1 1]", // a kernel matrix
		"# c\n1 1:2 # 3:4\n2 qid:7":            "[[2] [0]] [1 2]",
		"3 1:.5# x\n4 2:0":                     "[[0.5 0] [0 0]] [3 4]",
	}
	for text, want := range texts {
		r := iotest.HalfReader(iotest.DataErrReader(strings.NewReader(text)))
		xs, labels, err := ReadLIBSVM(r)
		equal(t, fmt.Sprint(xs, labels, err), want+" <nil>", "ReadLIBSVM(%.40q)", text)
	}
	text := "1 1:1 3:1" // the number of features is known
	_, _, err := ReadPoints[vec](strings.NewReader(text), 2)
	_, _, sparse := ReadPoints[Sparse](strings.NewReader(text), 2)
	refused(t, err, ErrIndex, "from 1 to 2", "two features of %q", text)
	refused(t, sparse, ErrIndex, "from 1 to 2", "two sparse features of %q", text)
	xs, _, _ := ReadPoints[vec](strings.NewReader(text), 4)
	equal(t, len(xs[0]), 4, "width of %q", text)
}

// In a file f = Σ coef k(xᵥ, ·) − rho is positive for its first label, here for the larger label.
func TestModelRead(t *testing.T) {
	for label, sign := range map[string]float64{"1 -1": 1, "-1 1": -1, "1 2": -1,
		"1 0\nprobA 1\nprobB 2": 1} {
		m := must(ReadModel(strings.NewReader(strings.Replace(twoVectors, "1 -1", label, 1))))(t)
		want := &Model[vec]{B: -sign / 4, BLo: -sign / 4, BHi: -sign / 4, Alpha: vec{0.75, 0.5},
			Func: Func[vec]{RBF{0.5}, []vec{{1, 0}, {0, 2}}, vec{0.75 * sign, -0.5 * sign}},
			KKT:  KKT{inf, -inf, inf, inf, inf, inf, inf, inf, 0, 0, 0, 0, errNoData}}
		equal(t, m, want, "ReadModel with labels %s", label)
	}
	// Three classes: the file has f(5, 9) = u − 3v − ½, f(5, 2) = 2u − 6(u + v) − ¼ and
	// f(9, 2) = 4v + 10u − 7(u + v) + 2, each positive for its first label.
	c, wide := fromText(t, threeClass, 0), fromText(t, threeClass, 3)
	swapped := fromText(t, strings.Replace(threeClass, "5 9", "9 5", 1), 0)
	for _, x := range []vec{{1, 0}, {0, 1}, {-2, 3}, {0, 0}} {
		u, v := x[0], x[1]
		want := vec{2*u - 6*(u+v) - 0.25, 4*v + 10*u - 7*(u+v) + 2, -(u - 3*v - 0.5)}
		equal(t, c.Decisions(x), want, "f of (2, 5), (2, 9), (5, 9) at %v", x)
		equal(t, wide.Decisions(append(x, 7)), want, "of three features: f at %v", x)
		exchanged := vec{want[1], want[0], -want[2]}
		equal(t, swapped.Decisions(x), exchanged, "with 5 and 9 exchanged: f at %v", x)
	}
	equal(t, must(written(WriteClassifier[vec], c))(t), "svm_type c_svc\nkernel_type linear\n"+
		"nr_class 3\ntotal_sv 4\nrho -0.25 2 0.5\nlabel 2 5 9\nnr_sv 1 1 2\nSV\n"+
		"6 7 1:1 2:1\n-2 1 1:1\n-4 -3 2:1\n-5 0 1:2\n", "WriteClassifier")
	for _, label := range []float64{9.5, 1 << 31} {
		c.Labels[2] = label
		err := WriteClassifier(io.Discard, c)
		refused(t, err, ErrUnsupported, "of class 2: LIBSVM's models have int", "label %v", label)
	}
}

// What is written: the shortest decimals that read the same, and a zero to show the width.
func TestWritten(t *testing.T) {
	for want, xs := range map[string][]vec{
		"1\n2\n": {{}, {}}, "1 2:2 4:4\n2 4:1\n": {{0, 2, 0, 4}, {0, 0, 0, 1}},
		"1 1:1 3:0\n2 2:2\n": {{1, 0, 0}, {0, 2, 0}},
		"1 1:1 2:0\n2 2:2\n": {{1, 0}, {0, 2}}, "1 1:0.1\n2 1:5e-324\n": {{0.1}, {5e-324}}} {
		equal(t, must(written(WriteLIBSVM, xs, vec{1, 2}))(t), want, "WriteLIBSVM(%v)", xs)
	}
	for want, k := range map[string]Kernel[vec]{
		"linear\n": Linear{}, "rbf\ngamma 1\n": RBF{}, "sigmoid\ngamma 1\ncoef0 0\n": Sigmoid{},
		"rbf\ngamma 0.001\n": RBF{0.001}, "sigmoid\ngamma -0.1\ncoef0 0.25\n": Sigmoid{-0.1, 0.25},
		"polynomial\ndegree 3\ngamma 1\ncoef0 0\n":           Polynomial{},
		"polynomial\ndegree 2147483647\ngamma 1\ncoef0 -1\n": Polynomial{math.MaxInt32, 0, -1},
	} {
		// A vector with coefficient 0 has no part in f, and those of class −1 come first.
		f := Func[vec]{k, []vec{{3, 0, 0}, {7, 7, 7}, {0, 0.25, 0}}, vec{1.5, 0, -2}}
		text := must(written(WriteModel[vec], &Model[vec]{B: 0.25, Func: f, Alpha: vec{}}))(t)
		equal(t, text, "svm_type c_svc\nkernel_type "+want+"nr_class 2\ntotal_sv 2\nrho 0.25\n"+
			"label -1 1\nnr_sv 1 1\nSV\n2 2:0.25 3:0\n-1.5 1:3\n", "WriteModel with %T%+v", k, k)
		for _, format := range fileFormats[2:] {
			v, _ := format.tried(t, strings.NewReader(text), text, 0)
			again := must(written(format.write, v...))(t) // sparse points have no width to show
			equal(t, strings.Replace(again, "5\n-1", "5 3:0\n-1", 1), text, "%s", format.name)
		}
	}
}

// libsvm returns what svm-train or svm-predict makes of texts, or "", and says so, without them.
func libsvm(t *T, program, flags string, texts ...string) string {
	dir, args := t.TempDir(), strings.Fields(flags)
	for i, text := range append(texts, "") {
		args = append(args, filepath.Join(dir, fmt.Sprint(i)))
		must(0, os.WriteFile(args[len(args)-1], []byte(text), 0o600))(t)
	}
	log, err := exec.Command(program, args...).CombinedOutput()
	if errors.Is(err, exec.ErrNotFound) {
		t.Logf("%s is not installed: no comparison with it", program)
		return ""
	}
	check(t, err == nil, "%s %q: %v\n%s", program, args, err, log)
	return string(must(os.ReadFile(args[len(args)-1]))(t))
}

// Models are read and written both ways, with the same predictions, and dual values agree (B3): no
// value is above our primal, and svm-train, which stops at violation ε = 10⁻³, is at most 2ε below.
func TestLIBSVM(t *testing.T) {
	for _, labels := range []vec{{1, -1}, {-1, 1}, {2, 1}, {-2, 3, 7}} {
		xs := integers(random(6), 60, 4, 3) // svm-train writes eight digits
		ys := build(60, func(i int) float64 { return labels[i%len(labels)] })
		for i, x := range xs {
			x[i%len(labels)] += 3
		}
		data := must(written(WriteLIBSVM, xs, ys))(t)
		for flags, k := range map[string]Kernel[vec]{"-t 0": Linear{}, "-t 2 -g 0.125": RBF{0.125},
			"-t 1 -d 2 -g 0.25 -r 1": Polynomial{2, 0.25, 1}} {
			run(t, fmt.Sprint(labels, flags), "", func(t *T) {
				ours := must(TrainClassifier(xs, ys, k, Options{}))(t)
				text := must(written(WriteClassifier[vec], ours))(t)
				model := libsvm(t, "svm-train", "-q "+flags, data)
				if model == "" {
					return
				}
				theirs := fromText(t, model, 4)
				for text, c := range map[string]*Classifier[vec, float64]{text: ours, model: theirs,
					must(written(WriteClassifier[vec], theirs))(t): theirs} {
					got := strings.Fields(libsvm(t, "svm-predict", "", data, text))
					equal(t, fmt.Sprint(got), fmt.Sprint(c.PredictAll(xs)), "labels of svm-predict")
				}
				for i, m := range theirs.Models() {
					value, ours := sumOf(m.Alpha)-m.Inner(m.Func)/2, ours.Models()[i].KKT
					atMost(t, value, ours.Primal*(1+1e-6), "value of svm-train, less rounding")
					atMost(t, ours.Dual*(1-5e-3), value, "our dual value, less 5ε of it")
				}
			})
		}
	}
}

// # Probabilities, regression, one class, and classifiers from their parts

var statements8 = []statement{
	{"F8", "beyond", "Platt's sigmoid has the least cross entropy among those with A ≤ 0: " +
		"probabilities have the order of decisions.", "both ways", sigmoids},
	{"F9", "beyond", "Platt's sigmoid 1/(1 + e^(Af+B)) for targets tᵢ has A = 0 if and only if Σ " +
		"(tᵢ − mean t)fᵢ ≤ 0.", "certificate", sigmoids},
	{"F10", "beyond", "z of (Q + eeᵀ)z = e over its sum has the least pᵀQp = Σ_{i<j} (rⱼᵢpᵢ − " +
		"rᵢⱼpⱼ)² for p ≥ 0 of sum 1; it is p if rᵢⱼ = pᵢ/(pᵢ + pⱼ).", "certificate", coupling},
	{"F11", "beyond", "With p for y and Σβ = s the dual is that of regression or one class, at " +
		"most a share ν of it outliers, at least ν support vectors.", "certificate", otherDuals},
}

// plattData returns decisions and labels: separated, noise or wrong, with outliers, and far from 0.
func plattData(rng *rand.Rand) (fs, ys vec) {
	noise, unit := []float64{0, 0.5, 2, 10}[rng.IntN(4)], math.Pow(10, float64(16*rng.IntN(13)-96))
	shift, side := unit*[]float64{0, 1, 1000}[rng.IntN(3)], []float64{1, 1, 1, -1}[rng.IntN(4)]
	ys = build(2+rng.IntN(60), func(int) float64 { return float64(2*rng.IntN(2) - 1) })
	return mapped(ys, func(y float64) float64 {
		f := side*y + noise*rng.NormFloat64()
		if rng.IntN(20) == 0 {
			f *= math.Pow(10, float64(rng.IntN(9)))
		}
		return unit*f + shift
	}), ys
}

// sigmoids judges FitPlatt by the cross entropy Σ −tᵢ ln pᵢ − (1 − tᵢ) ln (1 − pᵢ). It is convex.
// Its slopes are Σ (tᵢ − pᵢ)fᵢ by A and Σ (tᵢ − pᵢ) by B. With wᵢ = pᵢ(1 − pᵢ), and f counted from
// its mean by w, its second derivatives are Σ wᵢfᵢ², Σ wᵢ and 0. A step of Newton's method gains
// half of slope²/derivative, summed: a number without a unit.
func sigmoids(t *T) {
	level, falls := 0, 0
	for seed := range uint64(fewer(150, 40)) {
		fs, ys := plattData(random(seed))
		if seed == 0 { // the second step of Newton's method would be too long
			fs, ys = vec{200, 1, 0, -1, -1, 0, 0, 0, 0, 0}, append(vec{1}, repeated(9, -1)...)
		}
		got := must(FitPlatt(fs, ys))(t)
		sorted := mapped(slices.Sorted(slices.Values(fs)), got.Probability)
		check(t, slices.IsSorted(sorted), "another order: %v", got)

		n, sum, p := float64(len(ys)), sumOf(ys), mapped(fs, got.Probability)
		low, high := 1/((n-sum)/2+2), ((n+sum)/2+1)/((n+sum)/2+2) // of Lin, Lin and Weng
		targets := mapped(ys, func(y float64) float64 { return low + (high-low)*oneIf(y > 0) })
		off, w := minus(targets, p), mapped(p, func(p float64) float64 { return p * (1 - p) })
		away := combination(fs, -Dot(w, fs)/sumOf(w), repeated(len(fs), 1))
		a, b, mean := Dot(off, away), sumOf(off), repeated(len(ys), sumOf(targets)/n)
		equal(t, got.A < 0, Dot(minus(targets, mean), fs) > 1e-12*sizeOf(fs), "A < 0") // (F9)
		if got.A < 0 {
			falls++
			gain := a*a/Dot(w, byEntry(away, away)) + b*b/sumOf(w)
			atMost(t, gain, 1e-14, "twice what is missed, A < 0")
		} else {
			level++
			atMost(t, b*b/sumOf(w), 1e-18, "slope by B, A = 0")
			atMost(t, a, 1e-12*sizeOf(away), "slope by A, A = 0")
		}
	}
	enough(t, level, 5, "A = 0")
	enough(t, falls, 20, "A < 0")
}

func coupling(t *T) {
	rng := random(3)
	for trial := range 300 {
		n := 1 + rng.IntN(7)
		truth := build(n, func(int) float64 { return math.Exp(-8 * rng.Float64()) })
		r, ms, consistent := NewMatrix(n, n), untrained(n, upTo[int](n)), trial%2 == 0
		for k, m := range ms {
			rij := truth[m.Pos] / (truth[m.Pos] + truth[m.Neg])
			if !consistent {
				rij = min(max(rng.Float64()*1.2-0.1, leastProbability), 1-leastProbability)
			}
			r.Set(m.Pos, m.Neg, rij)
			r.Set(m.Neg, m.Pos, 1-rij)
			ms[k].Platt = &Platt{0, math.Log(1/rij - 1)}
		}
		c := must(NewClassifier(Kernel[int](Precomputed{r}), upTo[int](n), nil, ms))(t)
		p := c.Probabilities(0)
		agree(t, sumOf(p), 1, 1e-12, "sum")
		check(t, slices.Min(p) >= 0, "p = %v", p)
		if consistent {
			agreeAll(t, p, over(truth, sumOf(truth)), 1e-9, "p of consistent pairs")
		}
		misses := func() (sum float64) { // Σ (rⱼᵢpᵢ − rᵢⱼpⱼ)², of ordered pairs
			for k := range n * n {
				miss := r.At(k%n, k/n)*p[k/n] - r.At(k/n, k%n)*p[k%n]
				sum += miss * miss
			}
			return sum
		}
		// A parabola: no slope along eᵢ − eⱼ is a minimum, unless pⱼ = 0.
		for i := range n {
			step := slopes(misses, &p[i], &p[(i+1)%n])
			agree(t, step[0], step[1], 1e-9, "slope in p%d and the next", i)
		}
	}
}

// regression returns a wave, or a function on a grid with many points twice, and noise.
func regression(wave bool) (xs []vec, ts vec) {
	rng, f := random(4), func(x vec) float64 { return x[0] - x[1]*x[2] }
	if xs = integers(rng, 150, 3, 2); wave {
		xs = build(90, func(i int) vec { return vec{float64(i) / 15} })
		f = func(x vec) float64 { return 100 + math.Sin(x[0]) }
	}
	return xs, mapped(xs, func(x vec) float64 { return f(x) + rng.NormFloat64()/5 })
}

// otherDuals checks both objectives of regression and one class by their definitions.
func otherDuals(t *T) {
	for _, wave := range []bool{false, true} {
		xs, ts := regression(wave)
		weights := build(len(xs), func(i int) float64 { return float64(i%3) / 2 })
		n := float64(len(xs))
		for code := range 6 {
			k, epsilon := []Kernel[vec]{Linear{}, RBF{0.5}}[code%2], vec{0, 0.1, 1}[code/2]
			m := must(Regress(xs, ts, k, epsilon, Options{C: 2, Weights: weights, Tol: 1e-6}))(t)
			primal := m.Inner(m.Func) / 2
			for i, f := range m.DecisionAll(xs) {
				primal += 2 * weights[i] * max(0, math.Abs(f-ts[i])-epsilon)
			}
			agree(t, m.KKT.Primal, primal, 1e-7, "%T, ε = %v: primal", k, epsilon)
			atMost(t, m.KKT.Gap, 1e-5*(1+primal)*n, "%T: gap", k)
			atMost(t, m.KKT.Violation, 1e-6, "%T: violation", k)
			atMost(t, m.KKT.Stationarity, 1e-9, "%T: Σβ", k)
		}
		for _, nu := range []float64{0.05, 0.3, 1} {
			m := must(OneClass(xs, RBF{0.5}, nu, Options{Tol: 1e-9}))(t)
			s, half, fs := nu*n, m.Inner(m.Func)/2, m.DecisionAll(xs)
			short := mapped(fs, func(f float64) float64 { return max(0, -f) })
			outside := indices(len(fs), func(i int) bool { return fs[i] < -1e-8 })
			agree(t, m.KKT.Primal, half+s*m.B+sumOf(short), 1e-7, "ν = %v: primal", nu)
			agree(t, m.KKT.Dual, -half, 1e-7, "ν = %v: dual", nu)
			atMost(t, m.KKT.Gap, 1e-6*s, "ν = %v: gap", nu)
			agree(t, sumOf(m.Coef), s, 1e-9, "ν = %v: Σβ", nu)
			atMost(t, float64(len(outside)), s, "ν = %v: outliers", nu)
			atMost(t, s, float64(len(m.Points)), "ν = %v: least support vectors", nu)
		}
	}
	// A model of the linear kernel is not that of moved points, whose Σβ is not 0.
	xs := []vec{{3, 4}, {6, 8}, {0, 0}} // β = (1, ½), w = (6, 8), b = −100
	m := must(OneClass(xs[:2], Linear{}, 0.75, Options{Tol: 1e-9}))(t)
	agreeAll(t, m.DecisionAll(xs), vec{-50, 0, -100}, 1e-9, "f of a linear kernel")
}

// calibrated is a classifier of clouds with probabilities.
func calibrated(t *T, classes int, k Kernel[vec]) (*Classifier[vec, float64], []vec, vec) {
	xs, _, names := classClouds(3, 80, classes, 1.5)
	labels := mapped(names, func(l string) float64 { return float64(l[0]) - 99 }) // −2, −1, …
	c := must(TrainClassifier(xs, labels, k, Options{}))(t)
	all := must(CrossDecisions(xs, labels, k, Options{}, 5, nil))(t)
	check(t, c.Calibrate(all, labels) == nil, "Calibrate")
	return c, xs, labels
}

func TestProbabilities(t *testing.T) {
	for classes := 2; classes <= 4; classes++ {
		run(t, fmt.Sprint(classes, " classes"), "", func(t *T) {
			c, xs, labels := calibrated(t, classes, RBF{0.5})
			p, likelihood := mapped(xs, c.Probabilities), 0.0
			for i, x := range xs {
				likelihood += p[i][slices.Index(c.Labels, labels[i])] / float64(len(xs))
				if classes == 2 {
					one := c.Machines[0].Platt.Probability(c.Decisions(x)[0])
					agreeAll(t, p[i], vec{1 - one, one}, 1e-12, "p at %d", i)
				}
			}
			check(t, likelihood > 1.5/float64(classes), "mean p of the label: %v", likelihood)
			// A file keeps sigmoids. Those of svm-train are for its own order of labels.
			data := must(written(WriteLIBSVM, xs, labels))(t)
			ours := must(written(WriteClassifier[vec], c))(t)
			agreeAll(t, slices.Concat(agreeLIBSVM(t, ours, data, xs)...), slices.Concat(p...),
				1e-12, "p, from the file")
			if theirs := libsvm(t, "svm-train", "-q -b 1 -g 0.5", data); theirs != "" {
				agreeLIBSVM(t, theirs, data, xs)
			}
		})
	}
}

// agreeLIBSVM checks that svm-predict finds the probabilities of a model file that it returns.
func agreeLIBSVM(t *T, model, data string, xs []vec) []vec {
	c := fromText(t, model, len(xs[0]))
	near := 1e-5 // the iteration of svm-predict ends at 0.005/k
	if len(c.Labels) > 2 {
		near = 0.005
	}
	all := mapped(xs, c.Probabilities)
	text := strings.TrimSpace(libsvm(t, "svm-predict", "-b 1", data, model))
	lines := strings.Split(text, "\n")
	head := strings.Fields(lines[0])
	for i, line := range lines[1:] {
		fields := strings.Fields(line)
		theirs := mapped(c.Labels, func(l float64) float64 {
			return must(strconv.ParseFloat(fields[slices.Index(head, fmt.Sprint(l))], 64))(t)
		})
		agreeAll(t, theirs, all[i], near, "svm-predict: p at %d", i)
	}
	return all
}

// saved returns c as encoding/json restores it, with its kernel.
func saved[X any, L cmp.Ordered](t testing.TB, k Kernel[X], c *Classifier[X, L]) *Classifier[X, L] {
	var file bytes.Buffer
	var read Classifier[X, L]
	err := cmp.Or(json.NewEncoder(&file).Encode(c), json.NewDecoder(&file).Decode(&read))
	check(t, err == nil, "a classifier cannot be stored: %v", err)
	return must(NewClassifier(k, read.Labels, read.Points, read.Machines))(t)
}

// keeps checks that a classifier predicts the same bits when it has been stored.
func keeps[X any, L cmp.Ordered](t *T, name string, k Kernel[X], xs []X, labels []L) {
	for _, train := range []func([]X, []L, Kernel[X], Options) (*Classifier[X, L], error){
		TrainClassifier[X, L], TrainOneVsRest[X, L]} {
		c := must(train(xs, labels, k, Options{C: 10}))(t)
		again := saved(t, k, c)
		f, want := again.Models()[0], c.Models()[0]
		equal(t, mapped(xs, again.Decisions), mapped(xs, c.Decisions), "%s: decisions", name)
		equal(t, mapped(xs, again.Predict), mapped(xs, c.Predict), "%s: labels", name)
		equal(t, mapped(xs, f.Decision), mapped(xs, want.Decision), "%s: f", name)
	}
}

func TestStored(t *testing.T) {
	run(t, "same bits", "", func(t *T) {
		xs, _, labels := classClouds(5, 60, 3, 1)
		sparse := mapped(xs, NewSparse)
		texts := mapped(xs, func(x vec) string { return fmt.Sprintf("%.1f %.1f", x[0], x[1]) })
		keeps[vec](t, "vectors", RBF{0.3}, xs, labels)
		keeps[vec](t, "linear", Linear{}, xs, labels)
		keeps(t, "cosine of sparse points", OnSparse(Cosine{}), sparse, inThree(60))
		keeps(t, "strings", Normalize(Substring{Decay: 0.5}), texts, labels)
		c, xs, _ := calibrated(t, 3, RBF{0.5})
		again := saved(t, RBF{0.5}, c)
		equal(t, mapped(xs, again.Probabilities), mapped(xs, c.Probabilities), "probabilities")
	})
	xs, labels := fourPoints(), []string{"a", "b", "c", "c"}
	c := must(TrainClassifier(xs, labels, RBF{}, Options{}))(t)
	type C = Classifier[vec, string]
	for name, spoil := range map[string]func(c *C){
		"labels fall":      func(c *C) { c.Labels[1] = "A" },
		"a label twice":    func(c *C) { c.Labels[1] = "a" },
		"a pair too few":   func(c *C) { c.Machines = c.Machines[:2] },
		"another order":    func(c *C) { slices.Reverse(c.Machines) },
		"no such point":    func(c *C) { c.Machines[1].At[0] = 4 },
		"a negative point": func(c *C) { c.Machines[1].At[0] = -1 },
		"a coefficient":    func(c *C) { c.Machines[1].Coef = vec{} },
		"a short point":    func(c *C) { c.Points[1] = vec{1} },
		"no labels":        func(c *C) { c.Labels = nil },
		"a million labels": func(c *C) { // there is no memory for 5·10¹¹ pairs
			c.Labels = mapped(upTo[int](1e6), func(i int) string { return fmt.Sprintf("%7d", i) })
		},
	} {
		p := saved(t, RBF{}, c) // a copy
		spoil(p)
		_, err := NewClassifier[vec](RBF{}, p.Labels, p.Points, p.Machines)
		refused(t, err, nil, "svm: ", "%s", name)
	}
}

// Check finds what a prediction would panic on, or silently take for a number.
func TestCheck(t *testing.T) {
	xs, ys := fourPoints(), vec{-1, -1, 1, 1}
	m := must(Train(xs, ys, RBF{}, Options{}))(t)
	c := must(TrainClassifier(xs, ys, RBF{}, Options{}))(t)
	sparse := Func[Sparse]{OnSparse(RBF{}), []Sparse{{}}, vec{1}}
	row := Func[int]{Precomputed{NewMatrix(3, 2)}, []int{0, 1}, vec{1, 1}}
	sum := Func[int]{Sum[int](Scale[int](2, row.Kernel)), row.Points, row.Coef}
	for says, errs := range map[string][]error{
		"point 1 has 3":        {m.Check(vec{1, 2, 3}), c.Check(vec{1, 2, 3})},
		"point 1 has 0":        {m.Check(nil), c.Check(nil)},
		"1 of point 1 is NaN":  {m.Check(vec{1, nan}), c.Check(vec{1, nan})},
		"0 of point 1 is -Inf": {m.Check(vec{-inf, 2}), c.Check(vec{-inf, 2})},
		"index 1 of":           {sparse.Check(Sparse{[]int32{2, 1}, vec{1, 1}})},
		"of a 3×2 matrix":      {row.Check(3), row.Check(-1), sum.Check(3)},
		"matrix is nil":        {Func[int]{Kernel: Precomputed{}}.Check(0)},
		"kernel is nil": {new(Classifier[vec, int]).Check(nil),
			errorOf(NewClassifier(nil, c.Labels, c.Points, c.Machines))},
	} {
		refuses(t, nil, says, errs...)
	}
	throws(t, "no kernel", func() { new(Classifier[vec, int]).Predict(nil) })
	f := Func[string]{Substring{}, []string{"ab"}, vec{1}}
	equal(t, cmp.Or(m.Check(vec{3, 4}), c.Check(vec{3, 4}), sparse.Check(NewSparse(vec{0, 0, 9})),
		sum.Check(2), f.Check("\xff")), nil, "good points")
}

// # The structure

// fileArrows says which names of other files a file may use: solvers see matrices, not points.
var fileArrows = map[string]map[string]string{
	"linalg.go": {}, "kernel.go": {"linalg.go": "."},
	"qp.go":      {"linalg.go": ".", "kernel.go": "Gram$"},
	"pegasos.go": {"linalg.go": ".", "kernel.go": "."},
	"smo.go": {"linalg.go": ".", "kernel.go": "Gram$|^Rows|^facts|^evalCost",
		"qp.go": "^Dual|^Err"},
	"svm.go": {"linalg.go": ".", "kernel.go": ".", "qp.go": ".", "smo.go": ".", "pegasos.go": "."},
}

// TestStructure checks the design: ten files, each of which uses only what its arrows allow.
func TestStructure(t *testing.T) {
	design := slices.Sorted(maps.Keys(fileArrows))
	all := slices.Sorted(slices.Values(append(design, "svm_test.go", "example_test.go")))
	equal(t, must(filepath.Glob("*.go"))(t), all, "Go files")
	check(t, !strings.Contains(fileText(t, "go.mod"), "require"), "go.mod requires another module")
	files, owner, seen := map[string]*ast.File{}, map[string]string{}, 0
	for _, name := range design {
		files[name] = must(parser.ParseFile(token.NewFileSet(), name, nil, 0))(t)
		for top := range files[name].Scope.Objects {
			owner[top] = name
		}
	}
	for user, file := range files {
		for _, name := range file.Unresolved { // this file does not declare it
			if from, ours := owner[name.Name]; ours {
				allowed := regexp.MustCompile(cmp.Or(fileArrows[user][from], "^$"))
				check(t, allowed.MatchString(name.Name), "%s uses %s of %s", user, name, from)
				seen++
			}
		}
	}
	enough(t, seen, 500, "a name of another file is used")
	// A tag that the files cite is a row of the ledger.
	for _, name := range design {
		tags := regexp.MustCompile(`\b[A-F]\d+\b`)
		for _, tag := range tags.FindAllString(fileText(t, name), -1) {
			ok := slices.ContainsFunc(wholeLedger(), func(s statement) bool { return s.tag == tag })
			check(t, ok, "%s cites %s, which is no row of the ledger", name, tag)
		}
	}
}

func fileText(t testing.TB, name string) string { return string(must(os.ReadFile(name))(t)) }

// # Machines for pictures

// tourTol is a tolerance of training at which every digit shown is right.
const tourTol = 1e-9

// tourPoints returns n points of the classes −1 and +1 in turn, each as draw draws it.
func tourPoints(n int, seed uint64, draw func(rng *rand.Rand, y float64) vec) (xs []vec, ys vec) {
	rng := rand.New(rand.NewPCG(seed, 0))
	ys = build(n, func(i int) float64 { return float64(2*(i%2) - 1) })
	return mapped(ys, func(y float64) vec { return draw(rng, y) }), ys
}

// twoClouds are around (−1, −1) and (1, 1).
func twoClouds(n int, deviation float64, seed uint64) (xs []vec, ys vec) {
	return tourPoints(n, seed, func(rng *rand.Rand, y float64) vec {
		return vec{y + deviation*rng.NormFloat64(), y + deviation*rng.NormFloat64()}
	})
}

// twoMoons are half circles that reach into each other.
func twoMoons(n int, deviation float64, seed uint64) (xs []vec, ys vec) {
	return tourPoints(n, seed, func(rng *rand.Rand, y float64) vec {
		sin, cos := math.Sincos(math.Pi * rng.Float64())
		x0, x1 := 1.1*y*(0.5-cos), 1.3*y*(0.25-sin)
		return vec{x0 + deviation*rng.NormFloat64(), x1 + deviation*rng.NormFloat64()}
	})
}

// A panel is a picture of [−size, size]², mostly of a machine and its data. _x_ is an italic x.
type panel struct {
	title, remark string
	size          float64
	mark          func(a, b vec) rune // what stands for the cell between two corners, if not p.cell
	*Model[vec]
	xs    []vec
	ys    vec
	wrong int // how many points
}

func newPanel(t testing.TB, title string, size float64, xs []vec, ys vec, k Kernel[vec],
	c float64) panel {
	m := must(Train(xs, ys, k, Options{C: c, Tol: tourTol}))(t)
	wrong := len(indices(len(xs), func(i int) bool { return m.Predict(xs[i]) != ys[i] }))
	remark := fmt.Sprintf("%d support vectors, %d wrong", len(m.Points), wrong)
	return panel{title, remark, size, nil, m, xs, ys, wrong}
}

// # The tour
//
// go test -run Tour -v . shows the package at work on the examples of the lectures, in 100 columns.
// Every number that it shows comes from the package.

// A tour is a section of the tour: it writes on the page, and fails as a test does.
type tour struct {
	*T
	page *strings.Builder
}

func (v tour) show(format string, args ...any) { fmt.Fprintf(v.page, format, args...) }

// say prints a paragraph between blank lines.
func (v tour) say(format string, args ...any) {
	v.show("\n%s\n\n", strings.Join(wrapped(fmt.Sprintf(format, args...), 92), "\n"))
}

func TestTour(t *testing.T) {
	page := &strings.Builder{}
	for _, s := range tourSections {
		run(t, s.title, "", func(t *T) {
			fmt.Fprintf(page, "\n\n%s\n%s\n", s.title, strings.Repeat("─", len([]rune(s.title))))
			s.show(tour{t, page})
		})
	}
	text := regexp.MustCompile(`\n{3,}`).ReplaceAllString(page.String(), "\n\n")
	text = regexp.MustCompile(`-(0(\.0+)?)([^\d.])`).ReplaceAllString(text, " $1$3") // no −0.00
	equal(t, regexp.MustCompile(`.{101,}`).FindString(text), "", "a line of more than 100 columns")
	if testing.Verbose() {
		fmt.Print(text)
	}
}

const ofMachines = "█ f = 0   · f = ±1   o x points of class −1, +1   O X support vectors"

// pictures shows panels side by side, in w × h characters each.
func (v tour) pictures(w, h int, legend string, ps ...panel) {
	edge := func(text string) string {
		return " " + text + " " + strings.Repeat("─", w-2-len([]rune(text)))
	}
	for r := -1; r <= h; r++ {
		row := mapped(ps, func(p panel) string {
			switch r {
			case -1:
				return "┌" + edge(p.title) + "┐"
			case h:
				return "└" + edge(p.remark) + "┘"
			}
			at := func(c, r int) vec {
				x, y := float64(2*c)/float64(w)-1, 1-float64(2*r)/float64(h)
				return vec{p.size * x, p.size * y}
			}
			if p.mark == nil {
				p.mark = p.cell
			}
			cells := build(w, func(c int) rune { return p.mark(at(c, r), at(c+1, r+1)) })
			return "│" + string(cells) + "│"
		})
		v.show("%s\n", strings.Join(row, " "))
	}
	v.show("%s\n\n", legend)
}

// inCell returns the number of the first point in the cell between two corners, or −1.
func inCell(a, b vec, points []vec) int {
	return slices.IndexFunc(points, func(x vec) bool {
		return a[0] <= x[0] && x[0] < b[0] && b[1] < x[1] && x[1] <= a[1]
	})
}

// cell marks support vectors before other points, and points before curves.
func (p panel) cell(a, b vec) rune {
	f := mapped([]vec{a, {b[0], a[1]}, {a[0], b[1]}, b}, p.Decision)
	passes := func(z float64) bool { return slices.Min(f) < z && z <= slices.Max(f) }
	if i := inCell(a, b, p.Points); i >= 0 {
		return []rune("O X")[1+int(math.Copysign(1, p.Coef[i]))]
	} else if i := inCell(a, b, p.xs); i >= 0 {
		return []rune("o x")[1+int(p.ys[i])]
	} else if passes(0) {
		return '█'
	} else if passes(-1) || passes(1) {
		return '·'
	}
	return ' '
}

var tourSections = []struct {
	title string
	show  func(v tour)
}{
	{"Exclusive or, by hand and by machine (D4)", func(v tour) {
		phi := quadratic.FeatureMap(2)
		v.say(`One of the features of the kernel (1 + x·z)², √2 x₁x₂, tells the classes apart:`)
		for i, x := range xorPoints {
			v.show("  x = %2v   y = %2v   φ(x) = %6.3f\n", x, xorLabels[i], phi(x))
		}
		p := newPanel(v, "x₁ and x₂", 2, xorPoints, xorLabels, quadratic, inf)
		v.say(`By hand: the α are equal by symmetry, and Σα − ½ Σ αᵢαⱼyᵢyⱼKᵢⱼ = 4α − 16α² is
			greatest at α = 1/8. Then f(x) = −x₁x₂ and 2/‖w‖ = 2√2. By machine: α = %.4g,
			f(2, 3) = %.4f, 2/‖w‖ = %.6f.`, p.Alpha, p.Decision(vec{2, 3}), 2/p.Norm())
		images := mapped(xorPoints, func(x vec) vec { return vec{phi(x)[3], phi(x)[1]} })
		q := newPanel(v, "√2 x₁ and √2 x₁x₂", 2.2, images, xorLabels, Linear{}, inf)
		v.pictures(47, 15, ofMachines, p, q)
	}},
	{"The widest street, by four solvers (A5, B2, B10, E1, E3, E6)", func(v tour) {
		xs := []vec{{-1, 0}, {-2, 1}, {-2, -1}, {-3, 0}, {1, 1}, {1, -1}, {4, 1}, {4, -1}}
		ys := vec{-1, -1, -1, -1, 1, 1, 1, 1}
		v.say(`By hand: the street lies between the lines x₁ = −1 and x₁ = 1, so w = (1, 0), b = 0;
			the points on the lines carry it, w = ¼ (1, 1) + ¼ (1, −1) − ½ (−1, 0). For Pegasos
			C = 1/(2λn) = 1 is more than every α (A6, A8), and its optimum is F* = λ‖w‖² = 1/16.`)
		p := newPanel(v, "hard margin", 4.5, xs, ys, Linear{}, inf)
		v.pictures(63, 11, ofMachines, p)
		row := func(name string, h Hyperplane, alpha vec, tol float64) {
			text := fmt.Sprintf("%-22s w, b = %6.3f %6.3f  α = %.2f", name, h.W, h.B, alpha)
			v.show("%s\n", strings.TrimSuffix(text, "  α = []")) // Pegasos has none
			agreeAll(v, coordinates(h), vec{1, 0, 0}, tol, "%s: w, b", name)
		}
		s := must(SolveQP(PrimalQP(xs, ys, inf), QPOptions{}))(v)
		row("primal QP, 3 unknowns", Hyperplane{s.X[:2], s.X[2]}, s.Ineq, 1e-7)
		s = must(SolveQP(DualQP(GramMatrix(Linear{}, xs), ys, inf), QPOptions{}))(v)
		w := weightedSum(xs, byEntry(s.X, ys))
		row("dual QP, 8 unknowns", Hyperplane{w, s.Eq[0]}, s.X, 1e-7)
		h := must(Explicit(p.Model))(v)
		row(fmt.Sprintf("SMO, %d steps", p.KKT.Iterations), h, p.Alpha, 1e-7)
		for o := (SGD{Lambda: 1.0 / 16, Steps: 100}); o.Steps <= 1e6; o.Steps *= 100 {
			h, bound := must(Pegasos(xs, ys, o))(v), o.Bound(xs)
			row(fmt.Sprint("Pegasos, T = ", o.Steps), h, nil, math.Sqrt(bound/o.Lambda))
			v.show("   misses F* by %.6f; on average at most R²(1 + ln T)/(λT) = %.4f\n",
				o.Objective(h, xs, ys)-o.Lambda, bound)
		}
	}},
	{"No street at all: hulls that meet (A5, C5)", func(v tour) {
		v.say(`If C = ∞ and no plane separates two triangles, the dual grows without bound along
			some λ ≥ 0, of sum 1 in each class, with the same mean in both: a proof. Proofs draw the
			hulls, too: a point is in a hull if no plane separates it from the corners.`)
		xs := []vec{{-2.5, -1.3}, {2.5, -1.3}, {0, 2.5}, {-2.3, 1.5}, {2.5, 1.2}, {0.3, -2.5}}
		meet := func(xs []vec, ys ...float64) (proof *NotSeparableError) {
			_, err := Train(xs, ys, Linear{}, Options{C: inf})
			check(v, errors.As(err, &proof) || err == nil, "error %v", err)
			return proof
		}
		l := meet(xs, -1, -1, -1, 1, 1, 1).Lambda
		mean := weightedSum(xs[:3], l[:3])
		mark := func(a, b vec) rune {
			if i := inCell(a, b, append(xs, mean)); i >= 0 {
				return []rune("AAABBB*")[i]
			}
			center, hulls := over(combination(a, 1, b), 2), 0
			for i := range 2 {
				if meet(append([]vec{center}, xs[3*i:3*i+3]...), 1, -1, -1, -1) != nil {
					hulls += 1 + i
				}
			}
			return []rune(` /\#`)[hulls]
		}
		v.pictures(63, 17, "A B corners   / \\ hulls   # where they meet   * the mean",
			panel{title: fmt.Sprintf("λ = %.4f", l), remark: "two hulls", size: 2.8, mark: mark})
		agreeAll(v, weightedSum(xs[3:], l[3:]), mean, 1e-6, "the mean of class +1")
	}},
	{"The duality gap closes, and certifies (B3, B5, E1)", func(v tour) {
		v.say(`Any feasible multipliers bound the optimum from below, any plane from above. SMOSteps
			takes the steps of E1 alone; SMO, which Train calls, has Newton's method, too. Bars: the
			logarithm of the gap of SMOSteps.`)
		xs, ys := twoClouds(100, 0.9, 3)
		k, o := RBF{0.5}, Options{C: 10, Tol: tourTol}
		p, d := newPanel(v, "", 0, xs, ys, k, 10), machineDual(GramMatrix(k, xs), ys, 10, nil)
		v.show("step       dual     primal       gap   gap of SMO\n")
		for s := range SMOSteps(d, SMOOptions{Tol: tourTol}) {
			at := Verify(candidate(k, xs, ys, byEntry(s.Beta, ys), s.B), xs, ys, o)
			if o.MaxIter = s.Iterations; bits.OnesCount(uint(o.MaxIter)) == 1 {
				m, _ := Train(xs, ys, k, o)
				bar := strings.Repeat("█", int(4*(8+math.Log10(max(at.Gap, 1e-8)))))
				v.show("%4d %10.4f %10.4f %9.1e %12.1e   %s\n", o.MaxIter, at.Dual, at.Primal,
					at.Gap, max(m.KKT.Gap, 0), bar)
			}
		}
		p.B += 0.1
		off := Verify(p.Model, xs, ys, o).Gap
		v.say(`SMOSteps ends after %d steps, SMO after %d, with this certificate. Verify computes it
			anew, from the kernel; with 0.1 added to b, the gap is %.3f.`,
			o.MaxIter, p.KKT.Iterations, off)
		v.show("%v", p.KKT)
	}},
	{"Two languages: a kernel of strings (D10, D13)", func(v tour) {
		xs := strings.Fields(`though height weather thunder which shoulder night youth breath
			whistle should knight thing worthy wash length flight bring growth world bello ragazza
			mezzo piazza gatto cavallo finestra tavola giallo fratello notte cielo strada amico
			bottiglia cappello zucchero pesce farina lettera`)
		labels := build(40, func(i int) string { return []string{"English", "Italian"}[i/20] })
		k, o := Normalize(Substring{0.7}), Options{C: 10}
		m := must(TrainClassifier(xs, labels, k, o))(v)
		v.say(`Forty words, no features: k counts common substrings, Σₛ 0.7^|s| #ₛ(x) #ₛ(z), scaled
			to k(x, x) = 1; %.1f %% of the answers are right in ten-fold cross-validation. Values of
			k, f, and what the machine says of words, some of which it has not seen:`,
			100*must(CrossValidate(xs, labels, k, o, 10, nil))(v))
		words := []string{"weather", "whether", "lightning", "fratello", "sorella", "bellezza"}
		for i, z := range words {
			row := GramMatrix(k, words).Row(i)
			v.show("%11s %.3f  %+.2f %s\n", z, row, m.Decisions(z), m.Predict(z))
			equal(v, m.Predict(z), labels[i/3*20], "%s", z)
		}
	}},
	{"Three classes (F4, F5, F6)", func(v tour) {
		v.say(`One machine for each pair of classes, and a vote; one for each class against the
			rest, the greatest decision wins; logistic regression, argmaxₖ wₖ·x:`)
		xs, _, _ := classClouds(6, 90, 3, 2.2)
		labels := inThree(90)
		pairs := must(TrainClassifier(xs, labels, Linear{}, Options{}))(v)
		rest := must(TrainOneVsRest(xs, labels, Linear{}, Options{}))(v)
		softmax := must(TrainSoftmax(xs, labels, 3, SGD{}))(v)
		draw := func(name string, predict func(x vec) int) panel {
			mark := func(a, b vec) rune {
				if k := inCell(a, b, xs); k >= 0 {
					return []rune("ABC")[labels[k]]
				}
				return []rune("· :")[predict(over(combination(a, 1, b), 2))]
			}
			remark := fmt.Sprintf("%.2f of them right", Accuracy(mapped(xs, predict), labels))
			return panel{title: name, remark: remark, size: 4.5, mark: mark}
		}
		v.pictures(30, 17, "A B C points   · : and blank: the predicted class",
			draw("pairs", pairs.Predict), draw("one against the rest", rest.Predict),
			draw("softmax", softmax.Predict))
	}},
}

// # The figures

var redraw = flag.Bool("update", false, "write the figures that TestFigures draws to testdata")

// TestFigures draws the figures of README.md and compares them with testdata/*.svg: the text has to
// be the same, the numbers nearly so. go test -run Figures -update writes the files.
func TestFigures(t *testing.T) {
	equal(t, len(must(filepath.Glob("testdata/*.svg"))(t)), len(figures), "files")
	number := regexp.MustCompile(`-?\d+(\.\d+)?`)
	value := func(digits string) float64 { return must(strconv.ParseFloat(digits, 64))(t) }
	numbers := func(text string) vec { return mapped(number.FindAllString(text, -1), value) }
	for name, draw := range figures {
		run(t, name, "", func(t *T) {
			file, got := "testdata/"+name+".svg", draw(t, name)+"</svg>\n"
			check(t, strings.Contains(fileText(t, "README.md"), file), "README.md lacks %s", file)
			if *redraw {
				must(0, os.WriteFile(file, []byte(got), 0o666))(t)
			}
			want := fileText(t, file)
			equal(t, number.Split(got, -1), number.Split(want, -1), "the text of %s", file)
			// Digits may be rounded either way. Other processors take other steps of SMO.
			agreeAll(t, numbers(got), numbers(want), 0.005, "the numbers of %s", file)
		})
	}
}

// figureStyle has pens, and colors that the color-blind tell apart (Okabe and Ito, 2008).
const figureStyle = `<style>
text{font:13px "Helvetica Neue",Helvetica,Arial,"Liberation Sans",sans-serif;fill:currentColor}
tspan{font:italic 15px Georgia,"Times New Roman","Liberation Serif",serif}
path{fill:none;stroke:currentColor;stroke-linejoin:round}.bold{stroke-width:2}
.pen{stroke-linecap:round;stroke-width:1.6}.bold.pen{stroke-width:3}
.dot{fill:currentColor;stroke:none}.middle{text-anchor:middle}.end{text-anchor:end}
.card{color:#fff}.ink{color:#1f2328}.grey{color:#646c75}.faint{color:#d8dee4}
.blue{color:#0072b2}.orange{color:#d55e00}.green{color:#00855f}
@media(prefers-color-scheme:dark){
.card{color:#161b22}.ink{color:#e6edf3}.grey{color:#9aa4ae}.faint{color:#363d46}
.blue{color:#5db7ec}.orange{color:#f08c42}.green{color:#3fc79a}}
</style>
`

// A plot is a rectangle of a drawing that shows the part [x0, x1] × [y0, y1] of the plane.
type plot struct {
	*strings.Builder
	left, top, width, height, x0, x1, y0, y1 float64
}

// newDrawing returns an SVG file in the making: an empty card.
func newDrawing(height int) *strings.Builder {
	d := &strings.Builder{}
	fmt.Fprintf(d, `<svg xmlns="http://www.w3.org/2000/svg" width="840" height="%d">%s`+
		`<rect class="card" width="840" height="%[1]d" rx="8" fill="currentColor"/>`+"\n",
		height, figureStyle)
	return d
}

// at returns where in the drawing a point is.
func (p plot) at(x vec) (px, py float64) {
	return p.left + (x[0]-p.x0)/(p.x1-p.x0)*p.width, p.top + (p.y1-x[1])/(p.y1-p.y0)*p.height
}

// text writes near a point, (dx, dy) pixels away, with _x_ in italics.
func (p plot) text(class string, x vec, dx, dy float64, text string) {
	px, py := p.at(x)
	text = regexp.MustCompile(`_([^_]+)_`).ReplaceAllString(text, "<tspan>$1</tspan>")
	fmt.Fprintf(p, `<text class="%s" x="%.1f" y="%.1f">%s</text>`+"\n", class, px+dx, py+dy, text)
}

// path joins points by lines or, if dot is not "", draws dots, but nothing below the lower edge.
func (p plot) path(class, dot string, points ...vec) {
	fmt.Fprintf(p, `<path class="%s" d="`, class)
	for i, x := range points {
		if px, py := p.at(x); x[1] >= p.y0 {
			fmt.Fprintf(p, "%c%.1f,%.1f%s", "ML"[min(i, 1-min(1, len(dot)))], px, py, dot)
		}
	}
	p.WriteString("\"/>\n")
}

// machine draws the points, rings around the support vectors, and the curves f = −1, 0, 1: a dot
// where f − level, as if linear between neighbors on a grid of three pixels, is 0.
func (p plot) machine(q panel) {
	dx, dy, curves := 3/p.width*(p.x1-p.x0), 3/p.height*(p.y1-p.y0), [3][]vec{}
	for x := p.x0; x < p.x1; x += dx {
		for y := p.y0; y < p.y1; y += dy {
			f := q.Decision(vec{x, y})
			for _, z := range []vec{{x + dx, y}, {x, y + dy}} {
				g := q.Decision(z)
				for i := range curves {
					level := float64(i - 1)
					if s := (level - f) / (g - f); (f >= level) != (g >= level) {
						curves[i] = append(curves[i], vec{x + s*(z[0]-x), y + s*(z[1]-y)})
					}
				}
			}
		}
	}
	for i, pen := range []string{"pen orange", "bold pen ink", "pen blue"} {
		p.path(pen, "h0", curves[i]...)
	}
	for i, x := range q.xs {
		if q.ys[i] < 0 {
			p.path("dot orange", "m-3.2,-3.2h6.4v6.4h-6.4z", x)
		} else {
			p.path("dot blue", "m-3.5,0a3.5,3.5 0 1 0 7,0a3.5,3.5 0 1 0 -7,0z", x)
		}
	}
	p.path("ink", "m-6.5,0a6.5,6.5 0 1 0 13,0a6.5,6.5 0 1 0 -13,0z", q.Points...)
}

var figures = map[string]func(t *T, name string) string{
	"kernels": drawThree, "c": drawThree, "gamma": drawThree, "street": drawStreet,
}

// drawThree shows three machines beside each other.
func drawThree(t *T, name string) string {
	c, gamma := vec{0.01, 0.1, 10}, vec{0.05, 1, 10}
	k := []Kernel[vec]{Linear{}, Polynomial{3, 1, 1}, RBF{1}}
	names := []string{"linear, _x_·_z_", "cubic, (1 + _x_·_z_)³", "Gaussian, exp(−‖_x_ − _z_‖²)"}
	p := plot{newDrawing(320), 24, 38, 248, 248, 0, 0, 0, 0}
	for i := range 3 {
		xs, ys := twoMoons(70, 0.17, 11)
		q := newPanel(t, names[i], 1.8, xs, ys, k[i], 10)
		if name == "c" {
			xs, ys = twoClouds(60, 0.85, 1)
			q = newPanel(t, fmt.Sprintf("_C_ = %v", c[i]), 3.2, xs, ys, Linear{}, c[i])
		} else if name == "gamma" {
			xs, ys = twoClouds(50, 0.9, 12)
			q = newPanel(t, fmt.Sprintf("_γ_ = %v", gamma[i]), 3.2, xs, ys, RBF{gamma[i]}, 10)
		}
		p.x0, p.x1, p.y0, p.y1 = -q.size, q.size, -q.size, q.size
		p.machine(q)
		p.text("ink middle", vec{0, q.size}, 0, -12, q.title)
		p.text("grey middle", vec{0, -q.size}, 0, 20, q.remark)
		p.left += 272
	}
	return p.String()
}

// drawStreet shows a soft margin with its parts (A6, A9, B6): five points carry the plane.
func drawStreet(t *T, _ string) string {
	xs := []vec{{-1.6, 1}, {-1.33, 0.1}, {0.35, -0.25}, {-2.2, 0.3}, {-2.7, -0.6}, {-1.9, -0.9},
		{-2.4, 1.1}, {-1.5, -1.3}, {1.3, 0}, {0.1, 0.75}, {2.3, -0.2}, {1.9, 0.9}, {2.8, 0.6},
		{1.75, -0.6}, {2.5, -1.1}, {1.35, 1.2}}
	q := newPanel(t, "", 0, xs, append(repeated(8, -1), repeated(8, 1)...), Linear{}, 0.4)
	p := plot{newDrawing(420), 24, 24, 792, 372, -3.6, 3.6, -1.7, 1.7}
	h := must(Explicit(q.Model))(t)
	p.machine(q)
	across := func(x vec, f float64) vec { // from x along w, until the decision is f
		return minus(x, over(h.W, Dot(h.W, h.W)/(h.Decision(x)-f)))
	}
	p.path("ink", "", across(vec{1, -1}, -1), across(vec{1, -1}, 1))
	p.text("ink", across(vec{1, -1}, 0.5), 6, 18, "2/‖_w_‖")
	for i, text := range []string{"_f_ = −1", "_f_ = 0", "_f_ = 1"} {
		f := float64(i - 1)
		p.text("ink", across(vec{1.4 * f, 1.2}, f), 8, 0, text)
	}
	for i, xi := range q.Slacks(xs, q.ys) {
		if q.Alpha[i] > 0 {
			p.text("ink", xs[i], 9, 9, fmt.Sprintf("_α_ = %.2f_C_, _ξ_ = %.2f", q.Alpha[i]/0.4, xi))
			p.path("ink", "", xs[i], across(xs[i], q.ys[i])) // its slack
		}
	}
	return p.String()
}

// # Beside the lectures

// What is shown has a name: a claim, or the number of an exercise.
type shown struct {
	name string
	test func(t *T)
}

// slips are by lecture and claim what is not so, each with a case that shows it, as in README.md.
var slips = []shown{
	{"Harmeling: αᵢ = 0 ⇒ yᵢf(xᵢ) > 1", func(t *T) {
		xs := []vec{{1, 0}, {-1, 0}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}}
		ys := vec{1, -1, 1, 1, -1, -1}
		m := must(Train(xs, ys, Linear{}, Options{C: inf, Tol: 1e-9}))(t)
		agreeAll(t, m.Alpha, vec{0.5, 0.5, 0, 0, 0, 0}, 1e-9, "α")
		agreeAll(t, byEntry(ys, m.DecisionAll(xs)), repeated(6, 1), 1e-9, "margins")
	}},
	{"Harmeling: αᵢ = C ⇒ xᵢ inside the margin", func(t *T) {
		xs, ys := []vec{{1}, {-1}}, vec{1, -1}
		m := must(Train(xs, ys, Linear{}, Options{C: 0.5}))(t)
		equal(t, append(m.Alpha, m.Slacks(xs, ys)...), vec{0.5, 0.5, 0, 0}, "α, ξ")
	}},
	{"Harmeling: yᵢ⟨w, xᵢ⟩ + b ≥ 1", func(t *T) { // without the parentheses w = 0 will do
		q := PrimalQP([]vec{{3}, {5}}, vec{-1, 1}, inf)
		agreeAll(t, must(SolveQP(q, QPOptions{}))(t).X, vec{1, -4}, 1e-7, "w, b")
		q.A = matrix(vec{3, -1}, vec{-5, -1})
		equal(t, must(SolveQP(q, QPOptions{}))(t).Objective < 1e-9, true, "w is 0")
	}},
	{"Harmeling: d* = p*, and KKT, for all convex programs", func(t *T) {
		// For min x s.t. x² ≤ 0, p* = 0. No α reaches it: θ_D(α) = min x + αx² = −1/(4α) < 0.
		for _, alpha := range []float64{0.5, 10, 1e4} {
			s := must(SolveQP(QP{Q: matrix(vec{2 * alpha}), C: vec{1}}, QPOptions{}))(t)
			agree(t, s.Objective*4*alpha, -1, 1e-8, "4α·θ_D(%v)", alpha)
		}
		// min e^−x s.t. x²/y ≤ 0, y > 0: x = 0, p* = 1; θ_D(α) ≤ e^−x + α/x by y = x³, so d* = 0.
		for _, alpha := range []float64{1, 1e6} {
			x := 1e9 * alpha
			atMost(t, math.Exp(-x)+alpha*x*x/(x*x*x), 2e-9, "θ_D(%v)", alpha)
		}
	}},
	{"Harmeling: k = φₙᵀK⁻¹φₙ for all x", func(t *T) {
		psi := must(KernelPCAMap(RBF{1}, []vec{{0}, {1}}))(t)
		agree(t, squareNorm(psi(vec{1})), 1, 1e-12, "on the data")
		atMost(t, squareNorm(psi(vec{3})), 0.01, "elsewhere, where k(x, x) = 1,")
	}},
	{"Harmeling: φ has the monomials of degree p without weights", func(t *T) {
		x := vec{1, 1} // Quadratic is (x₁², x₁x₂, x₂²)
		equal(t, Dot(Quadratic(x), Quadratic(x)), 3, "ψ(x)·ψ(x)")
		equal(t, Polynomial{Degree: 2}.Eval(x, x), 4, "(x·x)²")
	}},
	{"Harmeling: I_d is n × n", func(t *T) { // U is d × d, V n × n
		u, _, v := SVD(matrix(vec{1, 2}, vec{3, 4}, vec{0, 0})) // d = 3, n = 2
		equal(t, []int{u.Rows, v.Rows}, []int{3, 2}, "rows of U and V")
	}},
	{"CSCI 567: sign(w·x − b*), with the b* of w·x + b", func(t *T) {
		m := must(Train([]vec{{3}, {5}}, vec{-1, 1}, Linear{}, Options{C: 1, Tol: 1e-9}))(t)
		agree(t, m.Decision(vec{3}), -1, 1e-8, "w·x + b")
		agree(t, m.Decision(vec{3})-2*m.B, 7, 1e-8, "w·x − b")
	}},
	{"Cornwell: the dual without α ≥ 0 and Σαᵢyᵢ = 0", func(t *T) {
		q := DualQP(GramMatrix(Linear{}, []vec{{1}, {2}}), vec{1, -1}, inf)
		q.Aeq, q.Beq, q.Lo = nil, nil, nil // along α = (2, 1), w = 0 and Σα grows
		_, err := SolveQP(q, QPOptions{})
		refused(t, err, ErrUnbounded, "", "the dual as printed")
	}},
	{"Cornwell: the kink has probability zero", func(t *T) {
		xs, ys := []vec{{1}, {-1}}, vec{1, -1}
		m := must(Train(xs, ys, Linear{}, Options{}))(t)
		equal(t, byEntry(ys, m.DecisionAll(xs)), vec{1, 1}, "free support vectors are at the kink")
		// There the printed derivative, 0, is not the one by which ∇ vanishes.
		g := Objective{0.25, 1. / 2}.Gradient(must(Explicit(m))(t), xs, ys)
		equal(t, g.W[0], 0.5, "2λw + (1/n) Σ 0 at the optimum")
	}},
	{"Kernels: y(x) without the 1/σ of its kernel", func(t *T) {
		k := RBF{1. / 16} // σ = 4
		xs, ts := []vec{{0}, {2}, {5}}, vec{1, 2, -1}
		f := must(KernelRidge(xs, ts, Scale[vec](1./4, k), 0))(t)
		for i, x := range xs {
			agree(t, f.Eval(x), ts[i], 1e-12, "y with 1/σ")
			agree(t, Func[vec]{k, xs, f.Coef}.Eval(x), 4*ts[i], 1e-12, "y without")
		}
	}},
	{"Kernels: exp(−‖x − z‖²/σ) and exp(−‖x − z‖²/σ²)", func(t *T) {
		f, g := RBF{1. / 2}.Eval(vec{0}, vec{3}), RBF{1. / 4}.Eval(vec{0}, vec{3}) // σ = 2
		agree(t, f, g*g, 1e-15, "k with 1/σ, the power σ of that with 1/σ²")
	}},
	{"Kernels: 1/N comes and goes", func(t *T) {
		xs, ts := slices.Repeat([]vec{{1}}, 10), repeated(10, 3)
		f := must(KernelLeastSquares(xs, ts, Linear{}, 1, 50))(t)
		agree(t, f.Eval(vec{1}), 3, 1e-12, "f with γ/N, γ = 1")
		f = must(KernelLeastSquares(xs, ts, Linear{}, 10, 50))(t)
		check(t, math.Abs(f.Eval(vec{1})) > 1e9, "f(1) = %v with γ alone", f.Eval(vec{1}))
	}},
	{"COMP9417: G = XᵀX, with points as rows", func(t *T) {
		xs := []vec{{1, 2}, {3, 4}, {5, 6}}
		x := matrix(xs...)
		equal(t, x.Mul(x.T()), GramMatrix(Linear{}, xs), "XXᵀ, where XᵀX is 2 × 2")
	}},
	{"COMP9417: m = 1 for a standardised data set", func(t *T) { // m = 1 for any data
		plane := linearPlane(t, []vec{{30}, {50}}, vec{-1, 1}, inf)
		agreeAll(t, plane, vec{0.1, -4}, nearTol, "(w, b)")
	}},
}

func TestSlips(t *testing.T) {
	readme := fileText(t, "README.md")
	for _, s := range slips {
		run(t, s.name, "", s.test)
		row := "| " + strings.Replace(s.name, ": ", " | ", 1) + " |"
		check(t, strings.Contains(readme, row), "README.md lacks the row %s", row)
	}
	_, table, _ := strings.Cut(readme, "| lecture | what it prints |")
	table, _, _ = strings.Cut(table, "\n\n")
	equal(t, strings.Count(table, "\n| "), len(slips), "rows of README.md")
}

// # Exercises: the solutions

// exercises has the solutions of the exercises at the end of each file. Don't peek.
var exercises = []shown{
	// 2 for 1 doubles w and b. With −1, w = 0 satisfies all constraints: there is no street at all.
	{"svm 1", func(t *T) {
		q := PrimalQP([]vec{{1}, {3}}, vec{-1, 1}, inf)
		for m, want := range map[float64]vec{1: {1, -2}, 2: {2, -4}} {
			q.B = vec{-m, -m}
			agreeAll(t, must(SolveQP(q, QPOptions{}))(t).X, want, 1e-7, "(w, b) for %v", m)
		}
		q.B = vec{1, 1}
		agree(t, must(SolveQP(q, QPOptions{}))(t).X[0], 0, 1e-4, "w for −1")
	}},
	// The soft dual has α ≤ C. No change if C is at least the largest α of the hard margin, here ½.
	{"svm 2", func(t *T) {
		xs := []vec{{1, 0}, {0, 1}, {0, -1}, {-1, 0}, {3, 1}, {3, -1}, {6, 1}, {6, -1}}
		ys := vec{-1, -1, -1, -1, 1, 1, 1, 1}
		for c, hard := range map[float64]bool{inf: true, 0.5: true, 0.49: false} {
			w := linearPlane(t, xs, ys, c)
			equal(t, isNear(w[0], 1, 1e-6), hard, "w₁ = 1 with C = %v", c)
		}
	}},
	// Without b in the norm w stays as it is, and b goes with the points. With b in it, w changes.
	{"svm 3", func(t *T) {
		xs, ys := []vec{{-1, 0}, {1, 0}}, vec{-1, 1}
		far := mapped(xs, func(x vec) vec { return vec{x[0] + 4, x[1] + 3} })
		here, there := linearPlane(t, xs, ys, 1), linearPlane(t, far, ys, 1)
		agreeAll(t, there, vec{here[0], here[1], here[2] - 4*here[0]}, 1e-6, "w and b, moved")
		h := must(Pegasos(far, ys, SGD{Lambda: 0.25, Steps: 20000}))(t)
		check(t, math.Abs(h.W[0]-here[0]) > 0.3, "w₁ = %v and %v", h.W[0], here[0])
	}},
	// min is: its feature is the function that is 1 up to x. max is not: max(1, 1)max(2, 2) < 2².
	{"kernel 1", func(t *T) {
		for i, f := range []func(x, z float64) float64{math.Min, math.Max} {
			least, _ := CheckPSD(GramMatrix(KernelFunc[float64](f), vec{1, 2}))
			equal(t, least > 0, i == 0, "the least eigenvalue is positive")
		}
	}},
	// f(x)² = ⟨k(x, ·), f⟩² ≤ k(x, x)⟨f, f⟩ = 0, by Cauchy and Schwarz (D18).
	{"kernel 2", func(t *T) {
		f := Func[vec]{Linear{}, []vec{{1}, {2}}, vec{2, -1}} // 2·1 − 1·2 = 0
		equal(t, vec{f.Norm(), f.Eval(vec{7})}, vec{0, 0}, "‖f‖ and f(7)")
	}},
	// Differentiate twice: −φ = λφ″, φ(0) = φ′(1) = 0. So φ = √2 sin sx, cos s = 0, λ = 1/s² (D21).
	{"kernel 3", func(t *T) {
		const n, x = 1000, 0.3
		for _, s := range []float64{math.Pi / 2, 3 * math.Pi / 2, 5 * math.Pi / 2} {
			// ∫ min(x, z) sin(sz) dz by the midpoint rule, n² from the integral
			terms := build(n, func(i int) float64 {
				z := (float64(i) + 0.5) / n
				return min(x, z) * math.Sin(s*z) / n
			})
			agree(t, sumOf(terms), math.Sin(s*x)/(s*s), 1e-5, "∫ min(x, z) sin sz dz, s = %v", s)
		}
	}},
	// In the unknowns w and b: quadprog(diag(1, 0), 0, A, (−1, −1), [], [], −∞, ∞) with the rows
	// −yᵢ(xᵢ, 1) of A. By hand w = 1, b = 0, and w = Σ αᵢyᵢxᵢ with α = ½ each.
	{"qp 1", func(t *T) {
		q := QP{Q: diagonalOf(1, 0), A: matrix(vec{-1, -1}, vec{-1, 1}), B: vec{-1, -1}}
		s := must(SolveQP(q, QPOptions{}))(t)
		agreeAll(t, append(s.X, s.Ineq...), vec{1, 0, 0.5, 0.5}, 1e-8, "w, b and α")
	}},
	// 1.25 + 1.5·0.1, and then ½·0.1²: x₁ stays at ½, and x₂ = 1.6.
	{"qp 2", func(t *T) {
		q := QP{Q: diagonalOf(1, 1), A: matrix(vec{-1, -1}), B: vec{-2.1}, Hi: vec{0.5, inf}}
		agree(t, must(SolveQP(q, QPOptions{}))(t).Objective, 1.25+0.15+0.005, 1e-8, "objective")
	}},
	// The sum of the three rows is 0 ≤ −1.
	{"qp 3", func(t *T) {
		a, proof := matrix(vec{-1, 0}, vec{1, 1}, vec{0, -1}), &InfeasibleError{Ineq: vec{0}}
		_, err := SolveQP(QP{C: vec{0, 0}, A: a, B: vec{0, 1, -2}}, QPOptions{})
		check(t, errors.As(err, &proof), "error %v", err)
		agreeAll(t, over(proof.Ineq, proof.Ineq[0]), vec{1, 1, 1}, 1e-7, "the proof")
	}},
	// None: Σβ would change. In the order 0, 2, 3 the first pair is the right one, and that is all.
	{"smo 1", func(t *T) {
		for i, xs := range [][]vec{{{0}, {3}, {2}}, {{0}, {2}, {3}}} {
			d := machineDual(GramOf(Linear{}, xs), vec{-1, 1, 1}, 1, nil)
			equal(t, plainSMO(d, 1e-9, 0).Iterations, []int{3, 1}[i], "steps for the points %v", xs)
		}
	}},
	// g = p − Kβ is y: the largest g that may rise is 1, the least that may fall −1, a miss of 2.
	{"smo 2", func(t *T) {
		d := machineDual(GramOf(RBF{}, xorPoints), xorLabels, 1, nil)
		for s := range SMOSteps(d, SMOOptions{MaxIter: 1}) {
			equal(t, s.Violation, vec{2, s.Violation}[s.Iterations], "violation at β = 0")
		}
	}},
	// The two copies of a point share its α, so C/2 for each is C for both: f is the same.
	{"smo 3", func(t *T) {
		xs, ys := normals(random(3), 30, 2), signs(random(4), 30)
		once := linearPlane(t, xs, ys, 1)
		twice := linearPlane(t, slices.Concat(xs, xs), slices.Concat(ys, ys), 0.5)
		agreeAll(t, twice, once, 1e-4, "w and b")
	}},
	// Every order makes one mistake at each point: K is 9 on the diagonal, others add 1 at most.
	{"pegasos 1", func(t *T) {
		for at := range 256 { // the four digits of at, if they are an order
			order := []int{at / 64, at / 16 % 4, at / 4 % 4, at % 4}
			if slices.Equal(slices.Sorted(slices.Values(order)), upTo[int](4)) {
				xs, ys := rowsAt(xorPoints, order), rowsAt(xorLabels, order)
				_, alpha, err := KernelPerceptron(xs, ys, quadratic, 9)
				equal(t, must(alpha, err)(t), repeated(4, 1), "mistakes at %v", xs)
			}
		}
	}},
	// ln(1 + e^{(w₂ − w₁)·x}) = ln(1 + e^{−w·x}), with w = w₁ − w₂.
	{"pegasos 2", func(t *T) {
		m, x := Softmax{matrix(vec{1, -1. / 3}, vec{-0.5, -0.5})}, vec{0.7, 2}
		z := m.Between(0, 1).Decision(x)
		agree(t, m.Loss(x, 0), LogisticLoss(z), 1e-14, "loss of class 1")
		agree(t, m.Loss(x, 1), LogisticLoss(-z), 1e-14, "loss of class 2")
	}},
	// The score of y rises by η(1 − p_y)‖x‖², others fall by ηp_k‖x‖²: so do all s_k − s_y.
	{"pegasos 3", func(t *T) {
		x, y, m := vec{1, -2}, 1, Softmax{matrix(vec{1, 0}, vec{0, 1}, vec{-1, -1})}
		before, g := m.Loss(x, y), m.Gradient(x, y).Data
		for _, eta := range []float64{0.01, 1, 100} {
			step := Softmax{&Matrix{3, 2, combination(m.W.Data, -eta, g)}}
			check(t, step.Loss(x, y) < before, "η = %v: loss %v", eta, step.Loss(x, y))
		}
	}},
	// XᵀX = (25 20; 20 25) has the eigenvalues 45 and 5, and so has XXᵀ: σ = √45, √5.
	{"linalg 1", func(t *T) {
		x := matrix(vec{3, 0}, vec{4, 5})
		_, s, _ := SVD(x)
		inner, _ := SymEigen(x.T().Mul(x))
		outer, _ := SymEigen(x.Mul(x.T()))
		agreeAll(t, slices.Concat(inner, outer), vec{5, 45, 5, 45}, 1e-13, "eigenvalues")
		agreeAll(t, byEntry(s, s), vec{45, 5}, 1e-13, "σ²")
	}},
	// All rows are multiples of (1, 2, 3): rank 1, range (1, 2)c, null space x₁ + 2x₂ + 3x₃ = 0.
	{"linalg 2", func(t *T) {
		u, s, v := SVD(matrix(vec{1, 2, 3}, vec{2, 4, 6}))
		agreeAll(t, s, vec{math.Sqrt(70), 0}, 1e-14, "σ")
		agree(t, u.At(1, 0)/u.At(0, 0), 2, 1e-14, "the range")
		agreeAll(t, over(v.T().Row(0), v.At(0, 0)), vec{1, 2, 3}, 1e-14, "off the null space")
	}},
	// Not all: xᵀAx = ‖x‖² for A = (1 1; −1 1). Cholesky and SymEigen read the lower half, as if A
	// were (1 −1; −1 1), which is singular. Give them (A + Aᵀ)/2, here I.
	{"linalg 3", func(t *T) {
		a, x := matrix(vec{1, 1}, vec{-1, 1}), vec{3, -4}
		equal(t, quadraticForm(a, x), squareNorm(x), "xᵀAx")
		_, err := Cholesky(a)
		refused(t, err, ErrNotPositiveDefinite, "", "the lower half of A, twice")
	}},
}

func TestExercises(t *testing.T) {
	for _, e := range exercises {
		run(t, e.name, "", e.test)
	}
	equal(t, len(exercises), 3*len(fileArrows), "exercises")
}

// # README

// TestReadme finds the program of README.md in an Example, and every Example that README.md names.
func TestReadme(t *testing.T) {
	readme, file := fileText(t, "README.md"), fileText(t, "example_test.go")
	unindented := regexp.MustCompile(`(?m)^\s+`)
	examples := strings.Split(unindented.ReplaceAllString(file, ""), "\nfunc Example")
	for _, text := range strings.Split(readme, "```go\n")[1:] {
		snippet, _, _ := strings.Cut(text, "```")
		if _, body, ok := strings.Cut(snippet, "func main() {\n"); ok {
			snippet, _, _ = strings.Cut(body, "\n}\n")
		}
		lines := regexp.QuoteMeta(strings.TrimSpace(unindented.ReplaceAllString(snippet, "")))
		pattern := regexp.MustCompile("(?m)^" + lines + "$")
		check(t, slices.ContainsFunc(examples, pattern.MatchString), "no Example has\n%s", snippet)
	}
	for _, name := range regexp.MustCompile(`\bExample\w+`).FindAllString(readme, -1) {
		check(t, strings.Contains(file, "\nfunc "+name+"() {"), "README.md names %s", name)
	}
}
