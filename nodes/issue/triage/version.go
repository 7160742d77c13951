package triage

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/repomind/repomind/internal/github"
)

// Version gives the version of the project that an issue names, without a v before it,
// and the line that does. A version of something else, or one that is not clearly of the
// project, is none.
//
// project is the repository's name, "" for that of the issue's target. A version that is
// said to have worked is not the one to look at: then it is the first that did not.
func Version(is github.Issue, project string) (version, why string) {
	return read(is).version(namesOf(is.Target.Repo, project))
}

func (t text) version(n names) (version, why string) {
	version, why = t.stated(n)
	r := t.regression(n)
	bad := strings.TrimLeft(r.Bad, "vV")
	if version != "" && same(version, r.Good) || bad != "" && (version == "" || older(version, bad)) {
		version, why = bad, r.Why
		if !strings.Contains(why, bad) {
			why += fmt.Sprintf("; %s is said not to", bad)
		}
	}
	return version, strings.Join(strings.Fields(why), " ")
}

func same(a, b string) bool { return strings.TrimLeft(a, "vV") == strings.TrimLeft(b, "vV") }

// stated takes the form first, then what the machine printed, then what people say.
func (t text) stated(n names) (version, why string) {
	for _, part := range []string{t.facts, t.prose} {
		if v, line := fieldIn(part, n); v != "" {
			return v, line
		}
	}
	if len(n) == 0 {
		return "", ""
	}
	m := newMention(n)
	for _, part := range []string{t.facts, t.title, t.prose, t.code} {
		if v, said := m.in(part); v != "" {
			return v, said
		}
	}
	return "", ""
}

// mention finds the project's name with a number: "mypy 1.2.0", "requests==2.28.0",
// "celery:5.0.5", "pytest-5.4.1", and "requests": {"version": "2.27.0"}.
type mention struct{ said, object *regexp.Regexp }

func newMention(n names) mention {
	var all []string
	for _, name := range n {
		all = append(all, regexp.QuoteMeta(name))
	}
	name := `(?:` + strings.Join(all, "|") + `)`
	const between = "(?:[*_\"'`]{0,2}[ \t]*(?:[:=,(@]{1,2}|->)?[ \t]*[\"'`(\\[]?|-|[ \t]+-[ \t]+)(?:--version|version|ver\\.?|release)?[ \t:=*`]{0,5}"
	return mention{
		said:   regexp.MustCompile(fmt.Sprintf(`(?im)(?:^|[^\w\-/@.?&])%s(?:\.js)?%sv?(%s)`, name, between, number)),
		object: regexp.MustCompile(fmt.Sprintf(`(?i)"%s":\s*\{\s*"version":\s*"v?(%s)"`, name, number)),
	}
}

var (
	// past are words before a number that was, or will be; fine are those after one that
	// has not the fault.
	past = regexp.MustCompile(`(?i)(?:\b(?:for|until|before|prior to|than|planned|works?|worked|fine|fixed|found existing installation|uninstall\w*|downgrad\w+)\b[\s:]*(?:in|with|on|to)?|(?:^|[^-])[<>]=?)\W*$`)
	fine = regexp.MustCompile(`(?i)^\W{0,3}(?:(?:and|or) (?:earlier|before|below|older)[^.\n]{0,20}\b(?:fine|ok|unaffected|work\w*)|(?:was |is |works?\b|worked\b|are )[^.\n]{0,15}(?:fine|ok\b|unaffected|not affected|well|correct\w*|expected)|did(?:n[’']t| not)|works\b|worked\b)`)
)

func (m mention) in(part string) (version, said string) {
	for _, at := range m.said.FindAllStringSubmatchIndex(part, 200) {
		before, after := part[max(0, at[0]-40):at[0]], part[at[3]:min(len(part), at[3]+60)]
		if ends(part, at[3]) && !past.MatchString(before) && !fine.MatchString(after) {
			return part[at[2]:at[3]], strings.TrimLeft(part[at[0]:at[3]], " \t\n\"'`(*,")
		}
	}
	if at := m.object.FindStringSubmatchIndex(part); at != nil {
		return part[at[2]:at[3]], part[at[0]:at[1]]
	}
	return "", ""
}
