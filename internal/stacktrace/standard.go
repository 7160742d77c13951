package stacktrace

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

var (
	// Where languages and systems keep their own sources. The group is the path
	// inside of them.
	standards = []struct {
		repo, dir string // the repository that has them, for its own issues
		pattern   *regexp.Regexp
	}{
		{"cpython", "Lib", regexp.MustCompile(`(?:^|/)lib(?:32|64)?/(?:python|pypy)[\d.]+t?/(.+)$`)},
		{"cpython", "Lib", regexp.MustCompile(`(?i)(?:^|/)(?:python[\d.-]*|versions/[\d.abrc]+|(?:mini|ana)conda\d?|envs/[^/]+)/lib/(.+\.py)$`)},
		{"cpython", "Lib", regexp.MustCompile(`(?:^|/)python\d+\.zip/(.+)$`)},
		{"rust", "library", regexp.MustCompile(`^(?:.*/)?(?:rustc/[0-9a-f]+|rustlib/src/rust)/(?:library/|src/lib)?(.+)$`)},
		{"rust", "library", regexp.MustCompile(`^library/((?:std|core|alloc|test|proc_macro)/src/.+)$`)},
		{"ruby", "lib", regexp.MustCompile(`(?:^|/)lib/ruby/(?:site_ruby/)?\d[\d.]*/(.+)$`)},
		{"glibc", "", regexp.MustCompile(`(?:^|/)(?:usr/include|usr/lib/gcc|glibc[\w.-]*|gcc[\w.-]*|compiler-rt[\w.-]*|llvm[\w.-]*)/(?:.*/)?((?:sysdeps|csu|nptl|stdlib|string|libsanitizer|lib|c\+\+|bits|include)/.+)$`)},
		{"glibc", "", regexp.MustCompile(`^(?:src/)?((?:sysdeps|csu|nptl|libsanitizer)/.+)$`)},
		{"runtime", "src", regexp.MustCompile(`^_/src/(?:libraries|coreclr|runtime)/(.+)$`)},
	}
	goRoot  = regexp.MustCompile(`(?i)(?:^|/)(?:goroot|golang|go|go\d[\w.-]*|go-\d[\w.-]*|libexec|x64|\d[\d.]+)/src/(.+)$`)
	nodeOld = strings.Fields("events.js module.js net.js timers.js util.js fs.js buffer.js assert.js child_process.js bootstrap_node.js _stream_readable.js _stream_writable.js _http_client.js _http_server.js http.js https.js path.js vm.js domain.js node.js dgram.js")
	goStd   = strings.Fields("archive bufio bytes cmp compress container context crypto database debug embed encoding errors expvar flag fmt go hash html image index internal io iter log maps math mime net os path plugin reflect regexp runtime slices sort strconv strings structs sync syscall testing text time unicode unique unsafe weak vendor")
)

// standard maps files of a language itself.
func (m *Mapper) standard(f Frame, p printed) (Location, bool) {
	for _, s := range standards {
		g := s.pattern.FindStringSubmatch(p.path)
		if g == nil {
			continue
		}
		if own := path.Join(s.dir, g[1]); m.tree.Repo.Name == s.repo && m.files[own] {
			return Location{Path: own}, true
		}
		return outside(StandardLibrary, ""), true
	}
	if g := goRoot.FindStringSubmatch(p.path); g != nil && p.abs && slices.Contains(goStd, firstPart(g[1])) {
		return m.goStandard(g[1]), true
	}
	if !p.abs && !p.web && slices.Contains(nodeOld, p.path) && !m.files[p.path] {
		return outside(StandardLibrary, ""), true
	}
	if strings.HasPrefix(p.path, "_/") && standardFunction(f.Function) {
		return outside(StandardLibrary, ""), true
	}
	return Location{}, false
}

func (m *Mapper) goStandard(file string) Location {
	if own := "src/" + file; m.tree.Repo.Owner == "golang" && m.tree.Repo.Name == "go" && m.files[own] {
		return Location{Path: own}
	}
	return outside(StandardLibrary, "")
}

func firstPart(p string) string {
	first, _, _ := strings.Cut(p, "/")
	return first
}

var standardNames = regexp.MustCompile(`^(?:System|Microsoft\.(?:AspNetCore|Extensions|CSharp|Win32)|java|javax|jdk|sun|com\.sun|kotlin|kotlinx\.coroutines|scala|groovy\.lang|clojure\.(?:lang|core)|std|core|alloc|__libc_\w+|__GI_\w+|_start|Array|Object|Promise|Function|String|Number|JSON|Map|Set|Generator|AsyncFunction|RegExp|Reflect|NumberFormat)(?:[.:]|$)`)

// standardFunction tells a function of the language itself by its name.
func standardFunction(name string) bool { return standardNames.MatchString(name) }
