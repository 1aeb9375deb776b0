package gitsync

import (
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"dormouse/store/gitrepo"
)

// served serves a bare repository by git's own http backend, and gives its address. may says which requests are let through; nil lets all.
func served(t *testing.T, repo string, may func(*http.Request) bool) string {
	t.Helper()
	core, err := exec.Command("git", "--exec-path").Output()
	if err != nil {
		t.Fatal(err)
	}
	git(t, repo, "config", "http.receivepack", "true")
	// While there is a file "full" beside the repository, no file of the server's grows beyond a block, as on a full disk.
	script := filepath.Join(t.TempDir(), "backend")
	edit(t, script, func(string) string {
		return "#!/bin/sh\n[ -e '" + filepath.Join(filepath.Dir(repo), "full") + "' ] && ulimit -f 1\nexec '" + filepath.Join(strings.TrimSpace(string(core)), "git-http-backend") + "'\n"
	})
	if err := os.Chmod(script, 0o700); err != nil {
		t.Fatal(err)
	}
	backend := &cgi.Handler{Path: script, Stderr: io.Discard,
		Env: []string{"GIT_PROJECT_ROOT=" + filepath.Dir(repo), "GIT_HTTP_EXPORT_ALL=1"}}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if may != nil && !may(r) {
			w.Header().Set("WWW-Authenticate", `Basic realm="memory"`)
			http.Error(w, "no", http.StatusUnauthorized)
			return
		}
		body, err := io.ReadAll(r.Body) // CGI needs the length, which git does not tell of a large body
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		r.Body, r.ContentLength, r.TransferEncoding = io.NopCloser(bytes.NewReader(body)), int64(len(body)), nil
		backend.ServeHTTP(w, r)
	}))
	s.Config.ErrorLog = nil
	t.Cleanup(s.Close)
	return s.URL + "/" + filepath.Base(repo)
}

// cutter is a network that breaks after some bytes, whichever way they go.
type cutter struct {
	ln   net.Listener
	to   string
	left atomic.Int64 // bytes until the cut; counts down
	used atomic.Int64
}

func newCutter(t *testing.T, to string) *cutter {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &cutter{ln: ln, to: to}
	c.left.Store(1 << 40)
	var conns sync.WaitGroup
	t.Cleanup(func() {
		_ = ln.Close()
		conns.Wait()
	})
	conns.Go(func() {
		for {
			in, err := ln.Accept()
			if err != nil {
				return
			}
			conns.Go(func() { c.carry(in) })
		}
	})
	return c
}

// carry joins a connection with one to the server, until either ends or the network breaks.
func (c *cutter) carry(in net.Conn) {
	out, err := net.Dial("tcp", c.to)
	if err != nil {
		_ = in.Close()
		return
	}
	end := sync.OnceFunc(func() { _, _ = in.Close(), out.Close() })
	var both sync.WaitGroup
	for _, way := range [][2]net.Conn{{in, out}, {out, in}} {
		both.Go(func() {
			defer end()
			buf := make([]byte, 4096)
			for {
				n, err := way[0].Read(buf)
				if n > 0 {
					c.used.Add(int64(n))
					left := c.left.Add(int64(-n))
					if left < 0 {
						n = max(0, n+int(left))
					}
					if _, err := way[1].Write(buf[:n]); err != nil || left <= 0 {
						return
					}
				}
				if err != nil {
					return
				}
			}
		})
	}
	both.Wait()
}

// cuts is at how many places the network is cut: at every byte under `make stress`.
func cuts(whole int) int {
	if os.Getenv("DORMOUSE_STRESS") != "" {
		return whole
	}
	return 10
}

func TestNetworkThatIsCutAtAnyByteLosesNothingAndTheNextExchangeGoesThrough(t *testing.T) {
	t.Parallel()
	remote, a, b := bare(t), newMachine(t, "aa"), newMachine(t, "bb")
	straight := served(t, remote, nil)
	network := newCutter(t, strings.TrimPrefix(strings.TrimSuffix(straight, "/"+filepath.Base(remote)), "http://"))
	through := "http://" + network.ln.Addr().String() + "/" + filepath.Base(remote)
	a.learn("a")
	a.setup(through)
	b.learn("b")
	b.setup(straight)
	network.used.Store(0)
	a.exchange() // b's word comes in
	a.learn("a and more")
	a.exchange() // a's goes out
	whole, want := int(network.used.Load()), 3
	n := cuts(whole)
	broken := 0
	for i := range n {
		a.learn(strings.Repeat("x", 1+i))
		b.learn(strings.Repeat("y", 1+i))
		want += 2
		b.exchange()
		network.left.Store(int64(1 + i*whole/n))
		if _, err := a.sync.Sync(t.Context()); err != nil {
			broken++
		}
		network.left.Store(1 << 40)
		a.exchange()
		if got := strings.Count(a.knows(), ",") + 1; got != want {
			t.Fatalf("cut after %d bytes of %d: %d records, want %d", 1+i*whole/n, whole, got, want)
		}
	}
	b.exchange()
	if a.knows() != b.knows() || a.head() != b.head() || broken < n/2 {
		t.Errorf("%d of %d cuts broke an exchange; a and b know the same: %v", broken, n, a.knows() == b.knows())
	}
	if out := git(t, remote, "fsck", "--strict", "--full", "--no-dangling"); out != "" {
		t.Errorf("the remote: %s", out)
	}
	a.sound()
	b.sound()
}

func TestExpiredTokenIsToldAsSuchAndANewOneGoesOn(t *testing.T) {
	t.Parallel()
	remote := bare(t)
	var valid atomic.Value
	valid.Store("first")
	url := served(t, remote, func(r *http.Request) bool {
		_, token, _ := r.BasicAuth()
		return token == valid.Load()
	})
	a := newMachine(t, "aa")
	have := "first"
	a.connect = func(url string) Remote {
		p := a.repo.Peer(url)
		p.SetToken("x-access-token", have)
		return p
	}
	a.open()
	a.learn("one")
	a.setup(url)
	valid.Store("second")
	a.learn("two")
	before := git(t, remote, "rev-parse", "main")
	if _, err := a.sync.Sync(t.Context()); !errors.Is(err, gitrepo.ErrLogin) || strings.Contains(err.Error(), have) {
		t.Errorf("%v", err)
	}
	if a.knows() != "one,two" || git(t, remote, "rev-parse", "main") != before {
		t.Error("something was changed")
	}
	have = "second"
	if res := a.exchange(); !res.Sent || git(t, remote, "rev-parse", "main") == before {
		t.Errorf("%+v", res)
	}
	a.sound()
}
