package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/repomind/repomind/eval/dataset"
	"github.com/repomind/repomind/internal/github"
	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/run"
	"github.com/repomind/repomind/nodes/issue"
)

// looks are the calls of a long look around in mypy.
var looks = []string{
	`read_file {"path": "mypy/checker.py", "start_line": 1, "end_line": 400}`, `grep_code {"pattern": "def visit_"}`, `find_callers {"name": "TypeChecker.fail"}`,
	`read_file {"path": "mypy/checker.py", "start_line": 4000, "end_line": 4300}`, `grep_code {"pattern": "except"}`, `git_log_file {"path": "mypy/checker.py"}`,
	`read_file {"path": "mypy/messages.py", "start_line": 1, "end_line": 400}`, `search_commits {"query": "except"}`, `list_dir {"path": "mypy"}`,
	`grep_code {"pattern": "TupleType"}`, `read_file {"path": "mypy/types.py", "start_line": 1, "end_line": 400}`,
}

// asked answers by what it is asked, and counts what it is sent.
type asked struct {
	mu      sync.Mutex
	rounds  int
	largest int
}

var replies = []struct{ asked, text string }{
	{"You sort issues", `{"kind": "bug", "why": "x", "severity": "medium", "severity_why": "x"}`},
	{"Does this issue say that something worked before", `{"is_regression": false}`},
	{"Which functions, methods and classes", `{"names": [{"name": "TypeChecker.check_except_handler_test", "kind": "function"}]}`},
	{"You help to find the code", `{"code": "def check_except_handler_test(self, n, is_star):\n    typ = self.expr_checker.accept(n)"}`},
	{"What sort of change is likely", `{"class": "code_fix", "why": "x"}`},
	{"You are a strict reviewer", `{"confidence": 0.9}`},
}

// Generate implements llm.Model.
func (a *asked) Generate(_ context.Context, req llm.Request) (llm.Response, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	tokens := llm.Estimate(req)
	resp := llm.Response{Model: "scripted/model", Stop: llm.StopEnd, Usage: llm.Usage{Calls: 1, Input: tokens, Output: 100}}
	var all strings.Builder
	for _, m := range req.Messages {
		all.WriteString(m.Text())
	}
	for _, r := range replies {
		if strings.Contains(all.String(), r.asked) {
			resp.Text = r.text
			return resp, nil
		}
	}
	a.largest = max(a.largest, tokens)
	if a.rounds < len(looks) && !req.NoCalls {
		name, args, _ := strings.Cut(looks[a.rounds], " ")
		resp.Stop, resp.Calls = llm.StopTools, []llm.ToolCall{{ID: fmt.Sprint("c", a.rounds), Name: name, Args: json.RawMessage(args)}}
	} else {
		resp.Text = `{"hypotheses": [{"statement": "x", "state": "chosen", "reason": "x"}], "root_cause": "x", "locations": [], "severity": "low", "fix": "x", "confidence": 0.5}`
	}
	a.rounds++
	return resp, nil
}

// tokens analyses one case with a model that looks around for all its rounds, and prints
// what each node sends.
func tokens(ctx context.Context, o options, w io.Writer) error {
	all, err := dataset.Load(o.bugs, dataset.Limits{}, dataset.Cases)
	if err != nil {
		return err
	}
	for _, c := range all {
		if !strings.Contains(c.ID, o.only) {
			continue
		}
		from, err := origin(o, c.Input.Repo)
		if err != nil {
			return err
		}
		cache, err := repo.NewCache(repo.Config{Dir: filepath.Join(o.kept, "clones"), MaxSize: 1 << 40})
		if err != nil {
			return err
		}
		self, err := os.Executable()
		if err != nil {
			return err
		}
		places := &run.Places{Cache: cache, Parser: []string{self}}
		defer places.Close()
		dir, err := os.MkdirTemp("", "runs-*")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir) //nolint:errcheck // it is in the system's folder for such
		m := &asked{}
		r, err := run.Open(ctx, run.Config{Dir: dir, Issue: issue.Config{Places: places, Models: &llm.Set{Main: m, Small: m, Critic: m, Vision: m}}})
		if err != nil {
			return err
		}
		defer r.Close() //nolint:errcheck // all is stored
		out, err := r.Analyze(ctx, issue.Input{Issue: &github.Issue{Title: c.Input.Title, Body: c.Input.Body}, From: from, At: string(c.Input.Base)}, run.Options{})
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%s: %d rounds, the largest of %d tokens\n\n| node | calls | input tokens |\n| --- | --- | --- |\n", c.ID, m.rounds, m.largest)
		for _, u := range out.Report.Usage.ByNode {
			fmt.Fprintf(w, "| %s | %d | %d |\n", u.Node, u.Calls, u.Input)
		}
		return nil
	}
	return fmt.Errorf("no case holds %q", o.only)
}
