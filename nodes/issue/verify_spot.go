package issue

import (
	"errors"
	"strings"

	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/nodes/snip"
)

// location is a place that is there.
type location struct{ report.Location }

func (l location) sameAs(m report.Location) bool {
	return l.Path == m.Path && l.Symbol == m.Symbol && l.Start == m.Start
}

// spot looks up a place: the file, then the symbol in it, then the quote. The lines are
// those of the quote, else those of the symbol.
func (v *verifier) spot(s Spot) (location, bool) {
	p, ok := v.path(s.Path, "location")
	if !ok {
		return location{}, false
	}
	l := report.Location{Path: p, Why: v.prose("location", s.Why)}
	sym, hasSymbol := v.symbol(p, s.Symbol)
	if hasSymbol {
		l.Symbol, l.Start, l.End = sym.Qualified, sym.Span.Start, sym.Span.End
	}
	if strings.TrimSpace(s.Quote) == "" {
		return location{l}, true
	}
	v.Checked.Claims++
	in := &sym
	if !hasSymbol {
		in = nil
	}
	at, ok := v.quoted(p, s.Quote, in)
	if !ok {
		v.removed("location: %s has no %q", source.Quote(p), snip.Clip(snip.Squeeze(s.Quote), 120))
		return location{l}, true
	}
	l.Start, l.End = at.Start, at.End
	if !(hasSymbol && sym.Span.Start <= at.Start && at.End <= sym.Span.End) {
		around, _ := v.index.Enclosing(p, at.Start)
		l.Symbol = around.Qualified // "" at the top of a file
	}
	return location{l}, true
}

// symbol looks up a name in a file.
func (v *verifier) symbol(p, name string) (code.Symbol, bool) {
	if name = strings.TrimSuffix(strings.TrimSpace(name), "()"); name == "" {
		return code.Symbol{}, false
	}
	v.Checked.Claims++
	if sym, ok := v.defined(p, name); ok {
		return sym, true
	}
	v.removed("location: %s does not define %s", source.Quote(p), snip.Clip(name, 120))
	return code.Symbol{}, false
}

// defined is the definition of a name in a file.
func (v *verifier) defined(p, name string) (code.Symbol, bool) {
	if name = strings.TrimSuffix(strings.TrimSpace(name), "()"); name == "" {
		return code.Symbol{}, false
	}
	for _, qualified := range []string{p + ":" + name, name} {
		for _, sym := range v.index.Definitions(qualified) {
			if sym.Span.Path == p {
				return sym, true
			}
		}
	}
	return code.Symbol{}, false
}

// ranking takes the retriever's places, which are looked up like all others.
func (v *verifier) ranking(places []report.Location) {
	for _, l := range places {
		if f, err := v.snapshot.Stat(l.Path); errors.Is(err, repo.ErrNotExist) || err == nil && f.Mode == source.Dir {
			v.removed("location: there is no file %s", source.Quote(l.Path))
			continue
		}
		if raw, _ := v.lines(l.Path); l.End > len(raw) {
			l.Start, l.End = 0, 0
		}
		l.Rank = len(v.Locations) + 1
		v.Locations = append(v.Locations, l)
	}
}
