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
		Long: `The machines that share the memory: when each wrote to its log last by its own clock, how much of that is here, what it has not
confirmed to have, and whether its clock goes before or after this one's. A machine confirms with what it learns itself, and once a day
where it only listens.`,
		Example: `  dormouse devices
  dormouse devices rename 0a1b2c3d desk
  dormouse devices retire laptop     wait for it no more; its memories stay
  dormouse devices invite            let a new laptop into an encrypted memory
  dormouse devices revoke laptop     take a lost one out`,
		Args: unknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return ask(cmd.Context(), a, func(c *client.Client) (api.Devices, error) { return c.Devices(cmd.Context()) }, formatDevices)
		},
	}
	cmd.AddCommand(devicesRename(a), devicesRetire(a), devicesInvite(a), devicesRevoke(a))
	return cmd
}

func devicesRename(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "rename DEVICE NAME",
		Short: "Call a machine by another name, on all machines",
		Long: `Call a machine, given by its name or id, by another name. The name travels with the memory. At first a machine is called by its
host name.`,
		Example: `  dormouse devices rename 0a1b2c3d desk
  dormouse devices rename laptop "old laptop"`,
		Args: takes(cobra.ExactArgs(2), "the name or id of a machine, and a name"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.changeDevice(cmd.Context(), api.DeviceChange{Device: args[0], Action: api.DeviceRename, Name: args[1]})
		},
	}
}

func devicesRetire(a *app) *cobra.Command {
	back := false
	cmd := &cobra.Command{
		Use:   "retire DEVICE",
		Short: "Wait for a machine no longer that is out of use",
		Long: `Wait for a machine no longer that is out of use, given by its name or id: what it lacks is not counted any more. All that it learned
stays. It is not kept out: of an encrypted memory, "dormouse devices revoke" takes a lost one out.`,
		Example: `  dormouse devices retire laptop
  dormouse devices retire laptop --back`,
		Args: takes(cobra.ExactArgs(1), "the name or id of a machine"),
		RunE: func(cmd *cobra.Command, args []string) error {
			c := api.DeviceChange{Device: args[0], Action: api.DeviceRetire}
			if back {
				c.Action = api.DeviceReturn
			}
			return a.changeDevice(cmd.Context(), c)
		},
	}
	cmd.Flags().BoolVar(&back, "back", false, "it is in use again")
	return cmd
}

func (a *app) changeDevice(ctx context.Context, change api.DeviceChange) error {
	return ask(ctx, a, func(c *client.Client) (api.Device, error) { return c.ChangeDevice(ctx, change) },
		func(v view, d api.Device) []string { return formatDevice(&page{view: v}, d).lines })
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
		known[d.ID] = d.Reads
	}
	for _, d := range now.Devices {
		if d.Reads && !known[d.ID] {
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

What cannot be undone: whatever lies on the lost machine itself, and what it or anybody with its key has fetched already. Take away
its access to the repository as well (its ssh key, its token): as long as it can write there, it can keep the news of this from machines
that have not heard of it yet.`,
		Example: `  dormouse devices revoke laptop
  dormouse devices revoke 0a1b2c3d`,
		Args: takes(cobra.ExactArgs(1), "the name or id of a machine"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return ask(cmd.Context(), a, func(c *client.Client) (api.Revoked, error) { return c.Revoke(cmd.Context(), args[0]) }, formatRevoked)
		},
	}
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
