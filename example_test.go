// Copyright 2026 The svm authors. All rights reserved.
// Use of this source code is governed by the MIT
// license that can be found in the LICENSE file.

// How to do things. Every example is run by go test, which compares what it prints. Where the
// numbers can be worked out by hand, most comments do so. In this order: a whole program; one
// example for each lecture; a machine and its options; several classes; files; texts and kernels of
// one's own; features and ridge regression; quadratic programs and duals; stochastic gradients;
// planes, losses, matrices; another whole problem (tumours); probabilities; saving; weights and
// scores; a service; regression and one class; texts, from words to a file; a benchmark.

package svm_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"example.com/svm"
)

const data = "testdata/iris"

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// A whole program on real data: read, divide, scale, choose, train, test, save, load, predict.
func Example() {
	file, err := os.Open(data) // a flower a line: its species, 1 to 3, and four lengths
	check(err)
	xs, species, err := svm.ReadLIBSVM(file)
	check(err)
	var trainX, testX [][]float64
	var trainY, testY []float64
	for i, x := range xs {
		if i%3 > 0 {
			trainX, trainY = append(trainX, x), append(trainY, species[i])
		} else { // every third flower is for the test
			testX, testY = append(testX, x), append(testY, species[i])
		}
	}
	scaler, err := svm.Standardize(trainX) // the test must not be known yet
	check(err)
	trainX, testX = scaler.Apply(trainX), scaler.Apply(testX)

	kernels := []svm.Kernel[[]float64]{svm.Linear{}, svm.RBF{Gamma: 0.1}, svm.RBF{Gamma: 1}}
	prices := []float64{1, 10, 100} // C, the price of slack
	best, err := svm.GridSearch(trainX, trainY, kernels, prices, svm.Options{}, 5, nil)
	check(err)
	k := kernels[best.Index]
	c, err := svm.TrainClassifier(trainX, trainY, k, svm.Options{C: best.C})
	check(err)
	accuracy := svm.Accuracy(c.PredictAll(testX), testY)
	fmt.Printf("%T, C = %v: %.2f right\n", k, best.C, accuracy)

	var saved bytes.Buffer // or a file
	check(svm.WriteClassifier(&saved, c))
	loaded, err := svm.ReadClassifier[[]float64](&saved, 0)
	check(err)
	flower := [][]float64{{5.9, 3.0, 4.2, 1.5}}
	fmt.Println("a new flower is of species", loaded.PredictAll(scaler.Apply(flower))[0])
	// Output:
	// svm.Linear, C = 100: 0.98 right
	// a new flower is of species 2
}

// A survey of some machine learning models: the plane w = (1, 3, 1), b = −3 in the space of ψ(x) =
// (x₁², x₁x₂, x₂²) is a pair of curves in that of x. Stochastic gradients find such a plane, from
// ψ(x) or, with the same draws, from the kernel 1 + ψ(x)·ψ(z), in which the 1 makes up for b.
func Example_cornwell() {
	plane := svm.Hyperplane{W: []float64{1, 3, 1}, B: -3}
	var xs, psi [][]float64
	var ys []float64
	for i := range 25 {
		x := []float64{float64(i%5) - 2, float64(i/5) - 2}
		xs, psi = append(xs, x), append(psi, svm.Quadratic(x))
		ys = append(ys, plane.Predict(svm.Quadratic(x)))
	}
	o := svm.SGD{Lambda: 0.01, Steps: 100000} // of λ‖w‖² + (1/n) Σ hinge
	h, err := svm.Pegasos(psi, ys, o)
	check(err)
	k := svm.Pullback(svm.Polynomial{Degree: 1, Coef: 1}, svm.Quadratic)
	f, err := svm.KernelPegasos(xs, ys, k, o)
	check(err)
	fmt.Printf("w = %.2f, b = %.2f\n", h.W, h.B)
	for _, x := range [][]float64{{1, 1}, {1, -1}, {0, 0}} {
		fmt.Printf("%v: w·ψ + b = %2v; learned %5.2f, by the kernel %5.2f\n", x,
			plane.Decision(svm.Quadratic(x)), h.Decision(svm.Quadratic(x)), f.Eval(x))
	}
	// Output:
	// w = [0.67 1.37 0.67], b = -1.67
	// [1 1]: w·ψ + b =  2; learned  1.04, by the kernel  1.04
	// [1 -1]: w·ψ + b = -4; learned -1.69, by the kernel -1.69
	// [0 0]: w·ψ + b = -3; learned -1.67, by the kernel -1.67
}

// Machine Learning, section 11: the dual of the hard margin as quadprog(Q, c, A, b, Aeq, beq, xl,
// xu) takes it. b is the multiplier of Σαᵢyᵢ = 0. The other four points lie on the margin, too.
func Example_harmeling() {
	xs := [][]float64{{1, 0}, {-1, 0}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}}
	y, n, inf := []float64{1, -1, 1, 1, -1, -1}, 6, math.Inf(1)
	x, diag := svm.MatrixFromRows(xs), svm.NewMatrix(n, n)
	for i := range n {
		diag.Set(i, i, y[i])
	}
	s, err := svm.SolveQP(svm.QP{
		Q: diag.Mul(x).Mul(x.T()).Mul(diag), // Diag(y) XXᵀ Diag(y)
		C: slices.Repeat([]float64{-1}, n),  // f = ½αᵀQα − Σα
		A: nil, B: nil,                      // no inequalities besides the bounds
		Aeq: svm.MatrixFromRows([][]float64{y}), Beq: []float64{0},
		Lo: make([]float64, n), Hi: slices.Repeat([]float64{inf}, n), // for a soft margin, C
	}, svm.QPOptions{})
	check(err)
	fmt.Printf("alpha %.2f, |b| %.2f\n", s.X, math.Abs(s.Eq[0])) // rounding may leave b = −10⁻³³
	s, err = svm.SolveQP(svm.PrimalQP(xs, y, inf), svm.QPOptions{})
	check(err)
	fmt.Printf("primal: w₁ %.2f, |w₂| %.2f, |b| %.2f\n", s.X[0], math.Abs(s.X[1]), math.Abs(s.X[2]))
	elvis, other := "LKSDJFLJWELELVISKJNEROIUSGOGFKJ", "OREIUTKELVISGNKJNRGKJNREKJ"
	fmt.Println("two strings with ELVIS in common:", svm.Substring{}.Eval(elvis, other))
	// Output:
	// alpha [0.50 0.50 0.00 0.00 0.00 0.00], |b| 0.00
	// primal: w₁ 1.00, |w₂| 0.00, |b| 0.00
	// two strings with ELVIS in common: 81
}

// CSCI 567, lecture 5: three classes by their scores, w = (3/2, 1/6) = w₁ − w₂ between the first
// two. The lecture's stochastic gradients start at W = 0; one step is W ← W − η(p − e_y)xᵀ.
func Example_csci567() {
	m := svm.Softmax{W: svm.MatrixFromRows([][]float64{{1, -1. / 3}, {-1. / 2, -1. / 2}, {0, 1}})}
	fmt.Printf("w₁ − w₂ = %.4f\n", m.Between(0, 1).W)
	for _, x := range [][]float64{{2, 0}, {-2, -1}, {0, 2}} {
		fmt.Printf("%v: class %d, probabilities %.2f\n", x, 1+m.Predict(x), m.Probabilities(x))
	}
	x, y, eta := []float64{2, 0}, 0, 0.3
	w := svm.Softmax{W: svm.NewMatrix(3, 2)}
	step := w.Gradient(x, y) // row k is (p − e_y)ₖ xᵀ, and p is ⅓ everywhere
	for i, g := range step.Data {
		w.W.Data[i] -= eta * g
	}
	fmt.Printf("a step: W = %.1f, loss %.2f, before %.2f\n", w.W.Data, w.Loss(x, y), math.Log(3))
	// Output:
	// w₁ − w₂ = [1.5000 0.1667]
	// [2 0]: class 1, probabilities [0.84 0.04 0.11]
	// [-2 -1]: class 2, probabilities [0.04 0.89 0.07]
	// [0 2]: class 3, probabilities [0.06 0.04 0.89]
	// a step: W = [0.4 0.0 -0.2 0.0 -0.2 0.0], loss 0.47, before 1.10
}

// Kernels: a thousand numbers have 1 + D + D² + D³ products, and the kernel needs a thousand. Least
// squares, in which the far point counts, beside the widest street, which it does not touch. The
// lecture's βᵢ are w and b here, its λᵢ the coefficients of a kernel, its γ a step.
func Example_kernels() {
	ones := slices.Repeat([]float64{1}, 1000) // all its products are 1
	xz := svm.Dot(ones, ones)
	fmt.Printf("%.0f features\n", 1+xz+xz*xz+xz*xz*xz)

	xs := [][]float64{{0, 0}, {1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 3}, {9, 9}}
	t := []float64{-1, -1, -1, 1, 1, 1, 1}
	f, err := svm.KernelLeastSquares(xs, t, svm.Polynomial{Degree: 1, Coef: 1}, 0.02, 10000)
	check(err)
	b := f.Eval([]float64{0, 0}) // f(x) = β₁x₁ + β₂x₂ + β₀
	b1, b2 := f.Eval([]float64{1, 0})-b, f.Eval([]float64{0, 1})-b
	fmt.Printf("least squares: x₂ = %.2f x₁ + %.2f\n", -b1/b2, -b/b2)

	m, err := svm.Train(xs, t, svm.Linear{}, svm.Options{C: math.Inf(1), Tol: 1e-9})
	check(err)
	h, err := svm.Explicit(m)
	check(err)
	fmt.Printf("widest street: x₂ = %.2f x₁ + %.2f\n", -h.W[0]/h.W[1], -h.B/h.W[1])
	fmt.Printf("of (9, 9): least squares %.2f, street %.2f\n", f.Eval(xs[6]), m.Decision(xs[6]))
	// Output:
	// 1001001001 features
	// least squares: x₂ = 0.79 x₁ + 0.56
	// widest street: x₂ = 0.50 x₁ + 0.75
	// of (9, 9): least squares 1.13, street 5.00
}

// COMP9417, kernel methods: the exclusive or, its images (x₁², √2 x₁x₂, x₂², √2 x₁, √2 x₂, 1), and
// the dual perceptron, whose α count mistakes. A support vector machine, with the intercept t = −b.
func Example_comp9417() {
	xs, ys := [][]float64{{1, 1}, {-1, -1}, {-1, 1}, {1, -1}}, []float64{-1, -1, 1, 1}
	k := svm.Polynomial{Degree: 2, Coef: 1} // (1 + x·z)²
	f, mistakes, err := svm.KernelPerceptron(xs, ys, k, 0)
	check(err)
	for i, x := range xs {
		fmt.Printf("φ%v = %5.2f, y = %2v, mistakes %v, f = %v\n",
			x, k.FeatureMap(2)(x), ys[i], mistakes[i], f.Eval(x))
	}
	m, err := svm.Train([][]float64{{1}, {3}}, []float64{-1, 1}, svm.Linear{}, svm.Options{})
	check(err)
	fmt.Printf("between 1 and 3: ⟨x, w⟩ − t is 0 at t = %.2f\n", -m.B) // w = 1
	// Output:
	// φ[1 1] = [ 1.00  1.41  1.00  1.41  1.41  1.00], y = -1, mistakes 1, f = -8
	// φ[-1 -1] = [ 1.00  1.41  1.00 -1.41 -1.41  1.00], y = -1, mistakes 1, f = -8
	// φ[-1 1] = [ 1.00 -1.41  1.00 -1.41  1.41  1.00], y =  1, mistakes 1, f = 8
	// φ[1 -1] = [ 1.00 -1.41  1.00  1.41 -1.41  1.00], y =  1, mistakes 1, f = 8
	// between 1 and 3: ⟨x, w⟩ − t is 0 at t = 2.00
}

// Train, predict, and see the proof. By hand: the kernel is (1 + x·z)², so K has 9 on its diagonal
// and 1 elsewhere. By symmetry all αᵢ are equal; 4α − 16α² is greatest at 1/8, and f(x) = −x₁x₂.
func ExampleTrain() {
	xs := [][]float64{{-1, -1}, {-1, 1}, {1, -1}, {1, 1}}
	ys := []float64{-1, 1, 1, -1} // exclusive or: no straight line separates it
	m, err := svm.Train(xs, ys, svm.Polynomial{Degree: 2, Coef: 1}, svm.Options{})
	check(err)
	fmt.Println(m.Predict([]float64{2, -3}))
	fmt.Print(m.KKT)
	fmt.Println("alpha", m.Alpha, "b", m.B, "f(2, -3)", m.Decision([]float64{2, -3}))
	// Output:
	// 1
	// primal objective              0.25
	// dual objective                0.25
	// duality gap                      0  primal - dual
	// stationarity                     0  w = sum alpha y x, sum alpha y = 0
	// primal feasibility               0  y f >= 1 - xi
	// dual feasibility                 0  0 <= alpha <= C
	// slackness                        0  alpha (y f - 1 + xi) = 0, (C - alpha) xi = 0
	// violation                        0  of the optimality conditions
	// support vectors                  4  4 free, 0 at the bound
	// iterations                       2
	// alpha [0.125 0.125 0.125 0.125] b 0 f(2, -3) 6
}

// C = +Inf asks for the widest street, here from x₁ = 1 to x₁ = 3. Three points hold it in place.
func ExampleTrain_hardMargin() {
	xs := [][]float64{{1, 0}, {0, 1}, {0, -1}, {-1, 0}, {3, 1}, {3, -1}, {6, 1}, {6, -1}}
	ys := []float64{-1, -1, -1, -1, 1, 1, 1, 1}
	m, err := svm.Train(xs, ys, svm.Linear{}, svm.Options{C: math.Inf(1), Tol: 1e-9})
	check(err)
	plane, err := svm.Explicit(m)
	check(err)
	fmt.Printf("w₁ = %.3f, b = %.3f, half the street %.3f\n", plane.W[0], plane.B, 1/m.Norm())
	for i, alpha := range m.Alpha {
		if alpha > 0 {
			fmt.Printf("%v  y = %2v  alpha = %.3f\n", xs[i], ys[i], alpha)
		}
	}
	// Output:
	// w₁ = 1.000, b = -2.000, half the street 1.000
	// [1 0]  y = -1  alpha = 0.500
	// [3 1]  y =  1  alpha = 0.250
	// [3 -1]  y =  1  alpha = 0.250
}

// Classes that no plane separates have no hard margin; the proof is a point in both convex hulls.
func ExampleTrain_notSeparable() {
	xs, ys := [][]float64{{0}, {1}, {2}}, []float64{-1, 1, -1}
	_, err := svm.Train(xs, ys, svm.Linear{}, svm.Options{C: math.Inf(1)})
	fmt.Println(err)
	var proof *svm.NotSeparableError
	if errors.As(err, &proof) {
		l := proof.Lambda
		fmt.Printf("%.1f·0 + %.1f·2 = %.1f·1\n", l[0], l[2], l[1])
	}
	// Output:
	// svm: the classes are not separable: the convex hulls come within 0
	// 0.5·0 + 0.5·2 = 1.0·1
}

// In the kernel's space, x is |f(x)|/‖w‖ away from the boundary, where f(x) is the decision.
func ExampleModel_Decision() {
	xs, ys := [][]float64{{0, 0}, {0, 2}, {4, 0}, {4, 2}}, []float64{-1, -1, 1, 1}
	m, err := svm.Train(xs, ys, svm.Linear{}, svm.Options{C: 10, Tol: 1e-9})
	check(err)
	for _, x := range [][]float64{{0, 1}, {3, 5}, {10, 0}} {
		f := m.Decision(x)
		fmt.Printf("f(%v) = %+.3f, at a distance of %.3f\n", x, f, math.Abs(f)/m.Norm())
	}
	// Output:
	// f([0 1]) = -1.000, at a distance of 2.000
	// f([3 5]) = +0.500, at a distance of 1.000
	// f([10 0]) = +4.000, at a distance of 8.000
}

// Verify computes the certificate again, from the data: that of a changed model is worse.
func ExampleVerify() {
	xs, ys := [][]float64{{-1, -1}, {-1, 1}, {1, -1}, {1, 1}}, []float64{-1, 1, 1, -1}
	o := svm.Options{}
	m, err := svm.Train(xs, ys, svm.Polynomial{Degree: 2, Coef: 1}, o)
	check(err)
	fmt.Println("gap", svm.Verify(m, xs, ys, o).Gap)
	m.B += 0.5
	k := svm.Verify(m, xs, ys, o)
	fmt.Println("with another b: gap", k.Gap, "violation", k.Violation)
	// Output:
	// gap 0
	// with another b: gap 1 violation 0.5
}

// What slack says about a place. By hand: w = ½ and b = 0, so the street runs from −2 to 2. Points
// on its edges have α = 3/8, those inside it α = C, those outside α = 0.
func ExampleClassifySlack() {
	xs := [][]float64{{-4}, {-2}, {0}, {0.5}, {1}, {1.5}, {2}, {4}}
	ys := []float64{-1, -1, 1, -1, 1, -1, 1, 1}
	m, err := svm.Train(xs, ys, svm.Linear{}, svm.Options{C: 1, Tol: 1e-9})
	check(err)
	for i, xi := range m.Slacks(xs, ys) {
		xi = math.Round(xi*1e6) / 1e6 // up to Tol
		fmt.Printf("%4v  y = %2v  alpha %.3f  slack %.2f  %v\n",
			xs[i][0], ys[i], m.Alpha[i], xi, svm.ClassifySlack(xi))
	}
	// Output:
	//   -4  y = -1  alpha 0.000  slack 0.00  on the margin or outside
	//   -2  y = -1  alpha 0.375  slack 0.00  on the margin or outside
	//    0  y =  1  alpha 1.000  slack 1.00  on the plane
	//  0.5  y = -1  alpha 1.000  slack 1.25  misclassified
	//    1  y =  1  alpha 1.000  slack 0.50  inside the margin
	//  1.5  y = -1  alpha 1.000  slack 1.75  misclassified
	//    2  y =  1  alpha 0.375  slack 0.00  on the margin or outside
	//    4  y =  1  alpha 0.000  slack 0.00  on the margin or outside
}

// Observe shows progress and ends the run when the context is done, by time or a stop button. The
// model found so far is returned, with its certificate.
func ExampleOptions_context() {
	ctx, cancel := context.WithTimeout(context.Background(), 0) // at once
	defer cancel()
	xs, ys := [][]float64{{-1, -1}, {-1, 1}, {1, -1}, {1, 1}}, []float64{-1, 1, 1, -1}
	m, err := svm.Train(xs, ys, svm.Polynomial{Degree: 2, Coef: 1}, svm.Options{
		Observe: func(s *svm.DualSolution) bool {
			fmt.Printf("dual %.3f, violation %.3f\n", s.Objective, s.Violation)
			return ctx.Err() == nil
		},
	})
	if errors.Is(err, svm.ErrNotConverged) {
		fmt.Println("out of time; above the optimum by at most", m.KKT.Gap)
	}
	// Output:
	// dual 0.000, violation 2.000
	// out of time; above the optimum by at most 4
}

// Labels may be of any ordered type and number, and a file of any form that Go can read: here lines
// of commas, a species and the length and width of a petal. Each pair of classes has a machine.
func ExampleTrainClassifier() {
	const flowers = `setosa,1.4,0.2
setosa,1.5,0.4
versicolor,4.7,1.4
versicolor,4.0,1.3
virginica,6.0,2.5
virginica,5.6,2.4
`
	rows, err := csv.NewReader(strings.NewReader(flowers)).ReadAll()
	check(err)
	var xs [][]float64
	var species []string
	for _, row := range rows {
		length, _ := strconv.ParseFloat(row[1], 64)
		width, _ := strconv.ParseFloat(row[2], 64)
		xs, species = append(xs, []float64{length, width}), append(species, row[0])
	}
	c, err := svm.TrainClassifier(xs, species, svm.Linear{}, svm.Options{C: 10})
	check(err)
	fmt.Println(c.Labels, len(c.Models()), "machines")
	fmt.Println(c.Predict([]float64{1.3, 0.3}), c.Predict([]float64{5.9, 2.1}))
	// Output:
	// [setosa versicolor virginica] 3 machines
	// setosa virginica
}

// One machine for each class against all others; the greatest decision wins.
func ExampleTrainOneVsRest() {
	xs := [][]float64{{0, 1}, {0, 2}, {1, -1}, {2, -1}, {-1, -1}, {-2, -1}}
	labels := []int{12, 12, 4, 4, 8, 8} // on a clock
	c, err := svm.TrainOneVsRest(xs, labels, svm.Linear{}, svm.Options{C: 10})
	check(err)
	fmt.Println(c.PredictAll([][]float64{{0, 5}, {5, -3}, {-5, -3}}))
	// Output:
	// [12 4 8]
}

// rings returns points near two circles.
func rings() (xs [][]float64, labels []string) {
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 60 {
		r := float64(1+i%2) + 0.6*(rng.Float64()-0.5)
		sin, cos := math.Sincos(2 * math.Pi * rng.Float64())
		xs, labels = append(xs, []float64{r * cos, r * sin}),
			append(labels, []string{"inner", "outer"}[i%2])
	}
	return xs, labels
}

// How well will it do on new points? Each fifth is predicted by a classifier that has not seen it.
// CrossPredict has the predictions, of which CrossValidate returns the accuracy.
func ExampleCrossPredict() {
	xs, labels := rings()
	predicted, err := svm.CrossPredict(xs, labels, svm.RBF{Gamma: 1}, svm.Options{C: 10}, 5, nil)
	check(err)
	count := map[string]int{}
	for i, label := range labels {
		count[label+" taken for "+predicted[i]]++
	}
	fmt.Printf("%v: %.2f right\n", count, svm.Accuracy(predicted, labels))
	// Output:
	// map[inner taken for inner:30 outer taken for inner:1 outer taken for outer:29]: 0.98 right
}

// Choosing C and γ. Each cell is an accuracy in cross-validation, all on the same folds.
func ExampleGridSearch() {
	xs, labels := rings()
	ks := []svm.Kernel[[]float64]{svm.RBF{Gamma: 0.001}, svm.RBF{Gamma: 0.1}, svm.RBF{Gamma: 10}}
	best, err := svm.GridSearch(xs, labels, ks, []float64{0.1, 1, 10}, svm.Options{},
		5, rand.New(rand.NewPCG(1, 2)))
	check(err)
	for i, row := range best.Table {
		fmt.Printf("gamma %-5v %.2f\n", ks[i].(svm.RBF).Gamma, row)
	}
	fmt.Printf("best: gamma %v, C = %v\n", ks[best.Index].(svm.RBF).Gamma, best.C)
	// Output:
	// gamma 0.001 [0.58 0.58 0.58]
	// gamma 0.1   [0.77 1.00 1.00]
	// gamma 10    [0.92 0.90 0.90]
	// best: gamma 0.1, C = 1
}

// Fit the scaler to the training points alone: then training knows nothing of the test.
func ExampleScaler() {
	train := [][]float64{{1000, 0.1}, {3000, 0.3}}
	test := [][]float64{{2000, 0.4}}
	s, err := svm.MinMax(train)
	check(err)
	fmt.Printf("%.2f\n%.2f\n", s.Apply(train), s.Apply(test))
	// Output:
	// [[0.00 0.00] [1.00 1.00]]
	// [[0.50 1.50]]
}

// A document has few of very many words. A Sparse point keeps only those; an index may be a hash.
func ExampleReadPoints_sparse() {
	const file = `+1 17:1 40000:2
+1 17:2 31250:1
-1 230:1 31250:2
-1 230:2 2000000000:1
`
	xs, labels, err := svm.ReadPoints[svm.Sparse](strings.NewReader(file), 0)
	check(err)
	weigh := svm.TFIDF(xs)
	for i, x := range xs {
		xs[i] = weigh(x)
	}
	m, err := svm.Train(xs, labels, svm.OnSparse(svm.Cosine{}), svm.Options{})
	check(err)
	query := svm.Sparse{Index: []int32{229, 555}, Value: []float64{1, 1}} // in a file, +1
	fmt.Println(m.Kernel, "predicts", m.Predict(weigh(query)))
	// Output:
	// OnSparse(Cosine) predicts -1
}

// Errors in a file come with line and column.
func ExampleParseError() {
	_, _, err := svm.ReadLIBSVM(strings.NewReader("+1 1:0.5\n-1 1:0,5\n"))
	fmt.Println(err)
	var where *svm.ParseError
	if errors.As(err, &where) {
		fmt.Println("line", where.Line, "column", where.Column)
	}
	// Output:
	// svm: line 2, column 6: "0,5" is not a number: bad syntax
	// line 2 column 6
}

// A kernel matrix in a file: index 0 has the number of the row, indices 1, 2, … its entries.
func ExampleReadLIBSVM_precomputed() {
	const file = `+1 0:1 1:2.0 2:0.5
-1 0:2 1:0.5 2:2.0
`
	rows, labels, err := svm.ReadLIBSVM(strings.NewReader(file))
	check(err)
	k := svm.Precomputed{K: svm.MatrixFromRows(rows)}
	m, err := svm.Train([]int{0, 1}, labels, k, svm.Options{})
	check(err)
	fmt.Printf("k(1, 2) = %v, alpha %.3f\n", k.Eval(0, 1), m.Alpha)
	// Output:
	// k(1, 2) = 0.5, alpha [0.667 0.667]
}

// Indices begin with 1, and zeros are left out.
func ExampleWriteLIBSVM() {
	check(svm.WriteLIBSVM(os.Stdout, [][]float64{{0.5, 0, 2}, {0, 1, 0}}, []float64{1, -1}))
	// Output:
	// 1 1:0.5 3:2
	// -1 2:1
}

// Files leave out trailing zeros, and so do not tell how many features there are.
func ExampleReadPoints() {
	xs, labels, err := svm.ReadPoints[[]float64](strings.NewReader("+1 1:4 2:5"), 3) // features
	check(err)
	fmt.Println(xs, labels)
	// Output:
	// [[4 5 0]] [1]
}

// A model file is text that svm-predict reads. Class −1 comes first, so coefficients are −αᵢyᵢ.
func ExampleWriteModel() {
	xs, ys := [][]float64{{-1, -1}, {-1, 1}, {1, -1}, {1, 1}}, []float64{-1, 1, 1, -1}
	m, err := svm.Train(xs, ys, svm.Polynomial{Degree: 2, Gamma: 1, Coef: 1}, svm.Options{})
	check(err)
	check(svm.WriteModel(os.Stdout, m))
	// Output:
	// svm_type c_svc
	// kernel_type polynomial
	// degree 2
	// gamma 1
	// coef0 1
	// nr_class 2
	// total_sv 4
	// rho 0
	// label -1 1
	// nr_sv 2 2
	// SV
	// 0.125 1:-1 2:-1
	// 0.125 1:1 2:1
	// -0.125 1:-1 2:1
	// -0.125 1:1 2:-1
}

// A common substring adds the product of its counts. Of ELVIS and VISE these are V, I, S, E, VI, IS
// and VIS.
func ExampleSubstring() {
	fmt.Println(svm.Substring{}.Eval("ELVIS", "VISE"))
	// Output:
	// 7
}

// The cosine of the angle between documents, which are counts of the words kernel, margin and goal.
func ExampleCosine() {
	short, long, sport := []float64{1, 1, 0}, []float64{20, 20, 0}, []float64{0, 1, 1}
	fmt.Printf("%.2f %.2f\n", svm.Cosine{}.Eval(short, long), svm.Cosine{}.Eval(short, sport))
	// Output:
	// 1.00 0.50
}

// A function of your own is a kernel if it is an inner product. For positive numbers min(x, z) is
// one: that of the functions which are 1 up to x, or up to z, and 0 beyond.
func ExampleKernelFunc() {
	k := svm.KernelFunc[float64](func(x, z float64) float64 { return min(x, z) })
	xs, ys := []float64{1, 2, 5, 6}, []float64{-1, -1, 1, 1}
	m, err := svm.Train(xs, ys, k, svm.Options{C: 10, Tol: 1e-9})
	check(err)
	fmt.Printf("%.2f\n", m.DecisionAll([]float64{1, 2, 3, 4, 5, 6}))
	// Output:
	// [-1.00 -1.00 -0.33 0.33 1.00 1.00]
}

// If all you have is a matrix of similarities, let the points be its row numbers.
func ExamplePrecomputed() {
	similarity := svm.MatrixFromRows([][]float64{
		{1, 0.8, 0.1, 0},
		{0.8, 1, 0, 0.1},
		{0.1, 0, 1, 0.8},
		{0, 0.1, 0.8, 1},
	})
	if least, _ := svm.CheckPSD(similarity); least < -1e-12 { // by more than rounding
		log.Fatal("not a kernel")
	}
	k := svm.Precomputed{K: similarity}
	m, err := svm.Train([]int{0, 1, 2}, []float64{-1, -1, 1}, k, svm.Options{C: 10})
	check(err)
	fmt.Println(m.Predict(3))
	// Output:
	// 1
}

// Any inner product may take the place of x·z. Here the points are bags of words, kept in maps, and
// never become vectors: x·z = 4, and the cosine is 4/(3√3).
func ExampleOver() {
	type bag map[string]int
	dot := func(x, z bag) float64 {
		sum := 0
		for word, count := range x {
			sum += count * z[word]
		}
		return float64(sum)
	}
	cosine, quadratic := svm.Over(svm.Cosine{}, dot), svm.Over(svm.Polynomial{Degree: 2}, dot)
	x, z := bag{"a": 2, "rose": 2, "is": 1}, bag{"a": 1, "rose": 1, "smells": 1}
	fmt.Printf("%.3f %v\n", cosine.Eval(x, z), quadratic.Eval(x, z))
	// Output:
	// 0.770 16
}

// A product compares by all its factors: mails are similar if their lengths and senders are.
func ExampleProduct() {
	type mail struct {
		length float64
		sender string
	}
	byLength := svm.Pullback(svm.RBF{Gamma: math.Ln2},
		func(m mail) []float64 { return []float64{m.length} })
	bySender := svm.Pullback(svm.Substring{}, func(m mail) string { return m.sender })
	k := svm.Product(byLength, bySender)
	fmt.Printf("%.3f\n", k.Eval(mail{1, "ab"}, mail{2, "b"}))
	// Output:
	// 0.500
}

// The kernel of a feature map of your own: here (1, 2, 5)·(3, 1, 10).
func ExamplePullback() {
	k := svm.Pullback(svm.Linear{}, svm.Paraboloid) // (x₁, x₂, x₁² + x₂²)
	fmt.Println(k.Eval([]float64{1, 2}, []float64{3, 1}))
	// Output:
	// 55
}

// The kernel takes three multiplications, although it has six features: φ(x)·φ(z) = (1 + x·z)².
func ExamplePolynomial_FeatureMap() {
	k := svm.Polynomial{Degree: 2, Coef: 1}
	phi := k.FeatureMap(2)
	x, z := []float64{1, 2}, []float64{3, 4}
	fmt.Printf("%.3f\n", phi(x))
	fmt.Printf("%.3f %.3f\n", svm.Dot(phi(x), phi(z)), k.Eval(x, z))
	// Output:
	// [1.000 2.828 4.000 1.414 2.828 1.000]
	// 144.000 144.000
}

// The Gaussian has infinitely many features, but the first few give nearly its whole value.
func ExampleRBF_FeatureMap() {
	k := svm.RBF{Gamma: 0.5}
	x, z := []float64{1, 0.5}, []float64{0.5, 1}
	for _, degree := range []int{0, 1, 2, 4} {
		phi := k.FeatureMap(2, degree)
		fmt.Printf("degree %d, %2d features: %.4f\n", degree, len(phi(x)), svm.Dot(phi(x), phi(z)))
	}
	fmt.Printf("all of them: %.4f\n", k.Eval(x, z))
	// Output:
	// degree 0,  1 features: 0.2865
	// degree 1,  3 features: 0.5730
	// degree 2,  6 features: 0.7163
	// degree 4, 15 features: 0.7760
	// all of them: 0.7788
}

// ‖f‖² = k(0, 0) + k(1, 1) − 2k(0, 1) = 1 + 1 − 1: ‖f‖ is the distance of the images of 0 and 1.
func ExampleFunc_Norm() {
	k := svm.RBF{Gamma: math.Ln2}
	f := svm.Func[[]float64]{Kernel: k, Points: [][]float64{{0}, {1}}, Coef: []float64{1, -1}}
	fmt.Printf("%.3f %.3f\n", f.Norm(), svm.Distance(k, []float64{0}, []float64{1}))
	// Output:
	// 1.000 1.000
}

// A smooth curve through noisy values: the larger λ, the smoother. With the linear kernel and
// points 1 and 2 it is the line through 0 of slope Σxt/(Σx² + λ) = 10/(5 + λ).
func ExampleKernelRidge() {
	xs, t := [][]float64{{1}, {2}}, []float64{2, 4}
	for _, lambda := range []float64{0.001, 5} {
		f, err := svm.KernelRidge(xs, t, svm.Linear{}, lambda)
		check(err)
		fmt.Printf("lambda = %v: f(3) = %.2f\n", lambda, f.Eval([]float64{3}))
	}
	// Output:
	// lambda = 0.001: f(3) = 6.00
	// lambda = 5: f(3) = 3.00
}

// Features computed from a kernel: on the given points, their inner products are its values.
func ExampleKernelPCAMap() {
	xs := []string{"ab", "abc", "bcd"}
	phi, err := svm.KernelPCAMap(svm.Substring{}, xs)
	check(err)
	fmt.Println(len(phi("abc")), "features")
	fmt.Printf("%.3f %v\n", svm.Dot(phi("ab"), phi("abc")), svm.Substring{}.Eval("ab", "abc"))
	// Output:
	// 3 features
	// 3.000 3
}

// Is it a kernel? The sigmoid is not: here is a z with zᵀKz < 0.
func ExampleCheckPSD() {
	k := svm.GramMatrix(svm.Sigmoid{}, [][]float64{{1}, {2}})
	least, z := svm.CheckPSD(k)
	kz := make([]float64, 2)
	k.MulVec(kz, z)
	fmt.Printf("least eigenvalue %.3f, zᵀKz = %.3f\n", least, svm.Dot(z, kz))
	// Output:
	// least eigenvalue -0.091, zᵀKz = -0.091
}

// Books define σ in three ways: exp(−‖x−z‖²/(2σ²)), exp(−‖x−z‖²/σ²) and exp(−‖x−z‖²/σ).
func ExampleRBF() {
	const sigma = 2
	for _, k := range []svm.RBF{{1. / (2 * sigma * sigma)}, {1. / (sigma * sigma)}, {1. / sigma}} {
		fmt.Printf("%v %.4f; ", k, k.Eval([]float64{0}, []float64{1}))
	}
	// Output:
	// RBF{Gamma: 0.125} 0.8825; RBF{Gamma: 0.25} 0.7788; RBF{Gamma: 0.5} 0.6065;
}

// A γ for data in any units: 1/(d·variance) = 1/(2·16).
func ExampleScaleGamma() {
	fmt.Println(svm.ScaleGamma([][]float64{{-4, 4}, {4, -4}}))
	// Output:
	// 0.03125
}

// The point of x₁ + x₂ ≥ 2 nearest to the origin, with x₁ ≤ ½. A multiplier is what a constraint
// costs: relax it by a small δ, and the objective falls by about δ times the multiplier.
func ExampleSolveQP() {
	s, err := svm.SolveQP(svm.QP{
		Q:  svm.MatrixFromRows([][]float64{{1, 0}, {0, 1}}),
		A:  svm.MatrixFromRows([][]float64{{-1, -1}}),
		B:  []float64{-2},
		Hi: []float64{0.5, math.Inf(1)},
	}, svm.QPOptions{})
	check(err)
	fmt.Printf("x = %.3f, objective %.3f\n", s.X, s.Objective)
	fmt.Printf("multipliers: %.3f of the half-plane, %.3f of the bound\n", s.Ineq[0], s.Upper[0])
	// Output:
	// x = [0.500 1.500], objective 1.250
	// multipliers: 1.500 of the half-plane, 1.000 of the bound
}

// A contradiction, x ≤ 1 and x ≥ 2, proved by multipliers ≥ 0: the rows add up to 0 ≤ −1.
func ExampleSolveQP_infeasible() {
	_, err := svm.SolveQP(svm.QP{A: svm.MatrixFromRows([][]float64{{1}, {-1}}),
		B: []float64{1, -2}}, svm.QPOptions{})
	var proof *svm.InfeasibleError
	if errors.As(err, &proof) {
		second := proof.Ineq[1] / proof.Ineq[0]
		fmt.Println(err)
		fmt.Printf("the first row and %.1f times the second: 0 ≤ %.1f\n", second, 1-2*second)
	}
	// Output:
	// svm: no point satisfies the constraints
	// the first row and 1.0 times the second: 0 ≤ -1.0
}

// The dual of the soft margin, in signed multipliers βᵢ = αᵢyᵢ between 0 and C yᵢ, with sum 0.
func ExampleSMO() {
	xs, ys := [][]float64{{0}, {2}, {3}}, []float64{-1, 1, 1}
	s, err := svm.SMO(svm.Dual{
		K: svm.GramOf(svm.Linear{}, xs), P: ys, Lo: []float64{-1, 0, 0}, Hi: []float64{0, 1, 1},
	}, svm.SMOOptions{Tol: 1e-9})
	check(err)
	fmt.Println("beta", s.Beta, "b", s.B, "dual", s.Objective)
	// Output:
	// beta [-0.5 0.5 0] b -1 dual 0.5
}

// By hand: at β = 0 the gradient g is y, so the first pair is a positive and a negative point.
// Their β move by (gᵢ − gⱼ)/‖φ(xᵢ) − φ(xⱼ)‖², or to a bound (step 2), until no pair can gain.
func ExampleSMOSteps() {
	xs, ys := [][]float64{{0}, {3}, {2}}, []float64{-1, 1, 1}
	d := svm.Dual{K: svm.GramOf(svm.Linear{}, xs), P: ys,
		Lo: []float64{-1, 0, 0}, Hi: []float64{0, 1, 1}}
	for s := range svm.SMOSteps(d, svm.SMOOptions{Tol: 1e-9}) {
		fmt.Printf("%d: beta %5.2f, dual %.3f, violation %.3f\n",
			s.Iterations, s.Beta, s.Objective, s.Violation)
	}
	// Output:
	// 0: beta [ 0.00  0.00  0.00], dual 0.000, violation 2.000
	// 1: beta [-0.22  0.22  0.00], dual 0.222, violation 0.667
	// 2: beta [-0.22  0.00  0.22], dual 0.346, violation 1.111
	// 3: beta [-0.50  0.00  0.50], dual 0.500, violation 0.000
}

// Stochastic subgradients: a step looks at one point, a step of a batch at all. By hand: the
// optimum is w = (½, −½), b = 0, without slack, and λ‖w‖² = 0.05. The bound in the last line holds
// for batches in every run, for single points on average.
func ExamplePegasos() {
	xs, ys := [][]float64{{-2, 0}, {-1, 1}, {1, -1}, {2, 0}}, []float64{-1, -1, 1, 1}
	o := svm.SGD{Lambda: 0.1, Steps: 100000}
	h, err := svm.Pegasos(xs, ys, o)
	check(err)
	o.Batch = true
	b, err := svm.Pegasos(xs, ys, o)
	check(err)
	fmt.Println(h.Predict([]float64{3, 1}))
	fmt.Printf("objective %.5f, by batches %.5f\n", o.Objective(h, xs, ys), o.Objective(b, xs, ys))
	fmt.Printf("at most %.5f above the optimum\n", o.Bound(xs))
	// Output:
	// 1
	// objective 0.05005, by batches 0.05002
	// at most 0.00626 above the optimum
}

// An approximate plane for very many documents: a step costs the words of one of them.
func ExamplePegasosSparse() {
	xs := []svm.Sparse{
		svm.NewSparse([]float64{1, 0, 0, 2}),
		svm.NewSparse([]float64{0, 0, 3, 0}),
		{Index: []int32{2}, Value: []float64{1}},
	}
	h, err := svm.PegasosSparse(xs, []float64{1, -1, -1}, svm.SGD{Lambda: 0.1, Steps: 100000})
	check(err)
	for _, x := range xs {
		fmt.Printf("%.1f\n", x.DotDense(h.W)+h.B)
	}
	// Output:
	// 1.0
	// -2.3
	// -1.0
}

// For every mistake, add yᵢxᵢ to w. No w tells 2 from 1, for wx has the same sign at both; with a
// constant feature, whose weight is a bias, some w does.
func ExamplePerceptron() {
	xs, ys := [][]float64{{2}, {1}}, []float64{1, -1}
	_, _, err := svm.Perceptron(xs, ys, 0)
	fmt.Println(err)
	for i, x := range xs {
		xs[i] = svm.WithOne(x)
	}
	h, mistakes, err := svm.Perceptron(xs, ys, 0)
	check(err)
	fmt.Println("w", h.W, "mistakes", mistakes)
	fmt.Printf("at most %.0f\n", svm.NovikoffBound(h.W, xs, ys))
	// Output:
	// svm: no pass without a mistake after 1000 epochs: no convergence
	// w [2 -3] mistakes [5 8]
	// at most 65
}

// Logistic regression of several classes, with probabilities. (5, 5) is between the first two.
func ExampleTrainSoftmax() {
	xs := [][]float64{{0, 2}, {0, 3}, {2, 0}, {3, 0}, {-2, -2}, {-3, -2}}
	labels := []int{0, 0, 1, 1, 2, 2}
	s, err := svm.TrainSoftmax(xs, labels, 3, svm.SGD{})
	check(err)
	for _, x := range [][]float64{{0, 5}, {5, 0}, {-5, -5}, {5, 5}} {
		fmt.Printf("%v: class %d, %.2f\n", x, s.Predict(x), s.Probabilities(x))
	}
	// Output:
	// [0 5]: class 0, [1.00 0.00 0.00]
	// [5 0]: class 1, [0.00 1.00 0.00]
	// [-5 -5]: class 2, [0.00 0.00 1.00]
	// [5 5]: class 0, [0.57 0.43 0.00]
}

// The plane 3x₁ + 4x₂ − 5 = 0, whose ‖w‖ is 5. (cw, cb) is the same plane; if c makes y f(x) = 1 at
// the nearest point, the geometric margin is 1/‖cw‖.
func ExampleHyperplane() {
	h := svm.Hyperplane{W: []float64{3, 4}, B: -5}
	x := []float64{5, 5}
	fmt.Println("decision", h.Decision(x), "distance", h.Distance(x))
	fmt.Printf("nearest point of the plane %.1f\n", h.Project(x))
	xs, ys := [][]float64{{5, 5}, {-1, -2}}, []float64{1, -1}
	functional, geometric := h.Margin(xs, ys)
	fmt.Println("margins", functional, geometric)
	c, err := h.Canonical(xs, ys)
	check(err)
	fmt.Printf("canonical: w = %.4f, b = %.4f, ", c.W, c.B)
	fmt.Printf("1/‖w‖ = %.1f\n", 1/math.Hypot(c.W[0], c.W[1]))
	// Output:
	// decision 30 distance 6
	// nearest point of the plane [1.4 0.2]
	// margins 16 3.2
	// canonical: w = [0.1875 0.2500], b = -0.3125, 1/‖w‖ = 3.2
}

// What a point costs, given z = y f(x), from the wrong side to outside the margin.
func ExampleHingeLoss() {
	fmt.Println("   z   0/1  perceptron  hinge  logistic")
	for _, z := range []float64{-1, 0, 0.5, 1, 2} {
		fmt.Printf("%4v %5.1f %11.1f %6.1f %9.3f\n",
			z, svm.ZeroOneLoss(z), svm.PerceptronLoss(z),
			svm.HingeLoss(z), svm.LogisticLoss(z)/math.Ln2)
	}
	// Output:
	//    z   0/1  perceptron  hinge  logistic
	//   -1   1.0         1.0    2.0     1.895
	//    0   1.0         0.0    1.0     1.000
	//  0.5   0.0         0.0    0.5     0.684
	//    1   0.0         0.0    0.0     0.452
	//    2   0.0         0.0    0.0     0.183
}

// Other programs and books scale the problem differently. The method C converts their λ into a C.
func ExampleObjective() {
	n := 50. // points
	for _, o := range []svm.Objective{{Norm: 0.25, Loss: 1 / n}, {Norm: 0.25 / 2, Loss: 1}} {
		fmt.Println(o.C())
	}
	// Output:
	// 0.04
	// 4
}

// The squares of the singular values, here 45 and 5, are the eigenvalues of XᵀX and of XXᵀ.
func ExampleSVD() {
	u, s, v := svm.SVD(svm.MatrixFromRows([][]float64{{3, 0}, {4, 5}}))
	fmt.Printf("%.4f\n", s)
	fmt.Printf("entry (1, 0) again: %.4f\n", u.At(1, 0)*s[0]*v.At(0, 0)+u.At(1, 1)*s[1]*v.At(0, 1))
	// Output:
	// [6.7082 2.2361]
	// entry (1, 0) again: 4.0000
}

// By hand: (2 − λ)² = 1, so λ is 1 or 3, with the eigenvectors (1, −1)/√2 and (1, 1)/√2.
func ExampleSymEigen() {
	values, v := svm.SymEigen(svm.MatrixFromRows([][]float64{{2, 1}, {1, 2}}))
	fmt.Printf("%.4f\n", values)
	fmt.Printf("vector of the first: opposite entries %v\n", v.At(0, 0)*v.At(1, 0) < 0)
	// Output:
	// [1.0000 3.0000]
	// vector of the first: opposite entries true
}

// By hand: 4 = 2², 2 = 2·1, 5 = 1² + 2². The second matrix has the determinant −3, and no factor.
func ExampleCholesky() {
	l, err := svm.Cholesky(svm.MatrixFromRows([][]float64{{4, 2}, {2, 5}}))
	fmt.Println(l.Row(0), l.Row(1), err)
	_, err = svm.Cholesky(svm.MatrixFromRows([][]float64{{1, 2}, {2, 1}}))
	fmt.Println(errors.Is(err, svm.ErrNotPositiveDefinite))
	// Output:
	// [2 0] [1 2] <nil>
	// true
}

// Another whole problem: is a tumour malignant (+1) or benign (−1), by ten measurements of cells?
// To miss a malignant one is worse than a false alarm, and that is what weights are for.
func Example_tumours() {
	file, err := os.Open("testdata/wdbc")
	check(err)
	xs, ys, err := svm.ReadLIBSVM(file)
	check(err)
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(xs), func(i, j int) {
		xs[i], xs[j], ys[i], ys[j] = xs[j], xs[i], ys[j], ys[i]
	})
	s, err := svm.Standardize(xs[:300])
	check(err)
	trainX, trainY, testX, testY := s.Apply(xs[:300]), ys[:300], s.Apply(xs[300:]), ys[300:]

	o, k, best := svm.Options{Tol: 1e-6}, svm.RBF{}, 0.0
	for _, gamma := range []float64{0.01, 0.1, 1} {
		for _, c := range []float64{0.1, 1, 10} {
			accuracy, err := svm.CrossValidate(trainX, trainY, svm.RBF{Gamma: gamma},
				svm.Options{C: c, Tol: o.Tol}, 5, nil)
			check(err)
			fmt.Printf("gamma %-4v C = %-4v %.3f\n", gamma, c, accuracy) // progress
			if accuracy > best {
				best, k.Gamma, o.C = accuracy, gamma, c
			}
		}
	}

	price := map[float64]float64{1: 5, -1: 1} // a missed tumour counts as five false alarms
	var careful []float64
	for _, y := range trainY {
		careful = append(careful, price[y])
	}
	for _, weights := range [][]float64{nil, careful} {
		o.Weights = weights
		m, err := svm.Train(trainX, trainY, k, o)
		check(err)
		type pair struct{ label, predicted float64 }
		predicted, count := m.PredictAll(testX), map[pair]float64{}
		for i, y := range testY {
			count[pair{y, predicted[i]}]++
		}
		found, missed, alarms := count[pair{1, 1}], count[pair{1, -1}], count[pair{-1, 1}]
		fmt.Printf("found %v, missed %v, false alarms %v, rightly left alone %v\n",
			found, missed, alarms, count[pair{-1, -1}])
		right, n := svm.Accuracy(predicted, testY), float64(len(testY))
		fmt.Printf("precision %.2f, recall %.2f, accuracy %.3f ± %.3f\n", found/(found+alarms),
			found/(found+missed), right, math.Sqrt(right*(1-right)/n))
		places := map[string]int{}
		for i, xi := range m.Slacks(trainX, trainY) {
			if m.Alpha[i] > 0 {
				places[svm.ClassifySlack(math.Round(xi*1e5)/1e5)]++ // up to Tol
			}
		}
		fmt.Printf("support vectors: %d on the margin, %d inside, %d misclassified\n",
			places["on the margin or outside"], places["inside the margin"],
			places["misclassified"])
	}
	// Output:
	// gamma 0.01 C = 0.1  0.877
	// gamma 0.01 C = 1    0.933
	// gamma 0.01 C = 10   0.943
	// gamma 0.1  C = 0.1  0.930
	// gamma 0.1  C = 1    0.950
	// gamma 0.1  C = 10   0.943
	// gamma 1    C = 0.1  0.607
	// gamma 1    C = 1    0.927
	// gamma 1    C = 10   0.917
	// found 83, missed 11, false alarms 7, rightly left alone 168
	// precision 0.92, recall 0.88, accuracy 0.933 ± 0.015
	// support vectors: 33 on the margin, 43 inside, 8 misclassified
	// found 88, missed 6, false alarms 17, rightly left alone 158
	// precision 0.84, recall 0.94, accuracy 0.914 ± 0.017
	// support vectors: 35 on the margin, 42 inside, 15 misclassified
}

// Probabilities, from decisions about points that no machine has seen: so they are not surer than
// they should be. Halfway between two rings the label of the vote need not be the more probable.
func ExampleClassifier_Probabilities() {
	xs, labels := rings()
	k, o := svm.RBF{Gamma: 1}, svm.Options{C: 10}
	c, err := svm.TrainClassifier(xs, labels, k, o)
	check(err)
	decisions, err := svm.CrossDecisions(xs, labels, k, o, 5, nil)
	check(err)
	check(c.Calibrate(decisions, labels))
	fmt.Println(c.Labels)
	for _, x := range [][]float64{{0, 1}, {0, 1.5}, {0, 2}} {
		fmt.Printf("%v: %s, %.2f\n", x, c.Predict(x), c.Probabilities(x))
	}
	// Output:
	// [inner outer]
	// [0 1]: inner, [0.99 0.01]
	// [0 1.5]: inner, [0.47 0.53]
	// [0 2]: outer, [0.02 0.98]
}

// By hand: the targets are ¼ and ¾, which a sigmoid can have at two decisions. 1/(1 + e^(Af+B)) is
// ¾ at f = 2 for A = −½ ln 3 and B = 0.
func ExampleFitPlatt() {
	s, err := svm.FitPlatt([]float64{-2, -2, 2, 2}, []float64{-1, -1, 1, 1})
	check(err)
	fmt.Printf("A = %.4f, p(2) = %.2f, p(0) = %.2f, p(4) = %.2f\n",
		s.A, s.Probability(2), s.Probability(0), s.Probability(4))
	// Output:
	// A = -0.5493, p(2) = 0.75, p(0) = 0.50, p(4) = 0.90
}

// Save a classifier of any kernel, labels and points. Its exported fields are all but the kernel.
func ExampleNewClassifier() {
	words := []string{"night", "weather", "which", "piazza", "gatto", "cavallo"}
	languages := []string{"English", "English", "English", "Italian", "Italian", "Italian"}
	kernel := svm.Normalize(svm.Substring{Decay: 0.8})
	c, err := svm.TrainClassifier(words, languages, kernel, svm.Options{C: 10})
	check(err)
	var file bytes.Buffer // or an *os.File
	check(json.NewEncoder(&file).Encode(c))

	var parts svm.Classifier[string, string]
	check(json.NewDecoder(&file).Decode(&parts))
	loaded, err := svm.NewClassifier(kernel, parts.Labels, parts.Points, parts.Machines)
	check(err)
	fmt.Println(loaded.Predict("thought"), loaded.Predict("pazzo"))
	fmt.Println("the same decisions:", loaded.Decisions("pizza")[0] == c.Decisions("pizza")[0])
	// Output:
	// English Italian
	// the same decisions: true
}

// Save a model of two classes, of any kernel: points, coefficients and b are all it needs.
func ExampleModel_save() {
	type parts struct {
		Points [][]float64
		Coef   []float64
		B      float64
	}
	xs, ys := [][]float64{{1, 0}, {2, 1}, {0, 1}, {1, 3}}, []float64{1, 1, -1, -1}
	m, err := svm.Train(xs, ys, svm.Cosine{}, svm.Options{})
	check(err)
	text, err := json.Marshal(parts{m.Points, m.Coef, m.B})
	check(err)
	var p parts
	check(json.Unmarshal(text, &p))
	n := svm.Model[[]float64]{
		Func: svm.Func[[]float64]{Kernel: svm.Cosine{}, Points: p.Points, Coef: p.Coef}, B: p.B}
	fmt.Println("the same decision:", n.Decision([]float64{3, 1}) == m.Decision([]float64{3, 1}))
	// Output:
	// the same decision: true
}

// The plain machine gives up the last point, alone in its class. With weights by which both classes
// count the same, it finds that point, at the price of three false alarms.
func ExampleBalanced() {
	xs := [][]float64{{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}, {8}, {7.4}}
	ys := []float64{-1, -1, -1, -1, -1, -1, -1, -1, -1, 1}
	weights := svm.Balanced(ys)
	fmt.Printf("weights %.2f\n", weights)
	for _, w := range [][]float64{nil, weights} {
		m, err := svm.Train(xs, ys, svm.Linear{}, svm.Options{C: 0.18, Weights: w})
		check(err)
		fmt.Printf("%.2f\n", m.DecisionAll(xs))
	}
	// Output:
	// weights [0.56 0.56 0.56 0.56 0.56 0.56 0.56 0.56 0.56 5.00]
	// [-1.00 -1.00 -1.00 -1.00 -1.00 -1.00 -1.00 -1.00 -1.00 -1.00]
	// [-3.35 -2.76 -2.18 -1.59 -1.00 -0.41 0.18 0.76 1.35 1.00]
}

// A search for the best F1 of the rarer class: twice the number that was found, over the number
// that was to be found plus the number that was claimed.
func ExampleGridSearch_score() {
	xs, labels := rings()
	xs, labels = xs[10:], slices.Concat(labels[10:40], slices.Repeat([]string{"outer"}, 20))
	f1 := func(predicted, labels []string) float64 {
		count := map[string]float64{}
		for i, l := range labels {
			count[l]++
			count[predicted[i]]++
			count[l+" taken for "+predicted[i]]++
		}
		return 2 * count["inner taken for inner"] / count["inner"]
	}
	ks := []svm.Kernel[[]float64]{svm.Linear{}, svm.RBF{}, svm.Polynomial{Degree: 2}}
	o := svm.Options{Weights: svm.Balanced(labels)}
	best, err := svm.GridSearch(xs, labels, ks, []float64{1, 10}, o, 5, nil, f1)
	check(err)
	fmt.Printf("%v, C = %v: F1 = %.2f\n", ks[best.Index], best.C, best.Score)
	// Output:
	// Polynomial{Degree: 2, Gamma: 1, Coef: 0}, C = 1: F1 = 0.75
}

// An HTTP service. Several requests use the classifier at a time. Check finds what a prediction
// would panic on; the scaler, which keeps the number of coordinates, scales one point.
func ExampleClassifier_Check() {
	xs, labels := rings()
	s, err := svm.Standardize(xs)
	check(err)
	c, err := svm.TrainClassifier(s.Apply(xs), labels, svm.RBF{Gamma: 1}, svm.Options{C: 10})
	check(err)
	// In an http.HandlerFunc body is r.Body, and an error becomes http.Error(w, err.Error(), 400).
	handle := func(w io.Writer, body io.Reader) error {
		var x []float64
		if err := json.NewDecoder(body).Decode(&x); err != nil {
			return err
		}
		if err := c.Check(x); err != nil {
			return err
		}
		_, err := fmt.Fprint(w, c.Predict(s.Point(x)))
		return err
	}

	bodies, answers := []string{"[0, 1]", "[2, 0]", "[1, 2, 3]", "[1"}, make([]string, 4)
	var all sync.WaitGroup
	for i, body := range bodies {
		all.Add(1)
		go func() {
			defer all.Done()
			var w strings.Builder
			err := handle(&w, strings.NewReader(body))
			answers[i] = fmt.Sprintln(w.String(), err)
		}()
	}
	all.Wait()
	fmt.Print(strings.Join(answers, ""))
	// Output:
	// inner <nil>
	// outer <nil>
	//  svm: point 1 has 3 features, point 0 has 2
	//  unexpected EOF
}

// A kernel may scale its points: then nobody forgets to.
func ExampleScaler_Point() {
	xs := [][]float64{{1000, 0.1}, {3000, 0.1}, {1000, 0.3}, {3000, 0.3}}
	ys := []float64{-1, -1, 1, 1}
	s, err := svm.MinMax(xs)
	check(err)
	fmt.Println(s.Point([]float64{2000, 0.1}))
	m, err := svm.Train(xs, ys, svm.Pullback(svm.RBF{}, s.Point), svm.Options{})
	check(err)
	fmt.Println(m.Predict([]float64{2000, 0.1}), m.Predict([]float64{2000, 0.25}))
	// Output:
	// [0.5 0]
	// -1 1
}

// A line through four points that may miss them by 0.3. By hand: the slope is least where the first
// point and the last are missed by 0.3, upwards and downwards: (6.7 − 1.3)/3.
func ExampleRegress() {
	xs, ts := [][]float64{{0}, {1}, {2}, {3}}, []float64{1, 3, 5, 7}
	m, err := svm.Regress(xs, ts, svm.Linear{}, 0.3, svm.Options{C: 10, Tol: 1e-9})
	check(err)
	fmt.Printf("f(0), …, f(3) = %.1f, f(10) = %.1f\n",
		m.DecisionAll(xs), m.Decision([]float64{10}))
	fmt.Printf("%v: %d support vectors, gap %.3f\n", m.Kernel, len(m.Points), math.Abs(m.KKT.Gap))
	// Output:
	// f(0), …, f(3) = [1.3 3.1 4.9 6.7], f(10) = 19.3
	// Linear: 2 support vectors, gap 0.000
}

// What is usual? At most a share ν of the points lies outside, f < 0; at least that are support
// vectors. Of those outside, the one that is alone is the most unusual.
func ExampleOneClass() {
	ages := [][]float64{{20}, {21}, {22}, {22}, {23}, {24}, {25}, {60}}
	m, err := svm.OneClass(ages, svm.RBF{Gamma: 0.02}, 0.5, svm.Options{Tol: 1e-9})
	check(err)
	for _, x := range [][]float64{{18}, {22}, {27}, {40}, {60}} {
		fmt.Printf("age %v: f = %.2f, %v\n", x[0], m.Decision(x), m.Predict(x))
	}
	// Output:
	// age 18: f = -0.66, -1
	// age 22: f = 0.09, 1
	// age 27: f = -0.66, -1
	// age 40: f = -2.61, -1
	// age 60: f = -1.62, -1
}

// From texts to a classifier in a file: count the words, weigh them, train, save.
func Example_texts() {
	texts := []string{"the kernel of a matrix", "the margin of a machine", "a kernel machine",
		"the goal of the match", "the match and the team", "a team and a late goal"}
	topics := []string{"learning", "learning", "learning", "sport", "sport", "sport"}

	words := slices.Compact(slices.Sorted(strings.FieldsSeq(strings.Join(texts, " "))))
	count := func(text string) svm.Sparse {
		x := make([]float64, len(words))
		for _, word := range strings.Fields(text) {
			if j, ok := slices.BinarySearch(words, word); ok {
				x[j]++
			}
		}
		return svm.NewSparse(x)
	}
	var corpus []svm.Sparse
	for _, text := range texts {
		corpus = append(corpus, count(text))
	}
	weigh := svm.TFIDF(corpus) // rare words weigh more
	fmt.Printf("a, kernel, matrix, of, the: %.2f\n", weigh(corpus[0]).Value)
	kernel := svm.Pullback(svm.OnSparse(svm.Cosine{}), weigh)
	c, err := svm.TrainClassifier(corpus, topics, kernel, svm.Options{C: 10})
	check(err)
	var file bytes.Buffer // or an *os.File; what makes the kernel again is saved, too
	save := json.NewEncoder(&file)
	check(cmp.Or(save.Encode(words), save.Encode(corpus), save.Encode(c)))

	fmt.Println(c.Predict(count("a matrix and a margin")), c.Predict(count("a late match")))
	// Output:
	// a, kernel, matrix, of, the: [0.41 1.10 1.79 0.69 0.41]
	// learning sport
}

// What README.md measures: a file in LIBSVM's format, with labels ±1.
var (
	benchData  = flag.String("data", "testdata/wdbc", "the file of BenchmarkTrain")
	benchGamma = flag.Float64("gamma", 0.01, "γ of BenchmarkTrain; 0 is the linear kernel")
	benchC     = flag.Float64("cost", 1, "C of BenchmarkTrain")
)

// BenchmarkTrain trains on all processors, or with -cpu 1 on one.
func BenchmarkTrain(b *testing.B) {
	file, err := os.Open(*benchData)
	check(err)
	xs, ys, err := svm.ReadLIBSVM(file)
	check(err)
	k := svm.Kernel[[]float64](svm.Linear{})
	if *benchGamma > 0 {
		k = svm.RBF{Gamma: *benchGamma}
	}
	for b.Loop() {
		m, err := svm.Train(xs, ys, k, svm.Options{C: *benchC, CacheBytes: 200 << 20})
		check(err)
		b.ReportMetric(float64(len(m.Points)), "support-vectors")
	}
}
