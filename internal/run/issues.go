package run

import (
	"time"

	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/nodes/issue"
)

// ofIssues is what the runner has to know of analyses.
var ofIssues = view[issue.State]{
	info: func(s issue.State) Info {
		i := Info{Subject: s.Subject(), Title: s.Issue.Title, Kind: s.Route.Kind, Began: s.Began}
		if s.Report.RootCause != nil {
			i.Result = string(s.Report.RootCause.Class)
		}
		return i
	},
	result: func(s issue.State, out *Outcome) bool {
		out.Report = s.Report
		return s.Report.RunID != ""
	},
	usage: func(s issue.State) map[string]llm.Usage { return s.Usage },
	times: func(s issue.State) map[string]time.Duration { return s.Times },
	shown: func(s issue.State, out *Shown) {
		out.From, out.Models, out.Where = s.Origin(), s.Input.Models, s.Input.Where
		if s.Report.RunID != "" {
			out.Report = &s.Report
		}
	},
	told: issue.Told,
}
