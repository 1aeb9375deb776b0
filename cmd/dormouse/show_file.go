package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"dormouse/cmd/internal/text"
	"dormouse/service/api"
	"dormouse/service/client"
)

// saveFile writes a text or an image of a session to a file of the person's, or to the output for "-".
func saveFile(cmd *cobra.Command, a *app, word, hash, out string) error {
	hash = strings.ToLower(strings.TrimSpace(hash))
	if out == "" && !a.Terminal && !a.json {
		out = "-"
	}
	if len(hash) < 4 || strings.Trim(hash, "0123456789abcdef") != "" || out == "" {
		return usage(cmd, "--file needs the first 4 or more digits of a file's hash, and --out where it goes: a file, or - for the output, which may be left out behind | and >")
	}
	return a.with(cmd.Context(), func(c *client.Client) error {
		id, err := wholeID(cmd.Context(), c, strings.TrimSpace(word), false)
		if err != nil {
			return err
		}
		q := api.FileQuery{ID: id, SHA256: hash}
		if out == "-" {
			if !a.Terminal {
				_, err := c.SessionFile(cmd.Context(), q, a.Stdout)
				return err
			}
			to := &clean{to: a.Stdout}
			_, err := c.SessionFile(cmd.Context(), q, to)
			return errors.Join(err, to.flush())
		}
		n, err := writeFile(cmd.Context(), c, q, out)
		if err != nil {
			return err
		}
		return a.answer(map[string]any{"path": out, "bytes": n}, func(v view) []string {
			return []string{"Wrote " + size(n) + " to " + v.path(text.Line(out)) + "."}
		})
	})
}

// writeFile replaces nothing, and leaves nothing behind that is not whole.
func writeFile(ctx context.Context, c *client.Client, q api.FileQuery, path string) (int64, error) {
	if _, err := os.Lstat(path); err == nil {
		return 0, fmt.Errorf("%s is there already; name another file", path)
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".dormouse-*")
	if err != nil {
		return 0, fmt.Errorf("write %s: %w", path, err)
	}
	defer os.Remove(f.Name()) //nolint:errcheck // it is gone when all went well
	n, err := c.SessionFile(ctx, q, f)
	if err = errors.Join(err, f.Close()); err != nil {
		return n, err
	}
	if err := os.Link(f.Name(), path); err == nil || errors.Is(err, os.ErrExist) {
		return n, err // a link, unlike a rename, replaces nothing
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return n, fmt.Errorf("write %s: %w", path, err)
	}
	return n, nil
}

// longestLine is how much of a line is held back to be cleaned and wrapped as one, in bytes.
const longestLine = 64 << 10

// clean passes a text on in whole lines, harmless for a terminal, each set by lines. A line that is longer than longestLine is set in
// parts. Its end comes with flush.
type clean struct {
	to    io.Writer
	lines func(string) []string // nil leaves them as they are
	held  []byte
}

func (c *clean) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		n := min(len(rest), longestLine)
		c.held, rest = append(c.held, rest[:n]...), rest[n:]
		end := bytes.LastIndexByte(c.held, '\n') + 1
		if end == 0 && len(c.held) >= longestLine {
			end = len(c.held) - cutRune(c.held)
		}
		if err := c.put(end); err != nil {
			return 0, err
		}
	}
	return len(p), nil
}

// put passes the first n bytes on.
func (c *clean) put(n int) error {
	if n == 0 {
		return nil
	}
	s := text.Clean(string(c.held[:n]))
	c.held = append(c.held[:0], c.held[n:]...)
	if c.lines != nil {
		s = strings.Join(c.lines(strings.TrimSuffix(s, "\n")), "\n") + "\n"
	}
	_, err := io.WriteString(c.to, s)
	return err
}

// cutRune is how many bytes at the end belong to a character that goes on.
func cutRune(p []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(p); n++ {
		if at := p[len(p)-n:]; utf8.RuneStart(at[0]) {
			if utf8.FullRune(at) {
				return 0
			}
			return n
		}
	}
	return 0
}

func (c *clean) flush() error { return c.put(len(c.held)) }
