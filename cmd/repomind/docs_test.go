package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/tools/txtar"

	"github.com/repomind/repomind/internal/repo/repotest"
)

var console = regexp.MustCompile("(?ms)^( *)```console\n(.*?)^ *```$")

// The commands in the guides are run, and print what the guides say. The repository
// demo is that of the tools' own tests.
func TestGuides(t *testing.T) {
	demo := demo(t)
	for _, guide := range []string{"tools.md"} {
		text, err := os.ReadFile("../../docs/" + guide)
		if err != nil {
			t.Fatal(err)
		}
		script := "env REPOMIND_CACHE_DIR=$WORK/cache\nsymlink demo -> " + demo.Dir + "\n"
		var files []txtar.File
		for i, block := range console.FindAllSubmatch(text, -1) {
			command, want, _ := strings.Cut(strings.ReplaceAll("\n"+string(block[2]), "\n"+string(block[1]), "\n")[1:], "\n")
			name := fmt.Sprintf("want%d", i)
			files = append(files, txtar.File{Name: name, Data: []byte(want)})
			command = strings.TrimPrefix(command, "$ ")
			if strings.HasPrefix(want, "repomind: ") {
				script += "! exec " + command + "\ncmp stderr " + name + "\n"
			} else {
				script += "exec " + command + "\ncmp stdout " + name + "\n"
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
		testscript.Run(t, testscript.Params{Dir: dir})
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
