package daemon

import (
	"context"
	"fmt"
	"time"

	"dormouse/service/api"
	"dormouse/service/embed"
	"dormouse/store/index"
)

// restIndex is how long nobody uses the index until its database is closed. It is no setting: to open it again costs a processor about what
// two seconds of an open one do, and whoever comes back within half a minute, as an agent at work does, finds it open.
// restPrompted is the same where prompts are answered with records: an agent waits 20 ms for those, of which the opening takes most, and a
// person thinks for longer than half a minute between two prompts.
const (
	restIndex    = 30 * time.Second
	restPrompted = 15 * time.Minute
)

// openIndex opens the index with vectors of the model that the settings name. Where that can't be had now, what is there stays, and
// followVectors tries again.
func (d *Daemon) openIndex(ctx context.Context) (err error) {
	o := index.Options{Dir: d.p.Home.Index(), Logger: d.p.Log, RestAfter: restIndex, OnBroken: d.abandon, Former: d.formerVectors}
	if d.p.Config.Inject.PromptRecords > 0 {
		o.RestAfter = restPrompted
	}
	m, err := d.embedding(ctx)
	if d.modelless = err != nil; d.modelless {
		d.p.Log.Warn("no vectors are made yet", "component", "vectors", "error", err)
	}
	o.Vectors, o.KeepVectors = vectorsOf(m), d.modelless
	if d.index, _, err = index.Open(o); err != nil {
		return fmt.Errorf("open the index: %w", err)
	}
	d.fitMemory()
	return nil
}

// fitMemory makes room for what the index has grown by.
func (d *Daemon) fitMemory() { d.footing.indexHolds(d.index.Resident()) }

// vectorsOf is a model as the index takes it.
func vectorsOf(m embed.Model) index.Vectors {
	if m.Name == "" {
		return index.Vectors{}
	}
	return index.Vectors{Model: m.Name, Dims: m.Dims, Embed: m.Embed, Query: m.Query, Known: m.Known, Later: m.Remote}
}

// formerVectors finds the model of vectors that another one's are to replace: the table that ships with the program can always be had.
func (d *Daemon) formerVectors(model string) (index.Vectors, bool) {
	if d.p.Embedding == nil {
		return index.Vectors{}, false
	}
	t, err := embed.NewTable(d.p.Embedding)
	if err != nil || t.Model().Name != model {
		return index.Vectors{}, false
	}
	return vectorsOf(t.Model()), true
}

// heldLook is how often it is tried whether an embedding model may be asked again.
const heldLook = 5 * time.Minute

// followVectors makes the vectors that wait until ctx ends. An error has it begin again after a while.
func (d *Daemon) followVectors(ctx context.Context) error {
	for {
		d.vectoring.working("")
		err := d.makeVectors(ctx)
		var again <-chan time.Time
		switch {
		case capped(err): // it may not be asked now, which is no failure
			d.vectoring.working(err.Error())
			again = time.After(heldLook)
		case err != nil:
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-d.vectorWake:
		case <-again:
		}
	}
}

func (d *Daemon) makeVectors(ctx context.Context) error {
	if d.modelless {
		m, err := d.embedding(ctx)
		if err != nil {
			return err
		}
		if err := d.index.SetVectors(vectorsOf(m)); err != nil {
			return err
		}
		d.modelless = false
	}
	if s := d.index.Stats().Vectors; s.Waiting > 0 || s.NextModel != "" {
		d.vectoring.working("making vectors")
		defer d.vectoring.working("")
	}
	if d.index.Stats().Outdated > 0 { // the program was upgraded: what is there answers meanwhile
		d.vectoring.working("making the words of documents anew")
		defer d.vectoring.working("")
	}
	if err := d.index.Refresh(ctx); err != nil {
		return err
	}
	if err := d.index.MakeVectors(ctx); err != nil {
		return err
	}
	d.vectoring.ok()
	return nil
}

// wakeVectors tells that vectors may wait.
func (d *Daemon) wakeVectors() {
	select {
	case d.vectorWake <- struct{}{}:
	default:
	}
}

// rebuildArea is the area of the index that says that every document is to be drawn up anew, until that is done.
const rebuildArea = "rebuild"

// rebuildIndex has every document drawn up again from sessions and records, and all vectors made anew, in the background; what is there
// answers meanwhile. A rebuild that was interrupted goes on.
func (d *Daemon) rebuildIndex(ctx context.Context) (api.Index, error) {
	state, err := d.indexState(ctx)
	if err != nil || state.Rebuilding {
		return state, err
	}
	d.filling.Lock()
	if err = d.indexer.Again(); err == nil {
		err = d.index.Area(rebuildArea).Put("text", nil)
	}
	d.filling.Unlock()
	if err != nil {
		return state, fmt.Errorf("rebuild the index: %w", err)
	}
	if err := d.index.Rebuild(); err != nil {
		return state, err
	}
	if err := d.indexRecords(ctx); err != nil {
		return state, fmt.Errorf("rebuild the index: %w", err)
	}
	d.behind.Store(true)
	select {
	case d.wake <- struct{}{}:
	default:
	}
	d.wakeVectors()
	return d.indexState(ctx)
}

// indexState tells how the index stands.
func (d *Daemon) indexState(context.Context) (api.Index, error) {
	waiting, err := d.indexer.Waiting()
	if err != nil {
		return api.Index{}, err
	}
	all, _, err := d.sessions.List()
	if err != nil {
		return api.Index{}, err
	}
	_, again, err := d.index.Area(rebuildArea).Get("text")
	if err != nil {
		return api.Index{}, err
	}
	s := d.index.Stats()
	out := api.Index{Docs: s.Docs, Bytes: s.Bytes, Sessions: len(all), SessionsWaiting: waiting, Vectors: vectorState(s.Vectors)}
	out.Rebuilding = again || s.Vectors.NextModel != "" || s.Refreshing
	return out, nil
}

func vectorState(s index.VectorStats) api.Vectors {
	return api.Vectors{
		Model: s.Model, Docs: s.Docs, Waiting: s.Waiting, NextModel: s.NextModel, NextDocs: s.NextDocs, NextWaiting: s.NextWaiting, Failure: s.Error,
	}
}
