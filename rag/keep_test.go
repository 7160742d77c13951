package rag_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/repo/repotest"
	"github.com/repomind/repomind/rag"
)

var question = rag.Query{Title: "Reader.check says the header is too short", Body: "See /srv/ship/pkg/flow.py:5\n" + crash}

// files are the names and contents of a directory.
func files(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	entries, err := os.ReadDir(dir)
	must(t, err)
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		must(t, err)
		out[e.Name()] = data
	}
	return out
}

// check compares an opening with what is expected of it.
func check(t *testing.T, o opening, built int64, read int, want rag.Result) {
	t.Helper()
	if o.built != built || o.read != read {
		t.Errorf("the code was asked for %d times, want %d; %d contents were read, want %d", o.built, built, o.read, read)
	}
	if diff := cmp.Diff(want, search(t, o.index, question)); diff != "" {
		t.Errorf("another result (-want +got):\n%s", diff)
	}
}

// TestSecondOpenReadsNothing: what is kept is enough, and gives the same results as
// the index that was made, and as one that is kept nowhere.
func TestSecondOpenReadsNothing(t *testing.T) {
	r := repotest.New(t, reader)
	s := snapshot(t, clone(t, r), r.Commits[0])
	dir := filepath.Join(t.TempDir(), "not", "yet [there]")
	first := open(t, s, dir)
	want := search(t, first.index, question)
	check(t, first, 1, 8, want)
	before := files(t, dir)
	second := open(t, s, dir)
	check(t, second, 0, 0, want)
	if diff := cmp.Diff(before, files(t, dir)); diff != "" {
		t.Error("the second opening wrote to the directory")
	}
	if diff := cmp.Diff(first.index.Stats(), second.index.Stats()); diff != "" {
		t.Errorf("(-first +second):\n%s", diff)
	}
	nowhere := open(t, s, "")
	check(t, nowhere, 1, 8, want)
	for _, o := range []opening{first, second, nowhere} {
		if len(o.events) > 0 {
			t.Errorf("events %q", o.events)
		}
	}
}

// TestNextCommitReadsWhatChanged: contents are kept by their hash, under whatever path
// they stand.
func TestNextCommitReadsWhatChanged(t *testing.T) {
	r := repotest.New(t, reader,
		"Change two\n-- pkg/net.py --\ndef check(x):\n    return not x\n-- pkg/new.py --\ndef new():\n    return 1\n",
		"Move one, remove one\n-- pkg/limits.py --\n(deleted)\n-- pkg/bounds.py --\nLOWEST = 1\nHIGHEST = 9\n-- docs/guide.md --\n(deleted)\n",
		"Copy to another language\n-- pkg/net.txt --\ndef check(x):\n    return not x\n",
	)
	c, dir := clone(t, r), t.TempDir()
	for i, read := range []int{8, 2, 0, 1} {
		s := snapshot(t, c, r.Commits[i])
		o := open(t, s, dir)
		check(t, o, 1, read, search(t, open(t, s, "").index, question))
	}
	for i := range r.Commits {
		s := snapshot(t, c, r.Commits[i])
		o := open(t, s, dir)
		check(t, o, 0, 0, search(t, open(t, s, "").index, question))
	}
}

// TestOldTreesAreForgotten: four commits stay, and what is nobody's index stays.
func TestOldTreesAreForgotten(t *testing.T) {
	r := repotest.New(t, reader, "2", "3", "4", "5", "6")
	c, dir := clone(t, r), filepath.Join(t.TempDir(), "a[b")
	must(t, os.MkdirAll(dir, 0o700))
	must(t, os.WriteFile(filepath.Join(dir, "notes"), nil, 0o600))
	for i, at := range r.Commits {
		open(t, snapshot(t, c, at), dir)
		// The clock of a file system may be coarse.
		then := time.Now().Add(time.Duration(i-len(r.Commits)) * time.Minute)
		must(t, os.Chtimes(filepath.Join(dir, "tree-"+at), then, then))
	}
	want := []string{"content.idx", "notes", "words.idx"}
	for _, at := range r.Commits[2:] {
		want = append(want, "tree-"+at)
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(files(t, dir)))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	check(t, open(t, snapshot(t, c, r.Commits[0]), dir), 1, 0, search(t, open(t, snapshot(t, c, r.Commits[0]), "").index, question))
}

// damages are what a disk, a crash or another program does to a file.
func damages(data []byte) map[string][]byte {
	out := map[string][]byte{"empty": {}, "foreign": []byte("SQLite format 3\x00"), "half": data[:len(data)/2], "longer": append(slices.Clone(data), 'x')}
	seed := rand.New(rand.NewPCG(1, uint64(len(data))))
	for range 6 {
		n := 1 + seed.IntN(len(data)-1)
		out[fmt.Sprintf("cut at %d", n)] = data[:n]
		flipped := slices.Clone(data)
		flipped[n] ^= byte(1 << seed.IntN(8))
		out[fmt.Sprintf("bit flipped at %d", n)] = flipped
	}
	return out
}

// TestDamage: a damaged file is found, said, and made anew; the results are the same,
// and the next opening reads nothing again.
func TestDamage(t *testing.T) {
	r := repotest.New(t, reader)
	s := snapshot(t, clone(t, r), r.Commits[0])
	dir := t.TempDir()
	want := search(t, open(t, s, dir).index, question)
	whole := files(t, dir)
	for name, data := range whole {
		read := 8
		if strings.HasPrefix(name, "tree-") {
			read = 0
		}
		for how, damaged := range damages(data) {
			if isVersion(data, damaged) {
				continue
			}
			t.Run(name[:4]+" "+how, func(t *testing.T) {
				must(t, os.WriteFile(filepath.Join(dir, name), damaged, 0o600))
				if name == "words.idx" { // which is read for a new tree only
					must(t, os.Remove(filepath.Join(dir, "tree-"+r.Commits[0])))
				}
				o := open(t, s, dir)
				check(t, o, 1, read, want)
				if len(o.events) != 1 || !strings.HasPrefix(o.events[0], "index: ") || !strings.Contains(o.events[0], "damaged") {
					t.Errorf("events %q", o.events)
				}
				check(t, open(t, s, dir), 0, 0, want)
				if diff := cmp.Diff(whole, files(t, dir)); diff != "" {
					t.Error("the files are not as they were")
				}
			})
		}
	}
}

// isVersion tells whether what is damaged is the number of the version alone: such a
// file is another program's, and absent without a word.
func isVersion(a, b []byte) bool {
	return len(a) == len(b) && cmp.Equal(a[:8], b[:8]) && !cmp.Equal(a[8:12], b[8:12])
}

// TestLostContents: a tree whose contents another process has replaced is made anew
// without a word; that is nobody's fault.
func TestLostContents(t *testing.T) {
	r := repotest.New(t, reader)
	s := snapshot(t, clone(t, r), r.Commits[0])
	dir := t.TempDir()
	want := search(t, open(t, s, dir).index, question)
	must(t, os.Remove(filepath.Join(dir, "content.idx")))
	o := open(t, s, dir)
	check(t, o, 1, 8, want)
	if len(o.events) > 0 {
		t.Errorf("events %q", o.events)
	}
}

// TestUnwritable: an index that cannot be kept is right, and the caller is told.
func TestUnwritable(t *testing.T) {
	r := repotest.New(t, reader)
	s := snapshot(t, clone(t, r), r.Commits[0])
	file := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(file, nil, 0o600))
	o := open(t, s, filepath.Join(file, "dir"))
	check(t, o, 1, 8, search(t, open(t, s, "").index, question))
	if len(o.events) == 0 {
		t.Error("nobody was told")
	}
}

// TestOpenAtOnce: several that open one directory at the same time, at one commit or
// at two, all have the whole index, and leave one that is right.
func TestOpenAtOnce(t *testing.T) {
	r := repotest.New(t, reader, "Change one\n-- pkg/net.py --\ndef check(x):\n    return not x\n")
	c, dir := clone(t, r), t.TempDir()
	var want [2]rag.Result
	for i := range want {
		want[i] = search(t, open(t, snapshot(t, c, r.Commits[i]), "").index, question)
	}
	var all sync.WaitGroup
	for n := range 8 {
		all.Go(func() {
			s := snapshot(t, c, r.Commits[n%2])
			o := open(t, s, dir)
			if diff := cmp.Diff(want[n%2], search(t, o.index, question)); diff != "" {
				t.Errorf("opening %d (-want +got):\n%s", n, diff)
			}
			if len(o.events) > 0 {
				t.Errorf("opening %d: events %q", n, o.events)
			}
		})
	}
	all.Wait()
	for i := range want {
		s := snapshot(t, c, r.Commits[i])
		open(t, s, dir)
		check(t, open(t, s, dir), 0, 0, want[i])
	}
}
