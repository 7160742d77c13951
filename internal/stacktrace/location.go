package stacktrace

import "strings"

// Location is where a frame is in the repository, or why it is not there.
type Location struct {
	Path string `json:"path,omitempty"` // from the root; "" where Why says why
	Why  Why    `json:"why,omitempty"`
	// Name is the package, for OtherPackage, or the file, for NoFile.
	Name string `json:"name,omitempty"`
	// Candidates are the files that an Ambiguous frame can be in, at most 20.
	Candidates []string `json:"candidates,omitempty"`
}

// Why says why a frame is mapped to no file of the repository.
type Why string

// The reasons.
const (
	StandardLibrary Why = "standard library" // of the language or the system
	OtherPackage    Why = "another package"
	NoFile          Why = "no file with this name"
	Ambiguous       Why = "ambiguous"
	NoSource        Why = "no source file" // made up at run time, typed in, or native
)

const maxCandidates = 20

// String is the path, or the reason in words.
func (l Location) String() string {
	switch {
	case l.Path != "":
		return l.Path
	case l.Why == Ambiguous:
		return string(l.Why) + ": " + strings.Join(l.Candidates, ", ")
	case l.Name != "":
		return string(l.Why) + ": " + l.Name
	}
	return string(l.Why)
}

func outside(why Why, name string) Location { return Location{Why: why, Name: name} }
