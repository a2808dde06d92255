// Copyright 2026 The svm authors. All rights reserved.
// Use of this source code is governed by the MIT
// license that can be found in the LICENSE file.

// Kernels: inner products in spaces that nobody visits.
//
// # The problem
//
// A linear method cuts space with planes. Map the points first, by some φ into more dimensions, and a plane there is
// a curve here: a conic if φ(x) = (x₁², x₁x₂, x₂²), a circle if φ(x) = (x₁, x₂, x₁² + x₂²). But φ(x) soon has millions
// of coordinates, or infinitely many. The way out: linear methods use their points only through inner products, so
// all they need is k(x, z) = ⟨φ(x), φ(z)⟩, and that is often cheap when φ(x) is not. Nor need x be a vector: strings
// have kernels too, and a linear method works on whatever has a kernel.
//
// Legend:
//
//	x, z     points, of any type; in D1 – D9 vectors of d features  x, z X
//	k(x, z)  the kernel, ⟨φ(x), φ(z)⟩                               Kernel.Eval
//	k(x, ·)  the kernel as a function of its second point           section
//	φ(x)     the image of x                                         FeatureMap
//	e        exponents e₁ … e_d: xᵉ = Πxᵢ^eᵢ, |e| = Σeᵢ, e! = Πeᵢ!  monomial
//	c, γ, p  of (c + γ x·z)ᵖ and exp(−γ‖x − z‖²); p, m are degrees  Coef, Gamma, Degree
//	s, δ     a string; the weight of each of its bytes              Decay
//	Φ, K     the matrices with rows φ(xᵢ); with entries k(xᵢ, xⱼ)   GramMatrix
//	V, Λ     eigenvectors and eigenvalues, K = VΛVᵀ                 spectrum
//	φₙ(x)    (k(x₁, x), …, k(xₙ, x))                                EmpiricalMap
//	f, a     f = Σᵢ aᵢ k(xᵢ, ·) and its coefficients                Func, Coef
//	w        a vector of feature space; that of f is Σᵢ aᵢφ(xᵢ)     w
//	t, λ, η  regression targets, ridge, step length                 t, lambda, rate
//
// # Power series of the inner product: D3 – D8
//
// Multiply out a power of the inner product and collect equal monomials:
//
//	(x·z)ᵐ = (Σᵢ xᵢzᵢ)ᵐ = Σ_{|e|=m} (m!/e!) Πᵢ (xᵢzᵢ)^eᵢ   [multinomial theorem]
//	       = Σ_{|e|=m} (m!/e!) xᵉ zᵉ                        [separate x from z]       (1)
//
// so every convergent series with coefficients cₘ ≥ 0 is an inner product, with a coordinate for each e with c_|e| > 0:
//
//	Σₘ cₘ (x·z)ᵐ = φ(x)·φ(z),   φ_e(x) = √(cₘ m!/e!) xᵉ, m = |e|   [(1), weight = root²]     (2)
//
// There are C(d+m−1, m) exponents of degree m [stars and bars] and C(d+p, p) of degree at most p [one more variable,
// always 1, makes up what is missing from p]. Function powerMap builds the φ of (2) for any cₘ ≥ 0. Instances:
//
//	D3, D4   (x·z)² and (1 + x·z)² in the plane
//	D5       (c + γ x·z)ᵖ = Σₘ C(p, m) cᵖ⁻ᵐ γᵐ (x·z)ᵐ     [binomial theorem]; if c = 0 only m = p is left
//	D8       exp(2γ x·z) = Σₘ (1/m!) (2γ x·z)ᵐ            [exponential series], of the points √(2γ)x and √(2γ)z
//
// D6 is 1 + x·z + (x·z)² + (x·z)³ with equal monomials not collected: 1 + d + d² + d³ coordinates, each of weight 1.
// The Gaussian (D7) needs one more step, from ‖x − z‖² = ‖x‖² + ‖z‖² − 2x·z:
//
//	exp(−γ‖x−z‖²) = exp(−γ‖x‖²) exp(−γ‖z‖²) exp(2γ x·z)   [exponents add]           (3)
//
// The first two factors go into φ(x) and φ(z). Stop the series of the third after degree p: by Lagrange's form of
// Taylor's remainder the error is, for some ζ between 0 and u = 2γ x·z,
//
//	exp(−γ‖x‖² − γ‖z‖²) exp(ζ) uᵖ⁺¹/(p+1)!,   exp(ζ) ≤ exp(max(u, 0))                        (4)
//
// Each further degree multiplies this bound by |u|/(p+2): it falls as soon as p + 2 > |u|, and then faster and faster.
//
// # Substrings: D10
//
// Let #ₛ(x) count the places where s occurs in x. Σₛ δ^|s| #ₛ(x) #ₛ(z) has quadratically many terms. So read z, and
// after each byte add δ^|s| #ₛ(x) for every suffix s of what has been read: each occurrence in z counts where it ends.
//
// The suffix automaton of a non-empty string x has at most 2|x| states [the root, one more for the first byte, at most
// two for each later one] and 3|x| edges [a spanning tree from the root has one edge less than there are states. Any
// other edge is the first off the tree on a path that spells a suffix of x: down the tree, along the edge, on to the
// end of x. No two are on the same path, and x has |x| suffixes]. A state v stands for the strings that end at the same
// occ(v) places in x: one of length |v|, and its suffixes of lengths |v| − 1, …, |link v| + 1. State link v stands for
// the next shorter suffixes, which end at more places. So the suffixes of the longest string of v contribute
//
//	W(v) = W(link v) + occ(v) (δ^(|link v|+1) + … + δ^|v|),   W(root) = 0   [state by state]   (5)
//
// If the longest suffix of what has been read of z that occurs in x has length l and state v, add (5) with l for |v|.
//
// # What a Gram matrix knows: D12 – D17
//
// K = ΦΦᵀ is symmetric and zᵀKz = ‖Φᵀz‖² ≥ 0 for any vector z of n numbers (D14). Mercer's theorem is the converse, and
// on finitely many points it is the spectral theorem: if Λ ≥ 0 then Z = Λ^½Vᵀ has K = ZᵀZ, so column i of Z can be
// φ(xᵢ) (D15). Column i of K is φₙ(xᵢ). So for all pairs of points at once, with K⁺ the inverse or pseudo-inverse of K,
//
//	K K⁺ K = K                                             [φₙ(xᵢ)ᵀK⁺φₙ(xⱼ) = k(xᵢ, xⱼ)]     D16
//	(K^{−½}K)ᵀ(K^{−½}K) = K                                [K⁺ = K^{−½}K^{−½}]               D17
//
// The inner products of φₙ itself are K², not K. K costs n²/2 kernel values, its spectrum 4n³ to 6n³ multiply-adds.
//
// # Functions: D18, D19
//
// For f = Σ aᵢk(xᵢ, ·), g = Σ bⱼk(zⱼ, ·) define ⟨f, g⟩ = Σᵢⱼ aᵢbⱼk(xᵢ, zⱼ). It equals Σ aᵢg(xᵢ) and Σ bⱼf(zⱼ), so it
// depends on f and g alone, not on how they are written, and is linear in each; f = k(x, ·) gives the reproducing
// property ⟨k(x, ·), g⟩ = g(x). As ‖f‖² = aᵀKa ≥ 0 (D14),
//
//	⟨f, g⟩² ≤ ‖f‖²‖g‖²                            [‖f‖² − 2τ⟨f, g⟩ + τ²‖g‖² ≥ 0 for all τ]
//	f(x)² = ⟨k(x, ·), f⟩² ≤ k(x, x)‖f‖²           [so only f = 0 has ‖f‖ = 0]
//
// So φ(x) = k(x, ·) is a feature map: ⟨φ(x), φ(z)⟩ = k(x, z), the converse of D14 for all points at once. These f, with
// their limits, are the reproducing kernel Hilbert space (RKHS) of k. Project w on the span of the φ(xᵢ): w = w₁ + w₂,
// w₂ orthogonal to the span. No output ⟨w, φ(xᵢ)⟩ depends on w₂, and ‖w‖² = ‖w₁‖² + ‖w₂‖². So if w minimises a loss of
// the outputs plus a strictly increasing function of ‖w‖, then w₂ = 0, and w = Σ aᵢφ(xᵢ) with Ka = outputs.
//
// # Least squares: F1, F2
//
// The gradient of ‖Φw − t‖² + λ‖w‖² is 2Φᵀ(Φw − t) + 2λw; it vanishes where (ΦᵀΦ + λI)w = Φᵀt. For λ > 0
//
//	Φᵀ(ΦΦᵀ + λI) = (ΦᵀΦ + λI)Φᵀ                               [multiply out]
//	(ΦᵀΦ + λI)⁻¹Φᵀt = Φᵀ(K + λI)⁻¹t = Φᵀa                     [multiply by both inverses]    F1
//	w + (η/n)Φᵀ(t − Φw) = Φᵀ(a + (η/n)(t − Ka))               [w = Φᵀa]                      F2
//
// # What can go wrong
//
// Expanding ‖x − z‖² loses all digits when x and z are far from 0 and near each other; RBF.Eval subtracts first.
// Gram matrices of smooth kernels are singular to working precision: eigenvalues below (n + 16)·2⁻⁵² of the largest are
// rounding errors, and count as 0 wherever they would be divided by. This assumes kernel values that are right to the
// last digits; with degree 100 or a million features they are not. Sigmoid is no kernel at all.
//
// # References
//
// Schölkopf and Smola, Learning with Kernels, for all of it but strings. Schoenberg, Positive definite functions on
// spheres (1942), for why (2) needs cₘ ≥ 0 if it is to be a kernel for every d. Blumer et al., The smallest automaton
// recognizing the subwords of a text (1985); Vishwanathan and Smola, Fast kernels for string and tree matching (2002).

package svm

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
)

// A Kernel is an inner product k(x, z) = ⟨φ(x), φ(z)⟩ of images that need not be computed. Eval must be symmetric but
// for rounding, and safe for concurrent use. Its Gram matrices must be positive semidefinite (D14): see [CheckPSD].
type Kernel[X any] interface{ Eval(x, z X) float64 }

// A KernelFunc makes a function a [Kernel].
type KernelFunc[X any] func(x, z X) float64

// Eval returns f(x, z).
func (f KernelFunc[X]) Eval(x, z X) float64 { return f(x, z) }

// A DotKernel computes k(x, z) from the inner products x·z, x·x and z·z. If a Kernel[[]float64] is a DotKernel too, and
// its Eval agrees with Of on a few pairs of points, [GramOf] computes whole rows at once, which is much faster.
type DotKernel interface {
	Of(xz, xx, zz float64) float64
}

// Linear is the kernel x·z (D9). Its feature map is the identity.
type Linear struct{}

// Eval returns x·z in O(d).
func (k Linear) Eval(x, z []float64) float64 { return Dot(x, z) }

// Of returns xz.
func (Linear) Of(xz, xx, zz float64) float64 { return xz }

// Polynomial is the kernel (Coef + Gamma x·z)^Degree (D5). Gamma 0 means 1, Degree 0 means 3. If Gamma or Coef is
// negative, it is a kernel only if no coefficient of its series (D5) is negative; a negative Degree panics.
type Polynomial struct {
	Degree      int
	Gamma, Coef float64
}

func (k Polynomial) degree() int {
	if k.Degree == 0 {
		return 3
	}
	return k.Degree
}

// Eval returns the kernel in O(d), whatever the degree. Like all kernels of vectors, it panics if their lengths differ.
func (k Polynomial) Eval(x, z []float64) float64 { return k.Of(Dot(x, z), 0, 0) }

// Of returns (Coef + Gamma xz)^Degree.
func (k Polynomial) Of(xz, xx, zz float64) float64 {
	return intPow(k.Coef+orOne(k.Gamma)*xz, k.degree())
}

// FeatureMap returns the φ of (2) for vectors of length dim, the highest degree first (D3, D4, D5). Of its
// N = C(dim+Degree, Degree) coordinates those whose weight is 0 or underflows are left out: if Coef is 0, only the
// C(dim+Degree−1, Degree) of degree Degree remain. Calls of φ cost O(N) and may be concurrent. FeatureMap panics if N
// is above 2²², if dim is not positive, or if a weight is negative or overflows on the way, as from degree 1030 on.
func (k Polynomial) FeatureMap(dim int) func(x []float64) []float64 {
	p, gamma := k.degree(), orOne(k.Gamma)
	checkCoordinates(dim, p)
	c := make([]float64, p+1)
	choose := 1.0 // C(p, m)
	for m := range c {
		c[m] = choose * intPow(k.Coef, p-m) * intPow(gamma, m)
		choose *= float64(p-m) / float64(m+1)
	}
	phi := powerMap(dim, c)
	return func(x []float64) []float64 { return phi(1, x) }
}

// RBF is the Gaussian kernel exp(−Gamma ‖x − z‖²) (D7). Gamma 0 means 1; a negative Gamma does not make a kernel.
// 0 < k(x, z) ≤ k(x, x) = 1, until k(x, z) underflows or ‖x − z‖² overflows.
type RBF struct{ Gamma float64 }

// Eval returns the kernel in O(d), from the differences xᵢ − zᵢ: it is as accurate far from the origin as near it.
func (k RBF) Eval(x, z []float64) float64 { return math.Exp(-orOne(k.Gamma) * distance2(x, z)) }

// Of returns exp(−Gamma (xx + zz − 2xz)), accurate unless xx and zz are much larger than the squared distance.
func (k RBF) Of(xz, xx, zz float64) float64 { return math.Exp(-orOne(k.Gamma) * max(0, xx+zz-2*xz)) }

// FeatureMap returns the truncated Taylor map (D8) for vectors of length dim: the C(dim+degree, degree) coordinates of
// (2) and (3) up to degree, the highest degree first. Its inner products are off by at most [RBF.TruncationBound] plus
// rounding. It panics unless 2 Gamma is finite and ≥ 0, dim ≥ 1, 0 ≤ degree ≤ 170, and there are at most 2²² coordinates.
func (k RBF) FeatureMap(dim, degree int) func(x []float64) []float64 {
	gamma := orOne(k.Gamma)
	if !(gamma > 0 && gamma <= math.MaxFloat64/2) {
		panic(fmt.Sprintf("svm: RBF has no feature map with Gamma %v", gamma))
	}
	const maxDegree = 170 // beyond it 1/degree! is subnormal, and loses digits
	if degree > maxDegree {
		panic(fmt.Sprintf("svm: FeatureMap: degree %d, want at most %d", degree, maxDegree))
	}
	checkCoordinates(dim, degree)
	c := make([]float64, degree+1)
	c[0] = 1
	for m := 1; m <= degree; m++ {
		c[m] = c[m-1] / float64(m)
	}
	phi := powerMap(dim, c)
	return func(x []float64) []float64 {
		y := make([]float64, len(x))
		axpy(y, math.Sqrt(2*gamma), x)
		size := math.Exp(-norm2(y) / 2)
		if size == 0 {
			clear(y) // it may be infinite, and 0·∞ is NaN
		}
		return phi(size, y)
	}
}

// TruncationBound returns the bound (4) on the error |k(x, z) − φ(x)·φ(z)| of FeatureMap(dim, degree), from x·z, x·x,
// z·z. For points within R of the origin it is largest where all three are R² [|2 Gamma x·z| ≤ 2 Gamma R², and the
// exponents of (4) add up to at most 0]: there it is (2 Gamma R²)^(degree+1)/(degree+1)!.
func (k RBF) TruncationBound(degree int, xz, xx, zz float64) float64 {
	gamma, m := orOne(k.Gamma), float64(degree+1)
	logFactorial, _ := math.Lgamma(m + 1)
	logU := math.Ln2 + math.Log(gamma) + math.Log(math.Abs(xz))
	return math.Exp(m*logU - logFactorial + gamma*((max(xz, 0)-xx)+(max(xz, 0)-zz)))
}

// Gaussian returns exp(−‖x − z‖²/(2σ²)), as statistics writes it: Gamma = 1/(2σ²) (D7). Like [GaussianSquare] and
// [GaussianInverse], it panics unless σ and Gamma are positive and finite. For a constant factor in front see [Scale].
func Gaussian(sigma float64) RBF { return gaussian(sigma, 1/(2*sigma*sigma)) }

// GaussianSquare returns exp(−‖x − z‖²/σ²): Gamma = 1/σ² (D7).
func GaussianSquare(sigma float64) RBF { return gaussian(sigma, 1/(sigma*sigma)) }

// GaussianInverse returns exp(−‖x − z‖²/σ): Gamma = 1/σ (D7).
func GaussianInverse(sigma float64) RBF { return gaussian(sigma, 1/sigma) }

func gaussian(sigma, gamma float64) RBF {
	if !(sigma > 0 && gamma > 0 && gamma <= math.MaxFloat64) {
		panic(fmt.Sprintf("svm: Gaussian: the width %v makes Gamma %v, want positive numbers", sigma, gamma))
	}
	return RBF{gamma}
}

// ScaleGamma returns 1/(d·v) for vectors of length d whose entries, all taken together, have variance v. With it the
// mean of Gamma ‖x − z‖², over x and z drawn from the rows with replacement, is at most 2, whatever the units. If
// 1/(d·v) is not positive and finite, as when there are no entries or all are equal, it returns 1. O(nd).
func ScaleGamma(xs [][]float64) float64 {
	var n, first, sum, sum2 float64 // sum adds up differences from first, so that equal entries have variance exactly 0
	for _, x := range xs {
		for _, v := range x {
			if n == 0 {
				first = v
			}
			n++
			sum += v - first
		}
	}
	for _, x := range xs {
		for _, v := range x {
			d := v - first - sum/n // from the mean
			sum2 += d * d
		}
	}
	if gamma := float64(len(xs)) / sum2; gamma > 0 && gamma <= math.MaxFloat64 {
		return gamma // 1/(d·sum2/n), n = d·len(xs)
	}
	return 1
}

// Sigmoid is tanh(Gamma x·z + Coef). Gamma 0 means 1. It is not a kernel: many of its Gram matrices have negative
// eigenvalues ([CheckPSD] shows one), and then no guarantee of this package holds. It is here because others offer it.
type Sigmoid struct{ Gamma, Coef float64 }

// Eval returns tanh(Gamma x·z + Coef).
func (k Sigmoid) Eval(x, z []float64) float64 { return k.Of(Dot(x, z), 0, 0) }

// Of returns tanh(Gamma xz + Coef).
func (k Sigmoid) Of(xz, xx, zz float64) float64 { return math.Tanh(orOne(k.Gamma)*xz + k.Coef) }

// Cosine is x·z/(‖x‖‖z‖) (D9), the linear kernel of x/‖x‖. A vector x whose ‖x‖² underflows has cosine 0 with every
// vector, as 0 has; one whose ‖x‖² overflows has cosine NaN with the rest, itself included.
type Cosine struct{}

// Eval returns the cosine of the angle between x and z.
func (k Cosine) Eval(x, z []float64) float64 { return k.Of(Dot(x, z), norm2(x), norm2(z)) }

const cosineSlack = 0x1p-26 // how far beyond 1 rounding errors, even those of long sums, may take a cosine

// Of returns xz/√(xx·zz).
func (Cosine) Of(xz, xx, zz float64) float64 {
	switch {
	case math.Abs(xx) < 0x1p-1022 || math.Abs(zz) < 0x1p-1022: // ‖x‖² or ‖z‖² is 0, or has lost digits
		return 0
	case math.IsInf(xx, 1) || math.IsInf(zz, 1): // else finite/∞ would be 0
		return math.NaN()
	}
	square := xx * zz
	c := xz / math.Sqrt(square)                     // exactly 1 if xz = xx = zz
	if !(0x1p-1000 < square && square < 0x1p1000) { // xx·zz has overflowed or lost digits
		c = xz / (math.Sqrt(xx) * math.Sqrt(zz))
	}
	if math.Abs(c) < 1+cosineSlack { // what is beyond 1 is a rounding error
		c = max(-1, min(c, 1))
	}
	return c
}

// TFIDF learns the rarity of terms from a corpus, one row of term counts per document, and returns the weighting
// xₜ ↦ xₜ ln(n/nₜ), where nₜ of the n documents contain term t; a term in none of them has weight 0 (D9).
// Pullback(Cosine{}, TFIDF(corpus)) compares documents. It panics if documents differ in length.
func TFIDF(corpus [][]float64) func(x []float64) []float64 {
	documents, d := vectors(corpus)
	terms := upTo[int32](max(d, 0))                 // d is −1 if there is no document
	every := Sparse{terms, constant(len(terms), 1)} // a document that has every term once
	weight := TFIDFSparse(documents)(every).Value
	return func(x []float64) []float64 {
		if len(x) != len(weight) {
			panic(fmt.Sprintf("svm: TFIDF: a document of %d terms, the corpus has %d", len(x), len(weight)))
		}
		return times(x, weight)
	}
}

// TFIDFSparse is [TFIDF] for [Sparse] documents, to compare by OnSparse(Cosine{}). Its results share the Index of x.
func TFIDFSparse(corpus []Sparse) func(x Sparse) Sparse {
	weight := map[int32]float64{} // by term t: first nₜ, then ln(n/nₜ)
	for _, x := range corpus {
		for k, t := range x.Index {
			if x.Value[k] != 0 {
				weight[t]++
			}
		}
	}
	for t, with := range weight {
		weight[t] = math.Log(float64(len(corpus)) / with)
	}
	return func(x Sparse) Sparse {
		y := Sparse{x.Index, make([]float64, len(x.Value))}
		for k, t := range x.Index {
			y.Value[k] = x.Value[k] * weight[t]
		}
		return y
	}
}

// Quadratic returns (x₁², x₁x₂, x₂²): planes there are conics centred on the origin here (D1).
func Quadratic(x []float64) []float64 { return []float64{x[0] * x[0], x[0] * x[1], x[1] * x[1]} }

// Paraboloid returns (x₁, x₂, x₁² + x₂²): planes there are circles and lines here (D2).
func Paraboloid(x []float64) []float64 { return []float64{x[0], x[1], x[0]*x[0] + x[1]*x[1]} }

// AllProducts is the kernel 1 + x·z + (x·z)² + (x·z)³ (D6).
type AllProducts struct{}

// Eval returns the kernel in O(d).
func (k AllProducts) Eval(x, z []float64) float64 { return k.Of(Dot(x, z), 0, 0) }

// Of returns 1 + xz + xz² + xz³.
func (AllProducts) Of(xz, xx, zz float64) float64 { return 1 + xz*(1+xz*(1+xz)) }

// FeatureMap returns [1, xᵢ, xᵢxⱼ, xᵢxⱼxₖ], over all i, all i, j and all i, j, k: 1 + d + d² + d³ coordinates.
func (AllProducts) FeatureMap(x []float64) []float64 {
	d := len(x)
	out := append(make([]float64, 0, 1+d+d*d+d*d*d), 1)
	from := 0 // the products of the last degree begin here
	for range 3 {
		last := out[from:]
		from = len(out)
		for _, product := range last {
			for _, v := range x {
				out = append(out, product*v)
			}
		}
	}
	return out
}

// maxCoordinates is the largest dimension of a feature map: 128 MB of monomials.
const maxCoordinates = 1 << 22

// checkCoordinates panics unless dim ≥ 1, degree ≥ 0 and C(dim+degree, degree) ≤ maxCoordinates.
func checkCoordinates(dim, degree int) {
	n := 1.0
	for i := 1; dim >= 1 && i <= degree && n <= maxCoordinates; i++ {
		n *= (float64(dim) + float64(i)) / float64(i)
	}
	if dim < 1 || degree < 0 || n > maxCoordinates {
		panic(fmt.Sprintf("svm: FeatureMap: dimension %d, degree %d: want dimension ≥ 1, degree ≥ 0, at most %d coordinates",
			dim, degree, maxCoordinates))
	}
}

// A monomial xᵉ is 1, or its parent, of one degree less, times x_last.
type monomial struct {
	parent, last int
	run          int     // the exponent of x_last
	orders       float64 // |e|!/e!, the number of orders of its factors
}

// monomials returns all of degree at most p in dim variables, x₁ before x₂. Those of degree m begin at begin[m].
func monomials(dim, p int) (all []monomial, begin []int) {
	all, begin = []monomial{{orders: 1}}, []int{0, 1}
	for m := 1; m <= p; m++ {
		for parent := begin[m-1]; parent < begin[m]; parent++ {
			run := all[parent].run
			for v := all[parent].last; v < dim; v++ {
				run++ // m!/e! = (m−1)!/e′! · m/e_v, where e′ is e with one x_v less: the parent
				all = append(all, monomial{parent, v, run, all[parent].orders * float64(m) / float64(run)})
				run = 0
			}
		}
		begin = append(begin, len(all))
	}
	return all, begin
}

// powerMap returns the feature map (2) of Σₘ cₘ(x·z)ᵐ, every coordinate multiplied by start. The monomials begin with
// that factor, so that a tiny start keeps them from overflow.
func powerMap(dim int, c []float64) func(start float64, x []float64) []float64 {
	all, begin := monomials(dim, len(c)-1)
	var keep []int     // the monomials that are coordinates, the highest degree first
	var root []float64 // √(cₘ m!/e!) of these
	for m := len(c) - 1; m >= 0; m-- {
		for i := begin[m]; i < begin[m+1]; i++ {
			weight := c[m] * all[i].orders
			r := math.Sqrt(weight)
			if !(r <= math.MaxFloat64) { // true for NaN too: the root of a negative weight
				panic(fmt.Sprintf("svm: FeatureMap: a coordinate of degree %d has the weight %v, want ≥ 0 and finite", m, weight))
			}
			if r > 0 {
				keep, root = append(keep, i), append(root, r)
			}
		}
	}
	return func(start float64, x []float64) []float64 {
		if len(x) != dim {
			panic(fmt.Sprintf("svm: FeatureMap(%d) of a vector of length %d", dim, len(x)))
		}
		value := make([]float64, len(all))
		value[0] = start
		for i, m := range all[1:] {
			value[i+1] = value[m.parent] * x[m.last]
		}
		phi := make([]float64, len(keep))
		for i, k := range keep {
			phi[i] = root[i] * value[k]
		}
		return phi
	}
}

// orOne returns v, or 1 if v is 0: the default of Gamma and Decay.
func orOne(v float64) float64 {
	if v == 0 {
		return 1
	}
	return v
}

// intPow returns xⁿ, n ≥ 0, by repeated squaring.
func intPow(x float64, n int) float64 {
	if n < 0 {
		panic("svm: Polynomial: Degree is negative")
	}
	y := 1.0
	for ; n > 0; n >>= 1 {
		if n&1 != 0 {
			y *= x
		}
		x *= x
	}
	return y
}

// distance2 returns ‖x − z‖².
func distance2(x, z []float64) float64 {
	if len(x) != len(z) {
		panic(fmt.Sprintf("svm: distance of vectors of lengths %d and %d", len(x), len(z)))
	}
	var s0, s1, s2, s3 float64
	for len(x) >= 4 && len(z) >= 4 {
		d0, d1, d2, d3 := x[0]-z[0], x[1]-z[1], x[2]-z[2], x[3]-z[3]
		s0 += d0 * d0
		s1 += d1 * d1
		s2 += d2 * d2
		s3 += d3 * d3
		x, z = x[4:], z[4:]
	}
	for i, v := range x {
		d := v - z[i]
		s0 += d * d
	}
	return (s0 + s1) + (s2 + s3)
}

// A composed kernel is made of other kernels, its parts, and computes its rows from their rows.
type composed[X any] interface {
	Kernel[X]
	section(x X) func(z X) float64 // k(x, ·)
	open(r recipe[X]) valuer       // the rows of r, a recipe of this kernel
	check(xs []X) error            // what checkKernel finds wrong with the parts
}

// section returns k(x, ·). The types listed have a method for it, which does once what depends on x alone. They are
// listed because a type that embeds a Substring has the method, too, but may be another kernel.
func section[X any](k Kernel[X], x X) func(z X) float64 {
	switch any(k).(type) {
	case composed[X], sparseKernel, Substring:
		return k.(interface{ section(x X) func(z X) float64 }).section(x)
	}
	return func(z X) float64 { return k.Eval(x, z) }
}

// evalAll sets dst[j] = k(x, zⱼ).
func evalAll[X any](dst []float64, k Kernel[X], x X, zs []X) {
	kx := section(k, x)
	for j, z := range zs {
		dst[j] = kx(z)
	}
}

// Over returns k with dot in the place of the inner product (D11): another metric, an inner product of maps, or another
// kernel's Eval; for [Sparse] vectors see [OnSparse]. Eval calls dot three times, a row of [GramOf] once a value.
func Over[X any](k DotKernel, dot func(x, z X) float64) Kernel[X] {
	return overKernel[X]{k, KernelFunc[X](dot)}
}

// An overKernel is k with another kernel in the place of the inner product.
type overKernel[X any] struct {
	k     DotKernel
	inner Kernel[X]
}

// Eval costs three evaluations of inner.
func (o overKernel[X]) Eval(x, z X) float64 { return o.section(x)(z) }

func (o overKernel[X]) section(x X) func(z X) float64 {
	at := section(o.inner, x)
	xx := at(x)
	return func(z X) float64 { return o.k.Of(at(z), xx, o.inner.Eval(z, z)) }
}

// A Sparse is a vector given by its non-zeros: coordinate Index[k] ≥ 0 is Value[k], and all others are 0. The indices
// ascend strictly: training checks this, kernels and decisions rely on it. It has no dimension: any two have a product.
type Sparse struct {
	Index []int32
	Value []float64
}

// NewSparse returns the non-zeros of x.
func NewSparse(x []float64) Sparse {
	var s Sparse
	for f, v := range x {
		if v != 0 {
			s.Index, s.Value = append(s.Index, int32(f)), append(s.Value, v)
		}
	}
	return s
}

// Dot returns x·z, in one pass through both.
func (x Sparse) Dot(z Sparse) float64 {
	sum, j := 0.0, 0
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

// DotDense returns x·w, where coordinates beyond the end of w count as 0. It costs the non-zeros of x.
func (x Sparse) DotDense(w []float64) float64 {
	sum := 0.0
	for i, f := range x.Index {
		if int(f) >= len(w) {
			break
		}
		sum += x.Value[i] * w[f]
	}
	return sum
}

// dotSum returns x·w for w = Σ aᵢzᵢ, of which it computes only the coordinates where x has an entry.
func (x Sparse) dotSum(a []float64, zs []Sparse) float64 {
	w, lost := make([]float64, len(x.Index)), make([]float64, len(x.Index))
	for i, z := range zs {
		j := 0
		for k, f := range x.Index {
			for j < len(z.Index) && z.Index[j] < f {
				j++
			}
			if j < len(z.Index) && z.Index[j] == f {
				sum, rest := addExact(w[k], a[i], z.Value[j])
				w[k], lost[k] = sum, lost[k]+rest
			}
		}
	}
	axpy(w, 1, lost)
	return Dot(w, x.Value)
}

// distance2 returns ‖x − z‖², from the differences.
func (x Sparse) distance2(z Sparse) float64 {
	sum, j := 0.0, 0
	for i, f := range x.Index {
		for ; j < len(z.Index) && z.Index[j] < f; j++ {
			sum += z.Value[j] * z.Value[j]
		}
		d := x.Value[i]
		if j < len(z.Index) && z.Index[j] == f {
			d -= z.Value[j]
			j++
		}
		sum += d * d
	}
	return sum + norm2(z.Value[j:])
}

// OnSparse returns k as a kernel of Sparse points: OnSparse(RBF{Gamma: 2}). An evaluation costs the non-zeros of both
// points. Gram matrices and decisions are those of the same points as []float64, but no zero is ever visited.
// Over(k, Sparse.Dot) is the same kernel, but slower, and if k is a Gaussian it loses digits far from the origin.
func OnSparse(k DotKernel) Kernel[Sparse] { return sparseKernel{plain(k)} }

type sparseKernel struct{ k DotKernel }

// Eval returns k(x, z), of a Gaussian from the differences.
func (s sparseKernel) Eval(x, z Sparse) float64 { return s.section(x)(z) }

func (s sparseKernel) section(x Sparse) func(z Sparse) float64 {
	if k, ok := s.k.(RBF); ok {
		return func(z Sparse) float64 { return math.Exp(-orOne(k.Gamma) * x.distance2(z)) }
	}
	xx := norm2(x.Value)
	return func(z Sparse) float64 { return s.k.Of(x.Dot(z), xx, norm2(z.Value)) }
}

// Sum returns Σᵢ kᵢ(x, z), a kernel [φ is the concatenation of the φᵢ] (D13).
func Sum[X any](ks ...Kernel[X]) Kernel[X] {
	return fold[X]{slices.Clone(ks), 0, func(a, b float64) float64 { return a + b }}
}

// Product returns Πᵢ kᵢ(x, z), a kernel [φ has all products of one coordinate of each φᵢ] (D13).
func Product[X any](ks ...Kernel[X]) Kernel[X] { return fold[X]{slices.Clone(ks), 1, multiply} }

// Scale returns c·k(x, z), a kernel [φ is √c times that of k] (D13). It panics unless c is finite and not negative.
func Scale[X any](c float64, k Kernel[X]) Kernel[X] {
	if !(c >= 0 && c <= math.MaxFloat64) {
		panic(fmt.Sprintf("svm: Scale: %v times a kernel is not a kernel", c))
	}
	return fold[X]{[]Kernel[X]{k}, c, multiply}
}

func multiply(a, b float64) float64 { return a * b }

// A fold is the kernel op(… op(op(start, k₁(x, z)), k₂(x, z)) …).
type fold[X any] struct {
	parts []Kernel[X]
	start float64
	op    func(a, b float64) float64
}

// Eval costs what the parts cost.
func (f fold[X]) Eval(x, z X) float64 { return f.section(x)(z) }

func (f fold[X]) section(x X) func(z X) float64 {
	at := make([]func(z X) float64, len(f.parts))
	for i, k := range f.parts {
		at[i] = section(k, x)
	}
	return func(z X) float64 {
		v := f.start
		for _, kx := range at {
			v = f.op(v, kx(z))
		}
		return v
	}
}

// Normalize returns k(x, z)/√(k(x, x)k(z, z)), the cosine of φ(x) and φ(z), a kernel [of φ(x)/‖φ(x)‖] (D13). Where
// φ(x) is 0, or k(x, x) over- or underflows, it does what [Cosine] does.
func Normalize[X any](k Kernel[X]) Kernel[X] { return overKernel[X]{Cosine{}, k} }

// Pullback returns k(f(x), f(z)), a kernel [φ∘f] (D13). The kernel of a feature map is Pullback(Linear{}, phi). Gram
// matrices, training and predicting many points compute f once for each point or support vector.
func Pullback[X, Y any](k Kernel[Y], f func(x X) Y) Kernel[X] { return pullback[X, Y]{k, f} }

type pullback[X, Y any] struct {
	k Kernel[Y]
	f func(x X) Y
}

// Eval maps both points.
func (p pullback[X, Y]) Eval(x, z X) float64 { return p.section(x)(z) }

func (p pullback[X, Y]) section(x X) func(z X) float64 {
	kx, f := section(p.k, p.f(x)), p.f
	return func(z X) float64 { return kx(f(z)) }
}

// Precomputed is the kernel whose value at (i, j) is entry (i, j) of K: its points are row numbers of K. Values of new
// points may be further rows and columns of K. Or let m.Kernel of a model be Precomputed{B}, where row i of B holds the
// values of new point i and the training points; then m.Decision(i) is its decision.
type Precomputed struct{ K *Matrix }

// Eval returns entry (i, j) of K. It panics if there is none.
func (k Precomputed) Eval(i, j int) float64 { return k.K.At(i, j) }

// Substring is the kernel Σₛ Decay^|s| #ₛ(x) #ₛ(z) over all strings s of one byte or more; #ₛ(x) counts the places
// of s in x (D10). Decay 0 means 1; a negative one makes no kernel. Long strings have large values: see [Normalize].
type Substring struct{ Decay float64 }

// Eval returns the kernel in O(|x| + |z|) steps and O(|x|) memory. A step searches the list of one state's edges.
func (k Substring) Eval(x, z string) float64 { return k.section(x)(z) }

func (k Substring) section(x string) func(z string) float64 {
	return newAutomaton(x, orOne(k.Decay)).common
}

// An automaton is the suffix automaton of a string x, with the sums (5).
type automaton struct {
	states []suffixState // the root, the empty string, is state 0
	edges  []suffixEdge  // linked lists, one for each state; 0 ends a list
	power  []float64     // δᵐ, m ≤ |x|
	series []float64     // δ + δ² + … + δᵐ, m ≤ |x|
}

// A suffixState is a state v: strings of lengths |link v|+1 … |v|, suffixes of each other, that end at the same places.
type suffixState struct {
	length, link int32   // |v|, link v
	edge         int32   // the first of its list of edges
	occ, total   float64 // occ(v), W(v)
}

// A suffixEdge leads from the strings of a state to those with the byte b appended.
type suffixEdge struct {
	b        byte
	to, next int32
}

func newAutomaton(x string, decay float64) *automaton {
	n := len(x)
	a := &automaton{
		states: append(make([]suffixState, 0, 2*n+1), suffixState{link: -1}),
		edges:  make([]suffixEdge, 1, 3*n+1),
		power:  make([]float64, n+1),
		series: make([]float64, n+1),
	}
	last := int32(0)
	a.power[0] = 1
	for i := range n {
		last = a.extend(last, x[i])
		a.power[i+1] = a.power[i] * decay
		a.series[i+1] = a.series[i] + a.power[i+1]
	}
	order := a.byLength()
	for i := len(order) - 1; i > 0; i-- { // where a string ends, its suffixes end too
		v := a.states[order[i]]
		a.states[v.link].occ += v.occ
	}
	for _, i := range order[1:] {
		v := &a.states[i]
		v.total = a.suffixes(v, v.length)
	}
	return a
}

// extend adds the byte b to the string whose state is last, and returns the state of the result.
func (a *automaton) extend(last int32, b byte) int32 {
	whole := a.add(suffixState{length: a.states[last].length + 1, occ: 1})
	p := last
	for ; p >= 0 && a.find(p, b) == 0; p = a.states[p].link { // the suffixes that b follows for the first time
		a.connect(p, b, whole)
	}
	if p < 0 {
		return whole
	}
	q := a.edges[a.find(p, b)].to
	if length := a.states[p].length + 1; a.states[q].length != length {
		q = a.split(q, length, p, b) // strings of q that are longer do not end here
	}
	a.states[whole].link = q
	return whole
}

// split moves the strings of state q of at most the given length into a new state, to which it redirects the edges by
// the byte b that lead to q from p and from the suffixes of p. It returns the new state.
func (a *automaton) split(q, length, p int32, b byte) int32 {
	short := a.add(suffixState{length: length, link: a.states[q].link})
	for e := a.states[q].edge; e != 0; e = a.edges[e].next {
		a.connect(short, a.edges[e].b, a.edges[e].to)
	}
	for ; p >= 0; p = a.states[p].link {
		e := a.find(p, b)
		if a.edges[e].to != q {
			break
		}
		a.edges[e].to = short
	}
	a.states[q].link = short
	return short
}

func (a *automaton) add(s suffixState) int32 {
	a.states = append(a.states, s)
	return int32(len(a.states) - 1)
}

// connect adds an edge of v by the byte b.
func (a *automaton) connect(v int32, b byte, to int32) {
	a.edges = append(a.edges, suffixEdge{b, to, a.states[v].edge})
	a.states[v].edge = int32(len(a.edges) - 1)
}

// find returns the edge of v by the byte b, or 0.
func (a *automaton) find(v int32, b byte) int32 {
	e := a.states[v].edge
	for e != 0 && a.edges[e].b != b {
		e = a.edges[e].next
	}
	return e
}

// byLength returns the states in the order of their lengths, by a counting sort.
func (a *automaton) byLength() []int32 {
	next := make([]int, len(a.power)+1) // by length: the place of its next state
	for _, v := range a.states {
		next[v.length+1]++
	}
	for i := range a.power {
		next[i+1] += next[i]
	}
	order := make([]int32, len(a.states))
	for i, v := range a.states {
		order[next[v.length]] = int32(i)
		next[v.length]++
	}
	return order
}

// suffixes returns Σ δ^|s| #ₛ(x) over the suffixes s of the string of length l in state v: (5), with l for |v|. The sum
// of powers is δ^|link v| (δ + … + δ^(l−|link v|)): a difference of two series would cancel, or overflow too early.
func (a *automaton) suffixes(v *suffixState, l int32) float64 {
	link := &a.states[v.link]
	return link.total + v.occ*(a.power[link.length]*a.series[l-link.length])
}

// common returns Σₛ δ^|s| #ₛ(x) #ₛ(z). Invariant: of the suffixes of what has been read of z, the longest that occurs in
// x has length l and belongs to state v. Each byte raises l by at most 1, and each link lowers it: O(|z|) steps.
func (a *automaton) common(z string) float64 {
	var v, l int32
	sum := 0.0
	for i := range len(z) {
		e := a.find(v, z[i])
		for ; e == 0 && v != 0; e = a.find(v, z[i]) {
			v = a.states[v].link
			l = a.states[v].length
		}
		if e != 0 {
			v, l = a.edges[e].to, l+1
			sum += a.suffixes(&a.states[v], l)
		}
	}
	return sum
}

// GramMatrix returns K, Kᵢⱼ = k(xᵢ, xⱼ), from n(n+1)/2 evaluations on all cores: exactly symmetric, however k rounds.
func GramMatrix[X any](k Kernel[X], xs []X) *Matrix {
	if k == nil {
		panic(errNoKernel)
	}
	m := NewMatrix(len(xs), len(xs))
	halfGram(m.upper(), k, xs)
	return m.mirror()
}

// halfGram sets row i of upper to k(xᵢ, xᵢ), k(xᵢ, xᵢ₊₁), …, by Eval. The diagonal is from Diag: rows of [Over] have it
// when they are opened, while Row would evaluate the inner kernel once more.
func halfGram[X any](upper triangle, k Kernel[X], xs []X) {
	rows, diag := recipe[X]{k: k, xs: xs}.open(), make([]float64, len(xs))
	rows.Diag(diag)
	parallel(0, len(xs), func(i int) {
		upper[i][0] = diag[i]
		rows.Row(upper[i][1:], i, i+1)
	})
}

// mirror copies the upper half of m to the lower, and returns m.
func (m *Matrix) mirror() *Matrix {
	for i := range m.Rows {
		for j := range i {
			m.Set(i, j, m.At(j, i))
		}
	}
	return m
}

// CheckPSD returns the least eigenvalue of K, 0 if K is empty, and a unit vector z with zᵀKz = min. If min is below 0
// by more than rounding, about n·2⁻⁵² of the largest eigenvalue, K is no Gram matrix and z is the witness (D14). A K
// that is not symmetric counts as (K + Kᵀ)/2, which has the same zᵀKz. It panics unless K is square and finite. O(n³).
func CheckPSD(k *Matrix) (min float64, witness []float64) {
	k.whole("CheckPSD")
	if k.Rows != k.Cols {
		panic(fmt.Sprintf("svm: CheckPSD: %d×%d matrix is not square", k.Rows, k.Cols))
	}
	s := k.T()
	for e, v := range s.Data {
		s.Data[e] = v/2 + k.Data[e]/2
	}
	values, v := SymEigen(s)
	if len(values) == 0 {
		return 0, nil
	}
	return values[0], v.T().Row(0)
}

// Distance returns ‖φ(x) − φ(z)‖ = √(k(x, x) + k(z, z) − 2k(x, z)) (D12). Below about 10⁻⁸‖φ(x)‖ all digits cancel.
func Distance[X any](k Kernel[X], x, z X) float64 {
	return math.Sqrt(max(0, k.Eval(x, x)+k.Eval(z, z)-2*k.Eval(x, z)))
}

// A spectrum is K = VΛVᵀ with the eigenvalues that cannot be told from 0 set to 0.
type spectrum struct {
	lambda []float64 // ascending
	v      *Matrix
}

// roundoff returns the relative size of rounding errors in the eigenvalues and pivots of an n × n Gram matrix: 2⁻⁵² for
// each of the n terms of a sum, and 16 times that for the entries themselves.
func roundoff(n int) float64 { return float64(n+16) * machineEps }

func newSpectrum(k *Matrix) (spectrum, error) {
	if err := k.finite("Gram matrix"); err != nil {
		return spectrum{}, err
	}
	lambda, v := SymEigen(k)
	if i := nonFinite(lambda); i >= 0 {
		return spectrum{}, fmt.Errorf("svm: an eigenvalue of the Gram matrix is %v: %w", lambda[i], ErrNotFinite)
	}
	zero := roundoff(len(lambda)) * largest(lambda)
	for i, l := range lambda {
		if l < -zero {
			return spectrum{}, fmt.Errorf("svm: no Gram matrix: its least eigenvalue is %v: %w", l, ErrNotPositiveDefinite)
		}
		if l <= zero {
			lambda[i] = 0
		}
	}
	return spectrum{lambda, v}, nil
}

// apply returns VΛᵖVᵀx with 0ᵖ = 0: K⁺x for p = −1, K^{−½}x for p = −½. It multiplies by one factor after the other:
// the entries of the product VΛᵖVᵀ are sums of powers of very different sizes, in which small ones are lost.
func (s spectrum) apply(p float64, x []float64) []float64 {
	y, z := make([]float64, len(x)), make([]float64, len(x))
	s.v.MulVecT(y, x)
	for i, l := range s.lambda {
		if l > 0 {
			y[i] *= math.Pow(l, p)
		} else {
			y[i] = 0
		}
	}
	s.v.MulVec(z, y)
	return z
}

// GramFeatures returns Z = Λ^½Vᵀ, without the rows that are 0, the largest eigenvalue first: K = ZᵀZ, so that column i
// of Z is a feature vector of point i (D15). It reads the lower triangle of K. The error wraps ErrNotPositiveDefinite if
// an eigenvalue is below 0 by more than a rounding error, ErrNotFinite if one, or any entry of K, is not finite. O(n³).
func GramFeatures(k *Matrix) (*Matrix, error) {
	s, err := newSpectrum(k)
	if err != nil {
		return nil, err
	}
	n, zeros := len(s.lambda), 0
	for zeros < n && s.lambda[zeros] == 0 {
		zeros++
	}
	z, vt := NewMatrix(n-zeros, n), s.v.T()
	for i := range z.Rows {
		axpy(z.Row(i), math.Sqrt(s.lambda[n-1-i]), vt.Row(n-1-i))
	}
	return z, nil
}

// EmpiricalMap returns φₙ(x) = (k(x₁, x), …, k(xₙ, x)) (D16). Its inner products are not those of k: see [KernelPCAMap].
func EmpiricalMap[X any](k Kernel[X], xs []X) func(x X) []float64 {
	xs = slices.Clone(xs)
	return func(x X) []float64 {
		phi := make([]float64, len(xs))
		evalAll(phi, k, x, xs)
		return phi
	}
}

// KernelPCAMap returns ψ(x) = K^{−½}φₙ(x). Its inner products are ψ(x)·ψ(z) = ⟨Pφ(x), Pφ(z)⟩, P the projection on the
// span of the φ(xᵢ): on the points xs that is k(x, z) (D17). Eigenvalues of K below about n·2⁻⁵² of the largest count
// as 0. Errors are those of [GramFeatures], and of invalid points or kernels. O(n³), and then O(n²) a point.
func KernelPCAMap[X any](k Kernel[X], xs []X) (func(x X) []float64, error) {
	if err := cmp.Or(checkPoints(xs), checkKernel(k, xs)); err != nil {
		return nil, err
	}
	s, err := newSpectrum(GramMatrix(k, xs))
	if err != nil {
		return nil, err
	}
	phi := EmpiricalMap(k, xs)
	return func(x X) []float64 { return s.apply(-0.5, phi(x)) }, nil
}

// A Func is the function f = Σᵢ Coefᵢ k(Pointsᵢ, ·), an element of the reproducing kernel Hilbert space of k (D18). The
// zero value is the function 0. Functions that meet in Inner or Add must have the same kernel. Points must not change.
type Func[X any] struct {
	Kernel Kernel[X]
	Points []X
	Coef   []float64
}

// whole panics unless f has a coefficient for each point, and a kernel if it has points.
func (f Func[X]) whole() {
	if len(f.Points) != len(f.Coef) {
		panic(fmt.Sprintf("svm: Func: %d points and %d coefficients", len(f.Points), len(f.Coef)))
	}
	if f.Kernel == nil && len(f.Points) > 0 {
		panic(errNoKernel)
	}
}

// Eval returns f(x) = ⟨f, k(x, ·)⟩ from one kernel value a point; for a linear k every call sums w: see [Explicit].
func (f Func[X]) Eval(x X) float64 {
	f.whole()
	// A linear f is w·x, whose rounding error stays small where large terms aᵢxᵢ·x cancel.
	if x, ok := any(x).(Sparse); ok && dotKernel(f.Kernel) == (Linear{}) {
		if v := x.dotSum(f.Coef, any(f.Points).([]Sparse)); finite(v) {
			return v
		}
	}
	if w, ok := weights(f, math.MaxInt); ok {
		return dotWeights(w, x)
	}
	kx := section(f.Kernel, x)
	sum := 0.0
	for i, p := range f.Points {
		sum += f.Coef[i] * kx(p)
	}
	return sum
}

// Inner returns ⟨f, g⟩ = Σᵢⱼ aᵢbⱼk(xᵢ, zⱼ), itself a kernel: KernelFunc[Func[X]](Func[X].Inner).
func (f Func[X]) Inner(g Func[X]) float64 {
	f.whole()
	sum := 0.0
	for i, p := range f.Points {
		sum += f.Coef[i] * g.Eval(p)
	}
	return sum
}

// Norm returns ‖f‖ = √⟨f, f⟩.
func (f Func[X]) Norm() float64 { return math.Sqrt(max(0, f.Inner(f))) }

// Add returns f + g.
func (f Func[X]) Add(g Func[X]) Func[X] {
	f.whole()
	g.whole()
	k := f.Kernel
	if k == nil {
		k = g.Kernel
	}
	return Func[X]{k, slices.Concat(f.Points, g.Points), slices.Concat(f.Coef, g.Coef)}
}

// Scale returns c·f.
func (f Func[X]) Scale(c float64) Func[X] {
	f.whole()
	coef := make([]float64, len(f.Coef))
	axpy(coef, c, f.Coef)
	return Func[X]{f.Kernel, f.Points, coef}
}

// Project returns the orthogonal projection of f on the span of the k(xᵢ, ·): the function of least norm that equals f
// at every xᵢ, with coefficients K⁺(f(x₁), …, f(xₙ)), K⁺ the pseudo-inverse. As in the representer theorem (D19), it
// does not lengthen f and changes no f(xᵢ), or by no more than √λ‖f‖, λ the largest eigenvalue that K⁺ takes for 0.
// Errors are those of [KernelPCAMap], and ErrNotFinite if a coefficient overflows. O(n³).
func (f Func[X]) Project(xs []X) (Func[X], error) {
	if f.Kernel == nil && len(f.Points) == 0 {
		return f, nil // the zero value, the function 0
	}
	if err := cmp.Or(checkPoints(xs), checkKernel(f.Kernel, xs)); err != nil {
		return Func[X]{}, err
	}
	s, err := newSpectrum(GramMatrix(f.Kernel, xs))
	if err != nil {
		return Func[X]{}, err
	}
	out := make([]float64, len(xs))
	for i, x := range xs {
		out[i] = f.Eval(x)
	}
	if err := allFinite("Project: the function at point", out); err != nil {
		return Func[X]{}, err
	}
	a := s.apply(-1, out)
	if err := allFinite("Project: coefficient", a); err != nil {
		return Func[X]{}, err
	}
	return Func[X]{f.Kernel, slices.Clone(xs), a}, nil
}

// KernelRidge returns the f that minimises Σᵢ (f(xᵢ) − tᵢ)² + λ‖f‖², a = (K + λI)⁻¹t (F1). The error wraps
// ErrNotPositiveDefinite if K + λI is singular to working precision, as where λ is 0 and two points are equal, and
// ErrNotFinite if a point, a target or a kernel value is not finite. n³/6 multiply-adds, memory for n²/2 numbers.
func KernelRidge[X any](xs []X, t []float64, k Kernel[X], lambda float64) (Func[X], error) {
	if err := cmp.Or(checkSize("lambda", lambda), checkRegression(xs, t), checkKernel(k, xs)); err != nil {
		return Func[X]{}, err
	}
	gram := newTriangle(len(xs))
	halfGram(gram, k, xs)
	a := slices.Clone(t)
	if err := solveRidge(gram, a, lambda); err != nil {
		return Func[X]{}, err
	}
	return Func[X]{k, slices.Clone(xs), a}, nil
}

// Ridge returns the w that minimises ‖Φw − t‖² + λ‖w‖², w = (ΦᵀΦ + λI)⁻¹Φᵀt (F1), where Φ has the rows phi: the primal
// form of [KernelRidge], cheaper if there are more points than features. nd²/2 + d³/6 multiply-adds; the same errors.
func Ridge(phi [][]float64, t []float64, lambda float64) ([]float64, error) {
	if err := cmp.Or(checkSize("lambda", lambda), checkRegression(phi, t)); err != nil {
		return nil, err
	}
	m := MatrixFromRows(phi)
	normal, w := newTriangle(m.Cols), make([]float64, m.Cols)
	normal.addGram(constant(m.Rows, 1), phi)
	m.MulVecT(w, t)
	if err := solveRidge(normal, w, lambda); err != nil {
		return nil, err
	}
	return w, nil
}

// solveRidge replaces b by (A + λI)⁻¹b, and a, the upper triangle of A, by the factor of A + λI.
func solveRidge(a triangle, b []float64, lambda float64) error {
	diag := make([]float64, len(a))
	for i, row := range a {
		row[0] += lambda
		if j := nonFinite(row); j >= 0 {
			return fmt.Errorf("svm: ridge: matrix entry (%d, %d) is %v: %w", i, i+j, row[j], ErrNotFinite)
		}
		diag[i] = row[0]
	}
	if pivot := a.factor(); pivot >= 0 {
		return fmt.Errorf("svm: ridge: the matrix plus lambda = %v is singular at row %d: %w",
			lambda, pivot, ErrNotPositiveDefinite)
	}
	if least := a.least(diag); least <= roundoff(len(a)) {
		return fmt.Errorf("svm: ridge: the matrix plus lambda = %v, scaled to diagonal 1, has the eigenvalue %.2g: %w",
			lambda, least, ErrNotPositiveDefinite)
	}
	a.solve(b)
	return allFinite("ridge: coefficient", b)
}

// LeastSquares takes steps of gradient descent on ‖Φw − t‖²/(2n) from w = 0, w ← w + (η/n)Φᵀ(t − Φw), where Φ has the
// rows phi and η is the rate (F2), and returns w. It converges if 0 < η < 2n/μ, μ the largest eigenvalue of ΦᵀΦ. Beyond
// that, w usually grows without bound; once it overflows, the error wraps ErrNotConverged. O(nd) a step.
func LeastSquares(phi [][]float64, t []float64, rate float64, steps int) ([]float64, error) {
	if err := cmp.Or(checkSize("rate", rate), checkSize("steps", steps), checkRegression(phi, t)); err != nil {
		return nil, err
	}
	m := MatrixFromRows(phi)
	w, grad := make([]float64, m.Cols), make([]float64, m.Cols)
	residual := make([]float64, m.Rows)
	for range steps {
		subtract(residual, t, m, w)
		m.MulVecT(grad, residual)
		axpy(w, rate/float64(len(t)), grad)
	}
	return w, checkDescent(w, rate)
}

// KernelLeastSquares is the run of [LeastSquares], step for step, with features φ that are never computed (F2):
// aᵢ ← aᵢ + (η/n)(tᵢ − Σⱼ aⱼKᵢⱼ), w = Σ aᵢφ(xᵢ). It keeps K and a, not Φ and w. O(n²) a step.
func KernelLeastSquares[X any](xs []X, t []float64, k Kernel[X], rate float64, steps int) (Func[X], error) {
	if err := cmp.Or(checkSize("rate", rate), checkSize("steps", steps), checkRegression(xs, t), checkKernel(k, xs)); err != nil {
		return Func[X]{}, err
	}
	gram := GramMatrix(k, xs)
	if err := gram.finite("Gram matrix"); err != nil {
		return Func[X]{}, err
	}
	a, residual := make([]float64, len(t)), make([]float64, len(t))
	for range steps {
		subtract(residual, t, gram, a)
		axpy(a, rate/float64(len(t)), residual)
	}
	return Func[X]{k, slices.Clone(xs), a}, checkDescent(a, rate)
}

// subtract sets dst = t − m v.
func subtract(dst, t []float64, m *Matrix, v []float64) {
	m.MulVec(dst, v)
	for i, p := range dst {
		dst[i] = t[i] - p
	}
}

func checkDescent(w []float64, rate float64) error {
	if nonFinite(w) >= 0 {
		return fmt.Errorf("svm: gradient descent diverges: rate %v is too large: %w", rate, ErrNotConverged)
	}
	return nil
}

// checkSize returns an error unless the parameter called name is finite and not negative.
func checkSize[T int | float64](name string, v T) error {
	if !finite(float64(v)) {
		return fmt.Errorf("svm: %s is %v: %w", name, v, ErrNotFinite)
	}
	if v < 0 {
		return fmt.Errorf("svm: %s %v is negative", name, v)
	}
	return nil
}

// checkRegression returns an error unless the points are valid and each has a finite target.
func checkRegression[X any](xs []X, t []float64) error {
	if len(xs) != len(t) {
		return fmt.Errorf("svm: %d points, but %d targets", len(xs), len(t))
	}
	return cmp.Or(allFinite("target", t), checkPoints(xs))
}

// checkPoints returns an error if xs are vectors and some are not finite, of unequal lengths or malformed.
func checkPoints[X any](xs []X) error {
	if xs, ok := any(xs).([]Sparse); ok {
		return checkSparse(xs)
	}
	dense, _ := any(xs).([][]float64)
	for i, x := range dense {
		if len(x) != len(dense[0]) {
			return fmt.Errorf("svm: point %d has %d features, point 0 has %d", i, len(x), len(dense[0]))
		}
		if j := nonFinite(x); j >= 0 {
			return fmt.Errorf("svm: feature %d of point %d is %v: %w", j, i, x[j], ErrNotFinite)
		}
	}
	return nil
}

// checkKernel returns an error if k, or a kernel that it is made of, is nil, a polynomial of negative degree, or a
// matrix without a row for some point. It does not check the images under a Pullback: there such a matrix panics.
func checkKernel[X any](k Kernel[X], xs []X) error {
	switch any(k) {
	case nil, (*Precomputed)(nil), (*Substring)(nil):
		return errNoKernel
	}
	switch k := any(k).(type) {
	case KernelFunc[X]:
		if k == nil {
			return errNoKernel
		}
	case Precomputed:
		return k.check(any(xs).([]int))
	case *Precomputed:
		return k.check(any(xs).([]int))
	case sparseKernel:
		return checkDot(k.k)
	case DotKernel:
		return checkDot(k)
	case composed[X]:
		return k.check(xs)
	}
	return nil
}

func (o overKernel[X]) check(xs []X) error { return cmp.Or(checkDot(o.k), checkKernel(o.inner, xs)) }

func (f fold[X]) check(xs []X) error {
	for _, part := range f.parts {
		if err := checkKernel(part, xs); err != nil {
			return err
		}
	}
	return nil
}

func (p pullback[X, Y]) check([]X) error {
	if p.f == nil {
		return errors.New("svm: the function of the kernel is nil")
	}
	return checkKernel(p.k, nil)
}

var errNoKernel = errors.New("svm: the kernel is nil")

func checkDot(k DotKernel) error {
	k = plain(k)
	if p, ok := k.(Polynomial); ok && p.Degree < 0 {
		return fmt.Errorf("svm: a polynomial of degree %d", p.Degree)
	}
	if k == nil {
		return errNoKernel
	}
	return nil
}

// check returns an error unless K is a matrix and, if any rows are asked for, square and has them all.
func (k Precomputed) check(rows []int) error {
	if k.K == nil {
		return errors.New("svm: the kernel's matrix is nil")
	}
	if len(k.K.Data) != k.K.Rows*k.K.Cols {
		return fmt.Errorf("svm: the kernel's %d×%d matrix has %d entries", k.K.Rows, k.K.Cols, len(k.K.Data))
	}
	for i, x := range rows {
		if x < 0 || x >= k.K.Rows || k.K.Rows != k.K.Cols {
			return fmt.Errorf("svm: point %d is row %d of a %d×%d matrix", i, x, k.K.Rows, k.K.Cols)
		}
	}
	return nil
}

func checkSparse(xs []Sparse) error {
	for i, x := range xs {
		if len(x.Index) != len(x.Value) {
			return fmt.Errorf("svm: point %d has %d indices and %d values", i, len(x.Index), len(x.Value))
		}
		last := int32(-1)
		for k, f := range x.Index {
			if f <= last {
				return fmt.Errorf("svm: index %d of point %d follows %d: want indices from 0 up that rise", f, i, last)
			}
			if v := x.Value[k]; !finite(v) {
				return fmt.Errorf("svm: feature %d of point %d is %v: %w", f, i, v, ErrNotFinite)
			}
			last = f
		}
	}
	return nil
}

// The Gram matrix, row by row.
//
// A solver asks for whole rows of K, hundreds of thousands of values at a time, and never looks at a point. Let X be
// the matrix with rows xⱼ. If k is a function of inner products, the row of x is that function, entry by entry, of
//
//	(Xx)ⱼ = Σ_f x_f X_jf      that is      Xx = Σ_f x_f X_·f                       (G1)
//
// The left form takes n inner products. The right form adds up columns of X, one for every non-zero feature f of x, and
// is far cheaper when X is stored by columns. Dense columns, those with more than a quarter of non-zeros, are added
// without a branch, four in one pass, so that the sum is loaded and stored once for four products. Of a sparse column
// only the non-zeros are visited. So zeros of x cost nothing, nor do those of X in a sparse column. Every point is
// treated as a [Sparse], a []float64 as one with the indices 0, 1, 2, ….
//
// The Gaussian needs ‖x − z‖² = ‖x‖² + ‖z‖² − 2x·z, which cancels when the points are far from the origin and near each
// other. Distances do not change when every point is moved by the same vector, so a column whose mean is large beside
// its spread is moved to mean zero. The remaining error is about ε(‖x‖² + ‖z‖²) in the squared distance, and γ times
// that, relatively, in the kernel. Where this is too much, as it may be for large multipliers, there are no columns:
// rows are by Eval, which subtracts first.
//
// Another number does as well as the mean, if it is within centreShare standard deviations of it. So if most entries of
// a column are one such number, that is subtracted, and they become 0. A feature that was 0 for most points before it
// was scaled to [−1, 1] is an example: its −1 becomes 0 again, and a zero of x costs nothing.

// A Gram is an n×n kernel matrix K, stored or computed as needed. It is immutable; every solver opens a view of its own.
// A *[Matrix] is a Gram, and [GramOf] makes one that computes its rows on demand.
type Gram interface {
	Len() int
	Open() Rows
}

// Rows is one solver's view of a Gram matrix, in an order of points that the solver may change.
type Rows interface {
	Diag(dst []float64)             // dst[i] = K_ii
	Row(dst []float64, i, from int) // dst[j] = K_i,from+j; concurrent calls are safe
	Permute(at []int)               // from now on point k < len(at) is what was point at[k]; the others stay
	Cost() float64                  // about how many multiply-adds one value of K takes
}

// GramOf returns the Gram matrix of the points without computing it. The points must not change while it is in use. A
// row takes n evaluations of k. If k is a [DotKernel] of vectors, or one [OnSparse], it takes much less: for each
// non-zero of its point about a multiply-add per non-zero of that feature, or per point if more than a quarter have it.
// A kernel made of kernels computes rows from theirs. A Gaussian takes n evaluations if γ times the largest ‖x‖², of
// points moved near the origin, is above 10⁴. An infinite or NaN coordinate may show in the rows of other points.
func GramOf[X any](k Kernel[X], xs []X) Gram { return newRecipe(k, xs) }

// A recipe is a Gram given by a kernel and points; open decides how it computes rows.
type recipe[X any] struct {
	k       Kernel[X]
	xs      []X
	vectors func() []Sparse // returns the points as Sparse, nil if they are no vectors. Without it rows are by Eval
	rough   float64         // the relative error that a Gaussian may have in a row
}

func newRecipe[X any](k Kernel[X], xs []X) recipe[X] {
	return recipe[X]{k, xs, sync.OnceValue(func() []Sparse {
		vs, _ := vectors(xs)
		return pack(vs)
	}), expandTol}
}

// within returns r with a Gaussian's rows so exact that Σⱼ aⱼKᵢⱼ is right within tol if Σ|aⱼ| ≤ size, or to leastRough.
func (r recipe[X]) within(tol, size float64) recipe[X] {
	r.rough = min(expandTol, max(tol/size, leastRough))
	return r
}

// pick returns the recipe of some of the points.
func (r recipe[X]) pick(rows []int) recipe[X] {
	return recipe[X]{r.k, pick(r.xs, rows), func() []Sparse { return pick(r.vectors(), rows) }, r.rough}
}

// centred returns the Gram matrix for a dual with Σβ = 0. There the linear kernel may have its origin anywhere: with
// x′ = x − m and w = Σβⱼxⱼ,
//
//	Σⱼ βⱼx′ⱼ·x′ᵢ = w·xᵢ − w·m                                                     (G4)
//
// [Σβⱼm = 0], so βᵀKβ is the same, and every entry of the gradient is greater by w·m, which b absorbs. So columns far
// from 0 are moved: else products of features near 10⁷ would have rounding errors near 10⁻². If one is moved, shift
// holds the m·x′ⱼ, so that w·m = Σⱼ βⱼ shiftⱼ. The matrix is for one solver: its view is the matrix itself.
func (r recipe[X]) centred() (gram Gram, shift []float64) {
	if _, linear := dotKernel(r.k).(Linear); !linear {
		return r, nil
	}
	c := r.columns(true)
	if c == nil {
		return r, nil
	}
	for _, d := range c.dense {
		if d.origin != 0 {
			if shift == nil {
				shift = make([]float64, len(d.v))
			}
			axpy(shift, d.origin, d.v)
		}
	}
	return c, shift
}

func (r recipe[X]) Len() int { return len(r.xs) }

func (r recipe[X]) Open() Rows { return r.open() }

// A valuer is Rows that has the kernel values of other points, too.
type valuer interface {
	Rows
	values(dst []float64, x any) // dst[j] = k(x, xⱼ), before any Permute; concurrent calls are safe
}

// open makes rows: from a matrix, from the rows of k's parts, by columns, or else by Eval.
func (r recipe[X]) open() valuer {
	switch k := any(r.k).(type) {
	case Precomputed:
		return &matrixRows{k.K, any(r.xs).([]int)}
	case composed[X]:
		return k.open(r)
	}
	if c := r.columns(false); c != nil {
		return c
	}
	return &evalRows[X]{r.k, r.xs}
}

// evalRows computes K value by value, whatever the points and the kernel are.
type evalRows[X any] struct {
	k  Kernel[X]
	xs []X
}

func (r *evalRows[X]) Diag(dst []float64) {
	for i, x := range r.xs {
		dst[i] = r.k.Eval(x, x)
	}
}

func (r *evalRows[X]) Row(dst []float64, i, from int) {
	evalAll(dst, r.k, r.xs[i], r.xs[from:from+len(dst)])
}

func (r *evalRows[X]) values(dst []float64, x any) { evalAll(dst, r.k, as[X](x), r.xs) }

// as returns x, which was an X before it became an any. The assertion fails only if it was nil, of an interface type X.
func as[X any](x any) X {
	p, _ := x.(X)
	return p
}

func (r *evalRows[X]) Permute(at []int) { r.xs = permuted(r.xs, at) }

func (r *evalRows[X]) Cost() float64 { return 200 } // a guess: Eval may be anything

// foldRows computes a fold from the rows of its parts.
type foldRows[X any] struct {
	fold[X]
	rows []valuer  // of the parts
	pool sync.Pool // of *[]float64
}

func (f fold[X]) open(r recipe[X]) valuer {
	rows := &foldRows[X]{fold: f, pool: sync.Pool{New: func() any { return new([]float64) }}}
	for _, part := range f.parts {
		r.k = part
		rows.rows = append(rows.rows, r.open())
	}
	return rows
}

func (r *foldRows[X]) Diag(dst []float64) {
	r.combine(dst, func(part valuer, values []float64) { part.Diag(values) })
}

func (r *foldRows[X]) Row(dst []float64, i, from int) {
	r.combine(dst, func(part valuer, values []float64) { part.Row(values, i, from) })
}

func (r *foldRows[X]) values(dst []float64, x any) {
	r.combine(dst, func(part valuer, values []float64) { part.values(values, x) })
}

// combine folds the values of all parts; get computes those of one part.
func (r *foldRows[X]) combine(dst []float64, get func(part valuer, values []float64)) {
	values := r.pool.Get().(*[]float64)
	*values = slices.Grow((*values)[:0], len(dst))[:len(dst)]
	for j := range dst {
		dst[j] = r.start
	}
	for _, part := range r.rows {
		get(part, *values)
		for j, v := range *values {
			dst[j] = r.op(dst[j], v)
		}
	}
	r.pool.Put(values)
}

func (r *foldRows[X]) Permute(at []int) {
	for _, part := range r.rows {
		part.Permute(at)
	}
}

func (r *foldRows[X]) Cost() float64 {
	cost := 0.0
	for _, part := range r.rows {
		cost += part.Cost() + 4
	}
	return cost
}

// overRows computes an overKernel from the rows of its inner one.
type overRows[X any] struct {
	overKernel[X]
	rows  valuer    // of inner
	norms []float64 // the diagonal of inner
}

func (o overKernel[X]) open(r recipe[X]) valuer {
	r.k = o.inner
	rows := &overRows[X]{o, r.open(), make([]float64, len(r.xs))}
	rows.rows.Diag(rows.norms)
	return rows
}

func (r *overRows[X]) Diag(dst []float64) {
	for i, xx := range r.norms {
		dst[i] = r.k.Of(xx, xx, xx)
	}
}

func (r *overRows[X]) Row(dst []float64, i, from int) {
	r.rows.Row(dst, i, from)
	entrywise{r.k}.row(dst, r.norms[from:], r.norms[i])
}

func (r *overRows[X]) values(dst []float64, x any) {
	r.rows.values(dst, x)
	entrywise{r.k}.row(dst, r.norms, r.inner.Eval(as[X](x), as[X](x)))
}

func (r *overRows[X]) Permute(at []int) {
	r.rows.Permute(at)
	r.norms = permuted(r.norms, at)
}

func (r *overRows[X]) Cost() float64 { return r.rows.Cost() + 4 }

// imageRows computes a pullback from the images of the points.
type imageRows[X, Y any] struct {
	valuer
	f func(x X) Y
}

func (p pullback[X, Y]) open(r recipe[X]) valuer {
	ys := make([]Y, len(r.xs))
	for i, x := range r.xs {
		ys[i] = p.f(x)
	}
	images := newRecipe(p.k, ys)
	images.rough = r.rough
	if r.vectors == nil || checkPoints(ys) != nil { // rows are by Eval if those of r are, or if Train would refuse ys
		images.vectors = nil
	}
	return imageRows[X, Y]{images.open(), p.f}
}

func (r imageRows[X, Y]) values(dst []float64, x any) { r.valuer.values(dst, r.f(as[X](x))) }

// permuted returns a copy of v in which entry k < len(at) is what was entry at[k], and the others are what they were.
func permuted[T any](v []T, at []int) []T { return append(pick(v, at), v[len(at):]...) }

// Len returns the number of rows. With Open it makes a symmetric Matrix a [Gram].
func (m *Matrix) Len() int { return m.Rows }

// Open returns a view of a symmetric Matrix that shares its numbers.
func (m *Matrix) Open() Rows {
	return &matrixRows{m, upTo[int](m.Rows)}
}

type matrixRows struct {
	m  *Matrix
	at []int // point k has row and column at[k] of m
}

func (r *matrixRows) Diag(dst []float64) {
	for k, i := range r.at {
		dst[k] = r.m.At(i, i)
	}
}

func (r *matrixRows) Row(dst []float64, i, from int) {
	r.m.gather(dst, r.at[i], r.at[from:from+len(dst)])
}

// gather sets dst[k] to entry at[k] of row i. If it needs many entries, it first reads one number of each cache line in
// order: that brings the row into the cache, and memory is several times as fast in order.
func (m *Matrix) gather(dst []float64, i int, at []int) {
	row := m.Row(i)
	dst = dst[:len(at)]
	if len(at) > len(row)/cacheLine {
		sum := 0.0
		for j := 0; j < len(row); j += cacheLine {
			sum += row[j]
		}
		dst[0] = sum // soon overwritten, but the compiler would drop a sum that is not used
	}
	for k, j := range at {
		dst[k] = row[j]
	}
}

func (r *matrixRows) values(dst []float64, x any) { r.m.gather(dst, x.(int), r.at) }

func (r *matrixRows) Permute(at []int) { r.at = permuted(r.at, at) }

func (r *matrixRows) Cost() float64 { return 4 } // reading through an index

const (
	cacheLine = 8 // numbers that come from memory together

	// A column is stored whole if more than this share of its entries is not zero: to add it whole costs a quarter of a
	// nanosecond an entry, to visit only its non-zeros about one nanosecond each.
	denseShare = 0.25

	// A number is far from the mean of a column beyond this many standard deviations. If 0 is not far, cancellation
	// costs only two or three bits, and moving to the mean would turn zeros, which cost nothing, into numbers that do.
	centreShare = 2

	// At most this many entries of a column vote on the number that most of them are, which takes so large a lead.
	voters   = 32
	voteLead = 1. / 3

	// The relative error that a Gaussian may have from the expansion of ‖x − z‖² if every inner product is rounded
	// once: at most expandTol, less where multipliers are large, down to leastRough. With sums of d terms it is some
	// √d/8 times as large, or d/64 times if the terms are equal.
	expandTol  = 1e-11
	leastRough = 1e-13

	// The error that this may cause in a decision value.
	decisionTol = 1e-9

	// If Eval and Of differ by more than this share of the larger value, they are not the same kernel.
	agreeTol = 1e-6

	// All columns are added to this many entries of a row, then to the next: 16 KB stay in cache as columns stream by.
	rowChunk = 2048
)

// columns holds vectors by feature, for the rows of K by (G1).
type columns struct {
	kernel  rowKernel
	norms   []float64      // ‖xⱼ‖², of the moved points
	dense   []denseColumn  // features with many non-zeros
	sparse  []sparseColumn // features with few
	place   placement      // where a feature is in these two
	xs      []Sparse       // the points in their present order
	all     []int32        // 0, 1, 2, …: the indices of a dense vector
	byValue valuer         // the same matrix, without columns and before any Permute
	cost    float64
	pool    sync.Pool // of *sparseVector
}

type denseColumn struct {
	origin float64   // what was subtracted
	share  float64   // of non-zeros among the entries
	v      []float64 // n entries
}

type sparseColumn struct {
	at []int32   // the points, ascending
	v  []float64 // their entries
}

// A placement tells where the column of a feature is: 1 + its place in dense, −1 − its place in sparse, or 0 for none.
type placement struct {
	low  []int32         // by feature
	high map[int32]int32 // features beyond low, so that feature 2³¹ − 1 needs no more memory than others
}

func (p *placement) at(f int32) int32 {
	if int(f) < len(p.low) {
		return p.low[f]
	}
	return p.high[f]
}

func (p *placement) set(f, place int32) {
	if int(f) < len(p.low) {
		p.low[f] = place
	} else {
		p.high[f] = place
	}
}

// sparseVector is a point ready to be multiplied with all columns.
type sparseVector struct {
	norm2  float64   // ‖x‖² of the moved point
	dense  []float64 // coefficient of each dense column
	at     []int32   // the sparse columns where x is not zero
	sparse []float64 // and its coefficients there
	next   []int     // in the course of a row, which entries of these columns come next
}

// rowKernel turns inner products into kernel values: dst[j] = k(x, zⱼ) from dst[j] = x·zⱼ, zz[j] = ‖zⱼ‖², xx = ‖x‖².
type rowKernel interface {
	row(dst, zz []float64, xx float64)
}

// dotKernel returns k as a function of inner products of dense or sparse vectors, or nil if it is none.
func dotKernel[X any](k Kernel[X]) DotKernel {
	if s, sparse := any(k).(sparseKernel); sparse {
		return s.k
	}
	dot, _ := any(k).(DotKernel)
	return plain(dot)
}

// plain returns k, or what it points to if k is a pointer to a kernel of this package.
func plain(k DotKernel) DotKernel {
	switch p := k.(type) {
	case *Linear:
		return target(p)
	case *Polynomial:
		return target(p)
	case *RBF:
		return target(p)
	case *Sigmoid:
		return target(p)
	case *Cosine:
		return target(p)
	case *AllProducts:
		return target(p)
	}
	return k
}

func target[K DotKernel](p *K) DotKernel {
	if p == nil {
		return nil
	}
	return *p
}

// columns stores the points by columns, and moves the columns if only distances matter or if centre is set. It returns
// nil if there are no vectors, if the kernel has no Of that agrees with its Eval, or if a Gaussian would lose accuracy.
func (r recipe[X]) columns(centre bool) *columns {
	dot := dotKernel(r.k)
	if dot == nil || r.vectors == nil {
		return nil
	}
	vs := r.vectors()
	if len(vs) == 0 {
		return nil
	}
	_, d := vectors(r.xs[:1])
	c := &columns{byValue: &evalRows[X]{r.k, r.xs}, xs: vs, all: upTo[int32](max(d, 0)), kernel: entrywise{dot}}
	switch dot.(type) {
	case Linear, RBF, Polynomial:
		c.kernel = dot.(rowKernel)
	case Sigmoid, Cosine, AllProducts:
	default:
		if !r.agrees(dot, vs) {
			return nil
		}
	}
	rbf, invariant := dot.(RBF)
	c.layOut()
	c.fill()
	if centre || invariant {
		c.move()
	}
	for _, d := range c.dense {
		c.cost += d.share // this share of the points is not zero here, and needs all entries
	}
	c.measure()
	c.pool.New = func() any { return &sparseVector{dense: make([]float64, len(c.dense))} }
	longest := max(slices.Max(c.norms), 0x1p-900) // were it 0, any γ would pass, even one that RBF.row scales to ∞
	if invariant && !(orOne(rbf.Gamma) > 0 && 4*machineEps*orOne(rbf.Gamma)*longest <= r.rough) {
		return nil
	}
	return c
}

// agrees reports whether Eval and Of agree on all pairs of some points, the longest in each eighth of the data, as Of
// loses most there. A type that embeds a kernel of this package inherits its Of, whatever its own Eval is.
func (r recipe[X]) agrees(dot DotKernel, vs []Sparse) bool {
	const some = 8
	at := make([]int, some)
	for a := range at {
		i, best := a*len(vs)/some, 0.0
		for j := i; j < (a+1)*len(vs)/some; j++ {
			if size := norm2(vs[j].Value); size > best {
				i, best = j, size
			}
		}
		at[a] = i
	}
	for _, i := range at {
		for _, j := range at {
			eval := r.k.Eval(r.xs[i], r.xs[j])
			of := dot.Of(vs[i].Dot(vs[j]), norm2(vs[i].Value), norm2(vs[j].Value))
			if !(math.Abs(eval-of) <= agreeTol*max(math.Abs(eval), math.Abs(of))) {
				return false
			}
		}
	}
	return true
}

// vectors returns points that are []float64 or Sparse as Sparse ones that share their numbers, or nil if they are no
// vectors. The width is the length of the []float64 ones, −1 if there are none.
func vectors[X any](xs []X) (views []Sparse, width int) {
	switch points := any(xs).(type) {
	case []Sparse:
		return points, -1
	case [][]float64:
		if len(points) == 0 {
			break
		}
		width = len(points[0])
		all := upTo[int32](width)
		views = make([]Sparse, len(points))
		for i, x := range points {
			views[i] = asSparse(x, all)
		}
		return views, width
	}
	return nil, -1
}

// asSparse returns x, a []float64 or a Sparse, as a Sparse; all are the indices of a []float64.
func asSparse(x any, all []int32) Sparse {
	if s, ok := x.(Sparse); ok {
		return s
	}
	v := x.([]float64)
	if len(v) != len(all) {
		panic(fmt.Sprintf("svm: a point with %d coordinates among points with %d", len(v), len(all)))
	}
	return Sparse{all, v}
}

// pack returns the points without their zeros if at most one entry in sixteen is not zero: the copy takes less than a
// tenth of the memory of dense points, and without it each visit to a point would mostly skip zeros.
func pack(xs []Sparse) []Sparse {
	all, kept := 0, nonZeros(xs)
	for _, x := range xs {
		all += len(x.Value)
	}
	if 16*kept > all || all == 0 {
		return xs
	}
	index, value := make([]int32, 0, kept), make([]float64, 0, kept)
	packed := make([]Sparse, len(xs))
	for i, x := range xs {
		from := len(value)
		for k, v := range x.Value {
			if v != 0 {
				index, value = append(index, x.Index[k]), append(value, v)
			}
		}
		packed[i] = Sparse{index[from:], value[from:]}
	}
	return packed
}

// entrywise is the rowKernel of any DotKernel, one value at a time.
type entrywise struct{ k DotKernel }

func (r entrywise) row(dst, zz []float64, xx float64) {
	for j, xz := range dst {
		dst[j] = r.k.Of(xz, xx, zz[j])
	}
}

// A feature and the number of its non-zeros, which decides how its column is stored.
type feature struct{ index, count int32 }

// features counts the non-zeros of each feature, in order of appearance. For now, c.place numbers them from 1.
func (c *columns) features() []feature {
	entries := 0
	for _, x := range c.xs {
		entries += len(x.Index)
	}
	d, _ := width(c.xs)
	c.place = placement{make([]int32, min(d, 2*int64(entries))), map[int32]int32{}}
	all := make([]feature, 0, len(c.xs[0].Index))
	for _, x := range c.xs {
		for k, f := range x.Index {
			if x.Value[k] == 0 {
				continue
			}
			p := c.place.at(f)
			if p == 0 {
				all = append(all, feature{index: f})
				p = int32(len(all))
				c.place.set(f, p)
			}
			all[p-1].count++
		}
	}
	return all
}

// layOut decides how each feature is stored, and allocates the columns.
func (c *columns) layOut() {
	n := len(c.xs)
	all := c.features()
	few := all[:0] // the features with few non-zeros
	entries := 0   // how many non-zeros these have
	for _, f := range all {
		share := float64(f.count) / float64(n)
		if share <= denseShare {
			few = append(few, f)
			c.place.set(f.index, -int32(len(few)))
			entries += int(f.count)
			c.cost += 4 * share * share // this share of the points needs this share of the entries, at four times the price
			continue
		}
		c.dense = append(c.dense, denseColumn{share: share})
		c.place.set(f.index, int32(len(c.dense)))
	}
	room := make([]float64, n*len(c.dense))
	for p := range c.dense {
		c.dense[p].v, room = room[:n:n], room[n:]
	}
	at, v := make([]int32, entries), make([]float64, entries)
	c.sparse = make([]sparseColumn, len(few))
	for p, f := range few {
		c.sparse[p] = sparseColumn{at: at[:0:f.count], v: v[:0:f.count]}
		at, v = at[f.count:], v[f.count:]
	}
	c.cost += 8 // the kernel's own function
}

// move subtracts from each dense column the number that most of its entries are, if there is one near the mean, or
// else the mean, if that is far from 0.
func (c *columns) move() {
	n := float64(len(c.xs))
	for p := range c.dense {
		d := &c.dense[p]
		mean := total(d.v) / n
		variance := max(norm2(d.v)/n-mean*mean, machineEps*mean*mean) // at least the rounding error of the difference
		far := centreShare * centreShare * variance
		most, lead := vote(d.v)
		if off := most - mean; most != 0 && lead > voteLead && off*off <= far {
			d.origin, d.share = most, (1-lead)/2
		} else if mean*mean > far {
			d.origin, d.share = mean, 1
		}
		if d.origin != 0 {
			for i := range d.v {
				d.v[i] -= d.origin
			}
		}
	}
}

// vote returns the number that most entries of v are, if there is one, judging by some of them: each is a vote for
// itself, and two votes for different numbers cancel (Boyer and Moore). The lead is the share of votes left in the end.
// Of the votes that have cancelled at least half were for other numbers.
func vote(v []float64) (most, lead float64) {
	every, votes := (len(v)+voters-1)/voters, 0.0
	for i := 0; i < len(v); i += every {
		votes++
		switch {
		case v[i] == most:
			lead++
		case lead > 0:
			lead--
		default:
			most, lead = v[i], 1
		}
	}
	return most, lead / votes
}

// fill writes the points into the columns, in their present order.
func (c *columns) fill() {
	for _, d := range c.dense {
		for i := range d.v {
			d.v[i] = -d.origin
		}
	}
	for p := range c.sparse {
		s := &c.sparse[p]
		s.at, s.v = s.at[:0], s.v[:0]
	}
	for i, x := range c.xs {
		for k, v := range x.Value {
			if v == 0 {
				continue
			}
			if p := c.place.at(x.Index[k]); p > 0 {
				c.dense[p-1].v[i] += v
			} else {
				s := &c.sparse[-1-p]
				s.at, s.v = append(s.at, int32(i)), append(s.v, v)
			}
		}
	}
}

// measure computes the norms.
func (c *columns) measure() {
	c.norms = make([]float64, len(c.xs))
	for _, d := range c.dense {
		for i, v := range d.v {
			c.norms[i] += v * v
		}
	}
	for _, s := range c.sparse {
		for k, i := range s.at {
			c.norms[i] += s.v[k] * s.v[k]
		}
	}
}

// vector prepares x for multiplication. The result comes from the pool and should be put back after use.
func (c *columns) vector(x Sparse) *sparseVector {
	s := c.pool.Get().(*sparseVector)
	for p := range s.dense {
		s.dense[p] = -c.dense[p].origin
	}
	s.at, s.sparse, s.norm2 = s.at[:0], s.sparse[:0], 0
	for k, v := range x.Value {
		if v == 0 {
			continue
		}
		p := c.place.at(x.Index[k])
		if p > 0 {
			s.dense[p-1] += v
			continue
		}
		if p < 0 {
			s.at, s.sparse = append(s.at, -1-p), append(s.sparse, v)
		}
		s.norm2 += v * v // even if p = 0: no xⱼ has the feature, but ‖x‖² includes it
	}
	s.norm2 += norm2(s.dense)
	return s
}

func (c *columns) Diag(dst []float64) {
	for i, xx := range c.norms {
		dst[i] = xx
		c.kernel.row(dst[i:i+1], c.norms[i:i+1], xx)
	}
}

func (c *columns) Row(dst []float64, i, from int) {
	x := c.vector(c.xs[i])
	c.row(dst, x, from)
	c.pool.Put(x)
}

func (c *columns) values(dst []float64, x any) {
	v := c.vector(asSparse(x, c.all))
	if v.norm2 <= math.MaxFloat64 {
		c.row(dst, v, 0)
	} else { // sums by columns, and expanded distances, may be ∞ − ∞ where Eval is not
		c.byValue.values(dst, x)
	}
	c.pool.Put(v)
}

// row computes dst[j] = k(x, x_{from+j}).
func (c *columns) row(dst []float64, x *sparseVector, from int) {
	x.next = x.next[:0]
	for _, p := range x.at {
		k := 0
		if from > 0 {
			k, _ = slices.BinarySearch(c.sparse[p].at, int32(from))
		}
		x.next = append(x.next, k)
	}
	for len(dst) > 0 {
		d := dst[:min(len(dst), rowChunk)]
		clear(d)
		c.addDense(d, x.dense, from)
		for s, p := range x.at {
			x.next[s] = c.sparse[p].addTo(d, x.sparse[s], from, x.next[s])
		}
		c.kernel.row(d, c.norms[from:from+len(d)], x.norm2)
		dst, from = dst[len(d):], from+len(d)
	}
}

// addDense adds the dense columns with non-zero coefficients, four in a pass.
func (c *columns) addDense(dst, coef []float64, from int) {
	var a [4]float64
	var v [4][]float64
	k := 0
	for p, x := range coef {
		if x == 0 {
			continue
		}
		a[k], v[k] = x, c.dense[p].v[from:from+len(dst)]
		if k++; k == 4 {
			axpy4(dst, a[0], v[0], a[1], v[1], a[2], v[2], a[3], v[3])
			k = 0
		}
	}
	if k == 3 { // one pass of four, one of them times zero, is cheaper than three of one
		axpy4(dst, a[0], v[0], a[1], v[1], a[2], v[2], 0, v[0])
		k = 0
	}
	for ; k > 0; k-- {
		axpy(dst, a[k-1], v[k-1])
	}
}

// addTo adds a times the entries of points from, …, from+len(dst)−1, beginning at entry k, and returns where they end.
func (s *sparseColumn) addTo(dst []float64, a float64, from, k int) int {
	at, v := s.at[k:], s.v[k:]
	v = v[:len(at)]
	for i, p := range at {
		j := int(p) - from
		if j >= len(dst) {
			return k + i
		}
		dst[j] += a * v[i]
	}
	return len(s.at)
}

func (c *columns) Permute(at []int) {
	c.xs = permuted(c.xs, at)
	c.fill()
	c.measure()
}

func (c *columns) Cost() float64 { return c.cost }

// Len and Open make columns a Gram for one solver: its only view is c itself.
func (c *columns) Len() int { return len(c.xs) }

func (c *columns) Open() Rows { return c }

// inBlocks calls f(i, row) for all i < n; workers take blocks of 32 indices. row, of the given size, is scratch for f.
func inBlocks(workers, n, size int, f func(i int, row []float64)) {
	const block = 32
	parallel(workers, (n+block-1)/block, func(b int) {
		row := make([]float64, size)
		for i := b * block; i < min(n, (b+1)*block); i++ {
			f(i, row)
		}
	})
}

// decisions returns f at every x: a row of kernel values times the coefficients or, for the linear kernel, w·x.
func decisions[X any](f Func[X], xs []X, workers int) []float64 {
	f.whole()
	out := make([]float64, len(xs))
	if w, ok := weights(f, math.MaxInt); ok {
		parallel(workers, len(xs), func(i int) { out[i] = dotWeights(w, xs[i]) })
		return out
	}
	rows := newRecipe(f.Kernel, f.Points).within(decisionTol, norm1(f.Coef)).open()
	inBlocks(workers, len(xs), len(f.Points), func(i int, row []float64) {
		rows.values(row, xs[i])
		out[i] = Dot(row, f.Coef)
	})
	return out
}

// weights returns w = Σ Coefᵢ Pointsᵢ if f is linear and has points, and w has at most room numbers, all finite.
// Far from the origin terms cancel, so they are added with twice as many digits, and their order hardly matters.
func weights[X any](f Func[X], room int) (w []float64, ok bool) {
	if _, linear := dotKernel(f.Kernel).(Linear); !linear || len(f.Points) == 0 {
		return nil, false
	}
	f.whole()
	dense, _ := any(f.Points).([][]float64) // one of these two is nil
	sparse, _ := any(f.Points).([]Sparse)
	d, ok := width(sparse)
	if dense != nil {
		d = int64(len(dense[0]))
	}
	if !ok || d > int64(room) {
		return nil, false
	}
	w, lost := make([]float64, d), make([]float64, d)
	for i, x := range dense {
		if len(x) != len(w) {
			return nil, false // the caller falls back on Dot, which panics and says why
		}
		axpyExact(w, lost, f.Coef[i], x)
	}
	for i, x := range sparse {
		for k, v := range x.Value {
			j := x.Index[k]
			sum, rest := addExact(w[j], f.Coef[i], v)
			w[j], lost[j] = sum, lost[j]+rest
		}
	}
	axpy(w, 1, lost)
	return w, nonFinite(w) < 0
}

// nonZeros returns the number of non-zeros of vectors.
func nonZeros[X any](xs []X) (n int) {
	views, _ := vectors(xs)
	for _, x := range views {
		for _, v := range x.Value {
			if v != 0 {
				n++
			}
		}
	}
	return n
}

// dotWeights returns w·x.
func dotWeights[X any](w []float64, x X) float64 {
	if x, ok := any(x).(Sparse); ok {
		return x.DotDense(w)
	}
	return Dot(w, any(x).([]float64))
}

// The w of Sparse points has a number for every feature. It is computed only if there are at most planeWidth features,
// plus planeWidthPerItem for each non-zero.
const (
	planeWidth        = 1 << 24
	planeWidthPerItem = 64
)

// width returns the number of coordinates of a w for xs, and whether that is few enough to compute it.
func width(xs []Sparse) (d int64, ok bool) {
	entries := int64(0)
	for _, x := range xs {
		if last := len(x.Index) - 1; last >= 0 {
			d = max(d, int64(x.Index[last])+1) // up to 2³¹, which may be too much for an int
			entries += int64(last) + 1
		}
	}
	return d, d <= min(planeWidth+planeWidthPerItem*entries, math.MaxInt32)
}

// The exponential of a row.
//
// A Gaussian row is n exponentials, which would cost more than its inner products. For y ≤ 0 write
//
//	y·2048/ln 2 = m + r,   m an integer, |r| ≤ ½                                    (G2)
//	eʸ = 2^(m/2048) · e^s = 2^⌊m/2048⌋ · 2^((m mod 2048)/2048) · e^s,  s = r·ln 2/2048   (G3)
//
// The first factor is an addition to the exponent bits. The second comes from a table, right to a unit in the last
// place (ulp). In the third |s| ≤ ln 2/4096 < 1.7e-4, so 1 + s + s²/2 + s³/6 has an error below s⁴/24·(1 + |s|) <
// 3.5e-17, less than half an ulp. The factor 2048/ln 2 goes into γ, once a row. Rounding y makes a relative error ε|y|
// in eʸ, which no exponential can avoid; rounding the scaled y makes as much again. In all it is below (2|y| + 3)ε.

const (
	expBits  = 11
	expSteps = 1 << expBits
	expScale = expSteps / math.Ln2
	expUnit  = 1 / expScale // s = r·expUnit

	// Adding 1.5·2⁵² to a float64 of moderate size rounds it to an integer, which the lowest bits of the sum contain.
	roundToInt = 3 << 51

	// Below this y·2048/ln 2 the result is close to the smallest normal number: math.Exp does the rest.
	expFloor = -1020 * expSteps
)

// expTable has the bits of 2^(i/2048).
var expTable = func() (t [expSteps]uint64) {
	for i := range t {
		t[i] = math.Float64bits(math.Exp2(float64(i) / expSteps))
	}
	return
}()

// row computes e^(−γ‖x−z‖²) by (G2), (G3), from the expansion of ‖x − z‖².
func (k RBF) row(dst, zz []float64, xx float64) {
	scale := -orOne(k.Gamma) * expScale
	zz = zz[:len(dst)]
	for j, xz := range dst {
		u := scale * (xx + zz[j] - 2*xz) // y·2048/ln 2, y = −γ‖x − z‖²
		if !(u > expFloor && u <= 0) {   // hardly ever: underflow, a squared distance rounded below 0, or NaN
			dst[j] = math.Exp(min(u, 0) * expUnit)
			continue
		}
		m := u + roundToInt
		r := u - (m - roundToInt)
		bits := math.Float64bits(m)
		t := math.Float64frombits(expTable[bits%expSteps] + bits>>expBits<<52)
		dst[j] = t + t*r*(expUnit+r*(expUnit*expUnit/2+r*(expUnit*expUnit*expUnit/6)))
	}
}

func (k Linear) row(dst, zz []float64, xx float64) {}

func (k Polynomial) row(dst, zz []float64, xx float64) {
	gamma, p := orOne(k.Gamma), k.degree()
	for j, xz := range dst {
		dst[j] = intPow(k.Coef+gamma*xz, p)
	}
}
