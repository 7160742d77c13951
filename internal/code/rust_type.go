package code

import "strings"

// Types and modules of Rust.

func (r *rust) impl(n int32) {
	trait, typ, body := r.child(n, "trait"), r.child(n, "type"), r.child(n, "body")
	r.walk(trait)
	r.walk(typ)
	before := r.owner
	defer func() { r.owner = before }()
	r.owner = r.word([]byte(last(baseType(r.expr(typ)))))
	if nameLength(r.owner) != len(r.owner) {
		r.owner = ""
	}
	if trait != 0 && r.owner != "" {
		r.hint(r.scope, "impl "+r.owner, r.expr(trait), hintType, 0)
	}
	r.each(body)
}

func (r *rust) typeItem(n int32) {
	at, body := r.child(n, "name"), r.child(n, "body")
	kind := map[string]Kind{"struct_item": Struct, "enum_item": Enum, "union_item": Struct, "trait_item": Interface, "type_item": Type}[r.kind(n)]
	leave := r.define(kind, r.str(at), n, at, body)
	defer leave()
	for k := range r.children(n) {
		if k != at && k != body && r.kind(k) != "type_parameters" {
			r.walk(k)
		}
	}
	if r.scope < 0 {
		return
	}
	switch kind {
	case Type:
		r.defs[r.scope].result = r.expr(r.child(n, "type"))
		r.defs[r.scope].flags |= isAlias
	case Interface:
		r.defs[r.scope].bases = r.word([]byte(strings.ReplaceAll(strings.Trim(r.expr(r.child(n, "bounds")), ": "), "+", "|")))
		r.each(body)
	default:
		r.members(body)
	}
}

func (r *rust) members(body int32) {
	for k := range r.children(body) {
		switch r.kind(k) {
		case "field_declaration":
			if i := r.add(Field, r.str(r.child(k, "name")), k, r.child(k, "name"), 0); i >= 0 {
				r.defs[i].result = r.expr(r.child(k, "type"))
			}
			r.walk(r.child(k, "type"))
		case "enum_variant":
			r.add(Const, r.str(r.child(k, "name")), k, r.child(k, "name"), 0)
			r.walk(r.child(k, "body"))
		default:
			r.walk(k)
		}
	}
}

func (r *rust) module(n int32) {
	at, body := r.child(n, "name"), r.child(n, "body")
	if body == 0 { // mod x; is a file
		r.bring("self", r.str(at), "", n)
		return
	}
	defer r.define(Module, r.str(at), n, at, body)()
	r.each(body)
}

func (r *rust) constant(n int32) {
	at := r.child(n, "name")
	if len(r.bound) == 0 {
		if i := r.add(Const, r.str(at), n, at, r.child(n, "value")); i >= 0 {
			r.defs[i].owner, r.defs[i].result = r.owner, r.expr(r.child(n, "type"))
		}
	}
	r.walk(r.child(n, "type"))
	r.walk(r.child(n, "value"))
}
