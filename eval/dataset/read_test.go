package dataset_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"strings"
	"testing"
	"testing/iotest"
	"unicode"
	"unicode/utf8"

	"github.com/repomind/repomind/eval/dataset"
)

type reader[T any] = func(string, io.Reader, dataset.Limits) iter.Seq2[T, error]

// read gives how many good records come before the first error.
func read[T any](read reader[T], text string, limits dataset.Limits) (n int, err error) {
	for _, err := range read("f", strings.NewReader(text), limits) {
		if err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// lines of testdata, one of which a test spoils.
func lines(t testing.TB, name string) []string {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

// Each row changes one thing in the first record of testdata/cases.jsonl.
func TestCasesRefuse(t *testing.T) {
	good := lines(t, "cases.jsonl")[0]
	for _, tt := range []struct{ old, new, want string }{
		{`"id": "example__shop-12", `, ``, `id "" is missing or is not a name of letters, digits, dots and dashes`},
		{`"id": "example__shop-12"`, `"id": null`, `id "" is missing or is not a name of letters, digits, dots and dashes`},
		{`"id": "example__shop-12"`, `"id": "../x"`, `id "../x" is missing or is not a name of letters, digits, dots and dashes`},
		{`"id": "example__shop-12"`, `"id": 12`, `id holds a number, not a string`},
		{`"id": "example__shop-12"`, `"id": "a", "ID": "b"`, `the field "ID" is there twice`},
		{`"kind": "bug"`, `"kind": "question"`, `kind is "question", neither bug nor feature`},
		{`"kind": "bug"`, `"kind": "bug", "ſource": 1`, `the field "source" is there twice`},
		{`"repo": "example/shop"`, `"repo": "shop"`, `repo: "shop" is not owner/name: "" is not the name of`},
		{`"repo": "example/shop"`, `"repo": "example/shop/x"`, `repo: "example/shop/x" is not owner/name: "shop/x" is not the name of`},
		{`"title": "Total is wrong with two coupons"`, `"title": " "`, `title is missing`},
		{`"body": "With`, `"body": ["With`, `the field "body": invalid character`},
		{`"body": "With two coupons the sum is below zero."`, `"body": false`, `body holds a bool, not a string`},
		{`"base_commit": "a1a1`, `"base_commit": "xyza`, `base_commit: "xyza`},
		{`"base_commit": "a1a1`, `"base_commit": "`, `base_commit: "a1a1`},
		{`"fix_commit": "a2a2`, `"fix_commit": "`, `fix_commit: "a2a2`},
		{`"created_at": "2024`, `"created_at": "last `, `created_at: "last -03-01T10:00:00Z" is not a date`},
		{`"gold_files": ["shop/cart.py"]`, `"gold_files": []`, `gold_files is empty`},
		{`"gold_files": ["shop/cart.py"]`, `"gold_files": "shop/cart.py"`, `gold_files holds a string, not a []string`},
		{`"gold_files": [`, `"gold_files": ["../secret", `, `gold_files: "../secret" is not a clean path from the root`},
		{`"gold_files": [`, `"gold_files": ["/etc/passwd", `, `gold_files: "/etc/passwd" is not a clean path from the root`},
		{`"gold_files": [`, `"gold_files": ["a//b", `, `gold_files: "a//b" is not a clean path from the root`},
		{`"gold_files": [`, `"gold_files": ["a\\b", `, `gold_files: "a\\b" is not a clean path from the root`},
		{`"gold_files": [`, `"gold_files": ["a\u0000", `, `gold_files: "a\x00" is not a clean path from the root`},
		{`"gold_files": [`, `"gold_files": [null, `, `gold_files: "" is not a clean path from the root`},
		{`"gold_files": [`, `"gold_files": ["shop/cart.py", `, `gold_files: "shop/cart.py" is there twice`},
		{`"gold_files": [`, `"gold_files": ["` + strings.Repeat("a", 4097) + `", `, `gold_files: "` + strings.Repeat("a", 120) + `…" is not a clean path`},
		{`"added_files": [`, `"added_files": ["./x"`, `added_files: "./x" is not a clean path from the root`},
		{`["shop/cart.py:Cart.total"]`, `["shop/cart.py"]`, `gold_functions: "shop/cart.py" is not a gold file, a colon and a name`},
		{`["shop/cart.py:Cart.total"]`, `["shop/cart.py#Cart.total"]`, `gold_functions: "shop/cart.py#Cart.total" is not a gold file, a colon and a name`},
		{`["shop/cart.py:Cart.total"]`, `["shop/cart.py:` + strings.Repeat("a", 9000) + `"]`, `gold_functions: "shop/cart.py:` + strings.Repeat("a", 107) + `…" is not a gold file`},
		{`["shop/cart.py:Cart.total"]`, `["shop/cart.py:"]`, `gold_functions: "shop/cart.py:" is not a gold file, a colon and a name`},
		{`["shop/cart.py:Cart.total"]`, `["other.py:Cart.total"]`, `gold_functions: "other.py:Cart.total" is not a gold file, a colon and a name`},
		{`["shop/cart.py:Cart.total"]`, `["shop/cart.py:a", "shop/cart.py:a"]`, `gold_functions: "shop/cart.py:a" is there twice`},
		{`{"file": "shop/cart.py", `, `{"file": "shop/other.py", `, `gold_lines: "shop/other.py" is not among gold_files`},
		{`[10, 12]`, `[12, 10]`, `gold_lines: [12 10] is not [first, last] in shop/cart.py`},
		{`[10, 12]`, `[0, 12]`, `gold_lines: [0 12] is not [first, last] in shop/cart.py`},
		{`[10, 12]`, `[10]`, `gold_lines: [10] is not [first, last] in shop/cart.py`},
		{`[10, 12]`, `[10, 11, 12]`, `gold_lines: [10 11 12] is not [first, last] in shop/cart.py`},
		{`[10, 12]`, `null`, `gold_lines: [] is not [first, last] in shop/cart.py`},
		{`[10, 12]`, `[10, 1000000000]`, `gold_lines: [10 1000000000] is not [first, last] in shop/cart.py`},
		{`[10, 12]`, `[10, 12.5]`, `gold_lines.ranges holds a number 12.5, not a int`},
		{`[10, 12]`, `[10, ` + strings.Repeat("9", 4000) + `]`, `gold_lines.ranges holds a number ` + strings.Repeat("9", 113) + `…, not a int`},
		{`"issue_number": 11`, `"issue_number": -1`, `issue_number or fix_pr is negative`},
		{`"fix_pr": 12`, `"fix_pr": -1`, `issue_number or fix_pr is negative`},
		{`"mentions_gold_file": false, `, ``, `mentions_gold_file is missing`},
		{`"mentions_gold_basename": false`, `"mentions_gold_basename": null`, `mentions_gold_basename is missing`},
		{`"mentions_gold_function": false, `, ``, `mentions_gold_function is missing`},
		{`"mentions_gold_function": false`, `"mentions_gold_function": 0`, `mentions_gold_function holds a number, not a bool`},
	} {
		bad := strings.Replace(good, tt.old, tt.new, 1)
		if bad == good {
			t.Errorf("%s is not in the record", tt.old)
			continue
		}
		n, err := read(dataset.Cases, strings.Replace(good, "shop-12", "shop-1", 1)+"\n"+bad+"\n", dataset.Limits{})
		if n != 1 || err == nil || !strings.HasPrefix(err.Error(), "f:2: "+tt.want) {
			t.Errorf("%s for %s gives %d records and\n%v, want\nf:2: %s", tt.new, tt.old, n, err, tt.want)
		}
	}
}

func TestPullsRefuse(t *testing.T) {
	refuse(t, dataset.Pulls, lines(t, "prs.jsonl")[1], []change{
		{`"kind": "pr"`, `"kind": "bug"`, `kind is "bug", not pr`},
		{`"title": "Drop the old API"`, `"title": ""`, `title is missing`},
		{`"repo": "example/shop"`, `"repo": ""`, `repo: "" is not owner/name: "" is not the name of`},
		{`"base_sha": "d4`, `"base_sha": "`, `base_sha: "d4`},
		{`"head_sha": "d5`, `"head_sha": "`, `head_sha: "d5`},
		{`"created_at": "2024`, `"created_at": "24`, `created_at: "24-06-02T00:00:00Z" is not a date`},
		{`"number": 33`, `"number": -33`, `number is negative`},
		{`"number": 33`, `"fix_commits": ["d"]`, `fix_commits: "d" is not a full commit hash`},
		{`"side": "base"`, `"side": "left"`, `known_defects: side is "left", neither head nor base`},
		{`"file": "shop/api.py"`, `"file": "../api.py"`, `known_defects: "../api.py" is not a clean path from the root`},
		{`[[70, 72]]`, `[[72, 70]]`, `known_defects: [72 70] is not [first, last] in shop/api.py`},
		{`[[70, 72]]`, `[]`, `known_defects: a comment on "shop/api.py" has no lines`},
		{`[[4, 4]]`, `[]`, `other_valid_comments: a comment on "README.md" has no lines`},
		{`[[1, 1]]`, `[[1, 0]]`, `known_non_issues: [1 0] is not [first, last] in shop/api.py`},
	})
}

func TestQuestionsRefuse(t *testing.T) {
	refuse(t, dataset.Questions, lines(t, "questions.jsonl")[0], []change{
		{`"kind": "question"`, `"kind": "bug"`, `kind is "bug", not question`},
		{`"answer": "Set SkipComments."`, `"answer": ""`, `answer is missing`},
		{`"number": 4`, `"number": -4`, `number is negative`},
		{`"relevant_files": ["lexer.go"]`, `"relevant_files": [""]`, `relevant_files: "" is not a clean path from the root`},
		{`"base_commit": "e1`, `"base_commit": "`, `base_commit: "e1`},
	})
}

// change is one fault in a record and what is said of it.
type change struct{ old, new, want string }

func refuse[T any](t *testing.T, reader reader[T], good string, changes []change) {
	t.Helper()
	for _, c := range changes {
		bad := strings.Replace(good, c.old, c.new, 1)
		if _, err := read(reader, bad, dataset.Limits{}); bad == good || err == nil || !strings.HasPrefix(err.Error(), "f:1: "+c.want) {
			t.Errorf("%s for %s gives\n%v, want\nf:1: %s", c.new, c.old, err, c.want)
		}
	}
}

func TestFilesThatAreNotJSONLines(t *testing.T) {
	a := lines(t, "cases.jsonl")[0]
	for _, tt := range []struct {
		name, text string
		n          int
		want       string
	}{
		{"id again", a + "\n" + a, 1, `f:2: id "example__shop-12" is taken by line 1`},
		{"empty line", a + "\n\n", 1, "f:2: the record is not a JSON object"},
		{"a list", "[" + a + "]", 0, "f:1: the record is not a JSON object"},
		{"null", "null", 0, "f:1: the record is not a JSON object"},
		{"byte order mark", "\ufeff" + a, 0, "f:1: the record is not a JSON object"},
		{"two records in a line", a + a, 0, "f:1: invalid character '{' after top-level value"},
		{"cut off", a[:len(a)-1], 0, "f:1: unexpected end of JSON input"},
		{"not UTF-8", strings.Replace(a, "coupons", "coup\xffns", 1), 0, "f:1: the record is not UTF-8"},
		{"too long", a + "\n" + strings.Repeat("x", 5000), 1, "f:2: the record has more than 2000 bytes"},
		{"too long by one", strings.Repeat("x", 2001), 0, "f:1: the record has more than 2000 bytes"},
		{"many records", a + "\n" + strings.Replace(a, "-12", "-13", 1) + "\n" + a, 2, "f:3: there are more than 2 records"},
	} {
		n, err := read(dataset.Cases, tt.text, dataset.Limits{Line: 2000, Records: 2})
		if n != tt.n || err == nil || err.Error() != tt.want {
			t.Errorf("%s: %d records, %v; want %d, %s", tt.name, n, err, tt.n, tt.want)
		}
	}
	for name, text := range map[string]string{"Windows": a + "\r\n", "no last newline": a, "as long as allowed": a + strings.Repeat(" ", 2000-len(a)) + "\n"} {
		if n, err := read(dataset.Cases, text, dataset.Limits{Line: 2000, Records: 2}); n != 1 || err != nil {
			t.Errorf("%s: %d records, %v", name, n, err)
		}
	}
	if n, err := read(dataset.Cases, "", dataset.Limits{}); n != 0 || err != nil {
		t.Errorf("empty: %d records, %v", n, err)
	}
}

func TestARecordHasSoManyFields(t *testing.T) {
	good := lines(t, "cases.jsonl")[0]
	known := strings.Count(good, `": `) - 2 // file and ranges are not fields of the record
	for extra, want := range map[int]string{1000 - known: "", 1001 - known: "f:1: the record has more than 1000 fields"} {
		var more strings.Builder
		for i := range extra {
			fmt.Fprintf(&more, `, "x%d": %d`, i, i)
		}
		_, err := read(dataset.Cases, strings.TrimSuffix(good, "}")+more.String()+"}", dataset.Limits{})
		if (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("%d fields: %v, want %s", known+extra, err, want)
		}
	}
}

func TestReadingStopsWhenTheCallerDoes(t *testing.T) {
	text := lines(t, "cases.jsonl")[0] + "\nnot JSON\n"
	for _, err := range dataset.Cases("f", strings.NewReader(text), dataset.Limits{}) {
		if err != nil {
			t.Error(err)
		}
		break
	}
}

func TestErrorsOfTheReader(t *testing.T) {
	broken := errors.New("the disk is gone")
	text := lines(t, "cases.jsonl")[0] + "\n"
	var got error
	for _, err := range dataset.Cases("my set.jsonl", io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken)), dataset.Limits{}) {
		got = err
	}
	var at *dataset.LineError
	if !errors.Is(got, broken) || !errors.As(got, &at) || at.Line != 2 || got.Error() != "my set.jsonl:2: the disk is gone" {
		t.Errorf("%v", got)
	}
}

func TestLoadSaysWhichFile(t *testing.T) {
	if _, err := dataset.Load("testdata/none.jsonl", dataset.Limits{}, dataset.Cases); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	all, err := dataset.Load("testdata/cases.jsonl", dataset.Limits{Records: 5}, dataset.Cases)
	if want := "read data set: testdata/cases.jsonl:6: there are more than 5 records"; all != nil || err == nil || err.Error() != want {
		t.Errorf("%d records, %v, want %s", len(all), err, want)
	}
}

func FuzzCases(f *testing.F)     { fuzz(f, "cases.jsonl", dataset.Cases) }
func FuzzPulls(f *testing.F)     { fuzz(f, "prs.jsonl", dataset.Pulls) }
func FuzzQuestions(f *testing.F) { fuzz(f, "questions.jsonl", dataset.Questions) }

// fuzz: whatever the file holds, an error names a line of it in one short line of
// plain text, and reading twice gives the same.
func fuzz[T any](f *testing.F, name string, reader reader[T]) {
	for _, line := range lines(f, name) {
		f.Add(line)
		f.Add(line + "\n" + line)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, err := read(reader, text, dataset.Limits{Records: 10})
		again, err2 := read(reader, text, dataset.Limits{Records: 10})
		if n != again || (err == nil) != (err2 == nil) || n > 10 || n > 1+strings.Count(text, "\n") {
			t.Fatalf("%d records, %v; then %d, %v", n, err, again, err2)
		}
		if err == nil {
			return
		}
		var at *dataset.LineError
		if !errors.As(err, &at) || at.Line != n+1 {
			t.Fatalf("%d records, then %v", n, err)
		}
		message := err.Error()
		if len(message) > 2000 || !utf8.ValidString(message) || strings.ContainsFunc(message, unicode.IsControl) {
			t.Fatalf("the message is %q", message)
		}
	})
}
