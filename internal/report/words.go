package report

import (
	"cmp"
	"strings"
)

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
	Comma      string // in a list of words

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

	Compared   string // base, head
	By         string // author
	Seen       string // files reviewed, all files
	GoesOn     string // commit
	NotRead    string // by a model
	Findings   string
	LeftOut    string // number
	StillOpen  string
	CannotTell string
	Resolved   string
	Unseen     string // though it counts
	Uncounted  string // unseen
	Settles    string
	Again      string // number
	TooLong    string // parts
	Grade      string
	Finding    string
	OldSide    string // lines

	// Values is what fixed values are called, Stops the reasons to stop. A lens may be
	// called as something else is.
	Values map[string]string
	Stops  map[Stop]string
	Lenses map[Lens]string
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

// sides are the quotes for and against, in brackets.
func (w words) sides(h Hypothesis) string {
	var all []string
	for _, side := range []struct {
		name string
		ids  []string
	}{{w.For, h.Supporting}, {w.Against, h.Refuting}} {
		if len(side.ids) > 0 {
			all = append(all, side.name+" "+strings.Join(side.ids, ", "))
		}
	}
	if len(all) == 0 {
		return ""
	}
	return " [" + strings.Join(all, "; ") + "]"
}
