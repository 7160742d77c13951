package matrix

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// These tests stand inside the package because they hold the assembly against
// tileGo and its neighbours, which nobody outside needs to see.

func random(rng *rand.Rand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(rng.NormFloat64())
	}
	return x
}

// product is a × wᵀ + bias in float64.
func product(a []float32, lda int, w []float32, rows, out, in int, bias []float32) []float64 {
	c := make([]float64, rows*out)
	for i := range rows {
		for j := range out {
			sum := float64(bias[j])
			for k := range in {
				sum += float64(a[i*lda+k]) * float64(w[j*in+k])
			}
			c[i*out+j] = sum
		}
	}
	return c
}

func near(t *testing.T, what string, got, want, limit float64) {
	t.Helper()
	if !(math.Abs(got-want) <= limit) {
		t.Fatalf("%s is %.9g, want %.9g ± %g", what, got, want, limit)
	}
}

func TestProductsOfEveryShape(t *testing.T) {
	for _, shape := range [][3]int{{1, 1, 1}, {1, 16, 3}, {5, 17, 4}, {6, 16, 7}, {7, 15, 8}, {13, 40, 384}, {12, 16, 385}, {260, 33, 50}, {20, 48, 1000}} {
		rows, out, in := shape[0], shape[1], shape[2]
		t.Run(fmt.Sprint(shape), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(1, uint64(in)))
			lda, ldc := in+3, Pad(out, Cols)+5
			a, w := random(rng, Pad(rows, Rows)*lda), random(rng, out*in)
			bias := append(random(rng, out), make([]float32, Pad(out, Cols)-out)...)
			want := product(a, lda, w, rows, out, in, bias)
			dst := Block{make([]float32, Pad(rows, Rows)*ldc), ldc}
			Pack(nil, w, in, out, in, 1).Mul(dst, Block{a, lda}, rows, bias)
			limit := 1e-6 * float64(in+10)
			for i := range rows {
				for j := range out {
					near(t, fmt.Sprintf("Mul at %d,%d", i, j), float64(dst.Data[i*ldc+j]), want[i*out+j], limit)
				}
			}
			transposed := make([]float32, out*in)
			for j := range out {
				for k := range in {
					transposed[k*out+j] = w[j*in+k]
				}
			}
			dirty := random(rng, Size(out, in))
			PackColumns(dirty, transposed, out, out, in).Add(dst, Block{a, lda}, rows)
			for i := range rows {
				for j := range out {
					near(t, fmt.Sprintf("Add at %d,%d", i, j), float64(dst.Data[i*ldc+j]), 2*want[i*out+j]-float64(bias[j]), 2*limit)
				}
			}
		})
	}
}

func TestPackScales(t *testing.T) {
	dst := Block{make([]float32, Rows*Cols), Cols}
	Pack(nil, []float32{2, 3}, 2, 1, 2, 0.5).Mul(dst, Block{[]float32{1, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 2}, 1, nil)
	near(t, "the product", float64(dst.Data[0]), 16, 0)
}

func TestTileOfAssemblyAndOfGo(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for steps := 1; steps <= 33; steps++ {
		a, b, src := random(rng, Rows*40), random(rng, steps*Cols), random(rng, Rows*20)
		got, want := make([]float32, Rows*24), make([]float32, Rows*24)
		tile(steps, a, 40, b, src, 20, got, 24)
		tileGo(steps, a, 40, b, src, 20, want, 24)
		for i := range got {
			near(t, fmt.Sprintf("steps %d at %d", steps, i), float64(got[i]), float64(want[i]), 2e-5)
		}
	}
}

func TestSoftmax(t *testing.T) {
	inf := float32(math.Inf(1))
	rng := rand.New(rand.NewPCG(3, 3))
	long := random(rng, 512)
	for i := range long {
		long[i] *= 20
	}
	for _, in := range [][]float32{
		{3}, {1, 2, 3}, {1, 2, 3, -inf, -inf, -inf, -inf, -inf}, {-inf, -inf, 5, -inf, -inf, -inf, -inf, -inf},
		{1000, 1000, -1000, 999, 0, 1, 2, 3}, {-1e30, -1e30, -1e30, -1e30, -1e30, -1e30, -1e30, -1e30}, long, long[:500],
	} {
		var top, sum float64 = math.Inf(-1), 0
		for _, v := range in {
			top = max(top, float64(v))
		}
		for _, v := range in {
			sum += math.Exp(float64(v) - top)
		}
		for _, f := range []func([]float32){Softmax, softmaxGo} {
			got := append([]float32(nil), in...)
			f(got)
			for i, v := range in {
				want := math.Exp(float64(v)-top) / sum
				near(t, fmt.Sprintf("softmax %v at %d", in[:min(len(in), 8)], i), float64(got[i]), want, 1e-37+1e-5*want)
			}
		}
	}
}

func TestGELU(t *testing.T) {
	var x []float32
	for v := -12.0; v <= 12; v += 0.0013 {
		x = append(x, float32(v))
	}
	x = append(x, 0, 1e30, -1e30, 1e-30)
	got := append([]float32(nil), x...)
	GELU(got)
	for i, v := range x {
		want := 0.5 * float64(v) * (1 + math.Erf(float64(v)/math.Sqrt2))
		near(t, fmt.Sprintf("gelu(%g)", v), float64(got[i]), want, 1e-6*max(1, math.Abs(float64(v))))
	}
}

func TestNorm(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for _, n := range []int{1, 5, 8, 32, 384, 391} {
		x, bias, gain, shift := random(rng, n), random(rng, n), random(rng, n), random(rng, n)
		var mean, square float64
		for i := range x {
			mean += float64(x[i]) + float64(bias[i])
		}
		mean /= float64(n)
		for i := range x {
			d := float64(x[i]) + float64(bias[i]) - mean
			square += d * d
		}
		scale := 1 / math.Sqrt(square/float64(n)+1e-5)
		got := append([]float32(nil), x...)
		Norm(got, bias, gain, shift, 1e-5)
		for i := range x {
			want := (float64(x[i])+float64(bias[i])-mean)*scale*float64(gain[i]) + float64(shift[i])
			near(t, fmt.Sprintf("norm of %d at %d", n, i), float64(got[i]), want, 1e-5)
		}
	}
}

func BenchmarkMul(b *testing.B) {
	for _, s := range [][3]int{{256, 1152, 384}, {256, 1536, 384}, {256, 384, 1536}, {256, 256, 32}, {16, 384, 384}} {
		rows, out, in := s[0], s[1], s[2]
		b.Run(fmt.Sprintf("%dx%dx%d", rows, out, in), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(5, 5))
			w := Pack(nil, random(rng, out*in), in, out, in, 1)
			a, dst := Block{random(rng, Pad(rows, Rows)*in), in}, Block{make([]float32, Pad(rows, Rows)*Pad(out, Cols)), Pad(out, Cols)}
			bias := make([]float32, Pad(out, Cols))
			for b.Loop() {
				w.Mul(dst, a, rows, bias)
			}
			b.ReportMetric(float64(2*rows*out*in)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
		})
	}
}

func BenchmarkRows(b *testing.B) {
	rng := rand.New(rand.NewPCG(6, 6))
	from := random(rng, 1536)
	x := make([]float32, len(from))
	for _, row := range []struct {
		name string
		f    func()
	}{
		{"copy", func() {}},
		{"gelu", func() { GELU(x) }},
		{"softmax", func() { Softmax(x) }},
		{"norm", func() { Norm(x, from, from, from, 1e-12) }},
	} {
		b.Run(row.name, func(b *testing.B) {
			for b.Loop() {
				copy(x, from)
				row.f()
			}
			b.ReportMetric(float64(len(x))*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mfloat/s")
		})
	}
}
