package daemon

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"dormouse/service/api"
	"dormouse/service/capture"
)

// noted records how a round went, unless it was ended from outside.
func (p *part) noted(ctx context.Context, err error) {
	switch {
	case err == nil:
		p.ok()
	case ctx.Err() == nil:
		p.failure(err)
	}
}

// firstLine is an error without the stack of a panic.
func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// surroundings are the parts that have no loop of their own: what the service lives on.
func (d *Daemon) surroundings(captured capture.Status) []api.Part {
	model := d.modelling.report()
	if d.p.Config.LLM.Provider == "" || d.p.Demo {
		model.State, model.Doing = api.HealthOff, "none is set; rules read your sessions"
	} else if d.language != nil && d.language.client == nil {
		model = api.Part{Name: model.Name, State: "amber", Failure: fmt.Sprint(d.language.broken)}
	}
	return []api.Part{model, d.remembering.report(), d.committing.report(), d.diskPart(captured), d.clockPart()}
}

// diskPart says whether there is room for what is captured, and whether it can be written. Both come and go by themselves, so there is no
// row of failures to wait for.
func (d *Daemon) diskPart(captured capture.Status) api.Part {
	amber := func(why string) api.Part {
		return api.Part{Name: "disk", State: "amber", Failure: why}
	}
	if err := d.index.Room(); err != nil {
		return amber(err.Error())
	}
	if slices.ContainsFunc(captured.Problems, func(p capture.Problem) bool { return p.ReadOnly() }) {
		return amber(fmt.Sprintf("the disk with %s is read-only: nothing that agents say is kept until it can be written to; it goes on by itself then", d.p.Home.Dir()))
	}
	return api.Part{Name: "disk", State: api.HealthOK, LastOK: d.p.Now().Unix()}
}

// clockAhead is how far what was written may lie ahead of the clock: zones, and machines that differ a little.
const clockAhead = time.Hour

// clockPart holds the clock against the times that this machine wrote down before: it cannot have slept in the future.
func (d *Daemon) clockPart() api.Part {
	out := api.Part{Name: "clock", State: api.HealthOK, Health: api.HealthOK}
	now, newest := d.p.Now(), int64(0)
	for _, r := range d.ownRuns() {
		newest = max(newest, r.Ended)
	}
	if last := time.Unix(newest, 0); last.Sub(now) > clockAhead {
		out.Health = api.HealthDegraded
		out.Failure = fmt.Sprintf("this machine slept on %s and its clock says %s: one of the two was wrong; set the clock if it is now",
			last.In(now.Location()).Format("2006-01-02 15:04"), now.Format("2006-01-02 15:04"))
	}
	return out
}

// judged gives each part its health, where it has none.
func judged(parts []api.Part) []api.Part {
	for i, p := range parts {
		switch {
		case p.Health != "":
		case p.State == api.HealthOff:
			parts[i].Health = api.HealthOff
		case p.State == "amber":
			parts[i].Health = api.HealthFailed
		case p.Failed > 0:
			parts[i].Health = api.HealthDegraded
		default:
			parts[i].Health = api.HealthOK
		}
	}
	return parts
}

// healthOf is the whole by its parts.
func healthOf(parts []api.Part) string {
	whole := api.HealthOK
	for _, p := range parts {
		switch p.Health {
		case api.HealthFailed:
			return api.HealthAmber
		case api.HealthDegraded:
			whole = api.HealthDegraded
		}
	}
	return whole
}
