package memory

import (
	"cmp"
	_ "embed"
	"fmt"
	"math"
	"strings"

	"github.com/repomind/repomind/rag/lexical"
)

// common are words that say nothing of what a text is about, in three lines: those of the
// language, those of every bug report, and those of Chinese.
//
//go:embed common.txt
var common string

// background is how many documents of common words stand beside the lessons, so that a
// word has a sensible rarity even where there is but one lesson.
const background = 32

// backdrop are the words of those documents: the words of a language stand in all of them,
// those of bug reports in every second one.
func backdrop() (all []lexical.Blob) {
	lines := strings.Split(common, "\n")
	some := lexical.Analyze([]lexical.Part{{Body: lines[0] + "\n" + lines[2]}})
	whole := lexical.Analyze([]lexical.Part{{Body: common}})
	for range background / 2 {
		all = append(all, some, whole)
	}
	return all
}

// likeness is what a lesson shares with a question.
type likeness struct {
	score float64 // 0 to 1
	words []string
}

// alike compares a question with lessons by their words: how much of the question's title
// a lesson says, and how much of the lesson's title the question says, their geometric
// mean. The rest of the question is only looked into, as it is full of templates and logs
// that are alike whatever is asked. That was the best of what was tried on the issues of
// 24 repositories.
func alike(q Query, lessons []Lesson) ([]likeness, error) {
	docs := backdrop()
	for _, l := range lessons {
		docs = append(docs, lexical.Analyze([]lexical.Part{{Symbol: l.Title, Body: l.Text, Comment: strings.Join(l.Files, "\n")}}))
	}
	body := head(q.Body, maxBody)
	// The question is a document too, so that all of its words are known.
	docs = append(docs, lexical.Analyze([]lexical.Part{{Symbol: q.Title, Body: body}}))
	x, err := lexical.New(docs, lexical.Config{})
	if err != nil {
		return nil, fmt.Errorf("compare words: %w", err)
	}
	asked := terms(q.Title, body)
	said, out := x.Cover(asked).Docs[background:], make([]likeness, len(lessons))
	for i, l := range lessons {
		if said[i] == 0 {
			continue
		}
		back := x.Cover(terms(l.Title, l.Text)).Docs[len(docs)-1]
		out[i] = likeness{math.Sqrt(float64(said[i]) * float64(back)), telling(x.Explain(asked, lexical.Weights{}, background+i))}
	}
	return out, nil
}

const (
	maxBody  = 16 << 10 // bytes of a question that are looked into
	maxTitle = 500      // bytes that stand for a text without a title
)

// terms are the words of a title, or of the beginning of a text that has none.
func terms(title, text string) (q lexical.Query) {
	q.Add(subject(title, text), 1)
	return q
}

func subject(title, text string) string {
	return head(cmp.Or(strings.TrimSpace(title), text), maxTitle)
}

// telling are at most three words that two texts share, the rarest first, without parts of
// one that is there already.
func telling(shares []lexical.Share) (words []string) {
	for _, s := range shares {
		if len(words) == 3 || s.Score < shares[0].Score/3 {
			break
		}
		if !strings.Contains(strings.ToLower(strings.Join(words, " ")), strings.ToLower(s.Word)) {
			words = append(words, s.Word)
		}
	}
	return words
}
