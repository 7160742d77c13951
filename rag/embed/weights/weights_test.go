package weights_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/repomind/repomind/rag/embed/weights"
)

// content is 1 MB that is nowhere the same.
var content = func() string {
	var b strings.Builder
	for i := 0; b.Len() < 1<<20; i++ {
		fmt.Fprintf(&b, "%x", sha256.Sum256([]byte{byte(i), byte(i >> 8)}))
	}
	return b.String()[:1<<20]
}()

func sum(s string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(s))) }

func model(url string) weights.Model {
	return weights.Model{Name: "m", URL: url, Files: []weights.File{{Name: "w.bin", Size: 1 << 20, SHA256: sum(content)}}}
}

// unknown is the model of which neither size nor digest is known.
func unknown(url string) weights.Model {
	return weights.Model{Name: "m", URL: url, Files: []weights.File{{Name: "w.bin"}}}
}

// hub serves one file. It cuts the first answers after some bytes each.
type hub struct {
	content string
	tag     string
	cuts    []int
	whole   bool // it knows nothing of ranges
	asked   []string
}

func (h *hub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.asked = append(h.asked, r.URL.Path+" "+r.Header.Get("Range"))
	if h.whole {
		r.Header.Del("Range")
	}
	if h.tag != "" {
		w.Header().Set("ETag", h.tag)
	}
	if len(h.cuts) > 0 {
		w = &cutter{w, h.cuts[0]}
		h.cuts = h.cuts[1:]
	}
	http.ServeContent(w, r, "", time.Time{}, strings.NewReader(h.content))
}

// cutter breaks the connection after some bytes of the body.
type cutter struct {
	http.ResponseWriter
	left int
}

func (c *cutter) Write(b []byte) (int, error) {
	if len(b) > c.left {
		c.ResponseWriter.Write(b[:c.left])
		c.ResponseWriter.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
	c.left -= len(b)
	return c.ResponseWriter.Write(b)
}

func serve(t *testing.T, h http.Handler) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

// files is what a directory holds.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all[e.Name()] = string(data)
	}
	return all
}

func whole() map[string]string {
	return map[string]string{"w.bin": content, "SHA256SUMS": sum(content) + "  w.bin\n"}
}

func TestPull(t *testing.T) {
	h := &hub{content: content}
	dir := filepath.Join(t.TempDir(), "new", "dir")
	var last weights.Progress
	p := weights.Puller{Progress: func(x weights.Progress) { last = x }}
	url := serve(t, h)
	got, err := p.Pull(t.Context(), model(url), dir)
	if err != nil {
		t.Fatal(err)
	}
	file := weights.File{Name: "w.bin", Size: 1 << 20, SHA256: sum(content)}
	if d := cmp.Diff([]weights.Pulled{{File: file}}, got); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(whole(), files(t, dir)); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(weights.Progress{File: "w.bin", Done: 1 << 20, Total: 1 << 20}, last); d != "" {
		t.Error(d)
	}
	again, err := p.Pull(t.Context(), model(url), dir)
	if d := cmp.Diff([]weights.Pulled{{File: file, Cached: true}}, again); d != "" || err != nil {
		t.Errorf("%v\n%s", err, d)
	}
	if d := cmp.Diff([]string{"/w.bin "}, h.asked); d != "" {
		t.Errorf("requests:\n%s", d)
	}
}

func TestPullGoesOnByItself(t *testing.T) {
	h := &hub{content: content, cuts: []int{1 << 19, 1 << 18}}
	dir := t.TempDir()
	if _, err := (weights.Puller{}).Pull(t.Context(), model(serve(t, h)), dir); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(whole(), files(t, dir)); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"/w.bin ", "/w.bin bytes=524288-", "/w.bin bytes=786432-"}, h.asked); d != "" {
		t.Errorf("requests:\n%s", d)
	}
}

// half pulls until the connection has been cut for good at half of the file.
func half(t *testing.T, h *hub) (url, dir string) {
	t.Helper()
	h.cuts = []int{1 << 19, 0}
	dir, url = t.TempDir(), serve(t, h)
	_, err := (weights.Puller{}).Pull(t.Context(), unknown(url), dir)
	var e *weights.Error
	if !errors.Is(err, weights.ErrCut) || !errors.As(err, &e) || !strings.Contains(e.Hint(), "pull again") {
		t.Fatalf("%v", err)
	}
	if d := cmp.Diff(content[:1<<19], files(t, dir)["w.bin.part"]); d != "" {
		t.Fatal("half of the file is not kept")
	}
	h.asked = nil
	return url, dir
}

func TestASecondPullGoesOn(t *testing.T) {
	h := &hub{content: content, tag: `"v1"`}
	url, dir := half(t, h)
	got, err := (weights.Puller{}).Pull(t.Context(), unknown(url), dir)
	if err != nil {
		t.Fatal(err)
	}
	want := []weights.Pulled{{File: weights.File{Name: "w.bin", Size: 1 << 20, SHA256: sum(content)}, First: true}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(whole(), files(t, dir)); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"/w.bin bytes=524288-"}, h.asked); d != "" {
		t.Errorf("requests:\n%s", d)
	}
}

func TestAWeakTagPromisesNothing(t *testing.T) {
	h, dir := &hub{content: content, tag: `W/"v1"`, cuts: []int{1 << 19}}, t.TempDir()
	if _, err := (weights.Puller{}).Pull(t.Context(), unknown(serve(t, h)), dir); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"/w.bin ", "/w.bin "}, h.asked); d != "" {
		t.Error(d)
	}
}

func TestAFileThatChangedIsBegunAnew(t *testing.T) {
	h := &hub{content: content, tag: `"v1"`}
	url, dir := half(t, h)
	h.content, h.tag = strings.ToUpper(content), `"v2"`
	if _, err := (weights.Puller{}).Pull(t.Context(), unknown(url), dir); err != nil {
		t.Fatal(err)
	}
	if got := files(t, dir)["w.bin"]; got != strings.ToUpper(content) {
		t.Error("the file is mixed of two")
	}
}

// withPart is a directory with the beginning of a file.
func withPart(t *testing.T, part string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "w.bin.part"), []byte(part), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestWithoutTagAndDigestNothingIsBuiltOn(t *testing.T) {
	h, dir := &hub{content: content}, withPart(t, strings.Repeat("x", 1000))
	if _, err := (weights.Puller{}).Pull(t.Context(), unknown(serve(t, h)), dir); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(whole(), files(t, dir)); d != "" {
		t.Error(d)
	}
}

func TestServerWithoutRanges(t *testing.T) {
	h, dir := &hub{content: content, whole: true}, withPart(t, content[:1000])
	if _, err := (weights.Puller{}).Pull(t.Context(), model(serve(t, h)), dir); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(whole(), files(t, dir)); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"/w.bin bytes=1000-"}, h.asked); d != "" {
		t.Error(d)
	}
}

func TestAWrongPartDoesNotStayForever(t *testing.T) {
	h, dir := &hub{content: content}, withPart(t, strings.Repeat("x", 1000))
	m := model(serve(t, h))
	if _, err := (weights.Puller{}).Pull(t.Context(), m, dir); !errors.Is(err, weights.ErrDigest) {
		t.Fatalf("%v", err)
	}
	if _, err := (weights.Puller{}).Pull(t.Context(), m, dir); err != nil {
		t.Fatal(err)
	}
}

func TestAPartLongerThanTheFile(t *testing.T) {
	dir := withPart(t, content+"more")
	m := unknown(serve(t, &hub{content: content}))
	m.Files[0].SHA256 = sum(content)
	if _, err := (weights.Puller{}).Pull(t.Context(), m, dir); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(whole(), files(t, dir)); d != "" {
		t.Error(d)
	}
}

func TestWrongFiles(t *testing.T) {
	other := strings.Repeat("x", 1<<20)
	for _, tt := range []struct {
		name string
		h    http.Handler
		p    weights.Puller
		m    func(string) weights.Model
		is   error
		hint string
	}{
		{"wrong digest", &hub{content: other}, weights.Puller{}, model, weights.ErrDigest, "check the mirror"},
		{"too short", &hub{content: content[1:]}, weights.Puller{}, model, weights.ErrSize, "check the mirror"},
		{"too long", &hub{content: content + "x"}, weights.Puller{}, model, weights.ErrSize, "check the mirror"},
		{"over the limit", &hub{content: content}, weights.Puller{Limit: 1000}, unknown, weights.ErrSize, "check the mirror"},
		{"endless", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			for range 100 {
				w.Write([]byte(content[:1000]))
				w.(http.Flusher).Flush()
			}
		}), weights.Puller{Limit: 5000}, unknown, weights.ErrSize, "check the mirror"},
		{"not found", http.NotFoundHandler(), weights.Puller{}, model, weights.ErrStatus, "check the mirror's URL"},
		{"other scheme", http.RedirectHandler("https://127.0.0.1:1/w.bin", http.StatusFound), weights.Puller{}, model, weights.ErrRedirect, "over the scheme"},
		{"redirects without end", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, r.URL.Path+"x", http.StatusFound)
		}), weights.Puller{}, model, weights.ErrStatus, "check the mirror's URL"},
		{"another range than asked", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Range", "bytes 5-1048575/1048576")
			w.WriteHeader(http.StatusPartialContent)
		}), weights.Puller{}, model, weights.ErrStatus, "check the mirror's URL"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			_, err := tt.p.Pull(t.Context(), tt.m(serve(t, tt.h)), dir)
			var e *weights.Error
			if !errors.Is(err, tt.is) || !errors.As(err, &e) || !strings.Contains(e.Hint(), tt.hint) {
				t.Errorf("%v, want %v", err, tt.is)
			}
			for name, got := range files(t, dir) {
				if name == "w.bin" || tt.is == weights.ErrDigest {
					t.Errorf("a wrong file of %d bytes stays as %s", len(got), name)
				}
			}
		})
	}
}

func TestFirstUseIsTrustedAndThenHeld(t *testing.T) {
	h := &hub{content: "one"}
	m, dir := unknown(serve(t, h)), t.TempDir()
	for _, want := range []weights.Pulled{{First: true}, {Cached: true}} {
		want.File = weights.File{Name: "w.bin", Size: 3, SHA256: sum("one")}
		got, err := (weights.Puller{}).Pull(t.Context(), m, dir)
		if d := cmp.Diff([]weights.Pulled{want}, got); d != "" || err != nil {
			t.Fatalf("%v\n%s", err, d)
		}
	}
	if err := weights.Verify(m, dir); err != nil {
		t.Error(err)
	}
	h.content = "two"
	if err := os.Remove(filepath.Join(dir, "w.bin")); err != nil {
		t.Fatal(err)
	}
	if _, err := (weights.Puller{}).Pull(t.Context(), m, dir); !errors.Is(err, weights.ErrDigest) {
		t.Errorf("another file than the first: %v", err)
	}
}

func TestAFileThatWasChangedHereIsFoundAndFetchedAgain(t *testing.T) {
	m, dir := model(serve(t, &hub{content: content})), t.TempDir()
	if _, err := (weights.Puller{}).Pull(t.Context(), m, dir); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "w.bin"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := weights.Verify(m, dir); !errors.Is(err, weights.ErrDigest) {
		t.Errorf("Verify: %v", err)
	}
	if _, err := (weights.Puller{}).Pull(t.Context(), m, dir); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(whole(), files(t, dir)); d != "" {
		t.Error(d)
	}
}

func TestMirrors(t *testing.T) {
	h := &hub{content: content}
	local := t.TempDir()
	if err := os.MkdirAll(filepath.Join(local, "m"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(local, "m", "w.bin"), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, mirror := range []string{serve(t, h) + "/deep/", local, "file://" + filepath.ToSlash(local)} {
		dir := t.TempDir()
		if _, err := (weights.Puller{Mirror: mirror}).Pull(t.Context(), model("http://127.0.0.1:1"), dir); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(whole(), files(t, dir)); d != "" {
			t.Errorf("%s:\n%s", mirror, d)
		}
	}
	if d := cmp.Diff([]string{"/deep/m/w.bin "}, h.asked); d != "" {
		t.Error(d)
	}
	_, err := (weights.Puller{Mirror: filepath.Join(local, "no")}).Pull(t.Context(), model(""), t.TempDir())
	var e *weights.Error
	if !errors.As(err, &e) || !strings.Contains(e.Hint(), "under their own names") {
		t.Errorf("%v", err)
	}
}

func TestCancelKeepsThePart(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	dir := t.TempDir()
	p := weights.Puller{Progress: func(weights.Progress) { cancel() }}
	if _, err := p.Pull(ctx, model(serve(t, &hub{content: content})), dir); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	part := files(t, dir)["w.bin.part"]
	if len(part) == 0 || part != content[:len(part)] {
		t.Errorf("the part has %d bytes", len(part))
	}
}

func TestAServerThatFallsSilent(t *testing.T) {
	silent := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "1048576")
		io.WriteString(w, content[:5000])
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	dir := t.TempDir()
	m := model(serve(t, silent))
	if _, err := (weights.Puller{Stall: 50 * time.Millisecond}).Pull(t.Context(), m, dir); !errors.Is(err, weights.ErrCut) {
		t.Fatalf("%v", err)
	}
	if part := files(t, dir)["w.bin.part"]; part != content[:len(part)] {
		t.Errorf("the part has %d bytes", len(part))
	}
}

func TestADamagedListOfDigestsIsSaid(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "SHA256SUMS"), []byte("nonsense\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := (weights.Puller{}).Pull(t.Context(), model(""), dir); err == nil || !strings.Contains(err.Error(), `has the line "nonsense\n"`) {
		t.Errorf("%v", err)
	}
}

func TestHintOfAFullDisk(t *testing.T) {
	e := &weights.Error{Op: "pull", File: "m/w.bin", Err: &os.PathError{Op: "write", Path: "w", Err: syscall.ENOSPC}}
	if !strings.Contains(e.Hint(), "the disk is full") {
		t.Error(e.Hint())
	}
}

func TestModelsNameTheFilesThatTheEngineReads(t *testing.T) {
	for _, m := range []weights.Model{weights.MiniLM(), weights.CrossEncoder()} {
		var names []string
		for _, f := range m.Files {
			names = append(names, f.Name)
		}
		want := []string{"config.json", "model.safetensors", "vocab.txt"}
		if m.Name == "all-MiniLM-L6-v2" {
			want = append(want, "sentence_bert_config.json")
		}
		if d := cmp.Diff(want, names, cmpopts.SortSlices(strings.Compare)); d != "" {
			t.Errorf("%s:\n%s", m.Name, d)
		}
	}
}
