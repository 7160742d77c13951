package code

import (
	tsbash "github.com/smacker/go-tree-sitter/bash"
	tsc "github.com/smacker/go-tree-sitter/c"
	tscpp "github.com/smacker/go-tree-sitter/cpp"
	tscsharp "github.com/smacker/go-tree-sitter/csharp"
	tselixir "github.com/smacker/go-tree-sitter/elixir"
	tsgo "github.com/smacker/go-tree-sitter/golang"
	tsjava "github.com/smacker/go-tree-sitter/java"
	tsjavascript "github.com/smacker/go-tree-sitter/javascript"
	tskotlin "github.com/smacker/go-tree-sitter/kotlin"
	tslua "github.com/smacker/go-tree-sitter/lua"
	tsphp "github.com/smacker/go-tree-sitter/php"
	tspython "github.com/smacker/go-tree-sitter/python"
	tsruby "github.com/smacker/go-tree-sitter/ruby"
	tsrust "github.com/smacker/go-tree-sitter/rust"
	tsscala "github.com/smacker/go-tree-sitter/scala"
	tsswift "github.com/smacker/go-tree-sitter/swift"
	tstsx "github.com/smacker/go-tree-sitter/typescript/tsx"
	tstypescript "github.com/smacker/go-tree-sitter/typescript/typescript"

	"github.com/repomind/repomind/internal/source"
)

// languages is the table of languages. The first rows are read in full, with scopes
// and types; those with a dialect for their definitions and calls.
var languages = []language{
	{source.Python, tspython.GetLanguage, pythonFacts},
	{source.Go, tsgo.GetLanguage, goFacts},
	{source.JavaScript, tsjavascript.GetLanguage, scriptFacts},
	{source.TypeScript, tstypescript.GetLanguage, scriptFacts},
	{source.TSX, tstsx.GetLanguage, scriptFacts},
	{source.Java, tsjava.GetLanguage, javaFacts},
	{source.Rust, tsrust.GetLanguage, rustFacts},
	{source.C, tsc.GetLanguage, generalFacts(&cDialect)},
	{source.CPP, tscpp.GetLanguage, generalFacts(&cDialect)},
	{source.CSharp, tscsharp.GetLanguage, generalFacts(&csharpDialect)},
	{source.Ruby, tsruby.GetLanguage, generalFacts(&rubyDialect)},
	{source.PHP, tsphp.GetLanguage, generalFacts(&phpDialect)},
	{source.Kotlin, tskotlin.GetLanguage, generalFacts(&kotlinDialect)},
	{source.Scala, tsscala.GetLanguage, generalFacts(&scalaDialect)},
	{source.Swift, tsswift.GetLanguage, generalFacts(&swiftDialect)},
	{source.Lua, tslua.GetLanguage, generalFacts(&luaDialect)},
	{source.Shell, tsbash.GetLanguage, generalFacts(&shellDialect)},
	{source.Elixir, tselixir.GetLanguage, elixirFacts},
}
