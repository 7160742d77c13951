package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/repomind/repomind/memory"
)

// openMemory opens the lessons of past runs. They are compared by meaning too where
// vectors are asked for.
func openMemory(dir string, search retrieval) (*memory.Store, error) {
	var c memory.Config
	e, err := search.encoder()
	if err != nil {
		return nil, err
	}
	if e != nil {
		if c.Vectors, err = search.store(); err != nil {
			return nil, err
		}
		c.Encoder, c.Model = e, e.Name()
	}
	s, err := memory.Open(filepath.Join(dir, "memory.sqlite"), c)
	if err != nil {
		return nil, fmt.Errorf("open the memory: %w", err)
	}
	return s, nil
}

// chromaURL is the address of a Chroma server, as --vector has it: chroma://host:port.
func chromaURL(s string) string {
	if host, ok := strings.CutPrefix(s, "chroma://"); ok {
		return "http://" + host
	}
	return s
}
