package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/repomind/repomind/internal/github"
	"github.com/repomind/repomind/rag"
)

func newIndex() *cobra.Command {
	var opts toolOptions
	var with retrieval
	c := &cobra.Command{
		Use:   "index [owner/repo]",
		Short: "Index a repository for retrieval",
		Long: `Index a repository for retrieval: its chunks, words, names, imports and history at one
commit. The index is kept with the clone, and the next commit costs its changed files.
An analysis makes the index that it needs; this command makes it beforehand.

With --vectors it also makes the vectors of all chunks of code, which takes minutes; a
search makes those of its best chunks by itself.`,
		Example: `  repomind index python/mypy --at v1.10.0
  repomind index --repo-dir .
  repomind index --repo-dir . --vectors minilm`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 {
				opts.Repo = args[0]
			}
			v, done, err := with.open(c.Context(), opts)
			if err != nil {
				return err
			}
			defer done()
			return withIndex(c, opts, func(x *rag.Index, took time.Duration) error {
				if err := warm(c, x, v); err != nil {
					return err
				}
				return printStats(c.OutOrStdout(), c.ErrOrStderr(), x.Stats(), took)
			})
		},
	}
	indexFlags(c, &opts)
	with.add(c)
	c.AddCommand(newIndexSearch())
	return c
}

func indexFlags(c *cobra.Command, opts *toolOptions) {
	c.Flags().StringVar(&opts.Dir, "repo-dir", "", "a local repository; it is cloned from, never used in place")
	c.Flags().StringVar(&opts.At, "at", "", "the commit, branch or tag to look at (default the newest commit)")
}

// withIndex opens the index of one commit.
func withIndex(c *cobra.Command, opts toolOptions, do func(x *rag.Index, took time.Duration) error) error {
	from, err := opts.origin()
	if err != nil {
		return err
	}
	begin := time.Now()
	x, closeIt, err := openIndex(c.Context(), from, opts.At, c.ErrOrStderr())
	if err != nil {
		return explainOrigin(from, err)
	}
	defer closeIt()
	return do(x, time.Since(begin))
}

func printStats(out, notes io.Writer, s rag.Stats, took time.Duration) error {
	for _, line := range s.Skipped {
		fmt.Fprintf(notes, "repomind: not looked into: %s\n", line)
	}
	fmt.Fprintf(notes, "repomind: indexed in %s\n", took.Round(10*time.Millisecond))
	_, err := fmt.Fprintf(out, "%s, %s, %s, %s, %s\n", count(s.Files, "file"), count(s.Chunks, "chunk"), count(s.Names, "name"), count(s.Imports, "import"), count(s.Commits, "commit"))
	return err
}

type searchOptions struct {
	toolOptions
	With      retrieval
	IssueFile string
	Kind      string
	Limit     int
	Explain   bool
	JSON      bool
}

func newIndexSearch() *cobra.Command {
	var opts searchOptions
	c := &cobra.Command{
		Use:   "search [text]",
		Short: "Find the code that a text is about",
		Long: `Find the files, definitions and lines that a text is about, such as a question, an error
message or a whole issue. With --explain it says which signal gave which score.

Words, names, imports and history are always looked at. Vectors, a reranker and code that
a model writes are asked for by flags; what took part stands in the last line.`,
		Example: `  repomind index search "crash when a TypedDict is in a union" --repo python/mypy
  repomind index search --issue-file crash.md --repo-dir . --explain
  repomind index search --issue-file crash.md --repo-dir . --vectors minilm --hyde --rerank model`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			q, err := opts.query(c.Context(), args)
			if err != nil {
				return err
			}
			from, err := opts.origin()
			if err != nil {
				return err
			}
			h, err := opts.With.help(c.Context(), from, c.ErrOrStderr())
			if err != nil {
				return err
			}
			defer h.close()
			return withIndex(c, opts.toolOptions, func(x *rag.Index, _ time.Duration) error {
				return opts.search(c, x, q, h)
			})
		},
	}
	indexFlags(c, &opts.toolOptions)
	c.Flags().StringVar(&opts.Repo, "repo", "", "a repository on GitHub, owner/name")
	c.Flags().StringVar(&opts.IssueFile, "issue-file", "", "an issue in a file: Markdown, or JSON of the REST API")
	c.Flags().StringVar(&opts.Kind, "kind", "bug", "what it is: bug, feature or question")
	c.Flags().IntVar(&opts.Limit, "limit", 10, "how many of each are shown")
	c.Flags().BoolVar(&opts.Explain, "explain", false, "say which signal gave which score")
	c.Flags().BoolVar(&opts.JSON, "json", false, "print JSON")
	opts.With.add(c)
	opts.With.addModels(c)
	return c
}

func (o searchOptions) query(ctx context.Context, args []string) (rag.Query, error) {
	q := rag.Query{Kind: rag.Kind(o.Kind)}
	if o.Limit < 1 || o.Limit > 1000 {
		return q, usageError{fmt.Errorf("--limit %d: want 1 to 1000", o.Limit)}
	}
	switch q.Kind {
	case rag.Bug, rag.Feature, rag.Question:
	default:
		return q, usageError{fmt.Errorf("--kind %q: want bug, feature or question", o.Kind)}
	}
	if (len(args) == 1) == (o.IssueFile != "") {
		return q, usageError{errors.New("give either a text or --issue-file")}
	}
	if len(args) == 1 {
		if q.Title, q.Body, _ = strings.Cut(strings.TrimSpace(args[0]), "\n"); q.Title == "" {
			return q, usageError{errors.New("the text is empty")}
		}
		return q, nil
	}
	data, err := readFile(ctx, o.IssueFile)
	if err != nil {
		return q, err
	}
	issue, err := github.ReadIssueFile(o.IssueFile, data)
	q.Title, q.Body = issue.Title, issue.Body
	return q, err
}

func (o searchOptions) search(c *cobra.Command, x *rag.Index, q rag.Query, h help) error {
	h.Files, h.Symbols, h.Chunks = o.Limit, o.Limit, o.Limit
	res, err := h.search(c.Context(), x, q)
	if err != nil {
		return err
	}
	printNotes(c.ErrOrStderr(), res, h)
	if o.JSON {
		out := json.NewEncoder(c.OutOrStdout())
		out.SetIndent("", "  ")
		out.SetEscapeHTML(false)
		return out.Encode(res)
	}
	return printFound(c.OutOrStdout(), res, o.Explain)
}
