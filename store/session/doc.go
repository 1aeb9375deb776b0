// Package session keeps each session of an agent as a git repository of its own: meta.json, history/ with one file a
// node, and one commit a turn.
//
// # What is true
//
// A node is appended by a [Batch]. It is durable when Batch.Close returns. Nodes of the open turn lie as files in history/,
// which are the write-ahead log; when the turn is over, all files beyond the newest commit become one commit. Git is the truth:
// meta.json is repaired from it when it lags, and a file in history/ that is cut off or does not follow on the others is
// ignored and reported by [Session.Problems].
//
// A commit's id depends on the nodes alone: its tree holds history/ and not meta.json, its author and dates are fixed by the
// nodes. Equal nodes in equal order give equal commits on every machine.
//
// # Hot and cold
//
// A bulk batch streams its turns into one pack and leaves no files in history/; git's index marks them skip-worktree,
// so git status is clean and a checkout brings them back. Turns that are appended live keep their files. [Session.Compact]
// makes a session cold.
//
// The package never changes or removes a node that was written, never looks into what nodes say, and writes to no repository
// but those below its folder.
package session
