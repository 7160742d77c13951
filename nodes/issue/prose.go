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
	sentence = v.inWords(v.commits(what, sentence))
	return spelled.ReplaceAllStringFunc(sentence, func(m string) string {
		name := strings.Trim(m, "`")
		if !nameIn.MatchString(name) || !looksLikeCode(name) || pathIn.MatchString(name) {
			return m
		}
		if root, _, qualified := strings.Cut(name, "."); v.foreign && qualified && !v.knows(root) {
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
	first, last, ok := strings.Cut(lines, "-")
	if !ok {
		last = first
	}
	from, err1 := strconv.Atoi(first)
	to, err2 := strconv.Atoi(last)
	if raw, _ := v.lines(clean); err1 == nil && err2 == nil && 1 <= from && from <= to && to <= len(raw) {
		return m
	}
	return p
}

// lineOf is a line of a file in words, before or behind the file.
var lineOf = regexp.MustCompile(`(?i)\blines? \d+(?:\s*(?:-|–|to|and)\s*\d+)? (?:of|in) (\S+)|(\S+)[,:]? \(?lines? \d+(?:\s*(?:-|–|to|and)\s*\d+)?\)?`)

var numbers = regexp.MustCompile(`\d+`)

// inWords takes lines in words off where the file does not have them.
func (v *verifier) inWords(sentence string) string {
	return lineOf.ReplaceAllStringFunc(sentence, func(m string) string {
		g := lineOf.FindStringSubmatch(m)
		name := strings.Trim(g[1]+g[2], "`'\"(),.;:")
		clean, err := source.CleanPath(name)
		if err != nil || !pathIn.MatchString(name) {
			return m
		}
		raw, _ := v.lines(clean)
		for _, n := range numbers.FindAllString(strings.Replace(m, name, "", 1), -1) {
			if line, err := strconv.Atoi(n); err == nil && line >= 1 && line <= len(raw) {
				continue
			}
			if open := strings.HasPrefix(m, "(") && strings.HasSuffix(m, ")"); open {
				return "(" + name + ")"
			}
			return name
		}
		return m
	})
}

// advice is prose that also speaks of other libraries: a qualified name whose first part
// is not of this repository is left to the reader.
func (v *verifier) advice(text string) string {
	v.foreign = true
	defer func() { v.foreign = false }()
	return v.prose("answer", text)
}

// proposal is prose about what is not there yet: it may name new files and names, but no
// lines that are not there. Nothing in it is counted.
func (v *verifier) proposal(text string) string {
	return v.inWords(pathIn.ReplaceAllStringFunc(text, v.inFile))
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
	return err == nil && found.Total > 0
}
