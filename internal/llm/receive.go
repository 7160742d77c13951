package llm

import (
	"bufio"
	"fmt"
	"io"
)

// receive reads the answer, whole or as a stream.
func (t *transport) receive(body io.Reader, x *exchange) error {
	bounded := &io.LimitedReader{R: body, N: maxAnswer + 1}
	if x.req.Stream == nil {
		return t.receiveWhole(bounded, bounded, x)
	}
	lines := bufio.NewReader(bounded)
	if unstreamed(lines) {
		if err := t.receiveWhole(lines, bounded, x); err != nil {
			return err
		}
		if x.answer.text != "" {
			x.req.Stream(x.answer.text)
		}
		return nil
	}
	return readStream(lines, bounded, t.wire.stream(x), x)
}

// unstreamed says whether a server that was asked for a stream answers in one piece,
// as some do, and others with an error.
func unstreamed(lines *bufio.Reader) bool {
	for {
		c, err := lines.ReadByte()
		switch {
		case err != nil:
			return false
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			continue
		}
		return lines.UnreadByte() == nil && c == '{'
	}
}

func (t *transport) receiveWhole(body io.Reader, bounded *io.LimitedReader, x *exchange) error {
	data, err := io.ReadAll(body)
	switch {
	case err != nil:
		x.answer.begun = len(data) > 0 // what was begun is billed
		return broken(err)
	case bounded.N <= 0:
		x.answer.begun = true
		return tooLarge()
	}
	if x.answer, err = t.wire.read(data, x); err != nil {
		return err
	}
	return x.answer.complete()
}

// complete refuses an answer without its end.
func (a answer) complete() error {
	switch {
	case !a.begun:
		return &Error{Kind: ErrAnswer, Message: "the answer is empty"}
	case !a.ended:
		return &Error{Kind: ErrUnavailable, Message: "the answer broke off before its end"}
	}
	return nil
}

func broken(err error) error {
	return &Error{Kind: ErrUnavailable, Message: "the connection broke: " + excerpt([]byte(err.Error())), Err: cause(err)}
}

func tooLarge() error {
	return &Error{Kind: ErrAnswer, Message: fmt.Sprintf("it is larger than %d MB", maxAnswer>>20)}
}

// garbled is for bytes that are not what the API promises.
func garbled(data []byte, err error) error {
	return &Error{Kind: ErrAnswer, Message: fmt.Sprintf("%s in %s", clip(err.Error()), excerpt(data))}
}
