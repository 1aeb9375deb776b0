package pi

import (
	"regexp"
	"strconv"
	"strings"

	"dormouse/service/capture/blocks"
	"dormouse/service/capture/chain"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
	"github.com/tidwall/gjson"
)

// message takes a message of any role.
func (p *Parser) message(f *file, at chain.At, m gjson.Result) {
	if ms := m.Get("timestamp"); ms.Type == gjson.Number {
		at.Time = ms.Int() / 1000
	}
	role, c := m.Get("role").String(), blocks.Anthropic(m.Get("content"))
	key := []string{role, m.Get("timestamp").Raw, hash(m.Get("content").Raw)}
	switch role {
	case "user":
		if m.Get("attribution").String() == "agent" && f.AgentID == "" {
			f.s.Client(at, memory.KindTask, c.Text(), key...)
			return
		}
		f.s.Prompt(at, c.Text(), c.Images, key...)
	case "assistant":
		p.say(f, at, m, &c, key)
	case "toolResult":
		r := chain.Result{Text: strings.Join(c.Texts, "\n"), Images: c.Images, Source: at.Source}
		if m.Get("isError").Bool() {
			r.Status = memory.StatusError
		}
		r.Exit = exitOf(r.Text)
		p.b.Answer(f.s, at, m.Get("toolCallId").String(), r)
	case "bashExecution":
		p.ran(f, at, m)
	case "compactionSummary":
		f.s.Compact(at, m.Get("summary").String(), memory.Compaction{PreTokens: m.Get("tokensBefore").Int()}, append(key, hash(m.Get("summary").String()))...)
	default: // custom, hookMessage, branchSummary, developer: what extensions and the client put there
		f.s.Client(at, memory.KindHarness, first(c.Text(), m.Get("summary").String()), append(key, hash(m.Get("summary").String()))...)
	}
}

// say takes a message of the model.
func (p *Parser) say(f *file, at chain.At, m gjson.Result, c *blocks.Content, key []string) {
	out := chain.Message{Text: c.Text(), Thinking: c.Thinking(), Images: c.Images, Calls: c.Calls, Model: m.Get("model").String(), Usage: usage(m.Get("usage"))}
	switch m.Get("stopReason").String() {
	case "aborted":
		out.Status = memory.StatusInterrupted
	case "error":
		out.Status = memory.StatusError
	}
	f.s.Say(at, out, key...)
	f.s.Close()
	for _, call := range c.Calls {
		gjson.GetBytes(call.Input, "tasks").ForEach(func(_, t gjson.Result) bool {
			p.started(strings.Clone(t.Get("id").String()), call.ID)
			return true
		})
	}
	if text := m.Get("errorMessage").String(); text != "" && out.Status == memory.StatusError {
		f.s.Failed(at, text, append(key, "error")...)
	}
}

// started notes which call gave a task to a sub-agent of a name.
func (p *Parser) started(name, call string) {
	if name == "" || p.tasks[name] != "" {
		return
	}
	p.tasks[name] = call
	for _, f := range p.order {
		if f.AgentID != "" && taskName(f.AgentID) == name {
			f.s.Started(call, "")
		}
	}
}

// usage are the tokens of a message; nil where none were counted.
func usage(u gjson.Result) *memory.Usage {
	out := memory.Usage{Input: u.Get("input").Int(), Output: u.Get("output").Int(), CacheRead: u.Get("cacheRead").Int(), CacheWrite: u.Get("cacheWrite").Int()}
	if out == (memory.Usage{}) {
		return nil
	}
	return &out
}

// ran takes a command that the person ran: a call that nobody made.
func (p *Parser) ran(f *file, at chain.At, m gjson.Result) {
	r := chain.Result{Text: strings.Clone(m.Get("output").String())}
	if code := m.Get("exitCode"); code.Type == gjson.Number {
		n := int(code.Int())
		r.Exit = &n
	}
	if m.Get("cancelled").Bool() {
		r.Status = memory.StatusInterrupted
	}
	input, _ := memory.Encode(map[string]string{"command": m.Get("command").String()}) // strings always encode
	id := hash(m.Raw)
	f.s.Say(at, chain.Message{Calls: []chain.Call{{ID: id, Name: "bash", Input: input, Result: &r}}}, "ran", m.Get("timestamp").Raw)
	f.s.Close()
}

var exitLine = regexp.MustCompile(`(?m)^Command exited with code (-?\d{1,6})\s*$`)

// exitOf is the exit code that a result of a shell ends with.
func exitOf(text string) *int {
	m := exitLine.FindStringSubmatch(text[max(0, len(text)-120):])
	if m == nil {
		return nil
	}
	n, err := strconv.Atoi(m[1])
	if err != nil {
		return nil
	}
	return &n
}

func contentText(v gjson.Result) string {
	c := blocks.Anthropic(v)
	return c.Text()
}

var _ transcript.Parser = (*Parser)(nil)
