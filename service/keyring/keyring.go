// Package keyring keeps the tokens by which remotes are reached in the keyring of the operating system: the Secret Service of a Linux
// desktop, the macOS Keychain, the Windows Credential Manager.
//
// It never writes a token to a file, never logs one, and never asks the person anything itself; the system may ask to have its
// keyring unlocked.
package keyring

import (
	"errors"
	"fmt"
	"time"

	store "github.com/zalando/go-keyring"
)

// service is the name under which tokens are shown in the system's keyring.
const service = "Dormouse"

// ErrNone says that nothing is kept for a host.
var ErrNone = errors.New("no token is kept")

// askTime is how long the system may take, which includes a person who unlocks the keyring.
const askTime = 20 * time.Second

// Get is the token for a host and a user.
func Get(host, user string) (string, error) {
	token, err := within(func() (string, error) { return store.Get(service, account(host, user)) })
	if errors.Is(err, store.ErrNotFound) {
		return "", fmt.Errorf("%w for %s", ErrNone, host)
	}
	return token, explain("read a token from", err)
}

// Set keeps a token in place of an earlier one.
func Set(host, user, token string) error {
	_, err := within(func() (string, error) { return "", store.Set(service, account(host, user), token) })
	return explain("keep a token in", err)
}

// Delete forgets a token; none to forget is no error.
func Delete(host, user string) error {
	_, err := within(func() (string, error) { return "", store.Delete(service, account(host, user)) })
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	return explain("take a token out of", err)
}

func account(host, user string) string { return user + "@" + host }

// within gives up on a keyring that does not answer. What was asked goes on until the system answers or the process ends.
func within(ask func() (string, error)) (string, error) {
	type answer struct {
		token string
		err   error
	}
	got := make(chan answer, 1)
	go func() {
		token, err := ask()
		got <- answer{token, err}
	}()
	timer := time.NewTimer(askTime)
	defer timer.Stop()
	select {
	case a := <-got:
		return a.token, a.err
	case <-timer.C:
		return "", errors.New("it does not answer")
	}
}

func explain(doing string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s the keyring of this system: %w; where there is none, set up a credential helper for git (git config --global credential.helper) "+
		"or use an ssh address", doing, err)
}
