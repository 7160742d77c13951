package rag

// Stats counts what an index holds.
type Stats struct {
	Files   int      `json:"files"`
	Chunks  int      `json:"chunks"`
	Names   int      `json:"names"` // that are defined somewhere, each once
	Imports int      `json:"imports"`
	Commits int      `json:"commits"`
	Skipped []string `json:"skipped,omitempty"` // files that are not looked into, and why
}

// Stats counts what the index holds.
func (x *Index) Stats() Stats {
	s := Stats{Files: len(x.tree.Files), Chunks: len(x.pieces), Names: len(x.defs), Commits: len(x.tree.History), Skipped: x.tree.Skipped}
	for _, to := range x.tree.Imports {
		s.Imports += len(to)
	}
	return s
}
