package localapi

import (
	"context"
	"path/filepath"
	"regexp"

	"dormouse/service/api"
)

// proxyTable lists the paths of the proxy.
func (b *Backend) proxyTable() map[string]route {
	return map[string]route{
		api.PathProxy:       get(b.proxy, "client"),
		api.PathProxySwitch: post(b.switchProxy, "to"),
		api.PathProxyRecord: post(b.recordProxy, "file", "limit"),
	}
}

// clientName is what a client of the proxy may be called.
var clientName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,39}$`)

func (b *Backend) proxy(ctx context.Context, p *params) (any, error) {
	name := p.text("client")
	if name != "" && !clientName.MatchString(name) {
		p.wrong("client has to be a name of small letters, digits and hyphens, not %q", clip(name))
	}
	if err := p.check(b.Proxy != nil); err != nil {
		return nil, err
	}
	return b.Proxy(ctx, name)
}

func (b *Backend) switchProxy(ctx context.Context, p *params) (any, error) {
	to := p.needed("to")
	if to != "" && to != api.ProxyOn && to != api.ProxyOff && to != api.ProxyShut {
		p.wrong("to has to be on, off or shut, not %q", clip(to))
	}
	if err := p.check(b.SwitchProxy != nil); err != nil {
		return nil, err
	}
	return b.SwitchProxy(ctx, to)
}

// Bounds of a recording, in bytes.
const (
	minRecording     = 1 << 20
	defaultRecording = 100 << 20
	maxRecording     = 1 << 30
)

func (b *Backend) recordProxy(ctx context.Context, p *params) (any, error) {
	file, limit := p.text("file"), p.number("limit", minRecording, maxRecording, defaultRecording)
	if file != "" && !filepath.IsAbs(file) {
		p.wrong("file has to be an absolute path, not %q", clip(file))
	}
	if err := p.check(b.RecordProxy != nil); err != nil {
		return nil, err
	}
	return b.RecordProxy(ctx, file, int64(limit))
}
