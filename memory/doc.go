// Package memory keeps what finished runs found, and recalls it when a like question
// comes up in the same repository.
//
// Lessons are rows of a SQLite file, which several processes may use. They are kept
// apart by repository and kind: what one repository's issues said never reaches the runs
// of another, and issues do not reach reviews. A [Store] is bounded: a title has at most
// [MaxTitle] bytes and a text [MaxText], the rest is cut off; of more than [MaxFiles]
// files the first stay; of more than [MaxLessons] lessons of one repository and kind the
// newest do.
//
// Recall compares words, and meaning too where [Config] has an encoder and a store of
// vectors, and prefers no lesson to one that does not fit. Vectors are made from the rows
// when a recall first wants them, so a save needs no server, and a store of vectors that
// was emptied, exchanged or out of reach is filled again by later recalls. Each memory
// file has collections of its own there.
//
// A lesson holds text of strangers and models. It is stored as valid UTF-8 without NUL,
// and no better than it came: who shows it, or puts it into a prompt, treats it as
// untrusted. The package needs cgo.
package memory
