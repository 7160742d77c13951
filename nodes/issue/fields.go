package issue

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
	fRun        = graph.Last("run", func(s *State) *string { return &s.Run })
	fBegan      = graph.Last("began", func(s *State) *time.Time { return &s.Began })
	fInput      = graph.Last("input", func(s *State) *Input { return &s.Input })
	fIssue      = graph.Last("issue", func(s *State) *github.Issue { return &s.Issue })
	fCommit     = graph.Last("commit", func(s *State) *Choice { return &s.Commit })
	fLang       = graph.Last("lang", func(s *State) *string { return &s.Lang })
	fMap        = graph.Last("map", func(s *State) *string { return &s.Map })
	fImages     = graph.Last("images", func(s *State) *[]Picture { return &s.Images })
	fFrames     = graph.Last("frames", func(s *State) *[]Frame { return &s.Frames })
	fRoute      = graph.Last("route", func(s *State) *Route { return &s.Route })
	fRegression = graph.Last("regression", func(s *State) *report.Regression { return &s.Regression })
	fApproval   = graph.Last("approval", func(s *State) *Approval { return &s.Approval })
	fLessons    = graph.Last("lessons", func(s *State) *[]report.Lesson { return &s.Lessons })
	fParts      = graph.Append("parts", func(s *State) *[]Part { return &s.Parts })
	fRanking    = graph.Last("ranking", func(s *State) *Ranking { return &s.Ranking })
	fContext    = graph.Last("context", func(s *State) *[]Piece { return &s.Context })
	fFix        = graph.Last("fix", func(s *State) *FixChoice { return &s.Fix })
	fExisting   = graph.Last("existing", func(s *State) *[]report.Location { return &s.Existing })
	fDraft      = graph.Last("draft", func(s *State) *Draft { return &s.Draft })
	fFinding    = graph.Last("finding", func(s *State) *Finding { return &s.Finding })
	fCritique   = graph.Last("critique", func(s *State) *Critique { return &s.Critique })
	fTries      = graph.Reduce("tries", func(s *State) *int { return &s.Tries }, func(a, b int) int { return a + b })
	fUsage      = graph.Reduce("usage", func(s *State) *map[string]llm.Usage { return &s.Usage }, paid.Sum)
	fTimes      = graph.Reduce("times", func(s *State) *map[string]time.Duration { return &s.Times }, paid.SumTimes)
	fTrouble    = graph.Reduce("trouble", func(s *State) *paid.Trouble { return &s.Trouble }, paid.First)
	fWarnings   = graph.Append("warnings", func(s *State) *[]string { return &s.Warnings })
	fReport     = graph.Last("report", func(s *State) *report.Analysis { return &s.Report })
)

var fields = []graph.FieldOf[State]{
	fRun, fBegan, fInput, fIssue, fCommit, fLang, fMap, fImages, fFrames, fRoute, fRegression, fApproval, fLessons, fParts,
	fRanking, fContext, fFix, fExisting, fDraft, fFinding, fCritique, fTries, fUsage, fTimes, fTrouble, fWarnings, fReport,
}
