package github

import (
	"context"
	"strconv"
	"strings"

	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/source"
)

// maxPatches bounds the patches of a local diff together, in bytes.
const maxPatches = 64 << 20

// patches reads the patches of a local diff, and notes the files whose patch is not
// whole.
type patches struct {
	clone      *repo.Clone
	base, head source.Commit
	size       int
	full       bool // a patch did not fit, and no later one is read

	unseen, cut, left []string
}

func (p *patches) of(ctx context.Context, c repo.FileChange) (string, error) {
	name := source.Quote(c.Path)
	switch {
	case c.Unseen:
		p.unseen = append(p.unseen, name)
		return "", nil
	case c.Binary, c.Added == 0 && c.Deleted == 0:
		return "", nil
	case p.full:
		p.left = append(p.left, name)
		return "", nil
	}
	all, err := p.clone.PatchOf(ctx, p.base, p.head, c)
	if err != nil {
		return "", err
	}
	f := File{Path: c.Path, Previous: c.OldPath, Additions: c.Added, Deletions: c.Deleted}
	var cut bool
	f.Patch, cut = hunks(all, f)
	if p.size += len(f.Patch); p.size > maxPatches {
		p.full, p.left = true, append(p.left, name)
		return "", nil
	}
	if cut || !f.Whole() {
		p.cut = append(p.cut, name)
	}
	return f.Patch, nil
}

func (p *patches) report(to *PullRequest) {
	if len(p.unseen) > 0 {
		to.incomplete("Too large to be read: %s.", some(p.unseen, 20))
	}
	if n := len(p.cut); n > 0 {
		to.incomplete("The patch of %s is too large and is cut: %s.", counted(n, "file"), some(p.cut, 20))
	}
	if n := len(p.left); n > 0 {
		to.incomplete("The patch of %s is left out, as all patches together would have more than %d MB: %s.", counted(n, "file"), maxPatches>>20, some(p.left, 20))
	}
}

// hunks gives those of one file, without heads, as GitHub has them; cut says that the
// patch breaks off. git has two sections for a file that became a link, and where a
// file takes the place of a directory it has sections of what was in there, too.
func hunks(patch string, f File) (text string, cut bool) {
	var out []string
	mine, inside := false, false
	for line := range strings.SplitSeq(strings.TrimSuffix(patch, "\n"), "\n") {
		switch {
		case strings.HasPrefix(line, "diff --git "):
			mine, inside = heads(line, f), false
		case strings.HasPrefix(line, "@@"):
			inside = true
		case inside && (line == "" || !strings.Contains(` +-\`, line[:1])): // a note of the cut, which the line before may have felt
			if mine {
				out = out[:len(out)-1]
			}
			return strings.Join(out, "\n"), true
		}
		if mine && inside {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n"), false
}

// heads says whether a line as in "diff --git a/old b/new" begins a section of f.
func heads(line string, f File) bool {
	old := f.Path
	if f.Previous != "" {
		old = f.Previous
	}
	rest, first := cutName(strings.TrimPrefix(line, "diff --git "), "a/"+old)
	rest, second := cutName(strings.TrimPrefix(rest, " "), "b/"+f.Path)
	return first && second && rest == ""
}

// cutName takes a name from the start of s. git quotes a name as C does where it
// holds quotes, backslashes or control characters.
func cutName(s, name string) (rest string, ok bool) {
	if quoted, err := strconv.QuotedPrefix(s); err == nil {
		got, err := strconv.Unquote(quoted)
		return s[len(quoted):], err == nil && got == name
	}
	return strings.CutPrefix(s, strings.ToValidUTF8(name, "�"))
}
