package doctor

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
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
		out := nameless(h, dirs)
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

// nameless are the folders among the sessions that have no meta.json that can be read.
func nameless(h home.Home, dirs []string) (out []Finding) {
	entries, _ := os.ReadDir(h.Sessions()) // Folders has told of it
	for _, e := range entries {
		dir := filepath.Join(h.Sessions(), e.Name())
		if !e.IsDir() || strings.HasPrefix(e.Name(), ".") || slices.Contains(dirs, dir) {
			continue
		}
		out = append(out, warned("the next start makes it again out of the session's transcript; where that is gone, restore it from a backup",
			"%s has no meta.json that can be read, so the session is not shown", dir))
	}
	return out
}
