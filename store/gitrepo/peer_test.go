package gitrepo

import (
	"context"
	"errors"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// server is a real git server over HTTP on loopback with one empty repository, and its folder.
func server(t *testing.T) (url, dir string) {
	t.Helper()
	root := t.TempDir()
	dir = filepath.Join(root, "memory.git")
	stock(t, root, "init", "-q", "--bare", "-b", "main", dir)
	stock(t, dir, "config", "http.receivepack", "true")
	h := &cgi.Handler{Path: filepath.Join(stock(t, root, "--exec-path"), "git-http-backend"),
		Env: []string{"GIT_PROJECT_ROOT=" + root, "GIT_HTTP_EXPORT_ALL=1", "GIT_CONFIG_NOSYSTEM=1", "HOME=" + root}}
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	return srv.URL + "/memory.git", dir
}

// commitOf commits a file and gives the commit.
func commitOf(t *testing.T, r *Repo, path, content string) OID {
	t.Helper()
	put2(t, r, path, content)
	oid, err := r.CommitFiles([]string{path}, "add "+path, 1000)
	if err != nil {
		t.Fatal(err)
	}
	return oid
}

// transports are the two ways to reach a peer.
var transports = map[string]func(*Peer){"git command": func(*Peer) {}, "go-git": func(p *Peer) { p.git = "" }}

func TestPeerExchangesCommitsAndNeverForces(t *testing.T) {
	for name, by := range transports {
		t.Run(name, func(t *testing.T) {
			url, dir := server(t)
			ctx, a, b := t.Context(), newRepo(t), newRepo(t)
			pa, pb := a.Peer(url), b.Peer(url)
			by(pa)
			by(pb)
			if tip, err := pa.Head(ctx); err != nil || !tip.IsZero() {
				t.Fatalf("empty: %v %v", tip, err)
			}
			first := commitOf(t, a, "log/aa/1", "one\n")
			for range 2 { // the second time there is nothing to do
				if err := pa.Push(ctx, first); err != nil {
					t.Fatal(err)
				}
			}
			tip, err := pb.Head(ctx)
			if err != nil || tip != first {
				t.Fatalf("%v %v", tip, err)
			}
			if err := pb.Fetch(ctx, tip); err != nil || !b.Has(first) {
				t.Fatal(err)
			}
			if ref, err := b.Ref(MainBranch); err != nil || !ref.IsZero() {
				t.Errorf("a fetch moved a branch of ours: %v %v", ref, err)
			}
			if err := b.Advance(OID{}, first); err != nil {
				t.Fatal(err)
			}
			second := commitOf(t, a, "log/aa/1", "one\ntwo\n")
			if err := pa.Push(ctx, second); err != nil {
				t.Fatal(err)
			}
			other := commitOf(t, b, "log/bb/1", "three\n")
			if err := pb.Push(ctx, other); !errors.Is(err, ErrRace) {
				t.Errorf("a push that loses commits: %v", err)
			}
			if got := stock(t, dir, "rev-parse", "main"); got != second.String() {
				t.Errorf("the peer is at %s", got)
			}
			if err := pb.Fetch(ctx, Sum(Blob, []byte("nowhere"))); !errors.Is(err, ErrRace) {
				t.Errorf("a head that is gone: %v", err)
			}
			if err := os.WriteFile(filepath.Join(dir, "hooks", "pre-receive"), []byte("#!/bin/sh\necho not today >&2\nexit 1\n"), 0o700); err != nil {
				t.Fatal(err)
			}
			third := commitOf(t, a, "log/aa/1", "one\ntwo\nthree\n")
			if err := pa.Push(ctx, third); !errors.Is(err, ErrRefused) {
				t.Errorf("a push that a hook refuses: %v", err)
			}
			for _, r := range []*Repo{a, b} {
				if out := stock(t, r.dir, "fsck", "--strict", "--full", "--no-dangling"); out != "" {
					t.Errorf("git fsck says: %s", out)
				}
			}
		})
	}
}

func TestPushThatLosesAgainstTheServersLockIsARace(t *testing.T) {
	for name, by := range transports {
		url, dir := server(t)
		a := newRepo(t)
		p := a.Peer(url)
		by(p)
		if err := p.Push(t.Context(), commitOf(t, a, "x", "1")); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "refs", "heads", "main.lock"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := p.Push(t.Context(), commitOf(t, a, "x", "2")); !errors.Is(err, ErrRace) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFailuresToReachAPeerSayWhatHelpsAndHideCredentials(t *testing.T) {
	locked := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
		w.WriteHeader(http.StatusUnauthorized)
	}))
	defer locked.Close()
	for name, by := range transports {
		for url, want := range map[string]string{
			locked.URL + "/m.git":                "log in once",
			"http://127.0.0.1:1/m.git":           "offline",
			filepath.Join(t.TempDir(), "no.git"): "git init --bare",
			"http://name:secret@127.0.0.1:1/m":   "offline",
		} {
			p := newRepo(t).Peer(url)
			by(p)
			p.url = credentials.ReplaceAllString(p.url, "://") // the caller has refused passwords; what git says may hold one
			_, err := p.Head(t.Context())
			if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
				t.Errorf("%s, %s: %v, want %q", name, url, err, want)
			}
		}
	}
	p := &Peer{url: "u"}
	for said, want := range map[string]string{
		"Host key verification failed.":            "fingerprint",
		"git@host: Permission denied (publickey).": "ssh-add",
		"ssh: broken\nfatal: Could not read from remote repository.\n\nPlease make sure you have the correct access rights\nand the repository exists.\n": "ask u: ssh: broken",
		"fatal: detected dubious ownership in repository at '/x'":   "another user",
		"fatal: unable to access 'https://a:b@h/': Unknown failure": "https://h/",
		strings.Repeat("x", 5000):                                   "…",
	} {
		err := p.explain(t.Context(), "ask", errors.New(said))
		if !strings.Contains(err.Error(), want) || len(err.Error()) > 2*maxSaid {
			t.Errorf("%q: %v", said, err)
		}
	}
}

// expiring is a context whose time is over when expire is called.
type expiring struct {
	context.Context
	once sync.Once
	done chan struct{}
}

func (e *expiring) expire() { e.once.Do(func() { close(e.done) }) }

func (e *expiring) Done() <-chan struct{} { return e.done }

func (e *expiring) Err() error {
	select {
	case <-e.done:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

func TestHungPeerIsLeftWhenTheCallerGivesUp(t *testing.T) {
	for name, by := range transports {
		ctx := &expiring{Context: t.Context(), done: make(chan struct{})}
		hung := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			ctx.expire()
			<-r.Context().Done()
		}))
		p := newRepo(t).Peer(hung.URL + "/m.git")
		by(p)
		_, err := p.Head(ctx)
		hung.CloseClientConnections()
		hung.Close()
		if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "in time") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestPersonsHooksAndSettingsAreLeftOut(t *testing.T) {
	global := filepath.Join(t.TempDir(), "gitconfig")
	hooks := filepath.Join(t.TempDir(), "hooks")
	mark := filepath.Join(t.TempDir(), "ran")
	put := func(path, content string) {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	put(filepath.Join(hooks, "pre-push"), "#!/bin/sh\ntouch "+mark+"\nexit 1\n")
	put(global, "[core]\n\thooksPath = "+hooks+"\n[push]\n\tfollowTags = true\n[gc]\n\tauto = 1\n")
	t.Setenv("GIT_CONFIG_GLOBAL", global)
	t.Setenv("GIT_DIR", "/nowhere") // as inside a git hook
	t.Setenv("GIT_INDEX_FILE", "/nowhere/index")
	_, dir := server2(t)
	a := newRepo(t)
	if err := a.Peer(dir).Push(t.Context(), commitOf(t, a, "x", "1")); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("a hook of the person ran")
	}
}

// server2 is an empty bare repository, made without the environment of the test.
func server2(t *testing.T) (url, dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "m.git")
	r := Open(dir)
	for _, d := range []string{"objects", "refs/heads"} {
		if err := os.MkdirAll(filepath.Join(r.dir, d), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for name, content := range map[string]string{"HEAD": "ref: refs/heads/main\n", "config": "[core]\n\tbare = true\n\trepositoryformatversion = 0\n"} {
		if err := os.WriteFile(filepath.Join(r.dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir, dir
}

func TestOwnSSHCommandIsUsedAndElseOneThatAsksNothing(t *testing.T) {
	t.Setenv("GIT_SSH_COMMAND", "") // puts it back at the end
	if err := os.Unsetenv("GIT_SSH_COMMAND"); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	fake := filepath.Join(t.TempDir(), "bin", "ssh")
	said := filepath.Join(t.TempDir(), "said")
	if err := os.MkdirAll(filepath.Dir(fake), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(fake, []byte("#!/bin/sh\necho \"$@\" > "+said+"\nexit 255\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", filepath.Dir(fake)+string(os.PathListSeparator)+os.Getenv("PATH"))
	r := newRepo(t)
	ask := func() string {
		_ = os.Remove(said)
		if _, err := r.Peer("git@host.example:m.git").Head(t.Context()); err == nil {
			t.Error("no error")
		}
		b, _ := os.ReadFile(said)
		return string(b)
	}
	if got := ask(); !strings.Contains(got, "BatchMode=yes") || !strings.Contains(got, "git@host.example") {
		t.Errorf("ssh was called with %q", got)
	}
	stock(t, r.dir, "config", "core.sshCommand", fake+" --mine")
	if got := ask(); !strings.HasPrefix(got, "--mine") || strings.Contains(got, "BatchMode") {
		t.Errorf("the person's ssh was called with %q", got)
	}
}

func FuzzReportsOfTheGitCommand(f *testing.F) {
	f.Add("To /x\n!\tabc:refs/heads/main\t[rejected] (fetch first)\nDone\n", "da39a3ee5e6b4b0d3255bfef95601890afd80709\trefs/heads/main\n")
	f.Add("To /x\n \tabc:refs/heads/main\ta..b\nDone\n", "short\trefs/heads/main\n")
	f.Add("!\t", "\t\t\n")
	f.Fuzz(func(t *testing.T, push, list string) {
		if why, rejected := rejection(push); rejected && !strings.Contains(push, "!") || !rejected && why != "" {
			t.Errorf("%q: %q", push, why)
		}
		if tip, err := tipIn(list); err == nil && !tip.IsZero() && !strings.Contains(list, MainBranch) {
			t.Errorf("%q: %v", list, tip)
		}
	})
}
