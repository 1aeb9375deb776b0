package daemon

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"dormouse/service/api"
	"dormouse/service/cost"
)

// cost sums up what models took.
func (d *Daemon) cost(_ context.Context, q api.CostQuery) (api.Cost, error) {
	q.By = cmp.Or(q.By, cost.ByDay)
	if !slices.Contains(cost.Ways, q.By) {
		return api.Cost{}, &api.Error{Code: api.CodeBadRequest, Message: fmt.Sprintf("costs are summed by %s, not by %q", strings.Join(cost.Ways, ", "), q.By)}
	}
	for name, day := range map[string]string{"since": q.Since, "until": q.Until} {
		if _, err := time.Parse(time.DateOnly, day); day != "" && err != nil {
			return api.Cost{}, &api.Error{Code: api.CodeBadRequest, Message: fmt.Sprintf("%s: %q is no day such as 2026-05-31", name, day)}
		}
	}
	d.embedded.flush()
	found, err := d.meter.Read(q.Since, q.Until)
	if err != nil {
		return api.Cost{}, err
	}
	rows, total, err := cost.Sum(found.Entries, q.By)
	if err != nil {
		return api.Cost{}, err
	}
	out := api.Cost{By: q.By, Since: q.Since, Until: q.Until, Rows: []api.CostRow{}, Total: costRow(total), Damaged: found.Damaged}
	for _, r := range rows {
		out.Rows = append(out.Rows, costRow(r))
	}
	return out, nil
}

func costRow(r cost.Row) api.CostRow {
	return api.CostRow{Key: r.Key, Provider: r.Provider, Told: api.Usage(r.Told), Estimated: api.Usage(r.Estimated)}
}
