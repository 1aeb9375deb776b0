package gitsync

import (
	"io"
	"net"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// cutter is a proxy that ends each connection after so many bytes in one direction; below zero it ends none.
type cutter struct {
	to   string
	left atomic.Int64
	up   atomic.Bool // the bytes of the client count, else those of the server
	cuts atomic.Int64
}

// throughCutter serves a repository by git's own http server behind a proxy.
func throughCutter(t *testing.T, remote string) (url string, c *cutter) {
	t.Helper()
	git(t, remote, "config", "http.receivepack", "true")
	backend := filepath.Join(git(t, remote, "--exec-path"), "git-http-backend")
	if _, err := os.Stat(backend); err != nil {
		t.Skip("git has no http-backend here")
	}
	srv := httptest.NewServer(&cgi.Handler{Path: backend, Env: []string{"GIT_PROJECT_ROOT=" + filepath.Dir(remote), "GIT_HTTP_EXPORT_ALL=1"}})
	t.Cleanup(srv.Close)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ln.Close() })
	c = &cutter{to: strings.TrimPrefix(srv.URL, "http://")}
	c.left.Store(-1)
	go func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			go c.carry(conn)
		}
	}()
	return "http://" + ln.Addr().String() + "/" + filepath.Base(remote), c
}

func (c *cutter) carry(near net.Conn) {
	far, err := net.Dial("tcp", c.to)
	if err != nil {
		_ = near.Close()
		return
	}
	end := func() { _ = near.Close(); _ = far.Close() }
	pipe := func(to, from net.Conn, counts bool) {
		defer end()
		buf := make([]byte, 1)
		for {
			if _, err := io.ReadFull(from, buf); err != nil {
				return
			}
			if left := c.left.Load(); counts && left >= 0 {
				if c.left.Add(-1) < 0 {
					c.left.Store(0)
					c.cuts.Add(1)
					return
				}
			}
			if _, err := to.Write(buf); err != nil {
				return
			}
		}
	}
	go pipe(far, near, c.up.Load())
	pipe(near, far, !c.up.Load())
}

// TestNetworkThatIsCutAnywhereLosesNothingAndIsMadeGoodByTheNextExchange cuts an exchange that fetches and sends after every so many
// bytes, in both directions; after every single one under `make stress`.
func TestNetworkThatIsCutAnywhereLosesNothingAndIsMadeGoodByTheNextExchange(t *testing.T) {
	remote := bare(t)
	url, c := throughCutter(t, remote)
	a, b := newMachine(t, "aa"), newMachine(t, "bb")
	a.learn("first")
	a.setup(url)
	b.setup(url)
	step := int64(1400)
	if os.Getenv("DORMOUSE_STRESS") != "" {
		step = 1
	}
	want, rounds := []string{"first"}, 0
	for _, up := range []bool{true, false} {
		for at := int64(0); ; at += step {
			rounds++
			one, two := "of a "+string(rune('a'+rounds%26))+strings.Repeat("x", rounds/26), "of b "+string(rune('a'+rounds%26))+strings.Repeat("x", rounds/26)
			a.learn(one)
			a.exchange()
			b.learn(two)
			want = append(want, one, two)
			c.up.Store(up)
			before := c.cuts.Load()
			c.left.Store(at)
			_, err := b.sync.Sync(t.Context())
			c.left.Store(-1)
			was := c.cuts.Load() > before
			if was && err == nil && b.knows() == "" {
				t.Errorf("cut after %d bytes: all is gone", at)
			}
			b.exchange()
			a.exchange()
			for _, m := range []*machine{a, b} {
				if got := m.knows(); strings.Count(got, ",") != len(want)-1 {
					t.Fatalf("cut after %d bytes (%v): %s knows %d of %d", at, err, m.id, strings.Count(got, ",")+1, len(want))
				}
			}
			if !was { // the whole exchange went through
				break
			}
		}
	}
	if c.cuts.Load() < 3 {
		t.Errorf("only %d exchanges were cut", c.cuts.Load())
	}
	if a.published() != b.published() {
		t.Error("the two tell different things")
	}
	git(t, remote, "fsck", "--strict")
	a.sound()
	b.sound()
}
