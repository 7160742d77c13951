package repo

import (
	"io"
	"strings"
	"testing"
)

func FuzzParsers(f *testing.F) {
	h := strings.Repeat("ab", 20)
	f.Add([]byte(h + "\x00" + h + "\x00Ada\x001700000000\x00Subject\n\nbody\x00"))
	f.Add([]byte(h + " 1 1 1\nauthor Ada\ncommitter-time 1700000000\nsummary x\nfilename a\n\ttext\n"))
	f.Add([]byte(":100644 100644 " + h + " " + h + " M\x00a.py\x00:100644 100644 " + h + " " + h + " R100\x00a\x00b\x001\t2\ta.py\x000\t0\t\x00a\x00b\x00"))
	f.Fuzz(func(t *testing.T, out []byte) {
		parseLog(out)   //nolint:errcheck // it must not panic
		parseBlame(out) //nolint:errcheck
		parseRaw(out)   //nolint:errcheck
		parseStat(out)  //nolint:errcheck
	})
}

// FuzzPattern holds the literal search against the plain one.
func FuzzPattern(f *testing.F) {
	for _, expr := range []string{"foo", "foo|bar", `^\s*def (a|bc)\(`, "fo+", "(foo)?bar", "x{2,3}", "(?i)foo", "[ab]c", "$", "foo$", "a|b|", "(?i)sk", "(?i:fo)O|aC"} {
		f.Add(expr, "def a(x)\nfoo bar\r\nFOO\n\nxx ac\nfoo ſk\u212aS")
	}
	f.Fuzz(func(t *testing.T, expr, text string) {
		p, err := compile(expr, false)
		if err != nil {
			return
		}
		var got, want []string
		p.lines([]byte(text), func(start, end int) { got = append(got, text[start:end]) })
		for line := range strings.Lines(text) {
			line = strings.TrimSuffix(line, "\n")
			if p.re.MatchString(strings.TrimSuffix(line, "\r")) {
				want = append(want, line)
			}
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") || len(got) != len(want) {
			t.Errorf("%q in %q: %q, want %q", expr, text, got, want)
		}
	})
}

func FuzzGlob(f *testing.F) {
	f.Add("src/**/x*.go", "src/a/b/x1.go")
	f.Fuzz(func(t *testing.T, glob, path string) { globber(glob)(path) })
}

func TestGlobs(t *testing.T) {
	for _, tt := range []struct {
		glob, path string
		want       bool
	}{
		{"*.py", "a/b.py", true}, {"*.py", "a/b.pyc", false}, {"a/*.py", "a/b.py", true}, {"a/*.py", "a/c/b.py", false},
		{"a/**/b.py", "a/b.py", true}, {"a/**/b.py", "a/x/y/b.py", true}, {"**/b.py", "b.py", true}, {"a/**", "a/b/c", true},
		{"**/x/**/y", "a/x/b/x/c/y", true}, {"**/x/**/y", "a/y/x", false}, {"./a/?.py", "a/b.py", true}, {"a/**", "b/c", false},
	} {
		if got := globber(tt.glob)(tt.path); got != tt.want {
			t.Errorf("%s on %s: %v", tt.glob, tt.path, got)
		}
	}
}

// TestTailHasABound: however it is written to, also by io.Copy, which looks for ways
// around Write.
func TestTailHasABound(t *testing.T) {
	out := &tail{max: 5}
	if _, err := io.Copy(out, strings.NewReader(strings.Repeat("x", 1<<20)+"end.")); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); got != "xend." {
		t.Errorf("%.40q, want the last five bytes", got)
	}
}
