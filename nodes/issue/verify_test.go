package issue

import (
	"crypto/sha256"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/repo/repotest"
	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/internal/source"
)

const shop = `
A shop
-- shop/cart.py --
class Cart:
    def add(self, item, count=1):
        self.items[item] = count

    def total(self):
        return sum(price(i) * n for i, n in self.items.items())


class Guest(Cart):
    def add(self, item, count=1):
        self.items[item] = count
-- shop/price.py --
PRICES = {"tea": 3}


def price(item):
    return PRICES[item]
-- README.md --
# A shop
Call Cart.add.
`

func newVerifier(t *testing.T) *verifier {
	t.Helper()
	return verifierOf(t, repotest.New(t, shop))
}

// verifierOf looks things up at the last commit.
func verifierOf(t *testing.T, r *repotest.Repo) *verifier {
	t.Helper()
	cache, err := repo.NewCache(repo.Config{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	clone, err := cache.Open(t.Context(), repo.Origin{Dir: r.Dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(clone.Close)
	s, err := clone.Snapshot(t.Context(), source.Commit(r.Commits[len(r.Commits)-1]))
	if err != nil {
		t.Fatal(err)
	}
	idx, err := code.Build(t.Context(), s.Files(), s, code.Config{})
	if err != nil {
		t.Fatal(err)
	}
	return &verifier{ctx: t.Context(), snapshot: s, index: idx, issue: "It fails in my_script.py with `my_helper`", files: map[string]text{}, raw: map[string][]string{}}
}

func TestDraftIsLookedUp(t *testing.T) {
	v := newVerifier(t)
	v.draft(Draft{
		Statement: "`Cart.add` in shop/cart.py:3 forgets, as `my_helper` shows; `no_such_thing` and shop/basket.py do not.",
		Hypotheses: []Hypothesis{
			{Statement: "add replaces", State: "chosen", Reason: "seen", Supporting: []Claim{
				{Path: "shop/cart.py", Quote: "self.items[item] = count", Shows: "it replaces"},
				{Path: "shop/cart.py", Quote: "self.items[item] += count", Shows: "never written"},
				{Path: "shop/basket.py", Quote: "anything", Shows: "no such file"},
			}},
			{Statement: "price is wrong", State: "chosen", Refuting: []Claim{{Path: "./shop/price.py", Quote: "return PRICES[item]", Shows: "it is right"}}},
		},
		Places: []Spot{
			{Path: "shop/cart.py", Symbol: "Guest.add", Quote: "self.items[item] = count", Why: "here"},
			{Path: "shop/cart.py", Symbol: "Cart.add", Why: "and here"},
			{Path: "shop/price.py", Symbol: "cost", Quote: "def price(item):", Why: "wrong name"},
			{Path: "../etc/passwd", Why: "no"},
			{Path: "shop", Why: "a directory"},
		},
		FixFiles: []string{"shop/cart.py", "shop/new.py", "shop/cart.py"},
	})
	want := []report.Location{
		{Path: "shop/cart.py", Symbol: "Guest.add", Start: 11, End: 11, Rank: 1, Why: "here"},
		{Path: "shop/cart.py", Symbol: "Cart.add", Start: 2, End: 3, Rank: 2, Why: "and here"},
		{Path: "shop/price.py", Symbol: "price", Start: 4, End: 4, Rank: 3, Why: "wrong name"},
	}
	if diff := cmp.Diff(want, v.Locations); diff != "" {
		t.Errorf("locations (-want +got):\n%s", diff)
	}
	if want := "`Cart.add` in shop/cart.py:3 forgets, as `my_helper` shows; [a name that is not there] and [a file that is not there] do not."; v.Statement != want {
		t.Errorf("the statement is %q, want %q", v.Statement, want)
	}
	wantHypotheses := []report.Hypothesis{
		{Statement: "add replaces", State: report.Chosen, Reason: "seen", Supporting: []string{"e1"}, Refuting: []string{}},
		{Statement: "price is wrong", State: report.Open, Supporting: []string{}, Refuting: []string{"e2"}},
	}
	if diff := cmp.Diff(wantHypotheses, v.Hypotheses); diff != "" {
		t.Errorf("hypotheses (-want +got):\n%s", diff)
	}
	wantEvidence := []report.Evidence{
		{ID: "e1", Path: "shop/cart.py", SHA: v.snapshot.Commit(), Start: 3, End: 3, Quote: "        self.items[item] = count", Shows: "it replaces"},
		{ID: "e2", Path: "shop/price.py", SHA: v.snapshot.Commit(), Start: 5, End: 5, Quote: "    return PRICES[item]", Shows: "it is right"},
	}
	if diff := cmp.Diff(wantEvidence, v.Evidence, cmpopts.IgnoreFields(report.Evidence{}, "Hash")); diff != "" {
		t.Errorf("evidence (-want +got):\n%s", diff)
	}
	if want := fmt.Sprintf("%x", sha256.Sum256([]byte("        self.items[item] = count"))); v.Evidence[0].Hash != want {
		t.Errorf("the hash is %q, want %q", v.Evidence[0].Hash, want)
	}
	wantRemoved := []string{
		`quote: shop/cart.py has no "self.items[item] += count"`,
		`quote: shop/basket.py has no "anything"`,
		"root cause: there is no shop/basket.py",
		"root cause: there is no no_such_thing",
		"location: shop/price.py does not define cost",
		"location: there is no file ../etc/passwd",
		"location: there is no file shop",
		"file of the fix: there is no file shop/new.py",
	}
	if diff := cmp.Diff(wantRemoved, v.Checked.Removed); diff != "" {
		t.Errorf("removed (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"shop/cart.py"}, v.FixFiles); diff != "" {
		t.Error(diff)
	}
}

// A quote that stands in several places is the one that the model was shown, unless it
// names the definition.
func TestEqualQuotesAreToldApart(t *testing.T) {
	v := newVerifier(t)
	v.shown = []source.Span{{Path: "shop/cart.py", Start: 9, End: 11}}
	for want, spot := range map[int]Spot{
		11: {Path: "shop/cart.py", Quote: "self.items[item] = count"},
		3:  {Path: "shop/cart.py", Symbol: "Cart.add", Quote: "self.items[item] = count"},
	} {
		if l, ok := v.spot(spot); !ok || l.Start != want {
			t.Errorf("%+v is line %d, %v; want %d", spot, l.Start, ok, want)
		}
	}
}

// A quote of evidence that stands in several places is that in the place of the answer.
func TestAQuoteIsOfThePlaceThatTheAnswerNames(t *testing.T) {
	v := newVerifier(t)
	v.draft(Draft{
		Hypotheses: []Hypothesis{{State: "chosen", Supporting: []Claim{{Path: "shop/cart.py", Quote: "self.items[item] = count"}}}},
		Places:     []Spot{{Path: "shop/cart.py", Symbol: "Guest.add"}},
	})
	if got := v.Evidence[0].Span(); got.Start != 11 {
		t.Errorf("the quote is %v, want line 11", got)
	}
}

func TestLinesOfAMentionAreThere(t *testing.T) {
	v := newVerifier(t)
	first := v.snapshot.Commit().Short()
	for sentence, want := range map[string]string{
		"see shop/cart.py:3":        "see shop/cart.py:3",
		"see shop/cart.py:3-6.":     "see shop/cart.py:3-6.",
		"see shop/cart.py:300":      "see shop/cart.py",
		"see shop/cart.py:500-3":    "see shop/cart.py",
		"see shop/cart.py:0":        "see shop/cart.py",
		"line 812 of shop/cart.py":  "shop/cart.py",
		"lines 2-3 of shop/cart.py": "lines 2-3 of shop/cart.py",
		"shop/cart.py, line 3, and": "shop/cart.py, line 3, and",
		"shop/cart.py (lines 3-99)": "shop/cart.py",
		"see cart.py and price.py":  "see cart.py and price.py",
		"see my_script.py":          "see my_script.py",
		"see lib/other.py:3":        "see [a file that is not there]",
		"version 1.2.3 of a/b":      "version 1.2.3 of a/b",
		"since 0a1b2c3d4e":          "since [a commit that is not there]",
		"the facade of 1234567":     "the facade of 1234567",
		"since " + first:            "since " + first,
		"call `price()`":            "call `price()`",
		"call `Cart.total`":         "call `Cart.total`",
		"call `Cart.remove_all`":    "call [a name that is not there]",
		"the flag `--no-thing` and": "the flag `--no-thing` and",
		"``":                        "``",
	} {
		if got := v.prose("x", sentence); got != want {
			t.Errorf("%q becomes %q, want %q", sentence, got, want)
		}
	}
}

// What a commit took away or brought is evidence, too: at that commit, or the one before.
func TestQuotesOfTheHistory(t *testing.T) {
	r := repotest.New(t, "Begin\n-- a.py --\nx = sorted(items)\ny = 1\n", "Stop sorting\n-- a.py --\nx = items\ny = 1\n", "Rename\n-- a.py --\n(deleted)\n-- b.py --\nx = list(items)\ny = 1\n")
	v := verifierOf(t, r)
	v.draft(Draft{Since: r.Commits[1], Hypotheses: []Hypothesis{{Statement: "It sorts no more, see `sorted_items`", State: "chosen", Supporting: []Claim{
		{Path: "b.py", Quote: "x = list(items)", Shows: "now"},
		{Path: "a.py", Quote: "-x = sorted(items)", Shows: "then, by since_commit"},
		{Path: "a.py", Quote: "+x = items\n y = 1", Commit: r.Commits[1][:10], Shows: "the change"},
		{Path: "a.py", Quote: "x = set(items)", Commit: r.Commits[1], Shows: "never there"},
		{Path: "a.py", Quote: "x = sorted(items)", Commit: "HEAD~2", Shows: "found by since_commit"},
	}}}})
	want := []report.Evidence{
		{ID: "e1", Path: "b.py", SHA: source.Commit(r.Commits[2]), Start: 1, End: 1, Quote: "x = list(items)", Shows: "now"},
		{ID: "e2", Path: "a.py", SHA: source.Commit(r.Commits[0]), Start: 1, End: 1, Quote: "x = sorted(items)", Shows: "then, by since_commit"},
		{ID: "e3", Path: "a.py", SHA: source.Commit(r.Commits[1]), Start: 1, End: 2, Quote: "x = items\ny = 1", Shows: "the change"},
	}
	if diff := cmp.Diff(want, v.Evidence, cmpopts.IgnoreFields(report.Evidence{}, "Hash")); diff != "" {
		t.Errorf("evidence (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{`quote: a.py has no "x = set(items)"`, "hypothesis: there is no sorted_items"}, v.Checked.Removed); diff != "" {
		t.Errorf("removed (-want +got):\n%s", diff)
	}
}
