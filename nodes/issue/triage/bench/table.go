package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/nodes/issue/triage"
)

// kinds prints what the issues of each kind are taken for.
func kinds(w io.Writer, all []known) {
	fmt.Fprintln(w, "| kind | bug | feature | question | security |\n| --- | --- | --- | --- | --- |")
	for _, kind := range []report.Kind{report.Bug, report.Feature, report.Question} {
		n, total := map[report.Kind]int{}, 0
		for _, k := range all {
			if k.kind == kind {
				n[triage.Kind(k.issue).Value]++
				total++
			}
		}
		fmt.Fprintf(w, "| %s (%d) | %d | %d | %d | %d |\n", kind, total, n[report.Bug], n[report.Feature], n[report.Question], n[report.Security])
	}
}

// severities prints what bugs of each known severity are taken for, and of how many pairs
// of unequal ones the order is right.
func severities(w io.Writer, all []known) {
	ranks := []report.Severity{report.Critical, report.High, report.Medium, report.Low}
	n := map[[2]report.Severity]int{}
	var pairs [][2]int
	for _, k := range all {
		if k.severity != "" && k.kind == report.Bug {
			got := triage.Severity(k.issue, k.kind).Value
			n[[2]report.Severity{k.severity, got}]++
			pairs = append(pairs, [2]int{slices.Index(ranks, k.severity), slices.Index(ranks, got)})
		}
	}
	fmt.Fprintln(w, "\n| severity | critical | high | medium | low |\n| --- | --- | --- | --- | --- |")
	for _, s := range ranks[1:] {
		fmt.Fprintf(w, "| %s | %d | %d | %d | %d |\n", s, n[[2]report.Severity{s, ranks[0]}], n[[2]report.Severity{s, ranks[1]}], n[[2]report.Severity{s, ranks[2]}], n[[2]report.Severity{s, ranks[3]}])
	}
	right, tied, wrong := order(pairs)
	fmt.Fprintf(w, "\norder of pairs: %d right, %d tied, %d wrong\n", right, tied, wrong)
}

// order compares pairs of [known, read] ranks whose known ranks differ.
func order(pairs [][2]int) (right, tied, wrong int) {
	for i, a := range pairs {
		for _, b := range pairs[:i] {
			switch d := (a[0] - b[0]) * (a[1] - b[1]); {
			case a[0] == b[0]:
			case d > 0:
				right++
			case d < 0:
				wrong++
			default:
				tied++
			}
		}
	}
	return right, tied, wrong
}

// found counts regressions and versions; whether they are right is for a reader to say.
func found(w io.Writer, all []known) {
	regressions, versions := 0, 0
	for _, k := range all {
		if triage.Regression(k.issue).Is {
			regressions++
		}
		if v, _ := triage.Version(k.issue, ""); v != "" {
			versions++
		}
	}
	fmt.Fprintf(w, "%d of %d issues tell of a regression, %d name a version\n", regressions, len(all), versions)
}

func tell(w io.Writer, k known) {
	if got := triage.Kind(k.issue); got.Value != k.kind {
		fmt.Fprintf(w, "%s is taken for a %s: %s (%s)\n", k.id, got.Value, k.issue.Title, got.Why)
	}
	if got := triage.Severity(k.issue, k.kind); k.severity != "" && got.Value != k.severity {
		fmt.Fprintf(w, "%s is %s, and taken for %s: %s (%s)\n", k.id, k.severity, got.Value, k.issue.Title, got.Why)
	}
	if r := triage.Regression(k.issue); r.Is {
		fmt.Fprintf(w, "%s regressed (good %q, bad %q): %s\n", k.id, r.Good, r.Bad, r.Why)
	}
	if v, why := triage.Version(k.issue, ""); v != "" {
		fmt.Fprintf(w, "%s version %s: %s\n", k.id, v, why)
	}
}
