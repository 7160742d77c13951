package embed_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/rag/embed"
)

func open(t *testing.T, dir string, of embed.Encoder) *embed.Cache {
	t.Helper()
	c, err := embed.OpenCache(dir, of, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// encode checks that every text has its own vector, and that the cache works.
func encode(t *testing.T, c *embed.Cache, texts ...string) {
	t.Helper()
	got, err := c.Encode(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	var want [][]float32
	for _, text := range texts {
		want = append(want, vectorOf(text))
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if err := c.Err(); err != nil {
		t.Error(err)
	}
}

// file is the one file of a cache's directory.
func file(t *testing.T, dir string) string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(names) != 1 {
		t.Fatalf("%v, %v", names, err)
	}
	return names[0]
}

const record = 4 + 4 + 32 + 3*4 + 4

func TestCacheAsksForEachTextOnce(t *testing.T) {
	of, dir := &counted{name: "m"}, filepath.Join(t.TempDir(), "new")
	c := open(t, dir, of)
	encode(t, c, "a", "bb", "a", "")
	encode(t, c, "bb", "ccc", "a")
	encode(t, open(t, dir, of), "ccc", "a", "bb", "")
	if d := cmp.Diff([]string{"a", "bb", "", "ccc"}, of.asked); d != "" {
		t.Error(d)
	}
	if c.Name() != "m" || c.Dim() != 3 || c.Len() != 4 || c.Dropped() != 0 {
		t.Errorf("%s %d %d %d", c.Name(), c.Dim(), c.Len(), c.Dropped())
	}
}

func TestCacheKeepsModelsApart(t *testing.T) {
	dir, one, two := t.TempDir(), &counted{name: "m"}, &counted{name: "n"}
	encode(t, open(t, dir, one), "a")
	encode(t, open(t, dir, two), "a")
	if len(two.asked) != 1 {
		t.Error("a vector of another model was given")
	}
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(names) != 2 {
		t.Fatalf("%v, %v", names, err)
	}
	data, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(names[1], data, 0o600); err != nil {
		t.Fatal(err)
	}
	encode(t, open(t, dir, one), "a")
	encode(t, open(t, dir, two), "a")
	if len(one.asked)+len(two.asked) != 3 {
		t.Error("a vector of another model was given, whose file has the name of this one's")
	}
}

func TestTwoCachesOfOneFile(t *testing.T) {
	dir, of := t.TempDir(), &counted{name: "m"}
	a, b := open(t, dir, of), open(t, dir, of)
	encode(t, a, "a")
	encode(t, b, "a", "b")
	encode(t, a, "b", "a")
	if d := cmp.Diff([]string{"a", "b"}, of.asked); d != "" {
		t.Error(d)
	}
}

// TestCacheOfTwoProcesses runs this test binary twice at the same time.
func TestCacheOfTwoProcesses(t *testing.T) {
	const each = 200
	if dir := os.Getenv("EMBED_CACHE_OF_TEST"); dir != "" {
		c := open(t, dir, &counted{name: "m"})
		for i := range each {
			encode(t, c, fmt.Sprintf("%s %d", os.Getenv("EMBED_WHO"), i), fmt.Sprintf("both %d", i))
		}
		return
	}
	dir := t.TempDir()
	var both []*exec.Cmd
	for _, who := range []string{"one", "two"} {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^TestCacheOfTwoProcesses$")
		cmd.Env = append(os.Environ(), "EMBED_CACHE_OF_TEST="+dir, "EMBED_WHO="+who)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		both = append(both, cmd)
	}
	for _, cmd := range both {
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	of := &counted{name: "m"}
	c := open(t, dir, of)
	for i := range each {
		encode(t, c, fmt.Sprintf("one %d", i), fmt.Sprintf("two %d", i), fmt.Sprintf("both %d", i))
	}
	if len(of.asked) != 0 || c.Len() != 3*each || c.Dropped() != 0 {
		t.Errorf("%d texts are not known, %d are, %d bytes dropped", len(of.asked), c.Len(), c.Dropped())
	}
}

func TestDamageCostsOnlyWhatItHits(t *testing.T) {
	whole := t.TempDir()
	encode(t, open(t, whole, &counted{name: "m"}), "a", "bb", "ccc")
	data, err := os.ReadFile(file(t, whole))
	if err != nil || len(data) != 3*record {
		t.Fatalf("%d bytes, %v", len(data), err)
	}
	flip := func(at int) []byte {
		d := bytes.Clone(data)
		d[at] ^= 1
		return d
	}
	for _, tt := range []struct {
		name    string
		data    []byte
		lost    []string
		dropped int64
	}{
		{"cut in the last", data[:3*record-1], []string{"ccc"}, record - 1},
		{"cut in the first", data[:10], []string{"a", "bb", "ccc"}, 10},
		{"a bit of a vector", flip(record + 45), []string{"bb"}, record},
		{"a bit of a key", flip(record + 20), []string{"bb"}, record},
		{"a bit of a mark", flip(0), []string{"a"}, record},
		{"a length", flip(record + 5), []string{"bb"}, record},
		{"a huge length", flip(record + 7), []string{"bb"}, record},
		{"cut, then written on", slices.Concat(data[:record-5], data[record:]), []string{"a"}, record - 5},
		{"junk before", slices.Concat([]byte("rmv1rmrmv1\x01\x00\x00\x00 junk"), data), nil, 19},
		{"junk behind", slices.Concat(data, []byte("xy")), nil, 2},
		{"nothing but junk", bytes.Repeat([]byte("rmv"), 1000), []string{"a", "bb", "ccc"}, 3000},
		{"empty", nil, []string{"a", "bb", "ccc"}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, filepath.Base(file(t, whole))), tt.data, 0o600); err != nil {
				t.Fatal(err)
			}
			of := &counted{name: "m"}
			c := open(t, dir, of)
			if c.Dropped() != tt.dropped {
				t.Errorf("%d bytes dropped, want %d", c.Dropped(), tt.dropped)
			}
			encode(t, c, "a", "bb", "ccc")
			if d := cmp.Diff(tt.lost, of.asked); d != "" {
				t.Errorf("asked again:\n%s", d)
			}
			encode(t, open(t, dir, of), "a", "bb", "ccc")
			if d := cmp.Diff(tt.lost, of.asked); d != "" {
				t.Errorf("not mended:\n%s", d)
			}
		})
	}
}

func TestAFileLargerThanOneRead(t *testing.T) {
	dir, of := t.TempDir(), &counted{name: "m"}
	var texts []string
	for i := range 20000 {
		texts = append(texts, fmt.Sprint(i))
	}
	encode(t, open(t, dir, of), texts...)
	calls := of.calls.Load()
	c := open(t, dir, of)
	encode(t, c, texts...)
	if of.calls.Load() != calls || c.Len() != len(texts) {
		t.Errorf("%d of %d are known", c.Len(), len(texts))
	}
}

func TestAFileCutUnderUs(t *testing.T) {
	dir, of := t.TempDir(), &counted{name: "m"}
	c := open(t, dir, of)
	encode(t, c, "a", "bb")
	if err := os.Truncate(file(t, dir), record+3); err != nil {
		t.Fatal(err)
	}
	encode(t, c, "a", "bb")
	if d := cmp.Diff([]string{"a", "bb", "bb"}, of.asked); d != "" {
		t.Error(d)
	}
}

func TestWhatWasEncodedBeforeAFailureIsKept(t *testing.T) {
	of, dir := &counted{name: "m", fail: "t300"}, t.TempDir()
	c := open(t, dir, of)
	var texts []string
	for i := range 400 {
		texts = append(texts, fmt.Sprintf("t%d", i))
	}
	if _, err := c.Encode(t.Context(), texts); err == nil || err.Error() != "failed" {
		t.Errorf("%v", err)
	}
	if c.Len() != 256 {
		t.Errorf("%d are known, want 256", c.Len())
	}
}

func TestALargeFileIsBegunAnew(t *testing.T) {
	dir, of := t.TempDir(), &counted{name: "m"}
	encode(t, open(t, dir, of), "a", "bb")
	c, err := embed.OpenCache(dir, of, record)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if c.Len() != 0 {
		t.Errorf("%d are known", c.Len())
	}
}

func TestACacheThatCannotBeWrittenStillGivesVectors(t *testing.T) {
	of := &counted{name: "m"}
	c := open(t, t.TempDir(), of)
	c.Close()
	got, err := c.Encode(t.Context(), []string{"a"})
	if d := cmp.Diff([][]float32{vectorOf("a")}, got); d != "" || err != nil {
		t.Errorf("%v\n%s", err, d)
	}
	if err := c.Err(); !errors.Is(err, fs.ErrClosed) || !strings.Contains(err.Error(), "vector cache") {
		t.Errorf("Err is %v", err)
	}
}

func FuzzCacheFile(f *testing.F) {
	dir := f.TempDir()
	c, err := embed.OpenCache(dir, &counted{name: "m"}, 0)
	if err != nil {
		f.Fatal(err)
	}
	if _, err := c.Encode(f.Context(), []string{"a", "bb"}); err != nil {
		f.Fatal(err)
	}
	names, _ := filepath.Glob(filepath.Join(dir, "*"))
	data, err := os.ReadFile(names[0])
	if err != nil {
		f.Fatal(err)
	}
	base := filepath.Base(names[0])
	c.Close()
	f.Add(data)
	f.Add(data[10:])
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, base), data, 0o600); err != nil {
			t.Fatal(err)
		}
		c := open(t, dir, &counted{name: "m"})
		if c.Dropped() > int64(len(data)) {
			t.Errorf("%d of %d bytes dropped", c.Dropped(), len(data))
		}
		if _, err := c.Encode(t.Context(), []string{"a", "bb", "ccc"}); err != nil || c.Err() != nil {
			t.Error(err, c.Err())
		}
		again := &counted{name: "m"}
		encodeKnown(t, open(t, dir, again), again)
	})
}

// encodeKnown checks that what was written is found, whatever stood before it.
func encodeKnown(t *testing.T, c *embed.Cache, of *counted) {
	t.Helper()
	if _, err := c.Encode(t.Context(), []string{"a", "bb", "ccc"}); err != nil || len(of.asked) > 0 {
		t.Errorf("%v; asked again for %q", err, of.asked)
	}
}
