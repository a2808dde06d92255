// Copyright 2026 The svm authors. All rights reserved.
// Use of this source code is governed by the MIT
// license that can be found in the LICENSE file.

// Package svm trains support vector machines, with a derivation of every step and a certificate for every result.
//
//	m, err := svm.Train(xs, ys, svm.RBF{Gamma: 0.5}, svm.Options{C: 10})
//	y := m.Predict(x)  // +1 or −1
//	fmt.Print(m.KKT)   // the certificate: how far m can be from optimal
//
// A support vector machine separates two classes of points by the plane that stays farthest away from both. It uses the
// points only through their inner products, and any [Kernel] may take the place of these (D20). A plane in the kernel's
// feature space is a curved surface among the points. Strings have kernels, too. [TrainClassifier] takes any labels.
//
// Every file is a chapter that begins with its theory: linalg.go (matrices), kernel.go (kernels and their spaces),
// qp.go (quadratic programs, among them the dual below), smo.go (a fast solver of that dual), pegasos.go (stochastic
// gradients, for a rough answer soon), and svm.go (this one: what users call). A tag such as (D20) is a row of the
// ledger in README.md, a number such as (2) an equation of the file; brackets hold reasons. [Train] takes points through
//
//	[]X → Gram → Dual → β → Func → Model
//
// The points, Func and Model know the type X of a point; Gram, Dual and β have only row numbers. Functions and methods
// that return no error may panic where lengths or dimensions do not agree.
//
// # Symbols
//
//	xᵢ, yᵢ        point i of n, and its label, +1 or −1         xs, ys
//	k, φ          kernel and feature map, k(x, z) = φ(x)·φ(z)   Kernel
//	w, b          f(x) = w·x + b, or w·φ(x) + b                 Hyperplane, Model
//	zᵢ, ξᵢ        yᵢf(xᵢ); the slack, at best max(0, 1 − zᵢ)    Margins, Slacks
//	Cᵢ            the price of slack, C times a weight          Options.C, Options.Weights
//	αᵢ, βᵢ        multipliers, αᵢ ≥ 0 and βᵢ = αᵢyᵢ             Model.Alpha, DualSolution.Beta
//	Kᵢⱼ           k(xᵢ, xⱼ)                                     Gram
//
// Below, with a kernel, read φ(x) for x. Here sgn(0) = +1, and C multiplies the sum of the slacks; (A8) has other
// scalings. Some authors write f(x) = w·x − b, or w·x − t with an intercept t: their b, or t, is −b here.
//
// # A. Planes, margins, losses
//
// The plane is {x : f(x) = 0}, w ≠ 0. Point x has the label sgn f(x) (A1). The point x′ of the plane nearest to x is
//
//	x′ = x − (f(x)/‖w‖²) w,    ‖x − x′‖ = |f(x)|/‖w‖                                             (A2)
//
// [f(x′) = f(x) − f(x)‖w‖²/‖w‖² = 0; and any u with f(u) = 0 has |f(x)| = |w·(x − u)| ≤ ‖w‖‖x − u‖]. The functional
// margin of the data is minᵢ yᵢf(xᵢ), and their geometric margin is this divided by ‖w‖ (A3). Multiplying (w, b) by
// c > 0 multiplies the functional margin by c, and changes neither the geometric margin nor any label. So a plane that
// separates the classes, with margins > 0, can be made canonical, that is, scaled to functional margin 1. Its geometric
// margin is then 1/‖w‖ (A4). Finding the widest margin is therefore a quadratic program, and a soft margin is one, too:
//
//	hard margin   minimise ½‖w‖²             subject to yᵢf(xᵢ) ≥ 1                              (A5)
//	soft margin   minimise ½‖w‖² + Σ Cᵢξᵢ    subject to yᵢf(xᵢ) ≥ 1 − ξᵢ, ξᵢ ≥ 0                 (A6)
//	or equally    minimise ½‖w‖² + Σ Cᵢ max(0, 1 − yᵢf(xᵢ))                                      (A7)
//
// [(A5): 1/‖w‖ is largest where ‖w‖² is least. ≥ 1 may stand for margin 1, as a plane of margin m > 1, divided by
// m, is still feasible and has a smaller ‖w‖. With c > 0 in place of 1 the solution is c(w, b), the same plane (A4).
// (A7): for any w and b the least ξᵢ allowed is best.] On separable data the solution of (A5) also solves (A6), if no
// Cᵢ is less than the multiplier αᵢ of (A5) [this α satisfies (B6) with these Cᵢ, too]. A constant factor does not
// change the minimiser, so people write (A7) in four ways, with hinge for max(0, 1 − yᵢf(xᵢ)):
//
//	½‖w‖² + C Σ hinge,    λ‖w‖² + (1/n) Σ hinge,    (λ/2)‖w‖² + Σ hinge,    (λ/2)‖w‖² + (1/n) Σ hinge
//	C = C                 C = 1/(2λn)               C = 1/λ                 C = 1/(λn)           (A8)
//
// The slack tells where a point lies, see [SlackClass] (A9). The hinge is one of several losses of z = y f(x), see
// [HingeLoss] and its neighbours; hinge and log₂(1 + e^−z) are upper bounds of the 0/1 loss [both are ≥ 1 for z ≤ 0,
// and ≥ 0 for all z] (A10). The hinge has the subgradient −y(x, 1) in (w, b) where z < 1, and 0 where z > 1 (A11). The
// logistic link 1/(1 + e^−z), see [LogisticLink], turns z into a probability of y, which grows with z (A12).
//
// # B. Duality
//
// Give the constraints of (A6) the multipliers αᵢ ≥ 0 and μᵢ ≥ 0; for (A5) leave out ξ and μ. The Lagrangian
//
//	L = ½‖w‖² + Σ Cᵢξᵢ − Σ αᵢ(yᵢf(xᵢ) − 1 + ξᵢ) − Σ μᵢξᵢ                                         (B1)
//
// is least over (w, b, ξ) where w = Σ αᵢyᵢxᵢ, Σ αᵢyᵢ = 0 and αᵢ + μᵢ = Cᵢ [∂L/∂w, ∂L/∂b and ∂L/∂ξᵢ are 0; L is convex
// in w, and linear in b and ξ, so without a minimum unless the last two hold]. The dual problem is to maximise this
// least value [b, ξ and μ are gone, their factors being 0; Σ αᵢyᵢ w·xᵢ = ‖w‖²; αᵢ ≤ Cᵢ is μᵢ ≥ 0]:
//
//	maximise Σ αᵢ − ½ Σᵢⱼ αᵢαⱼyᵢyⱼKᵢⱼ    subject to Σ αᵢyᵢ = 0, 0 ≤ αᵢ ≤ Cᵢ
//	that is  yᵀβ − ½ βᵀKβ                subject to Σ βᵢ = 0, βᵢ between 0 and Cᵢyᵢ               (B2)
//
// Only K is left of the points, and in β the quadratic part has no labels. For any feasible (w, b, ξ) and (α, μ)
//
//	dual(α) ≤ L(w, b, ξ, α, μ) ≤ primal(w, b, ξ)                                                 (B3)
//
// [left: dual(α) is the least L; right: what L subtracts is ≥ 0]. So the duality gap, primal − dual, bounds how far
// each is from optimal, however it was found, and a [Model] reports it. For feasible α, w = Σ βᵢxᵢ, any b, ξ of (A7):
//
//	primal − dual = Σ (Cᵢ − αᵢ)ξᵢ + Σ αᵢ(yᵢf(xᵢ) − 1 + ξᵢ)                                       (B5)
//
// [it is ‖w‖² + Σ Cᵢξᵢ − Σ αᵢ, where ‖w‖² = Σ αᵢyᵢ(f(xᵢ) − b) = Σ αᵢyᵢf(xᵢ)]. No product here is negative, so the gap
// is zero exactly when every product is (complementary slackness). Case by case, for Cᵢ > 0, this means
//
//	αᵢ = 0 ⇒ yᵢf(xᵢ) ≥ 1,    0 < αᵢ < Cᵢ ⇒ yᵢf(xᵢ) = 1,    αᵢ = Cᵢ ⇒ yᵢf(xᵢ) ≤ 1               (B6)
//
// With gᵢ = yᵢ − (Kβ)ᵢ, the gradient of the dual, 1 − yᵢf(xᵢ) = yᵢ(gᵢ − b). So (B6) says gᵢ ≤ b where βᵢ may rise (is
// below its upper bound), gᵢ ≥ b where it may fall, gᵢ = b where it may do both (is free). Free ones determine b, and
// the code takes the mean of their gᵢ; if there are none, an interval of b is left, and it takes the middle (B7).
//
// The dual objective D has a maximum (for Cᵢ = ∞: if the data are separable) [the feasible α are bounded; for Cᵢ = ∞
// those with D ≥ 0 are: if yᵢ(u·xᵢ + v) ≥ 1 for all i, then Σ αᵢ ≤ Σ αᵢyᵢ(u·xᵢ + v) = u·w ≤ ‖u‖‖w‖, and 0 ≤ D ≤
// ‖u‖‖w‖ − ½‖w‖² means ‖w‖ ≤ 2‖u‖]. At a maximum there is a b as in (B7) [if βᵢ may rise and βⱼ may fall, moving t > 0
// from j to i changes D at the rate gᵢ − gⱼ, which is then ≤ 0: no gᵢ of the first kind exceeds a gⱼ of the second]. So
// the optimal values of primal and dual are equal, and (B6) is necessary as well as sufficient.
//
// Dropping points with αᵢ = 0 leaves w as it is [the other αᵢ still satisfy (B6), of the smaller problem], and b, too,
// if some αᵢ is free; if none is, the interval of b may only grow (B8).
//
// With Cᵢ = ∞ a plane that violates a constraint has primal value +∞. But if its functional margin m is positive, the
// same plane made canonical (A4) is feasible. Its value ½‖w‖²/m² is reported instead, so that the gap is a bound.
//
// [Train] takes the time of one row of K, or a few, for each support vector; a decision takes a kernel value for each.
// What goes wrong is rarely the optimisation. It is features of unlike scales, which no kernel can guess ([Scaler]), or
// a C or γ that nobody chose ([GridSearch]).
//
// Cristianini and Shawe-Taylor, An Introduction to Support Vector Machines (2000), remains the kindest book; Schölkopf
// and Smola, Learning with Kernels (2002), the complete one; Boyd and Vandenberghe, Convex Optimization (2004), chapter
// 5, has duality. Chang and Lin, LIBSVM (2011), is the program to be measured against.
package svm

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// ErrOneClass reports points of which those of positive weight have fewer than two labels. No points are another error.
var ErrOneClass = errors.New("fewer than two classes")

// sign is sgn with sgn(0) = +1 (A1).
func sign(v float64) float64 {
	if v < 0 {
		return -1
	}
	return 1
}

// Decision returns w·x + b (A1).
func (h Hyperplane) Decision(x []float64) float64 { return Dot(h.W, x) + h.B }

// Predict returns the sign of the decision, +1 on the plane itself (A1).
func (h Hyperplane) Predict(x []float64) float64 { return sign(h.Decision(x)) }

// Distance returns |w·x + b|/‖w‖, how far x is from the plane (A2). For w = 0, no plane, it is 0 or, if b ≠ 0, +Inf.
func (h Hyperplane) Distance(x []float64) float64 {
	return math.Abs(h.GeometricMargin(x, 1))
}

// Project returns the point of the plane nearest to x (A2). It panics if w = 0.
func (h Hyperplane) Project(x []float64) []float64 {
	length := norm(h.W)
	if length == 0 {
		panic("svm: Project: w = 0 is not a plane")
	}
	unit, p := slices.Clone(h.W), slices.Clone(x)
	divide(unit, length)
	axpy(p, -h.Decision(x)/length, unit)
	return p
}

// FunctionalMargin returns y(w·x + b) (A3).
func (h Hyperplane) FunctionalMargin(x []float64, y float64) float64 { return y * h.Decision(x) }

// GeometricMargin returns y(w·x + b)/‖w‖, the distance to the plane, negative on the wrong side (A3). For w = 0, no
// plane, it is 0 or, if b ≠ 0, infinite.
func (h Hyperplane) GeometricMargin(x []float64, y float64) float64 {
	z := h.FunctionalMargin(x, y)
	if z == 0 {
		return 0 // also when w = 0
	}
	return z / norm(h.W)
}

// Margin returns the least functional and the least geometric margin of the data (A3), +Inf for no points.
func (h Hyperplane) Margin(xs [][]float64, ys []float64) (functional, geometric float64) {
	match(len(xs), len(ys))
	functional, geometric = math.Inf(1), math.Inf(1)
	for i, x := range xs {
		functional = min(functional, h.FunctionalMargin(x, ys[i]))
		geometric = min(geometric, h.GeometricMargin(x, ys[i]))
	}
	return functional, geometric
}

// Scale returns (cw, cb): the same classifier if c > 0, with the same geometric margins (A4).
func (h Hyperplane) Scale(c float64) Hyperplane {
	w := make([]float64, len(h.W))
	axpy(w, c, h.W)
	return Hyperplane{w, c * h.B}
}

// Canonical returns the plane scaled to functional margin 1 on the data, where its geometric margin is then 1/‖w‖ (A4).
// It is an error if the plane does not separate the data, and a panic if there are not as many labels as points.
func (h Hyperplane) Canonical(xs [][]float64, ys []float64) (Hyperplane, error) {
	m, _ := h.Margin(xs, ys)
	c := 1 / m
	if !(c > 0 && finite(c)) {
		return Hyperplane{}, fmt.Errorf("svm: functional margin %v: no multiple of the plane is canonical", m)
	}
	h = h.Scale(c)
	if nonFinite(h.W) >= 0 { // b/m does not overflow: b is a term of the rounded sum m, so |b/m| is at most about 2/ε
		return Hyperplane{}, fmt.Errorf("svm: functional margin %v: the canonical plane overflows: %w", m, ErrNotFinite)
	}
	return h, nil
}

// ZeroOneLoss returns 1 for z ≤ 0 and 0 for z > 0 (A10). On the plane it is 1: sgn(0) is right for one label only.
func ZeroOneLoss(z float64) float64 {
	if z > 0 {
		return 0
	}
	return 1
}

// PerceptronLoss returns max(0, −z) (A10).
func PerceptronLoss(z float64) float64 { return max(0, -z) }

// HingeLoss returns max(0, 1 − z), an upper bound of the zero-one loss (A10). For z = y f(x) it is the slack ξ (A7).
func HingeLoss(z float64) float64 { return max(0, 1-z) }

// LogisticLoss returns log(1 + e^−z) without overflow (A10). Divided by ln 2 it is an upper bound of the zero-one loss.
func LogisticLoss(z float64) float64 { return max(0, -z) + math.Log1p(math.Exp(-math.Abs(z))) }

// LogisticLink returns 1/(1 + e^−z), which grows with z (A12): a logistic model's probability of y at x, if z = y f(x).
func LogisticLink(z float64) float64 { return 1 / (1 + math.Exp(-z)) }

// A SlackClass says where a point lies, as its slack ξ = max(0, 1 − y f(x)) shows (A9).
type SlackClass int

const (
	SlackNone     SlackClass = iota // ξ = 0: on its margin, or beyond it
	SlackInside                     // 0 < ξ < 1: inside the margin, on the right side of the plane
	SlackOnPlane                    // ξ = 1: on the plane
	SlackMistaken                   // ξ > 1: on the wrong side
)

// ClassifySlack returns the class of a slack ξ ≥ 0 (A9).
func ClassifySlack(xi float64) SlackClass {
	switch {
	case !(xi <= 1): // or NaN
		return SlackMistaken
	case xi == 1:
		return SlackOnPlane
	case xi > 0:
		return SlackInside
	}
	return SlackNone
}

// String describes the class in words.
func (c SlackClass) String() string {
	words := [...]string{"on the margin or outside", "inside the margin", "on the plane", "misclassified"}
	if c < 0 || int(c) >= len(words) {
		return fmt.Sprintf("SlackClass(%d)", int(c))
	}
	return words[c]
}

// An Objective is Norm·‖w‖² + Loss·Σ hinge. [SoftMargin], [MeanHinge], [SumHinge] and [PegasosHinge] are its usual
// parametrisations. Two objectives with the same C are multiples of each other and have the same minimiser (A8).
type Objective struct{ Norm, Loss float64 }

// SoftMargin is ½‖w‖² + C Σ hinge (A7).
func SoftMargin(c float64) Objective { return Objective{0.5, c} }

// MeanHinge is λ‖w‖² + (1/n) Σ hinge, where C = 1/(2λn) (A8).
func MeanHinge(lambda float64, n int) Objective { return Objective{lambda, 1 / float64(n)} }

// SumHinge is (λ/2)‖w‖² + Σ hinge, where C = 1/λ (A8).
func SumHinge(lambda float64) Objective { return Objective{lambda / 2, 1} }

// PegasosHinge is (λ/2)‖w‖² + (1/n) Σ hinge, where C = 1/(λn) (A8).
func PegasosHinge(lambda float64, n int) Objective { return Objective{lambda / 2, 1 / float64(n)} }

// C returns the C for which [SoftMargin] is a multiple of o: Loss/(2 Norm). In each parametrisation by λ, the map from
// λ to C is its own inverse: SumHinge(c).C() is the λ that belongs to c (A8).
func (o Objective) C() float64 { return o.Loss / (2 * o.Norm) }

// At returns the value of o at the plane h on the data.
func (o Objective) At(h Hyperplane, xs [][]float64, ys []float64) float64 {
	match(len(xs), len(ys))
	loss := 0.0
	for i, x := range xs {
		loss += HingeLoss(h.FunctionalMargin(x, ys[i]))
	}
	if loss > 0 { // 0 stays 0 even if C = ∞, the hard margin
		loss *= o.Loss
	}
	return o.Norm*norm2(h.W) + loss
}

// Gradient returns the gradient of o in (w, b) at h: 2 Norm·w + Loss·Σ ∇hinge, where ∇hinge is −y(x, 1) if y f(x) <
// 1, else 0 (A11). Where some y f(x) = 1 this is one of the subgradients.
func (o Objective) Gradient(h Hyperplane, xs [][]float64, ys []float64) Hyperplane {
	match(len(xs), len(ys))
	g := h.Scale(2 * o.Norm)
	g.B = 0
	for i, x := range xs {
		if h.FunctionalMargin(x, ys[i]) < 1 {
			axpy(g.W, -o.Loss*ys[i], x)
			g.B -= o.Loss * ys[i]
		}
	}
	return g
}

// Lagrangian returns (B1) with every Cᵢ = c. If xi and mu are nil it is that of the hard margin, which has no slack.
func Lagrangian(h Hyperplane, xi, alpha, mu []float64, xs [][]float64, ys []float64, c float64) float64 {
	match(len(xs), len(ys))
	if len(alpha) != len(xs) || len(xi) != len(mu) || xi != nil && len(xi) != len(xs) {
		panic(fmt.Sprintf("svm: Lagrangian: %d α, %d ξ, %d μ for %d points", len(alpha), len(xi), len(mu), len(xs)))
	}
	l := norm2(h.W) / 2
	for i, x := range xs {
		l -= alpha[i] * (h.FunctionalMargin(x, ys[i]) - 1)
		if xi != nil && xi[i] != 0 { // else c may be infinite
			l += (c - alpha[i] - mu[i]) * xi[i]
		}
	}
	return l
}

// Options control training. The zero value is a soft margin with C = 1.
type Options struct {
	C       float64                  // the price of slack; 0 means 1, +Inf is the hard margin
	Weights []float64                // Cᵢ = C·Weights[i]; 0 drops point i, though it must be valid; nil means all 1
	Tol     float64                  // stop when KKT.Violation ≤ Tol; 0 means 1e-3
	MaxIter int                      // limit on the steps of the solver; 0 means a generous default
	Observe func(*DualSolution) bool // called every 256 steps or sooner, its argument valid during the call; false ends the run
	Start   []float64                // for Train only: the α to start from, made feasible; nil means 0; classifiers have none

	CacheBytes int // memory for kernel values, for each machine; 0 means the solver's default. It affects the last digits
	Workers    int // goroutines; 0 means GOMAXPROCS. It does not affect the result

	many bool // this is one of several runs, which recycle the same memory
}

// A Model is a trained classifier: w as a [Func] of the support vectors, and b. The training points must not change.
// The methods of Func, such as Eval, leave b out. Several goroutines may use a model at the same time.
type Model[X any] struct {
	Func[X]               // w = Σ αᵢyᵢφ(xᵢ) over the support vectors, in the order of the training data
	B, BLo, BHi float64   // the bias; the interval of b that (B7) allows, to within Tol
	Alpha       []float64 // αᵢ ≥ 0 by training row
	KKT         KKT       // the certificate: how far from optimal it can be
}

// Train finds the soft-margin classifier of points xs with labels ys, +1 or −1: it minimises (A6) by maximising its
// dual (B2). It stops when KKT.Violation is at most o.Tol. The typical time is that of a few kernel values for each
// pair of a point and a support vector. The memory is O(n) beside the points and the cache.
//
// Invalid data or options are errors, and so are classes that the hard margin (C = +Inf) cannot separate:
// [ErrNotSeparable]. If o.MaxIter, o.Observe or rounding end the run early, the best model so far comes with an error
// that wraps [ErrNotConverged]; its KKT says how good it is. If the kernel is found not to be positive semidefinite,
// the model comes with [ErrIndefinite]: it need not be optimal, nor in some cases even stationary.
func Train[X any](xs []X, ys []float64, k Kernel[X], o Options) (*Model[X], error) {
	if err := cmp.Or(checkKernelled(xs, ys, k), o.check(len(xs))); err != nil {
		return nil, err
	}
	m, sol, err := train(newRecipe(k, xs), ys, o, trail{})
	sol.forget()
	return m, err
}

// train is Train on points and options that have been checked. The run starts from the guess of the trail or, if there
// is none, at o.Start. train also returns the solution of the dual, for the next step of the trail.
func train[X any](r recipe[X], ys []float64, o Options, t trail) (*Model[X], *DualSolution, error) {
	lo, hi, err := o.boxes(ys)
	if err != nil {
		return nil, nil, err
	}
	gram, shift := r.within(o.rowTol(), total(hi)-total(lo)).centred()
	if observe := o.Observe; observe != nil && shift != nil { // show b for the caller's points (G4)
		o.Observe = func(s *DualSolution) bool { return observe(s.moved(-Dot(s.Beta, shift))) }
	}
	d := Dual{K: gram, P: ys, Lo: lo, Hi: hi}
	start := slices.Clone(o.Start)
	for i := range start {
		start[i] *= ys[i]
	}
	sol, err := maximise(d, SMOOptions{
		Tol: o.Tol, MaxIter: o.MaxIter, Observe: o.Observe, Start: start, from: t.ahead(o.c(), ys),
		CacheBytes: o.CacheBytes, Workers: o.Workers, many: o.many,
	})
	if sol == nil {
		return nil, nil, err
	}
	m := &Model[X]{B: sol.B, BLo: sol.BLo, BHi: sol.BHi, Alpha: make([]float64, len(ys))}
	at := support(sol.Beta) // no other point matters (B8)
	m.Func = Func[X]{r.k, pick(r.xs, at), pick(sol.Beta, at)}
	for i, beta := range sol.Beta {
		m.Alpha[i] = math.Abs(beta)
	}
	m.KKT = answer{d, sol.Beta, sol.grad, m.B, sol.drift + sol.noise}.certify()
	m.KKT.Iterations = sol.Iterations
	if shift != nil {
		m.moveBack(sol, ys, at)
	}
	if !finite(m.B) {
		return nil, nil, fmt.Errorf("svm: w·x overflows: %w", ErrNotFinite)
	}
	if err == nil && math.IsInf(m.KKT.Dual, 0) {
		return nil, nil, fmt.Errorf("svm: the dual objective overflows: %w", ErrNotFinite)
	}
	if err == nil && math.IsInf(m.KKT.Stationarity, 1) {
		err = fmt.Errorf("svm: ‖w‖² is negative: %w", ErrIndefinite)
	}
	return m, sol, err
}

// moved returns a copy of s with b and its interval increased by the given amount.
func (s *DualSolution) moved(by float64) *DualSolution {
	t := *s
	t.B, t.BLo, t.BHi = s.B+by, s.BLo+by, s.BHi+by
	return &t
}

// moveBack turns b′, the bias for points from which m was subtracted (G4), into b = b′ − w·m for the caller's points.
// Each support vector gives b as b′ + y − g − w·x [its decision value is y − g + b′ = w·x + b]; the mean of these has
// less rounding than b′ − w·m. Their spread is the rounding of w·x and w; that of b is added to it.
func (m *Model[X]) moveBack(sol *DualSolution, ys []float64, at []int) {
	wx, mean := decisions(m.Func, m.Points, 1), 0.0
	for t, i := range at {
		wx[t] = ys[i] - sol.grad[i] - wx[t]
		mean += wx[t] / float64(len(at))
	}
	m.B, m.BLo, m.BHi = m.B+mean, m.BLo+mean, m.BHi+mean
	for _, v := range wx {
		raise(&m.KKT.Rounding, math.Abs(v-mean)+machineEps*math.Abs(m.B))
	}
}

// A trail holds the last two solutions of a machine that is trained for ascending values of C. A nil one stands for
// β = 0, the solution for C = 0, so the zero trail is the start.
type trail struct {
	last, before *DualSolution
	c, c0        float64 // the C of last, and of before
}

// onward returns the trail after one more solution, that for C = c.
func (t trail) onward(s *DualSolution, c float64) trail { return trail{s, t.last, c, t.c} }

// ahead extrapolates the trail to C = c (S10): β + (c − c₁)/(c₁ − c₀)·(β − β₀), with β of last, β₀ of before, c₁ = t.c
// and c₀ = t.c0. It returns nil at the start, and where (S10) gives no guess.
func (t trail) ahead(c float64, p []float64) *DualSolution {
	if t.last == nil {
		return nil
	}
	guess := t.last.ahead(t.before, (c-t.c)/(t.c-t.c0), p)
	if guess == nil {
		t.last.forget() // without a guess the run computes its own rows
	}
	return guess
}

// check checks the options for n points.
func (o Options) check(n int) error {
	switch {
	case o.Weights != nil && len(o.Weights) != n:
		return fmt.Errorf("svm: %d points, but %d weights", n, len(o.Weights))
	case o.Start != nil && len(o.Start) != n:
		return fmt.Errorf("svm: %d points, but a start with %d multipliers", n, len(o.Start))
	case math.IsNaN(o.C):
		return fmt.Errorf("svm: C is NaN: %w", ErrNotFinite)
	case o.C < 0:
		return fmt.Errorf("svm: C %v is negative", o.C)
	}
	if err := cmp.Or(checkSize("MaxIter", o.MaxIter), checkSize("CacheBytes", o.CacheBytes),
		checkSize("Workers", o.Workers), checkSize("Tol", o.Tol), allFinite("start of point", o.Start)); err != nil {
		return err
	}
	for i, w := range o.Weights {
		if c := o.c() * w; !finite(w) || !finite(c) && !math.IsInf(o.C, 1) {
			return fmt.Errorf("svm: C = %v times weight %v of point %d: %w", o.c(), w, i, ErrNotFinite)
		}
		if w < 0 {
			return fmt.Errorf("svm: weight %v of point %d is negative", w, i)
		}
	}
	return nil
}

func (o Options) c() float64 { return cmp.Or(o.C, 1) }

// rowTol bounds the effect of rounding in rows on a gradient: a tenth of Tol, which differences of gradients must meet.
func (o Options) rowTol() float64 { return cmp.Or(o.Tol, 1e-3) / 10 }

// price returns Cᵢ.
func (o Options) price(i int) float64 {
	if o.Weights == nil {
		return o.c()
	}
	if o.Weights[i] == 0 {
		return 0 // also if C = ∞
	}
	return o.c() * o.Weights[i]
}

// boxes returns the bounds of (B2), βᵢ between 0 and Cᵢyᵢ. Each label must have a point of positive weight.
func (o Options) boxes(ys []float64) (lo, hi []float64, err error) {
	lo, hi = make([]float64, len(ys)), make([]float64, len(ys))
	for i, y := range ys {
		c := o.price(i)
		lo[i], hi[i] = min(0, c*y), max(0, c*y)
	}
	if slices.Max(hi) == 0 {
		return nil, nil, fmt.Errorf("svm: no point of positive weight has label +1: %w", ErrOneClass)
	}
	if slices.Min(lo) == 0 {
		return nil, nil, fmt.Errorf("svm: no point of positive weight has label -1: %w", ErrOneClass)
	}
	return lo, hi, nil
}

// Decision returns f(x) = Σ αᵢyᵢk(xᵢ, x) + b, by [Func.Eval]: one kernel value for each support vector.
func (m *Model[X]) Decision(x X) float64 { return m.Eval(x) + m.B }

// Predict returns the sign of f(x), and +1 if f(x) is 0, or NaN, which it may be if x is not finite or kernel values
// overflow. Like Decision it panics if x is a vector of another length than the training points.
func (m *Model[X]) Predict(x X) float64 { return sign(m.Decision(x)) }

// DecisionAll returns the decision of every point, up to rounding, on all cores: for many points faster than Decision.
func (m *Model[X]) DecisionAll(xs []X) []float64 {
	f := decisions(m.Func, xs, 0)
	for i := range f {
		f[i] += m.B
	}
	return f
}

// PredictAll returns the label of every point, the sign of its decision by [Model.DecisionAll].
func (m *Model[X]) PredictAll(xs []X) []float64 {
	labels := m.DecisionAll(xs)
	for i, f := range labels {
		labels[i] = sign(f)
	}
	return labels
}

// Margins returns the functional margins yᵢf(xᵢ) (A3). Divided by m.Norm() they are distances in feature space.
func (m *Model[X]) Margins(xs []X, ys []float64) []float64 {
	match(len(xs), len(ys))
	return times(ys, m.DecisionAll(xs))
}

// Slacks returns ξᵢ = max(0, 1 − yᵢf(xᵢ)) (A7), to be read by [ClassifySlack].
func (m *Model[X]) Slacks(xs []X, ys []float64) []float64 {
	z := m.Margins(xs, ys)
	for i := range z {
		z[i] = HingeLoss(z[i])
	}
	return z
}

// Explicit returns the plane of a model with the [Linear] kernel, w = Σ αᵢyᵢxᵢ (B1): d numbers instead of all support
// vectors. It is an error if the kernel is another, if there are no support vectors, if w overflows, or, for [Sparse]
// points, if d exceeds 2²⁴ plus 64 times the number of their non-zeros.
func Explicit[X []float64 | Sparse](m *Model[X]) (Hyperplane, error) {
	w, ok := weights(m.Func, math.MaxInt)
	if !ok {
		return Hyperplane{}, fmt.Errorf(
			"svm: no plane: kernel %T with %d support vectors, want Linear with some, w finite and not too wide", m.Kernel, len(m.Points))
	}
	return Hyperplane{w, m.B}, nil
}

// KKT tells how far a model is from optimal. Primal and Dual are the values of (A6) and (B2): if the kernel is positive
// semidefinite and α feasible, no plane has a value below Dual, and no multipliers one above Primal (B3), but for rounding.
// Each residual of (B5) to (B7) is absolute, the largest over all points; 0 at the optimum, +Inf where a number is NaN.
type KKT struct {
	Primal, Dual, Gap float64 // Gap = Primal − Dual; for a hard margin Primal is the value of the canonical plane

	Stationarity      float64 // |Σ αᵢyᵢ| and, by Verify, |w·φ(xᵢ) − Σⱼ αⱼyⱼKᵢⱼ|; +Inf if ‖w‖² < 0
	PrimalFeasibility float64 // 1 − yᵢf(xᵢ) for a hard margin; for a soft one every plane is feasible
	DualFeasibility   float64 // how far αᵢ is outside [0, Cᵢ]
	Slackness         float64 // αᵢ|yᵢf(xᵢ) − 1 + ξᵢ| and (Cᵢ − αᵢ)ξᵢ
	Violation         float64 // (B7): max g − min g, max g − b, b − min g; max where β may rise, min where it may fall

	Rounding float64 // bound on errors of any g or f, if kernel values are rounded once; if it is large, scale the features

	Free, Bound, Iterations int // 0 < αᵢ < Cᵢ; αᵢ ≥ Cᵢ > 0; steps of the solver
}

// String returns the report as a table.
func (k KKT) String() string {
	var s strings.Builder
	for _, row := range []struct {
		name  string
		value float64
		note  string
	}{
		{"primal objective", k.Primal, ""},
		{"dual objective", k.Dual, ""},
		{"duality gap", k.Gap, "primal - dual"},
		{"stationarity", k.Stationarity, "w = sum alpha y x, sum alpha y = 0"},
		{"primal feasibility", k.PrimalFeasibility, "y f >= 1 - xi"},
		{"dual feasibility", k.DualFeasibility, "0 <= alpha <= C"},
		{"slackness", k.Slackness, "alpha (y f - 1 + xi) = 0, (C - alpha) xi = 0"},
		{"violation", k.Violation, "of the optimality conditions"},
	} {
		s.WriteString(strings.TrimRight(fmt.Sprintf("%-20s%14.6g  %s", row.name, row.value, row.note), " ") + "\n")
	}
	if k.Rounding > planeTol {
		fmt.Fprintf(&s, "%-20s%14.6g  of kernel values, in each g: scale the features\n", "rounding", k.Rounding)
	}
	fmt.Fprintf(&s, "%-20s%14d  %d free, %d at the bound\n", "support vectors", k.Free+k.Bound, k.Free, k.Bound)
	fmt.Fprintf(&s, "%-20s%14d\n", "iterations", k.Iterations)
	return s.String()
}

// Verify computes the certificate of a model from the data it was trained on: every kernel value by Eval, nothing by
// the solver, at a cost of 2n kernel values for each support vector. It takes Σ m.Alpha[i] yᵢφ(xᵢ) for w; Stationarity
// compares this with the w by which m decides. If the kernel is not positive semidefinite, all residuals may be 0 at a
// point that is not optimal: see [CheckPSD]. Far from the origin Verify has more rounding than Train, which centres the
// points of a linear kernel. It panics where Train would reject xs, ys or o, and unless m.Alpha has n numbers.
func Verify[X any](m *Model[X], xs []X, ys []float64, o Options) KKT {
	if len(m.Alpha) != len(xs) {
		panic(fmt.Errorf("svm: %d points, but a model trained on %d", len(xs), len(m.Alpha)))
	}
	if err := cmp.Or(checkKernelled(xs, ys, m.Kernel), o.check(len(xs))); err != nil {
		panic(err)
	}
	lo, hi, err := o.boxes(ys)
	if err != nil {
		panic(err)
	}
	beta, g := times(ys, m.Alpha), slices.Clone(ys)
	off, size := make([]float64, len(xs)), make([]float64, len(xs))
	parallel(o.Workers, len(xs), func(i int) {
		for j, b := range beta {
			if b != 0 {
				v := b * m.Kernel.Eval(xs[j], xs[i])
				g[i] -= v
				size[i] += math.Abs(v)
			}
		}
		off[i] = math.Abs(m.Eval(xs[i]) - (ys[i] - g[i]))
	})
	rounding := 0.0
	raise(&rounding, machineEps*slices.Max(size))
	k := answer{Dual{P: ys, Lo: lo, Hi: hi}, beta, g, m.B, rounding}.certify()
	raise(&k.Stationarity, slices.Max(off))
	k.Iterations = m.KKT.Iterations
	return k
}

// An answer is what certify judges, feasible or not: β, the dual's gradient g = y − Kβ, and b.
type answer struct {
	Dual
	beta, g  []float64
	b        float64
	rounding float64 // the most that may be in g
}

// point returns Cᵢ, αᵢ, zᵢ and ξᵢ, as in (B1) to (B6).
func (a answer) point(i int) (c, alpha, z, xi float64) {
	y := a.P[i]
	z = 1 - y*(a.g[i]-a.b)
	return a.Hi[i] - a.Lo[i], y * a.beta[i], z, HingeLoss(z)
}

// certify measures the answer against every statement of chapter B.
func (a answer) certify() (k KKT) {
	a.objectives(&k)
	a.conditions(&k)
	return k
}

// objectives computes the values of the two problems and their difference (B3).
func (a answer) objectives(k *KKT) {
	w2, size, gain, loss := 0.0, 0.0, 0.0, 0.0 // ‖w‖² = βᵀKβ, the size of its terms, Σα, Σ Cξ
	hard, margin := false, math.Inf(1)
	for i, beta := range a.beta {
		c, alpha, z, xi := a.point(i)
		w2 += beta * (a.P[i] - a.g[i])
		size += math.Abs(beta) * (math.Abs(a.P[i]) + math.Abs(a.g[i]) + a.rounding/roundingTol)
		gain += alpha
		if math.IsInf(c, 1) {
			hard, margin = true, min(margin, z)
		} else {
			loss += c * xi
		}
	}
	k.Rounding = a.rounding
	k.Primal, k.Dual = w2/2+loss, gain-w2/2
	if hard && margin > 0 {
		k.Primal = w2 / (2 * margin * margin) // of the canonical plane (A4)
	} else if hard {
		k.Primal = math.Inf(1)
	}
	k.Gap = k.Primal - k.Dual
	if math.IsNaN(k.Gap) {
		k.Primal, k.Dual, k.Gap = math.Inf(1), math.Inf(-1), math.Inf(1)
	}
	if !(w2 >= -roundingTol*size) {
		k.Stationarity = math.Inf(1) // ‖w‖² < 0 by more than rounding: there is no such w
	}
}

// conditions computes the residuals of (B5) to (B7), and counts the free and the bounded multipliers of (B6).
func (a answer) conditions(k *KKT) {
	for i := range a.beta {
		c, alpha, z, xi := a.point(i)
		if math.IsInf(c, 1) {
			raise(&k.PrimalFeasibility, xi)
			xi = 0 // a hard margin has no slack: what is missing is infeasibility
		} else {
			raise(&k.Slackness, (c-alpha)*xi)
		}
		raise(&k.Slackness, math.Abs(alpha*(z-1+xi)))
		switch {
		case alpha <= 0:
		case alpha < c:
			k.Free++
		default:
			k.Bound++
		}
	}
	box, sum := a.Infeasibility(a.beta)
	raise(&k.DualFeasibility, box)
	raise(&k.Stationarity, sum)
	up, low := a.Bias(a.beta, a.g)
	for _, v := range []float64{up - low, up - a.b, a.b - low} {
		raise(&k.Violation, v)
	}
}

// raise sets *r to v if that is greater, and to +Inf if v is NaN: what is unknown is not certified.
func raise(r *float64, v float64) {
	if math.IsNaN(v) {
		v = math.Inf(1)
	}
	*r = max(*r, v)
}

// roundingTol bounds the relative rounding error of a sum of products with kernel values: a few thousand times 2e-16.
const roundingTol = 1e-12

// A Classifier tells any number of classes apart, with a machine for each pair of them ([TrainClassifier]) or for each
// of them against all others ([TrainOneVsRest]). Several goroutines may use one at the same time. The zero value cannot
// predict, nor can one that encoding/json or encoding/gob restored, since they see only Labels: see [WriteClassifier].
type Classifier[X any, L cmp.Ordered] struct {
	Labels []L // sorted, each once

	kernel   Kernel[X]
	points   []X // the support vectors of all machines, each once, in training order
	machines []machine[X]
	decider  func() (size int, decide func(f, values []float64, x X)) // c.prepare, called once
}

// A machine is a model of two classes: Labels[pos] where f(x) ≥ 0, and Labels[neg], neg < pos, where f(x) < 0. For the
// labels −1 and +1 it is the model that Train makes. Against all others neg is −1.
type machine[X any] struct {
	neg, pos int
	model    *Model[X]
	at       []int // model.Points[t] is points[at[t]] or, until gather, row at[t] of the training data
}

// TrainClassifier trains a machine for each pair of classes (F6), on the points of these two alone and with the options
// of [Train]. Weights belong to points; labels that have no point of positive weight are left out. For m classes of
// equal size this takes about 2/m of the time of [TrainOneVsRest], if a machine's time grows like the square of its
// points. Machines train in parallel. Calls of o.Observe do not overlap, and when one returns false all machines stop.
// Errors are those of Train; [ErrNotConverged] and [ErrIndefinite] come with the classifier.
func TrainClassifier[X any, L cmp.Ordered](xs []X, labels []L, k Kernel[X], o Options) (*Classifier[X, L], error) {
	if err := checkClasses(xs, labels, k, o); err != nil {
		return nil, err
	}
	c, _, err := trainMachines(xs, labels, k, o, pairs, nil, false)
	return c, err
}

// TrainOneVsRest is [TrainClassifier] with a machine for each class against the rest: the greatest decision wins (F6).
func TrainOneVsRest[X any, L cmp.Ordered](xs []X, labels []L, k Kernel[X], o Options) (*Classifier[X, L], error) {
	if err := checkClasses(xs, labels, k, o); err != nil {
		return nil, err
	}
	c, _, err := trainMachines(xs, labels, k, o, rests, nil, false)
	return c, err
}

// checkClasses checks points, labels of any type, kernel and options.
func checkClasses[X any, L cmp.Ordered](xs []X, labels []L, k Kernel[X], o Options) error {
	if err := cmp.Or(checkCount(len(xs), len(labels)), checkPoints(xs), checkKernel(k, xs), o.check(len(xs))); err != nil {
		return err
	}
	if o.Start != nil {
		return errors.New("svm: Start is for Train: a point may have a multiplier in many machines")
	}
	for i, l := range labels {
		if l != l {
			return fmt.Errorf("svm: label of point %d is NaN: %w", i, ErrNotFinite)
		}
	}
	switch classes := classesOf(labels, o); len(classes) {
	case 0:
		return errNoWeight
	case 1:
		return fmt.Errorf("svm: every point of positive weight has label %v: %w", classes[0], ErrOneClass)
	}
	return nil
}

var errNoWeight = fmt.Errorf("svm: every point has weight 0: %w", ErrOneClass)

// classesOf returns the labels of the points of positive weight, in ascending order.
func classesOf[L cmp.Ordered](labels []L, o Options) []L {
	var kept []L
	for i, l := range labels {
		if o.Weights == nil || o.Weights[i] > 0 {
			kept = append(kept, l)
		}
	}
	slices.Sort(kept)
	return slices.Compact(kept)
}

// pairs lists the untrained machines of one-vs-one as (neg, pos): (0, 1), (0, 2), …, (1, 2), ….
func pairs[X any](classes int) (machines []machine[X]) {
	for neg := range classes {
		for pos := neg + 1; pos < classes; pos++ {
			machines = append(machines, machine[X]{neg: neg, pos: pos})
		}
	}
	return machines
}

// rests lists the untrained machines of one-vs-rest: (−1, 0), (−1, 1), ….
func rests[X any](classes int) (machines []machine[X]) {
	for pos := range classes {
		machines = append(machines, machine[X]{neg: -1, pos: pos})
	}
	return machines
}

// trainMachines trains the machines of list, which is pairs or rests. With one class there is no pair, and that class
// is predicted. Machine t starts from the guess of trails[t], or at 0 if trails is nil. It returns the trails for the
// next C; with keep set they hold rows for it, if there is one machine or o has room for a Gram matrix each.
func trainMachines[X any, L cmp.Ordered](xs []X, labels []L, k Kernel[X], o Options,
	list func(classes int) []machine[X], trails []trail, keep bool) (*Classifier[X, L], []trail, error) {
	c := &Classifier[X, L]{Labels: classesOf(labels, o), kernel: k}
	if len(c.Labels) == 0 {
		return nil, nil, errNoWeight
	}
	c.machines = list(len(c.Labels))
	m := max(1, len(c.machines))
	keep = keep && (m == 1 || o.holds(m, len(xs)))
	workers := o.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	o.Workers, o.many = max(1, workers/m), m > 1 || trails != nil
	o.Observe = takeTurns(o.Observe)
	on, errs := make([]trail, m), make([]error, m)
	if trails == nil {
		trails = make([]trail, m)
	}
	all := newRecipe(k, xs)
	class, members := c.split(labels)
	parallel(workers, len(c.machines), func(t int) {
		sol, err := c.train(&c.machines[t], all, class, members, o, trails[t])
		if !keep {
			sol.forget()
		}
		on[t], errs[t] = trails[t].onward(sol, o.c()), err
	})
	err := worst(errs)
	if !hasSolution(err) {
		return nil, nil, err
	}
	c.gather(xs)
	return c, on, err
}

// split returns the class of every point, that is the index of its label in c.Labels, and the points of every class.
// The label of a point of weight 0 may not be there: its class is then −1.
func (c *Classifier[X, L]) split(labels []L) (class []int, members [][]int) {
	class, members = slices.Repeat([]int{-1}, len(labels)), make([][]int, len(c.Labels))
	for i, l := range labels {
		if place, ok := slices.BinarySearch(c.Labels, l); ok {
			class[i], members[place] = place, append(members[place], i)
		}
	}
	return class, members
}

// train trains one machine on the points of its classes.
func (c *Classifier[X, L]) train(m *machine[X], all recipe[X], class []int, members [][]int, o Options, from trail) (
	*DualSolution, error) {
	var rows []int
	if m.neg < 0 {
		rows = upTo[int](len(class))
	} else {
		rows = slices.Concat(members[m.neg], members[m.pos])
		slices.Sort(rows)
	}
	ys := constant(len(rows), -1)
	for t, i := range rows {
		if class[i] == m.pos {
			ys[t] = 1
		}
	}
	o.Weights = pick(o.Weights, rows)
	model, sol, err := train(all.pick(rows), ys, o, from)
	if model != nil {
		m.model, m.at = model, pick(rows, support(model.Alpha))
	}
	if err != nil && m.neg < 0 {
		return sol, fmt.Errorf("%w (class %v against the others)", err, c.Labels[m.pos])
	} else if err != nil {
		return sol, fmt.Errorf("%w (among the points of classes %v and %v)", err, c.Labels[m.neg], c.Labels[m.pos])
	}
	return sol, nil
}

// gather lists the support vectors of all machines, each once, so that a prediction computes each kernel value once.
func (c *Classifier[X, L]) gather(xs []X) {
	var all []int
	for _, m := range c.machines {
		all = append(all, m.at...)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	c.points = pick(xs, all)
	for _, m := range c.machines {
		for t, i := range m.at {
			m.at[t], _ = slices.BinarySearch(all, i)
		}
	}
	c.decider = sync.OnceValues(c.prepare)
}

// takeTurns makes observe safe for concurrent runs: calls do not overlap, and after the first false there are none, but
// false all the same. It returns nil if observe is nil.
func takeTurns(observe func(*DualSolution) bool) func(*DualSolution) bool {
	if observe == nil {
		return nil
	}
	var mu sync.Mutex
	ended := false
	return func(s *DualSolution) bool {
		mu.Lock()
		defer mu.Unlock()
		ended = ended || !observe(s)
		return !ended
	}
}

// worst returns the first error that comes without a model, or else the first that is the observer's, or else the first.
func worst(errs []error) error {
	weight := func(err error) int {
		switch {
		case err == nil:
			return 0
		case !hasSolution(err):
			return 3
		case errors.Is(err, errObserver):
			return 2
		}
		return 1
	}
	return slices.MaxFunc(errs, func(a, b error) int { return cmp.Compare(weight(a), weight(b)) })
}

// Models returns the machines of c with their certificates: for each pair of classes in the order (0, 1), (0, 2), …,
// (1, 2), …, or, one-vs-rest, for each class. The machine for (a, b), a < b, has y = +1 for Labels[b], which a positive
// decision predicts. Alpha belongs to the points of the two classes, or, one-vs-rest, to all points, in the order of
// the training data. Do not change the machines: c keeps copies of their numbers.
func (c *Classifier[X, L]) Models() []*Model[X] {
	models := make([]*Model[X], len(c.machines))
	for t, m := range c.machines {
		models[t] = m.model
	}
	return models
}

// Predict returns the label of x: the class with most votes or, one-vs-rest, with the greatest decision. A machine
// votes for the larger of its labels if its decision is 0 (A1), or NaN because kernel values overflow; one-vs-rest, NaN
// is less than any number. In a tie the smallest label wins. The cost is one kernel value for each support vector,
// however many machines share it, or, for the linear kernel, one inner product for each machine if that is less.
func (c *Classifier[X, L]) Predict(x X) L { return c.predictAll([]X{x}, 1)[0] }

// Decisions returns the decisions of all machines at x, in the order of [Classifier.Models], at the cost of Predict.
func (c *Classifier[X, L]) Decisions(x X) []float64 {
	size, decide := c.ready()
	f := make([]float64, len(c.machines))
	decide(f, make([]float64, size), x)
	return f
}

// PredictAll predicts the label of every point, a batch at a time on all cores.
func (c *Classifier[X, L]) PredictAll(xs []X) []L { return c.predictAll(xs, 0) }

func (c *Classifier[X, L]) predictAll(xs []X, workers int) []L {
	labels := make([]L, len(xs))
	size, decide := c.ready()
	inBlocks(workers, len(xs), len(c.machines)+size, func(i int, row []float64) {
		f, values := row[:len(c.machines)], row[len(c.machines):]
		decide(f, values, xs[i])
		labels[i] = c.vote(f)
	})
	return labels
}

// ready returns the results of c.decider. It panics if there is none.
func (c *Classifier[X, L]) ready() (size int, decide func(f, values []float64, x X)) {
	if c.kernel == nil {
		panic("svm: Classifier: neither trained nor read by ReadClassifier")
	}
	return c.decider()
}

// prepare returns decide, which puts the decisions of all machines at x into f, and the size of its buffer values.
func (c *Classifier[X, L]) prepare() (size int, decide func(f, values []float64, x X)) {
	if planes := c.planes(); planes != nil {
		return 0, func(f, _ []float64, x X) {
			for t, m := range c.machines {
				f[t] = dotWeights(planes[t], x) + m.model.B
			}
		}
	}
	most := 0.0
	for _, m := range c.machines {
		most = max(most, norm1(m.model.Coef))
	}
	rows := newRecipe(c.kernel, c.points).within(decisionTol, most).open()
	var bias, coef []float64 // of all machines, end to end: there may be thousands, with few support vectors each
	var at []int32
	for _, m := range c.machines {
		bias, coef = append(bias, m.model.B), append(coef, m.model.Coef...)
		for _, i := range m.at {
			at = append(at, int32(i))
		}
	}
	return len(c.points), func(f, values []float64, x X) {
		rows.values(values, x)
		s := 0
		for t, m := range c.machines {
			sum, end := bias[t], s+len(m.at)
			from := coef[s:end]
			for k, i := range at[s:end] {
				sum += from[k] * values[i]
			}
			f[t], s = sum, end
		}
	}
}

// planes returns w of every machine, or nil where decisions are to use kernel values: if the kernel is not linear, or
// if the planes have more numbers than the support vectors have non-zeros and kernel values are not coarse.
func (c *Classifier[X, L]) planes() [][]float64 {
	planes, room := make([][]float64, len(c.machines)), nonZeros(c.points)
	if c.coarse() {
		room = math.MaxInt
	}
	for t, m := range c.machines {
		w, ok := weights(m.model.Func, room)
		if !ok {
			return nil
		}
		planes[t] = w
		room -= len(w)
	}
	return planes
}

// coarse reports whether the rounding of kernel values exceeds planeTol in the decision value of some machine. For an x
// as long as its support vectors, the rounding of the terms αᵢyᵢ xᵢ·x is up to ε Σ αᵢ‖xᵢ‖².
func (c *Classifier[X, L]) coarse() bool {
	for _, m := range c.machines {
		views, _ := vectors(m.model.Points)
		size := 0.0
		for t, x := range views {
			size += math.Abs(m.model.Coef[t]) * norm2(x.Value)
		}
		if machineEps*size > planeTol {
			return true
		}
	}
	return false
}

// planeTol is the most rounding of kernel values in a decision: above it planes replace them, and reports show it.
const planeTol = 1e-6

// vote returns the label that the decisions f of all machines choose.
func (c *Classifier[X, L]) vote(f []float64) L {
	score := make([]float64, len(c.Labels))
	for t, m := range c.machines {
		switch {
		case m.neg < 0:
			score[m.pos] = f[t]
		case f[t] < 0:
			score[m.neg]++
		default:
			score[m.pos]++
		}
	}
	return c.Labels[argmax(score)]
}

// CrossValidate estimates the accuracy of [TrainClassifier] on new points (F7). The data are divided into folds; each
// is predicted by a classifier trained on the others, and the share of correct predictions is returned.
//
// The folds are stratified: the sizes of any two differ by at most one, and so do their numbers of points of each
// class. So, if no weight is 0, a class of two or more points is in training whenever its points are predicted; one of
// a single point never is, and that point counts as a mistake. Weights act in training alone. The division is random,
// but depends on rng and labels only; rng nil means a fixed seed. It is an error if there are fewer than two folds, or
// fewer points than folds. [ErrNotConverged] and [ErrIndefinite] come with the accuracy that the classifiers have, or
// with NaN if o.Observe has returned false.
func CrossValidate[X any, L cmp.Ordered](xs []X, labels []L, k Kernel[X], o Options,
	folds int, rng *rand.Rand) (accuracy float64, err error) {
	if err := checkFolds(xs, labels, k, o, folds); err != nil {
		return 0, err
	}
	accuracies, err := crossValidate(xs, labels, k, []float64{o.C}, o, deal(labels, folds, rng))
	if accuracies == nil {
		return 0, err
	}
	return accuracies[0], err
}

// CrossPredict returns the predictions that [CrossValidate] counts: each point has the label that a classifier trained
// without its fold predicts, so that other scores can be computed (a class that is rare hardly shows in the accuracy).
// Errors are the same. If o.Observe has returned false there are no predictions.
func CrossPredict[X any, L cmp.Ordered](xs []X, labels []L, k Kernel[X], o Options,
	folds int, rng *rand.Rand) ([]L, error) {
	if err := checkFolds(xs, labels, k, o, folds); err != nil {
		return nil, err
	}
	predicted, err := crossPredict(xs, labels, k, []float64{o.C}, o, deal(labels, folds, rng))
	if len(predicted) == 0 {
		return nil, err
	}
	return predicted[0], err
}

func checkFolds[X any, L cmp.Ordered](xs []X, labels []L, k Kernel[X], o Options, folds int) error {
	if err := checkClasses(xs, labels, k, o); err != nil {
		return err
	}
	if folds < 2 || folds > len(xs) {
		return fmt.Errorf("svm: %d folds of %d points: want 2 or more, and no more than points", folds, len(xs))
	}
	return nil
}

// deal returns the fold of each point: the points, shuffled and then sorted by label, are dealt like cards.
func deal[L cmp.Ordered](labels []L, folds int, rng *rand.Rand) []int {
	if rng == nil {
		rng = rand.New(rand.NewPCG(1, 1))
	}
	cards := rng.Perm(len(labels))
	slices.SortStableFunc(cards, func(i, j int) int { return cmp.Compare(labels[i], labels[j]) })
	fold := make([]int, len(labels))
	for p, i := range cards {
		fold[i] = p % folds
	}
	return fold
}

// crossValidate returns the accuracy of every C of cs, which ascend: NaN where o.Observe has ended a run. Point i is
// predicted without the fold fold[i].
func crossValidate[X any, L cmp.Ordered](xs []X, labels []L, k Kernel[X], cs []float64, o Options,
	fold []int) ([]float64, error) {
	predicted, err := crossPredict(xs, labels, k, cs, o, fold)
	if !hasSolution(err) {
		return nil, err
	}
	accuracies := constant(len(cs), math.NaN())
	for j, guesses := range predicted {
		right := 0
		for i, l := range guesses {
			if l == labels[i] {
				right++
			}
		}
		accuracies[j] = float64(right) / float64(len(xs))
	}
	return accuracies, err
}

// crossPredict returns the predictions of all points for every C of cs, or for the first of them if o.Observe ends a run.
func crossPredict[X any, L cmp.Ordered](xs []X, labels []L, k Kernel[X], cs []float64, o Options,
	fold []int) ([][]L, error) {
	o.Observe = takeTurns(o.Observe)
	folds := slices.Max(fold) + 1
	predicted, errs, done := make([][]L, len(cs)), make([]error, folds), make([]int, folds)
	for j := range cs {
		predicted[j] = make([]L, len(xs))
	}
	parallel(o.Workers, folds, func(f int) {
		var in, out []int
		for i, g := range fold {
			if g == f {
				out = append(out, i)
			} else {
				in = append(in, i)
			}
		}
		o := o
		o.Weights, o.Workers = pick(o.Weights, in), 1
		classifiers, err := trainEach(pick(xs, in), pick(labels, in), k, cs, o)
		if err != nil {
			errs[f] = fmt.Errorf("%w (without fold %d)", err, f)
		}
		done[f] = len(classifiers)
		for few := range slices.Chunk(out, 32) { // few, so that rows of a matrix stay in cache for all classifiers
			for j, c := range classifiers {
				for t, l := range c.predictAll(pick(xs, few), 1) {
					predicted[j][few[t]] = l
				}
			}
		}
	})
	err := worst(errs)
	if !hasSolution(err) {
		return nil, err
	}
	return predicted[:slices.Min(done)], err
}

// trainEach trains a classifier for each of cs, which ascend. Machines start from guesses by their last two solutions.
// There are classifiers only for the first of cs if o.Observe ends a run.
func trainEach[X any, L cmp.Ordered](xs []X, labels []L, k Kernel[X], cs []float64, o Options) ([]*Classifier[X, L], error) {
	var classifiers []*Classifier[X, L]
	var trails []trail
	errs := make([]error, len(cs))
	for j, price := range cs {
		o.C = price
		c, on, err := trainMachines(xs, labels, k, o, pairs, trails, j+1 < len(cs))
		if c == nil {
			return nil, err
		}
		if errs[j] = err; errors.Is(err, errObserver) {
			break
		}
		classifiers, trails = append(classifiers, c), on
	}
	return classifiers, worst(errs)
}

// A Choice is what [GridSearch] found best.
type Choice[X any] struct {
	Kernel   Kernel[X]
	C        float64
	Accuracy float64
	Table    [][]float64 // Table[i][j]: the accuracy of kernel i with the jth C
	Index    int         // the i of Kernel
}

// GridSearch chooses the kernel, one for each γ say, and the C of greatest accuracy under [CrossValidate], with the
// same folds for all (F7). In a tie the smallest C wins, then the kernel that comes first. Errors are those of
// CrossValidate; those that come with an accuracy do not end the search, and the first is returned with the choice. If
// o.Observe ends it, accuracies not known by then are NaN, and the choice is among the others, or nil without any.
//
// It trains a classifier for each fold and each cell of the table, but reuses work. A kernel's Gram matrix is computed
// once if its n² numbers fit into o.CacheBytes; o.Observe is not called meanwhile. Every machine starts from a linear
// extrapolation of its solutions for the next two smaller values of C. o.C is ignored; in cs, too, 0 means 1. The
// accuracies are those of CrossValidate, except for points so near a plane that o.Tol leaves their side open.
func GridSearch[X any, L cmp.Ordered](xs []X, labels []L, kernels []Kernel[X], cs []float64, o Options,
	folds int, rng *rand.Rand) (*Choice[X], error) {
	if len(kernels) == 0 || len(cs) == 0 {
		return nil, fmt.Errorf("svm: a grid of %d kernels and %d values of C", len(kernels), len(cs))
	}
	o.C = 0 // cs take its place
	for _, k := range kernels {
		if err := checkFolds(xs, labels, k, o, folds); err != nil {
			return nil, err
		}
	}
	prices, err := o.prices(cs, len(xs))
	if err != nil {
		return nil, err
	}
	o.Observe = takeTurns(o.Observe)
	fold, order := deal(labels, folds, rng), ascending(prices)
	rising := pick(prices, order)
	best := &Choice[X]{Accuracy: -1}
	var first error
	var gram *Matrix
	if n := len(xs); o.holds(1, n) {
		gram = NewMatrix(n, n)
	}
	for i, k := range kernels {
		row := constant(len(cs), math.NaN())
		best.Table = append(best.Table, row)
		if errors.Is(err, errObserver) {
			continue
		}
		var accuracies []float64
		if accuracies, err = sweep(xs, labels, k, rising, o, fold, gram); !hasSolution(err) {
			return nil, err
		}
		first = cmp.Or(first, err)
		best.consider(i, k, rising, accuracies)
		scatter(row, order, accuracies)
	}
	if best.Kernel == nil {
		return nil, first
	}
	return best, first
}

// consider makes kernel i, k, and a C of cs the choice if their accuracy is greater, or equal with a smaller C, not NaN.
func (c *Choice[X]) consider(i int, k Kernel[X], cs, accuracies []float64) {
	for t, a := range accuracies {
		if a > c.Accuracy || a == c.Accuracy && cs[t] < c.C {
			c.Kernel, c.Index, c.C, c.Accuracy = k, i, cs[t], a
		}
	}
}

// prices returns cs with the default for 0, after checking each with the other options for n points.
func (o Options) prices(cs []float64, n int) ([]float64, error) {
	prices := make([]float64, len(cs))
	for j, c := range cs {
		o.C = c
		if err := o.check(n); err != nil {
			return nil, err
		}
		prices[j] = o.c()
	}
	return prices, nil
}

// sweep is crossValidate. If gram is not nil it is filled with the Gram matrix, and its row numbers are the points.
func sweep[X any, L cmp.Ordered](xs []X, labels []L, k Kernel[X], cs []float64, o Options,
	fold []int, gram *Matrix) ([]float64, error) {
	if gram == nil {
		return crossValidate(xs, labels, k, cs, o, fold)
	}
	// The linear kernel of centred points will do (G4): Σβ = 0 in every machine, and predictions use the same matrix.
	all, _ := newRecipe(k, xs).within(o.rowTol(), slices.Max(cs)*cmp.Or(total(o.Weights), float64(len(xs)))).centred()
	rows := all.Open()
	parallel(o.Workers, len(xs), func(i int) { rows.Row(gram.Row(i)[i:], i, i) })
	gram.mirror()
	return crossValidate(upTo[int](len(xs)), labels, Kernel[int](Precomputed{gram}), cs, o, fold)
}

// sharedBytes is the default memory of GridSearch for its Gram matrix, and for the rows kept from one C to the next.
const sharedBytes = 200 << 20

// holds reports whether the memory of o has room for that many n × n matrices.
func (o Options) holds(matrices, n int) bool {
	return n <= cmp.Or(o.CacheBytes, sharedBytes)/8/n/matrices
}

// A Scaler turns each coordinate x_f into (x_f − Shift_f)·Factor_f. Fit it to the training data, and apply it to all.
type Scaler struct{ Shift, Factor []float64 }

// MinMax returns the scaler that makes each coordinate of xs range from 0 to 1. A coordinate that is constant on xs, or
// varies by no more than 2⁻¹⁰²⁴, carries no information and becomes 0, on other points, too.
func MinMax(xs [][]float64) (Scaler, error) {
	return fitScaler(xs, func(v []float64) (shift, spread float64) {
		low, high := slices.Min(v), slices.Max(v)
		return low, high - low
	})
}

// Standardise returns the scaler that gives each coordinate of xs mean 0, variance 1; for constant ones see [MinMax].
func Standardise(xs [][]float64) (Scaler, error) {
	return fitScaler(xs, func(v []float64) (shift, spread float64) {
		low := slices.Min(v) // so that a constant column has differences of exactly 0
		size := cmp.Or(slices.Max(v)-low, 1)
		n, sum, sum2 := float64(len(v)), 0.0, 0.0
		for _, x := range v {
			sum += (x - low) / size
		}
		for _, x := range v {
			d := (x-low)/size - sum/n
			sum2 += d * d
		}
		return low + size*(sum/n), size * math.Sqrt(sum2/n)
	})
}

func fitScaler(xs [][]float64, measure func(column []float64) (shift, spread float64)) (Scaler, error) {
	if err := cmp.Or(checkCount(len(xs), len(xs)), checkPoints(xs)); err != nil {
		return Scaler{}, err
	}
	d := len(xs[0])
	s := Scaler{make([]float64, d), make([]float64, d)}
	column := make([]float64, len(xs))
	for f := range d {
		for i, x := range xs {
			column[i] = x[f]
		}
		shift, spread := measure(column)
		if !finite(spread) {
			return Scaler{}, fmt.Errorf("svm: spread of feature %d: %w", f, ErrNotFinite)
		}
		s.Shift[f] = shift
		if factor := 1 / spread; factor <= math.MaxFloat64 { // else the column is constant, or varies by denormals only
			s.Factor[f] = factor
		}
	}
	return s, nil
}

// Apply returns the scaled points, and leaves xs alone. It panics if a point is narrower or wider than those to which s
// was fitted: see [Widen].
func (s Scaler) Apply(xs [][]float64) [][]float64 {
	scaled := make([][]float64, len(xs))
	for i, x := range xs {
		if len(x) != len(s.Shift) {
			panic(fmt.Sprintf("svm: Scaler: point %d has %d coordinates, want %d", i, len(x), len(s.Shift)))
		}
		scaled[i] = make([]float64, len(x))
		for f, v := range x {
			scaled[i][f] = (v - s.Shift[f]) * s.Factor[f]
		}
	}
	return scaled
}

// Kinds of errors in data and model files, beside ErrNotFinite and, if a model file ends early, io.ErrUnexpectedEOF.
var (
	ErrSyntax      = errors.New("bad syntax")
	ErrIndex       = errors.New("bad index")     // below 1, too large, or not above the one before it
	ErrTooSparse   = errors.New("too sparse")    // dense rows would dwarf the file: use ReadSparse
	ErrUnsupported = errors.New("not supported") // a kernel or a kind of machine that LIBSVM or svm lacks
)

// A ParseError says where a file is wrong. Line and Column count from 1, columns in bytes.
type ParseError struct {
	Line, Column int
	Err          error
}

// Error names the place and the mistake.
func (e *ParseError) Error() string {
	return fmt.Sprintf("svm: line %d, column %d: %v", e.Line, e.Column, e.Err)
}

// Unwrap returns e.Err.
func (e *ParseError) Unwrap() error { return e.Err }

// ReadLIBSVM reads points and their labels, in the order of the file. The points have as many coordinates as the
// largest index in it, and share one array. A file without the last feature gives narrower points: see Widen.
//
// Numbers are finite, decimal or Go's hexadecimal. Lines end with or without a carriage return, the last one even
// without a newline; blank lines, comments after a # and SVMlight's qid:n are skipped. A label alone is the point 0.
//
// Reading takes 12 to 27 bytes for each index:value, besides the points. As dense rows, documents would take far more:
// if n points of d coordinates have nd > 2²⁰ + 32·(bytes of the file), the error is ErrTooSparse: use ReadSparse.
//
// A mistake in the text is a *ParseError; an error of r, a gzip reader for example, is returned wrapped.
func ReadLIBSVM(r io.Reader) (xs [][]float64, labels []float64, err error) {
	return readPoints(r, (*entries).dense)
}

// ReadSparse is ReadLIBSVM for points with few non-zeros. However large the indices, these take 12 bytes for each
// index:value, and at most 27 during reading. Files need not agree in width. Zeros that are written are kept.
func ReadSparse(r io.Reader) (xs []Sparse, labels []float64, err error) {
	return readPoints(r, (*entries).sparse)
}

// readPoints reads labels and the entries after them, and makes points of these.
func readPoints[X any](r io.Reader, points func(*entries) ([]X, error)) (xs []X, labels []float64, err error) {
	s := newScanner(r)
	var e entries
	for s.nextLine() {
		labels = append(labels, s.number(0))
		if s.nextField(); bytes.HasPrefix(s.field, []byte("qid:")) {
			s.number(len("qid:"))
			s.nextField()
		}
		e.read(s)
	}
	if s.err != io.EOF {
		return nil, nil, s.err
	}
	if xs, err = points(&e); err != nil {
		return nil, nil, err
	}
	return xs, labels, nil
}

// ReadPrecomputed reads a kernel matrix and labels: n lines label 0:i 1:K_i1 2:K_i2 … n:K_in, with no entry left out,
// in any order of i = 1, …, n. Line 0:i becomes row i−1 of k and entry i−1 of labels. Errors are those of ReadLIBSVM.
func ReadPrecomputed(r io.Reader) (k *Matrix, labels []float64, err error) {
	s := newScanner(r)
	var e entries
	row := make(map[int]int) // line of the file, from 0, by i
	for s.nextLine() {
		labels = append(labels, s.number(0))
		if s.nextField(); !bytes.HasPrefix(s.field, []byte("0:")) {
			s.fail(0, ErrSyntax, "%.40q: want 0:i, the number of the row", s.field)
			break
		}
		i, err := strconv.Atoi(string(s.field[len("0:"):]))
		if _, twice := row[i]; twice || err != nil || i < 1 {
			s.fail(len("0:"), ErrIndex, "row %.40q: want each of 1, 2, … once", s.field[len("0:"):])
			break
		}
		row[i] = len(row)
		s.nextField()
		e.read(s)
		if d := e.dim; i > d || len(e.value) != d*len(row) {
			s.fail(0, ErrIndex, "row %d: want exactly the columns 1 … n, n at least %d", i, max(i, d))
		}
	}
	n := len(row)
	if e.dim != n {
		s.fail(0, ErrIndex, "%d rows of %d columns: want as many", n, e.dim)
	}
	if s.err != io.EOF {
		return nil, nil, s.err
	}
	k, ys := NewMatrix(n, n), make([]float64, n)
	for i, at := range row {
		copy(k.Row(i-1), e.value[at*n:])
		ys[i-1] = labels[at]
	}
	return k, ys, nil
}

// WriteLIBSVM writes points and labels so that ReadLIBSVM, svm-train and svm-predict read them. Zeros are left out, so
// −0 comes back as 0. Only if the last coordinate of every point is zero is it written, on the first line, to keep the
// number of coordinates. Points that differ in length and numbers that are not finite are errors, found before anything
// is written. (svm-train takes no values below 2⁻¹⁰²², which ReadLIBSVM does.)
func WriteLIBSVM(w io.Writer, xs [][]float64, labels []float64) error {
	return writePoints(w, xs, labels)
}

// WriteSparse writes points and labels as WriteLIBSVM does. Zeros are left out.
func WriteSparse(w io.Writer, xs []Sparse, labels []float64) error {
	return writePoints(w, xs, labels)
}

func writePoints[X []float64 | Sparse](w io.Writer, xs []X, labels []float64) error {
	if len(xs) != len(labels) {
		return fmt.Errorf("svm: %d points and %d labels", len(xs), len(labels))
	}
	if i := nonFinite(labels); i >= 0 {
		return fmt.Errorf("svm: label %v of point %d: %w", labels[i], i, ErrNotFinite)
	}
	points, pin, err := writable(xs)
	if err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	var line []byte
	for i, x := range points {
		line = appendFloat(line[:0], labels[i])
		line = appendRow(line, x, pin && i == 0)
		b.Write(line)
	}
	return b.Flush()
}

// Widen returns xs with zeros appended to rows of fewer than d coordinates, since files leave trailing zeros out. After
//
//	test = Widen(test, len(train[0]))
//
// the points of test are at least as wide as those of train. Longer rows are returned as they are.
func Widen(xs [][]float64, d int) [][]float64 {
	wide := slices.Clone(xs)
	for i, x := range xs {
		if len(x) < d {
			wide[i] = append(make([]float64, 0, d), x...)[:d]
		}
	}
	return wide
}

// WidenClassifier returns c with support vectors of at least d coordinates, for points wider than the model file.
func WidenClassifier[L cmp.Ordered](c *Classifier[[]float64, L], d int) *Classifier[[]float64, L] {
	wide := *c
	wide.points = Widen(c.points, d)
	wide.machines = slices.Clone(c.machines)
	for i, m := range c.machines {
		model := *m.model
		model.Points = Widen(model.Points, d)
		wide.machines[i].model = &model
	}
	wide.decider = sync.OnceValues(wide.prepare)
	return &wide
}

// WriteModel writes m in LIBSVM's format, so that svm-predict says what m.Predict says. Its kernel must be Linear,
// Polynomial, RBF or Sigmoid, or one of them [OnSparse]: LIBSVM has no others. Class −1 comes first, because
// svm-predict gives f = 0 to the second class; so the coefficients in the file are −αy, and rho = b. Where m finds
// f = 0, a program that adds in another order may not. Alpha, KKT and the interval of b are not written.
// Mistakes in m are errors, found before anything is written. For the linear kernel and points far from the origin
// svm-predict has the rounding that Verify reports, because it adds kernel values; a model read by ReadModel does not.
func WriteModel[X []float64 | Sparse](w io.Writer, m *Model[X]) error {
	machines := []machine[X]{{neg: 0, pos: 1, model: m, at: upTo[int](len(m.Points))}}
	return writeMachines(w, m.Kernel, []float64{-1, 1}, m.Points, machines)
}

// WriteClassifier writes a one-vs-one classifier in LIBSVM's format, so that svm-predict says what c.Predict says, in
// ties of votes, too, unless rounding decides. Labels must be integers below 2³¹, the kernel one of WriteModel's.
func WriteClassifier[X []float64 | Sparse](w io.Writer, c *Classifier[X, float64]) error {
	return writeMachines(w, c.kernel, c.Labels, c.points, c.machines)
}

// ReadModel reads a two-class model (svm_type c_svc), as svm-train and WriteModel write it. The larger label is the
// positive class, whichever comes first: Predict says +1 for it and −1 for the other. The training rows are unknown, so
// Alpha has an entry for each support vector, in the order of the file (those with coefficient 0 are dropped), BLo and
// BHi equal B, and the gap and the residuals in KKT are +Inf. Probabilities of svm-train -b 1 are skipped. Points are as
// wide as the largest index; for wider ones, m.Points = Widen(m.Points, d). Errors are those of ReadLIBSVM,
// ErrUnsupported and io.ErrUnexpectedEOF; a file cut off in its last line may look whole.
func ReadModel(r io.Reader) (*Model[[]float64], error) {
	return modelOf(readClassifier[[]float64](r))
}

// ReadSparseModel is ReadModel for a model of Sparse points.
func ReadSparseModel(r io.Reader) (*Model[Sparse], error) {
	return modelOf(readClassifier[Sparse](r))
}

// modelOf returns the only machine of c, and an error if there are more.
func modelOf[X any](c *Classifier[X, float64], err error) (*Model[X], error) {
	if err != nil {
		return nil, err
	}
	if k := len(c.Labels); k != 2 {
		return nil, fmt.Errorf("svm: model of %d classes, want 2 (ReadClassifier reads it): %w", k, ErrUnsupported)
	}
	return c.machines[0].model, nil
}

// ReadClassifier reads a model of any number of classes, as ReadModel does one of two. A tie of votes goes to the
// smallest label, as in any Classifier (F6); svm-predict gives it to the tied label that comes first in the file.
func ReadClassifier(r io.Reader) (*Classifier[[]float64, float64], error) {
	return readClassifier[[]float64](r)
}

// ReadSparseClassifier is ReadClassifier for a model of Sparse points.
func ReadSparseClassifier(r io.Reader) (*Classifier[Sparse, float64], error) {
	return readClassifier[Sparse](r)
}

// readClassifier reads what writeMachines and svm-train write.
func readClassifier[X []float64 | Sparse](r io.Reader) (c *Classifier[X, float64], err error) {
	h := header{newScanner(r), make(map[string]headerLine)}
	h.read()
	k, f := h.kernel(), h.machines()
	e := f.readBody(h.scanner)
	if h.err != io.EOF {
		return nil, h.err
	}
	c = new(Classifier[X, float64])
	switch c := any(c).(type) {
	case *Classifier[[]float64, float64]:
		c.kernel = k.(Kernel[[]float64])
		c.points, err = e.dense()
	case *Classifier[Sparse, float64]:
		c.kernel = OnSparse(k)
		c.points, err = e.sparse()
	}
	if err != nil {
		return nil, err
	}
	addMachines(c, f)
	c.decider = sync.OnceValues(c.prepare)
	return c, nil
}

// A modelFile holds the numbers of a model file: k labels, k(k−1)/2 rhos, and k−1 coefficients for each support vector.
type modelFile struct {
	labels []float64 // in the file's order
	rho    []float64 // of the pairs (0, 1), (0, 2), …, (1, 2), …
	count  []int     // of support vectors of each class; they are listed class by class
	total  int       // of all support vectors
	coef   []float64 // those of support vector v are coef[v(k−1) : (v+1)(k−1)]
}

// writeMachines writes machines in the order of rho, with labels that ascend. The sign of a point's coefficients αy
// shows its class. LIBSVM's f_ij is positive for class i, and our f for the greater one, j; hence f_ij = −f.
func writeMachines[X []float64 | Sparse](w io.Writer, k Kernel[X], labels []float64, points []X, ms []machine[X]) error {
	f := &modelFile{labels: labels, count: make([]int, len(labels))}
	others := len(labels) - 1
	class := slices.Repeat([]int{-1}, len(points)) // −1: not known yet
	coef := make([]float64, len(points)*others)
	for _, m := range ms { // class[v] is what the signs so far say; row v of coef has −αy of the machines so far
		if m.neg < 0 {
			return fmt.Errorf("svm: LIBSVM has no one-vs-rest classifier: %w", ErrUnsupported)
		}
		if len(m.at) != len(m.model.Coef) {
			return fmt.Errorf("svm: model of %d points and %d coefficients", len(m.at), len(m.model.Coef))
		}
		f.rho = append(f.rho, m.model.B)
		for t, c := range m.model.Coef {
			if c == 0 {
				continue
			}
			v, own, slot := m.at[t], m.neg, m.pos-1
			if c > 0 {
				own, slot = m.pos, m.neg
			}
			if class[v] >= 0 && class[v] != own {
				return fmt.Errorf("svm: support vector %d has the signs of two classes, %v and %v: %w",
					v, labels[class[v]], labels[own], ErrUnsupported)
			}
			class[v] = own
			coef[v*others+slot] = -c
		}
	}
	var sorted []X
	for own := range labels {
		for v, x := range points {
			if class[v] == own {
				f.count[own]++
				sorted = append(sorted, x)
				f.coef = append(f.coef, coef[v*others:(v+1)*others]...)
			}
		}
	}
	rows, pin, err := writable(sorted)
	if err != nil {
		return err
	}
	return f.write(w, k, rows, pin)
}

// addMachines gives c, which has the kernel and the points of f, the labels of f in ascending order and the machines.
func addMachines[X any](c *Classifier[X, float64], f *modelFile) {
	k := len(f.labels)
	order := ascending(f.labels) // the file's number of the class, by rank of its label
	c.Labels = pick(f.labels, order)
	start := make([]int, k+1) // class i has the support vectors start[i] … start[i+1]−1
	for i, n := range f.count {
		start[i+1] = start[i] + n
	}
	for neg, i := range order {
		for pos := neg + 1; pos < k; pos++ {
			i, j, turn := i, order[pos], -1.0 // f_ij is positive for i, our f for pos
			if i > j {
				i, j, turn = j, i, 1
			}
			m := machine[X]{neg: neg, pos: pos, model: &Model[X]{Func: Func[X]{Kernel: c.kernel}}}
			add := func(class, slot int) {
				for v := start[class]; v < start[class+1]; v++ {
					if a := f.coef[v*(k-1)+slot]; a != 0 {
						m.at = append(m.at, v)
						m.model.Points = append(m.model.Points, c.points[v])
						m.model.Coef = append(m.model.Coef, turn*a)
						m.model.Alpha = append(m.model.Alpha, math.Abs(a))
					}
				}
			}
			add(i, j-1)
			add(j, i)
			before := i*(2*k-i-1)/2 + j - i - 1 // pairs before (i, j): k−1 of class 0, …, k−i of class i−1, (i, i+1) … (i, j−1)
			b := 0 - turn*f.rho[before]         // never −0
			m.model.B, m.model.BLo, m.model.BHi = b, b, b
			m.model.KKT = unknown()
			c.machines = append(c.machines, m)
		}
	}
}

// unknown returns the certificate of a model whose training data are not known: nothing is certified.
func unknown() KKT {
	inf := math.Inf(1)
	return KKT{Primal: inf, Dual: -inf, Gap: inf, Stationarity: inf, PrimalFeasibility: inf, DualFeasibility: inf,
		Slackness: inf, Violation: inf}
}

// write checks f and writes it, with the kernel and the points. With pin the first point keeps its last 0.
func (f *modelFile) write(w io.Writer, kernel any, points []Sparse, pin bool) error {
	b, err := appendKernel([]byte("svm_type c_svc\n"), kernel)
	if err != nil {
		return err
	}
	for i, l := range f.labels {
		if l != math.Trunc(l) || math.Abs(l) > math.MaxInt32 {
			return fmt.Errorf("svm: label %v of class %d: LIBSVM's models have integers: %w", l, i, ErrUnsupported)
		}
	}
	if i := nonFinite(f.rho); i >= 0 {
		return fmt.Errorf("svm: bias %v: %w", f.rho[i], ErrNotFinite)
	}
	others := len(f.labels) - 1
	if i := nonFinite(f.coef); i >= 0 {
		return fmt.Errorf("svm: coefficient %v of support vector %d: %w", f.coef[i], i/others, ErrNotFinite)
	}
	b = fmt.Appendf(b, "nr_class %d\ntotal_sv %d\n", len(f.labels), len(points))
	b = appendFloats(append(b, "rho"...), f.rho)
	b = append(b, "\nlabel"...)
	for _, l := range f.labels {
		b = fmt.Appendf(b, " %d", int(l))
	}
	b = append(b, "\nnr_sv"...)
	for _, n := range f.count {
		b = fmt.Appendf(b, " %d", n)
	}
	b = append(b, "\nSV\n"...)
	out := bufio.NewWriter(w)
	out.Write(b)
	for v, x := range points {
		b = appendFloats(b[:0], f.coef[v*others:(v+1)*others])
		b = appendRow(b, x, pin && v == 0)
		out.Write(b[1:]) // all but the first space
	}
	return out.Flush()
}

// appendKernel appends the header lines of a kernel, with its defaults spelled out.
func appendKernel(b []byte, k any) ([]byte, error) {
	if s, ok := k.(sparseKernel); ok {
		k = s.k
	}
	if dot, ok := k.(DotKernel); ok {
		k = plain(dot)
	}
	gamma, coef, outside := 1.0, 0.0, false
	switch k := k.(type) {
	case Linear:
		b = append(b, "kernel_type linear\n"...)
	case Polynomial:
		degree := k.degree()
		gamma, coef, outside = orOne(k.Gamma), k.Coef, degree < 0 || degree > math.MaxInt32
		b = fmt.Appendf(b, "kernel_type polynomial\ndegree %d\ngamma %v\ncoef0 %v\n", degree, gamma, coef)
	case RBF:
		gamma, outside = orOne(k.Gamma), k.Gamma < 0
		b = fmt.Appendf(b, "kernel_type rbf\ngamma %v\n", gamma)
	case Sigmoid:
		gamma, coef = orOne(k.Gamma), k.Coef
		b = fmt.Appendf(b, "kernel_type sigmoid\ngamma %v\ncoef0 %v\n", gamma, coef)
	default:
		return nil, fmt.Errorf("svm: LIBSVM has no kernel %T: %w", k, ErrUnsupported)
	}
	if outside {
		return nil, fmt.Errorf("svm: kernel %T%+v: %w", k, k, ErrUnsupported)
	}
	if !finite(gamma) || !finite(coef) {
		return nil, fmt.Errorf("svm: kernel %T%+v: %w", k, k, ErrNotFinite)
	}
	return b, nil
}

// A header holds the lines of a model file up to SV, by their first word. Its errors are those of the scanner.
type header struct {
	*scanner
	lines map[string]headerLine
}

type headerLine struct {
	line, column int // of what follows the first word
	word         string
	numbers      []float64
}

// read reads the lines up to SV.
func (h header) read() {
	for h.nextLine() {
		key, column := string(h.field), h.column
		if _, ok := h.lines[key]; ok {
			h.fail(0, ErrSyntax, "second line %q", key)
		}
		h.nextField()
		l := headerLine{line: h.line, column: h.column}
		switch key {
		case "svm_type", "kernel_type":
			l.word = string(h.field)
		case "degree", "gamma", "coef0", "nr_class", "total_sv", "rho", "label", "nr_sv":
			for ; len(h.field) > 0; h.nextField() {
				l.numbers = append(l.numbers, h.number(0))
			}
		case "SV":
			l.column = column
			h.lines[key] = l
			return
		case "probA", "probB", "prob_density_marks":
		default:
			h.fail(column-h.column, ErrSyntax, "%.40q in the header of a model", key)
		}
		h.lines[key] = l
	}
	h.fail(0, io.ErrUnexpectedEOF, "model without a line SV")
}

// reject fails at the line of key. If there is none, that is a syntax error at the line SV.
func (h header) reject(key string, kind error, format string, args ...any) {
	l, ok := h.lines[key]
	if !ok {
		l, kind, format, args = h.lines["SV"], ErrSyntax, "header without a line %s", []any{key}
	}
	h.failAt(l.line, l.column, kind, format, args...)
}

// numbers returns the n numbers on the line of key. If there are more or fewer, it fails and returns a single 0.
func (h header) numbers(key string, n int) []float64 {
	v := h.lines[key].numbers
	if len(v) != n {
		h.reject(key, ErrSyntax, "%s has %d numbers, want %d", key, len(v), n)
		return []float64{0}
	}
	return v
}

// counts returns the n numbers of key as integers. They must be in [least, 2³¹).
func (h header) counts(key string, n, least int) (counts []int) {
	for _, v := range h.numbers(key, n) {
		if v != math.Trunc(v) || v < float64(least) || v > math.MaxInt32 {
			h.reject(key, ErrSyntax, "%s %v: want an integer from %d to 2³¹ − 1", key, v, least)
		}
		counts = append(counts, int(v))
	}
	return counts
}

// kernel returns the kernel of the header.
func (h header) kernel() DotKernel {
	t := h.lines["kernel_type"].word
	switch t {
	case "linear":
		return Linear{}
	case "polynomial", "rbf", "sigmoid":
	default:
		h.reject("kernel_type", ErrUnsupported, "kernel_type %.40q, want linear, polynomial, rbf or sigmoid", t)
	}
	gamma := h.numbers("gamma", 1)[0]
	if gamma == 0 || t == "rbf" && gamma < 0 { // Gamma: 0 would mean 1
		h.reject("gamma", ErrUnsupported, "gamma %v", gamma)
	}
	if t == "rbf" {
		return RBF{Gamma: gamma}
	}
	coef := h.numbers("coef0", 1)[0]
	if t == "sigmoid" {
		return Sigmoid{Gamma: gamma, Coef: coef}
	}
	degree := h.counts("degree", 1, 0)[0]
	if degree == 0 { // Degree: 0 would mean 3
		h.reject("degree", ErrUnsupported, "degree 0")
	}
	return Polynomial{Degree: degree, Gamma: gamma, Coef: coef}
}

// machines returns the labels, the rhos and the counts of the header.
func (h header) machines() *modelFile {
	if t := h.lines["svm_type"].word; t != "c_svc" {
		h.reject("svm_type", ErrUnsupported, "svm_type %.40q, want c_svc", t)
	}
	k := h.counts("nr_class", 1, 1)[0]
	if k == 1 { // svm-train makes one, with a warning
		h.reject("nr_class", ErrUnsupported, "model of one class")
	}
	f := &modelFile{labels: h.numbers("label", k)}
	sorted := slices.Sorted(slices.Values(f.labels))
	if len(slices.Compact(sorted)) < k {
		h.reject("label", ErrSyntax, "a label twice")
	}
	f.rho = h.numbers("rho", k*(k-1)/2)
	f.count = h.counts("nr_sv", k, 0)
	f.total = h.counts("total_sv", 1, 0)[0]
	sum := int64(0)
	for _, n := range f.count {
		sum += int64(n)
	}
	if int64(f.total) != sum {
		h.reject("nr_sv", ErrSyntax, "the counts of nr_sv add up to %d, total_sv is %d", sum, f.total)
	}
	return f
}

// readBody reads the lines after SV, the support vectors.
func (f *modelFile) readBody(s *scanner) *entries {
	e := &entries{}
	for s.nextLine() {
		if len(e.end) == f.total {
			s.fail(0, ErrSyntax, "want the end of the file: total_sv is %d", f.total)
		}
		for range len(f.labels) - 1 {
			f.coef = append(f.coef, s.number(0))
			s.nextField()
		}
		e.read(s)
	}
	if len(e.end) < f.total {
		s.fail(0, io.ErrUnexpectedEOF, "%d support vectors, total_sv is %d", len(e.end), f.total)
	}
	return e
}

// writable returns points as the rows of a file. An index too large for LIBSVM, which counts from 1, is an error. It
// sets pin if all points are dense and end with a zero: one of these must be written, to show the width.
func writable[X any](xs []X) (rows []Sparse, pin bool, err error) {
	if err := checkPoints(xs); err != nil {
		return nil, false, err
	}
	rows, width := vectors(xs)
	pin = width > 0
	for i, x := range rows {
		last := len(x.Index) - 1
		if last >= 0 && x.Index[last] == math.MaxInt32 {
			return nil, false, fmt.Errorf("svm: coordinate %d of point %d: %w", x.Index[last], i, ErrUnsupported)
		}
		pin = pin && x.Value[last] == 0
	}
	return rows, pin, nil
}

// appendRow appends the non-zero entries of x and ends the line. With pin it appends the last entry even if it is zero.
func appendRow(b []byte, x Sparse, pin bool) []byte {
	for k, v := range x.Value {
		if v != 0 || pin && k == len(x.Value)-1 {
			b = append(b, ' ')
			b = strconv.AppendInt(b, int64(x.Index[k])+1, 10)
			b = append(b, ':')
			b = appendFloat(b, v)
		}
	}
	return append(b, '\n')
}

// appendFloats appends numbers, a space before each.
func appendFloats(b []byte, vs []float64) []byte {
	for _, v := range vs {
		b = appendFloat(append(b, ' '), v)
	}
	return b
}

func appendFloat(b []byte, v float64) []byte { return strconv.AppendFloat(b, v, 'g', -1, 64) }

// Entries are the rows of a file, without the zeros that it leaves out: row i has the entries end[i−1] … end[i]−1.
type entries struct {
	index          []int32 // counted from 0
	value          []float64
	end            []int
	dim            int   // the largest index, counted from 1
	dimLine, dimAt int   // its line and column
	bytes          int64 // of the file
}

// read appends the fields index:value, from the current one to the end of the line, as one row.
func (e *entries) read(s *scanner) {
	last := 0
	for ; len(s.field) > 0; s.nextField() {
		colon := bytes.IndexByte(s.field, ':')
		number := s.field[:max(0, colon)]
		index, err := strconv.Atoi(string(number))
		switch {
		case colon < 0:
			s.fail(0, ErrSyntax, "%.40q: want index:value", s.field)
		case errors.Is(err, strconv.ErrSyntax):
			s.fail(0, ErrSyntax, "index %.40q is not an integer", number)
		case index < 1:
			s.fail(0, ErrIndex, "index %.40s: indices are 1-based (a precomputed kernel is for ReadPrecomputed)", number)
		case err != nil || index > math.MaxInt32:
			s.fail(0, ErrIndex, "index %.40s: too large", number)
		case index <= last:
			s.fail(0, ErrIndex, "index %d after index %d: want them to rise", index, last)
		default:
			e.index = append(e.index, int32(index-1))
			e.value = append(e.value, s.number(len(number)+1))
			last = index
		}
		if last > e.dim {
			e.dim, e.dimLine, e.dimAt = last, s.line, s.column
		}
	}
	e.end, e.bytes = append(e.end, len(e.value)), s.bytes
}

// Dense rows of a file of s bytes have at most cellsPerByte·s + freeCells entries. A line of m non-zeros has at least
// 4m bytes, so data with more than one non-zero in a hundred is below that; documents are above, and better kept sparse.
const (
	cellsPerByte = 32
	freeCells    = 1 << 20
)

// sparse returns the rows as they are, and no error.
func (e *entries) sparse() ([]Sparse, error) {
	xs := make([]Sparse, len(e.end))
	begin := 0
	for i, end := range e.end {
		xs[i] = Sparse{e.index[begin:end:end], e.value[begin:end:end]}
		begin = end
	}
	return xs, nil
}

// dense returns the rows with their zeros.
func (e *entries) dense() ([][]float64, error) {
	n, d := len(e.end), e.dim
	if n > 0 && int64(d) > (cellsPerByte*e.bytes+freeCells)/int64(n) {
		return nil, &ParseError{e.dimLine, e.dimAt, fmt.Errorf(
			"index %d: %d rows × %d columns for a file of %d bytes (see ReadSparse): %w", d, n, d, e.bytes, ErrTooSparse)}
	}
	xs := make([][]float64, n)
	slab := make([]float64, n*d)
	k := 0
	for i, end := range e.end {
		x := slab[i*d : (i+1)*d : (i+1)*d]
		for ; k < end; k++ {
			x[e.index[k]] = e.value[k]
		}
		xs[i] = x
	}
	return xs, nil
}

// A scanner reads a file line by line, and lines field by field. After an error it has no next line and keeps that
// error, so that a caller need check err only once, after the last line.
type scanner struct {
	r      *bufio.Reader
	text   []byte // the line, without its comment
	rest   int    // text[rest:] is not yet scanned
	field  []byte // the current field; empty at the end of the line
	line   int    // from 1
	column int    // of field, from 1
	bytes  int64  // read so far
	err    error  // the first one; io.EOF at the end
}

func newScanner(r io.Reader) *scanner { return &scanner{r: bufio.NewReaderSize(r, 1<<16)} }

// nextLine moves to the first field of the next line that has one.
func (s *scanner) nextLine() bool {
	for s.readLine() {
		if s.nextField(); len(s.field) > 0 {
			return true
		}
	}
	return false
}

// readLine reads the next line, however long.
func (s *scanner) readLine() bool {
	s.line++
	s.text, s.rest, s.field, s.column = s.text[:0], 0, nil, 1
	for more := s.err == nil; more; {
		part, err := s.r.ReadSlice('\n')
		s.text = append(s.text, part...)
		more = err == bufio.ErrBufferFull && len(part) == s.r.Size() // else it is an error of r itself
		if err == io.EOF {
			s.err = err
		} else if err != nil && !more {
			s.err = fmt.Errorf("svm: line %d: %w", s.line, err)
		}
	}
	s.bytes += int64(len(s.text))
	if len(s.text) == 0 {
		return false
	}
	if i := bytes.IndexByte(s.text, '#'); i >= 0 {
		s.text = s.text[:i]
	}
	s.text = bytes.TrimRight(s.text, " \t\n\v\f\r")
	return true
}

// nextField moves to the next field of the line.
func (s *scanner) nextField() {
	i := s.rest
	for i < len(s.text) && isSpace(s.text[i]) {
		i++
	}
	s.rest = i
	for s.rest < len(s.text) && !isSpace(s.text[s.rest]) {
		s.rest++
	}
	s.field, s.column = s.text[i:s.rest], i+1
}

func isSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

// number returns the number field[from:].
func (s *scanner) number(from int) float64 {
	v, err := strconv.ParseFloat(string(s.field[from:]), 64)
	if !finite(v) { // a number too large is infinite
		s.fail(from, ErrNotFinite, "%.40s", s.field[from:])
	} else if err != nil || bytes.IndexByte(s.field, '_') >= 0 { // Go's 1_000 is no one else's
		s.fail(from, ErrSyntax, "%.40q is not a number", s.field[from:])
	}
	return v
}

// fail fails at byte from of the current field.
func (s *scanner) fail(from int, kind error, format string, args ...any) {
	s.failAt(s.line, s.column+from, kind, format, args...)
}

// failAt ends the scan with a *ParseError that wraps kind, unless there was an error before.
func (s *scanner) failAt(line, column int, kind error, format string, args ...any) {
	if s.err == nil || s.err == io.EOF {
		s.err = &ParseError{line, column, fmt.Errorf(format+": %w", append(args, kind)...)}
	}
}
