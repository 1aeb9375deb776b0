// Command train makes the embedding table of the program anew, assets/model/table.bin, with the list of what it was made of,
// assets/model/SOURCES.md:
//
//	go run ./assets/model/train
//
// It reads open text that package managers bring: WordNet from Debian, the comments and documentation of Go's standard library
// and of the Go modules that Dormouse is built of, and the documentation of npm packages that its tests use, each only under a
// permissive licence. From it come pairs of texts that mean the same: a comment and its function, a heading and its section, a
// word and its gloss. Vectors of words are turned until the texts of a pair lie nearer to each other than to those of other pairs
// (contrastive loss). Equal texts, options and kind of processor give equal bytes.
//
// It never becomes part of the program, never reads the person's own files, and takes no text that has no licence beside it.
package main
