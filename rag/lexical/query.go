package lexical

import (
	"math"
	"strings"
	"unicode/utf8"
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
// n, up to twice. A weight is from 0 to a million; others count as the nearest, and
// what is no number as 0.
func (q *Query) Add(text string, weight float64) {
	var said Query
	words(text, func(w string, t Term) { said.add(t, w, 1) })
	q.addAll(said, weight)
}

// AddPairs adds what every two neighbouring words of a text would be as one
// identifier: "type var" finds TypeVar and type_var. Weights are those of Add.
func (q *Query) AddPairs(text string, weight float64) {
	var said Query
	var buf [4 * maxWord]byte
	last, lastAt := "", 0
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if !spaced(r) {
			if r != ' ' && r != '-' {
				last = ""
			}
			i += n
			continue
		}
		from := i
		i += prefix(text[i:], spaced)
		w := strings.Trim(text[from:i], "_")
		if len(w) > maxWord || utf8.RuneCountInString(w) < 2 {
			last = ""
			continue
		}
		if last != "" {
			said.add(folded(plain(plain(buf[:0], last), w)), text[lastAt:i], 1)
		}
		last, lastAt = w, from
	}
	q.addAll(said, weight)
}

func (q *Query) addAll(said Query, weight float64) {
	weight = bounded(weight, 1e6)
	for _, t := range said.terms {
		q.add(t.term, t.word, weight*math.Sqrt(min(t.weight, 4)))
	}
}

// bounded is v from 0 to top; 0 for NaN.
func bounded(v, top float64) float64 {
	if v > 0 {
		return min(v, top)
	}
	return 0
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
