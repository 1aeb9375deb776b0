package pager

import (
	"encoding/json"
	"time"
)

// Kind is what a block is in the conversation.
type Kind uint8

// The kinds of blocks. A block that a provider has and that is none of these is Other: it is counted and never changed.
const (
	Other Kind = iota
	Text
	Call   // of a tool, by the assistant
	Result // of a call
)

// Block is one part of a message.
type Block struct {
	Kind   Kind
	ID     string          // of a call, and of the call that a result belongs to; unique in a conversation
	Tool   string          // of a call: the tool's name
	Input  json.RawMessage // of a call: its arguments as they were sent
	Text   string          // of a text or a result
	Failed bool            // a result that reports a failure
	Fixed  bool            // never changed, whatever it is
	Memory bool            // a call of the memory's own tools or its result, which the client does not know of; see RestoreTool
}

// Message is what one side said at once.
type Message struct {
	User   bool // by the user's side, which also brings the results of tools; else by the assistant
	Time   time.Time
	Blocks []Block
}

// Level is how much of a block is shown.
type Level uint8

// The levels of fidelity, from all to nothing but a line that says what was there.
const (
	Full     Level = iota // L0: every byte
	Detailed              // L1: a summary with details
	Compact               // L2: a short summary
	Stub                  // L3: what it was, and how it comes back
	Evicted               // L4: not even that
)

// String is the level's name as it is shown: L0 to L4.
func (l Level) String() string { return string([]byte{'L', '0' + byte(l)}) }

// Edit is a block's form from a request on.
type Edit struct {
	Block int // in the order in which blocks were added, from 0
	Level Level
	Text  string // in place of a result's text, or of a call's arguments (then a JSON object)
}
