package code

import (
	"strings"
	"unicode"
)

// Types and members of JavaScript and TypeScript.

func (s script) class(outer, at, n int32) {
	body := s.child(n, "body")
	name := s.str(at)
	heritage := s.find(n, "class_heritage")
	if heritage != 0 {
		s.each(heritage)
	}
	if at == 0 {
		at = n // an expression without a name adds no definition
	}
	leave := s.define(Class, name, outer, at, body)
	defer leave()
	if s.scope >= 0 && name != "" && heritage != 0 {
		var bases []string
		for h := range s.children(heritage) {
			switch s.kind(h) {
			case "extends_clause", "implements_clause":
				for b := range s.children(h) {
					if s.kind(b) != "type_arguments" {
						bases = append(bases, s.expr(b))
					}
				}
			default:
				bases = append(bases, s.expr(h))
			}
		}
		s.defs[s.scope].bases = s.word([]byte(strings.Join(bases, "|")))
	}
	s.each(body)
}

func (s script) typeDeclaration(n int32) {
	at, body := s.child(n, "name"), s.child(n, "body")
	kind := Interface
	switch s.kind(n) {
	case "enum_declaration":
		kind = Enum
	case "type_alias_declaration":
		kind = Type
	}
	leave := s.define(kind, s.str(at), n, at, body)
	defer leave()
	s.walk(s.child(n, "type_parameters"))
	switch kind {
	case Enum:
		s.constants(body)
	case Type:
		value := s.child(n, "value")
		if s.scope >= 0 {
			s.defs[s.scope].result = s.expr(value)
			s.defs[s.scope].flags |= isAlias
		}
		s.walk(value)
	default:
		s.extended(s.find(n, "extends_type_clause", "extends_clause"))
		s.each(body)
	}
}

func (s script) constants(body int32) {
	for k := range s.children(body) {
		switch s.kind(k) {
		case "enum_assignment":
			s.add(Const, s.keyName(s.child(k, "name")), k, k, 0)
		case "property_identifier":
			s.add(Const, s.str(k), k, k, 0)
		}
	}
}

// extended reads what an interface extends.
func (s script) extended(clause int32) {
	if clause == 0 || s.scope < 0 {
		return
	}
	var bases []string
	for b := range s.children(clause) {
		bases = append(bases, s.expr(b))
	}
	s.defs[s.scope].bases = s.word([]byte(strings.Join(bases, "|")))
	s.each(clause)
}

func (s script) namespace(n int32) {
	at, body := s.child(n, "name"), s.child(n, "body")
	leave := s.define(Module, s.keyName(at), n, at, body)
	defer leave()
	s.each(body)
}

// property is a field of a class or interface; one that holds a function is a method.
func (s script) property(n int32) {
	at := s.child(n, "name")
	if at == 0 {
		at = s.child(n, "property")
	}
	value, typ := s.child(n, "value"), s.child(n, "type")
	for k := range s.children(n) {
		if s.kind(k) == "decorator" {
			s.each(k)
		}
	}
	if isFunction(s.kind(value)) {
		s.function(Method, n, at, value)
		return
	}
	s.walk(typ)
	if s.scope >= 0 && isType(s.kindOf(s.scope)) {
		if i := s.add(Field, s.keyName(at), n, at, value); i >= 0 {
			s.defs[i].result = s.typeText(typ)
		}
		if typ == 0 {
			s.value(s.scope, s.keyName(at), value)
		}
	}
	s.walk(value)
}

func isFunction(kind string) bool {
	switch kind {
	case "arrow_function", "function_expression", "function", "generator_function":
		return true
	}
	return false
}

// constant tells CONSTANT_NAMES.
func constant(name string) bool {
	return strings.ToUpper(name) == name && strings.ContainsFunc(name, unicode.IsLetter)
}
