package code

import (
	"bufio"
	"bytes"
	"fmt"
	"strings"

	"github.com/repomind/repomind/internal/source"
)

// Dump prints the facts of one file for the goldens: definitions, imports,
// references and hints.
func Dump(path string, data []byte) string {
	r := newReader(Config{}.fileTimeout())
	defer r.close()
	return show(r.facts(source.LanguageOf(path, data), data))
}

func show(f *facts) string {
	var b strings.Builder
	if f.skip != "" {
		fmt.Fprintln(&b, "skipped:", f.skip)
	}
	if f.broken {
		fmt.Fprintln(&b, "syntax errors")
	}
	if f.pkg != "" || f.entry {
		fmt.Fprintf(&b, "package %s entry=%v\n", f.pkg, f.entry)
	}
	names := qualify(f.defs)
	scope := func(i int32) string {
		if i < 0 {
			return "-"
		}
		return names[i]
	}
	for i, d := range f.defs {
		fmt.Fprintf(&b, "def %s %s %d-%d name %d head %d %q", names[i], kinds[d.kind], d.start, d.end, d.name0, d.sigEnd, d.sig)
		for _, extra := range []struct{ name, text string }{{"bases", d.bases}, {"result", d.result}} {
			if extra.text != "" {
				fmt.Fprintf(&b, " %s=%s", extra.name, extra.text)
			}
		}
		for i, name := range []string{"static", "property", "virtual", "alias", "assigned"} {
			if d.flags&(1<<i) != 0 {
				fmt.Fprintf(&b, " %s", name)
			}
		}
		fmt.Fprintln(&b)
	}
	for _, m := range f.imps {
		fmt.Fprintf(&b, "import %q %q %q %d in %s\n", m.module, m.name, m.as, m.line, scope(m.in))
	}
	for _, r := range f.refs {
		call := ""
		if r.flags&isCall != 0 {
			call = "()"
		}
		fmt.Fprintf(&b, "ref %d:%d [%s] %s%s in %s\n", r.line, r.col, f.words[r.recv], f.words[r.name], call, scope(r.in))
	}
	for _, h := range f.hints {
		fmt.Fprintf(&b, "hint %s %s %s %d.%d\n", scope(h.of), h.name, h.text, h.sort, h.index)
	}
	return b.String()
}

// CheckFacts says what is wrong with the facts of a file: lines outside of it, or
// parents that do not come before.
func CheckFacts(path string, data []byte) error {
	r := newReader(Config{}.fileTimeout())
	defer r.close()
	f := r.facts(source.LanguageOf(path, data), data)
	last := uint32(strings.Count(string(data), "\n") + 1)
	for i, d := range f.defs {
		if d.parent >= int32(i) || d.start < 1 || d.start > d.end || d.end > last || d.name0 < d.start || d.sigEnd < d.start || d.sigEnd > last || len(d.sig) > maxSig {
			return fmt.Errorf("definition %d of %d lines: %+v", i, last, d)
		}
	}
	for i, ref := range f.refs {
		if ref.line < 1 || ref.line > last || ref.in >= int32(len(f.defs)) || len(f.words[ref.recv]) > maxText {
			return fmt.Errorf("reference %d of %d lines: %+v", i, last, ref)
		}
	}
	if err := checkLayout(f.layout, int(last)); err != nil {
		return err
	}
	back, err := decode(string(encode(f)))
	if err != nil {
		return err
	}
	if a, b := show(f)+f.layout, show(back)+back.layout; a != b {
		return fmt.Errorf("read back otherwise:\n%s\n%s", a, b)
	}
	return nil
}

// checkLayout: lines count up within the file, and are read as they were written.
func checkLayout(text string, last int) error {
	cuts, comments := unpackLayout("p", text)
	line, packed := 0, [][2]uint32{}
	for _, c := range cuts {
		if c.First <= line || c.Line < c.First || c.Line > last || c.Depth > maxCutDepth {
			return fmt.Errorf("cut %+v behind line %d, of %d", c, line, last)
		}
		line = c.Line
	}
	line = 0
	for _, c := range comments {
		if c.Start <= line || c.End < c.Start || c.End > last {
			return fmt.Errorf("comment %v behind line %d, of %d", c, line, last)
		}
		line = c.End
		packed = append(packed, [2]uint32{uint32(c.Start), uint32(c.End)})
	}
	if packLayout(cuts, packed) != text {
		return fmt.Errorf("the layout is read back otherwise")
	}
	return nil
}

// CheckSignatures says what is wrong with the signatures and calls of a file: lines
// outside of it.
func CheckSignatures(path string, data []byte) error {
	last := strings.Count(string(data), "\n") + 1
	signatures, _ := SignaturesOf(path, data)
	for _, s := range signatures {
		if s.Symbol.NameLine < 1 || s.Symbol.NameLine > last {
			return fmt.Errorf("signature of %d lines: %+v", last, s)
		}
	}
	calls, _ := Calls(path, data)
	for _, c := range calls {
		if c.Line < 1 || c.Column < 1 || c.End > last || c.Positional < 0 {
			return fmt.Errorf("call of %d lines: %+v", last, c)
		}
	}
	return nil
}

// RecordOf is what the cache keeps of a file.
func RecordOf(path string, data []byte) []byte {
	r := newReader(Config{}.fileTimeout())
	defer r.close()
	return encode(r.facts(source.LanguageOf(path, data), data))
}

// CheckRecord reads bytes as a record of the cache.
func CheckRecord(data []byte) error {
	unpackLayout("p", string(data))
	f, err := decode(string(data))
	if err != nil {
		return nil
	}
	if n := len(f.defs) + len(f.refs) + len(f.imps) + len(f.hints); n > len(data) {
		return fmt.Errorf("%d facts from %d bytes", n, len(data))
	}
	return nil
}

// ReadTypes runs the readers of expressions and types.
func ReadTypes(s string) {
	chain(s)
	typeNames(s, 0)
	for _, lang := range []source.Language{source.Go, source.Python, source.Rust} {
		for i := -1; i < 3; i++ {
			elements(s, lang, i)
		}
		nth(s, lang, 1)
	}
}

// Greeting is what a parser says first.
var Greeting = greeting

// CheckAnswers reads bytes as all that a parser says.
func CheckAnswers(data []byte) error {
	r := bufio.NewReader(bytes.NewReader(data))
	if readGreeting(r) != nil {
		return nil
	}
	for {
		record, err := readPart(r, maxAnswer)
		if err != nil {
			return nil
		}
		f, err := decode(string(record))
		if err != nil {
			continue
		}
		if n := len(f.defs) + len(f.refs) + len(f.imps) + len(f.hints); n > len(record) {
			return fmt.Errorf("%d facts from %d bytes", n, len(record))
		}
	}
}
