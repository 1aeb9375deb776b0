package daemon

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"dormouse/service/api"
	"dormouse/service/connect"
)

// links tells how the agents' settings are.
func (d *Daemon) links(context.Context) ([]api.Link, error) {
	if d.p.Links == nil {
		return nil, noLinks()
	}
	var out []api.Link
	for _, agent := range connect.Table() {
		s := d.p.Links.StateOf(agent)
		out = append(out, api.Link{Agent: agent.Name, Installed: s.Installed, Hooks: s.Hooks, MCP: s.MCP, Injects: s.Injects, Note: s.Note, Trouble: s.Trouble})
	}
	return out, nil
}

func noLinks() error {
	return notFound("this service does not know where the agents' settings lie; connect them with: dormouse agents connect NAME")
}

func (d *Daemon) planLink(_ context.Context, q api.LinkQuery) (api.LinkPlan, error) {
	plan, _, err := d.linkPlans(q)
	return plan, err
}

func (d *Daemon) linkPlans(q api.LinkQuery) (api.LinkPlan, []connect.Plan, error) {
	out := api.LinkPlan{Agent: q.Agent, Action: q.Action}
	if d.p.Links == nil {
		return out, nil, noLinks()
	}
	agent, ok := connect.Find(connect.Table(), q.Agent)
	if !ok {
		return out, nil, notFound("%s is no agent whose settings Dormouse knows", q.Agent)
	}
	plans, err := d.p.Links.Plans(agent, connect.All, q.Action == api.LinkDisconnect)
	if err != nil {
		return out, nil, &api.Error{Code: api.CodeBadRequest, Message: err.Error()}
	}
	plans = slices.DeleteFunc(plans, connect.Plan.Nothing)
	for _, p := range plans {
		out.Files = append(out.Files, api.LinkFile{Path: p.Path, Diff: p.Diff()})
		if q.Action == api.LinkConnect {
			out.Note = p.Agent.Note
		}
	}
	out.Mark = connect.Mark(plans)
	return out, plans, nil
}

// changeLink writes what was agreed to: a plan that is another one meanwhile is not carried out.
func (d *Daemon) changeLink(_ context.Context, q api.LinkQuery) (api.LinkPlan, error) {
	if d.p.Demo {
		return api.LinkPlan{}, &api.Error{Code: api.CodeForbidden, Message: "this is the demo, which your agents are not connected to; start your own memory with: dormouse up"}
	}
	out, plans, err := d.linkPlans(q)
	if err != nil {
		return out, err
	}
	if out.Mark != q.Mark {
		return out, &api.Error{Code: api.CodeBadRequest, Message: fmt.Sprintf("the settings of %s were changed meanwhile; nothing was written, look at the change again", q.Agent)}
	}
	for _, p := range plans {
		if err := p.Apply(); errors.Is(err, connect.ErrChanged) {
			return out, &api.Error{Code: api.CodeBadRequest, Message: err.Error()}
		} else if err != nil {
			return out, err
		}
	}
	d.publish("status", "agents")
	return out, nil
}
