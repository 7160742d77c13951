package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/tools/txtar"

	"github.com/repomind/repomind/internal/repo/repotest"
)

var console = regexp.MustCompile("(?ms)^( *)```console\n(.*?)^ *```$")

// The commands in the guides are run, and print what the guides say. The repository
// demo is that of the tools' own tests, shop has libraries. The server for models says
// what a real one said.
func TestGuides(t *testing.T) {
	demo := demo(t)
	shop, err := os.ReadFile("testdata/guide/dependencies.txtar")
	if err != nil {
		t.Fatal(err)
	}
	turns, err := filepath.Abs("testdata/guide/models.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	full, err := filepath.Abs("testdata/guide/full.md")
	if err != nil {
		t.Fatal(err)
	}
	state := "env REPOMIND_STATE_DIR=$WORK/state\nenv XDG_CONFIG_HOME=$WORK/config\n"
	setup := map[string]string{
		"analysis.md":     "env REPOMIND_CACHE_DIR=$WORK/cache\n" + state + "symlink demo -> " + demo.Dir + "\nsymlink full.md -> " + full + "\n",
		"review.md":       "env REPOMIND_CACHE_DIR=$WORK/cache\n" + state + "symlink demo -> " + demo.Dir + "\n",
		"tools.md":        "env REPOMIND_CACHE_DIR=$WORK/cache\nsymlink demo -> " + demo.Dir + "\n",
		"dependencies.md": "env REPOMIND_CACHE_DIR=$WORK/cache\nsymlink shop -> " + repotest.New(t, string(shop)).Dir + "\n",
		"retrieval.md":    "env REPOMIND_CACHE_DIR=$WORK/cache\nsymlink demo -> " + demo.Dir + "\n",
		"models.md":       "serve openai " + turns + "\n",
	}
	for guide, script := range setup {
		text, err := os.ReadFile("../../docs/" + guide)
		if err != nil {
			t.Fatal(err)
		}
		var files []txtar.File
		for i, block := range console.FindAllSubmatch(text, -1) {
			command, want, _ := strings.Cut(strings.ReplaceAll("\n"+string(block[2]), "\n"+string(block[1]), "\n")[1:], "\n")
			name := fmt.Sprintf("want%d", i)
			files = append(files, txtar.File{Name: name, Data: []byte(want)})
			command = strings.ReplaceAll(strings.TrimPrefix(command, "$ "), guideURL, "$URL")
			switch {
			case strings.HasPrefix(want, "INCONCLUSIVE"): // its exit code is 5
				script += "! exec " + command + "\ncmpguide stdout " + name + "\n"
			case strings.HasPrefix(want, "repomind: "):
				script += "! exec " + command + "\ncmpguide stderr " + name + "\n"
			default:
				script += "exec " + command + "\ncmpguide stdout " + name + "\n"
			}
		}
		if len(files) == 0 {
			t.Fatalf("%s has no examples", guide)
		}
		dir := t.TempDir()
		archive := txtar.Format(&txtar.Archive{Comment: []byte(script), Files: files})
		if err := os.WriteFile(filepath.Join(dir, strings.TrimSuffix(guide, ".md")+".txtar"), archive, 0o644); err != nil {
			t.Fatal(err)
		}
		testscript.Run(t, testscript.Params{Dir: dir, Cmds: modelCommands(t)})
	}
}

// guideURL is where the guides have a server for models.
const guideURL = "http://127.0.0.1:8080/v1"

var (
	columns = regexp.MustCompile(` {2,}`)
	pieces  = regexp.MustCompile(`\d+ pieces`)
)

// compareGuide is cmp for what a guide shows: times, ports and the width of columns may
// differ, and a last line "…" stands for all that follows: cmpguide stdout want.
func compareGuide(ts *testscript.TestScript, _ bool, args []string) {
	got, want := ts.ReadFile(args[0]), ts.ReadFile(args[1])
	if strings.Contains(want, guideURL) {
		loose := func(s string) string {
			return pieces.ReplaceAllString(columns.ReplaceAllString(plain(s), "  "), "N pieces")
		}
		got, want = loose(got), loose(want)
	}
	if begin, ok := strings.CutSuffix(want, "…\n"); ok {
		got, want = got[:min(len(got), len(begin))], begin
	}
	if diff := cmp.Diff(want, got); diff != "" {
		ts.Fatalf("%s (-want +got):\n%s", args[0], diff)
	}
}

func demo(t *testing.T) *repotest.Repo {
	t.Helper()
	history, err := txtar.ParseFile("../../tools/testdata/history.txtar")
	if err != nil {
		t.Fatal(err)
	}
	return repotest.History(t, history)
}
