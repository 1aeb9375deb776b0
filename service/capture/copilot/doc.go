// Package copilot reads the event logs of GitHub Copilot CLI: files of JSON lines, one event each, to which a session that is
// resumed goes on to write.
//
// What it makes of them:
//
//   - The person's words are what the event of a prompt says was typed; what the client put around them is a node before it.
//   - A call is made by the message that asks for it, or by the event that starts it, and answered by the event that ends it.
//   - Events of a sub-agent form a branch that hangs on the call which started it.
//   - A rewind is a fork: both branches stay.
//
// The client tells of a message's output tokens alone; input tokens stand nowhere but in sums over a run, and are not kept.
// It never reads the database beside the logs, which is made from them, nor the files of a session's folder.
package copilot
