package gitrepo

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"dormouse/store/gitrepo/sshtest"
)

// httpGit serves the repositories in a folder by git's own http server, to those who give the token; an empty one lets everybody read.
func httpGit(t *testing.T, root string, token *atomic.Value) string {
	t.Helper()
	out, err := exec.Command("git", "--exec-path").Output()
	backend := filepath.Join(strings.TrimSpace(string(out)), "git-http-backend")
	if _, statErr := os.Stat(backend); err != nil || statErr != nil {
		t.Skip("git has no http-backend here")
	}
	h := &cgi.Handler{Path: backend, Env: []string{"GIT_PROJECT_ROOT=" + root, "GIT_HTTP_EXPORT_ALL=1", "REMOTE_USER=me"}}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, got, _ := r.BasicAuth(); token.Load() != "" && got != token.Load() {
			w.Header().Set("WWW-Authenticate", `Basic realm="git"`)
			http.Error(w, "no", http.StatusUnauthorized)
			return
		}
		h.ServeHTTP(w, r)
	}))
	t.Cleanup(srv.Close)
	return srv.URL
}

func TestTokenOpensAWebServerAndAnExpiredOneIsSaid(t *testing.T) {
	root := t.TempDir()
	bareIn(t, filepath.Join(root, "memory.git"))
	var token atomic.Value
	token.Store("first-token")
	url := httpGit(t, root, &token) + "/memory.git"
	for _, how := range []string{"git command", "go-git"} {
		t.Run(how, func(t *testing.T) {
			r := newRepo(t)
			tip := commitOf(t, r, "log/aa/1", how)
			p := r.Peer(url)
			if how == "go-git" {
				p.git = ""
			}
			if _, err := p.Head(t.Context()); !errors.Is(err, ErrLogin) || !strings.Contains(err.Error(), "dormouse sync login") {
				t.Errorf("without a token: %v", err)
			}
			p.SetToken("x-access-token", "first-token")
			old, err := p.Head(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if old.IsZero() {
				err = p.Push(t.Context(), tip)
			} else if err = p.Fetch(t.Context(), old); err == nil {
				err = p.Replace(t.Context(), old, tip)
			}
			if err != nil {
				t.Fatal(err)
			}
			if got, err := p.Head(t.Context()); err != nil || got != tip {
				t.Errorf("%v %v", got, err)
			}
			token.Store("second-token")
			defer token.Store("first-token")
			_, err = p.Head(t.Context())
			if !errors.Is(err, ErrLogin) || strings.Contains(err.Error(), "first-token") {
				t.Errorf("with an expired token: %v", err)
			}
			if raw, _ := os.ReadFile(filepath.Join(r.git, "config")); strings.Contains(string(raw), "token") {
				t.Error("the token lies in git's settings")
			}
		})
	}
}

func TestWhetherAnyoneCanReadIsAskedWithoutALogin(t *testing.T) {
	root := t.TempDir()
	bareIn(t, filepath.Join(root, "memory.git"))
	var token atomic.Value
	token.Store("")
	url := httpGit(t, root, &token) + "/memory.git"
	home := t.TempDir() // the person's own login must not be taken for everybody's
	t.Setenv("HOME", home)
	host := strings.TrimPrefix(strings.TrimSuffix(url, "/memory.git"), "http://")
	bare, _, _ := strings.Cut(host, ":")
	if err := os.WriteFile(filepath.Join(home, ".netrc"), []byte("machine "+bare+" login me password closed\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if open, err := Anyone(t.Context(), url); err != nil || !open {
		t.Errorf("an open repository: %v %v", open, err)
	}
	token.Store("closed")
	if open, err := Anyone(t.Context(), url); err != nil || open {
		t.Errorf("a closed one: %v %v", open, err)
	}
	if open, err := Anyone(t.Context(), strings.Replace(url, "memory.git", "none.git", 1)); err != nil || open {
		t.Errorf("none: %v %v", open, err)
	}
	if _, err := Anyone(t.Context(), "http://127.0.0.1:1/m.git"); err == nil {
		t.Error("a host that is not there is known")
	}
}

// bareIn makes an empty bare repository that may be pushed to by http.
func bareIn(t *testing.T, dir string) {
	t.Helper()
	stock(t, t.TempDir(), "init", "-q", "--bare", "-b", "main", dir)
	stock(t, dir, "config", "http.receivepack", "true")
}

// sshGit runs a real sshd and puts an ssh on the path that it lets in, whose known_hosts begins empty.
func sshGit(t *testing.T) (s *sshtest.Server, known string) {
	t.Helper()
	s = sshtest.Start(t, "Welcome.\nThis host talks a lot.\n")
	c := s.Client(t, true)
	bin := filepath.Join(t.TempDir(), "bin")
	if err := os.Mkdir(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(bin, "ssh"), "#!/bin/sh\nexec "+c.Command+" \"$@\"\n")
	if err := os.Chmod(filepath.Join(bin, "ssh"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("SSH_AUTH_SOCK", "")
	return s, c.Known
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestNewSSHHostIsShownTrustedOnceAndNeverByAnotherKey(t *testing.T) {
	s, known := sshGit(t)
	dir := filepath.Join(t.TempDir(), "memory.git")
	bareIn(t, dir)
	r := newRepo(t)
	tip := commitOf(t, r, "log/aa/1", "over ssh")
	p := r.Peer(s.URL(dir))
	_, err := p.Head(t.Context())
	if !errors.Is(err, ErrUnknownHost) {
		t.Fatalf("a host that was never met: %v", err)
	}
	key, err := p.HostKey(t.Context())
	if err != nil || !strings.HasPrefix(key.Fingerprint, "SHA256:") || key.Type != "ssh-ed25519" || key.Host != fmt.Sprintf("[127.0.0.1]:%d", s.Port) {
		t.Fatalf("%+v %v", key, err)
	}
	if _, err := os.Stat(known); err == nil {
		t.Error("asking for the key has trusted it")
	}
	if err := p.Trust(t.Context(), "SHA256:another"); err == nil || !strings.Contains(err.Error(), "not trusted") {
		t.Errorf("another key: %v", err)
	}
	if _, err := p.Head(t.Context()); !errors.Is(err, ErrUnknownHost) {
		t.Errorf("it is known all the same: %v", err)
	}
	write(t, known, "# mine, without an end of line")
	if err := p.Trust(t.Context(), key.Fingerprint); err != nil {
		t.Fatal(err)
	}
	if raw, _ := os.ReadFile(known); !strings.HasPrefix(string(raw), "# mine, without an end of line\n[127.0.0.1]") {
		t.Errorf("known_hosts is now\n%s", raw)
	}
	if err := p.Push(t.Context(), tip); err != nil {
		t.Fatal(err)
	}
	if got, err := p.Head(t.Context()); err != nil || got != tip {
		t.Errorf("%v %v", got, err)
	}
	write(t, known, fmt.Sprintf("[127.0.0.1]:%d %s", s.Port, s.Client(t, false).Public(t)))
	if _, err := p.Head(t.Context()); err == nil || errors.Is(err, ErrUnknownHost) || !strings.Contains(err.Error(), "another key") {
		t.Errorf("a host with another key than it had: %v", err)
	}
}

func TestFolderThatIsNotThereIsOfflineAndNoFailure(t *testing.T) {
	for _, scheme := range []string{"", "file://"} {
		_, err := newRepo(t).Peer(scheme + filepath.ToSlash(filepath.Join(t.TempDir(), "stick", "memory.git"))).Head(t.Context())
		if !errors.Is(err, ErrOffline) || !strings.Contains(err.Error(), "plug in") || !strings.Contains(err.Error(), "git init --bare") {
			t.Errorf("%q: %v", scheme, err)
		}
	}
	if _, err := newRepo(t).Peer("http://127.0.0.1:1/m.git").Head(t.Context()); !errors.Is(err, ErrOffline) {
		t.Errorf("a host that is not there: %v", err)
	}
}

func TestStickThatIsPulledOutInTheMiddleIsOffline(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "memory.git")
	bareIn(t, folder)
	r := newRepo(t)
	p := r.Peer(folder)
	if err := os.Rename(folder, folder+".away"); err != nil {
		t.Fatal(err)
	}
	if err := p.Push(t.Context(), commitOf(t, r, "log/aa/1", "one")); !errors.Is(err, ErrOffline) || !strings.Contains(err.Error(), "plug in") {
		t.Errorf("%v", err)
	}
}

// TestCaseY5GoGitKnowsAHostByOneOfItsKeysAlone reaches a real sshd without the git command: the person's known_hosts has the Ed25519 key alone, and
// the host offers another one first.
func TestCaseY5GoGitKnowsAHostByOneOfItsKeysAlone(t *testing.T) {
	s := sshtest.Start(t, "Welcome.\n")
	c := s.Client(t, true)
	s.Meet(t, c)
	t.Setenv("SSH_AUTH_SOCK", c.Agent(t))
	t.Setenv("SSH_KNOWN_HOSTS", c.Known)
	dir := filepath.Join(t.TempDir(), "memory.git")
	bareIn(t, dir)
	r := newRepo(t)
	tip := commitOf(t, r, "log/aa/1", "without git")
	p := r.Peer(s.URL(dir))
	p.git = ""
	if err := p.Push(t.Context(), tip); err != nil {
		t.Fatal(err)
	}
	if got, err := p.Head(t.Context()); err != nil || got != tip {
		t.Errorf("%v %v", got, err)
	}
	write(t, c.Known, "")
	if _, err := p.Head(t.Context()); !errors.Is(err, ErrUnknownHost) {
		t.Errorf("a host that was never met: %v", err)
	}
}
