package client

import (
	"context"

	"dormouse/service/api"
)

// Settings asks for the settings.
func (c *Client) Settings(ctx context.Context) (api.Settings, error) {
	return get[api.Settings](ctx, c, api.PathSettings, nil)
}

// SetSetting changes one setting in config.toml, and answers with all.
func (c *Client) SetSetting(ctx context.Context, ch api.SettingChange) (api.Settings, error) {
	return post[api.Settings](ctx, c, api.PathSettingSet, ch.Values())
}
