package issue

import (
	"context"
	"time"

	"github.com/repomind/repomind/graph"
	"github.com/repomind/repomind/internal/report"
)

// maxTries is how often an analysis is made in all: once, and twice more for the critic.
const maxTries = 3

// enough is the critic's score from which an analysis stands.
const enough = 0.7

// nodes holds what all nodes work with.
type nodes struct{ Config }

// New gives the workflow.
func New(c Config) *graph.Graph[State] {
	n := nodes{c}
	g := graph.New("issue", fields...)
	add := func(name string, fn graph.Node[State], o ...graph.NodeOption) { g.Node(name, n.timed(name, fn), o...) }

	add("fetch_issue", n.fetchIssue)
	add("build_project_map", n.buildProjectMap)
	add("describe_images", n.describeImages)
	add("parse_stack_trace", n.parseStackTrace)
	add("route_issue", n.routeIssue)
	add("detect_regression", n.detectRegression)
	add("human_gate", n.humanGate)
	add("memory_retrieve", n.memoryRetrieve)
	add("prepare_context", n.prepareContext)
	gather := graph.Task(g, "gather_context_part", n.gatherContextPart)
	add("merge_context", n.mergeContext)
	add("classify_fix", n.classifyFix)
	add("detect_existing", n.detectExisting)
	add("analyze_bug", n.analyzeBug, graph.MaxVisits(maxTries))
	add("analyze_feature", n.analyzeFeature, graph.MaxVisits(maxTries))
	add("answer_question", n.answerQuestion, graph.MaxVisits(maxTries))
	add("verify_claims", n.verifyClaims, graph.MaxVisits(maxTries))
	add("reflect", n.reflect, graph.MaxVisits(maxTries))
	add("generate_report", n.generateReport)
	add("memory_save", n.memorySave)

	g.Edge(graph.Begin, "fetch_issue")
	g.Edge("fetch_issue", "build_project_map")
	g.Edge("build_project_map", "describe_images")
	g.Edge("describe_images", "parse_stack_trace")
	g.Edge("parse_stack_trace", "route_issue")
	g.Branch("route_issue", routed, "detect_regression", "human_gate", "memory_retrieve")
	g.Edge("detect_regression", "memory_retrieve")
	g.Branch("human_gate", func(s State) string {
		if !s.Approval.Approve {
			return "generate_report"
		}
		return "memory_retrieve"
	}, "generate_report", "memory_retrieve")
	g.Edge("memory_retrieve", "prepare_context")
	g.Fan("prepare_context", func(s State) []graph.Send[State] {
		var sends []graph.Send[State]
		for _, from := range sides(s) {
			sends = append(sends, gather.Send(n.gathering(s, from)))
		}
		return sends
	}, "merge_context", gather)
	g.Branch("merge_context", byKind("classify_fix", "detect_existing", "answer_question"), "classify_fix", "detect_existing", "answer_question")
	g.Edge("classify_fix", "analyze_bug")
	g.Edge("detect_existing", "analyze_feature")
	g.Edge("analyze_bug", "verify_claims")
	g.Edge("analyze_feature", "verify_claims")
	g.Edge("answer_question", "verify_claims")
	g.Edge("verify_claims", "reflect")
	again := byKind("analyze_bug", "analyze_feature", "answer_question")
	g.Branch("reflect", func(s State) string {
		if s.sentBack() {
			return again(s)
		}
		return "generate_report"
	}, "analyze_bug", "analyze_feature", "answer_question", "generate_report")
	g.Edge("generate_report", "memory_save")
	g.Edge("memory_save", graph.End)
	return g
}

// routed leads to what the kind of issue needs first.
func routed(s State) string {
	switch {
	case s.Route.Kind == report.Security || s.Input.Security:
		return "human_gate"
	case s.Route.Kind == report.Bug:
		return "detect_regression"
	}
	return "memory_retrieve"
}

func byKind(bug, feature, question string) func(State) string {
	return func(s State) string {
		switch s.Route.Kind {
		case report.Feature:
			return feature
		case report.Question:
			return question
		}
		return bug
	}
}

// sides are what context is gathered from; history only where something once worked.
func sides(s State) []Source {
	if s.Regression.Is {
		return []Source{FromEntry, FromRAG, FromGit}
	}
	return []Source{FromEntry, FromRAG}
}

// sentBack says whether the critic wants another analysis, and one is left. An analysis
// that no model made would only come out the same again.
func (s State) sentBack() bool {
	return s.Critique.Asked && s.Critique.Score < enough && s.Draft.ByModel && s.Tries < maxTries && s.Trouble.Stop == ""
}

// timed adds what a node took to the state.
func (n nodes) timed(name string, fn graph.Node[State]) graph.Node[State] {
	return func(ctx context.Context, s State) (update, error) {
		begin := n.now()
		u, err := fn(ctx, s)
		if err != nil {
			return u, err
		}
		return append(u, fTimes.Set(map[string]time.Duration{name: n.now().Sub(begin)})), nil
	}
}
