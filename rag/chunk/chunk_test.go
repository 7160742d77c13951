package chunk_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/rag/chunk"
)

var update = flag.Bool("update", false, "rewrite the goldens")

const golden = ".chunks"

// TestSplit compares the chunks of the files in testdata/split with the goldens beside
// them, which show each chunk with its lines. The head of an archive has the size.
func TestSplit(t *testing.T) {
	archives, err := filepath.Glob("testdata/split/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal("no archives", err)
	}
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) { split(t, name) })
	}
}

func split(t *testing.T, name string) {
	a, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var limits chunk.Limits
	if _, err := fmt.Sscanf(string(a.Comment), "size %d", &limits.Size); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	var files []txtar.File
	for _, f := range a.Files {
		if path, ok := strings.CutSuffix(f.Name, golden); ok {
			want[path] = string(f.Data)
			continue
		}
		got := show(t, f, limits)
		files = append(files, f, txtar.File{Name: f.Name + golden, Data: []byte(got)})
	}
	if *update {
		if err := os.WriteFile(name, txtar.Format(&txtar.Archive{Comment: a.Comment, Files: files}), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, f := range files {
		if path, ok := strings.CutSuffix(f.Name, golden); ok {
			if diff := cmp.Diff(want[path], string(f.Data)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", path, diff)
			}
		}
	}
}

func show(t *testing.T, f txtar.File, limits chunk.Limits) string {
	layout, _ := code.LayoutOf(f.Name, f.Data) // zero for what is no code
	chunks := chunk.Split(f.Name, f.Data, layout, limits)
	checkPartition(t, f.Data, chunks)
	var b strings.Builder
	for _, c := range chunks {
		fmt.Fprintf(&b, "%d-%d %s %q %d/%d", c.Span.Start, c.Span.End, c.Kind, c.Symbol, c.Part, c.Parts)
		if c.Signature != "" {
			fmt.Fprintf(&b, " sig %q", c.Signature)
		}
		if len(c.Holds) > 0 {
			fmt.Fprintf(&b, " holds %q", c.Holds)
		}
		fmt.Fprintln(&b)
		number := c.Span.Start
		for line := range bytes.Lines(f.Data[c.From:c.To]) {
			sign := "|"
			for _, s := range c.Comments {
				if s.Start <= number && number <= s.End {
					sign = "#"
				}
			}
			fmt.Fprintln(&b, strings.TrimRight("  "+sign+" "+string(line), " \r\n"))
			number++
		}
	}
	return b.String()
}

// checkPartition: the chunks are all lines of the file, in order, and say so in lines
// and bytes alike.
func checkPartition(t *testing.T, data []byte, chunks []chunk.Chunk) {
	t.Helper()
	line, at := 1, 0
	for i, c := range chunks {
		lines := bytes.Count(data[c.From:c.To], []byte("\n"))
		if c.To == len(data) && !bytes.HasSuffix(data, []byte("\n")) {
			lines++
		}
		if c.From != at || c.To <= c.From || c.Span.Start != line || c.Span.Lines() != lines || c.Part < 1 || c.Part > c.Parts {
			t.Fatalf("chunk %d is %v, bytes %d to %d, part %d of %d; want it from line %d, byte %d with %d lines", i, c.Span, c.From, c.To, c.Part, c.Parts, line, at, lines)
		}
		for _, s := range c.Comments {
			if s.Start < line || s.End >= line+lines || s.End < s.Start || s.Path != c.Span.Path {
				t.Fatalf("comment %v in chunk %v", s, c.Span)
			}
		}
		at, line = c.To, line+lines
	}
	if at != len(data) {
		t.Fatalf("%d of %d bytes are in chunks", at, len(data))
	}
}
