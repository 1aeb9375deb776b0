// Package amp reads the threads of Amp that lie on this machine: documents that are written anew with each message.
//
// What it makes of them:
//
//   - A message is known by its thread, its number and its text, so that one that was edited is a node beside the first one.
//   - A message that is still being written, and a call that still runs, wait for a later reading.
//   - What a thread says of its folder and its repository stands behind the messages and is read before them.
//
// Newer threads lie on Amp's servers; of them only what the client keeps here is read. It never asks a server.
package amp
