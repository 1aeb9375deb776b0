// Package codex reads the rollouts of Codex: sessions/YYYY/MM/DD/rollout-<time>-<thread>.jsonl below its home folder, and
// archived_sessions.
//
// What a rollout is made of, and what becomes of it:
//
//   - What went to and from the model (response items) and what the client showed (events) stand side by side and say much
//     twice. Messages, calls and results are taken from the items; which text came from the person is taken from the events.
//   - Records have no ids of their own. A node is named by its turn (else its thread), what it is, and the call id or the hash
//     of its text, so that a fork that replays the records of its parent gives the same nodes.
//   - A response of the model is thoughts, messages and calls. Thoughts go with what they led to; the tokens of the response
//     go with its first part.
//   - In code mode one call is a script that runs commands and patches; they are listed from its source.
//   - An undo drops the last turns: what follows hangs on what was before them, and the dropped turns stay as a branch.
//   - A thread may be spread over several files, each going on from a place in an earlier one.
//
// It never opens a file, never runs a script, and keeps of an image only its kind, size and hash.
package codex
