package code

import (
	"strings"
)

// dialect is what is read of a language by table: its definitions and calls, without
// the scopes of local names and the types of variables.
type dialect struct {
	defs    map[string]Kind   // node kinds that define
	scopes  map[string]string // node kinds that only open a scope, and the field of its name
	calls   map[string]bool   // node kinds that call
	members map[string]bool   // node kinds that name a member
	imports map[string]bool
	names   map[string]bool // leaves that hold a name
	types   map[string]bool // leaves that are worth a reference wherever they stand
	bases   map[string]bool
	entry   string // the function that a program starts with
}

// general extracts the facts of a language that has a dialect.
type general struct {
	*collector
	rules *dialect
}

func generalFacts(d *dialect) func(*collector) {
	return func(c *collector) {
		g := general{c, d}
		g.below(0)
	}
}

// each walks the children of a node. A node that is missing has none.
func (g general) each(n int32) {
	if n != 0 {
		g.below(n)
	}
}

// below is each for the root too, whose number is that of a missing node.
func (g general) below(n int32) {
	for k := g.nodes[n].first; k != 0; k = g.nodes[k].next {
		if g.isNamed(k) {
			g.walk(k)
		}
	}
}

func (g general) walk(n int32) {
	kind := g.kind(n)
	switch {
	case strings.HasSuffix(kind, "comment"):
	case g.rules.defs[kind] != "":
		g.definition(n, g.rules.defs[kind])
	case g.rules.scopes[kind] != "":
		g.space(n, g.rules.scopes[kind])
	case g.rules.imports[kind]:
		g.imported(n)
	case g.rules.calls[kind]:
		g.call(n)
	case g.rules.members[kind]:
		g.member(n, false)
		g.each(n)
	case g.rules.types[kind]:
		g.mention(n, "", false)
	default:
		g.each(n)
	}
}

func (g general) definition(n int32, kind Kind) {
	at := g.nameOf(n)
	if at == 0 {
		g.each(n)
		return
	}
	owner := ""
	if k := g.nodes[at].parent; g.kind(k) == "qualified_identifier" || g.kind(k) == "function_name" {
		owner = g.owner(k, at)
	}
	kind = g.kindHere(n, kind, owner)
	if (kind == Var || kind == Field) && g.local() {
		g.each(n)
		return
	}
	body := g.body(n)
	if isType(kind) && body == 0 && g.kind(n) != "alias_declaration" && strings.HasSuffix(g.kind(n), "_specifier") {
		g.mention(at, "", false) // struct S in a declaration of something else
		return
	}
	i := len(g.defs)
	leave := g.define(kind, g.str(at), n, at, body)
	defer leave()
	if i < len(g.defs) {
		g.defs[i].owner = owner
		g.entry = g.entry || kind == Function && g.defs[i].name == g.rules.entry
		if isType(kind) {
			g.defs[i].bases = g.basesOf(n)
		}
	}
	for k := range g.children(n) {
		if k != at {
			g.walk(k)
		}
	}
}

// kindHere is the kind of a definition where it stands: a function in a type is a
// method, a variable a field.
func (g general) kindHere(n int32, kind Kind, owner string) Kind {
	inType := isType(g.kindOf(g.scope))
	switch {
	case kind == Function && (inType || owner != ""), kind == Field && g.kind(g.child(n, "declarator")) == "function_declarator":
		return Method
	case kind == Var && inType:
		return Field
	}
	return kind
}

// local: inside of a function, where variables are not symbols.
func (g general) local() bool {
	k := g.kindOf(g.scope)
	return k == Function || k == Method
}

func (g general) owner(qualified, at int32) string {
	text := g.flat(g.nodes[qualified].start, g.nodes[at].start, maxText)
	return g.word([]byte(strings.ReplaceAll(strings.Trim(baseType(text), ".: "), "::", ".")))
}

func (g general) body(n int32) int32 {
	if b := g.child(n, "body"); b != 0 {
		return b
	}
	if v := g.child(n, "value"); v != 0 {
		return v
	}
	return g.find(n, "class_body", "function_body", "enum_class_body", "template_body", "declaration_list", "do_block", "compound_statement", "block")
}

// nameOf is the node of a definition's name. In C and C++ it is inside of the
// declarator.
func (g general) nameOf(n int32) int32 {
	if g.kind(n) == "assignment" { // of Ruby: K = 1
		if left := g.child(n, "left"); g.kind(left) == "constant" {
			return left
		}
		return 0
	}
	at := g.child(n, "name")
	if at == 0 {
		at = g.child(n, "declarator")
	}
	if at == 0 {
		at = g.child(n, "pattern")
	}
	if at == 0 {
		for k := range g.children(n) {
			if g.field(k) == "type" {
				continue
			}
			if g.rules.names[g.kind(k)] {
				return k
			}
			if g.kind(k) == "variable_name" { // $p of PHP
				return g.named(k)
			}
			if s := g.kind(k); s == "variable_declaration" || s == "const_element" || s == "property_element" || s == "variable_declarator" {
				return g.nameOf(k)
			}
		}
		return 0
	}
	return g.declared(at)
}

// declared goes down a declarator to its name.
func (g general) declared(at int32) int32 {
	for range 30 {
		if g.rules.names[g.kind(at)] || g.kind(at) == "destructor_name" || g.kind(at) == "operator_name" {
			return at
		}
		next := g.child(at, "declarator")
		switch g.kind(at) {
		case "qualified_identifier", "nested_namespace_specifier", "function_name", "qualified_name", "namespace_name":
			for k := range g.children(at) {
				next = k
			}
		case "abstract_function_declarator", "operator_cast":
			return 0
		}
		if next == 0 {
			next = g.named(at)
		}
		if next == 0 {
			return 0
		}
		at = next
	}
	return 0
}

// space is a namespace: its parts become one symbol.
func (g general) space(n int32, field string) {
	at := g.child(n, field)
	if at == 0 {
		g.each(n)
		return
	}
	name := strings.NewReplacer("::", ".", `\`, ".", " ", "").Replace(string(g.text(at)))
	if g.child(n, "body") == 0 && g.find(n, "declaration_list", "compound_statement") == 0 {
		g.pkg = g.word([]byte(name))
		g.each(n)
		return
	}
	leave := g.define(Module, g.word([]byte(name)), n, at, g.child(n, "body"))
	g.each(n)
	leave()
}

func (g general) basesOf(n int32) string {
	var out []string
	for k := range g.children(n) {
		if !g.rules.bases[g.kind(k)] {
			continue
		}
		if g.rules.types[g.kind(g.named(k))] || g.rules.names[g.kind(g.named(k))] || g.nodes[k].first != 0 {
			for b := range g.children(k) {
				if s := g.kind(b); s != "access_specifier" && s != "arguments" && s != "value_arguments" {
					out = append(out, strings.SplitN(g.expr(b), "(", 2)[0])
				}
			}
		}
	}
	return g.word([]byte(strings.Join(out, "|")))
}
