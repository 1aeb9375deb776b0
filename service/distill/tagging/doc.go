// Package tagging gives turns of sessions their tags by rules, keeps the vocabulary small, and says when a tag covers too much.
//
// It is pure: it never reads or writes the memory, never calls a model, and never joins two tags because they are merely spelt
// alike.
package tagging
