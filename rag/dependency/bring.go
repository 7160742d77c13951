package dependency

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/rag/dependency/archive"
	"github.com/repomind/repomind/rag/dependency/client"
	"github.com/repomind/repomind/rag/dependency/manifest"
)

// bring gets an archive and unpacks it into the store.
func (s *Sources) bring(ctx context.Context, want client.Library) (string, record, error) {
	part, err := s.store.part()
	if err != nil {
		return "", record{}, err
	}
	defer os.RemoveAll(part) // what is left once the tree has its place
	r, err := s.fill(ctx, want, part)
	if err != nil {
		return "", record{}, err
	}
	dir := s.store.place(want.Ecosystem, want.Name, r.Version)
	return dir, r, s.store.put(part, dir, r)
}

// fill makes the tree of a library in a directory that is empty.
func (s *Sources) fill(ctx context.Context, want client.Library, part string) (record, error) {
	scratch, tree := filepath.Join(part, "scratch"), filepath.Join(part, treeDir)
	if err := errors.Join(os.Mkdir(scratch, 0o755), os.Mkdir(tree, 0o755)); err != nil {
		return record{}, err
	}
	if by := clientOf[want.Ecosystem]; by != "" {
		s.cfg.Notify(fmt.Sprintf("bringing the source of %s by %s", want, by))
	}
	got, err := s.cfg.Client.Get(ctx, want, scratch)
	if err != nil {
		return record{}, err
	}
	if got.Version == "" || strings.ContainsAny(got.Version, `/\`) {
		return record{}, fmt.Errorf("the client gives %s the version %s", want, source.Quote(got.Version))
	}
	held, err := archive.Unpack(ctx, got.File, tree, got.Strip, s.cfg.Limits)
	if err != nil {
		return record{}, fmt.Errorf("%s: %w", want, err)
	}
	if err := os.RemoveAll(scratch); err != nil {
		return record{}, err
	}
	about, err := describe(tree)
	// The version that was asked for is what it is looked up by, if pip has it as 1.0.0 for 1.0.
	v := cmp.Or(want.Version, got.Version)
	return record{Version: v, Size: held.Size + 4096*int64(held.Files), LeftOut: held.LeftOut, Native: native(held), About: about}, err
}

// native says whether an archive has machine code, whose source is not in it.
func native(c archive.Contents) bool {
	return slices.ContainsFunc(c.Left, func(l archive.Left) bool { return isNative(strings.Trim(l.Name, `"`)) })
}

// isNative says whether a file is machine code, told by its name.
func isNative(p string) bool {
	switch path.Ext(p) {
	case ".so", ".pyd", ".dylib", ".dll", ".node":
		return true
	}
	return false
}

// describe reads what a library says of itself.
func describe(tree string) (manifest.About, error) {
	root, err := os.OpenRoot(tree)
	if err != nil {
		return manifest.About{}, err
	}
	defer root.Close()
	files := []string{"package.json", "Cargo.toml"}
	entries, err := os.ReadDir(tree)
	if err != nil {
		return manifest.About{}, err
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".dist-info") {
			files = append([]string{e.Name() + "/METADATA"}, files...)
		}
	}
	for _, f := range files {
		if data, err := root.ReadFile(f); err == nil { // most have one of them
			return manifest.Describe(f, data), nil
		}
	}
	return manifest.About{}, nil
}

// requires gives what a Python distribution needs by its own metadata.
func (s *Sources) requires(ctx context.Context, work string, lib Library) ([]manifest.Requirement, error) {
	if lib.Dir != "" || lib.URL != "" {
		return nil, nil // its own manifests are read with the repository, or are elsewhere
	}
	if about, ok := installedAbout(work, lib); ok {
		return about.Requires, nil
	}
	want := client.Library{Ecosystem: lib.Ecosystem, Name: lib.Name, Version: lib.Version(), Constraint: lib.Constraint}
	if r, ok := s.store.open(s.store.place(lib.Ecosystem, lib.Name, want.Version)); ok && want.Version != "" {
		return r.About.Requires, nil
	}
	_, r, err := s.bring(ctx, want)
	return r.About.Requires, err
}
