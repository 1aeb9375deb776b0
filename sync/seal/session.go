package seal

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
)

// SessionName is the name under which a session lies on the remote: 32 hex digits that tell nothing without the key in force.
func (r Ring) SessionName(id string) string {
	h := hmac.New(sha256.New, r.Keys[0].Key.derive("session names", nil))
	h.Write([]byte(id))
	return hex.EncodeToString(h.Sum(nil)[:16])
}
