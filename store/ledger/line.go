package ledger

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"

	"dormouse/store/memory"
)

// The types of a log line. Lines of other types, written by a newer version, are kept and skipped.
const (
	typeDecision = "decision"
	typeRun      = "run"
)

// bodyFields are the parts of a line that an erase may take away. All others, known or not, are fixed.
var bodyFields = []string{"reason", "proposal", "before", "after", "event_date"}

// seal is what the log adds to a decision or a run.
type seal struct {
	Salt   string `json:"salt"`   // 16 random bytes in hex
	Digest string `json:"digest"` // SHA-256 in hex over salt and body
	// Claim is the hash of the claim that a decision is about. It stays when the body is erased, and vouches for it that there is a
	// decision to erase it.
	Claim string `json:"claim,omitempty"`
}

type decisionLine struct {
	Type string `json:"type"`
	memory.Decision
	seal
}

type runLine struct {
	Type string `json:"type"`
	memory.Run
	seal
}

// head is what the chain needs to know of any line.
type head struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Lamport  uint64 `json:"lamport"`
	Machine  string `json:"machine"`
	PrevHash string `json:"prev_hash"`
	seal
}

// sealLine fills in salt and digest of a line and returns its bytes, without the newline, and its hash.
func sealLine(v any, s *seal) (raw []byte, hash string, err error) {
	var salt [16]byte
	if _, err := rand.Read(salt[:]); err != nil {
		return nil, "", fmt.Errorf("draw salt: %w", err)
	}
	s.Salt = hex.EncodeToString(salt[:])
	draft, err := memory.Encode(v)
	if err != nil {
		return nil, "", err
	}
	if s.Digest, err = bodyDigest(draft, s.Salt); err != nil {
		return nil, "", err
	}
	if raw, err = memory.Encode(v); err != nil {
		return nil, "", err
	}
	hash, err = lineHash(raw)
	return raw, hash, err
}

// bodyDigest is the SHA-256 of the salt and the canonical JSON of the line's body fields.
func bodyDigest(raw []byte, salt string) (string, error) {
	all, err := fields(raw)
	if err != nil {
		return "", err
	}
	body := map[string]json.RawMessage{}
	for _, k := range bodyFields {
		if v, ok := all[k]; ok {
			body[k] = v
		}
	}
	return hashOf(salt, body)
}

// lineHash is the SHA-256 of the canonical JSON of the line without its body and salt. It covers the digest of the body.
func lineHash(raw []byte) (string, error) {
	all, err := fields(raw)
	if err != nil {
		return "", err
	}
	fixed := maps.Clone(all)
	for _, k := range append([]string{"salt"}, bodyFields...) {
		delete(fixed, k)
	}
	return hashOf("", fixed)
}

func fields(raw []byte) (map[string]json.RawMessage, error) {
	var m map[string]json.RawMessage
	if err := json.Unmarshal(raw, &m); err != nil {
		return nil, fmt.Errorf("not a JSON object: %w", err)
	}
	return m, nil
}

func hashOf(prefix string, v any) (string, error) {
	b, err := memory.Encode(v)
	if err != nil {
		return "", err
	}
	if b, err = memory.Canonical(b); err != nil {
		return "", err
	}
	h := sha256.New()
	h.Write([]byte(prefix))
	h.Write(b)
	return hex.EncodeToString(h.Sum(nil)), nil
}

// checkLine says what is wrong with a line that should follow a line with hash prev: nil if nothing. A line whose body was
// erased has neither salt nor body and is right where a decision says so.
func checkLine(raw []byte, prev string, gone Erasures) (hash string, err error) {
	var h head
	if err := json.Unmarshal(raw, &h); err != nil {
		return "", fmt.Errorf("not a line of a log: %w", err)
	}
	if hash, err = lineHash(raw); err != nil {
		return "", err
	}
	if h.PrevHash != prev {
		return hash, fmt.Errorf("does not follow the line before it: a line was changed, taken out or moved")
	}
	if h.Salt == "" {
		if !gone.covers(&h) {
			return hash, fmt.Errorf("its text was taken away, and no decision says so")
		}
		return hash, checkErased(raw)
	}
	got, err := bodyDigest(raw, h.Salt)
	if err != nil {
		return hash, err
	}
	if got != h.Digest {
		return hash, fmt.Errorf("its text was changed after it was written")
	}
	return hash, nil
}

// checkErased makes sure that a line without a salt really has no body left that nothing vouches for.
func checkErased(raw []byte) error {
	all, err := fields(raw)
	if err != nil {
		return err
	}
	for _, k := range bodyFields {
		if v := string(all[k]); v != "" && v != "null" && v != `""` {
			return fmt.Errorf("it has no salt, yet its %s is there", k)
		}
	}
	return nil
}
