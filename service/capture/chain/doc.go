// Package chain builds the nodes of a session for the adapters whose agents keep whole messages: an adapter reads the agent's
// records and says what was asked, said, called and answered; the chain knows what hangs on what, what is final, and what was
// handed over before.
//
//   - A message is held until [Session.Close] or the next record closes it, a call until its result came.
//   - A node that was handed over is never changed. A result that comes after its call was given up is a node of its own.
//   - Nodes of equal ids are one: a file that repeats what another says only moves the end of the chain.
//   - The nodes of a sub-agent that the transcript names before the call that started it wait for that call.
//
// It never reads a file, knows no agent's format, and never decides what a record means.
package chain
