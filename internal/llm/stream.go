package llm

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// readStream reads server-sent events into the exchange. What came before a fault
// stays there, since it is billed.
//
// langchaingo's own readers of streams are not used: they end at a line of 64 KB,
// skip events that they cannot read, take a broken stream for a whole answer, mix the
// arguments of parallel calls, and Anthropic's can panic in a goroutine of its own.
func readStream(body *io.LimitedReader, to assembler, x *exchange) error {
	lines := bufio.NewReader(body)
	defer func() { x.answer = to.answer() }()
	for {
		line, err := lines.ReadBytes('\n')
		if data, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("data:")); ok && whole(line, err) {
			if done, err := readEvent(bytes.TrimSpace(data), to, x); done || err != nil {
				return err
			}
		}
		switch {
		case body.N <= 0:
			return tooLarge()
		case errors.Is(err, io.EOF):
			return to.answer().complete()
		case err != nil:
			return broken(err)
		}
	}
}

// whole says whether a line came to its end: half an event says nothing.
func whole(line []byte, err error) bool {
	line = bytes.TrimSpace(line)
	return err == nil || errors.Is(err, io.EOF) && (bytes.HasSuffix(line, []byte("}")) || bytes.HasSuffix(line, []byte("]")))
}

func readEvent(data []byte, to assembler, x *exchange) (done bool, err error) {
	if len(data) == 0 {
		return false, nil
	}
	if string(data) == "[DONE]" {
		a := to.answer()
		a.ended = a.begun // some servers give no reason to stop
		return true, a.complete()
	}
	delta, err := to.event(data)
	if err != nil {
		return false, err
	}
	if delta != "" {
		x.req.Stream(delta)
	}
	return false, nil
}
