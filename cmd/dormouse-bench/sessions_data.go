package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"dormouse/store/memory"
)

// Sizes of texts, in bytes: medians and spreads of what agents' transcripts hold. A node's JSON is 3 KB in the mean.
const (
	promptMedian, answerMedian, resultMedian = 160, 700, 1300
	textSpread                               = 1.25
	textMost                                 = 200_000
	nodesATurn                               = 5
)

// firstTime is when the made-up sessions begin, in Unix seconds.
const firstTime = 1_750_000_000

// turn makes the nodes of one turn of a session: a prompt, an answer, two calls, an answer. parent is the node before.
func (c *corpus) turn(session, turn int, parent memory.Ref) []memory.Node {
	out := make([]memory.Node, nodesATurn)
	for i := range out {
		n := &out[i]
		n.ID = memory.NodeID("bench", fmt.Sprint(session), fmt.Sprint(turn), fmt.Sprint(i))
		n.ParentID, n.CreatedAt = parent, int64(firstTime+60*turn+i)
		switch i {
		case 0:
			n.Role, n.Metadata.Kind, n.Output = memory.RoleUser, memory.KindPrompt, c.piece(c.size(promptMedian, textSpread, textMost))
		case 1, 4:
			n.Role, n.Metadata.Model, n.Output = memory.RoleAssistant, "m-1", c.piece(c.size(answerMedian, textSpread, textMost))
		default:
			n.Role, n.Name, n.CalledBy = memory.RoleTool, "Bash", memory.Ref(out[1].ID)
			n.Input, _ = json.Marshal(map[string]string{"command": c.line(120)})
			n.Output = c.piece(c.size(resultMedian, textSpread, textMost))
		}
		parent = memory.Ref(n.ID)
	}
	return out
}

// writeTranscript writes a session as Claude Code would, and returns how many bytes it has.
func (c *corpus) writeTranscript(path string, session, nodes int) (int64, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return 0, err
	}
	f, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	defer f.Close() //nolint:errcheck // checked below
	w := &transcriptWriter{c: c, out: bufio.NewWriterSize(f, 1<<20), session: sessionUUID(session)}
	for turn := 1; nodes > 0; turn++ {
		w.turn(turn, min(nodes, nodesATurn))
		nodes -= nodesATurn
	}
	if err := w.out.Flush(); err != nil {
		return 0, err
	}
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), f.Close()
}

// sessionUUID is the id that a made-up session's agent gave it.
func sessionUUID(n int) string { return fmt.Sprintf("%08x-1111-4222-8333-%012x", n, n) }

// transcriptWriter writes the records of one transcript.
type transcriptWriter struct {
	c       *corpus
	out     *bufio.Writer
	session string
	records int
	last    string // id of the record before
}

// turn writes up to five nodes: a prompt, an answer, two calls with their results, an answer.
func (w *transcriptWriter) turn(turn, nodes int) {
	at := time.Unix(firstTime+int64(60*turn), 0).UTC()
	for i := range nodes {
		message := fmt.Sprintf("msg_%s_%d_%d", w.session[:8], turn, i)
		switch i {
		case 0:
			w.record("user", at, map[string]any{"role": "user", "content": w.c.piece(w.c.size(promptMedian, textSpread, textMost))}, nil)
		case 1, 4:
			text := map[string]string{"type": "text", "text": w.c.piece(w.c.size(answerMedian, textSpread, textMost))}
			w.record("assistant", at, assistantMessage(message, text), nil)
		default:
			call := fmt.Sprintf("toolu_%s_%d_%d", w.session[:8], turn, i)
			use := map[string]any{"type": "tool_use", "id": call, "name": "Bash", "input": map[string]string{"command": w.c.line(120)}}
			w.record("assistant", at, assistantMessage(fmt.Sprintf("msg_%s_%d_1", w.session[:8], turn), use), nil)
			text := w.c.piece(w.c.size(resultMedian, textSpread, textMost))
			result := map[string]any{"type": "tool_result", "tool_use_id": call, "content": text}
			w.record("user", at, map[string]any{"role": "user", "content": []any{result}}, map[string]any{"stdout": text, "stderr": "", "interrupted": false})
		}
		at = at.Add(time.Second)
	}
}

func assistantMessage(id string, block any) map[string]any {
	return map[string]any{"id": id, "type": "message", "role": "assistant", "model": "m-1", "content": []any{block},
		"usage": map[string]int{"input_tokens": 3, "output_tokens": 200}}
}

func (w *transcriptWriter) record(kind string, at time.Time, message, result any) {
	w.records++
	id := fmt.Sprintf("%s-%06d", w.session[:8], w.records)
	r := map[string]any{"type": kind, "uuid": id, "parentUuid": nil, "sessionId": w.session, "cwd": "/home/dev/app", "gitBranch": "main",
		"version": "2.1.0", "isSidechain": false, "userType": "external", "timestamp": at.Format("2006-01-02T15:04:05.000Z"), "message": message}
	if w.last != "" {
		r["parentUuid"] = w.last
	}
	if result != nil {
		r["toolUseResult"] = result
	}
	line, _ := json.Marshal(r) // maps of plain values always encode
	_, _ = w.out.Write(append(line, '\n'))
	w.last = id
}
