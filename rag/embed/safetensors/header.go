package safetensors

import (
	"encoding/json"
	"strings"
)

// entry is a tensor in the header's JSON.
type entry struct {
	DType   *string  `json:"dtype"`
	Shape   *[]int64 `json:"shape"`
	Offsets []int64  `json:"data_offsets"`
}

func (e entry) tensor() (Tensor, bool) {
	if e.DType == nil || e.Shape == nil || len(e.Offsets) != 2 {
		return Tensor{}, false
	}
	return Tensor{DType: *e.DType, Shape: *e.Shape, Begin: e.Offsets[0], End: e.Offsets[1]}, true
}

// parse reads the header key by key, because a map would hide a name that is
// there twice.
func parse(header []byte) (map[string]Tensor, error) {
	if len(header) == 0 || header[0] != '{' {
		return nil, fault("its header does not begin with {")
	}
	d := json.NewDecoder(strings.NewReader(string(header)))
	if _, err := d.Token(); err != nil {
		return nil, fault("its header: %v", err)
	}
	tensors := map[string]Tensor{}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, fault("its header: %v", err)
		}
		if err := parseEntry(d, key.(string), tensors); err != nil {
			return nil, err
		}
	}
	if _, err := d.Token(); err != nil {
		return nil, fault("its header: %v", err)
	}
	if rest := strings.TrimSpace(string(header[d.InputOffset():])); rest != "" {
		return nil, fault("its header goes on after the closing }")
	}
	return tensors, nil
}

func parseEntry(d *json.Decoder, name string, tensors map[string]Tensor) error {
	if name == "__metadata__" {
		var meta map[string]string
		if err := d.Decode(&meta); err != nil {
			return fault("its metadata: %v", err)
		}
		return nil
	}
	if _, twice := tensors[name]; twice {
		return fault("it has %.80q twice", name)
	}
	var e entry
	if err := d.Decode(&e); err != nil {
		return fault("the entry of %.80q: %v", name, err)
	}
	t, ok := e.tensor()
	if !ok {
		return fault("the entry of %.80q lacks dtype, shape or data_offsets", name)
	}
	tensors[name] = t
	return nil
}
