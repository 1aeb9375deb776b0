package main

import (
	"os"
	"runtime/debug"
)

// gcPercent has garbage be collected when it makes up less than usual: a tray asks little and rests for hours.
const gcPercent = 30

// sparing has the process take little memory for as long as it runs. GTK, which draws no more than a menu here, would load OpenGL with a
// compiler of its own: 50 MB that nothing uses. It has to be called before the tray begins.
func sparing() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	if os.Getenv("GDK_GL") == "" {
		_ = os.Setenv("GDK_GL", "disable") // a name and a value that can be set
	}
}
