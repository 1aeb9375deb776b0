package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

const sumsFile = "SHA256SUMS"

type sized struct {
	name string
	size int64
}

// checksums writes the digests of all files of a folder, as sha256sum checks them.
func checksums(dir string) ([]sized, error) {
	list, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var out []sized
	var b strings.Builder
	for _, e := range list {
		if strings.HasPrefix(e.Name(), sumsFile) {
			continue
		}
		sum, n, err := digest(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "%s  %s\n", sum, e.Name())
		out = append(out, sized{e.Name(), n})
	}
	return out, os.WriteFile(filepath.Join(dir, sumsFile), []byte(b.String()), 0o644)
}

func digest(path string) (sum string, n int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer func() { err = first(err, f.Close()) }()
	h := sha256.New()
	n, err = io.Copy(h, f)
	return hex.EncodeToString(h.Sum(nil)), n, err
}
