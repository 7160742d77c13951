package llm

import "unicode/utf8"

// imageTokens is what the providers charge for a picture of usual size, about.
const imageTokens = 1000

// Estimate counts the tokens of a request, roughly: four letters of Latin script or
// one and a half of another to a token. It is for budgets and for providers that
// report nothing.
func Estimate(req Request) int {
	var n counter
	for _, m := range req.Messages {
		n.tokens += 4
		for _, p := range m.Parts {
			n.part(p)
		}
	}
	for _, t := range req.Tools {
		n.text(t.Name)
		n.text(t.Description)
		n.ascii += len(t.Schema)
	}
	n.ascii += len(req.Schema)
	return n.total()
}

// estimate counts the tokens of an answer.
func (a answer) estimate() int {
	var n counter
	n.text(a.text)
	for _, c := range a.calls {
		n.call(c)
	}
	return n.total()
}

type counter struct{ tokens, ascii, wide int }

func (n *counter) part(p Part) {
	n.text(p.Text)
	if p.Image != nil {
		n.tokens += imageTokens
	}
	if p.Call != nil {
		n.call(*p.Call)
	}
	if p.Result != nil {
		n.text(p.Result.Text)
	}
}

// call counts the signature too: with some providers it is the reasoning.
func (n *counter) call(c ToolCall) {
	n.text(c.Name)
	n.text(string(c.Args))
	n.text(c.Malformed)
	n.text(c.Signature)
}

func (n *counter) text(s string) {
	wide := 0
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf && utf8.RuneStart(s[i]) {
			wide++
		} else if s[i] < utf8.RuneSelf {
			n.ascii++
		}
	}
	n.wide += wide
}

func (n *counter) total() int { return n.tokens + (n.ascii+3)/4 + (2*n.wide+2)/3 }
