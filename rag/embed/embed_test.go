package embed_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/rag/embed"
)

// answering is a server that keeps what it was asked and answers in turn; the last
// answer stays.
type answering struct {
	mu      sync.Mutex
	answers []func(http.ResponseWriter, *http.Request)
	asked   []string
	keys    []string
}

// requests gives the paths and bodies so far.
func (a *answering) requests() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.asked)
}

func (a *answering) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	a.mu.Lock()
	a.asked, a.keys = append(a.asked, r.URL.Path+" "+string(body)), append(a.keys, r.Header.Get("Authorization"))
	answer := a.answers[0]
	if len(a.answers) > 1 {
		a.answers = a.answers[1:]
	}
	a.mu.Unlock()
	answer(w, r)
}

func says(status int, body string) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

func serve(t *testing.T, answers ...func(http.ResponseWriter, *http.Request)) (*answering, embed.Remote) {
	t.Helper()
	a := &answering{answers: answers}
	s := httptest.NewServer(a)
	t.Cleanup(s.Close)
	return a, embed.Remote{URL: s.URL + "/v1/", Model: "m", Key: "sk-secret", Pause: time.Microsecond}
}

func TestOpenAI(t *testing.T) {
	a, r := serve(t,
		says(200, `{"data":[{"index":1,"embedding":[0,2]},{"index":0,"embedding":[3,4]}]}`),
		says(200, `{"data":[{"index":0,"embedding":[-5,0]}]}`))
	r.Batch = 2
	e := embed.OpenAI(r)
	if e.Name() != "openai:m" || e.Dim() != 0 {
		t.Errorf("%s, %d", e.Name(), e.Dim())
	}
	got, err := e.Encode(t.Context(), []string{"one", "", "a\xffb"})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([][]float32{{0.6, 0.8}, {0, 1}, {-1, 0}}, got); d != "" {
		t.Error(d)
	}
	want := []string{
		`/v1/embeddings {"model":"m","input":["one"," "],"encoding_format":"float"}`,
		`/v1/embeddings {"model":"m","input":["a�b"],"encoding_format":"float"}`,
	}
	if d := cmp.Diff(want, a.requests()); d != "" {
		t.Error(d)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if d := cmp.Diff([]string{"Bearer sk-secret", "Bearer sk-secret"}, a.keys); d != "" {
		t.Error(d)
	}
	if e.Dim() != 2 {
		t.Errorf("Dim is %d, want 2", e.Dim())
	}
}

func TestOllama(t *testing.T) {
	a, r := serve(t, says(200, `{"embeddings":[[0,2],[3,4]]}`))
	got, err := embed.Ollama(r).Encode(t.Context(), []string{"one", "two"})
	if d := cmp.Diff([][]float32{{0, 1}, {0.6, 0.8}}, got); d != "" || err != nil {
		t.Errorf("%v\n%s", err, d)
	}
	if d := cmp.Diff([]string{`/v1/api/embed {"model":"m","input":["one","two"]}`}, a.requests()); d != "" {
		t.Error(d)
	}
}

func TestNothingToEncode(t *testing.T) {
	a, r := serve(t, says(500, ""))
	if got, err := embed.OpenAI(r).Encode(t.Context(), nil); len(got) != 0 || err != nil || len(a.requests()) != 0 {
		t.Errorf("%v, %v, %v", got, err, a.requests())
	}
}

func TestWhatPassesIsTriedAgain(t *testing.T) {
	cut := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "1000")
		io.WriteString(w, "{")
		panic(http.ErrAbortHandler)
	}
	a, r := serve(t, says(503, "busy"), cut, says(429, "slow"), says(200, `{"embeddings":[[1]]}`))
	if _, err := embed.Ollama(r).Encode(t.Context(), []string{"x"}); err != nil || len(a.requests()) != 4 {
		t.Errorf("%d requests: %v", len(a.requests()), err)
	}
}

func TestAnswersThatAreErrors(t *testing.T) {
	for _, tt := range []struct {
		name   string
		answer func(http.ResponseWriter, *http.Request)
		tries  int
		want   string
		hint   string
	}{
		{"key", says(401, `{"error":{"message":"Incorrect API key sk-secret"}}`), 1, "401 Unauthorized: Incorrect API key [key]", "check the key"},
		{"no model", says(404, `{"error":"model \"m\" not found"}`), 1, `404 Not Found: model "m" not found`, "ollama pull"},
		{"busy", says(503, "  down \n for\tnow "), 4, "503 Service Unavailable: down for now", ""},
		{"limited", says(429, "{}"), 4, "429 Too Many Requests: {}", "later"},
		{"redirect", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/other", http.StatusTemporaryRedirect)
		}, 1, "307 Temporary Redirect: ", ""},
		{"long", says(400, strings.Repeat("é", 5000)), 1, strings.Repeat("é", 300) + "…", ""},
	} {
		a, r := serve(t, tt.answer)
		_, err := embed.Ollama(r).Encode(t.Context(), []string{"x"})
		var api *embed.APIError
		if !errors.As(err, &api) || !strings.HasSuffix(err.Error(), tt.want) || !strings.Contains(api.Hint(), tt.hint) || len(a.requests()) != tt.tries {
			t.Errorf("%s: %d requests, %v, want %q", tt.name, len(a.requests()), err, tt.want)
		}
		if err != nil && strings.Contains(fmt.Sprintf("%+v %#v", err, api), "secret") {
			t.Errorf("%s: the key is in the error", tt.name)
		}
	}
}

func TestAnswersThatAreNoVectors(t *testing.T) {
	for _, tt := range []struct{ openai, ollama, want string }{
		{`{"data":[{"index":0,"embedding":[1]}]}`, `{"embeddings":[[1]]}`, ""},
		{`{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}`, "", "numbers one 0 for 2 texts"},
		{`{"data":[{"index":2,"embedding":[1]}]}`, "", "numbers one 2 for 2 texts"},
		{`{"data":[{"index":0,"embedding":[1,2]},{"index":1,"embedding":[1]}]}`, `{"embeddings":[[1,2],[1]]}`, "it has 1 numbers, want 2"},
		{`{"data":[{"index":0,"embedding":[0,0]},{"index":1,"embedding":[1,0]}]}`, `{"embeddings":[[0,0],[1,0]]}`, "its length is 0"},
		{`{"data":[{"index":0,"embedding":[]},{"index":1,"embedding":[]}]}`, `{"embeddings":[[],[]]}`, "it has 0 numbers"},
	} {
		for kind, body := range map[string]string{"openai": tt.openai, "ollama": tt.ollama} {
			if body == "" {
				continue
			}
			_, r := serve(t, says(200, body))
			e := embed.OpenAI(r)
			if kind == "ollama" {
				e = embed.Ollama(r)
			}
			if _, err := e.Encode(t.Context(), []string{"x", "y"}); !errors.Is(err, embed.ErrVector) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%s: %v, want %q", body, err, tt.want)
			}
		}
	}
	_, r := serve(t, says(200, "<html>"))
	if _, err := embed.OpenAI(r).Encode(t.Context(), []string{"x"}); err == nil || !strings.Contains(err.Error(), "read the answer of") {
		t.Errorf("%v", err)
	}
}

func TestADimensionThatIsAskedForIsHeld(t *testing.T) {
	_, r := serve(t, says(200, `{"embeddings":[[1,2]]}`))
	r.Dim = 3
	if _, err := embed.Ollama(r).Encode(t.Context(), []string{"x"}); !errors.Is(err, embed.ErrVector) {
		t.Errorf("%v", err)
	}
}

func TestCancelEndsTheWait(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	_, r := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "3600")
		w.WriteHeader(429)
		cancel()
	})
	r.Pause = time.Hour
	if _, err := embed.Ollama(r).Encode(ctx, []string{"x"}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestNoConnectionDoesNotShowQueryAndUser(t *testing.T) {
	_, err := embed.Ollama(embed.Remote{URL: "http://user:pw@127.0.0.1:1/?key=sk-secret", Attempts: 1}).Encode(t.Context(), []string{"x"})
	if err == nil || strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "user") || strings.Contains(err.Error(), "pw") {
		t.Errorf("%v", err)
	}
}

func TestKeyIsNeverPrinted(t *testing.T) {
	r := embed.Remote{Key: "sk-secret"}
	text := fmt.Sprintf("%v %+v %#v %s %q %x", r, r, r, r.Key, r.Key, r.Key)
	data, err := json.Marshal(struct{ Key embed.Key }{r.Key})
	if err != nil || strings.Contains(text+string(data), "secret") || strings.Contains(text, fmt.Sprintf("%x", "secret")) {
		t.Errorf("%s %s %v", text, data, err)
	}
}
