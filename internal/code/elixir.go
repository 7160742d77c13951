package code

// elixir extracts the facts of an Elixir file, where definitions are calls of
// macros: defmodule A.B do … end, def f(x) do … end.
type elixir struct{ *collector }

func elixirFacts(c *collector) { elixir{c}.below(0) }

// each walks the children of a node. A node that is missing has none.
func (e elixir) each(n int32) {
	if n != 0 {
		e.below(n)
	}
}

// below is each for the root too, whose number is that of a missing node.
func (e elixir) below(n int32) {
	for k := e.nodes[n].first; k != 0; k = e.nodes[k].next {
		if e.isNamed(k) {
			e.walk(k)
		}
	}
}

func (e elixir) walk(n int32) {
	if e.kind(n) != "call" {
		e.each(n)
		return
	}
	target, args := e.child(n, "target"), e.find(n, "arguments")
	first := e.named(args)
	switch string(e.text(target)) {
	case "defmodule", "defprotocol", "defimpl":
		e.enter(Module, n, first)
	case "def", "defp", "defdelegate", "defguard":
		e.enter(Function, n, e.head(first))
	case "defmacro", "defmacrop":
		e.enter(Macro, n, e.head(first))
	case "alias", "import", "use", "require":
		if e.kind(first) == "alias" {
			e.bring(e.str(first), "", "", n)
		}
	default:
		e.call(target)
		e.each(n)
	}
}

// head is the name in f(x), f(x) when … or f.
func (e elixir) head(n int32) int32 {
	for range 5 {
		switch e.kind(n) {
		case "binary_operator":
			n = e.child(n, "left")
		case "call":
			n = e.child(n, "target")
		default:
			return n
		}
	}
	return 0
}

func (e elixir) enter(kind Kind, n, at int32) {
	if at == 0 {
		return
	}
	leave := e.define(kind, e.str(at), n, at, e.find(n, "do_block"))
	if block := e.find(n, "do_block"); block != 0 {
		e.each(block)
	} else if args := e.find(n, "arguments"); args != 0 {
		e.each(args)
	}
	leave()
}

func (e elixir) call(target int32) {
	switch e.kind(target) {
	case "identifier":
		e.mention(target, "", true)
	case "dot":
		if right := e.child(target, "right"); e.kind(right) == "identifier" {
			e.mention(right, e.expr(e.child(target, "left")), true)
		}
	}
}
