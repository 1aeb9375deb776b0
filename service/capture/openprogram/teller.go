package openprogram

import (
	"context"
	"fmt"
	"strings"

	"dormouse/service/capture/archive"
	"dormouse/service/capture/chain"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
	"github.com/tidwall/gjson"
)

// teller tells the nodes of a session.
type teller struct {
	b       *chain.Session
	session string
	how     transcript.Settle
	opts    transcript.Options
	use     func(memory.Node) error
	by      map[string]*outline
	tips    map[string]string        // node, or none for the beginning -> the one here that what follows it hangs on
	streams map[string]*chain.Stream // that a node lies on
	spoke   map[string]string        // message -> its node here
	held    map[string]bool          // nodes that wait until they are done
	made    map[string][]string      // message -> the agent's ids and the names of its calls that have nodes of their own
	cwd     string
	head    string
	title   string
	titleBy string
	updated int64
}

func newTeller(session string, how transcript.Settle, o transcript.Options, use func(memory.Node) error) *teller {
	return &teller{b: chain.New(Agent, o), session: session, how: how, opts: o, use: use, by: map[string]*outline{}, tips: map[string]string{},
		streams: map[string]*chain.Stream{}, spoke: map[string]string{}, held: map[string]bool{}, made: map[string][]string{}}
}

// folder tells the nodes of one folder of the session.
func (t *teller) folder(ctx context.Context, f *folder) error {
	files, _, err := nodeFiles(f.dir)
	if err != nil {
		return fmt.Errorf("read the session's folder: %w", err)
	}
	all, err := outlines(ctx, files, t.opts.Skip)
	if err != nil {
		return fmt.Errorf("read a node of the session: %w", err)
	}
	t.about(f)
	for _, o := range all {
		t.by[o.id] = o
		if o.role == code {
			t.made[o.caller] = append(t.made[o.caller], o.id, o.name)
		}
	}
	items := tree(all)
	var failed error
	archive.Walk(items, t.head, func(i int) {
		if failed == nil {
			failed = t.visit(ctx, all[i], items[i].Parent)
		}
	})
	return failed
}

// about takes what the folder says of the session.
func (t *teller) about(f *folder) {
	m := f.meta
	t.head, t.cwd, t.updated = m.Get("head_id").String(), f.cwd, f.updated
	facts := &t.b.Facts
	facts.Cwd = f.cwd
	facts.Model = strings.Clone(first(m, "model"))
	t.b.Seen(seconds(m.Get("created_at")))
	t.title, t.titleBy = strings.Clone(m.Get("title").String()), ""
	switch {
	case m.Get("_user_titled").Bool():
		t.titleBy = "user"
	case m.Get("_titled").Bool() || m.Get("_auto_titled").Bool():
		t.titleBy = "agent"
	}
}

// end hands over the rest, and says what is known of the session.
func (t *teller) end() (transcript.Facts, error) {
	main := t.b.Main()
	if tip, ok := t.tips[t.head]; ok && t.streams[t.head] == main {
		main.Move(tip)
	}
	err := t.handOn(t.how)
	facts := t.b.Facts
	if t.titleBy != "" || !excerpt(t.title, facts.FirstPrompt) {
		facts.Title, facts.TitleBy = t.title, t.titleBy
		if t.titleBy == "" {
			facts.TitleBy = "agent"
		}
	}
	facts.Updated = max(facts.Updated, t.updated)
	return facts, err
}

func (t *teller) handOn(how transcript.Settle) error {
	for _, n := range t.b.Drain(how) {
		if err := t.use(n); err != nil {
			return err
		}
	}
	return nil
}

// visit tells one node, which hangs on another one.
func (t *teller) visit(ctx context.Context, o *outline, up string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if t.held[up] || o.running && t.how != transcript.Over {
		t.held[o.id] = true
		return nil
	}
	s := t.stream(o, up)
	t.streams[o.id] = s
	v, err := t.load(o)
	if err != nil || !v.Exists() {
		t.tips[o.id] = s.Tip
		return err
	}
	t.tell(s, o, v)
	s.Close()
	t.tips[o.id] = s.Tip
	t.moveOn(o, up, s)
	return t.handOn(transcript.Growing)
}

func (t *teller) load(o *outline) (value, error) {
	raw := o.raw
	o.raw = nil
	if raw == nil {
		var err error
		if raw, err = load(o.file, transcript.Options{Skip: func(transcript.Skip) {}, Cut: t.opts.Cut, Wait: t.opts.Wait}); err != nil || raw == nil { // it was told when it was looked at
			return value{}, err
		}
	}
	return gjson.ParseBytes(raw), nil
}

// stream is the chain that a node belongs to, with its end where the node hangs.
func (t *teller) stream(o *outline, up string) *chain.Stream {
	called := t.by[o.caller]
	switch {
	case o.spawned && o.caller != "":
		s := t.b.Stream(o.id)
		if called != nil && called.role == code {
			s.Caller, s.Type = called.id, called.name
		}
		s.Cwd = t.cwd
		return s
	case called != nil && called.role == code && up == o.caller && !o.answer:
		s := t.b.Stream(called.id)
		s.Caller, s.Type, s.Cwd = called.id, called.name, t.cwd
		if tip, ok := t.tips[o.before]; ok && t.streams[o.before] == s {
			s.Move(tip)
		}
		return s
	}
	s := t.streams[up]
	if s == nil {
		s = t.b.Main()
	}
	s.Cwd = t.cwd
	s.Move(t.tips[up])
	return s
}

// moveOn lets what hangs on a message follow its calls and their answers, and what the program noted behind it.
func (t *teller) moveOn(o *outline, up string, s *chain.Stream) {
	follow := func(id string) {
		if t.streams[id] == s || id == "" && s == t.b.Main() {
			t.tips[id] = s.Tip
		}
	}
	switch {
	case o.aside:
		follow(up)
	case o.answer && o.caller != "":
		follow(o.caller)
		if call := t.by[o.caller]; call != nil && call.caller != "" {
			follow(call.caller)
		}
	case o.role == code && o.caller != "":
		follow(o.caller)
	}
}
