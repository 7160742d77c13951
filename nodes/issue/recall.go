package issue

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/memory"
	"github.com/repomind/repomind/nodes/snip"
)

// maxLessons is how many lessons are recalled.
const maxLessons = 3

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
	got, err := n.Memory.Recall(ctx, memory.Query{Repo: s.repository(), Kind: memory.Issue, Title: title, Body: snip.Clip(body, 16<<10), Files: files, Limit: maxLessons})
	if err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return update{fWarnings.Set([]string{fmt.Sprintf("earlier runs were not recalled: %v", err)})}, nil
	}
	var lessons []report.Lesson
	for _, l := range got.Lessons {
		if l.Run == s.Run {
			continue
		}
		if s.Origin().Repo.Name == "" && !n.has(ctx, s, l.Commit) {
			continue // another repository stood in this directory
		}
		lessons = append(lessons, report.Lesson{Run: l.Run, Title: l.Title, Text: l.Text, Class: l.Class, Commit: source.Commit(l.Commit), Saved: l.Saved, Why: l.Why})
	}
	return update{fLessons.Set(lessons), fWarnings.Set(got.Notes)}, nil
}

// has says whether the repository has a commit.
func (n nodes) has(ctx context.Context, s State, commit string) bool {
	clone, err := n.Places.Clone(ctx, s.Origin())
	if err != nil {
		return false
	}
	_, err = clone.Resolve(ctx, commit)
	return err == nil
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
	err := n.Memory.Save(ctx, memory.Lesson{
		Run: s.Run, Repo: s.repository(), Kind: memory.Issue, IssueKind: r.IssueKind, Title: s.Issue.Title, Text: text, Files: files,
		Class: class, Confidence: r.Confidence, Commit: string(s.Commit.Commit), Saved: n.now(),
	})
	if err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		r.Warnings = append(r.Warnings, fmt.Sprintf("the lesson was not kept: %v", err))
		return update{fReport.Set(r)}, nil
	}
	return nil, nil
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

// repository names the repository in the same way each time: by where it lives if that
// is known, else by its directory.
func (s State) repository() string {
	if r := s.Origin().Repo; r.Name != "" {
		return r.HostName() + "/" + r.Owner + "/" + r.Name
	}
	return s.Origin().Dir
}
