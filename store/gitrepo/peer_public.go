package gitrepo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"dormouse/store/disk"
)

// Anyone reports whether the repository at an https address can be read by somebody without a name: it is asked for its branches by the
// git command with no credentials, no settings of the person's and no questions. An error says that this cannot be known: the
// host was not reached, or there is no git command.
func Anyone(ctx context.Context, url string) (readable bool, err error) {
	program, err := exec.LookPath("git")
	if err != nil {
		return false, fmt.Errorf("see who can read %s: %w", url, err)
	}
	ctx, cancel := context.WithTimeout(ctx, askTime/2)
	defer cancel()
	nowhere, err := os.MkdirTemp("", "dormouse-anyone-*") // a home folder without .netrc and cookies
	if err != nil {
		return false, err
	}
	defer disk.RemoveAll(nowhere) //nolint:errcheck // empty
	cmd := exec.CommandContext(ctx, program, "-c", "credential.helper=", "-c", "http.lowSpeedLimit=1", "-c", "http.lowSpeedTime=15", "ls-remote", "--", url)
	cmd.Dir = nowhere
	cmd.Env = append(withoutLogin(commandEnv()), "HOME="+nowhere, "USERPROFILE="+nowhere, "XDG_CONFIG_HOME="+nowhere, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_COUNT=0", "GIT_CEILING_DIRECTORIES="+nowhere, "GIT_ALLOW_PROTOCOL=https:http", "GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "SSH_ASKPASS=", "LC_ALL=C")
	cmd.WaitDelay = endTime
	detach(cmd)
	var said bytes.Buffer
	cmd.Stderr = &said
	if err = cmd.Run(); err == nil {
		return true, nil
	}
	for _, closed := range []string{"could not read Username", "terminal prompts disabled", "Authentication failed", "not found", "error: 401", "error: 403", "error: 404"} {
		if strings.Contains(said.String(), closed) {
			return false, nil
		}
	}
	return false, fmt.Errorf("see who can read %s: %w", url, errors.New(plainly(said.String())))
}

// withoutLogin leaves out what may hold or find a login.
func withoutLogin(env []string) []string {
	var out []string
	for _, kv := range env {
		name, _, _ := strings.Cut(kv, "=")
		if name == "HOME" || name == "USERPROFILE" || name == "XDG_CONFIG_HOME" || strings.HasPrefix(name, "GIT_CONFIG") {
			continue
		}
		out = append(out, kv)
	}
	return out
}
