package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/url"
	"strings"
)

// rules are what results are of, by the kind of issue. They are the same in every
// language, as they are names for machines.
var rules = map[Kind]sarifRule{
	Bug:      {"root-cause", sarifText{"A place that causes the fault that an issue describes"}},
	Security: {"security-root-cause", sarifText{"A place that causes the weakness that an issue describes"}},
	Feature:  {"feature-place", sarifText{"A place where what an issue asks for would go"}},
	Question: {"answer-place", sarifText{"A place to read for the question of an issue"}},
}

// writeSARIF writes a result for each location, so none where there is no location.
func writeSARIF(w io.Writer, a Analysis, _ Options) error {
	rule, ok := rules[a.IssueKind]
	if !ok {
		rule = rules[Bug]
	}
	run := sarifRun{
		Tool:        sarifTool{sarifDriver{Name: a.Tool.Name, Version: a.Tool.Version, Rules: []sarifRule{rule}}},
		Automation:  sarifID{join("/", a.Tool.Name, a.Subject.name()) + "/"}, // what is before the last slash is the category
		Invocations: []sarifInvocation{{a.Status != Failed && a.Status != Waiting}},
		Results:     []sarifResult{},
	}
	if a.Subject.Host != "" {
		at := url.URL{Scheme: "https", Host: a.Subject.Host, Path: a.Subject.Repo}
		run.Versions = []sarifVersion{{at.String(), string(a.Subject.Base)}}
	}
	if a.Status != Rejected {
		for _, l := range a.Locations {
			run.Results = append(run.Results, a.sarif(rule.ID, l))
		}
	}
	return encode(w, sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}})
}

func (a Analysis) sarif(rule string, l Location) sarifResult {
	at := sarifLocation{Physical: sarifPhysical{Artifact: sarifArtifact{uri(l.Path)}}}
	if l.Start > 0 {
		at.Physical.Region = &sarifRegion{l.Start, max(l.End, l.Start)}
	}
	if l.Symbol != "" {
		at.Logical = []sarifLogical{{l.Symbol}}
	}
	return sarifResult{
		Rule: rule, Level: a.level(), Message: sarifText{a.message(l)}, Locations: []sarifLocation{at},
		Fingerprints: map[string]string{"repomind/v1": a.fingerprint(rule, l)},
		Properties:   map[string]any{"rank": l.Rank, "confidence": a.Confidence, "class": a.result()},
	}
}

// message says what is wrong at a place. Viewers make links of [text](address), so none
// is left.
func (a Analysis) message(l Location) string {
	text := fmt.Sprintf(wordsOf(a.Lang).Rank, l.Rank, a.Subject.Title)
	if a.RootCause != nil && a.RootCause.Statement != "" {
		text = a.RootCause.Statement
	}
	if l.Why != "" {
		text += " (" + l.Why + ")"
	}
	return strings.ReplaceAll(oneLine(text), "](", "] (")
}

// level goes by severity; what is inconclusive or no fault is no more than a note.
func (a Analysis) level() string {
	switch {
	case a.RootCause == nil || a.RootCause.Class == Inconclusive || a.Severity == Low:
		return "note"
	case a.Severity == Critical || a.Severity == High:
		return "error"
	}
	return "warning"
}

// fingerprint stays the same when lines move or are indented anew.
func (a Analysis) fingerprint(rule string, l Location) string {
	what := l.Symbol
	if what == "" {
		what = a.quoted(l)
	}
	sum := sha256.Sum256([]byte(strings.Join([]string{rule, l.Path, what}, "\x00")))
	return hex.EncodeToString(sum[:16])
}

// quoted is the evidence inside a location, with single blanks.
func (a Analysis) quoted(l Location) string {
	for _, e := range a.Evidence {
		if e.Path == l.Path && e.SHA == a.Subject.Base && l.Start > 0 && e.Start <= max(l.End, l.Start) && max(e.End, e.Start) >= l.Start {
			return oneLine(e.Quote)
		}
	}
	return ""
}

// uri is a path as a relative reference (RFC 3986).
func uri(p string) string {
	parts := strings.Split(p, "/")
	for i, s := range parts {
		parts[i] = url.PathEscape(s)
	}
	out := strings.Join(parts, "/")
	if parts[0] == "" || strings.Contains(parts[0], ":") { // which would be a root, a host or a scheme
		return "./" + out
	}
	return out
}
