package github_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/repomind/repomind/internal/github"
)

// conditional answers 304 to a request with the ETag.
func conditional(t *testing.T, etag, body string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if got, sent := r.Header["If-None-Match"]; sent != (etag != "") || r.Header.Get("If-None-Match") != etag {
			t.Errorf("If-None-Match is %q, want %q", got, etag)
		}
		if body != "" {
			reply(200, body, headers...)(w, r)
			return
		}
		reply(304, "", headers...)(w, r)
	}
}

func title(t *testing.T, c *github.Client, want string) {
	t.Helper()
	i, err := c.Issue(t.Context(), target(github.KindIssue))
	if err != nil || i.Title != want {
		t.Errorf("title %q, %v; want %q", i.Title, err, want)
	}
}

func files(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestAnswersAreKept(t *testing.T) {
	f := newFake(t)
	dir := filepath.Join(t.TempDir(), "new")
	f.on(issue7, ok(bare, `ETag: W/"1"`))
	f.rest()
	title(t, f.new(github.Config{CacheDir: dir}), "T")
	f.on(issue7, conditional(t, `W/"1"`, ""))
	f.rest()
	title(t, f.new(github.Config{CacheDir: dir}), "T")
	f.on(issue7, conditional(t, `W/"1"`, strings.ReplaceAll(bare, `"T"`, `"U"`), `ETag: W/"2"`))
	f.rest()
	title(t, f.new(github.Config{CacheDir: dir}), "U")
	f.on(issue7, conditional(t, `W/"2"`, ""))
	f.rest()
	title(t, f.new(github.Config{CacheDir: dir}), "U")

	names := files(t, dir)
	if len(names) != 1 {
		t.Fatalf("%d files, want 1: %v", len(names), names)
	}
	info, err := os.Stat(filepath.Join(dir, names[0]))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

func TestAnotherTokenGetsNoKeptAnswer(t *testing.T) {
	f := newFake(t)
	dir := t.TempDir()
	for _, secret := range []string{"", "one", "two"} {
		f.on(issue7, conditional(t, "", bare, `ETag: "1"`))
		f.rest()
		title(t, f.new(github.Config{CacheDir: dir, Token: github.NewToken(secret, "GH_TOKEN")}), "T")
	}
	if names := files(t, dir); len(names) != 3 {
		t.Errorf("files %v, want 3", names)
	}
}

func TestABrokenFileIsAbsent(t *testing.T) {
	for name, spoil := range map[string]func(path string, data []byte) error{
		"empty":   func(p string, _ []byte) error { return os.WriteFile(p, nil, 0o600) },
		"cut":     func(p string, d []byte) error { return os.WriteFile(p, d[:len(d)-1], 0o600) },
		"changed": func(p string, d []byte) error { d[len(d)-2] ^= 1; return os.WriteFile(p, d, 0o600) },
		"no ETag": func(p string, d []byte) error { return os.WriteFile(p, without(d, "ETag"), 0o600) },
		"other":   func(p string, d []byte) error { return os.WriteFile(p, without(d, "Address"), 0o600) },
		"a link": func(p string, d []byte) error {
			os.Rename(p, p+".real")
			return os.Symlink(filepath.Base(p)+".real", p)
		},
		"a pipe": func(p string, _ []byte) error { os.Remove(p); return syscall.Mkfifo(p, 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			dir := t.TempDir()
			f.on(issue7, ok(bare, `ETag: "1"`))
			f.rest()
			title(t, f.new(github.Config{CacheDir: dir}), "T")
			path := filepath.Join(dir, files(t, dir)[0])
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := spoil(path, data); err != nil {
				t.Fatal(err)
			}
			f.on(issue7, conditional(t, "", bare, `ETag: "1"`), conditional(t, `"1"`, ""))
			f.rest()
			f.rest()
			title(t, f.new(github.Config{CacheDir: dir}), "T")
			title(t, f.new(github.Config{CacheDir: dir}), "T") // the file was replaced
		})
	}
}

// without gives a file of the cache with a field of its first line emptied.
func without(data []byte, field string) []byte {
	line, body, _ := strings.Cut(string(data), "\n")
	var h map[string]string
	if err := json.Unmarshal([]byte(line), &h); err != nil {
		panic(err)
	}
	h[field] = ""
	b, err := json.Marshal(h)
	if err != nil {
		panic(err)
	}
	return []byte(string(b) + "\n" + body)
}

func TestTheCacheIsBounded(t *testing.T) {
	f := newFake(t)
	dir := t.TempDir()
	for _, name := range []string{"notes.txt", "ab12"} { // of somebody else
		if err := os.WriteFile(filepath.Join(dir, name), make([]byte, 100_000), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c := f.new(github.Config{CacheDir: dir, CacheBytes: 3*4096 + 1, CacheBody: 1000})
	at := target(github.KindIssue)
	for n := range 6 {
		at.Number = n + 1
		body := strings.ReplaceAll(bare, "/7", fmt.Sprintf("/%d", n+1))
		if n == 5 {
			body += strings.Repeat(" ", 1000) // over the bound for one
		}
		f.on(fmt.Sprintf("/repos/o/r/issues/%d", n+1), ok(body, fmt.Sprintf(`ETag: "%d"`, n+1)))
		if _, err := c.Resolve(t.Context(), at); err != nil {
			t.Fatal(err)
		}
		age(t, dir)
	}
	names := files(t, dir)
	var kept []string
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if _, number, ok := strings.Cut(string(data), `"ETag":"\"`); ok {
			kept = append(kept, number[:1])
		}
	}
	slices.Sort(kept)
	if got := strings.Join(kept, " "); got != "3 4 5" || len(names) != 5 {
		t.Errorf("kept %s in %v, want 3 4 5 and the two others", got, names)
	}
}

// age makes all files a minute older, for file systems with coarse times.
func age(t *testing.T, dir string) {
	t.Helper()
	for _, name := range files(t, dir) {
		path := filepath.Join(dir, name)
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		at := info.ModTime().Add(-time.Minute)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
}

// The ETag covers the body and not the link, so a full page from the cache may have
// got a page behind it.
func TestAKeptPageIsNotTakenForTheLast(t *testing.T) {
	f := newFake(t)
	dir := t.TempDir()
	f.on(issue7, ok(bare), ok(bare))
	f.on(comments7, ok(numbered(1, 100, `{"id": %d}`), `ETag: "1"`), conditional(t, `"1"`, ""))
	f.on(timeline7, ok(`[]`), ok(`[]`))
	f.on("/repos/o/r/issues/7/comments?page=2&per_page=100", ok(`[{"id": 101}]`))
	for _, want := range []int{100, 101} {
		i, err := f.new(github.Config{CacheDir: dir}).Issue(t.Context(), target(github.KindIssue))
		if err != nil || len(i.Comments) != want {
			t.Errorf("%d comments, %v; want %d", len(i.Comments), err, want)
		}
	}
}

// A server may say with a 304, too, that a page has got another one behind it.
func TestTheLinkOfA304Counts(t *testing.T) {
	f := newFake(t)
	dir := t.TempDir()
	f.on(issue7, ok(bare), ok(bare))
	f.on(comments7, ok(`[{"id": 1}]`, `ETag: "1"`), conditional(t, `"1"`, "", next("/c", 2)))
	f.on(timeline7, ok(`[]`), ok(`[]`))
	f.on("/repos/o/r/issues/7/comments?page=2&per_page=100", ok(`[{"id": 2}]`))
	for _, want := range []int{1, 2} {
		i, err := f.new(github.Config{CacheDir: dir}).Issue(t.Context(), target(github.KindIssue))
		if err != nil || len(i.Comments) != want {
			t.Errorf("%d comments, %v; want %d", len(i.Comments), err, want)
		}
	}
}

func TestHalfAnswersAreNotKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(t)
		dir := t.TempDir()
		f.on(issue7, ok(`{"a": `, `ETag: "1"`), ok(bare))
		if _, err := f.new(github.Config{CacheDir: dir}).Resolve(t.Context(), target(github.KindIssue)); err != nil {
			t.Fatal(err)
		}
		if names := files(t, dir); len(names) != 0 {
			t.Errorf("files %v", names)
		}
	})
}

func TestACacheThatCannotBeWrittenStopsNothing(t *testing.T) {
	f := newFake(t)
	dir := filepath.Join(t.TempDir(), "c")
	var told waits
	c := f.new(github.Config{CacheDir: dir, Notify: told.add})
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	f.on(issue7, ok(bare, `ETag: "1"`))
	f.rest()
	title(t, c, "T")
	if len(told) != 1 || !strings.HasPrefix(told[0], "0s: write to the cache: ") {
		t.Errorf("told %q", told)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := github.New(github.Config{CacheDir: file}); err == nil || !strings.HasPrefix(err.Error(), "open the cache: ") {
		t.Errorf("error %v", err)
	}
}
