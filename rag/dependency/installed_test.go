package dependency_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/rag/dependency"
)

// checkedOut writes the files of a txtar to a directory.
func checkedOut(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(text)).Files {
		p := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o755), os.WriteFile(p, f.Data, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const asks = `-- web/package.json --
{"dependencies": {"left": "1.0.5", "top": "1.0.0", "old": "npm:react@16.0.0"}}
-- requirements.txt --
Py.YAML==6.0
six
-- composer.lock --
{"packages": [{"name": "Monolog/monolog", "version": "3.5.0"}]}
-- Gemfile.lock --
GEM
  specs:
    rack (3.0.1)
`

const installs = `-- web/node_modules/left/package.json --
{"name": "left", "version": "1.0.5", "repository": "acme/left"}
-- web/node_modules/left/index.js --
function pad() {}
-- web/node_modules/left/build/left.node --
machine code
-- web/node_modules/left/node_modules/deep/index.js --
function pad() {}
-- node_modules/left/package.json --
{"version": "9.9.9"}
-- node_modules/top/package.json --
{"version": "1.0.0"}
-- node_modules/top/index.js --
function pad() {}
-- node_modules/old/package.json --
{"version": "16.0.0"}
-- node_modules/old/index.js --
function pad() {}
-- venv/lib/python3.8/site-packages/py_yaml-5.0.dist-info/METADATA --
Name: py-yaml
Version: 5.0
-- venv/lib/python3.8/site-packages/py_yaml-5.0.dist-info/RECORD --
yaml/__init__.py,,
-- venv/lib/python3.12/site-packages/py_yaml-6.0.dist-info/METADATA --
Name: py-yaml
Version: 6.0
Requires-Dist: py-yaml-core==2.0
-- venv/lib/python3.12/site-packages/py_yaml-6.0.dist-info/RECORD --
yaml/__init__.py,,
../../../../../outside.py,,
/etc/passwd,,
yaml/gone.py,,
yaml/__pycache__/x.pyc,,
-- venv/lib/python3.12/site-packages/yaml/__init__.py --
def pad(): pass
-- venv/lib/python3.12/site-packages/py_yaml_core-2.0.dist-info/METADATA --
Name: py-yaml-core
Version: 2.0
-- venv/lib/python3.12/site-packages/py_yaml_core-2.0.dist-info/RECORD --
yaml_core.py,,
-- venv/lib/python3.12/site-packages/yaml_core.py --
def pad(): pass
-- venv/lib/python3.12/site-packages/six-1.16.0.dist-info/METADATA --
Name: six
Version: 1.16.0
-- venv/lib/python3.12/site-packages/six-1.16.0.dist-info/RECORD --
six.py,,
-- venv/lib/python3.12/site-packages/six.py --
def pad(): pass
-- outside.py --
def pad(): pass
-- vendor/composer/installed.json --
{"packages": [{"name": "monolog/monolog", "version": "3.5.0"}]}
-- vendor/monolog/monolog/src/Logger.php --
function pad() {}
-- vendor/bundle/ruby/3.2.0/gems/rack-2.0.0/lib/rack.rb --
def pad
-- vendor/bundle/ruby/3.2.0/gems/rack-3.0.1-x86_64-linux/lib/rack.rb --
def pad
-- vendor/bundle/ruby/3.2.0/gems/rack-test-3.0.1/lib/rack.rb --
def pad
`

func TestInstalledCopies(t *testing.T) {
	finder := dependency.NewSources(dependency.Config{Dir: t.TempDir()}).Finder(parse(asks), checkedOut(t, installs))
	for _, test := range []struct{ name, version, want string }{
		{"left", "", "left 1.0.5, web/node_modules/left as it is installed in the work tree, index.js:1, " +
			"parts of it are machine code; their source may be in acme/left, but repositories there are not opened"},
		{"left", "9.9.9", "left 9.9.9, node_modules/left as it is installed in the work tree"},
		{"top", "", "top 1.0.0, node_modules/top as it is installed in the work tree, index.js:1"},
		{"react", "", "react 16.0.0, node_modules/old as it is installed in the work tree, index.js:1"},
		{"py-yaml", "", "Py.YAML 6.0, venv/lib/python3.12/site-packages as it is installed in the work tree, yaml/__init__.py:1"},
		{"py_yaml_core", "", "py-yaml-core 2.0, venv/lib/python3.12/site-packages as it is installed in the work tree, yaml_core.py:1"},
		{"six", "", "six 1.16.0, venv/lib/python3.12/site-packages as it is installed in the work tree, six.py:1"},
		{"monolog", "", "Monolog/monolog 3.5.0, vendor/monolog/monolog as it is installed in the work tree, src/Logger.php:1"},
		{"rack", "", "rack 3.0.1, vendor/bundle/ruby/3.2.0/gems/rack-3.0.1-x86_64-linux as it is installed in the work tree, lib/rack.rb:1"},
	} {
		found, err := finder.Search(t.Context(), test.name, test.version, "pad", 5)
		got := []string{found.Name + " " + found.Version, found.From}
		for _, e := range found.Excerpts {
			got = append(got, e.Span.String())
		}
		if text := strings.Join(append(got, found.Notes...), ", "); err != nil || text != test.want {
			t.Errorf("%v\ngot  %s\nwant %s", err, text, test.want)
		}
	}
}

// Links that lead out of the work tree, and a name that does, give nothing.
func TestInstalledCopiesStayInside(t *testing.T) {
	secret := checkedOut(t, "-- left/package.json --\n{\"version\": \"1.0.5\"}\n-- left/index.js --\nfunction pad() {}\n")
	for name, link := range map[string]string{"the copy": "node_modules/left", "a file": "node_modules/left/index.js", "all": "node_modules"} {
		work := checkedOut(t, "-- README --\n")
		to := secret
		switch name {
		case "the copy":
			to = filepath.Join(secret, "left")
		case "a file":
			to = filepath.Join(secret, "left", "index.js")
			if err := os.MkdirAll(filepath.Join(work, "node_modules/left"), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(work, "node_modules/left/package.json"), []byte(`{"version": "1.0.5"}`), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		p := filepath.Join(work, filepath.FromSlash(link))
		if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o755), os.Symlink(to, p)); err != nil {
			t.Skip(err)
		}
		found, err := dependency.NewSources(dependency.Config{Dir: t.TempDir()}).Finder(parse("-- package.json --\n{\"dependencies\": {\"left\": \"1.0.5\"}}\n"), work).
			Search(t.Context(), "left", "", "pad", 5)
		if len(found.Excerpts) > 0 || err != nil && !errors.Is(err, dependency.ErrNoSource) {
			t.Errorf("%s: %v %+v", name, err, found)
		}
	}
	work := checkedOut(t, "-- node_modules/x --\n-- src/package.json --\n{\"version\": \"1.0.0\"}\n-- src/index.js --\nfunction pad() {}\n")
	_, err := dependency.NewSources(dependency.Config{Dir: t.TempDir()}).Finder(parse("-- package.json --\n{\"dependencies\": {\"../src\": \"1.0.0\"}}\n"), work).
		Search(t.Context(), "../src", "", "pad", 5)
	if !errors.Is(err, dependency.ErrNoSource) {
		t.Error(err)
	}
}

// TestMavenRepository: where no sources are published, the description of a library
// names its repository.
func TestMavenRepository(t *testing.T) {
	bin := t.TempDir()
	script := `#!/bin/sh
case "$*" in
*:pom*) echo '<project><scm><url>https://github.com/acme/core/tree/main</url></scm></project>' >"$TMPDIR/core-2.1.pom" ;;
*) echo '[ERROR] Failed: none is published'; exit 1 ;;
esac
`
	if err := os.WriteFile(filepath.Join(bin, "mvn"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	cfg := dependency.Config{Dir: t.TempDir(), Clone: func(_ context.Context, at source.Repo, revs []string) (dependency.Tree, string, func(), error) {
		if at.String() != "acme/core" || revs[0] != "refs/tags/org.acme:core@2.1" {
			t.Errorf("%s %s", at, revs[0])
		}
		return parse("-- src/Core.java --\nclass Core {}\n"), "refs/tags/core-2.1", func() {}, nil
	}}
	cfg.Client.Env = []string{"PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH")}
	finder := dependency.NewSources(cfg).Finder(parse("-- build.gradle --\nimplementation 'org.acme:core:2.1'\n"), "")
	got, err := finder.Search(t.Context(), "org.acme:core", "", "Core", 1)
	want := dependency.Found{Name: "org.acme:core", Version: "2.1", From: "acme/core at core-2.1", Asked: "build.gradle:1", Excerpts: []dependency.Excerpt{
		{Span: source.Span{Path: "src/Core.java", Start: 1, End: 1}, Text: []string{"class Core {}"}},
	}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
}
