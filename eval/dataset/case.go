package dataset

import (
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/repomind/repomind/internal/source"
)

// Case is a bug or a feature request with the change that answered it.
type Case struct {
	ID       string // unique in its file; letters, digits, dot, dash and underscore
	Kind     Kind
	Language source.Language // of most gold files; "" is unknown
	Input    Input
	Gold     Gold
	Mentions Mentions
}

// Gold is what the real fix did. Lines and files are those of the base commit.
type Gold struct {
	Files []string // source files that it changed and that exist; at least one, none twice
	Added []string // source files that it added
	// Functions are path:Qualified.name with a path of Files. None where the
	// change is outside any function.
	Functions []string
	// Parsed says that a parser of the language found Functions. Otherwise they
	// come from indentation, and only the last part of a name is to be trusted.
	Parsed bool
	Lines  []source.Span // removed, or inserted after; in Files

	Issue      int           // 0 is unknown
	FixPull    int           // 0 is unknown
	Fix        source.Commit // "" is unknown
	Severity   string        // one reader's view, "" where nobody looked
	Difficulty string        // an estimate of the time to fix, "" is unknown
}

// Mentions says how far the issue's own text gives the answer away.
type Mentions struct {
	File     bool // the path of a gold file
	Basename bool // the name of a gold file without its folder
	Function bool // the name of a gold function
	Patch    bool // the body holds a patch
}

// Harder says that the text names neither a gold file nor a gold function.
func (m Mentions) Harder() bool { return !m.File && !m.Basename && !m.Function }

// Cases reads bugs and features, in the order of the file. The first error ends
// the sequence. name stands for the file in errors.
func Cases(name string, r io.Reader, limits Limits) iter.Seq2[Case, error] {
	return records[rawCase](name, r, limits)
}

type rawCase struct {
	rawHead
	rawIssue
	FixPR     int        `json:"fix_pr"`
	FixCommit string     `json:"fix_commit"`
	IssueNo   int        `json:"issue_number"`
	Files     []string   `json:"gold_files"`
	Added     []string   `json:"added_files"`
	Functions []string   `json:"gold_functions"`
	Method    string     `json:"gold_functions_method"`
	Lines     []rawLines `json:"gold_lines"`

	Severity   string `json:"severity"`
	Annotated  string `json:"severity_annotated"`
	Difficulty string `json:"difficulty"`

	File     *bool `json:"mentions_gold_file"`
	Basename *bool `json:"mentions_gold_basename"`
	Function *bool `json:"mentions_gold_function"`
	Patch    bool  `json:"body_has_patch"`
}

type rawLines struct {
	File   string  `json:"file"`
	Ranges [][]int `json:"ranges"`
}

func (r rawCase) build() (Case, error) {
	kind := Kind(r.Kind)
	if kind != Bug && kind != Feature {
		return Case{}, fmt.Errorf("kind is %q, neither bug nor feature", clip(r.Kind))
	}
	input, err := r.input(r.rawHead)
	if err != nil {
		return Case{}, err
	}
	mentions, err := r.mentions()
	if err != nil {
		return Case{}, err
	}
	gold, err := r.gold()
	return Case{ID: r.ID, Kind: kind, Language: r.language(), Input: input, Gold: gold, Mentions: mentions}, err
}

// mentions insists on the three flags: one that is left out and taken for false
// would count the case as harder than it is.
func (r rawCase) mentions() (Mentions, error) {
	for _, f := range []struct {
		name string
		flag *bool
	}{{"mentions_gold_file", r.File}, {"mentions_gold_basename", r.Basename}, {"mentions_gold_function", r.Function}} {
		if f.flag == nil {
			return Mentions{}, fmt.Errorf("%s is missing", f.name)
		}
	}
	return Mentions{File: *r.File, Basename: *r.Basename, Function: *r.Function, Patch: r.Patch}, nil
}

func (r rawCase) gold() (Gold, error) {
	g := Gold{Files: r.Files, Added: r.Added, Functions: r.Functions, Parsed: r.Method == "ast",
		Issue: r.IssueNo, FixPull: r.FixPR, Severity: r.Severity, Difficulty: r.Difficulty}
	if g.Severity == "" {
		g.Severity = r.Annotated
	}
	if len(g.Files) == 0 {
		return g, errors.New("gold_files is empty")
	}
	if r.IssueNo < 0 || r.FixPR < 0 {
		return g, errors.New("issue_number or fix_pr is negative")
	}
	var err error
	if g.Fix, err = commit("fix_commit", r.FixCommit, true); err != nil {
		return g, err
	}
	files, err := paths("gold_files", g.Files)
	if err != nil {
		return g, err
	}
	if _, err := paths("added_files", g.Added); err != nil {
		return g, err
	}
	if err := functions("gold_functions", g.Functions, files); err != nil {
		return g, err
	}
	g.Lines, err = lines("gold_lines", r.Lines, files)
	return g, err
}

func lines(field string, all []rawLines, files map[string]bool) ([]source.Span, error) {
	var out []source.Span
	for _, l := range all {
		if !files[l.File] {
			return nil, fmt.Errorf("%s: %q is not among gold_files", field, clip(l.File))
		}
		s, err := spans(field, l.File, l.Ranges)
		if err != nil {
			return nil, err
		}
		out = append(out, s...)
	}
	return out, nil
}
