package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/repomind/repomind/rag/lexical"
)

// maxQueries is how many issues are asked.
const maxQueries = 30

func readFiles(dir string) (files [][]lexical.Part, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if ext := filepath.Ext(path); err != nil || !d.Type().IsRegular() || ext != ".py" && ext != ".pyi" {
			return err
		}
		text, err := os.ReadFile(path)
		files = append(files, chunks(string(text)))
		return err
	})
	return files, err
}

// chunks makes a part of every 40 lines, all of it body, as the peers have no fields.
func chunks(text string) (parts []lexical.Part) {
	for text != "" {
		n := 0
		for range 40 {
			line := strings.IndexByte(text[n:], '\n') + 1
			if line == 0 {
				n = len(text)
				break
			}
			n += line
		}
		parts = append(parts, lexical.Part{Body: text[:n]})
		text = text[n:]
	}
	return parts
}

func readIssues(path, repos string) (texts []string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() && len(texts) < maxQueries {
		var issue struct{ Repo, Title, Body string }
		if err := json.Unmarshal(lines.Bytes(), &issue); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if repos == "" || slices.Contains(strings.Split(repos, ","), issue.Repo) {
			texts = append(texts, issue.Title+"\n"+issue.Body)
		}
	}
	return texts, lines.Err()
}
