package code

import "strings"

// golang extracts the facts of a Go file.
type golang struct{ *collector }

func goFacts(c *collector) {
	g := golang{c}
	if p := c.top("package_clause"); p != 0 {
		c.pkg = c.str(c.named(p))
	}
	g.below(0)
}

// each walks the children of a node. A node that is missing has none.
func (g golang) each(n int32) {
	if n != 0 {
		g.below(n)
	}
}

// below is each for the root too, whose number is that of a missing node.
func (g golang) below(n int32) {
	for k := g.nodes[n].first; k != 0; k = g.nodes[k].next {
		if g.isNamed(k) {
			g.walk(k)
		}
	}
}

func (g golang) walk(n int32) {
	switch g.kind(n) {
	case "", "comment", "package_clause", "interpreted_string_literal", "raw_string_literal", "int_literal", "label_name":
	case "import_spec":
		g.imports(n)
	case "function_declaration":
		g.function(n)
	case "method_declaration":
		g.method(n)
	case "type_spec", "type_alias":
		g.typeSpec(n)
	case "const_spec", "var_spec":
		g.values(n)
	default:
		g.expression(n)
	}
}

// expression is walk for what declares no symbol.
func (g golang) expression(n int32) {
	switch g.kind(n) {
	case "func_literal":
		g.literal(n)
	case "call_expression":
		g.call(n)
	case "selector_expression":
		g.selector(n, false)
	case "qualified_type":
		g.mention(g.child(n, "name"), g.str(g.child(n, "package")), false)
	case "identifier", "type_identifier":
		g.name(n, false)
	case "parameter_declaration", "variadic_parameter_declaration": // of a type of functions
		g.walk(g.child(n, "type"))
	case "composite_literal":
		g.composite(n)
	case "short_var_declaration":
		g.short(n)
	case "range_clause":
		g.ranged(n)
	case "type_switch_statement":
		g.typeSwitch(n)
	case "block", "if_statement", "for_statement", "expression_switch_statement", "select_statement", "expression_case", "communication_case", "default_case", "type_case":
		leave := g.block()
		g.each(n)
		leave()
	default:
		g.each(n)
	}
}

// block opens a scope of names.
func (g golang) block() (leave func()) {
	g.bound = append(g.bound, map[string]bool{})
	return func() { g.bound = g.bound[:len(g.bound)-1] }
}

func (g golang) bindName(n int32) {
	if len(g.bound) > 0 && g.kind(n) == "identifier" {
		g.bound[len(g.bound)-1][g.str(n)] = true
	}
}

func (g golang) imports(n int32) {
	path := strings.Trim(g.str(g.child(n, "path")), "\"`")
	switch name := g.child(n, "name"); g.kind(name) {
	case "dot":
		g.bring(path, "*", "", n)
	case "", "blank_identifier":
		g.bring(path, "", "", n)
	default:
		g.bring(path, "", g.str(name), n)
	}
}

func (g golang) function(n int32) {
	at, body := g.child(n, "name"), g.child(n, "body")
	leave := g.define(Function, g.str(at), n, at, body)
	defer leave()
	if g.scope >= 0 {
		g.entry = g.entry || g.pkg == "main" && g.defs[g.scope].name == "main"
		g.defs[g.scope].result = g.expr(g.child(n, "result"))
	}
	defer g.block()()
	g.parameters(n)
	g.walk(body)
}

func (g golang) method(n int32) {
	at, body := g.child(n, "name"), g.child(n, "body")
	leave := g.define(Method, g.str(at), n, at, body)
	defer leave()
	receiver := g.child(n, "receiver")
	if g.scope >= 0 {
		g.defs[g.scope].result = g.expr(g.child(n, "result"))
		if p := g.find(receiver, "parameter_declaration"); receiver != 0 && p != 0 {
			g.defs[g.scope].owner = g.word([]byte(baseType(g.expr(g.child(p, "type")))))
		}
	}
	defer g.block()()
	g.declare(receiver)
	g.parameters(n)
	g.walk(body)
}

// baseType is a receiver's type without pointer and type parameters.
func baseType(s string) string {
	s = strings.Trim(s, "*&() ")
	s, _, _ = strings.Cut(s, "[")
	s, _, _ = strings.Cut(s, "<")
	return strings.TrimSpace(s)
}

// parameters declares what the signature of a function or literal names.
func (g golang) parameters(n int32) {
	g.walk(g.child(n, "type_parameters"))
	g.declare(g.child(n, "parameters"))
	if r := g.child(n, "result"); g.kind(r) == "parameter_list" {
		g.declare(r)
	} else {
		g.walk(r)
	}
}

func (g golang) declare(list int32) {
	for p := range g.children(list) {
		typ := g.child(p, "type")
		text := g.expr(typ)
		if g.kind(p) == "variadic_parameter_declaration" {
			text = "[]" + text
		}
		for k := range g.children(p) {
			if g.field(k) == "name" {
				g.bindName(k)
				g.hint(g.scope, g.str(k), text, hintType, 0)
			}
		}
		g.walk(typ)
	}
}

func (g golang) literal(n int32) {
	defer g.block()()
	g.parameters(n)
	g.walk(g.child(n, "body"))
}

func (g golang) typeSpec(n int32) {
	at, typ := g.child(n, "name"), g.child(n, "type")
	kind, body := Type, int32(0)
	switch g.kind(typ) {
	case "struct_type":
		kind, body = Struct, g.find(typ, "field_declaration_list")
	case "interface_type":
		kind, body = Interface, typ
	}
	outer := n
	if p := g.nodes[n].parent; g.kind(p) == "type_declaration" && g.child(p, "") == n && g.find(p, "(") == 0 {
		outer = p // type X struct …, without brackets around several
	}
	leave := g.define(kind, g.str(at), outer, at, body)
	defer leave()
	g.walk(g.child(n, "type_parameters"))
	switch kind {
	case Struct:
		for f := range g.children(body) {
			g.structField(f)
		}
	case Interface:
		g.elements(typ)
	default:
		if g.scope >= 0 {
			g.defs[g.scope].result = g.expr(typ)
			g.defs[g.scope].flags |= isAlias
		}
		g.walk(typ)
	}
}

func (g golang) structField(n int32) {
	typ := g.child(n, "type")
	named := false
	for k := range g.children(n) {
		if g.field(k) == "name" {
			named = true
			if i := g.add(Field, g.str(k), n, k, 0); i >= 0 {
				g.defs[i].result = g.expr(typ)
			}
		}
	}
	if !named && g.kind(n) == "field_declaration" {
		g.embed(g.expr(typ))
	}
	g.walk(typ)
}

func (g golang) embed(typ string) {
	if g.scope < 0 {
		return
	}
	d := &g.defs[g.scope]
	if d.bases != "" {
		typ = d.bases + "|" + typ
	}
	d.bases = g.word([]byte(typ))
}

func (g golang) elements(n int32) {
	for k := range g.children(n) {
		switch g.kind(k) {
		case "method_spec", "method_elem":
			at := g.child(k, "name")
			if i := g.add(Method, g.str(at), k, at, 0); i >= 0 {
				g.defs[i].result, g.defs[i].flags = g.expr(g.child(k, "result")), isVirtual
			}
			g.walk(g.child(k, "parameters"))
			g.walk(g.child(k, "result"))
		default:
			g.embed(g.expr(k))
			g.walk(k)
		}
	}
}

// values is one line of a const or var declaration.
func (g golang) values(n int32) {
	typ, value := g.child(n, "type"), g.child(n, "value")
	g.walk(typ)
	g.walk(value)
	kind := Var
	if g.kind(n) == "const_spec" {
		kind = Const
	}
	i := 0
	for k := range g.children(n) {
		if g.field(k) != "name" {
			continue
		}
		if g.scope < 0 {
			g.add(kind, g.str(k), n, k, 0)
		}
		g.bindName(k)
		if typ != 0 {
			g.hint(g.scope, g.str(k), g.expr(typ), hintType, 0)
		} else {
			g.holds(k, value, i)
		}
		i++
	}
}
