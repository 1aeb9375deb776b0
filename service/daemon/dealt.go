package daemon

import (
	"encoding/json"
	"fmt"
	"sync"

	"dormouse/store/index"
	"dormouse/store/memory"
)

// distilledArea is the area of the index that says up to which node each session was distilled. It only saves looking: the
// log is what counts.
const distilledArea = "distilled"

// mark is how far a session was distilled.
type mark struct {
	Nodes int `json:"nodes"`
}

// dealt knows how far each session was distilled. What is stored of it is read once, since it is asked every minute, also while the index
// rests.
type dealt struct {
	area index.Area

	mu    sync.Mutex
	nodes map[string]int // by session; nil until it is asked for
}

func newDealt(area index.Area) *dealt { return &dealt{area: area} }

// with reports whether a session was distilled up to so many nodes. What can't be read was not.
func (x *dealt) with(session string, nodes int) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.load() != nil {
		return false
	}
	n, ok := x.nodes[session]
	return ok && n == nodes
}

// note stores how far a session was distilled.
func (x *dealt) note(session string, nodes int) error {
	raw, err := json.Marshal(mark{Nodes: nodes})
	if err != nil {
		return fmt.Errorf("note how far session %s was distilled: %w", session, err)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if err := x.load(); err != nil {
		return err
	}
	if err := x.area.Put(session, raw); err != nil {
		return err
	}
	x.nodes[session] = nodes
	return nil
}

// load reads what is stored where that was not done; mu is held. A mark that is none counts as not there.
func (x *dealt) load() error {
	if x.nodes != nil {
		return nil
	}
	nodes := map[string]int{}
	err := x.area.Each("", func(session string, raw []byte) error {
		var m mark
		if json.Unmarshal(raw, &m) == nil {
			nodes[session] = m.Nodes
		}
		return nil
	})
	if err == nil {
		x.nodes = nodes
	}
	return err
}

// distilled reports whether all nodes of a session were dealt with, as far as is known without opening it.
func (d *Daemon) distilled(s memory.Session) bool { return d.dealt.with(s.ID, s.Nodes) }
