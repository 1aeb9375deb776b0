package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tree is every file below a folder with its bytes, and every folder.
func tree(t *testing.T, root string) string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.Name() == ".dormouse" {
			return fs.SkipDir
		}
		var data []byte
		if d.Type().IsRegular() {
			data, err = os.ReadFile(path)
		}
		out = append(out, fmt.Sprintf("%s %s %q", d.Type(), strings.TrimPrefix(path, root), data))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}
