// Package assets carries what ships inside the binary: the sample sessions of the demo, pictures, what language models are told, and
// the embedding table.
//
// It never reads the disk for them and never interprets what they hold.
package assets

import (
	"compress/gzip"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

//go:embed samples
var files embed.FS

// The folders below an extracted sample folder that hold the transcripts, by agent.
const (
	SampleClaude = "claude/projects"
	SampleCodex  = "codex/sessions"
)

// ExtractSamples writes the sample sessions into dir, in the layout in which their agents keep them. A file that is there
// with the right size is kept. It returns the number of sessions.
func ExtractSamples(dir string) (sessions int, err error) {
	err = fs.WalkDir(files, "samples", func(path string, d fs.DirEntry, err error) error {
		name, packed := strings.CutSuffix(path, ".gz")
		if err != nil || d.IsDir() || !packed {
			return err
		}
		sessions++
		return extract(path, filepath.Join(dir, filepath.FromSlash(strings.TrimPrefix(name, "samples/"))))
	})
	if err != nil {
		return 0, fmt.Errorf("unpack the sample sessions: %w", err)
	}
	return sessions, nil
}

func extract(from, to string) (err error) {
	in, err := files.Open(from)
	if err != nil {
		return err
	}
	defer in.Close() //nolint:errcheck // in memory
	text, err := gzip.NewReader(in)
	if err != nil {
		return err
	}
	data, err := io.ReadAll(text)
	if err != nil {
		return err
	}
	if info, err := os.Stat(to); err == nil && info.Size() == int64(len(data)) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	tmp := to + ".part"
	if err := os.WriteFile(tmp, data, 0o600); err != nil {
		return errors.Join(err, os.Remove(tmp))
	}
	return os.Rename(tmp, to)
}
