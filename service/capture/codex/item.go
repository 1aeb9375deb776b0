package codex

import (
	"strings"

	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
)

// item takes a response_item: what went to or came from the model.
func (p *Parser) item(src *source, r *record, size int) {
	s := src.stream
	kind := r.kind
	if kind == "" && r.payload.Get("role").Exists() {
		kind = "message"
	}
	if kind != "message" || r.payload.Get("role").String() != "assistant" {
		if kind != "reasoning" {
			p.showShown(s)
		}
	}
	switch kind {
	case "message":
		p.message(src, r)
	case "reasoning":
		p.answerAsked(s)
		p.newResponse(s)
		for _, list := range []string{"summary", "content"} {
			r.payload.Get(list).ForEach(func(_, t value) bool {
				s.think(t.Get("text").String())
				return true
			})
		}
	case "function_call", "custom_tool_call", "local_shell_call", "tool_search_call":
		p.answerAsked(s)
		p.call(src, r)
	case "function_call_output", "custom_tool_call_output", "tool_search_output", "local_shell_call_output":
		p.output(src, r)
	case "web_search_call", "image_generation_call":
		p.answerAsked(s)
		p.wholeCall(src, r, kind)
	case "agent_message":
		p.client(src, r, first(textOf(r.payload.Get("content")), r.payload.Get("message").String()), memory.KindTask)
	case "compaction", "compaction_summary", "context_compaction":
		p.compactedItem(src, r)
	case "ghost_snapshot", "additional_tools":
	default:
		p.skip(r, transcript.UnknownType+" response_item/"+cut(kind), size)
	}
}

// message takes a message of any role.
func (p *Parser) message(src *source, r *record) {
	text := textOf(r.payload.Get("content"))
	switch r.payload.Get("role").String() {
	case "assistant":
		p.answerAsked(src.stream)
		p.say(src, r, text)
	case "user":
		p.ask(src, r, text, images(r.payload.Get("content")))
	default: // developer, system: instructions and what hooks added
		p.answerAsked(src.stream)
		p.client(src, r, text, memory.KindHarness)
	}
}

// say makes an assistant node. An event may have shown the message before its item came.
func (p *Parser) say(src *source, r *record, text string) { p.speak(src, r, text, false) }

func (p *Parser) speak(src *source, r *record, text string, fromEvent bool) {
	s := src.stream
	if strings.TrimSpace(text) == "" {
		return
	}
	key := hash(text)
	if s.shown != nil && s.shown.key != key {
		p.showShown(s)
	}
	s.shown = nil
	if s.echo == key && !fromEvent {
		s.echo = ""
		return
	}
	p.newResponse(s)
	n, ok := p.begin(src, r, p.name(src, r, "say", key))
	s.speaker, s.lastPrompt = s.tip, ""
	if s.said == nil {
		s.said = map[string]bool{}
	}
	s.said[key] = true
	thoughts := s.takeThoughts()
	if !ok {
		return
	}
	n.Role = memory.RoleAssistant
	n.Output = strings.Clone(text)
	n.Metadata.Model = s.model
	n.Metadata.Thinking = thoughts
	n.Metadata.Usage, s.usage = s.usage, nil
	s.held = append(s.held, &part{node: n, file: r.line.File, line: r.line.Number})
}

// shown is a message of the model that an event told of and whose item has not come.
type shown struct {
	key  string
	text string
	src  *source
	rec  record
}

// show takes a message of the model from an event. Its item says the same and stands before or behind the event; only where
// there is none does the event count.
func (p *Parser) show(src *source, r *record, text string) {
	s := src.stream
	key := hash(text)
	if strings.TrimSpace(text) == "" || s.said[key] {
		return
	}
	p.answerAsked(s)
	p.showShown(s)
	rec := *r
	rec.payload = value{}
	s.shown = &shown{key: key, text: strings.Clone(text), src: src, rec: rec}
}

func (p *Parser) showShown(s *stream) {
	if v := s.shown; v != nil {
		s.shown = nil
		p.speak(v.src, &v.rec, v.text, true)
	}
}

// client makes the node of a text that a program put there.
func (p *Parser) client(src *source, r *record, text string, kind memory.UserKind) {
	if strings.TrimSpace(text) == "" {
		return
	}
	if kind == memory.KindHarness && transcript.Injected(text) {
		kind = memory.KindInjected
	}
	p.flush(src.stream)
	n, ok := p.begin(src, r, p.name(src, r, string(memory.KindHarness), hash(text)))
	if !ok {
		return
	}
	n.Role = memory.RoleUser
	n.Output = strings.Clone(text)
	n.Metadata.Kind = kind
	p.emit(n, r.line.File, r.line.Number)
}

// textOf joins the text parts of a message's content.
func textOf(content value) string {
	if !content.IsArray() {
		return content.String()
	}
	var texts []string
	content.ForEach(func(_, c value) bool {
		if t := first(c.Get("text").String(), c.Get("refusal").String()); t != "" {
			texts = append(texts, t)
		}
		return true
	})
	return strings.Join(texts, "\n\n")
}

func images(content value) []memory.Image {
	var out []memory.Image
	content.ForEach(func(_, c value) bool {
		if c.Get("type").String() == "input_image" {
			out = append(out, transcript.Image("", first(c.Get("image_url").String(), c.Get("file_id").String())))
		}
		return true
	})
	return out
}
