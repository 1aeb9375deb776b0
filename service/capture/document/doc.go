// Package document reads agents' files that hold one session and are written anew whenever it changes.
//
// A file is read piece by piece, so that its size does not matter for the memory that it takes. One that ends too early is being
// written and is an error, to be tried again.
//
// It knows no agent's format and never writes.
package document
