package lexical_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/repomind/repomind/rag/lexical"
)

// naive scores texts with three fields as the book has it, from words and maps.
func naive(texts []lexical.Part, query map[lexical.Term]float64, k1, b float64, w [3]float64) []float32 {
	tf := make([][3]map[lexical.Term]float64, len(texts))
	length := make([][3]float64, len(texts))
	var mean [3]float64
	df := map[lexical.Term]float64{}
	for i, p := range texts {
		seen := map[lexical.Term]bool{}
		for f, text := range []string{p.Symbol, p.Body, p.Comment} {
			tf[i][f] = map[lexical.Term]float64{}
			for _, t := range terms(text) {
				tf[i][f][t]++
				length[i][f]++
				mean[f] += 1 / float64(len(texts))
				if !seen[t] {
					seen[t] = true
					df[t]++
				}
			}
		}
	}
	out := make([]float32, len(texts))
	for i := range texts {
		sum := 0.
		for t, weight := range query {
			n := 0.
			for f := range w {
				if c := tf[i][f][t]; c > 0 {
					n += w[f] * c / (1 - b + b*length[i][f]/mean[f])
				}
			}
			idf := math.Log(1 + (float64(len(texts))-df[t]+.5)/(df[t]+.5))
			sum += weight * idf * (k1 + 1) * n / (k1 + n)
		}
		out[i] = float32(sum)
	}
	return out
}

func TestScoreLikeTheNaiveOne(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	vocabulary := strings.Fields("alpha beta getValue get_value values HTTPServer server 服务器 größe x1 _run running 'one two three four'")
	text := func(n int) string {
		var s strings.Builder
		for range r.IntN(n + 1) {
			fmt.Fprintf(&s, "%s ", vocabulary[min(r.IntN(len(vocabulary)), r.IntN(len(vocabulary)))])
		}
		return s.String()
	}
	for round := range 200 {
		files := make([][]lexical.Part, 1+r.IntN(12))
		var docs, parts []lexical.Part
		for i := range files {
			var whole lexical.Part
			for range r.IntN(5) {
				p := lexical.Part{Symbol: text(2), Body: text(40), Comment: text(5)}
				files[i] = append(files[i], p)
				parts = append(parts, p)
				whole.Symbol += p.Symbol
				whole.Body += p.Body
				whole.Comment += p.Comment
			}
			docs = append(docs, whole)
		}
		cfg := lexical.Config{K1: .5 + 2*r.Float64(), B: .1 + .8*r.Float64()}
		w := lexical.Weights{Symbol: 5 * r.Float64(), Body: r.Float64(), Comment: r.Float64()}
		var q lexical.Query
		query := map[lexical.Term]float64{}
		for range 3 {
			words, weight := text(6), r.Float64()
			q.Add(words, weight)
			count := map[lexical.Term]float64{}
			for _, t := range terms(words) {
				count[t]++
			}
			for t, n := range count {
				query[t] += weight * math.Sqrt(min(n, 4))
			}
		}
		list := [3]float64{w.Symbol, w.Body, w.Comment}
		want := lexical.Scores{Docs: naive(docs, query, cfg.K1, cfg.B, list), Parts: naive(parts, query, cfg.K1, cfg.B, list)}
		got := build(t, cfg, files...).Score(q, w)
		if diff := cmp.Diff(want, got, cmpopts.EquateApprox(2e-6, 0), cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("round %d (-want +got):\n%s", round, diff)
		}
	}
}
