package memory_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/vector/flat"
	"github.com/repomind/repomind/memory"
	"github.com/repomind/repomind/rag/embed"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestGolden asks 25 questions, 10 of which have no answer, of a project with 21 lessons.
func TestGolden(t *testing.T) {
	t.Run("words", func(t *testing.T) { golden(t, memory.Config{}) })
	t.Run("wordhash", func(t *testing.T) { golden(t, flatConfig(t)) })
	t.Run("minilm", func(t *testing.T) {
		dir := os.Getenv("REPOMIND_TEST_MINILM")
		if dir == "" {
			t.Skip("needs the real weights: set REPOMIND_TEST_MINILM to their directory")
		}
		enc, err := embed.Open(dir, embed.Config{})
		if err != nil {
			t.Fatal(err)
		}
		golden(t, memory.Config{Encoder: enc, Model: enc.Name(), Vectors: flat.Open(flat.Config{Dir: t.TempDir()})})
	})
}

func golden(t *testing.T, c memory.Config) {
	e := newEnv(t, c)
	var lessons []struct {
		Run, Title, Text string
		Files            []string
	}
	e.read("lessons.json", &lessons)
	for _, l := range lessons {
		saved := lesson(l.Run, l.Title, l.Files...)
		saved.Text = l.Text
		e.save(saved)
	}
	path := filepath.Join("testdata", "recall_"+filepath.Base(t.Name())+".golden")
	got := e.answers()
	if *update {
		e.must(os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	e.must(err)
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func (e *env) read(name string, to any) {
	e.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	e.must(err)
	e.must(json.Unmarshal(data, to))
}

// answers is a line for each question, ok or BAD, and the sums.
func (e *env) answers() string {
	var questions []struct {
		Name, Title, Body string
		Files, Want       []string
	}
	e.read("questions.json", &questions)
	var lines strings.Builder
	found, silent := 0, 0
	for _, q := range questions {
		got := e.recall(memory.Query{Repo: repo, Kind: memory.Issue, Title: q.Title, Body: q.Body, Files: q.Files})
		e.equal(got.Notes, []string(nil))
		verdict := "BAD"
		if slices.Equal(names(got), q.Want) {
			verdict = "ok"
		}
		switch {
		case len(q.Want) > 0 && slices.Contains(names(got), q.Want[0]):
			found++
		case len(q.Want)+len(got.Lessons) == 0:
			silent++
		}
		fmt.Fprintf(&lines, "%-3s %s: want %q\n", verdict, q.Name, q.Want)
		for _, l := range got.Lessons {
			fmt.Fprintf(&lines, "      %.2f %s (%s)\n", l.Score, l.Run, l.Why)
		}
	}
	return fmt.Sprintf("%d of 15 found, %d of 10 without an answer get none\n\n%s", found, silent, &lines)
}
