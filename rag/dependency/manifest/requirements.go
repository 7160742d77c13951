package manifest

import (
	"path"
	"regexp"
	"strings"
)

// readRequirements reads the format of pip: requirements, -r and -c for other files,
// -e and paths for local projects, URLs, options, comments, lines that go on behind
// a backslash.
func readRequirements(w *writer, data []byte) error {
	var text strings.Builder
	start := 0
	w.lines(data, func(no int, line string) {
		if text.Len() == 0 {
			start = no
		}
		if rest, more := strings.CutSuffix(line, `\`); more && text.Len() < maxLine {
			text.WriteString(rest + " ")
			return
		}
		text.WriteString(line)
		w.requirement(start, text.String())
		text.Reset()
	})
	if text.Len() > 0 {
		w.requirement(start, text.String())
	}
	return nil
}

var (
	pipOption = regexp.MustCompile(`\s--?[a-z].*$`)
	pipFile   = regexp.MustCompile(`^(?:-[rc]|--requirement|--constraint)[\s=]*(\S+)$`)
	pipLocal  = regexp.MustCompile(`^(?:-e|--editable)[\s=]+`)
	pipEgg    = regexp.MustCompile(`[#&]egg=([A-Za-z0-9._-]+)`)
)

func (w *writer) requirement(no int, s string) {
	var egg []string
	if strings.Contains(s, "egg=") { // a hostile file has a million lines, and an expression is slow
		egg = pipEgg.FindStringSubmatch(s)
	}
	s = strings.TrimSpace(uncomment(s))
	if strings.HasPrefix(s, "-") {
		if m := pipFile.FindStringSubmatch(s); m != nil {
			w.include(m[1])
			return
		}
		s = pipLocal.ReplaceAllString(s, "")
	}
	if s == "" || s[0] == '-' {
		return
	}
	if strings.Contains(s, " -") || strings.Contains(s, "\t-") {
		s = strings.TrimSpace(pipOption.ReplaceAllString(s, ""))
	}
	switch {
	case !strings.Contains(s, "@ ") && strings.Contains(s, "://"):
		if egg != nil {
			url, _, _ := strings.Cut(s, "#")
			w.add(no, Requirement{Ecosystem: PyPI, Name: egg[1], URL: url, Direct: true})
		} else {
			w.skip(no, "an address without a name")
		}
	case s[0] == '.' || s[0] == '/' || strings.HasSuffix(s, ".whl") || strings.HasSuffix(s, ".tar.gz"):
		return // a project of the repository itself, whose files are read anyway
	default:
		w.addPEP508(no, s)
	}
}

// uncomment cuts a comment off: what follows a # at the start or behind a blank.
func uncomment(s string) string {
	for from := 0; ; {
		i := strings.IndexByte(s[from:], '#')
		if i < 0 {
			return s
		}
		if i += from; i == 0 || s[i-1] == ' ' || s[i-1] == '\t' {
			return s[:i]
		}
		from = i + 1
	}
}

func (w *writer) include(p string) {
	if dir := w.dir(p); dir != "" && len(w.Includes) < 100 && path.Ext(dir) != "" {
		w.Includes = append(w.Includes, dir)
	}
}
