// Package react lets a model look into a repository with tools until it answers: a
// thought, calls, what they gave, and again. It belongs into a node of a graph. Each
// paid call and each round of tools is kept with graph.Once, so a node that runs again
// after a crash pays for nothing twice and sees the same results.
//
// A loop always ends: by an answer, by a limit, after three bad turns, or with an error. A
// tool ends no loop, neither by a panic nor by going on for ever.
package react
