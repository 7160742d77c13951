package diff_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/repomind/repomind/internal/diff"
)

const (
	context = diff.Context
	deleted = diff.Delete
	insert  = diff.Insert
)

func TestParse(t *testing.T) {
	one := []diff.Hunk{{Old: diff.Range{Start: 1, Lines: 2}, New: diff.Range{Start: 1, Lines: 2}, Section: "func f()", Lines: []diff.Line{
		{Op: context, Old: 1, New: 1, Text: "a"}, {Op: deleted, Old: 2, Text: "b"}, {Op: insert, New: 2, Text: "c"},
	}}}
	const hunk = "@@ -1,2 +1,2 @@ func f()\n a\n-b\n+c\n"
	for _, tt := range []struct {
		name, text string
		want       []diff.File
	}{
		{"modified", "diff --git a/x.go b/x.go\nindex 1..2 100644\n--- a/x.go\n+++ b/x.go\n" + hunk, []diff.File{{Path: "x.go", Status: "modified", Hunks: one}}},
		{"plain", "--- old.txt\t2024-01-01\n+++ new.txt\t2024-01-02\n" + hunk, []diff.File{{Path: "new.txt", Old: "old.txt", Status: "modified", Hunks: one}}},
		{"no prefix", "diff --git x.go x.go\n--- x.go\n+++ x.go\n" + hunk, []diff.File{{Path: "x.go", Status: "modified", Hunks: one}}},
		{"a directory named a", "diff --git a/a/x.go b/a/x.go\n--- a/a/x.go\n+++ b/a/x.go\n" + hunk, []diff.File{{Path: "a/x.go", Status: "modified", Hunks: one}}},
		{"added", "diff --git a/x b/x\nnew file mode 100644\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+c\n\\ No newline at end of file\n", []diff.File{{Path: "x", Status: "added", NewMode: "100644", Hunks: []diff.Hunk{{
			Old: diff.Range{}, New: diff.Range{Start: 1, Lines: 1}, Lines: []diff.Line{{Op: insert, New: 1, Text: "c", NoEOL: true}}}}}}},
		{"added empty", "diff --git a/x b/x\nnew file mode 100644\nindex 0..e\n", []diff.File{{Path: "x", Status: "added", NewMode: "100644"}}},
		{"removed", "diff --git a/x b/x\ndeleted file mode 100644\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-c\n", []diff.File{{Path: "x", Status: "removed", OldMode: "100644", Hunks: []diff.Hunk{{
			Old: diff.Range{Start: 1, Lines: 1}, Lines: []diff.Line{{Op: deleted, Old: 1, Text: "c"}}}}}}},
		{"mode alone", "diff --git a/x b/x\nold mode 100644\nnew mode 100755\n", []diff.File{{Path: "x", Status: "modified", OldMode: "100644", NewMode: "100755"}}},
		{"pure rename", "diff --git a/a b.txt b/c d.txt\nsimilarity index 100%\nrename from a b.txt\nrename to c d.txt\n", []diff.File{{Path: "c d.txt", Old: "a b.txt", Status: "renamed"}}},
		{"copy with a change", "diff --git a/a b/c\nsimilarity index 80%\ncopy from a\ncopy to c\n--- a/a\n+++ b/c\n" + hunk, []diff.File{{Path: "c", Old: "a", Status: "copied", Hunks: one}}},
		{"binary", "diff --git a/x.png b/x.png\nindex 1..2 100644\nBinary files a/x.png and b/x.png differ\n", []diff.File{{Path: "x.png", Status: "modified", Binary: true}}},
		{"binary patch", "diff --git a/x b/x\nGIT binary patch\nliteral 1\nIcmZPo000310RR91\n\nliteral 0\nHcmV?d00001\n\n" + "diff --git a/y b/y\n--- a/y\n+++ b/y\n" + hunk,
			[]diff.File{{Path: "x", Status: "modified", Binary: true}, {Path: "y", Status: "modified", Hunks: one}}},
		{"blanks", "diff --git a/a b/c d.go b/a b/c d.go\n--- a/a b/c d.go\t\n+++ b/a b/c d.go\t\n" + hunk, []diff.File{{Path: "a b/c d.go", Status: "modified", Hunks: one}}},
		{"quoted", `diff --git "a/t\303\244b\there \"q\" \377" "b/t\303\244b\there \"q\" \377"` + "\n" + `--- "a/t\303\244b\there \"q\" \377"` + "\n" + `+++ "b/t\303\244b\there \"q\" \377"` + "\n" + hunk,
			[]diff.File{{Path: "täb\there \"q\" \xff", Status: "modified", Hunks: one}}},
		{"one name quoted", `diff --git a/x "b/\303\244"` + "\nsimilarity index 100%\nrename from x\n" + `rename to "\303\244"` + "\n", []diff.File{{Path: "ä", Old: "x", Status: "renamed"}}},
		{"two hunks, the last without an end", "--- a\n+++ b\n@@ -1 +1,2 @@\n a\n+b\n@@ -9 +10 @@ f\n-c\n+d\n\\ No newline at end of file", []diff.File{{Path: "b", Old: "a", Status: "modified", Hunks: []diff.Hunk{
			{Old: diff.Range{Start: 1, Lines: 1}, New: diff.Range{Start: 1, Lines: 2}, Lines: []diff.Line{{Op: context, Old: 1, New: 1, Text: "a"}, {Op: insert, New: 2, Text: "b"}}},
			{Old: diff.Range{Start: 9, Lines: 1}, New: diff.Range{Start: 10, Lines: 1}, Section: "f", Lines: []diff.Line{{Op: deleted, Old: 9, Text: "c"}, {Op: insert, New: 10, Text: "d", NoEOL: true}}}}}}},
		{"carriage returns", "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\r\n+b\r\n", []diff.File{{Path: "x", Status: "modified", Hunks: []diff.Hunk{{
			Old: diff.Range{Start: 1, Lines: 1}, New: diff.Range{Start: 1, Lines: 1}, Lines: []diff.Line{{Op: deleted, Old: 1, Text: "a\r"}, {Op: insert, New: 1, Text: "b\r"}}}}}}},
		{"lines that look like headers", "diff --git a/x.sql b/x.sql\n--- a/x.sql\n+++ b/x.sql\n@@ -1,2 +1,2 @@\n--- a/y\n-@@ -1 +1 @@\n+++ b/y\n+diff --git a/z b/z\n", []diff.File{{Path: "x.sql", Status: "modified", Hunks: []diff.Hunk{{
			Old: diff.Range{Start: 1, Lines: 2}, New: diff.Range{Start: 1, Lines: 2}, Lines: []diff.Line{
				{Op: deleted, Old: 1, Text: "-- a/y"}, {Op: deleted, Old: 2, Text: "@@ -1 +1 @@"}, {Op: insert, New: 1, Text: "++ b/y"}, {Op: insert, New: 2, Text: "diff --git a/z b/z"}}}}}}},
		{"combined", "diff --cc x.go\nindex 1,2..3\n--- a/x.go\n+++ b/x.go\n@@@ -1,1 -1,1 +1,1 @@@\n- a\n -b\n++c\ndiff --git a/y b/y\n--- a/y\n+++ b/y\n" + hunk,
			[]diff.File{{Path: "x.go", Status: "modified", Combined: true}, {Path: "y", Status: "modified", Hunks: one}}},
		{"mail", "From 1 Mon Sep 17 00:00:00 2001\nSubject: [PATCH] x\n---\n x.go | 2 +-\n\ndiff --git a/x.go b/x.go\n--- a/x.go\n+++ b/x.go\n" + hunk + "-- \n2.40.0\n\nFrom 2\ndiff --git a/y b/y\n--- a/y\n+++ b/y\n" + hunk + "-- \n2.40.0\n",
			[]diff.File{{Path: "x.go", Status: "modified", Hunks: one}, {Path: "y", Status: "modified", Hunks: one}}},
		{"submodule", "diff --git a/lib b/lib\nindex 1..2 160000\n--- a/lib\n+++ b/lib\n@@ -1 +1 @@\n-Subproject commit 1\n+Subproject commit 2\n", []diff.File{{Path: "lib", Status: "modified", Hunks: []diff.Hunk{{
			Old: diff.Range{Start: 1, Lines: 1}, New: diff.Range{Start: 1, Lines: 1}, Lines: []diff.Line{{Op: deleted, Old: 1, Text: "Subproject commit 1"}, {Op: insert, New: 1, Text: "Subproject commit 2"}}}}}}},
		{"empty", "", nil},
		{"prose", "Nothing here is a diff.\n--- or is it?\n", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, diff.Parse(tt.text)); d != "" {
				t.Error(d)
			}
		})
	}
}

// A damaged file says where, keeps the hunks before, and loses none of the other files.
func TestDamagedFiles(t *testing.T) {
	const good = "diff --git a/ok b/ok\n--- a/ok\n+++ b/ok\n@@ -1 +1 @@\n-a\n+b\n"
	for _, tt := range []struct {
		name, hunks, msg string
		line, kept       int
	}{
		{"too short", "@@ -1,3 +1,3 @@\n a\n", `"diff --git a/ok b/ok" is no line of this hunk`, 6, 0},
		{"too long", "@@ -1 +1 @@\n-a\n+b\n+c\n", "", 0, 1}, // what is too much is passed over, as git does
		{"no header", "@@ -x +1 @@\n-a\n", `"x" is no number of lines`, 4, 0},
		{"huge", "@@ -1,99999999999 +1 @@\n-a\n", `"99999999999" is no number of lines`, 4, 0},
		{"line 0", "@@ -0,2 +1 @@\n-a\n", `"0,2" is no range: lines count from 1`, 4, 0},
		{"backwards", "@@ -5 +5 @@\n-a\n+b\n@@ -5 +5 @@\n-a\n+b\n", "a hunk begins before the end of the one before it", 9, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			files := diff.Parse("diff --git a/x b/x\n--- a/x\n+++ b/x\n" + tt.hunks + good)
			if len(files) != 2 || files[1].Path != "ok" || len(files[1].Hunks) != 1 {
				t.Fatalf("got %+v", files)
			}
			var e *diff.SyntaxError
			if errors.As(files[0].Broken, &e); tt.msg != "" && (e == nil || e.Msg != tt.msg || e.Line != tt.line) || tt.msg == "" && e != nil {
				t.Errorf("got %v, want %q at %d", files[0].Broken, tt.msg, tt.line)
			}
			if len(files[0].Hunks) != tt.kept {
				t.Errorf("%d hunks are kept, want %d", len(files[0].Hunks), tt.kept)
			}
		})
	}
}

// Diffs by git of a thousand files that were changed at random: each line that GitHub's
// rule allows is allowed and no other, and the hunks make the new file of the old one.
func TestRandomDiffs(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	r := rand.New(rand.NewPCG(1, 2))
	dir := t.TempDir()
	before, after := map[string]string{}, map[string]string{}
	for i := range 1000 {
		name := fmt.Sprintf("d%d/f%d.txt", i%7, i)
		before[name], after[name] = randomFile(r), ""
		after[name] = mutated(r, before[name])
		for side, text := range map[string]string{"a": before[name], "b": after[name]} {
			path := filepath.Join(dir, side, name)
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
				t.Fatal(err)
			}
		}
	}
	cmd := exec.Command("git", "-c", "core.autocrlf=false", "diff", "--no-index", "--no-color", "--no-ext-diff", "a", "b")
	cmd.Dir = dir
	out, _ := cmd.Output() // its code says that there is a difference
	files := diff.Parse(string(out))
	if len(files) < 900 {
		t.Fatalf("only %d files differ", len(files))
	}
	sections := strings.Split(string(out), "diff --git ")[1:]
	for i, f := range files {
		name := strings.TrimPrefix(f.Path, "b/")
		got, err := diff.Apply([]byte(before[name]), f.Hunks)
		if err != nil || string(got) != after[name] || f.Broken != nil {
			t.Fatalf("%s: %v, %v\n%s", name, err, f.Broken, sections[i])
		}
		sameRule(t, f, sections[i])
	}
}

// sameRule compares with GitHub's rule, read off the text itself: a comment stands on lines
// of one hunk, on the left those with a blank or a minus, on the right a blank or a plus.
func sameRule(t *testing.T, f diff.File, section string) {
	t.Helper()
	for _, side := range []diff.Side{diff.Left, diff.Right} {
		hunkOf := map[int]int{}
		hunk, old, new, last := -1, 0, 0, 0
		for line := range strings.SplitSeq(section, "\n") {
			if strings.HasPrefix(line, "@@ -") {
				parts := strings.Fields(line)
				hunk, old, new = hunk+1, start(parts[1]), start(parts[2])
				continue
			}
			if hunk < 0 || line == "" || line[0] == '\\' {
				continue
			}
			if line[0] != '+' {
				if side == diff.Left {
					hunkOf[old], last = hunk, old
				}
				old++
			}
			if line[0] != '-' {
				if side == diff.Right {
					hunkOf[new], last = hunk, new
				}
				new++
			}
		}
		for from := 0; from <= last+2; from++ {
			for to := max(1, from); to <= min(from+4, last+2); to++ {
				h, in := hunkOf[to]
				g, begins := hunkOf[from]
				want := in && (from == 0 || begins && g == h)
				if got := f.Allows(side, from, to) == nil; got != want {
					t.Fatalf("%s %v lines %d to %d: allowed %v, want %v", f.Path, side, from, to, got, want)
				}
			}
		}
	}
}

func start(s string) int {
	s, _, ok := strings.Cut(strings.TrimLeft(s, "-+"), ",")
	n, _ := strconv.Atoi(s)
	if ok && n == 0 {
		return 1
	}
	return n
}

func randomFile(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(60) {
		b.WriteString(strings.Repeat("x", r.IntN(5)) + []string{"", "-- a", "++ b", "@@ -1 +1 @@", "\\ c", "\td"}[r.IntN(6)] + []string{"\n", "\n", "\r\n"}[r.IntN(3)])
	}
	return strings.TrimSuffix(b.String(), []string{"\n", ""}[r.IntN(2)])
}

func mutated(r *rand.Rand, text string) string {
	lines := strings.SplitAfter(text, "\n")
	for range 1 + r.IntN(5) {
		i := r.IntN(len(lines))
		switch r.IntN(3) {
		case 0:
			lines = append(lines[:i:i], lines[i+1:]...)
			if len(lines) == 0 {
				return "all is new\n"
			}
		case 1:
			lines[i] = "changed " + lines[i]
		default:
			lines = append(lines[:i:i], append([]string{"inserted\n"}, lines[i:]...)...)
		}
	}
	return strings.Join(lines, "")
}

func TestFind(t *testing.T) {
	f := diff.Parse("--- a\n+++ b\n@@ -1,4 +1,4 @@\n if x:\n-    old(1)\n+    new(1)\n \n     done()\n@@ -20,2 +20,3 @@\n if x:\n+    new(1)\n     end()\n")[0]
	for _, tt := range []struct {
		quote string
		want  []diff.Match
	}{
		{"new(1)", []diff.Match{{0, diff.Right, 2, 2, 1}, {1, diff.Right, 21, 21, 1}}},
		{"if x:\n    new(1)", []diff.Match{{0, diff.Right, 1, 2, 1}, {1, diff.Right, 20, 21, 1}}},
		{"  new(1)\n\n done()  ", []diff.Match{{0, diff.Right, 2, 4, 1}}},
		{"-    old(1)", []diff.Match{{0, diff.Left, 2, 2, 1}}},
		{"old(1)", []diff.Match{{0, diff.Left, 2, 2, 1}}},
		{"+    new(1)\n     end()", []diff.Match{{1, diff.Right, 21, 22, 1}}},
		{"done()", []diff.Match{{0, diff.Right, 4, 4, 0}}},
		{"old(1)\nnew(1)", nil}, // on two sides
		{"new(", nil},
		{"", nil},
		{" \n\t", nil},
	} {
		if d := cmp.Diff(tt.want, f.Find(tt.quote)); d != "" {
			t.Errorf("%q: %s", tt.quote, d)
		}
	}
}

func TestTextOfASide(t *testing.T) {
	f := diff.Parse("--- a\n+++ b\n@@ -1,2 +1,3 @@\n x\n-y\n+z\n+w\n")[0]
	if left, right := f.Text(diff.Left, 1, 2), f.Text(diff.Right, 2, 9); left != "x\ny" || right != "z\nw" {
		t.Errorf("%q, %q", left, right)
	}
}

func TestApplyIsStrict(t *testing.T) {
	hunks := diff.Parse("--- a\n+++ b\n@@ -2 +2 @@\n-b\n+c\n")[0].Hunks
	for old, want := range map[string]string{"a\nb\n": "a\nc\n", "a\nb\nd": "a\nc\nd"} {
		if got, err := diff.Apply([]byte(old), hunks); err != nil || string(got) != want {
			t.Errorf("%q: %q, %v", old, got, err)
		}
	}
	for old, want := range map[string]string{"a\nx\n": "line 2 is not what the hunk says", "a\nb": "line 2 is not what the hunk says", "": "a hunk begins at line 2, which is not there"} {
		if _, err := diff.Apply([]byte(old), hunks); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %q", old, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@ s\n a\n-b\n+c\n")
	f.Add("@@ -1 +1 @@\n-a\n\\ No newline\n+b\n")
	f.Add("diff --git \"a/\\303\" \"b/\\303\"\nGIT binary patch\n")
	f.Fuzz(func(t *testing.T, text string) {
		files := diff.Parse(text)
		for _, file := range files {
			for _, h := range file.Hunks {
				checkHunk(t, h)
				for _, l := range h.Lines {
					for side, n := range map[diff.Side]int{diff.Left: l.Old, diff.Right: l.New} {
						if n > 0 && !file.Combined && !file.Binary && file.Allows(side, 0, n) != nil {
							t.Fatalf("line %d of a hunk is not allowed", n)
						}
					}
				}
			}
			file.Find(text)
			diff.Apply([]byte(text), file.Hunks) //nolint:errcheck // it must not panic
		}
	})
}

// checkHunk compares a hunk with its header.
func checkHunk(t *testing.T, h diff.Hunk) {
	t.Helper()
	var got diff.Hunk
	for _, l := range h.Lines {
		for _, side := range []struct {
			n   int
			has *diff.Range
		}{{l.Old, &got.Old}, {l.New, &got.New}} {
			if side.n == 0 {
				continue
			}
			if side.has.Lines == 0 {
				side.has.Start = side.n
			}
			if side.n != side.has.Start+side.has.Lines {
				t.Fatalf("line %d follows %d", side.n, side.has.Start+side.has.Lines-1)
			}
			side.has.Lines++
		}
	}
	want := diff.Hunk{Old: h.Old, New: h.New}
	for _, pair := range [][2]*diff.Range{{&want.Old, &got.Old}, {&want.New, &got.New}} {
		if pair[0].Lines == 0 {
			pair[0].Start = 0
		}
	}
	if d := cmp.Diff(want, got, cmpopts.IgnoreFields(diff.Hunk{}, "Lines", "Section")); d != "" {
		t.Fatal(d)
	}
}

func BenchmarkParse(b *testing.B) {
	text := strings.Repeat("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,40 +1,40 @@\n"+strings.Repeat(" some line of code(with, arguments)\n", 39)+"-old\n+new\n", 2000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if n := len(diff.Parse(text)); n != 2000 {
			b.Fatal(n)
		}
	}
}
