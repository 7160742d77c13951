package dataset

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/repomind/repomind/internal/source"
)

// rawHead is what every record has.
type rawHead struct {
	ID       string `json:"id"`
	Repo     string `json:"repo"`
	Kind     string `json:"kind"`
	Title    string `json:"title"`
	Date     string `json:"created_at"`
	Language string `json:"language"`
}

func (h rawHead) key() string { return h.ID }

// language has the form of source's constants: the files say "JavaScript".
func (h rawHead) language() source.Language { return source.Language(strings.ToLower(h.Language)) }

func (h rawHead) repo() (source.Repo, error) {
	owner, name, _ := strings.Cut(h.Repo, "/")
	r, err := source.NewRepo("", owner, name)
	if err != nil {
		return r, fmt.Errorf("repo: %q is not owner/name: %w", clip(h.Repo), err)
	}
	return r, nil
}

// forms are the ways in which the sources of the data write a date. One without
// a zone is in UTC.
var forms = []string{time.RFC3339, time.DateTime, time.DateOnly}

func (h rawHead) date() (time.Time, error) {
	if h.Date == "" {
		return time.Time{}, nil
	}
	for _, form := range forms {
		if t, err := time.Parse(form, h.Date); err == nil {
			return t.UTC(), nil
		}
	}
	return time.Time{}, fmt.Errorf("created_at: %q is not a date", clip(h.Date))
}

// rawIssue is what the records of issues have besides.
type rawIssue struct {
	Body string `json:"body"`
	Base string `json:"base_commit"`
}

func (i rawIssue) input(h rawHead) (in Input, err error) {
	in = Input{Title: h.Title, Body: i.Body}
	if strings.TrimSpace(h.Title) == "" {
		return in, errors.New("title is missing")
	}
	if in.Repo, err = h.repo(); err != nil {
		return in, err
	}
	if in.Base, err = commit("base_commit", i.Base, false); err != nil {
		return in, err
	}
	in.Date, err = h.date()
	return in, err
}
