package stacktrace

import (
	"path"
	"regexp"
	"strings"
)

// printed is a path as a trace shows it, made comparable.
type printed struct {
	path string // with slashes, without scheme, drive and leading dots; "" is no file
	abs  bool
	web  bool // behind webpack: or a URL
	std  bool // node:internal and the like
}

var (
	scheme    = regexp.MustCompile(`^(?:(?:webpack|webpack-internal|webpack-generated|rsc|turbopack|ng|app|file|vite|capacitor|asset|async|https?|about|tauri|rollup|meteor)://+|webpack:)`)
	builtIn   = regexp.MustCompile(`^(?:node:|ext:|deno:|bun:|internal/|<frozen |<internal:|<__array_function__)`)
	unfiled   = regexp.MustCompile(`^(?:<.*>|\[.*\]|\(.*\)|native|index \d+|debugger eval code|(?:Input In|Cell In).*|_cgo_\w+|.*\bipykernel[_/].*|.*<ipython-input.*)$`)
	drive     = regexp.MustCompile(`^/?[A-Za-z]:/`)
	hostPart  = regexp.MustCompile(`^[^/]*/`)
	tailMarks = regexp.MustCompile(`(?:\?[^/]*|#.*)$`)
)

// clearPath normalises a path.
func clearPath(file string) printed {
	p := strings.ReplaceAll(strings.TrimSpace(file), `\`, "/")
	if builtIn.MatchString(p) {
		return printed{std: true}
	}
	if p == "" || unfiled.MatchString(p) {
		return printed{}
	}
	out := printed{}
	if s := scheme.FindString(p); s != "" {
		out.web = true
		p = tailMarks.ReplaceAllString(p[len(s):], "")
		if strings.HasPrefix(s, "http") {
			if cdn.MatchString(p) {
				p = cdn.ReplaceAllString(p, "node_modules/$1/")
			} else {
				p = hostPart.ReplaceAllString(p, "")
			}
		}
		p = strings.TrimPrefix(p, "(rsc)/")
	}
	if d := drive.FindString(p); d != "" {
		out.abs, p = true, p[len(d):]
	}
	out.abs = out.abs || strings.HasPrefix(p, "/") || strings.HasPrefix(p, "~/")
	p = strings.TrimPrefix(strings.TrimPrefix(p, "~/"), "…/")
	out.path = strings.TrimPrefix(path.Clean("/"+p), "/")
	return out
}

// cdn is how content networks name the packages of npm.
var cdn = regexp.MustCompile(`^(?:cdn\.jsdelivr\.net/npm|unpkg\.com|esm\.sh)/((?:@[\w.-]+/)?[\w.-]+)(?:@[^/]+)?/`)
