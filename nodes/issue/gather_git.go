package issue

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/nodes/place"
	"github.com/repomind/repomind/nodes/snip"
	"github.com/repomind/repomind/rag"
)

const (
	maxSuspectFiles = 4
	maxSuspects     = 6
	fileLog         = 12 // commits of one file that are looked at
)

// gatherGit finds the commits that may have brought a regression: those that changed the
// likeliest files after the version that is said to have worked, up to the one that is
// said not to.
func (n nodes) gatherGit(ctx context.Context, g gathering, place *place.Place) (update, error) {
	x, err := place.Index(ctx)
	if err != nil {
		return nil, err
	}
	res, err := x.Search(ctx, g.query(), rag.Options{Files: maxSuspectFiles, Symbols: -1, Chunks: -1})
	if err != nil {
		return nil, err
	}
	w, err := n.windowOf(ctx, g, place.Snapshot)
	if err != nil {
		return nil, err
	}
	changes, err := w.suspects(ctx, res.Files)
	if err != nil {
		return nil, err
	}
	part := Part{Source: FromGit}
	var b strings.Builder
	for _, c := range changes {
		part.Suspects = append(part.Suspects, report.Change{SHA: c.Commit, Date: c.Time, Subject: c.Subject()})
		fmt.Fprintf(&b, "%s  %s  %s  (%s)\n", c.Commit.Short(), c.Time.UTC().Format(time.DateOnly), snip.Clip(c.Subject(), 200), c.Path)
	}
	if b.Len() == 0 {
		part.Notes = []string{w.note + " No commit in it changed the likeliest files."}
	} else {
		part.Pieces = []Piece{{Name: "commits that changed the likeliest files, the newest first", Text: b.String(), Why: w.note, Source: FromGit}}
	}
	return update{fParts.Set([]Part{part})}, nil
}
