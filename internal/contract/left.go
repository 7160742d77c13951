package contract

import (
	"bytes"
	"path"

	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/internal/source"
)

// left are the places that still name what is gone. What they meant is known in the
// base; in the head they must stand there yet, and mean nothing else.
func (c *check) left(change Change) []Caller {
	sym, ok := c.Base.Symbol(change.Symbol.ID)
	if !ok || c.replaced(change.Old[0]) {
		return nil
	}
	name := sym.Name
	if constructor(change.Old[0]) { // it is called by the name of its class
		name = last(change.Old[0].Owner)
	}
	claimed, ok := c.claimed(name)
	if !ok {
		return nil
	}
	var out []Caller
	for _, ref := range c.Base.Callers(sym) {
		if !ref.Confident || ref.How == code.OnlyOne || constructor(change.Old[0]) && ref.Name == sym.Name {
			continue
		}
		now, ok := c.stands(ref)
		if ok && !claimed[place(now)] && c.bound(change.Old[0], ref, now) {
			out = append(out, Caller{Ref: now, Quote: c.text(now.Path).line(now.Line)})
		}
	}
	return out
}

// at is a place in the head.
type at struct {
	path         string
	line, column int
}

func place(r code.Reference) at { return at{r.Path, r.Line, r.Column} }

// replaced says whether the head has something of that name at that place, or may have
// it from where it cannot be seen.
func (c *check) replaced(old code.Signature) bool {
	p, ok := c.byOld[old.Symbol.Span.Path]
	if !ok || p.After == nil {
		return old.Owner != "" && !constructor(old)
	}
	outline, ok := c.Head.File(p.Path)
	if !ok || outline.Broken && bytes.Contains(p.After, []byte(old.Symbol.Name)) {
		return true
	}
	if old.Owner == "" {
		return nested(old) || c.provides(p.Path, old.Symbol.Name, 0)
	}
	owner, ok := c.owner(p.Path, old)
	if constructor(old) {
		return ok || c.provides(p.Path, old.Owner, 0)
	}
	return !ok || c.open(owner) || len(c.exact(p.Path+":"+old.Symbol.Qualified, old.Symbol.Name)) > 0
}

// owner is the type of a method in the head; in Go it may stand in another file of the
// package.
func (c *check) owner(file string, old code.Signature) (code.Symbol, bool) {
	if old.Symbol.Language != source.Go {
		return c.Head.Symbol(file + ":" + old.Owner)
	}
	for _, s := range c.Head.Definitions(old.Owner) {
		if s.Qualified == old.Owner && path.Dir(s.Span.Path) == path.Dir(file) {
			return s, true
		}
	}
	return code.Symbol{}, false
}

// nested: what a function defines is seen in it alone, and goes with it.
func nested(s code.Signature) bool { return s.Symbol.Qualified != s.Symbol.Name }

func constructor(s code.Signature) bool {
	return s.Owner != "" && (s.Symbol.Name == "__init__" || s.Symbol.Name == "constructor")
}

// exact are the definitions of a name in the head, without those of another case.
func (c *check) exact(query, name string) []code.Symbol {
	var out []code.Symbol
	for _, s := range c.Head.Definitions(query) {
		if s.Name == name {
			out = append(out, s)
		}
	}
	return out
}

// maxSameName is how many definitions of a name in the head are asked for their callers.
const maxSameName = 40

// claimed are the places that use, or may use, another definition of the name; false if
// there are too many to ask.
func (c *check) claimed(name string) (map[at]bool, bool) {
	others := c.exact(name, name)
	if len(others) > maxSameName {
		return nil, false
	}
	out := map[at]bool{}
	for _, s := range others {
		for _, r := range c.Head.Callers(s) {
			out[place(r)] = true
		}
	}
	return out, true
}

// stands finds a place of the base in the head: the same one in a file that is as it
// was, else one of the same name, receiver and definition around it whose line is there.
func (c *check) stands(ref code.Reference) (code.Reference, bool) {
	p, changed := c.byOld[ref.Path]
	if !changed {
		return ref, true
	}
	if p.After == nil {
		return ref, false
	}
	was := line(p.Before, ref.Line)
	for _, r := range c.Head.References(ref.Name) {
		if r.Path == p.Path && r.Receiver == ref.Receiver && r.In.Qualified == ref.In.Qualified && line(p.After, r.Line) == was {
			r.How, r.Confident = ref.How, true
			return r, true
		}
	}
	return ref, false
}

// line is one line of a file without the space around it.
func line(data []byte, n int) string {
	lines := bytes.SplitN(data, []byte("\n"), n+1)
	if n < 1 || n > len(lines) {
		return ""
	}
	return string(bytes.TrimSpace(lines[n-1]))
}
