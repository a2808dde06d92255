// Copyright 2026 The svm authors. All rights reserved.
// Use of this source code is governed by the MIT
// license that can be found in the LICENSE file.

// Stochastic subgradients: the support vector machine, one point at a time.
//
// The problem. Add ½b² to the soft margin's objective (see The bias), and divide by Cn. With C =
// 1/(2λn) this gives (A8)
//
//	minimize  F(W) = λ‖W‖² + (1/n) Σᵢ max(0, 1 − yᵢ⟨W, zᵢ⟩),  zᵢ = (xᵢ, 1),  W = (w, b).
//
// *One* exact subgradient costs a pass over the data. The subgradient for one point drawn at random
// costs n times less, and is right on average. F is strongly convex, so the steps may shrink like
// 1/t, and then F − min F falls like 1/T on average (7), whatever n is. That is all of Pegasos; the
// rest is its proof, and how a step costs one point's non-zeros.
//
// Part I is what lectures teach: the descent (E3), its average (E5), the proof (E6, E7), kernels
// (E4), the perceptron (F3) and several classes (F4, F5). Part II has a bias outside of the norm,
// the two ways to keep θ, and the checks of what users pass.
//
//	symbol   meaning                                       Go
//	λ, T     weight of ‖W‖², number of steps               SGD.Lambda, SGD.Steps
//	T₀       how many iterates the average leaves out      SGD.Burn
//	[P]      in a formula: 1 if P holds, else 0; [·] is the bracket of (1)
//	θ_t      sum of the yᵢzᵢ added before step t           linear.theta
//	⟨θ, zᵢ⟩  all that a kernel lets us see of θ             kernelized.value
//	W_t      θ_t/(2λt), the iterate                        never formed
//	βᵢ       yᵢ times how often yᵢzᵢ was added             never formed
//	H_t      1 + 1/2 + … + 1/t                             SGD.rest has H_T − H_t
//	αᵢ       the perceptron's mistakes at point i          alpha
//	R        the largest ‖zᵢ‖                              radius2 is R²
//	p, e_y   class probabilities, unit vector of class y   Softmax.Probabilities
//
// What can go wrong. The first iterates are huge (W₂ = ±z/4λ), so E3's average means little before
// T is many times 1/λ: set Burn. After that, ten times more steps bring one more digit. So Pegasos
// is for rough answers from much data; else use Train.
//
// References. Shalev-Shwartz, Singer, Srebro and Cotter, Pegasos (2011), is the algorithm.
// Shalev-Shwartz and Ben-David, Understanding Machine Learning (2014), has E3 and E4, with λ/2 for
// λ, in chapters 15 and 16, but proves E6 for θ_t/(2λ(t−1)); the proof here is for the algorithm as
// it is run. Rakhlin, Shamir and Sridharan, Making gradient descent optimal for strongly convex
// stochastic optimization (2012), has averages like (7). Novikoff (1962) has F3.

package svm

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// Part I. One point at a time
//
// # The descent
//
// E3. In step t draw a point i uniformly, independently of all other draws. The mean over i of the
// functions Fᵢ(W) = λ‖W‖² + max(0, 1 − yᵢ⟨W, zᵢ⟩) is F. At W_t, Fᵢ has the subgradient
//
//	g_t = 2λW_t − [yᵢ⟨W_t, zᵢ⟩ < 1] yᵢzᵢ.                                     (1)  [A11]
//
// Take the step W_{t+1} = W_t − g_t/(2λ(t+1)), and multiply it by 2λ(t+1):
//
//	2λ(t+1) W_{t+1} = 2λ(t+1) W_t − 2λW_t + [·] yᵢzᵢ = 2λt W_t + [·] yᵢzᵢ.    (2)
//
// So θ_t = 2λt W_t changes only by additions: θ₁ = 0 and θ_{t+1} = θ_t + [·] yᵢzᵢ. What shrinks W
// is now the division by 2λt, and the test needs no division [multiply yᵢ⟨W_t, zᵢ⟩ < 1 by 2λt > 0]:
//
//	add yᵢzᵢ to θ  where  yᵢ⟨θ, zᵢ⟩ < 2λt.                                    (3)
//
// E5. The average of the iterates is a sum over points, too. An addition at step s is part of θ_t
// for t > s:
//
//	(1/T) Σ_t W_t = (1/T) Σ_t (1/(2λt)) Σ_{s<t} [added at s] yz               [W_t = θ_t/(2λt)]
//	              = Σ_s [added at s] yz Σ_{t=s+1}^T 1/(2λtT)                  [exchange the sums]
//	              = Σ_s [added at s] yz (H_T − H_s)/(2λT)                     [definition of H]
//	              = Σᵢ cᵢ yᵢzᵢ,  cᵢ = Σ_{s: i added at s} (H_T − H_s)/(2λT)   [by point]   (4)
//
// So the average takes one number cᵢ per point, which changes only when the point is added, and one
// pass at the end. An average that leaves out W_1 … W_T₀ is better, see (7). In (4) the sum over t
// then begins at T₀ + 1 [so does that of H], and T − T₀ replaces the factor T.

// A Hyperplane is the set of points x with W·x + B = 0 (A1).
type Hyperplane struct {
	W []float64
	B float64
}

// SGD has the options of a descent on λ‖(w, b)‖² + (1/n) Σ loss with steps 1/(2λ(t+1)). The zero
// value is ready to use.
type SGD struct {
	// Lambda is λ; 0 means 1/(2n), the soft margin with C = 1.
	Lambda float64

	// Steps is T; 0 means max(10000, 300n), and 1000 for BatchSubgradient, whose steps cost n times
	// more.
	Steps int

	// Burn is T₀: W_1 … W_T₀ are left out of the average (7); with 0 it is E3's. Half of Steps is
	// good.
	Burn int

	Rand     *rand.Rand // makes the draws, one IntN(n) per step; nil means one with a fixed seed
	FreeBias bool       // leave b out of the norm, at the price of (8): 1/√T in place of 1/T
}

// Pegasos minimizes λ‖(w, b)‖² + (1/n) Σ max(0, 1 − yᵢ(w·xᵢ + b)) by o.Steps stochastic subgradient
// steps, and returns the average of the iterates W_1 … W_T (E3), or of those after the first
// o.Burn. With o.FreeBias, b is not in the norm.
//
// A step costs the non-zeros of one point; memory is O(all non-zeros). The data are read a few
// times besides.
func Pegasos(xs [][]float64, ys []float64, o SGD) (Hyperplane, error) {
	return descend(xs, ys, o, false)
}

// PegasosSparse is [Pegasos] on sparse points: the same run, and the same plane h, as wide as the
// largest index requires. The decision at x is x.DotDense(h.W) + h.B. More than 2²⁴ coordinates,
// plus 64 for every non-zero, are an error.
func PegasosSparse(xs []Sparse, ys []float64, o SGD) (Hyperplane, error) {
	if d, ok := width(xs); !ok {
		return Hyperplane{}, fmt.Errorf(
			"svm: a plane of %d coordinates is too wide for these points", d)
	}
	return descend(xs, ys, o, false)
}

// descend makes a run with θ as a vector, and returns the average of its iterates.
func descend[X []float64 | Sparse](xs []X, ys []float64, o SGD, batch bool) (Hyperplane, error) {
	o, err := o.filled(len(xs))
	if err = cmp.Or(checkLabelled(xs, ys), err); err != nil {
		return Hyperplane{}, err
	}
	// With a free bias, θ keeps the scale of run: kθ, where k is the number of points in a step.
	s := newLinear(xs, ys)
	if o.FreeBias {
		s.free, s.unit, s.share = o.offset(), 2*o.Lambda, 1
		if batch {
			s.unit, s.share = s.unit*float64(len(xs)), 1/float64(len(xs))
		}
	}
	c, err := o.run(s, len(xs), batch)
	if err != nil {
		return Hyperplane{}, err
	}
	return s.plane(c)
}

// A theta is the sum θ of the yᵢzᵢ added so far. Part II has one that keeps a vector, and one that
// keeps the values ⟨θ, zᵢ⟩.
type theta interface {
	margin(i int, t float64) float64 // yᵢ⟨θ, zᵢ⟩, in step t
	add(i int, t float64)            // θ += yᵢzᵢ, in step t
}

// run makes a run on n points, and returns the c of (4). Every step takes the subgradient of one
// point drawn at random (E3) or, in a batch, the mean subgradient of all k = n points (E7). A point
// then counts 1/k, so s holds kθ.
func (o SGD) run(s theta, n int, batch bool) ([]float64, error) {
	// Room for the points of a step, and for those among them that are to be added.
	points, c, rest := upTo[int](n), make([]float64, n), o.rest()
	if !batch {
		points = points[:1]
	}
	unit, active := 2*o.Lambda*float64(len(points)), make([]int, 0, len(points))
	for step := range o.Steps {
		t, later := float64(step+1), rest(step)
		if !batch {
			points[0] = o.Rand.IntN(n)
		}
		// All tests (3) come before the first addition: they are about the same θ.
		active = active[:0]
		for _, i := range points {
			margin := s.margin(i, t)
			if !finite(margin) {
				return nil, badDecision(i, margin)
			}
			if margin < unit*t {
				active = append(active, i)
			}
		}
		// The additions, and their weights (4) in the average, but for the common factor.
		for _, i := range active {
			s.add(i, t)
			c[i] += later
		}
	}
	divide(c, unit*float64(o.Steps-o.Burn))
	return c, nil
}

// rest returns a function that, called once in every step t = step + 1, in order, returns H_T −
// H_t, or H_T − H_T₀ while t ≤ T₀. In the last step it returns 0 exactly.
func (o SGD) rest() func(step int) float64 {
	// H_T − H_T₀, from which the steps t > T₀ take 1/t each.
	h := 0.0
	for step := o.Burn; step < o.Steps; step++ {
		h += 1 / float64(step+1)
	}
	return func(step int) float64 {
		if step == o.Steps-1 {
			h = 0 // rounding has left something else
		} else if step >= o.Burn {
			h -= 1 / float64(step+1)
		}
		return h
	}
}

// # How good the average is
//
// E6. Let μ = 2λ: then every Fᵢ is μ-strongly convex [Fᵢ − (μ/2)‖W‖² is convex], and so is F. Let G
// ≥ ‖g_t‖ for all t, and D_t = ‖W_t − U‖², where U is any point. Then
//
//	Fᵢ(W_t) − Fᵢ(U) ≤ ⟨g_t, W_t − U⟩ − (μ/2) D_t                     [strong convexity]
//	⟨g_t, W_t − U⟩ = (μ(t+1)/2)(D_t − D_{t+1}) + ‖g_t‖²/(2μ(t+1))    [expand ‖W_{t+1} − U‖²]
//	Σ_t (Fᵢ(W_t) − Fᵢ(U)) ≤ (μ/2)(D₁ − (T+1) D_{T+1}) + (G²/2μ)(H_{T+1} − 1)           (5)
//
// where the last line adds up the other two: t D_t telescopes. This holds for every run, i being
// the draw in step t. Put the optimum W* for U, divide by T, take expectations [W_t does not depend
// on the draw in step t, so the mean of Fᵢ(W_t) is F(W_t)], and use Jensen's inequality on the
// left:
//
//	E[F(average)] − F(W*) ≤ G²(1 + ln T)/(2μT) = R²(1 + ln T)/(λT)                     (6)
//
// Three facts make it so simple. First, ‖W_t‖ ≤ (t−1)R/(μt), as θ_t has at most t−1 terms; so ‖g_t‖
// ≤ μ‖W_t‖ + R < 2R, and G = 2R will do. Second, 0 is a subgradient at W*, so μ‖W*‖ ≤ R and (μ/2)D₁
// ≤ R²/2μ = (G²/2μ)/4. Third, H_{T+1} − 1 + ¼ ≤ ln(T+1) + ¼ ≤ 1 + ln T.
//
// The logarithm is the price of bad iterates in the average. The mean g of g_t over the draw is a
// subgradient of F, so ⟨g, W_t − W*⟩ ≥ μD_t [strong convexity at W_t, and at W*]. With the line
// before (5) this gives E D_t ≤ G²/(μ²t), by induction: it is true for D₁ [(μ‖W*‖)² ≤ R² ≤ G²], and
//
//	E D_{t+1} ≤ (1 − 2/(t+1)) G²/(μ²t) + G²/(μ²(t+1)²) ≤ G²/(μ²(t+1))    [(t−1)/t + 1/(t+1) ≤ 1]
//
// Now add the lines before (5) over T₀ < t ≤ T only. Then (μ/2)(T₀+1) D_{T₀+1}, on average at most
// G²/2μ, takes the place of (μ/2)D₁, and H_{T+1} − H_{T₀+1} ≤ ln(T/T₀) that of H_{T+1} − 1. So for
// the average of W_{T₀+1} … W_T (6) becomes
//
//	R²(1 + ln(T/T₀))/(λ(T − T₀)),  for T₀ = T/2:  2R²(1 + ln 2)/(λT)                   (7)
//
// The best T₀, 0.32T, would make this 7 % less. This average is not E3's, but as accurate in far
// fewer steps.
//
// E7. If every step takes the mean of all n subgradients, F itself takes the place of Fᵢ, and (6)
// needs no expectation.

// Bound returns R²(1 + ln T)/(λT), with R² the largest ‖x‖² + 1, and λ and T = o.Steps as Pegasos
// takes them. On average over the draws, the Objective of what Pegasos returns exceeds the optimum
// by at most that (E6). With Burn T₀ it is R²(1 + ln(T/T₀))/(λ(T − T₀)); with o.FreeBias, or if T ≤
// T₀, it is +Inf.
func (o SGD) Bound(xs [][]float64) float64 {
	// (7), which for T₀ = 0 is (6), but for ln T₀.
	n, t, burn := len(xs), float64(o.steps(len(xs))), float64(o.Burn)
	if o.FreeBias || t <= burn {
		return math.Inf(1)
	}
	return radius2(xs) * (1 + math.Log(t/max(1, burn))) / (o.lambda(n) * (t - burn))
}

// radius2 returns R², the largest ‖(x, 1)‖².
func radius2(xs [][]float64) (r float64) {
	for _, x := range xs {
		r = max(r, norm2(x)+1)
	}
	return r
}

// Objective returns what Pegasos minimizes, λ‖(w, b)‖² + (1/n) Σ max(0, 1 − yᵢ(w·xᵢ + b)), without
// b in the norm if o.FreeBias is set. It panics if h and the points differ in dimension, or the
// points and labels in number.
func (o SGD) Objective(h Hyperplane, xs [][]float64, ys []float64) float64 {
	match(len(xs), len(ys))
	norm, loss := norm2(h.W), 0.0
	if !o.FreeBias {
		norm += h.B * h.B
	}
	// The hinge is 0 where the point is on the right side of its margin.
	for i, x := range xs {
		loss += max(0, 1-ys[i]*(Dot(h.W, x)+h.B))
	}
	return o.lambda(len(xs))*norm + loss/float64(len(xs))
}

// BatchSubgradient minimizes what Pegasos does, with the subgradient of all points in every step
// (E7), and returns the average of the iterates. Nothing is random, so [SGD.Bound] holds without an
// expectation (set o.Steps: for Bound, 0 means Pegasos's default). A step costs all non-zeros of
// xs.
func BatchSubgradient(xs [][]float64, ys []float64, o SGD) (Hyperplane, error) {
	o.Steps = cmp.Or(o.Steps, 1000)
	return descend(xs, ys, o, true)
}

// # Kernels
//
// E4. θ_t = Σⱼ βⱼzⱼ [every addition is a point], so (3) needs only inner products: yᵢ Σⱼ βⱼ⟨zⱼ, zᵢ⟩
// < 2λt. With k(xⱼ, xᵢ) for ⟨zⱼ, zᵢ⟩ it is the same run, draw by draw, in the feature space of k,
// where W_t has the coordinates βⱼ/(2λt). All n values ⟨θ, zᵢ⟩ are kept, so only an addition costs
// anything: one row of the Gram matrix. The constant feature is now part of the kernel [⟨(x, 1),
// (z, 1)⟩ = x·z + 1]: if k(x, z) = ⟨φ(x), φ(z)⟩, KernelPegasos with k + 1 is Pegasos on φ(x), and
// the bias is the sum of its coefficients; with k alone there is no bias.

// KernelPegasos minimizes λ‖f‖² + (1/n) Σ max(0, 1 − yᵢf(xᵢ)) over the functions f of the kernel's
// RKHS, by the run of Pegasos in coordinates (E4), and returns the average iterate. f has no bias,
// so o.FreeBias is an error. With a constant added to the kernel, f has a regularized bias, as on
// explicit features: Sum(k, KernelFunc[X](func(X, X) float64 { return 1 })).
//
// A step that adds a point costs a row of the Gram matrix, n kernel evaluations; any other step
// costs next to nothing. The first rows, up to 64 MB of them, are kept for reuse; memory is
// otherwise O(n) besides the points.
func KernelPegasos[X any](xs []X, ys []float64, k Kernel[X], o SGD) (Func[X], error) {
	if o.FreeBias {
		return Func[X]{}, errors.New("svm: FreeBias: a function of the kernel's space has no bias")
	}
	o, err := o.filled(len(xs))
	if err = cmp.Or(checkKernelled(xs, ys, k), err); err != nil {
		return Func[X]{}, err
	}
	// The same run as that of Pegasos. Only θ is kept in another way.
	c, err := o.run(newKernelized(xs, ys, k), len(xs), false)
	if err != nil {
		return Func[X]{}, err
	}
	return expansion(xs, ys, k, c)
}

// expansion returns Σᵢ cᵢyᵢ k(xᵢ, ·), over the points with cᵢ ≠ 0.
func expansion[X any](xs []X, ys []float64, k Kernel[X], c []float64) (Func[X], error) {
	if err := allFinite("the coefficient of point", c); err != nil {
		return Func[X]{}, err
	}
	// A point that was never added costs nothing when f is evaluated.
	at := support(c)
	return Func[X]{k, pick(xs, at), pick(times(c, ys), at)}, nil
}

// support returns the indices of the entries that are not zero.
func support(c []float64) []int {
	at := make([]int, 0, len(c))
	for i, ci := range c {
		if ci != 0 {
			at = append(at, i)
		}
	}
	return at
}

// # The perceptron
//
// With 0 in place of 2λt, with ≤ for <, and with the points taken in order, (3) is the perceptron.
//
// F3. Novikoff: if some unit vector V has yᵢ⟨V, zᵢ⟩ ≥ γ > 0 for all i, the perceptron makes M ≤
// (R/γ)² mistakes:
//
//	Mγ ≤ ⟨θ, V⟩         [each mistake adds at least γ to ⟨θ, V⟩]
//	‖θ‖² ≤ MR²          [each adds 2y⟨θ, z⟩ + ‖z‖² to ‖θ‖², and the first term is ≤ 0]
//	Mγ ≤ ‖θ‖ ≤ √M R     [Cauchy and Schwarz], so √M ≤ R/γ                              (9)

// Perceptron looks for a separating plane: it visits the points in order and adds yᵢ(xᵢ, 1) to (w,
// b) at every mistake, yᵢ(w·xᵢ + b) ≤ 0 (F3). It returns the plane and the number αᵢ of mistakes at
// each point: (w, b) = Σ αᵢyᵢ(xᵢ, 1).
//
// It stops after n points in a row without a mistake. On separable data it makes at most
// [NovikoffBound] mistakes. An epoch is a pass through the data; it costs the non-zeros of xs. 0
// epochs means 1000. If they run out first, the plane that was right for most points in a row (W =
// 0 if none was) is returned, with the mistakes that led to it and an error that wraps
// [ErrNotConverged].
func Perceptron(xs [][]float64, ys []float64, epochs int) (
	h Hyperplane, alpha []float64, err error) {
	if err := checkLabelled(xs, ys); err != nil {
		return Hyperplane{}, nil, err
	}
	// A run that ends too early has a plane nevertheless, and an error. Only a run that overflows
	// has none.
	s := newLinear(xs, ys)
	alpha, err = perceive(s, len(xs), epochs)
	if alpha == nil {
		return Hyperplane{}, nil, err
	}
	h, overflow := s.plane(alpha) // with α for the c of (4)
	return h, alpha, cmp.Or(overflow, err)
}

// KernelPerceptron is [Perceptron] in coordinates: f = Σ αᵢyᵢk(xᵢ, ·). With the kernel x·z + 1 the
// run is the same; with a kernel without a constant part f has no bias. A mistake costs what an
// addition costs in [KernelPegasos].
func KernelPerceptron[X any](xs []X, ys []float64, k Kernel[X], epochs int) (
	f Func[X], alpha []float64, err error) {
	if err := checkKernelled(xs, ys, k); err != nil {
		return Func[X]{}, nil, err
	}
	alpha, err = perceive(newKernelized(xs, ys, k), len(xs), epochs)
	if alpha == nil {
		return Func[X]{}, nil, err
	}
	f, overflow := expansion(xs, ys, k, alpha)
	return f, alpha, cmp.Or(overflow, err)
}

// perceive returns the αᵢ of the first θ without a mistake at n points in a row, or else of that
// with the longest run.
func perceive(s theta, n, epochs int) ([]float64, error) {
	if err := checkSize("epochs", epochs); err != nil {
		return nil, err
	}
	epochs = cmp.Or(epochs, 1000)
	alpha, best := make([]float64, n), make([]float64, n)
	// αᵢ counts additions of yᵢzᵢ: θ = Σ αᵢyᵢzᵢ at any time, and best has the α of an older θ.
	right, longest := 0, 0 // runs without a mistake, in points: of the present θ and of best
	for visit := 0; right < n; visit++ {
		// The present θ may be the best so far. It is compared where its run ends: at its first
		// mistake, or here.
		if visit/n == epochs {
			if right > longest {
				best = alpha
			}
			return best, fmt.Errorf("svm: the perceptron still errs after %d epochs: %w",
				epochs, ErrNotConverged)
		}

		// A margin of 0 is a mistake, too: so the first visit makes one, where θ = 0.
		i := visit % n
		margin := s.margin(i, 0)
		if !finite(margin) {
			return nil, badDecision(i, margin)
		}
		if margin > 0 {
			right++
			continue
		}
		// A mistake ends the run of this θ, and begins that of the next.
		if right > longest {
			longest = right
			copy(best, alpha)
		}
		right = 0
		s.add(i, 0)
		alpha[i]++
	}
	return alpha, nil
}

// NovikoffBound returns (R/γ)², where R = max ‖(x, 1)‖ and γ = min yᵢ(w·xᵢ + b)/‖(w, b)‖ (F3): no
// perceptron makes more mistakes, whichever separating plane h is. It is +Inf if h does not
// separate or R² overflows. It panics if h and the points differ in dimension, or the points and
// labels in number.
func NovikoffBound(h Hyperplane, xs [][]float64, ys []float64) float64 {
	match(len(xs), len(ys))
	w, gamma := slices.Concat(h.W, []float64{h.B}), math.Inf(1)
	divide(w, norm(w)) // the V of F3
	for i, x := range xs {
		gamma = min(gamma, ys[i]*(Dot(w[:len(h.W)], x)+w[len(h.W)]))
	}
	// NaN is not positive either.
	if !(gamma > 0) {
		return math.Inf(1)
	}
	return radius2(xs) / gamma / gamma
}

// # Several classes
//
// F4. Class k has a vector w_k and the score s_k = ⟨w_k, z⟩; the highest wins: of two, the first if
// ⟨w₁ − w₂, z⟩ ≥ 0.
//
// F5. With p_k = e^{s_k}/Σⱼ e^{sⱼ} the loss of a point of class y is
//
//	−ln p_y = ln Σⱼ e^{sⱼ} − s_y = ln(1 + Σ_{k≠y} e^{s_k − s_y})
//	∂/∂s_k = p_k − [k = y]                  [differentiate the first form]
//	gradient in the w_k: (p − e_y)zᵀ        [s_k = ⟨w_k, z⟩]
//
// Its steps are (2) with (e_y − p)zᵀ for [·] yᵢzᵢ.

// A Softmax is a linear model of several classes 0, 1, …: class k has the score w_k·x + b_k, where
// w_k is row k of W.
type Softmax struct {
	W *Matrix
	B []float64
}

// Scores returns w_k·x + b_k for every k.
func (m Softmax) Scores(x []float64) []float64 {
	s := make([]float64, len(m.B))
	m.W.MulVec(s, x)
	axpy(s, 1, m.B)
	return s
}

// Predict returns the class of the highest score, the first if several have it (F4).
func (m Softmax) Predict(x []float64) int { return argmax(m.Scores(x)) }

// argmax returns the index of the highest score, the first if several have it. NaN is lower than
// any number.
func argmax(s []float64) (top int) {
	// Strictly less: a later score of the same size does not win.
	for k, v := range s {
		if cmp.Less(s[top], v) {
			top = k
		}
	}
	return top
}

// Between returns the plane with class j on its positive side and class k on the other: w_j − w_k,
// b_j − b_k (F4).
func (m Softmax) Between(j, k int) Hyperplane {
	// s_j − s_k ≥ 0 is the half-space of the plane.
	w := slices.Clone(m.W.Row(j))
	axpy(w, -1, m.W.Row(k))
	return Hyperplane{w, m.B[j] - m.B[k]}
}

// Probabilities returns p_k = exp(s_k)/Σⱼ exp(sⱼ) of the scores s (F5). No finite score overflows
// it.
func (m Softmax) Probabilities(x []float64) []float64 { return softmax(m.Scores(x)) }

// softmax replaces the scores s by the probabilities (F5), and returns them. The largest exponent
// is 0, so none overflows.
func softmax(s []float64) []float64 {
	// A common factor e^{−top} of all terms changes no quotient.
	top := slices.Max(s)
	for k, v := range s {
		s[k] = math.Exp(v - top)
	}
	divide(s, total(s))
	return s
}

// Loss returns −ln p_y = ln(1 + Σ_{k≠y} exp(s_k − s_y)) (F5).
func (m Softmax) Loss(x []float64, y int) float64 {
	s := m.Scores(x)
	// The terms of the sum, with the top score in place of s_y: no exponent is positive.
	top, sum := argmax(s), 0.0
	for k, v := range s {
		if k != top {
			sum += math.Exp(v - s[top])
		}
	}
	return s[top] - s[y] + math.Log1p(sum) // the difference first, lest large scores drown the loss
}

// Gradient returns the gradient of Loss in W and B: the rows of (p − e_y)(x, 1)ᵀ (F5).
func (m Softmax) Gradient(x []float64, y int) Softmax {
	p := m.Probabilities(x)
	p[y]-- // p − e_y from here on
	w := NewMatrix(len(p), len(x))
	for k, pk := range p {
		axpy(w.Row(k), pk, x)
	}
	return Softmax{w, p}
}

// Sample returns class k with probability p_k, the randomized prediction (F5). It takes one draw of
// rng.Float64, so rng must not be nil.
func (m Softmax) Sample(x []float64, rng *rand.Rand) int {
	// The p divide [0, 1) into pieces. The draw u lies in one of them.
	u, last := rng.Float64(), 0
	for k, pk := range m.Probabilities(x) {
		if pk > 0 {
			if u < pk {
				return k
			}
			u, last = u-pk, k
		}
	}
	return last // the p sum to 1 only up to rounding
}

// TrainSoftmax minimizes λ(‖W‖² + ‖b‖²) + (1/n) Σ Loss(xᵢ, yᵢ) for labels 0 ≤ yᵢ < classes as
// [Pegasos] does (F5), and returns the average iterate. With o.FreeBias, b is not in the norm. A
// step costs a point's non-zeros times the classes.
func TrainSoftmax(xs [][]float64, labels []int, classes int, o SGD) (Softmax, error) {
	o, err := o.filled(len(xs))
	if err = cmp.Or(checkClassed(xs, labels, classes), err); err != nil {
		return Softmax{}, err
	}
	// Row k of theta is the θ of class k. Each addition a counts (H_T − H_s) a in the average.
	// No point is multiplied by a label here.
	zs, d := augmented(xs, constant(len(xs), 1))
	theta, sum := NewMatrix(classes, d+1), NewMatrix(classes, d+1)
	p, rest, free := make([]float64, classes), o.rest(), make([]*offset, classes)
	for k := range free {
		free[k] = o.offset()
	}
	for step := range o.Steps {
		// Draw a point; its scores under W_t = θ/(2λt).
		t, later := float64(step+1), rest(step)
		unit := 2 * o.Lambda * t
		i := o.Rand.IntN(len(labels))
		for k := range p {
			// A free bias takes the place of the last coordinate, as in Part II.
			if o.FreeBias {
				theta.Set(k, d, unit*free[k].now)
			}
			p[k] = zs[i].DotDense(theta.Row(k)) / unit
		}
		if k := nonFinite(p); k >= 0 {
			return Softmax{}, badDecision(i, p[k])
		}
		// The step of F5, for every class, and its part of the average.
		softmax(p)
		p[labels[i]]-- // p − e_y from here on
		for k, pk := range p {
			addSparse(theta.Row(k), -pk, zs[i])
			addSparse(sum.Row(k), -pk*later, zs[i])
			free[k].step(-pk, t)
		}
	}

	// The average (4), the last column of which is b.
	divide(sum.Data, 2*o.Lambda*float64(o.Steps-o.Burn))
	m := Softmax{NewMatrix(classes, d), make([]float64, classes)}
	for k := range classes {
		if o.FreeBias {
			sum.Set(k, d, free[k].mean)
		}
		m.B[k] = sum.At(k, d)
		copy(m.W.Row(k), sum.Row(k))
	}
	if nonFinite(sum.Data) >= 0 {
		return Softmax{}, fmt.Errorf("svm: the scores overflow: %w", ErrNotFinite)
	}
	return m, nil
}

// Part II. The bias, and two ways to keep θ
//
// # The bias
//
// E3's constant feature puts b into ‖W‖², which pulls the plane towards the origin (little if the
// data are centered). SGD.FreeBias leaves b out. Then F is not strongly convex in b, the proof of
// (6) loses −(μ/2)(b_t − b*)², and steps like 1/t can take forever [b moves by at most Σ 1/(2λs) =
// O(ln T)]. So b takes the steps of plain convex descent, b_{t+1} = b_t + [·] yᵢ/√t, and less can
// be proved: with R = max ‖xᵢ‖, and B ≥ |b_t − b*|, (6) becomes
//
//	R²(1 + ln T)/(λT) + (½B² + 1)/√T                                                   (8)
//
// because |∂Fᵢ/∂b| ≤ 1 gives
//
//	Σ_t ∂_b·(b_t − b*) ≤ ½ Σ_t √t((b_t − b*)² − (b_{t+1} − b*)²) + ½ Σ_t 1/√t ≤ ½B²√T + √T.
//
// B = 3 + R²/λ will do. For ‖w_t‖ < R/2λ, so where b_t > 1 + R²/2λ no positive point is added and b
// does not rise. A step is at most 1, so b_t ≤ 2 + R²/2λ; likewise from below. And some b* is
// within 1 + R²/2λ of 0, as ‖w*‖ ≤ R/2λ.
//
// With steps δ_r the mean of b_1 … b_T is Σ_r δ_r (T − r)/T [as in (4)], and that of b_{T₀+1} … b_T
// is Σ_r δ_r (T − max(r, T₀))/(T − T₀).

// An offset is a free bias b_t, and the mean of the b_t with T₀ < t ≤ T.
type offset struct {
	now, mean   float64 // both, as far as the steps so far determine them
	burn, steps float64 // T₀, T
}

// offset returns the b_1 = 0 of a run.
func (o SGD) offset() *offset { return &offset{burn: float64(o.Burn), steps: float64(o.Steps)} }

// step makes the step δ = g/√t of (8), which changes all later b_t.
func (b *offset) step(g, t float64) {
	// b_{t+1} … b_T all have this step, and T₀ of the b_t are not in the mean.
	g /= math.Sqrt(t)
	b.now += g
	b.mean += g * (b.steps - max(t, b.burn)) / (b.steps - b.burn)
}

// # θ as a vector
//
// A product with one point, and an addition, cost the non-zeros of the point. So points are stored
// without their zeros, one after the other, multiplied by their labels, and with the constant
// feature.

// A linear is θ as a vector. A free bias is not part of θ: before every product the last coordinate
// of θ is set to unit·t·b_t, as if θ were unit·t(w_t, b_t). This overwrites what additions have
// made of it.
type linear struct {
	signed []Sparse // yᵢzᵢ
	theta  []float64
	ys     []float64
	free   *offset // nil if b is part of θ
	unit   float64 // 2λ times the number of points in a step
	share  float64 // 1 over that number
}

// newLinear returns θ = 0.
func newLinear[X []float64 | Sparse](xs []X, ys []float64) *linear {
	signed, d := augmented(xs, ys)
	return &linear{signed: signed, theta: make([]float64, d+1), ys: ys}
}

// augmented returns the points scaleᵢ(xᵢ, 1) without zeros, where the 1 is coordinate d.
func augmented[X []float64 | Sparse](xs []X, scale []float64) (zs []Sparse, d int) {
	points, _ := vectors(xs)
	wide, _ := width(points)
	d = int(wide)
	// All points share two slices, so that a run reads memory that lies together.
	count := len(xs) + nonZeros(points)
	zs, all := make([]Sparse, len(xs)), Sparse{make([]int32, 0, count), make([]float64, 0, count)}
	for i, x := range points {
		from := len(all.Index)
		for k, v := range x.Value {
			if v != 0 {
				all.Index, all.Value = append(all.Index, x.Index[k]), append(all.Value, scale[i]*v)
			}
		}
		all.Index, all.Value = append(all.Index, int32(d)), append(all.Value, scale[i])
		zs[i] = Sparse{all.Index[from:], all.Value[from:]}
	}
	return zs, d
}

// addSparse adds a·z to w.
func addSparse(w []float64, a float64, z Sparse) {
	for k, j := range z.Index {
		w[j] += a * z.Value[k]
	}
}

// margin returns the product of one point with θ.
func (s *linear) margin(i int, t float64) float64 {
	if s.free != nil {
		s.theta[len(s.theta)-1] = s.unit * t * s.free.now
	}
	return s.signed[i].DotDense(s.theta)
}

// add makes both steps: that of θ, and that of a free bias (8).
func (s *linear) add(i int, t float64) {
	addSparse(s.theta, 1, s.signed[i])
	if s.free != nil {
		s.free.step(s.share*s.ys[i], t)
	}
}

// plane returns Σᵢ cᵢyᵢzᵢ, or an error if it overflows. A free bias takes the place of the last
// coordinate.
func (s *linear) plane(c []float64) (Hyperplane, error) {
	// One pass over the points; those that were never added have c = 0.
	w, d := make([]float64, len(s.theta)), len(s.theta)-1
	for i, ci := range c {
		addSparse(w, ci, s.signed[i])
	}
	if j := nonFinite(w); j >= 0 {
		return Hyperplane{}, fmt.Errorf("svm: coordinate %d of the plane is %v: %w",
			j, w[j], ErrNotFinite)
	}
	if s.free != nil {
		w[d] = s.free.mean
	}
	return Hyperplane{w[:d:d], w[d]}, nil
}

// # θ in coordinates

// A kernelized is θ in coordinates (E4), of which it keeps only the values ⟨θ, zᵢ⟩. All it needs is
// the Gram matrix.
type kernelized struct {
	gram  Rows
	ys    []float64
	value []float64   // ⟨θ, zᵢ⟩
	rows  [][]float64 // those rows of the Gram matrix that are kept
	room  int         // how many more rows may be kept
	spare []float64   // for a row that is not kept
}

// rowMemory is how many numbers a kernelized keeps in rows of the Gram matrix: 64 MB of them.
const rowMemory = 1 << 23

// newKernelized returns θ = 0.
func newKernelized[X any](xs []X, ys []float64, k Kernel[X]) *kernelized {
	n := len(xs)
	return &kernelized{GramOf(k, xs).Open(), ys, make([]float64, n), make([][]float64, n),
		rowMemory / n, make([]float64, n)}
}

// margin only looks up a value.
func (s *kernelized) margin(i int, _ float64) float64 { return s.ys[i] * s.value[i] }

// add adds a row of the Gram matrix to the values: zᵢ changes them by its inner products.
func (s *kernelized) add(i int, _ float64) {
	row := s.rows[i]
	if row == nil {
		// Keep the row while there is room: points that are added once are often added again.
		row = s.spare
		if s.room > 0 {
			row = make([]float64, len(row))
			s.rows[i] = row
			s.room--
		}
		s.gram.Row(row, i, 0)
	}
	axpy(s.value, s.ys[i], row)
}

// # Checks

// lambda returns λ for n points, filled in.
func (o SGD) lambda(n int) float64 { return cmp.Or(o.Lambda, 1/(2*float64(n))) }

// steps returns T for n points, filled in.
func (o SGD) steps(n int) int { return cmp.Or(o.Steps, max(10000, 300*min(n, math.MaxInt/300))) }

// filled returns o with the defaults for n points filled in.
func (o SGD) filled(n int) (SGD, error) {
	if err := cmp.Or(checkSize("Lambda", o.Lambda), checkSize("Steps", o.Steps)); err != nil {
		return o, err
	}
	o.Lambda, o.Steps = o.lambda(n), o.steps(n)
	// An average needs at least one iterate.
	if o.Burn < 0 || o.Burn >= o.Steps {
		return o, fmt.Errorf("svm: Burn is %d: want 0 to %d, one less than the number of steps",
			o.Burn, o.Steps-1)
	}
	// The same seed in every run: the same input gives the same bits.
	if o.Rand == nil {
		o.Rand = rand.New(rand.NewPCG(1, 2))
	}
	return o, nil
}

// badDecision is the error for a decision value v that overflows.
func badDecision(i int, v float64) error {
	return fmt.Errorf("svm: the decision at point %d is %v: %w", i, v, ErrNotFinite)
}

// checkLabelled checks points of any type with labels ±1.
func checkLabelled[X any](xs []X, ys []float64) error {
	if err := checkCount(len(xs), len(ys)); err != nil {
		return err
	}
	// A label that is not finite is an error of two kinds.
	for i, y := range ys {
		if !finite(y) {
			return fmt.Errorf("svm: label %v of point %d: want +1 or -1: %w", y, i, ErrNotFinite)
		}
		if y != 1 && y != -1 {
			return fmt.Errorf("svm: label %v of point %d: want +1 or -1", y, i)
		}
	}
	return checkPoints(xs)
}

// checkKernelled checks a kernel, too.
func checkKernelled[X any](xs []X, ys []float64, k Kernel[X]) error {
	return cmp.Or(checkLabelled(xs, ys), checkKernel(k, xs))
}

// maxNumbers is the size of the largest Softmax: two gigabytes.
const maxNumbers = 1 << 28

// checkClassed checks vectors with labels 0, 1, …, classes − 1.
func checkClassed(xs [][]float64, labels []int, classes int) error {
	if err := checkCount(len(xs), len(labels)); err != nil {
		return err
	}
	if classes < 1 {
		return fmt.Errorf("svm: %d classes: want at least one", classes)
	}
	// The size of the model, before any memory is asked for.
	if width := len(xs[0]) + 1; classes > maxNumbers/width {
		return fmt.Errorf("svm: %d classes of %d numbers each: want at most %d in all",
			classes, width, maxNumbers)
	}
	// Labels are indices of classes.
	for i, y := range labels {
		if y < 0 || y >= classes {
			return fmt.Errorf("svm: label %d of point %d: want 0 to %d", y, i, classes-1)
		}
	}
	return checkPoints(xs)
}

// checkCount returns an error unless there is a point, and one label for every point.
func checkCount(points, labels int) error {
	if points == 0 {
		return errors.New("svm: no points")
	}
	if points != labels {
		return fmt.Errorf("svm: %d points, but %d labels", points, labels)
	}
	return nil
}

// match panics if there is not one label for every point.
func match(points, labels int) {
	if points != labels {
		panic(checkCount(points, labels).Error())
	}
}
