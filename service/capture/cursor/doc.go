// Package cursor reads the sessions of Cursor: the databases state.vscdb of its editor, the databases store.db of its command line,
// and the transcripts that both write beside them.
//
// What they hold, and what becomes of it:
//
//   - In state.vscdb a conversation is a document with the order of its bubbles, and each bubble is a document of its own: the
//     person's words, a text of the model, a thought, or a call with its result. Nodes are named by the ids of the bubbles.
//     Early versions kept the bubbles inside the conversation, in the database of the workspace.
//   - store.db is a tree of blobs that are named by their hashes; the newest root names all messages in order.
//   - Transcripts are lines without ids, times or tokens, and mostly without results; a node is named by its text and how often that
//     was met. Sub-agents have files of their own.
//   - One session may be in all of them. Their ids have nothing in common, so it is read from one alone: the editor's database
//     before the command line's, and transcripts last.
//   - The person's words stand between <user_query> tags; what is around them comes from the client.
//
// At hand were transcripts, and one database of a workspace from 2024. Bubbles in a database of their own, and store.db, are built
// from public descriptions of the formats; the same holds for summaries and sub-agents in them.
//
// Databases of many gigabytes are never read as a whole. Nothing is ever written.
package cursor
