package antigravity

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strconv"
	"strings"

	"dormouse/service/capture/blocks"
	"dormouse/service/capture/chain"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
	"github.com/tidwall/gjson"
)

// stepOf is the type of the step that answers a tool.
var stepOf = map[string]string{"run_command": "RUN_COMMAND", "view_file": "VIEW_FILE", "list_dir": "LIST_DIRECTORY", "grep_search": "GREP_SEARCH",
	"write_to_file": "CODE_ACTION", "replace_file_content": "CODE_ACTION", "multi_replace_file_content": "CODE_ACTION",
	"search_web": "SEARCH_WEB", "invoke_subagent": "INVOKE_SUBAGENT", "find_by_name": "FIND"}

// plan takes a message of the model with its calls.
func (p *Parser) plan(s *step, text string, key []string) {
	main := p.b.Main()
	m := chain.Message{Text: text, Thinking: strings.TrimSpace(s.v.Get("thinking").String())}
	m.Version = hash(text + "\x00" + m.Thinking)
	if s.v.Get("status").String() == "ERROR" {
		m.Status = memory.StatusError
	}
	p.open = nil
	i := 0
	s.v.Get("tool_calls").ForEach(func(_, t gjson.Result) bool {
		c := call{id: callID(s, i), typ: stepOf[t.Get("name").String()]}
		for _, f := range []string{"args.TargetFile", "args.AbsolutePath"} {
			if c.path == "" {
				c.path = strings.Clone(t.Get(f).String())
			}
		}
		p.cwd(t.Get("args.Cwd").String())
		p.open = append(p.open, c)
		m.Calls = append(m.Calls, chain.Call{ID: c.id, Name: t.Get("name").String(), Input: blocks.Input(t.Get("args"))})
		i++
		return true
	})
	main.Say(s.At, m, key...)
	main.Close()
}

// cwd takes the folder where a command runs. The first one is that of the session, where nothing else says it.
func (p *Parser) cwd(dir string) {
	if dir == "" || strings.Contains(dir, "antigravity-cli") {
		return
	}
	p.b.Main().Cwd = strings.Clone(dir)
	if p.b.Facts.Cwd == "" {
		p.b.Facts.Cwd = p.b.Main().Cwd
	}
}

// take is the open call that a step of a type answers: the first that fits, else the first.
func (p *Parser) take(typ string) (c call, ok bool) {
	at := 0
	for i, o := range p.open {
		if o.typ == typ {
			at = i
			break
		}
	}
	if len(p.open) == 0 {
		return c, false
	}
	c = p.open[at]
	p.open = append(append([]call(nil), p.open[:at]...), p.open[at+1:]...)
	return c, true
}

// answer takes the step of a tool.
func (p *Parser) answer(s *step, text string) {
	r := outcome(text)
	r.Source = s.index
	if s.v.Get("status").String() == "ERROR" {
		r.Status = memory.StatusError
	}
	c, ok := p.take(s.typ)
	if !ok {
		p.b.Main().Client(s.At, memory.KindHarness, text, p.session, s.index, "step", hash(text))
		return
	}
	if _, diff, found := strings.Cut(text, "[diff_block_start]"); found && r.Status == "" {
		diff, _, _ = strings.Cut(diff, "[diff_block_end]")
		r.Edits = []memory.Edit{chain.Diffed(c.path, diff)}
	}
	p.b.Answer(p.b.Main(), s.At, c.id, r)
}

// failed takes the message of an error: that of a call, or of the conversation.
func (p *Parser) failed(s *step, text string, key []string) {
	if e := s.v.Get("error").String(); e != "" {
		text = e
	}
	if c, ok := p.take(""); ok {
		p.b.Answer(p.b.Main(), s.At, c.id, chain.Result{Text: text, Status: memory.StatusError, Source: s.index})
		return
	}
	p.b.Main().Failed(s.At, text, append(key, "error", hash(text))...)
}

var (
	stamps   = regexp.MustCompile(`^Created At: (\S+)\nCompleted At: (\S+)\n`)
	exitLine = regexp.MustCompile(`(?m)^\s*The command failed with exit code: (-?\d{1,6})`)
)

// outcome reads the result of a tool: when it ran stands in front of it.
func outcome(text string) chain.Result {
	r := chain.Result{Text: text}
	if m := stamps.FindStringSubmatch(text); m != nil {
		r.Text = text[len(m[0]):]
		if from, to := transcript.Unix(m[1]), transcript.Unix(m[2]); from > 0 && to > from {
			r.MS = (to - from) * 1000
		}
	}
	head := r.Text[:min(len(r.Text), 200)]
	if m := exitLine.FindStringSubmatch(head); m != nil {
		if n, err := strconv.Atoi(m[1]); err == nil {
			r.Exit = &n
		}
	} else if strings.Contains(head, "The command completed successfully.") {
		r.Exit = new(int)
	}
	return r
}

func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:8])
}
