package daemon

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"dormouse/service/api"
	"dormouse/service/config"
	"dormouse/store/gitrepo"
	"dormouse/store/memory"
	"dormouse/store/session"
	"dormouse/sync/gitsync"
)

// restBeforeCarry is for how long nothing was said in a session before it is put onto the remote: each time, the whole of it is sent.
const restBeforeCarry = 10 * time.Minute

// bringTime bounds the fetching of one session, and bringWait is how long a question waits for it.
const (
	bringTime = 10 * time.Minute
	bringWait = 40 * time.Second
)

// cargo is what is known of the sessions that travel.
type cargo struct {
	mu       sync.Mutex
	bringing map[string]*bringing
	kept     map[string]keptHome // by session

	life    context.Context // of the part that exchanges
	running sync.WaitGroup
}

// begin says for how long sessions may be fetched, and returns what waits for those that are under way.
func (c *cargo) begin(ctx context.Context) (end func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.life = ctx
	return c.running.Wait
}

// bringing is a session that is being fetched.
type bringing struct {
	done chan struct{}
	err  error
}

// keptHome is whether a session has something that must not leave this machine, as it was found.
type keptHome struct {
	of  string // what it was found of
	has bool
}

// exchangeAll exchanges the memory, and then puts sessions onto the remote where they travel; now leaves none for later.
func (d *Daemon) exchangeAll(now bool) func(context.Context) (gitsync.Result, error) {
	return func(ctx context.Context) (gitsync.Result, error) {
		res, err := d.sync.Sync(ctx)
		if err == nil {
			err = d.carrySessions(ctx, now)
		}
		return res, err
	}
}

// carrySessions puts this machine's sessions onto the remote, or takes them off, as the settings say, and lets go of copies of other
// machines' sessions that are no longer as they were sent.
func (d *Daemon) carrySessions(ctx context.Context, now bool) error {
	var own, copies []memory.Session
	all, _, err := d.sessions.List()
	if err != nil {
		return err
	}
	brought, err := d.sync.Brought()
	if err != nil {
		return err
	}
	for _, m := range all {
		if d.isCopy(m, brought) {
			copies = append(copies, m)
		} else {
			own = append(own, m)
		}
	}
	var parcels []gitsync.Parcel
	if d.p.Config.Sync.Sessions == config.SessionsOnDemand {
		parcels = d.parcels(own, now)
	}
	out, err := d.sync.Carry(ctx, parcels)
	if err != nil {
		return fmt.Errorf("put sessions onto the remote: %w", err)
	}
	if out != (gitsync.Carried{}) {
		d.p.Log.Info("sessions were put onto the remote", "component", "sync", "sent", out.Sent, "removed", out.Removed, "too_large", out.Large, "left", out.Left)
	}
	return d.dropCopies(ctx, copies)
}

// parcels are the sessions of this machine that others may fetch: none from which something was erased or is kept private, and none that
// is being written unless everything is to go now.
func (d *Daemon) parcels(own []memory.Session, now bool) (out []gitsync.Parcel) {
	gone := d.ledger.Erasures().Print()
	for _, m := range own {
		at := d.p.Now().Sub(time.Unix(m.UpdatedAt, 0)).Abs()
		if d.mustStay(m, gone) {
			continue
		}
		stamp, err := memory.Encode(m)
		if err != nil {
			continue
		}
		p := gitsync.Parcel{ID: m.ID, Stamp: gitrepo.Sum(gitrepo.Blob, stamp).String(), Write: func(w io.Writer) error {
			x, err := d.sessions.Open(m.ID)
			if err != nil {
				return err
			}
			return x.Export(w)
		}}
		if at < restBeforeCarry && !now {
			p.Stamp = gitsync.AsSent
		}
		out = append(out, p)
	}
	return out
}

// isCopy reports whether a session was fetched from another machine. One that bears another machine's name and was not is this machine's
// own, from before it became a new machine: there may be no other copy of it.
func (d *Daemon) isCopy(m memory.Session, brought map[string]bool) bool {
	return m.Machine != "" && m.Machine != d.machine && brought[m.ID]
}

// mustStay reports whether a session holds what was erased or is private. Nodes are looked at once for each state of the erasures and
// of the session.
func (d *Daemon) mustStay(m memory.Session, gone string) bool {
	private := false
	d.ledger.Read(func(s *memory.State) { private = len(s.Withheld()[m.ID]) > 0 })
	if private || d.ledger.Erasures().Len() == 0 {
		return private
	}
	of := fmt.Sprint(gone, " ", m.Nodes)
	d.cargo.mu.Lock()
	k, ok := d.cargo.kept[m.ID]
	d.cargo.mu.Unlock()
	if ok && k.of == of {
		return k.has
	}
	k = keptHome{of: of, has: d.holdsErased(m.ID)}
	d.cargo.mu.Lock()
	defer d.cargo.mu.Unlock()
	if d.cargo.kept == nil {
		d.cargo.kept = map[string]keptHome{}
	}
	d.cargo.kept[m.ID] = k
	return k.has
}

// holdsErased reports whether a node of a session bore out what was erased. A session that cannot be read is taken for one that does.
func (d *Daemon) holdsErased(id string) (has bool) {
	x, err := d.sessions.Open(id)
	if err != nil {
		return true
	}
	nodes := x.Skeleton()
	d.ledger.Read(func(s *memory.State) {
		has = slices.ContainsFunc(nodes, func(l session.Link) bool { return s.ErasedNode(l.ID) })
	})
	return has || len(nodes) == 0
}

// dropCopies lets go of copies that hold what was erased or made private since, and of those that the remote holds no longer or in another
// state: they are fetched again when they are needed.
func (d *Daemon) dropCopies(ctx context.Context, copies []memory.Session) error {
	var keep, drop []string
	gone := d.ledger.Erasures().Print()
	for _, m := range copies {
		if d.mustStay(m, gone) {
			drop = append(drop, m.ID)
		} else {
			keep = append(keep, m.ID)
		}
	}
	stale, err := d.sync.Stale(ctx, keep)
	for _, id := range append(drop, stale...) {
		err = errors.Join(err, d.sessions.Drop(id))
	}
	return err
}

// bring fetches a session that is not here, where sessions travel and the remote has it.
func (d *Daemon) bring(ctx context.Context, id string) error {
	url, err := d.sync.Remote()
	if err != nil || url == "" || d.p.Config.Sync.Sessions != config.SessionsOnDemand {
		return errors.Join(gitsync.ErrNoSession, err)
	}
	d.cargo.mu.Lock()
	b := d.cargo.bringing[id]
	if b == nil {
		b = &bringing{done: make(chan struct{})}
		if d.cargo.bringing == nil {
			d.cargo.bringing = map[string]*bringing{}
		}
		d.cargo.bringing[id] = b
		life := d.cargo.life
		if life == nil || life.Err() != nil { // the service is starting or ending
			life = ctx
		}
		d.cargo.running.Go(func() { d.bringOne(life, id, b) })
	}
	d.cargo.mu.Unlock()
	wait := time.NewTimer(bringWait)
	defer wait.Stop()
	select {
	case <-b.done:
		return b.err
	case <-ctx.Done():
		return ctx.Err()
	case <-wait.C:
		return &api.Error{Code: api.CodeElsewhere, Message: fmt.Sprintf("session %s is being fetched from the remote; ask again in a moment", id)}
	}
}

func (d *Daemon) bringOne(ctx context.Context, id string, b *bringing) {
	ctx, cancel := context.WithTimeout(ctx, bringTime)
	defer cancel()
	b.err = d.sync.Bring(ctx, id, func(r io.Reader) error {
		x, err := d.sessions.Import(id, r)
		if errors.Is(err, session.ErrThere) {
			return nil
		}
		if err == nil && d.mustStay(x.Meta(), d.ledger.Erasures().Print()) { // its machine has not heard of the erase yet
			err = errors.Join(gitsync.ErrNoSession, d.sessions.Drop(id))
		}
		return err
	})
	d.cargo.mu.Lock()
	delete(d.cargo.bringing, id)
	d.cargo.mu.Unlock()
	close(b.done)
}
