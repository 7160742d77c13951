package records_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/records"
)

const version = 7

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// all says that every record is used.
func all(r records.Records) map[string]bool {
	used := map[string]bool{}
	for k := range r {
		used[k] = true
	}
	return used
}

func saved(tb testing.TB, name string, r records.Records) {
	tb.Helper()
	must(tb, r.Save(name, version, all(r)))
}

func check(t *testing.T, name string, want records.Records) {
	t.Helper()
	got, err := records.Load(name, version)
	must(t, err)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", filepath.Base(name), diff)
	}
}

func TestRoundTrip(t *testing.T) {
	for what, r := range map[string]records.Records{
		"none":       {},
		"one":        {"key": "value"},
		"no bytes":   {"": ""},
		"any bytes":  {"\x00\xff\n": "\xff\x00", "": "of no key", "of no value": ""},
		"prefixes":   {"a": "1", "ab": "2", "abc": "3", "b": "4"},
		"long value": {"k": strings.Repeat("0123456789", 100_000), "l": strings.Repeat("x", 127), "m": strings.Repeat("x", 128)},
		"long key":   {strings.Repeat("k", 70_000): "v"},
	} {
		t.Run(what, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "not/yet/there/file")
			saved(t, name, r)
			check(t, name, r)
		})
	}
}

// TestFormat: another layout of the file needs another magic, as older files are
// still around.
func TestFormat(t *testing.T) {
	want := "rmrecord" + "\x07\x00\x00\x00" + "q,\x7fu" + "\x03" + "\x00\x01" + "\x01a\x02" + "\x02bb\x00" + "x" + "yz"
	got := string(records.Records{"bb": "", "": "x", "a": "yz"}.Bytes(version))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestReplaced: a file is as the last one who saved left it, whatever was there.
func TestReplaced(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(name, []byte(strings.Repeat("long text ", 1000)), 0o600))
	for _, r := range []records.Records{{"a": "1", "b": "2"}, {"c": "3"}} {
		saved(t, name, r)
		check(t, name, r)
	}
}

// TestLoadedIsOpen: what was loaded can be added to and saved over the file that it
// came from.
func TestLoadedIsOpen(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	r, err := records.Load(name, version)
	must(t, err)
	for _, k := range []string{"a", "b", "c"} {
		r[k] = "value of " + k
		saved(t, name, r)
		if r, err = records.Load(name, version); err != nil {
			t.Fatal(err)
		}
	}
	check(t, name, records.Records{"a": "value of a", "b": "value of b", "c": "value of c"})
}

func TestBareName(t *testing.T) {
	t.Chdir(t.TempDir())
	saved(t, "file", records.Records{"a": "1"})
	check(t, "file", records.Records{"a": "1"})
}

// TestOtherVersion: what an older or newer program wrote counts as absent and is no
// fault.
func TestOtherVersion(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	saved(t, name, records.Records{"a": "1"})
	for _, v := range []uint32{0, version - 1, version + 1, 1 << 31} {
		r, err := records.Load(name, v)
		if diff := cmp.Diff(records.Records{}, r); diff != "" || err != nil {
			t.Errorf("version %d: error %v (-want +got):\n%s", v, err, diff)
		}
	}
}

// TestUnused: the records that nobody uses stay as long as they are not more bytes
// than those in use, keys and values together.
func TestUnused(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	used := map[string]bool{"used": true, "unknown": true}
	for _, tt := range []struct {
		what       string
		have, want records.Records
	}{
		{"fewer", records.Records{"used": "1234", "o": "123456"}, records.Records{"used": "1234", "o": "123456"}},
		{"as many", records.Records{"used": "1234", "old": "12345"}, records.Records{"used": "1234", "old": "12345"}},
		{"more", records.Records{"used": "1234", "old": "123456"}, records.Records{"used": "1234"}},
		{"more of them together", records.Records{"used": "1234", "a": "1234", "b": "1234"}, records.Records{"used": "1234"}},
		{"more of keys", records.Records{"used": "1234", "a long key": ""}, records.Records{"used": "1234"}},
		{"nothing used", records.Records{"old": ""}, records.Records{}},
	} {
		t.Run(tt.what, func(t *testing.T) {
			must(t, tt.have.Save(name, version, used))
			check(t, name, tt.want)
		})
	}
}

// TestBounded: a file that is saved for one commit after the other does not grow,
// and the commit before is still there.
func TestBounded(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	value := strings.Repeat("x", 1000)
	for i := range 20 {
		r, err := records.Load(name, version)
		must(t, err)
		k := string(rune('a' + i))
		r[k] = value
		must(t, r.Save(name, version, map[string]bool{k: true}))
		info, err := os.Stat(name)
		must(t, err)
		if info.Size() > 2100 {
			t.Fatalf("%d bytes after %d saves of 1,000", info.Size(), i+1)
		}
	}
	check(t, name, records.Records{"s": value, "t": value})
}
