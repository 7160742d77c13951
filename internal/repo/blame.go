package repo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
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
// is start. White space alone does not count as a change. note says what could not be
// looked into, "" for nothing.
func (s *Snapshot) Blame(ctx context.Context, path string, start, end int) (lines []Blamed, note string, err error) {
	l, err := s.ReadLines(ctx, path, start, max(start, end))
	if err != nil {
		return nil, "", err
	}
	if len(l.Text) == 0 {
		return nil, "", fmt.Errorf("%s has %d lines; line %d is behind the last", source.Quote(l.Span.Path), l.Total, start)
	}
	if len(l.Text) > maxBlame {
		return nil, "", fmt.Errorf("%w: %d lines; at most %d can be blamed at once", ErrLimit, len(l.Text), maxBlame)
	}
	out, err := s.blame(ctx, l.Span)
	var failed *GitError
	if errors.As(err, &failed) {
		var since source.Commit
		if since, err = s.firstSeen(ctx, l.Span.Path); err == nil {
			out, err = s.blame(ctx, l.Span, "^"+string(since))
			note = "versions before " + since.Short() + " are too large to be in the clone: what is put down to it may be older"
		}
	}
	if err != nil {
		return nil, "", fmt.Errorf("blame %s: %w", source.Quote(l.Span.Path), s.clone.broken(err))
	}
	lines, err = parseBlame(out)
	if note == "" && s.clone.shallow() && slices.ContainsFunc(lines, func(b Blamed) bool { return b.First }) {
		note = "the repository that was cloned is shallow: what is put down to its oldest commit may be older"
	}
	return lines, note, err
}

func (s *Snapshot) blame(ctx context.Context, at source.Span, since ...string) ([]byte, error) {
	args := []string{"blame", "--porcelain", "-w", "-L", fmt.Sprintf("%d,%d", at.Start, at.End), string(s.commit)}
	args = append(append(args, since...), "--", at.Path) // git blame has no --end-of-options; a hash cannot be an option
	return s.clone.git.output(ctx, nil, args...)
}

// firstSeen is the oldest commit of a file since when each version is in the clone.
func (s *Snapshot) firstSeen(ctx context.Context, path string) (source.Commit, error) {
	out, err := s.clone.git.output(ctx, nil, "log", "-z", "--raw", "--abbrev=64", "--no-renames", "--format=%H", fmt.Sprintf("-n%d", maxLog),
		"--end-of-options", string(s.commit), "--", path)
	if err != nil {
		return "", err
	}
	var raw []rawChange
	var commits []source.Commit
	commit := source.Commit("")
	for field := range strings.SplitSeq(string(out), "\x00") {
		if f := strings.Fields(strings.TrimPrefix(field, "\n:")); isHash(field) {
			commit = source.Commit(field)
		} else if strings.HasPrefix(field, "\n:") && len(f) == 5 {
			raw, commits = append(raw, rawChange{new: f[3]}), append(commits, commit)
		}
	}
	unseen, err := s.clone.missing(ctx, raw)
	if err != nil {
		return "", err
	}
	first := s.commit
	for i, r := range raw {
		if unseen[r.new] {
			break
		}
		first = commits[i]
	}
	return first, nil
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
		b.Time = date(value)
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

// LastChange says what changed a line last: the commit, and what it did to the file.
func (s *Snapshot) LastChange(ctx context.Context, path string, line int) (Change, string, error) {
	b, _, err := s.Blame(ctx, path, line, line)
	if err != nil {
		return Change{}, "", err
	}
	out, err := s.clone.git.output(ctx, nil, "log", "-z", "-1", "--no-show-signature", logFormat, "--end-of-options", string(b[0].Commit), "--")
	if err != nil {
		return Change{}, "", s.clone.broken(err)
	}
	h, err := s.clone.history(ctx, out, 0, 1)
	if err != nil || len(h.Changes) == 0 {
		return Change{}, "", err
	}
	patch, err := s.Patch(ctx, h.Changes[0], b[0].Path)
	return h.Changes[0], patch, err
}
