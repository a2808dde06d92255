// Copyright 2026 The svm authors. All rights reserved.
// Use of this source code is governed by the MIT
// license that can be found in the LICENSE file.

// Package svm trains support vector machines, derives every step, and certifies every result.
//
//	m, err := svm.Train(xs, ys, svm.RBF{Gamma: 0.5}, svm.Options{C: 10})
//	y := m.Predict(x)  // +1 or −1
//	fmt.Print(m.KKT)   // the certificate: how far m can be from optimal
//	c, err := svm.TrainClassifier(xs, labels, svm.Linear{}, svm.Options{}) // labels of any kind
//	best, err := svm.GridSearch(xs, labels, kernels, cs, svm.Options{}, 5, nil) // chooses k and C
//
// A support vector machine separates two classes by the plane that stays farthest away from both.
// It needs only inner products of points, and any [Kernel] may take their place (D20): then the
// plane, in the kernel's feature space, is a curved surface among the points, which may be strings.
//
//	symbol   meaning                                            Go
//	xᵢ, yᵢ   point i of n; its label, +1 or −1                  xs, ys
//	k, φ     kernel and feature map, k(x, z) = φ(x)·φ(z)        Kernel
//	w, b     f(x) = w·x + b, with a kernel w·φ(x) + b           Hyperplane, Model
//	zᵢ, ξᵢ   yᵢf(xᵢ); the slack, at best max(0, 1 − zᵢ)         margins, Slacks
//	Cᵢ       the price of slack: C times a weight               Options.C, Options.Weights
//	αᵢ, βᵢ   multipliers, αᵢ ≥ 0 and βᵢ = αᵢyᵢ                  Model.Alpha, DualSolution.Beta
//	Kᵢⱼ      k(xᵢ, xⱼ)                                          Gram
//
// Each file is a chapter, theory and at once its code; a first reader may stop at each Part II.
// A tag such as (D20) is a row of the ledger in svm_test.go. The order to read the files in:
//
//	svm.go      planes, duality, training, many classes, choosing C, LIBSVM's files (A, B, F6–F11)
//	kernel.go   kernels, ridge (D, F1, F2)        pegasos.go   one point at a time (E3–E7, F3–F5)
//	qp.go       quadratic programs (B, C)         linalg.go    matrices, for all the others
//	smo.go      the dual again, fast (E1, E2)     Data flow: []X → Gram → Dual → β → Func → Model
//
// The points, Func and Model know the type X of a point; the rest of this chain has row numbers
// alone. Functions without an error may panic where lengths or dimensions do not agree.
package svm

import (
	"bufio"
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

// This chapter is the way from a plane to a program that users can trust. Its sections:
//
//	Part I    A. Planes      what a margin is, and which plane has the widest (A1–A12)
//	          B. Duality     the dual, certificates, why there is no gap (B1–B8); Train and Verify
//	          F. Choices     regression, many classes, choosing C, probabilities (F6–F11)
//	Part II                  the bias of moved points; LIBSVM's files
//
// Below, with a kernel, read φ(x) for x. Some authors write f(x) = w·x − b, or w·x − t with an
// intercept t: their b, or t, is −b here.
//
// References. Cristianini and Shawe-Taylor, An Introduction to Support Vector Machines (2000),
// remains the kindest book. Schölkopf and Smola, Learning with Kernels (2002), is the complete one.
// Boyd and Vandenberghe, Convex Optimization (2004), chapter 5, has duality. Chang and Lin, LIBSVM
// (2011), is the program to be measured against.

// Part I. A. Planes
//
// A pair (w, b), w ≠ 0, describes the plane {x : f(x) = 0} with f(x) = w·x + b. The plane gives
// point x the label sgn f(x), where sgn(0) = +1 (A1). The point of the plane nearest to x is
//
//	x′ = x − (f(x)/‖w‖²) w,    ‖x − x′‖ = |f(x)|/‖w‖                                    (A2)
//
// because x′ is on the plane, and no other point u of the plane is closer:
//
//	f(x′) = f(x) − f(x)‖w‖²/‖w‖² = 0               [f is linear but for b]
//	|f(x)| = |w·(x − u)| ≤ ‖w‖‖x − u‖              [f(u) = 0; Cauchy and Schwarz]
//
// The functional margin of labeled data is minᵢ yᵢf(xᵢ). The geometric margin is the functional
// margin divided by ‖w‖ (A3): the distance of the nearest point, negative if a point is on the
// wrong side.
//
// Multiplying (w, b) by c > 0 multiplies the functional margin by c. It changes neither the
// geometric margin nor any label. So a plane with positive margins can be scaled until its
// functional margin is 1. Such a plane is called canonical. Its geometric margin is 1/‖w‖ (A4).

// sign is sgn with sgn(0) = +1 (A1).
func sign(v float64) float64 {
	if v < 0 {
		return -1
	}
	return 1
}

// Decision returns f(x) = w·x + b (A1).
func (h Hyperplane) Decision(x []float64) float64 { return Dot(h.W, x) + h.B }

// Predict returns the sign of the decision, +1 on the plane itself (A1).
func (h Hyperplane) Predict(x []float64) float64 { return sign(h.Decision(x)) }

// Distance returns |f(x)|/‖w‖, how far x is from the plane (A2). For w = 0, which is no plane, the
// distance is 0 or, if b ≠ 0, +Inf.
func (h Hyperplane) Distance(x []float64) float64 {
	_, distance := h.Margin([][]float64{x}, []float64{1})
	return math.Abs(distance)
}

// Project returns the point of the plane nearest to x (A2). It panics if w = 0.
func (h Hyperplane) Project(x []float64) []float64 {
	length := norm(h.W)
	demand(length != 0, "svm: Project: w = 0 is not a plane")
	p := slices.Clone(x)
	axpy(p, -h.Decision(x)/length, h.Scale(1/length).W) // ‖w‖² might over- or underflow
	return p
}

// Margin returns the least functional and the least geometric margin of the data (A3), +Inf for no
// points. For w = 0, which is no plane, the geometric one is 0 or, if b ≠ 0, infinite.
func (h Hyperplane) Margin(xs [][]float64, ys []float64) (functional, geometric float64) {
	// The minimum over no points is +Inf.
	functional = slices.Min(append(h.margins(xs, ys), math.Inf(1)))
	// A point on the plane has margin 0, also when w = 0, where 0/0 would be NaN.
	if functional == 0 {
		return 0, 0
	}
	return functional, functional / norm(h.W)
}

// Scale returns (cw, cb). If c > 0, the labels and the geometric margins stay the same (A4).
func (h Hyperplane) Scale(c float64) Hyperplane {
	return Hyperplane{times(constant(len(h.W), c), h.W), c * h.B}
}

// Canonical returns the plane scaled to functional margin 1 on the data; its geometric margin is
// then 1/‖w‖ (A4). It is an error if the plane does not separate the data, and a panic if there are
// not as many labels as points.
func (h Hyperplane) Canonical(xs [][]float64, ys []float64) (Hyperplane, error) {
	// A canonical plane has functional margin 1 (A4).
	m, _ := h.Margin(xs, ys)
	if !(m > 0) || !finite(1/m) || !finite(m) {
		return h, fmt.Errorf("svm: functional margin %v: no multiple of the plane is canonical", m)
	}
	return h.Scale(1 / m), nil
}

// The widest margin. The best plane between two classes is the one with the widest geometric
// margin. If both labels occur, it may by (A4) be taken canonical, and then the margin 1/‖w‖ is
// widest where ‖w‖² is least. That is a quadratic program, the hard margin:
//
//	minimize ½‖w‖²             subject to yᵢf(xᵢ) ≥ 1                                   (A5)
//
// Why ≥ 1 may stand for "functional margin 1": a plane of functional margin m > 1 is no solution,
// since the plane divided by m is still feasible and has a smaller ‖w‖. With another constant c > 0
// in place of 1 the solution is (cw, cb), the same plane (A4).
//
// Data that no plane separates need slack ξᵢ, which costs Cᵢ a unit. This is the soft margin:
//
//	minimize ½‖w‖² + Σ Cᵢξᵢ    subject to yᵢf(xᵢ) ≥ 1 − ξᵢ, ξᵢ ≥ 0                      (A6)
//
// For any w and b the cheapest slack that is allowed is ξᵢ = max(0, 1 − yᵢf(xᵢ)). So the program
// minimizes a sum of losses, each called hinge, and has no constraints left:
//
//	minimize ½‖w‖² + Σ Cᵢ max(0, 1 − yᵢf(xᵢ))                                           (A7)
//
// On separable data the solution of (A5) also solves (A6), if no Cᵢ is less than the multiplier αᵢ
// of (A5): then these multipliers satisfy the conditions (B6) of the soft margin as well.
//
// A constant factor does not change the minimizer. So people write (A7) in four ways:
//
//	½‖w‖² + C Σ hinge    λ‖w‖² + (1/n) Σ hinge    (λ/2)‖w‖² + Σ hinge    (λ/2)‖w‖² + (1/n) Σ hinge
//	C = C                C = 1/(2λn)              C = 1/λ                C = 1/(λn)           (A8)

// An Objective is Norm·‖w‖² + Loss·Σ hinge, in whatever way it is parametrized (A8):
//
//	½‖w‖² + C Σ hinge             Objective{Norm: 0.5, Loss: c}
//	λ‖w‖² + (1/n) Σ hinge         Objective{Norm: lambda, Loss: 1 / n}
//	(λ/2)‖w‖² + Σ hinge           Objective{Norm: lambda / 2, Loss: 1}
//	(λ/2)‖w‖² + (1/n) Σ hinge     Objective{Norm: lambda / 2, Loss: 1 / n}
//
// Two objectives with the same C are multiples of each other and have the same minimizer.
type Objective struct{ Norm, Loss float64 }

// C returns the C for which ½‖w‖² + C Σ hinge is a multiple of o: Loss/(2 Norm). In each
// parametrization by λ, the map from λ to C is its own inverse (A8).
func (o Objective) C() float64 { return o.Loss / (2 * o.Norm) }

// At returns the value of o at the plane h on the data.
func (o Objective) At(h Hyperplane, xs [][]float64, ys []float64) float64 {
	// The sum of the slacks at h (A7).
	loss := total(each(h.margins(xs, ys), HingeLoss))
	// A loss of 0 stays 0 even if C = ∞, the hard margin.
	if loss > 0 {
		loss *= o.Loss
	}
	return o.Norm*norm2(h.W) + loss
}

// Gradient returns the gradient of o in (w, b) at h: 2 Norm·w + Loss·Σ ∇hinge, where ∇hinge is
// −y(x, 1) if y f(x) < 1, else 0 (A11). Where some y f(x) = 1 this is one of the subgradients.
func (o Objective) Gradient(h Hyperplane, xs [][]float64, ys []float64) Hyperplane {
	// The norm has the gradient 2 Norm·w. The bias has no part in the norm.
	g := h.Scale(2 * o.Norm)
	g.B = 0
	// The hinge of a point with z < 1 has the gradient −y(x, 1); that of other points is 0.
	for i, z := range h.margins(xs, ys) {
		if z < 1 {
			axpy(g.W, -o.Loss*ys[i], xs[i])
			g.B -= o.Loss * ys[i]
		}
	}
	return g
}

// ClassifySlack says in words where a point lies, as its slack ξ = max(0, 1 − y f(x)) shows (A9).
func ClassifySlack(xi float64) string {
	switch {
	case xi <= 0:
		return "on the margin or outside"
	case xi < 1:
		return "inside the margin" // on the right side of the plane
	case xi == 1:
		return "on the plane"
	}
	return "misclassified"
}

// Losses. The hinge is one of several losses of z = y f(x). What one wants to be small is the
// number of mistakes, the sum of 0/1 losses. But the 0/1 loss is flat wherever it has a gradient.
// The hinge and log₂(1 + e^−z) are convex upper bounds of the 0/1 loss: both are ≥ 1 for z ≤ 0, and
// ≥ 0 for all z (A10). The hinge has the subgradient −y(x, 1) in (w, b) where z < 1, and 0 where
// z > 1 (A11), see [Objective.Gradient]. The logistic link 1/(1 + e^−z) turns z into a probability
// of the label y. The probability grows with z, so it puts points in the same order (A12).

// ZeroOneLoss returns 1 for z ≤ 0 and 0 for z > 0 (A10). On the plane, z = 0, it counts a mistake:
// sgn(0) is right for one label only.
func ZeroOneLoss(z float64) float64 { return max(0, sign(-z)) }

// PerceptronLoss returns max(0, −z) (A10).
func PerceptronLoss(z float64) float64 { return max(0, -z) }

// HingeLoss returns max(0, 1 − z), an upper bound of the zero-one loss (A10). For z = y f(x) it is
// the slack ξ (A7).
func HingeLoss(z float64) float64 { return max(0, 1-z) }

// LogisticLoss returns log(1 + e^−z) without overflow (A10). Divided by ln 2 it is an upper bound
// of the zero-one loss.
func LogisticLoss(z float64) float64 { return max(0, -z) + math.Log1p(math.Exp(-math.Abs(z))) }

// LogisticLink returns 1/(1 + e^−z), which grows with z (A12): a logistic model's probability of y
// at x, if z = y f(x). The decisions of a support vector machine need a [Platt] first.
func LogisticLink(z float64) float64 { return 1 / (1 + math.Exp(-z)) }

// # B. Duality
//
// Give the constraints of (A6) the multipliers αᵢ ≥ 0 and μᵢ ≥ 0. For (A5) leave out ξ and μ. The
// Lagrangian subtracts from the objective what the constraints have to spare:
//
//	L = ½‖w‖² + Σ Cᵢξᵢ − Σ αᵢ(yᵢf(xᵢ) − 1 + ξᵢ) − Σ μᵢξᵢ                                (B1)
//
// Where is L least, for given multipliers? L is convex in w, and linear in b and in ξ. A linear
// function has no minimum unless its slope is 0. So L is least where
//
//	w = Σ αᵢyᵢxᵢ           [∂L/∂w = 0]
//	Σ αᵢyᵢ = 0             [∂L/∂b = 0]
//	αᵢ + μᵢ = Cᵢ           [∂L/∂ξᵢ = 0]
//
// For multipliers that break the second or third line L has no lower bound. They cannot be best, so
// these two lines become constraints of the dual problem, which is to maximize this least value
// over the multipliers. There b, ξ and μ are gone, because their factors are 0. The terms with w
// are ½‖w‖² − w·Σ αᵢyᵢxᵢ = −½‖w‖². And αᵢ ≤ Cᵢ says that μᵢ ≥ 0. What remains is
//
//	maximize Σ αᵢ − ½ Σᵢⱼ αᵢαⱼyᵢyⱼKᵢⱼ    subject to Σ αᵢyᵢ = 0, 0 ≤ αᵢ ≤ Cᵢ
//	that is  yᵀβ − ½ βᵀKβ                subject to Σ βᵢ = 0, βᵢ between 0 and Cᵢyᵢ     (B2)
//
// Only K is left of the points, and in β the quadratic part has no labels.

// Lagrangian returns (B1) with every Cᵢ = c. If xi and mu are nil it is that of the hard margin,
// which has no slack.
func Lagrangian(h Hyperplane, xi, alpha, mu []float64, xs [][]float64, ys []float64,
	c float64) float64 {
	demand(len(alpha) == len(xs) && len(xi) == len(mu) && (xi == nil || len(xi) == len(xs)),
		"svm: Lagrangian: %d α, %d ξ, %d μ for %d points", len(alpha), len(xi), len(mu), len(xs))
	// The terms of (B1), point by point.
	l := norm2(h.W) / 2
	for i, z := range h.margins(xs, ys) {
		l -= alpha[i] * (z - 1)
		// The three terms with ξᵢ. Without slack they are 0, even if c is infinite.
		if xi != nil && xi[i] != 0 {
			l += (c - alpha[i] - mu[i]) * xi[i]
		}
	}
	return l
}

// Certificates. For any feasible (w, b, ξ) and (α, μ)
//
//	dual(α) ≤ L(w, b, ξ, α, μ) ≤ primal(w, b, ξ)                                        (B3)
//
// [left: dual(α) is the least L; right: what L subtracts is ≥ 0]. So the duality gap, primal −
// dual, bounds how far each of the two is from optimal, however they were found. For feasible α,
// w = Σ βᵢxᵢ, any b, and the ξ of (A7), the gap is a sum over the points:
//
//	primal − dual = ‖w‖² + Σ Cᵢξᵢ − Σ αᵢ                        [½‖w‖² twice]
//	‖w‖² = Σ αᵢyᵢ(f(xᵢ) − b) = Σ αᵢyᵢf(xᵢ)                      [Σ αᵢyᵢ = 0]
//	primal − dual = Σ (Cᵢ − αᵢ)ξᵢ + Σ αᵢ(yᵢf(xᵢ) − 1 + ξᵢ)                              (B5)
//
// No product here is negative. So the gap is zero exactly when every product is zero, which is
// called complementary slackness. Case by case, for Cᵢ > 0, this means
//
//	αᵢ = 0 ⇒ yᵢf(xᵢ) ≥ 1,    0 < αᵢ < Cᵢ ⇒ yᵢf(xᵢ) = 1,    αᵢ = Cᵢ ⇒ yᵢf(xᵢ) ≤ 1      (B6)
//
// Let gᵢ = yᵢ − (Kβ)ᵢ be the gradient of the dual. Then 1 − yᵢf(xᵢ) = yᵢ(gᵢ − b), and (B6) has no
// labels either: gᵢ ≤ b where βᵢ may rise (is below its upper bound), gᵢ ≥ b where βᵢ may fall, and
// gᵢ = b where βᵢ may do both (is free). The free ones determine b, and the code takes the mean of
// their gᵢ. If none is free, an interval of b is left, and the code takes its middle or, if one end
// is infinite, the other end (B7).
//
// With Cᵢ = ∞ a plane that violates a constraint has primal value +∞. But if its functional margin
// m is positive, the same plane made canonical (A4) is feasible. The value of the canonical plane,
// ½‖w‖²/m², is reported instead, so that the gap is still a bound.

// KKT tells how far a model is from optimal. Primal and Dual are the values of (A6) and (B2), and
// Gap = Primal − Dual. For a hard margin Primal is the value of the canonical plane. If the kernel
// is positive semidefinite and α feasible, then, but for rounding, no plane has a value below Dual,
// and no feasible multipliers have a value above Primal (B3).
//
// The next five are the residuals of (B5) to (B7). Each is absolute, and 0 at the optimum; what has
// an i is the largest over all points:
//
//	Stationarity       |Σ αᵢyᵢ| and, by Verify, |w·φ(xᵢ) − Σⱼ αⱼyⱼKᵢⱼ|; +Inf if ‖w‖² < 0
//	PrimalFeasibility  max(0, 1 − yᵢf(xᵢ)) for a hard margin; 0 for a soft one
//	DualFeasibility    how far αᵢ is outside [0, Cᵢ]
//	Slackness          αᵢ|yᵢf(xᵢ) − 1 + ξᵢ| and (Cᵢ − αᵢ)ξᵢ
//	Violation          max g − min g, max g − b and b − min g, with max over the β that may rise,
//	                   min over those that may fall (B7)
//
// Rounding estimates how far the rounding of kernel values moves any g or f: values by Eval count
// as rounded once, those of fast rows as more; Train counts what has gathered in its g, too. If
// Rounding is large, scale the features.
type KKT struct {
	Primal, Dual, Gap float64

	Stationarity, PrimalFeasibility, DualFeasibility, Slackness, Violation float64

	Rounding float64

	Free, Bound, Iterations int // 0 < αᵢ < Cᵢ; αᵢ ≥ Cᵢ > 0; steps of the solver

	Err error // why nothing is known: then the gap and all residuals are +Inf
}

// errNoData is why nothing is known of a model that was stored.
var errNoData = errors.New("svm: a stored model has no training data")

// roughTol is the Rounding above which the table shows it.
const roughTol = 1e-6

// defaultTol is the Violation (B7) at which training stops, in units of y f(x), which is 1 on the
// margin.
const defaultTol = 1e-3

// roundingTol is taken for the relative error of a sum of products with kernel values: a few
// thousand times 2e-16. Only sums of very many terms of one sign have more.
const roundingTol = 1e-12

// certificateOf measures β with its gradient g = p − Kβ, and b, against every statement above. β
// need not be feasible. Each g may be off by rounding, and f may differ by off from what β says.
// For two classes p is y, and Σ β is 0; other machines, whose p and sum follow in (F11), have y(g −
// b) as what the slack has to cover, too.
func certificateOf(d Dual, beta, g []float64, b, rounding, off float64) (k KKT) {
	w2, size, gain, loss, margin := 0.0, 0.0, 0.0, 0.0, math.Inf(1)
	for i, p := range d.P {
		// Point i as in (B1) to (B6). Its β is not negative, or not positive: y is the sign.
		y := sign(d.Lo[i])
		c, alpha, z := d.Hi[i]-d.Lo[i], y*beta[i], 1-y*(g[i]-b)
		xi := HingeLoss(z)

		// The sums ‖w‖² = βᵀKβ; the size of its terms, with which its error grows; and pᵀβ, which
		// is Σ αᵢ for classes.
		w2 += beta[i] * (p - g[i])
		size += math.Abs(beta[i]) * (math.Abs(p) + math.Abs(g[i]) + rounding/roundingTol)
		gain += p * beta[i]

		// The case of (B6).
		if alpha > 0 && alpha < c {
			k.Free++
		} else if !(alpha <= 0) {
			k.Bound++
		}

		// A hard margin has no slack, and none to pay for: what is missing is infeasibility.
		if math.IsInf(c, 1) {
			margin = min(margin, z)
			k.PrimalFeasibility = max(k.PrimalFeasibility, xi)
			c, xi = 0, 0
		}
		loss += c * xi
		k.Slackness = max(k.Slackness, (c-alpha)*xi, math.Abs(alpha*(z-1+xi))) // (B5)
	}

	// The values of both problems. For a hard margin, of finite functional margin, the primal value
	// is that of the canonical plane (A4).
	k.Primal, k.Dual = w2/2+loss+d.Sum*b, gain-w2/2
	if !(margin > 0) {
		k.Primal = math.Inf(1)
	} else if finite(margin) {
		k.Primal = w2 / (2 * margin * margin)
	}
	k.Gap = k.Primal - k.Dual

	// What is wrong with β itself. If ‖w‖² < 0 by more than rounding, there is no such w.
	box, sum := d.Infeasibility(beta)
	k.DualFeasibility, k.Stationarity, k.Rounding = box, max(sum, off), rounding
	if !(w2 >= -roundingTol*size) {
		k.Stationarity = math.Inf(1)
	}

	// (B7): b should lie between the greatest g that may rise and the least g that may fall.
	up, low := d.Bias(beta, g)
	k.Violation = max(0, up-low, up-b, b-low)

	// Numbers that overflow certify nothing. A maximum with NaN is NaN.
	if math.IsNaN(max(k.Gap, k.Stationarity, k.PrimalFeasibility, k.DualFeasibility, k.Slackness,
		k.Violation, k.Rounding)) {
		return uncertified(fmt.Errorf("svm: numbers overflow: %w", ErrNotFinite))
	}
	return k
}

// uncertified returns the certificate of which nothing is known, because of err.
func uncertified(err error) KKT {
	inf := math.Inf(1)
	return KKT{Primal: inf, Dual: -inf, Gap: inf, Stationarity: inf, PrimalFeasibility: inf,
		DualFeasibility: inf, Slackness: inf, Violation: inf, Err: err}
}

// String returns the report as a table, or says why there is none.
func (k KKT) String() string {
	if k.Err != nil {
		return fmt.Sprintf("nothing is certified: %v\n", k.Err)
	}
	text := fmt.Sprintf(`primal objective    %14.6g
dual objective      %14.6g
duality gap         %14.6g  primal - dual
stationarity        %14.6g  w = sum alpha y x, sum alpha y = 0
primal feasibility  %14.6g  y f >= 1 - xi
dual feasibility    %14.6g  0 <= alpha <= C
slackness           %14.6g  alpha (y f - 1 + xi) = 0, (C - alpha) xi = 0
violation           %14.6g  of the optimality conditions
support vectors     %14d  %d free, %d at the bound
iterations          %14d
`, k.Primal, k.Dual, k.Gap, k.Stationarity, k.PrimalFeasibility, k.DualFeasibility, k.Slackness,
		k.Violation, k.Free+k.Bound, k.Free, k.Bound, k.Iterations)
	// The row on rounding is shown only where there is much of it.
	if k.Rounding > roughTol {
		text += fmt.Sprintf("rounding            %14.6g  of kernel values, in each g: "+
			"scale the features\n", k.Rounding)
	}
	return text
}

// Strong duality. Is there always an answer without a gap? First, the dual objective D has a
// maximum. D is continuous, so it is enough that the feasible α with D(α) ≥ D(0) = 0 are bounded.
// For finite Cᵢ all feasible α are bounded. For Cᵢ = ∞ suppose that a plane (u, v) separates the
// data, and is canonical: yᵢ(u·xᵢ + v) ≥ 1. Then
//
//	Σ αᵢ ≤ Σ αᵢyᵢ(u·xᵢ + v) = u·w ≤ ‖u‖‖w‖       [αᵢ ≥ 0; Σ αᵢyᵢ = 0 and w = Σ αᵢyᵢxᵢ]
//	0 ≤ D = Σ αᵢ − ½‖w‖² ≤ ‖u‖‖w‖ − ½‖w‖²        [the line above]
//	‖w‖ ≤ 2‖u‖, and so Σ αᵢ ≤ 2‖u‖²              [divide by ½‖w‖]
//
// Second, at a maximum there is a b as (B7) wants. Suppose that βᵢ may rise and βⱼ may fall. Moving
// t > 0 from j to i changes D at the rate gᵢ − gⱼ. At a maximum this rate is not positive. So no gᵢ
// of a variable that may rise exceeds a gⱼ of one that may fall, and some b fits in between.
//
// With this b (B6) holds, and the gap (B5) is zero. So the optimal values of primal and dual are
// equal, and (B6) is necessary as well as sufficient. If no plane separates the classes, a hard
// margin has no feasible plane, and D grows without bound: the convex hulls of the classes have a
// point in common, the weights of its two combinations are an α with w = 0, and D(tα) = t Σ αᵢ.
//
// Dropping points with αᵢ = 0 leaves w as it is, because the other αᵢ still satisfy (B6) of the
// smaller problem. It leaves b, too, if some αᵢ is free. If none is, the interval of b may only
// grow (B8). So the points with αᵢ > 0 are all that a model needs: its support vectors. With a
// kernel their number may grow with the data, as that of all points does in [KernelRidge]: such
// methods are called non-parametric. But often the support vectors are few.

// Options control training. The zero value is a soft margin with C = 1.
type Options struct {
	C       float64   // the price of slack; 0 means 1, +Inf is the hard margin
	Weights []float64 // Cᵢ = C·Weights[i]; 0 drops point i, which must be valid; nil means all 1
	Tol     float64   // stop when KKT.Violation ≤ Tol; 0 means 1e-3
	MaxIter int       // limit on the steps of the solver; 0 means a generous default

	// Observe is called every 256 steps or sooner, its argument valid during the call; false ends
	// the run.
	Observe func(*DualSolution) bool

	// CacheBytes is the memory for kernel values, for each machine; 0 means the solver's default.
	// It affects the last digits. Workers is the number of goroutines; 0 means GOMAXPROCS. It does
	// not affect the result.
	CacheBytes, Workers int
}

// check checks the options for n points.
func (o Options) check(n int) error {
	// Only C may be infinite. The price of a point may be so only if C is.
	c := cmp.Or(o.C, 1)
	for i, w := range o.Weights {
		if !finite(w) || finite(c) && !finite(c*w) {
			return fmt.Errorf("svm: C = %v times weight %v of point %d: %w", c, w, i, ErrNotFinite)
		}
		if w < 0 {
			return fmt.Errorf("svm: weight %v of point %d is negative", w, i)
		}
	}
	none := o.Weights == nil
	return cmp.Or(checkSize("C", min(c, math.MaxFloat64)), checkSize("CacheBytes", o.CacheBytes),
		checkSize("MaxIter", o.MaxIter), checkSize("Workers", o.Workers), checkSize("Tol", o.Tol),
		unless(none || len(o.Weights) == n, "svm: %d points, but %d weights", n, len(o.Weights)),
		unless(none || largest(o.Weights) > 0, "svm: every point has weight 0: %w", ErrOneClass))
}

// Train finds the soft-margin classifier of points xs with labels ys, +1 or −1: it minimizes (A6)
// by maximizing its dual (B2). It stops when KKT.Violation is at most o.Tol. The typical time is
// that of a few kernel values for each pair of a point and a support vector, and less if the kernel
// is linear and the features are few. The memory is O(n) beside the points and the cache.
//
// What goes wrong is rarely the optimization. It is features of unlike scales, which no kernel can
// guess ([Scaler]), or a C or γ that nobody chose ([GridSearch]).
//
// Invalid data or options are errors, and so are classes that the hard margin (C = +Inf) cannot
// separate: [ErrNotSeparable]. If o.MaxIter, o.Observe or rounding end the run early, the model of
// the point where it ended comes with an error that wraps [ErrNotConverged]; the KKT of the model
// says how good it is. If the kernel is found not to be positive semidefinite, the model comes with
// [ErrIndefinite]: it need not be optimal, nor in some cases even stationary.
func Train[X any](xs []X, ys []float64, k Kernel[X], o Options) (*Model[X], error) {
	err := cmp.Or(checkLabelled(xs, ys), checkKernel(k, xs), o.check(len(xs)))
	if err != nil {
		return nil, err
	}
	return solve(newRecipe(k, xs), ys, ys, 0, o)
}

// solve makes a model of the solution of the dual with these p, labels and ν.
func solve[X any](r recipe[X], p, ys []float64, nu float64, o Options) (*Model[X], error) {
	d, err := o.dual(p, ys, nu)
	if err != nil {
		return nil, err
	}
	// The points of a linear kernel may be moved if Σβ = 0 (see Part II): then observers are shown
	// b for the points that the caller has.
	var shift []float64
	if d.Sum == 0 {
		r, shift = r.centred()
	}
	d.K = r
	if observe := o.Observe; observe != nil && shift != nil {
		o.Observe = func(s *DualSolution) bool {
			t, wm := *s, Dot(s.Beta, shift)
			t.B, t.BLo, t.BHi = s.B-wm, s.BLo-wm, s.BHi-wm
			return observe(&t)
		}
	}

	sol, err := SMO(d, SMOOptions{Tol: o.Tol, MaxIter: o.MaxIter, Observe: o.Observe,
		CacheBytes: o.CacheBytes, Workers: o.Workers})
	if sol == nil {
		return nil, err
	}

	// The model: the support vectors alone (B8), and the certificate of the solution.
	at := support(sol.Beta)
	m := &Model[X]{Func: Func[X]{r.k, pick(r.xs, at), pick(sol.Beta, at)},
		B: sol.B, BLo: sol.BLo, BHi: sol.BHi, Alpha: each(slices.Clone(sol.Beta), math.Abs)}
	m.KKT = certificateOf(d, sol.Beta, sol.grad, m.B, sol.rounding, 0)
	m.KKT.Iterations = sol.Iterations
	if shift != nil {
		// So far b is that of the moved points. Each support vector says how much the caller's b
		// differs from it (see Part II); decisions without b are w·x.
		change, mean := decisions(m.Func, m.Points, 1), 0.0
		for t, i := range at {
			change[t] = p[i] - sol.grad[i] - change[t]
			mean += change[t] / float64(len(at))
		}
		m.B, m.BLo, m.BHi = m.B+mean, m.BLo+mean, m.BHi+mean
		// How far they disagree, and the last digit of b.
		each(change, func(v float64) float64 { return v - mean })
		m.KKT.Rounding = max(m.KKT.Rounding, largest(change)+machineEps*math.Abs(m.B))
	}

	// Numbers that overflow certify nothing, whatever the solver says.
	err = cmp.Or(unless(finite(m.B), "svm: w·x overflows: %w", ErrNotFinite), err,
		unless(finite(m.KKT.Dual), "svm: the dual objective overflows: %w", ErrNotFinite),
		unless(finite(m.KKT.Stationarity), "svm: ‖w‖² is negative: %w", ErrIndefinite))
	if !hasSolution(err) {
		return nil, err
	}
	return m, err
}

// ErrOneClass reports points of which those of positive weight have fewer than two labels, or fewer
// than [CrossDecisions] needs; or of which none has a positive weight. No points are another error.
var ErrOneClass = errors.New("too few classes")

// dual returns a dual without its matrix: βᵢ is between 0 and Cᵢyᵢ, and the sum is ν Σ Cᵢ (F11). If
// that is 0, for ν = 0, each label must have a point of a positive price.
func (o Options) dual(p, ys []float64, nu float64) (Dual, error) {
	d := Dual{P: p, Lo: make([]float64, len(ys)), Hi: make([]float64, len(ys))}
	for i, y := range ys {
		c := cmp.Or(o.C, 1)
		// A weight of 0 means a price of 0 even if C = ∞.
		if o.Weights != nil && o.Weights[i] == 0 {
			c = 0
		} else if o.Weights != nil {
			c *= o.Weights[i]
		}
		d.Lo[i], d.Hi[i] = min(0, c*y), max(0, c*y)
	}
	if nu > 0 { // else Cᵢ may be infinite
		d.Sum = nu * total(d.Hi)
	}
	// Without a β that may rise, or one that may fall, Σβ = 0 leaves β = 0 alone. A weight may be
	// positive, and still so small that its product with C is 0.
	const says = "svm: no point of positive weight has label %+d, or C times weight is 0: %w"
	return d, cmp.Or(unless(slices.Max(d.Hi) > 0, says, +1, ErrOneClass),
		unless(nu > 0 || slices.Min(d.Lo) < 0, says, -1, ErrOneClass))
}

// A Model is a trained classifier: w as a [Func] of the support vectors, and b. The training points
// must not change. The methods of Func leave b out: Eval(x) is w·φ(x), and Decision(x) is f(x).
// Several goroutines may use a model at the same time.
type Model[X any] struct {
	Func[X]               // w = Σ αᵢyᵢφ(xᵢ) over the support vectors, in the order of the data
	B, BLo, BHi float64   // the bias; the interval of b that (B7) allows, to within Tol
	Alpha       []float64 // αᵢ ≥ 0 by training row
	KKT         KKT       // the certificate: how far from optimal it can be
}

// Decision returns f(x) = Σ αᵢyᵢk(xᵢ, x) + b, by [Func.Eval]: one kernel value for each support
// vector. Without any it is b, whatever x is.
func (m *Model[X]) Decision(x X) float64 { return m.Eval(x) + m.B }

// Predict returns the sign of f(x), and +1 if f(x) is 0, or NaN, which it may be if x is not finite
// or kernel values overflow. Like Decision it panics if x is a vector of another length than the
// training points.
func (m *Model[X]) Predict(x X) float64 { return sign(m.Decision(x)) }

// DecisionAll returns the decision of every point, up to rounding, on all cores: for many points
// faster than Decision. (Decisions of a classifier has one point, and all machines.)
func (m *Model[X]) DecisionAll(xs []X) []float64 {
	return each(decisions(m.Func, xs, 0), func(f float64) float64 { return f + m.B })
}

// each replaces every v of vs by f(v), and returns vs.
func each(vs []float64, f func(v float64) float64) []float64 {
	for i, v := range vs {
		vs[i] = f(v)
	}
	return vs
}

// PredictAll returns the label of every point, the sign of its decision by [Model.DecisionAll].
func (m *Model[X]) PredictAll(xs []X) []float64 { return each(m.DecisionAll(xs), sign) }

// Slacks returns ξᵢ = max(0, 1 − yᵢf(xᵢ)) (A7), to be read by [ClassifySlack].
func (m *Model[X]) Slacks(xs []X, ys []float64) []float64 {
	demand(len(xs) == len(ys), "svm: %d points, but %d labels", len(xs), len(ys))
	return each(times(ys, m.DecisionAll(xs)), HingeLoss)
}

// Explicit returns the plane of a model with the [Linear] kernel, w = Σ αᵢyᵢxᵢ (B1): d numbers
// instead of all support vectors. It is an error if the kernel is another, if there are no support
// vectors, if w overflows, or, for [Sparse] points, if d exceeds 2²⁴ plus 64 times the number of
// their stored entries.
func Explicit[X []float64 | Sparse](m *Model[X]) (Hyperplane, error) {
	w, ok := weights(m.Func)
	if !ok {
		return Hyperplane{}, fmt.Errorf("svm: no plane: kernel %T with %d support vectors, "+
			"want Linear with some, w finite and not too wide", m.Kernel, len(m.Points))
	}
	return Hyperplane{w, m.B}, nil
}

// Verify computes the certificate of a model of [Train], not of [Regress] or [OneClass], from its
// training data: every kernel value by Eval, nothing by the solver, at a cost of 2n kernel values
// for each support vector and n more. It takes Σ m.Alpha[i] yᵢφ(xᵢ) for w; Stationarity compares
// this with the w by which m decides. If the kernel is not positive semidefinite, all residuals may
// be 0 at a point that is not optimal: see [CheckPSD]. Far from the origin Verify has more rounding
// than Train, which centers the points of a linear kernel. Where Train would reject xs, ys or o, or
// m.Alpha has not n numbers, Err says why nothing is certified.
func Verify[X any](m *Model[X], xs []X, ys []float64, o Options) KKT {
	// The model says what it was trained on; the rest has to be what Train would accept.
	err := cmp.Or(unless(len(m.Alpha) == len(xs), "svm: %d points, but a model trained on %d",
		len(xs), len(m.Alpha)), checkLabelled(xs, ys), checkKernel(m.Kernel, xs), o.check(len(xs)))
	var d Dual
	if err == nil {
		d, err = o.dual(ys, ys, 0)
	}
	if err != nil {
		return uncertified(err)
	}

	// β, its gradient g = y − Kβ, and how far w·φ(xᵢ) by m is off (Kβ)ᵢ.
	beta, g, off := times(ys, m.Alpha), slices.Clone(ys), make([]float64, len(xs))
	parallel(o.Workers, len(xs), func(i int) {
		lost := 0.0 // what rounding takes from the sum
		for j, b := range beta {
			if b != 0 {
				g[i], lost = addExact(g[i], lost, -b, m.Kernel.Eval(xs[j], xs[i]))
			}
		}
		g[i] += lost
		off[i] = math.Abs(m.Eval(xs[i]) - (ys[i] - g[i]))
	})

	// A kernel value is at most √(KᵢᵢKⱼⱼ) ≤ max Kᵢᵢ, and rounded in proportion. So these errors
	// change g, a sum of such values times β, by about this; the sums themselves have twice the
	// digits.
	rows, diag := newRecipe(m.Kernel, xs).open(false), make([]float64, len(xs))
	rows.Diag(diag)
	rounding := rows.about().rough * norm1(beta) * largest(diag)
	k := certificateOf(d, beta, g, m.B, rounding, slices.Max(off))
	k.Iterations = m.KKT.Iterations
	return k
}

// # F. Choices
//
// Regression, and one class. The dual (B2) has room for two more machines. Let pᵢ stand in place of
// yᵢ in its objective, and s in place of the 0 of its constraint:
//
//	maximize pᵀβ − ½ βᵀKβ    subject to Σ βᵢ = s, βᵢ between 0 and Cᵢyᵢ                 (F11)
//
// The way back from (B2) to (A6) shows what the primal problem is now:
//
//	minimize ½‖w‖² + sb + Σ Cᵢξᵢ    subject to yᵢ(pᵢ − f(xᵢ)) ≤ ξᵢ, ξᵢ ≥ 0
//
// Regression wants f(xᵢ) to be near a target tᵢ. It may miss tᵢ by ε at no cost, and by more at the
// price Cᵢ a unit. Every point is there twice, with s = 0: with yᵢ = +1 and pᵢ = tᵢ − ε, below
// which f should not be, and with yᵢ = −1 and pᵢ = tᵢ + ε.
//
// One class has no labels: which points are unusual? With yᵢ = +1, pᵢ = 0 and s > 0 a point is
// unusual if f(xᵢ) < 0, and the term sb makes b as small as slack allows. Let s = ν Σ Cᵢ. Points
// with f(xᵢ) < 0 have βᵢ = Cᵢ, and points with f(xᵢ) > 0 have βᵢ = 0 (as in B6). And Σ βᵢ = ν Σ Cᵢ.
// So the unusual points have at most the share ν of Σ Cᵢ, and the support vectors at least that
// share. If the Cᵢ are equal, these are shares of the points.

// Regress finds the f of least ½‖w‖² + Σ Cᵢ max(0, |f(xᵢ) − tᵢ| − epsilon), with the options of
// [Train], and C finite (F11). The prediction at x is Decision(x), Σ βᵢk(xᵢ, x) + b; Predict would
// only tell its sign. Alpha is nil, as each point has two. It takes the time of Train for twice as
// many points. Errors are those of Train; [ErrNotConverged] and [ErrIndefinite] come with a model.
func Regress[X any](xs []X, ts []float64, k Kernel[X], epsilon float64, o Options) (
	*Model[X], error) {
	err := cmp.Or(checkCount(len(xs), len(xs)), checkRegression(xs, ts), checkKernel(k, xs),
		o.check(len(xs)), checkSize("C", o.C), checkSize("epsilon", epsilon))
	if err != nil {
		return nil, err
	}
	// Every point twice.
	n := len(xs)
	p, ys := slices.Concat(ts, ts), append(constant(n, 1), constant(n, -1)...)
	axpy(p, -epsilon, ys)
	o.Weights = slices.Concat(o.Weights, o.Weights) // nil if there are none
	m, err := solve(newRecipe(k, slices.Concat(xs, xs)), p, ys, 0, o)
	if !hasSolution(err) {
		return nil, err
	}
	// The two β of a point belong to the same kernel value.
	beta := m.Alpha[:n]
	axpy(beta, -1, m.Alpha[n:])
	at := support(beta)
	m.Func, m.Alpha = Func[X]{k, pick(xs, at), pick(beta, at)}, nil
	return m, err
}

// OneClass returns a model of what is usual among the points: f(x) < 0, where Predict says −1, is
// unusual. The points with f < −o.Tol have at most the share nu of the total weight, which without
// Weights is the share nu of the points (F11). Where |f| ≤ o.Tol, as at free support vectors, the
// sign of f says nothing. Options are those of [Train]. C, finite, is a unit of f: with C = 1 the
// decisions are LIBSVM's. Errors are those of Train; [ErrNotConverged] and [ErrIndefinite] come
// with the model.
func OneClass[X any](xs []X, k Kernel[X], nu float64, o Options) (*Model[X], error) {
	err := cmp.Or(checkCount(len(xs), len(xs)), checkPoints(xs), checkKernel(k, xs),
		o.check(len(xs)), checkSize("C", o.C),
		unless(nu > 0 && nu <= 1, "svm: nu is %v: want more than 0, at most 1", nu))
	if err != nil {
		return nil, err
	}
	// (F11) with p = 0 and every y = 1.
	return solve(newRecipe(k, xs), make([]float64, len(xs)), constant(len(xs), 1), nu, o)
}

// # Many classes
//
// A plane tells two classes apart. For m classes there are two customs (F6). One-vs-one trains a
// machine for each pair of classes, on the points of these two alone, and the machines vote.
// One-vs-rest trains a machine for each class against all other points, and the greatest decision
// wins. In a tie the smallest label wins. One-vs-one has more machines, if m > 3, and needs less
// time: if the time of a machine grows like the square of its number of points, and the classes are
// of equal size,
//
//	one-vs-one     m(m−1)/2 machines of 2n/m points      2(m−1)/m · n²
//	one-vs-rest    m machines of n points                m · n²
//
// With one class there is no pair, and that class is predicted.

// A Classifier tells any number of classes apart, with a machine for each pair of them
// ([TrainClassifier]) or for each of them against all others ([TrainOneVsRest]). Several goroutines
// may use a classifier at the same time. The zero value cannot predict, nor can a value that
// encoding/json has restored, until [NewClassifier] gives it a kernel.
type Classifier[X any, L cmp.Ordered] struct {
	Labels   []L // sorted, each once
	Points   []X // the support vectors of all machines, each once, in training order
	Machines []Machine

	kernel Kernel[X]
	models []*Model[X] // what Machines say, with certificates
	planes [][]float64 // of the machines, if they decide by planes
	rows   valuer      // of all Points otherwise
}

// A Machine decides between two classes: for Labels[Pos] where f(x) = Σ Coef[k] k(Points[At[k]], x)
// + B ≥ 0, for Labels[Neg], Neg < Pos, where f(x) < 0. Neg is −1 for all other classes.
type Machine struct {
	Neg, Pos int
	At       []int
	Coef     []float64
	B        float64
	Platt    *Platt // of this f, nil until [Classifier.Calibrate]
}

// TrainClassifier trains a machine for each pair of classes (F6), with the options of [Train].
// Weights belong to points ([Balanced] to classes); labels that have no point of positive weight
// are left out. Machines train in parallel. Calls of o.Observe do not overlap, and when one returns
// false all machines stop. Errors are those of Train; [ErrNotConverged] and [ErrIndefinite] come
// with the classifier.
func TrainClassifier[X any, L cmp.Ordered](xs []X, labels []L, k Kernel[X], o Options) (
	*Classifier[X, L], error) {
	return trainMachines(xs, labels, k, o, 2, upTo[int])
}

// TrainOneVsRest is [TrainClassifier] with a machine for each class against the rest: the greatest
// decision wins (F6).
func TrainOneVsRest[X any, L cmp.Ordered](xs []X, labels []L, k Kernel[X], o Options) (
	*Classifier[X, L], error) {
	return trainMachines(xs, labels, k, o, 2, func(int) []int { return []int{-1} })
}

// checkClasses checks points, labels of any type, kernel and options. It returns the labels of the
// points of positive weight, in ascending order. It is an error if they are fewer than least.
func checkClasses[X any, L cmp.Ordered](xs []X, labels []L, k Kernel[X], o Options, least int) (
	[]L, error) {
	nan := slices.IndexFunc(labels, func(l L) bool { return l != l })
	err := cmp.Or(checkCount(len(xs), len(labels)), checkPoints(xs), checkKernel(k, xs),
		o.check(len(xs)), unless(nan < 0, "svm: label of point %d is NaN: %w", nan, ErrNotFinite))
	if err != nil {
		return nil, err
	}
	if o.Weights != nil {
		labels = pick(labels, support(o.Weights)) // no weight is negative
	}
	classes := slices.Compact(slices.Sorted(slices.Values(labels)))
	const says = "svm: label %v and %d more have points of positive weight, want %d labels: %w"
	return classes, unless(len(classes) >= least, says, classes[0], len(classes)-1, least,
		ErrOneClass)
}

// trainMachines trains a machine for each pair neg < pos of m classes, where neg is in negs(m). It
// is an error if m < least. If negs(m) are all classes, that is one-vs-one; the pair (−1, pos) is
// class pos against the rest.
func trainMachines[X any, L cmp.Ordered](xs []X, labels []L, k Kernel[X], o Options, least int,
	negs func(m int) []int) (*Classifier[X, L], error) {
	classes, err := checkClasses(xs, labels, k, o, least)
	if err != nil {
		return nil, err
	}
	// The untrained machines, in the order (0, 1), (0, 2), …, (1, 2), ….
	machines := untrained(len(classes), negs(len(classes)))
	models, errs := make([]*Model[X], len(machines)), make([]error, len(machines))

	// Machines share the workers: there are usually more of them than of workers.
	workers := cmp.Or(o.Workers, runtime.GOMAXPROCS(0))
	o.Workers = max(1, workers/max(1, len(machines)))
	o.Observe = takeTurns(o.Observe)
	all := newRecipe(k, xs)
	if len(machines) > 1 { // lay out the points once for all machines
		all.laid = all.columns(true)
	}
	parallel(workers, len(machines), func(t int) {
		// A model of two classes, each with a point of positive weight. Its support vectors are
		// rows of the data, until the last step.
		m, o := &machines[t], o
		rows, ys := sidesOf(*m, classes, labels)
		o.Weights = pick(o.Weights, rows)
		model, err := solve(all.pick(rows), ys, ys, 0, o)
		if model != nil {
			models[t], m.Coef, m.B = model, model.Coef, model.B
			m.At = pick(rows, support(model.Alpha))
		}

		// An error says which machine it comes from.
		if err != nil && m.Neg < 0 {
			errs[t] = fmt.Errorf("%w (class %v against the others)", err, classes[m.Pos])
		} else if err != nil {
			errs[t] = fmt.Errorf("%w (among the points of classes %v and %v)",
				err, classes[m.Neg], classes[m.Pos])
		}
	})
	if err = worst(errs); !hasSolution(err) {
		return nil, err
	}

	// The support vectors of all machines, each once: a prediction computes each kernel value once.
	// The numbers of all machines stand one after the other in memory: else a prediction by 5,000
	// small machines takes 1.3 times as long.
	var at []int
	var coef []float64
	for _, m := range machines {
		at, coef = append(at, m.At...), append(coef, m.Coef...)
	}
	points := slices.Compact(slices.Sorted(slices.Values(at)))
	for t := range machines {
		m, size := &machines[t], len(machines[t].At)
		m.At, at = at[:size:size], at[size:]
		m.Coef, coef = coef[:size:size], coef[size:]
		for k, i := range m.At {
			m.At[k], _ = slices.BinarySearch(points, i)
		}
	}
	// What was checked before training is as good now.
	c, _ := NewClassifier(k, classes, pick(xs, points), machines)
	c.models = models // with their certificates
	return c, err
}

// untrained returns the machines of classes 0, …, m−1 for the pairs with neg in negs, in order.
func untrained(m int, negs []int) (machines []Machine) {
	for _, neg := range negs {
		for pos := neg + 1; pos < m; pos++ {
			machines = append(machines, Machine{Neg: neg, Pos: pos})
		}
	}
	return machines
}

// Balanced returns weights by which all classes count the same: each of the c points of a class has
// the weight n/(mc), where n is the number of all points and m that of classes. They are meant for
// Options.Weights.
func Balanced[L comparable](labels []L) []float64 {
	count := make(map[L]float64)
	for _, l := range labels {
		count[l]++
	}
	n, m := float64(len(labels)), float64(len(count))
	return build(len(labels), func(i int) float64 { return n / (m * count[labels[i]]) })
}

// sidesOf returns the points of the two classes of m, or all points if it is against the rest, and
// their ys. A label without a point of positive weight is no class.
func sidesOf[L cmp.Ordered](m Machine, classes, labels []L) (rows []int, ys []float64) {
	for i, l := range labels {
		if l == classes[m.Pos] {
			rows, ys = append(rows, i), append(ys, 1)
		} else if m.Neg < 0 || l == classes[m.Neg] {
			rows, ys = append(rows, i), append(ys, -1)
		}
	}
	return rows, ys
}

// takeTurns makes observe safe for concurrent runs: calls do not overlap, and after the first false
// there are none, but false all the same. It returns nil if observe is nil.
func takeTurns(observe func(*DualSolution) bool) func(*DualSolution) bool {
	if observe == nil {
		return nil
	}
	// The lock is held during the call, so that no other call can begin.
	mu, ended := new(sync.Mutex), false
	return func(s *DualSolution) bool {
		mu.Lock()
		defer mu.Unlock()
		ended = ended || !observe(s)
		return !ended
	}
}

// worst returns the first error that comes without a model, or else the first that is the
// observer's, or else the first.
func worst(errs []error) (worst error) {
	for _, err := range errs {
		// The observer's counts more than, say, too few iterations: it ends everything.
		switch {
		case !hasSolution(err):
			return err
		case worst == nil, errors.Is(err, errObserver) && !errors.Is(worst, errObserver):
			worst = err
		}
	}
	return worst
}

// # Many machines at once
//
// A support vector of one machine is usually a support vector of several. So a classifier computes
// one row of kernel values, for the support vectors of all machines together, and each machine adds
// the entries that it needs, times its coefficients.
//
// For the linear kernel every machine has a plane, and w·x takes one inner product of d numbers in
// place of one for each support vector, and no sum over coefficients. It is more accurate, too: the
// terms αᵢyᵢ xᵢ·x may be rounded by 2⁻⁵² Σ αᵢ‖xᵢ‖‖x‖, but w·x by about 2⁻⁵²‖w‖‖x‖. For w is added
// up with twice the digits, and ‖w‖ is small where large terms cancel. So planes are used unless
// all of them together take too much memory.

// NewClassifier makes a classifier of its kernel and its exported fields, which is what
// encoding/json stores of one; WriteClassifier knows few kernels and no labels but integers. It
// predicts what the stored classifier did, to the last bit, and shares the memory of the arguments.
func NewClassifier[X any, L cmp.Ordered](k Kernel[X], labels []L, points []X, machines []Machine) (
	*Classifier[X, L], error) {
	// What training would have made: a machine for each pair or, if the first says so, against the
	// rest.
	m := len(labels)
	negs, size := upTo[int](m), m*(m-1)/2
	if len(machines) > 0 && machines[0].Neg < 0 {
		negs, size = []int{-1}, m
	}
	isGood := func(m, want Machine) bool {
		return m.Neg == want.Neg && m.Pos == want.Pos && len(m.At) == len(m.Coef) &&
			!slices.ContainsFunc(m.At, func(v int) bool { return v < 0 || v >= len(points) })
	}
	rise := slices.IsSorted(labels) && len(slices.Compact(slices.Clone(labels))) == len(labels)
	good := rise && len(machines) == size && slices.EqualFunc(machines, untrained(m, negs), isGood)
	err := cmp.Or(checkPoints(points), checkKernel(k, points), unless(good && m > 0,
		"svm: NewClassifier: labels do not rise, or machines are not as training makes them"))
	if err != nil {
		return nil, err
	}
	c := &Classifier[X, L]{Labels: labels, Points: points, Machines: machines, kernel: k}

	// The models. No machine has Σ|αᵢyᵢ| above most.
	most, room := 0.0, planeWidth
	for _, m := range machines {
		model := &Model[X]{Func: Func[X]{k, pick(points, m.At), m.Coef}, B: m.B, BLo: m.B, BHi: m.B,
			Alpha: each(slices.Clone(m.Coef), math.Abs), KKT: uncertified(errNoData)}
		c.models, most = append(c.models, model), max(most, norm1(m.Coef))
	}
	// Their planes. One machine without a plane, or one plane too many, and all use kernel values.
	for _, model := range c.models {
		w, ok := weights(model.Func)
		if room -= len(w); !ok || room < 0 {
			c.planes, c.rows = nil, newRecipe(k, points).within(decisionTol, most)
			break
		}
		c.planes = append(c.planes, w)
	}
	return c, nil
}

// Check returns an error if c.Predict(x) would panic, or mean nothing: see [Func.Check].
func (c *Classifier[X, L]) Check(x X) error { return Func[X]{c.kernel, c.Points, nil}.Check(x) }

// Models returns the machines of c with their certificates: for each pair of classes in the order
// (0, 1), (0, 2), …, (1, 2), …, or, one-vs-rest, for each class. The machine for (a, b), a < b, has
// y = +1 for Labels[b], which a positive decision predicts. Alpha belongs to the points of the two
// classes, or, one-vs-rest, to all points, in the order of the training data; in a classifier that
// was stored, to the support vectors, and nothing is certified. Do not change the machines: c
// predicts by them.
func (c *Classifier[X, L]) Models() []*Model[X] { return slices.Clone(c.models) }

// Predict returns the label of x: the class with most votes or, one-vs-rest, with the greatest
// decision. A machine votes for the larger of its labels if its decision is 0 (A1), or NaN because
// kernel values overflow; one-vs-rest, NaN is less than any number. In a tie the smallest label
// wins. The cost is one kernel value for each support vector, however many machines share it, or,
// for the linear kernel, one inner product for each machine.
func (c *Classifier[X, L]) Predict(x X) L { return c.PredictAll([]X{x})[0] }

// PredictAll predicts the label of every point, a batch at a time on all cores.
func (c *Classifier[X, L]) PredictAll(xs []X) []L {
	labels := make([]L, len(xs))
	c.decideAll(xs, 0, func(i int, l L, _ []float64) { labels[i] = l })
	return labels
}

// Decisions returns the decisions of all machines at the one point x, in the order of
// [Classifier.Models], at the cost of Predict. (DecisionAll of a model has many points.)
func (c *Classifier[X, L]) Decisions(x X) (f []float64) {
	c.decideAll([]X{x}, 1, func(_ int, _ L, all []float64) { f = slices.Clone(all) })
	return f
}

// decideAll calls use(i, l, f) for every i, with the label l of xs[i] and the decisions f of all
// machines at xs[i]; f is valid during the call.
func (c *Classifier[X, L]) decideAll(xs []X, workers int, use func(i int, l L, f []float64)) {
	demand(c.kernel != nil, "svm: Classifier: no kernel: neither trained nor made by NewClassifier")
	// Scratch for one point: its decisions, a score for each class, and its row of kernel values.
	machines, classes := len(c.Machines), len(c.Labels)
	inBlocks(workers, len(xs), machines+classes+len(c.Points), func(i int, scratch []float64) {
		f, scratch := scratch[:machines], scratch[machines:]
		score, values := scratch[:classes], scratch[classes:]
		if c.rows != nil {
			c.rows.values(values, xs[i])
		}
		clear(score)
		for t := range c.Machines {
			// f(x) is w·x + b, or Σ αᵢyᵢk(xᵢ, x) + b over the entries of the row that are the
			// machine's.
			m := &c.Machines[t]
			if c.rows == nil {
				f[t] = dotWeights(c.planes[t], xs[i]) + m.B
			} else {
				coef, sum := m.Coef[:len(m.At)], m.B
				for k, p := range m.At {
					sum += coef[k] * values[p]
				}
				f[t] = sum
			}
			// The score of a class is its decision, or how many machines vote for it.
			if m.Neg < 0 {
				score[m.Pos] = f[t]
			} else if f[t] < 0 {
				score[m.Neg]++
			} else {
				score[m.Pos]++
			}
		}
		// Of equal scores argmax takes the first, which belongs to the smallest label.
		use(i, c.Labels[argmax(score)], f)
	})
}

// # Cross-validation
//
// How good is a classifier on points that it has not seen? Its training points do not tell: with a
// narrow kernel it may know them all by heart. So the data are divided into folds. Each fold is
// predicted by a classifier trained on the other folds, and in the end every point has a prediction
// by a classifier that has not seen it (F7). The share of correct predictions estimates the
// accuracy on new points, a little too low, since the classifiers are trained on fewer points.
//
// The folds are stratified. The points are shuffled, sorted by label, and dealt to the folds like
// cards. A class of c points lies in c consecutive places, so each of k folds gets ⌊c/k⌋ or ⌈c/k⌉
// of its points; and all n points are dealt without a break, so the sizes of two folds differ by at
// most one, too.
//
// A C or a γ that was chosen because its accuracy is the best of many looks better than it is. To
// know how good the choice is, keep a part of the data away from the search.

// CrossPredict returns for each point the label that a classifier trained without the point's fold
// predicts (F7). From the predictions any score can be computed: a class that is rare hardly shows
// in the accuracy of [CrossValidate].
//
// The folds are stratified: the sizes of any two differ by at most one, and so do their numbers of
// points of each class. So, if no weight is 0, a class of two or more points is in training
// whenever its points are predicted; one of a single point never is, and that point counts as a
// mistake. Weights act in training alone. The division is random, but depends on rng and labels
// only; rng nil means a fixed seed. It is an error if there are fewer than two folds, or fewer
// points than folds. [ErrNotConverged] and [ErrIndefinite] come with the predictions that the
// classifiers make, or with none if o.Observe has returned false.
func CrossPredict[X any, L cmp.Ordered](xs []X, labels []L, k Kernel[X], o Options, folds int,
	rng *rand.Rand) ([]L, error) {
	return outOfFold(xs, labels, k, o, folds, shuffled(rng, len(labels)), 1,
		func(l L, _ []float64) L { return l })
}

// CrossDecisions returns the decisions by which [CrossPredict] predicts, with the same errors: row
// i has the decisions at xs[i] of classifiers trained without its fold, in the order of
// [Classifier.Models]. For two classes Data has one number for each point. It is an error if all
// points of a class are in one fold, as the only point of a class is: the classifier trained on the
// other folds has no machine for that class.
func CrossDecisions[X any, L cmp.Ordered](xs []X, labels []L, k Kernel[X], o Options, folds int,
	rng *rand.Rand) (*Matrix, error) {
	classes, _ := checkClasses(xs, labels, k, o, 2) // outOfFold returns the error
	rows, err := outOfFold(xs, labels, k, o, folds, shuffled(rng, len(labels)), len(classes),
		func(_ L, f []float64) []float64 { return slices.Clone(f) })
	if rows == nil {
		return nil, err
	}
	return MatrixFromRows(rows), err
}

// shuffled returns 0, 1, …, n−1 in random order.
func shuffled(rng *rand.Rand, n int) []int {
	return cmp.Or(rng, rand.New(rand.NewPCG(1, 1))).Perm(n)
}

// outOfFold returns use(l, f) for each point, with the label and the decisions at the point of a
// classifier trained without its fold, in which there have to be at least so many classes: least.
// If o.Observe ends a run there are no results.
func outOfFold[X any, L cmp.Ordered, R any](xs []X, labels []L, k Kernel[X], o Options, folds int,
	order []int, least int, use func(l L, f []float64) R) ([]R, error) {
	const says = "svm: %d folds of %d points: want 2 or more, and no more than points"
	_, err := checkClasses(xs, labels, k, o, 2)
	if err = cmp.Or(err, unless(2 <= folds && folds <= len(xs), says, folds, len(xs))); err != nil {
		return nil, err
	}
	// The points in the given order, but label after label: they are dealt like cards.
	cards := slices.Clone(order)
	slices.SortStableFunc(cards, func(i, j int) int { return cmp.Compare(labels[i], labels[j]) })
	fold := make([]int, len(xs))
	for p, i := range cards {
		fold[i] = p % folds
	}

	// Train without each fold, on the points in, and decide about the points out.
	o.Observe = takeTurns(o.Observe)
	results, errs := make([]R, len(xs)), make([]error, folds)
	parallel(o.Workers, folds, func(f int) {
		in := slices.DeleteFunc(upTo[int](len(xs)), func(i int) bool { return fold[i] == f })
		out := slices.DeleteFunc(upTo[int](len(xs)), func(i int) bool { return fold[i] != f })
		o := o
		o.Weights, o.Workers = pick(o.Weights, in), 1
		// Of two classes one may be left, and no machine, if least is 1.
		c, err := trainMachines(pick(xs, in), pick(labels, in), k, o, least, upTo[int])
		errs[f] = unless(err == nil, "%w (without fold %d)", err, f)
		// A rough classifier is better than none: its error is reported, and it predicts.
		if hasSolution(err) {
			c.decideAll(pick(xs, out), 1,
				func(t int, l L, f []float64) { results[out[t]] = use(l, f) })
		}
	})

	// A run that the observer has ended is as good as none.
	if err = worst(errs); !hasSolution(err) || errors.Is(err, errObserver) {
		return nil, err
	}
	return results, err
}

// CrossValidate estimates the accuracy of [TrainClassifier] on new points (F7): the share of
// predictions of [CrossPredict] that are right. Errors are the same. Where they come without
// predictions the accuracy is NaN.
func CrossValidate[X any, L cmp.Ordered](xs []X, labels []L, k Kernel[X], o Options, folds int,
	rng *rand.Rand) (accuracy float64, err error) {
	predicted, err := CrossPredict(xs, labels, k, o, folds, rng)
	return Accuracy(predicted, labels), err
}

// Accuracy returns the share of the predictions that are right, NaN if there are none. It panics if
// there are some, but not one for each label.
func Accuracy[L cmp.Ordered](predicted, labels []L) float64 {
	n, right := len(predicted), 0
	demand(n == 0 || n == len(labels), "svm: %d predictions, but %d labels", n, len(labels))
	for i, l := range predicted {
		if l == labels[i] {
			right++
		}
	}
	return float64(right) / float64(n)
}

// # Choosing C and the kernel
//
// A small C or a small γ makes a smooth boundary that misses details; a large one makes a boundary
// that follows single points. Nothing in the training data says which is right, so one tries a grid
// of both, in factors of 2 to 10, and cross-validates each cell of the table. All cells of a kernel
// need the same kernel values. So the matrix of all points is computed once, and every fold, every
// machine and every C takes its rows from it.

// A Choice is what [GridSearch] found best.
type Choice struct {
	Index    int // of the kernel
	C, Score float64
	Table    [][]float64 // Table[i][j]: the score of kernel i with the jth C
}

// sharedBytes is the default memory of GridSearch for a Gram matrix of all points.
const sharedBytes = 200 << 20

// GridSearch chooses the kernel, one for each γ say, and the C of greatest score: score(predicted,
// labels) for the predictions of [CrossPredict], with the same folds for all (F7). Without a score
// it is [Accuracy]. In a tie the smallest C wins, then the kernel that comes first. A score that is
// NaN or −Inf is never chosen, and it is an error if all are. Other errors are those of
// CrossPredict; those that come with predictions do not end the search, and the first is returned
// with the choice, if there is one. If o.Observe ends the search, the error says so, scores not
// known by then are NaN, and there is no choice if all are.
//
// It trains a classifier for each fold and each cell of the table. But the Gram matrix of a kernel
// is computed only once if its n² numbers fit into o.CacheBytes; o.Observe is not called meanwhile.
// o.C is ignored; in cs, too, 0 means 1. The predictions are those of CrossPredict, except for
// points so near a plane that o.Tol leaves their side open.
func GridSearch[X any, L cmp.Ordered](xs []X, labels []L, kernels []Kernel[X], cs []float64,
	o Options, folds int, rng *rand.Rand, score ...func(predicted, labels []L) float64) (*Choice,
	error) {
	// All that can be wrong is found before the first machine is trained.
	n, best := len(xs), &Choice{Score: math.Inf(-1)}
	err := unless(len(kernels) > 0 && len(cs) > 0, "svm: a grid of %d kernels and %d values of C",
		len(kernels), len(cs))
	for _, k := range kernels {
		best.Table = append(best.Table, constant(len(cs), math.NaN()))
		for _, o.C = range cs {
			_, bad := checkClasses(xs, labels, k, o, 2)
			err = cmp.Or(err, bad)
		}
	}
	if err != nil {
		return nil, err
	}
	order := shuffled(rng, n) // the same for all
	label := func(l L, _ []float64) L { return l }
	var gram *Matrix // one after the other in the same memory
	if n <= cmp.Or(o.CacheBytes, sharedBytes)/8/n {
		gram = NewMatrix(n, n)
	}

	// The cells of the table, row by row. A cell without predictions, where the observer or a fatal
	// error ended a run, is the last.
	o.Observe, score = takeTurns(o.Observe), append(slices.Clip(score), Accuracy[L])
	var errs []error
	for cell := range len(kernels) * len(cs) {
		i, j := cell/len(cs), cell%len(cs)
		k, c := kernels[i], cs[j]
		if j == 0 && gram != nil {
			// The points of a linear kernel may be moved (G2): Σβ = 0 in every machine, and
			// predictions use the same matrix. Training ends when differences of gradients meet
			// Tol, so each may be off by a tenth of it. Σα is at most the largest C times all
			// weights.
			all, _ := newRecipe(k, xs).centred()
			rows := all.within(cmp.Or(o.Tol, defaultTol)/10,
				max(1, slices.Max(cs))*cmp.Or(total(o.Weights), float64(n)))
			gram.fillFrom(rows, o.Workers)
		}
		// With a matrix the points are its row numbers, and every kernel is Precomputed.
		var predicted []L
		if o.C = c; gram == nil {
			predicted, err = outOfFold(xs, labels, k, o, folds, order, 1, label)
		} else {
			shared := Kernel[int](Precomputed{gram})
			predicted, err = outOfFold(upTo[int](n), labels, shared, o, folds, order, 1, label)
		}
		if errs = append(errs, err); predicted == nil {
			break
		}

		// The best cell so far, of equals the one with the smallest C.
		a, c := score[0](predicted, labels), cmp.Or(c, 1)
		if best.Table[i][j] = a; a > best.Score || a == best.Score && c < best.C {
			best.Index, best.C, best.Score = i, c, a
		}
	}
	if err = worst(errs); !hasSolution(err) || math.IsInf(best.Score, -1) {
		return nil, cmp.Or(err, errors.New("svm: every score is NaN or -Inf"))
	}
	return best, err
}

// # Probabilities
//
// A decision says which label. How probable is this label? Platt's sigmoid makes a decision f a
// probability of +1, p(f) = 1/(1 + e^(Af+B)). It has the A and B for which the cross entropy
//
//	F(A, B) = −Σ (tᵢ log p(fᵢ) + (1 − tᵢ) log(1 − p(fᵢ)))                               (F8)
//
// is least. The fᵢ have to be decisions at points that their machine has not seen, since at its
// training points a machine looks too sure of itself. The targets tᵢ are not quite 1 and 0, because
// N₊ points that are all +1 do not show that every other point is. Lin, Lin and Weng (A note on
// Platt's probabilistic outputs, 2007) take, for N₊ points +1 and N₋ points −1,
//
//	tᵢ = (N₊ + 1)/(N₊ + 2) where yᵢ = +1,    tᵢ = 1/(N₋ + 2) where yᵢ = −1
//
// Let uᵢ = Afᵢ + B and pᵢ = p(fᵢ) = 1/(1 + e^uᵢ). Then point i adds tᵢuᵢ + log(1 + e^−uᵢ) to F. As
// a function of uᵢ this term has the first derivative tᵢ − pᵢ and the second pᵢ(1 − pᵢ) > 0. So F
// is convex. F has a minimum, because 0 < tᵢ < 1, so that each term grows without bound as |uᵢ|
// does; and only one, unless all fᵢ are equal.
//
// With A > 0 the larger decision would have the smaller probability. So A ≤ 0 is a constraint. No
// method of its own is needed for it: let h(A) be the least F for a given A. Then h is convex, too.
// At A = 0 the best B makes every pᵢ the mean of the targets, and the slope there is
//
//	h′(0) = Σ (tᵢ − mean t) fᵢ                 [∂F/∂A; ∂F/∂B = 0]                       (F9)
//
// If the slope is positive, the minimum has A < 0. If not, h falls or is level up to A = 0, and 0
// is the best A that is allowed: larger decisions do not go with the label +1, and every point gets
// the same probability.

// Platt is a sigmoid: the probability of the label +1 at a point of decision f is 1/(1 + e^(Af+B)).
// With A ≤ 0, as FitPlatt has it, points have the same order by probability as by decision (A12).
type Platt struct{ A, B float64 }

// Probability returns the probability of +1 at decision f. It need not be above ½ where f > 0: the
// sigmoid knows how often each label is mistaken for the other.
func (s Platt) Probability(f float64) float64 { return LogisticLink(-(s.A*f + s.B)) }

// Newton's method stops after a step that changes the uᵢ by at most plattTol (the root of their
// mean square change, weighted by pᵢ(1 − pᵢ)), or in vain after plattSteps steps. More than ten are
// rare.
const plattSteps, plattTol = 200, 1e-10

// FitPlatt returns the sigmoid of least cross entropy (F8) among those with A ≤ 0, for decisions
// and labels ys, +1 or −1, by Newton's method. Decisions should come from [CrossDecisions]. A is 0,
// up to rounding, if they are no better than chance. Decisions that are not finite are errors, and
// so are decisions so small that A would overflow.
func FitPlatt(decisions, ys []float64) (Platt, error) {
	err := cmp.Or(checkLabelled(decisions, ys), allFinite("decision of point", decisions))
	if err != nil {
		return Platt{}, err
	}
	// The targets, for label −1 and +1.
	n, sum := float64(len(ys)), total(ys) // N₊ + N₋ and N₊ − N₋
	low, high := 1/((n-sum)/2+2), ((n+sum)/2+1)/((n+sum)/2+2)
	targets := each(slices.Clone(ys), func(y float64) float64 { return low + (high-low)*(y+1)/2 })

	// From here on fs are multiples of the decisions, by the power of two that brings the largest
	// near 1, less their median: so no square overflows, and outliers do not cost the digits of all
	// others. At the end A and B are translated back.
	fs, mean := slices.Clone(decisions), total(targets)/n
	scale := toUnit(fs)
	median := slices.Sorted(slices.Values(fs))[len(fs)/2]
	each(fs, func(f float64) float64 { return f - median })

	// The best sigmoid with A = 0 gives every point the mean probability.
	s := Platt{B: math.Log((1 - mean) / mean)}
	if Dot(targets, fs)-mean*total(fs) <= 0 { // (F9)
		return s, nil
	}

	// F as a sum over the points, without overflow; and the derivatives of its terms by uᵢ, tᵢ − pᵢ
	// and pᵢ(1 − pᵢ).
	miss, weight := make([]float64, len(fs)), make([]float64, len(fs))
	entropy := func(s Platt) (sum float64) {
		for i, f := range fs {
			u := s.A*f + s.B
			miss[i], weight[i] = targets[i]-LogisticLink(-u), LogisticLink(u)*LogisticLink(-u)
			sum += targets[i]*u + LogisticLoss(u)
		}
		return sum
	}
	for range plattSteps {
		// With the weighted mean of f as the origin, the Hessian in A and B is diagonal: Newton's
		// step is two divisions.
		before, all := entropy(s), total(weight)
		origin := Dot(weight, fs) / all
		about := each(slices.Clone(fs), func(f float64) float64 { return f - origin })
		gradient, curvature := Dot(miss, about), Dot(weight, times(about, about))
		step := Platt{-gradient / curvature, -total(miss) / all}
		change := step.A*step.A*curvature/all + step.B*step.B // the mean square of the changes of u
		step.B -= step.A * origin

		// Let −c be the slope of F along the step, and c its curvature, at the start. While uᵢ
		// moves by δ, pᵢ(1 − pᵢ) grows at most by the factor e^|δ|. So, if no uᵢ moves by more than
		// 1 in all, the curvature after the share t of the step is at most ceᵗ, the slope at most
		// c(eᵗ − 2), and F falls by c(3 − e) or more. A longer step is halved until F is lower.
		// No uᵢ moves by more than most.
		t, most := 1.0, math.Abs(step.A)*largest(fs)+math.Abs(step.B)
		for t*most > 1 && !(entropy(Platt{s.A + t*step.A, s.B + t*step.B}) < before) {
			t /= 2
		}
		s.A, s.B = s.A+t*step.A, s.B+t*step.B

		// Near the minimum the error after a step is about the square of the step.
		if change <= plattTol*plattTol {
			s = Platt{min(0, s.A*scale), s.B - s.A*median}
			if err = allFinite("coefficient of a sigmoid,", []float64{s.A, s.B}); err != nil {
				return Platt{}, err
			}
			return s, nil
		}
	}
	return Platt{}, fmt.Errorf("svm: no sigmoid after %d steps: %w", plattSteps, ErrNotConverged)
}

// Probabilities of many classes. The machine of a pair says rᵢⱼ, the probability of class i among i
// and j, where rⱼᵢ = 1 − rᵢⱼ. Probabilities pᵢ of all classes should have pᵢ : pⱼ = rᵢⱼ : rⱼᵢ. In
// general no p satisfies all pairs, so Wu, Lin and Weng (Probability estimates for multi-class
// classification by pairwise coupling, 2004) take the p of sum 1 for which
//
//	pᵀQp = Σ_{i<j} (rⱼᵢpᵢ − rᵢⱼpⱼ)²                                                     (F10)
//
// is least. Then Qp = λe, where λ is the multiplier of the constraint, λ = pᵀQp ≥ 0 [times pᵀ], and
// e is all ones. So (Q + eeᵀ)p = (λ + 1)e, and p is the solution of (Q + eeᵀ)z = e, divided by its
// sum. The matrix is positive definite: where zᵀQz = 0 all zᵢ have one sign, and then eᵀz ≠ 0
// unless z = 0. Wu, Lin and Weng show that no pᵢ is negative.

// leastProbability keeps the classes of a pair, as LIBSVM does, from being impossible.
const leastProbability = 1e-7

// Calibrate fits a sigmoid to each machine of a one-vs-one classifier, for its Probabilities. The
// decisions are those of [CrossDecisions] for points with these labels; a point whose label is not
// one of c.Labels is left out. It must not run while others use c.
func (c *Classifier[X, L]) Calibrate(decisions *Matrix, labels []L) error {
	// All sigmoids are fitted before c gets any of them: after an error c is as before.
	decisions = cmp.Or(decisions, &Matrix{}) // nil are no decisions
	columns, machines := decisions.T(), slices.Clone(c.Machines)
	for t, m := range machines {
		if m.Neg < 0 || decisions.Rows != len(labels) || decisions.Cols != len(machines) {
			const says = "svm: %d×%d decisions for %d labels: want those of a machine for each pair"
			return fmt.Errorf(says, decisions.Rows, decisions.Cols, len(labels))
		}
		rows, ys := sidesOf(m, c.Labels, labels)
		s, err := FitPlatt(pick(columns.Row(t), rows), ys)
		if err != nil {
			return err
		}
		machines[t].Platt = &s
	}
	c.Machines = machines
	return nil
}

// Probabilities returns the probability of each label at x, in the order of c.Labels. The largest
// need not be that of c.Predict(x), which counts votes. It panics unless c has been calibrated, or
// read from a file with probabilities.
func (c *Classifier[X, L]) Probabilities(x X) []float64 {
	// The upper half of Q + eeᵀ, by the squares in (F10), and the right-hand side e.
	n := len(c.Labels)
	q := triangle(build(n, func(i int) []float64 { return constant(n-i, 1) }))
	p := constant(n, 1)
	for t, f := range c.Decisions(x) {
		// The machine says rᵢⱼ = r for i = Pos and j = Neg, and 1 − r the other way round.
		m := c.Machines[t]
		demand(m.Neg >= 0 && m.Platt != nil, "svm: Probabilities: want one-vs-one, after Calibrate")
		r := min(max(leastProbability, m.Platt.Probability(f)), 1-leastProbability)
		q[m.Pos][0] += (1 - r) * (1 - r)
		q[m.Neg][0] += r * r
		q[m.Neg][m.Pos-m.Neg] -= r * (1 - r)
	}
	// Solve, and divide by the sum. No pᵢ is negative but by rounding.
	q.factor()
	q.solve(p)
	sum := total(p)
	return each(p, func(v float64) float64 { return max(0, v/sum) })
}

// Scaling. An inner product adds the products of all features. A feature that is measured in
// millimeters counts a million times as much as the same feature in meters. A kernel cannot know
// the units, so the features should have the same scale before a kernel sees them.

// A Scaler turns each coordinate x_f into (x_f − Shift_f)·Factor_f. Fit it to the training data,
// and apply it to all. It acts on points; the functions [Scale] and [Normalize] act on kernels.
type Scaler struct{ Shift, Factor []float64 }

// MinMax returns the scaler that makes each coordinate of xs range from 0 to 1. A coordinate that
// is constant on xs, or varies by no more than 2⁻¹⁰²⁴, carries no information and becomes 0, on
// other points, too, where the difference does not overflow.
func MinMax(xs [][]float64) (Scaler, error) {
	if err := cmp.Or(checkCount(len(xs), len(xs)), checkPoints(xs)); err != nil {
		return Scaler{}, err
	}
	// The least and the greatest number of each coordinate.
	low, high := slices.Clone(xs[0]), slices.Clone(xs[0])
	for _, x := range xs {
		for f, v := range x {
			low[f], high[f] = min(low[f], v), max(high[f], v)
		}
	}
	axpy(high, -1, low) // now the spread
	if err := allFinite("spread of feature", high); err != nil {
		return Scaler{}, err
	}
	return Scaler{low, each(high, inverse)}, nil
}

// inverse returns 1/v, or 0 if that overflows: v is 0, or a denormal number.
func inverse(v float64) float64 {
	if f := 1 / v; finite(f) {
		return f
	}
	return 0
}

// Standardize returns the scaler that gives each coordinate of xs mean 0, variance 1; for constant
// ones see [MinMax].
func Standardize(xs [][]float64) (Scaler, error) {
	s, err := MinMax(xs)
	v, n := make([]float64, len(xs)), float64(len(xs))
	for f, factor := range s.Factor {
		// The coordinate after MinMax: numbers in [0, 1], so that no square overflows.
		for i, x := range xs {
			v[i] = (x[f] - s.Shift[f]) * factor
		}
		// The deviation is the root of the mean square, after the mean is gone. A factor of 0, of a
		// constant, stays 0: then the deviation is 0/0.
		mean := total(v) / n
		each(v, func(x float64) float64 { return x - mean })
		s.Shift[f] += mean / cmp.Or(factor, 1)
		s.Factor[f] = inverse(math.Sqrt(norm2(v)/n) / factor)
	}
	return s, err
}

// Apply returns the scaled points, and leaves xs alone. It panics if a point is narrower or wider
// than those to which s was fitted: see [ReadPoints].
func (s Scaler) Apply(xs [][]float64) [][]float64 {
	return build(len(xs), func(i int) []float64 { return s.Point(xs[i]) })
}

// Point is Apply for a single point. Pullback(k, s.Point) is a kernel that scales for itself.
func (s Scaler) Point(x []float64) []float64 {
	demand(len(x) == len(s.Shift), "svm: a point has %d features, want %d", len(x), len(s.Shift))
	scaled := slices.Clone(x)
	axpy(scaled, -1, s.Shift)
	return times(scaled, s.Factor)
}

// Part II. The bias of moved points
//
// For a linear kernel and points far from the origin, products are large and their differences are
// small: rounding would eat them. So the solver gets the points x − m, for some m near their middle
// (G2). The vector w stays the same, because Σ β = 0. But the solver's bias b′ is that of the moved
// points:
//
//	f(x) = w·(x − m) + b′ = w·x + b             [one plane, seen from two origins]
//	b = b′ − w·m
//
// The difference b′ − w·m has the rounding that the move was to avoid. The decisions at the support
// vectors are known better: by the solver's gradient g = y − K′β, with the K′ of the moved points,
// the decision at xᵢ is
//
//	f(xᵢ) = yᵢ − gᵢ + b′                        [f(xᵢ) = (K′β)ᵢ + b′; yᵢ is pᵢ in regression]
//	b = b′ + (yᵢ − gᵢ − w·xᵢ)                   [f(xᵢ) = w·xᵢ + b]
//
// Each support vector gives one such value. Without rounding they would all be equal. Their mean is
// more accurate than a single one, and their spread shows how much rounding w·x and w have. In the
// code solve adds the mean to b, and the spread to KKT.Rounding.

// # LIBSVM's files
//
// Two text formats, of points and of models, are what most programs for support vector machines
// read and write: svm-train makes a model of points, and svm-predict applies the model to others.
// Both formats have fields with spaces between them. The readers here skip comments, which begin
// with # as in SVMlight's files; LIBSVM's programs know none. The sections: the two formats; lines
// and fields; reading points; reading models; writing.
//
// A file of points has a line for each point: its label, then index:value for each coordinate that
// is not zero. Indices begin with 1, and rise along the line. So
//
//	+1 1:0.5 3:2 # a comment
//	-1 2:1
//
// are the points (0.5, 0, 2) and (0, 1, 0). Nothing says that there is no fourth coordinate. A
// kernel matrix is written in the same way, with the number of the row at index 0: the first line
// of K₁₁ = 2, K₁₂ = ½ is "+1 0:1 1:2 2:0.5".
//
// A model file has a header, up to the line SV, and then a line for each support vector:
//
//	svm_type c_svc
//	kernel_type rbf
//	gamma 0.5
//	nr_class 3
//	total_sv 4
//	rho 0.5 0.25 -2
//	label 5 9 2
//	nr_sv 1 2 1
//	SV
//	1 2 1:1
//	-3 4 2:1
//	0 5 1:2
//	-6 -7 1:1 2:1
//
// Class i is the one with label number i, from 0, in whatever order the file has the labels. Here
// class 0 has the label 5. The support vectors of class 0 come first, then those of class 1, and so
// on; nr_sv counts the vectors of each class. Each pair of classes i < j has a machine,
//
//	fᵢⱼ(x) = Σ c k(xᵥ, x) − rhoᵢⱼ,    fᵢⱼ(x) > 0 is a vote for class i, any other for j    (M1)
//
// over the vectors xᵥ of these two classes, c being the coefficient of xᵥ in this machine. The line
// rho lists the machines in the order (0, 1), (0, 2), …, (1, 2), …. A vector takes part in m − 1
// machines, where m is the number of classes, and begins with its coefficients in these, in the
// order of the other class. Its own class is left out of this order. So of machine i < j the
// coefficients stand at these places, counted from 0:
//
//	vectors of class i:  at j − 1   [the classes before j, but i]
//	vectors of class j:  at i       [the classes before i; j is not among them]            (M2)
//
// Above, f₀₂(x) = 2k((1, 0), x) − 6k((1, 1), x) − ¼, and its positive values are votes for 5.
//
// This package has its classes in the order of their labels, and a positive decision means the
// larger label. A file with the labels in ascending order has j for the larger label, so that
//
//	f = −fᵢⱼ,    c = −αy,    rho = b    [f = Σ αy k(xᵥ, x) + b = −(Σ c k(xᵥ, x) − rho)]
//	probA = A,   probB = −B             [1/(1 + e^(−Af−B)) = 1 − 1/(1 + e^(Af+B))]         (M3)
//
// where y is +1 for the larger label of the pair, and −1 for the smaller. The writers write such a
// file. Then svm-predict breaks ties as this package does: f = 0 is a vote for the larger label,
// and of the labels with equally many votes, svm-predict takes the first in the file and this
// package the smallest, which are the same. A file by svm-train has the labels in the order in
// which they first occur in its data; but +1 comes before −1 if there are no others. With -b 1 it
// writes a sigmoid for each pair, probA and probB, of the probability of class i at fᵢⱼ. Where
// labels do not ascend, f = fᵢⱼ and b = −rho for each pair i < j of which i has the larger label,
// and a tie may go to another label than in svm-predict.

// Kinds of errors in files, beside ErrNotFinite and, if lines of a model are missing at the end,
// io.ErrUnexpectedEOF.
var (
	ErrSyntax      = errors.New("bad syntax")
	ErrIndex       = errors.New("bad index")     // below 1, too large, or not above the one before
	ErrTooSparse   = errors.New("too sparse")    // dense rows would dwarf the file: see ReadPoints
	ErrUnsupported = errors.New("not supported") // LIBSVM or svm lacks such a kernel or machine
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

// # Lines and fields
//
// A file is read as a whole: the text takes about as much memory as its points, and any line of it
// can be visited again. A place in the text is a single number, how many bytes are before it, and
// only an error turns a place into a line and a column. After the first error there is no next
// line, and later errors do not count, so that a reader need look only once, at the end. Until then
// it may go on with numbers that mean nothing.

// A file, and the place up to which it has been read: errors belong to this place.
type file struct {
	text string // a newline, so that one is before each line, then the file, then one more
	at   int    // the place
	err  error  // the first error

	most  int            // the largest index that may be
	width int            // the largest index so far, or the number of features if that is known
	wide  int            // the place of this index, if it has been read
	known map[string]int // by the key of a line in a model's header: where its values begin
}

// newFile reads all of r. Its points have the given number of features, or any number if that is 0.
// An error of r, at whatever line, comes before any mistake in the text, because the end of the
// text may then be a line that was cut off.
func newFile(r io.Reader, features int) *file {
	var all strings.Builder
	all.WriteByte('\n')
	_, err := io.Copy(&all, r)
	err = unless(err == nil, "svm: line %d: %w", strings.Count(all.String(), "\n"), err)
	all.WriteByte('\n')
	return &file{text: all.String(), err: err, known: make(map[string]int),
		width: max(0, features), most: min(cmp.Or(features, math.MaxInt32), math.MaxInt32)}
}

// rest returns what is not read yet of the line. What counts of a line ends at the comment.
func (f *file) rest() string {
	return f.text[f.at : f.at+strings.IndexAny(f.text[f.at:], "#\n")]
}

// next moves to the next line that has a field, and says whether there is one. If not, it moves to
// the end of the last line, the place of errors for what is missing.
func (f *file) next() bool {
	for f.err == nil {
		begin := f.at + strings.Index(f.text[f.at:], "\n") + 1
		if begin == len(f.text) {
			f.at += len(f.rest())
			break
		}
		if f.at = begin; f.field() != "" {
			return true
		}
	}
	return false
}

// field moves to the next field of the line and returns it, or "" at the end of the line. The place
// is where the field begins. Tabs and the carriage return before a newline, and other control
// characters, which files should not have, count as spaces.
func (f *file) field() string {
	for f.text[f.at] <= ' ' && f.text[f.at] != '\n' {
		f.at++
	}
	end := f.at
	for f.text[end] > ' ' && f.text[end] != '#' {
		end++
	}
	return f.text[f.at:end]
}

// number reads text, which begins at the place, as a number, and moves behind it.
func (f *file) number(text string) float64 {
	// ParseFloat rounds to the nearest float64. It returns an infinity with its error for too large
	// a number, and takes "nan" and "inf" for numbers, which no point and no model may have.
	v, err := strconv.ParseFloat(text, 64)
	if !finite(v) {
		f.fail(ErrNotFinite, "%.40s", text)
	} else if err != nil || strings.Contains(text, "_") { // LIBSVM's programs read no 1_000
		f.fail(ErrSyntax, "%.40q is not a number", text)
	}
	f.at += len(text)
	return v
}

// fail makes a mistake of the given kind the error of the file, unless the file has an error
// already.
func (f *file) fail(kind error, format string, args ...any) {
	if f.err == nil {
		before, err := f.text[:f.at], fmt.Errorf(format+": %w", append(args, kind)...)
		column := f.at - strings.LastIndex(before, "\n")
		f.err = &ParseError{strings.Count(before, "\n"), column, err}
	}
}

// point reads the rest of the line, the entries index:value of the point in the given row, from 1.
// A point without entries is the point 0.
func (f *file) point(row int) Sparse {
	// Before the entries there may be SVMlight's number of a query, or the number of the row of a
	// kernel matrix.
	first := f.field()
	if first == "0:"+strconv.Itoa(row) || strings.HasPrefix(first, "qid:") {
		f.at += len(first)
	}
	// Each entry has a colon, so there is room for all of them, and the arrays never move.
	n := strings.Count(f.rest(), ":")
	x := Sparse{make([]int32, 0, n), make([]float64, 0, n)}
	last := 0
	for entry := f.field(); entry != "" && f.err == nil; entry = f.field() {
		number, value, found := strings.Cut(entry, ":")
		index, err := strconv.Atoi(number)
		switch {
		case !found || errors.Is(err, strconv.ErrSyntax):
			f.fail(ErrSyntax, "%.40q: want index:value", entry)
		case err != nil || index <= last || index > f.most:
			f.fail(ErrIndex, "index %.40s after %d: want indices to rise, from 1 to %d",
				number, last, f.most)
		}
		// Whoever needs dense rows may find this index too large.
		if index > f.width {
			f.width, f.wide = index, f.at // never if the number of features is known
		}
		// Indices count from 1 in a file, and from 0 in memory. The number after the colon has a
		// place of its own.
		f.at += len(entry) - len(value)
		x.Index, x.Value = append(x.Index, int32(index-1)), append(x.Value, f.number(value))
		last = index
	}
	return x
}

// # Reading points
//
// Points are read as sparse vectors, which take memory in proportion to the text, whatever their
// indices. How wide the dense rows must be is known only at the end of the file, and a single index
// of ten digits makes them very wide; so there is a limit to what dense rows may take.

// ReadLIBSVM reads points and their labels, in the order of the file. The points have as many
// coordinates as the largest index in it, and share one array. A file without the last feature
// gives narrower points: see [ReadPoints].
//
// Numbers are finite, decimal or Go's hexadecimal. Lines end with or without a carriage return, the
// last one even without a newline; blank lines, comments after a # and SVMlight's qid:n are
// skipped. A label alone is the point 0. Index 0 may have the number of the row, 1, 2, …, as it has
// in files of a kernel matrix: then MatrixFromRows(xs) is the matrix, for [Precomputed].
//
// Besides the points, reading takes two or three times the text of the file, and 12 bytes for each
// index:value. As dense rows, documents would take far more: if n points of d coordinates have
// nd > 2²⁰ + 32·(bytes of the file), the error is ErrTooSparse: read them as [Sparse].
//
// A mistake in the text is a *ParseError; an error of r, a gzip reader for example, is returned
// wrapped.
func ReadLIBSVM(r io.Reader) (xs [][]float64, labels []float64, err error) {
	return ReadPoints[[]float64](r, 0)
}

// ReadPoints is ReadLIBSVM for points of either type with the given number of features, which a
// file does not tell. A larger index is an error, and dense points have that many coordinates. So
// after
//
//	train, labels, err := ReadLIBSVM(file)
//	test, wanted, err := ReadPoints[[]float64](other, len(train[0]))
//
// the points of both files are equally wide. Features 0 means as many as the largest index.
//
// [Sparse] points, for documents, take 12 bytes for each index:value, however large the indices.
// They have no width in which files would have to agree. Zeros that are written are kept.
func ReadPoints[X []float64 | Sparse](r io.Reader, features int) (xs []X, labels []float64,
	err error) {
	return readRows[X](newFile(r, features), 1, -1)
}

// If the file decides how wide they are, dense rows have at most freeCells + cellsPerByte·(bytes of
// the file) numbers. A line of k non-zeros has at least 4k bytes. So points with more than one
// non-zero in a hundred are below this limit. Documents are above, and better kept sparse.
const freeCells, cellsPerByte = 1 << 20, 32

// readRows reads the lines from the next one to the end of the file: from each the given count of
// numbers, which are a label or coefficients, and a point. There have to be size lines, or any
// number of lines if size is -1.
func readRows[X []float64 | Sparse](f *file, count, size int) ([]X, []float64, error) {
	points, numbers := []Sparse{}, []float64{}
	for f.next() {
		// If there is an error in the line, the first one counts, and the line is the last.
		if len(points) == size {
			f.fail(ErrSyntax, "want the end of the file: total_sv is %d", size)
		}
		for range count {
			numbers = append(numbers, f.number(f.field()))
		}
		points = append(points, f.point(len(points)+1))
	}
	if len(points) < size {
		f.fail(io.ErrUnexpectedEOF, "%d support vectors, total_sv is %d", len(points), size)
	}

	if xs, sparse := any(points).([]X); sparse && f.err == nil {
		return xs, numbers, nil
	}

	// Now the width is known, and dense rows can be made, unless they would be far larger than the
	// file. Then the largest index is to blame.
	n, d := len(points), f.width
	bytes := len(f.text) - 2
	if f.wide > 0 && int64(d) > (freeCells+cellsPerByte*int64(bytes))/int64(max(1, n)) {
		f.at = f.wide
		f.fail(ErrTooSparse, "index %d: %d rows from %d bytes (see ReadPoints)", d, n, bytes)
	}
	if f.err != nil {
		return nil, nil, f.err
	}
	// The rows share one array, so that a row is followed by the next one in memory.
	rows := build(n, NewMatrix(n, d).Row)
	for i, x := range points {
		x.addTo(rows[i], 1, 0)
	}
	return any(rows).([]X), numbers, nil
}

// # Reading models
//
// The lines of the header may come in any order, and the lines that are needed depend on others:
// the kernel has up to three parameters, and the number of classes says how long the line rho must
// be. So the header is first read as a whole, and then visited line by line. The memory stays in
// proportion to the text throughout: no array is made of a length that the file only claims.

// ReadModel reads a two-class model (svm_type c_svc), as svm-train and WriteModel write it. The
// larger label is the positive class, whichever comes first: Predict says +1 for it and −1 for the
// other. The training rows are unknown, so Alpha has an entry for each support vector, in the order
// of the file (those with coefficient 0 are dropped), BLo and BHi equal B, and KKT knows nothing.
// Sigmoids of svm-train -b 1 are for ReadClassifier. Points are as wide as the largest index: for
// wider or sparse ones, take the only model of [ReadClassifier]. Errors are those of ReadLIBSVM,
// ErrUnsupported and io.ErrUnexpectedEOF; a file cut off in its last line may look whole.
func ReadModel(r io.Reader) (*Model[[]float64], error) {
	c, err := ReadClassifier[[]float64](r, 0)
	if err != nil {
		return nil, err
	}
	if k := len(c.Labels); k != 2 {
		return nil, fmt.Errorf("svm: %d classes, want 2: see ReadClassifier: %w", k, ErrUnsupported)
	}
	return c.Models()[0], nil
}

// ReadClassifier reads a model of any number of classes, as ReadModel does one of two, for points
// of either type with the given number of features; 0 means as many as the largest index. A tie of
// votes goes to the smallest label, as in any Classifier (F6); svm-predict gives it to the tied
// label that comes first in the file.
func ReadClassifier[X []float64 | Sparse](r io.Reader, features int) (*Classifier[X, float64],
	error) {
	// An error in the header leaves numbers that mean nothing, but then readRows reads no line and
	// returns the error.
	f := newFile(r, features)
	f.readHeader()
	// Of LIBSVM's machines this package has the classifiers, C-SVC, but no regression.
	if kind := f.seek("svm_type", 1); kind != "c_svc" {
		f.fail(ErrUnsupported, "svm_type %.40q, want c_svc", kind)
	}
	kernel := f.kernel()
	m := int(f.numbers("nr_class", 1)[0]) // 1 where svm-train has met one class

	// For m classes the header has m labels, m counts of support vectors, and m(m−1)/2 rhos. A file
	// that claims to have a thousand million classes is found out here, as it has too few labels,
	// before any memory is taken for them.
	labels := f.numbers("label", m)
	sorted := slices.Compact(slices.Sorted(slices.Values(labels)))
	if len(sorted) < m {
		f.fail(ErrSyntax, "a label twice")
	}
	rho := f.numbers("rho", m*(m-1)/2)
	var a, b []float64 // of the sigmoids, where the file has them
	if _, ok := f.known["probA"]; ok {
		a, b = f.numbers("probA", len(rho)), f.numbers("probB", len(rho))
	}
	size := f.numbers("total_sv", 1)[0]
	count := f.numbers("nr_sv", m)
	if sum := total(count); sum != size {
		f.fail(ErrSyntax, "the counts of nr_sv add up to %v, total_sv is %v", sum, size)
	}

	// Back to the place where the header ended. The lines after SV have m − 1 coefficients and a
	// point each.
	f.at = f.known["SV"]
	xs, coef, err := readRows[X](f, m-1, int(size))
	if err != nil {
		return nil, err
	}

	// The four kernels are kernels of dense vectors; OnSparse makes them kernels of sparse ones.
	k, dense := kernel.(Kernel[X])
	if !dense {
		k = any(OnSparse(kernel)).(Kernel[X])
	}
	return NewClassifier(k, sorted, xs, machinesOf(sorted, labels, rho, a, b, count, coef))
}

// headerKeys are the first fields of the lines of a header. After a key with -1 there may be words
// or any numbers, after other keys whole numbers, none below the value given here.
var headerKeys = map[string]float64{
	"svm_type": -1, "kernel_type": -1, "degree": 0, "gamma": -1, "coef0": -1,
	"nr_class": 1, "total_sv": 0, "rho": -1, "label": -1, "nr_sv": 0,
	"probA": -1, "probB": -1, "prob_density_marks": -1, // of svm-train -b 1
}

// readHeader finds the lines up to SV, which may come in any order. Only then is it known which of
// the lines matter, and how many numbers each must have.
func (f *file) readHeader() {
	for f.next() && f.field() != "SV" {
		key := f.field()
		if _, known := headerKeys[key]; !known || f.known[key] > 0 {
			f.fail(ErrSyntax, "%.40q, twice or unknown, in the header of a model", key)
		}
		// Of this line the place of the first field after the key is kept, of SV that of SV itself.
		f.at += len(key)
		f.field()
		f.known[key] = f.at
	}
	if f.known["SV"] = f.at; f.field() != "SV" {
		f.fail(io.ErrUnexpectedEOF, "model without a line SV")
	}
}

// seek goes back to the line of key in the header, which must have n fields after the key, and
// returns the first of these fields. Errors from here on have the place of this field.
func (f *file) seek(key string, n int) string {
	f.at = f.known[key] // 0, where no field is, if there is no such line
	if fields := len(strings.Fields(f.rest())); fields != n {
		f.at = cmp.Or(f.at, f.known["SV"]) // what is missing is missing before the line SV
		f.fail(ErrSyntax, "header with %d values of %s, want %d", fields, key, n)
	}
	return f.field()
}

// numbers returns the n numbers on the line of key, and leaves the first of them as the place of
// errors. If the file has an error by then, it returns one number that means nothing.
func (f *file) numbers(key string, n int) []float64 {
	if f.seek(key, n); f.err != nil {
		return []float64{0}
	}
	begin, least := f.at, headerKeys[key]
	v := build(n, func(int) float64 { return f.number(f.field()) })
	f.at = begin // to which the errors of callers, too, belong
	for _, x := range v {
		if least >= 0 && (x < least || x > math.MaxInt32 || x != math.Trunc(x)) {
			f.fail(ErrSyntax, "%s %v: want integers from %v to 2³¹ − 1", key, x, least)
		}
	}
	return v
}

// kernel returns the kernel of the header. Its parameters mean the same here and in LIBSVM:
// gamma multiplies x·z or ‖x − z‖², coef0 is added, and degree is the power.
func (f *file) kernel() DotKernel {
	kind := f.seek("kernel_type", 1)
	number := func(key string) float64 {
		v := f.numbers(key, 1)[0]
		// In a Kernel a zero means a default: Gamma 1, Degree 3. In the file it means zero.
		if v == 0 && key != "coef0" || v < 0 && kind == "rbf" {
			f.fail(ErrUnsupported, "%s %v", key, v)
		}
		return v
	}
	// Each kind has its own parameters, and other parameters in the file do not matter.
	switch kind {
	case "linear":
		return Linear{}
	case "polynomial":
		return Polynomial{int(number("degree")), number("gamma"), number("coef0")}
	case "rbf":
		return RBF{number("gamma")}
	case "sigmoid":
		return Sigmoid{number("gamma"), number("coef0")}
	}
	f.fail(ErrUnsupported, "kernel_type %.40q, want linear, polynomial, rbf or sigmoid", kind)
	return nil
}

// machinesOf returns the machines of a file that has these labels; sorted has them in ascending
// order. It takes no longer than to read the file: each coefficient is met once.
func machinesOf(sorted, labels, rho, a, b, count, coef []float64) []Machine {
	m := len(labels)
	rank := make([]int, m)    // the class here of the file's class i
	start := make([]int, m+1) // which has the support vectors start[i], …, start[i+1]−1
	for i, l := range labels {
		rank[i], _ = slices.BinarySearch(sorted, l)
		start[i+1] = start[i] + int(count[i])
	}
	machines := untrained(m, upTo[int](m)) // of the file's classes i and j, so far
	for pair := range machines {
		// The file's f is positive for class i, ours for the larger label (M3).
		t := &machines[pair]
		i, j := t.Neg, t.Pos
		t.Neg, t.Pos = min(rank[i], rank[j]), max(rank[i], rank[j])
		sign := float64(cmp.Compare(rank[i], rank[j]))
		t.B = 0 - sign*rho[pair] // -sign*rho could be −0
		if a != nil {            // the file has the probability of class i, at fᵢⱼ
			t.Platt = &Platt{a[pair], sign * b[pair]}
		}
		// The two classes, and where in the line of a vector its coefficient stands (M2).
		for _, side := range [][2]int{{i, j - 1}, {j, i}} {
			for v := start[side[0]]; v < start[side[0]+1]; v++ {
				if c := coef[v*(m-1)+side[1]]; c != 0 {
					t.At, t.Coef = append(t.At, v), append(t.Coef, sign*c) // αy
				}
			}
		}
	}
	slices.SortFunc(machines, func(s, t Machine) int { return cmp.Or(s.Neg-t.Neg, s.Pos-t.Pos) })
	return machines
}

// # Writing
//
// The readers above read again what is written here, to the last bit but for −0: numbers have the
// shortest decimals that round to the same float64. All that can be wrong with points or models is
// found before the first byte is written, so that a file is whole unless its writer fails.

// WriteLIBSVM writes points and labels so that ReadLIBSVM, svm-train and svm-predict read them.
// Zeros are left out, so −0 comes back as 0; but the first line has the last coordinate of a dense
// point, zero or not, to keep the number of coordinates. Points that differ in length and numbers
// that are not finite are errors, found before anything is written. (svm-train refuses values that
// are not 0 but nearer to 0 than 2⁻¹⁰²²; ReadLIBSVM does not.) Dense points with few non-zeros may
// make a file that ReadLIBSVM calls too sparse: ReadPoints reads it, as [Sparse] points or with the
// number of features.
func WriteLIBSVM(w io.Writer, xs [][]float64, labels []float64) error {
	return WritePoints(w, xs, labels)
}

// WritePoints is WriteLIBSVM for points of either type. Files have indices up to 2³¹ − 1, from 1: a
// larger one of a [Sparse] point is written, and not read.
func WritePoints[X []float64 | Sparse](w io.Writer, xs []X, labels []float64) error {
	return writeRows(w, "", "label", labels, 1, xs)
}

// writeRows writes the header, and for each point a line: the point's share of the numbers, which
// are labels or coefficients, as kind says, and its entries. It checks everything first.
func writeRows[X []float64 | Sparse](w io.Writer, header, kind string, numbers []float64, share int,
	xs []X) error {
	// Only labels may be more or fewer: one for each point.
	err := cmp.Or(unless(len(numbers) == share*len(xs), "svm: %d points and %d %ss",
		len(xs), len(numbers), kind), allFinite(kind, numbers), checkPoints(xs))
	if err != nil {
		return err
	}
	// Dense points that all end with a zero would lose it, and with it a coordinate: so the first
	// line shows their width. Sparse points have no width.
	rows, _ := vectors(xs)
	_, dense := any(xs).([][]float64)

	// From here on the only errors are those of w. The writer b keeps the first one for Flush.
	b := bufio.NewWriter(w)
	b.WriteString(header)
	for i, x := range rows {
		// The shortest decimals that read the same, with a space before each but the first.
		var line []byte
		for _, v := range numbers[i*share : (i+1)*share] {
			line = strconv.AppendFloat(append(line, ' '), v, 'g', -1, 64)
		}
		for k, v := range x.Value {
			if v != 0 || dense && i == 0 && k == len(x.Value)-1 {
				line = strconv.AppendInt(append(line, ' '), int64(x.Index[k])+1, 10)
				line = strconv.AppendFloat(append(line, ':'), v, 'g', -1, 64)
			}
		}
		b.Write(append(line[1:], '\n'))
	}
	return b.Flush()
}

// WriteModel writes m in LIBSVM's format, so that svm-predict says what m.Predict says. Its kernel
// must be Linear, Polynomial, RBF or Sigmoid, or one of them [OnSparse]: LIBSVM has no others.
// Class −1 comes first, because svm-predict gives f = 0 to the second class; so the coefficients in
// the file are −αy, and rho = b (M3). Where m finds f = 0, a program that adds in another order may
// not. Alpha, KKT and the interval of b are not written. A model without Alpha, as [Regress]
// returns it, is refused; this and all other mistakes in m are found before anything is written.
// For the linear kernel and points far from the origin svm-predict has the rounding that Verify
// reports, because it adds kernel values; a model read by ReadModel does not.
func WriteModel[X []float64 | Sparse](w io.Writer, m *Model[X]) error {
	if m.Alpha == nil {
		return fmt.Errorf("svm: model without Alpha, so no classifier: %w", ErrUnsupported)
	}
	if len(m.Points) != len(m.Coef) {
		return fmt.Errorf("svm: model of %d points and %d coefficients", len(m.Points), len(m.Coef))
	}
	// A model is the classifier of the labels −1 and +1 with a single machine.
	c := &Classifier[X, float64]{Labels: []float64{-1, 1}, kernel: m.Kernel, Points: m.Points}
	c.Machines = []Machine{{Neg: 0, Pos: 1, At: upTo[int](len(m.Coef)), Coef: m.Coef, B: m.B}}
	return WriteClassifier(w, c)
}

// WriteClassifier writes a one-vs-one classifier in LIBSVM's format, so that svm-predict says what
// c.Predict says, in ties of votes, too, unless rounding decides. Labels must be integers of size
// below 2³¹, the kernel one of WriteModel's. Sigmoids are written if all machines have one.
func WriteClassifier[X []float64 | Sparse](w io.Writer, c *Classifier[X, float64]) error {
	// The labels of points may be any numbers, but svm-predict reads those of a model as int.
	odd := slices.IndexFunc(c.Labels, func(l float64) bool {
		return l != math.Trunc(l) || math.Abs(l) > math.MaxInt32
	})
	kernel, err := kernelLines(c.kernel)
	const says = "svm: the label of class %d: LIBSVM's models have integers: %w"
	if err = cmp.Or(err, unless(odd < 0, says, odd, ErrUnsupported)); err != nil {
		return err
	}

	// The machines of c are in the order of rho: (0, 1), (0, 2), …, (1, 2), …. The sign of αy tells
	// the class of a support vector. Row v of coef gets −αy at the place that (M2) gives it.
	m := len(c.Labels)
	class := slices.Repeat([]int{-1}, len(c.Points)) // -1: not a support vector, so far
	coef := NewMatrix(len(c.Points), m-1)
	var rho, probA, probB []float64
	for _, t := range c.Machines {
		if t.Neg < 0 {
			return fmt.Errorf("svm: LIBSVM has no one-vs-rest classifier: %w", ErrUnsupported)
		}
		rho = append(rho, t.B)
		if t.Platt != nil { // of the smaller label, at −f
			probA, probB = append(probA, t.Platt.A), append(probB, -t.Platt.B)
		}
		for k, v := range t.At {
			a, own, place := t.Coef[k], t.Neg, t.Pos-1
			if a == 0 {
				continue // no part in f, and no class
			}
			if a > 0 {
				own, place = t.Pos, t.Neg
			}
			// Training never gives a vector the sign of another class; a model by hand may.
			if class[v] >= 0 && class[v] != own {
				return fmt.Errorf("svm: support vector %d is of two classes: %w", v, ErrUnsupported)
			}
			class[v] = own
			coef.Set(v, place, -a)
		}
	}

	// The support vectors come class by class, and those of a class in the order of c.Points.
	// Then nr_sv is enough to tell the class of each.
	order := slices.DeleteFunc(upTo[int](len(class)), func(v int) bool { return class[v] < 0 })
	slices.SortStableFunc(order, func(v, u int) int { return class[v] - class[u] })
	count, numbers := make([]int, m), []float64{} // nr_sv; the rows of coef, in this order
	for _, v := range order {
		count[class[v]]++
		numbers = append(numbers, coef.Row(v)...)
	}
	err = allFinite("bias, or coefficient of a sigmoid,", slices.Concat(rho, probA, probB))
	if err != nil {
		return err
	}
	header := fmt.Sprintf("svm_type c_svc\n%s\nnr_class %d\ntotal_sv %d\nrho %v\nlabel %.0f\n"+
		"nr_sv %d\n", kernel, m, len(order), rho, c.Labels, count)
	if len(probA) > 0 && len(probA) == len(rho) {
		header += fmt.Sprintf("probA %v\nprobB %v\n", probA, probB)
	}
	header = strings.NewReplacer("[", "", "]", "").Replace(header) // Go prints slices in brackets
	return writeRows(w, header+"SV\n", "coefficient", numbers, m-1, pick(c.Points, order))
}

// kernelLines returns the header lines of a kernel, with its defaults spelled out. LIBSVM has the
// kernel if these lines can be read.
func kernelLines[X any](kernel Kernel[X]) (string, error) {
	lines := "kernel_type "
	switch k := dotKernel(kernel).(type) {
	case Linear:
		lines += "linear"
	case Polynomial:
		lines += fmt.Sprintf("polynomial\ndegree %d\n", cmp.Or(k.Degree, 3))
		lines += fmt.Sprintf("gamma %v\ncoef0 %v", cmp.Or(k.Gamma, 1), k.Coef)
	case RBF:
		lines += fmt.Sprintf("rbf\ngamma %v", cmp.Or(k.Gamma, 1))
	case Sigmoid:
		lines += fmt.Sprintf("sigmoid\ngamma %v\ncoef0 %v", cmp.Or(k.Gamma, 1), k.Coef)
	}
	// The reader knows what is allowed: for one thing, that RBF has no negative gamma. A kernel
	// that is none of the four has a line without a word, which the reader refuses, too.
	f := newFile(strings.NewReader(lines+"\nSV\n"), 0)
	f.readHeader()
	f.kernel()
	return lines, unless(f.err == nil, "svm: LIBSVM has no kernel %T: %w: %w",
		kernel, ErrUnsupported, errors.Unwrap(f.err))
}

// # Exercises
//
// The solutions are tests, TestExercises in svm_test.go. Don't peek.
//
//  1. Can we replace the 1 of yᵢ(w·xᵢ + b) ≥ 1 by some other number (Harmeling)? Try 2, then −1, in
//     the field B of a PrimalQP.
//  2. Can you spot the difference between the duals of the hard and the soft margin (Harmeling)?
//     For which C is there none in ExampleTrain_hardMargin?
//  3. Why is b kept out of ‖w‖² (CSCI 567 §1.7)? Move all points by the same vector. What happens
//     to w and b? And to those of [Pegasos], which has b in its norm?
