package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// addStandard adds Go's standard library, of the version that runs.
func addStandard(c *corpus, o corpusOptions) error {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return fmt.Errorf("go env GOROOT: %w", err)
	}
	root := strings.TrimSpace(string(out))
	name, reason := licenceOf(root)
	if name == "" {
		return fmt.Errorf("%s: %s", root, reason)
	}
	pairs, err := goPairs(filepath.Join(root, "src"), "standard")
	if err != nil {
		return err
	}
	c.take(source{name: "Go's standard library and commands", version: runtime.Version(), licence: name}, pairs, 0)
	return nil
}

// addModules adds the Go modules that the module in the working folder is built of.
func addModules(c *corpus, o corpusOptions) error {
	list := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}", "./...")
	list.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=1") // the same modules wherever it runs
	out, err := list.Output()
	if err != nil {
		return fmt.Errorf("go list -deps ./...: %w", err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	slices.Sort(lines)
	for _, line := range slices.Compact(lines) {
		f := strings.SplitN(line, " ", 3)
		if len(f) < 3 || f[2] == "" {
			continue
		}
		s := source{name: f[0], version: f[1]}
		var reason string
		if s.licence, reason = licenceOf(f[2]); s.licence == "" {
			s.licence = reason
			c.left = append(c.left, s)
			continue
		}
		code, err := goPairs(f[2], "module")
		if err != nil {
			return fmt.Errorf("%s: %w", f[0], err)
		}
		texts, err := markdownPairs(f[2], "module")
		if err != nil {
			return fmt.Errorf("%s: %w", f[0], err)
		}
		c.take(s, append(code, texts...), o.most)
	}
	return nil
}
