// Package goose reads the sessions of Goose: the database sessions.db, and the files of JSON lines that versions before it wrote.
//
// What they hold, and what becomes of it:
//
//   - A message is a list of items: texts, thoughts (one item for each piece as it was streamed), calls, results. Results come in
//     the next message under the role of the user and are no words of the person.
//   - The tokens of a message stand in its metadata; where they do not, the ledger of the session tells when they were spent, and
//     they go to the message that was newest then.
//   - Messages that the model does not see any more were compacted; the message after them that only the model sees is the summary.
//   - A session with a parent is a sub-agent's. Which call started it is not recorded: the calls that start sub-agents and the
//     sessions are matched in the order of their times.
//   - Ids of sessions are dates with a number, so nodes are named by session, message and time together.
//   - The old files became rows of the database with ids of their own; a session that is in both is read from the database.
//
// Compactions, sub-agents and the ledger without metadata are built from the description of the format: the real database that was
// at hand has none. Nothing is ever written.
//
// It never writes to the store, never locks it, and never guesses an id, a time or a count that is not recorded.
package goose
