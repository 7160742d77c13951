package code

import "github.com/repomind/repomind/internal/source"

// surveyor finds the cuts and comments of a tree in one pass over its nodes. They are
// in preorder, so that the lines it meets never go back.
type surveyor struct {
	*tree
	depth    []uint8 // of what is inside of each node
	line     uint32  // the current one, from 1
	first    uint32  // its first byte that is not blank
	cuts     []Cut
	comments [][2]uint32
	above    struct { // comments and marks that may belong to what follows
		from, to uint32
		depth    uint8
		cut      bool // they may stand alone
	}
}

const maxCutDepth = 15

// survey is the layout of a tree, packed.
func (t *tree) survey(lang source.Language) string {
	s := &surveyor{tree: t, depth: make([]uint8, len(t.nodes)), line: 0}
	s.advance(0)
	for i := int32(1); i < int32(len(t.nodes)); i++ {
		s.visit(i, lang)
	}
	s.alone()
	return packLayout(s.cuts, s.comments)
}

func (s *surveyor) role(n int32) uint8 {
	if k := int(s.nodes[n].symbol); k < len(s.roles) {
		return s.roles[k]
	}
	return asNamed // an error
}

// advance makes the line of a byte the current one, and says whether the byte is the
// first on it that is not blank.
func (s *surveyor) advance(at uint32) bool {
	if s.line != 0 && (int(s.line) >= len(s.lines) || at < s.lines[s.line]) {
		return at == s.first
	}
	for int(s.line) < len(s.lines) && s.lines[s.line] <= at {
		s.line++
	}
	s.first = s.lines[s.line-1]
	for int(s.first) < len(s.data) && s.data[s.first] <= ' ' && s.data[s.first] != '\n' {
		s.first++
	}
	return at == s.first
}

func (s *surveyor) visit(i int32, lang source.Language) {
	n := &s.nodes[i]
	role, around := s.role(i), uint8(asBlock)
	if n.parent != 0 {
		around = s.role(n.parent)
	}
	inside := s.depth[n.parent]
	s.depth[i] = inside
	begins := s.begin(n)
	switch {
	case role&asComment != 0:
		if begins {
			s.comment(i, around&(asBlock|asHolder|asClause) != 0)
		}
	case !isCut(role, around):
	case role&asMark != 0:
		if begins {
			s.hold(s.line, s.lastLine(i), inside, true)
		}
	default:
		s.depth[i] = min(inside+1, maxCutDepth)
		if begins {
			s.cut(inside)
			if lang == source.Python && s.docstring(i) {
				s.note(s.line, s.lastLine(i))
			}
		}
	}
}

// begin goes to the line of a node, and says whether the node is the first thing there.
func (s *surveyor) begin(n *node) bool {
	at := n.start
	for at < n.end && s.data[at] <= ' ' {
		at++
	}
	return at < n.end && s.advance(at)
}

// cut marks the current line, with what is held above it.
func (s *surveyor) cut(depth uint8) {
	first := s.line
	if s.above.to != 0 && s.above.to+1 == s.line {
		first = s.above.from
		s.above.to = 0
	}
	s.alone()
	s.add(first, s.line, depth)
}

func (s *surveyor) add(first, line uint32, depth uint8) {
	if n := len(s.cuts); n == 0 || s.cuts[n-1].Line < int(first) {
		s.cuts = append(s.cuts, Cut{Line: int(line), First: int(first), Depth: int(depth)})
	}
}

// alone cuts before comments that belong to nothing below.
func (s *surveyor) alone() {
	if s.above.to != 0 && s.above.cut {
		s.add(s.above.from, s.above.from, s.above.depth)
	}
	s.above.to = 0
}

// hold keeps lines for what follows.
func (s *surveyor) hold(from, to uint32, depth uint8, cut bool) {
	if s.above.to != 0 && from <= s.above.to+1 {
		s.above.to = max(s.above.to, to)
		return
	}
	s.alone()
	s.above.from, s.above.to, s.above.depth, s.above.cut = from, to, depth, cut
}

// comment takes one that has its lines to itself.
func (s *surveyor) comment(i int32, cut bool) {
	to := s.lastLine(i)
	end := s.nodes[i].end
	for int(end) < len(s.data) && s.data[end] <= ' ' && s.data[end] != '\n' && s.data[max(end, 1)-1] != '\n' {
		end++
	}
	if int(end) < len(s.data) && s.data[end] != '\n' && s.data[max(end, 1)-1] != '\n' {
		return // code follows
	}
	s.note(s.line, to)
	s.hold(s.line, to, s.depth[i], cut)
}

func (s *surveyor) note(from, to uint32) {
	if n := len(s.comments); n > 0 && from <= s.comments[n-1][1]+1 {
		s.comments[n-1][1] = max(s.comments[n-1][1], to)
		return
	}
	s.comments = append(s.comments, [2]uint32{from, to})
}

// docstring: a string alone, the first statement of a module, class or function.
func (s *surveyor) docstring(i int32) bool {
	k, p := s.nodes[i].first, s.nodes[i].parent
	if s.kind(i) != "expression_statement" || s.kind(k) != "string" || s.nodes[k].next != 0 {
		return false
	}
	if p != 0 && s.kind(s.nodes[p].parent) != "function_definition" && s.kind(s.nodes[p].parent) != "class_definition" {
		return false
	}
	for before := s.nodes[p].first; before != i; before = s.nodes[before].next {
		if s.role(before)&asComment == 0 {
			return false
		}
	}
	return true
}
