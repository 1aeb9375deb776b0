// Package sshtest runs a real sshd on a loopback port, for tests alone. It lets in the keys that a test has given it, knows no password, and never reads
// or changes anything outside of a temporary folder.
package sshtest

import (
	"context"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/pem"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"
)

// Server is a running sshd. Its host has an ECDSA key beside an Ed25519 one, as most have.
type Server struct {
	Port   int
	dir    string
	client string // the ssh command
}

// Client is how one machine reaches a server.
type Client struct {
	Command string // that takes the place of ssh
	Known   string // its known_hosts, which is not there at first
}

// Start runs a server until the test ends, that greets whoever comes with a banner. A test is skipped where there is no sshd, unless CI is set.
func Start(t testing.TB, banner string) *Server {
	t.Helper()
	sshd, err := exec.LookPath("sshd")
	if err != nil {
		sshd = "/usr/sbin/sshd"
	}
	client, clientErr := exec.LookPath("ssh")
	if _, err := os.Stat(sshd); err != nil || clientErr != nil {
		missing(t, "there is no sshd, or no ssh")
	}
	s := &Server{dir: t.TempDir(), client: client}
	s.key(t, "host", ed25519Key)
	s.key(t, "host-ecdsa", ecdsaKey)
	s.write(t, "authorized", "")
	s.write(t, "banner", banner)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.Port = ln.Addr().(*net.TCPAddr).Port
	_ = ln.Close()
	s.write(t, "sshd_config", fmt.Sprintf("Port %d\nListenAddress 127.0.0.1\nHostKey %[2]s/host-ecdsa\nHostKey %[2]s/host\nAuthorizedKeysFile %[2]s/authorized\nBanner %[2]s/banner\n"+
		"StrictModes no\nUseDNS no\nUsePAM no\nPidFile none\nPasswordAuthentication no\nPermitRootLogin yes\nMaxStartups 100\n", s.Port, s.dir))
	_ = os.MkdirAll("/run/sshd", 0o755) // Debian's sshd insists on it
	ctx, stop := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, sshd, "-D", "-e", "-f", filepath.Join(s.dir, "sshd_config"))
	said, err := os.Create(filepath.Join(s.dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = said
	if err := cmd.Start(); err != nil {
		missing(t, fmt.Sprint("sshd does not start: ", err))
	}
	ended := make(chan struct{})
	go func() { _ = cmd.Wait(); close(ended) }()
	t.Cleanup(func() { stop(); <-ended; _ = said.Close() })
	for {
		if c, err := net.Dial("tcp", ln.Addr().String()); err == nil {
			_ = c.Close()
			return s
		}
		select {
		case <-ended:
			log, _ := os.ReadFile(said.Name())
			missing(t, "sshd does not run: "+string(log))
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// missing ends a test that needs a server: as passed over, or, where all tests have to be able to run, as failed.
func missing(t testing.TB, why string) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatal(why)
	}
	t.Skip(why)
}

// URL is the address of a repository's folder on the server.
func (s *Server) URL(dir string) string { return fmt.Sprintf("ssh://127.0.0.1:%d%s", s.Port, dir) }

// Client makes a client with a key of its own, which the server lets in or not.
func (s *Server) Client(t testing.TB, letIn bool) Client {
	t.Helper()
	dir, err := os.MkdirTemp(s.dir, "client-")
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Base(dir)
	public := s.key(t, name+"/user", ed25519Key)
	if letIn {
		s.LetIn(t, public)
	}
	c := Client{Command: fmt.Sprintf("%s -F %s/ssh_config", s.client, dir), Known: filepath.Join(dir, "known_hosts")}
	s.write(t, name+"/ssh_config", fmt.Sprintf("Host *\nIdentityFile %[1]s/user\nIdentitiesOnly yes\nIdentityAgent none\nUserKnownHostsFile %[1]s/known_hosts\nGlobalKnownHostsFile none\nBatchMode yes\nStrictHostKeyChecking yes\n", dir))
	return c
}

// LetIn lets a key in, as ssh-keygen writes public keys.
func (s *Server) LetIn(t testing.TB, public string) {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(s.dir, "authorized"), os.O_APPEND|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.WriteString(public)
	}
	if err != nil {
		t.Fatal(err)
	}
	_ = f.Close()
}

// Public is a client's public key.
func (c Client) Public(t testing.TB) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(filepath.Dir(c.Known), "user.pub"))
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// Agent runs an ssh agent that has the client's key, until the test ends, and gives its socket.
func (c Client) Agent(t testing.TB) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(filepath.Dir(c.Known), "user"))
	if err != nil {
		t.Fatal(err)
	}
	key, err := ssh.ParseRawPrivateKey(raw)
	ring := agent.NewKeyring()
	if err == nil {
		err = ring.Add(agent.AddedKey{PrivateKey: key})
	}
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "agent") // a socket's name must be short
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("unix", filepath.Join(dir, "s"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = ln.Close(), os.RemoveAll(dir) })
	go func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			go func() { _ = agent.ServeAgent(ring, conn) }() // ends with the connection
		}
	}()
	return ln.Addr().String()
}

// Meet has a client know the server by its Ed25519 key, and by no other.
func (s *Server) Meet(t testing.TB, c Client) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(s.dir, "host.pub"))
	if err == nil {
		err = os.WriteFile(c.Known, fmt.Appendf(nil, "[127.0.0.1]:%d %s", s.Port, raw), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func (s *Server) write(t testing.TB, name, content string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(s.dir, name), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// key writes a new key pair and gives its public half.
func (s *Server) key(t testing.TB, name string, draw func() (any, any, error)) string {
	t.Helper()
	pub, priv, err := draw()
	if err != nil {
		t.Fatal(err)
	}
	block, err := ssh.MarshalPrivateKey(priv, "")
	if err != nil {
		t.Fatal(err)
	}
	public, err := ssh.NewPublicKey(pub)
	if err != nil {
		t.Fatal(err)
	}
	line := strings.TrimSpace(string(ssh.MarshalAuthorizedKey(public))) + "\n"
	s.write(t, name, string(pem.EncodeToMemory(block)))
	s.write(t, name+".pub", line)
	return line
}

func ed25519Key() (pub, priv any, err error) {
	p, k, err := ed25519.GenerateKey(nil)
	return p, k, err
}

func ecdsaKey() (pub, priv any, err error) {
	k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	return &k.PublicKey, k, nil
}
