package daemon

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"dormouse/store/home"
)

// healthFile keeps when each part worked and failed last, so that a start does not forget it.
const healthFile = "health.json"

// healthEvery is how often it is written beside the end of the service, which a crash leaves out.
const healthEvery = 10 * time.Minute

// keptHealth is what healthFile holds of a part. Times are Unix seconds, 0 for never.
type keptHealth struct {
	LastOK      int64  `json:"last_ok,omitempty"`
	LastFailed  int64  `json:"last_failed,omitempty"`
	LastFailure string `json:"last_failure,omitempty"`
}

// allParts are all pieces of the service whose health is told.
func (d *Daemon) allParts() []*part {
	return []*part{d.capturing, d.indexing, d.vectoring, d.serving, d.sleeping, d.syncing, d.packing, d.hearing, d.shadowing, d.answering,
		d.modelling, d.remembering, d.committing}
}

func (d *Daemon) healthPath() string { return filepath.Join(d.p.Home.Dir(), healthFile) }

// recallHealth takes over what an earlier service knew of its parts. What cannot be read is forgotten: it tells of the past alone.
func (d *Daemon) recallHealth() {
	d.healthKept.Store(d.p.Now().Unix())
	raw, err := os.ReadFile(d.healthPath())
	kept := map[string]keptHealth{}
	if err == nil {
		err = json.Unmarshal(raw, &kept)
	}
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			d.p.Log.Warn("the health of the last service is not known", "component", "health", "error", err)
		}
		return
	}
	for _, p := range d.allParts() {
		p.recall(kept[p.name])
	}
}

// keepHealth writes it down, when it is time or in any case.
func (d *Daemon) keepHealth(anyway bool) {
	now, last := d.p.Now().Unix(), d.healthKept.Load()
	due := anyway || now-last >= int64(healthEvery/time.Second) || now < last
	if !due || !d.healthKept.CompareAndSwap(last, now) {
		return
	}
	kept := map[string]keptHealth{}
	for _, p := range d.allParts() {
		if k := p.past(); k != (keptHealth{}) {
			kept[p.name] = k
		}
	}
	raw, err := json.Marshal(kept)
	if err == nil {
		err = home.WriteFile(d.healthPath(), append(raw, '\n'))
	}
	if err != nil {
		d.p.Log.Warn("the health of the service is not kept", "component", "health", "error", err)
	}
}

// recall takes over what was known of the part, where this service knows nothing yet.
func (p *part) recall(k keptHealth) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.lastOK.IsZero() && k.LastOK > 0 {
		p.lastOK = time.Unix(k.LastOK, 0)
	}
	if p.lastFailed.IsZero() && k.LastFailed > 0 {
		p.lastFailed, p.lastFailure = time.Unix(k.LastFailed, 0), k.LastFailure
	}
}

// past is when the part worked and failed last.
func (p *part) past() (k keptHealth) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.lastOK.IsZero() {
		k.LastOK = p.lastOK.Unix()
	}
	if !p.lastFailed.IsZero() {
		k.LastFailed, k.LastFailure = p.lastFailed.Unix(), p.lastFailure
	}
	return k
}
