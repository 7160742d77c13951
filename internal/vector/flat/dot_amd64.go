package flat

// useAVX2 says that the processor and the system know AVX2.
var useAVX2 = hasAVX2()

func hasAVX2() bool {
	const osxsave, avx, avx2, ymm = 1 << 27, 1 << 28, 1 << 5, 0b110
	if top, _, _, _ := cpuid(0, 0); top < 7 {
		return false
	}
	_, _, c, _ := cpuid(1, 0)
	if c&(osxsave|avx) != osxsave|avx || xgetbv()&ymm != ymm {
		return false
	}
	_, b, _, _ := cpuid(7, 0)
	return b&avx2 != 0
}

//go:noescape
func scanAVX2(q *int16, rows *int8, width, n int, out *int32)

//go:noescape
func exactAVX2(a, b *float32, n int) float64

func cpuid(leaf, sub uint32) (a, b, c, d uint32)

func xgetbv() uint32
