package code

import (
	"strings"

	"github.com/repomind/repomind/internal/source"
)

// Statement is the innermost statement or definition that a line belongs to. Of one
// with a body it is the head, as long as the line is in it: for the line of an if
// its condition, not all that depends on it. false for a line of no statement, such
// as a comment, and for a file that cannot be parsed.
func Statement(path string, data []byte, line int) (source.Span, bool) {
	r, lang, err := parse(path, data)
	if err != nil {
		return source.Span{}, false
	}
	defer r.close()
	t, err := r.tree(lang, data)
	if err != nil || line < 1 || line > len(t.lines) {
		return source.Span{}, false
	}
	at := t.statementAt(uint32(line))
	if at == 0 {
		return source.Span{}, false
	}
	from, to := t.line(t.nodes[at].start), t.lastLine(at)
	if body := t.bodyOf(at); body != 0 {
		head := max(from, t.headEnd(at, body))
		if uint32(line) <= head {
			to = head
		}
	}
	return source.Span{Path: path, Start: int(from), End: int(to)}, true
}

// statementAt is the innermost statement on a line: nodes are in preorder, so it is
// the last that holds the line. Of several that start on the line it is the first of
// those with the same parent.
func (t *tree) statementAt(line uint32) int32 {
	best := int32(0)
	for i := int32(1); i < int32(len(t.nodes)); i++ {
		n := &t.nodes[i]
		if t.line(n.start) > line || t.lastLine(i) < line || !t.isStatement(i) {
			continue
		}
		if best != 0 && n.parent == t.nodes[best].parent {
			continue
		}
		best = i
	}
	return best
}

func (t *tree) isStatement(i int32) bool {
	k := t.kind(i)
	if !t.isNamed(i) || strings.HasSuffix(k, "comment") || isBlock(k) {
		return false
	}
	parent := "module"
	if p := t.nodes[i].parent; p != 0 {
		parent = t.kind(p)
	}
	return parent == "module" || isBlock(parent) || clauses[k] || clauses[parent] && named(k)
}

// named tells the kinds that are statements by their name.
func named(kind string) bool {
	return strings.HasSuffix(kind, "_statement") || strings.HasSuffix(kind, "_declaration")
}

// isBlock tells the nodes whose children are statements or members.
func isBlock(kind string) bool { return blocks[kind] }

var blocks = words(`block module program source_file translation_unit compilation_unit statement_block compound_statement
class_body declaration_list body_statement constructor_body statements do_block function_body field_declaration_list
interface_body enum_body enum_variant_list match_block switch_body switch_block template_body enum_class_body
const_declaration_list import_spec_list decorated_definition enum_declaration_list protocol_body statement_list block_body
then else ensure`)

// clauses are parts of a statement that have statements of their own.
var clauses = words(`else_clause elif_clause except_clause finally_clause case_clause catch_clause finally expression_case
default_case type_case communication_case switch_case switch_default match_arm with_clause rescue when`)

// bodyOf is the first block in a statement, but not one inside of an expression.
func (t *tree) bodyOf(n int32) int32 {
	for k := t.nodes[n].first; k != 0; k = t.nodes[k].next {
		if isBlock(t.kind(k)) && t.kind(n) != "decorated_definition" || clauses[t.kind(k)] || clauses[t.kind(n)] && named(t.kind(k)) {
			return k
		}
	}
	if t.kind(n) == "decorated_definition" {
		return t.bodyOf(t.child(n, "definition"))
	}
	return 0
}

// headEnd is the last line of what stands before the body: that of its opening
// bracket, if it has one.
func (t *tree) headEnd(n, body int32) uint32 {
	at := t.nodes[body].start
	if t.data[at] == '{' {
		return t.line(at)
	}
	for at > t.nodes[n].start && t.data[at-1] <= ' ' {
		at--
	}
	return t.line(at - min(at, 1))
}
