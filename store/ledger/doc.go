// Package ledger keeps the one truth of the virtual layer: an append-only log of decisions and runs for each machine, and
// the state that all logs add up to. It renders the published files (timeline, graph) from that state.
//
// A machine appends to its own log alone, so that joining two machines is the union of their files. Each line names the
// hash of the line before it. The hash is made over the line's fixed fields and a salted digest of its body, so that a
// body can be erased while the chain stays valid.
//
// The package never changes or removes a line that was written, except that Erase, and Open and Reload after it, take away the
// bodies that an erase decision names. It never decides anything, and never orders by a clock.
package ledger
