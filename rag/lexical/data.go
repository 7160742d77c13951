package lexical

import "strings"

// minData is the length from which on letters and digits can be data. Half of that, a
// short hash of a commit or a part of a UUID, may be asked for.
const minData = 24

func hasData(w string) bool {
	for part := range strings.SplitSeq(w, "_") {
		if data(part) {
			return true
		}
	}
	return false
}

func data(w string) bool {
	return len(w) >= minData && (hex(w) || base64(w))
}

// hex says whether a word is digits up to f, one of them a decimal one.
func hex(w string) bool {
	w = strings.TrimPrefix(strings.TrimPrefix(w, "0x"), "0X")
	return len(w) >= minData && strings.ContainsAny(w, "0123456789") && strings.Trim(w, "0123456789abcdefABCDEF") == ""
}

// stretch is the length of what at the begin of s can be base64, of either alphabet.
func stretch(s string) (n int) {
	for n < len(s) && (classes[s[n]]&(mixed|under) != 0 || s[n] == '+' || s[n] == '/' || s[n] == '-') {
		n++
	}
	return n
}

// base64 says whether a stretch has capitals, small letters and digits in so wild a
// row that two of five letters begin a part. In base64 one of two does, in a name like
// ExtendLo2ToUint64Uint8x16 one of three.
func base64(s string) bool {
	letters, changes, seen := 0, 0, uint8(0)
	for k := range len(s) {
		is := classes[s[k]]
		if is&mixed == 0 {
			continue
		}
		letters++
		seen |= is
		if k > 0 && classes[s[k-1]]&mixed != 0 && splits(s, k) {
			changes++
		}
	}
	return letters >= minData && seen == mixed && 5*changes >= 2*letters
}
