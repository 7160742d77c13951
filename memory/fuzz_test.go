package memory_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/memory"
)

// FuzzLesson saves anything and asks for it: what comes back is sound, within its bounds,
// and what was saved if that was sound. The same lesson fits itself.
func FuzzLesson(f *testing.F) {
	f.Add("run", "Gzip reader", "drops members", "a.py")
	f.Add("\xff", "\x1b[31m\u202e", "\x00", "a\nb")
	f.Add("é", strings.Repeat("é", 600), strings.Repeat("\xff ", 9000), "../..")
	f.Add("r", "", "读取 gzip 文件", "")
	f.Fuzz(func(t *testing.T, run, title, body, file string) {
		e := newEnv(t, memory.Config{})
		l := memory.Lesson{Run: run, Repo: repo, Kind: memory.Issue, IssueKind: report.Kind(file), Title: title, Text: body,
			Files: []string{file, body}, Class: report.Likely, Confidence: 1, Commit: run, Saved: noon}
		err := e.Save(t.Context(), l)
		recalled := e.recall(memory.Query{Repo: repo, Kind: memory.Issue, Title: title, Body: body, Files: []string{file}})
		if err != nil {
			e.refused(err, memory.ErrInvalid)
			e.equal(len(recalled.Lessons), 0)
			return
		}
		got, err := e.Get(t.Context(), 1)
		e.must(err)
		for _, s := range append([]string{got.Title, got.Text, string(got.IssueKind), got.Commit}, got.Files...) {
			if !utf8.ValidString(s) || strings.Contains(s, "\x00") {
				t.Errorf("%q is stored", s)
			}
		}
		if len(got.Title) > memory.MaxTitle || len(got.Text) > memory.MaxText || len(got.Files) > 2 {
			t.Errorf("too large: %d, %d, %d", len(got.Title), len(got.Text), len(got.Files))
		}
		if sound(title, memory.MaxTitle) && sound(body, memory.MaxText) {
			e.equal([]string{got.Run, got.Title, got.Text}, []string{run, title, body})
		}
		for _, r := range recalled.Lessons {
			if diff := cmp.Diff(got, r.Lesson); diff != "" || r.Score > 1 || strings.ContainsAny(r.Why, "\n\r\x1b") {
				t.Errorf("score %v, why %q (-stored +recalled):\n%s", r.Score, r.Why, diff)
			}
		}
	})
}

func sound(s string, limit int) bool {
	return len(s) <= limit && utf8.ValidString(s) && !strings.Contains(s, "\x00")
}
