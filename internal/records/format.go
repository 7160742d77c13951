package records

import (
	"encoding/binary"
	"hash/crc32"
	"unsafe"
)

// The file is
//
//	magic (8 bytes) | version (4) | CRC-32C of all that follows (4)
//	the number of records, then for each, by ascending keys: length and bytes of
//	its key, length of its value
//	the values, in the same order
//
// with the fixed numbers little-endian and the others as varints.

const (
	magic    = "rmrecord"
	headSize = len(magic) + 4 + 4
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// versionOf is not ok for bytes that do not begin like a file of records.
func versionOf(data []byte) (version uint32, ok bool) {
	if len(data) < headSize || string(data[:len(magic)]) != magic {
		return 0, false
	}
	return binary.LittleEndian.Uint32(data[len(magic):]), true
}

// parse gives the records of a file of any version, if it is whole. It keeps the
// bytes, which nobody may write to any more, and takes no memory for bytes that are
// not right to the end.
func parse(data []byte) (Records, bool) {
	if _, ok := versionOf(data); !ok {
		return nil, false
	}
	body := data[headSize:]
	if binary.LittleEndian.Uint32(data[len(magic)+4:]) != crc32.Checksum(body, castagnoli) {
		return nil, false
	}
	index := unsafe.String(unsafe.SliceData(body), len(body))
	n, ok := number(&index)
	if !ok {
		return nil, false
	}
	values, ok := check(index, n)
	if !ok {
		return nil, false
	}
	r := make(Records, n)
	for range n {
		k, size, _ := entry(&index)
		r[k], values = values[:size], values[size:]
	}
	return r, true
}

// check reads n entries, and gives the values if the entries account for them all. No
// key stands there twice, so that n is no more than the file justifies.
func check(index string, n uint64) (values string, ok bool) {
	var last string
	var total uint64
	for i := range n {
		k, size, ok := entry(&index)
		if !ok || i > 0 && k <= last || size > uint64(len(index)) {
			return "", false
		}
		last, total = k, total+size // far below 64 bits, as each is within the file
	}
	return index, total == uint64(len(index))
}

// entry takes a key and the length of its value from s.
func entry(s *string) (key string, size uint64, ok bool) {
	n, ok := number(s)
	if !ok || n > uint64(len(*s)) {
		return "", 0, false
	}
	key, *s = (*s)[:n], (*s)[n:]
	size, ok = number(s)
	return key, size, ok
}

func number(s *string) (uint64, bool) {
	var buf [binary.MaxVarintLen64]byte
	n, size := binary.Uvarint(buf[:copy(buf[:], *s)])
	if size <= 0 {
		return 0, false
	}
	*s = (*s)[size:]
	return n, true
}

// bytes is the file of the records under keys, which are sorted.
func (r Records) bytes(version uint32, keys []string) []byte {
	size := headSize + binary.MaxVarintLen64
	for _, k := range keys {
		size += len(k) + len(r[k]) + 2*binary.MaxVarintLen32
	}
	out := make([]byte, headSize, size)
	copy(out, magic)
	out = binary.AppendUvarint(out, uint64(len(keys)))
	for _, k := range keys {
		out = binary.AppendUvarint(out, uint64(len(k)))
		out = append(out, k...)
		out = binary.AppendUvarint(out, uint64(len(r[k])))
	}
	for _, k := range keys {
		out = append(out, r[k]...)
	}
	binary.LittleEndian.PutUint32(out[len(magic):], version)
	binary.LittleEndian.PutUint32(out[len(magic)+4:], crc32.Checksum(out[headSize:], castagnoli))
	return out
}
