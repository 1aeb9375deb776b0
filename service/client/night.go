package client

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"dormouse/service/api"
)

// Night does all that a night does, now, and returns when that is done, however long it takes; it ends early with ctx, and the rest
// waits for the next one. The kind is api.NightNow or api.NightLight.
func (c *Client) Night(ctx context.Context, kind string) (api.Night, error) {
	var n api.Night
	if _, err := c.Status(ctx); err != nil {
		return n, err
	}
	err := c.call(ctx, http.MethodPost, api.PathNight, url.Values{"kind": {kind}}, &n)
	return n, err
}

// Nights gives the reports of the newest whole sleeps, the newest first.
func (c *Client) Nights(ctx context.Context, limit int) ([]api.Night, error) {
	return get[[]api.Night](ctx, c, api.PathNights, url.Values{"limit": {strconv.Itoa(limit)}})
}

// SleepPlan says what a whole sleep would do now.
func (c *Client) SleepPlan(ctx context.Context) (api.SleepPlan, error) {
	return getWithin[api.SleepPlan](ctx, c, 6*c.o.Timeout, api.PathSleepPlan, nil)
}

// Days counts what there is of each day between two times, in Unix seconds; the second one is not included.
func (c *Client) Days(ctx context.Context, since, until int64) ([]api.Day, error) {
	return getWithin[[]api.Day](ctx, c, 6*c.o.Timeout, api.PathDays, url.Values{"since": {strconv.FormatInt(since, 10)}, "until": {strconv.FormatInt(until, 10)}})
}
