// Package gemini reads the chats of Gemini CLI: files of JSON lines in which a later line may replace a message or take some back,
// and the documents that older versions wrote anew with each message.
//
// What it makes of them:
//
//   - A message is what its newest line says when the next message comes. A message that is replaced after that is a node beside
//     the first one. Ids hold the text, so a chat that was moved from a document into lines gives nothing twice.
//   - Calls and results stand in the message that made them.
//   - A line that takes messages back is a fork: both branches stay.
//   - A sub-agent's file is a branch that hangs on the call which names it.
//
// It never reads a project's files, nor what the client keeps beside its chats except for the folder that they are about.
package gemini
