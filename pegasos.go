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
// An exact subgradient costs a pass over the data. The subgradient for one point drawn at random
// costs n times less, and is right on average. F is strongly convex, so the steps may shrink like
// 1/t, and then F − min F falls like 1/T on average (7), whatever n is. That is all of Pegasos; the
// rest is its proof, and the reason why a step costs no more than one point's non-zeros.
//
// Part I is what lectures teach: the descent (E3), its average (E5), the proof (E6, E7), kernels
// (E4), the perceptron (F3) and several classes (F4, F5). Part II has a bias outside of the norm, θ
// in coordinates, and the checks of what users pass.
//
//	symbol   meaning                                       Go
//	λ, T     weight of ‖W‖², number of steps               SGD.Lambda, SGD.Steps
//	T₀       how many iterates the average leaves out      SGD.Burn
//	η        the constant step of (10)                     SGD.Rate
//	[P]      in a formula: 1 if P holds, else 0; [·] is the bracket of (1)
//	θ_t      sum of the yᵢzᵢ added before step t           theta
//	⟨θ, zᵢ⟩  all that a kernel lets us see of θ             value, in inCoordinates
//	W_t      θ_t/(2λt), the iterate                        never formed
//	βᵢ       yᵢ times how often yᵢzᵢ was added             never formed
//	H_t      1 + 1/2 + … + 1/t                             later, in run, is H_T − H_t
//	αᵢ       the perceptron's mistakes at point i          alpha
//	R        the largest ‖zᵢ‖; in F3, F5 and (8) the largest ‖xᵢ‖
//	p, e_y   class probabilities, unit vector of class y   Softmax.Probabilities
//
// What can go wrong. The first iterates are huge (W₂ = ±zᵢ/(4λ)), so the average of all (E5) means
// little before T is many times 1/λ: set Burn. When T is that large, ten times more steps bring one
// more digit. So Pegasos is for rough answers from much data; else use Train.
//
// References. Shalev-Shwartz, Singer, Srebro and Cotter, Pegasos (2011), is the algorithm.
// Shalev-Shwartz and Ben-David, Understanding Machine Learning (2014), has E3 and E4, with λ/2 for
// λ, in chapters 15 and 16, but proves E6 for θ_t/(2λ(t−1)); the proof here is for the algorithm as
// it is run. Rakhlin, Shamir and Sridharan, Making gradient descent optimal for strongly convex
// stochastic optimization (2012), has averages like (7). Novikoff (1962) has F3.

package svm

import (
	"cmp"
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
// then begins at T₀ + 1 or later, so H_T − H_T₀ takes the place of H_T − H_s where s < T₀, and T −
// T₀ that of the factor T.

// A Hyperplane is the set of points x with w·x + b = 0 (A1): W is w, and B is b.
type Hyperplane struct {
	W []float64
	B float64
}

// margins returns yᵢ(W·xᵢ + B) for all points (A3).
func (h Hyperplane) margins(xs [][]float64, ys []float64) []float64 {
	demand(len(xs) == len(ys), "svm: %d points, but %d labels", len(xs), len(ys))
	return build(len(xs), func(i int) float64 { return ys[i] * (Dot(h.W, xs[i]) + h.B) })
}

// SGD has the options of a descent on λ‖(w, b)‖² + (1/n) Σ loss with steps 1/(2λ(t+1)), and of
// TrainSoftmax, which has constant steps. The zero value is ready to use.
type SGD struct {
	// Lambda is λ; 0 means 1/(2n), the soft margin with C = 1. For TrainSoftmax 0 means 0.
	Lambda float64

	// Steps is T; 0 means max(10000, 300n), and 1000 with Batch.
	Steps int

	// With Batch a step takes the mean subgradient of all points in place of that of one (E7), and
	// costs n times more. Then nothing is random. TrainSoftmax has no Batch.
	Batch bool

	// Burn is T₀: W_1 … W_T₀ are left out of the average (7). With 0 the average is that of E3;
	// half of Steps is good.
	Burn int

	Rand     *rand.Rand // makes the draws, one IntN(n) per step; nil means one with a fixed seed
	FreeBias bool       // leave b out of the norm, at the price of (8): 1/√T in place of 1/T

	// Rate is η, the constant step of TrainSoftmax, and of no other function here; 0 means 1/(R² +
	// 2λ).
	Rate float64
}

// A theta is the sum θ of the yᵢzᵢ added so far, at first 0, known by two operations. That of
// Pegasos keeps a vector, and Part II has a theta that keeps the values ⟨θ, zᵢ⟩.
type theta struct {
	margin func(i int, t float64) float64 // yᵢ⟨θ, zᵢ⟩, in step t
	add    func(i int, t float64)         // θ += yᵢzᵢ, in step t
}

// Pegasos minimizes λ‖(w, b)‖² + (1/n) Σ max(0, 1 − yᵢ(w·xᵢ + b)), the soft margin with C = 1/(2λn)
// but for b², by the procedure of Cornwell's lecture (E3). It stops after o.Steps stochastic
// subgradient steps, and returns the average of the iterates W_1 … W_T, or of those after the first
// o.Burn. How far from the minimum that may be, [SGD.Bound] says. With o.FreeBias, b is not in the
// norm. With o.Batch it is the subgradient descent that the lecture has before SGD.
//
// A step costs the non-zeros of one point, in a batch those of all; memory is O(all non-zeros).
// Before the first step and after the last the data are read a few times.
func Pegasos(xs [][]float64, ys []float64, o SGD) (Hyperplane, error) {
	return descend(xs, ys, o)
}

// PegasosSparse is [Pegasos] on sparse points: the same run, and the same plane h, as wide as the
// largest index requires. The decision at x is x.DotDense(h.W) + h.B. More than 2²⁴ coordinates,
// plus 64 for every stored entry, are an error.
func PegasosSparse(xs []Sparse, ys []float64, o SGD) (Hyperplane, error) {
	return descend(xs, ys, o)
}

// descend is Pegasos for points of either type.
func descend[X []float64 | Sparse](xs []X, ys []float64, o SGD) (h Hyperplane, err error) {
	o, err = o.filled(len(xs))
	if err = cmp.Or(checkLabelled(xs, ys), err); err != nil {
		return h, err
	}
	// One large index must not ask for far more memory than all points have.
	points, _ := vectors(xs)
	d, ok := width(points)
	if !ok {
		return h, fmt.Errorf("svm: a plane of %d coordinates is too wide for these points", d)
	}
	// A product with a point, and an addition, cost the non-zeros of the point.
	nonZeros := build(len(xs), func(i int) Sparse { return points[i].nonZeros() })

	// (vector, last) is kθ, where k is the number of points in a step. With a free bias b_t (see
	// Part II) last is 2λkt·b_t, as if θ were 2λt(w_t, b_t), and mean is that of the b_t after T₀.
	vector, last, k := make([]float64, d), 0.0, 1.0
	if o.Batch {
		k = float64(len(xs))
	}
	b, mean := 0.0, 0.0
	c, err := o.run(theta{
		margin: func(i int, t float64) float64 {
			if o.FreeBias {
				last = 2 * o.Lambda * k * t * b
			}
			return ys[i] * (nonZeros[i].DotDense(vector) + last)
		},
		add: func(i int, t float64) {
			nonZeros[i].addTo(vector, ys[i], 0)
			last += ys[i]
			// The step of a free bias (8) is part of b_{t+1} … b_T, of which the mean has those
			// after b_T₀.
			step, end, burn := ys[i]/k/math.Sqrt(t), float64(o.Steps), float64(o.Burn)
			b += step
			mean += step * (end - max(t, burn)) / (end - burn)
		},
	}, len(xs))
	if err != nil {
		return h, err
	}

	// The average Σ cᵢyᵢzᵢ (4): one pass over the points. Those that were never added have c = 0.
	h.W = make([]float64, d)
	for i, ci := range c {
		nonZeros[i].addTo(h.W, ci*ys[i], 0)
		h.B += ci * ys[i]
	}
	if o.FreeBias {
		h.B = mean
	}
	if err = allFinite("coordinate", append(slices.Clip(h.W), h.B)); err != nil {
		return Hyperplane{}, err
	}
	return h, nil
}

// run makes o.Steps steps on n points, and returns the c of (4). A step takes the subgradient of a
// point drawn at random (E3) or, in a batch, the mean subgradient of all points (E7): then each of
// the k = n points counts 1/k, and s holds kθ. Otherwise k is 1.
func (o SGD) run(s theta, n int) ([]float64, error) {
	// Room for the points of a step, and for those among them that are to be added.
	points, c := upTo[int](n), make([]float64, n)
	if !o.Batch {
		points = points[:1]
	}
	unit, active := 2*o.Lambda*float64(len(points)), make([]int, 0, len(points)) // unit is 2λk

	// H_T − H_T₀, from which each step t > T₀ takes 1/t: then H_T − H_t is left.
	later := 0.0
	for step := o.Burn; step < o.Steps; step++ {
		later += 1 / float64(step+1)
	}
	for step := range o.Steps {
		t := float64(step + 1)
		if step >= o.Burn {
			later -= 1 / t
		}
		if !o.Batch {
			points[0] = o.Rand.IntN(n)
		}
		// All tests (3) come before the first addition: they are about the same θ.
		active = active[:0]
		for _, i := range points {
			margin := s.margin(i, t)
			if !finite(margin) {
				return nil, fmt.Errorf(overflows, i, margin, ErrNotFinite)
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

// # How good the average is
//
// E6. Let μ = 2λ: then every Fᵢ is μ-strongly convex [Fᵢ − (μ/2)‖W‖² is convex], and so is F. Let G
// ≥ ‖g_t‖ for all t, and D_t = ‖W_t − U‖², where U is any vector. Then
//
//	Fᵢ(W_t) − Fᵢ(U) ≤ ⟨g_t, W_t − U⟩ − (μ/2) D_t                     [strong convexity]
//	⟨g_t, W_t − U⟩ = (μ(t+1)/2)(D_t − D_{t+1}) + ‖g_t‖²/(2μ(t+1))    [expand ‖W_{t+1} − U‖²]
//	Σ_t (Fᵢ(W_t) − Fᵢ(U)) ≤ (μ/2)(D₁ − (T+1) D_{T+1}) + (G²/(2μ))(H_{T+1} − 1)         (5)
//
// where the last line adds up the other two over t: of Σ_t (t D_t − (t+1) D_{t+1}) the first and
// the last term are left. This holds for every run, i being the draw in step t. Put the optimum W*
// for U, divide by T, take expectations [W_t does not depend on the draw in step t, so the mean of
// Fᵢ(W_t) is F(W_t)], and use Jensen's inequality on the left:
//
//	E[F(average)] − F(W*) ≤ G²(1 + ln T)/(2μT) = R²(1 + ln T)/(λT)                     (6)
//
// Three facts make (6) so simple. First, ‖W_t‖ ≤ (t−1)R/(μt), as θ_t has at most t−1 terms; so
// ‖g_t‖ ≤ μ‖W_t‖ + R < 2R, and G = 2R will do. Second, 0 is a subgradient of F at W*, so μ‖W*‖ ≤ R
// and (μ/2)D₁ ≤ R²/(2μ) = ¼G²/(2μ). Third, H_{T+1} − 1 + ¼ ≤ ln(T+1) + ¼ ≤ 1 + ln T.
//
// The logarithm is the price of bad iterates in the average. The mean g of g_t over the draw is a
// subgradient of F, so ⟨g, W_t − W*⟩ ≥ μD_t [strong convexity at W_t, and at W*]. With the line
// before (5) this gives E D_t ≤ G²/(μ²t), by induction: for D₁ [(μ‖W*‖)² ≤ R² ≤ G²], and
//
//	E D_{t+1} ≤ (1 − 2/(t+1)) G²/(μ²t) + G²/(μ²(t+1)²) ≤ G²/(μ²(t+1))    [(t−1)/t + 1/(t+1) ≤ 1]
//
// Now add the lines before (5) over T₀ < t ≤ T only. Then (μ/2)(T₀+1) D_{T₀+1}, on average at most
// G²/(2μ), takes the place of (μ/2)D₁, and H_{T+1} − H_{T₀+1} ≤ ln(T/T₀) that of H_{T+1} − 1. So
// for the average of W_{T₀+1} … W_T the bound (6) becomes
//
//	R²(1 + ln(T/T₀))/(λ(T − T₀)),  for T₀ = T/2:  2R²(1 + ln 2)/(λT)                   (7)
//
// The best T₀, 0.32T, would make this 7 % less. This average is not E3's, but as accurate in far
// fewer steps.
//
// E7. If every step takes the mean of all n subgradients, F itself takes the place of Fᵢ, and (6)
// needs no expectation.

// Bound returns R²(1 + ln T)/(λT), with R² the largest ‖x‖² + 1, and λ and T = o.Steps as Pegasos
// takes them. On average over the draws (E6), or with o.Batch in every run (E7), the Objective of
// what Pegasos returns exceeds the optimum by at most the bound. With Burn T₀ the bound is
// R²(1 + ln(T/T₀))/(λ(T − T₀)); with o.FreeBias, or if T ≤ T₀, it is +Inf. The cost is a pass over
// the data.
func (o SGD) Bound(xs [][]float64) float64 {
	// (7), or for T₀ = 0, where there is no ln T₀, (6).
	o, _ = o.filled(len(xs))
	t, burn := float64(o.Steps), float64(o.Burn)
	if o.FreeBias || t <= burn {
		return math.Inf(1)
	}
	return (radius2(xs) + 1) * (1 + math.Log(t/max(1, burn))) / (o.Lambda * (t - burn))
}

// radius2 returns the largest ‖x‖², 0 if there are no points.
func radius2(xs [][]float64) float64 {
	return largest(build(len(xs), func(i int) float64 { return norm2(xs[i]) }))
}

// Objective returns what Pegasos minimizes, λ‖(w, b)‖² + (1/n) Σ max(0, 1 − yᵢ(w·xᵢ + b)), without
// b in the norm if o.FreeBias is set. It panics if h and the points differ in dimension, or the
// points and labels in number.
func (o SGD) Objective(h Hyperplane, xs [][]float64, ys []float64) float64 {
	o, _ = o.filled(len(xs))
	size, z := norm2(h.W), h.margins(xs, ys)
	if !o.FreeBias {
		size += h.B * h.B
	}
	// The hinge is 0 where the point is on the right side of its margin.
	hinge := build(len(z), func(i int) float64 { return max(0, 1-z[i]) })
	return o.Lambda*size + total(hinge)/float64(len(z))
}

// # Kernels
//
// E4. θ_t = Σⱼ βⱼzⱼ [every addition is a point], so (3) needs only inner products: yᵢ Σⱼ βⱼ⟨zⱼ, zᵢ⟩
// < 2λt. With k(xⱼ, xᵢ) for ⟨zⱼ, zᵢ⟩ it is the same run, draw by draw, in the feature space of k,
// where W_t has the coordinates βⱼ/(2λt). All n values ⟨θ, zᵢ⟩ are kept, so only an addition costs
// anything: a row of the Gram matrix. The constant feature is now part of the kernel [(x, 1)·(x′,
// 1) = x·x′ + 1]: if k(x, x′) = ⟨φ(x), φ(x′)⟩, KernelPegasos with k + 1 is Pegasos on φ(x), and the
// bias is the sum of its coefficients; with k alone there is no bias.

// KernelPegasos minimizes λ‖f‖² + (1/n) Σ max(0, 1 − yᵢf(xᵢ)) over the functions f of the kernel's
// RKHS, by the second procedure of Cornwell's lecture: the run of Pegasos in coordinates (E4). It
// stops after o.Steps steps, and returns the average iterate. f has no bias, so o.FreeBias is an
// error. With a constant added to the kernel, f has a regularized bias, as on explicit features:
// Sum(k, KernelFunc[X](func(X, X) float64 { return 1 })).
//
// A step that adds a point costs a row of the Gram matrix, n kernel evaluations; any other step
// costs next to nothing. (With o.Batch a step may add all points.) The first rows, up to 64 MB of
// them, are kept for reuse; memory is otherwise O(n) besides the points.
func KernelPegasos[X any](xs []X, ys []float64, k Kernel[X], o SGD) (Func[X], error) {
	err := unless(!o.FreeBias, "svm: FreeBias: a function of the kernel's space has no bias")
	o, wrong := o.filled(len(xs))
	if err = cmp.Or(err, checkLabelled(xs, ys), checkKernel(k, xs), wrong); err != nil {
		return Func[X]{}, err
	}
	// The same run as that of Pegasos. Only θ is kept in another way.
	c, err := o.run(inCoordinates(xs, ys, k), len(xs))
	if err = cmp.Or(err, allFinite("the coefficient of point", c)); err != nil {
		return Func[X]{}, err
	}
	// f = Σ cᵢyᵢ k(xᵢ, ·). A point that was never added costs nothing when f is evaluated.
	at := support(c)
	return Func[X]{k, pick(xs, at), pick(times(c, ys), at)}, nil
}

// # The perceptron
//
// COMP9417 has the perceptron without a bias and without λ: pass through the points in order, and
// where yᵢ w·xᵢ ≤ 0 add ηyᵢxᵢ to w, until a pass makes no mistake. From w = 0 the rate η only
// scales w, so η = 1 here. The sum of all additions, with αᵢ the number of mistakes at point i, is
//
//	w = Σ_mistakes yᵢxᵢ = Σᵢ αᵢyᵢxᵢ,  so  yᵢ w·xᵢ = yᵢ Σⱼ αⱼyⱼ xⱼ·xᵢ.                (9)
//
// With the form on the right the same run needs inner products alone: that is the dual perceptron,
// which any kernel k(xⱼ, xᵢ) can drive. So the perceptron is the descent of E3 with 0 in place of
// 2λt in (3), with ≤ for <, and without draws: subgradient steps for the loss max(0, −yᵢ w·xᵢ)
// (A10).
//
// F3. Novikoff: if some unit vector v has yᵢ v·xᵢ ≥ γ > 0 for all i, the perceptron makes M ≤
// (R/γ)² mistakes, where R is the largest ‖xᵢ‖:
//
//	Mγ ≤ w·v            [each mistake adds at least γ to w·v]
//	‖w‖² ≤ MR²          [each adds 2y w·x + ‖x‖² to ‖w‖², and the first term is ≤ 0]
//	Mγ ≤ ‖w‖ ≤ √M R     [Cauchy and Schwarz], so √M ≤ R/γ
//
// Without a bias all planes pass through the origin, so 2 with label +1 and 1 with label −1 cannot
// be separated. The points (2, 1) and (1, 1) can: see WithOne.

// WithOne returns (x, 1), a copy. The weight of the constant feature is a bias: with points (xᵢ, 1)
// [Perceptron] and [TrainSoftmax] have one. Pullback(Linear{}, WithOne) is the kernel x·z + 1; to
// give a bias to any kernel, add 1 to it: see [KernelPegasos].
func WithOne(x []float64) []float64 { return append(slices.Clip(x), 1) }

// Perceptron looks for a plane through the origin that separates the classes, as COMP9417 prints it
// (F3): pass through the points in order, and add yᵢxᵢ to w at every mistake, yᵢ w·xᵢ ≤ 0. If such
// a plane exists, the perceptron loss max(0, −yᵢ w·xᵢ) (A10) ends at 0 for every point, after at
// most [NovikoffBound] mistakes; else nothing is minimized. It returns the plane, with B = 0, and
// the number αᵢ of mistakes at each point: w = Σ αᵢyᵢxᵢ. For a bias pass the points (xᵢ, 1), by
// [WithOne].
//
// It stops after a pass without a mistake. A pass costs n inner products. After the given number of
// epochs, that is passes, 0 meaning 1000, it returns the plane so far with an error that wraps
// [ErrNotConverged].
func Perceptron(xs [][]float64, ys []float64, epochs int) (
	h Hyperplane, alpha []float64, err error) {
	if err = cmp.Or(checkLabelled(xs, ys), checkSize("epochs", epochs)); err != nil {
		return h, nil, err
	}
	// θ is w itself: the primal form.
	w := make([]float64, len(xs[0]))
	alpha, err = perceive(len(xs), epochs, theta{
		margin: func(i int, _ float64) float64 { return ys[i] * Dot(w, xs[i]) },
		add:    func(i int, _ float64) { axpy(w, ys[i], xs[i]) },
	})
	// A run that ends too early returns its plane and an error. (The plane is finite: where adding
	// a number of x to one of w would overflow, their product does, too, and the product is a term
	// of the margin, which is seen first.)
	return Hyperplane{W: w}, alpha, err
}

// KernelPerceptron is the dual perceptron of COMP9417 (9): f = Σ αᵢyᵢk(xᵢ, ·). With [Linear] the
// run is that of [Perceptron]; a constant part of the kernel acts as a bias. A mistake costs what
// an addition costs in [KernelPegasos].
func KernelPerceptron[X any](xs []X, ys []float64, k Kernel[X], epochs int) (
	f Func[X], alpha []float64, err error) {
	err = cmp.Or(checkLabelled(xs, ys), checkKernel(k, xs), checkSize("epochs", epochs))
	if err != nil {
		return f, nil, err
	}
	// A mistake at point j changes the values f(xᵢ) of the dual form by yⱼ times row j of the Gram
	// matrix.
	alpha, err = perceive(len(xs), epochs, inCoordinates(xs, ys, k))
	// The points without a mistake have no part in f.
	at := support(alpha)
	return Func[X]{k, pick(xs, at), pick(times(alpha, ys), at)}, alpha, err
}

// perceive is the loop of the lecture. It returns the numbers of mistakes.
func perceive(n, epochs int, s theta) ([]float64, error) {
	epochs = cmp.Or(epochs, 1000)
	alpha := make([]float64, n)
	for range epochs {
		// A pass through the points, in order. If no point is a mistake, the run has converged.
		before := total(alpha)
		for i := range n {
			// A margin of 0 is a mistake, too, so the first visit is a mistake: there θ = 0.
			margin := s.margin(i, 0)
			if !finite(margin) {
				return alpha, fmt.Errorf(overflows, i, margin, ErrNotFinite)
			}
			if margin <= 0 {
				s.add(i, 0)
				alpha[i]++
			}
		}
		if total(alpha) == before {
			return alpha, nil
		}
	}
	return alpha, fmt.Errorf("svm: no pass without a mistake after %d epochs: %w",
		epochs, ErrNotConverged)
}

// NovikoffBound returns (R/γ)², where R = max ‖xᵢ‖ and γ = min yᵢ w·xᵢ/‖w‖ (F3): no perceptron
// makes more mistakes, whichever w separates. It is +Inf if w does not separate or R² overflows; R²
// must not underflow. It panics if w and the points differ in dimension, or the points and labels
// in number.
func NovikoffBound(w []float64, xs [][]float64, ys []float64) float64 {
	v := slices.Clone(w)
	divide(v, norm(v)) // the v of F3
	gamma := slices.Min(append(Hyperplane{W: v}.margins(xs, ys), math.Inf(1)))
	// No bound if a point is on the wrong side, or on the plane. NaN is not positive either.
	if !(gamma > 0) {
		return math.Inf(1)
	}
	return radius2(xs) / gamma / gamma
}

// # Several classes
//
// F4. Class k has a vector w_k, row k of W, and the score s_k = w_k·x; the highest score wins: of
// two, the first if (w₁ − w₂)·x ≥ 0.
//
// F5. The scores give probabilities, Pr[y = k | x] = p_k = e^{s_k}/Σⱼ e^{sⱼ}, the softmax. The
// likelihood of W is P(W) = Πᵢ Pr[yᵢ | xᵢ], if the labels are independent, so to maximize it is to
// minimize −ln P(W) = Σᵢ −ln Pr[yᵢ | xᵢ]. The loss of one point of class y is
//
//	−ln p_y = ln Σⱼ e^{sⱼ} − s_y = ln(1 + Σ_{k≠y} e^{s_k − s_y})
//	∂/∂s_k = p_k − [k = y]                  [differentiate the first form]
//	gradient in W: (p − e_y)xᵀ              [s_k = w_k·x]
//
// CSCI 567 descends by constant steps: W = 0; then draw i, and
//
//	W ← W − η(p − e_{yᵢ})xᵢᵀ.                                                (10)
//
// If W moves along a matrix U with rows u_k, the score s_k grows at the rate u_k·x, and the second
// derivative of the loss is the variance of u_k·x, k drawn from p: at most ½‖x‖²‖U‖² [a variance is
// at most a quarter of the squared range, and two rows of U differ by at most √2‖U‖]. So a step η ≤
// 1/R² never overshoots: it does not raise the loss of the point drawn. If there is a minimum, a
// constant step does not end there, but near it, the nearer the smaller η is. Without λ, data that
// planes separate have no minimum: W grows without end.

// A Softmax is a linear model of several classes 0, 1, …: class k has the score w_k·x, where w_k is
// row k of W.
type Softmax struct{ W *Matrix }

// Scores returns w_k·x for every k.
func (m Softmax) Scores(x []float64) []float64 {
	return build(m.W.Rows, func(k int) float64 { return Dot(m.W.Row(k), x) })
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

// Between returns the plane with class j on its positive side and class k on the other: w_j − w_k
// (F4).
func (m Softmax) Between(j, k int) Hyperplane {
	// s_j − s_k ≥ 0 is the half-space of the plane.
	w := slices.Clone(m.W.Row(j))
	axpy(w, -1, m.W.Row(k))
	return Hyperplane{W: w}
}

// Probabilities returns p_k = exp(s_k)/Σⱼ exp(sⱼ) of the scores s (F5). No finite score overflows
// it.
func (m Softmax) Probabilities(x []float64) []float64 {
	// A common factor e^{−top} of all terms changes no quotient, and the largest exponent is 0.
	p := m.Scores(x)
	top := slices.Max(p)
	for k, v := range p {
		p[k] = math.Exp(v - top)
	}
	divide(p, total(p))
	return p
}

// Loss returns −ln p_y = ln(1 + Σ_{k≠y} exp(s_k − s_y)) (F5).
func (m Softmax) Loss(x []float64, y int) float64 {
	// ln Σⱼ e^{sⱼ} by the second form, with the top score for s_y: no exponent is positive.
	s := m.Scores(x)
	top := argmax(s)
	others := build(len(s), func(k int) float64 { return math.Exp(s[k] - s[top]) })
	others[top] = 0
	// The difference first, lest large scores drown the loss.
	return s[top] - s[y] + math.Log1p(total(others))
}

// Gradient returns the gradient of Loss in W: (p − e_y)xᵀ (F5).
func (m Softmax) Gradient(x []float64, y int) *Matrix {
	// A column times a row.
	p := m.Probabilities(x)
	p[y]-- // p − e_y from here on
	return (&Matrix{len(p), 1, p}).Mul(&Matrix{1, len(x), x})
}

// Sample returns class k with probability p_k, the randomized prediction (F5). It draws one number
// from rng, which must not be nil.
func (m Softmax) Sample(x []float64, rng *rand.Rand) int {
	// The p_k divide [0, 1) into pieces. The draw u lies in one of the pieces.
	p, u := m.Probabilities(x), rng.Float64()
	for k, pk := range p {
		if u -= pk; u < 0 {
			return k
		}
	}
	return argmax(p) // the p sum to 1 only up to rounding
}

// TrainSoftmax minimizes the mean loss (1/n) Σ −ln Pr[yᵢ | xᵢ; W] for labels 0 ≤ yᵢ < classes, that
// is, it maximizes the likelihood, by the SGD of CSCI 567 §4.6 (10): from W = 0, with the constant
// step η = o.Rate, without a bias. It stops after o.Steps steps, and returns the last W. For a bias
// pass the points (xᵢ, 1), by [WithOne]. The lecture has no regularizer either; o.Lambda > 0 adds
// λ‖W‖² to what is minimized. o.Burn, o.FreeBias and o.Batch are errors. A step costs 2d
// multiply-adds for each class, 3d with a regularizer.
func TrainSoftmax(xs [][]float64, labels []int, classes int, o SGD) (Softmax, error) {
	lambda := o.Lambda // 0 means 0 here
	o, err := o.filled(len(xs))
	err = cmp.Or(checkCount(len(xs), len(labels)), checkPoints(xs), err, checkSize("Rate", o.Rate),
		unless(classes > 0, "svm: %d classes: want at least one", classes),
		unless(o.Burn == 0 && !o.FreeBias && !o.Batch,
			"svm: TrainSoftmax has no Burn, no FreeBias and no Batch"))
	// Labels are the numbers of rows of W.
	i := slices.IndexFunc(labels, func(y int) bool { return y < 0 || y >= classes })
	if err == nil && i >= 0 {
		err = fmt.Errorf("svm: label %d of point %d: want 0 to %d", labels[i], i, classes-1)
	}
	if err != nil {
		return Softmax{}, err
	}
	// The sizes of the model and of its steps, before any memory is asked for.
	d, r2 := len(xs[0]), radius2(xs)
	err = cmp.Or(checkSize("the largest ‖x‖²", r2), unless(classes <= maxNumbers/max(1, d),
		"svm: %d classes of %d numbers each: want at most %d in all", classes, d, maxNumbers))
	if err != nil {
		return Softmax{}, err
	}
	// A step that never overshoots (F5). Where R² + 2λ = 0 all gradients are 0, and any step will
	// do.
	rate := cmp.Or(o.Rate, 1/cmp.Or(r2+2*lambda, 1))

	m := Softmax{NewMatrix(classes, d)}
	for range o.Steps {
		// Draw a point, and compute its probabilities under the present W.
		i := o.Rand.IntN(len(xs))
		p := m.Probabilities(xs[i])
		// A wrong class k moves away from the point, by its probability; the right class moves
		// towards the point, by what its probability lacks to 1.
		p[labels[i]]-- // p − e_y from here on
		if lambda > 0 {
			axpy(m.W.Data, -2*rate*lambda, m.W.Data) // the gradient of λ‖W‖²
		}
		for k, pk := range p {
			axpy(m.W.Row(k), -rate*pk, xs[i]) // (10)
		}
	}
	// Scores that overflow have left NaN in W.
	if err = m.W.finite("TrainSoftmax"); err != nil {
		return Softmax{}, err
	}
	return m, nil
}

// Part II. The bias, and θ in coordinates
//
// # The bias
//
// E3's constant feature puts b into ‖W‖², which pulls the plane towards the origin (little if the
// data are centered). SGD.FreeBias leaves b out. Then F is not strongly convex in b, the proof of
// (6) loses −(μ/2)(b_t − b*)², and steps like 1/t can take forever [b moves by at most Σ 1/(2λs) =
// O(ln T)]. So b takes the steps of plain convex descent, b_{t+1} = b_t + [·] yᵢ/√t, and less can
// be proved: with R = max ‖xᵢ‖, and B ≥ |b_t − b*| for all t, the bound (6) becomes
//
//	R²(1 + ln T)/(λT) + (½B² + 1)/√T                                                   (8)
//
// because |∂Fᵢ/∂b| ≤ 1 gives
//
//	Σ_t ∂_b·(b_t − b*) ≤ ½ Σ_t √t((b_t − b*)² − (b_{t+1} − b*)²) + ½ Σ_t 1/√t ≤ ½B²√T + √T.
//
// B = 3 + R²/λ will do. For ‖w_t‖ < R/(2λ), so where b_t > 1 + R²/(2λ) no positive point is added
// and b does not rise. A step is at most 1, so b_t ≤ 2 + R²/(2λ); likewise from below. And some b*
// is within 1 + R²/(2λ) of 0, as ‖w*‖ ≤ R/(2λ).
//
// With steps δ_r the mean of b_1 … b_T is Σ_r δ_r (T − r)/T [as in (4)], and that of b_{T₀+1} … b_T
// is Σ_r δ_r (T − max(r, T₀))/(T − T₀).

// # θ in coordinates

// rowMemory is how many numbers inCoordinates keeps in rows of the Gram matrix: 64 MB of them.
const rowMemory = 1 << 23

// inCoordinates returns θ in coordinates (E4), of which it keeps only the values ⟨θ, zᵢ⟩. All it
// needs is the Gram matrix.
func inCoordinates[X any](xs []X, ys []float64, k Kernel[X]) theta {
	n := len(xs)
	gram, value := GramOf(k, xs).Open(), make([]float64, n)
	rows, room := make([][]float64, n), rowMemory/n // the rows kept; room for how many more
	return theta{
		margin: func(i int, _ float64) float64 { return ys[i] * value[i] },
		add: func(i int, _ float64) {
			row := rows[i]
			if row == nil {
				row = make([]float64, n)
				gram.Row(row, i, 0)
				// Keep the row while there is room: points that are added once are often added
				// again.
				if room > 0 {
					rows[i] = row
					room--
				}
			}
			axpy(value, ys[i], row) // yᵢzᵢ changes the values by its inner products
		},
	}
}

// # Checks

// filled returns o with the defaults for n points filled in.
func (o SGD) filled(n int) (SGD, error) {
	err := cmp.Or(checkSize("Lambda", o.Lambda), checkSize("Steps", o.Steps))
	o.Lambda = cmp.Or(o.Lambda, 1/(2*float64(n)))
	if o.Batch {
		o.Steps = cmp.Or(o.Steps, 1000)
	}
	o.Steps = cmp.Or(o.Steps, max(10000, 300*min(n, math.MaxInt/300)))
	// The same seed in every run: the same input gives the same bits. The generator belongs to one
	// run, so runs at the same time do not disturb each other.
	o.Rand = cmp.Or(o.Rand, rand.New(rand.NewPCG(1, 2)))
	// An average needs at least one iterate.
	return o, cmp.Or(err, unless(0 <= o.Burn && o.Burn < o.Steps,
		"svm: Burn is %d: want 0 to %d, one less than the number of steps", o.Burn, o.Steps-1))
}

// overflows is the error of a run, with a point, its margin and ErrNotFinite.
const overflows = "svm: the margin of point %d is %v: %w"

// maxNumbers is the size of the largest Softmax: two gigabytes.
const maxNumbers = 1 << 28

// checkLabelled checks points of any type and labels ±1.
func checkLabelled[X any](xs []X, ys []float64) error {
	// Of several mistakes the first in this order is reported.
	err := cmp.Or(checkCount(len(xs), len(ys)), allFinite("label", ys), checkPoints(xs))
	i := slices.IndexFunc(ys, func(y float64) bool { return y != 1 && y != -1 })
	if err == nil && i >= 0 {
		const says = "svm: label %v of point %d: want +1 or -1 (TrainClassifier takes any)"
		err = fmt.Errorf(says, ys[i], i)
	}
	return err
}

// checkCount returns an error unless there is a point, and one label for every point.
func checkCount(points, labels int) error {
	return cmp.Or(unless(points > 0, "svm: no points"),
		unless(points == labels, "svm: %d points, but %d labels", points, labels))
}

// # Exercises
//
// The solutions are tests, TestExercises in svm_test.go. Don't peek.
//
//  1. In COMP9417's order of the exclusive or, the dual perceptron makes one mistake at each point.
//     Does another order of the points need more?
//  2. For two classes the multiclass logistic loss is the binary one: let's verify (CSCI 567 §4.5).
//  3. Think about why the step W ← W − η(p − e_y)xᵀ makes sense (CSCI 567 §4.6). Which scores rise,
//     which fall? Can a step with a large η raise the loss of its own point?
