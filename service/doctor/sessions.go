package doctor

import (
	"context"
	"time"

	"dormouse/store/home"
	"dormouse/store/session"
)

// Sessions looks at the folder of every session: whether it can be read, has all its nodes, and is held by no lock that somebody
// left. now is the clock.
func Sessions(h home.Home, now func() time.Time) Check {
	return Check{Name: "sessions", Limit: time.Hour, Look: func(ctx context.Context) []Finding {
		dirs, err := session.Folders(h.Sessions())
		if err != nil {
			return []Finding{failed("delete the file: it is made again", "%v", err)}
		}
		var out []Finding
		for i, dir := range dirs {
			if ctx.Err() != nil {
				return append(out, warned("ask again", "only %d of %d sessions were looked at", i, len(dirs)))
			}
			for _, f := range session.Examine(dir, now()) {
				if f.Broken {
					out = append(out, failed(f.Remedy, "%s", f.Text))
				} else {
					out = append(out, warned(f.Remedy, "%s", f.Text))
				}
			}
		}
		if len(out) == 0 {
			return []Finding{fine("%d sessions", len(dirs))}
		}
		return out
	}}
}
