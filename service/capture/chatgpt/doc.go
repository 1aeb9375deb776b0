// Package chatgpt reads the data export of ChatGPT: the conversations of an account, each a tree of messages.
//
// What it makes of them:
//
//   - Each message hangs on the one that the export says. An edited prompt and an answer that was asked for again are forks; the branch
//     that was shown last is the session's head.
//   - A message to a tool is a call, and the tool's next message its result; further ones are nodes of their own.
//   - Instructions and what was hidden from the person are the client's, not the person's. Thoughts are kept as such.
//   - Files and images are named, not held: the export keeps them beside the conversations, where its images are found by the ids that
//     messages point to.
//
// Sources: the samples beside the tests, and the shapes that the export's users describe. It is used by imports alone and
// never looks for anything in the home folder.
package chatgpt
