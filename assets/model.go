package assets

import _ "embed" // the table

//go:embed model/table.bin
var embedding []byte

// Embedding is the table of the default embedding model, as service/embed reads it. assets/model/SOURCES.md says what it was made
// of. It must not be changed.
func Embedding() []byte { return embedding }
