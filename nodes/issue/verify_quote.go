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
	"github.com/repomind/repomind/nodes/snip"
)

// claims gives the evidence of those quotes that are where they are said to be.
func (v *verifier) claims(claims []Claim) []string {
	ids := []string{}
	for _, c := range claims {
		v.Checked.Claims++
		e, ok := v.claim(c)
		if !ok {
			v.removed("quote: %s has no %q", source.Quote(snip.Clip(c.Path, 200)), snip.Clip(snip.Squeeze(c.Quote), 120))
			continue
		}
		if id := v.evidence(e, c.Shows); !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// claim finds a quote at the analysed commit, or else in the history that it names.
func (v *verifier) claim(c Claim) (report.Evidence, bool) {
	p, ok := fileAt(v.snapshot, c.Path)
	if ok {
		if at, ok := v.quoted(p, c.Quote, nil); ok {
			raw, _ := v.lines(p)
			return newEvidence(v.snapshot.Commit(), at, raw), true
		}
	}
	return v.claimOfThePast(c)
}

// quoted finds a quote in a file: of several places the one that lies in the symbol, or
// else in a definition that the answer names, or else one that the model was shown.
func (v *verifier) quoted(p, quote string, in *code.Symbol) (source.Span, bool) {
	_, t := v.lines(p)
	found := t.find(parseQuote(quote))
	if len(found) == 0 {
		return source.Span{}, false
	}
	best := found[0]
	for _, rule := range []func(stretch) bool{
		func(m stretch) bool { return v.saw(p, m) },
		func(m stretch) bool {
			return slices.ContainsFunc(v.named, func(s source.Span) bool { return s.Path == p && m.within(s) })
		},
		func(m stretch) bool { return in != nil && m.within(in.Span) },
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

// within says whether a match lies in a definition.
func (m stretch) within(s source.Span) bool { return s.Start <= m.start && m.end <= s.End }

// evidence keeps lines as evidence, the same lines once.
func (v *verifier) evidence(e report.Evidence, shows string) string {
	for _, was := range v.Evidence {
		if was.Span() == e.Span() && was.SHA == e.SHA {
			return was.ID
		}
	}
	e.ID = fmt.Sprintf("e%d", len(v.Evidence)+1)
	v.Evidence = append(v.Evidence, e) // before it is looked up what it shows: the names in it are known
	v.Evidence[len(v.Evidence)-1].Shows = v.prose("evidence", shows)
	return e.ID
}

// newEvidence quotes lines of a file, which are all its lines.
func newEvidence(sha source.Commit, at source.Span, lines []string) report.Evidence {
	text := strings.Join(lines[at.Start-1:at.End], "\n")
	sum := sha256.Sum256([]byte(text))
	return report.Evidence{Path: at.Path, SHA: sha, Start: at.Start, End: at.End, Quote: text, Hash: hex.EncodeToString(sum[:])}
}
