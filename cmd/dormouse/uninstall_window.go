package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// windowFolder is where the toolkit of the window (Fyne) keeps what it keeps of this app: a folder named after the app, in one that it
// shares with other programs.
func (s *hosted) windowFolder() string {
	config := filepath.Join(s.user, ".config")
	switch runtime.GOOS {
	case "windows":
		config = s.a.Env("AppData")
	case "darwin":
		config = filepath.Join(s.user, "Library", "Preferences")
	default:
		if dir := s.a.Env("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
			config = dir
		}
	}
	return filepath.Join(config, "fyne", "app.dormouse.desktop")
}

// forgetWindow removes that folder, and those around it in which no other program has anything.
func (s *hosted) forgetWindow() error {
	dir := s.windowFolder()
	if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	toolkit := filepath.Dir(dir)
	if os.Remove(toolkit) == nil {
		_ = os.Remove(filepath.Dir(toolkit)) //nolint:errcheck // others have theirs in it
	}
	return nil
}
