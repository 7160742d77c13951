package graph

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// App is a compiled graph. It is immutable and safe for concurrent use.
type App[S any] struct{ core *core }

// core is an App without its types.
type core struct {
	name       string
	hash       string
	cfg        Config
	ops        stateOps
	fields     []field
	index      map[field]int
	byName     map[string]int
	lists      []field  // the Append fields
	bounded    bool     // some node has MaxVisits
	nested     bool     // some node is a sub-graph
	bounds     []string // the names of nodes with MaxVisits, sub-graphs included
	nodes      map[string]*node
	exits      map[string]*exit
	validate   func(s any) error
	migrations map[string]func(*Loaded) error
	drawing    string
}

// Compile checks the graph and makes it runnable. Its error joins every problem
// that was found.
func (g *Graph[S]) Compile(cfg Config) (*App[S], error) {
	c, err := g.plan.compile(cfg)
	if err != nil {
		return nil, err
	}
	return &App[S]{c}, nil
}

func (g *plan) compile(cfg Config) (*core, error) {
	if slices.Contains(cfg.within, g) {
		return nil, fmt.Errorf("graph %q contains itself", g.name)
	}
	c := check{plan: g}
	c.config(cfg)
	c.state()
	c.structure()
	c.flow()
	cfg.within = append(slices.Clip(cfg.within), g)
	subs := c.subs(cfg)
	if err := c.err(); err != nil {
		return nil, err
	}
	return g.core(cfg, subs), nil
}

func (g *plan) core(cfg Config, subs map[string]child) *core {
	a := &core{
		name: g.name, cfg: cfg, ops: g.ops, fields: slices.Clone(g.fields), validate: g.validate,
		index: map[field]int{}, byName: map[string]int{}, nodes: map[string]*node{}, exits: map[string]*exit{},
		migrations: map[string]func(*Loaded) error{}, drawing: g.mermaid(),
	}
	for i, f := range g.fields {
		a.index[f], a.byName[f.Name()] = i, i
		if f.spec().kind == appendKind {
			a.lists = append(a.lists, f)
		}
	}
	maps.Copy(a.migrations, g.migrations)
	for _, x := range g.exits {
		a.exits[x.from] = x
	}
	for _, n := range g.nodes {
		n := *n
		if n.kind.sub() {
			n.run = subs[n.name].run
			a.bounds = append(a.bounds, subs[n.name].bounds...)
		}
		if n.opts.maxVisits > 0 {
			a.bounds = append(a.bounds, n.name)
		}
		n.alone, _ = encodeJSON(frontierData{Tasks: []taskSpec{{Node: n.name}}}) // names are valid UTF-8
		a.nodes[n.name] = &n
		a.nested = a.nested || n.kind.sub()
		a.bounded = a.bounded || n.opts.maxVisits > 0
	}
	a.hash = g.fingerprint(subs)
	return a
}

// fingerprint covers what a checkpoint relies on: the fields and how they merge,
// the nodes and where they lead. The order of registration does not matter.
func (g *plan) fingerprint(subs map[string]child) string {
	lines := []string{fmt.Sprintf("graph %q", g.name)}
	for _, f := range g.fields {
		lines = append(lines, fmt.Sprintf("field %q %s", f.Name(), f.spec().kind))
	}
	for _, n := range g.nodes {
		lines = append(lines, fmt.Sprintf("node %q %d %s", n.name, n.kind, subs[n.name].hash))
	}
	for _, x := range g.exits {
		lines = append(lines, fmt.Sprintf("exit %q %d %q %q", x.from, x.kind, sorted(x.targets), sorted(x.tasks)))
	}
	sum := sha256.Sum256([]byte(strings.Join(sorted(lines), "\n")))
	return hex.EncodeToString(sum[:8])
}

func sorted(s []string) []string { return slices.Sorted(slices.Values(s)) }

// Hash identifies the form of the graph: its fields, nodes and ways out. A thread
// written under another hash is refused unless [Graph.Migrate] names it.
func (a *App[S]) Hash() string { return a.core.hash }

// Mermaid draws the graph from its declared targets, as a Mermaid flowchart.
func (a *App[S]) Mermaid() string { return a.core.drawing }
