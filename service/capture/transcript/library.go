package transcript

import (
	"context"

	"dormouse/store/memory"
)

// Library is a store of whole sessions whose records may be rewritten at any time: a database, a tree of JSON files, a
// document that is written anew with every message, an export. It is therefore read by session and not by line. It is used
// by one goroutine at a time and never writes to the store, nor locks it against the agent. Several of one store may be open.
type Library interface {
	// List calls use with each session. It is cheap: it reads no message. What cannot be listed goes to Options.Skip of Open.
	List(ctx context.Context, use func(Entry) error) error
	// Read hands the nodes of one session to use, parents before children and a sub-agent's among those of the session that
	// started it, and returns what is known of the session. Settle says what is final, as for Parser.Drain: what is not is
	// left out and comes with a later Read. A node has the same id in every Read, however the store was rewritten meanwhile. When the
	// store changes while it is read, Read may begin anew and hand over nodes that it handed over before. It does not need a List.
	Read(ctx context.Context, session string, how Settle, use func(memory.Node) error) (Facts, error)
	Close() error
}

// Entry is one session of a Library.
type Entry struct {
	Session string // the agent's own id
	// Version changes whenever anything changes that Read gives: a time and a count of rows, say, or the times and sizes of files.
	Version string
	Updated int64 // Unix seconds; 0 where unknown
	Bytes   int64 // about how much is to be read, for the progress; 0 where unknown
	// Rank matters where an agent has one session in several libraries. Those of the same rank give their common nodes the same ids, and
	// all of them are read, the newest first. Of different ranks only the highest is read, or the one that the session was captured
	// from before.
	Rank int
}
