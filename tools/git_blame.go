package tools

import (
	"context"
	"fmt"

	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/source"
)

type gitBlameParams struct {
	Path      string `json:"path" jsonschema:"file to look at"`
	StartLine int    `json:"start_line" jsonschema:"first line, counted from 1"`
	EndLine   int    `json:"end_line,omitempty" jsonschema:"last line, counted in; default start_line"`
	Revision  string `json:"revision,omitempty" jsonschema:"earlier commit, branch or tag to look at; default the analysed commit"`
}

// maxBlame is how many lines one call gives.
const maxBlame = 200

func gitBlame(w Workspace) Tool {
	return define("git_blame", func(ctx context.Context, p gitBlameParams) (Result, error) {
		at, err := w.Snapshot.At(ctx, p.Revision)
		if err != nil {
			return Result{}, explain(w.Snapshot, "", err)
		}
		if p.StartLine < 1 || p.EndLine != 0 && p.EndLine < p.StartLine {
			return Result{}, fmt.Errorf("lines %d to %d are no range; start_line counts from 1 and end_line is not before it", p.StartLine, p.EndLine)
		}
		last := max(p.EndLine, p.StartLine)
		lines, note, err := at.Blame(ctx, p.Path, p.StartLine, min(last, p.StartLine+maxBlame-1))
		if err != nil {
			return Result{}, explainRead(at, p.Path, err)
		}
		result := blamed(at, p.Path, lines, last)
		if note != "" {
			result.Text += "[" + note + "]\n"
		}
		return result, nil
	})
}

func blamed(at *repo.Snapshot, path string, lines []repo.Blamed, wanted int) Result {
	var out page
	if f, err := at.Stat(path); err == nil {
		path = f.Path
	}
	var result Result
	var before source.Commit
	told := map[source.Commit]bool{}
	last := lines[0].Line - 1
	for _, b := range lines {
		head := b.Commit != before || len(result.Shown) == 0
		if head && !out.line("%s", blameHead(b, path, told)) {
			break
		}
		told[b.Commit] = true
		begin := out.Len()
		if !out.line("%6d\t%s", b.Line, lineText(b.Text)) {
			break
		}
		if head {
			result.show(begin, at.Commit(), source.Span{Path: path, Start: b.Line})
		}
		before, last = b.Commit, b.Line
		result.Shown[len(result.Shown)-1].Span.End = last
	}
	if last < wanted && len(lines) == maxBlame || out.full {
		out.note("lines from %d on are left out; go on with start_line %d", last+1, last+1)
	}
	result.Text = out.String()
	return result
}

// blameHead names a commit above its lines: in full once, then by its hash alone.
func blameHead(b repo.Blamed, path string, told map[source.Commit]bool) string {
	if told[b.Commit] {
		return b.Commit.Short()
	}
	return fmt.Sprintf("%s %s %s: %s%s", b.Commit.Short(), day(b.Time), b.Author, b.Subject, was(b, path))
}

func was(b repo.Blamed, path string) string {
	if b.Path != "" && b.Path != path {
		return fmt.Sprintf(" (then %s)", source.Quote(b.Path))
	}
	return ""
}
