package prompt

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Item is a part of a prompt that competes for its budget.
type Item struct {
	Name     string // for the list of what was left out
	Text     string
	Priority int  // the highest goes in first; among equals the earlier one
	Cut      bool // may be cut after a line when the rest of the budget is too small
}

// Packed is what fitted.
type Packed struct {
	Items   []Item // in the order they were given in
	Tokens  int    // of all texts; never above the budget
	Omitted []Omitted
}

// Omitted is an item, or the end of one, for which there was no room.
type Omitted struct {
	Name   string
	Tokens int  // of what is missing
	Part   bool // the beginning is there
}

// Pack fills a budget of tokens. It goes on after an item that is too large, so a
// smaller one of less priority may still fit. count may be nil for [Estimate].
func Pack(budget int, count Count, items []Item) Packed {
	if count == nil {
		count = Estimate
	}
	order := make([]int, len(items))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(items[b].Priority, items[a].Priority) })
	var p Packed
	kept := make([]bool, len(items))
	fitted := slices.Clone(items)
	for _, i := range order {
		kept[i] = p.add(budget, count, &fitted[i])
	}
	for i, item := range fitted {
		if kept[i] {
			p.Items = append(p.Items, item)
		}
	}
	return p
}

// add takes an item, or its beginning, if there is room.
func (p *Packed) add(budget int, count Count, item *Item) bool {
	room, n := budget-p.Tokens, count(item.Text)
	if n <= room {
		p.Tokens += n
		return true
	}
	head := ""
	if item.Cut && room > 0 {
		head = headOf(item.Text, room, count)
	}
	if head == "" {
		p.Omitted = append(p.Omitted, Omitted{Name: item.Name, Tokens: n})
		return false
	}
	item.Text = head
	got := count(head)
	p.Tokens += got
	p.Omitted = append(p.Omitted, Omitted{item.Name, n - got, true})
	return true
}

// headOf is the longest run of first lines that fits. It looks by halves, so it counts
// the text some twenty times, not once a line.
func headOf(text string, room int, count Count) string {
	var ends []int
	for i, c := range []byte(text) {
		if c == '\n' {
			ends = append(ends, i+1)
		}
	}
	n, _ := slices.BinarySearchFunc(ends, room, func(end, room int) int {
		if count(text[:end]) <= room {
			return -1
		}
		return 1
	})
	if n == 0 {
		return ""
	}
	return text[:ends[n-1]]
}

// maxNamed bounds what a note names.
const maxNamed = 20

// Note says what was left out, for the model and for a report: the first twenty, and
// how many more. Names may be those of files, so they are written as by [Fence.Inline].
// It is empty when everything fitted.
func (p Packed) Note() string {
	if len(p.Omitted) == 0 {
		return ""
	}
	var names []string
	for _, o := range p.Omitted[:min(len(p.Omitted), maxNamed)] {
		of := ""
		if o.Part {
			of = "the end of "
		}
		names = append(names, fmt.Sprintf("%s%s (%d tokens)", of, Fence{}.Inline(clip(o.Name, maxLabel)), o.Tokens))
	}
	if rest := p.Omitted[len(names):]; len(rest) > 0 {
		tokens := 0
		for _, o := range rest {
			tokens += o.Tokens
		}
		names = append(names, fmt.Sprintf("%d more (%d tokens)", len(rest), tokens))
	}
	return "Left out for want of room: " + strings.Join(names, ", ") + "."
}
