//go:build race

package redact

// slowdown is how much smaller the longest tests are made, because the race detector makes them many times slower.
const slowdown = 4
