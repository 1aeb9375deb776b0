package daemon

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"dormouse/service/api"
	"dormouse/service/pager"
	"dormouse/service/pager/replay"
	"dormouse/service/proxy"
)

const (
	// maxQueued is how many bytes of requests wait at most to be written; what comes while there are more is missed, so that no agent waits.
	maxQueued = 64 << 20
	// queueLength is how many requests wait at most.
	queueLength = 256
)

// recording writes what passes through the proxy into a file of the person's, secrets taken out as capture does.
type recording struct {
	mu    sync.Mutex
	state api.ProxyRecording
	file  *os.File // nil while nothing is recorded
	queue chan proxy.Seen
	ended chan struct{} // closed when the last one was written
	held  int           // bytes that wait
}

// sink is where the proxy shows requests, nil while nothing is recorded.
func (r *recording) sink() func(proxy.Seen) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.file == nil {
		return nil
	}
	return r.take
}

// take has a request wait to be written. It never waits itself.
func (r *recording) take(s proxy.Seen) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.file == nil {
		return
	}
	if r.held+len(s.Body) <= maxQueued {
		select {
		case r.queue <- s:
			r.held += len(s.Body)
			return
		default:
		}
	}
	r.state.Missed++
}

// report is how the recording stands; nil where there was none since the service began.
func (r *recording) report() *api.ProxyRecording {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.state.File == "" {
		return nil
	}
	out := r.state
	return &out
}

// recordProxy begins to record into a new file, or with no file ends what is recorded.
func (d *Daemon) recordProxy(_ context.Context, file string, limit int64) (api.Proxy, error) {
	if file == "" {
		if !d.record.end("you ended it") {
			return api.Proxy{}, &api.Error{Code: api.CodeBadRequest, Message: "nothing is being recorded; dormouse proxy record FILE begins"}
		}
		return d.proxyReport(), nil
	}
	if s := d.proxyState(); s != api.ProxyOn {
		return api.Proxy{}, &api.Error{Code: api.CodeBadRequest, Message: "the proxy is " + s + ", so nothing that passes could be recorded; dormouse proxy on switches it on"}
	}
	if d.redactor == nil {
		return api.Proxy{}, errors.New("record what passes: redaction is not ready, so secrets could not be taken out; dormouse status says why")
	}
	if err := d.record.begin(d, file, limit); err != nil {
		return api.Proxy{}, err
	}
	return d.proxyReport(), nil
}

func (r *recording) begin(d *Daemon, file string, limit int64) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.file != nil {
		return &api.Error{Code: api.CodeBadRequest, Message: fmt.Sprintf("%s is being recorded into; dormouse proxy record off ends that", r.state.File)}
	}
	f, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	switch {
	case errors.Is(err, fs.ErrExist):
		return &api.Error{Code: api.CodeBadRequest, Message: file + " is there already and is left as it is; name another file"}
	case err != nil:
		return &api.Error{Code: api.CodeBadRequest, Message: fmt.Sprintf("record into %s: %v; name a file in a folder that is there and that you may write to", file, err)}
	}
	now := d.p.Now()
	head := replay.Head(fmt.Sprintf("proxy-%d", now.Unix()), "proxy")
	if _, err := f.Write(head); err != nil {
		_ = f.Close()
		return fmt.Errorf("record into %s: %w", file, err)
	}
	r.file, r.held, r.queue, r.ended = f, 0, make(chan proxy.Seen, queueLength), make(chan struct{})
	r.state = api.ProxyRecording{File: filepath.Clean(file), On: true, Since: now.Unix(), Limit: limit, Bytes: int64(len(head))}
	go r.run(d, r.queue, r.ended)
	return nil
}

// end ends the recording when all that waits was written. It says whether there was one.
func (r *recording) end(why string) bool {
	r.mu.Lock()
	if r.file == nil {
		r.mu.Unlock()
		return false
	}
	r.stop(why)
	ended := r.ended
	r.mu.Unlock()
	<-ended
	return true
}

// stop takes no more requests. It is called with the lock.
func (r *recording) stop(why string) {
	if r.state.On {
		r.state.On, r.state.Ended = false, why
		close(r.queue)
	}
	r.file = nil
}

// run writes what waits until there is no more to come.
func (r *recording) run(d *Daemon, queue <-chan proxy.Seen, ended chan<- struct{}) {
	defer close(ended)
	r.mu.Lock()
	f := r.file
	r.mu.Unlock()
	var all proxy.Recorder
	full := false
	for s := range queue {
		var raw []byte
		n, redacted, why := 0, 0, ""
		if !full && d.pause.until() == 0 {
			raw, n, redacted, why = d.recordedLines(&all, s)
		}
		r.mu.Lock()
		r.held -= len(s.Body)
		if why != "" {
			r.state.Unread++
		}
		if full = full || r.state.Bytes+int64(len(raw)) > r.state.Limit; full {
			r.stop("it reached its limit")
		}
		r.mu.Unlock()
		if full || len(raw) == 0 {
			continue
		}
		_, err := f.Write(raw)
		r.mu.Lock()
		if err != nil {
			full = true
			r.stop("it could not be written: " + err.Error())
		} else {
			r.state.Requests++
			r.state.Messages += n
			r.state.Redacted += redacted
			r.state.Bytes += int64(len(raw))
		}
		r.mu.Unlock()
	}
	err := f.Sync()
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		r.mu.Lock()
		r.state.Ended = "its end could not be written: " + err.Error()
		r.mu.Unlock()
	}
}

// recordedLines are the lines that a request adds, without secrets. why says that it could not be read.
func (d *Daemon) recordedLines(all *proxy.Recorder, s proxy.Seen) (raw []byte, n, redacted int, why string) {
	added, err := all.Take(s)
	if err != nil {
		return nil, 0, 0, err.Error()
	}
	for _, m := range added.Messages {
		for i := range m.Blocks {
			found, err := d.redactBlock(&m.Blocks[i])
			if err != nil { // rather nothing than a secret
				return nil, 0, 0, err.Error()
			}
			redacted += found
		}
		raw = append(raw, replay.Line(fmt.Sprint(added.Talk), m)...)
		n++
	}
	return raw, n, redacted, ""
}

// redactBlock takes secrets out of a block.
func (d *Daemon) redactBlock(b *pager.Block) (found int, err error) {
	text, n, err := d.redactor.Text(b.Text)
	if err != nil {
		return 0, err
	}
	b.Text = text
	if b.Kind != pager.Call {
		return n, nil
	}
	in, k, err := d.redactor.JSON(b.Input)
	b.Input = in
	return n + k, err
}
