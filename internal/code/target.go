package code

import (
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/source"
)

// target is a symbol whose uses are sought.
type target struct {
	*solver
	p       place
	def     *def
	family  source.Language
	owner   place // the type that it is a member of
	member  bool
	alone   bool // no other definition could be meant by the name
	aliases map[string]bool
	twins   []place // the other definitions under the same qualified name in the file
}

func (x *Index) target(p place) *target {
	d := x.at(p)
	t := &target{solver: x.solver(), p: p, def: d, family: family(x.files[p.file].lang), aliases: map[string]bool{d.name: true}}
	t.owner = ownerOf(x, p)
	t.member = t.owner.file >= 0 && isType(kinds[x.at(t.owner).kind])
	t.alone = true
	for _, other := range x.defs.of(d.name) {
		if other == p || family(x.files[other.file].lang) != t.family {
			continue
		}
		if ownerOf(x, other) == t.owner && other.file == p.file {
			t.twins = append(t.twins, other)
			continue
		}
		t.alone = false
	}
	t.alone = t.alone && !usualNames[d.name]
	for range 3 { // a name that was given twice on the way
		known := len(t.aliases)
		t.addAliases()
		if len(t.aliases) == known {
			break
		}
	}
	return t
}

// addAliases adds the names that imports give to a name of the symbol.
func (t *target) addAliases() {
	for i := range t.files {
		if family(t.files[i].lang) != t.family {
			continue
		}
		for _, m := range t.files[i].imps {
			if m.as != "" && t.aliases[m.name] {
				t.aliases[m.as] = true
			}
		}
	}
}

// tie says how a reference is a use of the target, and false if it is of another.
func (t *target) tie(r place) (How, bool) {
	f := &t.files[r.file]
	ref := f.use(r.at)
	t.steps, t.via = 0, NameOnly
	var vs []value
	if ref.recv == "" {
		vs = t.lookup(r.file, ref.in, ref.name, 0)
	} else {
		vs = t.received(r.file, ref)
		if vs == nil {
			return t.unknown(ref)
		}
	}
	return t.verdict(r, ref, vs)
}

// received are the members of that name that the receiver may have: nil if it is
// not known, and an empty list if it is known and has none.
func (t *target) received(file int32, ref use) []value {
	if literal(ref.recv) {
		return []value{{kind: outside}}
	}
	receivers := t.eval(file, ref.in, ref.recv, 0)
	if family(t.files[file].lang) == source.Rust && strings.Contains(ref.recv, "::") && len(receivers) == 0 {
		receivers = t.rustPath(file, ref.recv, 0)
	}
	var out []value
	known := false
	for _, v := range receivers {
		switch {
		case v.kind == outside, v.kind == typed && t.isForeign(v):
			known = true
			out = append(out, value{kind: outside})
			continue
		case v.kind == module:
			known = true
		case v.kind == instance, v.kind == class, v.kind == typed:
			known = known || len(t.classes(v, 0)) > 0
		}
		found := t.asMember(v, ref.name)
		known = known || len(found) > 0
		out = append(out, found...)
	}
	if !known {
		return nil
	}
	if out == nil {
		out = []value{}
	}
	return out
}

// literal: a string, number or list that is written out is of no type of ours.
func literal(recv string) bool {
	switch recv[0] {
	case '"', '\'', '`', '[', '{', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return true
	}
	return len(recv) > 1 && recv[1] == '"' && strings.ContainsRune("fbr", rune(recv[0]))
}

// asMember gives definitions, where member would give their values.
func (t *target) asMember(v value, name string) []value {
	switch v.kind {
	case module:
		return t.ofModule(v, name, 0)
	case variable:
		var out []value
		for _, h := range t.held(v.p, 0) {
			if h.kind != variable {
				out = append(out, t.asMember(h, name)...)
			}
		}
		return out
	}
	var out []value
	for _, c := range t.classes(v, 0) {
		for _, m := range t.memberOf(c, name, 0) {
			t.found(c, m)
			out = append(out, value{kind: function, p: m})
		}
		if t.owner != c && t.member && len(out) == 0 && (t.extends(t.owner, c) || t.related(c, t.owner)) {
			out = append(out, value{kind: instance, p: c}) // narrowed or mixed in somewhere: may be ours
		}
	}
	return out
}

// verdict compares what was found with the target.
func (t *target) verdict(r place, ref use, vs []value) (How, bool) {
	possible := false
	for _, v := range vs {
		if v.kind == outside || v.kind == typed || v.kind == module {
			continue
		}
		if v.p == t.p || slices.Contains(t.twins, v.p) {
			if ref.recv == "" && r.file == t.p.file && t.via != Inherited {
				return SameFile, true
			}
			return t.via, true
		}
		possible = possible || t.dispatches(v.p)
	}
	if possible && ref.recv != "" {
		return Dispatch, true
	}
	if ref.recv != "" || vs != nil {
		return "", false
	}
	return t.bare(ref)
}

// dispatches: a call of the member at p may end in the target.
func (t *target) dispatches(p place) bool {
	if !t.member {
		return false
	}
	from := ownerOf(t.Index, p)
	if isType(kinds[t.at(p).kind]) {
		from = p
	}
	if from.file < 0 || from == t.owner {
		return false
	}
	return t.extends(t.owner, from) || t.implements(from) || isType(kinds[t.at(p).kind])
}

// implements: the target's type has all methods of a Go interface.
func (t *target) implements(iface place) bool {
	f := &t.files[iface.file]
	if f.lang != source.Go || kinds[t.at(iface).kind] != Interface {
		return false
	}
	for i := range f.defs {
		if f.defs[i].parent == iface.at && kinds[f.defs[i].kind] == Method && len(t.memberOf(t.owner, f.defs[i].name, 0)) == 0 {
			return false
		}
	}
	return true
}

// unknown is the verdict on a receiver of unknown type.
func (t *target) unknown(ref use) (How, bool) {
	if !t.member && t.family != source.C && t.family != source.Lua {
		return NameOnly, kinds[t.def.kind] == Function && t.family == source.JavaScript
	}
	if t.alone {
		return OnlyOne, true
	}
	return NameOnly, true
}

// bare is the verdict on a name without a receiver that no scope binds.
func (t *target) bare(ref use) (How, bool) {
	switch t.family {
	case source.Python, source.Go, source.JavaScript, source.Java, source.Rust:
		return "", false // it would have to be imported
	}
	if t.alone {
		return OnlyOne, true
	}
	return NameOnly, true
}

// usualNames are methods of common libraries: that the repository defines one once
// says little about a call of it.
var usualNames = words(`len cap copy error print panic get set add append pop remove update items keys values join split strip format read write close open copy
clear extend insert index count sort reverse encode decode replace start stop run send put wait acquire release next find
match search group exists String Error Len Less Swap Close Read Write Lock Unlock Add Done Wait Get Set Name Next Err map
filter forEach push then catch toString equals hashCode size isEmpty length find reduce slice concat apply call bind test exec
clone new default from into iter unwrap expect parse fmt as_ref as_str to_string len is_empty insert contains
startswith endswith lower upper decode setdefault discard union throw flush seek tell group strip print log warn
Errorf Sprintf Printf Println Fatal Log Run Fatalf Helper Sum Reset Unwrap Is As Equal Inc Dec Observe Load Store`)
