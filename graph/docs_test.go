package graph_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Each Go snippet of the documents stands in an example, line for line.
func TestDocumentsQuoteTheExamples(t *testing.T) {
	var examples string
	files, err := filepath.Glob("example*_test.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		examples += flat(read(t, f))
	}
	for _, doc := range []string{"../README.md", "../docs/graph.md"} {
		blocks := strings.Split(read(t, doc), "```go\n")[1:]
		if len(blocks) == 0 {
			t.Errorf("%s has no snippet", doc)
		}
		for _, b := range blocks {
			snippet, _, _ := strings.Cut(b, "```")
			for part := range strings.SplitSeq(snippet, "\n\n") {
				if !strings.Contains(examples, flat(part)) {
					t.Errorf("%s has a snippet that is in no example:\n%s", doc, part)
				}
			}
		}
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// flat takes the indentation from each line.
func flat(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); line != "" {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}
