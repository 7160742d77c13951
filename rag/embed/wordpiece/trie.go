package wordpiece

import "strings"

// The two roots of a trie: pieces that begin a word, and those that continue one.
const (
	startOfWord state = 1
	insideWord  state = 2
)

// state is a node of the trie; 0 is none. A vocabulary within its limit has fewer
// than the 1<<24 that a key has room for.
type state uint32

// trie finds the longest piece that some bytes begin with. Its edges are in one
// hash table with open addressing, because a map costs three times as much.
type trie struct {
	build map[uint32]state // edges while it is made
	edges []edge
	shift uint32
	ids   []int32 // by state; none where no piece ends
}

type edge struct {
	key uint32
	to  state
}

const none = -1

func newTrie() *trie {
	return &trie{build: map[uint32]state{}, ids: []int32{none, none, none}}
}

// add adds a piece of the vocabulary. Of two equal ones the later counts.
func (t *trie) add(piece string, id int32) {
	at := startOfWord
	if rest, ok := strings.CutPrefix(piece, "##"); ok {
		at, piece = insideWord, rest
	}
	if piece == "" {
		return
	}
	for i := range len(piece) {
		key := key(at, piece[i])
		next, ok := t.build[key]
		if !ok {
			next = state(len(t.ids))
			t.ids = append(t.ids, none)
			t.build[key] = next
		}
		at = next
	}
	t.ids[at] = id
}

func key(from state, b byte) uint32 { return uint32(from)<<8 | uint32(b) }

// seal lays the edges out for search. At most a third of the table is used.
func (t *trie) seal() {
	bits := uint32(4)
	for len(t.build)*3 > 1<<bits {
		bits++
	}
	t.edges, t.shift = make([]edge, 1<<bits), 32-bits
	for key, to := range t.build {
		i := t.slot(key)
		for t.edges[i].to != 0 {
			i = (i + 1) & uint32(len(t.edges)-1)
		}
		t.edges[i] = edge{key, to}
	}
	t.build = nil
}

// slot is Knuth's multiplicative hash.
func (t *trie) slot(key uint32) uint32 { return key * 2654435769 >> t.shift }

func (t *trie) next(from state, b byte) state {
	key := key(from, b)
	for i := t.slot(key); ; i = (i + 1) & uint32(len(t.edges)-1) {
		if e := t.edges[i]; e.key == key || e.to == 0 {
			return e.to
		}
	}
}

// longest is the length of the longest piece at the start of word, and its id.
func (t *trie) longest(at state, word []byte) (length int, id int32) {
	for i, b := range word {
		if at = t.next(at, b); at == 0 {
			break
		}
		if x := t.ids[at]; x != none {
			length, id = i+1, x
		}
	}
	return length, id
}
