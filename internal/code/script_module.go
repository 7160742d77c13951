package code

import "strings"

// Modules of JavaScript and TypeScript.

func (s script) unquoted(n int32) string { return strings.Trim(s.str(n), "'\"`") }

// required is the module of require("module"), or "".
func (s script) required(n int32) string {
	if s.kind(n) != "call_expression" || string(s.text(s.child(n, "function"))) != "require" {
		return ""
	}
	if a := s.named(s.child(n, "arguments")); s.kind(a) == "string" {
		return s.unquoted(a)
	}
	return ""
}

func (s script) require(at int32, module string, n int32) {
	if s.kind(at) == "identifier" {
		s.bring(module, "", s.str(at), n)
		return
	}
	for k := range s.children(at) {
		switch s.kind(k) {
		case "shorthand_property_identifier_pattern":
			s.bring(module, s.str(k), "", n)
		case "pair_pattern":
			s.bring(module, s.str(s.child(k, "key")), s.str(s.child(k, "value")), n)
		}
	}
}

func (s script) imports(n int32) {
	module := s.unquoted(s.child(n, "source"))
	clause := s.find(n, "import_clause")
	if clause == 0 {
		if module != "" {
			s.bring(module, "", "", n)
		}
		return
	}
	for k := range s.children(clause) {
		switch s.kind(k) {
		case "identifier":
			s.bring(module, "default", s.str(k), n)
		case "namespace_import":
			s.bring(module, "", s.str(s.named(k)), n)
		case "named_imports":
			for spec := range s.children(k) {
				s.bring(module, s.str(s.child(spec, "name")), s.str(s.child(spec, "alias")), spec)
			}
		}
	}
}

func (s script) export(n int32) {
	src := s.child(n, "source")
	if src != 0 {
		s.reexport(n, s.unquoted(src))
		return
	}
	isDefault := strings.HasPrefix(string(s.text(n)), "export default")
	declaration, value := s.child(n, "declaration"), s.child(n, "value")
	if clause := s.find(n, "export_clause"); clause != 0 {
		for spec := range s.children(clause) {
			if alias := s.str(s.child(spec, "alias")); alias != "" {
				s.hint(-1, "export "+alias, s.str(s.child(spec, "name")), hintExpr, 0)
			}
			s.mention(s.child(spec, "name"), "", false)
		}
		return
	}
	if isDefault {
		if at := s.child(declaration, "name"); at != 0 {
			s.hint(-1, "export default", s.str(at), hintExpr, 0)
		} else if s.kind(value) == "identifier" {
			s.hint(-1, "export default", s.str(value), hintExpr, 0)
		} else if s.kind(value) == "call_expression" { // connect(…)(Name), memo(Name)
			if arg := s.named(s.child(value, "arguments")); s.kind(arg) == "identifier" {
				s.hint(-1, "export default", s.str(arg), hintExpr, 0)
			}
		}
		if s.kind(value) == "object" {
			s.object(value)
			return
		}
	}
	s.each(n)
}

func (s script) reexport(n int32, module string) {
	if clause := s.find(n, "export_clause"); clause != 0 {
		for spec := range s.children(clause) {
			s.bring(module, s.str(s.child(spec, "name")), s.str(s.child(spec, "alias")), spec)
		}
		return
	}
	if ns := s.find(n, "namespace_export"); ns != 0 {
		s.bring(module, "", s.str(s.named(ns)), n)
		return
	}
	s.bring(module, "*", "", n)
}

// exports: module.exports = {a: b} or = b.
func (s script) exports(right int32) {
	if s.kind(right) == "identifier" {
		s.hint(-1, "export default", s.str(right), hintExpr, 0)
	}
	for k := range s.children(right) {
		if v := s.child(k, "value"); s.kind(k) == "pair" && s.kind(v) == "identifier" {
			s.hint(-1, "export "+s.str(s.child(k, "key")), s.str(v), hintExpr, 0)
		}
	}
}
