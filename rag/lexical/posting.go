package lexical

// counts are how often a word stands in each field, in few bits. More than a field
// has bits for is not told apart: a word that stands in a file more than 8,191 times
// is nearly all of it.
type counts uint32

const (
	symbolBits  = 8
	commentBits = 11
	bodyBits    = 32 - symbolBits - commentBits
)

func count(field int, n uint64) counts {
	switch field {
	case symbol:
		return counts(min(n, 1<<symbolBits-1)) << (32 - symbolBits)
	case comment:
		return counts(min(n, 1<<commentBits-1)) << bodyBits
	case body:
		return counts(min(n, 1<<bodyBits-1))
	}
	return 0 // quote
}

func (c counts) in(field int) uint32 {
	switch field {
	case symbol:
		return uint32(c >> (32 - symbolBits))
	case comment:
		return uint32(c >> bodyBits & (1<<commentBits - 1))
	}
	return uint32(c & (1<<bodyBits - 1))
}

func (c counts) plus(d counts) (sum counts) {
	for f := range quote {
		sum |= count(f, uint64(c.in(f))+uint64(d.in(f)))
	}
	return sum
}

// posting is a document or part that has a word.
type posting struct {
	at uint32
	counts
}

// postings are some, 8 bytes each as they are stored, so that those of an index that is
// read from a file need not be read one by one.
type postings string

const postingSize = 8

func (p postings) len() int { return len(p) / postingSize }

func (p postings) at(i int) posting {
	s := p[postingSize*i : postingSize*i+postingSize]
	return posting{
		uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24,
		counts(uint32(s[4]) | uint32(s[5])<<8 | uint32(s[6])<<16 | uint32(s[7])<<24),
	}
}

// list is the postings of all terms in documents, or in parts.
type list struct {
	ends  string // of each term, where its postings end, 4 bytes each
	all   postings
	norms [][quote]float32 // of each document or part, what its counts are multiplied with
}

func (l *list) of(id int) postings {
	begin, end := l.between(id)
	return l.all[postingSize*begin : postingSize*end]
}

// df is how many have a term.
func (l *list) df(id int) int {
	begin, end := l.between(id)
	return end - begin
}

func (l *list) between(id int) (begin, end int) {
	if id > 0 {
		begin = int(number(l.ends, id-1))
	}
	return begin, int(number(l.ends, id))
}

// number is the one at a place of a row of them, 4 bytes each.
func number(row string, i int) uint32 {
	s := row[4*i : 4*i+4]
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}

// norms are made of lengths: 1 for a field of mean length, less for longer.
func norms(lengths [][quote]uint64, slope float64) [][quote]float32 {
	out := make([][quote]float32, len(lengths))
	for f := range quote {
		var sum float64
		for _, n := range lengths {
			sum += float64(n[f])
		}
		mean := max(sum/float64(len(lengths)), 1e-9)
		for i, n := range lengths {
			// A field that has a word has one at least.
			out[i][f] = float32(1 / (1 - slope + slope*max(float64(n[f]), 1)/mean))
		}
	}
	return out
}
