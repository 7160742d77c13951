package github_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/github"
	"github.com/repomind/repomind/internal/source"
)

func TestReadIssueFile(t *testing.T) {
	at := target(github.KindIssue)
	for _, tt := range []struct {
		name, data string
		want       github.Issue
	}{
		{"a.md", "# Crash on start #\n\nIt `crashes`.\n![](https://x.test/1)\n", github.Issue{Title: "Crash on start", Body: "It `crashes`.\n![](https://x.test/1)", Images: []string{"https://x.test/1"}}},
		{"a.md", "\ufeffBefore.\r\n\r\n## Crash in `foo`\r\nAfter.\r\n# Second", github.Issue{Title: "Crash in `foo`", Body: "Before.\n\nAfter.\n# Second"}},
		{"a.md", "Crash\n=====\nBody", github.Issue{Title: "Crash", Body: "Body"}},
		{"a.md", "---\nname: bug\n---\n# Crash\n", github.Issue{Title: "Crash"}},
		{"a.md", "```sh\n# no title\n```\n<!--\n# no title\n-->\n#no title\n# Title", github.Issue{Title: "Title", Body: "```sh\n# no title\n```\n<!--\n# no title\n-->\n#no title"}},
		{"a.txt", "| a |\n---\n\n- b\n---\n\nc\nd\n---\n\n# Title", github.Issue{Title: "Title", Body: "| a |\n---\n\n- b\n---\n\nc\nd\n---"}},
		{"a.json", `{"title": "T", "body": "B", "state": "open", "labels": [{"name": "bug"}], "user": {"login": "ann"}, "author_association": "OWNER", "html_url": "https://github.com/o/r/issues/7", "comments": 2}`,
			github.Issue{Target: at, Title: "T", Body: "B", State: "open", Labels: []string{"bug"}, Author: github.Author{Login: "ann", Association: "OWNER"}, Incomplete: []string{"Only 0 of 2 comments are in the file."}}},
		{"stdin", ` {"issue": {"title": "T", "user": {"login": "ann"}, "comments": 1}, "comments": [{"id": 3, "body": "![](https://x.test/1)", "user": {"login": "bo"}, "created_at": "2026-01-02T03:04:05Z"}]}`,
			github.Issue{Title: "T", Author: github.Author{Login: "ann"}, Images: []string{"https://x.test/1"},
				Comments: []github.Comment{{ID: 3, Body: "![](https://x.test/1)", Author: github.Author{Login: "bo"}, Created: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}}}},
		{"a.json", "\ufeff{\"title\": \"T\"}", github.Issue{Title: "T", Author: github.Author{Login: "ghost"}}},
		{"stdin", `{"issue": {"title": "T", "labels": [null, {"name": "bug"}], "user": null, "comments": 2}, "comments": [null, {"id": 3, "body": "B"}]}`,
			github.Issue{Title: "T", Labels: []string{"bug"}, Author: github.Author{Login: "ghost"}, Comments: []github.Comment{{ID: 3, Body: "B", Author: github.Author{Login: "ghost"}}},
				Incomplete: []string{"Only 1 of 2 comments are in the file."}}},
	} {
		got, err := github.ReadIssueFile(tt.name, []byte(tt.data))
		if err != nil {
			t.Errorf("%q: %v", tt.data, err)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.data, diff)
		}
	}
}

func TestReadIssueFileSaysWhatIsWrongAndWhere(t *testing.T) {
	const hint = `; JSON is taken as "gh api repos/OWNER/REPO/issues/N" prints it`
	for _, tt := range []struct{ name, data, want string }{
		{"a.md", "", `a.md:1: no heading: the first one of a Markdown file is the title of the issue, as in "# Title"`},
		{"a.md", "---\nx: y\n---\ntext", `a.md:4: no heading: the first one of a Markdown file is the title of the issue, as in "# Title"`},
		{"a.md", "text\n\n#  \n", `a.md:3: the heading is empty: it is the title of the issue`},
		{"a.md", "# Ti\ntle\n\xff", `a.md:3: the text is not UTF-8`},
		{"a.md", "# \ufffd\n\xff", `a.md:2: the text is not UTF-8`},
		{"a.json", "", `a.json:1: the JSON ends too early` + hint},
		{"a.json", "{\n\"title\": \"T\",\n", `a.json:3: the JSON ends too early` + hint},
		{"a.json", "{\n\"title\": \"T\",\n]", `a.json:3: invalid character ']' looking for beginning of object key string` + hint},
		{"a.json", "{\"title\": \"T\"}\n\n{}", `a.json:3: text after the JSON value` + hint},
		{"a.json", "{\"title\": \"T\"}\n]", `a.json:2: text after the JSON value` + hint},
		{"a.json", "[]", `a.json:1: the file is a JSON array, which does not belong there` + hint},
		{"a.json", "{\n\"title\": \"T\",\n\"comments\": [{\"body\": \"gh issue view --json\"}]}", `a.json:3: comments is a JSON array, which does not belong there` + hint},
		{"a.json", "{\n\"title\": \"T\",\n\"created_at\": \"yesterday\"}", `a.json:3: the time "yesterday" is not as in 2006-01-02T15:04:05Z` + hint},
		{"a.json", "{\"body\": \"B\"}", `a.json:1: the issue has no title`},
		{"a.json", "null", `a.json:1: the issue has no title`},
		{"a.json", "{\"title\": \"T\", \"html_url\": \"https://x/\"}", `a.json:1: html_url: "https://x/" is not an issue or a pull request: the path has another shape; accepted are https://HOST/OWNER/REPO/issues/N, https://HOST/OWNER/REPO/pull/N, OWNER/REPO#N, and the REST API's addresses of these`},
	} {
		if _, err := github.ReadIssueFile(tt.name, []byte(tt.data)); message(err) != tt.want || !errors.Is(err, github.ErrInput) {
			t.Errorf("%q: error\n%s\nwant\n%s", tt.data, message(err), tt.want)
		}
	}
	for name, data := range map[string][]byte{"large": make([]byte, github.MaxFile+1), "large behind a mark": append([]byte("\ufeff# T"), make([]byte, github.MaxFile-5)...)} {
		if _, err := github.ReadIssueFile("a.md", data); !errors.Is(err, github.ErrTooLarge) || !errors.Is(err, github.ErrInput) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestReadPullRequestFile(t *testing.T) {
	ends := `"base": {"ref": "main", "sha": "` + base40 + `"}, "head": {"ref": "h", "sha": "` + head40 + `"}`
	got, err := github.ReadPullRequestFile("p.json", []byte(`{"pull_request": {"title": "T", "body": "fixes #3", "html_url": "https://git.corp.example/o/r/pull/7", `+ends+`, "changed_files": 1, "commits": 2, "comments": 1, "review_comments": 1},
		"files": [{"filename": "a.go", "status": "modified", "additions": 1, "patch": "@@ -1,0 +1 @@\n+x"}], "commits": [{"sha": "`+head40+`", "commit": {"message": "m"}}],
		"reviews": [{"id": 5, "state": "APPROVED"}], "review_comments": [{"id": 4, "path": "a.go", "line": 1, "body": "b"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	repo := source.Repo{Host: "git.corp.example", Owner: "o", Name: "r"}
	ghost := github.Author{Login: "ghost"}
	want := github.PullRequest{
		Target: github.Target{Repo: repo, Number: 7, Kind: github.KindPull}, Title: "T", Body: "fixes #3", Author: ghost,
		Base: github.Ref{Branch: "main", Commit: base40}, Head: github.Ref{Branch: "h", Commit: head40},
		Files:      []github.File{{Path: "a.go", Status: "modified", Additions: 1, Patch: "@@ -1,0 +1 @@\n+x"}},
		Commits:    []github.Commit{{SHA: head40, Message: "m"}},
		Linked:     []github.Link{{How: github.Closes, Target: github.Target{Repo: repo, Number: 3, Kind: github.KindIssue}}},
		Reviews:    []github.Review{{ID: 5, Author: ghost, State: "APPROVED"}},
		Threads:    []github.Thread{{Path: "a.go", Start: 1, End: 1, Comments: []github.Comment{{ID: 4, Author: ghost, Body: "b"}}}},
		Incomplete: []string{"Only 1 of 2 commits are in the file.", "Only 0 of 1 comments are in the file."},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	alone, err := github.ReadPullRequestFile("p.json", []byte(`{"title": "T", "changed_files": 3, "comments": 0, `+ends+`}`))
	if diff := cmp.Diff([]string{"0 of 3 changed files were read; GitHub gives 3000 at most."}, alone.Incomplete); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

// A list may hold nulls, each of which is left out.
func TestReadPullRequestFilePassesOverNulls(t *testing.T) {
	got, err := github.ReadPullRequestFile("p.json", []byte("\ufeff"+`{"pull_request": {"title": "T", "labels": [null], "base": {"sha": "`+base40+`", "repo": null}, "head": {"sha": "`+head40+`"}, "changed_files": 1, "comments": 1},
		"files": [null], "commits": [null], "comments": [null], "reviews": [null, {"id": 5, "user": null}], "review_comments": [null, {"id": 4, "path": "a.go"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	ghost := github.Author{Login: "ghost"}
	want := github.PullRequest{
		Title: "T", Author: ghost, Base: github.Ref{Commit: base40}, Head: github.Ref{Commit: head40},
		Reviews: []github.Review{{ID: 5, Author: ghost}}, Threads: []github.Thread{{Path: "a.go", Comments: []github.Comment{{ID: 4, Author: ghost}}}},
		Incomplete: []string{"0 of 1 changed files were read; GitHub gives 3000 at most.", "Only 0 of 1 comments are in the file."},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestReadPullRequestFileSaysWhatIsWrong(t *testing.T) {
	const hint = `; JSON is taken as "gh api repos/OWNER/REPO/pulls/N" prints it`
	for _, tt := range []struct{ data, want string }{
		{"# Title", `p.json:1: invalid character '#' looking for beginning of value` + hint},
		{`{"title": "T"}`, `p.json:1: the pull request has no base or no head` + hint},
		{`{"base": {}, "head": {}}`, `p.json:1: the pull request has no title` + hint},
		{`{"title": "T", "base": {"sha": "main"}, "head": {}}`, `p.json:1: its base: "main" is not a full commit hash`},
		{`{"pull_request": {"title": "T"},` + "\n" + `"files": [{"additions": "1"}]}`, `p.json:2: files.additions is a JSON string, which does not belong there` + hint},
	} {
		if _, err := github.ReadPullRequestFile("p.json", []byte(tt.data)); message(err) != tt.want || !errors.Is(err, github.ErrInput) {
			t.Errorf("%q: error\n%s\nwant\n%s", tt.data, message(err), tt.want)
		}
	}
}

func FuzzReadIssueFile(f *testing.F) {
	for _, s := range []string{"# Title\nbody", "Title\n---", "---\na: b\n---\n# T", `{"title": "T"}`, `{"issue": {"title": "T"}, "comments": [{"id": 1}]}`, "#<!--x-->", "# `a`",
		`{"issue": {"title": "T", "labels": [null]}, "comments": [null]}`, "\ufeff# T",
		`{"pull_request": {"title": "T", "base": {"sha": "` + base40 + `"}, "head": {"sha": "` + base40 + `"}, "labels": [null]}, "files": [null], "commits": [null], "comments": [null], "reviews": [null], "review_comments": [null]}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, data string) {
		if _, err := github.ReadPullRequestFile("f", []byte(data)); err != nil && !strings.HasPrefix(err.Error(), "f:") {
			t.Errorf("error %v", err)
		}
		i, err := github.ReadIssueFile("f", []byte(data))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f:") {
				t.Errorf("error %v", err)
			}
			return
		}
		if strings.TrimSpace(i.Title) == "" || strings.Contains(i.Title, "\n") && !strings.HasPrefix(strings.TrimSpace(data), "{") {
			t.Errorf("%q has the title %q", data, i.Title)
		}
		stored(t, i)
	})
}
