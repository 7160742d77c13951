package manifest

import (
	"regexp"
	"strings"
)

var (
	gradleAsk   = regexp.MustCompile(`^\s*[A-Za-z][\w.]*[\s(]+(?:(?:enforcedPlatform|platform|kotlin)\s*\()?\s*["']([\w.-]+:[\w.-]+)(?::([^"'@:]+))?[^"']*["']`)
	gradleParts = regexp.MustCompile(`group\s*[:=]\s*["']([\w.-]+)["']\s*,\s*name\s*[:=]\s*["']([\w.-]+)["'](?:\s*,\s*version\s*[:=]\s*["']([^"']+)["'])?`)
	gradleSet   = regexp.MustCompile(`^\s*(?:def|val|var|String|const val|ext\.|set\()?\s*["']?([A-Za-z_]\w*)["']?\s*[=,]\s*["']([\w.+-]+)["']`)
	gradleUse   = regexp.MustCompile(`\$\{?([A-Za-z_]\w*)\}?`)
)

// readGradle reads the dependencies of a build file that stand in it as text, with
// versions in variables of the same file.
func readGradle(w *writer, data []byte) error {
	vars := map[string]string{}
	w.lines(data, func(_ int, text string) {
		if m := gradleSet.FindStringSubmatch(text); m != nil && len(text) < 500 {
			vars[m[1]] = m[2]
		}
	})
	w.lines(data, func(no int, text string) {
		if len(text) > 500 || strings.HasPrefix(strings.TrimSpace(text), "//") {
			return
		}
		if m := gradleParts.FindStringSubmatch(text); m != nil {
			w.gradle(no, m[1]+":"+m[2], m[3], vars)
		} else if m := gradleAsk.FindStringSubmatch(text); m != nil {
			w.gradle(no, m[1], m[2], vars)
		}
	})
	return nil
}

func (w *writer) gradle(no int, name, version string, vars map[string]string) {
	version = gradleUse.ReplaceAllStringFunc(version, func(ref string) string {
		if v, ok := vars[strings.Trim(ref, "${}")]; ok {
			return v
		}
		return ref
	})
	w.add(no, mavenAt(name, version, true))
}

func mavenAt(name, version string, direct bool) Requirement {
	r := Requirement{Ecosystem: Maven, Name: name, Constraint: version, Direct: direct}
	if version != "" && !strings.ContainsAny(version, "[](),$+") && !strings.HasPrefix(version, "latest.") {
		r.Version = version
	}
	return r
}

// readGradleLock reads lines of group:artifact:version=configurations.
func readGradleLock(w *writer, data []byte) error {
	w.lines(data, func(no int, text string) {
		what, _, _ := strings.Cut(text, "=")
		if f := strings.Split(what, ":"); len(f) == 3 && text[0] != '#' {
			w.add(no, mavenAt(f[0]+":"+f[1], f[2], false))
		}
	})
	return nil
}

// readCatalog reads the libraries of a version catalog.
func readCatalog(w *writer, data []byte) error {
	root, err := readTOML(data)
	if err != nil {
		return err
	}
	for _, l := range root.get("libraries").members() {
		name, version := l.get("module").string(), l.get("version").string()
		if l.kind == str {
			f := strings.SplitN(l.text, ":", 3)
			name, version = strings.Join(f[:min(2, len(f))], ":"), strings.Join(f[min(2, len(f)):], "")
		} else if name == "" {
			name = l.get("group").string() + ":" + l.get("name").string()
		}
		if ref := l.get("version", "ref").string(); ref != "" {
			version = richVersion(root.get("versions", ref))
		} else if version == "" {
			version = richVersion(l.get("version"))
		}
		if strings.Trim(name, ":") == "" || !strings.Contains(name, ":") {
			w.skip(l.line, "a library without a name")
			continue
		}
		w.add(l.line, mavenAt(name, version, true))
	}
	return nil
}

// richVersion is the strictest that a version declares.
func richVersion(v *node) string {
	for _, key := range []string{"strictly", "require", "prefer"} {
		if s := v.get(key).string(); s != "" {
			return s
		}
	}
	return v.string()
}
