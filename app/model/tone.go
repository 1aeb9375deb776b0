package model

// Tone says how a thing is to be taken. The view gives each a colour and a sign of its own, so that colour is never all that
// tells them apart.
type Tone int

// The tones.
const (
	Plain  Tone = iota
	Good        // all is well
	Busy        // something is going on
	Asleep      // learning
	Warn        // somebody should look
	Bad         // it failed
	Off         // not in use
)

// Fact is one labelled line.
type Fact struct {
	Label, Text string
	Tone        Tone
}

// Notice tells what came of something that the person did.
type Notice struct {
	Text string
	Tone Tone
}

// Empty is what a page shows where there is nothing yet: what is missing and what brings it.
type Empty struct{ Title, Text string }

// Choice is one entry of a chooser. ID is handed back when it is chosen.
type Choice struct{ ID, Label string }
