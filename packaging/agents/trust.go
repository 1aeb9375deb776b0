package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"
)

// trustCodex does what a person does who trusts all hooks: it asks Codex for them and their sums, and writes those into its settings.
func trustCodex(w *world) error {
	ctx, cancel := context.WithTimeout(context.Background(), agentTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(w.agents, "codex"), "app-server")
	cmd.Dir, cmd.Env = w.home, w.env()
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	config, err := trusted(in, bufio.NewReader(out), w.home)
	cancel()
	_ = cmd.Wait() // it was ended
	if err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(w.home, ".codex", "config.toml"), os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(config)
	return errors.Join(err, f.Close())
}

// trusted is what Codex writes into its settings for the hooks that it tells of.
func trusted(in io.Writer, out *bufio.Reader, dir string) (string, error) {
	for i, call := range []string{`"initialize","params":{"clientInfo":{"name":"dormouse-agents","version":"1"}}`, fmt.Sprintf(`"hooks/list","params":{"cwds":[%q]}`, dir)} {
		if _, err := fmt.Fprintf(in, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":%s}\n", i, call); err != nil {
			return "", err
		}
		for {
			line, err := out.ReadString('\n')
			if err != nil {
				return "", fmt.Errorf("codex does not tell of its hooks: %w", err)
			}
			answer := gjson.Parse(line)
			if id := answer.Get("id"); !id.Exists() || id.Int() != int64(i) {
				continue
			}
			if i == 0 {
				break
			}
			var b strings.Builder
			for _, h := range answer.Get("result.data.0.hooks").Array() {
				fmt.Fprintf(&b, "[hooks.state.%q]\ntrusted_hash = %q\n", h.Get("key").String(), h.Get("currentHash").String())
			}
			if b.Len() == 0 {
				return "", fmt.Errorf("codex knows of no hooks: %s", line)
			}
			return b.String(), nil
		}
	}
	return "", nil
}
