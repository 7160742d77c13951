package dependency

import "strings"

// defines are the words that stand before the name of a definition, and before those
// words may stand the others.
var (
	defines = set("def class func function fn struct enum trait interface type impl const module macro_rules! object protocol")
	before  = set("export default pub pub(crate) pub(super) public private protected static async unsafe abstract final extern inline declare override virtual open data sealed")
)

func set(words string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		out[w] = true
	}
	return out
}

// maxDefined is how many names of one chunk count.
const maxDefined = 50

// defined gives the names that a text seems to define, told by the words at the start
// of its lines, as it is not parsed.
func defined(body string) string {
	var out []string
	for line := range strings.Lines(body) {
		if name := definedIn(line); name != "" && len(out) < maxDefined {
			out = append(out, name)
		}
	}
	return strings.Join(out, " ")
}

func definedIn(line string) string {
	for range 6 {
		line = strings.TrimLeft(line, " \t")
		end := strings.IndexAny(line, " \t")
		if end < 0 {
			return ""
		}
		word := line[:end]
		line = line[end+1:]
		if defines[word] {
			return firstName(line)
		} else if !before[word] {
			return ""
		}
	}
	return ""
}

// firstName is the identifier that a text begins with, behind a receiver as Go has it.
func firstName(s string) string {
	s = strings.TrimLeft(s, " \t*")
	if strings.HasPrefix(s, "(") {
		_, rest, _ := strings.Cut(s, ")")
		s = strings.TrimLeft(rest, " \t")
	}
	end := strings.IndexFunc(s, func(r rune) bool {
		return r != '_' && r != '$' && (r < '0' || r > '9') && (r|0x20 < 'a' || r|0x20 > 'z') && r < 0x80
	})
	if end < 0 {
		return s
	}
	return s[:end]
}
