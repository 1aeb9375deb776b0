package localapi

import (
	"context"

	"dormouse/service/api"
)

// settingTable lists the paths of the settings.
func (b *Backend) settingTable() map[string]route {
	return map[string]route{
		api.PathSettings:   get(plain(b.Settings)),
		api.PathSettingSet: post(b.setSetting, "name", "value", "reset", "try"),
	}
}

func (b *Backend) setSetting(ctx context.Context, p *params) (any, error) {
	c := api.SettingChange{Name: p.needed("name"), Value: p.text("value"), Reset: p.yes("reset"), Try: p.yes("try")}
	if err := p.check(b.SetSetting != nil); err != nil {
		return nil, err
	}
	return b.SetSetting(ctx, c)
}
