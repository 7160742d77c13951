package github_test

import (
	"strings"
	"testing"

	"github.com/repomind/repomind/internal/github"
	"github.com/repomind/repomind/internal/source"
)

func TestParseTarget(t *testing.T) {
	for _, tt := range []struct{ in, host, want string }{
		{"https://github.com/o/r/issues/7", "", "github.com/o/r/issues/7"},
		{" https://github.com/o/r/issues/7\n", "", "github.com/o/r/issues/7"},
		{"https://github.com/o/r/issues/7/", "", "github.com/o/r/issues/7"},
		{"https://github.com/o/r/issues/7#issuecomment-12", "", "github.com/o/r/issues/7"},
		{"https://github.com/o/r/issues/7?q=is%3Aopen#x", "", "github.com/o/r/issues/7"},
		{"http://github.com/o/r/issues/7", "", "github.com/o/r/issues/7"},
		{"http://github.com:80/o/r/issues/7", "", "github.com/o/r/issues/7"},
		{"https://github.com:443/o/r/issues/7", "", "github.com/o/r/issues/7"},
		{"https://www.github.com/o/r/issues/7", "", "github.com/o/r/issues/7"},
		{"HTTPS://GitHub.com/O/r.x/issues/7", "", "github.com/O/r.x/issues/7"},
		{"github.com/o/r/issues/7", "", "github.com/o/r/issues/7"},
		{"https://github.com/o/r/pull/7", "", "github.com/o/r/pull/7"},
		{"https://github.com/o/r/pull/7/files", "", "github.com/o/r/pull/7"},
		{"https://github.com/o/r/pull/7/files/aaa..bbb?w=1#diff-1", "", "github.com/o/r/pull/7"},
		{"https://github.com/o/r/pull/7/commits/0123abc/", "", "github.com/o/r/pull/7"},
		{"https://github.com/o/r/pull/7/changes", "", "github.com/o/r/pull/7"},
		{"https://github.com/o/r/issues/2147483647", "", "github.com/o/r/issues/2147483647"},
		{"o/r#7", "", "github.com/o/r#7"},
		{"o/r#7", "git.corp.example", "git.corp.example/o/r#7"},
		{"github.com/o/r#7", "git.corp.example", "github.com/o/r#7"},
		{"git.corp.example/o/r#7", "", "git.corp.example/o/r#7"},
		{"https://api.github.com/repos/o/r/issues/7", "", "github.com/o/r/issues/7"},
		{"https://api.github.com/repos/o/r/pulls/7", "", "github.com/o/r/pull/7"},
		{"https://git.corp.example/o/r/issues/7", "", "git.corp.example/o/r/issues/7"},
		{"https://git.corp.example:8443/o/r/pull/7/files", "", "git.corp.example:8443/o/r/pull/7"},
		{"https://git.corp.example/api/v3/repos/o/r/issues/7", "", "git.corp.example/o/r/issues/7"},
		{"https://api.git.corp.example/repos/o/r/pulls/7", "", "git.corp.example/o/r/pull/7"},
		{"https://octo.ghe.com/o/r/issues/7", "", "octo.ghe.com/o/r/issues/7"},
		{"https://api.octo.ghe.com/repos/o/r/pulls/7", "", "octo.ghe.com/o/r/pull/7"},
		{"https://git/o/r/issues/7", "git", "git/o/r/issues/7"},
		{"https://10.0.0.5/o/r/issues/7", "10.0.0.5", "10.0.0.5/o/r/issues/7"},
		{"https://git.corp.example/o/r/issues/7", "GIT.corp.example:443", "git.corp.example/o/r/issues/7"},
	} {
		got, err := github.ParseTarget(tt.in, tt.host)
		if err != nil || got.String() != tt.want {
			t.Errorf("ParseTarget(%q, %q) = %s, %v; want %s", tt.in, tt.host, got, err, tt.want)
		}
	}
}

func TestParseTargetRefuses(t *testing.T) {
	const accepted = "; accepted are https://HOST/OWNER/REPO/issues/N, https://HOST/OWNER/REPO/pull/N, OWNER/REPO#N, and the REST API's addresses of these"
	for _, tt := range []struct{ in, want string }{
		{"", `"" is not an issue or a pull request: the path has another shape`},
		{"https://github.com/o/r", `"https://github.com/o/r" is not an issue or a pull request: the path has another shape`},
		{"https://github.com/o/r/pulls/7", `"https://github.com/o/r/pulls/7" is not an issue or a pull request: the path has another shape`},
		{"https://github.com/o/r/discussions/7", `"https://github.com/o/r/discussions/7" is not an issue or a pull request: the path has another shape`},
		{"https://github.com/o/r/issues/7/files", `"https://github.com/o/r/issues/7/files" is not an issue or a pull request: the path has another shape`},
		{"https://github.com/o%2Fr/r/issues/7", `"https://github.com/o%2Fr/r/issues/7" is not an issue or a pull request: "o%2Fr" is not the name of a GitHub user or organisation`},
		{"https://github.com/o/../issues/7", `"https://github.com/o/../issues/7" is not an issue or a pull request: ".." is not the name of a repository`},
		{"https://github.com/o/r/issues/0", `"https://github.com/o/r/issues/0" is not an issue or a pull request: the number is not one from 1 to 2147483647`},
		{"https://github.com/o/r/issues/07", `"https://github.com/o/r/issues/07" is not an issue or a pull request: the number is not one from 1 to 2147483647`},
		{"o/r#2147483648", `"o/r#2147483648" is not an issue or a pull request: the number is not one from 1 to 2147483647`},
		{"o/r#99999999999999999999", `"o/r#99999999999999999999" is not an issue or a pull request: the number is not one from 1 to 2147483647`},
		{"ftp://github.com/o/r/issues/7", `"ftp://github.com/o/r/issues/7" is not an issue or a pull request: the scheme is "ftp"`},
		{"git@github.com:o/r.git", `"…@github.com:o/r.git" is not an issue or a pull request: it is not an address`},
		{"https://me:ghp_secret@github.com/o/r/issues/7", `"https://…@github.com/o/r/issues/7" is not an issue or a pull request: it holds a user name or a password: leave them out`},
		{"https://github.com/o/r?token=ghp_secret", `"https://github.com/o/r" is not an issue or a pull request: the path has another shape`},
		{"https://gist.github.com/o/r/issues/7", `"https://gist.github.com/o/r/issues/7" is not an issue or a pull request: the host is no web host of GitHub`},
		{"https://api.github.com/o/r/issues/7", `"https://api.github.com/o/r/issues/7" is not an issue or a pull request: the host is no web host of GitHub`},
		{"https://github.com/api/v3/repos/o/r/issues/7", `"https://github.com/api/v3/repos/o/r/issues/7" is not an issue or a pull request: the host has no REST API under this path`},
		{"https://git/o/r/issues/7", `"https://git/o/r/issues/7" is not an issue or a pull request: the host is not a full domain name; for a server in your own network set GH_HOST`},
		{"https://127.0.0.1/o/r/issues/7", `"https://127.0.0.1/o/r/issues/7" is not an issue or a pull request: the host is not a full domain name; for a server in your own network set GH_HOST`},
		{"https://[::1]/o/r/issues/7", `"https://[::1]/o/r/issues/7" is not an issue or a pull request: the host is not a full domain name; for a server in your own network set GH_HOST`},
		{"https://git_corp.example/o/r/issues/7", `"https://git_corp.example/o/r/issues/7" is not an issue or a pull request: "git_corp.example" is not a host name`},
		{"https://gitlab.com/o/r/-/issues/7", `"https://gitlab.com/o/r/-/issues/7" is not an issue or a pull request: the path has another shape`},
		{"https://github.com/" + strings.Repeat("o", 2100) + "/r/issues/7", `"https://github.com/` + strings.Repeat("o", 181) + `…" is not an issue or a pull request: it is too long`},
	} {
		if got, err := github.ParseTarget(tt.in, ""); message(err) != tt.want+accepted {
			t.Errorf("ParseTarget(%q) = %s, %q; want %q", tt.in, got, message(err), tt.want+accepted)
		}
	}
}

func TestTargetURL(t *testing.T) {
	for _, tt := range []struct {
		kind      github.Kind
		text, url string
	}{
		{github.KindIssue, "github.com/o/r/issues/7", "https://github.com/o/r/issues/7"},
		{github.KindPull, "github.com/o/r/pull/7", "https://github.com/o/r/pull/7"},
		{github.KindUnknown, "github.com/o/r#7", "https://github.com/o/r/issues/7"},
	} {
		if got := target(tt.kind); got.String() != tt.text || got.URL() != tt.url {
			t.Errorf("%q: %s and %s", tt.kind, got, got.URL())
		}
	}
	if none := (github.Target{}); none.String() != "" || none.URL() != "" {
		t.Errorf("the zero target is %q at %q", none, none.URL())
	}
}

func TestKnown(t *testing.T) {
	for _, tt := range []struct {
		host, configured string
		want             bool
	}{
		{"github.com", "", true}, {"GitHub.com:443", "", true}, {"octo.ghe.com", "", true},
		{"git.corp.example", "git.corp.example", true}, {"git.corp.example", "GIT.corp.example", true},
		{"git.corp.example", "", false}, {"git.corp.example:8443", "git.corp.example", false}, {"", "", false},
		{"github.com.evil.example", "", false}, {"evil-ghe.com", "", false}, {"api.github.com", "", false},
		{"a.b.ghe.com", "", false}, {"ghe.com", "", false}, {"api.ghe.com", "", false}, {"github.com:8443", "", false},
	} {
		if got := github.Known(tt.host, tt.configured); got != tt.want {
			t.Errorf("Known(%q, %q) = %t", tt.host, tt.configured, got)
		}
	}
}

func FuzzParseTarget(f *testing.F) {
	for _, s := range []string{"https://github.com/o/r/issues/7", "http://a.b:80/o/r/pull/7/files", "o/r#7", "https://api.x.ghe.com/repos/o/r/pulls/7", "x.y:443/o/r#1", "https://h/api/v3/repos/o/r/issues/1"} {
		f.Add(s, "")
		f.Add(s, "h")
	}
	f.Fuzz(func(t *testing.T, s, host string) {
		got, err := github.ParseTarget(s, host)
		if err != nil {
			if len(err.Error()) > 3000 {
				t.Errorf("an error of %d bytes", len(err.Error()))
			}
			return
		}
		if _, err := source.NewRepo(got.Repo.Host, got.Repo.Owner, got.Repo.Name); err != nil || got.Number < 1 {
			t.Fatalf("%q gave %+v, %v", s, got, err)
		}
		if back, err := github.ParseTarget(got.String(), host); err != nil || back != got {
			t.Fatalf("%q gave %s, which gave %s, %v", s, got, back, err)
		}
		if got.Kind == github.KindUnknown {
			got.Kind = github.KindIssue
		}
		if back, err := github.ParseTarget(got.URL(), host); err != nil || back != got {
			t.Fatalf("%q gave %s, which gave %s, %v", s, got.URL(), back, err)
		}
	})
}
