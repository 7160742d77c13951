package graph

import "fmt"

// touch is what the writes of a step did to one field.
type touch struct {
	by     string // the first task that wrote it; empty: none
	reset  bool
	length int // of a list before the step
}

// merge applies the writes of the tasks to s in the order of the tasks. It gives
// for each field how it was touched.
func (a *core) merge(s any, tasks []*task) ([]touch, error) {
	touched := make([]touch, len(a.fields))
	for _, t := range tasks {
		for _, w := range t.update {
			if err := a.write(s, t.label, w, &touched[a.index[w.field]]); err != nil {
				return nil, err
			}
		}
	}
	return touched, nil
}

func (a *core) write(s any, by string, w write, t *touch) error {
	last := w.field.spec().kind == lastKind
	switch {
	case t.by == "":
		t.by, t.length = by, w.field.length(s)
	case last, t.by != by && (w.reset || t.reset):
		return &ConflictError{w.name(), [2]string{t.by, by}, !last}
	}
	t.reset = t.reset || w.reset
	err := safely(func() error { w.field.apply(s, w.value, w.reset); return nil })
	if err != nil {
		return fmt.Errorf("reducer of field %q: %w", w.name(), err)
	}
	return nil
}

// known refuses writes that have no field of this graph.
func (a *core) known(u []write) error {
	for _, w := range u {
		if _, ok := a.index[w.field]; !ok {
			return fmt.Errorf("%w: %q is written, but is not a field of graph %q", ErrUnknownField, w.name(), a.name)
		}
	}
	return nil
}

// dropped is the data, which no value has, of a field that a migration dropped.
const dropped = "dropped"

// chain is what a list field has stored: a whole value and the deltas after it.
type chain struct{ whole, deltas int }

const (
	rowCost   = 64        // what a row costs beside its data
	chainRoom = 256 << 10 // deltas that a whole value must be worth
)

// long says that a list should be stored whole again. As wholes are then at least
// twice apart, all of them together take no more than a small multiple of the
// list, and a load reads at most about twice its size.
func (c chain) long() bool { return c.deltas > c.whole+chainRoom }

// rows encodes the touched fields; with touched nil, all of them whole.
func (r *runner) rows(s any, step int, touched []touch) ([]FieldRow, error) {
	var rows []FieldRow
	for i, f := range r.app.fields {
		from, delta := 0, false
		if touched != nil {
			t := touched[i]
			if t.by == "" {
				continue
			}
			if delta = f.spec().kind == appendKind && !t.reset && !r.chains[i].long(); delta {
				from = t.length
			}
			if delta && f.length(s) == from {
				continue // nothing was appended
			}
		}
		data, err := f.encode(s, from)
		if err != nil {
			return nil, &FieldError{r.thread, step, f.Name(), err}
		}
		rows = append(rows, FieldRow{Field: f.Name(), Step: step, Delta: delta, Version: f.spec().version, Data: data})
	}
	return rows, nil
}

// stored keeps count of the chains after rows are durable.
func (r *runner) stored(rows []FieldRow) {
	for _, row := range rows {
		c := &r.chains[r.app.byName[row.Field]]
		if row.Delta {
			c.deltas += len(row.Data) + rowCost
		} else {
			*c = chain{whole: len(row.Data)}
		}
	}
}
