package safetensors

import (
	"cmp"
	"fmt"
	"slices"
)

// widths is how many bytes a value takes, for the types that the format has had
// from its start. A newer type is refused.
var widths = map[string]int64{
	"BOOL": 1, "U8": 1, "I8": 1, "F8_E5M2": 1, "F8_E4M3": 1,
	"I16": 2, "U16": 2, "F16": 2, "BF16": 2,
	"I32": 4, "U32": 4, "F32": 4,
	"I64": 8, "U64": 8, "F64": 8,
}

// check holds the tensors against each other and against the size of the data:
// they must cover it without a gap or an overlap, each by its type and shape.
func check(tensors map[string]Tensor, size int64) error {
	names := make([]string, 0, len(tensors))
	for name := range tensors {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		x, y := tensors[a], tensors[b]
		return cmp.Or(cmp.Compare(x.Begin, y.Begin), cmp.Compare(x.End, y.End), cmp.Compare(a, b))
	})
	var at int64
	for _, name := range names {
		t := tensors[name]
		if t.Begin != at || t.End < t.Begin {
			return fault("%.80q spans the bytes %d to %d, but the tensor before it ends at %d", name, t.Begin, t.End, at)
		}
		if n, ok := t.bytes(size); !ok || n != t.End-t.Begin {
			return fault("%.80q spans %d bytes, which a %.20q of shape %.80s does not", name, t.End-t.Begin, t.DType, fmt.Sprint(t.Shape))
		}
		at = t.End
	}
	if at != size {
		return fault("its tensors end at byte %d of %d", at, size)
	}
	return nil
}

// bytes is what type and shape ask for; false if it is more than limit.
func (t Tensor) bytes(limit int64) (int64, bool) {
	n, ok := widths[t.DType]
	if !ok {
		return 0, false
	}
	for _, d := range t.Shape {
		if d < 0 || d > 0 && n > limit/d {
			return 0, false
		}
		n *= d
	}
	return n, true
}
