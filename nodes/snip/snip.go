// Package snip cuts texts to what a prompt or a report has room for.
package snip

import (
	"fmt"
	"strings"
)

// Middle leaves out the middle of a text that is too long, at lines where it can: what
// went wrong stands at the beginning, and the end of a trace at its end.
func Middle(text string, most int) string {
	if len(text) <= most {
		return text
	}
	head, tail := text[:most*2/3], text[len(text)-most/3:]
	if i := strings.LastIndexByte(head, '\n'); i > most/2 {
		head = head[:i]
	}
	if i := strings.IndexByte(tail, '\n'); i >= 0 && i < len(tail)/2 {
		tail = tail[i+1:]
	}
	return fmt.Sprintf("%s\n[… %d bytes left out …]\n%s", strings.ToValidUTF8(head, ""), len(text)-len(head)-len(tail), strings.ToValidUTF8(tail, ""))
}

// Clip cuts a text at the end.
func Clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// Squeeze makes one line of a text, with single blanks.
func Squeeze(text string) string { return strings.Join(strings.Fields(text), " ") }

// Numbered are lines with their numbers, for a model that reads them.
func Numbered(start int, lines []string) string {
	var b strings.Builder
	for i, line := range lines {
		fmt.Fprintf(&b, "%5d  %s\n", start+i, Clip(line, 300))
	}
	return b.String()
}
