package code

import "strings"

// link is one step of an expression such as a.b(c)[0].d: a name and what is done to
// it.
type link struct {
	name string
	ops  string   // '(' for a call, '[' for an index, '{' for a literal, in order
	args []string // the text in those brackets
}

// chain reads an expression of names, calls and indexes in any of the languages.
// It gives nil for another kind of expression.
func chain(s string) []link {
	if len(s) > 2*maxText {
		return nil
	}
	s = strings.TrimLeft(s, "*&!( \t")
	s = strings.TrimPrefix(s, "await ")
	s, isNew := strings.CutPrefix(s, "new ")
	var out []link
	for len(out) < 20 {
		l, rest, ok := oneLink(s)
		if !ok {
			return nil
		}
		if isNew && l.ops == "" && rest == "" { // new T without brackets
			l.ops, l.args = "(", []string{""}
		}
		out = append(out, l)
		if s, ok = step(rest); !ok {
			if strings.Trim(rest, " )") == "" {
				return out
			}
			return nil
		}
	}
	return nil
}

// oneLink reads a name with the calls, indexes and type arguments behind it.
func oneLink(s string) (l link, rest string, ok bool) {
	n := nameLength(s)
	if n == 0 {
		return link{}, "", false
	}
	l.name, s = s[:n], s[n:]
	for {
		s = strings.TrimLeft(s, " !?")
		if after, ok := typeArguments(s); ok {
			s = after
			continue
		}
		if s == "" || !strings.ContainsRune("([{", rune(s[0])) {
			return l, s, true
		}
		end := closing(s)
		if end < 0 {
			return link{}, "", false
		}
		l.ops += s[:1]
		l.args = append(l.args, s[1:end])
		s = s[end+1:]
	}
}

// typeArguments steps over <T> and ::<T>.
func typeArguments(s string) (rest string, ok bool) {
	open := strings.TrimPrefix(s, "::")
	if open == "" || open[0] != '<' {
		return s, false
	}
	end := closing(open)
	if end < 0 {
		return s, false
	}
	return open[end+1:], true
}

// step takes the sign between two names.
func step(s string) (rest string, ok bool) {
	for _, sign := range []string{"?.", "->", "::", ".", "&."} {
		if rest, ok := strings.CutPrefix(s, sign); ok {
			return strings.TrimLeft(rest, " "), true
		}
	}
	return s, false
}

func nameLength(s string) int {
	for i := range len(s) {
		if c := s[i]; !(c == '_' || c == '$' || c == '@' && i == 0 || c == '#' && i == 0 || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80 || c >= '0' && c <= '9' && i > 0) {
			return i
		}
	}
	return len(s)
}

// closing is where the bracket that s begins with is closed, or -1.
func closing(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '(', '[', '{', '<':
			if c != '<' || s[0] == '<' {
				depth++
			}
		case ')', ']', '}', '>':
			if c == '>' && (s[0] != '<' || i > 0 && (s[i-1] == '-' || s[i-1] == '=')) {
				continue
			}
			if depth--; depth == 0 {
				return i
			}
		case '"', '\'', '`':
			if end := strings.IndexByte(s[i+1:], c); end >= 0 {
				i += end + 1
			}
		}
	}
	return -1
}

// split cuts s at a sign outside of brackets.
func split(s string, sign byte) []string {
	var out []string
	depth, from := 0, 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case strings.IndexByte("([{<", c) >= 0:
			depth++
		case strings.IndexByte(")]}>", c) >= 0:
			if c != '>' || i == 0 || s[i-1] != '-' && s[i-1] != '=' {
				depth--
			}
		case c == sign && depth <= 0:
			out = append(out, strings.TrimSpace(s[from:i]))
			from = i + 1
		}
	}
	return append(out, strings.TrimSpace(s[from:]))
}
