package cline

import (
	"regexp"
	"strconv"
	"strings"

	"dormouse/service/capture/blocks"
	"dormouse/service/capture/chain"
	"dormouse/store/memory"
)

// wordTags hold what the person wrote.
var wordTags = []string{"task", "feedback", "answer", "user_message", "user_feedback", "user_input"}

// parts is what a message under the role of the user holds.
type parts struct {
	words, client []string
	results       []blocks.Result
}

// user takes a message under the role of the user: results, what the client tells, and the person's words.
func (t *task) user(at chain.At, c *blocks.Content, key []string) {
	p := parts{results: c.Results}
	for i := range p.results {
		p.words = append(p.words, words(p.results[i].Text)...)
	}
	t.texts(&p, c.Texts)
	for _, r := range p.results {
		if t.speech[r.CallID] {
			continue
		}
		r.Source = at.Source
		outcome(&r)
		t.b.Answer(t.s, at, r.CallID, r.Result)
	}
	text := strings.Join(p.words, "\n\n")
	if text != "" {
		t.s.GiveUp(memory.StatusPending)
	}
	if t.n == 1 && t.s.Agent() != "" {
		t.s.Started(t.started[text], "task")
	}
	t.s.Client(at, memory.KindHarness, strings.Join(p.client, "\n\n"), append(key, "client")...)
	t.s.Prompt(at, text, c.Images, append(key, "prompt")...)
}

// texts parts the texts of a message.
func (t *task) texts(p *parts, texts []string) {
	var cur *blocks.Result
	for _, text := range texts {
		trimmed := strings.TrimSpace(text)
		name, rest, isResult := resultMark(trimmed)
		said := words(trimmed)
		switch {
		case strings.HasPrefix(trimmed, "<environment_details>"):
			t.environment(trimmed)
			p.client = append(p.client, trimmed)
		case isResult:
			p.results = append(p.results, blocks.Result{CallID: t.take(name), Result: chain.Result{Text: rest}})
			cur = &p.results[len(p.results)-1]
			p.words = append(p.words, said...)
		case len(said) > 0:
			p.words = append(p.words, said...)
		case cur != nil:
			cur.Text = strings.TrimSpace(cur.Text + "\n" + text)
		case t.n == 1 || t.typed[hash(trimmed)]:
			p.words = append(p.words, trimmed)
		default:
			p.client = append(p.client, trimmed)
		}
	}
}

// words are what the person wrote in a text: what stands in the tags for that.
func words(text string) []string {
	var out []string
	for _, tag := range wordTags {
		for rest := text; ; {
			inner, behind, ok := tagged(rest, tag)
			if !ok {
				break
			}
			if inner != "" {
				out = append(out, inner)
			}
			rest = behind
		}
	}
	return out
}

// resultMark reads the line that a result begins with where calls are tags: "[tool for 'x'] Result:".
func resultMark(text string) (name, rest string, ok bool) {
	if !strings.HasPrefix(text, "[") {
		return "", "", false
	}
	head, rest, ok := strings.Cut(text, "] Result:")
	if !ok {
		return "", "", false
	}
	for _, t := range tools {
		if after, is := strings.CutPrefix(head[1:], t); is && (after == "" || after[0] == ' ' || after[0] == '.') {
			return t, strings.TrimSpace(rest), true
		}
	}
	return "", "", false
}

// take is the call that a result of a tool answers.
func (t *task) take(name string) string {
	for i, o := range t.open {
		if o.name == name {
			t.open = append(append([]open(nil), t.open[:i]...), t.open[i+1:]...)
			return o.id
		}
	}
	return t.id + "/" + name // a call that is not there
}

var (
	exitLine  = regexp.MustCompile(`(?m)(?:^|[ .])[Ee]xit code:? (-?\d{1,6})`)
	folder    = regexp.MustCompile(`# Current (?:Working|Workspace) Directory \(([^)\n]+)\)`)
	modelLine = regexp.MustCompile(`<model>([^<\n]+)</model>`)
)

// outcome reads what the text of a result tells.
func outcome(r *blocks.Result) {
	head := r.Text[:min(len(r.Text), 300)]
	switch {
	case strings.HasPrefix(head, "The user denied this operation"), strings.Contains(head, `"status":"denied"`):
		r.Status = memory.StatusInterrupted
	case strings.HasPrefix(head, "The tool execution failed"), strings.HasPrefix(head, "Error "), strings.Contains(head, "<error>"):
		r.Status = memory.StatusError
	}
	if m := exitLine.FindStringSubmatch(head); m != nil && strings.HasPrefix(head, "Command") {
		if n, err := strconv.Atoi(m[1]); err == nil {
			r.Exit = &n
		}
	}
}

// environment takes the folder and the model that the client tells the model of.
func (t *task) environment(text string) {
	if m := modelLine.FindStringSubmatch(text); m != nil {
		t.s.Model = strings.Clone(m[1])
	}
	if m := folder.FindStringSubmatch(text); m != nil && t.s.Cwd == "" {
		t.s.Cwd = strings.Clone(m[1])
		t.b.Facts.Cwd = first(t.b.Facts.Cwd, t.s.Cwd)
	}
}
