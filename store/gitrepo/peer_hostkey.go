package gitrepo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/crypto/ssh"

	"dormouse/store/disk"
)

// HostKey is the key by which an ssh host shows who it is.
type HostKey struct {
	Host        string // as known_hosts names it
	Type        string // ssh-ed25519 ...
	Fingerprint string // SHA256:..., as ssh shows it
	line        string // of known_hosts
}

// HostKey asks a peer's host for its key. Nothing is trusted by that, and nothing of the person's is changed. It takes the ssh command,
// which knows aliases and jump hosts; a host behind a jump host that is itself unknown gives an error.
func (p *Peer) HostKey(ctx context.Context) (HostKey, error) {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	if p.git == "" || p.hasOwnSSH(ctx) || os.Getenv("GIT_SSH_COMMAND") != "" || os.Getenv("GIT_SSH") != "" {
		return HostKey{}, errors.New("the host's key cannot be asked for: git uses an ssh command of your own")
	}
	dir, err := os.MkdirTemp("", "dormouse-host-*")
	if err != nil {
		return HostKey{}, err
	}
	defer disk.RemoveAll(dir) //nolint:errcheck // a public key
	found := filepath.Join(dir, "known_hosts")
	cmd := exec.CommandContext(ctx, p.git, "--git-dir="+p.repo.git, "ls-remote", "--", p.url, MainBranch)
	cmd.Env = append(commandEnv(), "GIT_TERMINAL_PROMPT=0", "SSH_ASKPASS_REQUIRE=never", "LC_ALL=C", "GIT_SSH_COMMAND="+sshCommand+
		" -o StrictHostKeyChecking=accept-new -o HashKnownHosts=no -o UpdateHostKeys=no -o GlobalKnownHostsFile="+os.DevNull+" -o UserKnownHostsFile='"+filepath.ToSlash(found)+"'")
	cmd.WaitDelay = endTime
	detach(cmd)
	said, _ := cmd.CombinedOutput() // that we are not let in says nothing about the key
	raw, err := os.ReadFile(found)
	if err != nil {
		return HostKey{}, fmt.Errorf("ask the host of %s for its key: %s", p.url, plainly(string(said)))
	}
	return parseHostKey(raw)
}

// parseHostKey reads the last line of a known_hosts file.
func parseHostKey(raw []byte) (HostKey, error) {
	lines := bytes.Split(bytes.TrimSpace(raw), []byte("\n"))
	last := lines[len(lines)-1]
	_, hosts, key, _, _, err := ssh.ParseKnownHosts(last)
	if err != nil || len(hosts) == 0 {
		return HostKey{}, fmt.Errorf("the host's key cannot be read: %w", err)
	}
	return HostKey{Host: hosts[0], Type: key.Type(), Fingerprint: ssh.FingerprintSHA256(key), line: string(last)}, nil
}

// Trust adds the host's key to the person's known_hosts, when it is the one that the person saw: its fingerprint. The host is asked again,
// so that nobody can have another key trusted.
func (p *Peer) Trust(ctx context.Context, fingerprint string) error {
	key, err := p.HostKey(ctx)
	if err != nil {
		return err
	}
	if key.Fingerprint != strings.TrimSpace(fingerprint) {
		return fmt.Errorf("the host shows the key %s now, not %s: it is not trusted", key.Fingerprint, fingerprint)
	}
	path, err := p.knownHosts(ctx)
	if err != nil {
		return err
	}
	if err := disk.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("trust the host: %w", err)
	}
	f, err := disk.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("trust the host: %w", err)
	}
	line := key.line + "\n"
	if end := lastByte(f.File); end != '\n' && end != 0 {
		line = "\n" + line
	}
	_, err = f.WriteString(line)
	return errors.Join(err, f.Close())
}

// lastByte is the last byte of a file; 0 where it is empty.
func lastByte(f *os.File) byte {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return 0
	}
	var b [1]byte
	_, _ = f.ReadAt(b[:], info.Size()-1)
	return b[0]
}

// knownHosts is the file in which ssh looks for the keys of the peer's host and notes new ones.
func (p *Peer) knownHosts(ctx context.Context) (string, error) {
	cmd := exec.CommandContext(ctx, "ssh", "-G", "--", p.sshHost())
	cmd.WaitDelay = endTime
	detach(cmd)
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("ask ssh where it keeps the keys of hosts: %w", err)
	}
	for line := range strings.Lines(string(out)) {
		if files, ok := strings.CutPrefix(strings.TrimSpace(line), "userknownhostsfile "); ok {
			if name := strings.Fields(files); len(name) > 0 && filepath.IsAbs(name[0]) {
				return name[0], nil
			}
		}
	}
	return "", errors.New("ssh does not say where it keeps the keys of hosts: connect to the host once in a terminal")
}

// sshHost is the host of an ssh address, in either of its forms.
func (p *Peer) sshHost() string {
	if u, err := url.Parse(p.url); err == nil && u.Host != "" {
		return u.Hostname()
	}
	host, _, _ := strings.Cut(p.url, ":")
	if _, after, ok := strings.Cut(host, "@"); ok {
		host = after
	}
	return host
}
