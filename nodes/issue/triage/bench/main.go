// Command bench says how well triage reads issues whose kind is known.
//
//	go run ./nodes/issue/triage/bench -bench DIR
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/repomind/repomind/eval/dataset"
	"github.com/repomind/repomind/internal/github"
	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/nodes/issue/triage"
)

func main() {
	dir := flag.String("bench", "", "folder of bugs.jsonl, features.jsonl and questions.jsonl")
	verbose := flag.Bool("v", false, "list what is read wrong, and what is taken for a regression")
	flag.Parse()
	if err := bench(*dir, *verbose); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func bench(dir string, verbose bool) error {
	fmt.Println("| issues | bug | feature | question | security |\n| --- | --- | --- | --- | --- |")
	for _, name := range []string{"bugs", "features"} {
		cases, err := dataset.Load(filepath.Join(dir, name+".jsonl"), dataset.Limits{}, dataset.Cases)
		if err != nil {
			return err
		}
		var all []github.Issue
		for _, c := range cases {
			is := github.Issue{Title: c.Input.Title, Body: c.Input.Body}
			is.Target.Repo = c.Input.Repo
			all = append(all, is)
			if verbose {
				tell(c.ID, is, report.Kind(c.Kind))
			}
		}
		row(name, all)
	}
	questions, err := dataset.Load(filepath.Join(dir, "questions.jsonl"), dataset.Limits{}, dataset.Questions)
	if err != nil {
		return err
	}
	var all []github.Issue
	for _, q := range questions {
		all = append(all, github.Issue{Title: q.Input.Title, Body: q.Input.Body})
	}
	row("questions", all)
	return nil
}

func row(name string, all []github.Issue) {
	n := map[report.Kind]int{}
	for _, is := range all {
		n[triage.Kind(is).Value]++
	}
	fmt.Printf("| %s (%d) | %d | %d | %d | %d |\n", name, len(all), n[report.Bug], n[report.Feature], n[report.Question], n[report.Security])
}

func tell(id string, is github.Issue, kind report.Kind) {
	if k := triage.Kind(is); k.Value != kind {
		fmt.Printf("%s is taken for a %s: %s (%s)\n", id, k.Value, is.Title, k.Why)
	}
	if r := triage.Regression(is); r.Is {
		fmt.Printf("%s regressed (good %q, bad %q): %s\n", id, r.Good, r.Bad, r.Why)
	}
	if v, why := triage.Version(is, ""); v != "" {
		fmt.Printf("%s version %s: %s\n", id, v, why)
	}
}
