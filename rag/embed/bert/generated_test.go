package bert_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/rag/embed/bert"
	"github.com/repomind/repomind/rag/embed/safetensors"
	"github.com/repomind/repomind/rag/embed/wordpiece"
)

// shape is vocabulary, hidden size, layers, heads, inner size and positions.
type shape [6]int

// shapes gives the tensors of a model of that shape.
func (s shape) tensors(cross bool) map[string][]int {
	vocab, hidden, inner := s[0], s[1], s[4]
	prefix := ""
	if cross {
		prefix = "bert."
	}
	t := map[string][]int{}
	add := func(name string, dims ...int) { t[prefix+name] = dims }
	both := func(name string, dims ...int) {
		add(name+".weight", dims...)
		add(name+".bias", dims[0])
	}
	add("embeddings.word_embeddings.weight", vocab, hidden)
	add("embeddings.position_embeddings.weight", s[5], hidden)
	add("embeddings.token_type_embeddings.weight", 2, hidden)
	both("embeddings.LayerNorm", hidden)
	for i := range s[2] {
		at := fmt.Sprintf("encoder.layer.%d.", i)
		for _, name := range []string{"query", "key", "value"} {
			both(at+"attention.self."+name, hidden, hidden)
		}
		both(at+"attention.output.dense", hidden, hidden)
		both(at+"attention.output.LayerNorm", hidden)
		both(at+"intermediate.dense", inner, hidden)
		both(at+"output.dense", hidden, inner)
		both(at+"output.LayerNorm", hidden)
	}
	both("pooler.dense", hidden, hidden)
	if cross {
		prefix = ""
		both("classifier", 1, hidden)
	}
	return t
}

// number is what testdata/reference.py makes of a tensor's name and an index.
func number(seed, i uint32) float32 {
	x := i*2654435761 + seed
	x ^= x >> 15
	x *= 2246822519
	x ^= x >> 13
	x *= 3266489917
	x ^= x >> 16
	return float32(x>>8)/(1<<24) - 0.5
}

func values(name string, n int) []byte {
	scale, middle, seed := float32(0.2), float32(0), crc32.ChecksumIEEE([]byte(name))
	if strings.HasSuffix(name, "LayerNorm.weight") {
		scale, middle = 0.4, 1
	}
	b := make([]byte, 0, 4*n)
	for i := range n {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(middle+scale*number(seed, uint32(i))))
	}
	return b
}

// write makes the files of a model.
func (s shape) write(tb testing.TB, cross bool) (dir string) {
	tb.Helper()
	dir = tb.TempDir()
	config := fmt.Sprintf(`{"model_type":"bert","vocab_size":%d,"hidden_size":%d,"num_hidden_layers":%d,"num_attention_heads":%d,"intermediate_size":%d,"max_position_embeddings":%d}`, s[0], s[1], s[2], s[3], s[4], s[5])
	vocab := "[PAD]\n[UNK]\n[CLS]\n[SEP]\na\nb\n##b\n"
	header := map[string]any{}
	var data []byte
	tensors := s.tensors(cross)
	for _, name := range slices.Sorted(maps.Keys(tensors)) {
		n := 1
		for _, d := range tensors[name] {
			n *= d
		}
		header[name] = map[string]any{"dtype": "F32", "shape": tensors[name], "data_offsets": []int{len(data), len(data) + 4*n}}
		data = append(data, values(name, n)...)
	}
	h, err := json.Marshal(header)
	if err != nil {
		tb.Fatal(err)
	}
	weights := append(binary.LittleEndian.AppendUint64(nil, uint64(len(h))), h...)
	for name, content := range map[string][]byte{bert.ConfigFile: []byte(config), bert.VocabFile: []byte(vocab), bert.WeightsFile: append(weights, data...)} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			tb.Fatal(err)
		}
	}
	return dir
}

func load(tb testing.TB, dir string) *bert.Model {
	tb.Helper()
	m, err := bert.Load(dir)
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

// The answers are PyTorch's: see testdata/reference.py. The last shape is that of
// both MiniLMs.
func TestGeneratedModelsGiveWhatPyTorchGives(t *testing.T) {
	data, err := os.ReadFile("testdata/generated.json")
	if err != nil {
		t.Fatal(err)
	}
	var models []struct {
		Shape shape
		Rows  []struct {
			IDs    []int32
			Second int
			Vector []float32
			Score  float32
		}
	}
	if err := json.Unmarshal(data, &models); err != nil {
		t.Fatal(err)
	}
	for _, want := range models {
		t.Run(fmt.Sprint(want.Shape), func(t *testing.T) {
			var seqs []bert.Sequence
			var vectors [][]float32
			var scores []float32
			for _, row := range want.Rows {
				seqs = append(seqs, bert.Sequence{IDs: row.IDs, Second: row.Second})
				vectors, scores = append(vectors, row.Vector), append(scores, row.Score)
			}
			got, err := load(t, want.Shape.write(t, false)).Session().Embed(t.Context(), seqs)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(vectors, got, within(2e-6)); d != "" {
				t.Errorf("vectors:\n%s", d)
			}
			cross := load(t, want.Shape.write(t, true))
			points, err := cross.Session().Score(t.Context(), seqs)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(scores, points, within(1e-5)); d != "" {
				t.Errorf("scores:\n%s", d)
			}
		})
	}
}

func within(limit float64) cmp.Option {
	return cmp.Comparer(func(a, b float32) bool { return math.Abs(float64(a)-float64(b)) <= limit })
}

var tiny = shape{50, 32, 2, 4, 40, 64}

func TestTextsAloneAndTogether(t *testing.T) {
	m := load(t, tiny.write(t, false))
	texts := []string{"a", "", "a b ab", strings.Repeat("a b ", 100), "b", strings.Repeat("ab ", 20)}
	var seqs []bert.Sequence
	for _, text := range texts {
		seqs = append(seqs, m.Text(text))
	}
	if n := len(seqs[3].IDs); n != 64 || m.MaxTokens != 64 {
		t.Errorf("a long text has %d tokens, of %d", n, m.MaxTokens)
	}
	together, err := m.Session().Embed(t.Context(), seqs)
	if err != nil {
		t.Fatal(err)
	}
	s := m.Session()
	for i := len(seqs) - 1; i >= 0; i-- {
		alone, err := s.Embed(t.Context(), seqs[i:i+1])
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(together[i], alone[0], within(1e-6)); d != "" {
			t.Errorf("text %d differs alone:\n%s", i, d)
		}
		if n := dot(alone[0], alone[0]); math.Abs(n-1) > 1e-6 {
			t.Errorf("text %d has the length² %v", i, n)
		}
	}
}

func TestPair(t *testing.T) {
	m := load(t, tiny.write(t, true))
	if d := cmp.Diff(bert.Sequence{IDs: []int32{2, 4, 3, 5, 4, 6, 3}, Second: 3}, m.Pair("a", "b ab")); d != "" {
		t.Error(d)
	}
	if !m.Scores() {
		t.Error("a cross-encoder says that it does not score")
	}
}

func TestSessionRefuses(t *testing.T) {
	m := load(t, tiny.write(t, false))
	s := m.Session()
	for _, tt := range []struct {
		seq  bert.Sequence
		want string
	}{
		{bert.Sequence{}, "a text of 0 tokens, want 1 to 64"},
		{bert.Sequence{IDs: make([]int32, 65)}, "a text of 65 tokens"},
		{bert.Sequence{IDs: []int32{50}}, "token 50 of 50"},
		{bert.Sequence{IDs: []int32{-1}}, "token -1 of 50"},
	} {
		if _, err := s.Embed(t.Context(), []bert.Sequence{tt.seq}); !errors.Is(err, bert.ErrModel) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v, want %q", err, tt.want)
		}
	}
	if _, err := s.Score(t.Context(), nil); !errors.Is(err, bert.ErrModel) {
		t.Errorf("Score without a head: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Embed(ctx, []bert.Sequence{m.Text("a")}); !errors.Is(err, context.Canceled) {
		t.Errorf("after cancel: %v", err)
	}
}

// edit replaces a part of one of a model's files; a missing old means to append.
func edit(t *testing.T, dir, name, old, new string) {
	t.Helper()
	path := filepath.Join(dir, name)
	data, err := os.ReadFile(path)
	if err != nil && old != "" {
		t.Fatal(err)
	}
	if changed := bytes.Replace(data, []byte(old), []byte(new), 1); old != "" && !bytes.Equal(changed, data) {
		data = changed
	} else if old != "" {
		t.Fatalf("%s has no %q", name, old)
	} else {
		data = append(data, new...)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestLoadRefusesFilesAtOddsWithEachOther(t *testing.T) {
	for _, tt := range []struct {
		file, old, new string
		is             error
		want           string
	}{
		{bert.ConfigFile, `"bert"`, `"roberta"`, bert.ErrModel, `model_type is "roberta"`},
		{bert.ConfigFile, `"bert"`, `"bert","hidden_act":"gelu_new"`, bert.ErrModel, `hidden_act is "gelu_new"`},
		{bert.ConfigFile, `"bert"`, `"bert","position_embedding_type":"relative_key"`, bert.ErrModel, "position_embedding_type"},
		{bert.ConfigFile, `:50,`, `:5000000,`, bert.ErrModel, "vocab_size is 5000000, want 1 to"},
		{bert.ConfigFile, `:50,`, `:-1,`, bert.ErrModel, "vocab_size is -1"},
		{bert.ConfigFile, `:50,`, `:3,`, bert.ErrModel, "the vocabulary has 7 pieces, but vocab_size is 3"},
		{bert.ConfigFile, `:50,`, `:51,`, safetensors.ErrFormat, "word_embeddings.weight\" has the shape [50 32], want [51 32]"},
		{bert.ConfigFile, `:32,`, `:40,`, bert.ErrModel, "hidden_size 40 is no multiple of 16"},
		{bert.ConfigFile, `heads":4`, `heads":5`, bert.ErrModel, "no multiple of num_attention_heads 5"},
		{bert.ConfigFile, `layers":2`, `layers":3`, safetensors.ErrFormat, `no tensor "encoder.layer.2.`},
		{bert.ConfigFile, `{`, `[`, bert.ErrModel, "config.json"},
		{bert.VocabFile, "[CLS]", "[CLT]", wordpiece.ErrVocab, "lacks [CLS]"},
		{bert.WeightsFile, "F32", "F16", safetensors.ErrFormat, "F16"},
		{bert.WeightsFile, "", "x", safetensors.ErrFormat, "its tensors end at"},
		{"sentence_bert_config.json", "", `{"max_seq_length":65}`, bert.ErrModel, "max_seq_length is 65, want 3 to 64"},
		{"sentence_bert_config.json", "", `{}`, bert.ErrModel, "max_seq_length is 0"},
	} {
		dir := tiny.write(t, false)
		edit(t, dir, tt.file, tt.old, tt.new)
		if _, err := bert.Load(dir); !errors.Is(err, tt.is) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s with %q: %v, want %q", tt.file, tt.new, err, tt.want)
		}
	}
	if _, err := bert.Load(t.TempDir()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no files: %v", err)
	}
}

func TestSentenceConfigShortensTexts(t *testing.T) {
	dir := tiny.write(t, false)
	edit(t, dir, "sentence_bert_config.json", "", `{"max_seq_length":5}`)
	if got := load(t, dir).Text("a b a b a b"); len(got.IDs) != 5 {
		t.Errorf("the text has %d tokens, want 5", len(got.IDs))
	}
}

func TestWeightsThatAreNoNumbers(t *testing.T) {
	dir := tiny.write(t, true)
	path := filepath.Join(dir, bert.WeightsFile)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	start := 8 + binary.LittleEndian.Uint64(data)
	for i := int(start); i < len(data); i += 4 {
		binary.LittleEndian.PutUint32(data[i:], math.Float32bits(float32(math.NaN())))
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	m := load(t, dir)
	if _, err := m.Session().Embed(t.Context(), []bert.Sequence{m.Text("a")}); !errors.Is(err, bert.ErrNotFinite) {
		t.Errorf("Embed: %v", err)
	}
	if _, err := m.Session().Score(t.Context(), []bert.Sequence{m.Pair("a", "b")}); !errors.Is(err, bert.ErrNotFinite) {
		t.Errorf("Score: %v", err)
	}
}
