// Command plugins writes the plugins by which agents take Dormouse in by their own means: Claude Code, Codex, Cursor, Gemini CLI and opencode.
//
//	go run ./packaging/plugins [-out DIR] [-try DIR]
//
// Hooks come from the same table as those that "dormouse agents connect" writes, so that the two never differ. With -try the agents in a
// folder of node_modules look at their plugins themselves. What is written names no path of this machine: the programs are found on PATH, and where they
// are not, the hooks do nothing.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	out := flag.String("out", "packaging/plugins", "folder to write into")
	agents := flag.String("try", "", "folder whose node_modules has the agents, which look at what was written")
	flag.Parse()
	err := write(*out)
	if err == nil && *agents != "" {
		err = tryAll(*out, *agents)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "plugins:", err)
		os.Exit(1)
	}
}

// write puts all files where they belong.
func write(dir string) error {
	all, err := files()
	if err != nil {
		return err
	}
	for name, text := range all {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
