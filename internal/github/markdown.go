package github

import (
	"fmt"
	"regexp"
	"strings"
)

var (
	atx         = regexp.MustCompile(`^ {0,3}#{1,6}(?:[ \t]|$)`)
	atxEnd      = regexp.MustCompile(`(?:^|[ \t]+)#+[ \t]*$`)
	underline   = regexp.MustCompile(`^ {0,3}(?:=+|-+)[ \t]*$`)
	frontMatter = regexp.MustCompile(`^---[ \t]*\n(?:[^\n]*\n)*?---[ \t]*(?:\n|$)`)
)

// readMarkdown takes the first heading for the title, in either of Markdown's two
// forms, and the rest for the body. A heading in code or in a comment is none, and
// the lines of front matter, which issue templates have, are left out.
func readMarkdown(name, text string) (Issue, error) {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	skipped := len(frontMatter.FindString(text))
	first := 1 + strings.Count(text[:skipped], "\n")
	lines := strings.Split(text[skipped:], "\n")
	seen := strings.Split(visible(text[skipped:]), "\n")
	at, size := heading(seen)
	if at < 0 {
		return Issue{}, fmt.Errorf("%s:%d: no heading: the first one of a Markdown file is the title of the issue, as in \"# Title\"", name, first)
	}
	title := strings.TrimSpace(lines[at])
	if size == 1 {
		title = strings.TrimSpace(atxEnd.ReplaceAllString(strings.TrimLeft(title, "#"), ""))
	}
	if title == "" {
		return Issue{}, fmt.Errorf("%s:%d: the heading is empty: it is the title of the issue", name, first+at)
	}
	i := Issue{Title: title, Body: strings.TrimSpace(strings.Join(append(lines[:at:at], lines[at+size:]...), "\n"))}
	i.findImages()
	return i, nil
}

// heading gives the first line of the first heading and how many lines it has.
func heading(lines []string) (at, size int) {
	for i, l := range lines {
		switch {
		case atx.MatchString(l):
			return i, 1
		case i > 0 && underline.MatchString(l) && paragraph(lines, i-1):
			return i - 1, 2
		}
	}
	return -1, 0
}

// paragraph says whether line i is a paragraph of its own.
func paragraph(lines []string, i int) bool {
	text := strings.TrimSpace(lines[i])
	return text != "" && !strings.ContainsAny(text[:1], ">-*+|<") && (i == 0 || strings.TrimSpace(lines[i-1]) == "")
}
