// Package mcptools is what agents ask the memory with: an MCP server whose tools and resources are answered by the running service
// over the local API. It speaks over standard input and output, or over HTTP.
//
// Every answer is data about the past: it begins with the mark by which capture knows it again, says where each item comes from and
// how to open it, and keeps within the bytes that were asked for. An agent sees what is global, what belongs to the project that it
// works in, and its own; where it is not sure which project that is, it is asked.
//
// It never opens the state folder, never starts a service, never decides anything about the memory, and never lets an answer
// of one project out to another.
package mcptools
