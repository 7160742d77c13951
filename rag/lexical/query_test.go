package lexical_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/rag/lexical"
)

func TestAddPairs(t *testing.T) {
	for _, tt := range []struct {
		text, name string
		want       bool
	}{
		{"type var", "TypeVar", true},
		{"a Type-Var of", "type_var", true},
		{"type  vars", "TypeVar", true},
		{"types var", "TypeVar", false}, // the first word stays as it is
		{"http server", "HTTPServer", true},
		{"the get_ value", "get_value", true},
		{"get_all values", "getAllValue", true},
		{"python 310", "python310", true},
		{"größe type var", "TypeVar", true},
		{"type, var", "TypeVar", false},
		{"type\nvar", "TypeVar", false},
		{"type/var", "TypeVar", false},
		{"type of var", "TypeVar", false},
		{"type größe var", "TypeVar", false},
		{"_type_ __var", "TypeVar", true},
		{"Große ÄNDERUNG", "große_änderung", true},
		{"GROSSE Änderung", "GrosseÄnderung", true},
		{"type Größe", "typeGröße", true},
		{"“type var”", "TypeVar", true},
		{"type—var", "TypeVar", false},
		{"é type", "étype", false},
		{"类 load file 器", "loadFile", true},
		{"load 类 file", "loadFile", false},
		{"a type", "atype", false}, // words of one letter
		{"type __ var", "var", false},
		{"type", "type", false},
	} {
		x := build(t, lexical.Config{}, bodies(tt.name))
		var q lexical.Query
		q.AddPairs(tt.text, 1)
		if got := x.Score(q, lexical.Weights{}).Docs[0] > 0; got != tt.want {
			t.Errorf("%q finds %s: %v, want %v", tt.text, tt.name, got, tt.want)
		}
	}
}

func TestAddPairsIsBounded(t *testing.T) {
	x := build(t, lexical.Config{}, bodies("TypeVar"), bodies("none"))
	pairs := func(text string, weight float64) float32 {
		var q lexical.Query
		q.AddPairs(text, weight)
		return x.Score(q, lexical.Weights{}).Docs[0]
	}
	one := pairs("type var", 1)
	for n, want := range map[int]float32{2: math.Sqrt2, 4: 2, 1000: 2} {
		if diff := cmp.Diff(want*one, pairs(strings.Repeat("type var, ", n), 1), near); diff != "" {
			t.Errorf("said %d times (-want +got):\n%s", n, diff)
		}
	}
}

func TestWeightsOfQueries(t *testing.T) {
	x := build(t, lexical.Config{}, bodies("alpha TypeVar"), bodies("none"))
	score := func(weight float64) float64 {
		var q lexical.Query
		q.Add("alpha", weight)
		q.AddPairs("type var", weight)
		return float64(x.Score(q, lexical.Weights{}).Docs[0])
	}
	one := score(1)
	for weight, want := range map[float64]float64{.5: .5, 0: 0, -1: 0, math.Inf(-1): 0, math.NaN(): 0, 1e6: 1e6, 1e7: 1e6, math.Inf(1): 1e6} {
		if got := score(weight) / one; !(math.Abs(got-want) <= 1e-6*want) {
			t.Errorf("weight %v counts %v times, want %v", weight, got, want)
		}
	}
}

func TestExplain(t *testing.T) {
	x := build(t, lexical.Config{}, bodies("typeVar server", "typeVar typeVar rare"), bodies("server server other"), bodies("none"))
	var q lexical.Query
	q.Add("HTTP Servers rare unknown server", 1)
	q.AddPairs("a Type var", 2)
	w := lexical.Weights{Symbol: 3, Body: .5, Comment: 1}
	s := x.Score(q, w)
	for _, tt := range []struct {
		shares []lexical.Share
		score  float32
		want   []string
	}{
		{x.Explain(q, w, 0), s.Docs[0], []string{"Type var", "rare", "Servers"}},
		{x.Explain(q, w, 1), s.Docs[1], []string{"Servers"}},
		{x.Explain(q, w, 2), s.Docs[2], nil},
		{x.ExplainPart(q, w, 0), s.Parts[0], []string{"Type var", "Servers"}},
		{x.ExplainPart(q, w, 1), s.Parts[1], []string{"Type var", "rare"}},
		{x.Explain(q, lexical.Weights{Symbol: 1}, 0), 0, nil}, // the words stand in bodies
		{x.Explain(lexical.Query{}, w, 0), 0, nil},
	} {
		var words []string
		sum, last := float32(0), float32(math.Inf(1))
		for _, share := range tt.shares {
			words = append(words, share.Word)
			sum += share.Score
			if share.Score > last || share.Score <= 0 {
				t.Errorf("%v after %v", share, last)
			}
			last = share.Score
		}
		if diff := cmp.Diff(tt.want, words); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(tt.score, sum, near); diff != "" {
			t.Errorf("the sum of the shares (-want +got):\n%s", diff)
		}
	}
}

// TestScoresDoNotDependOnOrder: the same tree, its files in another order and words
// read anew, has the same scores to the last bit.
func TestScoresDoNotDependOnOrder(t *testing.T) {
	files, queries := made(20, 3)
	x := build(t, lexical.Config{}, files...)
	order := rand.New(rand.NewPCG(5, 6)).Perm(len(files))
	var moved [][]lexical.Part
	for _, i := range order {
		moved = append(moved, files[i])
	}
	y := build(t, lexical.Config{}, moved...)
	phrase := []string{"a " + queries[0][:20] + " message"}
	for _, text := range queries {
		for name, score := range map[string]func(*lexical.Index) lexical.Scores{
			"score":   func(x *lexical.Index) lexical.Scores { return x.Score(ask(text), lexical.Weights{Symbol: 2, Body: 1}) },
			"cover":   func(x *lexical.Index) lexical.Scores { return x.Cover(ask(text)) },
			"phrases": func(x *lexical.Index) lexical.Scores { return x.Phrases(phrase) },
		} {
			was, is := score(x), score(y)
			for i, from := range order {
				if was.Docs[from] != is.Docs[i] {
					t.Fatalf("%s: %v, and in another order %v", name, was.Docs[from], is.Docs[i])
				}
			}
			part := 0
			for _, from := range order {
				for k := range files[from] {
					if was.Parts[30*from+k] != is.Parts[part] {
						t.Fatalf("%s of a part: %v, and in another order %v", name, was.Parts[30*from+k], is.Parts[part])
					}
					part++
				}
			}
		}
	}
}

func TestIndexServesManyAtOnce(t *testing.T) {
	files, queries := made(10, 8)
	x := build(t, lexical.Config{}, files...)
	var all sync.WaitGroup
	for _, text := range queries {
		q := ask(text)
		want := x.Score(q, lexical.Weights{})
		for range 2 {
			all.Go(func() {
				if diff := cmp.Diff(want, x.Score(q, lexical.Weights{})); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
				x.Cover(q)
				x.Phrases([]string{text})
				x.Explain(q, lexical.Weights{}, 3)
				x.DF("alpha")
			})
		}
	}
	all.Wait()
}
