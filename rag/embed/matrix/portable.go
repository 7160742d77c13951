package matrix

import "math"

// tileGo adds a (6 × steps) times b (steps × 16) to src and stores it in c.
func tileGo(steps int, a []float32, lda int, b, src []float32, lds int, c []float32, ldc int) {
	for r := 0; r < Rows; r += 2 {
		a0, a1 := a[r*lda:r*lda+steps], a[(r+1)*lda:(r+1)*lda+steps]
		for j := 0; j < Cols; j += 4 {
			pair(a0, a1, b[j:], (*[4]float32)(src[r*lds+j:]), (*[4]float32)(src[(r+1)*lds+j:]),
				(*[4]float32)(c[r*ldc+j:]), (*[4]float32)(c[(r+1)*ldc+j:]))
		}
	}
}

// pair does two rows of four columns: as many sums as the compiler keeps in
// registers.
func pair(a0, a1, b []float32, from0, from1, to0, to1 *[4]float32) {
	s0, s1, s2, s3 := from0[0], from0[1], from0[2], from0[3]
	t0, t1, t2, t3 := from1[0], from1[1], from1[2], from1[3]
	a1 = a1[:len(a0)]
	for k, x := range a0 {
		p := (*[4]float32)(b[k*Cols:])
		y := a1[k]
		s0 += x * p[0]
		s1 += x * p[1]
		s2 += x * p[2]
		s3 += x * p[3]
		t0 += y * p[0]
		t1 += y * p[1]
		t2 += y * p[2]
		t3 += y * p[3]
	}
	*to0, *to1 = [4]float32{s0, s1, s2, s3}, [4]float32{t0, t1, t2, t3}
}

func softmaxGo(x []float32) {
	top := x[0]
	for _, v := range x {
		top = max(top, v)
	}
	var sum float32
	for i, v := range x {
		x[i] = float32(math.Exp(float64(v - top)))
		sum += x[i]
	}
	for i := range x {
		x[i] /= sum
	}
}

func geluGo(x []float32) {
	for i, v := range x {
		x[i] = float32(0.5 * float64(v) * (1 + math.Erf(float64(v)/math.Sqrt2)))
	}
}

func normGo(x, bias, gain, shift []float32, eps float32) {
	var sum float64
	for i := range x {
		x[i] += bias[i]
		sum += float64(x[i])
	}
	mean := sum / float64(len(x))
	var square float64
	for _, v := range x {
		d := float64(v) - mean
		square += d * d
	}
	scale := 1 / math.Sqrt(square/float64(len(x))+float64(eps))
	for i, v := range x {
		x[i] = float32((float64(v)-mean)*scale)*gain[i] + shift[i]
	}
}
