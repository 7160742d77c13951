package llm

import (
	"encoding/json"
	"strconv"
	"strings"
)

// count is a number of tokens as servers write it: 12, 12.0, "12" or null. What is no
// sane number is 0, as a strange account must not lose the answer that it is for.
type count int

// countMost keeps a provider's nonsense out of the sums: no call takes so much.
const countMost = 1e9

func (c *count) UnmarshalJSON(data []byte) error {
	x, err := strconv.ParseFloat(strings.Trim(string(data), `"`), 64)
	if err != nil || !(x > 0 && x <= countMost) {
		x = 0
	}
	*c = count(x)
	return nil
}

// loose reads a part of an answer that the rest can do without: what has another
// shape is left empty.
type loose[T any] struct{ V T }

func (l *loose[T]) UnmarshalJSON(data []byte) error {
	var v T
	if json.Unmarshal(data, &v) == nil {
		l.V = v
	}
	return nil
}
