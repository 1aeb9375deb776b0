package session

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"dormouse/store/disk"
	"dormouse/store/gitrepo"
	"dormouse/store/home"
)

// excluded is what git does not show: what is not history, and the nodes of the open turn, so that no git clean or stash takes
// them.
var excluded = []string{"/" + metaFile, "/context/", "/workdir/", "/" + historyDir + "/", tempPattern}

// prepare makes the folder and the repository in it, as far as they are not there, and removes what an interrupted write
// left in them.
func (b *Batch) prepare() error {
	repo := gitrepo.Open(b.dir)
	if b.fresh {
		repo = gitrepo.Draft(b.dir)
		b.draft = repo
		return b.draftFolder()
	} else if err := b.x.sheltered(); err != nil {
		return err
	} else if err := removeTemps(repo); err != nil {
		return err
	}
	if err := home.Mkdir(b.dir); err != nil {
		return err
	}
	return repo.Init(excluded)
}

// draftFolder makes the folder of a new session. One that an interrupted write left is in the way.
func (b *Batch) draftFolder() error {
	err := disk.Mkdir(b.dir, home.DirMode)
	if errors.Is(err, fs.ErrExist) {
		if err := disk.RemoveAll(b.dir); err != nil {
			return fmt.Errorf("remove left-over: %w", err)
		}
		err = disk.Mkdir(b.dir, home.DirMode)
	}
	if err != nil { // the folders above it are not there yet
		if err := home.Mkdir(b.dir); err != nil {
			return err
		}
	}
	return b.draft.Init(excluded)
}

// keep stores a new node's file: in history/, or in a bulk batch with the turn that it belongs to.
func (b *Batch) keep(e *entry, data []byte) (err error) {
	if b.bulk {
		e.oid = gitrepo.Sum(gitrepo.Blob, data)
		b.held = append(b.held, heldFile{e.oid, data})
		if b.size += len(data); b.size > holdBytes {
			return b.flush()
		}
		return nil
	}
	e.oid = gitrepo.Sum(gitrepo.Blob, data)
	e.hot = true
	b.st.dropStale(b.dir, e.seq(), e.name)
	e.stat, err = writeNode(b.dir, e.name, data)
	return err
}

// flush packs the held files.
func (b *Batch) flush() (err error) {
	if b.pack == nil {
		if b.pack, err = b.st.repo.NewPack(); err != nil {
			return err
		}
	}
	for _, h := range b.held {
		if err := b.pack.AddAs(h.oid, gitrepo.Blob, h.data); err != nil {
			return err
		}
	}
	b.held, b.size = nil, 0
	return nil
}

// endTurn says that the nodes so far will be committed.
func (b *Batch) endTurn() error {
	b.ends = append(b.ends, b.total())
	if b.bulk {
		return b.flush()
	}
	return nil
}

// spill writes what a bulk batch holds of the open turn into history/.
func (b *Batch) spill() (err error) {
	if !b.bulk {
		return nil
	}
	r := b.st.repo.Reader()
	defer r.Close() //nolint:errcheck // opened for reading
	for i := max(b.lastEnd(), len(b.st.entries)); i < b.total(); i++ {
		e := &b.entries[i-len(b.st.entries)]
		var data []byte
		if back := b.total() - i; back <= len(b.held) {
			data = b.held[len(b.held)-back].data
		} else if _, data, err = r.Object(e.oid); err != nil {
			return err
		}
		b.st.dropStale(b.dir, e.seq(), e.name)
		if e.stat, err = writeNode(b.dir, e.name, data); err != nil {
			return err
		}
		e.hot = true
	}
	return nil
}

// syncTail makes the batch's nodes that are not committed durable. Those of earlier batches are.
func (b *Batch) syncTail() error {
	from := max(b.lastEnd()-len(b.st.entries), 0)
	if from == len(b.entries) {
		return nil
	}
	for i := range b.entries[from:] {
		if err := syncNode(b.dir, b.entries[from+i].name); err != nil {
			return fmt.Errorf("write node: %w", err)
		}
	}
	return disk.SyncDir(filepath.Join(b.dir, historyDir))
}
