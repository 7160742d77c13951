package flat

// lanes is the number of partial sums of exact, and what vectors are padded to
// there; rows are padded to stride numbers, which both kernels divide.
const (
	lanes  = 8
	stride = 32
)

// scanRows writes to out the inner products of q and the len(out) rows of
// len(q) numbers each.
func scanRows(q []int16, rows []int8, out []int32) {
	rows = rows[:len(q)*len(out)]
	if useAVX2 && len(out) > 0 {
		scanAVX2(&q[0], &rows[0], len(q), len(out), &out[0])
		return
	}
	scanPortable(q, rows, out)
}

func scanPortable(q []int16, rows []int8, out []int32) {
	for i := range out {
		row := rows[i*len(q):][:len(q)]
		var sum int32
		for j, x := range row {
			sum += int32(x) * int32(q[j])
		}
		out[i] = sum
	}
}

// exact is the inner product of two padded vectors, summed in float64. A product
// of two float32 is exact there and the order of the sums is fixed, so the result
// is the same to the bit on every machine, and with it the order of ties.
func exact(a, b []float32) float64 {
	b = b[:len(a)]
	if useAVX2 {
		return exactAVX2(&a[0], &b[0], len(a))
	}
	return exactPortable(a, b)
}

func exactPortable(a, b []float32) float64 {
	var s [lanes]float64
	for i := 0; i < len(a); i += lanes {
		x, y := a[i:i+lanes], b[i:i+lanes]
		for l := range s {
			s[l] += float64(x[l]) * float64(y[l])
		}
	}
	return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]))
}

func padded(dim int) int { return (dim + stride - 1) / stride * stride }
