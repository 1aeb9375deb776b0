package cursor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"dormouse/service/capture/blocks"
	"dormouse/service/capture/chain"
	"dormouse/service/capture/share"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
	"github.com/tidwall/gjson"
)

// lines is a transcript: a file, or a folder with a file and those of sub-agents.
type lines struct {
	path string
	opts transcript.Options
}

// Close has nothing to close.
func (l *lines) Close() error { return nil }

// files are the main file, and those of the sub-agents by their names.
func (l *lines) files() (main string, subs []string, err error) {
	info, err := os.Stat(l.path)
	if err != nil {
		return "", nil, err
	}
	if !info.IsDir() {
		return l.path, nil, nil
	}
	err = filepath.WalkDir(l.path, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || d.IsDir() || filepath.Ext(path) != ".jsonl":
		case filepath.Base(filepath.Dir(path)) == "subagents":
			subs = append(subs, path)
		case main == "" || stem(path) == filepath.Base(l.path):
			main = path
		}
		return err
	})
	slices.Sort(subs)
	return main, subs, err
}

func stem(path string) string { return strings.TrimSuffix(filepath.Base(path), ".jsonl") }

// List tells of the session.
func (l *lines) List(_ context.Context, use func(transcript.Entry) error) error {
	main, subs, err := l.files()
	if errors.Is(err, fs.ErrNotExist) || err == nil && main == "" && len(subs) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	e := transcript.Entry{Session: stem(l.path), Rank: rankTranscript}
	for _, f := range append([]string{main}, subs...) {
		info, err := os.Stat(f)
		if err != nil {
			continue // gone meanwhile
		}
		e.Version = digest(e.Version, f, strconv.FormatInt(info.Size(), 10), strconv.FormatInt(info.ModTime().UnixNano(), 10))
		e.Updated, e.Bytes = max(e.Updated, info.ModTime().Unix()), e.Bytes+info.Size()
	}
	return use(e)
}

// Read reads it. A last line without its end waits.
func (l *lines) Read(ctx context.Context, session string, how transcript.Settle, use func(memory.Node) error) (transcript.Facts, error) {
	b := chain.New(Agent, l.opts)
	main, subs, err := l.files()
	if err != nil {
		return b.Facts, err
	}
	r := &lineReader{teller: newTeller(ctx, b, use), opts: l.opts, session: session}
	for _, f := range subs {
		r.subs = append(r.subs, &subAgent{path: f, task: task(f)})
	}
	if main != "" {
		err = r.file(main, b.Main())
	}
	for _, s := range r.subs { // those whose call was not found
		if err == nil {
			err = r.sub(s, "", "")
		}
	}
	if err == nil {
		err = r.handOn(b.Drain(how))
	}
	return b.Facts, err
}

// lineReader reads the files of one session.
type lineReader struct {
	*teller
	opts    transcript.Options
	session string
	subs    []*subAgent
	open    []openCall // without a result, in their order
	n       int        // of calls
}

type openCall struct{ id, name string }

// subAgent is the file of a sub-agent, and the task that its first line gives.
type subAgent struct {
	path, task string
	told       bool
}

// task is the first text of a file.
func task(path string) (text string) {
	in, err := share.Open(path)
	if err != nil {
		return ""
	}
	defer in.Close() //nolint:errcheck // opened for reading
	line, err := transcript.NewReader(in, path, transcript.Place{}, 0, nil).Next()
	if err != nil {
		return ""
	}
	transcript.Objects(line, func(obj []byte) {
		c := blocks.Anthropic(gjson.GetBytes(obj, "message.content"))
		text = c.Text()
		if m := query.FindStringSubmatch(text); m != nil {
			text = m[1]
		}
	}, func(transcript.Skip) {})
	return strings.TrimSpace(text)
}

// file reads one file.
func (r *lineReader) file(path string, s *chain.Stream) error {
	in, err := share.Open(path)
	if err != nil {
		return err
	}
	defer in.Close() //nolint:errcheck // opened for reading
	open := r.open
	r.open = nil
	defer func() { r.open = open }()
	lines := transcript.NewReader(in, path, transcript.Place{}, 0, r.opts.Skip)
	cut := r.opts.Cutting()
	lines.OnLong(r.opts.Waiting)
	lines.OnCut(cut.File, cut.Keep, cut.Images)
	for {
		l, err := lines.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read %s: %w", path, err)
		}
		at := chain.At{File: path, Line: l.Number}
		var failed error
		transcript.Objects(l, func(obj []byte) {
			if failed == nil {
				failed = r.line(s, at, gjson.ParseBytes(obj))
			}
		}, r.opts.Skip)
		if failed == nil {
			failed = r.handOn(r.chain.Drain(transcript.Growing))
		}
		if failed != nil {
			return failed
		}
	}
}

// line takes one line.
func (r *lineReader) line(s *chain.Stream, at chain.At, v value) error {
	r.chain.Look(v.Raw)
	role, typ := v.Get("role").String(), v.Get("type").String()
	content := v.Get("message.content")
	switch {
	case role == "user":
		c := blocks.Anthropic(results(content))
		for _, res := range c.Results {
			r.chain.Answer(s, at, r.answers(res), res.Result)
		}
		if text := c.Text(); text != "" || len(c.Images) > 0 {
			r.open = nil // what has no result by now gets none
			r.ask(s, at, text, c.Images, r.key(s, "user", text)...)
		}
	case role == "assistant":
		return r.said(s, at, v, content)
	case typ == "turn_ended":
		if e := v.Get("error"); e.Exists() && e.Type != gjson.Null {
			s.Failed(at, first(e.Get("message").String(), e.String()), r.key(s, "error", e.Raw)...)
		}
		s.Close()
	default:
		r.chain.Unknown(at, first(typ, role), len(v.Raw))
	}
	return nil
}

// said takes a message of the model, and tells the sub-agents that it started.
func (r *lineReader) said(s *chain.Stream, at chain.At, v, content value) error {
	s.GiveUp(memory.StatusPending) // results come at once or not at all
	m := chain.Message{Model: v.Get("model").String()}
	var texts, thoughts []string
	if content.Type == gjson.String {
		texts, content = []string{content.Str}, value{}
	}
	content.ForEach(func(_, b value) bool {
		switch typ := b.Get("type").String(); typ {
		case "tool_use", "tool_call", "tool-call":
			r.n++
			c := chain.Call{ID: "c" + strconv.Itoa(r.n), Name: strings.Clone(first(b.Get("name").String(), b.Get("toolName").String()))}
			c.Input = blocks.Input(b.Get("input"))
			if id := b.Get("id").String(); id != "" {
				c.ID = strings.Clone(id)
			}
			m.Calls = append(m.Calls, c)
			r.open = append(r.open, openCall{c.ID, c.Name})
		case "thinking", "reasoning":
			thoughts = append(thoughts, first(b.Get("thinking").String(), b.Get("text").String()))
		default:
			if text := b.Get("text").String(); strings.TrimSpace(text) != "" {
				texts = append(texts, text)
			} else if typ != "text" {
				r.chain.Unknown(at, "content "+typ, len(b.Raw))
			}
		}
		return true
	})
	m.Text, m.Thinking = strings.Join(texts, "\n\n"), strings.Join(thoughts, "\n\n")
	s.Say(at, m, r.key(s, "assistant", content.Raw)...)
	s.Close()
	if err := r.handOn(r.chain.Drain(transcript.Growing)); err != nil {
		return err
	}
	for _, c := range m.Calls {
		prompt := strings.TrimSpace(first(get(c.Input, "prompt"), get(c.Input, "task")))
		for _, sub := range r.subs {
			if prompt != "" && !sub.told && sub.task == prompt {
				if err := r.sub(sub, c.ID, first(get(c.Input, "subagent_type"), get(c.Input, "agent"))); err != nil {
					return err
				}
				break
			}
		}
	}
	return nil
}

// sub tells the file of a sub-agent.
func (r *lineReader) sub(a *subAgent, caller, typ string) error {
	if a.told {
		return nil
	}
	a.told = true
	s := r.chain.Stream(stem(a.path))
	s.Caller, s.Type = caller, typ
	return r.file(a.path, s)
}

// key names a node by its text, and how often that was met in the session.
func (r *lineReader) key(s *chain.Stream, role, text string) []string {
	return []string{r.session, s.Agent(), role, r.nth(s.Agent() + role + digest(text))}
}

// results are the blocks of a message; results that are spelled with a hyphen are spelled as others do.
func results(content value) value {
	if strings.Contains(content.Raw, `"tool-result"`) {
		return gjson.Parse(strings.ReplaceAll(content.Raw, `"tool-result"`, `"tool_result"`))
	}
	return content
}

// answers is the call that a result is of: the one that it names, else the oldest without one, of its name where it says that.
func (r *lineReader) answers(res blocks.Result) string {
	at := slices.IndexFunc(r.open, func(c openCall) bool { return c.id == res.CallID })
	if at < 0 {
		at = slices.IndexFunc(r.open, func(c openCall) bool { return res.Name == "" || c.name == res.Name })
	}
	if at < 0 {
		return res.CallID
	}
	id := r.open[at].id
	r.open = slices.Delete(r.open, at, at+1)
	return id
}
