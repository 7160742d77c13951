package issue

import (
	"cmp"
	"slices"
	"strings"

	"github.com/repomind/repomind/rag"
)

// spoken is what the signals of retrieval are to a person. Several are the same thing
// seen through other windows; what is not here tells nobody anything.
var spoken = map[string]string{
	"path is named":               "the issue names its path",
	"file name is named":          "the issue names the file",
	"module is named":             "the issue names the module",
	"line is named":               "the issue names its lines",
	"in a trace":                  "it is in the traceback",
	"near the break":              "the traceback ends near it",
	"has the message":             "it holds a message that the issue quotes",
	"defines a name":              "it defines what the issue names",
	"defines a qualified name":    "it defines what the issue names",
	"called like a word":          "it is called like a word of the issue",
	"names in symbols":            "its definitions are called as in the issue",
	"names in the text":           "it uses names of the issue",
	"names in a chunk":            "it uses names of the issue",
	"words":                       likeness,
	"words of a chunk":            likeness,
	"words of three chunks":       likeness,
	"prose":                       likeness,
	"prose in a chunk":            likeness,
	"title":                       likeness,
	"title in a chunk":            likeness,
	"title in the path":           "its path is like the issue's words",
	"words of the path":           "its path is like the issue's words",
	"similar commits":             "commits like this issue changed it",
	"commits like the title":      "commits like this issue changed it",
	"words of its commits":        "its commits speak of the same",
	"title in its commits":        "its commits speak of the same",
	"tests of it match":           "its tests speak of the same",
	"tests of it match the title": "its tests speak of the same",
	"like the written code":       "it is like the code that a model wrote to search with",
	"vectors are near":            "it is near in meaning",
	"vectors, fused":              "it is near in meaning",
}

// likeness is what most places have, so it is told last.
const likeness = "its words are like the issue's"

// rankOf puts first what points at a place by name.
func rankOf(reason string) int {
	switch {
	case reason == likeness:
		return 2
	case strings.HasPrefix(reason, "the "), strings.HasPrefix(reason, "it is in "), strings.HasPrefix(reason, "it holds "), strings.HasPrefix(reason, "it defines "):
		return 0
	}
	return 1
}

// maxReasons is how many a place is given.
const maxReasons = 3

// reasons are the strongest signals in words, each once.
func reasons(why []rag.Reason) string {
	var out []string
	for _, w := range why {
		if text := spoken[w.Signal]; text != "" && w.Share > 0 && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	slices.SortStableFunc(out, func(a, b string) int { return cmp.Compare(rankOf(a), rankOf(b)) })
	out = out[:min(len(out), maxReasons)]
	if len(out) == 0 {
		return "it is changed often, or near to what is above"
	}
	return strings.Join(out, "; ")
}
