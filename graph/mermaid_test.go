package graph_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/repomind/repomind/graph"
)

// The lines of a drawing, in the terms of Mermaid's flowchart grammar. Within a
// label its own marks must stand as entity codes.
var (
	mermaidNode  = regexp.MustCompile(`^\t(n\d+)(\["[^"<>&` + "`" + `]*"\]|\[/"[^"<>&` + "`" + `]*"/\]|\[\["[^"<>&` + "`" + `]*"\]\])$`)
	mermaidArrow = regexp.MustCompile(`^\t(begin|n\d+) (-->|-\.->|==>|-\. none \.->) (end_|n\d+)$`)
	mermaidCode  = regexp.MustCompile(`#(\d+|quot|lt|gt|amp);`)
)

// drawn checks each line of a drawing and gives its arrows.
func drawn(t *testing.T, drawing string) (arrows []string) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(drawing, "\n"), "\n")
	if head := strings.Join(lines[:3], "\n"); head != "flowchart TD\n\tbegin((begin))\n\tend_((end))" {
		t.Errorf("it begins with %q", head)
	}
	known := map[string]bool{"begin": true, "end_": true}
	for _, line := range lines[3:] {
		if m := mermaidNode.FindStringSubmatch(line); m != nil {
			known[m[1]] = true
			if strings.Contains(mermaidCode.ReplaceAllString(m[2], ""), "#") {
				t.Errorf("a bare # in %q", line)
			}
		} else if m := mermaidArrow.FindStringSubmatch(line); m == nil || !known[m[1]] || !known[m[3]] {
			t.Errorf("no line of a flowchart, or not declared before: %q", line)
		} else {
			arrows = append(arrows, m[1]+" "+m[3])
		}
	}
	return arrows
}

// https://github.com/langchain-ai/langgraph/issues/4394,
// https://github.com/langchain-ai/langgraph/issues/4788: edges to END that nobody
// declared. https://github.com/microsoft/agent-framework/issues/1500: names that
// break the drawing.
func TestMermaidDrawsWhatIsDeclared(t *testing.T) {
	named := newDraft("names")
	names := []string{`say "hi"`, "a[b](c){d}", "<b>&amp;</b>", "#35; #", "`code`", "日本語 🙂", "end", "a --> b", `back\slash`, "%% comment", "x;y", "  ", "1. item"}
	chain(named, names...)
	for file, drawing := range map[string]string{
		"rich.mmd":  compiled(t, rich(), nil).Mermaid(),
		"names.mmd": compiled(t, named, nil).Mermaid(),
		"issue.mmd": compiled(t, analysis(), nil).Mermaid(),
	} {
		drawn(t, drawing)
		golden(t, file, drawing)
	}
}

func TestMermaidDrawsEachArrowOnce(t *testing.T) {
	seen := map[string]bool{}
	for _, arrow := range drawn(t, compiled(t, rich(), nil).Mermaid()) {
		if seen[arrow] {
			t.Errorf("%s is drawn twice", arrow)
		}
		seen[arrow] = true
	}
	want := []string{
		"begin n0", "begin n5", "begin end_", // the branch of Begin
		"n0 n1", "n0 n2", "n0 n3", "n1 n3", "n2 n3", // the fan of plan
		"n3 n0", "n3 n4", "n3 end_",
		"n4 n1", "n4 n5", "n1 n5", // the fan of ask
		"n5 n5", "n5 n4", "n5 end_",
	}
	for _, arrow := range want {
		if !seen[arrow] {
			t.Errorf("%s is missing", arrow)
		}
	}
	if len(seen) != len(want) {
		t.Errorf("drawn are %d arrows, want %d", len(seen), len(want))
	}
}

func TestMermaidOfNothing(t *testing.T) {
	g := newDraft("nothing")
	g.Edge(graph.Begin, graph.End)
	want := "flowchart TD\n\tbegin((begin))\n\tend_((end))\n\tbegin --> end_\n"
	if got := compiled(t, g, nil).Mermaid(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
