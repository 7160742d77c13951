// Package triage reads what an issue is without a model: its kind, how severe it is,
// whether it once worked, which version it names, and its language. It is what decides
// where labels or clear signs speak, and what is left where there is no model.
//
// Labels go first, as a maintainer set them; then the title and the headings of issue
// templates; then the wording. Text in code, in output and in hidden comments does not
// count. Reading is linear in the text and bounded.
package triage

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/github"
	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/internal/stacktrace"
	"github.com/repomind/repomind/rag/clue"
)

// Verdict is a reading, and the words that led to it.
type Verdict[T any] struct {
	Value T
	Why   string
	// Sure means that a label or an equally clear sign says so, which no model overrules.
	Sure bool
}

// maxText is how much of an issue's text is read.
const maxText = 64 << 10

// text is an issue in the parts that signs are looked for in.
type text struct {
	title string
	prose string // without code, output and what describes the machine
	heads string // the headings of the body, a line each
	trace bool   // there is a traceback
}

func read(is github.Issue) text {
	body := clip(hidden.ReplaceAllString(clip(is.Body, 2*maxText), ""), maxText)
	t := text{title: clip(is.Title, 1000), prose: clue.Read("", body).Prose}
	var heads []string
	for _, m := range heading.FindAllStringSubmatch(body, 50) {
		heads = append(heads, cmp.Or(m[1], m[2]))
	}
	t.heads = strings.Join(heads, "\n")
	t.trace = slices.ContainsFunc(stacktrace.Parse(body).Traces, func(tr stacktrace.Trace) bool {
		return tr.Kind != stacktrace.Warning && tr.Error+tr.Message != "" || tr.Kind == stacktrace.Panic || tr.Kind == stacktrace.Sanitizer
	})
	return t
}

var (
	hidden  = regexp.MustCompile(`(?s)<!--.*?(?:-->|$)`)
	heading = regexp.MustCompile(`(?m)^\s*(?:#{1,6}\s+(.{1,100})|\*\*(.{1,100}?)\*\*:?)\s*$`)
)

func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "")
}

// part is where a sign is looked for.
type part int

const (
	inTitle part = iota
	inHeads
	inProse
)

// sign is a wording that speaks for a kind.
type sign struct {
	in     part
	kind   report.Kind
	weight float64
	re     *regexp.Regexp
}

// signs are what the wording is weighed by. The words are those that people use in
// trackers; the weights say how rarely they mean something else.
var signs = []sign{
	{inTitle, report.Bug, 4, regexp.MustCompile(`(?i)^\s*[\[(]?bug\b|^\s*fix[:(]|\bbug:`)},
	{inTitle, report.Feature, 5, regexp.MustCompile(`(?i)^\s*(?:[\[(]?(?:feature|feat|rfe|enhancement|proposal|feature[ -]request|rfc|suggestion)\b)|^suggestion`)},
	{inTitle, report.Question, 5, regexp.MustCompile(`(?i)^\s*(?:[\[(]?question\b|how (?:do|can|to|should|would)\b|what (?:is|are|does)\b.*\?|where (?:is|can|do)\b.*\?|请问|如何|怎么|怎样|为什么)`)},
	{inTitle, report.Question, 2, regexp.MustCompile(`(?i)^\s*(?:why|when|which|is it|can i|can we|could someone)\b.*\?\s*$|^\s*why (?:does|is|are|do)\b`)},
	{inTitle, report.Feature, 3, regexp.MustCompile(`(?i)^\s*(?:please\s+)?(?:support|add|allow|provide|expose|implement|introduce|enable|make it possible|consider|include|let\b|option to|ability to|want to|i need a way|extend|replace|use)\b|^\s*(?:希望|建议|支持|增加|添加|能否)`)},
	{inTitle, report.Feature, 2, regexp.MustCompile(`(?i)\b(?:support for|add support|feature request|would be (?:nice|great|useful)|should (?:support|allow|accept|provide)|needs? (?:an? )?option|configurable|is it possible to add)\b|\bsupport\s*$`)},
	{inTitle, report.Bug, 2, regexp.MustCompile(`(?i)\b(?:crash(?:es|ed)?|fails?|failed|failure|failing|broken|breaks?|wrong(?:ly)?|incorrect(?:ly)?|invalid|error|exception|panics?|segfault|hangs?|deadlock|leaks?|regression|traceback|does(?:n'?t| not)|do(?:n'?t| not)|can(?:'?t|not)|unable|unexpected|ignored|ignores|missing|no longer|not work(?:ing)?|bug|raises|throws?|lost|duplicated?|inconsistent|infinite|corrupt\w*|false positive|mismatch|\w+Error|\w+Exception)\b|报错|崩溃|错误|失败|异常|无法|不能|失效|不生效|死锁|泄漏`)},
	{inHeads, report.Bug, 2, regexp.MustCompile(`(?i)\b(?:steps to reproduce|to reproduce|how to reproduce|reproduc\w+|expected (?:behaviou?r|result|output)|actual (?:behaviou?r|result|output)|current behaviou?r|describe the bug|bug report|what happened|minimal.{0,30}example|expected vs actual|what did you expect|what you expected|traceback|stack trace|error (?:message|log))\b|复现|期望|实际`)},
	{inHeads, report.Feature, 4, regexp.MustCompile(`(?i)related to a problem|\b(?:describe the (?:solution|feature)|feature request|describe alternatives|the solution you|proposed solution|proposal|motivation|use[ -]?case|problem you.?d like to solve|related problem|wanted|alternatives)\b`)},
	{inProse, report.Feature, 2, regexp.MustCompile(`(?i)\b(?:it would be (?:very |really )?(?:nice|great|good|useful|helpful|convenient|awesome|cool|better)|would be (?:nice|great|useful|helpful|convenient) (?:to|if)|feature request|i(?:'d| would) (?:like|love) to (?:be able|have|see|use|propose|suggest)|please (?:add|support|make|provide|implement|consider)|i propose|my proposal|is there any (?:plan|chance)|there is (?:currently )?no (?:way|option|support)|(?:doesn't|does not|don't) have a (?:function|way|option)|can we (?:add|get|have)|we should (?:also )?(?:support|allow|add)|hope this feature|this could work nicely|should be able to specify|does not allow)\b|希望(?:能|可以|支持|增加)|建议(?:增加|添加|支持)|能否支持`)},
	{inProse, report.Bug, 2, regexp.MustCompile(`(?i)\b(?:instead of|i (?:get|got|see|saw|am getting|have|receive)(?: the| an?)?(?: following)? (?:error|exception|warning|message|crash)|raises|throws|crash(?:es|ed|ing)?|traceback|the (?:bug|problem|issue) (?:is|was|seems|occurs|happens)|expected (?:behaviou?r|result|output|to|that)|should (?:not|have)\b|used to work|no longer works?|stopped working|fails? (?:with|to|when|if)|is (?:wrong|broken|incorrect|ignored)|it is a bug|this is a bug|regression|unexpected(?:ly)?|panics?|hangs?|wrongly|incorrectly|does ?n[o']t work)\b|报错|崩溃|报了|抛出|应该是|而不是|修复`)},
	{inProse, report.Question, 2, regexp.MustCompile(`(?i)\b(?:how (?:do|can|should|would) (?:i|we|one|you)|is there (?:a|any) way (?:to|of)|what(?:'s| is) the (?:right|correct|best|recommended|proper) way|i(?:'m| am) wondering|i wonder|i have a question|my question|could (?:someone|anyone|you) (?:explain|tell|help)|can (?:someone|anyone) (?:explain|help|tell)|is this (?:expected|intended|by design|intentional)|am i missing|what am i doing wrong|can i (?:do|use)|where can i find|i (?:don't|do not) understand)\b|请问|怎么|如何|想了解`)},
}

// Kind says what an issue is. Without any sign it is a bug: a reporter who says nothing
// else has seen something that is not as it should be.
func Kind(is github.Issue) Verdict[report.Kind] {
	if v, ok := byLabel(is.Labels); ok {
		return v
	}
	t := read(is)
	if why := exploit(t); why != "" {
		return Verdict[report.Kind]{report.Security, why, true}
	}
	score := map[report.Kind]float64{report.Bug: 1}
	words := map[report.Kind][]string{}
	for _, s := range signs {
		where := [...]string{t.title, t.heads, t.prose}[s.in]
		if m := s.re.FindString(where); m != "" {
			score[s.kind] += s.weight
			if word := fmt.Sprintf("%q", clip(strings.ToLower(strings.TrimSpace(m)), 60)); !slices.Contains(words[s.kind], word) {
				words[s.kind] = append(words[s.kind], word)
			}
		}
	}
	if t.trace {
		score[report.Bug] += 2
		words[report.Bug] = append(words[report.Bug], "a traceback")
	}
	best := report.Bug
	for _, k := range []report.Kind{report.Feature, report.Question} {
		if score[k] > score[best] {
			best = k
		}
	}
	if len(words[best]) == 0 {
		return Verdict[report.Kind]{best, "nothing says that it is something else", false}
	}
	return Verdict[report.Kind]{best, "it says " + strings.Join(words[best][:min(len(words[best]), 4)], ", "), false}
}
