package session

import (
	"fmt"
	"time"
)

// Thaw writes the files of all committed nodes into history/, so that the folder can be read without git. It stays so until the
// session is packed again, which Thawed tells apart.
func (x *Session) Thaw() (err error) {
	x.writing.Lock()
	defer x.writing.Unlock()
	defer x.brokenBy(&err)
	if err := x.ready(); err != nil {
		return fmt.Errorf("write out the files of session %s: %w", x.id, err)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.exists {
		return fmt.Errorf("%w: %s", ErrNotFound, x.id)
	}
	st, err := x.loaded(true)
	if err == nil {
		err = st.repo.Init(excluded) // a repository without HEAD is none for git
	}
	if err == nil {
		err = st.thaw()
	}
	if err != nil {
		return fmt.Errorf("write out the files of session %s: %w", x.id, err)
	}
	x.thawed = x.store.opts.Now()
	return nil
}

// Thawed is when the session's files were written out for somebody to read; zero when they were not, in this life of the service.
func (x *Session) Thawed() time.Time {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.thawed
}

// thaw is the reverse of chill: files first, then the index that shows them. They are those of the branch that is checked out.
func (st *state) thaw() error {
	w := worktree{repo: st.repo, lanes: &st.lanes, entries: st.entries, committed: st.committed}
	lane, ok, err := w.shown()
	if err != nil {
		return err
	}
	if !ok {
		return fmt.Errorf("its work tree shows a branch that is not the session's; git checkout main brings it back")
	}
	if lane == none {
		return nil
	}
	if err := w.lookAgain(); err != nil {
		return err
	}
	if err := w.fill(w.onto(lane)); err != nil {
		return err
	}
	if err := w.writeIndex(lane); err != nil {
		return err
	}
	st.entries = w.entries
	return nil
}
