// Package index is the search index of the memory: a text index over distilled records and raw turns, and small areas of
// keys and values for cursors, in one Badger database below the state folder's index/.
//
// # What it answers
//
// Search ranks documents by BM25 (Robertson and Zaragoza 2009, in the form that Lucene gives the idf) among those that the
// reader's View may see. The filter lies below the ranking: a document outside the view is never scored, counted among
// the best, or read. Document frequencies and the mean length are exact numbers over the live documents that the query may
// find (over all, where these are nearly all), so an answer depends on what is indexed and on nothing else: not on the order
// of insertion, not on how the index is cut into segments, not on whether it was rebuilt.
//
// # How it is laid out
//
// A document gets a number that it keeps. New documents go to the hot segment, in memory with a copy of their terms in the
// database, which is read again at the next start. A full hot segment is frozen and written as an immutable segment of blocks of
// terms with their postings, long lists of which say what parts of them are worth at most, so that a query for frequent words reads few
// of them; neighbouring segments of like size are merged behind the writer's back. Deleting or replacing
// a document marks its number as dead in its segment; merging leaves the dead out. The manifest, one key, says which
// segments there are, and is the commit point of every change to them: what a crash leaves half-written is unknown to the
// manifest and is removed by the next Open.
//
// # Vectors
//
// Beside its terms a document may have a vector, made by an embedder that is handed in. Answer gives the best of both sides below
// one filter, each with both scores. Vectors are stored under the numbers of their documents, as one byte a number, and their
// signs as one bit a number in memory: a query compares bits, then estimates, then measures the few that are left. A vector that
// could not be made waits, while its document is found by its words; MakeVectors makes it. Vectors of another model are made beside
// those that serve, and take over when they are whole.
//
// # When it rests
//
// Where Options.RestAfter says so, the database is closed when nobody used it for a while, since an open one keeps a processor awake, and
// opened again by the next use. What is kept in memory stays.
//
// # What it never is
//
// It is never the only place of anything: every byte can be made again from the sessions and the logs, so Open throws a
// broken or outdated index away and tells its caller to fill it again. It never decides what a document says, and it never
// shows a document without a valid scope, because it takes none.
package index
