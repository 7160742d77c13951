package run_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/github"
	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/internal/run"
	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/nodes/issue"
)

var (
	record = flag.String("record", "", "an address as http://localhost:8080/v1 to record the conversations anew from")
	update = flag.Bool("update", false, "rewrite the golden files")
)

// nonce is that of all recorded requests.
const nonce = "CASSETTE00000000"

// Whole conversations with a capable model on parts of real repositories: each request is
// made again word for word, so that a change to a prompt, a tool or a limit shows, and the
// report comes out the same. After such a change, record them anew.
func TestCassettes(t *testing.T) {
	for name, of := range map[string]source.Repo{
		"gin": {Owner: "gin-gonic", Name: "gin"}, "requests": {Owner: "psf", Name: "requests"},
	} {
		t.Run(name, func(t *testing.T) {
			at := filepath.Join("testdata", "cassette", name)
			archive, err := os.ReadFile(at + ".txtar")
			if err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(at + ".md")
			if err != nil {
				t.Fatal(err)
			}
			is, err := github.ReadIssueFile(name+".md", text)
			if err != nil {
				t.Fatal(err)
			}
			h := newHost(t, string(archive))
			h.from.Repo = of
			m := taped(t, at)
			r, err := run.Open(t.Context(), run.Config{Dir: h.dir, Concurrency: 1, Issue: issue.Config{
				Places: h.places, Models: &llm.Set{Main: m, Small: m, Critic: m}, Nonce: nonce,
			}})
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close() //nolint:errcheck // all is stored
			out, err := r.Analyze(t.Context(), issue.Input{Issue: &is, From: h.from}, run.Options{})
			if err != nil {
				t.Fatal(err)
			}
			var b bytes.Buffer
			if err := report.Write(&b, "text", out.Report, report.Options{}); err != nil {
				t.Fatal(err)
			}
			compare(t, at+".want", b.String())
			if longest := longestRound(out.Report); longest > 24_000 {
				t.Errorf("a round has %d tokens", longest)
			}
		})
	}
}

// taped gives the model that was recorded, or records one.
func taped(t *testing.T, dir string) llm.Model {
	t.Helper()
	const name = "compatible/recorded"
	if *record == "" {
		return llm.Replay(dir, name)
	}
	m, err := llm.Open(llm.Config{Provider: "compatible", Model: "recorded", BaseURL: *record, Timeout: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	return llm.Record(dir, name, m)
}

func compare(t *testing.T, file, got string) {
	t.Helper()
	if *update || *record != "" {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
	if strings.Contains(got, "went on without") {
		t.Errorf("the model was lost:\n%s", got)
	}
}

// longestRound is the input of a node's calls, on the average, at its largest.
func longestRound(a report.Analysis) (most int) {
	for _, u := range a.Usage.ByNode {
		most = max(most, u.Input/max(u.Calls, 1))
	}
	return most
}
