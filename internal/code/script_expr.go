package code

import "strings"

// Expressions, variables and modules of JavaScript and TypeScript.

func (s script) name(n int32, call bool) {
	if name := s.str(n); !s.isLocal(name) && name != "undefined" && name != "arguments" {
		s.mention(n, "", call)
	}
}

func (s script) call(n int32) {
	f, args := s.child(n, "function"), s.child(n, "arguments")
	switch s.kind(f) {
	case "identifier":
		s.name(f, true)
	case "member_expression":
		s.member(f, true)
	case "import":
		if a := s.named(args); s.kind(a) == "string" {
			s.bring(s.unquoted(a), "", "", n)
		}
	default:
		s.walk(f)
	}
	s.walk(s.child(n, "type_arguments"))
	s.walk(args)
}

func (s script) created(n int32) {
	switch f := s.child(n, "constructor"); s.kind(f) {
	case "identifier":
		s.name(f, true)
	case "member_expression":
		s.member(f, true)
	default:
		s.walk(f)
	}
	s.walk(s.child(n, "type_arguments"))
	s.walk(s.child(n, "arguments"))
}

func (s script) member(n int32, call bool) {
	object := s.child(n, "object")
	s.mention(s.child(n, "property"), s.expr(object), call)
	s.walk(object)
}

// element is a use of a component: <Name …> with a capital or a dot.
func (s script) element(n int32) {
	name := s.child(n, "name")
	switch s.kind(name) {
	case "identifier":
		if text := s.str(name); strings.ToLower(text[:1]) != text[:1] {
			s.name(name, true)
		}
	case "member_expression", "nested_identifier":
		if p := s.child(name, "property"); p != 0 {
			s.mention(p, s.expr(s.child(name, "object")), true)
		}
	}
	for k := range s.children(n) {
		if k != name {
			s.walk(k)
		}
	}
}

func (s script) declarator(n int32) {
	at, value, typ := s.child(n, "name"), s.child(n, "value"), s.child(n, "type")
	if module := s.required(value); module != "" {
		s.require(at, module, n)
		return
	}
	s.walk(typ)
	outer := n
	if p := s.nodes[n].parent; s.named(p) == n && s.nodes[n].next == 0 || s.kind(p) == "lexical_declaration" && s.only(p, n) {
		outer = p
	}
	local := len(s.bound) > 0
	switch {
	case s.kind(at) != "identifier":
		s.bind(at)
		if !local {
			s.declare(n, at)
		}
		s.destructure(at, value)
	case isFunction(s.kind(s.unwrapped(value))):
		s.function(Function, outer, at, s.unwrapped(value))
		return
	case s.kind(value) == "class":
		s.class(outer, at, value)
		return
	case local:
		s.bind(at)
		s.holds(s.scope, at, typ, value)
	default:
		s.variable(outer, at, typ, value)
		return
	}
	s.walk(value)
}

// only says whether n is the one declarator of a declaration.
func (s script) only(p, n int32) bool {
	count := 0
	for k := range s.children(p) {
		if s.kind(k) == "variable_declarator" {
			count++
		}
	}
	return count == 1
}

// unwrapped looks through memo(…), forwardRef(…) and brackets to the function that
// a name stands for.
func (s script) unwrapped(n int32) int32 {
	for range 4 {
		switch s.kind(n) {
		case "parenthesized_expression", "as_expression", "satisfies_expression":
			n = s.named(n)
		case "call_expression":
			f := string(s.text(s.child(n, "function")))
			first := s.named(s.child(n, "arguments"))
			if f = last(f); f != "memo" && f != "forwardRef" && f != "useCallback" || !isFunction(s.kind(first)) {
				return n
			}
			n = first
		default:
			return n
		}
	}
	return n
}

// declare adds the names of a pattern at the top of a file.
func (s script) declare(n, pattern int32) {
	for k := range s.children(pattern) {
		switch s.kind(k) {
		case "shorthand_property_identifier_pattern", "identifier":
			s.add(Var, s.str(k), n, k, 0)
		case "pair_pattern":
			if v := s.child(k, "value"); s.kind(v) == "identifier" {
				s.add(Var, s.str(v), n, v, 0)
			}
		}
	}
}

// destructure: const {a, b: c} = x makes a what x.a is.
func (s script) destructure(pattern, value int32) {
	text := s.expr(value)
	if s.kind(pattern) != "object_pattern" || text == "" {
		return
	}
	for k := range s.children(pattern) {
		switch s.kind(k) {
		case "shorthand_property_identifier_pattern":
			s.hint(s.scope, s.str(k), text+"."+s.str(k), hintExpr, 0)
		case "pair_pattern":
			s.hint(s.scope, s.expr(s.child(k, "value")), text+"."+s.str(s.child(k, "key")), hintExpr, 0)
		}
	}
}

func (s script) variable(outer, at, typ, value int32) {
	kind := Var
	if constant(s.str(at)) {
		kind = Const
	}
	leave := s.define(kind, s.str(at), outer, at, value)
	me := s.scope
	if me >= 0 {
		s.defs[me].result = s.typeText(typ)
		s.holds(s.defs[me].parent, at, typ, value)
	}
	s.object(value)
	leave()
}

// object adds the functions of an object literal that has a name; else it is walked.
func (s script) object(n int32) {
	if s.kind(n) != "object" {
		s.walk(n)
		return
	}
	for k := range s.children(n) {
		value := s.child(k, "value")
		if s.kind(k) == "pair" && isFunction(s.kind(value)) {
			s.function(Method, k, s.child(k, "key"), value)
		} else {
			s.walk(k)
		}
	}
}

func (s script) holds(of int32, at, typ, value int32) {
	if typ != 0 {
		s.hint(of, s.str(at), s.typeText(typ), hintType, 0)
		return
	}
	s.value(of, s.str(at), value)
}

func (s script) value(of int32, name string, n int32) {
	switch s.kind(n) {
	case "call_expression", "identifier", "member_expression", "new_expression", "subscript_expression":
		s.hint(of, name, s.expr(n), hintExpr, 0)
	case "await_expression", "parenthesized_expression", "non_null_expression":
		s.value(of, name, s.named(n))
	case "as_expression", "satisfies_expression":
		if first := s.named(n); first != 0 {
			for k := range s.children(n) {
				if k != first {
					s.hint(of, name, s.expr(k), hintType, 0)
				}
			}
		}
	case "ternary_expression":
		s.value(of, name, s.child(n, "consequence"))
		s.value(of, name, s.child(n, "alternative"))
	case "binary_expression": // a || b, a ?? b
		s.value(of, name, s.child(n, "left"))
		s.value(of, name, s.child(n, "right"))
	}
}

func (s script) assignment(n int32) {
	left, right := s.child(n, "left"), s.child(n, "right")
	if s.kind(left) != "member_expression" {
		s.walk(left)
		s.walk(right)
		return
	}
	object, at := s.expr(s.child(left, "object")), s.child(left, "property")
	class := s.classOf(s.scope)
	switch {
	case object == "this" && class >= 0:
		s.value(class, s.str(at), right)
	case isFunction(s.kind(right)) && len(s.bound) == 0:
		if s.assigned(n, object, at, right) {
			return
		}
	case object == "module" && s.str(at) == "exports" && len(s.bound) == 0:
		s.exports(right)
		s.object(right)
		return
	}
	s.member(left, false)
	s.walk(right)
}

// assigned is exports.f = function, T.prototype.f = function or T.f = function.
func (s script) assigned(n int32, object string, at, right int32) bool {
	owner, proto := strings.CutSuffix(object, ".prototype")
	kind := Method
	if object == "exports" || object == "module.exports" || object == "module" {
		kind, owner = Function, ""
	}
	if !proto && nameLength(owner) != len(owner) {
		return false
	}
	i := int32(len(s.defs))
	s.function(kind, n, at, right)
	if int(i) < len(s.defs) && kind == Method {
		s.defs[i].owner = owner
	}
	return true
}
