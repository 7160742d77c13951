package dependency

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/rag/dependency/archive"
	"github.com/repomind/repomind/rag/dependency/client"
	"github.com/repomind/repomind/rag/dependency/manifest"
)

// Config says how the source of libraries is brought and kept.
type Config struct {
	Dir     string           // where unpacked libraries are kept; it is made if absent
	MaxSize int64            // bytes of them all; those used least recently go first. Zero means 2 GB
	Time    time.Duration    // to bring one library. Zero means 5 minutes
	Client  client.Config    // how the ecosystems' clients are run
	Limits  archive.Limits   // of one archive
	Clone   Clone            // opens repositories; nil means that none are
	Hosts   []string         // where repositories may be. nil means github.com alone
	Now     func() time.Time // nil means time.Now
}

// Sources brings the source of libraries.
type Sources struct {
	cfg   Config
	store store
}

// NewSources makes the Sources of a Config.
func NewSources(cfg Config) *Sources {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	cfg.MaxSize = cmp.Or(cfg.MaxSize, 2<<30)
	cfg.Time = cmp.Or(cfg.Time, 5*time.Minute)
	return &Sources{cfg: cfg, store: store{cfg.Dir, cfg.MaxSize, cfg.Now}}
}

// Open brings the source of a library that the repository in tree asks for: a copy in
// the repository, else the archive that the ecosystem's client gets, else its
// repository at the tag. With version "" it is the one that the repository gets, or
// the newest that it allows. The error is ErrNoSource with each way and why it failed,
// or that of the tree or ctx.
func (s *Sources) Open(ctx context.Context, tree Tree, lib Library, version string) (*Source, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, s.cfg.Time, fmt.Errorf("the source of %s took longer than %v", source.Quote(lib.Name), s.cfg.Time))
	defer cancel()
	asked := cmp.Or(version, lib.Version())
	if version == "" || version == lib.Version() || lib.Dir == "" {
		if found, err := local(ctx, tree, lib, asked); found != nil || err != nil {
			return found, err
		}
	}
	found, err := s.remote(ctx, lib, version)
	switch {
	case err == nil:
		return found, nil
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	}
	return nil, fmt.Errorf("%s: %w: %w", source.Quote(lib.Name), ErrNoSource, err)
}

// remote brings a library from where its manifest says, and else from the registry.
// What a manifest has from elsewhere is not looked for in the registry, where another
// library may have that name.
func (s *Sources) remote(ctx context.Context, lib Library, version string) (*Source, error) {
	asked := cmp.Or(version, lib.Version())
	if lib.URL != "" {
		repo, rev, ok := repository(lib.URL)
		if version != "" && version != lib.Version() {
			rev = "" // the manifest's is that of another version
		}
		if !ok {
			return nil, fmt.Errorf("%s is no address of a repository", source.Quote(lib.URL))
		}
		return s.fromRepository(ctx, lib, asked, place{repo, "", rev})
	}
	found, err := s.fromArchive(ctx, lib, version)
	if err == nil || lib.Ecosystem != manifest.Go || asked == "" || ctx.Err() != nil {
		return found, err
	}
	repo, dir, ok := ofModule(lib.Name)
	if !ok || !s.goesTo(repo) {
		return nil, err
	}
	found, bad := s.fromRepository(ctx, lib, asked, place{repo, dir, ""})
	if bad != nil {
		return nil, errors.Join(err, bad)
	}
	return found, nil
}

// place is where a library stands in repositories.
type place struct {
	repo source.Repo
	dir  string // of the library in the repository
	rev  string // "" is the tag of the version
}

// goesTo says whether repositories of a host are opened.
func (s *Sources) goesTo(r source.Repo) bool {
	if s.cfg.Hosts == nil {
		return r.HostName() == source.GitHub
	}
	return slices.Contains(s.cfg.Hosts, r.HostName())
}

func (s *Sources) fromRepository(ctx context.Context, lib Library, version string, at place) (*Source, error) {
	if s.cfg.Clone == nil || !s.goesTo(at.repo) {
		return nil, fmt.Errorf("%s may have it, but repositories there are not opened", at.repo)
	}
	tree, rev, done, err := s.cfg.Clone(ctx, at.repo, tags(lib, version, at.dir, at.rev))
	if err != nil {
		return nil, err
	}
	defer done()
	out := &Source{Library: lib, Version: cmp.Or(version, rev), From: fmt.Sprintf("%s at %s", at.repo, tagName(rev))}
	return out, out.readTree(ctx, tree, at.dir, "", func(source.File) bool { return true })
}

func tagName(rev string) string { return source.Quote(strings.TrimPrefix(rev, "refs/tags/")) }

// fromArchive unpacks what the client gets, or finds it unpacked.
func (s *Sources) fromArchive(ctx context.Context, lib Library, version string) (*Source, error) {
	want := client.Library{Ecosystem: lib.Ecosystem, Name: lib.Name, Version: cmp.Or(version, lib.Version()), Constraint: lib.Constraint}
	dir := s.store.place(lib.Ecosystem, lib.Name, want.Version)
	r, ok := s.store.open(dir)
	if !ok || want.Version == "" {
		var err error
		if dir, r, err = s.bring(ctx, want); err != nil {
			return nil, err
		}
	}
	out := &Source{Library: lib, Version: r.Version, From: "its archive by " + clientOf[lib.Ecosystem]}
	if want.Version == "" {
		out.note("the repository does not say which version it gets; this is the newest that %s allows", source.Quote(cmp.Or(lib.Constraint, "it")))
	}
	if err := out.readDir(ctx, filepath.Join(dir, treeDir)); err != nil {
		return nil, fmt.Errorf("read the source of %s: %w", source.Quote(lib.Name), err)
	}
	if r.Native {
		s.addNative(ctx, out, r.About)
	}
	return out, nil
}

var clientOf = map[manifest.Ecosystem]string{manifest.Go: "go", manifest.PyPI: "pip", manifest.NPM: "npm", manifest.Cargo: "cargo"}
