package graph_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand"
	"strings"
	"testing"
	"testing/quick"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/repomind/repomind/graph"
)

var errAskedAnew = errors.New("asked anew")

// asked asks for a T, gives the answer, and tells what the node got and whether
// the answer was refused, or taken only to be asked for anew.
func asked[T any](t testing.TB, answer graph.Answer) (got T, refused error) {
	t.Helper()
	v := boxed[string]()
	g := graph.New("asked", v)
	g.Node("ask", func(ctx context.Context, _ box[string]) (_ graph.Update[box[string]], err error) {
		got, err = graph.Interrupt[T](ctx, "k", "?")
		return nil, err
	})
	g.Edge(graph.Begin, "ask")
	g.Edge("ask", graph.End)
	app := compiled(t, g, graph.NewMemory())
	_, err := app.Run(t.Context(), "t", graph.Start(box[string]{}))
	first, ok := errors.AsType[*graph.Paused](err)
	if !ok {
		t.Fatal(err)
	}
	if refused = app.Answer(t.Context(), "t", answer); refused != nil {
		if snap, err := app.State(t.Context(), "t"); len(snap.Pauses) != 1 || len(snap.Answers) != 0 || err != nil {
			t.Errorf("%s was refused, but is kept: %+v, %v", answer.Value, snap, err)
		}
		return got, refused
	}
	_, err = app.Run(t.Context(), "t", graph.Continue[box[string]]())
	if again, ok := errors.AsType[*graph.Paused](err); ok && again.Pauses[0].ID != first.Pauses[0].ID {
		return got, errAskedAnew
	}
	if err != nil {
		t.Errorf("%s was taken for a %T, but: %v", answer.Value, got, err)
	}
	return got, nil
}

func answerOf(data string) graph.Answer {
	return graph.Answer{Value: json.RawMessage(data), Who: "ann"}
}

type ruling struct {
	Signed
	Approve bool
	Note    string `json:"note"`
	Score   float32
	Level   int8
	Count   uint16
	Tags    []string
	Blob    []byte
	Pair    [2]int
	Votes   map[string]*int
	Next    *Signed
	Rest    int `json:"rest,omitempty"`
}

type Signed struct{ By string }

func TestAnswerOfEveryValueFits(t *testing.T) {
	fits := func(v ruling) bool {
		got, refused := asked[ruling](t, graph.AnswerTo("", v, "ann"))
		diff := cmp.Diff(v, got)
		if refused != nil || diff != "" {
			t.Error(refused, diff)
		}
		return refused == nil && diff == ""
	}
	if err := quick.Check(fits, &quick.Config{MaxCount: 200, Rand: rand.New(rand.NewSource(1))}); err != nil {
		t.Error(err)
	}
}

const goodVerdict = `{"By":"ann","Approve":true,"note":"","Score":0.5,"Level":-128,"Count":65535,"Tags":["a"],` +
	`"Blob":"AP8=","Pair":[1,2],"Votes":{"bob":3,"eve":null},"Next":{"By":"bob"}}`

func TestAnswersThatFit(t *testing.T) {
	for name, edit := range map[string][2]string{
		"as it is":               {"", ""},
		"spaces":                 {`,"Level"`, " ,\n\t\"Level\" "},
		"null list":              {`["a"]`, `null`},
		"null bytes":             {`"AP8="`, `null`},
		"null map":               {`{"bob":3,"eve":null}`, `null`},
		"null pointer":           {`{"By":"bob"}`, `null`},
		"optional member":        {`"Level"`, `"rest":1,"Level"`},
		"whole number for float": {`0.5`, `1`},
		"escaped name":           {`"Level"`, `"\u004cevel"`},
	} {
		if _, err := asked[ruling](t, answerOf(strings.Replace(goodVerdict, edit[0], edit[1], 1))); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAnswersThatDoNotFitAreNamed(t *testing.T) {
	var b strings.Builder
	for _, c := range []struct{ name, old, new string }{
		{"nothing", goodVerdict, ``},
		{"null", goodVerdict, `null`},
		{"another type", goodVerdict, `[]`},
		{"truncated", `"AP8="`, `"AP8`},
		{"two values", goodVerdict, `{} {}`},
		{"missing member", `"Approve":true,`, ``},
		{"missing embedded member", `"By":"ann",`, ``},
		{"missing member of a member", `{"By":"bob"}`, `{}`},
		{"member that is not asked for", `"Level"`, `"Sudo":true,"Level"`},
		{"member in another case", `"Approve"`, `"approve"`},
		{"null for a bool", `true`, `null`},
		{"number for a bool", `true`, `1`},
		{"text for a bool", `true`, `"true"`},
		{"number for a text", `"note":""`, `"note":1`},
		{"int8 overflow", `-128`, `-129`},
		{"negative unsigned", `65535`, `-1`},
		{"unsigned overflow", `65535`, `65536`},
		{"fraction for an int", `-128`, `1.5`},
		{"exponent for an int", `-128`, `1e1`},
		{"float overflow", `0.5`, `1e39`},
		{"no base64", `"AP8="`, `"*"`},
		{"text in a list of texts", `["a"]`, `["a",null]`},
		{"short array", `[1,2]`, `[1]`},
		{"long array", `[1,2]`, `[1,2,3]`},
		{"map value", `3,"eve"`, `"3","eve"`},
		{"NaN", `0.5`, `NaN`},
	} {
		_, err := asked[ruling](t, answerOf(strings.Replace(goodVerdict, c.old, c.new, 1)))
		if !errors.Is(err, graph.ErrAnswerType) {
			t.Errorf("%s: got %v, want ErrAnswerType", c.name, err)
		}
		text := fmt.Sprint(err)
		fmt.Fprintf(&b, "# %s\n%s\n\n", c.name, text[strings.LastIndex(text, "(ask: k): ")+len("(ask: k): "):])
	}
	golden(t, "answer.problems", b.String())
}

type (
	comment struct {
		Text    string
		Replies []comment
	}
	shouted struct{ Text string }
	quoted  struct {
		N int64 `json:",string"`
		B bool  `json:",string"`
	}
	pointed struct {
		*Signed
		OK bool
	}
)

func (s *shouted) UnmarshalText(b []byte) error {
	if s.Text = string(b); s.Text != strings.ToUpper(s.Text) {
		return errors.New("not loud enough")
	}
	return nil
}
func (s shouted) MarshalText() ([]byte, error) { return []byte(s.Text), nil }

// The schema leaves open what the decoder refuses. As a second answer to the
// question would be refused too, the node has to ask another one.
func TestAnswersThatTheNodeCannotReadAreAskedForAnew(t *testing.T) {
	anew := func(name string, err error) {
		if !errors.Is(err, errAskedAnew) && !errors.Is(err, graph.ErrAnswerType) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	_, err := asked[map[int]string](t, answerOf(`{"one":"x"}`))
	anew("key of a map of ints", err)
	_, err = asked[map[shouted]string](t, answerOf(`{"quiet":"x"}`))
	anew("key that reads its own text", err)
	_, err = asked[comment](t, answerOf(`{"Text":"","Replies":[{"Text":1,"Replies":[]}]}`))
	anew("type inside itself", err)
	_, err = asked[comment](t, answerOf(`{"Text":"","Replies":[{"Text":"","Replies":[],"Sudo":true}]}`))
	anew("member of a type inside itself", err)
	_, err = asked[time.Time](t, answerOf(`"tomorrow"`))
	anew("time", err)
	_, err = asked[struct{ At shouted }](t, answerOf(`{"At":"quiet"}`))
	anew("type that reads its own text", err)
	_, err = asked[ruling](t, answerOf(strings.Replace(goodVerdict, `"Approve":true`, `"Approve":7,"Approve":true`, 1)))
	anew("member given twice", err)
}

func TestAnswerWhoseTextJSONWouldAlterIsRefused(t *testing.T) {
	_, err := asked[string](t, graph.Answer{Value: json.RawMessage("\"\xff\""), Who: "ann"})
	if !errors.Is(err, graph.ErrAnswerType) || !errors.Is(err, graph.ErrInvalidUTF8) {
		t.Errorf("got %v", err)
	}
}

// In a security question the last of two is not what the first reader saw.
func TestAnswerWithAMemberTwiceIsRefused(t *testing.T) {
	got, err := asked[struct{ Approve bool }](t, answerOf(`{"Approve":false,"Approve":true}`))
	if err == nil {
		t.Errorf("it is taken as %+v", got)
	}
}

func TestAnswersInTheFormThatEncodingJSONGivesThemFit(t *testing.T) {
	q := quoted{1 << 60, true}
	if got, err := asked[quoted](t, graph.AnswerTo("", q, "ann")); got != q || err != nil {
		t.Errorf("members with the option string: got %v, %v", got, err)
	}
	p := pointed{&Signed{"ann"}, true}
	got, err := asked[pointed](t, graph.AnswerTo("", p, "ann"))
	if diff := cmp.Diff(p, got); diff != "" || err != nil {
		t.Errorf("members behind an embedded pointer: %v %s", err, diff)
	}
	if got, err := asked[shouted](t, graph.AnswerTo("", shouted{"LOUD"}, "ann")); got.Text != "LOUD" || err != nil {
		t.Errorf("own text: got %v, %v", got, err)
	}
}

// Whatever is done to an answer, it is refused or the node can read it.
func TestEditedAnswersAreRefusedOrRead(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	parts := []string{"null", "true", `"x"`, "1", "-1", "1e3", "{}", "[]", `"By":"x",`, ",", ":", "300", `"\ud800"`}
	taken := 0
	for range 1500 {
		data := []byte(goodVerdict)
		for range 1 + r.Intn(2) {
			i := r.Intn(len(data))
			j := min(len(data), i+r.Intn(12))
			data = append(append(append([]byte(nil), data[:i]...), parts[r.Intn(len(parts))]...), data[j:]...)
		}
		_, refused := asked[ruling](t, answerOf(string(data)))
		switch {
		case refused == nil:
			taken++
		case !errors.Is(refused, graph.ErrAnswerType) && !errors.Is(refused, errAskedAnew): // that, if a member is given twice
			t.Errorf("%s: %v", data, refused)
		}
	}
	if taken == 0 {
		t.Error("no edited answer was taken: this tests too little")
	}
}
