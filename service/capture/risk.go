package capture

import (
	"os"
	"time"

	"dormouse/service/capture/document"
)

// soon is how long before the agent's own clean-up a transcript that is not captured counts as at risk.
const soon = 7 * 24 * time.Hour

// Risk is what an agent's own clean-up is about to delete before it was captured.
type Risk struct {
	Kept  time.Duration // how long the agent keeps what is not written any more; 0 where it deletes nothing by itself
	Files int           // transcripts that are not captured, or not to their end, and will be deleted within seven days
	Bytes int64         // in them that were not captured
	Next  time.Time     // when the first of all that are not captured may be deleted; zero where there is none
}

// kept is how long an agent keeps its transcripts, by its settings, which are read.
func (e *Engine) kept(a *Adapter) time.Duration {
	if a.Retention == nil || a.ImportOnly {
		return 0
	}
	home := e.o.Home
	if home == "" {
		home, _ = os.UserHomeDir() // without one there are only the folders that the environment names
	}
	return a.Retention(e.o.Env, home, document.Small)
}

// risk tells what of an agent is at risk, from the newest walk. Callers hold e.mu.
func (e *Engine) risk(a *Adapter, kept time.Duration) Risk {
	r := Risk{Kept: kept}
	if kept == 0 {
		return r
	}
	now := e.o.Now()
	for path := range e.found {
		if f := e.files[path]; f != nil && f.agent == a.Name && f.changed() {
			left := f.stat.size
			if f.known {
				left -= min(left, f.cursor.compared())
			}
			r.add(now, f.stat, left)
		}
	}
	for _, s := range e.shelves {
		if s.agent != a.Name {
			continue
		}
		if s.load(e); s.cursor.Signature == signature(s.files) {
			continue
		}
		for _, st := range s.files {
			r.add(now, st, st.size)
		}
	}
	return r
}

// add takes a file that is not captured; left are the bytes of it that are not. One that holds nothing new is at no risk.
func (r *Risk) add(now time.Time, st stat, left int64) {
	if left <= 0 {
		return
	}
	end := time.Unix(0, st.mtime).Add(r.Kept)
	if r.Next.IsZero() || end.Before(r.Next) {
		r.Next = end
	}
	if end.Sub(now) <= soon {
		r.Files++
		r.Bytes += left
	}
}
