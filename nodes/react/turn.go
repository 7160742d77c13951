package react

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/repomind/repomind/internal/llm"
)

// turn is what the model said: as it goes into the transcript, and as a person reads it.
type turn struct {
	llm.Response
	plain string // the thought or the answer, without marks of the fence; may be blank
	cut   bool   // which is only the beginning
}

// take deals with one turn of the model.
func (r *run) take(ctx context.Context, resp llm.Response) (done bool, err error) {
	t, fault := r.read(resp)
	r.cut = resp.Stop == llm.StopLength && len(resp.Calls) > 0
	r.speak(t)
	var calls []Call
	switch {
	case fault != "":
		r.say(llm.User(fault))
	case len(t.Calls) == 0:
		r.End, r.Answer = EndAnswer, t.plain
	default:
		if calls, err = r.act(ctx, t.Calls); err != nil {
			return false, fmt.Errorf("round %d: %w", r.Rounds, err)
		}
	}
	if r.bad++; r.End != "" || fault == "" && !allBad(calls) {
		r.bad = 0
	}
	if r.bad == maxBad {
		r.End = EndStuck
		err = r.settle()
	}
	r.emit(ctx, t.plain, calls)
	return r.End != "", err
}

// speak adds the model's turn. Providers take none that is empty.
func (r *run) speak(t turn) {
	if strings.TrimSpace(t.plain) != "" {
		r.said, r.half = t.plain, t.cut
	}
	if blank := strings.TrimSpace(t.Text) == ""; blank && len(t.Calls) == 0 {
		t.Text = "(nothing)"
	} else if blank {
		t.Text = ""
	}
	r.say(t.Message())
}

// read makes one form of what native and JSON models say. A fault is what to tell the
// model about a turn that is neither a call nor an answer.
func (r *run) read(resp llm.Response) (t turn, fault string) {
	if r.JSON && len(resp.Calls) == 0 { // else it has tool calling after all
		return r.readJSON(resp)
	}
	t = turn{Response: resp, plain: r.Fence.Forget(resp.Text), cut: resp.Stop == llm.StopLength && len(resp.Calls) == 0}
	if r.JSON {
		t.plain = legible(t.plain)
	}
	switch {
	case len(t.Calls) > 0:
		return t, ""
	case t.cut:
		return t, r.shorter()
	}
	return t, r.refusal(r.check(t.plain))
}

func (r *run) shorter() string {
	return fmt.Sprintf("That was cut off after %d tokens. Say it again, shorter.", r.TurnTokens)
}

var errEmpty = errors.New("it is empty")

// check says why a text is no answer.
func (r *run) check(text string) error {
	switch {
	case strings.TrimSpace(text) == "":
		return errEmpty
	case r.Check != nil:
		return r.Check(text)
	}
	return nil
}

// refusal tells the model what check said.
func (r *run) refusal(err error) string {
	switch {
	case err == nil:
		return ""
	case errors.Is(err, errEmpty):
		return "That was empty. Call a tool or answer."
	}
	return "That cannot be taken as an answer: " + r.reasons(err) + "."
}

// finish takes a turn that has to answer, in which tools are no longer listened to. What
// is no answer may be mended once if a round is left.
func (r *run) finish(ctx context.Context, resp llm.Response, why End) (done bool, err error) {
	first := r.forced == ""
	r.forced = why
	if !r.JSON {
		resp.Calls = nil
	}
	t, fault := r.read(resp)
	if len(t.Calls) > 0 {
		t.Calls, t.Text, fault = nil, resp.Text, "Nothing can be called any more. Answer."
	}
	r.speak(t)
	r.End = why
	err = r.settle()
	if taken := err == nil && r.Check != nil; !taken && fault != "" && first && r.Rounds < r.MaxRounds {
		r.say(llm.User(fault))
		r.End, r.Answer, err = "", "", nil
	}
	r.emit(ctx, t.plain, nil)
	return r.End != "", err
}

// settle makes an answer of the last thing that was said, which nobody will ask to be
// mended.
func (r *run) settle() error {
	if strings.TrimSpace(r.said) == "" {
		return fmt.Errorf("%w (%s, after %d rounds)", ErrNoAnswer, r.End, r.Rounds)
	}
	r.Answer = r.said
	switch {
	case r.Check != nil:
		if err := r.Check(r.said); err != nil {
			return fmt.Errorf("%w that fits (%s, after %d rounds): %w", ErrNoAnswer, r.End, r.Rounds, err)
		}
	case r.half:
		return fmt.Errorf("%w (%s, after %d rounds): %w", ErrNoAnswer, r.End, r.Rounds, llm.ErrCutOff)
	}
	return nil
}
