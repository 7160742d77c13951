package repo

import (
	"bytes"
	"fmt"
	"regexp"
	"regexp/syntax"
)

// pattern finds the lines that match a regular expression. Go's engine takes time
// linear in the text, whatever the expression; most of the text it never sees, as a
// line must hold one of the literals that the expression cannot match without.
type pattern struct {
	re       *regexp.Regexp
	literals []literal // one of them is in every match; none: all lines are tried
	exact    bool      // the expression is literals and nothing else
}

const maxPattern = 2000

// byteOrderMark may stand before the first line, and is no part of it.
var byteOrderMark = []byte("\ufeff")

func compile(expr string, ignoreCase bool) (*pattern, error) {
	if len(expr) > maxPattern {
		return nil, fmt.Errorf("the pattern has %d bytes; at most %d are taken", len(expr), maxPattern)
	}
	if ignoreCase {
		expr = "(?i)" + expr
	}
	re, err := regexp.Compile(expr)
	if err != nil {
		return nil, fmt.Errorf("%w (the syntax is RE2's; escape ( ) [ ] . * + ? \\ to mean themselves)", err)
	}
	tree, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return nil, err
	}
	p := &pattern{re: re}
	p.literals, p.exact = required(tree.Simplify())
	return p, nil
}

// Beyond this many alternatives trying all lines is as fast.
const maxLiterals = 16

// required gives literals of which every match holds at least one, none if that is
// not known; exact says that holding one is enough to match.
func required(re *syntax.Regexp) (literals []literal, exact bool) {
	switch re.Op {
	case syntax.OpLiteral:
		l, ok := newLiteral(string(re.Rune), re.Flags&syntax.FoldCase != 0)
		if !ok {
			return nil, false
		}
		return []literal{l}, true
	case syntax.OpCapture:
		return required(re.Sub[0])
	case syntax.OpPlus:
		literals, _ = required(re.Sub[0])
		return literals, false
	case syntax.OpConcat:
		return concat(re.Sub), false
	case syntax.OpAlternate:
		return alternate(re.Sub)
	}
	return nil, false
}

// concat takes the part that is the rarest: the one whose shortest literal is longest.
func concat(subs []*syntax.Regexp) (best []literal) {
	for _, sub := range subs {
		if l, _ := required(sub); shortest(l) > shortest(best) {
			best = l
		}
	}
	return best
}

func alternate(subs []*syntax.Regexp) (all []literal, exact bool) {
	exact = true
	for _, sub := range subs {
		l, whole := required(sub)
		if len(l) == 0 || len(all)+len(l) > maxLiterals {
			return nil, false
		}
		all, exact = append(all, l...), exact && whole
	}
	return all, exact
}

func shortest(all []literal) int {
	if len(all) == 0 {
		return 0
	}
	n := len(all[0].text)
	for _, l := range all {
		n = min(n, len(l.text))
	}
	return n
}

// lines calls hit with the bounds of each line that matches, in order.
func (p *pattern) lines(data []byte, hit func(start, end int)) {
	if mark := len(data) - len(bytes.TrimPrefix(data, byteOrderMark)); mark > 0 {
		p.lines(data[mark:], func(start, end int) { hit(start+mark, end+mark) })
		return
	}
	if len(p.literals) == 0 || p.folds(data) {
		for start := 0; start < len(data); {
			end := lineEnd(data, start)
			if p.re.Match(bytes.TrimSuffix(data[start:end], []byte("\r"))) {
				hit(start, end)
			}
			start = end + 1
		}
		return
	}
	next := make([]int, len(p.literals)) // where each literal stands next, from pos on
	for i := range next {
		next[i] = -1
	}
	for pos := 0; pos < len(data); {
		at := p.nearest(data, pos, next)
		if at < 0 {
			return
		}
		start := bytes.LastIndexByte(data[:at], '\n') + 1
		end := lineEnd(data, at)
		if p.exact || p.re.Match(bytes.TrimSuffix(data[start:end], []byte("\r"))) {
			hit(start, end)
		}
		pos = end + 1
	}
}

// nearest finds the first literal from pos on; each literal is searched over each
// byte once.
func (p *pattern) nearest(data []byte, pos int, next []int) int {
	first := -1
	for i, l := range p.literals {
		if next[i] < pos {
			if n := l.index(data[pos:]); n >= 0 {
				next[i] = pos + n
			} else {
				next[i] = len(data)
			}
		}
		if next[i] < len(data) && (first < 0 || next[i] < first) {
			first = next[i]
		}
	}
	return first
}

func lineEnd(data []byte, from int) int {
	if n := bytes.IndexByte(data[from:], '\n'); n >= 0 {
		return from + n
	}
	return len(data)
}
