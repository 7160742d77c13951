package code

import "strings"

// returns are the values of a function's result.
func (s *solver) returns(p place, depth int) []value {
	d := s.at(p)
	if d.result != "" {
		if r := strings.Trim(d.result, "\"' :"); r == "Self" || r == "this" || r == "typing.Self" {
			if c, ok := s.around(p.file, p.at); ok {
				return []value{{kind: instance, p: c}}
			}
		}
		return []value{{kind: typed, text: d.result, file: p.file, in: p.at}}
	}
	return s.hinted(p.file, p.at, "return", depth+1)
}

// hinted are the values that the hints of a name give.
func (s *solver) hinted(file, of int32, name string, depth int) []value {
	var out []value
	f := &s.files[file]
	for _, i := range s.names(file).hints[bound{of, name}] {
		if s.spent() || depth > maxEval {
			return out
		}
		h := &f.hints[i]
		switch h.sort {
		case hintType:
			out = append(out, value{kind: typed, text: h.text, file: file, in: h.in})
		case hintElem:
			out = append(out, s.elementsOf(file, h, depth)...)
		default:
			vs := s.eval(file, h.in, h.text, depth+1)
			if h.index > 0 {
				vs = s.pick(vs, int(h.index)-1)
			}
			out = append(out, vs...)
		}
	}
	return out
}

func (s *solver) elementsOf(file int32, h *hint, depth int) (out []value) {
	index := int(h.index)
	text := h.text
	for _, call := range []string{".items()", ".values()", ".keys()"} {
		if t, ok := strings.CutSuffix(text, call); ok {
			text = t
			switch call {
			case ".values()":
				index = -1
			case ".keys()":
				index = 0
			}
		}
	}
	if strings.HasPrefix(text, "enumerate(") {
		index = 0
		if h.index != 2 {
			return nil
		}
	}
	for _, v := range s.eval(file, h.in, text, depth+1) {
		out = append(out, s.index(v, index, depth+1)...)
	}
	return out
}

// pick takes one of several results.
func (s *solver) pick(vs []value, index int) (out []value) {
	for _, v := range vs {
		switch v.kind {
		case typed:
			if t := nth(v.text, s.files[v.file].lang, index); t != "" {
				v.text = t
				out = append(out, v)
			}
		case outside:
			out = append(out, v)
		default:
			if index == 0 {
				out = append(out, v)
			}
		}
	}
	return out
}
