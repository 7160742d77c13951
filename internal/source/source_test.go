package source_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/source"
)

func TestRepo(t *testing.T) {
	for _, tt := range []struct{ host, owner, name, want, url, err string }{
		{"", "python", "mypy", "python/mypy", "https://github.com/python/mypy.git", ""},
		{"GitHub.com", "a", "b.c", "a/b.c", "https://github.com/a/b.c.git", ""},
		{"git.corp:8443", "a", "b", "git.corp:8443/a/b", "https://git.corp:8443/a/b.git", ""},
		{"", "a", "..", "", "", `".." is not the name of a repository`},
		{"", "a", "b.git", "", "", `"b.git" is not the name of a repository`},
		{"", "-upload-pack=x", "b", "", "", `"-upload-pack=x" is not the name of a GitHub user or organisation`},
		{"", "a/b", "c", "", "", `"a/b" is not the name of a GitHub user or organisation`},
		{"ho st", "a", "b", "", "", `"ho st" is not a host name`},
		{"user@host", "a", "b", "", "", `"user@host" is not a host name`},
	} {
		r, err := source.NewRepo(tt.host, tt.owner, tt.name)
		if message(err) != tt.err {
			t.Errorf("NewRepo(%q, %q, %q): error %q, want %q", tt.host, tt.owner, tt.name, message(err), tt.err)
		}
		if err == nil && (r.String() != tt.want || r.URL() != tt.url) {
			t.Errorf("NewRepo(%q, %q, %q) = %s at %s, want %s at %s", tt.host, tt.owner, tt.name, r, r.URL(), tt.want, tt.url)
		}
	}
}

func TestParseCommit(t *testing.T) {
	hash := strings.Repeat("aB", 20)
	c, err := source.ParseCommit(hash)
	if err != nil || string(c) != strings.ToLower(hash) || c.Short() != "abababababab" {
		t.Errorf("ParseCommit(%s) = %s (%s), %v", hash, c, c.Short(), err)
	}
	for _, bad := range []string{"", "HEAD", "abc1234", hash + "0", hash[:39] + "g", "--output=x"} {
		if c, err := source.ParseCommit(bad); err == nil {
			t.Errorf("ParseCommit(%q) = %s", bad, c)
		}
	}
}

func TestCleanPath(t *testing.T) {
	for _, tt := range []struct{ in, want, err string }{
		{"a/b.go", "a/b.go", ""},
		{"/a//b/./c/../d", "a/b/d", ""},
		{`a\b.py`, "a/b.py", ""},
		{"", "", ""},
		{".", "", ""},
		{"/", "", ""},
		{"...", "...", ""},
		{"..", "", `the path ".." leads out of the repository`},
		{"a/../../b", "", `the path "a/../../b" leads out of the repository`},
		{`..\b`, "", `the path "../b" leads out of the repository`},
		{"a\x00b", "", `the path "a\x00b" holds a zero byte`},
	} {
		if got, err := source.CleanPath(tt.in); got != tt.want || message(err) != tt.err {
			t.Errorf("CleanPath(%q) = %q, %q; want %q, %q", tt.in, got, message(err), tt.want, tt.err)
		}
	}
}

func TestSpan(t *testing.T) {
	for _, tt := range []struct {
		span source.Span
		text string
	}{
		{source.Span{Path: "a/b.go"}, "a/b.go"},
		{source.Span{Path: "a/b.go", Start: 3, End: 3}, "a/b.go:3"},
		{source.Span{Path: "a/b.go", Start: 3, End: 14}, "a/b.go:3-14"},
		{source.Span{Path: "with space.go", Start: 1, End: 1}, "with space.go:1"},
		{source.Span{Path: "a\n\x1b[31mb", Start: 1, End: 1}, `"a\n\x1b[31mb":1`},
		{source.Span{Path: "b.go:7"}, `"b.go:7"`},
		{source.Span{Path: "b.go:7", Start: 2, End: 5}, `"b.go:7":2-5`},
		{source.Span{Path: "bad\xffutf8", Start: 1, End: 1}, `"bad\xffutf8":1`},
		{source.Span{Path: `q"uote`}, `"q\"uote"`},
	} {
		if got := tt.span.String(); got != tt.text {
			t.Errorf("%#v is %s, want %s", tt.span, got, tt.text)
		}
		back, err := source.ParseSpan(tt.text)
		if diff := cmp.Diff(tt.span, back); err != nil || diff != "" {
			t.Errorf("ParseSpan(%s): %v %s", tt.text, err, diff)
		}
	}
	for _, bad := range []string{"a:0", "a:5-3", ":3", `"a`, `"a"x`, `"a":3:4`} {
		if got, err := source.ParseSpan(bad); err == nil {
			t.Errorf("ParseSpan(%s) = %#v", bad, got)
		}
	}
}

func FuzzParseSpan(f *testing.F) {
	f.Add("a/b.go:3-14")
	f.Add(`"a\n":1`)
	f.Fuzz(func(t *testing.T, s string) {
		span, err := source.ParseSpan(s)
		if err != nil {
			return
		}
		back, err := source.ParseSpan(span.String())
		if diff := cmp.Diff(span, back); err != nil || diff != "" {
			t.Errorf("%q gives %#v, written %s, read %v %s", s, span, span, err, diff)
		}
	})
}

func TestEdits(t *testing.T) {
	for _, tt := range []struct {
		a, b        string
		limit, want int
	}{
		{"", "", 0, 0}, {"queue", "queue", 2, 0}, {"quue", "queue", 2, 1}, {"qeuue", "queue", 2, 1}, {"kitten", "sitting", 5, 3},
		{"kitten", "sitting", 2, 3}, {"a", "abcdef", 2, 3}, {strings.Repeat("a", 101), strings.Repeat("a", 101), 5, 6},
	} {
		if got := source.Edits(tt.a, tt.b, tt.limit); got != tt.want {
			t.Errorf("Edits(%s, %s, %d) = %d, want %d", tt.a, tt.b, tt.limit, got, tt.want)
		}
	}
}

func TestLanguageOf(t *testing.T) {
	for _, tt := range []struct {
		name, head string
		want       source.Language
	}{
		{"a/B.PY", "", source.Python},
		{"x.d.ts", "", source.TypeScript},
		{"bin/run", "#!/usr/bin/env python3\nimport os", source.Python},
		{"bin/run", "#!/bin/sh\n", source.Shell},
		{"bin/run", "plain", ""},
		{"data.json", "#!/usr/bin/python", ""},
	} {
		if got := source.LanguageOf(tt.name, []byte(tt.head)); got != tt.want {
			t.Errorf("LanguageOf(%s, %q) = %q, want %q", tt.name, tt.head, got, tt.want)
		}
	}
}

func TestRoleOf(t *testing.T) {
	for path, want := range map[string]source.Role{
		"mypy/checker.py":                   source.Code,
		"mypy/test/testcheck.py":            source.Test,
		"mypy/typeshed/stdlib/os.pyi":       source.Vendored,
		"src/app.test.ts":                   source.Test,
		"scrape/manager_test.go":            source.Test,
		"src/main/java/a/FooTest.java":      source.Test,
		"src/main/java/a/Latest.go":         source.Code,
		"docs/intro.md":                     source.Doc,
		"docs/source/html_builder.py":       source.Doc,
		"examples/x.go":                     source.Example,
		"web/node_modules/a/b.js":           source.Vendored,
		"setup.cfg":                         source.Other,
		"contest.py":                        source.Code,
		"testing.py":                        source.Code,
		"prompb/types.pb.go":                source.Vendored,
		"cmd/prometheus/testdata/conf.good": source.Test,
	} {
		if got := source.RoleOf(path); got != want {
			t.Errorf("RoleOf(%s) = %s, want %s", path, got, want)
		}
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
