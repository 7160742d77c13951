package triage_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/repomind/repomind/internal/github"
	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/nodes/issue/triage"
)

// all reads an issue in every way, and says what it found.
func all(is github.Issue) string {
	k := triage.Kind(is)
	sev := triage.Severity(is, k.Value)
	r := triage.Regression(is)
	v, why := triage.Version(is, "")
	return fmt.Sprint(k, sev, r.Why, r.Good, r.Bad, v, why, triage.Language(is))
}

// pieces are what makes long texts slow, once it is repeated.
var pieces = []string{
	"a", " ", "# version\n", "<!--", "1.", "1.1.1.1.", "since ", "upgrading from 1.1 to ", "used to ", "project 1.1 works ", "- 版本：", "升级到",
	"how do i ", "\"project\": {", "no response\n# a\n", "Traceback (most recent call last):\n", "\xff", "\x1b[31m", "\u202e",
}

// The reading of a megabyte is that of its first 64 KiB, so it takes no longer.
func TestLongTextIsReadInPart(t *testing.T) {
	for _, piece := range []string{"<!--", "升级到", "- 版本：", "\xff", "\u202e"} {
		start := time.Now()
		long := all(issue(piece, strings.Repeat(piece, 1<<20/len(piece))))
		if short := all(issue(piece, strings.Repeat(piece, 1<<20/len(piece))[:64<<10])); long != short {
			t.Errorf("%q is read as %.200q, and its head as %.200q", piece, long, short)
		}
		if took := time.Since(start); took > time.Minute { // it is a second, and ten under -race
			t.Errorf("%q takes %s", piece, took)
		}
	}
}

func BenchmarkLongText(b *testing.B) {
	for _, piece := range pieces {
		is := issue(piece, strings.Repeat(piece, 1<<20/len(piece)))
		b.Run(fmt.Sprintf("%q", piece), func(b *testing.B) {
			for b.Loop() {
				all(is)
			}
		})
	}
}

func TestWhatCannotBeSeenIsNotQuoted(t *testing.T) {
	is := issue("Cra\u200bsh\x1b[31m on \u202estart", "After upgrading from \x1b[1m1.2.0 to 1.3.0\xff\u200b it stopped wor\u200bking")
	if got := all(is); strings.ContainsAny(got, "\x1b\u200b\u202e") || !utf8.ValidString(got) {
		t.Errorf("%q", got)
	}
	if got := triage.Kind(is); got.Why != `it says "crash", "stopped working"` {
		t.Errorf("%q: a hidden character hides a word", got.Why)
	}
}

func TestReasonIsShort(t *testing.T) {
	is := issue(strings.Repeat("bug: ", 300), strings.Repeat("it would be nice to have ", 3000))
	is.Labels = []string{strings.Repeat("possible bug ", 1000)}
	if got := triage.Kind(is); len(got.Why) > 500 {
		t.Errorf("%d bytes: %s", len(got.Why), got.Why)
	}
}

func issue(title, body string) github.Issue {
	return github.Issue{Title: title, Body: body, Target: github.Target{Repo: source.Repo{Owner: "o", Name: "project"}}}
}

func FuzzIssue(f *testing.F) {
	f.Add("It crashes since 1.2.3", "**Version**: 1.2\n```\nx\n```<!-- y", "bug", "project")
	f.Add("\xff", strings.Repeat("version 1.", 20), "not a\x00bug", "_")
	f.Add("project 1.2", "project: 1.3.0 works, 1.4.0 does not\n## Version\n\n1.4.0-rc.1", "type: bug", "(")
	f.Add("升级到 1.2.3 后崩溃", "版本：1.2.3", "缺陷", "core")
	f.Fuzz(func(t *testing.T, title, body, label, name string) {
		is := github.Issue{Title: title, Body: body, Labels: []string{label}, Target: github.Target{Repo: source.Repo{Owner: name, Name: name}}}
		k := triage.Kind(is)
		if k.Value == "" || k.Why == "" {
			t.Errorf("the kind is %+v", k)
		}
		if sev := triage.Severity(is, k.Value); sev.Value == "" || sev.Why == "" {
			t.Errorf("the severity is %+v", sev)
		}
		if r := triage.Regression(is); !r.Is && r.Good+r.Bad+r.Why != "" || r.Is && r.Why == "" {
			t.Errorf("the regression is %+v", r)
		}
		if l := triage.Language(is); l != "en" && l != "zh" {
			t.Errorf("the language is %q", l)
		}
		checkVersion(t, is)
	})
}

// checkVersion holds that what is found is a version, and that its own tag is found.
func checkVersion(t *testing.T, is github.Issue) {
	v, why := triage.Version(is, "")
	if v == "" {
		return
	}
	if why == "" || !strings.Contains(v, ".") || strings.HasPrefix(v, "v") {
		t.Errorf("the version is %q: %q", v, why)
	}
	if tag, ok := triage.Tag(v, []string{"v" + v, "v0.0.0.9"}, ""); !ok || tag != "v"+v {
		t.Errorf("the tag of %s is %q, %v", v, tag, ok)
	}
}

func FuzzTag(f *testing.F) {
	f.Add("1.2.3", "v1.2.3 v1.2.3-rc.1 project-1.2.3", "project")
	f.Add("1.0", "rel_1_0 1 v1.0.0", "")
	f.Fuzz(func(t *testing.T, version, tags, project string) {
		all := strings.Fields(tags)
		tag, ok := triage.Tag(version, all, project)
		if ok != (tag != "") || ok && !strings.Contains(" "+strings.Join(all, " ")+" ", " "+tag+" ") {
			t.Errorf("%q, %v", tag, ok)
		}
	})
}
