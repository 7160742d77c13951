package llm

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
)

// readStream reads server-sent events into the exchange. What came before a fault
// stays there, since it is billed.
//
// langchaingo's own readers of streams are not used: they end at a line of 64 KB,
// skip events that they cannot read, take a broken stream for a whole answer, mix the
// arguments of parallel calls, and Anthropic's can panic in a goroutine of its own.
func readStream(lines *bufio.Reader, bounded *io.LimitedReader, to assembler, x *exchange) error {
	defer func() { x.answer = to.answer() }()
	for {
		line, err := lines.ReadBytes('\n')
		if data := payload(line); data != nil && whole(line, err) {
			if done, err := readEvent(data, to, x); done || err != nil {
				return err
			}
		}
		switch {
		case bounded.N <= 0:
			return tooLarge()
		case errors.Is(err, io.EOF):
			return to.answer().complete()
		case err != nil:
			return broken(err)
		}
	}
}

// payload is the data of an event; nil is a line of another kind. llama.cpp sends an
// error as a field of its own.
func payload(line []byte) []byte {
	line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\uFEFF")))
	if data, ok := bytes.CutPrefix(line, []byte("data:")); ok {
		return bytes.TrimSpace(data)
	}
	if data, ok := bytes.CutPrefix(line, []byte("error:")); ok && json.Valid(data) {
		return slices.Concat([]byte(`{"type":"error","error":`), data, []byte("}"))
	}
	return nil
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
