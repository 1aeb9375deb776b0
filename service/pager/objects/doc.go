// Package objects is the typed view over a conversation: which of its blocks make one thing (a file's content, a tool's result, an
// error, a plan, a decision, a stretch of debugging, a part of the talk, something from outside), how these things are related, and
// which of them are not worth storing. It reads what a client sends to its provider and what capture kept of a session alike.
//
// Objects are cut by rules; where the topic shifts is told by an embedder that is handed in. They are made as messages are added, the
// same messages give the same objects, and an object's id is made of what it begins with, so that it is found again after a restart.
//
// It is pure: no clock, file, network or model. It never holds a second copy of what was said and never changes a block: every byte
// of a conversation belongs to exactly one object or is counted as left out, with the reason.
package objects
