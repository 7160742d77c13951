package code

// Signatures of Go.

func (g golang) signatureOf(n int32) Signature {
	return Signature{Params: g.params(g.child(n, "parameters")), Results: g.results(n)}
}

func (g golang) params(list int32) []Param {
	var out []Param
	for p := range g.children(list) {
		param := Param{Kind: PositionalOnly, Type: g.expr(g.child(p, "type"))}
		switch g.kind(p) {
		case "variadic_parameter_declaration":
			param.Kind, param.Optional = Variadic, true
		case "parameter_declaration":
		default:
			continue
		}
		out = append(out, g.spread(p, param)...)
	}
	return out
}

// spread gives each name of a, b int its parameter; one without a name is one too.
func (g golang) spread(p int32, param Param) []Param {
	var out []Param
	for k := range g.children(p) {
		if g.field(k) == "name" {
			param.Name = g.str(k)
			out = append(out, param)
		}
	}
	if out == nil {
		return []Param{param}
	}
	return out
}

// results are the types of what a function or method gives.
func (g golang) results(n int32) []string {
	r := g.child(n, "result")
	if g.kind(r) != "parameter_list" {
		if r == 0 {
			return nil
		}
		return []string{g.expr(r)}
	}
	var out []string
	for _, p := range g.params(r) {
		out = append(out, p.Type)
	}
	return out
}
