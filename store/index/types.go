package index

import (
	"dormouse/store/memory"
)

// Kind says what a document stands for.
type Kind string

// The kinds of document.
const (
	KindEvent  Kind = "event"
	KindEntity Kind = "entity"
	KindFact   Kind = "fact"
	KindTurn   Kind = "turn" // a piece of a raw turn
	// KindSegment is the summary of some turns, KindTagSummary that of all turns of a tag.
	KindSegment    Kind = "segment"
	KindTagSummary Kind = "tag_summary"
)

// Doc is one document: what it is, where it leads, and the text by which it is found. The text is kept for display.
type Doc struct {
	ID      string // unique; putting an id again replaces the document
	Kind    Kind
	Scope   memory.Scope // must be valid
	Project string
	Session string
	Turn    int
	Nodes   []string
	Time    int64 // Unix seconds; 0 where unknown
	// Superseded documents are shown only to those who ask for them.
	Superseded bool
	// Label and Trust are shown with the document and not searched: the event's kind, the entity's type; who stands behind it.
	Label string
	Trust memory.Trust
	Title string // counts twice
	Body  string
	Path  string // paths and names, divided by spaces
	// Names are what the document may be called, each a whole name; shown with the document and not searched.
	Names []string
}

// Query asks for documents.
type Query struct {
	Text string
	// Vector is the query's vector, of the model whose vectors the index holds: Index.Embed makes it. nil asks for the text alone.
	Vector []float32
	// View is what the reader may see; the zero View sees global documents alone.
	View memory.View
	// Kinds, Projects and Sessions keep documents of the named ones alone; empty keeps all.
	Kinds    []Kind
	Projects []string
	Sessions []string
	// IDs keeps the documents with these ids alone; nil keeps all, an empty list none.
	IDs []string
	// Also are ids of documents that come as hits, with their scores, though neither side may find them; what the filters keep out they keep
	// out of these too.
	Also []string
	// Since and Until (exclusive) bound the time in Unix seconds; 0 is no bound. Documents without a time are outside of any.
	Since, Until int64
	// Superseded lets superseded documents in.
	Superseded bool
	// Limit is the most hits that are returned; 0 means 10, more than 1,000 means 1,000.
	Limit int
}

// Hit is one answer.
type Hit struct {
	Doc    Doc
	Score  float64 // BM25; comparable within one answer only; 0 where no word of the query is in it
	Words  uint64  // which of the answer's Words it has: the lowest bit is the first
	Cosine float64 // with the query's vector; 0 where either has none
	// HasVector says that the document has a vector and the query too.
	HasVector bool
}

// Answer is what both sides of the index know of a query.
type Answer struct {
	// Hits are the best documents by BM25 and the best by cosine, as many of each as the query's limit says, each once, with both
	// scores: first those of the text, best first, then those that the vectors add, nearest first, then those of Also.
	Hits []Hit
	// Text and Cosine describe the scores of all that could have been a hit: by which a score is seen to be high.
	Text   Spread // of the documents that hold a word of the query; estimated from a part of them where they are many
	Cosine Spread // of the documents that have a vector; estimated from a part of them where they are many
	// Words are the terms of the query that were looked for, the rarest first; a term that no document has that the query may find is not
	// among them.
	Words []Word
	// Rarest is the weight of a term that no document has, Once that of one that one document has. Docs is how many documents the weights
	// are of: those that the query may find, or all where these are nearly all.
	Rarest, Once float64
	Docs         int
}

// Word is a term of a query.
type Word struct {
	Term   string
	Docs   int     // documents that have it, of those that the query may find, or of all where these are nearly all
	Weight float64 // its idf, of a word that is several terms a part of it: those that some document has share it
}

// Spread describes a set of numbers.
type Spread struct {
	N    int     // how many there are
	Mean float64 // 0 of none
	Dev  float64 // their standard deviation; 0 of fewer than two
}

// Stats describes the index.
type Stats struct {
	Docs     int   // live documents
	Dead     int   // deleted ones that still take room
	Hot      int   // live documents that are not yet in a segment
	Segments int   // on disk
	Bytes    int64 // that its files take on the disk
	Outdated int   // live documents whose terms other rules made, until Refresh made them anew
	// Refreshing says that Refresh has not ended since the rules changed.
	Refreshing bool
	Vectors    VectorStats
}

// VectorStats describes the vectors of the index.
type VectorStats struct {
	Model   string // whose vectors are searched; empty where there are none
	Docs    int    // live documents whose vector is made
	Waiting int    // live documents whose vector is not made yet
	// NextModel is the model whose vectors are being made to take the place of these; empty where none are.
	NextModel   string
	NextDocs    int
	NextWaiting int
	Error       string // why vectors could not be made the last time; empty where they could
}
