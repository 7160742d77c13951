package embed_test

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/rag/embed"
	"github.com/repomind/repomind/rag/embed/bert"
)

// model writes a model of one small layer with random weights; package bert has the
// tests of what such a model computes.
func model(tb testing.TB, seed uint64, cross bool) (dir string) {
	tb.Helper()
	const n, vocab = 16, 7
	prefix := ""
	if cross {
		prefix = "bert."
	}
	shapes := [][]int{}
	var names []string
	add := func(name string, shape ...int) { names, shapes = append(names, name), append(shapes, shape) }
	both := func(name string, shape ...int) {
		add(name+".weight", shape...)
		add(name+".bias", shape[0])
	}
	add(prefix+"embeddings.word_embeddings.weight", vocab, n)
	add(prefix+"embeddings.position_embeddings.weight", 32, n)
	add(prefix+"embeddings.token_type_embeddings.weight", 2, n)
	both(prefix+"embeddings.LayerNorm", n)
	at := prefix + "encoder.layer.0."
	for _, name := range []string{"attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense", "intermediate.dense", "output.dense"} {
		both(at+name, n, n)
	}
	both(at+"attention.output.LayerNorm", n)
	both(at+"output.LayerNorm", n)
	if cross {
		both("bert.pooler.dense", n, n)
		both("classifier", 1, n)
	}
	rng := rand.New(rand.NewPCG(seed, 1))
	header, data := map[string]any{}, []byte{}
	for i, name := range names {
		from, size := len(data), 1
		for _, d := range shapes[i] {
			size *= d
		}
		for range size {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(rng.NormFloat64())))
		}
		header[name] = map[string]any{"dtype": "F32", "shape": shapes[i], "data_offsets": []int{from, len(data)}}
	}
	h, err := json.Marshal(header)
	if err != nil {
		tb.Fatal(err)
	}
	dir = filepath.Join(tb.TempDir(), "tiny")
	if err := os.Mkdir(dir, 0o755); err != nil {
		tb.Fatal(err)
	}
	for name, content := range map[string]string{
		bert.ConfigFile:  fmt.Sprintf(`{"vocab_size":%d,"hidden_size":%d,"num_hidden_layers":1,"num_attention_heads":2,"intermediate_size":%d,"max_position_embeddings":32}`, vocab, n, n),
		bert.VocabFile:   "[UNK]\n[CLS]\n[SEP]\na\nb\nc\n##b\n",
		bert.WeightsFile: string(binary.LittleEndian.AppendUint64(nil, uint64(len(h)))) + string(h) + string(data),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			tb.Fatal(err)
		}
	}
	return dir
}

func local(t *testing.T, dir string, workers int) *embed.Local {
	t.Helper()
	l, err := embed.Open(dir, embed.Config{Workers: workers})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestLocalGivesTheSameOnAnyNumberOfWorkers(t *testing.T) {
	dir := model(t, 1, false)
	one, three := local(t, dir, 1), local(t, dir, 3)
	var texts []string
	for i := range 300 {
		texts = append(texts, strings.Repeat("a b ", i%20)+strings.Repeat("c", i%3))
	}
	want, err := one.Encode(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	got, err := three.Encode(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	for i, text := range texts[:25] {
		alone, err := one.Encode(t.Context(), []string{text})
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(alone[0], got[i], near()); d != "" || len(alone[0]) != one.Dim() {
			t.Errorf("text %d:\n%s", i, d)
		}
	}
}

func near() cmp.Option {
	return cmp.Comparer(func(a, b float32) bool { return math.Abs(float64(a)-float64(b)) < 1e-5 })
}

func TestNameTellsWeightsApart(t *testing.T) {
	dir := model(t, 1, false)
	a, again, b := local(t, dir, 1), local(t, dir, 2), local(t, model(t, 2, false), 1)
	if !regexp.MustCompile(`^tiny@[0-9a-f]{12}$`).MatchString(a.Name()) || a.Name() != again.Name() || a.Name() == b.Name() {
		t.Errorf("%s, %s, %s", a.Name(), again.Name(), b.Name())
	}
	if err := os.WriteFile(filepath.Join(dir, "sentence_bert_config.json"), []byte(`{"max_seq_length":8}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if short := local(t, dir, 1); short.Name() == a.Name() {
		t.Error("a model that reads less has the same name")
	}
}

func TestCancelledEncode(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	l := local(t, model(t, 1, false), 2)
	if _, err := l.Encode(ctx, []string{"a", "b"}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if got, err := l.Encode(t.Context(), []string{"a", "b"}); err != nil || len(got) != 2 {
		t.Errorf("afterwards: %v", err)
	}
	if got, err := l.Encode(t.Context(), nil); err != nil || len(got) != 0 {
		t.Errorf("nothing: %v, %v", got, err)
	}
}

func TestRerankerScoresEachTextWithTheQuery(t *testing.T) {
	r, err := embed.OpenReranker(model(t, 3, true), embed.Config{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	texts := []string{"a", "b", "a", "", strings.Repeat("a b c ", 100)}
	all, err := r.Scores(t.Context(), "a b", texts)
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range texts {
		one, err := r.Scores(t.Context(), "a b", []string{text})
		if d := cmp.Diff(one[0], all[i], near()); d != "" || err != nil {
			t.Errorf("text %d: %v\n%s", i, err, d)
		}
	}
	other, err := r.Scores(t.Context(), "c", texts)
	if err != nil {
		t.Fatal(err)
	}
	if all[0] == all[1] || all[0] == other[0] || all[0] != all[2] {
		t.Errorf("scores do not follow query and text: %v, %v", all, other)
	}
}

func TestAnEncoderIsNoReranker(t *testing.T) {
	if _, err := embed.OpenReranker(model(t, 1, false), embed.Config{}); !errors.Is(err, bert.ErrModel) || !strings.Contains(err.Error(), "cannot rerank") {
		t.Errorf("%v", err)
	}
}

func TestOpenWithoutFiles(t *testing.T) {
	if _, err := embed.Open(t.TempDir(), embed.Config{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
}
