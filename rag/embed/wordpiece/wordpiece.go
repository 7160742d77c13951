// Package wordpiece splits text into the tokens of BERT's uncased models: clean
// the text, drop accents and case, cut at spaces and punctuation, then take the
// longest known piece again and again (Schuster and Nakajima, "Japanese and Korean
// Voice Search", 2012; the normalisation is that of Devlin et al., "BERT", 2019).
//
// The tokens are those of the tokenizers library, which also runs behind
// sentence-transformers: see the package's tests for how that was checked. Like
// there, the text "[SEP]" is the special token. What a text says can therefore end
// a segment, but the type of each token, which pairs rely on, is set by position.
package wordpiece

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"
)

// ErrVocab says that a vocabulary cannot be used.
var ErrVocab = errors.New("not a vocabulary of BERT")

const (
	vocabLimit = 4 << 20 // bytes; BERT's own has 232 KB, that of 104 languages 1 MB
	pieceLimit = 1 << 10 // bytes
	wordLimit  = 100     // characters; a longer word is unknown, as in BERT
)

// Tokenizer turns text into token numbers. It does not change once made, so any
// number of goroutines can use it.
type Tokenizer struct {
	pieces  *trie
	table   *table
	special []special
	size    int
	unknown int32
	begin   int32
	end     int32
}

// special is a token that is found in the text as it stands.
type special struct {
	text string
	id   int32
}

// Load reads a vocabulary file.
func Load(path string) (*Tokenizer, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	t, err := New(f)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return t, nil
}

// New reads a vocabulary: one piece a line, whose number is the line's, from 0. A
// piece that continues a word begins with ##. [UNK], [CLS] and [SEP] must be there.
func New(r io.Reader) (*Tokenizer, error) {
	data, err := io.ReadAll(io.LimitReader(r, vocabLimit+1))
	if err != nil {
		return nil, err
	}
	if len(data) > vocabLimit {
		return nil, fmt.Errorf("%w: it is larger than %d MB", ErrVocab, vocabLimit>>20)
	}
	t := &Tokenizer{table: newTable(), pieces: newTrie()}
	ids := map[string]int32{}
	for line := range bytes.Lines(data) {
		piece := strings.TrimRight(string(line), "\r\n")
		if len(piece) > pieceLimit {
			return nil, fmt.Errorf("%w: line %d has %d bytes", ErrVocab, t.size+1, len(piece))
		}
		if strings.HasPrefix(piece, "[") {
			ids[piece] = int32(t.size)
		}
		t.pieces.add(piece, int32(t.size))
		t.size++
	}
	t.pieces.seal()
	if err := t.findSpecial(ids); err != nil {
		return nil, err
	}
	return t, nil
}

func (t *Tokenizer) findSpecial(ids map[string]int32) error {
	for _, text := range []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"} {
		if id, ok := ids[text]; ok {
			t.special = append(t.special, special{text, id})
		}
	}
	for text, to := range map[string]*int32{"[UNK]": &t.unknown, "[CLS]": &t.begin, "[SEP]": &t.end} {
		id, ok := ids[text]
		if !ok {
			return fmt.Errorf("%w: it lacks %s", ErrVocab, text)
		}
		*to = id
	}
	return nil
}

// Size is how many numbers the vocabulary has: every token is below it.
func (t *Tokenizer) Size() int { return t.size }

// Append appends the tokens of text to dst, without [CLS] and [SEP], and stops
// when it has added limit of them: a long text costs no more than its part that
// fits.
func (t *Tokenizer) Append(dst []int32, text string, limit int) []int32 {
	limit += len(dst)
	w := word{t: t, dst: dst}
	for i := 0; i < len(text) && len(w.dst) < limit; {
		c := text[i]
		if c < utf8.RuneSelf {
			if c == '[' {
				if s := t.specialAt(text[i:]); s.text != "" {
					w.flush()
					w.dst = append(w.dst, s.id)
					i += len(s.text)
					continue
				}
			}
			i++
			w.ascii(c)
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		i += n
		w.rune(r)
	}
	w.flush()
	return w.dst[:min(len(w.dst), limit)]
}

func (t *Tokenizer) specialAt(text string) special {
	for _, s := range t.special {
		if strings.HasPrefix(text, s.text) {
			return s
		}
	}
	return special{}
}
