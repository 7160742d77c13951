package github

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"time"
	"unicode/utf8"

	gh "github.com/google/go-github/v62/github"
)

// MaxFile bounds a file that an issue or pull request is read from.
const MaxFile = 16 << 20

// ReadIssueFile reads an issue from a file: Markdown whose first heading is the
// title, or JSON of the REST API, an issue alone or {"issue": …, "comments": […]}.
// What begins with "{", and what is named .json, is JSON. An error gives the line,
// and is an [ErrInput].
func ReadIssueFile(name string, data []byte) (Issue, error) {
	data, err := fileText(name, data)
	if err != nil {
		return Issue{}, inputError{err}
	}
	i, err := readIssue(name, data)
	if err != nil {
		return Issue{}, inputError{err}
	}
	return i, nil
}

func readIssue(name string, data []byte) (Issue, error) {
	if !isJSON(name, data) {
		return readMarkdown(name, string(data))
	}
	var probe struct {
		Issue json.RawMessage `json:"issue"`
	}
	var parts struct {
		Issue    *gh.Issue          `json:"issue"`
		Comments []*gh.IssueComment `json:"comments"`
	}
	err := decode(name, data, &probe)
	switch {
	case err != nil:
	case probe.Issue != nil:
		err = decode(name, data, &parts)
	default:
		err = decode(name, data, &parts.Issue)
	}
	if err != nil {
		return Issue{}, fmt.Errorf("%w; JSON is taken as \"gh api repos/OWNER/REPO/issues/N\" prints it", err)
	}
	return issueOf(name, parts.Issue, present(parts.Comments))
}

func issueOf(name string, got *gh.Issue, comments []*gh.IssueComment) (Issue, error) {
	if strings.TrimSpace(got.GetTitle()) == "" {
		return Issue{}, fmt.Errorf("%s:1: the issue has no title", name)
	}
	i := newIssue(got)
	i.Comments = newComments(comments)
	if n := got.GetComments(); len(comments) < n {
		i.Incomplete = append(i.Incomplete, fmt.Sprintf("Only %d of %d comments are in the file.", len(comments), n))
	}
	var err error
	i.Target, err = targetOf(name, got.GetHTMLURL())
	i.findImages()
	return i, err
}

// targetOf reads html_url, which a file need not have.
func targetOf(name, address string) (Target, error) {
	if address == "" {
		return Target{}, nil
	}
	t, err := ParseTarget(address, "")
	if err != nil {
		return Target{}, fmt.Errorf("%s:1: html_url: %w", name, err)
	}
	return t, nil
}

// isJSON goes by the content first.
func isJSON(name string, data []byte) bool {
	return bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) || strings.EqualFold(path.Ext(name), ".json")
}

// fileText is what a file holds, without the mark of the byte order that some editors put
// in front.
func fileText(name string, data []byte) ([]byte, error) {
	if len(data) > MaxFile {
		return nil, fmt.Errorf("%s: %w: it may have %d bytes", name, ErrTooLarge, MaxFile)
	}
	if !utf8.Valid(data) {
		valid := 0
		for r, n := utf8.DecodeRune(data); r != utf8.RuneError || n > 1; r, n = utf8.DecodeRune(data[valid:]) {
			valid += n
		}
		return nil, fmt.Errorf("%s:%d: the text is not UTF-8", name, line(data, valid))
	}
	return bytes.TrimPrefix(data, []byte("\ufeff")), nil
}

// decode reads one JSON value and nothing behind it.
func decode(name string, data []byte, v any) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	err := dec.Decode(v)
	if err == nil {
		if _, err = dec.Token(); err == io.EOF {
			return nil
		}
		return fmt.Errorf("%s:%d: text after the JSON value", name, line(data, int(dec.InputOffset())))
	}
	at, why := len(data), err.Error()
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	var when *time.ParseError
	switch {
	case errors.As(err, &syntax):
		at = int(syntax.Offset)
	case errors.As(err, &kind):
		at, why = int(kind.Offset), fmt.Sprintf("%s is a JSON %s, which does not belong there", cmp.Or(kind.Field, "the file"), kind.Value)
	case errors.As(err, &when):
		at, why = bytes.Index(data, []byte(when.Value)), "the time "+when.Value+" is not as in 2006-01-02T15:04:05Z"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		why = "the JSON ends too early"
	}
	return fmt.Errorf("%s:%d: %s", name, line(data, at), why)
}

// line is the number of the line that the byte at an offset is on.
func line(data []byte, at int) int {
	return 1 + bytes.Count(data[:max(0, min(at, len(data)))], []byte("\n"))
}
