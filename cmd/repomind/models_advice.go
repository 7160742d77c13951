package main

import (
	"errors"
	"net/http"
	"strings"
	"unicode"

	"github.com/repomind/repomind/internal/llm"
)

// errWrongCall is a call, or the use of its result, that makes no sense.
var errWrongCall = errors.New("tool calls do not work")

// advice knows what a person can change.
type advice struct {
	address  string
	variable string // of the key
	keyed    bool
}

// of gives an error without what the row says already, and what to do about it.
func (a advice) of(model, probe string, err error) (reason, hint string) {
	reason = err.Error()
	for _, op := range []string{"call ", "read the answer of "} {
		reason = strings.TrimPrefix(reason, op+model+": ")
	}
	return line(reason), a.hint(probe, err)
}

// line keeps a text to one line of what can be printed: providers write what they like.
func line(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, strings.Join(strings.Fields(text), " "))
}

func (a advice) hint(probe string, err error) string {
	e, _ := errors.AsType[*llm.Error](err)
	switch {
	case errors.Is(err, llm.ErrAuth):
		return a.keyHint()
	case errors.Is(err, llm.ErrQuota):
		return "add credit to the account, or use another provider"
	case errors.Is(err, llm.ErrRateLimited):
		return "wait a while, then check again"
	case errors.Is(err, llm.ErrBudget):
		return "raise --max-cost, --max-tokens or --timeout"
	case errors.Is(err, llm.ErrMiss):
		return "--record keeps the answers of a run; this one asks for something else"
	case errors.Is(err, llm.ErrCutOff):
		return "it does not end by itself: look at the server's chat template, or use a larger model"
	case errors.Is(err, llm.ErrUnusable):
		return "a larger model keeps to a form better"
	case e != nil && e.Status == http.StatusNotFound:
		return "is the model's name right, and " + a.address + " the address with its version, as …/v1?"
	case probe == "answer" && (errors.Is(err, llm.ErrUnavailable) || errors.Is(err, llm.ErrAnswer)):
		return "is a server for models running at " + a.address + "? --base-url sets the address"
	case probe == "streaming" && errors.Is(err, llm.ErrUnavailable):
		return "something between here and the server may cut long answers off"
	case errors.As(err, new(unsupported)), errors.Is(err, llm.ErrRequest):
		return unsupportedHints[probe]
	}
	return ""
}

var unsupportedHints = map[string]string{
	"streaming":      "answers are shown when they are whole; nothing else changes",
	"tool call":      "choose a model that calls tools to look into repositories",
	"image":          "--vision-model names a model that reads images",
	"parallel calls": "looking into a repository takes more turns",
}

func (a advice) keyHint() string {
	if a.keyed {
		return a.variable + " is set and was refused: is it the right key, and may it use this model?"
	}
	return "set " + a.variable
}
