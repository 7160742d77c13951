package report

import (
	"bytes"
	_ "embed" // the schemas
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"unicode"
	"unicode/utf16"
)

//go:embed schema/analysis.json
var schema []byte

//go:embed schema/review.json
var reviewSchema []byte

// Schema is the JSON Schema of the JSON form of an [Analysis], version 2020-12. Members
// may come to it without a new [SchemaVersion].
func Schema() []byte { return bytes.Clone(schema) }

// ReviewSchema is that of a [Review].
func ReviewSchema() []byte { return bytes.Clone(reviewSchema) }

// writeJSON writes all of a report.
func writeJSON(w io.Writer, a Analysis, _ Options) error { return encode(w, a.full()) }

func writeReviewJSON(w io.Writer, r Review, _ Options) error { return encode(w, r.full()) }

// Encode writes any value as JSON that can be shown on a terminal.
func Encode(w io.Writer, v any) error { return encode(w, v) }

// EncodeLine is Encode in one line.
func EncodeLine(w io.Writer, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encode: %w", err)
	}
	_, err = w.Write(append(escape(data), '\n'))
	return err
}

// encode writes JSON that can be shown on a terminal: what cannot be printed is escaped.
func encode(w io.Writer, v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("encode the report: %w", err)
	}
	_, err := w.Write(escape(b.Bytes()))
	return err
}

func escape(data []byte) []byte {
	var out bytes.Buffer
	for _, r := range string(data) {
		switch {
		case unicode.IsPrint(r) || r == '\n':
			out.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&out, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
	}
	return out.Bytes()
}

// full has empty lists where the schema wants a list and there is none.
func (a Analysis) full() Analysis {
	if a.RootCause != nil {
		r := *a.RootCause
		r.Evidence, r.Missing = orEmpty(r.Evidence), orEmpty(r.Missing)
		a.RootCause = &r
	}
	a.Hypotheses = slices.Clone(a.Hypotheses)
	for i, h := range a.Hypotheses {
		a.Hypotheses[i].Supporting, a.Hypotheses[i].Refuting = orEmpty(h.Supporting), orEmpty(h.Refuting)
	}
	if a.Fix != nil {
		f := *a.Fix
		f.Files = orEmpty(f.Files)
		a.Fix = &f
	}
	if a.Feature != nil {
		f := *a.Feature
		f.Breaking = orEmpty(f.Breaking)
		a.Feature = &f
	}
	if a.Answer != nil {
		q := *a.Answer
		q.Quotes = orEmpty(q.Quotes)
		a.Answer = &q
	}
	return a
}

func (r Review) full() Review {
	r.VerdictWhy, r.Findings, r.Coverage.Skipped = orEmpty(r.VerdictWhy), orEmpty(r.Findings), orEmpty(r.Coverage.Skipped)
	return r
}

func orEmpty[E any](s []E) []E {
	if s == nil {
		return []E{}
	}
	return s
}
