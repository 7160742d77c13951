package matrix

// Softmax replaces x by e^x divided by the sum of all e^x. It does not overflow,
// and an entry of −Inf becomes 0 or less than 1e-37. x is not empty.
func Softmax(x []float32) { softmax(x) }

// GELU replaces each x by x/2 · (1 + erf(x/√2)), the exact form that BERT uses
// and not the one with tanh. The error is below 1e-6 · max(1, |x|).
func GELU(x []float32) { gelu(x) }

// Norm adds bias to x, then makes its mean 0 and its variance 1, multiplies by
// gain and adds shift (layer normalisation). All slices have the length of x,
// which is not empty.
func Norm(x, bias, gain, shift []float32, eps float32) {
	n := len(x)
	norm(x, bias[:n], gain[:n], shift[:n], eps)
}
