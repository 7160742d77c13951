package report

import (
	"fmt"
	"io"
	"strings"
)

// Format is a form that a report is written in.
type Format string

// The formats.
const (
	Text     Format = "text"     // for a terminal
	Markdown Format = "markdown" // to be pasted into an issue, or posted below a change
	JSON     Format = "json"     // all of it; see [Schema] and [ReviewSchema]
	SARIF    Format = "sarif"    // the locations or findings, for viewers of findings
	RDJSON   Format = "rdjson"   // the findings, for reviewdog; of reviews only
	GitHub   Format = "github"   // the findings, as commands to GitHub Actions; of reviews only
)

// form is one format of a report.
type form[R any] struct {
	Name  Format
	Ext   string // of its files
	write func(io.Writer, R, Options) error
}

// Formats are those of an [Analysis], in the order in which they are shown.
var Formats = []form[Analysis]{
	{Text, ".txt", writeText},
	{Markdown, ".md", writeMarkdown},
	{JSON, ".json", writeJSON},
	{SARIF, ".sarif", writeSARIF},
}

// ReviewFormats are those of a [Review], in the order in which they are shown.
var ReviewFormats = []form[Review]{
	{Text, ".txt", writeReviewText},
	{Markdown, ".md", writeReviewMarkdown},
	{JSON, ".json", writeReviewJSON},
	{SARIF, ".sarif", writeReviewSARIF},
	{RDJSON, ".rdjson", writeRDJSON},
	{GitHub, ".github", writeGitHub},
}

// Options say how [Text] is laid out. The other formats do not look at them.
type Options struct {
	// Color allows sequences for a terminal.
	Color bool
	// Width is where lines of prose end, in columns. Zero means 100.
	Width int
}

// ParseFormat takes the name of a format of an [Analysis]. The error lists them all.
func ParseFormat(s string) (Format, error) {
	f, err := find(Formats, s)
	return f.Name, err
}

// ParseReviewFormat takes the name of a format of a [Review]. The error lists them all.
func ParseReviewFormat(s string) (Format, error) {
	f, err := find(ReviewFormats, s)
	return f.Name, err
}

func find[R any](all []form[R], name string) (form[R], error) {
	var names []string
	for _, f := range all {
		if string(f.Name) == name {
			return f, nil
		}
		names = append(names, string(f.Name))
	}
	return form[R]{}, fmt.Errorf("%q is no format; the formats are %s", name, strings.Join(names, ", "))
}

// Write writes a report. No text in it, whoever wrote it, steers a terminal. The
// error is that of w, of a format that there is not, or of a number that JSON does
// not have.
func Write(w io.Writer, f Format, a Analysis, o Options) error { return write(w, Formats, f, a, o) }

// WriteReview writes a review, with the contract of [Write].
func WriteReview(w io.Writer, f Format, r Review, o Options) error {
	return write(w, ReviewFormats, f, r, o)
}

func write[R any](w io.Writer, all []form[R], name Format, report R, o Options) error {
	f, err := find(all, string(name))
	if err != nil {
		return err
	}
	return f.write(w, report, o)
}
