//go:build !purego

package matrix

import "golang.org/x/sys/cpu"

// fast says whether the assembly can run: the processor has AVX2 and FMA, and
// the system keeps the wide registers (the package cpu asks for both).
var fast = cpu.X86.HasAVX2 && cpu.X86.HasFMA

// Fast says whether the assembly does the work.
func Fast() bool { return fast }

// lanes is how many floats a register holds.
const lanes = 8

func tile(steps int, a []float32, lda int, b, src []float32, lds int, c []float32, ldc int) {
	if !fast {
		tileGo(steps, a, lda, b, src, lds, c, ldc)
		return
	}
	tileAVX2(steps, &a[0], lda, &b[0], &src[0], lds, &c[0], ldc)
}

func softmax(x []float32) {
	if !fast || len(x)%lanes != 0 {
		softmaxGo(x)
		return
	}
	softmaxAVX2(&x[0], len(x), &expTable)
}

func gelu(x []float32) {
	if n := len(x) / lanes * lanes; fast && n > 0 {
		geluAVX2(&x[0], n, &erfTable)
		x = x[n:]
	}
	geluGo(x)
}

func norm(x, bias, gain, shift []float32, eps float32) {
	if !fast || len(x)%lanes != 0 {
		normGo(x, bias, gain, shift, eps)
		return
	}
	normAVX2(&x[0], &bias[0], &gain[0], &shift[0], len(x), eps)
}

//go:noescape
func tileAVX2(steps int, a *float32, lda int, b, src *float32, lds int, c *float32, ldc int)

//go:noescape
func softmaxAVX2(x *float32, n int, table *[11][lanes]float32)

//go:noescape
func geluAVX2(x *float32, n int, table *[16][lanes]float32)

//go:noescape
func normAVX2(x, bias, gain, shift *float32, n int, eps float32)

// expTable has, each in all lanes, what the assembly of e^x needs, in its order:
// the least argument, log2 e, ln 2 in two parts, then the polynomial of the Cephes
// library's expf.
var expTable = [11][lanes]float32{
	all(-87.33654), all(1.44269504088896341), all(0.693359375), all(-2.12194440e-4),
	all(1.9875691500e-4), all(1.3981999507e-3), all(8.3334519073e-3),
	all(4.1665795894e-2), all(1.6666665459e-1), all(5.0000001201e-1), all(1),
}

// erfTable has what the assembly of GELU needs: 1/√2, the bounds of erf's argument,
// then numerator and denominator of the rational erf of Eigen and XLA, then ½.
var erfTable = [16][lanes]float32{
	all(0.70710678118654752), all(4), all(-4),
	all(-2.72614225801306e-10), all(2.77068142495902e-08), all(-2.10102402082508e-06),
	all(-5.69250639462346e-05), all(-7.34990630326855e-04), all(-2.95459980854025e-03), all(-1.60960333262415e-02),
	all(-1.45660718464996e-05), all(-2.13374055278905e-04), all(-1.68282697438203e-03),
	all(-7.37332916720468e-03), all(-1.42647390514189e-02), all(0.5),
}

func all(x float32) (v [lanes]float32) {
	for i := range v {
		v[i] = x
	}
	return v
}
