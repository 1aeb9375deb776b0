package daemon

import (
	"context"
	"fmt"
	"time"

	"dormouse/service/api"
	"dormouse/service/sleep"
)

// sleepNight does all that a night does, now, or distils the idle sessions alone for api.NightLight.
func (d *Daemon) sleepNight(ctx context.Context, kind string) (api.Night, error) {
	if kind != api.NightLight {
		n, err := d.sleepThrough(ctx, sleep.Decision{}, sleep.NewGate(false).Pass)
		return n, err
	}
	in, err := d.look(ctx)
	if err != nil {
		return api.Night{}, err
	}
	in.Now = d.p.Now()
	ids := sleep.Decide(in, d.settings()).Sessions
	n := api.Night{Kind: string(sleep.Light), Why: "asked", Began: in.Now.Unix(), Pauses: []api.NightPause{}, Stages: []api.NightStage{}, Waits: []string{}}
	if len(ids) > 0 {
		began := time.Now()
		run, err := d.sleep(ctx, string(sleep.Light), ids, time.Duration(d.p.Config.Sleep.IdleAfter))
		n.Counts, n.Model, n.InputTokens, n.OutputTokens, n.CostMicros = run.Counts, run.Model, run.InputTokens, run.OutputTokens, run.CostMicros
		n.Stages = append(n.Stages, api.NightStage{Name: "backlog", Milliseconds: time.Since(began).Milliseconds(), Done: true})
		if err != nil {
			return n, err
		}
	}
	n.Ended = d.p.Now().Unix()
	return n, nil
}

func (d *Daemon) listNights(_ context.Context, limit int) ([]api.Night, error) {
	return d.nights.list(limit), nil
}

// planSleep tells what a whole sleep would do now. It changes nothing.
func (d *Daemon) planSleep(ctx context.Context) (api.SleepPlan, error) {
	now := d.p.Now()
	out := api.SleepPlan{Stages: []string{}, Held: []string{}, Due: sleep.NextNight(now, d.settings()).Unix()}
	if h := d.loop.Health(); !h.Due.IsZero() {
		out.Due, out.Waits = h.Due.Unix(), h.Waits
	}
	for _, s := range d.stages() {
		out.Stages = append(out.Stages, s.name)
	}
	all, _, err := d.sessions.List()
	if err != nil {
		return out, fmt.Errorf("see what waits for sleep: %w", err)
	}
	waiting := []string{} // nil would mean all
	for _, s := range all {
		if d.distilled(s) {
			continue
		}
		waiting = append(waiting, s.ID)
		if now.Sub(d.sessions.GrewAt(s, now)) < time.Duration(d.p.Config.Sleep.IdleAfter) {
			out.Open++
		}
	}
	plan, err := d.distiller(ctx, nil, 0).Plan(ctx, waiting)
	if err != nil {
		return out, err
	}
	out.Sessions, out.Turns, out.Nodes = plan.Sessions, plan.Turns, plan.Nodes
	if !d.modelled() {
		return out, nil
	}
	c := d.p.Config.LLM
	out.Model, out.Calls, out.InputTokens, out.OutputTokens = c.Model, plan.Calls, plan.InputTokens, plan.OutputTokens
	if p := c.Price(); p != nil {
		out.Priced = true
		out.CostMicros = int64(float64(plan.InputTokens)*p.Input + float64(plan.OutputTokens)*p.Output)
	}
	if d.frugal() && d.paid() {
		out.Held = append(out.Held, "the network costs by what is sent: sessions would wait for the model, and sync for another network")
	}
	d.language.mu.Lock()
	why := d.language.why
	d.language.mu.Unlock()
	if why != "" {
		out.Held = append(out.Held, why)
	}
	return out, nil
}
