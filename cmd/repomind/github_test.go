package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// serveGitHub answers as GitHub's REST API does, from a folder: the file of a path is the
// answer to it, second pages and lists without a file are empty, and all else is not
// there. It sets GITHUB_API_URL: github FOLDER.
func serveGitHub(t *testing.T, ts *testscript.TestScript, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: github folder")
	}
	root := os.DirFS(ts.MkAbs(args[0]))
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		name := strings.Trim(r.URL.Path, "/") + ".json"
		f, err := root.Open(name)
		isList := slices.Contains([]string{"comments", "timeline", "commits", "files", "reviews"}, path.Base(r.URL.Path))
		switch {
		case err == nil && (r.URL.Query().Get("page") == "" || r.URL.Query().Get("page") == "1"):
			defer f.Close() //nolint:errcheck // it was only read
			http.ServeFileFS(w, r, root, name)
		case isList:
			w.Write([]byte("[]")) //nolint:errcheck // the client may be gone
		default:
			w.WriteHeader(http.StatusNotFound)
			w.Write([]byte(`{"message": "Not Found"}`)) //nolint:errcheck // the client may be gone
		}
	}))
	t.Cleanup(s.Close)
	ts.Setenv("GITHUB_API_URL", s.URL)
}
