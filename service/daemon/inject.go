package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dormouse/service/api"
	"dormouse/service/capture/transcript"
	"dormouse/service/inject"
	"dormouse/service/recall"
	"dormouse/service/spool"
	"dormouse/store/index"
	"dormouse/store/memory"
)

// asker is a session that may be told something.
type asker struct {
	agent, cwd string
	session    string // the agent's own id; empty for a preview
	prompt     string // the person's words
	core       bool   // it was told the core memory
}

// why something is not told.
const (
	whyForm     = "%s takes no text at this moment"
	whyExcept   = "inject.except in config.toml names %s"
	whyCore     = "inject.core is off in config.toml"
	whyPrompt   = "inject.prompt_records is 0 in config.toml; a number from 1 to 10 turns it on"
	whyChild    = "inject.sub_agents is off in config.toml"
	whyExcluded = "capture.exclude in config.toml names this folder"
	whyNothing  = "there is nothing to tell yet"
	whyNoRecord = "no record bears on the prompt that the session does not know already"
)

// inject is what a hook prints to tell its agent something; nil for nothing. It never fails: an agent that is told nothing works as ever.
func (d *Daemon) inject(ctx context.Context, r spool.Report, payload []byte) []byte {
	form := inject.Of(r.Agent)
	moment := form.At(r.Event)
	if moment == inject.Never || r.Session == "" {
		return nil
	}
	var p struct {
		Source string `json:"source"`
		Prompt string `json:"prompt"`
		Child  string `json:"agent_id"`
	}
	_ = json.Unmarshal(payload, &p) // an odd one says nothing
	_, own := transcript.Unwrap(p.Prompt)
	key := r.Agent + "\x00" + r.Session + "\x00" + p.Child
	if moment == inject.Start && !d.told.Again(key, p.Source, func() (bool, bool) { return wasTold(r.Transcript) }) {
		return nil
	}
	at := asker{agent: r.Agent, cwd: r.Cwd, session: r.Session, prompt: own[:min(len(own), maxPrompt)], core: d.told.HasCore(key)}
	out := d.tell(ctx, at, moment, r.Child, func(id string) bool { return d.told.Has(key, id) })
	if out.Text == "" || ctx.Err() != nil {
		return nil
	}
	if moment == inject.Prompt {
		d.told.Records(key, out.Records...)
	} else {
		d.told.Core(key)
	}
	return []byte(strings.TrimSuffix(out.Output, "\n"))
}

// previewInjection is what a new session in a folder would be told.
func (d *Daemon) previewInjection(ctx context.Context, q api.InjectQuery) (api.Injection, error) {
	if !inject.Of(q.Agent).Takes() {
		return api.Injection{}, notFound("%s takes no text through hooks; those that do are %s", q.Agent, strings.Join(inject.Agents(), ", "))
	}
	moment := inject.Start
	if q.Prompt != "" {
		moment = inject.Prompt
	}
	c := d.p.Config.Inject
	at := asker{agent: q.Agent, cwd: q.Cwd, prompt: q.Prompt, core: c.Core}
	return d.tell(ctx, at, moment, false, func(string) bool { return false }), nil
}

// tell makes what an agent is told at a moment. has says of the id of a record whether the session knows it.
func (d *Daemon) tell(ctx context.Context, at asker, moment inject.Moment, child bool, has func(id string) bool) api.Injection {
	form, c := inject.Of(at.agent), d.p.Config.Inject
	out := api.Injection{Agent: at.agent, Event: form.Event(moment), Limit: recall.CoreBytes}
	switch {
	case out.Event == "":
		out.Why = fmt.Sprintf(whyForm, at.agent)
	case slices.Contains(c.Except, at.agent):
		out.Why = fmt.Sprintf(whyExcept, at.agent)
	case (child || moment == inject.Child) && !c.SubAgents:
		out.Why = whyChild
	case moment == inject.Prompt && c.PromptRecords == 0:
		out.Why = whyPrompt
	case moment != inject.Prompt && !c.Core:
		out.Why = whyCore
	case d.isExcluded(at.cwd):
		out.Why = whyExcluded
	}
	if out.Why != "" {
		return out
	}
	p, err := d.projects.Glance(ctx, at.cwd)
	if err == nil && p.ID != memory.DefaultProject {
		out.Project = p.ID
	}
	if moment == inject.Prompt {
		d.tellRecords(ctx, &out, at, has)
	} else if out.Text = recall.FrameCore(d.coreText(out.Project)); out.Text == "" {
		out.Why = whyNothing
	}
	out.Bytes, out.Output = len(out.Text), string(form.Output(out.Event, out.Text))
	return out
}

// tellRecords adds the records that bear on a prompt and that the session knows from nowhere: not from its core memory, not from an
// earlier prompt, and not from itself.
func (d *Daemon) tellRecords(ctx context.Context, out *api.Injection, at asker, has func(id string) bool) {
	c := d.p.Config.Inject
	out.Limit, out.Why = c.PromptBytes, whyNoRecord
	hits, err := d.searcher.Search(ctx, recall.Query{Text: at.prompt, View: memory.View{Project: out.Project, Agent: at.agent},
		Kinds: []index.Kind{index.KindEvent, index.KindFact}, Limit: 3*c.PromptRecords + 5, Sure: true})
	if err != nil {
		return
	}
	core, self := "", ""
	if at.core {
		core = d.coreText(out.Project)
	}
	if at.session != "" {
		self = d.sessionOfAgent(at.agent, at.session)
	}
	var notes []recall.Noted
	for _, h := range hits {
		if len(notes) == c.PromptRecords {
			break
		}
		candidate, there := d.standing(h)
		if !there || candidate != "" || h.Session == self || h.Trust == memory.TrustQuoted || h.Trust == "" || has(h.ID) || recall.Repeats(core, h.Title) {
			continue
		}
		notes = append(notes, recall.Noted{What: h.What, ID: h.ID, Label: h.Label, Text: h.Title, Session: h.Session, Turn: h.Turn, Time: h.Time})
	}
	text, told := recall.FrameNotes(notes, c.PromptBytes)
	if text == "" {
		return
	}
	out.Text, out.Why = text, ""
	for _, n := range told {
		out.Records = append(out.Records, n.ID)
	}
}

// coreText is the core memory of a project, or the global one for "" and for a project of which nothing is known. It is the one that was
// written out, as long as nothing was decided since: then what no longer stands must not be told.
func (d *Daemon) coreText(id string) string {
	if d.stale.Load() {
		var text string
		d.served(func(s *memory.State) { text = recall.Core(s, d.coreInfo(s, id)) })
		return text
	}
	dir := d.p.Home.Memory()
	if id != "" {
		b, err := os.ReadFile(filepath.Join(dir, "core", id+".md"))
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return string(b)
		}
	}
	b, _ := os.ReadFile(filepath.Join(dir, "core.md")) // without it there is nothing to tell
	return string(b)
}

// knownAgents refuses names of agents that could be told nothing anyway: whoever mistypes one would have it told.
func knownAgents(except []string) error {
	for _, name := range except {
		if !inject.Of(name).Takes() {
			return fmt.Errorf("settings: inject.except: %q is no agent that is told anything; those are %s", name, strings.Join(inject.Agents(), ", "))
		}
	}
	return nil
}
