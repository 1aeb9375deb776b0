// Package claudecode reads the transcripts of Claude Code: projects/<folder>/<session>.jsonl below its configuration folder,
// and the files of the session's sub-agents.
//
// What a transcript is made of, and what becomes of it:
//
//   - One message of the model is several lines with the same message id, one block a line. They become one assistant node;
//     its calls become tool nodes that hang on it one after the other. Parallel calls look like forks in the transcript and
//     are none.
//   - Records name their parent. What is not a message (progress, attachments, notices) is walked through.
//   - A compaction starts a new root; the summary that follows hangs on the last message before it.
//   - Where the client took results of calls out of the context, its notice becomes a node that names the calls.
//   - Sub-agents have chains of their own, inside the main file or in files beside it or below it. Copies of their messages
//     in progress records are not read.
//   - A user record is a prompt, the result of a call, or text of the client under the user's name.
//   - A record that was seen before (a fork copies its records, a file is read again) is not a second one.
//
// It never opens a file, and it keeps of an image only its kind, size and hash.
package claudecode
