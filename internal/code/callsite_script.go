package code

// Calls of JavaScript and TypeScript.

func (s script) callSite(n int32) (CallSite, bool) {
	var at int32
	switch s.kind(n) {
	case "call_expression":
		at = s.child(n, "function")
	case "new_expression":
		at = s.child(n, "constructor")
	default:
		return CallSite{}, false
	}
	for s.kind(at) == "non_null_expression" || s.kind(at) == "parenthesized_expression" {
		at = s.named(at)
	}
	receiver := int32(0)
	switch s.kind(at) {
	case "identifier", "super":
	case "member_expression":
		at, receiver = s.child(at, "property"), s.child(at, "object")
	default:
		return CallSite{}, false
	}
	args := s.child(n, "arguments")
	if s.kind(args) == "template_string" {
		return CallSite{}, false
	}
	site, ok := s.site(n, at, receiver)
	site.New = s.kind(n) == "new_expression"
	s.arguments(&site, args)
	s.place(&site, n)
	return site, ok
}

func (s script) arguments(site *CallSite, args int32) {
	for a := range s.children(args) {
		switch s.kind(a) {
		case "comment":
		case "spread_element":
			site.Spread = true
		default:
			site.Positional++
		}
	}
}

// place says what is done with the value.
func (s script) place(site *CallSite, n int32) {
	up, inner := s.outside(n)
	switch s.kind(up) {
	case "await_expression":
		site.Awaited = true
	case "member_expression", "subscript_expression":
		site.Used = s.child(up, "object") == inner
	case "binary_expression", "unary_expression", "for_in_statement":
		site.Used = true
	}
}
