package daemon

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dormouse/service/keyring"
	"dormouse/store/home"
	"dormouse/store/session"
)

// Outside are the folders of projects in which sessions of the memory in h live, in order.
func Outside(h home.Home) ([]string, error) {
	all, err := session.New(session.Options{Dir: h.Sessions()}).Outside()
	return slices.Sorted(maps.Keys(all)), err
}

// GiveUp removes what the memory in h has outside of its folder: sessions in the folders of projects, and the token of its remote in the
// system's keyring. It is for a memory that is removed as a whole right after. While a service runs on it, nothing is removed, and the
// error wraps home.ErrLocked. kept says what the keyring did not give back, and why.
func GiveUp(h home.Home) (kept string, err error) {
	lock, err := h.Lock()
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	if err := session.New(session.Options{Dir: h.Sessions()}).RemoveOutside(); err != nil {
		return "", err
	}
	raw, err := os.ReadFile(filepath.Join(h.Memory(), ".git", loginFile))
	if err != nil {
		return "", nil //nolint:nilerr // no token was given
	}
	host, user, _ := strings.Cut(strings.TrimSpace(string(raw)), " ")
	if err := keyring.Delete(host, user); err != nil {
		return fmt.Sprintf("the token for %s in the system's keyring: %v", host, err), nil
	}
	return "", nil
}
