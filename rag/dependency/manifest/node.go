package manifest

import "fmt"

// node is a value in a configuration file: JSON, TOML, YAML and XML become the same
// tree, and each value knows its line. A nil node is one that is not there; all
// methods give the zero value for it.
type node struct {
	name string // its key; "" for the members of a list
	line int    // of the key, or of the value where there is none
	kind kind
	text string  // of a scalar
	kids []*node // in the order of the file
	at   map[string]*node
}

type kind uint8

const (
	scalar kind = iota // a number, a date, true, false, null: its text as it stands
	str
	table
	list
)

// get follows keys down from a node. In XML a name may come more than once; the
// first one is meant.
func (n *node) get(keys ...string) *node {
	for _, key := range keys {
		if n == nil {
			return nil
		}
		n = n.at[key]
	}
	return n
}

// value is the text of a scalar.
func (n *node) value() string {
	if n == nil {
		return ""
	}
	return n.text
}

// string is the text of a string; other scalars are none.
func (n *node) string() string {
	if n == nil || n.kind != str {
		return ""
	}
	return n.text
}

func (n *node) members() []*node {
	if n == nil {
		return nil
	}
	return n.kids
}

// strings are those strings that a list has.
func (n *node) strings() []*node {
	var out []*node
	for _, k := range n.members() {
		if k.kind == str && n.kind == list {
			out = append(out, k)
		}
	}
	return out
}

func (n *node) add(child *node) {
	n.kids = append(n.kids, child)
	if child.name == "" && n.kind == list {
		return
	}
	if n.at == nil {
		n.at = map[string]*node{}
	}
	if n.at[child.name] == nil {
		n.at[child.name] = child
	}
}

// Bounds of a file. The lock file of a large project has some 100,000 values.
const (
	maxDepth = 60
	maxNodes = 500_000
)

// budget counts the values of a file.
type budget struct{ nodes int }

func (b *budget) take(line, depth int) error {
	if b.nodes++; b.nodes > maxNodes {
		return fault(line, "more than %d values", maxNodes)
	}
	if depth > maxDepth {
		return fault(line, "nested more than %d deep", maxDepth)
	}
	return nil
}

// SyntaxError says where a file is not what its name promises.
type SyntaxError struct {
	Path   string
	Line   int // 0: the file as a whole
	Reason string
}

func (e *SyntaxError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.Path, e.Reason)
	}
	return fmt.Sprintf("%s:%d: %s", e.Path, e.Line, e.Reason)
}

func fault(line int, format string, args ...any) error {
	return &SyntaxError{Line: line, Reason: fmt.Sprintf(format, args...)}
}
