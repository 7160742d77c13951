package llm

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/google/jsonschema-go/jsonschema"
)

func (f *fitter) integer(v any, s *jsonschema.Schema, path string) any {
	if n, err := strconv.ParseInt(strings.TrimSpace(plainText(v)), 10, 64); err == nil {
		if _, ok := f.within(float64(n), s, path).(json.Number); !ok {
			return nil
		}
		return json.Number(strconv.FormatInt(n, 10)) // a float would round a long one
	}
	x, ok := asNumber(v)
	if !ok || x != math.Trunc(x) || math.Abs(x) >= 1<<53 {
		return f.fault(path, "want a whole number, got %s", kind(v))
	}
	return f.within(x, s, path)
}

// plainText is a number or a text as it was written, else "".
func plainText(v any) string {
	switch v := v.(type) {
	case json.Number:
		return v.String()
	case string:
		return v
	}
	return ""
}

func (f *fitter) number(v any, s *jsonschema.Schema, path string) any {
	x, ok := asNumber(v)
	if !ok {
		return f.fault(path, "want a number, got %s", kind(v))
	}
	return f.within(x, s, path)
}

func (f *fitter) within(x float64, s *jsonschema.Schema, path string) any {
	if s.Minimum != nil && x < *s.Minimum || s.Maximum != nil && x > *s.Maximum {
		return f.fault(path, "%v is out of range", x)
	}
	return json.Number(strconv.FormatFloat(x, 'f', -1, 64))
}

// asNumber takes a number, one in a text, and a percentage.
func asNumber(v any) (float64, bool) {
	text, scale := strings.TrimSpace(plainText(v)), 1.0
	if t, ok := strings.CutSuffix(text, "%"); ok {
		text, scale = strings.TrimSpace(t), 100
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(x, 0) || math.IsNaN(x) {
		return 0, false
	}
	return x / scale, true
}

// meant finds the one value of an enum that a text means: the value in another
// spelling, its beginning of at least three letters, or the value with more words
// behind it that name no other value.
func meant(text string, enum []any) (string, bool) {
	said := squash(text)
	var short, long []string
	for _, v := range enum {
		value := fmt.Sprint(v)
		want := squash(value)
		switch {
		case said == want:
			return value, true
		case len(said) >= 3 && strings.HasPrefix(want, said):
			short = append(short, value)
		case want != "" && speaks(text, want):
			long = append(long, value)
		}
	}
	if len(short) == 1 {
		return short[0], true
	}
	if len(long) == 1 && leads(text, squash(long[0])) {
		return long[0], true
	}
	return "", false
}

// speaks says whether a word of the text is want.
func speaks(text, want string) bool {
	return slices.ContainsFunc(words(text), func(w string) bool { return squash(w) == want })
}

// leads says whether the first word of the text is want; later ones may deny it.
func leads(text, want string) bool {
	all := words(text)
	return len(all) > 0 && squash(all[0]) == want
}

func words(text string) []string {
	return strings.FieldsFunc(text[:min(len(text), 400)], func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-'
	})
}

// squash leaves the letters and digits of a name, in lower case.
func squash(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s[:min(len(s), 400)])
}

func values(enum []any) string {
	var all []string
	for _, v := range enum {
		all = append(all, fmt.Sprint(v))
	}
	return strings.Join(all, ", ")
}

func join(path, name string) string { return strings.TrimPrefix(path+"."+name, ".") }

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
