package code

import (
	"strings"
)

// script extracts the facts of JavaScript and TypeScript, with JSX.
type script struct{ *collector }

func scriptFacts(c *collector) {
	s := script{c}
	s.entry = strings.HasPrefix(string(c.data[:min(2, len(c.data))]), "#!")
	s.below(0)
}

// each walks the children of a node. A node that is missing has none.
func (s script) each(n int32) {
	if n != 0 {
		s.below(n)
	}
}

// below is each for the root too. Decorators may stand before their definition, which takes
// them in.
func (s script) below(n int32) {
	decorator := int32(0)
	for k := s.nodes[n].first; k != 0; k = s.nodes[k].next {
		i := len(s.defs)
		if s.isNamed(k) {
			s.walk(k)
		}
		switch kind := s.kind(k); {
		case kind == "decorator" && decorator == 0:
			decorator = k
		case decorator != 0 && s.isNamed(k) && kind != "decorator" && kind != "comment":
			if i < len(s.defs) && s.defs[i].start == s.line(s.begins(k)) {
				s.defs[i].start = s.line(s.begins(decorator))
			}
			decorator = 0
		}
	}
}

func (s script) walk(n int32) {
	switch s.kind(n) {
	case "", "comment", "string", "number", "regex", "string_fragment", "jsx_text", "predefined_type", "literal_type", "jsx_closing_element", "hash_bang_line", "statement_identifier":
	case "import_statement":
		s.imports(n)
	case "export_statement":
		s.export(n)
	case "function_declaration", "generator_function_declaration", "function_signature":
		s.function(Function, n, s.child(n, "name"), n)
	case "class_declaration", "abstract_class_declaration":
		s.class(n, s.child(n, "name"), n)
	case "class":
		s.class(n, s.child(n, "name"), n)
	case "interface_declaration", "type_alias_declaration", "enum_declaration":
		s.typeDeclaration(n)
	case "internal_module", "module":
		s.namespace(n)
	case "method_definition", "method_signature", "abstract_method_signature":
		s.function(Method, n, s.child(n, "name"), n)
	case "field_definition", "public_field_definition", "property_signature":
		s.property(n)
	case "variable_declarator":
		s.declarator(n)
	default:
		s.expression(n)
	}
}

// expression is walk for what declares no symbol by itself.
func (s script) expression(n int32) {
	switch s.kind(n) {
	case "arrow_function", "function_expression", "function", "generator_function":
		s.anonymous(n)
	case "assignment_expression":
		s.assignment(n)
	case "call_expression":
		s.call(n)
	case "new_expression":
		s.created(n)
	case "member_expression":
		s.member(n, false)
	case "identifier", "type_identifier", "shorthand_property_identifier":
		s.name(n, false)
	case "nested_type_identifier":
		s.mention(s.child(n, "name"), s.expr(s.child(n, "module")), false)
	case "pair":
		s.walkKey(s.child(n, "key"))
		s.walk(s.child(n, "value"))
	case "jsx_opening_element", "jsx_self_closing_element":
		s.element(n)
	case "statement_block", "for_statement", "for_in_statement", "catch_clause", "switch_body":
		s.blockOf(n)
	default:
		s.each(n)
	}
}

func (s script) walkKey(n int32) {
	if s.kind(n) == "computed_property_name" {
		s.each(n)
	}
}

func (s script) block() (leave func()) {
	s.bound = append(s.bound, map[string]bool{})
	return func() { s.bound = s.bound[:len(s.bound)-1] }
}

func (s script) blockOf(n int32) {
	if s.scope < 0 && len(s.bound) == 0 && s.kind(n) == "statement_block" {
		s.each(n) // an if or try at the top: what it declares with var is of the file
		return
	}
	defer s.block()()
	s.bind(s.child(n, "parameter"))
	if s.kind(n) == "for_in_statement" {
		left := s.child(n, "left")
		s.bind(left)
		if s.kind(left) == "identifier" {
			s.hint(s.scope, s.str(left), s.expr(s.child(n, "right")), hintElem, 0)
		}
	}
	s.each(n)
}

// bind makes the names of a pattern local.
func (s script) bind(n int32) {
	if len(s.bound) == 0 || n == 0 {
		return
	}
	switch s.kind(n) {
	case "identifier", "shorthand_property_identifier_pattern":
		s.bound[len(s.bound)-1][s.str(n)] = true
	case "pair_pattern":
		s.bind(s.child(n, "value"))
	case "assignment_pattern", "object_assignment_pattern":
		s.bind(s.child(n, "left"))
		s.walk(s.child(n, "right"))
	case "array_pattern", "object_pattern", "rest_pattern":
		for k := range s.children(n) {
			s.bind(k)
		}
	}
}

// typeText is the type behind a colon.
func (s script) typeText(n int32) string {
	if s.kind(n) == "type_annotation" {
		n = s.named(n)
	}
	return s.expr(n)
}

func (s script) function(kind Kind, outer, at, n int32) {
	body := s.child(n, "body")
	leave := s.define(kind, s.keyName(at), outer, at, body)
	defer leave()
	s.inside(n, kind)
}

// keyName is a property's name: quotes and the brackets of a computed one fall away.
func (s script) keyName(at int32) string {
	return strings.Trim(s.str(at), "[]'\"` ")
}

func (s script) inside(n int32, kind Kind) {
	if s.scope >= 0 {
		d := &s.defs[s.scope]
		d.result = s.typeText(s.child(n, "return_type"))
		head := string(s.data[s.nodes[n].start:min(s.nodes[n].end, s.nodes[n].start+40)])
		if kind == Method && strings.HasPrefix(strings.TrimPrefix(head, "static "), "get ") {
			d.flags |= isProperty
		}
		if s.child(n, "body") == 0 {
			d.flags |= isVirtual
		}
	}
	s.signatureAndBody(n)
}

func (s script) signatureAndBody(n int32) {
	defer s.block()()
	s.walk(s.child(n, "type_parameters"))
	s.bind(s.child(n, "parameter"))
	for p := range s.children(s.child(n, "parameters")) {
		s.parameter(p)
	}
	s.walk(s.child(n, "return_type"))
	body := s.child(n, "body")
	if s.kind(body) == "statement_block" {
		s.each(body)
		return
	}
	if s.scope >= 0 && s.defs[s.scope].result == "" {
		s.value(s.scope, "return", body)
	}
	s.walk(body)
}

func (s script) parameter(p int32) {
	pattern, typ := s.child(p, "pattern"), s.child(p, "type")
	if pattern == 0 {
		s.bind(p)
		return
	}
	s.bind(pattern)
	s.walk(typ)
	s.walk(s.child(p, "value"))
	if s.kind(pattern) != "identifier" {
		return
	}
	s.hint(s.scope, s.str(pattern), s.typeText(typ), hintType, 0)
	if class := s.classOf(s.scope); class >= 0 && s.find(p, "accessibility_modifier", "readonly") != 0 {
		before := s.scope // a parameter of the constructor that declares a field
		s.scope = class
		if i := s.add(Field, s.str(pattern), p, pattern, 0); i >= 0 {
			s.defs[i].result = s.typeText(typ)
		}
		s.scope = before
	}
}

func (s script) anonymous(n int32) {
	s.signatureAndBody(n)
}
