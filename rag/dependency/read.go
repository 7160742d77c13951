package dependency

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/rag/dependency/manifest"
)

// Bounds of what is read of one repository.
const (
	maxManifests = 2000
	maxBytes     = 64 << 20
	maxLibraries = 100_000
	maxNotes     = 50
	maxRounds    = 5 // a file may go on in others
)

// Read reads all manifests of a tree. A file that cannot be read is in Notes; the
// error is that of the tree.
func Read(ctx context.Context, tree Tree) (*Libraries, error) {
	r := reading{
		Libraries: &Libraries{byKey: map[key]int{}, byAs: map[key]int{}},
		tree:      tree, parse: manifest.Parse, byPath: map[string]source.File{}, done: map[string]bool{},
	}
	for _, f := range tree.Files() {
		if f.Mode.Text() {
			r.byPath[f.Path] = f
		}
	}
	files := r.choose(tree.Files())
	for round := 0; len(files) > 0 && round < maxRounds; round++ {
		next, err := r.read(ctx, files)
		if err != nil {
			return nil, fmt.Errorf("read manifests: %w", err)
		}
		files, r.parse = next, manifest.ParseIncluded
	}
	r.settle()
	return r.Libraries, nil
}

// reading is the state of Read.
type reading struct {
	*Libraries
	tree   Tree
	parse  func(string, []byte) (manifest.File, error)
	byPath map[string]source.File
	done   map[string]bool
	count  int   // of files
	size   int64 // of them, in bytes
}

// read takes in files and gives those that they go on in.
func (r *reading) read(ctx context.Context, files []source.File) (next []source.File, err error) {
	for _, f := range files {
		r.done[f.Path] = true
	}
	err = r.tree.Blobs(ctx, files, func(i int, data []byte) error {
		f := files[i]
		if data == nil {
			r.note("%s is not in the clone", source.Quote(f.Path))
			return ctx.Err()
		}
		found, err := r.parse(f.Path, data)
		r.take(found, err)
		for _, p := range found.Includes {
			if more, ok := r.byPath[p]; ok && !r.done[p] {
				r.done[p] = true
				next = append(next, more)
			}
		}
		return ctx.Err()
	})
	return r.fit(next), err
}

// choose lists the manifests, those nearest to the root first, as they count for
// more. Those of copied libraries are about other repositories.
func (r *reading) choose(files []source.File) []source.File {
	var out []source.File
	for _, f := range files {
		if f.Mode.Text() && manifest.Known(f.Path) && !foreign(f.Path) {
			out = append(out, f)
		}
	}
	slices.SortStableFunc(out, func(a, b source.File) int {
		return cmp.Or(strings.Count(a.Path, "/")-strings.Count(b.Path, "/"), locks(a.Path)-locks(b.Path), cmp.Compare(a.Path, b.Path))
	})
	return r.fit(out)
}

// fit takes files as long as there is room for what they hold.
func (r *reading) fit(files []source.File) []source.File {
	for i, f := range files {
		if r.count++; r.count > maxManifests || r.size+f.Size > maxBytes {
			r.note("%d of %d manifests were not read", len(files)-i, len(files))
			return files[:i]
		}
		r.size += f.Size
	}
	return files
}

// locks is 1 for a file that tells what was resolved and not what is asked for.
func locks(p string) int {
	switch base := path.Base(p); {
	case strings.Contains(base, "lock"), base == "go.sum", base == "modules.txt", base == "npm-shrinkwrap.json":
		return 1
	}
	return 0
}

// foreign says whether a manifest belongs to a copy of a library or is material of a
// test.
func foreign(p string) bool {
	if strings.HasSuffix(p, "vendor/modules.txt") {
		return false
	}
	for part := range strings.SplitSeq(path.Dir(p), "/") {
		switch part {
		case "node_modules", "vendor", "_vendor", "third_party", "testdata", "fixtures", "__fixtures__", "site-packages":
			return true
		}
	}
	return false
}
