package localapi

import (
	"context"
	"sync"

	"dormouse/service/api"
)

// lag is how many changes a subscriber may be behind.
const lag = 256

// Hub hands changes from whoever makes them to all subscribers.
type Hub struct {
	mu   sync.Mutex
	subs map[chan api.Change]bool
}

// NewHub makes a hub without subscribers.
func NewHub() *Hub { return &Hub{subs: map[chan api.Change]bool{}} }

// Publish hands a change to every subscriber. It never blocks: a subscriber that is too far behind is dropped.
func (h *Hub) Publish(c api.Change) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for ch := range h.subs {
		select {
		case ch <- c:
		default:
			h.drop(ch)
		}
	}
}

// Subscribe gives the changes from now on. The channel is closed when ctx ends or the subscriber was dropped.
func (h *Hub) Subscribe(ctx context.Context) <-chan api.Change {
	ch := make(chan api.Change, lag)
	h.mu.Lock()
	h.subs[ch] = true
	h.mu.Unlock()
	context.AfterFunc(ctx, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.drop(ch)
	})
	return ch
}

func (h *Hub) drop(ch chan api.Change) {
	if h.subs[ch] {
		delete(h.subs, ch)
		close(ch)
	}
}
