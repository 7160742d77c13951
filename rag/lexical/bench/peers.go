package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"

	"github.com/repomind/repomind/rag/lexical"
)

//go:embed peers.py
var script string

// peers lets bm25s do the same work. It prints its own rows.
func peers(ctx context.Context, python string, files [][]lexical.Part, queries []string) error {
	var in struct{ Texts, Queries []string }
	in.Queries = queries
	for _, f := range files {
		for _, p := range f {
			in.Texts = append(in.Texts, p.Body)
		}
	}
	data, err := json.Marshal(in)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, python, "-c", script)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(data), os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("run bm25s by %s: %w", python, err)
	}
	return nil
}
