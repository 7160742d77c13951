package issue

import (
	"maps"
	"slices"
	"time"

	"github.com/repomind/repomind/graph"
	"github.com/repomind/repomind/internal/github"
	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/internal/source"
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
	// Models are the names of the models, for the report.
	Models map[string]string `json:"models,omitempty"`
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
	Trouble    Trouble
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

// Trouble is what keeps the models out for the rest of a run.
type Trouble struct {
	Stop report.Stop `json:"stop,omitempty"`
	Why  string      `json:"why,omitempty"`
}

// Critique is what the critic said of the last finding.
type Critique struct {
	Score      float64  `json:"score"`
	Objections []string `json:"objections,omitempty"`
	Asked      bool     `json:"asked"` // false: no model judged
}

type update = graph.Update[State]

var (
	fRun        = graph.Last("run", func(s *State) *string { return &s.Run })
	fBegan      = graph.Last("began", func(s *State) *time.Time { return &s.Began })
	fInput      = graph.Last("input", func(s *State) *Input { return &s.Input })
	fIssue      = graph.Last("issue", func(s *State) *github.Issue { return &s.Issue })
	fCommit     = graph.Last("commit", func(s *State) *Choice { return &s.Commit })
	fLang       = graph.Last("lang", func(s *State) *string { return &s.Lang })
	fMap        = graph.Last("map", func(s *State) *string { return &s.Map })
	fImages     = graph.Last("images", func(s *State) *[]Picture { return &s.Images })
	fFrames     = graph.Last("frames", func(s *State) *[]Frame { return &s.Frames })
	fRoute      = graph.Last("route", func(s *State) *Route { return &s.Route })
	fRegression = graph.Last("regression", func(s *State) *report.Regression { return &s.Regression })
	fApproval   = graph.Last("approval", func(s *State) *Approval { return &s.Approval })
	fLessons    = graph.Last("lessons", func(s *State) *[]report.Lesson { return &s.Lessons })
	fParts      = graph.Append("parts", func(s *State) *[]Part { return &s.Parts })
	fRanking    = graph.Last("ranking", func(s *State) *Ranking { return &s.Ranking })
	fContext    = graph.Last("context", func(s *State) *[]Piece { return &s.Context })
	fFix        = graph.Last("fix", func(s *State) *FixChoice { return &s.Fix })
	fExisting   = graph.Last("existing", func(s *State) *[]report.Location { return &s.Existing })
	fDraft      = graph.Last("draft", func(s *State) *Draft { return &s.Draft })
	fFinding    = graph.Last("finding", func(s *State) *Finding { return &s.Finding })
	fCritique   = graph.Last("critique", func(s *State) *Critique { return &s.Critique })
	fTries      = graph.Reduce("tries", func(s *State) *int { return &s.Tries }, func(a, b int) int { return a + b })
	fUsage      = graph.Reduce("usage", func(s *State) *map[string]llm.Usage { return &s.Usage }, addUsage)
	fTimes      = graph.Reduce("times", func(s *State) *map[string]time.Duration { return &s.Times }, addTimes)
	fTrouble    = graph.Reduce("trouble", func(s *State) *Trouble { return &s.Trouble }, firstTrouble)
	fWarnings   = graph.Append("warnings", func(s *State) *[]string { return &s.Warnings })
	fReport     = graph.Last("report", func(s *State) *report.Analysis { return &s.Report })
)

var fields = []graph.FieldOf[State]{
	fRun, fBegan, fInput, fIssue, fCommit, fLang, fMap, fImages, fFrames, fRoute, fRegression, fApproval, fLessons, fParts,
	fRanking, fContext, fFix, fExisting, fDraft, fFinding, fCritique, fTries, fUsage, fTimes, fTrouble, fWarnings, fReport,
}

func addUsage(old, in map[string]llm.Usage) map[string]llm.Usage {
	sum := maps.Clone(old)
	if sum == nil {
		sum = map[string]llm.Usage{}
	}
	for node, u := range in {
		sum[node] = sum[node].Add(u)
	}
	return sum
}

func addTimes(old, in map[string]time.Duration) map[string]time.Duration {
	sum := maps.Clone(old)
	if sum == nil {
		sum = map[string]time.Duration{}
	}
	for node, d := range in {
		sum[node] += d
	}
	return sum
}

func firstTrouble(old, in Trouble) Trouble {
	if old.Stop != "" {
		return old
	}
	return in
}

// usedModels says whether a model's work is in the state.
func (s State) usedModels() bool { return len(s.Usage) > 0 }

// nodes of s.Usage in order.
func (s State) billed() []string { return slices.Sorted(maps.Keys(s.Usage)) }
