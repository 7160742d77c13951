package dependency_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
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

func zipFile(t *testing.T, file string, entries ...string) {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for i := 0; i < len(entries); i += 2 {
		f, err := w.Create(entries[i])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte(entries[i+1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, out.Bytes(), 0o644)); err != nil {
		t.Fatal(err)
	}
}

const retrySource = `package retry

// Backoff waits longer after each failure.
func Backoff(n int) int {
	return 1 << n
}
`

// goProxy is a proxy of files with example.com/retry at two versions.
func goProxy(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("go is not installed")
	}
	proxy := t.TempDir()
	at := filepath.Join(proxy, "example.com", "retry", "@v")
	for _, v := range []string{"v1.0.0", "v1.1.0"} {
		root := "example.com/retry@" + v + "/"
		zipFile(t, filepath.Join(at, v+".zip"), root+"go.mod", "module example.com/retry\n", root+"retry.go", retrySource,
			root+"retry_test.go", "package retry\n\nfunc TestBackoff() { Backoff(1) }\n", root+"logo.png", "\x89PNG\x00")
		err := errors.Join(os.WriteFile(filepath.Join(at, v+".mod"), []byte("module example.com/retry\n"), 0o644),
			os.WriteFile(filepath.Join(at, v+".info"), []byte(`{"Version":"`+v+`"}`), 0o644))
		if err != nil {
			t.Fatal(err)
		}
	}
	return proxy
}

func goConfig(t *testing.T, proxy string) dependency.Config {
	mods := t.TempDir()
	t.Cleanup(func() {
		filepath.WalkDir(mods, func(p string, _ os.DirEntry, _ error) error { return os.Chmod(p, 0o755) }) //nolint:errcheck // TempDir will say
	})
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "GOPROXY=file://" + filepath.ToSlash(proxy), "GONOSUMDB=*", "GOMODCACHE=" + mods}
	return dependency.Config{Dir: filepath.Join(t.TempDir(), "deps"), Client: client.Config{Env: env}}
}

const usesRetry = `-- go.mod --
module example.com/app
require example.com/retry v1.0.0
`

var backoff = dependency.Excerpt{
	Span: source.Span{Path: "retry.go", Start: 1, End: 6},
	Text: strings.Split(strings.TrimSuffix(retrySource, "\n"), "\n"),
}

func TestSearchAnArchive(t *testing.T) {
	proxy := goProxy(t)
	cfg := goConfig(t, proxy)
	want := dependency.Found{
		Name: "example.com/retry", Version: "v1.0.0", From: "its archive by go", Asked: "go.mod:2", Excerpts: []dependency.Excerpt{backoff},
	}
	got, err := dependency.NewSources(cfg).Finder(parse(usesRetry), "").Search(t.Context(), "retry", "", "wait after failure: backoff", 1)
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Fatal(err, diff)
	}
	// What was unpacked once needs no client.
	again := cfg
	again.Client.Env = nil
	got, err = dependency.NewSources(again).Finder(parse(usesRetry), "").Search(t.Context(), "retry", "", "wait after failure: backoff", 1)
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
	finder := dependency.NewSources(cfg).Finder(parse(usesRetry), "")
	got, err = finder.Search(t.Context(), "retry", "v1.1.0", "Backoff", 5)
	if err != nil || got.Version != "v1.1.0" || len(got.Excerpts) != 2 || got.Excerpts[1].Span.Path != "retry_test.go" {
		t.Errorf("%v %+v", err, got)
	}
	got, err = finder.Search(t.Context(), "retry", "v1.1.0", "zebra", 5)
	if err != nil || len(got.Excerpts) != 0 {
		t.Errorf("%v %+v", err, got)
	}
	_, err = finder.Search(t.Context(), "retry", "v3.0.0", "Backoff", 5)
	if !errors.Is(err, dependency.ErrNoSource) || !strings.HasPrefix(err.Error(), "example.com/retry: its source is not to be had: get the source of example.com/retry v3.0.0: go: ") {
		t.Error(err)
	}
}

func TestSearchWithoutAClient(t *testing.T) {
	finder := dependency.NewSources(dependency.Config{Dir: t.TempDir()}).Finder(parse(usesRetry+"-- Gemfile --\ngem \"rack\"\n-- composer.json --\n"+
		`{"require": {"a/b": "^1"}}`+"\n-- package.json --\n"+`{"dependencies": {"mine": "workspace:*"}}`), "")
	for name, want := range map[string]string{
		"retry": "example.com/retry: its source is not to be had: get the source of example.com/retry v1.0.0: go is not installed, and the source of the library comes by it; install it or put it on PATH",
		"rack":  "rack: its source is not to be had: no client brings the source of a library of this kind: gem",
		"a/b":   "a/b: its source is not to be had: no client brings the source of a library of this kind: composer",
		"mine":  "mine: its source is not to be had: workspace:* is no address of a repository",
	} {
		if _, err := finder.Search(t.Context(), name, "", "x", 1); err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

func TestStoreKeepsToItsSize(t *testing.T) {
	cfg := goConfig(t, goProxy(t))
	cfg.MaxSize = 20_000 // one of the two, at 4,096 bytes a file and more
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	cfg.Now = func() time.Time { return now }
	finder := dependency.NewSources(cfg).Finder(parse(usesRetry), "")
	stale := filepath.Join(cfg.Dir, "part-stale")
	if err := os.MkdirAll(stale, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(stale, now.Add(-3*time.Hour), now.Add(-3*time.Hour)); err != nil {
		t.Fatal(err)
	}
	for _, v := range []string{"v1.0.0", "v1.1.0"} {
		now = now.Add(time.Minute)
		if _, err := finder.Search(t.Context(), "retry", v, "Backoff", 1); err != nil {
			t.Fatal(err)
		}
	}
	got, err := filepath.Glob(filepath.Join(cfg.Dir, "*", "*"))
	if diff := cmp.Diff([]string{filepath.Join(cfg.Dir, "golang", "example.com+retry@v1.1.0")}, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
	if _, err := os.Stat(stale); err == nil {
		t.Error("what was left behind is still there")
	}
}

func TestABrokenRecordIsMadeAgain(t *testing.T) {
	cfg := goConfig(t, goProxy(t))
	record := filepath.Join(cfg.Dir, "golang", "example.com+retry@v1.0.0", "record.json")
	for _, text := range []string{"", "{", `{"format":99}`} {
		if text != "" {
			if err := os.WriteFile(record, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := dependency.NewSources(cfg).Finder(parse(usesRetry), "").Search(t.Context(), "retry", "", "Backoff", 1)
		if diff := cmp.Diff([]dependency.Excerpt{backoff}, got.Excerpts); err != nil || diff != "" {
			t.Errorf("%q: %v %s", text, err, diff)
		}
	}
}

func TestCopiesInTheRepository(t *testing.T) {
	repository := parse(`-- package.json --
{"dependencies": {"left": "^1", "right": "2.0.0", "inner": "file:packages/inner"}}
-- package-lock.json --
{"packages": {"node_modules/left": {"version": "1.0.5"}}}
-- node_modules/left/package.json --
{"name": "left", "version": "1.0.5"}
-- node_modules/left/index.js --
module.exports = function pad() {}
-- node_modules/left/node_modules/deep/index.js --
function pad() {}
-- node_modules/right/package.json --
{"version": "1.9.9"}
-- node_modules/right/index.js --
function pad() {}
-- packages/inner/index.js --
function pad() {}
-- requirements.txt --
PyYAML==6.0
-- src/_vendor/yaml/loader.py --
class Loader: pass
-- go.mod --
module x
require example.com/retry v1.0.0
-- vendor/modules.txt --
# example.com/retry v1.0.0
example.com/retry
-- vendor/example.com/retry/retry.go --
func Backoff() {}
-- third_party/zlib/inflate.c --
int inflate() {}
-- Cargo.toml --
[dependencies]
zlib = "1"
-- minified/package.json --
{}
`)
	finder := dependency.NewSources(dependency.Config{Dir: t.TempDir()}).Finder(repository, "")
	for _, test := range []struct{ name, query, want string }{
		{"left", "pad", "left 1.0.5, node_modules/left in the repository, index.js:1"},
		{"inner", "pad", "inner , packages/inner in the repository, index.js:1"},
		{"yaml", "Loader", "PyYAML 6.0, src/_vendor/yaml in the repository, loader.py:1, the copy in src/_vendor/yaml does not say its version; the manifests ask for 6.0"},
		{"example.com/retry", "Backoff", "example.com/retry v1.0.0, vendor/example.com/retry in the repository, retry.go:1"},
		{"zlib", "inflate", "zlib , third_party/zlib in the repository, inflate.c:1"},
	} {
		found, err := finder.Search(t.Context(), test.name, "", test.query, 5)
		got := []string{found.Name + " " + found.Version, found.From}
		for _, e := range found.Excerpts {
			got = append(got, e.Span.String())
		}
		if text := strings.Join(append(got, found.Notes...), ", "); err != nil || text != test.want {
			t.Errorf("%v\ngot  %s\nwant %s", err, text, test.want)
		}
	}
	// The copy of right is of another version than the one that is asked for.
	if _, err := finder.Search(t.Context(), "right", "", "pad", 5); !errors.Is(err, dependency.ErrNoSource) {
		t.Error(err)
	}
}

func TestRepositoryAtATag(t *testing.T) {
	r := repotest.New(t, "-- sub/retry.go --\n"+retrySource+"-- other.go --\npackage other\n")
	r.Git("tag", "sub/v1.0.0")
	r.Commit("-- sub/retry.go --\npackage retry\n")
	r.Git("reset", "-q", "--hard", "HEAD~") // as after a push by force, no branch has the second commit
	cache, err := repo.NewCache(repo.Config{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	open := dependency.ClonesOf(cache, r.Dir)
	var asked []string
	cfg := dependency.Config{Dir: t.TempDir(), Clone: func(ctx context.Context, at source.Repo, revs []string) (dependency.Tree, string, func(), error) {
		asked = append(asked, at.String())
		return open(ctx, at, revs)
	}}
	finder := dependency.NewSources(cfg).Finder(parse(`-- go.mod --
module x
require github.com/acme/tools/sub v1.0.0
-- Gemfile.lock --
GIT
  remote: https://github.com/acme/gem.git
  revision: `+r.Commits[1]+`
  specs:
    gem (0.1.0)
-- requirements.txt --
gone @ git+https://github.com/acme/gone@v9
inside @ git+https://github.internal.example/acme/inside@v9
`), "")
	got, err := finder.Search(t.Context(), "sub", "", "Backoff", 5)
	want := dependency.Found{Name: "github.com/acme/tools/sub", Version: "v1.0.0", From: "acme/tools at sub/v1.0.0", Asked: "go.mod:2", Excerpts: []dependency.Excerpt{backoff}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
	got, err = finder.Search(t.Context(), "gem", "", "package retry", 1)
	if err != nil || got.From != "acme/gem at "+r.Commits[1] || got.Excerpts[0].Span.String() != "sub/retry.go:1" {
		t.Errorf("%v %+v", err, got)
	}
	_, err = finder.Search(t.Context(), "gone", "", "x", 1)
	if !errors.Is(err, dependency.ErrNoSource) || !errors.Is(err, dependency.ErrNoTag) {
		t.Error(err)
	}
	_, err = finder.Search(t.Context(), "inside", "", "x", 1)
	if err == nil || err.Error() != "inside: its source is not to be had: github.internal.example/acme/inside may have it, but repositories there are not opened" {
		t.Error(err)
	}
	if diff := cmp.Diff([]string{"acme/tools", "acme/gem", "acme/gone"}, asked); diff != "" {
		t.Error(diff)
	}
}

// TestNativePart: of a wheel with machine code the source is in its repository, and a
// library that only another one asks for is found through that one.
func TestNativePart(t *testing.T) {
	if _, err := exec.LookPath("pip"); err != nil {
		t.Skip("pip is not installed")
	}
	links := t.TempDir()
	wheel := func(name, version, more string, files ...string) {
		info := name + "-" + version + ".dist-info/"
		files = append(files, info+"METADATA", "Metadata-Version: 2.1\nName: "+strings.ReplaceAll(name, "_", "-")+"\nVersion: "+version+"\n"+more,
			info+"WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n", info+"RECORD", "")
		zipFile(t, filepath.Join(links, name+"-"+version+"-py3-none-any.whl"), files...)
	}
	wheel("model", "2.9.2", "Requires-Dist: model-core==2.23.4\n", "model/__init__.py", "from model_core import validate\n")
	wheel("model_core", "2.23.4", "Project-URL: Source, https://github.com/acme/model-core\n",
		"model_core/__init__.py", "from ._core import validate\n", "model_core/_core.abi3.so", "\x7fELF\x00")
	var asked []string
	cfg := dependency.Config{
		Dir:    t.TempDir(),
		Client: client.Config{Env: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "PIP_NO_INDEX=1", "PIP_FIND_LINKS=" + links}},
		Clone: func(_ context.Context, at source.Repo, revs []string) (dependency.Tree, string, func(), error) {
			asked = append(asked, at.String())
			return parse("-- Cargo.toml --\n[package]\n-- src/lib.rs --\nfn validate() {}\n-- python/x.py --\nvalidate = 1\n"), "refs/tags/v2.23.4", func() {}, nil
		},
	}
	finder := dependency.NewSources(cfg).Finder(parse("-- requirements.txt --\nmodel==2.9.2\n"), "")
	got, err := finder.Search(t.Context(), "model_core", "", "validate", 5)
	want := dependency.Found{
		Name: "model-core", Version: "2.23.4", From: "its archive by pip",
		Notes: []string{"what stands below model-core/ is from acme/model-core at v2.23.4, as that part is machine code in the archive"},
		Excerpts: []dependency.Excerpt{
			{Span: source.Span{Path: "model-core/src/lib.rs", Start: 1, End: 1}, Text: []string{"fn validate() {}"}},
			{Span: source.Span{Path: "model_core/__init__.py", Start: 1, End: 1}, Text: []string{"from ._core import validate"}},
		},
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
	if diff := cmp.Diff([]string{"acme/model-core"}, asked); diff != "" {
		t.Error(diff)
	}
	// A clone that takes long costs the native part alone.
	cfg.Time = 20 * time.Second
	cfg.Clone = func(ctx context.Context, _ source.Repo, _ []string) (dependency.Tree, string, func(), error) {
		if until, ok := ctx.Deadline(); !ok || time.Until(until) > 10*time.Second {
			t.Errorf("it has until %v", until)
		}
		return nil, "", nil, errors.New("it took longer than 10s")
	}
	got, err = dependency.NewSources(cfg).Finder(parse("-- requirements.txt --\nmodel-core==2.23.4\n"), "").Search(t.Context(), "model-core", "", "validate", 5)
	if want := []string{"parts of it are machine code, whose source could not be had: it took longer than 10s"}; err != nil || !cmp.Equal(want, got.Notes) || len(got.Excerpts) != 1 {
		t.Errorf("%v %+v", err, got)
	}
	_, err = finder.Search(t.Context(), "model_extra", "", "validate", 5)
	if want := "the repository asks for no such library as model_extra; there are model"; err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}
