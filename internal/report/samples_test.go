package report_test

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"time"

	"github.com/repomind/repomind/internal/report"
)

const sha = "0123456789abcdef0123456789abcdef01234567"

// quote is evidence as it is made.
func quote(id, path string, start, end int, text, shows string) report.Evidence {
	sum := sha256.Sum256([]byte(text))
	return report.Evidence{ID: id, Path: path, SHA: sha, Start: start, End: end, Quote: text, Hash: hex.EncodeToString(sum[:]), Shows: shows}
}

func cost(usd float64) *float64 { return &usd }

// samples are made-up reports that have all parts.
func samples() map[string]report.Analysis {
	base := report.Analysis{
		SchemaVersion: report.SchemaVersion, Tool: report.Tool{Name: "repomind", Version: "v0.1.0"}, RunID: "shop-7-abcd", Doc: "analyze", Lang: "en",
		Subject: report.Subject{
			Host: "github.com", Repo: "o/shop", Number: 7, Title: "Cart.add forgets the count", URL: "https://github.com/o/shop/issues/7",
			Base: sha, ChosenBy: "the tag v1.2.0 of the version that the issue names", Web: "https://github.com/o/shop/blob/" + sha,
		},
		Status: report.Completed, StopReason: report.StopDone, IssueKind: report.Bug, KindWhy: `it is labelled "bug"`, Severity: report.High, SeverityWhy: "totals are wrong",
		Confidence: 0.9, Checked: report.Checked{Claims: 9}, Duration: 12_345,
		Usage: report.Usage{Calls: 8, Input: 41_200, Cached: 30_100, Output: 2_300, CostUSD: cost(0.031), CostStatus: "known", ByNode: []report.NodeUsage{{Node: "analyze_bug", Calls: 5, Input: 30_000, Output: 2_000, CostUSD: cost(0.02), Duration: 9_000}}, Models: map[string]string{"main": "deepseek/deepseek-chat"}},
	}
	place := report.Location{Path: "shop/cart.py", Symbol: "Cart.add", Start: 5, End: 6, Rank: 1, Score: 1, Why: "the assignment forgets what was there"}
	confirmed := base
	confirmed.RootCause = &report.RootCause{
		Class: report.Confirmed, Statement: "`Cart.add` assigns the count in place of adding it, so that the second call overwrites what the first one stored, and the total that `Cart.total` computes from it is too small.",
		Evidence: []string{"e1", "e2"}, Missing: []string{}, Why: []string{"2 quotes support it, none speaks against it, and the critic gives it 0.90"},
	}
	confirmed.Hypotheses = []report.Hypothesis{
		{Statement: "the price is wrong", State: report.RuledOut, Reason: "it is looked up and nothing is done with it", Refuting: []string{"e2"}},
		{Statement: "the store drops a write", State: report.Open, Supporting: []string{"e2"}, Refuting: []string{"e1"}},
		{Statement: "add replaces the count", State: report.Chosen, Reason: "the assignment", Supporting: []string{"e1", "e2"}},
	}
	confirmed.Locations = []report.Location{place, {Path: "docs/a (b)|c.md", Rank: 2, Score: 0.4, Why: "says otherwise"}}
	confirmed.Evidence = []report.Evidence{
		quote("e1", "shop/cart.py", 6, 6, "        self.items[item] = count", "the old count is lost"),
		quote("e2", "shop/cart.py", 8, 17, "def total(self):\n    # 2\n    # 3\n    # 4\n    # 5\n    # 6\n    # 7\n    # 8\n    # 9\n    return 0", "the total takes it as it is"),
	}
	confirmed.Fix = &report.Fix{Class: report.CodeFix, Why: "the code counts wrong", Suggestion: "Add to the count that is there:\n\n```python\nself.items[item] = self.items.get(item, 0) + count\n```", Files: []string{"shop/cart.py"}}

	plain := base
	plain.Usage, plain.StopReason, plain.Confidence = report.Usage{CostUSD: cost(0), CostStatus: "known"}, report.StopNoModel, 0.6
	plain.RootCause = &report.RootCause{Class: report.Likely, Evidence: []string{}, Missing: []string{}, Why: []string{"the first place is well ahead of the second (by 0.40 of 1), and the issue points at it: file name is named"}}
	plain.Locations = []report.Location{place, {Path: "shop/price.py", Symbol: "price", Start: 4, End: 5, Rank: 2, Score: 0.6, Why: "title, words"}}
	plain.Regression = &report.Regression{Is: true, Why: "worked in 1.1.0", Good: "1.1.0", Bad: "1.2.0", Suspects: []report.Change{{SHA: sha, Date: time.Date(2024, 3, 4, 0, 0, 0, 0, time.UTC), Subject: "Assign counts"}}}
	plain.LinkedFixes = []report.Linked{{Commit: sha, URL: "https://github.com/o/shop/pull/8", Title: "Add counts", Merged: true, InHead: "yes"}}
	plain.Warnings = []string{"2 images not read: there is no model that reads images"}

	doubtful := confirmed
	doubtful.Status, doubtful.StopReason, doubtful.Confidence = report.Partial, report.StopBudget, 0.4
	doubtful.RootCause = &report.RootCause{Class: report.Inconclusive, Statement: "It could not be determined.", Evidence: []string{}, Missing: []string{"the version of the store", "a traceback"}, Why: []string{"the critic gives it 0.40, below 0.7"}}
	doubtful.Critic, doubtful.Retries = []string{"The quotes do not show where the count is read."}, 2
	doubtful.Checked = report.Checked{Claims: 12, Removed: []string{"location: shop/cart.py does not define Cart.plus"}}
	doubtful.Lessons = []report.Lesson{{Run: "shop-3-wxyz", Title: "Totals", Text: "Root cause: rounding.", Class: report.Likely, Commit: sha, Saved: time.Date(2024, 1, 2, 0, 0, 0, 0, time.UTC), Why: "similar words: total"}}

	feature := base
	feature.KindWhy = `it is labelled "enhancement"`
	feature.IssueKind, feature.Severity, feature.SeverityWhy = report.Feature, report.Low, "nothing is broken"
	feature.Feature = &report.FeaturePlan{Exists: "partly", Feasibility: "high", Intrusiveness: "low", Breaking: []string{"totals change for carts that are stored"}, Plan: "Let `Cart.total` take a discount."}
	feature.Locations = []report.Location{place}

	question := base
	question.KindWhy, question.SeverityWhy = `it asks "how"`, ""
	question.IssueKind, question.Severity = report.Question, report.Low
	question.Answer = &report.Answer{Usage: "Call `Cart.add(item, 3)`.", Design: "No reason is written down; the code suggests that counts came later.", Quotes: []string{"e1"}}
	question.Evidence = confirmed.Evidence[:1]

	rejected := base
	rejected.Status, rejected.StopReason, rejected.IssueKind = report.Rejected, report.StopApproval, report.Security
	rejected.Confidence, rejected.Checked, rejected.Usage = 0, report.Checked{}, report.Usage{CostUSD: cost(0), CostStatus: "known"}
	rejected.Approval = &report.Approval{By: "ann", Note: "under embargo", At: time.Date(2024, 3, 4, 5, 6, 7, 0, time.UTC)}

	regression := confirmed
	regression.Approval = &report.Approval{Approved: true, By: "ann", Note: "go on", At: time.Date(2024, 3, 5, 0, 0, 0, 0, time.UTC)}
	regression.Regression = &report.Regression{Is: true, Why: "worked in 1.1.0", Good: "1.1.0", Bad: "1.2.0", Since: &plain.Regression.Suspects[0], Suspects: plain.Regression.Suspects}
	regression.LinkedFixes = []report.Linked{{URL: "https://github.com/o/shop/pull/9", Title: "Add counts, again", InHead: "no"}, {Commit: sha, Merged: true, InHead: "unknown"}}
	old := quote("e9", "shop/cart.py", 12, 12, "self.items[item] += count", "so it was")
	old.SHA = "89abcdef0123456789abcdef0123456789abcdef"
	regression.Evidence = append(slices.Clip(confirmed.Evidence), old)
	regression.CriticBefore, regression.Retries = []string{"which commit removed the sum?"}, 1
	regression.Fix = &report.Fix{Class: report.DependencyUpgrade, Why: "store 2.0.1 mends it"}

	hostile := confirmed
	hostile.Subject.Title = "\x1b[2J\u202eevil | `tick` <img src=x onerror=1> @everyone fixes #1"
	hostile.Subject.ChosenBy = "the branch \u009b31m@here\u200b"
	hostile.RootCause = &report.RootCause{
		Class: report.Likely, Evidence: []string{"e1"}, Missing: []string{"@team should look at #4", "# not a heading", "---"},
		Statement: "@admin closes o/r#12, GH-3 and ![x](https://evil.example/a.png) <script>alert(1)</script> [go](http://evil.example) _http://evil.example _www.evil.example `a|b` ``x`y`` *bold* unclosed ` tick\x07 $1 and $2\r\n" +
			"# Heading `opens\r\n* closes` @you\n\n| a | b |\n|---|:--|\n| `x | @me` | y |\n\n    indented @code\n- ```js\n@in\n```mermaid\ngraph TD; A-->@me\n```\nRule\n====\n[a]: http://evil.example",
	}
	hostile.Locations = []report.Location{
		{Path: "a\nb/```c`.py", Symbol: "f|g`h", Start: 1, End: 1, Rank: 1, Why: "| <b>x</b> @me `\\|@you` \\| c"},
		{Path: "../(x)[y]|<z>.md", Symbol: `\|@you`, Start: 2, End: 3, Rank: 2},
	}
	hostile.Evidence = []report.Evidence{quote("e1", "x.md", 1, 3, "````\n@everyone closes #1\n\x1b[31mred \x1b]0;title\x07\n\tif\u00a0a\u2066b", "</details> @you ![i](http://evil.example)")}
	hostile.Hypotheses = []report.Hypothesis{{Statement: "a | b", State: report.Chosen, Reason: "`|` @me"}}
	hostile.Warnings = []string{"<!-- hidden --> #5"}
	hostile.Tool.Version, hostile.RunID = "v0@me", "#1"

	zh := confirmed
	zh.Lang, zh.Subject.Title = "zh", "购物车 Cart.add 会丢失数量"
	root := *confirmed.RootCause
	root.Statement = "`Cart.add` 直接赋值而不是累加，因此第二次调用会覆盖第一次调用所保存的数量，`Cart.total` 由此计算出的总价就会偏小，这与用户在问题中描述的现象完全一致。"
	zh.RootCause = &root

	return map[string]report.Analysis{
		"confirmed": confirmed, "no-model": plain, "doubtful": doubtful, "feature": feature, "question": question, "rejected": rejected, "regression": regression, "hostile": hostile, "zh": zh,
	}
}
