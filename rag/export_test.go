package rag

import "context"

// ContentVersion is the version of what is kept of blobs.
const ContentVersion = contentVersion

// DecodeContent reads a record and gives what it holds, written anew.
func DecodeContent(record string) (string, error) {
	c, err := decodeContent(record)
	if err != nil {
		return "", err
	}
	return c.encode(), nil
}

// PieceOutside tells whether a piece of the record ends before it begins or begins
// before the file does.
func PieceOutside(record string) bool {
	c, err := decodeContent(record)
	if err != nil {
		return false
	}
	for _, p := range c.pieces {
		if p.start < 0 || p.end < p.start {
			return true
		}
	}
	for _, s := range c.symbols {
		if s.start < 0 || s.end < s.start {
			return true
		}
	}
	return false
}

// Signal gives the value of a signal of files for each path where it is not zero.
func (x *Index) Signal(q Query, name string) map[string]float32 {
	v := x.look(q)
	out := map[string]float32{}
	for s, signal := range fileSignals {
		if signal.Name != name {
			continue
		}
		for i, value := range v.files[s] {
			if value != 0 {
				out[x.tree.Files[i].Path] = value
			}
		}
		return out
	}
	return nil
}

// ChunkSignal gives the value of a signal of chunks by span where it is not zero.
func (x *Index) ChunkSignal(q Query, name string) map[string]float32 {
	v := x.look(q)
	v.rankPieces(v.rankFiles(Bug))
	out := map[string]float32{}
	for s, signal := range pieceSignals {
		if signal.Name != name {
			continue
		}
		for i, value := range v.pieces[s] {
			if value != 0 {
				out[v.x.spanOf(x.pieces[i]).String()] = value
			}
		}
		return out
	}
	return nil
}

// Roles gives the role of each file.
func (x *Index) Roles() map[string]string {
	out := map[string]string{}
	for _, f := range x.tree.Files {
		out[f.Path] = string(f.Role)
	}
	return out
}

// Near gives for each path how near the vectors of its chunks are.
func (x *Index) Near(ctx context.Context, q Query, with Vectors) map[string]float32 {
	v := x.look(q)
	if err := v.dense(ctx, with, q, v.rankPieces(v.rankFiles(Bug))); err != nil {
		return nil
	}
	out := map[string]float32{}
	for i, n := range v.files[fNear] {
		out[x.tree.Files[i].Path] = n
	}
	return out
}
