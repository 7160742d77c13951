package issue

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/internal/source"
)

// Finding is what is left of a draft when all of it was looked up.
type Finding struct {
	Statement  string              `json:"statement,omitempty"`
	Hypotheses []report.Hypothesis `json:"hypotheses,omitempty"`
	Locations  []report.Location   `json:"locations,omitempty"`
	Evidence   []report.Evidence   `json:"evidence,omitempty"`
	Quotes     []string            `json:"quotes,omitempty"` // IDs, of an answer or a plan
	Fix        string              `json:"fix,omitempty"`
	FixFiles   []string            `json:"fix_files,omitempty"`
	Checked    report.Checked      `json:"checked"`
	// Since is the commit that brought the fault.
	Since *report.Change `json:"since,omitempty"`
	// Ranked says that the places are those of retrieval: no model named any, or none of
	// those that it named is there.
	Ranked bool `json:"ranked,omitempty"`
}

// verifyClaims looks up each path, symbol and quote of the draft at the commit. What is
// not there is taken out and counted.
func (n nodes) verifyClaims(ctx context.Context, s State) (update, error) {
	place, err := n.Places.At(ctx, s.origin(), s.Commit.Commit)
	if err != nil {
		return nil, err
	}
	idx, err := place.Code(ctx)
	if err != nil {
		return nil, err
	}
	v := &verifier{ctx: ctx, snapshot: place.Snapshot, index: idx, files: map[string]text{}, raw: map[string][]string{}, scores: map[string]float64{}}
	v.issue = s.Issue.Title + "\n" + s.Issue.Body
	for _, c := range s.Issue.Comments {
		v.issue += "\n" + c.Body
	}
	for _, at := range s.Draft.Shown {
		if span, err := source.ParseSpan(at); err == nil {
			v.shown = append(v.shown, span)
		}
	}
	for _, l := range s.Ranking.Places {
		v.scores[l.Path] = l.Score
	}
	v.draft(s.Draft)
	v.since(s.Draft.Since)
	if len(v.Locations) == 0 {
		v.Ranked = true
		v.ranking(s.Ranking.Places)
	}
	return update{fFinding.Set(v.Finding)}, context.Cause(ctx)
}

// verifier looks things up.
type verifier struct {
	Finding
	ctx      context.Context
	snapshot *repo.Snapshot
	index    *code.Index
	issue    string
	shown    []source.Span
	scores   map[string]float64
	files    map[string]text
	raw      map[string][]string
}

func (v *verifier) draft(d Draft) {
	for _, h := range d.Hypotheses {
		v.Hypotheses = append(v.Hypotheses, report.Hypothesis{
			Statement: v.prose("hypothesis", h.Statement), State: report.State(h.State), Reason: v.prose("hypothesis", h.Reason),
			Supporting: v.claims(h.Supporting), Refuting: v.claims(h.Refuting),
		})
	}
	onlyOneChosen(v.Hypotheses)
	v.Quotes = v.claims(d.Quotes)
	v.Statement = v.prose("root cause", d.Statement)
	v.Fix = d.Fix
	for _, spot := range d.Places {
		if l, ok := v.spot(spot); ok && len(v.Locations) < maxPlaces && !slices.ContainsFunc(v.Locations, l.sameAs) {
			l.Rank = len(v.Locations) + 1
			v.Locations = append(v.Locations, l.Location)
		}
	}
	for _, p := range d.FixFiles {
		if p, ok := v.path(p, "file of the fix"); ok && !slices.Contains(v.FixFiles, p) {
			v.FixFiles = append(v.FixFiles, p)
		}
	}
}

// onlyOneChosen leaves the first chosen hypothesis as such; a second one is open.
func onlyOneChosen(all []report.Hypothesis) {
	chosen := false
	for i, h := range all {
		if h.State != report.Chosen {
			continue
		}
		if chosen {
			all[i].State = report.Open
		}
		chosen = true
	}
}

func (v *verifier) removed(format string, args ...any) {
	v.Checked.Removed = append(v.Checked.Removed, fmt.Sprintf(format, args...))
}

// path gives the path of the tree that a model means.
func (v *verifier) path(p, what string) (string, bool) {
	v.Checked.Claims++
	clean, err := source.CleanPath(strings.TrimPrefix(strings.TrimSpace(p), "./"))
	if err == nil {
		if f, err := v.snapshot.Stat(clean); err == nil && f.Mode != source.Dir {
			return f.Path, true
		}
	}
	v.removed("%s: there is no file %s", what, source.Quote(clip(p, 200)))
	return "", false
}

// lines gives a file's lines; none of one that is no text.
func (v *verifier) lines(p string) (raw []string, t text) {
	if t, ok := v.files[p]; ok {
		return v.raw[p], t
	}
	if got, err := v.snapshot.ReadLines(v.ctx, p, 1, 0); err == nil {
		raw = got.Text
	}
	v.raw[p], v.files[p] = raw, newText(raw)
	return raw, v.files[p]
}

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
	l := report.Location{Path: p, Why: v.prose("location", s.Why), Score: v.scores[p]}
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
		v.removed("location: %s has no %q", source.Quote(p), clip(squeeze(s.Quote), 120))
		return location{l}, true
	}
	l.Start, l.End = at.Start, at.End
	if around, ok := v.index.Enclosing(p, at.Start); ok && !(hasSymbol && sym.Span.Start <= at.Start && at.End <= sym.Span.End) {
		l.Symbol = around.Qualified
	}
	return location{l}, true
}

// symbol looks up a name in a file.
func (v *verifier) symbol(p, name string) (code.Symbol, bool) {
	if name = strings.TrimSuffix(strings.TrimSpace(name), "()"); name == "" {
		return code.Symbol{}, false
	}
	v.Checked.Claims++
	for _, sym := range v.index.Definitions(p + ":" + name) {
		if sym.Span.Path == p {
			return sym, true
		}
	}
	for _, sym := range v.index.Definitions(name) {
		if sym.Span.Path == p {
			return sym, true
		}
	}
	v.removed("location: %s does not define %s", source.Quote(p), clip(name, 120))
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
