// Package opencode reads the sessions of opencode, and of Kilo Code since it is built on it: the tree of JSON files of early versions, the database opencode.db of the later
// ones in both of its forms, and the files that `opencode export` writes.
//
// What they hold, and what becomes of it:
//
//   - A session is messages, and a message is parts: texts, thoughts, calls with their results. All of them are rewritten while
//     the model speaks. A message counts when it is complete, or when another one follows.
//   - Nodes are named by the agent's ids of message and call, which are the same in tree, database and export.
//   - A session with a parent is a sub-agent's: it is a branch of the session that started it, called by the call which names it.
//     Where the parent is not in the store, its nodes are kept under the parent's id all the same.
//   - Texts marked as synthetic were put there by the client.
//   - A message marked as a summary is a compaction.
//   - What the person took back is removed from the store at the next prompt; what follows then hangs on what was before it.
//
// The second form of the database is read as it is described in public notes; no real file of it was at hand, and its test data
// are made from those. The same holds for forks in it.
//
// No store of Kilo Code was at hand either: its source says where it lies and that it has opencode's tables.
//
// The tables with accounts and credentials are never read. Nothing is ever written.
package opencode
