// Copyright 2026 The svm authors. All rights reserved.
// Use of this source code is governed by the MIT
// license that can be found in the LICENSE file.

// Kernels: inner products in spaces that nobody visits.
//
// A linear method cuts space with planes. Map the points first, by some φ into more dimensions, and
// a plane there is a curve here: a conic if φ(x) = (x₁², x₁x₂, x₂²), a circle if φ(x) = (x₁, x₂,
// x₁² + x₂²). But φ(x) soon has millions of coordinates, or infinitely many. The way out: linear
// methods use their points only through inner products, so all they need is k(x, z) = ⟨φ(x), φ(z)⟩,
// and that is often cheap when φ(x) is not. Nor need x be a vector: strings have kernels too, and a
// linear method works on whatever has a kernel.
//
// Part I says which kernels there are, how to make new ones from old ones, and what can be done
// with kernel values alone: distances, features, functions, regression. Its code is plain. Part II
// computes the same matrices fast, by columns of features; a first reader may stop before it.
//
//	symbol   meaning                                                    Go
//	x, z     points, of any type; in D1 – D9 vectors of d features      x, z X
//	k(x, z)  the kernel, ⟨φ(x), φ(z)⟩                                   Kernel.Eval
//	k(x, ·)  the kernel as a function of its second point               Func
//	φ(x)     the image of x                                             FeatureMap
//	e        exponents e₁ … e_d: xᵉ = Πxᵢ^eᵢ, |e| = Σeᵢ, e! = Πeᵢ!      monomials
//	c, γ, p  of (c + γ x·z)ᵖ and exp(−γ‖x − z‖²); p, m are degrees      Coef, Gamma, Degree
//	s, δ     a string; the weight of each of its bytes                  Decay
//	Φ, K     the matrices with rows φ(xᵢ); with entries k(xᵢ, xⱼ)       GramMatrix
//	V, Λ     eigenvectors and eigenvalues, K = VΛVᵀ                     spectrum
//	φₙ(x)    (k(x₁, x), …, k(xₙ, x))                                    EmpiricalMap
//	f, a     f = Σᵢ aᵢ k(xᵢ, ·) and its coefficients                    Func, Coef
//	w        a vector of feature space; that of f is Σᵢ aᵢφ(xᵢ)         w
//	t, λ, η  regression targets, ridge, step length                     t, lambda, rate
//
// What can go wrong. Expanding ‖x − z‖² loses all digits when x and z are far from 0 and near each
// other; RBF.Eval subtracts first. Gram matrices of smooth kernels are singular to working
// precision: an eigenvalue that may be nothing but rounding counts as 0 wherever one would divide
// by it. This assumes kernel values that are right to the last digits; those of degree 100 or of a
// million features are not. Sigmoid is no kernel at all.
//
// References. Schölkopf and Smola, Learning with Kernels, for all of Part I but strings.
// Schoenberg, Positive definite functions on spheres (1942), for why Σ cₘ(x·z)ᵐ is a kernel for
// every d only if all cₘ ≥ 0. Blumer et al., The smallest automaton recognizing the subwords of a
// text (1985); Vishwanathan and Smola, Fast kernels for string and tree matching (2002).

package svm

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
)

// Part I. Kernels, and what can be done with them
//
// # What a kernel is: D1, D2, D9
//
// A kernel is a function of two points that is the inner product of their images under some map φ.
// To use a kernel nobody needs to know φ. The package asks for the function alone, and points may
// have any type.

// A Kernel is an inner product k(x, z) = ⟨φ(x), φ(z)⟩ of images that need not be computed. Eval
// must be symmetric but for rounding, and safe for concurrent use. Its Gram matrices must be
// positive semidefinite (D14): see [CheckPSD].
type Kernel[X any] interface{ Eval(x, z X) float64 }

// A KernelFunc makes a function a [Kernel].
type KernelFunc[X any] func(x, z X) float64

// Eval returns f(x, z).
func (f KernelFunc[X]) Eval(x, z X) float64 { return f(x, z) }

// A DotKernel computes k(x, z) from the inner products x·z, x·x and z·z. If a Kernel[[]float64] is
// a DotKernel too, [GramOf] computes whole rows by Of, which is much faster, so Of and Eval must be
// the same kernel. A pointer, or a struct that embeds another type, may have inherited its Of:
// there Eval decides.
type DotKernel interface {
	Of(xz, xx, zz float64) float64
}

// Linear is the kernel x·z (D9). Its feature map is the identity.
type Linear struct{}

// Eval returns x·z in O(d).
func (k Linear) Eval(x, z []float64) float64 { return Dot(x, z) }

// Of returns xz.
func (Linear) Of(xz, xx, zz float64) float64 { return xz }

// Precomputed is the kernel whose value at (i, j) is entry (i, j) of K: its points are row numbers
// of K [a matrix is a function of two numbers, and a kernel on finitely many points a matrix].
// Values of new points may be further rows and columns of K. Or let the Kernel of a model be
// Precomputed{B}, where entry (i, j) of B is the value of new point i and of row number j of K;
// then its Decision(i) is the decision value of new point i.
type Precomputed struct{ K *Matrix }

// Eval returns entry (i, j) of K. It panics if there is none.
func (k Precomputed) Eval(i, j int) float64 { return k.K.At(i, j) }

// Quadratic returns (x₁², x₁x₂, x₂²): planes there are conics centered on the origin here (D1).
func Quadratic(x []float64) []float64 { return []float64{x[0] * x[0], x[0] * x[1], x[1] * x[1]} }

// Paraboloid returns (x₁, x₂, x₁² + x₂²): planes there are circles and lines here (D2).
func Paraboloid(x []float64) []float64 { return []float64{x[0], x[1], x[0]*x[0] + x[1]*x[1]} }

// # Power series of the inner product: D3 – D8
//
// Multiply out a power of the inner product and collect equal monomials:
//
//	(x·z)ᵐ = (Σᵢ xᵢzᵢ)ᵐ = Σ_{|e|=m} (m!/e!) Πᵢ (xᵢzᵢ)^eᵢ    [multinomial theorem]
//	       = Σ_{|e|=m} (m!/e!) xᵉ zᵉ                        [separate x from z]         (1)
//
// Here m!/e! counts the orders in which the m factors of xᵉ can be written. So every convergent
// series with coefficients cₘ ≥ 0 is an inner product, with a coordinate for each e with c_|e| > 0:
//
//	Σₘ cₘ (x·z)ᵐ = φ(x)·φ(z)                                [(1) for each m]
//	φ_e(x) = √(cₘ m!/e!) xᵉ,  m = |e|                       [the root twice: cₘ m!/e!]  (2)
//
// There are C(d+m−1, m) exponents of degree m [stars and bars] and C(d+p, p) of degree at most p
// [one more variable, always 1, makes up what is missing from p]. The instances are
//
//	D3, D4   (x·z)² and (1 + x·z)² in the plane
//	D5       (c + γ x·z)ᵖ = Σₘ C(p, m) cᵖ⁻ᵐ γᵐ (x·z)ᵐ       [binomial theorem]
//	D8       exp(2γ x·z) = Σₘ (1/m!) (2γ x·z)ᵐ              [exponential series]
//
// Where c = 0 only m = p is left of D5. D6 is 1 + x·z + (x·z)² + (x·z)³ with equal monomials not
// collected: 1 + d + d² + d³ coordinates, each of weight 1.
//
// The feature maps show what the kernels save: the kernel of D5 costs d multiply-adds, whatever the
// degree, its feature map C(d+p, p). For d = 1000 and p = 3 that is 168 million.

// Polynomial is the kernel (Coef + Gamma x·z)^Degree (D5). Gamma 0 means 1, Degree 0 means 3. If
// Gamma or Coef is negative, it is a kernel only if no coefficient of its series (D5) is negative;
// a negative Degree panics.
type Polynomial struct {
	Degree      int
	Gamma, Coef float64
}

// Eval returns the kernel in O(d), whatever the degree. Like all kernels of vectors, it panics if
// their lengths differ.
func (k Polynomial) Eval(x, z []float64) float64 { return k.Of(Dot(x, z), 0, 0) }

// Of returns (Coef + Gamma xz)^Degree.
func (k Polynomial) Of(xz, xx, zz float64) float64 {
	return intPow(k.Coef+cmp.Or(k.Gamma, 1)*xz, cmp.Or(k.Degree, 3))
}

// FeatureMap returns the φ of (2) for vectors of length dim, the highest degree first (D3, D4, D5).
// It has N = C(dim+Degree, Degree) coordinates; if Coef is 0, only the C(dim+Degree−1, Degree) of
// degree Degree. Calls of φ cost O(N(1 + Degree/dim)) and may be concurrent. FeatureMap panics if
// dim is not positive, or if a coefficient of the series is negative or overflows.
func (k Polynomial) FeatureMap(dim int) func(x []float64) []float64 {
	p, choose := cmp.Or(k.Degree, 3), 1.0 // C(p, m)
	demand(dim >= 1 && p >= 0, "svm: FeatureMap: dimension %d, degree %d", dim, p)
	c := make([]float64, p+1)
	// The coefficients of (D5), and C(p, m+1) = C(p, m) (p − m)/(m + 1).
	for m := range c {
		c[m] = choose * intPow(k.Coef, p-m) * intPow(cmp.Or(k.Gamma, 1), m)
		choose *= float64(p-m) / float64(m+1)
		demand(c[m] >= 0 && finite(c[m]), "svm: FeatureMap: degree %d has the weight %v", m, c[m])
	}
	return func(x []float64) []float64 { return powerMap(dim, c, 1, x) }
}

// powerMap returns the coordinates (2) of x for Σₘ cₘ(x·z)ᵐ, each times the given factor, the
// highest degree first. Degrees with cₘ = 0 have none.
func powerMap(dim int, c []float64, factor float64, x []float64) (phi []float64) {
	demand(len(x) == dim, "svm: FeatureMap(%d) of a vector of length %d", dim, len(x))
	// Each of two maps has the root of a weight, so that the product of two coordinates has the
	// weight.
	for m := len(c) - 1; m >= 0; m-- {
		if c[m] > 0 {
			phi = monomials(phi, m, 0, factor*math.Sqrt(c[m]), x)
		}
	}
	return phi
}

// monomials appends factor·√(m!/e!) xᵉ for all exponents e of degree m, the powers of x₁ first. A
// monomial is written as a product of m variables, in order: the next variable is x[0] once more,
// which has been taken so many times already, or a later one. The quotients under the roots have
// the numerators m, m−1, …, 1 and the denominators 1, 2, …, e_v for each v: their product is m!/e!.
func monomials(phi []float64, m, taken int, factor float64, x []float64) []float64 {
	if m == 0 {
		return append(phi, factor)
	}
	// After x_v comes x_v or a later variable, so that each product appears once.
	for v, xv := range x {
		weight := math.Sqrt(float64(m) / float64(taken+1))
		phi = monomials(phi, m-1, taken+1, factor*weight*xv, x[v:])
		taken = 0 // of the variable that comes next
	}
	return phi
}

// AllProducts returns [1, xᵢ, xᵢxⱼ, xᵢxⱼxₖ], over all i, all i, j and all i, j, k (D6): 1 + d + d²
// + d³ coordinates, while the kernel is the [Sum] of 1 and three polynomials, and costs d.
func AllProducts(x []float64) []float64 {
	// The products of an entry of u and a feature: the first len(x) are those of the first entry.
	products := func(u []float64) []float64 {
		return build(len(u)*len(x), func(i int) float64 { return u[i/len(x)] * x[i%len(x)] })
	}
	pairs := products(x)
	return slices.Concat([]float64{1}, x, pairs, products(pairs))
}

// Sigmoid is tanh(Gamma x·z + Coef). Gamma 0 means 1. It is not a kernel: many of its Gram matrices
// have negative eigenvalues ([CheckPSD] shows one), and then no guarantee of this package holds. It
// is here because others offer it.
type Sigmoid struct{ Gamma, Coef float64 }

// Eval returns tanh(Gamma x·z + Coef).
func (k Sigmoid) Eval(x, z []float64) float64 { return k.Of(Dot(x, z), 0, 0) }

// Of returns tanh(Gamma xz + Coef).
func (k Sigmoid) Of(xz, xx, zz float64) float64 {
	return math.Tanh(cmp.Or(k.Gamma, 1)*xz + k.Coef)
}

// intPow returns xⁿ, n ≥ 0, by repeated squaring: n = 13 = 1101₂ is x¹³ = x⁸x⁴x.
func intPow(x float64, n int) float64 {
	demand(n >= 0, "svm: Polynomial: Degree is negative")
	y := 1.0
	// Invariant: the power wanted is y·xⁿ, for the present y, x and n.
	for ; n > 0; n >>= 1 {
		if n&1 != 0 {
			y *= x
		}
		x *= x
	}
	return y
}

// # The Gaussian: D7, D8
//
// The Gaussian depends on the distance alone. From ‖x − z‖² = ‖x‖² + ‖z‖² − 2x·z it is an inner
// product, too:
//
//	exp(−γ‖x−z‖²) = exp(−γ‖x‖²) exp(−γ‖z‖²) exp(2γ x·z)     [exponents add]             (3)
//
// The first two factors go into φ(x) and φ(z). The third is the series D8, of the points √(2γ)x and
// √(2γ)z. It has coordinates of every degree, which are linearly independent functions: no finite φ
// will do. Stop the series after degree p. By Lagrange's form of Taylor's remainder the error is,
// for some ζ between 0 and u = 2γ x·z,
//
//	exp(−γ‖x‖² − γ‖z‖²) exp(ζ) uᵖ⁺¹/(p+1)!
//	at most exp(−γ‖x‖² − γ‖z‖²) exp(max(u, 0)) |u|ᵖ⁺¹/(p+1)!    [ζ ≤ max(u, 0)]         (4)
//
// Each further degree multiplies this bound by |u|/(p+2): it falls as soon as p + 2 > |u|, and then
// faster and faster.

// RBF is the Gaussian kernel exp(−Gamma ‖x − z‖²) (D7). Gamma 0 means 1; a negative Gamma does not
// make a kernel. Statistics writes exp(−‖x − z‖²/(2σ²)), where Gamma is 1/(2σ²), and other books
// have 1/σ² or 1/σ; for a constant factor in front see [Scale]. 0 < k(x, z) ≤ k(x, x) = 1, until
// k(x, z) underflows or ‖x − z‖² overflows.
type RBF struct{ Gamma float64 }

// Eval returns the kernel in O(d), from the differences xᵢ − zᵢ: it is as accurate far from the
// origin as near it.
func (k RBF) Eval(x, z []float64) float64 {
	if len(x) != len(z) {
		panic(fmt.Sprintf("svm: distance of vectors of lengths %d and %d", len(x), len(z)))
	}
	// ‖x − z‖² in four sums, so that an addition need not wait for the one before. The two
	// conditions are one, but tell the compiler that no index is out of range.
	var s0, s1, s2, s3 float64
	for len(x) >= 4 && len(z) >= 4 {
		d0, d1, d2, d3 := x[0]-z[0], x[1]-z[1], x[2]-z[2], x[3]-z[3]
		s0, s1, s2, s3 = s0+d0*d0, s1+d1*d1, s2+d2*d2, s3+d3*d3
		x, z = x[4:], z[4:]
	}
	for i, v := range x {
		s0 += (v - z[i]) * (v - z[i])
	}
	return math.Exp(-cmp.Or(k.Gamma, 1) * ((s0 + s1) + (s2 + s3)))
}

// Of returns exp(−Gamma (xx + zz − 2xz)), accurate unless xx and zz are much larger than the
// squared distance.
func (k RBF) Of(xz, xx, zz float64) float64 {
	return math.Exp(-cmp.Or(k.Gamma, 1) * max(0, xx+zz-2*xz))
}

// FeatureMap returns the truncated Taylor map (D8) for vectors of length dim: the C(dim+degree,
// degree) coordinates of (2) and (3) up to degree, the highest degree first. Its inner products are
// off by at most [RBF.TruncationBound] plus rounding. It panics unless Gamma is finite and ≥ 0, dim
// ≥ 1 and 0 ≤ degree ≤ 170: beyond that 1/degree! is subnormal, and loses digits.
func (k RBF) FeatureMap(dim, degree int) func(x []float64) []float64 {
	gamma := cmp.Or(k.Gamma, 1)
	demand(gamma > 0 && finite(gamma) && dim >= 1 && degree >= 0 && degree <= 170,
		"svm: RBF: no feature map for Gamma %v, dimension %d, degree %d", gamma, dim, degree)
	// The coefficients 1/m! of D8.
	c := build(degree+1, func(m int) float64 { return 1 / math.Gamma(float64(m+1)) })
	return func(x []float64) []float64 {
		// Of the points √(2γ)x of D8, each times the factor exp(−γ‖x‖²) of (3).
		y := times(constant(len(x), math.Sqrt(2*gamma)), x)
		return powerMap(dim, c, math.Exp(-norm2(y)/2), y)
	}
}

// TruncationBound returns the bound (4) on the error |k(x, z) − φ(x)·φ(z)| of FeatureMap(dim,
// degree), from x·z, x·x, z·z. For points within R of the origin it is largest where all three are
// R² [|2 Gamma x·z| ≤ 2 Gamma R², and the exponents of (4) add up to at most 0]: there it is
// (2 Gamma R²)^(degree+1)/(degree+1)!.
func (k RBF) TruncationBound(degree int, xz, xx, zz float64) float64 {
	gamma, m := cmp.Or(k.Gamma, 1), float64(degree+1)
	logFactorial, _ := math.Lgamma(m + 1)
	// By logarithms: uᵖ⁺¹ and (p+1)! overflow long before their quotient.
	logU := math.Ln2 + math.Log(gamma) + math.Log(math.Abs(xz))
	return math.Exp(m*logU - logFactorial + gamma*((max(xz, 0)-xx)+(max(xz, 0)-zz)))
}

// ScaleGamma returns 1/(d·v) for vectors of length d whose entries, all taken together, have
// variance v. With it the mean of Gamma ‖x − z‖², over x and z drawn from the rows with
// replacement, is at most 2, whatever the units. If 1/(d·v) is not positive and finite, as when
// there are no entries or all are equal, it returns 1. O(nd).
func ScaleGamma(xs [][]float64) float64 {
	var n, mean, spread float64 // of the entries so far; spread = Σ (v − mean)²
	for _, x := range xs {
		for _, v := range x {
			// With one entry more the mean moves by step/n, and the spread grows by step² − step²/n
			// [Welford]. Nothing cancels, and equal entries have the spread 0 exactly.
			n++
			step := v - mean
			mean += step / n
			spread += step * (v - mean)
		}
	}
	// The variance is spread/n, and n is d for each of the len(xs) vectors: so this is 1/(d·v).
	if gamma := float64(len(xs)) / spread; gamma > 0 && finite(gamma) {
		return gamma
	}
	return 1
}

// # Cosines and bags of words: D9
//
// A text is a vector of word counts. The inner product of two such vectors is large where the texts
// share many words, but also where they are long. The cosine forgets the length. And a word that
// every text has tells nothing, a rare one much: weight the count of term t by ln(n/nₜ), where nₜ
// of the n documents contain t. Both are the linear kernel of mapped points, so both are kernels.

// Cosine is x·z/(‖x‖‖z‖) (D9), the linear kernel of x/‖x‖. A vector x whose ‖x‖² underflows has
// cosine 0 with every vector, as 0 has; if ‖x‖² overflows, the result means nothing.
type Cosine struct{}

// Eval returns the cosine of the angle between x and z.
func (k Cosine) Eval(x, z []float64) float64 { return k.Of(Dot(x, z), norm2(x), norm2(z)) }

// Of returns xz/√(xx·zz), cut off at ±1.
func (Cosine) Of(xz, xx, zz float64) float64 {
	const leastNormal = 0x1p-1022 // below it a float64 has lost digits
	if math.Abs(xx) < leastNormal || math.Abs(zz) < leastNormal {
		return 0
	}
	// The product of the roots does not overflow, as xx·zz may. What is beyond 1 is rounding.
	return max(-1, min(xz/(math.Sqrt(xx)*math.Sqrt(zz)), 1))
}

// TFIDF learns the rarity of terms from a corpus of term counts, one [Sparse] vector a document,
// and returns the weighting xₜ ↦ xₜ ln(n/nₜ), where nₜ of the n documents contain term t; a term in
// none of them has weight 0 (D9). A weighted vector shares the Index of x. OnSparse(Cosine{})
// compares weighted documents.
func TFIDF(corpus []Sparse) func(x Sparse) Sparse {
	// Count the documents that have term t: nₜ. An entry that is 0 is no occurrence.
	with, n := map[int32]float64{}, float64(max(1, len(corpus)))
	for _, x := range corpus {
		for k, t := range x.Index {
			if x.Value[k] != 0 {
				with[t]++
			}
		}
	}
	return func(x Sparse) Sparse {
		y := Sparse{x.Index, slices.Clone(x.Value)}
		for k, t := range x.Index {
			// If no document has t, the weight is ln 1 = 0.
			y.Value[k] *= math.Log(n / cmp.Or(with[t], n))
		}
		return y
	}
}

// # Substrings: D10
//
// Let #ₛ(x) count the places where s occurs in x. The kernel Σₛ δ^|s| #ₛ(x) #ₛ(z), over the strings
// that are not empty, has a feature for each of them, and as many as ½|x|(|x| + 1) of them may not
// be 0. So read z, and after each byte add δ^|s| #ₛ(x) for every suffix s of what has been read:
// each occurrence in z counts where it ends.
//
// What remains is to sum over all suffixes at once. Call occ(s) = #ₛ(x) the number of places where
// s ends in x, and put two strings that occur in x together if they end at the same places: one of
// them is a suffix of the other [both end at one place]. The suffix automaton of x has a state v
// for each such group. It has a longest string, of length |v|, and the suffixes of that string down
// to some length. The next shorter suffix ends at more places. It is the longest string of its
// state, link v, so it has the length |link v| [with the byte in front of it, it is in v already].
// An edge appends a byte. For x = abb:
//
//	state v   strings   ends at   occ(v)   |v|   link v   edges      W(v)
//	0         (empty)   –         –        0     –        a→1, b→4   0
//	1         a         1         1        1     0        b→2        δ
//	2         ab        2         1        2     4        b→3        2δ + δ²
//	3         abb, bb   3         1        3     4                   2δ + δ² + δ³
//	4         b         2, 3      2        1     0        b→3        2δ
//
// The string b also ends at the last place of abb, but not only there, so it is not in state 3. To
// read "bab" against abb, begin at the root. After b the longest suffix in x is b, in state 4: add
// 2δ. After a no edge: back to the root, and a leads to state 1: add δ. After b it is ab, in state
// 2: add δ² for ab, and 2δ for b, its suffix in link 2 = 4. In all k = 5δ + δ².
//
// A non-empty x has at most 2|x| states [the root, one more for the first byte, at most two for
// each later byte] and 3|x| edges [a spanning tree from the root has one edge less than there are
// states. Any other edge is the first off the tree on a path that spells a suffix of x: down the
// tree, along the edge, on to the end of x. No two are the first of the same path, and x has |x|
// suffixes].
//
// The suffixes of the longest string of v are the strings of v, of link v, and so on to the root:
//
//	W(v) = W(link v) + occ(v) (δ^(|link v|+1) + … + δ^|v|),   W(root) = 0               (5)
//
// Let the longest suffix of what has been read of z that occurs in x have length l and state v. The
// suffixes that occur in x are that one and all shorter ones: their terms add up to (5) with l for
// |v|.

// Substring is the kernel Σₛ Decay^|s| #ₛ(x) #ₛ(z) over all strings s of one byte or more; #ₛ(x)
// counts the places of s in x (D10). Decay 0 means 1; a negative one makes no kernel. Long strings
// have large values: see [Normalize].
type Substring struct{ Decay float64 }

// Eval returns the kernel in O(|x| + |z|) steps and O(|x|) memory. A step searches the list of one
// state's edges.
func (k Substring) Eval(x, z string) float64 { return newAutomaton(x, k.Decay).common(z) }

// An automaton is the suffix automaton of a string x, with the sums (5).
type automaton struct {
	states        []suffixState // the root, the empty string, is state 0
	power, series []float64     // δᵐ and δ + δ² + … + δᵐ, m ≤ |x|
}

// A suffixState is a state v: a group of strings that end at the same places in x.
type suffixState struct {
	length, link int32        // |v|, link v
	edges        []suffixEdge // one for each byte that follows in x
	occ, total   float64      // occ(v), W(v)
	same         int32        // the next state of this length, or 0
}

// A suffixEdge leads from the strings of a state to the same strings with the byte b appended.
type suffixEdge struct {
	b  byte
	to int32
}

// edge returns the edge of v by the byte b, or nil.
func (a *automaton) edge(v int32, b byte) *suffixEdge {
	for i, e := range a.states[v].edges {
		if e.b == b {
			return &a.states[v].edges[i]
		}
	}
	return nil
}

// newAutomaton reads x byte by byte. Before byte i the automaton is that of x[:i], and last is the
// state of x[:i] itself. O(|x|) steps [Blumer et al.]. For x = abb, by hand:
//
//	a   A state for a: 1. The root gets the edge a→1.
//	b   A state for ab: 2. The edge b→2 from state 1 makes ab. Nor has the root an edge by b, so
//	    it gets b→2, too: b ends where ab ends, and joins ab in state 2.
//	b   A state for abb: 3. The edge b→3 from state 2 makes abb and bb. But the next suffix, b,
//	    is there already: the root has the edge b→2. It ends here, and ab, in the same state,
//	    does not. So state 2 is split: b moves to a new state 4, which takes over the edge of the
//	    root, b→4, and has copies of the edges of state 2: b→3. It is the link of 2 and of 3.
func newAutomaton(x string, decay float64) *automaton {
	n, last := len(x), int32(0)
	a := &automaton{make([]suffixState, 1, 2*n+1), make([]float64, n+1), make([]float64, n+1)}
	a.states[0].link, a.power[0] = -1, 1
	room := make([]suffixEdge, n) // for the one edge that most states have
	for i := range n {
		a.power[i+1] = a.power[i] * cmp.Or(decay, 1)
		a.series[i+1] = a.series[i] + a.power[i+1]

		// The new string ends where no string ended before: it gets a state, whole. Its suffixes
		// are those of x[:i] with the byte b. From the longest to the shortest: as long as b has
		// never followed the suffix of x[:i], they are new strings, too, and join whole.
		whole, b, p := int32(len(a.states)), x[i], last
		a.states = append(a.states, suffixState{length: int32(i + 1), occ: 1,
			edges: room[i : i : i+1]})
		for ; p >= 0 && a.edge(p, b) == nil; p = a.states[p].link {
			a.states[p].edges = append(a.states[p].edges, suffixEdge{b, whole})
		}
		last = whole
		if p < 0 {
			continue // even the string b joins: the link is the root
		}

		// The next suffix, the longest string of p with b, has occurred before: it is in a state q,
		// the link of whole. If q has longer strings, too, they do not end here. Then q is split:
		// the strings up to that length get a state of their own, short, with a copy of the edges.
		// From now on the edges by b lead there, from p and from the suffixes of p.
		q, length := a.edge(p, b).to, a.states[p].length+1
		if a.states[q].length != length {
			short := int32(len(a.states))
			a.states = append(a.states, suffixState{length: length, link: a.states[q].link,
				edges: slices.Clone(a.states[q].edges)})
			for ; p >= 0 && a.edge(p, b).to == q; p = a.states[p].link {
				a.edge(p, b).to = short
			}
			a.states[q].link, q = short, short
		}
		a.states[whole].link = q
	}

	// Lists of the states of each length. A link leads to a shorter state.
	first := make([]int32, n+1)
	for v := 1; v < len(a.states); v++ {
		s := &a.states[v]
		s.same, first[s.length] = first[s.length], int32(v)
	}
	// Longest first: where a string ends, its suffixes end too.
	for l := n; l > 0; l-- {
		for v := first[l]; v != 0; v = a.states[v].same {
			a.states[a.states[v].link].occ += a.states[v].occ
		}
	}
	// Shortest first: W(v) needs W(link v).
	for _, v := range first[1:] {
		for ; v != 0; v = a.states[v].same {
			a.states[v].total = a.suffixes(&a.states[v], a.states[v].length)
		}
	}
	return a
}

// suffixes returns Σ δ^|s| #ₛ(x) over the suffixes s of the string of length l in state v: (5),
// with l for |v|. The sum of powers is δ^|link v| (δ + … + δ^(l−|link v|)): a difference of two
// series would cancel, or overflow too early.
func (a *automaton) suffixes(v *suffixState, l int32) float64 {
	link := &a.states[v.link]
	return link.total + v.occ*(a.power[link.length]*a.series[l-link.length])
}

// common returns Σₛ δ^|s| #ₛ(x) #ₛ(z). Invariant: of the suffixes of what has been read of z, the
// longest that occurs in x has length l and belongs to state v. Each byte raises l by at most 1,
// and each link lowers it: O(|z|) steps.
func (a *automaton) common(z string) float64 {
	var v, l int32
	sum := 0.0
	for i := range len(z) {
		// Drop bytes in front, until z[i] can follow.
		e := a.edge(v, z[i])
		for ; e == nil && v != 0; e = a.edge(v, z[i]) {
			v = a.states[v].link
			l = a.states[v].length
		}
		if e != nil {
			v, l = e.to, l+1
			sum += a.suffixes(&a.states[v], l)
		}
	}
	return sum
}

// # Sparse points
//
// Most words do not occur in most texts. A vector of their counts is stored as a [Sparse], without
// its zeros, which then cost neither time nor memory. Any kernel of inner products serves it.

// OnSparse returns k as a kernel of Sparse points: OnSparse(RBF{Gamma: 2}). An evaluation costs the
// non-zeros of both points. Gram matrices and decisions are those of the same points as []float64.
// Over(k, Sparse.Dot) is the same kernel, but slower, and if k is a Gaussian it loses digits far
// from the origin.
func OnSparse(k DotKernel) Kernel[Sparse] { return sparseKernel{k} }

type sparseKernel struct{ k DotKernel }

// Eval returns k(x, z), of a Gaussian from the differences.
func (s sparseKernel) Eval(x, z Sparse) float64 {
	k, gaussian := s.k.(RBF)
	if !gaussian {
		return s.k.Of(x.Dot(z), norm2(x.Value), norm2(z.Value))
	}
	distance2, j := 0.0, 0 // ‖x − z‖², and the entry of z that comes next
	for i, f := range x.Index {
		// First the coordinates of z alone, then that of x, and of z if it has one.
		for ; j < len(z.Index) && z.Index[j] < f; j++ {
			distance2 += z.Value[j] * z.Value[j]
		}
		d := x.Value[i]
		if j < len(z.Index) && z.Index[j] == f {
			d -= z.Value[j]
			j++
		}
		distance2 += d * d
	}
	return math.Exp(-cmp.Or(k.Gamma, 1) * (distance2 + norm2(z.Value[j:])))
}

// # New kernels from old ones: D11, D13
//
// A function of inner products that is a kernel for vectors of every length does not ask of which.
// Put any other inner product in the place of x·z: on finitely many points the values are those of
// the old kernel at other vectors, so the result is a kernel (D11). And for kernels k₁, k₂ with
// maps φ₁, φ₂ there are the following kernels (D13), each with its map:
//
//	k₁ + k₂                    φ₁(x) and φ₂(x), one after the other
//	k₁k₂                       all products of a coordinate of φ₁(x) and one of φ₂(x)
//	ck,  c ≥ 0                 √c φ(x)
//	k(f(x), f(z))              φ(f(x)), whatever f is
//	k(x, z)/√(k(x, x)k(z, z))  φ(x)/‖φ(x)‖
//
// For k₁k₂ multiply out: Σᵢⱼ φ₁(x)ᵢφ₂(x)ⱼφ₁(z)ᵢφ₂(z)ⱼ = (Σᵢ φ₁(x)ᵢφ₁(z)ᵢ)(Σⱼ φ₂(x)ⱼφ₂(z)ⱼ). The
// last kernel is the cosine with k in the place of the inner product.

// A composed kernel is a function, outer, of the inner product that op makes of its parts:
//
//	⟨x, z⟩ = op(… op(op(start, k₁(x, z)), k₂(x, z)) …)
//
// In sums and products outer is Linear: the inner product itself. A function of a single kernel k
// has the inner product 1·k(x, z).
type composed[X any] struct {
	outer DotKernel
	parts []Kernel[X]
	start float64
	op    func(a, b float64) float64
}

// inner returns ⟨x, z⟩.
func (c composed[X]) inner(x, z X) float64 {
	v := c.start
	for _, part := range c.parts {
		v = c.op(v, part.Eval(x, z))
	}
	return v
}

// Eval costs what the parts cost, and three times as much if outer is not Linear.
func (c composed[X]) Eval(x, z X) float64 {
	xz := c.inner(x, z)
	// Sums and products need neither ⟨x, x⟩ nor ⟨z, z⟩, which may be expensive.
	if c.outer == DotKernel(Linear{}) {
		return xz
	}
	return c.outer.Of(xz, c.inner(x, x), c.inner(z, z))
}

// Over returns k with dot in the place of the inner product (D11): another metric, an inner product
// of maps, or another kernel's Eval; for [Sparse] vectors see [OnSparse]. Eval calls dot three
// times, a row of [GramOf] once for each value.
func Over[X any](k DotKernel, dot func(x, z X) float64) Kernel[X] {
	return composed[X]{k, []Kernel[X]{KernelFunc[X](dot)}, 1, product}
}

// Normalize returns k(x, z)/√(k(x, x)k(z, z)), the cosine of φ(x) and φ(z), a kernel [of
// φ(x)/‖φ(x)‖] (D13). Where φ(x) is 0, or k(x, x) over- or underflows, it does what [Cosine] does.
func Normalize[X any](k Kernel[X]) Kernel[X] {
	return composed[X]{Cosine{}, []Kernel[X]{k}, 1, product}
}

// Sum returns Σᵢ kᵢ(x, z), a kernel [φ is the concatenation of the φᵢ] (D13).
func Sum[X any](ks ...Kernel[X]) Kernel[X] {
	return composed[X]{Linear{}, slices.Clone(ks), 0, func(a, b float64) float64 { return a + b }}
}

// Product returns Πᵢ kᵢ(x, z), a kernel [φ has all products of one coordinate of each φᵢ] (D13).
func Product[X any](ks ...Kernel[X]) Kernel[X] {
	return composed[X]{Linear{}, slices.Clone(ks), 1, product}
}

// Scale returns c·k(x, z), a kernel [φ is √c times that of k] (D13). It panics unless c is finite
// and not negative.
func Scale[X any](c float64, k Kernel[X]) Kernel[X] {
	demand(c >= 0 && finite(c), "svm: Scale: %v times a kernel is not a kernel", c)
	return composed[X]{Linear{}, []Kernel[X]{k}, c, product}
}

func product(a, b float64) float64 { return a * b }

// Pullback returns k(f(x), f(z)), a kernel [φ∘f] (D13). The kernel of a feature map is
// Pullback(Linear{}, phi). Gram matrices, training and predicting many points compute f once for
// each point or support vector.
func Pullback[X, Y any](k Kernel[Y], f func(x X) Y) Kernel[X] { return pullback[X, Y]{k, f} }

type pullback[X, Y any] struct {
	k Kernel[Y]
	f func(x X) Y
}

// Eval maps both points.
func (p pullback[X, Y]) Eval(x, z X) float64 { return p.k.Eval(p.f(x), p.f(z)) }

// # What a Gram matrix knows: D12 – D17
//
// Inner products give distances: ‖φ(x) − φ(z)‖² = k(x, x) + k(z, z) − 2k(x, z) [multiply out]
// (D12). K also shows whether its entries are inner products: then K = ΦΦᵀ is symmetric, and for
// any vector u of n numbers
//
//	uᵀKu = ‖Φᵀu‖² ≥ 0                                     [K = ΦΦᵀ]                    D14
//
// Mercer's theorem is the converse, and on finitely many points it is the spectral theorem: if K =
// VΛVᵀ with Λ ≥ 0, then
//
//	K = ZᵀZ  for  Z = Λ^½Vᵀ                               [ZᵀZ = VΛ^½Λ^½Vᵀ]            D15
//
// so column i of Z can be φ(xᵢ): features of n numbers, for any kernel on n points. Other features
// are made of φₙ(xᵢ), which is column i of K. For all pairs of points at once, with Kᵖ = VΛᵖVᵀ,
// where 0ᵖ counts as 0, and K⁺ = K⁻¹ in this sense, the inverse or pseudo-inverse of K,
//
//	K K⁺ K = K                                            [φₙ(xᵢ)ᵀK⁺φₙ(xⱼ) = k(xᵢ, xⱼ)] D16
//	(K^{−½}K)ᵀ(K^{−½}K) = K                               [K⁺ = K^{−½}K^{−½}]          D17
//
// The inner products of φₙ itself are K², not K. K costs n²/2 kernel values, its spectrum 3n³ to
// 6n³ multiply-adds.
//
// For all points of [0, 1] at once, say, integrals take the place of sums. A continuous kernel has
// orthonormal eigenfunctions φⱼ and eigenvalues λⱼ ≥ 0 there. The √λⱼ φⱼ(x) are features (Mercer):
//
//	∫ k(x, z)φⱼ(z) dz = λⱼφⱼ(x)                           [as KV = VΛ]
//	k(x, z) = Σⱼ λⱼφⱼ(x)φⱼ(z)                             [as K = VΛVᵀ]                D21
//	∫∫ k(x, z)f(x)f(z) dx dz = Σⱼ λⱼ(∫ φⱼf)² ≥ 0          [the limit of uᵀKu, uᵢ = f(xᵢ)/n]
//
// Exercise 3 finds the φⱼ and λⱼ of min(x, z).

// GramMatrix returns K, Kᵢⱼ = k(xᵢ, xⱼ), by n(n+1)/2 evaluations on all cores, and n more for an
// [Over]. It is exactly symmetric, however k rounds.
func GramMatrix[X any](k Kernel[X], xs []X) *Matrix {
	demand(k != nil, noKernel)
	m := NewMatrix(len(xs), len(xs))
	m.fillFrom(newRecipe(k, xs).open(false), 0)
	return m
}

// fillFrom computes each row of a symmetric m up to the diagonal, and copies it to the upper half.
func (m *Matrix) fillFrom(rows Rows, workers int) {
	parallel(workers, m.Rows, func(i int) { rows.Row(m.Row(i)[:i+1], i, 0) })
	for i := range m.Rows {
		m.setCol(i, m.Row(i)[:i])
	}
}

// CheckPSD returns the least eigenvalue of K, 0 if K is empty, and a unit vector z with zᵀKz = min.
// If min is below 0 by more than rounding, about n·2⁻⁵² of the largest eigenvalue, K is no Gram
// matrix and z is the witness (D14). A K that is not symmetric counts as (K + Kᵀ)/2, which has the
// same zᵀKz. It panics unless K is square and finite. O(n³).
func CheckPSD(k *Matrix) (min float64, witness []float64) {
	// The symmetric part. Halves first, so that the sum does not overflow.
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

// Distance returns ‖φ(x) − φ(z)‖ = √(k(x, x) + k(z, z) − 2k(x, z)) (D12). Below about 10⁻⁸‖φ(x)‖
// all digits cancel.
func Distance[X any](k Kernel[X], x, z X) float64 {
	return math.Sqrt(max(0, k.Eval(x, x)+k.Eval(z, z)-2*k.Eval(x, z)))
}

// spectrum returns the eigenvalues of K = VΛVᵀ, ascending, and V. Eigenvalues that cannot be told
// from 0 are set to 0.
func spectrum(k *Matrix) (lambda []float64, v *Matrix, err error) {
	if err = k.finite("Gram matrix"); err != nil {
		return nil, nil, err
	}
	lambda, v = SymEigen(k)
	err = allFinite("eigenvalue", lambda)
	// Below zero, and above it up to this size, is what rounding makes of 0: 2⁻⁵² for each of the n
	// terms of a sum, and 16 times that for the entries of K themselves.
	zero := float64(len(lambda)+16) * machineEps * largest(lambda)
	for i, l := range lambda {
		err = cmp.Or(err, unless(l >= -zero, "svm: no Gram matrix: its least eigenvalue is %v: %w",
			l, ErrNotPositiveDefinite))
		if l <= zero {
			lambda[i] = 0
		}
	}
	return lambda, v, err
}

// gramPower returns the function x ↦ Kᵖx = VΛᵖVᵀx for the Gram matrix of the points, with 0ᵖ = 0:
// K⁺x for p = −1, K^{−½}x for p = −½. The error says what is wrong with the points or with K.
func gramPower[X any](k Kernel[X], xs []X, p float64) (func(x []float64) []float64, error) {
	if err := cmp.Or(checkPoints(xs), checkKernel(k, xs)); err != nil {
		return nil, err
	}
	lambda, v, err := spectrum(GramMatrix(k, xs))
	return func(x []float64) []float64 {
		// One factor after the other: the entries of the product VΛᵖVᵀ are sums of powers of very
		// different sizes, in which small ones are lost.
		y, z := make([]float64, len(x)), make([]float64, len(x))
		v.MulVecT(y, x) // the coordinates of x along the eigenvectors
		for i, l := range lambda {
			if y[i] *= math.Pow(l, p); l == 0 {
				y[i] = 0
			}
		}
		v.MulVec(z, y)
		return z
	}, err
}

// GramFeatures returns Z = Λ^½Vᵀ, without the rows that are 0, the largest eigenvalue first: K =
// ZᵀZ, so that column i of Z is a feature vector of point i (D15). It uses the lower triangle of
// K. The error wraps ErrNotPositiveDefinite if an eigenvalue is below 0 by more than a rounding
// error, ErrNotFinite if one, or any entry of K, is not finite. O(n³).
func GramFeatures(k *Matrix) (*Matrix, error) {
	lambda, v, err := spectrum(k)
	if err != nil {
		return nil, err
	}
	// The eigenvalues ascend: those that are 0 come first, and the largest comes last.
	n := len(lambda)
	zeros, _ := slices.BinarySearch(lambda, math.SmallestNonzeroFloat64)
	z, vt := NewMatrix(n-zeros, n), v.T()
	for i := range z.Rows {
		axpy(z.Row(i), math.Sqrt(lambda[n-1-i]), vt.Row(n-1-i))
	}
	return z, nil
}

// EmpiricalMap returns φₙ, φₙ(x) = (k(x₁, x), …, k(xₙ, x)): n kernel values a call (D16). Its inner
// products are not those of k: see [KernelPCAMap].
func EmpiricalMap[X any](k Kernel[X], xs []X) func(x X) []float64 {
	rows := newRecipe(k, slices.Clone(xs)).open(false)
	return func(x X) []float64 {
		phi := make([]float64, len(xs))
		rows.values(phi, x)
		return phi
	}
}

// KernelPCAMap returns ψ(x) = K^{−½}φₙ(x). Its inner products are ψ(x)·ψ(z) = ⟨Pφ(x), Pφ(z)⟩, P the
// projection on the span of the φ(xᵢ): on the points xs that is k(x, z) (D17). Eigenvalues of K
// below (n + 16)·2⁻⁵² of the largest count as 0. Errors are those of [GramFeatures], and of invalid
// points or kernels. O(n³), and then O(n²) a point.
func KernelPCAMap[X any](k Kernel[X], xs []X) (func(x X) []float64, error) {
	root, err := gramPower(k, xs, -0.5)
	if err != nil {
		return nil, err
	}
	phi := EmpiricalMap(k, xs)
	return func(x X) []float64 { return root(phi(x)) }, nil
}

// # Functions: D18, D19
//
// The space of a kernel need not consist of lists of numbers. Its elements can be functions of x.
// For f = Σ aᵢk(xᵢ, ·), g = Σ bⱼk(zⱼ, ·) define
//
//	⟨f, g⟩ = Σᵢⱼ aᵢbⱼk(xᵢ, zⱼ)                                                         D18
//
// It equals Σ aᵢg(xᵢ) and Σ bⱼf(zⱼ), so it depends on f and g alone, not on how they are written,
// and is linear in each; f = k(x, ·) gives the reproducing property ⟨k(x, ·), g⟩ = g(x). As ‖f‖² =
// aᵀKa ≥ 0 (D14),
//
//	⟨f, g⟩² ≤ ‖f‖²‖g‖²                            [‖f‖² − 2τ⟨f, g⟩ + τ²‖g‖² ≥ 0 for all τ]
//	f(x)² = ⟨k(x, ·), f⟩² ≤ k(x, x)‖f‖²           [so only f = 0 has ‖f‖ = 0]
//
// So φ(x) = k(x, ·) is a feature map: ⟨φ(x), φ(z)⟩ = k(x, z), the converse of D14 for all points at
// once. These f, with their limits, are the reproducing kernel Hilbert space (RKHS) of k.
//
// The representer theorem (D19) says why learning needs no other functions. Project w on the span
// of the φ(xᵢ): w = w₁ + w₂, w₂ orthogonal to the span. No output ⟨w, φ(xᵢ)⟩ depends on w₂, and
// ‖w‖² = ‖w₁‖² + ‖w₂‖². So if w minimizes a loss of the outputs plus a strictly increasing function
// of ‖w‖, then w₂ = 0, and w = Σ aᵢφ(xᵢ) with Ka = outputs. If the function of ‖w‖ is only
// non-decreasing, w₁ is a minimizer as well as w.

// A Func is the function f = Σᵢ Coefᵢ k(Pointsᵢ, ·), an element of the reproducing kernel Hilbert
// space of k (D18). The zero value is the function 0. Functions that meet in Inner or Add must have
// the same kernel. Points must not change.
type Func[X any] struct {
	Kernel Kernel[X]
	Points []X
	Coef   []float64
}

// whole panics unless f has a coefficient for each point, and a kernel if it has points.
func (f Func[X]) whole() {
	demand(len(f.Points) == len(f.Coef), "svm: Func: %d points and %d coefficients",
		len(f.Points), len(f.Coef))
	demand(f.Kernel != nil || len(f.Points) == 0, noKernel)
}

// Eval returns f(x) = ⟨f, k(x, ·)⟩ from one kernel value a point; for a linear k every call sums w:
// see [Explicit].
func (f Func[X]) Eval(x X) float64 {
	f.whole()
	// A linear f is w·x, whose rounding error stays small where large terms aᵢxᵢ·x cancel. But the
	// w of sparse points may have a billion coordinates.
	if x, dense := any(x).([]float64); dense {
		if w, ok := weights(f); ok {
			return Dot(w, x)
		}
	}
	// Any other f is a·φₙ(x).
	values := make([]float64, len(f.Points))
	newRecipe(f.Kernel, f.Points).open(false).values(values, x)
	return Dot(f.Coef, values)
}

// Check returns an error if Eval(x), on which all decisions and predictions rest, would panic or
// mean nothing: x has another length than the points of f, a NaN or an infinity, indices out of
// order, or no row in a [Precomputed] matrix. In the error, point 0 is a point of f and point 1 is
// x, but a row number x is point 0. What functions of the caller do, in a Pullback for example, is
// not checked, and neither is f itself.
func (f Func[X]) Check(x X) error {
	first := slices.Clip(f.Points[:min(1, len(f.Points))]) // stands for all
	return cmp.Or(checkKernel(f.Kernel, nil, x), checkPoints(append(first, x)))
}

// Inner returns ⟨f, g⟩ = Σᵢⱼ aᵢbⱼk(xᵢ, zⱼ), a kernel value for each pair of points. It is itself a
// kernel: KernelFunc[Func[X]](Func[X].Inner).
func (f Func[X]) Inner(g Func[X]) (sum float64) {
	f.whole()
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
	points, coef := slices.Concat(f.Points, g.Points), slices.Concat(f.Coef, g.Coef)
	return Func[X]{cmp.Or(f.Kernel, g.Kernel), points, coef}
}

// Scale returns c·f.
func (f Func[X]) Scale(c float64) Func[X] {
	f.whole()
	return Func[X]{f.Kernel, f.Points, times(constant(len(f.Coef), c), f.Coef)}
}

// Project returns the orthogonal projection of f on the span of the k(xᵢ, ·): the function of least
// norm that equals f at every xᵢ, with coefficients K⁺(f(x₁), …, f(xₙ)), K⁺ the pseudo-inverse. As
// in the representer theorem (D19), it does not lengthen f, and changes the f(xᵢ) by no more than
// √λ‖f‖, λ the largest eigenvalue that counts as 0 in K⁺. Errors are those of [KernelPCAMap], and
// ErrNotFinite if a coefficient overflows. O(n³).
func (f Func[X]) Project(xs []X) (Func[X], error) {
	inverse, err := gramPower(f.Kernel, xs, -1)
	if err != nil {
		return Func[X]{}, err
	}
	// The coefficients a of the projection solve Ka = outputs; K⁺ finds the shortest solution.
	out := build(len(xs), func(i int) float64 { return f.Eval(xs[i]) })
	a := inverse(out)
	err = cmp.Or(allFinite("Project: the function at point", out),
		allFinite("Project: coefficient", a))
	if err != nil {
		return Func[X]{}, err
	}
	return Func[X]{f.Kernel, slices.Clone(xs), a}, nil
}

// # Least squares: F1, F2
//
// Fit w to targets t: make ‖Φw − t‖² small, and ‖w‖² too. The gradient of ‖Φw − t‖² + λ‖w‖² is
// 2Φᵀ(Φw − t) + 2λw; it vanishes where (ΦᵀΦ + λI)w = Φᵀt. For λ > 0
//
//	Φᵀ(ΦΦᵀ + λI) = (ΦᵀΦ + λI)Φᵀ                           [multiply out]
//	(ΦᵀΦ + λI)⁻¹Φᵀt = Φᵀ(K + λI)⁻¹t = Φᵀa                 [multiply by both inverses]  F1
//
// So w = Σ aᵢφ(xᵢ), as D19 has it, and Φ appears in K alone. Instead of solving equations one can
// follow the gradient of ‖Φw − t‖²/(2n) downhill, and again kernel values are enough:
//
//	w + (η/n)Φᵀ(t − Φw) = Φᵀ(a + (η/n)(t − Ka))           [w = Φᵀa]                    F2
//
// Let φ have d coordinates. In the primal form F1 takes a d×d matrix, and F2 the n×d matrix Φ; in
// the dual form both take the n×n matrix K.

// KernelRidge returns the f that minimizes Σᵢ (f(xᵢ) − tᵢ)² + λ‖f‖², a = (K + λI)⁻¹t (F1). The
// error wraps ErrNotPositiveDefinite if K + λI is singular to working precision, as where λ is 0
// and two points are equal, and ErrNotFinite if a point, a target or a kernel value is not finite.
// There is no intercept: f is drawn towards 0, so subtract the mean of targets that are far from 0,
// or use [Regress], or add a constant to the kernel. n³/6 multiply-adds, memory for n² numbers.
func KernelRidge[X any](xs []X, t []float64, k Kernel[X], lambda float64) (Func[X], error) {
	if err := cmp.Or(checkRegression(xs, t), checkKernel(k, xs)); err != nil {
		return Func[X]{}, err
	}
	a, err := solveRidge(GramMatrix(k, xs).upper(), slices.Clone(t), lambda)
	if err != nil {
		return Func[X]{}, err
	}
	return Func[X]{k, slices.Clone(xs), a}, nil
}

// Ridge returns the w that minimizes ‖Φw − t‖² + λ‖w‖², w = (ΦᵀΦ + λI)⁻¹Φᵀt (F1), where Φ has the
// rows phi: the primal form of [KernelRidge], cheaper if there are more points than features. nd²/2
// + d³/6 multiply-adds; the same errors.
func Ridge(phi [][]float64, t []float64, lambda float64) ([]float64, error) {
	if err := checkRegression(phi, t); err != nil {
		return nil, err
	}
	// The normal equations: ΦᵀΦ + λI on the left, Φᵀt on the right.
	m := MatrixFromRows(phi)
	normal, w := NewMatrix(m.Cols, m.Cols).upper(), make([]float64, m.Cols)
	normal.addGram(constant(m.Rows, 1), phi)
	m.MulVecT(w, t)
	return solveRidge(normal, w, lambda)
}

// solveRidge returns (A + λI)⁻¹b, in the memory of b, and replaces a, the upper triangle of A, by
// the factor of A + λI.
func solveRidge(a triangle, b []float64, lambda float64) ([]float64, error) {
	if err := checkSize("lambda", lambda); err != nil {
		return nil, err
	}
	// A + λI. Only the diagonal changes, the first entry of each row. D is the new diagonal, and x
	// has no pattern, so that hardly any eigenvector (see below) is orthogonal to it.
	root, x := make([]float64, len(a)), make([]float64, len(a)) // D^½, x
	for i, row := range a {
		row[0] += lambda
		root[i], x[i] = math.Sqrt(row[0]), math.Sin(float64(i+1))
		if j := nonFinite(row); j >= 0 {
			return nil, fmt.Errorf("svm: ridge: matrix entry (%d, %d) is %v: %w",
				i, i+j, row[j], ErrNotFinite)
		}
	}
	if pivot := a.factor(); pivot >= 0 {
		return nil, fmt.Errorf("svm: ridge: the matrix plus lambda = %v is singular at row %d: %w",
			lambda, pivot, ErrNotPositiveDefinite)
	}
	// Pivots that rounding has kept above 0 are no proof. Scaled to diagonal 1, so that no unit of
	// a feature matters, A + λI must have eigenvalues above rounding. Estimate the least of them by
	// inverse iteration: x ← D^½(A + λI)⁻¹D^½x divides the part of x along each eigenvector by its
	// eigenvalue, so the part with the least eigenvalue grows most. The estimate is never too low
	// [no x grows by more than the inverse of that eigenvalue]. Three steps find its size. What
	// passes for 0 is the same share as in spectrum.
	for range 3 {
		divide(x, norm(x))
		x = times(x, root)
		a.solve(x)
		x = times(x, root)
	}
	if least := 1 / norm(x); least <= float64(len(a)+16)*machineEps {
		return nil, fmt.Errorf("svm: ridge: the matrix plus lambda = %v, scaled to diagonal 1, "+
			"has the eigenvalue %.2g: %w", lambda, least, ErrNotPositiveDefinite)
	}
	a.solve(b)
	return b, allFinite("ridge: coefficient", b)
}

// LeastSquares takes the given steps of gradient descent on ‖Φw − t‖²/(2n), from w = 0:
// w ← w + (η/n)Φᵀ(t − Φw), where Φ has the rows phi and η is the rate (F2). It returns the last w.
// The run converges if 0 < η < 2n/μ, μ the largest eigenvalue of ΦᵀΦ. Beyond that, w usually grows
// without bound; if it overflows, the error wraps ErrNotConverged. O(nd) a step.
func LeastSquares(phi [][]float64, t []float64, rate float64, steps int) ([]float64, error) {
	if err := checkRegression(phi, t); err != nil {
		return nil, err
	}
	m := MatrixFromRows(phi)
	return gradientDescent(m, t, rate, steps, m.MulVecT)
}

// KernelLeastSquares is the run of [LeastSquares], step for step, with features φ that are never
// computed (F2): aᵢ ← aᵢ + (η/n)(tᵢ − Σⱼ aⱼKᵢⱼ), w = Σ aᵢφ(xᵢ). It keeps K and a, not Φ and w. The
// function converges where w does; if K is singular, a may grow along vectors v with Kv = 0, which
// do not change the function. O(n²) a step.
func KernelLeastSquares[X any](xs []X, t []float64, k Kernel[X], rate float64,
	steps int) (Func[X], error) {
	if err := cmp.Or(checkRegression(xs, t), checkKernel(k, xs)); err != nil {
		return Func[X]{}, err
	}
	// The direction in a is the residual itself: in w it is Φᵀ times the residual (F2).
	same := func(dst, residual []float64) { copy(dst, residual) }
	a, err := gradientDescent(GramMatrix(k, xs), t, rate, steps, same)
	if a == nil {
		return Func[X]{}, err
	}
	return Func[X]{k, slices.Clone(xs), a}, err
}

// gradientDescent takes steps v ← v + (η/n)·direction(t − Mv) from v = 0.
func gradientDescent(m *Matrix, t []float64, rate float64, steps int,
	direction func(dst, residual []float64)) ([]float64, error) {
	err := cmp.Or(checkSize("rate", rate), checkSize("steps", steps), m.finite("matrix"))
	if err != nil {
		return nil, err
	}
	v, move, residual := make([]float64, m.Cols), make([]float64, m.Cols), make([]float64, m.Rows)
	for range steps {
		// The residual t − Mv, and a step along its direction.
		m.MulVec(residual, v)
		for i, p := range residual {
			residual[i] = t[i] - p
		}
		direction(move, residual)
		axpy(v, rate/float64(len(t)), move)
	}
	// Each step multiplies what w lacks of a minimizer by I − (η/n)ΦᵀΦ: too large an η makes it
	// grow.
	return v, unless(nonFinite(v) < 0, "svm: gradient descent diverges: rate %v is too large: %w",
		rate, ErrNotConverged)
}

// # What kernels print
//
// A zero field may mean a default, so kernels print the values that hold.

// String returns "Linear".
func (Linear) String() string { return "Linear" }

// String returns the kernel with the values that hold: "Polynomial{Degree: 3, Gamma: 1, Coef: 0}".
func (k Polynomial) String() string {
	return fmt.Sprintf("Polynomial{Degree: %v, Gamma: %v, Coef: %v}",
		cmp.Or(k.Degree, 3), cmp.Or(k.Gamma, 1), k.Coef)
}

// String returns the kernel with the values that hold: "RBF{Gamma: 1}".
func (k RBF) String() string { return fmt.Sprintf("RBF{Gamma: %v}", cmp.Or(k.Gamma, 1)) }

// String returns the kernel with the values that hold: "Sigmoid{Gamma: 1, Coef: 0}".
func (k Sigmoid) String() string {
	return fmt.Sprintf("Sigmoid{Gamma: %v, Coef: %v}", cmp.Or(k.Gamma, 1), k.Coef)
}

// String returns "Cosine".
func (Cosine) String() string { return "Cosine" }

// String returns the kernel with the values that hold: "Substring{Decay: 1}".
func (k Substring) String() string {
	return fmt.Sprintf("Substring{Decay: %v}", cmp.Or(k.Decay, 1))
}

func (s sparseKernel) String() string { return fmt.Sprintf("OnSparse(%v)", s.k) }

// # Checks of what users give
//
// Training returns an error where points, targets or kernels cannot be used. What a program can
// avoid, such as vectors of unequal lengths in a call of Eval, panics.

// checkRegression returns an error unless the points are valid and each has a finite target.
func checkRegression[X any](xs []X, t []float64) error {
	return cmp.Or(unless(len(xs) == len(t), "svm: %d points, but %d targets", len(xs), len(t)),
		allFinite("target", t), checkPoints(xs))
}

// checkPoints returns an error if xs are vectors and some are not finite, of unequal lengths or
// malformed.
func checkPoints[X any](xs []X) error {
	points, err := vectors(xs)
	if err != nil {
		return err
	}
	// Of a sparse point the indices matter as much as the values: one pass through both must meet
	// equal indices.
	for i, x := range points {
		if len(x.Index) != len(x.Value) {
			return fmt.Errorf("svm: point %d has %d indices and %d values",
				i, len(x.Index), len(x.Value))
		}
		for k, f := range x.Index {
			if f < 0 || k > 0 && f <= x.Index[k-1] {
				return fmt.Errorf("svm: index %d of point %d: want indices that rise, from 0", f, i)
			}
		}
		if k := nonFinite(x.Value); k >= 0 {
			return fmt.Errorf("svm: feature %d of point %d is %v: %w",
				x.Index[k], i, x.Value[k], ErrNotFinite)
		}
	}
	return nil
}

const noKernel = "svm: the kernel is nil"

// checkKernel returns an error if k, or a kernel that it is made of, is nil, an RBF of negative
// Gamma, a Polynomial of negative Degree, or a matrix that lacks the row of a point, or is not
// square although there are points xs. It checks no other parameters. Nor does it check the images
// under a Pullback: there such a matrix panics.
func checkKernel[X any](k any, xs []X, fresh ...X) error {
	switch k := k.(type) {
	case nil:
		return errors.New(noKernel)
	case KernelFunc[X]:
		return unless(k != nil, noKernel)
	case RBF:
		return checkSize("RBF: Gamma", k.Gamma)
	case Polynomial:
		return unless(k.Degree >= 0, "svm: a polynomial of degree %d", k.Degree)
	case Precomputed:
		if k.K == nil || len(k.K.Data) != k.K.Rows*k.K.Cols {
			return errors.New("svm: the kernel's matrix is nil, or has not Rows × Cols numbers")
		}
		// Kernels of one training point and another ask for both, so there must be as many
		// columns as rows. New points are rows alone.
		m, n := k.K.Rows, k.K.Cols
		for i, row := range any(slices.Concat(xs, fresh)).([]int) {
			if row < 0 || row >= m || i < len(xs) && m != n {
				return fmt.Errorf("svm: point %d is row %d of a %d×%d matrix", i, row, m, n)
			}
		}
	case sparseKernel:
		return checkKernel(k.k, xs)
	case composed[X]:
		// A kernel that is made of others is as good as they are.
		err := checkKernel(k.outer, xs)
		for _, part := range k.parts {
			err = cmp.Or(err, checkKernel(part, xs, fresh...))
		}
		return err
	case interface{ check() error }: // a Pullback
		return k.check()
	}
	return nil
}

func (p pullback[X, Y]) check() error {
	return cmp.Or(unless(p.f != nil, "svm: the function of the kernel is nil"),
		checkKernel[Y](p.k, nil))
}

// Part II. The Gram matrix, row by row
//
// Part I computes one kernel value at a time. A solver asks for whole rows of K, hundreds of
// thousands of values, and never looks at a point. The sections of this part compute a row faster
// than value by value. The figures say how many times as long training takes without the idea.
//
//	rows by columns                        1.3 to 12     zeros cost nothing
//	columns stored whole or by non-zeros   1.3 to 2      each at its own price
//	four columns in one pass               1.1 to 2      the row is read and written once
//	the usual number of a column           2 to 7        −1 and 1 become 0 and 2
//	columns moved near the origin          1.1 to 3.7    distances keep their digits
//	the exponential by a table             1.1 to 1.9    a Gaussian costs what its products cost
//	rows of composed kernels               4 to 20       the parts have fast rows
//
// Legend:
//
//	symbol   meaning                                                Go
//	n, xⱼ    the points, in an order that the solver may change     xs
//	X, X_·f  the matrix with rows xⱼ, and its column f: a feature   dense, sparse
//	ρ        the rounding of rows: Kᵢⱼ is off by about ρ√(KᵢᵢKⱼⱼ)   rough, facts
//	ε        2⁻⁵², the distance from 1 to the next float64          machineEps
//	m        what is subtracted from every point                    offset is −m
//
// There are three ways to compute a row, and each has a type: [recipe] goes value by value,
// [columns] feature by feature, and [composedRows] part by part. (The rows of a Pullback are those
// of the images.) All of them only read while a row is computed, so several workers may ask for
// rows at once. Only Permute writes, and a solver calls Permute while no row is under way.
//
// Part I remains the judge: whatever is computed here has to be what Eval returns, up to rounding.

// A Gram is an n×n kernel matrix K, stored or computed as needed. It is immutable; every solver
// opens a view of its own. A *[Matrix] is a Gram, and [GramOf] makes one that computes its rows on
// demand.
type Gram interface {
	Len() int
	Open() Rows
}

// Rows is one solver's view of a Gram matrix, in an order of points that the solver may change.
type Rows interface {
	// Diag sets dst[i] = K_ii.
	Diag(dst []float64)

	// Row sets dst[j] = K_i,from+j. Concurrent calls are safe.
	Row(dst []float64, i, from int)

	// Permute changes the order: point k < len(at) is from now on what was point at[k]. The others
	// stay.
	Permute(at []int)
}

// GramOf returns the Gram matrix of the points without computing it. The points must not change
// while it is in use. A row takes n evaluations of k. If k is a [DotKernel] of vectors, or one
// [OnSparse], it takes much less: for each non-zero of its point about four multiply-adds per
// non-zero of that feature, or one per point if more than a quarter have it. A kernel made of
// kernels computes rows from theirs. A row takes n evaluations also in three other cases: rounding
// by columns would be above 5e-12, as with a Gaussian if γ times the largest ‖x‖², of points moved
// near the origin, is above 10⁴; a solver has found that the rounding of rows by columns hides its
// tolerance (see [SMO]); or sparse points are too wide for [Explicit]. Points with an infinite or
// NaN coordinate have rows by Eval.
func GramOf[X any](k Kernel[X], xs []X) Gram { return newRecipe(k, xs) }

// A recipe is a Gram given by a kernel and points. It has rows of its own, value by value; open
// finds out whether there are faster ones.
type recipe[X any] struct {
	facts // of its own rows
	k     Kernel[X]
	xs    []X
	laid  *columns // the points by columns, if that has been done: the rows of one solver
}

func newRecipe[X any](k Kernel[X], xs []X) recipe[X] {
	cost := evalCost
	if _, matrix := any(k).(Precomputed); matrix {
		cost = indexCost
	}
	return recipe[X]{facts{cost, machineEps}, k, xs, nil}
}

// pick returns the recipe of some of the points. If all are laid out by columns, so are these: to
// number the features and to choose how each is stored takes longer than to fill the columns.
func (r recipe[X]) pick(rows []int) recipe[X] {
	p := newRecipe(r.k, pick(r.xs, rows))
	if r.laid != nil {
		// Place and offset stay, and rough, which is no less than for fewer points.
		c := *r.laid
		c.byEval, c.xs, c.norms = &p, pick(c.xs, rows), pick(c.norms, rows)
		c.dense, c.sparse = make([][]float64, len(c.dense)), make([]Sparse, len(c.sparse))
		c.Permute(nil)
		p.laid = &c
	}
	return p
}

func (r recipe[X]) Len() int { return len(r.xs) }

func (r recipe[X]) Open() Rows { return r.open(true) }

// A valuer is a Rows that computes the kernel values of other points, too.
type valuer interface {
	Rows
	values(dst []float64, x any) // dst[j] = k(x, xⱼ), before any Permute; concurrent calls are safe
	about() facts
}

// open returns rows: made of the rows of k's parts, or by columns if fast is set, or by Eval.
func (r recipe[X]) open(fast bool) valuer {
	// A composed kernel or a Pullback opens the rows of what it is made of.
	if k, made := any(r.k).(interface{ open([]X, bool) valuer }); made {
		return k.open(r.xs, fast)
	}
	// The others are functions of inner products, or known by Eval alone.
	if fast {
		if c := r.columns(false); c != nil {
			return c
		}
	}
	return &r
}

// Facts are the price and the rounding of rows; all rows of this package report them.
type facts struct {
	cost  float64 // about how many multiply-adds a value takes
	rough float64 // ρ: entry ij is off by about ρ√(KᵢᵢKⱼⱼ); at least ε
}

func (f facts) about() facts { return f }

// # Rows value by value
//
// The plain way is one value for each point. It serves matrices, where a value is a number that is
// already there, and points are row numbers; Substring, whose automaton serves a whole row; and
// every kernel of which nothing is known but Eval. An order of points is a list of points, and to
// change the order is to make another list.

// The cost of a value that Eval computes is a guess, as Eval may be anything. To read a number of a
// matrix through an index takes the time of about four multiply-adds.
const evalCost, indexCost = 200., 4.

// set sets dst[j] = k(x, zⱼ), for as many zⱼ as dst has room for.
func (r *recipe[X]) set(dst []float64, x X, zs []X) {
	eval := func(z X) float64 { return r.k.Eval(x, z) }
	switch k := any(r.k).(type) {
	case Precomputed:
		row, at := k.K.Row(any(x).(int)), any(zs).([]int)
		for j, z := range at[:len(dst)] {
			dst[j] = row[z]
		}
		return
	case Substring:
		// One automaton, that of x, serves all z.
		eval = any(newAutomaton(any(x).(string), k.Decay).common).(func(z X) float64)
	}
	for j := range dst {
		dst[j] = eval(zs[j])
	}
}

func (r *recipe[X]) Diag(dst []float64) {
	// A diagonal entry is a row of one value.
	for i := range dst {
		r.set(dst[i:i+1], r.xs[i], r.xs[i:])
	}
}

func (r *recipe[X]) Row(dst []float64, i, from int) { r.set(dst, r.xs[i], r.xs[from:]) }

func (r *recipe[X]) values(dst []float64, x any) { r.set(dst, x.(X), r.xs) }

func (r *recipe[X]) Permute(at []int) {
	r.xs = slices.Clone(r.xs) // the caller's stay as they are
	permute(r.xs, at)
}

// Len returns the number of rows. With Open it makes a symmetric Matrix a [Gram].
func (m *Matrix) Len() int { return m.Rows }

// Open returns a view of a symmetric Matrix that shares its numbers.
func (m *Matrix) Open() Rows { return newRecipe(Precomputed{m}, upTo[int](m.Rows)).Open() }

// # Rounding of rows
//
// A value of Eval counts as rounded once: ρ = ε. Rows by columns may be rougher, as they are
// functions of rounded inner products, and a kernel may magnify the rounding of x·z. Worst is the
// Gaussian, whose squared distance has to be expanded,
//
//	‖x − z‖² = ‖x‖² + ‖z‖² − 2x·z        [multiply out]
//
// which cancels where x and z are near each other and far from the origin. If the last term is off
// by the share ε of 2‖x‖², the kernel is off by about 2γ‖x‖²ε. So rows report their ρ:
//
//	|computed Kᵢⱼ − k(xᵢ, xⱼ)| ≤ about ρ √(KᵢᵢKⱼⱼ)
//
// The right side has √(KᵢᵢKⱼⱼ) rather than |Kᵢⱼ|, because that is how large Kᵢⱼ may be [Cauchy and
// Schwarz], and because a small value of a sum of large terms has the errors of the terms. The ρ is
// an estimate, as if every inner product were rounded once. A sum of d products is rounded more
// often: errors were found up to √d/4 times as large, or d/10 times if the products are equal.
//
// Three things follow. Where ρ > expandTol, there are no rows by columns at all. A solver counts ρ
// in what it certifies, and asks for rows by Eval when ρ is all that keeps it from its tolerance. A
// sum Σⱼ aⱼKᵢⱼ may be off by ρ Σ|aⱼ| max Kᵢᵢ: a prediction with large multipliers uses Eval, too.

const (
	// The largest ρ with which there are rows by columns.
	expandTol = 5e-12

	// A move of an inner product by this many units in the last place can be told from rounding.
	severalTimes = 4

	// Rows that are at most this many times as rough as Eval are not replaced by Eval in
	// predictions.
	muchRougher = 16

	// The error that rounding of kernel values may cause in a decision value.
	decisionTol = 1e-9
)

// An exactGram opens rows by Eval, too, by open(false), in the caller's order of points.
type exactGram interface{ open(fast bool) valuer }

// within returns rows for sums Σⱼ aⱼKᵢⱼ with Σ|aⱼ| ≤ size. If rounding may take the sums farther
// off than tol, rows are by Eval, unless Eval is hardly better.
func (r recipe[X]) within(tol, size float64) valuer {
	rows, diag := r.open(true), make([]float64, len(r.xs))
	if rough := rows.about().rough; rough > muchRougher*machineEps {
		// |Σⱼ aⱼ errorᵢⱼ| ≤ ρ Σ|aⱼ| max Kᵢᵢ, for a new point that is no longer than the others.
		if rows.Diag(diag); !(rough*size*largest(diag) <= tol) { // true for NaN, too
			return r.open(false)
		}
	}
	return rows
}

// magnified returns how far k(x, z) moves, relative to √(k(x, x)k(z, z)), when x·z moves by the
// share h of ‖x‖‖z‖, for points with ‖x‖² = xx; at least ε. For (x·z)ᵖ it is about ph, and for a
// Gaussian 2γ‖x‖²h.
func magnified(k DotKernel, xx, h float64) float64 {
	// A few angles between x and z will do: a kernel of inner products with a positive series is
	// steepest where x and z have the same direction. For others this is a guess.
	most, size := machineEps, math.Abs(k.Of(xx, xx, xx))
	for _, cosine := range []float64{1, 0.5, 0, -0.5, -1} {
		moved := k.Of(cosine*xx, xx, xx) - k.Of((cosine-h)*xx, xx, xx)
		most = max(most, math.Abs(moved)/size)
	}
	return most
}

// # Rows by columns
//
// If k is a function of inner products, the row of x is that function, entry by entry, of
//
//	(Xx)ⱼ = Σ_f x_f X_jf      that is      Xx = Σ_f x_f X_·f                       (G1)
//
// For example, let the points be (1, 0, 2), (0, 0, 3) and (4, 0, 0), and x = (0, 5, 1). Feature 1
// of x is zero, and no point has feature 2. What is left is one column: Xx = 1·(2, 3, 0).
//
// The left form takes n inner products. The right form adds up columns of X, one for every non-zero
// feature f of x, and is far cheaper when X is stored by columns. Dense columns, those with more
// than a quarter of non-zeros, are added without a branch, four in one pass, so that the sum is
// loaded and stored once for four products. Of a sparse column only the non-zeros are visited. So
// zeros of x cost nothing, nor do those of X in a sparse column. Every point is treated as a
// [Sparse], a []float64 as one with all indices. One number for each feature says where its column
// is, also if no point has the feature. So one large index could ask for far more memory than all
// points have: then there are no columns (see Decisions for the limit).
//
// What a row costs: if a feature has the share s of non-zeros, then the share s of all rows needs
// its column. A dense column has n entries, so the feature costs s multiply-adds for each value of
// the row, on average. A sparse one has sn entries, each at a price of sparseCost: 4s² for a value.
// The two are equal at s = 1/4, which is denseShare.
//
// The Gaussian needs ‖x − z‖², which cancels when the points are far from the origin. Distances do
// not change when every point is moved by the same vector, so a column with a mean that is large
// beside its spread is moved to mean zero.
//
// Another number does as well as the mean, if it is within centreShare standard deviations of the
// mean. If more than a third of a column's entries are one number, that number is [so the variance
// is at least a third of the square of its distance from the mean, and √3 < centreShare]. So a
// number that wins the vote of originOf is subtracted, and its entries become 0. A feature that was
// 0 for most points before it was scaled to [−1, 1] is an example: its −1 becomes 0 again, and a
// zero of x costs nothing. A sparse column stays where it is: 0 is its usual number.

const (
	// A column is stored whole if more than this share of its entries is not zero: to add it whole
	// costs a quarter of a nanosecond an entry, to visit only its non-zeros about one nanosecond
	// each, which is sparseCost times as much.
	denseShare = 0.25
	sparseCost = 4

	// The cost of the kernel's own function, a value.
	ofCost = 8

	// A number is far from the mean of a column beyond this many standard deviations. If 0 is not
	// far, cancellation costs only two or three bits, and moving to the mean would turn zeros,
	// which cost nothing, into numbers that do.
	centreShare = 2

	// A number is usual in a column if it wins a vote by more than this share of the entries.
	usualShare = 1. / 3
)

// columns holds vectors by feature, for the rows of K by (G1).
type columns struct {
	facts
	kernel DotKernel
	xs     []Sparse    // the points in their present order
	norms  []float64   // ‖xⱼ‖², of the moved points
	dense  [][]float64 // columns with many non-zeros, n entries each
	offset []float64   // what was added to each of these
	sparse []Sparse    // columns with few non-zeros: Index has the points, ascending
	place  []int32     // by feature: p if in dense[p−1], −p if in sparse[p−1], else 0
	byEval valuer      // the matrix of the points as given, by Eval, before any Permute
}

// columns decides how each feature is stored, and fills and moves the columns. Those of a Gaussian
// may be moved, as it is a function of the distance alone. Those of the linear kernel may be if
// center is set. It returns nil if the points are no vectors, or far too wide ones, if the kernel
// is no function of inner products, or if rows would be too rough. It costs a few passes over the
// points: about a hundred rows if most features are not 0, and many more of the cheaper rows of
// sparse points.
func (r recipe[X]) columns(center bool) *columns {
	k := dotKernel(r.k)
	if r.laid != nil || k == nil {
		return r.laid
	}
	points, _ := vectors(r.xs)
	d, ok := width(points)
	if !ok || len(points) == 0 {
		return nil
	}

	// First place has the number of non-zeros of each feature. By this number the feature becomes a
	// dense column or a sparse one, or no column at all. The last entry stands for all features
	// that no point has.
	c := &columns{kernel: k, xs: slices.Clone(points), place: make([]int32, d+1), byEval: &r}
	for _, x := range points {
		for k, v := range x.Value {
			if v != 0 {
				c.place[x.Index[k]]++
			}
		}
	}
	n := float64(len(points))
	for f, count := range c.place {
		share := float64(count) / n
		if share > denseShare {
			c.offset = append(c.offset, 0)
			c.dense = append(c.dense, nil)
			c.place[f] = int32(len(c.dense))
		} else if share > 0 {
			room := Sparse{make([]int32, 0, count), make([]float64, 0, count)}
			c.sparse = append(c.sparse, room)
			c.place[f] = -int32(len(c.sparse))
			// That share of the rows visits that share of the points.
			c.cost += sparseCost * share * share
		}
	}
	c.Permute(nil)

	// Other kernels than these have an origin. A row adds the dense columns in which its point is
	// not 0, after the move.
	_, gaussian := k.(RBF)
	for p, d := range c.dense {
		if gaussian || center && k == DotKernel(Linear{}) {
			c.offset[p] = -originOf(d)
			for i := range d {
				d[i] += c.offset[p]
			}
		}
		c.cost += float64(len(support(d))) / n
	}
	c.cost += ofCost

	// The norms are those of the moved points. A row finds that of its point, even a row of no
	// values.
	c.norms = build(len(points), func(i int) float64 { return c.row(nil, points[i], 0) })

	// The longest point has the largest rounding. The difference of two values in magnified is
	// itself rounded; a move that is several times as large can be told from rounding.
	longest := max(slices.Max(c.norms), 0x1p-900) // at 0 magnified might divide by 0
	c.rough = magnified(k, longest, severalTimes*machineEps) / severalTimes
	if !(c.rough <= expandTol) {
		return nil
	}
	return c
}

// originOf returns what is to be subtracted from the entries of a column: the usual number or, if
// there is none, the mean if it is far from 0, or else 0.
func originOf(d []float64) float64 {
	// The entries vote: two that differ leave in a pair (Boyer and Moore). What is left are equal
	// ones. If they are more than a third of all, no other number is as frequent: it has at most
	// one entry in each pair, less than a third of all.
	usual, left := 0.0, 0
	for _, v := range d {
		switch {
		case left == 0:
			usual, left = v, 1
		case v == usual:
			left++
		default:
			left--
		}
	}
	// A usual number makes zeros, and so it comes first.
	n := float64(len(d))
	if usual != 0 && float64(left) > usualShare*n {
		return usual
	}
	// If the spread is small beside the mean, the variance may be rounding, even below 0: then,
	// too, 0 is far from the mean.
	mean := total(d) / n
	if variance := norm2(d)/n - mean*mean; mean*mean > centreShare*centreShare*variance {
		return mean
	}
	return 0
}

// Permute writes the points into the columns, in the new order. (Permute(nil) keeps the order.)
// Columns keep the memory that they have had, as the points change only their places. Offsets stay;
// the norms go along with their points.
func (c *columns) Permute(at []int) {
	permute(c.xs, at)
	permute(c.norms, at)
	// Where a point has no entry, a moved column has its offset, and a sparse column has nothing.
	for p, d := range c.dense {
		d = slices.Grow(d[:0], len(c.xs))[:len(c.xs)]
		for i := range d {
			d[i] = c.offset[p]
		}
		c.dense[p] = d
	}
	for p, s := range c.sparse {
		c.sparse[p] = Sparse{s.Index[:0], s.Value[:0]}
	}
	for i, x := range c.xs {
		for k, v := range x.Value {
			if v == 0 {
				continue
			}
			// The points come in order, and so the entries of a sparse column are ascending.
			if p := c.place[x.Index[k]]; p > 0 {
				c.dense[p-1][i] += v
			} else {
				s := &c.sparse[-p-1]
				s.Index, s.Value = append(s.Index, int32(i)), append(s.Value, v)
			}
		}
	}
}

// centred lays out the points by columns, if k is a function of inner products. In a dual with Σβ =
// 0 the linear kernel may have its origin anywhere: with x′ = x − m and w = Σβⱼxⱼ,
//
//	Σⱼ βⱼx′ⱼ·x′ᵢ = w·xᵢ − w·m        [Σβⱼm = 0]                                    (G2)
//
// so βᵀKβ is the same, and every entry of the gradient is greater by w·m, which b absorbs. So its
// columns are moved as originOf says: else products of features near 10⁷ would have rounding errors
// near 10⁻². If a column is moved, shift holds the m·x′ⱼ, so that w·m = Σⱼ βⱼ shiftⱼ. The matrix is
// for one solver, which gets the columns as they are. Nobody asks for rows by Eval instead, of
// points that are not moved: for the linear kernel ρ is about ε, as by Eval.
func (r recipe[X]) centred() (moved recipe[X], shift []float64) {
	r.laid = r.columns(true)
	// Without columns, or if none has moved, b needs no correction.
	if c := r.laid; c != nil && c.kernel == DotKernel(Linear{}) && len(support(c.offset)) > 0 {
		shift = make([]float64, len(r.xs))
		for p, d := range c.dense {
			axpy(shift, -c.offset[p], d)
		}
	}
	return r, shift
}

// features returns the matrix [Φ 1], where K = ΦΦᵀ and 1 is a column of ones, and the cost of a
// value, if the kernel is linear and the points are laid out by columns, or else nil.
func (r recipe[X]) features() (phi *sparseMatrix, cost float64) {
	c := r.laid
	if c == nil || c.kernel != DotKernel(Linear{}) {
		return nil, 0
	}
	// Along a row come the entries of dense columns, then those of sparse ones, then the 1. Rows
	// are parts of a few long lists, so that a pass over Φ reads memory in order.
	last, all := len(c.dense)+len(c.sparse), Sparse{}
	add := func(f int, v float64) {
		if v != 0 {
			all.Index, all.Value = append(all.Index, int32(f)), append(all.Value, v)
		}
	}
	phi = &sparseMatrix{last + 1, make([]Sparse, len(c.xs))}
	for i, x := range c.xs {
		from := len(all.Index)
		for f, d := range c.dense {
			add(f, d[i])
		}
		for k, v := range x.Value {
			if p := int(c.place[x.Index[k]]); p < 0 {
				add(len(c.dense)-p-1, v)
			}
		}
		add(last, 1)
		phi.rows[i] = Sparse{all.Index[from:], all.Value[from:]}
	}
	return phi, c.cost
}

func (c *columns) Diag(dst []float64) {
	for i, xx := range c.norms {
		dst[i] = c.kernel.Of(xx, xx, xx)
	}
}

func (c *columns) Row(dst []float64, i, from int) { c.row(dst, c.xs[i], from) }

func (c *columns) values(dst []float64, x any) {
	point, sparse := x.(Sparse)
	if !sparse {
		point = Sparse{c.xs[0].Index, x.([]float64)}
		demand(len(point.Value) == len(point.Index), "svm: a point with %d coordinates among "+
			"points with %d", len(point.Value), len(point.Index))
	}
	// Sums by columns, and expanded distances, may be ∞ − ∞ where Eval is not. That cannot happen
	// to points of the matrix: if one of them were so long, there would be no columns.
	if xx := c.row(dst, point, 0); !(xx <= math.MaxFloat64) {
		c.byEval.values(dst, x)
	}
}

// row sets dst[j] = k(x, x_from+j), by (G1), and returns ‖x‖² of the moved x.
func (c *columns) row(dst []float64, x Sparse, from int) (xx float64) {
	// The coefficients of the dense columns: of moved ones even where x is 0.
	var room [128]float64 // so that those of few columns take no memory
	coef := append(room[:0], c.offset...)
	last := len(c.place) - 1 // the place of all features that no point of the matrix has
	for k, v := range x.Value {
		if p := c.place[min(int(x.Index[k]), last)]; p > 0 {
			coef[p-1] += v
		} else {
			xx += v * v // even if p = 0: no xⱼ has the feature, but ‖x‖² includes it
		}
	}
	xx += norm2(coef)
	clear(dst)
	// Add the dense columns, four in a pass. The k columns in v, with coefficients a, wait for
	// others.
	var a [4]float64
	var v [4][]float64
	k := 0
	for p, x := range coef {
		if x == 0 {
			continue // the zeros of x cost this comparison and nothing else
		}
		a[k], v[k] = x, c.dense[p][from:]
		if k++; k == 4 {
			axpy4(dst, a[0], v[0], a[1], v[1], a[2], v[2], a[3], v[3])
			k = 0
		}
	}
	for ; k > 0; k-- {
		axpy(dst, a[k-1], v[k-1])
	}
	// Add the sparse columns, which make the sums Xx, and turn the sums into kernel values.
	for k, v := range x.Value {
		if p := c.place[min(int(x.Index[k]), last)]; p < 0 && v != 0 {
			c.sparse[-p-1].addTo(dst, v, from)
		}
	}
	fromProducts(c.kernel, dst, c.norms[from:], xx)
	return xx
}

// product adds Σᵢ aᵢk(xᵢ, x_from+j) to dst[j] for the linear kernel, by two passes over X instead
// of a row of K for every aᵢ ≠ 0: the sums are Xw for w = Xᵀa. The entries of w are rounded once;
// all sums have twice the digits of a float64. For other kernels it does nothing and returns false.
func (c *columns) product(dst, a []float64, from int) bool {
	if c.kernel != DotKernel(Linear{}) {
		return false
	}
	// Column by column: the entry of w, and then what the column adds to Xw.
	lost := make([]float64, len(dst))
	whole, _ := vectors(c.dense) // with the index of every point
	for _, s := range slices.Concat(whole, c.sparse) {
		s.addExactTo(dst, lost, dotExact(0, pick(a, s.Index), s.Value), from)
	}
	axpy(dst, 1, lost)
	return true
}

// vectors returns points that are []float64 or Sparse as Sparse ones that share their numbers. It
// returns nil if they are no vectors, and an error, too, if they are []float64 of unequal lengths.
func vectors[X any](xs []X) (views []Sparse, err error) {
	dense, _ := any(xs).([][]float64)
	if len(dense) == 0 {
		views, _ = any(xs).([]Sparse)
		return views, nil
	}
	other := func(x []float64) bool { return len(x) != len(dense[0]) }
	if i := slices.IndexFunc(dense, other); i >= 0 {
		return nil, fmt.Errorf("svm: point %d has %d features, point 0 has %d",
			i, len(dense[i]), len(dense[0]))
	}
	// All views have the same indices, so a view takes no memory but its header.
	all := upTo[int32](len(dense[0]))
	return build(len(dense), func(i int) Sparse { return Sparse{all, dense[i]} }), nil
}

// dotKernel returns k as a function of inner products of dense or sparse vectors, or nil if it is
// none. A [DotKernel] says so: it has a method Of. But if Of is inherited, Eval may differ:
//
//	type Tripled struct{ Linear }
//	func (Tripled) Eval(x, z []float64) float64 { return 3 * Dot(x, z) }
func dotKernel[X any](k Kernel[X]) DotKernel {
	// A kernel of sparse points has been made of a DotKernel: its Eval is by Of.
	if s, sparse := any(k).(sparseKernel); sparse {
		return s.k
	}
	dot, ok := any(k).(DotKernel)
	t, embeds := reflect.TypeOf(k), func(f reflect.StructField) bool { return f.Anonymous }
	// Go does not tell inherited methods from declared ones, so no struct that embeds is trusted,
	// and no pointer.
	if !ok || t.Kind() == reflect.Pointer ||
		t.Kind() == reflect.Struct && slices.ContainsFunc(reflect.VisibleFields(t), embeds) {
		return nil
	}
	return dot
}

// # The exponential of a row
//
// A Gaussian row is n exponentials, which would cost more than its inner products. A library's
// exponential has to serve all arguments; here they are at most 0, and there are many at once. The
// idea is that of a table of logarithms: look up the nearest entry, and correct for the rest, which
// is so small that a cubic will do. For y ≤ 0 write
//
//	y·2048/ln 2 = u = q + r         [q the nearest integer, |r| ≤ ½]               (G3)
//	eʸ = 2^(q/2048) · e^s           [s = r·ln 2/2048]
//	eʸ = 2^⌊q/2048⌋ · 2^((q mod 2048)/2048) · e^s                 [split q/2048]        (G4)
//
// The first factor is an addition to the exponent bits. The second comes from a table, right to a
// unit in the last place (ulp). In the third |s| ≤ ln 2/4096 < 1.7e-4, so 1 + s + s²/2 + s³/6 has
// an error below s⁴/24·(1 + |s|) < 3.5e-17, less than half an ulp. The factor 2048/ln 2 goes into
// γ, once a row. Three roundings change u, each by up to ε|u|/2: of 2048/ln 2, of its product with
// γ, and of the product with the squared distance. With those of the factors the relative error of
// eʸ is below (2|y| + 3)ε.

const (
	expBits  = 11
	expSteps = 1 << expBits
	expScale = expSteps / math.Ln2
	expUnit  = 1 / expScale // s = r·expUnit

	// Adding 1.5·2⁵² to a float64 of moderate size rounds it to an integer, which the lowest bits
	// of the sum contain.
	roundToInt = 3 << 51

	// A float64 has this many bits below its exponent.
	mantissaBits = 52

	// Below this u the result is less than 2⁻¹⁰²⁰. Numbers below 2⁻¹⁰²² are not normal, and the
	// addition to the exponent would fail: so Of computes the result a little before that.
	expFloor = -1020 * expSteps
)

// expTable has the bits of 2^(i/2048).
var expTable = [expSteps]uint64(build(expSteps, func(i int) uint64 {
	return math.Float64bits(math.Exp2(float64(i) / expSteps))
}))

// fromProducts turns inner products into kernel values: dst[j] = k(x, zⱼ) from dst[j] = x·zⱼ,
// zz[j] = ‖zⱼ‖² and xx = ‖x‖². It knows three kernels, so that their values take no call through an
// interface.
func fromProducts(k DotKernel, dst, zz []float64, xx float64) {
	zz = zz[:len(dst)] // so that the compiler knows that zz[j] exists
	switch k := k.(type) {
	case Linear:
	case Polynomial:
		gamma, p := cmp.Or(k.Gamma, 1), cmp.Or(k.Degree, 3)
		for j, xz := range dst {
			dst[j] = intPow(k.Coef+gamma*xz, p)
		}
	case RBF:
		scale := -cmp.Or(k.Gamma, 1) * expScale
		for j, xz := range dst {
			// The fast way serves nearly all values. The exceptions: underflow, a squared distance
			// that is rounded below 0, NaN, or a γ that is no kernel.
			u := scale * (xx + zz[j] - 2*xz)
			if !(u > expFloor && u <= 0) {
				dst[j] = k.Of(xz, xx, zz[j])
				continue
			}
			// (G3): q is in the lowest bits of the sum, and the rest of u is r.
			sum := u + roundToInt
			r := u - (sum - roundToInt)
			bits := math.Float64bits(sum)
			// (G4): the last 11 bits of q choose from the table, and what is above them, ⌊q/2048⌋,
			// is added to the exponent, by a shift that moves all other bits of the sum out. A q
			// below 0 borrows from those bits: for q = −1 the last 11 bits are 2047, and above them
			// are ones. Added to the exponent 1023 of 2^(2047/2048) these 12 ones give 1022 and a
			// carry, which falls off at the top: half of the number, as it should be.
			t := math.Float64frombits(expTable[bits%expSteps] + bits>>expBits<<mantissaBits)
			// The third factor is a cubic in r.
			dst[j] = t + t*r*(expUnit+r*(expUnit*expUnit/2+r*(expUnit*expUnit*expUnit/6)))
		}
	default:
		for j, xz := range dst {
			dst[j] = k.Of(xz, xx, zz[j])
		}
	}
}

// # Rows of composed kernels
//
// A kernel that is made of kernels asks its parts for their rows, which may be fast ones, and
// combines the rows entry by entry:
//
//	Sum, Product, Scale   op(… op(op(start, k₁), k₂) …)                  rows of all parts
//	Over, Normalize       k.Of(inner(x, z), inner(x, x), inner(z, z))    one row and the diagonal
//	Pullback              k(f(x), f(z))                     rows of the images, computed once
//
// So a sum of two Gaussians costs two rows by columns and an addition, instead of two calls of Eval
// for each point. A part can be composed itself, as in Normalize(Sum(k, l)): open is recursive.
//
// The roughness of the whole is taken to be Σₖ ρₖ. For a sum of kernels the largest would do; for a
// product it is needed:
//
//	|Σₖ errorₖ| ≤ Σₖ ρₖ √(Kₖᵢᵢ Kₖⱼⱼ) ≤ maxₖ ρₖ √(Σₖ Kₖᵢᵢ · Σₖ Kₖⱼⱼ)      [Cauchy and Schwarz]
//	Πₖ (1 + ρₖ) ≈ 1 + Σₖ ρₖ                                            [small ρₖ]
//
// Over magnifies the roughness as a kernel of inner products magnifies rounding of x·z, since the
// inner kernel takes the place of x·z. If that is too much, the inner rows are opened once more, by
// Eval. The images of a Pullback are points like any others, with rows of their own kind.

// composedRows compute the rows of k from the rows of its parts.
type composedRows[X any] struct {
	facts
	k     composed[X]
	parts []valuer
	norms []float64 // ⟨xᵢ, xᵢ⟩, or 0 if k is the inner product itself
}

func (c composed[X]) open(xs []X, fast bool) valuer {
	// The parts have the points of the whole, and costs and roughness add up.
	rows := &composedRows[X]{facts{rough: machineEps}, c, nil, make([]float64, len(xs))}
	for _, k := range c.parts {
		part := newRecipe(k, xs).open(fast)
		rows.parts = append(rows.parts, part)
		rows.cost += part.about().cost
		rows.rough += part.about().rough
	}
	if c.outer == DotKernel(Linear{}) {
		return rows
	}
	// A value is made of three inner products, each off by rows.rough of its size: together they do
	// no more than if x·z were off by four times that.
	rows.combine(rows.norms, valuer.Diag)
	rows.rough = magnified(c.outer, largest(rows.norms), 4*rows.rough)
	if fast && !(rows.rough <= expandTol) {
		// By Eval, the inner rows are as good as they can be.
		return c.open(xs, false)
	}
	return rows
}

// combine sets dst to inner products; get computes the values of one part.
func (r *composedRows[X]) combine(dst []float64, get func(part valuer, values []float64)) {
	if len(r.parts) == 1 && r.k.start == 1 {
		get(r.parts[0], dst) // 1·k
		return
	}
	// Else the row begins as start, and op takes in the rows of the parts, one after the other.
	for j := range dst {
		dst[j] = r.k.start
	}
	values := make([]float64, len(dst))
	for _, part := range r.parts {
		get(part, values)
		for j, v := range values {
			dst[j] = r.k.op(dst[j], v)
		}
	}
}

func (r *composedRows[X]) Diag(dst []float64) {
	r.combine(dst, valuer.Diag)
	for i, xx := range dst {
		dst[i] = r.k.outer.Of(xx, xx, xx)
	}
}

func (r *composedRows[X]) Row(dst []float64, i, from int) {
	r.combine(dst, func(part valuer, values []float64) { part.Row(values, i, from) })
	// Now dst has inner products, of which outer makes kernel values.
	fromProducts(r.k.outer, dst, r.norms[from:], r.norms[i])
}

func (r *composedRows[X]) values(dst []float64, x any) {
	r.combine(dst, func(part valuer, values []float64) { part.values(values, x) })
	if r.k.outer != DotKernel(Linear{}) {
		fromProducts(r.k.outer, dst, r.norms, r.k.inner(x.(X), x.(X)))
	}
}

func (r *composedRows[X]) Permute(at []int) {
	// What the parts and this kernel know of the points has the same order.
	for _, part := range r.parts {
		part.Permute(at)
	}
	permute(r.norms, at)
}

// imageRows are the rows of the images of the points, for a pullback. Only a new point is no image
// yet.
type imageRows[X, Y any] struct {
	valuer
	f func(x X) Y
}

func (p pullback[X, Y]) open(xs []X, fast bool) valuer {
	// f is called once for each point whenever rows are opened. From here on only the images count.
	ys := build(len(xs), func(i int) Y { return p.f(xs[i]) })
	return imageRows[X, Y]{newRecipe(p.k, ys).open(fast), p.f}
}

func (r imageRows[X, Y]) values(dst []float64, x any) { r.valuer.values(dst, r.f(x.(X))) }

// # Decisions
//
// A prediction is a row of kernel values times the coefficients. For the linear kernel the sum can
// be taken first, once for all predictions:
//
//	Σᵢ aᵢ xᵢ·x = (Σᵢ aᵢxᵢ)·x = w·x        [the inner product is linear]
//
// That turns a row of values for each prediction into one inner product. It is done unless w
// overflows, or the points are sparse and w would be far longer than all of them together.
//
// Far from the origin the terms aᵢxᵢ cancel: Σaᵢ = 0 in many machines, while every xᵢ is large. So
// they are added with twice as many digits, and their order hardly matters.
//
// Any other function f = Σᵢ aᵢk(xᵢ, ·) needs a row of values for each prediction, of the new point
// with the xᵢ. A new point may have features that no xᵢ has. They meet only zeros, but they count
// in ‖x‖².

// Both w and the columns of Sparse points have a number for every feature. They are made only if
// there are at most planeWidth features, plus planeWidthPerItem for each entry of a point, and less
// than 2³¹.
const planeWidth, planeWidthPerItem = 1 << 24, 64

// perBlock is how many points a worker predicts before it takes more.
const perBlock = 32

// inBlocks calls f(i, row) for all i < n; workers take blocks of indices. row, of the given size,
// is scratch for f: memory for each point would cost a tenth of the prediction.
func inBlocks(workers, n, size int, f func(i int, row []float64)) {
	parallel(workers, (n+perBlock-1)/perBlock, func(b int) {
		row := make([]float64, size) // one for all points of the block
		for i := b * perBlock; i < min(n, (b+1)*perBlock); i++ {
			f(i, row)
		}
	})
}

// decisions returns f at every x: a row of kernel values times the coefficients or, for the linear
// kernel, w·x.
func decisions[X any](f Func[X], xs []X, workers int) []float64 {
	f.whole()
	out := make([]float64, len(xs))
	if w, ok := weights(f); ok {
		parallel(workers, len(xs), func(i int) { out[i] = dotWeights(w, xs[i]) })
		return out
	}
	// One view serves all workers, as nobody permutes it.
	rows := newRecipe(f.Kernel, f.Points).within(decisionTol, norm1(f.Coef))
	inBlocks(workers, len(xs), len(f.Points), func(i int, row []float64) {
		rows.values(row, xs[i])
		out[i] = Dot(row, f.Coef)
	})
	return out
}

// weights returns w = Σ Coefᵢ Pointsᵢ if f is linear and has points, and w is finite and not too
// wide.
func weights[X any](f Func[X]) (w []float64, ok bool) {
	if dotKernel(f.Kernel) != DotKernel(Linear{}) {
		return nil, false
	}
	// Dense points become views, with indices: from here on both kinds of points are the same.
	points, _ := vectors(f.Points)
	d, ok := width(points)
	if !ok || len(points) == 0 {
		return nil, false
	}
	// w is the sum, and lost what rounding has taken from w. The two are added at the very end,
	// when large terms have canceled.
	w, lost := make([]float64, d), make([]float64, d)
	for i, x := range points {
		x.addExactTo(w, lost, f.Coef[i], 0)
	}
	axpy(w, 1, lost)
	return w, nonFinite(w) < 0
}

// dotWeights returns w·x.
func dotWeights[X any](w []float64, x X) float64 {
	if x, ok := any(x).(Sparse); ok {
		return x.DotDense(w)
	}
	return Dot(w, any(x).([]float64))
}

// width returns the number of coordinates of a w for xs, and whether w is short enough to compute
// it.
func width(xs []Sparse) (d int64, ok bool) {
	// Indices ascend, so the last one is the largest.
	entries := int64(0)
	for _, x := range xs {
		if last := len(x.Index) - 1; last >= 0 {
			d = max(d, int64(x.Index[last])+1) // up to 2³¹, which may be too much for an int
			entries += int64(last) + 1
		}
	}
	return d, d <= min(planeWidth+planeWidthPerItem*entries, math.MaxInt32)
}

// # Exercises
//
// The solutions are tests, TestExercises in svm_test.go. Don't peek.
//
//  1. Does every symmetric k induce a feature map (Harmeling)? Try min(x, z) and max(x, z), for
//     numbers x, z > 0, with [CheckPSD]. Find the features of the one that does.
//  2. Theorem 11.14 (iii) is left to the reader: ⟨f, f⟩ = 0 implies f(x) = 0 for all x (Harmeling).
//     Prove that from its parts (iv) and (ix). Find an f with ‖f‖ = 0 whose coefficients are not 0.
//  3. What are the λⱼ and φⱼ of Mercer's theorem for min(x, z) on [0, 1]? Differentiate
//     ∫ min(x, z)φ(z) dz = λφ(x) twice (D21).
