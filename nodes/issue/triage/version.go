package triage

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/mod/semver"

	"github.com/repomind/repomind/internal/github"
)

var (
	// field is a line of a form: a name that ends in version, and a number.
	field = regexp.MustCompile(`(?im)^[\s>*\-_#` + "`" + `|]*([\pL\pN ._/()\-]{0,40}?)\b(?:version|versions|ver|版本号?)\b(?:\s*\(or commit ref\))?(?:\s+(?:used|in use|you are using|of the (?:library|project|package)))?[*_\s` + "`" + `]*[:：=|]?[*_\s` + "`" + `\[x\]]*(?:v|version )?(` + number + `)`)
	// pinned is a line of pip freeze or of a manifest.
	pinned = regexp.MustCompile(`(?im)^[\s>*\-` + "`" + `"']*([A-Za-z][\w.\-]{0,60})["']?\s*(?:==|@|: ?["'^~]*|\s+v?|\s*\()\s*v?(` + number + `)`)
	// said is the project's name and a number, in a sentence.
	said = `\b%s(?:\.js)?\b[\s\-/:]*(?:version\s*|ver\.?\s*|release\s*)?[v=]*(` + number + `)\b`
)

// Version gives the version of the project that an issue names, and the line that does.
// A version of something else, or one that is not clearly of the project, is none.
//
// project is the repository's name, "" for that of the issue's target. A version that is
// said to have worked is not the one to look at: then it is the first that did not.
func Version(is github.Issue, project string) (version, why string) {
	project = cmp.Or(project, is.Target.Repo.Name)
	version, why = named(is, project)
	if r := Regression(is); version != "" && r.Good == version {
		version, why = r.Bad, r.Why
	}
	return version, strings.Join(strings.Fields(why), " ")
}

func named(is github.Issue, project string) (version, why string) {
	body := clip(hidden.ReplaceAllString(clip(is.Body, 2*maxText), ""), maxText)
	name := canonical(project)
	for _, m := range field.FindAllStringSubmatch(body, 50) {
		of := canonical(strings.TrimSpace(m[1]))
		if of == "" || name != "" && (of == name || strings.HasPrefix(of, name)) {
			return m[2], strings.TrimSpace(m[0])
		}
	}
	if name == "" {
		return "", ""
	}
	for _, m := range pinned.FindAllStringSubmatch(body, 2000) {
		if canonical(m[1]) == name {
			return m[2], strings.TrimSpace(m[0])
		}
	}
	re, err := regexp.Compile(`(?i)` + strings.Replace(said, "%s", regexp.QuoteMeta(strings.TrimSuffix(project, ".js")), 1))
	if err != nil {
		return "", ""
	}
	for _, where := range []string{clip(is.Title, 1000), body} {
		if m := re.FindStringSubmatch(where); m != nil {
			return m[1], strings.TrimSpace(m[0])
		}
	}
	return "", ""
}

// canonical is a name without what people write otherwise: Chart.js is chartjs.
func canonical(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// tagged is a tag: what stands before the number, and the number with what follows.
var tagged = regexp.MustCompile(`^(.*?)v?(\d+(?:[._]\d+){0,3})((?:[-._+]?[A-Za-z][\w.\-+]*)?)$`)

// Tag finds the tag of a version: v1.9.1, 1.9.1, release-1.9.1, project-1.9.1,
// pkg@1.9.1, rel_1_9_1. A final version is never taken for a preview of it. Where tags of
// several packages fit, ok is false unless one is the project's own.
func Tag(version string, tags []string, project string) (tag string, ok bool) {
	want := tagged.FindStringSubmatch(strings.TrimSpace(version))
	if want == nil || want[1] != "" && want[1] != "v" {
		return "", false
	}
	type fit struct {
		tag   string
		worth int
	}
	var fits []fit
	for _, t := range tags {
		m := tagged.FindStringSubmatch(t)
		if m == nil || !same(m[2], want[2]) || !strings.EqualFold(suffix(m[3]), suffix(want[3])) {
			continue
		}
		switch prefix := canonical(m[1]); prefix {
		case "":
			fits = append(fits, fit{t, 3})
		case "v", "release", "rel", "version", "ver", "r", "tags":
			fits = append(fits, fit{t, 2})
		case canonical(project):
			fits = append(fits, fit{t, 2})
		default:
			fits = append(fits, fit{t, 0})
		}
	}
	if len(fits) == 0 {
		return "", false
	}
	slices.SortStableFunc(fits, func(a, b fit) int { return cmp.Or(cmp.Compare(b.worth, a.worth), cmp.Compare(len(a.tag), len(b.tag))) })
	if fits[0].worth == 0 {
		return "", false
	}
	return fits[0].tag, true
}

// suffix is the mark of a preview, without what people put before it.
func suffix(s string) string {
	s = strings.TrimLeft(strings.ToLower(s), "-._+")
	if s == "final" || s == "release" || s == "ga" {
		return ""
	}
	return s
}

// same compares numbers; 1.9 is 1.9.0.
func same(a, b string) bool {
	a, b = strings.ReplaceAll(a, "_", "."), strings.ReplaceAll(b, "_", ".")
	if semver.IsValid("v"+a) && semver.IsValid("v"+b) {
		return semver.Compare("v"+a, "v"+b) == 0
	}
	return strings.TrimSuffix(a, ".0") == strings.TrimSuffix(b, ".0")
}
