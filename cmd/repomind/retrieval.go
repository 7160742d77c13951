package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/prompt"
	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/vector"
	"github.com/repomind/repomind/internal/vector/chroma"
	"github.com/repomind/repomind/internal/vector/flat"
	"github.com/repomind/repomind/rag"
	"github.com/repomind/repomind/rag/embed"
	"github.com/repomind/repomind/rag/embed/weights"
)

// retrieval is what may help a search beside words, names and history.
type retrieval struct {
	Vectors string // "none", "minilm", "openai/MODEL" or "ollama/MODEL"
	Store   string // "" is files, else the address of a Chroma server
	Rerank  string // "fusion", "cross-encoder" or "model"
	Write   bool   // the model writes code to search with
	Models  modelFlags
}

func (r *retrieval) add(c *cobra.Command) {
	c.Flags().StringVar(&r.Vectors, "vectors", "none", "rank by vectors too: none, minilm, openai/MODEL or ollama/MODEL")
	c.Flags().StringVar(&r.Store, "vector-store", "", "the address of a Chroma server (default files in the cache)")
}

// addModels adds what a search for one question has.
func (r *retrieval) addModels(c *cobra.Command) {
	c.Flags().StringVar(&r.Rerank, "rerank", "fusion", "who orders the first chunks: fusion, cross-encoder or model")
	c.Flags().BoolVar(&r.Write, "hyde", false, "let the model write the code that may be at fault, and search with it too")
	r.Models.add(c)
}

// vectors gives what the flags name; nil is none.
func (r *retrieval) vectors(ctx context.Context, from repo.Origin) (*rag.Vectors, func(), error) {
	e, err := r.encoder()
	if err == nil && e == nil && r.Store != "" {
		err = usageError{errors.New("--vector-store keeps vectors: give --vectors too")}
	}
	if e == nil || err != nil {
		return nil, func() {}, err
	}
	dim := e.Dim()
	if dim == 0 {
		one, err := e.Encode(ctx, []string{"x"})
		if err != nil {
			return nil, nil, fmt.Errorf("try %s: %w", e.Name(), err)
		}
		dim = len(one[0])
	}
	store, err := r.store()
	if err != nil {
		return nil, nil, err
	}
	kept, err := store.Open(ctx, vector.Key{Repo: from.String(), Model: e.Name()}, dim)
	if err != nil {
		return nil, nil, fmt.Errorf("open the vectors of %s: %w", from, err)
	}
	return &rag.Vectors{Encoder: e, Kept: kept}, func() { kept.Close() }, nil
}

func (r *retrieval) store() (vector.Store, error) {
	if r.Store != "" {
		return chroma.Open(chroma.Config{URL: r.Store})
	}
	dir, err := cacheDir()
	return flat.Open(flat.Config{Dir: filepath.Join(dir, "vectors")}), err
}

func (r *retrieval) encoder() (embed.Encoder, error) {
	kind, model, _ := strings.Cut(r.Vectors, "/")
	remote := embed.Remote{Model: model, Transport: &http.Transport{Proxy: http.ProxyFromEnvironment}}
	switch {
	case r.Vectors == "" || r.Vectors == "none":
		return nil, nil
	case r.Vectors == "minilm":
		dir, err := pulledDir(weights.MiniLM(), "minilm")
		if err != nil {
			return nil, err
		}
		return embed.Open(dir, embed.Config{})
	case kind == "openai" && model != "":
		_, url := providerEnv("openai", os.Getenv)
		remote.Key, remote.URL = embed.Key(os.Getenv(keyVariable("openai"))), cmp.Or(url, "https://api.openai.com/v1")
		return embed.OpenAI(remote), nil
	case kind == "ollama" && model != "":
		_, url := providerEnv("ollama", os.Getenv)
		remote.URL = strings.TrimSuffix(cmp.Or(url, "http://localhost:11434"), "/v1")
		return embed.Ollama(remote), nil
	}
	return nil, usageError{fmt.Errorf("--vectors %q: want none, minilm, openai/MODEL or ollama/MODEL", r.Vectors)}
}

// pulledDir is where weights are, if they are there.
func pulledDir(m weights.Model, name string) (string, error) {
	dir, err := weightsDir(m)
	if err != nil {
		return "", err
	}
	err = weights.Verify(m, dir)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("the weights of %s are not here\nhint: repomind models pull %s", m.Name, name)
	}
	return dir, err
}

// open gives the vectors for a command that names its repository.
func (r *retrieval) open(ctx context.Context, opts toolOptions) (*rag.Vectors, func(), error) {
	from, err := opts.origin()
	if err != nil {
		return nil, nil, err
	}
	return r.vectors(ctx, from)
}

// warm makes the vectors of all chunks, if vectors are asked for.
func warm(c *cobra.Command, x *rag.Index, v *rag.Vectors) error {
	if v == nil {
		return nil
	}
	bar := &bar{out: c.ErrOrStderr()}
	defer bar.end()
	return x.Warm(c.Context(), *v, func(done, all int) { bar.show("vectors", int64(done), int64(all)) })
}

// help is what a search gets beside its question.
type help struct {
	rag.Options
	asker *rag.Asker
	write bool
	spent func() llm.Usage
	close func()
}

// help opens what the flags name.
func (r *retrieval) help(ctx context.Context, from repo.Origin, progress io.Writer) (h help, err error) {
	h.write, h.spent = r.Write, func() llm.Usage { return llm.Usage{} }
	if !slices.Contains([]string{"fusion", "cross-encoder", "model"}, r.Rerank) {
		return h, usageError{fmt.Errorf("--rerank %q: want fusion, cross-encoder or model", r.Rerank)}
	}
	if r.Write || r.Rerank == "model" {
		set, err := r.Models.open(os.Getenv, 0, progress)
		if err != nil {
			return h, err
		}
		nonce, err := r.Models.nonce()
		if err != nil {
			return h, err
		}
		fence, err := prompt.NewFence(nonce)
		if err != nil {
			return h, err
		}
		h.asker, h.spent = &rag.Asker{Model: set.Small, Fence: fence}, set.Budget.Spent
	}
	if h.Rerank, err = r.reranker(h.asker); err != nil {
		return h, err
	}
	h.Vectors, h.close, err = r.vectors(ctx, from)
	return h, err
}

func (r *retrieval) reranker(asker *rag.Asker) (rag.Reranker, error) {
	switch r.Rerank {
	case "cross-encoder":
		dir, err := pulledDir(weights.CrossEncoder(), "cross-encoder")
		if err != nil {
			return nil, err
		}
		m, err := embed.OpenReranker(dir, embed.Config{})
		return rag.CrossEncoder{Model: m}, err
	case "model":
		return *asker, nil
	}
	return nil, nil
}

// search looks for a question: first as it is, and with --hyde again with the code that
// the model writes after a look at the files that the first search found.
func (h help) search(ctx context.Context, x *rag.Index, q rag.Query) (rag.Result, error) {
	note := ""
	if h.asker != nil && h.write {
		found, err := x.Search(ctx, q, rag.Options{Files: 10, Symbols: -1, Chunks: -1})
		if err != nil {
			return found, err
		}
		var names []string
		for _, f := range found.Files {
			names = append(names, f.Path)
		}
		if q.Code, _, err = h.asker.Hypothesis(ctx, q, names); err != nil {
			note = "without hypothetical document: " + err.Error()
		}
	}
	res, err := x.Search(ctx, q, h.Options)
	if note != "" {
		res.Notes = append(res.Notes, note)
	}
	return res, err
}
