package gitcmd

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
)

// Output is what git printed.
type Output struct {
	Stdout []byte
	Cut    bool // there was more than was kept
}

// Line is an output of one line, without its end.
func (o Output) Line() string { return strings.TrimRight(string(o.Stdout), "\r\n") }

// Fields are the parts of an output that was asked for with -z. A part that is cut off is left out.
func (o Output) Fields() []string {
	all := o.Stdout
	if end := bytes.LastIndexByte(all, 0); o.Cut {
		all = all[:max(0, end)]
	}
	text := strings.TrimSuffix(string(all), "\x00")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\x00")
}

// Errors that say more than that git failed.
var (
	ErrNoGit   = errors.New("the git command is not installed; install git and see that it is on the PATH")
	ErrForeign = errors.New("the repository belongs to another user, so its settings are not trusted; if you trust it: git config --global --add safe.directory FOLDER")
	ErrTime    = errors.New("git did not answer in time")

	errFull = errors.New("there is enough output")
)

// Error is a run of git that failed.
type Error struct {
	Command string // "git" and the first argument
	Code    int    // its exit code; -1 where it was ended or never began
	Said    string // its standard error
	cause   error
}

func (e *Error) Error() string {
	if e.Said == "" {
		return fmt.Sprintf("%s: %v", e.Command, e.cause)
	}
	return fmt.Sprintf("%s: %v: %s", e.Command, e.cause, strings.Join(strings.FieldsFunc(e.Said, func(r rune) bool { return r == '\n' || r == '\r' }), "; "))
}

func (e *Error) Unwrap() error { return e.cause }

// Code is the exit code in a failure of git; -1 for any other error.
func Code(err error) int {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return -1
}

// Said is git's standard error in a failure of git; empty for any other error.
func Said(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Said
	}
	return ""
}
