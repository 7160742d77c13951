package graph

import (
	"context"
	"reflect"
)

// Begin and End are the entry and the exit of every graph.
const (
	Begin = "(begin)"
	End   = "(end)"
)

// Graph is a graph under construction. Its methods only take notes; [Graph.Compile]
// reports what is wrong with them. A Graph is not safe for concurrent use.
type Graph[S any] struct{ plan *plan }

// plan is a Graph without its types.
type plan struct {
	name       string
	ops        stateOps
	fields     []field
	nodes      []*node
	exits      []*exit
	validate   func(s any) error
	migrations map[string]func(*Loaded) error
}

// stateOps are what the engine does to a state that it does not know; s is a *S.
type stateOps struct {
	typ   reflect.Type
	zero  func() any
	clone func(s any) any
	value func(s any) any // the S itself
}

func opsOf[S any]() stateOps {
	return stateOps{
		typ:   reflect.TypeFor[S](),
		zero:  func() any { return new(S) },
		clone: func(s any) any { c := *s.(*S); return &c },
		value: func(s any) any { return *s.(*S) },
	}
}

// Node is the work of one step: it reads the state and returns what to write.
type Node[S any] func(context.Context, S) (Update[S], error)

type nodeKind int

const (
	plainNode nodeKind = iota
	taskNode           // run with the argument of a Send
	subNode
	subTaskNode
)

func (k nodeKind) sent() bool { return k == taskNode || k == subTaskNode }
func (k nodeKind) sub() bool  { return k == subNode || k == subTaskNode }

// node is what all kinds of nodes come down to: a function of the state and, for
// those that are sent to, of an argument.
type node struct {
	name      string
	kind      nodeKind
	run       nodeFunc
	argType   reflect.Type
	encodeArg func(any) ([]byte, error)
	decodeArg func([]byte) (any, error)
	build     func(Config) (child, error) // of a sub-graph
	opts      nodeOptions
	alone     []byte // the frontier of just this node, encoded
	missing   bool   // its function is nil
}

// nodeFunc is a Node without its types: s is a *S. Beside the writes it gives the
// Update that they come from, to be told.
type nodeFunc func(ctx context.Context, s, arg any) (ws []write, u any, err error)

func returned[S any](u Update[S], err error) ([]write, any, error) { return writes(u), u, err }

// child is a compiled sub-graph as its parent sees it.
type child struct {
	run    nodeFunc
	hash   string
	bounds []string // the names of its nodes with MaxVisits
}

type exitKind int

const (
	edgeExit exitKind = iota
	branchExit
	fanExit
)

// exit is the one way out of a node. The targets of an edge are its end, those
// of a branch its choices, those of a fan its join.
type exit struct {
	kind    exitKind
	from    string
	targets []string
	tasks   []string // of a fan
	choose  func(s any) string
	sends   func(s any) []send
}

// New starts a graph whose state is covered by the given fields.
func New[S any](name string, fields ...FieldOf[S]) *Graph[S] {
	p := &plan{name: name, ops: opsOf[S](), migrations: map[string]func(*Loaded) error{}}
	for _, f := range fields {
		p.fields = append(p.fields, f)
	}
	return &Graph[S]{p}
}

// Node adds a node that runs on the whole state.
func (g *Graph[S]) Node(name string, fn Node[S], o ...NodeOption) {
	g.add(&node{name: name, missing: fn == nil, opts: options(o),
		run: func(ctx context.Context, s, _ any) ([]write, any, error) { return returned(fn(ctx, *s.(*S))) }})
}

// Task adds a node that runs on an argument, once for each [TaskRef.Send] that a
// fan makes. A branch that is longer than one node is a [SubTask].
func Task[S, A any](g *Graph[S], name string, fn func(context.Context, A) (Update[S], error), o ...NodeOption) TaskRef[S, A] {
	n := &node{name: name, kind: taskNode, missing: fn == nil, opts: options(o),
		run: func(ctx context.Context, _, arg any) ([]write, any, error) { return returned(fn(ctx, arg.(A))) }}
	takes[A](n)
	g.add(n)
	return TaskRef[S, A]{name}
}

func takes[A any](n *node) {
	n.argType = reflect.TypeFor[A]()
	n.encodeArg = func(arg any) ([]byte, error) {
		a := arg.(A)
		return encodeJSON(&a)
	}
	n.decodeArg = func(data []byte) (any, error) {
		var a A
		err := decodeJSON(data, &a)
		return a, err
	}
}

// TaskRef names a task together with the type of its argument.
type TaskRef[S, A any] struct{ name string }

// Send asks a fan to run the task on a.
func (t TaskRef[S, A]) Send(a A) Send[S] { return Send[S]{send{t.name, a}} }

func (t TaskRef[S, A]) task(S) string { return t.name }

// TaskOf is any [TaskRef] of a graph on S, whatever its argument.
type TaskOf[S any] interface{ task(S) string }

// Send is one branch of a fan: a task and its argument.
type Send[S any] struct{ send }

// send is a Send without its state.
type send struct {
	task string
	arg  any
}

// Edge leads from one node to the next, always.
func (g *Graph[S]) Edge(from, to string) {
	g.leave(&exit{kind: edgeExit, from: from, targets: []string{to}})
}

// Branch leads from a node to the target that choose names, which sees the state
// after the node's writes. To name anything but a declared target is an error.
func (g *Graph[S]) Branch(from string, choose func(S) string, targets ...string) {
	x := &exit{kind: branchExit, from: from, targets: targets}
	if choose != nil {
		x.choose = func(s any) string { return choose(*s.(*S)) }
	}
	g.leave(x)
}

// Fan leads from a node to as many parallel tasks as sends returns, and from
// those to join, which runs once, when all of them are done. If nothing is sent
// it runs at once. Only the declared tasks can be sent to.
func (g *Graph[S]) Fan(from string, sends func(S) []Send[S], join string, tasks ...TaskOf[S]) {
	x := &exit{kind: fanExit, from: from, targets: []string{join}}
	if sends != nil {
		x.sends = func(s any) []send { return erased(sends(*s.(*S))) }
	}
	for _, t := range tasks {
		x.tasks = append(x.tasks, t.task(*new(S)))
	}
	g.leave(x)
}

func erased[S any](sends []Send[S]) []send {
	all := make([]send, len(sends))
	for i, s := range sends {
		all[i] = s.send
	}
	return all
}

func (g *Graph[S]) leave(x *exit) { g.plan.exits = append(g.plan.exits, x) }

// Sub adds a node that runs another graph: in makes its first state, out turns its
// last one into writes. The sub-graph has checkpoints, limits and interrupts of
// its own; a resumed run goes on inside it.
func Sub[S, C any](g *Graph[S], name string, sub *Graph[C], in func(S) C, out func(C) Update[S], o ...NodeOption) {
	g.add(&node{name: name, kind: subNode, opts: options(o), missing: sub == nil || in == nil || out == nil,
		build: subgraph(sub, func(s, _ any) C { return in(*s.(*S)) }, out)})
}

// SubTask is a [Sub] that a fan sends to: a branch of several nodes.
func SubTask[S, A, C any](g *Graph[S], name string, sub *Graph[C], in func(A) C, out func(C) Update[S], o ...NodeOption) TaskRef[S, A] {
	n := &node{name: name, kind: subTaskNode, opts: options(o), missing: sub == nil || in == nil || out == nil,
		build: subgraph(sub, func(_, arg any) C { return in(arg.(A)) }, out)}
	takes[A](n)
	g.add(n)
	return TaskRef[S, A]{name}
}

func (g *Graph[S]) add(n *node) { g.plan.nodes = append(g.plan.nodes, n) }

// Validate has fn check the state before each checkpoint. If it returns an error
// the step fails with [ErrInvalidState], what its tasks wrote is dropped, and the
// last good checkpoint stays. Continue runs the tasks again; what [Once] kept, and
// sub-graphs that had ended, stay as they are, and Fork has them anew.
func (g *Graph[S]) Validate(fn func(S) error) {
	if g.plan.validate = nil; fn != nil {
		g.plan.validate = func(s any) error { return fn(*s.(*S)) }
	}
}

// Migrate lets threads go on that an older form of this graph wrote, whose hash
// [App.Hash] gave or an [ErrGraphChanged] names. fn may rewrite what was loaded, to
// rename a node or drop a field; nil takes it as it is.
func (g *Graph[S]) Migrate(from string, fn func(*Loaded) error) { g.plan.migrations[from] = fn }
