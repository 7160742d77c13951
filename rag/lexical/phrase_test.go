package lexical_test

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/rag/lexical"
)

func TestPhrasesAreFound(t *testing.T) {
	for _, tt := range []struct {
		code, phrase string
		want         float32
	}{
		{`raise E("cannot open the file")`, "cannot open the file", 1},
		{`raise E('cannot open the file')`, "Cannot open the file!", 1},
		{"f(`cannot open the file`)", "cannot open the file", 1},
		{`cannot open the file`, "cannot open the file", 0}, // not in quotation marks
		{`"cannot open"`, "cannot open", 0},                 // too short
		{`"cannot open the"`, "cannot open the", 1},
		{"\"cannot open\nthe file\"", "cannot open the file", 0},
		{`"cannot open the file`, "cannot open the file", 1}, // goes on in the next line

		// What is filled in breaks the row, on both sides.
		{`"the value of %s is not a number"`, "the value of width is not a number", 1},
		{`"the value of %-10.2f is not a number"`, "the value of 12.50 is not a number", 1},
		{`"the value of %(name)s is not a number"`, "the value of %(name)s is not a number", 1},
		{`"the value of %(some other thing)s is not a number"`, "the value of %s is not a number", 1},
		{`"the value of {self.a.b.c!r:>10} is not a number"`, "the value of 7 is not a number", 1},
		{`f"the value of '{name}' is not a number"`, "the value of 'x' is not a number", 1},
		{`"the value of ${a.b} is not a number"`, "the value of $1 is not a number", 1},
		{`"the value of $name is not a number"`, "the value of 'x' is not a number", 1},
		{`"the value of %v: is not a number"`, "the value of <class 'a'>: is not a number", 1},
		{`"a share of 100% of the files"`, "a share of 99% of the files", 1},
		{`"expected { after name"`, "expected { after name", 0},
		{`"expected { after the name"`, "expected { after the name", 1},
		{`"want a < b for all"`, "want a < b for all", 1},
		{`"if low < all of the others > high"`, "all of the others", 1},
		{`"got {self.a.b.c!r}"`, "self a b c", 0},
		{`"got %(one two three)s"`, "one two three", 0},
		{`"got <one two three>"`, "one two three", 0},
		{`"got %-10f two three"`, "f two three", 0},
		{`"got $one_two two three"`, "two two three", 0},

		// Escapes.
		{`"cannot\nopen\tthe\\file"`, "cannot\nopen\tthe\\file", 1},
		{`"he said \"not this way\" again"`, `he said "not this way" again`, 1},
		{`'you don\'t want to know'`, "you don't want to know", 1},

		// The constant part of a longer message; a half of what it has must be there.
		{`"no such file or directory"`, "no such file or directory: x", 1},
		{`"one two three four"; "four five six seven"`, "one two three four five six seven", 1},
		{`"one two three"`, "one two three four five six seven eight nine", 0},
		{`"one two three four five"`, "one two three four five six seven eight nine", 1},
		{`"größe ist zu klein"`, "größe ist zu klein", 1},
	} {
		x := build(t, lexical.Config{}, bodies("other", tt.code))
		want := lexical.Scores{Docs: []float32{tt.want}, Parts: []float32{0, tt.want}}
		if diff := cmp.Diff(want, x.Phrases([]string{tt.phrase}), near); diff != "" {
			t.Errorf("%s has %q (-want +got):\n%s", tt.code, tt.phrase, diff)
		}
	}
}

func TestPhrasesOfManyDocuments(t *testing.T) {
	x := build(t, lexical.Config{},
		bodies(`"one two three four"`, `"one two three four"`, `"one two three"`),
		bodies(`"two three four"`),
		bodies(`"nine eight seven"`, "one two three four"))
	root := func(n float64) float32 { return float32(1 / math.Sqrt(n)) }
	want := lexical.Scores{
		// Both rows of the first phrase, one, none; in four parts. The second phrase is once.
		Docs:  []float32{root(2), root(2) / 2, 1},
		Parts: []float32{root(4), root(4), root(4) / 2, root(4) / 2, 1, 0},
	}
	if diff := cmp.Diff(want, x.Phrases([]string{"one two three four", "nine eight seven", "x", ""}), near); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]float32{2 * root(2), root(2), 0}, x.Phrases([]string{"one two three four", "one two three four"}).Docs, near); diff != "" {
		t.Errorf("a phrase twice (-want +got):\n%s", diff)
	}
}

// TestPhrasesOfLess: who has less than a half does not make the phrase common.
func TestPhrasesOfLess(t *testing.T) {
	x := build(t, lexical.Config{}, bodies(`"one two three four five six seven"`), bodies(`"one two three four"`), bodies(`"one two three four five"`))
	half := 1 / float32(math.Sqrt2)
	if diff := cmp.Diff([]float32{half, 0, .6 * half}, x.Phrases([]string{"one two three four five six seven"}).Docs, near); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestPhrasesHaveAnEnd(t *testing.T) {
	var words strings.Builder
	for i := range 70 {
		words.WriteString(" " + syllables(uint64(i)))
	}
	x := build(t, lexical.Config{}, bodies(`"`+words.String()+`"`))
	for before, want := range map[int]float32{20: 1, 100: 0} { // the first hundred rows are looked up
		phrase := strings.Repeat("other ", before) + words.String()
		if diff := cmp.Diff([]float32{want}, x.Phrases([]string{phrase}).Docs, near); diff != "" {
			t.Errorf("after %d words (-want +got):\n%s", before, diff)
		}
	}
	long := `"` + strings.Repeat(" one", 1000) + `"`
	if got := build(t, lexical.Config{}, bodies(long)).Phrases([]string{"one one one"}); got.Docs[0] != 0 {
		t.Errorf("a line of %d bytes is read", len(long))
	}
}
