package wordpiece

// Encode gives [CLS] text [SEP], cut to limit tokens. A limit below 2 counts as 2.
func (t *Tokenizer) Encode(text string, limit int) []int32 {
	ids := t.Append([]int32{t.begin}, text, max(limit, 2)-2)
	return append(ids, t.end)
}

// compared is how many tokens of each text of a pair are looked at to tell which
// is longer.
const compared = 1 << 16

// Pair gives [CLS] a [SEP] b [SEP] and the index where b begins. Beyond limit
// tokens the longer of the two is cut, as the tokenizers library does
// (longest_first). A limit below 3 counts as 3.
func (t *Tokenizer) Pair(a, b string, limit int) (ids []int32, second int) {
	x, y := t.Append(nil, a, compared), t.Append(nil, b, compared)
	n, m := share(len(x), len(y), max(limit, 3)-3)
	ids = make([]int32, 0, n+m+3)
	ids = append(append(append(ids, t.begin), x[:n]...), t.end)
	second = len(ids)
	return append(append(ids, y[:m]...), t.end), second
}

// share gives how much of two texts of n and m tokens fits into room.
func share(n, m, room int) (int, int) {
	if n+m <= room {
		return n, m
	}
	if n > m {
		m, n = share(m, n, room)
		return n, m
	}
	if n > room/2 {
		return room / 2, room - room/2
	}
	return n, room - n
}
