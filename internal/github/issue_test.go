package github_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/github"
	"github.com/repomind/repomind/internal/source"
)

func TestIssue(t *testing.T) {
	f := newFake(t)
	a := f.load("issue.txtar")
	i, err := f.new(github.Config{}).Issue(t.Context(), target(github.KindUnknown))
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "issue.txtar", a, i)
	stored(t, i)
}

func TestPullRequest(t *testing.T) {
	f := newFake(t)
	a := f.load("pull.txtar")
	p, err := f.new(github.Config{}).PullRequest(t.Context(), target(github.KindPull))
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "pull.txtar", a, p)
	stored(t, p)
}

// stored checks that v is the same after a way through JSON.
func stored[T any](t *testing.T, v T) {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var back T
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(v, back); diff != "" {
		t.Errorf("after JSON (-before +after):\n%s", diff)
	}
}

func TestResolve(t *testing.T) {
	f := newFake(t)
	f.on(issue7, ok(`{"number": 8, "title": "T", "html_url": "https://github.com/new/r/pull/8", "pull_request": {"url": "u"}}`))
	got, err := f.new(github.Config{}).Resolve(t.Context(), target(github.KindIssue))
	want := github.Target{Repo: source.Repo{Owner: "new", Name: "r"}, Number: 8, Kind: github.KindPull}
	if got != want || err != nil {
		t.Errorf("Resolve = %v, %v; want %v", got, err, want)
	}
}

func TestResolveRefusesAnAddressOfAnotherHost(t *testing.T) {
	f := newFake(t)
	f.on(issue7, ok(strings.ReplaceAll(bare, "github.com", "evil.example")))
	_, err := f.new(github.Config{}).Resolve(t.Context(), target(github.KindIssue))
	want := `read github.com/o/r/issues/7: "https://evil.example/o/r/issues/7": GitHub gives it an address that is none of an issue or a pull request`
	if message(err) != want {
		t.Errorf("error %q, want %q", message(err), want)
	}
}

// An answer that is or holds null, as of a proxy, is no harm.
func TestNullsInAnswersArePassedOver(t *testing.T) {
	f := newFake(t)
	f.on(issue7, ok(`{"title": "T", "html_url": "https://github.com/o/r/issues/7", "user": null, "labels": [null]}`))
	f.on(comments7, ok(`[null, {"id": 3, "user": null, "body": "B"}]`))
	f.on(timeline7, ok(`[null, {"event": "cross-referenced", "source": null}]`))
	i, err := f.new(github.Config{}).Issue(t.Context(), target(github.KindIssue))
	if err != nil {
		t.Fatal(err)
	}
	ghost := github.Author{Login: "ghost"}
	want := github.Issue{Target: target(github.KindIssue), Title: "T", Author: ghost, Comments: []github.Comment{{ID: 3, Author: ghost, Body: "B"}}}
	if diff := cmp.Diff(want, i); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	f.on("/repos/o/r/pulls/7", ok(`{"title": "T", "html_url": "https://github.com/o/r/pull/7", "base": {"sha": "`+base40+`"}, "head": {"sha": "`+base40+`"}}`))
	for _, part := range []string{"files", "commits", "reviews", "comments"} {
		f.on("/repos/o/r/pulls/7/"+part+"?page=1&per_page=100", ok(`[null]`))
	}
	f.rest()
	if _, err := f.new(github.Config{}).PullRequest(t.Context(), target(github.KindPull)); err != nil {
		t.Fatal(err)
	}
}

func TestNullIsNoIssue(t *testing.T) {
	f := newFake(t)
	f.on(issue7, ok(`null`))
	_, err := f.new(github.Config{}).Issue(t.Context(), target(github.KindIssue))
	want := `read github.com/o/r/issues/7: GitHub gives it an address that is none of an issue or a pull request`
	if message(err) != want {
		t.Errorf("error %q, want %q", message(err), want)
	}
}

func TestAClientServesOneHost(t *testing.T) {
	f := newFake(t)
	there := target(github.KindIssue)
	there.Repo.Host = "git.corp.example"
	_, err := f.new(github.Config{}).Issue(t.Context(), there)
	want := `read git.corp.example/o/r/issues/7: another host: this client is for github.com; for a server of your own set GH_HOST=git.corp.example`
	if message(err) != want || !errors.Is(err, github.ErrHost) {
		t.Errorf("error %q, want %q", message(err), want)
	}
	for _, bad := range []github.Target{{}, {Repo: source.Repo{Owner: "..", Name: "r"}, Number: 1}, {Repo: source.Repo{Owner: "o", Name: "r"}, Number: -1}} {
		if _, err := f.new(github.Config{}).PullRequest(t.Context(), bad); err == nil {
			t.Errorf("%+v was read", bad)
		}
	}
}

func TestCommentsAreBounded(t *testing.T) {
	f := newFake(t)
	f.on(issue7, ok(strings.Replace(bare, `"title"`, `"comments": 450, "title"`, 1)))
	for page := range 2 {
		f.on(fmt.Sprintf("/repos/o/r/issues/7/comments?page=%d&per_page=100", page+1), ok(numbered(100*page, 100, `{"id": %d}`), next("/c", page+2)))
	}
	f.on(timeline7, ok(`[]`))
	i, err := f.new(github.Config{MaxComments: 150}).Issue(t.Context(), target(github.KindIssue))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(i.Comments); n != 150 || i.Comments[149].ID != 149 {
		t.Errorf("%d comments, want 150", n)
	}
	if diff := cmp.Diff([]string{"Only 150 of 450 comments were read."}, i.Incomplete); diff != "" {
		t.Error(diff)
	}
}

// Pages that are empty but promise another one come to an end too.
func TestEndlessPagesEnd(t *testing.T) {
	f := newFake(t)
	f.on(issue7, ok(bare))
	for page := range 2 {
		f.on(fmt.Sprintf("/repos/o/r/issues/7/comments?page=%d&per_page=100", page+1), ok(`[]`, next("/c", 1)))
	}
	f.on(timeline7, ok(`[]`))
	i, err := f.new(github.Config{MaxComments: 200}).Issue(t.Context(), target(github.KindIssue))
	if diff := cmp.Diff([]string{"Only 0 of 0 comments were read."}, i.Incomplete); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

func TestAFailingPartIsToldAndTheRestIsKept(t *testing.T) {
	f := newFake(t)
	f.on(issue7, ok(bare))
	f.on(comments7, ok(`[{"id": 1, "body": "kept"}]`))
	f.on(timeline7, reply(404, `{"message": "Not Found"}`))
	i, err := f.new(github.Config{}).Issue(t.Context(), target(github.KindIssue))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{`Not all could be read: read the timeline of github.com/o/r/issues/7: not found: HTTP status 404: "Not Found": it does not exist, or its repository is private and needs a token: set GH_TOKEN.`}
	if diff := cmp.Diff(want, i.Incomplete); diff != "" || len(i.Comments) != 1 {
		t.Errorf("%d comments, %s", len(i.Comments), diff)
	}
}

func TestMissingCommentsAreTold(t *testing.T) {
	f := newFake(t)
	f.on(issue7, ok(strings.Replace(bare, `"title"`, `"comments": 3, "title"`, 1)))
	f.on(comments7, ok(`[{"id": 1}]`))
	f.on(timeline7, ok(`[]`))
	i, err := f.new(github.Config{}).Issue(t.Context(), target(github.KindIssue))
	if diff := cmp.Diff([]string{"Only 1 of 3 comments were read."}, i.Incomplete); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

func TestTheStrongerLinkIsKept(t *testing.T) {
	f := newFake(t)
	source := func(event string, number int) string {
		return fmt.Sprintf(`{"event": %q, "source": {"issue": {"number": %d, "title": "P", "html_url": "https://github.com/o/r/pull/%[2]d"}}}`, event, number)
	}
	f.on(issue7, ok(bare))
	f.on(comments7, ok(`[]`))
	f.on(timeline7, ok("["+strings.Join([]string{
		source("cross-referenced", 1), source("connected", 1), source("connected", 2), source("cross-referenced", 2),
		`{"event": "connected"}`, `{"event": "disconnected"}`, `{"event": "closed", "commit_id": null}`,
	}, ",")+"]"))
	i, err := f.new(github.Config{}).Issue(t.Context(), target(github.KindIssue))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, l := range i.Linked {
		got = append(got, fmt.Sprintf("%s %d %s", l.How, l.Target.Number, l.Title))
	}
	if diff := cmp.Diff([]string{"connected 1 P", "connected 2 P"}, got); diff != "" || i.Incomplete != nil {
		t.Error(diff, i.Incomplete)
	}
}

func TestWhole(t *testing.T) {
	const patch = "@@ -1,2 +1,3 @@\n-a\n+++ b\n+c\n d\n\\ No newline at end of file"
	for _, tt := range []struct {
		f    github.File
		want bool
	}{
		{github.File{Additions: 2, Deletions: 1, Patch: patch}, true},
		{github.File{Additions: 3, Deletions: 1, Patch: patch}, false},
		{github.File{Additions: 2, Deletions: 2, Patch: patch}, false},
		{github.File{Additions: 1}, false},
		{github.File{}, true},
	} {
		if got := tt.f.Whole(); got != tt.want {
			t.Errorf("%+v: %t", tt.f, got)
		}
	}
}

func TestImagesAreBounded(t *testing.T) {
	f := newFake(t)
	var body strings.Builder
	for n := range 101 {
		fmt.Fprintf(&body, "![](https://example.com/%d) ", n)
	}
	f.on(issue7, ok(strings.Replace(bare, `"title"`, fmt.Sprintf(`"body": %q, "title"`, body.String()), 1)))
	f.rest()
	i, err := f.new(github.Config{}).Issue(t.Context(), target(github.KindIssue))
	if diff := cmp.Diff([]string{"Only the first 100 of 101 images are listed."}, i.Incomplete); diff != "" || err != nil || len(i.Images) != 100 {
		t.Error(len(i.Images), diff, err)
	}
}

const (
	base40 = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	head40 = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
)

// pull queues a pull request with so many files and commits, of which the server
// lists some.
func (f *fake) pull(files, listed, commits, given int) {
	f.on("/repos/o/r/pulls/7", ok(fmt.Sprintf(`{"number": 7, "title": "T", "html_url": "https://github.com/o/r/pull/7", "changed_files": %d, "commits": %d,
		"base": {"sha": "%s"}, "head": {"sha": "%s"}}`, files, commits, base40, head40)))
	f.pages("/repos/o/r/pulls/7/files", listed, `{"filename": "f%d.go", "status": "added"}`)
	f.pages("/repos/o/r/pulls/7/commits", given, `{"sha": "`+head40+`", "commit": {"message": "%d"}}`)
	f.rest()
	f.on("/repos/o/r/pulls/7/reviews?page=1&per_page=100", ok(`[]`))
	f.on("/repos/o/r/pulls/7/comments?page=1&per_page=100", ok(`[]`))
}

func (f *fake) pages(address string, n int, format string) {
	for page, first := 1, 0; first < n; page, first = page+1, first+100 {
		var link []string
		if first+100 < n {
			link = append(link, next(address, page+1))
		}
		f.on(fmt.Sprintf("%s?page=%d&per_page=100", address, page), ok(numbered(first, min(100, n-first), format), link...))
	}
}

// GitHub lists 3,000 files and 250 commits of a pull request at most, without a
// word when there are more.
func TestCapsOfTheAPIAreTold(t *testing.T) {
	for _, tt := range []struct {
		files, listed, commits, given int
		want                          []string
	}{
		{301, 301, 250, 250, nil},
		{3000, 3000, 1, 1, nil},
		{3001, 3000, 251, 250, []string{
			"3000 of 3001 changed files were read; GitHub gives 3000 at most.",
			"Only 250 of 251 commits were read; GitHub gives 250 at most.",
		}},
	} {
		t.Run(fmt.Sprint(tt.files), func(t *testing.T) {
			f := newFake(t)
			f.pull(tt.files, tt.listed, tt.commits, tt.given)
			p, err := f.new(github.Config{}).PullRequest(t.Context(), target(github.KindPull))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, p.Incomplete); diff != "" {
				t.Error(diff)
			}
			if last := fmt.Sprintf("f%d.go", tt.listed-1); len(p.Files) != tt.listed || p.Files[tt.listed-1].Path != last || len(p.Commits) != tt.given {
				t.Errorf("%d files and %d commits, want %d to %s and %d", len(p.Files), len(p.Commits), tt.listed, last, tt.given)
			}
		})
	}
}

func TestAPushInBetweenIsTold(t *testing.T) {
	f := newFake(t)
	f.on("/repos/o/r/pulls/7", ok(fmt.Sprintf(`{"title": "T", "html_url": "https://github.com/o/r/pull/7", "commits": 1, "base": {"sha": "%s"}, "head": {"sha": "%s"}}`, base40, head40)))
	f.on("/repos/o/r/pulls/7/files?page=1&per_page=100", ok(`[]`))
	f.on("/repos/o/r/pulls/7/commits?page=1&per_page=100", ok(fmt.Sprintf(`[{"sha": "%s"}]`, base40)))
	f.rest()
	f.on("/repos/o/r/pulls/7/reviews?page=1&per_page=100", ok(`[]`))
	f.on("/repos/o/r/pulls/7/comments?page=1&per_page=100", ok(`[]`))
	p, err := f.new(github.Config{}).PullRequest(t.Context(), target(github.KindPull))
	want := []string{"The head moved from bbbbbbbbbbbb to aaaaaaaaaaaa while the pull request was read; its files may be of either."}
	if diff := cmp.Diff(want, p.Incomplete); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

func TestNoPullRequestOfThisNumber(t *testing.T) {
	f := newFake(t)
	f.on("/repos/o/r/pulls/7", reply(404, `{"message": "Not Found"}`))
	_, err := f.new(github.Config{}).PullRequest(t.Context(), target(github.KindPull))
	if !errors.Is(err, github.ErrNotFound) || !strings.HasSuffix(err.Error(), "set GH_TOKEN; an issue may have this number") {
		t.Errorf("error %v", err)
	}
}
