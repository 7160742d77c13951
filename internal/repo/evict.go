package repo

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
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
		if e.IsDir() && (strings.HasSuffix(e.Name(), ".git") || strings.HasSuffix(e.Name(), ".git.part")) {
			all = append(all, c.kept(e.Name()))
		}
	}
	slices.SortFunc(all, func(a, b Kept) int { return cmp.Or(b.Used.Compare(a.Used), cmp.Compare(a.Name, b.Name)) })
	return all, nil
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

// Remove deletes one clone, named as List names it.
func (c *Cache) Remove(name string) error {
	if name != filepath.Base(name) || !strings.HasSuffix(strings.TrimSuffix(name, ".part"), ".git") {
		return errors.New("no such clone: " + name)
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
	dir := filepath.Join(c.cfg.Dir, strings.TrimSuffix(name, ".part"))
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
