package flat_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/repomind/repomind/internal/vector/flat"
	"github.com/repomind/repomind/internal/vector/vectortest"
)

func TestKernelsAgreeToTheBit(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, width := range []int{32, 64, 96, 384, 4096} {
		for n := range 10 {
			q, rows := make([]int16, width), make([]int8, width*n)
			for i := range q {
				q[i] = int16(r.IntN(8256) - 4128)
			}
			for i := range rows {
				rows[i] = int8(r.IntN(255) - 127)
			}
			if diff := cmp.Diff(flat.ScanPortable(q, rows, n), flat.ScanRows(q, rows, n)); diff != "" {
				t.Errorf("%d rows of %d (-portable +here):\n%s", n, width, diff)
			}
		}
		a, b := vectortest.Gauss(r, width, nil, 1), vectortest.Gauss(r, width, nil, 1e-3)
		if got, want := flat.Exact(a, b), flat.ExactPortable(a, b); got != want {
			t.Errorf("exact product of %d: %v here, %v portable", width, got, want)
		}
	}
}

func TestScanOfTheLargestNumbers(t *testing.T) {
	for _, width := range []int{32, 384, 4096} {
		top := min(math.MaxInt16, math.MaxInt32/(127*width))
		q, rows := make([]int16, width), make([]int8, 4*width)
		for i := range q {
			q[i] = int16(top)
			rows[i], rows[width+i], rows[2*width+i] = 127, -127, int8(127-254*(i%2))
		}
		all := int32(127 * top * width)
		if diff := cmp.Diff([]int32{all, -all, 0, 0}, flat.ScanRows(q, rows, 4)); diff != "" {
			t.Errorf("width %d (-want +got):\n%s", width, diff)
		}
	}
}

func TestExactProduct(t *testing.T) {
	a, b := make([]float32, 32), make([]float32, 32)
	a[0], b[0] = 1<<24, 1<<24
	a[9], b[9] = 1, 1
	a[31], b[31] = -3, 0.5
	if got := flat.Exact(a, b); got != 1<<48-0.5 {
		t.Errorf("got %v", got)
	}
}

func TestBoundsHold(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, dim := range []int{1, 2, 3, 31, 384, 768, 4096} {
		for range 200 {
			x, u := vectortest.Gauss(r, dim, nil, 1), vectortest.Gauss(r, dim, nil, 1)
			if r.IntN(3) == 0 { // one large number spoils the scale of the others
				x[r.IntN(dim)] = 100
			}
			if r.IntN(3) == 0 {
				u = vectortest.Gauss(r, dim, x, 0.01)
			}
			if r.IntN(50) == 0 { // the largest sum of eight-bit numbers
				for i := range x {
					x[i], u[i] = 1, 1
				}
			}
			mid, radius, exact := flat.Bounds(t, x, u)
			if math.Abs(exact-mid) > radius {
				t.Fatalf("dimension %d: %v is not within %v of %v", dim, exact, radius, mid)
			}
			if radius > 0.2 {
				t.Errorf("dimension %d: a radius of %v", dim, radius)
			}
		}
	}
}
