package code

import (
	"strings"
	"unicode"
)

// What the variables of Python hold.

func (p *python) assignment(n int32) {
	left, right, typ := p.child(n, "left"), p.child(n, "right"), p.child(n, "type")
	for _, side := range []int32{typ, right} {
		if side != 0 {
			p.walk(side)
		}
	}
	if left == 0 {
		return
	}
	if k := p.kind(left); k == "pattern_list" || k == "tuple_pattern" {
		i := 0
		for part := range p.children(left) {
			p.target(n, part, 0, right, i)
			i++
		}
		return
	}
	p.target(n, left, typ, right, -1)
}

// target is one name or attribute that is assigned to. index says which part of the
// right side it takes, -1 for all of it.
func (p *python) target(n, left, typ, right int32, index int) {
	switch p.kind(left) {
	case "identifier":
		p.variable(n, left, typ, right, index)
	case "attribute":
		object := p.child(left, "object")
		if p.self != "" && string(p.text(object)) == p.self {
			if class := p.classOf(p.scope); class >= 0 {
				p.attributeOf(n, p.child(left, "attribute"), class, typ)
				p.holds(class, p.str(p.child(left, "attribute")), typ, right, index)
			}
		}
		p.attribute(left, false)
	default:
		p.walk(left)
	}
}

func (p *python) variable(n, left, typ, right int32, index int) {
	name := p.str(left)
	if p.kindOf(p.scope) == Function || p.kindOf(p.scope) == Method {
		p.holds(p.scope, name, typ, right, index)
		return
	}
	key := assigned{p.scope, name}
	if p.kind(n) == "augmented_assignment" || p.seen[key] {
		p.mention(left, "", false)
	} else {
		p.seen[key] = true
		kind := Var
		if strings.ToUpper(name) == name && strings.ContainsFunc(name, unicode.IsLetter) {
			kind = Const
		}
		if i := p.add(kind, name, n, left, 0); i >= 0 && typ != 0 {
			p.defs[i].result = p.expr(typ)
		}
	}
	p.holds(p.scope, name, typ, right, index)
}

func (p *python) attributeOf(n, at, class, typ int32) {
	key := assigned{class, p.str(at)}
	if p.seen[key] {
		return
	}
	p.seen[key] = true
	before := p.scope
	p.scope = class
	if i := p.add(Field, key.name, n, at, 0); i >= 0 {
		p.defs[i].result, p.defs[i].flags = p.expr(typ), isAssigned
	}
	p.scope = before
}

func (p *python) holds(of int32, name string, typ, right int32, index int) {
	if typ != 0 {
		p.hint(of, name, p.expr(typ), hintType, 0)
		return
	}
	p.value(of, name, right, hintExpr, index)
}

// value notes that a variable holds the value of an expression, if that is of a
// kind that can be followed.
func (p *python) value(of int32, name string, expr int32, sort uint8, index int) {
	switch p.kind(expr) {
	case "call", "identifier", "attribute", "subscript", "await":
		if expr != 0 {
			text := strings.TrimPrefix(p.expr(expr), "await ")
			p.hint(of, name, text, sort, index+1)
		}
	case "conditional_expression":
		for k := range p.children(expr) {
			p.value(of, name, k, sort, index)
		}
	case "boolean_operator":
		p.value(of, name, p.child(expr, "left"), sort, index)
		p.value(of, name, p.child(expr, "right"), sort, index)
	case "parenthesized_expression":
		p.value(of, name, p.named(expr), sort, index)
	}
}

// local notes the value of a plain name inside a function.
func (p *python) local(at, value int32) {
	if at != 0 && p.kind(at) == "identifier" {
		p.value(p.scope, p.str(at), value, hintExpr, -1)
	}
}

func (p *python) loop(n int32) {
	left, right := p.child(n, "left"), p.child(n, "right")
	switch p.kind(left) {
	case "identifier":
		p.value(p.scope, p.str(left), right, hintElem, -1)
	case "pattern_list", "tuple_pattern":
		i := 0
		for part := range p.children(left) {
			if p.kind(part) == "identifier" {
				p.value(p.scope, p.str(part), right, hintElem, i)
			}
			i++
		}
	}
	if p.scope < 0 || isType(p.kindOf(p.scope)) {
		p.bound = append(p.bound, map[string]bool{})
		p.bindTarget(left, p.bound[len(p.bound)-1])
		defer func() { p.bound = p.bound[:len(p.bound)-1] }()
	}
	p.each(n)
}

func (p *python) as(n int32) {
	value, alias := p.named(n), p.child(n, "alias")
	if alias != 0 {
		sort := uint8(hintExpr)
		if p.kind(p.nodes[n].parent) == "except_clause" {
			sort = hintType
		}
		if name := p.named(alias); name != 0 && p.kind(name) == "identifier" {
			if sort == hintType {
				p.hint(p.scope, p.str(name), p.expr(value), hintType, 0)
			} else {
				p.value(p.scope, p.str(name), value, sort, -1)
			}
		}
	}
	if value != 0 {
		p.walk(value)
	}
}

func (p *python) returned(n int32) {
	if k := p.kindOf(p.scope); k == Function || k == Method {
		if p.defs[p.scope].result == "" {
			p.value(p.scope, "return", p.named(n), hintExpr, -1)
		}
	}
	p.each(n)
}

func (p *python) narrow(args int32) {
	object := p.named(args)
	if object == 0 || p.nodes[object].next == 0 {
		return
	}
	if k := p.kind(object); k != "identifier" && k != "attribute" {
		return
	}
	typ := p.nodes[p.nodes[object].next].next
	if typ == 0 {
		return
	}
	name := p.expr(object)
	if p.kind(typ) != "tuple" {
		p.hint(p.scope, name, p.expr(typ), hintType, 0)
		return
	}
	for part := range p.children(typ) {
		p.hint(p.scope, name, p.expr(part), hintType, 0)
	}
}
