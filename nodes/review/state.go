package review

import (
	"strings"
	"time"

	"github.com/repomind/repomind/internal/github"
	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/nodes/paid"
)

// Input is what a run is asked.
type Input struct {
	// Target is the pull request; zero where Pull is handed in.
	Target github.Target `json:"target,omitzero"`
	// Pull was made from a file or local commits. Its Base is the merge base then.
	Pull *github.PullRequest `json:"pull,omitempty"`
	// From is where the repository comes from. Zero means that of Target.
	From repo.Origin `json:"from,omitzero"`
	// Since is the head of the review that this one goes on from. Empty looks at all.
	Since source.Commit `json:"since,omitempty"`
	// NoModel keeps all models out.
	NoModel bool `json:"no_model,omitempty"`
	// Lang is the report's language: en or zh. Empty is English.
	Lang string `json:"lang,omitempty"`
	// Models are the names of the models and Where their address, as the run began.
	Models map[string]string `json:"models,omitempty"`
	Where  string            `json:"where,omitempty"`
	// Policy is what is asked for beside what the repository sets; it is only kept to tell
	// whether another run was asked the same.
	Policy map[string]string `json:"policy,omitempty"`
}

// Policy is how a project wants to be reviewed.
type Policy struct {
	// Lang is the report's language where nobody asks for one.
	Lang string `json:"lang,omitempty"`
	// FailOn is the severity from which a finding asks for changes; empty is none.
	FailOn report.Severity `json:"fail_on,omitempty"`
	// MinConfidence is that of a finding to be reported.
	MinConfidence float64 `json:"min_confidence"`
	// MaxFindings bounds the findings of a report.
	MaxFindings int `json:"max_findings"`
	// Include and Exclude are globs of paths; no Include is all.
	Include []string `json:"include,omitempty"`
	Exclude []string `json:"exclude,omitempty"`
	// Lenses are those of models; none is all.
	Lenses []report.Lens `json:"lenses,omitempty"`
	// Instructions are the project's own, by path.
	Instructions []Instruction `json:"instructions,omitempty"`
	// Below are the policies of directories with settings of their own, the deepest first.
	Below []Below `json:"below,omitempty"`
}

// Below is the policy of a directory.
type Below struct {
	Dir    string `json:"dir"`
	Policy Policy `json:"policy"`
}

// of is the policy for a file: that of the nearest directory which has one.
func (p Policy) of(name string) Policy {
	for _, b := range p.Below {
		if strings.HasPrefix(name, b.Dir+"/") {
			return b.Policy
		}
	}
	return p
}

// Instruction is what a project says of the files that a glob matches.
type Instruction struct {
	Path string `json:"path"`
	Text string `json:"text"`
}

// State is what a run knows; each node adds to it.
type State struct {
	Run      string
	Began    time.Time
	Input    Input
	Pull     github.PullRequest
	Compared Ends
	Policy   Policy
	Files    []File
	Lang     string
	Map      string
	Images   []Picture
	Issues   []github.Issue
	Lessons  []report.Lesson
	Bundles  []Bundle
	Views    []View
	Verified Verified
	Critique Critique
	Tries    int
	Usage    map[string]llm.Usage
	Times    map[string]time.Duration
	Trouble  paid.Trouble
	Warnings []string
	Report   report.Review
}

// Ends are the commits that are compared.
type Ends struct {
	Base source.Commit `json:"base"` // the merge base
	Head source.Commit `json:"head"`
	Why  string        `json:"why"` // what the base is
}

// File is a changed file, and why it is not reviewed.
type File struct {
	repo.FileChange
	Skip   string `json:"skip,omitempty"`
	Counts bool   `json:"counts,omitempty"` // it has to be seen for an approval
	Risk   int    `json:"risk,omitempty"`   // the riskiest are looked at first
}

// Picture is an image of the pull request, as a model described it.
type Picture struct {
	URL  string `json:"url"`
	Text string `json:"text"`
}

// Bundle is files that are looked at together.
type Bundle struct {
	Paths []string `json:"paths"`
}

// View is what one lens saw of one bundle.
type View struct {
	Lens     report.Lens `json:"lens"`
	Bundle   int         `json:"bundle"`
	Try      int         `json:"try"`
	Paths    []string    `json:"paths,omitempty"`
	Failed   string      `json:"failed,omitempty"`
	Limit    string      `json:"limit,omitempty"`  // why the look ended early
	Cut      []string    `json:"cut,omitempty"`    // files that it was not shown whole
	Missed   []string    `json:"missed,omitempty"` // files that it does not say it read
	Findings []Claim     `json:"findings,omitempty"`
	// Rules are findings that code made, and need no looking up.
	Rules   []report.Finding `json:"rules,omitempty"`
	Settles []settled        `json:"settles,omitempty"`
}

// Verified is what is left of all views when they were looked up.
type Verified struct {
	Findings []report.Finding `json:"findings,omitempty"`
	Checked  report.Checked   `json:"checked"`
	Settles  []report.Settles `json:"settles,omitempty"`
	Unsure   []string         `json:"unsure,omitempty"` // what could not be verified, in words
}

// Critique is what the critic said of the last review.
type Critique struct {
	Score      float64  `json:"score"`
	Objections []string `json:"objections,omitempty"`
	Before     []string `json:"before,omitempty"` // objections to earlier reviews
	Asked      bool     `json:"asked"`            // false: no model judged
}
