package embed

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"github.com/repomind/repomind/rag/embed/bert"
	"github.com/repomind/repomind/rag/embed/matrix"
)

// Local runs a sentence encoder on this machine's processor.
type Local struct {
	name  string
	model *bert.Model
	crew  crew
}

// Fast says whether this processor runs the engine at its full speed, about ten
// texts of 256 tokens a second and core. Elsewhere (no AVX2, or not amd64) it is
// twenty times slower, and a caller does well to encode little.
func Fast() bool { return matrix.Fast() }

// Config says how much of the machine a model may take.
type Config struct {
	// Workers is how many texts are computed at a time. Zero means one for each
	// processor.
	Workers int
}

// Open loads the encoder in dir (see [bert.Load] for its files). It reads all of
// them, which takes about a quarter of a second for a MiniLM.
func Open(dir string, c Config) (*Local, error) {
	m, name, err := load(dir)
	if err != nil {
		return nil, err
	}
	return &Local{name: name, model: m, crew: newCrew(m, c)}, nil
}

// Name is the folder's name and what its files hash to.
func (l *Local) Name() string { return l.name }

// Dim is how long a vector is.
func (l *Local) Dim() int { return l.model.Dim() }

// Encode gives the vectors of the texts; of each the first [bert.Model.MaxTokens]
// tokens count.
func (l *Local) Encode(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	text := func(i int) bert.Sequence { return l.model.Text(texts[i]) }
	err := l.crew.run(ctx, len(texts), text, func(ctx context.Context, s *bert.Session, from int, seqs []bert.Sequence) error {
		vectors, err := s.Embed(ctx, seqs)
		copy(out[from:], vectors)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("encode with %s: %w", l.name, err)
	}
	return out, nil
}

func load(dir string) (*bert.Model, string, error) {
	m, err := bert.Load(dir)
	if err != nil {
		return nil, "", err
	}
	sum, err := fingerprint(dir, m)
	if err != nil {
		return nil, "", err
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, "", err
	}
	return m, filepath.Base(abs) + "@" + sum, nil
}

// fingerprint hashes all that a vector depends on.
func fingerprint(dir string, m *bert.Model) (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%+v %d\n", m.Config, m.MaxTokens)
	for _, name := range []string{bert.VocabFile, bert.WeightsFile} {
		f, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			return "", err
		}
		_, err = io.Copy(h, f)
		f.Close()
		if err != nil {
			return "", fmt.Errorf("hash %s: %w", f.Name(), err)
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:6]), nil
}

func (c Config) workers() int {
	if c.Workers > 0 {
		return c.Workers
	}
	return runtime.GOMAXPROCS(0)
}
