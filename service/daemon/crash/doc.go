// Package crash holds the tests that drive the service from outside, as a process of its own: killed at any moment, started again and
// again, in any order of sessions, stopped by the system. The service in them is built as people get it, without the race detector, so
// that they can do all this often; what runs at once in it is looked at by the tests of package daemon.
//
// It has no code but tests.
package crash
