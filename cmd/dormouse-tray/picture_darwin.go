//go:build cgo

package main

// pictureOf is the form of an icon that this system's tray takes.
func pictureOf(png, _ []byte) []byte { return png }

// menuText is a label as this system's menus take it.
func menuText(s string) string { return s }
