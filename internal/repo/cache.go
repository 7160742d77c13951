package repo

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/repomind/repomind/internal/source"
)

// Config says where clones are kept and how much they may take.
type Config struct {
	Dir       string             // the cache directory; it is made if absent
	MaxSize   int64              // bytes of all clones together; those used least recently go first. Zero means 10 GB
	MaxClone  int64              // bytes of one clone. Zero means 4 GB
	MaxBlob   int64              // bytes; larger files are left out and listed as unseen. Zero means 5 MB
	CloneTime time.Duration      // for one clone or fetch. Zero means 20 minutes
	ReadTime  time.Duration      // for one read. Zero means 60 seconds
	Notify    func(event string) // told what takes long. nil means nobody
	Now       func() time.Time   // nil means time.Now

	// Network is added to git's environment where it reaches out: HTTPS_PROXY and the like.
	Network []string

	// Token gives the token for a host, "" for none. nil means none for any.
	Token func(host string) (string, error)
}

func (c Config) withDefaults() Config {
	c.MaxSize = cmp.Or(c.MaxSize, 10<<30)
	c.MaxClone = cmp.Or(c.MaxClone, 4<<30)
	c.MaxBlob = cmp.Or(c.MaxBlob, 5<<20)
	c.CloneTime = cmp.Or(c.CloneTime, 20*time.Minute)
	c.ReadTime = cmp.Or(c.ReadTime, time.Minute)
	if c.Token == nil {
		c.Token = func(string) (string, error) { return "", nil }
	}
	if c.Notify == nil {
		c.Notify = func(string) {}
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return c
}

// Cache is a directory of bare clones that several processes may use at once.
type Cache struct{ cfg Config }

// NewCache makes the directory if it is not there.
func NewCache(cfg Config) (*Cache, error) {
	if cfg.Dir == "" {
		return nil, errors.New("repo: Config.Dir is empty")
	}
	dir, err := filepath.Abs(cfg.Dir)
	if err != nil {
		return nil, err
	}
	cfg.Dir = dir
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the cache directory: %w", err)
	}
	return &Cache{cfg.withDefaults()}, nil
}

// Origin is where a clone comes from: a repository on a host, or a directory of
// this machine, which is cloned from and never used in place.
type Origin struct {
	Repo source.Repo
	Dir  string // a work tree or a bare repository; overrides Repo
}

func (o Origin) String() string {
	if o.Dir != "" {
		return o.Dir
	}
	return o.Repo.String()
}

// key is the name of the clone's directory. Hosts do not tell case apart in names;
// "+" is in no owner's and no repository's name.
func (o Origin) key() string {
	if o.Dir != "" {
		sum := sha256.Sum256([]byte(o.Dir))
		return fmt.Sprintf("local+%s+%x", safeName(filepath.Base(o.Dir)), sum[:8])
	}
	host := strings.ReplaceAll(o.Repo.HostName(), ":", "~")
	return strings.ToLower(host + "+" + o.Repo.Owner + "+" + o.Repo.Name)
}

func safeName(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '-' || r == '_' {
			return r
		}
		return '_'
	}, s[:min(len(s), 40)])
}

// Open gives the clone of an origin, made or brought up to date as needed: if each
// of want (full hashes) is there already, nothing is fetched; a want that is missing
// is fetched by its name. With no want, the newest state is fetched. Another process
// that clones the same origin is waited for, and what it made is used.
//
// The caller closes the Clone; until then the cache will not evict it.
func (c *Cache) Open(ctx context.Context, from Origin, want ...string) (*Clone, error) {
	from, err := from.resolve()
	if err != nil {
		return nil, err
	}
	for _, w := range want {
		if err := checkWant(w); err != nil {
			return nil, err
		}
	}
	dir := filepath.Join(c.cfg.Dir, from.key()+".git")
	busy, err := lock(ctx, dir+".fetch.lock", exclusive, func() {
		c.cfg.Notify("waiting for another process that fetches " + source.Quote(from.String()))
	})
	if err != nil {
		return nil, fmt.Errorf("wait for the clone of %s: %w", from, err)
	}
	defer busy.release()
	if err := c.prepare(ctx, dir, from, want); err != nil {
		return nil, fmt.Errorf("clone %s: %w", source.Quote(from.String()), err)
	}
	used, err := lock(ctx, dir+".use.lock", shared, func() {})
	if err != nil {
		return nil, err
	}
	now := c.cfg.Now()
	os.Chtimes(filepath.Join(dir, markerFile), now, now) //nolint:errcheck // only the order of eviction depends on it
	if err := c.Evict(c.cfg.MaxSize); err != nil {
		used.release()
		return nil, err
	}
	return newClone(c, dir, from, used), nil
}

func (o Origin) resolve() (Origin, error) {
	if o.Dir == "" {
		_, err := source.NewRepo(o.Repo.Host, o.Repo.Owner, o.Repo.Name)
		return o, err
	}
	abs, err := filepath.Abs(o.Dir)
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	if err != nil {
		return o, fmt.Errorf("the repository directory: %w", err)
	}
	return Origin{Dir: abs}, ordinary(abs)
}

// ordinary refuses a repository whose own files are pipes or devices: git would wait
// for them.
func ordinary(dir string) error {
	for _, name := range []string{"HEAD", "config", "packed-refs", ".git/HEAD", ".git/config", ".git/packed-refs", ".gitignore"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
			return fmt.Errorf("%w: %s is no file", ErrAccess, source.Quote(filepath.Join(dir, name)))
		}
	}
	return nil
}

func checkWant(rev string) error {
	if _, err := source.ParseCommit(rev); err == nil {
		return nil
	}
	if !strings.HasPrefix(rev, "refs/") || !validRef(rev) {
		return fmt.Errorf("%q is neither a full commit hash nor a full ref name", rev)
	}
	return nil
}

// validRef follows git-check-ref-format(1), and leaves out what git would take for
// a pattern or an option.
func validRef(ref string) bool {
	if ref == "" || len(ref) > 512 || strings.HasPrefix(ref, "-") || strings.HasSuffix(ref, "/") || strings.HasSuffix(ref, ".") {
		return false
	}
	if strings.ContainsFunc(ref, func(r rune) bool { return r <= ' ' || r == 0x7f || strings.ContainsRune(`~^:?*[\`, r) }) {
		return false
	}
	for part := range strings.SplitSeq(ref, "/") {
		if part == "" || strings.HasPrefix(part, ".") || strings.HasSuffix(part, ".lock") {
			return false
		}
	}
	return !strings.Contains(ref, "..") && !strings.Contains(ref, "@{")
}
