package repo

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/repomind/repomind/internal/source"
)

// Change is a commit as the log shows it.
type Change struct {
	Commit  source.Commit
	Parents []source.Commit
	Author  string    // name, without the address
	Time    time.Time // when it was committed; zero if it does not say so
	Message string
	Files   []string // that it changed, at most 200; for merges none
	Path    string   // of the file whose log it is, in this commit; "" where no file is followed
	OldPath string   // what the commit renamed it from
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
// "" for any, without the first skip. Renames of a single file are followed. Zero max
// means 20.
func (s *Snapshot) Log(ctx context.Context, path string, skip, max int) (History, error) {
	path, isFile, err := s.tree.resolve(path)
	if err != nil {
		return History{}, err
	}
	if isFile {
		h, err := s.log(ctx, path, skip, max, "--follow", "--raw", "--abbrev=64")
		var failed *GitError
		if !errors.As(err, &failed) {
			return h, err
		}
		// Following compares contents, and one of them may be among what was left out.
		h, err = s.log(ctx, path, skip, max)
		h.Note = "renames are not followed: an older version is too large to be in the clone"
		return h, err
	}
	return s.log(ctx, path, skip, max)
}

// resolve cleans a path unless the tree has it as it is.
func (t *tree) resolve(path string) (clean string, isFile bool, err error) {
	if _, ok := t.byPath[path]; ok {
		return path, true, nil
	}
	clean, err = source.CleanPath(path)
	_, isFile = t.byPath[clean]
	return clean, isFile, err
}

// log leaves skipping to itself: git's own would lose track of renames.
func (s *Snapshot) log(ctx context.Context, path string, skip, max int, flags ...string) (History, error) {
	max = min(cmp.Or(max, 20), maxLog)
	skip = min(skip, maxLog)
	args := append([]string{"log", "-z", "--no-show-signature", "--no-ext-diff", "--no-textconv", logFormat, fmt.Sprintf("-n%d", skip+max+1)}, flags...)
	args = append(args, "--end-of-options", string(s.commit), "--")
	if path != "" {
		args = append(args, path)
	}
	out, err := s.clone.git.output(ctx, nil, args...)
	if err != nil {
		return History{}, s.clone.broken(err)
	}
	h, err := s.clone.history(ctx, out, skip, max)
	if err == nil && !h.More && s.clone.shallow() {
		h.Note = "the repository that was cloned is shallow: what came before is not known"
	}
	return h, err
}

func (c *Clone) shallow() bool {
	_, err := os.Stat(filepath.Join(c.dir, "shallow"))
	return err == nil
}

func (c *Clone) history(ctx context.Context, out []byte, skip, max int) (History, error) {
	changes, err := parseLog(out)
	if err != nil {
		return History{}, err
	}
	changes = changes[min(skip, len(changes)):]
	h := History{Changes: changes[:min(len(changes), max)], More: len(changes) > max}
	return h, c.addFiles(ctx, h.Changes)
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
	return c.history(ctx, out, 0, max)
}

// parseLog takes what logFormat prints under -z, and behind it what --raw does: a
// record that starts with a colon, and its paths. A message cannot hold a zero byte.
func parseLog(out []byte) ([]Change, error) {
	if len(out) == 0 {
		return nil, nil
	}
	fields := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	var all []Change
	for len(fields) > 0 {
		if len(fields) < logFields || !isHash(fields[0]) {
			return nil, fmt.Errorf("unexpected answer of git log: %.100q", fields[0])
		}
		c := Change{Commit: source.Commit(fields[0]), Author: clip(fields[2], 200), Time: date(fields[3]), Message: clip(fields[4], 20_000)}
		for p := range strings.FieldsSeq(fields[1]) {
			c.Parents = append(c.Parents, source.Commit(p))
		}
		fields = fields[logFields:]
		c.OldPath, c.Path, fields = rawPath(fields)
		all = append(all, c)
	}
	return all, nil
}

// rawPath takes the records of one commit, and gives the paths of the last.
func rawPath(fields []string) (old, path string, rest []string) {
	for len(fields) > 0 && strings.HasPrefix(strings.TrimPrefix(fields[0], "\n"), ":") {
		n := 1 + paths(fields[0])
		if len(fields) < n {
			return old, path, nil
		}
		if old = ""; n == 3 {
			old = fields[1]
		}
		path, fields = fields[n-1], fields[n:]
	}
	return old, path, fields
}

// paths is how many paths follow a record of --raw: its last field is a letter, and a
// rename or copy has two.
func paths(record string) int {
	if status := record[strings.LastIndexByte(record, ' ')+1:]; strings.HasPrefix(status, "R") || strings.HasPrefix(status, "C") {
		return 2
	}
	return 1
}

// date is the zero time for what is no date: a commit may say anything.
func date(seconds string) time.Time {
	sec, err := strconv.ParseInt(strings.TrimSpace(seconds), 10, 64)
	if err != nil || sec < 0 || sec > 1<<40 {
		return time.Time{}
	}
	return time.Unix(sec, 0).UTC()
}

func clip(s string, max int) string {
	s = strings.ToValidUTF8(strings.TrimSpace(s), "�")
	if len(s) > max {
		s = strings.ToValidUTF8(s[:max], "") + "…"
	}
	return s
}

const maxFiles = 200

// addFiles fills in what each commit changed, by one run of git. A path may look like
// anything, so records are told from it by their order.
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
	out, err := c.git.output(ctx, &ask, "diff-tree", "--stdin", "--root", "-r", "-z", "--raw", "--no-renames")
	if err != nil {
		return fmt.Errorf("the files of %d commits: %w", len(changes), c.broken(err))
	}
	fields := strings.Split(string(out), "\x00")
	current := -1
	for len(fields) > 1 {
		if i, ok := at[fields[0]]; ok {
			current, fields = i, fields[1:]
			continue
		}
		if current < 0 || !strings.HasPrefix(fields[0], ":") {
			return fmt.Errorf("unexpected answer of git diff-tree: %.100q", fields[0])
		}
		if len(changes[current].Files) < maxFiles {
			changes[current].Files = append(changes[current].Files, fields[1])
		}
		fields = fields[2:]
	}
	return nil
}

// Commits gives commits up to the snapshot's whose message holds all the words,
// case aside, and that changed a path, "" for any. Zero max means 20.
func (s *Snapshot) Commits(ctx context.Context, words []string, path string, skip, max int) (History, error) {
	path, _, err := s.tree.resolve(path)
	if err != nil {
		return History{}, err
	}
	flags := []string{"-i", "-F", "--all-match"}
	for _, w := range words {
		if strings.ContainsAny(w, "\x00\n") || len(w) > 500 || w == "" {
			return History{}, fmt.Errorf("%q is no word to search for", w)
		}
		flags = append(flags, "--grep="+w)
	}
	return s.log(ctx, path, skip, max, flags...)
}
