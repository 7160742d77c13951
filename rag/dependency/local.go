package dependency

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/rag/dependency/manifest"
)

// local finds the copy of a library that stands in the repository: where a manifest
// says that it comes from a directory, or where package managers and people put
// copies. With a version, a copy that is known to be of another one is none.
func local(ctx context.Context, tree Tree, lib Library, version string) (*Source, error) {
	if lib.Dir != "" {
		s := &Source{Library: lib, Version: lib.Version(), From: source.Quote(lib.Dir) + " in the repository"}
		err := s.readTree(ctx, tree, lib.Dir, "", func(source.File) bool { return true })
		return s, err
	}
	for _, dir := range copies(tree.Files(), candidates(lib, version)) {
		have, err := copiedVersion(ctx, tree, dir, lib)
		if err != nil {
			return nil, err
		}
		if have != "" && version != "" && have != version {
			continue
		}
		s := &Source{Library: lib, Version: cmp.Or(have, version), From: source.Quote(dir) + " in the repository"}
		if have == "" && version != "" {
			s.note("the copy in %s does not say its version; the manifests ask for %s", source.Quote(dir), source.Quote(version))
		}
		err = s.readTree(ctx, tree, dir, "", func(source.File) bool { return true })
		if err != nil || len(s.files) > 0 {
			return s, err
		}
	}
	return nil, nil
}

// candidates are the ends of the directories that a copy may stand in.
func candidates(lib Library, version string) []string {
	name := cmp.Or(lib.As, lib.Name)
	var out []string
	switch lib.Ecosystem {
	case manifest.Go, manifest.Composer:
		out = append(out, "vendor/"+name)
	case manifest.NPM:
		out = append(out, "node_modules/"+name)
	case manifest.Cargo:
		out = append(out, "vendor/"+lib.Name, "vendor/"+lib.Name+"-"+version)
	case manifest.Gem:
		out = append(out, "gems/"+lib.Name+"-"+version, "vendor/"+lib.Name)
	case manifest.PyPI:
		module := strings.ReplaceAll(manifest.PyPI.Canonical(lib.Name), "-", "_")
		for _, m := range append([]string{module}, modulesOf(lib.Name)...) {
			out = append(out, "_vendor/"+m, "vendor/"+m, "site-packages/"+m)
		}
	case manifest.Maven:
		_, name, _ = strings.Cut(lib.Name, ":")
	}
	for _, dir := range []string{"third_party", "third-party", "thirdparty", "external", "extern", "deps"} {
		out = append(out, dir+"/"+name)
	}
	return out
}

// modulesOf gives the modules that the table has a distribution for.
func modulesOf(distribution string) (out []string) {
	for module, all := range distributionOf {
		for _, d := range all {
			if manifest.PyPI.Canonical(d) == manifest.PyPI.Canonical(distribution) {
				out = append(out, strings.ReplaceAll(module, ".", "/"))
			}
		}
	}
	slices.Sort(out)
	return out
}

// copies gives the directories of a tree that end like one of the candidates, in
// their order and the shortest first, ten at most.
func copies(files []source.File, ends []string) []string {
	found := make([][]string, len(ends))
	for _, f := range files {
		for i, end := range ends {
			at := strings.Index("/"+f.Path, "/"+end+"/")
			if at < 0 {
				continue
			}
			dir := f.Path[:at+len(end)]
			if !slices.Contains(found[i], dir) && len(found[i]) < 10 {
				found[i] = append(found[i], dir)
			}
		}
	}
	var out []string
	for _, dirs := range found {
		slices.SortStableFunc(dirs, func(a, b string) int { return cmp.Compare(len(a), len(b)) })
		out = append(out, dirs...)
	}
	return out[:min(len(out), 10)]
}

// copiedVersion reads which version a copy is of, "" if it does not say.
func copiedVersion(ctx context.Context, tree Tree, dir string, lib Library) (version string, err error) {
	name := cmp.Or(lib.As, lib.Name)
	says := []string{dir + "/package.json", dir + "/Cargo.toml"}
	if lib.Ecosystem == manifest.Go {
		says = []string{strings.TrimSuffix(dir, name) + "modules.txt"}
	}
	var files []source.File
	for _, f := range tree.Files() {
		if f.Mode.Text() && slices.Contains(says, f.Path) {
			files = append(files, f)
		}
	}
	err = tree.Blobs(ctx, files, func(i int, data []byte) error {
		if data != nil && lib.Ecosystem == manifest.Go {
			version = vendored(files[i].Path, data, name)
		} else if data != nil && version == "" {
			version = manifest.Describe(files[i].Path, data).Version
		}
		return nil
	})
	return version, err
}

// vendored looks a module up in vendor/modules.txt.
func vendored(p string, data []byte, name string) string {
	found, err := manifest.Parse(p, data)
	if err != nil {
		return ""
	}
	for _, r := range found.Requirements {
		if cmp.Or(r.As, r.Name) == name {
			return r.Version
		}
	}
	return ""
}
