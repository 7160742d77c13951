package main

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/repomind/repomind/"

// layers says which package stands on which layer. A package imports only what
// lies below it, and what belongs to the same entry. If uses is given, it imports
// of ours only that. Packages below an entry belong to it unless they have an
// entry of their own.
var layers = []struct {
	layer int
	name  string
	uses  []string
}{
	{0, "graph", none},
	{0, "internal/source", none},
	{0, "internal/records", none},
	{0, "internal/pagerank", none},
	{0, "internal/prompt", none},
	{0, "internal/llm", none},
	{0, "internal/vector", none},
	{0, "internal/sandbox", none},
	{1, "eval/dataset", []string{"internal/source"}},
	{1, "eval/metric", []string{"internal/source"}},
	{1, "internal/report", []string{"internal/source"}},
	{1, "internal/settings", []string{"internal/source"}},
	{1, "internal/stacktrace", []string{"internal/source"}},
	{1, "internal/diff", []string{"internal/source"}},
	{2, "internal/github", []string{"internal/source", "internal/repo", "internal/diff"}}, // a pull request made of local commits, or of a patch
	{1, "internal/repo", []string{"internal/source"}},
	{1, "internal/code", []string{"internal/source", "internal/records", "internal/pagerank"}},
	{1, "rag/lexical", []string{"internal/source"}},
	{1, "rag/embed", []string{"internal/source"}},
	{2, "rag/chunk", []string{"internal/source", "internal/code"}},
	{2, "internal/contract", []string{"internal/source", "internal/code"}},
	{2, "tools", []string{"internal/source", "internal/repo", "internal/code"}},
	{2, "memory", []string{"internal/vector", "internal/report", "rag/lexical", "rag/embed"}},
	{3, "rag", nil},
	{3, "nodes/react", []string{"graph", "internal/llm", "internal/prompt", "tools"}},
	{4, "nodes", nil},
	{5, "internal/run", nil},
	{6, "eval", nil},
	{6, "internal/control", nil},
	{7, "internal/jobs", nil},
	{7, "internal/orchestrate", nil},
	{7, "internal/server", nil},
	{7, "internal/mcp", nil},
	{7, "internal/a2a", nil},
	{8, "cmd", nil},
}

var none = []string{}

// doors says which packages may import a third-party module; the rest of the
// program does not know of it. A module without a door is free to use.
var doors = map[string][]string{
	"github.com/tmc/langchaingo":        {"internal/llm"},
	"github.com/google/go-github":       {"internal/github"},
	"github.com/amikos-tech/chroma-go":  {"internal/vector/chroma"},
	"github.com/smacker/go-tree-sitter": {"internal/code"},
	"github.com/mattn/go-sqlite3":       {"graph/sqlite", "graph/bench", "memory", "rag", "internal/run"},
	"github.com/spf13/cobra":            {"cmd"},
	"github.com/cenkalti/backoff":       {"graph", "internal/llm", "internal/github", "rag/embed"},
	"go.opentelemetry.io/otel/sdk":      none,
	"github.com/google/jsonschema-go":   {"tools", "internal/llm"},
	"google.golang.org/api":             {"internal/llm"},
	"google.golang.org/grpc":            {"internal/llm"},
	"github.com/pkoukk/tiktoken-go":     {"internal/prompt/tiktoken"},
	"github.com/goccy/go-yaml":          {"internal/settings"},
	"golang.org/x/image":                {"internal/github"},
	"golang.org/x/tools":                {"internal/repo/repotest"},
	"github.com/google/go-cmp":          {"graph/graphtest", "internal/llm/llmtest", "internal/vector/vectortest"},
	"github.com/rogpeppe/go-internal":   none,
	"go.uber.org/goleak":                none,
	"github.com/stretchr/testify":       none,
	"honnef.co/go/tools":                none,
}

// alone lists what package graph may import beside the standard library.
var alone = []string{"github.com/cenkalti/backoff/v4", "go.opentelemetry.io/otel/attribute", "go.opentelemetry.io/otel/codes", "go.opentelemetry.io/otel/trace"}

func TestPackagesImportOnlyWhatLiesBelow(t *testing.T) {
	for pkg, imports := range packages(t) {
		from := entry(pkg)
		if from < 0 {
			t.Errorf("%s has no layer; give it one in this table", pkg)
			continue
		}
		for _, path := range imports {
			if to, ours := strings.CutPrefix(path, module); ours {
				if why := forbidden(from, entry(to)); why != "" {
					t.Errorf("%s imports %s, %s", pkg, to, why)
				}
			} else if door, closed := doorOf(path); closed && !slices.ContainsFunc(door, func(d string) bool { return within(pkg, d) }) {
				t.Errorf("%s imports %s, whose door is %s", pkg, path, strings.Join(door, ", "))
			}
		}
	}
}

func TestGraphStandsAlone(t *testing.T) {
	for _, path := range packages(t)["graph"] {
		if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") && !slices.Contains(alone, path) {
			t.Errorf("graph imports %s, which is not among %s", path, strings.Join(alone, ", "))
		}
	}
}

func TestRootHoldsOnlyTheNounsOfTheSystem(t *testing.T) {
	known := strings.Fields(".env.example cmd graph nodes tools rag memory eval testdata internal docs .ci .git .github .gitignore README.md LICENSE NOTICE go.mod go.sum")
	entries, err := os.ReadDir("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !slices.Contains(known, e.Name()) {
			t.Errorf("%s stands at the root", e.Name())
		}
	}
}

func TestForbiddenSaysWhy(t *testing.T) {
	for _, tt := range []struct{ from, to, want string }{
		{"tools", "rag", "which is not below it"},
		{"rag", "tools", ""},
		{"rag", "rag/chunk", ""},
		{"graph/sqlite", "graph", ""},
		{"graph", "internal/source", "which is not below it"},
		{"internal/report", "internal/llm", "which is not among what it uses: internal/source"},
		{"cmd/repomind", "internal/run", ""},
		{"cmd/repomind", "internal/nowhere", "which has no layer"},
	} {
		if got := forbidden(entry(tt.from), entry(tt.to)); got != tt.want {
			t.Errorf("%s imports %s: %q, want %q", tt.from, tt.to, got, tt.want)
		}
	}
}

func forbidden(from, to int) string {
	switch {
	case to < 0:
		return "which has no layer"
	case from == to:
		return ""
	case layers[to].layer >= layers[from].layer:
		return "which is not below it"
	case layers[from].uses != nil && !slices.Contains(layers[from].uses, layers[to].name):
		return fmt.Sprintf("which is not among what it uses: %s", strings.Join(layers[from].uses, ", "))
	}
	return ""
}

// entry is the most special entry that pkg belongs to, or -1.
func entry(pkg string) int {
	best := -1
	for i, l := range layers {
		if within(pkg, l.name) && (best < 0 || len(l.name) > len(layers[best].name)) {
			best = i
		}
	}
	return best
}

func within(pkg, name string) bool { return pkg == name || strings.HasPrefix(pkg, name+"/") }

func doorOf(path string) ([]string, bool) {
	for m, door := range doors {
		if within(path, m) {
			return door, true
		}
	}
	return nil, false
}

// packages gives what each of our packages imports outside of its tests.
func packages(t *testing.T) map[string][]string {
	t.Helper()
	cmd := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	all := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		f := strings.Fields(line)
		all[strings.TrimPrefix(f[0], module)] = f[1:]
	}
	return all
}
