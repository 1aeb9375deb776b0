package home

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strings"
)

// Machine is the id of this state folder's machine, 8 hex digits. It is drawn at random when it is first asked for, so it
// tells nothing about the computer or its owner.
func (h Home) Machine() (string, error) {
	b, err := os.ReadFile(h.machineFile())
	if err == nil {
		if id := strings.TrimSpace(string(b)); validMachine(id) {
			return id, nil
		}
		return "", fmt.Errorf("%s does not hold 8 hex digits: restore it, or delete it to become a new machine", h.machineFile())
	}
	if !errors.Is(err, os.ErrNotExist) {
		return "", fmt.Errorf("read machine id: %w", err)
	}
	id, err := NewMachine()
	if err != nil {
		return "", err
	}
	return id, h.SetMachine(id)
}

// NewMachine draws an id for a machine.
func NewMachine() (string, error) {
	var raw [4]byte
	if _, err := rand.Read(raw[:]); err != nil {
		return "", fmt.Errorf("draw machine id: %w", err)
	}
	return hex.EncodeToString(raw[:]), nil
}

// SetMachine makes this state folder that of another machine.
func (h Home) SetMachine(id string) error {
	if !validMachine(id) {
		return fmt.Errorf("%q is no machine's id: it has 8 hex digits", id)
	}
	return WriteFile(h.machineFile(), []byte(id+"\n"))
}

func validMachine(id string) bool {
	if len(id) != 8 {
		return false
	}
	_, err := hex.DecodeString(id)
	return err == nil
}
