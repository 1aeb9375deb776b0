// Package title names sessions: from the first line of what the person said, or, where a language model is configured, by asking it
// once for a few words.
//
// In order: the person's own title, a model's, the first line of the first message, and where there is none of these, a preview when
// the session is listed. The package never replaces a title of the person or of the agent, never asks twice about one session, and
// brings no language model of its own.
package title
