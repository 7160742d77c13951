package code

import (
	"bytes"
	"errors"

	"github.com/repomind/repomind/internal/source"
)

var errDeadly = errors.New("nested in a way that the parser may not survive")

const (
	maxTemplates = 200  // strings in each other; the scanner of Kotlin aborts at 1,024
	maxAngles    = 2000 // open "<"; n of them take the parser n² time and memory
)

// deadly tells content that is known to end the process or to take all of its
// memory. It helps those who parse in their own process, and knows the two shapes
// that were met, not all there are: Config.Parser is the cure.
func deadly(lang source.Language, data []byte) bool {
	switch lang {
	case source.Kotlin:
		return templates(data) > maxTemplates
	case source.C, source.CPP, source.CSharp, source.Java, source.Swift:
		return angles(data) > maxAngles
	}
	return false
}

// templates is how deep strings are nested in each other by "${", read as the scanner
// of the grammar does, but for comments and character literals.
func templates(data []byte) (deepest int) {
	var open []string // the end of each
	depth := 0
	for i := 0; i < len(data); i++ {
		rest, end := data[i:], ""
		if len(open) > 0 {
			end = open[len(open)-1]
		}
		inside := end != "" && end != "}"
		switch {
		case inside && rest[0] == '\\':
			i++
		case end != "" && bytes.HasPrefix(rest, []byte(end)):
			open = open[:len(open)-1]
			i += len(end) - 1
			if inside {
				depth--
			}
		case inside && bytes.HasPrefix(rest, []byte("${")):
			open = append(open, "}")
			i++
		case !inside && rest[0] == '{':
			open = append(open, "}")
		case !inside && rest[0] == '"':
			quotes := `"`
			if bytes.HasPrefix(rest, []byte(`"""`)) {
				quotes = `"""`
			}
			open = append(open, quotes)
			i += len(quotes) - 1
			depth++
			deepest = max(deepest, depth)
		}
	}
	return deepest
}

// angles is how many "<" are open at once within a statement.
func angles(data []byte) (most int) {
	open := 0
	for _, c := range data {
		switch c {
		case '<':
			open++
			most = max(most, open)
		case '>':
			open = max(open-1, 0)
		case ';', '{', '}':
			open = 0
		}
	}
	return most
}
