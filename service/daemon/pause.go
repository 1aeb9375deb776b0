package daemon

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"dormouse/service/api"
	"dormouse/service/capture"
	"dormouse/store/home"
)

// pause says until when nothing is captured. It lies in a file of the state folder, so that it outlives the service.
type pause struct {
	file    string
	now     func() time.Time
	changed chan struct{} // holds one notice that end was changed

	mu     sync.Mutex
	loaded bool
	end    int64 // Unix seconds, api.Indefinitely, or 0 for no pause
}

func newPause(h home.Home, now func() time.Time) *pause {
	return &pause{file: filepath.Join(h.Dir(), "paused"), now: now, changed: make(chan struct{}, 1)}
}

// until is when capture goes on: Unix seconds, api.Indefinitely, or 0 when it is not paused.
func (p *pause) until() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.loaded {
		p.end, p.loaded = p.read(), true
	}
	if p.end > 0 && p.end <= p.now().Unix() {
		return 0
	}
	return p.end
}

// read is what the file says. One that cannot be read pauses nothing: capturing too much can be undone, too little cannot.
func (p *pause) read() int64 {
	b, err := os.ReadFile(p.file)
	if err != nil {
		return 0
	}
	end, err := strconv.ParseInt(strings.TrimSpace(string(b)), 10, 64)
	if err != nil || end < api.Indefinitely {
		return 0
	}
	return end
}

// set changes the end of the pause; 0 ends it now.
func (p *pause) set(end int64) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.write(end); err != nil {
		return err
	}
	p.end, p.loaded = end, true
	select {
	case p.changed <- struct{}{}:
	default:
	}
	return nil
}

func (p *pause) write(end int64) error {
	if end != 0 {
		return home.WriteFile(p.file, []byte(strconv.FormatInt(end, 10)+"\n"))
	}
	if err := os.Remove(p.file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("end the pause: %w; delete that file to go on", err)
	}
	return nil
}

// room is capture.ErrOff while nothing is to be captured.
func (p *pause) room() error {
	if p.until() != 0 {
		return capture.ErrOff
	}
	return nil
}

// room is what capture asks before it reads and writes: whether it is paused, and whether there is room on the disk.
func (d *Daemon) room() error {
	if err := d.pause.room(); err != nil {
		return err
	}
	return d.index.Room()
}

// ended returns when a pause is over: its time has come, or the person goes on. Where there is none it waits for one. The
// error is that of ctx.
func (p *pause) ended(ctx context.Context) error {
	for {
		var over <-chan time.Time
		if end := p.until(); end > 0 {
			over = time.After(time.Unix(end, 0).Sub(p.now()))
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-p.changed:
		case <-over:
		}
		if p.until() == 0 {
			return nil
		}
	}
}

// capture follows the agents, and reads what they wrote during a pause as soon as that is over.
func (d *Daemon) capture(ctx context.Context) error {
	var waiting sync.WaitGroup
	defer waiting.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	waiting.Go(func() {
		for d.pause.ended(ctx) == nil {
			d.publish("status", "")
			if d.engine.Scan(ctx) == nil {
				d.capturing.ok()
			}
		}
	})
	return d.engine.Run(ctx)
}

// pauseCapture captures nothing until the time, in Unix seconds: 0 goes on, api.Indefinitely has no end.
func (d *Daemon) pauseCapture(ctx context.Context, until int64) (api.Status, error) {
	if until > 0 && until <= d.p.Now().Unix() {
		return api.Status{}, &api.Error{Code: api.CodeBadRequest, Message: "the pause would end before it begins; give a time that is still to come"}
	}
	if err := d.pause.set(until); err != nil {
		return api.Status{}, fmt.Errorf("pause capture: %w", err)
	}
	d.publish("status", "")
	return d.status(ctx)
}
