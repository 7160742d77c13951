package chroma_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/repomind/repomind/internal/vector"
	"github.com/repomind/repomind/internal/vector/chroma"
)

var key = vector.Key{Repo: "r", Model: "m"}

// described is what a server says of the collection of key.
const described = `{"id":"1-2","name":"repomind-6474c4abaa3047239d1fe0c76b8822c3","metadata":{"repomind_repo":"r","repomind_model":"m","repomind_dim":2}}`

// answering is a server that says the same to everything but the Open.
func answering(t *testing.T, status int, body string) (vector.Store, vector.Collection) {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/collections") {
			io.WriteString(w, described)
			return
		}
		w.WriteHeader(status)
		io.WriteString(w, body)
	}))
	t.Cleanup(srv.Close)
	s, err := chroma.Open(chroma.Config{URL: srv.URL})
	if err != nil {
		t.Fatal(err)
	}
	c, err := s.Open(t.Context(), key, 2)
	if err != nil {
		t.Fatal(err)
	}
	return s, c
}

func TestAnswersThatCannotBeRight(t *testing.T) {
	for _, body := range []string{
		"", "{", "null", "[]", "<html>", `{"ids":[]}`, `{"ids":[["a"]],"distances":[[]],"metadatas":[[null]]}`,
		`{"ids":[["a"]],"distances":[[0.5]],"metadatas":[[{"a b":1}]]}`,
		`{"ids":[["a"]],"distances":[[0.5]],"metadatas":[[{"a":1.5}]]}`,
		`{"ids":[["a"]],"distances":[[0.5]],"metadatas":[[{"a":99999999999999999999}]]}`,
		`{"ids":[["a"]],"distances":[[1e999]],"metadatas":[[null]]}`,
		`{"ids":[["a"` + strings.Repeat(`,"a"`, 100) + `]],"distances":[[1]],"metadatas":[[null]]}`,
	} {
		_, c := answering(t, http.StatusOK, body)
		if got, err := c.Query(t.Context(), vector.Query{Vector: []float32{1, 0}}); !errors.Is(err, vector.ErrBroken) {
			t.Errorf("query answered with %.60s: %v, %v", body, got, err)
		}
	}
	for _, body := range []string{
		"", "null", "{}", `{"ids":["a"]}`, `{"ids":["a"],"embeddings":[[1]],"metadatas":[null]}`,
		`{"ids":["a"],"embeddings":[[0,0]],"metadatas":[null]}`, `{"ids":["a"],"embeddings":[null],"metadatas":[null]}`,
	} {
		_, c := answering(t, http.StatusOK, body)
		if got, err := c.Get(t.Context(), "a"); !errors.Is(err, vector.ErrBroken) {
			t.Errorf("get answered with %s: %v, %v", body, got, err)
		}
	}
	for _, body := range []string{"", "null", "-1", "1.5", `"1"`, "{}"} {
		_, c := answering(t, http.StatusOK, body)
		if got, err := c.Count(t.Context()); !errors.Is(err, vector.ErrBroken) {
			t.Errorf("count answered with %s: %v, %v", body, got, err)
		}
	}
}

func TestRefusalsSayWhatAndWhy(t *testing.T) {
	for _, tt := range []struct {
		status int
		body   string
		is     error
		want   string
	}{
		{404, `{"error":"NotFoundError","message":"no\u001b[31m such\nthing"}`, vector.ErrNotFound, "the Chroma server answered 404 Not Found: no [31m such thing"},
		{410, `{"error":"Unimplemented","message":"use v2"}`, vector.ErrUnavailable, "the Chroma server answered 410 Gone: use v2; the server does not speak version 2 of the interface"},
		{401, "no", vector.ErrUnavailable, "the Chroma server answered 401 Unauthorized: no; is the token right?"},
		{400, `{"message":"bad"}`, vector.ErrInvalid, "the Chroma server answered 400 Bad Request: bad"},
		{429, "", vector.ErrUnavailable, "the Chroma server answered 429 Too Many Requests: "},
		{500, strings.Repeat("x", 1<<20), vector.ErrUnavailable, "the Chroma server answered 500 Internal Server Error: " + strings.Repeat("x", 200) + "…"},
		{302, "elsewhere", vector.ErrUnavailable, "the Chroma server answered 302 Found: elsewhere"},
	} {
		s, c := answering(t, tt.status, tt.body)
		_, err := c.Count(t.Context())
		var e *chroma.Error
		if !errors.As(err, &e) || !errors.Is(err, tt.is) || e.Status != tt.status {
			t.Errorf("%d: error %v", tt.status, err)
			continue
		}
		if diff := cmp.Diff(tt.want, e.Error()); diff != "" {
			t.Errorf("%d (-want +got):\n%s", tt.status, diff)
		}
		if err := s.Remove(t.Context(), key); !errors.Is(err, tt.is) {
			t.Errorf("%d: Remove: %v", tt.status, err)
		}
	}
}

func TestTokenStaysWithTheServer(t *testing.T) {
	var stolen, sent string
	thief := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		stolen = r.Header.Get("X-Chroma-Token")
	}))
	defer thief.Close()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent = r.Header.Get("X-Chroma-Token") + " " + r.URL.EscapedPath()
		http.Redirect(w, r, thief.URL, http.StatusTemporaryRedirect)
	}))
	defer srv.Close()
	s, err := chroma.Open(chroma.Config{URL: srv.URL + "/behind/", Token: "secret", Tenant: "a/b", Database: "c d"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.List(t.Context())
	var e *chroma.Error
	if !errors.As(err, &e) || e.Status != http.StatusTemporaryRedirect || strings.Contains(err.Error(), "secret") {
		t.Errorf("error %v", err)
	}
	if want := "secret /behind/api/v2/tenants/a%2Fb/databases/c%20d/collections"; sent != want || stolen != "" {
		t.Errorf("the server got %q, another %q", sent, stolen)
	}
}

func TestServerThatIsNotThere(t *testing.T) {
	srv := httptest.NewServer(http.NotFoundHandler())
	srv.Close()
	s, err := chroma.Open(chroma.Config{URL: srv.URL})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Open(t.Context(), key, 2); !errors.Is(err, vector.ErrUnavailable) {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("why")
	cancel(why)
	if _, err := s.Open(ctx, key, 2); !errors.Is(err, why) || errors.Is(err, vector.ErrUnavailable) {
		t.Errorf("error %v", err)
	}
}

func TestCollectionsOfOthers(t *testing.T) {
	body := fmt.Sprintf(`[%s,{"id":"x","name":"theirs","metadata":{"a":1}},{"id":"y","name":"theirs-too","metadata":null},
		{"id":"z","name":"repomind-00000000000000000000000000000000","metadata":{"repomind_repo":"r","repomind_model":"m","repomind_dim":2}}]`, described)
	s, _ := answering(t, http.StatusOK, body)
	got, err := s.List(t.Context())
	if diff := cmp.Diff([]vector.Info{{Key: key, Dim: 2}}, got); diff != "" || !errors.Is(err, vector.ErrBroken) {
		t.Errorf("error %v (-want +got):\n%s", err, diff)
	}
}

func TestAddresses(t *testing.T) {
	for _, url := range []string{"localhost:8000", "ftp://h", "http://", "http://u:p@h", "http://h?x", "http://h#x", "::"} {
		if _, err := chroma.Open(chroma.Config{URL: url}); !errors.Is(err, vector.ErrInvalid) || strings.Contains(err.Error(), "u:p") {
			t.Errorf("%s: %v", url, err)
		}
	}
}
