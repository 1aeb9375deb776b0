package main

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"

	"dormouse/service/capture/aider"
	"dormouse/service/capture/amp"
	"dormouse/service/capture/chatgpt"
	"dormouse/service/capture/claudeai"
	"dormouse/service/capture/claudecode"
	"dormouse/service/capture/cline"
	"dormouse/service/capture/codex"
	"dormouse/service/capture/cursor"
	"dormouse/service/capture/gemini"
	"dormouse/service/capture/goose"
	"dormouse/service/capture/opencode"
)

// largeForm is one way in which an agent's input can be large.
type largeForm struct {
	agent string
	path  string // below the agent's folder
	write func(path string, bytes int64) error
	given bool // it is an export that the person hands over, and lies in no agent's folder
}

// capture reads the input and returns the seconds of CPU.
func (f largeForm) capture(r *captureRun, path string) (float64, error) {
	if !f.given {
		return r.scan()
	}
	begin := cpuSeconds()
	_, err := r.engine.Import(context.Background(), path)
	return cpuSeconds() - begin, err
}

// largeForms are the forms by name: many parts of a usual size, and single parts of any size.
func largeForms() map[string]largeForm {
	const claude, amps = "-home-dev-app/00000001-1111-4222-8333-000000000001.jsonl", "threads/T-1.json"
	tasks, chats := "tasks/1760000000000/api_conversation_history.json", "tmp/app/chats/session-2026-01-01T00-00-1.json"
	return map[string]largeForm{
		"claude-lines":     {agent: claudecode.Agent, path: claude, write: inParts("", claudeLine, "")},
		"claude-result":    {agent: claudecode.Agent, path: claude, write: single(claudeHead, claudeTail+"\n")},
		"claude-strings":   {agent: claudecode.Agent, path: claude, write: strung(claudeHead, claudeTail+"\n")},
		"claude-noise":     {agent: claudecode.Agent, path: claude, write: single(claudeLine(0)+"\n", "")},
		"codex-packed":     {agent: codex.Agent, path: codexPath, write: packed(single(codexHead, codexTail+"\n"))},
		"gemini-messages":  {agent: gemini.Agent, path: chats, write: inParts(geminiHead, geminiMessage, geminiEnd)},
		"gemini-text":      {agent: gemini.Agent, path: chats, write: single(geminiHead+geminiOne, geminiOneEnd+geminiEnd)},
		"gemini-strings":   {agent: gemini.Agent, path: chats, write: strung(geminiHead+geminiOne, geminiOneEnd+geminiEnd)},
		"gemini-field":     {agent: gemini.Agent, path: chats, write: single(`{"sessionId":"g","summary":"`, `",`+geminiHead[1:]+geminiMessage(0)+geminiEnd)},
		"amp-messages":     {agent: amp.Agent, path: amps, write: inParts(ampHead, ampMessage, "]}")},
		"amp-text":         {agent: amp.Agent, path: amps, write: single(ampHead+ampMessage(0)+`,{"role":"user","messageId":1,"content":[{"type":"text","text":"`, `"}]}]}`)},
		"cline-messages":   {agent: cline.Cline.Agent, path: tasks, write: inParts("[", clineMessage, "]")},
		"cline-text":       {agent: cline.Cline.Agent, path: tasks, write: single("["+clineMessage(0)+`,{"role":"assistant","content":[{"type":"text","text":"`, `"}]}]`)},
		"aider-runs":       {agent: aider.Agent, path: aider.FileName, write: inParts("", aiderRun, "")},
		"aider-run":        {agent: aider.Agent, path: aider.FileName, write: lines("# aider chat started at 2025-01-01 05:21:00\n\n#### go  \n\n")},
		"aider-line":       {agent: aider.Agent, path: aider.FileName, write: single("# aider chat started at 2025-01-01 05:21:00\n\n#### go  \n\n", "\n")},
		"opencode-parts":   {agent: opencode.OpenCode.Agent, path: "opencode.db", write: rows(opencodeTables, opencodeRow(16<<10))},
		"opencode-part":    {agent: opencode.OpenCode.Agent, path: "opencode.db", write: rows(opencodeTables, opencodeRow(60e6))},
		"opencode-message": {agent: opencode.OpenCode.Agent, path: "opencode.db", write: rows(opencodeTables, opencodeOne(1e6))},
		"opencode-tree":    {agent: opencode.OpenCode.Agent, path: "storage/part/msg_1/prt_1.json", write: inTree},
		"goose-messages":   {agent: goose.Agent, path: "sessions/sessions.db", write: rows(gooseTables, gooseRow(16<<10))},
		"goose-message":    {agent: goose.Agent, path: "sessions/sessions.db", write: rows(gooseTables, gooseRow(60e6))},
		"cursor-bubbles":   {agent: cursor.Agent, path: "globalStorage/state.vscdb", write: cursorRows(16 << 10)},
		"cursor-bubble":    {agent: cursor.Agent, path: "globalStorage/state.vscdb", write: cursorRows(60e6)},
		"chatgpt-many":     {agent: chatgpt.Agent, path: "conversations.json", given: true, write: inParts("[", chatgptOne, "]")},
		"chatgpt-text":     {agent: chatgpt.Agent, path: "conversations.json", given: true, write: single("["+chatgptHead(1), chatgptTail+"]")},
		"claudeai-many":    {agent: claudeai.Agent, path: "conversations.json", given: true, write: inParts("[", claudeaiOne, "]")},
		"claudeai-text":    {agent: claudeai.Agent, path: "conversations.json", given: true, write: single("["+claudeaiHead(1), claudeaiTail+"]")},
	}
}

const codexPath = "sessions/2026/01/01/rollout-2026-01-01T00-00-00-019f1111-2222-7333-8444-555555555555.jsonl.zst"

// words is a text of about n bytes without anything that JSON escapes; i makes it another one.
func words(i, n int) string {
	var b strings.Builder
	for b.Len() < n {
		fmt.Fprintf(&b, "the build of part %d took %d ms and left %d files in the folder of step %d; ", i, b.Len()%977, b.Len()%89, b.Len()%13)
	}
	return b.String()
}

// written makes a file of what fill writes.
func written(path string, fill func(w *bufio.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	return errors.Join(fill(w), w.Flush(), f.Close())
}

// inParts writes parts between a head and a tail, with the comma or the line's end that parts them.
func inParts(head string, part func(i int) string, tail string) func(string, int64) error {
	between := "\n"
	if head != "" {
		between = ","
	}
	return func(path string, bytes int64) error {
		return written(path, func(w *bufio.Writer) error {
			_, _ = w.WriteString(head) // bufio keeps the error for Flush
			for i, n := 0, int64(0); n < bytes; i++ {
				s := part(i)
				if i > 0 {
					s = between + s
				}
				_, _ = w.WriteString(s)
				n += int64(len(s))
			}
			if head == "" {
				tail = "\n"
			}
			_, err := w.WriteString(tail)
			return err
		})
	}
}

// filled writes one piece again and again between a head and a tail.
func filled(head, piece, tail string) func(string, int64) error {
	return func(path string, bytes int64) error {
		return written(path, func(w *bufio.Writer) error {
			_, _ = w.WriteString(head) // bufio keeps the error for Flush
			for n := int64(0); n < bytes; n += int64(len(piece)) {
				_, _ = w.WriteString(piece)
			}
			_, err := w.WriteString(tail)
			return err
		})
	}
}

// single writes one text of the whole size, strung many short ones beside each other, lines many lines.
func single(head, tail string) func(string, int64) error {
	return filled(head, words(1, 1<<16), tail)
}

func strung(head, tail string) func(string, int64) error {
	return filled(head, words(1, 100)+`","`, tail)
}

func lines(head string) func(string, int64) error { return filled(head, words(1, 200)+"\n", "") }

// inTree writes a part of a message of opencode's tree, and the message.
func inTree(path string, bytes int64) error {
	message := filepath.Join(filepath.Dir(path), "../../message/ses_1/msg_1.json")
	if err := os.MkdirAll(filepath.Dir(message), 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(message, []byte(`{"id":"msg_1","role":"user","time":{"created":1760000000000}}`), 0o600); err != nil {
		return err
	}
	return single(`{"id":"prt_1","type":"text","text":"`, `"}`)(path, bytes)
}

// packed compresses what another one writes.
func packed(write func(string, int64) error) func(string, int64) error {
	return func(path string, bytes int64) error {
		plain := path + ".plain"
		if err := write(plain, bytes); err != nil {
			return err
		}
		defer os.Remove(plain) //nolint:errcheck // its folder is removed
		in, err := os.Open(plain)
		if err != nil {
			return err
		}
		defer in.Close() //nolint:errcheck // opened for reading
		return written(path, func(w *bufio.Writer) error {
			z, err := zstd.NewWriter(w)
			if err != nil {
				return err
			}
			_, err = in.WriteTo(z)
			return errors.Join(err, z.Close())
		})
	}
}

// rows writes a database: row gives the statements and arguments of the n-th row, of about as many bytes as it says and not more than most.
func rows(tables string, row func(n, most int) (statements [][]any, bytes int)) func(string, int64) error {
	return func(path string, bytes int64) (err error) {
		db, err := sql.Open("sqlite", "file:"+path)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, db.Close()) }()
		db.SetMaxOpenConns(1)
		if _, err := db.Exec("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; " + tables); err != nil {
			return err
		}
		for i, n := 0, int64(0); n < bytes; i++ {
			statements, size := row(i, int(bytes))
			for _, s := range statements {
				if _, err := db.Exec(s[0].(string), s[1:]...); err != nil {
					return err
				}
			}
			n += int64(size)
		}
		return nil
	}
}
