package seal

import (
	"bytes"
	"compress/flate"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"strconv"

	"filippo.io/age"
	"golang.org/x/crypto/chacha20poly1305"
)

// Segment is a part of a log: Data begins at byte From of the file Log.
type Segment struct {
	Log  string
	From int64
	Data []byte
}

// The largest segment, in bytes: of its data, and of what lies on the remote.
const (
	MaxData    = 1 << 20
	maxSegment = MaxData + MaxData/4 + 4096
	minPadded  = 512
)

type segmentHead struct {
	Log  string `json:"log"`
	From int64  `json:"from"`
}

// Name is the segment's name on the remote: 32 hex digits that tell nothing without the key, and differ for all that differs.
func (r Ring) Name(s Segment) string {
	h := hmac.New(sha256.New, r.Keys[0].Key.derive("names", nil))
	sum := sha256.Sum256(s.Data)
	fmt.Fprintf(h, "%d:%s %d %x", len(s.Log), s.Log, s.From, sum)
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// SealSegment encrypts a segment under the key in force.
func (r Ring) SealSegment(s Segment) ([]byte, error) {
	head, err := json.Marshal(segmentHead{s.Log, s.From})
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	w, err := age.Encrypt(&b, shared{r.Keys[:1]})
	if err != nil {
		return nil, err
	}
	var packed bytes.Buffer
	z, err := flate.NewWriter(&packed, flate.DefaultCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(append(append(head, '\n'), s.Data...)); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	packed.Write(make([]byte, padded(packed.Len())-packed.Len())) // behind the end of what is packed, where nobody reads
	if _, err := w.Write(packed.Bytes()); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// padded is the size to which n bytes are filled up: by Padmé (Nikitin et al., "Reducing Metadata Leakage from Encrypted Files and
// Communication with PURBs", 2019), which leaves as many different sizes as there are for numbers of double logarithmic precision and adds
// at most 12 %, and to 512 bytes at least.
func padded(n int) int {
	if n <= minPadded {
		return minPadded
	}
	e := bits.Len(uint(n)) - 1
	mask := 1<<(e-bits.Len(uint(e))) - 1
	return (n + mask) &^ mask
}

// OpenSegment decrypts a segment. Only the key in force counts: what is sealed under an earlier one may come from a machine that was revoked.
func (r Ring) OpenSegment(raw []byte) (Segment, error) {
	if len(raw) > maxSegment {
		return Segment{}, errors.New("a part of a log is too long")
	}
	plain, err := age.Decrypt(bytes.NewReader(raw), shared{r.Keys[:min(1, len(r.Keys))]})
	if err != nil {
		return Segment{}, fmt.Errorf("a part of a log: %w (%w)", ErrNotOurs, err)
	}
	const maxHead = 512
	all, err := io.ReadAll(io.LimitReader(flate.NewReader(plain), MaxData+maxHead+1))
	if err != nil {
		return Segment{}, fmt.Errorf("a part of a log is damaged: %w", err)
	}
	head, data, ok := bytes.Cut(all, []byte("\n"))
	var h segmentHead
	if !ok || len(head) > maxHead || len(data) > MaxData || json.Unmarshal(head, &h) != nil || h.From < 0 {
		return Segment{}, errors.New("a part of a log is damaged")
	}
	if _, err := io.Copy(io.Discard, plain); err != nil { // the last chunk vouches that nothing was cut off
		return Segment{}, fmt.Errorf("a part of a log is damaged: %w", err)
	}
	return Segment{Log: h.Log, From: h.From, Data: data}, nil
}

// Cut makes segments of what a log has from a byte on.
func Cut(log string, from int64, data []byte) []Segment {
	var out []Segment
	for len(data) > 0 {
		n := min(len(data), MaxData)
		out = append(out, Segment{log, from, data[:n]})
		from, data = from+int64(n), data[n:]
	}
	return out
}

// shared is an age recipient and identity of a key that the machines share: the file key is closed with ChaCha20-Poly1305 under a
// key derived from it and a salt. Other than with a public key, only who knows the key can make a file.
type shared struct{ keys []Dated }

const (
	stanza   = "dormouse.v1"
	saltSize = 16
)

var enc = base64.RawStdEncoding

// Wrap is age.Recipient's.
func (s shared) Wrap(fileKey []byte) ([]*age.Stanza, error) {
	salt := make([]byte, saltSize)
	_, _ = rand.Read(salt)
	aead, err := chacha20poly1305.New(s.keys[0].Key.derive("segment", salt))
	if err != nil {
		return nil, err
	}
	return []*age.Stanza{{Type: stanza, Args: []string{strconv.Itoa(s.keys[0].Generation), enc.EncodeToString(salt)},
		Body: aead.Seal(nil, make([]byte, aead.NonceSize()), fileKey, nil)}}, nil // each salt is used once
}

// Unwrap is age.Identity's.
func (s shared) Unwrap(stanzas []*age.Stanza) ([]byte, error) {
	if len(stanzas) != 1 || stanzas[0].Type != stanza || len(stanzas[0].Args) != 2 {
		return nil, age.ErrIncorrectIdentity
	}
	salt, err := enc.DecodeString(stanzas[0].Args[1])
	if err != nil || len(salt) != saltSize {
		return nil, age.ErrIncorrectIdentity
	}
	generation, err := strconv.Atoi(stanzas[0].Args[0])
	if err != nil {
		return nil, age.ErrIncorrectIdentity
	}
	for _, k := range s.keys {
		if k.Generation != generation {
			continue
		}
		aead, err := chacha20poly1305.New(k.Key.derive("segment", salt))
		if err != nil {
			return nil, err
		}
		fileKey, err := aead.Open(nil, make([]byte, aead.NonceSize()), stanzas[0].Body, nil)
		if err != nil || len(fileKey) != 16 {
			return nil, age.ErrIncorrectIdentity
		}
		return fileKey, nil
	}
	return nil, age.ErrIncorrectIdentity
}
