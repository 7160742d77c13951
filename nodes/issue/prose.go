package issue

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/nodes/snip"
)

var (
	// spelled is code in a sentence: what stands between backticks.
	spelled = regexp.MustCompile("`[^`\n]{1,200}`")
	// pathIn is a path with an extension, and perhaps lines.
	pathIn = regexp.MustCompile(`[\w.@+-]*(?:/[\w.@+-]+)+\.\w{1,6}(?::\d+(?:-\d+)?)?|\b[\w-]+\.(?:py|go|js|jsx|ts|tsx|java|rs|c|h|cc|cpp|hpp|rb|php|kt|cs|swift|scala)\b(?::\d+(?:-\d+)?)?`)
	// nameIn is what can only be a name of code: with an underscore, a dot, a call, or
	// capitals inside.
	nameIn = regexp.MustCompile(`^[A-Za-z_][\w.:]*(?:\(\))?$`)
)

// What stands where something was taken out of a sentence.
const (
	noFile = "[a file that is not there]"
	noName = "[a name that is not there]"
)

// prose looks up the files and names of code that a sentence mentions. Those that are
// neither in the repository nor in the issue are taken out.
func (v *verifier) prose(what, sentence string) string {
	sentence = pathIn.ReplaceAllStringFunc(sentence, func(m string) string {
		if !v.mentions(m) {
			v.removed("%s: there is no %s", what, snip.Clip(m, 120))
			return noFile
		}
		return v.inFile(m)
	})
	sentence = v.commits(what, sentence)
	return spelled.ReplaceAllStringFunc(sentence, func(m string) string {
		name := strings.Trim(m, "`")
		if !nameIn.MatchString(name) || !looksLikeCode(name) || pathIn.MatchString(name) {
			return m
		}
		v.Checked.Claims++
		if v.knows(strings.TrimSuffix(name, "()")) {
			return m
		}
		v.removed("%s: there is no %s", what, snip.Clip(name, 120))
		return noName
	})
}

func looksLikeCode(name string) bool {
	return strings.ContainsAny(name, "_.:(") || strings.ToLower(name[1:]) != name[1:]
}

// mentions says whether a path, with lines behind it or not, is in the tree or the issue.
func (v *verifier) mentions(m string) bool {
	v.Checked.Claims++
	p, _, _ := strings.Cut(m, ":")
	if strings.Contains(v.issue, p) {
		return true
	}
	p = strings.TrimPrefix(p, "./")
	for _, f := range v.snapshot.Files() {
		if f.Path == p || strings.HasSuffix(f.Path, "/"+p) {
			return true
		}
	}
	return false
}

// inFile takes the lines off a mention where the file does not have them.
func (v *verifier) inFile(m string) string {
	p, lines, ok := strings.Cut(m, ":")
	if !ok {
		return m
	}
	clean, err := source.CleanPath(p)
	if err != nil {
		return p
	}
	first, last, _ := strings.Cut(lines, "-")
	if last == "" {
		last = first
	}
	if n, err := strconv.Atoi(last); err == nil {
		if raw, _ := v.lines(clean); n >= 1 && n <= len(raw) {
			return m
		}
	}
	return p
}

// knows says whether a name is defined or written anywhere in the repository or the issue.
func (v *verifier) knows(name string) bool {
	last := name[strings.LastIndexAny(name, ".:")+1:]
	if last == "" || strings.Contains(v.issue, last) || len(v.index.Definitions(name)) > 0 {
		return true
	}
	for _, e := range v.Evidence {
		if strings.Contains(e.Quote, last) {
			return true
		}
	}
	found, err := v.snapshot.Grep(v.ctx, repo.Query{Pattern: `\b` + regexp.QuoteMeta(last) + `\b`, Max: 1})
	return err != nil || found.Total > 0
}
