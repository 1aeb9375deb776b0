package capture

import (
	"errors"
	"fmt"

	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
	"dormouse/store/session"
)

// bulkBytes is how much has to be read at once for the session's turns to be packed instead of written one by one.
const bulkBytes = 1 << 20

// ownReason is the skip of a session that Dormouse made itself.
const ownReason = "own call of Dormouse"

// holdNodes is how many nodes wait for the first prompt, which tells whether a session is Dormouse's own.
const holdNodes = 1000

// drain takes the nodes that are final and appends them.
func (r *reading) drain(how transcript.Settle) error {
	if err := r.ctx.Err(); err != nil {
		return err
	}
	if err := r.e.hasRoom(); err != nil {
		return err
	}
	if final := r.act.parser.Drain(how); len(r.waiting) == 0 {
		r.waiting = final
	} else {
		r.waiting = append(r.waiting, final...)
	}
	facts := r.act.parser.Facts()
	if r.own(facts) || r.removed {
		r.waiting = nil
		return nil
	}
	if how == transcript.Growing && facts.FirstPrompt == "" && len(r.waiting) < holdNodes {
		return nil
	}
	nodes := r.waiting
	r.waiting = nil
	for i := range nodes {
		if err := r.append(&nodes[i], facts); err != nil {
			return err
		}
	}
	r.act.images.rest()
	return nil
}

// own reports whether the session is none to remember: it is a call of Dormouse, says so or takes place in the state folder, or the
// person excluded its folder.
func (r *reading) own(f transcript.Facts) bool {
	reason := ""
	if f.Own || r.e.lies.within(r.e.o.OwnDir, f.Cwd) {
		reason = ownReason
	} else if r.e.o.Exclude.Holds(f.Cwd) {
		reason = excludedReason
	}
	if reason != "" && !r.cursor.Own {
		r.cursor.Own = true
		r.act.tally.Add(transcript.Skip{Reason: reason, File: r.job.files[0].Path, Line: 1, Bytes: r.bytes})
	}
	return r.cursor.Own
}

// append redacts a node and adds it to the session. A node that cannot be redacted is left out; the others go on.
func (r *reading) append(n *memory.Node, f transcript.Facts) error {
	if err := r.begin(f); err != nil {
		return err
	}
	r.act.drawn.Fill(n)
	if !r.hidden(n) {
		return nil
	}
	if !r.isNew && r.session.Has(n.ID) {
		return r.keepImages(n)
	}
	secrets, put, err := r.storeLong(n)
	if err != nil {
		return err
	}
	count, err := r.e.o.Redact(n)
	if err != nil {
		r.failed = fmt.Errorf("a %s node was not written because it could not be redacted: %w", n.Role, err)
		return nil
	}
	put()
	n.Metadata.Redacted = count + secrets
	if err := r.keepImages(n); err != nil {
		return err
	}
	added, err := r.batch.Append(*n)
	if err != nil {
		return err
	}
	if added {
		r.added++
		r.p.added(r.job.key, 1)
	}
	return nil
}

// begin opens the session and its batch with the first node.
func (r *reading) begin(f transcript.Facts) error {
	if r.batch != nil {
		return nil
	}
	if err := r.ensure(f); err != nil {
		return err
	}
	r.isNew = r.session.Len() == 0
	bulk := r.bytes >= bulkBytes && len(r.job.held) == 0 || r.isNew && (r.over(f) || r.expected >= bulkBytes)
	r.batch = r.session.Begin(bulk)
	return nil
}

func (r *reading) ensure(f transcript.Facts) error {
	if r.session != nil {
		return nil
	}
	want := memory.Session{Agent: r.a.Name, AgentSessionID: r.job.key.id, ProjectID: memory.DefaultProject, CreatedAt: f.Created}
	x, err := r.e.o.Sessions.Ensure(want, r.a.Prefix)
	if errors.Is(err, session.ErrUnreachable) { // its project may have been moved to where the agent works now
		if r.project(f) != "" {
			x, err = r.e.o.Sessions.Ensure(want, r.a.Prefix)
		}
	}
	if err != nil {
		return err
	}
	r.session = x
	if x.Meta().Nodes > 0 {
		return nil
	}
	project := r.project(f) // says where the session is to live
	return x.Update(func(m *memory.Session) {
		set(&m.ProjectID, project)
		set(&m.Cwd, r.clean(f.Cwd))
	})
}

// over reports whether the session ended long ago, by the time of its newest record, not of its file: a copied file is
// young.
func (r *reading) over(f transcript.Facts) bool {
	return r.e.over(min(max(f.Updated, f.Created), r.e.o.Now().Unix()))
}

// finish hands over what is final now that all was read, makes it durable and brings the session's facts up to date.
func (r *reading) finish() error {
	how := r.job.how
	if r.over(r.act.parser.Facts()) && how != transcript.Growing {
		how = transcript.Over
	}
	r.job.how = how
	if err := r.drain(how); err != nil {
		return err
	}
	if len(r.waiting) > 0 { // no prompt yet, but all was read
		nodes, facts := r.waiting, r.act.parser.Facts()
		r.waiting = nil
		for i := range nodes {
			if err := r.append(&nodes[i], facts); err != nil {
				return err
			}
		}
	}
	if r.cursor.Own || r.removed {
		return nil
	}
	if err := r.announce(); err != nil {
		return err
	}
	if err := r.commit(how == transcript.Over); err != nil {
		return err
	}
	return r.describe()
}

func (r *reading) commit(closed bool) error {
	if r.batch == nil && closed {
		x, err := r.existing()
		if err != nil || x == nil {
			return err
		}
		r.session = x
		r.batch = x.Begin(false)
	}
	if r.batch == nil {
		return nil
	}
	b := r.batch
	r.batch = nil
	return b.Close(closed)
}

// existing is the session when it is stored already, else nil.
func (r *reading) existing() (*session.Session, error) {
	if r.session != nil {
		return r.session, nil
	}
	return r.e.stored(r.job.key)
}

// stored is a session when it has nodes, else nil.
func (e *Engine) stored(key sessionKey) (*session.Session, error) {
	a := e.adapter(key.agent)
	x, err := e.o.Sessions.Ensure(memory.Session{Agent: a.Name, AgentSessionID: key.id}, a.Prefix)
	if errors.Is(err, session.ErrDeleted) {
		return nil, nil
	}
	if err != nil || x.Len() == 0 {
		return nil, err
	}
	return x, nil
}

func (r *reading) abort() {
	if r.batch != nil {
		r.batch.Abort()
		r.batch = nil
	}
}

// remember stores how far was read, after what was read is durable. When something was left out nothing is stored, so that
// all is read again; the nodes that are there already are found by their ids.
func (r *reading) remember(cursors map[string]fileCursor) error {
	e := r.e
	if r.failed != nil {
		return r.failed
	}
	before := r.cursor
	if err := r.keepSession(); err != nil {
		return err
	}
	updated, open := r.updated(), r.isOpen()
	for path, c := range cursors {
		c.Open, c.Updated = open, updated
		if err := e.keep(path, r.job.key.agent, c); err != nil {
			return err
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	r.settled(before)
	if open {
		e.parsers.put(r.job.key, r.act)
		r.kept = true
	}
	return nil
}

// keepSession stores what is known of the session.
func (r *reading) keepSession() error {
	r.note()
	return r.e.put(sessionKeyOf(r.job.key), r.cursor)
}

// updated is the time of the newest record, in Unix seconds. A session from the future counts as of now.
func (r *reading) updated() int64 {
	facts := r.act.parser.Facts()
	return min(max(facts.Updated, facts.Created), r.e.o.Now().Unix())
}

// isOpen reports whether the session may go on.
func (r *reading) isOpen() bool { return r.job.how != transcript.Over && !r.cursor.Own && !r.removed }

// settled takes over what was stored; before is the session's cursor as it was. Callers hold e.mu.
func (r *reading) settled(before sessionCursor) {
	e, key := r.e, r.job.key
	e.account(key.agent, before, r.cursor)
	e.noteCursor(key, &r.cursor)
	delete(e.open, key)
	delete(e.restless, key)
	delete(e.wanted, key)
	if r.job.how == transcript.Growing {
		e.restless[key] = true
	}
	if r.isOpen() {
		e.open[key] = r.updated()
	}
}

// note brings the session's own counts up to date.
func (r *reading) note() {
	c := &r.cursor
	if r.whole {
		c.Bytes = 0
	}
	c.Bytes += r.bytes
	c.Files = len(r.job.files)
	c.Images = r.e.o.KeepImages && (r.whole || c.Images)
	c.Skipped = r.act.tally.Counts()
	switch {
	case r.removed:
		c.Nodes = 0
	case r.session != nil:
		c.Nodes = r.session.Len()
	}
}
