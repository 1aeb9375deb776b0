package api

import (
	"net/url"
	"strconv"
)

// Sync is how the exchange with other machines goes.
type Sync struct {
	Remote   string `json:"remote"`   // as the person gave it, without a password; empty when sync is off
	LastOK   int64  `json:"last_ok"`  // of the last exchange that went well
	Failed   int    `json:"failed"`   // exchanges in a row
	Failure  string `json:"failure"`  // of the last one, with its remedy
	Machines int    `json:"machines"` // whose logs are known, this one among them
	// Aside counts logs of other machines on the remote that were not taken; the status's problems say why.
	Aside int `json:"aside"`
	// AsideWhy says of each of them why.
	AsideWhy []string `json:"aside_why,omitempty"`
	// State is one of the words below.
	State string `json:"state"`
	// ToSend counts entries of this machine's log that the remote does not have; ToReceive those of others that it was seen to have
	// and that are not taken in.
	ToSend    int `json:"to_send"`
	ToReceive int `json:"to_receive"`
	// OfflineSince is when the remote was first not there, if it still is not.
	OfflineSince int64 `json:"offline_since,omitempty"`
	// Encrypted says that the remote cannot read what it holds.
	Encrypted bool `json:"encrypted"`
	// Readers says who can read what the remote holds.
	Readers string `json:"readers,omitempty"`
}

// The states of the exchange.
const (
	SyncOff     = "off"     // no remote is set
	SyncWaiting = "waiting" // there was no exchange since the service began
	SyncInStep  = "in step"
	SyncBehind  = "behind"  // there is something to send or to receive
	SyncOffline = "offline" // the remote is not there; that is no failure
	SyncStuck   = "stuck"   // it fails, because of Failure
)

// Synced is what one exchange did.
type Synced struct {
	Sync     Sync `json:"sync"`
	Received int  `json:"received"` // decisions and runs of other machines that are new here
	Sent     bool `json:"sent"`     // something was pushed
	// Found is what the remote held when it was set up: nothing, memory; empty for other exchanges.
	Found string `json:"found,omitempty"`
}

// What a remote holds.
const (
	FoundNothing = "nothing"
	FoundMemory  = "memory"
)

// SyncChoice is a choice of the remote.
type SyncChoice struct {
	URL string // empty forgets it
	// Restore puts what this machine knows onto a remote that was rewound, emptied or replaced, or that holds another log of this machine.
	Restore bool
	// Know takes also a remote that everybody can read, and one that holds a project's code.
	Know bool
	// Trust is the fingerprint of the ssh host's key that the person has compared.
	Trust string
	// Encrypt uses an empty remote encrypted; Code is what another machine shows to let this one into an encrypted memory.
	Encrypt bool
	Code    string
}

// Values is the choice as a query.
func (c SyncChoice) Values() url.Values {
	v := url.Values{"url": {c.URL}}
	for name, on := range map[string]bool{"restore": c.Restore, "know": c.Know, "encrypt": c.Encrypt} {
		if on {
			v.Set(name, strconv.FormatBool(on))
		}
	}
	for name, text := range map[string]string{"trust": c.Trust, "code": c.Code} {
		if text != "" {
			v.Set(name, text)
		}
	}
	return v
}

// TokenHeader carries the token of a login.
const TokenHeader = "Dormouse-Token"
