// Package tagging says by rules what turns of sessions may be tagged with, finds the names of tags in texts, and says when a tag covers
// too much.
//
// It is pure: it never reads or writes the memory, never calls a model, and never joins two tags because they are merely spelt
// alike.
package tagging
