package daemon

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"dormouse/service/api"
	"dormouse/store/ledger"
	"dormouse/store/memory"
	"dormouse/sync/gitsync"
)

// keysFile, in the state folder, holds this machine's keys for encrypted remotes.
const keysFile = "sync-keys.json"

// tellEvery is how long a machine that only listens may leave the others without word of what it has.
const tellEvery = 24 * time.Hour

// maxDeviceName is how long a machine's name may be, in characters.
const maxDeviceName = 64

// machineName is what this machine is called until somebody says otherwise.
func machineName() string {
	name, err := os.Hostname()
	if err != nil || name == "" {
		return "a machine without a name"
	}
	name, _, _ = strings.Cut(name, ".")
	return name
}

// devices lists the machines that share the memory.
func (d *Daemon) devices(context.Context) (api.Devices, error) {
	known := d.ledger.Devices()
	by := map[string]*api.Device{}
	for _, k := range known {
		by[k.ID] = &api.Device{ID: k.ID, Name: k.Name, This: k.ID == d.machine, Seen: k.Seen, Entries: k.Decisions + k.Runs, Retired: k.Retired}
	}
	out := api.Devices{}
	in, left, err := d.sync.Devices()
	switch {
	case errors.Is(err, gitsync.ErrOff), errors.Is(err, gitsync.ErrNotSealed):
	case err != nil:
		return out, err
	default:
		out.Encrypted = true
	}
	for i, m := range slices.Concat(left, in) {
		if by[m.Machine] == nil {
			by[m.Machine] = &api.Device{ID: m.Machine, This: m.Machine == d.machine}
		}
		to := by[m.Machine]
		to.Name, to.Revoked, to.Reads = cmp.Or(to.Name, m.Name), i < len(left), i >= len(left)
	}
	now := d.p.Now().Unix()
	for _, k := range known {
		lacking(by[k.ID], k, known)
		skewed(by[k.ID], k, known[slices.IndexFunc(known, func(o ledger.Device) bool { return o.ID == d.machine })], now)
	}
	for _, m := range by {
		out.Devices = append(out.Devices, *m)
	}
	slices.SortFunc(out.Devices, func(a, b api.Device) int {
		return cmp.Or(-cmp.Compare(bit(a.This), bit(b.This)), cmp.Compare(bit(a.Retired || a.Revoked), bit(b.Retired || b.Revoked)),
			-cmp.Compare(a.Seen, b.Seen), strings.Compare(a.ID, b.ID))
	})
	return out, nil
}

// lacking counts what a machine has not confirmed to have of what is here. Nobody waits for one that is retired or revoked.
func lacking(m *api.Device, k ledger.Device, all []ledger.Device) {
	if m.This || m.Retired || m.Revoked {
		return
	}
	m.Told = k.Told
	for _, o := range all {
		if o.ID != k.ID {
			m.Lacks += max(0, o.Decisions-k.Known[o.ID].Decisions)
		}
	}
}

// skewed compares a machine's clock with this one's: who had seen a line of the other one before the time that stands on it has a clock
// that goes behind it. The newest word of each counts, so that a clock that was set right is no longer told.
func skewed(m *api.Device, k, own ledger.Device, now int64) {
	if m.This {
		return
	}
	m.Ahead = max(0, k.Seen-now)
	if own.Told != 0 {
		m.Ahead = max(m.Ahead, own.Known[k.ID].At-own.Told)
	}
	if at := k.Known[own.ID].At; at != 0 && k.Told != 0 {
		m.Behind = max(0, at-k.Told)
	}
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// deviceName is what a machine is called: its name and id, or the id alone.
func (d *Daemon) deviceName(id string) string {
	all, err := d.devices(context.Background())
	if err != nil {
		return id
	}
	for _, m := range all.Devices {
		if m.ID == id && m.Name != "" {
			return m.Name + " (" + id + ")"
		}
	}
	return id
}

// tellOfMyself writes into the own log what other machines are to know of this one before an exchange: its name, once, and from time to
// time how much of their logs is here, where it has written nothing else since. Most exchanges write nothing.
func (d *Daemon) tellOfMyself() error {
	all := d.ledger.Devices()
	me := all[slices.IndexFunc(all, func(o ledger.Device) bool { return o.ID == d.machine })]
	silent := d.p.Now().Sub(time.Unix(me.Seen, 0)).Abs() >= tellEvery
	switch {
	case me.Name == "":
		return d.noteDevice(&memory.DeviceNote{ID: d.machine, Name: machineName()})
	case silent && d.ledger.NewlyKnown():
		return d.noteDevice(nil)
	}
	return nil
}

func (d *Daemon) noteDevice(n *memory.DeviceNote) error {
	now := d.p.Now().Unix()
	by := memory.ByRule
	if n != nil && n.ID != d.machine {
		by = memory.ByPerson
	}
	err := d.ledger.Append(nil, memory.Run{Kind: memory.RunDevices, Started: now, Ended: now, Extractor: by, PolicyVersion: memory.PolicyVersion, Device: n})
	if errors.Is(err, ledger.ErrNotCommitted) {
		return nil
	}
	return err
}

// changeDevice renames a machine, retires it or has it back, by its id or name.
func (d *Daemon) changeDevice(ctx context.Context, c api.DeviceChange) (api.Device, error) {
	all, err := d.devices(ctx)
	if err != nil {
		return api.Device{}, err
	}
	m, err := oneDevice(all.Devices, c.Device, "shares the memory")
	if err != nil {
		return m, err
	}
	name := strings.Join(strings.Fields(c.Name), " ")
	switch {
	case c.Action == api.DeviceRename && (name == "" || utf8.RuneCountInString(name) > maxDeviceName):
		return m, &api.Error{Code: api.CodeBadRequest, Message: fmt.Sprintf("a name has 1 to %d characters", maxDeviceName)}
	case c.Action == api.DeviceRename:
		m.Name = name
	case c.Action == api.DeviceRetire && m.This:
		return m, &api.Error{Code: api.CodeBadRequest, Message: "this is the machine itself: retire it from another one"}
	case c.Action == api.DeviceRetire:
		m.Retired = true
	case c.Action == api.DeviceReturn:
		m.Retired = false
	default:
		return m, &api.Error{Code: api.CodeBadRequest, Message: fmt.Sprintf("%q is nothing that can be done with a machine", c.Action)}
	}
	if err := d.noteDevice(&memory.DeviceNote{ID: m.ID, Name: m.Name, Retired: m.Retired}); err != nil {
		return m, err
	}
	d.publish("status", "sync")
	d.syncSoon()
	return m, nil
}

// oneDevice is the machine of that id or name.
func oneDevice(all []api.Device, what, does string) (api.Device, error) {
	var found []api.Device
	for _, m := range all {
		if m.ID == what {
			return m, nil
		}
		if strings.EqualFold(m.Name, strings.TrimSpace(what)) {
			found = append(found, m)
		}
	}
	switch len(found) {
	case 0:
		return api.Device{}, notFound("no machine %s %s; dormouse devices lists them", what, does)
	case 1:
		return found[0], nil
	}
	e := &api.Error{Code: api.CodeAmbiguous, Message: fmt.Sprintf("%d machines are called %s: give the id", len(found), what)}
	for _, f := range found {
		e.Candidates = append(e.Candidates, f.ID+"  "+f.Name)
	}
	return api.Device{}, e
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
	if _, _, err := d.sync.Devices(); err != nil {
		return api.Revoked{}, notSealed(err)
	}
	all, err := d.devices(ctx)
	if err != nil {
		return api.Revoked{}, err
	}
	m, err := oneDevice(slices.DeleteFunc(all.Devices, func(m api.Device) bool { return !m.Reads }), what, "can read the memory")
	if err != nil {
		return api.Revoked{}, err
	}
	if m.This {
		return api.Revoked{}, &api.Error{Code: api.CodeBadRequest, Message: "this is the machine itself: revoke it from another one"}
	}
	m.Revoked, m.Reads = true, false
	out := api.Revoked{Device: m}
	_, err = d.exchange(ctx, func(ctx context.Context) (res gitsync.Result, err error) {
		out.Kept, err = d.sync.Revoke(ctx, m.ID)
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
