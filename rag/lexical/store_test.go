package lexical_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/rag/lexical"
)

func smallIndex(tb testing.TB) *lexical.Index {
	tb.Helper()
	x, err := lexical.New([]lexical.Blob{
		lexical.Analyze([]lexical.Part{{Symbol: "loadFile", Body: "return parse(name)", Comment: "reads a file"}, {Body: "parse load"}}),
		lexical.Analyze(nil),
		lexical.Analyze([]lexical.Part{{Body: `fail("the file is too short to be read")`}}),
	}, lexical.Config{K1: 0.9})
	if err != nil {
		tb.Fatal(err)
	}
	return x
}

func scoresOf(x *lexical.Index) lexical.Scores {
	var q lexical.Query
	q.Add("parse a file name that is too short", 1)
	q.AddPairs("too short", .5)
	return x.Score(q, lexical.Weights{})
}

func TestEncode(t *testing.T) {
	empty, err := lexical.New(nil, lexical.Config{})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []*lexical.Index{smallIndex(t), empty} {
		data := x.Encode()
		y, err := lexical.Decode(data)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(scoresOf(x), scoresOf(y)); diff != "" {
			t.Errorf("scores (-want +got):\n%s", diff)
		}
		if y.Docs() != x.Docs() || y.Parts() != x.Parts() || y.DF("load") != x.DF("load") {
			t.Errorf("%d documents, %d parts, df %d", y.Docs(), y.Parts(), y.DF("load"))
		}
		phrases := []string{"the file is too short"}
		if diff := cmp.Diff(x.Phrases(phrases), y.Phrases(phrases)); diff != "" {
			t.Errorf("phrases (-want +got):\n%s", diff)
		}
		if y.Encode() != data {
			t.Error("encoded again it is other bytes")
		}
	}
}

// TestDecodeRefuses what was cut, and never panics over what was changed.
func TestDecodeRefuses(t *testing.T) {
	data := smallIndex(t).Encode()
	for n := range data {
		if _, err := lexical.Decode(data[:n]); !errors.Is(err, lexical.ErrIndex) {
			t.Errorf("the first %d of %d bytes: %v", n, len(data), err)
		}
	}
	if _, err := lexical.Decode(data + "\x00"); !errors.Is(err, lexical.ErrIndex) {
		t.Errorf("a byte more: %v", err)
	}
	for i := range data {
		for _, flip := range []byte{1, 0x40, 0xff} {
			other := []byte(data)
			other[i] ^= flip
			if x, err := lexical.Decode(string(other)); err == nil {
				scoresOf(x)
				x.Phrases([]string{"the file is too short"})
			}
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(smallIndex(f).Encode())
	f.Fuzz(func(t *testing.T, data string) {
		if x, err := lexical.Decode(data); err == nil {
			scoresOf(x)
			x.Phrases([]string{"the file is too short"})
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	files, _, _ := load(b)
	data := index(b, analyzeAll(files)).Encode()
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := lexical.Decode(data); err != nil {
			b.Fatal(err)
		}
	}
}
