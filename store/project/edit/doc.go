// Package edit turns the tool calls of a session into changes of files: what a call says that it changed, that change carried
// out on a known content, and taken back from one.
//
// A change is told in up to three ways: the whole new content, pieces of text that were replaced, and hunks of a diff. Where
// there are two, one is held against the other, and a result is given only where all of them fit: a content that this
// package gives is what the change made of the other one, byte for byte.
//
// It is pure. It never does I/O and never guesses: what does not fit is "not known".
package edit
