package report

import (
	"regexp"
	"strings"
	"testing"
)

func TestNeutral(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"mention", "@me and a@b.c", "@<!-- -->me and a@<!-- -->b.c"},
		{"reference", "fixes #1, o/r#22, GH-3", "fixes #<!-- -->1, o/r#<!-- -->22, GH-<!-- -->3"},
		{"link", "[x](http://a) www.b.c", `\[x\](http:<!-- -->//a) www<!-- -->.b.c`},
		{"markup", "![i](x) <b> &amp; a_b **c** ~~d~~ $x$", `!\[i\](x) &lt;b&gt; &amp;amp; a\_b \*\*c\*\* \~\~d\~\~ \$x\$`},
		{"code", "`@me` ``a`b`` c", "`@me` ``a`b`` c"},
		{"code that is open", "`@me\n`#1", "\\`@<!-- -->me\n\\`#<!-- -->1"},
		{"a backslash before code", "\\`@me`", "\\\\`@me`"},
		{"code over paragraphs", "a ``` b\n\n@me ```", "a \\`\\`\\` b\n\n@<!-- -->me \\`\\`\\`"},
		{"block", " ```py\n@me\n```` \nx", "```py\n@me\n```\nx"},
		{"block in block", "````\n```\n@me\n````", "````\n```\n@me\n````"},
		{"block that is open", "```\n@me", "&#96;&#96;&#96;\n@<!-- -->me"},
		{"block in a list", "- ```\n  @me\n  ```", "&#45; &#96;&#96;&#96;\n  @<!-- -->me\n  &#96;&#96;&#96;"},
		{"block that is drawn", "```mermaid\nA-->B\n```", "```\nA-->B\n```"},
		{"heading", "# a\nb\n---", "\\# a\nb\n&#45;&#45;&#45;"},
		{"list", "* a\n- b\n     1. c\n-   # d", "- a\n- b\n   1. c\n- \\# d"},
		{"table", "a | b\n:-|-\n`c|@me`|d", "a &vert; b\n&#58;&#45;&#124;&#45;\n`c|@me`&vert;d"},
	} {
		if got := neutral(tt.in); got != tt.want {
			t.Errorf("%s: %q is %q, want %q", tt.name, tt.in, got, tt.want)
		}
	}
}

func TestCell(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"a | b\n\\| c", "a &vert; b \\\\&vert; c"},
		{"`a`, `b|c`", "`a`, <code>b&#124;c</code>"},
		{"`\\|@me`", "<code>&#92;&#124;@<!-- -->me</code>"},
	} {
		if got := cell(tt.in); got != tt.want {
			t.Errorf("%q is %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestCode(t *testing.T) {
	for in, want := range map[string]string{"": "", "a": "`a`", "a`b": "`` a`b ``", "``": "``` `` ```", "a\n b": "`a b`"} {
		if got := code(in); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
}

// live finds what GitHub would act on.
var live = regexp.MustCompile(`@[A-Za-z0-9]|#\d|(?i:GH-\d)|(?:^|[^\\])[\[\]]|://|(?i:www\.)|<[^!]|\|`)

// withoutCode is Markdown without its code, read as CommonMark has it, line by line.
func withoutCode(t *testing.T, markdown string) string {
	t.Helper()
	var b strings.Builder
	ticks := ""
	for line := range strings.Lines(markdown) {
		switch trimmed := strings.TrimRight(line, "\n"); {
		case ticks != "":
			if trimmed == ticks {
				ticks = ""
			}
		case opener.MatchString(trimmed):
			ticks = trimmed[:len(trimmed)-len(strings.TrimLeft(trimmed, "`"))]
		default:
			b.WriteString(unspanned(line))
		}
	}
	if ticks != "" {
		t.Errorf("a block stays open: %q", markdown)
	}
	return encoded.ReplaceAllString(b.String(), "")
}

// encoded are signs written as numbers, and the code that is made of them.
var encoded = regexp.MustCompile("<code>(?:&#[0-9]+;|@<!-- -->|[^!-/:-@\\[-`{-~])*</code>|&#[0-9]+;")

// unspanned is a line without its code. Backslashes count outside of code only.
func unspanned(line string) string {
	var b strings.Builder
	for i := 0; i < len(line); {
		switch {
		case line[i] == '\\':
			b.WriteString(line[i:min(i+2, len(line))])
			i += 2
		case line[i] == '`':
			n := len(line[i:]) - len(strings.TrimLeft(line[i:], "`"))
			end := closing(line[i+n:], n)
			if end < 0 {
				return b.String() + "OPEN @me" // it could end on another line
			}
			b.WriteByte(0) // what stands around it does not touch
			i += n + end + n
		default:
			b.WriteByte(line[i])
			i++
		}
	}
	return b.String()
}

func FuzzNeutral(f *testing.F) {
	for _, s := range []string{
		"@me fixes #1 `code` ![x](http://a) <b>", "``a ` b`` ` unclosed\n\n`x`", "a ``` b\n\n@me ```", "- ```\n@me\n```", "```\n@me\n````\n#1",
		"`\\|@me`", "|a|\n|-|\n|`x|@me`|", "\\`@me\\`", "_www.a.b\u200b@\u200bme", "\x1b[1m#\x1b[0m1", "~~~\n`\n~~~\n@me`", "> `\n@me`", "    `\n@me`",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, got := range []string{neutral(s), cell(s), inline(oneLine(s), false)} {
			if bad := live.FindString(withoutCode(t, got)); bad != "" {
				t.Errorf("%q gives %q, which has %q", s, got, bad)
			}
		}
		if c := cell(s); strings.ContainsAny(c, "\n|") {
			t.Errorf("the cell %q of %q ends early", c, s)
		}
	})
}
