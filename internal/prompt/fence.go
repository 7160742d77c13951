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
// the nonce cannot be in it, so nothing in it ends the fence. Text that is fenced already
// may be fenced again. A zero Fence fails.
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
