package main

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// nonceFile holds the nonce of a record: it is part of each request, so that a replay
// needs the same one.
const nonceFile = "nonce"

// nonce gives the nonce of the fences: that of the record, or a new one.
func (f modelFlags) nonce() (string, error) {
	dir := f.Record + f.Replay
	if dir == "" {
		return rand.Text(), nil
	}
	name := filepath.Join(dir, nonceFile)
	data, err := os.ReadFile(name)
	if err == nil {
		return strings.TrimSpace(string(data)), nil
	}
	if f.Replay != "" || !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	nonce := rand.Text()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	return nonce, os.WriteFile(name, []byte(nonce+"\n"), 0o600)
}
