// Package review reviews pull requests.
//
// New gives the graph: the change is fetched and compared at the merge base, its files
// are put into bundles, and each bundle is looked at through several lenses at once:
// rules that need no model, and a model with tools for security, logic and style. What a
// model says is then looked up: our code finds the lines that it quotes, and a second
// look tries to refute each finding. A critic judges the whole, and may send it back.
//
// The verdict is a rule's. A change is approved only if every changed source file was seen
// through every lens and nothing failed; a failure, an empty answer or an unseen file can
// never become an approval.
package review
