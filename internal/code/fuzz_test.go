package code_test

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/internal/source"
)

var extensions = []string{".py", ".go", ".js", ".ts", ".tsx", ".java", ".rs", ".c", ".cpp", ".cs", ".rb", ".php", ".kt", ".scala", ".swift", ".lua", ".ex", ".sh"}

// FuzzExtract: no extractor fails on any bytes, and what it finds lies in the file.
func FuzzExtract(f *testing.F) {
	archives, err := filepath.Glob("testdata/language/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range archives {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range txtar.Parse(data).Files {
			for i, ext := range extensions {
				if filepath.Ext(file.Name) == ext {
					f.Add(uint8(i), file.Data)
				}
			}
		}
	}
	f.Fuzz(func(t *testing.T, ext uint8, data []byte) {
		path := "f" + extensions[int(ext)%len(extensions)]
		if err := code.CheckFacts(path, data); err != nil {
			t.Error(err)
		}
		if s, err := code.Skeleton(path, data); err == nil && len(s) > 80<<10 {
			t.Errorf("a skeleton of %d bytes", len(s))
		}
		code.Statement(path, data, 1+int(ext))
	})
}

// FuzzSignatures: no bytes make the readers of signatures and calls fail, and what they
// find lies in the file.
func FuzzSignatures(f *testing.F) {
	archive, err := txtar.ParseFile("testdata/signature/languages.txtar")
	if err != nil {
		f.Fatal(err)
	}
	paths := []string{"f.go", "f.py", "f.ts", "f.js", "f.tsx"}
	for _, file := range archive.Files {
		for i, path := range paths {
			if filepath.Ext(file.Name) == filepath.Ext(path) {
				f.Add(uint8(i), file.Data)
			}
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, data []byte) {
		if err := code.CheckSignatures(paths[int(which)%len(paths)], data); err != nil {
			t.Error(err)
		}
	})
}

// FuzzRecord: no bytes make the reader of the cache's records fail or take more memory
// than they justify.
func FuzzRecord(f *testing.F) {
	whole := code.RecordOf("a.py", []byte("class A(B):\n    def f(self): return self.g()\n"))
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add([]byte("\xff\xff\xff\xff\x7f"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := code.CheckRecord(data); err != nil {
			t.Error(err)
		}
	})
}

// FuzzAnswers: nothing that a parser says makes the builder fail.
func FuzzAnswers(f *testing.F) {
	f.Add([]byte(code.Greeting + "\x03abc"))
	f.Add([]byte(code.Greeting + "\xff\xff\xff\xff\x7f"))
	f.Add([]byte("hello"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := code.CheckAnswers(data); err != nil {
			t.Error(err)
		}
	})
}

// FuzzNames: no name or expression that someone asks for is too strange.
func FuzzNames(f *testing.F) {
	for _, s := range []string{"a.b", "(*T).f", "p/q.F", "a::b#c", "new X(a[0]).b?.c", "Dict[str, List[A | None]]", "map[string][]*T", "func(a) (b, c)", "'<[({"} {
		f.Add(s)
	}
	m := &memory{}
	file := m.add("a.py", "class A:\n    def f(self): pass\n")
	idx, err := code.Build(f.Context(), []source.File{file}, m, code.Config{})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, s string) {
		idx.Definitions(s)
		idx.Similar(s, 3)
		idx.Symbol(s)
		code.ReadTypes(s)
	})
}
