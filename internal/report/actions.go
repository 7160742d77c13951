package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

// commands are what GitHub Actions calls our levels.
var commands = map[string]string{"error": "error", "warning": "warning", "note": "notice"}

// outcomes are the levels of verdicts that decide something.
var outcomes = map[Verdict]string{Approve: "note", RequestChanges: "error"}

// writeGitHub writes commands to GitHub Actions, which make annotations of them: one for
// the verdict, and one for each finding, the worst first, as it shows only the first ten
// of a level. Each is one line, whatever the texts hold, and no text begins another.
func writeGitHub(w io.Writer, r Review, _ Options) error {
	var b strings.Builder
	words := wordsOf(r.Lang)
	b.WriteString(command(cmp.Or(outcomes[r.Verdict], "warning"), r.summary(words), property{"title", oneLine(r.outcome(words))}))
	for _, f := range r.open() {
		b.WriteString(f.command(words))
	}
	for _, f := range r.of(Resolved) {
		b.WriteString(command("note", join(words.Colon, words.at(f), f.says()), property{"title", words.Resolved}))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (r Review) outcome(w words) string {
	return join(w.Comma, w.say(cmp.Or(string(r.Verdict), string(r.Status))), fmt.Sprintf(w.Confidence, r.Confidence))
}

// summary says why, and what was seen.
func (r Review) summary(w words) string {
	return join("\n", append(slices.Clone(r.VerdictWhy), fmt.Sprintf(w.Seen, r.Coverage.Reviewed, r.Coverage.Files))...)
}

// command is on the lines of a finding if the head has them, and names them else.
func (f Finding) command(w words) string {
	text := join("\n", f.says(), f.Why)
	title := property{"title", oneLine(join(w.Comma, w.say(string(f.Severity)), w.found(f)))}
	file := propertySigns.Replace(f.Path)
	if !f.onHead() || clean(file) != file || file == "" {
		return command(f.Severity.level(), join(w.Colon, w.at(f), text), title)
	}
	at := []property{{"file", f.Path}}
	if f.Start > 0 {
		at = append(at, property{"line", fmt.Sprint(f.Start)}, property{"endLine", fmt.Sprint(max(f.End, f.Start))})
	}
	return command(f.Severity.level(), text, append(at, title)...)
}

type property struct{ name, value string }

// The signs that end a command, a property or a message.
var (
	messageSigns  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	propertySigns = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func command(level, text string, all ...property) string {
	var with []string
	for _, p := range all {
		with = append(with, p.name+"="+propertySigns.Replace(p.value))
	}
	return fmt.Sprintf("::%s %s::%s\n", commands[level], strings.Join(with, ","), messageSigns.Replace(strings.TrimSpace(clean(text))))
}
