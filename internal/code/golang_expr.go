package code

// Expressions and local variables of Go.

func (g golang) name(n int32, call bool) {
	if name := g.str(n); name != "_" && !g.isLocal(name) {
		g.mention(n, "", call)
	}
}

func (g golang) call(n int32) {
	f := g.child(n, "function")
	for g.kind(f) == "parenthesized_expression" || g.kind(f) == "type_instantiation_expression" || g.kind(f) == "index_expression" {
		for k := range g.children(f) {
			if g.field(k) != "operand" && g.kind(f) == "index_expression" || k != g.named(f) {
				g.walk(k)
			}
		}
		f = g.named(f)
	}
	switch g.kind(f) {
	case "identifier":
		g.name(f, true)
	case "selector_expression":
		g.selector(f, true)
	default:
		g.walk(f)
	}
	g.walk(g.child(n, "type_arguments"))
	g.walk(g.child(n, "arguments"))
}

func (g golang) selector(n int32, call bool) {
	operand := g.child(n, "operand")
	g.mention(g.child(n, "field"), g.expr(operand), call)
	g.walk(operand)
}

// composite reads T{A: x}: A is a field of T, not a name of this scope.
func (g golang) composite(n int32) {
	typ := g.child(n, "type")
	g.walk(typ)
	structure := g.kind(typ) != "map_type" && g.kind(typ) != "slice_type" && g.kind(typ) != "array_type"
	g.elementsOf(g.child(n, "body"), g.expr(typ), structure)
}

func (g golang) elementsOf(body int32, typ string, structure bool) {
	for e := range g.children(body) {
		if g.kind(e) != "keyed_element" {
			g.element(e)
			continue
		}
		key := g.named(e)
		inner := key
		if g.kind(key) == "literal_element" {
			inner = g.named(key)
		}
		switch {
		case g.kind(inner) != "identifier" || !structure && typ != "":
			g.element(key)
		case typ != "":
			g.mention(inner, typ+"{}", false)
		}
		for v := range g.children(e) {
			if v != key {
				g.element(v)
			}
		}
	}
}

// element is a value in a literal; {…} without a type takes that of its literal.
func (g golang) element(n int32) {
	if g.kind(n) == "literal_element" {
		n = g.named(n)
	}
	if g.kind(n) == "literal_value" {
		g.elementsOf(n, "", true)
		return
	}
	g.walk(n)
}

func (g golang) short(n int32) {
	left, right := g.child(n, "left"), g.child(n, "right")
	g.walk(right)
	i := 0
	for k := range g.children(left) {
		g.bindName(k)
		g.holds(k, right, i)
		i++
	}
}

// holds notes what the i-th name of an assignment is given.
func (g golang) holds(name, values int32, i int) {
	if values == 0 || g.kind(name) != "identifier" {
		return
	}
	count, value := 0, int32(0)
	for k := range g.children(values) {
		if count == i {
			value = k
		}
		count++
	}
	if count == 1 && i > 0 { // a, b := f()
		if first := g.named(values); g.kind(first) == "call_expression" {
			g.hint(g.scope, g.str(name), g.expr(first), hintExpr, i+1)
		}
		return
	}
	g.value(g.str(name), value, count == 1)
}

func (g golang) value(name string, n int32, alone bool) {
	switch g.kind(n) {
	case "call_expression":
		g.result(name, n, alone)
	case "identifier", "selector_expression", "index_expression":
		g.hint(g.scope, name, g.expr(n), hintExpr, 0)
	case "composite_literal", "type_assertion_expression", "type_conversion_expression":
		g.hint(g.scope, name, g.expr(g.child(n, "type")), hintType, 0)
	case "slice_expression":
		g.hint(g.scope, name, g.expr(g.child(n, "operand")), hintExpr, 0)
	case "unary_expression", "parenthesized_expression":
		if op := g.nodes[n].first; g.data[g.nodes[op].start] == '<' { // a receive
			g.hint(g.scope, name, g.expr(g.child(n, "operand")), hintElem, 0)
			return
		}
		g.value(name, g.named(n), alone)
	}
}

// result is what a call gives: make and new give the type that they name.
func (g golang) result(name string, n int32, alone bool) {
	f, args := g.child(n, "function"), g.child(n, "arguments")
	if text := string(g.text(f)); text == "make" || text == "new" {
		g.hint(g.scope, name, g.expr(g.named(args)), hintType, 0)
		return
	}
	index := 0
	if alone {
		index = 1
	}
	g.hint(g.scope, name, g.expr(n), hintExpr, index)
}

func (g golang) ranged(n int32) {
	left, right := g.child(n, "left"), g.child(n, "right")
	g.walk(right)
	i := 0
	for k := range g.children(left) {
		if g.kind(k) == "identifier" {
			g.bindName(k)
			g.hint(g.scope, g.str(k), g.expr(right), hintElem, i+1)
		} else {
			g.walk(k)
		}
		i++
	}
}

// typeSwitch: in each case the alias has the type of the case; the hints are for
// the whole function.
func (g golang) typeSwitch(n int32) {
	defer g.block()()
	alias := g.named(g.child(n, "alias"))
	g.bindName(alias)
	for k := range g.children(n) {
		if k == g.child(n, "alias") {
			continue
		}
		if alias != 0 && g.kind(k) == "type_case" {
			for t := range g.children(k) {
				if g.field(t) == "type" {
					g.hint(g.scope, g.str(alias), g.expr(t), hintType, 0)
				}
			}
		}
		g.walk(k)
	}
}
