package code_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/repomind/repomind/internal/code"
)

// TestSignatures compares the signatures and calls of each file with the goldens.
func TestSignatures(t *testing.T) {
	golden(t, "testdata/signature/languages.txtar", func(path string, data []byte) []txtar.File {
		signatures, err := code.SignaturesOf(path, data)
		calls, err2 := code.Calls(path, data)
		if err := errors.Join(err, err2); err != nil {
			t.Error(err)
		}
		return []txtar.File{
			{Name: "signatures of " + path, Data: []byte(showSignatures(signatures))},
			{Name: "calls of " + path, Data: []byte(showCalls(calls))},
		}
	})
}

func showSignatures(list []code.Signature) string {
	var b strings.Builder
	for _, s := range list {
		fmt.Fprintf(&b, "%d %s", s.Symbol.NameLine, s.Symbol.Qualified)
		var params []string
		for _, p := range s.Params {
			text := strings.TrimSpace(p.Name + " " + p.Type)
			if p.Optional {
				text += "?"
			}
			params = append(params, fmt.Sprintf("%s: %s", p.Kind, text))
		}
		fmt.Fprintf(&b, " (%s) %q", strings.Join(params, "; "), s.Results)
		for _, f := range []struct {
			on   bool
			name string
		}{{s.Async, "async"}, {s.Static, "static"}, {s.Property, "property"}, {s.Overload, "overload"}} {
			if f.on {
				b.WriteString(" " + f.name)
			}
		}
		for _, f := range []struct{ name, text string }{{"owner", s.Owner}, {"self", s.Self}, {"decorators", strings.Join(s.Decorators, " ")}} {
			if f.text != "" {
				fmt.Fprintf(&b, " %s=%s", f.name, f.text)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func showCalls(list []code.CallSite) string {
	var b strings.Builder
	for _, c := range list {
		fmt.Fprintf(&b, "%d:%d-%d [%s] %s(%d", c.Line, c.Column, c.End, c.Receiver, c.Name, c.Positional)
		for _, k := range c.Keywords {
			fmt.Fprintf(&b, " %s=", k)
		}
		for _, f := range []struct {
			on   bool
			name string
		}{{c.Spread, "spread"}, {c.Keyed, "keyed"}, {c.Forwards != "", "forwards " + c.Forwards}} {
			if f.on {
				b.WriteString(" " + f.name)
			}
		}
		b.WriteByte(')')
		for _, f := range []struct {
			on   bool
			name string
		}{{c.Values != code.Unknown, fmt.Sprint(c.Values, " values")}, {c.Awaited, "awaited"}, {c.Used, "used"}, {c.New, "new"}} {
			if f.on {
				b.WriteString(" " + f.name)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// TestSignaturesOfOtherLanguages: what is not known here is told.
func TestSignaturesOfOtherLanguages(t *testing.T) {
	_, err := code.SignaturesOf("a.rb", []byte("def f; end\n"))
	_, err2 := code.Calls("a.txt", nil)
	if !errors.Is(err, code.ErrLanguage) || !errors.Is(err2, code.ErrLanguage) {
		t.Error(err, err2)
	}
	if _, err := code.SignaturesOf("a.go", make([]byte, 2<<20)); err == nil {
		t.Error("a file over the limit is parsed")
	}
}
