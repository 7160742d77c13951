package records_test

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/records"
)

var sample = records.Records{"": "of no key", "a": "", "abc": "some value", "b": "\x00\x01\x02"}

// loadBytes loads a file of these bytes.
func loadBytes(t *testing.T, data []byte) (records.Records, error) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(name, data, 0o600))
	return records.Load(name, version)
}

// checkDamaged: the error names the file, and the records can be added to.
func checkDamaged(t *testing.T, what string, data []byte) {
	t.Helper()
	r, err := loadBytes(t, data)
	if !errors.Is(err, records.ErrDamaged) {
		t.Errorf("%s: error %v", what, err)
	}
	if r == nil || len(r) > 0 {
		t.Errorf("%s: records %q", what, r)
	}
}

func TestDamagedError(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(name, []byte("hello"), 0o600))
	_, err := records.Load(name, version)
	if want := name + " is damaged and counts as absent"; err == nil || err.Error() != want {
		t.Errorf("error %q, want %q", err, want)
	}
}

// TestCut: a file that ends anywhere, even before its first byte, is damaged, and so
// is one with more behind it.
func TestCut(t *testing.T) {
	whole := sample.Bytes(version)
	for n := range whole {
		checkDamaged(t, "cut", whole[:n])
	}
	checkDamaged(t, "continued", append(slices.Clone(whole), 0))
	checkDamaged(t, "twice", append(slices.Clone(whole), whole...))
}

// TestFlipped: no bit can change without notice, but those of the version make the
// file one of another version.
func TestFlipped(t *testing.T) {
	whole := sample.Bytes(version)
	for bit := range 8 * len(whole) {
		data := slices.Clone(whole)
		data[bit/8] ^= 1 << (bit % 8)
		if bit/8 < 8 || bit/8 >= 12 {
			checkDamaged(t, "flipped", data)
			continue
		}
		if r, err := loadBytes(t, data); err != nil || r == nil || len(r) > 0 {
			t.Errorf("version with bit %d flipped: %v %v", bit, r, err)
		}
	}
}

// forged are bodies that no Save wrote, though their checksum is right.
var forged = map[string][]byte{
	"nothing":                    {},
	"count without an end":       {0xff, 0xff},
	"count over 64 bits":         {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f},
	"huge count":                 append(binary.AppendUvarint(nil, 1<<62), 0, 0),
	"huge count of empty keys":   append(binary.AppendUvarint(nil, 1<<20), make([]byte, 2<<20)...),
	"one more than there are":    {2, 1, 'a', 1, 'x'},
	"one fewer than there are":   {1, 1, 'a', 1, 1, 'b', 1, 'x', 'y'},
	"huge key":                   append(binary.AppendUvarint([]byte{1}, 1<<63), "abc"...),
	"key longer by one":          {1, 3, 'a', 0},
	"huge value":                 append(binary.AppendUvarint([]byte{1, 1, 'a'}, 1<<63), "abc"...),
	"value longer by one":        {1, 1, 'a', 3, 'x', 'y'},
	"values that wrap to 3":      append(append(binary.AppendUvarint([]byte{2, 1, 'a'}, 1<<63+3), binary.AppendUvarint([]byte{1, 'b'}, 1<<63)...), "xyz"...),
	"a key twice":                {2, 1, 'a', 1, 1, 'a', 1, 'x', 'y'},
	"the empty key twice":        {2, 0, 1, 0, 1, 'x', 'y'},
	"keys out of order":          {2, 1, 'b', 1, 1, 'a', 1, 'x', 'y'},
	"bytes of no value":          {1, 1, 'a', 1, 'x', 'y'},
	"bytes behind no records":    {0, 0},
	"length of a key cut off":    {1, 0x80},
	"length of a value cut off":  {1, 1, 'a', 0x80},
	"length of a value left out": {1, 1, 'a'},
}

// TestForged: a right checksum does not make it right, and what it claims is not
// allocated.
func TestForged(t *testing.T) {
	for what, body := range forged {
		data := records.Seal(version, body)
		checkDamaged(t, what, data)
		if n := testing.AllocsPerRun(10, func() { records.Parse(data) }); n != 0 {
			t.Errorf("%s: %v allocations", what, n)
		}
	}
}

func TestAbsent(t *testing.T) {
	for _, name := range []string{"file", "no/such/directory/file"} {
		r, err := records.Load(filepath.Join(t.TempDir(), name), version)
		if err != nil || r == nil || len(r) > 0 {
			t.Errorf("%s: %v %v", name, r, err)
		}
	}
}

// TestTooLarge: such a file is not read, and the next Save replaces it.
func TestTooLarge(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(name, sample.Bytes(version), 0o600))
	must(t, os.Truncate(name, records.MaxSize+1)) // a hole, which takes no disk
	check(t, name, records.Records{})
	saved(t, name, sample)
	check(t, name, sample)
}

// TestUnreadable: what stands in the way is told, is no damage, and is left alone.
func TestUnreadable(t *testing.T) {
	dir := t.TempDir()
	occupied, odd := filepath.Join(dir, "occupied"), filepath.Join(dir, "odd")
	must(t, os.WriteFile(occupied, nil, 0o600))
	must(t, os.MkdirAll(filepath.Join(odd, "file"), 0o700))
	for name, want := range map[string]string{
		filepath.Join(occupied, "file"): "stat " + occupied + "/file: not a directory",
		filepath.Join(odd, "file"):      "read " + odd + "/file: is a directory",
	} {
		r, err := records.Load(name, version)
		if err == nil || err.Error() != want || errors.Is(err, records.ErrDamaged) {
			t.Errorf("error %v, want %s", err, want)
		}
		if r == nil || len(r) > 0 {
			t.Errorf("%s: records %q", want, r)
		}
		if err := sample.Save(name, version, nil); err == nil {
			t.Errorf("%s: saved", name)
		}
	}
	checkFiles(t, odd, "file")
}

func checkFiles(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	must(t, err)
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("files in the directory (-want +got):\n%s", diff)
	}
}

// TestLink: a link that leads nowhere is as good as no file, and one that leads to a
// file is replaced, not followed.
func TestLink(t *testing.T) {
	dir := t.TempDir()
	name, target := filepath.Join(dir, "file"), filepath.Join(dir, "target")
	if err := os.Symlink(target, name); err != nil {
		t.Skip(err)
	}
	check(t, name, records.Records{})
	must(t, os.WriteFile(target, []byte("notes"), 0o600))
	saved(t, name, sample)
	check(t, name, sample)
	if info, err := os.Lstat(name); err != nil || info.Mode()&fs.ModeSymlink != 0 {
		t.Errorf("still a link: %v %v", info, err)
	}
	if data, err := os.ReadFile(target); err != nil || string(data) != "notes" {
		t.Errorf("the link was followed: %q %v", data, err)
	}
}
