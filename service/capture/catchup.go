package capture

import (
	"context"

	"dormouse/service/capture/transcript"
)

// CatchUp looks through all folders and reads what the agents wrote since the system told of it last. Sessions that go on are read as
// such: what no later record has closed is left for later. The error is that of ctx.
func (e *Engine) CatchUp(ctx context.Context) error {
	if err := e.walk(ctx); err != nil {
		return err
	}
	var fresh []job
	for _, j := range e.plan(nil) {
		if !j.fresh {
			continue
		}
		if j.how == transcript.Quiet {
			j.how = transcript.Growing
		}
		fresh = append(fresh, j)
	}
	if err := e.run(ctx, fresh); err != nil {
		return err
	}
	return e.readLibraries(ctx, nil, transcript.Growing)
}
