package code_test

import (
	"context"
	"crypto/sha1"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/internal/source"
)

// memory is a repository of blobs by hash. It counts what is read.
type memory struct {
	blobs map[string][]byte
	read  []string
}

func (m *memory) add(path, content string) source.File {
	if m.blobs == nil {
		m.blobs = map[string][]byte{}
	}
	hash := fmt.Sprintf("%x", sha1.Sum([]byte(content)))
	m.blobs[hash] = []byte(content)
	return source.File{Path: path, Blob: hash, Size: int64(len(content))}
}

func (m *memory) Blobs(ctx context.Context, files []source.File, each func(i int, data []byte) error) error {
	for i, f := range files {
		m.read = append(m.read, f.Path)
		data := append([]byte{}, m.blobs[f.Blob]...)
		if m.blobs[f.Blob] == nil {
			data = nil
		}
		if err := each(i, data); err != nil {
			return err
		}
		clear(data) // valid during the call only
	}
	return ctx.Err()
}

func build(t *testing.T, m *memory, cfg code.Config, files ...source.File) *code.Index {
	t.Helper()
	idx, err := code.Build(t.Context(), files, m, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return idx
}

// TestQuestions answers the lines of the file "questions" of each archive about the
// files before it, and compares with the file "answers".
func TestQuestions(t *testing.T) {
	names, err := filepath.Glob("testdata/questions/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) { questions(t, name) })
	}
}

func questions(t *testing.T, name string) {
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	m, files, data := &memory{}, []source.File(nil), map[string][]byte{}
	var asked, want string
	for _, f := range archive.Files {
		switch f.Name {
		case "questions":
			asked = string(f.Data)
		case "answers":
			want = string(f.Data)
		default:
			files = append(files, m.add(f.Name, string(f.Data)))
			data[f.Name] = f.Data
		}
	}
	idx := build(t, m, code.Config{}, files...)
	var b strings.Builder
	for q := range strings.Lines(asked) {
		fmt.Fprintf(&b, "> %s", q)
		answer(t, &b, idx, data, strings.Fields(q))
	}
	if *update {
		last := len(archive.Files) - 1
		if archive.Files[last].Name != "answers" {
			archive.Files = append(archive.Files, txtar.File{Name: "answers"})
			last++
		}
		archive.Files[last].Data = []byte(b.String())
		if err := os.WriteFile(name, txtar.Format(archive), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

func answer(t *testing.T, b *strings.Builder, idx *code.Index, data map[string][]byte, q []string) {
	switch q[0] {
	case "definitions":
		for _, s := range idx.Definitions(q[1]) {
			fmt.Fprintf(b, "%s %s %d\n", s.ID, s.Kind, s.NameLine)
		}
	case "similar":
		fmt.Fprintln(b, strings.Join(idx.Similar(q[1], 3), " "))
	case "callers":
		s, ok := idx.Symbol(q[1])
		if !ok {
			t.Errorf("no symbol %s", q[1])
		}
		for _, r := range idx.Callers(s) {
			call, sure := "mention", "maybe"
			if r.Call {
				call = "call"
			}
			if r.Confident {
				sure = "sure"
			}
			fmt.Fprintf(b, "%s:%d:%d in %s: %s, %s, %s\n", r.Path, r.Line, r.Column, r.In.Qualified, call, sure, r.How)
		}
	case "enclosing":
		line, _ := strconv.Atoi(q[2])
		s, ok := idx.Enclosing(q[1], line)
		fmt.Fprintln(b, s.ID, ok)
	case "statement":
		line, _ := strconv.Atoi(q[2])
		s, ok := code.Statement(q[1], data[q[1]], line)
		fmt.Fprintln(b, s, ok)
	case "imports":
		for _, i := range idx.Imports(q[1]) {
			fmt.Fprintf(b, "%d: %q %q %q %v\n", i.Line, i.Module, i.Name, i.As, i.Files)
		}
	case "importers":
		for _, i := range idx.Importers(q[1]) {
			fmt.Fprintf(b, "%s:%d\n", i.Path, i.Line)
		}
	case "map":
		n, _ := strconv.Atoi(q[1])
		s, err := code.Map(t.Context(), idx, code.MapConfig{Tokens: n, Mentioned: q[2:]})
		if err != nil {
			t.Error(err)
		}
		if len(s) > 4*n {
			t.Errorf("the map has %d bytes, more than %d tokens", len(s), n)
		}
		b.WriteString(s)
	default:
		t.Error(errors.New("unknown question " + q[0]))
	}
}
