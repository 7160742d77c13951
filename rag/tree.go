package rag

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/repomind/repomind/internal/records"
	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/rag/lexical"
)

// tree is what is kept of a commit, beside what is kept of its blobs.
type tree struct {
	Commit  source.Commit
	Files   []entry
	Imports [][]int32 // of each file, the files that it imports
	History history
	Skipped []string // files that are not looked into, with the reason; at most maxSkipped and a line
	Left    int      // how many they are
	mu      sync.Mutex
	words   map[string]string // the indexes of words, encoded, by their names below
}

// The indexes of words: of the content and of the path of each file, of each commit of
// the history, and of all commits that changed a file.
const (
	ofContent = "content"
	ofPath    = "path"
	ofCommit  = "commit"
	ofLog     = "log"
)

// addWords makes an index of words.
func (t *tree) addWords(of string, blobs []lexical.Blob, cfg lexical.Config) error {
	x, err := lexical.New(blobs, cfg)
	if err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.words == nil {
		t.words = map[string]string{}
	}
	t.words[of] = x.Encode()
	return nil
}

// maxSkipped is how many files are listed as skipped.
const maxSkipped = 20

// skip lists a file that is not looked into.
func (t *tree) skip(path, why string) {
	if t.Left++; t.Left <= maxSkipped {
		t.Skipped = append(t.Skipped, source.Quote(path)+": "+why+"; only its name counts")
		return
	}
	t.Skipped = append(t.Skipped[:maxSkipped], fmt.Sprintf("and %d more", t.Left-maxSkipped))
}

// entry is a file of the index.
type entry struct {
	Path string
	Key  string // of its content
	Role source.Role
	Size int64
}

const (
	treeVersion = 7
	treePrefix  = "tree-"
	// maxTrees is how many commits are kept at once; what they share is kept once.
	maxTrees = 4
)

func treeName(dir string, at source.Commit) string {
	return filepath.Join(dir, treePrefix+string(at))
}

// loadTree gives what is kept of a commit; nil where nothing is, and the error where
// that is damaged.
func loadTree(dir string, at source.Commit) (*tree, error) {
	if dir == "" {
		return nil, nil
	}
	r, err := records.Load(treeName(dir, at), treeVersion)
	data, ok := r["tree"]
	if err != nil || !ok {
		return nil, err
	}
	t := &tree{}
	delete(r, "tree")
	t.words = r
	if err := gob.NewDecoder(strings.NewReader(data)).Decode(t); err != nil || t.Commit != at {
		return nil, fmt.Errorf("the index of commit %s is %w and is made anew", at.Short(), records.ErrDamaged)
	}
	return t, nil
}

func (t *tree) save(dir string) error {
	var buf bytes.Buffer
	if err := gob.NewEncoder(&buf).Encode(t); err != nil {
		return err
	}
	name := treeName(dir, t.Commit)
	all, used := records.Records{"tree": buf.String()}, map[string]bool{"tree": true}
	for of, words := range t.words {
		all[of], used[of] = words, true
	}
	if err := all.Save(name, treeVersion, used); err != nil {
		return err
	}
	return forget(dir, name)
}

// leftOut says in one line what is not looked into.
func (t *tree) leftOut() string {
	if t.Left == 1 {
		return "not looked into: " + t.Skipped[0]
	}
	return fmt.Sprintf("%d files are not looked into; repomind index names the first %d", t.Left, min(t.Left, maxSkipped))
}

// isTree says whether a file of the folder is a tree, and not one on its way.
func isTree(name string) bool {
	at, ok := strings.CutPrefix(name, treePrefix)
	_, err := source.ParseCommit(at)
	return ok && err == nil
}

// forget removes the trees that were written longest ago.
func forget(dir, keep string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	type file struct {
		name string
		age  int64
	}
	var files []file
	for _, e := range entries {
		n := filepath.Join(dir, e.Name())
		if !isTree(e.Name()) || n == keep {
			continue
		}
		if info, err := e.Info(); err == nil {
			files = append(files, file{n, info.ModTime().UnixNano()})
		}
	}
	slices.SortFunc(files, func(a, b file) int { return int(b.age>>20 - a.age>>20) })
	for _, f := range files[min(len(files), maxTrees-1):] {
		if err := os.Remove(f.name); err != nil && !os.IsNotExist(err) {
			return err
		}
	}
	return nil
}
