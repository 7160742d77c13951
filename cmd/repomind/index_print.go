package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/rag"
)

// printFound shows what a search found, as tables.
func printFound(out io.Writer, res rag.Result, explain bool) error {
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	if explain {
		fmt.Fprintln(w, "Below each: its share of the score, the signal, what the signal says (0 to about 1).")
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w, "FILES")
	for _, f := range res.Files {
		fmt.Fprintf(w, "%.2f\t%s\n", f.Score, source.Quote(f.Path))
		printReasons(w, f.Why, explain)
	}
	fmt.Fprintln(w, "\nSYMBOLS")
	for _, s := range res.Symbols {
		fmt.Fprintf(w, "%.2f\t%s\t%s\n", s.Score, s.Span, source.Quote(s.Name))
		printReasons(w, s.Why, explain)
	}
	fmt.Fprintln(w, "\nLINES")
	for _, c := range res.Chunks {
		fmt.Fprintf(w, "%.2f\t%s\t%s\n", c.Score, c.Span, named(c))
		printReasons(w, c.Why, explain)
	}
	fmt.Fprintf(w, "\nat %s by %s\n", res.Commit.Short(), strings.Join(res.Ran, ", "))
	return w.Flush()
}

// named says which definition a chunk is, or which begin in it.
func named(c rag.Chunk) string {
	if c.Symbol == "" {
		const most = 4
		names := make([]string, 0, most)
		for _, n := range c.Begins[:min(len(c.Begins), most)] {
			names = append(names, source.Quote(n))
		}
		if more := len(c.Begins) - len(names); more > 0 {
			names = append(names, fmt.Sprintf("and %d more", more))
		}
		return strings.Join(names, ", ")
	}
	if c.Parts > 1 {
		return fmt.Sprintf("%s (part %d of %d)", source.Quote(c.Symbol), c.Part, c.Parts)
	}
	return source.Quote(c.Symbol)
}

func printReasons(w io.Writer, why []rag.Reason, explain bool) {
	if !explain {
		return
	}
	for _, r := range why {
		fmt.Fprintf(w, "\t  %+.2f  %s\t%.2f\n", r.Share, r.Signal, r.Value)
	}
}

// printNotes says what a search had to do without, and what it cost.
func printNotes(notes io.Writer, res rag.Result, h help) {
	for _, n := range res.Notes {
		fmt.Fprintf(notes, "repomind: %s\n", n)
	}
	if h.asker != nil {
		fmt.Fprintf(notes, "repomind: %s\n", h.spent())
	}
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
