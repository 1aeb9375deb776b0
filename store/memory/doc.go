// Package memory holds the domain of Dormouse: the shapes of sessions, nodes, records and decisions, and the pure rules
// over them (ids, scopes, trust, claim keys, canonical JSON, the fold from decisions to records).
//
// It imports the standard library alone and never does I/O, never reads a clock, and never draws random numbers, so that
// the same input gives the same bytes on every machine.
//
// All times are Unix seconds, UTC. An event time that is unknown is nil, never the time of ingestion.
package memory
