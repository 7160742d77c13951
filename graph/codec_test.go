package graph_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"math/rand"
	"reflect"
	"strings"
	"testing"
	"testing/quick"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/repomind/repomind/graph"
)

// stored gives what a checkpoint makes of v.
func stored[T any](t *testing.T, v T) (T, error) {
	t.Helper()
	g := graph.New("stored", boxed[T]())
	g.Edge(graph.Begin, graph.End)
	app, err := g.Compile(graph.Config{Store: graph.NewMemory()})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := app.Run(t.Context(), "t", graph.Start(box[T]{v})); err != nil {
		return *new(T), err
	}
	snap, err := app.State(t.Context(), "t")
	return snap.State.V, err
}

type leaf struct {
	Name  string
	Blob  []byte
	Kids  []*leaf
	Label label
}

// A label writes its own text.
type label struct{ text string }

func (l label) MarshalText() ([]byte, error)  { return []byte(l.text), nil }
func (l *label) UnmarshalText(b []byte) error { l.text = string(b); return nil }

type measures struct {
	I8   int8
	I64  int64
	U64  uint64
	F32  float32
	F64  float64
	Span time.Duration
	OK   [3]bool
}

// An archive has whatever a state may have.
type archive struct {
	measures
	Text   string `json:"text & more"`
	Quoted int64  `json:",string"`
	Raw    json.RawMessage
	When   time.Time
	Huge   *big.Int
	Lists  [][]string
	ByName map[string][]leaf
	ByNum  map[int16]*leaf
	ByKey  map[label]string
	None   *leaf
	Empty  struct{}
}

// texts are hard for JSON in one way or another.
var texts = []string{"", "\ufffd", `\ufffd`, "\u2028\u2029", `"quoted" \ / '`, "<a href='x'>&amp;</a>",
	"line\r\nline\ttab\x00\x01\x7f", "日本語 🙂 e\u0301", strings.Repeat("long ", 50), "null", "\ufeff"}

func randomText(r *rand.Rand) string {
	v, _ := quick.Value(reflect.TypeFor[string](), r)
	return texts[r.Intn(len(texts))] + v.String()
}

func randomLeaf(r *rand.Rand, depth int) *leaf {
	l := &leaf{Name: randomText(r), Label: label{randomText(r)}}
	if r.Intn(2) == 0 {
		l.Blob = []byte(randomText(r) + "\xff\x00")
	}
	for range r.Intn(3) * min(depth, 1) {
		l.Kids = append(l.Kids, randomLeaf(r, depth-1))
	}
	return l
}

func (archive) Generate(r *rand.Rand, _ int) reflect.Value {
	m, _ := quick.Value(reflect.TypeFor[measures](), r)
	a := archive{measures: m.Interface().(measures), Text: randomText(r), Quoted: int64(r.Uint64()), Lists: [][]string{nil, {}}}
	raw := []string{"null", `"\ufffd"`, `{"a":[1,2.50,1e400]}`, `"` + "\u2028" + `<"`, `123456789012345678901234567890`}
	a.Raw = json.RawMessage(raw[r.Intn(len(raw))])
	zone := time.FixedZone("somewhere", (r.Intn(25)-12)*1800)
	a.When = time.Unix(r.Int63n(1<<33), r.Int63n(1e9)).In(zone)
	a.Huge = new(big.Int).Lsh(big.NewInt(r.Int63()), uint(r.Intn(300)))
	if r.Intn(2) == 0 {
		a.None, a.ByNum, a.ByName, a.ByKey = randomLeaf(r, 1), map[int16]*leaf{}, map[string][]leaf{}, map[label]string{}
	}
	for range r.Intn(3) * len(a.Lists) {
		a.Lists = append(a.Lists, []string{randomText(r), randomText(r)})
	}
	for range r.Intn(3) {
		if a.ByName == nil {
			break
		}
		a.ByName[randomText(r)] = []leaf{*randomLeaf(r, 2)}
		a.ByNum[int16(r.Uint32())] = randomLeaf(r, 0)
		a.ByKey[label{randomText(r)}] = randomText(r)
	}
	return reflect.ValueOf(a)
}

var exactly = []cmp.Option{
	cmp.AllowUnexported(archive{}, label{}),
	cmp.Comparer(func(a, b big.Int) bool { return a.Cmp(&b) == 0 }),
}

func TestEveryValueSurvivesACheckpoint(t *testing.T) {
	same := func(a archive) bool {
		got, err := stored(t, a)
		if err != nil {
			t.Error(err)
			return false
		}
		diff := cmp.Diff(a, got, exactly...)
		if diff != "" {
			t.Error(diff)
		}
		return diff == ""
	}
	if err := quick.Check(same, &quick.Config{MaxCount: 150, Rand: rand.New(rand.NewSource(1))}); err != nil {
		t.Error(err)
	}
	for _, f := range []float64{0, math.Copysign(0, -1), math.MaxFloat64, math.SmallestNonzeroFloat64, 0.1, 1 << 53} {
		if got, err := stored(t, f); math.Float64bits(got) != math.Float64bits(f) || err != nil {
			t.Errorf("%v comes back as %v, %v", f, got, err)
		}
	}
}

func TestTextThatJSONWouldAlterIsRefused(t *testing.T) {
	bad := "caf\xe9"
	for name, a := range map[string]archive{
		"member":           {Text: bad},
		"deep in lists":    {Lists: [][]string{nil, {"", bad}}},
		"map key":          {ByName: map[string][]leaf{bad: nil}},
		"map value":        {ByName: map[string][]leaf{"": {{Name: "ok"}, {Name: bad}}}},
		"behind pointers":  {ByNum: map[int16]*leaf{1: {Kids: []*leaf{nil, {Name: bad}}}}},
		"beside a \\ufffd": {Text: bad, Raw: json.RawMessage(`"\ufffd"`), Lists: [][]string{{"\ufffd"}}},
		"own text":         {None: &leaf{Label: label{bad}}},
		"own text as key":  {ByKey: map[label]string{{bad}: ""}},
	} {
		_, err := stored(t, a)
		var f *graph.FieldError
		if !errors.Is(err, graph.ErrInvalidUTF8) || !errors.As(err, &f) || f.Field != "v" {
			t.Errorf("%s: got %v, want a FieldError of v with ErrInvalidUTF8", name, err)
		}
	}
}

func TestNumbersThatJSONLacksAreRefused(t *testing.T) {
	for _, f := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		_, err := stored(t, []float64{1, f})
		var number *json.UnsupportedValueError
		if !errors.As(err, &number) {
			t.Errorf("%v: got %v", f, err)
		}
	}
}

// The methods of *big.Int write its JSON, and those of a value are not found by
// encoding/json unless it has an address.
func TestValuesThatAreMarshaledThroughAPointerSurvive(t *testing.T) {
	one, two := *big.NewInt(1), *new(big.Int).Lsh(big.NewInt(1), 100)
	if got, err := stored(t, two); err != nil || got.Cmp(&two) != 0 {
		t.Errorf("a big.Int comes back as %v, %v", &got, err)
	}
	if got, err := stored(t, [2]big.Int{one, two}); err != nil || got[1].Cmp(&two) != 0 {
		t.Errorf("an array of them comes back as %v, %v", got, err)
	}
	if got, err := stored(t, struct{ N big.Int }{two}); err != nil || got.N.Cmp(&two) != 0 {
		t.Errorf("a member comes back as %v, %v", &got.N, err)
	}
	if got, err := stored(t, []big.Int{one, two}); err != nil || got[1].Cmp(&two) != 0 {
		t.Errorf("a list of them comes back as %v, %v", got, err)
	}
}

func TestArgumentsOfTasksAndValuesOfOnceSurvive(t *testing.T) {
	two := *new(big.Int).Lsh(big.NewInt(1), 100)
	result := boxed[string]()
	g := graph.New("arguments", result)
	task := graph.Task(g, "a", func(ctx context.Context, n big.Int) (graph.Update[box[string]], error) {
		v, err := graph.Once(ctx, "once", func(context.Context) (big.Int, error) { return n, nil })
		if err != nil {
			return nil, err
		}
		_, err = graph.Interrupt[bool](ctx, "go on", "?")
		return graph.Update[box[string]]{result.Set(n.String() + " " + v.String())}, err
	})
	g.Fan(graph.Begin, func(box[string]) []graph.Send[box[string]] {
		return []graph.Send[box[string]]{task.Send(two)}
	}, graph.End, task)
	app, err := g.Compile(graph.Config{Store: graph.NewMemory()})
	if err != nil {
		t.Fatal(err)
	}
	_, err = app.Run(t.Context(), "t", graph.Start(box[string]{}))
	if _, ok := errors.AsType[*graph.Paused](err); !ok {
		t.Fatal(err)
	}
	s, err := app.Run(t.Context(), "t", graph.Resume[box[string]](graph.AnswerTo("", true, "ann")))
	if want := two.String() + " " + two.String(); s.V != want || err != nil {
		t.Errorf("got %q, %v, want %q", s.V, err, want)
	}
}
