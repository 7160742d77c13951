package manifest

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
)

// readXML reads the elements of a document; attributes are left out. An element with
// others in it is a table, one without is a string.
func readXML(data []byte) (*node, error) {
	dec := xml.NewDecoder(bytes.NewReader(data))
	// Names and versions are ASCII in any encoding that a build file has.
	dec.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	root := &node{kind: table}
	open := []*node{root}
	var count budget
	for {
		t, err := dec.Token()
		line, _ := dec.InputPos()
		if errors.Is(err, io.EOF) {
			return root, nil
		} else if err != nil {
			return nil, fault(line, "%s", strings.TrimPrefix(err.Error(), "XML "))
		}
		at := open[len(open)-1]
		switch t := t.(type) {
		case xml.StartElement:
			if err := count.take(line, len(open)); err != nil {
				return nil, err
			}
			n := &node{name: t.Name.Local, line: line, kind: str}
			at.add(n)
			at.kind, at.text = table, ""
			open = append(open, n)
		case xml.EndElement:
			at.text = strings.TrimSpace(at.text)
			open = open[:len(open)-1]
		case xml.CharData:
			if at.kind == str && len(at.text) < 4<<10 {
				at.text += string(t)
			}
		}
	}
}
