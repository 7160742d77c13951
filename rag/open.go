package rag

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"

	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/internal/records"
	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/rag/lexical"
)

// Config says how an index is made.
type Config struct {
	// Dir is where it is kept between processes. "" keeps nothing.
	Dir string
	// Code gives the symbols of the snapshot. It is called only if something is not
	// known yet.
	Code func(context.Context) (*code.Index, error)
	// Repo names the repository, to tell its own packages from others. It may be zero.
	Repo source.Repo
	// Notify is told what could not be kept or read, and is right all the same. Nil
	// means nobody is told.
	Notify func(event string)
	// Progress is told how many of all files are read. Nil means nobody is told.
	Progress func(done, all int)
}

const (
	// maxFile is the size of a file that is looked into; of a larger one the name counts.
	maxFile     = 1 << 20
	contentName = "content.idx"
	wordsName   = "words.idx"
)

// Open gives the index of a snapshot: the one that is kept, or a new one, for which
// only contents that are not known are read. A damaged file costs its making anew.
func Open(ctx context.Context, s *repo.Snapshot, cfg Config) (*Index, error) {
	m := maker{snapshot: s, cfg: cfg, used: map[string]bool{}}
	x, err := m.open(ctx)
	if err != nil {
		return nil, fmt.Errorf("index commit %s: %w", s.Commit().Short(), err)
	}
	x.snapshot = s
	return x, nil
}

type maker struct {
	snapshot *repo.Snapshot
	cfg      Config
	kept     records.Records // of contents
	texts    records.Records // the words of contents, read where a tree is made
	used     map[string]bool
	fresh    int
}

func (m *maker) open(ctx context.Context) (*Index, error) {
	var loading sync.WaitGroup
	loading.Go(func() { m.kept = m.load(contentName) })
	t, err := loadTree(m.cfg.Dir, m.snapshot.Commit())
	loading.Wait()
	m.trouble(err)
	if t != nil {
		x, err := newIndex(t, m.kept, m.cfg.Repo)
		if err == nil {
			return x, nil
		}
		if !errors.Is(err, errStale) {
			m.trouble(fmt.Errorf("%w and is made anew", err))
			clear(m.kept)
		}
	}
	if t, err = m.make(ctx); err != nil {
		return nil, err
	}
	if m.cfg.Dir != "" {
		m.trouble(t.save(m.cfg.Dir))
	}
	return newIndex(t, m.kept, m.cfg.Repo)
}

// load gives the records of a file, none where they are not kept.
func (m *maker) load(name string) records.Records {
	if m.cfg.Dir == "" {
		return records.Records{}
	}
	r, err := records.Load(filepath.Join(m.cfg.Dir, name), contentVersion)
	m.trouble(err)
	return r
}

func (m *maker) save(name string, r records.Records) {
	if m.cfg.Dir != "" && m.fresh > 0 {
		m.trouble(r.Save(filepath.Join(m.cfg.Dir, name), contentVersion, m.used))
	}
}

func (m *maker) trouble(err error) {
	if err != nil && m.cfg.Notify != nil {
		m.cfg.Notify("index: " + err.Error())
	}
}

// make reads what is not known.
func (m *maker) make(ctx context.Context) (*tree, error) {
	var log together
	var changes []repo.Change
	log.do(func() (err error) { changes, err = readChanges(ctx, m.snapshot); return err })
	defer log.wait() // nothing goes on behind an error
	idx, err := m.cfg.Code(ctx)
	if err != nil {
		return nil, err
	}
	m.texts = m.load(wordsName)
	t := &tree{Commit: m.snapshot.Commit()}
	if err := m.files(ctx, idx, t); err != nil {
		return nil, err
	}
	ids := make(map[string]int32, len(t.Files))
	for i, f := range t.Files {
		ids[f.Path] = int32(i)
	}
	var work together
	work.do(func() error {
		if err := log.wait(); err != nil {
			return err
		}
		t.History = newHistory(changes, ids)
		commits, logs := t.History.words(len(t.Files))
		return cmp.Or(t.addWords(ofCommit, commits, lexical.Config{}), t.addWords(ofLog, logs, lexical.Config{}))
	})
	work.do(func() error { return m.words(t) })
	t.Imports = imports(idx, ids)
	return t, work.wait()
}

// words makes the indexes of the contents and paths of a tree.
func (m *maker) words(t *tree) error {
	blobs, paths := make([]lexical.Blob, len(t.Files)), make([]lexical.Blob, len(t.Files))
	for i, f := range t.Files {
		blobs[i] = lexical.Blob(m.texts[f.Key])
		paths[i] = lexical.Analyze([]lexical.Part{{Body: f.Path}})
	}
	// A long path is no worse.
	return cmp.Or(t.addWords(ofContent, blobs, lexical.Config{}), t.addWords(ofPath, paths, lexical.Config{B: 0.3}))
}

// files reads contents and lists the files that have one.
func (m *maker) files(ctx context.Context, idx *code.Index, t *tree) error {
	var missing []source.File
	known := map[string]bool{}
	unseen := map[string]bool{}
	for _, f := range m.snapshot.Unseen() {
		unseen[f.Path] = true
	}
	var all []entry
	for _, f := range m.snapshot.Files() {
		if !f.Mode.Text() || f.Blob == "" || f.Size == 0 {
			continue
		}
		e := entry{Path: f.Path, Key: keyOf(f), Size: max(0, f.Size)}
		switch {
		case unseen[f.Path]:
			t.skip(f.Path, "not in the clone, most often as it is too large")
			e.Key = m.nameOnly(unseenKey)
		case f.Size > maxFile:
			t.skip(f.Path, fmt.Sprintf("%d bytes, more than %d", f.Size, maxFile))
			m.nameOnly(e.Key)
		}
		all = append(all, e)
		if !known[e.Key] && !m.knows(e.Key) {
			known[e.Key] = true
			missing = append(missing, f)
		}
	}
	if err := m.read(ctx, idx, missing); err != nil {
		return err
	}
	for _, e := range all {
		m.used[e.Key] = true
		if m.kept[e.Key] != noText {
			t.Files = append(t.Files, e)
		}
	}
	setRoles(t.Files)
	m.save(contentName, m.kept)
	m.save(wordsName, m.texts)
	return nil
}

// noText is the record of a blob without text.
const noText = ""

// unseenKey is the key of all contents that the clone does not have.
const unseenKey = "unseen"

// nameOnly puts in a content that is not looked into, and gives its key.
func (m *maker) nameOnly(key string) string {
	if !m.knows(key) {
		m.fresh++
		m.kept[key], m.texts[key] = content{}.encode(), string(lexical.Analyze(nil))
	}
	return key
}

// knows says whether all of a content is kept, and sound.
func (m *maker) knows(key string) bool {
	record, ok := m.kept[key]
	if !ok || record == noText {
		return ok
	}
	c, err := decodeContent(record)
	if err != nil {
		return false
	}
	n, err := lexical.Blob(m.texts[key]).Parts()
	return err == nil && n == len(c.pieces)
}

func (m *maker) read(ctx context.Context, idx *code.Index, missing []source.File) error {
	m.fresh += len(missing)
	w := newWorkers(func(f source.File, data []byte) (string, made) {
		layout, _ := idx.Layout(f.Path)
		c, words := newContent(f.Path, data, layout)
		return keyOf(f), made{c.encode(), string(words)}
	})
	err := m.snapshot.Blobs(ctx, missing, func(i int, data []byte) error {
		if m.cfg.Progress != nil && i%64 == 0 {
			m.cfg.Progress(i, len(missing))
		}
		if data == nil || bytes.IndexByte(data[:min(len(data), 8000)], 0) >= 0 {
			m.kept[keyOf(missing[i])] = noText
			return nil
		}
		w.add(missing[i], data)
		return nil
	})
	for k, v := range w.wait() {
		m.kept[k], m.texts[k] = v.record, v.words
	}
	return errors.Join(err, ctx.Err())
}

func imports(idx *code.Index, ids map[string]int32) [][]int32 {
	out := make([][]int32, len(ids))
	for _, e := range idx.ImportEdges() {
		from, ok := ids[e.From]
		to, too := ids[e.To]
		if ok && too && from != to {
			out[from] = append(out[from], to)
		}
	}
	return out
}

// words are those of each commit, and of each file those of the commits that changed
// it. A sweep over the tree says nothing of one file.
func (h history) words(files int) (commits, logs []lexical.Blob) {
	texts := make([][]lexical.Part, files)
	for _, c := range h {
		part := lexical.Part{Body: c.Text}
		commits = append(commits, lexical.Analyze([]lexical.Part{part}))
		if len(c.Files) > 12 {
			continue
		}
		short := lexical.Part{Body: c.Text[:min(len(c.Text), 400)]}
		for _, f := range c.Files {
			texts[f] = append(texts[f], short)
		}
	}
	for _, parts := range texts {
		logs = append(logs, lexical.Analyze(parts))
	}
	return commits, logs
}
