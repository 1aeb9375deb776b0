package seal

import (
	"bytes"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"filippo.io/age"
)

// Key is a data key.
type Key []byte

const keyBytes = 32

// NewKey draws a data key.
func NewKey() Key {
	k := make(Key, keyBytes)
	_, _ = rand.Read(k) // it never fails
	return k
}

// derive is a key for one use.
func (k Key) derive(use string, salt []byte) []byte {
	out, err := hkdf.Key(sha256.New, k, salt, "dormouse "+use, keyBytes)
	if err != nil {
		panic(err) // the lengths are constant
	}
	return out
}

// Device is a machine that may read the memory.
type Device struct {
	Machine   string `json:"machine"`
	Recipient string `json:"recipient"` // age1...
	Name      string `json:"name"`      // as the person calls it
}

// Dated is a key with its generation, from 1.
type Dated struct {
	Generation int `json:"generation"`
	Key        Key `json:"key"`
}

// Ring is all keys, newest first, and who holds them. Two rings of one memory are ordered by generation, then by rewrite.
type Ring struct {
	Keys []Dated `json:"keys"`
	// Rewrite counts how often the history of the remote was replaced; Erased is the print of the erasures of which it is free.
	Rewrite int      `json:"rewrite"`
	Erased  string   `json:"erased,omitempty"`
	Devices []Device `json:"devices"`
	Left    []Device `json:"left,omitempty"` // revoked
}

// NewRing is the ring of a new memory, with one device.
func NewRing(d Device) Ring {
	return Ring{Keys: []Dated{{1, NewKey()}}, Devices: []Device{d}}
}

// Generation is that of the key in force; 0 for an empty ring.
func (r Ring) Generation() int {
	if len(r.Keys) == 0 {
		return 0
	}
	return r.Keys[0].Generation
}

// Before reports whether r is older than another ring of the same memory.
func (r Ring) Before(o Ring) bool {
	if r.Generation() != o.Generation() {
		return r.Generation() < o.Generation()
	}
	return r.Rewrite < o.Rewrite
}

// With adds a device, or gives the one of that machine another key.
func (r Ring) With(d Device) Ring {
	r.Devices = append(slices.DeleteFunc(slices.Clone(r.Devices), func(o Device) bool { return o.Machine == d.Machine }), d)
	return r
}

// Without takes a machine out and draws a new key. ok is false where it is not in the ring.
func (r Ring) Without(machine string) (Ring, bool) {
	i := slices.IndexFunc(r.Devices, func(d Device) bool { return d.Machine == machine })
	if i < 0 {
		return r, false
	}
	r.Left = append(slices.Clone(r.Left), r.Devices[i])
	r.Devices = slices.Delete(slices.Clone(r.Devices), i, i+1)
	r.Keys = append([]Dated{{r.Generation() + 1, NewKey()}}, r.Keys...)
	r.Rewrite++
	return r, true
}

func (r Ring) key(generation int) (Key, bool) {
	for _, d := range r.Keys {
		if d.Generation == generation {
			return d.Key, true
		}
	}
	return nil, false
}

// check says what is wrong with a ring that was read.
func (r Ring) check() error {
	if len(r.Keys) == 0 || len(r.Keys) > maxKeys || len(r.Devices) > maxDevices || r.Rewrite < 0 {
		return errors.New("the keys of the memory are damaged")
	}
	last := 0
	for i, d := range r.Keys {
		if len(d.Key) != keyBytes || d.Generation < 1 || i > 0 && d.Generation >= last {
			return errors.New("the keys of the memory are damaged")
		}
		last = d.Generation
	}
	return nil
}

const (
	maxKeys    = 1000
	maxDevices = 200
	maxRing    = 1 << 20 // bytes
)

// vouched is a ring as it is written: its JSON, and a MAC under each key that it holds, newest first.
type vouched struct {
	Ring json.RawMessage `json:"ring"`
	MACs [][]byte        `json:"macs"`
}

// Seal writes the ring for all its devices.
func (r Ring) Seal() ([]byte, error) {
	body, err := r.encode()
	if err != nil {
		return nil, err
	}
	var to []string
	for _, d := range r.Devices {
		to = append(to, d.Recipient)
	}
	return encryptTo(to, body)
}

func (r Ring) encode() ([]byte, error) {
	raw, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	v := vouched{Ring: raw}
	for _, k := range r.Keys {
		v.MACs = append(v.MACs, k.Key.mac(raw))
	}
	return json.Marshal(v)
}

func (k Key) mac(raw []byte) []byte {
	h := hmac.New(sha256.New, k.derive("ring", nil))
	h.Write(raw)
	return h.Sum(nil)
}

// ErrNotOurs says that what lies on the remote was not made by a machine that knows the memory's key.
var ErrNotOurs = errors.New("it was not made by one of your machines")

// ErrNoDevice says that the memory is not encrypted to this machine: it never joined, or was revoked.
var ErrNoDevice = errors.New("this machine may not read it")

// ErrForked says that the keys were changed in two ways: there are two keys of one generation, each made by a machine that knew the one before.
var ErrForked = errors.New("the keys of the memory were changed in two ways")

// OpenRing reads a ring with this machine's identity. known is the ring that this machine knows. A ring of its generation or a later one
// must hold the key that is in force there and be vouched for by it, since an earlier key may be known to a machine that was revoked; an
// older ring must be vouched for by the key that was in force when it was made. An empty known takes any: only for what is authenticated
// otherwise.
func OpenRing(raw []byte, id *age.X25519Identity, known Ring) (Ring, error) {
	body, err := decrypt(raw, id)
	if err != nil {
		return Ring{}, err
	}
	return decodeRing(body, known)
}

func decodeRing(body []byte, known Ring) (Ring, error) {
	var v vouched
	var r Ring
	if err := json.Unmarshal(body, &v); err != nil {
		return r, fmt.Errorf("the keys of the memory are damaged: %w", err)
	}
	if err := json.Unmarshal(v.Ring, &r); err != nil {
		return r, fmt.Errorf("the keys of the memory are damaged: %w", err)
	}
	if err := r.check(); err != nil {
		return r, err
	}
	if len(v.MACs) != len(r.Keys) {
		return r, errors.New("the keys of the memory are damaged")
	}
	if len(known.Keys) == 0 {
		return r, nil
	}
	generation := min(known.Generation(), r.Generation())
	mine, _ := known.key(generation)
	i := slices.IndexFunc(r.Keys, func(k Dated) bool { return k.Generation == generation })
	switch {
	case mine != nil && i >= 0 && bytes.Equal(mine, r.Keys[i].Key) && hmac.Equal(mine.mac(v.Ring), v.MACs[i]):
		return r, nil
	case mine != nil && i >= 0 && !bytes.Equal(mine, r.Keys[i].Key) && r.follows(known, generation, v):
		return Ring{}, ErrForked
	}
	return Ring{}, fmt.Errorf("the keys of the memory on the remote: %w", ErrNotOurs)
}

// follows reports whether a ring that differs from the known one in the key of a generation is vouched for by an earlier key of it.
func (r Ring) follows(known Ring, generation int, v vouched) bool {
	for i, k := range r.Keys {
		if mine, ok := known.key(k.Generation); ok && k.Generation < generation && bytes.Equal(mine, k.Key) && hmac.Equal(mine.mac(v.Ring), v.MACs[i]) {
			return true
		}
	}
	return false
}

func encryptTo(recipients []string, body []byte) ([]byte, error) {
	var to []age.Recipient
	for _, s := range recipients {
		r, err := age.ParseX25519Recipient(s)
		if err != nil {
			return nil, fmt.Errorf("the key of a machine: %w", err)
		}
		to = append(to, r)
	}
	var b bytes.Buffer
	w, err := age.Encrypt(&b, to...)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(body); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func decrypt(raw []byte, id age.Identity) ([]byte, error) {
	if len(raw) > maxRing {
		return nil, errors.New("the keys of the memory are too long")
	}
	r, err := age.Decrypt(bytes.NewReader(raw), id)
	var none *age.NoIdentityMatchError
	if errors.As(err, &none) {
		return nil, ErrNoDevice
	}
	if err != nil {
		return nil, fmt.Errorf("the keys of the memory cannot be read: %w", err)
	}
	body, err := io.ReadAll(io.LimitReader(r, maxRing))
	if err != nil {
		return nil, fmt.Errorf("the keys of the memory cannot be read: %w", err)
	}
	return body, nil
}
