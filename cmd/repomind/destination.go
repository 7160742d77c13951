package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/internal/source"
)

// destination is a report's format and where it goes.
type destination struct {
	format report.Format
	file   string // "-" is standard output
}

// write writes the reports of a run, standard output last: on a failure it stays empty.
func (d *desk) write(to func(io.Writer, report.Format, report.Options) error) error {
	for _, o := range d.outs {
		if o.file == "-" {
			if err := to(d.stdout, o.format, report.Options{Color: d.colours}); err != nil {
				return err
			}
			continue
		}
		f, err := os.OpenFile(o.file, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o644)
		if err != nil {
			return err
		}
		if err := errors.Join(to(f, o.format, report.Options{}), f.Close()); err != nil {
			return err
		}
	}
	return nil
}

// destinations reads --format and --out.
func destinations(format string, outs []string, parse func(string) (report.Format, error)) ([]destination, error) {
	var all []destination
	toStdout := false
	for _, o := range outs {
		name, file, ok := strings.Cut(o, "=")
		if !ok || file == "" {
			return nil, usageError{fmt.Errorf("--out %q: want FORMAT=FILE, with - for standard output", o)}
		}
		f, err := parse(name)
		if err != nil {
			return nil, usageError{fmt.Errorf("--out: %w", err)}
		}
		if file == "-" && toStdout {
			return nil, usageError{errors.New("--out: only one format can go to standard output")}
		}
		if file == "-" {
			toStdout, format = true, name
			continue
		}
		if dir, err := os.Stat(filepath.Dir(file)); err != nil || !dir.IsDir() {
			return nil, usageError{fmt.Errorf("--out %q: there is no directory %s", o, source.Quote(filepath.Dir(file)))}
		}
		all = append(all, destination{f, file})
	}
	f, err := parse(format)
	if err != nil {
		return nil, usageError{fmt.Errorf("--format: %w", err)}
	}
	return append(all, destination{f, "-"}), nil
}
