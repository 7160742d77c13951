package triage_test

import (
	"testing"

	"github.com/repomind/repomind/internal/github"
	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/nodes/issue/triage"
)

func TestVersion(t *testing.T) {
	for _, tt := range []struct{ repo, title, body, want string }{
		{"celery", "", "**Celery version**: 5.3.4\n**Python version**: 3.11.2", "5.3.4"},
		{"gin", "", "- go version: 1.21.0\n- gin version (or commit ref): v1.9.1\n- operating system: x", "1.9.1"},
		{"mypy", "", "* Mypy version used: 1.2.0\n* Python version used: 3.10.1", "1.2.0"},
		{"mypy", "", "I use mypy 0.940 with Python 3.10.2", "0.940"},
		{"marked", "", "**Marked version:** 4.0.16", "4.0.16"},
		{"axios", "", "### Axios Version\n\n1.5.0\n", "1.5.0"},
		{"requests", "", "```\npip freeze\ncertifi==2022.1.1\nrequests==2.28.0\nurllib3==1.26.9\n```", "2.28.0"},
		{"Chart.js", "", "* Chart.js version: v3.0.0-rc.2\n* Browser version: 91.0", "3.0.0-rc.2"},
		{"flask", "", "- Python version: 3.9.1\n- Flask version: 2.0.1", "2.0.1"},
		{"flask", "", "Python 3.9.1, Werkzeug 2.0.0", ""},
		{"nodes", "", "Node version: 18.0.1", ""},
		{"thing", "", "Version: 1.4.2", "1.4.2"},
		{"thing", "", "<!-- Version: 1.4.2 -->", ""},
		{"celery", "", "After upgrading from celery 4.4.0 to 4.4.1 it fails", "4.4.1"},
		{"", "", "no version", ""},
		{"prometheus", "", "### Prometheus version\n\n```text\nprometheus, version 2.40.1 (branch: HEAD)\n```", "2.40.1"},
		{"grpc-go", "", "### What version of gRPC are you using?\n1.15.0\n\n### What version of Go are you using (`go version`)?\n1.11.1", "1.15.0"},
		{"core", "", "### Vue version\n\n3.5.4\n\n### Node version\n\n20.1.0", "3.5.4"},
		{"cli", "", "**Cli version** 0.6.1 (2020-03-04)", "0.6.1"},
		{"requests", "", "```json\n{\n  \"idna\": {\n    \"version\": \"3.3\"\n  },\n  \"requests\": {\n    \"version\": \"2.27.0\"\n  }\n}\n```", "2.27.0"},
		{"celery", "", "```\nsoftware -> celery:5.0.5 (singularity) kombu:5.0.2 py:3.7.5\n```", "5.0.5"},
		{"pytest", "", "```\nplatform linux -- Python 3.8.1, pytest-5.4.1, py-1.8.1\n```", "5.4.1"},
		{"mypy", "", "```\nversion: 0.920+dev.febec71\n```\nI run mypy 0.920+dev.febec71.", "0.920+dev.febec71"},
		{"celery", "", "版本：5.3.4", "5.3.4"},
		{"celery", "", "celery 版本: 5.3.4\nPython 版本: 3.11.2", "5.3.4"},
		{"sphinx", "", "- Python version: [e.g. 3.7.1] 3.7.2\n- Sphinx version: [e.g. 1.8.2] sphinx-build 3.1.1", "3.1.1"},
		{"lombok", "", "- Lombok version: Reproduces on 1.18.22. Not on 1.18.20", "1.18.22"},
		{"preact", "onInput breaks since v10.5.0", "Version 10.4.8 calls it once.", "10.5.0"},
		{"pytest", "", "```\nFound existing installation: pytest 5.1.1\nSuccessfully installed pytest-5.1.2\n```", "5.1.2"},
		{"ripgrep", "", "ripgrep 13.0.0\n-SIMD -AVX", "13.0.0"},

		{"pytest", "", "Successfully installed allure-pytest-2.13.2 pytest-cov-2.3.1", ""},
		{"tokio", "", "measured-tokio v0.0.21", ""},
		{"fastapi", "", "- FastAPI Version [e.g. 0.27.0], get it with:\n", ""},
		{"pylint", "", "### Pylint version\n\npylint>2.14.0", ""},
		{"axum", "", "I think for axum 0.6 we should drop it.", ""},
		{"preact", "", "See https://esm.sh/preact@17.1.2/x and @preact/compat@17.1.2", ""},
		{"caddy", "", "```yaml\nversion: '3.7'\nservices:\n```", ""},
		{"thing", "", "It also fails in version 3.2 of the other library, on all systems that I tried.", ""},
		{"thing", "", "### Python version\n\n3.9.6\n\n### OS version\n\n10.15.7", ""},
		{"thing", "", "thing 2.7.x fails, as does 1.5s", ""},
		{"thing", "", "Version 1.4.2 calls it when I type, and once more when the element loses the focus.", ""},
		{"thing", "", "thing 1.2.0 works", ""},
		{"thing", "", "I am on thing 1.3.0; thing 1.2.0 did not do it.", "1.3.0"},
		{"thing", "", "It was fixed in thing 1.2.0, and fails with thing 1.4.0.", "1.4.0"},
		{"((", "(( 1.2", "", ""},
	} {
		is := github.Issue{Title: tt.title, Body: tt.body, Target: github.Target{Repo: source.Repo{Owner: "vuejs", Name: tt.repo}}}
		if got, why := triage.Version(is, ""); got != tt.want {
			t.Errorf("%s, %q: %q (%s), want %q", tt.repo, tt.body, got, why, tt.want)
		}
	}
}

func TestVersionSaysWhere(t *testing.T) {
	for body, want := range map[string]string{
		"- Celery version:  5.3.4 (emerald-rush)": "- Celery version: 5.3.4 (emerald-rush)",
		"### Celery Version\n\nv5.3.4":            "### Celery Version v5.3.4",
		"We run (celery 5.3.4).":                  "celery 5.3.4",
		"celery 5.3.3 works, but not 5.3.4":       "",
		"It works with 5.3.3, but not with 5.3.4": "works with 5.3.3; 5.3.4 is said not to",
	} {
		is := github.Issue{Body: body}
		if _, got := triage.Version(is, "celery"); got != want {
			t.Errorf("%q: %q, want %q", body, got, want)
		}
	}
}
