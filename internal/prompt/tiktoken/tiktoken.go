// Package tiktoken counts tokens as OpenAI's models do. It carries their vocabularies,
// some 7 MB, and loading one takes the better part of a second; use it where a number
// has to be exact, and prompt.Estimate elsewhere.
package tiktoken

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"
)

// Encoding is one vocabulary.
type Encoding struct{ encoder *tiktoken.Tiktoken }

// Load reads the vocabulary of a model, as "gpt-4o" or "openai/gpt-4o". A model of
// another maker has none and is an error: its numbers would only look exact.
func Load(model string) (*Encoding, error) {
	model = model[strings.LastIndex(model, "/")+1:]
	name, ok := vocabulary(model)
	if !ok {
		return nil, fmt.Errorf("no vocabulary is known for %q; use prompt.Estimate", model)
	}
	ranks, err := loader.NewOfflineLoader().LoadTiktokenBpe(name + ".tiktoken")
	if err != nil {
		return nil, fmt.Errorf("load vocabulary %s: %w", name, err)
	}
	bpe, err := tiktoken.NewCoreBPE(ranks, map[string]int{}, patterns[name])
	if err != nil {
		return nil, fmt.Errorf("load vocabulary %s: %w", name, err)
	}
	return &Encoding{tiktoken.NewTiktoken(bpe, &tiktoken.Encoding{Name: name, PatStr: patterns[name]}, nil)}, nil
}

// The splitting expressions, from github.com/openai/tiktoken, tiktoken_ext/openai_public.py.
var patterns = map[string]string{
	"cl100k_base": `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`,
	"o200k_base": strings.Join([]string{
		`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?`,
		`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?`,
		`\p{N}{1,3}`, ` ?[^\s\p{L}\p{N}]+[\r\n/]*`, `\s*[\r\n]+`, `\s+(?!\S)`, `\s+`}, "|"),
}

// vocabularies by the beginning of a model's name; the first that fits counts.
var vocabularies = [][2]string{
	{"gpt-4o", "o200k_base"}, {"gpt-4.", "o200k_base"}, {"gpt-5", "o200k_base"}, {"chatgpt-4o", "o200k_base"},
	{"o1", "o200k_base"}, {"o3", "o200k_base"}, {"o4", "o200k_base"},
	{"gpt-4", "cl100k_base"}, {"gpt-3.5", "cl100k_base"}, {"text-embedding-", "cl100k_base"},
}

func vocabulary(model string) (string, bool) {
	for _, v := range vocabularies {
		if strings.HasPrefix(model, v[0]) {
			return v[1], true
		}
	}
	return "", false
}

// Count is exact for text whose runs of one kind of character are shorter than maxRun.
// It cuts longer ones, which costs a token a cut: merging takes time by the square of
// a run's length, and the text may be hostile.
func (e *Encoding) Count(text string) int {
	n, from, run := 0, 0, 0
	var kind byte
	for i, r := range text {
		if k := kindOf(r); k != kind {
			kind, run = k, 0
		}
		if run++; run > maxRun {
			n += len(e.encoder.EncodeOrdinary(text[from:i]))
			from, run = i, 1
		}
	}
	return n + len(e.encoder.EncodeOrdinary(text[from:]))
}

const maxRun = 500

func kindOf(r rune) byte {
	switch {
	case unicode.IsSpace(r):
		return ' '
	case unicode.IsLetter(r) || unicode.IsMark(r):
		return 'a'
	case unicode.IsNumber(r):
		return '0'
	}
	return '.'
}
