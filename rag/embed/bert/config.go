package bert

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/repomind/repomind/rag/embed/matrix"
)

// ErrModel says that the files of a model do not make one that this package runs.
var ErrModel = errors.New("not a model that can be run")

// Config is the part of config.json that the engine goes by.
type Config struct {
	Type      string  `json:"model_type"`
	Vocab     int     `json:"vocab_size"`
	Hidden    int     `json:"hidden_size"`
	Layers    int     `json:"num_hidden_layers"`
	Heads     int     `json:"num_attention_heads"`
	Inner     int     `json:"intermediate_size"`
	Positions int     `json:"max_position_embeddings"`
	Types     int     `json:"type_vocab_size"`
	Eps       float32 `json:"layer_norm_eps"`
	Act       string  `json:"hidden_act"`
	Place     string  `json:"position_embedding_type"` // "" means "absolute"
}

const configLimit = 1 << 20

func readConfig(path string) (Config, error) {
	c := Config{Eps: 1e-12, Types: 2, Act: "gelu", Type: "bert"}
	if err := readJSON(path, &c); err != nil {
		return c, err
	}
	return c, c.check()
}

func readJSON(path string, to any) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if info.Size() > configLimit {
		return fmt.Errorf("%w: %s has %d bytes", ErrModel, path, info.Size())
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, to); err != nil {
		return fmt.Errorf("%w: %s: %v", ErrModel, path, err)
	}
	return nil
}

// check bounds each size: no product of two overflows, and a session of the widest
// model with the longest text stays within a gigabyte.
func (c Config) check() error {
	for _, size := range []struct {
		key        string
		value, max int
	}{
		{"vocab_size", c.Vocab, 1 << 22}, {"hidden_size", c.Hidden, 1 << 13},
		{"num_hidden_layers", c.Layers, 1 << 8}, {"num_attention_heads", c.Heads, 1 << 10},
		{"intermediate_size", c.Inner, 1 << 14}, {"max_position_embeddings", c.Positions, 1 << 13},
		{"type_vocab_size", c.Types, 1 << 8},
	} {
		if size.value < 1 || size.value > size.max {
			return fmt.Errorf("%w: %s is %d, want 1 to %d", ErrModel, size.key, size.value, size.max)
		}
	}
	switch {
	case c.Hidden%c.Heads != 0:
		return fmt.Errorf("%w: hidden_size %d is no multiple of num_attention_heads %d", ErrModel, c.Hidden, c.Heads)
	case c.Hidden%matrix.Cols != 0:
		return fmt.Errorf("%w: hidden_size %d is no multiple of %d", ErrModel, c.Hidden, matrix.Cols)
	case c.Positions < 3:
		return fmt.Errorf("%w: max_position_embeddings is %d, and a pair takes 3 at least", ErrModel, c.Positions)
	case c.Type != "bert":
		return fmt.Errorf("%w: model_type is %.40q, want \"bert\"", ErrModel, c.Type)
	case c.Act != "gelu":
		return fmt.Errorf("%w: hidden_act is %.40q, want \"gelu\"", ErrModel, c.Act)
	case c.Place != "" && c.Place != "absolute":
		return fmt.Errorf("%w: position_embedding_type is %.40q, want \"absolute\"", ErrModel, c.Place)
	}
	return nil
}

// sentenceFile is where sentence-transformers keeps how long a text may be.
const sentenceFile = "sentence_bert_config.json"

// readLimit gives how many tokens a text may have: what sentence-transformers says,
// else all positions.
func readLimit(dir string, positions int) (int, error) {
	var s struct {
		Max int `json:"max_seq_length"`
	}
	err := readJSON(filepath.Join(dir, sentenceFile), &s)
	if errors.Is(err, fs.ErrNotExist) {
		return positions, nil
	}
	if err == nil && (s.Max < 3 || s.Max > positions) {
		err = fmt.Errorf("%w: max_seq_length is %d, want 3 to %d", ErrModel, s.Max, positions)
	}
	return s.Max, err
}
