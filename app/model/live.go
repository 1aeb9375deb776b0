package model

import (
	"context"
	"errors"
	"strings"
	"time"

	"dormouse/service/api"
)

// Topic is a set of things that may have changed.
type Topic uint

// The topics.
const (
	TopicStatus Topic = 1 << iota
	TopicCore
	TopicProjects
	TopicSessions
	TopicMemory // what is remembered, and what waits for the person
	TopicClock  // a minute went by: how long ago things were is out of date
	TopicAll    = TopicStatus | TopicCore | TopicProjects | TopicSessions | TopicMemory
)

// Update tells that something changed.
type Update struct {
	// Up says that the service answers.
	Up     bool
	Topics Topic
	// Sessions are the sessions that grew.
	Sessions map[string]bool
}

// LiveOptions are what Live works with. All but Wake must be set.
type LiveOptions struct {
	// Pick chooses the service before each attempt to follow it.
	Pick    func(context.Context)
	Backend func() Backend
	// Tell is called from one goroutine, at most some times a second.
	Tell func(Update)
}

// Live follows the service's events, and finds it again after it was gone.
type Live struct {
	o     LiveOptions
	hurry chan struct{}
}

// Times of Live.
const (
	firstRetry = 250 * time.Millisecond
	lastRetry  = 10 * time.Second
	// gatherFor is how long changes are gathered before they are told.
	gatherFor = 200 * time.Millisecond
)

// NewLive is a follower that has not begun.
func NewLive(o LiveOptions) *Live { return &Live{o: o, hurry: make(chan struct{}, 1)} }

// Hurry makes Live look for the service at once, and often for a while: it was just started.
func (l *Live) Hurry() {
	select {
	case l.hurry <- struct{}{}:
	default:
	}
}

// Run follows until ctx ends. That the service is gone is told once.
func (l *Live) Run(ctx context.Context) {
	pause, told := firstRetry, false
	for ctx.Err() == nil {
		l.o.Pick(ctx)
		if l.follow(ctx) {
			pause, told = firstRetry, false
		}
		if ctx.Err() != nil {
			return
		}
		if !told {
			told = true
			l.o.Tell(Update{Topics: TopicAll})
		}
		select {
		case <-ctx.Done():
			return
		case <-l.hurry:
			pause = firstRetry
		case <-time.After(pause):
			pause = min(2*pause, lastRetry)
		}
	}
}

// follow tells of changes until the stream ends. It reports whether the service was there.
func (l *Live) follow(ctx context.Context) (up bool) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	b := l.o.Backend()
	if _, err := b.Status(ctx); err != nil {
		return false
	}
	changes, ended := make(chan api.Change), make(chan struct{})
	go func() {
		defer close(ended)
		for ch, err := range b.Events(ctx) {
			if err != nil {
				return
			}
			select {
			case changes <- ch:
			case <-ctx.Done():
				return
			}
		}
	}()
	defer func() { cancel(); <-ended }()
	l.o.Tell(Update{Up: true, Topics: TopicAll})
	l.gather(ctx, changes, ended)
	return true
}

// gather puts changes that come together into one update.
func (l *Live) gather(ctx context.Context, changes <-chan api.Change, ended <-chan struct{}) {
	minute := time.NewTicker(time.Minute)
	defer minute.Stop()
	var now Update
	var due <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case <-ended:
			return
		case <-l.hurry: // it is here already
		case ch := <-changes:
			now.add(ch)
			if due == nil {
				due = time.After(gatherFor)
			}
		case <-minute.C:
			l.o.Tell(Update{Up: true, Topics: TopicClock | TopicStatus})
		case <-due:
			l.o.Tell(now)
			now, due = Update{}, nil
		}
	}
}

func (u *Update) add(ch api.Change) {
	u.Up = true
	switch kind := ch.Type; {
	case kind == "session_updated":
		u.Topics |= TopicSessions | TopicStatus | TopicProjects
		if u.Sessions == nil {
			u.Sessions = map[string]bool{}
		}
		u.Sessions[ch.ID] = true
	case kind == "project":
		u.Topics |= TopicProjects | TopicSessions | TopicCore | TopicStatus
	case kind == "decided":
		u.Topics |= TopicMemory | TopicCore | TopicStatus
	case strings.HasPrefix(kind, "sleep"), kind == "synced", kind == "imported":
		u.Topics |= TopicAll
	default:
		u.Topics |= TopicStatus
	}
}

// errNotStarted says that a start came to nothing.
var errNotStarted = errors.New("the service was started but does not answer yet")

// AwaitStart returns when the service answers, or says after a while that it does not.
func AwaitStart(ctx context.Context, s *Services, limit time.Duration) error {
	ctx, cancel := context.WithTimeoutCause(ctx, limit, errNotStarted)
	defer cancel()
	for {
		s.Pick(ctx)
		if _, err := s.Current().Status(ctx); err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(firstRetry):
		}
	}
}
