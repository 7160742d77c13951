// Package code reads source files with tree-sitter and answers what a repository
// defines and who uses it: definitions, references, imports, outlines, and a map of
// the whole project within a budget.
//
// [Build] makes an [Index] of a tree. What a file holds is kept by the hash of its
// blob, so the next commit costs its changed files only. A file that cannot be read
// as code (too large, too slow, one that ends the parser) has no symbols
// and is listed by [Index.Skipped].
//
// An answer that the syntax does not settle is ranked and marked, never guessed in
// silence: see [How] and [Reference.Confident].
package code

import (
	"context"
	"runtime"
	"time"

	"github.com/repomind/repomind/internal/source"
)

// Blobs gives the content of files.
type Blobs interface {
	// Blobs calls each once for every file, in order and from one goroutine. data is
	// valid during the call only, and nil for a blob that is over the reader's limit.
	// An error of each ends the reading and is returned.
	Blobs(ctx context.Context, files []source.File, each func(i int, data []byte) error) error
}

// Config says how an index is built.
type Config struct {
	Dir         string        // where the facts of this repository are kept between processes; "" keeps nothing
	Workers     int           // parsers at once. Zero means one a processor
	MaxFileSize int64         // bytes of a file that is parsed. Zero means 1 MB
	FileTimeout time.Duration // for one file. Zero means 2 s
	Timeout     time.Duration // for all files; what is not parsed by then is skipped. Zero means 2 min

	// Parser is the command of a process that runs [ServeParser]. Each worker starts
	// one, with no environment but [ParserVariable]. Files of strangers call for it: some end the
	// process that parses them, or take all of its memory, and are skipped then.
	// Empty means that files are parsed in this process.
	Parser []string

	// Notify is told once if what Dir keeps is damaged, or cannot be read or written.
	// The index is right all the same. Nil means nobody is told.
	Notify func(event string)
}

func (c Config) maxFileSize() int64 {
	if c.MaxFileSize > 0 {
		return c.MaxFileSize
	}
	return 1 << 20
}

func (c Config) fileTimeout() time.Duration {
	if c.FileTimeout > 0 {
		return c.FileTimeout
	}
	return 2 * time.Second
}

func (c Config) timeout() time.Duration {
	if c.Timeout > 0 {
		return c.Timeout
	}
	return 2 * time.Minute
}

func (c Config) workers() int {
	if c.Workers > 0 {
		return min(c.Workers, 64)
	}
	return runtime.GOMAXPROCS(0)
}
