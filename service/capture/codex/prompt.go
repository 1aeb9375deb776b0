package codex

import (
	"strings"

	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
)

// asked is a user item that waits for the event that says whether the person wrote it.
type asked struct {
	text   string
	images []memory.Image
	src    *source
	rec    record
}

// programTexts begin user items that programs wrote.
var programTexts = []string{"<environment_context>", "# AGENTS.md instructions", "<user_instructions>", "<INSTRUCTIONS>",
	"<permissions", "<turn_aborted>", "<skill>", "<skills_instructions>", "<user_shell_command>", "<recommended_plugins>",
	"<subagent_notification>", "<collaboration_mode>", "<apps_instructions>", "<plugins_instructions>", "<user_action>",
	"<goal_context>", "<hook_prompt", "<multi_agent_mode>", "<model_switch>", "<personality_spec>", "<realtime", "<app-context>",
	"<token_budget>", "Warning: apply_patch was requested", "Warning: The maximum number of unified exec"}

// requestMark stands between what an editor tells of itself and the person's words.
const requestMark = "## My request for Codex:"

// ask takes a user item. Which ones the person wrote is told by an event that follows; items with the marks of a program do
// not wait for it.
func (p *Parser) ask(src *source, r *record, text string, pictures []memory.Image) {
	s := src.stream
	p.answerAsked(s)
	trimmed := strings.TrimSpace(text)
	if trimmed == "" && len(pictures) == 0 {
		return
	}
	switch {
	case s.agent != "" && !transcript.StartsWithAny(trimmed, programTexts):
		p.client(src, r, text, memory.KindTask)
	case transcript.StartsWithAny(trimmed, programTexts):
		p.client(src, r, text, memory.KindHarness)
	default:
		rec := *r
		rec.payload = value{}
		s.asked = &asked{text: strings.Clone(text), images: pictures, src: src, rec: rec}
	}
}

// answerAsked decides of a user item that no event spoke of: where the file has such events, a program wrote it.
func (p *Parser) answerAsked(s *stream) {
	a := s.asked
	if a == nil {
		return
	}
	s.asked = nil
	if a.src.events {
		p.client(a.src, &a.rec, a.text, memory.KindHarness)
		return
	}
	p.prompts(a.src, &a.rec, a.text, a.images)
}

// typed takes the event that shows what the person wrote.
func (p *Parser) typed(src *source, r *record, text string, pictures []memory.Image) {
	s := src.stream
	p.showShown(s)
	src.events = true
	a := s.asked
	switch {
	case s.agent != "":
		p.answerAsked(s)
	case a != nil && alike(a.text, text):
		s.asked = nil
		if len(a.images) > 0 {
			pictures = a.images
		}
		p.prompts(a.src, &a.rec, first(text, a.text), pictures)
	case s.lastPrompt != "" && alike(s.lastPrompt, text):
	case strings.TrimSpace(text) == "" && len(pictures) == 0:
	default:
		p.answerAsked(s)
		p.prompts(src, r, text, pictures)
	}
}

// alike compares the text of an item with that of its event: either may hold a little more.
func alike(a, b string) bool {
	a, b = strings.TrimSpace(a), strings.TrimSpace(b)
	return a == b || b != "" && strings.Contains(a, b) || a != "" && strings.Contains(b, a)
}

// prompts makes the node of what the person wrote. What an editor told with it becomes a node before it.
func (p *Parser) prompts(src *source, r *record, text string, pictures []memory.Image) {
	s := src.stream
	p.giveUp(s, memory.StatusPending)
	s.speaker, s.said, s.thoughts, s.used = "", nil, nil, nil
	s.lastPrompt = text
	wrapped, words := unwrap(text)
	if wrapped != "" {
		p.client(src, r, wrapped, memory.KindHarness)
	}
	if strings.TrimSpace(words) == "" && len(pictures) == 0 {
		return
	}
	key := hash(words)
	for _, i := range pictures {
		key += i.SHA256[:8]
	}
	n, ok := p.begin(src, r, p.name(src, r, string(memory.KindPrompt), key))
	p.prompt[s.tip] = true
	if p.facts.FirstPrompt == "" {
		p.facts.FirstPrompt = strings.Clone(strings.ToValidUTF8(words[:min(len(words), 2000)], ""))
		p.facts.Own = strings.Contains(text, transcript.OwnMark)
	}
	if !ok {
		return
	}
	n.Role = memory.RoleUser
	n.Output = strings.Clone(words)
	n.Metadata.Kind = memory.KindPrompt
	n.Metadata.Images = pictures
	p.emit(n, r.line.File, r.line.Number)
}

func unwrap(text string) (wrapped, words string) {
	if strings.HasPrefix(strings.TrimSpace(text), "# Context from my IDE setup") {
		if before, after, ok := strings.Cut(text, requestMark); ok {
			return strings.TrimSpace(before), strings.TrimSpace(after)
		}
	}
	return transcript.Unwrap(text)
}
