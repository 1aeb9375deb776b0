package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"dormouse/cmd/internal/text"
	"dormouse/service/api"
	"dormouse/service/client"
)

// inviteLook is how often a machine that shows a code looks for the new one.
const inviteLook = 3 * time.Second

func devicesCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "devices",
		Short: "The machines that share the memory",
		Long: `The machines that share the memory, when each wrote to its log last by its own clock, how much of it is here, and whether its
clock goes before this one's.`,
		Example: `  dormouse devices
  dormouse devices invite            let a new laptop into an encrypted memory
  dormouse devices revoke laptop     take a lost one out`,
		Args: unknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return ask(cmd.Context(), a, func(c *client.Client) (api.Devices, error) { return c.Devices(cmd.Context()) }, formatDevices)
		},
	}
	cmd.AddCommand(devicesInvite(a), devicesRevoke(a))
	return cmd
}

func devicesInvite(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "invite",
		Short: "Show a code that lets one new machine into an encrypted memory",
		Long: `Show a code that lets one new machine into an encrypted memory, and wait for it. The code holds for a quarter of an hour and
for one machine. Type it on the new one; tell it nobody.`,
		Example: `  dormouse devices invite`,
		Args:    takes(cobra.NoArgs, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.with(cmd.Context(), func(c *client.Client) error { return a.inviteOne(cmd.Context(), c) })
		},
	}
}

// inviteOne shows a code and exchanges until somebody has used it.
func (a *app) inviteOne(ctx context.Context, c *client.Client) error {
	before, err := c.Devices(ctx)
	if err != nil {
		return err
	}
	got, err := c.Invite(ctx)
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(got)
	}
	st, err := c.Status(ctx)
	if err != nil {
		return err
	}
	if err := a.print(formatInvite(a.view(), st.Sync.Remote, got)); err != nil {
		return err
	}
	for a.Now().Unix() < got.Until {
		if _, err := c.Sync(ctx); err != nil {
			return err
		}
		now, err := c.Devices(ctx)
		if err != nil {
			return err
		}
		if d, ok := newDevice(before, now); ok {
			return a.print([]string{fmt.Sprintf("%s is in.", text.Line(d.Name))})
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(inviteLook):
		}
	}
	return errors.New("nobody came; the code holds no longer")
}

// newDevice is a machine that can read the memory now and could not before.
func newDevice(before, now api.Devices) (api.Device, bool) {
	known := map[string]bool{}
	for _, d := range before.Devices {
		known[d.ID] = d.Name != "" && !d.Revoked
	}
	for _, d := range now.Devices {
		if d.Name != "" && !d.Revoked && !known[d.ID] {
			return d, true
		}
	}
	return api.Device{}, false
}

func devicesRevoke(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "revoke DEVICE",
		Short: "Take a lost machine out of an encrypted memory",
		Long: `Take a lost machine out of an encrypted memory, by its name or id: a new key is drawn for all that comes, and the whole memory is
written anew under it, in place of the remote's history. The other machines take the new key by themselves.

What cannot be undone: whatever lies on the lost machine itself, and what it or anybody with its key has fetched already.`,
		Example: `  dormouse devices revoke laptop
  dormouse devices revoke 0a1b2c3d`,
		Args: takes(cobra.ExactArgs(1), "the name or id of a machine"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return ask(cmd.Context(), a, func(c *client.Client) (api.Revoked, error) { return c.Revoke(cmd.Context(), args[0]) }, formatRevoked)
		},
	}
}

// formatDevices lists the machines.
func formatDevices(v view, d api.Devices) []string {
	p := &page{view: v}
	for _, m := range d.Devices {
		name := text.Line(m.Name)
		if name == "" {
			name = m.ID
		}
		if m.This {
			name += " (this machine)"
		}
		seen := "nothing of it is here"
		if m.Seen != 0 {
			seen = "last seen " + v.when(m.Seen)
		}
		skew, state := "", ""
		if m.Ahead > 0 {
			skew = fmt.Sprintf("its clock is at least %s ahead", (time.Duration(m.Ahead) * time.Second).String())
		}
		switch {
		case m.Revoked:
			state = "revoked"
		case d.Encrypted && m.Name == "":
			state = "may not read the memory"
		}
		p.add(v.Strong(name))
		p.receipt("  ", joined(state, seen, count(m.Entries, "entry"), skew), m.ID)
	}
	if !d.Encrypted {
		p.hint("Names are known where the memory is encrypted:", "dormouse sync setup --help")
	}
	return p.lines
}

// formatInvite shows a code and what to do with it.
func formatInvite(v view, remote string, i api.Invite) []string {
	p := &page{view: v}
	p.add("Code  " + v.Strong(i.Code))
	p.hint("On the new machine:", fmt.Sprintf("dormouse sync setup %s --code %s", remote, i.Code))
	p.hint("It holds for one machine, until "+v.when(i.Until)+". Leave this running until it is in.", "")
	return p.lines
}

// formatRevoked tells what a revocation did and what it cannot do.
func formatRevoked(v view, r api.Revoked) []string {
	p := &page{view: v}
	p.add(v.Strong(text.Line(r.Device.Name)) + " can no longer read what is sent from now on.")
	if r.Kept {
		p.prose("The remote does not let its history be replaced: what the machine could read there, it can go on to read there. Take a new, empty repository and delete that one.", "", v.Warn)
	} else {
		p.prose("All that the remote held was written anew under a new key.", "", func(s string) string { return s })
	}
	p.prose("What it had fetched before, and the memory on its own disk, cannot be called back.", "", func(s string) string { return s })
	return p.lines
}
