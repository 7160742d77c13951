//go:build !amd64 || purego

package matrix

// Fast says whether the assembly does the work.
func Fast() bool { return false }

func tile(steps int, a []float32, lda int, b, src []float32, lds int, c []float32, ldc int) {
	tileGo(steps, a, lda, b, src, lds, c, ldc)
}

func softmax(x []float32) { softmaxGo(x) }

func gelu(x []float32) { geluGo(x) }

func norm(x, bias, gain, shift []float32, eps float32) { normGo(x, bias, gain, shift, eps) }
