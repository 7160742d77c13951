package lexical_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/rag/lexical"
)

// allocated is what f allocates, in MB.
func allocated(f func()) int {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int((after.TotalAlloc - before.TotalAlloc) >> 20)
}

func TestHugeLines(t *testing.T) {
	const mb = 1 << 20
	var numbered strings.Builder
	for i := range 1_100_000 {
		fmt.Fprintf(&numbered, "w%d,", i)
	}
	for name, line := range map[string]string{
		"50 MB of code":     strings.Repeat("a=f(x1);", 50*mb/8),
		"50 MB, one word":   strings.Repeat("a", 50*mb),
		"underscores":       strings.Repeat("_", 4*mb),
		"quotation marks":   strings.Repeat(`"`, 4*mb),
		"the same words":    strings.Repeat("someName == 'other name' ", 4*mb/25),
		"other words":       numbered.String(),
		"no UTF-8":          strings.Repeat("\xff\xc3(\xe6\x9c", 4*mb/5),
		"one word of Greek": strings.Repeat("ω", 4*mb/2),
		"one word of Han":   strings.Repeat("类器服务", 4*mb/12),
		"one name":          strings.Repeat("word_", 4*mb/5),
	} {
		var blob lexical.Blob
		mb := allocated(func() { blob = lexical.Analyze([]lexical.Part{{Body: line + " needle"}}) })
		// The first million different words are kept, and growing takes as much again.
		if mb > 400 || len(blob) > 16<<20 {
			t.Errorf("%s: %d MB, and a Blob of %d MB", name, mb, len(blob)>>20)
		}
		x, err := lexical.New([]lexical.Blob{blob, lexical.Analyze(bodies("needle"))}, lexical.Config{})
		if err != nil {
			t.Fatal(err)
		}
		want := 2
		if name == "other words" {
			want = 1
		}
		if got := x.DF("needle"); got != want {
			t.Errorf("%s: the last word is in %d documents, want %d", name, got, want)
		}
	}
}

func TestMillionEmptyDocuments(t *testing.T) {
	blobs := make([]lexical.Blob, 1_000_000)
	for i := range blobs {
		blobs[i] = lexical.Analyze(nil)
	}
	blobs[7] = lexical.Analyze(bodies("alpha"))
	var x *lexical.Index
	if mb := allocated(func() { x, _ = lexical.New(blobs, lexical.Config{}) }); mb > 200 {
		t.Errorf("%d MB", mb)
	}
	s := x.Score(ask("alpha"), lexical.Weights{})
	if len(s.Docs) != 1_000_000 || len(s.Parts) != 1 || !(s.Docs[7] > 0) || s.Docs[8] != 0 {
		t.Errorf("%d documents, %d parts; %v, %v", len(s.Docs), len(s.Parts), s.Docs[7], s.Docs[8])
	}
}

// TestTermsThatWantOnePlace: the multiples of a large power of two. In a table that
// looks at some bits of a term they would all stand in one row, and that takes hours.
func TestTermsThatWantOnePlace(t *testing.T) {
	const n = 1 << 18
	for _, shift := range []int{0, 32, 46} {
		values := []any{1, 1, 1, 1, n}
		for i := range n {
			values = append(values, lexical.Term(i)<<shift)
		}
		blob := encode(values...)
		for range n {
			blob = append(blob, 1, 0, 1<<2)
		}
		if _, err := lexical.New([]lexical.Blob{blob}, lexical.Config{}); err != nil {
			t.Error(err)
		}
	}
}

func TestNothing(t *testing.T) {
	for _, files := range [][][]lexical.Part{nil, {nil}, {{}}, {bodies("")}, {bodies("", "")}} {
		x := build(t, lexical.Config{}, files...)
		s := x.Score(ask("alpha"), lexical.Weights{})
		if len(s.Docs) != len(files) || len(s.Parts) != x.Parts() {
			t.Errorf("%d documents, %d parts; scores of %d and %d", len(files), x.Parts(), len(s.Docs), len(s.Parts))
		}
		if diff := cmp.Diff(s, x.Phrases([]string{"one two three"})); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}
