package flat

import "unsafe"

// The file of vectors is made of segments of segmentRows rows: first all their
// int8 forms, so that a scan reads on without a gap, then all their float32.
// Numbers are padded with zeros to a multiple of stride.
const segmentRows = 256

type shape struct{ width int }

func shapeOf(dim int) shape { return shape{padded(dim)} }

// size is that of a segment in bytes.
func (s shape) size() int64 { return int64(segmentRows) * int64(s.width) * 5 }

// segments is the number that rows take.
func segments(rows int) int { return (rows + segmentRows - 1) / segmentRows }

// at8 and at32 give where in the file the two forms of a row begin.
func (s shape) at8(row int) int64 {
	return int64(row/segmentRows)*s.size() + int64(row%segmentRows)*int64(s.width)
}

func (s shape) at32(row int) int64 {
	return int64(row/segmentRows)*s.size() + segmentRows*int64(s.width) + int64(row%segmentRows)*int64(s.width)*4
}

// bytes32 and the other two show memory as what it holds. The file is mapped at
// the beginning of a page, and a row begins at a multiple of 128 bytes there.
func bytes32(v []float32) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), len(v)*4)
}

func floats(b []byte) []float32 {
	return unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/4)
}

func int8s(b []byte) []int8 {
	return unsafe.Slice((*int8)(unsafe.Pointer(unsafe.SliceData(b))), len(b))
}

func bytes8(v []int8) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), len(v))
}
