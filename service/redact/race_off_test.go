//go:build !race

package redact

// slowdown is how much smaller the longest tests are made: not at all.
const slowdown = 1
