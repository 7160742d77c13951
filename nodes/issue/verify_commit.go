package issue

import (
	"regexp"
	"strings"

	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/nodes/snip"
)

// hash is the name of a commit in a sentence: a number or a word alone is none.
var hash = regexp.MustCompile(`\b[0-9a-f]{7,40}\b`)

// noCommit stands where a commit was taken out of a sentence.
const noCommit = "[a commit that is not there]"

// since looks up the commit that is said to have brought the fault. One that came later
// than the analysed commit cannot be seen.
func (v *verifier) since(rev string) {
	if rev = strings.TrimSpace(rev); rev == "" {
		return
	}
	v.Checked.Claims++
	if c, ok := v.commit(rev); ok {
		v.Since = &c
		return
	}
	v.removed("since: there is no commit %s", snip.Clip(rev, 60))
}

func (v *verifier) commit(rev string) (report.Change, bool) {
	if !hash.MatchString(rev) {
		return report.Change{}, false
	}
	at, err := v.snapshot.At(v.ctx, rev)
	if err != nil {
		return report.Change{}, false
	}
	h, err := at.Log(v.ctx, "", 0, 1)
	if err != nil || len(h.Changes) == 0 {
		return report.Change{}, false
	}
	c := h.Changes[0]
	return report.Change{SHA: source.Commit(c.Commit), Date: c.Time, Subject: c.Subject()}, true
}

// commits looks up the commits that a sentence names.
func (v *verifier) commits(what, sentence string) string {
	return hash.ReplaceAllStringFunc(sentence, func(m string) string {
		if !strings.ContainsAny(m, "0123456789") || !strings.ContainsAny(m, "abcdef") || strings.Contains(v.issue, m) {
			return m
		}
		v.Checked.Claims++
		if _, err := v.snapshot.Resolve(v.ctx, m); err == nil {
			return m
		}
		v.removed("%s: there is no commit %s", what, m)
		return noCommit
	})
}
