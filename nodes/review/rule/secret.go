package rule

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/internal/source"
)

// keys are the forms of keys that their makers document, so that nothing else looks like
// one. A word such as password says too little.
var keys = []struct {
	name string
	form *regexp.Regexp
}{
	{"a private key", regexp.MustCompile(`-----BEGIN (?:RSA |EC |DSA |OPENSSH |PGP |ENCRYPTED )?PRIVATE KEY(?: BLOCK)?-----`)},
	{"an access key of AWS", regexp.MustCompile(`\b(?:AKIA|ASIA)[A-Z2-7]{16}\b`)},
	{"a token of GitHub", regexp.MustCompile(`\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{82})\b`)},
	{"a token of GitLab", regexp.MustCompile(`\bglpat-[A-Za-z0-9_-]{20}\b`)},
	{"a token of Slack", regexp.MustCompile(`\bxox[abprs]-[0-9]{10,}-[A-Za-z0-9-]{20,}`)},
	{"a key of Google", regexp.MustCompile(`\bAIza[0-9A-Za-z_-]{35}\b`)},
	{"a live key of Stripe", regexp.MustCompile(`\b[rs]k_live_[0-9A-Za-z]{24,}\b`)},
	{"a key of OpenAI", regexp.MustCompile(`\bsk-(?:proj-[A-Za-z0-9_-]{40,}|[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20})\b`)},
	{"a key of Anthropic", regexp.MustCompile(`\bsk-ant-[a-z0-9]+-[A-Za-z0-9_-]{80,}`)},
	{"a token of npm", regexp.MustCompile(`\bnpm_[A-Za-z0-9]{36}\b`)},
	{"a token of PyPI", regexp.MustCompile(`\bpypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{50,}`)},
}

// pretend tells a key that is made up from a real one.
var pretend = regexp.MustCompile(`(?i)example|dummy|fake|placeholder|redacted|x{6}|0{8}|1234567|abcdefg`)

// secrets finds keys among the added lines. Test data often has keys that open nothing.
func secrets(f File) (out []report.Finding) {
	if role := source.RoleOf(f.Path); role == source.Test || role == source.Vendored {
		return nil
	}
	for _, line := range f.Added {
		for _, k := range keys {
			m := k.form.FindString(line.Text)
			if m == "" || pretend.MatchString(m) {
				continue
			}
			hidden := line
			hidden.Text = strings.ReplaceAll(line.Text, m, m[:4]+"…")
			out = append(out, f.finding("secret-added", report.Critical, hidden,
				fmt.Sprintf("The change adds %s.", k.name),
				"Whoever can read the repository, now or later, can use it: a later commit does not take it out of the history. Withdraw it and keep it outside."))
			break
		}
	}
	return out
}

// conflicts finds what a merge left behind.
func conflicts(f File) (out []report.Finding) {
	open, split := Line{}, false
	for _, line := range f.Added {
		switch text := strings.TrimRight(line.Text, "\r"); {
		case strings.HasPrefix(text, "<<<<<<< "):
			open, split = line, false
		case text == "=======" && open.Number > 0:
			split = true
		case strings.HasPrefix(text, ">>>>>>> ") && split:
			out = append(out, f.finding("conflict-marker", report.High, open, "A conflict of a merge was not resolved.",
				fmt.Sprintf("The marks from line %d to line %d are part of the file now.", open.Number, line.Number)))
			open, split = Line{}, false
		}
	}
	return out
}
