// Package antigravity reads the transcripts of Antigravity CLI (agy): files of JSON lines, one step each.
//
// What it makes of them:
//
//   - The person's words are what stands in the prompt's request; the rest of the prompt is the client's.
//   - Calls have no ids. A step of a tool answers the oldest open call of the newest plan that it fits, and a message of an error
//     the oldest one.
//   - A step is what its newest line says; a running step that is the last one waits.
//   - A checkpoint is a compaction.
//
// The transcript says neither tokens nor model, and the folder only where commands ran or where the list of prompts beside the
// transcripts names the conversation. A sub-agent's conversation does not say who started it and is a session of its own.
// It never reads the database of steps, which is in a format of its own.
package antigravity
