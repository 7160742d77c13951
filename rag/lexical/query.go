package lexical

import (
	"math"
	"strings"
)

// Query is words with weights. A copy shares what it holds; add to one of them only.
type Query struct {
	terms []weighted
	at    map[Term]int
}

type weighted struct {
	term   Term
	weight float64
	word   string // as it was first written
}

// Add adds the words of a text. A word that is said n times counts for the root of
// n, up to 4.
func (q *Query) Add(text string, weight float64) {
	var said Query
	words(text, func(w string, t Term) { said.add(t, w, 1) })
	for _, t := range said.terms {
		q.add(t.term, t.word, weight*math.Sqrt(min(t.weight, 4)))
	}
}

// AddPairs adds what every two neighbouring words of a text would be as one
// identifier: "type var" finds TypeVar and type_var.
func (q *Query) AddPairs(text string, weight float64) {
	var buf []byte
	last, lastAt := "", 0
	for i := 0; i < len(text); {
		if classes[text[i]] == other {
			if text[i] != ' ' && text[i] != '-' {
				last = ""
			}
			i++
			continue
		}
		from := i
		for i < len(text) && classes[text[i]] != other {
			i++
		}
		w := strings.Trim(text[from:i], "_")
		if len(w) < 2 || len(w) > maxWord {
			last = ""
			continue
		}
		if last != "" {
			buf = plain(plain(buf[:0], last), w)
			q.add(term(buf), text[lastAt:i], weight)
		}
		last, lastAt = w, from
	}
}

func (q *Query) add(t Term, word string, weight float64) {
	if q.at == nil {
		q.at = map[Term]int{}
	}
	if i, ok := q.at[t]; ok {
		q.terms[i].weight += weight
		return
	}
	q.at[t] = len(q.terms)
	q.terms = append(q.terms, weighted{t, weight, word})
}

// Len is how many different words the query has.
func (q *Query) Len() int { return len(q.terms) }
