package gitsync

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"dormouse/store/gitrepo"
	"dormouse/store/gitrepo/sshtest"
)

// door is a real server of a repository and how machines get in: lock shuts a machine out, unlock lets it in.
type door struct {
	url          string
	prepare      func(m *machine)
	lock, unlock func(m *machine)
}

// overSSH is a real sshd that talks more than it has to, and shows a machine that knows its Ed25519 key two keys. A machine that is shut out has a
// key that the server does not know.
func overSSH(t *testing.T, remote string) door {
	s := sshtest.Start(t, "**********\nAll that you do here is written down.\n**********\n")
	var mu sync.Mutex
	right := map[string]string{}
	use := func(m *machine, c sshtest.Client) { git(t, m.dir, "config", "core.sshCommand", c.Command) }
	return door{url: s.URL(remote),
		prepare: func(m *machine) {
			c := s.Client(t, true)
			s.Meet(t, c)
			use(m, c)
			mu.Lock()
			defer mu.Unlock()
			right[m.id] = c.Command
		},
		lock: func(m *machine) {
			c := s.Client(t, false)
			s.Meet(t, c)
			use(m, c)
		},
		unlock: func(m *machine) { use(m, sshtest.Client{Command: right[m.id]}) }}
}

// overHTTP is git's own http server, with a token for each machine.
func overHTTP(t *testing.T, remote string) door {
	var expired atomic.Value
	expired.Store("")
	url := served(t, remote, func(r *http.Request) bool {
		_, token, ok := r.BasicAuth()
		return ok && strings.HasPrefix(token, "token-of-") && token != expired.Load()
	})
	return door{url: url,
		prepare: func(m *machine) {
			m.connect = func(url string) Remote {
				p := m.repo.Peer(url)
				p.SetToken("x-access-token", "token-of-"+m.id)
				return p
			}
			m.open()
		},
		lock:   func(m *machine) { expired.Store("token-of-" + m.id) },
		unlock: func(*machine) { expired.Store("") }}
}

// TestThreeMachinesThroughRealServersEndEqual has three machines push at once through a real sshd and through git's http server, one of which is shut
// out for a while: by a key that is not the right one, by a token that has expired. Then a hook of the server refuses.
func TestThreeMachinesThroughRealServersEndEqual(t *testing.T) {
	t.Parallel()
	for name, over := range map[string]func(*testing.T, string) door{"ssh": overSSH, "http": overHTTP} {
		t.Run(name, func(t *testing.T) {
			remote := bare(t)
			d := over(t, remote)
			all := []*machine{newMachine(t, "aa"), newMachine(t, "bb"), newMachine(t, "cc")}
			for _, m := range all {
				d.prepare(m)
				m.learn("first of " + m.id)
				m.setup(d.url)
			}
			out := all[2]
			d.lock(out)
			out.learn("learned outside")
			before := git(t, remote, "rev-parse", "main")
			if _, err := out.sync.Sync(t.Context()); !errors.Is(err, gitrepo.ErrLogin) || strings.Contains(err.Error(), "token-of-") {
				t.Errorf("shut out: %v", err)
			}
			if got := git(t, remote, "rev-parse", "main"); got != before || !strings.Contains(out.knows(), "learned outside") {
				t.Errorf("shut out, it changed the remote (%v), and knows %s", got != before, out.knows())
			}
			d.unlock(out)
			var together sync.WaitGroup
			for _, m := range all {
				together.Go(func() {
					for _, s := range []string{"at once, one of ", "at once, two of "} {
						if err := m.tryLearn(s + m.id); err != nil {
							t.Error(err)
						}
						if _, err := m.sync.Sync(t.Context()); err != nil {
							t.Errorf("%s: %v", m.id, err)
						}
					}
				})
			}
			together.Wait()
			for range 2 {
				for _, m := range all {
					m.exchange()
				}
			}
			for _, m := range all {
				if n := strings.Count(m.knows(), " of ") + strings.Count(m.knows(), "outside"); n != 10 || m.head() != all[0].head() || m.published() != all[0].published() {
					t.Errorf("%s knows %d of 10 things: %s", m.id, n, m.knows())
				}
				m.sound()
			}
			refusedByHook(t, all[0], remote)
			if out := git(t, remote, "fsck", "--strict", "--full", "--no-dangling"); out != "" {
				t.Errorf("the remote: %s", out)
			}
		})
	}
}

// refusedByHook has a hook of the server refuse what a machine sends, and then allow it.
func refusedByHook(t *testing.T, m *machine, remote string) {
	t.Helper()
	hook := filepath.Join(remote, "hooks", "pre-receive")
	if err := os.WriteFile(hook, []byte("#!/bin/sh\necho nothing on a Sunday >&2\nexit 1\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	m.learn("on a Sunday")
	if _, err := m.sync.Sync(t.Context()); !errors.Is(err, gitrepo.ErrRefused) || !strings.Contains(err.Error(), "nothing on a Sunday") {
		t.Errorf("refused by a hook: %v", err)
	}
	if err := os.Remove(hook); err != nil {
		t.Fatal(err)
	}
	if res := m.exchange(); !res.Sent {
		t.Errorf("what was refused is not sent later: %+v", res)
	}
}
