// Package llm calls language models.
//
// A [Model] has one method. [Open] gives one for a provider; [Retry], [Budget],
// [Limit], [Record] and [Replay] wrap one and are one. The usual order is
//
//	llm.Retry{Model: budget.Guard(limit.Guard(model))}
//
// so that each try is charged. [Decode] is the one way to an answer with a type.
//
// The providers are reached through langchaingo, which is imported here alone. It
// sees neither the network nor a key: the transport below it sets address and key,
// reads status, limits and streams, and hands up one small and well-formed answer. Long
// texts do not go through it either: the transport puts them into the request.
package llm
