package rag_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/repomind/repomind/internal/repo/repotest"
	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/rag"
)

// TestRank asks made repositories for code that is known to hold the answer. An
// archive holds a file for each commit, see repotest.History, and a file "query NAME"
// for each question: the lines "want: FILE SYMBOL | TEXT OF THE LINE" and "kind: KIND",
// the title, and the body. SYMBOL "-" is none. The golden says where each answer stands, so that a change in ranking
// is a diff of numbers.
func TestRank(t *testing.T) {
	names, err := filepath.Glob("testdata/rank/*.txtar")
	if err != nil || len(names) < 3 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			golden := strings.TrimSuffix(name, ".txtar") + ".txt"
			got := rankAll(t, name)
			if *update {
				must(t, os.WriteFile(golden, []byte(got), 0o644))
			}
			want, err := os.ReadFile(golden)
			must(t, err)
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("%s (-want +got; -update rewrites):\n%s", golden, diff)
			}
		})
	}
}

// asked is a question with its known answer.
type asked struct {
	name, file, symbol, text string
	rag.Query
}

// made is a repository with questions.
func made(t testing.TB, name string) (*repotest.Repo, []asked) {
	t.Helper()
	archive, err := txtar.ParseFile(name)
	must(t, err)
	var history txtar.Archive
	var all []asked
	for _, f := range archive.Files {
		if query, ok := strings.CutPrefix(f.Name, "query "); ok {
			all = append(all, newAsked(t, query, string(f.Data)))
			continue
		}
		history.Files = append(history.Files, f)
	}
	return repotest.History(t, &history), all
}

func newAsked(t testing.TB, name, text string) asked {
	t.Helper()
	a := asked{name: name}
	for a.Title == "" {
		line, rest, more := strings.Cut(text, "\n")
		if !more {
			t.Fatalf("query %s has no title", name)
		}
		text = rest
		switch key, value, _ := strings.Cut(line, ": "); key {
		case "want":
			place, text, _ := strings.Cut(value, " | ")
			a.file, a.symbol, _ = strings.Cut(place, " ")
			a.text = text
		case "kind":
			a.Kind = rag.Kind(value)
		default:
			a.Title = line
		}
	}
	a.Body = text
	return a
}

func rankAll(t *testing.T, name string) string {
	r, all := made(t, name)
	o := open(t, snapshot(t, clone(t, r), r.Commits[len(r.Commits)-1]), "")
	var out strings.Builder
	files, symbols, lines := places{what: "file"}, places{what: "symbol"}, places{what: "line"}
	for _, a := range all {
		res := search(t, o.index, a.Query)
		file := placeOf(res.Files, func(f rag.File) bool { return f.Path == a.file })
		n := lineOf(t, filepath.Join(r.Dir, a.file), a.text)
		line := placeOf(res.Chunks, func(c rag.Chunk) bool { return holds(c.Span, a.file, n) })
		fmt.Fprintf(&out, "%-20s file %d, line %d", a.name, file, line)
		files.add(file)
		lines.add(line)
		if a.symbol != "-" {
			symbol := placeOf(res.Symbols, func(s rag.Symbol) bool { return s.Path == a.file && s.Name == a.symbol })
			fmt.Fprintf(&out, ", symbol %d", symbol)
			symbols.add(symbol)
		}
		out.WriteByte('\n')
	}
	return out.String() + "\n" + files.String() + symbols.String() + lines.String()
}

// lineOf is the number of the first line of a file that holds a text.
func lineOf(t *testing.T, name, text string) int {
	t.Helper()
	data, err := os.ReadFile(name)
	must(t, err)
	before, _, ok := strings.Cut(string(data), text)
	if text == "" || !ok {
		t.Fatalf("%s has no line with %q", name, text)
	}
	return 1 + strings.Count(before, "\n")
}

func holds(s source.Span, path string, line int) bool {
	return s.Path == path && s.Start <= line && line <= s.End
}

// places counts where answers stand.
type places struct {
	what          string
	n, one, five  int
	reciprocalSum float64
}

func (p *places) add(place int) {
	p.n++
	if place == 0 {
		return
	}
	p.reciprocalSum += 1 / float64(place)
	if place == 1 {
		p.one++
	}
	if place <= 5 {
		p.five++
	}
}

func (p places) String() string {
	return fmt.Sprintf("%-6s recall@1 %d/%d, recall@5 %d/%d, mrr %.3f\n", p.what, p.one, p.n, p.five, p.n, p.reciprocalSum/float64(p.n))
}
