package report

import "cmp"

// words are the program's own sentences in one language. Those with verbs take, in
// this order, what their comment says.
type words struct {
	Confidence string // number
	At         string // subject, commit, why that commit
	Severity   string // severity, kind
	Because    string // reasons
	Ended      string // status, reason
	Approved   string // who, day
	Rejected   string
	RejectedBy string // who, day
	Footer     string // tool, run, calls
	Colon      string

	NoModel  string
	RestsOn  string // evidence
	IsBug    string
	Feature  string
	Exists   string // value, as the two below
	Feasible string
	Intrudes string
	Plan     string
	Breaking string
	Usage    string
	Design   string

	Where, Place, Reason string
	WholeFile            string
	Rank                 string // number, title
	Evidence             string
	AtCommit             string // lines, an earlier commit
	More                 string // lines
	Hypotheses           string
	State, Statement     string
	For, Against         string

	Regression string
	Good, Bad  string // version
	Since      string // commit
	Suspect    string // commit
	Fix        string
	Files      string // paths
	Linked     string
	Merged     string
	NotMerged  string
	InHead     string
	NotInHead  string
	HeadOpen   string

	Why      string
	Missing  string
	Critic   string
	Earlier  string // objections, to earlier answers
	Lessons  string
	Lesson   string // run, day, commit, class
	Recalled string // why
	Retries  string // number
	AllThere string // claims
	Checked  string // claims, removed
	Removed  string // claim
	Notes    string

	// Values is what fixed values are called, Stops the reasons to stop.
	Values map[string]string
	Stops  map[Stop]string
}

// say gives what a fixed value is called.
func (w words) say(value string) string { return cmp.Or(w.Values[value], value) }

// wordsOf gives the words of a language, English if there are none.
func wordsOf(lang string) words {
	if lang == "zh" {
		return chinese
	}
	return english
}
