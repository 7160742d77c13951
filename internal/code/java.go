package code

import "strings"

// java extracts the facts of a Java file.
type java struct{ *collector }

func javaFacts(c *collector) {
	j := java{c}
	if p := c.top("package_declaration"); p != 0 {
		c.pkg = c.str(c.find(p, "scoped_identifier", "identifier"))
	}
	j.below(0)
}

// each walks the children of a node. A node that is missing has none.
func (j java) each(n int32) {
	if n != 0 {
		j.below(n)
	}
}

// below is each for the root too, whose number is that of a missing node.
func (j java) below(n int32) {
	for k := j.nodes[n].first; k != 0; k = j.nodes[k].next {
		if j.isNamed(k) {
			j.walk(k)
		}
	}
}

func (j java) walk(n int32) {
	switch j.kind(n) {
	case "", "line_comment", "block_comment", "package_declaration", "string_literal", "decimal_integer_literal":
	case "import_declaration":
		j.imports(n)
	case "class_declaration", "interface_declaration", "enum_declaration", "record_declaration", "annotation_type_declaration":
		j.class(n)
	case "method_declaration", "constructor_declaration", "compact_constructor_declaration", "annotation_type_element_declaration":
		j.method(n)
	case "enum_constant":
		j.constant(n)
	case "field_declaration", "constant_declaration":
		j.fields(n)
	default:
		j.statement(n)
	}
}

// statement is walk for what stands inside of methods.
func (j java) statement(n int32) {
	switch j.kind(n) {
	case "local_variable_declaration", "resource":
		j.locals(n)
	case "formal_parameter", "catch_formal_parameter", "spread_parameter":
		j.parameter(n)
	case "enhanced_for_statement":
		j.loop(n)
	case "instanceof_expression":
		j.bindTyped(j.child(n, "name"), j.child(n, "right"))
		j.each(n)
	case "lambda_expression":
		j.lambda(n)
	case "method_invocation":
		j.call(n)
	case "object_creation_expression":
		j.created(n)
	case "method_reference":
		j.reference(n)
	case "field_access":
		j.mention(j.child(n, "field"), j.expr(j.child(n, "object")), false)
		j.walk(j.child(n, "object"))
	case "annotation", "marker_annotation":
		j.annotation(n)
	case "element_value_pair":
		j.walk(j.child(n, "value"))
	case "identifier", "type_identifier":
		if name := j.str(n); !j.isLocal(name) && name != "var" {
			j.mention(n, "", false)
		}
	case "scoped_type_identifier", "scoped_identifier":
		j.scoped(n)
	case "block", "for_statement", "try_with_resources_statement", "catch_clause", "switch_block", "constructor_body":
		leave := j.block()
		j.each(n)
		leave()
	default:
		j.each(n)
	}
}

func (j java) block() (leave func()) {
	j.bound = append(j.bound, map[string]bool{})
	return func() { j.bound = j.bound[:len(j.bound)-1] }
}

func (j java) imports(n int32) {
	full := j.str(j.find(n, "scoped_identifier", "identifier"))
	static := strings.HasPrefix(string(j.text(n)), "import static")
	i := strings.LastIndexByte(full, '.')
	switch {
	case j.find(n, "asterisk") != 0:
		j.bring(full, "*", "", n)
	case i < 0:
		j.bring(full, "", "", n)
	case static:
		j.bring(full[:i], full[i+1:], "", n)
	default:
		j.bring(full, full[i+1:], "", n)
	}
}

func (j java) class(n int32) {
	at, body := j.child(n, "name"), j.child(n, "body")
	kind := Class
	switch j.kind(n) {
	case "interface_declaration", "annotation_type_declaration":
		kind = Interface
	case "enum_declaration":
		kind = Enum
	}
	leave := j.define(kind, j.str(at), n, at, body)
	defer leave()
	var bases []string
	for k := range j.children(n) {
		switch j.kind(k) {
		case "superclass", "super_interfaces", "extends_interfaces":
			bases = append(bases, j.types(k)...)
			j.each(k)
		case "modifiers", "type_parameters":
			j.walk(k)
		case "formal_parameters": // of a record
			for p := range j.children(k) {
				if i := j.add(Field, j.str(j.child(p, "name")), p, p, 0); i >= 0 {
					j.defs[i].result = j.expr(j.child(p, "type"))
				}
				j.walk(j.child(p, "type"))
			}
		}
	}
	if j.scope >= 0 {
		j.defs[j.scope].bases = j.word([]byte(strings.Join(bases, "|")))
	}
	j.each(body)
}

func (j java) types(n int32) (out []string) {
	for k := range j.children(n) {
		if j.kind(k) == "type_list" {
			out = append(out, j.types(k)...)
		} else {
			out = append(out, j.expr(k))
		}
	}
	return out
}

func (j java) method(n int32) {
	at, body := j.child(n, "name"), j.child(n, "body")
	leave := j.define(Method, j.str(at), n, at, body)
	defer leave()
	defer j.block()()
	if j.scope >= 0 {
		d := &j.defs[j.scope]
		d.result = j.expr(j.child(n, "type"))
		if body == 0 {
			d.flags |= isVirtual
		}
		j.entry = j.entry || d.name == "main" && strings.Contains(d.sig, "static void main(")
	}
	for k := range j.children(n) {
		if k != at {
			j.walk(k)
		}
	}
}

func (j java) constant(n int32) {
	at := j.child(n, "name")
	body := j.child(n, "body")
	if body == 0 {
		j.add(Const, j.str(at), n, at, 0)
	} else {
		defer j.define(Const, j.str(at), n, at, body)()
	}
	j.walk(j.child(n, "arguments"))
	j.walk(body)
}

func (j java) fields(n int32) {
	typ := j.child(n, "type")
	j.walk(j.find(n, "modifiers"))
	j.walk(typ)
	text := string(j.text(j.find(n, "modifiers")))
	kind := Field
	if j.kind(n) == "constant_declaration" || strings.Contains(text, "static") && strings.Contains(text, "final") {
		kind = Const
	}
	for d := range j.children(n) {
		if j.kind(d) != "variable_declarator" {
			continue
		}
		at, value := j.child(d, "name"), j.child(d, "value")
		if i := j.add(kind, j.str(at), n, at, value); i >= 0 {
			j.defs[i].result = j.expr(typ)
		}
		j.walk(value)
	}
}
