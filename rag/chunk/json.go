package chunk

// readJSON makes sections of the keys whose values are objects or lists, three levels
// deep, where the key is the first thing on its line. Comments are skipped. It takes
// what is no JSON for what it can.
func readJSON(t *text) outline {
	j := jsonReader{text: t, line: 1, fresh: true}
	for j.at = 0; j.at < len(t.data); j.at++ {
		j.read(t.data[j.at])
	}
	j.close(t.count(), 0)
	j.units = j.made
	return j.outline
}

type jsonReader struct {
	*text
	outline
	sections
	at, line int
	fresh    bool   // nothing but white came on this line
	depth    int    // open brackets
	word     string // the string before, "" behind anything but a colon
	wordLine int    // where it stands as the first thing, else 0
}

func (j *jsonReader) read(c byte) {
	switch c {
	case '\n':
		j.line++
		j.fresh = true
	case ' ', '\t', '\r':
	case '/':
		j.comment()
	case '"':
		j.string()
	case '{', '[':
		j.begin()
		if j.word != "" && j.wordLine > 0 && len(j.open) < 3 {
			j.add(j.lead(j.wordLine), j.wordLine, j.depth+1, j.word, ".")
		}
		j.depth++
		j.word = ""
	case '}', ']':
		j.depth = max(0, j.depth-1)
		j.close(j.line, j.depth+1)
		j.word, j.fresh = "", false
	case ':':
	case ',':
		j.word, j.fresh = "", false
	default:
		j.begin()
		j.word = ""
	}
}

// begin allows a cut before what comes first on a line.
func (j *jsonReader) begin() bool {
	first := j.fresh
	if first {
		j.cut(j.line, j.depth)
	}
	j.fresh = false
	return first
}

func (j *jsonReader) string() {
	first := j.begin()
	from := j.at + 1
	for j.at = from; j.at < len(j.data) && j.data[j.at] != '"' && j.data[j.at] != '\n'; j.at++ {
		if j.data[j.at] == '\\' && j.at+1 < len(j.data) && j.data[j.at+1] != '\n' {
			j.at++
		}
	}
	end := min(j.at, len(j.data))
	j.word, j.wordLine = clip(string(j.data[from:min(end, from+2*maxTitle)]), maxTitle), 0
	if first {
		j.wordLine = j.line
	}
	if end < len(j.data) && j.data[end] == '\n' { // it is not closed
		j.at--
	}
}

func (j *jsonReader) comment() {
	if j.at+1 >= len(j.data) || j.data[j.at+1] != '/' {
		return
	}
	for j.at+1 < len(j.data) && j.data[j.at+1] != '\n' {
		j.at++
	}
	if j.fresh {
		j.outline.comment(j.line, j.line)
	}
}
