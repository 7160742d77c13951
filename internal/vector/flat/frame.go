package flat

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
)

// A frame is what one write adds to the log, seen wholly or not at all: a header,
// then entries. The header's checksum covers the salt of the log and the place of
// the frame too, so nothing inside an item can pass for one.
const (
	frameMagic  = "RMVF"
	frameHeader = 16
	maxFrame    = 16 << 20
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func sum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

func appendFrame(b []byte, salt uint64, at int64, payload []byte) []byte {
	start := len(b)
	b = append(b, frameMagic...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(payload)))
	b = binary.LittleEndian.AppendUint32(b, sum(payload))
	b = binary.LittleEndian.AppendUint32(b, headerSum(b[start:], salt, at))
	return append(b, payload...)
}

func headerSum(head []byte, salt uint64, at int64) uint32 {
	b := append(make([]byte, 0, 32), head[:12]...)
	b = binary.LittleEndian.AppendUint64(b, salt)
	return sum(binary.LittleEndian.AppendUint64(b, uint64(at)))
}

// frameSize reads a header: the length and checksum of what follows it.
func frameSize(head []byte, salt uint64, at int64) (n int, want uint32, ok bool) {
	if len(head) < frameHeader || string(head[:4]) != frameMagic ||
		binary.LittleEndian.Uint32(head[12:]) != headerSum(head, salt, at) {
		return 0, 0, false
	}
	n = int(binary.LittleEndian.Uint32(head[4:]))
	return n, binary.LittleEndian.Uint32(head[8:]), n <= maxFrame
}

// hasFrame says whether a frame begins somewhere in b, which stands at that place
// of the log.
func hasFrame(b []byte, salt uint64, at int64) bool {
	for i := 0; ; i++ {
		next := bytes.Index(b[i:], []byte(frameMagic))
		if next < 0 {
			return false
		}
		i += next
		if _, _, ok := frameSize(b[i:], salt, at+int64(i)); ok {
			return true
		}
	}
}
