package manifest

// header reads [a.b] and [[a.b]] and gives the table that follows.
func (r *tomlReader) header(root *node) (*node, error) {
	r.i++
	many := r.peek() == '['
	if many {
		r.i++
	}
	keys, err := r.keys()
	if err != nil {
		return nil, err
	}
	for range map[bool]int{false: 1, true: 2}[many] {
		if r.peek() != ']' {
			return nil, fault(r.line, "the header of a table has no end")
		}
		r.i++
	}
	at, err := r.down(root, keys[:len(keys)-1])
	if err != nil {
		return nil, err
	}
	if !many {
		return r.down(at, keys[len(keys)-1:])
	}
	return r.another(at, keys[len(keys)-1])
}

// another adds a table to a list of them.
func (r *tomlReader) another(at *node, key string) (*node, error) {
	all := at.get(key)
	if all == nil {
		all = &node{name: key, kind: list, line: r.line}
		at.add(all)
	}
	if all.kind != list {
		return nil, fault(r.line, "%q is no list of tables", key)
	}
	one := &node{kind: table, line: r.line}
	all.add(one)
	return one, r.take(r.line, 0)
}

// down opens the tables of a dotted key. A list of tables stands for its last one.
func (r *tomlReader) down(at *node, keys []string) (*node, error) {
	for depth, key := range keys {
		next := at.get(key)
		if next == nil {
			next = &node{name: key, kind: table, line: r.line}
			at.add(next)
			if err := r.take(r.line, depth); err != nil {
				return nil, err
			}
		}
		if next.kind == list && len(next.kids) > 0 {
			next = next.kids[len(next.kids)-1]
		}
		if next.kind != table {
			return nil, fault(r.line, "%q is no table", key)
		}
		at = next
	}
	return at, nil
}

func (r *tomlReader) keys() (keys []string, err error) {
	for {
		r.space()
		key, err := r.key()
		if err != nil {
			return nil, err
		}
		if keys = append(keys, key); len(keys) > maxDepth {
			return nil, fault(r.line, "nested more than %d deep", maxDepth)
		}
		if r.space(); r.peek() != '.' {
			return keys, nil
		}
		r.i++
	}
}

func (r *tomlReader) key() (string, error) {
	if c := r.peek(); c == '"' || c == '\'' {
		v, err := r.quoted()
		return v, err
	}
	from := r.i
	for c := r.peek(); c == '-' || c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'; c = r.peek() {
		r.i++
	}
	if from == r.i {
		return "", fault(r.line, "no key where one should be")
	}
	return r.s[from:r.i], nil
}
