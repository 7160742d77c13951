package dataset

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/repomind/repomind/internal/source"
)

// Pull is a pull request with defects that are known to be in it.
type Pull struct {
	ID       string // unique in its file
	Language source.Language
	Input    PullInput
	Gold     PullGold
}

// PullGold is what is known about a pull request. The list of defects is not
// complete: a finding that is not in it may still be right.
type PullGold struct {
	Number    int       // of the pull request; 0 is unknown
	Defects   []Defect  // none: nothing is known against it
	Valid     []Comment // other comments that were judged right
	NonIssues []Comment // comments that were judged wrong
	Fixes     []source.Commit
}

// Comment is something said about lines of one file.
type Comment struct {
	Lines    []source.Span // all in one file; at least one
	What     string
	Category string // "" is unknown
}

// Path is the file that the comment is about.
func (c Comment) Path() string { return c.Lines[0].Path }

// Defect is a fault that the change brings in, or lets stand.
type Defect struct {
	Comment
	Functions []string // qualified names, without the path
	Side      Side
	Origin    string // who found it
	Severity  string // "" where nobody judged it
}

// Side says which of the two versions line numbers belong to.
type Side string

// The sides of a change.
const (
	Head Side = "head" // the new file
	Base Side = "base" // the old file
)

// Pulls reads pull requests, in the order of the file. The first error ends the
// sequence. name stands for the file in errors.
func Pulls(name string, r io.Reader, limits Limits) iter.Seq2[Pull, error] {
	return records[rawPull](name, r, limits)
}

type rawPull struct {
	rawHead
	Number      int         `json:"number"`
	Description string      `json:"description"`
	Base        string      `json:"base_sha"`
	Head        string      `json:"head_sha"`
	Defects     []rawDefect `json:"known_defects"`
	Valid       []rawRemark `json:"other_valid_comments"`
	NonIssues   []rawRemark `json:"known_non_issues"`
	Fixes       []string    `json:"fix_commits"`
}

type rawRemark struct {
	File     string  `json:"file"`
	Lines    [][]int `json:"lines"`
	What     string  `json:"what"`
	Category string  `json:"category"`
}

type rawDefect struct {
	rawRemark
	Functions []string `json:"functions"`
	Side      Side     `json:"side"`
	Origin    string   `json:"origin"`
	Severity  string   `json:"severity_annotated"`
}

func (r rawPull) build() (p Pull, err error) {
	p = Pull{ID: r.ID, Language: r.language()}
	if r.Kind != "pr" {
		return p, fmt.Errorf("kind is %q, not pr", clip(r.Kind))
	}
	if p.Input, err = r.input(); err != nil {
		return p, err
	}
	p.Gold, err = r.gold()
	return p, err
}

func (r rawPull) input() (in PullInput, err error) {
	in = PullInput{Title: r.Title, Description: r.Description}
	if strings.TrimSpace(r.Title) == "" {
		return in, errors.New("title is missing")
	}
	if in.Repo, err = r.repo(); err != nil {
		return in, err
	}
	if in.Base, err = commit("base_sha", r.Base, false); err != nil {
		return in, err
	}
	if in.Head, err = commit("head_sha", r.Head, false); err != nil {
		return in, err
	}
	in.Date, err = r.date()
	return in, err
}

func (r rawPull) gold() (g PullGold, err error) {
	if g.Number = r.Number; g.Number < 0 {
		return g, errors.New("number is negative")
	}
	for _, f := range r.Fixes {
		c, err := commit("fix_commits", f, false)
		if err != nil {
			return g, err
		}
		g.Fixes = append(g.Fixes, c)
	}
	for _, d := range r.Defects {
		defect, err := d.build()
		if err != nil {
			return g, err
		}
		g.Defects = append(g.Defects, defect)
	}
	if g.Valid, err = remarks("other_valid_comments", r.Valid); err != nil {
		return g, err
	}
	g.NonIssues, err = remarks("known_non_issues", r.NonIssues)
	return g, err
}

func (d rawDefect) build() (Defect, error) {
	if d.Side != Head && d.Side != Base {
		return Defect{}, fmt.Errorf("known_defects: side is %q, neither head nor base", clip(string(d.Side)))
	}
	c, err := d.comment("known_defects")
	return Defect{Comment: c, Functions: d.Functions, Side: d.Side, Origin: d.Origin, Severity: d.Severity}, err
}

func (r rawRemark) comment(field string) (Comment, error) {
	lines, err := spans(field, r.File, r.Lines)
	if err == nil && len(lines) == 0 {
		err = fmt.Errorf("%s: a comment on %q has no lines", field, clip(r.File))
	}
	return Comment{Lines: lines, What: r.What, Category: r.Category}, err
}

func remarks(field string, all []rawRemark) ([]Comment, error) {
	var out []Comment
	for _, r := range all {
		c, err := r.comment(field)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}
