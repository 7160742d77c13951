package report

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
	Name    string      `json:"name"`
	Version string      `json:"version,omitempty"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID         string      `json:"id"`
	Short      sarifText   `json:"shortDescription"`
	Properties *sarifGrade `json:"properties,omitempty"`
}

// sarifGrade is what GitHub takes the severity of a weakness from.
type sarifGrade struct {
	Tags  []string `json:"tags"`
	Score string   `json:"security-severity"` // 0.1 to 10
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifID struct {
	ID string `json:"id"`
}

type sarifVersion struct {
	Repository string `json:"repositoryUri"`
	Revision   string `json:"revisionId,omitempty"`
}

type sarifInvocation struct {
	Successful bool `json:"executionSuccessful"`
}

type sarifResult struct {
	Rule         string            `json:"ruleId"`
	Level        string            `json:"level"`
	Message      sarifText         `json:"message"`
	Locations    []sarifLocation   `json:"locations"`
	Fixes        []sarifFix        `json:"fixes,omitempty"`
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

type sarifFix struct {
	Changes []sarifChange `json:"artifactChanges"`
}

type sarifChange struct {
	Artifact     sarifArtifact      `json:"artifactLocation"`
	Replacements []sarifReplacement `json:"replacements"`
}

type sarifReplacement struct {
	Deleted  sarifRegion `json:"deletedRegion"`
	Inserted sarifText   `json:"insertedContent"`
}
