// Copyright 2026 The svm authors. All rights reserved.
// Use of this source code is governed by the MIT
// license that can be found in the LICENSE file.

// Stochastic subgradients: the support vector machine, one point at a time.
//
// The problem. Add ½b² to the soft margin's objective (see The bias), and divide by Cn. With C = 1/(2λn) this gives (A8)
//
//	minimise  F(W) = λ‖W‖² + (1/n) Σᵢ max(0, 1 − yᵢ⟨W, zᵢ⟩),  zᵢ = (xᵢ, 1),  W = (w, b).
//
// *One* exact subgradient costs a pass over the data. The subgradient for one point drawn at random costs n times less,
// and is right on average. F is strongly convex, so the steps may shrink like 1/t, and then F − min F falls like 1/T on
// average (7), whatever n is. That is all of Pegasos; the rest is its proof, and how a step costs one point's non-zeros.
//
//	symbol   meaning                                       Go
//	λ, T     weight of ‖W‖², number of steps               SGD.Lambda, SGD.Steps
//	T₀       how many iterates the average leaves out      SGD.Burn
//	[P]      in a formula: 1 if P holds, else 0; [·] is the bracket of (1)
//	θ_t      sum of the yᵢzᵢ added before step t           linear.theta; kernelised.value is ⟨θ_t, zᵢ⟩
//	W_t      θ_t/(2λt), the iterate                        never formed
//	βᵢ       yᵢ times how often yᵢzᵢ was added             never formed
//	H_t      1 + 1/2 + … + 1/t                             SGD.rest has H_T − H_t, or H_T − H_T₀ while t ≤ T₀
//	αᵢ       the perceptron's mistakes at point i          alpha
//	R        the largest ‖zᵢ‖                              radius2 is R²
//	p, e_y   class probabilities, unit vector of class y   Softmax.Probabilities
//
// E3. In step t draw a point i uniformly, independently of all other draws. The mean over i of the functions Fᵢ(W) =
// λ‖W‖² + max(0, 1 − yᵢ⟨W, zᵢ⟩) is F. At W_t, Fᵢ has the subgradient
//
//	g_t = 2λW_t − [yᵢ⟨W_t, zᵢ⟩ < 1] yᵢzᵢ.                                     (1)  [A11]
//
// Take the step W_{t+1} = W_t − g_t/(2λ(t+1)), and multiply it by 2λ(t+1):
//
//	2λ(t+1) W_{t+1} = 2λ(t+1) W_t − 2λW_t + [·] yᵢzᵢ = 2λt W_t + [·] yᵢzᵢ.    (2)
//
// So θ_t = 2λt W_t changes only by additions: θ₁ = 0 and θ_{t+1} = θ_t + [·] yᵢzᵢ. What shrinks W is now the division
// by 2λt, and the test needs no division [multiply yᵢ⟨W_t, zᵢ⟩ < 1 by 2λt > 0]:
//
//	add yᵢzᵢ to θ  where  yᵢ⟨θ, zᵢ⟩ < 2λt.                                    (3)
//
// With 0 in place of 2λt, with ≤ for <, and with the points taken in order, (3) is the perceptron of F3.
//
// E4. θ_t = Σⱼ βⱼzⱼ [every addition is a point], so (3) needs only inner products: yᵢ Σⱼ βⱼ⟨zⱼ, zᵢ⟩ < 2λt. With
// k(xⱼ, xᵢ) for ⟨zⱼ, zᵢ⟩ it is the same run, draw by draw, in the feature space of k, where W_t has the coordinates
// βⱼ/(2λt). All n values ⟨θ, zᵢ⟩ are kept, so only an addition costs anything: one row of the Gram matrix. The constant
// feature is now part of the kernel [⟨(x, 1), (z, 1)⟩ = x·z + 1]: if k(x, z) = ⟨φ(x), φ(z)⟩, KernelPegasos with k + 1 is
// Pegasos on φ(x), and the bias is the sum of its coefficients; with k alone there is no bias.
//
// E5. The average of the iterates is a sum over points, too. An addition at step s is part of θ_t for t > s:
//
//	(1/T) Σ_t W_t = (1/T) Σ_t (1/(2λt)) Σ_{s<t} [added at s] yz               [W_t = θ_t/(2λt)]
//	              = Σ_s [added at s] yz Σ_{t=s+1}^T 1/(2λtT)                  [exchange the sums]
//	              = Σ_s [added at s] yz (H_T − H_s)/(2λT)                     [definition of H]
//	              = Σᵢ cᵢ yᵢzᵢ,  cᵢ = Σ_{s: i added at s} (H_T − H_s)/(2λT)   [collect by point].    (4)
//
// So the average takes one number cᵢ per point, which changes only when the point is added, and one pass at the end.
//
// E6. Let μ = 2λ: then every Fᵢ is μ-strongly convex [Fᵢ − (μ/2)‖W‖² is convex], and so is F. Let G ≥ ‖g_t‖ for all t,
// and D_t = ‖W_t − U‖², where U is any point. Then
//
//	Fᵢ(W_t) − Fᵢ(U) ≤ ⟨g_t, W_t − U⟩ − (μ/2) D_t                              [strong convexity]
//	⟨g_t, W_t − U⟩ = (μ(t+1)/2)(D_t − D_{t+1}) + ‖g_t‖²/(2μ(t+1))             [expand ‖W_{t+1} − U‖²]
//	Σ_t (Fᵢ(W_t) − Fᵢ(U)) ≤ (μ/2)(D₁ − (T+1) D_{T+1}) + (G²/2μ)(H_{T+1} − 1)  [add; t D_t telescopes].    (5)
//
// This holds for every run, i being the draw in step t. Put the optimum W* for U, divide by T, take expectations [W_t
// does not depend on the draw in step t, so the mean of Fᵢ(W_t) is F(W_t)], and use Jensen's inequality on the left:
//
//	E[F(average)] − F(W*) ≤ G²(1 + ln T)/(2μT) = R²(1 + ln T)/(λT)            (6)
//
// [‖W_t‖ ≤ (t−1)R/(μt), as θ_t has at most t−1 terms; so ‖g_t‖ ≤ μ‖W_t‖ + R < 2R, and G = 2R will do. 0 is a subgradient
// at W*, so μ‖W*‖ ≤ R and (μ/2)D₁ ≤ R²/2μ = (G²/2μ)/4. And H_{T+1} − 1 + ¼ ≤ ln(T+1) + ¼ ≤ 1 + ln T].
//
// The logarithm is the price of bad iterates in the average. The mean g of g_t over the draw is a subgradient of F, so
// ⟨g, W_t − W*⟩ ≥ μD_t [strong convexity at W_t, and at W*]. With the line before (5) this gives E D_t ≤ G²/(μ²t), by
// induction: it is true for D₁ [(μ‖W*‖)² ≤ R² ≤ G²], and
//
//	E D_{t+1} ≤ (1 − 2/(t+1)) G²/(μ²t) + G²/(μ²(t+1)²) ≤ G²/(μ²(t+1))    [(t−1)/t + 1/(t+1) ≤ 1].
//
// Now add the lines before (5) over T₀ < t ≤ T only. Then (μ/2)(T₀+1) D_{T₀+1}, on average at most G²/2μ, takes the place
// of (μ/2)D₁, and H_{T+1} − H_{T₀+1} ≤ ln(T/T₀) that of H_{T+1} − 1. So for the average of W_{T₀+1} … W_T (6) becomes
//
//	R²(1 + ln(T/T₀))/(λ(T − T₀)),  for T₀ = T/2:  2R²(1 + ln 2)/(λT).         (7)
//
// The best T₀, 0.32T, would make this 7 % less. This average is not E3's, but as accurate in far fewer steps. In (4) the
// sum over t then begins at T₀ + 1 [so does that of H], and T − T₀ replaces the factor T.
//
// E7. If every step takes the mean of all n subgradients, F itself takes the place of Fᵢ, and (6) needs no expectation.
//
// The bias. E3's constant feature puts b into ‖W‖², which pulls the plane towards the origin (little if the data are
// centred). SGD.FreeBias leaves b out. Then F is not strongly convex in b, the proof above loses −(μ/2)(b_t − b*)², and
// steps like 1/t can take forever [b moves by at most Σ 1/(2λs) = O(ln T)]. So b takes the steps of plain convex descent,
// b_{t+1} = b_t + [·] yᵢ/√t, and less can be proved: with R = max ‖xᵢ‖, and B ≥ |b_t − b*|, (6) becomes
//
//	R²(1 + ln T)/(λT) + (½B² + 1)/√T                                          (8)
//
// [|∂Fᵢ/∂b| ≤ 1 gives Σ_t ∂_b·(b_t − b*) ≤ ½ Σ_t √t((b_t − b*)² − (b_{t+1} − b*)²) + ½ Σ_t 1/√t ≤ ½B²√T + √T].
// B = 3 + R²/λ will do [‖w_t‖ < R/2λ, so where b_t > 1 + R²/2λ no positive point is added and b does not rise. A step is
// at most 1, so b_t ≤ 2 + R²/2λ; likewise from below. And some b* is within 1 + R²/2λ of 0, as ‖w*‖ ≤ R/2λ]. With steps
// δ_r the mean of b_1 … b_T is Σ_r δ_r (T − r)/T [as in (4)], that of b_{T₀+1} … b_T Σ_r δ_r (T − max(r, T₀))/(T − T₀).
//
// F3. Novikoff: if some unit vector V has yᵢ⟨V, zᵢ⟩ ≥ γ > 0 for all i, the perceptron makes M ≤ (R/γ)² mistakes:
//
//	Mγ ≤ ⟨θ, V⟩ ≤ ‖θ‖ ≤ √M R,  so √M ≤ R/γ                                    (9)
//
// [each mistake adds at least γ to ⟨θ, V⟩, and to ‖θ‖² it adds 2y⟨θ, z⟩ + ‖z‖² ≤ R², the first term being ≤ 0].
//
// F4. Class k has a vector w_k and the score s_k = ⟨w_k, z⟩; the highest wins: of two, the first if ⟨w₁ − w₂, z⟩ ≥ 0.
//
// F5. With p_k = e^{s_k}/Σⱼ e^{sⱼ} the loss −ln p_y = ln Σⱼ e^{sⱼ} − s_y = ln(1 + Σ_{k≠y} e^{s_k − s_y}) has the
// derivatives ∂/∂s_k = p_k − [k = y], hence the gradient (p − e_y)zᵀ. Its steps are (2) with (e_y − p)zᵀ for [·] yᵢzᵢ.
//
// Cost. A step of Pegasos is a product over the non-zeros of one point and, where (3) holds, an addition. What can go
// wrong: the first iterates are huge (W₂ = ±z/4λ), so E3's average means little before T is many times 1/λ: set Burn.
// After that, ten times more steps bring one more digit. So Pegasos is for rough answers from much data; else use Train.
//
// References. Shalev-Shwartz, Singer, Srebro and Cotter, Pegasos (2011), is the algorithm. Shalev-Shwartz and Ben-David,
// Understanding Machine Learning (2014), has E3 and E4, with λ/2 for λ, in chapters 15 and 16, but proves E6 for
// θ_t/(2λ(t−1)); the proof above is for the algorithm as it is run. Rakhlin, Shamir and Sridharan, Making gradient
// descent optimal for strongly convex stochastic optimization (2012), has averages like (7). Novikoff (1962) has F3.

package svm

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// A Hyperplane is the set of points x with W·x + B = 0 (A1).
type Hyperplane struct {
	W []float64
	B float64
}

// SGD has the options of a descent on λ‖(w, b)‖² + (1/n) Σ loss with steps 1/(2λ(t+1)). The zero value is ready to use.
type SGD struct {
	Lambda   float64    // λ; 0 means 1/(2n), the soft margin with C = 1
	Steps    int        // T; 0 means max(10000, 300n), and 1000 for BatchSubgradient, whose steps cost n times more
	Burn     int        // T₀: W_1 … W_T₀ are left out of the average (7); with 0 it is E3's. Half of Steps is good
	Rand     *rand.Rand // makes the draws, one IntN(n) per step; nil means a generator with a fixed seed
	FreeBias bool       // leave b out of the norm, at the price of (8): 1/√T in place of 1/T
}

// Pegasos minimises λ‖(w, b)‖² + (1/n) Σ max(0, 1 − yᵢ(w·xᵢ + b)) by o.Steps stochastic subgradient steps, and returns
// the average of the iterates W_1 … W_T (E3), or of those after the first o.Burn. With o.FreeBias, b is not in the norm.
//
// A step costs the non-zeros of one point; memory is O(all non-zeros). The data are read a few times besides.
func Pegasos(xs [][]float64, ys []float64, o SGD) (Hyperplane, error) {
	return descend(xs, ys, o, 1, SGD.stochastic)
}

// PegasosSparse is [Pegasos] on sparse points: the same run, and the same plane h, as wide as the largest index requires.
// The decision at x is x.DotDense(h.W) + h.B. More than 2²⁴ coordinates, plus 64 for every non-zero, are an error.
func PegasosSparse(xs []Sparse, ys []float64, o SGD) (Hyperplane, error) {
	if d, ok := width(xs); !ok {
		return Hyperplane{}, fmt.Errorf("svm: a plane of %d coordinates is too wide for these points", d)
	}
	return descend(xs, ys, o, 1, SGD.stochastic)
}

// BatchSubgradient minimises what Pegasos does, with the subgradient of all points in every step (E7), and returns the
// average of the iterates. Nothing is random, so [SGD.Bound] holds without an expectation (set o.Steps: for Bound, 0
// means Pegasos's default). A step costs all non-zeros of xs.
func BatchSubgradient(xs [][]float64, ys []float64, o SGD) (Hyperplane, error) {
	o.Steps = cmp.Or(o.Steps, 1000)
	return descend(xs, ys, o, len(xs), SGD.batch)
}

// descend makes a run, stochastic or batch; points is how many points each step takes the mean subgradient of, 1 or n.
func descend[X []float64 | Sparse](xs []X, ys []float64, o SGD, points int,
	run func(o SGD, s theta, n int) ([]float64, error)) (Hyperplane, error) {
	o, err := o.filled(len(xs))
	if err = cmp.Or(checkLabelled(xs, ys), err); err != nil {
		return Hyperplane{}, err
	}
	k := float64(points)
	free := &freeBias{newLinear(xs, ys), 2 * o.Lambda * k, 1 / k, o.offset()}
	s := theta(free)
	if !o.FreeBias {
		s = free.linear
	}
	c, err := run(o, s, len(xs))
	if err != nil {
		return Hyperplane{}, err
	}
	h, err := free.plane(c)
	if o.FreeBias && err == nil {
		h.B = free.b.mean
	}
	return h, err
}

// KernelPegasos minimises λ‖f‖² + (1/n) Σ max(0, 1 − yᵢf(xᵢ)) over the functions f of the kernel's RKHS, by the run of
// Pegasos in coordinates (E4), and returns the average iterate. f has no bias, so o.FreeBias is an error. With a
// constant added to the kernel, f has a regularised bias, as on explicit features:
// Sum(k, KernelFunc[X](func(X, X) float64 { return 1 })).
//
// A step that adds a point costs a row of the Gram matrix, n kernel evaluations; any other step costs next to nothing.
// The first rows, up to 64 MB of them, are kept for reuse; memory is otherwise O(n) besides the points.
func KernelPegasos[X any](xs []X, ys []float64, k Kernel[X], o SGD) (Func[X], error) {
	if o.FreeBias {
		return Func[X]{}, errors.New("svm: FreeBias: a function of the kernel's space has no bias")
	}
	o, err := o.filled(len(xs))
	if err = cmp.Or(checkKernelled(xs, ys, k), err); err != nil {
		return Func[X]{}, err
	}
	c, err := o.stochastic(newKernelised(xs, ys, k), len(xs))
	if err != nil {
		return Func[X]{}, err
	}
	return expansion(xs, ys, k, c)
}

// Objective returns what Pegasos minimises, λ‖(w, b)‖² + (1/n) Σ max(0, 1 − yᵢ(w·xᵢ + b)), without b in the norm if
// o.FreeBias is set. It panics if h and the points differ in dimension, or the points and labels in number.
func (o SGD) Objective(h Hyperplane, xs [][]float64, ys []float64) float64 {
	match(len(xs), len(ys))
	norm, loss := norm2(h.W), 0.0
	if !o.FreeBias {
		norm += h.B * h.B
	}
	for i, x := range xs {
		loss += max(0, 1-ys[i]*(Dot(h.W, x)+h.B))
	}
	return o.lambda(len(xs))*norm + loss/float64(len(xs))
}

// Bound returns R²(1 + ln T)/(λT), with R² the largest ‖x‖² + 1, and λ and T = o.Steps as Pegasos takes them. On average
// over the draws, the Objective of what Pegasos returns exceeds the optimum by at most that (E6). With Burn T₀ it is
// R²(1 + ln(T/T₀))/(λ(T − T₀)); with o.FreeBias, or if T ≤ T₀, it is +Inf.
func (o SGD) Bound(xs [][]float64) float64 {
	n, t, burn := len(xs), float64(o.steps(len(xs))), float64(o.Burn)
	if o.FreeBias || t <= burn {
		return math.Inf(1)
	}
	return radius2(xs) * (1 + math.Log(t/max(1, burn))) / (o.lambda(n) * (t - burn))
}

func (o SGD) lambda(n int) float64 { return cmp.Or(o.Lambda, 1/(2*float64(n))) }
func (o SGD) steps(n int) int      { return cmp.Or(o.Steps, max(10000, 300*min(n, math.MaxInt/300))) }

// filled returns o with the defaults for n points filled in.
func (o SGD) filled(n int) (SGD, error) {
	if err := cmp.Or(checkSize("Lambda", o.Lambda), checkSize("Steps", o.Steps)); err != nil {
		return o, err
	}
	o.Lambda, o.Steps = o.lambda(n), o.steps(n)
	if o.Burn < 0 || o.Burn >= o.Steps {
		return o, fmt.Errorf("svm: Burn is %d: want 0 to %d, one less than the number of steps", o.Burn, o.Steps-1)
	}
	if o.Rand == nil {
		o.Rand = rand.New(rand.NewPCG(1, 2))
	}
	return o, nil
}

// radius2 returns R², the largest ‖(x, 1)‖².
func radius2(xs [][]float64) float64 {
	r := 0.0
	for _, x := range xs {
		r = max(r, norm2(x)+1)
	}
	return r
}

// A theta is the sum θ of the yᵢzᵢ added so far, kept as a vector or in coordinates.
type theta interface {
	margin(i int, t float64) float64 // yᵢ⟨θ, zᵢ⟩, in step t
	add(i int, t float64)            // θ += yᵢzᵢ, in step t
}

// rest returns a function that, called once in every step t = step + 1, in order, returns H_T − H_t, or H_T − H_T₀ while
// t ≤ T₀. In the last step it returns 0 exactly.
func (o SGD) rest() func(step int) float64 {
	h := 0.0
	for step := o.Burn; step < o.Steps; step++ {
		h += 1 / float64(step+1)
	}
	return func(step int) float64 {
		if step == o.Steps-1 {
			h = 0
		} else if step >= o.Burn {
			h -= 1 / float64(step+1)
		}
		return h
	}
}

// stochastic makes the run of E3 or E4 on n points: every step draws one of them.
func (o SGD) stochastic(s theta, n int) ([]float64, error) {
	ahead := make([]int, 64) // draws made in advance: the processor can fetch the next points while it adds this one
	return o.run(s, n, 1, func(steps int) []int {
		for j := range min(len(ahead), steps) {
			ahead[j] = o.Rand.IntN(n)
		}
		return ahead
	})
}

// batch makes the run of E7: every step takes all points.
func (o SGD) batch(s theta, n int) ([]float64, error) {
	all := upTo[int](n)
	return o.run(s, n, n, func(int) []int { return all })
}

// run makes a run on n points in which every step takes the mean subgradient of k of them. A point then counts 1/k, so s
// holds kθ. Given how many steps are left, draw returns the points for one or more steps. The result is the c of (4).
func (o SGD) run(s theta, n, k int, draw func(steps int) []int) ([]float64, error) {
	unit, rest := 2*o.Lambda*float64(k), o.rest()
	c, active := make([]float64, n), make([]int, 0, k)
	var points []int
	for step := range o.Steps {
		t, later := float64(step+1), rest(step)
		if len(points) == 0 {
			points = draw(o.Steps - step)
		}
		active = active[:0]
		for _, i := range points[:k] {
			margin := s.margin(i, t)
			if !finite(margin) {
				return nil, badDecision(i, margin)
			}
			if margin < unit*t { // (3)
				active = append(active, i)
			}
		}
		for _, i := range active {
			s.add(i, t)
			c[i] += later // (4)
		}
		points = points[k:]
	}
	divide(c, unit*float64(o.Steps-o.Burn))
	return c, nil
}

func badDecision(i int, v float64) error {
	return fmt.Errorf("svm: the decision at point %d is %v: %w", i, v, ErrNotFinite)
}

// A linear is θ as a vector.
type linear struct {
	signed sparseRows // yᵢzᵢ
	theta  []float64
	ys     []float64
}

func newLinear[X []float64 | Sparse](xs []X, ys []float64) *linear {
	points, _ := vectors(xs)
	d, _ := width(points)
	return &linear{newSparseRows(points, int(d), ys), make([]float64, d+1), ys}
}

func (s *linear) margin(i int, _ float64) float64 { return s.signed.dot(i, s.theta) }
func (s *linear) add(i int, _ float64)            { s.signed.axpy(s.theta, 1, i) }

// plane returns Σᵢ cᵢyᵢzᵢ.
func (s *linear) plane(c []float64) (Hyperplane, error) {
	w := make([]float64, len(s.theta))
	for i, ci := range c {
		s.signed.axpy(w, ci, i)
	}
	if j := nonFinite(w); j >= 0 {
		return Hyperplane{}, fmt.Errorf("svm: coordinate %d of the plane is %v: %w", j, w[j], ErrNotFinite)
	}
	d := len(w) - 1
	return Hyperplane{w[:d:d], w[d]}, nil
}

// A freeBias is a linear whose b is not part of θ: before every product the last coordinate of θ is set to unit·t·b_t, as
// if θ were unit·t(w_t, b_t). This overwrites what additions have made of it.
type freeBias struct {
	*linear
	unit  float64 // 2λ times the number of points in a step
	share float64 // 1 over that number
	b     offset
}

func (s *freeBias) margin(i int, t float64) float64 {
	s.theta[len(s.theta)-1] = s.unit * t * s.b.now
	return s.linear.margin(i, t)
}

func (s *freeBias) add(i int, t float64) {
	s.linear.add(i, t)
	s.b.step(s.share*s.ys[i], t)
}

// An offset is a free bias b_t, and the mean of the b_t with T₀ < t ≤ T.
type offset struct {
	now, mean   float64 // both, as far as the steps so far determine them
	burn, steps float64 // T₀, T
}

func (o SGD) offset() offset { return offset{burn: float64(o.Burn), steps: float64(o.Steps)} }

// step makes the step δ = g/√t of (8), which changes all later b_t.
func (b *offset) step(g, t float64) {
	g /= math.Sqrt(t)
	b.now += g
	b.mean += g * (b.steps - max(t, b.burn)) / (b.steps - b.burn)
}

// sparseRows are rows stored without zeros: row i has value[p] in column column[p], for start[i] ≤ p < start[i+1].
type sparseRows struct {
	start  []int
	column []int32
	value  []float64
}

// newSparseRows returns the rows yᵢ(xᵢ, 1), where the 1 is in column d.
func newSparseRows(xs []Sparse, d int, ys []float64) sparseRows {
	count := len(xs) + nonZeros(xs)
	s := sparseRows{make([]int, 1, len(xs)+1), make([]int32, 0, count), make([]float64, 0, count)}
	for i, x := range xs {
		for k, v := range x.Value {
			if v != 0 {
				s.column, s.value = append(s.column, x.Index[k]), append(s.value, ys[i]*v)
			}
		}
		s.column, s.value = append(s.column, int32(d)), append(s.value, ys[i])
		s.start = append(s.start, len(s.column))
	}
	return s
}

func (s *sparseRows) row(i int) (column []int32, value []float64) {
	from, to := s.start[i], s.start[i+1]
	return s.column[from:to], s.value[from:to]
}

// dot returns (row i)·w.
func (s *sparseRows) dot(i int, w []float64) float64 {
	column, value := s.row(i)
	sum := 0.0
	for p, j := range column {
		sum += value[p] * w[j]
	}
	return sum
}

// axpy sets w += a·(row i).
func (s *sparseRows) axpy(w []float64, a float64, i int) {
	column, value := s.row(i)
	for p, j := range column {
		w[j] += a * value[p]
	}
}

// A kernelised is θ in coordinates (E4), of which it keeps only the values ⟨θ, zᵢ⟩. All it needs is the Gram matrix.
type kernelised struct {
	gram  Rows
	ys    []float64
	value []float64   // ⟨θ, zᵢ⟩
	rows  [][]float64 // those rows of the Gram matrix that are kept
	room  int         // how many more numbers may be kept
	spare []float64   // for a row that is not kept
}

// rowMemory is how many numbers a kernelised keeps in rows of the Gram matrix: 64 MB of them.
const rowMemory = 1 << 23

func newKernelised[X any](xs []X, ys []float64, k Kernel[X]) *kernelised {
	n := len(xs)
	return &kernelised{GramOf(k, xs).Open(), ys, make([]float64, n), make([][]float64, n), rowMemory, make([]float64, n)}
}

func (s *kernelised) margin(i int, _ float64) float64 { return s.ys[i] * s.value[i] }

func (s *kernelised) add(i int, _ float64) {
	row := s.rows[i]
	if row == nil {
		row = s.spare
		if s.room >= len(row) {
			row = make([]float64, len(row))
			s.rows[i], s.room = row, s.room-len(row)
		}
		s.gram.Row(row, i, 0)
	}
	axpy(s.value, s.ys[i], row)
}

// expansion returns Σᵢ cᵢyᵢ k(xᵢ, ·), over the points with cᵢ ≠ 0.
func expansion[X any](xs []X, ys []float64, k Kernel[X], c []float64) (Func[X], error) {
	if err := allFinite("the coefficient of point", c); err != nil {
		return Func[X]{}, err
	}
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

// Perceptron looks for a separating plane: it visits the points in order and adds yᵢ(xᵢ, 1) to (w, b) at every mistake,
// yᵢ(w·xᵢ + b) ≤ 0 (F3). It returns the plane and the number αᵢ of mistakes at each point: (w, b) = Σ αᵢyᵢ(xᵢ, 1).
//
// It stops after n points in a row without a mistake. On separable data it makes at most [NovikoffBound] mistakes. An
// epoch is a pass through the data; it costs the non-zeros of xs. 0 epochs means 1000. If they run out first, the plane
// that was right for most points in a row (W = 0 if none was) is returned, with the mistakes that led to it and an error
// that wraps [ErrNotConverged].
func Perceptron(xs [][]float64, ys []float64, epochs int) (h Hyperplane, alpha []float64, err error) {
	if err := checkLabelled(xs, ys); err != nil {
		return Hyperplane{}, nil, err
	}
	s := newLinear(xs, ys)
	alpha, err = perceive(s, len(xs), epochs)
	if alpha == nil {
		return Hyperplane{}, nil, err
	}
	h, overflow := s.plane(alpha)
	return h, alpha, cmp.Or(overflow, err)
}

// KernelPerceptron is [Perceptron] in coordinates: f = Σ αᵢyᵢk(xᵢ, ·). With the kernel x·z + 1 the run is the same; with
// a kernel without a constant part f has no bias. A mistake costs what an addition costs in [KernelPegasos].
func KernelPerceptron[X any](xs []X, ys []float64, k Kernel[X], epochs int) (f Func[X], alpha []float64, err error) {
	if err := checkKernelled(xs, ys, k); err != nil {
		return Func[X]{}, nil, err
	}
	alpha, err = perceive(newKernelised(xs, ys, k), len(xs), epochs)
	if alpha == nil {
		return Func[X]{}, nil, err
	}
	f, overflow := expansion(xs, ys, k, alpha)
	return f, alpha, cmp.Or(overflow, err)
}

// perceive returns the αᵢ of the first θ without a mistake at n points in a row, or else of that with the longest run.
func perceive(s theta, n, epochs int) ([]float64, error) {
	if err := checkSize("epochs", epochs); err != nil {
		return nil, err
	}
	epochs = cmp.Or(epochs, 1000)
	alpha, best := make([]float64, n), make([]float64, n)
	right, longest := 0, 0 // runs without a mistake, in points: of the present θ and of best
	for range epochs {
		for i := range n {
			margin := s.margin(i, 0)
			if !finite(margin) {
				return nil, badDecision(i, margin)
			}
			if margin > 0 {
				if right++; right == n {
					return alpha, nil
				}
				continue
			}
			if right > longest {
				longest = right
				copy(best, alpha)
			}
			right = 0
			s.add(i, 0)
			alpha[i]++
		}
	}
	if right > longest {
		best = alpha
	}
	return best, fmt.Errorf("svm: the perceptron still errs after %d epochs: %w", epochs, ErrNotConverged)
}

// NovikoffBound returns (R/γ)², where R = max ‖(x, 1)‖ and γ = min yᵢ(w·xᵢ + b)/‖(w, b)‖ (F3): no perceptron makes more
// mistakes, whichever separating plane h is. It is +Inf if h does not separate or R² overflows. It panics if h and the
// points differ in dimension, or the points and labels in number.
func NovikoffBound(h Hyperplane, xs [][]float64, ys []float64) float64 {
	match(len(xs), len(ys))
	w, gamma := slices.Concat(h.W, []float64{h.B}), math.Inf(1)
	divide(w, norm(w))
	for i, x := range xs {
		gamma = min(gamma, ys[i]*(Dot(w[:len(h.W)], x)+w[len(h.W)]))
	}
	if !(gamma > 0) {
		return math.Inf(1)
	}
	return radius2(xs) / gamma / gamma
}

// A Softmax is a linear model of several classes 0, 1, …: class k has the score w_k·x + b_k, where w_k is row k of W.
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

// Between returns the plane with class j on its positive side and class k on the other: w_j − w_k, b_j − b_k (F4).
func (m Softmax) Between(j, k int) Hyperplane {
	w := slices.Clone(m.W.Row(j))
	axpy(w, -1, m.W.Row(k))
	return Hyperplane{w, m.B[j] - m.B[k]}
}

// Probabilities returns p_k = exp(s_k)/Σⱼ exp(sⱼ) of the scores s (F5). No finite score overflows it.
func (m Softmax) Probabilities(x []float64) []float64 {
	s := m.Scores(x)
	softmax(s)
	return s
}

// Loss returns −ln p_y = ln(1 + Σ_{k≠y} exp(s_k − s_y)) (F5).
func (m Softmax) Loss(x []float64, y int) float64 {
	s := m.Scores(x)
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
	p[y]--
	w := NewMatrix(len(p), len(x))
	for k, pk := range p {
		axpy(w.Row(k), pk, x)
	}
	return Softmax{w, p}
}

// Sample returns class k with probability p_k, the randomised prediction (F5). It takes one draw of rng.Float64, so rng
// must not be nil.
func (m Softmax) Sample(x []float64, rng *rand.Rand) int {
	p := m.Probabilities(x)
	u, last := rng.Float64(), 0
	for k, pk := range p {
		if pk > 0 {
			if u < pk {
				return k
			}
			u, last = u-pk, k
		}
	}
	return last // the p sum to 1 only up to rounding
}

// argmax returns the index of the highest score, the first if several have it. NaN is lower than any number.
func argmax(s []float64) (top int) {
	for k, v := range s {
		if cmp.Less(s[top], v) {
			top = k
		}
	}
	return top
}

// softmax replaces the scores s by the probabilities (F5). The largest exponent is 0, so none overflows.
func softmax(s []float64) {
	top, sum := slices.Max(s), 0.0
	for k, v := range s {
		s[k] = math.Exp(v - top)
		sum += s[k]
	}
	for k := range s {
		s[k] /= sum
	}
}

// TrainSoftmax minimises λ(‖W‖² + ‖b‖²) + (1/n) Σ Loss(xᵢ, yᵢ) for labels 0 ≤ yᵢ < classes as [Pegasos] does (F5), and
// returns the average iterate. With o.FreeBias, b is not in the norm. A step costs a point's non-zeros times the classes.
func TrainSoftmax(xs [][]float64, labels []int, classes int, o SGD) (Softmax, error) {
	o, err := o.filled(len(xs))
	if err = cmp.Or(checkClassed(xs, labels, classes), err); err != nil {
		return Softmax{}, err
	}
	points, d := vectors(xs)
	average, err := o.softmaxRun(newSparseRows(points, d, constant(len(xs), 1)), labels, classes, d)
	if err != nil {
		return Softmax{}, err
	}
	m := Softmax{NewMatrix(classes, d), make([]float64, classes)}
	for k := range classes {
		copy(m.W.Row(k), average.Row(k))
		m.B[k] = average.At(k, d)
	}
	return m, nil
}

// softmaxRun makes the run of F5 and returns the averages of the (w_k, b_k), as rows.
func (o SGD) softmaxRun(zs sparseRows, labels []int, classes, d int) (*Matrix, error) {
	theta, sum := NewMatrix(classes, d+1), NewMatrix(classes, d+1) // Σ a_s and Σ (H_T − H_s) a_s, a_s = (e_y − p)zᵀ
	free := slices.Repeat([]offset{o.offset()}, classes)
	p, rest := make([]float64, classes), o.rest()
	for step := range o.Steps {
		t, later := float64(step+1), rest(step)
		unit := 2 * o.Lambda * t
		i := o.Rand.IntN(len(labels))
		for k := range p {
			if o.FreeBias {
				theta.Set(k, d, unit*free[k].now)
			}
			p[k] = zs.dot(i, theta.Row(k)) / unit
		}
		if k := nonFinite(p); k >= 0 {
			return nil, badDecision(i, p[k])
		}
		softmax(p)
		p[labels[i]]-- // p − e_y from here on
		for k, pk := range p {
			zs.axpy(theta.Row(k), -pk, i)
			zs.axpy(sum.Row(k), -pk*later, i)
			free[k].step(-pk, t)
		}
	}
	divide(sum.Data, 2*o.Lambda*float64(o.Steps-o.Burn)) // (4), before collecting by point
	for k, b := range free {
		if o.FreeBias {
			sum.Set(k, d, b.mean)
		}
	}
	if nonFinite(sum.Data) >= 0 {
		return nil, fmt.Errorf("svm: the scores overflow: %w", ErrNotFinite)
	}
	return sum, nil
}

// checkLabelled checks points of any type with labels ±1.
func checkLabelled[X any](xs []X, ys []float64) error {
	if err := checkCount(len(xs), len(ys)); err != nil {
		return err
	}
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

func checkKernelled[X any](xs []X, ys []float64, k Kernel[X]) error {
	return cmp.Or(checkLabelled(xs, ys), checkKernel(k, xs))
}

func checkClassed(xs [][]float64, labels []int, classes int) error {
	if err := checkCount(len(xs), len(labels)); err != nil {
		return err
	}
	if classes < 1 {
		return fmt.Errorf("svm: %d classes: want at least one", classes)
	}
	for i, y := range labels {
		if y < 0 || y >= classes {
			return fmt.Errorf("svm: label %d of point %d: want 0 to %d", y, i, classes-1)
		}
	}
	return checkPoints(xs)
}

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
