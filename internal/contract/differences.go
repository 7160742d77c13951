package contract

import (
	"fmt"
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/internal/source"
)

// differences are those of two lists of parameters, as one sentence, and whether one
// of them may break a call.
func differences(old, new code.Signature) (what string, breaking bool) {
	d := diff{old: old.Params, new: new.Params, lang: new.Symbol.Language}
	d.gone()
	d.added()
	d.stayed()
	d.order()
	return strings.Join(d.what, ", "), d.breaking
}

type diff struct {
	old, new []code.Param
	lang     source.Language
	what     []string
	breaking bool
}

func (d *diff) say(breaking bool, format string, args ...any) {
	d.what = append(d.what, fmt.Sprintf(format, args...))
	d.breaking = d.breaking || breaking && d.lang != source.JavaScript
}

// named is the place of a parameter, or -1.
func named(list []code.Param, name string) int {
	if name == "" || name == "_" {
		return -1
	}
	return slices.IndexFunc(list, func(p code.Param) bool { return p.Name == name })
}

// successor is the new parameter that took the place of one whose name is gone.
func (d *diff) successor(i int) (code.Param, bool) {
	if i >= len(d.new) || len(d.old) != len(d.new) || d.new[i].Kind != d.old[i].Kind || d.new[i].Type != d.old[i].Type {
		return code.Param{}, false
	}
	return d.new[i], named(d.old, d.new[i].Name) < 0
}

// unnamed: an old parameter without a name is the new one at its place, if that has its
// type.
func (d *diff) unnamed(i int) bool {
	p := d.old[i]
	return (p.Name == "" || p.Name == "_") && i < len(d.new) && p.Kind == d.new[i].Kind && p.Type == d.new[i].Type
}

func (d *diff) gone() {
	for i, p := range d.old {
		if named(d.new, p.Name) >= 0 || d.unnamed(i) {
			continue
		}
		to, ok := d.successor(i)
		switch {
		case !ok:
			d.say(true, "parameter %s was removed", label(p, i))
		case to.Name != p.Name:
			d.say(p.Kind == code.Positional || p.Kind == code.KeywordOnly, "parameter %s is called %s now", label(p, i), label(to, i))
		}
	}
}

func (d *diff) added() {
	for i, p := range d.new {
		if named(d.old, p.Name) >= 0 || i < len(d.old) && (d.unnamed(i) || d.replaces(i)) {
			continue
		}
		switch {
		case p.Optional && i < len(d.old):
			d.say(true, "parameter %s is new and stands before others", label(p, i))
		case p.Optional:
			d.say(false, "parameter %s is new and may be left out", label(p, i))
		case d.lang == source.Python:
			d.say(true, "parameter %s is new and has no default", label(p, i))
		default:
			d.say(true, "parameter %s is new", label(p, i))
		}
	}
}

func (d *diff) replaces(i int) bool {
	_, ok := d.successor(i)
	return ok && named(d.new, d.old[i].Name) < 0
}

// stayed compares the parameters that have their name in both.
func (d *diff) stayed() {
	for i, p := range d.old {
		at := named(d.new, p.Name)
		if at < 0 {
			continue
		}
		q := d.new[at]
		switch {
		case p.Kind != q.Kind:
			d.say(true, "parameter %s is %s now", label(p, i), q.Kind)
		case p.Optional && !q.Optional:
			d.say(true, "parameter %s may not be left out any more", label(p, i))
		case !p.Optional && q.Optional:
			d.say(false, "parameter %s may be left out now", label(p, i))
		case p.Type != q.Type && d.lang == source.Go:
			d.say(q.Type != "any" && q.Type != "interface{}", "parameter %s is %s instead of %s", label(p, i), q.Type, p.Type)
		}
	}
}

// order tells parameters that are the same but for their order.
func (d *diff) order() {
	if swapped(d.old, d.new) >= 0 {
		d.say(true, "its parameters have another order")
	}
}

// swapped is the first place at which the same parameters by position stand in another
// order, or -1.
func swapped(old, new []code.Param) int {
	a, b := byPosition(old), byPosition(new)
	first := -1
	for i := range a {
		if len(a) != len(b) || named(b, a[i].Name) < 0 {
			return -1
		}
		if first < 0 && a[i].Name != b[i].Name {
			first = i
		}
	}
	return first
}

func byPosition(list []code.Param) []code.Param {
	return slices.DeleteFunc(slices.Clone(list), func(p code.Param) bool {
		return p.Kind != code.Positional && p.Kind != code.PositionalOnly
	})
}

// label is a parameter in a sentence: its name, or its number.
func label(p code.Param, i int) string {
	if p.Name == "" || p.Name == "_" {
		return fmt.Sprint(i + 1)
	}
	return fmt.Sprintf("%q", p.Name)
}

// results are compared in Go, where they are counted.
func results(old, new code.Signature) (what string, breaking bool) {
	a, b := len(old.Results), len(new.Results)
	switch {
	case new.Symbol.Language != source.Go || slices.Equal(old.Results, new.Results):
		return "", false
	case a == b:
		return fmt.Sprintf("returns %s instead of %s", strings.Join(new.Results, ", "), strings.Join(old.Results, ", ")), false
	}
	return fmt.Sprintf("returns %s instead of %d", count(b, "value"), a), true
}

// count is a number with its noun.
func count(n int, noun string) string {
	switch n {
	case 0:
		return "no " + noun
	case 1:
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
