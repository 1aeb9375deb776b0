package session

import (
	"fmt"
	"slices"
	"time"
)

// Thaw writes the files of all committed nodes into history/, so that the folder can be read without git. It stays so until the
// session is packed again, which Thawed tells apart.
func (x *Session) Thaw() error {
	x.writing.Lock()
	defer x.writing.Unlock()
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.exists {
		return fmt.Errorf("%w: %s", ErrNotFound, x.id)
	}
	st, err := x.loaded(true)
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

// thaw is the reverse of chill: files first, then the index that shows them.
func (st *state) thaw() error {
	if !st.repo.OnMain() {
		return fmt.Errorf("its work tree shows another branch; git checkout main brings it back")
	}
	r := st.repo.Reader()
	defer r.Close() //nolint:errcheck // opened for reading
	entries := slices.Clone(st.entries)
	for i := range entries[:st.committed] {
		e := &entries[i]
		if e.hot {
			continue
		}
		_, data, err := r.Object(e.oid)
		if err != nil {
			return err
		}
		if e.stat, err = writeNode(st.repo.Dir(), e.name, data); err != nil {
			return err
		}
		e.hot = true
	}
	if err := st.writeIndex(entries[:st.committed]); err != nil {
		return err
	}
	st.entries = entries
	return nil
}
