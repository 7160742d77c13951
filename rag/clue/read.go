package clue

import (
	"regexp"
	"strings"
)

// reader goes through a body line by line and sorts the lines.
type reader struct {
	prose, noise strings.Builder
	code         []Block
	texts        [][]byte // of the blocks

	fence    string // that closes the block at hand; "" is outside of one
	comment  bool   // inside <!-- -->
	ends     int    // how many --> are still to come
	noisy    bool   // under a heading that promises nothing about the fault
	indented bool   // inside a block by indentation
	blank    bool   // the line before was blank
}

var (
	heading = regexp.MustCompile(`^\s{0,3}(?:#{1,6}\s+(.*?)\s*#*|(?:\d+\.\s*)?(?:\*\*|__)([^*_]{2,80})(?:\*\*|__):?)\s*$`)
	boring  = regexp.MustCompile(`(?i)^[\W_]*(?:(?:your |the |my )?(?:environment|setup)\b|(?:\w+ ){0,3}versions?\b(?: (?:info|of|used)\b.*)?[\W_]*$|what version|(?:operating )?system(?: info.*)?[\W_]*$|platform|installed|packages|(?:mypy|pip|conda) (?:list|info)|check ?list|screenshots?|os\b|(?:how did you )?install|acknowled|are you (?:going|willing)|would you like to work|(?:relevant )?debug output|host and|docker|dependencies|optional debugging|contribution)`)
	fact    = regexp.MustCompile(`(?i)^\s*(?:[-*+]\s*)?(?:\[[ x]\]\s|(?:<img|!\[)|(?:[\w.()/ -]{0,30}\b(?:version|os|platform|browser|machine|processor|byteorder|locale|python-bits|os-release|lc_all|lang)\b[^:=]{0,20})\s*[:=])`)
	fenced  = regexp.MustCompile("^\\s{0,12}(?:[-*>+]\\s+)?(`{3,}|~{3,})\\s*\\{?\\.?([A-Za-z0-9_+#-]*)[^`]*$")
	prompt  = regexp.MustCompile(`^\s*(?:>>> |\.\.\. |In \[\d+\]:)`)
	pinned  = regexp.MustCompile(`^\s*[A-Za-z0-9_.\-]+\s*(?:==|:|\s)\s*v?\d+(?:\.\d+)+[\w.+-]*(?:\s.{0,40})?$`)
)

func (r *reader) read(body string) {
	r.ends = strings.Count(body, "-->")
	for line := range strings.Lines(body) {
		line = strings.TrimRight(line, "\r\n")
		ends := strings.Count(line, "-->")
		if r.fence == "" {
			line = r.uncomment(line)
		}
		r.ends -= ends
		r.line(line)
		r.blank = strings.TrimSpace(line) == ""
	}
	for i, text := range r.texts {
		r.code[i].Text = string(text)
	}
}

// uncomment removes what HTML comments hide; templates put their questions there. One in
// inline code is none, and one that never ends hides its line alone.
func (r *reader) uncomment(line string) string {
	var out strings.Builder
	for line != "" {
		if r.comment {
			_, after, ends := strings.Cut(line, "-->")
			if !ends {
				break
			}
			r.comment, line = false, after
		}
		before, after, begins := strings.Cut(line, "<!--")
		out.WriteString(before)
		if !begins {
			break
		}
		if strings.Count(out.String(), "`")%2 == 1 {
			out.WriteString("<!--")
			line = after
			continue
		}
		if r.ends == 0 {
			break
		}
		r.comment, line = true, after
	}
	return out.String()
}

func (r *reader) line(line string) {
	m := fenced.FindStringSubmatch(line)
	switch {
	case r.fence != "":
		if m != nil && m[2] == "" && strings.HasPrefix(m[1], r.fence) {
			r.fence = ""
			return
		}
		r.block(line)
	case m != nil:
		r.fence, r.indented = m[1], false
		r.begin(strings.ToLower(m[2]))
	case r.isIndented(line) || prompt.MatchString(line):
		if !r.indented {
			r.begin("")
		}
		r.indented = true
		r.block(line)
	default:
		r.indented = r.indented && strings.TrimSpace(line) == ""
		r.text(line)
	}
}

func (r *reader) isIndented(line string) bool {
	deep := strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t")
	return deep && (r.indented || r.blank) && strings.TrimSpace(line) != ""
}

// begin opens a block.
func (r *reader) begin(language string) {
	r.code, r.texts = append(r.code, Block{Language: language}), append(r.texts, nil)
}

// block takes a line of code. Lists of pinned packages are no code, wherever they stand.
func (r *reader) block(line string) {
	if r.noisy || pinned.MatchString(line) || fact.MatchString(line) {
		keep(&r.noise, line)
		return
	}
	last := &r.texts[len(r.texts)-1]
	*last = append(append(*last, line...), '\n')
}

func (r *reader) text(line string) {
	if m := heading.FindStringSubmatch(line); m != nil {
		r.noisy = boring.MatchString(m[1] + m[2])
	}
	if r.noisy || fact.MatchString(line) || pinned.MatchString(line) {
		keep(&r.noise, line)
		return
	}
	keep(&r.prose, line)
}

func keep(b *strings.Builder, line string) {
	b.WriteString(line)
	b.WriteByte('\n')
}
