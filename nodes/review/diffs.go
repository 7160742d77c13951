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
	mu  sync.Mutex
	got map[changeKey]map[string]diff.File
}

// maxDiffs is what a run asks for: the whole change, and what came since the last review.
const maxDiffs = 2

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
	if got, ok := n.diffs.got[key]; ok {
		return got, nil
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
	if n.diffs.got == nil || len(n.diffs.got) == maxDiffs {
		n.diffs.got = map[changeKey]map[string]diff.File{}
	}
	n.diffs.got[key] = got
	return got, nil
}

// whole gives the files of the whole change where only a part of it is looked at: rules
// look at all of it, and comments stand on lines of all of it.
func (n nodes) whole(ctx context.Context, from repo.Origin, all, part Ends, files []File) ([]File, error) {
	if all.Base == part.Base {
		return files, nil
	}
	clone, err := n.Places.Clone(ctx, from)
	if err != nil {
		return nil, err
	}
	changes, err := clone.Changes(ctx, all.Base, all.Head)
	if err != nil {
		return nil, err
	}
	out := make([]File, len(changes))
	for i, c := range changes {
		out[i].FileChange = c
	}
	return out, nil
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
