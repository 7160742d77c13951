package code

// #cgo CFLAGS: -O2
// #cgo darwin LDFLAGS: -Wl,-undefined,dynamic_lookup
// #include "walk.h"
import "C"

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"sort"
	"time"
	"unsafe"

	sitter "github.com/smacker/go-tree-sitter"
)

// tree is a syntax tree copied out of the C heap: nodes in preorder, addressed by
// index, so that the extractors run over plain memory.
type tree struct {
	data   []byte
	nodes  []node
	lines  []uint32 // where each line starts
	broken bool     // syntax errors
	*grammar
}

// node is one node of a tree, with the same memory as flat_node in C. parent, first
// and next are indexes; 0 means none, as 0 is the root.
type node struct {
	start, end    uint32
	parent        int32
	first, next   int32 // child, sibling
	symbol, field uint16
}

// grammar gives the numbers of a language's nodes their names.
type grammar struct {
	lang   *sitter.Language
	kinds  []string
	named  []bool
	roles  []uint8 // in the layout
	fields []string
}

const (
	maxDepth = 1000    // deeper nodes are left out, so that extractors may recurse
	maxNodes = 700_000 // in one file; a megabyte of plain source has about 300,000
)

var (
	errTooSlow  = errors.New("parsing took too long")
	errTooDense = fmt.Errorf("more than %d syntax nodes", maxNodes)
	errBinding  = errors.New("the tree-sitter binding has another memory layout than this package was written for")
)

func newGrammar(lang *sitter.Language) *grammar {
	g := &grammar{lang: lang, fields: []string{""}}
	for s := range sitter.Symbol(lang.SymbolCount()) {
		g.kinds = append(g.kinds, lang.SymbolName(s))
		g.named = append(g.named, lang.SymbolType(s) == sitter.SymbolTypeRegular)
		g.roles = append(g.roles, roleOf(g.kinds[s], g.named[s]))
	}
	for i := 1; ; i++ {
		name := lang.FieldName(i)
		if name == "" {
			return g
		}
		g.fields = append(g.fields, name)
	}
}

// parser makes trees of one grammar. It is used by one goroutine.
type parser struct {
	*grammar
	timeout time.Duration
	ts      *sitter.Parser
}

// parse gives the tree of data, which it keeps a reference to.
func (p *parser) parse(data []byte) (*tree, error) {
	if p.ts == nil {
		p.ts = sitter.NewParser()
		p.ts.SetLanguage(p.lang)
		p.ts.SetOperationLimit(int(p.timeout / time.Microsecond))
	}
	// No context: cancellation leaves a state in the parser that ends the next parse.
	parsed, err := p.ts.ParseCtx(context.Background(), nil, data)
	if err != nil {
		p.close()
		if errors.Is(err, sitter.ErrOperationLimit) {
			return nil, errTooSlow
		}
		return nil, fmt.Errorf("tree-sitter: %w", err)
	}
	defer parsed.Close()
	return p.flatten(parsed, data)
}

func (p *parser) close() {
	if p.ts != nil {
		p.ts.Close()
		p.ts = nil
	}
}

// flatten copies a tree. The root of the binding begins with tree-sitter's own node,
// which is what the C code takes.
func (p *parser) flatten(from *sitter.Tree, data []byte) (*tree, error) {
	root := from.RootNode()
	raw := *(*C.TSNode)(unsafe.Pointer(root))
	if uint32(raw.context[0]) != root.StartByte() || uintptr(raw.id) != root.ID() {
		return nil, errBinding
	}
	count := C.flat_count(raw)
	if count > maxNodes {
		return nil, errTooDense
	}
	t := &tree{data: data, lines: lineStarts(data), nodes: make([]node, count), broken: root.HasError(), grammar: p.grammar}
	n := C.flat_walk(raw, maxDepth, (*C.flat_node)(unsafe.Pointer(&t.nodes[0])), count)
	runtime.KeepAlive(from)
	if n > count {
		return nil, errTooDense
	}
	t.nodes = t.nodes[:n]
	return t, nil
}

func lineStarts(data []byte) []uint32 {
	starts := make([]uint32, 1, len(data)/30+1)
	for i, c := range data {
		if c == '\n' {
			starts = append(starts, uint32(i+1))
		}
	}
	return starts
}

// line is the number of the line that a byte is in, from 1.
func (t *tree) line(at uint32) uint32 {
	return uint32(sort.Search(len(t.lines), func(i int) bool { return t.lines[i] > at }))
}

// lastLine is the last line that a node covers: one that ends with a line break
// does not reach into the next line.
func (t *tree) lastLine(n int32) uint32 {
	end := t.nodes[n].end
	for end > t.nodes[n].start && (t.data[end-1] == '\n' || t.data[end-1] == '\r') {
		end--
	}
	if end > t.nodes[n].start {
		end--
	}
	return t.line(end)
}

// kind is "" for no node.
func (t *tree) kind(n int32) string {
	if n == 0 {
		return ""
	}
	if s := int(t.nodes[n].symbol); s < len(t.kinds) {
		return t.kinds[s]
	}
	return "ERROR"
}

// isNamed says whether a node is more than a sign or keyword.
func (t *tree) isNamed(n int32) bool {
	s := int(t.nodes[n].symbol)
	return s >= len(t.grammar.named) || t.grammar.named[s]
}

// field is the name by which its parent holds a node, or "".
func (t *tree) field(n int32) string {
	if f := int(t.nodes[n].field); f < len(t.fields) {
		return t.fields[f]
	}
	return ""
}

func (t *tree) text(n int32) []byte {
	if n == 0 {
		return nil
	}
	return t.data[t.nodes[n].start:t.nodes[n].end]
}

// child is the first child of n in a field, or 0.
func (t *tree) child(n int32, field string) int32 {
	if n == 0 {
		return 0
	}
	for c := t.nodes[n].first; c != 0; c = t.nodes[c].next {
		if t.field(c) == field {
			return c
		}
	}
	return 0
}

// find is the first child of n of one of the kinds, or 0. A node that is missing, which
// has the number of the root, has none; for the root there is top.
func (t *tree) find(n int32, kinds ...string) int32 {
	if n == 0 {
		return 0
	}
	return t.first(n, kinds)
}

// top is find for the root.
func (t *tree) top(kinds ...string) int32 { return t.first(0, kinds) }

func (t *tree) first(n int32, kinds []string) int32 {
	for c := t.nodes[n].first; c != 0; c = t.nodes[c].next {
		for _, k := range kinds {
			if t.kind(c) == k {
				return c
			}
		}
	}
	return 0
}

// named is the first named child of n, or 0.
func (t *tree) named(n int32) int32 {
	if n == 0 {
		return 0
	}
	for c := t.nodes[n].first; c != 0; c = t.nodes[c].next {
		if t.isNamed(c) && t.kind(c) != "comment" {
			return c
		}
	}
	return 0
}

// children gives the named children of n, of none for 0.
func (t *tree) children(n int32) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		if n == 0 {
			return
		}
		for c := t.nodes[n].first; c != 0; c = t.nodes[c].next {
			if t.isNamed(c) && !yield(c) {
				return
			}
		}
	}
}
