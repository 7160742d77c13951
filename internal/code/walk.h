// One pass over a syntax tree, in C: through the binding each property of each node
// costs a call from Go, which takes longer than parsing does.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// From tree-sitter's api.h, as the Go binding has it.
typedef struct {
	uint32_t context[4];
	const void *id;
	const void *tree;
} TSNode;

typedef struct {
	const void *tree;
	const void *id;
	uint32_t context[3];
} TSTreeCursor;

typedef struct {
	uint32_t start, end;
	int32_t parent, first, next;
	uint16_t symbol, field;
} flat_node;

uint32_t flat_count(TSNode root);

// flat_walk fills out with the nodes in preorder, those deeper than depth left out,
// and gives their number, or cap + 1 if there are more than cap.
uint32_t flat_walk(TSNode root, uint32_t depth, flat_node *out, uint32_t cap);
