package main

import (
	"bytes"
	"cmp"
	"os"
	"regexp"
	"strconv"

	"dormouse/service/osservice"
)

// whyFailed is why a service has failed: what its log says last, where that is an error, else what the system knows.
func (s *hosted) whyFailed(known osservice.Status) string {
	data, err := os.ReadFile(s.home.Log())
	if err != nil {
		return known.Detail
	}
	return cmp.Or(lastError(data[max(0, len(data)-tailBytes):]), known.Detail)
}

// loggedError is the cause in a line of the log.
var loggedError = regexp.MustCompile(` error=("(?:[^"\\]|\\.)*"|\S+)`)

// lastError is the cause in the newest error of a log; empty where a service has begun after it.
func lastError(log []byte) string {
	lines := bytes.Split(log, []byte("\n"))
	for i := len(lines) - 1; i >= 0; i-- {
		switch {
		case bytes.Contains(lines[i], []byte(`level=INFO msg="the service starts"`)):
			return ""
		case bytes.Contains(lines[i], []byte(" level=ERROR ")):
			m := loggedError.FindSubmatch(lines[i])
			if m == nil {
				return ""
			}
			if plain, err := strconv.Unquote(string(m[1])); err == nil {
				return plain
			}
			return string(m[1])
		}
	}
	return ""
}
