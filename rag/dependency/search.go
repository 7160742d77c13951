package dependency

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/rag/chunk"
	"github.com/repomind/repomind/rag/lexical"
)

// Excerpt is part of a file of a library; its path is from the library's root.
type Excerpt struct {
	Span source.Span
	Text []string // the lines of the span, each cut at 1,000 bytes
}

// ranks is the lexical index of a source.
type ranks struct {
	index *lexical.Index
	parts []part
}

type part struct {
	file  int
	chunk chunk.Chunk
}

// prepare builds the index once. Files are cut without parsing them, as a library is
// no less hostile than the repository.
func (s *Source) prepare(ctx context.Context) error {
	if s.ranks != nil {
		return nil
	}
	r := &ranks{}
	blobs := make([]lexical.Blob, len(s.files))
	for i, f := range s.files {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		var fields []lexical.Part
		for _, c := range chunk.Split(f.path, f.data, code.Layout{}, chunk.Limits{Size: 1100}) {
			body := string(f.data[c.From:c.To])
			symbol := path.Base(f.path) + " " + c.Symbol + " " + defined(body)
			fields = append(fields, lexical.Part{Symbol: symbol, Body: body})
			r.parts = append(r.parts, part{i, c})
		}
		blobs[i] = lexical.Analyze(fields)
	}
	var err error
	if r.index, err = lexical.New(blobs, lexical.Config{}); err == nil {
		s.ranks = r
	}
	return err
}

// perFile is how many excerpts of one file an answer has, as long as others follow.
const perFile = 3

// Search gives the parts of the source that are nearest to a query, the best first. A
// part without any word of the query is none.
func (s *Source) Search(ctx context.Context, query string, max int) ([]Excerpt, error) {
	if err := s.prepare(ctx); err != nil {
		return nil, err
	}
	query = query[:min(len(query), 20_000)]
	scores := s.scores(query)
	order := make([]int, 0, len(scores))
	for i, score := range scores {
		if score > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	var out []Excerpt
	count := map[int]int{}
	for _, i := range order {
		p := s.ranks.parts[i]
		if len(out) >= max {
			break
		}
		if count[p.file]++; count[p.file] <= perFile {
			out = append(out, s.excerpt(p))
		}
	}
	return out, nil
}

// scores weighs the words of a part, those of its file, and phrases found verbatim.
func (s *Source) scores(query string) []float32 {
	var q lexical.Query
	q.Add(query, 1)
	x := s.ranks.index
	words := x.Score(q, lexical.Weights{Symbol: 2, Body: 1, Comment: 1})
	verbatim := x.Phrases([]string{query})
	bestPart, bestDoc := slices.Max(append(words.Parts, 1e-9)), slices.Max(append(words.Docs, 1e-9))
	out := make([]float32, len(words.Parts))
	for i := range out {
		file := s.ranks.parts[i].file
		if words.Parts[i] > 0 || verbatim.Parts[i] > 0 {
			out[i] = words.Parts[i]/bestPart + 0.5*words.Docs[file]/bestDoc + verbatim.Parts[i]
			out[i] *= weigh(s.files[file].path)
		}
	}
	return out
}

const maxLine = 1000

func (s *Source) excerpt(p part) Excerpt {
	span := p.chunk.Span
	span.Path = s.files[p.file].path
	text := strings.TrimSuffix(string(s.files[p.file].data[p.chunk.From:p.chunk.To]), "\n")
	e := Excerpt{Span: span}
	for line := range strings.SplitSeq(text, "\n") {
		if len(line) > maxLine {
			cut := maxLine
			for !utf8.RuneStart(line[cut]) {
				cut--
			}
			line = line[:cut] + " …"
		}
		e.Text = append(e.Text, strings.TrimSuffix(line, "\r"))
	}
	return e
}
