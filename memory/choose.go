package memory

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// choose gives those lessons that fit, the best first and of equal ones the newest.
func choose(q Query, lessons []Lesson, m *meaning) (fit []Recalled, err error) {
	words, err := alike(q, lessons)
	if err != nil {
		return nil, err
	}
	shared := newShared(q.Files, lessons)
	for i, l := range lessons {
		if r := weigh(l, words[i], shared.of(l), m); r.Score >= leastScore {
			fit = append(fit, r)
		}
	}
	slices.SortStableFunc(fit, func(a, b Recalled) int { return cmp.Compare(b.Score, a.Score) })
	return fit[:min(len(fit), cmp.Or(max(q.Limit, 0), 3))], nil
}

// leastScore parts lessons that fit from others. It was set on 239 issues of 24
// repositories whose fixes are known, with the issues in the place of lessons: one question
// in ten recalls something, and of that three in five were mended in the same file (by
// chance it is 6 %) and nine in ten in the same folder. testdata/recall_*.golden show what
// it does to other texts.
const leastScore = 0.45

// fileBonus is how much more it counts that a file is in the question and in this lesson
// only.
const fileBonus = 0.2

// weigh is the mean of words and meaning where both are known. Files make more of it, and
// are nothing alone: most issues of a small project share its main file.
func weigh(l Lesson, words likeness, files share, m *meaning) Recalled {
	score := words.score
	near, known := m.near(l)
	if known {
		score = (score + near) / 2
	}
	var why []string
	if len(words.words) > 0 && words.score >= leastScore/2 {
		why = append(why, "similar words: "+strings.Join(words.words, ", "))
	}
	if len(files.names) > 0 {
		why = append(why, "same files: "+strings.Join(files.names, ", "))
	}
	if near >= leastScore {
		why = append(why, "similar meaning")
	}
	return Recalled{l, min(score*(1+fileBonus*files.rarity), 1), strings.Join(why, "; ")}
}

// share is the files that a lesson shares with a question. rarity is from 0, all lessons
// have them, to 1, one has.
type share struct {
	names  []string
	rarity float64
}

// sharing knows how many lessons each file of a question is in.
type sharing struct {
	in  map[string]int
	all int
}

func newShared(asked []string, lessons []Lesson) sharing {
	in := map[string]int{}
	for _, f := range asked {
		in[f] = 0
	}
	for _, l := range lessons {
		for _, f := range l.Files {
			if n, ok := in[f]; ok {
				in[f] = n + 1
			}
		}
	}
	return sharing{in, len(lessons)}
}

// of names at most three files.
func (s sharing) of(l Lesson) (out share) {
	for _, f := range l.Files {
		n := s.in[f]
		if n == 0 {
			continue
		}
		if len(out.names) < 3 {
			out.names = append(out.names, printable(f))
		}
		out.rarity = max(out.rarity, math.Log(float64(s.all+1)/float64(n))/math.Log(float64(s.all+1)))
	}
	return out
}

// printable quotes a path that would break a line or a terminal.
func printable(path string) string {
	if strings.ContainsFunc(path, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(path)
	}
	return path
}
