package report

import (
	_ "embed" // the schema
	"encoding/json"
	"io"
)

//go:embed schema/analysis.json
var schema []byte

// Schema is the JSON Schema of the JSON form, version 2020-12.
func Schema() []byte { return schema }

// writeJSON writes the envelope.
func writeJSON(w io.Writer, a Analysis, _ Options) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(a)
}
