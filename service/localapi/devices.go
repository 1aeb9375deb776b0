package localapi

import (
	"context"
	"net/http"

	"dormouse/service/api"
)

// deviceTable are the paths of the machines that share the memory. Those that exchange take as long as the network does.
func (b *Backend) deviceTable() map[string]route {
	return map[string]route{
		api.PathDevices:      get(b.devices),
		api.PathDeviceInvite: post(plain(b.Invite)),
		api.PathDeviceChange: post(b.changeDevice, "device", "action", "name"),
		api.PathDeviceRevoke: {method: http.MethodPost, params: []string{"device"}, answer: ignoring(b.revoke)},
	}
}

func (b *Backend) devices(ctx context.Context, p *params) (any, error) {
	if err := p.check(b.Devices != nil); err != nil {
		return nil, err
	}
	v, err := b.Devices(ctx)
	v.Devices = list(v.Devices)
	return v, err
}

func (b *Backend) changeDevice(ctx context.Context, p *params) (any, error) {
	c := api.DeviceChange{Device: p.needed("device"), Action: p.needed("action"), Name: p.text("name")}
	if err := p.check(b.ChangeDevice != nil); err != nil {
		return nil, err
	}
	return b.ChangeDevice(ctx, c)
}

func (b *Backend) revoke(ctx context.Context, p *params) (any, error) {
	device := p.needed("device")
	if err := p.check(b.Revoke != nil); err != nil {
		return nil, err
	}
	return b.Revoke(ctx, device)
}
