package issue

import (
	"strings"

	"github.com/repomind/repomind/nodes/snip"
)

// said is what stands in an issue: with single blanks, in lower case.
type said string

func (s State) said() said {
	var b strings.Builder
	b.WriteString(s.Issue.Title + "\n" + s.Issue.Body)
	for _, c := range s.Issue.Comments {
		b.WriteString("\n" + c.Body)
	}
	for _, p := range s.Images {
		b.WriteString("\n" + p.Text)
	}
	return said(strings.ToLower(snip.Squeeze(b.String())))
}

// words says whether a quote stands there, its own quotation marks and gaps aside.
func (s said) words(quote string) bool {
	found := false
	for part := range strings.SplitSeq(strings.ReplaceAll(quote, "…", "..."), "...") {
		part = strings.ToLower(snip.Squeeze(strings.Trim(strings.TrimSpace(part), "\"'“”‘’`.")))
		if part == "" {
			continue
		}
		if !strings.Contains(string(s), part) {
			return false
		}
		found = true
	}
	return found
}

// version is a version if it stands there, else "".
func (s said) version(v string) string {
	if v = strings.TrimSpace(v); v == "" || !strings.Contains(string(s), strings.ToLower(strings.TrimPrefix(v, "v"))) {
		return ""
	}
	return v
}
