// Package parsertest is what the tests of the agents' adapters share: samples from testdata and from the wide set beside the
// repository where that is there, files that grow in pieces, DAGs as text for golden files, and counts of nodes to compare with
// an oracle's.
//
// It is used by tests alone. It never holds an adapter's code, nor an oracle: each adapter's test has its own.
package parsertest
