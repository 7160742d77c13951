package chunk

import "bytes"

// readXML makes sections of the elements of more than one line, five levels deep,
// where the tag is the first thing on its line. It takes what is not well formed for
// what it can.
func readXML(t *text) outline {
	x := xmlReader{text: t, line: 1}
	for x.at < len(t.data) {
		next := bytes.IndexByte(t.data[x.at:], '<')
		if next < 0 {
			break
		}
		x.move(x.at + next)
		x.tag()
	}
	for _, e := range x.open {
		x.units[e.unit].end = t.count()
	}
	return x.outline
}

type xmlReader struct {
	*text
	outline
	at, line int
	open     []element
	deeper   int // elements that are open and not in the list
}

type element struct {
	name string
	unit int
}

const maxElements = 5

// move goes forward to a byte.
func (x *xmlReader) move(to int) {
	x.line += bytes.Count(x.data[x.at:to], []byte("\n"))
	x.at = to
}

// skip goes behind the next end, or to the end of the file.
func (x *xmlReader) skip(end string) {
	if i := bytes.Index(x.data[x.at:], []byte(end)); i >= 0 {
		x.move(x.at + i + len(end))
		return
	}
	x.move(len(x.data))
}

func (x *xmlReader) tag() {
	rest := x.data[x.at:]
	switch {
	case bytes.HasPrefix(rest, []byte("<!--")):
		from, fresh := x.line, x.fresh()
		x.skip("-->")
		if fresh && len(bytes.TrimSpace(x.data[x.at:x.start[min(x.line, x.count())]])) == 0 {
			x.comment(from, x.line)
		}
	case bytes.HasPrefix(rest, []byte("<![CDATA[")):
		x.skip("]]>")
	case bytes.HasPrefix(rest, []byte("</")):
		x.skip(">")
		x.end(tagName(rest[2:]))
	case len(rest) > 1 && (rest[1] == '?' || rest[1] == '!'):
		x.skip(">")
	default:
		x.begin(tagName(rest[1:]))
	}
}

// fresh says whether there is only white before the place on its line.
func (x *xmlReader) fresh() bool {
	from := int(x.start[x.line-1])
	return x.at-from < maxLook && len(bytes.TrimSpace(x.data[from:x.at])) == 0
}

func tagName(rest []byte) string {
	n := bytes.IndexAny(rest[:min(len(rest), maxTitle)], " \t\r\n/>")
	if n < 0 {
		return ""
	}
	return clip(string(rest[:n]), maxTitle)
}

func (x *xmlReader) begin(name string) {
	if name == "" { // a sign
		x.at++
		return
	}
	from, fresh := x.line, x.fresh()
	if fresh {
		x.cut(from, len(x.open)+x.deeper)
	}
	x.skip(">")
	if x.data[x.at-1] != '>' || x.at > 1 && x.data[x.at-2] == '/' {
		return
	}
	if len(x.open) >= maxElements || !fresh || x.deeper > 0 {
		x.deeper++
		return
	}
	path := name
	if n := len(x.open); n > 0 && len(x.units[x.open[n-1].unit].name)+len(name) < maxPath {
		path = x.units[x.open[n-1].unit].name + "." + name
	}
	x.open = append(x.open, element{name, len(x.units)})
	x.units = append(x.units, unit{first: x.lead(from), start: from, name: path, kind: Section})
}

// end closes an element and those that were left open inside of it.
func (x *xmlReader) end(name string) {
	if x.deeper > 0 {
		x.deeper--
		return
	}
	for i := len(x.open) - 1; i >= 0; i-- {
		if x.open[i].name != name {
			continue
		}
		for _, e := range x.open[i:] {
			x.units[e.unit].end = x.line
		}
		if e := x.open[i]; x.units[e.unit].start == x.line && e.unit == len(x.units)-1 {
			x.units = x.units[:e.unit]
		}
		x.open = x.open[:i]
		return
	}
}
