package graph

import (
	"slices"
	"strings"
)

// flow checks where runs can go: every node must be reachable, every node must
// be able to reach End, and every cycle must have a choice and a bound.
func (c *check) flow() {
	forward, back := map[string][]string{}, map[string][]string{}
	for _, x := range c.out {
		for _, to := range x.next() {
			forward[x.from] = append(forward[x.from], to)
			back[to] = append(back[to], x.from)
		}
		for _, t := range x.tasks { // a task goes to each join of its fans
			forward[t] = append(forward[t], x.targets...)
			back[x.targets[0]] = append(back[x.targets[0]], t)
		}
	}
	reached, ending := closure(forward, Begin), closure(back, End)
	for _, n := range c.nodes {
		switch {
		case !reached[n.name]:
			c.add("node %q is unreachable", n.name)
		case !ending[n.name]:
			c.add("node %q cannot reach End", n.name)
		}
	}
	always := c.cycles(func(x *exit) bool { return x.kind != branchExit })
	for _, path := range always {
		c.add("cycle without a choice: %s; use a Branch", path)
	}
	for _, path := range c.cycles(func(x *exit) bool { return c.visits[x.from] == 0 }) {
		if !slices.Contains(always, path) {
			c.add("cycle without a bound: %s; give one of its nodes MaxVisits", path)
		}
	}
}

// next is where an exit can lead in one step.
func (x *exit) next() []string { return append(slices.Clip(x.targets), x.tasks...) }

func closure(edges map[string][]string, from string) map[string]bool {
	seen, todo := map[string]bool{from: true}, []string{from}
	for len(todo) > 0 {
		n := todo[0]
		todo = todo[1:]
		for _, to := range edges[n] {
			if !seen[to] {
				seen[to] = true
				todo = append(todo, to)
			}
		}
	}
	return seen
}

// cycles finds cycles that use only exits that keep admits, one for each node at
// which a depth-first search closes one. Tasks do not matter: their join is a
// target of the fan itself.
func (c *check) cycles(keep func(*exit) bool) []string {
	const open, closed = 1, 2
	state := map[string]int{}
	var path, found []string
	var visit func(string)
	visit = func(n string) {
		x := c.out[n]
		if x == nil || !keep(x) || state[n] == closed {
			return
		}
		if state[n] == open {
			loop := append(path[slices.Index(path, n):len(path):len(path)], n)
			found = append(found, strings.Join(loop, " -> "))
			return
		}
		state[n], path = open, append(path, n)
		for _, to := range x.targets {
			visit(to)
		}
		state[n], path = closed, path[:len(path)-1]
	}
	for _, n := range c.nodes {
		visit(n.name)
	}
	return found
}
