package gitsync

import "bytes"

// verdict says which of two versions of a log file counts.
type verdict int

const (
	keep    verdict = iota // what is known holds all that the remote has
	take                   // the remote's version goes on from what is known
	strange                // neither: the remote's version is not the same log
)

// judge compares what is known of a log file with the remote's version. A log only grows by whole lines at its end, so one
// of them begins with the other.
func judge(known, remote []byte) verdict {
	switch {
	case bytes.HasPrefix(known, remote):
		return keep
	case bytes.HasPrefix(remote, known):
		return take
	}
	return strange
}

// The reasons for which another machine's log is set aside.
const (
	reasonStrange = "it does not go on from what is known of this log: a line was changed, taken out or put in between"
	reasonTorn    = "its last line has no end"
	reasonLarge   = "it is larger than 10 MB, which no log of Dormouse gets"
	reasonLink    = "it is not a plain file"
)

// maxLog is the largest log file that is taken, in bytes. Logs go on in a new file before they reach it.
const maxLog = 10 << 20

// torn reports whether a log's last line is incomplete.
func torn(log []byte) bool { return len(log) > 0 && log[len(log)-1] != '\n' }
