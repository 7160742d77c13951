package code

import "strings"

// rust extracts the facts of a Rust file.
type rust struct {
	*collector
	owner string // the type of the impl around
}

func rustFacts(c *collector) {
	r := &rust{collector: c}
	r.below(0)
}

// each walks the children of a node. A node that is missing has none.
func (r *rust) each(n int32) {
	if n != 0 {
		r.below(n)
	}
}

// below is each for the root too. Attributes stand before their item, which takes them in.
func (r *rust) below(n int32) {
	attribute := int32(0)
	for k := r.nodes[n].first; k != 0; k = r.nodes[k].next {
		switch {
		case r.kind(k) == "attribute_item":
			if attribute == 0 {
				attribute = k
			}
		case strings.HasSuffix(r.kind(k), "comment"):
		case r.isNamed(k):
			i := len(r.defs)
			r.walk(k)
			if attribute != 0 && i < len(r.defs) {
				r.defs[i].start = r.line(r.nodes[attribute].start)
			}
			attribute = 0
		}
	}
}

func (r *rust) walk(n int32) {
	switch r.kind(n) {
	case "", "line_comment", "block_comment", "string_literal", "integer_literal", "char_literal", "attribute_item", "inner_attribute_item", "lifetime", "visibility_modifier", "primitive_type":
	case "use_declaration":
		r.use(r.child(n, "argument"), "", n)
	case "function_item", "function_signature_item":
		r.function(n)
	case "impl_item":
		r.impl(n)
	case "struct_item", "enum_item", "union_item", "trait_item", "type_item":
		r.typeItem(n)
	case "mod_item":
		r.module(n)
	case "macro_definition":
		r.add(Macro, r.str(r.child(n, "name")), n, r.child(n, "name"), r.find(n, "macro_rule"))
	case "const_item", "static_item":
		r.constant(n)
	default:
		r.statement(n)
	}
}

// statement is walk for what stands inside of functions.
func (r *rust) statement(n int32) {
	switch r.kind(n) {
	case "let_declaration":
		r.let(n)
	case "let_condition":
		r.walk(r.child(n, "value"))
		r.bind(r.child(n, "pattern"))
		r.matched(r.child(n, "pattern"), r.child(n, "value"))
	case "match_pattern":
		r.bind(r.named(n))
		r.each(n)
	case "for_expression":
		r.loop(n)
	case "closure_expression":
		r.closure(n)
	case "call_expression":
		r.call(n)
	case "macro_invocation":
		r.macro(n)
	case "token_tree":
		r.tokens(n)
	case "field_expression":
		r.mention(r.child(n, "field"), r.expr(r.child(n, "value")), false)
		r.walk(r.child(n, "value"))
	case "scoped_identifier", "scoped_type_identifier":
		r.scoped(n, false)
	case "identifier", "type_identifier":
		if !r.isLocal(r.str(n)) {
			r.mention(n, "", false)
		}
	case "field_initializer":
		r.walk(r.child(n, "value"))
	case "block", "match_arm", "if_expression", "while_expression":
		leave := r.block()
		r.each(n)
		leave()
	default:
		r.each(n)
	}
}

func (r *rust) block() (leave func()) {
	r.bound = append(r.bound, map[string]bool{})
	return func() { r.bound = r.bound[:len(r.bound)-1] }
}

// use reads one tree of a use declaration.
func (r *rust) use(n int32, prefix string, at int32) {
	path := strings.Join(strings.Fields(string(r.text(n))), "")
	full := func(p string) string { return strings.Trim(prefix+"::"+p, ":") }
	switch r.kind(n) {
	case "identifier", "scoped_identifier", "self", "crate", "super":
		r.bringPath(full(path), "", at)
	case "use_as_clause":
		r.bringPath(full(string(r.text(r.child(n, "path")))), r.str(r.child(n, "alias")), at)
	case "use_wildcard":
		r.bring(r.word([]byte(full(strings.TrimSuffix(path, "::*")))), "*", "", at)
	case "scoped_use_list":
		r.use(r.child(n, "list"), full(string(r.text(r.child(n, "path")))), at)
	case "use_list":
		for k := range r.children(n) {
			r.use(k, prefix, k)
		}
	}
}

func (r *rust) bringPath(path, as string, at int32) {
	path = strings.TrimSuffix(path, "::self")
	module, name := "", path
	if i := strings.LastIndex(path, "::"); i >= 0 {
		module, name = path[:i], path[i+2:]
	}
	r.bring(r.word([]byte(module)), r.word([]byte(name)), as, at)
}

func (r *rust) function(n int32) {
	at, body := r.child(n, "name"), r.child(n, "body")
	kind := Function
	if r.owner != "" || r.kindOf(r.scope) == Interface {
		kind = Method
	}
	leave := r.define(kind, r.str(at), n, at, body)
	defer leave()
	owner := r.owner
	defer func() { r.owner = owner }()
	if r.scope >= 0 {
		d := &r.defs[r.scope]
		d.owner, d.result = owner, r.expr(r.child(n, "return_type"))
		if body == 0 {
			d.flags |= isVirtual
		}
		r.entry = r.entry || kind == Function && d.name == "main" && d.parent < 0
	}
	r.owner = ""
	defer r.block()()
	for p := range r.children(r.child(n, "parameters")) {
		r.parameter(p)
	}
	r.walk(r.child(n, "type_parameters"))
	r.walk(r.child(n, "return_type"))
	r.each(body)
}

func (r *rust) parameter(p int32) {
	pattern, typ := r.child(p, "pattern"), r.child(p, "type")
	if pattern == 0 && r.kind(p) == "identifier" {
		pattern = p
	}
	r.bind(pattern)
	if r.kind(pattern) == "identifier" {
		r.hint(r.scope, r.str(pattern), r.expr(typ), hintType, 0)
	}
	r.walk(typ)
}

// bind makes the names of a pattern local.
func (r *rust) bind(n int32) {
	if n == 0 || len(r.bound) == 0 {
		return
	}
	switch r.kind(n) {
	case "identifier", "shorthand_field_identifier":
		if name := r.str(n); strings.ToLower(name[:1]) == name[:1] { // a capital is a constant or variant
			r.bound[len(r.bound)-1][name] = true
		}
	case "field_pattern":
		if p := r.child(n, "pattern"); p != 0 {
			r.bind(p)
		} else {
			r.bind(r.child(n, "name"))
		}
	case "tuple_pattern", "tuple_struct_pattern", "struct_pattern", "ref_pattern", "mut_pattern", "reference_pattern", "captured_pattern", "or_pattern", "slice_pattern":
		for k := range r.children(n) {
			if r.field(k) != "type" {
				r.bind(k)
			}
		}
	}
}

// matched: if let Some(x) = v gives x what v wraps.
func (r *rust) matched(pattern, value int32) {
	if r.kind(pattern) == "tuple_struct_pattern" {
		for k := range r.children(pattern) {
			if r.kind(k) == "identifier" && r.field(k) != "type" {
				r.value(r.str(k), value)
			}
		}
	}
}
