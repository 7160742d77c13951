package rule_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/nodes/review/rule"
)

// changed makes a file of lines with a mark: + is added, - removed, a blank is neither. The
// numbers of both sides begin at 1.
func changed(path, status string, lines ...string) rule.File {
	f := rule.File{Path: path, Status: status}
	old, now := 1, 1
	for _, l := range lines {
		switch l[0] {
		case '+':
			f.Added = append(f.Added, rule.Line{Number: now, Text: l[1:]})
			now++
		case '-':
			f.Removed = append(f.Removed, rule.Line{Number: old, Text: l[1:]})
			old++
		default:
			old, now = old+1, now+1
		}
	}
	return f
}

// check gives the findings in short.
func check(t *testing.T, c rule.Change) (out []string) {
	t.Helper()
	none := func(context.Context, string) ([]byte, error) { return nil, nil }
	if c.Base == nil {
		c.Base, c.Head = none, none
	}
	if c.Tree == nil {
		c.Tree = func(string) bool { return false }
	}
	found, err := rule.Check(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		if f.Message == "" || f.Why == "" || f.Quote == "" || f.Lens != report.LensRules {
			t.Errorf("incomplete: %+v", f)
		}
		out = append(out, fmt.Sprintf("%s %s %s %s", f.Severity, f.Rule, f.Span(), f.Side))
	}
	return out
}

// Keys are put together here, so that no scanner takes this file for a leak.
var (
	aws    = "AKIA" + "Z2QWERTYUIOPASDF"
	github = "ghp_" + strings.Repeat("a1B2", 9)
)

func TestLinesOfOneFile(t *testing.T) {
	const workflow = ".github/workflows/ci.yml"
	pinned := "-      - uses: actions/checkout@" + strings.Repeat("0a", 20)
	for name, tt := range map[string]struct {
		file rule.File
		want []string
	}{
		"a key":                      {changed("conf.py", "modified", " x", "+KEY = '"+aws+"'"), []string{"critical secret-added conf.py:2 RIGHT"}},
		"a token":                    {changed("deploy.sh", "added", "+export T="+github), []string{"critical secret-added deploy.sh:1 RIGHT"}},
		"a private key":              {changed("id", "added", "+-----BEGIN OPENSSH PRIVATE KEY-----"), []string{"critical secret-added id:1 RIGHT"}},
		"a key that goes":            {changed("conf.py", "modified", "-KEY = '"+aws+"'"), nil},
		"the key of documents":       {changed("a.md", "modified", "+AKIAIOSFODNN7EXAMPLE"), nil},
		"a key of a test":            {changed("tests/test_a.py", "modified", "+KEY = '"+aws+"'"), nil},
		"a word like a key":          {changed("a.py", "modified", "+password = 'hunter2'", "+AKIAX"), nil},
		"a conflict":                 {changed("a.py", "modified", " x", "+<<<<<<< HEAD", "+y", "+=======", "+z", "+>>>>>>> main"), []string{"high conflict-marker a.py:2 RIGHT"}},
		"a heading":                  {changed("a.rst", "modified", "+Title", "+======="), nil},
		"half a conflict":            {changed("a.md", "modified", "+<<<<<<< HEAD means ours"), nil},
		"all rights":                 {changed(workflow, "modified", "+permissions: write-all"), []string{"high workflow-permissions .github/workflows/ci.yml:1 RIGHT"}},
		"one right":                  {changed(workflow, "modified", "+  contents: write"), []string{"medium workflow-permissions .github/workflows/ci.yml:1 RIGHT"}},
		"a right that was there":     {changed(workflow, "modified", "-  contents: write", "+    contents: write"), nil},
		"rights of a new workflow":   {changed(workflow, "added", "+  contents: write"), nil},
		"reading":                    {changed(workflow, "modified", "+  contents: read"), nil},
		"another file":               {changed("docs/ci.yml", "modified", "+permissions: write-all"), nil},
		"pull_request_target":        {changed(workflow, "modified", "-  pull_request:", "+  pull_request_target:"), []string{"high workflow-permissions .github/workflows/ci.yml:1 RIGHT"}},
		"a pin that goes":            {changed(workflow, "modified", pinned, "+      - uses: actions/checkout@v4"), []string{"high action-unpinned .github/workflows/ci.yml:1 RIGHT"}},
		"a pin that moves":           {changed(workflow, "modified", pinned, "+      - uses: actions/checkout@"+strings.Repeat("1b", 20)), nil},
		"a tag that moves":           {changed(workflow, "modified", "-      - uses: actions/checkout@v3", "+      - uses: actions/checkout@v4"), nil},
		"a skip in Python":           {changed("tests/test_a.py", "modified", "+@pytest.mark.skip(reason='flaky')", " def test_a():"), []string{"medium test-skipped tests/test_a.py:1 RIGHT"}},
		"a skip with a condition":    {changed("tests/test_a.py", "modified", "+@pytest.mark.skipif(sys.platform == 'win32')", " def test_a():"), nil},
		"a new test that is skipped": {changed("tests/test_a.py", "modified", "+@pytest.mark.skip", "+def test_b():"), nil},
		"a skip in Go":               {changed("a_test.go", "modified", "+\tt.Skip(\"flaky\")", " \tx()"), []string{"medium test-skipped a_test.go:1 RIGHT"}},
		"a skip for short runs":      {changed("a_test.go", "modified", " \tif testing.Short() {", "+\t\tt.Skip()", " \t}"), nil},
		"only one test":              {changed("a.test.ts", "modified", "+  it.only('adds', () => {"), []string{"high test-skipped a.test.ts:1 RIGHT"}},
		"a skip in code":             {changed("a.py", "modified", "+@skip", " def f():"), nil},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, check(t, rule.Change{Files: []rule.File{tt.file}})); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A finding about a key does not spread it.
func TestASecretIsNotQuoted(t *testing.T) {
	found, err := rule.Check(t.Context(), rule.Change{Files: []rule.File{changed("a.py", "added", "+K = '"+aws+"'")}, Tree: func(string) bool { return false }})
	if err != nil || len(found) != 1 || strings.Contains(fmt.Sprint(found), aws) || found[0].Quote != "K = 'AKIA…'" {
		t.Errorf("%+v, %v", found, err)
	}
}

func TestDeletedTests(t *testing.T) {
	gone := changed("tests/test_a.py", "modified", "-def test_a():", "-    pass", "-def test_b():", "-    pass")
	for name, tt := range map[string]struct {
		files []rule.File
		want  []string
	}{
		"gone":          {[]rule.File{gone}, []string{"medium test-deleted tests/test_a.py:1 LEFT"}},
		"renamed":       {[]rule.File{changed("tests/test_a.py", "modified", "-def test_a():", "+def test_better():")}, nil},
		"moved":         {[]rule.File{gone, changed("tests/test_c.py", "added", "+def test_a():", "+def test_b():")}, nil},
		"with its code": {[]rule.File{gone, changed("shop/a.py", "removed", "-def a():")}, nil},
		"a file of Go":  {[]rule.File{changed("a_test.go", "removed", "-func TestA(t *testing.T) {")}, []string{"medium test-deleted a_test.go:1 LEFT"}},
		"a helper":      {[]rule.File{changed("a_test.go", "modified", "-func helper(t *testing.T) {")}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, check(t, rule.Change{Files: tt.files})); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestLockFiles(t *testing.T) {
	for name, tt := range map[string]struct {
		manifest, lock, before, after, line string
		also                                []rule.File
		want                                []string
	}{
		"npm":         {"web/package.json", "web/package-lock.json", `{"dependencies": {"a": "1"}}`, `{"dependencies": {"a": "2"}}`, `+  "a": "2"`, nil, []string{"medium lock-out-of-step web/package.json:1 RIGHT"}},
		"both":        {"package.json", "yarn.lock", `{"dependencies": {"a": "1"}}`, `{"dependencies": {"a": "2"}}`, `+  "a": "2"`, []rule.File{changed("yarn.lock", "modified", "+a@2")}, nil},
		"scripts":     {"package.json", "yarn.lock", `{"scripts": {"a": "1"}}`, `{"scripts": {"a": "2"}}`, `+  "a": "2"`, nil, nil},
		"a workspace": {"packages/x/package.json", "pnpm-lock.yaml", `{"dependencies": {}}`, `{"dependencies": {"a": "2"}}`, `+  "a": "2"`, nil, []string{"medium lock-out-of-step packages/x/package.json:1 RIGHT"}},
		"its own":     {"package.json", "yarn.lock", `{"dependencies": {}}`, `{"dependencies": {"a": "workspace:*"}}`, `+  "a": "workspace:*"`, nil, nil},
		"no lock":     {"package.json", "", `{"dependencies": {"a": "1"}}`, `{"dependencies": {"a": "2"}}`, `+  "a": "2"`, nil, nil},
		"Cargo":       {"Cargo.toml", "Cargo.lock", "[dependencies]\nserde = \"1\"\n", "[dependencies]\nserde = \"2\"\n", `+serde = "2"`, nil, []string{"medium lock-out-of-step Cargo.toml:1 RIGHT"}},
		"its version": {"Cargo.toml", "Cargo.lock", "[package]\nversion = \"1\"\n", "[package]\nversion = \"2\"\n", `+version = "2"`, nil, nil},
		"Go":          {"go.mod", "go.sum", "require example.com/a v1.0.0\n", "require example.com/a v1.1.0\n", "+require example.com/a v1.1.0", nil, []string{"medium lock-out-of-step go.mod:1 RIGHT"}},
		"Gemfile":     {"Gemfile", "Gemfile.lock", "gem 'a', '1'\n", "gem 'a', '2'\n", "+gem 'a', '2'", nil, []string{"medium lock-out-of-step Gemfile:1 RIGHT"}},
		"no JSON":     {"package.json", "yarn.lock", "{", "{", "+{", nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			text := func(s string) func(context.Context, string) ([]byte, error) {
				return func(context.Context, string) ([]byte, error) { return []byte(s), nil }
			}
			c := rule.Change{
				Files: append([]rule.File{changed(tt.manifest, "modified", tt.line)}, tt.also...), Base: text(tt.before), Head: text(tt.after),
				Tree: func(p string) bool { return p != "" && p == tt.lock },
			}
			if diff := cmp.Diff(tt.want, check(t, c)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFilesThatChangeTogether(t *testing.T) {
	both := slices.Repeat([][]string{{"a.py", "b.py"}}, 8)
	one := changed("a.py", "modified", "+x")
	tree := func(p string) bool { return p == "b.py" }
	for name, tt := range map[string]struct {
		commits [][]string
		files   []rule.File
		want    []string
	}{
		"left out":       {both, []rule.File{one}, []string{"low left-out a.py:1 RIGHT"}},
		"not left out":   {both, []rule.File{one, changed("b.py", "modified", "+y")}, nil},
		"seldom":         {both[:5], []rule.File{one}, nil},
		"often alone":    {append(slices.Repeat([][]string{{"a.py"}}, 4), both...), []rule.File{one}, nil},
		"gone by now":    {slices.Repeat([][]string{{"a.py", "c.py"}}, 8), []rule.File{one}, nil},
		"large commits":  {slices.Repeat([][]string{append(slices.Repeat([]string{"x"}, 30), "a.py", "b.py")}, 8), []rule.File{one}, nil},
		"nothing is new": {both, []rule.File{changed("a.py", "modified", "-x")}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, check(t, rule.Change{Files: tt.files, Commits: tt.commits, Tree: tree})); diff != "" {
				t.Error(diff)
			}
		})
	}
}
