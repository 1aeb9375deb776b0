package qwen

import (
	"strings"

	"dormouse/service/capture/blocks"
	"dormouse/service/capture/chain"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
	"github.com/tidwall/gjson"
)

// user takes a message under the role of the user. Who wrote it, newer records say.
func (p *Parser) user(r *record) {
	content := blocks.Google(r.v.Get("message.parts"))
	if len(content.Results) > 0 {
		p.result(r)
	}
	sent, shown := content.Text(), r.v.Get("systemPayload.displayText").String()
	by, sub := r.v.Get("provenance").String(), r.v.Get("subtype").String()
	switch {
	case by != "" && by != "real_user", sub != "" && sub != "mid_turn_user_message":
		r.s.Client(r.At, memory.KindHarness, sent, r.id, "user")
	case shown != "" && shown != sent:
		r.s.GiveUp(memory.StatusPending)
		r.s.Client(r.At, memory.KindHarness, strings.TrimSpace(strings.Replace(sent, shown, "", 1)), r.id, "sent")
		r.s.Prompt(r.At, shown, content.Images, r.id, "user")
	default:
		r.s.Prompt(r.At, sent, content.Images, r.id, "user")
	}
}

// say takes a message of the model, or a part of one.
func (p *Parser) say(r *record) {
	content := blocks.Google(r.v.Get("message.parts"))
	m := chain.Message{Text: content.Text(), Thinking: content.Thinking(), Images: content.Images, Calls: content.Calls,
		Model: r.v.Get("model").String(), Version: hash(r.v.Get("message").Raw)}
	if u := r.v.Get("usageMetadata"); u.IsObject() && !p.counted[r.id] {
		p.counted[r.id] = true
		m.Usage = usage(u)
	}
	r.s.Model = "" // each record tells its own
	r.s.Say(r.At, m, r.id)
	r.s.Close()
}

// usage are the tokens of a message: what came from a cache counts as input too, and thoughts are a part of the output.
func usage(u gjson.Result) *memory.Usage {
	cached := u.Get("cachedContentTokenCount").Int()
	out := u.Get("candidatesTokenCount").Int()
	if total := u.Get("totalTokenCount").Int(); total > 0 {
		out = max(out, total-u.Get("promptTokenCount").Int())
	}
	return &memory.Usage{Input: max(u.Get("promptTokenCount").Int()-cached, 0), CacheRead: cached, Output: out}
}

// result takes the results of calls.
func (p *Parser) result(r *record) {
	about := r.v.Get("toolCallResult")
	for _, one := range blocks.Google(r.v.Get("message.parts")).Results {
		id := one.CallID
		if id == "" {
			id = strings.Clone(about.Get("callId").String())
		}
		one.Source = r.id
		switch about.Get("status").String() {
		case "error":
			one.Status = memory.StatusError
		case "cancelled":
			one.Status = memory.StatusInterrupted
		}
		if d := about.Get("resultDisplay.fileDiff"); d.Exists() && one.Status == "" {
			e := chain.Diffed(strings.Clone(about.Get("resultDisplay.fileName").String()), d.String())
			one.Edits = []memory.Edit{e}
		}
		one.MS = p.ran[id]
		delete(p.ran, id)
		p.b.Answer(r.s, r.At, id, one.Result)
	}
}

// system takes a record of the client.
func (p *Parser) system(r *record) {
	body := r.v.Get("systemPayload")
	switch sub := r.v.Get("subtype").String(); sub {
	case "chat_compression":
		c := memory.Compaction{Trigger: strings.Clone(body.Get("info.triggerReason").String()), PreTokens: body.Get("info.originalTokenCount").Int()}
		summary := blocks.Google(body.Get("compressedHistory.0.parts"))
		r.s.Compact(r.At, summary.Text(), c, r.id, "compression")
	case "rewind":
		to := r.s.Tip
		if tip, known := p.at[body.Get("targetUuid").String()]; known && !r.v.Get("parentUuid").Exists() {
			to = tip
		}
		r.s.Tip = r.was
		r.s.Rewind(r.At, to, r.id, "rewind")
	case "custom_title":
		if t := body.Get("customTitle").String(); t != "" {
			p.b.Facts.Title, p.b.Facts.TitleBy = strings.Clone(t), "agent"
			if body.Get("titleSource").String() == "manual" {
				p.b.Facts.TitleBy = "user"
			}
		}
	case "slash_command":
		if body.Get("phase").String() != "result" {
			r.s.Client(r.At, memory.KindHarness, body.Get("rawCommand").String(), r.id, "command")
		}
	case "ui_telemetry":
		p.telemetry(r, body.Get("uiEvent"))
	default:
		if !quiet[sub] && !strings.HasSuffix(sub, "_snapshot") {
			p.b.Unknown(r.At, "system/"+sub, len(r.v.Raw))
		}
	}
}

// quiet are records of the client's own state.
var quiet = map[string]bool{"": true, "mode": true, "permission_mode": true, "notification": true, "at_command": true, "session_start": true}

// telemetry takes how long a call ran, and errors of the provider. Tokens stand in the messages too.
func (p *Parser) telemetry(r *record, e gjson.Result) {
	switch e.Get("event\\.name").String() {
	case "qwen-code.tool_call":
		if ms := e.Get("duration_ms").Int(); ms > 0 {
			p.ran[strings.Clone(e.Get("call_id").String())] = ms
		}
	case "qwen-code.api_error":
		text := e.Get("error_message").String()
		if text == "" {
			text = e.Get("error").String()
		}
		r.s.Failed(r.At, text, r.id, "error")
	}
}

var _ transcript.Parser = (*Parser)(nil)
