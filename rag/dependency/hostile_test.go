package dependency_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/repo/repotest"
	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/rag/dependency"
	"github.com/repomind/repomind/rag/dependency/client"
)

// What a manifest says is neither an option nor an address for a client. The clients
// here leave a trace if they are run at all.
func TestManifestsGiveClientsNoOptions(t *testing.T) {
	bin, trace := t.TempDir(), filepath.Join(t.TempDir(), "ran")
	for _, name := range []string{"go", "pip", "npm", "cargo", "mvn"} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\necho \"$0 $@\" >>"+trace+"\nexit 1\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	cfg := dependency.Config{Dir: t.TempDir(), Client: client.Config{Env: []string{"PATH=" + bin}}}
	finder := dependency.NewSources(cfg).Finder(parse(`-- package.json --
{"dependencies": {"--registry=https://evil.example": "1.0.0", "../up": "1.0.0", "a": "--ignore-scripts=false", "b": "git+ssh://evil.example/b/c",
 "c": "file:../../etc", "d": "npm:--userconfig=x@1.0.0", "e": "1.0.0 || file:x", "f": "https://evil.example/f.tgz"}}
-- requirements.txt --
--index-url=https://evil.example
-e git+ssh://git@evil.example/h/i@--upload-pack=x#egg=h
-i https://evil.example
j @ file:///etc/passwd
k @ git+https://github.com/acme/k@--upload-pack=x
-- Pipfile --
[packages]
"--index-url" = "1.0"
l = "--no-binary=:all:"
m = "@ https://evil.example/m.whl"
-- Cargo.toml --
[dependencies]
n = "1 --config=x"
"--config" = "=1.0.0"
-- pom.xml --
<project><dependencies><dependency><groupId>-f</groupId><artifactId>x</artifactId><version>1</version></dependency>
<dependency><groupId>o</groupId><artifactId>o</artifactId><version>1:exe -Dx=y</version></dependency></dependencies></project>
-- go.mod --
module x
require example.com/p v1.0.0
replace example.com/p => ../../../etc
`), "")
	libs, err := finder.Libraries(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for _, lib := range libs.All() {
		_, err := finder.Search(t.Context(), lib.Name, "", "x", 1)
		fmt.Fprintf(&got, "%v\n", err)
		for _, version := range []string{"--pre", "1 -x", "../x", "file:x", "git+ssh://x", "1\n2", strings.Repeat("1", 10_000)} {
			if _, err := finder.Search(t.Context(), lib.Name, version, "x", 1); lib.URL == "" && !errors.Is(err, client.ErrInvalid) {
				t.Errorf("%s %.20q: %v", lib.Name, version, err)
			}
		}
	}
	if ran, err := os.ReadFile(trace); err == nil {
		t.Errorf("clients were run:\n%s", ran)
	}
	if *update {
		if err := os.WriteFile("testdata/hostile.want", []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/hostile.want")
	if diff := cmp.Diff(string(want), got.String()); err != nil || diff != "" {
		t.Error(err, diff)
	}
}

// A revision that a manifest names is none of git's options.
func TestRevisionsAreNoOptions(t *testing.T) {
	r := repotest.New(t, "-- a.go --\npackage a\n")
	cache, err := repo.NewCache(repo.Config{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	open := dependency.ClonesOf(cache, r.Dir)
	for _, rev := range []string{"--upload-pack=touch x", "-h", "HEAD:a.go", "a..b", "HEAD@{1}", "\x00", strings.Repeat("a", 10_000)} {
		_, _, _, err := open(t.Context(), source.Repo{Owner: "a", Name: "b"}, []string{rev})
		if !errors.Is(err, dependency.ErrNoTag) {
			t.Errorf("%.20q: %v", rev, err)
		}
	}
}

// Manifests that go on in each other, or are without number, come to an end.
func TestReadHasBounds(t *testing.T) {
	var ring, many strings.Builder
	for i := range 20 {
		fmt.Fprintf(&ring, "-- deep/r%d.reqs --\n-r r%d.reqs\nlib%d\n", i, (i+1)%20, i)
	}
	for i := range 2001 {
		fmt.Fprintf(&many, "-- p%04d/requirements.txt --\nlib%d\n", i, i)
	}
	large := "a==1\n" + strings.Repeat("#"+strings.Repeat("x", 60_000)+"\n", 90)
	for _, test := range []struct {
		name, text string
		libraries  int
		notes      []string
	}{
		{"a ring", "-- requirements.txt --\n-r deep/r0.reqs\n" + ring.String(), 4, nil},
		{"itself", "-- requirements.txt --\n-r requirements.txt\nlib\n", 1, nil},
		{"too many", many.String(), 2000, []string{"1 of 2001 manifests were not read"}},
		{"too large", "-- requirements.txt --\nlib\n" + strings.Repeat("x", 9<<20), 0, []string{"requirements.txt: larger than 8 MB"}},
		{"too large together", includes(14) + bodies(14, large), 1, []string{"2 of 14 manifests were not read"}},
	} {
		libs, err := dependency.Read(t.Context(), parse(test.text))
		if err != nil {
			t.Fatal(test.name, err)
		}
		if diff := cmp.Diff(test.notes, libs.Notes()); len(libs.All()) != test.libraries || diff != "" {
			t.Errorf("%s: %d libraries, want %d %s", test.name, len(libs.All()), test.libraries, diff)
		}
	}
}

func TestASearchHasATime(t *testing.T) {
	finder := dependency.NewSources(dependency.Config{Dir: t.TempDir(), Time: time.Nanosecond}).Finder(parse(usesRetry), "")
	_, err := finder.Search(t.Context(), "retry", "", "x", 1)
	if want := "to look into retry took longer than 1ns"; err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func includes(n int) string {
	out := "-- requirements.txt --\n"
	for i := range n {
		out += fmt.Sprintf("-r deep/r%d.reqs\n", i)
	}
	return out
}

func bodies(n int, body string) (out string) {
	for i := range n {
		out += fmt.Sprintf("-- deep/r%d.reqs --\n%s", i, body)
	}
	return out
}
