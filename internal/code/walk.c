#include "walk.h"

// These are defined in the binding, which is linked into the same program. Weak, so
// that this package links alone when cgo inspects it.
#define IMPORT extern __attribute__((weak))
IMPORT TSTreeCursor ts_tree_cursor_new(TSNode);
IMPORT void ts_tree_cursor_delete(TSTreeCursor *);
IMPORT TSNode ts_tree_cursor_current_node(const TSTreeCursor *);
IMPORT uint16_t ts_tree_cursor_current_field_id(const TSTreeCursor *);
IMPORT bool ts_tree_cursor_goto_parent(TSTreeCursor *);
IMPORT bool ts_tree_cursor_goto_next_sibling(TSTreeCursor *);
IMPORT bool ts_tree_cursor_goto_first_child(TSTreeCursor *);
IMPORT uint16_t ts_node_symbol(TSNode);
IMPORT uint32_t ts_node_end_byte(TSNode);
IMPORT uint32_t ts_node_descendant_count(TSNode);

uint32_t flat_count(TSNode root) { return ts_node_descendant_count(root); }

static void put(flat_node *to, TSTreeCursor *at, int32_t parent) {
	TSNode n = ts_tree_cursor_current_node(at);
	to->start = n.context[0];
	to->end = ts_node_end_byte(n);
	to->parent = parent;
	to->first = to->next = 0;
	to->symbol = ts_node_symbol(n);
	to->field = ts_tree_cursor_current_field_id(at);
}

uint32_t flat_walk(TSNode root, uint32_t limit, flat_node *out, uint32_t cap) {
	TSTreeCursor at = ts_tree_cursor_new(root);
	uint32_t n = 0, depth = 0;
	int32_t parent = 0, before = 0; // the sibling before, 0 for none
	for (;;) {
		if (n >= cap) {
			n = cap + 1;
			break;
		}
		int32_t i = (int32_t)n++;
		put(&out[i], &at, parent);
		if (i != 0) {
			if (before == 0) out[parent].first = i;
			else out[before].next = i;
		}
		if (depth < limit && ts_tree_cursor_goto_first_child(&at)) {
			parent = i;
			before = 0;
			depth++;
			continue;
		}
		before = i;
		while (depth > 0 && !ts_tree_cursor_goto_next_sibling(&at)) {
			ts_tree_cursor_goto_parent(&at);
			before = parent;
			parent = out[parent].parent;
			depth--;
		}
		if (depth == 0) break;
	}
	ts_tree_cursor_delete(&at);
	return n;
}
