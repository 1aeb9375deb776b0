package gitsync

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"

	"dormouse/store/gitrepo"
)

// Sessions stay at home, unless their machine puts them onto the remote for others to fetch one by one. Each lies under a ref of its own,
// which its machine alone writes: a commit without parents, whose tree holds the session as one stream, cut into parts. An exchange of
// the memory never looks at them. What they hold is the caller's business.

// RefRemote is a remote that holds more than its main branch, as gitrepo.Peer does.
type RefRemote interface {
	Refs(ctx context.Context, folder string) (map[string]gitrepo.OID, error)
	FetchRef(ctx context.Context, ref string, tip gitrepo.OID) error
	PushRefs(ctx context.Context, refs map[string]gitrepo.OID) error
}

// Parcel is a session of this machine that others may fetch.
type Parcel struct {
	ID    string
	Stamp string // differs whenever what Write gives does
	Write func(io.Writer) error
}

// AsSent is the stamp of a session that is left on the remote as it is: it is there, and older, or it is not.
const AsSent = "as sent"

// sessionID is the form of a session's id: a ref can have it for a name.
var sessionID = regexp.MustCompile(`^[A-Za-z0-9_-]{1,100}$`)

// Carried is what Carry did, in numbers of sessions.
type Carried struct {
	Sent, Removed int
	Large         int // are too large to be carried
	Left          int // wait for the next time
}

// Bounds of one Carry.
const (
	maxParcel = 512 << 20 // bytes of one session
	batchSize = 32 << 20  // bytes that are pushed at once
	batchMany = 50        // sessions that are pushed at once
	maxBatch  = 8         // batches
)

// sessionRefs is the folder of the sessions on a remote.
const sessionRefs = "refs/dormouse/sessions/"

// carriedFile keeps what this machine has put onto remotes and brought from them.
const carriedFile = "dormouse-sessions.json"

// Carry makes the remote hold these sessions of this machine and no others of it. Nothing to do reaches nothing and writes nothing. Where
// the memory is encrypted, the sessions are.
func (s *Syncer) Carry(ctx context.Context, parcels []Parcel) (out Carried, err error) {
	url, err := s.Remote()
	if err != nil || url == "" {
		return out, err
	}
	s.carrying.Lock()
	defer s.carrying.Unlock()
	ring, sealedRemote, err := s.vault.ring(url)
	if err != nil {
		return out, err
	}
	all, err := s.readCarried()
	if err != nil {
		return out, err
	}
	c := all[url]
	if c == nil {
		c = &carried{Sent: map[string]carriedOne{}}
	}
	if c.Generation != ring.Generation() { // what lies under another key is put there anew
		c.retire()
		c.Generation = ring.Generation()
	}
	wanted := map[string]bool{}
	var due []Parcel
	for _, p := range parcels {
		if !sessionID.MatchString(p.ID) {
			return out, fmt.Errorf("%q is no session's id", p.ID)
		}
		wanted[p.ID] = true
		if p.Stamp == AsSent {
			continue
		}
		if c.Sent[p.ID].Stamp != p.Stamp {
			due = append(due, p)
		} else if c.Sent[p.ID].Ref == "" {
			out.Large++
		}
	}
	for id, one := range c.Sent {
		if !wanted[id] {
			c.drop(one.Ref)
			delete(c.Sent, id)
		}
	}
	if len(due) == 0 && len(c.Old) == 0 {
		return out, nil
	}
	all[url] = c
	w := &carrier{s: s, url: url, c: c, all: all}
	if sealedRemote {
		w.ring = &ring
	}
	if err := w.open(); err != nil {
		return out, err
	}
	err = errors.Join(w.send(ctx, due, &out), w.repo.Purge())
	return out, err
}

// carrier puts sessions onto one remote.
type carrier struct {
	cargo
	s     *Syncer
	url   string
	c     *carried
	all   map[string]*carried
	moves map[string]gitrepo.OID
	next  map[string]carriedOne
	size  int64
}

func (w *carrier) open() (err error) {
	w.cargo, err = w.s.cargoAt(w.url, w.ring)
	w.moves, w.next = map[string]gitrepo.OID{}, map[string]carriedOne{}
	return err
}

func (w *carrier) send(ctx context.Context, due []Parcel, out *Carried) error {
	if err := w.clear(ctx); err != nil { // first: what is erased must go, whatever else fails
		return err
	}
	removed := len(w.moves)
	if err := w.push(ctx); err != nil {
		return err
	}
	out.Removed = removed
	batches := 0
	for i, p := range due {
		if batches == maxBatch {
			out.Left = len(due) - i
			return nil
		}
		commit, size, err := w.pack(p)
		switch {
		case errors.Is(err, errLarge):
			out.Large++
			w.c.drop(w.c.Sent[p.ID].Ref)
			w.next[p.ID] = carriedOne{Stamp: p.Stamp}
		case err != nil:
			return fmt.Errorf("send session %s: %w", p.ID, err)
		default:
			ref := w.ref(p.ID)
			w.moves[ref], w.next[p.ID] = commit, carriedOne{Stamp: p.Stamp, Ref: ref}
			w.size += size
			out.Sent++
		}
		if w.size < batchSize && len(w.moves) < batchMany && i < len(due)-1 {
			continue
		}
		batches++
		if err := w.push(ctx); err != nil {
			return err
		}
	}
	return nil
}

// clear has the refs go that are to go, as far as they are there.
func (w *carrier) clear(ctx context.Context) error {
	if len(w.c.Old) == 0 {
		return nil
	}
	there, err := w.remote.Refs(ctx, sessionRefs)
	if err != nil {
		return err
	}
	for ref := range w.c.Old {
		if there[ref].IsZero() {
			delete(w.c.Old, ref)
		} else {
			w.moves[ref] = gitrepo.OID{}
		}
	}
	return nil
}

// push moves the refs of the remote, and notes it.
func (w *carrier) push(ctx context.Context) error {
	if len(w.moves) == 0 && len(w.next) == 0 {
		return w.s.writeCarried(w.all)
	}
	// Noted before as what is to go, so that a crash in between forgets no ref.
	for id, one := range w.next {
		if one.Ref != "" && w.c.Sent[id].Ref != one.Ref {
			w.c.drop(one.Ref)
		}
	}
	if err := w.s.writeCarried(w.all); err != nil {
		return err
	}
	if err := w.remote.PushRefs(ctx, w.moves); err != nil {
		return err
	}
	for ref := range w.moves {
		delete(w.c.Old, ref)
	}
	maps.Copy(w.c.Sent, w.next)
	w.moves, w.next, w.size = map[string]gitrepo.OID{}, map[string]carriedOne{}, 0
	if err := w.s.writeCarried(w.all); err != nil {
		return err
	}
	return w.repo.Purge()
}

// ErrNoSession says that the remote does not hold a session.
var ErrNoSession = errors.New("the remote does not hold the session")

// Bring fetches one session that another machine has put onto the remote, and hands its stream to use. The error wraps ErrNoSession
// where it is not there.
func (s *Syncer) Bring(ctx context.Context, id string, use func(io.Reader) error) error {
	url, err := s.Remote()
	if err != nil {
		return err
	}
	if url == "" {
		return ErrOff
	}
	if !sessionID.MatchString(id) {
		return ErrNoSession
	}
	s.carrying.Lock()
	defer s.carrying.Unlock()
	g, err := s.cargoOf(url)
	if err != nil {
		return err
	}
	ref := g.ref(id)
	refs, err := g.remote.Refs(ctx, ref)
	if err != nil {
		return err
	}
	tip := refs[ref]
	if tip.IsZero() {
		return ErrNoSession
	}
	if err := g.remote.FetchRef(ctx, ref, tip); err != nil {
		return err
	}
	r, err := g.unpack(id, tip)
	if err == nil {
		err = s.noteBrought(url, id, tip) // first: a copy that nobody knows for one would stay for ever
	}
	if err == nil {
		err = errors.Join(use(r), r.Close())
	}
	return errors.Join(err, g.repo.Purge())
}

// Brought are the sessions that were fetched from any remote, also those that are gone since.
func (s *Syncer) Brought() (map[string]bool, error) {
	s.carrying.Lock()
	defer s.carrying.Unlock()
	all, err := s.readCarried()
	out := map[string]bool{}
	for _, c := range all {
		for id := range c.Brought {
			out[id] = true
		}
	}
	return out, err
}

// Stale are those of the sessions that were brought here which the remote no longer holds as they were.
func (s *Syncer) Stale(ctx context.Context, ids []string) ([]string, error) {
	url, err := s.Remote()
	if err != nil || url == "" || len(ids) == 0 {
		return nil, err
	}
	s.carrying.Lock()
	defer s.carrying.Unlock()
	g, err := s.cargoOf(url)
	if err != nil {
		return nil, err
	}
	refs, err := g.remote.Refs(ctx, sessionRefs)
	if err != nil {
		return nil, err
	}
	all, err := s.readCarried()
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool {
		tip := refs[g.ref(id)]
		return !tip.IsZero() && all[url] != nil && all[url].Brought[id] == tip.String()
	}), nil
}
