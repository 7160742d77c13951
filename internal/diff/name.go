package diff

import "strings"

// gitNames splits "a/x b/y" of git's first line. Without quotes the names may hold blanks;
// then they are equal but for the prefix, or a later line tells them.
func gitNames(s string) (old, path string) {
	if strings.HasPrefix(s, `"`) || strings.HasSuffix(s, `"`) {
		first, rest := quoted(s)
		return stripBoth(unquote(first), unquote(rest))
	}
	for i := range len(s) {
		if s[i] != ' ' {
			continue
		}
		if a, b := stripBoth(s[:i], s[i+1:]); a == b {
			return a, b
		}
	}
	old, path, _ = strings.Cut(s, " ")
	return stripBoth(old, path)
}

// quoted splits two names of which one at least is in quotes.
func quoted(s string) (first, rest string) {
	if !strings.HasPrefix(s, `"`) {
		first, rest, _ = strings.Cut(s, ` "`)
		return first, `"` + rest
	}
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return s[:i+1], strings.TrimPrefix(s[i+1:], " ")
		}
	}
	return s, ""
}

// sideName reads the name of a line of --- or +++; "" is /dev/null. diff puts a tab and a
// date behind it, git a tab alone where the name has a blank.
func sideName(s string) string {
	s = strings.TrimSuffix(s, "\r")
	if strings.HasPrefix(s, `"`) {
		first, _ := quoted(s)
		s = unquote(first)
	} else {
		s, _, _ = strings.Cut(s, "\t")
	}
	if s == "/dev/null" {
		return ""
	}
	return s
}

// stripBoth takes a/ and b/ off, or another pair of prefixes of one letter, as git has
// with diff.mnemonicPrefix; not where only one name has it.
func stripBoth(old, path string) (string, string) {
	if prefixed(old) && prefixed(path) {
		return old[2:], path[2:]
	}
	return old, path
}

func strip(name string) string {
	if prefixed(name) {
		return name[2:]
	}
	return name
}

func prefixed(name string) bool {
	return len(name) > 2 && name[1] == '/' && strings.Contains("abciow", name[:1])
}

var escapes = map[byte]byte{'a': '\a', 'b': '\b', 't': '\t', 'n': '\n', 'v': '\v', 'f': '\f', 'r': '\r', '"': '"', '\\': '\\'}

// unquote reads a name as git quotes it, in C's way with octal bytes. One that is not
// quoted, or not in order, is taken as it is.
func unquote(s string) string {
	if len(s) < 2 || s[0] != '"' || s[len(s)-1] != '"' {
		return s
	}
	var b strings.Builder
	for in := s[1 : len(s)-1]; in != ""; {
		if in[0] != '\\' {
			b.WriteByte(in[0])
			in = in[1:]
			continue
		}
		switch c, known := byte(0), false; {
		case len(in) < 2:
			return s
		case len(in) >= 4 && octal(in[1:4]):
			b.WriteByte((in[1]-'0')<<6 | (in[2]-'0')<<3 | (in[3] - '0'))
			in = in[4:]
		default:
			if c, known = escapes[in[1]]; !known {
				return s
			}
			b.WriteByte(c)
			in = in[2:]
		}
	}
	return b.String()
}

func octal(s string) bool {
	return s[0] >= '0' && s[0] <= '3' && s[1] >= '0' && s[1] <= '7' && s[2] >= '0' && s[2] <= '7'
}
