package graph

import (
	"fmt"
	"slices"
	"strconv"
)

// frontier is what runs next: one node, or the tasks that the fan of a node sent.
// It is empty at the end.
type frontier struct {
	from   string // the node whose fan it is
	tasks  []*task
	visits map[string]int // of the nodes with MaxVisits
}

// frontierData is a frontier as a checkpoint keeps it.
type frontierData struct {
	From   string         `json:"from,omitempty"`
	Tasks  []taskSpec     `json:"tasks"`
	Visits map[string]int `json:"visits,omitempty"`
}

// after chooses what follows a step on the state that the step left behind.
func (r *runner) after(s any) (frontier, error) {
	if r.next.from != "" {
		return r.single(r.app.exits[r.next.from].targets[0]), nil
	}
	return r.leave(r.next.tasks[0].node, s)
}

// leave takes the way out of a node.
func (r *runner) leave(from string, s any) (frontier, error) {
	x := r.app.exits[from]
	switch x.kind {
	case branchExit:
		to, err := guard(func() (string, error) { return x.choose(r.app.view(s)), nil })
		if err == nil && !slices.Contains(x.targets, to) {
			err = fmt.Errorf("%w: it chose %q of %q", ErrNoTarget, to, x.targets)
		}
		if err != nil {
			return frontier{}, fmt.Errorf("branch of %q: %w", from, err)
		}
		return r.single(to), nil
	case fanExit:
		f, err := r.fan(x, s)
		if err != nil {
			err = fmt.Errorf("fan of %q: %w", from, err)
		}
		return f, err
	}
	return r.single(x.targets[0]), nil
}

func (r *runner) single(to string) frontier {
	f := frontier{visits: r.next.visits}
	if to != End {
		f.tasks = []*task{r.task(r.app.nodes[to], 0, to)}
		f.count(r.app)
	}
	return f
}

func (r *runner) fan(x *exit, s any) (frontier, error) {
	sends, err := guard(func() ([]send, error) { return x.sends(r.app.view(s)), nil })
	if err != nil {
		return frontier{}, err
	}
	if len(sends) == 0 {
		return r.single(x.targets[0]), nil
	}
	f := frontier{from: x.from, visits: r.next.visits, tasks: make([]*task, len(sends))}
	for i, send := range sends {
		if !slices.Contains(x.tasks, send.task) {
			return f, fmt.Errorf("%w: it sent to %q, declared are %q", ErrNoTarget, send.task, x.tasks)
		}
		t := r.task(r.app.nodes[send.task], i, send.task+"["+strconv.Itoa(i)+"]")
		t.arg = send.arg
		if r.ses.store != nil {
			if t.spec.Arg, err = t.n.encodeArg(send.arg); err != nil {
				return f, fmt.Errorf("argument of %s: %w", t.label, err)
			}
		}
		f.tasks[i] = t
	}
	f.count(r.app)
	return f, nil
}

func (r *runner) task(n *node, index int, label string) *task {
	t := &task{n: n, spec: taskSpec{Node: n.name}}
	t.scope = scope{ses: r.ses, thread: r.thread, index: index, node: n.name, label: label, fresh: true}
	return t
}

// count adds a visit to each bounded node of f, on a copy: the old counts belong
// to the last checkpoint.
func (f *frontier) count(a *core) {
	if !a.bounded {
		return
	}
	visits, seen := make(map[string]int, len(f.visits)+1), map[string]bool{}
	for n, v := range f.visits {
		visits[n] = v
	}
	for _, t := range f.tasks {
		if t.n.opts.maxVisits > 0 && !seen[t.node] {
			seen[t.node] = true
			visits[t.node]++
		}
	}
	f.visits = visits
}

func (f *frontier) encode() ([]byte, error) {
	if len(f.tasks) == 1 && f.from == "" && len(f.visits) == 0 {
		return f.tasks[0].n.alone, nil
	}
	d := frontierData{From: f.from, Visits: f.visits, Tasks: make([]taskSpec, len(f.tasks))}
	for i, t := range f.tasks {
		d.Tasks[i] = t.spec
	}
	return encodeJSON(d)
}

// restore rebuilds a stored frontier. What the graph no longer has is an error.
func (r *runner) restore(data []byte) (frontier, error) {
	var d frontierData
	var f frontier
	if err := decodeJSON(data, &d); err != nil {
		return f, fmt.Errorf("graph: thread %q: stored frontier: %w", r.thread, err)
	}
	if d.Tasks == nil || d.From != "" && len(d.Tasks) == 0 {
		return f, fmt.Errorf("graph: thread %q: stored frontier has no tasks", r.thread)
	}
	if x := r.app.exits[d.From]; d.From != "" && (x == nil || x.kind != fanExit) || d.From == "" && len(d.Tasks) > 1 {
		return f, fmt.Errorf("%w: thread %q stands in a fan of %q, which has none", ErrGraphChanged, r.thread, d.From)
	}
	f.from, f.visits = d.From, d.Visits
	for i, spec := range d.Tasks {
		n := r.app.nodes[spec.Node]
		if n == nil || n.kind.sent() != (d.From != "") {
			return f, fmt.Errorf("%w: thread %q stands at %q, which is no such node now", ErrGraphChanged, r.thread, spec.Node)
		}
		t := r.task(n, i, spec.Node)
		if t.spec = spec; d.From != "" {
			t.label += "[" + strconv.Itoa(i) + "]"
			arg, err := n.decodeArg(spec.Arg)
			if err != nil {
				return f, fmt.Errorf("graph: thread %q: argument of %s: %w", r.thread, t.label, err)
			}
			t.arg = arg
		}
		f.tasks = append(f.tasks, t)
	}
	return f, nil
}
