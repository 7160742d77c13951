// Package rule finds what is wrong with a change without a model: what can be decided by
// looking at lines, names and the history. Each finding names its evidence, and a rule
// that is not sure says nothing.
package rule

import (
	"context"
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/report"
)

// Change is what the rules look at.
type Change struct {
	Files []File
	// Tree says whether the head has a file.
	Tree func(path string) bool
	// Read gives a file of the base or the head. Nil data stands for one that is not
	// there or is no text.
	Base, Head func(ctx context.Context, path string) ([]byte, error)
	// Commits are the sets of files that earlier commits changed together, each sorted.
	Commits [][]string
}

// File is one changed file.
type File struct {
	Path, Old      string // Old is the path at the base, if it is another
	Status         string // as repo.FileChange has it
	Added, Removed []Line // with the numbers of the head and the base
}

// Line is a line of a file.
type Line struct {
	Number int // from 1
	Text   string
}

// Was is the file's path at the base.
func (f File) Was() string {
	if f.Old != "" {
		return f.Old
	}
	return f.Path
}

// finding is one at a line of the head.
func (f File) finding(rule string, sev report.Severity, at Line, message, why string) report.Finding {
	return report.Finding{
		Lens: report.LensRules, Rule: rule, Severity: sev, Confidence: 1, Path: f.Path, Side: report.Right,
		Start: at.Number, End: at.Number, Quote: at.Text, Message: message, Why: why,
	}
}

// gone is one at a line of the base.
func (f File) gone(rule string, sev report.Severity, at Line, message, why string) report.Finding {
	found := f.finding(rule, sev, at, message, why)
	found.Path, found.Side = f.Was(), report.Left
	return found
}

// rules are all rules, in the order of their findings.
var rules = []func(context.Context, Change) ([]report.Finding, error){
	perFile(secrets), perFile(conflicts), perFile(workflows), perFile(skips), tests, locks, together,
}

// Check runs the rules. The error is that of reading.
func Check(ctx context.Context, c Change) ([]report.Finding, error) {
	var out []report.Finding
	for _, r := range rules {
		found, err := r(ctx, c)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	return out, ctx.Err()
}

func perFile(look func(File) []report.Finding) func(context.Context, Change) ([]report.Finding, error) {
	return func(_ context.Context, c Change) (out []report.Finding, _ error) {
		for _, f := range c.Files {
			out = append(out, look(f)...)
		}
		return out, nil
	}
}

// find gives the changed file of a path.
func (c Change) find(path string) (File, bool) {
	i := slices.IndexFunc(c.Files, func(f File) bool { return f.Path == path })
	if i < 0 {
		return File{}, false
	}
	return c.Files[i], true
}

// short cuts a name for a sentence.
func short(text string) string {
	const most = 120
	if text = strings.TrimSpace(text); len(text) > most {
		return strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}
