package dependency

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
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
	Time    time.Duration    // of one search, with all that is brought for it. Zero means 5 minutes
	Client  client.Config    // how the ecosystems' clients are run
	Limits  archive.Limits   // of one archive
	Clone   Clone            // opens repositories; nil means that none are
	Hosts   []string         // where repositories may be. nil means github.com alone
	Now     func() time.Time // nil means time.Now

	// Notify is told what takes long. nil means nobody.
	Notify func(event string)
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
	if cfg.Notify == nil {
		cfg.Notify = func(string) {}
	}
	cfg.MaxSize = cmp.Or(cfg.MaxSize, 2<<30)
	cfg.Time = cmp.Or(cfg.Time, 5*time.Minute)
	return &Sources{cfg: cfg, store: store{cfg.Dir, cfg.MaxSize, cfg.Now}}
}

// open brings the source of a library that the repository in tree asks for: a copy in
// the repository, else one that is installed where it is checked out, which is work,
// else the archive that the ecosystem's client gets, else its repository at the tag.
// With version "" it is the one that the repository gets, or the newest that it
// allows. The error is ErrNoSource with each way and why it failed, or that of the
// tree, of work, or of ctx.
func (s *Sources) open(ctx context.Context, tree Tree, work string, lib Library, version string) (*Source, error) {
	asked := cmp.Or(version, lib.Version())
	if version == "" || version == lib.Version() || lib.Dir == "" {
		if found, err := local(ctx, tree, lib, asked); found != nil || err != nil {
			return found, err
		}
	}
	if work != "" && lib.URL == "" {
		if found, err := s.installed(ctx, work, lib, asked); found != nil || err != nil {
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

var clientOf = map[manifest.Ecosystem]string{manifest.Go: "go", manifest.PyPI: "pip", manifest.NPM: "npm", manifest.Cargo: "cargo", manifest.Maven: "mvn"}
