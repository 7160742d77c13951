package lexical_test

import (
	"hash/fnv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/rag/lexical"
)

func terms(text string) (out []lexical.Term) {
	lexical.Words(text, func(t lexical.Term) { out = append(out, t) })
	return out
}

// plain hashes words that are in their plain form already.
func plain(words ...string) (out []lexical.Term) {
	for _, w := range words {
		h := fnv.New64a()
		h.Write([]byte(w))
		out = append(out, lexical.Term(h.Sum64()))
	}
	return out
}

func TestWords(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"", ""},
		{"  \t\n.,;()", ""},
		{"server", "server"},
		{"The cat", "the cat"},

		// Identifiers: the parts, then the whole.
		{"HTTPServers", "http server httpserver"},
		{"http_server", "http server httpserver"},
		{"HTTP server", "http server"},
		{"getHTTPResponseCode", "get http respons code gethttpresponsecod"},
		{"parseURL", "pars url parseurl"},
		{"userIDs URLsOf IDStore", "user id userid url of urlsof id store idstor"},
		{"MAX_SIZE", "max size maxsiz"},
		{"iPhone", "phone iphon"},
		{"XMLHttpRequest2", "xml http request xmlhttprequest2"},
		{"__init__", "init"},
		{"_private", "privat"},
		{"__getValue__", "get valu getvalu"},
		{"trailing_", "trail"},
		{"__", ""},
		{"_x", "x"},
		{"_x_", "x"},
		{"_7_", ""},
		{"a_b", "ab"},
		{"x", "x"},
		{"C", "c"},

		// Digits.
		{"7", ""},
		{"42", "42"},
		{"utf8", "utf utf8"},
		{"py310", "py 310 py310"},
		{"0x1F", "0x1f"},
		{"v1.2.30", "v1 30"},

		// Dotted names, paths.
		{"os.path.join", "os path join"},
		{"src/app_main.go", "src app main appmain go"},
		{"std::vec::Vec", "std vec vec"},

		// Endings.
		{"caches cached caching cache", "cach cach cach cach"},
		{"mapped mapping maps map", "map map map map"},
		{"queries query", "queri queri"},
		{"falling fallen falls", "fall fallen fall"},
		{"class classes status axis", "class class status axis"},
		{"ties", "tie"}, // too short for -ies
		{"red string bring", "red string bring"},

		// Other scripts.
		{"Größe größe", "größe größe"},
		{"größe_max", "größe max größemax"},
		{"größeFile", "größe file größefile"},
		{"ÄNDERGrößeFiles", "änder größe file ändergrößefiles"},
		{"_größe__", "größe"},
		{"größe2", "größe größe2"},
		{"fileÉ", "file fileé"}, // a part of one letter
		{"É", "é"},
		{"naïveIDs", "naïve id naïveids"},
		{"数据loadFile", "数据 load file loadfil"},
		{"loadFile数据", "load file loadfil 数据"},
		{"_loadFile_数据_x", "load file loadfil 数据 x"},
		{"πολιτικός ΠΟΛΙΤΙΚΌΣ", "πολιτικόσ πολιτικόσ"},
		{"ſize \u212Aelvin İd", "size kelvin id"},
		{"STRASSE STRAẞE straße", "strass straße straße"},
		{"Cafe\u0301Bar", "cafe\u0301 bar cafe\u0301bar"}, // a mark goes with its letter
		{"مرحباFile", "مرحبا file مرحباfile"},
		{"\u0665\u0666é", "٥٦ ٥٦é"},
		{"café’s", "café s"},
		{"ПРИВЕТ мир", "привет мир"},
		{"“HTTPServers”", "http server httpserver"},
		{"caching—servers", "cach server"},
		{"类", "类"},
		{"服务器", "服务 务器"},
		{"调用getName方法", "调用 get name getnam 方法"},
		{"サーバー", "サー ーバ バー"},
		{"ภาษา", "ภา าษ ษา"},
		{"服务，错误", "服务 错误"},
		{"\xff\xfeserver\xff", "server"},
		{"na\xcciv", "na iv"},

		// Data.
		{"3f786850e387550fdab836e", "786850 387550 fdab 836 3f786850e387550fdab836"},
		{"3f786850e387550fdab836ed", ""},
		{"0xCBF29CE484222325", "cbf 29 ce 484222325 0xcbf29ce484222325"},
		{"0xcbf29ce484222325cbf29ce4", ""},
		{"123456789012345678901234", ""},
		{"blob_3f786850e387550fdab836ed7e6dc881de23001b_end", "blob end"},
		{"effacedFacadeDecadeBeaded", "effac facad decad bead effacedfacadedecadebead"},
		{"before aGVsbG8gd29ybGQsIHRoaXM2gaXMgYmFzZTY0 after", "befor after"},
		{"aG8vc2Rm+MjM0/Zm8wLWJhcmZv== after", "after"},
		{"aG8vc2Rm_MjM0-Zm8wLWJhcmZv after", "after"},
		{"ExtendLo2ToUint64Uint8x16", "extend lo to uint 64 uint 16 extendlo2touint64uint8x16"},
		{"src/Utf8/Base64/Sha256/README", "src utf utf8 base 64 base64 sha 256 sha256 readm"},
		{"get_aGVsbG8gd29ybGQsIHRoaXM2", ""},
		{"read_the_long_value_of_aGVsbG8gd29ybGQsIHRoaXM2", "read the long valu of"},

		// Long words are data, but long names are names.
		{strings.Repeat("a", 64), strings.Repeat("a", 64)},
		{strings.Repeat("a", 65), ""},
		{strings.Repeat("é", 32), strings.Repeat("é", 32)},
		{strings.Repeat("é", 33), ""},
		{strings.Repeat("word_", 13) + "End", strings.TrimSpace(strings.Repeat("word ", 13)) + " end"},
		{"ab " + strings.Repeat("Zz9", 40) + " cd", "ab cd"},
	} {
		if diff := cmp.Diff(plain(strings.Fields(tt.want)...), terms(tt.text)); diff != "" {
			t.Errorf("%.60q, want %.60q (-want +got):\n%s", tt.text, tt.want, diff)
		}
	}
}

func FuzzWords(f *testing.F) {
	for _, s := range []string{"HTTPServers _x a1b2", "“größe_max” 服务器", "\xff_\xccé", strings.Repeat("A_", 40)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n := len(terms(text))
		if n > len(text) {
			t.Errorf("%d terms of %d bytes", n, len(text))
		}
		if m := len(terms(text + "\n" + text)); m != 2*n {
			t.Errorf("%d terms, and %d of the text twice", n, m)
		}
		var q lexical.Query
		q.Add(text, 1)
		q.AddPairs(text, 1)
		x, err := lexical.New([]lexical.Blob{lexical.Analyze([]lexical.Part{{Symbol: text, Body: text, Comment: text}})}, lexical.Config{})
		if err != nil {
			t.Fatal(err)
		}
		if s := x.Score(q, lexical.Weights{}); n > 0 && !(s.Docs[0] > 0) {
			t.Errorf("a text does not find itself: %v", s)
		}
		x.Phrases([]string{text})
	})
}
