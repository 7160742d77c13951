// Command bench says how well triage reads issues whose kind is known.
//
//	go run ./nodes/issue/triage/bench -bench DIR [-v]
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/repomind/repomind/eval/dataset"
	"github.com/repomind/repomind/internal/github"
	"github.com/repomind/repomind/internal/report"
)

func main() {
	dir := flag.String("bench", "", "folder of bugs.jsonl, features.jsonl and questions.jsonl")
	verbose := flag.Bool("v", false, "list what is read wrong, and the regressions and versions that are found")
	flag.Parse()
	if err := bench(*dir, *verbose); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// known is an issue and what is known of it.
type known struct {
	id       string
	issue    github.Issue
	kind     report.Kind
	severity report.Severity // "" is not known
}

func bench(dir string, verbose bool) error {
	all, err := load(dir)
	if err != nil {
		return err
	}
	kinds(os.Stdout, all)
	severities(os.Stdout, all)
	found(os.Stdout, all)
	if verbose {
		for _, k := range all {
			tell(os.Stdout, k)
		}
	}
	return nil
}

func load(dir string) ([]known, error) {
	var all []known
	for _, name := range []string{"bugs", "features"} {
		cases, err := dataset.Load(filepath.Join(dir, name+".jsonl"), dataset.Limits{}, dataset.Cases)
		if err != nil {
			return nil, err
		}
		for _, c := range cases {
			k := known{id: c.ID, kind: report.Kind(c.Kind), severity: report.Severity(c.Gold.Severity), issue: newIssue(c.Input)}
			all = append(all, k)
		}
	}
	questions, err := dataset.Load(filepath.Join(dir, "questions.jsonl"), dataset.Limits{}, dataset.Questions)
	if err != nil {
		return nil, err
	}
	for _, q := range questions {
		all = append(all, known{id: q.ID, kind: report.Question, issue: newIssue(q.Input)})
	}
	return all, nil
}

func newIssue(in dataset.Input) github.Issue {
	is := github.Issue{Title: in.Title, Body: in.Body}
	is.Target.Repo = in.Repo
	return is
}
