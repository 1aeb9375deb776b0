package main

import (
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"dormouse/cmd/internal/text"
	"golang.org/x/term"
)

// Params is what the command line needs of the system it runs on.
type Params struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Env            func(string) string
	// Now gives the time; its location is the zone in which times are shown and read.
	Now func() time.Time
	// Exe is the path of this program; empty if unknown.
	Exe string
	// Dir is the folder that the person stands in; empty if unknown.
	Dir string
	// Width is how many columns a line may take; 0 sets no limit.
	Width int
	// Terminal says that Stdout is a terminal that understands colour.
	Terminal bool
	// Free tells how much room a folder's disk has, in bytes; nil asks the system.
	Free func(dir string) (int64, error)
}

// systemParams is the real system.
func systemParams() Params {
	p := Params{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Env: os.Getenv, Now: time.Now}
	p.Exe, _ = os.Executable()
	p.Dir, _ = os.Getwd() // without it, commands just have no folder to go by
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		p.Width = n
	}
	if fd := int(os.Stdout.Fd()); term.IsTerminal(fd) {
		if w, _, err := term.GetSize(fd); err == nil && w > 0 {
			p.Width = w
		}
		p.Terminal = os.Getenv("TERM") != "dumb" && understandsColour(os.Stdout)
	}
	return p
}

// view is how an answer is to look. It is all that formatting knows of the system.
type view struct {
	text.Style
	now   time.Time
	width int    // 0 for no limit
	user  string // the user's home folder, which is shown as ~; empty if unknown
	full  bool   // fold nothing
	ids   bool   // show the ids of memories
}

func (p Params) view() view {
	user := p.Env("HOME")
	if user == "" {
		user = p.Env("USERPROFILE")
	}
	return view{
		Style: text.Style{On: p.Terminal && p.Env("NO_COLOR") == ""},
		now:   p.Now(), width: p.Width, user: user,
	}
}

// path is a path as people write it, cleaned.
func (v view) path(p string) string {
	p = text.Line(p)
	if v.user == "" {
		return p
	}
	if rest, ok := strings.CutPrefix(p, filepath.Clean(v.user)); ok && (rest == "" || os.IsPathSeparator(rest[0])) {
		return "~" + rest
	}
	return p
}
