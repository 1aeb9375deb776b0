package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"dormouse/service/api"
	"dormouse/service/capture/transcript"
	"dormouse/service/config"
	"dormouse/service/distill"
	"dormouse/service/llm"
	"dormouse/service/sleep"
	"dormouse/service/title"
	"dormouse/store/home"
	"dormouse/store/memory"
)

// booksFile keeps what the language model took in a night.
const booksFile = "llm.json"

// language is the language model that the settings name, and why sessions wait for it. The zero value is no model.
type language struct {
	client *llm.Client
	health *part
	broken error // why there is none though the settings name one

	mu    sync.Mutex
	why   string              // why sessions wait; empty where nothing hinders
	night time.Time           // whose cap is reached; zero where none is
	waits map[string]heldBack // by session
}

// heldBack is a session that holds something of which the model gave nothing to use. It is tried again when it has grown, or in
// another night: each try costs.
type heldBack struct {
	nodes int
	night time.Time
}

// openLanguage builds the model's client. The demo has none: its sample sessions are nothing to pay for.
func (d *Daemon) openLanguage() {
	c := d.p.Config.LLM
	d.language = &language{waits: map[string]heldBack{}, health: d.modelling}
	if c.Provider == "" || d.p.Demo {
		return
	}
	calls := filepath.Join(d.p.Home.Run(), "llm")
	if err := os.RemoveAll(calls); err != nil { // what a crash left
		d.notes = append(d.notes, fmt.Sprintf("%s cannot be removed: %v", calls, err))
	}
	o := llm.Options{
		Provider: c.Provider, Model: c.Model, BaseURL: c.BaseURL, Key: llm.Key{Env: c.KeyEnv, File: inHome(c.KeyFile)},
		Program: inHome(c.Program), Args: c.Args, Dir: calls, Mark: transcript.OwnMark, Effort: c.Effort, Timeout: time.Duration(c.Timeout),
		Caps: llm.Caps{Tokens: c.MaxTokens, CostMicros: int64(c.MaxCost * 1e6),
			MonthTokens: c.MaxTokensMonth, MonthCostMicros: int64(c.MaxCostMonth * 1e6)},
		Store: d.books(), Meter: d.meter, Night: d.nightOf, Env: d.p.Env, Now: d.p.Now, Wait: d.p.wait, Log: d.p.Log,
		Clean: d.cleanWords,
	}
	if p := c.Price(); p != nil {
		o.Price = &llm.Price{Input: p.Input, Output: p.Output}
	}
	d.language.client, d.language.broken = llm.New(o)
	if d.p.Titles == nil && c.Titles && d.language.client != nil {
		d.p.Titles = titler{d.language, func() bool { return d.frugal() && elsewhere(c.BaseURL) }}
	}
}

// cleanWords is a text of others that people may see. One that cannot be looked through is withheld.
func (d *Daemon) cleanWords(text string) string {
	if d.redactor == nil {
		return "(withheld: there is no redaction yet)"
	}
	clean, _, err := d.redactor.Text(text)
	if err != nil {
		return "(" + err.Error() + ")"
	}
	return memory.Guard(clean)
}

// inHome puts the person's home folder in the place of "~".
func inHome(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if user, err := os.UserHomeDir(); err == nil {
			return filepath.Join(user, filepath.FromSlash(rest))
		}
	}
	return path
}

// books keep what was spent in the state folder.
func (d *Daemon) books() llm.Store {
	path := filepath.Join(d.p.Home.Dir(), booksFile)
	return llm.Store{Name: path,
		Load: func() ([]byte, error) { return os.ReadFile(path) },
		Save: func(b []byte) error { return home.WriteFile(path, b) }}
}

// nightOf is when the night that a moment belongs to began.
func (d *Daemon) nightOf(t time.Time) time.Time { return sleep.LastNight(t, d.settings()) }

// modelled reports whether sessions are read by the model.
func (d *Daemon) modelled() bool { return d.p.Config.Distill.Extractor == config.Model && !d.p.Demo }

// extractor names what reads sessions, as runs do.
func (d *Daemon) extractor() string {
	if d.modelled() {
		return distill.ExtractorModel
	}
	return distill.Extractor
}

// reading is how the distiller asks the model; nil for the rules.
func (d *Daemon) reading() *distill.ModelOptions {
	if !d.modelled() {
		return nil
	}
	c := d.p.Config.LLM
	return &distill.ModelOptions{Model: distiller{d.language}, Name: c.Model, Input: c.InputTokens, Output: c.OutputTokens, Redact: d.redactText}
}

// distiller is the client as service/distill asks it.
type distiller struct{ l *language }

func (m distiller) Complete(ctx context.Context, p distill.Prompt) (distill.Completion, error) {
	if m.l.client == nil {
		return distill.Completion{}, &llm.Failure{Kind: llm.Setup, Detail: fmt.Sprint(m.l.broken)}
	}
	c, err := m.l.client.Complete(ctx, llm.Prompt(p))
	m.l.heard(ctx, err)
	return distill.Completion{Text: c.Text, Model: c.Model, InputTokens: c.InputTokens, OutputTokens: c.OutputTokens, CostMicros: c.CostMicros}, err
}

// heard notes how the model took a question. A cap that holds and an answer of no use are no failures of the model as a whole.
func (l *language) heard(ctx context.Context, err error) {
	f := (*llm.Failure)(nil)
	switch {
	case err == nil:
		l.health.ok()
	case ctx.Err() != nil || errors.As(err, &f) && (f.Capped() || !f.Lasting()):
	default:
		l.health.failure(err)
	}
}

// titler is the client as service/title asks it.
type titler struct {
	l    *language
	hold func() bool // nothing may be sent now
}

func (m titler) Complete(ctx context.Context, p title.Prompt) (string, error) {
	if m.hold() {
		return "", fmt.Errorf("%w: %s", title.ErrLater, metered)
	}
	c, err := m.l.client.Complete(ctx, llm.Prompt{Name: p.Name, System: p.System, User: p.User, MaxTokens: p.MaxTokens, Temperature: p.Temperature})
	m.l.heard(ctx, err)
	if capped(err) {
		err = fmt.Errorf("%w: %w", title.ErrLater, err)
	}
	return c.Text, err
}

// slept notes what a sleep showed of the model: whether it can be used, and which sessions wait for it.
func (l *language) slept(res distill.Result, nodes map[string]int, night time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.why, l.night = "", time.Time{}
	for _, f := range res.Failed {
		l.why = f.Err.Error()
		if res.Stopped == nil || f.Session != res.Failed[len(res.Failed)-1].Session {
			l.waits[f.Session] = heldBack{nodes: nodes[f.Session], night: night}
		}
	}
	if res.Stopped != nil {
		l.why = res.Stopped.Error()
		if capped(res.Stopped) {
			l.night = night
		}
	}
}

// capped reports whether the night's cap is why an error came.
func capped(err error) bool {
	var c interface{ Capped() bool }
	return errors.As(err, &c) && c.Capped()
}

// held reports whether a session is not to be tried now.
func (l *language) held(s memory.Session, night time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	w, ok := l.waits[s.ID]
	return l.night.Equal(night) || ok && w.nodes == s.Nodes && w.night.Equal(night)
}

// redactText takes secrets out by the rules of today, which may be more than those of the day on which a text was captured.
func (d *Daemon) redactText(s string) (string, error) {
	clean, _, err := d.redactor.Text(s)
	return clean, err
}

// languageState is what status tells of the model.
func (d *Daemon) languageState() api.LLM {
	c := d.p.Config.LLM
	out := api.LLM{Extractor: d.extractor()}
	l := d.language
	if l == nil || c.Provider == "" || d.p.Demo {
		return out
	}
	out.Provider, out.Model, out.MaxTokens, out.MaxCostMicros = c.Provider, c.Model, c.MaxTokens, int64(c.MaxCost*1e6)
	out.Priced = c.Price() != nil || c.Provider == llm.Claude
	l.mu.Lock()
	out.Why = l.why
	l.mu.Unlock()
	if l.client == nil {
		out.Why = fmt.Sprint(l.broken)
		return out
	}
	spent, err := l.client.Spent()
	if err != nil {
		out.Why = err.Error()
	}
	out.Since, out.Calls, out.CostMicros = spent.Night, spent.Calls, spent.CostMicros
	out.Tokens = spent.InputTokens + spent.OutputTokens
	out.Month = api.Month{Calls: spent.Month.Calls, Tokens: spent.Month.Tokens(), MaxTokens: c.MaxTokensMonth, CostMicros: spent.Month.CostMicros,
		MaxCostMicros: int64(c.MaxCostMonth * 1e6)}
	return out
}

// tryPrompt is the tiny call that shows whether the model answers in the form that is asked for.
var tryPrompt = llm.Prompt{Name: "try", System: `Answer with the JSON document {"ready":true} and nothing else.`, User: "Are you ready?",
	Schema:    json.RawMessage(`{"type":"object","properties":{"ready":{"type":"boolean"}},"required":["ready"],"additionalProperties":false}`),
	MaxTokens: 200, Check: func(answer string) error {
		var v struct{ Ready *bool }
		if err := json.Unmarshal([]byte(answer), &v); err != nil || v.Ready == nil {
			return errors.New(`it is not {"ready":true}`)
		}
		return nil
	}}

// tryModel makes one tiny call.
func (d *Daemon) tryModel(ctx context.Context) (api.ModelTried, error) {
	c := d.p.Config.LLM
	switch {
	case d.p.Demo:
		return api.ModelTried{}, notFound("the demo asks no language model")
	case c.Provider == "":
		return api.ModelTried{}, notFound("no language model is set: set llm.provider in %s, then restart the service", d.p.Home.Config())
	case d.language.client == nil:
		return api.ModelTried{}, fmt.Errorf("the language model is not set up: %w", d.language.broken)
	}
	began := time.Now()
	got, err := d.language.client.Complete(ctx, tryPrompt)
	d.language.heard(ctx, err)
	out := api.ModelTried{Provider: c.Provider, Model: got.Model, Milliseconds: time.Since(began).Milliseconds(), InputTokens: got.InputTokens,
		OutputTokens: got.OutputTokens, CostMicros: got.CostMicros, Priced: c.Price() != nil || c.Provider == llm.Claude, Calls: got.Calls}
	if out.Model == "" {
		out.Model = c.Model
	}
	if err != nil {
		out.Failure = err.Error()
		if f := (*llm.Failure)(nil); errors.As(err, &f) {
			out.Reason = f.Reason()
		}
	}
	return out, nil
}
