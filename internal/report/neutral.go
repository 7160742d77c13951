package report

import (
	"regexp"
	"strings"
)

// neutral makes prose of strangers and models harmless in Markdown on GitHub: nothing in
// it mentions a person, refers to or closes an issue, shows an image, leads to another
// host, or is HTML. Code between backticks stays code. What is taken apart reads the same.
func neutral(s string) string {
	s = printable(s)
	var b strings.Builder
	for {
		open := strings.IndexByte(s, '`')
		if open < 0 {
			b.WriteString(plainProse(s))
			return b.String()
		}
		ticks := len(s[open:]) - len(strings.TrimLeft(s[open:], "`"))
		end := closing(s[open+ticks:], ticks)
		if end < 0 { // no code: the ticks are signs like others
			b.WriteString(plainProse(s[:open]))
			b.WriteString(strings.Repeat("\\`", ticks))
			s = s[open+ticks:]
			continue
		}
		end += open + ticks
		b.WriteString(plainProse(s[:open]))
		b.WriteString(s[open : end+ticks])
		s = s[end+ticks:]
	}
}

// closing finds a run of exactly n ticks, in the same paragraph.
func closing(s string, n int) int {
	if blank := strings.Index(s, "\n\n"); blank >= 0 && n < 3 {
		s = s[:blank]
	}
	for i := 0; i < len(s); {
		if s[i] != '`' {
			i++
			continue
		}
		run := len(s[i:]) - len(strings.TrimLeft(s[i:], "`"))
		if run == n {
			return i
		}
		i += run
	}
	return -1
}

var (
	mention = regexp.MustCompile(`@([A-Za-z0-9])`)
	ref     = regexp.MustCompile(`(?i)(#|GH-)(\d)`)
	address = regexp.MustCompile(`(?i)\b(https?|ftp|mailto|www)([:.])`)
	signs   = strings.NewReplacer("\\", "\\\\", "<", "&lt;", ">", "&gt;", "&", "&amp;", "[", "\\[", "]", "\\]", "!", "\\!", "*", "\\*", "_", "\\_", "~", "\\~")
)

// gap is an empty comment: GitHub shows nothing, and takes apart what it stands in.
const gap = "<!-- -->"

func plainProse(s string) string {
	s = signs.Replace(s)
	s = mention.ReplaceAllString(s, "@"+gap+"$1")
	s = ref.ReplaceAllString(s, "$1"+gap+"$2")
	return address.ReplaceAllString(s, "$1"+gap+"$2")
}
