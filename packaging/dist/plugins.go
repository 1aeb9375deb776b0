package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// pluginFolders are what people have their agents install: a folder for each agent, and the lists by which two agents find theirs.
var pluginFolders = []string{".agents", ".claude-plugin", "claude-code", "codex", "cursor", "gemini-cli", "opencode"}

// plugins puts the agents' plugins below a folder. What makes and tests them is not among them.
func (r *release) plugins(t tree, to string) error {
	from := filepath.Join(r.root, "packaging", "plugins")
	for _, folder := range pluginFolders {
		list, err := entries(filepath.Join(from, folder))
		if err != nil {
			return err
		}
		if len(list) == 0 {
			return fmt.Errorf("%s holds no plugin", filepath.Join(from, folder))
		}
		for _, e := range list {
			if e.info.IsDir() {
				continue
			}
			if err := t.put(e.path, to+"/"+folder+"/"+e.name, 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

// stage lays the plugins out for a tool that takes a folder as it is; all files are of the commit's time.
func (r *release) stage(dir string) error {
	if err := r.plugins(tree{dir}, "."); err != nil {
		return err
	}
	list, err := entries(dir)
	for _, e := range list {
		err = first(err, os.Chtimes(e.path, r.made, r.made))
	}
	return err
}
