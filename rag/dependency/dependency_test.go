package dependency_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/rag/dependency"
	"github.com/repomind/repomind/rag/dependency/manifest"
)

var update = flag.Bool("update", false, "rewrite the goldens")

// tree is a repository of the files of a txtar.
type tree []txtar.File

func parse(text string) tree {
	files := txtar.Parse([]byte(text)).Files
	slices.SortFunc(files, func(a, b txtar.File) int { return strings.Compare(a.Name, b.Name) })
	return files
}

func (t tree) Files() (out []source.File) {
	for _, f := range t {
		out = append(out, source.File{Path: f.Name, Size: int64(len(f.Data))})
	}
	return out
}

func (t tree) Blobs(_ context.Context, files []source.File, each func(i int, data []byte) error) error {
	for i, f := range files {
		at := slices.IndexFunc(t, func(have txtar.File) bool { return have.Name == f.Path })
		if err := each(i, t[at].Data); err != nil {
			return err
		}
	}
	return nil
}

func readTestdata(t *testing.T) *dependency.Libraries {
	t.Helper()
	data, err := os.ReadFile("testdata/read.txtar")
	if err != nil {
		t.Fatal(err)
	}
	libs, err := dependency.Read(t.Context(), parse(string(data)))
	if err != nil {
		t.Fatal(err)
	}
	return libs
}

func TestRead(t *testing.T) {
	libs := readTestdata(t)
	var got strings.Builder
	for _, l := range libs.All() {
		fmt.Fprintf(&got, "%s %s", l.Ecosystem, l.Name)
		for _, field := range [][2]string{{"as", l.As}, {"asks", l.Constraint}, {"in", l.Dir}, {"from", l.URL}} {
			if field[1] != "" {
				fmt.Fprintf(&got, "  %s %s", field[0], field[1])
			}
		}
		if !l.Direct {
			fmt.Fprint(&got, "  indirect")
		}
		fmt.Fprintf(&got, "  %s\n", l.Asked)
		for _, p := range l.Pins {
			fmt.Fprintf(&got, "    %s  %s\n", p.Version, p.At)
		}
	}
	for _, n := range libs.Notes() {
		fmt.Fprintf(&got, "note: %s\n", n)
	}
	if *update {
		if err := os.WriteFile("testdata/read.want", []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/read.want")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Error(diff)
	}
}

func TestFind(t *testing.T) {
	libs := readTestdata(t)
	for name, want := range map[string]string{
		"PyYAML": "PyYAML", "pyyaml": "PyYAML", "yaml": "PyYAML", "sklearn": "scikit-learn", "cobra": "github.com/spf13/cobra",
		"github.com/spf13/cobra/doc": "github.com/spf13/cobra", "serde-json": "serde_json", "old": "react", " lodash ": "lodash",
		"jackson-databind": "com.fasterxml.jackson.core:jackson-databind", "sub": "github.com/here/sub/v2",
	} {
		if lib, err := libs.Find(name); err != nil || lib.Name != want {
			t.Errorf("%s: %s, %v; want %s", name, lib.Name, err, want)
		}
	}
	for name, want := range map[string]string{
		"request":  "the repository asks for no such library as request; near to it are requests",
		"lodahs":   "the repository asks for no such library as lodahs; near to it are lodash",
		"jackson":  "the repository asks for no such library as jackson; near to it are com.fasterxml.jackson.core:jackson-databind, com.fasterxml.jackson.core:jackson-annotations",
		"a\x1b[2J": `the repository asks for no such library as "a\x1b[2J"; there are `,
	} {
		_, err := libs.Find(name)
		if !errors.Is(err, dependency.ErrUnknown) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q:\ngot  %v\nwant %s", name, err, want)
		}
	}
	none, err := dependency.Read(t.Context(), tree{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := none.Find("x"); err == nil || err.Error() != "the repository asks for no such library as x; no manifest or lock file names any" {
		t.Error(err)
	}
}

func TestImporting(t *testing.T) {
	libs := readTestdata(t)
	for _, test := range []struct {
		lang         source.Language
		module, want string
	}{
		{source.Python, "yaml.loader", "PyYAML"},
		{source.Python, "google.cloud.storage", "google-cloud-storage"},
		{source.Python, "google.cloud", ""},
		{source.Python, "attr", "attrs"},
		{source.Python, "os.path", ""},
		{source.Python, ".yaml", ""},
		{source.Go, "github.com/spf13/cobra/doc", "github.com/spf13/cobra"},
		{source.Go, "github.com/spf13/cobra2", ""},
		{source.Go, "fmt", ""},
		{source.JavaScript, "lodash/fp", "lodash"},
		{source.TypeScript, "@scope/ui/button", "@scope/ui"},
		{source.JavaScript, "old", "react"},
		{source.JavaScript, "node:fs", ""},
		{source.JavaScript, "./lodash", ""},
		{source.Rust, "serde_json::value", "serde_json"},
		{source.Rust, "std::fs", ""},
		{source.Java, "com.fasterxml.jackson.core.databind.ObjectMapper", "com.fasterxml.jackson.core:jackson-databind"},
		{source.Java, "java.util.List", ""},
		{source.PHP, `Monolog\Logger`, "monolog/monolog"},
		{source.PHP, `Symfony\Component\EventDispatcher\Event`, "symfony/event-dispatcher"},
		{source.Ruby, "net/http/persistent", "net-http-persistent"},
	} {
		lib, ok := libs.Importing(test.lang, test.module)
		if lib.Name != test.want || ok != (test.want != "") {
			t.Errorf("%s %s: %q, want %q", test.lang, test.module, lib.Name, test.want)
		}
	}
}

// index has the imports of files as code.Index would.
type index map[string][]code.Import

func (x index) Imports(path string) []code.Import { return x[path] }

func TestImported(t *testing.T) {
	libs := readTestdata(t)
	x := index{
		"a.py": {{Module: "os"}, {Module: "yaml", Files: []string{"yaml.py"}}, {Module: "requests"}, {Module: "google.cloud", Name: "storage"}, {Module: "requests.auth"}},
		"b.py": {{Module: "yaml"}, {Module: "requests"}},
	}
	var got []string
	for _, lib := range libs.Imported(x, []string{"a.py", "b.py", "none.py"}) {
		got = append(got, lib.Name)
	}
	if diff := cmp.Diff([]string{"requests", "google-cloud-storage", "PyYAML"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestRepository(t *testing.T) {
	for address, want := range map[string]string{
		"https://github.com/pydantic/pydantic-core":               "pydantic/pydantic-core ",
		"git+https://github.com/psf/requests.git@v2.0":            "psf/requests v2.0",
		"git+ssh://git@github.com/acme/git.git#semver:^1":         "acme/git ^1",
		"git@github.com:acme/tool.git":                            "acme/tool ",
		"github:acme/left#v2":                                     "acme/left v2",
		"acme/left":                                               "acme/left ",
		"https://github.com/babel/babel/tree/main/packages/babel": "babel/babel ",
		"https://www.github.com/acme/x/":                          "acme/x ",
		"scm:git:https://github.com/acme/x.git":                   "acme/x ",
		"https://github.example.com/acme/x":                       "github.example.com/acme/x ",
		"https://gitlab.com/group/sub/x":                          "gitlab.com/group/sub ",
		"https://example.org/a/b":                                 "example.org/a/b ",
		"file:../x":                                               "",
		"workspace:*":                                             "",
		"https://github.com/only":                                 "",
		"https://github.com/../..":                                "",
		"-oProxyCommand=evil/x":                                   "",
		"":                                                        "",
		"https://user:secret@github.com/acme/x#egg=x&subdirectory=py": "acme/x ",
	} {
		repo, rev, ok := dependency.Repository(address)
		got := ""
		if ok {
			got = repo.String() + " " + rev
		}
		if got != want {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
	for module, want := range map[string]string{
		"github.com/a/b": "a/b ", "github.com/a/b/v2": "a/b ", "github.com/a/b/c/d/v3": "a/b c/d", "golang.org/x/text": "golang.org/x/text ", "github.com/a": "",
	} {
		repo, dir, ok := dependency.OfModule(module)
		got := ""
		if ok {
			got = repo.String() + " " + dir
		}
		if got != want {
			t.Errorf("%s: %q, want %q", module, got, want)
		}
	}
}

func TestTags(t *testing.T) {
	lib := dependency.Library{Ecosystem: manifest.NPM, Name: "@babel/core"}
	got := dependency.Tags(lib, "7.24.0", "", "")
	for _, want := range []string{"@babel/core@7.24.0", "core@7.24.0", "v7.24.0", "7.24.0", "core-7.24.0"} {
		if !slices.Contains(got, "refs/tags/"+want) {
			t.Errorf("no %s in %v", want, got)
		}
	}
	module := dependency.Library{Ecosystem: manifest.Go, Name: "github.com/a/b/sub"}
	if got := dependency.Tags(module, "v1.2.0", "sub", ""); got[0] != "refs/tags/sub/v1.2.0" {
		t.Error(got)
	}
	if diff := cmp.Diff([]string{"496545a6307b"}, dependency.Tags(module, "v3.0.0-20210107192922-496545a6307b", "", "")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"main"}, dependency.Tags(module, "", "", "main")); diff != "" {
		t.Error(diff)
	}
}
