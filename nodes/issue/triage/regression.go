package triage

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/repomind/repomind/internal/github"
	"github.com/repomind/repomind/internal/report"
)

const number = `v?\d+(?:\.\d+){1,3}(?:[-.]?(?:rc|alpha|beta|a|b|dev|post)[-.]?\d*)?`

// once are wordings that say that something worked before. The groups good and bad are
// versions.
var once = []*regexp.Regexp{
	regexp.MustCompile(`(?i)\b(?:worked|works|was (?:fine|ok|correct)|did not happen|didn't happen|no (?:problem|issue|error)s?)\b[^.\n]{0,40}?\b(?:in|with|on|under|until|up to|before)\s+(?:\S+\s+){0,2}?(?:version\s+)?(?P<good>` + number + `)`),
	regexp.MustCompile(`(?i)\b(?:since|after|when|by|upon)\s+(?:i\s+|we\s+)?(?:upgrad\w+|updat\w+|bump\w+|mov\w+|switch\w+|migrat\w+)[^.\n]{0,40}?\bfrom\s+(?:\S+\s+){0,2}?(?P<good>` + number + `)[^.\n]{0,20}?\bto\s+(?:\S+\s+){0,2}?(?P<bad>` + number + `)`),
	regexp.MustCompile(`(?i)\b(?:upgrad\w+|updat\w+|bump\w+)[^.\n]{0,30}?\b(?:from\s+)?(?P<good>` + number + `)\s*(?:to|->|→|=>)\s*(?P<bad>` + number + `)`),
	regexp.MustCompile(`(?i)\b(?:since|after|starting (?:with|from|in)|as of|beginning with|introduced (?:in|by|with))\s+(?:the\s+)?(?:(?:upgrad|updat)\w+\s+to\s+)?(?:\w+\s+)?(?:version\s+|release\s+)?(?P<bad>` + number + `)`),
	regexp.MustCompile(`(?i)\b(?:broke|broken|breaks|regress\w*|changed|fails?|crash\w*)\b[^.\n]{0,30}?\b(?:in|with|since|after)\s+(?:\w+\s+)?(?:version\s+)?(?P<bad>` + number + `)`),
	regexp.MustCompile(`(?i)\b(?:used to (?:work|be (?:fine|ok|possible)|return|give|produce|accept|pass)|worked (?:fine |well |perfectly |correctly )?(?:before|previously|until|in (?:the )?(?:previous|earlier|older|last))|previously (?:it )?(?:worked|this worked|was working)|no longer (?:works?|possible|accept\w*|compiles?|builds?|passes|respects?|honou?rs?)|stopped working|is a regression|regression (?:in|from|since|introduced)|this regressed|(?:works?|worked) in (?:earlier|older|previous) versions?|(?:earlier|previous|older) versions? (?:accepted|worked|did not|didn't|were fine))\b`),
	regexp.MustCompile(`升级(?:到|后|之后)|更新后|之前(?:是)?(?:可以|正常|没问题)|以前(?:可以|正常)|旧版本(?:正常|可以)`),
}

var regressionTitle = regexp.MustCompile(`(?i)\bregression\b|\bno longer\b|\bin \d+\.\d+(?:\.\d+)?\+|回归`)

// notOurs are things whose version is not the project's.
var notOurs = regexp.MustCompile(`(?i)\b(?:python|node(?:js)?|ubuntu|debian|macos|windows|java|jdk|openssl|chrome|firefox|safari|postgres\w*|mysql|redis|rabbitmq|linux|kernel|npm|pip|docker|go ?(?:version)? ?1)\W*$`)

// Regression says whether the issue tells of something that once worked, in its words,
// and which versions it names. It does not look at history.
func Regression(is github.Issue) report.Regression {
	for _, l := range is.Labels {
		if words := separators.ReplaceAllString(strings.ToLower(l), " "); strings.Contains(words, "regression") && !unsaid.MatchString(words) {
			r := versions(read(is))
			r.Is, r.Why = true, fmt.Sprintf("it is labelled %q", clip(l, 60))
			return r
		}
	}
	t := read(is)
	r := versions(t)
	if m := regressionTitle.FindString(t.title); m != "" && r.Why == "" {
		r.Is, r.Why = true, strings.TrimSpace(t.title)
	}
	return r
}

// versions reads the first wording that fits.
func versions(t text) (r report.Regression) {
	all := t.title + ".\n" + t.prose
	for _, re := range once {
		at := re.FindStringSubmatchIndex(all)
		if at == nil {
			continue
		}
		good, bad, ours := "", "", true
		for i, name := range re.SubexpNames() {
			if name == "" || at[2*i] < 0 {
				continue
			}
			v := strings.TrimRight(all[at[2*i]:at[2*i+1]], ".")
			ours = ours && !notOurs.MatchString(all[max(0, at[2*i]-20):at[2*i]])
			if name == "good" {
				good = v
			} else {
				bad = v
			}
		}
		if !ours {
			continue
		}
		if !r.Is {
			r.Is, r.Why = true, strings.Join(strings.Fields(all[at[0]:at[1]]), " ")
		}
		if r.Good == "" {
			r.Good = good
		}
		if r.Bad == "" {
			r.Bad = bad
		}
	}
	return r
}
