package code

import "strings"

// Signatures of Python.

func (p *python) signatureOf(n int32) Signature {
	s := Signature{Async: p.async(n), Params: p.params(p.child(n, "parameters"))}
	if r := p.expr(p.child(n, "return_type")); r != "" {
		s.Results = []string{r}
	}
	outer := p.nodes[n].parent
	if p.kind(outer) == "decorated_definition" {
		p.decorations(&s, outer)
	}
	if p.method(n) && !contains(s.Decorators, "staticmethod") && len(s.Params) > 0 && bySelf(s.Params[0]) {
		s.Self, s.Params = s.Params[0].Name, s.Params[1:]
	}
	return s
}

func bySelf(p Param) bool { return p.Kind == Positional || p.Kind == PositionalOnly }

func (p *python) async(n int32) bool {
	first := p.nodes[n].first
	return first != 0 && string(p.text(first)) == "async"
}

// method says whether a function stands in the body of a class.
func (p *python) method(n int32) bool {
	up := p.nodes[n].parent
	for up != 0 && p.kind(up) != "class_definition" && p.kind(up) != "function_definition" {
		up = p.nodes[up].parent
	}
	return p.kind(up) == "class_definition"
}

func (p *python) decorations(s *Signature, outer int32) {
	for d := range p.children(outer) {
		if p.kind(d) == "decorator" {
			s.Decorators = append(s.Decorators, p.expr(p.named(d)))
		}
	}
	for _, d := range s.Decorators {
		switch name := last(d); {
		case strings.HasSuffix(name, "property"), name == "setter", name == "deleter", name == "getter":
			s.Property = true
		case name == "overload":
			s.Overload = true
		case name == "staticmethod", name == "classmethod":
			s.Static = true
		}
	}
}

func contains(decorators []string, name string) bool {
	for _, d := range decorators {
		if last(d) == name {
			return true
		}
	}
	return false
}

func (p *python) params(list int32) []Param {
	var out []Param
	kind := Positional
	for k := range p.children(list) {
		switch p.kind(k) {
		case "comment":
		case "positional_separator":
			for i := range out {
				out[i].Kind = PositionalOnly
			}
		case "keyword_separator":
			kind = KeywordOnly
		default:
			param := p.param(k, kind)
			if param.Kind == Variadic {
				kind = KeywordOnly
			}
			out = append(out, param)
		}
	}
	return out
}

func (p *python) param(n int32, kind ParamKind) Param {
	out := Param{Kind: kind, Type: p.expr(p.child(n, "type"))}
	at := n
	switch p.kind(n) {
	case "default_parameter", "typed_default_parameter":
		at, out.Optional = p.child(n, "name"), true
	case "typed_parameter":
		at = p.named(n)
	}
	switch p.kind(at) {
	case "list_splat_pattern":
		out.Kind, out.Optional, at = Variadic, true, p.named(at)
	case "dictionary_splat_pattern":
		out.Kind, out.Optional, at = KeywordVariadic, true, p.named(at)
	}
	out.Name = p.str(at)
	return out
}
