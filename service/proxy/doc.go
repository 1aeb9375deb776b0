// Package proxy stands between an agent and the provider of its model, at the loopback: it passes requests and answers on byte for byte
// (Anthropic's Messages, OpenAI's Chat Completions and Responses, Gemini's generateContent, and every other path of theirs), reads
// from the answers what they took, and has an agent hear of a connection that broke in the way in which its provider tells of errors.
//
// Where that is switched on, it shortens old results on the way, and offers models tools of the memory's own, which it answers itself and
// which the clients never see.
//
// It never stores or logs a key, a prompt or an answer (but for what a model asked the memory), never answers another machine, a page in a
// browser or anybody without a token of its own, and never changes a byte that it does not understand. Switched off, it reads nothing at all.
package proxy
