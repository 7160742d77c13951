package repo

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/repomind/repomind/internal/source"
)

// FileChange is what a range of commits did to one file.
type FileChange struct {
	Status  string // added, modified, removed, renamed or copied, as GitHub calls it
	Path    string
	OldPath string // where it was renamed or copied from
	Added   int    // lines
	Deleted int
	Binary  bool
	Unseen  bool // a side is not in the clone: no lines and no patch
}

// Changes compares the trees of two commits: for a pull request, the merge base and
// the head.
func (c *Clone) Changes(ctx context.Context, base, head source.Commit) ([]FileChange, error) {
	out, err := c.git.output(ctx, nil, c.diffArgs(base, head, "--raw", "-z", "--abbrev=64", "--no-renames")...)
	if err != nil {
		return nil, fmt.Errorf("diff %s %s: %w", base.Short(), head.Short(), c.broken(err))
	}
	raw, err := parseRaw(out)
	if err != nil {
		return nil, err
	}
	unseen, err := c.missing(ctx, raw)
	if err != nil {
		return nil, err
	}
	seen, left := []string{}, []FileChange{}
	for _, r := range raw {
		if unseen[r.old] || unseen[r.new] {
			left = append(left, FileChange{Status: statuses[r.status[0]], Path: r.path, Unseen: true})
		} else {
			seen = append(seen, r.path)
		}
	}
	if len(left) == 0 && len(seen) > 0 {
		seen = []string{"."} // all of them, however many; a command line has an end
	} else if n := argBytes(seen); n > maxArgBytes {
		return nil, fmt.Errorf("%w: %d changed files next to some that are too large to be in the clone", ErrLimit, len(seen))
	}
	changes, err := c.renamed(ctx, base, head, seen)
	changes = append(changes, left...)
	slices.SortFunc(changes, func(a, b FileChange) int { return strings.Compare(a.Path, b.Path) })
	return changes, err
}

var statuses = map[byte]string{'A': "added", 'M': "modified", 'D': "removed", 'R': "renamed", 'C': "copied", 'T': "modified"}

func (c *Clone) diffArgs(base, head source.Commit, flags ...string) []string {
	args := append([]string{"diff-tree", "-r", "--no-ext-diff", "--no-textconv", "--no-color"}, flags...)
	return append(args, "--end-of-options", string(base), string(head), "--")
}

type rawChange struct{ old, new, status, path string }

// parseRaw takes ":100644 100644 <old> <new> M\0path\0", two paths for R and C.
func parseRaw(out []byte) ([]rawChange, error) {
	fields := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	var all []rawChange
	for len(fields) > 1 {
		f := strings.Fields(strings.TrimPrefix(fields[0], ":"))
		if len(f) != 5 {
			return nil, fmt.Errorf("unexpected answer of git diff-tree: %q", fields[0])
		}
		r := rawChange{old: f[2], new: f[3], status: f[4], path: fields[1]}
		if strings.HasPrefix(f[0], "16") || strings.HasPrefix(f[1], "16") {
			r.old, r.new = "", "" // a submodule's commit is nothing to look up
		}
		all, fields = append(all, r), fields[2:]
	}
	return all, nil
}

// missing gives which of the contents the clone does not have.
func (c *Clone) missing(ctx context.Context, raw []rawChange) (map[string]bool, error) {
	var ask bytes.Buffer
	for _, r := range raw {
		for _, h := range []string{r.old, r.new} {
			if strings.Trim(h, "0") != "" {
				ask.WriteString(h + "\n")
			}
		}
	}
	out, err := c.git.output(ctx, &ask, "cat-file", "--batch-check=%(objectname) %(objectsize)", "--buffer")
	if err != nil {
		return nil, c.broken(err)
	}
	unseen := map[string]bool{}
	for line := range bytes.Lines(out) {
		hash, size, _ := strings.Cut(strings.TrimSpace(string(line)), " ")
		if n, err := strconv.ParseInt(size, 10, 64); err != nil || n > c.cache.cfg.MaxBlob {
			unseen[hash] = true
		}
	}
	return unseen, nil
}

// renamed compares contents, which is only safe for paths whose contents are there.
// All of them are compared at once: a rename has two, which may stand far apart.
func (c *Clone) renamed(ctx context.Context, base, head source.Commit, paths []string) ([]FileChange, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	out, err := c.git.output(ctx, nil, append(c.diffArgs(base, head, "--raw", "--numstat", "-z", "--abbrev=64", "-M"), paths...)...)
	if err != nil {
		return nil, fmt.Errorf("diff %s %s: %w", base.Short(), head.Short(), c.broken(err))
	}
	return parseStat(out)
}

// maxArgBytes is less than what systems take on a command line.
const maxArgBytes = 1 << 20

func argBytes(args []string) (n int) {
	for _, a := range args {
		n += len(a) + 1
	}
	return n
}

// parseStat takes --raw and --numstat one after the other, under -z. A rename has two
// paths in both.
func parseStat(out []byte) ([]FileChange, error) {
	f := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	var all []FileChange
	at := map[string]int{}
	for len(f) > 0 && f[0] != "" {
		head := strings.Fields(f[0])
		stat := strings.SplitN(f[0], "\t", 3)
		switch {
		case strings.HasPrefix(f[0], ":") && len(head) == 5 && strings.ContainsAny(head[4][:1], "RC") && len(f) >= 3:
			at[f[2]] = len(all)
			all, f = append(all, FileChange{Status: statuses[head[4][0]], OldPath: f[1], Path: f[2]}), f[3:]
		case strings.HasPrefix(f[0], ":") && len(head) == 5 && len(f) >= 2:
			at[f[1]] = len(all)
			all, f = append(all, FileChange{Status: statuses[head[4][0]], Path: f[1]}), f[2:]
		case len(stat) == 3 && stat[2] == "" && len(f) >= 3:
			count(all, at, f[2], stat)
			f = f[3:]
		case len(stat) == 3:
			count(all, at, stat[2], stat)
			f = f[1:]
		default:
			return nil, fmt.Errorf("unexpected answer of git diff-tree: %q", f[0])
		}
	}
	return all, nil
}

func count(all []FileChange, at map[string]int, path string, stat []string) {
	i, ok := at[path]
	if !ok {
		return
	}
	all[i].Binary = stat[0] == "-"
	all[i].Added, _ = strconv.Atoi(stat[0])
	all[i].Deleted, _ = strconv.Atoi(stat[1])
}

// maxPatch bounds the patch of one file.
const maxPatch = 1 << 20

// PatchOf is the unified diff of one changed file, cut after a megabyte.
func (c *Clone) PatchOf(ctx context.Context, base, head source.Commit, f FileChange) (string, error) {
	if f.Unseen {
		return "", fmt.Errorf("%w: %s", ErrUnseen, source.Quote(f.Path))
	}
	args := append(c.diffArgs(base, head, "-p", "-M"), f.Path)
	if f.OldPath != "" {
		args = append(args, f.OldPath)
	}
	out, err := c.git.output(ctx, nil, args...)
	return clipPatch(string(out)), c.broken(err)
}

// maxDiff bounds the diff of all files together.
const maxDiff = 64 << 20

// Diff is the unified diff of changed files, as git prints it. Files that are too large to
// be in the clone have none. The error is ErrLimit for more than 64 MB.
func (c *Clone) Diff(ctx context.Context, base, head source.Commit, files []FileChange) (string, error) {
	var out strings.Builder
	var batch []string
	flush := func() error {
		if len(batch) == 0 {
			return nil
		}
		text, err := c.git.output(ctx, nil, append(c.diffArgs(base, head, "-p", "-M", "--full-index"), batch...)...)
		batch = batch[:0]
		out.Write(text)
		if err == nil && out.Len() > maxDiff {
			err = fmt.Errorf("%w: the diff has more than %d MB", ErrLimit, maxDiff>>20)
		}
		return err
	}
	for _, f := range files {
		if f.Unseen {
			continue
		}
		batch = append(batch, f.Path)
		if f.OldPath != "" {
			batch = append(batch, f.OldPath)
		}
		if len(batch) >= 400 || argBytes(batch) > maxArgBytes/2 {
			if err := flush(); err != nil {
				return "", fmt.Errorf("diff %s %s: %w", base.Short(), head.Short(), c.broken(err))
			}
		}
	}
	if err := flush(); err != nil {
		return "", fmt.Errorf("diff %s %s: %w", base.Short(), head.Short(), c.broken(err))
	}
	return out.String(), nil
}

// Patch is what a commit of the snapshot's history did to a path, "" for all files: for
// a merge, what it brought to its first parent. It is cut after a megabyte.
func (s *Snapshot) Patch(ctx context.Context, c Change, path string) (string, error) {
	args := []string{"diff-tree", "-p", "-r", "--root", "--no-commit-id", "--no-ext-diff", "--no-textconv", "--no-color", "-M", "--end-of-options"}
	if len(c.Parents) > 0 {
		args = append(args, string(c.Parents[0]))
	}
	args = append(args, string(c.Commit), "--")
	if path != "" {
		args = append(args, path)
	}
	if path != "" && path == c.Path && c.OldPath != "" {
		args = append(args, c.OldPath)
	}
	out, err := s.clone.git.output(ctx, nil, args...)
	return clipPatch(string(out)), s.clone.broken(err)
}

func clipPatch(p string) string {
	if len(p) <= maxPatch {
		return strings.ToValidUTF8(p, "�")
	}
	return strings.ToValidUTF8(p[:maxPatch], "�") + fmt.Sprintf("\n[%d bytes more]\n", len(p)-maxPatch)
}
