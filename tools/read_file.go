package tools

import (
	"context"
	"fmt"
	"strings"

	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/source"
)

type readFileParams struct {
	Path      string `json:"path" jsonschema:"file to read, from the root of the repository"`
	StartLine int    `json:"start_line,omitempty" jsonschema:"first line, counted from 1; default 1"`
	EndLine   int    `json:"end_line,omitempty" jsonschema:"last line, counted in; default the end of the file"`
	Revision  string `json:"revision,omitempty" jsonschema:"earlier commit, branch or tag to read at; default the analysed commit"`
}

// maxRead is how many lines one call gives.
const maxRead = 400

func readFile(w Workspace) Tool {
	return define("read_file", func(ctx context.Context, p readFileParams) (Result, error) {
		at, err := w.Snapshot.At(ctx, p.Revision)
		if err != nil {
			return Result{}, explain(w.Snapshot, "", err)
		}
		if p.EndLine > 0 && p.EndLine < p.StartLine {
			return Result{}, fmt.Errorf("end_line %d is before start_line %d", p.EndLine, p.StartLine)
		}
		l, err := at.ReadLines(ctx, p.Path, p.StartLine, p.EndLine)
		if err != nil {
			return Result{}, explainRead(at, p.Path, err)
		}
		if len(l.Text) == 0 && l.Total > 0 {
			return Result{}, fmt.Errorf("%s has %s; start_line must be between 1 and %d", source.Quote(l.Span.Path), count(l.Total, "line"), l.Total)
		}
		return numbered(at, l), nil
	})
}

// numbered is the lines with their numbers, under a head that says which they are and
// how to read on: a reader may see the beginning of the text alone.
func numbered(at *repo.Snapshot, l repo.Lines) Result {
	var p page
	if l.Total == 0 {
		p.line("%s is empty, at commit %s", source.Quote(l.Span.Path), at.Commit().Short())
		return Result{Text: p.String()}
	}
	last := l.Span.Start - 1
	for i, text := range l.Text[:min(len(l.Text), maxRead)] {
		if !p.line("%6d\t%s", l.Span.Start+i, lineText(text)) {
			break
		}
		last = l.Span.Start + i
	}
	more := ""
	if last < l.Span.End {
		more = fmt.Sprintf("; read on with start_line %d", last+1)
		p.note("lines %d to %d are left out%s", last+1, l.Span.End, more)
	}
	there := source.Span{Path: l.Span.Path, Start: l.Span.Start, End: last}
	head := clean(fmt.Sprintf("%s (%s in all, at commit %s%s)\n", there, count(l.Total, "line"), at.Commit().Short(), more))
	r := Result{Text: head + p.String()}
	r.show(len(head), at.Commit(), there)
	return r
}

// explainRead shows a directory to a model that took it for a file.
func explainRead(at *repo.Snapshot, wanted string, err error) error {
	f, found := at.Stat(wanted)
	if found != nil || f.Mode != source.Dir {
		return explain(at, wanted, err)
	}
	entries, _ := at.List(f.Path)
	var names []string
	for _, e := range entries[:min(len(entries), 30)] {
		names = append(names, source.Quote(e.Name))
	}
	return fmt.Errorf("%w; in it are %s", err, strings.Join(names, ", "))
}
