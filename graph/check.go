package graph

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"
)

// check collects the problems of a graph.
type check struct {
	*plan
	problems []error
	kinds    map[string]nodeKind // of the known nodes
	visits   map[string]int
	out      map[string]*exit
}

func (c *check) add(format string, args ...any) {
	c.problems = append(c.problems, fmt.Errorf(format, args...))
}

func (c *check) err() error {
	if len(c.problems) == 0 {
		return nil
	}
	return fmt.Errorf("graph %q: %w", c.name, errors.Join(c.problems...))
}

func (c *check) config(cfg Config) {
	if cfg.Concurrency < 0 {
		c.add("Config.Concurrency is %d, want at least 1, or 0 for 16", cfg.Concurrency)
	}
	if cfg.MaxSteps < 0 {
		c.add("Config.MaxSteps is %d, want at least 1, or 0 for 100", cfg.MaxSteps)
	}
	if cfg.LeaseTTL != 0 && cfg.LeaseTTL < time.Millisecond {
		c.add("Config.LeaseTTL is %v, want at least 1ms, or 0 for 15s", cfg.LeaseTTL)
	}
}

func (c *check) state() {
	names := map[string]bool{}
	var known []field
	for i, f := range c.fields {
		if f == nil || f.missing() {
			c.add("field %d is nil", i)
			continue
		}
		known = append(known, f)
		s := f.spec()
		if !printable(s.name) || names[s.name] {
			c.add("field %d has the name %q, which is taken or not printable", i, s.name)
		}
		names[s.name] = true
		if err := checkType(s.typ, fmt.Sprintf("field %q", s.name)); err != nil {
			c.add("%w", err)
		}
		if f.incomplete() {
			c.add("field %q has no function", s.name)
		}
	}
	c.problems = append(c.problems, checkCover(c.ops, known)...)
}

func (c *check) structure() {
	c.kinds, c.visits, c.out = map[string]nodeKind{}, map[string]int{}, map[string]*exit{}
	for _, n := range c.nodes {
		c.node(n)
	}
	for _, x := range c.exits {
		c.exit(x)
	}
	for _, n := range c.nodes {
		if c.out[n.name] == nil && !n.kind.sent() {
			c.add("node %q has no way out; lead it to a node or to End", n.name)
		}
	}
	if c.out[Begin] == nil {
		c.add("nothing leads from Begin")
	}
}

func (c *check) node(n *node) {
	_, taken := c.kinds[n.name]
	switch {
	case n.name == Begin || n.name == End || !printable(n.name):
		c.add("%q cannot be the name of a node", n.name)
	case taken:
		c.add("two nodes are named %q", n.name)
	}
	if n.missing {
		c.add("node %q has no function", n.name)
	}
	if n.argType != nil {
		if err := checkType(n.argType, fmt.Sprintf("argument of %q", n.name)); err != nil {
			c.add("%w", err)
		}
	}
	if o := n.opts; o.maxVisits < 0 || o.timeout < 0 || o.retry.attempts() < 0 {
		c.add("node %q has a negative option", n.name)
	}
	c.kinds[n.name], c.visits[n.name] = n.kind, n.opts.maxVisits
}

// subs compiles the sub-graphs.
func (c *check) subs(cfg Config) map[string]child {
	subs := map[string]child{}
	for _, n := range c.nodes {
		if n.build == nil || n.missing {
			continue
		}
		sub, err := n.build(cfg)
		if err != nil {
			c.add("sub-graph of %q: %w", n.name, err)
		}
		subs[n.name] = sub
	}
	return subs
}

// printable keeps names readable, and apart from those of sub-threads.
func printable(name string) bool {
	return name != "" && len(name) <= 256 && !strings.ContainsFunc(name, func(r rune) bool {
		return r == '|' || r == unicode.ReplacementChar || !unicode.IsPrint(r)
	})
}

func (c *check) exit(x *exit) {
	kind, known := c.kinds[x.from]
	switch {
	case x.from == End:
		c.add("End leads nowhere")
	case x.from != Begin && !known:
		c.add("a way out of the unknown node %q", x.from)
	case kind.sent():
		c.add("task %q has a way out; tasks go to the join of their fan", x.from)
	case c.out[x.from] != nil:
		c.add("two ways out of %q; let one Branch or Fan decide", x.from)
	}
	c.out[x.from] = x
	if x.kind == branchExit && (x.choose == nil || len(x.targets) == 0) {
		c.add("branch of %q needs a function and targets", x.from)
	}
	if x.kind == fanExit && (x.sends == nil || len(x.tasks) == 0) {
		c.add("fan of %q needs a function and tasks", x.from)
	}
	for _, t := range x.targets {
		c.target(x, t)
	}
	for _, t := range x.tasks {
		if kind, ok := c.kinds[t]; !ok || !kind.sent() {
			c.add("fan of %q sends to %q, which is no task of this graph", x.from, t)
		}
	}
	if t, ok := repeated(x.targets, x.tasks); ok {
		c.add("%q declares %q twice", x.from, t)
	}
}

func (c *check) target(x *exit, t string) {
	kind, known := c.kinds[t]
	switch {
	case t == Begin:
		c.add("%q leads to Begin", x.from)
	case t != End && !known:
		c.add("%q leads to the unknown node %q (known: %s)", x.from, t, strings.Join(slices.Sorted(maps.Keys(c.kinds)), ", "))
	case kind.sent():
		c.add("%q leads to the task %q; tasks are sent to by a Fan", x.from, t)
	}
}

func repeated(lists ...[]string) (string, bool) {
	for _, l := range lists {
		l = sorted(l)
		for i := 1; i < len(l); i++ {
			if l[i] == l[i-1] {
				return l[i], true
			}
		}
	}
	return "", false
}
