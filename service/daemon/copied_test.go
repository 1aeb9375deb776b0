package daemon

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dormouse/assets"
	"dormouse/service/api"
	"dormouse/service/config"
	"dormouse/store/home"
)

func sessionsOf(t *testing.T, s *service) int {
	t.Helper()
	all, err := s.Sessions(t.Context(), api.SessionQuery{Limit: 10_000})
	if err != nil {
		t.Fatal(err)
	}
	return len(all)
}

// TestSessionsStayWhenTheirMachineGoesOnUnderAnotherId takes the machine's id away, after which its sessions bear another machine's.
func TestSessionsStayWhenTheirMachineGoesOnUnderAnotherId(t *testing.T) {
	for _, how := range []string{config.SessionsOnDemand, ""} {
		p := learnedFrom(t, assets.SampleClaude)
		dir, bare := p.Home.Dir(), remote(t)
		if how != "" {
			p.Config.Sync.Sessions = how
		}
		s := start(t, p)
		if _, err := s.SyncSetup(t.Context(), bare); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Sync(t.Context()); err != nil {
			t.Fatal(err)
		}
		had, refs := sessionsOf(t, s), git(t, bare, "for-each-ref", "refs/dormouse/sessions")
		if err := s.stop(); err != nil || had == 0 {
			t.Fatal(had, err)
		}
		if err := os.Remove(filepath.Join(dir, "machine")); err != nil {
			t.Fatal(err)
		}
		s = start(t, p)
		for range 2 {
			if _, err := s.Sync(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if now := sessionsOf(t, s); now != had {
			t.Errorf("%q: of %d sessions %d are left", how, had, now)
		}
		if now := git(t, bare, "for-each-ref", "refs/dormouse/sessions"); now != refs {
			t.Errorf("%q: on the remote are\n%s\nand were\n%s", how, now, refs)
		}
		if err := s.stop(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestACopiedStateFolderBecomesAMachineOfItsOwn runs a state folder and a copy of it, as a backup that is put onto a second laptop gives
// one, and has the person decide something on each.
func TestACopiedStateFolderBecomesAMachineOfItsOwn(t *testing.T) {
	bare, pa := remote(t), learnedFrom(t, assets.SampleClaude)
	pa.Config.Sync.Sessions = config.SessionsOnDemand
	a := start(t, pa)
	if _, err := a.SyncSetup(t.Context(), bare); err != nil {
		t.Fatal(err)
	}
	if err := a.stop(); err != nil {
		t.Fatal(err)
	}
	pb := params(t.TempDir(), t.TempDir())
	pb.Config.Sync.Sessions = config.SessionsOnDemand
	if err := copyTree(pa.Home.Dir(), pb.Home.Dir()); err != nil {
		t.Fatal(err)
	}
	a = start(t, pa)
	b := start(t, pb)
	line, err := a.Timeline(t.Context(), api.TimelineQuery{Limit: 10})
	if err != nil || len(line.Events) < 2 {
		t.Fatal(line, err)
	}
	had := sessionsOf(t, a)
	for s, id := range map[*service]string{a: line.Events[0].ID, b: line.Events[1].ID} {
		if _, err := s.Decide(t.Context(), api.Decide{Action: api.DoRefuse, ID: id, Reason: "not so"}); err != nil {
			t.Fatal(err)
		}
	}
	// Whichever exchanges last finds it. A decision asks for an exchange by itself, so that this may be either, and any of these calls.
	deadline := time.Now().Add(15 * time.Second)
	refused := func(s *service) bool {
		all, err := s.Timeline(t.Context(), api.TimelineQuery{Limit: 10_000})
		if err != nil {
			return false
		}
		for _, e := range all.Events {
			if e.ID == line.Events[0].ID || e.ID == line.Events[1].ID {
				return false
			}
		}
		return true
	}
	for !refused(a) || !refused(b) {
		if time.Now().After(deadline) {
			t.Fatal("they do not come together")
		}
		for _, s := range []*service{a, b} {
			var e *api.Error
			_, err := s.Sync(t.Context())
			if errors.As(err, &e) && !strings.Contains(e.Message, "copy of another machine") {
				t.Fatal(err)
			}
		}
		time.Sleep(50 * time.Millisecond)
	}
	x, err := home.At(pa.Home.Dir()).Machine()
	y, err2 := home.At(pb.Home.Dir()).Machine()
	if x == y || err != nil || err2 != nil {
		t.Errorf("machines %s and %s: %v %v", x, y, err, err2)
	}
	for _, s := range []*service{a, b, a, b} {
		if _, err := s.Sync(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if summaries(t, a) != summaries(t, b) || sessionsOf(t, a) != had || sessionsOf(t, b) != had {
		t.Errorf("a has %d sessions, b %d, and there were %d", sessionsOf(t, a), sessionsOf(t, b), had)
	}
	told := ""
	for _, s := range []*service{a, b} {
		st, err := s.Status(t.Context())
		if err != nil || st.Sync.State != api.SyncInStep {
			t.Errorf("%+v %v", st.Sync, err)
		}
		told += strings.Join(st.Problems, "\n")
		if _, err := os.Stat(filepath.Join(st.Home, copiedFile)); err == nil {
			t.Error("it is still to be done")
		}
	}
	if strings.Count(told, "it goes on as machine") != 1 {
		t.Errorf("told: %s", told)
	}
	sound(t, pa.Home.Dir())
	sound(t, pb.Home.Dir())
}
