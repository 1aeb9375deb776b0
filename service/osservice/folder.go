package osservice

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// An entry's file says in a comment how many of the folders above it had to be made for it, so that its removal takes
// back those and no others.
const madeWords = "Installed by Dormouse. Folders made for this file: "

func madeComment(before string, made int, after string) string {
	return before + madeWords + strconv.Itoa(made) + after
}

// madeIn reads madeComment back from an entry's file; 0 where it says nothing.
func madeIn(text string) int {
	_, rest, _ := strings.Cut(text, madeWords)
	digits := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0
	}
	return n
}

// missing counts the folders above a file that are not there.
func missing(path string) int {
	n := 0
	for dir := filepath.Dir(path); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Lstat(dir); err == nil {
			break
		}
		n++
	}
	return n
}

// prune takes back the made folders above a file that are empty now.
func prune(path string, made int) error {
	dir := filepath.Dir(path)
	for ; made > 0; made, dir = made-1, filepath.Dir(dir) {
		entries, err := os.ReadDir(dir)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil && len(entries) > 0 {
			return nil
		}
		if err == nil {
			err = os.Remove(dir)
		}
		if err != nil {
			return fmt.Errorf("take back folder %s: %w", dir, err)
		}
	}
	return nil
}

// read is a file's text; empty where there is none.
func read(path string) (string, error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return string(b), err
}
