package model

import (
	"context"
	"sync/atomic"
)

// Service is a service that may or may not run; *client.Client is one.
type Service interface {
	Backend
	// Running reports whether somebody listens.
	Running(context.Context) (bool, error)
	Home() string
}

// Services are the service of the person's own memory and that of the demo, of which the window shows the one that runs; the
// person's own comes first.
type Services struct {
	own, demo Service
	useDemo   atomic.Bool
}

// NewServices chooses between two services; demo may be nil.
func NewServices(own, demo Service) *Services { return &Services{own: own, demo: demo} }

// Pick looks which service runs, and settles on it until the next Pick. A service that does not answer counts as one that
// runs, so that its trouble is shown.
func (s *Services) Pick(ctx context.Context) {
	on, err := s.own.Running(ctx)
	if on || err != nil || s.demo == nil {
		s.useDemo.Store(false)
		return
	}
	on, err = s.demo.Running(ctx)
	s.useDemo.Store(on && err == nil)
}

// Current is the service that the newest Pick settled on.
func (s *Services) Current() Backend {
	if s.useDemo.Load() {
		return s.demo
	}
	return s.own
}
