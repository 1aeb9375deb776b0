// Package qwen reads the chats of Qwen Code: files of JSON lines whose records form a tree by their ids, with contents as the
// Gemini interface writes them. The chats of older versions are documents in the layout of Gemini CLI and are read as those are.
//
// What it makes of them:
//
//   - A record of the model is a message with its calls; the record of a result answers them. Records of one id are parts of one
//     message; each is a node, and its tokens count once.
//   - Records of the client are no nodes, but hold the tree together: what hangs on them hangs on what is before them.
//   - A rewind, and any record whose parent has another child already, is a fork: both branches stay.
//
// It never reads the telemetry beside the chats, except for how long a call ran.
package qwen
