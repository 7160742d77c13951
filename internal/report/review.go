package report

import "github.com/repomind/repomind/internal/source"

// Verdict is what a review comes to. It is set by rules, never by a model.
type Verdict string

// The verdicts.
const (
	// Approve needs every changed source file seen by every lens, and no failure.
	Approve Verdict = "APPROVE"
	// RequestChanges means that there is a finding at the threshold.
	RequestChanges Verdict = "REQUEST_CHANGES"
	// Undecided is all else; Review.VerdictWhy says why.
	Undecided Verdict = "INCONCLUSIVE"
)

// Lens is a view that a change is looked at from.
type Lens string

// The lenses.
const (
	LensSecurity Lens = "security"
	LensStyle    Lens = "style" // and maintainability
	LensLogic    Lens = "logic"
	LensRules    Lens = "rules" // what code decides, with no model
)

// Side says which version of a file line numbers are of, as GitHub calls it.
type Side string

// The sides of a diff.
const (
	Left  Side = "LEFT"  // the base
	Right Side = "RIGHT" // the head
)

// Progress says what became of a finding of an earlier review.
type Progress string

// The fates of a finding.
const (
	New        Progress = ""
	StillOpen  Progress = "still_open"
	Resolved   Progress = "resolved"
	CannotTell Progress = "cannot_tell" // which counts as open
)

// Finding is one thing that is wrong with a change. Its lines are of the head; on the
// left side of the base, and if it is resolved of the commit of the earlier review.
type Finding struct {
	ID string `json:"id"` // f1, f2, …
	// Fingerprint is of rule, path and normalised code, never of a line number: the same
	// finding has the same one after a rebase.
	Fingerprint string   `json:"fingerprint"`
	Lens        Lens     `json:"lens"`
	Lenses      []Lens   `json:"also,omitempty"` // others that found the same
	Rule        string   `json:"rule"`           // secret-added, …; of a model its lens
	Severity    Severity `json:"severity"`
	Confidence  float64  `json:"confidence"`
	Path        string   `json:"path"`
	Side        Side     `json:"side"`
	Start       int      `json:"start,omitempty"` // 0 is the whole file
	End         int      `json:"end,omitempty"`
	// Inline says that a comment may stand on these lines of the diff.
	Inline bool   `json:"inline,omitempty"`
	Symbol string `json:"symbol,omitempty"`
	Quote  string `json:"quote"` // lines Start to End
	// Message is what is wrong, Why the input or the path that shows it.
	Message string `json:"message"`
	Why     string `json:"why,omitempty"`
	// Suggestion replaces lines Start to End.
	Suggestion string   `json:"suggestion,omitempty"`
	Progress   Progress `json:"progress,omitempty"`
}

// Span is the lines of the finding.
func (f Finding) Span() source.Span { return source.Span{Path: f.Path, Start: f.Start, End: f.End} }

// Skipped is a changed file that was not reviewed.
type Skipped struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
	// Counts says that the file would have had to be seen for an approval.
	Counts bool `json:"counts,omitempty"`
}

// Coverage says what was seen of a change.
type Coverage struct {
	Files    int       `json:"files_total"`
	Reviewed int       `json:"reviewed"`
	Skipped  []Skipped `json:"skipped"`
}

// Settles says whether a change mends an issue that it names.
type Settles struct {
	Issue  string `json:"issue"`  // its address, or #12
	Answer string `json:"answer"` // yes, partly, no or unclear
	Why    string `json:"why,omitempty"`
}

// Compared is what a review looked at.
type Compared struct {
	Subject
	Head   source.Commit `json:"head_sha,omitempty"`
	Author string        `json:"author,omitempty"`
	// Since is the head of the review that this one goes on from.
	Since source.Commit `json:"since_sha,omitempty"`
}

// Review is the report on a change.
type Review struct {
	SchemaVersion string    `json:"schema_version"`
	Tool          Tool      `json:"tool"`
	RunID         string    `json:"run_id"`
	Doc           string    `json:"kind"` // "review"
	Lang          string    `json:"lang"`
	Subject       Compared  `json:"subject"`
	Status        Status    `json:"status"`
	StopReason    Stop      `json:"stop_reason"`
	Verdict       Verdict   `json:"verdict"`
	VerdictWhy    []string  `json:"verdict_why"`
	Confidence    float64   `json:"confidence"`
	FailOn        Severity  `json:"fail_on,omitempty"` // the threshold; empty is none
	Coverage      Coverage  `json:"coverage"`
	Findings      []Finding `json:"findings"`
	Left          int       `json:"findings_left_out,omitempty"` // more than were asked for
	Settles       []Settles `json:"settles,omitempty"`
	Critic        []string  `json:"critic,omitempty"`
	CriticBefore  []string  `json:"critic_before,omitempty"`
	Retries       int       `json:"retries,omitempty"`
	Checked       Checked   `json:"checked"`
	Lessons       []Lesson  `json:"lessons,omitempty"`
	Usage         Usage     `json:"usage"`
	Duration      int64     `json:"duration_ms"`
	Warnings      []string  `json:"warnings,omitempty"`
}

// AtThreshold says whether a finding blocks: it is as severe as FailOn or more, and open.
func (r Review) AtThreshold(f Finding) bool {
	return r.FailOn != "" && f.Progress != Resolved && rank(f.Severity) <= rank(r.FailOn)
}

// Blocking are the findings at the threshold.
func (r Review) Blocking() (out []Finding) {
	for _, f := range r.Findings {
		if r.AtThreshold(f) {
			out = append(out, f)
		}
	}
	return out
}

var severities = []Severity{Critical, High, Medium, Low}

// rank is 0 for the worst; what is no severity is behind all.
func rank(s Severity) int {
	for i, one := range severities {
		if one == s {
			return i
		}
	}
	return len(severities)
}

// Worse orders severities: negative where a is worse than b.
func Worse(a, b Severity) int { return rank(a) - rank(b) }
