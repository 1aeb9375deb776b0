package cline

import (
	"context"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"dormouse/service/capture/blocks"
	"dormouse/service/capture/chain"
	"dormouse/service/capture/document"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
	"github.com/tidwall/gjson"
)

func sessionOf(path string, head []byte) string {
	return first(gjson.GetBytes(head, "sessionId").String(), strings.TrimSuffix(filepath.Base(path), messagesSuffix))
}

func updatedOf(head []byte) int64 {
	return transcript.Unix(gjson.GetBytes(head, "updated_at").String())
}

// session is a session of the newer store that is being read.
type session struct {
	b       *chain.Session
	path    string
	summary gjson.Result // of a compaction that has no place yet
	n       int
}

// readSession reads a session of the newer store.
func (v Variant) readSession(ctx context.Context, path string, in io.ReadSeeker, how transcript.Settle, o transcript.Options, use func(memory.Node) error) (transcript.Facts, error) {
	s := &session{b: chain.New(v.Agent, o), path: path}
	s.manifest(gjson.ParseBytes(document.Small(strings.TrimSuffix(path, messagesSuffix) + ".json")))
	s.summary = gjson.ParseBytes(document.Small(strings.TrimSuffix(path, messagesSuffix) + compactSuffix)).Get("messages.0")
	var last []byte
	err := document.Source{File: path, In: in, Opts: o}.Elements(map[string]bool{"messages": true}, func(string, []byte) {}, func(raw []byte) error {
		if last != nil {
			s.message(last)
		}
		last = raw
		if s.n%drainEvery != 0 && len(raw) < document.Much {
			return nil
		}
		return document.HandOn(ctx, s.b.Drain(transcript.Growing), use)
	})
	if err == nil && last != nil && how != transcript.Growing {
		s.message(last)
		s.compact(0)
	}
	if err == nil {
		err = document.HandOn(ctx, s.b.Drain(how), use)
	}
	return s.b.Facts, err
}

// manifest takes what the document beside the messages says of the session.
func (s *session) manifest(m gjson.Result) {
	f := &s.b.Facts
	f.Cwd = strings.Clone(first(m.Get("cwd").String(), m.Get("workspace_root").String()))
	s.b.Main().Cwd = f.Cwd
	s.b.Main().Model = strings.Clone(m.Get("model").String())
	s.b.Seen(transcript.Unix(m.Get("started_at").String()))
	f.ForkOf = strings.Clone(m.Get("metadata.fork.forkedFromSessionId").String())
	if t := m.Get("metadata.title").String(); t != "" {
		f.Title, f.TitleBy = strings.Clone(t), "agent"
	}
}

// compact takes the newest compaction, when the messages have come to its time; 0 is the end.
func (s *session) compact(ms int64) {
	m := s.summary.Get("metadata")
	made := m.Get("generatedAt").Int()
	if m.Get("kind").String() != "compaction_summary" || ms > 0 && ms < made {
		return
	}
	at := chain.At{File: s.path, Line: s.n, Time: made / 1000, Source: s.summary.Get("id").String()}
	s.b.Main().Compact(at, m.Get("summary").String(), memory.Compaction{PreTokens: m.Get("tokensBefore").Int()}, s.summary.Get("id").String(), "compaction")
	s.summary = gjson.Result{}
}

// message takes one message.
func (s *session) message(raw []byte) {
	m := gjson.ParseBytes(raw)
	s.b.Look(m.Raw)
	ms := m.Get("ts").Int()
	s.compact(max(ms, 1))
	s.n++
	main, id := s.b.Main(), m.Get("id").String()
	at := chain.At{File: s.path, Line: s.n, Time: ms / 1000, Source: first(id, strconv.Itoa(s.n-1))}
	c := blocks.Anthropic(m.Get("content"))
	key := []string{first(id, hash(m.Raw)), m.Get("role").String()}
	switch m.Get("role").String() {
	case "assistant":
		text := c.Text()
		main.Say(at, chain.Message{Text: text, Thinking: c.Thinking(), Images: c.Images, Calls: c.Calls, Version: hash(text),
			Model: m.Get("modelInfo.id").String(), Usage: metrics(m.Get("metrics"))}, key...)
		main.Close()
	case "user":
		for _, r := range c.Results {
			r.Source = at.Source
			if strings.Contains(r.Text[:min(len(r.Text), 4096)], `"success":false`) {
				r.Status = memory.StatusError
			}
			s.b.Answer(main, at, r.CallID, r.Result)
		}
		s.user(at, m, &c, append(key, hash(c.Text())))
	default:
		s.b.Unknown(at, m.Get("role").String(), len(raw))
	}
}

// user takes the texts of a message of the person. Files that the client read for it stand beside them.
func (s *session) user(at chain.At, m gjson.Result, c *blocks.Content, key []string) {
	main := s.b.Main()
	var files []string
	m.Get("content").ForEach(func(_, b gjson.Result) bool {
		if b.Get("type").String() == "file" {
			files = append(files, b.Get("path").String()+"\n"+b.Get("content").String())
		}
		return true
	})
	if kind := m.Get("metadata.kind").String(); kind == "compaction_summary" {
		main.Compact(at, c.Text(), memory.Compaction{PreTokens: m.Get("metadata.tokensBefore").Int()}, key...)
		return
	}
	if len(c.Texts) > 0 {
		main.GiveUp(memory.StatusPending)
	}
	main.Client(at, memory.KindHarness, strings.Join(files, "\n\n"), append(key, "files")...)
	main.Prompt(at, c.Text(), c.Images, append(key, "prompt")...)
}

// metrics are the tokens of a message; what came from a cache counts as input too.
func metrics(m gjson.Result) *memory.Usage {
	if !m.IsObject() {
		return nil
	}
	read, write := m.Get("cacheReadTokens").Int(), m.Get("cacheWriteTokens").Int()
	return &memory.Usage{Input: max(m.Get("inputTokens").Int()-read-write, 0), CacheRead: read, CacheWrite: write, Output: m.Get("outputTokens").Int()}
}
