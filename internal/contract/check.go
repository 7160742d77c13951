package contract

import (
	"context"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/internal/source"
)

// check is one run of Check.
type check struct {
	Input
	read  func(path string) ([]byte, error)
	err   error           // the first of read
	byNew map[string]Pair // files of the head
	byOld map[string]Pair // files of the base
	texts map[string]*text

	touched map[string]bool // the names of functions that give other values than before
}

func newCheck(ctx context.Context, in Input) *check {
	read := func(path string) ([]byte, error) { return in.Read(ctx, path) }
	c := &check{Input: in, read: read, byNew: map[string]Pair{}, byOld: map[string]Pair{}, texts: map[string]*text{}, touched: map[string]bool{}}
	for _, p := range in.Files {
		if p.After != nil {
			c.byNew[p.Path] = p
		}
		if p.Before != nil {
			c.byOld[p.oldPath()] = p
		}
	}
	return c
}

// group is what shares a space of names: a package of Go, or else a file.
type group struct {
	key           string
	before, after []code.Signature
}

// groups are in order of their keys.
func (c *check) groups() []*group {
	byKey := map[string]*group{}
	read := c.signatures()
	for i, p := range c.Files {
		key := p.Path
		if source.LanguageOf(p.Path, nil) == source.Go {
			key = path.Dir(p.Path) + "/"
		}
		g := byKey[key]
		if g == nil {
			g = &group{key: key}
			byKey[key] = g
		}
		g.before = append(g.before, read[i].before...)
		g.after = append(g.after, read[i].after...)
	}
	var out []*group
	for _, g := range byKey {
		c.touch(g)
		out = append(out, g)
	}
	slices.SortFunc(out, func(a, b *group) int { return strings.Compare(a.key, b.key) })
	return out
}

// signatures reads those of all files, as many at once as there are processors: to parse
// them is most of the work.
func (c *check) signatures() []group {
	out := make([]group, len(c.Files))
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var wg sync.WaitGroup
	for i, p := range c.Files {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			out[i] = group{before: signatures(c.Base, p.oldPath(), p.Before), after: signatures(c.Head, p.Path, p.After)}
		})
	}
	wg.Wait()
	return out
}

// touch notes what gives other values than before.
func (c *check) touch(g *group) {
	for _, change := range Compare(g.before, g.after) {
		if change.Kind == Results || change.Kind == Removed {
			c.touched[change.Symbol.Name] = true
		}
	}
}

// signatures are none for what the index could not read: its parser may have died of it.
func signatures(idx *code.Index, path string, data []byte) []code.Signature {
	if _, ok := idx.File(path); !ok || data == nil {
		return nil
	}
	out, err := code.SignaturesOf(path, data)
	if err != nil {
		return nil // of another language, or over a limit
	}
	return out
}

// callers are the sure uses of a symbol of the head.
func (c *check) callers(sym code.Symbol) []Caller {
	var out []Caller
	for _, ref := range c.Head.Callers(sym) {
		if !ref.Confident {
			continue
		}
		t := c.text(ref.Path)
		if ref.Line > len(t.lines) {
			continue // Read gave nothing, or another file than the index has
		}
		site, called := t.sites[[2]int{ref.Line, ref.Column}]
		at := Caller{Ref: ref, Site: site, Called: called, Kept: c.kept(t, ref, site), Quote: t.line(ref.Line)}
		at.Open = site.Forwards != "" && (!at.Kept || c.touched[site.Forwards])
		at.Meant = t.meant(ref, site)
		out = append(out, at)
	}
	return out
}
