//go:build cgo

package main

import "strings"

// pictureOf is the form of an icon that this system's tray takes.
func pictureOf(png, _ []byte) []byte { return png }

// menuText is a label as menus on the bus take it: a single _ would underline what follows it. A tray of the older kind, which
// draws our own menu, shows both.
func menuText(s string) string { return strings.ReplaceAll(s, "_", "__") }
