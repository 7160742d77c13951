package report_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/report"
)

// rdSchema is what reviewdog.proto says of a DiagnosticResult, as far as we write one.
// No other member is allowed, as reviewdog refuses what it does not know.
const rdSchema = `{
	"$defs": {
		"some": {"type": "string", "minLength": 1},
		"severity": {"enum": ["ERROR", "WARNING", "INFO"]},
		"position": {"type": "object", "properties": {"line": {"type": "integer", "minimum": 1}}, "required": ["line"], "additionalProperties": false},
		"range": {"type": "object", "properties": {"start": {"$ref": "#/$defs/position"}, "end": {"$ref": "#/$defs/position"}}, "required": ["start", "end"], "additionalProperties": false},
		"location": {"type": "object", "properties": {"path": {"$ref": "#/$defs/some"}, "range": {"$ref": "#/$defs/range"}}, "required": ["path"], "additionalProperties": false},
		"code": {"type": "object", "properties": {"value": {"$ref": "#/$defs/some"}}, "required": ["value"], "additionalProperties": false},
		"suggestion": {"type": "object", "properties": {"range": {"$ref": "#/$defs/range"}, "text": {"type": "string"}}, "required": ["range", "text"], "additionalProperties": false},
		"diagnostic": {
			"type": "object", "required": ["message", "location", "severity", "code"], "additionalProperties": false,
			"properties": {
				"message": {"$ref": "#/$defs/some"}, "location": {"$ref": "#/$defs/location"}, "severity": {"$ref": "#/$defs/severity"},
				"code": {"$ref": "#/$defs/code"}, "suggestions": {"type": "array", "items": {"$ref": "#/$defs/suggestion"}}
			}
		}
	},
	"type": "object", "required": ["source", "diagnostics"], "additionalProperties": false,
	"properties": {
		"source": {"type": "object", "properties": {"name": {"$ref": "#/$defs/some"}}, "required": ["name"], "additionalProperties": false},
		"severity": {"$ref": "#/$defs/severity"},
		"diagnostics": {"type": "array", "items": {"$ref": "#/$defs/diagnostic"}}
	}
}`

func TestRDJSONKeepsToTheSchema(t *testing.T) {
	s := resolve(t, []byte(rdSchema))
	for name, r := range reviews() {
		var v any
		if err := json.Unmarshal(writeReview(t, report.RDJSON, r), &v); err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(v); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// reviewdog posts messages as Markdown.
func TestRDJSONIsNeutral(t *testing.T) {
	r := reviews()["changes"]
	r.Findings = []report.Finding{{Lens: report.LensLogic, Severity: report.Low, Path: "a.py", Side: report.Right, Start: 1, End: 1, Message: "@me fixes #1", Why: "see\n[x](http://a)", Quote: "x = 1", Suggestion: "x = 2\n"}}
	var got struct {
		Diagnostics []struct {
			Message     string
			Suggestions []struct{ Text string }
		}
	}
	if err := json.Unmarshal(writeReview(t, report.RDJSON, r), &got); err != nil {
		t.Fatal(err)
	}
	const want = "@<!-- -->me fixes #<!-- -->1\n\nsee\n\\[x\\](http:<!-- -->//a)"
	if diff := cmp.Diff(want, got.Diagnostics[0].Message); diff != "" || got.Diagnostics[0].Suggestions[0].Text != "x = 2" {
		t.Errorf("%s %+v", diff, got)
	}
}
