package issue

import (
	"strings"

	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/internal/source"
)

// maxPast bounds the earlier commits that quotes are looked up in: each is a tree to load.
const maxPast = 6

// past are earlier commits by what a model calls them: the commit, and the one before
// it, which still has the lines that it took away.
type past map[string][]*repo.Snapshot

// claimOfThePast finds a quote in the change that it is said to be from, or else in the
// one that is said to have brought the fault.
func (v *verifier) claimOfThePast(c Claim) (report.Evidence, bool) {
	quote := undiffed(c.Quote)
	for _, rev := range []string{c.Commit, v.sinceRev()} {
		for _, s := range v.change(strings.TrimSpace(rev)) {
			p, ok := fileAt(s, c.Path)
			if !ok {
				continue
			}
			file, err := s.ReadLines(v.ctx, p, 1, 0)
			if err != nil {
				continue // it is no text
			}
			if found := newText(file.Text).find(parseQuote(quote)); len(found) > 0 {
				return newEvidence(s.Commit(), source.Span{Path: p, Start: found[0].start, End: found[0].end}, file.Text), true
			}
		}
	}
	return report.Evidence{}, false
}

func (v *verifier) sinceRev() string {
	if v.Since == nil {
		return ""
	}
	return string(v.Since.SHA)
}

// change loads a commit and the one before it; none if it is not in the history.
func (v *verifier) change(rev string) []*repo.Snapshot {
	if !hash.MatchString(rev) {
		return nil
	}
	if known, ok := v.past[rev]; ok || len(v.past) == maxPast {
		return known
	}
	if v.past == nil {
		v.past = past{}
	}
	v.past[rev] = nil
	at, err := v.snapshot.At(v.ctx, rev)
	if err != nil {
		return nil
	}
	both := []*repo.Snapshot{at}
	if h, err := at.Log(v.ctx, "", 0, 1); err == nil && len(h.Changes) > 0 && len(h.Changes[0].Parents) > 0 {
		if before, err := at.At(v.ctx, string(h.Changes[0].Parents[0])); err == nil {
			both = append(both, before)
		}
	}
	v.past[rev] = both
	return both
}

// undiffed takes the marks of a diff off a quote, if all of its lines have one.
func undiffed(quote string) string {
	lines := strings.Split(strings.TrimRight(quote, "\n"), "\n")
	for i, line := range lines {
		if line == "" || !strings.Contains("+- ", line[:1]) {
			return quote
		}
		lines[i] = line[1:]
	}
	return strings.Join(lines, "\n")
}
