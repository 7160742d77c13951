// Package rag finds the code that an issue is about.
//
// Open makes an Index of one commit: chunks, words, names, imports and history, all
// kept by content, so that the next commit costs its changed files. Index.Search
// looks at a question through many signals (what it says, what it names, where its
// traces lead, what past commits like it changed) and adds them up with weights that
// were fitted on real issues; see package rank, and the tables in weights.go.
//
// It works without a model and without vectors. With them, more rankings are fused
// in and the head of the list is ordered anew; Result.Ran says what took part.
package rag

import (
	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/source"
)

// Kind is what a question is about. It decides how much tests and documents count.
type Kind string

// The kinds.
const (
	Bug      Kind = "bug"
	Feature  Kind = "feature"
	Question Kind = "question"
)

// known is the kind that a query is treated as.
func (k Kind) known() Kind {
	if _, ok := roleWeights[k]; !ok {
		return Bug
	}
	return k
}

// Query is what is looked for.
type Query struct {
	Title string
	Body  string // Markdown
	Kind  Kind   // "" is a bug, as is one that is not known
	// Code is code that would hold the answer, as a model writes it (HyDE; Gao et al.,
	// ACL 2023). It is one more ranking. Empty is none.
	Code string
}

// Result is what was found, the best first in each list.
type Result struct {
	Commit  source.Commit `json:"commit"`
	Files   []File        `json:"files"`
	Symbols []Symbol      `json:"symbols"`
	Chunks  []Chunk       `json:"chunks"`
	Ran     []string      `json:"ran"`             // what took part: "lexical", "history", …
	Notes   []string      `json:"notes,omitempty"` // what could not, and why
	Usage   llm.Usage     `json:"-"`               // of a model that reranked
}

// File is a file that may hold the cause.
type File struct {
	Path  string      `json:"path"`
	Role  source.Role `json:"role"`
	Score float64     `json:"score"` // of the best 1
	Why   []Reason    `json:"why"`   // the largest first
}

// Symbol is a definition that may hold the cause.
type Symbol struct {
	Path      string      `json:"path"`
	Name      string      `json:"name"` // qualified
	Kind      string      `json:"kind"`
	Signature string      `json:"signature,omitempty"`
	Span      source.Span `json:"span"`
	Score     float64     `json:"score"`
	Why       []Reason    `json:"why"`
}

// Chunk is a run of lines that may hold the cause.
type Chunk struct {
	Span      source.Span `json:"span"`
	Symbol    string      `json:"symbol,omitempty"`    // that it is, or is part of
	Signature string      `json:"signature,omitempty"` // of that
	Begins    []string    `json:"begins,omitempty"`    // the definitions that begin in it, if it is not one; at most 10
	Part      int         `json:"part,omitempty"`      // of Parts, where a long definition was cut
	Parts     int         `json:"parts,omitempty"`
	Score     float64     `json:"score"`
	Why       []Reason    `json:"why"`
}

// Reason is what one signal gave to a score.
type Reason struct {
	Signal string  `json:"signal"`
	Value  float64 `json:"value"` // what the signal says, 0 to about 1
	Share  float64 `json:"share"` // of the score; all of a reranked one tell where it was before
}
