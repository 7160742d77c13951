package lexical_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/repomind/repomind/rag/lexical"
)

var update = flag.Bool("update", false, "rewrite the goldens")

// TestExplainGolden: each file of explain.txtar but the last two is a document, its
// paragraphs are parts. "query" has a query on each line; "want" is what Explain says.
func TestExplainGolden(t *testing.T) {
	const path = "testdata/explain.txtar"
	a, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	n := len(a.Files) - 2
	var files [][]lexical.Part
	for _, f := range a.Files[:n] {
		var parts []lexical.Part
		for paragraph := range strings.SplitSeq(strings.TrimSpace(string(f.Data)), "\n\n") {
			p := lexical.Part{Body: paragraph}
			p.Symbol, _, _ = strings.Cut(strings.TrimPrefix(paragraph, "def "), "(")
			_, p.Comment, _ = strings.Cut(paragraph, "# ")
			parts = append(parts, p)
		}
		files = append(files, parts)
	}
	x := build(t, lexical.Config{}, files...)
	w := lexical.Weights{Symbol: 2, Body: 1, Comment: .5}
	var got bytes.Buffer
	for query := range strings.Lines(string(a.Files[n].Data)) {
		fmt.Fprint(&got, query)
		var q lexical.Query
		q.Add(query, 1)
		q.AddPairs(query, .5)
		for doc := range files {
			fmt.Fprintf(&got, "  %s:", a.Files[doc].Name)
			for _, s := range x.Explain(q, w, doc) {
				fmt.Fprintf(&got, " %.3f %s,", s.Score, strings.TrimSpace(s.Word))
			}
			fmt.Fprintln(&got)
		}
	}
	if *update {
		a.Files[n+1].Data = got.Bytes()
		if err := os.WriteFile(path, txtar.Format(a), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(a.Files[n+1].Data), got.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
