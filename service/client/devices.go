package client

import (
	"context"
	"net/http"
	"net/url"

	"dormouse/service/api"
)

// Devices lists the machines that share the memory.
func (c *Client) Devices(ctx context.Context) (api.Devices, error) {
	return get[api.Devices](ctx, c, api.PathDevices, nil)
}

// ChangeDevice renames a machine, retires it or has it back, by its id or name.
func (c *Client) ChangeDevice(ctx context.Context, ch api.DeviceChange) (api.Device, error) {
	v := url.Values{"device": {ch.Device}, "action": {ch.Action}}
	if ch.Name != "" {
		v.Set("name", ch.Name)
	}
	return post[api.Device](ctx, c, api.PathDeviceChange, v)
}

// Invite has a code shown that lets one new machine into an encrypted memory.
func (c *Client) Invite(ctx context.Context) (api.Invite, error) {
	return post[api.Invite](ctx, c, api.PathDeviceInvite, nil)
}

// Revoke takes a machine out of an encrypted memory, by its id or name, however long the network takes; it ends early with ctx.
func (c *Client) Revoke(ctx context.Context, device string) (api.Revoked, error) {
	var r api.Revoked
	if _, err := c.Status(ctx); err != nil {
		return r, err
	}
	err := c.call(ctx, http.MethodPost, api.PathDeviceRevoke, url.Values{"device": {device}}, &r)
	return r, err
}
