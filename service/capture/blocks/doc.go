// Package blocks reads the contents of messages in the shapes that the model providers' interfaces gave them, which many agents
// store as they are: blocks as Anthropic's, parts as Google's. What a block holds becomes text, thoughts, images by fingerprint,
// calls and results.
//
// It never decides who wrote a message, and keeps no state.
package blocks
