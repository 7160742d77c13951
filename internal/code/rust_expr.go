package code

import "strings"

// Expressions and local variables of Rust.

func (r *rust) let(n int32) {
	pattern, typ, value := r.child(n, "pattern"), r.child(n, "type"), r.child(n, "value")
	r.walk(typ)
	r.walk(value)
	r.walk(r.child(n, "alternative"))
	r.bind(pattern)
	if r.kind(pattern) != "identifier" {
		return
	}
	if typ != 0 {
		r.hint(r.scope, r.str(pattern), r.expr(typ), hintType, 0)
		return
	}
	r.value(r.str(pattern), value)
}

func (r *rust) value(name string, n int32) {
	switch r.kind(n) {
	case "call_expression", "identifier", "field_expression", "index_expression":
		r.hint(r.scope, name, r.expr(n), hintExpr, 0)
	case "struct_expression":
		r.hint(r.scope, name, r.expr(r.child(n, "name")), hintType, 0)
	case "try_expression", "await_expression", "reference_expression", "parenthesized_expression", "unary_expression":
		for k := range r.children(n) {
			if r.kind(k) != "mutable_specifier" {
				r.value(name, k)
				return
			}
		}
	}
}

func (r *rust) loop(n int32) {
	defer r.block()()
	pattern, value := r.child(n, "pattern"), r.child(n, "value")
	r.walk(value)
	r.bind(pattern)
	if r.kind(pattern) == "identifier" {
		text := strings.TrimPrefix(strings.TrimPrefix(r.expr(value), "&"), "mut ")
		for _, iter := range []string{".iter()", ".iter_mut()", ".into_iter()"} {
			text = strings.TrimSuffix(text, iter)
		}
		r.hint(r.scope, r.str(pattern), r.word([]byte(text)), hintElem, 0)
	}
	r.walk(r.child(n, "body"))
}

func (r *rust) closure(n int32) {
	defer r.block()()
	for p := range r.children(r.child(n, "parameters")) {
		r.parameter(p)
	}
	r.walk(r.child(n, "return_type"))
	r.walk(r.child(n, "body"))
}

func (r *rust) call(n int32) {
	f := r.child(n, "function")
	if r.kind(f) == "generic_function" {
		r.walk(r.child(f, "type_arguments"))
		f = r.child(f, "function")
	}
	switch r.kind(f) {
	case "identifier":
		if !r.isLocal(r.str(f)) {
			r.mention(f, "", true)
		}
	case "field_expression":
		r.mention(r.child(f, "field"), r.expr(r.child(f, "value")), true)
		r.walk(r.child(f, "value"))
	case "scoped_identifier":
		r.scoped(f, true)
	default:
		r.walk(f)
	}
	r.walk(r.child(n, "arguments"))
}

func (r *rust) scoped(n int32, call bool) {
	path := r.child(n, "path")
	r.mention(r.child(n, "name"), r.expr(path), call)
	r.walk(path)
}

func (r *rust) macro(n int32) {
	switch m := r.child(n, "macro"); r.kind(m) {
	case "identifier":
		r.mention(m, "", true)
	case "scoped_identifier":
		r.scoped(m, true)
	}
	if t := r.find(n, "token_tree"); t != 0 {
		r.tokens(t)
	}
}

// tokens reads the arguments of a macro, which the grammar leaves as they are: a name
// before a bracket is a call, one behind a dot has the words before as receiver.
func (r *rust) tokens(n int32) {
	from := uint32(0) // where the path or chain of this name starts
	for k := r.nodes[n].first; k != 0; k = r.nodes[k].next {
		switch r.kind(k) {
		case "identifier", "self":
			if from == 0 {
				from = r.nodes[k].start
			}
			next := r.nodes[k].next
			call := r.kind(next) == "token_tree" && r.data[r.nodes[next].start] == '('
			recv := strings.TrimRight(r.flat(from, r.nodes[k].start, maxText), ".: ")
			if r.kind(k) == "identifier" && (recv != "" || !r.isLocal(r.str(k))) {
				r.mention(k, recv, call)
			}
		case "token_tree":
			r.tokens(k)
		case ".", "::", "?":
		default:
			from = 0
		}
		if next := r.nodes[k].next; next != 0 && r.kind(k) != "." && r.kind(k) != "::" {
			if s := r.kind(next); s != "." && s != "::" && s != "token_tree" && s != "?" {
				from = 0
			}
		}
	}
}
