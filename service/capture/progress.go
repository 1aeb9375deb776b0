package capture

import (
	"sync"
	"time"
)

// progress adds up what the workers of a round do.
type progress struct {
	mu     sync.Mutex
	tell   func(Progress)
	now    Progress
	told   time.Time
	nodes  map[sessionKey]bool
	anyJob bool
}

// tellEvery is how long the callback is spared.
const tellEvery = 100 * time.Millisecond

func newProgress(tell func(Progress), jobs []job) *progress {
	p := &progress{tell: tell, nodes: map[sessionKey]bool{}, anyJob: len(jobs) > 0}
	for _, j := range jobs {
		p.now.FilesTotal += len(j.files)
		p.now.BytesTotal += j.bytes
	}
	return p
}

func (p *progress) read(n int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now.BytesDone = min(p.now.BytesDone+n, p.now.BytesTotal)
	p.say(false)
}

func (p *progress) added(key sessionKey, nodes int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now.Nodes += nodes
	if nodes > 0 && !p.nodes[key] {
		p.nodes[key] = true
		p.now.Sessions++
	}
	p.say(false)
}

func (p *progress) done(j job) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now.FilesDone += len(j.files)
	p.say(false)
}

func (p *progress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now.BytesDone = p.now.BytesTotal
	if p.anyJob {
		p.say(true)
	}
}

func (p *progress) say(always bool) {
	if now := time.Now(); always || now.Sub(p.told) >= tellEvery {
		p.told = now
		p.tell(p.now)
	}
}
