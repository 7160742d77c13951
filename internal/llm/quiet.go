package llm

import "slices"

// quiet says whether the request tells the model to call none of its tools. Without
// tools all APIs refuse such an order.
func (x *exchange) quiet() bool { return x.req.NoCalls && !x.bare && len(x.req.Tools) > 0 }

// tools are those that the request names. They are left out where the model may call
// none and takes no order that says so.
func (x *exchange) tools() []Tool {
	if x.req.NoCalls && x.bare && !x.wantsTools() {
		return nil
	}
	return x.req.Tools
}

// wantsTools is for Anthropic, which refuses calls in the past without tools: "Requests
// which include tool_use or tool_result blocks must define tools".
func (x *exchange) wantsTools() bool {
	return x.provider.name == "anthropic" && len(slices.Collect(x.req.calls())) > 0
}
