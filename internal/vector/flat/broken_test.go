package flat_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/repomind/repomind/internal/vector"
	"github.com/repomind/repomind/internal/vector/flat"
	"github.com/repomind/repomind/internal/vector/vectortest"
)

// filled gives a store with 300 items that were written in three frames, and the
// paths of its files.
func filled(t testing.TB) (dir, log, vec string) {
	t.Helper()
	dir = t.TempDir()
	c := open(t, dir, 8)
	items := vectortest.Clustered(300, 8)
	for i := range 3 {
		must(t, c.Upsert(t.Context(), items[i*100:][:100]))
	}
	must(t, c.Close())
	return dir, one(t, dir, "*/log"), one(t, dir, "*/vec-*")
}

func one(t testing.TB, dir, pattern string) string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil || len(paths) != 1 {
		t.Fatalf("%s: %v, %v", pattern, paths, err)
	}
	return paths[0]
}

func size(t testing.TB, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	must(t, err)
	return info.Size()
}

func flip(t testing.TB, path string, at int64) {
	t.Helper()
	b, err := os.ReadFile(path)
	must(t, err)
	b[at] ^= 0x10
	must(t, os.WriteFile(path, b, 0o600))
}

// use opens a store and asks it for everything.
func use(t testing.TB, dir string) error {
	t.Helper()
	c, err := flat.Open(flat.Config{Dir: dir}).Open(t.Context(), key, 8)
	if err != nil {
		return err
	}
	defer c.Close()
	_, err = c.Query(t.Context(), vector.Query{Vector: make8(1), K: 1000})
	return err
}

func make8(x float32) []float32 { return []float32{x, 0, 0, 0, 0, 0, 0, 0} }

func TestDamageIsFound(t *testing.T) {
	for name, damage := range map[string]func(t *testing.T, log, vec string){
		"header of the log":         func(t *testing.T, log, _ string) { flip(t, log, 20) },
		"key in the header":         func(t *testing.T, log, _ string) { flip(t, log, 36) },
		"no log in the log":         func(t *testing.T, log, _ string) { must(t, os.WriteFile(log, []byte("nothing"), 0o600)) },
		"empty log":                 func(t *testing.T, log, _ string) { must(t, os.Truncate(log, 0)) },
		"endless log":               func(t *testing.T, log, _ string) { must(t, os.Truncate(log, 1<<40)) },
		"first frame's header":      func(t *testing.T, log, _ string) { flip(t, log, 70) },
		"first frame":               func(t *testing.T, log, _ string) { flip(t, log, 200) },
		"second frame":              func(t *testing.T, log, _ string) { flip(t, log, size(t, log)/2) },
		"int8 row":                  func(t *testing.T, _, vec string) { flip(t, vec, 32*5) },
		"float32 row":               func(t *testing.T, _, vec string) { flip(t, vec, 256*32+128*7) },
		"padding of a row":          func(t *testing.T, _, vec string) { flip(t, vec, 256*32+128*7+100) },
		"vectors cut to a half":     func(t *testing.T, _, vec string) { must(t, os.Truncate(vec, size(t, vec)/2)) },
		"vectors cut by a byte":     func(t *testing.T, _, vec string) { must(t, os.Truncate(vec, size(t, vec)-1)) },
		"vectors empty":             func(t *testing.T, _, vec string) { must(t, os.Truncate(vec, 0)) },
		"vectors missing":           func(t *testing.T, _, vec string) { must(t, os.Remove(vec)) },
		"directory for the log":     func(t *testing.T, log, _ string) { must(t, os.Remove(log)); must(t, os.Mkdir(log, 0o700)) },
		"directory for the vectors": func(t *testing.T, _, vec string) { must(t, os.Remove(vec)); must(t, os.Mkdir(vec, 0o700)) },
	} {
		t.Run(name, func(t *testing.T) {
			dir, log, vec := filled(t)
			damage(t, log, vec)
			if err := use(t, dir); !errors.Is(err, vector.ErrBroken) {
				t.Fatalf("got error %v", err)
			}
			// Broken or not, it can be removed and made again.
			must(t, flat.Open(flat.Config{Dir: dir}).Remove(t.Context(), key))
			must(t, use(t, dir))
		})
	}
}

// A vector that nobody asks for does not break the rest.
func TestListGoesOnPastTheBroken(t *testing.T) {
	dir, log, _ := filled(t)
	s := flat.Open(flat.Config{Dir: dir})
	other, err := s.Open(t.Context(), vector.Key{Repo: "other", Model: "m"}, 3)
	must(t, err)
	must(t, other.Close())
	flip(t, log, 20)
	got, err := s.List(t.Context())
	if diff := cmp.Diff([]vector.Info{{Key: vector.Key{Repo: "other", Model: "m"}, Dim: 3}}, got); diff != "" || !errors.Is(err, vector.ErrBroken) {
		t.Errorf("error %v (-want +got):\n%s", err, diff)
	}
}

func TestFileCutWhileItIsOpen(t *testing.T) {
	dir, _, vec := filled(t)
	c := open(t, dir, 8)
	must(t, os.Truncate(vec, 0))
	if _, err := c.Query(t.Context(), vector.Query{Vector: make8(1)}); !errors.Is(err, vector.ErrBroken) {
		t.Errorf("query: %v", err)
	}
	if _, err := c.Get(t.Context(), vectortest.Clustered(300, 8)[0].ID); !errors.Is(err, vector.ErrBroken) {
		t.Errorf("get: %v", err)
	}
}

// A log that ends anywhere holds the frames that are whole, and says what it lost
// to the next who writes.
func TestCutTail(t *testing.T) {
	dir, log, vec := filled(t)
	whole, err := os.ReadFile(log)
	must(t, err)
	vectors, err := os.ReadFile(vec)
	must(t, err)
	ends := frameEnds(t, whole)
	if len(ends) != 4 || ends[3] != len(whole) {
		t.Fatalf("ends of frames: %v of %d", ends, len(whole))
	}
	for cut := ends[0]; cut <= len(whole); cut += 397 {
		must(t, errors.Join(os.WriteFile(log, whole[:cut], 0o600), os.WriteFile(vec, vectors, 0o600)))
		frames := 0
		for ends[frames] <= cut && frames < 3 && ends[frames+1] <= cut {
			frames++
		}
		checkCut(t, dir, frames*100, int64(cut-ends[frames]))
	}
	for name, tail := range map[string][]byte{
		"zeros":                           make([]byte, 5000),
		"half a frame, its header zeroed": append(make([]byte, 16), whole[ends[0]+16:ends[0]+500]...),
		"a frame of another place":        whole[ends[0]:ends[1]],
		"the beginning of a log":          whole[:ends[0]],
	} {
		t.Run(name, func(t *testing.T) {
			must(t, errors.Join(os.WriteFile(log, append(whole[:ends[3]:ends[3]], tail...), 0o600), os.WriteFile(vec, vectors, 0o600)))
			checkCut(t, dir, 300, int64(len(tail)))
		})
	}
}

func checkCut(t *testing.T, dir string, items int, lost int64) {
	t.Helper()
	var said int64
	s := flat.Open(flat.Config{Dir: dir, Lost: func(k vector.Key, n int64) { said += n }})
	c, err := s.Open(t.Context(), key, 8)
	must(t, err)
	defer c.Close()
	n, err := c.Count(t.Context())
	must(t, err)
	if n != items {
		t.Fatalf("%d items, want %d", n, items)
	}
	must(t, c.Upsert(t.Context(), []vector.Item{{ID: "new", Vector: make8(1)}}))
	must(t, c.Upsert(t.Context(), []vector.Item{{ID: "newer", Vector: make8(1)}}))
	if said != lost {
		t.Errorf("%d bytes were said to be lost, want %d", said, lost)
	}
	must(t, c.Close())
	if c, err = s.Open(t.Context(), key, 8); err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if n, err = c.Count(t.Context()); n != items+2 || err != nil {
		t.Errorf("%d items, %v; want %d", n, err, items+2)
	}
}

func frameEnds(t *testing.T, log []byte) []int {
	t.Helper()
	ends, err := flat.FrameEnds(log)
	must(t, err)
	return ends
}
