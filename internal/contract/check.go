package contract

import (
	"bytes"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/internal/source"
)

// check is one run of Check.
type check struct {
	Input
	ctx   context.Context //nolint:containedctx // a check lives as long as the call that made it
	byNew map[string]Pair // files of the head
	byOld map[string]Pair // files of the base
	texts map[string]*text

	touched map[string]bool // the names of functions that give other values than before
}

// text is a file of the head.
type text struct {
	data  []byte
	lines []string
	sites map[[2]int]code.CallSite // by line and column
}

func newCheck(ctx context.Context, in Input) *check {
	c := &check{Input: in, ctx: ctx, byNew: map[string]Pair{}, byOld: map[string]Pair{}, texts: map[string]*text{}, touched: map[string]bool{}}
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
	for _, p := range c.Files {
		key := p.Path
		if source.LanguageOf(p.Path, nil) == source.Go {
			key = path.Dir(p.Path) + "/"
		}
		g := byKey[key]
		if g == nil {
			g = &group{key: key}
			byKey[key] = g
		}
		g.before = append(g.before, signatures(c.Base, p.oldPath(), p.Before)...)
		g.after = append(g.after, signatures(c.Head, p.Path, p.After)...)
	}
	var out []*group
	for _, g := range byKey {
		c.touch(g)
		out = append(out, g)
	}
	slices.SortFunc(out, func(a, b *group) int { return strings.Compare(a.key, b.key) })
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

// text reads a file of the head once.
func (c *check) text(path string) (*text, error) {
	if t, ok := c.texts[path]; ok {
		return t, nil
	}
	data, err := c.Read(c.ctx, path)
	if err != nil {
		return nil, err
	}
	t := &text{data: data, lines: strings.Split(string(data), "\n"), sites: map[[2]int]code.CallSite{}}
	c.texts[path] = t
	if _, ok := c.Head.File(path); !ok {
		return t, nil
	}
	calls, err := code.Calls(path, data)
	if err != nil {
		return t, nil // of another language, or over a limit: it has no calls that are known
	}
	for _, s := range calls {
		t.sites[[2]int{s.Line, s.Column}] = s
	}
	return t, nil
}

// line is one line without its indentation, shortened.
func (t *text) line(n int) string {
	if n < 1 || n > len(t.lines) {
		return ""
	}
	s := strings.TrimSpace(t.lines[n-1])
	return strings.ToValidUTF8(s[:min(len(s), 200)], "")
}

// callers are the sure uses of a symbol of the head.
func (c *check) callers(sym code.Symbol) ([]Caller, error) {
	var out []Caller
	for _, ref := range c.Head.Callers(sym) {
		if !ref.Confident {
			continue
		}
		t, err := c.text(ref.Path)
		if err != nil {
			return nil, err
		}
		if ref.Line > len(t.lines) {
			continue // Read gave another file than the index has
		}
		site, called := t.sites[[2]int{ref.Line, ref.Column}]
		at := Caller{Ref: ref, Site: site, Called: called, Kept: c.kept(t, ref, site), Quote: t.line(ref.Line)}
		at.Open = site.Forwards != "" && (!at.Kept || c.touched[site.Forwards])
		at.Meant = t.meant(ref, site)
		out = append(out, at)
	}
	return out, nil
}

// meant tells a call that a test makes wrong on purpose, by what stands at it or on the
// line before.
func (t *text) meant(ref code.Reference, site code.CallSite) bool {
	says := func(lines []string, signs ...string) bool {
		return slices.ContainsFunc(lines, func(l string) bool {
			return slices.ContainsFunc(signs, func(s string) bool { return strings.Contains(l, s) })
		})
	}
	at := ref.Line - 1
	call := t.lines[at:max(ref.Line, min(site.End, len(t.lines)))]
	return says(call, "# type: ignore") ||
		says(t.lines[max(at-1, 0):ref.Line], "@ts-expect-error", "@ts-ignore", "raises(TypeError", "assertRaises(TypeError")
}

// kept says whether the lines of a call stood in the base as they are.
func (c *check) kept(t *text, ref code.Reference, site code.CallSite) bool {
	p, changed := c.byNew[ref.Path]
	if !changed {
		return true
	}
	lines := t.lines[ref.Line-1 : max(ref.Line, min(site.End, len(t.lines)))]
	return bytes.Contains(p.Before, []byte(strings.Join(lines, "\n")))
}
