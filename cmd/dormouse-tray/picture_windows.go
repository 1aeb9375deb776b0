package main

import "strings"

// pictureOf is the form of an icon that this system's tray takes.
func pictureOf(_, ico []byte) []byte { return ico }

// menuText is a label as this system's menus take it: a & would underline what follows it.
func menuText(s string) string { return strings.ReplaceAll(s, "&", "&&") }
