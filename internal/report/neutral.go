package report

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
)

// neutral makes text of strangers and models harmless in Markdown on GitHub: nothing in
// it mentions a person, refers to or closes an issue, shows an image, leads to another
// host, draws a table or is HTML. Blocks of code, code between backticks and lists stay.
// What is taken apart reads the same.
func neutral(s string) string {
	lines := strings.Split(strings.Trim(clean(s), "\n"), "\n")
	var out []string
	for i := 0; i < len(lines); i++ {
		if end := fenced(lines[i:]); end > 0 {
			language := strings.Trim(lines[i], " `")
			out = append(out, block(language, strings.Join(lines[i+1:i+end], "\n")))
			i += end
			continue
		}
		out = append(out, neutralLine(lines[i]))
	}
	return strings.Join(out, "\n")
}

var (
	opener = regexp.MustCompile("^ {0,3}(`{3,})[^`]*$")
	fence  = regexp.MustCompile("^ {0,3}(`{3,}) *$")
)

// fenced gives the line that ends the block of code that the first line begins, or 0.
func fenced(lines []string) int {
	open := opener.FindStringSubmatch(lines[0])
	if open == nil {
		return 0
	}
	for i, line := range lines[1:] {
		if end := fence.FindStringSubmatch(line); end != nil && len(end[1]) >= len(open[1]) {
			return i + 1
		}
	}
	return 0
}

// block is a block of code at the left margin, where no list can end it early. Its
// fence is longer than any in it.
func block(language, text string) string {
	ticks := strings.Repeat("`", max(3, longest(text, '`')+1))
	if !isWord.MatchString(language) || drawn[strings.ToLower(language)] {
		language = ""
	}
	return fmt.Sprintf("%s%s\n%s\n%s", ticks, language, strings.TrimRight(text, "\n"), ticks)
}

var isWord = regexp.MustCompile(`^[A-Za-z0-9_+#-]{1,20}$`)

// drawn are the languages whose blocks GitHub draws instead of showing them.
var drawn = map[string]bool{"mermaid": true, "math": true, "geojson": true, "topojson": true, "stl": true}

// neutralLine is a line of prose. It may be an item of a list; it is no heading, no
// rule, no head of a table and no code by indentation. Code between backticks ends on
// its line: only so is it certain that GitHub sees the same code as we do.
func neutralLine(line string) string {
	line = strings.TrimRight(strings.ReplaceAll(line, "\t", " "), " ")
	text := strings.TrimLeft(line, " ")
	indent := strings.Repeat(" ", min(3, len(line)-len(text)))
	if !strings.ContainsFunc(text, isWordRune) {
		return indent + entities(text)
	}
	if mark := marker.FindString(text); mark != "" {
		return indent + strings.Replace(strings.TrimRight(mark, " "), "*", "-", 1) + " " + neutralLine(text[len(mark):])
	}
	if strings.HasPrefix(text, "#") {
		return indent + "\\" + inline(text, false)
	}
	return indent + inline(text, false)
}

// marker begins an item of a list.
var marker = regexp.MustCompile(`^(?:[-+*]|[0-9]{1,9}[.)]) +`)

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// cell is a text for a cell of a table.
func cell(s string) string { return inline(oneLine(s), true) }

// inline is one line of text. In a table the pipe ends a cell even inside of code, and
// a backslash counts there in other ways than elsewhere, so such code becomes HTML.
func inline(s string, table bool) string {
	var b strings.Builder
	for {
		open := strings.IndexByte(s, '`')
		if open < 0 {
			return b.String() + harmless(s)
		}
		b.WriteString(harmless(s[:open]))
		s = s[open:]
		ticks := len(s) - len(strings.TrimLeft(s, "`"))
		end := closing(s[ticks:], ticks)
		if end < 0 { // no code: the ticks are signs like others
			b.WriteString(strings.Repeat("\\`", ticks))
			s = s[ticks:]
			continue
		}
		end += ticks
		if code := s[ticks:end]; table && strings.ContainsAny(code, "|\\") {
			b.WriteString(htmlCode(strings.TrimSpace(code)))
		} else {
			b.WriteString(s[:end+ticks])
		}
		s = s[end+ticks:]
	}
}

// closing finds a run of exactly n ticks.
func closing(s string, n int) int {
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
	address = regexp.MustCompile(`(?i)(:)(//)|(www)(\.)`)
	signs   = strings.NewReplacer("\\", "\\\\", "<", "&lt;", ">", "&gt;", "&", "&amp;", "|", "&vert;",
		"[", "\\[", "]", "\\]", "*", "\\*", "_", "\\_", "~", "\\~", "$", "\\$")
)

// gap is an empty comment: GitHub shows nothing, and takes apart what it stands in.
const gap = "<!-- -->"

// harmless is prose without code.
func harmless(s string) string {
	s = signs.Replace(s)
	s = mention.ReplaceAllString(s, "@"+gap+"$1")
	s = ref.ReplaceAllString(s, "$1"+gap+"$2")
	return address.ReplaceAllString(s, "$1$3"+gap+"$2$4")
}
