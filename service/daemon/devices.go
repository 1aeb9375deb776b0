package daemon

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"dormouse/service/api"
	"dormouse/sync/gitsync"
)

// keysFile, in the state folder, holds this machine's keys for encrypted remotes.
const keysFile = "sync-keys.json"

// machineName is what this machine is called on others, where the memory is encrypted.
func machineName() string {
	name, err := os.Hostname()
	if err != nil || name == "" {
		return "a machine without a name"
	}
	name, _, _ = strings.Cut(name, ".")
	return name
}

// devices lists the machines whose logs are here, and those that may read an encrypted remote.
func (d *Daemon) devices(context.Context) (api.Devices, error) {
	now := d.p.Now().Unix()
	by := map[string]*api.Device{}
	device := func(id string) *api.Device {
		if by[id] == nil {
			by[id] = &api.Device{ID: id, This: id == d.machine}
		}
		return by[id]
	}
	device(d.machine)
	for _, id := range d.ledger.Machines() {
		device(id)
	}
	for _, r := range d.ledger.Runs() {
		m := device(r.Machine)
		m.Seen, m.Entries = max(m.Seen, r.Ended), m.Entries+1
	}
	for x := range d.ledger.EachDecision() {
		device(x.Machine).Entries++
	}
	out := api.Devices{}
	in, left, err := d.sync.Devices()
	switch {
	case errors.Is(err, gitsync.ErrOff), errors.Is(err, gitsync.ErrNotSealed):
	case err != nil:
		return out, err
	default:
		out.Encrypted = true
		for _, m := range left {
			device(m.Machine).Name, device(m.Machine).Revoked = m.Name, true
		}
		for _, m := range in {
			device(m.Machine).Name, device(m.Machine).Revoked = m.Name, false
		}
	}
	for _, m := range by {
		if !m.This && m.Seen > now {
			m.Ahead = m.Seen - now
		}
		out.Devices = append(out.Devices, *m)
	}
	slices.SortFunc(out.Devices, func(a, b api.Device) int {
		return cmp.Or(-cmp.Compare(bit(a.This), bit(b.This)), -cmp.Compare(a.Seen, b.Seen), strings.Compare(a.ID, b.ID))
	})
	return out, nil
}

// deviceName is what a machine is called: its name and id, or the id alone.
func (d *Daemon) deviceName(id string) string {
	in, left, err := d.sync.Devices()
	if err != nil {
		return id
	}
	for _, m := range slices.Concat(in, left) {
		if m.Machine == id && m.Name != "" {
			return m.Name + " (" + id + ")"
		}
	}
	return id
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// invite shows a code that lets one new machine in.
func (d *Daemon) invite(context.Context) (api.Invite, error) {
	code, until, err := d.sync.Invite()
	if err != nil {
		return api.Invite{}, notSealed(err)
	}
	return api.Invite{Code: code, Until: until.Unix()}, nil
}

// revoke takes a machine, by its id or name, out of an encrypted memory.
func (d *Daemon) revoke(ctx context.Context, what string) (api.Revoked, error) {
	in, _, err := d.sync.Devices()
	if err != nil {
		return api.Revoked{}, notSealed(err)
	}
	var found []api.Device
	for _, m := range in {
		if m.Machine == what || strings.EqualFold(m.Name, what) {
			found = append(found, api.Device{ID: m.Machine, Name: m.Name, This: m.Machine == d.machine, Revoked: true})
		}
	}
	switch {
	case len(found) == 0:
		return api.Revoked{}, notFound("no machine %s can read the memory; dormouse devices lists them", what)
	case len(found) > 1:
		e := &api.Error{Code: api.CodeAmbiguous, Message: fmt.Sprintf("%d machines are called %s: give the id", len(found), what)}
		for _, f := range found {
			e.Candidates = append(e.Candidates, f.ID+"  "+f.Name)
		}
		return api.Revoked{}, e
	case found[0].This:
		return api.Revoked{}, &api.Error{Code: api.CodeBadRequest, Message: "this is the machine itself: revoke it from another one"}
	}
	out := api.Revoked{Device: found[0]}
	_, err = d.exchange(ctx, func(ctx context.Context) (res gitsync.Result, err error) {
		out.Kept, err = d.sync.Revoke(ctx, found[0].ID)
		return res, err
	})
	return out, toSettle(err)
}

// notSealed is what only an encrypted remote has, asked of another one.
func notSealed(err error) error {
	if errors.Is(err, gitsync.ErrOff) {
		return &api.Error{Code: api.CodeBadRequest, Message: err.Error()}
	}
	if errors.Is(err, gitsync.ErrNotSealed) {
		return &api.Error{Code: api.CodeBadRequest, Message: err.Error() + ". To have it encrypted, take a new, empty repository: dormouse sync setup URL --encrypt"}
	}
	return err
}
