package archive_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/rag/dependency/archive"
)

// entry is one of an archive that a test makes.
type entry struct {
	name, data, link string
	kind             byte // of tar; 0 is a regular file
}

func tgz(t testing.TB, entries ...entry) []byte {
	t.Helper()
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	w := tar.NewWriter(z)
	for _, e := range entries {
		h := &tar.Header{Name: e.name, Linkname: e.link, Typeflag: e.kind, Mode: 0o644, Size: int64(len(e.data))}
		if e.kind == 0 {
			h.Typeflag = tar.TypeReg
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(e.data)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), z.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func zipped(t testing.TB, entries ...entry) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate}
		data := e.data
		if e.link != "" {
			h.SetMode(fs.ModeSymlink | 0o777)
			data = e.link
		}
		f, err := w.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte(data)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// unpack writes an archive to a file and unpacks it. The result has all that is below
// the directory, and above it must be nothing but the archive.
func unpack(t *testing.T, data []byte, strip int, limits archive.Limits) (map[string]string, archive.Contents, error) {
	t.Helper()
	top := t.TempDir()
	file, dir := filepath.Join(top, "archive"), filepath.Join(top, "into")
	if err := errors.Join(os.WriteFile(file, data, 0o600), os.Mkdir(dir, 0o755)); err != nil {
		t.Fatal(err)
	}
	got, err := archive.Unpack(t.Context(), file, dir, strip, limits)
	if left, _ := os.ReadDir(top); len(left) != 2 {
		t.Errorf("something was written outside: %v", left)
	}
	files := map[string]string{}
	bad := filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		if !e.Type().IsRegular() {
			t.Errorf("%s is no regular file", p)
		}
		text, err := os.ReadFile(p)
		files[filepath.ToSlash(strings.TrimPrefix(p, dir+string(filepath.Separator)))] = string(text)
		return err
	})
	if bad != nil {
		t.Fatal(bad)
	}
	return files, got, err
}

func TestUnpackKeepsText(t *testing.T) {
	entries := []entry{
		{name: "pkg/a.py", data: "a = 1\n"},
		{name: "pkg/sub/b.py", data: "b = 2\n"},
		{name: "./pkg/c.py", data: "c"},
		{name: "pkg/core.so", data: "\x7fELF\x00\x01"},
		{name: "pkg/nested.zip", data: string(zipped(t, entry{name: "x", data: "x"}))},
		{name: "top.txt", data: "x"},
		{name: "pkg/big.txt", data: strings.Repeat("x", 2000)},
	}
	want := map[string]string{"a.py": "a = 1\n", "sub/b.py": "b = 2\n", "c.py": "c"}
	left := []archive.Left{
		{Name: "pkg/core.so", Reason: "not text"},
		{Name: "pkg/nested.zip", Reason: "not text"},
		{Name: "top.txt", Reason: "not below the top directory"},
		{Name: "pkg/big.txt", Reason: "larger than 1000 bytes"},
	}
	for name, data := range map[string][]byte{"tar": tgz(t, entries...), "zip": zipped(t, entries...)} {
		files, got, err := unpack(t, data, 1, archive.Limits{File: 1000})
		if err != nil {
			t.Fatal(name, err)
		}
		if diff := cmp.Diff(want, files); diff != "" {
			t.Error(name, diff)
		}
		if diff := cmp.Diff(archive.Contents{Files: 3, Size: 13, Left: left, LeftOut: 4}, got); diff != "" {
			t.Error(name, diff)
		}
	}
}

// What is left out of an archive that is else taken.
func TestUnpackLeavesOut(t *testing.T) {
	for _, test := range []struct {
		name    string
		entries []entry
		want    []archive.Left
	}{
		{"symlink to a file outside", []entry{{name: "a", link: "/etc/passwd", kind: tar.TypeSymlink}}, []archive.Left{{Name: "a", Reason: "a link"}}},
		{"write through a symlink", []entry{{name: "d", link: "..", kind: tar.TypeSymlink}, {name: "d/evil", data: "x"}}, []archive.Left{{Name: "d", Reason: "a link"}}},
		{"hard link", []entry{{name: "a", link: "../../etc/passwd", kind: tar.TypeLink}}, []archive.Left{{Name: "a", Reason: "a link"}}},
		{"device", []entry{{name: "dev", kind: tar.TypeChar}}, []archive.Left{{Name: "dev", Reason: "no regular file"}}},
		{"pipe", []entry{{name: "fifo", kind: tar.TypeFifo}}, []archive.Left{{Name: "fifo", Reason: "no regular file"}}},
		{"same path twice", []entry{{name: "a", data: "1"}, {name: "./a", data: "2"}}, []archive.Left{{Name: "./a", Reason: "a second entry of that path"}}},
		{"cases of files", []entry{{name: "README", data: "1"}, {name: "readme", data: "2"}}, []archive.Left{{Name: "readme", Reason: "differs by case alone from README"}}},
		{"cases of directories", []entry{{name: "Lib/a", data: "1"}, {name: "lib/b", data: "2"}}, []archive.Left{{Name: "lib/b", Reason: "differs by case alone from Lib"}}},
		{"a file where a directory is", []entry{{name: "a/b", data: "1"}, {name: "a", data: "2"}}, []archive.Left{{Name: "a", Reason: "a second entry of that path"}}},
		{"a directory where a file is", []entry{{name: "a", data: "1"}, {name: "a/b", data: "2"}}, []archive.Left{{Name: "a/b", Reason: "a second entry of that path"}}},
		{"control character", []entry{{name: "a\x1b[2J", data: "1"}}, []archive.Left{{Name: `"a\x1b[2J"`, Reason: "a name that not every system has"}}},
		{"stream of Windows", []entry{{name: "ab:stream", data: "1"}}, []archive.Left{{Name: `ab:stream`, Reason: "a name that not every system has"}}},
		{"dot at the end", []entry{{name: "a.", data: "1"}}, []archive.Left{{Name: "a.", Reason: "a name that not every system has"}}},
		{"long name", []entry{{name: strings.Repeat("x", 256), data: "1"}}, []archive.Left{{Name: strings.Repeat("x", 256), Reason: "the name is too long"}}},
		{"long path", []entry{{name: strings.Repeat("xy/", 200) + "z", data: "1"}}, []archive.Left{{Name: strings.Repeat("xy/", 200) + "z", Reason: "the path is too long"}}},
		{"path of 10,000 bytes", []entry{{name: strings.Repeat("x", 10_000), data: "1"}}, []archive.Left{{Name: strings.Repeat("x", 1000) + "…", Reason: "the path is too long"}}},
		{"deep path", []entry{{name: strings.Repeat("x/", 50) + "z", data: "1"}}, []archive.Left{{Name: strings.Repeat("x/", 50) + "z", Reason: "the path is too long"}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, got, err := unpack(t, tgz(t, test.entries...), 0, archive.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got.Left); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// What a zip file can have in ways of its own: a link is a mode, and a name may hold a
// zero byte.
func TestUnpackLeavesOutOfZip(t *testing.T) {
	data := zipped(t, entry{name: "a", link: "/etc/passwd"}, entry{name: "b", data: "b"}, entry{name: "c\x00.py", data: "c"}, entry{name: "b", data: "2"})
	files, got, err := unpack(t, data, 0, archive.Limits{})
	if diff := cmp.Diff(map[string]string{"b": "b"}, files); err != nil || diff != "" {
		t.Error(err, diff)
	}
	want := []archive.Left{
		{Name: "a", Reason: "a link"}, {Name: `"c\x00.py"`, Reason: "a name that not every system has"}, {Name: "b", Reason: "a second entry of that path"},
	}
	if diff := cmp.Diff(want, got.Left); diff != "" {
		t.Error(diff)
	}
}

// What makes an archive be refused.
func TestUnpackRefuses(t *testing.T) {
	zeros := strings.Repeat("\x00", 9<<20)
	many := make([]entry, 30)
	for i := range many {
		many[i] = entry{name: strings.Repeat("a", i+1)}
	}
	lying := zipped(t, entry{name: "a", data: strings.Repeat("x", 5000)})
	at := bytes.Index(lying, []byte("PK\x01\x02")) // the directory, where 24 bytes on the size stands
	copy(lying[at+24:], []byte{10, 0, 0, 0})
	cut := tgz(t, entry{name: "a", data: strings.Repeat("text ", 1000)})
	flipped := bytes.Clone(zipped(t, entry{name: "a", data: strings.Repeat("text ", 1000)}))
	flipped[40] ^= 0xff
	for _, test := range []struct {
		name   string
		data   []byte
		limits archive.Limits
		want   string
		is     error
	}{
		{"tar, up and out", tgz(t, entry{name: "../evil"}), archive.Limits{}, "unpack: the archive has a path that leads out of it: ../evil", archive.ErrPath},
		{"zip, up and out", zipped(t, entry{name: "a/../../evil"}), archive.Limits{}, "unpack: the archive has a path that leads out of it: a/../../evil", archive.ErrPath},
		{"up inside", tgz(t, entry{name: "a/../b"}), archive.Limits{}, "unpack: the archive has a path that leads out of it: a/../b", archive.ErrPath},
		{"absolute", tgz(t, entry{name: "/etc/evil"}), archive.Limits{}, "unpack: the archive has a path that leads out of it: /etc/evil", archive.ErrPath},
		{"a name of 10,000 bytes that leads out", tgz(t, entry{name: "../" + strings.Repeat("x", 10_000)}), archive.Limits{}, "unpack: the archive has a path that leads out of it: ../" + strings.Repeat("x", 997) + "…", archive.ErrPath},
		{"drive", zipped(t, entry{name: "C:evil"}), archive.Limits{}, "unpack: the archive has a path that leads out of it: C:evil", archive.ErrPath},
		{"backslashes", zipped(t, entry{name: `..\evil`}), archive.Limits{}, "unpack: the archive has a path that leads out of it: ..\\evil", archive.ErrPath},
		{"shared folder", zipped(t, entry{name: `\\host\evil`}), archive.Limits{}, "unpack: the archive has a path that leads out of it: \\\\host\\evil", archive.ErrPath},
		{"directory out", tgz(t, entry{name: "../d/", kind: tar.TypeDir}), archive.Limits{}, "unpack: the archive has a path that leads out of it: ../d/", archive.ErrPath},
		{"tar bomb", tgz(t, entry{name: "a", data: zeros}), archive.Limits{}, "unpack: the archive unpacks to far more than it holds: more than 100 times", archive.ErrRatio},
		{"zip of many bombs", zipped(t, bombs(12)...), archive.Limits{}, "unpack: the archive unpacks to far more than it holds: more than 100 times", archive.ErrRatio},
		{"tar, size", tgz(t, entry{name: "a", data: zeros}), archive.Limits{Size: 1 << 20}, "unpack: the archive unpacks to too much: more than 1048576 bytes", archive.ErrSize},
		{"zip, size", zipped(t, bombs(2)...), archive.Limits{Size: 1 << 20}, "unpack: the archive unpacks to too much: more than 1048576 bytes", archive.ErrSize},
		{"tar, entries", tgz(t, many...), archive.Limits{Entries: 29}, "unpack: the archive has too many entries: more than 29", archive.ErrEntries},
		{"zip, entries", zipped(t, many...), archive.Limits{Entries: 29}, "unpack: the archive has too many entries: more than 29", archive.ErrEntries},
		{"packed", zipped(t, many...), archive.Limits{Packed: 100}, "", archive.ErrPacked},
		{"a zip that lies about a size", lying, archive.Limits{}, "", archive.ErrFormat},
		{"a zip with a wrong checksum", flipped, archive.Limits{}, "", archive.ErrFormat},
		{"a tar that is cut", cut[:len(cut)/2], archive.Limits{}, "", archive.ErrFormat},
		{"no archive", []byte("hello"), archive.Limits{}, "unpack: not an archive that can be read: neither zip nor gzip", archive.ErrFormat},
		{"nothing", nil, archive.Limits{}, "unpack: not an archive that can be read: neither zip nor gzip", archive.ErrFormat},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, _, err := unpack(t, test.data, 0, test.limits)
			if !errors.Is(err, test.is) {
				t.Errorf("%v is not %v", err, test.is)
			}
			if test.want != "" && err != nil && err.Error() != test.want {
				t.Errorf("got  %v\nwant %s", err, test.want)
			}
		})
	}
}

// bombs are files of the largest size that is unpacked, all blanks.
func bombs(n int) (out []entry) {
	for i := range n {
		out = append(out, entry{name: strings.Repeat("b", i+1), data: strings.Repeat(" ", 1<<20)})
	}
	return out
}

func TestUnpackRefusesALongListOfEntries(t *testing.T) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	comment := strings.Repeat("x", 60_000)
	for range 300 {
		if _, err := w.CreateHeader(&zip.FileHeader{Name: "a", Comment: comment}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	_, _, err := unpack(t, out.Bytes(), 0, archive.Limits{})
	if !errors.Is(err, archive.ErrEntries) {
		t.Error(err)
	}
}

func TestUnpackEndsWithItsContext(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.tgz")
	if err := os.WriteFile(file, tgz(t, entry{name: "a", data: "a"}), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := archive.Unpack(ctx, file, dir, 0, archive.Limits{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func FuzzUnpack(f *testing.F) {
	f.Add(tgz(f, entry{name: "a/b", data: "text"}, entry{name: "l", link: "..", kind: tar.TypeSymlink}))
	f.Add(zipped(f, entry{name: "a/b", data: "text"}, entry{name: "../l"}))
	f.Fuzz(func(t *testing.T, data []byte) {
		top := t.TempDir()
		dir := filepath.Join(top, "into")
		if err := errors.Join(os.WriteFile(filepath.Join(top, "archive"), data, 0o600), os.Mkdir(dir, 0o755)); err != nil {
			t.Fatal(err)
		}
		archive.Unpack(t.Context(), filepath.Join(top, "archive"), dir, 0, archive.Limits{Size: 1 << 20}) //nolint:errcheck // any error is right
		if left, _ := os.ReadDir(top); len(left) != 2 {
			t.Errorf("something was written outside: %v", left)
		}
	})
}
