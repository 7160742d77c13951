package dependency

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/repomind/repomind/rag/dependency/manifest"
)

// store is a directory of unpacked libraries, ecosystem/name@version, each with a
// record beside its tree. Several processes may use it: a library appears whole or
// not at all. One that goes while it is read is an error, and comes back when it is
// asked for again.
type store struct {
	dir string
	max int64 // bytes
	now func() time.Time
}

// record is what is known of an unpacked library. Its time of change is when it was
// used last.
type record struct {
	Format  int            `json:"format"`
	Version string         `json:"version"`
	Size    int64          `json:"size"`     // bytes on disk, about
	LeftOut int            `json:"left_out"` // entries of the archive
	Native  bool           `json:"native,omitempty"`
	About   manifest.About `json:"about"`
}

const (
	storeFormat = 1
	recordFile  = "record.json"
	treeDir     = "tree"
	partPrefix  = "part-"
)

// place is the directory of a library. Capitals are marked, as in Go's module cache,
// for file systems that do not tell them apart.
func (s *store) place(eco manifest.Ecosystem, name, version string) string {
	escape := strings.NewReplacer("/", "+", `\`, "+", ":", "+", "!", "!!")
	var out strings.Builder
	for _, c := range escape.Replace(eco.Canonical(name) + "@" + version) {
		if c >= 'A' && c <= 'Z' {
			out.WriteByte('!')
			c += 'a' - 'A'
		}
		out.WriteRune(c)
	}
	return filepath.Join(s.dir, string(eco), out.String())
}

// open gives the record of a library, and says that it was used.
func (s *store) open(dir string) (record, bool) {
	data, err := os.ReadFile(filepath.Join(dir, recordFile))
	var r record
	if err != nil || json.Unmarshal(data, &r) != nil || r.Format != storeFormat {
		return record{}, false
	}
	now := s.now()
	os.Chtimes(filepath.Join(dir, recordFile), now, now) //nolint:errcheck // it then seems older
	return r, true
}

// part makes a directory to fill, in the store so that it can be renamed.
func (s *store) part() (string, error) {
	// Some are private, as what is in the user's registry may be.
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return "", err
	}
	return os.MkdirTemp(s.dir, partPrefix)
}

// put moves a directory with a tree into its place. If another process was faster,
// its copy stays.
func (s *store) put(part, dir string, r record) error {
	r.Format = storeFormat
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(part, recordFile), data, 0o644); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return err
	}
	if err := os.Rename(part, dir); err != nil {
		if _, ok := s.open(dir); ok {
			return nil
		}
		// What stands there is broken: it was put there by hand or is of another format.
		if err := errors.Join(os.RemoveAll(dir), os.Rename(part, dir)); err != nil {
			return err
		}
	}
	return s.evict(dir)
}

// evict removes libraries, the one used longest ago first, until the rest fits, and
// what an end in the middle left behind. The one to keep stays.
func (s *store) evict(keep string) error {
	all, err := s.list()
	if err != nil {
		return err
	}
	total := int64(0)
	for _, k := range all {
		if k.dir == keep {
			total += k.size
		}
	}
	for _, k := range all {
		if k.dir == keep {
			continue
		}
		if total += k.size; total > s.max {
			total -= k.size
			if err := os.RemoveAll(k.dir); err != nil {
				return fmt.Errorf("evict a library: %w", err)
			}
		}
	}
	return s.sweep()
}

type kept struct {
	dir  string
	size int64
	used time.Time
}

// list gives what is kept, the one used last first. A record that cannot be read
// counts nothing.
func (s *store) list() ([]kept, error) {
	records, err := filepath.Glob(filepath.Join(escapeGlob(s.dir), "*", "*", recordFile))
	if err != nil {
		return nil, err
	}
	var all []kept
	for _, file := range records {
		info, err := os.Stat(file)
		data, bad := os.ReadFile(file)
		if err != nil || bad != nil {
			continue // another process removed it
		}
		var r record
		if json.Unmarshal(data, &r) != nil {
			r.Size = 0
		}
		all = append(all, kept{filepath.Dir(file), r.Size, info.ModTime()})
	}
	slices.SortFunc(all, func(a, b kept) int { return cmp.Or(b.used.Compare(a.used), cmp.Compare(a.dir, b.dir)) })
	return all, nil
}

// sweep removes parts that nobody fills any more.
func (s *store) sweep() error {
	parts, err := filepath.Glob(filepath.Join(escapeGlob(s.dir), partPrefix+"*"))
	for _, p := range parts {
		if info, bad := os.Stat(p); bad == nil && s.now().Sub(info.ModTime()) > 2*time.Hour {
			err = errors.Join(err, os.RemoveAll(p))
		}
	}
	return err
}

// escapeGlob keeps the characters of a directory's name from being a pattern.
func escapeGlob(dir string) string {
	return strings.NewReplacer("*", `\*`, "?", `\?`, "[", `\[`).Replace(dir)
}
