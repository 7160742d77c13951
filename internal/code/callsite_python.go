package code

// Calls of Python.

func (p *python) callSite(n int32) (CallSite, bool) {
	if p.kind(n) != "call" {
		return CallSite{}, false
	}
	at, receiver := p.child(n, "function"), int32(0)
	switch p.kind(at) {
	case "identifier":
	case "attribute":
		at, receiver = p.child(at, "attribute"), p.child(at, "object")
	default:
		return CallSite{}, false
	}
	site, ok := p.site(n, at, receiver)
	args := p.child(n, "arguments")
	if p.kind(args) == "generator_expression" { // f(x for x in y)
		site.Positional = 1
	} else {
		p.arguments(&site, args)
	}
	p.place(&site, n)
	return site, ok
}

func (p *python) arguments(site *CallSite, args int32) {
	for a := range p.children(args) {
		switch p.kind(a) {
		case "comment":
		case "keyword_argument":
			site.Keywords = append(site.Keywords, p.str(p.child(a, "name")))
		case "list_splat", "parenthesized_list_splat":
			site.Spread = true
		case "dictionary_splat":
			site.Keyed = true
		default:
			site.Positional++
		}
	}
}

// place says what is done with the value.
func (p *python) place(site *CallSite, n int32) {
	up, inner := p.outside(n)
	switch p.kind(up) {
	case "await":
		site.Awaited = true
	case "attribute", "subscript", "binary_operator", "comparison_operator", "unary_operator", "not_operator", "expression_statement":
		site.Used = true
	case "call":
		site.Used = p.child(up, "function") == inner
	case "for_statement":
		site.Awaited = p.async(up)
		site.Used = !site.Awaited && p.child(up, "right") == inner
	case "if_statement", "while_statement":
		site.Used = p.child(up, "condition") == inner
	case "assignment":
		left := p.kind(p.child(up, "left"))
		site.Used = left == "pattern_list" || left == "tuple_pattern"
	}
}
