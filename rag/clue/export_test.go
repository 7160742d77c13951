package clue

// LooksLikeCode is what Read asks of a word in prose.
var LooksLikeCode = looksLikeCode
