package memory

import "strings"

// Kinds of what a node can have drawn on. Each begins an entry of Node.Reads.
const (
	ReadFile    = "file:"    // a file, by the path as it was given, made absolute where the working directory is known
	ReadNode    = "node:"    // another node, by its id
	ReadSession = "session:" // a session that injected memory, or a memory tool, pointed to
	ReadMemory  = "memory:"  // a record, by its id
)

// blobMark stands between a path and the git name of the content that was seen. It is followed by 40 hex digits and the end, so
// that a path which has one in it is not mistaken.
const blobMark = "#"

const blobDigits = 40

// FileRead is the entry for a file. blob is the git name of its content (SHA-1), where that was seen whole; else empty.
func FileRead(path, blob string) string {
	if len(blob) == blobDigits {
		return ReadFile + path + blobMark + blob
	}
	return ReadFile + path
}

// FileOf reads an entry for a file; ok is false for one of another kind.
func FileOf(read string) (path, blob string, ok bool) {
	path, ok = strings.CutPrefix(read, ReadFile)
	if !ok {
		return "", "", false
	}
	at := len(path) - blobDigits - len(blobMark)
	if at <= 0 || path[at:at+1] != blobMark || strings.Trim(path[at+1:], "0123456789abcdef") != "" {
		return path, "", true
	}
	return path[:at], path[at+1:], true
}
