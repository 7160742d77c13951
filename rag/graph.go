package rag

import (
	"math"
	"strings"

	"github.com/repomind/repomind/internal/pagerank"
	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/rag/rank"
)

// pageRank is the personalised PageRank of files over their imports in both
// directions, from where the seeds are: a file that many likely files lead to is likely
// too.
func pageRank(imports [][]int32, seeds []float64) []float32 {
	var sum float64
	for _, s := range seeds {
		sum += s
	}
	if sum == 0 {
		return make([]float32, len(imports))
	}
	start := make([]float64, len(seeds))
	for i, s := range seeds {
		start[i] = s / sum
	}
	g := pagerank.Graph{Nodes: len(imports)}
	for from, all := range imports {
		for _, to := range all {
			g.Edges = append(g.Edges, pagerank.Edge{From: int32(from), To: to, Weight: 1}, pagerank.Edge{From: to, To: int32(from), Weight: 1})
		}
	}
	return toFloat32(g.Rank(start))
}

func toFloat32(v []float64) []float32 {
	out := make([]float32, len(v))
	for i, x := range v {
		out[i] = float32(x)
	}
	normalise(out)
	return out
}

// strongest keeps the n largest scores and drops the others.
func strongest(scores []float64, n int) []float64 {
	out := make([]float64, len(scores))
	for _, i := range rank.Order(scores)[:min(n, len(scores))] {
		out[i] = max(0, scores[i])
	}
	return out
}

// fromTests hands the scores of tests on to the code that they import or are
// named after: a test resembles the report of a fault more than the code does.
func (x *Index) fromTests(scores []float64) []float32 {
	out := make([]float32, len(scores))
	for i, f := range x.tree.Files {
		if f.Role != source.Test || scores[i] <= 0 {
			continue
		}
		for _, to := range x.tree.Imports[i] {
			if x.tree.Files[to].Role == source.Code {
				out[to] += float32(scores[i] / math.Sqrt(float64(len(x.tree.Imports[i]))))
			}
		}
		for _, to := range x.names.stem[testee(stemOf(f.Path))] {
			if x.tree.Files[to].Role == source.Code {
				out[to] += float32(scores[i])
			}
		}
	}
	normalise(out)
	return out
}

// testee is the stem of what a test is named after.
func testee(stem string) string {
	for _, fix := range []string{"test_", "tests_", "check-", "check_"} {
		if s, ok := strings.CutPrefix(stem, fix); ok {
			return s
		}
	}
	for _, fix := range []string{"_test", "_tests", "-test", "test", "tests", "_spec"} {
		if s, ok := strings.CutSuffix(stem, fix); ok && s != "" {
			return s
		}
	}
	return stem
}
