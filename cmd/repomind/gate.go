package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/user"
	"strings"
	"time"

	"github.com/repomind/repomind/internal/run"
	"github.com/repomind/repomind/nodes/issue"
)

// ask shows a question on the terminal and reads the answer; asked is false where there
// is no terminal, or the person leaves without an answer.
func (d *desk) ask(ctx context.Context, out run.Outcome) (decision issue.Decision, asked bool) {
	if d.noInput || !isTerminal(os.Stdin) || !isTerminal(os.Stderr) {
		return decision, false
	}
	showQuestion(d.watch, out.Asks.Question)
	in := lines(os.Stdin)
	yes, ok := prompted(ctx, d.watch, in, "Analyse it? [y/n] (anything else leaves it waiting) ")
	answer := strings.ToLower(strings.TrimSpace(yes))
	decision.Approve = answer == "y" || answer == "yes"
	if !ok || !decision.Approve && answer != "n" && answer != "no" {
		return decision, false
	}
	if decision.Note, ok = prompted(ctx, d.watch, in, "A note for the report, or nothing: "); !ok {
		return decision, false
	}
	decision.Note = strings.TrimSpace(decision.Note)
	decision.By, decision.At = person(), time.Now().UTC()
	return decision, true
}

// showQuestion says what is to be allowed. The title was written by a stranger.
func showQuestion(w io.Writer, q issue.Question) {
	fmt.Fprintf(w, "\nThis issue needs your approval before it is analysed.\n\n")
	for _, row := range [][2]string{{"issue", q.Title}, {"address", q.URL}, {"because", q.Why}, {"code", q.Repo + " at " + q.Commit}, {"then", q.Will}} {
		if row[1] != "" {
			fmt.Fprintf(w, "  %-8s %s\n", row[0], line(row[1]))
		}
	}
	fmt.Fprintln(w)
}

// lines reads lines in the background: a read of a terminal cannot be broken off.
func lines(r io.Reader) <-chan string {
	out := make(chan string)
	go func() {
		defer close(out)
		for s := bufio.NewScanner(r); s.Scan(); {
			out <- s.Text()
		}
	}()
	return out
}

func prompted(ctx context.Context, w io.Writer, in <-chan string, question string) (string, bool) {
	fmt.Fprint(w, question)
	select {
	case answer, ok := <-in:
		return answer, ok
	case <-ctx.Done():
		return "", false
	}
}

// person is who answers, as the system knows them.
func person() string {
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return "somebody"
}
