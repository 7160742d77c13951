package report

import (
	"slices"
	"strings"
)

// change is a line of a finding's code.
type change struct {
	sign   byte // blank, - or +
	number int  // 0 is none, as for a line that a suggestion adds
	text   string
}

// hunk is what a finding quotes, and how its suggestion would change that.
func (f Finding) hunk() (out []change) {
	old, fresh := splitLines(f.Quote), splitLines(f.Suggestion)
	if fresh == nil {
		fresh = old
	}
	head, tail := same(old, fresh)
	for i, line := range old {
		sign := byte('-')
		if i < head || i >= len(old)-tail {
			sign = ' '
		}
		if i == len(old)-tail {
			out = added(out, fresh[head:len(fresh)-tail])
		}
		out = append(out, change{sign, f.line(i), line})
	}
	if tail == 0 {
		out = added(out, fresh[head:])
	}
	return out
}

// suggested says whether a suggestion changes something.
func suggested(all []change) bool {
	return slices.ContainsFunc(all, func(l change) bool { return l.sign != ' ' })
}

// line is the number of a quoted line; what is of the whole file has none.
func (f Finding) line(i int) int {
	if f.Start == 0 {
		return 0
	}
	return f.Start + i
}

func added(out []change, lines []string) []change {
	for _, line := range lines {
		out = append(out, change{'+', 0, line})
	}
	return out
}

// same counts the lines at both ends that stay.
func same(a, b []string) (head, tail int) {
	most := min(len(a), len(b))
	for head < most && a[head] == b[head] {
		head++
	}
	for tail < most-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	return head, tail
}

// splitLines gives the lines of a code; none if it is empty.
func splitLines(s string) []string {
	if s = strings.TrimRight(clean(s), "\n"); s == "" {
		return nil
	}
	return strings.Split(s, "\n")
}
