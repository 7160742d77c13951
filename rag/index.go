package rag

import (
	"runtime"
	"sync"

	"github.com/repomind/repomind/internal/records"
	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/internal/stacktrace"
	"github.com/repomind/repomind/rag/lexical"
)

// Index is what retrieval knows of one commit. It does not change and may be used
// by several goroutines.
type Index struct {
	snapshot *repo.Snapshot
	tree     *tree
	contents []content
	pieces   []placed
	first    []int32 // of each file, its first piece; and the end
	names    *fileNames
	mapper   *stacktrace.Mapper
	words    *lexical.Index // a document for each file, a part for each piece
	paths    *lexical.Index
	commits  *lexical.Index // a document for each commit of the history
	logs     *lexical.Index // a document for each file
	prior    prior
	defs     map[string][]int32 // pieces by the last part of what they define
	ids      vectorIDs
}

// placed is a piece of a file.
type placed struct {
	*piece
	file int32
}

func newIndex(t *tree, kept records.Records, r source.Repo) (*Index, error) {
	x := &Index{tree: t, contents: make([]content, len(t.Files)), first: make([]int32, 0, len(t.Files)+1)}
	if err := x.decode(kept); err != nil {
		return nil, err
	}
	var work together
	paths := make([]string, len(t.Files))
	for i, f := range t.Files {
		paths[i] = f.Path
	}
	work.do(func() error {
		x.names = newFileNames(paths)
		x.mapper = stacktrace.NewMapper(stacktrace.Tree{Files: paths, Repo: r})
		x.prior = newPrior(t.History, len(t.Files))
		x.defs = x.definitions()
		return nil
	})
	for of, to := range map[string]**lexical.Index{ofContent: &x.words, ofPath: &x.paths, ofCommit: &x.commits, ofLog: &x.logs} {
		work.do(func() (err error) { *to, err = lexical.Decode(t.words[of]); return err })
	}
	if err := work.wait(); err != nil {
		return nil, err
	}
	if x.words.Docs() != len(t.Files) || x.words.Parts() != len(x.pieces) || x.paths.Docs() != len(t.Files) || x.logs.Docs() != len(t.Files) || x.commits.Docs() != len(t.History) {
		return nil, errContent
	}
	return x, nil
}

// decode reads the contents of all files, and lists their pieces.
func (x *Index) decode(kept records.Records) error {
	var work together
	n := runtime.GOMAXPROCS(0)
	for w := range n {
		work.do(func() (err error) {
			for i := w; i < len(x.contents) && err == nil; i += n {
				record, ok := kept[x.tree.Files[i].Key]
				if !ok {
					return errStale
				}
				x.contents[i], err = decodeContent(record)
			}
			return err
		})
	}
	if err := work.wait(); err != nil {
		return err
	}
	for i := range x.contents {
		x.first = append(x.first, int32(len(x.pieces)))
		for k := range x.contents[i].pieces {
			x.pieces = append(x.pieces, placed{&x.contents[i].pieces[k], int32(i)})
		}
	}
	x.first = append(x.first, int32(len(x.pieces)))
	return nil
}

func (x *Index) definitions() map[string][]int32 {
	defs := map[string][]int32{}
	for i, p := range x.pieces {
		for k, d := range p.defines {
			name := lastName(d)
			if list := defs[name]; k == 0 || len(list) == 0 || list[len(list)-1] != int32(i) {
				defs[name] = append(list, int32(i))
			}
		}
	}
	return defs
}

// together runs functions at the same time and keeps the first error.
type together struct {
	all  sync.WaitGroup
	once sync.Once
	err  error
}

func (t *together) do(f func() error) {
	t.all.Go(func() {
		if err := f(); err != nil {
			t.once.Do(func() { t.err = err })
		}
	})
}

func (t *together) wait() error {
	t.all.Wait()
	return t.err
}
