package client_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/rag/dependency/client"
	"github.com/repomind/repomind/rag/dependency/manifest"
)

// home is an environment without the settings of whoever runs the test.
func home(t *testing.T, program string, more ...string) client.Config {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		t.Skipf("%s is not installed", program)
	}
	dir := t.TempDir()
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "SYSTEMROOT=" + os.Getenv("SYSTEMROOT")}
	for name, usual := range map[string]string{"PYENV_ROOT": ".pyenv", "RUSTUP_HOME": ".rustup"} { // where the programs themselves are
		if v := cmp.Or(os.Getenv(name), filepath.Join(os.Getenv("HOME"), usual)); v != "" {
			env = append(env, name+"="+v)
		}
	}
	return client.Config{Env: append(env, more...), Time: time.Minute}
}

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

func tgz(t *testing.T, entries ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	w := tar.NewWriter(z)
	for i := 0; i < len(entries); i += 2 {
		err := w.WriteHeader(&tar.Header{Name: entries[i], Mode: 0o644, Size: int64(len(entries[i+1]))})
		if _, bad := w.Write([]byte(entries[i+1])); errors.Join(err, bad) != nil {
			t.Fatal(err, bad)
		}
	}
	if err := errors.Join(w.Close(), z.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// below is an empty directory in one with files: names and texts.
func below(t *testing.T, files ...string) string {
	t.Helper()
	top := t.TempDir()
	dir := filepath.Join(top, "scratch")
	err := os.Mkdir(dir, 0o755)
	for i := 0; i < len(files); i += 2 {
		err = errors.Join(err, os.WriteFile(filepath.Join(top, files[i]), []byte(files[i+1]), 0o644))
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestGoModuleFromAProxyOfFiles(t *testing.T) {
	t.Parallel()
	proxy := t.TempDir()
	at := filepath.Join(proxy, "example.com", "lib", "v2", "@v")
	mod := "module example.com/lib/v2\n"
	zipFile(t, filepath.Join(at, "v2.1.0.zip"), "example.com/lib/v2@v2.1.0/go.mod", mod, "example.com/lib/v2@v2.1.0/lib.go", "package lib\n")
	for name, text := range map[string]string{"v2.1.0.mod": mod, "v2.1.0.info": `{"Version":"v2.1.0"}`, "list": "v2.1.0\n"} {
		if err := os.WriteFile(filepath.Join(at, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	mods := t.TempDir()
	t.Cleanup(func() { makeWritable(t, mods) })
	cfg := home(t, "go", "GOPROXY=file://"+filepath.ToSlash(proxy), "GONOSUMDB=*", "GOFLAGS=-toolexec=false", "GOMODCACHE="+mods)
	for _, version := range []string{"v2.1.0", ""} {
		got, err := cfg.Get(t.Context(), client.Library{Ecosystem: manifest.Go, Name: "example.com/lib/v2", Version: version}, below(t, "go.mod", "module other\n\ngo 1.999\n"))
		want := client.Archive{File: filepath.Join(mods, "cache/download/example.com/lib/v2/@v/v2.1.0.zip"), Version: "v2.1.0", Strip: 3}
		if diff := gocmp.Diff(want, got); err != nil || diff != "" {
			t.Error(err, diff)
		}
	}
	_, err := cfg.Get(t.Context(), client.Library{Ecosystem: manifest.Go, Name: "example.com/lib/v2", Version: "v2.9.9"}, t.TempDir())
	var failed *client.Error
	if !errors.As(err, &failed) || !strings.Contains(err.Error(), "get the source of example.com/lib/v2 v2.9.9: go: example.com/lib/v2@v2.9.9: reading") {
		t.Error(err)
	}
}

// makeWritable lets a module cache be removed.
func makeWritable(t *testing.T, dir string) {
	err := filepath.WalkDir(dir, func(p string, _ os.DirEntry, err error) error {
		return errors.Join(err, os.Chmod(p, 0o755))
	})
	if err != nil {
		t.Error(err)
	}
}

func TestWheelFromADirectory(t *testing.T) {
	t.Parallel()
	links := t.TempDir()
	for _, v := range []string{"1.4.0", "1.9.0", "2.0.0"} {
		info := "demo_lib-" + v + ".dist-info/"
		zipFile(t, filepath.Join(links, "demo_lib-"+v+"-py3-none-any.whl"), "demo_lib/__init__.py", "",
			info+"METADATA", "Metadata-Version: 2.1\nName: demo-lib\nVersion: "+v+"\nRequires-Python: >=3.99\n",
			info+"WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n", info+"RECORD", "")
	}
	// A source distribution of a newer version, whose setup.py leaves a trace.
	trace := filepath.Join(t.TempDir(), "ran")
	sdist := tgz(t, "demo_lib-3.0.0/setup.py", fmt.Sprintf("open(%q, 'w')\n", trace), "demo_lib-3.0.0/PKG-INFO", "Metadata-Version: 2.1\nName: demo-lib\nVersion: 3.0.0\n")
	if err := os.WriteFile(filepath.Join(links, "demo_lib-3.0.0.tar.gz"), sdist, 0o644); err != nil {
		t.Fatal(err)
	}
	cfg := home(t, "pip", "PIP_NO_INDEX=1", "PIP_FIND_LINKS="+links, "PIP_NO_BINARY=:all:", "PIP_IGNORE_REQUIRES_PYTHON=1")
	for _, test := range []struct{ version, constraint, want string }{
		{"1.4.0", "", "1.4.0"}, {"", "", "2.0.0"}, {"", "^0.1 || ^1.2", "1.9.0"},
	} {
		dir := t.TempDir()
		got, err := cfg.Get(t.Context(), client.Library{Ecosystem: manifest.PyPI, Name: "Demo.Lib", Version: test.version, Constraint: test.constraint}, dir)
		want := client.Archive{File: filepath.Join(dir, "demo_lib-"+test.want+"-py3-none-any.whl"), Version: test.want}
		if diff := gocmp.Diff(want, got); err != nil || diff != "" {
			t.Error(test, err, diff)
		}
	}
	_, err := cfg.Get(t.Context(), client.Library{Ecosystem: manifest.PyPI, Name: "demo-lib", Version: "3.0.0"}, t.TempDir())
	if err == nil || !strings.Contains(err.Error(), "No matching distribution found for demo-lib==3.0.0") {
		t.Error(err)
	}
	if _, err := os.Stat(trace); err == nil {
		t.Error("a setup.py was run")
	}
}

func TestNPMPackageFromARegistry(t *testing.T) {
	t.Parallel()
	trace := filepath.Join(t.TempDir(), "ran")
	script := fmt.Sprintf(`{"prepack":"touch %[1]s","prepare":"touch %[1]s","install":"touch %[1]s"}`, trace)
	pack := tgz(t, "package/package.json", `{"name":"@acme/demo","version":"1.2.0","scripts":`+script+`}`, "package/index.js", "x")
	sum := sha256.Sum256(pack)
	registry := httptest.NewUnstartedServer(nil)
	registry.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/@acme/demo":
			one := `{"name":"@acme/demo","version":"%s","scripts":%s,"dist":{"tarball":"%s/demo.tgz","integrity":"sha256-%s"}}`
			one1 := fmt.Sprintf(one, "1.2.0", script, registry.URL, base64.StdEncoding.EncodeToString(sum[:]))
			fmt.Fprintf(w, `{"name":"@acme/demo","dist-tags":{"latest":"1.2.0"},"versions":{"1.2.0":%s}}`, one1)
		case "/demo.tgz":
			w.Write(pack) //nolint:errcheck // a client that has gone
		default:
			http.NotFound(w, r)
		}
	})
	registry.Start()
	defer registry.Close()
	cfg := home(t, "npm", "npm_config_registry="+registry.URL, "NPM_CONFIG_IGNORE_SCRIPTS=false")
	dir := below(t, "package.json", "{}", ".npmrc", "dry-run=true\n")
	got, err := cfg.Get(t.Context(), client.Library{Ecosystem: manifest.NPM, Name: "@acme/demo", Constraint: "^1.0.0 || ^2"}, dir)
	want := client.Archive{File: filepath.Join(dir, "acme-demo-1.2.0.tgz"), Version: "1.2.0", Strip: 1}
	if diff := gocmp.Diff(want, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
	_, err = cfg.Get(t.Context(), client.Library{Ecosystem: manifest.NPM, Name: "@acme/demo", Version: "9.0.0"}, t.TempDir())
	if err == nil || !strings.Contains(err.Error(), "get the source of @acme/demo 9.0.0: npm: No matching version found for @acme/demo@9.0.0.") {
		t.Error(err)
	}
	if _, err := os.Stat(trace); err == nil {
		t.Error("a script of the package was run")
	}
}

// TestCrateFromAMirror: a registry that stands in for the usual one.
func TestCrateFromAMirror(t *testing.T) {
	t.Parallel()
	crate := tgz(t, "demo-crate-0.3.1/Cargo.toml", "[package]\nname = \"demo-crate\"\nversion = \"0.3.1\"\nedition = \"2021\"\n", "demo-crate-0.3.1/src/lib.rs", "")
	sum := sha256.Sum256(crate)
	registry := httptest.NewUnstartedServer(nil)
	registry.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/config.json":
			fmt.Fprintf(w, `{"dl":"%s/dl"}`, registry.URL)
		case "/de/mo/demo-crate":
			fmt.Fprintf(w, `{"name":"demo-crate","vers":"0.3.1","deps":[],"cksum":"%s","features":{},"yanked":false}`+"\n", hex.EncodeToString(sum[:]))
		case "/dl/demo-crate/0.3.1/download":
			w.Write(crate) //nolint:errcheck // a client that has gone
		default:
			http.NotFound(w, r)
		}
	})
	registry.Start()
	defer registry.Close()
	dir := t.TempDir()
	config := "[source.crates-io]\nreplace-with = \"here\"\n[source.here]\nregistry = \"sparse+" + registry.URL + "/\"\n"
	if err := os.WriteFile(filepath.Join(dir, "config.toml"), []byte(config), 0o644); err != nil {
		t.Fatal(err)
	}
	cfg := home(t, "cargo", "CARGO_HOME="+dir)
	for _, l := range []client.Library{
		{Ecosystem: manifest.Cargo, Name: "demo-crate", Version: "0.3.1"}, {Ecosystem: manifest.Cargo, Name: "demo-crate", Constraint: "^0.3"},
		{Ecosystem: manifest.Cargo, Name: "demo-crate"},
	} {
		got, err := cfg.Get(t.Context(), l, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Base(got.File) != "demo-crate-0.3.1.crate" || got.Version != "0.3.1" || got.Strip != 1 {
			t.Errorf("%+v", got)
		}
	}
}

// A crate that is in cargo's cache is taken as it is: cargo is not there to be asked.
func TestCrateFromTheCache(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "registry", "cache", "index-1", "demo-0.3.1.crate")
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, tgz(t), 0o644)); err != nil {
		t.Fatal(err)
	}
	cfg := client.Config{Env: []string{"CARGO_HOME=" + dir}}
	got, err := cfg.Get(t.Context(), client.Library{Ecosystem: manifest.Cargo, Name: "demo", Version: "0.3.1"}, t.TempDir())
	if diff := gocmp.Diff(client.Archive{File: file, Version: "0.3.1", Strip: 1}, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
}

// TestMaven has a script in the place of mvn, as Maven brings its own parts from a
// registry before it does anything.
func TestMaven(t *testing.T) {
	cfg := pretend(t, "mvn", `echo "$@" >>"$TMPDIR/../asked"
case "$*" in
*:jar:sources*) test -d .mvn && touch "$TMPDIR/core-2.1-sources.jar" ;;
*:9:pom*) echo '[INFO] x'; printf '\033[0m[ERROR] Failed to execute goal a:copy: Could not find artifact org.acme:core:pom:9\n[ERROR] \n'; exit 1 ;;
*:pom*) echo '<project/>' >"$TMPDIR/core-2.1.pom" ;;
esac`)
	top := t.TempDir()
	lib := client.Library{Ecosystem: manifest.Maven, Name: "org.acme:core"}
	dir := func() string {
		d, err := os.MkdirTemp(top, "scratch")
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	jar := dir()
	got, err := cfg.Get(t.Context(), lib, jar)
	if diff := gocmp.Diff(client.Archive{File: filepath.Join(jar, "core-2.1-sources.jar"), Version: "2.1"}, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
	lib.Version = "2.1"
	pom := dir()
	if got, err := cfg.POM(t.Context(), lib, pom); err != nil || string(got) != "<project/>\n" {
		t.Errorf("%q %v", got, err)
	}
	lib.Version = "9"
	_, err = cfg.POM(t.Context(), lib, dir())
	if want := "get the description of org.acme:core 9: mvn: Could not find artifact org.acme:core:pom:9"; err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	asked, err := os.ReadFile(filepath.Join(top, "asked"))
	want := "--batch-mode --quiet dependency:copy -Dartifact=org.acme:core:LATEST:jar:sources -DoutputDirectory=" + jar + "\n" +
		"--batch-mode --quiet dependency:copy -Dartifact=org.acme:core:2.1:pom -DoutputDirectory=" + pom + "\n"
	if err != nil || !strings.HasPrefix(string(asked), want) {
		t.Errorf("%v\ngot  %s\nwant %s", err, asked, want)
	}
	_, err = cfg.Get(t.Context(), client.Library{Ecosystem: manifest.Maven, Name: "org.acme:core", Constraint: "[1,2)"}, dir())
	if !errors.Is(err, client.ErrInvalid) {
		t.Error(err)
	}
}

// TestWheelOfAnotherPython: a wheel that fits no Python and no machine like this one.
func TestWheelOfAnotherPython(t *testing.T) {
	t.Parallel()
	links := t.TempDir()
	info := "old_lib-1.0.dist-info/"
	zipFile(t, filepath.Join(links, "old_lib-1.0-cp39-cp39-win_amd64.whl"), "old_lib/__init__.py", "", info+"METADATA", "Metadata-Version: 2.1\nName: old-lib\nVersion: 1.0\n",
		info+"WHEEL", "Wheel-Version: 1.0\nTag: cp39-cp39-win_amd64\n", info+"RECORD", "")
	cfg := home(t, "pip", "PIP_NO_INDEX=1", "PIP_FIND_LINKS="+links)
	dir := t.TempDir()
	got, err := cfg.Get(t.Context(), client.Library{Ecosystem: manifest.PyPI, Name: "old-lib", Version: "1.0"}, dir)
	if diff := gocmp.Diff(client.Archive{File: filepath.Join(dir, "old_lib-1.0-cp39-cp39-win_amd64.whl"), Version: "1.0"}, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
}

func TestGetRefusesWhatNoRegistryHas(t *testing.T) {
	for _, l := range []client.Library{
		{Ecosystem: manifest.PyPI, Name: "--index-url=https://evil.example"},
		{Ecosystem: manifest.PyPI, Name: "a @ https://evil.example/a.whl"},
		{Ecosystem: manifest.PyPI, Name: "a", Constraint: "@ file:///etc"},
		{Ecosystem: manifest.PyPI, Name: "./a"},
		{Ecosystem: manifest.PyPI, Name: "a", Version: "1 --no-binary=:all:"},
		{Ecosystem: manifest.PyPI, Name: "a", Constraint: "^1.x"},
		{Ecosystem: manifest.NPM, Name: "../a"},
		{Ecosystem: manifest.NPM, Name: "acme/repo"},
		{Ecosystem: manifest.NPM, Name: "a", Constraint: "git+https://evil.example/a.git"},
		{Ecosystem: manifest.NPM, Name: "a", Version: "file:../x"},
		{Ecosystem: manifest.NPM, Name: "-g"},
		{Ecosystem: manifest.Go, Name: "-modfile=x"},
		{Ecosystem: manifest.Go, Name: "example.com/a@v1"},
		{Ecosystem: manifest.Go, Name: "/etc"},
		{Ecosystem: manifest.Cargo, Name: "a", Version: "1\n"},
		{Ecosystem: manifest.Cargo, Name: "a", Constraint: "1 --config=x"},
		{Ecosystem: manifest.NPM, Name: "a", Constraint: ">=1 -g"},
		{Ecosystem: manifest.Maven, Name: "-f:a", Version: "1"},
		{Ecosystem: manifest.Maven, Name: "a", Version: "1"},
		{Ecosystem: manifest.Maven, Name: "a:b:1:exe", Version: "1"},
		{Ecosystem: manifest.Maven, Name: "a:b", Version: "1:exe"},
		{Ecosystem: manifest.Cargo, Name: "https://evil.example#a"},
		{Ecosystem: manifest.Cargo, Name: ""},
	} {
		if _, err := (client.Config{}).Get(t.Context(), l, t.TempDir()); !errors.Is(err, client.ErrInvalid) {
			t.Errorf("%+v: %v", l, err)
		}
	}
}

func TestGetWithoutAClient(t *testing.T) {
	_, err := client.Config{}.Get(t.Context(), client.Library{Ecosystem: manifest.Gem, Name: "a"}, t.TempDir())
	if !errors.Is(err, client.ErrNoClient) {
		t.Error(err)
	}
	for name, lib := range map[string]client.Library{
		"pip": {Ecosystem: manifest.PyPI, Name: "a"}, "go": {Ecosystem: manifest.Go, Name: "a"}, "npm": {Ecosystem: manifest.NPM, Name: "a"},
		"cargo": {Ecosystem: manifest.Cargo, Name: "a"}, "mvn": {Ecosystem: manifest.Maven, Name: "a:b"},
	} {
		// A relative directory on PATH could be one of a repository.
		_, err := client.Config{Env: []string{"PATH=" + t.TempDir() + string(os.PathListSeparator) + "."}}.Get(t.Context(), lib, t.TempDir())
		var missing *client.MissingError
		if !errors.As(err, &missing) || missing.Client != name {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// pretend puts a shell script in the place of a client.
func pretend(t *testing.T, name, script string) client.Config {
	t.Helper()
	cfg := home(t, "sh")
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	cfg.Env = append(cfg.Env, "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	return cfg
}

func TestClientsSeeAListOfVariables(t *testing.T) {
	cfg := pretend(t, "go", `env; echo 'bad: token=hunter2hunter2 https://me:pw@example.org/x' >&2; printf '\033[31m' >&2; env > "$TMPDIR/../seen"; exit 1`)
	cfg.Env = append(cfg.Env, "GITHUB_TOKEN=ghp_secret", "DEEPSEEK_API_KEY=sk-secret", "GOPROXY=https://mirror.example", "GOFLAGS=-toolexec=evil",
		"PIP_INDEX_URL=https://pip.example", "NPM_TOKEN=hunter2hunter2", "NPM_CONFIG_IGNORE_SCRIPTS=false", "HTTPS_PROXY=http://proxy.example", "GIT_SSH_COMMAND=evil",
		"GOTOOLCHAIN=evil", "MAVEN_ARGS=evil", "NODE_OPTIONS=--require=evil", "PYTHONPATH=evil", "RUSTC_WRAPPER=evil", "CARGO_BUILD_RUSTC=evil", "LD_PRELOAD=", "SSH_AUTH_SOCK=evil",
		"npm_config_registry=https://npm.example", "CARGO_REGISTRIES_MINE_INDEX=https://cargo.example", "CARGO_REGISTRIES_MINE_TOKEN=t0ken", "MAVEN_OPTS=-Dhttp.proxyHost=proxy.example",
		"GONOSUMDB=*", "REQUESTS_CA_BUNDLE=/ca.pem")
	top := t.TempDir()
	dir := filepath.Join(top, "scratch")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	_, err := cfg.Get(t.Context(), client.Library{Ecosystem: manifest.Go, Name: "example.com/a", Version: "v1.0.0"}, dir)
	want := "get the source of example.com/a v1.0.0: go: bad: token=[redacted] https://[redacted]@example.org/x\n\uFFFD[31m"
	if err == nil || err.Error() != want {
		t.Errorf("got  %q\nwant %q", err, want)
	}
	seen, err := os.ReadFile(filepath.Join(top, "seen"))
	if err != nil {
		t.Fatal(err)
	}
	vars := strings.Split(string(seen), "\n")
	for _, kv := range []string{"GOPROXY=https://mirror.example", "PIP_INDEX_URL=https://pip.example", "HTTPS_PROXY=http://proxy.example", "GOFLAGS=-mod=mod", "GOVCS=*:off", "TMPDIR=" + dir,
		"GOTOOLCHAIN=local", "npm_config_ignore_scripts=true", "npm_config_registry=https://npm.example", "CARGO_REGISTRIES_MINE_INDEX=https://cargo.example",
		"CARGO_REGISTRIES_MINE_TOKEN=t0ken", "MAVEN_OPTS=-Dhttp.proxyHost=proxy.example", "GONOSUMDB=*", "REQUESTS_CA_BUNDLE=/ca.pem"} {
		if !slices.Contains(vars, kv) {
			t.Errorf("%s is not there", kv)
		}
	}
	for _, never := range []string{"ghp_secret", "sk-secret", "evil", "NPM_CONFIG_IGNORE_SCRIPTS=false", "LD_PRELOAD"} {
		if strings.Contains(string(seen), never) {
			t.Errorf("%s is there", never)
		}
	}
}

func TestClientsHaveLimits(t *testing.T) {
	lib := client.Library{Ecosystem: manifest.NPM, Name: "a", Version: "1.0.0"}
	cfg := pretend(t, "npm", `sleep 600 & wait`)
	cfg.Time = 300 * time.Millisecond
	_, err := cfg.Get(t.Context(), lib, t.TempDir())
	if want := "get the source of a 1.0.0: limit reached: npm took longer than 300ms"; !errors.Is(err, client.ErrLimit) || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	cfg = pretend(t, "npm", `head -c 4000000 /dev/zero > big; sleep 600`)
	cfg.Size = 1 << 20
	_, err = cfg.Get(t.Context(), lib, t.TempDir())
	if want := "get the source of a 1.0.0: limit reached: npm wrote more than 1 MB"; !errors.Is(err, client.ErrLimit) || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	// An answer is read up to a bound, and of an error the end.
	cfg = pretend(t, "npm", `head -c 100000000 /dev/zero | tr '\0' ' '; echo '[]'`)
	if _, err = cfg.Get(t.Context(), lib, t.TempDir()); err == nil || err.Error() != "get the source of a 1.0.0: read what npm says: unexpected end of JSON input" {
		t.Error(err)
	}
	cfg = pretend(t, "npm", `head -c 100000000 /dev/zero >&2; echo broken >&2; exit 1`)
	said := "get the source of a 1.0.0: npm: " + strings.Repeat("\uFFFD", 2048-len("broken\n")) + "broken"
	if _, err = cfg.Get(t.Context(), lib, t.TempDir()); err == nil || err.Error() != said {
		t.Errorf("of an error of 100 MB %d bytes are told", len(fmt.Sprint(err)))
	}
	cfg = pretend(t, "npm", `echo '[{"filename":"../../etc/passwd","version":"1.0.0"}]'`)
	if _, err = cfg.Get(t.Context(), lib, t.TempDir()); err == nil || err.Error() != "get the source of a 1.0.0: npm left 0 packages" {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err = cfg.Get(ctx, lib, t.TempDir()); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestConstraintsOfPoetryForPip(t *testing.T) {
	for _, test := range []struct{ set, want string }{
		{"", ""}, {"*", ""}, {">=1, <2", ">=1,<2"}, {"~=1.4", "~=1.4"}, {"1.2", "==1.2"},
		{"^1.2.3", ">=1.2.3,<2"}, {"^0.2.3", ">=0.2.3,<0.3"}, {"^0.0.3", ">=0.0.3,<0.0.4"}, {"^0", ">=0,<1"},
		{"~1.2.3", ">=1.2.3,<1.3"}, {"~1", ">=1,<2"}, {"^1 || ^2", ">=2,<3"},
	} {
		if got, err := client.PEP440(test.set); err != nil || got != test.want {
			t.Errorf("%q: %q, %v; want %q", test.set, got, err, test.want)
		}
	}
	if _, err := client.PEP440("^1.2b"); !errors.Is(err, client.ErrInvalid) {
		t.Error(err)
	}
}
