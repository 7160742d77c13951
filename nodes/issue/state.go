package issue

import (
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
	// Target is the issue; zero where Issue is handed in.
	Target github.Target `json:"target,omitzero"`
	// Issue was read from a file.
	Issue *github.Issue `json:"issue,omitempty"`
	// From is where the repository comes from. Zero means that of Target.
	From repo.Origin `json:"from,omitzero"`
	// At is the commit, branch or tag to look at. Empty lets the issue choose.
	At string `json:"at,omitempty"`
	// Security makes a person allow the analysis, whatever the issue is.
	Security bool `json:"security,omitempty"`
	// NoModel keeps all models out.
	NoModel bool `json:"no_model,omitempty"`
	// Lang is the report's language: en or zh. Empty means that of the issue.
	Lang string `json:"lang,omitempty"`
	// Models are the names of the models, and Where their address, as the run began.
	Models map[string]string `json:"models,omitempty"`
	Where  string            `json:"where,omitempty"`
	// Setup names what else changes what comes out, as how vectors are made.
	Setup string `json:"setup,omitempty"`
}

// State is what a run knows; each node adds to it.
type State struct {
	Run        string
	Began      time.Time
	Input      Input
	Issue      github.Issue
	Commit     Choice
	Lang       string
	Map        string
	Images     []Picture
	Frames     []Frame
	Route      Route
	Regression report.Regression
	Approval   Approval
	Lessons    []report.Lesson
	Parts      []Part
	Ranking    Ranking
	Context    []Piece
	Fix        FixChoice
	Existing   []report.Location
	Draft      Draft
	Finding    Finding
	Critique   Critique
	Tries      int
	Usage      map[string]llm.Usage
	Times      map[string]time.Duration
	Trouble    paid.Trouble
	Warnings   []string
	Report     report.Analysis
}

// Choice is the commit that is analysed.
type Choice struct {
	Commit source.Commit `json:"commit"`
	Why    string        `json:"why"`
	Head   source.Commit `json:"head,omitempty"` // of the default branch
}

// Picture is an image of the issue, as a model described it.
type Picture struct {
	URL  string `json:"url"`
	Hash string `json:"hash"` // of its content
	Text string `json:"text"`
}

// Frame is a call of a traceback that is in the repository.
type Frame struct {
	Span     source.Span `json:"span"`
	Function string      `json:"function,omitempty"`
	Error    string      `json:"error,omitempty"` // of its traceback
	Depth    int         `json:"depth"`           // 0 is the innermost that is in the repository
}

// Route is what the issue is.
type Route struct {
	Kind        report.Kind     `json:"kind"`
	Why         string          `json:"why"`
	Severity    report.Severity `json:"severity"`
	SeverityWhy string          `json:"severity_why"`
	// Sure means that a label, a clear sign or a model says which kind it is.
	Sure bool `json:"sure"`
}

// Approval is what a person said at the gate.
type Approval struct {
	Approve bool      `json:"approve"`
	Note    string    `json:"note,omitempty"`
	Asked   bool      `json:"asked,omitempty"`
	By      string    `json:"by,omitempty"`
	At      time.Time `json:"at,omitzero"`
}

// Part is what one gatherer found.
type Part struct {
	Source Source  `json:"source"`
	Pieces []Piece `json:"pieces,omitempty"`
	// Notes are facts in sentences: callers, libraries.
	Notes []string `json:"notes,omitempty"`
	// Ranking is that of retrieval.
	Ranking  *Ranking        `json:"ranking,omitempty"`
	Suspects []report.Change `json:"suspects,omitempty"`
}

// Source says which side context comes from.
type Source string

// The sides.
const (
	FromEntry Source = "entry" // definitions that the issue names or calls
	FromRAG   Source = "rag"
	FromGit   Source = "git"
)

// Piece is code, or history, for the model to read.
type Piece struct {
	Span   source.Span `json:"span,omitzero"`
	Name   string      `json:"name,omitempty"` // in place of a span
	Text   string      `json:"text"`
	Why    string      `json:"why,omitempty"`
	Source Source      `json:"source"`
	// Outline says that Text has only the signatures of Span.
	Outline bool `json:"outline,omitempty"`
}

// Ranking is what retrieval found.
type Ranking struct {
	Places []report.Location `json:"places,omitempty"` // one a file, the best first
	Ran    []string          `json:"ran,omitempty"`
	// Strong says why the first place can be trusted; empty if it cannot.
	Strong string `json:"strong,omitempty"`
}

// FixChoice is what sort of change is likely to mend it.
type FixChoice struct {
	Class report.FixClass `json:"class,omitempty"`
	Why   string          `json:"why,omitempty"`
}

// Critique is what the critic said of the last finding.
type Critique struct {
	Score      float64  `json:"score"`
	Objections []string `json:"objections,omitempty"`
	Before     []string `json:"before,omitempty"` // objections to earlier findings
	Asked      bool     `json:"asked"`            // false: no model judged
}

// usedModels says whether a model's work is in the state.
func (s State) usedModels() bool { return len(s.Usage) > 0 }
