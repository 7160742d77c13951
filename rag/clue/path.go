package clue

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/repomind/repomind/internal/source"
)

// Path is a file that the issue names, as it names it.
type Path struct {
	Path  string // may be absolute, of another machine, or a file's name alone
	Start int    // line, 0 if none is named
	End   int
	Place Place
}

var (
	link     = regexp.MustCompile(`https?://[^\s<>()\[\]"'` + "`" + `]+`)
	blobLink = regexp.MustCompile(`^https?://[^/]+/[^/]+/[^/]+/(?:blob|blame|tree|raw)/[^/]+/([^?#]+)(?:\?[^#]*)?(?:#L(\d+)(?:C\d+)?(?:-L(\d+))?)?`)
	pathLike = regexp.MustCompile(`(?:[A-Za-z]:)?(?:[\w.@+~-]*[/\\])*[\w@+-][\w.@+-]*\.[A-Za-z]\w{0,9}\b(?::(\d+)|\(?#L(\d+)(?:-L(\d+))?|", line (\d+))?`)
)

func paths(c Clues) []Path {
	var l pathList
	for _, part := range parts(c) {
		text := link.ReplaceAllStringFunc(part.text, func(at string) string {
			if m := blobLink.FindStringSubmatch(at); m != nil {
				l.add(Path{Path: strings.TrimRight(unescaped(m[1]), ".,;:!"), Start: number(m[2]), End: number(m[3]), Place: part.place})
			}
			return " "
		})
		for _, m := range pathLike.FindAllStringSubmatch(text, -1) {
			l.addText(m, part.place)
		}
	}
	return l.paths
}

// unescaped reads what a URL writes with %; what is no such thing stays.
func unescaped(p string) string {
	if plain, err := url.PathUnescape(p); err == nil {
		return plain
	}
	return p
}

type pathList struct {
	paths []Path
	seen  map[string]int
}

func (l *pathList) addText(m []string, place Place) {
	p := m[0]
	if i := strings.IndexAny(p, ":#\"("); i > 1 {
		p = p[:i]
	} else if i >= 0 && strings.IndexAny(p[i+1:], ":#\"(") > 0 { // behind a drive's letter
		p = p[:i+1+strings.IndexAny(p[i+1:], ":#\"(")]
	}
	p = strings.ReplaceAll(p, `\`, "/")
	if source.LanguageOf(p, nil) == "" && !strings.Contains(p, "/") {
		return // a.b is a member more often than a file
	}
	l.add(Path{Path: p, Start: max(number(m[1]), number(m[2]), number(m[4])), End: number(m[3]), Place: place})
}

func (l *pathList) add(p Path) {
	if l.seen == nil {
		l.seen = map[string]int{}
	}
	if at, ok := l.seen[p.Path]; ok {
		if l.paths[at].Start == 0 {
			l.paths[at].Start, l.paths[at].End = p.Start, p.End
		}
		return
	}
	if len(l.paths) < maxEach {
		l.seen[p.Path] = len(l.paths)
		l.paths = append(l.paths, p)
	}
}

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil || n > 10_000_000 {
		return 0
	}
	return n
}
