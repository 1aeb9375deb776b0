package gitrepo

import "bytes"

// Shown is what one commit changed.
type Shown struct {
	LogEntry
	Files []FileChange
	Diff  string // unified, as git prints it; as far as it was kept
	Cut   bool   // there is more diff than was kept
}

// FileChange is one file that a commit changed.
type FileChange struct {
	Path           string
	From           string // where it was before, of one that was moved or copied
	Op             string // add, modify, delete, move, copy
	Added, Removed int    // lines; 0 for a binary file
	Binary         bool
}

// wholeLines cuts a diff at limit bytes, after a line.
func wholeLines(diff []byte, limit int) (kept []byte, cut bool) {
	if len(diff) <= limit {
		return diff, false
	}
	diff = diff[:limit]
	return diff[:bytes.LastIndexByte(diff, '\n')+1], true
}
