package diff

import "strings"

// Text is lines start to end of a side, as far as the hunks have them.
func (f File) Text(s Side, start, end int) string {
	var out []string
	for _, h := range f.Hunks {
		for _, l := range h.Lines {
			if n := l.On(s); n > 0 && start <= n && n <= end {
				out = append(out, l.Text)
			}
		}
	}
	return strings.Join(out, "\n")
}

// Match is where a quote stands.
type Match struct {
	Hunk       int // its index
	Side       Side
	Start, End int // lines on that side
	Changed    int // of them, how many were inserted or deleted
}

// Find gives the places of a quote in the hunks of a file: whole lines that follow one
// another on one side, white space at their ends and runs of it aside, and the marks of a
// diff if all lines of the quote have one. The head goes first; the base counts where the
// head has no match, for a quote of deleted lines.
func (f File) Find(quote string) []Match {
	for _, lines := range [][]string{squeezed(quote), squeezed(unmarked(quote))} {
		for _, side := range []Side{Right, Left} {
			if found := f.find(lines, side); len(found) > 0 {
				return found
			}
		}
	}
	return nil
}

func (f File) find(quote []string, side Side) (out []Match) {
	if len(quote) == 0 {
		return nil
	}
	for i, h := range f.Hunks {
		var lines []Line // of the side that say something
		for _, l := range h.Lines {
			if l.On(side) > 0 && strings.TrimSpace(l.Text) != "" {
				lines = append(lines, l)
			}
		}
		for j := 0; j+len(quote) <= len(lines); j++ {
			if m, ok := match(lines[j:j+len(quote)], quote, side); ok {
				m.Hunk = i
				out = append(out, m)
			}
		}
	}
	return out
}

func match(lines []Line, quote []string, side Side) (m Match, ok bool) {
	for i, l := range lines {
		if squeeze(l.Text) != quote[i] {
			return m, false
		}
		if l.Op != Context {
			m.Changed++
		}
	}
	m.Side, m.Start, m.End = side, lines[0].On(side), lines[len(lines)-1].On(side)
	return m, true
}

// squeezed are the lines of a quote that say something, with single blanks.
func squeezed(quote string) (out []string) {
	for line := range strings.SplitSeq(quote, "\n") {
		if line = squeeze(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}

func squeeze(line string) string { return strings.Join(strings.Fields(line), " ") }

// unmarked takes the marks of a diff off a quote; "" if a line has none.
func unmarked(quote string) string {
	lines := strings.Split(strings.Trim(quote, "\r\n"), "\n")
	for i, line := range lines {
		if line == "" {
			continue
		}
		if !strings.Contains(" +-", line[:1]) {
			return ""
		}
		lines[i] = line[1:]
	}
	return strings.Join(lines, "\n")
}
