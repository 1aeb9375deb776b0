// Package aider reads the chat histories of Aider: one Markdown file in each repository, to which every run is appended.
//
// What it makes of them:
//
//   - Each run is a session of its own; it is known by the folder's name and by when it started.
//   - Lines behind #### are the person's, lines behind > are the client's, the rest is the model's. The client ends its own lines with
//     two spaces; where it does, headings and quotations of the model are not taken for the person's words or the client's.
//   - An edit that the client says it applied is a call, with what the model's message searched and replaced in that file.
//   - The client tells tokens in rounded numbers; they are kept as that.
//
// A history says when a run started and nothing later: all nodes have that time, read in this machine's time zone. A history that the
// settings moved elsewhere is not found. It never reads the history of inputs, nor that of the provider's messages.
package aider
