package proxy

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"hash"
	"regexp"
	"slices"
	"strings"

	"dormouse/service/pager"
)

// talkOf reads a request of a form.
func talkOf(f form, doc []byte) (*talk, error) {
	t, err := readTalk(f, doc)
	if err == nil {
		t.form = f
	}
	return t, err
}

func readTalk(f form, doc []byte) (*talk, error) {
	root, err := spansOf(doc)
	if errors.Is(err, errTwice) {
		return nil, doubtShape
	}
	if err != nil || root.kind != '{' {
		return nil, doubtJSON
	}
	switch f {
	case chat:
		return chatTalk(doc, root)
	case responses:
		return responsesTalk(doc, root)
	case generate:
		return geminiTalk(doc, root)
	}
	return anthropicTalk(doc, root)
}

// openAIReader reads the formats in which each result and each call is an entry of its own. What one side says in a row is one message.
type openAIReader struct {
	doc   []byte
	talk  *talk
	sum   hash.Hash
	calls map[string]bool // by id, whether it is answered
	entry int             // that is read
}

func newOpenAIReader(doc []byte, root span) *openAIReader {
	return &openAIReader{doc: doc, talk: &talk{doc: doc, model: root.field("model").text(doc), root: root}, calls: map[string]bool{}}
}

// side begins a message where the other side spoke before, and adds an entry to its sum.
func (r *openAIReader) side(user bool, entry span) *said {
	if k := len(r.talk.said); k == 0 || r.talk.said[k-1].User != user {
		r.close()
		r.talk.said = append(r.talk.said, said{Message: pager.Message{User: user}, from: r.entry})
		r.sum = sha256.New()
	}
	part(r.sum, "", entry.raw(r.doc))
	s := &r.talk.said[len(r.talk.said)-1]
	s.to = r.entry + 1
	return s
}

func (r *openAIReader) close() {
	if k := len(r.talk.said); k > 0 {
		copy(r.talk.said[k-1].digest[:], r.sum.Sum(nil))
	}
}

func (r *openAIReader) add(s *said, b pager.Block, at place, texts ...span) {
	s.Blocks, s.texts = append(s.Blocks, b), append(s.texts, texts)
	r.talk.places = append(r.talk.places, at)
}

// call takes a call whose arguments are a string. at is where they may be replaced.
func (r *openAIReader) call(s *said, id, tool string, arguments string, at place) error {
	if _, twice := r.calls[id]; twice || id == "" {
		return doubtResult
	}
	r.calls[id] = false
	b := pager.Block{Kind: pager.Call, ID: id, Tool: tool, Input: json.RawMessage(arguments)}
	b.Fixed = at.as == asNothing || !json.Valid(b.Input)
	r.add(s, b, at)
	return nil
}

// result takes the result of a call that was not answered yet.
func (r *openAIReader) result(s *said, id string, content span, kind string, as shape) error {
	if answered, known := r.calls[id]; !known || answered {
		return doubtResult
	}
	r.calls[id] = true
	b := pager.Block{Kind: pager.Result, ID: id}
	switch {
	case content.kind == '"':
		b.Failed = failed(content.text(r.doc))
		r.add(s, b, place{content.at, content.end, asText}, content)
	case content.kind == '[' && onlyOf(r.doc, content, kind):
		var texts []span
		for _, kid := range content.kids {
			texts = append(texts, kid.field("text"))
			b.Failed = b.Failed || failed(kid.field("text").text(r.doc))
		}
		r.add(s, b, place{content.at, content.end, as}, texts...)
	default: // an image, or nothing
		b.Fixed = true
		r.add(s, b, place{}, content)
	}
	return nil
}

// onlyOf reports whether an array holds texts of a kind alone, and any.
func onlyOf(doc []byte, list span, kind string) bool {
	for _, b := range list.kids {
		if b.kind != '{' || len(b.keys) != 2 || b.field("type").text(doc) != kind || b.field("text").kind != '"' {
			return false
		}
	}
	return len(list.kids) > 0
}

// exitCode is how agents write down that a command failed, before or after its output.
var exitCode = regexp.MustCompile(`(?i)(exit(ed with)?[ _]code"?[: ]+|exit status )-?[1-9]`)

// failed reports whether a result reports a failure, as far as its text shows it: these formats have no field for that.
func failed(text string) bool {
	const look = 300
	head, tail := text[:min(look, len(text))], text[max(0, len(text)-look):]
	return strings.HasPrefix(strings.ToLower(strings.TrimSpace(head)), "error") || exitCode.MatchString(head) || exitCode.MatchString(tail)
}

// chatFields are those of messages that are known, of OpenAI and of others that speak its Chat Completions.
var chatFields = []string{"role", "content", "name", "tool_calls", "tool_call_id", "refusal", "annotations", "audio", "reasoning", "reasoning_content",
	"reasoning_details", "cache_control"}

// chatTalk reads a request of OpenAI's Chat Completions.
func chatTalk(doc []byte, root span) (*talk, error) {
	list := root.field("messages")
	switch {
	case list.kind != '[' || len(list.kids) == 0:
		return nil, doubtShape
	case len(list.kids) > maxMessages:
		return nil, doubtMany
	}
	r := newOpenAIReader(doc, root)
	r.talk.list = list
	for i, m := range list.kids {
		r.entry = i
		if err := r.chatMessage(m); err != nil {
			return nil, err
		}
	}
	r.close()
	return r.talk, nil
}

func (r *openAIReader) chatMessage(m span) error {
	if m.kind != '{' || slices.ContainsFunc(m.keys, func(k string) bool { return !slices.Contains(chatFields, k) }) {
		return doubtShape
	}
	content := m.field("content")
	switch role := m.field("role").text(r.doc); role {
	case "system", "developer", "user":
		r.add(r.side(true, m), pager.Block{Kind: pager.Text}, place{}, content)
	case "tool":
		return r.result(r.side(true, m), m.field("tool_call_id").text(r.doc), content, "text", asBlocks)
	case "assistant":
		s := r.side(false, m)
		if content.kind == '"' || content.kind == '[' {
			r.add(s, pager.Block{Kind: pager.Text}, place{}, content)
		}
		for _, c := range m.field("tool_calls").kids {
			f := c.field("function")
			a := f.field("arguments")
			if c.field("type").text(r.doc) != "function" || a.kind != '"' {
				return doubtBlock
			}
			if err := r.call(s, c.field("id").text(r.doc), f.field("name").text(r.doc), a.text(r.doc), place{a.at, a.end, asText}); err != nil {
				return err
			}
		}
	default:
		return doubtShape
	}
	return nil
}

// responsesTalk reads a request of OpenAI's Responses.
func responsesTalk(doc []byte, root span) (*talk, error) {
	for _, f := range []string{"previous_response_id", "conversation", "context_management", "prompt"} {
		if k := root.field(f).kind; k != 0 && k != 'n' {
			return nil, doubtManaged
		}
	}
	list := root.field("input")
	switch {
	case list.kind == '"':
		list.kids = []span{list}
	case list.kind != '[' || len(list.kids) == 0:
		return nil, doubtShape
	case len(list.kids) > maxMessages:
		return nil, doubtMany
	}
	r := newOpenAIReader(doc, root)
	r.talk.list = list
	for i, m := range list.kids {
		r.entry = i
		if err := r.item(m); err != nil {
			return nil, err
		}
	}
	r.close()
	return r.talk, nil
}

// passiveItems are entries of Responses that are never changed and take part in nothing.
var passiveItems = []string{"reasoning", "web_search_call", "file_search_call", "code_interpreter_call", "image_generation_call"}

// item reads one entry. What the model said or called stays as it is, since it may be signed; results may be shortened.
func (r *openAIReader) item(m span) error {
	if m.kind == '"' {
		r.add(r.side(true, m), pager.Block{Kind: pager.Text}, place{}, m)
		return nil
	}
	kind, id := m.field("type").text(r.doc), m.field("call_id").text(r.doc)
	switch {
	case m.kind != '{':
		return doubtShape
	case kind == "message" || kind == "":
		role := m.field("role").text(r.doc)
		if !slices.Contains([]string{"system", "developer", "user", "assistant"}, role) {
			return doubtShape
		}
		r.add(r.side(role != "assistant", m), pager.Block{Kind: pager.Text}, place{}, m.field("content"))
	case kind == "function_call":
		return r.call(r.side(false, m), id, m.field("name").text(r.doc), m.field("arguments").text(r.doc), place{})
	case kind == "custom_tool_call":
		return r.call(r.side(false, m), id, m.field("name").text(r.doc), string(quote(m.field("input").text(r.doc))), place{})
	case kind == "function_call_output" || kind == "custom_tool_call_output":
		return r.result(r.side(true, m), id, m.field("output"), "input_text", asInputs)
	case slices.Contains(passiveItems, kind):
		r.add(r.side(false, m), pager.Block{Kind: pager.Other}, place{}, m)
	default:
		return doubtBlock
	}
	return nil
}

// pagerFor are the settings for a form. OpenAI's cache costs nothing to write and its life is not told: an hour is the longest.
func pagerFor(f form, o pager.Options) pager.Options {
	if f != messages {
		o.WritePrice, o.CacheLife = max(1, o.ReadPrice), max(o.CacheLife, longestCache)
	}
	return o
}
