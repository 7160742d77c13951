// Package repo reads git repositories that nobody has vouched for.
//
// A [Cache] keeps bare clones of our own. A [Clone] is one of them, and a
// [Snapshot] is the tree of one commit together with the history before it: list,
// read, grep, log, blame. All of it goes through git's plumbing and is safe by
// construction:
//
//   - There is never a work tree, so no checkout, filter, hook or symlink of the
//     repository comes to life, and git never runs inside a foreign .git: what a
//     person hands over is cloned from.
//   - git sees our settings only (env.go), never the user's or the system's.
//   - A clone has no remote. A read cannot fetch, whatever is missing.
//   - Time, output, entries, depth and sizes have limits; what they leave out is an
//     error or is listed, never passed over.
package repo
