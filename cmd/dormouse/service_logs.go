package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/spf13/cobra"

	"dormouse/cmd/internal/text"
	"dormouse/service/osservice"
)

// tailBytes is how much of a log is read from its end for the last lines; followLook is how often a followed log is looked at.
const (
	tailBytes  = 4 << 20
	followLook = 500 * time.Millisecond
)

func serviceLogs(a *app) *cobra.Command {
	lines, follow := 0, false
	cmd := &cobra.Command{
		Use:   "logs",
		Short: "The newest lines of the service's log",
		Long: `The newest lines of the service's log, which never holds prompts, replies or the content of files. What systemd says of
it: journalctl --user -u dormouse.

With --json each line is one JSON object with time, level, msg and what else was noted, all as strings; a line of another form is the msg
of its object.`,
		Example: `  dormouse service logs
  dormouse service logs --lines 500
  dormouse service logs --follow
  dormouse service logs --json | jq 'select(.level == "ERROR")'`,
		Args: takes(cobra.NoArgs, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if lines < 1 {
				return usage(cmd, "--lines has to be 1 or more, not %d", lines)
			}
			return a.withService(func(s *hosted) error { return s.logs(cmd.Context(), lines, follow) })
		},
	}
	cmd.Flags().IntVarP(&lines, "lines", "n", 40, "how many lines to show")
	cmd.Flags().BoolVarP(&follow, "follow", "f", false, "show new lines as they come, until Ctrl-C")
	return cmd
}

func (s *hosted) logs(ctx context.Context, lines int, follow bool) error {
	path := s.home.Log()
	end, err := s.printTail(path, lines)
	if errors.Is(err, fs.ErrNotExist) {
		s.a.note("There is no log yet (%s).", s.a.view().path(path))
		if known, err := s.entry.Status(ctx); err == nil && known.Installed && known.State == osservice.Failed {
			s.a.note("What the system says: %s", known.Detail)
		}
		err = nil
	}
	if err != nil || !follow {
		return err
	}
	return s.follow(ctx, path, end)
}

// printTail prints the last lines of a file and returns its length.
func (s *hosted) printTail(path string, lines int) (int64, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close() //nolint:errcheck // only read
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return 0, err
	}
	from := max(0, size-tailBytes)
	data := make([]byte, size-from)
	if _, err := f.ReadAt(data, from); err != nil && !errors.Is(err, io.EOF) {
		return 0, fmt.Errorf("read %s: %w", path, err)
	}
	if from > 0 { // it begins within a line
		data = data[bytes.IndexByte(data, '\n')+1:]
	}
	return size, s.a.printLog(lastLines(data, lines))
}

// lastLines are the last n lines of a text.
func lastLines(data []byte, n int) []byte {
	end := len(bytes.TrimRight(data, "\n"))
	for at := end; ; n-- {
		if n == 0 {
			return data[at+1:]
		}
		if at = bytes.LastIndexByte(data[:at], '\n'); at < 0 {
			return data
		}
	}
}

func (a *app) printLog(data []byte) error {
	if len(data) == 0 {
		return nil
	}
	if a.json {
		return a.printLogJSON(data)
	}
	_, err := io.WriteString(a.Stdout, text.Clean(string(data)))
	return err
}

// follow prints what is added to a log. A log that has become shorter was rotated and is read from its start.
func (s *hosted) follow(ctx context.Context, path string, at int64) error {
	look := time.NewTicker(followLook)
	defer look.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-look.C:
		}
		info, err := os.Stat(path)
		if err != nil || info.Size() == at {
			continue // in the middle of a rotation, or nothing new
		}
		if info.Size() < at {
			at = 0
		}
		data, err := readFrom(path, at)
		if err != nil {
			return err
		}
		end := bytes.LastIndexByte(data, '\n') + 1 // whole lines
		if end == 0 && len(data) == tailBytes {
			end = len(data) // of a line that is longer than what is read at once
		}
		at += int64(end)
		if err := s.a.printLog(data[:end]); err != nil {
			return err
		}
	}
}

func readFrom(path string, at int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // only read
	if _, err := f.Seek(at, io.SeekStart); err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(f, tailBytes))
}
