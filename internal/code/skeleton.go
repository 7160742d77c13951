package code

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/source"
)

// signatureLines are the ranges of lines that the signatures of definitions take,
// merged and in order.
func signatureLines(defs []def) [][2]int {
	var spans [][2]int
	for _, d := range defs {
		spans = append(spans, [2]int{int(d.start), int(max(d.sigEnd, d.name0))})
	}
	slices.SortFunc(spans, func(a, b [2]int) int { return a[0] - b[0] })
	var out [][2]int
	for _, s := range spans {
		if n := len(out); n > 0 && s[0] <= out[n-1][1]+1 {
			out[n-1][1] = max(out[n-1][1], s[1])
			continue
		}
		out = append(out, s)
	}
	return out
}

const maxSkeleton = 64 << 10

// Skeleton is a file without the bodies of its functions: the lines of all
// signatures, each with its number, and "…" where lines are left out. What is past
// 64 KB is left out as well. The error is ErrLanguage, or that of the parser.
func Skeleton(path string, data []byte) (string, error) {
	r, lang, err := parse(path, data)
	if err != nil {
		return "", err
	}
	defer r.close()
	f := r.facts(lang, data)
	if f.skip != "" {
		return "", fmt.Errorf("skeleton of %s: %s", source.Quote(path), f.skip)
	}
	return skeleton(data, signatureLines(f.outlined())), nil
}

// outlined are the definitions that an outline shows: an attribute that a method
// assigns is not a declaration.
func (f *facts) outlined() []def {
	return slices.DeleteFunc(slices.Clone(f.defs), func(d def) bool { return d.flags&isAssigned != 0 })
}

func skeleton(data []byte, spans [][2]int) string {
	lines := bytes.Split(data, []byte("\n"))
	var b strings.Builder
	next := 1
	for _, s := range spans {
		if s[0] > next {
			b.WriteString("…\n")
		}
		for n := s[0]; n <= s[1] && n <= len(lines) && b.Len() < maxSkeleton; n++ {
			line := strings.ToValidUTF8(string(bytes.TrimRight(lines[n-1][:min(len(lines[n-1]), 300)], "\r")), "\uFFFD")
			fmt.Fprintf(&b, "%d: %s\n", n, line)
		}
		next = s[1] + 1
	}
	if next < len(lines) {
		b.WriteString("…\n")
	}
	return b.String()
}
