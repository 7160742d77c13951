package manifest_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/rag/dependency/manifest"
)

var update = flag.Bool("update", false, "rewrite the goldens")

// TestParse reads the manifests of each archive and compares what they ask for with
// the file of the same name that ends in .want.
func TestParse(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal(err, "no archives")
	}
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			var got strings.Builder
			for _, f := range a.Files {
				fmt.Fprintf(&got, "%s\n", f.Name)
				show(&got, f)
			}
			golden := strings.TrimSuffix(name, ".txtar") + ".want"
			if *update {
				if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got.String()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// show prints a line for each requirement: its own line, the name, then what is known.
func show(w *strings.Builder, f txtar.File) {
	got, err := manifest.Parse(f.Name, f.Data)
	for _, r := range got.Requirements {
		fmt.Fprintf(w, "%4d %s", r.At.Start, r.Name)
		for _, field := range [][2]string{{"as", r.As}, {"asks", r.Constraint}, {"is", r.Version}, {"from", r.URL}, {"in", r.Dir}} {
			if field[1] != "" {
				fmt.Fprintf(w, "  %s %s", field[0], field[1])
			}
		}
		if !r.Direct {
			fmt.Fprint(w, "  indirect")
		}
		fmt.Fprintln(w)
	}
	for _, p := range got.Includes {
		fmt.Fprintf(w, "     goes on in %s\n", p)
	}
	for _, s := range got.Skipped {
		fmt.Fprintf(w, "     skipped %s\n", s)
	}
	if err != nil {
		fmt.Fprintf(w, "     error %v\n", err)
	}
}

func TestParseRefuses(t *testing.T) {
	deep := strings.Repeat("[", 100)
	for _, test := range []struct{ path, data, want string }{
		{"README.md", "", `README.md: no manifest that is known`},
		{"package.json", "{", `package.json:1: unexpected EOF`},
		{"package.json", "{\n\"a\": 1} {}", `package.json:2: more than one value`},
		{"package.json", deep, `package.json:1: nested more than 60 deep`},
		{"a b/Cargo.toml", "\n\nx = " + deep, `a b/Cargo.toml:3: nested more than 60 deep`},
		{"Cargo.toml", strings.Repeat("a.", 100) + "b = 1", `Cargo.toml:1: nested more than 60 deep`},
		{"Cargo.toml", "a = 1\na = 2", `Cargo.toml:2: "a" is there twice`},
		{"Cargo.toml", "a = 1\n[a]", `Cargo.toml:2: "a" is no table`},
		{"Cargo.toml", "a = 1 b", ``},
		{"Cargo.toml", "a = \"x\" b", `Cargo.toml:1: more on the line than a value`},
		{"Cargo.toml", `a = "\q"`, `Cargo.toml:1: no such escape: \q`},
		{"pnpm-lock.yaml", "a:\n    b: 1\n  c: 2", `pnpm-lock.yaml:3: the indentation fits nothing above`},
		{"pnpm-lock.yaml", "a: {b: 1", `pnpm-lock.yaml:1: no } where one should be`},
		{"pnpm-lock.yaml", "just text", `pnpm-lock.yaml:1: no key where one should be`},
		{"pnpm-lock.yaml", strings.Repeat("a\n", 500_001), `pnpm-lock.yaml:500001: more than 500000 lines`},
		{"package.json", "[" + strings.Repeat("0,", 500_000) + "0]", `package.json:1: more than 500000 values`},
		{"pom.xml", "<project>", `pom.xml:1: syntax error on line 1: unexpected EOF`},
		{"pom.xml", "<other/>", `pom.xml:1: no project`},
		{"pom.xml", strings.Repeat("<a>", 100), `pom.xml:1: nested more than 60 deep`},
		{"uv.lock", strings.Repeat(" ", manifest.MaxSize+1), `uv.lock: larger than 8 MB`},
	} {
		_, err := manifest.Parse(test.path, []byte(test.data))
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%s %.40q:\ngot  %s\nwant %s", test.path, test.data, got, test.want)
		}
		var syntax *manifest.SyntaxError
		if err != nil && !errors.Is(err, manifest.ErrUnknown) && !errors.As(err, &syntax) {
			t.Errorf("%s: %T is no SyntaxError", test.path, err)
		}
	}
}

// Texts that would grow without end stay as small as they are.
func TestNothingGrows(t *testing.T) {
	props := "<a>${b}${b}${b}${b}${b}${b}${b}${b}</a><b>" + strings.Repeat("${c}", 200) + "</b><c>" + strings.Repeat("x", 1000) + "</c><d>${d}</d>"
	pom := "<project><properties>" + props + "</properties><dependencies>" +
		"<dependency><groupId>g</groupId><artifactId>laughs</artifactId><version>${a}</version></dependency>" +
		"<dependency><groupId>g</groupId><artifactId>wide</artifactId><version>${b}</version></dependency>" +
		"<dependency><groupId>g</groupId><artifactId>${a}</artifactId></dependency>" +
		"<dependency><groupId>g</groupId><artifactId>cyclic</artifactId><version>${d}</version></dependency>" +
		"</dependencies></project>"
	yaml := "x: &a [lol, lol]\ny: &b [*a, *a]\nz: &c {<<: *b, k: *b}\npackages: *c\ndependencies:\n  left: {specifier: *c, version: *c}\n"
	long := "a==1.0\n" + strings.Repeat("b", 10_000) + "==1\nc==" + strings.Repeat("1", 10_000) + "\n"
	gradle := "v = '" + strings.Repeat("1", 400) + "'\nimplementation 'a:b:" + strings.Repeat("$v.", 100) + "'\n"
	for _, test := range []struct{ path, data, want string }{
		{"pom.xml", pom, "   1 g:laughs\n   1 g:wide\n   1 g:cyclic  asks ${d}\n     skipped pom.xml:1: a dependency without a name\n"},
		{"pom.xml", `<!DOCTYPE p [<!ENTITY a "lol"><!ENTITY b "&a;&a;">]><project><version>&b;</version></project>`,
			"     error pom.xml:1: syntax error on line 1: invalid character entity &b;\n"},
		{"pnpm-lock.yaml", yaml, "   6 left  asks *c  is *c\n"},
		{"requirements.txt", long, "   1 a  asks ==1.0  is 1.0\n     skipped requirements.txt:2: too long for a requirement\n     skipped requirements.txt:3: too long for a requirement\n"},
		{"go.sum", "a v1.0.0 h1:x\n" + strings.Repeat("b", 70_000) + " v1.0.0 h1:x\n", "   1 a  is v1.0.0  indirect\n     skipped go.sum:2: a line of more than 64 kB\n"},
		{"build.gradle", gradle, "     skipped build.gradle:2: too long for a requirement\n"},
	} {
		var got strings.Builder
		show(&got, txtar.File{Name: test.path, Data: []byte(test.data)})
		if diff := cmp.Diff(test.want, got.String()); diff != "" {
			t.Errorf("%s: %s", test.path, diff)
		}
	}
}

func TestIncludedFilesMayHaveAnyName(t *testing.T) {
	got, err := manifest.ParseIncluded("deps/base.reqs", []byte("six==1.16.0\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := []manifest.Requirement{{
		Ecosystem: manifest.PyPI, Name: "six", Constraint: "==1.16.0", Version: "1.16.0", Direct: true,
		At: source.Span{Path: "deps/base.reqs", Start: 1, End: 1},
	}}
	if diff := cmp.Diff(want, got.Requirements); diff != "" {
		t.Error(diff)
	}
}

func TestCanonicalNames(t *testing.T) {
	for _, test := range []struct {
		eco        manifest.Ecosystem
		name, want string
	}{
		{manifest.PyPI, "Flask_SQL.-Alchemy", "flask-sql-alchemy"},
		{manifest.Cargo, "Serde_JSON", "serde-json"},
		{manifest.Go, "github.com/BurntSushi/toml", "github.com/BurntSushi/toml"},
		{manifest.Maven, "a:B_c", "a:B_c"},
	} {
		if got := test.eco.Canonical(test.name); got != test.want {
			t.Errorf("%s %s: %s, want %s", test.eco, test.name, got, test.want)
		}
	}
}

func TestDescribe(t *testing.T) {
	metadata := "Metadata-Version: 2.4\nName: pydantic\nVersion: 2.9.2\nProject-URL: Homepage, https://example.org\n" +
		"Project-URL: Source, https://github.com/pydantic/pydantic\nRequires-Dist: pydantic-core==2.23.4\n" +
		"Requires-Dist: tzdata; extra == 'timezone'\nDescription-Content-Type: text/markdown\n\nName: fake\nRequires-Dist: fake\n"
	need := manifest.Requirement{Ecosystem: manifest.PyPI, Name: "pydantic-core", Constraint: "==2.23.4", Version: "2.23.4", Direct: true}
	for _, test := range []struct {
		path, data string
		want       manifest.About
	}{
		{"x.dist-info/METADATA", metadata, manifest.About{Name: "pydantic", Version: "2.9.2", Repository: "https://github.com/pydantic/pydantic", Requires: []manifest.Requirement{need}}},
		{"package.json", `{"name":"a","version":"1.0.0","repository":{"url":"git+https://github.com/a/b.git","directory":"packages/a"}}`,
			manifest.About{Name: "a", Version: "1.0.0", Repository: "git+https://github.com/a/b.git", Subdirectory: "packages/a"}},
		{"package.json", `{"repository":"a/b"}`, manifest.About{Repository: "a/b"}},
		{"Cargo.toml", "[package]\nname = \"itoa\"\nversion = \"1.0.9\"\nrepository = \"https://github.com/dtolnay/itoa\"", manifest.About{Name: "itoa", Version: "1.0.9", Repository: "https://github.com/dtolnay/itoa"}},
		{"package.json", "{", manifest.About{}},
		{"README", "", manifest.About{}},
	} {
		if diff := cmp.Diff(test.want, manifest.Describe(test.path, []byte(test.data))); diff != "" {
			t.Errorf("%s: %s", test.path, diff)
		}
	}
}

// FuzzParse gives each parser any bytes: it ends, and each line that it names is one
// of the file.
func FuzzParse(f *testing.F) {
	archives, _ := filepath.Glob("testdata/*.txtar")
	for _, name := range archives {
		a, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range a.Files {
			f.Add(file.Name, file.Data)
		}
	}
	f.Fuzz(func(t *testing.T, p string, data []byte) {
		got, err := manifest.Parse(p, data)
		var syntax *manifest.SyntaxError
		if err != nil && !errors.Is(err, manifest.ErrUnknown) && !errors.As(err, &syntax) {
			t.Errorf("%v is no SyntaxError", err)
		}
		lines := bytes.Count(data, []byte("\n")) + 1
		if syntax != nil && (syntax.Line < 0 || syntax.Line > lines) {
			t.Errorf("line %d of %d", syntax.Line, lines)
		}
		for _, r := range got.Requirements {
			if r.Name == "" || r.Ecosystem == "" || r.At.Path != p || r.At.Start < 1 || r.At.Start > lines {
				t.Errorf("%+v in a file of %d lines", r, lines)
			}
			if _, err := source.CleanPath(r.Dir); r.Dir != "" && err != nil {
				t.Errorf("%q leads out", r.Dir)
			}
		}
	})
}

// FuzzDescribe is for what a library says of itself.
func FuzzDescribe(f *testing.F) {
	f.Add("METADATA", []byte("Name: a\nRequires-Dist: b==1\n\n"))
	f.Add("package.json", []byte(`{"repository":{"url":"a/b"}}`))
	f.Add("Cargo.toml", []byte("[package]\nname='a'"))
	f.Add("pom.xml", []byte("<project><scm><url>x</url></scm></project>"))
	f.Fuzz(func(t *testing.T, p string, data []byte) {
		for _, r := range manifest.Describe(p, data).Requires {
			if r.Name == "" {
				t.Errorf("a need without a name in %q", data)
			}
		}
	})
}
