package daemon

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"dormouse/service/capture"
	"dormouse/service/config"
	"dormouse/service/redact"
	"dormouse/store/home"
)

// Leak is a secret in a file. It does not hold the secret.
type Leak struct {
	File        string `json:"file"`
	Line        int    `json:"line"`  // 0 where the file is one JSON document
	Family      string `json:"rule"`  // of secrets
	Bytes       int    `json:"bytes"` // how long it is
	Placeholder string `json:"placeholder"`
}

// Leaks is what a look for secrets gave.
type Leaks struct {
	Files   int      `json:"files"` // that were looked through
	Leaks   []Leak   `json:"secrets"`
	Skipped []string `json:"skipped"` // files that were not, each with the reason
}

// longestScanned is how long a line, or a file that is not read by line, may be, in bytes.
const longestScanned = 64 << 20

// FindLeaks looks for secrets in files and in all files of folders, or in the agents' transcripts where no path is given. The
// placeholders are those that captured sessions have, where the state folder has its key. It changes nothing.
func FindLeaks(ctx context.Context, h home.Home, cfg config.Config, env func(string) string, paths []string) (Leaks, error) {
	out := Leaks{Leaks: []Leak{}, Skipped: []string{}}
	files, err := leakFiles(cfg, env, paths)
	if err != nil {
		return out, err
	}
	key := make([]byte, 32)
	if _, err := os.Stat(filepath.Join(h.Dir(), redactKey)); err == nil {
		if key, err = h.Secret(redactKey); err != nil {
			return out, err
		}
	} else if _, err := rand.Read(key); err != nil {
		return out, fmt.Errorf("draw a key: %w", err)
	}
	s := &leakScan{out: &out}
	if s.redact, err = redact.New(redact.Options{Key: key, Extra: cfg.Redact.Patterns, Found: s.found}); err != nil {
		return out, err
	}
	for _, f := range files {
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
		if s.file = f; s.scan() != nil {
			out.Skipped = append(out.Skipped, f+": "+s.why.Error())
			continue
		}
		out.Files++
	}
	return out, nil
}

// leakFiles are the files to look through, sorted.
func leakFiles(cfg config.Config, env func(string) string, paths []string) (out []string, err error) {
	all := func(string) bool { return true }
	for _, p := range paths {
		if _, err := os.Stat(p); err != nil {
			return nil, fmt.Errorf("look for secrets: %w", err)
		}
		out = append(out, filesBelow(p, all)...)
	}
	if len(paths) == 0 {
		agents, err := Agents(cfg, env)
		if err != nil {
			return nil, err
		}
		for _, a := range capture.Table() {
			for _, root := range agents[a.Name] {
				out = append(out, filesBelow(root, a.Match)...)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

func filesBelow(root string, match func(string) bool) (out []string) {
	_ = filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() && match(path) {
			out = append(out, path)
		}
		return nil //nolint:nilerr // a folder that can't be read holds nothing for us
	})
	return out
}

// leakScan is a look through files, one after the other.
type leakScan struct {
	redact *redact.Redactor
	out    *Leaks
	file   string
	line   int // of the text that is looked at, 0 within one JSON document
	whole  bool
	why    error
}

func (s *leakScan) found(f redact.Found) {
	line := 0
	switch {
	case s.whole:
		line = f.Line
	case s.line > 0:
		line = s.line
	}
	s.out.Leaks = append(s.out.Leaks, Leak{File: s.file, Line: line, Family: f.Family, Bytes: f.Bytes, Placeholder: f.Placeholder})
}

// scan looks through the file; the error stays in s.why.
func (s *leakScan) scan() error {
	s.why = nil
	f, err := os.Open(s.file)
	if err != nil {
		s.why = err
		return err
	}
	defer f.Close() //nolint:errcheck // opened for reading
	if filepath.Ext(s.file) == ".jsonl" {
		s.why = s.lines(f)
	} else {
		s.why = s.document(f)
	}
	return s.why
}

func (s *leakScan) lines(in io.Reader) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, longestScanned)
	for s.line, s.whole = 1, false; lines.Scan(); s.line++ {
		if err := s.text(lines.Bytes()); err != nil {
			return err
		}
	}
	return lines.Err()
}

func (s *leakScan) document(in io.Reader) error {
	b, err := io.ReadAll(io.LimitReader(in, longestScanned+1))
	switch {
	case err != nil:
		return err
	case len(b) > longestScanned:
		return fmt.Errorf("longer than %d bytes", longestScanned)
	case bytes.IndexByte(b[:min(len(b), 8<<10)], 0) >= 0:
		return errors.New("no text")
	}
	s.line, s.whole = 0, !json.Valid(b)
	return s.text(b)
}

// text looks at one text, by the names that its values have where it is JSON.
func (s *leakScan) text(b []byte) (err error) {
	if json.Valid(b) {
		_, _, err = s.redact.JSON(b)
	} else {
		_, _, err = s.redact.Text(string(b))
	}
	return err
}
