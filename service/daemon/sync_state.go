package daemon

import (
	"context"
	"errors"
	"sync"
	"time"

	"dormouse/service/api"
	"dormouse/store/gitrepo"
	"dormouse/sync/gitsync"
)

// contact is how the remote was last met. The zero value says that it was not.
type contact struct {
	mu      sync.Mutex
	offline time.Time // since when it is not there; zero where it is
	away    string    // why
	tries   int       // exchanges in a row that did not go well
	readers string    // who can read it, as found when the service last looked
	of      string    // the remote that readers is about
}

// note keeps how an exchange went.
func (c *contact) note(err error, now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case err == nil:
		c.offline, c.away, c.tries = time.Time{}, "", 0
	case errors.Is(err, gitrepo.ErrOffline):
		if c.offline.IsZero() {
			c.offline = now
		}
		c.away = err.Error()
		c.tries++
	default:
		c.offline, c.away = time.Time{}, ""
		c.tries++
	}
}

func (c *contact) failures() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.tries
}

// knows reports whether it was looked at who can read a remote.
func (c *contact) knows(url string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.of == url
}

// readBy keeps who can read a remote.
func (c *contact) readBy(url, words string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.of, c.readers = url, words
}

// syncState is how the exchange goes.
func (d *Daemon) syncState() api.Sync {
	url, err := d.sync.Remote()
	if err != nil {
		return api.Sync{Failure: err.Error(), Failed: 1, State: api.SyncStuck}
	}
	out := api.Sync{Remote: url, Machines: len(d.ledger.Machines()), State: api.SyncOff}
	if url == "" {
		return out
	}
	r := d.syncing.report()
	out.LastOK, out.Failed, out.Failure = r.LastOK, r.Failed, r.Failure
	if asides, err := d.sync.Asides(); err == nil {
		out.Aside = len(asides)
		for _, a := range asides {
			out.AsideWhy = append(out.AsideWhy, a.String())
		}
	}
	out.ToSend, out.ToReceive, _ = d.sync.Unsettled() // what cannot be read is told by the exchange itself
	d.contact.mu.Lock()
	defer d.contact.mu.Unlock()
	out.Encrypted = d.sync.IsSealed(url)
	if d.contact.of == url {
		out.Readers = d.contact.readers
	}
	switch {
	case !d.contact.offline.IsZero():
		out.State, out.OfflineSince, out.Failure = api.SyncOffline, d.contact.offline.Unix(), d.contact.away
	case out.Failed > 0:
		out.State = api.SyncStuck
	case out.ToSend > 0 || out.ToReceive > 0:
		out.State = api.SyncBehind
	case out.LastOK == 0:
		out.State = api.SyncWaiting
	default:
		out.State = api.SyncInStep
	}
	return out
}

// syncPart is the health of the exchange; it is off when no remote is set. A remote that is not there is no trouble.
func (d *Daemon) syncPart() api.Part {
	if url, err := d.sync.Remote(); err == nil && url == "" {
		return api.Part{Name: d.syncing.name, State: "off", Doing: "no remote is set; dormouse sync setup URL sets one"}
	}
	return d.syncing.report()
}

// lookWhoReads finds out once in a while who can read the remote: a repository may have been opened to everybody since it was set up.
func (d *Daemon) lookWhoReads(ctx context.Context, url string) {
	readers := gitsync.WhoReads(ctx, url, d.p.Anyone)
	d.contact.readBy(url, readers.Words)
	if readers.Everybody {
		d.p.Log.Warn("the remote of the memory can be read by everybody", "component", "sync")
	}
}
