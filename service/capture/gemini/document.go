package gemini

import (
	"context"
	"io"
	"path/filepath"
	"strings"

	"dormouse/service/capture/chain"
	"dormouse/service/capture/document"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
	"github.com/tidwall/gjson"
)

// Of is the library that a file belongs to: a chat that is one document is one of its own.
func Of(path string) string {
	if filepath.Ext(path) == ".json" {
		return path
	}
	return ""
}

// Open opens a chat that is written anew with each message.
func Open(path string, o transcript.Options) (transcript.Library, error) {
	return OpenAs(Agent)(path, o)
}

// OpenAs opens the documents of another agent that keeps its chats as this one did.
func OpenAs(agent string) func(path string, o transcript.Options) (transcript.Library, error) {
	read := func(ctx context.Context, path string, in io.ReadSeeker, how transcript.Settle, o transcript.Options, use func(memory.Node) error) (transcript.Facts, error) {
		return readDocument(ctx, newParser(agent, o), path, in, how, use)
	}
	return func(path string, o transcript.Options) (transcript.Library, error) {
		return document.Format{Session: sessionOf, Updated: updatedOf, Read: read}.Open(path, o), nil
	}
}

func sessionOf(path string, head []byte) string {
	return first(gjson.GetBytes(head, "sessionId").String(), strings.TrimSuffix(filepath.Base(path), ".json"))
}

func updatedOf(head []byte) int64 {
	return transcript.Unix(gjson.GetBytes(head, "lastUpdated").String())
}

// drainEvery is after how many messages of a document their nodes are handed on.
const drainEvery = 50

// about are the fields of a document that tell of the chat.
var about = map[string]bool{"startTime": true, "directories": true, "summary": true}

func readDocument(ctx context.Context, p *Parser, path string, in io.ReadSeeker, how transcript.Settle, use func(memory.Node) error) (transcript.Facts, error) {
	p.Open(transcript.File{Path: path, Cwd: projectRoot(filepath.Dir(path), document.Small)})
	c, n := p.files[path], 0
	err := document.Source{File: path, In: in, Opts: p.opts}.Elements(map[string]bool{"messages": true}, func(name string, raw []byte) {
		if about[name] {
			c.about(gjson.Parse(`{"` + name + `":` + string(raw) + `}`))
		}
	}, func(raw []byte) error {
		n++
		m := gjson.ParseBytes(raw)
		p.b.Look(m.Raw)
		c.message(chain.At{File: path, Line: n}, m)
		if n%drainEvery != 0 && len(raw) < document.Much {
			return nil
		}
		return document.HandOn(ctx, p.Drain(transcript.Growing), use)
	})
	if err == nil {
		err = document.HandOn(ctx, p.Drain(how), use)
	}
	return p.Facts(), err
}
