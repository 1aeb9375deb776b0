// Package transcript is the contract between the watcher and the parsers of the agents' transcript files, and what those
// parsers share: a line reader over files that are still being written, JSON objects out of damaged lines, counted skips,
// clipping of long texts, images and their fingerprints, wrappers that agents put around the person's words.
//
// The three rules of reading:
//
//   - A line is read when it is complete. A torn last line waits until its end has arrived, and is read without it if it is
//     already one whole JSON object.
//   - Nothing is dropped silently. What cannot be used is a [Skip] with file, line, reason and size.
//   - Memory is bounded. No line longer than a limit is ever loaded, however long the file is.
//
// It never opens, writes or watches a file, never decides where a node is stored, and knows no agent's format.
package transcript
