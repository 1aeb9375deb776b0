package client

import (
	"context"
	"net/url"
	"strconv"

	"dormouse/service/api"
)

// Proxy asks how the proxy is; with the name of a client also where that reaches each provider.
func (c *Client) Proxy(ctx context.Context, name string) (api.Proxy, error) {
	v := url.Values{}
	if name != "" {
		v.Set("client", name)
	}
	return get[api.Proxy](ctx, c, api.PathProxy, v)
}

// SwitchProxy switches the proxy to api.ProxyOn, ProxyOff or ProxyShut.
func (c *Client) SwitchProxy(ctx context.Context, to string) (api.Proxy, error) {
	return post[api.Proxy](ctx, c, api.PathProxySwitch, url.Values{"to": {to}})
}

// RecordProxy has what passes recorded into a new file, an absolute path, of at most limit bytes; "" ends that.
func (c *Client) RecordProxy(ctx context.Context, file string, limit int64) (api.Proxy, error) {
	v := url.Values{}
	if file != "" {
		v.Set("file", file)
		v.Set("limit", strconv.FormatInt(limit, 10))
	}
	return post[api.Proxy](ctx, c, api.PathProxyRecord, v)
}
