package graph

import (
	"fmt"
	"strings"
)

// mermaid draws a solid arrow for an edge, a dotted one for a choice, and thick
// ones to the tasks of a fan.
func (g *plan) mermaid() string {
	var b strings.Builder
	b.WriteString("flowchart TD\n\tbegin((begin))\n\tend_((end))\n")
	ids := map[string]string{Begin: "begin", End: "end_"}
	for i, n := range g.nodes {
		ids[n.name] = fmt.Sprintf("n%d", i)
		fmt.Fprintf(&b, "\t%s%s\n", ids[n.name], fmt.Sprintf(shape(n.kind), label(n.name)))
	}
	joined := map[[2]string]bool{}
	for _, x := range g.exits {
		arrow := map[exitKind]string{edgeExit: "-->", branchExit: "-.->", fanExit: "-. none .->"}[x.kind]
		for _, t := range x.tasks {
			fmt.Fprintf(&b, "\t%s ==> %s\n", ids[x.from], ids[t])
		}
		for _, to := range x.targets {
			fmt.Fprintf(&b, "\t%s %s %s\n", ids[x.from], arrow, ids[to])
			for _, t := range x.tasks {
				if pair := [2]string{t, to}; !joined[pair] {
					joined[pair] = true
					fmt.Fprintf(&b, "\t%s ==> %s\n", ids[t], ids[to])
				}
			}
		}
	}
	return b.String()
}

func shape(k nodeKind) string {
	switch k {
	case taskNode:
		return `[/"%s"/]`
	case subNode, subTaskNode:
		return `[["%s"]]`
	}
	return `["%s"]`
}

// label escapes what Mermaid would read as markup, see its docs on entity codes.
func label(name string) string {
	return strings.NewReplacer("#", "#35;", `"`, "#quot;", "<", "#lt;", ">", "#gt;", "&", "#amp;", "`", "#96;").Replace(name)
}
