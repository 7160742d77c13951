package rag

import (
	"context"
	"math"
	"regexp"
	"slices"

	"github.com/repomind/repomind/internal/repo"
)

// commits is how far back the history is read.
const commits = 1500

// history is commits, the newest first.
type history []past

// past is a commit as retrieval needs it.
type past struct {
	Text  string
	Files []int32 // of the tree, that it changed
	Fix   bool    // its message speaks of a fault
}

var fixes = regexp.MustCompile(`(?i)\b(?:fix(?:e[sd])?|bug(?:s|fix(?:es)?)?|crash(?:es|ed)?|regress(?:ion|ions|ed)?|clos(?:e[sd]?)|resolve[sd]?|broken|incorrect|wrong)\b`)

// maxMessage is how much of a message is read; squashed commits list hundreds.
const maxMessage = 2000

// readChanges gives the commits up to the snapshot's, the newest first.
func readChanges(ctx context.Context, s *repo.Snapshot) ([]repo.Change, error) {
	const page = 500
	var pages [commits / page][]repo.Change
	var work together
	for i := range pages {
		work.do(func() error {
			h, err := s.Log(ctx, "", i*page, page)
			pages[i] = h.Changes
			return err
		})
	}
	err := work.wait()
	return slices.Concat(pages[:]...), err
}

func newHistory(changes []repo.Change, ids map[string]int32) history {
	out := make(history, len(changes))
	for i, c := range changes {
		out[i] = newPast(c, ids)
	}
	return out
}

func newPast(c repo.Change, ids map[string]int32) past {
	p := past{Text: c.Message[:min(len(c.Message), maxMessage)], Fix: fixes.MatchString(c.Subject())}
	for _, f := range c.Files {
		if id, ok := ids[f]; ok {
			p.Files = append(p.Files, id)
		}
	}
	return p
}

// prior is what the history says of a file before anybody asks: how recently and
// how often it was changed, and mended. Recency decays by the number of commits
// since, as the time between commits says more of the project than of the file.
type prior struct{ recent, often, mended []float32 }

func newPrior(h history, files int) prior {
	p := prior{make([]float32, files), make([]float32, files), make([]float32, files)}
	for age, c := range h {
		if len(c.Files) > 50 {
			continue // a sweep over the tree tells nothing of one file
		}
		for _, f := range c.Files {
			p.recent[f] = max(p.recent[f], float32(math.Exp(-float64(age)/100)))
			p.often[f]++
			if c.Fix {
				p.mended[f] += float32(1 / math.Sqrt(float64(len(c.Files))))
			}
		}
	}
	logOf(p.often)
	logOf(p.mended)
	return p
}

func logOf(v []float32) {
	for i, x := range v {
		v[i] = float32(math.Log1p(float64(x)))
	}
	normalise(v)
}

// normalise divides by the largest value.
func normalise(v []float32) {
	var top float32
	for _, x := range v {
		top = max(top, x)
	}
	if top > 0 {
		for i := range v {
			v[i] /= top
		}
	}
}

// spread gives files what commits that resemble the question scored: of the 30
// best, each file of one its score over the root of how many it changed.
func spread(h history, scores []float32, files int) []float32 {
	out := make([]float32, files)
	for _, c := range firstOf(scores, 30) {
		n := len(h[c].Files)
		if n > 50 {
			continue
		}
		for _, f := range h[c].Files {
			out[f] += scores[c] / float32(math.Sqrt(float64(n)))
		}
	}
	normalise(out)
	return out
}
