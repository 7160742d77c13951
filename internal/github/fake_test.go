package github_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"net/http"
	"net/textproto"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/repomind/repomind/internal/github"
	"github.com/repomind/repomind/internal/source"
)

var update = flag.Bool("update", false, "rewrite what the fixtures want")

// fake is a server that gives answers as GitHub's REST API does. They are written
// after its documentation (docs.github.com/rest, version 2022-11-28), not recorded.
// A request that nobody expects fails the test, and so does an answer that nobody
// asks for. It listens on pipes, so that package synctest can drive its time.
type fake struct {
	t       *testing.T
	pipes   chan net.Conn
	done    chan struct{}
	client  *http.Transport
	mu      sync.Mutex
	answers map[string][]http.HandlerFunc
	asked   []*http.Request
}

func newFake(t *testing.T) *fake {
	f := &fake{t: t, pipes: make(chan net.Conn), done: make(chan struct{}), answers: map[string][]http.HandlerFunc{}}
	f.client = &http.Transport{DialContext: f.dial}
	s := &http.Server{Handler: f}
	served := make(chan struct{})
	go func() { defer close(served); s.Serve(f) }()
	t.Cleanup(func() {
		f.client.CloseIdleConnections()
		s.Close()
		<-served
		for request, left := range f.answers {
			if len(left) > 0 {
				t.Errorf("%d answers to %s were not asked for", len(left), request)
			}
		}
	})
	return f
}

func (f *fake) dial(context.Context, string, string) (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case f.pipes <- server:
		return client, nil
	case <-f.done:
		return nil, net.ErrClosed
	}
}

func (f *fake) Accept() (net.Conn, error) {
	select {
	case c := <-f.pipes:
		return c, nil
	case <-f.done:
		return nil, net.ErrClosed
	}
}

func (f *fake) Addr() net.Addr { return &net.IPAddr{} }
func (f *fake) Close() error   { close(f.done); return nil }

// on queues answers to a request, as in on("/repos/o/r/issues/7", ok(`{}`)).
func (f *fake) on(address string, answers ...http.HandlerFunc) {
	f.answers[address] = append(f.answers[address], answers...)
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	f.asked = append(f.asked, r)
	queue := f.answers[r.URL.RequestURI()]
	if r.Method != http.MethodGet || len(queue) == 0 {
		f.mu.Unlock()
		f.t.Errorf("unexpected request %s %s", r.Method, r.URL.RequestURI())
		w.WriteHeader(http.StatusTeapot)
		return
	}
	f.answers[r.URL.RequestURI()] = queue[1:]
	f.mu.Unlock()
	queue[0](w, r)
}

// new makes a client of the server.
func (f *fake) new(cfg github.Config) *github.Client {
	f.t.Helper()
	cfg.API = "http://127.0.0.1/"
	if cfg.Transport == nil {
		cfg.Transport = f.client
	}
	c, err := github.New(cfg)
	if err != nil {
		f.t.Fatal(err)
	}
	return c
}

// reply answers with a status, headers as "Name: value", and a body.
func reply(status int, body string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		for _, h := range headers {
			name, value, _ := strings.Cut(h, ": ")
			w.Header().Set(name, value)
		}
		w.WriteHeader(status)
		w.Write([]byte(body))
	}
}

func ok(body string, headers ...string) http.HandlerFunc { return reply(200, body, headers...) }

// abort ends the connection after a part of the body.
func abort(part string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "1000")
		w.Write([]byte(part))
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
}

const bare = `{"number": 7, "title": "T", "html_url": "https://github.com/o/r/issues/7"}`

const (
	issue7    = "/repos/o/r/issues/7"
	comments7 = "/repos/o/r/issues/7/comments?page=1&per_page=100"
	timeline7 = "/repos/o/r/issues/7/timeline?page=1&per_page=100"
)

// rest answers all that an issue has beside itself with nothing.
func (f *fake) rest() {
	f.on(comments7, ok(`[]`))
	f.on(timeline7, ok(`[]`))
}

func target(kind github.Kind) github.Target {
	return github.Target{Repo: source.Repo{Owner: "o", Name: "r"}, Number: 7, Kind: kind}
}

// load reads answers from a fixture, whose files are named after the request and
// hold a status, headers, an empty line and a body.
func (f *fake) load(name string) *txtar.Archive {
	f.t.Helper()
	a, err := txtar.ParseFile("testdata/" + name)
	if err != nil {
		f.t.Fatal(err)
	}
	for _, file := range a.Files {
		if request, is := strings.CutPrefix(file.Name, "GET "); is {
			f.on(request, parsed(f.t, file))
		}
	}
	return a
}

func parsed(t *testing.T, file txtar.File) http.HandlerFunc {
	first, rest, _ := bytes.Cut(file.Data, []byte("\n"))
	head, body, _ := bytes.Cut(append([]byte("\n"), rest...), []byte("\n\n"))
	status, err := strconv.Atoi(string(first))
	if err != nil {
		t.Fatalf("%s: %v", file.Name, err)
	}
	headers, err := textproto.NewReader(bufio.NewReader(bytes.NewReader(append(bytes.TrimPrefix(head, []byte("\n")), "\n\n"...)))).ReadMIMEHeader()
	if err != nil {
		t.Fatalf("%s: %v", file.Name, err)
	}
	var list []string
	for name := range headers {
		list = append(list, name+": "+headers.Get(name))
	}
	return reply(status, string(body), list...)
}

// golden compares v, as JSON, with the file "want" of a fixture.
func golden(t *testing.T, name string, a *txtar.Archive, v any) {
	t.Helper()
	got, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	for i, file := range a.Files {
		if file.Name != "want" {
			continue
		}
		if *update {
			a.Files[i].Data = got
			if err := os.WriteFile("testdata/"+name, txtar.Format(a), 0o644); err != nil {
				t.Fatal(err)
			}
			return
		}
		if diff := cmp.Diff(string(file.Data), string(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		return
	}
	t.Fatalf("%s has no file want", name)
}

// numbered gives JSON of n objects made by format of their number, from first on.
func numbered(first, n int, format string) string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf(strings.ReplaceAll(format, "%d", "%[1]d"), first+i)
	}
	return "[" + strings.Join(all, ",") + "]"
}

func next(address string, page int) string {
	return fmt.Sprintf(`Link: <http://127.0.0.1%s?page=%d&per_page=100>; rel="next"`, address, page)
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
