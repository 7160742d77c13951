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

// readFiles cuts files of Go and Python into chunks, the first ones of a directory.
func readFiles(dir string, most int) (files [][]lexical.Part, err error) {
	n := 0
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || !slices.Contains([]string{".go", ".py", ".pyi"}, filepath.Ext(path)) {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		file := chunks(string(text))
		file = file[:min(len(file), most-n)]
		files = append(files, file)
		if n += len(file); n == most {
			return fs.SkipAll
		}
		return nil
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
	lines.Buffer(nil, 1<<20) // the longest line
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
