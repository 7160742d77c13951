package review

import (
	"context"
	"fmt"
	"slices"

	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/internal/diff"
	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/nodes/place"
	"github.com/repomind/repomind/nodes/snip"
)

// verifyFindings looks up what the lenses found: the place by the quote, the suggestion by
// putting it in, and the finding itself by a second look that tries to refute it. What does
// not hold is taken out and counted.
func (n nodes) verifyFindings(ctx context.Context, s State) (update, error) {
	v, err := n.verifier(ctx, s)
	if err != nil {
		return nil, err
	}
	for _, view := range s.views() {
		for _, f := range view.Rules {
			v.keep(v.placed(f))
		}
		for _, c := range view.Findings {
			v.claim(view.Lens, c)
		}
	}
	if err := v.suggestions(ctx, n.Parser); err != nil {
		return nil, err
	}
	u, err := n.refuteAll(ctx, s, v)
	if err != nil {
		return nil, err
	}
	more, err := n.carry(ctx, s, v)
	if err != nil {
		return nil, err
	}
	v.Settles = s.settles()
	v.threshold(s.Policy)
	return append(append(u, more...), fVerified.Set(v.Verified)), nil
}

// verifier looks things up.
type verifier struct {
	Verified
	ctx     context.Context
	files   map[string]File
	changed map[string]diff.File // what is reviewed, by path
	whole   map[string]diff.File // the whole change, on whose lines comments may stand
	head    *place.Place
	index   *code.Index
	lines   map[string][]string // of files of the head
}

func (n nodes) verifier(ctx context.Context, s State) (*verifier, error) {
	changed, err := n.diff(ctx, s.Origin(), s.span(), s.Files)
	if err != nil {
		return nil, err
	}
	all, err := n.whole(ctx, s.Origin(), s.Compared, s.span(), s.Files)
	if err != nil {
		return nil, err
	}
	whole, err := n.diff(ctx, s.Origin(), s.Compared, all)
	if err != nil {
		return nil, err
	}
	head, err := n.Places.At(ctx, s.Origin(), s.Compared.Head)
	if err != nil {
		return nil, err
	}
	idx, err := head.Code(ctx)
	if err != nil {
		return nil, err
	}
	v := &verifier{ctx: ctx, changed: changed, whole: whole, head: head, index: idx, files: map[string]File{}, lines: map[string][]string{}}
	for _, f := range s.Files {
		v.files[f.Path] = f
	}
	return v, nil
}

func (v *verifier) removed(format string, args ...any) {
	v.Checked.Removed = append(v.Checked.Removed, fmt.Sprintf(format, args...))
}

// claim finds the place of a finding of a model.
func (v *verifier) claim(lens report.Lens, c Claim) {
	v.Checked.Claims++
	p, err := source.CleanPath(c.Path)
	file, ok := v.files[p]
	switch {
	case err != nil || !ok:
		v.removed("%s: %s is not changed", lens, source.Quote(snip.Clip(c.Path, 200)))
		return
	case file.Skip != "":
		v.removed("%s: %s is not reviewed", lens, source.Quote(p))
		return
	case lens == report.LensSecurity && slices.Contains([]source.Role{source.Doc, source.Test, source.Example}, source.RoleOf(p)):
		v.removed("%s: %s is no code that runs", lens, source.Quote(p))
		return
	}
	f := report.Finding{
		Lens: lens, Rule: string(lens), Severity: report.Severity(c.Severity), Confidence: min(max(c.Confidence, 0), 1), Path: p, Side: report.Right,
		Message: c.Message, Why: c.Why, Suggestion: c.Suggestion,
	}
	if !v.quoted(&f, c) {
		v.removed("%s: %s has no %q", lens, source.Quote(p), snip.Clip(snip.Squeeze(c.Quote), 120))
		return
	}
	v.keep(v.placed(f))
}

// quoted finds the lines of a quote: in the hunk that is named, or else in the only one
// that has it, or in lines of the file that the diff does not show. A quote that stands in
// several places is of the file as a whole.
func (v *verifier) quoted(f *report.Finding, c Claim) bool {
	found := v.changed[f.Path].Find(c.Quote)
	for _, narrow := range []func(diff.Match) bool{
		func(m diff.Match) bool { return m.Hunk == c.Hunk-1 },
		func(m diff.Match) bool { return m.Changed > 0 },
	} {
		if some := slices.DeleteFunc(slices.Clone(found), func(m diff.Match) bool { return !narrow(m) }); len(some) > 0 {
			found = some
		}
	}
	f.Quote = snip.Clip(c.Quote, 2000)
	switch len(found) {
	case 0:
		return v.elsewhere(f, c.Quote)
	case 1:
		f.Start, f.End = found[0].Start, found[0].End
		if found[0].Side == diff.Left {
			f.Side, f.Quote = report.Left, v.changed[f.Path].Text(diff.Left, f.Start, f.End)
			return true
		}
		f.Quote = v.text(f.Path, f.Start, f.End)
	}
	return true
}

// elsewhere finds a quote in the head outside the diff, if it stands there once.
func (v *verifier) elsewhere(f *report.Finding, quote string) bool {
	all := v.content(f.Path)
	whole := diff.File{Path: f.Path, Hunks: []diff.Hunk{{New: diff.Range{Start: 1, Lines: len(all)}}}}
	for i, line := range all {
		whole.Hunks[0].Lines = append(whole.Hunks[0].Lines, diff.Line{Op: diff.Context, New: i + 1, Text: line})
	}
	found := whole.Find(quote)
	if len(found) == 1 {
		f.Start, f.End = found[0].Start, found[0].End
		f.Quote = v.text(f.Path, f.Start, f.End)
	}
	return len(found) > 0
}

// placed says of a finding with lines which definition it is in, whether a comment may
// stand there, and what it is known by.
func (v *verifier) placed(f report.Finding) report.Finding {
	side := diff.Right
	if f.Side == report.Left {
		side = diff.Left
	} else if sym, ok := v.index.Enclosing(f.Path, max(f.Start, 1)); ok && f.Start > 0 {
		f.Symbol = sym.Qualified
	}
	in, ok := v.whole[f.Path]
	if !ok {
		in = v.whole[v.renamed(f.Path)] // a finding on the base of a renamed file
	}
	f.Inline = f.Start > 0 && in.Allows(side, f.Start, f.End) == nil
	f.Fingerprint = fingerprint(f)
	return f
}

// renamed is the path at the head of a file of the base.
func (v *verifier) renamed(old string) string {
	for p, f := range v.whole {
		if f.Old == old {
			return p
		}
	}
	return old
}

// content are the lines of a file of the head, none of one that is no text.
func (v *verifier) content(p string) []string {
	if lines, ok := v.lines[p]; ok {
		return lines
	}
	got, err := v.head.Snapshot.ReadLines(v.ctx, p, 1, 0)
	if err != nil {
		got.Text = nil
	}
	v.lines[p] = got.Text
	return got.Text
}
