package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/repomind/repomind/rag/embed/weights"
)

// pullable are the models whose weights run inside this program.
func pullable() map[string]weights.Model {
	return map[string]weights.Model{"minilm": weights.MiniLM(), "cross-encoder": weights.CrossEncoder()}
}

// weightsDir is where the files of a model are.
func weightsDir(m weights.Model) (string, error) {
	dir, err := cacheDir()
	return filepath.Join(dir, "weights", m.Name), err
}

func newModelsPull() *cobra.Command {
	var mirror string
	c := &cobra.Command{
		Use:   "pull [minilm|cross-encoder]",
		Short: "Fetch the weights of a model that runs inside this program",
		Long: `Fetch the weights of a model that runs inside this program: minilm, which makes vectors
of code and questions, or cross-encoder, which reranks. Without weights everything works,
and reports say that retrieval ran on words alone.

Sizes and digests are checked. Where the digest of a file is not known it is written down
at the first pull, shown, and must be the same from then on. A pull that was cut goes on
where it stopped.`,
		Example: `  repomind models pull
  repomind models pull minilm --mirror https://mirror.example.org/models
  repomind models pull minilm --mirror /mnt/usb/models`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			name := "minilm"
			if len(args) == 1 {
				name = args[0]
			}
			m, ok := pullable()[name]
			if !ok {
				return usageError{fmt.Errorf("no weights %q: want minilm or cross-encoder", name)}
			}
			return pull(c, m, mirror)
		},
	}
	c.Flags().StringVar(&mirror, "mirror", "", "a URL or a directory that holds the model's files in a folder of its name")
	return c
}

func pull(c *cobra.Command, m weights.Model, mirror string) error {
	dir, err := weightsDir(m)
	if err != nil {
		return err
	}
	bar := &bar{out: c.ErrOrStderr()}
	p := weights.Puller{Mirror: mirror, Progress: func(p weights.Progress) { bar.show(p.File, p.Done, p.Total) }}
	pulled, err := p.Pull(c.Context(), m, dir)
	bar.end()
	if err != nil {
		if e, ok := errors.AsType[*weights.Error](err); ok && e.Hint() != "" {
			err = fmt.Errorf("%w\nhint: %s", err, e.Hint())
		}
		return err
	}
	return printPulled(c.OutOrStdout(), dir, pulled)
}

func printPulled(out io.Writer, dir string, all []weights.Pulled) error {
	fmt.Fprintf(out, "%s\n\n", dir)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "FILE\tBYTES\tSHA256\t")
	for _, f := range all {
		note := "matches"
		switch {
		case f.First:
			note = "first seen, trusted from now on"
		case f.Cached:
			note = "was there, matches"
		}
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\n", f.Name, f.Size, f.SHA256, note)
	}
	return w.Flush()
}

// bar shows on a terminal how far long work is, in one line that is written over.
type bar struct {
	out  io.Writer
	last string
}

func (b *bar) show(what string, done, all int64) {
	f, ok := b.out.(*os.File)
	if !ok || !isTerminal(f) {
		return
	}
	line := fmt.Sprintf("%s %d", what, done)
	if all > 0 {
		line = fmt.Sprintf("%s %3d %%", what, 100*done/all)
	}
	if line != b.last {
		fmt.Fprintf(b.out, "\r\x1b[K%s", line)
		b.last = line
	}
}

func (b *bar) end() {
	if b.last != "" {
		fmt.Fprint(b.out, "\r\x1b[K")
		b.last = ""
	}
}

func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
