package daemon

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"dormouse/service/api"
	"dormouse/service/sleep"
	"dormouse/store/home"
	"dormouse/store/memory"
)

// nightsFile keeps the reports of the nights in the state folder: a report has to outlive what it tells of.
const nightsFile = "sleep.json"

// maxNights is how many reports are kept.
const maxNights = 400

// nights are the reports of the whole sleeps, the newest last. An unfinished one says where to go on, so that a sleep that has paused
// and one that was killed go on in the same way.
type nights struct {
	file string

	mu   sync.Mutex
	kept nightsKept
}

type nightsKept struct {
	// Since is when the first service on this state folder began: before it no night was missed.
	Since int64 `json:"since"`
	// Wanted is when it was first seen that a night is due, until one has ended; 0 where none is.
	Wanted int64       `json:"wanted"`
	Nights []api.Night `json:"nights"`
}

// openNights reads the reports. Those that cannot be read are put aside; the problem is for the person to see.
func openNights(h home.Home, now time.Time) (n *nights, problem string) {
	n = &nights{file: filepath.Join(h.Dir(), nightsFile)}
	b, err := os.ReadFile(n.file)
	if err == nil {
		err = json.Unmarshal(b, &n.kept)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		aside := n.file + ".damaged"
		problem = fmt.Sprintf("the reports of the nights in %s cannot be read: %v; they are kept as %s, and new ones begin", n.file, err, aside)
		if err := os.Rename(n.file, aside); err != nil {
			problem += fmt.Sprintf(" (%v)", err)
		}
		n.kept = nightsKept{}
	}
	if since := n.kept.Since; since == 0 || since > now.Unix() {
		n.kept.Since = now.Unix()
	}
	return n, problem
}

// save writes the reports; mu is held.
func (n *nights) save() error {
	if more := len(n.kept.Nights) - maxNights; more > 0 {
		n.kept.Nights = slices.Delete(n.kept.Nights, 0, more)
	}
	b, err := json.Marshal(n.kept)
	if err != nil {
		return err
	}
	if err := home.WriteFile(n.file, append(b, '\n')); err != nil {
		return fmt.Errorf("keep the report of the night: %w", err)
	}
	return nil
}

// list gives the newest reports, the newest first.
func (n *nights) list(limit int) []api.Night {
	n.mu.Lock()
	defer n.mu.Unlock()
	out := []api.Night{}
	for _, x := range slices.Backward(n.kept.Nights) {
		if len(out) == limit {
			break
		}
		out = append(out, copyNight(x))
	}
	return out
}

// begin gives the report of the night that is due at the given moment: the unfinished one, or a new one. What an older one has left
// undone is the new one's.
func (n *nights) begin(kind, why string, due, now time.Time) (api.Night, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	at := int64(0)
	if !due.IsZero() {
		at = due.Unix()
	}
	for i := range n.kept.Nights {
		x := &n.kept.Nights[i]
		if x.Ended != 0 || at == 0 && x.Due != 0 { // one that was asked for leaves the night to go on
			continue
		}
		goOn(x, now)
		if at != 0 && x.Due == at {
			return copyNight(*x), n.save()
		}
		x.Ended, x.Cut = now.Unix(), true
	}
	x := api.Night{ID: fmt.Sprintf("night_%d_%d", now.Unix(), len(n.kept.Nights)), Kind: kind, Why: why, Due: at, Began: now.Unix(), Pauses: []api.NightPause{},
		Stages: []api.NightStage{}, Waits: []string{}}
	n.kept.Nights = append(n.kept.Nights, x)
	return copyNight(x), n.save()
}

// goOn ends the pause that a night is in; one that was killed has noted none.
func goOn(x *api.Night, now time.Time) {
	if i := len(x.Pauses) - 1; i >= 0 && x.Pauses[i].Until == 0 {
		x.Pauses[i].Until = now.Unix()
	}
}

// keep puts a report in the place of what is known of its night.
func (n *nights) keep(x api.Night) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	for i := range n.kept.Nights {
		if n.kept.Nights[i].ID == x.ID {
			n.kept.Nights[i] = copyNight(x)
		}
	}
	if x.Ended != 0 && x.Due != 0 {
		n.kept.Wanted = 0
	}
	return n.save()
}

func copyNight(x api.Night) api.Night {
	x.Pauses, x.Stages, x.Waits = slices.Clone(x.Pauses), slices.Clone(x.Stages), slices.Clone(x.Waits)
	return x
}

// wanted is when it was first seen that a night is due, which is now where that is not known.
func (n *nights) wanted(due bool, now time.Time) (time.Time, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	at := n.kept.Wanted
	switch {
	case !due:
		at = 0
	case at == 0 || at > now.Unix():
		at = now.Unix()
	}
	if at == n.kept.Wanted {
		return unix(at), nil
	}
	n.kept.Wanted = at
	return unix(at), n.save()
}

func unix(at int64) time.Time {
	if at == 0 {
		return time.Time{}
	}
	return time.Unix(at, 0)
}

// slept is the night that was slept last, by the moment at which it was due. Reports from the future, which a clock that was wrong has
// left, do not count: they must not keep the service from sleeping until then. Where no report says, runs do, those of a night
// that has not ended left out.
func (n *nights) slept(runs []memory.Run, now time.Time, set sleep.Settings) time.Time {
	n.mu.Lock()
	defer n.mu.Unlock()
	soon := now.Add(time.Hour).Unix()
	open := map[int64]bool{}
	for _, x := range slices.Backward(n.kept.Nights) {
		switch {
		case x.Due == 0 || x.Due > soon || x.Ended > soon:
		case x.Ended == 0 || x.Cut:
			open[x.Began] = true
		default:
			return time.Unix(x.Due, 0)
		}
	}
	runs = slices.DeleteFunc(slices.Clone(runs), func(r memory.Run) bool {
		return r.Kind != string(sleep.Deep) || r.Ended > soon || open[r.Started]
	})
	return sleep.LastNight(sleep.LastDeep(runs, time.Unix(n.kept.Since, 0)), set)
}

// last is the newest report; nil where there is none.
func (n *nights) last() *api.Night {
	if l := n.list(1); len(l) > 0 {
		return &l[0]
	}
	return nil
}
