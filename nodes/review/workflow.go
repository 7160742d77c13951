package review

import (
	"context"
	"time"

	"github.com/repomind/repomind/graph"
	"github.com/repomind/repomind/internal/report"
)

// maxTries is how often a change is reviewed in all: once, and twice more for the critic.
const maxTries = 3

// enough is the critic's score from which a review stands.
const enough = 0.7

// nodes holds what all nodes work with.
type nodes struct {
	Config
	diffs *diffs
}

// New gives the workflow.
func New(c Config) *graph.Graph[State] {
	n := nodes{c, &diffs{}}
	g := graph.New("review", fields...)
	add := func(name string, fn graph.Node[State], o ...graph.NodeOption) { g.Node(name, n.timed(name, fn), o...) }

	add("fetch_pr", n.fetchPR)
	add("build_project_map", n.buildProjectMap)
	add("describe_pr_images", n.describeImages)
	add("memory_retrieve_pr", n.memoryRetrieve)
	add("prepare_reviews", n.prepareReviews, graph.MaxVisits(maxTries))
	run := graph.Task(g, "run_review", n.runReview)
	add("verify_findings", n.verifyFindings, graph.MaxVisits(maxTries))
	add("reflect_pr", n.reflect, graph.MaxVisits(maxTries))
	add("generate_pr_report", n.generateReport)
	add("memory_save_pr", n.memorySave)

	g.Edge(graph.Begin, "fetch_pr")
	g.Edge("fetch_pr", "build_project_map")
	g.Edge("build_project_map", "describe_pr_images")
	g.Edge("describe_pr_images", "memory_retrieve_pr")
	g.Edge("memory_retrieve_pr", "prepare_reviews")
	g.Fan("prepare_reviews", func(s State) []graph.Send[State] {
		var sends []graph.Send[State]
		for _, l := range n.looks(s) {
			sends = append(sends, run.Send(l))
		}
		return sends
	}, "verify_findings", run)
	g.Edge("verify_findings", "reflect_pr")
	g.Branch("reflect_pr", func(s State) string {
		if s.sentBack() {
			return "prepare_reviews"
		}
		return "generate_pr_report"
	}, "prepare_reviews", "generate_pr_report")
	g.Edge("generate_pr_report", "memory_save_pr")
	g.Edge("memory_save_pr", graph.End)
	return g
}

// lenses are those of models that a run looks through.
func (p Policy) lenses() []report.Lens {
	if len(p.Lenses) > 0 {
		return p.Lenses
	}
	return []report.Lens{report.LensSecurity, report.LensStyle, report.LensLogic}
}

// sentBack says whether the critic wants another review, and one is left.
func (s State) sentBack() bool {
	return s.Critique.Asked && s.Critique.Score < enough && s.Tries < maxTries && s.Trouble.Stop == ""
}

// views are those of the last try.
func (s State) views() (out []View) {
	for _, v := range s.Views {
		if v.Try == s.Tries || v.Lens == report.LensRules {
			out = append(out, v)
		}
	}
	return out
}

// timed adds what a node took to the state.
func (n nodes) timed(name string, fn graph.Node[State]) graph.Node[State] {
	return func(ctx context.Context, s State) (update, error) {
		begin := n.now()
		u, err := fn(ctx, s)
		if err != nil {
			return u, err
		}
		return append(u, took(name, n.now().Sub(begin))), nil
	}
}

func took(name string, d time.Duration) graph.Write[State] {
	return fTimes.Set(map[string]time.Duration{name: d})
}
