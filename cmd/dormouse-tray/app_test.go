package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/app/model"
	"dormouse/service/api"
)

func TestTheTrayFollowsTheServiceLive(t *testing.T) {
	s := newService(t)
	s.start(t)
	_, b, _ := running(t, s)
	await(t, "awake", func() bool { return b.shows("Awake · 18 memories from 9 sessions") })
	await(t, "the core memory", func() bool {
		return b.shows("What agents are told in shop") && b.shows("· snake_case & <b>bold</b> in p1")
	})
	s.change("status", func(st *api.Status) { st.Phase = "asleep" })
	await(t, "asleep", func() bool { return b.shows("Asleep") && b.find("Sleep now") != nil && !b.find("Sleep now").on })
	s.change("status", func(st *api.Status) { st.Phase, st.Sync.Remote = "idle", "git@host:me" })
	await(t, "sync", func() bool { i := b.find("Sync now"); return i != nil && i.on && i.label == "Sync now" })
}

func TestAClickReachesTheServiceAndWhatItGaveIsTold(t *testing.T) {
	s := newService(t)
	s.status.Sync.Remote = "git@host:me"
	s.start(t)
	_, b, d := running(t, s)
	await(t, "awake", func() bool { return b.shows("Awake") })
	b.press(t, "Sleep now")
	await(t, "the news", func() bool { return d.count("Dormouse has slept: 12 learned, 3 superseded, from 4 sessions.") == 1 })
	await(t, "the line", func() bool { return b.shows("12 learned, 3 superseded, from 4 sessions") })
	b.press(t, "Sync now")
	await(t, "the exchange", func() bool { return s.was("sync") && d.count("In sync: 3 decisions of other machines came in.") == 1 })
	b.press(t, "Until I say")
	await(t, "the pause", func() bool { return b.shows("Paused until you go on") && !b.shows("Pause capture") })
	if s.now().PausedUntil != api.Indefinitely {
		t.Errorf("paused until %d", s.now().PausedUntil)
	}
	b.press(t, "Go on capturing")
	await(t, "the end of the pause", func() bool { return b.shows("Awake") && s.now().PausedUntil == 0 })
	if n := d.count("has slept"); n != 1 {
		t.Errorf("the sleep was told %d times", n)
	}
}

func TestTroubleIsToldOnceAndShown(t *testing.T) {
	s := newService(t)
	s.start(t)
	_, b, d := running(t, s)
	await(t, "awake", func() bool { return b.shows("Awake") })
	amber := func(failed int) {
		s.change("status", func(st *api.Status) {
			st.Parts = []api.Part{{Name: "capture", State: "amber", Failed: failed, Failure: "no rights"}}
		})
	}
	amber(3)
	await(t, "the trouble", func() bool {
		return d.count("Capture failed 3 times in a row: No rights.") == 1 && b.shows("In trouble")
	})
	amber(4)
	await(t, "the line", func() bool { return b.shows("Capture failed 4 times in a row") })
	if n := d.count("in a row"); n != 1 {
		t.Errorf("the trouble was told %d times", n)
	}
}

func TestWithTheServiceDownItSaysSoAndStartsIt(t *testing.T) {
	s := newService(t)
	a, b, d := running(t, s)
	await(t, "off", func() bool {
		return b.shows("Dormouse is not running") && b.shows("Start Dormouse") && !b.shows("Sleep now")
	})
	await(t, "its icon", func() bool { b.mu.Lock(); defer b.mu.Unlock(); return b.icon == model.TrayOff })
	a.programs.startService = func(context.Context) error { return errors.New("no such program") }
	b.press(t, "Start Dormouse")
	await(t, "the failure", func() bool { return d.count("could not be started: No such program.") == 1 })
	a.programs.startService = func(context.Context) error { s.start(t); return nil }
	await(t, "the next try", func() bool { a.mu.Lock(); defer a.mu.Unlock(); return !a.busy["start"] })
	b.press(t, "Start Dormouse")
	await(t, "up", func() bool { return b.shows("Awake") && !b.shows("Start Dormouse") })
	s.stop()
	await(t, "down again", func() bool { return b.shows("Dormouse is not running") })
	s.start(t)
	await(t, "up again", func() bool { return b.shows("Awake") })
	if n := d.count("has slept"); n != 0 {
		t.Errorf("an old sleep is news after a restart: %d", n)
	}
}

func TestTheWindowIsOpenedOrItIsSaidWhyNot(t *testing.T) {
	s := newService(t)
	a, b, d := running(t, s)
	opened := make(chan string, 1)
	a.programs.openWindow = func(args ...string) error { opened <- strings.Join(args, " "); return nil }
	await(t, "the menu", func() bool { return b.shows("Open Dormouse") })
	for label, want := range map[string]string{"Open Dormouse": "", "Settings": "--page settings"} {
		b.press(t, label)
		if got := <-opened; got != want {
			t.Errorf("%s: opened with %q", label, got)
		}
	}
	a.programs.openWindow = func(...string) error { return errors.New("not installed") }
	b.press(t, "Open Dormouse")
	await(t, "why not", func() bool { return d.count("The window could not be opened: not installed") == 1 })
}

func TestQuitEndsTheTray(t *testing.T) {
	s := newService(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	a, b := newApp(s.home, cancel), &bar{}
	a.notify = &desk{}
	done := make(chan bool)
	go func() { a.run(ctx, b); close(done) }()
	await(t, "the menu", func() bool { return b.shows("Quit tray") })
	b.press(t, "Quit tray")
	<-done
}

func TestWithoutATrayThatIsSaidOnceAndTheNotificationsGoOn(t *testing.T) {
	s := newService(t)
	s.start(t)
	ctx, cancel := context.WithCancel(t.Context())
	a, d, errs := newApp(s.home, cancel), &desk{}, &bytes.Buffer{}
	a.notify, a.errs = d, errs
	a.withoutTray(ctx, "There is no tray here (no screen).")
	done := make(chan bool)
	go func() { a.run(ctx, nil); close(done) }()
	await(t, "a look", func() bool { return s.was("core") })
	s.change("sleep_ended", func(st *api.Status) {
		r := *st.LastSleep
		r.ID = "run_2"
		st.LastSleep = &r
	})
	await(t, "the news", func() bool { return d.count("Dormouse has slept: 2 learned, from 1 session.") == 1 })
	cancel()
	<-done
	if strings.Count(errs.String(), "no tray") != 1 || !strings.Contains(errs.String(), "dormouse status") || d.count("Dormouse has no tray here") != 1 {
		t.Errorf("%q %+v", errs.String(), d.sent)
	}
}

func TestANotificationThatFailsIsNoReasonToStop(t *testing.T) {
	s := newService(t)
	a, errs := newApp(s.home, func() {}), &bytes.Buffer{}
	a.notify, a.errs = &desk{err: errors.New("no bus")}, errs
	a.send(t.Context(), model.TrayMessage{Title: "x"})
	if !strings.Contains(errs.String(), "no notification: no bus") {
		t.Errorf("%q", errs.String())
	}
}

func TestOnlyOneTrayPerMemoryRuns(t *testing.T) {
	dir := t.TempDir()
	for name, env := range map[string]func(string) string{
		"session": func(k string) string { return map[string]string{"XDG_RUNTIME_DIR": dir}[k] },
		"none":    func(string) string { return "" },
	} {
		t.Setenv("TMPDIR", filepath.Join(dir, "tmp"))
		first, err := alone("/home/robin/.dormouse", env)
		if err != nil {
			t.Fatal(name, err)
		}
		if _, err := alone("/home/robin/.dormouse/", env); !errors.Is(err, errAnother) {
			t.Errorf("%s: a second tray: %v", name, err)
		}
		other, err := alone("/data/other", env)
		if err != nil {
			t.Errorf("%s: another memory: %v", name, err)
		}
		if err := errors.Join(first.Close(), other.Close()); err != nil {
			t.Error(err)
		}
		again, err := alone("/home/robin/.dormouse", env)
		if err != nil {
			t.Fatalf("%s: after the first one: %v", name, err)
		}
		_ = again.Close()
	}
	if _, err := alone("/x", func(string) string { return "/nowhere" }); err == nil || errors.Is(err, errAnother) {
		t.Errorf("%v", err)
	}
}

func TestTheCommandLineTakesVariablesAlone(t *testing.T) {
	t.Setenv("DORMOUSE_HOME", "/a")
	if err := readVars([]string{"--env", "DORMOUSE_HOME=/b=c"}, io.Discard); err != nil || os.Getenv("DORMOUSE_HOME") != "/b=c" {
		t.Errorf("%v %q", err, os.Getenv("DORMOUSE_HOME"))
	}
	for _, bad := range [][]string{{"--env", "x"}, {"--env", "=x"}, {"now"}, {"--frobnicate"}} {
		if err := readVars(bad, io.Discard); err == nil || errors.Is(err, flag.ErrHelp) {
			t.Errorf("%v: %v", bad, err)
		}
	}
	if err := readVars([]string{"--help"}, io.Discard); !errors.Is(err, flag.ErrHelp) {
		t.Error(err)
	}
}

func TestTextsAreHarmlessWhereTheyGo(t *testing.T) {
	if got := markupSafe(`<b>a & b</b> "c"`); got != `&lt;b&gt;a &amp; b&lt;/b&gt; "c"` {
		t.Error(got)
	}
	got := scriptSafe("a\n\"@\n$(calc) `n ]]> \\\" $0.04")
	if strings.ContainsAny(got, "\n$`\"\\") || strings.Contains(got, "]]>") || !strings.Contains(got, "(calc)") {
		t.Errorf("%q", got)
	}
}
