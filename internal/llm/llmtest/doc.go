// Package llmtest holds what tests need in place of a language model: [Script], a
// model that says what it is told to, and [Server], which speaks the providers' APIs
// on a local port. [Conformance] is the suite that each provider runs.
package llmtest
