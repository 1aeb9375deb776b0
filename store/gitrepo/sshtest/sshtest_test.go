package sshtest

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
)

// run has a client run a command on the server.
func run(s *Server, c Client, env ...string) (string, error) {
	words := strings.Fields(c.Command)
	cmd := exec.Command(words[0], append(words[1:], "-p", fmt.Sprint(s.Port), "127.0.0.1", "echo here")...)
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func TestTheServerLetsInTheKeysThatItWasGivenAlone(t *testing.T) {
	s := Start(t, "A banner.\n")
	in, out := s.Client(t, true), s.Client(t, false)
	if said, err := run(s, in); err == nil || !strings.Contains(said, "Host key verification failed") {
		t.Errorf("a host that is not known: %v %q", err, said)
	}
	s.Meet(t, in)
	s.Meet(t, out)
	if said, err := run(s, in); err != nil || !strings.Contains(said, "A banner.") || !strings.Contains(said, "here\n") {
		t.Errorf("with its key: %v %q", err, said)
	}
	if said, err := run(s, out); err == nil || !strings.Contains(said, "Permission denied") {
		t.Errorf("with another key: %v %q", err, said)
	}
	s.LetIn(t, out.Public(t))
	if said, err := run(s, out); err != nil {
		t.Errorf("let in later: %v %q", err, said)
	}
}

func TestAnAgentHoldsTheClientsKey(t *testing.T) {
	s := Start(t, "")
	c := s.Client(t, true)
	s.Meet(t, c)
	list, err := exec.Command("ssh-keygen", "-lf", strings.TrimSuffix(c.Known, "known_hosts")+"user.pub").Output()
	if err != nil {
		t.Fatal(err)
	}
	ask := exec.Command("ssh-add", "-l")
	ask.Env = append(os.Environ(), "SSH_AUTH_SOCK="+c.Agent(t))
	held, err := ask.Output()
	if err != nil || len(strings.Fields(string(held))) < 2 || strings.Fields(string(held))[1] != strings.Fields(string(list))[1] {
		t.Errorf("the agent has %q, %v; the client's key is %q", held, err, list)
	}
	if want := fmt.Sprintf("ssh://127.0.0.1:%d/srv/a.git", s.Port); s.URL("/srv/a.git") != want {
		t.Errorf("%s", s.URL("/srv/a.git"))
	}
}

// told is a test that notes how it ends.
type told struct {
	testing.TB
	how string
}

func (*told) Helper()        {}
func (t *told) Fatal(...any) { t.how = "failed"; runtime.Goexit() }
func (t *told) Skip(...any)  { t.how = "skipped"; runtime.Goexit() }

func TestWithoutAServerATestIsPassedOverButNeverInCI(t *testing.T) {
	for ci, want := range map[string]string{"": "skipped", "true": "failed"} {
		t.Setenv("CI", ci)
		t.Setenv("PATH", t.TempDir())
		x, ended := &told{TB: t}, make(chan struct{})
		go func() { defer close(ended); Start(x, "") }()
		<-ended
		if x.how != want {
			t.Errorf("CI=%q: %s, want %s", ci, x.how, want)
		}
	}
}
