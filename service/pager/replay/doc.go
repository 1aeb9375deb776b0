// Package replay runs recorded sessions through a policy of what each request carries, and counts what it saves, what it costs
// and what was missing later. Any recorded session is a test: the calls that the model really made show what it needed.
//
// A request is everything since the last compaction before an assistant's message; a prompt cache holds what is equal to the
// beginning of the request before, for five minutes. Cached bytes cost a tenth, new ones one and a quarter of a byte's price.
// Four kinds of faults are counted: a file read again whose earlier copy was shortened (F1); the same thing fetched again while no
// newer copy was there, with half of its lines unchanged (F2); an edit that quotes a line which only a shortened block holds (F3); a
// path, long name or hash in a call that only a shortened block holds (F4). For F3 the request is counted once more, with
// what was brought back. Sizes are bytes of UTF-8; neither the system prompt nor the definitions of tools are counted.
//
// It never calls a model or a network, and changes no recording.
package replay
