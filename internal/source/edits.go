package source

// longest is the length in bytes of the names that Edits compares; more are no typing
// errors of each other.
const longest = 100

// Edits is the distance of Damerau and Levenshtein between two names, in which a swap
// of neighbours is one edit. Above limit it is limit+1.
func Edits(a, b string, limit int) int {
	if len(a) > longest || len(b) > longest || max(len(a)-len(b), len(b)-len(a)) > limit {
		return limit + 1
	}
	var rows [3][longest + 1]int
	before, prev, cur := rows[0][:len(b)+1], rows[1][:len(b)+1], rows[2][:len(b)+1]
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		best := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], before[j-2]+1)
			}
			best = min(best, cur[j])
		}
		if best > limit {
			return limit + 1
		}
		before, prev, cur = prev, cur, before
	}
	return min(prev[len(b)], limit+1)
}
