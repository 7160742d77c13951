package flat

import "math"

// code is a row in eighths of the memory: x = scale·q + e, with |e| = err. The
// inner product of x and a unit vector u then lies within err of scale·(q·u), by
// Cauchy and Schwarz: this is what makes the scan exact.
type code struct {
	scale, err float32
}

// quantise writes the int8 form of the padded vector x to q.
func quantise(x []float32, q []int8) code {
	var most float32
	for _, v := range x {
		most = max(most, v, -v)
	}
	scale := most / 127
	var sum float64
	for i, v := range x {
		n := math.RoundToEven(float64(v) / float64(scale))
		q[i] = int8(min(max(n, -127), 127))
		e := float64(v) - float64(scale)*float64(q[i])
		sum += e * e
	}
	return code{scale, up(math.Sqrt(sum))}
}

// up is the least float32 that is not below x, or the next.
func up(x float64) float32 { return math.Nextafter32(float32(x), math.MaxFloat32) }

// probe is a query that was made ready for the scan.
type probe struct {
	unit []float32 // padded
	q    []int16
	code
}

// newProbe scales the query to as many bits as can be summed in an int32.
func newProbe(unit []float32, width int) probe {
	p := probe{unit: make([]float32, width), q: make([]int16, width)}
	copy(p.unit, unit)
	var most float32
	for _, v := range unit {
		most = max(most, v, -v)
	}
	top := min(math.MaxInt16, float64(math.MaxInt32/(127*width)))
	p.scale = float32(float64(most) / top)
	var sum float64
	for i, v := range p.unit {
		n := math.RoundToEven(float64(v) / float64(p.scale))
		p.q[i] = int16(min(max(n, -top), top))
		e := float64(v) - float64(p.scale)*float64(p.q[i])
		sum += e * e
	}
	p.err = up(math.Sqrt(sum))
	return p
}

// slack is more than the rounding of unit vectors and of the sums here.
const slack = 1e-6

// bounds gives what the exact product of the probe and a row may be: mid ± radius.
func (p *probe) bounds(sum int32, row code) (mid, radius float64) {
	mid = float64(sum) * float64(row.scale) * float64(p.scale)
	e, f := float64(row.err), float64(p.err)
	return mid, e*(1+slack) + f*(1+slack+e) + slack*slack
}
