package code

import "strings"

// Signatures of JavaScript and TypeScript.

func (s script) signatureOf(n int32) Signature {
	out := Signature{Params: s.params(n)}
	if r := s.typeText(s.child(n, "return_type")); r != "" {
		out.Results = []string{r}
	}
	for k := s.nodes[n].first; k != 0 && s.field(k) != "name" && s.field(k) != "parameters"; k = s.nodes[k].next {
		switch string(s.text(k)) {
		case "async":
			out.Async = true
		case "static":
			out.Static = true
		case "get", "set":
			out.Property = true
		}
	}
	out.Overload = strings.HasSuffix(s.kind(n), "_signature")
	return out
}

func (s script) params(n int32) []Param {
	if one := s.child(n, "parameter"); one != 0 { // x => …
		return []Param{{Name: s.str(one), Kind: PositionalOnly}}
	}
	var out []Param
	for k := range s.children(s.child(n, "parameters")) {
		if p, ok := s.param(k); ok {
			out = append(out, p)
		}
	}
	return out
}

// param is false for a comment, and for the type of this.
func (s script) param(n int32) (Param, bool) {
	out := Param{Kind: PositionalOnly, Type: s.typeText(s.child(n, "type"))}
	at := n
	switch s.kind(n) {
	case "comment", "decorator":
		return out, false
	case "optional_parameter":
		out.Optional = true
	case "assignment_pattern":
		at, out.Optional = s.child(n, "left"), true
	}
	if p := s.child(n, "pattern"); p != 0 {
		at = p
		out.Optional = out.Optional || s.child(n, "value") != 0
	}
	if s.kind(at) == "rest_pattern" {
		out.Kind, out.Optional, at = Variadic, true, s.named(at)
	}
	switch s.kind(at) {
	case "this":
		return out, false
	case "identifier":
		out.Name = s.str(at)
	}
	return out, true
}
