// Package github reads issues and pull requests from GitHub, from GitHub
// Enterprise, and from files, and gives them as plain values that can be stored.
//
// [ParseTarget] takes what people paste. A [Client] serves one host: it is built
// for it, its token goes to the API of that host and nowhere else, and it only
// reads. What could not be read to the end is listed in Incomplete, in sentences
// for the report; nothing is left out without a word.
//
// All text in an [Issue] or [PullRequest] was written by strangers. It is given as
// it is: whoever shows it to a model or to a person guards it there.
package github
