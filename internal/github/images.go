package github

import (
	"cmp"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// An image is ![alt](address "title"), ![alt][label] with "[label]: address" on a
// line of its own, or <img src=address>.
var (
	imageDefinition = regexp.MustCompile(`(?m)^[ \t>]{0,8}\[([^\[\]\n]{1,999})\]:[ \t]*(<[^<>\n]*>|[^\s<>]+)`)
	imageInline     = regexp.MustCompile(`!\[[^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*\]\(\s*(<[^<>\n]*>|[^\s()<>]*(?:\([^\s()<>]*\)[^\s()<>]*)*)(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*\)`)
	imageReference  = regexp.MustCompile(`!\[([^\[\]]{0,999})\](?:\[([^\[\]]{0,999})\])?`)
	imageTag        = regexp.MustCompile(`(?i)<img(?:\s[^<>]*?)?\ssrc\s*=\s*("[^"<>]*"|'[^'<>]*'|[^\s"'<>]+)`)
	escapedMark     = regexp.MustCompile("\\\\([!-/:-@\\[-`{-~])")
)

// Images gives the addresses of the images in some texts of Markdown, in their
// order and each once, without those in code and in HTML comments. Only absolute
// addresses of http and https count. It does not say that an address is safe to
// read: image.Fetcher looks at that.
func Images(markdown ...string) []string {
	var all []string
	seen := map[string]bool{"": true}
	for _, md := range markdown {
		for _, address := range imagesOf(visible(md)) {
			if u := webAddress(address); !seen[u] {
				seen[u] = true
				all = append(all, u)
			}
		}
	}
	return all
}

func imagesOf(md string) []string {
	if !strings.Contains(md, "![") && !strings.Contains(strings.ToLower(md), "<img") {
		return nil
	}
	type found struct {
		at      int
		address string
	}
	var all []found
	for _, m := range imageInline.FindAllStringSubmatchIndex(md, -1) {
		all = append(all, found{m[0], destination(md[m[2]:m[3]])})
	}
	for _, m := range imageTag.FindAllStringSubmatchIndex(md, -1) {
		all = append(all, found{m[0], html.UnescapeString(strings.Trim(md[m[2]:m[3]], `"'`))})
	}
	labels := definitions(md)
	for _, m := range imageReference.FindAllStringSubmatchIndex(md, -1) {
		label := md[m[2]:m[3]]
		if m[4] >= 0 && m[5] > m[4] {
			label = md[m[4]:m[5]]
		}
		if address, ok := labels[normal(label)]; ok {
			all = append(all, found{m[0], address})
		}
	}
	slices.SortStableFunc(all, func(a, b found) int { return cmp.Compare(a.at, b.at) })
	out := make([]string, len(all))
	for i, f := range all {
		out[i] = f.address
	}
	return out
}

// definitions maps labels to addresses; of two for a label the first holds.
func definitions(md string) map[string]string {
	m := map[string]string{}
	for _, d := range imageDefinition.FindAllStringSubmatch(md, -1) {
		if label := normal(d[1]); m[label] == "" {
			m[label] = destination(d[2])
		}
	}
	return m
}

func normal(label string) string { return strings.ToLower(strings.Join(strings.Fields(label), " ")) }

func destination(s string) string {
	if strings.HasPrefix(s, "<") {
		s = strings.Trim(s, "<>")
	}
	return html.UnescapeString(escapedMark.ReplaceAllString(s, "$1"))
}

// webAddress is the normal form of an absolute address of http or https without a
// user name, else "".
func webAddress(s string) string {
	s = strings.TrimSpace(s)
	if strings.HasPrefix(s, "//") {
		s = "https:" + s
	}
	u, err := url.Parse(s)
	if err != nil || len(s) > 2048 || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" || u.User != nil || u.Opaque != "" {
		return ""
	}
	u.Fragment, u.RawFragment = "", ""
	s = u.String()
	if strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) || r == ' ' }) {
		return ""
	}
	return s
}
