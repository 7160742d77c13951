package report_test

import "github.com/repomind/repomind/internal/report"

const (
	headSHA  = "89abcdef0123456789abcdef0123456789abcdef"
	sinceSHA = "fedcba9876543210fedcba9876543210fedcba98"
)

// reviews are made-up reviews that have all parts.
func reviews() map[string]report.Review {
	base := report.Review{
		SchemaVersion: report.SchemaVersion, Tool: report.Tool{Name: "repomind", Version: "v0.1.0"}, RunID: "shop-12-abcd", Doc: "review", Lang: "en",
		Subject: report.Compared{
			Subject: report.Subject{Host: "github.com", Repo: "o/shop", Number: 12, Title: "Add counts to carts", URL: "https://github.com/o/shop/pull/12", Base: sha, Web: "https://github.com/o/shop/blob/" + sha},
			Head:    headSHA, Author: "ann",
		},
		Status: report.Completed, StopReason: report.StopDone, Confidence: 0.9, FailOn: report.High, Duration: 12_345, Checked: report.Checked{Claims: 3},
		Usage: report.Usage{Calls: 6, Input: 20_200, Cached: 10_100, Output: 1_300, CostUSD: cost(0.012), CostStatus: "known"},
	}

	approve := base
	approve.Verdict, approve.VerdictWhy = report.Approve, []string{"every changed source file was seen by every lens, and nothing is at the threshold high"}
	approve.Coverage = report.Coverage{Files: 3, Reviewed: 2, Skipped: []report.Skipped{{Path: "go.sum", Reason: "is a lock file"}}}

	changes := base
	changes.Verdict, changes.VerdictWhy = report.RequestChanges, []string{"2 findings are at the threshold high or above"}
	changes.Coverage = report.Coverage{Files: 12, Reviewed: 10, Skipped: []report.Skipped{{Path: "web/app.min.js", Reason: "is generated"}, {Path: "shop/huge.py", Reason: "is larger than 1 MB", Counts: true}}}
	changes.Findings = []report.Finding{
		{
			ID: "f4", Fingerprint: "d4", Lens: report.LensStyle, Rule: "style", Severity: report.Low, Confidence: 0.75, Path: "shop/cart.py", Side: report.Right,
			Message: "The module has two names for the same thing, `count` and `amount`, in functions that call each other, so that a reader has to look up each time whether they differ.",
		},
		{
			ID: "f2", Fingerprint: "b2", Lens: report.LensLogic, Lenses: []report.Lens{report.LensSecurity}, Rule: "logic", Severity: report.High, Confidence: 0.9,
			Path: "shop/cart.py", Side: report.Right, Start: 5, End: 7, Inline: true, Symbol: "Cart.add",
			Quote:   "    def add(self, item, count):\n        self.items[item] = count\n        return self",
			Message: "A second call forgets the count of the first.", Why: "`add(\"a\", 2)` and `add(\"a\", 3)` leave 3 in the cart, and the total is too small.",
			Suggestion: "    def add(self, item, count):\n        before = self.items.get(item, 0)\n        self.items[item] = before + count\n        return self\n",
		},
		{
			ID: "f1", Fingerprint: "a1", Lens: report.LensRules, Rule: "secret-added", Severity: report.Critical, Confidence: 1,
			Path: "deploy/settings.py", Side: report.Right, Start: 3, End: 3, Inline: true, Quote: "TOKEN = \"…\"", Message: "The change adds a key of a service.",
		},
		{
			ID: "f3", Fingerprint: "c3", Lens: report.LensSecurity, Rule: "security", Severity: report.Medium, Confidence: 0.8,
			Path: "shop/price.py", Side: report.Left, Start: 40, End: 47, Symbol: "check",
			Quote:   "def check(price):\n    # 2\n    # 3\n    # 4\n    # 5\n    # 6\n    # 7\n    return price >= 0",
			Message: "The check of the price is gone.", Why: "A price of -1 reaches the total.",
		},
	}
	changes.Left = 2
	changes.Settles = []report.Settles{{Issue: "#7", Answer: "partly", Why: "the total is right, the count that is shown is not"}, {Issue: "https://github.com/o/shop/issues/9", Answer: "yes"}}
	changes.Critic, changes.Retries = []string{"f3 does not show who calls check."}, 1
	changes.Checked = report.Checked{Claims: 6, Removed: []string{"finding: shop/cart.py has no line 400"}}
	changes.Warnings = []string{"1 comment was not read: it is too long"}

	plain := base
	plain.StopReason, plain.Verdict, plain.Confidence = report.StopNoModel, report.Undecided, 0.3
	plain.VerdictWhy = []string{"no lens has looked at the change", "1 file that counts was not seen"}
	plain.Usage, plain.Checked = report.Usage{CostUSD: cost(0), CostStatus: "known"}, report.Checked{}
	plain.Coverage = report.Coverage{Files: 1, Skipped: []report.Skipped{{Path: "shop/cart.py", Reason: "there is no model", Counts: true}}}
	plain.Subject.Number, plain.Subject.Repo, plain.Subject.Host, plain.Subject.Web, plain.Subject.Author = 0, "/src/shop", "", "", ""

	again := changes
	again.Status, again.StopReason, again.Subject.Since, again.Left, again.Settles = report.Partial, report.StopBudget, sinceSHA, 0, nil
	again.Findings = append([]report.Finding{}, changes.Findings...)
	for i, p := range []report.Progress{report.StillOpen, report.CannotTell, report.Resolved, report.New} {
		again.Findings[i].Progress = p
	}

	zh := changes
	zh.Lang, zh.Subject.Title, zh.VerdictWhy = "zh", "购物车支持数量", []string{"有 2 个问题达到阈值 high"}
	zh.Findings = append([]report.Finding{}, changes.Findings...)
	zh.Findings[1].Message = "第二次调用会忘记第一次调用所保存的数量，因此 `Cart.total` 由此计算出的总价就会偏小，这与用户在问题中描述的现象完全一致。"

	return map[string]report.Review{"approve": approve, "changes": changes, "no-model": plain, "again": again, "zh": zh, "hostile": hostileReview(changes)}
}

const evil = "\x1b[2J\u202e@you fixes #1 ![x](https://evil.example/a.png) <script>alert(1)</script> [go](http://evil.example) | `a|b` unclosed ` x\r\n::error file=a::b\n# Heading\n```mermaid\n%0A%"

// hostileReview has the worst wherever a text of others may stand.
func hostileReview(of report.Review) report.Review {
	r := of
	r.Subject.Title, r.Subject.Author = evil, evil
	r.VerdictWhy, r.Warnings, r.Critic = []string{evil}, []string{evil}, []string{evil}
	r.Settles = []report.Settles{{Issue: evil, Answer: "no", Why: evil}}
	r.Coverage.Skipped = []report.Skipped{{Path: "a\n`b`|@me.py", Reason: evil, Counts: true}, {Path: "#1, c:d.py", Reason: evil}}
	r.Checked.Removed, r.Tool.Version, r.RunID = []string{evil}, "v0@me", "#1"
	finding := func(id, path string) report.Finding {
		return report.Finding{
			ID: id, Fingerprint: id, Lens: report.LensLogic, Rule: evil, Severity: report.High, Confidence: 0.9, Path: path, Side: report.Right, Start: 2, End: 3, Symbol: "f|g`h<b>\n@me",
			Quote: "```\n" + evil, Message: evil, Why: evil, Suggestion: "````\n</details>\n" + evil,
		}
	}
	left, gone, whole := finding("f4", "a b.py"), finding("f5", "c,d.py"), finding("</code>@me#1", "@me#1/e`f`.py")
	left.Side, gone.Progress, whole.Start, whole.End = report.Left, report.Resolved, 0, 0
	r.Findings = []report.Finding{
		finding("f1", "a, b:c::d%0A e=f.py"), finding("f2", "a\r\nb/```c`.py"), finding("f3", "目录/文件 (x)[y]|<z>.go"), left, gone, whole,
		finding("f7", "esc\x1b[31m\u202e.py"),
	}
	return r
}
