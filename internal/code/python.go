package code

import (
	"bytes"
)

// python extracts the facts of a Python file.
type python struct {
	*collector
	self string // the first parameter of the method around
	seen map[assigned]bool
}

type assigned struct {
	scope int32
	name  string
}

func pythonFacts(c *collector) {
	p := &python{collector: c, seen: map[assigned]bool{}}
	p.below(0)
}

// each walks the children of a node. A node that is missing has none.
func (p *python) each(n int32) {
	if n != 0 {
		p.below(n)
	}
}

// below is each for the root too, whose number is that of a missing node.
func (p *python) below(n int32) {
	for k := p.nodes[n].first; k != 0; k = p.nodes[k].next {
		if p.isNamed(k) {
			p.walk(k)
		}
	}
}

func (p *python) walk(n int32) {
	switch p.kind(n) {
	case "", "comment", "string_start", "string_content", "string_end", "integer", "float", "escape_sequence":
	case "function_definition":
		p.function(n, n)
	case "class_definition":
		p.class(n, n)
	case "decorated_definition":
		p.decorated(n)
	case "import_statement", "import_from_statement", "future_import_statement":
		p.imports(n)
	case "assignment", "augmented_assignment":
		p.assignment(n)
	case "type_alias_statement":
		p.alias(n)
	default:
		p.expression(n)
	}
}

// expression is walk for what is no statement.
func (p *python) expression(n int32) {
	switch p.kind(n) {
	case "call":
		p.call(n)
	case "attribute":
		p.attribute(n, false)
	case "identifier":
		p.name(n, false)
	case "keyword_argument":
		p.walk(p.child(n, "value"))
	case "lambda":
		p.lambda(n)
	case "parameters", "lambda_parameters":
		p.parameters(n)
	case "for_statement", "for_in_clause":
		p.loop(n)
	case "as_pattern":
		p.as(n)
	case "named_expression":
		p.local(p.child(n, "name"), p.child(n, "value"))
		p.walk(p.child(n, "value"))
	case "return_statement":
		p.returned(n)
	case "global_statement", "nonlocal_statement":
	default:
		p.each(n)
	}
}

func (p *python) call(n int32) {
	f, args := p.child(n, "function"), p.child(n, "arguments")
	switch p.kind(f) {
	case "identifier":
		p.name(f, true)
		if string(p.text(f)) == "isinstance" && args != 0 {
			p.narrow(args)
		}
		if string(p.text(f)) == "__import__" && args != 0 {
			break
		}
	case "attribute":
		p.attribute(f, true)
	default:
		p.walk(f)
	}
	if args != 0 {
		p.walk(args)
	}
	p.entryPoint(n)
}

func (p *python) attribute(n int32, call bool) {
	object := p.child(n, "object")
	p.mention(p.child(n, "attribute"), p.expr(object), call)
	p.walk(object)
}

func (p *python) name(n int32, call bool) {
	if name := p.str(n); name != p.self && !p.isLocal(name) {
		p.mention(n, "", call)
	}
}

// entryPoint: the module level compares __name__ with "__main__".
func (p *python) entryPoint(n int32) {
	if p.entry || p.scope >= 0 {
		return
	}
	for up := p.nodes[n].parent; up != 0; up = p.nodes[up].parent {
		if p.kind(up) == "if_statement" {
			cond := p.text(p.child(up, "condition"))
			p.entry = bytes.Contains(cond, []byte("__name__")) && bytes.Contains(cond, []byte("__main__"))
			return
		}
	}
}
