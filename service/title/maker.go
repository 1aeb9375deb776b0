package title

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"dormouse/store/memory"
	"dormouse/store/session"
)

// Who gave a title; the values of memory.Session.TitleBy.
const (
	ByUser    = "user"
	ByAgent   = "agent"
	ByModel   = "model"
	ByExcerpt = "excerpt"
)

// Options are what a Maker works with. All but Now and Log are needed.
type Options struct {
	Model    Model
	Sessions *session.Store
	// Made is told of each session that got a title.
	Made func(id string)
	Now  func() time.Time // default: time.Now
	Log  *slog.Logger     // default: none
}

// recent is how old the newest node of a session may be for a model to be asked: a first import of years of work is no reason to pay
// for thousands of titles.
const recent = 24 * time.Hour

// patience is how long a model may take.
const patience = time.Minute

// laterLook is how often it is tried whether a model that was not to be asked may be asked again.
const laterLook = 10 * time.Minute

// enough is how many nodes are looked through for the first message and its answer.
const enough = 200

// Maker asks a model for titles, one session at a time. Its methods may be called from several goroutines.
type Maker struct {
	o    Options
	wake chan struct{}

	mu      sync.Mutex
	waiting []string
	later   []string // to be tried again once the model may be asked
}

// New is a Maker that has not begun. It does no I/O.
func New(o Options) *Maker {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Maker{o: o, wake: make(chan struct{}, 1)}
}

// Notice says that a session has changed. It does not block.
func (m *Maker) Notice(id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, w := range m.waiting {
		if w == id {
			return
		}
	}
	m.waiting = append(m.waiting, id)
	select {
	case m.wake <- struct{}{}:
	default:
	}
}

// Run makes titles of the sessions that were noticed, until ctx ends.
func (m *Maker) Run(ctx context.Context) error {
	again := time.NewTicker(laterLook)
	defer again.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-m.wake:
		case <-again.C:
			m.wakeLater()
		}
		for _, id := range m.take() {
			if err := m.make(ctx, id); err != nil {
				m.o.Log.Warn("no title was made", "component", "title", "session", id, "error", err)
			}
		}
	}
}

// wakeLater has the sessions tried again whose model was not to be asked.
func (m *Maker) wakeLater() {
	m.mu.Lock()
	later := m.later
	m.later = nil
	m.mu.Unlock()
	for _, id := range later {
		m.Notice(id)
	}
}

func (m *Maker) take() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	ids := m.waiting
	m.waiting = nil
	return ids
}

// make gives a session a title if it is to get one from the model now.
func (m *Maker) make(ctx context.Context, id string) error {
	x, err := m.o.Sessions.Open(id)
	if err != nil {
		if errors.Is(err, session.ErrNotFound) {
			return nil
		}
		return err
	}
	if !m.wanted(x.Meta()) {
		return nil
	}
	message, answer, err := opening(x)
	if err != nil || message == "" || answer == "" {
		return err // without an answer the next change tries again
	}
	if err := asked(x, true); err != nil {
		return err
	}
	text, err := m.complete(ctx, ask(message, answer))
	if ctx.Err() != nil {
		return asked(x, false) // the service ends; it was not the model's fault
	}
	if errors.Is(err, ErrLater) {
		m.mu.Lock()
		m.later = append(m.later, id)
		m.mu.Unlock()
		return asked(x, false)
	}
	if err != nil {
		return err
	}
	return m.name(x, text)
}

func (m *Maker) complete(ctx context.Context, p Prompt) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	answer, err := m.o.Model.Complete(ctx, p)
	if err != nil {
		return "", fmt.Errorf("ask the model for a title: %w", err)
	}
	text := clean(answer)
	if text == "" {
		return "", errors.New("ask the model for a title: its answer has no words")
	}
	return text, nil
}

// name sets a model's title, unless the person or the agent was faster.
func (m *Maker) name(x *session.Session, text string) error {
	done := false
	err := x.Update(func(s *memory.Session) {
		if done = replaceable(s); done {
			s.Title, s.TitleBy = text, ByModel
		}
	})
	if err == nil && done {
		m.o.Made(x.Meta().ID)
	}
	return err
}

func asked(x *session.Session, yes bool) error {
	return x.Update(func(s *memory.Session) { s.TitleAsked = yes })
}

// wanted reports whether a session is one to ask about.
func (m *Maker) wanted(s memory.Session) bool {
	return !s.TitleAsked && replaceable(&s) && m.o.Now().Sub(time.Unix(s.UpdatedAt, 0)) < recent
}

func replaceable(s *memory.Session) bool { return s.Title == "" || s.TitleBy == ByExcerpt }

// opening is the person's first message of the main conversation and the first answer to it, as far as they are there.
func opening(x *session.Session) (message, answer string, err error) {
	seen := 0
	for n, err := range x.Nodes(1) {
		if err != nil {
			return "", "", err
		}
		if seen++; seen > enough {
			break
		}
		switch {
		case n.Metadata.AgentID != "":
		case message == "" && n.StartsTurn():
			message = bareWords(n.Output)
		case message != "" && n.Role == memory.RoleAssistant && n.Output != "":
			return message, memory.Guard(n.Output), nil
		}
	}
	return message, "", nil
}

// bareWords are a message's own words, without marks but with its lines.
func bareWords(message string) string {
	w := marks.ReplaceAllString(words(message), " ")
	if bare(w) == "" {
		return ""
	}
	return w
}

// Of is the preview of a session that has no title: of the first message that has words, else of the first node that has text.
func Of(x *session.Session) string {
	fallback, seen := "", 0
	for n, err := range x.Nodes(1) {
		if seen++; err != nil || seen > enough {
			break
		}
		if n.Metadata.AgentID != "" || n.Role == memory.RoleTool {
			continue
		}
		if n.StartsTurn() && bareWords(n.Output) != "" {
			return Preview(n.Output)
		}
		if fallback == "" {
			fallback = Preview(n.Output)
		}
	}
	return fallback
}
