package issue

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/github"
)

const sample = `import os

def save(path, data):
    # keep it
    with open(path, "w") as f:
        f.write(data)

    return path


def load(path):
    with open(path) as f:
        return f.read()
`

func TestFindQuote(t *testing.T) {
	text := newText(strings.Split(sample, "\n"))
	for name, tt := range map[string]struct {
		quote string
		want  []stretch
	}{
		"one line":                   {`with open(path, "w") as f:`, []stretch{{5, 5}}},
		"part of a line":             {`open(path, "w")`, []stretch{{5, 5}}},
		"indented otherwise":         {"\twith   open(path,  \"w\") as f:", []stretch{{5, 5}}},
		"several lines":              {"with open(path, \"w\") as f:\n    f.write(data)\n    return path", []stretch{{5, 8}}},
		"beginning inside a line":    {"as f:\n        return f.read()", []stretch{{12, 13}}},
		"with the listing's lines":   {"    5  with open(path, \"w\") as f:\n    6          f.write(data)", []stretch{{5, 6}}},
		"with a gap":                 {"def save(path, data):\n    ...\n    return path", []stretch{{3, 8}}},
		"with a gap and a mark":      {"def save(path, data):\n    # …\n        f.write(data)", []stretch{{3, 6}}},
		"twice":                      {"as f:", nil}, // too short to say anything
		"in two places":              {"(path) as f:", []stretch{{12, 12}}},
		"not there":                  {"with open(path, 'w') as f:", nil},
		"lines in another order":     {"return path\nf.write(data)", nil},
		"nothing":                    {"  \n ", nil},
		"only a gap":                 {"...", nil},
		"a middle that is not whole": {"def save(path, data):\nwith open(path, \"w\") as\nf.write(data)", nil},
	} {
		if diff := cmp.Diff(tt.want, text.find(parseQuote(tt.quote)), cmp.AllowUnexported(stretch{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func FuzzQuote(f *testing.F) {
	f.Add(sample, "with open(path, \"w\") as f:\n...\nreturn path")
	f.Add("a\r\n\x00\xff", "1  a\n2  b")
	f.Fuzz(func(t *testing.T, file, quote string) {
		lines := strings.Split(file, "\n")
		for _, m := range newText(lines).find(parseQuote(quote)) {
			if m.start < 1 || m.end < m.start || m.end > len(lines) {
				t.Fatalf("found at %d to %d of %d lines", m.start, m.end, len(lines))
			}
		}
	})
}

func TestWhatAnIssueSays(t *testing.T) {
	s := State{Issue: github.Issue{Title: "Broken", Body: "It  worked in\n3.4.1, and since 3.5.0 it does not."}}.said()
	for quote, want := range map[string]bool{
		"it worked in 3.4.1": true, `"It worked in 3.4.1 ... it does not."`: true, "“since 3.5.0”": true,
		"it worked in 9.9": false, "it worked ... since 9": false, "": false, "...": false, `""`: false,
	} {
		if got := s.words(quote); got != want {
			t.Errorf("words(%q) = %v, want %v", quote, got, want)
		}
	}
	for version, want := range map[string]string{"3.4.1": "3.4.1", "v3.5.0": "v3.5.0", "9.9.9": "", "": ""} {
		if got := s.version(version); got != want {
			t.Errorf("version(%q) = %q, want %q", version, got, want)
		}
	}
}
