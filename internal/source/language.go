package source

import (
	"bytes"
	"path"
	"slices"
	"strings"
)

// Language is the name of a programming language in lower case; "" is unknown.
type Language string

// The languages that files are told apart by.
const (
	Python     Language = "python"
	Go         Language = "go"
	JavaScript Language = "javascript" // and JSX
	TypeScript Language = "typescript"
	TSX        Language = "tsx"
	Java       Language = "java"
	Rust       Language = "rust"
	C          Language = "c"
	CPP        Language = "c++"
	CSharp     Language = "c#"
	Ruby       Language = "ruby"
	PHP        Language = "php"
	Kotlin     Language = "kotlin"
	Scala      Language = "scala"
	Swift      Language = "swift"
	Shell      Language = "shell"
	Lua        Language = "lua"
	Elixir     Language = "elixir"
)

var extensions = map[string]Language{
	".py": Python, ".pyi": Python, ".pyw": Python,
	".go": Go,
	".js": JavaScript, ".jsx": JavaScript, ".mjs": JavaScript, ".cjs": JavaScript,
	".ts": TypeScript, ".mts": TypeScript, ".cts": TypeScript, ".tsx": TSX,
	".java": Java, ".rs": Rust,
	".c": C, ".h": C,
	".cc": CPP, ".cpp": CPP, ".cxx": CPP, ".hpp": CPP, ".hh": CPP, ".hxx": CPP, ".inl": CPP,
	".cs": CSharp, ".rb": Ruby, ".rake": Ruby, ".gemspec": Ruby, ".php": PHP,
	".kt": Kotlin, ".kts": Kotlin, ".scala": Scala, ".swift": Swift,
	".sh": Shell, ".bash": Shell, ".lua": Lua, ".ex": Elixir, ".exs": Elixir,
}

var interpreters = []struct {
	word string
	lang Language
}{
	{"python", Python}, {"node", JavaScript}, {"ruby", Ruby}, {"php", PHP}, {"bash", Shell}, {"/sh", Shell},
}

// LanguageOf tells the language by the file's name, and by the first line of head
// where the name has no extension. head may be nil.
func LanguageOf(name string, head []byte) Language {
	ext := strings.ToLower(path.Ext(name))
	if lang, ok := extensions[ext]; ok || ext != "" {
		return lang
	}
	line, _, _ := bytes.Cut(head, []byte("\n"))
	if !bytes.HasPrefix(line, []byte("#!")) {
		return ""
	}
	for _, i := range interpreters {
		if bytes.Contains(line, []byte(i.word)) {
			return i.lang
		}
	}
	return ""
}

// Role says what a file is for, as far as its path tells.
type Role string

// The roles. Search and maps put Code first.
const (
	Code     Role = "code"
	Test     Role = "test"
	Example  Role = "example"
	Vendored Role = "vendored" // copied from elsewhere, or made by a program
	Doc      Role = "doc"
	Other    Role = "other" // data, configuration, and what is unknown
)

var (
	vendorDirs  = strings.Fields("vendor node_modules third_party thirdparty third-party _vendor bower_components site-packages dist typeshed")
	testDirs    = strings.Fields("test tests testing __tests__ spec specs testdata test-data fixtures e2e t")
	exampleDirs = strings.Fields("example examples sample samples demo demos benchmark benchmarks bench")
	docDirs     = strings.Fields("doc docs documentation website")
	docExts     = strings.Fields(".md .rst .adoc .txt .mdx")
)

// RoleOf tells the role of a file by its path from the root.
func RoleOf(p string) Role {
	dirs := strings.Split(strings.ToLower(p), "/")
	base := dirs[len(dirs)-1]
	dirs = dirs[:len(dirs)-1]
	under := func(names []string) bool {
		return slices.ContainsFunc(dirs, func(d string) bool { return slices.Contains(names, d) })
	}
	ext := path.Ext(base)
	switch {
	case under(vendorDirs), strings.HasSuffix(base, ".min.js"), strings.HasSuffix(base, ".pb.go"), strings.HasSuffix(base, "_pb2.py"):
		return Vendored
	case under(testDirs), testFile(base, ext):
		return Test
	case under(exampleDirs):
		return Example
	case slices.Contains(docExts, ext), under(docDirs):
		return Doc
	case extensions[ext] != "":
		return Code
	}
	return Other
}

func testFile(base, ext string) bool {
	stem := strings.TrimSuffix(base, ext)
	if extensions[ext] == "" {
		return false
	}
	return strings.HasPrefix(stem, "test_") || strings.HasSuffix(stem, "_test") || strings.HasSuffix(stem, "_spec") ||
		strings.HasSuffix(stem, ".test") || strings.HasSuffix(stem, ".spec") || stem == "conftest" ||
		(ext == ".java" || ext == ".kt" || ext == ".cs") && (strings.HasSuffix(stem, "test") || strings.HasSuffix(stem, "tests"))
}
