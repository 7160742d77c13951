package react

import (
	"regexp"
	"strings"

	"github.com/repomind/repomind/internal/llm"
)

// remark is as much of a turn as a person can read.
type remark struct {
	Thought string `json:"thought,omitempty"`
	Answer  any    `json:"answer,omitempty"`
}

func (m remark) Validate() error {
	if m.text() == "" {
		return errEmpty
	}
	return nil
}

func (m remark) text() string {
	if text, ok := textOf(m.Answer); ok {
		return text
	}
	return strings.TrimSpace(m.Thought)
}

// member is one of the protocol's, as it stands in JSON, which may be broken.
var member = regexp.MustCompile(`(?i)[{,]\s*"(?:thought|calls|answer)|"(?:thought|calls|answer)"\s*:`)

// legible is what a turn says to a person, which may be nothing: JSON of the protocol is
// read or left out.
func legible(text string) string {
	if m, err := llm.Parse[remark](text); err == nil {
		return m.text()
	}
	if member.MatchString(text) {
		return ""
	}
	return text
}
