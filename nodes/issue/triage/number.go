package triage

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// number is a version: two to four numbers with dots, and the mark of a preview or build.
const number = `\d+(?:\.\d+){1,3}(?:[-._]?(?:rc|cr|alpha|beta|dev|post|preview|pre|snapshot|canary|next|nightly)[-.]?\d*|(?:a|b|c)\d+)?(?:\+\w[\w.]*)?`

var numbers = regexp.MustCompile(`(?i)\bv?(` + number + `)`)

// units follow numbers that are no versions.
var units = regexp.MustCompile(`(?i)^\s*(?:%|°|(?:s|ms|us|ns|secs?|seconds?|mins?|minutes?|hours?|days?|[kmgt]i?b|bytes|px|em|pt|x|times|k)\b)`)

// open is what follows a number that stands for many: 2.7.x, or a build after a release.
var open = regexp.MustCompile(`^(?:\.[xX*]|\+/)`)

// firstNumber finds the first version of a line; end is 0 if there is none.
func firstNumber(line string) (v string, start, end int) {
	for _, at := range numbers.FindAllStringSubmatchIndex(line, 5) {
		if whole(line, at[0], at[3]) {
			return line[at[2]:at[3]], at[0], at[3]
		}
	}
	return "", 0, 0
}

// whole says whether a number is not a part of something longer: an address, a name of a
// file, 2.7.x, or an amount.
func whole(s string, start, end int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:start])
	return !strings.ContainsRune(`.-/\_`, before) && !unicode.IsDigit(before) && ends(s, end)
}

// ends says whether a number ends there.
func ends(s string, end int) bool {
	rest := s[end:]
	if after, size := utf8.DecodeRuneInString(rest); size > 0 && (unicode.In(after, unicode.Latin, unicode.Nd) || after == '_') {
		return false
	}
	return !open.MatchString(rest) && !units.MatchString(clip(rest, 20))
}

// older says whether version a comes before b. A preview comes before what it previews.
func older(a, b string) bool {
	ma, mb := tagged.FindStringSubmatch(a), tagged.FindStringSubmatch(b)
	if ma == nil || mb == nil {
		return false
	}
	if c := slices.Compare(counts(ma[2]), counts(mb[2])); c != 0 {
		return c < 0
	}
	return preview(ma[3]) != "" && preview(mb[3]) == ""
}

// counts are the numbers of a version without zeros at the end: 1.9.0 is 1.9. A number too
// large to be one counts as the largest.
func counts(s string) (out []int) {
	for _, f := range strings.FieldsFunc(s, func(r rune) bool { return r == '.' || r == '_' }) {
		n, _ := strconv.Atoi(f)
		out = append(out, n)
	}
	for len(out) > 0 && out[len(out)-1] == 0 {
		out = out[:len(out)-1]
	}
	return out
}
