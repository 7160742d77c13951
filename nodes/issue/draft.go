package issue

import (
	"github.com/repomind/repomind/internal/report"
)

// Draft is an answer before anything in it was looked up.
type Draft struct {
	ByModel    bool         `json:"by_model"`
	Statement  string       `json:"statement,omitempty"` // the root cause
	Hypotheses []Hypothesis `json:"hypotheses,omitempty"`
	Places     []Spot       `json:"places,omitempty"`
	Severity   string       `json:"severity,omitempty"`
	Confidence float64      `json:"confidence,omitempty"` // the model's own
	Fix        string       `json:"fix,omitempty"`
	FixFiles   []string     `json:"fix_files,omitempty"`
	Missing    []string     `json:"missing,omitempty"`
	Since      string       `json:"since,omitempty"` // the commit that brought it

	Feature *report.FeaturePlan `json:"feature,omitempty"`

	Usage  string  `json:"usage,omitempty"`
	Design string  `json:"design,omitempty"`
	IsBug  bool    `json:"is_bug,omitempty"`
	Quotes []Claim `json:"quotes,omitempty"` // of an answer, or of a plan

	// Limit is why the look around ended early, "" if it did not.
	Limit string `json:"limit,omitempty"`
	// Budget says that it was the budget.
	Budget bool `json:"budget,omitempty"`
	// Places that the model was shown, to tell equal quotes apart.
	Shown []string `json:"shown,omitempty"`
}

// Hypothesis is one explanation, as a model gives it.
type Hypothesis struct {
	Statement  string  `json:"statement" jsonschema:"one sentence: what goes wrong and why"`
	State      hypo    `json:"state" jsonschema:"chosen: the best explanation, one only; ruled_out: something that was seen speaks against it; open: it may be so"`
	Reason     string  `json:"reason" jsonschema:"why it is chosen, ruled out or open"`
	Supporting []Claim `json:"supporting,omitempty" jsonschema:"code that speaks for it"`
	Refuting   []Claim `json:"refuting,omitempty" jsonschema:"code that speaks against it"`
}

type hypo report.State

// Enum lists the states for the model.
func (hypo) Enum() []string { return []string{"chosen", "ruled_out", "open"} }

// Claim is a quote that a model says is in a file.
type Claim struct {
	Path  string `json:"path" jsonschema:"from the root of the repository"`
	Quote string `json:"quote" jsonschema:"1 to 8 lines copied from that file as they are, without line numbers"`
	Shows string `json:"shows" jsonschema:"what this shows, one sentence"`
	// Commit is where the quote is from if it is not the analysed commit.
	Commit string `json:"commit,omitempty" jsonschema:"only for a line of an earlier commit's change: the hash of that commit, and the line without its + or -"`
}

// Spot is a place that a model names.
type Spot struct {
	Path   string `json:"path" jsonschema:"from the root of the repository"`
	Symbol string `json:"symbol,omitempty" jsonschema:"the function, method or class, as Class.method"`
	Quote  string `json:"quote,omitempty" jsonschema:"the line or lines to look at, copied as they are, without line numbers"`
	Why    string `json:"why" jsonschema:"one sentence"`
}

// bugAnswer is what a model finds out about a bug.
type bugAnswer struct {
	Hypotheses []Hypothesis `json:"hypotheses" jsonschema:"2 to 4 explanations that were looked into, the chosen one first"`
	RootCause  string       `json:"root_cause" jsonschema:"two to four sentences: the mechanism, from what the user does to what goes wrong; or that it could not be determined, and what is known"`
	Locations  []Spot       `json:"locations" jsonschema:"at most five places, the one to change first, then what else the same fix has to touch"`
	Severity   severity     `json:"severity"`
	Fix        string       `json:"fix" jsonschema:"how to mend it, in a few sentences or a short piece of code"`
	FixFiles   []string     `json:"fix_files,omitempty" jsonschema:"all files that have to change, tests and documents aside"`
	Confidence float64      `json:"confidence" jsonschema:"0 to 1"`
	Missing    []string     `json:"missing_evidence,omitempty" jsonschema:"only what could overturn the root cause, were it known; leave it out if nothing could"`
	Since      string       `json:"since_commit,omitempty" jsonschema:"the hash of the commit that brought the fault, where the history that you have seen shows it; empty otherwise"`
}

func (a bugAnswer) draft() Draft {
	return Draft{
		ByModel: true, Statement: a.RootCause, Hypotheses: a.Hypotheses, Places: a.Locations, Severity: string(a.Severity),
		Confidence: a.Confidence, Fix: a.Fix, FixFiles: a.FixFiles, Missing: a.Missing, Since: a.Since,
	}
}

type exists string

// Enum lists the answers for the model.
func (exists) Enum() []string { return []string{"yes", "partly", "no"} }

type level string

// Enum lists the levels for the model.
func (level) Enum() []string { return []string{"low", "medium", "high"} }

// featureAnswer is what a model says to a request.
type featureAnswer struct {
	Exists        exists   `json:"exists" jsonschema:"whether the code can do it already"`
	Summary       string   `json:"summary" jsonschema:"two to four sentences: what is asked for, and what is there"`
	Feasibility   level    `json:"feasibility" jsonschema:"high: the code is made for it"`
	Intrusiveness level    `json:"intrusiveness" jsonschema:"high: much existing code has to change"`
	Breaking      []string `json:"breaking_risks,omitempty" jsonschema:"what could break for users"`
	Plan          string   `json:"plan" jsonschema:"the steps, in a few sentences"`
	Locations     []Spot   `json:"locations" jsonschema:"at most five places where it would go, the first first"`
	Evidence      []Claim  `json:"evidence" jsonschema:"code that this rests on"`
	Confidence    float64  `json:"confidence" jsonschema:"0 to 1"`
}

func (a featureAnswer) draft() Draft {
	return Draft{
		ByModel: true, Statement: a.Summary, Places: a.Locations, Confidence: a.Confidence, Quotes: a.Evidence,
		Feature: &report.FeaturePlan{
			Exists: string(a.Exists), Feasibility: string(a.Feasibility), Intrusiveness: string(a.Intrusiveness), Breaking: a.Breaking, Plan: a.Plan,
		},
	}
}

// questionAnswer is what a model answers to a question.
type questionAnswer struct {
	Usage      string   `json:"usage,omitempty" jsonschema:"how to do it, if that is asked; empty otherwise"`
	Design     string   `json:"design,omitempty" jsonschema:"why it is as it is, if that is asked; empty otherwise"`
	IsBug      bool     `json:"is_bug" jsonschema:"true only if the code does not do what its own documentation says"`
	Quotes     []Claim  `json:"quotes" jsonschema:"documentation and code that the answer rests on"`
	Locations  []Spot   `json:"locations,omitempty" jsonschema:"at most five places to read"`
	Confidence float64  `json:"confidence" jsonschema:"0 to 1"`
	Missing    []string `json:"missing_evidence,omitempty" jsonschema:"what could not be found out"`
}

func (a questionAnswer) draft() Draft {
	return Draft{
		ByModel: true, Usage: a.Usage, Design: a.Design, IsBug: a.IsBug, Quotes: a.Quotes, Places: a.Locations, Confidence: a.Confidence, Missing: a.Missing,
	}
}
