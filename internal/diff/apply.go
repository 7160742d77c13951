package diff

import (
	"bytes"
	"fmt"
)

// Apply makes the file of the head of that of the base. All lines of the hunks have to be
// there as they are; the error says which is not.
func Apply(old []byte, hunks []Hunk) ([]byte, error) {
	lines := bytes.SplitAfter(old, []byte("\n"))
	if n := len(lines); len(lines[n-1]) == 0 {
		lines = lines[:n-1]
	}
	var out bytes.Buffer
	at := 1
	for _, h := range hunks {
		first := h.Old.first()
		if first < at || first-1 > len(lines) {
			return nil, fmt.Errorf("a hunk begins at line %d, which is not there", first)
		}
		for ; at < first; at++ {
			out.Write(lines[at-1])
		}
		for _, l := range h.Lines {
			if l.Op == Insert {
				out.WriteString(ended(l))
				continue
			}
			if at > len(lines) || string(lines[at-1]) != ended(l) {
				return nil, fmt.Errorf("line %d is not what the hunk says", at)
			}
			if l.Op == Context {
				out.Write(lines[at-1])
			}
			at++
		}
	}
	for ; at <= len(lines); at++ {
		out.Write(lines[at-1])
	}
	return out.Bytes(), nil
}

// ended is a line with its end.
func ended(l Line) string {
	if l.NoEOL {
		return l.Text
	}
	return l.Text + "\n"
}
