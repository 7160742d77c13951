package github

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"slices"
	"time"
)

// evict removes the oldest files until the rest is within the bound. Another process
// may do the same, so a file that is gone already is no failure.
func (c *cache) evict() error {
	files, err := c.list()
	if err != nil {
		return fmt.Errorf("clean the cache: %w", err)
	}
	var size int64
	for _, f := range files { // newest first
		if size += max(f.size, block); size <= c.total {
			continue
		}
		if err := c.root.Remove(f.name); err != nil && !os.IsNotExist(err) {
			return fmt.Errorf("clean the cache: %w", err)
		}
	}
	return nil
}

type kept struct {
	name string
	size int64
	at   time.Time
}

func (c *cache) list() ([]kept, error) {
	dir, err := c.root.Open(".")
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	entries, err := dir.ReadDir(-1)
	if err != nil {
		return nil, err
	}
	var files []kept
	for _, e := range entries {
		if info, err := e.Info(); err == nil && ours(e) {
			files = append(files, kept{e.Name(), info.Size(), info.ModTime()})
		}
	}
	slices.SortFunc(files, func(a, b kept) int { return cmp.Or(b.at.Compare(a.at), cmp.Compare(a.name, b.name)) })
	return files, nil
}

// ours is false for what somebody else keeps in the directory.
func ours(e os.DirEntry) bool {
	_, err := hex.DecodeString(e.Name())
	temporary := len(e.Name()) == len("tmp-")+len(rand.Text()) && e.Name()[:4] == "tmp-"
	return e.Type().IsRegular() && (temporary || err == nil && len(e.Name()) == 2*sha256.Size)
}
