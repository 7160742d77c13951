package review

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/nodes/snip"
)

// fingerprint is what a finding is known by after a rebase: rule, path and code, with no
// number of a line.
func fingerprint(f report.Finding) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{f.Rule, f.Path, snip.Squeeze(f.Quote)}, "\x00")))
	return hex.EncodeToString(sum[:16])
}

// text are lines of a file of the head.
func (v *verifier) text(p string, start, end int) string {
	lines := v.content(p)
	if start < 1 || end > len(lines) {
		return ""
	}
	return strings.Join(lines[start-1:end], "\n")
}

// keep adds a finding, or merges it into one that says the same. Two of one lens on the
// same lines are one, and say both: they have one fingerprint.
func (v *verifier) keep(f report.Finding) {
	i := slices.IndexFunc(v.Findings, func(was report.Finding) bool { return same(was, f) })
	if i < 0 {
		v.Findings = append(v.Findings, f)
		return
	}
	worst, other := v.Findings[i], f
	if report.Worse(other.Severity, worst.Severity) < 0 {
		worst, other = other, worst
	}
	if common(worst.Message, other.Message) < alike {
		worst.Message += " Also: " + other.Message
	}
	worst.Confidence = max(worst.Confidence, other.Confidence)
	for _, l := range append(other.Lenses, other.Lens) {
		if l != worst.Lens && !slices.Contains(worst.Lenses, l) {
			worst.Lenses = append(worst.Lenses, l)
		}
	}
	v.Findings[i] = worst
}

// alike is the share of words that two messages on the same lines have in common from
// which they say the same.
const alike = 0.3

// same says whether two findings are one: the same lines, and the same lens or much the
// same words.
func same(a, b report.Finding) bool {
	if a.Path != b.Path || a.Side != b.Side {
		return false
	}
	if a.Fingerprint == b.Fingerprint && a.Lens == b.Lens {
		return true
	}
	overlap := a.Start <= b.End && b.Start <= a.End
	return overlap && common(a.Message, b.Message) >= alike
}

// common is the share of the words of the shorter text that the other has, too.
func common(a, b string) float64 {
	x, y := words(a), words(b)
	if len(x) == 0 || len(y) == 0 {
		return 0
	}
	both := 0
	for w := range x {
		if y[w] {
			both++
		}
	}
	return float64(both) / float64(min(len(x), len(y)))
}

func words(s string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' }) {
		if len(w) > 3 {
			set[w] = true
		}
	}
	return set
}

// threshold takes out what is not sure enough, and gives the rest its order and names.
func (v *verifier) threshold(p Policy) {
	v.Findings = slices.DeleteFunc(v.Findings, func(f report.Finding) bool {
		out := f.Lens != report.LensRules && f.Progress == report.New && f.Confidence < p.of(f.Path).MinConfidence
		if out {
			v.removed("%s: %s: not sure enough, %.2f: %s", f.Lens, f.Span(), f.Confidence, snip.Clip(f.Message, 160))
		}
		return out
	})
	v.order()
	for i := range v.Findings {
		v.Findings[i].ID = fmt.Sprintf("f%d", i+1)
	}
}

// order puts the worst and the surest first.
func (v *verifier) order() {
	slices.SortStableFunc(v.Findings, func(a, b report.Finding) int {
		return cmp.Or(report.Worse(a.Severity, b.Severity), cmp.Compare(b.Confidence, a.Confidence), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Start, b.Start))
	})
}

// number is what the name of an issue ends with.
var number = regexp.MustCompile(`\d+$`)

// settles puts together what the views say of the issues that the change names.
func (s State) settles() (out []report.Settles) {
	order := []answer{"no", "partly", "yes", "unclear"} // what is known goes before what is not
	for _, is := range s.Issues {
		best := report.Settles{Issue: is.Target.URL()}
		for _, v := range s.views() {
			for _, said := range v.Settles {
				names := number.FindString(said.Issue) == strconv.Itoa(is.Target.Number)
				better := best.Answer == "" || slices.Index(order, said.Answer) < slices.Index(order, answer(best.Answer))
				if names && better && slices.Contains(order, said.Answer) {
					best.Answer, best.Why = string(said.Answer), said.Why
				}
			}
		}
		if best.Answer != "" {
			out = append(out, best)
		}
	}
	return out
}
