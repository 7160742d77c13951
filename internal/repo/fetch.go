package repo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/repomind/repomind/internal/source"
)

// head is the ref that holds the newest commit of the origin's default branch.
const head = "refs/repomind/head"

// ErrQuota says that a clone grew over Config.MaxClone.
var ErrQuota = errors.New("the clone is larger than its quota")

// prepare makes the clone in dir what Open promises. The caller holds the fetch lock.
func (c *Cache) prepare(ctx context.Context, dir string, from Origin, want []string) error {
	if whole(dir, c.cfg.MaxBlob) {
		if len(want) > 0 && c.has(ctx, dir, want) {
			return nil
		}
		err := c.fetch(ctx, dir, from, want)
		if err == nil || !corrupt(err) {
			return err
		}
	}
	return c.make(ctx, dir, from, want)
}

// make clones beside dir and then takes its place, so that a clone that was broken
// off is never taken for a whole one.
func (c *Cache) make(ctx context.Context, dir string, from Origin, want []string) error {
	used, err := lock(ctx, dir+".use.lock", exclusive, func() {
		c.cfg.Notify("waiting for the readers of a broken clone of " + source.Quote(from.String()))
	})
	if err != nil {
		return err
	}
	defer used.release()
	if err := c.clear(dir); err != nil {
		return err
	}
	c.cfg.Notify("cloning " + source.Quote(from.String()))
	part, err := c.part(ctx, dir, "sha1", from, want)
	if err != nil && strings.Contains(err.Error(), "mismatched algorithms") {
		err = os.RemoveAll(part)
		if err == nil {
			part, err = c.part(ctx, dir, "sha256", from, want)
		}
	}
	if !whole(part, c.cfg.MaxBlob) {
		return errors.Join(err, os.RemoveAll(part))
	}
	return errors.Join(err, os.Rename(part, dir)) // whole, though a want may not exist
}

// clear removes what is left of a clone, and of earlier tries to make it.
func (c *Cache) clear(dir string) error {
	parts, err := filepath.Glob(globEscape(dir) + ".*.part")
	for _, name := range append(parts, dir) {
		err = errors.Join(err, os.RemoveAll(name))
	}
	return err
}

// part makes a clone under a name of its own: a git that an ended process left behind
// may still write to an earlier one.
func (c *Cache) part(ctx context.Context, dir, format string, from Origin, want []string) (string, error) {
	part, err := os.MkdirTemp(c.cfg.Dir, filepath.Base(dir)+".*.part")
	if err != nil {
		return "", err
	}
	_, err = git{timeout: time.Minute}.output(ctx, nil, "init", "-q", "--bare", "--template=", "--object-format="+format, "--", part)
	if err == nil {
		err = writeConfig(part, format)
	}
	if err == nil {
		err = c.fetch(ctx, part, from, want)
	}
	return part, err
}

func globEscape(s string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(s)
}

// has tells whether all commits are there.
func (c *Cache) has(ctx context.Context, dir string, want []string) bool {
	g := git{dir: dir, timeout: c.cfg.ReadTime}
	for _, w := range want {
		if _, err := source.ParseCommit(w); err != nil {
			return false // a ref may have moved
		}
		if _, err := g.output(ctx, nil, "cat-file", "-e", w+"^{commit}"); err != nil {
			return false
		}
	}
	return true
}

// fetch brings branches, tags and what is wanted. The remote exists for this command
// alone: nothing in the clone's configuration leads out of it afterwards.
func (c *Cache) fetch(ctx context.Context, dir string, from Origin, want []string) error {
	r, err := c.remote(from)
	if err != nil {
		return err
	}
	if err := sweep(dir); err != nil {
		return err
	}
	specs := append([]string{"--prune", "origin", "+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"}, r.refs...)
	for _, w := range want {
		if name, ok := strings.CutPrefix(w, "refs/"); ok {
			specs = append(specs, "+"+w+":refs/repomind/want/"+name)
		}
	}
	err = c.fetchRefs(ctx, dir, r, append(specs, "+HEAD:"+head))
	if errors.Is(r.explain(err), ErrNoCommit) && !strings.Contains(strings.Join(specs, " "), "refs/repomind/want/") {
		// HEAD points to a branch without a commit; the others may be what is wanted.
		err = c.fetchRefs(ctx, dir, r, specs)
	}
	if err == nil {
		err = c.notEmpty(ctx, dir)
	}
	if err == nil {
		err = writeMarker(dir, from, c.cfg.MaxBlob)
	}
	for _, w := range want {
		// A commit by its hash only now: a branch may have brought it, and not every
		// host gives a hash that no ref points to.
		if _, notHash := source.ParseCommit(w); err == nil && notHash == nil && !c.has(ctx, dir, []string{w}) {
			err = c.fetchRefs(ctx, dir, r, []string{"origin", "+" + w + ":refs/repomind/want/" + w})
		}
	}
	return r.explain(err)
}

func (c *Cache) fetchRefs(ctx context.Context, dir string, r remote, specs []string) error {
	args := []string{"-c", "remote.origin.url=" + r.url, "-c", "remote.origin.promisor=true", "fetch", "-q",
		"--no-tags", "--update-shallow", "--no-write-fetch-head", "--no-recurse-submodules", "--no-auto-maintenance", "--force",
		fmt.Sprintf("--filter=blob:limit=%d", c.cfg.MaxBlob+1)}
	args = append(append(args, r.flags...), specs...)
	err := c.guarded(ctx, dir, git{dir: dir, env: r.env, token: r.token, timeout: c.cfg.CloneTime}, args)
	return errors.Join(err, writeConfig(dir, formatOf(dir)))
}

// sweep removes what a git that was killed left behind. The caller holds the fetch
// lock, so that nobody else is at work.
func sweep(dir string) error {
	var failed error
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && (strings.HasSuffix(name, ".lock") || strings.HasPrefix(e.Name(), "tmp_")) {
			failed = errors.Join(failed, os.Remove(name))
		}
		return err
	})
	return errors.Join(failed, err)
}

func (c *Cache) notEmpty(ctx context.Context, dir string) error {
	out, err := git{dir: dir, timeout: c.cfg.ReadTime}.output(ctx, nil, "for-each-ref", "--count=1")
	if err == nil && len(out) == 0 {
		return fmt.Errorf("%w: the repository has no commit yet", ErrNoCommit)
	}
	return err
}

// formatOf is the hash of a clone's objects, by the configuration that we wrote.
func formatOf(dir string) string {
	text, err := os.ReadFile(filepath.Join(dir, "config"))
	if err == nil && strings.Contains(string(text), "objectformat = sha256") {
		return "sha256"
	}
	return "sha1"
}

// writeConfig takes the place of what git noted of the remote: with none, no read
// can fetch what is missing.
func writeConfig(dir, format string) error {
	text := "[core]\n\trepositoryformatversion = 1\n\tbare = true\n[extensions]\n\tobjectformat = " + format + "\n"
	return os.WriteFile(filepath.Join(dir, "config"), []byte(text), 0o600)
}

// guarded runs a fetch while the size of the clone is watched.
func (c *Cache) guarded(ctx context.Context, dir string, g git, args []string) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	done := make(chan struct{})
	var watch sync.WaitGroup
	watch.Go(func() {
		tick := time.NewTicker(200 * time.Millisecond)
		defer tick.Stop()
		for n := 1; ; n++ {
			select {
			case <-done:
				return
			case <-tick.C:
			}
			size := dirSize(dir)
			if size > c.cfg.MaxClone {
				cancel(fmt.Errorf("%w: over %d MB", ErrQuota, c.cfg.MaxClone>>20))
			}
			if n%25 == 0 {
				c.cfg.Notify(fmt.Sprintf("%d MB so far", size>>20))
			}
		}
	})
	_, err := g.output(ctx, nil, args...)
	close(done)
	watch.Wait()
	if err == nil && dirSize(dir) > c.cfg.MaxClone {
		return fmt.Errorf("%w: over %d MB", ErrQuota, c.cfg.MaxClone>>20)
	}
	return err
}

func dirSize(dir string) (size int64) {
	filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error { //nolint:errcheck // files come and go while git works
		if err == nil && e.Type().IsRegular() {
			if info, err := e.Info(); err == nil {
				size += info.Size()
			}
		}
		return nil
	})
	return size
}
