package main

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/repomind/repomind/eval/metric"
	"github.com/repomind/repomind/internal/report"
)

// table prints how good the reports are, beside the retriever's own lists.
func table(w io.Writer, all []result) error {
	kinds := map[report.Kind]int{}
	lost := 0
	var times []time.Duration
	for _, r := range all {
		kinds[r.report.IssueKind]++
		lost += len(r.lost)
		for _, l := range r.lost {
			fmt.Fprintf(w, "not there: %s %s\n", r.ID, l)
		}
		times = append(times, r.took)
	}
	slices.Sort(times)
	fmt.Fprintf(w, "%d cases; taken for %v; %d places that cannot be looked up; median %s, p95 %s\n\n",
		len(all), kinds, lost, times[len(times)/2].Round(time.Millisecond), times[len(times)*95/100].Round(time.Millisecond))
	fmt.Fprintln(w, "| cases | | file@1 | file@3 | file@5 | function@5 |\n| --- | --- | --- | --- | --- | --- |")
	for _, part := range []struct {
		name string
		has  func(result) bool
	}{
		{"all", func(result) bool { return true }},
		{"harder", func(r result) bool { return r.Mentions.Harder() }},
		{"taken for bugs", func(r result) bool { return r.report.IssueKind == report.Bug }},
		{"LIKELY", func(r result) bool { return class(r) == report.Likely }},
		{"INCONCLUSIVE", func(r result) bool { return class(r) == report.Inconclusive }},
	} {
		rows(w, part.name, slices.DeleteFunc(slices.Clone(all), func(r result) bool { return !part.has(r) }))
	}
	return nil
}

func class(r result) report.Class {
	if r.report.RootCause == nil {
		return ""
	}
	return r.report.RootCause.Class
}

func rows(w io.Writer, name string, of []result) {
	fmt.Fprintf(w, "| %s (%d) | report | %s |\n", name, len(of), figures(of, reported))
	fmt.Fprintf(w, "| | retriever | %s |\n", figures(of, func(r result) ([]string, []string) { return r.retrieved, r.symbols }))
}

// reported are the files and functions of a report.
func reported(r result) (files, symbols []string) {
	for _, l := range r.report.Locations {
		files = append(files, l.Path)
		symbols = append(symbols, l.Path+":"+l.Symbol)
	}
	return files, symbols
}

func figures(of []result, lists func(result) (files, symbols []string)) string {
	var hits [4]float64
	var n, withFunctions float64
	for _, r := range of {
		files, symbols := lists(r)
		p := metric.Find(r.Gold.Files, files)
		n++
		for i, k := range []int{1, 3, 5} {
			hits[i] += p.Hit(k)
		}
		if len(r.Gold.Functions) > 0 {
			same := metric.SameLast
			if r.Gold.Parsed {
				same = metric.SameSymbol
			}
			withFunctions++
			hits[3] += metric.FindSymbols(r.Gold.Functions, symbols, same).Hit(5)
		}
	}
	return fmt.Sprintf("%.3f | %.3f | %.3f | %.3f", hits[0]/n, hits[1]/n, hits[2]/n, hits[3]/withFunctions)
}
