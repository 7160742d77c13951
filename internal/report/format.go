package report

import (
	"fmt"
	"io"
	"strings"
)

// Format is a form that a report is written in.
type Format string

// formats are the forms, in the order in which they are shown.
var formats = []struct {
	name  Format
	write func(io.Writer, Analysis, Options) error
}{
	{"text", writeText},
	{"markdown", writeMarkdown},
	{"json", writeJSON},
	{"sarif", writeSARIF},
}

// Options say how text is laid out.
type Options struct {
	// Color allows sequences for a terminal.
	Color bool
	// Width is where lines of prose end. Zero means 100.
	Width int
}

// ParseFormat takes the name of a format.
func ParseFormat(s string) (Format, error) {
	var names []string
	for _, f := range formats {
		if string(f.name) == s {
			return f.name, nil
		}
		names = append(names, string(f.name))
	}
	return "", fmt.Errorf("%q is no format; the formats are %s", s, strings.Join(names, ", "))
}

// Write writes a report. The error is that of w, or of a format that there is not.
func Write(w io.Writer, f Format, a Analysis, o Options) error {
	for _, known := range formats {
		if known.name == f {
			return known.write(w, a, o)
		}
	}
	_, err := ParseFormat(string(f))
	return err
}
