package session

import (
	"fmt"
	"strings"

	"dormouse/store/memory"
)

const (
	historyDir = "history"
	metaFile   = "meta.json"
	maxSeq     = 999_999 // six digits: history/ sorts by number
	maxID      = 100     // characters of a node's id
	idStart    = len("000001-u-")
	nodeExt    = ".json"
)

// nodeName is a node's file name in history/.
func nodeName(seq int, role memory.Role, id string) string {
	return fmt.Sprintf("%06d-%s-%s"+nodeExt, seq, role.Letter(), id)
}

// parseName is the reverse of nodeName.
func parseName(name string) (seq int, role memory.Role, id string, ok bool) {
	rest, ok := strings.CutSuffix(name, nodeExt)
	if !ok || len(rest) <= idStart || rest[6] != '-' || rest[8] != '-' {
		return 0, "", "", false
	}
	for _, c := range []byte(rest[:6]) {
		if c < '0' || c > '9' {
			return 0, "", "", false
		}
		seq = seq*10 + int(c-'0')
	}
	for _, r := range []memory.Role{memory.RoleUser, memory.RoleAssistant, memory.RoleTool} {
		if rest[7:8] == r.Letter() {
			role = r
		}
	}
	id = rest[idStart:]
	return seq, role, id, seq > 0 && role != "" && safeName(id)
}

// safeName reports whether an id can be part of a file name on every system.
func safeName(id string) bool {
	if id == "" || len(id) > maxID || id[0] == '.' || id[len(id)-1] == '.' {
		return false
	}
	for _, c := range []byte(id) {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_' && c != '-' && c != '.' {
			return false
		}
	}
	return true
}
