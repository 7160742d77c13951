package react

import (
	"context"
	"fmt"
	"strings"

	"github.com/repomind/repomind/internal/llm"
)

// take deals with one turn of the model.
func (r *run) take(ctx context.Context, resp llm.Response) (done bool, err error) {
	turn, fault := r.read(resp)
	r.cut = resp.Stop == llm.StopLength
	r.speak(turn)
	var calls []Call
	switch {
	case fault != "":
		r.say(llm.User(fault))
	case len(turn.Calls) == 0:
		r.End, r.Answer = EndAnswer, turn.Text
	default:
		if calls, err = r.act(ctx, turn.Calls); err != nil {
			return false, fmt.Errorf("round %d: %w", r.Rounds, err)
		}
	}
	if r.bad++; r.End != "" || fault == "" && !allBad(calls) {
		r.bad = 0
	}
	if r.bad == maxBad {
		r.End = EndStuck
		err = r.settle(r.said)
	}
	r.emit(ctx, turn.Text, calls)
	return r.End != "", err
}

// speak adds the model's turn. Providers take none that is empty.
func (r *run) speak(turn llm.Response) {
	if strings.TrimSpace(turn.Text) != "" {
		r.said = turn.Text
	} else if turn.Text = ""; len(turn.Calls) == 0 {
		turn.Text = "(nothing)"
	}
	r.say(turn.Message())
}

// read makes one form of what native and JSON models say. A fault is what to tell the
// model about a turn that is neither a call nor an answer.
func (r *run) read(resp llm.Response) (turn llm.Response, fault string) {
	turn = resp
	if r.JSON && resp.Stop != llm.StopLength {
		if turn, fault = r.readJSON(resp); fault != "" {
			return turn, fault
		}
	}
	switch {
	case len(turn.Calls) > 0:
		return turn, ""
	case resp.Stop == llm.StopLength:
		fault = fmt.Sprintf("That was cut off after %d tokens. Say it again, shorter.", r.TurnTokens)
	case strings.TrimSpace(turn.Text) == "":
		fault = "That was empty. Call a tool or answer."
	case r.Check != nil:
		if err := r.Check(turn.Text); err != nil {
			fault = "That cannot be taken as an answer: " + r.reasons(err) + "."
		}
	}
	return turn, fault
}

// finish takes the last turn, in which tools are no longer listened to.
func (r *run) finish(ctx context.Context, resp llm.Response) error {
	if r.JSON {
		if turn, fault := r.readJSON(resp); fault == "" {
			resp.Text = turn.Text
		}
	}
	resp.Calls = nil
	r.speak(resp)
	err := r.settle(r.said)
	if err == nil && r.Check == nil && resp.Stop == llm.StopLength {
		err = fmt.Errorf("%w (%s, after %d rounds): %w", ErrNoAnswer, r.End, r.Rounds, llm.ErrCutOff)
	}
	r.emit(ctx, resp.Text, nil)
	return err
}

// settle makes an answer of a text that nobody will ask to be mended.
func (r *run) settle(text string) error {
	if strings.TrimSpace(text) == "" {
		return fmt.Errorf("%w (%s, after %d rounds)", ErrNoAnswer, r.End, r.Rounds)
	}
	r.Answer = text
	if r.Check != nil {
		if err := r.Check(text); err != nil {
			return fmt.Errorf("%w that fits (%s, after %d rounds): %w", ErrNoAnswer, r.End, r.Rounds, err)
		}
	}
	return nil
}
