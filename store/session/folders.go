package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Folders are the folders of all sessions of the store in dir, those that live in projects included, sorted. It only reads, so it may
// be asked while another process uses the store. Folders that are gone or hold no session are left out.
func Folders(dir string) ([]string, error) {
	all, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		return nil, err
	}
	places := map[string]Location{}
	data, err := os.ReadFile(filepath.Join(dir, locationsFile))
	if err == nil {
		err = json.Unmarshal(data, &places)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read %s: %w", filepath.Join(dir, locationsFile), err)
	}
	for id, at := range places {
		all = append(all, filepath.Join(inside(at.Path), id))
	}
	all = slices.DeleteFunc(all, func(d string) bool { _, err := readMeta(d); return err != nil })
	slices.Sort(all)
	return slices.Compact(all), nil
}
