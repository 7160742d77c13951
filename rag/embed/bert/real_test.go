package bert_test

import (
	"bufio"
	"encoding/json"
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/rag/embed/bert"
)

var (
	weightsDir = flag.String("weights", os.Getenv("REPOMIND_TEST_MINILM"), "directory of the real all-MiniLM-L6-v2 for TestReal and the benchmarks")
	reference  = flag.String("reference", "testdata/minilm.jsonl", "what sentence-transformers said, for TestReal; see testdata/reference.py")
)

// answer is one line of a reference: what another engine made of a text.
type answer struct {
	Text   string    `json:"text"`
	IDs    []int32   `json:"ids"`
	Vector []float32 `json:"vector"`
}

func answers(t *testing.T, path string) []answer {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []answer
	lines := bufio.NewScanner(f)
	for lines.Buffer(nil, 1<<20); lines.Scan(); {
		var a answer
		if err := json.Unmarshal(lines.Bytes(), &a); err != nil {
			t.Fatal(err)
		}
		all = append(all, a)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// realModel loads the real weights, or skips.
func realModel(tb testing.TB) *bert.Model {
	tb.Helper()
	if *weightsDir == "" {
		tb.Skip("needs the real weights: set REPOMIND_TEST_MINILM to their directory")
	}
	m, err := bert.Load(*weightsDir)
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

// TestReal holds tokens and vectors against sentence-transformers:
//
//	go test ./rag/embed/bert -run Real -v -weights DIR [-reference FILE]
//
// testdata/minilm.jsonl has 20 texts; testdata/reference.py makes a longer file.
func TestReal(t *testing.T) {
	m := realModel(t)
	all := answers(t, *reference)
	least, s := 1.0, m.Session()
	for _, want := range all {
		seq := m.Text(want.Text)
		if d := cmp.Diff(want.IDs, seq.IDs); d != "" {
			t.Errorf("tokens of %.60q:\n%s", want.Text, d)
			continue
		}
		got, err := s.Embed(t.Context(), []bert.Sequence{seq})
		if err != nil {
			t.Fatal(err)
		}
		c := dot(got[0], want.Vector)
		least = min(least, c)
		if c < 0.9999 {
			t.Errorf("cosine of %.60q is %.6f", want.Text, c)
		}
	}
	t.Logf("%d texts, least cosine %.8f", len(all), least)
}

func dot(a, b []float32) float64 {
	var sum float64
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}
