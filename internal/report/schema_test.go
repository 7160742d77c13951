package report_test

import (
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/internal/source"
)

func enum(values ...any) *jsonschema.Schema { return &jsonschema.Schema{Type: "string", Enum: values} }

// fixed are the types that have fixed values or a form of their own.
var fixed = map[reflect.Type]*jsonschema.Schema{
	reflect.TypeFor[report.Status]():   enum("completed", "partial", "failed", "paused", "rejected"),
	reflect.TypeFor[report.Stop]():     enum("done", "budget", "timeout", "max_steps", "truncated", "auth", "provider_error", "approval", "no_model"),
	reflect.TypeFor[report.Kind]():     enum("bug", "feature", "question", "security"),
	reflect.TypeFor[report.Severity](): enum("critical", "high", "medium", "low"),
	reflect.TypeFor[report.Class]():    enum("CONFIRMED", "LIKELY", "INCONCLUSIVE"),
	reflect.TypeFor[report.State]():    enum("chosen", "ruled_out", "open"),
	reflect.TypeFor[report.FixClass](): enum("code_fix", "dependency_upgrade", "config_fix"),
	reflect.TypeFor[report.Verdict]():  enum("APPROVE", "REQUEST_CHANGES", "INCONCLUSIVE"),
	reflect.TypeFor[report.Lens]():     enum("security", "style", "logic", "rules"),
	reflect.TypeFor[report.Side]():     enum("LEFT", "RIGHT"),
	reflect.TypeFor[report.Progress](): enum("still_open", "resolved", "cannot_tell"), // a new finding has none
	reflect.TypeFor[source.Commit]():   {Type: "string", Pattern: "^([0-9a-f]{40}|[0-9a-f]{64})?$"},
	reflect.TypeFor[time.Time]():       {Type: "string", Format: "date-time"},
}

// schemaOf is made of the types, so that it cannot say something else than they.
func schemaOf[R any](t *testing.T, kind, title string) *jsonschema.Schema {
	t.Helper()
	s, err := jsonschema.For[R](&jsonschema.ForOptions{TypeSchemas: fixed})
	if err != nil {
		t.Fatal(err)
	}
	loosen(s)
	s.Schema, s.Title = "https://json-schema.org/draft/2020-12/schema", title
	version := any(report.SchemaVersion)
	s.Properties["schema_version"] = &jsonschema.Schema{Const: &version}
	s.Properties["kind"], s.Properties["lang"] = enum(kind), enum("en", "zh")
	portion(s.Properties["confidence"])
	s.Properties["usage"].Properties["cost_status"] = enum("known", "estimated", "unknown")
	return s
}

func portion(s *jsonschema.Schema) { s.Minimum, s.Maximum = jsonschema.Ptr(0.0), jsonschema.Ptr(1.0) }

func analysisSchema(t *testing.T) *jsonschema.Schema {
	s := schemaOf[report.Analysis](t, "analyze", "RepoMind's report on an issue")
	s.Properties["evidence"].Items.Properties["quote_sha256"].Pattern = "^[0-9a-f]{64}$"
	s.Properties["linked_fixes"].Items.Properties["in_head"] = enum("yes", "no", "unknown")
	return s
}

func reviewSchema(t *testing.T) *jsonschema.Schema {
	s := schemaOf[report.Review](t, "review", "RepoMind's report on a change")
	portion(s.Properties["findings"].Items.Properties["confidence"])
	s.Properties["settles"].Items.Properties["answer"] = enum("yes", "partly", "no", "unclear")
	return s
}

// loosen allows members that a later version adds, and forbids null where Write has an
// empty list or leaves the member out; only a cost may be null.
func loosen(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if s.Properties != nil {
		s.AdditionalProperties = nil
	}
	for name, p := range s.Properties {
		if i := slices.Index(p.Types, "null"); i >= 0 && name != "cost_usd" {
			p.Type, p.Types = slices.Delete(slices.Clone(p.Types), i, i+1)[0], nil
		}
		loosen(p)
	}
	loosen(s.Items)
}

func TestSchemaIsThatOfTheTypes(t *testing.T) {
	sameSchema(t, "schema/analysis.json", analysisSchema(t), report.Schema())
	sameSchema(t, "schema/review.json", reviewSchema(t), report.ReviewSchema())
}

func sameSchema(t *testing.T, file string, ofTypes *jsonschema.Schema, embedded []byte) {
	t.Helper()
	data, err := json.MarshalIndent(ofTypes, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	data = append(data, '\n')
	if *update {
		if err := os.WriteFile(file, data, 0o644); err != nil {
			t.Fatal(err)
		}
		return // what is embedded is the schema of before
	}
	if diff := cmp.Diff(string(data), string(embedded)); diff != "" {
		t.Errorf("run the test with -update (-want +got):\n%s", diff)
	}
}

func resolve(t *testing.T, schema []byte) *jsonschema.Resolved {
	t.Helper()
	var s jsonschema.Schema
	if err := json.Unmarshal(schema, &s); err != nil {
		t.Fatal(err)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return resolved
}

// keeps checks that a report keeps to its schema, and that this is worth something.
func keeps(t *testing.T, name string, s *jsonschema.Resolved, data []byte) {
	t.Helper()
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(v); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	v.(map[string]any)["status"] = "fine"
	if s.Validate(v) == nil {
		t.Errorf("%s may have any status", name)
	}
}

func TestReportsKeepToTheSchema(t *testing.T) {
	s := resolve(t, report.Schema())
	all := samples()
	all["bare"] = report.Analysis{ // no list is there
		SchemaVersion: report.SchemaVersion, Doc: "analyze", Lang: "en", Status: report.Failed, StopReason: report.StopAuth, Usage: report.Usage{CostStatus: "unknown"},
		RootCause: &report.RootCause{Class: report.Likely}, Hypotheses: []report.Hypothesis{{State: report.Open}},
		Fix: &report.Fix{}, Feature: &report.FeaturePlan{}, Answer: &report.Answer{},
	}
	for name, a := range all {
		keeps(t, name, s, write(t, report.JSON, a))
	}
}

func TestReviewsKeepToTheSchema(t *testing.T) {
	s := resolve(t, report.ReviewSchema())
	all := reviews()
	all["bare"] = report.Review{SchemaVersion: report.SchemaVersion, Doc: "review", Lang: "en", Status: report.Failed, StopReason: report.StopAuth, Verdict: report.Undecided, Usage: report.Usage{CostStatus: "unknown"}}
	for name, r := range all {
		keeps(t, name, s, writeReview(t, report.JSON, r))
	}
}

// Whatever cannot be printed comes back as it was.
func TestJSONLosesNothing(t *testing.T) {
	want := samples()["hostile"]
	out := write(t, report.JSON, want)
	var got report.Analysis
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	if got.Subject != want.Subject || got.RootCause.Statement != want.RootCause.Statement || got.Evidence[0].Quote != want.Evidence[0].Quote {
		t.Errorf("got %+v", got)
	}
	if i := unprintable(string(out)); i >= 0 {
		t.Errorf("there is %q", out[i:i+4])
	}
}
