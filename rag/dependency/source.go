package dependency

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/source"
)

// Source is the text of a library at a version. It does not change once it is given.
type Source struct {
	Library Library
	Version string // "" if nothing says which one it is
	From    string // where it comes from, for people

	notes []string
	files []text
	size  int64
	ranks *ranks
}

// text is a file; its path is from the library's root.
type text struct {
	path string
	data []byte
}

// Notes tell what was left out, and what stands in for something else.
func (s *Source) Notes() []string { return s.notes }

func (s *Source) note(format string, args ...any) {
	if len(s.notes) < maxNotes {
		s.notes = append(s.notes, fmt.Sprintf(format, args...))
	}
}

// Bounds of what is held of one library.
const (
	maxSource = 24 << 20
	maxText   = 1 << 20
	maxFiles  = 20_000
)

// readTree adds the files below a directory of a repository, under a prefix.
func (s *Source) readTree(ctx context.Context, tree Tree, dir, prefix string, keep func(source.File) bool) error {
	if dir = strings.TrimSuffix(dir, "/"); dir == "." {
		dir = ""
	}
	var files []source.File
	for _, f := range tree.Files() {
		rel, ok := strings.CutPrefix(f.Path, dir+"/")
		if dir == "" {
			rel, ok = f.Path, true
		}
		if ok && f.Mode.Text() && !strings.HasPrefix(rel, "node_modules/") && keep(f) {
			files = append(files, f)
		}
	}
	files = s.choose(files, dir)
	err := tree.Blobs(ctx, files, func(i int, data []byte) error {
		s.add(path.Join(prefix, strings.TrimPrefix(strings.TrimPrefix(files[i].Path, dir), "/")), data)
		return ctx.Err()
	})
	if err != nil {
		return fmt.Errorf("read the source of %s: %w", source.Quote(s.Library.Name), err)
	}
	return nil
}

// readDir adds the files of a directory of this machine that we made.
func (s *Source) readDir(ctx context.Context, dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	_, err = s.readRoot(ctx, root, nil)
	return err
}

// readRoot adds files of a directory, nil for all, and says whether it has machine
// code.
func (s *Source) readRoot(ctx context.Context, root *os.Root, paths []string) (native bool, err error) {
	if paths == nil {
		if paths, err = s.walk(root); err != nil {
			return false, err
		}
	}
	var files []source.File
	for _, p := range paths {
		native = native || isNative(p)
		if info, err := root.Lstat(p); err == nil && info.Mode().IsRegular() {
			files = append(files, source.File{Path: p, Size: info.Size()})
		}
	}
	for _, f := range s.choose(files, "") {
		data, bad := root.ReadFile(f.Path)
		if err = errors.Join(err, bad, ctx.Err()); err != nil {
			break
		}
		s.add(f.Path, data)
	}
	return native, err
}

// walk lists the files of a directory but for those of other libraries in it.
func (s *Source) walk(root *os.Root) (paths []string, err error) {
	err = fs.WalkDir(root.FS(), ".", func(p string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && e.Name() == "node_modules":
			return fs.SkipDir
		case len(paths) == 5*maxFiles:
			s.note("of its files only %d were looked at", len(paths))
			return fs.SkipAll
		case e.Type().IsRegular():
			paths = append(paths, p)
		}
		return nil
	})
	return paths, err
}

// choose takes what fits, code before all else.
func (s *Source) choose(files []source.File, dir string) []source.File {
	files = slices.DeleteFunc(files, func(f source.File) bool { return f.Size > maxText || strings.Contains(f.Path, ".dist-info/") })
	rel := func(f source.File) string { return strings.TrimPrefix(f.Path[len(dir):], "/") }
	slices.SortStableFunc(files, func(a, b source.File) int {
		return cmp.Compare(weigh(rel(b)), weigh(rel(a)))
	})
	size := s.size
	for i, f := range files {
		if size += f.Size; size > maxSource || len(s.files)+i == maxFiles {
			s.note("%d of its %d files were not looked into, as they are more than %d MB", len(files)-i, len(files), maxSource>>20)
			files = files[:i]
			break
		}
	}
	return files
}

// add takes a file that a person could read.
func (s *Source) add(p string, data []byte) {
	lines := bytes.Count(data, []byte("\n")) + 1
	if len(data) == 0 || bytes.IndexByte(data[:min(len(data), 8000)], 0) >= 0 || len(data) > 5000 && len(data)/lines > 500 {
		return
	}
	s.size += int64(len(data))
	s.files = append(s.files, text{p, data})
}

// weigh is how much a file counts by what it is for.
func weigh(p string) float32 {
	switch source.RoleOf(p) {
	case source.Code:
		return 1
	case source.Test, source.Vendored:
		return 0.3
	case source.Doc, source.Example:
		return 0.4
	}
	return 0.5
}
