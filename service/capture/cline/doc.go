// Package cline reads the tasks of Cline, and of Roo Code and Kilo Code, which grew out of it: folders of JSON documents that are
// written anew with every message. Sessions of Cline's newer store, which are documents too, are read as well.
//
// What it makes of them:
//
//   - A message is known by its task, its time and its content, so that the same one is the same node however often the list around
//     it was rewritten. Where the agent condensed the list, what was read before stays.
//   - Calls are blocks, or in older tasks tags in the text; there a result answers by the tool's name. What the model says by a
//     tool that only speaks (a question, a completion) is text.
//   - The person's words are what stands in the tags of tasks, answers and feedback, or what the list of shown messages says was
//     typed; the rest under the role of the user is the client's.
//   - Tokens stand in the list of shown messages, and are given to the message that they were spent for.
//   - A task whose conversation is gone, for a day at least, is told from the list of shown messages, where results are missing.
//   - A task that another one started is a branch that hangs on the call.
//
// Samples of Kilo Code were not at hand: it is read as Roo Code, whose layout it had until it moved to a database.
// It never reads checkpoints, which are git repositories of the agents' own.
package cline
