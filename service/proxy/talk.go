package proxy

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"hash"
	"slices"
	"strings"

	"dormouse/service/pager"
)

// maxMessages is how many messages a conversation may have that is looked into.
const maxMessages = 10_000

// digest is of a message's content, or of a conversation up to a message.
type digest [16]byte

// talk is a conversation as a request carries it.
type talk struct {
	form   form
	doc    []byte
	model  string
	said   []said
	places []place // of all blocks, in order
	root   span
	list   span            // in it: what was said
	long   bool            // a long window is asked for
	array  bool            // Gemini's: the answer is to be one array of the pieces of a stream
	ours   map[string]bool // ids of calls that the client knows nothing of, see Aside
}

// said is one message.
type said struct {
	pager.Message
	digest digest
	texts  [][]span // of each block, what its text is made of; see talk.message
	from   int      // in the list: the first of its entries, and the first after them
	to     int
}

// message is a message with the texts of its blocks, which are made only where they are needed: of what an engine holds already they are not.
func (t *talk) message(i int) pager.Message {
	s := t.said[i]
	for j, parts := range s.texts {
		var text strings.Builder
		for k, p := range parts {
			if k > 0 {
				text.WriteByte('\n')
			}
			if p.kind == '"' {
				text.WriteString(p.text(t.doc))
			} else {
				text.Write(p.raw(t.doc))
			}
		}
		s.Blocks[j].Text = text.String()
		s.Blocks[j].Memory = t.ours[s.Blocks[j].ID]
	}
	return s.Message
}

// place is where a block may be replaced.
type place struct {
	at, end int
	as      shape
}

// shape is how a replacement is written.
type shape uint8

const (
	asNothing shape = iota // it is never replaced
	asText                 // a string
	asBlocks               // an array with one block of text
	asInputs               // the same as OpenAI's Responses name it
	asJSON                 // the replacement is JSON
	asOutput               // an object with the text alone, as Gemini's results are
)

// doubt is why a request passes as it is.
type doubt string

func (d doubt) Error() string { return string(d) }

// The doubts.
const (
	doubtJSON    doubt = "it is not plain JSON"
	doubtShape   doubt = "it has a shape that Dormouse does not know"
	doubtBlock   doubt = "it holds a kind of block that Dormouse does not know"
	doubtResult  doubt = "a tool's result answers no call, or a call has none"
	doubtMany    doubt = "it has very many messages"
	doubtLong    doubt = "it is very long"
	doubtEncoded doubt = "it is compressed"
	doubtManaged doubt = "the provider manages its context"
	doubtJoined  doubt = "its conversation began before Dormouse saw it"
	doubtRefused doubt = "the provider refused its conversation with what was changed"
	doubtTools   doubt = "its tools are no longer those that it began with"
	doubtOpen    doubt = "it goes on with an answer that asked the memory"
)

// replaced is a document with some of its blocks replaced, and more edits.
func (t *talk) replaced(doc []byte, forms map[int]string, more ...edit) []byte {
	if len(forms)+len(more) == 0 {
		return doc
	}
	edits := make([]edit, 0, len(forms)+len(more))
	for i, p := range t.places {
		text, ok := forms[i]
		if !ok || p.as == asNothing {
			continue
		}
		with := quote(text)
		switch p.as {
		case asBlocks:
			with = fmt.Appendf(nil, `[{"type":"text","text":%s}]`, with)
		case asInputs:
			with = fmt.Appendf(nil, `[{"type":"input_text","text":%s}]`, with)
		case asJSON:
			with = []byte(text)
		case asOutput:
			with = fmt.Appendf(nil, `{"output":%s}`, with)
		}
		edits = append(edits, edit{p.at, p.end, with})
	}
	return edited(doc, append(edits, more...))
}

// edit puts something in the place of a part of a document.
type edit struct {
	at, end int
	with    []byte
}

// edited is a document after some edits, which touch different parts of it. Of two insertions at one place the first comes first.
func edited(doc []byte, edits []edit) []byte {
	slices.SortStableFunc(edits, func(a, b edit) int { return cmp.Compare(a.at, b.at) })
	n := len(doc)
	for _, e := range edits {
		n += len(e.with)
	}
	out, from := make([]byte, 0, n), 0
	for _, e := range edits {
		out = append(append(out, doc[from:e.at]...), e.with...)
		from = e.end
	}
	return append(out, doc[from:]...)
}

// anthropicTalk reads a request of Anthropic's Messages.
func anthropicTalk(doc []byte, root span) (*talk, error) {
	if root.field("context_management").kind == '{' {
		return nil, doubtManaged
	}
	list := root.field("messages")
	switch {
	case list.kind != '[' || len(list.kids) == 0:
		return nil, doubtShape
	case len(list.kids) > maxMessages:
		return nil, doubtMany
	}
	r := anthropicReader{doc: doc, talk: &talk{doc: doc, model: root.field("model").text(doc), root: root, list: list}, open: map[string]bool{}, ids: map[string]bool{}}
	for i, m := range list.kids {
		r.entry = i
		if err := r.message(m); err != nil {
			return nil, err
		}
	}
	return r.talk, nil
}

// anthropicReader holds a request to the rules that Dormouse relies on.
type anthropicReader struct {
	doc  []byte
	talk *talk
	open map[string]bool // calls of the message before, which this one has to answer
	ids  map[string]bool // of all calls

	entry int // the message that is read
}

func (r *anthropicReader) message(m span) error {
	role := m.field("role").text(r.doc)
	if m.kind != '{' || len(m.keys) != 2 || role != "user" && role != "assistant" {
		return doubtShape
	}
	s := said{Message: pager.Message{User: role == "user"}, from: r.entry, to: r.entry + 1}
	sum := sha256.New()
	sum.Write([]byte(role))
	answers := r.open
	r.open = map[string]bool{}
	switch c := m.field("content"); c.kind {
	case '"':
		part(sum, "text", c.raw(r.doc))
		r.add(&s, pager.Block{Kind: pager.Text}, place{}, c)
	case '[':
		for _, b := range c.kids {
			if err := r.block(&s, b, answers, sum); err != nil {
				return err
			}
		}
		if !s.User {
			fixBesideThinking(r.doc, c, s.Blocks)
		}
	default:
		return doubtShape
	}
	if len(answers) > 0 {
		return doubtResult
	}
	copy(s.digest[:], sum.Sum(nil))
	r.talk.said = append(r.talk.said, s)
	return nil
}

// fixBesideThinking leaves the calls of a message alone in which the model thought: what it thought is signed.
func fixBesideThinking(doc []byte, content span, blocks []pager.Block) {
	for _, b := range content.kids {
		if t := b.field("type").text(doc); t == "thinking" || t == "redacted_thinking" {
			for i := range blocks {
				blocks[i].Fixed = true
			}
			return
		}
	}
}

// passive are kinds of blocks that are never changed and take part in nothing.
var passive = map[string]bool{"thinking": true, "redacted_thinking": true, "image": true, "document": true, "search_result": true, "container_upload": true,
	"server_tool_use": true, "web_search_tool_result": true, "web_fetch_tool_result": true, "code_execution_tool_result": true,
	"bash_code_execution_tool_result": true, "text_editor_code_execution_tool_result": true, "tool_search_tool_result": true}

func (r *anthropicReader) block(s *said, b span, answers map[string]bool, sum hash.Hash) error {
	if b.kind != '{' {
		return doubtShape
	}
	kind := b.field("type").text(r.doc)
	switch {
	case kind == "text" && b.field("text").kind == '"':
		if onlyText(b) {
			part(sum, "text", b.field("text").raw(r.doc))
		} else {
			r.whole(sum, b)
		}
		r.add(s, pager.Block{Kind: pager.Text}, place{}, b.field("text"))
		return nil
	case kind == "tool_use" && !s.User:
		r.whole(sum, b)
		return r.call(s, b)
	case kind == "tool_result" && s.User:
		r.whole(sum, b)
		return r.result(s, b, answers)
	case passive[kind]:
		r.whole(sum, b)
		r.add(s, pager.Block{Kind: pager.Other}, place{}, b)
		return nil
	}
	return doubtBlock
}

func (r *anthropicReader) call(s *said, b span) error {
	id, in := b.field("id").text(r.doc), b.field("input")
	if id == "" || r.ids[id] || in.kind != '{' {
		return doubtResult
	}
	r.ids[id], r.open[id] = true, true
	r.add(s, pager.Block{Kind: pager.Call, ID: id, Tool: b.field("name").text(r.doc), Input: json.RawMessage(in.raw(r.doc))}, place{in.at, in.end, asJSON})
	return nil
}

func (r *anthropicReader) result(s *said, b span, answers map[string]bool) error {
	id := b.field("tool_use_id").text(r.doc)
	if !answers[id] {
		return doubtResult
	}
	delete(answers, id)
	block := pager.Block{Kind: pager.Result, ID: id, Failed: b.field("is_error").kind == 't'}
	switch c := b.field("content"); {
	case c.kind == '"':
		r.add(s, block, place{c.at, c.end, asText}, c)
	case c.kind == '[' && onlyOf(r.doc, c, "text"):
		var texts []span
		for _, kid := range c.kids {
			texts = append(texts, kid.field("text"))
		}
		r.add(s, block, place{c.at, c.end, asBlocks}, texts...)
	default: // an image, or nothing
		block.Fixed = true
		r.add(s, block, place{}, b)
	}
	return nil
}

// add takes a block whose text stands at some spans: strings, or values as they are.
func (r *anthropicReader) add(s *said, b pager.Block, at place, texts ...span) {
	s.Blocks, s.texts = append(s.Blocks, b), append(s.texts, texts)
	r.talk.places = append(r.talk.places, at)
}

// onlyText reports whether a block has nothing but its text, and perhaps the mark of a cache: clients move such marks, and then write a
// plain string as a block.
func onlyText(b span) bool {
	for _, k := range b.keys {
		if k != "type" && k != "text" && k != "cache_control" {
			return false
		}
	}
	return true
}

// whole adds all of a block but the mark of a cache to a sum.
func (r *anthropicReader) whole(sum hash.Hash, b span) {
	for i, k := range b.keys {
		if k != "cache_control" {
			part(sum, k, b.kids[i].raw(r.doc))
		}
	}
}

// part adds a part to a sum, so that no two lists of parts give the same.
func part(sum hash.Hash, name string, value []byte) {
	_, _ = fmt.Fprintf(sum, "\x00%d:%s%d:", len(name), name, len(value))
	_, _ = sum.Write(value)
}
