package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/url"
	"strings"

	"github.com/repomind/repomind/internal/source"
)

// rules are what results are of, by the kind of issue. They are the same in every
// language, as they are names for machines.
var rules = map[Kind]sarifRule{
	Bug:      {ID: "root-cause", Short: sarifText{"A place that causes the fault that an issue describes"}},
	Security: {ID: "security-root-cause", Short: sarifText{"A place that causes the weakness that an issue describes"}},
	Feature:  {ID: "feature-place", Short: sarifText{"A place where what an issue asks for would go"}},
	Question: {ID: "answer-place", Short: sarifText{"A place to read for the question of an issue"}},
}

// writeSARIF writes a result for each location, so none where there is no location.
func writeSARIF(w io.Writer, a Analysis, _ Options) error {
	rule, ok := rules[a.IssueKind]
	if !ok {
		rule = rules[Bug]
	}
	run := sarifOf(a.Tool, a.Status, a.Subject, a.Subject.Base)
	run.Tool.Driver.Rules = []sarifRule{rule}
	run.Automation = sarifID{join("/", a.Tool.Name, a.Subject.name()) + "/"} // what is before the last slash is the category
	if a.Status != Rejected {
		for _, l := range a.Locations {
			run.Results = append(run.Results, a.sarif(rule.ID, l))
		}
	}
	return encodeSARIF(w, run)
}

// sarifOf is a run that has no results yet, of a tool on a commit.
func sarifOf(t Tool, end Status, s Subject, at source.Commit) sarifRun {
	run := sarifRun{
		Tool:        sarifTool{sarifDriver{Name: t.Name, Version: t.Version, Rules: []sarifRule{}}},
		Invocations: []sarifInvocation{{end != Failed && end != Waiting}},
		Results:     []sarifResult{},
	}
	if s.Host != "" {
		repo := url.URL{Scheme: "https", Host: s.Host, Path: s.Repo}
		run.Versions = []sarifVersion{{repo.String(), string(at)}}
	}
	return run
}

func encodeSARIF(w io.Writer, run sarifRun) error {
	return encode(w, sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}})
}

// sarifAt is a place in a file; start 0 is the whole file.
func sarifAt(path string, start, end int, symbol string) sarifLocation {
	at := sarifLocation{Physical: sarifPhysical{Artifact: sarifArtifact{uri(path)}}}
	if start > 0 {
		at.Physical.Region = &sarifRegion{start, max(end, start)}
	}
	if symbol != "" {
		at.Logical = []sarifLogical{{symbol}}
	}
	return at
}

func (a Analysis) sarif(rule string, l Location) sarifResult {
	return sarifResult{
		Rule: rule, Level: a.level(), Message: sarifText{a.message(l)}, Locations: []sarifLocation{sarifAt(l.Path, l.Start, l.End, l.Symbol)},
		Fingerprints: map[string]string{"repomind/v1": a.fingerprint(rule, l)},
		Properties:   map[string]any{"rank": l.Rank, "confidence": a.Confidence, "class": a.result()},
	}
}

// message says what is wrong at a place.
func (a Analysis) message(l Location) string {
	text := fmt.Sprintf(wordsOf(a.Lang).Rank, l.Rank, a.Subject.Title)
	if a.RootCause != nil && a.RootCause.Statement != "" {
		text = a.RootCause.Statement
	}
	if l.Why != "" {
		text += " (" + l.Why + ")"
	}
	return unlinked(text)
}

// unlinked is a line for viewers, which make links of [text](address).
func unlinked(s string) string { return strings.ReplaceAll(oneLine(s), "](", "] (") }

// level goes by severity; what is inconclusive or no fault is no more than a note.
func (a Analysis) level() string {
	if a.RootCause == nil || a.RootCause.Class == Inconclusive {
		return "note"
	}
	return a.Severity.level()
}

// level is what SARIF calls a severity; what is none is between the others.
func (s Severity) level() string {
	switch s {
	case Critical, High:
		return "error"
	case Low:
		return "note"
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
