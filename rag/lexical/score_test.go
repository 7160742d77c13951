package lexical_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/repomind/repomind/rag/lexical"
)

// build makes an index of files.
func build(t *testing.T, cfg lexical.Config, files ...[]lexical.Part) *lexical.Index {
	t.Helper()
	blobs := make([]lexical.Blob, len(files))
	for i, parts := range files {
		blobs[i] = lexical.Analyze(parts)
	}
	x, err := lexical.New(blobs, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func bodies(texts ...string) (parts []lexical.Part) {
	for _, s := range texts {
		parts = append(parts, lexical.Part{Body: s})
	}
	return parts
}

func ask(text string) (q lexical.Query) {
	q.Add(text, 1)
	return q
}

var near = cmpopts.EquateApprox(0, 1e-5)

func TestScoreByHand(t *testing.T) {
	x := build(t, lexical.Config{}, bodies("alpha beta", "alpha"), bodies("beta gamma gamma"))
	ln := func(x float64) float32 { return float32(math.Log(x)) }
	want := lexical.Scores{
		// Two documents of the same length; one has alpha, twice: ln(1 + 1.5/1.5) · 2.2 · 2/(1.2+2).
		Docs: []float32{ln(2) * 1.375, 0},
		// Three parts of mean length 2; two have alpha: ln(1 + 1.5/2.5) · 2.2 · tf/(1.2+tf),
		// tf is 1, and 1/(.25 + .75/2) = 1.6.
		Parts: []float32{ln(1.6), ln(1.6) * 2.2 * 1.6 / 2.8, 0},
	}
	if diff := cmp.Diff(want, x.Score(ask("alpha"), lexical.Weights{}), near); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestScoreOfFields(t *testing.T) {
	x := build(t, lexical.Config{},
		[]lexical.Part{{Symbol: "alpha", Body: "beta gamma beta", Comment: "alpha alpha"}},
		[]lexical.Part{{Symbol: "delta delta delta", Body: "alpha"}})
	// Mean lengths: symbol 2, body 2, comment 1. Of the first document: symbol
	// 1/(.25+.75/2) = 1.6, comment 2/(.25+.75·2) = 8/7; of the second: body 1.6.
	idf := math.Log(1 + .5/2.5)
	score := func(tf float64) float32 { return float32(idf * 2.2 * tf / (1.2 + tf)) }
	for _, tt := range []struct {
		w    lexical.Weights
		want []float32
	}{
		{lexical.Weights{}, []float32{score(1.6 + 8./7), score(1.6)}},
		{lexical.Weights{Symbol: 5, Body: 2, Comment: .5}, []float32{score(8 + 4./7), score(3.2)}},
		{lexical.Weights{Symbol: 1}, []float32{score(1.6), 0}},
		{lexical.Weights{Comment: 1, Body: -3}, []float32{score(8. / 7), 0}},
		{lexical.Weights{Symbol: math.Inf(-1), Comment: 1, Body: math.NaN()}, []float32{score(8. / 7), 0}},
		{lexical.Weights{Symbol: math.Inf(1), Body: 1e9}, []float32{score(1.6e6), score(1.6e6)}},
	} {
		got := x.Score(ask("Alpha"), tt.w)
		if diff := cmp.Diff(lexical.Scores{Docs: tt.want, Parts: tt.want}, got, near); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", tt.w, diff)
		}
	}
}

func TestScoreOfQueries(t *testing.T) {
	x := build(t, lexical.Config{}, bodies("alpha beta"), bodies("gamma delta"))
	one := x.Score(ask("alpha"), lexical.Weights{}).Docs[0]
	for text, want := range map[string]float32{
		"alpha":                         one,
		"alpha alpha":                   one * math.Sqrt2,
		"alpha alpha alpha alpha alpha": one * 2,
		"alpha ALPHA alphas beta":       one * (1 + float32(math.Sqrt(3))),
		"unknown alpha":                 one,
		"unknown":                       0,
		"":                              0,
	} {
		if diff := cmp.Diff([]float32{want, 0}, x.Score(ask(text), lexical.Weights{}).Docs, near); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
	q := ask("alpha")
	q.Add("alpha beta", .5)
	if diff := cmp.Diff([]float32{2 * one, 0}, x.Score(q, lexical.Weights{}).Docs, near); diff != "" {
		t.Errorf("weights (-want +got):\n%s", diff)
	}
	if q.Len() != 2 {
		t.Errorf("%d words, want 2", q.Len())
	}
}

func TestConfig(t *testing.T) {
	files := [][]lexical.Part{bodies("alpha alpha alpha beta"), bodies("alpha beta gamma delta epsilon zeta"), bodies("eta")}
	idf := math.Log(1 + 1.5/2.5)
	score := func(k1, tf float64) float32 { return float32(idf * (k1 + 1) * tf / (k1 + tf)) }
	mean := 11. / 3
	norm := func(b, n float64) float64 { return 1 / (1 - b + b*n/mean) }
	for _, tt := range []struct {
		cfg  lexical.Config
		want []float32
	}{
		{lexical.Config{}, []float32{score(1.2, 3*norm(.75, 4)), score(1.2, norm(.75, 6)), 0}},
		{lexical.Config{K1: 2, B: .3}, []float32{score(2, 3*norm(.3, 4)), score(2, norm(.3, 6)), 0}},
		{lexical.Config{B: -1}, []float32{score(1.2, 3), score(1.2, 1), 0}},
		{lexical.Config{B: 9}, []float32{score(1.2, 3*norm(1, 4)), score(1.2, norm(1, 6)), 0}},
		{lexical.Config{B: 1}, []float32{score(1.2, 3*norm(1, 4)), score(1.2, norm(1, 6)), 0}},
		{lexical.Config{B: math.Inf(1)}, []float32{score(1.2, 3*norm(1, 4)), score(1.2, norm(1, 6)), 0}},
		{lexical.Config{B: math.Inf(-1)}, []float32{score(1.2, 3), score(1.2, 1), 0}},
		{lexical.Config{K1: -1}, []float32{float32(idf), float32(idf), 0}},
		{lexical.Config{K1: math.Inf(-1)}, []float32{float32(idf), float32(idf), 0}},
		{lexical.Config{K1: 1e9}, []float32{score(1000, 3*norm(.75, 4)), score(1000, norm(.75, 6)), 0}},
		{lexical.Config{K1: math.Inf(1)}, []float32{score(1000, 3*norm(.75, 4)), score(1000, norm(.75, 6)), 0}},
		{lexical.Config{K1: math.NaN(), B: math.NaN()}, []float32{score(1.2, 3*norm(.75, 4)), score(1.2, norm(.75, 6)), 0}},
	} {
		if diff := cmp.Diff(tt.want, build(t, tt.cfg, files...).Score(ask("alpha"), lexical.Weights{}).Docs, near); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", tt.cfg, diff)
		}
	}
	heavy := build(t, lexical.Config{K1: 1000, B: -1}, files...).Score(ask("alpha"), lexical.Weights{Body: 1e9})
	if diff := cmp.Diff([]float32{score(1000, 3e6), score(1000, 1e6), 0}, heavy.Docs, cmpopts.EquateApprox(1e-6, 0)); diff != "" {
		t.Errorf("a weight of more than a million (-want +got):\n%s", diff)
	}
	// A word only in a field without weight, where nothing counts but that it is there.
	got := build(t, lexical.Config{K1: -1}, files...).Score(ask("alpha"), lexical.Weights{Symbol: 1})
	if diff := cmp.Diff([]float32{0, 0, 0}, got.Docs); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestCover(t *testing.T) {
	x := build(t, lexical.Config{}, bodies("alpha", "alpha beta"), bodies("beta beta"), bodies("gamma"))
	a, b := math.Log(1+2.5/1.5), math.Log(1+1.5/2.5) // of documents
	want := lexical.Scores{
		Docs:  []float32{1, float32(b / (a + b)), 0},
		Parts: []float32{.5, 1, .5, 0}, // both words are in two
	}
	if diff := cmp.Diff(want, x.Cover(ask("alpha alpha beta unknown")), near); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]float32{0, 0, 0}, x.Cover(ask("unknown")).Docs); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestDF(t *testing.T) {
	x := build(t, lexical.Config{}, bodies("alphaBeta", "alpha"), bodies("beta 'one two three'"), nil)
	for word, want := range map[string]int{"alpha": 1, "Betas": 2, "alpha_beta": 1, "betaAlpha": 0, "": 0, "one": 1} {
		if got := x.DF(word); got != want {
			t.Errorf("%q stands in %d documents, want %d", word, got, want)
		}
	}
	if x.Docs() != 3 || x.Parts() != 3 || x.Doc(1) != 0 || x.Doc(2) != 1 {
		t.Errorf("%d documents, %d parts; part 1 is of %d, part 2 of %d", x.Docs(), x.Parts(), x.Doc(1), x.Doc(2))
	}
}

func TestCountsBeyondTheirBits(t *testing.T) {
	many := func(n int) string {
		var s []byte
		for range n {
			s = append(s, "alpha "...)
		}
		return string(s)
	}
	x := build(t, lexical.Config{B: -1},
		[]lexical.Part{{Symbol: many(255)}}, []lexical.Part{{Symbol: many(256)}},
		[]lexical.Part{{Body: many(8191)}}, []lexical.Part{{Body: many(8000)}, {Body: many(8000)}},
		[]lexical.Part{{Comment: many(2047)}}, []lexical.Part{{Comment: many(70_000)}})
	got := x.Score(ask("alpha"), lexical.Weights{}).Docs
	idf := math.Log(1 + .5/6.5)
	for i, n := range []float64{255, 255, 8191, 8191, 2047, 2047} {
		if want := idf * 2.2 * n / (1.2 + n); math.Abs(float64(got[i])-want) > 1e-6 {
			t.Errorf("document %d: %v, want %v", i, got[i], want)
		}
	}
}
