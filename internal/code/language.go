package code

import (
	"errors"
	"fmt"
	"time"

	sitter "github.com/smacker/go-tree-sitter"

	"github.com/repomind/repomind/internal/source"
)

// ErrLanguage is the reason of a file whose language is not known here.
var ErrLanguage = errors.New("no grammar for this language")

// language is a row of the table of languages.
type language struct {
	name    source.Language
	grammar func() *sitter.Language
	extract func(*collector)
}

func languageOf(name source.Language) (language, bool) {
	for _, l := range languages {
		if l.name == name {
			return l, true
		}
	}
	return language{}, false
}

// reader extracts facts. It keeps a parser a language and belongs to one goroutine.
type reader struct {
	timeout    time.Duration // zero for none
	expendable bool          // the process may die, so that no file is refused
	parsers    map[source.Language]*parser
}

func newReader(timeout time.Duration) *reader {
	return &reader{timeout: timeout, parsers: map[source.Language]*parser{}}
}

func (r *reader) close() {
	for _, p := range r.parsers {
		p.close()
	}
}

func (r *reader) tree(name source.Language, data []byte) (*tree, error) {
	lang, ok := languageOf(name)
	if !ok {
		return nil, ErrLanguage
	}
	if !r.expendable && deadly(name, data) {
		return nil, errDeadly
	}
	p := r.parsers[name]
	if p == nil {
		p = &parser{grammar: newGrammar(lang.grammar()), timeout: r.timeout}
		r.parsers[name] = p
	}
	return p.parse(data)
}

// facts are never nil: a file that cannot be read has the reason in skip.
func (r *reader) facts(name source.Language, data []byte) *facts {
	t, err := r.tree(name, data)
	if err != nil {
		return &facts{lang: name, skip: err.Error()}
	}
	lang, _ := languageOf(name)
	c := newCollector(t, name)
	lang.extract(c)
	c.layout, c.uses = t.survey(name), len(c.refs)
	found := c.facts // a copy, so that the tree can go
	return &found
}

// parse reads one file that stands alone.
func parse(path string, data []byte) (*reader, source.Language, error) {
	lang := source.LanguageOf(path, data)
	if _, ok := languageOf(lang); !ok {
		return nil, "", fmt.Errorf("%s: %w", source.Quote(path), ErrLanguage)
	}
	if limit := (Config{}).maxFileSize(); int64(len(data)) > limit {
		return nil, "", fmt.Errorf("%s: %s", source.Quote(path), tooLarge(int64(len(data)), limit))
	}
	return newReader(Config{}.fileTimeout()), lang, nil
}
