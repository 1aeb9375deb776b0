package osservice

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

// Program is what the system starts.
type Program struct {
	// Name is the entry's name: "dormouse" gives dormouse.service, app.dormouse.plist, dormouse.desktop.
	Name  string
	Title string // for people
	Exe   string // absolute path
	Args  []string
	// Env is what the program gets beside what the system gives it. A user manager does not know a shell's variables.
	Env map[string]string
	// Desktop says that the program needs the screen of the person: it is started with the desktop, and not by systemd,
	// whose user manager is there before one and without one.
	Desktop bool
	// Log is the file that catches what the program says where the system has no journal; empty for none. Its folder must be
	// there.
	Log string
	// Keep is an argument by which the program starts itself again after a failure (see Keeper), where the system does not do
	// that; empty where nobody is to. KeepFile is its Keeper's File.
	Keep, KeepFile string
}

// onceStarted is the command line for a system that starts a program once and does not look after it.
func (p Program) onceStarted() []string {
	words := append([]string{p.Exe}, p.Args...)
	if p.Keep != "" {
		words = append(words, p.Keep)
	}
	return words
}

// check refuses what no entry can carry.
func (p Program) check() error {
	if p.Name == "" || !filepath.IsAbs(p.Exe) {
		return fmt.Errorf("the program to start needs a name and an absolute path, not %q, %q", p.Name, p.Exe)
	}
	if strings.ContainsAny(p.Exe, `"'`) || filepath.Separator == '/' && strings.Contains(p.Exe, `\`) {
		return fmt.Errorf("%q has a quote or backslash in its path, which systemd does not take; move it elsewhere", p.Exe)
	}
	texts := append([]string{p.Name, p.Title, p.Exe, p.Log, p.Keep}, p.Args...)
	for _, k := range slices.Sorted(maps.Keys(p.Env)) {
		texts = append(texts, k, p.Env[k])
	}
	for _, s := range texts {
		if strings.ContainsFunc(s, unicode.IsControl) {
			return fmt.Errorf("%q has a line break or control character, which no entry of the system can carry; rename it", s)
		}
		if strings.Contains(s, "{{") {
			return fmt.Errorf("%q has two opening braces, which the service library takes for its own; rename it", s)
		}
	}
	return nil
}

// ErrNotInstalled says that the system knows no entry for the program.
var ErrNotInstalled = errors.New("it is not installed; install it with: dormouse service install")
