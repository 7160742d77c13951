package records

import (
	"encoding/binary"
	"hash/crc32"
	"slices"
)

const (
	HeadSize = headSize
	MaxSize  = maxSize
)

// Parse reads the bytes of a file.
var Parse = parse

// Bytes is the file of all records.
func (r Records) Bytes(version uint32) []byte {
	keys := make([]string, 0, len(r))
	for k := range r {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return r.bytes(version, keys)
}

// Seal puts a head with the right checksum before a body.
func Seal(version uint32, body []byte) []byte {
	b := binary.LittleEndian.AppendUint32([]byte(magic), version)
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(body, castagnoli))
	return append(b, body...)
}
