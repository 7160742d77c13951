package issue

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/nodes/snip"
)

// Finding is what is left of a draft when all of it was looked up.
type Finding struct {
	Statement  string              `json:"statement,omitempty"`
	Hypotheses []report.Hypothesis `json:"hypotheses,omitempty"`
	Locations  []report.Location   `json:"locations,omitempty"`
	Evidence   []report.Evidence   `json:"evidence,omitempty"`
	Quotes     []string            `json:"quotes,omitempty"` // IDs, of an answer or a plan
	Usage      string              `json:"usage,omitempty"`
	Design     string              `json:"design,omitempty"`
	Feature    *report.FeaturePlan `json:"feature,omitempty"`
	Missing    []string            `json:"missing,omitempty"`
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
	v, err := n.verifier(ctx, s)
	if err != nil {
		return nil, err
	}
	for _, at := range s.Draft.Shown {
		if span, err := source.ParseSpan(at); err == nil {
			v.shown = append(v.shown, span)
		}
	}
	v.draft(s.Draft)
	if len(v.Locations) == 0 {
		v.Ranked = true
		v.ranking(s.Ranking.Places)
	}
	return update{fFinding.Set(v.Finding)}, context.Cause(ctx)
}

func (n nodes) verifier(ctx context.Context, s State) (*verifier, error) {
	place, err := n.Places.At(ctx, s.Origin(), s.Commit.Commit)
	if err != nil {
		return nil, err
	}
	idx, err := place.Code(ctx)
	if err != nil {
		return nil, err
	}
	v := &verifier{ctx: ctx, snapshot: place.Snapshot, index: idx, files: map[string]text{}, raw: map[string][]string{}}
	v.issue = s.Issue.Title + "\n" + s.Issue.Body
	for _, c := range s.Issue.Comments {
		v.issue += "\n" + c.Body
	}
	return v, nil
}

// verifier looks things up.
type verifier struct {
	Finding
	ctx      context.Context
	snapshot *repo.Snapshot
	index    *code.Index
	issue    string
	foreign  bool // names of other libraries may stand in the text
	shown    []source.Span
	named    []source.Span // the definitions that the answer names
	past     past
	files    map[string]text
	raw      map[string][]string
}

func (v *verifier) draft(d Draft) {
	v.since(d.Since)
	for _, spot := range d.Places {
		if sym, ok := v.defined(spot.Path, spot.Symbol); ok {
			v.named = append(v.named, sym.Span)
		}
	}
	for _, h := range d.Hypotheses {
		found := report.Hypothesis{State: report.State(h.State), Supporting: v.claims(h.Supporting), Refuting: v.claims(h.Refuting)}
		found.Statement, found.Reason = v.prose("hypothesis", h.Statement), v.prose("hypothesis", h.Reason)
		v.Hypotheses = append(v.Hypotheses, found)
	}
	onlyOneChosen(v.Hypotheses)
	v.Quotes = v.claims(d.Quotes)
	v.Statement = v.prose("root cause", d.Statement)
	v.Usage, v.Design = v.advice(d.Usage), v.advice(d.Design)
	for _, m := range d.Missing {
		v.Missing = append(v.Missing, v.prose("missing", m))
	}
	v.Fix, v.Feature = v.proposal(d.Fix), v.plan(d.Feature)
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

func (v *verifier) plan(p *report.FeaturePlan) *report.FeaturePlan {
	if p == nil {
		return nil
	}
	out := *p
	out.Plan, out.Breaking = v.proposal(p.Plan), nil
	for _, b := range p.Breaking {
		out.Breaking = append(out.Breaking, v.prose("risk", b))
	}
	return &out
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
	if found, ok := fileAt(v.snapshot, p); ok {
		return found, true
	}
	v.removed("%s: there is no file %s", what, source.Quote(snip.Clip(p, 200)))
	return "", false
}

// fileAt is the file of a snapshot that a model means.
func fileAt(s *repo.Snapshot, p string) (string, bool) {
	clean, err := source.CleanPath(strings.TrimPrefix(strings.TrimSpace(p), "./"))
	if err != nil {
		return "", false
	}
	f, err := s.Stat(clean)
	return f.Path, err == nil && f.Mode != source.Dir
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
