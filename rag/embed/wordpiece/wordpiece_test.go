package wordpiece_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/rag/embed/wordpiece"
)

var vocab = flag.String("vocab", "testdata/vocab.txt", "vocabulary for the benchmark; BERT's own gives the figure that counts")

func load(tb testing.TB, path string) *wordpiece.Tokenizer {
	tb.Helper()
	t, err := wordpiece.Load(path)
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

func lines[T any](t *testing.T, path string) []T {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []T
	s := bufio.NewScanner(f)
	for s.Buffer(nil, 1<<20); s.Scan(); {
		var v T
		if err := json.Unmarshal(s.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
	}
	if s.Err() != nil || len(all) == 0 {
		t.Fatalf("%s has %d lines: %v", path, len(all), s.Err())
	}
	return all
}

// The answers are the tokenizers library's; testdata/reference.py asks for them.
func TestTokensAreThoseOfTheReference(t *testing.T) {
	w := load(t, "testdata/vocab.txt")
	for _, want := range lines[struct {
		Text string
		IDs  []int32
	}](t, "testdata/tokens.jsonl") {
		if d := cmp.Diff(want.IDs, w.Encode(want.Text, 1<<20)); d != "" {
			t.Errorf("tokens of %q:\n%s", want.Text, d)
		}
	}
}

func TestPairsAreThoseOfTheReference(t *testing.T) {
	w := load(t, "testdata/vocab.txt")
	for _, want := range lines[struct {
		A, B  string
		Limit int
		IDs   []int32
		Types []int
	}](t, "testdata/pairs.jsonl") {
		ids, second := w.Pair(want.A, want.B, want.Limit)
		types := make([]int, len(ids))
		for i := second; i < len(types); i++ {
			types[i] = 1
		}
		if d := cmp.Diff(want.IDs, ids); d != "" {
			t.Errorf("tokens of %.40q and %.40q in %d:\n%s", want.A, want.B, want.Limit, d)
		}
		if d := cmp.Diff(want.Types, types); d != "" {
			t.Errorf("types of %.40q and %.40q in %d:\n%s", want.A, want.B, want.Limit, d)
		}
	}
}

const small = "[UNK]\n[CLS]\n[SEP]\nun\n##aff\n##able\na\n##b\n.\nhello\n世\n"

func newSmall(t *testing.T, text string) *wordpiece.Tokenizer {
	t.Helper()
	w, err := wordpiece.New(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestAppend(t *testing.T) {
	w := newSmall(t, small)
	for _, tt := range []struct {
		text string
		want []int32
	}{
		{"", nil},
		{"unaffable", []int32{3, 4, 5}},
		{"UNAFFABLE.", []int32{3, 4, 5, 8}},
		{"unaffablex", []int32{0}},
		{"Héllo", []int32{9}},
		{"he\u0301llo a\tab\r\n", []int32{9, 6, 6, 7}},
		{"hello世hello", []int32{9, 10, 9}},
		{"he\x00l\u200dlo", []int32{9}},
		{"he\xffllo", []int32{9}}, // invalid UTF-8 vanishes, as U+FFFD does
		{"a[SEP]a[sep]", []int32{6, 2, 6, 0, 0, 0}},
		{"a" + strings.Repeat("b", 99), append([]int32{6}, repeat(7, 99)...)},
		{"a" + strings.Repeat("b", 100), []int32{0}},
		{"a" + strings.Repeat("b", 100000) + " a", []int32{0, 6}},
	} {
		if d := cmp.Diff(tt.want, w.Append(nil, tt.text, 1000)); d != "" {
			t.Errorf("Append(%.40q):\n%s", tt.text, d)
		}
	}
}

func repeat(id int32, n int) []int32 {
	ids := make([]int32, n)
	for i := range ids {
		ids[i] = id
	}
	return ids
}

func TestLimitCutsInsideAWord(t *testing.T) {
	w := newSmall(t, small)
	for limit, want := range [][]int32{{1, 2}, {1, 2}, {1, 2}, {1, 3, 2}, {1, 3, 4, 2}, {1, 3, 4, 5, 2}, {1, 3, 4, 5, 2}} {
		if d := cmp.Diff(want, w.Encode("unaffable", limit)); d != "" {
			t.Errorf("limit %d:\n%s", limit, d)
		}
	}
}

func TestPairsShareTheRoom(t *testing.T) {
	w := newSmall(t, small)
	for _, tt := range []struct{ a, b, limit, wantA, wantB int }{
		{5, 5, 12, 4, 5}, // of an odd room the longer gets more, of two equal ones the second
		{6, 5, 12, 5, 4},
		{5, 9, 13, 5, 5},
		{6, 9, 14, 5, 6},
		{2, 90, 20, 2, 15},
		{90, 2, 20, 15, 2},
		{0, 90, 20, 0, 17},
		{3, 3, 9, 3, 3},
		{3, 3, 0, 0, 0},
	} {
		ids, second := w.Pair(strings.Repeat("a ", tt.a), strings.Repeat("a ", tt.b), tt.limit)
		if a, b := second-2, len(ids)-second-1; a != tt.wantA || b != tt.wantB {
			t.Errorf("%d and %d in %d: %d and %d, want %d and %d", tt.a, tt.b, tt.limit, a, b, tt.wantA, tt.wantB)
		}
	}
}

func TestALaterEqualPieceCounts(t *testing.T) {
	w := newSmall(t, "[UNK]\n[CLS]\n[SEP]\na\na\r\n\n##\nb")
	if d := cmp.Diff([]int32{4, 7}, w.Append(nil, "a b", 10)); d != "" {
		t.Error(d)
	}
	if w.Size() != 8 {
		t.Errorf("Size is %d, want 8", w.Size())
	}
}

func TestBadVocabularies(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"[CLS]\n[SEP]\n", "lacks [UNK]"},
		{"[UNK]\n[CLS]\n", "lacks [SEP]"},
		{strings.Repeat("x\n", 3<<20), "larger than 4 MB"},
		{"[UNK]\n" + strings.Repeat("x", 2000), "line 2 has 2000 bytes"},
	} {
		_, err := wordpiece.New(strings.NewReader(tt.text))
		if !errors.Is(err, wordpiece.ErrVocab) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("New(%.20q): %v, want %q", tt.text, err, tt.want)
		}
	}
}

func FuzzAppend(f *testing.F) {
	w, err := wordpiece.Load("testdata/vocab.txt")
	if err != nil {
		f.Fatal(err)
	}
	f.Add("The [MASK] Ünïcode 世界 \xff한글", 5)
	f.Fuzz(func(t *testing.T, text string, limit int) {
		limit = min(max(limit, 0), 1<<12)
		all := w.Append(nil, text, len(text)*4+1)
		some := w.Append(nil, text, limit)
		if d := cmp.Diff(all[:min(limit, len(all))], some, cmp.Transformer("nil", func(x []int32) []int32 { return append([]int32{}, x...) })); d != "" {
			t.Errorf("the limit changes what comes before it:\n%s", d)
		}
		for _, id := range all {
			if id < 0 || int(id) >= w.Size() {
				t.Errorf("token %d of %d", id, w.Size())
			}
		}
		if utf8.ValidString(text) && len(all) > 4*len(text) {
			t.Errorf("%d tokens of %d bytes", len(all), len(text))
		}
		if ids, second := w.Pair(text, "a b", limit); len(ids) > max(limit, 3) || second < 2 || second >= len(ids) {
			t.Errorf("a pair in %d tokens has %d, the second from %d", limit, len(ids), second)
		}
	})
}

// BenchmarkAppend splits a megabyte of this package's source and of prose.
func BenchmarkAppend(b *testing.B) {
	w := load(b, *vocab)
	var text strings.Builder
	for text.Len() < 1<<20 {
		for _, name := range []string{"word.go", "trie.go", "table.go", "wordpiece.go", "testdata/reference.py"} {
			data, err := os.ReadFile(name)
			if err != nil {
				b.Fatal(err)
			}
			text.Write(data)
		}
	}
	b.SetBytes(int64(text.Len()))
	var ids []int32
	for b.Loop() {
		ids = w.Append(ids[:0], text.String(), text.Len())
	}
	b.ReportMetric(float64(text.Len())/float64(len(ids)), "bytes/token")
}
