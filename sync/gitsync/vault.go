package gitsync

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"reflect"
	"slices"
	"sync"
	"time"

	"filippo.io/age"

	"dormouse/store/home"
	"dormouse/sync/seal"
)

// vault is the file of this machine's keys, for its owner alone. It never travels.
type vault struct {
	path string

	mu   sync.Mutex
	read bool
	v    vaulted
}

type vaulted struct {
	Identity string `json:"identity"` // AGE-SECRET-KEY-1...
	// Rings are the newest rings that are known, by the address of the remote. An address that has one is never used in the clear.
	Rings   map[string]seal.Ring `json:"rings"`
	Invites []invite             `json:"invites,omitempty"`
}

// invite is a code that was shown here and that a new machine may use once.
type invite struct {
	Code  string `json:"code"`
	Until int64  `json:"until"` // Unix seconds
}

// load reads the file where that was not done. v.mu is held.
func (v *vault) load() error {
	if v.read {
		return nil
	}
	raw, err := os.ReadFile(v.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read the keys of sync: %w", err)
	}
	v.v = vaulted{Rings: map[string]seal.Ring{}}
	if err == nil {
		if err := json.Unmarshal(raw, &v.v); err != nil {
			return fmt.Errorf("the keys of sync in %s are damaged: restore the file from a backup, or set this machine up anew with another one's help (dormouse devices invite): %w", v.path, err)
		}
	}
	if v.v.Rings == nil {
		v.v.Rings = map[string]seal.Ring{}
	}
	v.read = true
	return nil
}

// change changes what the file holds and writes it.
func (v *vault) change(do func(*vaulted)) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if err := v.load(); err != nil {
		return err
	}
	do(&v.v)
	raw, err := json.MarshalIndent(v.v, "", "  ")
	if err != nil {
		return err
	}
	if err := home.WriteFile(v.path, append(raw, '\n')); err != nil {
		v.read = false
		return err
	}
	return nil
}

// ring is what is known of a remote; ok is false where it is not used encrypted.
func (v *vault) ring(url string) (r seal.Ring, ok bool, err error) {
	if v.path == "" {
		return r, false, nil
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if err := v.load(); err != nil {
		return r, false, err
	}
	r, ok = v.v.Rings[url]
	return r, ok, nil
}

func (v *vault) setRing(url string, r seal.Ring) error {
	if old, ok, err := v.ring(url); err != nil || ok && reflect.DeepEqual(old, r) {
		return err
	}
	return v.change(func(to *vaulted) { to.Rings[url] = r })
}

// identity is this machine's key. It is drawn when it is first asked for.
func (v *vault) identity() (*age.X25519Identity, error) {
	v.mu.Lock()
	err := v.load()
	have := v.v.Identity
	v.mu.Unlock()
	if err != nil {
		return nil, err
	}
	if have != "" {
		id, err := age.ParseX25519Identity(have)
		if err != nil {
			return nil, fmt.Errorf("this machine's key in %s is damaged: %w", v.path, err)
		}
		return id, nil
	}
	id, err := age.GenerateX25519Identity()
	if err != nil {
		return nil, err
	}
	return id, v.change(func(to *vaulted) { to.Identity = id.String() })
}

// invites are the codes that still hold.
func (v *vault) invites(now time.Time) ([]invite, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.path == "" {
		return nil, nil
	}
	if err := v.load(); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(v.v.Invites), func(i invite) bool { return i.Until <= now.Unix() }), nil
}
