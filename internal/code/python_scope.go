package code

// The names that a Python function binds: they are locals, whatever the module
// defines under the same name.

func (p *python) firstParameter(params int32) int32 {
	first := p.named(params)
	switch p.kind(first) {
	case "typed_parameter":
		return p.named(first)
	case "default_parameter", "typed_default_parameter":
		return p.child(first, "name")
	case "identifier":
		return first
	}
	return 0
}

// bindParameters adds the parameters to bound and, with types, notes what they are.
func (p *python) bindParameters(params int32, bound map[string]bool, types bool) {
	if params == 0 {
		return
	}
	for k := range p.children(params) {
		at := k
		switch p.kind(k) {
		case "typed_parameter":
			at = p.named(k)
		case "default_parameter", "typed_default_parameter":
			at = p.child(k, "name")
		}
		if s := p.kind(at); s == "list_splat_pattern" || s == "dictionary_splat_pattern" {
			at = p.named(at)
		}
		if p.kind(at) != "identifier" {
			continue
		}
		name := p.str(at)
		bound[name] = true
		if types {
			p.hint(p.scope, name, p.expr(p.child(k, "type")), hintType, 0)
		}
	}
}

// bind adds the names that the statements of a body assign, not those of functions
// inside it. Imports and definitions have their own record.
func (p *python) bind(n int32, bound map[string]bool) {
	for k := p.nodes[n].first; k != 0; k = p.nodes[k].next {
		switch p.kind(k) {
		case "function_definition", "class_definition", "lambda", "comment", "string":
			continue
		case "assignment", "augmented_assignment", "for_statement", "for_in_clause":
			p.bindTarget(p.child(k, "left"), bound)
		case "named_expression":
			p.bindTarget(p.child(k, "name"), bound)
		case "as_pattern_target", "case_pattern":
			p.bindTarget(k, bound)
		case "global_statement", "nonlocal_statement":
			for name := range p.children(k) {
				defer delete(bound, p.str(name))
			}
		}
		if p.isNamed(k) {
			p.bind(k, bound)
		}
	}
}

func (p *python) bindTarget(n int32, bound map[string]bool) {
	switch p.kind(n) {
	case "identifier":
		bound[p.str(n)] = true
	case "pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern", "splat_pattern", "parenthesized_expression", "as_pattern_target", "tuple", "list":
		for k := range p.children(n) {
			p.bindTarget(k, bound)
		}
	case "case_pattern", "dotted_name", "as_pattern", "keyword_pattern":
		for k := range p.children(n) {
			if p.kind(k) == "dotted_name" && p.nodes[p.named(k)].next == 0 {
				bound[p.str(k)] = true
			}
		}
	}
}

func (p *python) lambda(n int32) {
	bound := map[string]bool{}
	params := p.child(n, "parameters")
	p.bindParameters(params, bound, false)
	p.defaults(params)
	p.bound = append(p.bound, bound)
	p.walk(p.child(n, "body"))
	p.bound = p.bound[:len(p.bound)-1]
}

// parameters of a lambda or function that stands where none is expected.
func (p *python) parameters(n int32) {
	p.defaults(n)
}

// defaults reads the values and types of parameters, which belong to the scope
// around the function.
func (p *python) defaults(params int32) {
	if params == 0 {
		return
	}
	for k := range p.children(params) {
		for _, field := range []string{"value", "type"} {
			if v := p.child(k, field); v != 0 {
				p.walk(v)
			}
		}
	}
}

func (p *python) annotations(n int32) {
	if r := p.child(n, "return_type"); r != 0 {
		p.walk(r)
	}
}

// alias is a statement type X = Y.
func (p *python) alias(n int32) {
	left := p.named(n)
	if at := left; left != 0 {
		for p.kind(at) != "identifier" && p.named(at) != 0 {
			at = p.named(at)
		}
		p.add(Type, p.str(at), n, at, 0)
		if value := p.nodes[left].next; value != 0 && p.nodes[value].next != 0 {
			p.walk(p.nodes[value].next)
		}
	}
}
