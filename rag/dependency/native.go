package dependency

import (
	"context"
	"fmt"
	"path"
	"slices"

	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/rag/dependency/manifest"
)

// addNative adds the source of machine code from the library's repository at the tag
// of its version, under the repository's name: the Rust of pydantic-core, the C of a
// module for Node. What stands in the way of that is noted. It may take half of the time
// that there is: without it there is still an answer.
func (s *Sources) addNative(ctx context.Context, out *Source, about manifest.About) {
	repo, _, ok := repository(about.Repository)
	switch {
	case !ok:
		out.note("parts of it are machine code, and it does not say where their source is")
		return
	case s.cfg.Clone == nil || !s.goesTo(repo):
		out.note("parts of it are machine code; their source may be in %s, but repositories there are not opened", repo)
		return
	}
	ctx, cancel := context.WithTimeoutCause(ctx, s.cfg.Time/2, fmt.Errorf("it took longer than %v", s.cfg.Time/2))
	defer cancel()
	tree, rev, done, err := s.cfg.Clone(ctx, repo, tags(out.Library, out.Version, about.Subdirectory, ""))
	if err != nil {
		out.note("parts of it are machine code, whose source could not be had: %v", err)
		return
	}
	defer done()
	before := len(out.files)
	if err := out.readTree(ctx, tree, "", repo.Name, compiled); err != nil {
		out.note("parts of it are machine code, whose source could not be read: %v", err)
		return
	}
	if len(out.files) > before {
		out.note("what stands below %s/ is from %s at %s, as that part is machine code in the archive", repo.Name, repo, tagName(rev))
	} else {
		out.note("parts of it are machine code, and %s at %s has no source of such", repo, tagName(rev))
	}
}

// compiled says whether a file is in a language that is compiled to machine code.
func compiled(f source.File) bool {
	switch source.LanguageOf(f.Path, nil) {
	case source.Rust, source.C, source.CPP, source.Go:
		return source.RoleOf(f.Path) == source.Code
	}
	// Cython has the source of most native parts of Python libraries that are not Rust.
	return slices.Contains([]string{".pyx", ".pxd", ".pxi"}, path.Ext(f.Path))
}
