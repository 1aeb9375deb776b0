package daemon

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"dormouse/service/api"
	"dormouse/service/config"
	"dormouse/service/machine"
	"dormouse/service/sleep"
	"dormouse/store/home"
)

// asleepHome is a service whose sessions were captured and wait for the night.
func asleepHome(t *testing.T, change func(*Params)) (*service, string) {
	t.Helper()
	dir, roots := t.TempDir(), t.TempDir()
	p := params(dir, roots)
	if change != nil {
		change(&p)
	}
	s := start(t, p)
	s.looked(t) // or the loop might take some of them itself
	if err := os.CopyFS(roots, os.DirFS(samples(t))); err != nil {
		t.Fatal(err)
	}
	if err := s.daemon.engine.Scan(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s, dir
}

func open(context.Context) error { return nil }

// due is the decision for the night of the tests' clock.
func (s *service) due() sleep.Decision {
	return sleep.Decision{Action: sleep.Deep, Due: sleep.LastNight(clock(), s.daemon.settings())}
}

func TestANightThatPausesAgainAndAgainGivesWhatAnUndisturbedOneDoesInBulk(t *testing.T) {
	calm, calmDir := asleepHome(t, nil)
	want, err := calm.daemon.sleepThrough(t.Context(), calm.due(), open)
	if err != nil || want.Counts.Nodes == 0 || len(want.Failures()) > 0 {
		t.Fatalf("%+v, %v", want, err)
	}
	s, dir := asleepHome(t, nil)
	pauses := 0
	for step := 1; ; step += 3 { // each time it gets a little further than where it stopped
		left := step
		_, err := s.daemon.sleepThrough(t.Context(), s.due(), func(context.Context) error {
			if left--; left < 0 {
				return &sleep.Paused{Why: sleep.WaitInput}
			}
			return nil
		})
		if err == nil {
			break
		}
		if _, ok := sleep.PausedBy(err); !ok {
			t.Fatal(err)
		}
		pauses++
		if n := s.daemon.nights.last(); n.Ended != 0 || len(n.Pauses) != pauses {
			t.Fatalf("after %d pauses: %+v", pauses, n)
		}
	}
	if pauses < 5 {
		t.Fatalf("it has paused only %d times", pauses)
	}
	got := s.daemon.nights.last()
	if len(s.daemon.nights.list(10)) != 1 || got.Ended == 0 || got.Counts != want.Counts || got.Review != want.Review {
		t.Errorf("after %d pauses: %+v\nundisturbed: %+v", pauses, got, want)
	}
	if len(got.Stages) != len(want.Stages) || slices.ContainsFunc(got.Stages, func(s api.NightStage) bool { return !s.Done || s.Failure != "" }) {
		t.Errorf("stages %+v", got.Stages)
	}
	for _, p := range got.Pauses {
		if p.Until == 0 || p.Why != sleep.WaitInput {
			t.Errorf("pause %+v", p)
		}
	}
	if a, b := published(t, dir), published(t, calmDir); a != b {
		t.Errorf("published after pauses:\n%s\nwithout:\n%s", a, b)
	}
	if a, b := histories(t, dir), histories(t, calmDir); a != b {
		t.Errorf("sessions after pauses:\n%s\nwithout:\n%s", a, b)
	}
	sound(t, dir)
	st, err := s.Status(t.Context())
	if err != nil || st.LastNight == nil || st.LastNight.ID != got.ID {
		t.Errorf("status tells of %+v, %v", st.LastNight, err)
	}
	if in, err := s.daemon.look(t.Context()); err != nil || len(in.Sessions) > 0 {
		t.Errorf("still waiting: %+v, %v", in, err)
	}
}

func TestAFailedStageIsRecordedAndTheRestGoesOn(t *testing.T) {
	boom := errors.New("no more logs")
	s, dir := asleepHome(t, func(p *Params) { p.RotateLog = func() error { return boom } })
	if err := os.WriteFile(filepath.Join(home.At(dir).Logs(), "dormouse.log"), make([]byte, bigLog), 0o600); err != nil {
		t.Fatal(err)
	}
	n, err := s.Night(t.Context(), api.NightNow)
	if err != nil || n.Kind != manual || n.Why != "asked" || n.Due != 0 || n.Ended == 0 || n.Counts.Events == 0 {
		t.Errorf("%+v, %v", n, err)
	}
	if f := n.Failures(); len(f) != 1 || f[0].Name != "logs" || !strings.Contains(f[0].Failure, boom.Error()) {
		t.Errorf("failures %+v", f)
	}
	if last := n.Stages[len(n.Stages)-1]; last.Name != "sync" || !last.Done {
		t.Errorf("stages %+v", n.Stages)
	}
	list, err := s.Nights(t.Context(), 5)
	if err != nil || len(list) != 1 || list[0].ID != n.ID {
		t.Errorf("%+v, %v", list, err)
	}
}

func TestOnAMeteredNetworkNothingIsSent(t *testing.T) {
	s, _ := asleepHome(t, func(p *Params) {
		p.Machine = func(context.Context) machine.Reading { return machine.Reading{Metered: machine.Yes} }
	})
	dec := s.due()
	dec.Metered = true
	n, err := s.daemon.sleepThrough(t.Context(), dec, open)
	if err != nil || len(n.Waits) != 1 || !strings.Contains(n.Waits[0], "costs") || !strings.Contains(n.Stages[len(n.Stages)-1].Note, "costs") {
		t.Errorf("%+v, %v", n, err)
	}
	if s.daemon.machineNow(t.Context()); !s.daemon.frugal() {
		t.Error("the network is not known to cost")
	}
}

func TestAPersonMayAllowAMeteredNetwork(t *testing.T) {
	d := New(params(t.TempDir(), t.TempDir()))
	d.senses.metered.Store(true)
	if !d.frugal() {
		t.Error("by default nothing is to be sent")
	}
	if d.p.Config.Sleep.OnMetered = true; d.frugal() {
		t.Error("the person allowed it")
	}
}

func TestWhichModelsArePaid(t *testing.T) {
	for url, want := range map[string]bool{"": true, "https://example.org/v1": true, "http://127.0.0.1:11434/v1": false, "http://localhost:8080": false, "http://[::1]:1": false} {
		d := New(params(t.TempDir(), t.TempDir()))
		d.p.Config.LLM.BaseURL = url
		if d.paid() {
			t.Error("rules cost something")
		}
		if d.p.Config.Distill.Extractor = config.Model; d.paid() != want {
			t.Errorf("%q: paid %v", url, d.paid())
		}
	}
}

// bytesOf is the content of every file of a folder.
func bytesOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(p)
		sum := sha256.Sum256(b)
		out[p] = hex.EncodeToString(sum[:])
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestADryRunSaysWhatWouldBeDoneAndChangesNotAByteInBulk(t *testing.T) {
	s, dir := asleepHome(t, nil)
	if err := s.daemon.indexSessions(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if err := s.daemon.index.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	before := bytesOf(t, dir)
	for range 50 { // until what the capture has set going is done
		time.Sleep(600 * time.Millisecond)
		if now := bytesOf(t, dir); maps.Equal(now, before) {
			break
		} else {
			before = now
		}
	}
	plan, err := s.SleepPlan(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for name, sum := range bytesOf(t, dir) {
		if before[name] != sum {
			t.Errorf("%s was changed", name)
		}
		delete(before, name)
	}
	if len(before) > 0 {
		t.Errorf("removed: %v", before)
	}
	n, err := s.Night(t.Context(), api.NightNow)
	if err != nil || plan.Nodes == 0 || n.Counts.Nodes != plan.Nodes || n.Counts.Sessions != plan.Sessions || len(n.Stages) != len(plan.Stages) {
		t.Errorf("planned %+v, did %+v, %v", plan, n, err)
	}
	if plan, err = s.SleepPlan(t.Context()); err != nil || plan.Nodes != 0 {
		t.Errorf("after it: %+v, %v", plan, err)
	}
}

func TestASessionThatGoesOnIsPickedUpWhereItStopped(t *testing.T) {
	dir, roots := t.TempDir(), t.TempDir()
	var file, text string
	all := samples(t)
	err := filepath.WalkDir(all, func(p string, e fs.DirEntry, err error) error {
		if err == nil && strings.Contains(p, "wks-cli") && e.Type().IsRegular() {
			b, err := os.ReadFile(p)
			file, text = strings.TrimPrefix(p, all), string(b)
			return err
		}
		return err
	})
	if err != nil || text == "" {
		t.Fatal("no sample", err)
	}
	lines := strings.SplitAfter(text, "\n")
	half := len(lines) / 2
	write := func(n int) {
		t.Helper()
		name := filepath.Join(roots, file)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(strings.Join(lines[:n], "")), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var at atomic.Int64 // ms
	now := func() time.Time { return time.UnixMilli(at.Load()) }
	at.Store(clock().UnixMilli())
	p := params(dir, roots)
	p.Now = now
	s := start(t, p)
	s.looked(t)
	decide := func() sleep.Decision {
		t.Helper()
		if err := s.daemon.engine.Scan(t.Context()); err != nil {
			t.Fatal(err)
		}
		in, err := s.daemon.look(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		in.Now = now()
		return sleep.Decide(in, s.daemon.settings())
	}
	seen := 0
	for i, n := range []int{half, len(lines)} {
		write(n)
		d := decide()
		if d.Action != sleep.Light || len(d.Sessions) != 1 {
			t.Fatalf("part %d: %+v, %d lines of %d", i, d, n, len(lines))
		}
		grew := time.Unix(s.sessions(t)[0].UpdatedAt, 0)
		if at.Store(grew.Add(29 * time.Minute).UnixMilli()); decide().Action != sleep.None {
			t.Errorf("part %d: not yet idle, and %+v", i, decide())
		}
		at.Store(grew.Add(9 * time.Hour).UnixMilli()) // the machine was suspended meanwhile
		d = decide()
		run, err := s.daemon.sleep(t.Context(), "light", d.Sessions, 30*time.Minute)
		if err != nil || run.Counts.Nodes == 0 {
			t.Fatalf("part %d: %+v, %v", i, run, err)
		}
		seen += run.Counts.Nodes
		if decide().Action == sleep.Light {
			t.Errorf("part %d is to be slept on twice", i)
		}
	}
	if s := s.sessions(t)[0]; seen != s.Nodes {
		t.Errorf("%d nodes were distilled, there are %d", seen, s.Nodes)
	}
}

func (s *service) sessions(t *testing.T) []api.Session {
	t.Helper()
	list, err := s.Sessions(t.Context(), api.SessionQuery{})
	if err != nil || len(list) == 0 {
		t.Fatal(list, err)
	}
	return list
}

func TestTwoMachinesDoNotSleepOnTheSameWorkTwice(t *testing.T) {
	bare := remote(t)
	a, _ := asleepHome(t, nil)
	first, err := a.daemon.sleepThrough(t.Context(), a.due(), open)
	if err != nil || first.Counts.Nodes == 0 {
		t.Fatal(first, err)
	}
	if _, err := a.SyncSetup(t.Context(), bare); err != nil {
		t.Fatal(err)
	}
	b, dirB := asleepHome(t, nil) // the same transcripts, from a shared home folder
	if _, err := b.SyncSetup(t.Context(), bare); err != nil {
		t.Fatal(err)
	}
	n, err := b.daemon.sleepThrough(t.Context(), b.due(), open)
	if err != nil || n.Counts.Nodes != 0 || n.Counts.Events != 0 || len(n.Failures()) > 0 {
		t.Errorf("the second machine slept on it again: %+v, %v", n, err)
	}
	if err := b.stop(); err != nil {
		t.Fatal(err)
	}
	sound(t, dirB)
}

func TestALogIsRotatedForItsOwnSizeAlone(t *testing.T) {
	dir, rotated := t.TempDir(), 0
	d := New(params(dir, t.TempDir()))
	d.p.RotateLog = func() error { rotated++; return nil }
	if err := d.p.Home.Create(); err != nil {
		t.Fatal(err)
	}
	night := func(want int) {
		t.Helper()
		if _, err := d.rotateLog(t.Context(), nil); err != nil || rotated != want {
			t.Errorf("rotated %d times, not %d: %v", rotated, want, err)
		}
	}
	night(0) // nothing was logged yet
	for name, size := range map[string]int{"dormouse-2026-03-01T03-00-00.000.log": bigLog, "service.log": bigLog, "dormouse.log": 10} {
		if err := os.WriteFile(filepath.Join(d.p.Home.Logs(), name), make([]byte, size), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	night(0) // what lies beside it is another's
	if err := os.Truncate(d.p.Home.Log(), bigLog); err != nil {
		t.Fatal(err)
	}
	night(1)
}
