package memory

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/repomind/repomind/internal/report"
)

const (
	maxWord = 256 // bytes of what is a name
	classes = "CONFIRMED, LIKELY or INCONCLUSIVE"
)

// prepare checks what tells lessons apart, and brings the rest into the form that is
// stored.
func prepare(l Lesson) (Lesson, error) {
	l.IssueKind = report.Kind(text(string(l.IssueKind), maxWord))
	l.Title, l.Text = text(l.Title, MaxTitle), text(l.Text, MaxText)
	l.Commit = text(l.Commit, maxWord)
	l.Files = paths(l.Files)
	l.Saved = l.Saved.UTC().Truncate(time.Millisecond)
	switch {
	case !name(l.Run, maxWord):
		return l, fmt.Errorf("run %s: want 1 to %d bytes of UTF-8: %w", quote(l.Run), maxWord, ErrInvalid)
	case strings.TrimSpace(l.Text) == "":
		return l, fmt.Errorf("a lesson without text: %w", ErrInvalid)
	case l.Class != report.Confirmed && l.Class != report.Likely && l.Class != report.Inconclusive:
		return l, fmt.Errorf("class %s: want %s, which a finished run has: %w", quote(string(l.Class)), classes, ErrInvalid)
	case !(l.Confidence >= 0 && l.Confidence <= 1): // nor NaN
		return l, fmt.Errorf("confidence %v: want 0 to 1: %w", l.Confidence, ErrInvalid)
	case l.Saved.Year() < 1970 || l.Saved.Year() > 9999:
		return l, fmt.Errorf("saved in the year %d: want 1970 to 9999: %w", l.Saved.Year(), ErrInvalid)
	}
	return l, checkPlace(l.Repo, l.Kind)
}

// checkPlace checks what keeps lessons apart. It is not mended, as two that differ could
// become the same.
func checkPlace(repo string, k Kind) error {
	if !name(repo, MaxName) {
		return fmt.Errorf("repository %s: want 1 to %d bytes of UTF-8: %w", quote(repo), MaxName, ErrInvalid)
	}
	if !name(string(k), maxWord) {
		return fmt.Errorf("kind %s: want 1 to %d bytes of UTF-8: %w", quote(string(k)), maxWord, ErrInvalid)
	}
	return nil
}

func name(s string, limit int) bool {
	return s != "" && len(s) <= limit && utf8.ValidString(s) && !strings.Contains(s, "\x00")
}

// text is s as it is stored: valid, without NUL, at which other programs end a text, and
// cut after a whole character.
func text(s string, limit int) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(head(s, 2*limit), "\uFFFD"), "\x00", "\uFFFD")
	if len(s) <= limit {
		return s
	}
	return head(s, limit-len("…")) + "…"
}

// head is at most the first bytes of s, without a part of a character at its end.
func head(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for n := limit; n > 0 && n > limit-utf8.UTFMax; n-- {
		if utf8.RuneStart(s[n]) {
			return s[:n]
		}
	}
	return s[:limit]
}

// paths are the first of those that are different and can be named.
func paths(all []string) (kept []string) {
	for _, p := range all {
		if len(kept) == MaxFiles {
			break
		}
		if len(p) > MaxPath {
			continue
		}
		if p = text(p, 4*MaxPath); p != "" && !slices.Contains(kept, p) {
			kept = append(kept, p)
		}
	}
	return kept
}

// quote shortens a name that somebody else chose for a message.
func quote(s string) string {
	if len(s) > 40 {
		s = s[:40] + "…"
	}
	return fmt.Sprintf("%q", s)
}
