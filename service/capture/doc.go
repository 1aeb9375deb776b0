// Package capture keeps a copy of every session of the agents on this machine: it finds their transcript files, follows them
// while they grow, and appends what they say to the session store as nodes, with secrets taken out.
//
// # An agent is one row
//
// What is particular to an agent lies in a package of its own below this one, and in one row of [Table]. The engine knows
// files, lines and nodes.
//
// # What holds
//
//   - A cursor is stored only after the nodes that it stands for are durable. A crash repeats work; ids come from the
//     transcript, so a repeat changes nothing.
//   - A node that could not be redacted is not written.
//   - One bad file, folder or session never stops the others: it is a [Problem], tried again later and later.
//   - A transcript that is deleted or rewritten changes nothing of what was captured.
//   - What Dormouse itself says to a model is never captured.
//
// The package never writes to an agent's files, never decides what is worth remembering, and never logs what they say.
package capture
