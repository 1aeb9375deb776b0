package copilot

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"dormouse/service/capture/blocks"
	"dormouse/service/capture/chain"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
	"github.com/tidwall/gjson"
)

var clock = regexp.MustCompile(`<current_datetime>[^<]*</current_datetime>`)

// user takes a prompt. What was sent holds more than what was typed: files, reminders, what hooks added.
func (p *Parser) user(s *chain.Stream, e *event) {
	typed, sent := e.data.Get("content").String(), e.data.Get("transformedContent").String()
	if source := e.data.Get("source").String(); source != "" && source != "user" && s.Agent() == "" {
		s.Client(e.At, memory.KindHarness, typed, e.id, "user")
		return
	}
	s.GiveUp(memory.StatusPending)
	around := clock.ReplaceAllString(strings.Replace(sent, typed, "", 1), "")
	if typed != "" {
		s.Client(e.At, memory.KindHarness, strings.TrimSpace(around), e.id, "around")
	}
	s.Prompt(e.At, typed, pictures(e.data.Get("attachments")), e.id, "user")
}

// pictures are the attachments that are images.
func pictures(list gjson.Result) []memory.Image {
	var out []memory.Image
	list.ForEach(func(_, a gjson.Result) bool {
		typ := first(a.Get("mimeType").String(), a.Get("mediaType").String())
		if data := a.Get("data").String(); data != "" && (strings.HasPrefix(typ, "image/") || a.Get("type").String() == "blob") {
			out = append(out, transcript.Image(strings.Clone(typ), data))
		}
		return true
	})
	return out
}

// say takes a message of the model.
func (p *Parser) say(s *chain.Stream, e *event) {
	d := e.data
	m := chain.Message{Text: d.Get("content").String(), Model: d.Get("model").String(), Thinking: d.Get("reasoningText").String()}
	if t := p.thoughts[s.Agent()]; t != "" {
		m.Thinking = first(m.Thinking, t)
		delete(p.thoughts, s.Agent())
	}
	if n := d.Get("outputTokens"); n.Type == gjson.Number {
		m.Usage = &memory.Usage{Output: n.Int()}
	}
	d.Get("toolRequests").ForEach(func(_, t gjson.Result) bool {
		if id := t.Get("toolCallId").String(); id != "" && !p.b.HasCall(id) {
			m.Calls = append(m.Calls, chain.Call{ID: strings.Clone(id), Name: t.Get("name").String(), Input: blocks.Input(t.Get("arguments"))})
		}
		return true
	})
	s.Say(e.At, m, first(d.Get("messageId").String(), e.id))
	s.Close()
}

// start notes when a call began, and makes it where no message asked for it.
func (p *Parser) start(s *chain.Stream, e *event) {
	id := e.data.Get("toolCallId").String()
	if !e.stamp.IsZero() {
		p.begun[strings.Clone(id)] = e.stamp
	}
	if !p.b.HasCall(id) {
		s.Say(e.At, chain.Message{Calls: []chain.Call{{ID: strings.Clone(id), Name: e.data.Get("toolName").String(), Input: blocks.Input(e.data.Get("arguments"))}}}, e.id)
		s.Close()
	}
}

// complete takes the result of a call.
func (p *Parser) complete(s *chain.Stream, e *event) {
	d := e.data
	id, res := d.Get("toolCallId").String(), d.Get("result")
	r := chain.Result{Text: first(res.Get("content").String(), res.Get("text_result_for_llm").String(), d.Get("error.message").String(), res.Get("error").String()),
		Source: e.id, Exit: exitOf(d)}
	failed := d.Get("success").Exists() && !d.Get("success").Bool() || res.Get("result_type").String() == "failure"
	switch code := d.Get("error.code").String(); {
	case code == "denied" || code == "rejected" || res.Get("result_type").String() == "denied":
		r.Status = memory.StatusInterrupted
	case failed:
		r.Status = memory.StatusError
	}
	if began, ok := p.begun[id]; ok {
		r.MS = int64(e.stamp.Sub(began) / time.Millisecond)
		delete(p.begun, id)
	}
	res.Get("contents").ForEach(func(_, c gjson.Result) bool {
		if c.Get("type").String() == "image" {
			r.Images = append(r.Images, transcript.Image(strings.Clone(c.Get("mimeType").String()), c.Get("data").String()))
		}
		return true
	})
	p.b.Answer(s, e.At, id, r)
}

var exitLine = regexp.MustCompile(`(?:exit code|exited with code) (-?\d{1,6})>?\s*$`)

// exitOf is the exit code of a command: of a failed one it is measured, of others it stands at the end of the output.
func exitOf(d gjson.Result) *int {
	if code := d.Get("toolTelemetry.metrics.exit_code"); code.Type == gjson.Number {
		n := int(code.Int())
		return &n
	}
	text := d.Get("result.content").String()
	if m := exitLine.FindStringSubmatch(text[max(0, len(text)-80):]); m != nil {
		if n, err := strconv.Atoi(m[1]); err == nil {
			return &n
		}
	}
	return nil
}

func first(s ...string) string {
	for _, v := range s {
		if v != "" {
			return v
		}
	}
	return ""
}
