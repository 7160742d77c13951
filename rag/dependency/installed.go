package dependency

import (
	"context"
	"fmt"
	"os"

	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/rag/dependency/manifest"
)

// install is a copy that a package manager has put where the repository is checked
// out. What stands there is no less hostile than the repository: it is read through an
// os.Root, which no link leads out of.
type install struct {
	dir   string         // where its files are
	files []string       // from dir; nil means all
	about manifest.About // what it says of itself, its version at least
}

// installed finds a library that is installed at a version, "" for any; nil is none.
func (s *Sources) installed(ctx context.Context, work string, lib Library, version string) (*Source, error) {
	root, err := os.OpenRoot(work)
	if err != nil {
		return nil, fmt.Errorf("look for what is installed: %w", err)
	}
	defer root.Close()
	for _, in := range installs(root, lib) {
		if in.about.Version == "" || version != "" && in.about.Version != version {
			continue
		}
		out := &Source{Library: lib, Version: in.about.Version, From: source.Quote(in.dir) + " as it is installed in the work tree"}
		native, err := out.readInstall(ctx, root, in)
		if err != nil {
			return nil, fmt.Errorf("read what is installed in %s: %w", source.Quote(in.dir), err)
		}
		if len(out.files) == 0 {
			continue
		}
		if native {
			s.addNative(ctx, out, in.about)
		}
		return out, nil
	}
	return nil, nil
}

// installedAbout is what a library that is installed at its version says of itself.
func installedAbout(work string, lib Library) (manifest.About, bool) {
	root, err := os.OpenRoot(work)
	if err != nil {
		return manifest.About{}, false
	}
	defer root.Close()
	for _, in := range installs(root, lib) {
		if v := lib.Version(); in.about.Version != "" && (v == "" || v == in.about.Version) {
			return in.about, true
		}
	}
	return manifest.About{}, false
}

// readInstall says whether the copy has machine code.
func (s *Source) readInstall(ctx context.Context, root *os.Root, in install) (native bool, err error) {
	sub, err := root.OpenRoot(in.dir)
	if err != nil {
		return false, err
	}
	defer sub.Close()
	return s.readRoot(ctx, sub, in.files)
}
