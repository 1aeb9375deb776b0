package main

import (
	"os"

	"golang.org/x/sys/windows"
)

// understandsColour asks the console to obey colour sequences, which old ones refuse.
func understandsColour(f *os.File) bool {
	var mode uint32
	h := windows.Handle(f.Fd())
	return windows.GetConsoleMode(h, &mode) == nil &&
		windows.SetConsoleMode(h, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}
