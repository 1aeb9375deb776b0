package daemon

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"dormouse/service/capture"
	"dormouse/service/config"
)

// errFound ends a walk early.
var errFound = errors.New("found")

// Agents lists the agents that Dormouse can read, with the folders where it looks for their transcripts.
func Agents(cfg config.Config, env func(string) string) (map[string][]string, error) {
	table, err := chosen(capture.Table(), cfg.Capture.Agents)
	if err != nil {
		return nil, err
	}
	user, _ := os.UserHomeDir() // without one there are only the folders that the settings and the environment name
	out := map[string][]string{}
	for _, a := range table {
		if roots, ok := cfg.Capture.Roots[a.Name]; ok {
			out[a.Name] = roots
			continue
		}
		out[a.Name] = a.Roots(env, user)
	}
	return out, nil
}

// HasTranscripts reports whether there is anything to capture on this machine. Folders that can't be read count as empty.
func HasTranscripts(cfg config.Config, env func(string) string) (bool, error) {
	agents, err := Agents(cfg, env)
	if err != nil {
		return false, err
	}
	for _, a := range capture.Table() {
		for _, root := range agents[a.Name] {
			if hasMatch(root, a.Match) {
				return true, nil
			}
		}
	}
	return false, nil
}

func hasMatch(root string, match func(string) bool) bool {
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return nil //nolint:nilerr // a folder that can't be read holds nothing for us
		}
		if e.Type().IsRegular() && match(path) {
			return errFound
		}
		return nil
	})
	return errors.Is(err, errFound)
}
