package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/repomind/repomind/internal/github"
	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/nodes/issue"
)

// input is what the command line asks for.
func (o *analyzeOptions) input(ctx context.Context, args []string) (issue.Input, error) {
	in := issue.Input{At: o.At, Security: o.Security}
	if (len(args) == 1) == (o.IssueFile != "") {
		return in, usageError{errors.New("give either the address of an issue or --issue-file")}
	}
	var err error
	if o.Dir != "" {
		if in.From, err = directory(o.Dir); err != nil {
			return in, err
		}
	}
	if len(args) == 1 {
		in.Target, err = github.ParseTarget(args[0], os.Getenv("GH_HOST"))
		if err != nil {
			return in, usageError{err}
		}
		if in.Target.Kind == github.KindPull {
			return in, usageError{fmt.Errorf("%s is a pull request; analyze takes issues", in.Target)}
		}
		in.From.Repo = in.Target.Repo
		return in, nil
	}
	data, err := readFile(ctx, o.IssueFile)
	if err != nil {
		return in, err
	}
	is, err := github.ReadIssueFile(o.IssueFile, data)
	if err != nil {
		return in, err
	}
	in.Issue, in.Target = &is, is.Target
	if o.Dir == "" { // else the file's word is not enough to call the directory that repository
		in.From.Repo = is.Target.Repo
	}
	if in.From == (repo.Origin{}) {
		return in, usageError{errors.New("the issue does not say which repository it is about: give --repo-dir DIRECTORY")}
	}
	return in, nil
}
