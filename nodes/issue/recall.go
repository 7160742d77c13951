package issue

import (
	"cmp"
	"context"
	"strings"

	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/memory"
	"github.com/repomind/repomind/nodes/lessons"
	"github.com/repomind/repomind/nodes/snip"
)

// memoryRetrieve recalls what earlier runs on this repository found.
func (n nodes) memoryRetrieve(ctx context.Context, s State) (update, error) {
	if n.Memory == nil {
		return nil, nil
	}
	title, body := query(s.Issue)
	var files []string
	for _, f := range s.Frames {
		files = append(files, f.Span.Path)
	}
	all, warnings, err := lessons.Recall(ctx, n.Memory, n.Places, s.Origin(), s.Run, memory.Query{Kind: memory.Issue, Title: title, Body: snip.Clip(body, 16<<10), Files: files})
	if err != nil {
		return nil, err
	}
	return update{fLessons.Set(all), fWarnings.Set(warnings)}, nil
}

// memorySave keeps what a finished run found. A guess is no experience, and neither is a
// list that no one has read.
func (n nodes) memorySave(ctx context.Context, s State) (update, error) {
	text := lesson(s)
	if n.Memory == nil || text == "" {
		return nil, nil
	}
	r := s.Report
	var files []string
	for _, l := range r.Locations {
		files = append(files, l.Path)
	}
	class := report.Likely
	if r.RootCause != nil {
		class = r.RootCause.Class
	}
	warning, err := lessons.Save(ctx, n.Memory, s.Origin(), memory.Lesson{
		Run: s.Run, Kind: memory.Issue, IssueKind: r.IssueKind, Title: s.Issue.Title, Text: text, Files: files,
		Class: class, Confidence: r.Confidence, Commit: string(s.Commit.Commit), Saved: n.now(),
	})
	if err != nil || warning == "" {
		return nil, err
	}
	r.Warnings = append(r.Warnings, warning)
	return update{fReport.Set(r)}, nil
}

// lesson is what is worth to be kept, "" for nothing.
func lesson(s State) string {
	r := s.Report
	switch {
	case r.Status != report.Completed || !s.Draft.ByModel || s.Approval.Asked || s.Route.Kind == report.Security:
		return "" // what a person had to allow is not shown to runs that nobody has to
	case r.RootCause != nil && r.RootCause.Class != report.Inconclusive:
		return strings.TrimSpace("Root cause: " + r.RootCause.Statement + "\nFix: " + s.Finding.Fix)
	case r.RootCause == nil && r.Confidence >= enough:
		return strings.TrimSpace(cmp.Or(s.Finding.Statement, s.Finding.Design, s.Finding.Usage))
	}
	return ""
}
