package diff

import (
	"fmt"
	"strconv"
	"strings"
)

// Parse reads a diff of any number of files, with or without git's headers; what stands
// before, between and behind them, as in a mail, is passed over. A file that is damaged
// has Broken set. No text makes Parse fail as a whole.
func Parse(text string) []File {
	p := parser{lines: strings.Split(text, "\n")}
	if n := len(p.lines); p.lines[n-1] == "" {
		p.lines = p.lines[:n-1]
	}
	for p.at < len(p.lines) {
		switch line := p.lines[p.at]; {
		case strings.HasPrefix(line, "diff --git "), strings.HasPrefix(line, "diff --cc "), strings.HasPrefix(line, "diff --combined "):
			p.header()
		case p.plain():
			p.names(&File{Status: "modified"})
		default:
			p.at++
		}
	}
	return p.files
}

type parser struct {
	lines []string
	at    int // the next line
	files []File
}

// plain says whether a file without a line of git begins here.
func (p *parser) plain() bool {
	return p.at+2 < len(p.lines) && strings.HasPrefix(p.lines[p.at], "--- ") && strings.HasPrefix(p.lines[p.at+1], "+++ ") &&
		strings.HasPrefix(p.lines[p.at+2], "@@")
}

// header reads the lines of git about one file, and then its hunks.
func (p *parser) header() {
	first := p.lines[p.at]
	f := &File{Status: "modified", Combined: !strings.HasPrefix(first, "diff --git ")}
	if f.Combined {
		_, rest, _ := strings.Cut(strings.TrimPrefix(first, "diff --"), " ")
		f.Path = unquote(rest)
	} else {
		f.Old, f.Path = gitNames(strings.TrimPrefix(first, "diff --git "))
	}
	for p.at++; p.at < len(p.lines) && p.extended(f, p.lines[p.at]); p.at++ {
	}
	p.names(f)
}

// extended reads one line between git's first and the hunks; false if it is none.
func (p *parser) extended(f *File, line string) bool {
	word := func(prefix string) (string, bool) { return strings.CutPrefix(line, prefix) }
	if mode, ok := word("old mode "); ok {
		f.OldMode = mode
	} else if mode, ok := word("new mode "); ok {
		f.NewMode = mode
	} else if mode, ok := word("new file mode "); ok {
		f.Status, f.NewMode = "added", mode
	} else if mode, ok := word("deleted file mode "); ok {
		f.Status, f.OldMode = "removed", mode
	} else if name, ok := word("rename from "); ok {
		f.Status, f.Old = "renamed", unquote(name)
	} else if name, ok := word("rename to "); ok {
		f.Path = unquote(name)
	} else if name, ok := word("copy from "); ok {
		f.Status, f.Old = "copied", unquote(name)
	} else if name, ok := word("copy to "); ok {
		f.Path = unquote(name)
	} else if strings.HasPrefix(line, "Binary files ") && strings.HasSuffix(line, " differ") || line == "GIT binary patch" {
		f.Binary = true
	} else {
		return strings.HasPrefix(line, "index ") || strings.HasPrefix(line, "similarity index ") || strings.HasPrefix(line, "dissimilarity index ") ||
			strings.HasPrefix(line, "mode ")
	}
	return true
}

// names reads the two lines of names, if they are there, and the hunks.
func (p *parser) names(f *File) {
	if p.at+1 < len(p.lines) && strings.HasPrefix(p.lines[p.at], "--- ") && strings.HasPrefix(p.lines[p.at+1], "+++ ") {
		old, path := sideName(p.lines[p.at][4:]), sideName(p.lines[p.at+1][4:])
		switch p.at += 2; {
		case f.Status == "renamed" || f.Status == "copied" || f.Combined:
		case old == "" && path != "":
			f.Status, f.Old, f.Path = "added", "", strip(path)
		case path == "" && old != "":
			f.Status, f.Old, f.Path = "removed", "", strip(old)
		default:
			f.Old, f.Path = stripBoth(old, path)
		}
	}
	if f.Combined {
		p.skipCombined()
	} else if !f.Binary {
		p.hunks(f)
	}
	if f.Old == f.Path {
		f.Old = ""
	}
	p.files = append(p.files, *f)
}

func (p *parser) skipCombined() {
	for p.at < len(p.lines) && !strings.HasPrefix(p.lines[p.at], "diff --") {
		p.at++
	}
}

// hunks reads those of one file, up to the first that is damaged.
func (p *parser) hunks(f *File) {
	for p.at < len(p.lines) && strings.HasPrefix(p.lines[p.at], "@@ ") {
		h, err := p.hunk()
		if err == nil && len(f.Hunks) > 0 {
			err = behind(f.Hunks[len(f.Hunks)-1], h, p.at)
		}
		if err != nil {
			f.Broken = err
			return
		}
		f.Hunks = append(f.Hunks, h)
	}
}

// behind refuses a hunk that begins before the one before it ends.
func behind(last, h Hunk, at int) error {
	if h.Old.Start < last.Old.Start+last.Old.Lines || h.New.Start < last.New.Start+last.New.Lines {
		return &SyntaxError{at, "a hunk begins before the end of the one before it"}
	}
	return nil
}

// hunk reads one hunk. Its lines are counted by its header: a line that looks like the
// next file may be one of them.
func (p *parser) hunk() (Hunk, error) {
	h, err := hunkHeader(p.lines[p.at])
	if err != nil {
		return h, &SyntaxError{p.at + 1, err.Error()}
	}
	p.at++
	old, new := h.Old.first(), h.New.first()
	oldEnd, newEnd := old+h.Old.Lines, new+h.New.Lines
	for old < oldEnd || new < newEnd {
		if p.at == len(p.lines) {
			return h, &SyntaxError{p.at, fmt.Sprintf("the hunk ends %d old and %d new lines too early", oldEnd-old, newEnd-new)}
		}
		l := Line{Text: p.lines[p.at]}
		if l.Op = Context; l.Text != "" {
			l.Op, l.Text = Op(l.Text[0]), l.Text[1:]
		}
		switch {
		case l.Op == Context && old < oldEnd && new < newEnd:
			l.Old, l.New = old, new
			old, new = old+1, new+1
		case l.Op == Delete && old < oldEnd:
			l.Old = old
			old++
		case l.Op == Insert && new < newEnd:
			l.New = new
			new++
		case l.Op == '\\' && len(h.Lines) > 0:
			h.Lines[len(h.Lines)-1].NoEOL = true
			p.at++
			continue
		default:
			return h, &SyntaxError{p.at + 1, fmt.Sprintf("%.40q is no line of this hunk", p.lines[p.at])}
		}
		h.Lines = append(h.Lines, l)
		p.at++
	}
	if p.at < len(p.lines) && strings.HasPrefix(p.lines[p.at], `\`) && len(h.Lines) > 0 {
		h.Lines[len(h.Lines)-1].NoEOL = true
		p.at++
	}
	return h, nil
}

// first is the number of the range's first line.
func (r Range) first() int {
	if r.Lines == 0 {
		return r.Start + 1
	}
	return r.Start
}

// hunkHeader reads "@@ -1,2 +3,4 @@ section".
func hunkHeader(line string) (h Hunk, err error) {
	body, ok := strings.CutPrefix(line, "@@ -")
	ranges, section, closed := strings.Cut(body, " @@")
	old, new, both := strings.Cut(ranges, " +")
	if !ok || !closed || !both {
		return h, fmt.Errorf("%.60q is no header of a hunk", line)
	}
	h.Section = strings.TrimPrefix(section, " ")
	if h.Old, err = parseRange(old); err == nil {
		h.New, err = parseRange(new)
	}
	return h, err
}

// maxLine is more lines than a file has, and small enough to add to.
const maxLine = 1 << 30

func parseRange(s string) (r Range, err error) {
	start, lines, ok := strings.Cut(s, ",")
	if !ok {
		lines = "1"
	}
	if r.Start, err = number(start); err == nil {
		r.Lines, err = number(lines)
	}
	if err == nil && r.Start == 0 && r.Lines > 0 {
		err = fmt.Errorf("%.40q is no range: lines count from 1", s)
	}
	return r, err
}

func number(s string) (int, error) {
	n, err := strconv.ParseUint(s, 10, 32)
	if err != nil || n > maxLine {
		return 0, fmt.Errorf("%.40q is no number of lines", s)
	}
	return int(n), nil
}
