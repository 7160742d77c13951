package report

import "fmt"

// aside is what a report has besides its answer, be it on an issue or on a change.
type aside struct {
	critic, before []string
	retries        string // how often the critic sent the answer back
	checked        Checked
	lessons        []Lesson
	warnings       []string
}

func (a Analysis) aside(w words) aside {
	return aside{a.Critic, a.CriticBefore, counted(w.Retries, a.Retries), a.Checked, a.Lessons, a.Warnings}
}

func (r Review) aside(w words) aside {
	return aside{r.Critic, r.CriticBefore, counted(w.Again, r.Retries), r.Checked, r.Lessons, r.Warnings}
}

func counted(form string, n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(form, n)
}

func asides(a aside, w words, c canvas) {
	minor(c, w.Critic, a.critic)
	minor(c, w.Earlier, a.before)
	var lessons []string
	for _, l := range a.lessons {
		from := fmt.Sprintf(w.Lesson, l.Run, day(l.Saved), l.Commit.Short(), l.Class)
		lessons = append(lessons, join(": ", l.Title, l.Text)+" ("+join("; ", from, optional(w.Recalled, l.Why))+")")
	}
	minor(c, w.Lessons, lessons)
	minor(c, w.Notes, append(a.notes(w), a.warnings...))
}

// notes are how the answer was made.
func (a aside) notes(w words) (out []string) {
	out = append(out, a.retries) // items that are empty are left out
	switch n := len(a.checked.Removed); {
	case a.checked.Claims > 0 && n == 0:
		out = append(out, fmt.Sprintf(w.AllThere, a.checked.Claims))
	case a.checked.Claims > 0:
		out = append(out, fmt.Sprintf(w.Checked, a.checked.Claims, n))
	}
	for _, r := range a.checked.Removed {
		out = append(out, fmt.Sprintf(w.Removed, r))
	}
	return out
}
