package code

import (
	"bytes"
	"strings"
)

// Definitions and imports of Python.

func (p *python) decorated(n int32) {
	inner := p.child(n, "definition")
	for d := range p.children(n) {
		if p.kind(d) == "decorator" {
			p.decorator(p.named(d))
		}
	}
	switch p.kind(inner) {
	case "function_definition":
		p.function(n, inner)
	case "class_definition":
		p.class(n, inner)
	}
}

// decorator is a call of what it names, with or without brackets.
func (p *python) decorator(n int32) {
	switch p.kind(n) {
	case "identifier":
		p.name(n, true)
	case "attribute":
		p.attribute(n, true)
	default:
		if n != 0 {
			p.walk(n)
		}
	}
}

func (p *python) function(outer, n int32) {
	at, body := p.child(n, "name"), p.child(n, "body")
	params := p.child(n, "parameters")
	inClass := isType(p.kindOf(p.scope))
	kind := Function
	if inClass {
		kind = Method
	}
	p.defaults(params)
	p.annotations(n)
	leave := p.define(kind, p.str(at), outer, at, body)
	defer leave()
	me := p.scope
	d := &p.defs[max(me, 0)]
	d.result, d.flags = p.expr(p.child(n, "return_type")), p.modifiers(outer)
	bound := map[string]bool{}
	before := p.self
	defer func() { p.self, p.bound = before, p.bound[:len(p.bound)-1] }()
	if inClass {
		p.self = ""
		if d.flags&isStatic == 0 || p.hasDecorator(outer, "classmethod") {
			p.self = string(p.text(p.firstParameter(params)))
			p.receiver(me, d.flags)
		}
	}
	p.bindParameters(params, bound, true)
	p.bind(body, bound)
	p.bound = append(p.bound, bound)
	p.each(body)
}

// receiver notes what self and cls are.
func (p *python) receiver(me int32, flags uint8) {
	const text = "__class__" // the class around, whatever it is called
	if p.self == "" {
		return
	}
	if flags&isStatic != 0 || p.defs[me].name == "__new__" || p.self == "cls" {
		p.hint(me, p.self, text, hintExpr, 0)
		return
	}
	p.hint(me, p.self, text, hintType, 0)
}

func (p *python) modifiers(outer int32) (flags uint8) {
	for d := range p.children(outer) {
		if p.kind(d) != "decorator" {
			continue
		}
		switch text := string(p.text(d)); {
		case strings.Contains(text, "property"):
			flags |= isProperty
		case strings.HasPrefix(text, "@staticmethod"), strings.HasPrefix(text, "@classmethod"):
			flags |= isStatic
		case strings.HasSuffix(text, "abstractmethod"), strings.HasSuffix(text, "overload"):
			flags |= isVirtual
		}
	}
	return flags
}

func (p *python) hasDecorator(outer int32, name string) bool {
	for d := range p.children(outer) {
		if p.kind(d) == "decorator" && strings.HasPrefix(string(p.text(d)), "@"+name) {
			return true
		}
	}
	return false
}

func (p *python) class(outer, n int32) {
	at, body, supers := p.child(n, "name"), p.child(n, "body"), p.child(n, "superclasses")
	if supers != 0 {
		p.each(supers)
	}
	leave := p.define(Class, p.str(at), outer, at, body)
	defer leave()
	before := p.self
	p.self = ""
	var bases []string
	for b := range p.children(supers) {
		switch p.kind(b) {
		case "identifier", "attribute", "subscript":
			bases = append(bases, p.expr(b))
		case "call": // with_metaclass(Meta, Base)
			if args := p.child(b, "arguments"); args != 0 {
				for a := range p.children(args) {
					bases = append(bases, p.expr(a))
				}
			}
		}
	}
	if supers != 0 && p.scope >= 0 {
		p.defs[p.scope].bases = p.word([]byte(strings.Join(bases, "|")))
	}
	p.each(body)
	p.self = before
}

func (p *python) imports(n int32) {
	module := ""
	if m := p.child(n, "module_name"); m != 0 {
		module = string(bytes.Join(bytes.Fields(p.text(m)), nil))
	} else if p.kind(n) == "future_import_statement" {
		module = "__future__"
	}
	for k := range p.children(n) {
		if p.kind(k) == "wildcard_import" {
			p.bring(p.word([]byte(module)), "*", "", n)
		}
		if p.field(k) != "name" {
			continue
		}
		name, as := p.str(k), ""
		if p.kind(k) == "aliased_import" {
			name, as = p.str(p.child(k, "name")), p.str(p.child(k, "alias"))
		}
		switch {
		case module != "":
			p.bring(p.word([]byte(module)), name, as, k)
		default:
			p.bring(name, "", as, k)
		}
	}
}
