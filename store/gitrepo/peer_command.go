package gitrepo

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// unattended are settings that keep the git command from doing more than it is asked: no upkeep, no hooks of the person's
// own, no submodules, no signatures, and everything on the disk before a ref may name it.
var unattended = []string{"gc.auto=0", "maintenance.auto=false", "core.hooksPath=" + os.DevNull, "core.fsync=committed,loose-object",
	"fetch.recurseSubmodules=false", "push.recurseSubmodules=no", "push.followTags=false", "push.gpgSign=false",
	"protocol.ext.allow=never", "http.lowSpeedLimit=1", "http.lowSpeedTime=60"}

// sshCommand asks nothing, and gives up on a host that does not answer.
const sshCommand = "ssh -o BatchMode=yes -o ConnectTimeout=20 -o ServerAliveInterval=15 -o ServerAliveCountMax=4"

// endTime is how long what a git command has started may hold on after it was told to end.
const endTime = 5 * time.Second

// command runs the git command on our repository and returns what it prints, also beside an error.
func (p *Peer) command(ctx context.Context, args ...string) (string, error) {
	all := []string{"--git-dir=" + p.repo.git}
	for _, s := range unattended {
		all = append(all, "-c", s)
	}
	cmd := exec.CommandContext(ctx, p.git, append(all, args...)...)
	cmd.Dir = p.repo.dir
	cmd.Env = append(commandEnv(), "GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "SSH_ASKPASS=", "SSH_ASKPASS_REQUIRE=never", "LC_ALL=C")
	if p.overSSH() && os.Getenv("GIT_SSH_COMMAND") == "" && os.Getenv("GIT_SSH") == "" && !p.hasOwnSSH(ctx) {
		cmd.Env = append(cmd.Env, "GIT_SSH_COMMAND="+sshCommand)
	}
	cmd.Env = append(cmd.Env, p.tokenEnv()...)
	cmd.WaitDelay = endTime
	detach(cmd)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if err == nil {
		return stdout.String(), nil
	}
	var exit *exec.ExitError
	if said := strings.TrimSpace(stderr.String()); errors.As(err, &exit) && said != "" {
		err = errors.New(said)
	}
	return stdout.String(), err
}

// overSSH reports whether the peer may be reached by ssh. An address that is none and no folder may be rewritten to one by
// git's settings, so only folders and file:// are not.
func (p *Peer) overSSH() bool { return !filepath.IsAbs(p.url) && !strings.HasPrefix(p.url, "file:") }

// hasOwnSSH reports whether the person has set another ssh command in git's settings.
func (p *Peer) hasOwnSSH(ctx context.Context) bool {
	cmd := exec.CommandContext(ctx, p.git, "--git-dir="+p.repo.git, "config", "--get", "core.sshCommand")
	cmd.Env = commandEnv()
	detach(cmd)
	out, err := cmd.Output()
	return err == nil && len(bytes.TrimSpace(out)) > 0
}

// commandEnv is the environment without the variables by which a calling git hook points elsewhere.
func commandEnv() []string {
	var out []string
	for _, kv := range os.Environ() {
		switch name, _, _ := strings.Cut(kv, "="); name {
		case "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES",
			"GIT_NAMESPACE", "GIT_QUARANTINE_PATH":
		default:
			out = append(out, kv)
		}
	}
	return out
}

func (p *Peer) headCommand(ctx context.Context) (OID, error) {
	out, err := p.command(ctx, "ls-remote", "--", p.url, MainBranch)
	if err != nil {
		return OID{}, err
	}
	return tipIn(out)
}

// tipIn finds the main branch in what git ls-remote prints: lines "<oid>\t<ref>".
func tipIn(out string) (OID, error) {
	for line := range strings.Lines(out) {
		if oid, ref, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok && ref == MainBranch {
			return ParseOID(oid)
		}
	}
	return OID{}, nil
}

func (p *Peer) fetchCommand(ctx context.Context) error {
	_, err := p.command(ctx, "fetch", "--quiet", "--no-tags", "--", p.url, MainBranch)
	return err
}

func (p *Peer) pushCommand(ctx context.Context, commit OID) error {
	return p.sendCommand(ctx, "--", p.url, commit.String()+":"+MainBranch)
}

func (p *Peer) replaceCommand(ctx context.Context, old, commit OID) error {
	return p.sendCommand(ctx, "--force-with-lease="+MainBranch+":"+old.String(), "--", p.url, commit.String()+":"+MainBranch)
}

func (p *Peer) sendCommand(ctx context.Context, args ...string) error {
	out, err := p.command(ctx, append([]string{"push", "--porcelain", "--no-verify"}, args...)...)
	if why, rejected := rejection(out); rejected {
		return pushError(why, err)
	}
	return err
}

// rejection finds in the report of git push --porcelain why the branch was not moved: a line
// "!\t<from>:<to>\t[rejected] (<why>)".
func rejection(out string) (why string, rejected bool) {
	for line := range strings.Lines(out) {
		flag, rest, ok := strings.Cut(strings.TrimRight(line, "\r\n"), "\t")
		if !ok || flag != "!" {
			continue
		}
		_, summary, _ := strings.Cut(rest, "\t")
		return cmp.Or(summary, rest), true
	}
	return "", false
}

// lost are the words by which git, servers and go-git say that a branch was moved meanwhile.
var lost = []string{"non-fast-forward", "fetch first", "stale info", "failed to update ref", "cannot lock ref", "failed to lock",
	"unable to lock", "reference already exists", "incorrect old value", "required to be"}

// pushError tells a race from a refusal. A refusal carries what the server said beside it.
func pushError(why string, said error) error {
	for _, w := range lost {
		if strings.Contains(why, w) {
			return fmt.Errorf("%w: %s", ErrRace, why)
		}
	}
	if said == nil {
		return fmt.Errorf("%w: %s", ErrRefused, why)
	}
	return fmt.Errorf("%w: %s: %w", ErrRefused, why, said)
}
