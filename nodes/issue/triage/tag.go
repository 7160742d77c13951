package triage

import (
	"regexp"
	"slices"
	"strings"
)

// tagged is a tag: what stands before the number, the number, and what follows.
var tagged = regexp.MustCompile(`^(.*?)[vV]?(\d+(?:[._]\d+){0,3})((?:[-._+]?[A-Za-z][\w.\-+]*)?)$`)

// Tag finds the tag of a version: v1.9.1, 1.9.1, release-1.9.1, project-1.9.1,
// project@1.9.1, rel_1_9_1; 1.9 is 1.9.0, unless there are both. A preview is never taken
// for a release, nor the other way. project is the repository's name. ok is false if no
// tag fits, or several do: v1.2.0 and project-1.2.0 may be of different packages.
func Tag(version string, tags []string, project string) (tag string, ok bool) {
	want := tagged.FindStringSubmatch(strings.TrimSuffix(strings.TrimSpace(version), "+incompatible"))
	if want == nil || want[1] != "" {
		return "", false
	}
	var fits []string
	for _, t := range tags {
		m := tagged.FindStringSubmatch(t)
		if m == nil || !slices.Equal(counts(m[2]), counts(want[2])) || preview(m[3]) != preview(want[3]) {
			continue
		}
		if prefix := canonical(m[1]); m[1] == "" || released[prefix] || owned(prefix, project) {
			fits = append(fits, t)
		}
	}
	return nearest(fits, want[2])
}

// released are the words that projects put before the number.
var released = map[string]bool{"release": true, "releases": true, "rel": true, "version": true, "ver": true, "r": true, "tags": true, "stable": true}

func owned(prefix, project string) bool {
	name := canonical(project)
	return name != "" && (prefix == name || prefix == name+"parent" || prefix == "release"+name || prefix == name+"release")
}

// nearest prefers the tag that is written like the version: v3.5.0 for 3.5.0, if there is
// v3.5 too. Other choices between two are left to nobody.
func nearest(fits []string, version string) (string, bool) {
	for _, exact := range []bool{true, false} {
		var left []string
		for _, t := range fits {
			m := tagged.FindStringSubmatch(t)
			if !exact || strings.ReplaceAll(m[2], "_", ".") == strings.ReplaceAll(version, "_", ".") {
				left = append(left, t)
			}
		}
		if len(left) == 1 || len(left) == 2 && strings.TrimLeft(left[0], "vV") == strings.TrimLeft(left[1], "vV") {
			return left[0], true
		}
	}
	return "", false
}

var marks = strings.NewReplacer("alpha", "a", "beta", "b", "preview", "pre", "-", "", ".", "", "_", "", "+", "")

// preview is the mark of a preview, however it is written: rc.1 is rc1. "" is a release.
func preview(s string) string {
	s = strings.TrimLeft(strings.ToLower(s), "-._+")
	switch s {
	case "final", "release", "ga", "stable":
		return ""
	}
	return marks.Replace(s)
}
