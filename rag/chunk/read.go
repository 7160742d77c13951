package chunk

import (
	"bytes"
	"fmt"
	"strings"
)

// Text is the chunk as it stands in its file, data, for those who read it: valid UTF-8
// of at most limit bytes, and where that cuts it, a last line that says so. Only a
// chunk of one line is longer than Limits.Bytes.
func (c Chunk) Text(data []byte, limit int) string {
	raw := data[c.From:c.To]
	if len(raw) <= limit {
		if text := strings.ToValidUTF8(string(raw), "\uFFFD"); len(text) <= limit {
			return text
		}
	}
	said := fmt.Sprintf("\n[the first of %d bytes]\n", len(raw))
	room := max(0, limit-len(said))
	return clip(string(raw[:min(room, len(raw))]), room) + said
}

// Apart splits the bytes of the chunk in its file, data, into the lines of Comments and
// the others.
func (c Chunk) Apart(data []byte) (body, comments []byte) {
	text := data[c.From:c.To]
	if len(c.Comments) == 0 {
		return text, nil
	}
	n, at := c.Span.Start, 0
	for _, s := range c.Comments {
		from := skipLines(text, at, s.Start-n)
		to := skipLines(text, from, s.Lines())
		body = append(body, text[at:from]...)
		comments = append(comments, text[from:to]...)
		n, at = s.End+1, to
	}
	return append(body, text[at:]...), comments
}

// skipLines is the place n lines behind another.
func skipLines(text []byte, at, n int) int {
	for ; n > 0 && at < len(text); n-- {
		i := bytes.IndexByte(text[at:], '\n')
		if i < 0 {
			return len(text)
		}
		at += i + 1
	}
	return at
}
