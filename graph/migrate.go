package graph

import "fmt"

// RenameNode is for the function of [Graph.Migrate]: it puts a node's new name into
// what comes next. Fields are renamed, changed and dropped in l.Checkpoint.Fields.
func (l *Loaded) RenameNode(from, to string) error {
	var d frontierData
	if err := decodeJSON(l.Checkpoint.Frontier, &d); err != nil {
		return fmt.Errorf("graph: stored frontier: %w", err)
	}
	if d.From == from {
		d.From = to
	}
	for i := range d.Tasks {
		if d.Tasks[i].Node == from {
			d.Tasks[i].Node = to
		}
	}
	if n, ok := d.Visits[from]; ok {
		delete(d.Visits, from)
		d.Visits[to] = n
	}
	var err error
	l.Checkpoint.Frontier, err = encodeJSON(d)
	return err
}
