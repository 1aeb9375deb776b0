package home

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// secretBytes is the length of a secret of the state folder.
const secretBytes = 32

// Secret is 32 random bytes that stay the same for this state folder and never leave it. It is drawn when it is first asked
// for. name is a file in the state folder.
func (h Home) Secret(name string) ([]byte, error) {
	path := filepath.Join(h.dir, name)
	b, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return drawSecret(path)
	}
	if err != nil {
		return nil, fmt.Errorf("read secret: %w", err)
	}
	key, err := hex.DecodeString(strings.TrimSpace(string(b)))
	if err != nil || len(key) != secretBytes {
		return nil, fmt.Errorf("%s does not hold %d bytes in hex: restore it, or delete it to draw a new one", path, secretBytes)
	}
	return key, nil
}

func drawSecret(path string) ([]byte, error) {
	key := make([]byte, secretBytes)
	if _, err := rand.Read(key); err != nil {
		return nil, fmt.Errorf("draw secret: %w", err)
	}
	if err := WriteFile(path, []byte(hex.EncodeToString(key)+"\n")); err != nil {
		return nil, err
	}
	return key, nil
}
