package code

import (
	"strings"

	"github.com/repomind/repomind/internal/source"
)

// Types are kept as they are written. These functions read as much of that as is
// needed to follow a value: which named types a value may have, and what it holds.

// wrappers are generic types whose members are those of their argument, as far as a
// reader of the code is concerned.
var wrappers = map[string]bool{
	"Optional": true, "Union": true, "ClassVar": true, "Final": true, "Annotated": true, "Awaitable": true,
	"Required": true, "NotRequired": true, "ReadOnly": true, "Type": true, "type": true,
	"Promise": true, "Readonly": true, "Partial": true, "NonNullable": true, "MutableRefObject": true,
	"Box": true, "Arc": true, "Rc": true, "Option": true, "Result": true, "RefCell": true, "Cell": true,
	"Mutex": true, "RwLock": true, "Pin": true, "MutexGuard": true, "Ref": true, "RefMut": true, "Cow": true, "Weak": true,
	"CompletableFuture": true, "unique_ptr": true, "shared_ptr": true,
}

// typeNames are the names that the text of a type allows its values to have.
func typeNames(text string, depth int) []string {
	text = strings.Trim(text, " '\"")
	for _, sign := range []string{"*", "&", ":", "'"} {
		text = strings.TrimSpace(strings.TrimPrefix(text, sign))
	}
	for _, word := range []string{"mut ", "dyn ", "impl ", "const ", "readonly ", "final ", "struct "} {
		text = strings.TrimPrefix(text, word)
	}
	if text == "" || depth > 6 || len(text) > 2*maxText {
		return nil
	}
	if parts := split(text, '|'); len(parts) > 1 {
		return each(parts, depth)
	}
	open := strings.IndexAny(text, "[<(")
	if open < 0 {
		return []string{strings.TrimRight(text, "*&? ")}
	}
	end := closing(text[open:])
	name := strings.TrimSuffix(text[:open], "::")
	switch {
	case end < 0, text[open] == '(', open == 0: // a function, a slice
		return nil
	case text[open] == '[' && open+1 < len(text) && text[open+1] == ']': // T[]
		return nil
	case wrappers[last(name)]:
		return each(split(text[open+1:open+end], ','), depth)
	}
	return []string{name}
}

func each(parts []string, depth int) (out []string) {
	for i, p := range parts {
		if p != "" && i < 10 {
			out = append(out, typeNames(p, depth+1)...)
		}
	}
	return out
}

// last is the part of a dotted name behind the last dot.
func last(name string) string {
	if i := strings.LastIndexAny(name, ".:"); i >= 0 {
		return name[i+1:]
	}
	return name
}

// elements is the text of the types that a container of a type holds: index 0 for
// what a loop gives, 1 and 2 for the first and second of a pair, and -1 for what an
// index gives.
func elements(text string, lang source.Language, index int) string {
	text = strings.Trim(text, " '\"*&")
	if len(text) > 2*maxText {
		return ""
	}
	if lang == source.Go {
		return goElement(text, index)
	}
	if parts := split(text, '|'); len(parts) > 1 { // Optional containers
		for _, p := range parts {
			if e := elements(p, lang, index); e != "" {
				return e
			}
		}
		return ""
	}
	if t, ok := strings.CutSuffix(text, "[]"); ok {
		return t
	}
	open := strings.IndexAny(text, "[<")
	if open < 0 {
		return ""
	}
	end := closing(text[open:])
	if end < 0 {
		return ""
	}
	if open == 0 { // [T] and [T; n] of Rust
		t, _, _ := strings.Cut(text[1:end], ";")
		return t
	}
	return argument(last(strings.TrimSuffix(text[:open], "::")), split(text[open+1:open+end], ','), lang, index)
}

// argument is the one of the type arguments that elements asks for.
func argument(name string, args []string, lang source.Language, index int) string {
	pairs := len(args) > 1 && (strings.Contains(strings.ToLower(name), "dict") || strings.Contains(name, "Map"))
	switch {
	case wrappers[name]:
		return elements(args[0], lang, index)
	case pairs && (index == -1 || index == 2 || index == 0 && lang != source.Python):
		return args[1]
	case pairs:
		return args[0]
	case index > 0 && len(split(args[0], ',')) == 1: // of each tuple in a list
		return elements(args[0], lang, -index-1)
	case index >= -1:
		return args[0]
	case -index-2 < len(args) && strings.EqualFold(name, "tuple"):
		return args[-index-2]
	}
	return ""
}

func goElement(text string, index int) string {
	switch {
	case strings.HasPrefix(text, "[]"):
		if index == 1 {
			return "int"
		}
		return text[2:]
	case strings.HasPrefix(text, "..."):
		return text[3:]
	case strings.HasPrefix(text, "<-chan "), strings.HasPrefix(text, "chan<- "):
		return text[7:]
	case strings.HasPrefix(text, "chan "):
		return text[5:]
	case strings.HasPrefix(text, "map["):
		end := closing(text[3:])
		if end < 0 {
			return ""
		}
		if index == 1 {
			return text[4 : 3+end]
		}
		return text[3+end+1:]
	case strings.HasPrefix(text, "["):
		if end := closing(text); end > 0 {
			return text[end+1:]
		}
	}
	return ""
}

// nth is one of the results that a type text lists: (A, error), tuple[A, B].
func nth(text string, lang source.Language, index int) string {
	text = strings.TrimSpace(text)
	if len(text) > 2*maxText {
		return ""
	}
	if lang == source.Go && strings.HasPrefix(text, "(") {
		parts := split(strings.TrimSuffix(text[1:], ")"), ',')
		if index >= len(parts) {
			return ""
		}
		for i := index; i < len(parts); i++ { // (a, b T): the type stands behind the last name
			if _, typ, named := strings.Cut(parts[i], " "); named && !strings.HasPrefix(parts[i], "chan ") && !strings.HasPrefix(parts[i], "<-chan") && !strings.HasPrefix(parts[i], "func") {
				return strings.TrimSpace(typ)
			}
		}
		return parts[index]
	}
	open := strings.IndexAny(text, "[(")
	if open >= 0 && (open == 0 || strings.EqualFold(last(text[:open]), "tuple")) {
		if end := closing(text[open:]); end > 0 {
			if parts := split(text[open+1:open+end], ','); index < len(parts) {
				return parts[index]
			}
			return ""
		}
	}
	if lang == source.Go && index == 0 {
		return text
	}
	return ""
}

// foreign says that a type of this name is certainly not of the repository, unless
// the repository defines it.
func foreign(name string, lang source.Language) bool {
	return builtinTypes[name] || lang == source.Go && len(name) > 0 && name == strings.ToLower(name) && goTypes[name]
}

var builtinTypes = words(`str int float bool bytes list dict set tuple frozenset object None bytearray complex
List Dict Set Tuple FrozenSet Sequence Iterable Iterator Mapping MutableMapping Callable Generator DefaultDict defaultdict OrderedDict deque Counter
string number boolean Array Map Set Record void unknown undefined Date RegExp Function Error Event Element HTMLElement
String Integer Long Double Boolean Object Vec HashMap HashSet BTreeMap BTreeSet i8 i16 i32 i64 u8 u16 u32 u64 usize isize f32 f64 char
Pattern Match Path`)

var goTypes = words(`string int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 uintptr float32 float64 complex64 complex128 bool byte rune error any`)

func words(s string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(s) {
		m[w] = true
	}
	return m
}
