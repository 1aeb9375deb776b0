package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// corpusBytes is how much real text made-up sessions are cut from.
const corpusBytes = 16 << 20

// corpus is real text and the seeded chance by which pieces of it are taken.
type corpus struct {
	text []byte
	rand *rand.Rand
}

// readCorpus takes text files below dir in the order of their paths, evenly spread, up to corpusBytes. An empty dir means
// Go's own sources.
func readCorpus(dir string, seed uint64) (*corpus, error) {
	if dir == "" {
		out, err := exec.Command("go", "env", "GOROOT").Output()
		if err != nil {
			return nil, fmt.Errorf("find text to make sessions of (--corpus DIR names a folder with source code): %w", err)
		}
		dir = filepath.Join(strings.TrimSpace(string(out)), "src")
	}
	paths, err := textFiles(dir)
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("%s holds no .go, .md, .txt or .py file to make sessions of", dir)
	}
	c := &corpus{rand: rand.New(rand.NewPCG(seed, seed+1))}
	c.rand.Shuffle(len(paths), func(i, j int) { paths[i], paths[j] = paths[j], paths[i] })
	for _, p := range paths {
		b, err := os.ReadFile(p)
		if err == nil && utf8.Valid(b) {
			c.text = append(c.text, b...)
		}
		if len(c.text) >= corpusBytes {
			break
		}
	}
	return c, nil
}

func textFiles(dir string) (paths []string, err error) {
	err = filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil && !errors.Is(err, fs.ErrPermission) {
			return err
		}
		if err == nil && d.Type().IsRegular() && slices.Contains([]string{".go", ".md", ".txt", ".py"}, filepath.Ext(p)) {
			paths = append(paths, p)
		}
		return nil
	})
	return paths, err
}

// size draws a log-normal number with this median; sigma is the spread of its logarithm.
func (c *corpus) size(median, sigma float64, most int) int {
	return min(most, max(1, int(median*math.Exp(sigma*c.rand.NormFloat64()))))
}

// piece is n bytes of the text or a little less, from the start of a line.
func (c *corpus) piece(n int) string {
	n = min(n, len(c.text)/2)
	at := c.rand.IntN(len(c.text) - n)
	if i := bytes.IndexByte(c.text[at:at+n], '\n'); i >= 0 && i < n/2 {
		at += i + 1
	}
	return strings.ToValidUTF8(string(c.text[at:at+n]), "")
}

// line is one line of the text that has words, at most n bytes of it.
func (c *corpus) line(n int) string {
	for {
		s, _, _ := strings.Cut(strings.TrimSpace(c.piece(4*n)), "\n")
		if s = strings.ToValidUTF8(s[:min(n, len(s))], ""); len(s) > 8 {
			return s
		}
	}
}
