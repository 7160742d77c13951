package main

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/repomind/repomind/internal/llm"
)

// printChecks writes a table for each model.
func printChecks(out io.Writer, all []checked) error {
	for i, c := range all {
		if i > 0 {
			fmt.Fprintln(out)
		}
		fmt.Fprintf(out, "%s at %s\n", c.Model, c.Address)
		w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
		for _, r := range c.Rows {
			took := ""
			if r.Took > 0 {
				took = seconds(r.Took)
			}
			fmt.Fprintf(w, "  %s\t%s\t%s\t%s\n", r.Name, r.Status, took, r.Reason)
			if r.Hint != "" {
				fmt.Fprintf(w, "\t\t\thint: %s\n", r.Hint)
			}
		}
		if err := w.Flush(); err != nil {
			return err
		}
	}
	return nil
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.1fs", d.Seconds()) }

type checkReport struct {
	SchemaVersion string      `json:"schema_version"`
	Kind          string      `json:"kind"`
	Status        string      `json:"status"` // completed, or failed where a check did
	Models        []modelJSON `json:"models"`
	Usage         usageJSON   `json:"usage"`
	DurationMS    int64       `json:"duration_ms"`
}

type modelJSON struct {
	Model   string      `json:"model"`
	Address string      `json:"address"`
	Checks  []checkJSON `json:"checks"`
}

type checkJSON struct {
	Name       string     `json:"name"`
	Status     string     `json:"status"`
	Reason     string     `json:"reason,omitempty"`
	Hint       string     `json:"hint,omitempty"`
	DurationMS int64      `json:"duration_ms"`
	Usage      *usageJSON `json:"usage,omitempty"`
}

// usageJSON has a cost of null where nothing is known of it, or only a part.
type usageJSON struct {
	Calls      int            `json:"calls"`
	Input      int            `json:"input_tokens"`
	Cached     int            `json:"cached_tokens"`
	Output     int            `json:"output_tokens"`
	Cost       *float64       `json:"cost_usd"`
	CostStatus llm.CostStatus `json:"cost_status"`
}

func newUsageJSON(u llm.Usage) usageJSON {
	j := usageJSON{Calls: u.Calls, Input: u.Input, Cached: u.Cached, Output: u.Output, CostStatus: u.Cost.Status}
	switch u.Cost.Status {
	case llm.CostKnown, llm.CostEstimated:
		cost := u.Cost.Amount.Dollars()
		j.Cost = &cost
	case "":
		j.CostStatus = llm.CostUnknown
	}
	return j
}

func printChecksJSON(out io.Writer, all []checked, spent llm.Usage, took time.Duration) error {
	report := checkReport{SchemaVersion: "1", Kind: "models", Status: "completed", Usage: newUsageJSON(spent), DurationMS: took.Milliseconds()}
	for _, c := range all {
		m := modelJSON{Model: c.Model, Address: c.Address}
		for _, r := range c.Rows {
			j := checkJSON{Name: r.Name, Status: r.Status, Reason: r.Reason, Hint: r.Hint, DurationMS: r.Took.Milliseconds()}
			if r.Usage.Calls > 0 {
				u := newUsageJSON(r.Usage)
				j.Usage = &u
			}
			if r.Status == rowFailed {
				report.Status = "failed"
			}
			m.Checks = append(m.Checks, j)
		}
		report.Models = append(report.Models, m)
	}
	enc := json.NewEncoder(out)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(report)
}
