package repo

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	"github.com/repomind/repomind/internal/source"
)

// Clone is a bare clone of ours. Its methods may be called from several goroutines.
type Clone struct {
	cache  *Cache
	dir    string
	origin Origin
	used   *fileLock
	git    git
	blobs  *pool
	text   *textCache
	close  sync.Once
}

func newClone(c *Cache, dir string, from Origin, used *fileLock) *Clone {
	return &Clone{
		cache: c, dir: dir, origin: from, used: used,
		git:   git{dir: dir, timeout: c.cfg.ReadTime},
		blobs: newPool(dir),
		text:  newTextCache(),
	}
}

// Close ends the readers of the clone and lets the cache evict it.
func (c *Clone) Close() {
	c.close.Do(func() {
		c.blobs.close()
		c.used.release()
	})
}

// Origin is where the clone comes from.
func (c *Clone) Origin() Origin { return c.origin }

// Derived is a directory for what others make of the clone, such as an index. It is
// counted and evicted with the clone.
func (c *Clone) Derived(name string) string { return filepath.Join(c.dir, "derived", name) }

// Resolve gives the commit that a person or a model calls rev: a full or short hash,
// a branch or tag, HEAD for the origin's default branch, with ~N and ^ behind any of
// them. The error says what would work.
func (c *Clone) Resolve(ctx context.Context, rev string) (source.Commit, error) {
	base, suffix := splitRev(rev)
	if !validSuffix(suffix) || !validRef(base) {
		return "", fmt.Errorf("%w: %q is no branch, tag or commit hash", ErrNoCommit, rev)
	}
	for _, name := range candidates(base) {
		out, err := c.git.output(ctx, nil, "rev-parse", "--verify", "-q", "--end-of-options", name+suffix+"^{commit}")
		if commit, bad := source.ParseCommit(strings.TrimSpace(string(out))); err == nil && bad == nil {
			return commit, nil
		}
		if ctx.Err() != nil {
			return "", context.Cause(ctx)
		}
	}
	if base == "HEAD" && suffix == "" {
		return "", fmt.Errorf("%w: the origin's HEAD points to a branch without a commit; name a branch or commit", ErrNoCommit)
	}
	return "", fmt.Errorf("%w: %q (a branch, a tag, HEAD or a commit hash is needed)", ErrNoCommit, rev)
}

func candidates(base string) []string {
	switch {
	case base == "HEAD" || base == "@":
		return []string{head}
	case strings.HasPrefix(base, "refs/"):
		return []string{base, "refs/repomind/want/" + strings.TrimPrefix(base, "refs/")}
	case isHex(base):
		return []string{base, "refs/heads/" + base, "refs/tags/" + base}
	}
	names := []string{"refs/heads/" + base, "refs/tags/" + base, "refs/repomind/remotes/" + base, "refs/" + base}
	if branch, ok := strings.CutPrefix(base, "origin/"); ok {
		names = append(names, "refs/heads/"+branch) // what is a branch there is one here
	}
	return names
}

func isHex(s string) bool {
	return len(s) >= 4 && len(s) <= 64 && strings.Trim(s, "0123456789abcdefABCDEF") == ""
}

func splitRev(rev string) (base, suffix string) {
	if i := strings.IndexAny(rev, "~^"); i >= 0 {
		return rev[:i], rev[i:]
	}
	return rev, ""
}

func validSuffix(s string) bool { return len(s) < 32 && strings.Trim(s, "~^0123456789") == "" }

// MergeBase is the commit that two histories parted at: the base of a pull request is
// the merge base of its head and the branch of the target repository.
func (c *Clone) MergeBase(ctx context.Context, a, b source.Commit) (source.Commit, error) {
	out, err := c.git.output(ctx, nil, "merge-base", "--end-of-options", string(a), string(b))
	if exit := exitCode(err); exit == 1 {
		return "", fmt.Errorf("%s and %s have no common history", a.Short(), b.Short())
	} else if err != nil {
		return "", fmt.Errorf("merge base of %s and %s: %w", a.Short(), b.Short(), c.broken(err))
	}
	return source.ParseCommit(strings.TrimSpace(string(out)))
}

// Before tells whether commit a is b or stands in the history of b.
func (c *Clone) Before(ctx context.Context, a, b source.Commit) (bool, error) {
	_, err := c.git.output(ctx, nil, "merge-base", "--is-ancestor", "--end-of-options", string(a), string(b))
	if exitCode(err) == 1 {
		return false, nil
	}
	return err == nil, c.broken(err)
}

func exitCode(err error) int {
	var exit interface{ ExitCode() int }
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	return 0
}

// ErrBroken says that the clone is damaged; the next Open makes it again.
var ErrBroken = errors.New("the clone in the cache is damaged and will be made again; run the command once more")

// broken marks the clone for renewal if git stumbled over its files.
func (c *Clone) broken(err error) error {
	if !corrupt(err) {
		return err
	}
	return errors.Join(fmt.Errorf("%w: %w", ErrBroken, err), removeMarker(c.dir))
}
