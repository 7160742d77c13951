package contract

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/internal/source"
)

// text is a file of the head.
type text struct {
	data  []byte
	lines []string
	sites map[[2]int]code.CallSite // by line and column
}

// text reads a file of the head once. One that cannot be read is empty, and ends the check.
func (c *check) text(path string) *text {
	if t, ok := c.texts[path]; ok {
		return t
	}
	t := &text{sites: map[[2]int]code.CallSite{}}
	c.texts[path] = t
	data, err := c.read(path)
	if err != nil {
		c.err = cmp.Or(c.err, err)
		return t
	}
	t.data, t.lines = data, strings.Split(string(data), "\n")
	if _, ok := c.Head.File(path); ok {
		t.locate(path)
	}
	return t
}

// locate finds the calls; there are none that are known in another language, or in a file
// over a limit.
func (t *text) locate(path string) {
	calls, err := code.Calls(path, t.data)
	if err != nil {
		return
	}
	for _, s := range calls {
		t.sites[[2]int{s.Line, s.Column}] = s
	}
}

// line is one line without its indentation, shortened.
func (t *text) line(n int) string {
	if n < 1 || n > len(t.lines) {
		return ""
	}
	s := strings.TrimSpace(t.lines[n-1])
	return strings.ToValidUTF8(s[:min(len(s), 200)], "")
}

// within are the lines of a span.
func (t *text) within(s source.Span) string {
	if s.Start < 1 || s.Start > len(t.lines) {
		return ""
	}
	return strings.Join(t.lines[s.Start-1:max(s.Start, min(s.End, len(t.lines)))], "\n")
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
