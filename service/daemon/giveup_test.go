package daemon

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	system "github.com/zalando/go-keyring"

	"dormouse/service/keyring"
	"dormouse/store/home"
)

func TestAMemoryThatIsGivenUpTakesItsTokenAlong(t *testing.T) {
	system.MockInit()
	h := home.At(t.TempDir())
	login := filepath.Join(h.Memory(), ".git", loginFile)
	if err := os.MkdirAll(filepath.Dir(login), 0o700); err != nil {
		t.Fatal(err)
	}
	if kept, err := GiveUp(h); kept != "" || err != nil {
		t.Fatalf("without a token: %q %v", kept, err)
	}
	if err := os.WriteFile(login, []byte("git.example.org robin\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := keyring.Set("git.example.org", "robin", "made-up"); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if kept, err := GiveUp(h); kept != "" || err != nil {
			t.Fatalf("%q %v", kept, err)
		}
	}
	if _, err := keyring.Get("git.example.org", "robin"); !errors.Is(err, keyring.ErrNone) {
		t.Errorf("the token is still there: %v", err)
	}
	lock, err := h.Lock()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := GiveUp(h); !errors.Is(err, home.ErrLocked) {
		t.Errorf("below a running service: %v", err)
	}
	if err := lock.Unlock(); err != nil {
		t.Fatal(err)
	}
	system.MockInitWithError(errors.New("locked"))
	if kept, err := GiveUp(h); !strings.Contains(kept, "git.example.org") || err != nil {
		t.Errorf("a keyring that does not answer: %q %v", kept, err)
	}
}
