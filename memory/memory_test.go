package memory_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/internal/vector"
	"github.com/repomind/repomind/internal/vector/chroma"
	"github.com/repomind/repomind/internal/vector/flat"
	"github.com/repomind/repomind/memory"
	"github.com/repomind/repomind/rag/lexical"
)

const repo = "github.com/o/reel"

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

// wordHash is an encoder that knows no meaning: two texts are as near as they share words.
type wordHash struct{}

func (wordHash) Encode(ctx context.Context, texts []string) ([][]float32, error) {
	all := make([][]float32, len(texts))
	for i, s := range texts {
		v := make([]float32, 256)
		v[0] = 0.01 // a text without words has a vector too
		lexical.Words(s, func(w lexical.Term) { v[w%256] += 1 })
		all[i] = v
	}
	return all, ctx.Err()
}

// env is a test with a memory file of its own.
type env struct {
	*testing.T
	cfg  memory.Config
	path string
	*memory.Store
}

// each runs a test without vectors, with a store in files, and on a Chroma server if there
// is one.
func each(t *testing.T, run func(*env)) {
	t.Run("words", func(t *testing.T) { run(newEnv(t, memory.Config{})) })
	t.Run("flat", func(t *testing.T) { run(newEnv(t, flatConfig(t))) })
	t.Run("chroma", func(t *testing.T) {
		store, err := chroma.Open(chroma.Config{URL: serve(t)})
		if err != nil {
			t.Fatal(err)
		}
		run(newEnv(t, withVectors(store)))
	})
}

func flatConfig(t testing.TB) memory.Config {
	return withVectors(flat.Open(flat.Config{Dir: t.TempDir()}))
}

func withVectors(s vector.Store) memory.Config {
	return memory.Config{Encoder: wordHash{}, Model: "wordhash", Vectors: s}
}

func newEnv(t *testing.T, c memory.Config) *env {
	t.Helper()
	e := &env{T: t, cfg: c, path: filepath.Join(t.TempDir(), "state", "a? b#%41.db")}
	e.reopen(c)
	t.Cleanup(func() { e.Store.Close() })
	return e
}

// reopen opens the file again with another configuration.
func (e *env) reopen(c memory.Config) {
	e.Helper()
	if e.Store != nil {
		e.must(e.Store.Close())
	}
	s, err := memory.Open(e.path, c)
	e.must(err)
	e.Store, e.cfg = s, c
}

func (e *env) must(err error) {
	e.Helper()
	if err != nil {
		e.Fatal(err)
	}
}

func (e *env) refused(err, want error) {
	e.Helper()
	if !errors.Is(err, want) {
		e.Fatalf("got error %v, want %v", err, want)
	}
}

func (e *env) equal(got, want any) {
	e.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		e.Fatalf("(-want +got):\n%s", diff)
	}
}

func (e *env) save(all ...memory.Lesson) {
	e.Helper()
	for _, l := range all {
		e.must(e.Save(e.Context(), l))
	}
}

func (e *env) recall(q memory.Query) memory.Recall {
	e.Helper()
	got, err := e.Recall(e.Context(), q)
	e.must(err)
	return got
}

// runs are the names of what is recalled, without a note.
func (e *env) runs(q memory.Query) (runs []string) {
	e.Helper()
	got := e.recall(q)
	e.equal(got.Notes, []string(nil))
	return names(got)
}

func names(r memory.Recall) (runs []string) {
	for _, l := range r.Lessons {
		runs = append(runs, l.Run)
	}
	return runs
}

func (e *env) list(f memory.Filter) (runs []string) {
	e.Helper()
	all, err := e.List(e.Context(), f)
	e.must(err)
	for _, l := range all {
		runs = append(runs, l.Run)
	}
	return runs
}

// lesson has what a lesson must have.
func lesson(run, title string, files ...string) memory.Lesson {
	return memory.Lesson{
		Run: run, Repo: repo, Kind: memory.Issue, Title: title, Text: "Root cause: in " + run + ".", Files: files,
		Class: report.Likely, Confidence: 0.75, Saved: noon,
	}
}

func ask(title string, files ...string) memory.Query {
	return memory.Query{Repo: repo, Kind: memory.Issue, Title: title, Files: files}
}

func TestLessonComesBackAsItWasSaved(t *testing.T) {
	each(t, func(e *env) {
		want := memory.Lesson{
			Run: "run-1", Repo: repo, Kind: memory.Review, IssueKind: report.Security, Title: "Gzip reader — 一",
			Text: "Root cause: <b>\x1b[31m\u202e @all\nFix: none", Files: []string{"a.py", "dir/b c.py"}, Class: report.Confirmed,
			Confidence: 0.25, Commit: strings.Repeat("a", 40), Saved: noon.Add(7 * time.Millisecond),
		}
		saved := want
		saved.Saved = want.Saved.Add(999 * time.Microsecond).In(time.FixedZone("", 3600))
		e.save(saved)
		all, err := e.List(e.Context(), memory.Filter{})
		e.must(err)
		want.ID = 1
		e.equal(all, []memory.Lesson{want})
		got, err := e.Get(e.Context(), 1)
		e.must(err)
		e.equal(got, want)
		_, err = e.Get(e.Context(), 2)
		e.refused(err, memory.ErrNotFound)
	})
}

func TestSecondSaveOfARunReplaces(t *testing.T) {
	each(t, func(e *env) {
		e.save(lesson("a", "Gzip reader drops members"), lesson("b", "Scheduler starts twice"))
		e.equal(e.runs(ask("gzip reader drops members")), []string{"a"})
		again := lesson("a", "Partition of Kafka keys", "kafka.py")
		e.save(again)
		again.ID = 1
		got, err := e.Get(e.Context(), 1)
		e.must(err)
		e.equal(got, again)
		e.equal(e.list(memory.Filter{}), []string{"b", "a"})
		e.equal(e.runs(ask("gzip reader drops members")), []string(nil))
		e.equal(e.runs(ask("partition of kafka keys")), []string{"a"})
	})
}

// TestNothingCrossesRepositoriesOrKinds: whatever one place knows, with the names and words
// of another, stays there.
func TestNothingCrossesRepositoriesOrKinds(t *testing.T) {
	each(t, func(e *env) {
		const canary = "canary 5f0c"
		own := lesson("run", "Gzip reader drops members", "gzip.py")
		places := []struct {
			repo string
			kind memory.Kind
		}{{repo, memory.Issue}, {repo, memory.Review}, {repo + "2", memory.Issue}, {"github.com/o/REEL", memory.Issue}, {"/srv/reel", memory.Issue}, {repo + " ", memory.Issue}}
		for i, p := range places {
			l := own
			l.Repo, l.Kind, l.Text = p.repo, p.kind, fmt.Sprintf("%s of place %d", canary, i)
			e.save(l)
		}
		for i, p := range places {
			got := e.recall(memory.Query{Repo: p.repo, Kind: p.kind, Title: own.Title + " " + canary, Body: canary, Files: own.Files, Limit: 100})
			e.equal(got.Notes, []string(nil))
			if len(got.Lessons) != 1 || got.Lessons[0].Text != fmt.Sprintf("%s of place %d", canary, i) {
				e.Errorf("place %d recalls %+v", i, got.Lessons)
			}
		}
		for _, q := range []memory.Query{{Repo: "github.com/o", Kind: memory.Issue}, {Repo: repo, Kind: "issues"}, {Repo: "%", Kind: memory.Issue}} {
			q.Title, q.Files = own.Title, own.Files
			e.equal(e.runs(q), []string(nil))
		}
	})
}

func TestUnknownPlacesAreRefused(t *testing.T) {
	e := newEnv(t, memory.Config{})
	e.save(lesson("a", "Gzip"))
	for _, q := range []memory.Query{{}, {Repo: repo}, {Kind: memory.Issue}, {Repo: repo + "\xff", Kind: memory.Issue}, {Repo: repo, Kind: "\x00"}} {
		q.Title = "Gzip"
		_, err := e.Recall(e.Context(), q)
		e.refused(err, memory.ErrInvalid)
	}
}

func TestRecallAnswersTheBestFirst(t *testing.T) {
	each(t, func(e *env) {
		newer := lesson("newer", "Gzip reader drops members")
		newer.Saved = noon.Add(time.Hour)
		e.save(lesson("far", "Scheduler starts a job twice"), lesson("near", "Gzip reader drops lines"), lesson("same", "Gzip reader drops members"), newer)
		e.equal(e.runs(ask("Gzip reader drops members")), []string{"newer", "same", "near"})
		q := ask("Gzip reader drops members")
		q.Limit = 1
		e.equal(e.runs(q), []string{"newer"})
		e.equal(e.runs(ask("Tooltips overlap in the bar chart")), []string(nil))
		e.equal(e.runs(ask(" ")), []string(nil))
	})
}

func TestFilesCount(t *testing.T) {
	each(t, func(e *env) {
		e.save(lesson("a", "Gzip reader drops members", "main.py", "gzip.py"), lesson("b", "Gzip reader drops members", "main.py", "other.py"))
		q := ask("Gzip reader loses many members of archives", "main.py", "gzip.py")
		got := e.recall(q)
		e.equal(names(got), []string{"a", "b"})
		if why := got.Lessons[0].Why; !strings.Contains(why, "same files: main.py, gzip.py") {
			e.Errorf("why %q", why)
		}
		if got.Lessons[0].Score <= got.Lessons[1].Score {
			e.Errorf("scores %v and %v: the rarer file should count more", got.Lessons[0].Score, got.Lessons[1].Score)
		}
		e.equal(e.runs(ask("Tooltips overlap in the bar chart", "main.py", "gzip.py", "other.py")), []string(nil))
	})
}

func TestReasonsAreOnOneLine(t *testing.T) {
	e := newEnv(t, memory.Config{})
	e.save(lesson("a", "Gzip reader", "evil\n\x1b[2Jname.py"))
	got := e.recall(ask("Gzip reader", "evil\n\x1b[2Jname.py"))
	e.equal(got.Lessons[0].Why, `similar words: Gzip, reader; same files: "evil\n\x1b[2Jname.py"`)
}
