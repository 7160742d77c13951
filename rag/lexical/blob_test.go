package lexical_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/rag/lexical"
)

// encode writes numbers as a Blob has them; a Term takes 8 bytes.
func encode(values ...any) (b lexical.Blob) {
	for _, v := range values {
		switch v := v.(type) {
		case int:
			b = binary.AppendUvarint(b, uint64(v))
		case lexical.Term:
			b = binary.LittleEndian.AppendUint64(b, uint64(v))
		}
	}
	return b
}

func TestBlobIsTheDocumentedForm(t *testing.T) {
	got := lexical.Analyze([]lexical.Part{
		{Symbol: "alpha", Body: "beta alpha alpha"},
		{},
		{Body: "'alpha beta alpha'", Comment: "beta"},
	})
	row := plainRow("alpha", "beta", "alpha")
	type entries struct {
		term lexical.Term
		list []any
	}
	all := []entries{
		{plain("alpha")[0], []any{3, 0, 1 << 2, 0, 2<<2 | 1, 2, 2<<2 | 1}},
		{plain("beta")[0], []any{3, 0, 1<<2 | 1, 2, 1<<2 | 1, 0, 1<<2 | 2}},
		{row, []any{1, 2, 1<<2 | 3}},
	}
	slices.SortFunc(all, func(a, b entries) int {
		if a.term < b.term {
			return -1
		}
		return 1
	})
	want := encode(3, 1, 3, 0, 0, 0, 0, 0, 3, 1, 3, all[0].term, all[1].term, all[2].term)
	for _, e := range all {
		want = append(want, encode(e.list...)...)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if n, err := got.Parts(); n != 3 || err != nil {
		t.Errorf("%d parts, %v", n, err)
	}
}

// TestSameTextSameBlob: the random factor of a table leaves no trace.
func TestSameTextSameBlob(t *testing.T) {
	files, _ := made(3, 0)
	for _, parts := range files {
		if want := lexical.Analyze(parts); !bytes.Equal(want, lexical.Analyze(parts)) {
			t.Errorf("another Blob than the %d bytes of before", len(want))
		}
	}
}

// plainRow is the term of three words in quotation marks.
func plainRow(a, b, c string) lexical.Term {
	const prime = 1099511628211
	w := plain(a, b, c)
	return ((w[0]*prime^w[1])*prime ^ w[2]) * prime
}

func TestBlobsThatLie(t *testing.T) {
	a, b := lexical.Term(10), lexical.Term(20)
	good := encode(2, 1, 1, 1, 0, 5, 0, 2, a, b, 1, 0, 1<<2, 2, 0, 1<<2|1, 1, 4<<2|1)
	if _, err := lexical.New([]lexical.Blob{good}, lexical.Config{}); err != nil {
		t.Fatal(err)
	}
	for name, blob := range map[string]lexical.Blob{
		"nothing":                 {},
		"cut in the parts":        good[:3],
		"cut in the terms":        good[:12],
		"cut in the entries":      good[:len(good)-1],
		"something after the end": append(slices.Clone(good), 0),
		"too many parts":          encode(math.MaxInt64, 1, 1, 1),
		"too many terms":          encode(0, math.MaxInt64, a),
		"too many entries":        encode(1, 1, 1, 1, 1, a, math.MaxInt64, 0, 1<<2),
		"a length too large":      encode(1, 1<<32, 1, 1, 0),
		"a number without end":    bytes.Repeat([]byte{0xff}, 20),
		"terms out of order":      encode(1, 1, 1, 1, 2, b, a, 1, 0, 1<<2, 1, 0, 1<<2),
		"a term twice":            encode(1, 1, 1, 1, 2, a, a, 1, 0, 1<<2, 1, 0, 1<<2),
		"a term that is nowhere":  encode(1, 1, 1, 1, 1, a, 0),
		"a part that is not":      encode(1, 1, 1, 1, 1, a, 1, 1, 1<<2),
		"a part beyond numbers":   encode(2, 1, 1, 1, 1, 1, 1, 1, a, 2, 1, 1<<2, -1, 1<<2),
		"parts that are not":      encode(0, 1, a, 1, 0, 1<<2),
		"fields out of order":     encode(1, 1, 1, 1, 1, a, 2, 0, 1<<2|1, 0, 1<<2),
		"a field twice":           encode(1, 1, 1, 1, 1, a, 2, 0, 1<<2|1, 0, 1<<2|1),
		"a count of none":         encode(1, 1, 1, 1, 1, a, 1, 0, 0<<2),
		"a count too large":       encode(1, 1, 1, 1, 1, a, 1, 0, 1<<34),
	} {
		x, err := lexical.New([]lexical.Blob{good, blob}, lexical.Config{})
		if !errors.Is(err, lexical.ErrBlob) || x != nil {
			t.Errorf("%s: %v", name, err)
		} else if err.Error() != "file 1: damaged words of a file; analyze it again to rebuild the index" {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, blob := range []lexical.Blob{{}, encode(math.MaxInt64, 1, 1, 1), encode(2, 1, 1, 1), bytes.Repeat([]byte{0xff}, 20)} {
		if _, err := blob.Parts(); !errors.Is(err, lexical.ErrBlob) {
			t.Errorf("the number of parts of %v: %v", blob, err)
		}
	}
}

// TestLengthsThatLie: lengths of zero, and huge ones, still make scores that are numbers.
func TestLengthsThatLie(t *testing.T) {
	term := plain("alpha")[0]
	var blobs []lexical.Blob
	for _, length := range []int{0, 1, math.MaxUint32} {
		blobs = append(blobs, encode(2, length, length, length, length, length, length, 1, term, 2, 0, math.MaxUint32<<2|1, 1, math.MaxUint32<<2|1))
	}
	x, err := lexical.New(blobs, lexical.Config{B: 1})
	if err != nil {
		t.Fatal(err)
	}
	s := x.Score(ask("alpha"), lexical.Weights{})
	for _, score := range append(s.Docs, s.Parts...) {
		if !(score >= 0 && score < 10) {
			t.Errorf("score %v", score)
		}
	}
}

// TestDamagedBlobs: whatever happens to a byte, New gives ErrBlob, or an Index whose
// scores are numbers. Of a cut Blob nothing is left that is one.
func TestDamagedBlobs(t *testing.T) {
	good := lexical.Analyze([]lexical.Part{{Symbol: "alpha", Body: "beta alpha 'one two three'", Comment: "größe"}, {Body: "getValue"}})
	for n := range good {
		if _, err := lexical.New([]lexical.Blob{good[:n:n]}, lexical.Config{}); !errors.Is(err, lexical.ErrBlob) {
			t.Errorf("the first %d bytes of %d: %v", n, len(good), err)
		}
		for _, flip := range []byte{1, 2, 4, 8, 16, 32, 64, 128, 255} {
			bad := slices.Clone(good)
			bad[n] ^= flip
			tryBlobs(t, bad, good)
		}
	}
}

// tryBlobs opens files that nobody vouches for and asks them everything.
func tryBlobs(t *testing.T, blobs ...lexical.Blob) {
	t.Helper()
	x, err := lexical.New(blobs, lexical.Config{})
	if err != nil {
		if !errors.Is(err, lexical.ErrBlob) || x != nil {
			t.Errorf("%v, and an index: %v", err, x != nil)
		}
		return
	}
	parts := 0
	for _, b := range blobs {
		n, err := b.Parts()
		if err != nil {
			t.Error(err)
		}
		parts += n
	}
	if parts != x.Parts() {
		t.Errorf("%d parts, and in the index %d", parts, x.Parts())
	}
	q := ask("alpha get value")
	for _, s := range []lexical.Scores{x.Score(q, lexical.Weights{}), x.Cover(q), x.Phrases([]string{"one two three"})} {
		for _, score := range append(s.Docs, s.Parts...) {
			if !(score >= 0 && score < 100) {
				t.Errorf("score %v", score)
			}
		}
	}
	for doc := range x.Docs() {
		x.Explain(q, lexical.Weights{}, doc)
	}
	for part := range x.Parts() {
		x.ExplainPart(q, lexical.Weights{}, part)
	}
	x.DF("alpha")
}

// FuzzOpen: New opens what was stored, by whomever.
func FuzzOpen(f *testing.F) {
	f.Add([]byte{}, []byte{})
	f.Add([]byte(encode(2, 1, 1, 1, 0, 5, 0, 1, lexical.Term(7), 2, 0, 1<<2|1, 1, 4<<2|1)), []byte(lexical.Analyze(nil)))
	f.Add([]byte(lexical.Analyze(bodies("alpha beta 'one two three'", "getValue"))), []byte{1, 0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, a, b []byte) { tryBlobs(t, a, b) })
}
