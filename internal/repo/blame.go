package repo

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/repomind/repomind/internal/source"
)

// Blamed says which commit gave a line its present form.
type Blamed struct {
	Line    int // in the snapshot
	Text    string
	Commit  source.Commit
	Author  string
	Time    time.Time
	Subject string
	Path    string // of the file in that commit
	Was     int    // the line's number there
	First   bool   // the commit has no parent: what was before is not known
}

// maxBlame bounds the lines of one Blame.
const maxBlame = 2000

// Blame tells for lines start to end of a file which commit last changed each; end 0
// is start. White space alone does not count as a change.
func (s *Snapshot) Blame(ctx context.Context, path string, start, end int) ([]Blamed, error) {
	l, err := s.ReadLines(ctx, path, start, max(start, end))
	if err != nil {
		return nil, err
	}
	if len(l.Text) == 0 {
		return nil, fmt.Errorf("%s has %d lines; line %d is behind the last", source.Quote(l.Span.Path), l.Total, start)
	}
	if len(l.Text) > maxBlame {
		return nil, fmt.Errorf("%w: %d lines; at most %d can be blamed at once", ErrLimit, len(l.Text), maxBlame)
	}
	out, err := s.clone.git.output(ctx, nil, "blame", "--porcelain", "-w", "-L", fmt.Sprintf("%d,%d", l.Span.Start, l.Span.End),
		string(s.commit), "--", l.Span.Path) // git blame has no --end-of-options; a hash cannot be an option
	if err != nil {
		return nil, fmt.Errorf("blame %s: %w", source.Quote(l.Span.Path), err)
	}
	return parseBlame(out)
}

// parseBlame takes git's porcelain format: for each line of the file a line "hash was
// now [count]", what is known of a commit at its first mention, and a tab with the text.
func parseBlame(out []byte) ([]Blamed, error) {
	known := map[source.Commit]*Blamed{}
	var all []Blamed
	var commit *Blamed
	var was, now int
	for raw := range bytes.Lines(out) {
		line := strings.TrimSuffix(string(raw), "\n")
		key, value, _ := strings.Cut(line, " ")
		switch {
		case strings.HasPrefix(line, "\t"):
			if commit == nil {
				return nil, fmt.Errorf("unexpected answer of git blame: %q", line)
			}
			b := *commit
			b.Line, b.Was, b.Text = now, was, cut([]byte(line[1:]), 2000, nil)
			all, commit = append(all, b), nil
		case commit == nil:
			f := strings.Fields(value)
			if !isHash(key) || len(f) < 2 {
				return nil, fmt.Errorf("unexpected answer of git blame: %q", line)
			}
			was, _ = strconv.Atoi(f[0])
			now, _ = strconv.Atoi(f[1])
			if commit = known[source.Commit(key)]; commit == nil {
				commit = &Blamed{Commit: source.Commit(key)}
				known[commit.Commit] = commit
			}
		default:
			commit.header(key, value)
		}
	}
	return all, nil
}

func (b *Blamed) header(key, value string) {
	switch key {
	case "author":
		b.Author = clip(value, 200)
	case "committer-time":
		sec, _ := strconv.ParseInt(value, 10, 64)
		b.Time = time.Unix(sec, 0).UTC()
	case "summary":
		b.Subject = clip(value, 500)
	case "filename":
		b.Path = unquote(value)
	case "boundary":
		b.First = true
	}
}

// unquote undoes git's quoting of names with control characters or quotes in them.
func unquote(name string) string {
	if !strings.HasPrefix(name, `"`) {
		return name
	}
	if plain, err := strconv.Unquote(name); err == nil {
		return plain
	}
	return name
}

// LastChange says what changed a line last: the commit, and what it did around it.
func (s *Snapshot) LastChange(ctx context.Context, path string, line int) (Change, string, error) {
	b, err := s.Blame(ctx, path, line, line)
	if err != nil {
		return Change{}, "", err
	}
	at, err := s.At(ctx, string(b[0].Commit))
	if err != nil {
		return Change{}, "", err
	}
	h, err := at.log(ctx, 1, []string{"-n1"}, "")
	if err != nil || len(h.Changes) == 0 {
		return Change{}, "", err
	}
	patch, err := at.Patch(ctx, b[0].Path)
	return h.Changes[0], patch, err
}
