package repo

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/source"
)

// matching gives the files that one of the paths names. A path that names nothing is
// an ErrNotExist: a search in the wrong place would look like a search without result.
func (t *tree) matching(paths []string) ([]source.File, error) {
	if len(paths) == 0 {
		return t.ranked(), nil
	}
	wanted := make([]bool, len(t.files))
	for _, p := range paths {
		if err := t.markPath(wanted, p); err != nil {
			return nil, err
		}
	}
	var files []source.File
	for i, f := range t.files {
		if wanted[i] {
			files = append(files, f)
		}
	}
	return byRole(files), nil
}

// ranked is all files with the code first: what is cut off a long answer is then what
// matters least.
func (t *tree) ranked() []source.File {
	t.rank.Do(func() { t.all = byRole(t.files) })
	return t.all
}

func byRole(files []source.File) []source.File {
	parts := make([][]source.File, 3)
	for _, f := range files {
		n := 2
		switch source.RoleOf(f.Path) {
		case source.Code:
			n = 0
		case source.Test, source.Example:
			n = 1
		}
		parts[n] = append(parts[n], f)
	}
	return slices.Concat(parts...)
}

// markPath takes p for the name of a file or directory, and only then for a glob: names
// such as [slug] are in use.
func (t *tree) markPath(wanted []bool, p string) error {
	clean, err := source.CleanPath(p)
	if err != nil {
		return err
	}
	if t.mark(wanted, func(f string) bool { return clean == "" || f == p || f == clean || strings.HasPrefix(f, clean+"/") }) > 0 || clean == "" {
		return nil
	}
	if !strings.ContainsAny(p, "*?[{") {
		return fmt.Errorf("%w: %s", ErrNotExist, source.Quote(clean))
	}
	n := 0
	for _, glob := range braces(p) {
		if _, err := path.Match(glob, ""); err != nil {
			return fmt.Errorf("the glob %q: %w", glob, err)
		}
		n += t.mark(wanted, globber(glob))
	}
	if n == 0 {
		return fmt.Errorf("%w matches %q", ErrNotExist, p)
	}
	return nil
}

// maxBraces bounds what one glob stands for.
const maxBraces = 64

// braces writes a{b,c}d out as abd and acd.
func braces(glob string) []string {
	out := []string{glob}
	for i := 0; i < len(out) && len(out) < maxBraces; {
		before, rest, open := strings.Cut(out[i], "{")
		inner, after, closed := strings.Cut(rest, "}")
		if !open || !closed {
			i++
			continue
		}
		var all []string
		for choice := range strings.SplitSeq(inner, ",") {
			all = append(all, before+choice+after)
		}
		out = slices.Replace(out, i, i+1, all...)
	}
	return out
}

func (t *tree) mark(wanted []bool, want func(path string) bool) (n int) {
	for i, f := range t.files {
		if want(f.Path) {
			wanted[i], n = true, n+1
		}
	}
	return n
}

// globber takes globs as ripgrep and .gitignore do: without a slash they hold for the
// base name, ** stands for any directories.
func globber(glob string) func(string) bool {
	glob = strings.TrimPrefix(strings.TrimPrefix(glob, "./"), "/")
	if !strings.Contains(glob, "/") {
		return func(p string) bool { ok, _ := path.Match(glob, path.Base(p)); return ok }
	}
	want := strings.Split(glob, "/")
	return func(p string) bool { return globParts(want, strings.Split(p, "/")) }
}

// globParts goes back to the last ** alone, which is enough, so that no glob takes
// more than len(want)*len(have) steps.
func globParts(want, have []string) bool {
	star, tried := -1, 0
	w, h := 0, 0
	for h < len(have) {
		switch {
		case w < len(want) && want[w] == "**":
			star, tried = w, h
			w++
			continue
		case w < len(want):
			if ok, _ := path.Match(want[w], have[h]); ok {
				w, h = w+1, h+1
				continue
			}
		}
		if star < 0 {
			return false
		}
		tried++
		w, h = star+1, tried
	}
	for w < len(want) && want[w] == "**" {
		w++
	}
	return w == len(want)
}
