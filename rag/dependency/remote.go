package dependency

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/rag/dependency/client"
	"github.com/repomind/repomind/rag/dependency/manifest"
)

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
	if err == nil || asked == "" || ctx.Err() != nil {
		return found, err
	}
	at, ok, bad := s.elsewhere(ctx, lib, asked)
	if ok {
		found, bad = s.fromRepository(ctx, lib, asked, at)
	}
	if bad != nil || !ok {
		return nil, errors.Join(err, bad)
	}
	return found, nil
}

// elsewhere tells the repository of a library whose archive is not to be had, where its
// name or a description of its own does.
func (s *Sources) elsewhere(ctx context.Context, lib Library, version string) (place, bool, error) {
	switch lib.Ecosystem {
	case manifest.Go:
		repo, dir, ok := ofModule(lib.Name)
		return place{repo, dir, ""}, ok && s.goesTo(repo), nil
	case manifest.Maven:
		part, err := s.store.part()
		if err != nil {
			return place{}, false, err
		}
		defer os.RemoveAll(part)
		pom, err := s.cfg.Client.POM(ctx, client.Library{Ecosystem: lib.Ecosystem, Name: lib.Name, Version: version}, part)
		repo, _, ok := repository(manifest.Describe("pom.xml", pom).Repository)
		return place{repo, "", ""}, ok && s.goesTo(repo), err
	}
	return place{}, false, nil
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
