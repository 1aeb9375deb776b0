package codex

import (
	"strings"

	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
)

// event takes an event_msg: what the client showed. Most of it repeats the items.
func (p *Parser) event(src *source, r *record, size int) {
	s, e := src.stream, r.payload
	switch r.kind {
	case "user_message":
		p.typed(src, r, e.Get("message").String(), eventImages(e))
	case "agent_message":
		p.show(src, r, e.Get("message").String())
	case "agent_reasoning", "agent_reasoning_raw_content":
		p.answerAsked(s)
		p.newResponse(s)
		s.think(e.Get("text").String())
	case "token_count":
		p.tokens(src, e.Get("info"))
	case "task_started", "turn_started":
		p.answerAsked(s)
		p.flush(s)
		if t := e.Get("turn_id").String(); t != "" {
			src.turn = strings.Clone(t)
		}
	case "task_complete", "turn_complete":
		p.endTurn(src, r, memory.StatusPending)
	case "turn_aborted":
		p.endTurn(src, r, memory.StatusInterrupted)
	case "thread_rolled_back":
		p.rolledBack(src, r, int(e.Get("num_turns").Int()))
	case "patch_apply_end":
		if c := p.running(s, e.Get("call_id").String()); c != nil && (e.Get("success").Bool() || !e.Get("success").Exists()) {
			c.edits = append(c.edits, changes(e.Get("changes"))...)
		}
	case "exec_command_end":
		if c := p.running(s, e.Get("call_id").String()); c != nil {
			c.ran(e)
		}
	case "item_completed":
		p.completed(src, r, e.Get("item"))
	case "sub_agent_activity", "collab_agent_spawn_end", "collab_agent_interaction_end":
		p.spawned(s, e)
	case "error":
		p.failed(src, r, first(e.Get("message").String(), e.Get("error.message").String()))
	case "thread_name_updated":
		if t := e.Get("thread_name").String(); t != "" && s.agent == "" {
			p.facts.Title, p.facts.TitleBy = strings.Clone(t), "user"
		}
	default:
		if !quietEvents[r.kind] && !strings.HasSuffix(r.kind, "_begin") && !strings.HasSuffix(r.kind, "_delta") && !strings.Contains(r.kind, "/") {
			p.skip(r, transcript.UnknownType+" event_msg/"+cut(r.kind), size)
		}
	}
}

// quietEvents repeat what the items say, or are the client's own state.
var quietEvents = map[string]bool{"context_compacted": true, "mcp_tool_call_end": true, "web_search_end": true,
	"image_generation_end": true, "thread_settings_applied": true, "thread_goal_updated": true, "entered_review_mode": true,
	"exited_review_mode": true, "agent_reasoning_section_break": true, "turn_diff": true, "plan_update": true, "warning": true,
	"stream_error": true, "background_event": true, "session_configured": true, "undo_started": true, "undo_completed": true,
	"model_reroute": true, "deprecation_notice": true, "item_started": true, "turn.completed": true, "turn.started": true,
	"view_image_tool_call": true, "dynamic_tool_call_response": true, "hook_started": true, "hook_completed": true,
	"exec_approval_request": true, "apply_patch_approval_request": true, "request_user_input": true, "shutdown_complete": true}

func eventImages(e value) []memory.Image {
	var out []memory.Image
	e.Get("images").ForEach(func(_, i value) bool {
		out = append(out, transcript.Image("", i.String()))
		return true
	})
	return out
}

// completed takes an item_completed, which in paginated rollouts stands for the events of messages, commands and edits.
func (p *Parser) completed(src *source, r *record, item value) {
	s := src.stream
	switch item.Get("type").String() {
	case "UserMessage":
		p.typed(src, r, textOf(item.Get("content")), nil)
	case "AgentMessage":
		p.show(src, r, textOf(item.Get("content")))
	case "CommandExecution":
		if c := p.running(s, item.Get("id").String()); c != nil {
			c.ran(item)
		}
	case "FileChange":
		if c := p.running(s, item.Get("id").String()); c != nil && item.Get("status").String() != "failed" {
			c.edits = append(c.edits, changes(item.Get("changes"))...)
		}
	case "CollabAgentToolCall", "SubAgentActivity":
		p.spawned(s, item)
	}
}

// tokens takes the count of a response's tokens and gives it to the response's first part. The running total tells a new
// count from one that is written again.
func (p *Parser) tokens(src *source, info value) {
	s := src.stream
	last, total := info.Get("last_token_usage"), info.Get("total_token_usage.total_tokens").Int()
	if last.IsObject() && total != src.total {
		src.total = total
		cached := last.Get("cached_input_tokens").Int()
		u := memory.Usage{Input: max(last.Get("input_tokens").Int()-cached, 0), CacheRead: cached,
			CacheWrite: last.Get("cache_write_input_tokens").Int(), Output: last.Get("output_tokens").Int()}
		if to := s.first(); to != nil {
			to.Metadata.Usage = add(to.Metadata.Usage, u)
		} else {
			s.usage = add(s.usage, u)
		}
	}
	p.flush(s)
}

// first is the node that tokens of the response go to: its first message, else its first call.
func (s *stream) first() *memory.Node {
	for _, h := range s.held {
		if h.call == nil {
			return &h.node
		}
	}
	for _, h := range s.held {
		return &h.call.node
	}
	return nil
}

func add(to *memory.Usage, u memory.Usage) *memory.Usage {
	if to == nil {
		return &u
	}
	return &memory.Usage{Input: to.Input + u.Input, CacheRead: to.CacheRead + u.CacheRead,
		CacheWrite: to.CacheWrite + u.CacheWrite, Output: to.Output + u.Output}
}

func (p *Parser) endTurn(src *source, r *record, status memory.Status) {
	s := src.stream
	p.answerAsked(s)
	p.showShown(s)
	if len(s.thoughts) > 0 { // thoughts that led to nothing
		n, ok := p.begin(src, r, p.name(src, r, "think", hash(strings.Join(s.thoughts, "\n"))))
		if thoughts := s.takeThoughts(); ok {
			n.Role, n.Metadata.Thinking, n.Metadata.Model = memory.RoleAssistant, thoughts, s.model
			s.held = append(s.held, &part{node: n, file: r.line.File, line: r.line.Number})
		}
	}
	p.giveUp(s, status)
}

// rolledBack drops the last turns from the active branch: a node that says so hangs on what was before them.
func (p *Parser) rolledBack(src *source, r *record, turns int) {
	s := src.stream
	p.answerAsked(s)
	p.showShown(s)
	p.giveUp(s, memory.StatusPending)
	at := s.tip
	for left := turns; at != "" && left > 0; {
		if p.prompt[at] {
			left--
		}
		at = p.parent[at]
	}
	key := s.tip
	s.tip = at
	n, ok := p.begin(src, r, p.name(src, r, "undo", key))
	s.speaker = ""
	if !ok {
		return
	}
	n.Role = memory.RoleUser
	n.Metadata.Kind, n.Metadata.Undone = memory.KindHarness, turns
	p.emit(n, r.line.File, r.line.Number)
}

// failed makes a node of an error that ended a turn.
func (p *Parser) failed(src *source, r *record, text string) {
	s := src.stream
	if text == "" {
		return
	}
	p.answerAsked(s)
	p.flush(s)
	n, ok := p.begin(src, r, p.name(src, r, "error", hash(text)))
	if !ok {
		return
	}
	n.Role, n.Output = memory.RoleUser, strings.Clone(text)
	n.Metadata.Kind, n.Metadata.Status = memory.KindHarness, memory.StatusError
	p.emit(n, r.line.File, r.line.Number)
}

// compacted makes a node of a compaction. What the model goes on with is not chat and is not read.
func (p *Parser) compacted(src *source, r *record) {
	p.compaction(src, r, r.payload.Get("message").String(), first(r.payload.Get("window_id").String(), hash(r.payload.Get("message").String())))
}

func (p *Parser) compactedItem(src *source, r *record) {
	if src.stream.tip == src.stream.lastCompaction && src.stream.tip != "" {
		return
	}
	p.compaction(src, r, "", first(r.payload.Get("id").String(), "item"))
}

func (p *Parser) compaction(src *source, r *record, text, key string) {
	s := src.stream
	p.answerAsked(s)
	p.showShown(s)
	p.flush(s)
	last := s.tip
	n, ok := p.begin(src, r, p.name(src, r, string(memory.KindCompaction), key))
	s.lastCompaction = s.tip
	if !ok {
		return
	}
	n.Role, n.Output = memory.RoleUser, strings.Clone(text)
	n.Metadata.Kind, n.Metadata.Compaction = memory.KindCompaction, &memory.Compaction{Last: last}
	p.emit(n, r.line.File, r.line.Number)
}
