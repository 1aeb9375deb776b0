// Package daemon is the composition root of the service: it builds every part from the settings, runs them side by side,
// and shuts them down in order. The same Run serves the foreground, the operating system's service manager and the tests.
//
// It decides nothing about memory and never talks to a terminal: progress goes to a function that is handed in.
package daemon
