package code

import (
	"strings"
	"unicode/utf8"

	"github.com/repomind/repomind/internal/source"
)

// Calls and imports of the languages that are read by table.

func (g general) call(n int32) {
	callee := int32(0)
	for _, field := range []string{"method", "function", "type", "name", "macro"} {
		if callee = g.child(n, field); callee != 0 {
			break
		}
	}
	switch {
	case g.lang == source.Lua:
		callee = n
	case callee == 0:
		callee = g.named(n)
	}
	g.callee(n, callee)
	for k := g.nodes[n].first; k != 0; k = g.nodes[k].next {
		if !g.isNamed(k) || k == callee && g.nodes[k].first == 0 {
			continue
		}
		if k == callee && (g.rules.members[g.kind(k)] || g.rules.names[g.kind(g.named(k))]) {
			g.each(k)
			continue
		}
		g.walk(k)
	}
}

// callee mentions the last name of what is called, with the text before it.
func (g general) callee(n, callee int32) {
	at := g.lastName(callee)
	if at == 0 {
		return
	}
	from := min(g.nodes[n].start, g.nodes[at].start)
	recv := strings.TrimRight(g.flat(from, g.nodes[at].start, maxText), ".:->?&!\\$@ ")
	recv = strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(recv, "new "), "new"), "$")
	g.mention(at, g.word([]byte(recv)), true)
}

func (g general) member(n int32, call bool) {
	if at := g.lastName(n); at != 0 {
		recv := strings.TrimRight(g.flat(g.nodes[n].start, g.nodes[at].start, maxText), ".:->?&!\\$@ ")
		g.mention(at, g.word([]byte(strings.TrimPrefix(recv, "$"))), call)
	}
}

// lastName is the rightmost name in a node, not counting type arguments.
func (g general) lastName(n int32) int32 {
	for range 30 {
		if g.rules.names[g.kind(n)] && g.nodes[n].first == 0 {
			return n
		}
		next := int32(0)
		for k := range g.children(n) {
			s := g.kind(k)
			if strings.Contains(s, "argument") || strings.Contains(s, "paren") || s == "call_suffix" || s == "class_body" {
				continue
			}
			next = k
		}
		if next == 0 {
			if g.rules.names[g.kind(n)] {
				return n
			}
			return 0
		}
		n = next
	}
	return 0
}

// imported reads the text of an import: include "a.h", using A.B, import a.b.C as D.
func (g general) imported(n int32) {
	text := g.flat(g.nodes[n].start, g.nodes[n].end, 300)
	if g.lang == source.C || g.lang == source.CPP {
		if p := g.expr(g.child(n, "path")); utf8.RuneCountInString(p) > 2 {
			g.bring(g.word([]byte(strings.Trim(p, `"<>`))), "*", "", n)
		}
		return
	}
	for _, word := range []string{"import", "using", "use", "static", "function", "const", "package"} {
		text = strings.TrimPrefix(strings.TrimSpace(text), word+" ")
	}
	text = strings.Trim(text, "; ")
	as := ""
	for _, sep := range []string{" as ", " => "} {
		if before, after, ok := strings.Cut(text, sep); ok {
			text, as = before, strings.TrimSpace(after)
		}
	}
	if alias, full, ok := strings.Cut(text, "="); ok {
		as, text = strings.TrimSpace(alias), strings.TrimSpace(full)
	}
	text = strings.ReplaceAll(strings.TrimSpace(text), `\`, ".")
	i := strings.LastIndexByte(text, '.')
	switch {
	case text == "" || strings.ContainsAny(text, "{}() \n"):
	case strings.HasSuffix(text, ".*") || strings.HasSuffix(text, "._"):
		g.bring(g.word([]byte(text[:len(text)-2])), "*", "", n)
	case g.lang == source.CSharp && as == "" || i < 0:
		g.bring(g.word([]byte(text)), "*", "", n)
	default:
		g.bring(g.word([]byte(text)), g.word([]byte(text[i+1:])), g.word([]byte(as)), n)
	}
}
