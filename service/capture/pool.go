package capture

import (
	"errors"
	"fmt"
	"io"
	"sync"

	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
)

// pool keeps a library open for several workers: each has it open for itself.
type pool struct {
	e    *Engine
	path string
	open func(string, transcript.Options) (transcript.Library, error)
	mu   sync.Mutex
	idle []*openLibrary
}

// openLibrary is a library with the session that it is asked about.
type openLibrary struct {
	lib    transcript.Library
	known  *knownNodes
	tally  *transcript.Tally
	images *imageSpool
	long   longTexts
	wait   func()
}

// cut is where the long texts go of what is read: nowhere while it is only listed.
func (o *openLibrary) cut(e *Engine) (c transcript.Cut) {
	if o.long == nil {
		return c
	}
	c.File, c.Keep = e.longFile, o.long.keep
	if o.images != nil {
		c.Images = o.images
	}
	return c
}

// use calls f with an open library. images and long, which may be nil, get the images and the long texts of what is read; wait is called
// before much memory is taken.
func (p *pool) use(known *knownNodes, tally *transcript.Tally, images *imageSpool, long longTexts, wait func(), f func(transcript.Library) error) error {
	p.mu.Lock()
	var o *openLibrary
	if n := len(p.idle); n > 0 {
		o, p.idle = p.idle[n-1], p.idle[:n-1]
	}
	p.mu.Unlock()
	if o == nil {
		o = &openLibrary{}
		opts := transcript.Options{
			Known:  func(id string) (memory.Node, bool) { return o.known.get(id) },
			Stored: func() bool { return o.known.any() },
			Skip:   func(s transcript.Skip) { o.tally.Add(s) },
			Long:   func(text string) string { return o.long.take(p.e, text) },
			Cut:    func() transcript.Cut { return o.cut(p.e) },
			Wait:   func() { o.wait() }}
		if p.e.o.KeepImages {
			opts.Look = func(raw string) { o.images.lookText(raw, p.path) }
			opts.Image = func(named string, open func() (io.ReadCloser, error)) bool { return o.images.file(named, open, p.path) }
		}
		lib, err := p.open(p.path, opts)
		if err != nil {
			return fmt.Errorf("open %s: %w", p.path, err)
		}
		o.lib = lib
	}
	o.known, o.tally, o.images, o.long, o.wait = known, tally, images, long, wait
	err := f(o.lib)
	if err != nil {
		return errors.Join(err, o.lib.Close()) // what it holds may be half
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle = append(p.idle, o)
	return nil
}

func (p *pool) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, o := range p.idle {
		_ = o.lib.Close()
	}
	p.idle = nil
}
