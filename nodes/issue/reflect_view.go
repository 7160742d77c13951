package issue

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/repomind/repomind/nodes/snip"
)

const (
	maxAround      = 2  // places whose code the critic sees
	maxAroundLines = 60 // of each
)

// around is the code of the first places: what a quote leaves out may speak against it.
func (n nodes) around(ctx context.Context, s State) ([]shownPiece, error) {
	place, err := n.Places.At(ctx, s.Origin(), s.Commit.Commit)
	if err != nil {
		return nil, err
	}
	idx, err := place.Code(ctx)
	if err != nil {
		return nil, err
	}
	var out []shownPiece
	for _, l := range s.Finding.Locations[:min(len(s.Finding.Locations), maxAround)] {
		span := l.Span()
		if sym, ok := idx.Enclosing(l.Path, max(l.Start, 1)); ok {
			span = sym.Span
		}
		if span.Start == 0 || span.Lines() > maxAroundLines {
			span.Start = max(1, l.Start-maxAroundLines/2)
			span.End = span.Start + maxAroundLines - 1
		}
		lines, err := place.Snapshot.ReadLines(ctx, span.Path, span.Start, span.End)
		if err != nil {
			continue // it is no text
		}
		out = append(out, shownPiece{lines.Span.String(), snip.Numbered(lines.Span.Start, lines.Text)})
	}
	return out, ctx.Err()
}

// hypotheses are those of the finding, each with its quotes.
func (s State) hypotheses() (out []string) {
	for _, h := range s.Finding.Hypotheses {
		text := fmt.Sprintf("(%s) %s Because: %s", h.State, h.Statement, h.Reason)
		if len(h.Supporting) > 0 {
			text += " For it: " + strings.Join(h.Supporting, ", ") + "."
		}
		if len(h.Refuting) > 0 {
			text += " Against it: " + strings.Join(h.Refuting, ", ") + "."
		}
		out = append(out, text)
	}
	return out
}

// quotes are the evidence as a prompt shows it: where it stands, the lines with their
// numbers, and what they are said to show.
func (s State) quotes() (out []shownPiece) {
	for _, e := range s.Finding.Evidence {
		origin := e.ID + " " + e.Span().String()
		if e.SHA != s.Commit.Commit {
			origin += " at the earlier commit " + e.SHA.Short()
		}
		text := snip.Numbered(e.Start, strings.Split(e.Quote, "\n"))
		if e.Shows != "" {
			text += "It is said to show: " + e.Shows + "\n"
		}
		out = append(out, shownPiece{origin, text})
	}
	return out
}

// maxChange bounds what is shown of a commit's change, in bytes.
const maxChange = 3000

// since is the commit that is said to have brought the fault, and what it did to the file
// of the first place.
func (n nodes) since(ctx context.Context, s State) (*shownPiece, error) {
	if s.Finding.Since == nil || len(s.Finding.Locations) == 0 {
		return nil, nil
	}
	place, err := n.Places.At(ctx, s.Origin(), s.Commit.Commit)
	if err != nil {
		return nil, err
	}
	c := s.Finding.Since
	p := &shownPiece{fmt.Sprintf("commit %s of %s", c.SHA.Short(), c.Date.UTC().Format(time.DateOnly)), c.Subject + "\n"}
	at, err := place.Snapshot.At(ctx, string(c.SHA))
	if err != nil {
		return p, ctx.Err()
	}
	h, err := at.Log(ctx, "", 0, 1)
	if err != nil || len(h.Changes) == 0 {
		return p, ctx.Err()
	}
	change, err := at.Patch(ctx, h.Changes[0], s.Finding.Locations[0].Path)
	if err != nil || change == "" {
		p.Text += "It did not change the file of the first place.\n"
		return p, ctx.Err()
	}
	p.Text += snip.Clip(change, maxChange)
	return p, nil
}

// conclusion is what the critic judges.
func (s State) conclusion() string {
	var parts []string
	add := func(name, text string) {
		if text != "" {
			parts = append(parts, name+text)
		}
	}
	add("", s.Finding.Statement)
	add("How to use it: ", s.Finding.Usage)
	add("Why it is so: ", s.Finding.Design)
	if p := s.Finding.Feature; p != nil {
		add("Exists: ", p.Exists)
		add("Plan: ", p.Plan)
	}
	add("Proposed fix: ", s.Finding.Fix)
	return strings.Join(parts, "\n\n")
}
