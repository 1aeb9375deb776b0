package main

import "golang.org/x/sys/windows"

// leaveConsole closes the console window that Windows opens for a program that it starts at log-on.
func leaveConsole() {
	_, _, _ = windows.NewLazySystemDLL("kernel32.dll").NewProc("FreeConsole").Call() // without a console there is none to close
}
