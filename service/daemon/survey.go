package daemon

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"dormouse/service/capture"
	"dormouse/service/capture/document"
	"dormouse/service/config"
)

// Found is what one agent has written on this machine.
type Found struct {
	Agent  string
	Files  int   // transcripts, or databases that hold them
	Bytes  int64 // in them
	Newest time.Time
	Kept   time.Duration // how long the agent keeps what is not written any more; 0 where it deletes nothing by itself
	Soon   int           // files that it may delete within SurveySoon
}

// SurveySoon is how far ahead a survey looks for what agents are about to delete.
const SurveySoon = 7 * 24 * time.Hour

// Survey looks through the folders of all agents that the settings name, and lists those that have written something, by name. It reads
// no transcript; what can't be looked at counts as not there.
func Survey(cfg config.Config, env func(string) string, now time.Time) ([]Found, error) {
	agents, err := Agents(cfg, env)
	if err != nil {
		return nil, err
	}
	user, _ := os.UserHomeDir() // without one there are only the folders that the settings and the environment name
	var out []Found
	for _, a := range capture.Table() {
		if a.ImportOnly {
			continue
		}
		f := Found{Agent: a.Name}
		if a.Retention != nil {
			f.Kept = a.Retention(env, user, document.Small)
		}
		seen := map[string]bool{}
		for _, root := range agents[a.Name] {
			f.walk(root, a.Match, seen, now)
		}
		if f.Files > 0 {
			out = append(out, f)
		}
	}
	slices.SortFunc(out, func(x, y Found) int { return strings.Compare(x.Agent, y.Agent) })
	return out, nil
}

func (f *Found) walk(root string, match func(string) bool, seen map[string]bool, now time.Time) {
	_ = filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() || seen[path] || !match(path) {
			return nil //nolint:nilerr // what can't be looked at is not there
		}
		seen[path] = true
		info, err := e.Info()
		if err != nil {
			return nil //nolint:nilerr // it went meanwhile
		}
		f.Files++
		f.Bytes += info.Size()
		if t := info.ModTime(); t.After(f.Newest) {
			f.Newest = t
		}
		if f.Kept > 0 && info.ModTime().Add(f.Kept).Sub(now) <= SurveySoon {
			f.Soon++
		}
		return nil
	})
}
