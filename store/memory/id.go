package memory

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode"
)

// digest hashes parts, each closed by a zero byte so that no two lists of parts run together, and returns n hex digits.
func digest(n int, parts ...string) string {
	var room [512]byte
	all := room[:0]
	for _, p := range parts {
		all = append(append(all, p...), 0)
	}
	sum := sha256.Sum256(all)
	return hex.EncodeToString(sum[:(n+1)/2])[:n]
}

// NodeID derives a node's id from the agent and the agent's own ids of what the node is made of: 16 hex digits. Equal
// input gives an equal id in every session, so a prefix that a fork copied keeps its ids.
func NodeID(agent string, parts ...string) string {
	return digest(16, append([]string{"node", agent}, parts...)...)
}

// SessionID is the agent's prefix and 8 hex digits of a hash of agent and the agent's session id; digits grows on a
// collision (8, 12, 16).
func SessionID(prefix, agent, agentSessionID string, digits int) string {
	return prefix + "_" + digest(digits, "session", agent, agentSessionID)
}

// EventID derives an event's id from its claim key.
func EventID(key ClaimKey) string { return "ev_" + digest(12, "event", string(key)) }

// EdgeID derives an edge's id from its claim key.
func EdgeID(key ClaimKey) string { return "ed_" + digest(12, "edge", string(key)) }

// EntityID is "<type>.<slug>".
func EntityID(typ, name string) string { return typ + "." + Slug(name) }

// Slug turns a name into the second part of an entity id. It keeps letters and digits of every script, and / . _ - + # @ :
// which tell paths, versions and languages apart; other runs become one '-'. Letters become lower case unless the name
// looks like a path, whose case is meaningful on most systems.
func Slug(name string) string {
	name = strings.TrimSpace(name)
	keep := strings.Contains(name, "/") || strings.Contains(name, ".")
	var b strings.Builder
	gap := false
	for _, r := range name {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || strings.ContainsRune("/._-+#@:", r) {
			if gap && b.Len() > 0 {
				b.WriteByte('-')
			}
			gap = false
			if !keep {
				r = unicode.ToLower(r)
			}
			b.WriteRune(r)
			continue
		}
		gap = true
	}
	return b.String()
}
