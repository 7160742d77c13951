package memory_test

import (
	"database/sql"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/memory"
)

func TestFileIsPrivate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "not", "yet")
	path := filepath.Join(dir, "memory.db")
	s, err := memory.Open(path, memory.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Save(t.Context(), lesson("a", "Gzip")); err != nil {
		t.Fatal(err)
	}
	want := map[string]os.FileMode{".": 0o700, "memory.db": 0o600, "memory.db-shm": 0o600, "memory.db-wal": 0o600}
	got := map[string]os.FileMode{}
	for name := range want {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		got[name] = info.Mode().Perm()
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestOpenMakesAFilePrivate(t *testing.T) {
	e := newEnv(t, memory.Config{})
	e.must(e.Store.Close())
	e.must(os.Chmod(e.path, 0o644))
	e.reopen(memory.Config{})
	info, err := os.Stat(e.path)
	e.must(err)
	e.equal(info.Mode().Perm(), os.FileMode(0o600))
}

func TestWhatIsNoLessonIsRefused(t *testing.T) {
	e := newEnv(t, memory.Config{})
	for name, change := range map[string]func(*memory.Lesson){
		"no run":            func(l *memory.Lesson) { l.Run = "" },
		"long run":          func(l *memory.Lesson) { l.Run = strings.Repeat("r", 257) },
		"no repository":     func(l *memory.Lesson) { l.Repo = "" },
		"bad repository":    func(l *memory.Lesson) { l.Repo = "a\xff" },
		"repository NUL":    func(l *memory.Lesson) { l.Repo = "a\x00b" },
		"no kind":           func(l *memory.Lesson) { l.Kind = "" },
		"no text":           func(l *memory.Lesson) { l.Text = " \n" },
		"not finished":      func(l *memory.Lesson) { l.Class = "" },
		"unknown class":     func(l *memory.Lesson) { l.Class = "SURE" },
		"confidence":        func(l *memory.Lesson) { l.Confidence = 1.01 },
		"confidence NaN":    func(l *memory.Lesson) { l.Confidence = math.NaN() },
		"never":             func(l *memory.Lesson) { l.Saved = time.Time{} },
		"in the far future": func(l *memory.Lesson) { l.Saved = time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC) },
	} {
		l := lesson("run", "Gzip")
		change(&l)
		if err := e.Save(e.Context(), l); !errors.Is(err, memory.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	e.equal(e.list(memory.Filter{}), []string(nil))
	err := e.Save(e.Context(), memory.Lesson{Run: "r", Text: "t", Saved: noon})
	e.equal(err.Error(), `save lesson: class "": want CONFIRMED, LIKELY or INCONCLUSIVE, which a finished run has: invalid`)
}

func TestSizesAreBounded(t *testing.T) {
	e := newEnv(t, memory.Config{})
	l := lesson("run", strings.Repeat("é", 251))
	l.Text = strings.Repeat("x", memory.MaxText) + "y"
	l.Files = []string{"a.py", "a.py", "", strings.Repeat("p", 1025), strings.Repeat("q", 1024)}
	for i := range 100 {
		l.Files = append(l.Files, strings.Repeat("f", i+1))
	}
	l.Commit = "a\x00\xff\xfeb"
	e.save(l)
	got, err := e.Get(e.Context(), 1)
	e.must(err)
	want := l
	want.ID, want.Title, want.Text = 1, strings.Repeat("é", 248)+"…", strings.Repeat("x", memory.MaxText-3)+"…"
	want.Files = append([]string{"a.py", l.Files[4]}, l.Files[5:53]...)
	want.Commit = "a\uFFFD\uFFFDb"
	e.equal(got, want)
	if len(got.Files) != memory.MaxFiles || len(got.Title) != 499 {
		t.Errorf("%d files, a title of %d bytes", len(got.Files), len(got.Title))
	}
}

func TestTheOldestGo(t *testing.T) {
	e := newEnv(t, memory.Config{})
	other := lesson("other", "Of another kind")
	other.Kind, other.Saved = memory.Review, noon.Add(-time.Hour)
	e.save(other)
	var want []string
	for i := range memory.MaxLessons + 2 {
		l := lesson(strings.Repeat("x", i%200)+time.Duration(i).String(), "Lesson")
		l.Saved = noon.Add(time.Duration(i) * time.Second)
		e.save(l)
		want = append(want, l.Run)
	}
	slices.Reverse(want)
	e.equal(e.list(memory.Filter{Repo: repo, Kind: memory.Issue}), want[:memory.MaxLessons])
	e.equal(e.list(memory.Filter{Kind: memory.Review}), []string{"other"})
	old := lesson("old", "Lesson")
	old.Saved = noon.Add(-time.Hour)
	e.save(old)
	e.equal(e.list(memory.Filter{Repo: repo, Kind: memory.Issue}), want[:memory.MaxLessons])
}

// query changes a file behind the store's back.
func query(t *testing.T, path, statements string) {
	t.Helper()
	db, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(statements); err != nil {
		t.Fatal(err)
	}
}

func TestForeignFilesAreLeftAlone(t *testing.T) {
	for name, tt := range map[string]struct {
		make func(t *testing.T, path string)
		want error
		says string
	}{
		"newer": {func(t *testing.T, path string) {
			s, err := memory.Open(path, memory.Config{})
			if err != nil {
				t.Fatal(err)
			}
			s.Close()
			query(t, path, "PRAGMA user_version=99")
		}, memory.ErrNewer, "it has 99, this program knows 1: use a newer program"},
		"another program's": {func(t *testing.T, path string) { query(t, path, "CREATE TABLE mine (x)") }, memory.ErrBroken, "it holds something else"},
		"no database": {func(t *testing.T, path string) {
			if err := os.WriteFile(path, []byte(strings.Repeat("Dear diary, ", 500)), 0o644); err != nil {
				t.Fatal(err)
			}
		}, memory.ErrBroken, "move it away to begin with an empty memory"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "memory.db")
			tt.make(t, path)
			before, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			_, err = memory.Open(path, memory.Config{})
			if !errors.Is(err, tt.want) || !strings.Contains(err.Error(), tt.says) || !strings.Contains(err.Error(), path) {
				t.Errorf("got %v, want one that is %v and says %q and the path", err, tt.want, tt.says)
			}
			after, err := os.ReadFile(path)
			if err != nil || !slices.Equal(before, after) {
				t.Errorf("the file was changed (%v)", err)
			}
		})
	}
}

// TestDamageIsAnError: whatever a disk does to the file, nobody panics, and the file stays.
func TestDamageIsAnError(t *testing.T) {
	e := newEnv(t, memory.Config{})
	for _, run := range strings.Fields("a b c d e f g h") {
		l := lesson(run, "Gzip reader drops members "+run)
		l.Text = strings.Repeat(run+" text ", 800)
		e.save(l)
	}
	e.must(e.Store.Close())
	whole, err := os.ReadFile(e.path)
	e.must(err)
	rng, broken := rand.New(rand.NewPCG(1, 2)), 0
	for i := range 60 {
		data := slices.Clone(whole)
		at := rng.IntN(len(data) - 64)
		for j := range 64 {
			data[at+j] = byte(rng.Uint32())
		}
		if i%4 == 0 {
			data = data[:at]
		}
		path := filepath.Join(t.TempDir(), "memory.db")
		e.must(os.WriteFile(path, data, 0o600))
		if err := useAll(t, path); errors.Is(err, memory.ErrBroken) {
			broken++
		}
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
	if broken < 10 {
		t.Errorf("%d of 60 damages were found", broken)
	}
	e.must(useAll(t, e.path))
}

func useAll(t *testing.T, path string) error {
	s, err := memory.Open(path, memory.Config{})
	if err != nil {
		return err
	}
	defer s.Close()
	_, err = s.List(t.Context(), memory.Filter{})
	_, err2 := s.Recall(t.Context(), ask("Gzip reader drops members"))
	return errors.Join(err, err2, s.Save(t.Context(), lesson("new", "Another")))
}

func TestFilesThatAreNoListAreBroken(t *testing.T) {
	e := newEnv(t, memory.Config{})
	e.save(lesson("a", "Gzip"))
	e.must(e.Store.Close())
	query(t, "file:"+strings.NewReplacer("?", "%3f", "#", "%23", "%", "%25").Replace(e.path), "UPDATE lesson SET files='{'")
	e.reopen(memory.Config{})
	_, err := e.Get(e.Context(), 1)
	e.refused(err, memory.ErrBroken)
	n, err := e.Forget(e.Context(), memory.Filter{ID: 1})
	e.must(err)
	e.equal(n, 1)
}

func TestSaveIntoADeletedFileFails(t *testing.T) {
	e := newEnv(t, memory.Config{})
	e.must(os.Remove(e.path))
	err := e.Save(e.Context(), lesson("a", "Gzip"))
	if err == nil || !strings.Contains(err.Error(), "was deleted or replaced") {
		t.Errorf("got %v", err)
	}
}

func TestConfigIsWhole(t *testing.T) {
	whole := flatConfig(t)
	for name, change := range map[string]func(*memory.Config){
		"no encoder": func(c *memory.Config) { c.Encoder = nil },
		"no model":   func(c *memory.Config) { c.Model = "" },
		"no store":   func(c *memory.Config) { c.Vectors = nil },
		"bad model":  func(c *memory.Config) { c.Model = "a\n" },
	} {
		c := whole
		change(&c)
		path := filepath.Join(t.TempDir(), "memory.db")
		if _, err := memory.Open(path, c); err == nil {
			t.Errorf("%s: no error", name)
		}
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s: a file was made", name)
		}
	}
}
