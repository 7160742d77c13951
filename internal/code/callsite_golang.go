package code

// Calls of Go.

func (g golang) callSite(n int32) (CallSite, bool) {
	if g.kind(n) != "call_expression" {
		return CallSite{}, false
	}
	at, receiver := g.called(n)
	site, ok := g.site(n, at, receiver)
	for a := range g.children(g.child(n, "arguments")) {
		switch g.kind(a) {
		case "comment":
		case "variadic_argument":
			site.Spread = true
		default:
			site.Positional++
			site.Forwards = g.forwarded(a)
		}
	}
	if site.Positional != 1 || site.Spread {
		site.Forwards = ""
	}
	site.Values = g.taken(n)
	return site, ok
}

// called is the name that a call names, 0 where it calls a value, and its receiver.
func (g golang) called(n int32) (at, receiver int32) {
	f := g.child(n, "function")
	for g.kind(f) == "parenthesized_expression" || g.kind(f) == "type_instantiation_expression" || g.kind(f) == "index_expression" {
		f = g.named(f)
	}
	switch g.kind(f) {
	case "identifier":
		return f, 0
	case "selector_expression":
		return g.child(f, "field"), g.child(f, "operand")
	}
	return 0, 0
}

func (g golang) forwarded(arg int32) string {
	if g.kind(arg) != "call_expression" {
		return ""
	}
	at, _ := g.called(arg)
	return g.str(at)
}

// taken is how many values the place of a call takes.
func (g golang) taken(n int32) int {
	up, inner := g.outside(n)
	switch g.kind(up) {
	case "", "expression_statement", "go_statement", "defer_statement", "argument_list":
		return g.asArgument(up)
	case "expression_list":
		return g.inList(up)
	case "expression_case", "for_statement", "block":
		return Unknown
	case "var_spec", "const_spec":
		return g.names(up)
	case "call_expression":
		if g.child(up, "function") == inner {
			return 1
		}
		return Unknown
	}
	return 1
}

// asArgument: the only argument of a call may stand for several.
func (g golang) asArgument(list int32) int {
	if g.kind(list) != "argument_list" || g.count(list) == 1 {
		return Unknown
	}
	return 1
}

// inList is one side of an assignment, or what a return or var names.
func (g golang) inList(list int32) int {
	if g.count(list) > 1 {
		return 1
	}
	switch up := g.nodes[list].parent; g.kind(up) {
	case "short_var_declaration", "assignment_statement":
		if left := g.child(up, "left"); left != list {
			return g.count(left)
		}
		return 1
	case "var_spec", "const_spec":
		return g.names(up)
	case "return_statement":
		return g.returned(up)
	}
	return Unknown
}

// returned is how many values the function around a return gives.
func (g golang) returned(n int32) int {
	for up := g.nodes[n].parent; up != 0; up = g.nodes[up].parent {
		switch g.kind(up) {
		case "function_declaration", "method_declaration", "func_literal":
			return len(g.results(up))
		}
	}
	return Unknown
}

func (g golang) names(spec int32) (n int) {
	for k := range g.children(spec) {
		if g.field(k) == "name" {
			n++
		}
	}
	return n
}

// count is the number of values in a list.
func (g golang) count(list int32) (n int) {
	for k := range g.children(list) {
		if g.kind(k) != "comment" {
			n++
		}
	}
	return n
}
