// Package report is what RepoMind says in the end: plain values that can be stored,
// and the formats that they are written in.
//
// All locations in a report are of its subject's commit, and quotes of the commit that
// they name. Whoever makes a
// report has looked them up there; this package only shows them, and takes the
// sting out of text that strangers or models wrote.
package report

import (
	"time"

	"github.com/repomind/repomind/internal/source"
)

// SchemaVersion is that of the JSON form. A member that is added does not change it.
const SchemaVersion = "1"

// Status says how a run ended.
type Status string

// The ends of a run.
const (
	Completed Status = "completed"
	Partial   Status = "partial" // something was left out or failed; Warnings say what
	Failed    Status = "failed"
	Waiting   Status = "paused"   // for a person
	Rejected  Status = "rejected" // a person did not allow it
)

// Stop says why a run ended where it did.
type Stop string

// The reasons to stop.
const (
	StopDone      Stop = "done"
	StopBudget    Stop = "budget" // tokens or cost had run out
	StopTimeout   Stop = "timeout"
	StopMaxSteps  Stop = "max_steps"
	StopTruncated Stop = "truncated"
	StopAuth      Stop = "auth"
	StopProvider  Stop = "provider_error"
	StopApproval  Stop = "approval" // a person was asked
	StopNoModel   Stop = "no_model" // there was none, by choice or for want of a key
)

// Kind is what an issue is.
type Kind string

// The kinds of issues.
const (
	Bug      Kind = "bug"
	Feature  Kind = "feature"
	Question Kind = "question"
	Security Kind = "security"
)

// Severity is how bad it is.
type Severity string

// The severities, the worst first.
const (
	Critical Severity = "critical"
	High     Severity = "high"
	Medium   Severity = "medium"
	Low      Severity = "low"
)

// Class says how sure a root cause is. It is set by rules, never by a model.
type Class string

// The classes.
const (
	Confirmed    Class = "CONFIRMED"
	Likely       Class = "LIKELY"
	Inconclusive Class = "INCONCLUSIVE"
)

// State says what became of a hypothesis.
type State string

// The states of a hypothesis.
const (
	Chosen   State = "chosen"
	RuledOut State = "ruled_out"
	Open     State = "open"
)

// FixClass is what sort of change mends it.
type FixClass string

// The classes of fixes.
const (
	CodeFix           FixClass = "code_fix"
	DependencyUpgrade FixClass = "dependency_upgrade"
	ConfigFix         FixClass = "config_fix"
)

// Tool names the program that made a report.
type Tool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Subject is what was looked at.
type Subject struct {
	Host   string `json:"host,omitempty"`
	Repo   string `json:"repo"` // owner/name, or a directory
	Number int    `json:"number,omitempty"`
	Title  string `json:"title"`
	URL    string `json:"url,omitempty"`
	// Base is the analysed commit.
	Base     source.Commit `json:"base_sha,omitempty"`
	ChosenBy string        `json:"commit_chosen_by,omitempty"` // why that commit, in words
	// Web is where the files of Base can be seen, as https://github.com/o/r/blob/SHA.
	// Empty means nowhere.
	Web string `json:"web,omitempty"`
}

// Evidence is a quote from the repository that was looked up.
type Evidence struct {
	ID    string        `json:"id"` // e1, e2, …
	Path  string        `json:"path"`
	SHA   source.Commit `json:"sha"`
	Start int           `json:"start"`
	End   int           `json:"end"`
	Quote string        `json:"quote"`
	Hash  string        `json:"quote_sha256"` // hex, of Quote
	Shows string        `json:"shows,omitempty"`
}

// Span is the lines that are quoted.
func (e Evidence) Span() source.Span { return source.Span{Path: e.Path, Start: e.Start, End: e.End} }

// RootCause is why it happens.
type RootCause struct {
	Class     Class    `json:"class"`
	Statement string   `json:"statement,omitempty"` // none without a model
	Evidence  []string `json:"evidence"`            // IDs
	Missing   []string `json:"missing_evidence"`
	// Why are the rules that led to the class, in words.
	Why []string `json:"why,omitempty"`
}

// Hypothesis is one explanation that was looked into.
type Hypothesis struct {
	Statement  string   `json:"statement"`
	State      State    `json:"state"`
	Supporting []string `json:"supporting"` // IDs of evidence
	Refuting   []string `json:"refuting"`
	Reason     string   `json:"reason,omitempty"` // for its state, above all where it is ruled out
}

// Change is a commit.
type Change struct {
	SHA     source.Commit `json:"sha"`
	Date    time.Time     `json:"date,omitzero"`
	Subject string        `json:"subject"`
}

// Regression says whether it once worked.
type Regression struct {
	Is bool `json:"is"`
	// Why is the wording that says so.
	Why  string `json:"why,omitempty"`
	Good string `json:"good,omitempty"` // the version that is said to have worked
	Bad  string `json:"bad,omitempty"`  // that is said not to
	// Since is the commit that brought it, as far as that is known.
	Since *Change `json:"since,omitempty"`
	// Suspects are commits that touched the places named, the newest first.
	Suspects []Change `json:"suspects,omitempty"`
}

// Location is where the cause is, the best at rank 1.
type Location struct {
	Path   string `json:"path"`
	Symbol string `json:"symbol,omitempty"`
	Start  int    `json:"start,omitempty"` // 0 is the whole file
	End    int    `json:"end,omitempty"`
	Rank   int    `json:"rank"`
	// Score is that of the retriever, the best 1; a place that a model chose has none.
	Score float64 `json:"score,omitempty"`
	Why   string  `json:"why"`
}

// Span is the lines of the location.
func (l Location) Span() source.Span { return source.Span{Path: l.Path, Start: l.Start, End: l.End} }

// Fix is what would mend it.
type Fix struct {
	Class      FixClass `json:"class,omitempty"`
	Why        string   `json:"why,omitempty"` // that class
	Suggestion string   `json:"suggestion,omitempty"`
	Files      []string `json:"files"`
}

// Linked is a change that the host ties to the issue as its fix.
type Linked struct {
	Commit source.Commit `json:"commit,omitempty"`
	URL    string        `json:"url,omitempty"`
	Title  string        `json:"title,omitempty"`
	Merged bool          `json:"merged"`
	// InHead says whether the newest commit holds it: "yes", "no", or "unknown".
	InHead string `json:"in_head"`
}

// FeaturePlan answers a request for something new.
type FeaturePlan struct {
	Exists        string   `json:"exists"` // yes, partly, no or unknown
	Feasibility   string   `json:"feasibility,omitempty"`
	Intrusiveness string   `json:"intrusiveness,omitempty"`
	Breaking      []string `json:"breaking_risks"`
	Plan          string   `json:"plan,omitempty"`
}

// Answer answers a question.
type Answer struct {
	Usage  string   `json:"usage,omitempty"`  // how it is done
	Design string   `json:"design,omitempty"` // why it is as it is
	Quotes []string `json:"quotes"`           // IDs of evidence
	IsBug  bool     `json:"is_bug,omitempty"` // the question shows a fault
	// Missing is what could not be found out.
	Missing []string `json:"missing_evidence,omitempty"`
}

// Approval is what a person decided before the analysis.
type Approval struct {
	Approved bool      `json:"approved"`
	By       string    `json:"by,omitempty"`
	Note     string    `json:"note,omitempty"`
	At       time.Time `json:"at,omitzero"`
}

// Checked counts what was looked up at the commit before it was reported.
type Checked struct {
	Claims  int      `json:"claims"`
	Removed []string `json:"removed,omitempty"` // what was not there, in words
}

// Lesson is an earlier run that was recalled.
type Lesson struct {
	Run    string        `json:"run_id"`
	Title  string        `json:"title,omitempty"`
	Text   string        `json:"text"`
	Class  Class         `json:"class,omitempty"`
	Commit source.Commit `json:"sha,omitempty"`
	Saved  time.Time     `json:"saved,omitzero"`
	Why    string        `json:"why,omitempty"` // it was recalled: similar, same files
}

// Analysis is the report on an issue.
type Analysis struct {
	SchemaVersion string   `json:"schema_version"`
	Tool          Tool     `json:"tool"`
	RunID         string   `json:"run_id"`
	Doc           string   `json:"kind"` // "analyze"
	Lang          string   `json:"lang"` // that its sentences are written in: en or zh
	Subject       Subject  `json:"subject"`
	Status        Status   `json:"status"`
	StopReason    Stop     `json:"stop_reason"`
	IssueKind     Kind     `json:"issue_kind,omitempty"`
	KindWhy       string   `json:"issue_kind_why,omitempty"`
	Severity      Severity `json:"severity,omitempty"`
	SeverityWhy   string   `json:"severity_why,omitempty"`
	Confidence    float64  `json:"confidence"`
	// Approval is there if a person was asked.
	Approval    *Approval    `json:"approval,omitempty"`
	RootCause   *RootCause   `json:"root_cause,omitempty"` // not of a question or feature
	Hypotheses  []Hypothesis `json:"hypotheses,omitempty"`
	Regression  *Regression  `json:"regression,omitempty"`
	Locations   []Location   `json:"locations,omitempty"` // at most five
	Fix         *Fix         `json:"fix,omitempty"`
	LinkedFixes []Linked     `json:"linked_fixes,omitempty"`
	Feature     *FeaturePlan `json:"feature,omitempty"`
	Answer      *Answer      `json:"answer,omitempty"`
	Evidence    []Evidence   `json:"evidence,omitempty"`
	// Critic holds what the critic had against the last answer.
	Critic []string `json:"critic,omitempty"`
	// CriticBefore holds what the critic had against earlier answers, which were sent back.
	CriticBefore []string `json:"critic_before,omitempty"`
	Retries      int      `json:"retries,omitempty"` // analyses that the critic sent back
	Checked      Checked  `json:"checked"`
	Lessons      []Lesson `json:"lessons,omitempty"`
	Usage        Usage    `json:"usage"`
	Duration     int64    `json:"duration_ms"`
	Warnings     []string `json:"warnings,omitempty"`
}

// Usage is what the models took.
type Usage struct {
	Calls      int         `json:"calls"`
	Input      int         `json:"input_tokens"`
	Cached     int         `json:"cached_tokens"`
	Output     int         `json:"output_tokens"`
	CostUSD    *float64    `json:"cost_usd"`    // null is unknown
	CostStatus string      `json:"cost_status"` // known, estimated or unknown
	ByNode     []NodeUsage `json:"by_node,omitempty"`
	// Models are those that were called, by the kind of work: main, small, critic, vision.
	Models map[string]string `json:"models,omitempty"`
}

// NodeUsage is what one node took.
type NodeUsage struct {
	Node     string   `json:"node"`
	Calls    int      `json:"calls"`
	Input    int      `json:"input_tokens"`
	Cached   int      `json:"cached_tokens"`
	Output   int      `json:"output_tokens"`
	CostUSD  *float64 `json:"cost_usd"`
	Duration int64    `json:"duration_ms"`
}
