package repo

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/repomind/repomind/internal/source"
)

// Kept is one clone in a cache.
type Kept struct {
	Name   string // of its directory
	Origin string // "" if the clone was broken off
	Size   int64  // bytes
	Used   time.Time
	InUse  bool // by this or another process
}

// List gives the clones of the cache, the one used last first.
func (c *Cache) List() ([]Kept, error) {
	entries, err := os.ReadDir(c.cfg.Dir)
	if err != nil {
		return nil, err
	}
	var all []Kept
	for _, e := range entries {
		if e.IsDir() && isClone(e.Name()) {
			all = append(all, c.kept(e.Name()))
		}
	}
	slices.SortFunc(all, func(a, b Kept) int { return cmp.Or(b.Used.Compare(a.Used), cmp.Compare(a.Name, b.Name)) })
	return all, nil
}

func isClone(name string) bool { return strings.HasSuffix(name, ".git") || isPart(name) }

// isPart: a clone in the making is named NAME.git.123.part.
func isPart(name string) bool { return strings.HasSuffix(name, ".part") }

// whose is the name of the clone that a part is for.
func whose(name string) string {
	if isPart(name) {
		name = strings.TrimSuffix(name, ".part")
		name = strings.TrimSuffix(name, filepath.Ext(name))
	}
	return name
}

func (c *Cache) kept(name string) Kept {
	dir := filepath.Join(c.cfg.Dir, name)
	k := Kept{Name: name, Size: dirSize(dir)}
	if m, err := readMarker(dir); err == nil {
		k.Origin = m.Origin
		if info, err := os.Stat(filepath.Join(dir, markerFile)); err == nil {
			k.Used = info.ModTime()
		}
	}
	if free, err := c.claim(name); err == nil && free != nil {
		free()
	} else {
		k.InUse = true
	}
	return k
}

// Evict removes clones, the one used longest ago first, until they take at most
// size bytes; 0 removes all. What is in use stays.
func (c *Cache) Evict(size int64) error {
	all, err := c.List()
	if err != nil {
		return err
	}
	var total int64
	for _, k := range all {
		if total += k.Size; total > size || k.Origin == "" {
			removed, err := c.remove(k.Name)
			if err != nil {
				return err
			}
			if removed {
				total -= k.Size
			}
		}
	}
	return nil
}

// ErrNoClone says that a cache has no clone of a name.
var ErrNoClone = errors.New("no such clone")

// Remove deletes one clone, named as List names it.
func (c *Cache) Remove(name string) error {
	if _, err := os.Lstat(filepath.Join(c.cfg.Dir, name)); name != filepath.Base(name) || !isClone(name) || err != nil {
		return fmt.Errorf("%w: %s", ErrNoClone, source.Quote(name))
	}
	removed, err := c.remove(name)
	if err == nil && !removed {
		err = errors.New(name + " is in use")
	}
	return err
}

func (c *Cache) remove(name string) (bool, error) {
	free, err := c.claim(name)
	if err != nil || free == nil {
		return false, err
	}
	defer free()
	return true, os.RemoveAll(filepath.Join(c.cfg.Dir, name))
}

// claim locks a clone against its readers and fetchers; nil if one is at work.
func (c *Cache) claim(name string) (free func(), err error) {
	dir := filepath.Join(c.cfg.Dir, whose(name))
	fetch, err := tryLock(dir+".fetch.lock", exclusive)
	if err != nil || fetch == nil {
		return nil, err
	}
	use, err := tryLock(dir+".use.lock", exclusive)
	if err != nil || use == nil {
		fetch.release()
		return nil, err
	}
	return func() { use.release(); fetch.release() }, nil
}
