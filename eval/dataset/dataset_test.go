package dataset_test

import (
	"flag"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/repomind/repomind/eval/dataset"
	"github.com/repomind/repomind/internal/source"
)

var data = flag.String("data", "", "a folder of data sets of your own to check: bugs, features, prs and questions.jsonl")

func hash(s string) source.Commit { return source.Commit(strings.Repeat(s, 20)) }

var (
	shop  = source.Repo{Owner: "example", Name: "shop"}
	lexer = source.Repo{Owner: "example", Name: "lexer"}
)

func cases(t *testing.T) []dataset.Case {
	t.Helper()
	all, err := dataset.Load("testdata/cases.jsonl", dataset.Limits{}, dataset.Cases)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestCases(t *testing.T) {
	all := cases(t)
	want := []dataset.Case{{
		ID: "example__shop-12", Kind: dataset.Bug, Language: source.Python,
		Input: dataset.Input{
			Repo: shop, Title: "Total is wrong with two coupons", Body: "With two coupons the sum is below zero.",
			Base: hash("a1"), Date: time.Date(2024, 3, 1, 10, 0, 0, 0, time.UTC),
		},
		Gold: dataset.Gold{
			Files: []string{"shop/cart.py"}, Added: []string{},
			Functions: []string{"shop/cart.py:Cart.total"}, Parsed: true,
			Lines: []source.Span{{Path: "shop/cart.py", Start: 10, End: 12}, {Path: "shop/cart.py", Start: 20, End: 20}},
			Issue: 11, FixPull: 12, Fix: hash("a2"), Severity: "high", Difficulty: "<15 min fix",
		},
	}, {
		ID: "example__shop-15", Kind: dataset.Bug, Language: source.Python,
		Input: dataset.Input{
			Repo: shop, Title: "Cart.total raises on an empty cart", Body: "Traceback: shop/cart.py, line 31, in total",
			Base: hash("a3"), Date: time.Date(2024, 3, 2, 12, 30, 0, 0, time.UTC),
		},
		Gold: dataset.Gold{
			Files: []string{"shop/cart.py", "shop/order.py"}, Added: []string{},
			Functions: []string{"shop/cart.py:Cart.total", "shop/order.py:close"}, Parsed: true,
			Lines:   []source.Span{{Path: "shop/cart.py", Start: 31, End: 31}, {Path: "shop/order.py", Start: 7, End: 9}},
			FixPull: 15,
		},
		Mentions: dataset.Mentions{File: true, Basename: true, Function: true},
	}}
	if diff := cmp.Diff(want, all[:2]); diff != "" {
		t.Error(diff)
	}
}

// What the first two records do not show.
func TestCasesOfOtherForms(t *testing.T) {
	all := cases(t)
	var got []string
	for _, c := range all[2:] {
		got = append(got, fmt.Sprintln(c.ID, c.Kind, c.Language, c.Input.Date.Format(time.RFC3339), c.Gold.Added, c.Gold.Parsed, c.Mentions))
	}
	want := []string{
		"example__shop-20 feature python 2024-04-01T00:00:00Z [shop/clock.py] true {false false false false}\n",
		"example__lexer-7 bug go 2024-04-30T23:00:00Z [] false {false false false false}\n",
		"example__lexer-9 bug go 2024-03-01T10:00:00Z [] false {true true false true}\n",
		"Example__Chart-3 feature javascript 0001-01-01T00:00:00Z [] false {false false false false}\n",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestPulls(t *testing.T) {
	got, err := dataset.Load("testdata/prs.jsonl", dataset.Limits{}, dataset.Pulls)
	if err != nil {
		t.Fatal(err)
	}
	price := func(start, end int) source.Span { return source.Span{Path: "shop/price.py", Start: start, End: end} }
	want := []dataset.Pull{{
		ID: "example__shop-pr30", Language: source.Python,
		Input: dataset.PullInput{
			Repo: shop, Title: "Round prices", Description: "Prices have two digits.",
			Base: hash("d1"), Head: hash("d2"), Date: time.Date(2024, 6, 1, 0, 0, 0, 0, time.UTC),
		},
		Gold: dataset.PullGold{Number: 30, Fixes: []source.Commit{hash("d3")}, Defects: []dataset.Defect{{
			Comment:   dataset.Comment{Lines: []source.Span{price(5, 6), price(9, 9)}, What: "Rounds half a cent to even; the law says up."},
			Functions: []string{"Price.rounded"}, Side: dataset.Head, Origin: "human", Severity: "high",
		}}},
	}, {
		ID: "example__shop-pr33", Language: source.Python,
		Input: dataset.PullInput{
			Repo: shop, Title: "Drop the old API", Base: hash("d4"), Head: hash("d5"), Date: time.Date(2024, 6, 2, 0, 0, 0, 0, time.UTC),
		},
		Gold: dataset.PullGold{
			Number: 33,
			Defects: []dataset.Defect{{
				Comment: dataset.Comment{
					Lines: []source.Span{{Path: "shop/api.py", Start: 70, End: 72}},
					What:  "A caller in admin.py still needs it.", Category: "Code Defect",
				},
				Functions: []string{}, Side: dataset.Base, Origin: "human",
			}},
			Valid: []dataset.Comment{{
				Lines: []source.Span{{Path: "README.md", Start: 4, End: 4}},
				What:  "Names the old API.", Category: "Maintainability and Readability",
			}},
			NonIssues: []dataset.Comment{{
				Lines: []source.Span{{Path: "shop/api.py", Start: 1, End: 1}},
				What:  "Unused import: it is used.", Category: "Code Defect",
			}},
		},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := got[0].Gold.Defects[0].Path(); got != "shop/price.py" {
		t.Errorf("the defect is in %s", got)
	}
}

func TestQuestions(t *testing.T) {
	got, err := dataset.Load("testdata/questions.jsonl", dataset.Limits{}, dataset.Questions)
	want := []dataset.Question{{
		ID: "example__lexer-q4", Topic: "usage", Language: source.Go,
		Input: dataset.Input{
			Repo: lexer, Title: "How do I skip comments?", Body: "They come as tokens.",
			Base: hash("e1"), Date: time.Date(2024, 7, 1, 0, 0, 0, 0, time.UTC),
		},
		Gold: dataset.Answer{Text: "Set SkipComments.", By: "maintainer", Files: []string{"lexer.go"}, Number: 4},
	}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
}

// A field that is added to an input can leak the answer: this list is to be
// changed only after asking what a reporter would have known.
func TestInputsHoldNoGold(t *testing.T) {
	for _, tt := range []struct {
		input any
		want  string
	}{
		{dataset.Input{}, "Repo Title Body Base Date"},
		{dataset.PullInput{}, "Repo Title Description Base Head Date"},
	} {
		var names []string
		for _, f := range reflect.VisibleFields(reflect.TypeOf(tt.input)) {
			names = append(names, f.Name)
		}
		if got := strings.Join(names, " "); got != tt.want {
			t.Errorf("%T has the fields %s, want %s", tt.input, got, tt.want)
		}
	}
}

func TestInputOfAHarderCaseDoesNotTellTheAnswer(t *testing.T) {
	for _, c := range (dataset.Filter{Harder: true}).Of(cases(t)) {
		shown := fmt.Sprintf("%+v", c.Input)
		secrets := append([]string{c.ID}, append(c.Gold.Files, c.Gold.Functions...)...)
		if c.Gold.Fix != "" {
			secrets = append(secrets, string(c.Gold.Fix))
		}
		for _, secret := range secrets {
			if strings.Contains(shown, secret) {
				t.Errorf("%s: the input tells %s", c.ID, secret)
			}
		}
	}
}

func TestFilter(t *testing.T) {
	for _, tt := range []struct {
		filter dataset.Filter
		want   string
	}{
		{dataset.Filter{}, "example__shop-12 example__shop-15 example__shop-20 example__lexer-7 example__lexer-9 Example__Chart-3"},
		{dataset.Filter{Repo: shop}, "example__shop-12 example__shop-15 example__shop-20"},
		{dataset.Filter{Repo: source.Repo{Owner: "example", Name: "chart"}}, "Example__Chart-3"},
		{dataset.Filter{Language: source.Go}, "example__lexer-7 example__lexer-9"},
		{dataset.Filter{Harder: true}, "example__shop-12 example__shop-20 example__lexer-7 Example__Chart-3"},
		{dataset.Filter{Language: source.Go, Harder: true}, "example__lexer-7"},
		{dataset.Filter{Repo: shop, Language: source.Go}, ""},
	} {
		all := cases(t)
		var ids []string
		for _, c := range tt.filter.Of(all) {
			ids = append(ids, c.ID)
		}
		if got := strings.Join(ids, " "); got != tt.want {
			t.Errorf("%+v chooses %s, want %s", tt.filter, got, tt.want)
		}
		if diff := cmp.Diff(cases(t), all); diff != "" {
			t.Errorf("%+v changes what it filters:\n%s", tt.filter, diff)
		}
	}
}

func TestEachMentionMakesACaseEasier(t *testing.T) {
	for m, want := range map[dataset.Mentions]bool{{}: true, {Patch: true}: true, {File: true}: false, {Basename: true}: false, {Function: true}: false} {
		if m.Harder() != want {
			t.Errorf("%+v: harder is %v", m, !want)
		}
	}
}

func TestDataOfYourOwn(t *testing.T) {
	if *data == "" {
		t.Skip("no -data")
	}
	check(t, "bugs.jsonl", dataset.Cases)
	check(t, "features.jsonl", dataset.Cases)
	check(t, "prs.jsonl", dataset.Pulls)
	check(t, "questions.jsonl", dataset.Questions)
}

func check[T any](t *testing.T, name string, read reader[T]) {
	t.Helper()
	all, err := dataset.Load(filepath.Join(*data, name), dataset.Limits{}, read)
	if err != nil {
		t.Error(err)
	}
	t.Logf("%s: %d records", name, len(all))
}
