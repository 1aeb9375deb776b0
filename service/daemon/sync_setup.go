package daemon

import (
	"context"
	"errors"
	"fmt"

	"dormouse/service/api"
	"dormouse/store/gitrepo"
	"dormouse/sync/gitsync"
	"dormouse/sync/seal"
)

// syncSetup chooses the remote, or forgets it where there is no address.
func (d *Daemon) syncSetup(ctx context.Context, c api.SyncChoice) (api.Synced, error) {
	if c.URL == "" {
		if err := d.sync.Off(ctx); err != nil {
			return api.Synced{}, err
		}
		d.contact.note(nil, d.p.Now())
		d.syncing.ok()
		d.publish("status", "sync")
		return api.Synced{Sync: d.syncState()}, nil
	}
	if d.p.Demo {
		return api.Synced{}, &api.Error{Code: api.CodeForbidden, Message: "this is the demo's memory, which is not carried to other machines; start your own with: dormouse service install"}
	}
	url, err := gitsync.CheckURL(c.URL, d.p.Home.Memory())
	if err != nil {
		return api.Synced{}, &api.Error{Code: api.CodeBadRequest, Message: err.Error()}
	}
	if c.Trust != "" {
		if err := d.meetHost(ctx, url, c.Trust, nil); err != nil {
			return api.Synced{}, err
		}
	}
	readers, err := d.pass(ctx, url, c.Know)
	if err != nil {
		return api.Synced{}, err
	}
	found, err := d.sync.Holds(ctx, url)
	if err != nil {
		return api.Synced{}, toSettle(d.meetHost(ctx, url, "", err))
	}
	how, err := d.howToUse(url, found, c)
	if err != nil {
		return api.Synced{}, err
	}
	if err := d.tellOfMyself(); err != nil {
		return api.Synced{}, err
	}
	out, err := d.synced(ctx, how)
	if err != nil {
		return out, err
	}
	d.contact.readBy(url, readers.Words)
	out.Found, out.Sync.Readers = found, readers.Words
	return out, nil
}

// howToUse is how a remote that was looked at is set up: in the clear, encrypted, or by joining an encrypted memory.
func (d *Daemon) howToUse(url, found string, c api.SyncChoice) (func(context.Context) (gitsync.Result, error), error) {
	bad := func(format string, args ...any) error {
		return &api.Error{Code: api.CodeBadRequest, Message: fmt.Sprintf(format, args...)}
	}
	ours := d.sync.IsSealed(url)
	switch {
	case found == gitsync.HoldsSealed && c.Code != "":
		return func(ctx context.Context) (gitsync.Result, error) { return d.sync.Join(ctx, url, c.Code) }, nil
	case c.Code != "":
		return nil, bad("%s holds no encrypted memory, so there is nothing to join by a code", url)
	case found == gitsync.HoldsSealed && !ours:
		return nil, bad("%s: %v. Have a code shown on a machine that was: dormouse devices invite. Then, here: dormouse sync setup %s --code CODE", url, gitsync.ErrSealed, url)
	case ours, c.Encrypt && found == gitsync.HoldsNothing:
		return func(ctx context.Context) (gitsync.Result, error) { return d.sync.SetupSealed(ctx, url, c.Restore) }, nil
	case c.Encrypt:
		return nil, bad("%s holds %s that is not encrypted, and its history would go on to hold it: take a new, empty repository", url, found)
	}
	return func(ctx context.Context) (gitsync.Result, error) { return d.sync.Setup(ctx, url, c.Restore) }, nil
}

// toSettle tells what a person has to settle as such, not as a mistake of the service.
func toSettle(err error) error {
	if errors.Is(err, gitrepo.ErrLogin) {
		return &api.Error{Code: api.CodeLogin, Message: err.Error()}
	}
	for _, settle := range []error{gitsync.ErrOff, gitsync.ErrRewound, gitsync.ErrOwnLog, gitsync.ErrNotMemory, gitsync.ErrNoAnswer, seal.ErrNotOurs, seal.ErrForked, seal.ErrNoDevice, gitrepo.ErrRefused, gitrepo.ErrRace,
		gitrepo.ErrOffline, gitrepo.ErrUnknownHost} {
		if errors.Is(err, settle) {
			return &api.Error{Code: api.CodeBadRequest, Message: err.Error()}
		}
	}
	return err
}
