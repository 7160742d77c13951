package review

import (
	"context"
	"sync"

	"github.com/repomind/repomind/internal/diff"
	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/source"
)

// diffs keeps the parsed diffs of this process: nodes ask for the same one often.
type diffs struct {
	mu   sync.Mutex
	last changeKey
	got  map[string]diff.File
}

type changeKey struct {
	from       repo.Origin
	base, head source.Commit
	files      int
}

// diff gives the changed files that are reviewed, by path.
func (n nodes) diff(ctx context.Context, from repo.Origin, e Ends, files []File) (map[string]diff.File, error) {
	n.diffs.mu.Lock()
	defer n.diffs.mu.Unlock()
	key := changeKey{from, e.Base, e.Head, len(files)}
	if n.diffs.last == key && n.diffs.got != nil {
		return n.diffs.got, nil
	}
	clone, err := n.Places.Clone(ctx, from)
	if err != nil {
		return nil, err
	}
	var changes []repo.FileChange
	for _, f := range files {
		if f.readable() {
			changes = append(changes, f.FileChange)
		}
	}
	text, err := clone.Diff(ctx, e.Base, e.Head, changes)
	if err != nil {
		return nil, err
	}
	got := map[string]diff.File{}
	for _, f := range diff.Parse(text) {
		got[f.Path] = f
	}
	n.diffs.last, n.diffs.got = key, got
	return got, nil
}

// readable says whether the lines of a file can be read at all: rules look at lock files,
// too, though models do not.
func (f File) readable() bool {
	return !f.Unseen && !f.Binary && f.Added+f.Deleted > 0 && f.Added+f.Deleted <= maxChanged
}

// span gives the ends that are compared: from the last review where there was one.
func (s State) span() Ends {
	e := s.Compared
	if s.Input.Since != "" {
		e.Base = s.Input.Since
	}
	return e
}
