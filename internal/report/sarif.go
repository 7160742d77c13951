package report

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"strings"
)

// SARIF is that of OASIS, version 2.1.0; only what is written here is declared.
type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool        sarifTool         `json:"tool"`
	Automation  sarifID           `json:"automationDetails"`
	Versions    []sarifVersion    `json:"versionControlProvenance,omitempty"`
	Invocations []sarifInvocation `json:"invocations"`
	Results     []sarifResult     `json:"results"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name           string      `json:"name"`
	Version        string      `json:"version,omitempty"`
	InformationURI string      `json:"informationUri,omitempty"`
	Rules          []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID    string    `json:"id"`
	Short sarifText `json:"shortDescription"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifID struct {
	ID string `json:"id"`
}

type sarifVersion struct {
	Repository string `json:"repositoryUri"`
	Revision   string `json:"revisionId"`
}

type sarifInvocation struct {
	Successful bool `json:"executionSuccessful"`
}

type sarifResult struct {
	Rule         string            `json:"ruleId"`
	Level        string            `json:"level"`
	Message      sarifText         `json:"message"`
	Locations    []sarifLocation   `json:"locations"`
	Fingerprints map[string]string `json:"partialFingerprints"`
	Properties   map[string]any    `json:"properties,omitempty"`
}

type sarifLocation struct {
	Physical sarifPhysical  `json:"physicalLocation"`
	Logical  []sarifLogical `json:"logicalLocations,omitempty"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   *sarifRegion  `json:"region,omitempty"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

type sarifRegion struct {
	Start int `json:"startLine"`
	End   int `json:"endLine,omitempty"`
}

type sarifLogical struct {
	Name string `json:"fullyQualifiedName"`
}

// rules are what results are of, by the kind of issue.
var rules = map[Kind]sarifRule{
	Bug:      {"root-cause", sarifText{"A place that causes the fault that an issue describes"}},
	Security: {"security-root-cause", sarifText{"A place that causes the weakness that an issue describes"}},
	Feature:  {"feature-place", sarifText{"A place where what an issue asks for would go"}},
	Question: {"answer-place", sarifText{"A place to read for the question of an issue"}},
}

// writeSARIF writes a result for each location.
func writeSARIF(w io.Writer, a Analysis, _ Options) error {
	rule, ok := rules[a.IssueKind]
	if !ok {
		rule = rules[Bug]
	}
	run := sarifRun{
		Tool:        sarifTool{sarifDriver{Name: a.Tool.Name, Version: a.Tool.Version, Rules: []sarifRule{rule}}},
		Automation:  sarifID{fmt.Sprintf("repomind/%s/", a.Subject.name())},
		Invocations: []sarifInvocation{{a.Status == Completed || a.Status == Partial || a.Status == Rejected}},
		Results:     []sarifResult{},
	}
	if a.Subject.Host != "" {
		run.Versions = []sarifVersion{{"https://" + a.Subject.Host + "/" + a.Subject.Repo, string(a.Subject.Base)}}
	}
	for _, l := range a.Locations {
		run.Results = append(run.Results, a.sarif(rule.ID, l))
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}})
}

func (a Analysis) sarif(rule string, l Location) sarifResult {
	text := fmt.Sprintf("%s: place %d", a.Subject.Title, l.Rank)
	if a.RootCause != nil && a.RootCause.Statement != "" {
		text = a.RootCause.Statement
	}
	if l.Why != "" {
		text += " (" + l.Why + ")"
	}
	at := sarifLocation{Physical: sarifPhysical{Artifact: sarifArtifact{uri(l.Path)}}}
	if l.Start > 0 {
		at.Physical.Region = &sarifRegion{l.Start, max(l.End, l.Start)}
	}
	if l.Symbol != "" {
		at.Logical = []sarifLogical{{l.Symbol}}
	}
	return sarifResult{
		Rule: rule, Level: a.level(), Message: sarifText{oneLine(text)}, Locations: []sarifLocation{at},
		Fingerprints: map[string]string{"repomind/v1": a.fingerprint(rule, l)},
		Properties:   map[string]any{"rank": l.Rank, "confidence": a.Confidence, "class": a.result()},
	}
}

// level goes by severity; what is inconclusive is no more than a note.
func (a Analysis) level() string {
	switch {
	case a.RootCause == nil || a.RootCause.Class == Inconclusive || a.Severity == Low:
		return "note"
	case a.Severity == Critical || a.Severity == High:
		return "error"
	}
	return "warning"
}

// fingerprint stays the same when lines move.
func (a Analysis) fingerprint(rule string, l Location) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{rule, a.Subject.name(), l.Path, l.Symbol}, "\x00")))
	return hex.EncodeToString(sum[:16])
}

// uri is a path as a relative reference (RFC 3986).
func uri(p string) string {
	parts := strings.Split(p, "/")
	for i, s := range parts {
		parts[i] = url.PathEscape(s)
	}
	if out := strings.Join(parts, "/"); !strings.Contains(parts[0], ":") {
		return out
	}
	return "./" + strings.Join(parts, "/")
}
