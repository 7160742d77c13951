package prompt

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// Fence marks text from outside with a nonce that the writer of the text cannot know.
type Fence struct{ nonce string }

var (
	errNoFence = errors.New("untrusted text needs a fence; use NewFence")
	isNonce    = regexp.MustCompile(`^[0-9A-Za-z]{16,64}$`)
)

// NewFence takes the nonce of a run: 16 to 64 letters and digits, made at random for
// this run and told to nobody but the model. crypto/rand.Text makes a good one.
func NewFence(nonce string) (Fence, error) {
	if !isNonce.MatchString(nonce) {
		return Fence{}, errors.New("a nonce is 16 to 64 letters and digits; crypto/rand.Text makes one")
	}
	return Fence{nonce}, nil
}

// Rule tells a model what the fence means. It belongs into the system prompt. A zero
// Fence has none.
func (f Fence) Rule() (string, error) {
	if f.nonce == "" {
		return "", errNoFence
	}
	set, err := Load(files, "prompts")
	if err != nil {
		return "", err
	}
	return set.Render(f, "fence", f.nonce)
}

// Wrap fences text that is not ours. The origin says where it comes from, as "issue
// #12" or "read_file src/app.py"; it may be untrusted itself. The text is cleaned with
// [Clean], what looks like a fence or like a mark of a chat's turns loses its form, and
// the nonce cannot be in it, so nothing in it ends the fence. A zero Fence fails.
func (f Fence) Wrap(origin, text string) (string, error) {
	if f.nonce == "" {
		return "", errNoFence
	}
	text, removed := Clean(text)
	text = f.disarm(text)
	hidden := ""
	if removed > 0 {
		hidden = fmt.Sprintf(` removed="%d invisible characters"`, removed)
	}
	return fmt.Sprintf("<untrusted-%s origin=\"%s\"%s>\n%s\n</untrusted-%[1]s>", f.nonce, f.label(origin), hidden, strings.TrimSuffix(text, "\n")), nil
}

// Inline makes a short text that is not ours fit into a sentence of ours, as the name
// that a model asked for: on one line, clean, without marks, at most 1,000 bytes. It is
// for what has to be named; what has to be read is wrapped.
func (f Fence) Inline(text string) string {
	text, _ = Clean(clip(text, 1000))
	return f.disarm(line.Replace(text))
}

func clip(text string, limit int) string {
	if len(text) > limit {
		return strings.ToValidUTF8(text[:limit], "") + "…"
	}
	return text
}

func (f Fence) fence(origin, text string) (string, error) { return f.Wrap(origin, text) }

// maxLabel is how many bytes of an origin are shown.
const maxLabel = 200

// label makes an origin one attribute of one line.
func (f Fence) label(origin string) string {
	origin, _ = Clean(clip(origin, maxLabel))
	return f.disarm(attribute.Replace(origin))
}

var (
	line      = strings.NewReplacer("\n", " ", "\t", " ")
	attribute = strings.NewReplacer("\n", " ", "\t", " ", `"`, "'", "<", "(", ">", ")")
)

var (
	// The opening of a fence, of any nonce, also with look-alikes of "<" and "/".
	lookalike = regexp.MustCompile(`(?i)[<＜‹〈⟨﹤]([\s/／∕⁄\\]*untrusted)`)
	// Marks that chat templates know, as <|im_start|>: a server that does not escape
	// them would begin a new turn at them. DeepSeek writes them with wide bars.
	turnMark = regexp.MustCompile(`<([|｜][^<>\s|｜]{1,40}[|｜])>`)
	turnWord = regexp.MustCompile(`(?i)\[(/?INST)\]|<(/?(?:start_of_turn|end_of_turn))>|<<(/?SYS)>>`)
)

// disarm takes the form from whatever could be read as the end of the fence.
func (f Fence) disarm(text string) string {
	if strings.ContainsAny(text, "<＜‹〈⟨﹤[") {
		text = lookalike.ReplaceAllString(text, "($1")
		text = turnMark.ReplaceAllString(text, "($1)")
		text = turnWord.ReplaceAllString(text, "($1$2$3)")
	}
	return f.forget(text)
}

// forget replaces the nonce, in upper or lower case. What it puts in has characters
// that no nonce has, so it cannot make a new one.
func (f Fence) forget(text string) string {
	if f.nonce == "" || !strings.Contains(asciiLower(text), asciiLower(f.nonce)) {
		return text
	}
	return regexp.MustCompile(`(?i)`+f.nonce).ReplaceAllString(text, "(…)")
}

// asciiLower keeps the length of the text.
func asciiLower(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}
