package main

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dormouse/service/capture/claudecode"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
)

// traceHead is the first line of a session in 'trace v1', the common form of sessions of several agents.
type traceHead struct {
	Trace   string `json:"trace"`
	ID      string `json:"id"`
	Project string `json:"project"`
	Cwd     string `json:"cwd"`
	Start   string `json:"start"`
	Model   string `json:"model"`
}

// traceLine is one message of a trace, or the mark of a compaction.
type traceLine struct {
	Role   string       `json:"role"`
	Time   string       `json:"ts"`
	Blocks []traceBlock `json:"blocks"`
}

type traceBlock struct {
	Type  string          `json:"type"` // text, tool_use, tool_result
	Text  string          `json:"text"`
	ID    string          `json:"id"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
	Error bool            `json:"error"`
}

// readSessions reads the agents' own transcripts below a folder, or sessions in trace v1 where there are none.
func readSessions(dir string) (*transcripts, error) {
	t, err := readTranscripts(dir)
	if errors.Is(err, errNoTranscripts) {
		return readTraces(dir)
	}
	return t, err
}

// readTraces reads all sessions in trace v1 below a folder, plain or gzipped: each is written as Claude Code would write it, line
// by line, and read by the product's parser.
func readTraces(dir string) (*transcripts, error) {
	t := &transcripts{sessions: map[string]*benchSession{}}
	tmp, err := os.MkdirTemp("", "dormouse-bench-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for transcripts: %w", err)
	}
	defer os.RemoveAll(tmp) //nolint:errcheck // a temporary folder
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(strings.TrimSuffix(path, ".gz"), ".jsonl") {
			return err
		}
		return t.readTrace(path, tmp)
	})
	if err != nil {
		return nil, fmt.Errorf("read traces below %s: %w", dir, err)
	}
	if len(t.sessions) == 0 {
		return nil, fmt.Errorf("no transcripts and no sessions in trace v1 below %s", dir)
	}
	return t, nil
}

// readTrace adds one session. A file that is no trace is passed over.
func (t *transcripts) readTrace(path, tmp string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // only read
	var in io.Reader = f
	if strings.HasSuffix(path, ".gz") {
		z, err := gzip.NewReader(f)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		in = z
	}
	r := bufio.NewReaderSize(in, 1<<20)
	head, err := traceHeadOf(r)
	if err != nil || head == nil {
		return err
	}
	out := filepath.Join(tmp, head.ID+".jsonl")
	if err := convertTrace(r, head, out, path); err != nil {
		return err
	}
	a := adapters()[slices.IndexFunc(adapters(), func(a adapter) bool { return a.agent == claudecode.Agent })]
	file, ok, err := identify(a, out)
	if err != nil || !ok {
		return err
	}
	if err := t.parse(a, head.ID, []transcript.File{file}); err != nil {
		return err
	}
	// A project is one, whichever of its worktrees was worked in; these folders are not here for git to tell.
	if s := t.sessions[memory.SessionID(a.prefix, a.agent, head.ID, 8)]; s != nil && head.Project != "" {
		s.meta.ProjectID = memory.Slug(head.Project)
	}
	return os.Remove(out)
}

func traceHeadOf(r *bufio.Reader) (*traceHead, error) {
	line, err := r.ReadBytes('\n')
	if err != nil && err != io.EOF {
		return nil, err
	}
	var h traceHead
	if json.Unmarshal(line, &h) != nil || h.Trace != "v1" || h.ID == "" {
		return nil, nil
	}
	return &h, nil
}

// convertTrace writes the lines of a trace as records of Claude Code. A record's id names the session and the line in the trace, from
// L2, and which of the line's records it is.
func convertTrace(r *bufio.Reader, h *traceHead, out, path string) error {
	f, err := os.Create(out)
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // closed below
	w := &traceWriter{head: h, out: bufio.NewWriter(f), line: 1}
	for {
		raw, err := r.ReadBytes('\n')
		w.line++
		if len(raw) > 0 {
			var l traceLine
			if jerr := json.Unmarshal(raw, &l); jerr != nil {
				return fmt.Errorf("%s, line %d: %w", path, w.line, jerr)
			}
			w.write(&l)
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	if err := w.out.Flush(); err != nil {
		return err
	}
	return f.Close()
}

// traceWriter writes the records of one session.
type traceWriter struct {
	head *traceHead
	out  *bufio.Writer
	line int
	last string
}

func (w *traceWriter) write(l *traceLine) {
	var results, rest []map[string]any
	var texts []string
	for _, b := range l.Blocks {
		switch b.Type {
		case "tool_result":
			results = append(results, map[string]any{"type": b.Type, "tool_use_id": b.ID, "content": b.Text, "is_error": b.Error})
		case "tool_use":
			rest = append(rest, map[string]any{"type": b.Type, "id": b.ID, "name": b.Name, "input": b.Input})
		default:
			rest = append(rest, map[string]any{"type": "text", "text": b.Text})
			texts = append(texts, b.Text)
		}
	}
	switch l.Role {
	case "assistant":
		w.record(l, "", map[string]any{"id": fmt.Sprintf("msg_%s_%d", w.head.ID, w.line), "type": "message", "role": "assistant", "model": w.head.Model, "content": rest})
	case "user":
		for i, r := range results {
			w.record(l, fmt.Sprintf("r%d", i), map[string]any{"role": "user", "content": []any{r}})
		}
		for i, s := range texts {
			w.record(l, fmt.Sprintf("t%d", i), map[string]any{"role": "user", "content": s})
		}
	}
}

// traceLineEnd divides the session from the line in an id.
const traceLineEnd = "#"

// traceLineOf is the line of the trace that an id of convertTrace names, as the scorer knows it; other ids stay as they are.
func traceLineOf(id string) string {
	_, line, ok := strings.Cut(id, traceLineEnd+"L")
	if !ok {
		return id
	}
	if k := strings.IndexAny(line, "rt"); k >= 0 {
		line = line[:k]
	}
	return "L" + line
}

func (w *traceWriter) record(l *traceLine, part string, message map[string]any) {
	id := fmt.Sprintf("%s%sL%d%s", w.head.ID, traceLineEnd, w.line, part)
	rec := map[string]any{"type": l.Role, "uuid": id, "parentUuid": nil, "sessionId": w.head.ID, "cwd": w.head.Cwd, "version": "2.1.0",
		"isSidechain": false, "userType": "external", "timestamp": l.Time, "message": message}
	if w.last != "" {
		rec["parentUuid"] = w.last
	}
	line, _ := json.Marshal(rec) // maps of decoded values always encode
	_, _ = w.out.Write(append(line, '\n'))
	w.last = id
}
