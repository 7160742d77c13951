package code

import "strings"

// The roles that a kind of node may have in the layout, as bits.
const (
	asNamed   = 1 << iota // more than a sign or keyword
	asBlock               // its children are statements or members, it is none
	asHolder              // its children are statements, members or elements, and it may be one itself
	asClause              // a part of a statement with statements of its own
	asPhrase              // a statement or declaration, by its name
	asComment             //
	asMark                // an attribute or decorator: it belongs to what follows
)

// holders are literals, whose elements a long table is cut between; the directives of
// C, which have whole files inside; and what has statements without a block.
var holders = words(`object array dictionary list set tuple literal_value initializer_list array_initializer
preproc_ifdef preproc_if preproc_else preproc_elif module const_declaration var_declaration do_group case_item if_statement`)

func roleOf(kind string, isNamed bool) (role uint8) {
	for _, r := range []struct {
		bit uint8
		yes bool
	}{
		{asNamed, isNamed},
		{asBlock, isBlock(kind) && !holders[kind] && kind != "decorated_definition"},
		{asHolder, holders[kind]},
		{asClause, clauses[kind]},
		{asPhrase, named(kind)},
		{asComment, strings.HasSuffix(kind, "comment")},
		{asMark, kind == "attribute_item" || kind == "decorator"},
	} {
		if r.yes {
			role |= r.bit
		}
	}
	return role
}

// isCut tells statements, members and elements from what they consist of: by their own
// role and that of the node around.
func isCut(role, around uint8) bool {
	return role&asNamed != 0 && role&asBlock == 0 &&
		(around&(asBlock|asHolder) != 0 || role&asClause != 0 || around&asClause != 0 && role&asPhrase != 0)
}
