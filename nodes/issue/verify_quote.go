package issue

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/internal/source"
)

// claims gives the evidence of those quotes that are where they are said to be.
func (v *verifier) claims(claims []Claim) []string {
	ids := []string{}
	for _, c := range claims {
		p, ok := v.path(c.Path, "quote")
		if !ok {
			continue
		}
		at, ok := v.quoted(p, c.Quote, nil)
		if !ok {
			v.removed("quote: %s has no %q", source.Quote(p), clip(squeeze(c.Quote), 120))
			continue
		}
		if id := v.evidence(at, c.Shows); !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// quoted finds a quote in a file: of several places the one that lies in the symbol, or
// else one that the model was shown.
func (v *verifier) quoted(p, quote string, in *code.Symbol) (source.Span, bool) {
	_, t := v.lines(p)
	found := t.find(parseQuote(quote))
	if len(found) == 0 {
		return source.Span{}, false
	}
	best := found[0]
	for _, rule := range []func(stretch) bool{
		func(m stretch) bool { return v.saw(p, m) },
		func(m stretch) bool { return in != nil && in.Span.Start <= m.start && m.end <= in.Span.End },
	} {
		if i := slices.IndexFunc(found, rule); i >= 0 {
			best = found[i]
		}
	}
	return source.Span{Path: p, Start: best.start, End: best.end}, true
}

func (v *verifier) saw(p string, m stretch) bool {
	return slices.ContainsFunc(v.shown, func(s source.Span) bool { return s.Path == p && s.Start <= m.start && m.end <= max(s.End, s.Start) })
}

// evidence keeps lines as evidence, the same lines once.
func (v *verifier) evidence(at source.Span, shows string) string {
	for _, e := range v.Evidence {
		if e.Span() == at {
			return e.ID
		}
	}
	raw, _ := v.lines(at.Path)
	text := strings.Join(raw[at.Start-1:at.End], "\n")
	sum := sha256.Sum256([]byte(text))
	e := report.Evidence{
		ID: fmt.Sprintf("e%d", len(v.Evidence)+1), Path: at.Path, SHA: v.snapshot.Commit(), Start: at.Start, End: at.End,
		Quote: text, Hash: hex.EncodeToString(sum[:]), Shows: v.prose("evidence", shows),
	}
	v.Evidence = append(v.Evidence, e)
	return e.ID
}
