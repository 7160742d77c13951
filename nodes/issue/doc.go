// Package issue finds the root cause of an issue.
//
// New gives the graph: the issue is fetched and read, routed by its kind, context is
// gathered from three sides at once, a model with tools looks into the code, what it
// claims is looked up, a critic who saw none of that work judges it and may send it
// back, and a report is made.
//
// The rules decide and the model proposes. Commit, class, lines, paths and what is kept
// of an answer are computed here. Without a model, or when one fails, each node has a
// way of its own that needs none; then the ranking is the retriever's, and the report
// says so.
package issue
