package repo

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/repomind/repomind/internal/source"
)

// What a tree may have. The largest repositories in public use stay below.
const (
	maxEntries = 500_000
	maxDepth   = 100
	maxPath    = 4096
)

type tree struct {
	files  []source.File
	byPath map[string]int
	unseen []source.File

	rank sync.Once
	all  []source.File // in the order of ranked
}

func (c *Clone) loadTree(ctx context.Context, at source.Commit) (*tree, error) {
	t := &tree{byPath: map[string]int{}}
	args := []string{"ls-tree", "-r", "-z", "--full-tree", "--end-of-options", string(at)}
	err := c.git.stream(ctx, nil, args, func(r io.Reader) error {
		lines := bufio.NewReaderSize(r, maxPath+128)
		for {
			entry, err := lines.ReadSlice(0)
			switch {
			case err == io.EOF:
				return nil
			case err != nil:
				return fmt.Errorf("%w: a path of more than %d bytes", ErrLimit, maxPath)
			}
			if err := t.add(entry[:len(entry)-1]); err != nil {
				return err
			}
		}
	})
	if err != nil {
		return nil, err
	}
	return t, c.measure(ctx, t)
}

// add takes one line of ls-tree: "100644 blob <hash>\t<path>".
func (t *tree) add(entry []byte) error {
	meta, path, ok := bytes.Cut(entry, []byte("\t"))
	f := strings.Fields(string(meta))
	switch {
	case !ok || len(f) != 3 || !isHash(f[2]):
		return fmt.Errorf("unexpected answer of git ls-tree: %q", entry)
	case len(t.files) == maxEntries:
		return fmt.Errorf("%w: more than %d files", ErrLimit, maxEntries)
	case bytes.Count(path, []byte("/")) >= maxDepth:
		return fmt.Errorf("%w: directories more than %d deep", ErrLimit, maxDepth)
	}
	mode := source.Regular
	switch f[0] {
	case "100755":
		mode = source.Executable
	case "120000":
		mode = source.Symlink
	case "160000":
		mode = source.Submodule
	}
	t.byPath[string(path)] = len(t.files)
	t.files = append(t.files, source.File{Path: string(path), Blob: f[2], Mode: mode})
	return nil
}

// measure asks for the sizes, and finds what the clone does not have.
func (c *Clone) measure(ctx context.Context, t *tree) error {
	var ask bytes.Buffer
	var asked []int
	for i, f := range t.files {
		if f.Mode != source.Submodule {
			ask.WriteString(f.Blob + "\n")
			asked = append(asked, i)
		}
	}
	out, err := c.git.output(ctx, &ask, "cat-file", "--batch-check=%(objectsize)", "--buffer")
	if err != nil {
		return err
	}
	for line := range bytes.Lines(out) {
		if len(asked) == 0 {
			return fmt.Errorf("git cat-file answered more than it was asked")
		}
		f := &t.files[asked[0]]
		asked = asked[1:]
		if f.Size, err = strconv.ParseInt(string(bytes.TrimSpace(line)), 10, 64); err != nil { // "<hash> missing"
			f.Size = -1
		}
		if f.Size < 0 || f.Size > c.cache.cfg.MaxBlob {
			t.unseen = append(t.unseen, *f)
		}
	}
	if len(asked) > 0 {
		return fmt.Errorf("git cat-file left %d files without an answer", len(asked))
	}
	return nil
}

// under gives the files below a directory, "" for all.
func (t *tree) under(dir string) []source.File {
	if dir == "" {
		return t.files
	}
	// git sorts a directory as if its name ended in a slash, so all below it stands
	// together, but not in the order of the paths' bytes.
	start := slices.IndexFunc(t.files, func(f source.File) bool { return strings.HasPrefix(f.Path, dir+"/") })
	if start < 0 {
		return nil
	}
	end := start
	for end < len(t.files) && strings.HasPrefix(t.files[end].Path, dir+"/") {
		end++
	}
	return t.files[start:end]
}

func (t *tree) isDir(dir string) bool { return len(t.under(dir)) > 0 }

func kind(f source.File) string {
	switch f.Mode {
	case source.Symlink:
		return "a link"
	case source.Submodule:
		return "a submodule at " + f.Blob
	}
	return fmt.Sprintf("a file of %d bytes", f.Size)
}

// Entry is one name in a directory.
type Entry struct {
	Name  string
	Mode  source.Mode
	Size  int64 // of a file, bytes
	Files int   // below a directory, at any depth
}

// List gives the names in a directory, directories first.
func (s *Snapshot) List(dir string) ([]Entry, error) {
	clean, err := source.CleanPath(dir)
	if err != nil {
		return nil, err
	}
	below := s.tree.under(clean)
	if len(below) == 0 && clean != "" {
		if f, err := s.Stat(clean); err == nil {
			return nil, fmt.Errorf("%s is %s, not a directory", source.Quote(f.Path), kind(f))
		}
		return nil, fmt.Errorf("%w: %s", ErrNotExist, source.Quote(clean))
	}
	var dirs, files []Entry
	for _, f := range below {
		rest := strings.TrimPrefix(f.Path[len(clean):], "/")
		name, _, inDir := strings.Cut(rest, "/")
		switch {
		case !inDir:
			files = append(files, Entry{Name: name, Mode: f.Mode, Size: f.Size})
		case len(dirs) > 0 && dirs[len(dirs)-1].Name == name:
			dirs[len(dirs)-1].Files++
		default:
			dirs = append(dirs, Entry{Name: name, Mode: source.Dir, Files: 1})
		}
	}
	return append(dirs, files...), nil
}
