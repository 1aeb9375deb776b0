package doctor

import (
	"context"
	"errors"
	"fmt"
	"time"

	"dormouse/service/api"
)

// inTheWay is an error that says what is in the service's place, and what helps.
type inTheWay interface {
	error
	InTheWay() (text, remedy string)
}

// Service looks at the running service. status asks it; down is the error that says that none runs, and start says how one is started then.
func Service(status func(context.Context) (api.Status, error), down error, start func(context.Context) string) Check {
	return Check{Name: "service", Look: func(ctx context.Context) []Finding {
		s, err := status(ctx)
		var way inTheWay
		if errors.As(err, &way) {
			text, remedy := way.InTheWay()
			return []Finding{failed(remedy, "it cannot be asked: %s", text)}
		}
		if errors.Is(err, down) {
			return []Finding{warned(start(ctx), "the service is not running: nothing is captured")}
		}
		if err != nil {
			return []Finding{failed("dormouse service logs says more; dormouse stop, then dormouse up", "%v", err)}
		}
		out := []Finding{fine("it runs as process %d", s.PID)}
		for _, p := range s.Parts {
			if p.State == "amber" || p.Health == api.HealthDegraded {
				out = append(out, warned("dormouse status says more", "%s %s: %s", p.Name, trouble(p), p.Failure))
			}
		}
		if v := s.Vectors; v.Failure != "" {
			out = append(out, warned("see [embed] in config.toml and whether its endpoint answers; dormouse status says more",
				"%d documents wait for their vectors and are found by their words alone: %s", v.Waiting+v.NextWaiting, v.Failure))
		}
		for _, problem := range s.Problems {
			out = append(out, Finding{State: Warn, Text: problem})
		}
		return out
	}}
}

// trouble is how long a part is in trouble, and when it worked last.
func trouble(p api.Part) string {
	text := "is degraded"
	switch {
	case p.Failed == 1:
		text = "has failed once"
	case p.Failed > 1:
		text = fmt.Sprintf("has failed %d times in a row", p.Failed)
	case p.State == "amber":
		text = "is in trouble"
	}
	if p.LastOK > 0 {
		text += ", and worked last on " + time.Unix(p.LastOK, 0).Format("2006-01-02 15:04")
	}
	return text
}
