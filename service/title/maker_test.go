package title

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"dormouse/store/memory"
	"dormouse/store/session"
)

// script answers with what it is given, and remembers what it was asked.
type script struct {
	mu     sync.Mutex
	answer func(ctx context.Context) (string, error)
	asked  []Prompt
}

func (s *script) Complete(ctx context.Context, p Prompt) (string, error) {
	s.mu.Lock()
	s.asked = append(s.asked, p)
	s.mu.Unlock()
	return s.answer(ctx)
}

// times is how often it was asked.
func (s *script) times() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.asked)
}

func says(text string) *script {
	return &script{answer: func(context.Context) (string, error) { return text, nil }}
}

var now = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

type bed struct {
	*Maker
	model    *script
	sessions *session.Store
	made     []string
}

func newBed(t *testing.T, model *script) *bed {
	t.Helper()
	b := &bed{model: model, sessions: session.New(session.Options{Dir: filepath.Join(t.TempDir(), "sessions"), Machine: "00000001"})}
	b.Maker = New(Options{Model: model, Sessions: b.sessions, Made: func(id string) { b.made = append(b.made, id) }, Now: func() time.Time { return now }})
	return b
}

func node(id string, role memory.Role, text string, at time.Time) memory.Node {
	n := memory.Node{ID: id, Role: role, Output: text, CreatedAt: at.Unix()}
	if role == memory.RoleUser {
		n.Metadata.Kind = memory.KindPrompt
	}
	return n
}

func (b *bed) session(t *testing.T, meta func(*memory.Session), nodes ...memory.Node) *session.Session {
	t.Helper()
	x, err := b.sessions.Ensure(memory.Session{Agent: "claude-code", AgentSessionID: "a"}, "cc")
	if err != nil {
		t.Fatal(err)
	}
	batch := x.Begin(false)
	for _, n := range nodes {
		if _, err := batch.Append(n); err != nil {
			t.Fatal(err)
		}
	}
	if err := batch.Close(false); err != nil {
		t.Fatal(err)
	}
	if meta != nil {
		if err := x.Update(meta); err != nil {
			t.Fatal(err)
		}
	}
	return x
}

func byExcerpt(m *memory.Session) { m.Title, m.TitleBy = "the till fails", ByExcerpt }

func TestAModelNamesASessionAfterTheFirstAnswerAndOnce(t *testing.T) {
	b := newBed(t, says("Title: \"Mend the failing till\""))
	long := "the till fails\n" + strings.Repeat("ä", 600)
	x := b.session(t, byExcerpt, node("u", memory.RoleUser, "<system-reminder>r</system-reminder>[Image #1]"+long, now))
	id := x.Meta().ID
	if err := b.make(t.Context(), id); err != nil || len(b.model.asked) != 0 {
		t.Fatalf("asked before there is an answer: %v", err)
	}
	b.session(t, nil, node("a", memory.RoleAssistant, "Here it is. "+strings.Repeat("ö", 600), now))
	if err := b.make(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	m := x.Meta()
	if m.Title != "Mend the failing till" || m.TitleBy != ByModel || !m.TitleAsked || len(b.made) != 1 || m.UpdatedAt != now.Unix() {
		t.Errorf("%+v, told of %v", m, b.made)
	}
	p := b.model.asked[0]
	if p.MaxTokens != 50 || p.Temperature != 0.3 || !strings.Contains(p.System, "3 to 7 words") || strings.Contains(p.User, "system-reminder") ||
		strings.Contains(p.User, "[Image") || strings.Count(p.User, "ä") != 500-len("the till fails\n") || strings.Count(p.User, "ö") != 500-len("Here it is. ") {
		t.Errorf("asked %+v", p)
	}
	if err := b.make(t.Context(), id); err != nil || len(b.model.asked) != 1 {
		t.Errorf("asked %d times, %v", len(b.model.asked), err)
	}
}

func TestThePersonsAndTheAgentsTitlesAreNeverReplaced(t *testing.T) {
	answer := node("a", memory.RoleAssistant, "yes", now)
	for _, by := range []string{ByUser, ByAgent, ByModel} {
		b := newBed(t, says("Other"))
		x := b.session(t, func(m *memory.Session) { m.Title, m.TitleBy = "Mine", by }, node("u", memory.RoleUser, "hi", now), answer)
		if err := b.make(t.Context(), x.Meta().ID); err != nil || x.Meta().Title != "Mine" || len(b.model.asked) != 0 {
			t.Errorf("%s: %+v %v", by, x.Meta(), err)
		}
	}
	// Not even where the person is faster than the model.
	b := newBed(t, nil)
	x := b.session(t, byExcerpt, node("u", memory.RoleUser, "hi", now), answer)
	b.o.Model = &script{answer: func(context.Context) (string, error) {
		return "Other", x.Update(func(m *memory.Session) { m.Title, m.TitleBy = "Mine", ByUser })
	}}
	if err := b.make(t.Context(), x.Meta().ID); err != nil || x.Meta().Title != "Mine" || len(b.made) != 0 {
		t.Errorf("%+v %v", x.Meta(), err)
	}
}

func TestAFailureIsOnlyReportedAndNotTriedAgain(t *testing.T) {
	for name, model := range map[string]*script{
		"error":    {answer: func(context.Context) (string, error) { return "", errors.New("no") }},
		"no words": says("\"\"\n"),
	} {
		b := newBed(t, model)
		x := b.session(t, byExcerpt, node("u", memory.RoleUser, "the till fails", now), node("a", memory.RoleAssistant, "yes", now))
		if err := b.make(t.Context(), x.Meta().ID); err == nil {
			t.Errorf("%s: no error", name)
		}
		if err := b.make(t.Context(), x.Meta().ID); err != nil || len(model.asked) != 1 || x.Meta().TitleBy != ByExcerpt {
			t.Errorf("%s: asked %d times, %v", name, len(model.asked), err)
		}
	}
}

func TestOldSessionsAndThoseWithoutWordsAreNotAskedAbout(t *testing.T) {
	old := now.Add(-25 * time.Hour)
	for name, nodes := range map[string][]memory.Node{
		"old":      {node("u", memory.RoleUser, "hi", old), node("a", memory.RoleAssistant, "yes", old)},
		"no words": {node("u", memory.RoleUser, "[Image #1]", now), node("a", memory.RoleAssistant, "yes", now)},
	} {
		b := newBed(t, says("Other"))
		x := b.session(t, nil, nodes...)
		if err := b.make(t.Context(), x.Meta().ID); err != nil || len(b.model.asked) != 0 || x.Meta().TitleAsked {
			t.Errorf("%s: asked %d times, %v", name, len(b.model.asked), err)
		}
	}
	b := newBed(t, says("Other"))
	if err := b.make(t.Context(), "nothing"); err != nil {
		t.Error(err)
	}
}

func TestTitlesAreMadeInTheBackground(t *testing.T) {
	b := newBed(t, says("Mend the failing till"))
	x := b.session(t, byExcerpt, node("u", memory.RoleUser, "the till fails", now), node("a", memory.RoleAssistant, "yes", now))
	synctest.Test(t, func(t *testing.T) {
		b.wake = make(chan struct{}, 1)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- b.Run(ctx) }()
		b.Notice(x.Meta().ID)
		b.Notice(x.Meta().ID)
		synctest.Wait()
		cancel()
		if err := <-done; err != nil || x.Meta().TitleBy != ByModel || len(b.model.asked) != 1 {
			t.Errorf("%+v %v", x.Meta(), err)
		}
	})
}

func TestASessionIsAskedAboutAgainWhenTheServiceEndedMeanwhile(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	b := newBed(t, &script{answer: func(context.Context) (string, error) { cancel(); return "", ctx.Err() }})
	x := b.session(t, byExcerpt, node("u", memory.RoleUser, "the till fails", now), node("a", memory.RoleAssistant, "yes", now))
	if err := b.make(ctx, x.Meta().ID); err != nil || x.Meta().TitleAsked {
		t.Errorf("%+v %v", x.Meta(), err)
	}
}

func TestSessionWithoutATitleHasAPreview(t *testing.T) {
	for want, nodes := range map[string][]memory.Node{
		"one two":    {node("u", memory.RoleUser, "[Image #1]", now), node("v", memory.RoleUser, "one\ntwo", now)},
		"[Image #1]": {node("u", memory.RoleUser, "[Image #1]", now)},
		"Hello":      {node("a", memory.RoleAssistant, "Hello", now)},
		"":           {node("t", memory.RoleTool, "x", now)},
	} {
		if got := Of(newBed(t, nil).session(t, nil, nodes...)); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestAModelThatIsNotToBeAskedNowIsAskedLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var held atomic.Bool
		held.Store(true)
		model := &script{answer: func(context.Context) (string, error) {
			if held.Load() {
				return "", ErrLater
			}
			return "Mend the till", nil
		}}
		b := newBed(t, model)
		x := b.session(t, nil, node("p", memory.RoleUser, "mend it", now), node("a", memory.RoleAssistant, "done", now))
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- b.Run(ctx) }()
		b.Notice(x.Meta().ID)
		synctest.Wait()
		if m := x.Meta(); m.TitleAsked || m.TitleBy == ByModel || model.times() != 1 {
			t.Errorf("held: %+v, asked %d times", m, model.times())
		}
		time.Sleep(laterLook + time.Second)
		synctest.Wait()
		if model.times() != 2 {
			t.Errorf("asked %d times", model.times())
		}
		held.Store(false)
		time.Sleep(laterLook)
		synctest.Wait()
		if m := x.Meta(); m.Title != "Mend the till" || m.TitleBy != ByModel || !m.TitleAsked {
			t.Errorf("later: %+v", m)
		}
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}
