package index

import "encoding/binary"

// FormatVersion is the version of how this package writes everything but vectors. An index of another version is thrown away, so a
// change keeps the reader of the version before. What does not need another version of it has one of its own: terms are made anew of the
// documents that are there, which answer as they are meanwhile, and vectors while the text answers.
//
//	1  segments of term blocks
//	2  names of documents
//	3  long lists of postings are cut into stretches; the segments of a 2 are read as they are and written anew in the background
const FormatVersion = 3

// oldestVersion is the oldest that is read.
const oldestVersion = 2

// termsVersion is the version of the rules that make terms of text, those of package words and the weights of fields.
const termsVersion = 3

// vectorCoding is the version of how vectors and their codes are written. 0 is the first.
const vectorCoding = 0

// The first byte of a key says what it holds.
const (
	keyManifest = 'M' // the list of segments
	keyID       = 'i' // i<document id>: number and digest
	keyRecord   = 'd' // d<number>: the document for display
	keyHot      = 'h' // h<number>: terms and columns of a document that no segment holds yet
	keySegment  = 's' // s<segment><part><n>
	keyDead     = 'x' // x<segment>: numbers within the segment of its dead documents
	keyArea     = 'k' // k<area>\0<key>
	keyVectors  = 'v' // v<generation><n>: the vectors of 16 numbers from 16n on
	keyCodes    = 'w' // w<generation><n>: their codes, of 256 numbers from 256n on
)

// The parts of a segment.
const (
	partBlock   = 'b' // terms with their postings
	partColumns = 'c' // what is known of each document
	partFacets  = 'f' // bitmaps of documents by facet
	partFirst   = 't' // the first term of each block
)

func manifestKey() []byte { return []byte{keyManifest} }

func idKey(id string) []byte { return append([]byte{keyID}, id...) }

func numKey(kind byte, num uint32) []byte {
	return binary.BigEndian.AppendUint32([]byte{kind}, num)
}

func segmentKey(seg uint32, part byte, n int) []byte {
	return binary.BigEndian.AppendUint32(append(numKey(keySegment, seg), part), uint32(n))
}

func vecKey(kind byte, gen, n uint32) []byte {
	return binary.BigEndian.AppendUint32(numKey(kind, gen), n)
}

func areaKey(area, key string) []byte {
	return append(append(append([]byte{keyArea}, area...), 0), key...)
}
