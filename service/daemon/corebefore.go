package daemon

import (
	"context"

	"dormouse/service/api"
	"dormouse/service/recall"
	"dormouse/store/memory"
)

// coreBefore is a core.md as it was at a time, made of what was decided until then.
func (d *Daemon) coreBefore(ctx context.Context, name string, at int64) (api.Core, error) {
	id, err := d.projectID(ctx, name)
	if err != nil {
		return api.Core{}, err
	}
	out := api.Core{Project: id, Limit: recall.CoreBytes}
	d.readAsOf(api.AsOf{Known: at}, func(s *memory.State) {
		info := d.coreInfo(s, id)
		info.Now = at
		out.Text, _ = recall.ExplainedCore(s, info)
	})
	out.Bytes = len(out.Text)
	return out, nil
}
