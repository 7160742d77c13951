package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// table turns lines of measures into a Markdown table: a row for each work and
// store, a column for each engine, in each cell the medians of the processes.
func table(in io.Reader, out io.Writer) error {
	var engines, rows []string
	cells := map[[2]string][]measure{}
	for dec := json.NewDecoder(in); ; {
		var m measure
		if err := dec.Decode(&m); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return err
		}
		row := m.Work + ", " + m.Store
		if !slices.Contains(engines, m.Engine) {
			engines = append(engines, m.Engine)
		}
		if !slices.Contains(rows, row) {
			rows = append(rows, row)
		}
		key := [2]string{row, m.Engine}
		cells[key] = append(cells[key], m)
	}
	fmt.Fprintf(out, "| work, store | %s |\n|---|%s\n", strings.Join(engines, " | "), strings.Repeat("---|", len(engines)))
	for _, row := range rows {
		fmt.Fprintf(out, "| %s |", row)
		for _, e := range engines {
			fmt.Fprintf(out, " %s |", cell(cells[[2]string{row, e}]))
		}
		fmt.Fprintln(out)
	}
	return nil
}

func cell(ms []measure) string {
	if len(ms) == 0 || ms[0].Runs == 0 {
		return "-"
	}
	s := fmt.Sprintf("%.4g ms, %.0f /s, %.0f MB RSS", median(ms, func(m measure) float64 { return m.MS }),
		median(ms, func(m measure) float64 { return m.PerSecond }), median(ms, func(m measure) float64 { return m.RSS }))
	if file := median(ms, func(m measure) float64 { return m.File }); file > 0 {
		s += fmt.Sprintf(", %.3g MB file", file)
	}
	if ms[0].HeapGrown != nil {
		s += fmt.Sprintf(", heap %+.2g MB", *ms[0].HeapGrown)
	}
	return s
}

func median(ms []measure, of func(measure) float64) float64 {
	xs := make([]float64, len(ms))
	for i, m := range ms {
		xs[i] = of(m)
	}
	slices.Sort(xs)
	return xs[len(xs)/2]
}
