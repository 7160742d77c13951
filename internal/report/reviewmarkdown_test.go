package report

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
)

// everywhere is a review that has a text in all places where others may write one.
func everywhere(text string) Review {
	finding := func(p Progress, s Side) Finding {
		return Finding{ID: text, Lens: LensLogic, Rule: text, Severity: High, Path: text, Side: s, Start: 1, End: 2, Symbol: text, Quote: text, Message: text, Why: text, Suggestion: text + "\n" + text, Progress: p}
	}
	return Review{
		Tool: Tool{Name: text}, RunID: text, Lang: "en", Verdict: RequestChanges, VerdictWhy: []string{text, text},
		Subject:  Compared{Subject: Subject{Repo: text, Title: text}, Author: text},
		Coverage: Coverage{Skipped: []Skipped{{text, text, true}, {text, text, false}}},
		Findings: []Finding{finding(New, Right), finding(New, Left), finding(StillOpen, Right), finding(CannotTell, Left), finding(Resolved, Right)},
		Settles:  []Settles{{text, "no", text}}, Critic: []string{text}, CriticBefore: []string{text},
		Checked: Checked{Claims: 1, Removed: []string{text}}, Warnings: []string{text},
	}
}

// own is the HTML that is ours.
var own = regexp.MustCompile("</?(?:details|summary|sub)>")

func markdownOf(t *testing.T, text string) (prose string, tags int) {
	t.Helper()
	var b bytes.Buffer
	if err := writeReviewMarkdown(&b, everywhere(text), Options{}); err != nil {
		t.Fatal(err)
	}
	prose = withoutCode(t, b.String())
	return own.ReplaceAllString(prose, ""), len(own.FindAllString(prose, -1))
}

// Nothing in a review that is posted reaches a person or an issue, and all that is
// folded is folded as it is without what strangers write.
func FuzzReviewMarkdown(f *testing.F) {
	for _, s := range []string{"@me fixes #1 `code` ![x](http://a) <b>", "</details>", "`` ` @me", "```\n@me", "a|b\\|`|`", "</code>@me#1", "www.a.b GH-1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if oneLine(text) == "" {
			return
		}
		prose, tags := markdownOf(t, text)
		for line := range strings.Lines(prose) {
			if strings.HasPrefix(line, "|") { // a row of ours
				line = strings.ReplaceAll(line, "|", "")
			}
			if bad := live.FindString(line); bad != "" {
				t.Errorf("%q gives %q, which has %q", text, line, bad)
			}
		}
		if _, want := markdownOf(t, "x"); tags != want {
			t.Errorf("%q has %d tags, want %d", text, tags, want)
		}
	})
}

// A suggestion shows what it changes, and what stays around that.
func TestHunk(t *testing.T) {
	for _, tt := range []struct{ old, fresh, want string }{
		{"a\nb\nc", "a\nx\ny\nc\n", " 5a -6b +0x +0y  7c"},
		{"a\nb", "a\nb\nc", " 5a  6b +0c"},
		{"b\nc", "a\nb\nc", "+0a  5b  6c"},
		{"a\nb\nc", "c", "-5a -6b  7c"},
		{"a\na", "a", " 5a -6a"},
		{"a\nb", "", " 5a  6b"},
		{"", "a", "+0a"},
		{"a", "a", " 5a"},
		{"", "", ""},
	} {
		var got []string
		for _, l := range (Finding{Start: 5, Quote: tt.old, Suggestion: tt.fresh}).hunk() {
			got = append(got, string(l.sign)+string(rune('0'+l.number))+l.text)
		}
		if joined := strings.Join(got, " "); joined != tt.want {
			t.Errorf("%q to %q is %q, want %q", tt.old, tt.fresh, joined, tt.want)
		}
	}
}
