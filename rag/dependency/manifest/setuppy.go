package manifest

import (
	"regexp"
	"strings"
)

// readSetupCfg reads the options of setuptools: install_requires, setup_requires,
// tests_require, and every extra.
func readSetupCfg(w *writer, data []byte) error {
	section, key := "", ""
	w.lines(data, func(no int, text string) {
		trimmed := strings.TrimSpace(uncomment(text))
		switch {
		case trimmed == "" || trimmed[0] == ';':
			return
		case trimmed[0] == '[' && strings.HasSuffix(trimmed, "]"):
			section, key = strings.Trim(trimmed, "[]"), ""
			return
		case text[0] != ' ' && text[0] != '\t':
			cut := strings.IndexAny(trimmed, "=:")
			if cut < 0 {
				key = ""
				return
			}
			key, trimmed = strings.TrimSpace(trimmed[:cut]), strings.TrimSpace(trimmed[cut+1:])
		}
		if trimmed == "" || !asks(section, key) {
			return
		}
		if file, ok := strings.CutPrefix(trimmed, "file:"); ok {
			w.include(strings.TrimSpace(file))
			return
		}
		w.addPEP508(no, trimmed)
	})
	return nil
}

func asks(section, key string) bool {
	switch section {
	case "options":
		return key == "install_requires" || key == "setup_requires" || key == "tests_require"
	case "options.extras_require":
		return true
	}
	return false
}

var setupKey = regexp.MustCompile(`\b(?:install_requires|tests_require|setup_requires|extras_require|[A-Za-z_]*(?:requires|requirements|REQUIRES|REQUIREMENTS|REQUIRED)[A-Za-z_]*)\s*(?::[^=\n]{0,40})?=\s*([\[({])`)

// readSetupPy reads the string literals of lists that are named as requirements are.
// Nothing is run: a list that a program computes is not seen.
func readSetupPy(w *writer, data []byte) error {
	s := string(data)
	done := 0
	line, counted := 1, 0
	for _, m := range setupKey.FindAllStringSubmatchIndex(s, -1) {
		if m[2] < done {
			continue
		}
		line += strings.Count(s[counted:m[2]], "\n")
		counted = m[2]
		done = w.literals(s, m[2], line)
	}
	return nil
}

// literals adds the strings between a bracket and the one that closes it, but for the
// keys of dictionaries, and gives where that is.
func (w *writer) literals(s string, i, line int) int {
	for depth := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '\n':
			line++
		case '[', '(', '{':
			depth++
		case ']', ')', '}':
			if depth--; depth == 0 {
				return i
			}
		case '#':
			for i+1 < len(s) && s[i+1] != '\n' {
				i++
			}
		case '"', '\'':
			end := literalEnd(s, i)
			text := s[min(i+1, end):end]
			rest := strings.TrimLeft(s[min(end+1, len(s)):], " \t")
			if !strings.HasPrefix(rest, ":") && !strings.HasPrefix(text, `"`) && text != "" {
				w.addPEP508(line, text)
			}
			line += strings.Count(s[i:end], "\n")
			i = end
		}
	}
	return i
}

// literalEnd is where the string that begins at i has its closing mark.
func literalEnd(s string, i int) int {
	for j := i + 1; j < len(s); j++ {
		switch s[j] {
		case '\\':
			j++
		case s[i]:
			return j
		case '\n':
			return j - 1
		}
	}
	return len(s)
}
