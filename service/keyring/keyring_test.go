package keyring

import (
	"errors"
	"strings"
	"testing"

	store "github.com/zalando/go-keyring"
)

func TestTokensAreKeptByHostAndUserAndForgotten(t *testing.T) {
	store.MockInit()
	if _, err := Get("git.example.org", "me"); !errors.Is(err, ErrNone) {
		t.Errorf("before: %v", err)
	}
	if err := Set("git.example.org", "me", "first"); err != nil {
		t.Fatal(err)
	}
	if err := Set("git.example.org", "me", "second"); err != nil {
		t.Fatal(err)
	}
	if got, err := Get("git.example.org", "me"); err != nil || got != "second" {
		t.Errorf("%q %v", got, err)
	}
	for _, other := range [][2]string{{"git.example.org", "you"}, {"example.org", "me"}} {
		if got, err := Get(other[0], other[1]); !errors.Is(err, ErrNone) {
			t.Errorf("%v gets %q %v", other, got, err)
		}
	}
	for range 2 {
		if err := Delete("git.example.org", "me"); err != nil {
			t.Error(err)
		}
	}
	if _, err := Get("git.example.org", "me"); !errors.Is(err, ErrNone) {
		t.Errorf("after: %v", err)
	}
}

func TestASystemWithoutAKeyringIsToldWithTheWayOut(t *testing.T) {
	store.MockInitWithError(errors.New("no secret service"))
	t.Cleanup(store.MockInit)
	if err := Set("h", "u", "secret-token"); err == nil || !strings.Contains(err.Error(), "credential.helper") || strings.Contains(err.Error(), "secret-token") {
		t.Errorf("%v", err)
	}
}
