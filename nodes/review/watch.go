package review

import (
	"fmt"

	"github.com/repomind/repomind/graph"
	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/nodes/told"
)

// Subject names what a run is about: owner/repo#12, or the directory.
func (s State) Subject() string {
	if t := s.Input.Target; t.Number != 0 {
		return fmt.Sprintf("%s#%d", t.Repo, t.Number)
	}
	return s.Origin().String()
}

// Told is what a node found, in a few words, "" for nothing to tell.
func Told(u graph.Update[State]) string {
	if e, ok := told.Field[Ends](u, fCompared.Name()); ok {
		files, _ := told.Field[[]File](u, fFiles.Name())
		return fmt.Sprintf("%s, %s to %s", count(len(files), "file"), e.Base.Short(), e.Head.Short())
	}
	if b, ok := told.Field[[]Bundle](u, fBundles.Name()); ok && len(b) > 1 {
		return count(len(b), "part")
	}
	if views, ok := told.Field[[]View](u, fViews.Name()); ok {
		n := 0
		for _, v := range views {
			n += len(v.Findings) + len(v.Rules)
		}
		return count(n, "finding")
	}
	if v, ok := told.Field[Verified](u, fVerified.Name()); ok {
		return fmt.Sprintf("%s hold, %d removed", count(len(v.Findings), "finding"), len(v.Checked.Removed))
	}
	if c, ok := told.Field[Critique](u, fCritique.Name()); ok && c.Asked {
		return fmt.Sprintf("confidence %.2f", c.Score)
	}
	if r, ok := told.Field[report.Review](u, fReport.Name()); ok {
		return string(r.Verdict)
	}
	return ""
}
