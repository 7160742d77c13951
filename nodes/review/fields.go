package review

import (
	"time"

	"github.com/repomind/repomind/graph"
	"github.com/repomind/repomind/internal/github"
	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/nodes/paid"
)

type update = graph.Update[State]

var (
	fRun      = graph.Last("run", func(s *State) *string { return &s.Run })
	fBegan    = graph.Last("began", func(s *State) *time.Time { return &s.Began })
	fInput    = graph.Last("input", func(s *State) *Input { return &s.Input })
	fPull     = graph.Last("pull", func(s *State) *github.PullRequest { return &s.Pull })
	fCompared = graph.Last("compared", func(s *State) *Ends { return &s.Compared })
	fPolicy   = graph.Last("policy", func(s *State) *Policy { return &s.Policy })
	fFiles    = graph.Last("files", func(s *State) *[]File { return &s.Files })
	fLang     = graph.Last("lang", func(s *State) *string { return &s.Lang })
	fMap      = graph.Last("map", func(s *State) *string { return &s.Map })
	fImages   = graph.Last("images", func(s *State) *[]Picture { return &s.Images })
	fIssues   = graph.Last("issues", func(s *State) *[]github.Issue { return &s.Issues })
	fLessons  = graph.Last("lessons", func(s *State) *[]report.Lesson { return &s.Lessons })
	fBundles  = graph.Last("bundles", func(s *State) *[]Bundle { return &s.Bundles })
	fViews    = graph.Append("views", func(s *State) *[]View { return &s.Views })
	fVerified = graph.Last("verified", func(s *State) *Verified { return &s.Verified })
	fCritique = graph.Last("critique", func(s *State) *Critique { return &s.Critique })
	fTries    = graph.Reduce("tries", func(s *State) *int { return &s.Tries }, func(a, b int) int { return a + b })
	fUsage    = graph.Reduce("usage", func(s *State) *map[string]llm.Usage { return &s.Usage }, paid.Sum)
	fTimes    = graph.Reduce("times", func(s *State) *map[string]time.Duration { return &s.Times }, paid.SumTimes)
	fTrouble  = graph.Reduce("trouble", func(s *State) *paid.Trouble { return &s.Trouble }, paid.First)
	fWarnings = graph.Append("warnings", func(s *State) *[]string { return &s.Warnings })
	fReport   = graph.Last("report", func(s *State) *report.Review { return &s.Report })
)

var fields = []graph.FieldOf[State]{
	fRun, fBegan, fInput, fPull, fCompared, fPolicy, fFiles, fLang, fMap, fImages, fIssues, fLessons, fBundles, fViews, fVerified,
	fCritique, fTries, fUsage, fTimes, fTrouble, fWarnings, fReport,
}
