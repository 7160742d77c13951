package code

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/repomind/repomind/internal/source"
)

// hint says what a variable may hold. of is the definition whose variable it is
// (a function's local, a class's attribute), in the one where text is read.
type hint struct {
	name, text string
	of, in     int32
	sort       uint8
	index      uint8 // which of several results
}

// collector gathers the facts of one file. The strings it keeps are copies.
type collector struct {
	*tree
	facts
	copies map[string]string
	ids    map[string]uint32 // places in the words of the facts
	scope  int32             // the innermost definition
	bound  []map[string]bool
	heads  []int32 // for each definition the node that has its parameters, if it is a function
}

func newCollector(t *tree, lang source.Language) *collector {
	return &collector{tree: t, facts: facts{lang: lang, broken: t.broken, words: []string{""}},
		copies: map[string]string{}, ids: map[string]uint32{"": 0}, scope: -1}
}

// word is a copy of b that equal words share.
func (c *collector) word(b []byte) string {
	if w, ok := c.copies[string(b)]; ok {
		return w
	}
	w := strings.ToValidUTF8(string(b), "\uFFFD")
	c.copies[w] = w
	return w
}

func (c *collector) str(n int32) string { return c.word(bytes.TrimSpace(c.text(n))) }

// flat is the text of a node on one line, shortened to limit bytes.
func (c *collector) flat(from, to uint32, limit int) string {
	b := c.data[from:max(from, min(to, uint32(len(c.data))))]
	if len(b) > 4*limit {
		b = b[:4*limit]
	}
	if bytes.ContainsAny(b, "\n\t\r") || len(b) > limit {
		b = bytes.Join(bytes.Fields(b), []byte(" "))
	}
	if len(b) > limit {
		for limit > 0 && !utf8.RuneStart(b[limit]) {
			limit--
		}
		b = b[:limit]
	}
	return c.word(b)
}

func (c *collector) expr(n int32) string {
	if n == 0 {
		return ""
	}
	return c.flat(c.nodes[n].start, c.nodes[n].end, maxText)
}

// define adds a definition of the node and makes it the scope until the function
// that it returns is called. body is where the signature ends, 0 if all of it is.
func (c *collector) define(kind Kind, name string, n, at, body int32) (leave func()) {
	i := c.add(kind, name, n, at, body)
	before := c.scope
	if i >= 0 {
		c.scope = i
	}
	return func() { c.scope = before }
}

// add is define for what holds no other definitions; -1 for an empty name.
func (c *collector) add(kind Kind, name string, n, at, body int32) int32 {
	if name == "" || len(name) > 200 || len(c.defs) >= maxFacts {
		return -1
	}
	d := def{name: name, kind: number(kind), parent: c.scope}
	from, to := c.begins(n), c.nodes[n].end
	d.start, d.name0, d.end = c.line(from), c.line(c.begins(at)), c.lastLine(n)
	d.sigEnd = d.end
	if body != 0 && c.nodes[body].start >= from {
		to = c.uncommented(n, at, c.nodes[body].start)
		d.sigEnd = c.before(from, to)
	}
	if d.sigEnd > d.start+40 { // a table, not a signature
		d.sigEnd = d.name0
	}
	d.sig = strings.TrimRight(c.flat(c.signature(n, at, from), to, maxSig), " {:=;")
	c.defs = append(c.defs, d)
	c.heads = append(c.heads, c.headOf(n, body))
	return int32(len(c.defs) - 1)
}

// headOf is what a body belongs to: n may be the statement around it.
func (c *collector) headOf(n, body int32) int32 {
	if body == 0 {
		return n
	}
	return c.nodes[body].parent
}

// begins is the first byte of a node that is not blank: in some grammars a node
// takes the line break before it.
func (c *collector) begins(n int32) uint32 {
	at := c.nodes[n].start
	for at < c.nodes[n].end && c.data[at] <= ' ' {
		at++
	}
	return at
}

// signature is where the signature starts: behind decorators and attributes.
func (c *collector) signature(n, at int32, from uint32) uint32 {
	for k := c.nodes[n].first; k != 0 && c.nodes[k].start < c.nodes[at].start; k = c.nodes[k].next {
		switch c.kind(k) {
		case "decorator", "attribute_list", "comment", "line_comment", "block_comment":
			if next := c.nodes[k].next; next != 0 {
				from = c.begins(next)
			}
		case "modifiers": // of Java and Kotlin: annotations, then words
			for m := range c.children(k) {
				if strings.HasSuffix(c.kind(m), "annotation") {
					from = c.nodes[m].end
				}
			}
		}
	}
	return from
}

// uncommented is where a comment between the name and the body starts, or else to.
func (c *collector) uncommented(n, at int32, to uint32) uint32 {
	for k := range c.children(n) {
		if k > at && c.nodes[k].start < to && strings.HasSuffix(c.kind(k), "comment") {
			return c.nodes[k].start
		}
	}
	return to
}

// before is the line of the last byte in [from, to) that is not blank.
func (c *collector) before(from, to uint32) uint32 {
	for to > from && (c.data[to-1] <= ' ') {
		to--
	}
	return c.line(max(from, to-min(to, 1)))
}

// mention adds a reference to the name at a node.
func (c *collector) mention(at int32, recv string, call bool) {
	if len(c.refs) >= maxFacts || c.nodes[at].end-c.nodes[at].start > 200 || c.nodes[at].end == c.nodes[at].start {
		return
	}
	start := c.begins(at)
	line := c.line(start)
	r := ref{name: c.id(c.str(at)), recv: c.id(recv), line: line, col: start - c.lines[line-1] + 1, in: c.scope}
	if call {
		r.flags = isCall
	}
	c.refs = append(c.refs, r)
}

func (c *collector) id(word string) uint32 {
	id, ok := c.ids[word]
	if !ok {
		id = uint32(len(c.words))
		c.ids[word] = id
		c.words = append(c.words, word)
	}
	return id
}

func (c *collector) hint(of int32, name, text string, sort uint8, index int) {
	if text == "" || name == "" || name == "_" || len(c.hints) >= maxFacts || index > 20 {
		return
	}
	c.hints = append(c.hints, hint{name: name, text: text, of: of, in: c.scope, sort: sort, index: uint8(max(index, 0))})
}

func (c *collector) bring(module, name, as string, n int32) {
	if len(module) > 500 || len(c.imps) >= maxFacts {
		return
	}
	if as == name {
		as = ""
	}
	c.imps = append(c.imps, imp{module: module, name: name, as: as, line: c.line(c.nodes[n].start), in: c.scope})
}

// isLocal says whether a name is bound by a function around the place.
func (c *collector) isLocal(name string) bool {
	for i := len(c.bound) - 1; i >= 0; i-- {
		if c.bound[i][name] {
			return true
		}
	}
	return false
}

// kindOf is the kind of the innermost definition, "" at the top.
func (c *collector) kindOf(scope int32) Kind {
	if scope < 0 {
		return ""
	}
	return kinds[c.defs[scope].kind]
}

// classOf is the innermost definition of a type around scope, or -1.
func (c *collector) classOf(scope int32) int32 {
	for ; scope >= 0; scope = c.defs[scope].parent {
		if isType(kinds[c.defs[scope].kind]) {
			return scope
		}
	}
	return -1
}
