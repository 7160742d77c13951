package report

import (
	"cmp"
	"io"
	"strings"
)

// mostResults is how many results of a run GitHub keeps.
const mostResults = 5000

// writeReviewSARIF writes a result for each finding that is not resolved. Its category
// is that of no single change, as GitHub compares the results of a category.
func writeReviewSARIF(w io.Writer, r Review, _ Options) error {
	run := sarifOf(r.Tool, r.Status, r.Subject.Subject, r.Subject.Head)
	run.Automation = sarifID{join("/", r.Tool.Name, "review") + "/"}
	all := r.open()
	all = all[:min(mostResults, len(all))]
	run.Tool.Driver.Rules = rulesOf(all)
	for _, f := range all {
		run.Results = append(run.Results, f.sarif(wordsOf(r.Lang)))
	}
	return encodeSARIF(w, run)
}

// views say what a lens looks for. They are the same in every language, as they are of
// a rule and not of a review.
var views = map[Lens]string{
	LensSecurity: "A weakness in a change",
	LensStyle:    "Code in a change that is hard to read or to maintain",
	LensLogic:    "A fault in what a change does",
	LensRules:    "What a fixed rule found in a change",
}

// scores are what GitHub makes its severities of.
var scores = map[Severity]string{Critical: "9.5", High: "8.0", Medium: "5.5", Low: "2.0"}

// rulesOf has each rule once. The worst finding comes first and gives the score.
func rulesOf(all []Finding) []sarifRule {
	out, seen := []sarifRule{}, map[string]bool{}
	for _, f := range all {
		if seen[f.rule()] {
			continue
		}
		seen[f.rule()] = true
		out = append(out, f.sarifRule())
	}
	return out
}

func (f Finding) sarifRule() sarifRule {
	short := cmp.Or(views[f.Lens], "A finding in a change")
	if f.Rule != "" && f.Rule != string(f.Lens) {
		short += ": " + unlinked(f.Rule)
	}
	rule := sarifRule{ID: f.rule(), Short: sarifText{short}}
	if f.Lens == LensSecurity {
		rule.Properties = &sarifGrade{Tags: []string{"security"}, Score: cmp.Or(scores[f.Severity], scores[Medium])}
	}
	return rule
}

func (f Finding) sarif(w words) sarifResult {
	text, at := join(" — ", f.says(), f.Why), sarifAt(f.Path, f.Start, f.End, f.Symbol)
	if !f.onHead() {
		text, at.Physical.Region = join(w.Colon, w.at(f), text), nil
	}
	return sarifResult{
		Rule: f.rule(), Level: f.Severity.level(), Message: sarifText{unlinked(text)}, Locations: []sarifLocation{at}, Fixes: f.fixes(),
		Fingerprints: map[string]string{"repomind/v1": f.Fingerprint},
		Properties:   map[string]any{"confidence": f.Confidence, "severity": f.Severity},
	}
}

// fixes is the suggestion. A region of lines ends before the last line's end.
func (f Finding) fixes() []sarifFix {
	if !f.mendable() {
		return nil
	}
	lines := sarifReplacement{sarifRegion{f.Start, max(f.End, f.Start)}, sarifText{f.mended()}}
	return []sarifFix{{[]sarifChange{{sarifArtifact{uri(f.Path)}, []sarifReplacement{lines}}}}}
}

// mendable says whether a program can put the suggestion in.
func (f Finding) mendable() bool { return f.Suggestion != "" && f.Start > 0 && f.onHead() }

// mended is the suggestion without the end of its last line, which stays.
func (f Finding) mended() string { return strings.TrimSuffix(f.Suggestion, "\n") }
