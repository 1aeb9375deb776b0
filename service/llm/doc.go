// Package llm asks language models: Anthropic's and OpenAI's interfaces, every endpoint that speaks the latter, and the claude
// and codex command lines. A Client tries again where that helps, asks once for a broken answer to be mended, and keeps to
// the caps of tokens and money of a night, which a restart does not reset.
//
// It never keeps or logs a prompt, an answer or a key, never follows a redirect, and never spends beyond a cap: what a call may
// cost at most is written down before it is made.
package llm
