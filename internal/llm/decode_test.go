package llm_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/llm/llmtest"
)

type severity string

func (severity) Enum() []string { return []string{"critical", "high", "medium", "low"} }

type finding struct {
	Severity   severity `json:"severity" jsonschema:"how bad it is"`
	Path       string   `json:"path"`
	Line       int      `json:"line"`
	Confidence float64  `json:"confidence"`
	Suggestion string   `json:"suggestion,omitempty"`
	Breaking   bool     `json:"breaking,omitempty"`
}

type review struct {
	Summary  string    `json:"summary"`
	Findings []finding `json:"findings"`
}

func (r review) Validate() error {
	if r.Summary == "forbidden" {
		return errors.Join(errors.New("summary: say what you saw"), errors.New("summary: not that word"))
	}
	return nil
}

const good = `{"summary":"s","findings":[{"severity":"high","path":"a.go","line":3,"confidence":0.8}]}`

var goodReview = review{Summary: "s", Findings: []finding{{Severity: "high", Path: "a.go", Line: 3, Confidence: 0.8}}}

// TestParseTakes has answers as models write them, each of which means goodReview.
func TestParseTakes(t *testing.T) {
	for name, text := range map[string]string{
		"plain":            good,
		"fence":            "Here it is:\n```json\n" + good + "\n```\nHope that helps {really}!",
		"prose":            "My answer is {as you wished}: " + good + " and so on.",
		"thoughts":         "<think>{\"summary\": maybe {\n</think>\n" + good,
		"end of thoughts":  "So {\"summary\": maybe.\n</think>\n" + good,
		"thinking":         "<thinking>{\"summary\":\"t\",\"findings\":[]}</thinking>" + good,
		"byte order mark":  "\uFEFF" + good,
		"trailing commas":  `{"summary":"s","findings":[{"severity":"high","path":"a.go","line":3,"confidence":0.8,},],}`,
		"comments":         "{\"summary\":\"s\", // short\n\"findings\":[{\"severity\":\"high\",\"path\":\"a.go\",\"line\":3,\"confidence\":0.8}] // done\n}",
		"python":           `{"summary":"s","findings":[{"severity":"high","path":"a.go","line":3,"confidence":0.8,"breaking":False,"suggestion":None}]}`,
		"numbers in text":  `{"summary":"s","findings":[{"severity":"high","path":"a.go","line":"3","confidence":"80%"}]}`,
		"whole float":      `{"summary":"s","findings":[{"severity":"high","path":"a.go","line":3.0,"confidence":8e-1}]}`,
		"one for a list":   `{"summary":"s","findings":{"severity":"high","path":"a.go","line":3,"confidence":0.8}}`,
		"list of one":      "[" + good + "]",
		"in a text":        `"{\"summary\":\"s\",\"findings\":\"[{\\\"severity\\\":\\\"high\\\",\\\"path\\\":\\\"a.go\\\",\\\"line\\\":3,\\\"confidence\\\":0.8}]\"}"`,
		"other spelling":   `{"Summary":"s","FINDINGS":[{"Severity":"High","pa_th":"a.go","line":3,"confidence":0.8}]}`,
		"more words":       `{"summary":["s"],"findings":[{"severity":"HIGH - it crashes","path":"a.go","line":3,"confidence":0.8}]}`,
		"unknown members":  `{"summary":"s","note":{"x":[1]},"findings":[{"severity":"high","path":"a.go","line":3,"confidence":0.8,"why":"x"}]}`,
		"draft before":     `{"summary":""} No, wait. ` + good,
		"invalid draft":    `{"summary":"forbidden","findings":[{"severity":"low","path":"b","line":1,"confidence":1,"suggestion":"old","breaking":true}]} Better: ` + good,
		"empty suggestion": `{"summary":"s","findings":[{"severity":"high","path":"a.go","line":3,"confidence":0.8,"suggestion":" "}]}`,
	} {
		got, err := llm.Parse[review](text)
		if diff := cmp.Diff(goodReview, got); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
	}
}

func TestParseKeepsText(t *testing.T) {
	for in, want := range map[string]string{
		"{\"summary\":\"two\nlines\tand a tab\",\"findings\":[]}":  "two\nlines\tand a tab",
		`{"summary":"a regular \d+\.\w expression","findings":[]}`: `a regular \d+\.\w expression`,
		`{"summary":"it\'s True, // no comment,}","findings":[],}`: "it's True, // no comment,}",
		`{"summary":"\u00e9 \\ \" \u12","findings":[],}`:           `é \ " \u12`,
		`{"summary":42,"findings":null}`:                           "42",
		`{"summary":"x","findings":""}`:                            "x",
	} {
		got, err := llm.Parse[review](in)
		if err != nil || got.Summary != want || len(got.Findings) != 0 {
			t.Errorf("%s is read as %q, %v", in, got.Summary, err)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for text, want := range map[string][]string{
		"":                                      {"the answer is empty"},
		"I cannot say.":                         {"there is no JSON object in it"},
		`{"summary":"s"`:                        {"it is not JSON: unexpected EOF"},
		`3`:                                     {"there is no JSON object in it"},
		`{}`:                                    {"findings: is missing", "summary: is missing"},
		`[1,2]`:                                 {"want an object, got a list"},
		`{"summary":" "}`:                       {"findings: is missing", "summary: must not be empty"},
		`{"summary":"forbidden","findings":[]}`: {"summary: say what you saw", "summary: not that word"},
		`{"summary":{"a":1},"findings":[{"severity":"not high","path":"a.go","line":1.5,"confidence":"very"}]}`: {
			`findings[0].confidence: want a number, got "very"`,
			"findings[0].line: want a whole number, got 1.5",
			`findings[0].severity: "not high" is none of critical, high, medium, low`,
			"summary: want text, got an object",
		},
		`{"summary":"s","findings":[{"severity":"high or low","path":"a","line":1e400,"confidence":1,"breaking":"maybe"}]}`: {
			`findings[0].breaking: want true or false, got "maybe"`,
			"findings[0].line: want a whole number, got 1e400",
			`findings[0].severity: "high or low" is none of critical, high, medium, low`,
		},
	} {
		got, err := llm.Parse[review](text)
		bad, ok := errors.AsType[*llm.UnusableError](err)
		if !ok || !errors.Is(err, llm.ErrUnusable) {
			t.Errorf("%s gives %+v, %v", text, got, err)
			continue
		}
		if diff := cmp.Diff(want, bad.Reasons); diff != "" {
			t.Errorf("%s: reasons (-want +got):\n%s", text, diff)
		}
		if diff := cmp.Diff(review{}, got); diff != "" {
			t.Errorf("%s leaves a value:\n%s", text, diff)
		}
	}
}

func TestEnumMeans(t *testing.T) {
	type one struct {
		S severity `json:"s"`
	}
	for said, want := range map[string]severity{
		"medium": "medium", "Med": "medium", "MEDIUM.": "medium", " crit": "critical", "low (style)": "low", "High severity": "high",
		"me": "", "urgent": "", "highest": "", "medium/high": "", "": "", "l": "",
	} {
		got, err := llm.Parse[one](`{"s":"` + said + `"}`)
		if got.S != want || (err == nil) != (want != "") {
			t.Errorf("%q means %q, %v; want %q", said, got.S, err, want)
		}
	}
}

func TestSchemaFor(t *testing.T) {
	got, err := llm.SchemaFor[review]()
	want := `{"type":"object","properties":{"summary":{"type":"string"},"findings":{"type":"array","items":` +
		`{"type":"object","properties":{"severity":{"type":"string","description":"how bad it is","enum":["critical","high","medium","low"]},` +
		`"path":{"type":"string"},"line":{"type":"integer"},"confidence":{"type":"number"},"suggestion":{"type":"string"},"breaking":{"type":"boolean"}},` +
		`"required":["severity","path","line","confidence"],"additionalProperties":false}}},"required":["summary","findings"],"additionalProperties":false}`
	if diff := cmp.Diff(want, string(got)); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if _, err := llm.SchemaFor[[]string](); err == nil || err.Error() != "schema of []string: want a struct with fields" {
		t.Errorf("a list gives %v", err)
	}
}

func TestDecode(t *testing.T) {
	m := llmtest.Script(t, llmtest.Say(good))
	req := ask("review")
	req.Tools = []llm.Tool{{Name: "grep"}}
	got, resp, err := llm.Decode[review](t.Context(), m, req)
	if diff := cmp.Diff(goodReview, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	asked := m.Requests()[0]
	if resp.Usage.Calls != 1 || asked.Schema == nil || asked.Tools != nil || len(req.Tools) != 1 {
		t.Errorf("the request is %+v and took %s", asked, resp.Usage)
	}
}

func TestDecodeRepairs(t *testing.T) {
	bad := `{"summary":"","findings":[]}`
	m := llmtest.Script(t,
		llmtest.Reply{Text: bad, Usage: llm.Usage{Calls: 1, Input: 5, Output: 2}},
		llmtest.Reply{Text: good, Usage: llm.Usage{Calls: 1, Input: 9, Output: 3}, Check: llmtest.Holds("summary: must not be empty", bad)})
	got, resp, err := llm.Decode[review](t.Context(), m, ask("review"))
	if diff := cmp.Diff(goodReview, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if diff := cmp.Diff(llm.Usage{Calls: 2, Input: 14, Output: 5}, resp.Usage); diff != "" {
		t.Errorf("usage (-want +got):\n%s", diff)
	}
	want := []llm.Message{llm.User("review"), {Role: llm.RoleAssistant, Parts: []llm.Part{{Text: bad}}}, llm.User("Your answer could not be used:\n\n- summary: must not be empty\n\nSend the whole answer again with these faults mended: one JSON object and nothing else. It must fit this JSON Schema:\n\n" + string(m.Requests()[0].Schema))}
	if diff := cmp.Diff(want, m.Requests()[1].Messages); diff != "" {
		t.Errorf("the second request (-want +got):\n%s", diff)
	}
}

func TestDecodeGivesUp(t *testing.T) {
	m := llmtest.Script(t, llmtest.Say("no"), llmtest.Say("again no"))
	_, resp, err := llm.Decode[review](t.Context(), m, ask("review"))
	if !errors.Is(err, llm.ErrUnusable) || resp.Usage.Calls != 2 {
		t.Errorf("two bad answers give %v after %s", err, resp.Usage)
	}
	if want := `unusable answer: there is no JSON object in it (it begins "again no")`; err.Error() != want {
		t.Errorf("the error is %q", err)
	}
}

// TestDecodeCutOff has a text that is bad JSON, and must not be called so.
func TestDecodeCutOff(t *testing.T) {
	cut := llmtest.Reply{Text: `{"summary":"s","findings":[`, Stop: llm.StopLength}
	m := llmtest.Script(t, cut, cut)
	req := ask("review")
	req.MaxTokens = 3000
	_, _, err := llm.Decode[review](t.Context(), m, req)
	if !errors.Is(err, llm.ErrCutOff) || errors.Is(err, llm.ErrUnusable) {
		t.Errorf("two cut answers give %v", err)
	}
	if got := m.Requests()[1].MaxTokens; got != 6000 {
		t.Errorf("the second call has room for %d tokens", got)
	}
	m = llmtest.Script(t, cut, llmtest.Say("no"), llmtest.Say(good))
	if got, resp, err := llm.Decode[review](t.Context(), m, req); err != nil || got.Summary != "s" || resp.Usage.Calls != 3 {
		t.Errorf("a cut, a bad and a good answer give %+v, %v after %s", got, err, resp.Usage)
	}
}

func TestDecodeFiltered(t *testing.T) {
	m := llmtest.Script(t, llmtest.Reply{Text: good, Stop: llm.StopFilter})
	if _, _, err := llm.Decode[review](t.Context(), m, ask("review")); !errors.Is(err, llm.ErrFiltered) {
		t.Errorf("a refusal gives %v", err)
	}
}

func TestDecodeModelFails(t *testing.T) {
	down := &llm.Error{Op: "call x", Kind: llm.ErrUnavailable}
	m := llmtest.Script(t, llmtest.Say("bad"), llmtest.Fail(down))
	_, resp, err := llm.Decode[review](t.Context(), m, ask("review"))
	if !errors.Is(err, down) || resp.Usage.Calls != 2 || resp.Usage.Failed != 1 {
		t.Errorf("a failed repair gives %v after %s", err, resp.Usage)
	}
}

// TestDecodeShowsModelLittle keeps a huge bad answer out of the repair.
func TestDecodeShowsModelLittle(t *testing.T) {
	m := llmtest.Script(t, llmtest.Say(strings.Repeat("日", 100_000)), llmtest.Say(good))
	if _, _, err := llm.Decode[review](t.Context(), m, ask("review")); err != nil {
		t.Fatal(err)
	}
	if n := llm.Estimate(m.Requests()[1]); n > 10_000 {
		t.Errorf("the repair has %d tokens", n)
	}
}

// TestParseKeepsNumbers has whole numbers that a float would round.
func TestParseKeepsNumbers(t *testing.T) {
	type numbers struct {
		Big   int64  `json:"big"`
		Small uint8  `json:"small,omitempty"`
		Rest  *int64 `json:"rest"`
	}
	for in, want := range map[string]string{
		`{"big":9007199254740993}`:            "9007199254740993",
		`{"big":"-9223372036854775808"}`:      "-9223372036854775808",
		`{"big":9223372036854775808}`:         "big: want a whole number, got 9223372036854775808",
		`{"big":9007199254740993.0}`:          "big: want a whole number, got 9007199254740993.0",
		`{"big":4e2,"rest":null}`:             "400",
		`{"big":1,"small":256}`:               "small: 256 is out of range",
		`{"big":1,"small":-1}`:                "small: -1 is out of range",
		`{"big":NaN}`:                         "big: is missing",
		`{"big":}`:                            "it is not JSON: invalid character '}' looking for beginning of value",
		`{"big":1,,"small":2}`:                "it is not JSON: invalid character ',' looking for beginning of object key string",
		`{"big":"12 or 13"}`:                  `big: want a whole number, got "12 or 13"`,
		`{"big":[1,2]}`:                       "big: want a whole number, got a list",
		`{"big":0x10}`:                        "it is not JSON: invalid character 'x' after object key:value pair",
		`{"big":"0x10"}`:                      `big: want a whole number, got "0x10"`,
		"{\"big\":1} {\"big\":2}":             "1",
		"the plan {big} is:\n{\"BIG\":\"7\"}": "7",
	} {
		got, err := llm.Parse[numbers](in)
		said := fmt.Sprint(got.Big)
		if bad, ok := errors.AsType[*llm.UnusableError](err); ok {
			said = strings.Join(bad.Reasons, "; ")
		}
		if said != want || got.Rest != nil {
			t.Errorf("%s is read as %s (%+v), want %s", in, said, got, want)
		}
	}
}

// TestParseBounds has texts that are made to cost time or memory.
func TestParseBounds(t *testing.T) {
	for want, text := range map[string]string{
		"the answer is longer than 2 MB":                           good + strings.Repeat(" ", 2<<20),
		"findings[0].confidence: is missing":                       `{"summary":"s","findings":[` + strings.Repeat(`{},`, 500_000) + `{}]}`,
		"it is not JSON: invalid character '[' exceeded max depth": strings.Repeat("[", 1<<20),
		"findings: is missing":                                     "{" + strings.Repeat(`"k_":1,"K":2,`, 100_000) + `"z":1}`,
		"there is no JSON object in it":                            strings.Repeat("<think>", 250_000),
		"it is not JSON: unexpected EOF":                           strings.Repeat("```\n{\n```\n", 150_000),
	} {
		_, err := llm.Parse[review](text)
		bad, ok := errors.AsType[*llm.UnusableError](err)
		if !ok || bad.Reasons[0] != want || len(bad.Reasons) > 10 || len(bad.Text) > 400 {
			t.Errorf("%.30s… gives %.300v, want %s", text, err, want)
		}
	}
}

type base struct {
	A string   `json:"a"`
	S severity `json:"s"`
}

// TestSchemaOfShapes has embedded structs, pointers, maps, times and arrays.
func TestSchemaOfShapes(t *testing.T) {
	type shapes struct {
		base
		P     *int                `json:"p"`
		PS    *severity           `json:"ps"`
		M     map[string]severity `json:"m,omitempty"`
		T     time.Time           `json:"t,omitzero"`
		Pair  [2]int              `json:"pair,omitempty"`
		Items []*base             `json:"items"`
	}
	got, err := llm.Parse[shapes](`{"A":"x","s":"Med","p":"3","ps":null,"m":{"k":"HIGH"},"t":"2026-01-02T03:04:05Z","pair":[1,"2"],"items":[{"a":"y","s":"low"}]}`)
	three := 3
	want := shapes{base{"x", "medium"}, &three, nil, map[string]severity{"k": "high"}, time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), [2]int{1, 2}, []*base{{"y", "low"}}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(shapes{})); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	for text, want := range map[string]string{
		`{"a":"x","s":"low","items":[null]}`:                "items[0]: want an object, got null",
		`{"a":"x","s":"low","items":[],"pair":[1]}`:         "pair: want 2 items, got 1",
		`{"a":"x","s":"low","items":[],"t":"yesterday"}`:    `parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as "2006"`,
		`{"a":"x","s":"low","items":[],"m":{"k":"purple"}}`: `m.k: "purple" is none of critical, high, medium, low`,
	} {
		_, err := llm.Parse[shapes](text)
		if bad, ok := errors.AsType[*llm.UnusableError](err); !ok || len(bad.Reasons) != 1 || bad.Reasons[0] != want {
			t.Errorf("%s gives %v, want %s", text, err, want)
		}
	}
	type node struct {
		Kids []struct{ Parent *review } `json:"kids"`
		Next []any                      `json:"next"`
	}
	if _, err := llm.SchemaFor[node](); err != nil {
		t.Error(err)
	}
	if _, err := llm.SchemaFor[ring](); err == nil || !strings.Contains(err.Error(), "cycle") {
		t.Errorf("a type that holds itself gives %v", err)
	}
}

type ring struct {
	Next []ring `json:"next"`
}
