package replay

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"dormouse/service/pager"
)

// Trace is a recorded session: its windows are what lies between two compactions, each a conversation of its own.
type Trace struct {
	ID      string
	Agent   string
	Windows [][]pager.Message
}

type traceLine struct {
	Trace   string       `json:"trace,omitempty"`
	ID      string       `json:"id,omitempty"`
	Agent   string       `json:"agent,omitempty"`
	Talk    string       `json:"talk,omitempty"`
	Role    string       `json:"role"`
	Time    string       `json:"ts,omitempty"`
	Compact bool         `json:"compact,omitempty"`
	Blocks  []traceBlock `json:"blocks"`
}

type traceBlock struct {
	Type  string          `json:"type"`
	Text  string          `json:"text,omitempty"`
	ID    string          `json:"id,omitempty"`
	Name  string          `json:"name,omitempty"`
	Input json.RawMessage `json:"input,omitempty"`
	Error bool            `json:"error,omitempty"`
}

// Read reads a session in 'trace v1': JSON lines of which the first is the head, then a message or the mark of a compaction each. Messages that
// name their talk are of conversations side by side, each a window of its own.
func Read(in io.Reader) (*Trace, error) {
	r := bufio.NewReaderSize(in, 1<<20)
	t := &Trace{}
	head := false
	window := []pager.Message{}
	talks, apart := map[string]int{}, [][]pager.Message{} // conversations that were recorded side by side
	for n := 1; ; n++ {
		line, err := r.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			var l traceLine
			if e := json.Unmarshal(line, &l); e != nil {
				return nil, fmt.Errorf("line %d: %w", n, e)
			}
			switch {
			case !head && l.Trace == "":
				return nil, errors.New("line 1: no head of a trace in the form v1: the field \"trace\" is missing")
			case !head:
				head, t.ID, t.Agent = true, l.ID, l.Agent
			case l.Compact:
				t.Windows = append(t.Windows, window)
				window = nil
			case l.Talk != "":
				at, ok := talks[l.Talk]
				if !ok {
					at = len(apart)
					talks[l.Talk], apart = at, append(apart, nil)
				}
				apart[at] = append(apart[at], l.message())
			default:
				window = append(window, l.message())
			}
		}
		if err == io.EOF && !head {
			return nil, errors.New("line 1: no head of a trace in the form v1: the file is empty")
		}
		if err == io.EOF {
			if len(window) > 0 || len(apart) == 0 {
				t.Windows = append(t.Windows, window)
			}
			t.Windows = append(t.Windows, apart...)
			return t, nil
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
	}
}

func (l traceLine) message() pager.Message {
	m := pager.Message{User: l.Role == "user"}
	m.Time, _ = time.Parse(time.RFC3339Nano, l.Time) // without a time nothing is known of the cache
	for _, b := range l.Blocks {
		switch b.Type {
		case "text":
			m.Blocks = append(m.Blocks, pager.Block{Kind: pager.Text, Text: b.Text})
		case "tool_use":
			m.Blocks = append(m.Blocks, pager.Block{Kind: pager.Call, ID: b.ID, Tool: b.Name, Input: compact(b.Input)})
		default:
			m.Blocks = append(m.Blocks, pager.Block{Kind: pager.Result, ID: b.ID, Text: b.Text, Failed: b.Error})
		}
	}
	return m
}

// Open reads a session from a file, plain or gzipped. Errors name the file and the line.
func Open(path string) (*Trace, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // only read
	var in io.Reader = f
	if strings.HasSuffix(path, ".gz") {
		z, err := gzip.NewReader(f)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		in = z
	}
	t, err := Read(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}
