package run_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/graph"
	"github.com/repomind/repomind/internal/github"
	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/repo/repotest"
	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/internal/run"
	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/memory"
	"github.com/repomind/repomind/nodes/issue"
	"github.com/repomind/repomind/nodes/lessons"
	"github.com/repomind/repomind/nodes/review"
)

// shop has a fault: adding an item again forgets how many there were.
const shop = `
Start
-- shop/cart.py --
class Cart:
    def __init__(self):
        self.items = {}

    def add(self, item, count=1):
        self.items[item] = count

    def total(self):
        return sum(price(i) * n for i, n in self.items.items())
-- shop/price.py --
PRICES = {"tea": 3}


def price(item):
    return PRICES[item]
`

func bug() *github.Issue {
	return &github.Issue{Title: "Cart.add forgets the count", Body: "Adding tea twice with `Cart.add` gives a total of 3 and not of 6.\n\nExpected: 6. It is a bug."}
}

// book is a model that answers by what it is asked: the first answer whose key stands in
// the request, each list from its beginning, the last one again and again.
type book struct {
	mu      sync.Mutex
	answers map[string][]string
	asked   []string // the keys, in the order of the calls
	seen    []llm.Request
}

func (b *book) Generate(_ context.Context, req llm.Request) (llm.Response, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.seen = append(b.seen, req)
	var text strings.Builder
	for _, m := range req.Messages {
		text.WriteString(m.Text())
	}
	for key, list := range b.answers {
		if !strings.Contains(text.String(), key) {
			continue
		}
		b.asked = append(b.asked, key)
		if len(list) > 1 {
			b.answers[key] = list[1:]
		}
		usage := llm.Usage{Calls: 1, Input: 100, Output: 10}
		if strings.HasPrefix(list[0], "call ") {
			name, args, _ := strings.Cut(strings.TrimPrefix(list[0], "call "), " ")
			return llm.Response{Model: "test/book", Stop: llm.StopTools, Usage: usage, Calls: []llm.ToolCall{{ID: fmt.Sprint("c", len(b.seen)), Name: name, Args: json.RawMessage(args)}}}, nil
		}
		if list[0] == "fail" {
			return llm.Response{Usage: llm.Usage{Calls: 1, Failed: 1}}, &llm.Error{Op: "call test/book", Kind: llm.ErrUnavailable, Message: "it is down"}
		}
		return llm.Response{Model: "test/book", Text: list[0], Stop: llm.StopEnd, Usage: usage}, nil
	}
	return llm.Response{}, fmt.Errorf("no answer to %.300s", text.String())
}

// The beginnings of the prompts, which tell them apart.
const (
	toRoute    = "You sort issues"
	toRegress  = "Does this issue say that something worked before"
	toEnter    = "Which functions, methods and classes"
	toWrite    = "You help to find the code of a repository"
	toClassify = "What sort of change is likely"
	toAnalyze  = "You are a senior backend engineer"
	toPlan     = "You are a senior software architect"
	toAnswer   = "You are a technical writer"
	toJudge    = "You are a strict reviewer"
)

const goodAnswer = `{"hypotheses": [
 {"statement": "add replaces the count", "state": "chosen", "reason": "the assignment", "supporting": [{"path": "shop/cart.py", "quote": "self.items[item] = count", "shows": "the old count is lost"}, {"path": "shop/cart.py", "quote": "return sum(price(i) * n for i, n in self.items.items())", "shows": "the total takes the count as it is"}]},
 {"statement": "price is wrong", "state": "ruled_out", "reason": "it looks the price up", "refuting": [{"path": "shop/price.py", "quote": "return PRICES[item]", "shows": "a plain look up"}]}],
 "root_cause": "Cart.add assigns the count in place of adding it.", "locations": [{"path": "shop/cart.py", "symbol": "Cart.add", "quote": "self.items[item] = count", "why": "the assignment"}],
 "severity": "high", "fix": "Add to the count.", "fix_files": ["shop/cart.py"], "confidence": 0.9}`

func answers() map[string][]string {
	return map[string][]string{
		toRoute:    {`{"kind": "bug", "why": "it counts wrong", "severity": "medium", "severity_why": "totals are wrong"}`},
		toRegress:  {`{"is_regression": false, "why": ""}`},
		toEnter:    {`{"names": [{"name": "Cart.add", "kind": "function"}, {"name": "tea", "kind": "word"}]}`},
		toWrite:    {`{"code": "def add(self, item, count):\n    self.items[item] = count"}`},
		toClassify: {`{"class": "code_fix", "why": "the code counts wrong"}`},
		toAnalyze:  {`call read_file {"path": "shop/cart.py"}`, goodAnswer},
		toJudge:    {`{"confidence": 0.9}`},
	}
}

type host struct {
	from   repo.Origin
	places *run.Places
	dir    string
	memory lessons.Store
	names  map[string]string // of the models
	where  string
	policy review.Policy

	commits []string
}

func newHost(t *testing.T, commits ...string) *host {
	t.Helper()
	r := repotest.New(t, commits...)
	cache, err := repo.NewCache(repo.Config{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	h := &host{from: repo.Origin{Dir: r.Dir}, places: &run.Places{Cache: cache}, dir: t.TempDir(), commits: r.Commits}
	t.Cleanup(h.places.Close)
	return h
}

// open gives a runner, as a new process would.
func (h *host) open(t *testing.T, m llm.Model) *run.Runner {
	t.Helper()
	c := issue.Config{Places: h.places, Memory: h.memory, Names: h.names, Where: h.where, Tool: report.Tool{Name: "repomind", Version: "test"}}
	if m != nil {
		c.Models = &llm.Set{Main: m, Small: m, Critic: m, Vision: m}
	}
	r, err := run.Open(t.Context(), run.Config{Dir: h.dir, Issue: c})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

func (h *host) analyze(t *testing.T, m llm.Model, is *github.Issue) report.Analysis {
	t.Helper()
	out, err := h.open(t, m).Analyze(t.Context(), issue.Input{Issue: is, From: h.from}, run.Options{Fresh: true})
	if err != nil {
		t.Fatal(err)
	}
	return out.Report
}

// at gives the locations of a report: path:lines (symbol).
func at(a report.Analysis) (out []string) {
	for _, l := range a.Locations {
		out = append(out, fmt.Sprintf("%s (%s)", l.Span(), l.Symbol))
	}
	return out
}

func TestBugWithModel(t *testing.T) {
	m := &book{answers: answers()}
	a := newHost(t, shop).analyze(t, m, bug())
	if diff := cmp.Diff([]string{"shop/cart.py:6 (Cart.add)"}, at(a)); diff != "" {
		t.Error(diff)
	}
	if a.Status != report.Completed || a.StopReason != report.StopDone || a.RootCause.Class != report.Confirmed || a.Confidence != 0.9 {
		t.Errorf("it is %s, %s, %+v, %v", a.Status, a.StopReason, a.RootCause, a.Confidence)
	}
	if diff := cmp.Diff([]string{"e1", "e2"}, a.RootCause.Evidence); diff != "" {
		t.Error(diff)
	}
	if a.Checked.Claims != 7 || len(a.Checked.Removed) != 0 {
		t.Errorf("checked: %+v", a.Checked)
	}
	if diff := cmp.Diff(&report.Fix{Class: report.CodeFix, Why: "the code counts wrong", Suggestion: "Add to the count.", Files: []string{"shop/cart.py"}}, a.Fix); diff != "" {
		t.Error(diff)
	}
	var nodes []string
	for _, u := range a.Usage.ByNode {
		nodes = append(nodes, fmt.Sprintf("%s %d", u.Node, u.Calls))
	}
	if diff := cmp.Diff([]string{"analyze_bug 2", "classify_fix 1", "detect_regression 1", "gather entry 1", "gather rag 1", "reflect 1", "route_issue 1"}, nodes); diff != "" {
		t.Errorf("%s\nasked %q", diff, m.asked)
	}
	if a.Usage.Calls != 8 || a.Usage.Input != 800 || a.Usage.CostUSD != nil || a.Usage.CostStatus != "unknown" {
		t.Errorf("the usage is %+v", a.Usage)
	}
}

// What the critic has against an answer is what the next analysis is told.
func TestCriticSendsBack(t *testing.T) {
	all := answers()
	all[toAnalyze] = []string{
		strings.Replace(goodAnswer, "self.items[item] = count", "self.items[item] += count", 2), goodAnswer,
	}
	all[toJudge] = []string{`{"confidence": 0.4, "objections": ["the quote does not show it"]}`, `{"confidence": 0.8}`}
	m := &book{answers: all}
	a := newHost(t, shop).analyze(t, m, bug())
	if a.Retries != 1 || a.RootCause.Class != report.Likely || a.Confidence != 0.8 || len(a.Critic) != 0 {
		t.Errorf("%d retries, %+v, %v, %q", a.Retries, a.RootCause, a.Confidence, a.Critic)
	}
	second := ""
	for _, req := range m.seen {
		if text := req.Messages[0].Text(); strings.Contains(text, toAnalyze) {
			second = req.Messages[len(req.Messages)-1].Text()
		}
	}
	for _, want := range []string{"Your earlier answer was sent back", "the quote does not show it", `shop/cart.py has no "self.items[item] += count"`} {
		if !strings.Contains(second, want) {
			t.Errorf("the second analysis is not told %q", want)
		}
	}
}

func TestCriticGivesUp(t *testing.T) {
	all := answers()
	all[toAnalyze] = []string{goodAnswer}
	all[toJudge] = []string{`{"confidence": 0.2, "objections": ["no"]}`}
	m := &book{answers: all}
	a := newHost(t, shop).analyze(t, m, bug())
	if a.Retries != 2 || a.RootCause.Class != report.Inconclusive || a.Confidence != 0.2 {
		t.Errorf("%d retries, %+v, %v", a.Retries, a.RootCause, a.Confidence)
	}
	if diff := cmp.Diff([]string{"the critic gives it 0.20, below 0.7"}, a.RootCause.Why); diff != "" {
		t.Error(diff)
	}
}

func TestBugWithoutModel(t *testing.T) {
	a := newHost(t, shop).analyze(t, nil, bug())
	if diff := cmp.Diff([]string{"shop/cart.py:5-6 (Cart.add)", "shop/price.py:4-5 (price)"}, at(a)); diff != "" {
		t.Error(diff)
	}
	if a.Status != report.Completed || a.StopReason != report.StopNoModel || a.RootCause.Statement != "" || a.Usage.Calls != 0 || *a.Usage.CostUSD != 0 {
		t.Errorf("it is %s, %s, %+v, %+v", a.Status, a.StopReason, a.RootCause, a.Usage)
	}
}

// A model that fails leaves a report of what can be said without it, and says so.
func TestModelFails(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(map[string][]string)
		stop   report.Stop
		class  report.Class
		at     string
	}{
		"at once": {func(a map[string][]string) { a[toRoute] = []string{"fail"} }, report.StopProvider, report.Likely, "shop/cart.py:5-6 (Cart.add)"},
		"while looking": {func(a map[string][]string) {
			a[toAnalyze] = []string{`call read_file {"path": "shop/cart.py"}`, "fail"}
		}, report.StopProvider, report.Likely, "shop/cart.py:5-6 (Cart.add)"},
		"when judging": {func(a map[string][]string) { a[toJudge] = []string{"fail"} }, report.StopProvider, report.Inconclusive, "shop/cart.py:6 (Cart.add)"},
		"with garbage": {func(a map[string][]string) {
			for key := range a {
				a[key] = []string{"]]> I am {not} JSON"}
			}
		}, report.StopProvider, report.Likely, "shop/cart.py:5-6 (Cart.add)"},
	} {
		t.Run(name, func(t *testing.T) {
			all := answers()
			tt.change(all)
			a := newHost(t, shop).analyze(t, &book{answers: all}, bug())
			if a.Status != report.Partial || a.StopReason != tt.stop || a.RootCause.Class == report.Confirmed || len(a.Locations) == 0 || at(a)[0] != tt.at {
				t.Errorf("it is %s, %s, %+v, %q", a.Status, a.StopReason, a.RootCause, at(a))
			}
			if !slices.ContainsFunc(a.Warnings, func(w string) bool { return strings.Contains(w, "went on without") }) {
				t.Errorf("the warnings are %q", a.Warnings)
			}
		})
	}
}

// A commit that is said to have brought the fault is told if it is there.
func TestRegressionNamesItsCommit(t *testing.T) {
	h := newHost(t, shop, "\nPrices\n-- shop/price.py --\nPRICES = {\"tea\": 4}\n\n\ndef price(item):\n    return PRICES[item]\n")
	is := bug()
	is.Body += " It used to work in 1.0.1."
	clone, err := h.places.Clone(t.Context(), h.from)
	if err != nil {
		t.Fatal(err)
	}
	start, err := clone.Resolve(t.Context(), "main~1")
	if err != nil {
		t.Fatal(err)
	}
	for since, want := range map[string]string{start.Short(): "Start", "0a1b2c3d4e5f": ""} {
		all := answers()
		all[toAnalyze] = []string{strings.Replace(goodAnswer, `"confidence"`, `"since_commit": "`+since+`", "confidence"`, 1)}
		a := h.analyze(t, &book{answers: all}, is)
		got := ""
		if a.Regression.Since != nil {
			got = a.Regression.Since.Subject
		}
		if got != want || (len(a.Checked.Removed) == 0) != (want != "") {
			t.Errorf("since %s is %q, removed %q", since, got, a.Checked.Removed)
		}
	}
}

func TestFeature(t *testing.T) {
	all := answers()
	all[toRoute] = []string{`{"kind": "feature", "why": "asks for something new", "severity": "low", "severity_why": "a wish"}`}
	all[toPlan] = []string{`{"exists": "no", "summary": "Carts have no discount.", "feasibility": "high", "intrusiveness": "low", "breaking_risks": ["totals change"], "plan": "Let total take one.", "locations": [{"path": "shop/cart.py", "symbol": "Cart.total", "why": "it sums up"}], "evidence": [{"path": "shop/cart.py", "quote": "def total(self):", "shows": "no parameter"}], "confidence": 0.8}`}
	a := newHost(t, shop).analyze(t, &book{answers: all}, &github.Issue{Title: "Support a discount in the cart", Body: "It would be nice to have a discount."})
	want := &report.FeaturePlan{Exists: "no", Feasibility: "high", Intrusiveness: "low", Breaking: []string{"totals change"}, Plan: "Let total take one."}
	if diff := cmp.Diff(want, a.Feature); diff != "" {
		t.Error(diff)
	}
	if a.IssueKind != report.Feature || a.RootCause != nil || at(a)[0] != "shop/cart.py:8-9 (Cart.total)" {
		t.Errorf("it is a %s at %q, %+v", a.IssueKind, at(a), a.RootCause)
	}
}

func TestQuestion(t *testing.T) {
	all := answers()
	all[toRoute] = []string{`{"kind": "question", "why": "asks how", "severity": "low", "severity_why": "a question"}`}
	all[toAnswer] = []string{`{"usage": "Call Cart.add with a count.", "design": "", "is_bug": false, "quotes": [{"path": "shop/cart.py", "quote": "def add(self, item, count=1):", "shows": "the parameter"}], "confidence": 0.9}`}
	a := newHost(t, shop).analyze(t, &book{answers: all}, &github.Issue{Title: "How do I add three teas?", Body: "I wonder how to do it."})
	if diff := cmp.Diff(&report.Answer{Usage: "Call Cart.add with a count.", Quotes: []string{"e1"}}, a.Answer); diff != "" {
		t.Error(diff)
	}
	if a.Fix != nil || a.RootCause != nil {
		t.Errorf("a question has a fix %+v, a cause %+v", a.Fix, a.RootCause)
	}
}

// The gate survives the end of the process, and nothing that was done is done again.
func TestGate(t *testing.T) {
	h := newHost(t, shop)
	m := &book{answers: answers()}
	in := issue.Input{Issue: bug(), From: h.from, Security: true}
	out, err := h.open(t, m).Analyze(t.Context(), in, run.Options{})
	if err != nil || out.Asks == nil || out.Asks.Question.Title != "Cart.add forgets the count" || out.Asks.Question.Why != "asked for with --security" {
		t.Fatalf("it gives %+v, %v", out, err)
	}
	again, err := h.open(t, m).Analyze(t.Context(), in, run.Options{})
	if err != nil || again.Asks == nil || again.Run != out.Run {
		t.Fatalf("asked again it gives %+v, %v", again, err)
	}
	if len(m.asked) > 0 {
		t.Errorf("before the gate a model was asked %q", m.asked)
	}
	got, err := h.open(t, m).Decide(t.Context(), out.Run, issue.Decision{Approve: true, Note: "go", By: "ann"}, "ann", run.Options{})
	if err != nil || got.Report.Approval == nil || got.Report.Approval.By != "ann" || got.Report.RootCause.Class != report.Confirmed {
		t.Fatalf("approved it gives %+v, %v", got, err)
	}
	if _, err := h.open(t, m).Decide(t.Context(), out.Run, issue.Decision{}, "ann", run.Options{}); !errors.Is(err, run.ErrNotWaiting) {
		t.Errorf("a second decision gives %v", err)
	}
}

// A person allows that the issue goes to the models that the question names, and to no
// others.
func TestAnApprovalIsForTheModelsThatWereTold(t *testing.T) {
	h := newHost(t, shop)
	m := &book{answers: answers()}
	h.names, h.where = map[string]string{"main": "local/private"}, "http://localhost:1/v1"
	out, err := h.open(t, m).Analyze(t.Context(), issue.Input{Issue: bug(), From: h.from, Security: true}, run.Options{})
	if err != nil || out.Asks == nil || out.Asks.Question.Will != "The issue and parts of the code go to local/private at http://localhost:1/v1." {
		t.Fatalf("it gives %+v, %v", out.Asks, err)
	}
	h.names, h.where = map[string]string{"main": "cloud/public"}, ""
	again, err := h.open(t, m).Decide(t.Context(), out.Run, issue.Decision{Approve: true}, "ann", run.Options{})
	if err != nil || again.Asks == nil || again.Asks.Question.Will != "The issue and parts of the code go to cloud/public." || len(m.asked) > 0 {
		t.Fatalf("with other models it gives %+v, %v, and asked %q", again.Asks, err, m.asked)
	}
}

// What a person had to allow leaves no lesson that others are shown.
func TestSecurityLeavesNoLesson(t *testing.T) {
	store, err := memory.Open(t.TempDir()+"/memory.sqlite", memory.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	h := newHost(t, shop)
	h.memory = store
	out, err := h.open(t, &book{answers: answers()}).Analyze(t.Context(), issue.Input{Issue: bug(), From: h.from, Security: true}, run.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.open(t, &book{answers: answers()}).Decide(t.Context(), out.Run, issue.Decision{Approve: true}, "ann", run.Options{}); err != nil {
		t.Fatal(err)
	}
	if all, err := store.List(t.Context(), memory.Filter{}); err != nil || len(all) > 0 {
		t.Errorf("kept are %+v, %v", all, err)
	}
}

// Words that a model puts into the issue's mouth make no regression.
func TestARegressionIsSaidInTheIssue(t *testing.T) {
	for said, want := range map[string]bool{"gives a total of 3  and NOT of 6": true, "it worked in 9.9.9": false} {
		all := answers()
		all[toRegress] = []string{fmt.Sprintf(`{"is_regression": true, "why": %q, "last_good_version": "9.9.9"}`, said)}
		a := newHost(t, shop).analyze(t, &book{answers: all}, bug())
		if got := a.Regression != nil; got != want {
			t.Errorf("%q: a regression is %v, want %v", said, got, want)
		} else if got && a.Regression.Good != "" {
			t.Errorf("%q: version %q is not in the issue", said, a.Regression.Good)
		}
	}
}

// All that a model says is looked up, also where it is no root cause.
func TestAnswersAndNotesAreLookedUp(t *testing.T) {
	all := answers()
	all[toRoute] = []string{`{"kind": "question", "why": "see src/ghost.py", "severity": "low", "severity_why": "a question"}`}
	all[toAnswer] = []string{`{"usage": "Call ` + "`ghost_function()` from src/ghost.py:812, or `functools.partial`, or `Cart.add` in shop/cart.py:500-3 (shop/cart.py line 812)." + `", "design": "", "is_bug": false, "quotes": [{"path": "shop/cart.py", "quote": "def add(self, item, count=1):", "shows": "it"}], "confidence": 0.9, "missing_evidence": ["what lib/other.py does"]}`}
	a := newHost(t, shop).analyze(t, &book{answers: all}, &github.Issue{Title: "How do I add three teas?", Body: "I wonder how to do it."})
	want := &report.Answer{
		Usage:  "Call [a name that is not there] from [a file that is not there], or `functools.partial`, or `Cart.add` in shop/cart.py (shop/cart.py).",
		Quotes: []string{"e1"}, Missing: []string{"what [a file that is not there] does"},
	}
	if diff := cmp.Diff(want, a.Answer); diff != "" {
		t.Error(diff)
	}
	if a.KindWhy != "as a model reads it: see [a file that is not there]" {
		t.Errorf("the kind is because %q", a.KindWhy)
	}
}

// stopper is a model that ends the run at its n-th answer to the analyst.
type stopper struct {
	book
	n    int
	stop context.CancelFunc
}

func (s *stopper) Generate(ctx context.Context, req llm.Request) (llm.Response, error) {
	if strings.Contains(req.Messages[0].Text(), toAnalyze) {
		if s.n--; s.n == 0 {
			s.stop()
			return llm.Response{}, ctx.Err()
		}
	}
	return s.book.Generate(ctx, req)
}

// What a run had paid counts when it goes on: that of nodes that had ended, and the rounds
// of the one that was broken off.
func TestWhatWasPaidCountsAfterAResume(t *testing.T) {
	h := newHost(t, shop)
	all := answers()
	all[toAnalyze] = append([]string{`call read_file {"path": "shop/cart.py"}`, `call read_file {"path": "shop/price.py"}`}, all[toAnalyze]...)
	ctx, stop := context.WithCancel(t.Context())
	m := &stopper{book: book{answers: all}, n: 3, stop: stop}
	out, err := h.open(t, m).Analyze(ctx, issue.Input{Issue: bug(), From: h.from}, run.Options{})
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	var ended, kept llm.Usage
	if _, err := h.open(t, &book{answers: all}).Continue(t.Context(), out.Run, run.Options{
		Spent: func(u llm.Usage) { ended = u }, Kept: func(u llm.Usage) { kept = kept.Add(u) },
	}); err != nil {
		t.Fatal(err)
	}
	if ended.Calls+kept.Calls != len(m.asked) || kept.Calls != 2 {
		t.Errorf("%d calls of ended nodes and %d kept are told, %d were made", ended.Calls, kept.Calls, len(m.asked))
	}
}

// A label is enough for the gate, and no model can open it.
func TestSecurityIsGatedByItsLabel(t *testing.T) {
	m := &book{answers: answers()} // it would say that this is a bug
	is := bug()
	is.Labels = []string{"security"}
	h := newHost(t, shop)
	out, err := h.open(t, m).Analyze(t.Context(), issue.Input{Issue: is, From: h.from}, run.Options{})
	if err != nil || out.Asks == nil || out.Asks.Question.Why != `it is labelled "security"` {
		t.Fatalf("it gives %+v, %v", out, err)
	}
	got, err := h.open(t, m).Decide(t.Context(), out.Run, issue.Decision{Approve: true}, "ann", run.Options{})
	if err != nil || got.Report.IssueKind != report.Security || got.Report.RootCause == nil || at(got.Report)[0] != "shop/cart.py:6 (Cart.add)" {
		t.Errorf("approved it is a %s at %q, %v", got.Report.IssueKind, at(got.Report), err)
	}
	for _, req := range m.seen {
		if text := req.Messages[0].Text(); strings.Contains(text, toAnalyze) && !strings.Contains(text, "Do not write a\n  working attack") {
			t.Errorf("the analyst of a security issue is told %q", text)
		}
	}
}

// What one repository taught is not told to another.
func TestLessonsStayInTheirRepository(t *testing.T) {
	store, err := memory.Open(t.TempDir()+"/memory.sqlite", memory.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	h, other := newHost(t, shop), newHost(t, shop)
	h.memory, other.memory = store, store
	h.analyze(t, &book{answers: answers()}, bug())
	for name, tt := range map[string]struct {
		host *host
		want int
	}{"the same": {h, 1}, "another": {other, 0}} {
		m := &book{answers: answers()}
		a := tt.host.analyze(t, m, bug())
		told := 0
		for _, req := range m.seen {
			if strings.Contains(req.Messages[len(req.Messages)-1].Text(), "# Earlier analyses of this repository") {
				told++
			}
		}
		if len(a.Lessons) != tt.want || (told > 0) != (tt.want > 0) {
			t.Errorf("%s repository: %d lessons, told %d times", name, len(a.Lessons), told)
		}
	}
}

func TestRejectedIsNotAnalysed(t *testing.T) {
	h := newHost(t, shop)
	m := &book{answers: answers()}
	out, err := h.open(t, m).Analyze(t.Context(), issue.Input{Issue: bug(), From: h.from, Security: true}, run.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := h.open(t, m).Decide(t.Context(), out.Run, issue.Decision{Note: "embargo", By: "ann"}, "ann", run.Options{})
	if err != nil || got.Report.Status != report.Rejected || got.Report.Approval.Note != "embargo" || len(got.Report.Locations) != 0 || got.Report.RootCause != nil {
		t.Errorf("it gives %+v, %v", got.Report, err)
	}
	if slices.Contains(m.asked, toAnalyze) {
		t.Error("it was analysed")
	}
}

// The same input at the same commit gives the same report, without a call.
func TestReportIsKept(t *testing.T) {
	h := newHost(t, shop)
	m := &book{answers: answers()}
	in := issue.Input{Issue: bug(), From: h.from}
	first, err := h.open(t, m).Analyze(t.Context(), in, run.Options{})
	if err != nil || first.Kept {
		t.Fatal(first, err)
	}
	calls := len(m.asked)
	second, err := h.open(t, m).Analyze(t.Context(), in, run.Options{})
	if err != nil || !second.Kept || second.Run != first.Run || len(m.asked) != calls {
		t.Fatalf("again it gives %+v, %v after %d calls", second, err, len(m.asked)-calls)
	}
	if diff := cmp.Diff(first.Report, second.Report); diff != "" {
		t.Error(diff)
	}
	in.Issue.Body += " More."
	third, err := h.open(t, m).Analyze(t.Context(), in, run.Options{})
	if err != nil || third.Kept || third.Run == first.Run {
		t.Errorf("another issue gives %+v, %v", third, err)
	}
}

func TestList(t *testing.T) {
	h := newHost(t, shop)
	r := h.open(t, nil)
	out, err := r.Analyze(t.Context(), issue.Input{Issue: bug(), From: h.from}, run.Options{})
	if err != nil {
		t.Fatal(err)
	}
	all, err := r.List(t.Context())
	if err != nil || len(all) != 1 || all[0].Run != out.Run || all[0].Status != graph.StatusDone || all[0].Title != bug().Title {
		t.Fatalf("the list is %+v, %v", all, err)
	}
	var b strings.Builder
	if err := r.Export(t.Context(), out.Run, &b); err != nil || strings.Count(b.String(), "\n") < 10 || !strings.Contains(b.String(), `"step":0`) {
		t.Errorf("the export is %.200s, %v", b.String(), err)
	}
	if err := r.Delete(t.Context(), out.Run); err != nil {
		t.Fatal(err)
	}
	for name, call := range map[string]func() error{
		"show":   func() error { _, err := r.Show(t.Context(), out.Run); return err },
		"export": func() error { return r.Export(t.Context(), out.Run, &b) },
		"delete": func() error { return r.Delete(t.Context(), out.Run) },
		"decide": func() error {
			_, err := r.Decide(t.Context(), out.Run, issue.Decision{}, "", run.Options{})
			return err
		},
	} {
		if err := call(); !errors.Is(err, run.ErrUnknown) {
			t.Errorf("%s of a run that is gone gives %v", name, err)
		}
	}
}

func TestCommitIsChosen(t *testing.T) {
	h := newHost(t, shop, "\nSecond\n-- a.txt --\nx\n", "\nThird\n-- a.txt --\ny\n") // a day apart, from 2024-01-01 on
	clone, err := h.places.Clone(t.Context(), h.from)
	if err != nil {
		t.Fatal(err)
	}
	commit := func(rev string) string {
		c, err := clone.Resolve(t.Context(), rev)
		if err != nil {
			t.Fatal(err)
		}
		return string(c)
	}
	for name, tt := range map[string]struct {
		in   issue.Input
		want string
		why  string
	}{
		"by name":   {issue.Input{At: "main~2", Issue: &github.Issue{}}, "main~2", "asked for as main~2"},
		"by date":   {issue.Input{Issue: &github.Issue{Created: time.Date(2024, 1, 2, 18, 0, 0, 0, time.UTC)}}, "main~1", "the last before the issue was opened on 2024-01-02"},
		"too early": {issue.Input{Issue: &github.Issue{Created: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)}}, "main", "the newest; there is none before the issue was opened"},
		"no date":   {issue.Input{Issue: &github.Issue{}}, "main", "the newest; it is not known when the issue was opened"},
	} {
		tt.in.From = h.from
		_, c, err := issue.Look(t.Context(), issue.Config{Places: h.places}, tt.in)
		if err != nil || string(c.Commit) != commit(tt.want) || c.Why != tt.why || string(c.Head) != commit("main") {
			t.Errorf("%s: %+v, %v", name, c, err)
		}
	}
}

// A commit that no branch of the clone leads to is fetched by its name, also after another.
func TestPlacesFetchWhatIsMissing(t *testing.T) {
	r := repotest.New(t, "One\n-- a --\n1\n", "Two\n-- a --\n2\n")
	cache, err := repo.NewCache(repo.Config{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	p := &run.Places{Cache: cache}
	t.Cleanup(p.Close)
	from := repo.Origin{Dir: r.Dir}
	if _, err := p.At(t.Context(), from, source.Commit(r.Commits[1])); err != nil {
		t.Fatal(err)
	}
	third := r.Commit("Three\n-- a --\n3\n")
	r.Git("reset", "-q", "--hard", r.Commits[1])
	place, err := p.At(t.Context(), from, source.Commit(third))
	if err != nil {
		t.Fatal(err)
	}
	if data, err := place.Snapshot.Read(t.Context(), "a"); err != nil || string(data) != "3\n" {
		t.Errorf("%q, %v", data, err)
	}
}
