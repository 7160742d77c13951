package contract_test

import (
	"bytes"
	"context"
	"crypto/sha1"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/internal/contract"
	"github.com/repomind/repomind/internal/source"
)

// tree is a repository: the files by their paths.
type tree map[string][]byte

func (t tree) Blobs(ctx context.Context, files []source.File, each func(i int, data []byte) error) error {
	for i, f := range files {
		if err := each(i, t[f.Path]); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (t tree) read(_ context.Context, path string) ([]byte, error) {
	if data, ok := t[path]; ok {
		return data, nil
	}
	return nil, fs.ErrNotExist
}

func (t tree) index(tb testing.TB) *code.Index {
	var files []source.File
	for path, data := range t {
		files = append(files, source.File{Path: path, Blob: fmt.Sprintf("%x", sha1.Sum(data)), Size: int64(len(data))})
	}
	idx, err := code.Build(tb.Context(), files, t, code.Config{})
	if err != nil {
		tb.Fatal(err)
	}
	return idx
}

// change is one made case: files "base x" and "head x" are of one tree, others of both;
// each line of "want" is the place of a broken caller and a part of the reason.
type change struct {
	base, head tree
	want       []string
}

func parse(data []byte) change {
	c := change{base: tree{}, head: tree{}}
	for _, f := range txtar.Parse(data).Files {
		side, path, ok := strings.Cut(f.Name, " ")
		switch {
		case f.Name == "want":
			c.want = slices.Collect(strings.Lines(string(f.Data)))
		case !ok:
			c.base[f.Name], c.head[f.Name] = f.Data, f.Data
		case side == "base":
			c.base[path] = f.Data
		case side == "head":
			c.head[path] = f.Data
		}
	}
	return c
}

func (c change) files() []contract.Pair {
	var out []contract.Pair
	for path, data := range c.base {
		if after, ok := c.head[path]; !ok || !bytes.Equal(data, after) {
			out = append(out, contract.Pair{Path: path, Before: data, After: after})
		}
	}
	for path, data := range c.head {
		if _, ok := c.base[path]; !ok {
			out = append(out, contract.Pair{Path: path, After: data})
		}
	}
	return out
}

func (c change) check(tb testing.TB) []contract.Broken {
	tb.Helper()
	found, err := contract.Check(tb.Context(), contract.Input{Base: c.base.index(tb), Head: c.head.index(tb), Files: c.files(), Read: c.head.read})
	if err != nil {
		tb.Fatal(err)
	}
	return found
}

// score counts findings: right ones, false alarms, and what was missed.
type score struct{ right, wrong, missed int }

func (s score) precision() float64 { return float64(s.right) / float64(s.right+s.wrong) }
func (s score) recall() float64    { return float64(s.right) / float64(s.right+s.missed) }

// TestCases checks the made cases, half of them clean. The numbers are those of today: a
// change of them shows here.
func TestCases(t *testing.T) {
	for language, want := range map[string]score{
		"go":     {right: 13, missed: 1},
		"python": {right: 13, missed: 1},
		"script": {right: 10, missed: 2},
	} {
		t.Run(language, func(t *testing.T) {
			names, err := filepath.Glob("testdata/" + language + "/*.txtar")
			if err != nil || len(names) != 20 {
				t.Fatal(len(names), err)
			}
			var got score
			for _, name := range names {
				data, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				got.add(t, filepath.Base(name), parse(data))
			}
			if diff := cmp.Diff(want, got, cmp.AllowUnexported(score{})); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
			if got.precision() < 0.9 || got.recall() < 0.8 {
				t.Errorf("precision %.2f, recall %.2f", got.precision(), got.recall())
			}
		})
	}
}

func (s *score) add(t *testing.T, name string, c change) {
	found := c.check(t)
	for _, w := range c.want {
		place, why, _ := strings.Cut(strings.TrimSpace(w), " ")
		i := slices.IndexFunc(found, func(b contract.Broken) bool { return b.Caller.String() == place })
		if i < 0 {
			s.missed++
			t.Logf("%s: missed %s", name, w)
			continue
		}
		s.right++
		if !strings.Contains(found[i].Why, why) {
			t.Errorf("%s: %s: %q, want %q", name, place, found[i].Why, why)
		}
		if line := strings.Split(string(c.head[found[i].Caller.Path]), "\n")[found[i].Caller.Start-1]; strings.TrimSpace(line) != found[i].Quote {
			t.Errorf("%s: quote %q of %q", name, found[i].Quote, line)
		}
		found = slices.Delete(found, i, i+1)
	}
	s.wrong += len(found)
	for _, b := range found {
		t.Logf("%s: false alarm %s: %s (%s)", name, b.Caller, b.Why, b.What)
	}
}
