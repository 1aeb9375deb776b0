package gitrepo

import "io/fs"

// keepsNames says that a file can be told to have one name alone. An open handle would be needed here.
const keepsNames = false

// soleName reports whether a file is a regular one with one name.
func soleName(fs.FileInfo) bool { return false }
