package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// trial is one question to a real agent, and what its answer has to hold.
type trial struct {
	binary string
	args   []string
	wants  []string
}

// trials have each agent look at its plugin, where dir is the folder of the plugins.
func trials(dir string) []trial {
	return []trial{
		{"claude", []string{"plugin", "validate", dir}, []string{"Validation passed"}},
		{"claude", []string{"plugin", "validate", filepath.Join(dir, "claude-code")}, []string{"Validation passed"}},
		{"claude", []string{"plugin", "marketplace", "add", dir}, []string{"dormouse"}},
		{"claude", []string{"plugin", "install", "dormouse@dormouse"}, []string{"dormouse"}},
		{"claude", []string{"plugin", "list"}, []string{"dormouse@dormouse", "enabled"}},
		{"claude", []string{"plugin", "uninstall", "dormouse@dormouse"}, []string{"dormouse"}},
		{"codex", []string{"plugin", "marketplace", "add", dir}, []string{"dormouse"}},
		{"codex", []string{"plugin", "add", "dormouse@dormouse"}, []string{"dormouse"}},
		{"codex", []string{"mcp", "list"}, []string{"dormouse"}},
		{"gemini", []string{"extensions", "validate", filepath.Join(dir, "gemini-cli")}, []string{"success"}},
		{"gemini", []string{"extensions", "link", filepath.Join(dir, "gemini-cli"), "--consent"}, []string{"dormouse"}},
		{"gemini", []string{"extensions", "list"}, []string{"dormouse", "0.1.0"}},
		{"opencode", []string{"debug", "config"}, []string{`"mcp"`, `"dormouse"`, `"forget"`}},
	}
}

// tryAll runs the trials of the agents that are there, in a home folder of their own.
func tryAll(dir, agents string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	home, err := os.MkdirTemp("", "dormouse-plugins-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(home) //nolint:errcheck // a folder of ours
	config := filepath.Join(home, ".config", "opencode", "opencode.json")
	if err := os.MkdirAll(filepath.Dir(config), 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(config, []byte(`{"plugin": ["file://`+filepath.ToSlash(filepath.Join(dir, "opencode", "index.js"))+`"]}`), 0o600); err != nil {
		return err
	}
	failed := 0
	for _, t := range trials(dir) {
		said, err := t.run(filepath.Join(agents, "node_modules", ".bin", t.binary), home)
		if os.IsNotExist(err) {
			fmt.Printf("skipped: %s is not in %s\n", t.binary, agents)
			continue
		}
		var missing []string
		for _, want := range t.wants {
			if !strings.Contains(strings.ToLower(said), strings.ToLower(want)) {
				missing = append(missing, want)
			}
		}
		if err != nil || len(missing) > 0 {
			failed++
			fmt.Printf("FAIL %s %s: %v, it does not say %q:\n%s\n", t.binary, strings.Join(t.args, " "), err, missing, said)
			continue
		}
		fmt.Printf("ok   %s %s\n", t.binary, strings.Join(t.args, " "))
	}
	if failed > 0 {
		return fmt.Errorf("%d trials failed", failed)
	}
	return nil
}

func (t trial) run(binary, home string) (string, error) {
	if _, err := os.Stat(binary); err != nil {
		return "", err
	}
	cmd := exec.Command(binary, t.args...)
	cmd.Dir = home
	cmd.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "TERM=dumb", "GEMINI_CLI_TRUST_WORKSPACE=true"}
	cmd.Stdin = strings.NewReader("y\n")
	out, err := cmd.CombinedOutput()
	return string(out), err
}
