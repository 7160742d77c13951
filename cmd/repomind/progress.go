package main

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/internal/run"
)

// The ways to show progress.
const (
	progressAuto  = "auto"
	progressJSON  = "json"
	progressPlain = "plain"
	progressNone  = "none"
)

// watcher shows on w what a run does: as a line for each node, on a terminal with the
// node that is at work below them, or as JSON Lines.
type watcher struct {
	w       io.Writer
	live    bool // w is a terminal
	colours bool
	json    bool
	quiet   bool
	verbose bool

	mu      sync.Mutex
	working []string // nodes that have begun
	looking string   // what the model looks at
	shown   bool     // the live line is there
}

// tell shows an event.
func (w *watcher) tell(e run.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.json {
		report.EncodeLine(w.w, e) //nolint:errcheck // progress is not worth an end
		return
	}
	w.clear()
	switch e.Kind {
	case run.Opens:
		w.print("repomind: opening %s", line(e.Detail))
	case run.Started:
		w.working = nil
		w.print("repomind: run %s", e.Run)
	case run.NodeBegan:
		w.working = append(w.working, e.Node)
	case run.NodeDone:
		w.ended(e.Node)
		w.print("%s %s%s", w.mark("✔", "32"), pad(spoken(e.Node)), trail(e))
	case run.Waits:
		w.ended(e.Node)
		w.print("%s %swaits for a person", w.mark("?", "33"), pad(spoken(e.Node)))
	case run.NodeFailed:
		w.ended(e.Node)
		w.print("%s %s%s", w.mark("✘", "31"), pad(spoken(e.Node)), line(e.Detail))
	case run.NodeRetry:
		w.print("%s %stries again: %s", w.mark("↻", "33"), pad(spoken(e.Node)), line(e.Detail))
	case run.Looked:
		w.looking = fmt.Sprintf("round %d · %s", e.Round, line(e.Detail))
		if w.verbose || !w.live {
			w.print("  %s%s", pad(""), w.looking)
		}
	case run.Warned:
		if w.verbose {
			w.print("%s %s%s", w.mark("!", "33"), pad(spoken(e.Node)), line(e.Detail))
		}
	}
	w.draw()
}

func (w *watcher) print(format string, args ...any) {
	if !w.quiet {
		fmt.Fprintf(w.w, format+"\n", args...)
	}
}

// ended takes a node off the list of those at work. The sides of the fan have their own
// names when they end.
func (w *watcher) ended(node string) {
	switch {
	case strings.HasPrefix(node, "gather "):
		node = "gather_context_part"
	case strings.HasPrefix(node, "review "):
		node = "run_review"
	}
	for i, n := range w.working {
		if n == node {
			w.working = append(w.working[:i:i], w.working[i+1:]...)
			break
		}
	}
	w.looking = ""
}

// draw shows what is at work, on a terminal.
func (w *watcher) draw() {
	if !w.live || w.quiet || len(w.working) == 0 {
		return
	}
	text := spoken(w.working[0])
	if n := len(w.working); n > 1 {
		text = fmt.Sprintf("%s, %d at work", text, n)
	}
	if w.looking != "" {
		text += " · " + w.looking
	}
	const most = 100
	if r := []rune(text); len(r) > most {
		text = string(r[:most]) + "…"
	}
	fmt.Fprintf(w.w, "\r\x1b[K▶ %s", text)
	w.shown = true
}

// clear takes the live line away.
func (w *watcher) clear() {
	if w.shown {
		fmt.Fprint(w.w, "\r\x1b[K")
		w.shown = false
	}
}

// Write shows a message between the lines of the nodes.
func (w *watcher) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.json {
		return len(p), report.EncodeLine(w.w, run.Event{Kind: run.Warned, Detail: strings.TrimPrefix(strings.TrimSpace(string(p)), "repomind: ")})
	}
	w.clear()
	n, err := w.w.Write(p)
	w.draw()
	return n, err
}

func (w *watcher) mark(sign, colour string) string {
	if !w.colours {
		return sign
	}
	return "\x1b[" + colour + "m" + sign + "\x1b[0m"
}

// spoken is the name of a node for a person.
func spoken(node string) string { return strings.ReplaceAll(node, "_", " ") }

func pad(name string) string { return fmt.Sprintf("%-20s", name) }

// trail is what a node took, and found.
func trail(e run.Event) string {
	parts := []string{fmt.Sprintf("%6s", elapsed(e.Took))}
	if e.Usage.Calls > 0 {
		parts = append(parts, tokens(e.Usage))
	}
	if e.Detail != "" {
		parts = append(parts, line(e.Detail))
	}
	return strings.Join(parts, " · ")
}

func tokens(u llm.Usage) string {
	text := fmt.Sprintf("%.1fk tok", float64(u.Input+u.Output)/1000)
	if u.Cost.Status == llm.CostUnknown || u.Cost.Status == "" {
		return text
	}
	return text + " · " + u.Cost.Amount.String()
}

func elapsed(d time.Duration) string {
	if d < time.Millisecond {
		return "0 ms"
	}
	if d < time.Second {
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}

// news is where what takes long is told: nowhere if nobody wants progress.
func (w *watcher) news() io.Writer {
	if w.quiet {
		return io.Discard
	}
	return w
}
