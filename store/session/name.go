package session

import (
	"fmt"
	"strings"

	"dormouse/store/memory"
)

const (
	historyDir = "history"
	metaFile   = "meta.json"
	maxSeq     = 999_999 // history/ sorts by number
	seqDigits  = 6
	maxID      = 100 // characters of a node's id
	idStart    = len("000001-u-")
	nodeExt    = ".json"
)

// nodeName is a node's file name in history/.
func nodeName(seq int, role memory.Role, id string) string {
	return fmt.Sprintf("%06d-%s-%s"+nodeExt, seq, role.Letter(), id)
}

// roleAt is where the letter of the role stands in a node's file name.
const roleAt = 7

func roleOf(letter byte) memory.Role {
	switch letter {
	case 'u':
		return memory.RoleUser
	case 'a':
		return memory.RoleAssistant
	case 't':
		return memory.RoleTool
	}
	return ""
}

// seqOf is the number in a node's file name; 0 when there is none.
func seqOf(name string) (seq int) {
	for _, c := range []byte(name[:seqDigits]) {
		if c < '0' || c > '9' {
			return 0
		}
		seq = seq*10 + int(c-'0')
	}
	return seq
}

// parseName is the reverse of nodeName.
func parseName(name string) (seq int, role memory.Role, id string, ok bool) {
	rest, ok := strings.CutSuffix(name, nodeExt)
	if !ok || len(rest) <= idStart || rest[roleAt-1] != '-' || rest[roleAt+1] != '-' {
		return 0, "", "", false
	}
	seq, role, id = seqOf(rest), roleOf(rest[roleAt]), rest[idStart:]
	return seq, role, id, seq > 0 && role != "" && safeName(id)
}

// safe are the characters that an id can have to be part of a file name on every system.
var safe = func() (ok [256]bool) {
	for _, c := range []byte("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.") {
		ok[c] = true
	}
	return ok
}()

// safeName reports whether an id can be part of a file name on every system.
func safeName(id string) bool {
	if id == "" || len(id) > maxID || id[0] == '.' || id[len(id)-1] == '.' {
		return false
	}
	for i := range len(id) {
		if !safe[id[i]] {
			return false
		}
	}
	return true
}
