package triage

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/report"
)

var (
	// separators are what teams put between the words of labels, and what they decorate
	// them with.
	separators = regexp.MustCompile(`[^\pL\pN]+`)
	// classed are the words by which a team says that a kind follows, or how sure it is.
	classed = regexp.MustCompile(`^(?:(?:issue )?(?:kind|type|t|c|category|cat|class|resolution|status|issue)\b ?)?(?:confirmed |verified |accepted |new |reported )?`)
	// placed are labels of an area: "area/security" is not a weakness.
	placed = regexp.MustCompile(`^(?:area|component|comp|module|topic|package|pkg|sig|wg|scope|platform|lang|language|plugin|subsystem|team|domain|a|o)\b`)
	// unsaid marks a label that leaves it open what it names.
	unsaid = regexp.MustCompile(`\b(?:not|no|non|needs?|maybe|possible|possibly|potential|potentially|suspected|triage|unconfirmed|pending|awaiting|invalid|likely)\b|待|疑似`)
)

// kinds are what whole labels mean.
var kinds = []struct {
	kind report.Kind
	re   *regexp.Regexp
}{
	{report.Security, regexp.MustCompile(`^(?:security(?: (?:issue|bug|vulnerability|fix|problem))?|vulnerability|cve|安全|漏洞|安全漏洞|安全问题)$`)},
	{report.Bug, regexp.MustCompile(`^(?:bugs?(?: reports?| fix)?|bugfix|defects?|regressions?|crash(?:es)?|broken|fault|incorrect behaviou?r|false (?:positive|negative)s?|panic|hang|deadlock|memory leak|performance regression|缺陷|错误|故障)$`)},
	{report.Feature, regexp.MustCompile(`^(?:features?|feat|feature requests?|enhancements?|enhancement requests?|improvements?|proposals?|rfe|rfc|wishlist|idea|suggestions?|feature proposal|request|功能请求|新功能|功能|建议|需求|增强|改进|特性)$`)},
	{report.Question, regexp.MustCompile(`^(?:questions?|support(?: request| question)?|help|how ?to|usage(?: question)?|user question|q a|faq|提问|咨询|疑问|求助|讨论)$`)},
}

// hinted are words of labels that say something, but not all: a kind among other words.
var hinted = []struct {
	kind report.Kind
	re   *regexp.Regexp
}{
	{report.Question, regexp.MustCompile(`\b(?:not a bug|by design|(?:working|works) as (?:intended|designed)|expected behaviou?r|intended|discussions?|questions?)\b|讨论`)},
	{report.Bug, regexp.MustCompile(`\b(?:bugs?|defect|regression)\b|缺陷`)},
	{report.Feature, regexp.MustCompile(`^feature\b|\b(?:enhancement|feature request|new feature)\b|功能请求`)},
}

// byLabel gives the kinds that labels name, the strongest first, and what others hint at.
// Security goes before all else: "bug, security" is security.
func byLabel(labels []string) (named, hints []Verdict[report.Kind]) {
	for _, l := range labels[:min(len(labels), 100)] {
		words := labelWords(l)
		why := fmt.Sprintf("it is labelled %q", quote(l))
		if k, ok := kindOf(words); ok {
			named = append(named, Verdict[report.Kind]{k, why, true})
		} else if k, ok := hintOf(words); ok {
			hints = append(hints, Verdict[report.Kind]{k, why, false})
		}
	}
	return distinct(named), hints
}

// labelWords is a label in lower case, with one blank between words.
func labelWords(label string) string {
	return strings.TrimSpace(separators.ReplaceAllString(strings.ToLower(clip(label, 200)), " "))
}

func kindOf(words string) (report.Kind, bool) {
	rest := strings.TrimPrefix(words, classed.FindString(words))
	for _, row := range kinds {
		if row.re.MatchString(rest) {
			return row.kind, true
		}
	}
	return "", false
}

func hintOf(words string) (report.Kind, bool) {
	if placed.MatchString(words) {
		return "", false
	}
	for _, row := range hinted {
		if row.re.MatchString(words) {
			return row.kind, true
		}
	}
	return "", false
}

// distinct keeps one verdict of each kind; security alone, if it is among them.
func distinct(all []Verdict[report.Kind]) (out []Verdict[report.Kind]) {
	for _, row := range kinds {
		i := slices.IndexFunc(all, func(v Verdict[report.Kind]) bool { return v.Value == row.kind })
		if i < 0 {
			continue
		}
		if out = append(out, all[i]); row.kind == report.Security {
			break
		}
	}
	return out
}
