package daemon

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"dormouse/service/api"
	"dormouse/store/disk"
	"dormouse/store/home"
	"dormouse/store/ledger"
	"dormouse/store/memory"
	"dormouse/sync/gitsync"
)

// copiedFile, in the state folder, says under which id this machine goes on, until it does.
const copiedFile = "machine.next"

// maxCopied is how often a running service goes on under a new id by itself. More than that is no accident: somebody writes into the remote.
const maxCopied = 3

// errCopied ends a life of the service, so that the next one begins under a new id.
var errCopied = errors.New("this state folder is a copy of another machine's, and goes on under an id of its own")

func (d *Daemon) copiedPath() string { return filepath.Join(d.p.Home.Dir(), copiedFile) }

// goOnAsNew has the service begin anew under another id, where an exchange has found that the state folder is a copy. It returns err as it
// was, or what the person is to know.
func (d *Daemon) goOnAsNew(err error) error {
	var found *gitsync.CopiedError
	if !errors.As(err, &found) || d.copied.Load() >= maxCopied {
		return err
	}
	id, e := home.NewMachine()
	if e != nil {
		return errors.Join(err, e)
	}
	if e := d.writeCopied(ledger.Copied{Old: d.machine, New: id, Common: found.Common}); e != nil {
		return errors.Join(err, e)
	}
	d.copied.Add(1)
	d.abandon(errCopied)
	return &api.Error{Code: api.CodeBadRequest, Message: fmt.Sprintf("this state folder is a copy of another machine's, or from a backup: %s has lines of its id %s that were "+
		"written elsewhere. Nothing is lost: Dormouse begins anew here under an id of its own, with all that was learned here; then this can be done again", found.URL, d.machine)}
}

func (d *Daemon) writeCopied(c ledger.Copied) error {
	raw, err := memory.Encode(c)
	if err != nil {
		return err
	}
	return home.WriteFile(d.copiedPath(), append(raw, '\n'))
}

// becomeNew carries out what goOnAsNew has found. Each step can be done again after a crash; the last is the new id.
func (d *Daemon) becomeNew() error {
	raw, err := os.ReadFile(d.copiedPath())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("go on under a new machine id: %w", err)
	}
	var c ledger.Copied
	if err := json.Unmarshal(raw, &c); err != nil || c.Old == "" || c.New == "" {
		d.notes = append(d.notes, fmt.Sprintf("%s was damaged and is not used; the next exchange finds again whether it is needed", d.copiedPath()))
		return disk.Remove(d.copiedPath())
	}
	now, err := d.p.Home.Machine()
	if err != nil {
		return err
	}
	if now == c.Old {
		if err := d.leaveOldLog(&c); err != nil {
			return fmt.Errorf("go on under the new machine id %s in place of %s: %w", c.New, c.Old, err)
		}
	}
	return disk.Remove(d.copiedPath())
}

func (d *Daemon) leaveOldLog(c *ledger.Copied) error {
	dir := d.p.Home.Memory()
	if len(c.Files) == 0 {
		lines, err := c.Move(dir, d.p.Now())
		if err != nil {
			return err
		}
		if err := d.writeCopied(*c); err != nil {
			return err
		}
		d.notes = append(d.notes, fmt.Sprintf("this state folder was a copy of another machine's or from a backup: it goes on as machine %s in place of %s; %d entries that were "+
			"learned here moved to its own log", c.New, c.Old, lines))
	}
	paths, err := c.Leave(dir)
	if err != nil {
		return err
	}
	repo, err := d.openRepo()
	if err != nil {
		return err
	}
	if _, err := repo.CommitFiles(paths, "Go on under a new machine id", d.p.Now().Unix()); err != nil {
		return err
	}
	return d.p.Home.SetMachine(c.New)
}
