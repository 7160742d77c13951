package triage

import (
	"fmt"
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/github"
	"github.com/repomind/repomind/internal/report"
)

// Kind says what an issue is. Without any sign it is a bug: a reporter who says nothing
// else has seen something that is not as it should be.
func Kind(is github.Issue) Verdict[report.Kind] {
	labelled, hints := byLabel(is.Labels)
	if len(labelled) == 1 {
		return labelled[0]
	}
	t := read(is)
	if why := exploit(t); why != "" && len(labelled) == 0 {
		return Verdict[report.Kind]{report.Security, why, true}
	}
	b := newBallot(labelled)
	for _, h := range hints {
		b.vote(h.Value, 3, h.Why)
	}
	b.hear(t)
	b.ask(is.Comments)
	return b.verdict()
}

// ballot adds up what speaks for each kind.
type ballot struct {
	open  []report.Kind // what is voted on; of two that are as good, the first wins
	score map[report.Kind]float64
	words map[report.Kind][]string
}

// newBallot is open for the kinds that labels name, if they name several.
func newBallot(labelled []Verdict[report.Kind]) *ballot {
	b := &ballot{
		open:  []report.Kind{report.Bug, report.Feature, report.Question},
		score: map[report.Kind]float64{report.Bug: 1},
		words: map[report.Kind][]string{},
	}
	if len(labelled) == 0 {
		return b
	}
	b.open = nil
	for _, l := range labelled {
		b.open = append(b.open, l.Value)
		b.words[l.Value] = append(b.words[l.Value], l.Why)
	}
	return b
}

func (b *ballot) vote(k report.Kind, weight float64, why string) {
	b.score[k] += weight
	if !slices.Contains(b.words[k], why) {
		b.words[k] = append(b.words[k], why)
	}
}

// hear weighs the wording.
func (b *ballot) hear(t text) {
	parts := [...]string{inTitle: t.title, inHeads: t.heads, inProse: t.prose}
	for _, s := range signs {
		if m := s.re.FindString(parts[s.in]); m != "" {
			b.vote(s.kind, s.weight, fmt.Sprintf("it says %q", quote(strings.ToLower(m))))
		}
	}
	if t.trace {
		b.vote(report.Bug, 2, "it has a traceback")
	}
}

// ask hears what maintainers answered. It only adds to what the issue itself hints at.
func (b *ballot) ask(all []github.Comment) {
	heard := map[report.Kind]bool{}
	for _, c := range all[:min(len(all), 30)] {
		if c.Author.Bot || !maintains(c.Author) {
			continue
		}
		for _, a := range answers {
			said := clip(c.Body, 4<<10)
			if m := a.re.FindString(said); m != "" && !heard[a.kind] && b.score[a.kind] > 0 {
				heard[a.kind] = true
				b.vote(a.kind, a.weight, fmt.Sprintf("a maintainer says %q", quote(strings.ToLower(m))))
			}
		}
	}
}

func maintains(a github.Author) bool {
	return slices.Contains([]string{"OWNER", "MEMBER", "COLLABORATOR"}, a.Association)
}

func (b *ballot) verdict() Verdict[report.Kind] {
	best := b.open[0]
	for _, k := range b.open[1:] {
		if b.score[k] > b.score[best] {
			best = k
		}
	}
	why := b.words[best]
	if len(why) == 0 {
		return Verdict[report.Kind]{best, "nothing says that it is something else", false}
	}
	return Verdict[report.Kind]{best, reasons(why[:min(len(why), 4)]), false}
}

// reasons joins reasons, and says only once what they have in common.
func reasons(all []string) string {
	const says = "it says "
	out := all[0]
	for i, r := range all[1:] {
		if strings.HasPrefix(r, says) && strings.HasPrefix(all[i], says) {
			r = strings.TrimPrefix(r, says)
		}
		out += ", " + r
	}
	return out
}
