package stacktrace_test

import (
	"fmt"
	"html"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/stacktrace"
)

// noises are what people and loggers put around a trace.
var noises = map[string]func(string) string{
	"fence":          func(s string) string { return "It crashes:\n\n```\n" + s + "```\nThanks!\n" },
	"named fence":    func(s string) string { return "```python-traceback\n" + s + "```\n" },
	"tilde fence":    func(s string) string { return "~~~text\n" + s + "~~~\n" },
	"on the fence":   func(s string) string { return "```" + s + "```\n" },
	"pre":            func(s string) string { return "<details><summary>log</summary>\n<pre>\n" + s + "</pre></details>\n" },
	"quoted":         each("> "),
	"quoted twice":   each("> > "),
	"quoted tight":   each(">"),
	"quoted fence":   func(s string) string { return each("> ")("```\n" + s + "```\n") },
	"indented":       each("    "),
	"list item":      func(s string) string { return "- " + strings.TrimPrefix(each("  ")(s), "  ") },
	"numbered item":  func(s string) string { return "1. " + strings.TrimPrefix(each("   ")(s), "   ") },
	"CRLF":           func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
	"colours":        coloured("\x1b[31;1m", "\x1b[0m"),
	"lost escapes":   coloured("[31;1m", "[0m"),
	"written escape": coloured(`\x1b[31m`, `\x1b[0m`),
	"entities":       html.EscapeString,
	"trailing space": func(s string) string { return strings.ReplaceAll(s, "\n", "   \n") },
	"ISO time":       each("2024-05-06T07:08:09.123Z "),
	"time and level": each("[2024-05-06 07:08:09 INFO] "),
	"level":          each("[ERROR] "),
	"compose":        each("web_1  | "),
	"compose time":   each("web-1 | 2024-05-06 07:08:09,123 ERROR "),
	"celery":         each("[2024-05-06 07:08:09,123: ERROR/MainProcess] "),
	"syslog":         each("May  6 07:08:09 host shop[42]: "),
	"heroku":         each("2024-05-06T07:08:09.123456+00:00 app[web.1]: "),
	"logcat":         each("05-06 07:08:09.123  1234  1260 E AndroidRuntime: "),
	"pytest's own":   each("INTERNALERROR> "),
	"docker build":   each("#12 0.345 "),
	"quoted log":     func(s string) string { return each("> ")(each("[2024-05-06T07:08:09.123Z] ")(s)) },
	"prose around": func(s string) string {
		return "When I open the shop, at 10:30:15 or so, this happens:\n\n" + s + "\n\nError handling (see cart.py:12) is fine. It was introduced at v1.2:3.\n"
	},
}

// each puts a prefix before every line.
func each(prefix string) func(string) string {
	return func(s string) string {
		return prefix + strings.ReplaceAll(strings.TrimSuffix(s, "\n"), "\n", "\n"+prefix) + "\n"
	}
}

func coloured(on, off string) func(string) string {
	return func(s string) string {
		return on + strings.ReplaceAll(strings.TrimSuffix(s, "\n"), "\n", off+"\n"+on) + off + "\n"
	}
}

// TestNoise wants the same traces from a dressed text as from the clean one.
func TestNoise(t *testing.T) {
	for _, name := range archives(t) {
		for _, in := range parse(t, name).Files {
			if strings.HasSuffix(in.Name, ".want") {
				continue
			}
			want := content(stacktrace.Parse(string(in.Data)))
			for noise, dress := range noises {
				if diff := cmp.Diff(want, content(stacktrace.Parse(dress(string(in.Data))))); diff != "" {
					t.Errorf("%s, %s, %s (-want +got):\n%s", name, in.Name, noise, diff)
				}
			}
		}
	}
}

// content is what a trace says wherever it stands.
func content(r stacktrace.Result) []string {
	var all []string
	for i, t := range r.Traces {
		all = append(all, fmt.Sprint(i, ": ", told(t)))
	}
	return all
}

// TestCutOff cuts each text at every line, from both ends: no frame may come up
// that the whole text does not have.
func TestCutOff(t *testing.T) {
	for _, name := range archives(t) {
		for _, in := range parse(t, name).Files {
			if strings.HasSuffix(in.Name, ".want") {
				continue
			}
			known := places(string(in.Data))
			lines := strings.SplitAfter(string(in.Data), "\n")
			for i := range lines {
				for _, part := range []string{strings.Join(lines[:i], ""), strings.Join(lines[i:], "")} {
					for p := range places(part) {
						if !known[p] {
							t.Errorf("%s, %s, cut at line %d: new frame %s", name, in.Name, i, p)
						}
					}
				}
			}
		}
	}
}

func places(s string) map[string]bool {
	all := map[string]bool{}
	for _, t := range stacktrace.Parse(s).Traces {
		for _, f := range t.Frames {
			if f.File != "" && f.Line > 0 {
				all[fmt.Sprintf("%s:%d:%d", filepath.Base(f.File), f.Line, f.Column)] = true // a panic prints src/x.rs, its backtrace ./src/x.rs
			}
		}
	}
	return all
}
