package dependency

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/rag/dependency/manifest"
)

// installs gives the copies of a library below a directory, the likeliest first.
func installs(root *os.Root, lib Library) []install {
	name := cmp.Or(lib.As, lib.Name)
	if clean, err := source.CleanPath(name); err != nil || clean != name {
		return nil
	}
	switch lib.Ecosystem {
	case manifest.NPM:
		return nodeModules(root, path.Dir(lib.Asked.Path), name)
	case manifest.PyPI:
		return sitePackages(root, name)
	case manifest.Composer:
		return composerVendor(root, name)
	case manifest.Gem:
		return bundledGems(root, name)
	}
	return nil
}

// nodeModules looks beside the manifest that asks, and then at the top.
func nodeModules(root *os.Root, asking, name string) (out []install) {
	for _, at := range []string{asking, "."} {
		dir := path.Join(at, "node_modules", name)
		if data := readSmall(root, dir+"/package.json"); data != nil {
			out = append(out, install{dir: dir, about: manifest.Describe("package.json", data)})
		}
	}
	return out
}

// sitePackages looks into the usual places of virtual environments. Which files a
// distribution has, its RECORD says.
func sitePackages(root *os.Root, name string) (out []install) {
	for _, site := range sites(root) {
		for _, e := range list(root, site) {
			known, isInfo := strings.CutSuffix(e, ".dist-info")
			have, _, _ := strings.Cut(known, "-")
			if isInfo && manifest.PyPI.Canonical(have) == manifest.PyPI.Canonical(name) {
				info := path.Join(site, e)
				out = append(out, install{site, recorded(readSmall(root, info+"/RECORD")), manifest.Describe("METADATA", readSmall(root, info+"/METADATA"))})
			}
		}
	}
	return out
}

func sites(root *os.Root) (out []string) {
	for _, env := range []string{".venv", "venv", "env"} {
		out = append(out, path.Join(env, "Lib/site-packages")) // on Windows
		for _, e := range list(root, path.Join(env, "lib")) {
			if strings.HasPrefix(e, "python") {
				out = append(out, path.Join(env, "lib", e, "site-packages"))
			}
		}
	}
	return out
}

// recorded gives the files that a RECORD lists, those below its directory.
func recorded(data []byte) []string {
	files := []string{}
	r := csv.NewReader(bytes.NewReader(data))
	r.FieldsPerRecord = -1
	for len(files) < 2*maxFiles {
		line, err := r.Read()
		if err != nil {
			break
		}
		if p, bad := source.CleanPath(line[0]); bad == nil && p == line[0] && p != "" && path.Ext(p) != ".pyc" {
			files = append(files, p)
		}
	}
	return files
}

// composerVendor reads the versions from the list that Composer keeps, which has the
// form of its lock file.
func composerVendor(root *os.Root, name string) []install {
	kept, err := manifest.Parse("composer.lock", readSmall(root, "vendor/composer/installed.json"))
	if err != nil {
		return nil
	}
	for _, r := range kept.Requirements {
		dir := "vendor/" + r.Name // which differs from name by case at most
		if manifest.Composer.Canonical(r.Name) == manifest.Composer.Canonical(name) && isDir(root, dir) {
			return []install{{dir: dir, about: manifest.About{Version: r.Version}}}
		}
	}
	return nil
}

// bundledGems: Bundler puts gems into directories of their name and version.
func bundledGems(root *os.Root, name string) (out []install) {
	for _, ruby := range list(root, "vendor/bundle/ruby") {
		gems := path.Join("vendor/bundle/ruby", ruby, "gems")
		for _, e := range list(root, gems) {
			if v, ok := strings.CutPrefix(e, name+"-"); ok && v != "" && v[0] >= '0' && v[0] <= '9' {
				v, _, _ = strings.Cut(v, "-") // behind it is a platform
				out = append(out, install{dir: path.Join(gems, e), about: manifest.About{Version: v}})
			}
		}
	}
	return out
}

// list names what is in a directory; one that cannot be read has nothing. To open a
// pipe would hang.
func list(root *os.Root, dir string) (names []string) {
	if !isDir(root, dir) {
		return nil
	}
	entries, err := fs.ReadDir(root.FS(), dir)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func isDir(root *os.Root, dir string) bool {
	info, err := root.Stat(dir)
	return err == nil && info.IsDir()
}

// readSmall reads a file of a manifest's size; nil is one that is not there, or is
// something else.
func readSmall(root *os.Root, p string) []byte {
	info, err := root.Stat(p)
	if err != nil || !info.Mode().IsRegular() || info.Size() > manifest.MaxSize {
		return nil
	}
	data, err := root.ReadFile(p)
	if err != nil {
		return nil
	}
	return data
}
