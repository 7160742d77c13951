package tools

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/source"
)

// explain adds to an error about a path what the model could ask for instead.
func explain(s *repo.Snapshot, wanted string, err error) error {
	switch {
	case errors.Is(err, repo.ErrNotExist):
		if near := nearPaths(s.Files(), wanted); len(near) > 0 {
			return fmt.Errorf("%w; did you mean %s?", err, strings.Join(near, ", "))
		}
		return fmt.Errorf("%w; list_dir shows what there is", err)
	case errors.Is(err, repo.ErrNoCommit):
		return fmt.Errorf("%w; git_log_file and search_commits give hashes that can be used", err)
	}
	return err
}

// nearPaths gives up to five paths that may have been meant: those that end in the
// same names, then those whose base name is alike.
func nearPaths(files []source.File, wanted string) []string {
	wanted, err := source.CleanPath(wanted)
	if err != nil || wanted == "" {
		return nil
	}
	type near struct {
		path  string
		score int
	}
	var found []near
	seen := map[string]bool{}
	consider := func(p string) {
		if score := likeness(p, wanted); score > 0 && !seen[p] {
			seen[p] = true
			found = append(found, near{p, score})
		}
	}
	for _, f := range files {
		consider(f.Path)
		for dir := path.Dir(f.Path); dir != "." && !seen[dir]; dir = path.Dir(dir) {
			consider(dir)
			seen[dir] = true
		}
	}
	slices.SortFunc(found, func(a, b near) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(len(a.path), len(b.path)), cmp.Compare(a.path, b.path))
	})
	var paths []string
	for _, n := range found[:min(len(found), 5)] {
		paths = append(paths, source.Quote(n.path))
	}
	return paths
}

// likeness is 100 for each name at the end that both share, or less than 100 for
// base names that differ in little.
func likeness(p, wanted string) int {
	a, b := strings.Split(strings.ToLower(p), "/"), strings.Split(strings.ToLower(wanted), "/")
	score := 0
	for i := 1; i <= min(len(a), len(b)) && a[len(a)-i] == b[len(b)-i]; i++ {
		score += 100
	}
	if score > 0 {
		return score
	}
	x, y := a[len(a)-1], b[len(b)-1]
	if limit := max(1, len(y)/4); len(y) > 2 {
		if d := source.Edits(x, y, limit); d <= limit {
			score = 90 - d
			if path.Dir(p) == path.Dir(wanted) {
				score += 5
			}
		}
	}
	return score
}
