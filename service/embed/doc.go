// Package embed turns texts into vectors of unit length, so that texts that mean the same lie near each other also where they
// share no word. A Table is the default: it knows a vector for each of some ten thousand words and for pieces of words, and a
// text's vector is the direction of their sum. Remote asks an embedding model of the person's own.
//
// Words are cut as programmers write them: getUserName, get_user_name and "get user name" have one vector.
//
// It never keeps or logs a text, a vector or a key, and never sends a text anywhere but to the endpoint that the settings name (and
// where that one redirects to). A Table needs no network at all, and gives the same bits on every processor.
package embed

import "context"

// Embedder gives one vector a text, in the order of the texts. A vector has the length 1, or is all zero where nothing in its
// text is known. It is safe for use by several goroutines at once.
type Embedder func(ctx context.Context, texts []string) ([][]float32, error)

// Model is an embedder with what must be known to keep its vectors: those of models with different names cannot be compared.
type Model struct {
	Name string // for example "dormouse-static-1b2c3d4e" or "ollama/nomic-embed-text"
	Dims int    // numbers a vector
	// Remote says that texts go to an endpoint: asking may take long, and may fail.
	Remote bool
	// Embed is for the texts that are searched, Query for those that ask. They differ for models alone that want texts marked.
	Embed, Query Embedder
	// Known is the share of a text's words that the model knows, 0 to 1; nil where that cannot be told.
	Known func(text string) float64
}
