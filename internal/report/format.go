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
	Markdown Format = "markdown" // to be pasted into an issue
	JSON     Format = "json"     // all of it; see [Schema]
	SARIF    Format = "sarif"    // the locations, for viewers of findings
)

// Formats are the formats that there are, with the extension of their files, in the
// order in which they are shown.
var Formats = []struct {
	Name  Format
	Ext   string
	write func(io.Writer, Analysis, Options) error
}{
	{Text, ".txt", writeText},
	{Markdown, ".md", writeMarkdown},
	{JSON, ".json", writeJSON},
	{SARIF, ".sarif", writeSARIF},
}

// Options say how [Text] is laid out. The other formats do not look at them.
type Options struct {
	// Color allows sequences for a terminal.
	Color bool
	// Width is where lines of prose end, in columns. Zero means 100.
	Width int
}

// ParseFormat takes the name of a format. The error lists them all.
func ParseFormat(s string) (Format, error) {
	var names []string
	for _, f := range Formats {
		if string(f.Name) == s {
			return f.Name, nil
		}
		names = append(names, string(f.Name))
	}
	return "", fmt.Errorf("%q is no format; the formats are %s", s, strings.Join(names, ", "))
}

// Write writes a report. No text in it, whoever wrote it, steers a terminal. The
// error is that of w, of a format that there is not, or of a number that JSON does
// not have.
func Write(w io.Writer, f Format, a Analysis, o Options) error {
	for _, known := range Formats {
		if known.Name == f {
			return known.write(w, a, o)
		}
	}
	_, err := ParseFormat(string(f))
	return err
}
