// Package inject knows how memory gets into an agent's session through its hooks: at which events an agent takes a text, in which form, and
// whether a session is to be told again.
//
// It never reads a memory, a file or a setting, and never decides what is told.
package inject
