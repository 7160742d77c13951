package rag

import (
	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/rag/rank"
)

// The signals of files, in the order of fileSignals.
const (
	fBody = iota
	fChunk
	fChunks
	fTitle
	fTitleChunk
	fPath
	fTitlePath
	fProse
	fProseChunk
	fCode
	fNames
	fNamesBody
	fNamesChunk
	fPathNamed
	fBaseNamed
	fModuleNamed
	fStemNamed
	fDefines
	fQualified
	fDefinesWord
	fInTrace
	fNearBreak
	fPhrase
	fCommits
	fCommitsTitle
	fLog
	fLogTitle
	fRecent
	fOften
	fMended
	fTests
	fTestsTitle
	fRank
	fWritten
	fQueries
	fNear
	fFused
	fStands
	fInert
	fLarge
	fIsTest
	fIsDoc
	fIsOther
	fIsVendored
	fIsExample
)

// fileSignals are what files are ranked by. The weights here and below are those that
// "go run ./rag/bench fit" prints, but for those of the written code: no bug of the bench
// has any, so that they are set by hand, a little below those of the issue's own words.
var fileSignals = rank.Table{
	fBody:         {Name: "words", Weight: 1.42, Sign: 1},
	fChunk:        {Name: "words of a chunk", Weight: 1.69, Sign: 1},
	fChunks:       {Name: "words of three chunks", Weight: 1.13, Sign: 1},
	fTitle:        {Name: "title", Weight: 1.34, Sign: 1},
	fTitleChunk:   {Name: "title in a chunk", Weight: .94, Sign: 1},
	fPath:         {Name: "words of the path", Weight: 1.47, Sign: 1},
	fTitlePath:    {Name: "title in the path", Weight: .26, Sign: 1},
	fProse:        {Name: "prose", Weight: .17, Sign: 1},
	fProseChunk:   {Name: "prose in a chunk", Weight: .22, Sign: 1},
	fCode:         {Name: "words of the code", Sign: 1},
	fNames:        {Name: "names in symbols", Weight: .59, Sign: 1},
	fNamesBody:    {Name: "names in the text", Weight: .19, Sign: 1},
	fNamesChunk:   {Name: "names in a chunk", Weight: .47, Sign: 1},
	fPathNamed:    {Name: "path is named", Weight: 2.5, Sign: 1},
	fBaseNamed:    {Name: "file name is named", Weight: 1.04, Sign: 1},
	fModuleNamed:  {Name: "module is named", Weight: 1, Sign: 1},
	fStemNamed:    {Name: "called like a word", Weight: .35, Sign: 1},
	fDefines:      {Name: "defines a name", Weight: .55, Sign: 1},
	fQualified:    {Name: "defines a qualified name", Sign: 1},
	fDefinesWord:  {Name: "defines a word", Sign: 1},
	fInTrace:      {Name: "in a trace", Weight: .98, Sign: 1},
	fNearBreak:    {Name: "near the break", Weight: .9, Sign: 1},
	fPhrase:       {Name: "has the message", Weight: .92, Sign: 1},
	fCommits:      {Name: "similar commits", Weight: .72, Sign: 1},
	fCommitsTitle: {Name: "commits like the title", Weight: .52, Sign: 1},
	fLog:          {Name: "words of its commits", Weight: .35, Sign: 1},
	fLogTitle:     {Name: "title in its commits", Weight: .94, Sign: 1},
	fRecent:       {Name: "changed of late", Weight: .46, Sign: 1},
	fOften:        {Name: "changed often", Weight: .35, Sign: 1},
	fMended:       {Name: "mended often", Weight: .05, Sign: 1},
	fTests:        {Name: "tests of it match", Weight: .23, Sign: 1},
	fTestsTitle:   {Name: "tests of it match the title", Weight: .14, Sign: 1},
	fRank:         {Name: "imports lead to it", Sign: 1},
	fWritten:      {Name: "like the written code", Weight: 1, Sign: 1},
	fQueries:      {Name: "queries, fused", Weight: .34, Sign: 1},
	fNear:         {Name: "vectors are near", Sign: 1},
	fFused:        {Name: "vectors, fused", Sign: 1},
	fStands:       {Name: "stands for its directory", Weight: -.34, Sign: -1},
	fInert:        {Name: "without a function", Sign: -1},
	fLarge:        {Name: "large", Weight: .2},
	fIsTest:       {Name: "is a test", Weight: -.22, Sign: -1},
	fIsDoc:        {Name: "is a document", Weight: -.22, Sign: -1},
	fIsOther:      {Name: "is data", Weight: -.09, Sign: -1},
	fIsVendored:   {Name: "is not their own", Weight: -.02, Sign: -1},
	fIsExample:    {Name: "is an example", Weight: -.02, Sign: -1},
}

// The signals of pieces, in the order of pieceSignals.
const (
	pBody = iota
	pTitle
	pProse
	pCode
	pNames
	pNamesBody
	pNamed
	pQualified
	pInTrace
	pPhrase
	pFile
	pIsCode
	pWritten
	pQueries
	pNear
	pFused
)

// pieceSignals are what chunks, and through them symbols, are ranked by. Vectors have a
// weight here and none for files, where they were measured to add nothing.
var pieceSignals = rank.Table{
	pBody:      {Name: "words", Weight: 2.68, Sign: 1},
	pTitle:     {Name: "title", Weight: 1.49, Sign: 1},
	pProse:     {Name: "prose", Sign: 1},
	pCode:      {Name: "words of the code", Sign: 1},
	pNames:     {Name: "names in symbols", Weight: .87, Sign: 1},
	pNamesBody: {Name: "names in the text", Weight: .67, Sign: 1},
	pNamed:     {Name: "defines a name", Weight: .42, Sign: 1},
	pQualified: {Name: "defines a qualified name", Weight: .39, Sign: 1},
	pInTrace:   {Name: "line is named", Weight: .91, Sign: 1},
	pPhrase:    {Name: "has the message", Weight: .31, Sign: 1},
	pFile:      {Name: "its file", Weight: 3.47, Sign: 1},
	pIsCode:    {Name: "is code", Weight: 1.3},
	pWritten:   {Name: "like the written code", Weight: 1.5, Sign: 1},
	pQueries:   {Name: "queries, fused", Weight: .25, Sign: 1},
	pNear:      {Name: "vectors are near", Sign: 1},
	pFused:     {Name: "vectors, fused", Weight: .61, Sign: 1},
}

// The signals of symbols, in the order of symbolSignals.
const (
	sPiece = iota
	sMean
	sNamed
	sQualified
	sTitle
	sText
	sInTrace
	sType
	sShort
	sFile
)

// symbolSignals are what definitions are ranked by.
var symbolSignals = rank.Table{
	sPiece:     {Name: "its best chunk", Weight: 4.32, Sign: 1},
	sMean:      {Name: "its chunks", Weight: 1.11, Sign: 1},
	sNamed:     {Name: "is named", Weight: 1.01, Sign: 1},
	sQualified: {Name: "is named in full", Weight: .42, Sign: 1},
	sTitle:     {Name: "called like the title", Weight: .59, Sign: 1},
	sText:      {Name: "called like the text", Weight: .65, Sign: 1},
	sInTrace:   {Name: "line is named", Weight: .48, Sign: 1},
	sType:      {Name: "is a type", Weight: -.51},
	sShort:     {Name: "is short", Weight: -1.42},
	sFile:      {Name: "its file", Weight: .75, Sign: 1},
}

// roleWeights are what the score of a file is multiplied with.
var roleWeights = map[Kind]map[source.Role]float64{
	Bug:      {source.Code: 1, source.Test: .4, source.Example: .4, source.Vendored: .4, source.Doc: .4, source.Other: .4},
	Feature:  {source.Code: 1, source.Test: .4, source.Example: .4, source.Vendored: .4, source.Doc: .5, source.Other: .4},
	Question: {source.Code: .7, source.Test: .4, source.Example: .7, source.Vendored: .3, source.Doc: 1.2, source.Other: .5},
}
