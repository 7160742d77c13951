package github_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/github"
)

func TestClosingKeywords(t *testing.T) {
	for body, want := range map[string]string{
		"close #1, closes #2, closed #3, fix #4, fixes #5, fixed #6, resolve #7, resolves #8, RESOLVED: #9": "o/r#1 o/r#2 o/r#3 o/r#4 o/r#5 o/r#6 o/r#7 o/r#8 o/r#9",
		"Fixes x/y.z#12 and fixes #12, fixes #12.":                                                          "x/y.z#12 o/r#12",
		"fixes https://github.com/o/r/issues/4#issuecomment-1, closes http://github.com/a/b/issues/5.":      "o/r#4 a/b#5",
		"fixes https://github.com/o/r/pull/4 closes https://evil.example/o/r/issues/5":                      "",
		"fixing #1 prefixes #2 fixes#3 fixes 4 fixes #x fixes: see #5 #6":                                   "",
		"`fixes #1` <!-- fixes #2 -->\n```\nfixes #3\n```\nfixes #0 fixes #99999999999":                     "",
		"Fixes #1a fixes\n#2": "",
	} {
		f := newFake(t)
		f.on("/repos/o/r/pulls/7", ok(fmt.Sprintf(`{"title": "T", "body": %q, "html_url": "https://github.com/o/r/pull/7", "base": {"sha": "%s"}, "head": {"sha": "%s"}}`, body, base40, head40)))
		for _, part := range []string{"files", "commits", "reviews", "comments"} {
			f.on("/repos/o/r/pulls/7/"+part+"?page=1&per_page=100", ok(`[]`))
		}
		f.rest()
		p, err := f.new(github.Config{}).PullRequest(t.Context(), target(github.KindPull))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, l := range p.Linked {
			got = append(got, fmt.Sprintf("%s#%d", l.Target.Repo, l.Target.Number))
		}
		if diff := cmp.Diff(want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%q (-want +got):\n%s", body, diff)
		}
	}
}
