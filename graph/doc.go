// Package graph runs typed state graphs that survive a crash at any instant.
//
// A graph reads and writes a plain struct S. Each member of S is covered by one
// [Field], which says how writes to it are merged: the last one wins ([Last]),
// a function combines them ([Reduce]), or they are appended ([Append]). A node
// is a function from a state to an [Update], a list of typed writes; it never
// returns a whole state. What runs next is not the node's business: each node
// has exactly one way out, an edge, a branch or a fan, whose targets are
// declared, so that [Graph.Compile] can check the whole graph before it runs.
//
// Work proceeds in super-steps (Valiant, "A Bridging Model for Parallel
// Computation", CACM 1990; Malewicz et al., "Pregel", SIGMOD 2010): the tasks of
// a step run in parallel on the same state, their writes are merged in the
// order in which the tasks were sent, and one checkpoint is written. A run that
// was killed goes on from the last checkpoint; the branches of a fan that had
// finished are not run again, and its join runs exactly once.
//
// A node may ask a person with [Interrupt], make a side effect durable with
// [Once], and report progress with [Emit].
//
// What a node reads is shared: treat slices, maps and pointers found in the
// state as read-only. [Config].DetectMutation finds nodes that do not.
//
// Checkpoints are kept by a [Checkpointer]: [NewMemory] for tests and short
// work, graph/sqlite for everything else.
package graph
