package repo

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/repomind/repomind/internal/source"
)

// Change is a commit as the log shows it.
type Change struct {
	Commit  source.Commit
	Parents []source.Commit
	Author  string    // name, without the address
	Time    time.Time // when it was committed
	Message string
	Files   []string // that it changed, at most 200; for merges none
}

// Subject is the first line of the message.
func (c Change) Subject() string {
	line, _, _ := strings.Cut(c.Message, "\n")
	return line
}

// History is part of a log, the newest commit first.
type History struct {
	Changes []Change
	More    bool   // there are older ones
	Note    string // what could not be followed, "" for nothing
}

const (
	logFormat = "--format=%H%x00%P%x00%an%x00%ct%x00%B"
	logFields = 5
	maxLog    = 1000
)

// Log gives the last commits up to the snapshot's that changed a file or directory,
// "" for any. Renames of a single file are followed. Zero max means 20.
func (s *Snapshot) Log(ctx context.Context, path string, max int) (History, error) {
	clean, err := source.CleanPath(path)
	if err != nil {
		return History{}, err
	}
	max = min(cmp.Or(max, 20), maxLog)
	args := []string{fmt.Sprintf("-n%d", max+1)}
	_, isFile := s.tree.byPath[clean]
	if isFile {
		args = append(args, "--follow")
	}
	h, err := s.log(ctx, max, args, clean)
	var failed *GitError
	if isFile && errors.As(err, &failed) {
		// Following compares contents, and one of them may be among what was left out.
		if h, err = s.log(ctx, max, args[:1], clean); err == nil {
			h.Note = "renames are not followed: an older version is too large to be in the clone"
		}
	}
	return h, err
}

func (s *Snapshot) log(ctx context.Context, max int, args []string, path string) (History, error) {
	args = append([]string{"log", "-z", "--no-show-signature", "--no-ext-diff", "--no-textconv", logFormat}, args...)
	args = append(args, "--end-of-options", string(s.commit), "--")
	if path != "" {
		args = append(args, path)
	}
	out, err := s.clone.git.output(ctx, nil, args...)
	if err != nil {
		return History{}, s.clone.broken(err)
	}
	changes, err := parseLog(out)
	if err != nil {
		return History{}, err
	}
	h := History{Changes: changes[:min(len(changes), max)], More: len(changes) > max}
	return h, s.clone.addFiles(ctx, h.Changes)
}

// Between gives the commits of head that base does not have, the newest first: those
// of a pull request. Zero max means 250.
func (c *Clone) Between(ctx context.Context, base, head source.Commit, max int) (History, error) {
	max = min(cmp.Or(max, 250), maxLog)
	out, err := c.git.output(ctx, nil, "log", "-z", "--no-show-signature", logFormat, fmt.Sprintf("-n%d", max+1),
		"--end-of-options", string(head), "^"+string(base), "--")
	if err != nil {
		return History{}, fmt.Errorf("the commits from %s to %s: %w", base.Short(), head.Short(), c.broken(err))
	}
	changes, err := parseLog(out)
	if err != nil {
		return History{}, err
	}
	h := History{Changes: changes[:min(len(changes), max)], More: len(changes) > max}
	return h, c.addFiles(ctx, h.Changes)
}

// parseLog takes what logFormat prints under -z. A message cannot hold a zero byte.
func parseLog(out []byte) ([]Change, error) {
	if len(out) == 0 {
		return nil, nil
	}
	fields := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	if len(fields)%logFields != 0 {
		return nil, fmt.Errorf("unexpected answer of git log: %d fields", len(fields))
	}
	var all []Change
	for ; len(fields) > 0; fields = fields[logFields:] {
		var sec int64
		if _, err := fmt.Sscan(fields[3], &sec); err != nil {
			return nil, fmt.Errorf("the date of %s: %w", fields[0], err)
		}
		c := Change{Commit: source.Commit(fields[0]), Author: clip(fields[2], 200), Time: time.Unix(sec, 0).UTC(), Message: clip(fields[4], 20_000)}
		for p := range strings.FieldsSeq(fields[1]) {
			c.Parents = append(c.Parents, source.Commit(p))
		}
		all = append(all, c)
	}
	return all, nil
}

func clip(s string, max int) string {
	s = strings.ToValidUTF8(strings.TrimSpace(s), "�")
	if len(s) > max {
		s = strings.ToValidUTF8(s[:max], "") + "…"
	}
	return s
}

const maxFiles = 200

// addFiles fills in what each commit changed, by one run of git.
func (c *Clone) addFiles(ctx context.Context, changes []Change) error {
	if len(changes) == 0 {
		return nil
	}
	var ask bytes.Buffer
	at := map[string]int{}
	for i, ch := range changes {
		ask.WriteString(string(ch.Commit) + "\n")
		at[string(ch.Commit)] = i
	}
	out, err := c.git.output(ctx, &ask, "diff-tree", "--stdin", "--root", "-r", "-z", "--name-only", "--no-renames")
	if err != nil {
		return fmt.Errorf("the files of %d commits: %w", len(changes), c.broken(err))
	}
	current := -1
	for name := range strings.SplitSeq(string(out), "\x00") {
		if i, ok := at[name]; ok {
			current = i
		} else if current >= 0 && name != "" && len(changes[current].Files) < maxFiles {
			changes[current].Files = append(changes[current].Files, name)
		}
	}
	return nil
}

// Commits gives commits up to the snapshot's whose message holds all the words,
// case aside. Zero max means 20.
func (s *Snapshot) Commits(ctx context.Context, words []string, path string, max int) (History, error) {
	clean, err := source.CleanPath(path)
	if err != nil {
		return History{}, err
	}
	max = min(cmp.Or(max, 20), maxLog)
	args := []string{fmt.Sprintf("-n%d", max+1), "-i", "-F", "--all-match"}
	for _, w := range words {
		if strings.ContainsAny(w, "\x00\n") || len(w) > 500 || w == "" {
			return History{}, fmt.Errorf("%q is no word to search for", w)
		}
		args = append(args, "--grep="+w)
	}
	return s.log(ctx, max, args, clean)
}
